"""Templates, forms and waiting: what all pages share."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from fastapi import Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from facedown import __version__
from facedown.agents.contract import number_text
from facedown.errors import UsageError

SHORTEST_ANSWER = 0.25
"""Seconds; answers to moves take a whole multiple of this, so that how long agents think tells little."""
_MAX_FIELDS = 64
_PARAMETER = "parameter_"

_TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_TEMPLATES.globals["version"] = f"Facedown {__version__}"


def page(template: str, **content: Any) -> str:
    """A page, or a part of one."""
    return _TEMPLATES.get_template(template).render(**content)


def html(template: str, code: int = 200, **content: Any) -> HTMLResponse:
    """A page as an answer."""
    return HTMLResponse(page(template, **content), code)


def see(path: str) -> Response:
    """Go there now."""
    return RedirectResponse(path, 303)


def is_part(request: Request) -> bool:
    """Whether a part of a page is asked for, to be put in place."""
    return request.headers.get("hx-request") == "true"


async def form(request: Request) -> dict[str, str]:
    """The fields of a form; of several with one name the last."""
    body = await request.body()
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if body and kind != "application/x-www-form-urlencoded":
        raise UsageError("a form is needed, as pages send it: application/x-www-form-urlencoded")
    try:
        return dict(parse_qsl(body.decode("utf-8"), keep_blank_values=True, max_num_fields=_MAX_FIELDS))
    except ValueError:
        raise UsageError(f"the form cannot be read: at most {_MAX_FIELDS} fields of text are possible") from None


def fields(**described: str) -> dict[str, Any]:
    """What a form holds, for the description of the interface."""
    schema = {
        "type": "object",
        "properties": {name: {"type": "string", "description": meaning} for name, meaning in described.items()},
    }
    return {"requestBody": {"content": {"application/x-www-form-urlencoded": {"schema": schema}}}}


def number(given: str | None, name: str, default: int | None = None) -> int | None:
    """A whole number from a form."""
    if given is None or not given.strip():
        return default
    text = given.strip()
    if not text.lstrip("-").isascii() or not text.lstrip("-").isdigit() or len(text) > 20:
        raise UsageError(f"{name}={text[:40]}: a whole number is needed")
    return int(text)


def real(given: str | None, name: str, default: float) -> float:
    """A number from a form."""
    if given is None or not given.strip():
        return default
    try:
        return float(given)
    except ValueError:
        raise UsageError(f"{name}={given[:40]}: a number is needed") from None


def with_parameters(agent: str, given: Mapping[str, str]) -> str:
    """An agent with its parameters as a form has them, `parameter_NAME`; those that are empty stay as they are."""
    named = {name.removeprefix(_PARAMETER): value for name, value in given.items() if name.startswith(_PARAMETER)}
    chosen = {name: value for name, value in named.items() if value.strip()}
    if not chosen:
        return agent
    values = ",".join(f"{name}={number_text(real(value, name, 0.0))}" for name, value in chosen.items())
    return f"{agent}({values})"


async def take_time(began: float) -> None:
    """Wait until the answer has taken a whole multiple of the shortest time."""
    rest = -(time.monotonic() - began) % SHORTEST_ANSWER
    await asyncio.sleep(rest)
