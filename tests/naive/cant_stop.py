"""Can't Stop, slowly: columns by their sums, runners in a dictionary, throws as lists of dice."""

from __future__ import annotations

import functools
import itertools
from typing import Any

from naive.draws import Draws
from naive.twin import OVER, padded

STOP, ROLL = 0, 1
Sums = tuple[int, ...]


@functools.cache
def all_throws(sides: int) -> dict[tuple[int, ...], int]:
    """What four dice can show when they are sorted, ascending, and in how many ways."""
    ways: dict[tuple[int, ...], int] = {}
    for dice in itertools.product(range(1, sides + 1), repeat=4):
        shown = tuple(sorted(dice))
        ways[shown] = ways.get(shown, 0) + 1
    return dict(sorted(ways.items()))


@functools.cache
def throw_number(sides: int, dice: tuple[int, ...]) -> int:
    """Throws are numbered through all dice, from two sides on."""
    smaller = sum(len(all_throws(fewer)) for fewer in range(2, sides))
    return smaller + list(all_throws(sides)).index(dice)


class CantStop:
    def __init__(
        self,
        draws: Draws,
        *,
        players: int,
        sides: int,
        shortest: int,
        columns: int,
        blocking: int,
        extended: int,
        max_turns: int,
    ):
        self.draws = draws
        self.options = {
            "players": players,
            "sides": sides,
            "shortest": shortest,
            "columns": columns,
            "blocking": blocking,
            "extended": extended,
            "max_turns": max_turns,
        }
        self.height = {2 + at: shortest + 2 * min(at, 2 * sides - 2 - at) for at in range(2 * sides - 1)}
        self.markers: list[dict[int, int]] = [{} for _ in range(players)]
        self.winners: dict[int, list[int]] = {total: [] for total in self.height}
        self.runners: dict[int, int] = {}
        self.player = 0
        self.dice: tuple[int, ...] | None = None
        self.throws: list[tuple[int, tuple[int, ...]]] = []
        self.throws_now: list[int] = []  # of this turn: runners that were out
        self.turns: list[bool] = []  # whether each was lost
        self.is_over = False

    # --- what is possible ---------------------------------------------------------------------------------------------

    def is_closed(self, total: int, player: int) -> bool:
        winners = self.winners[total]
        return player in winners if self.options["extended"] else bool(winners)

    def can_play(self, total: int, runners: dict[int, int]) -> bool:
        if self.is_closed(total, self.player):
            return False
        if total in runners:
            return runners[total] < self.height[total]
        return len(runners) < 3

    def play(self, total: int, runners: dict[int, int]) -> dict[int, int]:
        """The runners after one sum was played."""
        return {**runners, total: runners.get(total, self.markers[self.player].get(total, 0)) + 1}

    def splits(self, dice: tuple[int, ...]) -> list[Sums]:
        """Different pairs of sums, in the order in which the lowest die finds its partner."""
        found: list[Sums] = []
        for partner in (1, 2, 3):
            rest = [die for at, die in enumerate(dice) if at not in (0, partner)]
            pair = tuple(sorted((dice[0] + dice[partner], sum(rest))))
            if pair not in found:
                found.append(pair)
        return found

    def moves(self, dice: tuple[int, ...]) -> dict[int, Sums]:
        """By action: the sums that are played."""
        found: dict[int, Sums] = {}
        for number, (low, high) in enumerate(self.splits(dice)):
            action = 2 + 3 * number
            alone = [total for total in (low, high) if self.can_play(total, self.runners)]
            if len(alone) == 2 and (low == high or self.can_play(high, self.play(low, self.runners))):
                found[action] = (low, high)
                continue
            for total in alone:
                found[action + 1 + (total == high)] = (total,)
        return found

    def shares_a_space(self) -> bool:
        return any(
            space < self.height[total] and others.get(total) == space
            for total, space in self.runners.items()
            for player, others in enumerate(self.markers)
            if player != self.player
        )

    def mover(self) -> int:
        return OVER if self.is_over else self.player

    def legal(self) -> list[int]:
        if self.dice is not None:
            return sorted(self.moves(self.dice))
        may_stop = self.runners and not (self.options["blocking"] and self.shares_a_space())
        return [STOP, ROLL] if may_stop else [ROLL]

    # --- what is done -------------------------------------------------------------------------------------------------

    def step(self, action: int) -> None:
        if action == STOP:
            self.bank()
            self.end_turn(lost=False)
        elif action == ROLL:
            self.roll()
        else:
            assert self.dice is not None
            for total in self.moves(self.dice)[action]:
                if self.runners.get(total) != self.height[total]:
                    self.runners = self.play(total, self.runners)
            self.dice = None

    def roll(self) -> None:
        ways = all_throws(self.options["sides"])
        dice = list(ways)[self.draws.draw_from(list(ways.values()))]
        self.throws.append((self.player, dice))
        self.throws_now.append(len(self.runners))
        if self.moves(dice):
            self.dice = dice
        else:
            self.end_turn(lost=True)

    def bank(self) -> None:
        for total, space in self.runners.items():
            self.markers[self.player][total] = space
            if space == self.height[total]:
                self.winners[total].append(self.player)
                for player, others in enumerate(self.markers):
                    if player != self.player and not self.options["extended"]:
                        others.pop(total, None)

    def columns_of(self, player: int) -> int:
        return sum(player in winners for winners in self.winners.values())

    def end_turn(self, lost: bool) -> None:
        self.turns.append(lost)
        self.runners, self.throws_now = {}, []
        enough = self.columns_of(self.player) >= self.options["columns"]
        self.is_over = enough or len(self.turns) == self.options["max_turns"]
        self.player = (self.player + 1) % self.options["players"]

    # --- what comes of it ---------------------------------------------------------------------------------------------

    def scores(self) -> list[float]:
        n_players = self.options["players"]
        if n_players == 1:
            return [-float(len(self.turns))]
        won = [self.columns_of(player) >= self.options["columns"] for player in range(n_players)]
        return [float(mine) if any(won) else 1 / n_players for mine in won]

    def bits(self, totals: Any) -> int:
        return sum(2 ** (total - 2) for total in totals)

    def view(self, player: int) -> dict[str, Any]:
        sides, players = self.options["sides"], range(self.options["players"])
        thrower, last = self.throws[-1] if self.throws else (-1, None)
        return {
            **self.options,
            "player": player,
            "mover": self.mover(),
            "throw": -1 if self.dice is None else throw_number(sides, self.dice),
            "runners": self.bits(self.runners),
            "tops": self.bits(total for total, space in self.runners.items() if space == self.height[total]),
            "n_runners": len(self.runners),
            "won": padded([self.columns_of(one) for one in players], 4, 0),
            "closed": padded([self.bits(t for t in self.height if self.is_closed(t, one)) for one in players], 4, 0),
            "runner": [self.runners.get(total, 0) for total in range(2, 13)],
            "marker": [
                [self.markers[one].get(total, 0) if one in players else 0 for total in range(2, 13)] for one in range(4)
            ],
            "n_throws": len(self.throws_now),
            "n_full": self.throws_now.count(3),
            "last_throw": -1 if last is None else throw_number(sides, last),
            "thrower": thrower,
            "n_turns": len(self.turns),
            "n_failed": sum(self.turns),
        }

    def report(self) -> dict[str, set[int]]:
        won = [self.columns_of(player) for player in range(self.options["players"])]
        return {
            "turns": {len(self.turns)},
            "failed": {sum(self.turns)},
            "closed": {sum(won)},
            "closed_first": {won[0]},
            "capped": {int(max(won) < self.options["columns"])},
        }
