"""Can't Stop as a picture: the columns with markers and runners, the dice, and what can be done with them."""

from __future__ import annotations

import numpy as np

from facedown.games.cant_stop.board import DICE, LOWEST_SUM, N_DICE, length_of
from facedown.games.cant_stop.rules import N_ACTIONS, NO_THROW, ROLL, STOP, moves
from facedown.games.cant_stop.text import action_name, describe
from facedown.games.contract import OVER
from facedown.native.records import Record
from facedown.pictures import Picture, Shape, chip, die, emblem, label, plate
from facedown.pictures.palette import BLUE, GOLD, MUTED, ORANGE, PAPER, PURPLE, RAIL, SKY, VERMILION

COLOURS = (VERMILION, SKY, PURPLE, BLUE)
MARKS = ("circle", "square", "triangle", "diamond")
"""Each player's marker has a shape of its own besides a colour."""
BOARD = 250.0


def draw_table(view: Record) -> Picture:
    """The board, from the seat of the player who looks."""
    picture = Picture(480, BOARD + 226, describe(view))
    n_columns = 2 * int(view.sides) - 1
    longest = max(int(length_of(view, column)) for column in range(n_columns))
    step_x, step_y = 448 / n_columns, min(22.0, (BOARD - 44) / longest)
    for column in range(n_columns):
        _draw_column(picture, view, column, 16 + step_x * (column + 0.5), min(step_x - 4, 34.0), step_y)
    _draw_players(picture, view, BOARD + 14)
    _draw_throw(picture, view, BOARD + 66)
    return picture


def _draw_column(picture: Picture, view: Record, column: int, x: float, width: float, step: float) -> None:
    """Spaces from the bottom up; the number of the column stands below."""
    length = int(length_of(view, column))
    bottom = BOARD - 14
    for space in range(1, length + 1):
        y = bottom - step * space
        body = (
            f'<rect x="{x - width / 2:g}" y="{y:g}" width="{width:g}" height="{step - 2:g}" rx="3" fill="{RAIL}" '
            f'stroke="{GOLD if space == length else RAIL}"/>'
        )
        picture.add(Shape((x - width / 2, y, width, step - 2), body))
    players = int(view.players)
    for player in range(players):
        space = int(view.marker[player, column])
        if space:
            place = x + (player - (players - 1) / 2) * min(width / players, 9)
            picture.add(emblem(MARKS[player], place, bottom - step * space + step / 2 - 1, min(step / 2.6, 7), COLOURS[player]))
    if view.runner[column]:
        y = bottom - step * int(view.runner[column]) + step / 2 - 1
        picture.add(chip(x, y, "", PAPER, radius=min(step / 2.2, 9)))
    picture.add(label(x, BOARD + 4, str(column + LOWEST_SUM), 14, "middle", bold=True))


def _draw_players(picture: Picture, view: Record, top: float) -> None:
    players = int(view.players)
    for player in range(players):
        x = 20 + 452 / players * player
        name = "you" if player == view.player else f"player {player}"
        picture.add(emblem(MARKS[player], x + 8, top + 20, 8, COLOURS[player]))
        picture.add(
            label(x + 22, top + 18, name, 14, bold=view.mover == player, colour=PAPER if view.mover == player else MUTED)
        )
        picture.add(label(x + 22, top + 34, f"{view.won[player]} of {view.columns} won", 12, colour=MUTED))


def _draw_throw(picture: Picture, view: Record, top: float) -> None:
    if view.last_throw != NO_THROW:
        faded = view.throw == NO_THROW
        for place in range(N_DICE):
            picture.add(die(20 + 50 * place, top + 6, int(DICE[view.last_throw, place]), faded=faded))
    if view.mover == OVER:
        picture.add(label(240, top + 92, "The game is over.", 18, "middle", bold=True))
        return
    if view.throw == NO_THROW:
        picture.add(
            plate(300, top + 28, "roll", SKY, 110, actions=[ROLL]), plate(412, top + 28, "stop", ORANGE, 90, actions=[STOP])
        )
        return
    actions = np.zeros(N_ACTIONS, np.int64)
    for place, action in enumerate(actions[: moves(view, actions)].tolist()):
        x, y = 84 + 156 * (place % 3), top + 84 + 46 * (place // 3)
        picture.add(plate(x, y, action_name(view, action), GOLD, 140, actions=[action]))
