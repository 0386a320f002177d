"""The Love Letter source: verdicts, worked examples by hand, single rounds counted again, league errors, words, plots."""

from __future__ import annotations

import itertools
import math
import shlex
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest

import facedown as fd
from facedown import papers
from facedown.papers.claims import Claim, Figure, Judged, Published, Verdict, is_sentence
from facedown.papers.documents import Passage, Plot
from facedown.papers.laboratory import Laboratory, Profile
from facedown.papers.love_letter_2016 import claims as love_letter_claims
from facedown.papers.love_letter_2016 import examples as love_letter_examples
from facedown.papers.love_letter_2016 import figures as love_letter_figures
from facedown.papers.love_letter_2016 import results as love_letter_results
from facedown.papers.love_letter_2016 import text as love_letter_words
from facedown.papers.love_letter_2016.results import AGENTS, CHEAP, WAYS, Pairing
from facedown.papers.pictures import svg

CORRECTED = {
    "letter-guards",
    "letter-equal-cards",
    "letter-orders",
    "letter-fewest-plays",
    "letter-solutions",
    "letter-left-in-deck",
    "letter-guard-baron-second",
}
CLAIMS = {claim.id: claim for claim in love_letter_claims.CLAIMS}
F = Fraction


@pytest.fixture(scope="module")
def lab() -> Laboratory:
    return Laboratory(Profile.TINY, 3)


@pytest.fixture(scope="module")
def judged(lab: Laboratory) -> dict[str, Judged]:
    return {name: claim.judge(lab) for name, claim in CLAIMS.items()}


# --- claims -------------------------------------------------------------------------------------------------------------


def test_the_paper_is_listed() -> None:
    assert "love_letter" in papers.names()
    assert papers.paper("love_letter").claims == love_letter_claims.CLAIMS


def test_every_claim_is_exact_and_has_a_place(judged: dict[str, Judged]) -> None:
    assert len(CLAIMS) == len(love_letter_claims.CLAIMS) == 58
    for claim in CLAIMS.values():
        assert claim.id.startswith("letter-") and claim.where.startswith("Section ") and "'" in claim.where
    for one in judged.values():
        for figure in (one.figure, *(reading.figure for reading in one.readings)):
            assert figure.exact and figure.repeat == "facedown paper love_letter"


def test_claims_come_out_as_published_or_are_corrected(judged: dict[str, Judged]) -> None:
    for name, one in judged.items():
        assert one.verdict is (Verdict.CORRECTED if name in CORRECTED else Verdict.AGREES), name
        assert "{" not in one.sentence
        if name in CORRECTED:
            assert is_sentence(one.sentence) and one.claim.correction is not None and one.claim.correction.right is not None


def test_verdicts_do_not_agree_with_wrong_numbers(judged: dict[str, Judged], lab: Laboratory) -> None:
    """A figure that is off by a unit of the last printed digit is noticed, or a count that is off by its billionth part."""
    for name in CLAIMS.keys() - CORRECTED:
        published = CLAIMS[name].published
        wrong = Published(
            published.text, published.value + (published.unit or max(0.01, 1e-9 * published.value)), published.unit
        )
        claim = Claim(name, "love_letter", "Here", "It is wrong.", wrong, lambda _, name=name: judged[name].figure)  # type: ignore[misc]
        assert claim.judge(lab).verdict is Verdict.DIFFERS, name


def test_slips_have_their_numbers(judged: dict[str, Judged]) -> None:
    found = {(name, one.reading.key): one for name, claim in judged.items() for one in claim.readings}
    assert found["letter-guards", "listed"].figure.value == 15
    assert found["letter-orders", "mixed"].fits and found["letter-solutions", "mixed"].fits
    assert not found["letter-orders", "printed"].fits and not found["letter-orders", "listed"].fits
    assert found["letter-left-in-deck", "official"].fits
    assert found["letter-p-guard", "official"].figure.value == 4 / 11 and not found["letter-p-guard", "official"].fits
    # by choosing places for one kind after the other, instead of dividing factorials
    for name, key, sizes in (
        ("letter-orders", "", (5, 2, 2, 2, 2, 1, 1, 1)),
        ("letter-orders", "listed", (4, 2, 2, 2, 2, 1, 1, 1)),
    ):
        ways, free = 1, sum(sizes)
        for size in sizes:
            ways, free = ways * math.comb(free, size), free - size
        assert (found[name, key].figure if key else judged[name].figure).value == ways


