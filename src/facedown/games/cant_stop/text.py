"""Words for Can't Stop: the board as text, throws, moves and what came of them."""

from __future__ import annotations

import re

from facedown.games.cant_stop.board import DICE, N_SPLITS, SPLITS, column_name, columns_in, length_of, n_columns_of
from facedown.games.cant_stop.rules import FIRST_MOVE, HIGHER, LOWER, NO_THROW, ROLL, STOP
from facedown.games.contract import OVER
from facedown.native.records import Record

RULES = """\
Close three columns before anybody else does. There are eleven columns, one for each sum of two dice, 2 to 12; the middle
ones are the longest.

In your turn you throw four dice and split them into two pairs. Each sum moves your runner in its column up by one, or puts
one of your three runners a step above your own marker there. Both sums of the split are played if possible, else the one
that is; if one runner is left for two sums, you choose. If no sum of any split can be played, all that your runners gained
in this turn is lost, and the turn is over. Otherwise throw again, or stop: then your markers go where your runners are.

A column is won by stopping on its top, and is closed to everybody from then on. Who has three columns after stopping wins.
Alone you count turns: the fewer, the better."""

RUNNER, EMPTY = "*", "."


def throw_text(number: int) -> str:
    """What the dice show."""
    return "-".join(map(str, DICE[number].tolist()))


def who(view: Record, player: int) -> str:
    return "You" if player == view.player else f"Player {player}"


def board_rows(view: Record) -> list[str]:
    """A row for each column: its sum, then its spaces from the bottom: a runner *, a player's number, or a dot."""
    return [f"{column_name(column):>2}  {_row(view, column)}" for column in range(n_columns_of(int(view.sides)))]


def _row(view: Record, column: int) -> str:
    length, players = length_of(view, column), range(int(view.players))
    winners = [str(player) for player in players if view.marker[player, column] == length]
    if winners and not view.extended:
        return f"won by player {winners[0]}" if view.players > 1 else "won"
    spaces = []
    for space in range(1, length + 1):
        there = [str(player) for player in players if view.marker[player, column] == space]
        here = "".join(there if view.players > 1 else ["o"] * len(there))
        spaces.append(here + (RUNNER if view.runner[column] == space else "") or EMPTY)
    return " ".join(spaces)


def describe(view: Record) -> str:
    lines = ["", *board_rows(view)]
    if view.players > 1:
        won = ", ".join(f"player {player}: {view.won[player]}" for player in range(int(view.players)))
        lines.append(f"You are player {view.player}. Columns won: {won}; {view.columns} needed.")
    else:
        lines.append(f"Turns so far: {view.n_turns}. Columns won: {view.won[0]} of {view.columns}.")
    return "\n".join([*lines, _now(view)])


def _now(view: Record) -> str:
    """What is going on."""
    if view.mover == OVER:
        return "The game is over."
    mine = view.mover == view.player
    whose = "your" if mine else f"player {view.mover}'s"
    if view.throw != NO_THROW:
        return f"The dice show {throw_text(view.throw)}, to be split by {'you' if mine else f'player {view.mover}'}."
    if not view.n_runners:
        return f"It is {whose} turn."
    runners = ", ".join(map(column_name, columns_in(view.runners)))
    return f"It is {whose} turn, throw {view.n_throws}; runners in {runners}."


def narrate(before: Record, after: Record) -> str:
    """The throw, the split, or what was banked."""
    mover = int(before.mover)
    name, own = who(after, mover), mover == after.player
    if before.throw != NO_THROW:
        changed = [column for column in range(len(after.runner)) if after.runner[column] != before.runner[column]]
        spaces = [f"{column_name(column)} to space {after.runner[column]}" for column in changed]
        return f"{name} move{'' if own else 's'} {' and '.join(spaces)}."
    over = " The game is over." if after.mover == OVER else ""
    if after.n_failed > before.n_failed:
        return f"{name} threw {throw_text(after.last_throw)}: it cannot be played, and the turn is lost.{over}"
    if after.throw != NO_THROW:
        return f"{name} threw {throw_text(after.last_throw)}."
    won = columns_in(int(before.tops))
    closed = f", winning {' and '.join(map(column_name, won))}" if won else ""
    return f"{name} stop{'' if own else 's'}{closed}.{over}"


def action_name(view: Record, action: int) -> str:
    if action < FIRST_MOVE:
        return {STOP: "stop", ROLL: "roll"}[action]
    split, part = divmod(action - FIRST_MOVE, 3)
    if view.throw == NO_THROW:
        return f"split {split + 1}, {('both sums', 'lower sum', 'higher sum')[part]}"
    low, high = (column_name(column) for column in SPLITS[view.throw, split])
    return {LOWER: f"only {low}", HIGHER: f"only {high}"}.get(part, f"{low} and {high}")


def parse_action(view: Record, text: str) -> int | None:
    """Two sums as players write them: 6 8, 8,6, 6+8, 7 7."""
    sums = sorted(map(int, re.findall(r"\d+", text)))
    if view.throw == NO_THROW or len(sums) != 2:
        return None
    for split in range(N_SPLITS[view.throw]):
        if [int(column_name(column)) for column in SPLITS[view.throw, split]] == sums:
            return FIRST_MOVE + 3 * split
    return None
