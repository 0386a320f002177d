"""Domino as a picture: the line, the hands, the stock."""

from __future__ import annotations

from facedown.games.contract import OVER
from facedown.games.domino.cards import LEFT, RIGHT, TILES
from facedown.games.domino.text import describe, line_and_moves
from facedown.native.records import Record
from facedown.pictures import Picture, label, panel, tile
from facedown.pictures.palette import BACK, MUTED, PAPER
from facedown.pictures.shapes import Shape


def draw_table(view: Record) -> Picture:
    """The table from the seat of the player who looks."""
    n_players, player = int(view.players), int(view.player)
    picture = Picture(480, 350, describe(view))
    width = 448 / n_players
    for place in range(n_players):
        other = (player + 1 + place) % n_players
        left, name = 16 + place * width, f"player {other}" if other != player else "stock"
        count = int(view.n_held[other]) if other != player else int(view.n_stock)
        picture.add(panel(left + 4, 12, width - 8, 82, lit=other not in {player} and view.mover == other))
        picture.add(label(left + width / 2, 32, f"{name}: {count}", 14, "middle", bold=True))
        step = min(20.0, (width - 40) / max(count, 1))
        picture.add(*(_back(left + 18 + step * at, 44) for at in range(count)))
    _draw_line(picture, view, 128)
    picture.add(panel(20, 210, 440, 128, lit=view.mover == player), label(34, 232, f"you, player {player}", 15, bold=True))
    if view.mover == OVER:
        picture.add(label(446, 232, "The game is over.", 14, "end"))
    hand = [one for one in range(len(TILES)) if int(view.own) >> one & 1]
    for place, one in enumerate(hand):
        plays = [2 * one + LEFT, 2 * one + RIGHT]
        name = f"play {TILES[one][0]}-{TILES[one][1]}"
        picture.add(tile(42 + 74 * place, 246, *TILES[one], upright=True, size=1.2, label=name, actions=plays))
    return picture


def _draw_line(picture: Picture, view: Record, top: float) -> None:
    line, _ = line_and_moves(view)
    laid = [tuple(map(int, one.split("-"))) for one in line.split()]
    if not laid:
        picture.add(panel(150, top, 180, 48, dashed=True), label(240, top + 30, "no tile is laid yet", 14, "middle", MUTED))
        return
    size = min(1.0, 440 / (70 * len(laid)))
    left = 240 - 35 * size * len(laid)
    for place, (one, other) in enumerate(laid):
        picture.add(tile(left + 70 * size * place, top + 24 - 17 * size, one, other, size=size))
    picture.add(label(240, top + 70, f"open ends: {view.left} and {view.right}", 13, "middle", MUTED))


def _back(x: float, y: float) -> Shape:
    """A tile face down."""
    body = f'<rect x="{x:g}" y="{y:g}" width="17" height="34" rx="4" fill="{BACK}" stroke="{PAPER}" stroke-width="1.5"/>'
    return Shape((x, y, 17, 34), body)
