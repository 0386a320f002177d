"""A file for each command, and what the commands share: bars, and results after Ctrl-C."""

from __future__ import annotations

from typing import Any

import pytest

from facedown.cli.main import app
from facedown.cli.output import progress_bar, with_progress
from facedown.errors import Interrupted
from facedown.progress import Progress


def test_every_command_is_in_the_file_of_its_name() -> None:
    commands = [command.callback for command in app.registered_commands if not command.hidden]
    assert len(commands) == 19
    for command in commands:
        assert command is not None
        assert command.__module__ == f"facedown.cli.{command.__name__}"


@pytest.mark.parametrize("total", [10, None])
def test_a_bar_shows_any_progress(
    total: int | None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")  # rich takes that for a terminal
    monkeypatch.setenv("COLUMNS", "100")
    with progress_bar("kuhn") as show:
        show(Progress(5, total, "games", 1.0, "5 games"))
    shown = capsys.readouterr()
    assert "kuhn" in shown.err and "5 games" in shown.err and not shown.out


def test_there_is_no_bar_in_a_pipe(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    with progress_bar("kuhn") as show:
        show(Progress(5, 10, "games", 1.0, "5 games"))
    assert capsys.readouterr() == ("", "")


def test_what_is_known_so_far_comes_back_with_the_interruption() -> None:
    def stopped(show: Any) -> None:
        raise Interrupted("interrupted after 3 games", "3 games")

    assert with_progress("kuhn", lambda show: "all") == ("all", None)
    found, stop = with_progress("kuhn", stopped)
    assert found == "3 games" and str(stop) == "interrupted after 3 games"


def test_an_interruption_before_anything_is_known_goes_on() -> None:
    def stopped(show: Any) -> None:
        raise Interrupted("interrupted before any game was finished")

    with pytest.raises(Interrupted, match="before any game"):
        with_progress("kuhn", stopped)
