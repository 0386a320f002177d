"""The search of `mcts`, slowly: dictionaries and lists, written from the paper, fed by the same draws.

Cowling, Powley & Whitehouse 2012, Algorithm 1, with nodes told apart by the bytes that the observer sees.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from facedown.games.contract import Game
from facedown.native.chance import draw
from facedown.native.records import Record

Chooser = Callable[[Any, list[int]], int]
"""From a state and its legal actions to the action that somebody plays there."""


@dataclass
class Child:
    """One action at a node."""

    visits: int = 0
    available: int = 0
    reward: float = 0.0


@dataclass
class SlowSearch:
    """A search that remembers its tree from one move to the next."""

    game: Game
    chance: Record
    simulations: int
    exploration: float
    observers: int
    opponent: Chooser | None = None
    tree: dict[tuple[int, bytes], dict[int, Child]] = field(default_factory=dict)

    def children(self, player: int, view: Record) -> dict[int, Child]:
        """What was found out about the moves at a view of the player to move."""
        return self.tree.get((player, view.tobytes()), {})

    def run(self, player: int, view: Record) -> None:
        for _ in range(self.simulations):
            self._simulate(player, view)

    def _simulate(self, player: int, view: Record) -> None:
        game = self.game
        state = game.blank()[0]
        game.imagine(view, np.int64(player), self.chance, state)
        taken: list[tuple[int, Child]] = []
        selecting = True
        while (mover := int(game.turn(state))) >= 0:
            legal = self._legal(state)
            if len(legal) == 1:
                action = legal[0]
            elif self.opponent is not None and mover != player:
                action = self.opponent(state, legal)
            elif selecting:
                action, child, is_new = self._choose(state, player if self.observers == 1 else mover, mover, legal)
                taken.append((mover, child))
                selecting = not is_new
            else:
                action = legal[int(draw(self.chance, len(legal)))]
            game.step(state, np.int64(action), self.chance)
        scores = np.zeros(game.n_players)
        game.score(state, scores)
        low, high = game.score_range
        for mover, child in taken:
            child.visits += 1
            child.reward += (scores[mover] - low) * (1.0 / (high - low))

    def _legal(self, state: Record) -> list[int]:
        actions = np.zeros(self.game.n_actions + 4, np.int64)
        count = int(self.game.legal(state, actions))
        return [int(action) for action in actions[:count]]

    def _choose(self, state: Record, observer: int, mover: int, legal: list[int]) -> tuple[int, Child, bool]:
        views = np.zeros(1, self.game.view)
        self.game.observe(state, np.int64(observer), views[0])
        children = self.tree.setdefault((mover, views.tobytes()), {})
        untried = [action for action in legal if action not in children]
        if untried:
            action = untried[int(draw(self.chance, len(untried)))]
            children[action] = Child()
        else:
            action = max(legal, key=lambda choice: (self._bound(children[choice]), -choice))
        for choice in legal:
            if choice in children:
                children[choice].available += 1
        return action, children[action], bool(untried)

    def _bound(self, child: Child) -> float:
        mean = child.reward / child.visits
        return mean + self.exploration * math.sqrt(math.log(child.available) / child.visits)
