"""Chapter 5: the source's four algorithms run again, and what they find against starts, each other and best replies.

The source prints neither the number of games of a run nor its start. Here a run has as many games as `BUDGETS` says, whichever
algorithm it is, and begins where all parameters are normal random numbers; runs with the same number begin at the same place
in all four algorithms. It ends with its last x, as algorithms 6 to 9 do.

In Rrrats everything is exact: a strategy that looks at its hand alone is three probabilities, and its play in all positions
is linear in them. In War a strategy is judged by games: those against its start are the last race of the run, on fresh deals.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from shlex import quote
from typing import Any

import numpy as np

from facedown.agents.registry import agent as find_agent
from facedown.arena.estimators import stderr_of_mean
from facedown.arena.match import match
from facedown.games.registry import game as find_game
from facedown.papers.claims import Figure
from facedown.papers.laboratory import Laboratory, Profile, Sizes
from facedown.papers.racing_2023.figures import paper_command
from facedown.papers.racing_2023.tables import METHODS
from facedown.seeds import derived_seed
from facedown.solving.dynamic.evaluate import Evaluator, Play
from facedown.solving.solver import solve
from facedown.tuning.result import TuneResult

Array = np.ndarray[Any, Any]
Chances = tuple[float, float, float]
"""How likely a strategy of Rrrats rolls on with one, two, three in hand."""

SOURCE = {"race": "ilebr*2", "epsilon": 0.01, "delta": 0.05, "rule": "1.25/.84", "recommend": "last"}
OURS: dict[str, Any] = {}
"""The default race and step of `facedown tune`."""
AGENTS = {"war": "mix", "rrrats": "stationary"}
RUNS = {"war": Sizes(tiny=2, quick=3, full=100), "rrrats": Sizes(tiny=2, quick=5, full=100)}
BUDGETS = {"war": Sizes(tiny=500, quick=100_000, full=200_000), "rrrats": Sizes(tiny=500, quick=200_000, full=200_000)}
_EACH_OTHER = Sizes(tiny=8, quick=500, full=10_000)
"""Games of War between what two algorithms found in runs with the same number."""
_N_REDRAWN = 400
ALWAYS, PUBLISHED_STOP = (1.0, 1.0, 1.0), 0.64
_CORNER = 20.0
"""A parameter so large that the other choice is never taken."""


def rules(laboratory: Laboratory, game: str) -> str:
    """The game; a small one where only the machinery is to be tried."""
    small = {"war": {"ranks": 2, "max_rounds": 12}, "rrrats": {"tokens": 5}}
    return str(find_game(game)(**(small[game] if laboratory.profile is Profile.TINY else {})))


def runs(laboratory: Laboratory, game: str, method: str, ours: bool = False) -> tuple[TuneResult, ...]:
    """All runs of one algorithm, with the source's race and step or with ours."""
    settings = dict(OURS if ours else SOURCE)
    if laboratory.profile is Profile.TINY and not ours:
        settings["epsilon"] = 0.2
    n = RUNS[game].of(laboratory.profile)
    return tuple(
        laboratory.tune(
            rules(laboratory, game),
            AGENTS[game],
            games=BUDGETS[game],
            number=number,
            runs=n,
            method=method,
            start="random",
            **settings,
        )
        for number in range(n)
    )


def games_of(played: Sequence[TuneResult]) -> int:
    """All games of some runs."""
    return sum(result.games for result in played)


# --- Rrrats, exactly ------------------------------------------------------------------------------------------------------


def chances(parameters: Sequence[float]) -> Chances:
    """Of `stationary(A1,A2,B1,B2,C1,C2)`."""
    a1, a2, b1, b2, c1, c2 = parameters
    return tuple(1 / (1 + math.exp(stop - roll)) for roll, stop in ((a1, a2), (b1, b2), (c1, c2)))  # type: ignore[return-value]


class Stationary:
    """Strategies of Rrrats that look at their hand alone, against each other and against best replies."""

    def __init__(self, game: str):
        self._evaluator = Evaluator(game)
        asked = [self._ask([_CORNER if hand == rolled else -_CORNER for hand in range(3)]) for rolled in (None, 0, 1, 2)]
        self._never, self._steps = asked[0].mix, [play.mix - asked[0].mix for play in asked[1:]]
        self._n_decisions = asked[0].n_decisions
        # each is asked for again and again
        self._play, self.score, self.exploitability = cache(self._mixed), cache(self._score), cache(self._exploitability)

    def _ask(self, rolls: Sequence[float]) -> Play:
        agent = find_agent(AGENTS["rrrats"], self._evaluator.game)
        return self._evaluator.ask(agent(A1=rolls[0], B1=rolls[1], C1=rolls[2], A2=0.0, B2=0.0, C2=0.0))

    def _mixed(self, strategy: Chances) -> Play:
        mix = self._never + sum(chance * step for chance, step in zip(strategy, self._steps, strict=True))
        return Play("stationary", mix, self._n_decisions, 0)

    def _score(self, first: Chances, second: Chances) -> float:
        """How likely `first` wins, which moves first."""
        return self._evaluator.match(self._play(first), self._play(second))[0]

    def _exploitability(self, strategy: Chances) -> float:
        """What a best reply wins beyond one half, averaged over the seats."""
        return sum(self._evaluator.best_replies(self._play(strategy))) / 2 - 0.5


