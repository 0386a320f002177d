"""Two agents compared on the same deals: what one observation of a race is.

Two players: a deal is played twice, with seats exchanged. More players: the first agent plays a deal once from every
seat, with the second agent in all others. One player, or players who score together: both agents play the deal, each on
its own. In each case

    x = 1/2 + (score of the first - score of the second) / (2 * range of scores)

averaged over the games of the deal: a number in [0, 1] whose mean is 1/2 for equal agents, and the plain score where a
game is won or lost.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any

import numpy as np

from facedown.agents.contract import Agent
from facedown.arena.lineup import Lineup
from facedown.games.contract import Game
from facedown.games.registry import game as find_game
from facedown.native import native


@native
def compare_in_game(scores: Any, n_orders: int, width: float, compared: Any) -> None:
    """One observation for each deal of a batch in which the first agent sat down with copies of the second."""
    n_others = scores.shape[1] - 1
    for deal in range(len(compared)):
        difference = 0.0
        for order in range(n_orders):
            row = deal * n_orders + order
            others = 0.0
            for agent in range(1, n_others + 1):
                others += scores[row, agent]
            difference += scores[row, 0] - others / n_others
        compared[deal] = 0.5 + difference / (2.0 * width * n_orders)


@native
def compare_apart(first: Any, second: Any, width: float, compared: Any) -> None:
    """One observation for each deal that both played on their own; all players of a game score alike."""
    for deal in range(len(compared)):
        compared[deal] = 0.5 + (first[deal, 0] - second[deal, 0]) / (2.0 * width)


class Duel:
    """Two agents of a game, ready to be compared on any range of deals."""

    def __init__(self, game: str | Game, first: str | Agent, second: str | Agent):
        self.game = find_game(game)
        n_players = self.game.n_players
        low, high = self.game.score_range
        self._width = high - low
        self.apart = n_players == 1 or self.game.kind == "cooperative"
        if self.apart:
            self._lineups = [Lineup(self.game, [agent] * n_players, swap=False) for agent in (first, second)]
        else:
            self._lineups = [Lineup(self.game, [first, *[second] * (n_players - 1)], swap=True)]
        for lineup in self._lineups:
            lineup.prepare()
        self.agents = (self._lineups[0].agents[0], self._lineups[-1].agents[-1])
        self.games_per_deal = 2 if self.apart else n_players

    def play(self, seed: int, first: int, count: int) -> np.ndarray[Any, Any]:
        """The observations of deals `first` to `first + count - 1`."""
        compared = np.zeros(count)
        n_orders = self._lineups[0].n_orders
        batches = [lineup.play(seed, first * n_orders, count * n_orders) for lineup in self._lineups]
        if self.apart:
            compare_apart(batches[0].scores, batches[1].scores, self._width, compared)
        else:
            compare_in_game(batches[0].scores, n_orders, self._width, compared)
        return compared

    def play_parts(self, pool: Executor, n_parts: int, seed: int, first: int, count: int) -> np.ndarray[Any, Any]:
        """The same, shared out to the threads of a pool; the order is that of the deals."""
        if n_parts == 1 or count < 64 * n_parts:
            return self.play(seed, first, count)
        cuts = [first + count * part // n_parts for part in range(n_parts + 1)]
        play: Callable[[int, int], Any] = lambda start, end: self.play(seed, start, end - start)  # noqa: E731
        parts = list(pool.map(play, cuts[:-1], cuts[1:]))
        return np.concatenate(parts)
