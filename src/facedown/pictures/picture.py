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
from facedown.pictures.shapes import Jump, Shape

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

    def svg(self, legal: Collection[int] = (), names: dict[int, str] | None = None, jumps: bool = False) -> str:
        """The picture as SVG; shapes that stand for a legal action can be clicked and reached with the keyboard.

        names  what actions are called, for shapes that have no label of their own
        jumps  whether shapes lead to earlier positions, where they stand for nothing that is legal
        """
        parts = [_shape(shape, [one for one in shape.actions if one in legal], names or {}, jumps) for shape in self.shapes]
        role = "group" if legal or jumps else "img"
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width:g} {self.height:g}" role="{role}" '
            f'aria-label="{escape(self.title)}" font-family="{escape(FONT)}">'
            f'<rect width="{self.width:g}" height="{self.height:g}" rx="14" fill="{TABLE}"/>{"".join(parts)}</svg>'
        )

    def _repr_svg_(self) -> str:
        return self.svg()


def _shape(shape: Shape, actions: list[int], names: dict[int, str], jumps: bool) -> str:
    if not actions:
        return _leading_back(shape, shape.jump) if jumps and shape.jump is not None else shape.body
    told = shape.label or names.get(actions[0], f"action {actions[0]}")
    if len(actions) > 1:
        told += f": {len(actions)} moves"
    numbers = " ".join(map(str, actions))
    outline = f'<rect {_around(shape)} fill="none" stroke="{LIVE}" stroke-width="2.5"/>'
    return _button(shape, "act", f'data-actions="{numbers}"', told, outline)


def _leading_back(shape: Shape, jump: Jump) -> str:
    also = f' data-also="{jump.also}"' if jump.also is not None else ""
    # all of its box can be clicked, between letters too
    outline = f'<rect {_around(shape)} fill="{LIVE}" fill-opacity="0" stroke="none"/>'
    return _button(shape, "jump", f'data-spot="{jump.spot}" data-at="{jump.at}"{also}', jump.label, outline)


def _button(shape: Shape, kind: str, data: str, told: str, outline: str) -> str:
    """Something that can be clicked."""
    shown = " ".join(unescape(text) for text in re.findall(r">([^<>]+)</text>", shape.body))
    if shown.lower() not in told.lower():  # who speaks to the machine says what stands there
        told += f", {shown}"
    apart = shape.body.replace("</text>", "</text> ")  # two words for machines that read, not one
    return f'<g class="{kind}" role="button" tabindex="0" {data} aria-label="{escape(told)}">{apart}{outline}</g>'


def _around(shape: Shape) -> str:
    x, y, width, height = shape.box
    return f'x="{x - 3:g}" y="{y - 3:g}" width="{width + 6:g}" height="{height + 6:g}" rx="{shape.corner:g}"'


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
