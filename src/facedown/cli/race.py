"""`facedown race`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from facedown.cli.options import Cluster, Delta, GameName, Json, Method, Seed, Threads
from facedown.cli.output import console, escape, finish, show_table, with_error, with_progress
from facedown.cli.web import watch
from facedown.errors import UsageError
from facedown.games.registry import check_name

if TYPE_CHECKING:
    from facedown.racing.many import Standing
    from facedown.racing.race import RaceResult


def race(
    game: GameName,
    agents: Annotated[list[str], typer.Argument(metavar="AGENT AGENT...", help="Two, or more for the best of many.")],
    method: Method = "duel",
    epsilon: Annotated[
        float | None,
        typer.Option(
            metavar="E", help="Half the width of the zone around 1/2 in which agents count as equal; 0.01 if not given."
        ),
    ] = None,
    points: Annotated[
        float | None, typer.Option(metavar="P", help="The zone in points of a game instead: equal within P points.")
    ] = None,
    delta: Delta = 0.05,
    partners: Annotated[
        str | None,
        typer.Option(metavar="A,B,...", help="Where players score together: how they do beside each of these, on average."),
    ] = None,
    max_games: Annotated[int | None, typer.Option(min=1, help="Give up after this many games: undecided.")] = None,
    journal: Annotated[str | None, typer.Option(metavar="FILE", help="Keep the race there, and go on from it.")] = None,
    seed: Seed = None,
    threads: Threads = None,
    cluster: Cluster = None,
    json: Json = False,
    live: Annotated[bool, typer.Option("--live", help="Watch it in the browser; two agents.")] = False,
) -> None:
    """Find out which agent is better, from as few games as possible."""
    check_name(game)
    if len(agents) < 2:
        raise UsageError(f"a race needs at least two agents, but {len(agents)} is given; name the others too")
    if live:
        if journal or json or cluster or points is not None or threads is not None or partners is not None:
            raise UsageError(
                "--live keeps the race in the lab and shows it there; leave out --journal, --json, --points, --partners, "
                "--cluster and --threads"
            )
        goal = {"method": method, "epsilon": epsilon, "delta": delta, "max_games": max_games, "seed": seed}
        watch("race", game, agents, **goal)
        return
    from facedown.arena.cluster import cluster as workers
    from facedown.racing import race as racing
    from facedown.specs import split

    beside = None if partners is None else split(partners)
    goal = {"method": method, "epsilon": epsilon, "points": points, "delta": delta}
    how = {"max_games": max_games, "journal": journal, "seed": seed, "threads": threads, "partners": beside}
    # the type checker cannot count the agents
    run: Any = racing.race
    with workers(cluster) as executor:
        found, stopped = with_progress(game, lambda show: run(game, *agents, **goal, **how, executor=executor, progress=show))
    finish(found, stopped, json, _show_standing if len(agents) > 2 else _show_race)


def _show_race(found: RaceResult) -> None:
    """The verdict and its figures."""
    screen = console()
    low, high = found.interval
    sure = f" (wrong with probability at most {found.delta:g})" if found.verdict != "undecided" else ""
    screen.print(f"{escape(found.game)}: {escape(found.meaning)}{sure}.")
    words = f"mean score of {escape(found.agents[0])} {with_error(found.mean, found.stderr)}, from 0 to 1"
    if found.team or found.points is not None:
        low, high = found.difference_interval
        score = with_error(found.difference, found.difference_stderr)
        words = f"{escape(found.agents[0])} less {escape(found.agents[1])}: {score} points a game"
    screen.print(
        f"{found.games:,} games; {words}; "
        f"{low:.4f} to {high:.4f} at any time with probability {1 - found.delta:g}; {found.seconds:.2f} s."
    )
    screen.print(f"Again: {escape(found.repeat)}", soft_wrap=True)


def _show_standing(found: Standing) -> None:
    """The table of a race among many."""
    screen = console()
    sure = f" (wrong with probability at most {found.delta:g})" if found.verdict != "undecided" else ""
    screen.print(f"{escape(found.game)}: {escape(found.meaning)}{sure}.")
    title = f"{found.verdict}, {found.games:,} games, seed {found.seed}"
    rows = [(place.agent, place.status, f"{place.mean:.4f}", f"{place.games:,}") for place in found.places]
    show_table(title, ("agent", "standing", "mean score", "games"), rows, ("mean score", "games"))
    pairs = []
    for one in found.races:
        low, high = one.interval
        if one.games:  # else one of the two had lost before they met
            score = with_error(one.mean, one.stderr)
            pairs.append((*one.agents, one.verdict, score, f"{low:.4f} to {high:.4f}", f"{one.games:,}"))
    show_table("Races", ("first", "second", "verdict", "mean of first", "at any time", "games"), pairs, ("games",))
    screen.print(f"Again: {escape(found.repeat)}", soft_wrap=True)
