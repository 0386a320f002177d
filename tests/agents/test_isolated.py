"""Agents in a process of their own: they play as they do here, get nothing but views, and break nothing but themselves."""

from __future__ import annotations

import contextlib
import dataclasses
import gc
import os
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from table_policies import kuhn_equilibrium

import facedown as fd
from facedown.agents.generic import isolated as isolating
from facedown.agents.generic import isolated_child as speaking
from facedown.agents.generic.isolated import IsolatedAgent
from facedown.agents.generic.isolated_child import Facts, printable
from facedown.agents.generic.mcts import search
from facedown.agents.registry import agent, agents_for
from facedown.errors import AgentError, CompileError, UsageError
from facedown.inputs import check_seed
from facedown.native.chance import CHANCE, EXPLORE
from facedown.native.jit import COMPILED
from facedown.policies.policy import save_policy
from facedown.solving.exploit import exploit

STRANGERS = Path(__file__).with_name("strangers.py")
KUHN = fd.game("kuhn")

pytestmark = pytest.mark.skipif(not hasattr(os, "killpg"), reason="processes of their own are for POSIX systems")


def named(name: str) -> str:
    return f"{STRANGERS}:AGENTS.{name}"


def isolate(name: str, **settings: Any) -> IsolatedAgent:
    found = agent(f"isolated({named(name)})", KUHN)(**settings)
    assert isinstance(found, IsolatedAgent)
    return found


def process_of(found: IsolatedAgent) -> int:
    assert found.child._process is not None
    return found.child._process.pid


