"""Information sets in an open-addressing hash table that grows: regrets and average strategies, found by view.

A set has a row for each action: its regret, its total (the average strategy, not normalised) and its part of the current
strategy, that of the walk with the set's stamp; it is worked out from the regrets when a later walk comes by. Native code
enters new sets. It never allocates: where room runs out it says so, and Python makes more.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.agents.policy import Policy
from facedown.games.contract import Game
from facedown.native.chance import draw_real, mix
from facedown.native.hashing import slot_with, tag_of
from facedown.native.jit import native, native_inline
from facedown.native.records import Record, blank

Array = np.ndarray[Any, Any]

NO_ROOM, OTHER_ACTIONS = -1, -2
FROZEN = 2**62
"""The stamp of a set whose strategy is given and never worked out."""

# records, because native code reaches them by their place alone; arrays that are handed on cost it more than the sums
SET = np.dtype(
    (
        np.record,
        [
            ("key", np.uint64),
            ("first", np.int64),  # its first row
            ("stamp", np.int64),  # the walk that `current` was worked out for
            ("n", np.int32),  # its rows
            ("player", np.int32),
        ],
    )
)
ROW = np.dtype((np.record, [("regret", np.float64), ("total", np.float64), ("current", np.float64), ("action", np.int64)]))

_U = np.uint64
_GOLDEN = _U(0x9E3779B97F4A7C15)
_LOW_32 = np.int64(0xFFFFFFFF)


@native_inline
def key_of(player: Any, words: Any, start: Any) -> Any:
    """The hash of an information set: what the player sees, in words of eight bytes from `start` on."""
    key = mix(_U(player + 1))
    for at in range(words.shape[1]):
        key = mix(key ^ words[start, at]) + _GOLDEN
    return key


@native
def fill_slots(slots: Any, sets: Any, n_sets: int) -> None:
    """Enter all sets into slots that are larger now."""
    last = len(slots) - 1
    for number in range(n_sets):
        key = sets[number].key
        place = np.int64(key & _U(last))
        while slots[place] != 0:
            place = (place + 1) & last
        slots[place] = slot_with(tag_of(key), number)


@native
def find_keys(sets: Any, views: Any, n_sets: int) -> None:
    """The keys of sets that come from elsewhere."""
    for number in range(n_sets):
        sets[number].key = key_of(sets[number].player, views, number)


@native_inline
def find_or_add(player: Any, seen: Any, actions: Any, n: Any, slots: Any, sets: Any, rows: Any, views: Any, counts: Any) -> Any:
    """The number of an information set; a new one if it was not there. NO_ROOM or OTHER_ACTIONS where there is none."""
    key = key_of(player, seen, 0)
    last = len(slots) - 1
    mark = slot_with(tag_of(key), -1)
    place = np.int64(key & _U(last))
    number = np.int64(NO_ROOM)
    while slots[place] != 0 and number == NO_ROOM:
        candidate = (slots[place] & _LOW_32) - 1
        if slots[place] - candidate - 1 == mark and sets[candidate].player == player:
            difference = _U(0)
            for at in range(seen.shape[1]):
                difference |= views[candidate, at] ^ seen[0, at]
            if difference == _U(0):
                number = candidate if sets[candidate].n == n else np.int64(OTHER_ACTIONS)
        place = (place + 1) & last
    first = counts[1]
    if number == NO_ROOM and counts[0] < len(sets) and first + n <= len(rows):
        number = counts[0]
        slots[place] = slot_with(tag_of(key), number)
        found = sets[number]
        found.key, found.first, found.stamp, found.n, found.player = key, first, 0, n, player
        for at in range(seen.shape[1]):
            views[number, at] = seen[0, at]
        for choice in range(n):
            rows[first + choice].action = actions[choice]
        counts[0], counts[1] = number + 1, first + n
    return number


@native
def find_or_add_one(player: int, seen: Any, actions: Any, slots: Any, sets: Any, rows: Any, views: Any, counts: Any) -> int:
    """For Python."""
    return find_or_add(player, seen, actions, len(actions), slots, sets, rows, views, counts)  # type: ignore[no-any-return]


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
        """Zeroed arrays with so much room; at least one set has to fit in."""
        n_slots = 8
        while n_slots < 2 * n_sets:
            n_slots *= 2
        self.slots = np.zeros(n_slots, np.int64)
        self.sets = blank(SET, n_sets)
        self.rows = blank(ROW, max(n_rows, self._game.n_actions))
        self.words = np.zeros((n_sets, n_words(self._game)), np.uint64)

    @property
    def arrays(self) -> tuple[Array, ...]:
        """As native code wants them."""
        return self.slots, self.sets, self.rows, self.words, self.counts

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
        return sum(array.nbytes for array in self.arrays)

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
        sets, rows, words = self.sets, self.rows, self.words
        more_sets = 2 * len(sets) if n_sets == len(sets) else len(sets)
        more_rows = 2 * len(rows) if n_rows + self._game.n_actions > len(rows) else len(rows)
        self._make(more_sets, more_rows)
        self.sets[:n_sets], self.rows[:n_rows], self.words[:n_sets] = sets[:n_sets], rows[:n_rows], words[:n_sets]
        fill_slots(self.slots, self.sets, n_sets)

    def enter(self, policy: Policy) -> None:
        """Take in a strategy as it is; no walk will change it."""
        for number in range(policy.n_sets):
            actions, probabilities = policy.row(number)
            seen, place = np.zeros((1, n_words(self._game)), np.uint64), NO_ROOM
            seen.view(np.uint8)[0, : policy.views.shape[1]] = policy.views[number]
            while place == NO_ROOM:
                place = find_or_add_one(int(policy.players[number]), seen, actions.astype(np.int64), *self.arrays)
                if place == NO_ROOM:
                    self.grow()
            first = int(self.sets["first"][place])
            self.rows["current"][first : first + len(actions)] = probabilities
            self.sets["stamp"][place] = FROZEN

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
        find_keys(sets, self.words, n_sets)
        fill_slots(self.slots, sets, n_sets)
        self.counts[:] = n_sets, n_rows
