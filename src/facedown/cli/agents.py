"""`facedown agents`."""

from __future__ import annotations

from facedown.cli.options import GameName, Json
from facedown.cli.output import console, escape, print_json, table
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
    listing = table(f"Agents of {rules}", *found.columns)
    for agent in found:
        name, meaning, _ = found.row(agent)
        listing.add_row(escape(name), escape(meaning), escape("\n".join(parameters_text(agent))))
    console().print(listing)
