"""Questions 1 to 4: the document's formulas and tables beside exact answers."""

from __future__ import annotations

from fractions import Fraction
from functools import cache, partial
from typing import TYPE_CHECKING

import numpy as np

from facedown.papers.claims import Claim, Correction, Figure, Place, Published, Reading
from facedown.papers.documents import Drawing, Passage, Plot
from facedown.papers.laboratory import Laboratory
from facedown.papers.pictures import FAINT, INK, OTHER, OURS
from facedown.solving.cant_stop_questions import TRIPLES, Closing, all_triples, best_throws, close, p_playable, reach_goal

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

NAME = "cant_stop"
_REPEAT = "facedown paper cant_stop"
GOAL, P = 50, "0.7"
_N_ACROSS = 3


def _exact(value: int | Fraction) -> Figure:
    return Figure.counted(value if isinstance(value, int) or value.denominator > 1 else int(value), _REPEAT)


# --- question 1 ---------------------------------------------------------------------------------------------------------


def number(laboratory: Laboratory, p: str) -> Figure:
    """N*."""
    return _exact(best_throws(p).number)


def gain(laboratory: Laboratory, p: str) -> Figure:
    """What N* throws gain."""
    return _exact(best_throws(p).gain)


def _first(p: str, throws: str, gained: str) -> tuple[Claim, Claim]:
    tied = len(best_throws(p).best) > 1
    note = f"One throw more gains the same on average, {best_throws(p).gain}: the document's formula gives the smaller number."
    where = Place(NAME, "Question 1, table of N* and the expected gain")
    short = p.replace("0.", "")
    return (
        where.exact(
            f"q1-throws-{short}",
            f"With p = {p} it is best to stop after {throws} throw{'s' if throws != '1' else ''}.",
            throws,
            partial(number, p=p),
            note=note if tied else "",
        ),
        where.printed(f"q1-gain-{short}", f"With p = {p} a turn gains {gained} on average.", gained, partial(gain, p=p)),
    )


FIRST = tuple(
    claim
    for p, throws, gained in (("0.25", "1", "0.25"), ("0.5", "1", "0.5"), ("0.75", "3", "1.27"), ("0.9", "9", "3.49"))
    for claim in _first(p, throws, gained)
)


# --- question 2 ---------------------------------------------------------------------------------------------------------


def _optimal_gains(laboratory: Laboratory, throws: int, first: int, last: int) -> Figure:
    """For how many gains of a range this number of throws is optimal."""
    best = reach_goal(GOAL, P).best[first : last + 1]
    return _exact(sum(throws in numbers for numbers in best))


def _rest_is_optimal(laboratory: Laboratory) -> Figure:
    """For how many of the last gains it is optimal to try all the rest."""
    return _exact(sum(GOAL - gain in reach_goal(GOAL, P).best[gain] for gain in range(47, GOAL)))


def _optimal_throws(laboratory: Laboratory, goal: int, p: str, most: bool = True) -> Figure:
    """An optimal number of throws with nothing banked: the largest, or the smallest."""
    return _exact((max if most else min)(reach_goal(goal, p).best[0]))


@cache
def _second_method(goal: int, p: float, horizon: int) -> int:
    """The document's second method, as it stands: how many throws it wants with nothing banked and all the time left.

    A throw that fails costs nothing, only stopping does; and what is not done at the horizon costs nothing either.
    """
    values = np.zeros((goal + 1, goal + 1))  # by what is banked and what the turn has gained
    stops = np.zeros_like(values, dtype=bool)
    banked, gained = np.indices(values.shape)
    possible = banked + gained <= goal
    for _ in range(horizon):
        after = np.zeros_like(values)
        after[:, :-1] = values[:, 1:]
        rolling = p * after + (1 - p) * values[:, :1]
        stopping = 1 + values[np.minimum(banked + gained, goal), 0]
        stops = possible & ((stopping <= rolling) | (banked + gained == goal)) & (gained > 0)
        values = np.where(stops, stopping, rolling)
        values[goal, :] = 0
    return int(np.argmax(stops[0]))


def _by_second_method(laboratory: Laboratory, goal: int, p: str) -> Figure:
    """What the second method answers, with the horizon of twice the goal that the document names for its first."""
    return _exact(_second_method(goal, float(p), 2 * goal))


