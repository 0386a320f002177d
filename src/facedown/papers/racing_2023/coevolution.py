"""Jakóbczyk 2023, chapter 5: every number of tables 5.1 to 5.4, and the sentences on what was found in War and in Rrrats."""

from __future__ import annotations

import math
from functools import partial

from facedown.papers.claims import Claim, Correction, Figure, Place, Published, Reading
from facedown.papers.laboratory import Laboratory
from facedown.papers.racing_2023 import tables, tuned, war_orders
from facedown.papers.racing_2023.claims import PAPER_NAME
from facedown.papers.racing_2023.figures import paper_command
from facedown.papers.racing_2023.tables import METHODS, STATISTICS
from facedown.papers.racing_2023.war import score
from facedown.racing.league_result import LeagueResult
from facedown.solving.matrix import solve_matrix

GAMES = {"war": "War", "rrrats": "Rrrats"}
_PAGE = {"5.1": 30, "5.2": 30, "5.3": 31, "5.4": 31}
_NAMES = {"mean": "mean", "std": "deviation", "min": "min", "25%": "lower", "50%": "median", "75%": "upper", "max": "max"}
_WORDS = {
    "std": "standard deviation",
    "min": "minimum",
    "25%": "lower quartile",
    "50%": "median",
    "75%": "upper quartile",
    "max": "maximum",
}
_TEXT = Place(PAPER_NAME, "Chapter 5, 'Wyniki dla gry {}' (results for {}), page 29: '{}'")
_EQUAL = Published("equal", 0.0, 0.01)
"""What is said of probabilities in a table that cannot be told apart: to half a hundredth."""
_LAID = ("descending", "ascending", "shuffled")

ABOUT = (
    "Tables 5.1 to 5.4 are those of one run of each algorithm, from one start that is not printed: they have 100 "
    "repetitions, but the standard deviation of a repetition is that of 10,000 games between two strategies that stay the "
    "same, so a repetition is a match. Nor is it said how many games a run had. Here every repetition is a run of its "
    "own, from a random start of its own, with the race and the step of the thesis ('ilebr*2', 1.25/.84, the last x given "
    "back) and the same number of games for all algorithms; a candidate and its rival play each deal twice, with the "
    "seats swapped, and a race counts deals. Our means are over runs: 100 in full; the quick run has so few that their "
    "error is hardly known itself, and their verdicts are worth little. The other rows of tables 5.1 and 5.3 are judged "
    "by what 100 such matches with the printed mean would give. In Rrrats what strategies win is computed exactly; the "
    "row's strategy moves first, as the diagonal of table 5.4 shows."
)


# --- tables 5.1 and 5.3 --------------------------------------------------------------------------------------------------


def _where(table: str) -> Place:
    return Place(PAPER_NAME, f"Chapter 5, table {table}, page {_PAGE[table]}")


def sampled(laboratory: Laboratory, game: str, method: str, statistic: str) -> Figure:
    """What 100 matches of 10,000 games give if both strategies stay the same, and win as often as the table says."""
    value, _ = tables.expected(statistic, tables.printed_mean(game, method))
    return Figure.computed(value, 0.0, "from the printed mean", paper_command(laboratory).partition(" --seed")[0])


def _mean_claim(game: str, method: str) -> Claim:
    published = tables.AGAINST_START[game]
    number, table = METHODS.index(method), tables.START_TABLE[game]
    error = float(published["std"][number]) / math.sqrt(tables.REPETITIONS)
    readings = [
        Reading(
            "spread",
            "standard deviation from run to run, each with a start of its own",
            partial(tuned.over_runs, game=game, method=method, statistic="std"),
            rival=False,
        )
    ]
    if game == "rrrats":
        readings.append(
            Reading(
                "both",
                "both seats in turn, instead of moving first",
                partial(tuned.against_start, game=game, method=method, both_seats=True),
            )
        )
    return _where(table).claim(
        f"{game}-{method}-mean",
        f"In {GAMES[game]}, what '{method}' found wins {published['mean'][number]} of the games against its random start.",
        Published.printed(published["mean"][number], stderr=error),
        partial(tuned.against_start, game=game, method=method),
        correction=Correction(
            "The printed mean is that of one start, which is not printed, and its standard deviation is that of 10,000 games "
            "between two strategies that stay the same; from start to start results differ by {spread}, and our mean is "
            "over starts."
        ),
        readings=tuple(readings),
    )


def _row_claim(game: str, method: str, statistic: str) -> Claim:
    text = tables.AGAINST_START[game][statistic][METHODS.index(method)]
    table, word = tables.START_TABLE[game], _WORDS[statistic]
    _, error = tables.expected(statistic, tables.printed_mean(game, method))
    return _where(table).claim(
        f"{game}-{method}-{_NAMES[statistic]}",
        f"In {GAMES[game]}, the {word} of 100 results of '{method}' against its start is {text}.",
        Published.printed(text, stderr=error),
        partial(sampled, game=game, method=method, statistic=statistic),
        readings=(
            Reading(
                "runs",
                "of our runs, each with a start of its own",
                partial(tuned.over_runs, game=game, method=method, statistic=statistic),
                rival=False,
            ),
        ),
        note="Judged as that of matches between two strategies that stay the same; over runs from random starts it is {runs}.",
    )


