"""`facedown race` and `facedown plan`."""

from __future__ import annotations

import math

from rich.markup import escape

from facedown.arena.racing.many import Standing
from facedown.arena.racing.plan import MOST_GAMES, plan
from facedown.arena.racing.race import RaceResult, race
from facedown.cli.output import console, print_json, progress_bar, table, with_error
from facedown.errors import Interrupted, UsageError


def run_race(
    game: str,
    agents: list[str],
    method: str,
    epsilon: float,
    delta: float,
    max_games: int | None,
    journal: str | None,
    seed: int | None,
    threads: int | None,
    json: bool,
) -> None:
    """Race, then say who is better; what is known so far is printed after Ctrl-C too."""
    if len(agents) < 2:
        raise UsageError(f"a race needs at least two agents, but {len(agents)} is given; name the others too")
    stopped: Interrupted | None = None
    settings = {"method": method, "epsilon": epsilon, "delta": delta, "max_games": max_games, "journal": journal}
    with progress_bar(game) as advance:

        def show_outlook(now: object) -> None:
            remaining = getattr(now, "remaining", math.inf)
            games = getattr(now, "games", 0)
            advance(games, games + remaining if math.isfinite(remaining) else 10 * games, str(now))

        try:
            found = race(game, *agents, seed=seed, threads=threads, progress=show_outlook, **settings)  # type: ignore[arg-type]
        except Interrupted as interrupted:
            if interrupted.result is None:
                raise
            stopped, found = interrupted, interrupted.result
    if json:
        print_json(found.to_dict())
    elif isinstance(found, Standing):
        show_standing(found)
    else:
        show_race(found)
    if stopped is not None:
        raise stopped


def answer(found: RaceResult) -> str:
    """The verdict in a sentence."""
    first, second = map(escape, found.agents)
    edge = 0.5 - found.epsilon
    if found.winner is not None:
        loser = second if found.verdict == "first" else first
        return f"[bold]{escape(found.winner)}[/bold] is better than {loser}, or less than {found.epsilon:g} worse"
    if found.verdict == "practically equal":
        return f"{first} and {second} are [bold]practically equal[/bold]: the mean is between {edge:g} and {1 - edge:g}"
    return f"[bold]undecided[/bold]: neither {first} nor {second} has been shown to be better"


def show_race(found: RaceResult) -> None:
    """The verdict and its figures."""
    screen = console()
    low, high = found.interval
    sure = f" (wrong with probability at most {found.delta:g})" if found.verdict != "undecided" else ""
    screen.print(f"{escape(found.game)}: {answer(found)}{sure}.")
    score = with_error(found.mean, found.stderr)
    screen.print(
        f"{found.games:,} games; mean score of {escape(found.agents[0])} {score}, from 0 to 1; "
        f"{low:.4f} to {high:.4f} at any time with probability {1 - found.delta:g}; {found.seconds:.2f} s."
    )
    screen.print(f"Again: {escape(found.repeat)}", soft_wrap=True)


def show_standing(found: Standing) -> None:
    """The table of a race among many."""
    screen = console()
    title = f"{found.game}: {found.verdict}, {found.games:,} games, seed {found.seed}"
    listing = table(title, "agent", "standing", "mean score", "games", right=("mean score", "games"))
    for place in found.places:
        listing.add_row(escape(place.agent), escape(place.status), f"{place.mean:.4f}", f"{place.games:,}")
    screen.print(listing)
    pairs = table("Races", "first", "second", "verdict", "mean of first", "at any time", "games", right=("games",))
    for race_found in found.races:
        low, high = race_found.interval
        if not race_found.games:  # one of the two had lost before they met
            continue
        score = with_error(race_found.mean, race_found.stderr)
        first, second = map(escape, race_found.agents)
        pairs.add_row(first, second, race_found.verdict, score, f"{low:.4f} to {high:.4f}", f"{race_found.games:,}")
    screen.print(pairs)
    screen.print(f"Again: {escape(found.repeat)}", soft_wrap=True)


def run_plan(
    method: str, epsilon: float, delta: float, means: list[float], max_games: int | None, out: str | None, json: bool
) -> None:
    """Compute and print what a race will do."""
    found = plan(method, epsilon, delta, means, max_games or MOST_GAMES)
    if out:
        found.plot().savefig(out)
    if json:
        print_json(found.to_dict())
        return
    title = f"{method}, epsilon {epsilon:g}, delta {delta:g}: computed exactly, for single games that are won or lost"
    names = ("mean", "error", "expected games", "no race needs fewer than", "first", "second", "practically equal", "undecided")
    listing = table(title, *names, right=names)
    for point in found.points:
        chances = (f"{share:.4f}" for share in (point.first, point.second, point.equal, point.undecided))
        listing.add_row(f"{point.mean:g}", f"{point.error:.3g}", f"{point.games:,.1f}", f"{point.fewest:,.1f}", *chances)
    console().print(listing)
