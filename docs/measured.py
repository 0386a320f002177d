"""Figures and pictures that are measured by playing: the results table, the intervals, the picture of War."""

from __future__ import annotations

from typing import Any

import numpy as np
from picture import Picture
from tables import ROOT, table

import facedown as fd
from facedown.arena.intervals import anytime_interval, interval_from_counts
from facedown.native.jit import COMPILED

__all__ = ["COMPILED", "WarPicture", "conformance", "interval_misses", "interval_table", "interval_widths", "results"]

SEED = 1
FRESH = 12  # the settings of the searching agents were chosen on games of seed 1
MATCHES: tuple[tuple[str, tuple[str, ...], int, bool, int], ...] = (
    ("kuhn", ("uniform", "uniform"), 1_000_000, False, SEED),
    ("leduc", ("uniform", "uniform"), 1_000_000, False, SEED),
    ("war", ("descending", "shuffled"), 20_000, True, SEED),
    ("rrrats", ("hold(at=4)", "hold(at=3)"), 100_000, True, SEED),
    ("./examples/liars_dice.py:GAME", ("sceptic", "uniform"), 100_000, True, SEED),
    ("love_letter", ("greedy", "random"), 200_000, True, SEED),
    ("love_letter", ("belief", "random"), 1_000, True, FRESH),
    ("love_letter", ("belief", "greedy"), 1_000, True, FRESH),
    ("cant_stop", ("turn_exact", "q5"), 1_000, True, FRESH),
    ("hanabi(players=5)", ("information",), 20_000, True, FRESH),
)


def results() -> str:
    """Some matches, with the command that repeats each."""
    rows = []
    for game, agents, games, swap, seed in MATCHES:
        path = str(ROOT / game) if ".py" in game else game
        result = fd.match(path, agents, games=games, seed=seed, swap=swap)
        mean = f"{result.mean[0]:.4f} ± {result.stderr[0]:.4f}"
        low, high = result.interval[0]
        words = " ".join(f"'{word}'" if "(" in word else word for word in (game, *agents))
        command = f"`facedown match {words} --games {games} --seed {seed}{'' if swap else ' --no-swap'}`"
        rows.append((command, mean, f"{low:.4f} to {high:.4f}"))
    return table(("match", "mean score of the first agent", "95 % at any time"), rows)


def conformance(game: str) -> str:
    """What the conformance suite says of a game."""
    from facedown import check

    report = check.game(str(ROOT / game) if ".py" in game else game, games=20)
    return table(("check", "", "what it has seen"), [(entry.name, entry.status, entry.sentence) for entry in report.checks])


