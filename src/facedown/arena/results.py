"""What a match has found out: sums that can be added, and the figures that follow from them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from facedown import plugins
from facedown.arena import loop
from facedown.arena.intervals import Spread, anytime_interval
from facedown.arena.lineup import Batch
from facedown.games.contract import Game

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Tally:
    """Sums over finished games. A block is one deal, played in all orders of seats; blocks are independent, games are not."""

    n_games: int
    sums: Array
    """Rows: scores by agent; those of complete blocks; squares of their block sums; scores by seat; the game's own columns."""
    counts: Array
    """Moves; games without a single winner; games won by each agent."""

    @classmethod
    def of(cls, batch: Batch, n_orders: int) -> Tally:
        """The sums of a batch, which begins with the first order of a deal."""
        n_agents, n_values = batch.scores.shape[1], batch.values.shape[1]
        sums, counts = np.zeros((loop.N_ROWS, max(n_agents, n_values))), np.zeros(2 + n_agents, np.int64)
        loop.summarise(batch.scores, batch.lengths, batch.values, n_orders, sums, counts)
        return cls(len(batch.lengths), sums, counts)

    def rescaled(self, game: Game, agent: int, n_orders: int) -> tuple[int, float, float]:
        """Complete blocks of an agent as scores from 0 to 1, one a block: their number, their sum and their sum of squares."""
        low, high = game.score_range
        n_blocks, total, squares = self.n_games // n_orders, self.sums[loop.COMPLETE, agent], self.sums[loop.SQUARES, agent]
        total, squares, width = total / n_orders, squares / n_orders**2, high - low
        return (
            n_blocks,
            float((total - n_blocks * low) / width),
            float((squares - 2 * low * total + n_blocks * low * low) / width**2),
        )

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.n_games + other.n_games, self.sums + other.sums, self.counts + other.counts)


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
    """The command that repeats this match."""
    interrupted: bool = False
    batch: Batch | None = None
    """The single games, where they were asked for."""

    @classmethod
    def of(cls, game: Game, agents: list[Any], tally: Tally, spreads: list[Spread], n_orders: int, **facts: Any) -> MatchResult:
        """Turn sums into figures."""
        n_agents, n_games, n_blocks = len(agents), tally.n_games, tally.n_games // n_orders
        low, high = game.score_range
        means = tally.sums[loop.SCORES, :n_agents] / n_games
        stderr = np.full(n_agents, (high - low) / 2 / math.sqrt(n_games))  # the most that is possible
        if n_blocks > 1:
            totals, squares = tally.sums[loop.COMPLETE, :n_agents], tally.sums[loop.SQUARES, :n_agents]
            variances = np.maximum(squares - totals**2 / n_blocks, 0.0) / (n_blocks - 1)
            stderr = np.sqrt(variances / n_blocks) / n_orders
        intervals = []
        for spread in spreads:
            ends = anytime_interval(spread.total, spread.n, spread=spread.value)
            intervals.append((low + ends[0] * (high - low), low + ends[1] * (high - low)))
        columns = {column.name: float(tally.sums[loop.VALUES, at]) for at, column in enumerate(game.columns)}
        words = ["facedown", "match", game.spec, *(agent.spec for agent in agents), "--games", str(n_games)]
        words += ["--seed", str(facts["seed"]), *(["--no-swap"] if n_orders < n_agents else [])]
        return cls(
            game=str(game),
            agents=tuple(map(str, agents)),
            games=n_games,
            swap=n_orders > 1,
            mean=tuple(means.tolist()),
            stderr=tuple(stderr.tolist()),
            interval=tuple(intervals),
            wins=tuple(tally.counts[2:].tolist()),
            draws=int(tally.counts[1]),
            length_mean=float(tally.counts[0] / n_games),
            seat_mean=tuple((tally.sums[loop.SEATS, :n_agents] / n_games).tolist()),
            columns=columns,
            repeat=plugins.command(*words),
            **facts,
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON has it."""
        return {
            "schema": "facedown.match/1",
            "game": self.game,
            "agents": list(self.agents),
            "games": self.games,
            "seed": self.seed,
            "swap": self.swap,
            "mean": list(self.mean),
            "stderr": list(self.stderr),
            "interval": [list(ends) for ends in self.interval],
            "wins": list(self.wins),
            "draws": self.draws,
            "length_mean": self.length_mean,
            "seat_mean": list(self.seat_mean),
            **{name: int(total) if total == int(total) else total for name, total in self.columns.items()},
            "interrupted": self.interrupted,
            "seconds": self.seconds,
            "repeat": self.repeat,
        }

    def __repr__(self) -> str:
        lines = [f"{self.game}: {self.games:,} games, seed {self.seed}"]
        for index, name in enumerate(self.agents):
            low, high = self.interval[index]
            mean = f"mean {self.mean[index]:.5g} ± {self.stderr[index]:.2g}"
            lines.append(f"  {name}: {mean} (95 % at any time: {low:.4g} to {high:.4g}), {self.wins[index]:,} wins")
        extra = "".join(f", {name} {total:,.0f}" for name, total in self.columns.items() if total)
        lines.append(f"  {self.draws:,} draws, {self.length_mean:.4g} moves a game{extra}, {self.seconds:.2f} s")
        return "\n".join(lines)
