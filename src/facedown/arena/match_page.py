"""A match to look at: its figures as tables, average scores with their intervals, and how long games were."""

from __future__ import annotations

from typing import Any

from facedown.arena.results import MatchResult
from facedown.pages import Part, Picture, Table

_COLOUR, FAINT = "#4477aa", "#bbbbbb"
_MAX_BARS = 60


def score_table(result: MatchResult) -> Table:
    """A row for each agent, or one for all together."""
    numbers = ["mean score", "stderr", "95 % at any time"]
    numbers += [] if result.team else ["wins"]
    numbers += ["sd", "perfect"] if result.sd else []
    rows = []
    for agent, name in enumerate(result.sides):
        low, high = result.interval[agent]
        figures = [f"{result.mean[agent]:.6g}", f"{result.stderr[agent]:.2g}", f"{low:.6g} to {high:.6g}"]
        figures += [] if result.team else [f"{result.wins[agent]:,}"]
        figures += [f"{result.sd[agent]:.4g}", f"{result.perfect[agent]:.2%}"] if result.sd else []
        rows.append((name, *figures))
    return Table(f"{result.games:,} games, seed {result.seed}", ("agent", *numbers), rows, tuple(numbers))


def _game_table(result: MatchResult) -> Table:
    """What is known of the games, whoever played."""
    facts = [] if result.team else [("draws", f"{result.draws:,}")]
    facts += [("moves a game", f"{result.length_mean:.4g}")]
    facts += [(name.replace("_", " "), f"{total:,.6g}") for name, total in result.columns.items()]
    facts += [(f"mean score of seat {seat}", f"{mean:.6g}") for seat, mean in enumerate(result.seat_mean)]
    return Table("", ("of all games", "figure"), facts, ("figure",))


def sections(result: MatchResult) -> dict[str, list[Part]]:
    """What a page of a match is made of."""
    seats = "Each deal was played in all orders of the seats." if result.swap else "Everybody kept the same seat."
    stopped = " The match was interrupted; these are the games that were finished." if result.interrupted else ""
    opening = f"{seats if len(result.agents) > 1 else ''}{stopped}".strip() or "One player."
    words = [
        f"{name}: {mean:.6g}, {low:.6g} to {high:.6g}."
        for name, mean, (low, high) in zip(result.sides, result.mean, result.interval, strict=False)
    ]
    caption = "Average scores, with intervals that hold with probability 95 % at all times together."
    if result.batch is not None:
        caption += " Below: moves of a game."
    shown = Picture(draw_match(result), f"Average scores with their intervals. {' '.join(words)}", caption)
    return {"": [opening, score_table(result), shown], "Games": [_game_table(result)]}


def draw_match(result: MatchResult) -> Any:
    """Average scores with their intervals; where single games were kept, how long they were below."""
    from matplotlib.figure import Figure

    height = 1.3 + 0.5 * len(result.sides)
    kept = result.batch is not None
    figure: Any = Figure(figsize=(8, height + (2.6 if kept else 0)), layout="constrained")
    panels: Any = figure.subplots(2 if kept else 1, 1, squeeze=False, height_ratios=(height, 2.6)[: 2 if kept else 1])[:, 0]
    _draw_scores(result, panels[0])
    if kept:
        _draw_lengths(result, panels[1])
    return figure


def _draw_scores(result: MatchResult, axes: Any) -> None:
    for place in range(len(result.sides)):
        mean, (low, high) = result.mean[place], result.interval[place]
        axes.plot((low, high), (place, place), color=_COLOUR, linewidth=2)
        axes.plot(mean, place, "o", color=_COLOUR, markersize=6)
    axes.set_yticks(range(len(result.sides)), result.sides)
    axes.set_ylim(len(result.sides) - 0.5, -0.5)
    axes.grid(axis="x", alpha=0.3)
    axes.set_title(f"{result.game}: average score of a game", fontsize=11, loc="left")


def _draw_lengths(result: MatchResult, axes: Any) -> None:
    assert result.batch is not None
    lengths = result.batch.lengths
    low, high = int(lengths.min()), int(lengths.max())
    width = -(-(high - low + 1) // _MAX_BARS)
    axes.hist(lengths, bins=[edge - 0.5 for edge in range(low, high + width + 1, width)], color=_COLOUR)
    axes.set(xlabel="moves", ylabel="games")
    axes.grid(axis="y", alpha=0.3)
