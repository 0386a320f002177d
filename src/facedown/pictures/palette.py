"""Colours of pictures: a dark table with light things on it, which reads alike on light and on dark pages.

Kinds of things have the colours of Okabe and Ito (Color Universal Design, 2008), which people with any kind of colour vision
can tell apart; and each has a shape and a letter besides, so that no colour is needed.
"""

from __future__ import annotations

TABLE, RAIL = "#1c4a4d", "#2b6468"
INK, PAPER, MUTED = "#17262b", "#fbf7ea", "#c3d6d3"
BACK, BACK_LINE = "#7c3f58", "#c9a3b2"
GOLD = "#f2c14e"
LIVE = "#8fd3ff"
"""The outline of what can be clicked."""

ORANGE, SKY, GREEN, YELLOW = "#e69f00", "#56b4e9", "#009e73", "#f0e442"
BLUE, VERMILION, PURPLE, GREY = "#0072b2", "#d55e00", "#cc79a7", "#7a7a7a"
KINDS = (VERMILION, YELLOW, GREEN, BLUE, PURPLE, ORANGE, SKY, GREY)
"""Colours of kinds, in an order in which neighbours differ most."""
EMBLEMS = ("circle", "star", "triangle", "square", "diamond", "cross", "drop", "ring")
"""Shapes of kinds, in the order of their colours."""
