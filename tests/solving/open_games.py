"""Games of perfect information with chance on our contract, for the tests: pig, and a column that is climbed turn by turn."""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.games.contract import OVER, Game, Option
from facedown.native import copy_shared, draw, draw_from, field, native, record
from facedown.native.records import Record

STOP, ROLL = 0, 1
NO_THROW = -1
MAX_TURNS = 30_000

# --- pig, as OpenSpiel has it: a 1 loses what the turn has brought, and holding banks it ---

_PIG = (
    field("goal", np.int16, 1, 200, "points that win"),
    field("sides", np.int8, 2, 6, "sides of the die"),
    field("mover", np.int8, OVER, 1, "player to move; -1 the game is over"),
    field("points", np.int16, 0, 300, "points of each player", 2),
    field("total", np.int16, 0, 300, "points of this turn"),
    field("thrown", np.int8, NO_THROW, 6, "the last throw; -1 none yet"),
    field("n_moves", np.int32, 0, 2 * MAX_TURNS, "moves so far"),
)
PIG_STATE = record(*_PIG)
PIG_VIEW = record(field("player", np.int8, 0, 1, "the player who looks"), *_PIG)


@native
def pig_start(state: Record, chance: Record) -> None:
    state.thrown = NO_THROW


@native
def pig_turn(state: Record) -> int:
    return int(state.mover)


@native
def pig_legal(state: Record, actions: Any) -> int:
    actions[0] = STOP
    if int(state.points[state.mover]) + int(state.total) >= state.goal:  # nobody would throw on
        return 1
    actions[1] = ROLL
    return 2


@native
def pig_step(state: Record, action: int, chance: Record) -> None:
    mover = int(state.mover)
    state.n_moves += 1
    if action == ROLL:
        state.thrown = 1 + draw(chance, int(state.sides))
        if state.thrown > 1:
            state.total += state.thrown
        else:
            state.total = 0
            state.mover = 1 - mover
    else:
        state.points[mover] += state.total
        state.total = 0
        state.mover = OVER if state.points[mover] >= state.goal else 1 - mover
    if state.n_moves >= 2 * MAX_TURNS:
        state.mover = OVER


@native
def pig_score(state: Record, scores: Any) -> None:
    scores[0] = 1.0 if state.points[0] >= state.goal else -1.0 if state.points[1] >= state.goal else 0.0
    scores[1] = -scores[0]


@native
def pig_settle(state: Record) -> None:
    state.thrown = NO_THROW
    state.n_moves = 0


@native
def look(state: Record, player: int, view: Record) -> None:
    copy_shared(state, view)
    view.player = player


@native
def imagine(view: Record, player: int, chance: Record, state: Record) -> None:
    copy_shared(view, state)


def describe_pig(view: Record) -> str:
    return f"{view.points[0]} and {view.points[1]} points, {view.total} in this turn, player {view.mover} is to move."


def action_name(view: Record, action: int) -> str:
    return ("stop", "roll")[action] if action < 2 else f"take {action}"


PIG = Game(
    name="pig",
    title="Pig",
    source="Neller & Presser 2004",
    state=PIG_STATE,
    view=PIG_VIEW,
    start=pig_start,
    turn=pig_turn,
    legal=pig_legal,
    step=pig_step,
    score=pig_score,
    settle=pig_settle,
    observe=look,
    imagine=imagine,
    describe=describe_pig,
    action_name=action_name,
    options=(Option("goal", 20, "points that win", 1, 200), Option("sides", 6, "sides of the die", 2, 6)),
    players=2,
    actions=2,
    longest=2 * MAX_TURNS,
    kind="zero sum",
    scores=(-1.0, 1.0),
    perfect_information=True,
    perfect_recall=False,
)

# --- a column that is climbed: a throw succeeds with probability tenths / 10, a failure loses the turn; few turns are best ---

_COLUMN = (
    field("goal", np.int16, 1, 100, "spaces to climb"),
    field("tenths", np.int8, 1, 9, "how many of ten throws succeed"),
    field("mover", np.int8, OVER, 0, "0 while it goes on; -1 the game is over"),
    field("banked", np.int16, 0, 100, "spaces that are safe"),
    field("climbed", np.int16, 0, 100, "spaces of this turn"),
    field("n_turns", np.int32, 0, MAX_TURNS, "turns that are over"),
)
COLUMN_STATE = record(*_COLUMN)
COLUMN_VIEW = record(field("player", np.int8, 0, 0, "the player who looks"), *_COLUMN)


@native
def column_start(state: Record, chance: Record) -> None:
    state.banked = 0


@native
def column_turn(state: Record) -> int:
    return int(state.mover)


