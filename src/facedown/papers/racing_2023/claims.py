"""Jakóbczyk 2023, chapter 2: the numbers that it prints on its races, with epsilon = 0.01 and delta = 0.05."""

from __future__ import annotations

from functools import partial

from facedown.papers.claims import Correction, Place, Published, Reading
from facedown.papers.racing_2023 import figures

PAPER_NAME = "racing"
_WHERE = Place(PAPER_NAME, "Chapter 2, section {}: '{}'")
_SAME = Published("no difference", 0.0, 0.01)
"""What is said of curves in a plot that cannot be told apart: to half a hundredth."""
_ON_A_GRID = "Judged at the means that were planned, from 0.45 to 1/2; nothing is said of those between."
_IN_A_PLOT = f"Ours is the largest difference; a plot does not show half a hundredth. {_ON_A_GRID}"

ABOUT = (
    "Chapter 2 compares races: procedures that play until they can tell with error delta which of two players is better. Its "
    "formulas are solved here again, and its races planned exactly, game by game, instead of simulated. One rule of ours "
    "differs: a test decides on its own interval, where the thesis intersects it with all earlier ones; that ends some races "
    "between nearly equal players a little sooner, and figures marked with a seed simulate it as the thesis has it. Slips that "
    "need no number: in (2.10) to (2.12) Y should have the index f(k); 'UB > 0.5 or LB < 0.5' in algorithms 4 and 5 should be "
    "'and'; algorithm 4 starts at n = 0 and divides by it; g(k) in section 1.4 is printed as its reciprocal; and (2.6) is an "
    "upper bound and no equality, since its tests share their games."
)

_LENGTHS = (
    _WHERE.quoting("2.2, (2.1)", "rozwiązaniem numerycznym równania (2.1) jest n_max = 74539,85").printed(
        "race-limit-root",
        "If a test follows every game, Hoeffding's inequality needs at most 74539.85 games.",
        "74539.85",
        partial(figures.solved, number=figures.limit, digits=4),
        correction=Correction(
            "The solution of (2.1) is 74,539.8426, so the last printed digit is wrong; rounded up to games nothing changes.",
            right=Published.printed("74539.8426"),
        ),
    ),
    _WHERE.quoting("2.2", "maksymalna liczba gier [...] wynosi n_max = 74540").exact(
        "race-limit",
        "If a test follows every game, 74540 games are enough.",
        "74540",
        partial(figures.rounded_up, number=figures.limit),
    ),
    _WHERE.quoting("2.2, (2.2)", "rozwiązaniem numerycznym równania (2.2) jest n_max = 86329").exact(
        "race-limit-bernstein",
        "If a test follows every game, the empirical Bernstein bound needs at most 86329 games.",
        "86329",
        partial(figures.rounded_up, number=figures.limit_bernstein),
    ),
    _WHERE.quoting("2.3, (2.3)", "⌈213⌉").exact(
        "race-squares-tests",
        "If test n follows game n², Hoeffding's inequality needs at most 213 tests.",
        "213",
        partial(figures.rounded_up, number=figures.squares),
        readings=(
            Reading(
                "root", "the solution of (2.3), not rounded", partial(figures.solved, number=figures.squares, digits=3), False
            ),
        ),
    ),
    _WHERE.quoting("2.3, (2.3)", "t_max = 45369").exact(
        "race-squares-games",
        "If test n follows game n², 45369 games are enough.",
        "45369",
        partial(figures.rounded_up, number=figures.squares, square=True),
        readings=(
            Reading("inner", "algorithm 3 as printed, 'while t ≤ n²'", figures.games_of_inner_loop),
            Reading(
                "outer",
                "algorithm 3 as printed, 'while UB - LB > 2ε or n ≤ n_max', standard deviation 1/2",
                figures.games_of_outer_loop,
            ),
        ),
        note=(
            "Algorithms 2 to 5 as printed miss this number: their inner loops play one game too many ({inner}), and with 'or' "
            "for 'and' in their outer loops a race between equals goes on beyond n_max (to {outer})."
        ),
    ),
    _WHERE.quoting("2.3, (2.4)", "⌈230,751²⌉").printed(
        "race-squares-bernstein-root",
        "If test n follows game n², the empirical Bernstein bound needs 230.751 tests.",
        "230.751",
        partial(figures.solved, number=figures.squares_bernstein, digits=3),
        readings=(
            Reading(
                "printed",
                "the solution of (2.4) as printed",
                partial(figures.solved, number=figures.squares_bernstein_as_printed, digits=3),
            ),
        ),
        note="The number follows from lemma 1.13; (2.4) lacks a 2 under its root, and as printed would give {printed}.",
    ),
    _WHERE.quoting("2.3, (2.4)", "t_max = ⌈n_max⌉² = ⌈230,751²⌉ = 53247").exact(
        "race-squares-bernstein-games",
        "If test n follows game n², the empirical Bernstein bound needs at most 53247 games.",
        "53247",
        partial(figures.rounded_up, number=figures.squares_bernstein, square=True),
        correction=Correction(
            "Tests follow square numbers of games, so 230.751 is to be rounded up before it is squared: 231² = 53,361.",
            right=Published.exact("53361"),
        ),
        readings=(
            Reading(
                "square",
                "the square of 230.751, rounded up",
                partial(figures.rounded_up, number=figures.squares_bernstein_games),
            ),
        ),
    ),
    _WHERE.quoting("2.5", "⌈7,53219⌉").printed(
        "race-first-test",
        "Before test 7.53219 not even a player who wins every game can be told to be better.",
        "7.53219",
        partial(figures.solved, number=figures.first_test, digits=5),
        readings=(
            Reading(
                "algorithm",
                "the n_min of algorithm 5",
                partial(figures.solved, number=figures.first_test_of_algorithm, digits=5),
            ),
        ),
        note=(
            "Algorithm 5 takes n_min from Hoeffding's inequality instead, which gives {algorithm}: too early for the bound "
            "that its tests use."
        ),
    ),
    _WHERE.quoting("2.5", "t_min = ⌈n_min⌉² = ⌈7,53219⌉² = 100").exact(
        "race-first-games",
        "The first useful test follows 100 games.",
        "100",
        partial(figures.rounded_up, number=figures.first_test, square=True),
        correction=Correction(
            "7.53219 rounded up is 8, and 8² = 64, which is also what the next sentence says.",
            right=Published.exact("64"),
        ),
    ),
    _WHERE.quoting("2.5", "nie wcześniej niż po rozegraniu 64 gier").exact(
        "race-first-games-in-words",
        "A player who wins every game can be told to be better after 64 games at the earliest.",
        "64",
        partial(figures.rounded_up, number=figures.first_test, square=True),
    ),
    _WHERE.quoting("2.5, (2.5)", "⌈205,289 + 7⌉²").printed(
        "race-skipping-root",
        "Without the first seven tests, 205.289 tests are needed.",
        "205.289",
        partial(figures.solved, number=figures.skipping, digits=3),
    ),
    _WHERE.quoting("2.5, (2.5)", "t_max = 45369").exact(
        "race-skipping-games",
        "Without the first seven tests, as many games are needed as with them: 45369.",
        "45369",
        partial(figures.rounded_up, number=figures.skipping_total, square=True),
    ),
)

