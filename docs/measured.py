"""Figures and pictures that are measured by playing: the results table, the intervals, the picture of War."""

from __future__ import annotations

from typing import Any

import numpy as np
from picture import Picture
from tables import ROOT, table

import facedown as fd
from facedown.arena.intervals import anytime_interval
from facedown.native.jit import COMPILED

__all__ = ["COMPILED", "WarPicture", "conformance", "interval_table", "results"]

SEED = 1
FRESH = 12  # the settings of the searching agents were chosen on games of seed 1
MATCHES: tuple[tuple[str, tuple[str, str], int, bool, int], ...] = (
    ("kuhn", ("uniform", "uniform"), 1_000_000, False, SEED),
    ("leduc", ("uniform", "uniform"), 1_000_000, False, SEED),
    ("war", ("descending", "shuffled"), 20_000, True, SEED),
    ("rrrats", ("hold(at=4)", "hold(at=3)"), 100_000, True, SEED),
    ("./examples/liars_dice.py:GAME", ("sceptic", "uniform"), 100_000, True, SEED),
    ("love_letter", ("greedy", "random"), 200_000, True, SEED),
    ("love_letter", ("belief", "random"), 1_000, True, FRESH),
    ("love_letter", ("belief", "greedy"), 1_000, True, FRESH),
)


def results() -> str:
    """Some matches, with the command that repeats each."""
    rows = []
    for game, agents, games, swap, seed in MATCHES:
        path = str(ROOT / game) if ".py" in game else game
        result = fd.match(path, agents, games=games, seed=seed, swap=swap)
        mean = f"{result.mean[0]:.4f} ± {result.stderr[0]:.4f}"
        low, high = result.interval[0]
        words = " ".join(f"'{word}'" if "(" in word else word for word in agents)
        command = f"`facedown match {game} {words} --games {games} --seed {seed}{'' if swap else ' --no-swap'}`"
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
        low, high = anytime_interval(n / 2, n, spread=n / 4)
        usual, anytime = 1.96 * 0.5 / n**0.5, (high - low) / 2
        rows.append((f"{n:,}", f"± {usual:.5f}", f"± {anytime:.5f}", f"{anytime / usual:.2f}"))
    return table(("games", "one look: 1.96 standard errors", "at any time", "ratio"), rows)


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
