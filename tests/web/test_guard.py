"""The door: each protection is tried against the whole app, and with the protection taken out the attack succeeds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from facedown.web import guard as guard_module
from facedown.web.app import create_app, inner_app
from facedown.web.guard import COOKIE, MAX_BODY, MAX_TARGET, Guard
from facedown.web.lab import Lab, default_folder
from weblab import HOST, sit_down

FORM = {"game": "kuhn", "partner": "uniform"}


def n_tables(lab: Lab) -> int:
    return len(lab.listed("tables"))


# --- names of this machine ------------------------------------------------------------------------------------------------


def test_strangers_names_for_this_machine_are_refused(client: TestClient, lab: Lab) -> None:
    for host in ("evil.example", "127.0.0.1.evil.example", "evil.example:80", "", "localhost.evil"):
        answer = client.get("/", headers={"host": host})
        assert answer.status_code == 421 and "does not answer to that name" in answer.text
    for host in ("127.0.0.1", "127.0.0.1:8765", "localhost", "LOCALHOST:1", "[::1]:9"):
        assert client.get("/", headers={"host": host}).status_code == 200


def test_without_the_check_a_rebound_name_would_read_the_page(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard_module, "_without_port", lambda host: "127.0.0.1")
    with TestClient(create_app(lab), HOST) as client:  # type: ignore[arg-type]
        assert "Love Letter" in client.get("/", headers={"host": "evil.example"}).text


# --- posts from elsewhere ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1.evil.example"},
        {"origin": "http://127.0.0.1:9999"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_pages_of_other_sites_change_nothing(client: TestClient, lab: Lab, headers: dict[str, str]) -> None:
    answer = client.post("/tables", data=FORM, headers=headers, follow_redirects=False)
    assert answer.status_code == 403 and n_tables(lab) == 0
    with TestClient(inner_app(lab), HOST) as unguarded:
        assert unguarded.post("/tables", data=FORM, headers=headers, follow_redirects=False).status_code == 303
    assert n_tables(lab) == 1


def test_own_pages_may(client: TestClient, lab: Lab) -> None:
    own = {"origin": HOST, "sec-fetch-site": "same-origin"}
    assert client.post("/tables", data=FORM, headers=own, follow_redirects=False).status_code == 303
    assert n_tables(lab) == 1


# --- sizes ------------------------------------------------------------------------------------------------------------------


def test_large_requests_are_refused_whether_they_say_so_or_not(client: TestClient, lab: Lab) -> None:
    body = b"game=kuhn&seed=" + b"1" * MAX_BODY

    def dribble() -> Iterator[bytes]:
        for start in range(0, len(body), 1000):
            yield body[start : start + 1000]

    kind = {"content-type": "application/x-www-form-urlencoded"}
    for content in (body, dribble()):
        answer = client.post("/tables", content=content, headers=kind, follow_redirects=False)
        assert answer.status_code == 413 and "bytes are read" in answer.text
    assert client.post("/tables", content=b"x", headers=kind | {"content-length": "-1"}).status_code == 413
    assert client.get("/?" + "x" * MAX_TARGET).status_code == 414
    assert n_tables(lab) == 0
    with TestClient(inner_app(lab), HOST) as unguarded:  # taken in, and only then found to make no sense
        assert unguarded.post("/tables", content=body, headers=kind).status_code == 400


# --- the token of a lab that others can reach ---------------------------------------------------------------------------


def test_a_lab_that_is_open_to_others_wants_its_token(lab: Lab) -> None:
    with TestClient(create_app(lab, ("127.0.0.1",), "secret-token"), HOST) as client:  # type: ignore[arg-type]
        for path in ("/", "/runs", "/league", "/solve", "/papers", "/api/games", "/openapi.json", "/games/kuhn"):
            assert client.get(path).status_code == 401
        assert client.post("/tables", data=FORM).status_code == 401
        assert client.get("/?token=wrong").status_code == 401
        assert client.get("/", headers={"cookie": f"{COOKIE}=wrong"}).status_code == 401
        assert client.get("/", headers={"cookie": b'broken="\x80'}).status_code == 401
        assert n_tables(lab) == 0
        answer = client.get("/runs?game=kuhn&token=secret-token", follow_redirects=False)
        assert answer.status_code == 303 and answer.headers["location"] == "/runs?game=kuhn"
        assert "HttpOnly" in answer.headers["set-cookie"] and "SameSite=Strict" in answer.headers["set-cookie"]
        assert client.get("/").status_code == 200  # the browser has kept it
        links = sit_down(client, "kuhn", ["human", "human"])
    with TestClient(create_app(lab, ("127.0.0.1",), "secret-token"), HOST) as friend:  # type: ignore[arg-type]
        assert friend.get(f"/t/{links['1']}").status_code == 200  # a seat's link is enough for that seat
        assert friend.get("/").status_code == 401


def test_a_token_in_the_address_never_leads_to_another_site(lab: Lab) -> None:
    with TestClient(create_app(lab, ("127.0.0.1",), "secret-token"), HOST) as client:  # type: ignore[arg-type]
        for path in ("//evil.example/", "/\\evil.example/", "///evil.example"):
            answer = client.get(f"{HOST}{path}?token=secret-token", follow_redirects=False)
            assert answer.status_code == 303
            assert answer.headers["location"].startswith("/") and not answer.headers["location"].startswith(("//", "/\\"))


# --- what every answer says ---------------------------------------------------------------------------------------------------


def test_every_answer_forbids_foreign_scripts_frames_and_caches(client: TestClient) -> None:
    for path in ("/", "/nothing", "/static/lab.js", "/api/games", "/t/" + "x" * 22, "/league", "/solve", "/papers"):
        headers = client.get(path).headers
        assert "default-src 'self'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff" and headers["x-frame-options"] == "DENY"
        assert path.startswith("/static/") or headers["cache-control"] == "no-store"


# --- files ------------------------------------------------------------------------------------------------------------------


def test_paths_never_leave_the_static_folder(client: TestClient) -> None:
    for path in (
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/..%2fapp.py",
        "/static/%2fetc/passwd",
        "/static/....//app.py",
        "/static/covers/../../app.py",
    ):
        answer = client.get(path)
        assert answer.status_code in {400, 404} and "FastAPI" not in answer.text


def test_names_of_tables_and_runs_are_no_paths(client: TestClient, lab: Lab) -> None:
    for name in ("../../etc/passwd", "..", "%2e%2e%2f", "a" * 13, "A" * 12, ""):
        assert (
            client.get(f"/runs/{name}").status_code in {404, 405, 422, 200} and "root:" not in client.get(f"/runs/{name}").text
        )
        if name:
            with pytest.raises(Exception, match="is no name"):
                lab.place("runs", name)


@pytest.mark.parametrize(
    "agent",
    ["./evil.py:AGENT", "/tmp/evil.py", "isolated(./evil.py:AGENT)", "isolated(evil.py)", "table(secret.npz)", " table(x)"],
)
def test_pages_cannot_name_a_file_to_read_or_run(client: TestClient, lab: Lab, tmp_path: Path, agent: str) -> None:
    (tmp_path / "evil.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w').write('x')\nAGENT = GAME = None\n")
    agent = agent.replace("./evil.py", str(tmp_path / "evil.py"))
    attempts: list[tuple[str, dict[str, Any]]] = [
        ("/tables", {"data": {"game": "kuhn", "partner": agent}}),
        ("/runs", {"data": {"game": "kuhn", "first": agent, "second": "uniform"}}),
        ("/api/tables", {"json": {"game": "kuhn", "seats": ["human", agent]}}),
        ("/tables", {"data": {"game": agent}}),
        ("/api/tables", {"json": {"game": f"{tmp_path}/evil.py:GAME"}}),
    ]
    for path, content in attempts:
        assert client.post(path, follow_redirects=False, **content).status_code == 400
    assert client.get("/games/kuhn/measure", params={"agent": agent}).status_code == 400
    assert not (tmp_path / "ran").exists() and n_tables(lab) == 0


# --- what people write ------------------------------------------------------------------------------------------------------


def test_what_people_write_is_escaped_everywhere(client: TestClient) -> None:
    evil = "<script>alert(1)</script>\"'>"
    links = sit_down(client, "kuhn", ["human", "human"])
    client.post(f"/t/{links['0']}/name", data={"name": evil})
    client.post(f"/t/{links['0']}/note", data={"note": evil})
    for link in links.values():
        text = client.get(f"/t/{link}").text
        assert "<script>alert" not in text and "&lt;script&gt;alert(1)" in text
    for path in (f"/games/{evil}", f"/runs?game={evil}", f"/games/kuhn/measure?agent={evil}"):
        assert "<script>alert" not in client.get(path).text
    answer = client.post("/tables", data={"game": evil})
    assert answer.status_code == 400 and "<script>alert" not in answer.text and "&lt;script&gt;" in answer.text


def test_names_and_notes_are_short_and_printable(client: TestClient, lab: Lab) -> None:
    links = sit_down(client, "kuhn", ["human", "human"])
    client.post(f"/t/{links['0']}/name", data={"name": "\x1b[31m" + "n" * 500})
    client.post(f"/t/{links['0']}/note", data={"note": "line\nline\x00" + "x" * 9_000})
    (identity,) = lab.listed("tables")
    facts = json.loads((lab.place("tables", identity) / "table.json").read_text())
    assert len(facts["names"]["0"]) == 40 and "\x1b" not in facts["names"]["0"]
    assert facts["notes"]["0"].startswith("line\nlinex") and len(facts["notes"]["0"]) == 2_000


# --- secrets on disk ----------------------------------------------------------------------------------------------------------


def test_links_are_long_and_kept_from_other_users(client: TestClient, lab: Lab) -> None:
    links = sit_down(client, "kuhn", ["human", "human"])
    assert all(len(link) == 22 for link in links.values()) and len(set(links.values())) == 2
    (identity,) = lab.listed("tables")
    folder = lab.place("tables", identity)
    assert folder.stat().st_mode & 0o077 == 0 and (folder / "table.json").stat().st_mode & 0o077 == 0


def test_the_folder_of_the_lab_can_be_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FACEDOWN_LAB", str(tmp_path / "mine"))
    assert default_folder() == tmp_path / "mine"
    monkeypatch.delenv("FACEDOWN_LAB")
    assert default_folder().name == "lab"
    (tmp_path / "file").write_text("x")
    with pytest.raises(Exception, match="the lab cannot be kept in"):
        Lab(tmp_path / "file")


def test_other_protocols_get_no_answer() -> None:
    import asyncio

    async def none(*_: Any) -> None:
        raise AssertionError("the app is not asked")

    asyncio.run(Guard(none, ["127.0.0.1"])({"type": "websocket"}, none, none))  # type: ignore[arg-type]
