"""What the page on solving shows: the methods, how quickly each comes close to an equilibrium, the program at work."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import races
from picture import Picture
from tables import table

from facedown.solving.dynamic.pictures import HANDS, draw_optimal, rolls
from facedown.solving.dynamic.solution import OptimalSolution
from facedown.solving.engine import TreeEngine
from facedown.solving.exploit import exploit
from facedown.solving.methods import KINDS, find_method
from facedown.solving.solver import solve
from facedown.trees.grow import build_tree

GAMES = ("kuhn", "leduc", "domino(tiles=6,hand=2)")
ITERATIONS = (16, 256, 4096)
_TIMES = re.compile(r"\b\d[\d,]* a second|\b\d+\.\d\d s\b")


def methods_table() -> str:
    """Every method with its parameters."""
    rows = []
    for kind in KINDS.values():
        parameters = ", ".join(f"{name} {parameter.default:g}" for name, parameter in kind.parameters.items())
        weight = "1" if not kind.average else "t" if kind.average == 1 else f"t^{kind.average:g}"
        rows.append((f"`{kind.name}`", kind.meaning, weight, parameters, kind.source))
    return table(("method", "in a few words", "weight of iteration t in the average", "parameters", "source"), rows)


def convergence_table() -> str:
    """Exploitability after some iterations, for every method that goes through the whole tree."""
    header = ["method", *(f"{game}, {count:,}" for game in GAMES for count in ITERATIONS)]
    trees = [build_tree(game) for game in GAMES]
    rows = []
    for name, kind in KINDS.items():
        if kind.sampled:
            continue
        cells = [f"`{name}`"]
        for tree in trees:
            engine = TreeEngine(tree, find_method(name), True)
            for count in ITERATIONS:
                engine.run(count - engine.iterations)
                exploitability = engine.evaluate().exploitability
                # below this, only rounding is left, which differs between machines
                cells.append(f"{exploitability:.1e}" if exploitability > 1e-12 else "< 1e-12")
        rows.append(cells)
    return table(header, rows)


def solve_session(*commands: str) -> str:
    """What some commands print; times are left out."""
    return _TIMES.sub(lambda found: "... a second" if "second" in found[0] else "... s", races.terminal(*commands))


# --- games in which nothing is hidden -------------------------------------------------------------------------------------


@lru_cache
def optimal(game: str) -> OptimalSolution:
    """The exact solution of a game."""
    return solve(game, "exact")


def optimal_value(game: str) -> str:
    """The value of moving first, and how large the game is."""
    found = optimal(game)
    return f"**{found.value:.9f}** ({found.counts.positions:,} positions)"


def exploitable(game: str, *agents: str) -> str:
    """What best replies to some agents score, exactly."""
    rows = []
    for agent in agents:
        found = exploit(game, agent)
        own, replies = f"{found.own[0]:.6f}", " and ".join(f"{value:.6f}" for value in found.values)
        rows.append((f"`{agent}`", own, replies, f"{max(found.exploitability, 0.0):.6f}"))
    return table(("agent", "first against itself", "best reply as first and second", "exploitability"), rows)


class RrratsPicture(Picture):
    """Roll or stop, by hand and both players' points."""

    def figures(self) -> Any:
        found = optimal("rrrats")
        grids = [np.nan_to_num(rolls(found, hand), nan=-1).astype(int).tolist() for hand in HANDS]
        return [round(found.value, 6), grids]

    def paint(self, axes: Any) -> None:
        raise NotImplementedError("three panels, see draw")

    def draw(self, path: Path) -> None:
        """Draw it."""
        import matplotlib

        with matplotlib.rc_context({"svg.hashsalt": "facedown", "svg.fonttype": "none"}):
            draw_optimal(optimal("rrrats")).savefig(path, format="svg", metadata={"Date": None, "Description": self.digest()})
