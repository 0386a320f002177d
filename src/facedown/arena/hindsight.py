"""Luck and play apart, after a game: what each decision of a seat was worth, from what the player knew when it was made.

1. Before each decision of the seat, draw worlds that fit its view (`imagine`).
2. In each world, play every legal action, and let a named agent play on in all seats to the end. The worlds and the luck that
   follows are the same for all actions, so that actions are compared, not deals.
3. The cost of a decision is the mean of the best action less that of the chosen one; the standard error is that of the paired
   differences. A cost below two of them is no finding.
4. score = value before the first decision - the costs of all decisions + luck. What is left over is luck: the cards, the dice,
   what others held and did.

The best of several means is too large on average where they are close, so costs are on the high side; more worlds help.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from facedown.agents.contract import Agent
from facedown.agents.player import Player
from facedown.agents.registry import agent as find_agent
from facedown.agents.registry import agents_for
from facedown.arena.estimators import stderr_of_mean
from facedown.arena.transcript import Transcript
from facedown.arena.worlds import view_seed
from facedown.errors import UsageError
from facedown.games.contract import Game
from facedown.games.position import Position
from facedown.games.registry import game as find_game
from facedown.inputs import whole_number
from facedown.native.records import Record
from facedown.progress import Callback, Reporter

N_WORLDS = 40
SECONDS = 20.0
N_ERRORS = 2.0
"""A cost of fewer standard errors than this is no finding."""


@dataclass(frozen=True)
class Judged:
    """A legal action and what it was worth."""

    action: int
    name: str
    value: float


@dataclass(frozen=True)
class Decision:
    """One decision: what was chosen, what would have been best, and the difference."""

    move: int
    """Its number; the position is that after the move before."""
    chosen: Judged
    best: Judged
    options: tuple[Judged, ...]
    cost: float
    stderr: float

    @property
    def is_mistake(self) -> bool:
        """Whether the cost is more than noise."""
        return self.cost > N_ERRORS * self.stderr


@dataclass(frozen=True)
class Hindsight:
    """A game of one seat, looked at again."""

    seat: int
    agent: str
    """Who plays on in all seats."""
    n_worlds: int
    decisions: tuple[Decision, ...]
    n_left_out: int
    """Decisions that there was no time for."""
    score: float

    @property
    def expected(self) -> float:
        """The score that was to be expected before the first decision, with the best move."""
        return self.decisions[0].best.value if self.decisions else self.score

    @property
    def play(self) -> float:
        """What the decisions cost, as a loss."""
        return -sum(decision.cost for decision in self.decisions)

    @property
    def luck(self) -> float:
        """The rest."""
        return self.score - self.expected - self.play

    @property
    def costliest(self) -> Decision | None:
        """The most expensive of the decisions that were mistakes."""
        mistakes = [decision for decision in self.decisions if decision.is_mistake]
        return max(mistakes, key=lambda decision: decision.cost) if mistakes else None


def judge_for(game: Game, wanted: Sequence[str] = ()) -> str:
    """An agent that can play on from any position: one of those wanted if it can, else `uniform`."""
    known = agents_for(game)
    for name in wanted:
        if name in known and _can_play_on(known[name]):
            return name
    return "uniform"


def _can_play_on(agent: Agent) -> bool:
    # what it remembers would have to be brought to the position first, and what it sees must be a view
    return agent.compiled and agent.memory is None and agent.watch is None and not agent.cheats


def look_back(
    transcript: Transcript,
    seat: int,
    agent: str = "uniform",
    n_worlds: int = N_WORLDS,
    seconds: float = SECONDS,
    progress: Callback | None = None,
) -> Hindsight:
    """Judge the decisions of a seat in a finished game; what `seconds` are not enough for is left out."""
    if transcript.scores is None:
        raise UsageError("the game is not over; its decisions are judged at its end")
    game = find_game(transcript.game)
    seat = whole_number("seat", seat, 0, game.n_players - 1)
    judge = find_agent(agent, game)
    if not _can_play_on(judge):
        raise UsageError(f"{agent} cannot judge: it would have to remember a game that it has not played; take uniform")
    rollout = _Rollout(game, judge, seat, whole_number("n_worlds", n_worlds, 2, 100_000))
    started, decisions, n_left_out = time.perf_counter(), [], 0
    reporter = Reporter(progress, len(transcript.moves), "moves")
    moves = iter(transcript.moves)
    for position in transcript.positions():
        move = next(moves, None)
        if move is None or move.player != seat or len(position.legal()) < 2:
            continue
        if time.perf_counter() - started > seconds:
            n_left_out += 1
            continue
        decisions.append(rollout.decision(position.view(seat), position.legal(), move.number, move.action))
        reporter(move.number, f"move {move.number} of {len(transcript.moves)}")
    return Hindsight(seat, agent, n_worlds, tuple(decisions), n_left_out, transcript.scores[seat])


def advise(
    game: Game, view: Record, legal: list[int], player: int, agent: str = "uniform", n_worlds: int = N_WORLDS
) -> tuple[Judged, ...]:
    """What each legal action of the player to move is worth, from what it sees now."""
    rollout = _Rollout(game, find_agent(agent, game), player, n_worlds)
    return rollout.decision(view, legal, 0, legal[0]).options


class _Rollout:
    """Plays on from imagined worlds."""

    def __init__(self, game: Game, judge: Agent, seat: int, n_worlds: int):
        self._game, self._seat, self._n_worlds = game, seat, n_worlds
        self._position = Position(game)
        self._players = [Player(judge, game) for _ in range(game.n_players)]

    def decision(self, view: Record, legal: list[int], number: int, chosen: int) -> Decision:
        """What each action was worth from this view."""
        seed = view_seed(self._game, view.tobytes())
        values = np.empty((len(legal), self._n_worlds))
        for world in range(self._n_worlds):
            self._position.sample(seed, world)
            state = self._position.imagine(view, self._seat)
            for at, action in enumerate(legal):
                values[at, world] = self._play_on(state, action, seed, world)
        means = values.mean(axis=1)
        best, own = int(means.argmax()), legal.index(chosen)
        gaps = values[best] - values[own]
        options = tuple(
            Judged(action, self._game.action_name(view, action), float(mean)) for action, mean in zip(legal, means, strict=True)
        )
        return Decision(number, options[own], options[best], options, float(gaps.mean()), stderr_of_mean(gaps))

    def _play_on(self, state: Record, action: int, seed: int, world: int) -> float:
        position = self._position
        position.state = state
        position.sample(seed, world, stream=1)  # the same luck for each action
        for place, player in enumerate(self._players):
            player.sit_down(seed, world, place + 2)
        position.step(action)
        for _ in range(self._game.max_moves):
            if position.over:
                break
            mover, legal = position.turn(), position.legal()
            forced = len(legal) == 1
            position.step(legal[0] if forced else self._players[mover].choose(position.view(mover), legal))
        return float(position.scores()[self._seat])
