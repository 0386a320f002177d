"""`facedown match`."""

from __future__ import annotations

from pathlib import Path

from rich.markup import escape

from facedown.arena.match import match
from facedown.arena.results import MatchResult
from facedown.arena.transcript import transcribe
from facedown.cli.output import console, print_json, progress_bar, table, with_error
from facedown.errors import Interrupted, UsageError


def run(
    game: str,
    agents: list[str],
    games: int,
    seed: int | None,
    threads: int | None,
    swap: bool,
    transcript: str | None,
    number: int,
    json: bool,
) -> None:
    """Play, then print what was found; what is finished is printed after Ctrl-C too."""
    if number >= games:
        raise UsageError(f"--number {number}: the match has games 0 to {games - 1}")
    if transcript and not Path(transcript).absolute().parent.is_dir():
        raise UsageError(f"--transcript {transcript}: there is no directory '{Path(transcript).parent}'")
    stopped: Interrupted | None = None
    with progress_bar(f"{game}") as advance:
        try:
            result = match(
                game,
                agents,
                games,
                seed,
                swap=swap,
                threads=threads,
                progress=lambda now: advance(now.games, now.of, f"{now.games:,} games, mean {now.mean[0]:.4f}"),
            )
        except Interrupted as interrupted:
            if interrupted.result is None:
                raise
            stopped, result = interrupted, interrupted.result
    if json:
        print_json(result.to_dict())
    else:
        show(result)
    if transcript:
        transcribe(game, agents, result.seed, number, swap).write(transcript)
        console().print(f"Game {number} is written to {transcript}.") if not json else None
    if stopped is not None:
        raise stopped


def show(result: MatchResult) -> None:
    """The figures as a table."""
    screen = console()
    title = f"{result.game}: {result.games:,} games, seed {result.seed}"
    listing = table(title, "agent", "mean score", "95 % at any time", "wins", right=("mean score", "95 % at any time", "wins"))
    for index, name in enumerate(result.agents):
        low, high = result.interval[index]
        score = with_error(result.mean[index], result.stderr[index])
        listing.add_row(escape(name), score, f"{low:.4f} to {high:.4f}", f"{result.wins[index]:,}")
    screen.print(listing)
    remarks = [f"{result.draws:,} draws", f"{result.length_mean:.4g} moves a game"]
    remarks += [f"{total:,.0f} {name}" for name, total in result.columns.items()]
    remarks.append(f"{result.games / max(result.seconds, 1e-9):,.0f} games a second")
    if len(result.agents) > 1:
        seats = ", ".join(f"{mean:.4f}" for mean in result.seat_mean)
        remarks.append(f"by seat {seats}")
    screen.print("; ".join(remarks) + ".")
    screen.print(f"Again: {escape(result.repeat)}", soft_wrap=True)
