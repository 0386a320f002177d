"""A lab for each test, asked without a network; games that need no compiler to be quick."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi")

from starlette.testclient import TestClient

from facedown.arena import worlds
from facedown.native.jit import COMPILED
from facedown.web import pages
from facedown.web.app import create_app, inner_app
from facedown.web.guard import Guard
from facedown.web.lab import Lab
from weblab import HOST

EXAMPLE = Path(__file__).parents[2] / "examples" / "liars_dice.py"


@pytest.fixture(autouse=True)
def quick_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "SHORTEST_ANSWER", 0.001)
    if not COMPILED:  # plain Python imagines a world in up to a tenth of a second
        monkeypatch.setattr(worlds, "N_WORLDS", 4)
        monkeypatch.setattr(worlds, "MAX_ALL", 4)


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab(tmp_path / "lab", [f"{EXAMPLE}:GAME"])


@pytest.fixture
def client(lab: Lab) -> Iterator[TestClient]:
    """A browser at the door of the lab."""
    with TestClient(create_app(lab), HOST, raise_server_exceptions=False) as found:  # type: ignore[arg-type]
        yield found


@pytest.fixture
def open_lab(lab: Lab) -> Iterator[tuple[TestClient, Any]]:
    """The same, with what is behind the door."""
    app = inner_app(lab)
    with TestClient(Guard(app, ["127.0.0.1"]), HOST, raise_server_exceptions=False) as found:  # type: ignore[arg-type]
        yield found, app.state
