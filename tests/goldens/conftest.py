"""The tests import the writer of the goldens as `goldens`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
