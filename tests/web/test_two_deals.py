"""Hidden cards never leave the server: two deals that give a seat the same view give it the same bytes, on every page."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

from facedown.games.registry import BUILT_IN, game
from facedown.native.jit import COMPILED
from facedown.web import seat_page, seats
from facedown.web.tables import Table

SPECS = [
    *sorted(BUILT_IN),
    "kuhn(players=4)",
    "leduc(suits_shown=no)",
    "goofspiel(players=3,cards=5,bids=winner)",
    "love_letter(match=yes)",
    "hanabi(players=3)",
    # some hundred worlds of four hands take plain Python half a minute a page
    pytest.param("love_letter(players=4)", marks=pytest.mark.compiled),
]
OPEN_GAMES = {"rrrats", "cant_stop"}
N_PAIRS = 8 if COMPILED else 2


def pairs(state: Any, spec: str) -> list[tuple[Table, Table, int]]:
    """Tables that one seat cannot tell apart: the second is the first with all dealt anew that this seat cannot know."""
    found, random = game(spec), np.random.default_rng(11)
    people = ["human"] * found.n_players
    told = []
    for number in range(N_PAIRS):
        first = state.tables.new(found, people, seed=100 + number)
        session = first.open_session()
        for _ in range(int(random.integers(0, 8))):
            if (mover := session.waiting_for) is not None:
                before = session.branch(session.n_moves)
                session.play(mover, int(random.choice(list(session.legal(mover)))))
                if session.over:  # look at the position before
                    first = state.tables.new(found, people, seed=100 + number, session=before)
                    break
        seat = int(random.integers(found.n_players))
        other = first.open_session().branch(first.open_session().n_moves, redeal=True, seat=seat, seed=number)
        second = state.tables.new(found, people, seed=100 + number, session=other)
        second.facts["salt"] = first.facts["salt"]
        told.append((first, second, seat))
    return told


def page_bytes(client: TestClient, table: Table, seat: int) -> list[bytes]:
    """Everything that a seat can get out of the server, with its own links taken out."""
    link, home = table.link(seat), f"/t/{table.link(seat)}"
    client.headers["accept-encoding"] = "identity"  # links are random, and random text differs in how far it shrinks
    form = {"hx-request": "true"}
    answers = [
        client.get(home),
        client.post(f"{home}/level", data={"level": "helper"}, headers=form),
        client.post(f"{home}/level", data={"level": "all"}, headers=form),
        client.get(home, headers=form),
        client.get(f"/api/seats/{link}", params={"believed": "true"}),
        client.post(f"{home}/play", data={"action": "9999", "moment": table.moment(seat)}, headers=form),
        client.post(f"{home}/play", data={"action": "0", "moment": "earlier"}, headers=form),
        *(
            client.get(f"{home}/earlier", params={"line": line})
            for line in (1, max(1, len(table.open_session().log(seat)) - 1))
        ),
        *(client.get(f"{home}/board", params={"hand": hand}) for hand in ("1", "all")),
        *(client.get(f"{home}/then", params={"at": at}) for at in (0, max(0, table.open_session().n_moves - 1))),
        client.post(f"{home}/card", data={"card": "3", "note": "finessed"}, headers=form),
        client.post(f"{home}/look", data={"pips": "off"}, headers=form),
        client.get(f"{home}/review"),
        client.get(f"{home}/frames?lens=truth"),
        client.get(f"{home}/hindsight"),
        client.get(f"{home}/transcript"),
        client.get(f"{home}/hanab.live"),
        client.post(f"{home}/branch", data={"at": "0", "cards": "same"}),
        client.post(f"{home}/again", data={"how": "same"}),
        client.get(f"{home}/what-if", params={"at": 0}),
        client.get(f"{home}/what-if", params={"at": 1, "moves": "0", "lens": "truth", "agent": "uniform"}),
        client.get(f"{home}/what-if/opinion", params={"at": 0, "agent": "uniform"}),
    ]
    found = []
    for answer in answers:
        head = "\n".join(f"{name}: {value}" for name, value in sorted(answer.headers.items()) if name != "date")
        text = f"{answer.status_code}\n{head}\n\n{answer.text}"
        for person in table.people:
            text = text.replace(table.link(person), f"LINK-{person}")
        found.append(text.encode())
    assert [answer.status_code for answer in answers[-10:]] == [400] * 10, "nothing is opened while the game goes on"
    return [*found, asyncio.run(first_event(table, seat))]


async def first_event(table: Table, seat: int) -> bytes:
    request = SimpleNamespace(app=SimpleNamespace(state=SimpleNamespace(tables=SimpleNamespace(at=lambda _: (table, seat)))))
    answer: Any = await seats.events(request, table.link(seat))  # type: ignore[arg-type]
    stream = answer.body_iterator
    told = await anext(stream)
    await stream.aclose()
    return str(told).encode()


@pytest.mark.slow
@pytest.mark.parametrize("spec", SPECS)
def test_two_deals_that_look_alike_give_the_same_bytes(open_lab: tuple[TestClient, Any], spec: str) -> None:
    client, state = open_lab
    n_different = 0
    for first, second, seat in pairs(state, spec):
        states = [table.open_session()._follower.position.state.tobytes() for table in (first, second)]
        n_different += states[0] != states[1]
        assert page_bytes(client, first, seat) == page_bytes(client, second, seat)
    assert n_different or game(spec).name in OPEN_GAMES, "the deals must differ for the test to mean something"


@pytest.mark.slow
@pytest.mark.parametrize("leak", ["picture", "words"])
def test_a_page_that_looks_at_the_state_is_caught(
    open_lab: tuple[TestClient, Any], leak: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, state = open_lab
    honest = seat_page.seat_page

    def leaky(table: Table, seat: int, message: str = "") -> dict[str, Any]:
        page = honest(table, seat, message)
        cards = table.open_session()._follower.position.state["card"].tolist()
        # as an element's id would, or a size
        return page | ({"board": f'<svg id="card-{cards}"></svg>'} if leak == "picture" else {"words": "x" * sum(cards[:1])})

    monkeypatch.setattr(seats, "seat_page", leaky)
    caught = [
        page_bytes(client, first, seat) != page_bytes(client, second, seat) for first, second, seat in pairs(state, "kuhn")
    ]
    assert any(caught)
