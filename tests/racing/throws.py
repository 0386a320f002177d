"""A game for races of many: both throw a sign, not seeing the other's, and chance says who wins, by odds of an option.

The draw counts for the pair of signs, not for the seats: with seats exchanged on the same deal, the same sign wins. So what a
race observes is a coin, the hardest that there is.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown import OVER, Agent, Game, Option
from facedown.native import draw, field, native, record
from facedown.native.records import Record

SIGNS = ("rock", "scissors", "paper", "well")
N_SIGNS = len(SIGNS)
NOT_YET, DRAWN = -1, -1
PLANS = ("circle", "ladder", "crowned", "shared")

# how often the first sign beats the second, in percent, for the pairs 01 02 03 12 13 23
ODDS = np.array(
    [
        [60, 40, 60, 60, 60, 60],  # circle: rock, scissors and paper beat each other in a circle, and the well
        [60, 60, 60, 60, 60, 60],  # ladder: each beats all that come after it
        [60, 40, 40, 60, 40, 40],  # crowned: the same circle, and the well beats all of it
        [60, 60, DRAWN, 60, 40, 40],  # shared: rock and well always draw, and beat the others
    ]
)

STATE = record(
    field("plan", np.int8, 0, len(PLANS) - 1, "which odds"),
    field("signs", np.int8, NOT_YET, N_SIGNS - 1, "what each player threw; -1 not yet", 2),
    field("n_thrown", np.int8, 0, 2, "how many have thrown"),
    field("winner", np.int8, -1, 1, "who won; -1 nobody"),
)
VIEW = record(
    field("own", np.int8, NOT_YET, N_SIGNS - 1, "the own sign; -1 not yet"),
    field("n_thrown", np.int8, 0, 2, "how many have thrown"),
)


@native
def start(state: Record, chance: Record) -> None:
    state.signs[0], state.signs[1] = NOT_YET, NOT_YET
    state.winner = -1


@native
def turn(state: Record) -> int:
    return OVER if state.n_thrown == 2 else int(state.n_thrown)


@native
def legal(state: Record, actions: Any) -> int:
    for sign in range(N_SIGNS):
        actions[sign] = sign
    return N_SIGNS


@native
def step(state: Record, action: int, chance: Record) -> None:
    state.signs[int(state.n_thrown)] = action
    state.n_thrown += 1
    if state.n_thrown == 2:
        decide(state, chance)


@native
def decide(state: Record, chance: Record) -> None:
    drawn = draw(chance, 100)
    less, more = min(int(state.signs[0]), int(state.signs[1])), max(int(state.signs[0]), int(state.signs[1]))
    if less == more:
        return
    odds = ODDS[int(state.plan), less * (2 * N_SIGNS - less - 1) // 2 + more - less - 1]
    if odds != DRAWN:
        winning = less if drawn < odds else more
        state.winner = 0 if int(state.signs[0]) == winning else 1


@native
def score(state: Record, scores: Any) -> None:
    for player in range(2):
        scores[player] = 0.5 if state.winner < 0 else 1.0 if state.winner == player else 0.0


@native
def observe(state: Record, player: int, view: Record) -> None:
    view.own = state.signs[player]
    view.n_thrown = state.n_thrown


@native
def imagine(view: Record, player: int, chance: Record, state: Record) -> None:
    state.n_thrown, state.winner = view.n_thrown, -1
    state.signs[player] = view.own
    hidden = 1 - player
    state.signs[hidden] = draw(chance, N_SIGNS) if view.n_thrown > hidden else NOT_YET


GAME = Game(
    name="throws",
    title="Throws",
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
    describe=lambda view: "Throw.",
    action_name=lambda view, action: SIGNS[action],
    options=(Option("plan", 0, "which odds", choices=PLANS),),
    players=2,
    actions=N_SIGNS,
    longest=2,
    kind="constant sum",
    total=1.0,
    scores=(0.0, 1.0),
)


def rock(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    return 0


def scissors(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    return 1


def paper(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    return 2


def well(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    return 3


AGENTS = tuple(
    Agent(name=throw.__name__, game="throws", meaning=f"throws {throw.__name__}", act=throw, deterministic=True)
    for throw in (rock, scissors, paper, well)
)
