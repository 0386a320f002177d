"""Solved games: the figures, strategies and plots that papers ask for."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from facedown.errors import UsageError
from facedown.games.registry import game as find_game
from facedown.native.records import Record
from facedown.papers.claims import Figure
from facedown.papers.documents import Drawing, Passage, Plot
from facedown.papers.laboratory import Laboratory, Profile, Sizes
from facedown.papers.pictures import INK, OTHER, OURS, PUBLISHED
from facedown.policies.text import policy_table, view_record
from facedown.solving.solution import Solution

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

BEST = "pdcfr+"
_PRECISE = Sizes(tiny=40, quick=2_000, full=20_000)
SOURCE = "chance-sampling"
_SOURCE_RUN = Sizes(tiny=200, quick=1_000_000, full=10_000_000)
"""The document's run on Kuhn poker has 10^7 iterations."""

_LARGE_DOMINO, _SMALL_DOMINO, _OPEN_DOMINO = "domino(tiles=10,hand=3)", "domino(tiles=6,hand=2)", "domino(tiles=4,hand=2)"
_LARGE_RUN = Sizes(tiny=4, quick=16, full=128)


def fixed(iterations: int) -> Sizes:
    """The same number of iterations in all profiles."""
    return Sizes(iterations, iterations, iterations)


def _work_of(solution: Solution) -> str:
    """What a solution took, in words."""
    return f"{solution.iterations:,} iterations of {solution.method}"


def _precise(laboratory: Laboratory, game: str) -> Solution:
    """A game solved as precisely as the profile allows."""
    return laboratory.solve(game, BEST, iterations=_PRECISE)


def by_the_source(laboratory: Laboratory, game: str) -> Solution:
    """A game solved by the document's method, in as many iterations where the profile is full."""
    return laboratory.solve(game, SOURCE, iterations=_SOURCE_RUN, sampled=True)


def value(laboratory: Laboratory, game: str, solved: Callable[[Laboratory, str], Solution] = _precise) -> Figure:
    """The value for player 0. With two players and zero sum it is no further from that of the game than NashConv."""
    solution = solved(laboratory, game)
    return Figure.computed(solution.value, solution.nash_conv, _work_of(solution), solution.repeat, solution.seed)


def exploitability(laboratory: Laboratory, game: str, method: str, iterations: int) -> Figure:
    """The exploitability after this many iterations."""
    solution = laboratory.solve(game, method, iterations=fixed(iterations))
    return Figure.computed(solution.exploitability, 0.0, _work_of(solution), solution.repeat)


def uniform_nash_conv(laboratory: Laboratory, game: str) -> Figure:
    """NashConv of uniform play, which is where the methods begin."""
    solution = laboratory.solve(game, BEST, iterations=fixed(0))
    return Figure.computed(solution.nash_conv, 0.0, "best responses to uniform play", solution.repeat)


def _chance_of(solution: Solution, sees: Callable[[Record], bool], action: int) -> float:
    """How likely an action is in the one information set that fits."""
    game = find_game(solution.game)
    found = [number for number in range(solution.policy.n_sets) if sees(view_record(game, solution.policy, number))]
    if len(found) != 1:
        raise UsageError(f"{solution.game}: {len(found)} information sets fit, and just one should")
    actions, probabilities = solution.policy.row(found[0])
    return float(probabilities[list(actions).index(action)])


def kuhn_chance(solution: Solution, player: int, card: int, played: tuple[int, ...]) -> float:
    """How likely a bet is in Kuhn poker."""

    def sees(view: Record) -> bool:
        moves = tuple(view.played[: int(view.n_played)].tolist())
        return (int(view.player), int(view.card), moves) == (player, card, played)

    return _chance_of(solution, sees, 1)


def kuhn_figure(
    laboratory: Laboratory, number: Callable[[Solution], float], solved: Callable[..., Solution] = _precise
) -> Figure:
    """A number made of probabilities of the solution of Kuhn poker.

    NashConv bounds values, not probabilities. But Kuhn's equations say that somebody is indifferent, and plays a mixture of
    at least one third of either action there. If the king is bet e more than three times as often as the jack, the second
    player's queen should always fold, which is worth e/6 in the third of cases in which it calls: e/18. The other
    equations give d/12 or more. So 18 NashConv is enough for all.
    """
    solution = solved(laboratory, "kuhn")
    bound = 18 * solution.nash_conv
    return Figure.computed(number(solution), bound, _work_of(solution), solution.repeat, solution.seed)


# --- strategies in words ------------------------------------------------------------------------------------------------


def strategy(laboratory: Laboratory, game: str, most: int | None, player: int | None = None) -> str:
    """The solution of a game, line by line."""
    solution = _precise(laboratory, game)
    head = [
        f"{solution.game}, {_work_of(solution)}",
        f"value for player 0: {solution.value:.9g}, exploitability {solution.exploitability:.2g}",
        f"again: {solution.repeat} --policy",
    ]
    return "\n".join([*head, "", policy_table(solution.policy, player, most)])


