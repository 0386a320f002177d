"""Hanabi's table: games from and for hanab.live, the log that jumps, pips, hands as their owners see them, notes, scores."""

from __future__ import annotations

import json
import re
import shutil
from typing import Any

import pytest
from starlette.testclient import TestClient

from facedown.arena.hanab_live import export_game, import_game
from facedown.arena.session import Session
from facedown.games.registry import game
from facedown.web.app import create_app
from facedown.web.lab import Lab
from weblab import HOST, play_out, sit_down

SMALL = "hanabi(suits=3,hand=4)"
FIRST_MOVES = (("0", "tell player 1"), ("1", "tell player 0"), ("0", "discard card 1"))
HX = {"hx-request": "true"}


def move(client: TestClient, link: str, name: str) -> None:
    """Make the first move whose name begins so."""
    seen = client.get(f"/api/seats/{link}").json()
    action = next(one["action"] for one in seen["legal"] if one["name"].startswith(name))
    assert client.post(f"/api/seats/{link}/moves", json={"action": action, "moment": seen["moment"]}).status_code == 200


@pytest.fixture
def links(client: TestClient) -> dict[str, str]:
    """Two people, a hint each, and a discard."""
    found = sit_down(client, SMALL, ["human", "human"], seed=4)
    for seat, beginning in FIRST_MOVES:
        move(client, found[seat], beginning)
    return found


# --- hanab.live -------------------------------------------------------------------------------------------------------------


def bombed() -> str:
    session = Session(SMALL, ["human", "human"], 4)
    while session.waiting_for is not None:
        session.play(session.waiting_for, min(session.legal(session.waiting_for)))
    return export_game(session.transcript(), ["Ada <b>", "Ben"], [{0: "first & <i>"}, {}])


def test_a_game_goes_out_and_comes_back(client: TestClient, lab: Lab) -> None:
    links = sit_down(client, SMALL, ["human", "human"], seed=4)
    home = f"/t/{links['0']}"
    client.post(f"{home}/name", data={"name": "Ada"})
    client.post(f"{home}/card", data={"card": "0", "note": "mine"})
    client.post(f"/t/{links['1']}/card", data={"card": "0", "note": "a secret of player 1"})
    assert client.get(f"{home}/hanab.live").status_code == 400  # not while it goes on
    play_out(client, links)
    answer = client.get(f"{home}/hanab.live")
    assert answer.headers["content-type"] == "application/json" and "attachment" in answer.headers["content-disposition"]
    file = answer.json()
    assert file["players"] == ["Ada", "human"] and file["notes"] == [["mine"], []]
    assert f"{home}/hanab.live" in client.get(f"{home}/review").text
    brought = client.post("/hanab.live", data={"game": answer.text}, follow_redirects=False)
    assert brought.status_code == 303 and brought.headers["location"].endswith("/review")
    there = brought.headers["location"].removesuffix("/review")
    ours, theirs = (client.get(f"{place}/transcript").text for place in (home, there))
    wanted = r"^(?:\d+\. .*?\]|scores: .*|end: .*)"
    assert re.findall(wanted, theirs, re.M) == re.findall(wanted, ours, re.M)
    frames = [client.get(f"{place}/frames", params={"lens": "seat-1"}).json()["words"] for place in (home, there)]
    assert frames[0] == frames[1]
    assert client.get(f"{there}/hanab.live").json()["notes"] == file["notes"]
    with TestClient(create_app(lab), HOST) as back:  # type: ignore[arg-type]
        assert back.get(f"{there}/transcript").text == theirs, "it is still there when the lab comes back"


def test_a_game_from_elsewhere_can_be_looked_at_and_not_played(client: TestClient) -> None:
    answer = client.post("/hanab.live", data={"game": bombed()}, follow_redirects=False)
    place = answer.headers["location"].removesuffix("/review")
    text = client.get(place).text  # goes to the review
    assert "looked at again" in text and "Ada &lt;b&gt;" in text and "<b>," not in text
    assert "Try it again" not in text and "Back to the table" not in text
    shown = client.get(f"{place}/frames", params={"lens": "truth"}).text
    assert "first &amp; &lt;i&gt;" in json.loads(shown)["frames"][0]
    link = place.removeprefix("/t/")
    for path, form in (("play", {"action": "0", "moment": "0"}), ("branch", {"at": "0"}), ("again", {"how": "same"})):
        assert client.post(f"{place}/{path}", data=form).status_code == 400, path
    assert "played elsewhere" in client.get(f"/api/seats/{link}").json()["problem"]
    assert client.get(f"{place}/board", params={"hand": "all"}).status_code == 400
    assert f'href="{place}"' in client.get("/").text


