"""What a match has found out: sums that can be added, and the figures that follow from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from facedown import pages, plugins
from facedown.arena import loop, score_counts
from facedown.arena.estimators import largest_stderr
from facedown.arena.lineup import Batch
from facedown.arena.score_counts import ScoreCounts, add_all
from facedown.arena.spread import Spread, histogram_text
from facedown.games.contract import Game
from facedown.native.jit import Part, compiling

Array = np.ndarray[Any, Any]
COMPILE_SECONDS = 3
ALL_ALIKE, BY_AGENT = "all alike", "by agent"
"""Whose spread of scores is worked out: one for all, who score alike, or each agent's."""


@dataclass(frozen=True)
class Tally:
    """Sums over finished games. A block is one deal, played in all orders of seats; blocks are independent, games are not."""

    n_games: int
    sums: Array
    """Rows: scores by agent; those of complete blocks; squares of their block sums; scores by seat; the game's own columns."""
    counts: Array
    """Moves; games without a single winner; games won by each agent."""

    deals: tuple[ScoreCounts, ...]
    """How often each score of a complete block came, by agent."""
    spread: Spread | None = None
    """Of the scores of games, where somebody wants to know."""

    @classmethod
    def of(cls, batch: Batch, n_orders: int, score_range: tuple[float, float], spread: str = "") -> Tally:
        """The sums of a batch, which begins with the first order of a deal; with a `spread` for ALL_ALIKE or BY_AGENT."""
        n_agents, n_values = batch.scores.shape[1], batch.values.shape[1]
        sums, counts = np.zeros((loop.N_ROWS, max(n_agents, n_values))), np.zeros(2 + n_agents, np.int64)
        loop.summarise(batch.scores, batch.lengths, batch.values, batch.drawn_seats, n_orders, sums, counts)
        deals = ScoreCounts.by_agent(batch.scores, n_orders, score_range)
        found = Spread.of(batch.scores, score_range, spread == ALL_ALIKE) if spread else None
        return cls(len(batch.lengths), sums, counts, deals, found)

    @staticmethod
    @cache
    def prepare() -> None:
        """Have everything compiled that a tally needs, whatever the game."""
        with compiling(Part("the figures of matches", COMPILE_SECONDS, (loop.summarise, *score_counts.NATIVE))):
            empty = Batch(0, np.zeros((0, 2)), np.zeros(0, np.int64), np.zeros((0, 0)), 1, np.zeros((0, 2), np.int8))
            Tally.of(empty, 1, (0.0, 1.0))
            score_counts.prepare()

    def stderr(self, n_agents: int, n_orders: int, score_range: tuple[float, float]) -> Array:
        """Standard errors of the mean scores, from whole blocks; with a single one, the largest that are possible."""
        n_blocks = self.n_games // n_orders
        if n_blocks < 2:
            return np.full(n_agents, largest_stderr([n_orders] * n_blocks + [self.n_games % n_orders], score_range))
        totals, squares = self.sums[loop.COMPLETE, :n_agents], self.sums[loop.SQUARES, :n_agents]
        variances = np.maximum(squares - totals**2 / n_blocks, 0.0) / (n_blocks - 1)
        return np.asarray(np.sqrt(variances / n_blocks) / n_orders)

    def __add__(self, other: Tally) -> Tally:
        n_games, deals = self.n_games + other.n_games, add_all(self.deals, other.deals)
        spread = self.spread + other.spread if self.spread is not None and other.spread is not None else None
        return Tally(n_games, self.sums + other.sums, self.counts + other.counts, deals, spread)


def distinct_names(names: Sequence[str]) -> tuple[str, ...]:
    """Names that tell agents apart: where one is given more than once, with its number among those of that name.

    >>> distinct_names(["uniform", "first", "uniform"])
    ('uniform (1st)', 'first', 'uniform (2nd)')
    """
    told, seen = [], Counter[str]()
    for name in names:
        seen[name] += 1
        number = seen[name]
        ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
        told.append(f"{name} ({number}{ending})" if names.count(name) > 1 else name)
    return tuple(told)


def _team_name(agents: Sequence[str]) -> str:
    """A team in words.

    >>> _team_name(["careful", "careful", "bold"])
    'careful x 2 + bold'
    """
    counted = Counter(agents)
    return " + ".join(f"{name} x {n}" if n > 1 else name for name, n in counted.items())