PASSAGES = (
    Passage("kuhn-strategy", "Kuhn poker: a solution", partial(strategy, game="kuhn", most=None)),
    Passage(
        "domino-open",
        "Domino, test 1: four tiles, two each, so that everybody can tell what the other holds",
        partial(strategy, game=_OPEN_DOMINO, most=None),
    ),
    Passage(
        "domino-small",
        "Domino, test 2: six tiles, two each, two in the stock; the first information sets of each player",
        partial(strategy, game=_SMALL_DOMINO, most=14),
    ),
)

# --- plots --------------------------------------------------------------------------------------------------------------

_LINES = ((OTHER, (0, (1, 1.5))), (PUBLISHED, (0, (5, 2))), (OTHER, (0, (5, 1, 1, 1))), (OURS, (0, (3, 1.5))), (OURS, "solid"))


def _draw_curves(axes: Axes, curves: dict[str, Solution], column: str) -> None:
    for (name, solution), (colour, dashes) in zip(curves.items(), _LINES, strict=False):
        points = [point for point in solution.curve if point.exploitability > 0]
        across = [getattr(point, column) for point in points]
        axes.plot(across, [point.exploitability for point in points], color=colour, linestyle=dashes, label=name)
    axes.set_xscale("log")
    axes.set_yscale("log")


def _regret_bound(solution: Solution) -> Callable[[float], float]:
    """What the document promises of exploitability: the mean over the players of D |I| sqrt|A| / sqrt(T)."""
    game = find_game(solution.game)
    low, high = game.score_range
    assert solution.tree is not None, "small games are evaluated exactly"
    spread = (high - low) * sum(solution.tree.information_sets) * math.sqrt(game.n_actions) / game.n_players
    return lambda iterations: spread / math.sqrt(iterations)


def _gather_kuhn(laboratory: Laboratory) -> Drawing:
    """Exploitability against iterations in Kuhn poker, with the document's bound."""
    curves = {SOURCE: by_the_source(laboratory, "kuhn")}
    run = Sizes(tiny=64, quick=4_096, full=65_536)
    curves |= {method: laboratory.solve("kuhn", method, iterations=run) for method in ("cfr", "cfr+", "dcfr", BEST)}
    bound = _regret_bound(curves["cfr"])
    ends = ", ".join(f"{name} {s.exploitability:.2g} after {s.iterations:,}" for name, s in curves.items())
    caption = (
        f"Kuhn poker: exploitability against iterations, exactly evaluated (sampling: seed {laboratory.seed}). {ends}. The "
        "thin line is what the document's theorem promises for plain regret minimisation; every method stays far below."
    )
    alt = f"Five falling curves on logarithmic scales, all below a straight line. At the end: {ends}."

    def draw(canvas: Canvas) -> None:
        axes = canvas.subplots()
        _draw_curves(axes, curves, "iterations")
        across = np.geomspace(1, max(s.iterations for s in curves.values()), 50)
        axes.plot(across, [bound(n) for n in across], color=INK, linewidth=0.8, label="the theorem")
        axes.set(xlabel="iterations (logarithmic)", title="exploitability (logarithmic)", ylim=(1e-10, None))
        axes.legend(loc="lower left")

    return Drawing(caption, alt, draw)


def _gather_domino(laboratory: Laboratory) -> Drawing:
    """Exploitability of the largest domino game of the document, exactly."""
    game = _SMALL_DOMINO if laboratory.profile is Profile.TINY else _LARGE_DOMINO
    curves = {m: laboratory.solve(game, m, iterations=_LARGE_RUN) for m in ("cfr", "cfr+", "dcfr", "pcfr+", BEST)}
    counts = curves[BEST].tree
    assert counts is not None
    largest = find_game(game).score_range[1]
    best = curves[BEST].exploitability
    caption = (
        f"{game}, which the document solves approximately: exact exploitability against iterations and against seconds of "
        f"iterating on one core. The tree has {counts.nodes:,} nodes and {sum(counts.information_sets):,} information sets, "
        f"built in {counts.seconds:.0f} s. After {curves[BEST].iterations} iterations {BEST} is at {best:.3g}, "
        f"{best / largest:.2%} of the largest payoff, {largest:g}."
    )
    ends = ", ".join(f"{name} {s.exploitability:.2g} after {s.seconds:.1f} s" for name, s in curves.items())
    alt = f"Two panels of falling curves on logarithmic scales. At the end: {ends}."

    def draw(canvas: Canvas) -> None:
        above, below = canvas.subplots(2, 1)
        _draw_curves(above, curves, "iterations")
        _draw_curves(below, curves, "seconds")
        above.set(title="exploitability against iterations (logarithmic)")
        below.set(title="exploitability against seconds (logarithmic)")
        above.legend(loc="lower left", ncols=2)

    return Drawing(caption, alt, draw)


PLOTS = (
    Plot("kuhn-curves", "Kuhn poker: how quickly each method converges", 4.4, _gather_kuhn),
    Plot("domino-curves", "Domino, test 3: ten tiles, hands of three", 6.4, _gather_domino),
)
