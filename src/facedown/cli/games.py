"""`facedown games`."""

from __future__ import annotations

from facedown.cli.options import Json
from facedown.cli.output import print_json, show_table


def games(json: Json = False) -> None:
    """List the games."""
    from facedown.games.listing import GameListing
    from facedown.games.registry import all_games

    found = GameListing(all_games())
    if json:
        print_json(found.to_dict())
        return
    show_table("Games", (*found.columns, "source"), ((*found.row(game), game.source) for game in found))
