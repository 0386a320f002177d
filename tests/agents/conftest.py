"""Tests here share `table_policies.py`, and import the slow twins as `naive`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
