"""How many turns an agent needs in solitaire Can't Stop, exactly, on small boards; and the fewest that anybody could.

1. A turn is followed from the board on which it begins, throw by throw: every place that the agent brings its runners to, with
   its probability. Places are told apart by the number of throws too, since agents of the source stop by it.
2. A turn is lost with probability p, or ends on boards that are further on. Lost turns begin again, so that a board needs
   (1 + the sum of what those boards need, as likely as they are) / (1 - p) turns; lost ones are counted likewise.
3. Boards are worked out from those that lead nowhere else.

Only what the agent plays is looked at, so boards are possible on which the best play takes minutes to find. Agents are shown
the game without the number of turns and, between throws, without the last throw.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from facedown.agents.contract import Agent
from facedown.agents.registry import agent as find_agent
from facedown.agents.seats import Seats, draws, seat_for
from facedown.errors import AgentError, UsageError
from facedown.games.cant_stop.board import FIRST_THROW, N_DICE, WEIGHTS
from facedown.games.cant_stop.rules import NO_THROW, STATE, STOP, VIEW, bank, end_turn, legal, move, observe, settle, take
from facedown.games.contract import OVER, Game
from facedown.games.registry import game as find_game
from facedown.native.chance import EXPLORE
from facedown.native.hashing import fill, find, hash_bytes, n_slots_for, tag_of
from facedown.native.jit import Part, call_int, compiling, native, prepare_thread
from facedown.native.records import Record, blank
from facedown.progress import Callback, Progress
from facedown.solving.dynamic.arrays import octets_of
from facedown.solving.dynamic.solution import solve_exactly
from facedown.solving.interview import check_agent

Array = np.ndarray[Any, Any]
FIRST_ROOM = 1 << 10
FULL, WRONG_ACTION, DRAWS = -1, -2, -3
"""Why a turn could not be followed: no room, an action that is not legal, an agent that draws."""
SCHEMA = "facedown.cant_stop_alone/1"


class Room(NamedTuple):
    """Where a turn is followed. Number 0 is its start; the last record is for trying."""

    states: Array
    octets: Array
    """The same as bytes."""
    p: Array
    slots: Array
    views: Array
    p_lost: Array
    """Of one number."""


def new_room(size: int) -> Room:
    """Room for this many places and boards."""
    states, slots = np.zeros(size, STATE), np.zeros(n_slots_for(size), np.int64)
    return Room(states, octets_of(states), np.zeros(size), slots, blank(VIEW), np.zeros(1))


@native
def _follow_turn(room: Room, actions: Any, seat: Record) -> int:
    """All places of the turn that begins at number 0, and the boards on which it ends, with their probabilities; how many."""
    n, at = 1, 0
    while at < n:
        if at == 0 or room.states[at].n_throws > 0:  # else the turn has ended there
            n = _go_on(room, at, n, actions, seat)
            if n < 0:
                return n
        at += 1
    return n


@native
def _go_on(room: Room, at: int, n: int, actions: Any, seat: Record) -> int:
    """Stop or roll at a place, and play all throws; how many places there are afterwards."""
    tried, last, p = room.states[-1], len(room.states) - 1, room.p[at]
    action = decide(room, at, actions, seat)
    if action < 0:
        return action
    if action == STOP:
        room.octets[last, :] = room.octets[at]
        bank(tried)
        end_turn(tried)
        settle(tried)
        return enter(room, n, p)
    sides = int(room.states[at].sides)
    for number in range(FIRST_THROW[sides], FIRST_THROW[sides + 1]):
        share = p * WEIGHTS[number] / sides**N_DICE
        room.octets[last, :] = room.octets[at]
        take(tried, number)
        if tried.throw == NO_THROW:
            room.p_lost[0] += share
            continue
        action = decide(room, last, actions, seat)
        if action < 0:
            return action
        move(tried, action)
        tried.last_throw, tried.thrower = NO_THROW, -1
        n = enter(room, n, share)
        if n < 0:
            return n
    return n


@native
def decide(room: Room, at: int, actions: Any, seat: Record) -> int:
    """What the agent does; it is not asked where it has no choice."""
    n = legal(room.states[at], actions)
    if n == 1:
        return int(actions[0])
    observe(room.states[at], 0, room.views[0])
    action = int(call_int(seat.ask_at, (room.views[0], n, seat)))
    if seat.chance.n_draws > 0 or seat.chance.fault != 0:
        return DRAWS
    for index in range(n):
        if actions[index] == action:
            return action
    return WRONG_ACTION


@native
def enter(room: Room, n: int, p: float) -> int:
    """Add a probability to the record that was tried; how many records there are afterwards."""
    row = room.octets[len(room.states) - 1]
    tag = tag_of(hash_bytes(row))
    found = find(room.slots, room.octets, row, tag)
    if found >= 0:
        room.p[found] += p
        return n
    if n == len(room.states) - 1:
        return FULL
    fill(room.slots, found, tag, n)
    room.octets[n, :] = row
    room.p[n] = p
    return n + 1


KERNEL = Part("turns of agents alone", 10.0, (_follow_turn,))


# --- from the empty board on ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Alone:
    """What an agent needs in solitaire."""

    game: str
    agent: str
    turns: float
    """On average, exactly but for rounding; infinite where the agent never ends."""
    p_failed: float
    """The share of its turns that are lost."""
    boards: int
    """On which it can begin a turn."""
    places: int
    """Of runners, in the turns of all boards."""
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {"schema": SCHEMA, **vars(self)}

    def __repr__(self) -> str:
        return (
            f"{self.game}: {self.agent} needs {self.turns:.9f} turns, of which {self.p_failed:.4%} are lost "
            f"({self.boards:,} boards, {self.places:,} places, {self.seconds:.1f} s)"
        )


class _Follower:
    """An agent that is followed through all its turns."""

    def __init__(self, game: Game, agent: Agent):
        self.game, self.agent, self.n_places = game, agent, 0
        self._room = new_room(FIRST_ROOM)
        prepare_thread()
        self._seats = Seats([agent], game, [seat_for(agent, game)])

    def ends(self, board: bytes) -> tuple[float, list[tuple[bytes, float]]]:
        """How likely a turn is lost, and the boards on which it ends else."""
        while True:
            room = self._room
            room.slots[:] = 0
            room.octets[0], room.p[0], room.p_lost[0] = np.frombuffer(board, np.uint8), 1.0, 0.0
            seat = self._seats.records[0]
            seat.chance.mode, seat.chance.n_draws, seat.chance.fault = EXPLORE, 0, 0
            with compiling(KERNEL):
                n = int(_follow_turn(room, self._seats.actions, seat))
            if n != FULL:
                break
            self._room = new_room(4 * len(room.states))
        if n == WRONG_ACTION:
            raise AgentError(f"agent {self.agent.name} played an action that is not legal in {self.game}")
        if n == DRAWS:
            raise UsageError(f"agent {self.agent.name} draws, and only play without draws is followed; measure it in matches")
        ended = 1 + np.flatnonzero(room.states["n_throws"][1:n] == 0)
        self.n_places += n - len(ended)
        return float(room.p_lost[0]), [(room.octets[at].tobytes(), float(room.p[at])) for at in ended.tolist()]


def turns_alone(game: str | Game, agent: str | Agent, progress: Callback | None = None) -> Alone:
    """How many turns an agent without memory and without draws needs in solitaire Can't Stop, on average and exactly.

    >>> round(turns_alone("cant_stop(players=1,sides=2,shortest=1)", "first").turns, 9)
    2.345583423
    """
    rules = find_game(game)
    if rules.name != "cant_stop" or rules.n_players != 1:
        raise UsageError(f"only solitaire Can't Stop is followed, cant_stop(players=1), and not {rules}")
    asked = find_agent(agent, rules)
    check_agent(asked, None)
    if not asked.compiled or asked.memory is not None or draws(asked):
        raise UsageError(
            f"agent {asked.name} cannot be followed: only compiled agents without memory and without draws can; measure it in "
            f"matches"
        )
    started, follower = time.perf_counter(), _Follower(rules, asked)
    turns, failed, n_boards = _from_start(follower, progress)
    seconds = time.perf_counter() - started
    return Alone(
        rules.spec, str(asked), turns, failed / turns if turns < math.inf else 1.0, n_boards, follower.n_places, seconds
    )


def _from_start(follower: _Follower, progress: Callback | None) -> tuple[float, float, int]:
    """Turns and lost turns from the empty board, and how many boards there are."""
    start = follower.game.blank()
    start["throw"] = start["last_throw"] = NO_THROW
    start["thrower"] = -1
    known: dict[bytes, tuple[float, float]] = {}
    followed: dict[bytes, tuple[float, list[tuple[bytes, float]]]] = {}
    waiting, started = [start.tobytes()], time.perf_counter()
    while waiting:
        board = waiting[-1]
        if board in known or int(np.frombuffer(board, STATE)["mover"][0]) == OVER:
            known.setdefault(board, (0.0, 0.0))
            waiting.pop()
        elif board not in followed:
            followed[board] = follower.ends(board)
            waiting += [end for end, _ in followed[board][1] if end not in known]
            if progress is not None:
                n_seen = len(known) + len(followed)
                progress(Progress(n_seen, None, "boards", time.perf_counter() - started, f"{n_seen:,} boards"))
        else:  # what it leads to is known by now
            p_lost, ends = followed.pop(board)
            once = [(1.0, p_lost)] + [(p * known[end][0], p * known[end][1]) for end, p in ends]
            sums = [math.fsum(column) for column in zip(*once, strict=True)]
            p_ended = math.fsum(p for _, p in ends)
            known[board] = (sums[0] / p_ended, sums[1] / p_ended) if p_ended > 0 else (math.inf, math.inf)
    return *known[start.tobytes()], sum(turns > 0 for turns, _ in known.values())


# --- beside the optimum ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Distance:
    """An agent beside the best play on a board."""

    alone: Alone
    fewest: float
    """Turns that the best play needs."""

    @property
    def excess(self) -> float:
        """How much more the agent needs: 0.1 is a tenth."""
        return self.alone.turns / self.fewest - 1.0


def distances(game: str | Game, agents: Sequence[str | Agent], progress: Callback | None = None) -> list[Distance]:
    """How far agents are from the best play on a small board, exactly."""
    fewest = -solve_exactly(find_game(game), progress=progress).values[0]
    return [Distance(turns_alone(game, agent, progress), fewest) for agent in agents]
