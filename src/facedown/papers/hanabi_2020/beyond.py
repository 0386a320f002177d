"""Hanabi beyond the source: a partner that adapts, which it names as open work, and weights that were tuned further."""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING, Any

import numpy as np

from facedown.agents.hanabi import trustful, tuned
from facedown.agents.hanabi.conventions import CONVENTIONS
from facedown.arena.estimators import stderr_of_mean
from facedown.papers.documents import Drawing, Passage, Plot
from facedown.papers.hanabi_2020.results import mean, scores
from facedown.papers.laboratory import Laboratory, Profile, Sizes, singles
from facedown.papers.pictures import OTHER, OURS

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

TWO = "hanabi(players=2)"
CROSS_GAMES = Sizes(tiny=2, quick=100, full=2_000)
_HONEST = CONVENTIONS[2:]
"""Those that may be copied: the others look at their own cards."""
_TEAMS = {"bayesian_trustful2": "tuned_trustful2", "bayesian_trustful4": "tuned_trustful4"}


def together(laboratory: Laboratory, agent: str, partner: str) -> Any:
    """What a team of two scores, by deal, both seats averaged; an agent beside itself plays a deal once."""
    # who is named first does not matter
    result = laboratory.match(TWO, *sorted((agent, partner)), games=CROSS_GAMES)
    return scores(result).reshape(-1, singles(result).n_orders).mean(axis=1)


def _beside_all(laboratory: Laboratory, agent: str) -> Any:
    """The scores of an agent beside everybody, on the same deals: by partner and by deal."""
    found = [together(laboratory, agent, partner) for partner in CONVENTIONS]
    n_deals = min(map(len, found))  # beside itself an agent plays more of them
    return np.array([deals[:n_deals] for deals in found])


def _gather_partners(laboratory: Laboratory) -> str:
    """Everybody's mean over all partners, and how much `adaptive` scores more on the same deals.

    `adaptive` knows all the others, and takes a minute to compile with them: not in the profile of some seconds.
    """
    if laboratory.profile is Profile.QUICK:
        return "An agent that infers whom it plays with, beside everybody: facedown paper hanabi --full"
    ours = _beside_all(laboratory, "adaptive")
    lines = [f"{'':20}{'beside all':>16}{'adaptive scores more by':>28}"]
    for agent in ("adaptive", *_HONEST):
        found = ours if agent == "adaptive" else _beside_all(laboratory, agent)
        lines.append(f"{agent:20}{_with_error(found.mean(axis=0)):>16}" + _difference(agent, ours - found))
    lines.append("")
    lines.append(
        "adaptive beside each: " + ", ".join(f"{p} {row.mean():.2f}" for p, row in zip(CONVENTIONS, ours, strict=True))
    )
    lines.append("")
    lines.append(
        f"Games of two with official rules, {CROSS_GAMES.of(laboratory.profile):,} beside each of the {len(CONVENTIONS)} "
        f"agents, those that cheat included, both seats of each deal, seed {laboratory.seed}; errors are over deals."
    )
    return "\n".join(lines)


def _with_error(values: Any) -> str:
    return f"{values.mean():.2f} ± {stderr_of_mean(values):.2f}"


def _difference(agent: str, apart: Any) -> str:
    return "" if agent == "adaptive" else f"{_with_error(apart.mean(axis=0)):>28}"


def _gather_weights(laboratory: Laboratory) -> str:
    """The weights of the source and those tuned here, side by side, and what teams of them score."""
    columns = {
        "for two": trustful.weights(trustful.FITTED_FOR_TWO),
        "tuned": trustful.weights(tuned.TUNED_FOR_TWO),
        "for four": trustful.weights(trustful.FITTED_FOR_FOUR),
        "tuned ": trustful.weights(tuned.TUNED_FOR_FOUR),
    }
    lines = [f"{'':24}" + "".join(f"{name.strip():>12}" for name in columns)]
    for row in zip(*columns.values(), strict=True):
        lines.append(f"{row[0].name:24}" + "".join(f"{weight.default:12.3f}" for weight in row))
    lines.append("")
    for published, ours in _TEAMS.items():
        n_players = int(ours[-1])
        before, after = (mean(laboratory, (agent,) * n_players) for agent in (published, ours))
        lines.append(
            f"{n_players} players, rules of the thesis: {published} {before.value:.3f} ± {before.stderr:.3f}, "
            f"{ours} {after.value:.3f} ± {after.stderr:.3f} ({after.games:,} games, seed {after.seed})"
        )
    return "\n".join(lines)


def _gather_tuning(laboratory: Laboratory) -> Drawing:
    """The mean score of candidates in the runs that found the weights which come with the package, part by part."""
    with resources.files("facedown.agents.hanabi").joinpath("tuned.npz").open("rb") as file, np.load(file) as arrays:
        lines = {n: (arrays[f"games{n}"], arrays[f"means{n}"]) for n in (2, 4)}
    caption = (
        "Tuning the 27 weights by CMA-ES from those of the source: the mean score of candidates, in forty parts "
        "(the runs that found the weights which come with the package). "
        + " ".join(f"{n} players: {games[-1]:,} games, seed {n}." for n, (games, _) in lines.items())
    )
    alt = "Two rising lines of mean scores. " + " ".join(
        f"{n} players: from {means[0]:.1f} to {means[-1]:.1f}." for n, (_, means) in lines.items()
    )

    def draw(canvas: Canvas) -> None:
        axes = canvas.subplots()
        for (n, (games, means)), colour in zip(lines.items(), (OURS, OTHER), strict=True):
            axes.plot(games / 1e6, means, "o-", color=colour, markersize=3, label=f"{n} players")
        axes.set(xlabel="games, millions", ylabel="mean score of candidates", xlim=(0, None))
        axes.legend(loc="lower right")

    return Drawing(caption, alt, draw)


PASSAGES = (
    Passage("hanabi-beyond-partners", "Beyond the source: beside everybody", _gather_partners),
    Passage("hanabi-beyond-weights", "Beyond the source: weights that were tuned further", _gather_weights),
)
PLOTS = (Plot("hanabi-plot-tuning", "Hanabi: tuning the weights", 3.2, _gather_tuning),)
