"""The vocabulary: each function makes a shape at a place. Own drawings, from rectangles, circles and a few paths."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from html import escape
from typing import Literal

from facedown.pictures.emblems import PATHS
from facedown.pictures.palette import (
    BACK,
    BACK_LINE,
    BLUE,
    GOLD,
    GREEN,
    INK,
    MUTED,
    ORANGE,
    PAPER,
    PURPLE,
    RAIL,
    SKY,
    TABLE,
    VERMILION,
    YELLOW,
)

CARD_WIDTH, CARD_HEIGHT = 58.0, 82.0
TILE_SIDE = 34.0
DIE_SIDE = 44.0
CHIP_RADIUS = 15.0
Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True)
class Jump:
    """Where a click leads when a game is looked at again: to the position after this many moves."""

    spot: str
    """Which thing it is, the same in all pictures of a game."""
    label: str
    """What a screen reader says."""
    at: int
    also: int | None = None
    """Another position, with the shift key."""


@dataclass(frozen=True)
class Shape:
    """Something on the table: the box that it takes, its SVG, and the actions that it stands for."""

    box: tuple[float, float, float, float]
    """Left, top, width, height."""
    body: str
    label: str = ""
    """What a screen reader says when it can be clicked; empty: the name of the action."""
    actions: tuple[int, ...] = ()
    corner: float = 9
    """How round the outline is when it can be clicked."""
    jump: Jump | None = None


def label(
    x: float,
    y: float,
    text: str,
    size: float = 15,
    anchor: Anchor = "start",
    colour: str = PAPER,
    bold: bool = False,
    actions: Sequence[int] = (),
) -> Shape:
    """Words whose baseline is at y."""
    weight = ' font-weight="600"' if bold else ""
    width = len(text) * size * 0.55
    left = x - {"start": 0.0, "middle": width / 2, "end": width}[anchor]
    body = (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="{anchor}" fill="{colour}"{weight}>{escape(text)}</text>'
    )
    return Shape((left, y - size, width, size * 1.3), body, actions=tuple(actions))


def letters(x: float, y: float, text: str, struck: Collection[int] = (), size: float = 11, colour: str = PAPER) -> Shape:
    """Letters around a middle, of which those at some places are struck out."""
    plain = [escape(letter) for letter in text]
    parts = [f"<tspan {_STRUCK}>{letter}</tspan>" if at in struck else letter for at, letter in enumerate(plain)]
    width = len(text) * size * 0.65
    body = f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="middle" fill="{colour}">{"".join(parts)}</text>'
    return Shape((x - width / 2, y - size, width, size * 1.3), body)


_STRUCK = f'text-decoration="line-through" fill="{MUTED}"'


def strip(x: float, y: float, text: str, size: float = 1.0) -> Shape:
    """A strip of paper with a few words, across the foot of a card at this place; the whole text is its tooltip."""
    width, top = CARD_WIDTH * size, y + CARD_HEIGHT * size - 16
    short = text if len(text) <= 9 else f"{text[:8]}…"
    body = f"<title>{escape(text)}</title>" + _rectangle(x, top, width, 14, 3, GOLD, INK, 0.8)
    return Shape((x, top, width, 14), f"<g>{body}{_text(x + width / 2, top + 10.5, short, 9.5, 'middle', bold=True)}</g>")


def panel(x: float, y: float, width: float, height: float, lit: bool = False, dashed: bool = False) -> Shape:
    """A place on the table, such as a player's; lit for whoever is to move."""
    line = f'stroke="{GOLD}" stroke-width="3"' if lit else f'stroke="{RAIL}" stroke-width="1.5"'
    dash = ' stroke-dasharray="5 4"' if dashed else ""
    box = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="10"'
    body = f'<rect {box} fill="{RAIL}" fill-opacity=".35" {line}{dash}/>'
    return Shape((x, y, width, height), body)


def emblem(kind: str, x: float, y: float, radius: float, colour: str, outline: str = INK) -> Shape:
    """One of the shapes of kinds, around a centre."""
    body = (
        f'<path d="{PATHS[kind]}" transform="translate({x:g} {y:g}) scale({radius:g})" fill="{colour}" stroke="{outline}" '
        f'stroke-width="{max(0.11, 1 / radius):.3g}" stroke-linejoin="round"/>'
    )
    return Shape((x - radius, y - radius, 2 * radius, 2 * radius), body)


