"""Any game tree in Gambit's extensive form: a file `.efg` is played as it is written.

Chance nodes draw, personal nodes are moves, and the outcomes on the way to an end are added up. Players are told their
information set when it is their turn and, where they have perfect recall, what they did before; they do not hear of
others' moves. One set of rules serves all files: it reads the tree from arrays whose addresses are in the state, where no
player can see them.

    facedown match ./mygame.efg uniform uniform --games 100000 --seed 1

The format is described at https://gambitproject.readthedocs.io (The extensive game file format).
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from facedown.games.contract import OVER, UNNOTICED, Game, Kind
from facedown.games.gambit import tables as at
from facedown.games.gambit.reader import EfgFile, parse
from facedown.games.gambit.tables import BY_CHANCE, NOTHING, Tables, tables
from facedown.games.gambit.tokens import EfgError
from facedown.native import draw_from, field, native, record
from facedown.native.jit import floats_at, integers_at
from facedown.native.records import Record

_MAX = 2**31 - 1
_ADDRESS = 2**63 - 1

STATE = record(
    field("integers_at", np.int64, 0, _ADDRESS, "address of the tables of integers; the game keeps them"),
    field("n_integers", np.int64, 0, _ADDRESS, "how many integers there are"),
    field("payoffs_at", np.int64, 0, _ADDRESS, "address of the payoffs of all ends; the game keeps them"),
    field("n_payoffs", np.int64, 0, _ADDRESS, "how many payoffs there are"),
    field("node", np.int64, 0, _MAX, "the node of the tree, in the order of the file"),
)
VIEW = record(
    field("player", np.int32, 0, at.MAX_PLAYERS - 1, "the player who looks"),
    field("over", np.int32, 0, 1, "whether the game is over"),
    field("information_set", np.int32, NOTHING, _MAX, "your own information set, in the order of the file; -1 not your turn"),
    field("n_actions", np.int32, 0, _MAX, "number of actions to choose from; 0 not your turn"),
    field("last_set", np.int32, NOTHING, _MAX, "information set of the last own move; -1 none, or not remembered"),
    field("last_action", np.int32, NOTHING, _MAX, "action of the last own move; -1 none, or not remembered"),
)


@native
def table_of(state: Record) -> Any:
    return integers_at(state.integers_at, state.n_integers)


@native
def row_of(table: Any, node: int) -> int:
    """Where the entries of a node begin."""
    return table[at.NODES] + node * at.NODE_SIZE  # type: ignore[no-any-return]


@native
def settle(state: Record, node: int, chance: Record) -> None:
    """Go to a node, and on from there as long as chance has the move."""
    table = table_of(state)
    row = row_of(table, node)
    while table[row + at.MOVER] == BY_CHANCE:
        first = table[at.DRAWS] + table[row + at.DETAIL]
        branch = draw_from(chance, table[first : first + table[row + at.N_CHILDREN]])
        node = table[table[at.CHILDREN] + table[row + at.FIRST] + branch]
        row = row_of(table, node)
    state.node = node


@native
def start(state: Record, chance: Record) -> None:
    settle(state, 0, chance)


@native
def turn(state: Record) -> int:
    table = table_of(state)
    return int(table[row_of(table, int(state.node)) + at.MOVER])


@native
def legal(state: Record, actions: Any) -> int:
    table = table_of(state)
    n_actions = int(table[row_of(table, int(state.node)) + at.N_CHILDREN])
    for action in range(n_actions):
        actions[action] = action
    return n_actions


@native
def step(state: Record, action: int, chance: Record) -> None:
    table = table_of(state)
    first = table[row_of(table, int(state.node)) + at.FIRST]
    settle(state, table[table[at.CHILDREN] + first + action], chance)


@native
def score(state: Record, scores: Any) -> None:
    table = table_of(state)
    n_players, end = table[at.N_PLAYERS], table[row_of(table, int(state.node)) + at.DETAIL]
    payoffs = floats_at(state.payoffs_at, state.n_payoffs)
    for player in range(n_players):
        scores[player] = payoffs[end * n_players + player]


@native
def observe(state: Record, player: int, view: Record) -> None:
    table = table_of(state)
    node = int(state.node)
    row = row_of(table, node)
    known = table[at.KNOWN] + (node * table[at.N_PLAYERS] + player) * at.KNOWN_SIZE
    own_turn = table[row + at.MOVER] == player
    view.player = player
    view.over = table[row + at.MOVER] == OVER
    view.information_set = table[row + at.DETAIL] if own_turn else NOTHING
    view.n_actions = table[row + at.N_CHILDREN] if own_turn else 0
    view.last_set = table[known + at.LAST_SET]
    view.last_action = table[known + at.LAST_ACTION]


@native
def hears(state: Record, player: int, mover: int, action: int) -> int:
    """A file says what players know when it is their turn, and of others' moves nothing else: so they hear of none."""
    return action if player == mover else UNNOTICED


