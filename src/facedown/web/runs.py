"""Match and race: start one, watch its interval close in. Every experiment: its page, pause, stop, go on."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, Response, StreamingResponse

from facedown.errors import UsageError
from facedown.games.contract import Game
from facedown.racing.methods import METHODS
from facedown.web.curve import with_bars
from facedown.web.games import playing
from facedown.web.lab import Lab
from facedown.web.pages import fields, form, html, is_part, number, real, see
from facedown.web.run import Run
from facedown.web.running import Runs

router = APIRouter()
_PLAYED = ("race", "match")
Identity = Annotated[str, Path(pattern=r"^[a-z2-7]{12}$", description="the name of an experiment")]


@router.get("/runs", response_class=HTMLResponse)
def listing(request: Request, game: str = "love_letter") -> Response:
    """All experiments, and a form that starts one."""
    lab, runs = request.app.state.lab, request.app.state.runs
    chosen = chosen_game(lab, game)
    agents = [agent.name for agent in playing(chosen)]
    return html("runs.html", runs=runs.listed(50, *_PLAYED), games=lab.games, chosen=chosen, agents=agents, methods=METHODS)


def chosen_game(lab: Lab, name: str) -> Game:
    """The game that a form is for."""
    names = [one.name for one in lab.games]
    return lab.game(name if name in names else names[0])


@router.post(
    "/runs",
    openapi_extra=fields(
        kind="race or match",
        game="its name",
        first="an agent",
        second="another",
        method="of a race",
        epsilon="half the width of the zone of equality",
        delta="how often a verdict may be wrong",
        max_games="at most this many",
        seed="a number",
    ),
)
async def start(request: Request) -> Response:
    """Begin one."""
    given = await form(request)
    runs: Runs = request.app.state.runs
    kind = given.get("kind", "race")
    if kind not in _PLAYED:
        raise UsageError(f"kind={kind[:40]}: choose {' or '.join(_PLAYED)}")
    first, second = given.get("first", ""), given.get("second", "")
    found = request.app.state.lab.game(given.get("game", ""))
    agents = [first, second] if kind == "race" else [first, *[second] * (found.n_players - 1)][: found.n_players]
    run = await run_in_threadpool(
        runs.new,
        kind,
        game=found.spec,
        agents=agents,
        method=given.get("method") or "duel",
        epsilon=real(given.get("epsilon"), "epsilon", 0.01),
        delta=real(given.get("delta"), "delta", 0.05),
        max_games=number(given.get("max_games"), "max_games"),
        seed=number(given.get("seed"), "seed"),
    )
    return see(f"/runs/{run.id}")


@router.get("/runs/{identity}", response_class=HTMLResponse)
def show(request: Request, identity: Identity) -> Response:
    """How it stands."""
    run: Run = request.app.state.runs.at(identity)
    # these first: a run may end while its page is made, and a page that is behind its figures is told to look again
    content: dict[str, Any] = {"moment": run.moment, "status": run.status} | run.shown
    if content.get("policy"):
        content["policy"], content["key"] = with_bars(content["policy"])
    return html("run_part.html" if is_part(request) else "run.html", run=run, result=run.result, **content)


@router.get("/runs/{identity}/events", response_class=StreamingResponse)
async def events(request: Request, identity: Identity) -> Response:
    """Says when there is something new to see."""
    run: Run = request.app.state.runs.at(identity)
    return run.listeners.stream(lambda: run.moment, pause=0.1)


@router.post("/runs/{identity}/steer", openapi_extra=fields(verb="pause, resume or stop"))
async def steer(request: Request, identity: Identity) -> Response:
    """Pause it, stop it, or go on."""
    runs: Runs = request.app.state.runs
    run = runs.at(identity)
    verb = (await form(request)).get("verb", "")
    if verb not in {"pause", "resume", "stop"}:
        raise UsageError(f"verb={verb[:40]}: choose pause, resume or stop")
    {"pause": run.pause, "resume": lambda: runs.resume(run), "stop": run.stop}[verb]()
    return see(f"/runs/{identity}")
