"""Solve: the form that begins it, and the family of equilibria of Kuhn's poker."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, Response

from facedown.games.registry import game as find_game
from facedown.native.jit import prepare_thread
from facedown.solving.dynamic.find import can_be_exact
from facedown.solving.dynamic.solution import METHODS as EXACT_METHODS
from facedown.solving.methods import KINDS
from facedown.web.analyses import DEFAULT_ITERATIONS, MAX_NODES, MAX_POSITIONS, told_policy
from facedown.web.curve import with_bars
from facedown.web.kuhn_family import KUHN, equilibrium
from facedown.web.pages import fields, form, html, is_part, number, real, see

router = APIRouter()
SMALL = (
    *("kuhn", "kuhn(players=3)", "leduc", "goofspiel(cards=3)", "goofspiel(cards=4)"),
    *("rrrats", "rrrats(tokens=10)", "cant_stop(players=1,sides=3,shortest=1)", "cant_stop(sides=2,shortest=2)"),
)
"""Specs that a page can wait for."""
King = Annotated[float, Query(ge=0.0, le=1.0, description="how often the first player bets with a king")]


@router.get("/solve", response_class=HTMLResponse)
def listing(request: Request, game: str = KUHN) -> Response:
    """What was solved, and a form that solves something."""
    lab, runs = request.app.state.lab, request.app.state.runs
    exact = [one.name for one in lab.games if can_be_exact(one)]
    return html(
        "solves.html",
        runs=runs.listed(50, "solve"),
        game=game[:200],
        suggestions=SMALL,
        exact=exact,
        methods=KINDS,
        exact_methods=EXACT_METHODS,
        iterations=DEFAULT_ITERATIONS,
        max_nodes=MAX_NODES,
        max_positions=MAX_POSITIONS,
    )


@router.post(
    "/solve",
    openapi_extra=fields(
        game="its name with options",
        method="of a solver; if empty, exact where nothing is hidden",
        iterations="at most this many",
        exploitability="stop when it is down to this",
        seed="of sampling methods",
    ),
)
async def start(request: Request) -> Response:
    """Begin."""
    given = await form(request)
    target = given.get("exploitability", "").strip()
    run = await run_in_threadpool(
        request.app.state.runs.new,
        "solve",
        game=given.get("game", "").strip(),
        method=given.get("method", "").strip(),
        iterations=number(given.get("iterations"), "iterations"),
        exploitability=real(target, "exploitability", 0.0) if target else None,
        seed=number(given.get("seed"), "seed"),
    )
    return see(f"/runs/{run.id}")


@router.get("/solve/kuhn", response_class=HTMLResponse)
def kuhn(request: Request, king: King = 0.5) -> Response:
    """One of the equilibria, and what it is worth."""
    prepare_thread()
    policy, found = equilibrium(king)
    told, key = with_bars(told_policy(find_game(KUHN), policy))
    content: dict[str, Any] = {"king": king, "policy": told, "key": key, "value": found.values[0], "gains": found.gains}
    return html("kuhn_part.html" if is_part(request) else "kuhn.html", **content)
