"""`facedown match`."""

from __future__ import annotations

from pathlib import Path

from rich.markup import escape

from facedown.arena.agreement import AgreementResult, agreement
from facedown.arena.match import match
from facedown.arena.results import MatchResult
from facedown.arena.splits import Splits, seconds_for_1000, split, wanted
from facedown.arena.transcript import transcribe
from facedown.cli.output import console, print_json, progress_bar, table, with_error
from facedown.errors import Interrupted, UsageError
from facedown.games.registry import game as find_game


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
    splits: bool | None = None,
    compared: int = 0,
    times: bool = False,
) -> None:
    """Play, then print what was found; what is finished is printed after Ctrl-C too.

    `splits` None: where they are short and say something; `compared` games are used for agreement, 0 for none.
    """
    if number >= games:
        raise UsageError(f"--number {number}: the match has games 0 to {games - 1}")
    if transcript and not Path(transcript).absolute().parent.is_dir():
        raise UsageError(f"--transcript {transcript}: there is no directory '{Path(transcript).parent}'")
    stopped: Interrupted | None = None
    splits = wanted(find_game(game), games) if splits is None else splits
    with progress_bar(f"{game}") as advance:
        try:
            result = match(
                game,
                agents,
                games,
                seed,
                swap=swap,
                threads=threads,
                keep=splits,
                progress=lambda now: advance(now.games, now.of, f"{now.games:,} games, mean {now.mean[0]:.4f}"),
            )
        except Interrupted as interrupted:
            if interrupted.result is None:
                raise
            stopped, result = interrupted, interrupted.result
    sorted_games = split(result) if splits else None
    alike = _compare(game, agents, compared, result.seed) if compared and stopped is None else None
    seconds = [seconds_for_1000(game, agent) for agent in agents] if times and stopped is None else None
    if json:
        content = result.to_dict()
        if sorted_games is not None:
            content["splits"] = sorted_games.to_dict()
        if alike is not None:
            content["agreement"] = alike.to_dict()
        if seconds is not None:
            content["seconds_for_1000_games"] = seconds
        print_json(content)
    else:
        show(result)
        if sorted_games is not None:
            show_splits(sorted_games)
        if alike is not None:
            show_agreement(alike)
        if seconds is not None:
            words = [f"{escape(name)} {1000 * time:.3g} ms" for name, time in zip(result.agents, seconds, strict=True)]
            console().print(f"1000 games against itself: {', '.join(words)}.")
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
    remarks += [f"{total:,.0f} {name.replace('_', ' ')}" for name, total in result.columns.items()]
    remarks.append(f"{result.games / max(result.seconds, 1e-9):,.0f} games a second")
    if len(result.agents) > 1:
        seats = ", ".join(f"{mean:.4f}" for mean in result.seat_mean)
        remarks.append(f"by seat {seats}")
    screen.print("; ".join(remarks) + ".")
    screen.print(f"Again: {escape(result.repeat)}", soft_wrap=True)


def _compare(game: str, agents: list[str], games: int, seed: int) -> AgreementResult:
    with progress_bar(f"{game}: what all agents would do") as advance:
        return agreement(game, agents, games, seed, progress=lambda done, of: advance(done, of, f"{done:,} games"))


def show_splits(splits: Splits) -> None:
    """Who won how often, by who moved first and by the length of the game."""
    won = [f"{name} won" for name in splits.agents]
    names = won if len(set(won)) == len(won) else [f"{name} ({index}) won" for index, name in enumerate(splits.agents)]
    listing = table("", "", "games", *map(escape, names), "draws", right=("games", *map(escape, names), "draws"))
    for agent, part in enumerate(splits.by_first):
        if part is not None:
            listing.add_row(
                f"{escape(splits.agents[agent])} in seat 0",
                f"{part.games:,}",
                *_percent(part.wins, part.games),
                f"{part.draws:,}",
            )
    for moves, part in splits.by_length.items():
        ended = f"ended after {moves} move{'s' if moves != 1 else ''}"
        listing.add_row(ended, f"{part.games:,}", *_percent(part.wins, part.games), f"{part.draws:,}")
    console().print(listing)


def _percent(counts: tuple[int, ...], n: int) -> list[str]:
    return [f"{100 * count / n:.2f} %" for count in counts]


def show_agreement(found: AgreementResult) -> None:
    """How often each two agents choose the same."""
    title = f"the same choice, in percent of {found.positions:,} positions of {found.games:,} games"
    columns = [f"{index} {escape(name)}" for index, name in enumerate(found.agents)]
    listing = table(title, "agent", *columns, right=tuple(columns))
    for row, name in enumerate(columns):
        shares = zip(found.share[row], found.stderr[row], strict=True)
        listing.add_row(name, *(with_error(100 * share, 100 * error) for share, error in shares))
    console().print(listing)
