"""The other side of `isolated` agents: starting the process of a stranger, asking it, ending it.

It is a new program, not a copy of this one: it has neither this one's memory, nor its open files, nor its environment but
for a few variables. What comes back is not trusted: names and sentences are cleaned, lengths and times are bounded.
"""

from __future__ import annotations

import contextlib
import ctypes
import dataclasses
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from facedown import specs
from facedown.agents.contract import number_text
from facedown.agents.generic.isolated_wire import (
    ANSWER,
    ASK,
    BEGIN,
    CHOSEN,
    EXPLAIN,
    EXPLAINED,
    FAILED,
    HEARD,
    LONGEST_TEXT,
    NOT_COMPILED,
    QUESTION,
    TELL,
    receive,
    receive_json,
    send,
    send_json,
)
from facedown.errors import AgentError, CompileError, UsageError

START_SECONDS = 600.0
"""For loading and compiling; a decision has the parameter `seconds`."""
MAX_MEMORY = 1 << 30
LONGEST_NAME, LONGEST_SENTENCE, LONGEST_REASON = 200, 1_000, 20_000

# all that a Python needs to run as this one does; tokens and passwords that others keep in the environment stay here
_VARIABLES = {
    "DYLD_LIBRARY_PATH",
    "FACEDOWN_CACHE",
    "HOME",
    "LANG",
    "LD_LIBRARY_PATH",
    "PATH",
    "TMPDIR",
    "TZ",
    "VIRTUAL_ENV",
    "XDG_CACHE_HOME",
}
_VARIABLES_BEGIN = ("LC_", "MKL_", "NUMBA_", "OMP_", "OPENBLAS_", "PYTHON")

_PROGRAM = """
import sys
if {root!r} not in sys.path:
    sys.path.insert(0, {root!r})
from facedown.agents.generic.isolated_worker import serve
serve()
"""


@dataclass(frozen=True)
class Facts:
    """What an agent in another process says of itself."""

    name: str
    text: str
    meaning: str
    memory: int
    public: int
    begins: bool
    watches: bool
    draws_when_told: bool
    explains: bool
    deterministic: bool

    @classmethod
    def of(cls, told: dict[str, Any]) -> Facts:
        """Cleaned and checked; ValueError where it cannot be."""
        for field in dataclasses.fields(cls):
            if type(told.get(field.name)).__name__ != field.type:
                raise ValueError(f"'{field.name}' is {told.get(field.name)!r}")
        for what in ("memory", "public"):
            if not 0 <= told[what] <= MAX_MEMORY:
                raise ValueError(f"a memory of {told[what]} bytes")
        words = {name: printable(told[name], LONGEST_NAME) for name in ("name", "text")}
        words["meaning"] = printable(told["meaning"], LONGEST_SENTENCE)
        specs.check_name("an agent", words["name"])
        return cls(**{field.name: told[field.name] for field in dataclasses.fields(cls)} | words)


def printable(text: str, longest: int) -> str:
    """A stranger's words on one line, without codes that a terminal would obey."""
    shown = "".join(letter if letter.isprintable() else " " for letter in text[: longest + 1])
    return shown if len(shown) <= longest else f"{shown[: longest - 3]}..."


