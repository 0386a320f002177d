"""Home, agents, review, races: what the pages show, and that wrong requests are answered with sentences."""

from __future__ import annotations

import json
import re
import time
from typing import Any

import pytest
from starlette.testclient import TestClient

from facedown.games.registry import BUILT_IN, game
from facedown.web import run, running
from facedown.web.app import create_app
from facedown.web.interval import interval_picture
from facedown.web.lab import Lab
from weblab import HOST, play_out, sit_down, wait_for

# --- home and agents ------------------------------------------------------------------------------------------------------


def test_home_shows_every_game_with_two_facts(client: TestClient) -> None:
    text = client.get("/").text
    for name in BUILT_IN:
        assert game(name).title.replace("'", "&#39;") in text and f"/static/covers/{name}.svg" in text
    assert text.count('class="facts"') == len(BUILT_IN) + 1  # one of them is the example's
    assert "<script>" not in text and " style=" not in text and not re.findall(r'(?:src|href)="https?:', text)


def test_the_first_page_is_light(client: TestClient) -> None:
    client.headers["accept-encoding"] = "identity"
    text = client.get("/").text
    total = len(text)
    for path in set(re.findall(r'(?:src|href)="(/static/[^"#]*)', text)):
        answer = client.get(path)
        assert answer.status_code == 200, path
        total += len(answer.content)
    assert total < 150_000


@pytest.mark.parametrize("name", sorted(BUILT_IN))
def test_a_game_has_rules_options_and_agents(client: TestClient, name: str) -> None:
    text = client.get(f"/games/{name}").text
    for option in game(name).options:
        assert f"option_{option.name}" in text
    assert "uniform" in text and "<pre" in text and ">isolated<" not in text


def test_an_agent_is_measured_with_its_error(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("facedown.web.games.N_GAMES", 100)
    text = client.get("/games/rrrats/measure", params={"agent": "hold(2)"}).text
    assert re.search(r"<b>[\d.]+</b> ± ", text) and "100 games, seed 1" in text
    for agent in ("nobody", "hold(n=99)", "human"):
        answer = client.get("/games/rrrats/measure", params={"agent": agent})
        assert answer.status_code == 400 and "problem" in answer.text


# --- review -----------------------------------------------------------------------------------------------------------------


@pytest.fixture
def finished(client: TestClient) -> dict[str, str]:
    links = sit_down(client, "leduc", ["human", "human"], seed=8)
    play_out(client, links, lambda legal: legal[-1])
    return links


def test_a_review_has_every_position_through_every_lens(client: TestClient, finished: dict[str, str]) -> None:
    home = f"/t/{finished['1']}"
    text = client.get(f"{home}/review").text
    n_moves = int(re.findall(r'max="(\d+)"', text)[0])
    found = {lens: client.get(f"{home}/frames", params={"lens": lens}).json() for lens in ("seat-0", "seat-1", "truth")}
    for lens, told in found.items():
        assert len(told["frames"]) == len(told["words"]) == n_moves + 1, lens
        assert all(frame.startswith("<svg") for frame in told["frames"])
    assert found["seat-0"]["frames"] != found["seat-1"]["frames"]
    assert "you, player 0" in found["truth"]["frames"][0] and "you, player 1" in found["truth"]["frames"][0]
    assert len(re.findall(r"data-at=", text)) == n_moves + 1
    assert client.get(f"{home}/frames", params={"lens": "seat-7"}).status_code == 400
    assert client.get(f"{home}/frames", params={"lens": "everything"}).status_code == 422
    assert client.get(f"{home}/transcript").text.startswith("facedown transcript 1\n")


def test_luck_and_play_are_told_apart(client: TestClient, finished: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    address = f"/t/{finished['0']}/hindsight"
    for _ in range(400):
        text = client.get(address).text
        if "luck gave" in text:
            break
        assert "imagined" in text
        time.sleep(0.05)
    numbers = re.findall(r"<b>([-+\d.]+)</b>", text)
    expected, score, cost, luck = map(float, numbers[:4])
    assert abs(expected - cost + luck - score) < 0.03  # each is shown to two digits
    assert "worlds that fitted what you saw" in text


def test_try_it_again_from_here(client: TestClient, finished: dict[str, str]) -> None:
    home = f"/t/{finished['0']}"
    seen = {}
    for cards in ("anew", "same"):
        answer = client.post(f"{home}/branch", data={"at": "0", "cards": cards}, follow_redirects=False)
        assert answer.status_code == 303
        seen[cards] = client.get(f"/api/seats/{answer.headers['location'].removeprefix('/t/')}").json()
    assert seen["anew"]["view"] == seen["same"]["view"] and seen["same"]["legal"]
    for form in ({}, {"at": "x"}, {"at": "999"}, {"at": "-1"}, {"at": "0", "cards": "marked"}):
        assert client.post(f"{home}/branch", data=form).status_code == 400


# --- races ----------------------------------------------------------------------------------------------------------------


RACE = {"game": "kuhn", "first": "first", "second": "uniform", "epsilon": "0.05", "delta": "0.05", "seed": "1"}


def test_a_race_comes_to_its_verdict(client: TestClient, lab: Lab) -> None:
    answer = client.post("/runs", data=RACE, follow_redirects=False)
    path = answer.headers["location"]
    text = wait_for(client, path, "Race, done")
    assert "is better than" in text and "Again, in a terminal" in text and "facedown race kuhn first uniform" in text
    assert "Kuhn poker: first against uniform" in client.get("/runs").text and path in client.get("/").text
    with TestClient(create_app(lab), HOST) as back:  # type: ignore[arg-type]
        assert "Race, done" in back.get(path).text  # the page survives a restart


def test_a_race_is_paused_stopped_and_gone_on_with(client: TestClient, lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "SHOWN_EVERY", 0.0)
    endless = RACE | {"second": "first", "epsilon": "0.0001", "delta": "0.0001"}
    path = client.post("/runs", data=endless, follow_redirects=False).headers["location"]
    wait_for(client, path, "Undecided so far.")
    assert client.post(f"{path}/steer", data={"verb": "pause"}).status_code == 200
    assert "Race, paused" in client.get(path).text and "Go on" in client.get(path).text
    client.post(f"{path}/steer", data={"verb": "resume"})
    assert "Race, running" in client.get(path).text
    client.post(f"{path}/steer", data={"verb": "stop"})
    wait_for(client, path, "Race, stopped")
    assert client.post(f"{path}/steer", data={"verb": "explode"}).status_code == 400
    identity = path.removeprefix("/runs/")
    for _ in range(200):  # the last batch is finished first
        n_lines = len((lab.place("runs", identity) / "race.journal").read_text().splitlines())
        time.sleep(0.1)
        if n_lines == len((lab.place("runs", identity) / "race.journal").read_text().splitlines()):
            break
    # a server that was killed while it ran: the race goes on from its journal
    facts = json.loads((lab.place("runs", identity) / "run.json").read_text())
    (lab.place("runs", identity) / "run.json").write_text(json.dumps(facts | {"status": "running"}))
    with TestClient(create_app(lab), HOST) as back:  # type: ignore[arg-type]
        assert "Race, running" in back.get(path).text
        for _ in range(400):
            if len((lab.place("runs", identity) / "race.journal").read_text().splitlines()) > n_lines:
                break
            time.sleep(0.05)
        else:
            raise AssertionError("the race does not go on")
        back.post(f"{path}/steer", data={"verb": "stop"})


def test_a_match_is_a_table_with_intervals(client: TestClient) -> None:
    form = {"kind": "match", "game": "kuhn", "first": "uniform", "second": "first", "max_games": "200", "seed": "3"}
    path = client.post("/runs", data=form, follow_redirects=False).headers["location"]
    text = wait_for(client, path, "Match, done")
    assert "95 % at any time" in text and "200 games" in text and "facedown match kuhn" in text


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"game": "chess"}, "unknown game"),
        ({"first": "human"}, "people do not race"),
        ({"first": "nobody"}, "unknown agent"),
        ({"method": "magic"}, "unknown method"),
        ({"epsilon": "2"}, "lies between"),
        ({"epsilon": "wide"}, "a number is needed"),
        ({"epsilon": "nan"}, "epsilon"),
        ({"max_games": "0"}, "a whole number from 1"),
        ({"kind": "war"}, "choose race or match"),
    ],
)
def test_wrong_races_are_refused(client: TestClient, lab: Lab, change: dict[str, str], words: str) -> None:
    answer = client.post("/runs", data=RACE | change)
    assert answer.status_code == 400 and words in answer.text
    assert lab.listed("runs") == []


