"""`facedown match`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from facedown.cli.options import Cluster, GameName, Json, Out, Seed, Threads, check_directory
from facedown.cli.output import console, escape, print_json, progress_bar, show_table, with_error, with_progress
from facedown.errors import UsageError
from facedown.games.registry import check_name
from facedown.inputs import MAX_GAMES, check_seed
from facedown.pages import check_out

if TYPE_CHECKING:
    from facedown.arena.agreement import AgreementResult
    from facedown.arena.results import MatchResult
    from facedown.arena.splits import Splits


def match(
    game: GameName,
    agents: Annotated[list[str], typer.Argument(metavar="AGENT...", help="One for each seat, or one for a team.")],
    games: Annotated[int, typer.Option(min=1, max=MAX_GAMES, metavar="N", help="How many games to play.")] = 10_000,
    seed: Seed = None,
    threads: Threads = None,
    swap: Annotated[bool, typer.Option("--swap/--no-swap", help="Play each deal in all orders of the seats.")] = True,
    transcript: Annotated[str | None, typer.Option(metavar="FILE", help="Write one of the games down.")] = None,
    number: Annotated[int, typer.Option(min=0, help="Which game --transcript writes down.")] = 0,
    splits: Annotated[
        bool | None,
        typer.Option("--splits/--no-splits", help="Results by who moved first and by length; by default for some short games."),
    ] = None,
    agreement: Annotated[
        int,
        typer.Option(
            metavar="N", min=0, max=MAX_GAMES, help="How often agents choose the same, in the positions of N more games."
        ),
    ] = 0,
    histogram: Annotated[
        bool, typer.Option("--histogram", help="How scores are spread; always reported where all score together.")
    ] = False,
    times: Annotated[bool, typer.Option("--times", help="The time of 1000 games of each agent against itself.")] = False,
    out: Out = None,
    cluster: Cluster = None,
    json: Json = False,
) -> None:
    """Play games between agents and report their average scores."""
    check_name(game)
    check_out("--out", out)
    from facedown.arena import match as matches
    from facedown.arena.cluster import cluster as workers
    from facedown.arena.splits import seconds_for_1000, split, wanted
    from facedown.arena.transcript import transcribe
    from facedown.games.registry import game as find_game

    if number >= games:
        raise UsageError(f"--number {number}: the match has games 0 to {games - 1}")
    check_directory("--transcript", transcript)
    keep = wanted(find_game(game), games) if splits is None else splits
    seed = check_seed(seed)
    # first, so that a request that cannot end is refused before a long match
    alike = _compare(game, agents, agreement, seed) if agreement else None
    settings: Any = {"swap": swap, "threads": threads, "keep": keep, "histogram": histogram}
    with workers(cluster) as executor:
        run = partial(matches.match, game, agents, games, seed, executor=executor, **settings)
        result, stopped = with_progress(game, lambda show: run(progress=show))
    sorted_games = split(result) if keep else None
    seconds = [seconds_for_1000(game, agent) for agent in agents] if times and stopped is None else None
    (_print_json if json else _show)(result, sorted_games, alike, seconds)
    if out:
        page = result.write(out)
        console().print(f"Written to {page}.", soft_wrap=True) if not json else None
    if transcript:
        transcribe(game, agents, result.seed, number, swap).write(transcript)
        console().print(f"Game {number} is written to {transcript}.") if not json else None
    if stopped is not None:
        raise stopped


def _print_json(result: MatchResult, splits: Splits | None, alike: AgreementResult | None, seconds: list[float] | None) -> None:
    parts = {"splits": splits and splits.to_dict(), "agreement": alike and alike.to_dict(), "seconds_for_1000_games": seconds}
    print_json(result.to_dict() | {name: part for name, part in parts.items() if part is not None})


def _show(result: MatchResult, splits: Splits | None, alike: AgreementResult | None, seconds: list[float] | None) -> None:
    _show_scores(result)
    if splits is not None:
        _show_splits(splits)
    if alike is not None:
        _show_agreement(alike)
    if seconds is not None:
        # one may have been named for all seats
        words = [f"{escape(name)} {1000 * time:.3g} ms" for name, time in zip(result.names, seconds, strict=False)]
        console().print(f"1000 games against itself: {', '.join(words)}.")


def _show_scores(result: MatchResult) -> None:
    """The figures as a table."""
    screen = console()
    title = f"{result.game}: {result.games:,} games, seed {result.seed}"
    spread, wins = ["sd", "perfect"] if result.sd else [], [] if result.team else ["wins"]
    numbers = ["mean score", "95 % at any time", *spread, *wins]
    rows = []
    for index, name in enumerate(result.sides):
        low, high = result.interval[index]
        score = with_error(result.mean[index], result.stderr[index])
        more = [f"{result.sd[index]:.4f}", f"{result.perfect[index]:.2%}"] if spread else []
        more += [f"{result.wins[index]:,}"] if wins else []
        rows.append((name, score, f"{low:.4f} to {high:.4f}", *more))
    show_table(title, ("team" if len(result.agents) > 1 and result.team else "agent", *numbers), rows, numbers)
    for name, histogram in zip(result.sides, result.histogram, strict=False):
        _show_histogram(name, histogram)
    remarks = [f"{result.draws:,} draws"] if not result.team else []
    remarks.append(f"{result.length_mean:.4g} moves a game")
    remarks += [f"{total:,.0f} {name.replace('_', ' ')}" for name, total in result.columns.items()]
    remarks.append(f"{result.games / max(result.seconds, 1e-9):,.0f} games a second")
    if not result.team:
        seats = ", ".join(f"{mean:.4f}" for mean in result.seat_mean)
        remarks.append(f"by seat {seats}")
    screen.print("; ".join(remarks) + ".")
    again = f"Again: {result.repeat}" if result.repeat else f"No command repeats it: {result.only_here}."
    screen.print(escape(again), soft_wrap=True)


def _show_histogram(name: str, histogram: dict[float, int]) -> None:
    """How often each score came."""
    from facedown.arena.spread import histogram_rows

    rows = ((score, f"{n_games:,}", bar) for score, n_games, bar in histogram_rows(histogram))
    show_table("", ("score", "games", escape(name)), rows, ("score", "games"))


def _compare(game: str, agents: list[str], games: int, seed: int) -> AgreementResult:
    from facedown.arena.agreement import agreement

    with progress_bar(f"{game}: what all agents would do") as show:
        return agreement(game, agents, games, seed, progress=show)


def _show_splits(splits: Splits) -> None:
    """Who won how often, by who moved first and by the length of the game."""
    names = splits.names
    won = [f"{escape(name)} won" for name in names]
    parts = [(f"{name} in seat 0", part) for name, part in zip(names, splits.by_first, strict=True) if part is not None]
    parts += [(f"ended after {n} move{'s' if n != 1 else ''}", part) for n, part in splits.by_length.items()]
    rows = []
    for title, part in parts:
        shares = (f"{100 * n_won / part.games:.2f} %" for n_won in part.wins)
        rows.append((title, f"{part.games:,}", *shares, f"{part.draws:,}"))
    show_table("", ("", "games", *won, "draws"), rows, ("games", *won, "draws"))


def _show_agreement(found: AgreementResult) -> None:
    """How often each two agents choose the same."""
    title = f"the same choice, in percent of {found.positions:,} positions of {found.games:,} games"
    columns = [f"{index} {escape(name)}" for index, name in enumerate(found.agents)]
    rows = []
    for number, name in enumerate(found.agents):
        shares = zip(found.share[number], found.stderr[number], strict=True)
        rows.append((f"{number} {name}", *(with_error(100 * share, 100 * error) for share, error in shares)))
    show_table(title, ("agent", *columns), rows, columns)
