"""Starting the lab: ports, names, what is missing, and how long answers take."""

from __future__ import annotations

import asyncio
import socket
import time
from typing import Any

import pytest
from starlette.testclient import TestClient

import facedown as fd
from facedown.cli import web as command
from facedown.web import pages, serve
from weblab import sit_down


def test_a_missing_extra_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    command.check_installed()
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(fd.UsageError, match=r"pip install 'facedown\[web\]'"):
        command.check_installed()


def test_ports_that_are_taken_are_told_or_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(fd.UsageError, match=f"port {port}.*choose another with --port"):
            serve._listen("127.0.0.1", port)
        monkeypatch.setattr(serve, "PORTS", range(port, port + 40))
        with serve._listen("127.0.0.1", None) as found:
            assert found.getsockname()[1] != port
    with pytest.raises(fd.UsageError, match=r"cannot listen on 203\.0\.113\.7"):
        serve._listen("203.0.113.7", 0)


def test_names_that_others_may_use() -> None:
    assert "0.0.0.0" not in serve._names("0.0.0.0") and socket.gethostname().lower() in serve._names("0.0.0.0")
    assert "192.0.2.1" in serve._names("192.0.2.1") and "[::1]" in serve._names("::1")


def test_answers_take_a_whole_multiple_of_the_shortest_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "SHORTEST_ANSWER", 0.2)
    for thought in (0.0, 0.05, 0.25):
        began = time.monotonic()
        time.sleep(thought)
        asyncio.run(pages.take_time(began))
        taken = time.monotonic() - began
        assert taken >= 0.2 * (1 if thought < 0.2 else 2) - 0.005


def test_a_move_is_answered_after_the_shortest_time(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "SHORTEST_ANSWER", 0.3)
    links = sit_down(client, "leduc", ["human", "human"])
    moment = client.get(f"/api/seats/{links['0']}").json()["moment"]
    for action in ("99", "2"):  # one that is refused takes as long
        began = time.monotonic()
        client.post(f"/t/{links['0']}/play", data={"action": action, "moment": moment}, follow_redirects=False)
        assert time.monotonic() - began >= 0.29


@pytest.mark.parametrize("wrong", [["--journal", "x"], ["--json"], ["--threads", "1"]])
def test_a_live_race_says_what_does_not_go_with_it(wrong: list[str]) -> None:
    from typer.testing import CliRunner

    from facedown.cli.main import app

    done: Any = CliRunner().invoke(app, ["race", "kuhn", "first", "uniform", "--live", *wrong])
    assert done.exit_code == 2 and "--live keeps the race in the lab" in done.output