def is_there(process: int) -> bool:
    """Whether a process exists, be it only as a zombie."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def wait_for_the_end_of(process: int, seconds: float = 20) -> None:
    until = time.monotonic() + seconds
    while is_there(process) and not is_orphaned_zombie(process):
        assert time.monotonic() < until, f"process {process} is still there"
        time.sleep(0.02)


def is_orphaned_zombie(process: int) -> bool:
    """Dead, and nobody's but the system's to clear away; some containers leave that to nobody."""
    with contextlib.suppress(OSError):
        state, parent = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[:2]
        return state == "Z" and int(parent) != os.getpid()
    return False


@pytest.fixture(autouse=True)
def nothing_is_left_behind() -> Iterator[None]:
    """After each test there are as many open files as before, and no children but those of other tests."""
    gc.collect()
    before, others = n_open_files(), children()
    yield
    gc.collect()
    assert n_open_files() == before
    assert children() <= others


def children() -> set[str]:
    """The processes that this one has started and not yet taken leave of, where the system tells."""
    found = set[str]()
    for listing in Path("/proc/self/task").glob("*/children"):
        with contextlib.suppress(OSError):  # a thread that ends meanwhile takes its listing with it
            found.update(listing.read_text().split())
    return found


def n_open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir())) if sys.platform == "linux" else 0


# --- the same games -----------------------------------------------------------------------------------------------------


def results(player: str, games: int, **settings: Any) -> tuple[Any, ...]:
    found = fd.match("kuhn", [player, "uniform"], games=games, seed=5, keep=True, **settings)
    assert found.batch is not None
    return found.batch.scores.tolist(), found.batch.lengths.tolist()


@pytest.mark.parametrize(
    ("player", "games"),
    [
        ("uniform", 60),
        ("mcts(simulations=20)", 40 if COMPILED else 6),
        (named("shy"), 60),
        (named("bluffer(p=0.5)"), 60),
        (named("prints"), 20),
    ],
)
def test_games_are_bit_for_bit_those_of_the_same_process(player: str, games: int) -> None:
    assert results(f"isolated({player})", games) == results(player, games)


def test_a_policy_from_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_policy(kuhn_equilibrium(), tmp_path / "kuhn.npz")
    monkeypatch.chdir(tmp_path)
    assert results("isolated(table(kuhn.npz))", 60) == results("table(kuhn.npz)", 60)
    found = agent("isolated(table(kuhn.npz))", KUHN)
    assert str(found) == "isolated(table(kuhn.npz))"
    assert found.spec == f"isolated(table({tmp_path}/kuhn.npz))"


def test_the_best_reply_to_it() -> None:
    assert exploit("kuhn", "isolated(first)").values == exploit("kuhn", "first").values


def test_its_draws_cannot_be_enumerated() -> None:
    chance = np.zeros(1, CHANCE)[0]
    chance.mode = EXPLORE
    with pytest.raises(AgentError, match="agent shy is isolated: what it draws cannot be enumerated or recorded"):
        isolate("shy").act(None, None, 2, None, None, chance)


def test_what_it_prints_is_no_result(capfd: pytest.CaptureFixture[str]) -> None:
    fd.match("kuhn", [isolate("prints"), "uniform"], games=2, seed=5)
    shown = capfd.readouterr()
    assert shown.out == "" and {"hello", "hello again"} <= set(shown.err.splitlines())


def test_whoever_is_named_twice_has_two_processes() -> None:
    """So that the two share no variable."""
    first, second = isolate("shy"), isolate("shy")
    assert process_of(first) != process_of(second)


def test_two_threads_may_ask_at_the_same_time() -> None:
    """As a race does; each has a memory of its own."""
    player, found = isolate("shy"), {}

    def play(seed: int) -> None:
        found[seed] = fd.match("kuhn", [player, "uniform"], games=40, seed=seed).mean

    threads = [threading.Thread(target=play, args=(seed,)) for seed in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {seed: fd.match("kuhn", [named("shy"), "uniform"], games=40, seed=seed).mean for seed in (1, 2)}


def test_the_same_reasons_are_told() -> None:
    def told(player: Any) -> list[str]:
        return [move.reason for index in range(6) for move in fd.transcribe("kuhn", [player] * 2, seed=1, index=index).moves]

    reasons = told(isolate("shy"))
    assert reasons == told(named("shy"))
    assert any("decisions" in str(reason) and reason.options[0].stderr == 0.25 for reason in reasons if reason is not None)


# --- names --------------------------------------------------------------------------------------------------------------


def test_what_is_known_of_it_here() -> None:
    found = isolate("shy", seconds=5)
    assert (found.name, found.meaning, found.compiled, found.cheats) == ("shy", "remembers", False, False)
    assert str(found) == "isolated(shy,seconds=5)"
    assert found.spec == f"isolated({named('shy')},seconds=5)"
    assert found.memory is not None and found.memory.itemsize == 2
    assert agent(found, KUHN) is found
    with pytest.raises(UsageError, match="agent shy plays kuhn, not war"):
        agent(found, fd.game("war"))


def test_its_file_is_not_loaded_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STRANGERS_LOADED", "")
    before = set(sys.modules)
    isolate("bluffer")
    assert os.environ["STRANGERS_LOADED"] == ""
    assert not {name for name in set(sys.modules) - before if "strangers" in name}


def test_it_is_listed() -> None:
    listed = agents_for(KUHN)["isolated"]
    assert [parameter.name for parameter in listed.parameters] == ["seconds"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("isolated", "isolated runs an agent in a process of its own: name it, as in isolated(./stranger.py:AGENT)"),
        ("isolated()", "isolated runs an agent in a process of its own: name it, as in isolated(./stranger.py:AGENT)"),
        ("isolated(seconds=5)", "isolated runs an agent in a process of its own: name it"),
        ("isolated(isolated(first))", "'isolated(isolated(first))': it is isolated already; once is enough"),
        ("isolated(first,seconds=0)", "isolated: seconds=0 is out of bounds; it goes from 0.001 to 86400"),
        ("isolated(first,minutes=1)", "unknown parameter of isolated 'minutes'"),
        ("isolated(first,1,2)", "isolated has 1 parameters, but 2 values are given"),
    ],
)
def test_a_wrong_text_is_refused_before_anything_is_started(words: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolating, "Child", None)
    with pytest.raises(UsageError) as caught:
        agent(words, KUHN)
    assert str(caught.value).startswith(said)


def test_a_game_that_others_cannot_find() -> None:
    for other in (dataclasses.replace(KUHN, name="coon"), dataclasses.replace(KUHN, turn=fd.game("leduc").turn)):
        with pytest.raises(UsageError, match=r"is known to this process only, .* put it into a file and name it"):
            agent("isolated(first)", other)


@pytest.mark.parametrize(
    ("inside", "said"),
    [
        ("frist", "unknown agent of kuhn 'frist'. Did you mean 'first'?"),
        ("human", "a person cannot be isolated: the terminal is not there in a process of its own"),
        ("./nowhere.py:AGENT", "there is no file 'nowhere.py'"),
        (named("cheats"), "agent cheats cheats: it wants the whole state, and a process of its own is given views"),
    ],
)
def test_an_agent_that_cannot_be_had_there(inside: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        agent(f"isolated({inside})", KUHN)
    assert said in str(caught.value)


def test_no_search_simulates_it() -> None:
    with pytest.raises(UsageError, match=r"opponent=isolated\(first\) cannot play in simulations: agent first is not compiled"):
        search(KUHN)(opponent="isolated(first)")


# --- faults -------------------------------------------------------------------------------------------------------------

PLACE = ", in game 0 of seed 4, move 1. Player 0 saw: You are player 0"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("raises", "agent raises failed: ValueError: no  [31midea at all" + PLACE),
        ("leaves", "agent leaves failed: SystemExit: 3" + PLACE),
        ("ends", "agent ends is gone: its process ended by itself with exit code 3" + PLACE),
        ("crashes", "agent crashes is gone: its process was killed by SIGSEGV" + PLACE),
        ("hangs_up", "agent hangs_up closed its connection, and its process was ended" + PLACE),
        ("babbles", "the process of agent babbles does not answer as agreed: an answer of kind 255" + PLACE),
        ("answers_a_half", "agent answers_a_half answered 0.5, which is not a whole number" + PLACE),
        ("answers_too_much", f"agent answers_too_much played {10**30}, which is not legal" + PLACE),
        ("plays_seven", "agent plays_seven played 7, which is not legal" + PLACE),
        ("forges_the_list", "agent forges_the_list failed: ValueError: assignment destination is read-only" + PLACE),
    ],
)
def test_a_fault_is_told_in_one_sentence(name: str, said: str) -> None:
    with pytest.raises(AgentError) as caught:
        fd.match("kuhn", [isolate(name), "uniform"], games=4, seed=4)
    assert str(caught.value).startswith(said)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["hangs", "drips"])
def test_time_is_limited(name: str) -> None:
    player = isolate(name, seconds=0.6)
    process, started = process_of(player), time.monotonic()
    with pytest.raises(AgentError) as caught:
        fd.match("kuhn", [player, "uniform"], games=4, seed=4)
    assert str(caught.value).startswith(
        f"agent {name} took more than 0.6 s for a decision, and its process was ended; isolated("
    )
    assert PLACE in str(caught.value)
    assert time.monotonic() - started < 20
    assert not is_there(process)


def test_a_field_that_players_cannot_see() -> None:
    """Compiled it is noticed when it is loaded, otherwise when it looks."""
    with pytest.raises(CompileError, match="agent peeks reads 'hand_of_others', which players cannot see"):
        fd.match("kuhn", [isolate("peeks"), "uniform"], games=4, seed=4)


def test_after_a_fault_it_is_not_asked_again() -> None:
    """A match has other games under way when one fails: they must not wait for the limit too."""
    player = isolate("ends")
    process = process_of(player)
    for _ in range(2):
        with pytest.raises(AgentError, match="exit code 3"):
            fd.match("kuhn", [player, "uniform"], games=4, seed=4)
        assert not is_there(process) and player.child._process is None


def test_an_interruption_in_the_middle_of_a_question(monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer still comes, to nobody; the next question must not get it."""
    player = isolate("shy")
    expected = fd.match("kuhn", [player, "uniform"], games=10, seed=1).mean
    process, receive = process_of(player), speaking.receive

    def interrupted(*arguments: Any) -> bytearray:
        monkeypatch.setattr(speaking, "receive", receive)
        raise KeyboardInterrupt

    monkeypatch.setattr(speaking, "receive", interrupted)
    with pytest.raises(KeyboardInterrupt):
        fd.transcribe("kuhn", [player, "first"], seed=1)
    assert not is_there(process)
    assert fd.match("kuhn", [player, "uniform"], games=10, seed=1).mean == expected


