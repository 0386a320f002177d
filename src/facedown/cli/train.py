"""`facedown train`: a table to play."""

from __future__ import annotations

from typing import Annotated

import typer

from facedown.cli.options import GameName, Json, Seed
from facedown.cli.output import print_json, progress_bar
from facedown.games.registry import check_name
from facedown.inputs import check_seed


def train(
    game: GameName,
    save: Annotated[str, typer.Option(metavar="FILE", help="Where the table goes; play it with 'table(FILE)'.")],
    iterations: Annotated[int, typer.Option(min=1, help="More make it better.")] = 500_000,
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Learn a table to play, by sampling; for games that are too large to solve, such as love_letter_abstract."""
    check_name(game)
    from facedown.solving import train as training

    with progress_bar(game) as show:
        found = training.train(game, iterations=iterations, seed=check_seed(seed), save=save, progress=show)
    facts = found.to_dict()
    if json:
        print_json(facts)
        return
    size = facts["bytes"] / 1e6
    print(f"{found.game}: a move for each of {found.policy.n_sets:,} information sets is in {save} ({size:.1f} MB).")
    print(f"Play it as 'table({save})'. Again: {found.repeat}")
