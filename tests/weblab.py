"""What tests of pages share: laying a table and playing it out through the interface for programs."""

from __future__ import annotations

import time
from typing import Any

HOST = "http://127.0.0.1"


def sit_down(client: Any, game: str, seats: list[str] | None = None, seed: int | None = 1) -> dict[str, str]:
    """The links of a new table, by seat."""
    wanted: dict[str, Any] = {"game": game, "seed": seed}
    if seats is not None:
        wanted["seats"] = seats
    answer = client.post("/api/tables", json=wanted)
    assert answer.status_code == 201, answer.text
    links: dict[str, str] = answer.json()["links"]
    client.get(f"/api/seats/{next(iter(links.values()))}")  # waits until the table is laid, which may have to be compiled
    return links


def play_out(client: Any, links: dict[str, str], choose: Any = lambda legal: legal[0]) -> int:
    """Play a game to its end; how many moves people made."""
    for n_moves in range(2_000):
        seen = {seat: client.get(f"/api/seats/{link}").json() for seat, link in links.items()}
        movers = [seat for seat, one in seen.items() if one["legal"]]
        if not movers:
            assert all(one["over"] for one in seen.values())
            return n_moves
        (seat,) = movers
        move = {"action": choose(seen[seat]["legal"])["action"], "moment": seen[seat]["moment"]}
        answer = client.post(f"/api/seats/{links[seat]}/moves", json=move)
        assert answer.status_code == 200, answer.text
    raise AssertionError("the game does not end")


def wait_for(client: Any, path: str, words: str) -> str:
    """Look at a page until it says this; what it shows then."""
    for _ in range(1200):
        text: str = client.get(path).text
        if words in text:
            return text
        time.sleep(0.05)
    raise AssertionError(f"never saw '{words}': {text}")
