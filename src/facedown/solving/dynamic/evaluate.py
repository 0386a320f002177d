"""Agents whose choice depends on the position alone, exactly: against each other, and against their best replies.

1. Find all positions, each state with a decision being one, and ask the agents in all of them (`solving/interview.py`).
2. With the play of both players given, the value of a position is the solution of linear equations; with that of one player
   given, the other does its best: the solver is the same (`values.py`).

An agent is shown the settled position. If what it plays depends on more, on the last throw say, the figures would be those of
another agent: this is looked for in sample games, and refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from facedown.agents.contract import Agent
from facedown.agents.likelihood import Likely
from facedown.agents.registry import agent as find_agent
from facedown.errors import UsageError
from facedown.games.contract import OVER, Game
from facedown.games.registry import game as find_game
from facedown.games.stepper import Stepper
from facedown.native.jit import prepare_thread
from facedown.policies.policy import Policy
from facedown.progress import Callback
from facedown.solving.dynamic.arrays import Array
from facedown.solving.dynamic.find import Positions, find_positions
from facedown.solving.dynamic.values import Solver
from facedown.solving.interview import Interview, check_agent

_SAMPLE_DECISIONS = 300
_MAX_SAMPLE_GAMES = 100
_SAME = 1e-9


@dataclass(frozen=True, eq=False)
class Play:
    """How an agent plays, in every position and whichever seat it has."""

    agent: str
    mix: Array
    """float64: how likely each action is, one position after the other."""
    n_decisions: int
    """Positions in which it was asked."""
    asks: int
    """How often, where its probabilities had to be estimated; 0: they are exact."""


class Evaluator:
    """The positions of a game, ready to evaluate any number of agents."""

    def __init__(self, game: str | Game, *, max_positions: int | None = None, progress: Callback | None = None):
        self.game = find_game(game)
        self.positions: Positions = find_positions(self.game, looks=False, max_positions=max_positions, progress=progress)
        self._solver = Solver(self.positions)
        self._decisions = self._views()

    def _views(self) -> list[tuple[int, int, int, Any, list[int]]]:
        """Of each position with a choice: its number, its first row of actions, the mover, its view and its actions."""
        prepare_thread()
        graph, rules, found = self.positions.graph, Stepper(self.game), []
        first = graph.first[:, 0]
        for position in np.flatnonzero(np.diff(first) > 1).tolist():
            begin, end, mover = int(first[position]), int(first[position + 1]), int(graph.movers[position])
            view = rules.view_record(rules.view(self.positions.state(position), mover))
            found.append((position, begin, mover, view, graph.actions[begin:end].tolist()))
        return found

    def ask(self, agent: str | Agent, *, likely: Likely | None = None, asks: int = 0, seed: int = 1) -> Play:
        """How an agent plays in every position; refused if that depends on more than the position."""
        asked = find_agent(agent, self.game)
        check_agent(asked, likely)
        interview = Interview(self.game, asked, likely, asks, seed)
        self._check_position_alone(interview)
        mix = np.ones(len(self.positions.graph.actions))
        for _, begin, _, view, actions in self._decisions:
            mix[begin : begin + len(actions)] = interview.probabilities(view, actions)
        return Play(str(asked), mix, len(self._decisions), interview.asks_made)

    def _check_position_alone(self, interview: Interview) -> None:
        """Play some games at random and compare: the state as it is, and settled."""
        if not self.game.settles:
            return
        rules, draws, n_decisions = Stepper(self.game), np.random.default_rng(1), 0
        for number in range(_MAX_SAMPLE_GAMES):
            rules.sample(1, number)
            state = rules.start()
            while n_decisions < _SAMPLE_DECISIONS and (player := rules.turn(state)) != OVER:
                legal = rules.legal(state)
                if len(legal) > 1:
                    n_decisions += 1
                    self._compare(interview, rules, state, player, list(legal))
                    if interview.asks_made:
                        return  # frequencies differ anyhow
                state = rules.step(state, legal[draws.integers(len(legal))])

    def _compare(self, interview: Interview, rules: Stepper, state: bytes, player: int, legal: list[int]) -> None:
        views = [rules.view_record(rules.view(each, player)) for each in (state, rules.settled(state))]
        played = [interview.probabilities(view, legal) for view in views]
        if not interview.asks_made and np.abs(played[0] - played[1]).max() > _SAME:
            raise UsageError(
                f"agent {interview.agent.name} does not play by the position alone: in '{self.game.describe(views[0])}' its "
                f"probabilities are {played[0].tolist()}, and {played[1].tolist()} when only what has no influence on the rest "
                f"of the game is changed; measure it in matches"
            )

    # --- exact figures --------------------------------------------------------------------------------------------------

    def match(self, first: Play | str | Agent, second: Play | str | Agent) -> tuple[float, float]:
        """What both players score on average, `first` as player 0 and `second` as player 1."""
        plays = [each if isinstance(each, Play) else self.ask(each) for each in (first, second)]
        owner = np.repeat(self.positions.graph.movers, np.diff(self.positions.graph.first[:, 0]))
        mix = np.where(owner == 0, plays[0].mix, plays[1].mix)
        value = self._solver.solve(np.ones(2, np.bool_), mix).start
        return value, (self.game.score_total or 0.0) - value

    def alone(self, play: Play | str | Agent) -> tuple[float]:
        """What the one player of solitaire scores on average."""
        play = play if isinstance(play, Play) else self.ask(play)
        return (self._solver.solve(np.ones(2, np.bool_), play.mix).start,)

    def best_replies(self, play: Play | str | Agent) -> tuple[float, ...]:
        """By seat: what somebody who knows the agent scores there, while the agent has the other seat."""
        play = play if isinstance(play, Play) else self.ask(play)
        if self.game.n_players == 1:
            return (self._solver.solve().start,)
        as_first = self._solver.solve(np.array([False, True]), play.mix).start
        as_second = self._solver.solve(np.array([True, False]), play.mix).start
        return as_first, (self.game.score_total or 0.0) - as_second

    def exploitability(self, play: Play | str | Agent) -> float:
        """NashConv / players: what best replies win in both seats beyond what is there to share."""
        play = play if isinstance(play, Play) else self.ask(play)
        own = self.alone(play) if self.game.n_players == 1 else self.match(play, play)
        return (sum(self.best_replies(play)) - sum(own)) / self.game.n_players

    def policy(self, play: Play) -> Policy:
        """An agent's play as a policy, by what players see in settled positions."""
        chosen = self._decisions
        views = b"".join(view.tobytes() for _, _, _, view, _ in chosen)
        widths = [len(actions) for *_, actions in chosen]
        rows = [row for _, begin, _, _, actions in chosen for row in range(begin, begin + len(actions))]
        return Policy(
            game=self.game.spec,
            players=np.array([mover for _, _, mover, _, _ in chosen], np.uint8),
            views=np.frombuffer(views, np.uint8).reshape(len(chosen), self.game.view.itemsize),
            first=np.concatenate([[0], np.cumsum(widths)]).astype(np.int64),
            actions=self.positions.graph.actions[rows].astype(np.int32),
            probabilities=play.mix[rows],
        )


@lru_cache(maxsize=4)
def evaluator_for(game: Game) -> Evaluator:
    """The evaluator of a game; the last ones are kept."""
    return Evaluator(game)
