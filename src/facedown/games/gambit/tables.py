"""A game tree as flat arrays that native rules read: who moves, what comes next, what each player knows, who is paid what.

What a player knows, at any node: their own information set if it is their turn, and their last move before. Where a
player has perfect recall, that one move stands for all that they saw and did; where not, the player is not told it.

`imagine` draws from the nodes behind a view, each as often as it comes up in uniform play. The weights are integers;
where the exact ones are too large they are rounded, and `exact_imagine` says so.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from facedown.games.contract import OVER
from facedown.games.gambit.reader import CHANCE, END, EXACT, MAX_WEIGHT, PLAYER, EfgFile, Node, shown
from facedown.games.gambit.tokens import EfgError
from facedown.native.chance import TAPE

MAX_PLAYERS = 5
ROUNDED_WEIGHT = 2**30
LONGEST_DENOMINATOR = 2**200
BY_CHANCE = -2
NOTHING = -1

# where the tables begin, in the first entries of the array of integers
N_PLAYERS, NODES, CHILDREN, DRAWS, KNOWN, SETS, GROUPS, MEMBERS, WEIGHTS, HEADER = range(10)
# of each node: who moves; first child and how many; information set (chance: where its weights begin; an end: which one)
MOVER, FIRST, N_CHILDREN, DETAIL, NODE_SIZE = range(5)
# of each player at each node: the last own information set and action
LAST_SET, LAST_ACTION, KNOWN_SIZE = range(3)
# of each group of nodes behind one view: where its members and weights begin, and how many there are
GROUP_FIRST, N_MEMBERS, GROUP_SIZE = range(3)
# of each player, among the SETS
PLAYER_GROUP, PLAYER_SETS, PLAYER_MOVES, PLAYER_FIRSTS = range(4)

Move = tuple[int, int]
_NO_MOVE = (NOTHING, NOTHING)


@dataclass(frozen=True, eq=False)
class Tables:
    """The arrays, which native code reaches by their addresses, and the facts of the game."""

    integers: np.ndarray[Any, Any]
    payoffs: np.ndarray[Any, Any]
    """Of each end, all players."""
    remembers: tuple[bool, ...]
    """Which players have perfect recall."""
    before: tuple[tuple[Move, ...], ...]
    """Of each player and information set: the last own move before it."""
    exact_imagine: bool
    longest: int
    n_actions: int
    total: Fraction | None
    """What all payoffs sum up to at every end; None where it differs."""

    @property
    def scores(self) -> tuple[float, float]:
        """The smallest and the largest payoff."""
        return float(self.payoffs.min()), float(self.payoffs.max())


def tables(file: EfgFile, name: str) -> Tables:
    """Check that a tree can be played, and lay it out."""
    if not 1 <= len(file.players) <= MAX_PLAYERS:
        raise EfgError(f"{name}: {len(file.players)} players are named; 1 to {MAX_PLAYERS} can play")
    longest = _longest(file, name)
    if longest == 0:
        raise EfgError(f"{name}: nobody ever moves in this game, so there is nothing to play")
    moves = [_own_moves(file, player) for player in range(len(file.players))]
    remembers = tuple(_has_recall(file, player, moves[player]) for player in range(len(file.players)))
    told = [own if remembered else [_NO_MOVE] * len(own) for own, remembered in zip(moves, remembers, strict=True)]
    before = [_before_sets(file, player, own) for player, own in enumerate(told)]
    draws, first_draw = _draws(file, name)
    payoffs, totals = _payoffs(file)
    groups = _Groups(file, told)
    known = np.array(told, np.int64).transpose(1, 0, 2)
    header = np.zeros(HEADER, np.int64)
    header[N_PLAYERS] = len(file.players)
    parts = {
        NODES: _nodes(file, first_draw),
        CHILDREN: np.array([child for node in file.nodes for child in node.children], np.int64),
        DRAWS: np.array(draws, np.int64),
        KNOWN: known.ravel(),
        SETS: groups.layout,
        GROUPS: groups.spans,
        MEMBERS: groups.members,
        WEIGHTS: groups.weights,
    }
    at = HEADER
    for part, content in parts.items():
        header[part] = at
        at += content.size
    return Tables(
        integers=np.concatenate([header, *parts.values()]),
        payoffs=payoffs,
        remembers=remembers,
        before=tuple(before),
        exact_imagine=groups.exact,
        longest=longest,
        n_actions=max(len(file.set_of(node).actions) for node in file.nodes if node.kind == PLAYER),
        total=totals.pop() if len(totals) == 1 else None,
    )


def _longest(file: EfgFile, name: str) -> int:
    """The moves of the longest game; too many draws in a row are an error."""
    n_moves, n_draws = [0] * len(file.nodes), [0] * len(file.nodes)
    for at, node in enumerate(file.nodes):
        above = file.nodes[node.parent] if node.parent >= 0 else None
        if above is not None:
            n_moves[at] = n_moves[node.parent] + (above.kind == PLAYER)
            n_draws[at] = n_draws[node.parent] + 1 if above.kind == CHANCE else 0
        if node.kind == CHANCE and n_draws[at] >= TAPE:
            raise EfgError(f"{name}, {node.place}: more than {TAPE} chance nodes follow each other; merge some of them")
    return max(n_moves)


def _own_moves(file: EfgFile, player: int) -> list[Move]:
    """At each node, the last move of a player before it."""
    last: list[Move] = []
    for node in file.nodes:
        if node.parent < 0:
            last.append(_NO_MOVE)
            continue
        above = file.nodes[node.parent]
        last.append((above.information_set, node.branch) if above.player == player else last[node.parent])
    return last


def _has_recall(file: EfgFile, player: int, last: Sequence[Move]) -> bool:
    """Whether the player's last move before each information set is the same in all its nodes."""
    seen: dict[int, Move] = {}
    own = ((node, move) for node, move in zip(file.nodes, last, strict=True) if node.player == player)
    return all(seen.setdefault(node.information_set, move) == move for node, move in own)