_FIRST_METHOD = Place(NAME, "Question 2, first method: 'Si le gain G est entre 0 et 45, on joue trois fois'")
_SECOND_METHOD = Place(
    NAME, "Question 2, second method: 'tant que le gain courant est inférieur ou égal à 17, on continue ... de 23'"
)

SECOND = (
    _FIRST_METHOD.exact(
        "q2-three-throws",
        "With a goal of 50 and p = 0.7, three throws are optimal for all 46 gains from 0 to 45.",
        "46",
        partial(_optimal_gains, throws=3, first=0, last=45),
        note=(
            "The policy is one of many: a turn of k throws takes 1/p^k tries, so turns may be taken in any order, and where "
            "the rest is not a multiple of three, two throws are as good as three for most gains."
        ),
    ),
    Place(NAME, "Question 2, first method: 'S'il vaut 46, on ne lance que deux fois'").exact(
        "q2-two-throws", "At 46, two throws are optimal.", "1", partial(_optimal_gains, throws=2, first=46, last=46)
    ),
    Place(NAME, "Question 2, first method: 'Sinon, on lance Gmax - G fois'").exact(
        "q2-the-rest", "At 47, 48 and 49 it is optimal to try all the rest in one turn.", "3", _rest_is_optimal
    ),
    Place(NAME, "Question 2, second method: Gmax = 10, p = 0.5").exact(
        "q2-half",
        "With a goal of 10 and p = 0.5, two throws are optimal from the start.",
        "2",
        partial(_optimal_throws, goal=10, p="0.5"),
        note="One throw is as good: N* and N* + 1 tie where p / (1 - p) is a whole number.",
    ),
    Place(NAME, "Question 2, second method: Gmax = 50, p < 0.5").exact(
        "q2-below-half",
        "With a goal of 50 and p below 0.5, here 0.49, one throw a turn is optimal.",
        "1",
        partial(_optimal_throws, goal=50, p="0.49"),
    ),
    _SECOND_METHOD.exact(
        "q2-second-method",
        "With a goal of 50 and p = 0.7, it is best to throw until 23 are gained, as long as 17 or less are banked.",
        "23",
        partial(_optimal_throws, goal=GOAL, p=P),
        correction=Correction(
            "The second method charges a turn only when the player stops, so a turn that is lost costs nothing and the last "
            "turn before its horizon is free; counted as the question asks, three throws are best at every gain up to 45.",
            right=Published.exact("3"),
        ),
        readings=(
            Reading(
                "document",
                "the second method as it stands, with a horizon of 100 throws",
                partial(_by_second_method, goal=GOAL, p=P),
            ),
        ),
    ),
)


# --- question 3 ---------------------------------------------------------------------------------------------------------


def playable(laboratory: Laboratory, columns: tuple[int, int, int]) -> Figure:
    """The probability of a throw that can be played."""
    return _exact(p_playable(*columns))


_THIRD = tuple(
    Place(NAME, "Question 3, table of probabilities").printed(
        f"q3-{'-'.join(map(str, columns))}",
        f"With columns {', '.join(map(str, columns))} open, a throw can be played with probability {published}.",
        published,
        partial(playable, columns=columns),
    )
    for columns, published in (((6, 7, 8), "0.92"), ((2, 5, 9), "0.76"), ((2, 3, 12), "0.44"))
)


# --- question 4 ---------------------------------------------------------------------------------------------------------


@cache
def _closings() -> dict[tuple[int, int, int], Closing]:
    """Question 4 for all choices of three columns."""
    return {triple: close(*triple) for triple in TRIPLES}


def _turns_to_close(laboratory: Laboratory, columns: tuple[int, int, int]) -> Figure:
    """The fewest turns."""
    found = close(*columns)
    return Figure.computed(found.value, 1e-9 * found.value, f"{found.n_rounds:,} rounds of Newton's method", _REPEAT)


_FOURTH = (
    Place(NAME, "Question 4, the cost c(x, y), which is 1 where the player stops and 0 elsewhere").exact(
        "q4-recursion",
        "By the document's recursion columns 6, 7 and 8 can be closed in 1 turn: it never pays to stop before the end.",
        "1",
        partial(_turns_to_close, columns=(6, 7, 8)),
        correction=Correction(
            "The recursion forgets that a lost turn counts, and its transitions have none; with lost turns that return to the "
            "start of the turn, one unknown for each position, closing 6, 7 and 8 takes 7.7865 turns.",
            right=Published.printed("7.7865"),
        ),
    ),
)


