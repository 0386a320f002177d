"""`facedown tune`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from facedown.cli.options import Cluster, Delta, Epsilon, GameName, Json, Seed, Threads
from facedown.cli.output import console, escape, finish, with_error, with_progress
from facedown.games.registry import check_name

if TYPE_CHECKING:
    from facedown.tuning.result import TuneResult


def tune(
    game: GameName,
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="An agent with parameters; the search begins where it stands.")],
    method: Annotated[
        str, typer.Option(metavar="M", help="iterative, coevolution, approximate, approximate2, spsa, cma or gp.")
    ] = "approximate",
    games: Annotated[
        int | None, typer.Option(help="How many to play, the last race included; a million if nothing else ends it.")
    ] = None,
    steps: Annotated[int | None, typer.Option(help="Stop after this many accepted steps.")] = None,
    seconds: Annotated[float | None, typer.Option(help="Stop after this many seconds; the last race comes on top.")] = None,
    against: Annotated[
        list[str] | None,
        typer.Option(metavar="AGENT", help="Measure by these opponents; can be repeated. For cma and gp also: incumbent."),
    ] = None,
    race: Annotated[
        str, typer.Option(metavar="R", help="Which race decides on a candidate: duel, sprt, zone, settle, 'ilebr*2', ...")
    ] = "duel",
    epsilon: Epsilon = 0.02,
    delta: Delta = 0.1,
    rule: Annotated[
        str, typer.Option(metavar="G/S", help="Factors of the step size after success and after failure.")
    ] = "2/.84",
    sigma: Annotated[float, typer.Option(metavar="S", help="Step size of the start, in scales.")] = 1.0,
    recommend: Annotated[
        str,
        typer.Option(metavar="champion|last", help="Which of all they accepted approximate and approximate2 return."),
    ] = "champion",
    start: Annotated[str, typer.Option(metavar="given|random", help="Begin where the agent stands, or a step away.")] = "given",
    only: Annotated[list[str] | None, typer.Option(metavar="NAME", help="A parameter to move; can be repeated.")] = None,
    bounds: Annotated[list[str] | None, typer.Option(metavar="NAME=LOW:HIGH", help="Where to search; can be repeated.")] = None,
    trial_games: Annotated[int | None, typer.Option(help="Games of one comparison of spsa, cma and gp.")] = None,
    save: Annotated[str | None, typer.Option(metavar="FILE", help="Keep the run there.")] = None,
    resume: Annotated[str | None, typer.Option(metavar="FILE", help="Go on from there, as if it had not stopped.")] = None,
    plot: Annotated[str | None, typer.Option(metavar="FILE", help="Draw the history there (png, svg or pdf).")] = None,
    seed: Seed = None,
    threads: Threads = None,
    cluster: Cluster = None,
    json: Json = False,
) -> None:
    """Move the parameters of an agent until it plays better, and race it against where it began."""
    check_name(game)
    from facedown.arena.cluster import cluster as workers
    from facedown.tuning import tune as tuning
    from facedown.tuning.pictures import check_picture

    if plot is not None:
        check_picture(plot)
    budget = {"games": games, "steps": steps, "seconds": seconds, "trial_games": trial_games}
    steering = {"race": race, "epsilon": epsilon, "delta": delta, "rule": rule, "sigma": sigma, "recommend": recommend}
    where = {"against": against or None, "start": start, "only": only or None, "bounds": bounds or None}
    how = {"seed": seed, "threads": threads, "save": save, "resume": resume}
    settings: dict[str, object] = {"method": method, **budget, **steering, **where, **how}
    with workers(cluster) as executor:
        found, stopped = with_progress(
            game,
            lambda show: tuning.tune(game, agent, **settings, executor=executor, progress=show),  # type: ignore[arg-type]
        )
    if plot is not None:
        found.plot(plot)
    finish(found, stopped, json, _show)


def _show(found: TuneResult) -> None:
    """What was found, what the last race says of it, and how to have it again."""
    screen = console()
    screen.print(f"{escape(found.game)}: {escape(found.meaning)}.", soft_wrap=True)
    if found.final is not None:
        low, high = found.final.interval
        score = with_error(found.final.mean, found.final.stderr)
        screen.print(
            f"On fresh deals it scores {score} against {escape(found.start)}, from 0 to 1; {low:.4f} to {high:.4f} at any time "
            f"with probability 0.95; {found.final.games:,} games.",
            soft_wrap=True,
        )
    if found.exploitability is not None:
        screen.print(f"A best reply wins {found.exploitability:.6f} more against it than it does itself, exactly.")
    screen.print(
        f"{found.method}: {len(found.history):,} trials, {found.steps:,} steps accepted, {found.games:,} games in all; "
        f"{found.seconds:.1f} s."
    )
    screen.print(f"Play it: {escape(found.agent)}", soft_wrap=True)
    if found.repeat:
        screen.print(f"Again: {escape(found.repeat)}", soft_wrap=True)
    else:
        screen.print(f"No command repeats it: {escape(found.only_here)}", soft_wrap=True)
