"""Tests here share `random_trees.py` and `texts.py`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
