"""`facedown games`."""

from __future__ import annotations

from facedown.cli.options import Json
from facedown.cli.output import console, escape, print_json, table


def games(json: Json = False) -> None:
    """List the games."""
    from facedown.games.listing import GameListing
    from facedown.games.registry import all_games

    found = GameListing(all_games())
    if json:
        print_json(found.to_dict())
        return
    listing = table("Games", *found.columns, "source")
    for game in found:
        listing.add_row(*map(escape, found.row(game)), escape(game.source))
    console().print(listing)
