"""The text of a game tree in Gambit's extensive form (`EFG 2 R`), read strictly: whatever is wrong has a line and a column.

    EFG 2 R "title" { "player" ... } "comment"
    c "node" SET "set" { "branch" 1/3 "branch" 0.25 ... } OUTCOME "outcome" { payoffs }
    p "node" PLAYER SET "set" { "action" ... }            OUTCOME "outcome" { payoffs }
    t "node"                                              OUTCOME "outcome" { payoffs }

Nodes follow each other depth first. The name and the list of a set, and the name and the payoffs of an outcome, may be
left out once they are known; outcome 0 is none. Numbers are whole, decimal or rational, and are kept exactly.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Generic, TypeVar

from facedown.games.gambit.tokens import Place, Reader

CHANCE, PLAYER, END = "c", "p", "t"
MAX_PAYOFF = 10**100
"""Scores are squared and summed up, over games, in floating-point numbers, which end at 1e308."""
MAX_WEIGHT = 2**31
"""What `draw_from` can draw from: the largest common denominator of probabilities."""

EXACT = f"draws are exact up to {MAX_WEIGHT:,} only; write the probabilities with fewer digits, or as fractions such as 1/3"


@dataclass(frozen=True, slots=True)
class InformationSet:
    """What a player cannot tell apart, or (of chance, with probabilities) draws that are alike."""

    number: int
    name: str
    actions: tuple[str, ...]
    place: Place
    probabilities: tuple[Fraction, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """Payments, one for each player."""

    number: int
    name: str
    payoffs: tuple[Fraction, ...]
    place: Place


@dataclass(slots=True)
class Node:
    """A node of the tree; nodes are numbered in the order of the file, so parents come first."""

    kind: str
    player: int
    """From 0; -1 for chance and ends."""
    information_set: int
    """Index among the sets of its player, or of chance, in the order of the file; -1 for ends."""
    outcome: int
    """Index of an outcome, or -1."""
    parent: int
    branch: int
    place: Place
    children: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class EfgFile:
    """The whole tree."""

    title: str
    comment: str
    players: tuple[str, ...]
    nodes: list[Node]
    chance_sets: list[InformationSet]
    player_sets: list[list[InformationSet]]
    outcomes: list[Outcome]

    def set_of(self, node: Node) -> InformationSet:
        """The information set of a node that is not an end."""
        sets = self.chance_sets if node.kind == CHANCE else self.player_sets[node.player]
        return sets[node.information_set]


Kept = TypeVar("Kept", InformationSet, Outcome)


class _Known(Generic[Kept]):
    """Sets or outcomes by their numbers in the file, in the order in which they came."""

    def __init__(self) -> None:
        self.listed: list[Kept] = []
        self._index: dict[int, int] = {}

    def find(self, number: int) -> int | None:
        return self._index.get(number)

    def add(self, one: Kept) -> int:
        self._index[one.number] = len(self.listed)
        self.listed.append(one)
        return len(self.listed) - 1


class _Tree:
    def __init__(self, reader: Reader):
        self._read = reader
        self.title, self.players, self.comment = self._header()
        self.chance_sets: _Known[InformationSet] = _Known()
        self.player_sets: list[_Known[InformationSet]] = [_Known() for _ in self.players]
        self.outcomes: _Known[Outcome] = _Known()
        self.nodes: list[Node] = []
        self._nodes()

    def _header(self) -> tuple[str, tuple[str, ...], str]:
        read = self._read
        for wanted in (("EFG",), ("2",), ("R", "D")):
            if read.next.text not in wanted or read.next.kind == "text":
                raise read.missing("'EFG 2 R', which every such file begins with,")
            read.take()
        title, players = read.words("the title"), []
        read.mark("{", "before the names of the players")
        while not read.is_mark("}"):
            players.append(read.words("the name of a player"))
        read.take()
        comment = read.words("the comment") if read.next.kind == "text" else ""
        return title, tuple(players), comment

    def _nodes(self) -> None:
        read, waiting = self._read, [(-1, 0)]
        while waiting:
            parent, branch = waiting.pop()
            at = read.next.at
            if read.next.kind != "word" or read.next.text not in {CHANCE, PLAYER, END}:
                if read.next.kind == "end":
                    n_missing = len(waiting) + 1
                    raise read.wrong(
                        f"the file ends too early: {n_missing} node{'s' if n_missing > 1 else ''} at least are missing"
                    )
                raise read.missing("a node, which begins with c, p or t,")
            kind = read.take().text
            read.words("the name of the node")
            node = self._node(kind, parent, branch, read.place(at))
            number = len(self.nodes)
            self.nodes.append(node)
            if parent >= 0:
                self.nodes[parent].children.append(number)
            if kind != END:
                n_actions = len(self._sets(node.player).listed[node.information_set].actions)
                waiting += [(number, branch) for branch in range(n_actions - 1, -1, -1)]
        if read.next.kind != "end":
            raise read.wrong(f"the tree is complete, but {read.next.shown} follows")

    def _sets(self, player: int) -> _Known[InformationSet]:
        return self.player_sets[player] if player >= 0 else self.chance_sets

    def _node(self, kind: str, parent: int, branch: int, place: Place) -> Node:
        read, player, index = self._read, -1, -1
        if kind == PLAYER:
            at = read.next.at
            player = read.index("the number of a player", 1) - 1
            if player >= len(self.players):
                raise read.wrong(f"there is no player {player + 1}: {len(self.players)} are named at the beginning", at)
        if kind != END:
            index = self._information_set(player)
        return Node(kind, player, index, self._outcome(), parent, branch, place)

    def _information_set(self, player: int) -> int:
        read, at = self._read, self._read.next.at
        number = read.index("the number of an information set", 1)
        known = self._sets(player)
        name = read.words("the name") if read.next.kind == "text" else ""
        index = known.find(number)
        if not read.is_mark("{"):
            if index is None:
                raise read.missing(f"'{{' before the actions of information set {number}, which is new,")
            return index
        actions, probabilities = self._actions(player)
        here = InformationSet(number, name, actions, read.place(at), probabilities)
        if index is None:
            return known.add(here)
        before = known.listed[index]
        if (before.actions, before.probabilities) != (actions, probabilities):
            what = "actions" if player >= 0 else "branches or probabilities"
            raise read.wrong(f"information set {number} has other {what} here than in {before.place}", at)
        return index

    def _actions(self, player: int) -> tuple[tuple[str, ...], tuple[Fraction, ...]]:
        read, at = self._read, self._read.next.at
        read.take()
        labels: list[str] = []
        probabilities: list[Fraction] = []
        while not read.is_mark("}"):
            labels.append(read.words("an action"))
            if player < 0:
                probabilities.append(self._probability())
        read.take()
        if not labels:
            raise read.wrong("an information set needs at least one action", at)
        total = sum(probabilities, Fraction(0))
        if player < 0 and total != 1:
            raise read.wrong(f"the probabilities sum up to {shown(total)}, not to 1; thirds are written 1/3", at)
        return tuple(labels), tuple(probabilities)

    def _probability(self) -> Fraction:
        read, at, written = self._read, self._read.next.at, self._read.next.shown
        found = read.number("the probability of a branch")
        if not 0 <= found <= 1:
            raise read.wrong(f"the probability {written} is not from 0 to 1", at)
        if found.denominator > MAX_WEIGHT:
            raise read.wrong(
                f"the probability {written} has the denominator {shown(Fraction(found.denominator))}, and {EXACT}", at
            )
        return found

    def _outcome(self) -> int:
        read, at = self._read, self._read.next.at
        number = read.index("the number of an outcome (0: none)", 0)
        name = read.words("the name") if read.next.kind == "text" else ""
        index = self.outcomes.find(number)
        if not read.is_mark("{"):
            if number and index is None:
                raise read.missing(f"'{{' before the payoffs of outcome {number}, which is new,")
            return -1 if index is None else index
        if number == 0:
            raise read.wrong("outcome 0 stands for none and has no payoffs", at)
        here = Outcome(number, name, self._payoffs(number), read.place(at))
        if index is None:
            return self.outcomes.add(here)
        if self.outcomes.listed[index].payoffs != here.payoffs:
            raise read.wrong(f"outcome {number} has other payoffs here than in {self.outcomes.listed[index].place}", at)
        return index

    def _payoffs(self, number: int) -> tuple[Fraction, ...]:
        read, at, payoffs = self._read, self._read.next.at, list[Fraction]()
        read.take()
        while not read.is_mark("}"):
            if payoffs and read.is_mark(","):
                read.take()
            where, written = read.next.at, read.next.shown
            payoffs.append(read.number("a payoff"))
            if abs(payoffs[-1]) > MAX_PAYOFF:
                raise read.wrong(f"the payoff {written} is too large: at most {float(MAX_PAYOFF):g}, above or below 0", where)
        read.take()
        if len(payoffs) != len(self.players):
            raise read.wrong(f"outcome {number} has {len(payoffs)} payoffs for {len(self.players)} players", at)
        return tuple(payoffs)


def shown(number: Fraction) -> str:
    """A number in an error: exact if it is short."""
    text = str(number)
    try:
        return text if len(text) <= 20 else f"about {float(number):.9g}"
    except OverflowError:
        return "more than any number that a computer handles"


def parse(text: str, name: str) -> EfgFile:
    """The game tree in a text; `name` says in errors where the text comes from."""
    tree = _Tree(Reader(text.removeprefix("\ufeff"), name))
    return EfgFile(
        title=tree.title,
        comment=tree.comment,
        players=tree.players,
        nodes=tree.nodes,
        chance_sets=tree.chance_sets.listed,
        player_sets=[sets.listed for sets in tree.player_sets],
        outcomes=tree.outcomes.listed,
    )
