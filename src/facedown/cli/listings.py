"""`facedown games`, `facedown agents` and `facedown rules`."""

from __future__ import annotations

import inspect
import sys
from typing import Any

from rich.markup import escape

from facedown.agents.contract import Agent, number_text
from facedown.agents.registry import agents_for
from facedown.cli.output import console, print_json, table
from facedown.games.contract import Game
from facedown.games.registry import all_games
from facedown.games.registry import game as find_game


def show_games(json: bool) -> None:
    """All installed games."""
    found = all_games()
    if json:
        print_json({"schema": "facedown.games/1", "games": [game_facts(game) for game in found]})
        return
    listing = table("Games", "name", "title", "players", "kind", "options", "source")
    for game in found:
        options = ", ".join(option.name for option in game.options)
        listing.add_row(game.name, game.title, _players(game), game.kind, options, escape(game.source))
    console().print(listing)


def _players(game: Game) -> str:
    option = next((option for option in game.options if option.name == "players"), None)
    return f"{option.low} to {option.high}" if option else str(game.n_players)


def game_facts(game: Game) -> dict[str, Any]:
    """What a game declares, as JSON has it."""
    return {
        "name": game.name,
        "title": game.title,
        "source": game.source,
        "players": game.n_players,
        "actions": game.n_actions,
        "longest": game.max_moves,
        "kind": game.kind,
        "scores": list(game.score_range),
        "perfect_recall": game.perfect_recall,
        "options": [
            {
                "name": o.name,
                "value": o.word(game.values[o.name]),
                "default": o.word(o.default),
                "range": o.range,
                "meaning": o.meaning,
            }
            for o in game.options
        ],
    }


def show_agents(spec: str, json: bool) -> None:
    """The agents of one game."""
    game = find_game(spec)
    found = agents_for(game)
    if json:
        print_json(
            {"schema": "facedown.agents/1", "game": str(game), "agents": [agent_facts(agent) for agent in found.values()]}
        )
        return
    listing = table(f"Agents of {game}", "name", "what it does", "parameters (default, range)")
    for agent in found.values():
        name = f"{agent.name} (cheats: sees everything)" if agent.cheats else agent.name
        parameters = "\n".join(
            f"{p.name} ({number_text(p.default)}, {p.low:g} to {p.high:g}): {p.meaning}" for p in agent.parameters
        )
        listing.add_row(name, escape(agent.meaning), escape(parameters))
    console().print(listing)


def agent_facts(agent: Agent) -> dict[str, Any]:
    """What an agent declares, as JSON has it."""
    return {
        "name": agent.name,
        "meaning": agent.meaning,
        "cheats": agent.cheats,
        "deterministic": agent.deterministic,
        "parameters": [
            {"name": p.name, "default": p.default, "low": p.low, "high": p.high, "meaning": p.meaning} for p in agent.parameters
        ],
    }


def show_rules(spec: str, json: bool) -> None:
    """The rules of one game, as its file tells them, and its options."""
    game = find_game(spec)
    text = rules_text(game)
    if json:
        print_json({"schema": "facedown.rules/1", **game_facts(game), "rules": text})
        return
    screen = console()
    screen.print(f"[bold]{escape(game.title)}[/bold]\n\n{escape(text)}\n")
    if game.options:
        listing = table("Options", "name", "now", "possible", "meaning")
        for option in game.options:
            listing.add_row(option.name, option.word(game.values[option.name]), option.range, escape(option.meaning))
        screen.print(listing)
    low, high = game.score_range
    screen.print(
        f"\n{game.n_players} players, {game.kind}, scores {low:g} to {high:g}, at most {game.max_moves:,} moves. "
        f"Source: {escape(game.source)}."
    )


def rules_text(game: Game) -> str:
    """The docstring of the file that holds the rules."""
    python = getattr(game.start, "py_func", game.start)
    return inspect.cleandoc(sys.modules[python.__module__].__doc__ or game.title)
