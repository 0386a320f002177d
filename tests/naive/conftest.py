"""The twins import each other as `naive`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
