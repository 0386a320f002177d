"""Leagues, solutions and papers: what their pages show, that they can be steered, and that they survive a restart."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from facedown.papers.claims import Claim, Figure, Published
from facedown.papers.documents import Paper
from facedown.papers.laboratory import Laboratory
from facedown.racing import league_keeping
from facedown.web import run
from facedown.web.app import create_app
from facedown.web.curve import bar, curve_picture
from facedown.web.experiments import KEPT, League
from facedown.web.kuhn_family import equilibrium
from facedown.web.lab import Lab
from facedown.web.league_table import cross_table
from facedown.web.running import Runs
from weblab import HOST, wait_for

LEAGUE = {"game": "kuhn", "agent_1": "first", "agent_2": "uniform", "games": "200", "seed": "1"}


def started(client: TestClient, path: str, form: dict[str, str]) -> str:
    answer = client.post(path, data=form, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def set_running(lab: Lab, path: str) -> None:
    """As if the server had been killed while it ran."""
    file = lab.place("runs", path.removeprefix("/runs/")) / "run.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"status": "running"}))


# --- leagues --------------------------------------------------------------------------------------------------------------


def test_a_league_is_a_cross_table_with_intervals(client: TestClient, lab: Lab) -> None:
    path = started(client, "/league", LEAGUE)
    text = wait_for(client, path, "League, done")
    assert text.count("heat-") == 2 and text.count(">·<") == 2 and "facedown league kuhn first uniform --games 200" in text
    assert re.search(r"<b>0\.\d{3}</b><small>0\.\d{3} to [01]\.\d{3}</small>", text)
    assert "Kuhn poker: league of first, uniform" in client.get("/league?game=kuhn").text and path in client.get("/").text
    set_running(lab, path)
    with TestClient(create_app(lab), HOST) as back:  # type: ignore[arg-type]
        assert re.findall(r"<b>[^<]*</b>", wait_for(back, path, "League, done")) == re.findall(r"<b>[^<]*</b>", text)


def test_a_league_is_paused_stopped_and_gone_on_with(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "SHOWN_EVERY", 0.0)
    path = started(client, "/league", LEAGUE | {"games": "100000000"})
    wait_for(client, path, "heat-")
    client.post(f"{path}/steer", data={"verb": "pause"})
    assert "League, paused" in client.get(path).text
    client.post(f"{path}/steer", data={"verb": "resume"})
    client.post(f"{path}/steer", data={"verb": "stop"})
    client.post(f"{path}/steer", data={"verb": "resume"})  # before the thread can have ended
    assert "League, running" in client.get(path).text
    client.post(f"{path}/steer", data={"verb": "stop"})
    assert "League, stopped" in client.get(path).text


def test_a_league_goes_on_from_its_file_when_the_lab_comes_back(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "SHOWN_EVERY", 0.0)
    monkeypatch.setattr(league_keeping, "EVERY", 0.0)
    begun = Runs(lab).new("league", game="kuhn", agents=["first", "uniform"], seed=5, games=10**8)
    _until(lambda: (begun.result or {}).get("games", 0) > 0)
    begun.leave()  # as when the server closes
    _until(lambda: begun._thread is None)
    kept = begun.result
    assert kept is not None and (begun.folder / KEPT).is_file()
    heard = list[int]()
    monkeypatch.setattr(League, "look", lambda self, progress: heard.append(progress.done))
    again = next(one for one in Runs(lab).listed() if one.id == begun.id)  # goes on by itself
    _until(lambda: bool(heard))
    again.stop()
    assert heard[0] >= kept["games"], "it goes on, and does not begin anew"
    _until(lambda: again._thread is None)


def _until(so: Callable[[], bool]) -> None:
    for _ in range(6_000):
        if so():
            return
        time.sleep(0.01)
    raise AssertionError("it never came to that")


def test_a_cross_table_has_every_cell_from_both_sides() -> None:
    cells = [
        {"first": "a", "second": "b", "verdict": "first", "games": 4, "mean": 0.75, "interval": [0.6, 0.8]},
        {"first": "b", "second": "c", "verdict": "undecided", "games": 4, "mean": 0.5, "interval": [0.25, 0.75]},
        {"first": "a", "second": "c", "verdict": "undecided", "games": 0, "mean": 0.5, "interval": [0.0, 1.0]},
    ]
    found = cross_table({"kind": "versus", "ranking": [{"agent": name} for name in "bac"], "pairings": cells})
    rows = {row["name"]: dict(zip(found["names"], row["cells"], strict=True)) for row in found["rows"]}
    assert rows["a"]["b"]["told"] == "beats" and rows["b"]["a"]["told"] == "loses to"
    assert (rows["b"]["a"]["mean"], rows["b"]["a"]["low"], rows["b"]["a"]["high"]) == pytest.approx((0.25, 0.2, 0.4))
    assert rows["a"]["b"]["shade"] == 8 and rows["b"]["a"]["shade"] == 0 and rows["c"]["b"]["shade"] == 4
    assert rows["a"]["c"] is None and rows["a"]["a"] is None and rows["c"]["b"]["told"] == "undecided"


def test_circles_are_named(client: TestClient, open_lab: tuple[TestClient, Any]) -> None:
    found, state = open_lab
    path = started(found, "/league", LEAGUE)
    wait_for(found, path, "League, done")
    state.runs.at(path.removeprefix("/runs/")).facts["result"]["cycles"] = [["rock", "scissors", "paper"]]
    assert "rock beats scissors beats paper beats rock" in found.get(path).text


# --- solving ----------------------------------------------------------------------------------------------------------------


def test_solving_draws_its_curve_and_shows_the_policy(client: TestClient, lab: Lab) -> None:
    path = started(client, "/solve", {"game": "kuhn", "iterations": "200"})
    text = wait_for(client, path, "Solve, done")
    assert "Nobody can gain more than" in text and text.count('class="bar"') == 12 and "<polyline" in text
    assert "facedown solve kuhn" in text and "/solve/kuhn" in text
    folder = lab.place("runs", path.removeprefix("/runs/"))
    points = [json.loads(line) for line in (folder / "points.jsonl").read_text().splitlines()]
    assert points[0][0] == 1 and points[-1][0] == 200 and points[-1][1] < points[0][1] / 100
    with TestClient(create_app(lab), HOST) as back:  # type: ignore[arg-type]
        assert back.get(path).text.count('class="bar"') == 12


def test_solving_goes_on_from_its_file(client: TestClient, lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("facedown.web.analyses.SAVED_EVERY", 0.0)
    path = started(client, "/solve", {"game": "kuhn", "iterations": "1000000000", "method": "cfr"})
    wait_for(client, path, 'class="bar"')  # while it runs
    client.post(f"{path}/steer", data={"verb": "stop"})
    before = int(json.loads((lab.place("runs", path.removeprefix("/runs/")) / "points.jsonl").read_text().splitlines()[-1])[0])
    with_thread = next((one for one in threading.enumerate() if one.name.endswith(path.removeprefix("/runs/"))), None)
    if with_thread is not None:
        with_thread.join(30)
    set_running(lab, path)
    with TestClient(create_app(lab), HOST) as back:  # type: ignore[arg-type]
        for _ in range(600):
            told = re.search(r"after ([\d,]+) iterations", wait_for(back, path, "after"))
            assert told is not None and int(told[1].replace(",", "")) >= before, "it began anew"
            if int(told[1].replace(",", "")) > before:
                break
        back.post(f"{path}/steer", data={"verb": "stop"})


def test_where_nothing_is_hidden_the_value_is_exact(client: TestClient) -> None:
    path = started(client, "/solve", {"game": "rrrats(tokens=3)"})
    text = wait_for(client, path, "Solve, done")
    assert re.search(r"Played perfectly, win probability for who moves first: 0\.\d{9}\.", text)
    assert 'class="bar"' in text and "facedown solve" in text


@pytest.mark.parametrize("king", [0.0, 0.35, 1.0])
def test_every_member_of_the_family_is_an_equilibrium(client: TestClient, king: float) -> None:
    _, found = equilibrium(king)
    assert found.values[0] == pytest.approx(-1 / 18) and max(found.gains) < 1e-12
    assert "-0.055556" in client.get("/solve/kuhn", params={"king": king}).text
    _, outside = equilibrium(king + 0.5)  # no probability any more, and no equilibrium
    assert king < 0.6 or max(outside.gains) > 1e-3
    assert client.get("/solve/kuhn", params={"king": 1.5}).status_code == 422
    part = client.get("/solve/kuhn", params={"king": king}, headers={"hx-request": "true"}).text
    assert part.startswith('<div id="family">')


def test_curves_and_bars_are_drawn_where_they_are() -> None:
    assert "Nothing is known" in curve_picture([]) and "<polyline" not in curve_picture([(1, 0.0)])
    drawn = curve_picture([(1, 1.0), (10, 0.1), (100, 0.01)])
    (line,) = re.findall(r'<polyline points="([^"]*)"', drawn)
    assert line == "64.0,16.0 332.0,134.0 600.0,252.0" and "from 1 to 0.01 in 100 iterations" in drawn
    assert re.findall(r'width="([\d.]+)" height="18" fill', bar([("a", 0.25), ("<b>", 0.75)], {})) == ["40.0", "120.0"]
    assert "&lt;b&gt;" in bar([("a", 0.25), ("<b>", 0.75)], {})


# --- papers -----------------------------------------------------------------------------------------------------------------


def measured(laboratory: Laboratory) -> Figure:
    return Figure(0.69, 0.01, 1_000, laboratory.seed, "facedown match kuhn uniform uniform")


@pytest.fixture
def small_paper(monkeypatch: pytest.MonkeyPatch) -> Paper:
    """A paper whose only claim costs nothing."""
    claim = Claim("one", "racing", "Page 1", "It is <said> to be so.", Published.printed("70 %"), measured)
    found = Paper("racing", "Small & <new>", "Nobody, 1999.", "About nothing.", (claim,))
    monkeypatch.setattr("facedown.papers.paper", lambda name: found)
    monkeypatch.setattr("facedown.papers.runs.papers", lambda names: (found,))
    return found


def test_papers_are_listed_with_how_long_they_take(client: TestClient) -> None:
    text = client.get("/papers").text
    for name in ("racing", "equilibrium", "love_letter", "cant_stop", "hanabi"):
        assert f"facedown paper {name} --out DIR" in text
    assert re.search(r"Quick: about \d+ (seconds|minutes)", text)


def test_a_paper_is_measured_and_its_report_served(client: TestClient, lab: Lab, small_paper: Paper) -> None:
    path = started(client, "/papers", {"paper": "racing"})
    text = wait_for(client, path, "Paper, done")
    assert "1 claims: 1 agrees." in text and "It is &lt;said&gt; to be so." in text and "facedown paper racing --seed 1" in text
    answer = client.get(f"{path}/report")
    assert answer.status_code == 200 and "Published figures beside ours" in answer.text
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'") and "script-src" not in policy and "frame-ancestors 'none'" in policy
    with TestClient(create_app(lab), HOST) as back:  # type: ignore[arg-type]
        assert "Paper, done" in back.get(path).text and back.get(f"{path}/report").text == answer.text


def test_there_is_no_report_but_that_of_a_paper(client: TestClient, lab: Lab) -> None:
    path = started(client, "/league", LEAGUE)
    wait_for(client, path, "League, done")
    (lab.place("runs", path.removeprefix("/runs/")) / "index.html").write_text("<p>somebody's</p>")
    assert client.get(f"{path}/report").status_code == 404
    assert client.get(f"/runs/{'a' * 12}/report").status_code == 404
    assert client.get("/runs/..%2f..%2f/report").status_code in {404, 422}


# --- wrong requests -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "form", "words"),
    [
        ("/league", LEAGUE | {"agent_2": ""}, "two agents at least"),
        ("/league", LEAGUE | {"agent_2": "first"}, "named twice"),
        ("/league", LEAGUE | {"others": "human"}, "people do not play in leagues"),
        ("/league", LEAGUE | {"others": "table(/etc/passwd)"}, "named, not given as files"),
        ("/league", LEAGUE | {"games": "0"}, "a whole number from 1"),
        ("/league", LEAGUE | {"delta": "nan"}, "delta"),
        ("/league", LEAGUE | {"game": "chess"}, "unknown game"),
        ("/solve", {"game": "./kuhn.py:GAME"}, "unknown game"),
        ("/solve", {"game": "kuhn", "method": "magic"}, "unknown method"),
        ("/solve", {"game": "kuhn", "method": "exact"}, "perfect information"),
        ("/solve", {"game": "kuhn", "iterations": "0"}, "a whole number from 1"),
        ("/solve", {"game": "kuhn", "exploitability": "-1"}, "from 0 on"),
        ("/papers", {"paper": "nothing"}, "unknown paper"),
        ("/papers", {"paper": "racing", "profile": "slow"}, "choose one of"),
        ("/papers", {"paper": "racing", "seed": "-1"}, "seed"),
    ],
)
def test_wrong_experiments_are_refused(client: TestClient, lab: Lab, path: str, form: dict[str, str], words: str) -> None:
    answer = client.post(path, data=form)
    assert answer.status_code == 400 and words in answer.text, answer.text
    assert lab.listed("runs") == []


@pytest.mark.parametrize("path", ["/league", "/solve", "/papers"])
def test_new_pages_stand_behind_the_door(client: TestClient, lab: Lab, path: str) -> None:
    forms = {"/league": LEAGUE, "/solve": {"game": "kuhn", "iterations": "2"}, "/papers": {"paper": "equilibrium"}}
    assert client.get(path, headers={"host": "evil.example"}).status_code == 421
    for headers in ({"origin": "http://evil.example"}, {"sec-fetch-site": "cross-site"}):
        assert client.post(path, data=forms[path], headers=headers).status_code == 403
    assert client.post(path, data={"game": "x" * 70_000}).status_code == 413
    assert lab.listed("runs") == []
    with TestClient(create_app(lab, ("127.0.0.1",), "secret-token"), HOST) as stranger:  # type: ignore[arg-type]
        assert stranger.get(path).status_code == 401 and stranger.post(path, data=forms[path]).status_code == 401


def test_a_mistake_in_a_run_is_told_and_ends_it(client: TestClient, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError("secret path /home/somebody")

    monkeypatch.setattr("facedown.web.analyses.solve", broken)
    path = started(client, "/solve", {"game": "kuhn"})
    text = wait_for(client, path, "Solve, failed")
    assert "Something went wrong" in text and "secret path" not in text and "ZeroDivisionError" in capsys.readouterr().err


def test_a_run_of_an_unknown_kind_is_passed_over(lab: Lab) -> None:
    folder: Path = lab.place("runs", "a" * 12)
    folder.mkdir(parents=True)
    (folder / "run.json").write_text('{"kind": "war", "status": "running"}')
    with TestClient(create_app(lab), HOST) as back:  # type: ignore[arg-type]
        assert back.get(f"/runs/{'a' * 12}").status_code == 404 and back.get("/").status_code == 200


# --- agents with parameters -----------------------------------------------------------------------------------------------


def test_sliders_say_how_an_agent_plays(client: TestClient, lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("facedown.web.games.N_GAMES", 50)
    text = client.get("/games/rrrats").text
    assert 'name="parameter_at"' in text and re.search(r'type="range" min="1" max="\d+" step="1" value="\d+"', text)
    told = client.get("/games/rrrats/measure", params={"agent": "hold", "parameter_at": "2"}).text
    assert "hold(at=2): <b>" in told
    answer = client.post("/tables", data={"game": "rrrats", "partner": "hold", "parameter_at": "2"}, follow_redirects=False)
    assert answer.status_code == 303
    (table,) = lab.listed("tables")
    assert json.loads((lab.place("tables", table) / "table.json").read_text())["seats"] == ["human", "hold(at=2)"]
    for name, value in (("parameter_at", "two"), ("parameter_nothing", "1"), ("parameter_at", "99999"), ("parameter_a)", "1")):
        assert client.post("/tables", data={"game": "rrrats", "partner": "hold", name: value}).status_code == 400
