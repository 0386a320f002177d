"""Information sets in an open-addressing hash table that grows: regrets and average strategies, found by view.

A set has a row for each action: its regret, its total (the average strategy, not normalised) and its part of the current
strategy, that of the walk with the set's stamp; it is worked out from the regrets when a later walk comes by. Native code
enters new sets. It never allocates: where room runs out it says so, and Python makes more.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from facedown.games.contract import Game
from facedown.native.chance import draw_real, mix
from facedown.native.hashing import enter, n_slots_for, refill, seek, slot_with, tag_of
from facedown.native.jit import native, native_inline
from facedown.native.records import Record, blank
from facedown.policies.policy import Policy

Array = np.ndarray[Any, Any]

NO_ROOM, OTHER_ACTIONS = -1, -2
_FROZEN = 2**62
"""The stamp of a set whose strategy is given and never worked out."""

# records, because native code reaches them by their place alone; arrays that are handed on cost it more than the sums
SET = np.dtype(
    (
        Record,
        [
            ("first", np.int64),  # its first row
            ("stamp", np.int64),  # the walk that `current` was worked out for
            ("n", np.int32),  # its rows
            ("player", np.int32),
        ],
    )
)
_ROW = np.dtype((Record, [("regret", np.float64), ("total", np.float64), ("current", np.float64), ("action", np.int64)]))


class Table(NamedTuple):
    """The arrays of a table, as native code wants them."""

    slots: Any
    sets: Any
    rows: Any
    words: Any
    """What is seen in each set, in words of eight bytes."""
    counts: Any
    """Sets and rows so far."""


_U = np.uint64
_GOLDEN = _U(0x9E3779B97F4A7C15)


@native_inline
def key_of(player: Any, words: Any, start: Any) -> Any:
    """The hash of an information set: what the player sees, in words of eight bytes from `start` on."""
    key = mix(_U(player + 1))
    for at in range(words.shape[1]):
        key = mix(key ^ words[start, at]) + _GOLDEN
    return key


@native
def _enter_all(slots: Any, sets: Any, views: Any, n_sets: int) -> None:
    """Fill an empty table with sets that come from elsewhere."""
    for number in range(n_sets):
        enter(slots, slot_with(tag_of(key_of(sets[number].player, views, number)), number))


@native_inline
def _is_seen(number: Any, player: Any, seen: Any, table: Any) -> bool:
    """Whether this is the set of a player who sees this."""
    difference = _U(table.sets[number].player != player)
    for at in range(seen.shape[1]):
        difference |= table.words[number, at] ^ seen[0, at]
    return bool(difference == _U(0))


@native_inline
def find_or_add(player: Any, seen: Any, actions: Any, n: Any, table: Any) -> Any:
    """The number of an information set; a new one if it was not there. NO_ROOM or OTHER_ACTIONS where there is none."""
    slots, sets, rows, words, counts = table
    tag = tag_of(key_of(player, seen, 0))
    at, number = seek(slots, tag, tag)
    while number >= 0 and not _is_seen(number, player, seen, table):
        at, number = seek(slots, tag, at + 1)
    if number >= 0:
        return number if sets[number].n == n else np.int64(OTHER_ACTIONS)
    number, first = counts[0], counts[1]
    if number == len(sets) or first + n > len(rows):
        return np.int64(NO_ROOM)
    slots[at] = slot_with(tag, number)
    found = sets[number]
    found.first, found.stamp, found.n, found.player = first, 0, n, player
    for word in range(seen.shape[1]):
        words[number, word] = seen[0, word]
    for choice in range(n):
        rows[first + choice].action = actions[choice]
    counts[0], counts[1] = number + 1, first + n
    return number


@native
def _find_or_add_one(player: int, seen: Any, actions: Any, table: Any) -> int:
    """For Python."""
    return find_or_add(player, seen, actions, len(actions), table)  # type: ignore[no-any-return]


@native_inline
def bring_up_to_date(found: Record, stamp: Any, plus: Any, rows: Any) -> None:
    """Work out the strategy of a set for the walk `stamp`, once: it is the same all through the walk."""
    if found.stamp < stamp:
        found.stamp = stamp
        total, first, n = 0.0, found.first, found.n
        for row in range(first, first + n):
            if plus and rows[row].regret < 0.0:  # all regrets of the last walk are in by now
                rows[row].regret = 0.0
            total += max(rows[row].regret, 0.0)
        for row in range(first, first + n):
            rows[row].current = max(rows[row].regret, 0.0) / total if total > 0.0 else 1.0 / n


@native_inline
def choose(rows: Any, first: Any, n: Any, exploring: float, chance: Record) -> Any:
    """Draw a choice from a strategy that is mixed with the uniform one; never one of probability 0."""
    rest = draw_real(chance)
    chosen = 0
    for choice in range(n):
        probability = (1.0 - exploring) * rows[first + choice].current + exploring / n
        if probability > 0.0:
            chosen = choice
            if rest < probability:
                break
        rest -= probability
    return chosen


def n_words(game: Game) -> int:
    """Words of eight bytes that hold a view; hashing and comparing go by words."""
    return int(-(-game.view.itemsize // 8))


class InformationSets:
    """The table, and room for more."""

    def __init__(self, game: Game, room: int = 64):
        self._game = game
        self.counts = np.zeros(2, np.int64)
        self._make(max(room, 1), max(room, 1) * min(game.n_actions, 4))

    def _make(self, n_sets: int, n_rows: int) -> None:
        """Zeroed arrays with this much room; at least one set has to fit in."""
        self.slots = np.zeros(n_slots_for(n_sets), np.int64)
        self.sets = blank(SET, n_sets)
        self.rows = blank(_ROW, max(n_rows, self._game.n_actions))
        self.words = np.zeros((n_sets, n_words(self._game)), np.uint64)

    @property
    def table(self) -> Table:
        """As native code wants it."""
        return Table(self.slots, self.sets, self.rows, self.words, self.counts)

    @property
    def n_sets(self) -> int:
        """Information sets so far."""
        return int(self.counts[0])

    @property
    def n_rows(self) -> int:
        """Rows so far, one for each action of each set."""
        return int(self.counts[1])

    @property
    def n_bytes(self) -> int:
        """Memory of the table, with the room that is still free."""
        return sum(array.nbytes for array in self.table)

    @property
    def views(self) -> Array:
        """The bytes of what is seen in each set."""
        return self.words.view(np.uint8)[: self.n_sets, : self._game.view.itemsize]

    @property
    def first(self) -> Array:
        """The first row of each set, and the end."""
        return np.append(self.sets["first"][: self.n_sets], self.n_rows)

    def grow(self) -> None:
        """Twice the room where it is short."""
        n_sets, n_rows = self.n_sets, self.n_rows
        slots, sets, rows, words = self.slots, self.sets, self.rows, self.words
        more_sets = 2 * len(sets) if n_sets == len(sets) else len(sets)
        more_rows = 2 * len(rows) if n_rows + self._game.n_actions > len(rows) else len(rows)
        self._make(more_sets, more_rows)
        self.sets[:n_sets], self.rows[:n_rows], self.words[:n_sets] = sets[:n_sets], rows[:n_rows], words[:n_sets]
        refill(slots, self.slots)

    def enter(self, policy: Policy) -> None:
        """Take in a strategy as it is; no walk will change it."""
        for number in range(policy.n_sets):
            actions, probabilities = policy.row(number)
            seen, place = np.zeros((1, n_words(self._game)), np.uint64), NO_ROOM
            seen.view(np.uint8)[0, : policy.views.shape[1]] = policy.views[number]
            while place == NO_ROOM:
                place = _find_or_add_one(int(policy.players[number]), seen, actions.astype(np.int64), self.table)
                if place == NO_ROOM:
                    self.grow()
            first = int(self.sets["first"][place])
            self.rows["current"][first : first + len(actions)] = probabilities
            self.sets["stamp"][place] = _FROZEN

    # --- in and out -----------------------------------------------------------------------------------------------------

    def policy(self) -> Policy:
        """The average strategies; uniform where a set was met but its average is still empty."""
        return self._policy(self.rows["total"][: self.n_rows])

    def greedy(self, player: int) -> Policy:
        """For one player: the action with the largest regret, the first of equals."""
        first, n_rows = self.first, self.n_rows
        regrets = self.rows["regret"][:n_rows]
        widths = np.diff(first)
        best = np.repeat(np.maximum.reduceat(regrets, first[:-1]), widths) if self.n_sets else regrets
        # of the rows that are best, the first in each set: a stable order by set keeps the first in front
        owners = np.repeat(np.arange(self.n_sets), widths)
        candidates = np.flatnonzero(regrets == best)
        _, fronts = np.unique(owners[candidates], return_index=True)
        chosen = np.zeros(n_rows)
        chosen[candidates[fronts]] = 1.0
        return self._policy(chosen).of_player(player)

    def _policy(self, weights: Array) -> Policy:
        n_sets, first = self.n_sets, self.first
        widths = np.diff(first)
        totals = np.repeat(np.add.reduceat(weights, first[:-1]), widths) if n_sets else np.zeros(0)
        probabilities = np.divide(weights, totals, out=np.repeat(1.0 / widths, widths), where=totals > 0)
        return Policy(
            game=self._game.spec,
            players=self.sets["player"][:n_sets].astype(np.uint8),
            views=self.views.copy(),
            first=first,
            actions=self.rows["action"][: self.n_rows].astype(np.int32),
            probabilities=probabilities,
        )

    def state(self) -> dict[str, Array]:
        """All that another table has to be told to go on as this one would."""
        n_sets, n_rows = self.n_sets, self.n_rows
        return {
            "players": self.sets["player"][:n_sets].astype(np.uint8),
            "views": self.views.copy(),
            "first": self.first,
            "actions": self.rows["action"][:n_rows].astype(np.int32),
            "regrets": self.rows["regret"][:n_rows].copy(),
            "totals": self.rows["total"][:n_rows].copy(),
        }

    def restore(self, state: dict[str, Array]) -> None:
        """Take over what another table held between two iterations."""
        n_sets, n_rows = len(state["players"]), len(state["actions"])
        self._make(max(n_sets, 64), max(n_rows, 64))
        sets, rows = self.sets, self.rows
        self.words.view(np.uint8)[:n_sets, : self._game.view.itemsize] = state["views"]
        sets["player"][:n_sets] = state["players"]
        sets["first"][:n_sets], sets["n"][:n_sets] = state["first"][:-1], np.diff(state["first"])
        for name, column in {"actions": "action", "regrets": "regret", "totals": "total"}.items():
            rows[column][:n_rows] = state[name]
        _enter_all(self.slots, sets, self.words, n_sets)
        self.counts[:] = n_sets, n_rows
