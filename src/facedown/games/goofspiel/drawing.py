"""Goofspiel as a picture: the prize, who has bid, the rounds so far, and the cards in hand."""

from __future__ import annotations

from facedown.games.contract import OVER
from facedown.games.goofspiel.text import describe, points_text
from facedown.native.records import Record
from facedown.pictures import Picture, card, chip, label, panel
from facedown.pictures.palette import MUTED, PAPER

IN_ROW = 7


def draw_table(view: Record) -> Picture:
    """The table from the seat of the player who looks."""
    n_players, player, turn = int(view.players), int(view.player), int(view.n_rounds)
    rows = -(-int(view.cards) // IN_ROW)
    picture = Picture(480, 336 + 76 * rows, describe(view))
    width = 448 / n_players
    for seat in range(n_players):
        left, name = 16 + seat * width, "you" if seat == player else f"player {seat}"
        picture.add(
            panel(left + 4, 12, width - 8, 112, lit=view.mover == seat),
            label(left + width / 2, 32, name, 14, "middle", bold=True),
        )
        picture.add(label(left + width / 2, 116, f"{points_text(view.points[seat])} points", 14, "middle"))
        if turn < view.cards and view.played[seat, turn]:
            picture.add(card(left + width / 2 - 18, 42, str(view.played[seat, turn]), size=0.66))
        elif seat < view.mover:
            picture.add(card(left + width / 2 - 18, 42, back=True, size=0.66))
    if view.mover == OVER:
        picture.add(label(240, 172, "The game is over.", 18, "middle", bold=True))
    else:
        picture.add(
            chip(70, 168, str(view.stake), radius=34),
            label(116, 164, f"prize {view.prizes[turn]}, worth {view.stake}", 17, bold=True),
        )
        picture.add(label(116, 186, f"round {turn + 1} of {view.cards}", 14, colour=MUTED))
    _draw_rounds(picture, view, 216)
    top = 322
    picture.add(label(20, top, "Your hand", 14, colour=MUTED))
    hand = [value for value in range(1, int(view.cards) + 1) if int(view.hand) >> (value - 1) & 1]
    for place, value in enumerate(hand):
        x, y = 20 + 64 * (place % IN_ROW), top + 10 + 76 * (place // IN_ROW)
        picture.add(card(x, y, str(value), size=0.82, actions=[value]))
    return picture


def _draw_rounds(picture: Picture, view: Record, top: float) -> None:
    """A column for each round that is over: prize, bids as far as they were seen, who took it."""
    if not view.n_rounds:
        return
    step = min(34.0, 390 / int(view.n_rounds))
    picture.add(label(16, top + 12, "prize", 12, colour=MUTED))
    n_players, player = int(view.players), int(view.player)
    line = min(18.0, 66 / n_players)
    for seat in range(n_players):
        picture.add(label(16, top + 32 + line * seat, "you" if seat == player else f"player {seat}", 12, colour=MUTED))
    for turn in range(int(view.n_rounds)):
        x = 82 + step * turn
        picture.add(label(x, top + 12, str(view.prizes[turn]), 13, "middle", bold=True))
        for seat in range(n_players):
            took, bid = bool(view.takers[turn] >> seat & 1), int(view.played[seat, turn])
            text = f"{bid or '·'}{'✓' if took else ''}"
            picture.add(label(x, top + 32 + line * seat, text, 13, "middle", PAPER if took else MUTED, bold=took))
