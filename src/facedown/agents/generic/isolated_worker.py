"""The process of an `isolated` agent: it loads the agent, and answers questions until nobody is there to ask any more.

It is started as a new program, so nothing of the memory of whoever asks is in it. Its only connection is the socket that
comes as standard input; `isolated_wire.py` has the words.
"""

from __future__ import annotations

import json
import operator
import os
import select
import socket
import sys
import threading
from typing import Any

import numpy as np

from facedown.agents.contract import Agent
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
    send_json,
)
from facedown.agents.player import failure
from facedown.agents.reasons import Reason
from facedown.errors import AgentError, CompileError, FacedownError, UsageError
from facedown.games.contract import Game
from facedown.native.chance import CHANCE, SAMPLE
from facedown.native.jit import Part, compile_now, compiling, explained, read_only_array
from facedown.native.records import Record, blank

_ACTION_BYTES = 8
_LARGEST_ACTION = 2**63 - 1


def serve() -> None:
    """Load what the first text names, say what it is, answer."""
    channel = _take_over()
    hello = receive_json(channel)
    try:
        desk = _Desk(channel, *_load(str(hello["game"]), str(hello["agent"])))
    except FacedownError as problem:
        send_json(channel, {"problem": str(problem), "kind": type(problem).__name__})
        return
    send_json(channel, desk.facts())
    try:
        while True:
            desk.answer()
    except (EOFError, OSError):  # whoever asked has gone
        return


def _take_over() -> socket.socket:
    """The socket that came as standard input, out of reach of an agent that reads from there or prints."""
    channel = socket.socket(fileno=os.dup(0))
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(2 if sys.stderr is not None else nothing, 1)
    os.close(nothing)
    sys.stdout = sys.stderr  # line by line, as errors are
    threading.Thread(target=_end_with, args=(channel.fileno(),), daemon=True).start()
    return channel


def _end_with(connection: int) -> None:
    """Leave when the other side has gone, also in the middle of a thought."""
    poll = select.poll()
    poll.register(connection, 0)  # hanging up is reported in any case, and nothing else is asked for
    poll.poll()
    os._exit(0)


def _load(game_spec: str, agent_spec: str) -> tuple[Game, Agent]:
    from facedown.agents.generic.human import is_human
    from facedown.agents.registry import agent as find_agent
    from facedown.games.registry import game as find_game

    game = find_game(game_spec)
    agent = find_agent(agent_spec, game)
    if agent.cheats:
        raise UsageError(
            f"agent {agent.name} cheats: it wants the whole state, and a process of its own is given views and nothing else; "
            f"play it without isolated(...)"
        )
    if is_human(agent):
        raise UsageError("a person cannot be isolated: the terminal is not there in a process of its own")
    return game, agent