def _before_sets(file: EfgFile, player: int, last: Sequence[Move]) -> tuple[Move, ...]:
    """The last move that a player remembers in each information set."""
    found = {node.information_set: move for node, move in zip(file.nodes, last, strict=True) if node.player == player}
    return tuple(found[index] for index in range(len(found)))


def _draws(file: EfgFile, name: str) -> tuple[list[int], list[int]]:
    """The integer weights of all chance sets one after the other, and where those of each begin."""
    weights: list[int] = []
    first: list[int] = []
    for chance_set in file.chance_sets:
        whole = math.lcm(*(p.denominator for p in chance_set.probabilities))
        if whole > MAX_WEIGHT:
            common = shown(Fraction(whole))
            raise EfgError(f"{name}, {chance_set.place}: the probabilities have the common denominator {common}, and {EXACT}")
        first.append(len(weights))
        weights += [int(p * whole) for p in chance_set.probabilities]
    return weights, first


def _payoffs(file: EfgFile) -> tuple[np.ndarray[Any, Any], set[Fraction]]:
    """What each player has got at each end, payments on the way included, and what these sum up to."""
    paid: list[tuple[Fraction, ...]] = []
    ends: list[tuple[Fraction, ...]] = []
    nothing = (Fraction(0),) * len(file.players)
    for node in file.nodes:
        before = paid[node.parent] if node.parent >= 0 else nothing
        if node.outcome >= 0:
            before = tuple(a + b for a, b in zip(before, file.outcomes[node.outcome].payoffs, strict=True))
        paid.append(before)
        if node.kind == END:
            ends.append(before)
    payoffs = np.array([[float(payoff) for payoff in end] for end in ends])  # each finite: the reader takes care of that
    return payoffs, {sum(end, Fraction(0)) for end in ends}


def _nodes(file: EfgFile, first_draw: Sequence[int]) -> np.ndarray[Any, Any]:
    rows = np.zeros((len(file.nodes), NODE_SIZE), np.int64)
    n_children = n_ends = 0
    for at, node in enumerate(file.nodes):
        mover, detail = node.player, node.information_set
        if node.kind == END:
            mover, detail = OVER, n_ends
            n_ends += 1
        elif node.kind == CHANCE:
            mover, detail = BY_CHANCE, first_draw[node.information_set]
        rows[at] = mover, n_children, len(node.children), detail
        n_children += len(node.children)
    return rows.ravel()


