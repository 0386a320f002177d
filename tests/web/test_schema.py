"""The interface is fuzzed from its own description: whatever is sent, nothing of ours breaks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import hypothesis
import pytest

from weblab import HOST

pytest.importorskip("fastapi")
schemathesis = pytest.importorskip("schemathesis")

from starlette.testclient import TestClient  # noqa: E402

from facedown.native.jit import COMPILED  # noqa: E402
from facedown.web import pages, running, tables  # noqa: E402
from facedown.web.app import inner_app  # noqa: E402
from facedown.web.guard import Guard  # noqa: E402
from facedown.web.lab import Lab  # noqa: E402

N_EXAMPLES = 25 if COMPILED else 8


@pytest.mark.slow
def test_nothing_that_is_sent_breaks_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "SHORTEST_ANSWER", 0.001)
    monkeypatch.setattr(running, "MAX_RUNNING", 1)
    monkeypatch.setattr(tables, "LONGEST_WAIT", 10.0)
    app = inner_app(Lab(tmp_path))
    schema = schemathesis.openapi.from_dict(app.openapi())
    with TestClient(Guard(app, ["127.0.0.1"]), HOST, raise_server_exceptions=False) as client:  # type: ignore[arg-type]
        table = app.state.tables.new(app.state.lab.game("kuhn"), ["human", "human"], 1)
        known = {"link": table.link(0), "name": "kuhn", "identity": "a" * 12}
        n_asked = 0
        for result in schema.get_all_operations():
            operation = result.ok()
            # streams have no end: tests/web/test_two_deals.py reads one
            if not operation.path.endswith("/events"):
                n_asked += fuzz(client, operation, known)
    assert n_asked > (200 if COMPILED else 60)


def fuzz(client: TestClient, operation: Any, known: dict[str, str]) -> int:
    """Send what the description allows to one address; how often."""
    n_asked = 0
    there = {key: value for key, value in known.items() if f"{{{key}}}" in operation.path}

    @hypothesis.given(case=operation.as_strategy())
    @hypothesis.settings(
        max_examples=N_EXAMPLES, derandomize=True, deadline=None, suppress_health_check=list(hypothesis.HealthCheck)
    )
    def ask(case: Any) -> None:
        nonlocal n_asked
        request = case.as_transport_kwargs(base_url=HOST)
        request.pop("cookies", None)
        if n_asked % 2:  # behind a link that exists: elsewhere nearly all is turned away at the door
            request["url"] = HOST + operation.path.format(**there)
        n_asked += 1
        request["headers"] = {
            name: value
            for name, value in dict(request.get("headers") or {}).items()
            if str(value).isascii() and str(value).isprintable() and name.lower() not in {"host", "content-length"}
        }
        answer = client.request(follow_redirects=False, **request)
        assert answer.status_code < 500, (request, answer.text)

    ask()
    return n_asked