class _Desk:
    """An agent, and room for what it is asked."""

    def __init__(self, channel: socket.socket, game: Game, agent: Agent):
        self._channel, self._agent = channel, agent
        self._views = blank(game.view)
        self._view: Record = self._views[0]
        self._params = read_only_array(agent.params)
        n_memory, n_public = (kind.itemsize if kind else 0 for kind in (agent.memory, agent.public))
        self._kept = blank(np.uint8, n_memory + n_public)
        self._memory, self._public = self._kept[:n_memory], self._kept[n_memory:]
        self._chance: Record = np.zeros(1, CHANCE)[0]
        self._chance.mode = SAMPLE
        self._compile(game)

    def _compile(self, game: Game) -> None:
        """Now, so that no decision has to wait for it."""
        agent = self._agent
        if not agent.compiled:
            return
        actions = read_only_array(np.zeros(1, np.int64))
        given = (game.view, actions, 0, self._params, self._memory, *self._read_public(), CHANCE)
        part = Part(f"{agent.name} for {game.name}, asked one by one", agent.seconds, (agent.act,))
        with compiling(part), explained(f"agent {agent.name}", sees="players cannot see"):
            compile_now(agent.act, *given)
            if agent.begin is not None:
                compile_now(agent.begin, game.view, self._params, self._memory, CHANCE, returns=False)
            if agent.watch is not None:
                compile_now(agent.watch, game.view, 0, 0, self._params, *self._told(CHANCE), returns=False)

    def _read_public(self) -> tuple[Any, ...]:
        return (read_only_array(self._public),) if self._agent.public else ()

    def _told(self, chance: Any) -> tuple[Any, ...]:
        """What `watch` is given to write to."""
        if self._agent.public is not None:
            return (self._public,)
        return (self._memory, chance) if self._agent.watch_draws else (self._memory,)

    def facts(self) -> dict[str, Any]:
        """What the other side has to know of an agent that it has never seen."""
        agent = self._agent
        return {
            "name": agent.name,
            "text": str(agent),
            "meaning": agent.meaning,
            "memory": len(self._memory),
            "public": len(self._public),
            "begins": agent.begin is not None,
            "watches": agent.watch is not None,
            "draws_when_told": agent.watch_draws,
            "explains": agent.explain is not None,
            "deterministic": agent.deterministic,
        }

    def answer(self) -> None:
        """One question."""
        kind, first, second, s0, s1 = QUESTION.unpack(receive(self._channel, QUESTION.size))
        n_actions = first if kind == ASK else 0
        n_view, n_kept = self._views.nbytes, len(self._kept)
        content = np.frombuffer(receive(self._channel, n_view + _ACTION_BYTES * n_actions + n_kept), np.uint8)
        self._views.view(np.uint8)[:] = content[:n_view]
        self._kept[:] = content[len(content) - n_kept :]
        self._chance.s0, self._chance.s1 = s0, s1
        try:
            if kind == ASK:
                actions = content[n_view : n_view + _ACTION_BYTES * n_actions].copy().view(np.int64)
                self._reply(CHOSEN, self._choose(actions))
            elif kind == TELL:
                agent, movement = self._agent, (np.int64(first), np.int64(second))
                self._run(agent.watch, self._view, *movement, self._params, *self._told(self._chance))
                self._reply(HEARD, 0)
            elif kind == BEGIN:
                self._run(self._agent.begin, self._view, self._params, self._memory, self._chance)
                self._reply(HEARD, 0)
            elif kind == EXPLAIN:
                self._say(EXPLAINED, self._reason(first))
        except CompileError as problem:
            self._say(NOT_COMPILED, str(problem))
        except FacedownError as problem:
            self._say(FAILED, str(problem))

    def _choose(self, actions: np.ndarray[Any, Any]) -> int:
        own = (self._params, self._memory, *self._read_public(), self._chance)
        answer = self._run(self._agent.act, self._view, read_only_array(actions), len(actions), *own)
        try:
            chosen = operator.index(answer)
        except TypeError:
            raise AgentError(f"agent {self._agent.name} answered {answer!r}, which is not a whole number") from None
        if abs(chosen) > _LARGEST_ACTION:
            raise AgentError(f"agent {self._agent.name} played {chosen}, which is not legal")
        return chosen

    def _reason(self, action: int) -> str:
        agent = self._agent
        assert agent.explain is not None
        memory = self._memory.view(agent.memory)[0] if agent.memory else None
        public = (self._public.view(agent.public)[0],) if agent.public else ()
        found = self._run(agent.explain, self._view, action, self._params, memory, *public)
        if not isinstance(found, Reason):
            raise AgentError(f"agent {agent.name} explains itself with {found!r}, which is no Reason")
        return json.dumps(found.to_dict())

    def _run(self, function: Any, *arguments: Any) -> Any:
        """Call the agent; whatever it raises becomes the sentence that it would be in the same process."""
        try:
            return function(*arguments)
        except FacedownError:
            raise
        except BaseException as problem:  # also SystemExit: the connection must outlive it
            raise failure(self._agent, problem) from problem

    def _reply(self, kind: int, action: int) -> None:
        head = ANSWER.pack(kind, action, int(self._chance.s0), int(self._chance.s1))
        self._channel.sendall(head + self._kept.tobytes())

    def _say(self, kind: int, text: str) -> None:
        content = text.encode(errors="replace")[:LONGEST_TEXT]
        self._channel.sendall(ANSWER.pack(kind, len(content), 0, 0) + content)
