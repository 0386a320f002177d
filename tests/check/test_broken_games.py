"""Planted faults: each is caught, by the check whose name says what is wrong."""

from __future__ import annotations

import re
from functools import lru_cache

import broken_games
import broken_moves
import broken_positions
import healthy_game
import pytest

from facedown import check
from facedown.native.jit import COMPILED

GAMES = 16

# Where the same fault must show in a second check too; every other fault is found by its own check alone.
ALSO = {
    "a_view_that_leaks": {"imagine"},
    "a_view_that_hints": {"imagine"},
    "actions_that_leak": {"posterior"},
    "a_view_that_forgets": {"posterior", "hearing"},
    "a_column_without_number": {"questions"},
    "a_state_out_of_range": {"posterior"},
    "legal_that_changes_the_state": {"replay"},
    "a_missing_field": {"scores", "questions", "tree", "posterior"},
}


FAULTS = broken_games.FAULTS | broken_moves.FAULTS | broken_positions.FAULTS
HEALTHY = {"healthy": healthy_game.HEALTHY, "sealed": broken_moves.SEALED, "open": broken_positions.OPEN}


@lru_cache
def examine(fault: str) -> check.Report:
    game = FAULTS[fault][1] if fault in FAULTS else HEALTHY[fault]
    return check.game(game, games=GAMES, seed=1)


@pytest.mark.parametrize("name", HEALTHY)
def test_a_healthy_game_passes_everything(name: str) -> None:
    report = examine(name)
    assert report.ok, report
    without_compiler = set() if COMPILED else {"compiles", "plain python"}
    usual = {"columns", "tree", "recall", "posterior"} if name == "open" else {"columns", "settle", "perfect information"}
    assert {found.name for found in report.checks if found.status == "skipped"} == usual | without_compiler
    assert (report["settle"].status == "passed") == (report["perfect information"].status == "passed") == (name == "open")


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_caught_by_its_name(fault: str) -> None:
    names, _ = FAULTS[fault]
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
        ("actions_that_leak", "no peeking", r"legal actions of player \d tell what is hidden"),
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
        (
            "sealed_moves_that_are_called_out",
            "hearing",
            r"player \d hears what it cannot see: action \d of player \d, or",
        ),
        ("silence_that_tells_the_card", "hearing", r"that player \d moved, or nothing|nothing, or that player \d moved"),
        ("a_mover_who_does_not_hear", "hearing", r"the player who played \d hears -1 of its own move"),
        ("a_narrator_who_remembers", "narration", "is told 'The last move that I know of: "),
        ("a_narrator_who_fails", "narration", r"narrate\(before, after\) failed: KeyError: -1"),
        ("names_for_the_mover_only", "narration", "failed: ValueError: it is not your turn"),
        ("settle_that_forgets_the_hand", "settle", "leads to another position: 'banked' is"),
        ("settle_that_passes_the_dice", "settle", "but settled it is player"),
        ("settle_that_goes_on", "settle", "settling a settled state changes it: 'odd' is"),
        ("settle_that_loses_points", "settle", r"settling earns player 0 -?\d.*but after action"),
        ("a_hidden_card_declared_open", "perfect information", "player 0 cannot tell two positions apart: 'card' is"),
        ("a_view_that_hides_the_hand", "perfect information", "cannot tell two positions apart: 'hand' is"),
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
