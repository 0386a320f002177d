"""Games in which nothing is hidden, solved slowly: positions as tuples in a dictionary, and value iteration in plain Python.

It knows nothing of states, tables or components. A game is three functions over tuples:

    mover(position)             0, 1, or None at an end
    moves(position)             for each action a list of (probability, position, what player 0 gains)
    score(position)             what player 0 scores at an end
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Sequence
from itertools import product

Position = tuple[Hashable, ...]
Moves = Sequence[Sequence[tuple[float, Position, float]]]


class SlowGame:
    def __init__(
        self,
        start: Position,
        mover: Callable[[Position], int | None],
        moves: Callable[[Position], Moves],
        score: Callable[[Position], float],
    ):
        self.start, self.mover, self.score = start, mover, score
        self.graph: dict[Position, Moves] = {}
        waiting = deque([start])
        while waiting:
            position = waiting.popleft()
            if position in self.graph:
                continue
            self.graph[position] = [] if mover(position) is None else moves(position)
            waiting += [after for action in self.graph[position] for _, after, _ in action]

    @property
    def n_positions(self) -> int:
        """Those in which somebody is to move."""
        return sum(self.mover(position) is not None for position in self.graph)

    def values(self, tolerance: float = 1e-14, most: int = 1_000_000) -> dict[Position, float]:
        """What player 0 still scores on average, everywhere: until no value changes by more than the tolerance."""
        found = {position: self.score(position) if self.mover(position) is None else 0.0 for position in self.graph}
        order = list(reversed(self.graph))
        for _ in range(most):
            change = 0.0
            for position in order:
                actions = self.graph[position]
                if not actions:
                    continue
                worth = [sum(p * (gain + found[after]) for p, after, gain in action) for action in actions]
                value = max(worth) if self.mover(position) == 0 else min(worth)
                change = max(change, abs(value - found[position]))
                found[position] = value
            if change <= tolerance:
                return found
        raise AssertionError("value iteration did not come to an end")


def slow_rrrats(tokens: int) -> SlowGame:
    """Rrrats! from its rules: (player, pile, points of player 0, points of player 1, hand)."""

    def end_turn(player: int, pile: int, points: list[int], hand: int) -> Position:
        points = list(points)
        points[player] += hand
        return (1 - player, pile, *points, 0)

    def throw(position: Position, dice: tuple[int, int]) -> Position:
        player, pile, first, second, hand = position
        points = [first, second]
        for _ in range(dice.count(2)):
            if points[1 - player]:
                points[1 - player] -= 1
                hand += 1
            elif pile:
                pile -= 1
                hand += 1
        for _ in range(dice.count(1)):
            if pile:
                pile -= 1
                hand += 1
        if pile == 0:
            return end_turn(player, 0, points, hand)
        if dice == (0, 0):
            return end_turn(player, pile + hand, points, 0)
        if hand >= 4:
            return end_turn(player, pile + hand - 4, points, 4)
        return (player, pile, *points, hand)

    def moves(position: Position) -> Moves:
        player, pile, first, second, hand = position
        faces = {0: 3 / 6, 1: 2 / 6, 2: 1 / 6}
        roll = [(faces[one] * faces[other], throw(position, (one, other)), 0.0) for one, other in product(faces, faces)]
        stop = [(1.0, end_turn(player, pile, [first, second], hand), 0.0)]
        return [stop, roll] if hand else [roll]

    def score(position: Position) -> float:
        _, _, first, second, _ = position
        return 1.0 if first > second else 0.5 if first == second else 0.0

    return SlowGame((0, tokens, 0, 0, 0), lambda position: None if position[1] == 0 else position[0], moves, score)


def least_turns(goal: int, p: float, tolerance: float = 1e-15) -> list[float]:
    """Can't Stop with one column, question 2: V(G) = min over k of 1 + p^k V(G + k) + (1 - p^k) V(G), from the goal backwards.

    Solved for V(G) it is min over k of p^-k + V(G + k): a turn with k throws succeeds after p^-k turns on average.
    """
    values = [0.0] * (goal + 1)
    for have in range(goal - 1, -1, -1):
        values[have] = min(p**-k + values[have + k] for k in range(1, goal - have + 1))
    return values
