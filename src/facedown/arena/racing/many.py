"""The best of many agents: races between all pairs at once, with losers dropped as soon as they have lost.

Each of the k (k-1) / 2 pairs gets an equal share of delta, so that with probability 1 - delta no verdict at all is wrong.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

from facedown.agents.contract import Agent
from facedown.arena.racing.duel import Duel
from facedown.arena.racing.methods import Setting
from facedown.arena.racing.outlook import Outlook
from facedown.arena.racing.race import FIRST_BATCH, GROWTH, RaceResult, Runner, repeat_line
from facedown.errors import Interrupted, UsageError
from facedown.games.contract import Game


@dataclass(frozen=True)
class Place:
    """Where one agent came out."""

    agent: str
    status: str
    """best, practically equal, or "lost to ..."."""
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
    """The agents that nobody beat; more than one if they are practically equal, or undecided."""
    verdict: str
    """decided, practically equal, or undecided."""
    places: tuple[Place, ...]
    races: tuple[RaceResult, ...]
    games: int
    seed: int
    seconds: float
    repeat: str
    """The command that repeats this race."""

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON has it."""
        return {
            "schema": "facedown.standing/1",
            "game": self.game,
            "method": self.method,
            "epsilon": self.epsilon,
            "delta": self.delta,
            "verdict": self.verdict,
            "best": list(self.best),
            "places": [vars(place) for place in self.places],
            "races": [race.to_dict() for race in self.races],
            "games": self.games,
            "seed": self.seed,
            "seconds": self.seconds,
            "repeat": self.repeat,
        }

    def __repr__(self) -> str:
        lines = [f"{self.game}: {self.verdict}, best: {', '.join(self.best)} ({self.games:,} games, seed {self.seed})"]
        lines += [f"  {place.agent}: {place.status}, mean {place.mean:.4f} over {place.games:,} games" for place in self.places]
        return "\n".join(lines)


def race_many(
    game: str | Game,
    agents: Sequence[str | Agent],
    setting: Setting,
    seed: int,
    max_games: int | None,
    n_threads: int,
    progress: Callable[[Outlook], None] | None,
) -> Standing:
    """Race all pairs in rounds; a pair is left when one of the two has lost to anybody."""
    started = time.perf_counter()
    shared = replace(setting, delta=setting.delta / (len(agents) * (len(agents) - 1) / 2))
    runners = {
        pair: Runner(Duel(game, agents[pair[0]], agents[pair[1]]), shared, seed + number, None, None)
        for number, pair in enumerate(itertools.combinations(range(len(agents)), 2))
    }
    names = _names(runners, len(agents))
    lost: dict[int, int] = {}
    with ThreadPoolExecutor(n_threads) as pool:
        try:
            while True:
                active = [pair for pair, runner in runners.items() if not runner.over and not lost.keys() & set(pair)]
                n_games = sum(runner.result().games for runner in runners.values())
                if not active or (max_games is not None and n_games >= max_games):
                    break
                # pairs go in step, so that an agent is dropped by whoever shows it first
                furthest = max(int(runners[pair].race.n_scores) for pair in active)
                for pair in active:
                    runner = runners[pair]
                    if lost.keys() & set(pair):
                        continue
                    runner.step(pool, n_threads, max(FIRST_BATCH, int(GROWTH * furthest)))
                    verdict = runner.result().verdict
                    if verdict in {"first", "second"}:
                        winner, loser = pair if verdict == "first" else pair[::-1]
                        lost[loser] = winner
                    if progress is not None:
                        progress(runner.outlook())
        except KeyboardInterrupt:
            raise Interrupted("interrupted", _standing(runners, names, lost, setting, seed, started)) from None
    return _standing(runners, names, lost, setting, seed, started)


def _names(runners: dict[tuple[int, int], Runner], n_agents: int) -> list[str]:
    names = [""] * n_agents
    for (first, second), runner in runners.items():
        names[first], names[second] = map(str, runner.duel.agents)
    if len(set(names)) < n_agents:
        raise UsageError(f"the same agent is named twice among {', '.join(names)}")
    return names


def _standing(
    runners: dict[tuple[int, int], Runner], names: list[str], lost: dict[int, int], setting: Setting, seed: int, started: float
) -> Standing:
    results = {pair: runner.result() for pair, runner in runners.items()}
    unbeaten = [agent for agent in range(len(names)) if agent not in lost]
    between = [results[pair].verdict for pair in itertools.combinations(unbeaten, 2)]
    verdict = "decided" if len(unbeaten) == 1 else "practically equal" if "undecided" not in between else "undecided"
    places = []
    for agent, name in enumerate(names):
        played = [(pair[0] == agent, result) for pair, result in results.items() if agent in pair]
        games = sum(result.games for _, result in played)
        total = sum(result.games * (result.mean if is_first else 1 - result.mean) for is_first, result in played)
        status = f"lost to {names[lost[agent]]}" if agent in lost else "best" if len(unbeaten) == 1 else verdict
        places.append(Place(name, status, total / games if games else 0.5, games))
    sitting: dict[int, Agent] = {}
    for (first, second), runner in runners.items():
        sitting[first], sitting[second] = runner.duel.agents
    n_games = sum(result.games for result in results.values())
    stopped_at = n_games if verdict == "undecided" else None
    places.sort(key=lambda place: (place.status.startswith("lost"), -place.mean))
    return Standing(
        game=next(iter(results.values())).game,
        method=setting.method,
        epsilon=setting.epsilon,
        delta=setting.delta,
        best=tuple(names[agent] for agent in unbeaten),
        verdict=verdict,
        places=tuple(places),
        races=tuple(results.values()),
        games=n_games,
        seed=seed,
        seconds=time.perf_counter() - started,
        repeat=repeat_line(next(iter(runners.values())).duel.game, sitting.values(), setting, seed, stopped_at),
    )
