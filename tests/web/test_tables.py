"""Tables: every game is played out through the pages, moves are made once, and nothing is lost whatever happens."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from facedown.arena.transcript import read_transcript
from facedown.games.registry import BUILT_IN, game
from facedown.web import tables as tables_module
from facedown.web.app import create_app
from facedown.web.lab import Lab
from weblab import HOST, play_out, sit_down

SMALL = {"war": "war(ranks=3,suits=2)", "rrrats": "rrrats(tokens=9)", "goofspiel": "goofspiel(cards=5)"}


@pytest.mark.parametrize("name", sorted(BUILT_IN))
def test_every_game_is_played_to_its_end(client: TestClient, lab: Lab, name: str) -> None:
    found = game(SMALL.get(name, name))
    links = sit_down(client, str(found), ["human"] + ["uniform"] * (found.n_players - 1))
    play_out(client, links, lambda legal: legal[-1])
    text = client.get(f"/t/{links['0']}").text
    assert "The game is over." in text and "Truth" in text and "Play again" in text
    (identity,) = lab.listed("tables")
    transcript = read_transcript(lab.place("tables", identity) / "game.transcript")
    assert transcript.scores is not None and len(list(transcript.positions())) == len(transcript.moves) + 1
    facts = json.loads((lab.place("tables", identity) / "table.json").read_text())
    assert facts["scores"] == list(transcript.scores)
    # the seed was fixed before the first move
    committed = re.findall(r"<code>([0-9a-f]{64})</code>", text)[0]
    assert hashlib.sha256(f"{facts['salt']} {facts['seed']}".encode()).hexdigest() == committed
    assert str(facts["seed"]) in text and facts["salt"] in text


def test_the_seed_stays_secret_while_the_game_goes_on(client: TestClient, lab: Lab) -> None:
    links = sit_down(client, "leduc", ["human", "human"], seed=123454321)
    (identity,) = lab.listed("tables")
    salt = json.loads((lab.place("tables", identity) / "table.json").read_text())["salt"]
    for path in (f"/t/{links['0']}", f"/api/seats/{links['0']}", "/"):
        text = client.get(path).text
        assert "123454321" not in text and salt not in text


def test_a_game_of_ones_own_without_a_picture_is_playable(client: TestClient) -> None:
    assert "Liar" in client.get("/").text
    answer = client.post("/tables", data={"game": "liars_dice", "partner": "uniform"}, follow_redirects=False)
    link = answer.headers["location"].removeprefix("/t/")
    seen = client.get(f"/api/seats/{link}").json()
    page = client.get(f"/t/{link}").text
    assert seen["words"] in page.replace("&#39;", "'") and "<svg" in page
    for move in seen["legal"]:
        assert f'value="{move["action"]}"' in page
    play_out(client, {"0": link})
    assert "What you can know" in page


def test_a_move_is_made_once(client: TestClient) -> None:
    links = sit_down(client, "leduc", ["human", "human"])
    seen = client.get(f"/api/seats/{links['0']}").json()
    form = {"action": str(seen["legal"][-1]["action"]), "moment": seen["moment"]}
    assert client.post(f"/t/{links['0']}/play", data=form, follow_redirects=False).status_code == 303
    again = client.post(f"/t/{links['0']}/play", data=form)
    assert again.status_code == 409 and "moved on" in again.text
    assert len(client.get(f"/api/seats/{links['1']}").json()["log"]) == 1


@pytest.mark.parametrize("action", ["", "x", "99", "-1", "1.5", "9" * 30, "0x1"])
def test_wrong_moves_are_told_and_change_nothing(client: TestClient, action: str) -> None:
    links = sit_down(client, "leduc", ["human", "human"])
    moment = client.get(f"/api/seats/{links['0']}").json()["moment"]
    answer = client.post(f"/t/{links['0']}/play", data={"action": action, "moment": moment})
    assert answer.status_code == 400 and 'role="alert"' in answer.text
    assert client.get(f"/api/seats/{links['0']}").json()["moment"] == moment


def test_nobody_moves_for_others(client: TestClient) -> None:
    links = sit_down(client, "leduc", ["human", "human"])
    moment = client.get(f"/api/seats/{links['1']}").json()["moment"]
    answer = client.post(f"/api/seats/{links['1']}/moves", json={"action": 1, "moment": moment})
    assert answer.status_code == 400 and "cannot move" in answer.json()["problem"]


def test_people_see_each_others_moves_and_only_the_host_has_the_links(client: TestClient) -> None:
    links = sit_down(client, "kuhn(players=3)", ["human", "human", "uniform"])
    host, guest = (client.get(f"/t/{links[seat]}").text for seat in "01")
    assert links["1"] in host and links["0"] not in guest
    assert "Your move." in host and "Waiting for player 0 (a person)" in guest
    client.post(f"/t/{links['0']}/name", data={"name": "Ada"})
    assert "Waiting for player 0 (Ada)" in client.get(f"/t/{links['1']}").text
    moment = client.get(f"/api/seats/{links['0']}").json()["moment"]
    client.post(f"/api/seats/{links['0']}/moves", json={"action": 1, "moment": moment})
    assert "player 0: bet" in client.get(f"/t/{links['1']}").text


def test_notes_are_ones_own(client: TestClient) -> None:
    links = sit_down(client, "kuhn", ["human", "human"])
    client.post(f"/t/{links['0']}/note", data={"note": "bluff now"})
    assert "bluff now" in client.get(f"/t/{links['0']}").text and "bluff now" not in client.get(f"/t/{links['1']}").text


def test_a_lab_that_comes_back_has_every_table_as_it_was(client: TestClient, lab: Lab) -> None:
    links = sit_down(client, "goofspiel(cards=6)", ["human", "human"])
    for seat in "0101":
        seen = client.get(f"/api/seats/{links[seat]}").json()
        client.post(f"/api/seats/{links[seat]}/moves", json={"action": seen["legal"][0]["action"], "moment": seen["moment"]})
    before = {seat: client.get(f"/api/seats/{link}").json() for seat, link in links.items()}
    # as after kill -9: the folder as it lies there, and a server that knows nothing
    other = shutil.copytree(lab.folder, lab.folder.parent / "copy")
    with TestClient(create_app(Lab(other)), HOST) as back:  # type: ignore[arg-type]
        assert {seat: back.get(f"/api/seats/{link}").json() for seat, link in links.items()} == before
        play_out(back, links)
    assert {seat: client.get(f"/api/seats/{link}").json() for seat, link in links.items()} == before


def test_a_torn_file_costs_no_more_than_the_torn_move(client: TestClient, lab: Lab) -> None:
    links = sit_down(client, "leduc", ["human", "human"])
    seen = client.get(f"/api/seats/{links['0']}").json()
    client.post(f"/api/seats/{links['0']}/moves", json={"action": 2, "moment": seen["moment"]})
    other = shutil.copytree(lab.folder, lab.folder.parent / "copy")
    (file,) = other.glob("tables/*/game.transcript")
    file.write_text(file.read_text() + "2. player 1: rai")
    with TestClient(create_app(Lab(other)), HOST) as back:  # type: ignore[arg-type]
        assert len(back.get(f"/api/seats/{links['1']}").json()["log"]) == 1


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"game": "kuhn"}', '{"links": 3}'])
def test_a_broken_table_does_not_break_the_lab(lab: Lab, damage: str) -> None:
    folder = lab.place("tables", "aaaaaaaaaaaa")
    folder.mkdir()
    (folder / "table.json").write_text(damage)
    with TestClient(create_app(lab), HOST) as client:  # type: ignore[arg-type]
        assert client.get("/").status_code == 200


def test_a_game_that_is_no_longer_offered_is_told(client: TestClient, lab: Lab) -> None:
    links = sit_down(client, "liars_dice", ["human", "uniform"])
    play_out(client, links)
    other = Lab(shutil.copytree(lab.folder, lab.folder.parent / "copy"))
    with TestClient(create_app(other), HOST) as back:  # type: ignore[arg-type]
        assert back.get("/").status_code == 200
        answer = back.get(f"/t/{links['0']}")
        assert answer.status_code == 400 and "named when the lab is started" in answer.text


# --- another game ---------------------------------------------------------------------------------------------------------


def test_rematch_swap_and_same_deal(client: TestClient) -> None:
    links = sit_down(client, "leduc", ["human", "uniform"], seed=5)
    deal = client.get(f"/api/seats/{links['0']}").json()["view"]["card"]
    assert client.post(f"/t/{links['0']}/again", data={"how": "rematch"}).status_code == 400  # not yet
    play_out(client, links, lambda legal: legal[0])
    again = client.post(f"/t/{links['0']}/again", data={"how": "same", "partner": "first"}, follow_redirects=False)
    seen = client.get(f"/api/seats/{again.headers['location'].removeprefix('/t/')}").json()
    assert seen["view"]["card"] == deal and seen["seat"] == 0
    swapped = client.post(f"/t/{links['0']}/again", data={"how": "swap"}, follow_redirects=False)
    assert client.get(f"/api/seats/{swapped.headers['location'].removeprefix('/t/')}").json()["seat"] == 1
    assert client.post(f"/t/{links['0']}/again", data={"how": "never"}).status_code == 400


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"game": "chess"}, "unknown game of this lab"),
        ({"game": "kuhn", "people": "3"}, "has 2 seats here"),
        ({"game": "kuhn", "seat": "2"}, "seats 0 to 1"),
        ({"game": "kuhn", "people": "many"}, "a whole number is needed"),
        ({"game": "kuhn", "option_players": "9"}, "out of bounds"),
        ({"game": "kuhn", "option_colour": "red"}, "unknown option"),
        ({"game": "kuhn", "partner": "nobody"}, "unknown agent"),
        ({"game": "kuhn", "seed": "-1"}, "a seed is a whole number"),
        ({}, "unknown game"),
    ],
)
def test_wrong_tables_are_refused(client: TestClient, lab: Lab, form: dict[str, str], words: str) -> None:
    answer = client.post("/tables", data=form)
    assert answer.status_code == 400 and words in answer.text.replace("&#39;", "'")
    assert lab.listed("tables") == []


def test_tables_have_a_largest_number(open_lab: tuple[TestClient, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    client, _ = open_lab
    monkeypatch.setattr(tables_module, "MAX_TABLES", 2)
    for expected in (201, 201, 400):
        assert client.post("/api/tables", json={"game": "kuhn", "seats": ["human", "human"]}).status_code == expected


def test_tables_beyond_memory_are_read_again(open_lab: tuple[TestClient, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    client, state = open_lab
    monkeypatch.setattr(tables_module, "MAX_OPEN", 2)
    found = [sit_down(client, "leduc", ["human", "human"], seed=seed) for seed in range(5)]
    for links in found:
        moment = client.get(f"/api/seats/{links['0']}").json()["moment"]
        client.post(f"/api/seats/{links['0']}/moves", json={"action": 2, "moment": moment})
    assert len(state.tables._open) <= 2
    for links in found:
        assert len(client.get(f"/api/seats/{links['1']}").json()["log"]) == 1


def test_nobody_plays_without_people(client: TestClient) -> None:
    answer = client.post("/api/tables", json={"game": "kuhn", "seats": ["uniform", "uniform"]})
    assert answer.status_code == 400 and "give a seat to a person" in answer.json()["problem"]


def test_home_lists_tables(client: TestClient, tmp_path: Path) -> None:
    links = sit_down(client, "kuhn", ["human", "uniform"])
    assert f"/t/{links['0']}" in client.get("/").text


def test_agents_in_a_games_own_file_may_sit_down_again(client: TestClient, lab: Lab) -> None:
    own = lab.game("liars_dice")
    file = own.origin.rpartition(":")[0]
    # the file was named when the lab was started; another file was not
    assert lab.agent(own, f"{file}:AGENTS.sceptic") == f"{file}:AGENTS.sceptic"
    with pytest.raises(Exception, match="agents are named"):
        lab.agent(own, f"{file}x:AGENTS.sceptic")
    links = sit_down(client, "liars_dice", ["human", "sceptic"])
    play_out(client, links)
    assert client.post(f"/t/{links['0']}/again", data={"how": "rematch"}, follow_redirects=False).status_code == 303
    with pytest.raises(Exception, match="AGENTS"):
        lab.agent(own, f"{file}:AGENTS.nobody")


def test_a_table_is_not_put_away_while_somebody_is_there(open_lab: tuple[TestClient, Any]) -> None:
    import asyncio

    client, state = open_lab
    links = sit_down(client, "leduc", ["human", "human"])
    table, _ = state.tables.at(links["0"])
    assert table.wait(30)

    async def look() -> None:
        page: Any = table.listeners.stream(lambda: "now").body_iterator
        assert await anext(page) == "event: moment\ndata: now\n\n"
        assert not table.put_away()
        await page.aclose()

    asyncio.run(look())
    assert table.put_away() and table.session is None
    with pytest.raises(Exception, match="put away"):
        table.play(0, 1, "0-your")


def test_only_so_many_pages_listen(monkeypatch: pytest.MonkeyPatch) -> None:
    import asyncio

    from facedown.web import listeners

    monkeypatch.setattr(listeners, "MAX_LISTENERS", 2)
    table = listeners.Listeners()

    async def look() -> None:
        pages: list[Any] = [table.stream(lambda: "now").body_iterator for _ in range(2)]
        with pytest.raises(Exception, match="2 pages look at this already"):
            table.stream(lambda: "now")
        await anext(pages[0])
        await pages[0].aclose()
        assert len(table) == 1
        table.stream(lambda: "now")

    asyncio.run(look())
