"""Which agents there are for a game, and how `mix(A=1,B=-0.5)` becomes one."""

from __future__ import annotations

import dataclasses
import importlib
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import EntryPoint
from typing import Any

from facedown import plugins, specs
from facedown.agents.contract import Agent
from facedown.agents.generic.human import human
from facedown.errors import FacedownError, UsageError, unknown
from facedown.games.contract import Game

GROUP = "facedown.agents"
TABLE, ISOLATED, SEARCH, OPTIMAL = "table", "isolated", "mcts", "optimal"
GENERIC = "facedown.agents.generic.basic"
BUILT_IN = {
    "cant_stop": "facedown.agents.cant_stop.agents",
    "goofspiel": "facedown.agents.goofspiel",
    "hanabi": "facedown.agents.hanabi.agents",
    "love_letter": "facedown.agents.love_letter.agents",
    "rrrats": "facedown.agents.rrrats",
    "war": "facedown.agents.war",
}
# agents of a game that have the name of one for any game: the source of Can't Stop calls its simplest player `first`
OF_THEIR_OWN = {("cant_stop", "first")}
Maker = Callable[[Game], Agent]
# by name only: solvers lie above agents, and most games have no exact solution to load them for
SOLVER = "facedown.solving.dynamic.agent"
# where the agent `table` can play policies for summaries of views too: modules with a `read_table(file, game)`
TABLE_READERS = {"love_letter": "facedown.agents.love_letter.table"}


def agents_for(game: Game) -> dict[str, Agent]:
    """All agents that can play a game, by name: those for any game, its own, those in its file, those of plug-ins."""
    found = {name: make(game) for name, make in _possible(game).items()}
    for point, offered in _offers(game):
        for name in offered.keys() & found.keys():
            if offered[name] is not found[name]:
                plugins.warn(f"the plug-in '{point.name}' ({point.value}) has another agent '{name}', which is passed over")
        found = offered | found
    return found


def own_agents(game: Game) -> list[Agent]:
    """The agents of a game's own that are ready to play it: those that come with it, or that stand in its file."""
    if game.origin:
        _, module, _ = plugins.load_path(game.origin, "GAME")
        return [agent for _, agent in _agents_in(getattr(module, "AGENTS", ()))]
    return list(importlib.import_module(BUILT_IN[game.name]).AGENTS) if game.name in BUILT_IN else []


def _makers(game: Game) -> dict[str, Maker]:
    """How each agent is made, but for those of plug-ins: their names are known before any of them is."""
    makers = _any_game() | {"human": human, TABLE: _listed(TABLE), ISOLATED: _listed(ISOLATED), SEARCH: _search}
    if game.perfect_information:
        makers[OPTIMAL] = lambda _: importlib.import_module(SOLVER).LISTED
    if not game.origin and game.name in BUILT_IN:
        module = importlib.import_module(BUILT_IN[game.name])
        makers |= _ready(module.AGENTS) | getattr(module, "MAKERS", {})  # these depend on the options of the game
    if game.origin:
        _, module, _ = plugins.load_path(game.origin, "GAME")
        file, beside = game.origin.rpartition(":")[0], _agents_in(getattr(module, "AGENTS", ()))
        makers |= _ready(dataclasses.replace(agent, origin=f"{file}:AGENTS.{name}") for name, agent in beside)
    return makers


def _possible(game: Game) -> dict[str, Maker]:
    """As `_makers`, without those that cannot play with these options: a search, an agent that knows one board only."""
    from facedown.agents.generic.mcts import can_search

    makers = {name: make for name, make in _makers(game).items() if make is not _search or can_search(game)}
    if not game.origin and game.name in BUILT_IN:
        for name, can_play in getattr(importlib.import_module(BUILT_IN[game.name]), "POSSIBLE", {}).items():
            if not can_play(game):
                del makers[name]
    return makers


def _ready(agents: Iterable[Agent]) -> dict[str, Maker]:
    return {agent.name: lambda _, agent=agent: agent for agent in agents}  # type: ignore[misc]


def _any_game() -> dict[str, Maker]:
    return _ready(importlib.import_module(GENERIC).AGENTS)


def _listed(name: str) -> Maker:
    """An agent that needs more than its name to play, as it is listed."""
    return lambda _: importlib.import_module(f"facedown.agents.generic.{name}").LISTED


def _search(game: Game) -> Agent:
    from facedown.agents.generic.mcts import search

    return search(game)


def _offers(game: Game) -> Iterator[tuple[EntryPoint, dict[str, Agent]]]:
    """What plug-ins have for a game, with a warning for each that is broken."""
    for point in plugins.entry_points(GROUP).values():
        try:
            offered = {name: agent for name, agent in _agents_in(plugins.load_entry(point)) if agent.game in {None, game.name}}
        except UsageError as problem:
            plugins.warn(f"the plug-in '{point.name}' ({point.value}) is broken: {problem}")
        except FacedownError as problem:
            plugins.warn(str(problem))
        else:
            yield point, offered


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
    if game.perfect_information and (words == OPTIMAL or (words.startswith(f"{OPTIMAL}(") and words.endswith(")"))):
        return _for_game(importlib.import_module(SOLVER).optimal(words, game), game)
    if found := _from_own_file(words, game):
        return _for_game(found, game)
    read = specs.parse(name)
    if read.name == ISOLATED:
        from facedown.agents.generic.isolated import isolated

        return isolated(words, game)  # what is in the brackets is found in another process, and not in this one
    found = _for_game(_at_path(read.name) if plugins.is_path(read.name) else _named(read.name, game), game)
    return found(*read.values, **dict(read.settings)) if read.values or read.settings else found


def _named(name: str, game: Game) -> Agent:
    """The agent of this name; no other is made."""
    # a match of uniform agents should not wait for those of the game to be loaded; only a file can have its own uniform
    makers = _any_game()
    if name not in makers or game.origin or (game.name, name) in OF_THEIR_OWN:
        makers = _makers(game)
    if name in makers:
        return makers[name](game)
    offered: dict[str, Agent] = {}
    for _, more in _offers(game):
        offered = more | offered
    if name not in offered:
        known = _possible(game).keys() | offered.keys()
        raise unknown(f"agent of {game.name}", name, known, "One in a file of your own is written ./myagent.py:AGENT.")
    return offered[name]


def _read_table(file: str, game: Game) -> Agent:
    """The agent that plays a policy file."""
    if game.name in TABLE_READERS and not game.origin:
        return importlib.import_module(TABLE_READERS[game.name]).read_table(file, game)  # type: ignore[no-any-return]
    from facedown.agents.generic.table import table_from_file

    return table_from_file(file, game)


def _from_own_file(words: str, game: Game) -> Agent | None:
    """An agent of a game that plays from a file of its own kind, `turn_exact(FILE)`, or None if none of these is meant."""
    name, bracket, rest = words.partition("(")
    if not bracket or not rest.endswith(")") or game.origin or game.name not in BUILT_IN:
        return None
    readers = getattr(importlib.import_module(BUILT_IN[game.name]), "READERS", {})
    return readers[name.strip()](rest[:-1].strip(), game) if name.strip() in readers else None


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
