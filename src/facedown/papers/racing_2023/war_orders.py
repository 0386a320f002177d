"""War: all orders against each other, which pairings never end, and how often an equilibrium would choose each order.

Beyond the source, which knows three orders and mixes them anew in every round. Here an order is chosen once for a game, so
the orders are the rows and columns of a matrix game. Games without end are found exactly: both piles come back, and no order
that is left leaves anything to chance. They are draws.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from facedown.games.registry import game as find_game
from facedown.papers.claims import Figure
from facedown.papers.documents import Drawing, Plot
from facedown.papers.laboratory import Laboratory, Profile, Sizes, column, share
from facedown.papers.pictures import INK, OTHER, OURS
from facedown.racing.league_result import LeagueResult
from facedown.seeds import derived_seed
from facedown.solving.matrix import solve_matrix

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

Array = np.ndarray[Any, Any]

FIXED = ("descending", "ascending", "winner_first", "loser_first")
ORDERS = (*FIXED, "shuffled")
_NO_CAP = 1_000_000
"""Rounds that no game has been seen to reach which neither ends nor repeats itself."""
_EACH = Sizes(tiny=16, quick=4_000, full=1_000_000)
SEEN = Sizes(tiny=16, quick=2_000, full=200_000)
_REDRAWN = 100


def _orders_game(laboratory: Laboratory) -> str:
    """War without a cap that matters, in which piles that come back are a draw; with few cards for tests of the machinery."""
    tiny = {"ranks": 4} if laboratory.profile is Profile.TINY else {}
    return str(find_game("war")(**tiny, max_rounds=_NO_CAP, repetition="draw"))


def orders_league(laboratory: Laboratory) -> LeagueResult:
    """Every order against every other one."""
    return laboratory.league(_orders_game(laboratory), *ORDERS, games=_EACH)


def _share_endless(laboratory: Laboratory, one: str, other: str) -> Figure:
    """The exact share of the games of two fixed orders that never end, among those that were dealt."""
    played = laboratory.match(_orders_game(laboratory), one, other, games=SEEN, swap=one != other)
    return share(played, column(played, "cycled"))


def endless_pairings(laboratory: Laboratory) -> dict[tuple[str, str], Figure]:
    """How many games of all pairings of fixed orders never end, those of an order with itself included."""
    pairs = itertools.combinations_with_replacement(FIXED, 2)
    return {pair: _share_endless(laboratory, *pair) for pair in pairs}


@dataclass(frozen=True)
class OrdersEquilibrium:
    """How often each order is chosen in an equilibrium of the matrix game, and how sure that is."""

    orders: tuple[str, ...]
    means: tuple[tuple[float, ...], ...]
    """Average score of the row's order against the column's."""
    shares: tuple[float, ...]
    stderr: tuple[float, ...]
    """Of the shares: how much they differ from table to table, if each mean is drawn anew with its standard error."""
    gains: tuple[float, ...]
    """How much less than 1/2 each order scores against the equilibrium."""


def equilibrium_of(played: LeagueResult, seed: int) -> OrdersEquilibrium:
    """The equilibrium of choosing an agent of a league at the same time as the other player does."""
    n = len(played.agents)
    means = np.array([[0.5 if one == other else played.mean(one, other) for other in range(n)] for one in range(n)])
    shares = np.array(solve_matrix(means - 0.5).rows)
    number = {name: index for index, name in enumerate(played.agents)}
    generator = np.random.default_rng(derived_seed(seed, "equilibrium"))
    redrawn = []
    for _ in range(_REDRAWN):
        table = means - 0.5
        for cell in played.cells:
            one, other = number[cell.first], number[cell.second]
            table[one, other] += cell.stderr * generator.standard_normal()
            table[other, one] = -table[one, other]
        redrawn.append(solve_matrix(table).rows)
    return OrdersEquilibrium(
        orders=played.agents,
        means=tuple(map(tuple, means.tolist())),
        shares=tuple(shares.tolist()),
        stderr=tuple(np.std(redrawn, axis=0).tolist()),
        gains=tuple((0.5 - means @ shares).tolist()),
    )


def gather_orders(laboratory: Laboratory) -> Drawing:
    """The table of all orders, and the equilibrium below it."""
    played = orders_league(laboratory)
    found = equilibrium_of(played, laboratory.seed)
    endless = endless_pairings(laboratory)
    names = [name.replace("_", " ") for name in found.orders]
    worst = max(endless, key=lambda pair: endless[pair].value)
    never = ", ".join(
        f"{one} – {other} {figure.shown(percent=True)}" for (one, other), figure in endless.items() if figure.value > 0
    ).replace("_", " ")
    mixed = ", ".join(
        f"{name} {100 * part:.0f} % (± {100 * error:.0f})"
        for name, part, error in zip(names, found.shares, found.stderr, strict=True)
        if part > 0.0005
    )
    caption = (
        "Above: average score of the order of the row against that of the column, in per cent "
        f"({played.cells[0].games:,} games each, seed {laboratory.seed}). Below: how often each order is chosen in an "
        f"equilibrium of the matrix game: {mixed}; "
        "errors from tables that are drawn anew. Games that never end count as draws; found exactly, they are: "
        f"{never}. The most in {worst[0]} against {worst[1]}.".replace("_", " ")
    )
    cells = " ".join(f"{cell.first} against {cell.second}: {100 * cell.mean:.1f} per cent." for cell in played.cells)
    alt = f"Table of orders. {cells} Equilibrium: {mixed}.".replace("_", " ")

    def draw(canvas: Canvas) -> None:
        above, below = canvas.subplots(2, 1, height_ratios=(3, 1.3))
        _draw_table(above, names, np.array(found.means))
        places = range(len(names))
        below.bar(
            places, [100 * part for part in found.shares], yerr=[100 * error for error in found.stderr], color=OURS, ecolor=INK
        )
        below.set_xticks(list(places), [name.replace(" ", "\n") for name in names])
        below.set(title="equilibrium, per cent", ylim=(0, 108), xlim=(-0.5, len(names) - 0.5))
        below.grid(axis="x", visible=False)

    return Drawing(caption, alt, draw)


def _draw_table(axes: Any, names: list[str], means: Array) -> None:
    """A field for each pairing, the darker the further from 50."""
    from matplotlib.patches import Rectangle

    n = len(names)
    furthest = float(np.abs(means - 0.5).max()) or 1.0
    for row, place in itertools.product(range(n), range(n)):
        mean = means[row, place]
        colour = OURS if mean > 0.5 else OTHER
        depth = 0.55 * abs(mean - 0.5) / furthest
        axes.add_patch(Rectangle((place - 0.5, row - 0.5), 1, 1, facecolor=colour, alpha=depth, edgecolor="none"))
        axes.text(place, row, "–" if row == place else f"{100 * mean:.1f}", ha="center", va="center", color=INK)
    axes.set(xlim=(-0.5, n - 0.5), ylim=(n - 0.5, -0.5), title="row against column, per cent")
    axes.set_xticks(range(n), [name.replace(" ", "\n") for name in names])
    axes.set_yticks(range(n), names)
    axes.tick_params(length=0)
    axes.grid(visible=False)


PLOTS = (Plot("war-orders", "War: all orders against each other, and an equilibrium", 5.6, gather_orders),)
