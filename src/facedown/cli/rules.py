"""`facedown rules`."""

from __future__ import annotations

from facedown.cli.options import GameName, Json
from facedown.cli.output import console, escape, print_json, show_table
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
        rows = [(one.name, one.word(found.values[one.name]), one.range, one.meaning) for one in found.options]
        show_table("Options", ("name", "now", "possible", "meaning"), rows)
    if found.presets:
        sets = [", ".join(f"{name}={value}" for name, value in preset.settings.items()) for preset in found.presets]
        presets = [(preset.name, told, preset.meaning) for preset, told in zip(found.presets, sets, strict=True)]
        show_table("Presets", ("name", "sets", "meaning"), presets)
        screen.print(f"A preset is written before options: '{found.name}({found.presets[0].name})'.")
    low, high = found.score_range
    screen.print(
        f"\n{found.n_players} players, {found.kind}, scores {low:g} to {high:g}, at most {found.max_moves:,} moves. "
        f"Source: {escape(found.source)}."
    )
