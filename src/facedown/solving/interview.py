"""Asking an agent how it plays: how likely each of its actions is, for everything that it can see.

An agent that draws with `draw`, `draw_from` or `shuffle` is asked once for every combination of draws, so that its
probabilities are exact; those of some agents are known (`agents/likelihood.py`). What an agent remembers is not in its view,
so agents that remember cannot be asked: they are refused. So are those that draw in other ways, unless somebody says how
likely their moves are, or `asks` lets it be estimated.
"""

from __future__ import annotations

import numpy as np

from facedown.agents.contract import Agent
from facedown.agents.likelihood import KNOWN, Likely
from facedown.agents.player import Player
from facedown.errors import AgentError, FacedownError, RulesError, UsageError
from facedown.games.contract import Game
from facedown.native.chance import CHANCE, seed_stream
from facedown.native.outcomes import Odometer, TooManyOutcomesError
from facedown.native.records import Record, blank
from facedown.native.streams import REPLIES
from facedown.trees.tree import Array

MAX_DRAWS = 100_000
"""Combinations of draws for one decision, beyond which nobody waits for all of them."""

_ANSWER = np.dtype((Record, [("action", np.int64)]))


def check_agent(agent: Agent, likely: Likely | None) -> None:
    """Refuse agents that are more than a function of their view."""
    if agent.cheats:
        raise UsageError(f"agent {agent.name} is shown what players cannot see, so a player cannot be compared with it")
    if likely is not None or agent.act in KNOWN:
        return
    if agent.memory is not None or agent.watch is not None:
        raise UsageError(
            f"agent {agent.name} remembers: how it plays in an information set depends on more than its view, and cannot be "
            f"asked there. Choose one without a memory, or measure it in matches"
        )
    if not agent.compiled and not agent.deterministic:
        raise UsageError(
            f"agent {agent.name} is not compiled and does not say that it is deterministic, so it cannot be asked for every "
            f"information set; say how it plays with likely=..."
        )


class _NotCountableError(FacedownError):
    """An agent draws in a way that cannot be enumerated."""


class Interview:
    """An agent that is asked how it plays."""

    def __init__(self, game: Game, agent: Agent, likely: Likely | None, asks: int, seed: int):
        self.game, self.agent, self.asks, self.seed = game, agent, asks, seed
        self.likely = likely or KNOWN.get(agent.act)
        self.asks_made = 0
        """0 as long as nothing had to be estimated."""
        self._player, self._odometer = Player(agent, game), Odometer(_ANSWER)
        self._answers, self._chances = np.zeros(1, _ANSWER), blank(CHANCE)
        self._n_asked = 0

    def probabilities(self, view: Record, actions: list[int]) -> Array:
        """How likely the agent plays each action."""
        if self.likely is not None:
            found: Array = np.asarray(self.likely(self.agent, view, actions), np.float64)
            if found.shape != (len(actions),) or not (found >= 0).all() or abs(found.sum() - 1) > 1e-6:
                raise AgentError(
                    f"the probabilities of agent {self.agent.name} must be one for each of the actions {actions} and add up to "
                    f"1, not {found.tolist()}, in '{self.game.describe(view)}'"
                )
            return found / float(found.sum())
        if not self.asks_made:
            try:
                return self._enumerated(view, actions)
            except _NotCountableError as problem:
                if not self.asks:
                    raise UsageError(
                        f"agent {self.agent.name} cannot be asked for its probabilities: {problem}. Say how likely its moves "
                        f"are with likely=..., or let them be estimated from so many answers with asks=1000"
                    ) from None
                self.asks_made = self.asks
        return self._estimated(view, actions)

    def _answer(self, view: Record, actions: list[int], chance: Record) -> int:
        """What the agent does."""
        action = self._player.choose(view, actions, chance)
        if action not in actions:
            raise AgentError(
                f"agent {self.agent.name} cannot play {action} (legal: {', '.join(map(str, actions))}) in "
                f"'{self.game.describe(view)}'"
            )
        return action

    def _enumerated(self, view: Record, actions: list[int]) -> Array:
        """Exact probabilities: the agent is asked once for every combination of its draws."""

        def run(answer: Record, chance: Record) -> None:
            answer.action = self._answer(view, actions, chance)

        try:
            outcomes = self._odometer.every_outcome(run, self._answers, f"agent {self.agent.name}", MAX_DRAWS).outcomes
        except TooManyOutcomesError as problem:
            raise _NotCountableError(str(problem)) from None
        except RulesError as problem:  # draws that no tape can have
            raise _NotCountableError(str(problem).replace("the rules", "it")) from None
        found = np.zeros(len(actions))
        for outcome in outcomes:
            found[actions.index(int(np.frombuffer(outcome.state, _ANSWER)["action"][0]))] = outcome.p
        return found

    def _estimated(self, view: Record, actions: list[int]) -> Array:
        """Frequencies among many answers, each from a stream of its own."""
        found, chance = np.zeros(len(actions)), self._chances[0]
        for _ in range(self.asks):
            seed_stream(chance, self.seed, self._n_asked, 0, REPLIES)
            self._n_asked += 1
            found[actions.index(self._answer(view, actions, chance))] += 1
        return found / self.asks
