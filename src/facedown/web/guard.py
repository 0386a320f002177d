"""The door of the web lab: who may ask, from where, how much; and what every answer says of itself.

Pages of other sites can make a browser send requests here. So the Host header must name this server (a stranger's name that
points to this machine is DNS rebinding), and a request that changes something must come from one of its own pages.
"""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qsl, urlencode

MAX_BODY = 64 * 1024
MAX_TARGET = 4 * 1024
COOKIE = "facedown_lab"
_OPEN_PATHS = ("/t/", "/api/seats/", "/static/")
"""What needs no token of the lab: a seat's link is a secret of its own."""
POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; object-src 'none'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
_HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    # with "no-referrer" browsers would send the origin "null" with our own forms
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


class TooLargeError(Exception):
    """More was sent than is read."""


class Guard:
    """Stands before the app; what does not pass is answered with one sentence."""

    def __init__(self, app: App, hosts: Iterable[str], token: str = ""):
        """Answer to these names, with or without a port; with a token, only to who knows it."""
        self._app, self._hosts, self._token = app, frozenset(hosts), token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or turn it away."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        refusal = self._refusal(scope, headers)
        if refusal is not None:
            await _answer(send, *refusal)
            return
        if self._token and not scope["path"].startswith(_OPEN_PATHS):
            query = parse_qsl(scope["query_string"].decode("latin-1"))
            given = dict(query).get("token", "")
            if given and self._is_token(given):
                rest = urlencode([(name, value) for name, value in query if name != "token"])
                await _admit(send, scope["path"] + (f"?{rest}" if rest else ""), self._token)
                return
            if not self._is_token(_cookie(headers.get("cookie", ""))):
                await _answer(send, 401, "This lab needs its token: open the address that `facedown web` printed.")
                return
        await self._pass(scope, receive, send)

    def _is_token(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), self._token.encode())

    def _refusal(self, scope: Scope, headers: dict[str, str]) -> tuple[int, str] | None:
        host = headers.get("host", "")
        if _without_port(host) not in self._hosts:
            return 421, f"This server does not answer to that name; it answers to {', '.join(sorted(self._hosts))}."
        if len(scope.get("raw_path") or b"") + len(scope["query_string"]) > MAX_TARGET:
            return 414, f"The address is too long; at most {MAX_TARGET:,} characters are read."
        if scope["method"] not in {"GET", "HEAD", "OPTIONS"}:
            origin = headers.get("origin")
            if origin is not None and origin not in {f"http://{host}", f"https://{host}"}:
                return 403, "This request comes from a page of another site, and changes nothing here."
            if headers.get("sec-fetch-site", "same-origin") not in {"same-origin", "none"}:
                return 403, "This request comes from a page of another site, and changes nothing here."
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdigit() or int(length[:18]) > MAX_BODY:
            return 413, f"That is too much at once; at most {MAX_BODY:,} bytes are read."
        return None

    async def _pass(self, scope: Scope, receive: Receive, send: Send) -> None:
        n_read, began = 0, False

        async def read() -> Message:
            nonlocal n_read
            message = await receive()
            n_read += len(message.get("body", b""))
            if n_read > MAX_BODY:  # a body that did not say its length
                raise TooLargeError
            return message

        async def write(message: Message) -> None:
            nonlocal began
            if message["type"] == "http.response.start":
                began = True
                given = {name.lower() for name, _ in message["headers"]}
                # a page that needs another policy brings it along
                standard = _HEADERS | {"cache-control": "no-store"}
                extra = {name: value for name, value in standard.items() if name.encode() not in given}
                message["headers"] = [*message["headers"], *((n.encode(), v.encode()) for n, v in extra.items())]
            await send(message)

        try:
            await self._app(scope, read, write)
        except TooLargeError:
            if not began:
                await _answer(send, 413, f"That is too much at once; at most {MAX_BODY:,} bytes are read.")


def _without_port(host: str) -> str:
    name, colon, port = host.rpartition(":")
    return (name if colon and port.isdigit() else host).lower()


def _cookie(header: str) -> str:
    try:
        found = SimpleCookie(header).get(COOKIE)
    except CookieError:
        return ""
    return found.value if found else ""


async def _admit(send: Send, target: str, token: str) -> None:
    """Remember the token, and take it out of the address."""
    path = "/" + target.lstrip("/\\")
    headers = [("location", path), ("set-cookie", f"{COOKIE}={token}; HttpOnly; SameSite=Strict; Path=/")]
    await _answer(send, 303, "Welcome.", headers)


async def _answer(send: Send, status: int, sentence: str, more: list[tuple[str, str]] | None = None) -> None:
    headers = [*_HEADERS.items(), ("content-type", "text/plain; charset=utf-8"), ("cache-control", "no-store"), *(more or [])]
    encoded = [(name.encode("latin-1"), value.encode("latin-1", "replace")) for name, value in headers]
    await send({"type": "http.response.start", "status": status, "headers": encoded})
    await send({"type": "http.response.body", "body": f"{sentence}\n".encode()})
