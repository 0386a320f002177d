"""Counterfactual regret minimisation as textbooks tell it: recursion over histories, dictionaries, one method a branch.

The slow twin of the flat arrays: it shares nothing with them but the walk through the rules.
"""

from __future__ import annotations

from collections import defaultdict

from facedown.games.contract import OVER, Game
from facedown.games.registry import game as find_game
from facedown.trees.explore import Node, Walk

Key = tuple[int, bytes]
Policy = dict[Key, dict[int, float]]


class History:
    """A node with what follows it: chances of the first ones, children by action, scores at an end."""

    def __init__(self, node: Node, scores: tuple[float, ...]):
        self.player, self.legal, self.scores = node.player, node.legal, scores
        self.key: Key = (node.player, node.view)
        self.children: dict[int, list[tuple[float, History]]] = defaultdict(list)


def histories(game: str | Game) -> tuple[int, list[tuple[float, History]]]:
    """The number of players, and the histories that chance begins with, each with its probability."""
    found = find_game(game)
    walk, made, starts = Walk(found), dict[int, History](), list[tuple[float, History]]()
    keep = []  # the numbers of objects are good while the objects live
    for node in walk:
        scores = tuple(map(float, walk.rules.scores(node.state))) if node.player == OVER else ()
        history = made[id(node)] = History(node, scores)
        keep.append(node)
        chance = float(node.outcome.probability)
        if node.before is None:
            starts.append((chance, history))
        else:
            made[id(node.before)].children[node.action].append((chance, history))
    return found.n_players, starts


class SlowSolver:
    """All methods of the table in one class; t counts from 1."""

    def __init__(self, game: str | Game, method: str, alternating: bool = True):
        self.n_players, self.starts = histories(game)
        self.method, self.alternating, self.t = method, alternating, 0
        self.regrets: dict[Key, dict[int, float]] = {}
        self.sums: dict[Key, dict[int, float]] = {}
        self.strategy: Policy = {}
        self._own_reach: dict[Key, float] = {}
        for _, start in self.starts:
            self._begin(start)

    def _begin(self, history: History) -> None:
        if history.player != OVER:
            self.regrets[history.key] = dict.fromkeys(history.legal, 0.0)
            self.sums[history.key] = dict.fromkeys(history.legal, 0.0)
            self.strategy[history.key] = dict.fromkeys(history.legal, 1 / len(history.legal))
        for followers in history.children.values():
            for _, child in followers:
                self._begin(child)

    def iterate(self) -> None:
        """One iteration: every player learns once."""
        self.t += 1
        groups = [[player] for player in range(self.n_players)] if self.alternating else [list(range(self.n_players))]
        for learners in groups:
            instant: dict[Key, dict[int, float]] = {key: dict.fromkeys(row, 0.0) for key, row in self.regrets.items()}
            for learner in learners:
                for chance, start in self.starts:
                    self._walk(start, learner, 1.0, chance, instant)
            for key, row in instant.items():
                if key[0] in learners:
                    self._learn(key, row)

    def _walk(self, history: History, learner: int, own: float, others: float, instant: Policy) -> float:
        """The learner's value of a history; adds up instant regrets and the average on the way."""
        if history.player == OVER:
            return history.scores[learner]
        strategy, values = dict(self.strategy[history.key]), dict[int, float]()
        for action, followers in history.children.items():
            mine = own * strategy[action] if history.player == learner else own
            theirs = others if history.player == learner else others * strategy[action]
            values[action] = sum(
                chance * self._walk(child, learner, mine, theirs * chance, instant) for chance, child in followers
            )
        value = sum(strategy[action] * values[action] for action in history.legal)
        if history.player == learner:
            for action in history.legal:
                instant[history.key][action] += others * (values[action] - value)
            self._own_reach[history.key] = own
        return value

    def _learn(self, key: Key, instant: dict[int, float]) -> None:
        t, method, regrets = self.t, self.method, self.regrets[key]
        weight = {"cfr": 1.0, "cfr+": t, "lcfr": t, "dcfr": t**2, "pcfr+": t**2, "pdcfr+": t**5}[method]
        for action, probability in self.strategy[key].items():
            self.sums[key][action] += weight * self._own_reach[key] * probability
        shares = {}
        for action, r in instant.items():
            old = regrets[action]
            if method == "cfr":
                new = share = old + r
            elif method == "cfr+":
                new = share = max(old + r, 0.0)
            elif method == "lcfr":
                new = share = old * (t - 1) / t + r
            elif method == "dcfr":
                power = (t - 1) ** (1.5 if old > 0 else 0)
                new = share = old * power / (power + 1) + r
            elif method == "pcfr+":
                new = max(old + r, 0.0)
                share = new + r
            else:
                new = max(old * (t - 1) ** 2.3 / ((t - 1) ** 2.3 + 1) + r, 0.0)
                share = new * t**2.3 / (t**2.3 + 1) + r
            regrets[action], shares[action] = new, max(share, 0.0)
        total = sum(shares.values())
        self.strategy[key] = {action: share / total if total > 0 else 1 / len(shares) for action, share in shares.items()}

    def average(self) -> Policy:
        """The average policy."""
        averages = {}
        for key, row in self.sums.items():
            total = sum(row.values())
            averages[key] = {action: part / total if total > 0 else 1 / len(row) for action, part in row.items()}
        return averages

    def values(self, policy: Policy) -> list[float]:
        """What each player scores."""
        return [
            sum(chance * expected(start, policy, player) for chance, start in self.starts) for player in range(self.n_players)
        ]

    def gains(self, policy: Policy) -> list[float]:
        """How much more each player's best response scores."""
        values = self.values(policy)
        return [best_value(self.starts, policy, player) - values[player] for player in range(self.n_players)]


def expected(history: History, policy: Policy, player: int) -> float:
    """A player's expected score."""
    if history.player == OVER:
        return history.scores[player]
    return sum(
        policy[history.key][action] * chance * expected(child, policy, player)
        for action, followers in history.children.items()
        for chance, child in followers
    )


def best_value(starts: list[tuple[float, History]], policy: Policy, player: int) -> float:
    """The best response, decided for the information sets one by one: those that lie deepest in own moves come first."""
    reach: dict[Key, list[tuple[float, History]]] = defaultdict(list)
    depth: dict[Key, int] = {}

    def visit(history: History, others: float, own_moves: int) -> None:
        if history.player == OVER:
            return
        own = history.player == player
        if own:
            reach[history.key].append((others, history))
            depth[history.key] = own_moves
        for action, followers in history.children.items():
            for chance, child in followers:
                visit(child, others * chance * (1.0 if own else policy[history.key][action]), own_moves + own)

    for chance, start in starts:
        visit(start, chance, 0)
    chosen: dict[Key, int] = {}

    def value(history: History) -> float:
        if history.player == OVER:
            return history.scores[player]
        row = {chosen[history.key]: 1.0} if history.player == player else policy[history.key]
        return sum(share * chance * value(child) for action, share in row.items() for chance, child in history.children[action])

    for key in sorted(reach, key=depth.__getitem__, reverse=True):
        earns = {
            action: sum(
                others * sum(chance * value(child) for chance, child in history.children[action])
                for others, history in reach[key]
            )
            for action in reach[key][0][1].legal
        }
        chosen[key] = max(earns, key=earns.__getitem__)
    return sum(chance * value(start) for chance, start in starts)
