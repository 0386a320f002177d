"""Two agents compared on the same deals: what one observation of a race, or of a pairing in a league, is.

Two players: a deal is played twice, with seats exchanged. More players: the first agent plays a deal once from every
seat, with the second agent in all others; in a league also the second among copies of the first, and all mixtures in
between, so that it does not matter who was named first. One player, or players who score together: both agents play the
deal, each on its own. In each case

    x = 1/2 + (mean score of the first - mean score of the second) / (2 * range of scores)

averaged over the games of the deal: a number in [0, 1] whose mean is 1/2 for equal agents, and the plain score where a
game is won or lost. In cross-play two agents form a team, in all mixtures, and x is what they score together:

    x = (score of the team - least score) / range of scores

Beside partners, in games of players who score together: each agent sits down once in every seat, with copies of a partner
in all others, and does so with each partner. Both agents play the same deals with the same partners, and

    x = 1/2 + (mean score with the first - mean score with the second) / (2 * range of scores)

where the means are over all partners and seats.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from facedown.agents.contract import Agent
from facedown.agents.registry import agent as find_agent
from facedown.arena.lineup import Lineup
from facedown.arena.portable import Source, check_portable
from facedown.arena.workers import Workers
from facedown.errors import UsageError
from facedown.games.contract import Game
from facedown.games.registry import game as find_game
from facedown.native import native

Array = np.ndarray[Any, Any]

RACE, LEAGUE, TOGETHER, BESIDE = "race", "league", "together", "beside"
"""How two agents are compared: the first among copies of the second, in all mixtures, as a team, or beside partners."""

MIN_DEALS = 64
"""For a thread of its own."""
MAX_DEALS = 4096
"""In one task of a league: so that results come back now and then. A power of 2 times the least."""


@dataclass(frozen=True)
class DuelTask:
    """A range of deals of two agents: all that another process or machine needs to play it."""

    game: str
    agents: tuple[str, str]
    how: str
    seed: int
    first: int
    count: int
    partners: tuple[str, ...] = ()


def run_duel(task: DuelTask) -> Array:
    """The observations of a task, wherever this is."""
    return _duel_from_specs(task.game, task.agents, task.how, task.partners).play(task.seed, task.first, task.count)


@native
def _compare_in_game(scores: Any, n_first: int, n_orders: int, width: float, compared: Any) -> None:
    """One observation for each deal of a batch in which copies of the first agent sat down with copies of the second."""
    n_players = scores.shape[1]
    for deal in range(len(compared)):
        difference = 0.0
        for order in range(n_orders):
            row = deal * n_orders + order
            own, others = 0.0, 0.0
            for agent in range(n_first):
                own += scores[row, agent]
            for agent in range(n_first, n_players):
                others += scores[row, agent]
            difference += own / n_first - others / (n_players - n_first)
        compared[deal] = 0.5 + difference / (2.0 * width * n_orders)


@native
def _compare_apart(first: Any, second: Any, width: float, compared: Any) -> None:
    """One observation for each deal that both played on their own; all players of a game score alike."""
    for deal in range(len(compared)):
        compared[deal] = 0.5 + (first[deal, 0] - second[deal, 0]) / (2.0 * width)


@native
def _score_together(scores: Any, n_orders: int, lowest: float, width: float, compared: Any) -> None:
    """One observation for each deal of a batch in which two agents were a team; all players of a game score alike."""
    for deal in range(len(compared)):
        total = 0.0
        for order in range(n_orders):
            total += (scores[deal * n_orders + order, 0] - lowest) / width
        compared[deal] = total / n_orders


class Duel:
    """Two agents of a game, ready to be compared on any range of deals, in one of the ways above."""

    def __init__(
        self,
        game: str | Game,
        first: str | Agent,
        second: str | Agent,
        how: str = RACE,
        partners: Sequence[str | Agent] = (),
    ):
        self.game = find_game(game)
        n_players = self.game.n_players
        low, high = self.game.score_range
        self._lowest, self._width = low, high - low
        self._how = how
        self.apart = how != TOGETHER and self.game.team
        self._n_first = range(1, n_players if how != RACE and not self.apart else 2)
        self.partners = _check_partners(self.game, partners) if how == BESIDE else ()
        if how == BESIDE:
            # a team of one kind plays a deal once: in every other order of the seats it would play the same game
            teams = [[agent, *[partner] * (n_players - 1)] for agent in (first, second) for partner in self.partners]
            self._lineups = [Lineup(self.game, team, swap=True) for team in teams]
        elif self.apart:
            self._lineups = [Lineup(self.game, [agent] * n_players, swap=False) for agent in (first, second)]
        elif str(first) == str(second) and how == TOGETHER:  # a team of one agent: seats make no difference
            self._lineups = [Lineup(self.game, [first] * n_players, swap=False)]
        else:
            teams = [[first] * n_first + [second] * (n_players - n_first) for n_first in self._n_first]
            self._lineups = [Lineup(self.game, team, swap=True) for team in teams]
        for lineup in self._lineups:
            lineup.prepare()
        self.agents = (self._lineups[0].agents[0], self._lineups[-1].agents[0 if how == BESIDE else -1])
        self.games_per_deal = sum(lineup.n_orders for lineup in self._lineups)

    def points(self, share: float) -> float:
        """A difference of mean observations, in points of a game."""
        return 2 * self._width * share

    @property
    def compiled(self) -> bool:
        """Whether threads are of any use."""
        return all(lineup.compiled for lineup in self._lineups)

    def set_params(self, first: Sequence[float] | None = None, second: Sequence[float] | None = None) -> None:
        """Give one of the agents, or both, other parameters; nothing is compiled again."""
        if self.apart:
            seats = [[(lineup, seat) for seat in range(len(lineup.agents))] for lineup in self._lineups]
        else:
            (lineup,) = self._lineups
            seats = [[(lineup, 0)], [(lineup, seat) for seat in range(1, len(lineup.agents))]]
        for params, places in zip((first, second), seats, strict=True):
            if params is not None:
                for lineup, seat in places:
                    lineup.set_params(seat, params)
        self.agents = (self._lineups[0].agents[0], self._lineups[-1].agents[-1])

    def play(self, seed: int, first: int, count: int) -> Array:
        """The observations of deals `first` to `first + count - 1`."""
        if self._how == BESIDE:
            return self._play_beside(seed, first, count)
        n_orders = self._lineups[0].n_orders
        batches = [lineup.play(seed, first * n_orders, count * n_orders) for lineup in self._lineups]
        if self.apart:
            compared = np.zeros(count)
            _compare_apart(batches[0].scores, batches[1].scores, self._width, compared)
            return compared
        parts = [np.zeros(count) for _ in batches]
        for n_first, batch, part in zip(self._n_first, batches, parts, strict=False):
            if self._how == TOGETHER:
                _score_together(batch.scores, n_orders, self._lowest, self._width, part)
            else:
                _compare_in_game(batch.scores, n_first, n_orders, self._width, part)
        return np.asarray(sum(parts[1:], parts[0]) / len(parts))

    def _play_beside(self, seed: int, first: int, count: int) -> Array:
        """The same beside partners: what the teams of the first agent score, less what those of the second do."""
        difference, team = np.zeros(count), np.zeros(count)
        for number, lineup in enumerate(self._lineups):
            batch = lineup.play(seed, first * lineup.n_orders, count * lineup.n_orders)
            _score_together(batch.scores, lineup.n_orders, self._lowest, self._width, team)
            difference += team if number < len(self.partners) else -team
        return np.asarray(0.5 + difference / (2 * len(self.partners)))

    @property
    def everybody(self) -> tuple[Agent, ...]:
        """Both agents, and the partners."""
        return (*self.agents, *self.partners)

    def sources(self) -> tuple[Source, ...]:
        """What workers elsewhere must have; a sentence if they could not play this."""
        return check_portable(self.game, self.everybody)

    def tasks(self, seed: int, first: int, count: int, n_parts: int) -> list[DuelTask]:
        """A range of deals, cut into parts."""
        cuts = [first + count * part // n_parts for part in range(n_parts + 1)]
        specs, partners = (self.agents[0].spec, self.agents[1].spec), tuple(partner.spec for partner in self.partners)
        return [DuelTask(self.game.spec, specs, self._how, seed, start, end - start, partners) for start, end in pairwise(cuts)]

    def play_parts(self, workers: Workers, seed: int, first: int, count: int) -> Array:
        """The same as `play`, shared out; the order is that of the deals."""
        n_parts = workers.n_workers
        if workers.elsewhere:
            n_parts = max(min(n_parts, count // 8), 1)
        elif n_parts == 1 or count < MIN_DEALS * n_parts:
            return self.play(seed, first, count)
        tasks = self.tasks(seed, first, count, n_parts)
        return np.concatenate(workers.map(run_duel, tasks, here=lambda task: self.play(seed, task.first, task.count)))


@lru_cache(maxsize=64)
def _duel_from_specs(game: str, agents: tuple[str, str], how: str, partners: tuple[str, ...]) -> Duel:
    """Kept, since a worker is asked for the same one again and again."""
    return Duel(game, *agents, how, partners)


def _check_partners(game: Game, partners: Sequence[str | Agent]) -> tuple[Agent, ...]:
    """The agents that both agents of a race play beside, or a sentence that says what is wrong."""
    if isinstance(partners, str | Agent):
        raise UsageError(f"partners={partners}: give a list of agents, each of which is played with")
    if game.kind != "cooperative" or game.n_players < 2:
        why = "one plays alone" if game.n_players < 2 else "everybody plays for themselves"
        raise UsageError(f"partners are for games whose players score together, and in {game} {why}; leave them out")
    found = tuple(find_agent(partner, game) for partner in partners)
    names = [str(partner) for partner in found]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"the partner {name} is named twice; each counts once")
    return found
