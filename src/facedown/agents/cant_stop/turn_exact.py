"""The agent `turn_exact`: plays every turn as if the board at its end were worth what a fitted network says.

Alone it wants few turns. Against one other player it wants to win: the turns that both need make a probability (`race.py`).
Against more it wants few turns again. Columns that others have won cannot be played, and look untouched to the networks, so
that the number of won columns is one that they have learnt.

It keeps the turn under way in its memory, and solves what the dice make it ask for: after a first throw the columns that its
splits name, with every third one. The first turn alone is always the same, so it is solved when the agent is made and comes
with the networks. `facedown learn` makes the networks; those that are shipped are its work.
"""

from __future__ import annotations

import zipfile
from functools import cache
from importlib import resources
from typing import Any

import numpy as np

from facedown.agents.cant_stop.heuristics import column_of
from facedown.agents.cant_stop.network import ALL_NETWORKS
from facedown.agents.cant_stop.solver import SOLVER, advance, begin_race, begin_turn, is_at, need, place_of, solve_turn
from facedown.agents.cant_stop.turn import LENGTHS, N_COLUMNS, N_ODDS, SHORTEST, WANTED
from facedown.agents.contract import Agent
from facedown.errors import UsageError
from facedown.files import user_path
from facedown.games.cant_stop.board import MAX_SIDES
from facedown.games.cant_stop.rules import NO_THROW, ROLL, STOP
from facedown.games.contract import Game
from facedown.native import native
from facedown.native.records import Record

NAME = "turn_exact"
MEANING = (
    "solves every turn exactly, on a fitted value of the board at its end; turn_exact(FILE) takes what `facedown learn` saved"
)
SHIPPED = "turn_exact.npz"
N_NUMBERS = ALL_NETWORKS + N_ODDS
N_WORDS = (N_NUMBERS + 1) // 2
"""Words of 64 bits that the networks take; a solver that has solved the first turn comes behind them."""
ODDS = np.array([0.1, 0.6, 0.6], np.float32)
"""Where a file does not say: about what the agent against itself comes to."""
_BOARD = (np.int64, (N_COLUMNS,))
MEMORY = np.dtype((Record, [("space", *_BOARD), ("seen", *_BOARD), ("theirs", *_BOARD), ("solver", SOLVER)]))
SOLVER_AT = 3 * N_COLUMNS * 8


@native
def begin(view: Record, params: Any, memory: Any, own: Record) -> None:
    """Make sure that the solver is at the turn under way."""
    mover, n_steps, networks = int(view.mover), 0, params.view(np.float32)
    for column in range(N_COLUMNS):
        own.seen[column] = view.marker[mover, column]
        own.space[column] = LENGTHS[column] if int(view.closed[mover]) >> column & 1 else own.seen[column]
        n_steps += own.space[column]
    needed, turn = int(view.columns) - int(view.won[mover]), own.solver.turn
    if is_at(turn, own.space, needed) and (turn.race == 0 or turn.number == view.n_turns):
        return
    if n_steps == 0 and view.players != 2:
        memory[SOLVER_AT:] = params.view(np.uint8)[8 * N_WORDS : 8 * N_WORDS + len(memory) - SOLVER_AT]
        return
    begin_turn(own.solver, own.space, own.seen, needed, networks)
    if view.players == 2:
        for column in range(N_COLUMNS):
            own.theirs[column] = view.marker[1 - mover, column]
        begin_race(own.solver, int(view.n_turns), own.theirs, int(view.columns) - int(view.won[1 - mover]), networks)