# --- worked examples, by hand -------------------------------------------------------------------------------------------

SMALL = {1: F(8, 100), 2: F(7, 100), 3: F(6, 100), 4: F(5, 100), 5: F(4, 100), 8: F(0)}


def f_value(card: int, other: int, unseen: Sequence[int], named: int = 0) -> Fraction:
    """F of the source, for the cards that its examples need."""
    n = len(unseen)
    if card == 8:
        return F(0)
    if card == 1:
        return 1 + F(list(unseen).count(named), n) + SMALL[1]
    if card == 3:
        return 1 + F(sum(other > theirs for theirs in unseen) - sum(other < theirs for theirs in unseen), n) + SMALL[3]
    return 1 + (F(list(unseen).count(8), n) if card == 5 else 0) + SMALL[card]


def r_value(kept: int, hands: Sequence[int], by_greedy: bool) -> Fraction:
    """R: the mean over all pairs; the Guard counts if it names our card, or if it might by the number of such cards."""
    total, pairs = F(0), list(itertools.combinations(hands, 2))
    for pair in pairs:
        unseen = [*(card for card in hands if card not in pair), kept]
        plays = [
            (f_value(card, other, unseen, named), -card, named, other)
            for card, other in (pair, pair[::-1])
            for named in (range(2, 9) if card == 1 else (0,))
        ]
        best = max(plays)
        if best[1] == -1:
            fears = best[2] == kept if by_greedy else any(play[0] == best[0] and play[2] == kept for play in plays)
            total += F(unseen.count(kept), len(unseen)) if fears else 0
        elif best[1] == -3:
            total += kept < best[3]
    return total / len(pairs)


def test_the_first_example_by_hand(judged: dict[str, Judged]) -> None:
    unseen = [1, 1, 1, 2, 2, 3, 4, 5, 7, 8]
    assert judged["letter-f-guard"].figure.value == pytest.approx(float(f_value(1, 3, unseen, 2)), abs=1e-12)
    assert judged["letter-f-baron"].figure.value == pytest.approx(float(f_value(3, 1, unseen)), abs=1e-12)
    shares = {name: judged[f"letter-p-{name}"].figure.value for name in ("guard", "priest", "baron", "handmaid", "prince")}
    assert list(shares.values()) == [unseen.count(card) / 10 for card in range(1, 6)]


def test_the_second_example_by_hand(judged: dict[str, Judged]) -> None:
    hands = (1, 3, 5, 8)
    risk, by_greedy = r_value(4, hands, False), r_value(4, hands, True)
    assert (risk, by_greedy) == (F(1, 2), F(1, 3))
    readings = {(name, one.reading.key): one.figure.value for name, claim in judged.items() for one in claim.readings}
    assert judged["letter-risk"].figure.value == risk
    assert readings["letter-risk", "greedy"] == pytest.approx(float(by_greedy))
    gain = f_value(5, 4, hands)
    assert judged["letter-k-prince"].figure.value == pytest.approx(float(gain - F(3, 4) * risk), abs=1e-12)
    assert readings["letter-k-prince", "greedy"] == pytest.approx(float(gain - F(3, 4) * by_greedy), abs=1e-12)


def test_exact_numbers_are_written_with_their_decimals() -> None:
    exactly = love_letter_examples.exactly
    assert [exactly(number).exact for number in (1920, F(32, 25), F(106, 75))] == ["1,920", "1.28", "1.413333…"]
    assert [exactly(number, percent=True).exact for number in (F(3, 10), F(1, 3), 1)] == ["30 %", "33.333333… %", "100 %"]


# --- figures from single rounds -----------------------------------------------------------------------------------------


