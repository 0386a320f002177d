"""Hanabi's own pages: a hand as its owner sees it, notes on cards, and games in the JSON of hanab.live, in and out."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, Response

from facedown.arena.hanab_live import export_game, import_game
from facedown.errors import FacedownError, UsageError
from facedown.games.hanabi.cards import DECK
from facedown.web.hanabi_table import card_notes, is_hanabi, note_card, picture
from facedown.web.pages import fields, form, html, is_part, number, see
from facedown.web.seats import Link, show, show_earlier, table_at
from facedown.web.tables import Table

router = APIRouter()
Hand = Annotated[str, Query(pattern=r"^([0-4]|all)$", description="a player, or all")]


def owners_of(table: Table, hand: str) -> list[int]:
    """The players whose hands are to be shown as they see them."""
    if not hand:
        return []
    if not is_hanabi(table.game):
        raise UsageError(f"hand={hand}: {table.game.title} has no hands that only others see")
    n_players = table.game.n_players
    if hand != "all" and int(hand) >= n_players:
        raise UsageError(f"hand={hand}: the players are 0 to {n_players - 1}")
    return list(range(n_players)) if hand == "all" else [int(hand)]


def _hanabi_at(request: Request, link: str) -> tuple[Table, int]:
    table, seat = table_at(request, link)
    if not is_hanabi(table.game):
        raise UsageError(f"{table.game.title} has no such page; Hanabi has")
    return table, seat


@router.get("/t/{link}/board", response_class=HTMLResponse)
def board(request: Request, link: Link, hand: Hand) -> Response:
    """The table with a hand as its owner sees it: face down, with what hints have told. Made from the view of the seat."""
    table, seat = _hanabi_at(request, link)
    owners, session = owners_of(table, hand), table.open_session()
    with table.lock:
        found = picture(table, seat, session.view(seat), owners)
    return HTMLResponse(found.svg() if found else "")


@router.get("/t/{link}/then", response_class=HTMLResponse)
def then(request: Request, link: Link, at: Annotated[int, Query(ge=0, le=10**4)]) -> Response:
    """The table as this seat saw it after this many moves, all of which everybody has seen; a click on a card or pile asks."""
    table, seat = _hanabi_at(request, link)
    session = table.open_session()
    with table.lock:
        lines = session.log(seat)
        if at > len(lines):
            raise UsageError(f"at={at}: {len(lines)} moves were made so far")
        return show_earlier(table, seat, at, lines[at - 1] if at else "the deal.")


@router.post("/t/{link}/look", openapi_extra=fields(pips="on or off", back="review, or nothing"))
async def look(request: Request, link: Link) -> Response:
    """Whether what each card can still be is shown."""
    table, seat = _hanabi_at(request, link)
    given = await form(request)
    if given.get("pips") not in {"on", "off"}:
        raise UsageError(f"pips={given.get('pips', '')[:40]}: choose on or off")
    table.facts.setdefault("pips", {})[str(seat)] = given["pips"] == "on"
    table.keep()
    if is_part(request):
        return await run_in_threadpool(show, request, table, seat)
    return see(f"/t/{link}/review" if given.get("back") == "review" else f"/t/{link}")


@router.post("/t/{link}/card", openapi_extra=fields(card="its place in the order of drawing", note="free text; empty: none"))
async def note(request: Request, link: Link) -> Response:
    """Keep a note on a card."""
    table, seat = _hanabi_at(request, link)
    given = await form(request)
    card = number(given.get("card"), "card")
    if card is None or not 0 <= card < DECK:
        raise UsageError(f"card={given.get('card', '')[:40]}: cards are numbered as they are drawn, from 0 to {DECK - 1}")
    note_card(table, seat, card, given.get("note", ""))
    return await run_in_threadpool(show, request, table, seat) if is_part(request) else see(f"/t/{link}")


# --- hanab.live -----------------------------------------------------------------------------------------------------------


@router.get("/t/{link}/hanab.live", response_class=Response)
def export(request: Request, link: Link) -> Response:
    """The finished game in the JSON of hanab.live, with one's own notes."""
    table, seat = _hanabi_at(request, link)
    past, everybody = table.past(), range(table.game.n_players)
    names = [table.facts["names"].get(str(player)) or name for player, name in enumerate(past.players)]
    # others' notes are theirs; who brought a game brought its notes too
    notes = [card_notes(table, player) if player == seat or table.is_imported else {} for player in everybody]
    headers = {"content-disposition": f'attachment; filename="hanabi-{table.id}.json"'}
    return Response(export_game(past, names, notes), media_type="application/json", headers=headers)


@router.get("/hanab.live", response_class=HTMLResponse)
def ask(request: Request) -> Response:
    """Where a game is brought in."""
    return html("hanab_live.html", problem="", text="")


@router.post("/hanab.live", openapi_extra=fields(game="the JSON of a game"))
async def bring(request: Request) -> Response:
    """Bring in a game, to be looked at; what is wrong with it is said on the page that it came from."""
    text = (await form(request)).get("game", "")

    def make() -> Table:
        transcript, notes = import_game(text)
        kept = {str(seat): {str(card): note for card, note in own.items()} for seat, own in enumerate(notes) if own}
        found: Table = request.app.state.tables.bring(transcript, {"card_notes": kept})
        return found

    try:
        table = await run_in_threadpool(make)
    except FacedownError as problem:
        return html("hanab_live.html", 400, problem=str(problem), text=text)
    return see(f"/t/{table.link(0)}/review")
