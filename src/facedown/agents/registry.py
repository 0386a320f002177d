"""Which agents there are for a game, and how `mix(A=1,B=-0.5)` becomes one."""

from __future__ import annotations

import dataclasses
import importlib
from collections.abc import Iterable
from typing import Any

from facedown import plugins, specs
from facedown.agents.contract import Agent
from facedown.agents.human import human
from facedown.errors import FacedownError, UsageError, unknown
from facedown.games.contract import Game

GROUP = "facedown.agents"
TABLE = "table"
GENERIC = "facedown.agents.generic"
BUILT_IN = {"love_letter": "facedown.agents.love_letter", "rrrats": "facedown.agents.rrrats", "war": "facedown.agents.war"}
# where the agent `table` can play policies for summaries of views too: modules with a `read_table(file, game)`
TABLE_READERS = {"love_letter": "facedown.agents.love_letter_table"}


def agents_for(game: Game) -> dict[str, Agent]:
    """All agents that can play a game, by name: those for any game, its own, those in its file, those of plug-ins."""
    from facedown.agents.search import can_search, search
    from facedown.agents.table import LISTED

    found = _generic()
    found["human"] = human(game)
    found[LISTED.name] = LISTED
    if can_search(game):
        found["mcts"] = search(game)
    if not game.origin and game.name in BUILT_IN:
        module = importlib.import_module(BUILT_IN[game.name])
        found |= {agent.name: agent for agent in module.AGENTS}
        if hasattr(module, "agents"):  # those that depend on the options of the game
            found |= {agent.name: agent for agent in module.agents(game)}
    if game.origin:
        _, module, _ = plugins.load_path(game.origin, "GAME")
        file = game.origin.rpartition(":")[0]
        for name, agent in _agents_in(getattr(module, "AGENTS", ())):
            found[name] = dataclasses.replace(agent, origin=f"{file}:AGENTS.{name}")
    for point in plugins.entry_points(GROUP).values():
        try:
            offered = {name: agent for name, agent in _agents_in(plugins.load_entry(point)) if agent.game in {None, game.name}}
        except UsageError as problem:
            plugins.warn(f"the plug-in '{point.name}' ({point.value}) is broken: {problem}")
        except FacedownError as problem:
            plugins.warn(str(problem))
        else:
            for name in offered.keys() & found.keys():
                if offered[name] is not found[name]:
                    plugins.warn(f"the plug-in '{point.name}' ({point.value}) has another agent '{name}', which is passed over")
            found = offered | found
    return found


def _generic() -> dict[str, Agent]:
    return {agent.name: agent for agent in importlib.import_module(GENERIC).AGENTS}


def _agents_in(offered: Any) -> Iterable[tuple[str, Agent]]:
    if not isinstance(offered, Agent | Iterable):
        raise UsageError(f"there are no agents in it: it is a {type(offered).__name__}")
    for agent in [offered] if isinstance(offered, Agent) else offered:
        if not isinstance(agent, Agent):
            raise UsageError(f"an agent is a facedown.Agent, not a {type(agent).__name__}")
        yield agent.name, agent


def agent(name: str | Agent, game: Game) -> Agent:
    """The agent of this name for a game, with its parameters: `agent("mix(A=1)", war)`."""
    if isinstance(name, Agent):
        return _for_game(name, game)
    if not isinstance(name, str):
        raise UsageError(f"an agent is a name or an Agent, not {type(name).__name__}")
    words = name.strip()
    if words == TABLE or (words.startswith(f"{TABLE}(") and words.endswith(")")):
        # a file's name may have any letters in it, so what is in the brackets is not read any further
        return _for_game(_read_table(words[len(TABLE) + 1 : -1], game), game)
    read = specs.parse(name)
    if plugins.is_path(read.name):
        found = _at_path(read.name)
    else:
        # a match of uniform agents should not wait for searches and tables to be loaded; only a file can have its own uniform
        known = _generic()
        if read.name not in known or game.origin:
            known = agents_for(game)
        if read.name == "mcts" and read.name not in known:
            from facedown.agents.search import search

            search(game)  # says why not
        if read.name not in known:
            raise unknown(f"agent of {game.name}", read.name, known, "One in a file of your own is written ./myagent.py:AGENT.")
        found = known[read.name]
    found = _for_game(found, game)
    return found(*read.values, **dict(read.settings)) if read.values or read.settings else found


def _read_table(file: str, game: Game) -> Agent:
    """The agent that plays a policy file."""
    if game.name in TABLE_READERS and not game.origin:
        return importlib.import_module(TABLE_READERS[game.name]).read_table(file, game)  # type: ignore[no-any-return]
    from facedown.agents.table import table_from_file

    return table_from_file(file, game)


def _for_game(agent: Agent, game: Game) -> Agent:
    if agent.game not in {None, game.name}:
        raise UsageError(f"agent {agent.name} plays {agent.game}, not {game.name}")
    if agent.game_spec not in {"", game.spec}:
        raise UsageError(f"agent {agent.name} plays {agent.game_spec}, not {game.spec}: its table is for other options")
    return agent


def _at_path(name: str) -> Agent:
    """An agent in a file: `file.py:AGENT`, or `file.py:AGENTS.name` for one of several."""
    file, _, attribute = name.partition(".py:")
    listing, dot, wanted = (attribute or "AGENT").partition(".")
    found, _, origin = plugins.load_path(f"{file.removesuffix('.py')}.py:{listing}", "AGENT")
    if dot:
        try:
            known = dict(_agents_in(found))
        except UsageError as problem:
            raise UsageError(f"'{name}': {problem}") from None
        if wanted not in known:
            raise unknown(f"agent in {name}", wanted, known)
        found, origin = known[wanted], f"{origin}.{wanted}"
    if not isinstance(found, Agent):
        raise UsageError(f"'{name}' is not an agent: it is a {type(found).__name__}, not a facedown.Agent")
    return dataclasses.replace(found, origin=origin)
