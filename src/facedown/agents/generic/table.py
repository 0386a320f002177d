"""The agent `table`: plays a policy, looked up in native code by the bytes of what it sees.

1. The bytes of the view are looked up in a hash table (`native/hashing.py`).
2. An action is drawn with the probabilities found there, from the agent's own stream of chance. Where there is none,
   every legal action is equally likely: a sampled policy need not have been everywhere.

The whole table is one vector of 64-bit words, which the agent gets where others get their parameters.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from facedown.agents.contract import Agent
from facedown.agents.reasons import Choice, Reason
from facedown.errors import UsageError
from facedown.games.contract import Game
from facedown.native.chance import draw, draw_real
from facedown.native.hashing import bytes_of, enter, find, hash_bytes, n_slots_for, slot_with, tag_of
from facedown.native.jit import native
from facedown.native.records import Record
from facedown.policies.policy import Policy, PolicyFileError, arrays_in, check_policy, policy_from_arrays, read_for_agent

Array = np.ndarray[Any, Any]

NAME = "table"
MEANING = "a policy from a file, table(FILE), as solvers save them; what is not in it is played uniformly"

# words at the beginning of the vector: the bytes of a view, and where each part begins, in the order of the parts
VIEW_BYTES, SLOTS, FIRST, ACTIONS, PROBABILITIES, VIEWS, N_HEADER = 0, 1, 2, 3, 4, 5, 6


@native
def fill_slots(slots: Any, views: Any) -> None:
    """Enter all views."""
    for number in range(len(views)):
        enter(slots, slot_with(tag_of(hash_bytes(views[number])), number))


@native
def find_set(seen: Any, words: Any, octets: Any) -> int:
    """The number of the information set with these bytes, or -1."""
    n_sets, n_bytes, start = words[ACTIONS] - words[FIRST] - 1, words[VIEW_BYTES], 8 * words[VIEWS]
    views = octets[start : start + n_sets * n_bytes].reshape((n_sets, n_bytes))
    return max(find(words[words[SLOTS] : words[FIRST]], views, seen, tag_of(hash_bytes(seen))), -1)


@native
def play_table(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    words = params.view(np.int64)
    number = find_set(bytes_of(view), words, params.view(np.uint8))
    if number < 0:
        return int(actions[draw(chance, n)])
    row, end = words[words[FIRST] + number], words[words[FIRST] + number + 1]
    rest = draw_real(chance)
    chosen = row
    while row < end:
        probability = params[words[PROBABILITIES] + row]
        if probability > 0.0:
            chosen = row  # also where rounding leaves a rest: never an action of probability 0
            if rest < probability:
                break
        rest -= probability
        row += 1
    return int(words[words[ACTIONS] + chosen])


def packed(policy: Policy) -> Array:
    """The vector that `play_table` reads."""
    views = np.ascontiguousarray(policy.views)
    slots = np.zeros(n_slots_for(policy.n_sets), np.int64)
    fill_slots(slots, views)
    octets = np.zeros((views.size + 7) // 8 * 8, np.uint8)
    octets[: views.size] = views.reshape(-1)
    header = np.zeros(N_HEADER, np.int64)
    header[VIEW_BYTES] = views.shape[1]
    parts: dict[int, Array] = {
        SLOTS: slots,
        FIRST: policy.first.astype(np.int64),
        ACTIONS: policy.actions.astype(np.int64),
        PROBABILITIES: policy.probabilities.astype(np.float64),
        VIEWS: octets,
    }
    at = N_HEADER
    for part, array in parts.items():
        header[part] = at
        at += array.nbytes // 8
    whole = np.concatenate([header.view(np.float64), *(array.view(np.float64) for array in parts.values())])
    whole.flags.writeable = False  # shared by all threads
    return whole


def table_agent(policy: Policy, name: str = NAME) -> Agent:
    """The agent that plays a policy. Without a file it lives in this process only: save it, and use table(FILE), for others."""
    return _agent(policy, check_policy(policy, "this policy"), "this policy", name)


def _agent(policy: Policy, game: Game, owner: str, name: str = NAME, file: str = "", origin: str = "") -> Agent:
    policy = _by_view(policy, owner, game)
    places = {view.tobytes(): number for number, view in enumerate(policy.views)}

    def explain(view: Record, action: int, params: Any, memory: Record | None) -> Reason:
        number = places.get(view.tobytes(), -1)
        if number < 0:
            return Reason("mixed", "this is not in its table, so every move is equally likely")
        rows = zip(*policy.row(number), strict=True)
        moves = (Choice(int(move), game.action_name(view, int(move)), probability=float(p)) for move, p in rows)
        return Reason("mixed", "its table:", tuple(moves))

    return Agent(
        name=name,
        meaning=MEANING,
        act=play_table,
        game=game.name,
        game_spec=game.spec,
        table=packed(policy),
        file=file,
        origin=origin,
        explain=explain,
    )


def _by_view(policy: Policy, owner: str, game: Game) -> Policy:
    """One row for each view: an agent is shown what it sees, and not where it sits."""
    seen: dict[bytes, int] = {}
    twice: list[int] = []
    for number, view in enumerate(policy.views):
        other = seen.setdefault(view.tobytes(), number)
        if other == number:
            continue
        twice.append(number)
        same = [np.array_equal(one, two) for one, two in zip(policy.row(number), policy.row(other), strict=True)]
        if not all(same):
            raise PolicyFileError(
                f"'{owner}' cannot be played: views of {game} do not tell the seat, and players {policy.players[other]} and "
                f"{policy.players[number]} play differently in information sets {other} and {number}, which look the same; "
                f"give each seat an agent of its own: table_agent(policy.of_player(0)), ..."
            )
    if not twice:
        return policy
    kept = np.setdiff1d(np.arange(policy.n_sets), twice)
    widths = np.diff(policy.first)
    rows = np.isin(np.repeat(np.arange(policy.n_sets), widths), kept)
    first = np.concatenate([[0], np.cumsum(widths[kept])]).astype(np.int64)
    return Policy(
        policy.game, policy.players[kept], policy.views[kept], first, policy.actions[rows], policy.probabilities[rows]
    )


@dataclass(frozen=True)
class TableFile:
    """A policy file that was read, before anybody has looked for which game it is."""

    name: str
    """As the user wrote it."""
    origin: str
    """The text that finds the agent again, from anywhere."""
    arrays: dict[str, Array]

    def agent(self, game: Game) -> Agent:
        """The agent that plays it; an error if it is for another game."""
        policy = policy_from_arrays(self.arrays, self.name, game)
        return _agent(policy, game, self.name, file=self.name, origin=self.origin)


def read_table_file(file: str) -> TableFile:
    """The file that is named in the brackets of `table(FILE)`."""
    file = file.strip()
    if not file:
        raise UsageError(NO_FILE)
    content, file, found_by = read_for_agent(file, "policy file", "facedown solve GAME --save FILE")
    return TableFile(file, f"{NAME}({found_by})", arrays_in(content, file))


def table_from_file(file: str, game: Game) -> Agent:
    """The agent for the text in the brackets of `table(FILE)`."""
    return read_table_file(file).agent(game)


NO_FILE = "the agent table plays a policy file: name it, as in table(kuhn.npz)"


def _no_file(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    raise UsageError(NO_FILE)


LISTED = Agent(name=NAME, meaning=MEANING, act=_no_file, compiled=False)
"""How it is listed; to play, it needs a file."""