def test_shares_are_those_of_single_rounds(lab: Laboratory) -> None:
    """All splits counted again, round by round."""
    pair = love_letter_results.pairing(lab, "random", "greedy")
    batch = pair.played.batch
    assert batch is not None
    n, rounds = pair.played.games, list(zip(batch.scores.tolist(), batch.lengths.tolist(), strict=True))
    assert love_letter_results.wins(pair, 0).value == sum(a > b for (a, b), _ in rounds) / n == pair.played.wins[0] / n
    first = [scores for at, (scores, _) in enumerate(rounds) if at % 2 == 0]
    assert love_letter_results.wins_when_first(pair, 1, 0).value == sum(b > a for a, b in first) / len(first)
    by_starter = sum(scores[at % 2] > scores[1 - at % 2] for at, (scores, _) in enumerate(rounds))
    assert love_letter_results.starter_wins(pair).value == by_starter / n
    for turn in love_letter_results.turns(pair):
        here = [scores for scores, length in rounds if length == turn.turn]
        assert turn.n_rounds == len(here) and turn.rounds.value == len(here) / n
        assert turn.wins[0].value == pytest.approx(sum(a > b for a, b in here) / len(here))
        assert turn.wins[1].value == pytest.approx(sum(b > a for a, b in here) / len(here))
        assert all(0 < share.stderr < 1 for share in turn.wins)
    assert sum(turn.n_rounds for turn in love_letter_results.turns(pair)) == n
    for way, column in WAYS.items():
        assert love_letter_results.ended(pair, way).value == pytest.approx(pair.played.columns[column] / n)
    assert sum(pair.played.columns[column] for column in WAYS.values()) == n


def test_who_begins_is_who_the_rules_say(lab: Laboratory) -> None:
    """The game counts rounds that were won by who began them, draws included; the split must say the same."""
    for pair in (love_letter_results.pairing(lab, "random", "greedy"), love_letter_results.mirrored(lab, "greedy")):
        wins = love_letter_results.starter_wins(pair).value * pair.played.games
        assert round(wins) == pair.played.columns["starter_won"] - pair.played.draws


def test_the_error_of_a_mean_over_opponents() -> None:
    dice = np.random.default_rng(1)
    one, two, three = dice.random((3, 400))
    alike = [one, one, one]  # the same numbers again say nothing new
    assert love_letter_results.mean_of_means(alike)[1] == pytest.approx(one.std(ddof=1) / 20)
    rows = np.stack([one, two, 0.5 * one + three])
    mean, error = love_letter_results.mean_of_means(list(rows))
    assert mean == pytest.approx(rows.mean())
    assert error == pytest.approx(rows.mean(axis=0).std(ddof=1) / 20)
    assert love_letter_results.mean_of_means([np.ones(1), np.zeros(1)]) == (0.5, 0.5)


def test_the_error_of_a_mean_over_opponents_with_unequal_numbers() -> None:
    """4,000 leagues of two matches with 20 and 60 deals, 20 of them shared: the spread of the means is the error that is
    claimed, to 6 %; a spread of 4,000 has a relative error of 1.1 %, so false alarms are below 10^-6 for this seed.
    """
    dice = np.random.default_rng(2)
    deals, own = dice.normal(size=(4_000, 60)), dice.normal(size=(4_000, 60))
    means, errors = [], []
    for short, long in zip(deals[:, :20], deals + own, strict=True):
        mean, error = love_letter_results.mean_of_means([short, long])
        means.append(mean)
        errors.append(error**2)
    assert math.sqrt(np.mean(errors)) == pytest.approx(np.std(means), rel=0.06)


def test_matches_of_independent_rounds() -> None:
    chance = love_letter_results.match_chance
    assert chance(0.3, 0.5, needed=1) == pytest.approx(0.4)
    assert chance(0.7, 0.3) == pytest.approx(0.5)
    for p in (0.2, 0.6):  # who begins does not matter: seven of at most thirteen rounds
        wanted = sum(math.comb(6 + lost, lost) * p**7 * (1 - p) ** lost for lost in range(7))
        assert chance(p, p) == pytest.approx(wanted)
    total = 0.0  # two wins needed: all courses of three rounds, the third perhaps not played
    for begins in (True, False):
        for course in itertools.product((True, False), repeat=3):
            probability, first = 0.5, begins
            for won in course:
                p = 0.6 if first else 0.45
                probability, first = probability * (p if won else 1 - p), won
            total += probability * (sum(course) >= 2)
    assert chance(0.6, 0.45, needed=2) == pytest.approx(total)


