"""How few turns solitaire Can't Stop can take at least, without conditions: by what one turn can gain at most.

Count every space as its share of the whole column. If no turn gains more than g columns on average, whatever the board, then
three columns take 3 / g turns at least: what was gained, less g for each turn, never rises on average, and in the end 3 or more
were gained. g is the largest of what `cant_stop_gains.py` finds for no, one and two closed columns; a set of columns and its
mirror image are alike.

The bound is far from tight: gains in columns that are never won count too, and markers may stand elsewhere for each runner.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from facedown.agents.cant_stop.turn import LENGTHS, N_COLUMNS, WANTED
from facedown.games.cant_stop.board import column_name, columns_in
from facedown.native.jit import Part, compiling, prepare_thread
from facedown.progress import Callback, Reporter
from facedown.solving.cant_stop_gains import MAX_LENGTH, Array, most_gained, new_places

KERNEL = Part("the gains of turns", 20.0, (most_gained,))


@dataclass(frozen=True)
class SureBound:
    """A lower bound on the expected number of turns of every player, without conditions."""

    value: float
    gain: float
    """The most that a turn gains on average, in columns."""
    closed: tuple[str, ...]
    """The columns that are closed then."""
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {"schema": "facedown.cant_stop_sure_bound/1", **vars(self)}

    def __repr__(self) -> str:
        closed = " and ".join(self.closed) or "no column"
        return (
            f"no turn of solitaire Can't Stop gains more than {self.gain:.6f} columns on average ({closed} closed), so nobody "
            f"needs fewer than {self.value:.6f} turns (exact but for rounding, {self.seconds:.0f} s)"
        )


def shares() -> Array:
    """By column and space: the share of the column that lies below."""
    found = np.ones((N_COLUMNS, MAX_LENGTH + 1))
    for column, length in enumerate(LENGTHS.tolist()):
        found[column, : length + 1] = np.arange(length + 1) / length
    return found


def closed_sets() -> Iterator[int]:
    """The columns that can be closed when a turn begins, as sets of bits; one of each two that mirror each other."""
    for n_closed in range(WANTED):
        for columns in combinations(range(N_COLUMNS), n_closed):
            if columns <= tuple(N_COLUMNS - 1 - column for column in reversed(columns)):
                yield sum(1 << column for column in columns)


def sure_bound(progress: Callback | None = None) -> SureBound:
    """Bound the expected number of turns of every player of solitaire Can't Stop from below, without conditions."""
    started, places, heights, sets = time.perf_counter(), new_places(), shares(), list(closed_sets())
    report, most, worst = Reporter(progress, len(sets), "sets of closed columns"), 0.0, 0
    prepare_thread()
    for done, closed in enumerate(sets):
        with compiling(KERNEL):
            gain = float(most_gained(places, heights, closed))
        most, worst = (gain, closed) if gain > most else (most, worst)
        report(done + 1, f"{most:.4f} columns a turn")
    names = tuple(column_name(column) for column in columns_in(worst))
    return SureBound(WANTED / most, most, names, time.perf_counter() - started)
