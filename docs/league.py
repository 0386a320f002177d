"""The league of Hanabi on its page: figures that take hours to measure, played once and written down.

    python docs/league.py                            measures what is missing in docs/games/hanabi-league.json
    python docs/league.py lookahead                  measures the cells of an agent again
    python docs/league.py lookahead --games 2000     with so many games
    python docs/league.py --passages                 measures the passages of the full profile again

Then `python docs/generate.py` puts them on the page. Cells are kept one by one, so that it can be stopped and go on.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

from tables import ROOT

from facedown.arena.match import match
from facedown.files import write_whole
from facedown.papers.hanabi_2020 import beyond, league
from facedown.papers.hanabi_2020.results import PLAYERS
from facedown.papers.laboratory import Laboratory, Profile

FILE = ROOT / "docs" / "games" / "hanabi-league.json"
SEED = 2026
"""No setting of any agent was chosen on its deals."""
PASSAGES = {passage.id: passage for passage in (*beyond.PASSAGES, *league.PASSAGES) if passage.id != "hanabi-league"}


def kept() -> dict[str, Any]:
    """What has been measured so far."""
    if not FILE.exists():
        return {"cells": [], "passages": {}}
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def cells() -> league.Cells:
    """The cells of the table."""
    facts = [dict(cell) for cell in kept()["cells"]]
    return {(cell.pop("agent"), cell.pop("players"), cell.pop("bomb")): league.Cell(**cell) for cell in facts}


def hanabi_league() -> str:
    """The table of all teams, for the page."""
    return f"```text\n{league.league_table(cells())}\nSeed {SEED}.\n```"


def passage(name: str) -> str:
    """A passage of the paper, as the full profile has measured it."""
    return f"```text\n{kept()['passages'][name]}\n```"


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
                keep(known, kept()["passages"])
                print(*key, *known[key][:4], flush=True)


def measure_passages() -> None:
    """Gather the passages again, all with the same laboratory, which plays nothing twice."""
    laboratory, texts = Laboratory(Profile.FULL, SEED), dict[str, str]()
    for name, one in PASSAGES.items():
        texts[name] = "\n".join(line.rstrip() for line in one.gather(laboratory).splitlines())
        keep(cells(), {**kept()["passages"], **texts})
        print(f"{texts[name]}\n", flush=True)


def keep(found: league.Cells, texts: dict[str, str]) -> None:
    """Write everything down, in the order of the table."""
    order = {agent: place for place, agent in enumerate(league.AGENTS)}
    rows = [
        {"agent": key[0], "players": key[1], "bomb": key[2], **cell._asdict()}
        for key, cell in sorted(found.items(), key=lambda item: (order[item[0][0]], *item[0][1:]))
    ]
    write_whole(FILE, json.dumps({"cells": rows, "passages": texts}, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("agent", nargs="?", choices=league.AGENTS, metavar="AGENT")
    parser.add_argument("--games", type=int)
    parser.add_argument("--passages", action="store_true")
    wanted = parser.parse_args()
    if wanted.passages:
        measure_passages()
    else:
        measure(wanted.agent, wanted.games)
