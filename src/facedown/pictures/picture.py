"""A picture: shapes on a table, written as SVG.

All looks are attributes of the elements: a page whose policy forbids inline styles shows it, and so does a notebook, a
document or a viewer. What can be clicked is marked with the numbers of actions, and only those are offered that are legal.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from html import escape, unescape

from facedown.pictures.palette import LIVE, TABLE
from facedown.pictures.shapes import Shape

FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"


@dataclass
class Picture:
    """Shapes on a table of this size."""

    width: float
    height: float
    title: str
    """What it shows, for whoever cannot see it."""
    shapes: list[Shape] = field(default_factory=list)

    def add(self, *shapes: Shape) -> Picture:
        """Put shapes on top of what is there."""
        self.shapes += shapes
        return self

    def svg(self, legal: Collection[int] = (), names: dict[int, str] | None = None) -> str:
        """The picture as SVG; shapes that stand for a legal action can be clicked and reached with the keyboard.

        names  what actions are called, for shapes that have no label of their own
        """
        parts = [_shape(shape, [action for action in shape.actions if action in legal], names or {}) for shape in self.shapes]
        role = "group" if legal else "img"
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width:g} {self.height:g}" role="{role}" '
            f'aria-label="{escape(self.title)}" font-family="{escape(FONT)}">'
            f'<rect width="{self.width:g}" height="{self.height:g}" rx="14" fill="{TABLE}"/>{"".join(parts)}</svg>'
        )

    def _repr_svg_(self) -> str:
        return self.svg()


def _shape(shape: Shape, actions: list[int], names: dict[int, str]) -> str:
    if not actions:
        return shape.body
    told = shape.label or names.get(actions[0], f"action {actions[0]}")
    if len(actions) > 1:
        told += f": {len(actions)} moves"
    shown = " ".join(unescape(text) for text in re.findall(r">([^<>]+)</text>", shape.body))
    if shown.lower() not in told.lower():  # who speaks to the machine says what stands there
        told += f", {shown}"
    apart = shape.body.replace("</text>", "</text> ")  # two words for machines that read, not one
    numbers = " ".join(map(str, actions))
    x, y, width, height = shape.box
    outline = (
        f'<rect x="{x - 3:g}" y="{y - 3:g}" width="{width + 6:g}" height="{height + 6:g}" rx="{shape.corner:g}" fill="none" '
        f'stroke="{LIVE}" stroke-width="2.5"/>'
    )
    return (
        f'<g class="act" role="button" tabindex="0" data-actions="{numbers}" aria-label="{escape(told)}">{apart}{outline}</g>'
    )


def stacked(pictures: Sequence[Picture], gap: float = 8) -> Picture:
    """Pictures one below the other, as one."""
    width = max(picture.width for picture in pictures)
    whole = Picture(width, sum(picture.height + gap for picture in pictures) - gap, "; ".join(p.title for p in pictures))
    top = 0.0
    for picture in pictures:
        placed = picture.svg().replace(
            "<svg ", f'<svg x="0" y="{top:g}" width="{picture.width:g}" height="{picture.height:g}" ', 1
        )
        whole.add(Shape((0, top, picture.width, picture.height), placed))
        top += picture.height + gap
    return whole
