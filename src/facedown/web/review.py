"""Review: a finished game looked at again, move by move, through anybody's eyes; luck and play apart; try again from here."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, PlainTextResponse, Response

from facedown.arena.hindsight import judge_for
from facedown.arena.transcript import Transcript
from facedown.errors import UsageError
from facedown.games.hanabi.history import history_of
from facedown.games.narration import Witness
from facedown.web.hanabi import owners_of
from facedown.web.hanabi_table import cards_text, is_hanabi, picture, pips_of, truth
from facedown.web.judging import Judging
from facedown.web.pages import fields, form, html, number, see
from facedown.web.seats import Link, table_at
from facedown.web.tables import Table

router = APIRouter()
_MAX_FRAMES = 3_000
TRUTH = "truth"
Hand = Annotated[str, Query(pattern=r"^([0-4]|all|)$", description="a player, all, or nobody")]
Lens = Annotated[str, Query(pattern=r"^(seat-[0-7]|truth)$", description="seat-0, seat-1, ... or truth")]


@router.get("/t/{link}/review", response_class=HTMLResponse)
def review(request: Request, link: Link) -> Response:
    """The page; pictures come when they are asked for, all of a lens at once."""
    table, seat = table_at(request, link)
    transcript, looking = table.past(), None if table.is_imported else seat
    return html(
        "review.html",
        game=table.game,
        link=link,
        seat=seat,
        moves=_told(table, transcript, seat),
        imported=table.is_imported,
        hanabi=is_hanabi(table.game),
        pips=pips_of(table, seat),
        n_moves=len(transcript.moves),
        lenses=[*((f"seat-{player}", table.who(player, looking)) for player in range(table.game.n_players)), (TRUTH, "Truth")],
        reasons={move.number: move.reason for move in transcript.moves if move.reason},
        judge=judge_for(table.game, [agent for agent in table.seats if agent != "human"]),
        scores=[(table.who(player, looking), score) for player, score in enumerate(transcript.scores or ())],
    )


def _told(table: Table, transcript: Transcript, seat: int) -> list[dict[str, Any]]:
    """The deal and each move, as this seat saw it happen, with the number of its line in the log of the table."""
    found: list[dict[str, Any]] = [{"at": 0, "line": 0, "words": "The deal.", "cards": ""}]
    witness: Witness | None = None
    n_lines = 0
    past = history_of(transcript.position_at(len(transcript.moves)).state) if is_hanabi(table.game) else None
    for at, position in enumerate(transcript.positions()):
        if witness is None:
            witness = Witness(position, seat)
            continue
        move = transcript.moves[at - 1]
        _, words = witness.tell(move.player, move.action)
        n_lines += bool(words)
        told = words or f"{table.who(move.player)}: {move.name}"
        cards = cards_text(past, at) if past is not None else ""
        found.append({"at": at, "line": n_lines if words else 0, "words": told, "cards": cards})
    return found


@router.get("/t/{link}/frames")
def frames(request: Request, link: Link, lens: Lens, hand: Hand = "") -> dict[str, list[str]]:
    """All pictures of a game through one lens; in Hanabi, with a hand as its owner sees it."""
    table, seat = table_at(request, link)
    transcript = table.past()
    if len(transcript.moves) > _MAX_FRAMES:
        raise UsageError(f"the game has {len(transcript.moves):,} moves; up to {_MAX_FRAMES:,} can be looked at here")
    if lens != TRUTH and int(lens[-1]) >= table.game.n_players:
        raise UsageError(f"{lens}: {table.game.title} has {table.game.n_players} seats here")
    seats = list(range(table.game.n_players)) if lens == TRUTH else [int(lens[-1])]
    owners, jumps = owners_of(table, hand), is_hanabi(table.game)
    found: dict[str, list[str]] = {"frames": [], "words": []}
    for position in transcript.positions():
        drawn = truth(table, seat, position, owners) if lens == TRUTH else picture(table, seat, position.view(seats[0]), owners)
        found["frames"].append(drawn.svg(jumps=jumps) if drawn else "")
        found["words"].append(" — ".join(position.describe(player) for player in seats))
    return found


@router.get("/t/{link}/hindsight", response_class=HTMLResponse)
def hindsight(request: Request, link: Link) -> Response:
    """What the decisions cost, as far as it is known; asked again until all is."""
    table, seat = table_at(request, link)
    past = table.past()
    judge = judge_for(table.game, [agent for agent in table.seats if agent != "human"])
    judging: Judging = request.app.state.judging
    work = judging.work(table.id, seat, past, judge)
    return html("hindsight.html", link=link, found=work.result, problem=work.problem, words=work.words, judge=judge)


@router.post("/t/{link}/branch", openapi_extra=fields(at="after how many moves", cards="anew or same"))
async def branch(request: Request, link: Link) -> Response:
    """Try it again from here: with hidden cards dealt anew, or with the same."""
    table, seat = table_at(request, link)
    given = await form(request)
    at, cards = number(given.get("at"), "at"), given.get("cards", "anew")
    if at is None or cards not in {"anew", "same"}:
        raise UsageError("say where with at=... (a number of moves), and with cards=anew or cards=same what is dealt")

    def make() -> Table:
        with table.lock:
            table.past()  # only when it is over
            session = table.open_session()
            again = session.branch(at, redeal=cards == "anew", seat=seat if cards == "anew" else None)
        found: Table = request.app.state.tables.new(
            table.game, table.seats, int(table.facts["seed"]), made_from=table.id, session=again
        )
        return found

    return see(f"/t/{(await run_in_threadpool(make)).link(seat)}")


@router.get("/t/{link}/transcript", response_class=PlainTextResponse)
def transcript(request: Request, link: Link) -> Response:
    """The finished game as text that replays exactly."""
    table, _ = table_at(request, link)
    text = str(table.past())
    headers = {"content-disposition": f'attachment; filename="{table.game.name}-{table.id}.transcript"'}
    return PlainTextResponse(text, headers=headers)
