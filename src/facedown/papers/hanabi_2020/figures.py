"""Hanabi: scores of all agents as boxes, how the learning agents learnt, and the whole table with how far it is from ours."""

from __future__ import annotations

import json
import math
from importlib import resources
from typing import TYPE_CHECKING, Any

import numpy as np

from facedown.papers.documents import Drawing, Passage, Plot
from facedown.papers.hanabi_2020.results import GAMES, LEARNT, PLAYERS, PUBLISHED_GAMES, TABLE, mean, played, scores
from facedown.papers.laboratory import Laboratory
from facedown.papers.pictures import INK, OTHER, OURS, PUBLISHED

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

_QUARTILES = (5, 25, 50, 75, 95)
_CLOSE = 0.15


def gather_boxes(laboratory: Laboratory) -> Drawing:
    """A box for each agent and number of players, with the published mean beside ours."""
    found = {(agent, n_players): scores(played(laboratory, (agent,) * n_players)) for agent in TABLE for n_players in PLAYERS}
    boxes = {key: np.percentile(values, _QUARTILES) for key, values in found.items()}
    caption = (
        "Scores of teams of one agent: boxes from the lower to the upper quarter with the median, lines from 5 to 95 per cent, "
        f"dots for our means and crosses for the published ones ({GAMES.of(laboratory.profile):,} games each, seed "
        f"{laboratory.seed}; published: {PUBLISHED_GAMES:,} games)."
    )
    alt = "Boxes of scores in four panels, for 2 to 5 players. " + " ".join(
        f"{agent}: " + ", ".join(f"{found[agent, n].mean():.2f}" for n in PLAYERS) + "." for agent in TABLE
    )

    def draw(canvas: Canvas) -> None:
        panels = canvas.subplots(2, 2, sharex=True, sharey=True)
        for at, (axes, n_players) in enumerate(zip(panels.flat, PLAYERS, strict=True)):
            for place, agent in enumerate(reversed(TABLE)):
                low, first, middle, third, high = boxes[agent, n_players]
                axes.plot([low, high], [place, place], color=OURS, linewidth=1)
                axes.barh(place, max(third - first, 0.12), 0.62, left=first, color=OURS, alpha=0.35, linewidth=0)
                axes.plot([middle, middle], [place - 0.31, place + 0.31], color=OURS, linewidth=1.6)
                axes.plot(found[agent, n_players].mean(), place, "o", color=INK, markersize=3)
                axes.plot(float(TABLE[agent][at][0]), place, "x", color=PUBLISHED, markersize=5)
            axes.set(xlim=(-0.5, 25.5), title=f"{n_players} players")
            axes.set_yticks(range(len(TABLE)), list(reversed(TABLE)), fontsize=7.5)
            axes.tick_params(axis="y", length=0)
            axes.grid(axis="y", visible=False)
        canvas.supxlabel("points", fontsize=10)

    return Drawing(caption, alt, draw)


# --- learning ---------------------------------------------------------------------------------------------------------------


def history(name: str) -> dict[str, Any]:
    """How a table that comes with the package was learnt."""
    with resources.files("facedown.agents.hanabi").joinpath(f"{name}.npz").open("rb") as file, np.load(file) as arrays:
        found: dict[str, Any] = json.loads(str(arrays["state"]))
        return found


def _gather_learning(laboratory: Laboratory) -> Drawing:
    """The mean score of the games that were learnt from, part by part."""
    known = {name: history(name) for name in LEARNT}
    ends = {name: np.cumsum([part["games"] for part in one["history"]]) for name, one in known.items()}
    means = {name: [part["mean"] for part in one["history"]] for name, one in known.items()}
    published = {name: float(TABLE[name][at][0]) for name, at in (("reinforced2", 0), ("reinforced4", 2))}
    caption = (
        "Learning from scratch: the mean score of the games that were learnt from, exploring moves included, in twenty parts "
        "(the tables that come with the package). Dashed: what the published tables reach when they no longer explore. "
        + " ".join(f"{name}: {one['games']:,} games, seed {one['seed']}." for name, one in known.items())
    )
    alt = "Two rising lines of mean scores. " + " ".join(
        f"{name}: from {means[name][0]:.1f} to {max(means[name]):.1f}." for name in LEARNT
    )

    def draw(canvas: Canvas) -> None:
        axes = canvas.subplots()
        for name, colour in zip(LEARNT, (OURS, OTHER), strict=True):
            axes.plot(ends[name] / 1000, means[name], "o-", color=colour, markersize=3, label=name)
            axes.axhline(published[name], color=colour, linewidth=0.9, linestyle="--")
        axes.set(xlabel="games, thousands", ylabel="mean score", ylim=(5, 21), xlim=(0, None))
        axes.legend(loc="lower right")

    return Drawing(caption, alt, draw)


# --- the table ----------------------------------------------------------------------------------------------------------------


def _gather_table(laboratory: Laboratory) -> str:
    """All means beside the published ones, and whether their differences are those that samples of 1000 games have."""
    lines = [f"{'':20}" + "".join(f"{f'{n} players':>24}" for n in PLAYERS)]
    squares, n_cells, n_far, n_above = 0.0, 0, 0, 0
    for agent, cells in TABLE.items():
        line = f"{agent:20}"
        for n_players, (average, spread, _) in zip(PLAYERS, cells, strict=True):
            ours = mean(laboratory, (agent,) * n_players)
            apart = ours.value - float(average)
            line += f"{ours.value:8.2f} ({average}, {apart:+.2f})".rjust(24)
            n_above += agent in LEARNT and apart >= -_CLOSE
            if agent not in LEARNT:
                squares += apart**2 / (float(spread) ** 2 / PUBLISHED_GAMES + ours.stderr**2)
                n_cells += 1
                n_far += abs(apart) > _CLOSE
        lines.append(line)
    z = (math.cbrt(squares / n_cells) - (1 - 2 / (9 * n_cells))) / math.sqrt(2 / (9 * n_cells))  # Wilson & Hilferty 1931
    lines.append("")
    lines.append(
        f"In brackets the published mean and the difference. Of the {n_cells} cells without learning {n_cells - n_far} lie "
        f"within {_CLOSE} points. If the agents are the same, the squared differences in units of their errors add up to "
        f"about {n_cells}; they add up to {squares:.1f}, which is {z:+.1f} standard deviations from that. Of the "
        f"{4 * len(LEARNT)} cells with tables learnt anew {n_above} are above the published mean, or less than {_CLOSE} below."
    )
    return "\n".join(lines)


PASSAGES = (Passage("hanabi-table", "All means beside the published ones", _gather_table),)
PLOTS = (
    Plot("hanabi-plot-scores", "Hanabi: scores of teams of one agent", 6.6, gather_boxes),
    Plot("hanabi-plot-learning", "Hanabi: learning from scratch", 3.2, _gather_learning),
)
