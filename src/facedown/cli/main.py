"""The command line: `facedown COMMAND ...`. Results go to stdout, progress and remarks to stderr.

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 an expectation was not met, 130 interrupted. Commands import what they need when
they run, so that help and mistakes in the arguments do not wait for the compiler to load.
"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from facedown.cli.guard import guarded
from facedown.games.registry import check_name

EXAMPLES = """\
Examples:
  facedown match war descending shuffled --games 100000    who wins, and how sure is that
  facedown play rrrats --against stationary                play yourself
  facedown paper all --out report                          published figures beside ours
"""

app = typer.Typer(
    name="facedown",
    help="A laboratory for games of hidden information and chance.",
    no_args_is_help=False,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game: kuhn, 'kuhn(players=3)', or ./mygame.py:GAME.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Seed = Annotated[int | None, typer.Option(min=0, help="For repeating a run; drawn and printed if not given.")]


@app.command()
@guarded
def games(json: Json = False) -> None:
    """List the games."""
    from facedown.cli import listings

    listings.show_games(json)


@app.command()
@guarded
def agents(game: GameName, json: Json = False) -> None:
    """List the agents that play a game, with their parameters."""
    check_name(game)
    from facedown.cli import listings

    listings.show_agents(game, json)


@app.command()
@guarded
def rules(game: GameName, json: Json = False) -> None:
    """Tell the rules of a game and its options."""
    check_name(game)
    from facedown.cli import listings

    listings.show_rules(game, json)


@app.command()
@guarded
def match(
    game: GameName,
    agents: Annotated[list[str], typer.Argument(metavar="AGENT...", help="One for each seat: uniform, 'mix(A=1)', ...")],
    games: Annotated[int, typer.Option(min=1, help="How many games to play.")] = 10_000,
    seed: Seed = None,
    threads: Annotated[int | None, typer.Option(min=1, help="All cores if not given; figures do not depend on it.")] = None,
    swap: Annotated[bool, typer.Option("--swap/--no-swap", help="Play each deal in all orders of the seats.")] = True,
    transcript: Annotated[str | None, typer.Option(metavar="FILE", help="Write one of the games down.")] = None,
    number: Annotated[int, typer.Option(min=0, help="Which game --transcript writes down.")] = 0,
    json: Json = False,
) -> None:
    """Play games between agents and report their average scores."""
    check_name(game)
    from facedown.cli import matches

    matches.run(game, agents, games, seed, threads, swap, transcript, number, json)


@app.command()
@guarded
def play(
    game: GameName,
    against: Annotated[
        list[str] | None, typer.Option(metavar="AGENT", help="Repeat it for several; uniform if not given.")
    ] = None,
    seat: Annotated[int, typer.Option(min=0, help="Where you sit; seat 0 begins.")] = 0,
    seed: Seed = None,
    save: Annotated[str | None, typer.Option(metavar="FILE", help="Where to write the transcript.")] = None,
) -> None:
    """Play a game yourself, in the terminal."""
    check_name(game)
    from facedown.cli import playing

    playing.run(game, against or [], seat, seed, save)


@app.command()
@guarded
def replay(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A transcript.")],
    at: Annotated[
        int | None, typer.Option(metavar="MOVE", min=0, help="Show the position after this move; 0 is the deal.")
    ] = None,
    seat: Annotated[int | None, typer.Option(min=0, help="Show only what this player sees.")] = None,
    json: Json = False,
) -> None:
    """Replay a transcript and check it, move by move."""
    from facedown.cli import replaying

    replaying.run(file, at, seat, json)


Method = Annotated[str, typer.Option(metavar="M", help="lebr, ilebr, ilebr2, ilebr*1, ilebr*2, sprt, zone or mixture.")]
Epsilon = Annotated[
    float, typer.Option(metavar="E", help="Half the width of the zone around 1/2 in which agents count as equal.")
]
Delta = Annotated[float, typer.Option(metavar="D", help="How often the answer may be wrong outside the zone.")]


@app.command()
@guarded
def race(
    game: GameName,
    agents: Annotated[list[str], typer.Argument(metavar="AGENT AGENT...", help="Two, or more for the best of many.")],
    method: Method = "zone",
    epsilon: Epsilon = 0.01,
    delta: Delta = 0.05,
    max_games: Annotated[int | None, typer.Option(min=1, help="Give up after so many games: undecided.")] = None,
    journal: Annotated[str | None, typer.Option(metavar="FILE", help="Keep the race there, and go on from it.")] = None,
    seed: Seed = None,
    threads: Annotated[
        int | None, typer.Option(min=1, help="All cores if not given; the answer does not depend on it.")
    ] = None,
    json: Json = False,
) -> None:
    """Find out which agent is better, from as few games as possible."""
    check_name(game)
    from facedown.cli import racing

    racing.run_race(game, agents, method, epsilon, delta, max_games, journal, seed, threads, json)


@app.command()
@guarded
def plan(
    method: Method = "zone",
    epsilon: Epsilon = 0.01,
    delta: Delta = 0.05,
    mean: Annotated[list[float] | None, typer.Option(metavar="P", help="True mean score; repeat it for a curve.")] = None,
    max_games: Annotated[int | None, typer.Option(min=1, help="Give up after so many games.")] = None,
    out: Annotated[str | None, typer.Option(metavar="FILE", help="Draw the curve there (png, svg or pdf).")] = None,
    json: Json = False,
) -> None:
    """Compute the error and the expected number of games of a race, exactly."""
    from facedown.cli import racing

    racing.run_plan(method, epsilon, delta, mean or [0.45, 0.48, 0.49, 0.495, 0.5], max_games, out, json)


@app.command()
@guarded
def check(
    game: GameName,
    games: Annotated[int | None, typer.Option(min=1, help="How many games to look at.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Which games to look at.")] = 1,
    json: Json = False,
) -> None:
    """Check that a game keeps the contract: facts, chance, scores, no peeking. Exit code 3 if it does not."""
    check_name(game)
    from facedown.cli import checking

    checking.run(game, games, seed, json)


@app.command()
@guarded
def paper(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME...|all]", help="Which documents; all if not given.")
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="The documents' own sample sizes or more.")] = False,
    out: Annotated[str | None, typer.Option(metavar="DIR", help="Write an HTML page with tables and plots there.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="For other samples.")] = 1,
    json: Json = False,
) -> None:
    """Measure published figures again and show them beside ours."""
    from facedown.cli import reporting

    reporting.run_papers(names or ["all"], full, out, seed, json)


@app.command()
@guarded
def bench(
    games: Annotated[list[str] | None, typer.Argument(metavar="[GAME...]", help="Which games; all if not given.")] = None,
    peers: Annotated[bool, typer.Option("--peers", help="Beside OpenSpiel, in the same run.")] = False,
    json: Json = False,
) -> None:
    """Measure speed: games and moves a second, compile time, start-up."""
    for name in games or []:
        check_name(name)
    from facedown.cli import reporting

    reporting.run_bench(games, peers, json)


@app.command()
@guarded
def warm(game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="All games if not given.")] = None) -> None:
    """Compile everything now, so that nothing needs to be compiled later."""
    if game is not None:
        check_name(game)
    from facedown.cli import warming

    warming.run(game)


def main() -> None:
    """Run the command that the arguments name."""
    arguments = sys.argv[1:] or ["--help"]
    if arguments == ["--version"]:
        from facedown import __version__

        print(f"facedown {__version__}")
        return
    if arguments in (["--help"], ["-h"]):
        print(EXAMPLES)
    app(arguments)


if __name__ == "__main__":
    main()
