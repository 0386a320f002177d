"""Native code: how functions are compiled, cached and called, and how chance is drawn."""

from facedown.native.chance import CHANCE, draw, draw_from, shuffle
from facedown.native.jit import native
from facedown.native.records import copy_shared, field, record

__all__ = ["CHANCE", "copy_shared", "draw", "draw_from", "field", "native", "record", "shuffle"]
