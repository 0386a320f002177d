"""`facedown solve`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.markup import escape

from facedown.cli.output import console, print_json, progress_bar, table
from facedown.errors import Interrupted, UsageError
from facedown.solving.best_response import DEFINITION
from facedown.solving.request import SolveProgress
from facedown.solving.solution import Solution
from facedown.solving.solver import solve


def run(game: str, method: str | None, plot: str | None, policy: bool, json: bool, **settings: Any) -> None:
    """Solve, then print what was found; what is known so far is printed after Ctrl-C too."""
    if plot and not Path(plot).absolute().parent.is_dir():
        raise UsageError(f"--plot {plot}: there is no directory '{Path(plot).parent}'")
    stopped: Interrupted | None = None
    with progress_bar(game) as advance:

        def show_progress(now: SolveProgress) -> None:
            done, of = (now.seconds, now.of_seconds) if now.of is None and now.of_seconds else (now.iterations, now.of)
            advance(done, of or 10 * max(done, 1), str(now))

        try:
            found = solve(game, method, progress=show_progress, **settings)
        except Interrupted as interrupted:
            if interrupted.result is None:
                raise
            stopped, found = interrupted, interrupted.result
    if plot:
        draw(found, plot)
    if json:
        print_json(found.to_dict())
    else:
        show(found, policy)
    if stopped is not None:
        raise stopped


def draw(found: Solution, file: str) -> None:
    """Write the picture; the kind of the file is its ending."""
    try:
        found.plot().savefig(file)
    except (ValueError, OSError) as problem:
        raise UsageError(f"--plot {file}: {problem}") from None


def show(found: Solution, policy: bool) -> None:
    """The figures, and the policy if it is asked for."""
    screen = console()
    if found.tree is not None:
        screen.print(f"{escape(found.game)}: {found.tree}.")
    order = "" if found.alternating else ", all players at once"
    title = f"{found.game}: {found.method}{order}, {found.iterations:,} iterations"
    columns = ("player", "value", "gain of a best response")
    screen.print(f"[bold]{escape(title)}[/bold]")  # longer than the table is wide
    listing = table("", *columns, right=columns[1:])
    for player, (value, gain) in enumerate(zip(found.values, found.gains, strict=True)):
        more = f" ± {found.stderr[player]:.2g}" if not found.exact else ""
        listing.add_row(str(player), f"{value:.9f}", f"{gain:.6g}{more}")
    screen.print(listing)
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
    if policy:
        print()
        print(found.table())
        print()
    screen.print(f"Again: {escape(found.repeat)}", soft_wrap=True)
