"""The report: what it says, how it reads, and requests that cannot be met."""

from __future__ import annotations

import json
import re

import broken_games
import healthy_game
import pytest

from facedown import check
from facedown.check.statistics import FALSE_ALARM
from facedown.check.suite import STEPS
from facedown.errors import UsageError
from facedown.progress import Progress

NAMES = [
    "fields",
    "facts",
    "compiles",
    "plain python",
    "plays",
    "turn",
    "actions",
    "chance",
    "length",
    "ranges",
    "options",
    "scores",
    "columns",
    "views",
    "questions",
    "copies",
    "replay",
    "words",
    "imagine",
    "no peeking",
    "settle",
    "perfect information",
    "hearing",
    "narration",
    "tree",
    "recall",
    "posterior",
    "agents",
    "public",
    "native loop",
]


@pytest.fixture(scope="module")
def healthy() -> check.Report:
    return check.game(healthy_game.HEALTHY, games=6, seed=7)


@pytest.fixture(scope="module")
def broken() -> check.Report:
    return check.game(broken_games.FAULTS["actions_descending"][1], games=6)


def test_the_names_of_checks_are_a_promise() -> None:
    assert [step.name for step in STEPS] == NAMES
    for step in STEPS:
        earlier = NAMES[: NAMES.index(step.name)]
        assert set(step.needs) <= {*earlier, "all"}, f"{step.name} needs a check that comes after it"


def test_a_report_tells_all(healthy: check.Report) -> None:
    assert healthy.ok
    assert healthy.failed == ()
    assert (healthy.game, healthy.games, healthy.seed) == ("healthy", 6, 7)
    assert [found.name for found in healthy.checks] == NAMES
    assert all(found.sentence and found.seconds >= 0 for found in healthy.checks)
    assert sum(found.seconds for found in healthy.checks) <= healthy.seconds


def test_json(healthy: check.Report, broken: check.Report) -> None:
    told = json.loads(json.dumps(healthy.to_dict()))
    assert (told["schema"], told["game"], told["ok"], told["seed"]) == ("facedown.check/1", "healthy", True, 7)
    assert set(told["checks"][0]) == {"name", "status", "sentence", "seconds"}
    told = json.loads(json.dumps(broken.to_dict()))
    assert told["ok"] is False
    (failed,) = [entry for entry in told["checks"] if entry["status"] == "failed"]
    assert set(failed) == {"name", "status", "sentence", "seconds", "found", "where", "expected", "remedy"}


def test_a_report_reads_well(healthy: check.Report, broken: check.Report) -> None:
    text = repr(healthy)
    assert re.match(r"healthy: \d+ passed, 0 failed, \d+ skipped \(6 games, seed 7, ", text)
    assert "  passed   fields               all 6 fields of the state and 7 of the view have a range and a meaning" in text
    assert max(map(len, text.splitlines())) <= 118
    assert "\n  FAILED   actions              'legal' offered [1, 0], which is not ascending in game 0" in repr(broken)


def test_statistical_checks_state_their_false_alarm_rate(healthy: check.Report) -> None:
    for name in ("chance", "posterior"):
        assert f"a false alarm has probability {FALSE_ALARM:g}" in healthy[name].sentence


def test_an_unknown_check_is_a_key_error_that_lists_them(healthy: check.Report) -> None:
    with pytest.raises(KeyError, match="there is no check 'score'; there are fields, facts"):
        healthy["score"]


def test_the_same_seed_says_the_same(healthy: check.Report) -> None:
    again = check.game(healthy_game.HEALTHY, games=6, seed=7)
    assert [(found.name, found.status, found.sentence) for found in again.checks] == [
        (found.name, found.status, found.sentence) for found in healthy.checks
    ]


def test_progress_is_told() -> None:
    seen: list[Progress] = []
    check.game(broken_games.FAULTS["actions_descending"][1], games=1, progress=seen.append)
    assert [(now.done, now.total, now.words) for now in seen] == [
        (done, len(NAMES), name) for done, name in enumerate([*NAMES, ""])
    ]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"games": 0}, "games=0: a whole number from 1 to 1000000 is needed, since all sample games are kept in memory"),
        ({"games": True}, "games=True"),
        ({"games": 2.5}, "games=2.5"),
        ({"games": 10**9}, "games=1000000000"),
        ({"max_nodes": 0}, "max_nodes=0"),
        ({"seed": -1}, "seed=-1"),
    ],
)
def test_wrong_settings_are_sentences(settings: dict[str, object], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        check.game("kuhn", **settings)  # type: ignore[arg-type]


def test_an_unknown_game_is_a_usage_error_not_a_failed_check() -> None:
    with pytest.raises(UsageError, match="unknown game 'khun'"):
        check.game("khun")