_ERRORS = (
    _WHERE.quoting("2.6, (2.18)", "F_0,497(213) ≈ 0,10083").printed(
        "race-error-function",
        "The error function F bounds the error at mean 0.497 after 213 tests by 0.10083.",
        "0.10083",
        figures.error_function,
        correction=Correction(
            "(2.13) and (2.15) as printed give 0.10841; with μ in place of 1/2 in the bound of α₂ they would give {at_mean}, "
            "and (2.6) gives {product}.",
            right=Published.printed("0.10841"),
        ),
        readings=(
            Reading("at_mean", "(2.13) with μ in place of 1/2 in the bound of α₂", figures.error_function_at_mean),
            Reading("product", "(2.6), an upper bound too", figures.product_error),
            Reading("exact", "the exact error of ilebr*1", partial(figures.planned_error, method="ilebr*1", digits=7), False),
        ),
        note="The exact error of the race is {exact}.",
    ),
    _WHERE.quoting("2.6, Figure 2.5", "Wynik (2.18) zgadza się z wynikami symulacji dla algorytmu ILEBR*").printed(
        "race-error",
        "Simulated races of ilebr* at mean 0.497 err as often as (2.18) says: 0.10.",
        "0.10",
        partial(figures.planned_error, method="ilebr*1"),
        readings=(
            Reading("star2", "the race ilebr*2, exactly", partial(figures.planned_error, method="ilebr*2")),
            Reading(
                "source",
                "the same, simulated with the thesis' own rule, the intersection of all intervals",
                partial(figures.simulated_error, method="ilebr*2"),
            ),
            Reading(
                "games",
                "mean games of these simulated races",
                partial(figures.simulated_games, method="ilebr*2"),
                rival=False,
            ),
        ),
    ),
    _WHERE.quoting("2.6", "Rozwiązaniem tego problemu [...] jest n_max = 293").exact(
        "race-chosen-tests",
        "By (2.16), 293 tests bring the error at mean 0.497 below 0.05.",
        "293",
        figures.chosen_tests,
        readings=(
            Reading(
                "exact",
                "the exact error of ilebr*1 with so many tests",
                partial(figures.planned_error, method="ilebr*1", delta=figures.CHOSEN_DELTA),
                rival=False,
            ),
        ),
        note="The bound is kept with room to spare: the exact error is {exact}.",
    ),
    _WHERE.quoting("2.6", "δ = 2,047143 · 10⁻⁵").printed(
        "race-chosen-delta",
        "By (2.16), δ = 2.047143 · 10⁻⁵ brings the error at mean 0.497 below 0.05 (given here times 10⁵).",
        "2.047143",
        partial(figures.level_of, n_tests=figures.CHOSEN_TESTS, unit=1e-5, digits=6),
    ),
    _WHERE.quoting("2.1 and 2.2", "z prawdopodobieństwem nie mniejszym niż 1 - δ").exact(
        "race-guarantee",
        "None of the five races errs more often than δ = 0.05 where the mean is ε = 0.01 away from 1/2.",
        "0",
        partial(figures.count_erring, mean=0.49),
        readings=(Reading("largest", "the largest error of the five there", partial(figures.largest_error, mean=0.49), False),),
        note="They promise 0.05 and deliver {largest}: that is what costs their games.",
    ),
    _WHERE.quoting("2.6, Figure 2.5", "sprawdzają się dobrze, dopóki prawdopodobieństwo [...] nie przekroczy 0,495").exact(
        "race-low-errors",
        "All five races err rarely up to a mean of 0.495: none more often than δ.",
        "0",
        partial(figures.count_erring, mean=0.495),
        readings=(
            Reading("largest", "the largest error of the five there", partial(figures.largest_error, mean=0.495), False),
        ),
        note="Judged at a mean of 0.495 alone.",
    ),
    _WHERE.quoting(
        "2.6, Figure 2.5", "algorytm LEBR charakteryzuje się najniższym prawdopodobieństwem popełnienia błędu"
    ).exact(
        "race-lowest-error",
        "LEBR errs least: none of the other four errs less often at any mean.",
        "0",
        figures.count_better_than_lebr,
        note=_ON_A_GRID,
    ),
    _WHERE.quoting("2.6, Figure 2.5", "ILEBR 2, ILEBR* i ILEBR* 2 cechują się takim samym prawdopodobieństwem pomyłki").claim(
        "race-same-errors",
        "ILEBR 2, ILEBR* 1 and ILEBR* 2 err equally often: their errors differ nowhere.",
        _SAME,
        figures.same_errors,
        note=_IN_A_PLOT,
    ),
)