@native
def play(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    """The move of least cost."""
    own, networks = memory.view(MEMORY)[0], params.view(np.float32)
    begin(view, params, memory, own)
    solver, turn = own.solver, own.solver.turn
    solver.runners[:] = 0
    for column in range(N_COLUMNS):
        if view.runner[column] > 0:
            at = 1 + 2 * solver.runners[0]
            solver.runners[at], solver.runners[at + 1] = turn.rank[column], int(view.runner[column]) - turn.space[column]
            solver.runners[0] += 1
    if view.throw == NO_THROW:
        need(solver, solver.runners, networks)
        at = place_of(turn, solver.runners)
        return STOP if turn.stop[at] <= turn.best[at] else ROLL
    best, chosen = np.float32(3e9), int(actions[0])
    for index in range(n):
        solver.tried[:] = solver.runners
        for higher in range(2):
            column = column_of(view, int(actions[index]), higher)
            if column >= 0:
                advance(turn, solver.tried, turn.rank[column])
        need(solver, solver.tried, networks)
        cost = turn.best[place_of(turn, solver.tried)]
        if cost < best:
            best, chosen = cost, int(actions[index])
    return chosen


# --- files --------------------------------------------------------------------------------------------------------------


def agent_of(networks: Any, odds: Any, game: Game, file: str = "", origin: str = "") -> Agent:
    """The agent that plays on these networks, and in races with these odds."""
    if problem := problem_with(game):
        raise UsageError(problem)
    solvers = np.zeros(1, SOLVER)
    solve_turn(solvers[0], np.zeros(N_COLUMNS, np.int64), WANTED, networks)
    words = np.zeros(N_WORDS + -(-SOLVER.itemsize // 8))
    words[:N_WORDS].view(np.float32)[:N_NUMBERS] = np.concatenate([networks, odds])
    words[N_WORDS:].view(np.uint8)[: SOLVER.itemsize] = solvers.view(np.uint8)
    words.flags.writeable = False  # shared by all threads
    return Agent(
        name=NAME,
        meaning=MEANING,
        act=play,
        game=game.name,
        memory=MEMORY,
        table=words,
        file=file,
        origin=origin,
        seconds=20.0,
    )


def problem_with(game: Game) -> str:
    """Why it cannot play this game, in a sentence, or nothing: its board is the real one."""
    wanted = {"sides": MAX_SIDES, "shortest": SHORTEST, "columns": WANTED, "blocking": 0, "extended": 0}
    for option in game.options:
        value, found = wanted.get(option.name, game.values[option.name]), game.values[option.name]
        if found != value:
            return (
                f"agent {NAME} plays the real board only: {option.name}={option.word(value)}, not {option.word(found)}; "
                "leave that option as it is, or take another agent"
            )
    return ""


@cache
def shipped_numbers() -> tuple[Any, Any]:
    """The networks that come with the package, and the odds of races."""
    with resources.files(__package__).joinpath(SHIPPED).open("rb") as file, np.load(file) as arrays:
        return arrays["networks"], arrays["odds"]


def shipped(game: Game) -> Agent:
    """The agent with the networks that come with the package."""
    return agent_of(*shipped_numbers(), game)


def read(file: str, game: Game) -> Agent:
    """The agent for the text in the brackets of `turn_exact(FILE)`."""
    if not file:
        return shipped(game)
    path = user_path(file)
    try:
        with np.load(path) as arrays:
            networks, odds = arrays["networks"], arrays["odds"] if "odds" in arrays.files else ODDS
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as problem:
        hint = f"; make one with `facedown learn {game.name} {NAME} --games N --save FILE`"
        reason = problem.strerror if isinstance(problem, OSError) and problem.strerror else "it does not hold networks"
        raise UsageError(f"cannot read '{file}': {reason}{hint}") from None
    for numbers, count in ((networks, ALL_NETWORKS), (odds, N_ODDS)):
        if numbers.shape != (count,) or numbers.dtype != np.float32 or not np.isfinite(numbers).all():
            raise UsageError(
                f"'{file}' does not hold networks of {NAME}: expected {count:,} finite numbers of 32 bits, "
                f"found {numbers.shape} of {numbers.dtype}"
            )
    return agent_of(networks, odds, game, file, f"{NAME}({path.resolve()})")
