"""One game under examination, and what several checks need of it: sample games and, if it is small, its whole tree."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from facedown.agents.contract import Agent
from facedown.agents.registry import own_agents
from facedown.check.report import Skip
from facedown.check.sample import Sample, Spot
from facedown.errors import FacedownError
from facedown.games.contract import OVER, Game
from facedown.games.stepper import Stepper
from facedown.native.records import Record
from facedown.trees.estimate import estimate_nodes
from facedown.trees.explore import Exploration, Node, TreeTooLargeError, explore, history_text, too_large

_MOMENTS_A_GAME = 20
"""On average; a few long games are as good as many short ones."""

_MAX_SPOTS_IMAGINED = 300
_IMAGINED_STATES = 4


@dataclass
class InformationSet:
    """What all histories have in common that look the same to the player to move, and where they do not."""

    player: int
    view: bytes
    legal: tuple[int, ...]
    memory: int
    """Stands for what the player saw and did before."""
    first: Node
    """The first history that led here."""
    states: dict[bytes, list[Node]] = field(default_factory=dict)
    """The histories that lead to each of its states."""
    other_legal: Node | None = None
    """A history with other legal actions."""
    other_moves: Node | None = None
    """A history in which the player had seen or done something else before."""


class Tree:
    """A whole game tree: its figures, its information sets, and the first end that breaks a promise about scores."""

    def __init__(self, game: Game, nodes: int):
        self._sets: dict[tuple[int, int], InformationSet] = {}
        self.longest: Node | None = None
        self.ends: dict[bytes, Node] = {}
        self.figures: Exploration = explore(game, max_nodes=nodes, visit=self._visit)

    @property
    def information_sets(self) -> list[InformationSet]:
        """All of them, in the order in which they were found."""
        return list(self._sets.values())

    def _visit(self, node: Node) -> None:
        if self.longest is None or node.n_moves > self.longest.n_moves:
            self.longest = node
        if node.player == OVER:
            self.ends.setdefault(node.state, node)
            return
        known = self._sets.get((node.player, node.information_set))
        memory = node.memories[node.player]
        if known is None:
            known = InformationSet(node.player, node.view, node.legal, memory, node)
            self._sets[node.player, node.information_set] = known
        if known.legal != node.legal:
            known.other_legal = known.other_legal or node
        if known.memory != memory:
            known.other_moves = known.other_moves or node
        known.states.setdefault(node.state, []).append(node)


@dataclass
class BehindView:
    """States that `imagine` found behind one view of a sample game."""

    spot: Spot
    player: int
    """Whose view it is."""
    mover: int
    view: bytes
    states: list[bytes]
    views: list[bytes]
    """What the player sees in each of these states."""


class Case:
    """A game, how thoroughly it is to be examined, and what was worked out about it so far."""

    def __init__(self, game: Game, games: int, seed: int, nodes: int, agents: Sequence[Agent] = ()):
        self.game, self.games, self.seed, self.nodes = game, games, seed, nodes
        self.agents = agents
        """To be examined too, besides those that the game is known to have."""

    @cached_property
    def rules(self) -> Stepper:
        """The game's rules; whoever lets them draw says first from where."""
        return Stepper(self.game)

    @cached_property
    def playing_agents(self) -> list[Agent]:
        """The game's own agents, at their quickest, for sample games."""
        own = (agent(**agent.quick) for agent in own_agents(self.game))
        return [agent for agent in own if agent.compiled and not agent.cheats and agent.game_spec in {"", self.game.spec}]

    @cached_property
    def sample(self) -> Sample:
        """Games with random moves, and by agents that can play."""
        return Sample(self.rules, self.seed, self.games, _MOMENTS_A_GAME * self.games, agents=self.playing_agents)

    @cached_property
    def behind_views(self) -> list[BehindView]:
        """Several imagined states for every player at some positions of the sample games."""
        found: list[BehindView] = []
        spots = self.sample.spots(min(_MAX_SPOTS_IMAGINED, 5 * self.games))
        self.rules.sample(self.seed, 0)  # after the sample games, which are played with the same rules
        for spot in spots:
            if spot.over:
                continue
            mover = self.rules.turn(spot.state)
            for player in range(self.game.n_players):
                view = self.rules.view(spot.state, player)
                states = [self.rules.imagine(view, player) for _ in range(_IMAGINED_STATES)]
                views = [self.rules.view(state, player) for state in states]
                found.append(BehindView(spot, player, mover, view, states, views))
        return found

    @cached_property
    def _tree_or_problem(self) -> Tree | FacedownError:
        try:
            # by Markov's inequality a guess is a thousand times too large less than once in a thousand
            estimate = estimate_nodes(self.game)
            if estimate.log10 > math.log10(self.nodes) + 3:
                return too_large(self.game, self.nodes, estimate)
            return Tree(self.game, self.nodes)
        except FacedownError as problem:
            return problem

    @property
    def tree(self) -> Tree:
        """The whole tree; the check is passed over where it is too large."""
        found = self._tree_or_problem
        if isinstance(found, TreeTooLargeError):
            raise Skip(str(found))
        if isinstance(found, FacedownError):
            raise found
        return found

    @property
    def tree_is_small(self) -> bool:
        """Whether there is a whole tree to look at."""
        return isinstance(self._tree_or_problem, Tree)

    def look(self, state: bytes, player: int) -> Record:
        """What a player sees, as a record."""
        return self.rules.view_record(self.rules.view(state, player))

    def where(self, node: Node) -> str:
        """A place in the tree."""
        return f"the game that goes: {history_text(self.rules, node)}"