@dataclass(frozen=True)
class MatchResult:
    """The outcome of a match; figures are by agent, in the order given, whatever seats they sat in."""

    game: str
    agents: tuple[str, ...]
    games: int
    seed: int
    swap: bool
    mean: tuple[float, ...]
    """Average score of a game."""
    stderr: tuple[float, ...]
    """Standard error of the mean; games on the same deal are not taken for independent."""
    interval: tuple[tuple[float, float], ...]
    """Where the true mean lies: with probability 0.95 for all stopping times together (see `arena.intervals`)."""
    wins: tuple[int, ...]
    """Games in which this agent alone had the highest score."""
    draws: int
    """Games in which nobody was alone at the top."""
    length_mean: float
    """Moves in a game."""
    seat_mean: tuple[float, ...]
    """Average score of each seat."""
    columns: dict[str, float]
    """Totals of the game's own columns."""
    seconds: float
    repeat: str
    """The command that repeats this match; empty where none can, see `only_here`."""
    interrupted: bool = False
    batch: Batch | None = None
    """The single games, where they were asked for."""
    score_range: tuple[float, float] = (0.0, 1.0)
    """The scores that the game declares to be possible."""
    only_here: str = ""
    """Which game or agent is known to this process only, in a sentence; empty where all can be named in a command."""
    team: bool = False
    """Whether there is one score for all: then `mean` and the like say the same for every agent."""
    sd: tuple[float, ...] = ()
    """Standard deviation of a game's score. This and what follows has one entry in a `team`, else one for each agent; nothing
    where it was not asked for."""
    perfect: tuple[float, ...] = ()
    """Share of games with the highest score that is possible."""
    histogram: tuple[dict[float, int], ...] = ()
    """How often each score came."""

    @property
    def sides(self) -> tuple[str, ...]:
        """Who scores: each agent, or all together."""
        return (_team_name(self.agents),) if self.team else self.names

    @property
    def names(self) -> tuple[str, ...]:
        """The agents, told apart where one sits down more than once."""
        return distinct_names(self.agents)

    @classmethod
    def of(cls, game: Game, agents: list[Any], tally: Tally, n_orders: int, **facts: Any) -> MatchResult:
        """Turn sums into figures."""
        n_agents, n_games = len(agents), tally.n_games
        low, high = game.score_range
        means = tally.sums[loop.SCORES, :n_agents] / n_games
        ends = [deals.interval() for deals in tally.deals]
        columns = {column.name: float(tally.sums[loop.VALUES, at]) for at, column in enumerate(game.columns)}
        named = [agent.spec for agent in agents]
        if game.team and len(set(named)) == 1:
            named = named[:1]
        words = ["facedown", "match", game.spec, *named, "--games", str(n_games), "--seed", str(facts["seed"])]
        words += ["--no-swap"] if n_orders < len(named) else []
        spread = tally.spread
        if spread is not None:
            words += [] if game.team else ["--histogram"]
            facts |= {"sd": spread.sd, "perfect": spread.perfect, "histogram": spread.histogram}
        return cls(
            game=str(game),
            agents=tuple(map(str, agents)),
            games=n_games,
            swap=n_orders > 1,
            mean=tuple(means.tolist()),
            stderr=tuple(tally.stderr(n_agents, n_orders, game.score_range).tolist()),
            interval=tuple((low + start * (high - low), low + end * (high - low)) for start, end in ends),
            wins=tuple(tally.counts[2:].tolist()),
            draws=int(tally.counts[1]),
            length_mean=float(tally.counts[0] / n_games),
            seat_mean=tuple((tally.sums[loop.SEATS, :n_agents] / n_games).tolist()),
            columns=columns,
            score_range=(float(low), float(high)),
            team=game.team,
            repeat="" if facts.get("only_here") else plugins.command(*words),
            **facts,
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON has it."""
        return {
            "schema": "facedown.match/1",
            **pages.facts(self, "game agents names games seed swap mean stderr interval wins draws length_mean seat_mean"),
            **self._spread_to_dict(),
            **{name: int(total) if total == int(total) else total for name, total in self.columns.items()},
            **pages.facts(self, "interrupted seconds"),
            "repeat": self.repeat or None,
            **({"only_here": self.only_here} if self.only_here else {}),
        }

    def _spread_to_dict(self) -> dict[str, Any]:
        if not self.sd:
            return {}
        histogram = [{f"{score:g}": n for score, n in row.items()} for row in self.histogram]
        return {**pages.facts(self, "sides sd perfect"), "histogram": histogram}

    def __repr__(self) -> str:
        lines = [f"{self.game}: {self.games:,} games, seed {self.seed}"]
        for index, name in enumerate(self.sides):
            low, high = self.interval[index]
            mean = f"mean {self.mean[index]:.5g} ± {self.stderr[index]:.2g}"
            spread = f", sd {self.sd[index]:.4g}, {self.perfect[index]:.2%} perfect" if self.sd else ""
            wins = "" if self.team else f", {self.wins[index]:,} wins"
            lines.append(f"  {name}: {mean} (95 % at any time: {low:.4g} to {high:.4g}){spread}{wins}")
            lines += [f"    {line}" for line in histogram_text(self.histogram[index])] if self.sd else []
        extra = "".join(f", {name} {total:,.0f}" for name, total in self.columns.items() if total)
        draws = "" if self.team else f"{self.draws:,} draws, "
        lines.append(f"  {draws}{self.length_mean:.4g} moves a game{extra}, {self.seconds:.2f} s")
        if self.only_here:
            lines.append(f"  no command repeats it: {self.only_here}")
        return "\n".join(lines)

    def rows(self) -> list[dict[str, Any]]:
        """A row for each agent, or one for all together, with plain values."""
        return [
            {
                "agent": name,
                "games": self.games,
                "mean": self.mean[agent],
                "stderr": self.stderr[agent],
                "low": self.interval[agent][0],
                "high": self.interval[agent][1],
                **({"wins": self.wins[agent], "draws": self.draws} if not self.team else {}),
                **({"sd": self.sd[agent], "perfect": self.perfect[agent]} if self.sd else {}),
            }
            for agent, name in enumerate(self.sides)
        ]

    def to_pandas(self) -> Any:
        """The rows as a DataFrame; pandas has to be installed."""
        return pages.to_pandas(self.rows())

    def _repr_html_(self) -> str:
        from facedown.arena.match_page import score_table

        return score_table(self).html()

    def plot(self) -> Any:
        """Average scores with their intervals; a Matplotlib figure."""
        from facedown.arena.match_page import draw_match

        return draw_match(self)

    def to_html(self) -> str:
        """A page with tables and plots."""
        import facedown
        from facedown.arena.match_page import sections

        return pages.page(f"{self.game}: {' against '.join(self.names)}", sections(self), self.repeat, facedown.__version__)

    def write(self, file: str | Path) -> Path:
        """Write it to a file: a page with plots (.html), or a row for each agent (.csv)."""
        return pages.write_result(file, self)
