"""The table from a seat: its page, its moves, its events; found by the secret link of the seat."""

from __future__ import annotations

import time
from itertools import islice
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, Response, StreamingResponse

from facedown.agents.generic.human import HUMAN
from facedown.errors import UsageError
from facedown.web.comparing import compared
from facedown.web.hanabi_table import is_hanabi, picture
from facedown.web.pages import fields, form, html, is_part, number, see, take_time
from facedown.web.seat_page import LEVELS, seat_page
from facedown.web.tables import StaleError, Table

router = APIRouter()
Link = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{22}$", description="the secret link of a seat")]


def table_at(request: Request, link: str) -> tuple[Table, int]:
    """The table and the seat of a link."""
    found: tuple[Table, int] = request.app.state.tables.at(link)
    return found


def show(request: Request, table: Table, seat: int, message: str = "", status: int = 200) -> Response:
    """The page of a seat, or the part of it that changes."""
    with table.at_work():
        content = seat_page(table, seat, message)
    if content.get("over"):
        content["compared"] = compared(request.app.state.tables, table)
    return html("seat.html" if is_part(request) else "table.html", status, **content)


@router.get("/t/{link}", response_class=HTMLResponse)
def look(request: Request, link: Link) -> Response:
    """The table as this seat sees it."""
    table, seat = table_at(request, link)
    if table.is_imported:
        return see(f"/t/{link}/review")
    table.wait(0.5)
    return show(request, table, seat)


@router.get("/t/{link}/earlier", response_class=HTMLResponse)
def earlier(request: Request, link: Link, line: Annotated[int, Query(ge=1, le=10**6)]) -> Response:
    """The table as this seat saw it after a line of its log."""
    table, seat = table_at(request, link)
    session = table.open_session()
    with table.lock:
        moves, lines = session.log_moves(seat), session.log(seat)
        if line > len(moves):
            raise UsageError(f"line={line}: the log has {len(moves)} lines so far")
        return show_earlier(table, seat, moves[line - 1], lines[line - 1])


def show_earlier(table: Table, seat: int, at: int, told: str) -> Response:
    """The table as a seat saw it after this many moves; for callers that hold the table's lock."""
    positions = table.open_session().transcript().positions()
    view = next(islice(positions, at, None)).view(seat)
    found = picture(table, seat, view)
    drawn = found.svg(jumps=is_hanabi(table.game)) if found else ""
    return html("earlier.html", link=table.link(seat), line=told, words=table.game.describe(view), board=drawn)


@router.post("/t/{link}/play", openapi_extra=fields(action="its number", moment="what the page had shown"))
async def play(request: Request, link: Link) -> Response:
    """Make a move; the answer takes a fixed shortest time."""
    began = time.monotonic()
    table, seat = table_at(request, link)
    given = await form(request)
    try:
        action = number(given.get("action"), "action")
        if action is None:
            raise UsageError("a move is needed: the number of an action")
        await run_in_threadpool(table.play, seat, action, given.get("moment", ""))
    except UsageError as problem:
        await take_time(began)
        return show(request, table, seat, f"{problem}", 409 if isinstance(problem, StaleError) else 400)
    await take_time(began)
    return await run_in_threadpool(show, request, table, seat) if is_part(request) else see(f"/t/{link}")


@router.get("/t/{link}/events", response_class=StreamingResponse)
async def events(request: Request, link: Link) -> Response:
    """Says when there is something new to see from this seat: a stamp, and nothing else."""
    table, seat = table_at(request, link)
    return table.listeners.stream(lambda: table.moment(seat) if not table.problem else "problem")


@router.post("/t/{link}/level", openapi_extra=fields(level="plain, helper or all"))
async def level(request: Request, link: Link) -> Response:
    """How much of what can be known is shown."""
    table, seat = table_at(request, link)
    given = await form(request)
    if given.get("level") not in LEVELS:
        raise UsageError(f"level={given.get('level', '')[:40]}: choose one of {', '.join(LEVELS)}")
    table.facts.setdefault("levels", {})[str(seat)] = given["level"]
    table.keep()
    return await run_in_threadpool(show, request, table, seat) if is_part(request) else see(f"/t/{link}")


@router.post("/t/{link}/name", openapi_extra=fields(name="what you want to be called"))
async def name(request: Request, link: Link) -> Response:
    """Give oneself a name."""
    table, seat = table_at(request, link)
    table.rename(seat, (await form(request)).get("name", ""))
    return see(f"/t/{link}")


@router.post("/t/{link}/note", openapi_extra=fields(note="free text"))
async def note(request: Request, link: Link) -> Response:
    """Keep one's notes."""
    table, seat = table_at(request, link)
    table.note(seat, (await form(request)).get("note", ""))
    return see(f"/t/{link}")


@router.post("/t/{link}/again", openapi_extra=fields(how="rematch, swap or same", partner="another agent"))
async def again(request: Request, link: Link) -> Response:
    """Another game: with the same people and agents, with seats exchanged, or on the same deal."""
    table, seat = table_at(request, link)
    given = await form(request)
    how = given.get("how", "rematch")
    if how not in {"rematch", "swap", "same"}:
        raise UsageError(f"how={how[:40]}: choose one of rematch, swap, same")
    if table.session is None or not table.session.over:
        raise UsageError("this game goes on; play it to its end first")
    seats, own = table.seats, seat
    if given.get("partner"):
        seats = [agent if agent == HUMAN else given["partner"] for agent in seats]
    if how == "swap":
        seats, own = [*seats[-1:], *seats[:-1]], (seat + 1) % len(seats)
    seed = int(table.facts["seed"]) if how == "same" else None
    deal = str(table.facts.get("deal") or table.id) if how == "same" else ""
    made = request.app.state.tables.new(table.game, seats, seed, made_from=table.id, deal=deal)
    return see(f"/t/{made.link(own)}")
