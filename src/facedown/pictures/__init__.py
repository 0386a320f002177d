"""Pictures of games in a small vocabulary: cards, chips, dice, tiles, piles, tracks, labels, arrows; knows nothing of games."""

from facedown.pictures.picture import Picture, stacked
from facedown.pictures.shapes import (
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
