"""Papers: published figures measured again, live; and the report as a page of its own."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, Response

from facedown import papers
from facedown.forecast import duration
from facedown.web.analyses import PROFILES, Paper
from facedown.web.pages import fields, form, html, number, see
from facedown.web.runs import Identity

router = APIRouter()
_REPORT_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The report is one file that needs nothing else, so its style is inside it. It has no script, and none would be run."""


@router.get("/papers", response_class=HTMLResponse)
def listing(request: Request) -> Response:
    """The documents, how long each takes, and what was measured."""
    known = [papers.paper(name) for name in papers.names()]
    return html(
        "papers.html",
        papers=[(paper, [duration(seconds) if seconds else "unknown" for seconds in paper.seconds]) for paper in known],
        runs=request.app.state.runs.listed(50, "paper"),
        profiles=PROFILES,
    )


@router.post("/papers", openapi_extra=fields(paper="its name", profile="quick or full", seed="a number"))
async def start(request: Request) -> Response:
    """Begin to measure one."""
    given = await form(request)
    run = await run_in_threadpool(
        request.app.state.runs.new,
        "paper",
        paper=given.get("paper", ""),
        profile=given.get("profile") or PROFILES[0],
        seed=number(given.get("seed"), "seed"),
    )
    return see(f"/runs/{run.id}")


@router.get("/runs/{identity}/report", response_class=HTMLResponse)
def report(request: Request, identity: Identity) -> Response:
    """The report of a paper, with tables and plots."""
    run = request.app.state.runs.at(identity)
    if not isinstance(run, Paper) or not run.report.is_file():
        raise LookupError("there is no report here; it is written when everything is measured")
    return HTMLResponse(run.report.read_text(encoding="utf-8"), headers={"content-security-policy": _REPORT_POLICY})
