"""How few turns solitaire Can't Stop can take at least: a bound for every player, by duality (Brown, Smith & Sun 2010).

Let V say how many turns boards need, about. Somebody who knows all throws to come, but pays for what each throw brings beyond
its average according to V, needs no more turns on average than the best player who does not know them: the payments have mean
0 for whoever does not look ahead. Along one sequence of throws, the turns less the payments come out as

    V(empty board) + sum over turns of [ T V - V at the board of the turn + what the choices of the turn give away ]

where T V is the value of the turn solved on V, and a choice gives away what it costs beyond the best one. The smallest such sum
is found from the beginning (Dijkstra's algorithm on boards and numbers of throws); its mean over sequences bounds every player.

What is proved, and on which condition. The payments are differences of a martingale whatever V is, so the mean of the smallest
sums bounds every player, without any condition on V; what is found is that mean, but for its standard error. The search,
however, stops with the first finished game, and has found the smallest sum only if T V < V on no board that it has not met:
there nothing must be got back. There are too many boards to check them all, so this is a condition, and it is not proved.
A network is off by some hundredths of a turn in both directions; but (1 - e) V in place of V raises T V - V by e, everywhere.
So e is taken so large that T V - V is well above 0 at all boards that are met, and the result says how close to 0 it came. The
bound falls by e times about one turn. `cant_stop_sure.py` has a bound that is smaller, and needs no condition.
"""

from __future__ import annotations

import heapq
import itertools
import math
import time
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

import numpy as np

from facedown.agents.cant_stop.network import CONSTANT, NETWORK_SIZE, OUTPUTS
from facedown.agents.cant_stop.solver import N_NUMBERS, SOLVER, advance, begin_turn, cost_of_rolling, place_of, solve_whole
from facedown.agents.cant_stop.turn import END, FIRST, LENGTHS, N_COLUMNS, P_THROW, WANTED
from facedown.agents.cant_stop.turn_exact import shipped_numbers
from facedown.arena.estimators import stderr_of_mean
from facedown.games.cant_stop.board import N_SPLITS, SPLITS
from facedown.inputs import check_seed, whole_number
from facedown.progress import Callback, Reporter
from facedown.seeds import derived_seed

Array = np.ndarray[Any, Any]
Board = tuple[int, ...]
"""The spaces of the markers."""
EMPTY: Board = (0,) * N_COLUMNS
MARGIN = 0.1
MAX_KEPT = 400
"""Solved boards that are kept: each takes .7 MB."""


@dataclass(frozen=True)
class Bound:
    """A lower bound on the expected number of turns."""

    value: float
    stderr: float
    games: int
    seed: int
    margin: float
    """e, above."""
    smallest: float
    """The smallest T V - V of all boards that were met; it must not be negative."""
    boards: int
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {"schema": "facedown.cant_stop_bound/1", **vars(self)}

    def __repr__(self) -> str:
        return (
            f"no player of solitaire Can't Stop needs fewer than {self.value:.4f} ± {self.stderr:.4f} turns on average "
            f"({self.games:,} sequences of throws, seed {self.seed}; {self.boards:,} boards, the smallest of their margins "
            f"{self.smallest:.4f}, {self.seconds:.0f} s)"
        )


def scaled(networks: Array, factor: float) -> Array:
    """Networks whose outputs are multiplied."""
    found = networks.copy()
    for start in range(0, len(found), NETWORK_SIZE):
        found[start + OUTPUTS : start + CONSTANT + 1] *= np.float32(factor)
    return found


def needed_at(board: Board) -> int:
    """Columns that are still needed."""
    return WANTED - sum(int(space == length) for space, length in zip(board, LENGTHS.tolist(), strict=True))


class Boards:
    """Turns solved on the networks, those that were used last."""

    def __init__(self, networks: Array):
        self.networks, self.smallest, self.n_solved = networks, math.inf, 0
        self._kept: OrderedDict[Board, tuple[Any, float]] = OrderedDict()
        self._margins: dict[Board, float] = {}

    def solved(self, board: Board) -> tuple[Any, float]:
        """The solver at a board, and T V - V."""
        if board in self._kept:
            self._kept.move_to_end(board)
            return self._kept[board]
        solver = self._kept.popitem(last=False)[1][0] if len(self._kept) == MAX_KEPT else np.zeros(1, SOLVER)
        space = np.array(board, np.int64)
        begin_turn(solver[0], space, space, needed_at(board), self.networks)
        margin = solve_whole(solver[0], self.networks) - float(solver[0].turn.value)
        if board not in self._margins:
            self._margins[board] = margin
            self.smallest, self.n_solved = min(self.smallest, margin), self.n_solved + 1
        self._kept[board] = solver, margin
        return self._kept[board]


