"""What if? Every seat is played from a finished game on; agents say what they would do; nothing of a game that goes on."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

import pytest
from starlette.testclient import TestClient

from facedown.games.registry import BUILT_IN, game
from facedown.web.lab import Lab
from weblab import play_out, sit_down

SMALL = {"war": "war(ranks=3,suits=2)", "rrrats": "rrrats(tokens=9)", "goofspiel": "goofspiel(cards=5)"}
ROUTES = ("what-if?at=0", "what-if?at=0&lens=truth", "what-if/opinion?at=0&agent=uniform")


@pytest.fixture
def home(client: TestClient) -> str:
    """A finished game of Kuhn poker."""
    links = sit_down(client, "kuhn", ["human", "uniform"], seed=3)
    play_out(client, links)
    return f"/t/{links['0']}"


def buttons(page: str) -> list[str]:
    return re.findall(r'<button name="more" value="(\d+)"', page)


@pytest.mark.parametrize("name", sorted(BUILT_IN))
def test_every_game_is_played_on_for_every_seat(client: TestClient, name: str) -> None:
    found = game(SMALL.get(name, name))
    links = sit_down(client, str(found), ["human"] + ["uniform"] * (found.n_players - 1))
    play_out(client, links)
    home, line = f"/t/{links['0']}/what-if", list[str]()
    for _ in range(6):
        page = client.get(home, params={"at": "1", "moves": ".".join(line)}).text
        if not (legal := buttons(page)):
            break
        assert "is to move." in page and "In the game it was" in page
        told = client.get(f"{home}/opinion", params={"at": "1", "moves": ".".join(line), "agent": "first"}).text
        (played,) = re.findall(r"<b>first</b> would <a href=[^>]*at=1&amp;moves=([0-9.]+)&amp;lens=mover", told)
        assert played.split(".")[:-1] == line and played.split(".")[-1] in legal
        line.append(legal[-1])
    assert legal or "The game would be over:" in page


def test_a_line_is_undone_begun_again_and_left(client: TestClient, home: str) -> None:
    page = client.get(f"{home}/what-if", params={"at": "0", "moves": "1", "more": "0"}).text
    assert "The game would be over: 1 : -1" in page and buttons(page) == []
    assert f'{home}/what-if?at=0&amp;moves=1&amp;lens=mover#here">Undo' in page
    assert f'{home}/what-if?at=0&amp;lens=mover#here">Begin again' in page and f"{home}/review#move-0" in page
    assert "player 0 (you): bet" in page and "player 1 (uniform): fold" in page
    start = client.get(f"{home}/what-if", params={"at": "0"}).text
    assert ">Undo" not in start and "In the game: <b>player 0 (you): " in start
    assert f'action="{home}/what-if"' in client.get(f"{home}/review").text


def test_who_is_asked_besides_is_asked_again_after_the_move(client: TestClient, home: str) -> None:
    page = client.get(f"{home}/what-if", params={"at": "0", "agent": "first"}).text
    asked = [unescape(address) for address in re.findall(r'hx-get="([^"]+)"', page)]
    assert ["agent=first" in asked[0], "agent=uniform" in asked[1]] == [True, True]
    for address in asked:
        (there,) = re.findall(r'would <a href="([^"]+)"', client.get(address).text)
        assert "first is asked" in client.get(unescape(there)).text


def test_through_whose_eyes_the_position_is_seen(client: TestClient, home: str) -> None:
    seen = {
        lens: client.get(f"{home}/what-if", params={"at": "0", "lens": lens}).text for lens in ("seat-0", "seat-1", "truth")
    }
    boards = {lens: page.partition('class="board')[2].partition("</form>")[0] for lens, page in seen.items()}
    assert len(set(boards.values())) == 3
    # player 0 is to move: only in its own picture things stand for its moves; the list of moves is there for all
    assert ["data-actions" in boards[lens] for lens in seen] == [True, False, False]
    assert all(buttons(page) == ["0", "1"] for page in seen.values())


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("what-if?at=99", 400, "at=99"),
        ("what-if?at=0&moves=9", 400, "choice 1: cannot play 9"),
        ("what-if?at=0&moves=1.1.1", 400, "the game is over before it"),
        ("what-if?at=0&lens=seat-5", 400, "has 2 seats here"),
        ("what-if?at=0&agent=nobody", 400, "unknown agent"),
        ("what-if?at=0&agent=human", 400, "people are not asked"),
        ("what-if?at=0&agent=./evil.py:AGENT", 400, "agents are named"),
        ("what-if/opinion?at=0&agent=human", 400, "people are not asked"),
        ("what-if/opinion?at=0&agent=table(/etc/passwd)", 400, "agents are named"),
        ("what-if/opinion?at=0&moves=1.1&agent=uniform", 400, "the game is over here"),
        ("what-if?at=0&moves=1,1", 422, "moves"),
        ("what-if?at=-1", 422, "at"),
        ("what-if?at=0&lens=all", 422, "lens"),
        ("what-if", 422, "at"),
    ],
)
def test_wrong_addresses_are_told(client: TestClient, home: str, path: str, status: int, words: str) -> None:
    answer = client.get(f"{home}/{path}")
    assert answer.status_code == status and words in answer.text.replace("&#39;", "'")


@pytest.mark.parametrize("name", sorted(BUILT_IN))
def test_nothing_is_told_of_a_game_that_goes_on(client: TestClient, name: str) -> None:
    links = sit_down(client, name, ["human"] * game(name).n_players)
    for route in ROUTES:
        answer = client.get(f"/t/{links['0']}/{route}")
        assert answer.status_code == 400 and "this game goes on" in answer.text
        assert "<svg viewBox" in answer.text and 'class="board' not in answer.text and "would" not in answer.text


def test_nothing_is_kept(client: TestClient, lab: Lab, home: str) -> None:
    before = {path: path.read_bytes() for path in lab.folder.rglob("*") if path.is_file()}
    for route in ROUTES:
        assert client.get(f"{home}/{route}").status_code == 200
    assert {path: path.read_bytes() for path in lab.folder.rglob("*") if path.is_file()} == before


def test_an_agent_that_fails_is_told_where_it_was_asked(client: TestClient, home: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from facedown.arena.what_if import WhatIf
    from facedown.errors import AgentError

    def fail(self: WhatIf) -> Any:
        raise AgentError("agent <b>uniform</b> failed")

    monkeypatch.setattr(WhatIf, "opinion", fail)
    answer = client.get(f"{home}/what-if/opinion", params={"at": "0", "agent": "uniform"})
    assert answer.status_code == 200 and "uniform: agent &lt;b&gt;uniform" in answer.text and "<html" not in answer.text


def test_a_game_from_elsewhere_is_played_on(client: TestClient) -> None:
    links = sit_down(client, "hanabi(suits=3,hand=4)", ["human", "human"], seed=4)
    play_out(client, links)
    file = client.get(f"/t/{links['0']}/hanab.live").text
    names = json.loads(file) | {"players": ["<i>Ada", "Ben"]}
    brought = client.post("/hanab.live", data={"game": json.dumps(names)}, follow_redirects=False)
    there = brought.headers["location"].removesuffix("/review")
    page = client.get(f"{there}/what-if", params={"at": "1"}).text
    assert "player 1 (Ben) is to move" in page and "<i>Ada" not in page and "player 0 (&lt;i&gt;Ada)" in page
    assert "trustful is asked" in page
    assert client.get(f"{there}/what-if", params={"at": "1", "more": buttons(page)[0]}).status_code == 200
    told = client.get(f"{there}/what-if/opinion", params={"at": "1", "agent": "trustful"}).text
    assert re.search(r"<b>trustful</b> would <a href=[^>]*>[^<]+</a>: \w+", told)
