"""The sample games that most checks look at, and where in them something was found.

Games with random moves see much that nobody would do, and often end early: in many games the late positions are seen only when
somebody plays who can. So half of them are played by agents of the game's own, if it has any.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from facedown.agents.contract import Agent
from facedown.agents.player import Company, Player
from facedown.check.report import Failure
from facedown.errors import RulesError
from facedown.forecast import Forecast
from facedown.games.contract import OVER
from facedown.games.stepper import Draw, DrawError, Stepper
from facedown.native.records import Record
from facedown.native.streams import CHECKS
from facedown.trees.story import Told, story

UNTOUCHED = -(2**62)  # what a list of actions holds where rules wrote nothing
_FIRST_MOVES_TOLD = 6


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
    """Games with random moves, every other one with moves of one of these agents; a fault in the rules ends it and is noted
    under the name of a check. An agent that fails is not asked again in that game: there is a check for agents.

    A game that runs past its declared length is a fault. So is one that runs on and on although its declared length is
    even longer; but not if it is only a `glance`, which stops looking then.
    """

    def __init__(
        self,
        rules: Stepper,
        seed: int,
        most_games: int,
        most_moments: int,
        glance: bool = False,
        agents: Sequence[Agent] = (),
    ):
        self.rules, self.seed, self.agents = rules, seed, agents
        self._company: Company | None = None
        self.played: list[Played] = []
        self.faults: dict[str, Failure] = {}
        self.n_moments = 0
        self._choices = np.random.default_rng(seed)
        self._actions = np.zeros(rules.game.n_actions + 4, np.int64)
        self._most_moments, self._glance = most_moments, glance
        self._most_moves = min(rules.game.max_moves, 25 * most_moments)
        forecast = Forecast(most_games, "sample games", "ask for fewer games")
        for number in range(most_games):
            if self.faults or self.n_moments >= most_moments:
                break
            self._play(number)
            forecast.update(max(number + 1, most_games * self.n_moments / most_moments))

    def __iter__(self) -> Iterator[Moment]:
        for played in self.played:
            yield from played.moments

    def some(self, most: int) -> list[Moment]:
        """At most this many decisions, evenly spread over all games."""
        moments = list(self)
        return moments[:: max(-(-len(moments) // most), 1)]

    def spots(self, most: int) -> list[Spot]:
        """At most this many positions, evenly spread over all games; up to a quarter of them ends."""
        ends = [Spot(played.end, played, played.n_moves, True) for played in self.played if played.end is not None]
        ends = ends[:: max(-(-len(ends) * 4 // most), 1)]
        return [*(Spot(m.state, m.played, m.number, False) for m in self.some(most - len(ends))), *ends]

    def ends(self) -> list[Played]:
        """The games that came to their end."""
        return [played for played in self.played if played.end is not None]

    def where(self, played: Played, n_moves: int) -> str:
        """The position of a game after this many moves, so that somebody can find it again."""
        told = [Told(m.state, m.player, m.action, m.draws) for m in played.moments[:n_moves]]
        if len(told) < n_moves:  # a long game of which only the beginning was kept
            told = told[:_FIRST_MOVES_TOLD]
        moves = f"{n_moves:,} move{'s' if n_moves != 1 else ''}"
        way = f"{story(self.rules, played.deal, told)}{', and so on' if len(told) < n_moves else ''}"
        return f"game {played.number} of seed {self.seed}, after {moves} ({way})"

    def place(self, at: Moment | Spot) -> str:
        """Where a decision was made."""
        return self.where(at.played, at.number)

    def _play(self, number: int) -> None:
        self.rules.sample(self.seed, number)
        played: Played | None = None
        try:
            state = self.rules.start()
            played = Played(number, self.rules.draws, state)
            self.played.append(played)
            self._sit_down(number, state)
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
        action = self._choose(state, player, legal)
        after = self.rules.step(state, action)
        if self.n_moments < self._most_moments:
            moment = Moment(played, played.n_moves, state, player, legal, action, self.rules.draws, after)
            played.moments.append(moment)
            self.n_moments += 1
        played.n_moves += 1
        draws = self.rules.draws
        self._tell(after, player, action)
        assert self.rules.draws == draws  # listening is no part of the game
        return after

    # --- agents that play -------------------------------------------------------------------------------------------------

    def _sit_down(self, number: int, state: bytes) -> None:
        self._company = None
        if not self.agents or number % 2 == 0:
            return
        game, agent = self.rules.game, self.agents[number // 2 % len(self.agents)]
        with self._only_while_it_works():
            company = Company([Player(agent, game) for _ in range(game.n_players)])
            for player, seated in enumerate(company.players):
                seated.sit_down(self.seed, number, player, CHECKS)
            company.begin(partial(self._look, state))
            self._company = company

    def _choose(self, state: bytes, player: int, legal: tuple[int, ...]) -> int:
        """An agent's move, or a random one."""
        if self._company is not None and len(legal) > 1:
            with self._only_while_it_works():
                action = self._company.players[player].choose(self._look(state, player), legal)
                if action in legal:
                    return action
        return legal[self._choices.integers(len(legal))]

    def _tell(self, after: bytes, mover: int, action: int) -> None:
        if self._company is not None:
            with self._only_while_it_works():
                hears = lambda player: self.rules.heard(after, player, mover, action)  # noqa: E731
                self._company.hear(partial(self._look, after), hears, mover)

    def _look(self, state: bytes, player: int) -> Record:
        return self.rules.view_record(self.rules.view(state, player))

    @contextlib.contextmanager
    def _only_while_it_works(self) -> Iterator[None]:
        try:
            yield
        except RulesError:
            raise
        except Exception:  # an agent's own Python can fail in ways that nobody has thought of
            self._company = None

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