def test_experiments_have_a_largest_number(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "MAX_RUNNING", 1)
    endless = RACE | {"second": "first", "epsilon": "0.0001", "delta": "0.0001"}
    path = client.post("/runs", data=endless, follow_redirects=False).headers["location"]
    assert client.post("/runs", data=RACE).status_code == 400
    client.post(f"{path}/steer", data={"verb": "stop"})


def test_the_interval_is_drawn_where_it_is() -> None:
    empty = interval_picture([], 0.01)
    assert "No game is played yet." in empty
    drawn = interval_picture([(10, 0.5, 0.0, 1.0), (100, 0.75, 0.5, 1.0), (1000, 0.75, 0.7, 0.8)], 0.05)
    assert "between 0.7000 and 0.8000" in drawn and "1,000" in drawn
    (polygon,) = re.findall(r'<polygon points="([^"]*)"', drawn)
    heights = [float(point.split(",")[1]) for point in polygon.split()]
    # upper ends from left to right, lower ends back; the picture's y grows downwards: 236 - 220 * value
    assert heights == pytest.approx([236 - 220 * value for value in (1.0, 1.0, 1.0, 0.8, 0.7, 0.5, 0.0, 0.0)], abs=0.06)


# --- wrong requests ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/nothing", 404),
        ("/t/" + "x" * 22, 404),
        ("/t/short", 422),
        ("/runs/" + "a" * 12, 404),
        ("/games/Chess", 422),
        ("/games/chess", 400),
        ("/api/seats/" + "x" * 22, 404),
        ("/static/nothing.js", 404),
    ],
)
def test_wrong_addresses_are_told(client: TestClient, path: str, status: int) -> None:
    answer = client.get(path)
    assert answer.status_code == status
    assert "Traceback" not in answer.text and len(answer.text) > 20


def test_a_mistake_of_ours_is_no_traceback(open_lab: tuple[TestClient, Any], capsys: pytest.CaptureFixture[str]) -> None:
    client, state = open_lab
    state.lab = None
    answer = client.get("/")
    assert answer.status_code == 500 and "Something went wrong" in answer.text and "AttributeError" not in answer.text
    assert "AttributeError" in capsys.readouterr().err
