"""What the page on solving shows: the methods, how quickly each comes close to an equilibrium, the program at work."""

from __future__ import annotations

import re

import races
from tables import table

from facedown.solving.engine import TreeEngine
from facedown.solving.grow import build_tree
from facedown.solving.methods import KINDS, find_method

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
