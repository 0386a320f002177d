"""Comparing agents from Python: a match with progress, single games as arrays, and an executor of your own.

python examples/compare_agents.py [number of games]
"""

from __future__ import annotations

import multiprocessing
import sys
from concurrent.futures import ProcessPoolExecutor

import numpy as np

import facedown as fd
from facedown.progress import Progress

CAUTIOUS, BOLD = "hold(at=2)", "hold(at=3)"


def show_progress(progress: Progress) -> None:
    """Called now and then while a match runs; it goes to stderr, results go to stdout."""
    print(f"\r{progress.done:,} of {progress.total:,} {progress.unit}, {progress.seconds:.1f} s", end="", file=sys.stderr)


def compare(games: int) -> fd.MatchResult:
    """Play a match; figures are by agent, in the order given, whatever seats they sat in."""
    result = fd.match("rrrats", [CAUTIOUS, BOLD], games=games, seed=1, progress=show_progress)
    print(file=sys.stderr)
    print(result)
    print(f"repeat it: {result.repeat}")
    return result


def look_at_single_games(games: int) -> None:
    """Keep every game, one row each: game 2k and game 2k + 1 are the same deal with the seats exchanged."""
    result = fd.match("rrrats", [CAUTIOUS, BOLD], games=games, seed=1, keep=True)
    assert result.batch is not None
    scores, lengths = result.batch.scores[:, 0], result.batch.lengths
    first_seat, second_seat = scores[0::2].mean(), scores[1::2].mean()
    print(f"{CAUTIOUS} scores {first_seat:.3f} when it moves first, {second_seat:.3f} when it moves second")
    print(f"half of all games are over after {np.median(lengths):.0f} moves, the longest took {lengths.max()}")


def use_processes(games: int) -> fd.MatchResult:
    """Tasks are plain data, so any executor will do: processes here, a cluster elsewhere. The figures are the same."""
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as executor:
        return fd.match("rrrats", [CAUTIOUS, BOLD], games=games, seed=1, executor=executor)


def main(games: int = 200_000) -> None:
    result = compare(games)
    look_at_single_games(games)
    same = use_processes(games).mean == result.mean
    print(f"two processes give {'the same' if same else 'OTHER'} figures, bit for bit")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
