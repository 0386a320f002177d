"""Running rules with a choice of who answers their draws, and playing the sample games that most checks look at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from facedown.check.report import Failure
from facedown.errors import RulesError
from facedown.games.contract import OVER
from facedown.games.position import Draw
from facedown.native.chance import CHANCE, FAULTS, RECORD, REPLAY, TAPE, game_key, seed_stream
from facedown.solving.rules import Rules
from facedown.solving.story import Told, story

UNTOUCHED = -(2**62)  # what a list of actions holds where rules wrote nothing
FIRST_MOVES_TOLD = 6

STATE = object()
"""Stands for the state among the arguments of `Table.run`."""


class DrawError(RulesError):
    """The rules drew in a way that they must not."""


class Table:
    """Rules, and the chance that they draw from."""

    def __init__(self, rules: Rules):
        self.rules = rules
        self._states, self._chances = rules.game.blank(), np.zeros(1, CHANCE)
        self._bytes = self._states.view(np.uint8)
        self._blank = self._states.tobytes()
        self.chance = self._chances[0]

    def sample(self, seed: int, index: int, record: bool = True) -> None:
        """Draw from the generator from now on; without `record`, exactly as matches do."""
        with np.errstate(over="ignore"):
            seed_stream(self.chance, np.uint64(game_key(np.int64(seed), np.int64(index))), 0)
        if record:
            self._chances["mode"] = RECORD

    def run(self, what: str, before: bytes | None, *arguments: Any, draws: list[Draw] | None = None) -> bytes:
        """The state after `start`, `step` or `imagine`; with `draws`, these are what the rules get."""
        self._bytes[:] = np.frombuffer(self._blank if before is None else before, np.uint8)
        self._rewind(draws)
        state = self._states[0]
        with np.errstate(over="ignore"):  # rules that run as plain Python count modulo 2**64 as native code does
            self.rules.run(what, *(state if argument is STATE else argument for argument in arguments))
        if self._chances["fault"][0]:
            raise DrawError(f"'{what}': {FAULTS[int(self._chances['fault'][0])]}")
        if draws is not None and self._chances["n_draws"][0] != len(draws):
            made = int(self._chances["n_draws"][0])
            raise DrawError(f"'{what}': with the same draws, the rules drew {len(draws)} times before and {made} times now")
        return self._states.tobytes()

    def start(self, draws: list[Draw] | None = None) -> bytes:
        """Set up and deal."""
        return self.run("start", None, STATE, self.chance, draws=draws)

    def step(self, before: bytes, action: int, draws: list[Draw] | None = None) -> bytes:
        """Play an action."""
        return self.run("step", before, STATE, np.int64(action), self.chance, draws=draws)

    def imagine(self, view: bytes, player: int, draws: list[Draw] | None = None) -> bytes:
        """A state that fits a view."""
        seen = self.rules.view_record(view)
        return self.run("imagine", None, seen, np.int64(player), self.chance, STATE, draws=draws)

    def _rewind(self, draws: list[Draw] | None) -> None:
        self._chances["n_draws"] = self._chances["n_taped"] = self._chances["fault"] = 0
        if draws is None:
            return
        # another generator than the one that recorded: only the tape may matter
        self._chances["mode"] = REPLAY
        self._chances["s0"], self._chances["s1"] = self._chances["s0"] ^ np.uint64(0x5DEECE66D), np.uint64(1)
        self._chances["n_taped"] = len(draws)
        for at, (answer, size) in enumerate(draws[:TAPE]):
            self._chances["answers"][0, at], self._chances["sizes"][0, at] = answer, size

    @property
    def draws(self) -> list[Draw]:
        """What the rules drew last."""
        n_draws = int(self._chances["n_draws"][0])
        answers, sizes = self._chances["answers"][0, :n_draws].tolist(), self._chances["sizes"][0, :n_draws].tolist()
        return list(zip(answers, sizes, strict=True))


@dataclass(slots=True)
class Moment:
    """One decision of a sample game."""

    played: Played
    number: int
    """Of the move, from 0 on."""
    state: bytes
    player: int
    legal: tuple[int, ...]
    action: int
    draws: list[Draw]
    after: bytes


@dataclass(slots=True)
class Played:
    """One sample game; the moments of very long ones are not all kept."""

    number: int
    deal: list[Draw]
    start: bytes
    moments: list[Moment] = field(default_factory=list)
    end: bytes | None = None
    """The final state, if it came to that."""
    n_moves: int = 0


class Spot(NamedTuple):
    """A position of a sample game."""

    state: bytes
    played: Played
    number: int
    """Of moves before it."""
    over: bool


class Sample:
    """Games with random moves; a fault in the rules ends it and is noted under the name of a check.

    A game that runs past its declared length is a fault. So is one that runs on and on although its declared length is
    even longer; but not if it is only a `glance`, which stops looking then.
    """

    def __init__(self, rules: Rules, seed: int, most_games: int, most_moments: int, glance: bool = False):
        self.rules, self.seed = rules, seed
        self.played: list[Played] = []
        self.faults: dict[str, Failure] = {}
        self.n_moments = 0
        self._table = Table(rules)
        self._choices = np.random.default_rng(seed)
        self._actions = np.zeros(rules.game.n_actions + 4, np.int64)
        self._most_moments, self._glance = most_moments, glance
        self._most_moves = min(rules.game.max_moves, 25 * most_moments)
        for number in range(most_games):
            if self.faults or self.n_moments >= most_moments:
                break
            self._play(number)

    def __iter__(self) -> Iterator[Moment]:
        for played in self.played:
            yield from played.moments

    def some(self, most: int) -> list[Moment]:
        """At most so many decisions, evenly spread over all games."""
        moments = list(self)
        return moments[:: max(-(-len(moments) // most), 1)]

    def spots(self, most: int) -> list[Spot]:
        """At most so many positions, evenly spread over all games; a quarter of them ends, if there are so many."""
        ends = [Spot(played.end, played, played.n_moves, True) for played in self.played if played.end is not None]
        ends = ends[:: max(-(-len(ends) * 4 // most), 1)]
        return [*(Spot(m.state, m.played, m.number, False) for m in self.some(most - len(ends))), *ends]

    def ends(self) -> list[Played]:
        """The games that came to their end."""
        return [played for played in self.played if played.end is not None]

    def where(self, played: Played, n_moves: int) -> str:
        """The position of a game after so many moves, so that somebody can find it again."""
        told = [Told(m.state, m.player, m.action, m.draws) for m in played.moments[:n_moves]]
        if len(told) < n_moves:  # a long game of which only the beginning was kept
            told = told[:FIRST_MOVES_TOLD]
        moves = f"{n_moves:,} move{'s' if n_moves != 1 else ''}"
        way = f"{story(self.rules, played.deal, told)}{', and so on' if len(told) < n_moves else ''}"
        return f"game {played.number} of seed {self.seed}, after {moves} ({way})"

    def place(self, at: Moment | Spot) -> str:
        """Where a decision was made."""
        return self.where(at.played, at.number)

    def _play(self, number: int) -> None:
        self._table.sample(self.seed, number)
        played: Played | None = None
        try:
            state = self._table.start()
            played = Played(number, self._table.draws, state)
            self.played.append(played)
            while not self.faults:
                player = self._turn(played, state)
                if player == OVER:
                    played.end = state
                    return
                if player is None or self._is_too_long(played):
                    return
                legal = self._legal(played, state)
                if legal is None:
                    return
                state = self._move(played, state, player, legal)
        except RulesError as problem:
            where = self.where(played, played.n_moves) if played else f"the start of game {number} of seed {self.seed}"
            name = "chance" if isinstance(problem, DrawError) else "plays"
            remedy = "draw less often, or split the move into several" if name == "chance" else "repair this function"
            self.faults[name] = Failure(
                str(problem), where=where, expected="rules that run to the end of a game", remedy=remedy
            )

    def _turn(self, played: Played, state: bytes) -> int | None:
        player, n_players = int(self.rules.run("turn", self.rules.state(state))), self.rules.game.n_players
        if OVER <= player < n_players:
            return player
        self._note(
            "turn",
            played,
            f"'turn' answered {player}",
            expected=f"a player from 0 to {n_players - 1}, or {OVER} (OVER) when the game has ended",
            remedy="return one of these from 'turn', or correct the declared number of players",
        )
        return None

    def _is_too_long(self, played: Played) -> bool:
        if played.n_moves < self._most_moves:
            return False
        declared = self.rules.game.max_moves
        if self._glance and played.n_moves < declared:
            return True
        if self._most_moves == declared:
            found = f"the game still runs after its declared longest length of {declared:,} moves"
        else:
            found = f"a game with random moves has not ended after {played.n_moves:,} moves (declared longest: {declared:,})"
        self._note(
            "length",
            played,
            found,
            expected="that every game ends within the declared number of moves",
            remedy="let 'turn' return OVER in time, add a rule that ends long games, or correct 'longest'",
        )
        return True

    def _legal(self, played: Played, state: bytes) -> tuple[int, ...] | None:
        n_actions = self.rules.game.n_actions
        self._actions[:] = UNTOUCHED
        n_legal = int(self.rules.run("legal", self.rules.state(state), self._actions))
        problem = actions_problem(n_legal, self._actions.tolist(), n_actions)
        if problem is None:
            return tuple(self._actions[:n_legal].tolist())
        self._note(
            "actions",
            played,
            problem,
            expected=f"1 to {n_actions} actions, ascending, each once, from 0 to {n_actions - 1}",
            remedy="fill 'actions' in ascending order and return how many, or correct the declared number of actions",
        )
        return None

    def _move(self, played: Played, state: bytes, player: int, legal: tuple[int, ...]) -> bytes:
        action = legal[self._choices.integers(len(legal))]
        after = self._table.step(state, action)
        if self.n_moments < self._most_moments:
            moment = Moment(played, played.n_moves, state, player, legal, action, self._table.draws, after)
            played.moments.append(moment)
            self.n_moments += 1
        played.n_moves += 1
        return after

    def _note(self, name: str, played: Played, found: str, *, expected: str, remedy: str) -> None:
        self.faults[name] = Failure(found, where=self.where(played, played.n_moves), expected=expected, remedy=remedy)


def actions_problem(n_legal: int, actions: list[int], n_actions: int) -> str | None:
    """What is wrong with a list of legal actions that `legal` has filled in, or None."""
    if not 1 <= n_legal <= n_actions:
        return f"'legal' answered {n_legal} actions"
    if any(action != UNTOUCHED for action in actions[n_actions:]):
        return f"'legal' wrote behind the {n_actions} places that there are"
    listed = actions[:n_legal]
    if UNTOUCHED in listed:
        return f"'legal' answered {n_legal} actions, but filled in only {listed.index(UNTOUCHED)}"
    if any(not 0 <= action < n_actions for action in listed):
        return f"'legal' offered {listed}, in which {next(a for a in listed if not 0 <= a < n_actions)} is no action"
    if any(second <= first for first, second in pairwise(listed)):
        return f"'legal' offered {listed}, which is not ascending"
    return None
