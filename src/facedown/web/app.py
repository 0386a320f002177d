"""The app: routes, pages, and what becomes of errors."""

from __future__ import annotations

import contextlib
import sys
import traceback
from collections.abc import AsyncIterator
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware

from facedown import __version__
from facedown.errors import FacedownError
from facedown.web import api, games, hanabi, home, league, papers, review, runs, seats, solve, what_if
from facedown.web.guard import MAX_BODY, App, Guard, TooLargeError
from facedown.web.judging import Judging
from facedown.web.lab import Lab
from facedown.web.pages import page
from facedown.web.running import Runs
from facedown.web.tables import Tables

HERE = Path(__file__).parent
LOCAL = ("127.0.0.1", "localhost", "[::1]")


def create_app(lab: Lab, hosts: tuple[str, ...] = LOCAL, token: str = "") -> App:
    """The lab as an ASGI app: answers to these names, and with a token only to who knows it."""
    return Guard(inner_app(lab), hosts, token)


def inner_app(lab: Lab) -> FastAPI:
    """The app without its guard."""

    @contextlib.asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        yield
        app.state.tables.close()
        app.state.runs.close()
        app.state.judging.close()

    # the pages that FastAPI makes of the description load scripts from elsewhere
    app = FastAPI(title="Facedown", version=__version__, docs_url=None, redoc_url=None, lifespan=life)
    app.state.lab, app.state.tables, app.state.runs = lab, Tables(lab), Runs(lab)
    app.state.judging = Judging()
    app.add_middleware(GZipMiddleware, minimum_size=1000)
    app.mount("/static", StaticFiles(directory=HERE / "static"), name="static")
    for part in (home, games, seats, review, what_if, hanabi, runs, league, solve, papers, api):
        # as they are: `include_router` builds them again at the first request, while other threads may be compiling
        app.router.routes.extend(part.router.routes)
    app.add_exception_handler(TooLargeError, _too_large)
    app.add_exception_handler(LookupError, _not_found)
    app.add_exception_handler(FacedownError, _wrong)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _failed)
    return app


def _told(request: Request, status: int, sentence: str) -> Response:
    if request.url.path.startswith("/api/"):
        return JSONResponse({"problem": sentence}, status)
    return HTMLResponse(page("problem.html", status=status, sentence=sentence), status)


def _not_found(request: Request, problem: Exception) -> Response:
    if isinstance(problem, KeyError | IndexError):  # a mistake of ours
        return _failed(request, problem)
    return _told(request, 404, str(problem))


def _wrong(request: Request, problem: Exception) -> Response:
    return _told(request, 400, str(problem))


def _too_large(request: Request, problem: Exception) -> Response:
    return _told(request, 413, f"That is too much at once; at most {MAX_BODY:,} bytes are read.")


def _invalid(request: Request, problem: Exception) -> Response:
    assert isinstance(problem, RequestValidationError)
    first = problem.errors()[0]
    where = ".".join(str(part) for part in first["loc"] if part not in {"body", "query", "path"})
    return _told(request, 422, f"{where}: {first['msg']}" if where else str(first["msg"]))


def _http(request: Request, problem: Exception) -> Response:
    assert isinstance(problem, HTTPException)
    sentence = "There is no such page here." if problem.status_code == 404 else str(problem.detail)
    answer = _told(request, problem.status_code, sentence)
    answer.headers.update(problem.headers or {})
    return answer


def _failed(request: Request, problem: Exception) -> Response:
    traceback.print_exception(problem, file=sys.stderr)
    return _told(request, 500, "Something went wrong here; the terminal in which the lab runs says what.")