class _Groups:
    """The nodes behind each view of each player: their own information sets; waiting, after each own move; the ends.

    `layout` has, for each player: the first group; the number of sets; the number of last moves; where those of each
    set begin.
    """

    def __init__(self, file: EfgFile, told: Sequence[Sequence[Move]]):
        reached = _reached(file)
        spans: list[Move] = []
        members: list[int] = []
        weights: list[int] = []
        layout: list[list[int]] = []
        self.exact = True
        for player, last in enumerate(told):
            first_moves, n_moves = _numbered(file, player, last)
            found = _behind_views(file.nodes, player, last, first_moves, n_moves)
            layout.append([len(spans), len(file.player_sets[player]), n_moves, *first_moves])
            for number, group in enumerate(found):
                spans.append((len(members), len(group)))
                members += group
                integers, exact = _integer_weights([reached[node] for node in group])
                weights += integers
                self.exact &= exact or number >= len(file.player_sets[player])
        n_players, begins = len(told), 0
        rows: list[int] = []
        for row in layout:  # first where each player's row begins, then the rows
            rows.append(n_players + begins)
            begins += len(row)
        self.layout = np.array([*rows, *(entry for row in layout for entry in row)], np.int64)
        self.spans = np.array(spans, np.int64).ravel()
        self.members, self.weights = np.array(members, np.int64), np.array(weights, np.int64)


def _numbered(file: EfgFile, player: int, last: Sequence[Move]) -> tuple[list[int], int]:
    """Number the moves that a player may remember: 0 is none, then set by set. Where each set begins, and how many."""
    if all(move == _NO_MOVE for move in last):
        return [0] * len(file.player_sets[player]), 1
    first, number = [], 1
    for information_set in file.player_sets[player]:
        first.append(number)
        number += len(information_set.actions)
    return first, number


def _behind_views(
    nodes: Iterable[Node], player: int, last: Sequence[Move], first_moves: Sequence[int], n_moves: int
) -> list[list[int]]:
    n_sets = len(first_moves)
    found: list[list[int]] = [[] for _ in range(n_sets + 2 * n_moves)]
    for at, node in enumerate(nodes):
        if node.kind == CHANCE:
            continue  # nobody ever looks there
        if node.player == player:
            found[node.information_set].append(at)
            continue
        last_set, action = last[at]
        move = first_moves[last_set] + action if last_set >= 0 else 0
        found[n_sets + (n_moves if node.kind == END else 0) + move].append(at)
    return found


class _Reached(NamedTuple):
    """How likely a node is in uniform play: as a fraction that is not reduced, or rounded where that grows too long."""

    numerator: int
    denominator: int
    """0: only the logarithm is known."""
    log2: float


def _reached(file: EfgFile) -> list[_Reached]:
    found: list[_Reached] = []
    for node in file.nodes:
        if node.parent < 0:
            found.append(_Reached(1, 1, 0.0))
            continue
        above, before = file.nodes[node.parent], found[node.parent]
        p = file.set_of(above).probabilities[node.branch] if above.kind == CHANCE else Fraction(1, len(above.children))
        log2 = before.log2 + math.log2(p) if p else -math.inf
        numerator, denominator = before.numerator * p.numerator, before.denominator * p.denominator
        found.append(_Reached(numerator, denominator if denominator < LONGEST_DENOMINATOR else 0, log2))
    return found


def _integer_weights(reached: Sequence[_Reached]) -> tuple[list[int], bool]:
    """Integers that are to each other as these fractions are, rounded if they have to be; and whether they are exact."""
    highest = max((node.log2 for node in reached), default=-math.inf)
    if len(reached) < 2 or highest == -math.inf:
        return [1] * len(reached), True  # if it is never reached, nobody will ask
    if all(node.denominator for node in reached):
        whole = math.lcm(*(node.denominator for node in reached))
        weights = [node.numerator * (whole // node.denominator) for node in reached]
        common = math.gcd(*weights)
        if sum(weights) // common <= MAX_WEIGHT:
            return [weight // common for weight in weights], True
    shares = [2.0 ** (node.log2 - highest) for node in reached]
    unit = ROUNDED_WEIGHT / sum(shares)
    possible = [node.log2 > -math.inf for node in reached]
    return [max(round(share * unit), 1) if can_be else 0 for share, can_be in zip(shares, possible, strict=True)], False
