"""`facedown agents`."""

from __future__ import annotations

from facedown.cli.options import GameName, Json
from facedown.cli.output import print_json, show_table
from facedown.games.registry import check_name


def agents(game: GameName, json: Json = False) -> None:
    """List the agents that play a game, with their parameters."""
    check_name(game)
    from facedown.agents.listing import AgentListing, parameters_text
    from facedown.agents.registry import agents_for
    from facedown.games.registry import game as find_game

    rules = find_game(game)
    found = AgentListing(rules, list(agents_for(rules).values()))
    if json:
        print_json(found.to_dict())
        return
    rows = ((*found.row(agent)[:2], "\n".join(parameters_text(agent))) for agent in found)
    show_table(f"Agents of {rules}", found.columns, rows)
