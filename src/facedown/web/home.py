"""Home: the games as pictures, one click to a table; open tables; races."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from facedown.agents.generic.human import HUMAN
from facedown.errors import FacedownError, UsageError
from facedown.games.contract import Game
from facedown.web.lab import Lab
from facedown.web.pages import fields, form, html, number, see, with_parameters
from facedown.web.tables import Tables

router = APIRouter()
COVERS = Path(__file__).parent / "static" / "covers"
_COVER_HEIGHT = 360
FIRST = ("love_letter", "hanabi", "cant_stop")
"""What most people know."""


@router.get("/", response_class=HTMLResponse)
def home(request: Request) -> Response:
    """The games, the tables and the races."""
    lab, tables, runs = request.app.state.lab, request.app.state.tables, request.app.state.runs
    games = sorted(lab.games, key=lambda game: (not game.origin, game.name not in FIRST, game.title))
    return html(
        "home.html",
        games=[_shown(lab, game) for game in games],
        tables=[_table(lab, facts) for facts in tables.listed()],
        runs=[{"id": run.id, "title": run.title, "words": run.words} for run in runs.listed()],
    )


def _shown(lab: Lab, game: Game) -> dict[str, Any]:
    cover = f"/static/covers/{game.name}.svg" if not game.origin and (COVERS / f"{game.name}.svg").exists() else ""
    return {
        "key": game.name,
        "title": game.title,
        "cover": cover,
        "height": _COVER_HEIGHT,
        "line": game.source,
        "facts": (n_players(game), _hidden(game)),
        "partner": lab.partner(game),
    }


def n_players(game: Game) -> str:
    """How many can play, in words."""
    for option in game.options:
        if option.name == "players":
            return f"{option.low} to {option.high} players"
    return "1 player" if game.n_players == 1 else f"{game.n_players} players"


def _hidden(game: Game) -> str:
    kind = {"cooperative": "everybody wins or loses together", "zero sum": "one wins what the others lose"}.get(game.kind, "")
    return kind or ("luck and nerve" if game.hidden is None else "hidden cards")


def _table(lab: Lab, facts: dict[str, Any]) -> dict[str, Any]:
    try:
        title = lab.game(facts["game"]).title
    except FacedownError:
        title = str(facts["game"]).rpartition("/")[2]
    people = [seat for seat, agent in enumerate(facts["seats"]) if agent == HUMAN]
    others = [agent for agent in facts["seats"] if agent != HUMAN]
    scores = facts.get("scores") or []
    return {
        "link": next(iter(facts["links"].values())),
        "title": title,
        "seats": f"{len(people)} {'person' if len(people) == 1 else 'people'}{', ' if others else ''}{', '.join(others)}",
        "over": bool(scores),
        "scores": " : ".join(f"{score:g}" for score in scores),
    }


@router.post(
    "/tables",
    openapi_extra=fields(
        game="its name",
        people="how many people",
        seat="where you sit",
        partner="who has the other seats",
        parameter_n="a parameter of theirs, by its name",
        seed="a number",
    ),
)
async def new_table(request: Request) -> Response:
    """Lay a table and sit down."""
    given = await form(request)
    lab, tables = request.app.state.lab, request.app.state.tables
    table, seat = _make_table(lab, tables, given)
    return see(f"/t/{table.link(seat)}")


def _make_table(lab: Lab, tables: Tables, given: dict[str, str]) -> tuple[Any, int]:
    """A table as a form asks for it, and where who asked sits; `option_NAME` are options of the game."""
    options = {name.removeprefix("option_"): value for name, value in given.items() if name.startswith("option_") and value}
    game = lab.game(given.get("game", ""))
    game = game(**options) if options else game
    n_people = number(given.get("people"), "people", 1) or 1
    own = number(given.get("seat"), "seat", 0) or 0
    if not 1 <= n_people <= game.n_players:
        raise UsageError(f"people={n_people}: {game.title} has {game.n_players} seats here")
    if not 0 <= own < game.n_players:
        raise UsageError(f"seat={own}: {game.title} has the seats 0 to {game.n_players - 1} here")
    partner = with_parameters(given.get("partner") or lab.partner(game), given)
    human_seats = {(own + turn) % game.n_players for turn in range(n_people)}
    seats = [HUMAN if seat in human_seats else partner for seat in range(game.n_players)]
    table = tables.new(game, seats, number(given.get("seed"), "seed"))
    return table, own
