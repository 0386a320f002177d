"""Random game trees: as text, and as nested objects from which everything is worked out in the plainest way."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction


@dataclass
class Branching:
    """A node; an end has no children."""

    kind: str
    payoffs: tuple[Fraction, ...] | None
    player: int = -1
    number: int = 0
    labels: list[str] = field(default_factory=list)
    probabilities: list[Fraction] = field(default_factory=list)
    children: list[Branching] = field(default_factory=list)


class RandomTree:
    """A tree of at most so many levels; players forget now and then. `labels` are what actions are called."""

    def __init__(self, seed: int, levels: int = 4, labels: tuple[str, ...] = ("left", "right", "", 'say "so"', "left")):
        self._labels = labels
        self._random = random.Random(seed)
        self.n_players = self._random.randint(1, 5)
        self._sets: dict[tuple[int, int], list[str]] = {}
        self._n_chance = 0
        self.root = self._node(levels)
        if not self._sets:  # somebody has to move
            self.root = self._decision(levels)

    def _number(self) -> Fraction:
        return Fraction(self._random.randint(-20, 20), self._random.choice([1, 1, 2, 3, 8, 10]))

    def _pay(self, often: float) -> tuple[Fraction, ...] | None:
        return tuple(self._number() for _ in range(self.n_players)) if self._random.random() < often else None

    def _node(self, levels: int) -> Branching:
        chosen = self._random.random()
        if levels == 0 or chosen < 0.15:
            return Branching("t", self._pay(0.9))
        return self._chance(levels) if chosen < 0.4 else self._decision(levels)

    def _chance(self, levels: int) -> Branching:
        self._n_chance += 1
        weights = [self._random.randint(0, 9) for _ in range(self._random.randint(1, 3))]
        weights[0] += 1
        node = Branching("c", self._pay(0.2), number=self._n_chance)
        node.labels = [f"branch {index}" for index in range(len(weights))]
        node.probabilities = [Fraction(weight, sum(weights)) for weight in weights]
        node.children = [self._node(levels - 1) for _ in weights]
        return node

    def _decision(self, levels: int) -> Branching:
        player, number = self._random.randrange(self.n_players), self._random.randint(1, 6)
        labels = self._sets.setdefault((player, number), list(self._labels[: self._random.randint(1, 5)]))
        node = Branching("p", self._pay(0.2), player, number, labels)
        node.children = [self._node(levels - 1) for _ in labels]
        return node

    # --- as text --------------------------------------------------------------------------------------------------------

    def text(self) -> str:
        """The file, with each number in one of the ways in which it can be written."""
        players = " ".join(f'"player {player}"' for player in range(self.n_players))
        self._n_outcomes = 0
        return f'EFG 2 R "random" {{ {players} }} "a comment"\n' + "\n".join(self._lines(self.root))

    def _lines(self, node: Branching) -> list[str]:
        words = [label.replace('"', '\\"') for label in node.labels]
        if node.kind == "c":
            pairs = zip(words, node.probabilities, strict=True)
            listing = " ".join(f'"{label}" {self._written(p)}' for label, p in pairs)
            line = f'c "" {node.number} "" {{ {listing} }}'
        elif node.kind == "p":
            listing = " ".join(f'"{label}"' for label in words)
            line = f'p "" {node.player + 1} {node.number} "set {node.number}" {{ {listing} }}'
        else:
            line = 't ""'
        lines = [f"{line} {self._outcome(node.payoffs)}"]
        for child in node.children:
            lines += self._lines(child)
        return lines

    def _outcome(self, payoffs: tuple[Fraction, ...] | None) -> str:
        if payoffs is None:
            return "0"
        self._n_outcomes += 1
        return f'{self._n_outcomes} "" {{ {self._random.choice([" ", ", "]).join(map(self._written, payoffs))} }}'

    def _written(self, number: Fraction) -> str:
        if number.denominator in {1, 2, 8, 10} and self._random.random() < 0.5:
            return self._random.choice([f"{float(number):.3f}", f"{int(number * 1000)}e-3"])
        return str(number)

    # --- worked out -----------------------------------------------------------------------------------------------------

    def values(self) -> tuple[Fraction, ...]:
        """What every player gets on average when all play every action equally often."""
        return tuple(self._value(self.root, player) for player in range(self.n_players))

    def _value(self, node: Branching, player: int) -> Fraction:
        own = node.payoffs[player] if node.payoffs else Fraction(0)
        if not node.children:
            return own
        chances = node.probabilities or [Fraction(1, len(node.children))] * len(node.children)
        return own + sum((p * self._value(child, player) for p, child in zip(chances, node.children, strict=True)), Fraction(0))

    def counts(self) -> Counter[str]:
        """Nodes of each kind that can be reached; information sets that can be."""
        kinds: Counter[str] = Counter()
        sets: set[tuple[int, int]] = set()
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            kinds[node.kind] += 1
            if node.kind == "p":
                sets.add((node.player, node.number))
            possible = node.probabilities or [Fraction(1)] * len(node.children)
            waiting += [child for child, p in zip(node.children, possible, strict=True) if p]
        kinds["sets"] = len(sets)
        return kinds

    def forgets(self, player: int) -> bool:
        """Whether a player meets an information set with different memories of what they did before."""
        memories: dict[int, set[tuple[tuple[int, int], ...]]] = {}
        waiting: list[tuple[Branching, tuple[tuple[int, int], ...]]] = [(self.root, ())]
        while waiting:
            node, memory = waiting.pop()
            own = node.player == player
            if own:
                memories.setdefault(node.number, set()).add(memory)
            steps = enumerate(node.children)
            waiting += [(child, (*memory, (node.number, action)) if own else memory) for action, child in steps]
        return any(len(found) > 1 for found in memories.values())