def test_a_game_that_was_left_can_be_looked_at(client: TestClient) -> None:
    file = json.loads(bombed())
    file["actions"] = [*file["actions"][:2], {"type": 4, "target": 0, "value": 4}]
    text = client.post("/hanab.live", data={"game": json.dumps(file)}).text
    assert "The game was left after 2 moves" in text


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("", "it is not JSON"),
        ("<script>alert(1)</script>", "it is not JSON"),
        ({"options": {"variant": "<script>"}}, "variant &#34;&lt;script&gt;&#34; is not known here"),
        ({"players": ["../../etc/passwd"]}, "the names of 2 to 5 players"),
        ({"facedown": {"game": "/etc/passwd"}}, "facedown: expected the game"),
        ({"actions": [{"type": 0, "target": 40}]}, "does not hold card 40"),
    ],
)
def test_wrong_games_are_refused_on_the_page(client: TestClient, lab: Lab, change: Any, words: str) -> None:
    text = change if isinstance(change, str) else json.dumps(json.loads(bombed()) | change)
    answer = client.post("/hanab.live", data={"game": text})
    assert answer.status_code == 400 and 'role="alert"' in answer.text and words in answer.text
    assert "<script>" not in answer.text and lab.listed("tables") == []


def test_a_game_that_is_too_large_is_not_read(client: TestClient) -> None:
    assert client.post("/hanab.live", data={"game": "x" * 70_000}).status_code == 413


# --- the log jumps ----------------------------------------------------------------------------------------------------------


def test_a_line_of_the_log_shows_the_table_as_it_was(client: TestClient, links: dict[str, str]) -> None:
    home = f"/t/{links['1']}"
    session = Session(SMALL, ["human", "human"], 4)
    page = client.get(home).text
    assert page.count(f"{home}/earlier?line=") == 3 and "Last: " in client.get(f"/t/{links['0']}").text
    for line, (seat, beginning) in enumerate(FIRST_MOVES, start=1):
        session.play(int(seat), next(name for name in session.legal(int(seat)).values() if name.startswith(beginning)))
        shown = client.get(f"{home}/earlier", params={"line": line}).text
        assert session.game.draw is not None and session.game.draw(session.view(1)).svg(jumps=True) in shown
    for line, status in ((4, 400), (0, 422), (-1, 422), ("x", 422)):
        assert client.get(f"{home}/earlier", params={"line": line}).status_code == status


def test_cards_piles_and_lives_lead_back(client: TestClient, links: dict[str, str]) -> None:
    home = f"/t/{links['0']}"
    session = Session(SMALL, ["human", "human"], 4)
    assert session.game.draw is not None
    shown = [session.game.draw(session.view(0)).svg(jumps=True)]
    for seat, beginning in FIRST_MOVES:
        session.play(int(seat), next(name for name in session.legal(int(seat)).values() if name.startswith(beginning)))
        shown.append(session.game.draw(session.view(0)).svg(jumps=True))
    for at, wanted in enumerate(shown):
        assert wanted in client.get(f"{home}/then", params={"at": at}).text
    # player 1 is to move: of player 0's cards the last was drawn with move 3, and the first was discarded with it
    page = client.get(home).text
    assert f'data-then="{home}/then"' in page and re.search(r'data-spot="card-8" data-at="3"[^>]*> ?<g data-hand="0"', page)
    assert re.search(r'class="jump"[^>]* data-spot="lost-\d" data-at="2"', page)
    for at, status in ((4, 400), (-1, 422), ("x", 422)):
        assert client.get(f"{home}/then", params={"at": at}).status_code == status
    other = sit_down(client, "kuhn", ["human", "human"])
    assert client.get(f"/t/{other['0']}/then", params={"at": 0}).status_code == 400
    play_out(client, links)
    frames = client.get(f"{home}/frames", params={"lens": "truth"}).json()["frames"]
    assert 'data-spot="lives"' in frames[-1] and 'data-spot="lives"' not in frames[0]


def test_lines_name_the_cards_that_they_are_about(client: TestClient, links: dict[str, str]) -> None:
    page = client.get(f"/t/{links['0']}").text
    cards = re.findall(r'earlier\?line=\d".*? data-cards="([\d ]*)"', page)
    assert len(cards) == 3 and cards[2] == "0"  # the discard was the first card that was dealt
    on_board = set(re.findall(r'data-card="(\d+)"', page))
    assert on_board == {str(card) for card in range(1, 9)} and set(cards[1].split()) <= {"0", "1", "2", "3"}
    play_out(client, links)
    assert 'data-cards="0"' in client.get(f"/t/{links['0']}/review").text


# --- pips, owners, notes ------------------------------------------------------------------------------------------------------


def board(page: str) -> str:
    return page.partition('class="board"')[2].partition("</svg>")[0]


def test_pips_are_switched_by_seat(client: TestClient, links: dict[str, str]) -> None:
    home = f"/t/{links['0']}"
    assert re.search(r">[1-5]*·[1-5·]*</text>", board(client.get(home).text))
    answer = client.post(f"{home}/look", data={"pips": "off"}, headers=HX)
    assert "what it can still be" not in board(answer.text) and not re.search(r">[1-5·]{5}</text>", board(answer.text))
    assert "what it can still be" in board(client.get(f"/t/{links['1']}").text)
    assert client.post(f"{home}/look", data={"pips": "maybe"}).status_code == 400


