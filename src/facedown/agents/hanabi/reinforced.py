"""Reinforced: does what has paid in situations like this one, by a table that was learnt from its own games.

Source: W. Jarząbek & J. Leja, Wrocław 2020, section 4.9. It finds the card that is best to play, the one that is best to
discard and the best hint, then the best of these three. What each is worth stands in a table by situation
(`situations.py`), which `learning/hanabi_reinforced.py` makes. The tables of the source were not kept; those that come with
the package were learnt anew:

    facedown learn 'hanabi(rules=thesis)' reinforced2 --games 500000 --seed 1 --save FILE
    facedown learn 'hanabi(players=4,rules=thesis)' reinforced4 --games 500000 --seed 2 --save FILE
"""

from __future__ import annotations

import zipfile
from functools import cache
from importlib import resources
from typing import Any

import numpy as np

from facedown.agents.contract import Agent
from facedown.agents.hanabi.situations import (
    AT_DISCARD,
    AT_HINT,
    AT_PLAY,
    AT_WHOLE,
    N_RECORDS,
    N_WHOLE,
    SIGHT,
    TRACKS,
    follow,
    hint_situation,
    look,
    own_situation,
    whole_situation,
)
from facedown.agents.hanabi.vocabulary import NONE, REASON, discard_or_tell, hint_action, may_discard, telling
from facedown.errors import UsageError
from facedown.files import user_path
from facedown.games.contract import Game
from facedown.games.hanabi.cards import N_FEATURES, PLAY
from facedown.native import native, record
from facedown.native.records import Record

PLAYS, DISCARDS, HINTS = 1, 2, 3
MODULES = {PLAYS: "playing pays most", DISCARDS: "discarding pays most", HINTS: "a hint pays most"}
FURTHEST = {"reinforced2": 0, "reinforced4": 2}
"""How many players between a hint and its receiver are told apart: as many as there were when it learnt."""
MEMORY = record(*REASON, *TRACKS, *SIGHT)


@native
def watch(view: Record, mover: int, action: int, params: Any, memory: Any) -> None:
    follow(view, memory.view(MEMORY)[0], mover, action)


@native
def reinforced(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    """`params` are the furthest distance that is told apart, then the table."""
    mind = memory.view(MEMORY)[0]
    look(view, mind)
    own, table = int(view.player), params[1:]
    play_slot, discard_slot = 0, 0
    best_play, best_discard, play_of_discard, discard_of_play = -1.0, -1.0, 0.0, 0.0
    for slot in range(int(view.n_held[own])):
        at = own_situation(view, mind, slot, int(view.told[own, slot]), int(mind.hint_size[own, slot]))
        plays, discards = table[AT_PLAY + at], table[AT_DISCARD + at]
        if plays > best_play:
            play_slot, best_play, discard_of_play = slot, plays, discards
        if discards >= best_discard:  # of equal ones the rightmost
            discard_slot, best_discard, play_of_discard = slot, discards, plays
    hint, best_hint = NONE, 0.0
    if view.n_tokens > 0:
        for distance in range(int(view.players) - 1):
            for feature in range(N_FEATURES):
                at = hint_situation(view, mind, distance, int(params[0]), feature)
                if at != NONE and (hint == NONE or table[AT_HINT + at] > best_hint):
                    hint, best_hint = hint_action(distance, feature), table[AT_HINT + at]
    at = whole_situation(view, max(best_play, play_of_discard), max(best_discard, discard_of_play), best_hint)
    module, action, value = PLAYS, PLAY + play_slot, table[AT_WHOLE + at]
    if may_discard(view) and table[AT_WHOLE + N_WHOLE + at] > value:
        module, action, value = DISCARDS, discard_or_tell(view, discard_slot), table[AT_WHOLE + N_WHOLE + at]
    if hint != NONE and table[AT_WHOLE + 2 * N_WHOLE + at] > value:
        module, action, value = HINTS, hint, table[AT_WHOLE + 2 * N_WHOLE + at]
    mind.module = module
    mind.action = action
    mind.value = value
    return action


# --- tables -----------------------------------------------------------------------------------------------------------------


def agent_of(name: str, worths: Any, file: str = "", origin: str = "") -> Agent:
    """The agent with a table of what everything is worth."""
    table = np.concatenate([[float(FURTHEST[name])], worths.astype(np.float64)])
    table.flags.writeable = False  # shared by all threads
    return Agent(
        name=name,
        game="hanabi",
        meaning=f"does what has paid in its own games of {name[-1]}, by a table of situations",
        act=reinforced,
        watch=watch,
        memory=MEMORY,
        table=table,
        explain=telling(MODULES, "value"),
        file=file,
        origin=origin,
        seconds=4.0,
    )


@cache
def shipped(name: str) -> Agent:
    """The agent with the table that comes with the package."""
    with resources.files(__package__).joinpath(f"{name}.npz").open("rb") as file, np.load(file) as arrays:
        return agent_of(name, arrays["worths"])


def read(name: str, file: str, game: Game) -> Agent:
    """The agent with the table of a file, as `facedown learn` saves it."""
    if not file:
        return shipped(name)
    path = user_path(file)
    try:
        with np.load(path) as arrays:
            worths = arrays["worths"]
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as problem:
        reason = problem.strerror if isinstance(problem, OSError) and problem.strerror else "it holds no table of situations"
        hint = f"make one with `facedown learn {game.name} {name} --games N --save FILE`"
        raise UsageError(f"cannot read '{file}': {reason}; {hint}") from None
    inside = worths.shape == (N_RECORDS,) and worths.dtype.kind == "f"
    if not inside or not ((worths >= 0) & (worths <= 1)).all():
        raise UsageError(
            f"'{file}' does not hold a table of {name}: expected {N_RECORDS:,} numbers from 0 to 1, found {worths.shape} of "
            f"{worths.dtype}; make one with `facedown learn {game.name} {name} --games N --save FILE`"
        )
    return agent_of(name, worths, file, f"{name}({path.resolve()})")
