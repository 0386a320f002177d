"""Can't Stop against one other player: from the turns that both need to the probability that the other one wins.

The probability that a player who is to move wins is a logistic function of the turns that both need, as the networks see it:

    log(p / (1 - p)) = b0 + b1 (turns of the other player) - b2 (own turns)

with three numbers that are fitted to games of the agent against itself (`learning/cant_stop_race.py`). What a turn costs is the
probability that the other player, who is to move then, wins. Who wins a column takes it away from the other player.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from facedown.agents.cant_stop.turn import place_1, place_2
from facedown.native.jit import native
from facedown.native.records import Record


@native
def p_other_wins(turn: Record, own: float, other: float) -> float:
    """The probability that the other player wins, who is to move, if they need these numbers of turns."""
    return 1.0 / (1.0 + math.exp(-(turn.odds[0] + turn.odds[1] * own - turn.odds[2] * other)))


@native
def race_row(turn: Record, first: int, k: int, setback: float, stop: Any) -> None:
    """Turn the turns of a row of places into probabilities; a place that costs nothing but this turn has won."""
    for step in range(turn.room[k]):
        own = float(stop[first + step]) - 1.0
        other = turn.other + setback + (turn.setback[turn.column[k]] if step == turn.room[k] - 1 else 0.0)
        stop[first + step] = np.float32(p_other_wins(turn, own, other) if own > 0.0 else 0.0)


@native
def loss_at(turn: Record, i: int, a: int) -> float:
    """What the other player loses if this runner stops after `a` steps."""
    return float(turn.setback[turn.column[i]]) if a == turn.room[i] else 0.0


@native
def race_one(turn: Record, k: int) -> None:
    race_row(turn, place_1(turn, k, 1), k, 0.0, turn.stop)


@native
def race_two(turn: Record, i: int, k: int) -> None:
    for a in range(1, turn.room[i] + 1):
        race_row(turn, place_2(turn, i, a, k, 1), k, loss_at(turn, i, a), turn.stop)


@native
def race_three(turn: Record, i: int, j: int, k: int) -> None:
    at = turn.three[i, j, k]
    for a in range(1, turn.room[i] + 1):
        for b in range(1, turn.room[j] + 1):
            race_row(turn, at, k, loss_at(turn, i, a) + loss_at(turn, j, b), turn.stop)
            at += turn.room[k]