@native
def column_legal(state: Record, actions: Any) -> int:
    if state.climbed == 0:
        actions[0] = ROLL
        return 1
    actions[0] = STOP
    if state.banked + state.climbed == state.goal:
        return 1
    actions[1] = ROLL
    return 2


@native
def column_step(state: Record, action: int, chance: Record) -> None:
    if action == ROLL:
        odds = np.array([10 - int(state.tenths), int(state.tenths)])
        if draw_from(chance, odds) == 1:
            state.climbed += 1
            return
        state.climbed = 0
    state.banked += state.climbed
    state.climbed = 0
    state.n_turns += 1
    if state.banked == state.goal or state.n_turns >= MAX_TURNS:
        state.mover = OVER


@native
def column_score(state: Record, scores: Any) -> None:
    scores[0] = -float(state.n_turns)


@native
def column_settle(state: Record) -> None:
    state.n_turns = 0


def describe_column(view: Record) -> str:
    return f"{view.banked} of {view.goal} spaces are safe, {view.climbed} climbed in this turn."


COLUMN = Game(
    name="column",
    title="A column",
    source="Beating Can't Stop, question 2",
    state=COLUMN_STATE,
    view=COLUMN_VIEW,
    start=column_start,
    turn=column_turn,
    legal=column_legal,
    step=column_step,
    score=column_score,
    settle=column_settle,
    observe=look,
    imagine=imagine,
    describe=describe_column,
    action_name=action_name,
    options=(Option("goal", 10, "spaces to climb", 1, 100), Option("tenths", 7, "how many of ten throws succeed", 1, 9)),
    players=1,
    actions=2,
    longest=200 * MAX_TURNS,
    kind="general",
    scores=(-float(MAX_TURNS), -1.0),
    cost="turns",
    perfect_information=True,
    perfect_recall=False,
)

# --- a throw that is to be split: two dice, of which one is taken; then stop or throw on; a sum of 5 is lost ---

_SPLIT = (
    field("goal", np.int16, 1, 100, "points that end the game"),
    field("mover", np.int8, OVER, 0, "0 while it goes on; -1 the game is over"),
    field("dice", np.int8, 0, 4, "a throw that is to be split; 0 none", 2),
    field("points", np.int16, 0, 200, "points that are safe"),
    field("total", np.int16, 0, 200, "points of this turn"),
    field("n_turns", np.int32, 0, MAX_TURNS, "turns that are over"),
)
SPLIT_STATE = record(*_SPLIT)
SPLIT_VIEW = record(field("player", np.int8, 0, 0, "the player who looks"), *_SPLIT)


@native
def split_start(state: Record, chance: Record) -> None:
    state.points = 0


@native
def split_legal(state: Record, actions: Any) -> int:
    if state.dice[0] == 0:
        if state.total == 0:
            actions[0] = ROLL
            return 1
        actions[0] = STOP
        actions[1] = ROLL
        return 2
    low, high = min(int(state.dice[0]), int(state.dice[1])), max(int(state.dice[0]), int(state.dice[1]))
    actions[0] = 1 + low
    if low == high:
        return 1
    actions[1] = 1 + high
    return 2


@native
def split_step(state: Record, action: int, chance: Record) -> None:
    if state.dice[0] > 0:
        state.total += action - 1
        state.dice[0] = state.dice[1] = 0
        return
    if action == ROLL:
        state.dice[0] = 1 + draw(chance, 4)
        state.dice[1] = 1 + draw(chance, 4)
        if int(state.dice[0]) + int(state.dice[1]) != 5:
            return
        state.dice[0] = state.dice[1] = 0
        state.total = 0
    state.points += state.total
    state.total = 0
    state.n_turns += 1
    if state.points >= state.goal or state.n_turns >= MAX_TURNS:
        state.mover = OVER


@native
def split_settle(state: Record) -> None:
    state.n_turns = 0
    left = int(state.goal) - int(state.points)
    state.total = min(int(state.total), left)


def describe_split(view: Record) -> str:
    return f"{view.points} of {view.goal} points, {view.total} in this turn, dice {view.dice[0]} and {view.dice[1]}."


SPLIT = Game(
    name="split",
    title="A throw to be split",
    source="made up for the tests",
    state=SPLIT_STATE,
    view=SPLIT_VIEW,
    start=split_start,
    turn=column_turn,
    legal=split_legal,
    step=split_step,
    score=column_score,
    settle=split_settle,
    observe=look,
    imagine=imagine,
    describe=describe_split,
    action_name=action_name,
    options=(Option("goal", 12, "points that end the game", 1, 100),),
    players=1,
    actions=6,
    longest=200 * MAX_TURNS,
    kind="general",
    scores=(-float(MAX_TURNS), -1.0),
    cost="turns",
    perfect_information=True,
    perfect_recall=False,
)
