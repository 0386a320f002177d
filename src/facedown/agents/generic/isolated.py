"""The agent `isolated(AGENT)`: a stranger's agent in a process of its own, which gets views and nothing else.

The file of the agent is loaded there (`isolated_worker.py`) and never here; what comes back is not trusted
(`isolated_child.py`), and an action is checked as everybody's is. What such a process can still do, and what it cannot, is
told in docs/threat-model.md.
"""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from facedown import plugins, specs
from facedown.agents.contract import Agent, Parameter, number_text
from facedown.agents.generic.isolated_child import LONGEST_REASON, LONGEST_SENTENCE, Child, printable
from facedown.agents.generic.isolated_wire import ASK, BEGIN, EXPLAIN, FAILED, NOT_COMPILED, TELL
from facedown.agents.reasons import Choice, Reason
from facedown.errors import AgentError, CompileError, UsageError
from facedown.games.contract import NATIVE_FUNCTIONS, Game
from facedown.games.registry import game as find_game
from facedown.native.chance import SAMPLE
from facedown.native.records import Record

NAME = "isolated"
MAX_OPTIONS = 1_000
_NUMBERS = ("value", "stderr", "probability")
MEANING = "an agent in a process of its own, isolated(AGENT): it is given views and nothing else; slower"
NO_AGENT = "isolated runs an agent in a process of its own: name it, as in isolated(./stranger.py:AGENT)"

PARAMETERS = (Parameter("seconds", 60.0, 0.001, 86_400.0, "the longest time for a decision"),)


@dataclass(frozen=True, eq=False, kw_only=True)
class IsolatedAgent(Agent):
    """An agent whose functions run elsewhere. Its one parameter is the time limit; its own are set inside the brackets."""

    child: Child
    inside: str
    """What is in the brackets, so that it is found from any directory."""

    def __post_init__(self) -> None:
        facts = self.child.facts
        object.__setattr__(self, "act", self._act)
        watch = self._watch_public if facts.public else self._watch_drawing if facts.draws_when_told else self._watch
        object.__setattr__(self, "begin", self._begin if facts.begins else None)
        object.__setattr__(self, "watch", watch if facts.watches else None)
        object.__setattr__(self, "explain", self._explain if facts.explains else None)
        super().__post_init__()

    def __str__(self) -> str:
        return self._written(self.child.facts.text)

    @property
    def spec(self) -> str:
        """The text that finds this very agent again, in another process too."""
        return self._written(self.inside)

    def _written(self, inside: str) -> str:
        seconds = self.values["seconds"]
        return f"{NAME}({inside}{f',seconds={number_text(seconds)}' if seconds != PARAMETERS[0].default else ''})"

    def _act(self, view: Record, actions: Any, n: int, params: Any, memory: Any, *rest: Any) -> int:
        *public, chance = rest
        if chance.mode != SAMPLE and not self.deterministic:
            raise AgentError(f"agent {self.name} is isolated: what it draws cannot be enumerated or recorded")
        body = view.tobytes() + actions[:n].tobytes() + memory.tobytes() + b"".join(record.tobytes() for record in public)
        question = (ASK, n, 0, int(chance.s0), int(chance.s1))
        action, chance.s0, chance.s1, kept = self._answer(question, body, params[0])
        if len(memory):  # without memory there is nothing to write to
            memory[:] = kept[: len(memory)]
        return action

    def _begin(self, view: Record, params: Any, memory: Any, chance: Record) -> None:
        self._tell((BEGIN, 0, 0), view, params, memory, chance)

    def _watch(self, view: Record, mover: int, action: int, params: Any, memory: Any) -> None:
        self._tell((TELL, int(mover), int(action)), view, params, memory, None)

    def _watch_drawing(self, view: Record, mover: int, action: int, params: Any, memory: Any, chance: Record) -> None:
        self._tell((TELL, int(mover), int(action)), view, params, memory, chance)

    def _watch_public(self, view: Record, mover: int, action: int, params: Any, public: Any) -> None:
        body = view.tobytes() + bytes(self.child.facts.memory) + public.tobytes()
        *_, kept = self._answer((TELL, int(mover), int(action), 0, 0), body, params[0])
        public[:] = kept[self.child.facts.memory :]

    def _tell(self, what: tuple[int, int, int], view: Record, params: Any, memory: Any, chance: Record | None) -> None:
        s0, s1 = (0, 0) if chance is None else (int(chance.s0), int(chance.s1))
        body = view.tobytes() + memory.tobytes() + bytes(self.child.facts.public)
        _, s0, s1, kept = self._answer((*what, s0, s1), body, params[0])
        if len(memory):
            memory[:] = kept[: len(memory)]
        if chance is not None:
            chance.s0, chance.s1 = s0, s1

    def _explain(self, view: Record, action: int, params: Any, memory: Record | None, public: Record | None = None) -> Reason:
        body = view.tobytes() + b"".join(record.tobytes() for record in (memory, public) if record is not None)
        kind, *_, text = self.child.ask((EXPLAIN, action, 0, 0, 0), body, self.values["seconds"])
        self._check(kind, text)
        try:
            return _cleaned(json.loads(text))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise AgentError(f"agent {self.name} explains itself with something that is no Reason") from None

    def _answer(self, question: tuple[int, int, int, int, int], body: bytes, seconds: float) -> tuple[int, int, int, Any]:
        kind, action, s0, s1, content = self.child.ask(question, body, float(seconds))
        self._check(kind, content)
        return action, s0, s1, np.frombuffer(content, np.uint8)

    def _check(self, kind: int, content: bytearray) -> None:
        if kind in {FAILED, NOT_COMPILED}:
            problem = printable(content.decode(errors="replace"), LONGEST_SENTENCE)
            raise (CompileError if kind == NOT_COMPILED else AgentError)(problem)


