"""Running the lab: a socket of this machine, a line that says where, and a browser."""

from __future__ import annotations

import contextlib
import gc
import secrets
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from facedown.errors import UsageError
from facedown.web.lab import Lab, default_folder

if TYPE_CHECKING:
    from facedown.web.run import Run
    from facedown.web.running import Runs

LOCAL = "127.0.0.1"
PORTS = range(8765, 8785)


def serve(
    games: Sequence[str] = (),
    port: int | None = None,
    host: str | None = None,
    browse: bool = True,
    folder: str | Path | None = None,
    begin: Callable[[Runs], Run] | None = None,
) -> None:
    """Run the lab until it is stopped; without a port, the first free one of a few is taken.

    begin  starts an experiment, whose page is then the first
    """
    import uvicorn

    from facedown.web.app import LOCAL as LOCAL_NAMES
    from facedown.web.app import inner_app
    from facedown.web.guard import Guard

    lab = Lab(folder or default_folder(), games)
    listener = _listen(host or LOCAL, port)
    token = secrets.token_urlsafe(16) if host else ""
    names = (*LOCAL_NAMES, *(_names(host) if host else ()))
    shown = host if host and host not in {"0.0.0.0", "::"} else LOCAL
    bracketed = f"[{shown}]" if ":" in shown else shown
    app = inner_app(lab)
    first_page = f"/runs/{begin(app.state.runs).id}" if begin else "/"
    address = f"http://{bracketed}:{listener.getsockname()[1]}{first_page}" + (f"?token={token}" if token else "")
    # links of seats are secrets: requests are not logged
    settings = uvicorn.Config(
        Guard(app, names, token), log_level="critical", access_log=False, server_header=False, timeout_graceful_shutdown=1
    )
    server = uvicorn.Server(settings)
    print(f"The lab is at {address}\nIts tables and races are kept in {lab.folder}. Ctrl-C ends it.", flush=True)
    if browse:
        threading.Thread(target=_open_when_ready, args=(server, address), daemon=True).start()
    # what was loaded so far stays: looking through it for garbage would hold up all tables now and then
    gc.collect()
    gc.freeze()
    server.run(sockets=[listener])


def _listen(host: str, port: int | None) -> socket.socket:
    """A socket that is bound before anybody is told of it."""
    problem: OSError | None = None
    for wanted in PORTS if port is None else [port]:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        found = socket.socket(family, socket.SOCK_STREAM)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind((host, wanted))
            return found
        except OSError as failed:
            problem = failed
            found.close()
        except OverflowError:
            raise UsageError(f"--port {wanted}: a port is a whole number from 0 to 65535") from None
    where = f"port {port}" if port is not None else f"any port from {PORTS.start} to {PORTS.stop - 1}"
    reason = problem.strerror if problem else ""
    raise UsageError(f"cannot listen on {host}, {where}: {reason}; choose another with --port") from None


def _names(host: str) -> list[str]:
    """What a browser may call this machine when the lab is open to others."""
    own = socket.gethostname().lower()
    found = {host.lower(), f"[{host.lower()}]" if ":" in host else host.lower(), own}
    with contextlib.suppress(OSError):
        found |= {str(entry[4][0]) for entry in socket.getaddrinfo(own, None)}
    return sorted(found - {"0.0.0.0", "::", "[::]"})


def _open_when_ready(server: object, address: str) -> None:
    for _ in range(200):
        if getattr(server, "started", False):
            try:
                webbrowser.open(address)
            except webbrowser.Error:
                print("No browser was found; open the address yourself.", file=sys.stderr)
            return
        time.sleep(0.05)
