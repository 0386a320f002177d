"""The text of a game tree in Gambit's extensive form (`EFG 2 R`), read strictly: whatever is wrong has a line and a column.

    EFG 2 R "title" { "player" ... } "comment"
    c "node" SET "set" { "branch" 1/3 "branch" 0.25 ... } OUTCOME "outcome" { payoffs }
    p "node" PLAYER SET "set" { "action" ... }            OUTCOME "outcome" { payoffs }
    t "node"                                              OUTCOME "outcome" { payoffs }

Nodes follow each other depth first. The name and the list of a set, and the name and the payoffs of an outcome, may be
left out once they are known; outcome 0 is none. Numbers are whole, decimal or rational, and are kept exactly.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Generic, NamedTuple, TypeVar

from facedown.errors import UsageError

CHANCE, PLAYER, END = "c", "p", "t"
MOST_DIGITS = 300
"""A longer number is no number of a game, and Python would take for ever to work out 1e999999999."""

_TOKEN = re.compile(
    r"""(?P<space>\s+)
      | (?P<text>"(?:[^"\\]|\\.)*")
      | (?P<number>[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?:/\d+)?)
      | (?P<word>[A-Za-z_]+)
      | (?P<mark>[{},])""",
    re.VERBOSE | re.DOTALL | re.ASCII,
)
_NUMBER = re.compile(r"[+-]?(?P<digits>[\d.]+)(?:[eE](?P<exponent>[+-]?\d+))?(?:/(?P<below>\d+))?")


class EfgError(UsageError):
    """A text is not a game in Gambit's extensive form."""


class Place(NamedTuple):
    """Where something stands, counted from 1."""

    line: int
    column: int

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}"


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


class _Token(NamedTuple):
    kind: str
    text: str
    at: int

    @property
    def shown(self) -> str:
        return self.text if len(self.text) <= 40 else f"{self.text[:37]}..."


_END_OF_FILE = "the end of the file"


class _Reader:
    """Tokens one after the other, and what is wrong with them in words."""

    def __init__(self, text: str, name: str):
        self._text, self._name = text, name
        self._breaks = [match.start() for match in re.finditer("\n", text)]
        self._tokens = self._split()
        self.next = next(self._tokens)

    def _split(self) -> Iterator[_Token]:
        at = 0
        while at < len(self._text):
            match = _TOKEN.match(self._text, at)
            if match is None:
                if self._text[at] == '"':
                    raise self.wrong('a text that begins with " does not end', at)
                raise self.wrong(f"{self._text[at]!r} has no meaning here", at)
            if match.lastgroup != "space":
                yield _Token(match.lastgroup or "", match[0], at)
            at = match.end()
        while True:
            yield _Token("end", _END_OF_FILE, len(self._text))

    def place(self, at: int) -> Place:
        line = bisect_left(self._breaks, at)
        return Place(line + 1, at - (self._breaks[line - 1] if line else -1))

    def wrong(self, problem: str, at: int | None = None) -> EfgError:
        return EfgError(f"{self._name}, {self.place(self.next.at if at is None else at)}: {problem}")

    def missing(self, wanted: str) -> EfgError:
        return self.wrong(f"{wanted} is expected, but {self.next.shown} stands here")

    def take(self) -> _Token:
        token = self.next
        self.next = next(self._tokens)
        return token

    def is_mark(self, mark: str) -> bool:
        return self.next.kind == "mark" and self.next.text == mark

    def mark(self, mark: str, why: str) -> None:
        if not self.is_mark(mark):
            raise self.missing(f"'{mark}' {why}")
        self.take()

    def words(self, what: str) -> str:
        """A text in quotation marks; line breaks in it are spaces, and a quotation mark after a backslash is part of it."""
        if self.next.kind != "text":
            raise self.missing(f"{what} in quotation marks")
        return " ".join(self.take().text[1:-1].replace('\\"', '"').split())

    def number(self, what: str) -> Fraction:
        """An exact number."""
        if self.next.kind != "number":
            raise self.missing(what)
        parts = _NUMBER.fullmatch(self.next.text)
        assert parts is not None
        long = max(len(part or "") for part in (parts["digits"], parts["below"])) > MOST_DIGITS
        if long or len(parts["exponent"] or "") > 4 or abs(int(parts["exponent"] or 0)) > MOST_DIGITS:
            raise self.wrong(f"the number {self.next.shown} is too long: at most {MOST_DIGITS} digits")
        if parts["below"] is not None and (int(parts["below"]) == 0 or not parts["digits"].isdigit() or parts["exponent"]):
            raise self.wrong(f"{self.next.shown} is no fraction of two whole numbers; write it as 1/3")
        return Fraction(self.take().text)

    def index(self, what: str, least: int) -> int:
        """A whole number in plain digits."""
        if self.next.kind != "number" or not self.next.text.isdecimal() or len(self.next.text) > 9:
            raise self.missing(f"{what}, a whole number,")
        if int(self.next.text) < least:
            raise self.wrong(f"{what} is at least {least}, not {self.next.text}")
        return int(self.take().text)


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
    def __init__(self, reader: _Reader):
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
                probabilities.append(read.number("the probability of a branch"))
                if probabilities[-1] < 0:
                    raise read.wrong(f"the probability {probabilities[-1]} before this is negative")
        read.take()
        if not labels:
            raise read.wrong("an information set needs at least one action", at)
        total = sum(probabilities, Fraction(0))
        if player < 0 and total != 1:
            raise read.wrong(f"the probabilities sum up to {shown(total)}, not to 1; thirds are written 1/3", at)
        return tuple(labels), tuple(probabilities)

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
            payoffs.append(read.number("a payoff"))
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
    tree = _Tree(_Reader(text.removeprefix("\ufeff"), name))
    return EfgFile(
        title=tree.title,
        comment=tree.comment,
        players=tree.players,
        nodes=tree.nodes,
        chance_sets=tree.chance_sets.listed,
        player_sets=[sets.listed for sets in tree.player_sets],
        outcomes=tree.outcomes.listed,
    )