def _start_claims(game: str) -> tuple[Claim, ...]:
    return tuple(
        _mean_claim(game, method) if statistic == "mean" else _row_claim(game, method, statistic)
        for method in METHODS
        for statistic in STATISTICS
    )


# --- tables 5.2 and 5.4 --------------------------------------------------------------------------------------------------


def _cross_claim(game: str, row: int, column: int) -> Claim:
    text, deviation = tables.AGAINST_EACH_OTHER[game][row][column]
    one, other = METHODS[row], METHODS[column]
    first = ", moving first," if game == "rrrats" else ""
    readings: tuple[Reading, ...] = ()
    why = (
        "The printed number is that of one run of each algorithm from a start that is not printed; ours is the mean over runs, "
        "which end with different strategies."
    )
    if game == "rrrats" and one == other:
        readings = (
            Reading("always", "always to roll, against itself", partial(tuned.first_against_itself, stop=0.0)),
            Reading("mixed", "to stop with 64 % at three, against itself", partial(tuned.first_against_itself, stop=0.64)),
            Reading("hold", "to stop at three, against itself", partial(tuned.first_against_itself, stop=1.0)),
            Reading(
                "bank",
                "to stop with 64 % at three, if 0-0 banks the hand",
                partial(tuned.first_against_itself, stop=0.64, zeros_bank="yes"),
            ),
        )
        why += (
            " Always to roll, the best that looks at its hand alone, would have {always}, 64 % at three {mixed}, always to "
            "stop at three {hold}."
        )
    return _where(tables.CROSS_TABLE[game]).claim(
        f"{game}-{one}-against-{'itself' if one == other else other}",
        f"In {GAMES[game]}, what '{one}' found{first} wins {text} of the games against what '{other}' found.",
        Published.printed(text, stderr=float(deviation) / math.sqrt(tables.CROSS_REPETITIONS[game])),
        partial(tuned.against_each_other, game=game, row=one, column=other),
        correction=Correction(why),
        readings=readings,
    )


def _deviation_claim(game: str) -> Claim:
    """One claim for the numbers behind the signs ±: they are printed with one digit."""
    printed = [float(deviation) for row in tables.AGAINST_EACH_OTHER[game] for _, deviation in row]
    n, cells = tables.CROSS_REPETITIONS[game], len(printed)
    average = sum(printed) / cells
    table = tables.CROSS_TABLE[game]
    return _where(table).claim(
        f"{game}-cross-deviations",
        f"The standard deviations of table {table} are {min(printed)} to {max(printed)}, and {average:.5f} on average.",
        Published(f"{average:.5f}", average, 0.001 / math.sqrt(cells), 0.005 / math.sqrt(2 * (n - 1) * cells)),
        _even_deviation,
        note=(
            f"As of 10,000 games between equals; they differ from each other as those of about {n} repetitions do, a number "
            "that the thesis does not mention."
        ),
    )


def _even_deviation(laboratory: Laboratory) -> Figure:
    work = "10,000 games between equals"
    return Figure.computed(tables.sampling_deviation(0.5), 0.0, work, paper_command(laboratory).partition(" --seed")[0])


def _cross_claims(game: str) -> tuple[Claim, ...]:
    n = len(METHODS)
    return (*(_cross_claim(game, row, column) for row in range(n) for column in range(n)), _deviation_claim(game))


# --- sentences -----------------------------------------------------------------------------------------------------------


def share_of_descending(laboratory: Laboratory) -> Figure:
    """How often an equilibrium of the three orders of the source lays the highest card first."""
    played = war_orders.orders_league(laboratory)
    table = [[0.0 if one == other else _mean(played, one, other) - 0.5 for other in _LAID] for one in _LAID]
    games = sum(cell.games for cell in played.cells if {cell.first, cell.second} <= set(_LAID))
    return Figure(solve_matrix(table).rows[0], 0.0, games, laboratory.seed, paper_command(laboratory))


def _mean(played: LeagueResult, one: str, other: str) -> float:
    return float(played.mean(played.agents.index(one), played.agents.index(other)))


def share_among_five(laboratory: Laboratory) -> Figure:
    """The same with the winner's card first and the loser's card first."""
    played = war_orders.orders_league(laboratory)
    found = war_orders.equilibrium_of(played, laboratory.seed)
    place, games = found.orders.index("descending"), sum(cell.games for cell in played.cells)
    return Figure(found.shares[place], found.stderr[place], games, laboratory.seed, paper_command(laboratory))


