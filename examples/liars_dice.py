"""Liar's dice with one die each, for two players: a whole game in one file, outside the package.

Both players throw a die under a cup and look at their own. In turn they bid "so many dice show this face", each bid
higher than the last: more dice, or as many of a higher face. Instead of bidding a player may say "liar": the cups are
lifted, and the bidder wins if there are at least as many such dice as the bid said. The highest face is wild, it
counts as every face. The rules are those of OpenSpiel's `liars_dice` with one die for each player.

    facedown check ./examples/liars_dice.py:GAME
    facedown match ./examples/liars_dice.py:GAME sceptic uniform --games 100000 --seed 1
    facedown play ./examples/liars_dice.py:GAME --against sceptic
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from facedown import OVER, Agent, Game, Option, Parameter, Reason
from facedown.native import copy_shared, draw, field, native, record
from facedown.native.records import Record

# --- what there is, and what a player sees of it ------------------------------------------------------------------------

N_DICE = 2
MAX_FACES = 6
MAX_BIDS = N_DICE * MAX_FACES
NO_BID = -1

_RULES = (
    field("faces", np.int8, 2, MAX_FACES, "number of faces of a die"),
    field("wild", np.int8, 0, 1, "whether the highest face counts as every face"),
)
_TABLE = (
    field("mover", np.int8, OVER, 1, "player to move; -1 the game is over"),
    field("bids", np.int8, NO_BID, MAX_BIDS - 1, "all bids so far, (dice - 1) * faces + face - 1; -1 not yet", MAX_BIDS),
    field("n_bids", np.int8, 0, MAX_BIDS, "number of bids so far"),
    field("caller", np.int8, -1, 1, "player who said liar; -1 nobody yet"),
)
STATE = record(*_RULES, field("dice", np.int8, 1, MAX_FACES, "the die of each player", N_DICE), *_TABLE)
VIEW = record(
    *_RULES,
    field("player", np.int8, 0, 1, "the player who looks"),
    field("die", np.int8, 1, MAX_FACES, "your own die"),
    *_TABLE,
)


# --- the rules, in the order in which the game is played ----------------------------------------------------------------


@native
def start(state: Record, chance: Record) -> None:
    for player in range(N_DICE):
        state.dice[player] = 1 + draw(chance, int(state.faces))
    for place in range(MAX_BIDS):
        state.bids[place] = NO_BID
    state.caller = -1


@native
def turn(state: Record) -> int:
    return int(state.mover)


@native
def last_bid(table: Record) -> int:
    """The bid that has to be beaten, or NO_BID. A state and a view both have the fields for it."""
    return int(table.bids[int(table.n_bids) - 1]) if table.n_bids > 0 else NO_BID


@native
def liar(table: Record) -> int:
    """The action "liar": the number after the highest bid."""
    return N_DICE * int(table.faces)


@native
def legal(state: Record, actions: Any) -> int:
    n_actions = 0
    for bid in range(last_bid(state) + 1, liar(state)):
        actions[n_actions] = bid
        n_actions += 1
    if state.n_bids > 0:
        actions[n_actions] = liar(state)
        n_actions += 1
    return n_actions


@native
def step(state: Record, action: int, chance: Record) -> None:
    mover = int(state.mover)
    if action == liar(state):
        state.caller = mover
        state.mover = OVER
        return
    state.bids[int(state.n_bids)] = action
    state.n_bids += 1
    state.mover = 1 - mover


@native
def fits(table: Record, die: int, face: int) -> bool:
    """Whether a die counts towards a bid of this face."""
    return die == face or (table.wild == 1 and die == table.faces)


@native
def score(state: Record, scores: Any) -> None:
    bid, faces = last_bid(state), int(state.faces)
    n_bid, face = bid // faces + 1, bid % faces + 1
    n_there = 0
    for player in range(N_DICE):
        n_there += 1 if fits(state, int(state.dice[player]), face) else 0
    caller = int(state.caller)
    scores[caller] = -1.0 if n_there >= n_bid else 1.0
    scores[1 - caller] = -scores[caller]


# --- what players know --------------------------------------------------------------------------------------------------


@native
def observe(state: Record, player: int, view: Record) -> None:
    copy_shared(state, view)
    view.player = player
    view.die = state.dice[player]


@native
def imagine(view: Record, player: int, chance: Record, state: Record) -> None:
    copy_shared(view, state)
    state.dice[player] = view.die
    state.dice[1 - player] = 1 + draw(chance, int(view.faces))


# --- words --------------------------------------------------------------------------------------------------------------

_BID = re.compile(r"([12])\s*(?:x|\*|times|-|\s)\s*([1-6])", re.IGNORECASE)


def bid_name(view: Record, bid: int) -> str:
    return f"{bid // view.faces + 1} x {bid % view.faces + 1}"


def describe(view: Record) -> str:
    wild = f"; {view.faces} is wild" if view.wild else ""
    text = f"You are player {view.player}. Your die shows {view.die} (faces 1 to {view.faces}{wild})."
    bids = [f"player {place % 2}: {bid_name(view, int(bid))}" for place, bid in enumerate(view.bids[: view.n_bids])]
    text += f" Bids: {', '.join(bids)}." if bids else " Nobody has bid yet."
    return text if view.caller < 0 else f"{text} Player {view.caller} said liar."


def action_name(view: Record, action: int) -> str:
    return "liar" if action == liar(view) else bid_name(view, action)


def parse_action(view: Record, text: str) -> int | None:
    """Understand "2 5", "2x5" and "2 times 5" for two fives; whether it is legal is checked by others."""
    match = _BID.fullmatch(text.strip())
    if match is None or int(match[2]) > view.faces:
        return None
    return (int(match[1]) - 1) * int(view.faces) + int(match[2]) - 1


GAME = Game(
    name="liars_dice",
    title="Liar's dice, one die each",
    source="OpenSpiel, liars_dice(numdice=1)",
    state=STATE,
    view=VIEW,
    start=start,
    turn=turn,
    legal=legal,
    step=step,
    score=score,
    observe=observe,
    imagine=imagine,
    describe=describe,
    action_name=action_name,
    parse_action=parse_action,
    options=(
        Option("faces", 6, "number of faces of a die", 2, MAX_FACES),
        Option("wild", 1, "whether the highest face counts as every face", choices=("no", "yes")),
    ),
    players=2,
    actions=lambda options: N_DICE * options["faces"] + 1,
    longest=lambda options: N_DICE * options["faces"] + 1,
    kind="zero sum",
    scores=(-1.0, 1.0),
)


# --- an agent -----------------------------------------------------------------------------------------------------------


@native
def p_true(view: Record, bid: int) -> float:
    """How likely a bid is true, for somebody who knows their own die and takes the other for a fair one."""
    faces = int(view.faces)
    n_bid, face = bid // faces + 1, bid % faces + 1
    n_missing = n_bid - (1 if fits(view, int(view.die), face) else 0)
    if n_missing == 0:
        return 1.0
    if n_missing == N_DICE:
        return 0.0
    n_fitting = 2 if view.wild == 1 and face < faces else 1
    return n_fitting / faces


@native
def sceptic(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    if view.n_bids > 0 and p_true(view, last_bid(view)) < params[0]:
        return liar(view)
    best, p_best = int(actions[0]), -1.0
    for index in range(n):
        action = int(actions[index])
        if action != liar(view) and p_true(view, action) > p_best:
            best, p_best = action, p_true(view, action)
    return best


def explain_sceptic(view: Record, action: int, params: Any, memory: Record | None) -> Reason:
    if view.n_bids == 0:
        return Reason("rule", "the lowest bid that is most likely true")
    p_last = p_true(view, last_bid(view))
    return Reason("rule", f"the last bid is true with probability {p_last:.2f}, as far as my die tells")


AGENTS = (
    Agent(
        name="sceptic",
        game="liars_dice",
        meaning="says liar when the bid is too unlikely, else makes the likeliest bid",
        act=sceptic,
        parameters=(Parameter("threshold", 0.4, 0.0, 1.0, "it says liar when the bid is less likely than this"),),
        deterministic=True,
        explain=explain_sceptic,
    ),
)