def stationary(laboratory: Laboratory, **options: str) -> Stationary:
    """The strategies of the game that was tuned, or of other rules."""
    game = str(find_game(rules(laboratory, "rrrats"))(**options)) if options else rules(laboratory, "rrrats")
    return laboratory.once(("stationary", game), lambda: Stationary(game))


def found_in(result: TuneResult) -> Chances:
    """The strategy that a run ended with, whatever its last race said."""
    return chances(result.history[-1].best)


def start_of(result: TuneResult) -> Chances:
    """The strategy that a run began with."""
    return chances([result.start_parameters[name] for name in result.names])


# --- figures of runs -----------------------------------------------------------------------------------------------------


def scores_against_start(laboratory: Laboratory, game: str, method: str, both_seats: bool = False) -> Array:
    """Of each run: how often what it found wins against its start; in Rrrats exactly, what was found moving first."""
    played = runs(laboratory, game, method)
    if game == "war":
        return np.array([0.5 if result.final is None else result.final.mean for result in played])
    exact = stationary(laboratory)
    pairs = [(found_in(result), start_of(result)) for result in played]
    first = np.array([exact.score(found, start) for found, start in pairs])
    if not both_seats:
        return first
    return np.array([(won + 1 - exact.score(start, found)) / 2 for won, (found, start) in zip(first, pairs, strict=True)])


def average(laboratory: Laboratory, numbers: Array, games: int) -> Figure:
    """The mean over runs, which are independent."""
    return Figure(float(numbers.mean()), stderr_of_mean(numbers), games, laboratory.seed, paper_command(laboratory))


def against_start(laboratory: Laboratory, game: str, method: str, both_seats: bool = False) -> Figure:
    """The mean of a column of table 5.1 or 5.3."""
    numbers = scores_against_start(laboratory, game, method, both_seats)
    return average(laboratory, numbers, games_of(runs(laboratory, game, method)))


def statistic_of(numbers: Array, statistic: str) -> float:
    """One row of table 5.1 or 5.3."""
    if statistic == "std":
        return float(numbers.std(ddof=1))
    if statistic == "mean":
        return float(numbers.mean())
    return float(np.quantile(numbers, {"min": 0.0, "25%": 0.25, "50%": 0.5, "75%": 0.75, "max": 1.0}[statistic]))


def over_runs(laboratory: Laboratory, game: str, method: str, statistic: str) -> Figure:
    """A row of table 5.1 or 5.3 over our runs; its error from runs that are drawn anew."""
    numbers = scores_against_start(laboratory, game, method)
    draws = np.random.default_rng(derived_seed(laboratory.seed, "redrawn", game, method))
    again = [statistic_of(draws.choice(numbers, len(numbers)), statistic) for _ in range(_N_REDRAWN)]
    games = games_of(runs(laboratory, game, method))
    value = statistic_of(numbers, statistic)
    return Figure(value, float(np.std(again)), games, laboratory.seed, paper_command(laboratory))


def against_each_other(laboratory: Laboratory, game: str, row: str, column: str) -> Figure:
    """An entry of table 5.2 or 5.4: what two algorithms found in runs with the same number, the row's moving first."""
    if game == "war" and row == column:
        return Figure.counted(Fraction(1, 2), paper_command(laboratory))
    one, other = runs(laboratory, game, row), runs(laboratory, game, column)
    games = games_of(one) + (games_of(other) if row != column else 0)
    return average(laboratory, _cross(laboratory, game, row, column), games)


def _cross(laboratory: Laboratory, game: str, row: str, column: str) -> Array:
    if game == "rrrats":
        exact, pairs = stationary(laboratory), zip(runs(laboratory, game, row), runs(laboratory, game, column), strict=True)
        return np.array([exact.score(found_in(one), found_in(other)) for one, other in pairs])
    if METHODS.index(row) > METHODS.index(column):
        return 1 - _cross(laboratory, game, column, row)
    return laboratory.once(("cross", row, column), lambda: _war_cross(laboratory, row, column))


