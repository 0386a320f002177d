"""A curve on logarithmic scales as a picture, such as exploitability against iterations; and probabilities as bars."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

WIDTH, HEIGHT = 640.0, 300.0
LEFT, RIGHT, TOP, BOTTOM = 64.0, 600.0, 16.0, 252.0
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442")  # Okabe and Ito's
_BAR_WIDTH, _BAR_HEIGHT = 160.0, 18.0
Point = tuple[float, float]


def curve_picture(points: Sequence[Point]) -> str:
    """Iterations to the right, exploitability upwards, each power of ten as wide as the next; SVG without inline styles."""
    shown = [point for point in points if point[0] > 0 and point[1] > 0]  # zero has no place on a logarithmic scale
    if shown:
        told = f"Exploitability fell from {shown[0][1]:.3g} to {shown[-1][1]:.3g} in {shown[-1][0]:,} iterations."
    else:
        told = "Nothing is known of the exploitability yet."
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" role="img" aria-label="{told}" '
        f'font-family="system-ui, sans-serif" font-size="14">{_drawn(shown)}</svg>'
    )


def _drawn(shown: Sequence[Point]) -> str:
    parts = [f'<path d="M{LEFT} {TOP}V{BOTTOM}H{RIGHT}" fill="none" stroke="currentColor"/>']
    if shown:
        across = _decades([point[0] for point in shown])
        up = _decades([point[1] for point in shown])
        for power in _ticks(up):
            y = _place(10.0**power, up, BOTTOM, TOP)
            parts.append(
                f'<line x1="{LEFT}" y1="{y:.1f}" x2="{RIGHT}" y2="{y:.1f}" stroke="currentColor" stroke-opacity=".2"/>'
                f'<text x="{LEFT - 8}" y="{y + 5:.1f}" text-anchor="end" fill="currentColor">{_power(power)}</text>'
            )
        for power in _ticks(across):
            x = _place(10.0**power, across, LEFT, RIGHT)
            parts.append(
                f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{BOTTOM}" stroke="currentColor" stroke-opacity=".2"/>'
                f'<text x="{x:.1f}" y="{BOTTOM + 20}" text-anchor="middle" fill="currentColor">{_power(power)}</text>'
            )
        path = [f"{_place(n, across, LEFT, RIGHT):.1f},{_place(value, up, BOTTOM, TOP):.1f}" for n, value in shown]
        parts.append(f'<polyline points="{" ".join(path)}" fill="none" stroke="#0072b2" stroke-width="2.5"/>')
        across_end, up_end = path[-1].split(",")
        parts.append(f'<circle cx="{across_end}" cy="{up_end}" r="4.5" fill="#0072b2" stroke="currentColor"/>')
    middle = (LEFT + RIGHT) / 2
    parts.append(f'<text x="{middle}" y="{BOTTOM + 40}" text-anchor="middle" fill="currentColor">iterations</text>')
    return "".join(parts)


def _decades(values: Sequence[float]) -> tuple[int, int]:
    """The powers of ten around some numbers; two at least."""
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return low, max(high, low + 1)


def _ticks(decades: tuple[int, int]) -> range:
    low, high = decades
    return range(low, high + 1, max(-(-(high - low) // 8), 1))


def _place(value: float, decades: tuple[int, int], start: float, end: float) -> float:
    low, high = decades
    return start + (end - start) * (math.log10(value) - low) / (high - low)


def _power(power: int) -> str:
    """Ten to a whole number, as short as one reads it.

    >>> _power(3), _power(-2), _power(-7)
    ('1,000', '0.01', '1e-7')
    """
    return f"{10**power:,}" if 0 <= power <= 6 else f"{10.0**power:g}" if -3 <= power < 0 else f"1e{power}"


def bar(chances: Sequence[tuple[str, float]], colours: dict[str, str]) -> str:
    """The probabilities of some actions as one bar; `colours` of actions are added to as they come."""
    told = ", ".join(f"{name} {chance:.1%}" for name, chance in chances)
    parts, left = [], 0.0
    for name, chance in chances:
        colour = colours.setdefault(name, COLOURS[len(colours) % len(COLOURS)])
        if chance > 0:
            width = _BAR_WIDTH * chance
            parts.append(f'<rect x="{left:.1f}" y="0" width="{width:.1f}" height="{_BAR_HEIGHT:g}" fill="{colour}"/>')
            left += width
    return (
        f'<svg class="bar" viewBox="0 0 {_BAR_WIDTH:g} {_BAR_HEIGHT:g}" width="{_BAR_WIDTH:g}" height="{_BAR_HEIGHT:g}" '
        f'preserveAspectRatio="none" role="img" aria-label="{escape(told)}">{"".join(parts)}</svg>'
    )


def swatch(colour: str) -> str:
    """A colour, for the key of a picture."""
    inside = f'<rect width="14" height="14" fill="{colour}"/>'
    return f'<svg class="swatch" viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">{inside}</svg>'


def with_bars(policy: Sequence[dict[str, object]]) -> tuple[list[dict[str, object]], list[tuple[str, str]]]:
    """A policy in words with a bar for each row; and what the colours mean."""
    colours: dict[str, str] = {}
    found = []
    for part in policy:
        rows = [(text, chances, bar(chances, colours)) for text, chances in part["rows"]]  # type: ignore[attr-defined]
        found.append({**part, "rows": rows})
    return found, [(name, swatch(colour)) for name, colour in list(colours.items())[: len(COLOURS)]]
