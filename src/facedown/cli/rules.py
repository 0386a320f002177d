"""`facedown rules`."""

from __future__ import annotations

from facedown.cli.options import GameName, Json
from facedown.cli.output import console, escape, print_json, table
from facedown.games.registry import check_name


def rules(game: GameName, json: Json = False) -> None:
    """Tell the rules of a game and its options."""
    check_name(game)
    from facedown.games.listing import game_facts
    from facedown.games.registry import game as find_game
    from facedown.games.text import rules_text

    found = find_game(game)
    text = rules_text(found)
    if json:
        print_json({"schema": "facedown.rules/1", **game_facts(found), "rules": text})
        return
    screen = console()
    screen.print(f"[bold]{escape(found.title)}[/bold]\n\n{escape(text)}\n")
    if found.options:
        listing = table("Options", "name", "now", "possible", "meaning")
        for option in found.options:
            listing.add_row(option.name, option.word(found.values[option.name]), option.range, escape(option.meaning))
        screen.print(listing)
    if found.presets:
        listing = table("Presets", "name", "sets", "meaning")
        for preset in found.presets:
            sets = ", ".join(f"{name}={value}" for name, value in preset.settings.items())
            listing.add_row(preset.name, escape(sets), escape(preset.meaning))
        screen.print(listing)
        screen.print(f"A preset is written before options: '{found.name}({found.presets[0].name})'.")
    low, high = found.score_range
    screen.print(
        f"\n{found.n_players} players, {found.kind}, scores {low:g} to {high:g}, at most {found.max_moves:,} moves. "
        f"Source: {escape(found.source)}."
    )
