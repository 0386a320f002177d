"""`facedown solve`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from facedown.cli.options import GameName, Json, MaxNodes, check_directory
from facedown.cli.output import console, escape, finish, show_table, with_progress
from facedown.errors import UsageError
from facedown.games.registry import check_name
from facedown.inputs import LARGEST_SEED

if TYPE_CHECKING:
    from facedown.solving.dynamic.solution import OptimalSolution
    from facedown.solving.solution import Solution

EXACT_METHODS = ("exact", "value-iteration")


def solve(
    game: GameName,
    method: Annotated[
        str | None,
        typer.Option(
            metavar="M",
            help="cfr, cfr+, lcfr, 'dcfr(alpha=2)', pcfr+, pdcfr+ (default), *-sampling; where nothing is hidden exact "
            "(default) or value-iteration (see docs).",
        ),
    ] = None,
    iterations: Annotated[int | None, typer.Option(min=0, help="Stop after this many; 1000 if nothing else says when.")] = None,
    seconds: Annotated[float | None, typer.Option(min=0, help="Time limit; building the tree is not counted.")] = None,
    exploitability: Annotated[
        float | None, typer.Option(metavar="E", min=0, help="Stop when NashConv / number of players is down to this.")
    ] = None,
    simultaneous: Annotated[bool, typer.Option("--simultaneous", help="All players learn at once, not in turn.")] = False,
    average: Annotated[
        float | None, typer.Option(metavar="G", min=0, help="Weigh iteration t by t^G, in place of the method's own weights.")
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(min=0, max=LARGEST_SEED, metavar="N", help="For the sampling methods; drawn and printed if not given."),
    ] = None,
    save: Annotated[str | None, typer.Option(metavar="FILE", help="Keep the solution there, to play or to go on.")] = None,
    every: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="How often to save meanwhile; 60 if not given.")
    ] = None,
    resume: Annotated[str | None, typer.Option(metavar="FILE", help="Go on from there, as if it had not stopped.")] = None,
    max_nodes: MaxNodes = None,
    policy: Annotated[bool, typer.Option("--policy", help="Print the policy in words.")] = False,
    plot: Annotated[
        str | None, typer.Option(metavar="FILE", help="Draw the curve, or an exact solution, there (png, svg or pdf).")
    ] = None,
    json: Json = False,
) -> None:
    """Find policies close to an equilibrium, and how far they are from it; or the exact solution where nothing is hidden."""
    check_name(game)
    if method is not None and method not in EXACT_METHODS:
        from facedown.solving.methods import find_method

        find_method(method, average)
    check_directory("--plot", plot)
    from facedown.solving import solver

    found, stopped = with_progress(
        game,
        lambda show: solver.solve(
            game,
            method,
            iterations=iterations,
            seconds=seconds,
            exploitability=exploitability,
            alternating=False if simultaneous else None,
            average=average,
            seed=seed,
            save=save,
            every=every,
            start=resume,
            max_nodes=max_nodes,
            progress=show,
        ),
    )
    if plot:
        _draw(found, plot)
    finish(found, stopped, json, partial(_show_exact if found.method in EXACT_METHODS else _show, policy=policy))


def _draw(found: Solution | OptimalSolution, file: str) -> None:
    """Write the picture; the kind of the file is its ending."""
    try:
        found.plot().savefig(file)
    except (ValueError, OSError) as problem:
        raise UsageError(f"--plot {file}: {problem}") from None


def _show(found: Solution, policy: bool) -> None:
    """The figures, and the policy if it is asked for."""
    from facedown.solving.gains import DEFINITION

    screen = console()
    if found.tree is not None:
        screen.print(f"{escape(found.game)}: {found.tree}.")
    order = "" if found.alternating else ", all players at once"
    title = f"{found.game}: {found.method}{order}, {found.iterations:,} iterations"
    columns = ("player", "value", "gain of a best response")
    screen.print(f"[bold]{escape(title)}[/bold]")  # longer than the table is wide
    errors = ["" if found.exact else f" ± {found.stderr[player]:.2g}" for player in range(len(found.gains))]
    players = enumerate(zip(found.values, found.gains, errors, strict=True))
    rows = ((str(player), f"{value:.9f}", f"{gain:.6g}{error}") for player, (value, gain, error) in players)
    show_table("", columns, rows, columns[1:])
    bound = "" if found.exact else "at least "
    screen.print(
        f"Exploitability {bound}{found.exploitability:.6g}, NashConv {bound}{found.nash_conv:.6g}: {DEFINITION}.",
        soft_wrap=True,
    )
    if not found.exact:
        screen.print("The tree is too large to be exact: values and gains are estimates from games that were played.")
    if len(found.values) > 2:
        screen.print("With more than two players, averages approach a coarse correlated equilibrium, not always a Nash one.")
    pace = found.iterations / max(found.seconds, 1e-9)
    screen.print(f"{found.seconds:.2f} s of iterations, {pace:,.0f} a second; {found.seconds_evaluating:.2f} s of evaluations.")
    _show_policy(found, policy)


def _show_policy(found: Solution | OptimalSolution, policy: bool) -> None:
    """The policy if it is asked for, and how to have it again."""
    if policy:
        print(f"\n{found.table()}\n")
    console().print(f"Again: {escape(found.repeat)}", soft_wrap=True)


def _show_exact(found: OptimalSolution, policy: bool) -> None:
    """The figures of an exact solution, and the policy if it is asked for."""
    screen, counts = console(), found.counts
    kinds = {"of one position": counts.single, "with one unknown": counts.one_unknown, "with many": counts.many_unknowns}
    told = ", ".join(f"{count:,} {kind}" for kind, count in kinds.items() if count)
    screen.print(
        f"{escape(found.game)}: {counts.positions:,} positions, {counts.components:,} components ({told}), "
        f"{counts.outcomes:,} outcomes; {counts.bytes / 2**20:,.1f} MiB.",
        soft_wrap=True,
    )
    screen.print(f"[bold]{escape(found.game)}: {found.method}, {found.unit} {found.value:.9f}[/bold]")
    if len(found.values) > 1:
        rows = ((str(player), f"{value:.9f}") for player, value in enumerate(found.values))
        show_table("", ("player", "value"), rows, ("value",))
    screen.print(
        f"{counts.seconds_finding:.2f} s to find positions, {counts.seconds_solving:.2f} s to solve them; no value is further "
        f"than {counts.residual:.1e} from its backup.",
        soft_wrap=True,
    )
    _show_policy(found, policy)
