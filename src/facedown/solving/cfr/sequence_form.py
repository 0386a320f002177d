"""A tree as the solvers' loops want it: the sequences of all players in one numbering, ends in the order of their use.

With two players, the ends are kept twice: once for each sequence of player 0, once for each of player 1. What a
sequence adds to the gradient of the other player is then one stretch of memory, and a sequence that is never played is
passed over as a whole. With any other number of players there is one row for each end.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from facedown.native.jit import native
from facedown.trees.tree import Array, Tree

_LARGEST = 2**32 - 1


class Layout(NamedTuple):
    """Flat arrays of a whole game. Indices are unsigned, so that native code need not look for negative ones."""

    first: Array
    """uint32: information set s has the sequences first[s] to first[s + 1] - 1; a number more for each player."""
    parent: Array
    """uint32: the sequence that leads to each information set; one without meaning closes each player."""
    sets: Array
    """int64: player p has the information sets sets[p] to sets[p + 1] - 2."""
    sequences: Array
    """int64: player p has the sequences sequences[p] to sequences[p + 1] - 1, the first one is empty."""
    entry: Array
    """uint32, two players: a sequence of either has the entries entry[k] to entry[k + 1] - 1; else empty."""
    other: Array
    """uint32, two players: the other player's sequence at each entry; else empty."""
    gain: Array
    """float64, two players: chance probability times the other player's score at each entry; else empty."""
    lasts: Array
    """uint32, (ends, players), any other number of players: the last sequence of each; else no rows."""
    payoffs: Array
    """float64, (ends, players), any other number of players: chance probability times score; else no rows."""

    @property
    def n_players(self) -> int:
        """Players."""
        return len(self.sequences) - 1

    @property
    def n_sequences(self) -> int:
        """Sequences of all players."""
        return int(self.sequences[-1])

    @property
    def n_bytes(self) -> int:
        """Memory of the arrays."""
        return sum(array.nbytes for array in self)


@native
def _deal_out(keys: Any, others: Any, payoffs: Any, following: Any, other: Any, gain: Any) -> None:
    """Put ends into the stretches of their sequences, in their order; `following` has the next free place of each."""
    for row in range(len(keys)):
        key = keys[row]
        place = following[key]
        following[key] = place + np.uint32(1)
        other[place] = others[row]
        gain[place] = payoffs[row]


def _entries(lasts: Array, payoffs: Array, n_sequences: int) -> tuple[Array, Array, Array]:
    """The ends of a two-player game by the sequences of each player: where they begin, the other's sequence, its gain."""
    n_rows = lasts.shape[1]
    counts = np.bincount(lasts[0], minlength=n_sequences) + np.bincount(lasts[1], minlength=n_sequences)
    entry = np.zeros(n_sequences + 1, np.uint32)
    entry[1:] = np.cumsum(counts)
    other, gain, following = np.zeros(2 * n_rows, np.uint32), np.zeros(2 * n_rows), entry.copy()
    for player in range(2):
        _deal_out(lasts[player], lasts[1 - player], payoffs[1 - player], following, other, gain)
    return entry, other, gain


def lay_out(tree: Tree) -> Layout:
    """The arrays of a tree."""
    plexes, n_players = tree.treeplexes, tree.n_players
    sequences = np.cumsum([0] + [plex.n_sequences for plex in plexes])
    sets = np.cumsum([0] + [plex.n_sets + 1 for plex in plexes])
    if max(int(sequences[-1]), 2 * tree.ends.n_rows) > _LARGEST:
        raise OverflowError("a tree with more than 2**32 ends or sequences does not fit into memory anyway")
    starts = sequences[:-1]
    first = np.concatenate([plex.first.astype(np.uint32) + np.uint32(at) for plex, at in zip(plexes, starts, strict=True)])
    parent = np.concatenate(
        [np.append(plex.parent, 0).astype(np.uint32) + np.uint32(at) for plex, at in zip(plexes, starts, strict=True)]
    )
    lasts = tree.ends.sequences.astype(np.uint32) + starts.astype(np.uint32)[:, None]
    if n_players == 2:
        entry, other, gain = _entries(lasts, np.ascontiguousarray(tree.ends.payoffs), int(sequences[-1]))
        lasts, payoffs = np.zeros((0, 2), np.uint32), np.zeros((0, 2))
    else:
        entry, other, gain = np.zeros(0, np.uint32), np.zeros(0, np.uint32), np.zeros(0)
        lasts, payoffs = np.ascontiguousarray(lasts.T), np.ascontiguousarray(tree.ends.payoffs.T)
    return Layout(first, parent, sets, sequences, entry, other, gain, lasts, payoffs)