def _cleaned(told: dict[str, Any]) -> Reason:
    """A stranger's reason: words without what a terminal would obey, and numbers that are some."""
    words = [printable(line, LONGEST_REASON) for line in str(told["words"])[:LONGEST_REASON].splitlines()]
    options = []
    for option in told["options"][:MAX_OPTIONS]:
        numbers = {name: None if (number := option[name]) is None else float(number) for name in _NUMBERS}
        count = None if option["count"] is None else int(option["count"])
        name = printable(str(option["name"]), LONGEST_SENTENCE)
        options.append(Choice(int(option["action"]), name, count=count, **numbers))
    return Reason(told["kind"], "\n".join(words), tuple(options))


def isolated(words: str, game: Game) -> Agent:
    """The agent for a text like `isolated(AGENT)` or `isolated(AGENT,seconds=5)`."""
    read = specs.parse(words)
    if not read.values:
        raise UsageError(NO_AGENT)
    inside, *numbers = read.values
    if specs.parse(inside).name == NAME:
        raise UsageError(f"'{words}': it is isolated already; once is enough")
    limit = LISTED(*numbers, **dict(read.settings)).values  # what is wrong with it is said before a process is started
    _check_found_elsewhere(game)
    child = Child(game.spec, inside)
    facts = child.facts
    memory, public = (
        np.dtype((Record, [("octets", np.uint8, (size,))])) if size else None for size in (facts.memory, facts.public)
    )
    return IsolatedAgent(
        name=facts.name,
        meaning=facts.meaning,
        act=_no_agent,  # until it knows its process
        game=game.name,
        game_spec=game.spec,
        parameters=PARAMETERS,
        values=limit,
        memory=memory,
        public=public,
        compiled=False,
        deterministic=facts.deterministic,
        child=child,
        inside=_from_anywhere(inside),
    )


def _check_found_elsewhere(game: Game) -> None:
    """Make sure that another process will find this very game by its name."""
    try:
        found = find_game(game.spec)
    except UsageError:
        found = None
    if found is None or any(getattr(found, name) is not getattr(game, name) for name in NATIVE_FUNCTIONS):
        raise UsageError(
            f"{game.name} is known to this process only, so nobody can play it in another; put it into a file and name it "
            f"./file.py:GAME"
        )


def _from_anywhere(inside: str) -> str:
    """The text of an agent with the whole path of its file, without a look into the file."""
    table, bracket, file = inside.partition("(")
    if table == "table" and bracket:
        return f"table({Path(file[:-1].strip()).expanduser().absolute()})"
    read = specs.parse(inside)
    if not plugins.is_path(read.name):
        return str(read)
    return str(dataclasses.replace(read, name=str(Path(read.name).expanduser().absolute())))


def _no_agent(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    raise UsageError(NO_AGENT)


LISTED = Agent(name=NAME, meaning=MEANING, act=_no_agent, compiled=False, parameters=PARAMETERS)
"""How it is listed; to play, it needs an agent."""
