"""Rrrats!: press your luck with two dice, and steal from the other player.

Source: Jakóbczyk 2023, section 4.2. 31 tokens lie in a pile; two dice show 0, 1, 2 with probability 3/6, 2/6, 1/6. In
a turn a player throws as often as they like: each 1 takes a token from the pile into the hand; each 2 steals one from
the other player's points, or takes one from the pile if there are none; 0-0 ends the turn and the hand goes back to
the pile. With four in hand the turn ends, the surplus goes back to the pile. At the end of a turn the hand is banked.
The game ends when the pile is empty; the hand counts; more tokens win.

Where the source is silent: both dice of a throw count, the steal before the take; a die takes nothing from an empty
pile; the game ends after the throw that emptied the pile, before any surplus would go back. It says of 0-0 only that
the hand is "put down": back to the pile here, banked with the option `zeros_bank`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.games.contract import OVER, Column, Game, Option
from facedown.native import copy_shared, draw_from, field, native, record
from facedown.native.records import Record
from facedown.pictures import Picture, chip, chips, die, label, panel, plate, track
from facedown.pictures.palette import ORANGE, SKY, VERMILION

STOP, ROLL = 0, 1
HAND_LIMIT = 4
MAX_TOKENS = 99
MAX_THROWS = 100_000
NO_THROW = -1
ENDLESS = 1_000
"""A cap of this many throws or more is there for games that never end: no position depends on how far it is."""
FACES = np.array([3, 2, 1], np.int64)  # how many of six faces show 0, 1, 2

_RULES = (
    field("tokens", np.int8, 1, MAX_TOKENS, "tokens in the game"),
    field("zeros_bank", np.int8, 0, 1, "whether 0-0 banks the hand instead of losing it"),
    field("roll_at_four", np.int8, 0, 1, "whether a player with four in hand may throw again"),
    field("max_throws", np.int32, 1, MAX_THROWS, "throws after which the game ends as it stands"),
)
_TABLE = (
    field("mover", np.int8, OVER, 1, "player whose turn it is; -1 the game is over"),
    field("pile", np.int8, 0, MAX_TOKENS, "tokens in the pile"),
    field("points", np.int8, 0, MAX_TOKENS, "tokens that each player has banked", 2),
    field("hand", np.int8, 0, HAND_LIMIT + 2, "tokens in the hand of the mover"),
    field("dice", np.int8, NO_THROW, 2, "the last throw; -1 none yet", 2),
    field("thrower", np.int8, NO_THROW, 1, "who made it; -1 nobody yet"),
    field("n_throws", np.int32, 0, MAX_THROWS, "throws so far"),
)
STATE = record(*_RULES, *_TABLE, field("capped", np.int8, 0, 1, "whether the cap on throws ended the game"))
VIEW = record(*_RULES, field("player", np.int8, 0, 1, "the player who looks"), *_TABLE)


@native
def start(state: Record, chance: Record) -> None:
    state.pile = state.tokens
    state.dice[0] = state.dice[1] = NO_THROW
    state.thrower = NO_THROW


@native
def turn(state: Record) -> int:
    return int(state.mover)


@native
def legal(state: Record, actions: Any) -> int:
    if state.hand == 0:  # a turn begins with a throw
        actions[0] = ROLL
        return 1
    actions[0] = STOP
    actions[1] = ROLL
    return 2


@native
def step(state: Record, action: int, chance: Record) -> None:
    if action == STOP:
        end_turn(state, int(state.hand))
        return
    state.dice[0] = draw_from(chance, FACES)
    state.dice[1] = draw_from(chance, FACES)
    state.thrower = state.mover
    state.n_throws += 1
    resolve(state)


@native
def resolve(state: Record) -> None:
    """Do what the dice say."""
    other = 1 - int(state.mover)
    steals = (1 if state.dice[0] == 2 else 0) + (1 if state.dice[1] == 2 else 0)
    takes = (1 if state.dice[0] == 1 else 0) + (1 if state.dice[1] == 1 else 0)
    stolen = min(steals, int(state.points[other]))
    taken = min(takes + steals - stolen, int(state.pile))
    state.points[other] -= stolen
    state.pile -= taken
    hand = int(state.hand) + stolen + taken
    state.hand = hand
    if state.pile == 0:
        end_turn(state, hand)
        state.mover = OVER
    elif state.dice[0] == 0 and state.dice[1] == 0:
        end_turn(state, hand if state.zeros_bank else 0)
    elif hand > HAND_LIMIT or (hand == HAND_LIMIT and not state.roll_at_four):
        end_turn(state, HAND_LIMIT)
    if state.n_throws >= state.max_throws and state.mover != OVER:
        end_turn(state, int(state.hand))
        state.mover = OVER
        state.capped = 1


@native
def end_turn(state: Record, banked: int) -> None:
    """Bank this many tokens of the hand, put the others back, and pass the dice."""
    mover = int(state.mover)
    state.points[mover] += banked
    state.pile += int(state.hand) - banked
    state.hand = 0
    state.mover = 1 - mover


@native
def score(state: Record, scores: Any) -> None:
    lead = int(state.points[0]) - int(state.points[1])
    scores[0] = 1.0 if lead > 0 else 0.0 if lead < 0 else 0.5
    scores[1] = 1.0 - scores[0]


@native
def settle(state: Record) -> None:
    state.dice[0] = state.dice[1] = NO_THROW
    state.thrower = NO_THROW
    if state.max_throws >= ENDLESS:
        state.n_throws = 0


@native
def report(state: Record, values: Any) -> None:
    values[0] = state.capped


@native
def observe(state: Record, player: int, view: Record) -> None:
    copy_shared(state, view)  # nothing is hidden in this game
    view.player = player


@native
def imagine(view: Record, player: int, chance: Record, state: Record) -> None:
    copy_shared(view, state)
    state.capped = 1 if view.mover == OVER and view.pile > 0 else 0


def describe(view: Record) -> str:
    own, other = int(view.points[view.player]), int(view.points[1 - view.player])
    text = f"Pile {view.pile}, you have {own} points, the other player has {other}."
    if view.thrower != NO_THROW:
        who = "You" if view.thrower == view.player else "The other player"
        text += f" {who} threw {view.dice[0]} and {view.dice[1]}."
    if view.mover == OVER:
        return text + " The game is over."
    who = "You have" if view.mover == view.player else "The other player has"
    return text + f" {who} {view.hand} in hand."


def narrate(before: Record, after: Record) -> str:
    """The throw and what came of it, or how much was banked."""
    mover = int(before.mover)
    you, other = mover == after.player, 1 - mover
    who = "You" if you else "The other player"
    banked = int(after.points[mover]) - int(before.points[mover])
    if after.n_throws == before.n_throws:
        return f"{who} {'stop and bank' if you else 'stops and banks'} {banked}."
    stolen = int(before.points[other]) - int(after.points[other])
    text = f"{who} threw {after.dice[0]} and {after.dice[1]}"
    text += f", stealing {stolen}" if stolen else ""
    if after.mover == mover:
        return f"{text}: {after.hand} in hand."
    over = " The game is over." if after.mover == OVER else ""
    lost = int(before.hand) and not banked
    return f"{text}: {f'{banked} banked' if banked else 'the hand is lost' if lost else 'nothing'}.{over}"


def action_name(view: Record, action: int) -> str:
    return ("stop", "roll")[action]


def draw_table(view: Record) -> Picture:
    player, mover = int(view.player), int(view.mover)
    picture = Picture(480, 340, describe(view))
    for seat, top in ((1 - player, 14), (player, 232)):
        name = f"you, player {player}" if seat == player else f"player {seat}"
        picture.add(panel(20, top, 440, 94, lit=mover == seat), label(36, top + 26, name, 15, bold=True))
        picture.add(
            label(36, top + 50, f"{view.points[seat]} banked", 14), chips(36, top + 68, int(view.points[seat]), in_row=14)
        )
        if mover == seat:
            picture.add(label(290, top + 26, f"in hand: {view.hand}", 15))
            picture.add(track(290, top + 38, 150, HAND_LIMIT, int(view.hand), VERMILION))
    picture.add(chip(76, 168, str(view.pile), radius=30), label(76, 222, "in the pile", 14, "middle"))
    picture.add(track(130, 206, 180, int(view.tokens), int(view.pile)))
    if view.thrower != NO_THROW:
        who = "You" if view.thrower == player else f"Player {view.thrower}"
        picture.add(label(130, 138, f"{who} threw", 14))
        for place in range(2):
            picture.add(die(130 + 54 * place, 148, int(view.dice[place]), digit=True))
    if mover != OVER:
        picture.add(plate(398, 148, "roll", SKY, 100, actions=[ROLL]), plate(398, 194, "stop", ORANGE, 100, actions=[STOP]))
    return picture


GAME = Game(
    name="rrrats",
    title="Rrrats!",
    source="Jakóbczyk, Wrocław 2023, section 4.2",
    state=STATE,
    view=VIEW,
    start=start,
    turn=turn,
    legal=legal,
    step=step,
    score=score,
    observe=observe,
    imagine=imagine,
    report=report,
    settle=settle,
    describe=describe,
    narrate=narrate,
    action_name=action_name,
    draw=draw_table,
    columns=(Column("capped", "games that the cap on throws ended"),),
    options=(
        Option("tokens", 31, "tokens in the game", 1, MAX_TOKENS),
        Option("zeros_bank", 0, "whether 0-0 banks the hand instead of losing it", choices=("no", "yes")),
        Option("roll_at_four", 0, "whether a player with four in hand may throw again", choices=("no", "yes")),
        Option("max_throws", 2000, "throws after which the game ends as it stands", 1, MAX_THROWS),
    ),
    players=2,
    actions=2,
    longest=lambda options: 2 * options["max_throws"],
    kind="constant sum",
    total=1.0,
    scores=(0.0, 1.0),
    perfect_information=True,
    perfect_recall=False,
)