def card(
    x: float,
    y: float,
    face: str = "",
    *,
    kind: str = "",
    colour: str = INK,
    caption: str = "",
    mark: str = "",
    back: bool = False,
    raised: bool = False,
    faded: bool = False,
    size: float = 1.0,
    label: str = "",
    actions: Sequence[int] = (),
) -> Shape:
    """A card: its letter or number in the corner, its kind as a shape in the middle, its name below; or its back.

    mark    a sign in the other corner, such as "!"
    raised  with a thick frame
    faded   no longer in play
    """
    width, height = CARD_WIDTH * size, CARD_HEIGHT * size
    if back:
        body = _rectangle(x, y, width, height, 7 * size, BACK, GOLD if raised else PAPER, 4 if raised else 2.5)
        body += _rectangle(x + 6 * size, y + 6 * size, width - 12 * size, height - 12 * size, 4 * size, "none", BACK_LINE, 1.5)
        body += emblem("diamond", x + width / 2, y + height / 2, 13 * size, BACK_LINE, BACK).body
        body += emblem("diamond", x + width / 2, y + height / 2, 6 * size, BACK, BACK).body
    else:
        body = _rectangle(x, y, width, height, 7 * size, PAPER, GOLD if raised else INK, 4 if raised else 1.2)
        middle = 0.5 if caption else 0.56
        if kind:
            body += emblem(kind, x + width / 2, y + height * middle, 15 * size, colour).body
            body += _text(x + 6 * size, y + 19 * size, face, 18 * size, "start", bold=True)
        elif face:
            body += _text(
                x + width / 2, y + height * middle + 11 * size, face, (30 if len(face) < 3 else 18) * size, "middle", bold=True
            )
        if caption:
            shrunk = min(12.5, 1.45 * CARD_WIDTH / max(len(caption), 1)) * size
            body += _text(x + width / 2, y + height - 8 * size, caption, shrunk, "middle", bold=True)
    if mark:
        ink = PAPER if back else INK  # a yellow mark on paper would not be seen
        body += _text(x + width - 6 * size, y + 19 * size, mark, 18 * size, "end", bold=True, colour=ink)
    if faded:
        body = f'<g opacity=".55">{body}</g>'
    return Shape((x, y, width, height), body, label, tuple(actions))


def pile(
    x: float, y: float, n_cards: int, name: str = "", size: float = 1.0, label: str = "", actions: Sequence[int] = ()
) -> Shape:
    """Cards face down, with how many they are; a dashed place where there are none."""
    width, height = CARD_WIDTH * size, CARD_HEIGHT * size
    if n_cards == 0:
        body = panel(x, y, width, height, dashed=True).body
    else:
        layers = min(max(n_cards - 1, 0), 3)
        body = "".join(card(x + 3 * at * size, y - 3 * at * size, back=True, size=size).body for at in range(layers + 1))
        x_top, y_top = x + 3 * layers * size, y - 3 * layers * size
        body += (
            f'<circle cx="{x_top + width / 2:g}" cy="{y_top + height / 2:g}" r="{15 * size:g}" fill="{INK}" stroke="{PAPER}"/>'
        )
        body += _text(
            x_top + width / 2, y_top + height / 2 + 5.5 * size, str(n_cards), 15 * size, "middle", bold=True, colour=PAPER
        )
    if name:
        body += _text(x + width / 2, y + height + 17, name, 13, "middle", colour=MUTED)
    return Shape((x, y, width, height), body, label, tuple(actions))


def chip(
    x: float,
    y: float,
    text: str = "",
    colour: str = GOLD,
    label: str = "",
    actions: Sequence[int] = (),
    radius: float = CHIP_RADIUS,
) -> Shape:
    """A token around its centre, with a number on it."""
    body = (
        f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{colour}" stroke="{INK}" stroke-width="1.2"/>'
        f'<circle cx="{x:g}" cy="{y:g}" r="{0.76 * radius:g}" fill="none" stroke="{PAPER}" stroke-width="{radius / 6:g}" '
        f'stroke-dasharray="{radius / 3:g} {radius / 4:g}"/>'
    )
    if text:
        body += f'<circle cx="{x:g}" cy="{y:g}" r="{0.62 * radius:g}" fill="{PAPER}"/>'
        body += _text(x, y + 0.3 * radius, text, (0.86 if len(text) < 3 else 0.68) * radius, "middle", bold=True)
    return Shape((x - radius, y - radius, 2 * radius, 2 * radius), body, label, tuple(actions), radius + 3)


def plate(
    x: float, y: float, text: str, colour: str = BLUE, width: float = 0, label: str = "", actions: Sequence[int] = ()
) -> Shape:
    """Words on a plate, around their middle: for what can be done and is no thing on the table."""
    width = width or 24 + 8.5 * len(text)
    left, top, height = x - width / 2, y - 18, 36
    ink = INK if colour in _LIGHT else PAPER
    body = _rectangle(left, top, width, height, 18, colour, PAPER, 1.5) + _text(
        x, y + 5, text, min(15, width / (0.64 * len(text))), "middle", bold=True, colour=ink
    )
    return Shape((left, top, width, height), body, label, tuple(actions), 20)


_LIGHT = frozenset({GOLD, ORANGE, SKY, YELLOW, PURPLE, GREEN, VERMILION})


def chips(x: float, y: float, n_chips: int, colour: str = GOLD, in_row: int = 8) -> Shape:
    """A number of tokens, overlapping, from this left edge on; many are one with a number."""
    if n_chips > 2 * in_row:
        return chip(x + CHIP_RADIUS, y, str(n_chips), colour)
    rows = [min(in_row, n_chips - first) for first in range(0, n_chips, in_row)]
    places = [(x + 9 + 13 * at, y + 17 * row) for row, count in enumerate(rows) for at in range(count)]
    body = "".join(chip(*place, colour=colour, radius=9).body for place in places)
    return Shape((x, y - 9, 18 + 13 * (max(rows, default=1) - 1), 18.0 * max(len(rows), 1)), body)


