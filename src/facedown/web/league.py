"""League: everybody meets everybody else; the form that begins one."""

from __future__ import annotations

import re

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, Response

from facedown.agents.contract import Agent, number_text
from facedown.errors import UsageError
from facedown.web.experiments import MAX_LEAGUE
from facedown.web.games import playing
from facedown.web.pages import fields, form, html, number, real, see
from facedown.web.runs import chosen_game

router = APIRouter()
_BETWEEN = re.compile(r"[\s,;]+(?![^(]*\))")
"""What stands between agents; commas within brackets belong to one."""


@router.get("/league", response_class=HTMLResponse)
def listing(request: Request, game: str = "rrrats") -> Response:
    """All leagues, and a form that starts one."""
    lab, runs = request.app.state.lab, request.app.state.runs
    chosen = chosen_game(lab, game)
    together = chosen.kind == "cooperative" and chosen.n_players > 1
    return html(
        "leagues.html",
        runs=runs.listed(50, "league"),
        games=lab.games,
        chosen=chosen,
        agents=[agent for agent in playing(chosen) if not agent.cheats],
        example=_example(playing(chosen)),
        together=together,
        most=MAX_LEAGUE,
    )


def _example(agents: list[Agent]) -> str:
    """How an agent with a parameter is written down."""
    for agent in agents:
        if agent.parameters:
            parameter = agent.parameters[0]
            return f"{agent.name}({parameter.name}={number_text(parameter.default)})"
    return ""


@router.post(
    "/league",
    openapi_extra=fields(
        game="its name",
        agent_1="an agent; likewise agent_2 and so on",
        others="more agents, with parameters, such as hold(n=3)",
        games="in each pairing; if empty, until everything is decided",
        epsilon="half the width of the zone of equality",
        delta="how often anything at all may be wrong",
        max_games="at most this many in all",
        seed="a number",
    ),
)
async def start(request: Request) -> Response:
    """Begin one."""
    given = await form(request)
    agents = [value for name, value in given.items() if name.startswith("agent_") and value]
    agents += [one for one in _BETWEEN.split(given.get("others", "").strip()) if one]
    if len(agents) < 2:
        raise UsageError("a league needs two agents at least: tick them, or write them down")
    run = await run_in_threadpool(
        request.app.state.runs.new,
        "league",
        game=given.get("game", ""),
        agents=agents,
        games=number(given.get("games"), "games"),
        epsilon=real(given.get("epsilon"), "epsilon", 0.01),
        delta=real(given.get("delta"), "delta", 0.05),
        max_games=number(given.get("max_games"), "max_games"),
        seed=number(given.get("seed"), "seed"),
    )
    return see(f"/runs/{run.id}")
