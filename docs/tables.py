"""Tables and listings that follow from what games, agents, the command line and the sources declare."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import numpy as np

import facedown as fd
from facedown.agents.contract import number_text
from facedown.agents.registry import agents_for
from facedown.games.position import Position
from facedown.games.registry import BUILT_IN
from facedown.native.records import fields_of

ROOT = Path(__file__).resolve().parents[1]
MOVES_LOOKED_AT = 400


def table(header: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A table in Markdown."""
    titles = list(header)
    lines = [titles, ["---"] * len(titles), *([str(cell).replace("|", "\\|") for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def find(game: str) -> fd.Game:
    """A game by its name or, relative to the repository, by its path."""
    return fd.game(str(ROOT / game) if ".py" in game else game)


# --- games ----------------------------------------------------------------------------------------------------------------


def games() -> str:
    """All built-in games."""
    rows = []
    for name in BUILT_IN:
        game = fd.game(name)
        options = ", ".join(f"`{option.name}`" for option in game.options)
        rows.append((f"[{name}](docs/games/{name}.md)", game.title, _players(game), game.kind, options))
    return table(("name", "title", "players", "kind", "options"), rows)


def _players(game: fd.Game) -> str:
    option = next((option for option in game.options if option.name == "players"), None)
    return f"{option.low} to {option.high}" if option else str(game.n_players)


def facts(name: str) -> str:
    """What a game declares, with its default options."""
    game = find(name)
    low, high = game.score_range
    rows = [
        ("players", game.n_players),
        ("actions", f"numbers below {game.n_actions}"),
        ("longest game", f"{game.max_moves:,} moves"),
        ("kind", game.kind if not game.score_total else f"{game.kind}: scores add up to {game.score_total:g}"),
        ("scores", f"{low:g} to {high:g}"),
        *([("perfect information", "yes: nothing is hidden")] if game.perfect_information else []),
        ("perfect recall", "yes: a view holds everything its player has seen" if game.perfect_recall else "no"),
        ("`imagine`", "exact: all states that fit a view, as likely as they are" if game.exact_imagine else "approximate"),
        *((f"column `{column.name}` of a match", column.meaning) for column in game.columns),
        ("source", game.source),
    ]
    return table(("fact", f"`{game}`"), rows)


def options(name: str) -> str:
    """The options of a game."""
    game = find(name)
    rows = [(f"`{o.name}`", o.word(o.default), o.range, o.meaning) for o in game.options]
    listing = table(("option", "default", "possible", "meaning"), rows)
    if not game.presets:
        return listing
    sets = [
        (f"`{p.name}`", ", ".join(f"`{name}={value}`" for name, value in p.settings.items()), p.meaning) for p in game.presets
    ]
    return f"{listing}\n\n{table(('preset', 'sets', 'meaning'), sets)}"


def state(name: str) -> str:
    """The fields of a game's state."""
    return _fields(find(name).state)


def view(name: str) -> str:
    """The fields of a game's view."""
    return _fields(find(name).view)


def _fields(kind: np.dtype[np.void]) -> str:
    rows = []
    for f in fields_of(kind):
        shape = " × ".join(map(str, f.shape))
        rows.append((f"`{f.name}`", f"{f.kind}{f' [{shape}]' if shape else ''}", f"{f.low} to {f.high}", f.meaning))
    return table(("field", "type", "range", "meaning"), rows)


def actions(name: str) -> str:
    """The actions of a game in all the words that they get, found by playing at random."""
    game, choices = find(name), random.Random(1)
    words: dict[int, dict[str, None]] = {}
    position, n_moves, n_games = Position(game), 0, 0
    while n_moves < MOVES_LOOKED_AT:
        position.sample(1, n_games)
        position.start()
        n_games += 1
        while not position.over and n_moves < MOVES_LOOKED_AT * n_games:
            legal = position.legal()
            for action in legal:
                words.setdefault(action, {})[position.action_name(action)] = None
            position.step(choices.choice(legal))
            n_moves += 1
    return table(("action", "in words"), [(action, " or ".join(words[action])) for action in sorted(words)])


# --- agents ---------------------------------------------------------------------------------------------------------------


def agents(name: str) -> str:
    """The agents that play a game."""
    rows = []
    for agent in agents_for(find(name)).values():
        parameters = "<br>".join(
            f"`{p.name}` = {number_text(p.default)}, {p.low:g} to {p.high:g}: {p.meaning}" for p in agent.parameters
        )
        rows.append((f"`{agent.name}`{' (cheats)' if agent.cheats else ''}", agent.meaning, parameters))
    return table(("agent", "what it does", "parameters"), rows)


# --- the command line, the sources ------------------------------------------------------------------------------------------


def commands() -> str:
    """The commands of the program, with the first line of their help."""
    import typer

    from facedown.cli.main import app

    group = typer.main.get_group(app)
    shown = {name: command for name, command in group.commands.items() if not command.hidden}
    rows = [(f"`facedown {name}`", (command.help or "").splitlines()[0]) for name, command in shown.items()]
    return table(("command", "what it does"), rows)


def benchmark(title: str) -> str:
    """The table of the benchmarks whose title begins so, as they were last run and written down."""
    lines = (ROOT / "benchmarks" / "results.md").read_text(encoding="utf-8").splitlines()
    head = next((at for at, line in enumerate(lines) if line.startswith(f"## {title}")), None)
    if head is None:
        raise SystemExit(f"benchmarks/results.md has no table '{title}'; run: python benchmarks/run.py")
    first = next(at for at, line in enumerate(lines) if at > head and line.startswith("|"))
    last = next((at for at, line in enumerate(lines) if at > first and not line.startswith("|")), len(lines))
    return "\n".join(lines[first:last])


def source(file: str, *names: str) -> str:
    """The text of functions and tables in a source file, by name; "imports" for all that stands before them."""
    text = (ROOT / file).read_text(encoding="utf-8")
    lines, found = text.splitlines(), dict[str, list[str]]()
    body = ast.parse(text).body
    imports = [node for node in body if isinstance(node, ast.Import | ast.ImportFrom)]
    found["imports"] = lines[imports[0].lineno - 1 : imports[-1].end_lineno]
    for node in body:
        first = min([node.lineno, *(mark.lineno for mark in getattr(node, "decorator_list", []))])
        targets = [target.id for target in getattr(node, "targets", []) if isinstance(target, ast.Name)]
        for name in [*targets, *([node.name] if isinstance(node, ast.FunctionDef | ast.ClassDef) else [])]:
            found[name] = lines[first - 1 : node.end_lineno]
    missing = [name for name in names if name not in found]
    if missing:
        raise SystemExit(f"{file} has no {', '.join(missing)}")
    parts = [found[names[0]]]
    for before, name in pairwise(names):
        together = found[before][0].startswith(f"{before} =") and found[name][0].startswith(f"{name} =")
        parts += [found[name]] if together else [["", ""], found[name]]
    return "\n".join(["```python", *(line for part in parts for line in part), "```"])
