"""A Dask cluster as an executor: `with cluster("tcp://10.0.0.1:8786") as executor`. Nothing of Dask is imported before.

The scheduler gives what a worker had under way to another one when the worker goes away; nothing is lost, and since a task's
result depends on the task alone, nothing changes either.
"""

from __future__ import annotations

import contextlib
import logging
import socket
from collections.abc import Iterator
from concurrent.futures import Executor

from facedown.errors import FacedownError, UsageError

SECONDS_TO_ANSWER = 10
SECONDS_FOR_A_WORKER = 10


@contextlib.contextmanager
def cluster(address: str | None) -> Iterator[Executor | None]:
    """The workers behind the address of a scheduler, as an executor; None where no address is given."""
    if address is None:
        yield None
        return
    try:
        from distributed import Client
    except ImportError:
        raise UsageError(
            "a cluster needs Dask's package distributed, which is not installed; install it: pip install 'facedown[cluster]'"
        ) from None
    _quieten()
    _knock(address)
    try:
        client = Client(address, timeout=SECONDS_TO_ANSWER, set_as_default=False)
    except (OSError, ValueError, TypeError, ImportError) as problem:
        raise _nobody(address, problem) from None
    try:
        _wait_for_a_worker(client, address)
        yield client.get_executor(pure=False)
    finally:
        client.close()


def _knock(address: str) -> None:
    """See whether anybody listens there at all: Dask tries for long, and on a thread that outlives the error."""
    scheme, _, place = address.rpartition("://")
    host, _, port = place.rpartition(":")
    if scheme not in ("", "tcp", "tls") or not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise UsageError(f"--cluster {address}: the address of a Dask scheduler is needed, such as tcp://127.0.0.1:8786")
    try:
        socket.create_connection((host.strip("[]"), int(port)), SECONDS_TO_ANSWER).close()
    except OSError as problem:
        raise _nobody(address, problem) from None


def _nobody(address: str, problem: Exception) -> UsageError:
    words = str(problem).splitlines()[0] if str(problem) else type(problem).__name__
    return UsageError(
        f"--cluster {address}: no scheduler answers there ({words}); start one with `dask scheduler`, and give the address "
        "that it prints, such as tcp://127.0.0.1:8786"
    )


def _wait_for_a_worker(client: object, address: str) -> None:
    try:
        client.wait_for_workers(1, timeout=SECONDS_FOR_A_WORKER)  # type: ignore[attr-defined]
    except TimeoutError:
        raise FacedownError(
            f"--cluster {address}: the scheduler has no workers; start some with: dask worker {address}"
        ) from None


def _quieten() -> None:
    """What Dask logs while it waits for an answer is told in our sentence."""
    for name in ("distributed.client", "distributed.comm", "distributed.core"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
