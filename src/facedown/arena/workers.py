"""Who plays: threads of this process, or any `concurrent.futures.Executor`. Results come back in the order of the tasks.

1. A task is plain data and is run by a function that any process can import; what it gives depends on the task alone.
2. Threads are handed one task at a time, and may be given a quicker function that knows what is ready in this process.
3. An executor is sent bundles of tasks. Sending costs milliseconds where a task may cost less, so bundles grow until each
   takes about BUNDLE_SECONDS. Each task's result comes back by itself, so sums do not depend on the bundles.
4. With every bundle go digests of the sources that it was cut from, this package's included: a worker that has others says
   so, since its figures would be those of another program.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor
from types import TracebackType
from typing import Any, TypeVar

from facedown.arena.portable import Source, check_sources
from facedown.errors import FacedownError
from facedown.native.jit import prepare_thread

Task = TypeVar("Task")
Found = TypeVar("Found")

_BUNDLE_SECONDS = 0.25
LARGEST_BUNDLE = 256
GROWTH = 4
_MAX_BUSY = 8
"""How many times longer work may take than the processor's time for it before something else is thought to be slow."""
_BUNDLES_A_WORKER = 3
"""Under way at once: one that is played, and what is on its way to and fro."""
_UNKNOWN_WORKERS = 16
"""How many to reckon with where an executor does not tell."""


class Workers:
    """Threads, an executor, or, with `threads=0`, this thread alone. Used as a context: threads end with it."""

    def __init__(self, threads: int, executor: Executor | None = None, sources: tuple[Source, ...] = ()):
        self._executor, self._sources = executor, sources
        self._threads = ThreadPoolExecutor(threads, "facedown", prepare_thread) if threads and executor is None else None
        self.elsewhere = executor is not None
        """Whether tasks leave this process, or could."""
        self.n_workers = max(threads, 1) if executor is None else executor_size(executor)

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, kind: type[BaseException] | None, problem: BaseException | None, where: TracebackType | None) -> None:
        if self._threads is not None:
            self._threads.shutdown(cancel_futures=True)

    def run(
        self,
        function: Callable[[Task], Found],
        tasks: Iterable[Task],
        take: Callable[[Found], None],
        here: Callable[[Task], Found] | None = None,
    ) -> None:
        """Run tasks, and have their results taken in the order of the tasks; `here` does the same in this process, quicker.

        What stops it, Ctrl-C included, is raised at once; tasks that have not begun are taken back.
        """
        here = here or function
        if self._executor is not None:
            self._run_bundles(self._executor, function, iter(tasks), take)
        elif self._threads is not None:
            threads = self._threads
            calls = (threads.submit(here, task) for task in tasks)
            _take_in_order(calls, 2 * self.n_workers, take)
        else:
            for task in tasks:
                take(here(task))

    def map(
        self, function: Callable[[Task], Found], tasks: Iterable[Task], here: Callable[[Task], Found] | None = None
    ) -> list[Found]:
        """The results of some tasks, in their order."""
        found: list[Found] = []
        self.run(function, tasks, found.append, here)
        return found

    def _run_bundles(
        self, executor: Executor, function: Callable[[Any], Any], tasks: Iterator[Any], take: Callable[[Any], None]
    ) -> None:
        size = 1

        def bundles() -> Iterator[Future[tuple[float, list[Any]]]]:
            while bundle := list(itertools.islice(tasks, size)):
                yield executor.submit(_run_bundle, function, bundle, self._sources)

        def take_bundle(finished: tuple[float, list[Any]]) -> None:
            nonlocal size
            seconds, results = finished
            wanted = int(_BUNDLE_SECONDS * len(results) / max(seconds, 1e-6))
            size = min(max(wanted, 1), GROWTH * size, LARGEST_BUNDLE)
            for result in results:
                take(result)

        _take_in_order(bundles(), _BUNDLES_A_WORKER * self.n_workers, take_bundle, type(executor).__name__)


def _run_bundle(function: Callable[[Any], Any], tasks: list[Any], sources: tuple[Source, ...]) -> tuple[float, list[Any]]:
    """Run some tasks, wherever this is: what they cost, in seconds, and what each of them gave.

    The cost is the processor's time: on a busy machine bundles must not become small, since messages take the longer there.
    Work that waits for somebody else still counts for something.
    """
    prepare_thread()
    check_sources(sources)
    started, started_work = time.perf_counter(), time.thread_time()
    results = [function(task) for task in tasks]
    waited, worked = time.perf_counter() - started, time.thread_time() - started_work
    return max(worked, waited / _MAX_BUSY), results


def executor_size(executor: Executor) -> int:
    """How many tasks an executor runs at once: those of Python and of Dask tell."""
    known = getattr(executor, "_max_workers", None)
    client = getattr(executor, "_client", None)
    if known is None and client is not None:
        known = sum(client.nthreads().values())
    return int(known) if known else _UNKNOWN_WORKERS


def _take_in_order(calls: Iterator[Future[Any]], n_ahead: int, take: Callable[[Any], None], executor: str = "") -> None:
    """Keep some calls under way, and take what they give when it is their turn; errors of an executor become sentences."""
    under_way: list[Future[Any]] = []
    try:
        under_way.extend(itertools.islice(calls, n_ahead))
        while under_way:
            future = under_way.pop(0)
            take(_result(future, executor) if executor else future.result())
            under_way.extend(itertools.islice(calls, 1))
    finally:
        for future in under_way:
            future.cancel()


def _result(future: Future[Any], executor: str) -> Any:
    """What comes back from somebody else's workers; what our own functions raise there is a sentence already."""
    try:
        return future.result()
    except FacedownError:
        raise
    except (Exception, CancelledError) as problem:
        words = f"{type(problem).__name__}: {problem}".splitlines()[0]
        raise FacedownError(
            f"{executor} failed ({words}); see that its workers are alive, and that Facedown is installed on each of them"
        ) from problem
