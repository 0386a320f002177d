"""The best of many agents: races between pairs, until somebody has met everybody and lost to nobody.

1. All pairs of agents that nobody has beaten race at once, in step, and an agent is out as soon as it has lost.
2. Those that are left, one or some that are practically equal, then meet everybody whom they have not met yet. Agents that
   beat each other in a circle are found here: whoever is left last loses to somebody who is out.
3. Whoever has then lost to nobody is the best, shown directly against each other agent. If there is no such agent, each has
   lost to somebody, and going from each to one that beat it must come round: there is a cycle, and a shortest one is told.

Each of the k (k-1) / 2 pairs gets an equal share of delta, so that with probability 1 - delta no verdict at all is wrong.
Races between two agents that are out are not needed for any of this, and are left as they are.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import Any

from facedown.agents.contract import Agent
from facedown.arena.portable import check_portable
from facedown.arena.workers import Workers
from facedown.errors import Interrupted, UsageError
from facedown.games.contract import Game
from facedown.pages import facts
from facedown.progress import Callback
from facedown.racing.methods import FIRST, SECOND, Setting
from facedown.racing.race import FIRST_BATCH, GROWTH, RaceResult, Runner, duel_of, repeat_line
from facedown.racing.wording import beside, better
from facedown.seeds import derived_seed

Pair = tuple[int, int]


@dataclass(frozen=True)
class Place:
    """Where one agent came out."""

    agent: str
    status: str
    """best, practically equal, undecided, or "lost to ..."."""
    mean: float
    """Average score, from 0 to 1, over all races that it took part in."""
    games: int


@dataclass(frozen=True)
class Standing:
    """The outcome of a race among many."""

    game: str
    method: str
    epsilon: float
    delta: float
    best: tuple[str, ...]
    """The agents that have beaten each other agent or are practically equal to it; none in a cycle.

    While it is undecided, those that nobody has beaten so far.
    """
    cycle: tuple[str, ...]
    """Agents that each beat the next, and the last of them the first; empty if there is a best agent."""
    verdict: str
    """decided, practically equal, cycle, or undecided."""
    places: tuple[Place, ...]
    races: tuple[RaceResult, ...]
    games: int
    seed: int
    seconds: float
    repeat: str
    """The command that repeats this race."""
    points: float | None = None
    """Epsilon as it was asked for, in points of a game; None: it was asked for as a share of the scale from 0 to 1."""
    partners: tuple[str, ...] = ()
    """The agents that all played beside; empty where each had all seats, or two sat at one table."""

    @property
    def meaning(self) -> str:
        """What the verdict claims, in words."""
        return self._shown() + beside(self.partners)

    def _shown(self) -> str:
        names = " and ".join(filter(None, (", ".join(self.best[:-1]), *self.best[-1:])))
        shown = better(self.method, self.epsilon, points=self.points)
        if self.verdict == "cycle":
            return f"no single best: {' beats '.join((*self.cycle, self.cycle[0]))}; to beat is to be {shown}"
        if self.verdict == "decided":
            return f"{names} is the best: against each other agent it is {shown}"
        if self.verdict == "practically equal":
            return f"{names} are practically equal, and the best: against each other agent they are {shown}"
        return f"undecided: nobody has been shown to be the best; unbeaten so far: {names}"

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON has it."""
        return {
            "schema": "facedown.standing/1",
            **facts(self, "game partners method epsilon points delta verdict meaning best cycle"),
            "places": [vars(place) for place in self.places],
            **facts(self, "races games seed seconds repeat"),
        }

    def __repr__(self) -> str:
        lines = [f"{self.game}: {self.meaning} ({self.games:,} games, seed {self.seed})"]
        lines += [f"  {place.agent}: {place.status}, mean {place.mean:.4f} over {place.games:,} games" for place in self.places]
        return "\n".join(lines)


def race_many(
    game: str | Game,
    agents: Sequence[str | Agent],
    setting: Setting,
    seed: int,
    max_games: int | None,
    n_threads: int,
    progress: Callback | None,
    executor: Executor | None = None,
    partners: Sequence[str | Agent] | None = None,
) -> Standing:
    """Race pairs in rounds until it is known who is the best, or that nobody is."""
    field = _Field(game, agents, setting, seed, max_games, partners)
    sources = check_portable(field.game, [*field.agents, *field.partners]) if executor is not None else ()
    with Workers(n_threads, executor, sources) as workers:
        try:
            while pairs := field.wanted():
                # pairs go in step, so that an agent is out by whoever shows it first
                furthest = max(int(field.runners[pair].race.n_scores) for pair in pairs)
                for pair in pairs:
                    if pair not in field.wanted():
                        continue
                    field.step(pair, workers, max(FIRST_BATCH, int(GROWTH * furthest)))
                    if progress is not None:
                        progress(field.runners[pair].outlook())
        except KeyboardInterrupt:
            raise Interrupted(f"interrupted after {field.n_games:,} games", field.standing()) from None
    return field.standing()