# --- tables and plots ---------------------------------------------------------------------------------------------------


def _gather_triples(laboratory: Laboratory) -> str:
    """All 165 triples: probability, throws, turns to close them."""
    throws = all_triples()
    chosen = TRIPLES if laboratory.profile != "tiny" else TRIPLES[:3]
    found = _closings() if laboratory.profile != "tiny" else {triple: close(*triple) for triple in chosen}
    cells = []
    for triple in chosen:
        numbers = "/".join(map(str, throws[triple].best))
        share = throws[triple].p * 1296
        cells.append(f"{'-'.join(map(str, triple)):<8} {share!s:>4} {numbers:>5} {found[triple].value:>8.4f}")
    n_rows = -(-len(cells) // _N_ACROSS)
    lines = ["   ".join(cells[row::n_rows]) for row in range(n_rows)]
    head = "Columns; throws of 1296 that can be played; throws after which to stop, N*; the fewest turns to close all three.\n"
    seconds = sum(closing.seconds for closing in found.values())
    return "\n".join([head, *lines, "", f"Question 4 took {seconds:.1f} s for {len(chosen)} triples, one core."])


def _gather_goal(laboratory: Laboratory) -> Drawing:
    """Question 2: all optimal numbers of throws."""
    goal = reach_goal(GOAL, P)
    points = [(gain, number) for gain, numbers in enumerate(goal.best) for number in numbers]
    caption = (
        f"Goal {GOAL}, p = {P}: all optimal numbers of throws by the gain that is banked. From nothing it takes {goal.value} = "
        f"{float(goal.value):.4f} turns; {goal.n_policies:,} policies are optimal. Exact."
    )
    alt = f"Points at two and three throws for most gains, and at one for {GOAL - 1}."

    def draw(canvas: Canvas) -> None:
        above, below = canvas.subplots(2, 1, sharex=True)
        above.plot(*zip(*points, strict=True), "s", color=OURS, markersize=3.5)
        above.set(title="optimal throws", yticks=[1, 2, 3])
        below.plot([float(value) for value in goal.values], color=OURS)
        below.set(title="turns to go", xlabel="gain that is banked")

    return Drawing(caption, alt, draw)


def _gather_columns(laboratory: Laboratory) -> Drawing:
    """Questions 3 and 4: how likely a throw can be played, and how long it takes to close three columns."""
    chosen = TRIPLES if laboratory.profile != "tiny" else TRIPLES[:3]
    found = {triple: close(*triple) for triple in chosen} if len(chosen) < len(TRIPLES) else _closings()
    across = [float(p_playable(*triple)) for triple in chosen]
    upward = [found[triple].value for triple in chosen]
    quickest = min(chosen, key=lambda triple: found[triple].value)
    slowest = max(chosen, key=lambda triple: found[triple].value)
    caption = (
        f"Three columns that alone are played, {len(chosen)} choices: the probability that a throw can be played, and the "
        f"fewest turns to close all three. {quickest}: {found[quickest].value:.4f}, {slowest}: {found[slowest].value:.4f}."
    )
    alt = f"A cloud of points that falls from the upper left to the lower right, where {quickest} lies."

    def draw(canvas: Canvas) -> None:
        axes = canvas.subplots()
        axes.plot(across, upward, "o", color=OURS, markersize=3)
        for triple in {quickest, slowest}:
            at = (float(p_playable(*triple)), found[triple].value)
            axes.annotate(", ".join(map(str, triple)), at, xytext=(4, 4), textcoords="offset points", color=INK)
        axes.set(xlabel="probability that a throw can be played", title="turns to close three columns")
        axes.axhline(0, color=FAINT, linewidth=0.6)
        axes.tick_params(colors=OTHER)

    return Drawing(caption, alt, draw)


CLAIMS = (*FIRST, *SECOND, *_THIRD, *_FOURTH)
PLOTS = (
    Plot("q2-policies", "Question 2: every optimal policy", 4.2, _gather_goal),
    Plot("q4-triples", "Questions 3 and 4: three columns", 3.8, _gather_columns),
)
PASSAGES = (Passage("triples", "Questions 3 and 4 for all triples", _gather_triples),)
