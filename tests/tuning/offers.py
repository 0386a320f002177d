"""A game for one player, or for two who score together: numbers from 0 to 9 are offered, one of them is taken.

Taking every number that is at least a threshold gives a score that can be worked out on paper: see `expected`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown import OVER, Agent, Game, Option, Parameter
from facedown.native import draw, field, native, record
from facedown.native.records import Record

N_NUMBERS, N_OFFERS = 10, 4
WAIT, TAKE = 0, 1

_FIELDS = (
    field("players", np.int8, 1, 2, "how many play"),
    field("offer", np.int8, 0, N_NUMBERS - 1, "the number on offer"),
    field("n_offers", np.int8, 1, N_OFFERS, "offers so far"),
    field("over", np.int8, 0, 1, "whether one was taken"),
)
STATE = record(*_FIELDS)
VIEW = record(*_FIELDS)


@native
def start(state: Record, chance: Record) -> None:
    state.offer = draw(chance, N_NUMBERS)
    state.n_offers = 1


@native
def turn(state: Record) -> int:
    return OVER if state.over else (int(state.n_offers) - 1) % int(state.players)


@native
def legal(state: Record, actions: Any) -> int:
    actions[0], actions[1] = WAIT, TAKE
    return 2


@native
def step(state: Record, action: int, chance: Record) -> None:
    if action == TAKE or state.n_offers == N_OFFERS:
        state.over = 1
        return
    state.offer = draw(chance, N_NUMBERS)
    state.n_offers += 1


@native
def score(state: Record, scores: Any) -> None:
    for player in range(int(state.players)):
        scores[player] = float(state.offer)


@native
def observe(state: Record, player: int, view: Record) -> None:
    view.players, view.offer, view.n_offers, view.over = state.players, state.offer, state.n_offers, state.over


@native
def imagine(view: Record, player: int, chance: Record, state: Record) -> None:
    state.players, state.offer, state.n_offers, state.over = view.players, view.offer, view.n_offers, view.over


GAME = Game(
    name="offers",
    title="Offers",
    source="made for tests",
    state=STATE,
    view=VIEW,
    start=start,
    turn=turn,
    legal=legal,
    step=step,
    score=score,
    observe=observe,
    imagine=imagine,
    describe=lambda view: f"{view.offer} is offered.",
    action_name=lambda view, action: ("wait", "take")[action],
    options=(Option("players", 1, "how many play", 1, 2),),
    players=lambda options: options["players"],
    actions=2,
    longest=N_OFFERS,
    kind="cooperative",
    scores=(0.0, 9.0),
)


@native
def threshold(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    return TAKE if view.offer >= params[0] else WAIT


AGENTS = (
    Agent(
        name="threshold",
        game="offers",
        meaning="takes what is at least `at`",
        act=threshold,
        parameters=(Parameter("at", 0.0, 0.0, 9.0, "the least number that it takes", whole=True),),
        deterministic=True,
    ),
)


def expected(at: int) -> float:
    """The mean score of a threshold; 6 is the best, with 6.984."""
    taken = list(range(at, N_NUMBERS))
    p_wait = 1 - len(taken) / N_NUMBERS
    value = sum(range(N_NUMBERS)) / N_NUMBERS  # the last offer stands
    for _ in range(N_OFFERS - 1):
        value = sum(taken) / N_NUMBERS + p_wait * value
    return value