class Sequence:
    """Throws to come, drawn when somebody asks for them."""

    def __init__(self, seed: int, game: int):
        self._generator = np.random.default_rng(derived_seed(seed, "bound", game))
        self._chances = P_THROW.astype(np.float64) / P_THROW.astype(np.float64).sum()
        self._numbers: list[int] = []

    def __getitem__(self, at: int) -> int:
        while at >= len(self._numbers):
            self._numbers += (FIRST + self._generator.choice(END - FIRST, 64, p=self._chances)).tolist()
        return self._numbers[at]


def least_sum(boards: Boards, throws: Sequence) -> float:
    """The smallest sum along this sequence of throws, without V of the empty board."""
    counter = itertools.count()  # boards of the same cost are taken in the order in which they were found
    waiting: list[tuple[float, int, Board, int]] = [(0.0, next(counter), EMPTY, 0)]
    done: set[tuple[Board, int]] = set()
    while waiting:
        cost, _, board, at = heapq.heappop(waiting)
        if needed_at(board) <= 0:
            return min(cost, GIVEN_AWAY)
        if (board, at) in done:
            continue
        done.add((board, at))
        solver, margin = boards.solved(board)
        for there, after, more in turn_ends(solver[0], board, throws, at):
            if (there, after) not in done:
                heapq.heappush(waiting, (cost + margin + more, next(counter), there, after))
    raise AssertionError("a game can always be ended")


GIVEN_AWAY = 0.5
"""Turns that give away more are passed over, so no sum is said to be larger."""


def turn_ends(solver: Any, board: Board, throws: Sequence, at: int) -> list[tuple[Board, int, float]]:
    """Where a turn can end, if it gives away little: the board, the next throw, and what was given away."""
    turn, found = solver.turn, []
    states: dict[tuple[int, ...], float] = {(0,) * N_NUMBERS: 0.0}
    while states:
        number, following = throws[at], {}  # type: int, dict[tuple[int, ...], float]
        at += 1
        lost = math.inf
        for runners, given in states.items():
            options = moves(solver, runners, number)
            if not options:
                lost = min(lost, given)
                continue
            least = min(options.values())
            for there, value in options.items():
                after = given + value - least
                if after <= GIVEN_AWAY:
                    following[there] = min(after, following.get(there, math.inf))
        if lost < math.inf:
            found.append((board, at, lost))
        states = {}
        for runners, given in following.items():
            own = np.array(runners, np.int64)
            place = place_of(turn, own)
            best, stop = float(turn.best[place]), float(turn.stop[place])
            if given + stop - best <= GIVEN_AWAY:
                found.append((_board_after(turn, board, runners), at, given + stop - best))
            rolling = cost_of_rolling(solver, own) if stop <= best else best
            if given + rolling - best <= GIVEN_AWAY:
                states[runners] = given + rolling - best
    return found


def moves(solver: Any, runners: tuple[int, ...], number: int) -> dict[tuple[int, ...], float]:
    """What a throw offers: runners afterwards, sorted by rank, and the cost of that place."""
    turn, found = solver.turn, {}
    for split in range(N_SPLITS[number]):
        ranks = [int(turn.rank[column]) for column in SPLITS[number, split]]
        for one, other in (ranks, ranks[::-1]):
            own = np.array(runners, np.int64)
            moved = advance(turn, own, one)
            moved = advance(turn, own, other) or moved
            if moved:
                found[in_order(own)] = float(turn.best[place_of(turn, own)])
    return found


def in_order(runners: Array) -> tuple[int, ...]:
    """The same runners by rank, so that those that stand alike are alike."""
    pairs = sorted((int(runners[1 + 2 * n]), int(runners[2 + 2 * n])) for n in range(int(runners[0])))
    flat = [number for pair in pairs for number in pair]
    return (len(pairs), *flat, *[0] * (N_NUMBERS - 1 - len(flat)))


def _board_after(turn: Any, board: Board, runners: tuple[int, ...]) -> Board:
    """The markers where the runners are."""
    spaces = list(board)
    for n in range(runners[0]):
        spaces[int(turn.column[runners[1 + 2 * n]])] += runners[2 + 2 * n]
    return tuple(spaces)


def lower_bound(games: int = 100, seed: int = 1, margin: float = MARGIN, progress: Callback | None = None) -> Bound:
    """Bound the expected number of turns of every player of solitaire Can't Stop from below."""
    games, seed = whole_number("games", games, 2, 1_000_000), check_seed(seed)
    started = time.perf_counter()
    boards = Boards(scaled(shipped_numbers()[0], 1.0 - margin))
    report = Reporter(progress, games, "games")
    sums = []
    for game in range(games):
        sums.append(least_sum(boards, Sequence(seed, game)))
        report(game + 1, f"{boards.n_solved:,} boards")
    solver, _ = boards.solved(EMPTY)
    found = np.array(sums) + float(solver[0].turn.value)
    seconds = time.perf_counter() - started
    return Bound(float(found.mean()), stderr_of_mean(found), games, seed, margin, boards.smallest, boards.n_solved, seconds)