class Child:
    """The process of one agent. It ends with this object; after an interruption it is started anew, after a fault never."""

    def __init__(self, game: str, agent: str):
        self._game, self._agent, self._directory = game, agent, Path.cwd()
        self._name = agent
        self._turns = threading.Lock()  # a race may play the same agent in several threads
        self._channel: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._end: Any = None
        self._owner = 0
        self._fault = ""
        self.facts = self._start()
        self._name = self.facts.name

    def ask(
        self, question: tuple[int, int, int, int, int], body: bytes, seconds: float
    ) -> tuple[int, int, int, int, bytearray]:
        """Send a question; its answer in numbers, and the memory or the text behind it."""
        with self._turns:
            if self._fault:  # the other games of a match need not wait as long again to hear the same
                raise AgentError(self._fault)
            if self._channel is None or self._owner != os.getpid():
                self._start_again()
            with self._speaking(seconds, "for a decision") as deadline:
                return self._exchange(question, body, deadline)

    def _start_again(self) -> None:
        if self._start() != self.facts:
            self.close()
            self._fault = f"agent {self._name} is another one now: its file was changed while it was played; name it again"
            raise AgentError(self._fault)

    def _exchange(
        self, question: tuple[int, int, int, int, int], body: bytes, deadline: float
    ) -> tuple[int, int, int, int, bytearray]:
        assert self._channel is not None
        send(self._channel, QUESTION.pack(*question) + body, deadline)
        kind, value, s0, s1 = ANSWER.unpack(receive(self._channel, ANSWER.size, deadline))
        wanted = {ASK: CHOSEN, TELL: HEARD, BEGIN: HEARD, EXPLAIN: EXPLAINED}[question[0]]
        if kind not in {wanted, FAILED, NOT_COMPILED}:
            raise ValueError(f"an answer of kind {kind}")
        length = self.facts.memory + self.facts.public if kind in {CHOSEN, HEARD} else value
        if kind not in {CHOSEN, HEARD} and not 0 <= length <= LONGEST_TEXT:
            raise ValueError(f"a text of {length} bytes")
        return kind, value, s0, s1, receive(self._channel, length, deadline)

    @contextlib.contextmanager
    def _speaking(self, seconds: float, what: str) -> Iterator[float]:
        """Until a deadline. Whatever goes wrong ends the process: nobody knows what it would say next."""
        try:
            yield time.monotonic() + seconds
        except TimeoutError:
            fault = (
                f"agent {self._name} took more than {number_text(seconds)} s {what}, and its process was ended; "
                f"isolated({self._agent},seconds=...) gives it longer"
            )
        except (EOFError, ConnectionError):
            fault = f"agent {self._name} {self._death()}"
        except ValueError as problem:
            said = printable(str(problem), LONGEST_NAME)
            fault = f"the process of agent {self._name} does not answer as agreed: {said}"
        except BaseException:
            self.close()
            raise
        else:
            return
        self.close()
        self._fault = fault
        raise AgentError(fault)

    def _death(self) -> str:
        """How the process ended that has just hung up."""
        assert self._process is not None
        try:
            code = self._process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            return "closed its connection, and its process was ended"
        signals = {number.value: number.name for number in signal.Signals}
        how = f"was killed by {signals.get(-code, -code)}" if code < 0 else f"ended by itself with exit code {code}"
        return f"is gone: its process {how}"

    def _start(self) -> Facts:
        if not hasattr(socket, "AF_UNIX"):
            raise UsageError("isolated needs sockets between processes, which this system does not have")
        hide_memory()
        ours, theirs = socket.socketpair()
        root = str(Path(__file__).resolve().parents[2])
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", _PROGRAM.format(root=root)],
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                env={key: value for key, value in os.environ.items() if _is_passed_on(key)},
                cwd=self._directory,
                start_new_session=True,  # no Ctrl-C, no terminal, and all that it starts itself can be ended with it
            )
        except OSError as problem:
            ours.close()
            raise AgentError(f"no process can be started for agent {self._agent}: {problem.strerror}") from None
        finally:
            theirs.close()
        self._channel, self._owner = ours, os.getpid()
        self._end = weakref.finalize(self, _end, self._process, ours, self._owner)
        with self._speaking(START_SECONDS, "to be loaded") as deadline:
            send_json(ours, {"game": self._game, "agent": self._agent}, deadline)
            told = receive_json(ours, deadline)
            facts = None if "problem" in told else Facts.of(told)
        if facts is None:
            self.close()
            kind = CompileError if told.get("kind") == "CompileError" else UsageError
            raise kind(printable(str(told["problem"]), LONGEST_SENTENCE))
        return facts

    def close(self) -> None:
        """End the process, and all that it has started, if they are there."""
        if self._end is not None:
            self._end()
        self._channel = self._process = None


def _is_passed_on(variable: str) -> bool:
    return variable in _VARIABLES or variable.startswith(_VARIABLES_BEGIN)


def _end(process: subprocess.Popen[bytes], channel: socket.socket, owner: int) -> None:
    channel.close()
    if os.getpid() != owner:  # a copy of this process by fork: it is not its child
        return
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def hide_memory() -> None:
    """Make the memory of this process unreadable for other processes of the same user, where the system can (Linux)."""
    if sys.platform == "linux":
        no_dumps = 4  # PR_SET_DUMPABLE: without it, /proc/PID/mem and ptrace are the superuser's
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(no_dumps, 0, 0, 0, 0)
