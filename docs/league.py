"""The league of Hanabi on its page: figures that take long to measure, played once and written down.

    python docs/league.py                            measures what is missing in docs/games/hanabi-league.json
    python docs/league.py lookahead                  measures the cells of an agent again
    python docs/league.py lookahead --games 2000     with another number of games
    python docs/league.py --take FILE --seconds 0.7  takes over what `facedown match ... --json` has printed, with the seconds
                                                     of one core that a game takes on an idle machine
    python docs/league.py --passages                 measures the passages of the full profile again
    python docs/league.py --races                    runs the races of `adaptive` again, beside all that it knows

Then `python docs/generate.py` puts them on the page. Cells are kept one by one, so that it can be stopped and go on.
"""

from __future__ import annotations

import argparse
import json
import math
import textwrap
from pathlib import Path
from typing import Any

from sessions import WIDTH
from tables import ROOT, table

from facedown.agents.hanabi.conventions import CONVENTIONS
from facedown.arena.match import match
from facedown.files import write_whole
from facedown.games.registry import game as find_game
from facedown.papers.hanabi_2020 import beyond, league
from facedown.papers.hanabi_2020.results import PLAYERS
from facedown.papers.laboratory import Laboratory, Profile
from facedown.racing.race import race

FILE = ROOT / "docs" / "games" / "hanabi-league.json"
SEED = 2026
"""No setting of any agent was chosen on its deals."""
RACES: dict[str, Any] = {"method": "settle", "points": 0.1, "delta": 0.001, "seed": 701}
PASSAGES = {passage.id: passage for passage in (*beyond.PASSAGES, *league.PASSAGES) if passage.id != "hanabi-league"}


def kept() -> dict[str, Any]:
    """What has been measured so far."""
    if not FILE.exists():
        return {"cells": [], "passages": {}, "races": []}
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def cells() -> league.Cells:
    """The cells of the table."""
    facts = [dict(cell) for cell in kept()["cells"]]
    return {(cell.pop("agent"), cell.pop("players"), cell.pop("bomb")): league.Cell(**cell) for cell in facts}


def hanabi_league() -> str:
    """The table of all teams, for the page."""
    others = {f"{agent} {cell.seed}" for (agent, _, _), cell in cells().items() if cell.seed != SEED}
    return _block(f"{league.league_table(cells())}\nSeed {'; '.join([str(SEED), *sorted(others)])}.")


def passage(name: str) -> str:
    """A passage of the paper, as the full profile has measured it."""
    return _block(kept()["passages"][name])


def _block(text: str) -> str:
    """Tables as they are, sentences and commands in lines of a page."""
    lines = (line if "  " in line.strip() else textwrap.fill(line, WIDTH, break_on_hyphens=False) for line in text.splitlines())
    return "\n".join(["```text", *lines, "```"])


def partner_races() -> str:
    """Who is the better partner, `adaptive` or another agent: the races, the closest first, and the command of that one."""
    found = sorted(kept()["races"], key=lambda one: float(one["difference"]))
    rows = [
        (f"`{one['against']}`", one["meaning"], f"{one['difference']:.2f} ± {one['stderr']:.2f}", f"{one['games']:,}")
        for one in found
    ]
    return f"{table(('against', 'shown', '`adaptive` scores more by', 'games'), rows)}\n\n    {found[0]['repeat']}"


def measure(again: str | None, games: int | None) -> None:
    """Play what is missing, cell by cell."""
    known = {key: cell for key, cell in cells().items() if key[0] != again}
    for agent in league.AGENTS if again is None else (again,):
        for n_players in PLAYERS:
            results: dict[str, Any] = {}
            for bomb in (league.KEEP, league.ZERO):
                key = (agent, n_players, bomb)
                if key in known:
                    continue
                plays = league.KEEP if agent in league.HEEDLESS else bomb
                if plays not in results:
                    n_games = games or league.sizes_of(agent).full
                    results[plays] = match(league.game_of(n_players, plays), [agent], n_games, SEED, keep=True)
                known[key] = league.cell_of(results[plays], bomb)
                keep(known)
                print(*key, *known[key][:4], flush=True)


def take(path: Path, seconds: float) -> None:
    """Take over the result of a match of one team. If no game was lost with the last life, it tells of both ways to count."""
    found = json.loads(path.read_text(encoding="utf-8"))
    game = find_game(found["game"])
    cell = league.Cell(
        found["mean"][0], found["stderr"][0], found["perfect"][0], seconds, found["games"], found["seed"], found["repeat"]
    )
    agent, new = found["agents"][0], {}
    for bomb in (league.KEEP, league.ZERO):
        if game.spec == find_game(league.game_of(game.n_players, bomb)).spec:
            new[agent, game.n_players, bomb] = cell
    if list(new) == [(agent, game.n_players, league.KEEP)] and found["bombed"] == 0:
        new[agent, game.n_players, league.ZERO] = cell._replace(repeat=f"{cell.repeat} (column zeroed)")
    keep({**cells(), **new})


def measure_passages() -> None:
    """Gather the passages again, all with the same laboratory, which plays nothing twice."""
    laboratory, texts = Laboratory(Profile.FULL, SEED), dict[str, str]()
    for name, one in PASSAGES.items():
        texts[name] = "\n".join(line.rstrip() for line in one.gather(laboratory).splitlines())
        keep(cells(), passages={**kept()["passages"], **texts})
        print(f"{texts[name]}\n", flush=True)


def run_races() -> None:
    """`adaptive` against everybody, beside all twelve that it knows, those that cheat included."""
    rows = []
    for other in (agent for agent in league.AGENTS if agent not in ("adaptive", "lookahead")):
        found = race("hanabi", "adaptive", other, partners=CONVENTIONS, **RACES)
        print(found, flush=True)
        meaning = found.meaning.partition(", on average")[0]
        facts = {"against": other, "verdict": found.verdict, "meaning": meaning, "games": found.games}
        rows.append({**facts, "difference": found.difference, "stderr": found.difference_stderr, "repeat": found.repeat})
        keep(cells(), races=rows)


def keep(found: league.Cells, **parts: Any) -> None:
    """Write everything down, in the order of the table."""
    order = {agent: place for place, agent in enumerate(league.AGENTS)}
    rows = [
        {"agent": key[0], "players": key[1], "bomb": key[2], **cell._asdict()}
        for key, cell in sorted(found.items(), key=lambda item: (order[item[0][0]], *item[0][1:]))
    ]
    write_whole(FILE, json.dumps({**kept(), "cells": rows, **parts}, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("agent", nargs="?", choices=league.AGENTS, metavar="AGENT")
    parser.add_argument("--games", type=int)
    parser.add_argument("--take", type=Path, metavar="FILE")
    parser.add_argument("--seconds", type=float, default=math.nan)
    parser.add_argument("--passages", action="store_true")
    parser.add_argument("--races", action="store_true")
    wanted = parser.parse_args()
    if wanted.take:
        take(wanted.take, wanted.seconds)
    elif wanted.passages:
        measure_passages()
    elif wanted.races:
        run_races()
    else:
        measure(wanted.agent, wanted.games)
