"""Answering questions by playing: candidates against each other, against a field of agents, or for the score.

| the game                      | a candidate and a rival                       | a candidate alone            |
| two and more players          | play each other (`Duel`)                      | -                            |
| ... with a field of opponents | play the field on the same deals: difference  | its score against the field  |
| one player, or cooperative    | play the same deals: difference               | its score                    |

An observation is a number in [0, 1]. Rivals and opponents are drawn for each observation; each pairing has deals of its own,
played in the order of their numbers. All draws follow from the seed and from the question's word for its luck, so that the
same question has the same answer, whatever the number of threads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from facedown.agents.contract import Agent
from facedown.arena.lineup import Lineup, lineup_from_specs
from facedown.arena.workers import Workers
from facedown.errors import UsageError
from facedown.games.contract import Game
from facedown.racing.duel import Duel
from facedown.racing.feed import feed
from facedown.racing.methods import UNDECIDED, VERDICTS
from facedown.seeds import derived_seed
from facedown.tuning.questions import Answer, Question
from facedown.tuning.space import Space, Vector

Array = np.ndarray[Any, Any]

FIRST_BATCH = 64
GROWTH = 0.06
"""A batch is this share of what has been played: more wastes games beyond the decision, less wastes time between batches."""
_MAX_BATCH = 1 << 16


@dataclass(frozen=True)
class ScoreTask:
    """Games of a team of one agent, or of a single player: all that another process needs to play them."""

    game: str
    team: tuple[str, ...]
    seed: int
    first: int
    count: int


def _run_scores(task: ScoreTask, lineup: Lineup | None = None) -> Array:
    """The scores of the games of a task."""
    lineup = lineup or lineup_from_specs(task.game, task.team, False)
    return lineup.play(task.seed, task.first, task.count).scores[:, 0]


class Referee:
    """Plays what it is asked for, from one seed."""

    def __init__(self, space: Space, game: Game, field: Sequence[str | Agent], seed: int, workers: Workers):
        self.space, self.game, self._seed = space, game, seed
        self._workers = workers
        if game.team and field:
            raise UsageError(f"nobody plays against anybody in {game.name}, so there are no opponents to name; leave them out")
        self._duels = [Duel(game, space.agent, other) for other in field or [space.agent]]
        self.field = tuple(duel.agents[1] for duel in self._duels) if field else ()
        self._alone = Lineup(game, [space.agent] * game.n_players, swap=False) if game.team else None
        self._seated: Vector | None = None

    def games_of(self, question: Question) -> int:
        """Games of one observation."""
        if not question.rivals:
            return 1 if self._alone else self._duels[0].games_per_deal
        return self._duels[0].games_per_deal * (2 if self.field else 1)

    def answer(self, question: Question, max_games: int | None = None, whole: bool = False) -> Answer:
        """Play until the race is decided, or all deals are played; `whole` plays all of them after the verdict too."""
        a_deal = self.games_of(question)
        limit = question.n_deals if question.n_deals else 2**62
        if max_games is not None:
            limit = min(limit, max_games // a_deal)
        races = question.race.start() if question.race else None
        pairings = _Pairings(self, question)
        n = n_played = 0
        total = squares = 0.0
        while n_played < limit:
            count = min(max(FIRST_BATCH, int(GROWTH * n_played)), _MAX_BATCH, limit - n_played)
            scores = pairings.play(count)
            n_played += count
            n_taken = count
            if races is not None and races[0].verdict == UNDECIDED:
                n_taken = int(feed(races[0], scores))
            n_counted = count if whole else n_taken
            n += n_counted
            total += float(scores[:n_counted].sum())
            squares += float((scores[:n_counted] ** 2).sum())
            if races is not None and races[0].verdict != UNDECIDED and not whole:
                break
        verdict = VERDICTS[int(races[0].verdict)] if races is not None else ""
        return Answer(n, total, squares, n_played * a_deal, verdict)

    def observe(self, opponent: int, x: Vector, rival: Vector | None, seed: int, first: int, count: int) -> Array:
        """Observations of one pairing."""
        params, other = self.space.params(x), None if rival is None else self.space.params(rival)
        if other is None and self._alone is not None:
            return self._rate(self._alone, params, seed, first, count)
        duel = self._duels[opponent]
        if not self.field:
            # the candidate stays where it is while its rivals change
            new = self._seated is not x
            self._seated = x
            duel.set_params(params if new else None, other)
            return duel.play_parts(self._workers, seed, first, count)
        duel.set_params(params)
        found = duel.play_parts(self._workers, seed, first, count)
        if other is None:
            return found
        duel.set_params(other)
        others = duel.play_parts(self._workers, seed, first, count)
        return np.asarray(0.5 + (found - others) / 2)

    def _rate(self, lineup: Lineup, params: list[float], seed: int, first: int, count: int) -> Array:
        """Scores from 0 to 1 of a candidate that plays alone, or with itself."""
        for seat in range(self.game.n_players):
            lineup.set_params(seat, params)
        lineup.prepare()
        n_parts = self._workers.n_workers if count >= FIRST_BATCH * self._workers.n_workers else 1
        cuts = [first + count * part // n_parts for part in range(n_parts + 1)]
        team = tuple(agent.spec for agent in lineup.agents)
        tasks = [ScoreTask(self.game.spec, team, seed, begin, end - begin) for begin, end in pairwise(cuts)]
        found = self._workers.map(_run_scores, tasks, here=lambda task: _run_scores(task, lineup))
        low, high = self.game.score_range
        return np.asarray((np.concatenate(found) - low) / (high - low))

    def seed_of(self, question: Question, pairing: int) -> int:
        """The seed of the deals of a pairing."""
        return derived_seed(self._seed, "deals", question.luck, pairing)

    def drawing(self, question: Question) -> np.random.Generator:
        """Who draws the pairings of a question."""
        return np.random.default_rng(derived_seed(self._seed, "pairings", question.luck))


class _Pairings:
    """The pairings of a question, and how many deals each has had."""

    def __init__(self, referee: Referee, question: Question):
        self._referee, self._question = referee, question
        rivals: Sequence[Vector | None] = question.rivals or (None,)
        self._pairs = [(opponent, rival) for rival in rivals for opponent in range(max(len(referee.field), 1))]
        self._seeds: dict[int, int] = {}
        self._n_played = [0] * len(self._pairs)
        self._rng = referee.drawing(question) if len(self._pairs) > 1 else None

    def play(self, count: int) -> Array:
        """The next observations."""
        if self._rng is None:
            return self._play(0, count)
        drawn = self._rng.integers(len(self._pairs), size=count)
        scores = np.empty(count)
        for pairing in np.unique(drawn).tolist():
            places = np.flatnonzero(drawn == pairing)
            scores[places] = self._play(pairing, len(places))
        return scores

    def _play(self, pairing: int, count: int) -> Array:
        opponent, rival = self._pairs[pairing]
        first = self._n_played[pairing]
        self._n_played[pairing] += count
        if pairing not in self._seeds:
            self._seeds[pairing] = self._referee.seed_of(self._question, pairing)
        return self._referee.observe(opponent, self._question.x, rival, self._seeds[pairing], first, count)
