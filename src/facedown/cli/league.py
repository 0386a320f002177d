"""`facedown league`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from facedown.cli.options import Cluster, Epsilon, GameName, Json, Out, Seed, Threads
from facedown.cli.output import console, escape, finish, show_table, with_progress
from facedown.cli.web import watch
from facedown.errors import UsageError
from facedown.games.registry import check_name
from facedown.inputs import MAX_GAMES
from facedown.pages import check_out

if TYPE_CHECKING:
    from facedown.racing.league_result import LeagueResult


def league(
    game: GameName,
    agents: Annotated[list[str], typer.Argument(metavar="AGENT AGENT...", help="Everybody meets everybody else.")],
    games: Annotated[
        int | None, typer.Option(min=1, max=MAX_GAMES, metavar="N", help="Games in each pairing; 10000 if not given.")
    ] = None,
    until: Annotated[
        str | None, typer.Option(metavar="decided", help="Play each pairing until it is decided, instead of --games.")
    ] = None,
    epsilon: Epsilon = 0.01,
    delta: Annotated[float, typer.Option(metavar="D", help="How often anything at all in the table may be wrong.")] = 0.05,
    max_games: Annotated[int | None, typer.Option(min=1, help="With --until: give up after this many games in all.")] = None,
    out: Out = None,
    seed: Seed = None,
    threads: Threads = None,
    cluster: Cluster = None,
    json: Json = False,
    live: Annotated[bool, typer.Option("--live", help="Watch it in the browser.")] = False,
) -> None:
    """Let every agent meet every other one: a table, ratings, and who beats whom in a circle."""
    check_name(game)
    check_out("--out", out)
    if len(agents) < 2:
        raise UsageError(f"a league needs at least two agents, but {len(agents)} is given; name the others too")
    if live:
        if out or json or cluster or threads is not None:
            raise UsageError(
                "--live keeps the league in the lab and shows it there; leave out --out, --json, --cluster, --threads"
            )
        if until not in (None, "decided") or (until and games):
            raise UsageError("a league is played until it is decided or for a number of games: --until decided, or --games N")
        if games is None and not until:
            games = 10_000
        watch("league", game, agents, games=games, epsilon=epsilon, delta=delta, max_games=max_games, seed=seed)
        return
    from facedown.arena.cluster import cluster as workers
    from facedown.racing.league import league as play

    goal = {"until": until, "epsilon": epsilon, "delta": delta, "max_games": max_games}
    with workers(cluster) as executor:
        found, stopped = with_progress(
            game,
            lambda show: play(game, agents, games, seed, **goal, threads=threads, executor=executor, progress=show),  # type: ignore[arg-type]
        )
    finish(found, stopped, json, partial(_show, page=found.write(out) if out else None))


def _show(found: LeagueResult, page: Path | None) -> None:
    """The ranking and all pairings, and where they are written."""
    from facedown.racing.league_page import tables

    screen = console()
    sure = f" (anything of this is wrong with probability at most {found.delta:g})" if found.kind == "versus" else ""
    screen.print(f"{escape(found.game)}: {escape(found.meaning)}{sure}.", soft_wrap=True)
    for shown in tables(found).values():
        show_table(shown.caption, shown.columns, shown.rows, shown.numbers)
    again = f"Again: {found.repeat}" if found.repeat else f"No command repeats it: {found.only_here}."
    screen.print(f"{found.games:,} games in {found.seconds:.2f} s. {escape(again)}", soft_wrap=True)
    if page:
        screen.print(f"Written to {page}.", soft_wrap=True)
