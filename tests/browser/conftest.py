"""A real browser, and a server in a process of its own that can be killed.

The server runs rules as plain Python: the pages are the same, and no test waits for the compiler.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

playwright_api = pytest.importorskip("playwright.sync_api")
sys.path.insert(0, str(Path(__file__).parent))

from browser import ADVICE, FLAGS, installed  # noqa: E402

EXAMPLE = Path(__file__).parents[2] / "examples" / "liars_dice.py"
AXE = (Path(__file__).parent / "vendor" / "axe-core-4.14.0.min.js").read_text()
PATIENCE = 90_000
"""Milliseconds that a page is given to show something; on a machine with other work that may take long."""
WIDTHS = {"narrow": {"width": 360, "height": 740}, "wide": {"width": 1280, "height": 900}}


class Server:
    """`facedown web` on a free port, with a folder of its own."""

    def __init__(self, folder: Path):
        self.folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.base = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        words = ["web", f"{EXAMPLE}:GAME", "--no-open", "--port", str(self.port), "--folder", str(self.folder)]
        program = "import sys; from facedown.cli.main import main; sys.argv[0] = 'facedown'; main()"
        self.process = subprocess.Popen(
            [sys.executable, "-c", program, *words],
            env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(600):
            try:
                urllib.request.urlopen(f"{self.base}/api/games", timeout=5)
                return
            except OSError:
                assert self.process.poll() is None, self.process.communicate()[1]
                time.sleep(0.1)
        raise AssertionError("the server does not start")

    def kill(self, how: int = signal.SIGKILL) -> None:
        assert self.process is not None
        self.process.send_signal(how)
        self.process.communicate(timeout=30)

    def lay(self, game: str, seats: list[str], seed: int | None = 5) -> dict[str, str]:
        """A new table: the addresses of people's seats."""
        content = json.dumps({"game": game, "seats": seats, "seed": seed}).encode()
        request = urllib.request.Request(f"{self.base}/api/tables", content, {"content-type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return {seat: f"{self.base}/t/{link}" for seat, link in json.load(answer)["links"].items()}


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    made = Server(tmp_path_factory.mktemp("lab"))
    made.start()
    yield made
    made.kill(signal.SIGTERM)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    path = installed()
    if path is None:
        if os.environ.get("CI") == "true":
            pytest.fail(ADVICE)
        pytest.skip(ADVICE)
    with playwright_api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield found
        found.close()


@pytest.fixture
def new_page(chromium: Any) -> Iterator[Callable[..., Any]]:
    """Pages of browsers that know nothing of each other; all complaints and all requests are noted."""
    contexts, complaints, elsewhere = [], [], []

    def make(width: str = "wide", **how: Any) -> Any:
        context = chromium.new_context(viewport=WIDTHS[width], **how)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda problem: complaints.append(str(problem)))
        page.on("console", lambda line: complaints.append(line.text) if "Content Security" in line.text else None)
        page.on("request", lambda request: elsewhere.append(request.url) if "127.0.0.1" not in request.url else None)
        return page

    yield make
    for context in contexts:
        context.close()
    assert complaints == [], "scripts failed, or the content policy was broken"
    assert [url for url in elsewhere if not url.startswith("data:")] == [], "a page asked another machine"


def moment(page: Any) -> str:
    return str(page.get_attribute("#table", "data-moment"))


def wait_for_change(page: Any, before: str) -> None:
    page.wait_for_function("before => document.getElementById('table')?.dataset.moment !== before", arg=before)


def ready(page: Any) -> None:
    """The table is laid."""
    page.wait_for_selector(".moves, .ending, .board")


def check_access(page: Any, name: str) -> None:
    """No serious findings of axe-core, and nothing wider than the screen."""
    page.wait_for_load_state("load")  # a page that was led to shows its words before its style sheet is there
    page.evaluate(AXE)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    serious = [one for one in found["violations"] if one["impact"] in {"serious", "critical"}]
    told = [(one["id"], [node["html"][:120] for node in one["nodes"][:3]]) for one in serious]
    assert told == [], name
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), f"{name} is wider than the screen"
