"""What a policy is worth, and what could be won against it, worked out on a dictionary of nodes: slow and obvious."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

import numpy as np

from facedown.games.contract import OVER, Game
from facedown.policies.policy import Policy
from facedown.trees.explore import Node, Walk

Key = tuple[int, bytes]
Strategy = dict[Key, np.ndarray]
"""The probabilities of a player's legal actions, by player and view; uniform where there is nothing."""


@dataclass
class Place:
    """A decision or an end, with the chance of each place behind each action."""

    key: Key
    legal: tuple[int, ...]
    chance: float
    scores: np.ndarray
    behind: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))


class SlowValues:
    """A whole game in memory."""

    def __init__(self, game: Game):
        self.game = game
        self.places: list[Place] = []
        self.roots: list[int] = []
        walk = Walk(game)
        numbers: dict[Node, int] = {}
        for node in walk:
            number = numbers[node] = len(self.places)
            scores = [float(score) for score in walk.rules.scores(node.state)] if node.player == OVER else []
            self.places.append(Place((node.player, node.view), node.legal, float(node.outcome.probability), np.array(scores)))
            if node.before is None:
                self.roots.append(number)
            else:
                self.places[numbers[node.before]].behind[node.action].append(number)
        self.members: dict[Key, list[int]] = defaultdict(list)
        for number, place in enumerate(self.places):
            if place.key[0] != OVER:
                self.members[place.key].append(number)

    def strategy(self, policy: Policy) -> Strategy:
        """A policy as a dictionary."""
        return {(int(policy.players[at]), policy.views[at].tobytes()): policy.row(at)[1] for at in range(policy.n_sets)}

    def chances(self, strategy: Strategy, number: int) -> np.ndarray:
        """The probabilities of the actions at a place."""
        place = self.places[number]
        found = strategy.get(place.key)
        return np.full(len(place.legal), 1 / len(place.legal)) if found is None else found

    def reaches(self, strategy: Strategy) -> np.ndarray:
        """For each place: the probability of chance alone, then of each player alone, to come there."""
        found = np.ones((len(self.places), 1 + self.game.n_players))
        found[self.roots, 0] = [self.places[root].chance for root in self.roots]
        for number, place in enumerate(self.places):  # those behind come later
            if not place.legal:
                continue
            for action, p in zip(place.legal, self.chances(strategy, number), strict=True):
                for after in place.behind[action]:
                    found[after] = found[number]
                    found[after, 0] *= self.places[after].chance
                    found[after, 1 + place.key[0]] *= p
        return found

    def worths(self, strategy: Strategy) -> tuple[np.ndarray, list[dict[int, np.ndarray]]]:
        """What each place is worth to the players, and each action there."""
        worth = np.zeros((len(self.places), self.game.n_players))
        by_action: list[dict[int, np.ndarray]] = [{} for _ in self.places]
        for number in reversed(range(len(self.places))):
            place = self.places[number]
            if not place.legal:
                worth[number] = place.scores
                continue
            for action, p in zip(place.legal, self.chances(strategy, number), strict=True):
                value = sum(self.places[after].chance * worth[after] for after in place.behind[action])
                by_action[number][action] = value
                worth[number] += p * value
        return worth, by_action

    def values(self, strategy: Strategy) -> np.ndarray:
        """Expected scores."""
        worth, _ = self.worths(strategy)
        return sum(self.places[root].chance * worth[root] for root in self.roots)

    def regrets(self, strategy: Strategy) -> dict[Key, np.ndarray]:
        """Counterfactual regrets of every information set (Zinkevich et al. 2007, equation 7, for one iteration)."""
        worth, by_action = self.worths(strategy)
        reach = self.reaches(strategy)
        found: dict[Key, np.ndarray] = {}
        for key, members in self.members.items():
            player, legal = key[0], self.places[members[0]].legal
            total = np.zeros(len(legal))
            for number in members:
                others = np.prod(np.delete(reach[number], 1 + player))
                total += others * np.array([by_action[number][a][player] - worth[number, player] for a in legal])
            found[key] = total
        return found

    def best_response(self, strategy: Strategy, player: int) -> float:
        """What the player gets by the best choice in every information set."""
        reach = self.reaches(strategy)
        others = np.prod(np.delete(reach, 1 + player, axis=1), axis=1)
        worth: dict[int, float] = {}
        best: dict[Key, int] = {}

        def behind(number: int, action: int) -> float:
            return sum(self.places[after].chance * value(after) for after in self.places[number].behind[action])

        def value(number: int) -> float:
            if number not in worth:
                place = self.places[number]
                if not place.legal:
                    worth[number] = float(place.scores[player])
                elif place.key[0] == player:
                    worth[number] = behind(number, choice(place.key))
                else:
                    chances = self.chances(strategy, number)
                    worth[number] = sum(p * behind(number, a) for a, p in zip(place.legal, chances, strict=True))
            return worth[number]

        def choice(key: Key) -> int:
            if key not in best:
                legal = self.places[self.members[key][0]].legal
                best[key] = max(legal, key=lambda a: sum(others[number] * behind(number, a) for number in self.members[key]))
            return best[key]

        return sum(self.places[root].chance * value(root) for root in self.roots)

    def exploitability(self, policy: Policy) -> float:
        """NashConv / number of players."""
        strategy = self.strategy(policy)
        values = self.values(strategy)
        gains = [self.best_response(strategy, player) - values[player] for player in range(self.game.n_players)]
        return sum(gains) / len(gains)
