"""The same lab for programs, in JSON: tables, seats, moves. A seat is given what its player may know, and no more."""

from __future__ import annotations

import time
from typing import Any

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel, ConfigDict, Field

from facedown.arena.worlds import believe
from facedown.games.listing import game_facts
from facedown.inputs import LARGEST_SEED
from facedown.web.pages import take_time
from facedown.web.seats import Link, table_at
from facedown.web.tables import Table

router = APIRouter(prefix="/api")


class NewTable(BaseModel):
    """What a table needs."""

    model_config = ConfigDict(extra="forbid")
    game: str = Field(max_length=200, description="a game of the lab, such as kuhn(players=3)")
    seats: list[str] | None = Field(None, max_length=8, description="an agent, or human, in each seat")
    seed: int | None = Field(None, ge=0, le=LARGEST_SEED)


class NewMove(BaseModel):
    """A move of a person."""

    model_config = ConfigDict(extra="forbid")
    action: int = Field(ge=0, le=2**31)
    moment: str = Field(max_length=40, description="the moment of the seat that the move answers")


@router.get("/games")
def list_games(request: Request) -> dict[str, Any]:
    """The games of the lab."""
    return {"schema": "facedown.games/1", "games": [game_facts(game) for game in request.app.state.lab.games]}


@router.post("/tables", status_code=201)
def new_table(request: Request, wanted: NewTable) -> dict[str, Any]:
    """Lay a table; the answer has the secret link of each person's seat."""
    game = request.app.state.lab.game(wanted.game)
    table: Table = request.app.state.tables.new(game, wanted.seats, wanted.seed)
    return {"schema": "facedown.table/1", "links": {str(seat): table.link(seat) for seat in table.people}}


@router.get("/seats/{link}")
def look(request: Request, link: Link, believed: bool = False) -> dict[str, Any]:
    """What the player in a seat sees, in numbers and in words; with `believed`, counts of worlds that fit."""
    table, seat = table_at(request, link)
    table.open_session()
    with table.at_work():
        return _seen(table, seat, believed)


def _seen(table: Table, seat: int, believed: bool = False) -> dict[str, Any]:
    session = table.open_session()
    found: dict[str, Any] = {
        "schema": "facedown.seat/1",
        "game": str(table.game),
        "seat": seat,
        "moment": table.moment(seat),
        "over": session.over,
        "view": session.view_json(seat),
        "words": session.game.describe(session.view(seat)),
        "legal": [{"action": action, "name": name} for action, name in session.legal(seat).items()],
        "log": session.log(seat),
        "scores": session.scores() if session.over else None,
    }
    if believed:
        told = believe(table.game, session.view(seat), seat)
        facts = [{"name": fact.name, "certain": fact.certain, "counts": dict(fact.counts)} for fact in told.facts]
        found["believed"] = {"model": told.model, "worlds": told.n_worlds, "facts": facts}
    return found


@router.post("/seats/{link}/moves")
async def play(request: Request, link: Link, move: NewMove) -> dict[str, Any]:
    """Make a move; the answer is what the seat sees then, after a fixed shortest time."""
    began = time.monotonic()
    table, seat = table_at(request, link)

    def act() -> dict[str, Any]:
        table.play(seat, move.action, move.moment)
        with table.at_work():
            return _seen(table, seat)

    try:
        return await run_in_threadpool(act)
    finally:
        await take_time(began)
