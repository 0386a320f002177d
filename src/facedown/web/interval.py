"""A race as a picture: the interval that holds the true mean, closing in while games are played."""

from __future__ import annotations

import math
from collections.abc import Sequence

WIDTH, HEIGHT = 640.0, 280.0
LEFT, RIGHT, TOP, BOTTOM = 56.0, 624.0, 16.0, 236.0
_MAX_SHOWN = 400


def interval_picture(points: Sequence[tuple[int, float, float, float]], epsilon: float) -> str:
    """Games to the right (each doubling the same way), mean score of the first agent upwards; SVG without inline styles."""
    shown = _thinned(points)
    parts = [_axis(shown)]
    zone = (_y(0.5 + epsilon), _y(0.5 - epsilon))
    parts.append(
        f'<rect x="{LEFT}" y="{zone[0]:.1f}" width="{RIGHT - LEFT}" height="{max(zone[1] - zone[0], 1):.1f}" fill="#e69f00" '
        f'fill-opacity=".35"/><line x1="{LEFT}" y1="{_y(0.5):.1f}" x2="{RIGHT}" y2="{_y(0.5):.1f}" stroke="currentColor" '
        f'stroke-dasharray="4 4"/>'
    )
    if len(shown) > 1:
        upper = [f"{_x(n, shown):.1f},{_y(high):.1f}" for n, _, _, high in shown]
        lower = [f"{_x(n, shown):.1f},{_y(low):.1f}" for n, _, low, _ in reversed(shown)]
        mean = [f"{_x(n, shown):.1f},{_y(mean):.1f}" for n, mean, _, _ in shown]
        parts.append(f'<polygon points="{" ".join(upper + lower)}" fill="#56b4e9" fill-opacity=".45" stroke="#0072b2"/>')
        parts.append(f'<polyline points="{" ".join(mean)}" fill="none" stroke="currentColor" stroke-width="2"/>')
    if shown:
        n_games, last, low, high = shown[-1]
        told = f"After {n_games:,} games the mean is {last:.4f}, and the true one between {low:.4f} and {high:.4f}."
    else:
        told = "No game is played yet."
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" role="img" aria-label="{told}" '
        f'font-family="system-ui, sans-serif" font-size="14">{"".join(parts)}</svg>'
    )


def _thinned(points: Sequence[tuple[int, float, float, float]]) -> list[tuple[int, float, float, float]]:
    step = max(len(points) // _MAX_SHOWN, 1)
    nothing_known = (1, 0.5, 0.0, 1.0)
    return [nothing_known, *points[:-1:step], *points[-1:]] if points else []


def _x(n_games: int, shown: Sequence[tuple[int, float, float, float]]) -> float:
    first, last = math.log(max(shown[0][0], 1)), math.log(max(shown[-1][0], 2))
    return LEFT + (RIGHT - LEFT) * (math.log(max(n_games, 1)) - first) / max(last - first, 1e-9)


def _y(value: float) -> float:
    return BOTTOM - (BOTTOM - TOP) * min(max(value, 0.0), 1.0)


def _axis(shown: Sequence[tuple[int, float, float, float]]) -> str:
    parts = [f'<path d="M{LEFT} {TOP}V{BOTTOM}H{RIGHT}" fill="none" stroke="currentColor"/>']
    for value in (0.0, 0.25, 0.5, 0.75, 1.0):
        parts.append(f'<text x="{LEFT - 8}" y="{_y(value) + 5:.1f}" text-anchor="end" fill="currentColor">{value:g}</text>')
    if shown:
        for n_games, anchor, x in ((shown[0][0], "start", LEFT), (shown[-1][0], "end", RIGHT)):
            parts.append(f'<text x="{x}" y="{BOTTOM + 20}" text-anchor="{anchor}" fill="currentColor">{n_games:,}</text>')
    middle = (LEFT + RIGHT) / 2
    parts.append(f'<text x="{middle}" y="{BOTTOM + 36}" text-anchor="middle" fill="currentColor">games</text>')
    return "".join(parts)
