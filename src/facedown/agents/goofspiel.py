"""Agents for Goofspiel that bid by the prize alone.

Against a bidder whose cards are in random order it is best to bid exactly the prize (S. M. Ross, Goofspiel: the game of
pure strategy, 1971); and who does so loses to anybody who knows it.
"""

from __future__ import annotations

from typing import Any

from facedown.agents.contract import Agent, Parameter
from facedown.games.goofspiel.cards import MAX_CARDS
from facedown.native import draw, native
from facedown.native.records import Record


@native
def nearest(actions: Any, n: int, card: int) -> int:
    """The legal card that is nearest to a card; of two, the higher."""
    best = int(actions[0])
    for index in range(1, n):
        if abs(int(actions[index]) - card) <= abs(best - card):
            best = int(actions[index])
    return best


@native
def prize_of(view: Record) -> int:
    """The prize that lies open."""
    return int(view.prizes[int(view.n_rounds)])


@native
def match_prize(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    return nearest(actions, n, prize_of(view))


@native
def one_up(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    return nearest(actions, n, (prize_of(view) + int(params[0]) - 1) % int(view.cards) + 1)


@native
def near_prize(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    first, n_near = 0, 0
    for index in range(n):
        is_near = abs(int(actions[index]) - prize_of(view)) <= params[0]
        first = index if is_near and n_near == 0 else first
        n_near += int(is_near)
    return int(actions[first + draw(chance, n_near)]) if n_near > 0 else nearest(actions, n, prize_of(view))


AGENTS = (
    Agent(
        name="match_prize",
        game="goofspiel",
        meaning="bids the card that is worth as much as the prize, or the nearest one",
        act=match_prize,
        deterministic=True,
    ),
    Agent(
        name="one_up",
        game="goofspiel",
        meaning="bids a little more than the prize, and the lowest cards for the highest prizes",
        act=one_up,
        parameters=(
            Parameter(
                "by", 1.0, 0.0, MAX_CARDS - 1.0, "how much more; beyond the highest card it begins with the 1", whole=True
            ),
        ),
        deterministic=True,
    ),
    Agent(
        name="near_prize",
        game="goofspiel",
        meaning="bids one of the cards that are not far from the prize, all equally likely",
        act=near_prize,
        parameters=(Parameter("spread", 2.0, 0.0, MAX_CARDS - 1.0, "how far from the prize a card may be", whole=True),),
    ),
)