def test_a_file_that_changes_meanwhile_is_noticed(tmp_path: Path) -> None:
    """It would be loaded anew after an interruption, and its memory might be larger then."""
    file = tmp_path / "changing.py"
    file.write_text(STRANGERS.read_text(encoding="utf-8"), encoding="utf-8")
    player = agent(f"isolated({file}:AGENTS.shy)", KUHN)
    assert isinstance(player, IsolatedAgent)
    file.write_text(STRANGERS.read_text(encoding="utf-8").replace('"n_asked", "int8"', '"n_asked", "int64"'), encoding="utf-8")
    player.child.close()
    with pytest.raises(
        AgentError, match="agent shy is another one now: its file was changed while it was played; name it again"
    ):
        fd.match("kuhn", [player, "uniform"], games=2, seed=1)


def test_words_of_strangers_are_cleaned() -> None:
    assert printable("a\x1b[2J\nb", 10) == "a [2J b"
    assert printable("x" * 20, 10) == "x" * 7 + "..."
    told = {"name": "a", "text": "a\x07", "meaning": "", "memory": 0, "watches": False, "explains": False}
    told |= {"public": 0, "begins": False, "draws_when_told": False}
    assert Facts.of({**told, "deterministic": True}).text == "a "
    for wrong in (told, {**told, "deterministic": 1}, {**told, "deterministic": True, "memory": 2**40}):
        with pytest.raises(ValueError):
            Facts.of(wrong)
    with pytest.raises(ValueError):
        Facts.of({**told, "deterministic": True, "name": "\x1b"})