def _war_cross(laboratory: Laboratory, row: str, column: str) -> Array:
    """War has no first player, so each deal is played with both seats and one table serves both halves."""
    means = []
    for number, pair in enumerate(zip(runs(laboratory, "war", row), runs(laboratory, "war", column), strict=True)):
        seed = derived_seed(laboratory.seed, "cross", row, column, number)
        agents = [result.found for result in pair]
        n_games = _EACH_OTHER.of(laboratory.profile)
        means.append(match(rules(laboratory, "war"), agents, n_games, seed, executor=laboratory.executor).mean[0])
    return np.array(means)


def share_better(laboratory: Laboratory, game: str) -> Figure:
    """The share of all runs that ended with something that wins more than half of the games against its start."""
    better = np.concatenate([scores_against_start(laboratory, game, method) > 0.5 for method in METHODS])
    games = sum(games_of(runs(laboratory, game, method)) for method in METHODS)
    return average(laboratory, better.astype(float), games)


def lead(laboratory: Laboratory, method: str = "approximate") -> Figure:
    """By how much a row of table 5.4 is better on average than the best other row."""
    rows = {row: np.mean([_cross(laboratory, "rrrats", row, column) for column in METHODS], axis=0) for row in METHODS}
    best = max((row for row in METHODS if row != method), key=lambda row: float(rows[row].mean()))
    games = sum(games_of(runs(laboratory, "rrrats", row)) for row in METHODS)
    return average(laboratory, rows[method] - rows[best], games)


def largest_difference(laboratory: Laboratory) -> Figure:
    """The entry of table 5.2 that is furthest from one half, as a distance."""
    cells = [
        against_each_other(laboratory, "war", row, column)
        for number, row in enumerate(METHODS)
        for column in METHODS[number + 1 :]
    ]
    furthest = max(cells, key=lambda cell: abs(cell.value - 0.5))
    return Figure(abs(furthest.value - 0.5), furthest.stderr, furthest.games, furthest.seed, furthest.repeat)


# --- exact figures -------------------------------------------------------------------------------------------------------


def three_in_hand(stop: float) -> Chances:
    """Rolls with one and with two in hand, and stops with this probability with three."""
    return 1.0, 1.0, 1.0 - stop


def best_stop(laboratory: Laboratory) -> Figure:
    """How often to stop with three in hand, for the least that a best reply can win; among a few or a hundred values."""
    exact = stationary(laboratory)
    steps = Sizes(tiny=5, quick=11, full=101).of(laboratory.profile)
    tried = np.linspace(0.0, 1.0, steps).tolist()
    best = min(tried, key=lambda stop: exact.exploitability(three_in_hand(stop)))
    command = paper_command(laboratory).partition(" --seed")[0]
    return Figure(best, 0.0, 0, None, command, f"{100 * best:.0f} %")


def exploitable(laboratory: Laboratory, stop: float) -> Figure:
    """What a best reply wins beyond one half against a strategy that stops so often with three in hand."""
    value = stationary(laboratory).exploitability(three_in_hand(stop))
    roll = 1.0 - stop
    c1 = _CORNER if roll == 1.0 else -_CORNER if roll == 0.0 else round(math.log(roll / stop), 6)
    command = f"facedown exploit {quote(rules(laboratory, 'rrrats'))} 'stationary(A1=20,B1=20,C1={c1:g})'"
    return Figure.computed(value, 1e-9 if stop in (0.0, 1.0) else 1e-6, "all positions", command)


def first_against_itself(laboratory: Laboratory, stop: float, **options: str) -> Figure:
    """How often such a strategy wins against itself if it moves first."""
    strategy = three_in_hand(stop)
    value = stationary(laboratory, **options).score(strategy, strategy)
    return Figure.computed(value, 1e-9, "all positions", paper_command(laboratory))


def moving_first(laboratory: Laboratory) -> Figure:
    """The value of moving first between perfect players."""
    game = rules(laboratory, "rrrats")
    solution = laboratory.once(("optimal", game), lambda: solve(game, "exact"))
    return Figure.computed(solution.value, 1e-12, "all positions", f"facedown solve {quote(game)}")


def mean_exploitability(laboratory: Laboratory, method: str, ours: bool = False) -> Figure:
    """What a best reply wins beyond one half against what a run ended with, on average."""
    played = runs(laboratory, "rrrats", method, ours)
    exact = stationary(laboratory)
    numbers = np.array([exact.exploitability(found_in(result)) for result in played])
    return average(laboratory, numbers, games_of(played))
