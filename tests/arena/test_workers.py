"""Threads and executors: the same results in the same order, errors as sentences, nothing left behind."""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import facedown as fd
from facedown.arena import portable
from facedown.arena.workers import LARGEST_BUNDLE, Workers, executor_size
from facedown.errors import FacedownError, UsageError


class Posting(Executor):
    """Everything goes through bytes, as it does to another machine; remembers how many tasks were sent at once."""

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        self.sizes.append(len(arguments[1]))
        back, given = pickle.loads(pickle.dumps((function, arguments)))
        future: Future[Any] = Future()
        try:
            future.set_result(pickle.loads(pickle.dumps(back(*given))))
        except Exception as problem:
            future.set_exception(pickle.loads(pickle.dumps(problem)))
        return future


class Broken(Executor):
    """Loses everything that is sent."""

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_exception(BrokenExecutor("a worker was lost\nwith a long story"))
        return future


def square(number: int) -> int:
    return number * number


def slow_square(number: int) -> int:
    time.sleep(0.01 * ((7 * number) % 3))
    return number * number


def refuse(number: int) -> int:
    raise UsageError(f"{number} is not welcome")


@pytest.mark.parametrize("threads", [0, 1, 3])
def test_results_come_in_the_order_of_the_tasks(threads: int) -> None:
    with Workers(threads) as workers:
        assert workers.map(slow_square, range(20)) == [number * number for number in range(20)]
        assert workers.map(square, []) == []
        assert not workers.elsewhere


def test_an_executor_is_sent_bundles_that_grow() -> None:
    posting = Posting()
    with Workers(0, posting) as workers:
        assert workers.elsewhere
        assert workers.map(square, range(5000)) == [number * number for number in range(5000)]
    assert posting.sizes[0] == 1
    assert max(posting.sizes) == LARGEST_BUNDLE
    assert sum(posting.sizes) == 5000
    slow = Posting()
    with Workers(0, slow) as workers:
        workers.map(time.sleep, [0.3] * 3)
    assert slow.sizes == [1, 1, 1]


def test_threads_use_what_is_ready_here_and_executors_do_not() -> None:
    for executor, expected in ((None, 0), (Posting(), 9)):
        with Workers(2, executor) as workers:
            assert workers.map(square, [3], here=lambda number: 0) == [expected]


def test_errors_of_tasks_stay_what_they_are() -> None:
    for executor in (None, Posting()):
        with Workers(2, executor) as workers, pytest.raises(UsageError, match=r"^0 is not welcome$"):
            workers.map(refuse, range(3))


def test_what_an_executor_does_wrong_is_a_sentence() -> None:
    with Workers(0, Broken()) as workers, pytest.raises(FacedownError) as caught:
        workers.map(square, range(3))
    assert str(caught.value).startswith("Broken failed (BrokenExecutor: a worker was lost); see that its workers are alive")
    assert "\n" not in str(caught.value)


def test_what_the_listener_raises_is_not_blamed_on_the_executor() -> None:
    def stop(found: int) -> None:
        raise RuntimeError("the listener's own")

    with Workers(0, Posting()) as workers, pytest.raises(RuntimeError, match="the listener's own"):
        workers.run(square, range(3), stop)


def test_what_has_not_begun_is_taken_back() -> None:
    begun: list[int] = []

    def note(number: int) -> int:
        begun.append(number)
        time.sleep(0.02)
        return number

    def stop(found: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), Workers(1) as workers:
        workers.run(note, range(100), stop)
    assert len(begun) <= 4


def test_executors_tell_how_many_they_are() -> None:
    with ThreadPoolExecutor(5) as pool:
        assert executor_size(pool) == 5
    assert executor_size(Posting()) > 1


# --- the same sources ----------------------------------------------------------------------------------------------------


AGENT_FILE = """
import facedown as fd

def act(view, actions, n, params, memory, chance):
    return actions[{which}]

AGENT = fd.Agent(name="{name}", meaning="", act=act)
"""


@pytest.mark.usefixtures("clean_imports")
def test_a_file_that_has_changed_or_gone_is_not_played(tmp_path: Path) -> None:
    file = tmp_path / "sent_agent.py"
    file.write_text(AGENT_FILE.format(which=0, name="sent"))
    named = f"{file}:AGENT"
    sent = fd.match("kuhn", [named, "first"], games=8, seed=1, executor=Posting())
    assert sent.mean == fd.match("kuhn", [named, "first"], games=8, seed=1).mean
    game = fd.game("kuhn")
    from facedown.agents.registry import agent

    sources = portable.check_portable(game, [agent(named, game)])
    assert sources[0] == ("", portable.package_digest())
    assert [path for path, _ in sources[1:]] == [str(file)]
    portable.check_sources.cache_clear()
    file.write_text(AGENT_FILE.format(which=1, name="sent"))
    with pytest.raises(FacedownError, match=r"sent_agent.py was changed after worker .* had loaded it; start the workers anew"):
        fd.match("kuhn", [named, "first"], games=8, seed=1, executor=Posting())
    with pytest.raises(FacedownError, match=r"sent_agent.py is another version on worker"):
        portable.check_sources(sources)
    file.unlink()
    with pytest.raises(
        FacedownError, match=r"sent_agent.py is not there on worker .*; put it on a disk that all of them share"
    ):
        portable.check_sources(sources)
    with pytest.raises(FacedownError, match="Facedown is another version on worker"):
        portable.check_sources((("", "0" * 64),))


# --- races and leagues ---------------------------------------------------------------------------------------------------


def plain(result: Any) -> dict[str, Any]:
    """All figures, without the time that they took."""
    found = {name: value for name, value in result.to_dict().items() if name != "seconds"}
    for race in found.get("races", []):
        del race["seconds"]
    return found


@pytest.mark.parametrize(
    ("game", "names"), [("kuhn", ("uniform", "first")), ("rrrats(tokens=5)", ("stationary", "hold(1)", "hold(3)"))]
)
def test_races_are_the_same_bits_elsewhere(game: str, names: tuple[str, ...]) -> None:
    settings: Any = {"seed": 3, "epsilon": 0.1, "max_games": 3000}
    here = fd.race(game, *names, **settings, threads=1)
    assert plain(fd.race(game, *names, **settings, executor=Posting())) == plain(here)
    with ThreadPoolExecutor(2) as pool:
        assert plain(fd.race(game, *names, **settings, executor=pool)) == plain(here)


@pytest.mark.compiled
def test_papers_are_the_same_bits_elsewhere() -> None:
    from facedown import papers

    name = next(name for name in papers.names() if "equilibrium" in name)
    posting = Posting()
    here, there = papers.run(name, profile="tiny"), papers.run(name, profile="tiny", executor=posting)
    assert posting.sizes
    assert [judged.to_dict() for judged in there.claims] == [judged.to_dict() for judged in here.claims]


def test_races_of_what_only_this_process_knows_are_refused_elsewhere() -> None:
    def act(view: Any, actions: Any, n: int, params: Any, memory: Any, chance: Any) -> int:
        return int(actions[0])

    mine = fd.Agent(name="mine", meaning="", act=act)
    for run in (fd.race, lambda game, *agents, **how: fd.league(game, agents, **how)):
        with pytest.raises(UsageError, match="known to this process only"):
            run("kuhn", mine, "first", executor=Broken())
