"""A game and its agents: rules, options, who plays it, how they fare; a table of one's own choice."""

from __future__ import annotations

import math
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import HTMLResponse, Response

from facedown.agents.contract import Agent, Parameter, number_text
from facedown.agents.registry import agents_for
from facedown.arena.match import match
from facedown.errors import FacedownError, UsageError
from facedown.games.contract import Game
from facedown.games.text import rules_text
from facedown.native.jit import prepare_thread
from facedown.web.home import COVERS, n_players
from facedown.web.lab import READ_FILES
from facedown.web.pages import html, with_parameters

router = APIRouter()
Name = Annotated[str, Path(pattern=r"^[a-z][a-z0-9_]{0,40}$", description="the name of a game")]
AgentSpec = Annotated[str, Query(max_length=200, description="an agent, such as hold(n=3)")]
N_GAMES = 2_000
SEED = 1
_YARDSTICK = "uniform"


def playing(game: Game) -> list[Agent]:
    """The agents that can sit down here: no people, and none that is read from a file."""
    return [agent for name, agent in agents_for(game).items() if name not in {"human", *READ_FILES}]


@router.get("/games/{name}", response_class=HTMLResponse)
def game_page(request: Request, name: Name) -> Response:
    """Rules, agents, and a table."""
    lab = request.app.state.lab
    game = lab.game(name)
    return html(
        "game.html",
        game=game,
        players=n_players(game),
        cover=f"/static/covers/{game.name}.svg" if not game.origin and (COVERS / f"{game.name}.svg").exists() else "",
        rules=rules_text(game),
        agents=[_told(agent) for agent in playing(game)],
        partner=lab.partner(game),
        n_games=N_GAMES,
        yardstick=_YARDSTICK,
    )


def _told(agent: Agent) -> dict[str, Any]:
    return {
        "name": agent.name,
        "meaning": agent.meaning,
        "cheats": agent.cheats,
        "explains": agent.explain is not None,
        "parameters": [slider(parameter) for parameter in agent.parameters],
    }


def slider(parameter: Parameter) -> dict[str, Any]:
    """What a slider for a parameter needs. Of bounds that are far away it shows what lies around the usual value."""
    span = 10.0 * max(abs(parameter.default), 1.0)
    low, high = max(parameter.low, parameter.default - span), min(parameter.high, parameter.default + span)
    step = 1.0 if parameter.whole else 10.0 ** math.floor(math.log10((high - low) / 20.0))
    bounds = {name: number_text(value) for name, value in (("low", parameter.low), ("high", parameter.high))}
    return {
        "name": parameter.name,
        "meaning": parameter.meaning,
        "default": number_text(parameter.default),
        "from": number_text(low),
        "to": number_text(high),
        "step": number_text(step),
        "bounds": {name: text if math.isfinite(float(text)) else "" for name, text in bounds.items()},
        "whole": parameter.whole,
    }


@router.get("/games/{name}/measure", response_class=HTMLResponse)
def measure(request: Request, name: Name, agent: AgentSpec) -> Response:
    """How an agent fares against random play: a match with a fixed seed, so that it can be repeated."""
    prepare_thread()
    lab = request.app.state.lab
    game = lab.game(name)
    try:
        agent = with_parameters(agent, request.query_params)
        chosen = lab.agent(game, agent)
        if chosen == "human":
            raise UsageError("people are not measured here")
        others = [chosen] * (game.n_players - 1) if game.team else [_YARDSTICK] * (game.n_players - 1)
        found = match(game, [chosen, *others], N_GAMES, SEED)
    except FacedownError as problem:
        return html("measured.html", 400, problem=str(problem), found=None, agent=agent)
    return html("measured.html", problem="", found=found, agent=agent)
