"""Shapes of kinds, which tell them apart without colours: paths around the origin, about as large as a circle of radius 1."""

from __future__ import annotations

import math


def _corners(*points: tuple[float, float]) -> str:
    return "M" + "L".join(f"{x:.3g} {y:.3g}" for x, y in points) + "Z"


def _around(n_corners: int, turn: float, *radii: float, lift: float = 0.0) -> str:
    """Corners on circles, one after the other; the first at this part of half a turn."""
    angles = [math.pi * (2 * corner / n_corners + turn) for corner in range(n_corners)]
    sizes = [radii[corner % len(radii)] for corner in range(n_corners)]
    return _corners(*((r * math.cos(a), lift + r * math.sin(a)) for r, a in zip(sizes, angles, strict=True)))


_ARM = 0.3
PATHS = {
    "circle": "M.85 0A.85 .85 0 1 1 -.85 0A.85 .85 0 1 1 .85 0Z",
    "square": _around(4, 0.25, 1.05),
    "diamond": _around(4, 0.0, 1.0),
    "triangle": _around(3, -0.5, 1.05, lift=0.15),
    "star": _around(10, -0.5, 1.0, 0.45),
    "cross": _corners(
        *((-_ARM, -0.92), (_ARM, -0.92), (_ARM, -_ARM), (0.92, -_ARM), (0.92, _ARM), (_ARM, _ARM)),
        *((_ARM, 0.92), (-_ARM, 0.92), (-_ARM, _ARM), (-0.92, _ARM), (-0.92, -_ARM), (-_ARM, -_ARM)),
    ),
    "crown": _corners((-0.9, 0.7), (-0.9, -0.5), (-0.4, 0.05), (0, -0.8), (0.4, 0.05), (0.9, -0.5), (0.9, 0.7)),
    "drop": "M0 -1C.5 -.35 .75 0 .75 .3A.75 .68 0 0 1 -.75 .3C-.75 0 -.5 -.35 0 -1Z",
    "heart": "M0 .9C-1.5 -.1 -.8 -1.3 0 -.45C.8 -1.3 1.5 -.1 0 .9Z",
    "spade": "M0 -1C1.5 0 .8 1 .14 .4L.35 1L-.35 1L-.14 .4C-.8 1 -1.5 0 0 -1Z",
    # a disc with a hole: the inner circle runs the other way
    "ring": "M.9 0A.9 .9 0 1 1 -.9 0A.9 .9 0 1 1 .9 0ZM.4 0A.4 .4 0 1 0 -.4 0A.4 .4 0 1 0 .4 0Z",
}
