"""A real Dask cluster of two workers, one of which is killed in the middle: the same bits, and nothing lost."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import facedown as fd
from facedown.arena.cluster import cluster
from facedown.errors import FacedownError, UsageError
from facedown.progress import Progress

pytestmark = [pytest.mark.compiled, pytest.mark.slow]
SECONDS = 60


class Cluster:
    """A scheduler and workers, each a process of its own; a worker that is killed stays away until it is started again."""

    def __init__(self, directory: Path):
        self._directory = directory
        file = directory / "scheduler.json"
        command = ["scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file)]
        self._processes = [self._start(*command)]
        until = time.monotonic() + SECONDS
        while not file.exists() or not file.read_text().strip():
            assert time.monotonic() < until and self._processes[0].poll() is None, self._log("scheduler")
            time.sleep(0.1)
        import json

        self.address: str = json.loads(file.read_text())["address"]
        self.workers: list[subprocess.Popen[bytes]] = []
        self.fill()

    def _start(self, kind: str, *words: str) -> subprocess.Popen[bytes]:
        with (self._directory / f"{kind}.log").open("ab") as log:
            command = [sys.executable, "-m", "distributed.cli.dask_" + kind, *words]
            return subprocess.Popen(command, stdout=log, stderr=log, cwd=self._directory)

    def _log(self, kind: str) -> str:
        return (self._directory / f"{kind}.log").read_text()[-2000:]

    def fill(self) -> None:
        """See that two workers are alive and known to the scheduler."""
        self.workers = [worker for worker in self.workers if worker.poll() is None]
        while len(self.workers) < 2:
            words = (self.address, "--no-nanny", "--nthreads", "1", "--no-dashboard", "--host", "127.0.0.1")
            self.workers.append(self._start("worker", *words))
        from distributed import Client

        with Client(self.address, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=SECONDS)

    def close(self) -> None:
        for process in (*self.workers, *self._processes):
            process.terminate()
        for process in (*self.workers, *self._processes):
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:  # a worker that had just begun may miss the signal
                process.kill()
                process.wait(SECONDS)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    pytest.importorskip("distributed")
    made = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        yield made
    finally:
        made.close()


class Killer:
    """Kills a worker shortly after the first piece of work has come back, so that others are under way."""

    def __init__(self, worker: subprocess.Popen[bytes]):
        self._worker, self._begun = worker, False
        self.done_then, self.done_last = -1.0, -1.0
        self._now = 0.0

    def __call__(self, now: Progress) -> None:
        self._now = self.done_last = now.done
        if not self._begun:
            self._begun = True
            threading.Timer(0.05, self._kill).start()

    def _kill(self) -> None:
        self._worker.send_signal(signal.SIGKILL)
        self._worker.wait(SECONDS)
        self.done_then = self._now


def figures(result: Any) -> dict[str, Any]:
    return {name: value for name, value in result.to_dict().items() if name != "seconds"}


WAR = "war(max_rounds=2000)"
RUNS = {
    "match": lambda **how: fd.match(WAR, ["descending", "ascending"], 60_000, seed=1, **how),
    "race": lambda **how: fd.race(WAR, "ascending", "loser_first", method="settle", epsilon=0.004, seed=1, **how),
    "league": lambda **how: fd.league(WAR, ["descending", "ascending", "winner_first"], 8_000, seed=1, **how),
    "league until decided": lambda **how: fd.league(
        WAR, ["descending", "winner_first", "loser_first"], until="decided", epsilon=0.02, seed=1, **how
    ),
    "tune": lambda **how: fd.tune("war(max_rounds=300)", "mix", games=60_000, seed=1, **how),
}


@pytest.mark.parametrize("name", RUNS)
def test_a_worker_that_is_killed_changes_nothing(running: Cluster, name: str) -> None:
    running.fill()
    here = figures(RUNS[name]())
    killer = Killer(running.workers[0])
    with cluster(running.address) as executor:
        assert executor is not None
        there = RUNS[name](executor=executor, progress=killer)
    assert figures(there) == here
    assert running.workers[0].returncode == -signal.SIGKILL
    assert 0 <= killer.done_then < killer.done_last, "the worker was killed when all was over"


def test_the_command_line_gives_the_same(running: Cluster, tmp_path: Path) -> None:
    import json

    running.fill()
    for words in (
        ["match", "kuhn", "uniform", "first", "--games", "3000", "--seed", "2"],
        ["race", "kuhn", "uniform", "first", "--seed", "2"],
        ["league", "kuhn", "uniform", "first", "--games", "3000", "--seed", "2"],
        ["tune", "rrrats", "stationary", "--games", "3000", "--seed", "2"],
    ):
        found = []
        for more in ([], ["--cluster", running.address]):
            command = [sys.executable, "-m", "facedown.cli.main", *words, "--json", *more]
            done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=SECONDS)
            assert done.returncode == 0, done.stderr
            content = json.loads(done.stdout)
            del content["seconds"]
            found.append(content)
        assert found[0] == found[1]


def test_agents_in_files_reach_the_workers(running: Cluster, tmp_path: Path) -> None:
    running.fill()
    file = tmp_path / "clustered_agent.py"
    file.write_text(
        "import facedown as fd\n\ndef act(view, actions, n, params, memory, chance):\n    return actions[n - 1]\n\n"
        'AGENT = fd.Agent(name="last", meaning="", act=act)\n'
    )
    agents = [f"{file}:AGENT", "uniform"]
    here = figures(fd.match("kuhn", agents, 2000, seed=1))
    with cluster(running.address) as executor:
        assert figures(fd.match("kuhn", agents, 2000, seed=1, executor=executor)) == here


# --- what can be wrong ---------------------------------------------------------------------------------------------------


def test_an_address_where_nobody_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("facedown.arena.cluster.SECONDS_TO_ANSWER", 1)
    with pytest.raises(UsageError, match=r"no scheduler answers there .*start one with `dask scheduler`"):
        cluster("tcp://127.0.0.1:1").__enter__()
    for address in ("nonsense", "http://127.0.0.1:1", "tcp://127.0.0.1:x", "tcp://:8786", "tcp://127.0.0.1:99999", ""):
        with pytest.raises(UsageError, match="the address of a Dask scheduler is needed, such as tcp://"):
            cluster(address).__enter__()


def test_a_scheduler_without_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("facedown.arena.cluster.SECONDS_FOR_A_WORKER", 1)
    from distributed import LocalCluster

    # its page listens on a free port: on the usual one another test may have a cluster of its own
    with (
        LocalCluster(n_workers=0, processes=False, protocol="tcp", host="127.0.0.1", dashboard_address="127.0.0.1:0") as empty,
        pytest.raises(FacedownError, match="the scheduler has no workers; start some with: dask worker"),
        cluster(empty.scheduler_address),
    ):
        pass


def test_without_the_extra_a_line_tells_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError, match=r"pip install 'facedown\[cluster\]'"), cluster("tcp://127.0.0.1:8786"):
        pass


def test_without_an_address_nothing_of_dask_is_imported() -> None:
    program = (
        "import sys, facedown as fd\n"
        "from facedown.arena.cluster import cluster\n"
        "with cluster(None) as executor:\n"
        "    fd.match('kuhn', ['uniform', 'first'], 10, executor=executor)\n"
        "sys.exit(any(name.partition('.')[0] in ('dask', 'distributed', 'tornado') for name in sys.modules))\n"
    )
    assert subprocess.run([sys.executable, "-c", program], env={**os.environ}).returncode == 0


def test_closing_goes_on_after_an_error(running: Cluster) -> None:
    running.fill()
    with contextlib.suppress(RuntimeError), cluster(running.address):
        raise RuntimeError
    with cluster(running.address) as executor:
        assert executor is not None and executor.submit(abs, -3).result(SECONDS) == 3
