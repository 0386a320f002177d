"""`facedown learn`: an agent that gets better by play."""

from __future__ import annotations

from typing import Annotated

import typer

from facedown.cli.options import GameName, Json, Seed
from facedown.cli.output import print_json, progress_bar
from facedown.errors import UsageError
from facedown.games.registry import check_name
from facedown.inputs import check_seed
from facedown.specs import Spec, parse


def learn(
    game: GameName,
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="Which agent is to learn, such as turn_exact of cant_stop.")],
    games: Annotated[int, typer.Option(min=1, help="How many games it plays; more make it better.")],
    save: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Where it goes; AGENT.npz by default. An unfinished run in that file is continued."),
    ] = None,
    players: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="With this many players, as in GAME(players=N).")
    ] = None,
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Let an agent learn from games of its own, and save what it has learnt."""
    if players is not None:
        game = _with_players(game, players)
    check_name(game)
    from facedown.learning.learn import learn as run

    with progress_bar(f"{game}: {agent}") as show:
        found = run(game, agent, games=games, save=save, seed=check_seed(seed), progress=show)
    if json:
        print_json(found.to_dict())
        return
    print(f"{found!r}.")
    print(f"Again: {found.repeat}")


def _with_players(game: str, players: int) -> str:
    """The name of a game with this setting."""
    spec = parse(game)
    settings = dict(spec.settings)
    if settings.setdefault("players", str(players)) != str(players):
        raise UsageError(f"--players {players} and '{game}' name two numbers of players; leave one of them out")
    return str(Spec(spec.name, spec.values, tuple(settings.items())))
