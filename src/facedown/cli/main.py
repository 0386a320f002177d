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
    splits: Annotated[
        bool | None,
        typer.Option("--splits/--no-splits", help="Results by who moved first and by length; by default for some short games."),
    ] = None,
    agreement: Annotated[
        int, typer.Option(metavar="N", min=0, help="How often agents choose the same, in the positions of N more games.")
    ] = 0,
    times: Annotated[bool, typer.Option("--times", help="The time of 1000 games of each agent against itself.")] = False,
    json: Json = False,
) -> None:
    """Play games between agents and report their average scores."""
    check_name(game)
    from facedown.cli import matches

    matches.run(game, agents, games, seed, threads, swap, transcript, number, json, splits, agreement, times)


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
def solve(
    game: GameName,
    method: Annotated[
        str | None,
        typer.Option(metavar="M", help="cfr, cfr+, lcfr, 'dcfr(alpha=2)', pcfr+, pdcfr+ (default), *-sampling (see docs)."),
    ] = None,
    iterations: Annotated[int | None, typer.Option(min=0, help="Stop after so many; 1000 if nothing else says when.")] = None,
    seconds: Annotated[float | None, typer.Option(min=0, help="Stop after so long; building the tree is not counted.")] = None,
    exploitability: Annotated[
        float | None, typer.Option(metavar="E", min=0, help="Stop when NashConv / number of players is down to this.")
    ] = None,
    simultaneous: Annotated[bool, typer.Option("--simultaneous", help="All players learn at once, not in turn.")] = False,
    average: Annotated[
        float | None, typer.Option(metavar="G", min=0, help="Weigh iteration t by t^G, other than the method does.")
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="For the sampling methods; drawn and printed if not given.")] = None,
    save: Annotated[str | None, typer.Option(metavar="FILE", help="Keep the solution there, to play or to go on.")] = None,
    every: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="How often to save meanwhile; 60 if not given.")
    ] = None,
    resume: Annotated[str | None, typer.Option(metavar="FILE", help="Go on from there, as if it had not stopped.")] = None,
    max_nodes: Annotated[int | None, typer.Option(min=1, help="Give up where the tree has more nodes.")] = None,
    policy: Annotated[bool, typer.Option("--policy", help="Print the policy in words.")] = False,
    plot: Annotated[str | None, typer.Option(metavar="FILE", help="Draw the curve there (png, svg or pdf).")] = None,
    json: Json = False,
) -> None:
    """Find policies close to an equilibrium, and how far they are from it, exactly."""
    check_name(game)
    if method is not None:
        from facedown.solving.methods import find_method

        find_method(method, average)
    from facedown.cli import solving

    solving.run(
        game,
        method,
        plot,
        policy,
        json,
        iterations=iterations,
        seconds=seconds,
        exploitability=exploitability,
        alternating=False if simultaneous else None,
        average=average,
        seed=seed,
        save=save,
        every=every,
        start=resume,
        limit=max_nodes,
    )


@app.command()
@guarded
def train(
    game: GameName,
    save: Annotated[str, typer.Option(metavar="FILE", help="Where the table goes; play it with 'table(FILE)'.")],
    iterations: Annotated[int, typer.Option(min=1, help="More make it better.")] = 500_000,
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Learn a table to play, by sampling; for games that are too large to solve, such as love_letter_abstract."""
    check_name(game)
    from facedown.cli import training

    training.run(game, iterations, seed, save, json)


@app.command()
@guarded
def reply(
    game: GameName,
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="Whoever is to be found out.")],
    asks: Annotated[int, typer.Option(min=0, help="Estimate its probabilities from so many answers, if need be.")] = 0,
    json: Json = False,
) -> None:
    """What somebody who knows exactly how an agent plays scores against it; for small games."""
    check_name(game)
    from facedown.cli import training

    training.run_reply(game, agent, asks, json)


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
    peers: Annotated[bool, typer.Option("--peers", help="Beside OpenSpiel and LiteEFG, in the same run.")] = False,
    json: Json = False,
) -> None:
    """Measure speed: games and moves a second, solvers, compile time, start-up."""
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
