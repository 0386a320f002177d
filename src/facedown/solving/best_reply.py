"""How far an agent is from unexploitable: what somebody who knows exactly how it plays scores against it.

1. Grow the tree of the game (`grow.py`), which must be small and have perfect recall.
2. Ask the agent in every information set of every seat. An agent that draws with `draw`, `draw_from` or `shuffle` is asked
   once for every combination of draws, so that its probabilities are exact; those of `uniform` and of tables are known.
3. The best reply in each seat, while the agent sits in all others, comes from the tree bottom up (`best_response.py`).

What an agent remembers is not in its view, so agents that remember cannot be asked: they are refused. So are those that
draw in other ways, unless somebody says how likely their moves are (`likely`), or `asks` allows to estimate it: then each
information set is asked so often, and a probability has a standard error of 0.5 / sqrt(asks) at most. A reply that is best
against frequencies fits their noise too, so the estimates are too high rather than too low.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from facedown.agents.contract import Agent
from facedown.agents.likelihood import KNOWN, Likely
from facedown.agents.policy import Policy
from facedown.agents.registry import agent as find_agent
from facedown.errors import AgentError, FacedownError, RulesError, UsageError
from facedown.games.contract import Game
from facedown.games.registry import game as find_game
from facedown.native.chance import CHANCE, game_key, seed_stream
from facedown.native.jit import COMPILE_PROBLEMS, compiling, explain, prepare_thread
from facedown.native.outcomes import Odometer, TooManyOutcomesError
from facedown.native.records import Record, blank
from facedown.solving.best_response import Judge
from facedown.solving.engine import KERNELS, policy_of
from facedown.solving.grow import build_tree
from facedown.solving.layout import lay_out
from facedown.solving.regret import find_weights
from facedown.solving.tree import Array, Tree

MOST_DRAWS = 100_000
"""Combinations of draws for one decision, beyond which nobody waits for all of them."""

_ANSWER = np.dtype((np.record, [("action", np.int64)]))


@dataclass(frozen=True)
class BestReply:
    """What can be won against an agent that sits in all seats but one."""

    game: str
    agent: str
    values: tuple[float, ...]
    """By seat: what a best reply scores there while the agent has all other seats."""
    own: tuple[float, ...]
    """By seat: what the agent scores there against itself."""
    asks: int
    """How often each information set was asked; 0: probabilities, and with them all figures, are exact."""
    information_sets: int
    nodes: int
    seconds: float
    policy: Policy = field(repr=False, compare=False)
    """How the agent plays, in every information set."""

    @property
    def value(self) -> float:
        """What a best reply scores, on average over the seats."""
        return sum(self.values) / len(self.values)

    @property
    def gains(self) -> tuple[float, ...]:
        """By seat: how much more a best reply scores than the agent itself would."""
        return tuple(best - own for best, own in zip(self.values, self.own, strict=True))

    @property
    def nash_conv(self) -> float:
        """The sum of the gains; 0 in an equilibrium and nowhere else."""
        return sum(self.gains)

    @property
    def exploitability(self) -> float:
        """NashConv divided by the number of players."""
        return self.nash_conv / len(self.values)

    def to_dict(self) -> dict[str, Any]:
        """The figures, as JSON has them."""
        return {
            "schema": "facedown.best_reply/1",
            "game": self.game,
            "agent": self.agent,
            "value": self.value,
            "values": list(self.values),
            "own": list(self.own),
            "gains": list(self.gains),
            "nash_conv": self.nash_conv,
            "exploitability": self.exploitability,
            "exact": self.asks == 0,
            "asks": self.asks,
            "information_sets": self.information_sets,
            "nodes": self.nodes,
            "seconds": self.seconds,
        }

    def __repr__(self) -> str:
        how = "exactly" if self.asks == 0 else f"estimated from {self.asks:,} answers in each information set"
        seats = ", ".join(f"{best:.6g} as player {seat}" for seat, best in enumerate(self.values))
        return (
            f"{self.game}: a best reply to {self.agent} scores {seats} ({how}); the agent is exploitable by "
            f"{self.exploitability:.6g} (NashConv {self.nash_conv:.6g} / {len(self.values)} players)"
        )


def best_reply(
    game: str | Game | Tree,
    agent: str | Agent,
    *,
    likely: Likely | None = None,
    asks: int = 0,
    seed: int = 1,
) -> BestReply:
    """What a best reply to an agent is worth, from every seat.

    game      a small game, or its tree if that is at hand
    likely    how likely the agent plays each action, likely(agent, view, actions); for agents that cannot be enumerated
    asks      estimate probabilities from so many answers where they cannot be enumerated; 0 refuses such agents
    seed      of the streams that these answers are drawn from

    >>> best_reply("kuhn", "first").values  # the one who always passes loses the ante to every bet
    (1.0, 1.0)
    """
    if isinstance(asks, bool) or not isinstance(asks, int | np.integer) or asks < 0:
        raise UsageError(f"asks={asks}: a whole number from 0 on is needed")
    started = time.perf_counter()
    rules = game.game if isinstance(game, Tree) else find_game(game)
    asked = find_agent(agent, rules)
    _check(asked, likely)
    tree = game if isinstance(game, Tree) else build_tree(rules)
    layout = lay_out(tree)
    interview = _Interview(rules, asked, likely, int(asks), seed)
    strategy = interview.everywhere(tree)
    with compiling(KERNELS):
        judge = Judge(layout)
        find_weights(layout, strategy, judge.weights)
        found = judge.evaluate(judge.weights)
    return BestReply(
        game=rules.spec,
        agent=str(asked),
        values=tuple(value + gain for value, gain in zip(found.values, found.gains, strict=True)),
        own=found.values,
        asks=interview.asks_made,
        information_sets=tree.n_sets,
        nodes=tree.n_nodes,
        seconds=time.perf_counter() - started,
        policy=policy_of(tree, layout, strategy),
    )


def _check(agent: Agent, likely: Likely | None) -> None:
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


class _Interview:
    """An agent that is asked how it plays."""

    def __init__(self, game: Game, agent: Agent, likely: Likely | None, asks: int, seed: int):
        self.game, self.agent, self.asks, self.seed = game, agent, asks, seed
        self.likely = likely or KNOWN.get(agent.act)
        self.asks_made = 0
        """0 as long as nothing had to be estimated."""
        self._params, self._actions = agent.params.copy(), np.zeros(game.n_actions + 4, np.int64)
        self._params.flags.writeable = False
        self._read_only = self._actions.view()
        self._read_only.flags.writeable = False
        self._memory, self._odometer = np.zeros(0, np.uint8), Odometer(_ANSWER)
        self._answers, self._chances = np.zeros(1, _ANSWER), blank(CHANCE)
        self._n_asked = 0

    def everywhere(self, tree: Tree) -> Array:
        """The probability of the last action of every sequence, player after player, as `layout.py` has them."""
        prepare_thread()
        parts = []
        for plex in tree.treeplexes:
            strategy = np.ones(plex.n_sequences)
            views = np.ascontiguousarray(plex.views).reshape(-1).view(self.game.view)
            for number, (begin, end) in enumerate(pairwise(plex.first.tolist())):
                if end - begin > 1:  # nobody is asked where there is no choice
                    strategy[begin:end] = self._probabilities(views[number], plex.actions[begin:end].tolist())
            parts.append(strategy)
        return np.concatenate(parts)

    def _probabilities(self, view: Record, actions: list[int]) -> Array:
        """How likely the agent plays each action."""
        if self.likely is not None:
            found: Array = np.asarray(self.likely(self.agent, view, actions), np.float64)
            if found.shape != (len(actions),) or not (found >= 0).all() or abs(found.sum() - 1) > 1e-6:
                raise AgentError(
                    f"the probabilities of agent {self.agent.name} must be one for each of the actions {actions} and add up to "
                    f"1, not {found.tolist()}, in '{self.game.describe(view)}'"
                )
            return found / float(found.sum())
        self._actions[: len(actions)] = actions
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
        try:
            action = int(self.agent.act(view, self._read_only, len(actions), self._params, self._memory, chance))
        except COMPILE_PROBLEMS as problem:
            raise explain(problem, f"agent {self.agent.name}", sees="players cannot see") from None
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
            outcomes = self._odometer.every_outcome(run, self._answers, f"agent {self.agent.name}", MOST_DRAWS).outcomes
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
            seed_stream(chance, np.uint64(game_key(np.int64(self.seed), np.int64(self._n_asked))), 1)
            self._n_asked += 1
            found[actions.index(self._answer(view, actions, chance))] += 1
        return found / self.asks