_PIPS = {
    0: "",
    1: "e",
    2: "ai",
    3: "aei",
    4: "acgi",
    5: "acegi",
    6: "acdfgi",
}


def _pips(x: float, y: float, side: float, number: int) -> str:
    """Pips on a square: places are a b c / d e f / g h i."""
    found = []
    for place in _PIPS[number]:
        row, column = divmod("abcdefghi".index(place), 3)
        across, down = x + side * (0.25 + 0.25 * column), y + side * (0.25 + 0.25 * row)
        found.append(f'<circle cx="{across:g}" cy="{down:g}" r="{0.085 * side:g}" fill="{INK}"/>')
    return "".join(found)


def die(
    x: float, y: float, number: int, *, digit: bool = False, faded: bool = False, label: str = "", actions: Sequence[int] = ()
) -> Shape:
    """A die that shows a number, with pips or as a digit."""
    side = DIE_SIDE
    body = _rectangle(x, y, side, side, 9, PAPER, INK, 1.2)
    body += (
        _text(x + side / 2, y + 0.7 * side, str(number), 0.6 * side, "middle", bold=True)
        if digit
        else _pips(x, y, side, number)
    )
    if faded:
        body = f'<g opacity=".5">{body}</g>'
    return Shape((x, y, side, side), body, label, tuple(actions))


def tile(
    x: float,
    y: float,
    first: int,
    second: int,
    *,
    upright: bool = False,
    size: float = 1.0,
    label: str = "",
    actions: Sequence[int] = (),
) -> Shape:
    """A domino tile; the first number lies left, or on top."""
    side = TILE_SIDE * size
    width, height = (side, 2 * side) if upright else (2 * side, side)
    body = _rectangle(x, y, width, height, 6, PAPER, INK, 1.2)
    line = f"M{x:g} {y + side:g}h{side:g}" if upright else f"M{x + side:g} {y:g}v{side:g}"
    body += f'<path d="{line}" stroke="{INK}" stroke-width="1.2"/>'
    body += _pips(x, y, side, first) + _pips(x + (0 if upright else side), y + (side if upright else 0), side, second)
    return Shape((x, y, width, height), body, label, tuple(actions))


def track(
    x: float, y: float, width: float, n_steps: int, reached: int, colour: str = GOLD, name: str = "", height: float = 12
) -> Shape:
    """Steps in a row, the first of which are reached."""
    step = width / max(n_steps, 1)
    gap = min(2.0, step / 4)
    body = "".join(
        f'<rect x="{x + at * step:.4g}" y="{y:g}" width="{step - gap:.4g}" height="{height:g}" rx="2.5" '
        f'fill="{colour if at < reached else RAIL}"/>'
        for at in range(n_steps)
    )
    if name:
        body += _text(x, y - 6, name, 13, "start", colour=MUTED)
    return Shape((x, y, width, height), body)


def arrow(x1: float, y1: float, x2: float, y2: float, colour: str = GOLD, hollow: bool = False) -> Shape:
    """From one point to another; thin with an open head if it is hollow."""
    angle = math.atan2(y2 - y1, x2 - x1)
    tips = [(x2 + 13 * math.cos(angle + turn), y2 + 13 * math.sin(angle + turn)) for turn in (2.6, -2.6)]
    line = f'x1="{x1:g}" y1="{y1:g}" x2="{x2 - 8 * math.cos(angle):.4g}" y2="{y2 - 8 * math.sin(angle):.4g}"'
    width, inside = (2, TABLE) if hollow else (4, colour)
    edge = colour if hollow else INK
    body = (
        f'<line {line} stroke="{INK}" stroke-width="{width + 3}" stroke-linecap="round"/>'
        f'<line {line} stroke="{colour}" stroke-width="{width}" stroke-linecap="round"/>'
        f'<polygon points="{" ".join(f"{x:.4g},{y:.4g}" for x, y in [(x2, y2), *tips])}" fill="{inside}" '
        f'stroke="{edge}" stroke-width="1.5" stroke-linejoin="round"/>'
    )
    return Shape((min(x1, x2), min(y1, y2), abs(x2 - x1), abs(y2 - y1)), body)


def _rectangle(x: float, y: float, width: float, height: float, round_: float, fill: str, stroke: str, line: float) -> str:
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{round_:g}" fill="{fill}" '
        f'stroke="{stroke}" stroke-width="{line:g}"/>'
    )


def _text(x: float, y: float, text: str, size: float, anchor: Anchor, bold: bool = False, colour: str = INK) -> str:
    weight = ' font-weight="700"' if bold else ""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:.3g}" text-anchor="{anchor}" fill="{colour}"{weight}>{escape(text)}</text>'
    )
