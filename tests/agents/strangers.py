"""Agents from elsewhere, as `isolated` gets them: honest ones, and some that do all that they should not. For Kuhn poker."""

from __future__ import annotations

import gc
import os
import signal
import socket
import stat
import sys
import time
from pathlib import Path
from typing import Any

import facedown as fd
from facedown.native import draw, field, native, record
from facedown.native.chance import draw_real
from facedown.native.records import Record

if "STRANGERS_LOADED" in os.environ:  # not handed on to other processes
    os.environ["STRANGERS_LOADED"] += "here"

PASS, BET = 0, 1
MEMORY = record(field("n_bets", "int8", 0, 9, "bets heard of in this game"), field("n_asked", "int8", 0, 9, "decisions made"))


# --- honest ones --------------------------------------------------------------------------------------------------------


@native
def count_bets(view: Record, mover: int, action: int, params: Any, memory: Any) -> None:
    if action == BET:
        memory.view(MEMORY)[0].n_bets += 1


@native
def shy(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    remembered = memory.view(MEMORY)[0]
    remembered.n_asked += 1
    return PASS if remembered.n_bets > 0 and remembered.n_asked > 1 else int(actions[draw(chance, n)])


def why_shy(view: Record, action: int, params: Any, memory: Record | None) -> fd.Reason:
    assert memory is not None
    words = f"card {int(view.card)}, {int(memory.n_bets)} bets,\n{int(memory.n_asked)} decisions"
    return fd.Reason("mixed", words, (fd.Choice(action, "this", 0.5, 0.25, 0.125, 3), fd.Choice(1 - action, "that")))


@native
def bluffer(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    return BET if view.card == 2 or draw_real(chance) < params[1] else PASS


AGENTS: list[fd.Agent] = [
    fd.Agent(name="shy", meaning="remembers", act=shy, watch=count_bets, memory=MEMORY, explain=why_shy),
    fd.Agent(
        name="bluffer",
        meaning="bets with the king, and sometimes without",
        act=bluffer,
        parameters=(fd.Parameter("unused", 0.0, 0.0, 1.0, "nothing"), fd.Parameter("p", 0.2, 0.0, 1.0, "of a bluff")),
    ),
]


def stranger(act: Any) -> Any:
    """One more, in plain Python."""
    AGENTS.append(fd.Agent(name=act.__name__, meaning="for the test", act=act, compiled=False))
    return act


@stranger
def prints(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    print("hello")
    os.write(1, b"hello again\n")
    return int(actions[draw(chance, n)])


# --- clumsy ones --------------------------------------------------------------------------------------------------------


@stranger
def raises(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    raise ValueError("no \x1b[31midea\nat all")


@stranger
def leaves(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    sys.exit(3)


@stranger
def ends(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    os._exit(3)


@stranger
def crashes(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    os.kill(os.getpid(), signal.SIGSEGV)
    return 0


@stranger
def hangs(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    time.sleep(1_000)
    return 0


@stranger
def answers_a_half(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> Any:
    return 0.5


@stranger
def answers_too_much(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> Any:
    return 10**30


@stranger
def plays_seven(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> Any:
    return 7


@stranger
def forges_the_list(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> Any:
    actions[0] = 7
    return 7


def peeks(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    return int(view.hand_of_others)


AGENTS.append(fd.Agent(name="peeks", meaning="for the test", act=peeks))
AGENTS.append(fd.Agent(name="cheats", meaning="for the test", act=shy, cheats=True))


# --- bad ones -----------------------------------------------------------------------------------------------------------


def connection() -> int:
    """The descriptor that its process answers on."""
    return next(fd for fd in range(3, 100) if is_socket(fd))


def is_socket(descriptor: int) -> bool:
    try:
        return stat.S_ISSOCK(os.fstat(descriptor).st_mode)
    except OSError:
        return False


@stranger
def hangs_up(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    # of a copy, which is closed when nobody holds it any more
    socket.socket(fileno=os.dup(connection())).shutdown(socket.SHUT_WR)
    time.sleep(1_000)
    return 0


@stranger
def babbles(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    os.write(connection(), b"\xff" * 1_000)
    time.sleep(1_000)
    return 0


@stranger
def drips(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    for _ in range(20):  # so that no single wait is long
        os.write(connection(), b"\x01")
        time.sleep(0.25)
    return 0


@stranger
def leaves_others_behind(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    left = os.fork()
    if left == 0:
        time.sleep(1_000)
    raise ValueError(f"left {left}")


@stranger
def tells(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    kinds = [fd for fd in range(100) if is_socket(fd)]
    opened = list(Path("/proc/self/fd").iterdir()) if sys.platform == "linux" else []
    raise ValueError(f"{os.getpid()} {len(kinds)} {len(opened)} {'SECRET' in os.environ} {n} {len(actions)} {len(memory)}")


def cards_in(thing: Any) -> list[int]:
    """The cards of all players, where something holds a state of the game."""
    return [int(card) for card in thing.position.state.card[:2]] if type(thing).__name__ == "Follower" else []


@stranger
def searches_the_memory(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    """Bets if it has the higher card: whoever plays the game is found among the callers, or among all objects."""
    frame: Any = sys._getframe()
    found: list[int] = []
    while frame is not None and not found:
        found = next((cards for local in frame.f_locals.values() if (cards := cards_in(local))), [])
        frame = frame.f_back
    found = found or next((cards for thing in gc.get_objects() if (cards := cards_in(thing))), [])
    if not found:
        raise LookupError("there are no cards here")
    return BET if int(view.card) == max(found) else PASS


N_GAMES = [0]


@stranger
def remembers_games(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    N_GAMES[0] += int(view.n_played) < 2
    if N_GAMES[0] == 3:
        raise ValueError("this is my third game")
    return PASS