@pytest.mark.compiled
def test_whole_matches_are_as_independent_rounds_make_expect() -> None:
    """100,000 rounds and 20,000 matches; 4 joint errors miss less than once in 16,000 seeds."""
    quick = Laboratory(Profile.QUICK, 2)
    pair = love_letter_results.pairing(quick, "random", "greedy")
    expected, error = love_letter_results.expected_match(pair)
    played = quick.match(love_letter_results.WHOLE, "random", "greedy", games=love_letter_results.MATCHES)
    assert abs(expected - played.mean[0]) < 4 * math.hypot(error, played.stderr[0])
    assert error < 0.01 and played.stderr[0] < 0.01
    assert pair.played.mean[0] - expected > 0.1  # a match says more than a round


# --- words and plots ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("passage", love_letter_words.PASSAGES, ids=lambda passage: passage.id)
def test_passages_are_written(lab: Laboratory, passage: Passage) -> None:
    text = passage.gather(lab)
    assert "nan" not in text and "{" not in text
    assert f"seed {lab.seed}" in text or passage.id == "letter-conclusions"  # its figures stand in the others
    assert all(name in text for name in AGENTS)
    assert len(text.splitlines()) >= 8
    assert passage.gather(lab) == text  # nothing is measured twice


def test_the_matrix_has_the_wins_of_the_commands(lab: Laboratory) -> None:
    command = love_letter_words.commands(lab).splitlines()[0]
    words = shlex.split(command)
    assert words[:5] == ["facedown", "match", "love_letter", "random", "greedy"]
    found = fd.match(words[2], words[3:5], int(words[words.index("--games") + 1]), int(words[words.index("--seed") + 1]))
    row = next(line for line in love_letter_words.matrix(lab).splitlines() if line.startswith("random"))
    assert row.split()[2] == f"{100 * found.wins[0] / found.games:.2f}"
    assert len(set(love_letter_words.commands(lab).splitlines())) == 15 + 6 + 6 + 1


def test_columns_line_up() -> None:
    text = love_letter_words.columns([["name", "x", "long"], ["a", "1,000", "2"]])
    assert text == "name      x  long\na     1,000     2"


@pytest.mark.parametrize(
    ("value", "words"), [(0.6, "greedy beats random"), (0.4, "greedy loses to random"), (0.51, "undecided, greedy scores 51.0")]
)
def test_verdicts_in_words_follow_the_figures(
    lab: Laboratory, monkeypatch: pytest.MonkeyPatch, value: float, words: str
) -> None:
    """The match is that of random against greedy, so the figure is the other one's."""
    monkeypatch.setattr(love_letter_words, "score", lambda pair: Figure(1 - value, 0.01, 100, 1, "facedown"))
    assert words in love_letter_words._verdict(lab, "greedy", "random")


def test_conclusions_name_the_best_of_the_league(lab: Laboratory) -> None:
    table = love_letter_results.league(lab, AGENTS, love_letter_results.pairings(lab))
    scores = [standing.score.value for standing in table]
    assert scores == sorted(scores, reverse=True) and math.fsum(scores) == pytest.approx(len(AGENTS) / 2)
    text = love_letter_words.conclusions(lab)
    assert f"the order is {table[0].agent} {table[0].score.with_error(percent=True)}, {table[1].agent}" in text
    whole = love_letter_results.league(lab, CHEAP, love_letter_results.whole_matches(lab))
    assert math.fsum(standing.score.value for standing in whole) == pytest.approx(len(CHEAP) / 2)
    for standing in (*table, *whole):
        assert standing.interval[0] < standing.score.value < standing.interval[1]


def test_pairs_have_titles(lab: Laboratory) -> None:
    found = love_letter_results.pairings(lab)
    assert len(found) == len({pair.title for pair in found}) == 15
    assert isinstance(found[0], Pairing) and found[0].title == "random – greedy"


@pytest.mark.parametrize("plot", love_letter_figures.PLOTS, ids=lambda plot: plot.id)
def test_plots_are_drawn(lab: Laboratory, plot: Plot) -> None:
    drawing = plot.gather(lab)
    assert is_sentence(drawing.caption) and f"seed {lab.seed}" in drawing.caption and len(drawing.alt) > 80
    assert "nan" not in drawing.caption + drawing.alt
    picture = svg(plot, drawing)
    assert picture.startswith("<svg") and picture.count("<path") > 10 and "nan" not in picture.lower()
    assert "<image" not in picture
