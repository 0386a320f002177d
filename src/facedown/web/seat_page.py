"""What a page for a seat is made of: that seat's view, what it heard, and, when the game is over, everything.

Nothing here touches a state while the game goes on: `Session` gives views, legal moves and sentences.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from facedown.agents.generic.human import HUMAN
from facedown.agents.registry import agents_for
from facedown.arena.session import Session
from facedown.arena.worlds import Belief, believe
from facedown.web.hanabi_table import hanabi_extras, is_hanabi, picture
from facedown.web.lab import READ_FILES
from facedown.web.tables import Table

_KEYS = "123456789abcdefghijklmnopqrstuvwxyz"
LEVELS = ("plain", "helper", "all")
N_SHOWN = {"helper": 3, "all": 99}
"""How many values of something hidden are shown."""


@dataclass(frozen=True)
class Choice:
    """A legal move: its number, its name, and the key that plays it."""

    action: int
    name: str
    key: str


def level_of(table: Table, seat: int) -> str:
    """How much of what can be known a person wants to see."""
    chosen = table.facts.get("levels", {}).get(str(seat), "plain")
    return chosen if chosen in LEVELS else "plain"


def choices(legal: dict[int, str]) -> list[Choice]:
    """Legal moves with their keys; those beyond the alphabet have none."""
    keys = [*_KEYS, *[""] * max(len(legal) - len(_KEYS), 0)]
    return [Choice(action, name, key) for (action, name), key in zip(legal.items(), keys, strict=False)]


def board(table: Table, session: Session, seat: int) -> str:
    """The table as this seat sees it, as SVG; empty where the game has no picture."""
    found, legal = picture(table, seat, session.view(seat)), session.legal(seat)
    return "" if found is None else found.svg(list(legal), legal, jumps=is_hanabi(table.game))


def seat_page(table: Table, seat: int, message: str = "") -> dict[str, Any]:
    """All that the page of a seat shows."""
    session, level = table.session, level_of(table, seat)
    page: dict[str, Any] = {
        "game": table.game,
        "link": table.link(seat),
        "seat": seat,
        "level": level,
        "message": message,
        "moment": table.moment(seat),
        "ready": session is not None,
        "problem": table.problem,
        "commitment": table.commitment,
        "note": table.facts["notes"].get(str(seat), ""),
        "name": table.facts["names"].get(str(seat), ""),
        "players": [(player, table.who(player, seat)) for player in range(table.game.n_players)],
        # who laid the table hands out the other links
        "invitations": [
            (table.who(other), table.link(other)) for other in table.people if other != seat and seat == table.people[0]
        ],
    }
    if session is None:
        return page
    lines, extras = session.log(seat), hanabi_extras(table, session, seat)
    n_old = session.n_before(seat)
    page |= {
        "over": session.over,
        "status": status(table, session, seat),
        "board": board(table, session, seat),
        "hanabi": extras,
        "words": session.game.describe(session.view(seat)),
        "choices": choices(session.legal(seat)),
        "log": [(number, line, number > n_old) for number, line in enumerate(lines, start=1)],
        "cards_of": extras["cards_of"] if extras else {},
        "belief": belief(table, session, seat) if level != "plain" and not session.over else None,
        "n_shown": N_SHOWN.get(level, 0),
        "reasons": session.reasons(seat),
    }
    return page | (ending(table, session, seat) if session.over else {})


def status(table: Table, session: Session, seat: int) -> str:
    """One sentence: whose move it is, or how it ended."""
    if session.over:
        return f"The game is over. {session.ending(seat)}"
    if session.waiting_for == seat:
        return "Your move."
    return f"Waiting for {table.who(session.turn)}."


def belief(table: Table, session: Session, seat: int) -> Belief:
    """What the seat can know of what is hidden."""
    return believe(table.game, session.view(seat), seat)


def ending(table: Table, session: Session, seat: int) -> dict[str, Any]:
    """The truth: what everybody saw in the end, the seed, and the scores."""
    others = [player for player in range(table.game.n_players) if player != seat]
    partner = next((agent for agent in table.seats if agent != HUMAN), "")
    draw = session.game.draw
    return {
        "scores": [(table.who(player, seat), score) for player, score in enumerate(session.scores())],
        "truth": [
            (
                table.who(player),
                draw(session.view(player)).svg() if draw else "",
                session.game.describe(session.view(player)),
            )
            for player in others
        ],
        "seed": table.facts["seed"],
        "salt": table.facts["salt"],
        "partner": partner,
        "partners": dict.fromkeys([partner, *(name for name in agents_for(table.game) if name not in {HUMAN, *READ_FILES})]),
    }