class _Field:
    """Agents that race each other, and who has beaten whom so far. Agents are told by their numbers."""

    def __init__(
        self,
        game: str | Game,
        agents: Sequence[str | Agent],
        setting: Setting,
        seed: int,
        max_games: int | None,
        partners: Sequence[str | Agent] | None,
    ):
        self._setting, self._seed, self._max_games = setting, seed, max_games
        self._started = time.perf_counter()
        n_pairs = len(agents) * (len(agents) - 1) // 2
        shared = replace(setting, delta=setting.delta / n_pairs)
        self.runners = {
            (one, other): Runner(
                duel_of(game, agents[one], agents[other], partners), shared, derived_seed(seed, "pair", one, other), None, None
            )
            for one, other in itertools.combinations(range(len(agents)), 2)
        }
        self.game, self.partners = self.runners[0, 1].duel.game, self.runners[0, 1].duel.partners
        self.agents: list[Agent] = [self.runners[0, 1].duel.agents[0]]
        self.agents += [self.runners[0, agent].duel.agents[1] for agent in range(1, len(agents))]
        self._names = [str(agent) for agent in self.agents]
        if len(set(self._names)) < len(agents):
            raise UsageError(f"the same agent is named twice among {', '.join(self._names)}")
        self._beaten: dict[int, list[int]] = {agent: [] for agent in range(len(agents))}
        """By agent, whom it has lost to."""

    @property
    def n_games(self) -> int:
        """Games that count, of all races together."""
        return sum(int(runner.race.n_scores) * runner.duel.games_per_deal for runner in self.runners.values())

    def unbeaten(self) -> list[int]:
        """Who can still be the best."""
        return [agent for agent, winners in self._beaten.items() if not winners]

    def wanted(self) -> list[Pair]:
        """The races that go on: between those that nobody has beaten; when these are over, against all others."""
        if self._deals_left() == 0:
            return []
        left = set(self.unbeaten())
        going = [pair for pair, runner in self.runners.items() if not runner.over and left & set(pair)]
        return [pair for pair in going if left >= set(pair)] or going

    def _deals_left(self) -> int:
        if self._max_games is None:
            return 2**40
        # beside partners a deal takes fewer games for an agent that is one of them
        return max(self._max_games - self.n_games, 0) // max(runner.duel.games_per_deal for runner in self.runners.values())

    def step(self, pair: Pair, workers: Workers, n_deals: int) -> None:
        """Play a batch of a race, and note who has lost."""
        runner = self.runners[pair]
        runner.step(workers, min(n_deals, self._deals_left()))
        if runner.race.verdict in (FIRST, SECOND):
            winner, loser = pair if runner.race.verdict == FIRST else pair[::-1]
            self._beaten[loser].append(winner)

    def standing(self) -> Standing:
        """How it stands."""
        results = {pair: runner.result() for pair, runner in self.runners.items()}
        best, cycle = self.unbeaten(), []
        met = all(result.verdict != "undecided" for pair, result in results.items() if set(best) & set(pair))
        if not best:
            verdict, cycle = "cycle", shortest_cycle(self._beaten)
        else:
            verdict = "undecided" if not met else "decided" if len(best) == 1 else "practically equal"
        stopped_at = max(self.n_games, 1) if verdict == "undecided" else None
        return Standing(
            game=results[0, 1].game,
            method=self._setting.method,
            epsilon=self._setting.epsilon,
            points=self._setting.points,
            delta=self._setting.delta,
            best=tuple(self._names[agent] for agent in best),
            cycle=tuple(self._names[agent] for agent in cycle),
            verdict=verdict,
            places=tuple(self._places(results, "best" if verdict == "decided" else verdict)),
            races=tuple(results.values()),
            games=self.n_games,
            seed=self._seed,
            seconds=time.perf_counter() - self._started,
            repeat=repeat_line(self.game, self.agents, self._setting, self._seed, stopped_at, self.partners),
            partners=tuple(map(str, self.partners)),
        )

    def _places(self, results: dict[Pair, RaceResult], unbeaten: str) -> list[Place]:
        places = []
        for agent, name in enumerate(self._names):
            played = [(pair[0] == agent, result) for pair, result in results.items() if agent in pair]
            games = sum(result.games for _, result in played)
            total = sum(result.games * (result.mean if is_first else 1 - result.mean) for is_first, result in played)
            winners = self._beaten[agent]
            status = f"lost to {', '.join(self._names[winner] for winner in winners)}" if winners else unbeaten
            places.append(Place(name, status, total / games if games else 0.5, games))
        return sorted(places, key=lambda place: (place.status.startswith("lost"), -place.mean))


def shortest_cycle(beaten: dict[int, list[int]]) -> list[int]:
    """Agents of which each beats the next and the last beats the first, as few as possible; none if there are no such.

    The keys are all agents, with those that beat each. Of several cycles as short, the first by number, begun at its least.

    >>> shortest_cycle({0: [2], 1: [0], 2: [1], 3: [2]})
    [0, 1, 2]
    """
    found: list[int] = []
    for start in sorted(beaten):
        # breadth first from the start to those that beat it, to those that beat these, and so on until it comes round
        paths, reached = [[start]], {start}
        while paths and (not found or len(paths[0]) < len(found)):
            path = paths.pop(0)
            for winner in sorted(beaten[path[0]]):
                if winner == start and (not found or len(path) < len(found)):
                    found = [start, *path[:-1]]
                    break
                if winner not in reached:
                    reached.add(winner)
                    paths.append([winner, *path])
    return found