def interval_table() -> str:
    """How wide the interval is for scores of 0 and 1 with mean 1/2, beside the usual one for a single look."""
    rows = []
    for n in (100, 1_000, 10_000, 100_000, 1_000_000):
        low, high = interval_from_counts(np.array([0.0, 1.0]), np.array([n // 2, n // 2]))
        usual, anytime = 1.96 * 0.5 / n**0.5, (high - low) / 2
        rows.append((f"{n:,}", f"± {usual:.5f}", f"± {anytime:.5f}", f"{anytime / usual:.2f}"))
    return table(("games", "one look: 1.96 standard errors", "at any time", "ratio"), rows)


WIDTHS: tuple[tuple[str, tuple[str, str], tuple[int, ...]], ...] = (
    ("kuhn", ("uniform", "first"), (200, 2_000, 200_000)),
    ("leduc", ("uniform", "first"), (200, 2_000, 200_000)),
    ("war", ("descending", "shuffled"), (200, 2_000, 20_000)),
    ("love_letter", ("greedy", "random"), (200, 2_000, 200_000)),
)


def interval_widths() -> str:
    """How wide the intervals of real matches are, beside those that sums alone would give; scores from 0 to 1."""
    rows = []
    for game, agents, numbers in WIDTHS:
        for games in numbers:
            result = fd.match(game, agents, games=games, seed=SEED, keep=True)
            assert result.batch is not None
            low, high = result.score_range
            deals = (result.batch.scores[:, 0].reshape(-1, 2).mean(axis=1) - low) / (high - low)
            spread = float(((deals - 0.5) ** 2).sum())
            from_sums = anytime_interval(float(deals.sum()), len(deals), spread=spread)
            (start, end), usual = result.interval[0], 1.96 * result.stderr[0] / (high - low)
            half, half_from_sums = (end - start) / (high - low) / 2, (from_sums[1] - from_sums[0]) / 2
            widths = (f"± {usual:.5f}", f"± {half:.5f}", f"± {half_from_sums:.5f}", f"{half / half_from_sums:.2f}")
            rows.append((f"`{game}`: {', '.join(agents)}", f"{games:,}", *widths))
    return table(("match", "games", "one look: 1.96 standard errors", "at any time", "from sums alone", "ratio to that"), rows)


HARD_SCORES: dict[str, tuple[tuple[float, ...], tuple[float, ...]]] = {
    "coins": ((0, 1), (0.5, 0.5)),
    "1 % wins": ((0, 1), (0.99, 0.01)),
    "90 % draws": ((0, 0.5, 1), (0.05, 0.9, 0.05)),
    "0.52, and 0 in 1 %": ((0, 0.52), (0.01, 0.99)),
    "0.1, and 1 in 2 %": ((0.1, 1), (0.98, 0.02)),
    "like poker": ((0, 0.4, 0.5, 0.6, 1), (0.03, 0.32, 0.32, 0.32, 0.01)),
    "0.299 or 0.301": ((0.299, 0.301), (0.5, 0.5)),
}
MISS_RUNS, MISS_DEALS = 2_000, 2_000


def interval_misses() -> str:
    """How often the true mean was ever outside the interval, watched after each deal. The bets are made one by one here."""
    rows = []
    shares, weights = 0.95 * 2.0 ** (-0.75 * np.arange(24)), (np.arange(24) + 2.0) ** -1.5
    for name, (scores, chances) in HARD_SCORES.items():
        generator = np.random.default_rng(SEED)
        mean = float(np.dot(scores, chances))
        factors = 1 + np.concatenate([shares / mean, -shares / (1 - mean)]) * (np.array(scores)[:, None] - mean)
        wealth = np.tile(np.concatenate([weights, weights]) / weights.sum() / 2, (MISS_RUNS, 1))
        missed = np.zeros(MISS_RUNS, bool)
        for _ in range(MISS_DEALS):
            wealth *= factors[generator.choice(len(scores), MISS_RUNS, p=chances)]
            missed |= wealth.sum(axis=1) >= 20
        share = missed.mean()
        rows.append((name, f"{100 * share:.1f} % ± {100 * (share * (1 - share) / MISS_RUNS) ** 0.5:.1f}"))
    return table(("scores", f"missed in {MISS_RUNS:,} runs of {MISS_DEALS:,} deals"), rows)


class WarPicture(Picture):
    """Three orders of returning won cards at War, each against shuffling them: running means and intervals."""

    orders = ("descending", "winner_first", "ascending")
    games = 4_096
    first_look = 16

    def __init__(self) -> None:
        self.lines = [self._measure(order) for order in self.orders]

    def _measure(self, order: str) -> dict[str, Any]:
        players = [order, "shuffled"]
        whole = fd.match("war", players, games=self.games, seed=SEED, keep=True)
        assert whole.batch is not None
        means = np.cumsum(whole.batch.scores[:, 0]) / np.arange(1, self.games + 1)
        looks = self.looks()
        # the first games of a longer match are the games of a shorter one
        intervals = [fd.match("war", players, games=look, seed=SEED).interval[0] for look in looks]
        return {"looks": looks, "intervals": intervals, "means": means}

    def looks(self) -> list[int]:
        """The numbers of games at which intervals are drawn."""
        return [2**power for power in range(self.first_look.bit_length() - 1, self.games.bit_length())]

    def figures(self) -> Any:
        """Intervals, and some of the means."""
        return [
            [[f"{end:.6f}" for end in ends] for ends in line["intervals"]] + [f"{mean:.6f}" for mean in line["means"][::16]]
            for line in self.lines
        ]

    def paint(self, axes: Any) -> None:
        """A line and a shade for each order."""
        for order, line in zip(self.orders, self.lines, strict=True):
            self._draw_line(axes, order, line)
        axes.axhline(0.5, color="0.6", linewidth=0.8, linestyle=":")
        axes.set_xscale("log", base=2)
        axes.set_xlim(self.first_look, self.games * 2.6)
        axes.set_xticks(self.looks(), [f"{look:,}" for look in self.looks()])
        axes.set_ylim(0.2, 1)
        axes.set_xlabel("games")
        axes.set_ylabel("mean score (win 1, draw ½)")
        axes.set_title("War: three ways to return won cards, each against shuffling them", loc="left", fontsize=12)
        remark = "shaded: where the true mean lies, with probability 95 % at all times together"
        axes.text(1.0, 0.03, remark, transform=axes.transAxes, ha="right", fontsize=10, color="0.35")

    def _draw_line(self, axes: Any, order: str, line: dict[str, Any]) -> None:
        lows, highs = zip(*line["intervals"], strict=True)
        games = np.unique(np.geomspace(self.first_look, self.games, 240).astype(int))
        (drawn,) = axes.plot(games, line["means"][games - 1], linewidth=1.4)
        axes.fill_between(line["looks"], lows, highs, color=drawn.get_color(), alpha=0.14, linewidth=0)
        label = f"{order.replace('_', ' ')} {line['means'][-1]:.2f}"
        axes.annotate(label, (self.games * 1.06, line["means"][-1]), color=drawn.get_color(), va="center", fontsize=10)
