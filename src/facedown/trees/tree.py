"""A game as flat arrays: a treeplex for each player, and one table of ends.

Sequences are what a player has done so far. Number 0 is the empty one; those of one information set are contiguous and
parents come first, so walking the arrays forwards goes down the tree, and backwards up.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from facedown.games.contract import Game
from facedown.pages import facts

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


@dataclass(frozen=True)
class TreeCounts:
    """How large a game is."""

    chance: int
    decisions: int
    ends: int
    rows: int
    """Ends after those with the same sequences of all players are merged."""
    information_sets: tuple[int, ...]
    """Of each player."""
    sequences: tuple[int, ...]
    """Of each player, the empty one included."""
    longest: int
    bytes: int
    """Memory of the tree's arrays."""
    seconds: float
    """How long it took to build."""

    @property
    def nodes(self) -> int:
        """All nodes."""
        return self.chance + self.decisions + self.ends

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON has it."""
        return facts(self, "nodes chance decisions ends rows information_sets sequences longest bytes seconds")

    @classmethod
    def from_dict(cls, told: Mapping[str, Any]) -> TreeCounts:
        """The counts that `to_dict` has told."""
        counts: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in told.items()}
        del counts["nodes"]
        return cls(**counts)

    def __str__(self) -> str:
        kinds = f"{self.chance:,} chance, {self.decisions:,} decision, {self.ends:,} end"
        sets = " + ".join(f"{count:,}" for count in self.information_sets)
        return (
            f"{self.nodes:,} nodes ({kinds}), {sum(self.information_sets):,} information sets ({sets}), "
            f"{sum(self.sequences):,} sequences, {self.rows:,} merged ends; {self.bytes / 2**20:,.1f} MiB, "
            f"built in {self.seconds:.2f} s"
        )


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
    def arrays(self) -> list[Array]:
        """All that it is made of."""
        plexes = [array for plex in self.treeplexes for array in (plex.first, plex.parent, plex.actions, plex.views)]
        return [self.ends.sequences, self.ends.payoffs, *plexes]

    @property
    def counts(self) -> TreeCounts:
        """How large it is."""
        return TreeCounts(
            chance=self.n_chance,
            decisions=self.n_decisions,
            ends=self.n_ends,
            rows=self.ends.n_rows,
            information_sets=tuple(plex.n_sets for plex in self.treeplexes),
            sequences=tuple(plex.n_sequences for plex in self.treeplexes),
            longest=self.longest,
            bytes=sum(array.nbytes for array in self.arrays),
            seconds=self.seconds,
        )

    def __repr__(self) -> str:
        return f"{self.game}: {self.counts}"


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
