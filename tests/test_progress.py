"""One kind of progress for all long work, and the reporter that fills it in."""

from __future__ import annotations

import importlib
import inspect
import sys

import pytest

from facedown.progress import Callback, Progress, Reporter


def test_printing_progress_gives_its_words() -> None:
    assert str(Progress(3, 4, "games", 0.5, "3 games, mean 0.2500")) == "3 games, mean 0.2500"


@pytest.mark.parametrize(("done", "total", "fraction"), [(0, 4, 0.0), (3, 4, 0.75), (4, 4, 1.0), (3, None, 0.0), (0, 0, 0.0)])
def test_the_fraction_of_unknown_work_is_0(done: int, total: int | None, fraction: float) -> None:
    assert Progress(done, total, "games", 0.0, "").fraction == fraction


def test_a_reporter_tells_its_callback() -> None:
    told: list[Progress] = []
    report = Reporter(told.append, 2, "steps")
    report(0, "first")
    report(1.5, "second", mean=0.25)
    assert [(now.done, now.total, now.unit, now.words) for now in told] == [
        (0, 2, "steps", "first"),
        (1.5, 2, "steps", "second"),
    ]
    assert [dict(now.details) for now in told] == [{}, {"mean": 0.25}]
    assert 0 <= told[0].seconds <= told[1].seconds < 60


def test_a_reporter_without_a_callback_says_nothing() -> None:
    Reporter(None, 2, "steps")(1, "first")


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("facedown.arena.match", "match"),
        ("facedown.arena.agreement", "agreement"),
        ("facedown.racing.race", "race"),
        ("facedown.trees.grow", "build_tree"),
        ("facedown.solving.solver", "solve"),
        ("facedown.solving.train", "train"),
        ("facedown.check", "game"),
        ("facedown.papers", "run"),
        ("facedown_bench", "run"),
    ],
)
def test_all_long_work_takes_the_same_callback(module: str, name: str) -> None:
    function = getattr(importlib.import_module(module), name)
    assert inspect.signature(function).parameters["progress"].annotation == "Callback | None"
    assert sys.modules[function.__module__].Callback is Callback  # type: ignore[attr-defined]
