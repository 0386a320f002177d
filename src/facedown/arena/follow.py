"""Following one game move by move, in Python, exactly as the native loop plays it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from facedown.agents.contract import Agent
from facedown.agents.player import Company, Player
from facedown.agents.reasons import Reason
from facedown.arena.loop import FIRST_SEAT_STREAM
from facedown.errors import AgentError, RulesError, UsageError
from facedown.games.compiling import compile_rule, rule_arguments
from facedown.games.contract import Game
from facedown.games.position import Position
from facedown.games.stepper import Draw
from facedown.inputs import check_seed, whole_number
from facedown.native.jit import COMPILE_PROBLEMS, Part, compiling
from facedown.native.records import Record

if TYPE_CHECKING:
    from facedown.arena.lineup import Lineup

_MOVE_SECONDS = 8


@dataclass(frozen=True)
class Move:
    """One move of a game: who, what, in words, why if the agent tells, and what the rules drew after it."""

    number: int
    player: int
    action: int
    name: str
    forced: bool
    draws: list[Draw]
    reason: Reason | None = None
    meanings: tuple[str, ...] = ()
    """What it means in the convention of whoever made it, or of a partner, as everybody may know; by seat."""


class Advice(NamedTuple):
    """What an agent would do in the place of the player to move, and why if it tells."""

    agent: str
    action: int
    reason: Reason | None


class Turn(NamedTuple):
    """Who is to move, what is legal, and what that player sees."""

    seat: int
    legal: list[int]
    view: Record

    @property
    def forced(self) -> bool:
        """Whether there is no choice."""
        return len(self.legal) == 1


class Redeal(NamedTuple):
    """After this many moves, all that a seat could not know was dealt anew, with this seed."""

    after: int
    seat: int
    seed: int


class Follower:
    """Iterate to play; `position` is the game between two moves."""

    def __init__(self, lineup: Lineup, seed: int, index: int):
        lineup.prepare_following()
        self.lineup, self.seed, self.index = lineup, seed, index
        self.position = Position(lineup.game)
        self.seating = lineup.seating(seed, index)
        """Which agent sits in each seat."""
        self.players = [Player(lineup.agents[agent], lineup.game) for agent in self.seating]
        """By seat."""
        self._company = Company(self.players, lineup.shares_public)
        self.n_moves = 0
        self.redeals: list[Redeal] = []

    def start(self, taped: list[Draw] | None = None) -> list[Draw]:
        """Deal, from recorded draws if they are given; what was drawn for it."""
        deal = self.lineup.deal_of(self.index)
        self.position.sample(self.seed, deal)
        for seat, player in enumerate(self.players):
            player.sit_down(self.seed, deal, FIRST_SEAT_STREAM + seat)
        self.position.start(taped)
        draws = self.position.draws
        self._company.begin(self.position.view)
        return draws

    def __iter__(self) -> Iterator[Move]:
        self.start()
        yield from self.moves()

    def moves(self) -> Iterator[Move]:
        """Play on to the end; `start` comes before."""
        while not self.position.over:
            turn = self.turn()
            yield self.make(turn, *self.decide(turn))

    def turn(self) -> Turn:
        """Who is to move next, and from what; asked while the game goes on."""
        game = self.lineup.game
        if self.n_moves >= game.max_moves:
            raise RulesError(f"{game}: the game goes on past its declared {game.max_moves} moves")
        seat = self.position.turn()
        return Turn(seat, self.position.legal(), self.position.view(seat))

    def decide(self, turn: Turn) -> tuple[int, Reason | None]:
        """What the agent to move plays, without asking it where it has no choice; and why, if it tells."""
        if turn.forced:
            return turn.legal[0], None
        player = self.players[turn.seat]
        seen = self.position.state.copy() if player.agent.cheats else turn.view
        try:
            action = player.choose(seen, turn.legal)
        except AgentError as problem:
            raise AgentError(f"{problem}, {self._moment()}") from problem.__cause__
        if action not in turn.legal:
            raise AgentError(f"agent {player.agent.name} played {action}, which is not legal, {self._moment()}")
        return action, player.reason(turn.view, action)

    def make(self, turn: Turn, action: int, reason: Reason | None = None, taped: list[Draw] | None = None) -> Move:
        """Play a legal action, from recorded draws if they are given, and let everybody hear of it who may."""
        seat, name = turn.seat, self.lineup.game.action_name(turn.view, action)
        teller = self._teller(seat)
        before = teller.public.copy() if teller is not None else None
        self.position.step(action, taped)
        draws = self.position.draws
        self.n_moves += 1
        meanings: tuple[str, ...] = ()
        if teller is not None and before is not None and self._is_open(seat, action):
            meanings = teller.meanings(self.position.view(seat), seat, action, before)
        self._company.hear(self.position.view, lambda place: self.position.heard(place, seat, action), seat)
        return Move(self.n_moves, seat, action, name, turn.forced, draws, reason, meanings)

    def _teller(self, seat: int) -> Player | None:
        """Whose convention gives a move in this seat its meaning: its own, else that of the first partner who has one."""
        order = [self.players[seat], *self.players]
        return next((player for player in order if player.agent.tells is not None), None)

    def advice(self, turn: Turn) -> Advice | None:
        """What a partner whose convention follows from public events alone would do in this seat; None without such a partner.

        It is given what the player sees and the record that everybody could keep, so it tells nothing that is hidden.
        """
        teller = self._teller(turn.seat)
        if teller is None or teller.agent.memory is not None:
            return None
        player = Player(teller.agent, self.lineup.game)
        player.sit_down(0, 0, FIRST_SEAT_STREAM + turn.seat)
        player.public[:] = teller.public
        action = player.choose(turn.view, turn.legal)
        return Advice(teller.agent.name, action, player.reason(turn.view, action))

    def _is_open(self, seat: int, action: int) -> bool:
        """Whether everybody has heard the very move."""
        return all(self.position.heard(place, seat, action) == action for place in range(len(self.players)))

    def redeal(self, seat: int, seed: int) -> None:
        """Deal anew what a seat cannot know. Whoever sits elsewhere has other cards now, and forgets all but what is public."""
        redeal(self.position, seat, seed)
        for place, player in enumerate(self.players):
            if place != seat:
                player.sit_down(seed, 0, FIRST_SEAT_STREAM + place)
                player.begin(self.position.view(place))
        self.redeals.append(Redeal(self.n_moves, seat, seed))

    def _moment(self) -> str:
        return f"in game {self.index} of seed {self.seed}, move {self.n_moves + 1}. {self.describe()}"

    def agent_scores(self) -> np.ndarray[Any, Any]:
        """The final scores, by agent."""
        by_seat = self.position.scores()
        by_agent = np.zeros(len(by_seat))
        by_agent[self.seating] = by_seat
        return by_agent

    def describe(self) -> str:
        """The position as the player to move sees it, with the legal moves."""
        seat = self.position.turn()
        legal = ", ".join(f"{action} {self.position.action_name(action)}" for action in self.position.legal())
        return f"Player {seat} saw: {self.position.describe(seat)} Legal: {legal}."


def compile_moves(game: Game, agents: Iterable[Agent]) -> None:
    """Compile what is asked from Python one by one, rules and agents, and say so first.

    What cannot be compiled is left to whoever asks it: there it is known where in a game that was.
    """
    rules, players = [name for name in rule_arguments(game) if name != "imagine"], [Player(agent, game) for agent in agents]
    parts = [Part(f"{game.name} move by move", _MOVE_SECONDS, tuple(getattr(game, name) for name in rules))]
    for agent in (player.agent for player in players if player.agent.compiled):
        parts.append(Part(f"{agent.name} for {game.name}, asked one by one", agent.seconds, (agent.act,)))
    with contextlib.suppress(*COMPILE_PROBLEMS), compiling(*parts):
        Position(game)  # seeds its chance
        for name in rules:
            compile_rule(game, name)
        for player in players:
            player.prepare()


def redeal(position: Position, seat: int, seed: int) -> None:
    """Deal anew all that the player in a seat cannot know, and draw from this seed from now on."""
    seat = whole_number("seat", seat, 0, position.game.n_players - 1)
    if position.over:
        raise UsageError("nothing can be dealt anew: the game is over")
    position.sample(check_seed(seed), 0)
    position.state = position.imagine(position.view(seat), seat)


def describe_moment(lineup: Lineup, seed: int, index: int, move: int) -> str:
    """What the player to move saw before a move of a game that went wrong there."""
    follower = Follower(lineup, seed, index)
    follower.start()
    for _ in zip(range(move), follower.moves(), strict=False):
        pass
    return follower.describe()
