"""Pictures of an exact solution: roll or stop by both players' points, or how positions are spread between win and loss."""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.solving.dynamic.solution import OptimalSolution

_STOP_COLOUR, _ROLL_COLOUR, _NOWHERE = "#4477aa", "#ee6677", "#eeeeee"  # Tol's, told apart by everybody
HANDS = (1, 2, 3)
RRRATS = "rrrats"


def draw_optimal(solution: OptimalSolution) -> Any:
    """A matplotlib figure."""
    from matplotlib.figure import Figure

    if solution.rules.name == RRRATS and not solution.rules.origin:
        figure: Any = Figure(figsize=(11, 4.2), layout="constrained")
        _draw_rolls(solution, figure)
        return figure
    figure = Figure(figsize=(8.4, 4.2), layout="constrained")
    _draw_values(solution, figure.subplots())
    return figure


def rolls(solution: OptimalSolution, hand: int) -> np.ndarray[Any, Any]:
    """For player 0 with this many in hand, by own points (rows) and the other's: 1 roll, 0 stop, nan where it cannot be."""
    states = np.ascontiguousarray(solution.states).reshape(-1).view(solution.rules.state)
    n = int(solution.rules.values["tokens"]) + 1
    grid = np.full((n, n), np.nan)
    chosen = (states["mover"] == 0) & (states["hand"] == hand) & (states["n_throws"] == states["n_throws"].min())
    points = states["points"][chosen]
    grid[points[:, 0], points[:, 1]] = solution.state_actions[chosen]
    return grid


def _draw_rolls(solution: OptimalSolution, figure: Any, hands: tuple[int, ...] = HANDS) -> None:
    """A panel for each number of tokens in hand."""
    from matplotlib.colors import ListedColormap
    from matplotlib.patches import Patch

    panels = figure.subplots(1, len(hands), sharey=True, squeeze=False)[0]
    for hand, axes in zip(hands, panels, strict=True):
        colours = ListedColormap([_STOP_COLOUR, _ROLL_COLOUR]).with_extremes(bad=_NOWHERE)
        grid = rolls(solution, hand)
        axes.imshow(np.ma.masked_invalid(grid), origin="lower", cmap=colours, vmin=0, vmax=1, interpolation="nearest")
        axes.set(title=f"{hand} in hand", xlabel="points of the other player")
    panels[0].set(ylabel="own points")
    kinds = {"stop": _STOP_COLOUR, "roll": _ROLL_COLOUR, "not possible": _NOWHERE}
    handles = [Patch(facecolor=colour, label=name, edgecolor="#999999") for name, colour in kinds.items()]
    figure.legend(handles=handles, loc="outside lower center", ncols=len(handles), frameon=False)
    figure.suptitle(f"{solution.game}: roll or stop; moving first wins {solution.value:.6f}")


def _draw_values(solution: OptimalSolution, axes: Any) -> None:
    """How many positions are worth how much."""
    sign = -1.0 if solution.rules.cost_unit else 1.0
    axes.hist(sign * solution.state_values, bins=60, color=_STOP_COLOUR)
    axes.axvline(solution.value, color=_ROLL_COLOUR, label=f"start: {solution.value:.6f}")
    still = "still to come" if solution.rules.cost_unit else "for player 0"
    axes.set(xlabel=f"{solution.unit} {still}", ylabel="positions", yscale="log", title=str(solution.game))
    axes.legend(frameon=False)