def test_a_hand_as_its_owner_sees_it(client: TestClient, links: dict[str, str]) -> None:
    home = f"/t/{links['0']}"
    faces = re.compile(r">([BGR][1-5])</text>")
    seen = faces.findall(board(client.get(home).text))
    turned = client.get(f"{home}/board", params={"hand": "1"}).text
    assert turned.startswith("<svg") and 'data-card="4"' in turned and len(seen) >= 4
    assert not faces.findall(turned.partition("player 1<")[2]), "no face is left in that hand"
    assert client.get(f"{home}/board", params={"hand": "all"}).text == turned
    assert 'data-actions="' not in turned
    for hand, status in (("2", 400), ("7", 422), ("", 422), ("mine", 422)):
        assert client.get(f"{home}/board", params={"hand": hand}).status_code == status
    other = sit_down(client, "kuhn", ["human", "human"])
    for path in ("board?hand=1", "hanab.live"):
        assert client.get(f"/t/{other['0']}/{path}").status_code == 400
    play_out(client, links)
    frames = client.get(f"{home}/frames", params={"lens": "seat-0", "hand": "1"}).json()["frames"]
    assert all(not faces.findall(frame.partition("player 1<")[2]) for frame in frames)


def test_notes_stay_with_their_card_and_are_escaped(client: TestClient, lab: Lab, links: dict[str, str]) -> None:
    home = f"/t/{links['0']}"
    answer = client.post(f"{home}/card", data={"card": "2", "note": "<b>r1</b>\x00"}, headers=HX)
    assert "your card 2: <b>&lt;b&gt;r1&lt;/b&gt;</b>" in answer.text
    assert "<title>&lt;b&gt;r1&lt;/b&gt;</title>" in board(answer.text)
    assert "r1" not in client.get(f"/t/{links['1']}").text
    move(client, links["1"], "play card")
    move(client, links["0"], "play card 1")  # the card moves up
    assert "your card 1: <b>&lt;b&gt;r1" in client.get(home).text
    other = shutil.copytree(lab.folder, lab.folder.parent / "copy")
    with TestClient(create_app(Lab(other)), HOST) as back:  # type: ignore[arg-type]
        back.get(f"/api/seats/{links['0']}")  # waits until the table is laid
        assert "your card 1: <b>&lt;b&gt;r1" in back.get(home).text
    assert "r1" not in client.post(f"{home}/card", data={"card": "2", "note": " "}, headers=HX).text
    for card in ("", "x", "50", "-1"):
        assert client.post(f"{home}/card", data={"card": card, "note": "r1"}).status_code == 400
    long = client.post(f"{home}/card", data={"card": "2", "note": "n" * 500}, headers=HX).text
    assert "n" * 200 in long and "n" * 201 not in long


# --- afterwards ---------------------------------------------------------------------------------------------------------------


def test_the_same_deal_with_other_partners_is_compared(client: TestClient) -> None:
    spec = "hanabi(suits=3,hand=4,lives=1)"
    links = sit_down(client, spec, ["human", "uniform"], seed=9)
    play_out(client, links)
    page = client.get(f"/t/{links['0']}").text
    assert "This deal, played" not in page
    again = client.post(f"/t/{links['0']}/again", data={"how": "same", "partner": "first"}, follow_redirects=False)
    other = again.headers["location"].removeprefix("/t/")
    assert "This deal, played" not in client.get(f"/t/{other}").text  # not before it is over
    play_out(client, {"0": other}, lambda legal: legal[-1])
    scores = [client.get(f"/api/seats/{link}").json()["scores"][0] for link in (links["0"], other)]
    for here, link in enumerate((links["0"], other)):
        text = client.get(f"/t/{link}").text
        rows = re.findall(r"<tr(?: class=\"new\")?><td>(.*?)</td><td>([\d.]+)", text.partition("This deal, played 2 times")[2])
        assert [float(score) for _, score in rows] == scores
        assert ["uniform" in rows[0][0], "first" in rows[1][0]] == [True, True] and "(this game)" in rows[here][0]
    rematch = client.post(f"/t/{other}/again", data={"how": "rematch"}, follow_redirects=False)
    fresh = rematch.headers["location"].removeprefix("/t/")
    play_out(client, {"0": fresh})
    assert "This deal, played" not in client.get(f"/t/{fresh}").text


@pytest.mark.slow
def test_partners_tell_their_reasons_in_the_review(client: TestClient) -> None:
    links = sit_down(client, "hanabi", ["human", "trustful"], seed=3)
    assert "a good hint" not in client.get(f"/t/{links['0']}").text
    play_out(client, links)
    text = client.get(f"/t/{links['0']}/review").text
    assert re.search(r"<span class=\"quiet\">[a-z ]+( \(\d+\.\d+\))?</span></button>", text)


def test_an_import_is_a_game_of_the_rules(client: TestClient) -> None:
    transcript, _ = import_game(bombed())
    assert transcript.game == str(game(SMALL)) and transcript.scores is not None