def _better_claim(game: str, polish: str) -> Claim:
    return _TEXT.quoting(polish, GAMES[game], "każdy z naszych algorytmów zdołał znaleźć strategię dającą lepszy wynik").claim(
        f"{game}-better-than-start",
        f"In {GAMES[game]}, every algorithm finds a strategy that is better than its random start.",
        Published("every run", 1.0),
        partial(tuned.share_better, game=game),
        correction=Correction(
            "Some starts are hard to better: no candidate is shown to win within the games of a run, or a race errs; the "
            "thesis shows one start."
        ),
        note="Ours is the share of runs, of all four algorithms, that end with what wins more than half against their start.",
    )


def _row_lead() -> Published:
    """By how much the third row of table 5.4 leads on average."""
    rows = [sum(float(mean) for mean, _ in row) / len(row) for row in tables.AGAINST_EACH_OTHER["rrrats"]]
    lead = rows[2] - max(row for number, row in enumerate(rows) if number != 2)
    return Published(f"{lead:.4f}", lead, 0.0005, 0.0005 / math.sqrt(2))


_WAR_SENTENCES = (
    _better_claim("war", "Wojna"),
    _TEXT.quoting("Wojna", "War", "zastosowane algorytmy znalazły identyczne zwycięskie strategie").claim(
        "war-equal",
        "In War all algorithms found the same strategy, so the probabilities of table 5.2 are equal.",
        _EQUAL,
        tuned.largest_difference,
        correction=Correction(
            "Runs end with different mixtures of the three orders, and the last x of an algorithm that compares with its "
            "archive wanders; ours is the entry of the table that is furthest from one half."
        ),
    ),
    _TEXT.quoting(
        "Wojna", "War", "istnieje optymalna strategia prosta, polegająca na układaniu kart zawsze od największej"
    ).claim(
        "war-best-order",
        "In War the best strategy is pure: always to lay the highest card first.",
        Published("100 %", 1.0),
        share_of_descending,
        readings=(Reading("five", "with the winner's card first and the loser's card first", share_among_five),),
        note="Ours is its share in an equilibrium of the three orders; among five, which the thesis does not consider, {five}.",
    ),
    _TEXT.quoting("Wojna", "War", "najbardziej powszechną strategią [...] jest zarazem strategia silnie przegrywająca").printed(
        "war-common-order",
        "In War the most common way, to lay won cards in any order, loses strongly: 30 % against highest first.",
        "30 %",
        partial(score, agents=("descending", "shuffled"), agent=1),
        note="The number is that of the sentence before it, seen from the other side.",
    ),
)

_RRRATS_SENTENCES = (
    _better_claim("rrrats", "Rrrats"),
    _TEXT.quoting("Rrrats", "Rrrats", "najlepszą strategię znalazł algorytm przybliżonej koewolucji 1").claim(
        "rrrats-best-algorithm",
        "In Rrrats 'approximate' found the best strategy: its row of table 5.4 leads the next best by 0.0005 on average.",
        _row_lead(),
        tuned.lead,
        correction=Correction(
            "A lead of 0.0005 in one run is less than its error, and over runs 'approximate' is not ahead: its last x is "
            "whatever beat one member of its archive, good or bad."
        ),
        readings=tuple(
            Reading(
                method,
                f"what a best reply wins beyond one half against what '{method}' found",
                partial(tuned.mean_exploitability, method=method),
                rival=False,
            )
            for method in METHODS
        ),
    ),
    _TEXT.quoting("Rrrats", "Rrrats", "kończenie tury gracza z prawdopodobieństwem równym 64% [...] 3 punkty").printed(
        "rrrats-stop",
        "In Rrrats the best strategy is mixed: to stop with probability 64 % with three in hand.",
        "64 %",
        tuned.best_stop,
        correction=Correction(
            "Of all strategies that look at their hand alone always to roll is best: a best reply wins {always} beyond one "
            "half against it, {mixed} against stopping with 64 % at three, and {hold} against always stopping there; nothing "
            "is gained by mixing.",
            right=Published.exact("0"),
        ),
        readings=(
            Reading(
                "always", "what a best reply wins beyond one half: always to roll", partial(tuned.exploitable, stop=0.0), False
            ),
            Reading("mixed", "the same: to stop with 64 % at three", partial(tuned.exploitable, stop=0.64), False),
            Reading("hold", "the same: to stop at three", partial(tuned.exploitable, stop=1.0), False),
            Reading("first", "moving first wins, between perfect players", tuned.moving_first, False),
        ),
        note="Perfect play looks at both players' points as well, and wins {first} if it moves first.",
    ),
)

CLAIMS = (
    *_WAR_SENTENCES,
    *_start_claims("war"),
    *_cross_claims("war"),
    *_RRRATS_SENTENCES,
    *_start_claims("rrrats"),
    *_cross_claims("rrrats"),
)
