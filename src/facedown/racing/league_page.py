"""A league to look at: tables, a heat map of all pairings, ratings with their intervals."""

from __future__ import annotations

from typing import Any

from facedown.pages import Part, Picture, Table
from facedown.racing.league_result import CROSS_PLAY, LeagueResult

_MAX_NUMBERS = 16
"""Fields of a larger heat map are too small for numbers."""


def tables(result: LeagueResult) -> dict[str, Table]:
    """The ranking and all pairings."""
    return {"Ranking": _ranking(result), "Pairings": _pairings(result)}


def _ranking(result: LeagueResult) -> Table:
    if result.ratings is None:
        return _partners(result)
    columns = ("agent", "rating", "95 %", "beats", "loses to", "equal", "undecided")
    rows: list[tuple[str, ...]] = []
    for agent in result.ranking:
        name = result.agents[agent]
        low, high = result.ratings.interval(agent)
        counts = [0, 0, 0, 0]
        for cell in result.cells:
            if name in (cell.first, cell.second):
                place = {"practically equal": 2, "undecided": 3}.get(cell.verdict)
                counts[(0 if (cell.verdict == "first") == (cell.first == name) else 1) if place is None else place] += 1
        rating = f"{result.ratings.values[agent]:+.1f}"
        rows.append((name, rating, f"{low:+.1f} to {high:+.1f}", *map(str, counts)))
    return Table(f"Ratings: {_rating_words(result)}", columns, rows, columns[1:])


def _partners(result: LeagueResult) -> Table:
    columns = ("agent", "with others", "with itself")
    rows = [
        (result.agents[agent], f"{result.with_others(agent):.4f}", f"{result.with_itself(agent):.4f}")
        for agent in result.ranking
    ]
    return Table("Average scores of teams", columns, rows, columns[1:])


def _rating_words(result: LeagueResult) -> str:
    """What the ratings are."""
    words = "Bradley and Terry's model on Elo's scale, with mean 0"
    if result.ratings and result.ratings.with_draws:
        words += "; somebody has won every game, so a drawn deal was added to each pairing"
    return words


def _pairings(result: LeagueResult) -> Table:
    numbers = ("games", "mean", "stderr", "at any time", "expected")
    rows: list[tuple[str, ...]] = []
    for cell in result.cells:
        low, high = cell.interval
        figures = (f"{cell.games:,}", f"{cell.mean:.4f}", f"{cell.stderr:.4f}", f"{low:.4f} to {high:.4f}")
        if result.kind == CROSS_PLAY:
            rows.append((cell.first, cell.second, *figures))
        else:
            expected = "" if cell.expected is None else f"{cell.expected:.4f}"
            rows.append((cell.first, cell.second, *figures, expected, cell.words))
    sure = f"the intervals of all pairings hold together, and at all times, with probability {1 - result.delta:g}"
    if result.kind == CROSS_PLAY:
        return Table(f"What two score together; {sure}", ("one", "other", *numbers[:-1]), rows, numbers)
    caption = f"Mean score of the first against the second, from 0 to 1; {sure}, and so do the verdicts"
    return Table(caption, ("first", "second", *numbers, "verdict"), rows, numbers)


def sections(result: LeagueResult) -> dict[str, list[Part]]:
    """What a page of a league is made of."""
    meaning = result.meaning[:1].upper() + result.meaning[1:]
    stopped = " The league was interrupted; these are the games that were played." if result.interrupted else ""
    opening = f"{meaning}. {result.games:,} games, seed {result.seed}.{stopped}"
    shown = Picture(result.plot(), _alt(result), _caption(result))
    found = tables(result)
    return {"": [opening, shown], **{heading: [table] for heading, table in found.items()}}


def _alt(result: LeagueResult) -> str:
    cells = " ".join(f"{cell.first} and {cell.second}: {cell.mean:.3f}." for cell in result.cells)
    return f"Heat map of mean scores. {cells}"


def _caption(result: LeagueResult) -> str:
    if result.kind == CROSS_PLAY:
        return "What the agent of the row and that of the column score together; from best to worst partner."
    return (
        "Left: mean score of the agent of the row against that of the column, best rated first; a question mark: undecided. "
        "Right: ratings with intervals of 95 %."
    )


def draw_league(result: LeagueResult) -> Any:
    """The heat map; beside it ratings, where there are some."""
    from matplotlib.figure import Figure

    n = len(result.agents)
    side = 2.4 + 0.55 * n
    if result.ratings is None:
        figure: Any = Figure(figsize=(side + 1.2, side), layout="constrained")
        _draw_heat_map(result, figure.subplots())
        return figure
    figure = Figure(figsize=(side + 5.2, side), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=(side, 3.6))
    _draw_heat_map(result, left)
    _draw_ratings(result, right)
    return figure


def _draw_heat_map(result: LeagueResult, axes: Any) -> None:
    """A field for each pairing: the mean score of the row's agent, with its colour; a question mark where undecided."""
    import numpy as np

    order = result.ranking
    n = len(order)
    names = [result.agents[agent] for agent in order]
    together = result.kind == CROSS_PLAY
    fields = [[np.nan if one == other and not together else result.mean(one, other) for other in order] for one in order]
    open_pairs = {frozenset((cell.first, cell.second)) for cell in result.undecided}
    if together:
        shades = axes.imshow(fields, cmap="viridis")
    else:
        reach = max(float(np.nanmax(np.abs(np.array(fields) - 0.5))), 0.02)
        shades = axes.imshow(fields, cmap="RdBu", vmin=0.5 - reach, vmax=0.5 + reach)
    axes.figure.colorbar(shades, ax=axes, shrink=0.7)
    axes.set_xticks(range(n), names, rotation=40, ha="right", rotation_mode="anchor", fontsize=9)
    axes.set_yticks(range(n), names, fontsize=9)
    axes.tick_params(length=0)
    axes.set_title(f"{result.game}: {'row with column' if together else 'row against column'}", fontsize=11, loc="left")
    if n > _MAX_NUMBERS:
        return
    for row, column in ((row, column) for row in range(n) for column in range(n)):
        value = fields[row][column]
        if not np.isnan(value):
            mark = "?" if frozenset((names[row], names[column])) in open_pairs else ""
            red, green, blue, _ = shades.cmap(shades.norm(value))
            ink = "white" if 0.3 * red + 0.59 * green + 0.11 * blue < 0.5 else "black"
            text = f"{value:.3g}{mark}" if together else f"{value:.3f}{mark}".replace("0.", ".", 1)
            axes.text(column, row, text, ha="center", va="center", fontsize=8, color=ink)


def _draw_ratings(result: LeagueResult, axes: Any) -> None:
    """Ratings with bars of 95 %, the best above."""
    ratings = result.ratings
    assert ratings is not None
    for place, agent in enumerate(result.ranking):
        low, high = ratings.interval(agent)
        axes.plot((low, high), (place, place), color="#4477aa", linewidth=2)
        axes.plot(ratings.values[agent], place, "o", color="#4477aa", markersize=5)
    axes.set_yticks(range(len(result.agents)), [result.agents[agent] for agent in result.ranking], fontsize=9)
    axes.set_ylim(len(result.agents) - 0.5, -0.5)
    axes.axvline(0, color="#999999", linewidth=0.8)
    axes.grid(axis="x", alpha=0.3)
    axes.set_title("rating (Elo)", fontsize=11, loc="left")
