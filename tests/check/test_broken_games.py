"""Planted faults: each is caught, by the check whose name says what is wrong."""

from __future__ import annotations

import re
from functools import lru_cache

import broken_games
import pytest

from facedown import check
from facedown.native.jit import COMPILED

GAMES = 16

# Where the same fault must show in a second check too; every other fault is found by its own check alone.
ALSO = {
    "a_view_that_leaks": {"imagine"},
    "a_view_that_hints": {"imagine"},
    "actions_that_leak": {"posterior"},
    "a_view_that_forgets": {"posterior"},
    "a_column_without_number": {"questions"},
    "a_state_out_of_range": {"posterior"},
    "legal_that_changes_the_state": {"replay"},
    "a_missing_field": {"scores", "questions", "tree", "posterior"},
}


@lru_cache
def examine(fault: str) -> check.Report:
    game = broken_games.FAULTS[fault][1] if fault else broken_games.HEALTHY
    return check.game(game, games=GAMES, seed=1)


def test_the_healthy_game_passes_everything() -> None:
    report = examine("")
    assert report.ok, report
    without_compiler = set() if COMPILED else {"compiles", "plain python"}
    assert {found.name for found in report.checks if found.status == "skipped"} == {"columns"} | without_compiler


@pytest.mark.parametrize("fault", broken_games.FAULTS)
def test_a_planted_fault_is_caught_by_its_name(fault: str) -> None:
    names, _ = broken_games.FAULTS[fault]
    if names == "plain python" and not COMPILED:
        pytest.skip("without the compiler there are no two results that could differ")
    report = examine(fault)
    by = next((name for name in names.split(" or ") if name in report.failed), None)
    assert by is not None, report
    assert set(report.failed) <= {by} | ALSO.get(fault, set()), report
    found = report[by]
    assert found.found
    assert found.expected
    assert found.remedy
    assert found.sentence == f"{found.found}{' in ' + found.where if found.where else ''}. Expected: {found.expected}. " + (
        f"What to do: {found.remedy}."
    )


@pytest.mark.parametrize(
    ("fault", "by", "words"),
    [
        ("a_view_that_leaks", "no peeking", "the view of player 0 shows what is hidden from them"),
        ("actions_that_leak", "no peeking", "legal actions of player 0 tell what is hidden"),
        ("imagine_that_does_not_fit", "imagine", "'coin' is"),
        ("imagine_that_is_not_uniform", "posterior", "with probability 3/4, which has 1/2"),
        ("hidden_randomness", "chance", "with the same draws led to another state: 'coin'"),
        ("chance_that_is_not_uniform", "chance", "comes out otherwise in play than its draws say"),
        ("too_many_draws", "chance", "draw more than 256 times in one move"),
        ("a_deal_that_is_not_uniform", "posterior", "with probability 1/2, which has 2/3"),
        ("a_score_that_does_not_sum", "scores", r"sum up to -?\d"),
        ("a_score_out_of_range", "scores", "Expected: scores from -4 to 4"),
        ("an_illegal_action_offered", "actions", "in which 2 is no action"),
        ("a_game_that_never_ends", "length", "still runs after its declared longest length of 3 moves"),
        ("a_game_that_never_ends_as_declared", "length", "has not ended after [0-9,]+ moves .declared longest: 1,000,000,000"),
        ("longest_game_too_short", "length", "still runs after its declared longest length of 2 moves"),
        ("a_state_out_of_range", "ranges", r"'looked' holds -7, declared 0\.\.9999"),
        ("observe_that_leaves_a_field", "views", "'note' is 0 and -1"),
        ("observe_that_changes_the_state", "questions", "'observe' changes the state: 'looked' is 0 and 1"),
        ("a_view_that_forgets", "recall", "player 0 forgets"),
        ("options_ignored", "options", "although options_ignored.cards=4. has cards=4"),
    ],
)
def test_what_is_said_about_a_fault_names_it(fault: str, by: str, words: str) -> None:
    assert re.search(words, examine(fault)[by].sentence)


def test_where_a_fault_is_found_can_be_found_again() -> None:
    where = examine("a_state_out_of_range")["ranges"].where
    assert where.startswith("game 0 of seed 1, after 1 move (the start (draws ")
    assert ", player 0: " in where


def test_a_fault_in_the_basics_is_not_let_into_the_native_loop() -> None:
    report = examine("an_illegal_action_offered")
    assert report["native loop"].status == "skipped"
    assert report["native loop"].sentence == "first repair what 'actions' has found"


@pytest.mark.compiled
def test_a_function_that_does_not_compile_is_named() -> None:
    report = examine("a_missing_field")
    assert report.failed == ("compiles",)
    assert "'score' does not compile" in report["compiles"].found
    assert "points" in report["compiles"].found
    assert report["plays"].status == "skipped"
