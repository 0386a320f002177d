"""Tests here share `offers.py` and `slow_evolution.py`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
