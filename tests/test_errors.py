"""Errors: exit codes, and the sentence for a name that nobody knows."""

from __future__ import annotations

import pickle

import pytest

from facedown import errors
from facedown.errors import FacedownError, Interrupted, UsageError, unknown


@pytest.mark.parametrize(
    ("kind", "exit_code"),
    [
        (errors.FacedownError, 1),
        (errors.CompileError, 1),
        (errors.RulesError, 1),
        (errors.AgentError, 1),
        (errors.UsageError, 2),
        (errors.TranscriptError, 2),
    ],
)
def test_exit_codes(kind: type[FacedownError], exit_code: int) -> None:
    problem = kind("a sentence")
    assert problem.exit_code == exit_code
    assert isinstance(problem, FacedownError)
    assert str(problem) == "a sentence"


def test_wrong_usage_is_a_wrong_value_to_python() -> None:
    assert issubclass(UsageError, ValueError)


def test_an_interruption_carries_what_was_finished() -> None:
    stop = Interrupted("interrupted after 3 games", [1, 2, 3])
    assert stop.exit_code == 130
    assert stop.result == [1, 2, 3]
    assert str(stop) == "interrupted after 3 games"
    assert Interrupted("before").result is None
    assert not isinstance(stop, Exception)  # `except Exception` lets it pass, as it lets Ctrl-C pass


def test_an_unknown_name_gets_the_nearest_and_the_list() -> None:
    assert str(unknown("game", "khun", ["war", "kuhn", "leduc"])) == (
        "unknown game 'khun'. Did you mean 'kuhn'? Known: kuhn, leduc, war."
    )


def test_a_name_far_from_all_gets_the_list_alone() -> None:
    problem = unknown("game", "chess", ["war", "kuhn"], "A game in a file of your own is written ./mygame.py:GAME.")
    assert isinstance(problem, UsageError)
    assert str(problem) == ("unknown game 'chess'. Known: kuhn, war. A game in a file of your own is written ./mygame.py:GAME.")


def test_where_nothing_is_known_it_says_so() -> None:
    assert str(unknown("option of war", "x", [])) == "unknown option of war 'x'. None is known."


def test_capitals_do_not_hide_the_nearest_name() -> None:
    assert "Did you mean 'kuhn'?" in str(unknown("game", "KUHN", ["war", "kuhn"]))


@pytest.mark.parametrize("problem", [UsageError("a"), errors.AgentError("b"), Interrupted("c", (1, 2))])
def test_errors_travel_between_processes(problem: BaseException) -> None:
    again = pickle.loads(pickle.dumps(problem))
    assert type(again) is type(problem)
    assert str(again) == str(problem)
    assert vars(again) == vars(problem)
