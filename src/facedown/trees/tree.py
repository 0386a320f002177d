"""A game as flat arrays: a treeplex for each player, and one table of ends.

Sequences are what a player has done so far. Number 0 is the empty one; those of one information set are contiguous and
parents come first, so walking the arrays forwards goes down the tree, and backwards up.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from facedown.games.contract import Game

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, eq=False)
class Treeplex:
    """The decisions of one player. Information set s has the sequences first[s] to first[s + 1] - 1, one for each action."""

    first: Array
    """int32, one longer than there are information sets; first[0] is 1, the last one is the number of sequences."""
    parent: Array
    """int32: the player's sequence that leads to each information set; less than its first sequence."""
    actions: Array
    """int32: the action that ends each sequence; -1 for the empty one."""
    views: Array
    """uint8, a row for each information set: the bytes of what the player sees there."""

    @property
    def n_sets(self) -> int:
        """Information sets."""
        return len(self.parent)

    @property
    def n_sequences(self) -> int:
        """Sequences, the empty one included."""
        return len(self.actions)


@dataclass(frozen=True, eq=False)
class Ends:
    """The ends of the game; those with the same sequences of all players are added up to one row."""

    sequences: Array
    """int32, (players, rows): the last sequence of each player."""
    payoffs: Array
    """float64, (players, rows): the sum of chance probability times score."""

    @property
    def n_rows(self) -> int:
        """Rows after merging."""
        return int(self.sequences.shape[1])


@dataclass(frozen=True, eq=False)
class Tree:
    """A whole game, ready to be solved."""

    game: Game
    treeplexes: tuple[Treeplex, ...]
    ends: Ends
    n_chance: int
    """Chance nodes, one for each draw (as `explore` counts them)."""
    n_decisions: int
    n_ends: int
    """Ends before merging."""
    longest: int
    """Moves of the longest game."""
    seconds: float
    """How long it took to build."""

    @property
    def n_players(self) -> int:
        """Players."""
        return len(self.treeplexes)

    @property
    def n_nodes(self) -> int:
        """All nodes."""
        return self.n_chance + self.n_decisions + self.n_ends

    @property
    def n_sets(self) -> int:
        """Information sets of all players."""
        return sum(treeplex.n_sets for treeplex in self.treeplexes)

    @property
    def n_bytes(self) -> int:
        """Memory of the arrays."""
        arrays = [self.ends.sequences, self.ends.payoffs]
        for treeplex in self.treeplexes:
            arrays += [treeplex.first, treeplex.parent, treeplex.actions, treeplex.views]
        return sum(array.nbytes for array in arrays)

    def to_dict(self) -> dict[str, Any]:
        """The counts, as JSON has them."""
        return {
            "schema": "facedown.tree/1",
            "game": self.game.spec,
            "nodes": self.n_nodes,
            "chance": self.n_chance,
            "decisions": self.n_decisions,
            "ends": self.n_ends,
            "rows": self.ends.n_rows,
            "information_sets": [treeplex.n_sets for treeplex in self.treeplexes],
            "sequences": [treeplex.n_sequences for treeplex in self.treeplexes],
            "longest": self.longest,
            "seconds": self.seconds,
            "bytes": self.n_bytes,
        }

    def __repr__(self) -> str:
        kinds = f"{self.n_chance:,} chance, {self.n_decisions:,} decision, {self.n_ends:,} end"
        sets = " + ".join(f"{treeplex.n_sets:,}" for treeplex in self.treeplexes)
        sequences = " + ".join(f"{treeplex.n_sequences:,}" for treeplex in self.treeplexes)
        return (
            f"{self.game}: {self.n_nodes:,} nodes ({kinds}), {self.n_sets:,} information sets ({sets}), {sequences} sequences, "
            f"{self.ends.n_rows:,} rows of ends, at most {self.longest:,} moves; "
            f"{memory_text(self.n_bytes)}, built in {self.seconds:.2g} s"
        )


def memory_text(n_bytes: float) -> str:
    """An amount of memory in words.

    >>> memory_text(3 * 2**30)
    '3 GB'
    """
    units = ["bytes", "KB", "MB", "GB", "TB"]
    while n_bytes >= 1000 and len(units) > 1:
        n_bytes /= 1024
        units.pop(0)
    return f"{n_bytes:,.3g} {units[0]}"
