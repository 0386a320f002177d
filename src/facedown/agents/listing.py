"""The listing of the agents of a game: `facedown.agents(game)`; the package is called itself, as `facedown.games` is."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any

from facedown.games.listing import Listing

if TYPE_CHECKING:
    from facedown.agents.contract import Agent
    from facedown.games.contract import Game


class AgentListing(Listing["Agent"]):
    """The agents that play a game."""

    columns = ("name", "what it does", "parameters (default, range)")

    def __init__(self, game: Game, agents: Sequence[Agent]):
        super().__init__(agents)
        self.game = game
        self.kind = f"agent of {game.name}"

    def row(self, item: Agent) -> tuple[str, ...]:
        """A row of the table."""
        name = f"{item.name} (cheats: sees everything)" if item.cheats else item.name
        return name, item.meaning, "; ".join(parameters_text(item))

    def to_dict(self) -> dict[str, Any]:
        """Everything that the agents declare, as JSON has it."""
        return {"schema": "facedown.agents/1", "game": str(self.game), "agents": [_agent_facts(agent) for agent in self]}


class AgentsPackage(ModuleType):
    """The package `facedown.agents`, which lists the agents of a game when it is called."""

    def __call__(self, game: str | Game) -> AgentListing:
        """All agents that play a game: those for any game, its own, those in its file, those of plug-ins.

        >>> import facedown as fd
        >>> fd.agents("war")["mix"](A=1)
        <Agent mix(A=1,B=0,C=0)>
        """
        from facedown.agents.registry import agents_for
        from facedown.games.registry import game as find_game

        found = find_game(game)
        return AgentListing(found, list(agents_for(found).values()))


def parameters_text(agent: Agent) -> list[str]:
    """The parameters in words, one after the other."""
    from facedown.agents.contract import number_text

    return [f"{p.name} ({number_text(p.default)}, {p.low:g} to {p.high:g}): {p.meaning}" for p in agent.parameters]


def _agent_facts(agent: Agent) -> dict[str, Any]:
    """What an agent declares, as JSON has it."""
    from facedown.pages import facts  # when it is asked for: the command line is to start quickly

    parameters = [facts(parameter, "name default low high meaning") for parameter in agent.parameters]
    return {**facts(agent, "name meaning cheats deterministic"), "parameters": parameters}