@native
def group_of(table: Any, view: Record, player: int) -> int:
    """Which group of nodes is behind a view."""
    own = table[at.SETS] + table[table[at.SETS] + player]
    first = table[own + at.PLAYER_GROUP]
    if view.information_set >= 0:
        return int(first + view.information_set)
    move = 0
    if view.last_set >= 0:
        move = table[own + at.PLAYER_FIRSTS + view.last_set] + view.last_action
    return int(first + table[own + at.PLAYER_SETS] + view.over * table[own + at.PLAYER_MOVES] + move)


@native
def imagine(view: Record, player: int, chance: Record, state: Record) -> None:
    table = table_of(state)
    group = table[at.GROUPS] + group_of(table, view, player) * at.GROUP_SIZE
    first, n_members = table[group + at.GROUP_FIRST], table[group + at.N_MEMBERS]
    weights = table[at.WEIGHTS] + first
    state.node = table[table[at.MEMBERS] + first + draw_from(chance, table[weights : weights + n_members])]


class _Words:
    """What the file calls things. It also keeps the tables, which the state knows by their addresses only."""

    def __init__(self, file: EfgFile, kept: Tables):
        self._file, self._tables = file, kept
        self._actions = [[_different(one.actions) for one in sets] for sets in file.player_sets]

    def describe(self, view: Record) -> str:
        player = int(view.player)
        name = self._file.players[player]
        words = [f"You are player {player}{f', {name}' if name else ''}."]
        words += [f"You were in {self._set(player, before)} and played {action}." for before, action in self._past(view)]
        if view.over:
            words.append("The game is over.")
        elif view.information_set < 0:
            words.append("It is not your turn.")
        else:
            words.append(f"It is your turn, in {self._set(player, int(view.information_set))}.")
        return " ".join(words)

    def _past(self, view: Record) -> list[tuple[int, str]]:
        """All own moves that the last one stands for, the first one first."""
        player, (last_set, action) = int(view.player), (int(view.last_set), int(view.last_action))
        moves = []
        while last_set >= 0:
            moves.append((last_set, self._actions[player][last_set][action]))
            last_set, action = self._tables.before[player][last_set]
        return moves[::-1]

    def _set(self, player: int, index: int) -> str:
        one = self._file.player_sets[player][index]
        return f"information set {one.number}{f' ({one.name})' if one.name else ''}"

    def action_name(self, view: Record, action: int) -> str:
        if view.information_set < 0:
            return f"action {action}"
        return self._actions[int(view.player)][int(view.information_set)][action]


def _different(labels: tuple[str, ...]) -> list[str]:
    """Labels that a person can tell apart; Gambit also takes empty ones, and the same one twice."""
    named = [label or f"action {number}" for number, label in enumerate(labels)]
    often = Counter(label.casefold() for label in named)
    found: list[str] = []
    for number, label in enumerate(named):
        word, taken = label, {name.casefold() for name in found}
        if often[label.casefold()] > 1 or word.casefold() in taken:
            word = f"{label} #{number}"
            while word.casefold() in often or word.casefold() in taken:
                word += "'"
        found.append(word)
    return found


def game_from(text: str, name: str, source: str) -> Game:
    """The game in a text of this format.

    name    what the game is called
    source  where the text comes from, for errors
    """
    file = parse(text, source)
    kept = tables(file, source)
    words = _Words(file, kept)
    low, high = kept.scores
    kind: Kind = "general" if kept.total is None else "constant sum" if kept.total else "zero sum"
    seat_names = file.players if all(file.players) and len(set(file.players)) == len(file.players) else ()
    return Game(
        name=name,
        title=file.title or name,
        source=file.comment or f"a file in Gambit's extensive form ({source})",
        state=STATE,
        view=VIEW,
        start=start,
        turn=turn,
        legal=legal,
        step=step,
        score=score,
        observe=observe,
        imagine=imagine,
        describe=words.describe,
        action_name=words.action_name,
        hears=hears,
        players=len(file.players),
        actions=kept.n_actions,
        longest=kept.longest,
        kind=kind,
        total=float(kept.total or 0),
        scores=(low, high) if low < high else (low - 1.0, high + 1.0),
        perfect_recall=all(kept.remembers),
        exact_imagine=kept.exact_imagine,
        seat_names=seat_names,
        values={
            "integers_at": kept.integers.ctypes.data,
            "n_integers": kept.integers.size,
            "payoffs_at": kept.payoffs.ctypes.data,
            "n_payoffs": kept.payoffs.size,
        },
    )


def load(path: Path) -> Game:
    """The game in a file, which is called like the file: `kuhn.efg`."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as problem:
        raise EfgError(f"'{path}' is not a text: byte {problem.start} is not UTF-8") from None
    except OSError as problem:
        raise EfgError(f"'{path}' cannot be read: {problem.strerror}") from None
    return _from_file(path, text)


@lru_cache(maxsize=8)
def _from_file(path: Path, text: str) -> Game:
    return game_from(text, re.sub(r"[\s(),=]+", "_", path.name), f"'{path}'")