# --- the end ------------------------------------------------------------------------------------------------------------


def test_the_process_ends_with_the_last_who_knows_it() -> None:
    player = isolate("shy")
    again, process = player(seconds=5), process_of(player)
    del player
    gc.collect()
    assert is_there(process)
    del again
    gc.collect()
    assert not is_there(process)


def test_what_it_has_started_ends_with_it() -> None:
    player = isolate("leaves_others_behind")
    with pytest.raises(AgentError, match=r"ValueError: left \d+") as caught:
        fd.match("kuhn", [player, "uniform"], games=2, seed=4)
    left = int(str(caught.value).partition("left ")[2].partition(",")[0])
    assert is_there(left)
    player.child.close()
    wait_for_the_end_of(left)


KILLED = """
import os, signal, sys, threading, time
import facedown as fd
from facedown.agents.registry import agent
player = agent(sys.argv[1], fd.game("kuhn"))
if sys.argv[2] == "thinking":
    threading.Thread(target=fd.match, args=("kuhn", [player, "uniform"]), daemon=True).start()
    time.sleep(1)
print(player.child._process.pid, flush=True)
if sys.argv[2] != "leaving":
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize(("name", "how"), [("shy", "waiting"), ("hangs", "thinking"), ("shy", "leaving")])
def test_the_process_does_not_outlive_its_parent(name: str, how: str, run_python: Any) -> None:
    run = run_python(KILLED, f"isolated({named(name)})", how)
    assert run.returncode == (0 if how == "leaving" else -9), run.stderr
    wait_for_the_end_of(int(run.stdout))


# --- what it gets -------------------------------------------------------------------------------------------------------


def words_of(name: str, **settings: Any) -> list[str]:
    """What an agent has to say that speaks in errors."""
    with pytest.raises(AgentError) as caught:
        fd.match("kuhn", [isolate(name), "uniform"], games=6, seed=4, **settings)
    return str(caught.value).partition("Error: ")[2].partition(", in game")[0].split()


def test_nothing_of_this_process_is_handed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "1")
    read, write = os.pipe()
    os.set_inheritable(write, True)
    try:
        process, n_sockets, n_files, secret, *given = words_of("tells")
    finally:
        os.close(read)
        os.close(write)
    assert int(process) != os.getpid()
    assert n_sockets == "1" and secret == "False"
    if sys.platform == "linux":
        assert int(n_files) <= 5  # nothing, twice the errors, the connection, and the directory that it reads
    assert given == ["2", "2", "0"]  # two legal actions and no more, no memory


def test_who_searches_the_memory_finds_the_cards_here_and_not_there() -> None:
    """In this process it bets with the higher card and passes with the lower one, so it never loses more than the ante."""
    here = fd.match("kuhn", [named("searches_the_memory"), "uniform"], games=40, seed=4, keep=True)
    assert here.batch is not None and here.batch.scores[:, 0].min() == -1 and here.mean[0] > 0
    assert words_of("searches_the_memory") == ["there", "are", "no", "cards", "here"]


def test_a_process_outlives_its_games() -> None:
    """What the page on threats warns of: it may remember earlier games, so strangers are played without exchanging seats."""
    assert words_of("remembers_games", swap=False) == ["this", "is", "my", "third", "game"]


def test_seeds_of_the_machine_are_too_many_to_try() -> None:
    """All of 40 below 2**50 by chance: less than once in 10**36 runs."""
    seeds = [check_seed(None) for _ in range(40)]
    assert 2**50 < max(seeds) < 2**53


HIDING = """
import ctypes, os
from facedown.agents.generic.isolated_child import hide_memory

def can_be_read():
    child = os.fork()
    if child == 0:
        try:
            open(f"/proc/{os.getppid()}/mem", "rb").close()
        except PermissionError:
            os._exit(0)
        os._exit(1)
    return bool(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))

if os.getuid() == 0:  # the superuser may read anything
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)  # as an ordinary process is
print(can_be_read())
hide_memory()
print(can_be_read())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the files in /proc are those of Linux")
def test_the_memory_of_whoever_asks_is_out_of_reach_for_the_same_user(run_python: Any) -> None:
    run = run_python(HIDING)
    before, after = run.stdout.split()
    assert after == "False", run.stderr
    setting = Path("/proc/sys/kernel/yama/ptrace_scope")
    if not setting.exists() or setting.read_text().strip() == "0":  # otherwise the system forbids it in any case
        assert before == "True"
