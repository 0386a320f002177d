"""The command line: `facedown COMMAND ...`. Results go to stdout, progress and remarks to stderr.

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 an expectation was not met, 130 interrupted. Commands import what they need when
they run, so that help and mistakes in the arguments do not wait for the compiler to load.
"""

from __future__ import annotations

import os
import sys

import typer

from facedown.cli.agents import agents
from facedown.cli.bench import bench
from facedown.cli.check import check
from facedown.cli.exploit import exploit
from facedown.cli.games import games
from facedown.cli.guard import guarded
from facedown.cli.league import league
from facedown.cli.learn import learn
from facedown.cli.match import match
from facedown.cli.paper import paper
from facedown.cli.plan import plan
from facedown.cli.play import play
from facedown.cli.race import race
from facedown.cli.replay import replay
from facedown.cli.rules import rules
from facedown.cli.solve import solve
from facedown.cli.train import train
from facedown.cli.tune import tune
from facedown.cli.warm import warm
from facedown.cli.web import web

_EXAMPLES = """\
Examples:
  facedown web                                             play in the browser, look at games again, watch races
  facedown match war descending shuffled --games 100000    who wins, and how sure is that
  facedown play rrrats --against stationary                play yourself
  facedown paper all --out report                          published figures beside ours
"""

app = typer.Typer(
    name="facedown",
    help="A laboratory for games of hidden information and chance.",
    no_args_is_help=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
_PLAYING = (games, agents, rules, match, play, web, replay)
_RESEARCH = (race, league, plan, tune, solve, train, learn, exploit)
_UPKEEP = (check, paper, bench, warm)
for _command in (*_PLAYING, *_RESEARCH, *_UPKEEP):
    app.command()(guarded(_command))
app.command("reply", hidden=True)(guarded(exploit))  # its name in 0.1


def main() -> None:
    """Run the command that the arguments name."""
    arguments = sys.argv[1:] or ["--help"]
    if arguments == ["--version"]:
        from facedown import __version__

        print(f"facedown {__version__}")
        return
    completing = "_FACEDOWN_COMPLETE" in os.environ  # what a shell is told must hold nothing but answers
    if arguments in (["--help"], ["-h"]) and not completing:
        print(_EXAMPLES)
    app(arguments, prog_name="facedown")


if __name__ == "__main__":
    main()