GAMES = (
    _WHERE.quoting("2.6, Figure 2.6", "pozwala nam na prawie dwukrotnie zmniejszenie liczby wymaganych gier").printed(
        "race-half-the-games",
        "ILEBR needs about half as many games as LEBR, so LEBR 2 times as many.",
        "2",
        partial(figures.game_ratio, longer="lebr", shorter="ilebr"),
        note="At a mean of 0.497.",
    ),
    Place(PAPER_NAME, "Chapter 2, Figure 2.6, page 21: 'wyniki dla algorytmów ILEBR* i ILEBR* 2 pokrywają się ze sobą'").claim(
        "race-same-games",
        "ILEBR* 1 and ILEBR* 2 need equally many games: their means differ nowhere.",
        _SAME,
        figures.same_games,
        note=f"Ours is the largest difference, as a share of the games. {_ON_A_GRID}",
    ),
    _WHERE.quoting("2.6", "ε = 0,01, δ = 3,02101484 · 10⁻¹¹").printed(
        "race-equal-delta",
        "δ = 3.02101484 · 10⁻¹¹ (given here times 10¹¹) makes ILEBR* 1 as long as LEBR: 393 tests, 154449 games.",
        "3.02101484",
        partial(figures.level_of, n_tests=figures.EQUAL_TESTS, unit=1e-11, digits=8),
        note="The thesis does not print 393; it is the number of tests to which (2.16) gives this δ.",
    ),
    Place(PAPER_NAME, "Chapter 2, Figure 2.7, page 22: 'w przypadku, gdy średnie n_max są sobie równe'").claim(
        "race-equal-length",
        "Between equal players LEBR plays on average as long as 393 tests after square numbers of games: 393² games.",
        Published("393", 393.0, 1.0),
        partial(figures.simulated_root, method="lebr", mean=0.5),
        readings=(
            Reading(
                "own",
                "if each test decides on its own interval, exactly",
                partial(figures.planned_root, method="lebr", mean=0.5),
            ),
        ),
        note="Simulated with the rule of the thesis, which intersects the intervals of all tests.",
    ),
    _WHERE.quoting("2.6, Figure 2.7", "zachowuje takie samo prawdopodobieństwo popełnienia błędu jak algorytm LEBR").claim(
        "race-equal-error",
        "With that δ, ILEBR* 1 errs as often as LEBR with δ = 0.05: their errors differ nowhere.",
        _SAME,
        partial(figures.apart, first=("lebr", figures.DELTA), second=("ilebr*1", figures.EQUAL_DELTA), digits=4),
        note=_IN_A_PLOT,
        readings=(
            Reading("lebr", "error of LEBR at mean 0.497", partial(figures.planned_error, method="lebr"), False),
            Reading(
                "star",
                "error of ILEBR* 1 with that δ at mean 0.497",
                partial(figures.planned_error, method="ilebr*1", delta=figures.EQUAL_DELTA),
                False,
            ),
        ),
    ),
)

CLAIMS = (*_LENGTHS, *_ERRORS, *GAMES)
