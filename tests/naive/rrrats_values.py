"""Rrrats!, exactly: what one stationary strategy scores against another, and what a best reply to it scores.

Value iteration from the rule text alone. A turn begins with (own, other) points banked and an empty hand; the pile holds the
rest. Who plays is the mover or the other player, so a table of the mover's chance of winning by (own, other) is all there is
to know about a pairing whose strategies depend on nothing else; with two different strategies there are two tables, one for
each at the beginning of its own turn. The cap on throws is left out: games of 2000 throws do not happen.
"""

from __future__ import annotations

from itertools import product

import numpy as np

TOKENS, LIMIT = 31, 4
FACES = {0: 3 / 6, 1: 2 / 6, 2: 1 / 6}

# a throw as (number of ones, number of twos) and how likely it is
THROWS: dict[tuple[int, int], float] = {}
for _left, _right in product(FACES, FACES):
    _shown = ((_left, _right).count(1), (_left, _right).count(2))
    THROWS[_shown] = THROWS.get(_shown, 0.0) + FACES[_left] * FACES[_right]

TURNS = [(own, other) for own in range(TOKENS + 1) for other in range(TOKENS + 1 - own) if own + other < TOKENS]
NUMBER = {turn: number for number, turn in enumerate(TURNS)}
# where a decision is taken, or the first throw of a turn is made: (own, other, hand) with something left in the pile
PLACES = [
    (own, other, hand)
    for hand in range(LIMIT)
    for own, other in product(range(TOKENS), repeat=2)
    if own + other + hand < TOKENS
]
PLACE = {place: number for number, place in enumerate(PLACES)}
WON, LOST = len(PLACES), len(PLACES) + 1
PASSED = len(PLACES) + 2
"""Where numbers of places end, those of turns of the other player begin."""


def passed(own: int, other: int) -> int:
    """The other player's turn, seen from who passes the dice."""
    return PASSED + NUMBER[other, own]


def after(own: int, other: int, hand: int, ones: int, twos: int) -> int:
    """Where a throw leads."""
    pile = TOKENS - own - other - hand
    for _ in range(twos):
        if other:
            other -= 1
            hand += 1
        elif pile:
            pile -= 1
            hand += 1
    for _ in range(ones):
        if pile:
            pile -= 1
            hand += 1
    if pile == 0:
        return WON if own + hand > other else LOST
    if ones == twos == 0:
        return passed(own, other)
    if hand >= LIMIT:
        return passed(own + LIMIT, other)
    return PLACE[own, other, hand]


NEXT = np.array([[after(*place, *throw) for throw in THROWS] for place in PLACES])
P_THROW = np.array(list(THROWS.values()))
STOPPED = np.array([passed(own + hand, other) for own, other, hand in PLACES])
HAND = np.array([hand for _, _, hand in PLACES])
FIRST_OF_TURN = np.array([PLACE[own, other, 0] for own, other in TURNS])
Chances = tuple[float, float, float]
"""How likely a strategy rolls on with one, two, three in hand."""


def chances(parameters: list[float]) -> Chances:
    """Of `stationary(A1,A2,B1,B2,C1,C2)`."""
    one, two, three = (1 / (1 + np.exp(stop - roll)) for roll, stop in zip(parameters[::2], parameters[1::2], strict=True))
    return float(one), float(two), float(three)


def _turn(values: np.ndarray, others: np.ndarray, p_roll: np.ndarray | None) -> np.ndarray:
    """One sweep over the places of one player, given the other's chance at the beginning of a turn; None plays best."""
    everything = np.concatenate([values, [1.0, 0.0], 1.0 - others])
    rolled = everything[NEXT] @ P_THROW
    stopped = everything[STOPPED]
    if p_roll is None:
        return np.where(HAND == 0, rolled, np.maximum(rolled, stopped))
    return p_roll * rolled + (1 - p_roll) * stopped


def _everywhere(strategy: Chances | None) -> np.ndarray | None:
    return None if strategy is None else np.array([1.0, *strategy])[HAND]


def values(first: Chances | None, second: Chances | None, exact: float = 1e-10) -> tuple[float, float]:
    """How likely the first strategy wins if it moves first, and if it moves second; None is whoever plays best."""
    ours, theirs = np.full(len(PLACES), 0.5), np.full(len(PLACES), 0.5)
    p_ours, p_theirs = _everywhere(first), _everywhere(second)
    while True:
        before = ours[FIRST_OF_TURN[NUMBER[0, 0]]], theirs[FIRST_OF_TURN[NUMBER[0, 0]]]
        largest = 0.0
        for _ in range(LIMIT):  # a turn is over after so many throws, but for throws that change nothing
            new = _turn(ours, theirs[FIRST_OF_TURN], p_ours)
            largest = max(largest, float(np.abs(new - ours).max()))
            ours = new
        for _ in range(LIMIT):
            new = _turn(theirs, ours[FIRST_OF_TURN], p_theirs)
            largest = max(largest, float(np.abs(new - theirs).max()))
            theirs = new
        if largest < exact:
            return float(before[0]), float(1 - before[1])


def score(first: Chances | None, second: Chances | None) -> float:
    """How likely the first strategy wins, averaged over both seats."""
    return sum(values(first, second)) / 2


def exploitability(strategy: Chances) -> float:
    """What a best reply wins beyond one half, averaged over the seats."""
    return score(None, strategy) - 0.5
