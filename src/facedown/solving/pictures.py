"""Pictures of a solution: its way to the equilibrium, and the policy of a small game as bars."""

from __future__ import annotations

from typing import Any

from facedown.games.registry import game as find_game
from facedown.policies.text import rows_of
from facedown.solving.solution import Solution

_MAX_SETS = 30
"""Games with more information sets than this are too large for bars."""
_COLOURS = ("#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#bbbbbb")  # Tol's, told apart by everybody


def draw_solution(solution: Solution) -> Any:
    """Exploitability against iterations and seconds, log-log; for a small game, a bar for each information set below."""
    from matplotlib.figure import Figure

    n_sets = solution.policy.n_sets
    small = n_sets <= _MAX_SETS
    height = 4 + (0.3 * n_sets + 1.2 if small else 0)
    figure: Any = Figure(figsize=(11, height), layout="constrained")
    if small:
        above, below = figure.subfigures(2, 1, height_ratios=[4, height - 4])
        _draw_policy(solution, below)
    else:
        above = figure
    _draw_curve(solution, above)
    return figure


def _draw_curve(solution: Solution, figure: Any) -> None:
    """Two panels; points at which nothing could be gained any more have no place on a logarithmic scale."""
    points = [point for point in solution.curve if point.exploitability > 0]
    by_iterations, by_seconds = figure.subplots(1, 2, sharey=True)
    by_iterations.plot([point.iterations for point in points], [point.exploitability for point in points], marker=".")
    timed = [point for point in points if point.seconds > 0]
    by_seconds.plot([point.seconds for point in timed], [point.exploitability for point in timed], marker=".")
    for axes, label, shown in ((by_iterations, "iterations", points), (by_seconds, "seconds of iterations", timed)):
        axes.set(xlabel=label)
        if shown:
            axes.set(xscale="log", yscale="log")
        axes.grid(visible=True, alpha=0.3)
    by_iterations.set(ylabel="exploitability = NashConv / players")
    figure.suptitle(f"{solution.game}, {solution.method}: exploitability {solution.exploitability:.3g}")


def _draw_policy(solution: Solution, figure: Any) -> None:
    """A bar for each information set, cut into the probabilities of its actions."""
    game = solution.rules or find_game(solution.game)
    panels = figure.subplots(1, game.n_players, squeeze=False)[0]
    colours: dict[str, str] = {}
    for player, axes in enumerate(panels):
        rows = rows_of(game, solution.policy, player)
        for place, (_, chances) in enumerate(rows):
            left = 0.0
            for name, chance in chances:
                colour = colours.setdefault(name, _COLOURS[len(colours) % len(_COLOURS)])
                axes.barh(place, chance, left=left, color=colour)
                left += chance
        axes.set(title=game.seat_name(player), xlim=(0, 1), yticks=range(len(rows)), xlabel="probability")
        axes.set_yticklabels([text for text, _ in rows], fontsize=8)
        axes.invert_yaxis()
    from matplotlib.patches import Patch

    handles = [Patch(color=colour, label=name) for name, colour in colours.items()]
    figure.legend(handles=handles, loc="outside lower center", ncols=len(handles), frameon=False)
