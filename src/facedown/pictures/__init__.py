"""Pictures of games in a small vocabulary: cards, chips, dice, tiles, piles, tracks, labels, arrows; knows nothing of games."""

from facedown.pictures.picture import Picture, stacked
from facedown.pictures.shapes import (
    Jump,
    Shape,
    arrow,
    card,
    chip,
    chips,
    die,
    emblem,
    label,
    letters,
    panel,
    pile,
    plate,
    strip,
    tile,
    track,
)

__all__ = [
    "Jump",
    "Picture",
    "Shape",
    "arrow",
    "card",
    "chip",
    "chips",
    "die",
    "emblem",
    "label",
    "letters",
    "panel",
    "pile",
    "plate",
    "stacked",
    "strip",
    "tile",
    "track",
]
