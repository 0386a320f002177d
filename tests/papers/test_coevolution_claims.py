"""Chapter 5 of the racing source: tables as printed, exact figures of Rrrats beside the slow twin, runs, verdicts and plots."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import facedown as fd
from facedown.native.jit import COMPILED
from facedown.papers.claims import Judged, Published, Verdict, is_sentence
from facedown.papers.laboratory import Laboratory, Profile
from facedown.papers.pictures import svg
from facedown.papers.racing_2023 import boxes, coevolution, tables, tuned
from facedown.papers.racing_2023.tables import METHODS, STATISTICS
from facedown.racing.league_result import Cell, LeagueResult
from naive import rrrats_values

CLAIMS = {claim.id: claim for claim in coevolution.CLAIMS}
SENTENCES = {
    *("war-better-than-start", "war-equal", "war-best-order", "war-common-order"),
    *("rrrats-better-than-start", "rrrats-best-algorithm", "rrrats-stop"),
}


@pytest.fixture(scope="module")
def lab() -> Laboratory:
    return Laboratory(Profile.TINY, 3)


@pytest.fixture(scope="module")
def judged(lab: Laboratory) -> dict[str, Judged]:
    return {name: claim.judge(lab) for name, claim in CLAIMS.items()}


# --- the tables -------------------------------------------------------------------------------------------------------


def test_every_number_of_the_tables_has_a_claim() -> None:
    """28 numbers against the start and 16 against each other in each game, and one claim for the signs ± of a table."""
    assert len(CLAIMS) == len(coevolution.CLAIMS) == 2 * (28 + 16 + 1) + len(SENTENCES)
    assert CLAIMS.keys() >= SENTENCES
    texts = {
        game: [claim.published.text for name, claim in CLAIMS.items() if name.startswith(game)] for game in coevolution.GAMES
    }
    for game, found in texts.items():
        printed = [text for row in tables.AGAINST_START[game].values() for text in row]
        printed += [mean for row in tables.AGAINST_EACH_OTHER[game] for mean, _ in row]
        assert all(found.count(text) >= printed.count(text) for text in printed)
    for claim in CLAIMS.values():
        assert claim.paper == "racing" and claim.where.startswith("Chapter 5, ")


def test_the_tables_are_those_of_100_matches_of_10_000_games() -> None:
    """Results are multiples of 1/10,000, medians of half of it, quartiles of a quarter, means of a hundredth."""
    for rows in tables.AGAINST_START.values():
        assert list(rows) == list(STATISTICS)
        for statistic, step in {"mean": 1, "min": 100, "25%": 25, "50%": 50, "75%": 25, "max": 100}.items():  # in millionths
            assert all(round(float(text) * 1_000_000) % step == 0 for text in rows[statistic]), statistic
        for number in range(len(METHODS)):
            ordered = [float(rows[name][number]) for name in ("min", "25%", "50%", "75%", "max")]
            assert ordered == sorted(ordered) and ordered[0] < float(rows["mean"][number]) < ordered[-1]


def test_expected_statistics_are_those_of_simulated_tables() -> None:
    """4,000 tables: an average is known to .016 of its deviation, and .08 are five errors: once in a million seeds."""
    results = np.random.default_rng(11).binomial(tables.GAMES_EACH, 0.78, (4_000, tables.REPETITIONS)) / tables.GAMES_EACH
    for statistic in STATISTICS:
        found = np.array([tuned.statistic_of(row, statistic) for row in results])
        value, spread = tables.expected(statistic, 0.78)
        assert found.mean() == pytest.approx(value, abs=0.08 * spread), statistic
        assert found.std() == pytest.approx(spread, rel=0.1), statistic


def test_rows_that_no_such_matches_give_are_noticed() -> None:
    claim = CLAIMS["rrrats-iterative-deviation"]
    wrong = replace(claim, published=Published.printed("0.150000", stderr=claim.published.stderr))
    lab = Laboratory(Profile.TINY, 3)
    assert wrong.measure(lab).value == pytest.approx(math.sqrt(0.786629 * 0.213371 / 10_000))
    assert abs(wrong.published.value - wrong.measure(lab).value) > 100 * claim.published.stderr


# --- Rrrats, exactly --------------------------------------------------------------------------------------------------


@pytest.mark.compiled
def test_exact_figures_of_rrrats_are_those_of_the_slow_twin() -> None:
    exact = tuned.Stationary("rrrats")
    strategies: list[tuned.Chances] = [tuned.ALWAYS, tuned.three_in_hand(0.64), (0.9, 0.5, 0.2), (0.3, 0.8, 0.6)]
    for one in strategies:
        assert exact.exploitability(one) == pytest.approx(rrrats_values.exploitability(one), abs=1e-8)
        for other in strategies:
            assert exact.score(one, other) == pytest.approx(rrrats_values.values(one, other)[0], abs=1e-8)
    assert exact.exploitability(tuned.ALWAYS) == pytest.approx(0.01414, abs=1e-5)
    assert exact.exploitability(tuned.three_in_hand(0.64)) == pytest.approx(0.0577, abs=1e-4)


def test_strategies_are_mixed_as_the_agent_plays_them() -> None:
    """Play is linear in the three probabilities: the agent itself, asked in every position, gives the same."""
    exact = tuned.Stationary("rrrats(tokens=5)")
    parameters = (0.3, -0.2, 1.1, 0.4, -0.7, 0.25)
    agent = f"stationary({','.join(map(str, parameters))})"
    mixed = tuned.chances(parameters)
    assert mixed == pytest.approx(rrrats_values.chances(list(parameters)))
    other = "stationary(20,-20,20,-20,-20,20)"
    from facedown.solving.dynamic.evaluate import evaluator_for

    evaluator = evaluator_for(fd.game("rrrats(tokens=5)"))
    assert exact.score(mixed, (1.0, 1.0, 0.0)) == pytest.approx(evaluator.match(agent, other)[0], abs=1e-9)
    assert exact.exploitability(mixed) == pytest.approx(fd.exploit("rrrats(tokens=5)", agent).exploitability, abs=1e-9)


@pytest.mark.compiled
def test_stopping_with_64_per_cent_is_corrected() -> None:
    claim, lab = CLAIMS["rrrats-stop"], Laboratory(Profile.QUICK, 2)
    found = claim.judge(lab)
    assert found.verdict is Verdict.CORRECTED and found.figure.value == 0
    readings = {one.reading.key: one.figure.value for one in found.readings}
    assert readings["always"] < readings["mixed"] < readings["hold"]
    assert readings["first"] == pytest.approx(rrrats_values.values(None, None)[0], abs=1e-9)
    assert "{" not in found.sentence and "1.41" in found.sentence
    never = replace(claim, published=Published.printed("0 %"))
    assert never.judge(lab).verdict is Verdict.AGREES  # what is true would have been confirmed


# --- runs -------------------------------------------------------------------------------------------------------------


def test_runs_with_the_same_number_begin_at_the_same_place(lab: Laboratory) -> None:
    for game in coevolution.GAMES:
        played = {method: tuned.runs(lab, game, method) for method in METHODS}
        starts = {method: [result.start for result in results] for method, results in played.items()}
        assert len({tuple(one) for one in starts.values()}) == 1
        assert len(set(starts["iterative"])) == len(starts["iterative"]) == 2
        for method, results in played.items():
            assert all(result.settings["race"][0] == "ilebr*2" and result.method == method for result in results)
            assert all(result.settings["rule"] == [1.25, 0.84] and result.settings["recommend"] == "last" for result in results)
            assert tuned.runs(lab, game, method) == results  # played once


def test_a_run_would_have_given_back_what_its_history_says(lab: Laboratory) -> None:
    for result in tuned.runs(lab, "rrrats", "iterative"):
        assert boxes.recommended(result, 0) == tuned.start_of(result)
        assert boxes.recommended(result, result.games) == tuned.found_in(result)
        steps = [trial for trial in result.history if trial.accepted]
        for trial in steps:
            assert boxes.recommended(result, trial.games_so_far) == tuned.chances(trial.x)


def test_against_each_other_adds_up_to_one(lab: Laboratory) -> None:
    for number, row in enumerate(METHODS):
        assert tuned.against_each_other(lab, "war", row, row).value == 0.5
        for column in METHODS[number + 1 :]:
            one, other = (tuned.against_each_other(lab, "war", *pair) for pair in ((row, column), (column, row)))
            assert one.value + other.value == pytest.approx(1) and one.stderr == pytest.approx(other.stderr)


def test_scores_are_averages_over_runs(lab: Laboratory) -> None:
    figure = tuned.against_start(lab, "rrrats", "iterative")
    exact = tuned.stationary(lab)
    scores = [exact.score(tuned.found_in(one), tuned.start_of(one)) for one in tuned.runs(lab, "rrrats", "iterative")]
    assert figure.value == pytest.approx(sum(scores) / 2)
    assert figure.stderr == pytest.approx(abs(scores[0] - scores[1]) / 2)  # of two numbers
    assert figure.games == sum(result.games for result in tuned.runs(lab, "rrrats", "iterative"))


def test_shares_of_an_equilibrium_that_are_known_by_hand(lab: Laboratory, monkeypatch: pytest.MonkeyPatch) -> None:
    """A circle of three orders in which descending's win counts double has 1/4 of it; a fourth that beats all has it all."""
    means = {("descending", "shuffled"): 0.7, ("ascending", "descending"): 0.6, ("shuffled", "ascending"): 0.6}
    beaten = {("loser_first", other): 0.9 for other in ("descending", "ascending", "shuffled")}
    cells = tuple(Cell(*pair, "undecided", 2, 1, mean, 0.0, (0.0, 1.0)) for pair, mean in (means | beaten).items())
    names = ("ascending", "descending", "loser_first", "shuffled")
    played = LeagueResult("war", "versus", names, cells, None, "games", 0.01, 0.05, 1, 0.0, "")
    monkeypatch.setattr("facedown.papers.racing_2023.war_orders.orders_league", lambda laboratory: played)
    assert coevolution.share_of_descending(lab).value == pytest.approx(0.25)
    assert coevolution.share_of_descending(lab).games == 6
    assert coevolution.share_among_five(lab).value == pytest.approx(0, abs=1e-9)


def test_every_verdict_has_its_reason(judged: dict[str, Judged]) -> None:
    for name, found in judged.items():
        assert "{" not in found.sentence, name
        if found.verdict is not Verdict.AGREES:
            assert is_sentence(found.sentence), name
        if name.split("-")[-1] in ("deviation", "min", "lower", "median", "upper", "max", "deviations"):
            assert found.verdict is Verdict.AGREES, name  # they do not depend on runs


@pytest.mark.skipif(not COMPILED, reason="the same drawings in either mode")
def test_plots_are_drawn_with_what_was_printed_and_what_was_found(lab: Laboratory) -> None:
    for plot in boxes.PLOTS:
        drawing = plot.gather(lab)
        assert f"seed {lab.seed}" in drawing.caption
        assert svg(plot, drawing).startswith("<svg ")
    assert "approximate2: printed median 0.759, from 0.748 to 0.772; ours " in boxes.gather_boxes(lab, "rrrats").alt
