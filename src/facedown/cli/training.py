"""`facedown train` and `facedown reply`: a table to play, and what can be won against an agent."""

from __future__ import annotations

from pathlib import Path

from facedown import plugins
from facedown.arena.match import check_seed
from facedown.cli.output import console, print_json, progress_bar, table
from facedown.games.registry import game as find_game
from facedown.solving.best_reply import best_reply
from facedown.solving.best_response import DEFINITION
from facedown.solving.train import train


def run(game: str, iterations: int, seed: int | None, save: str, json: bool) -> None:
    """Learn a table, and say how to play it."""
    found, seed = find_game(game), check_seed(seed)
    with progress_bar(game) as advance:

        def show_progress(done: int, n_sets: int, seconds: float) -> None:
            advance(done, iterations, f"{n_sets:,} information sets")

        policy = train(found, iterations=iterations, seed=seed, save=save, progress=show_progress)
    repeat = plugins.command(
        "facedown", "train", found.spec, "--iterations", str(iterations), "--seed", str(seed), "--save", save
    )
    n_bytes = Path(save).expanduser().stat().st_size
    if json:
        facts = {"game": found.spec, "iterations": iterations, "seed": seed, "information_sets": policy.n_sets}
        print_json({"schema": "facedown.train/1", **facts, "file": save, "bytes": n_bytes, "repeat": repeat})
        return
    print(f"{found}: a move for each of {policy.n_sets:,} information sets is in {save} ({n_bytes / 1e6:.1f} MB).")
    print(f"Play it as 'table({save})'. Again: {repeat}")


def run_reply(game: str, agent: str, asks: int, json: bool) -> None:
    """Print what a best reply scores in each seat."""
    found = best_reply(game, agent, asks=asks)
    if json:
        print_json(found.to_dict())
        return
    columns = ("player", "best reply", "the agent itself", "gain")
    listing = table(f"{found.game}: best replies to {found.agent}", *columns, right=columns[1:])
    for seat, (best, own) in enumerate(zip(found.values, found.own, strict=True)):
        listing.add_row(str(seat), f"{best:.9f}", f"{own:.9f}", f"{best - own:.6g}")
    screen = console()
    screen.print(listing)
    how = "exactly" if found.asks == 0 else f"estimated from {found.asks:,} answers in each information set"
    screen.print(
        f"Exploitability {found.exploitability:.6g}, NashConv {found.nash_conv:.6g}, {how}: {DEFINITION}.", soft_wrap=True
    )
