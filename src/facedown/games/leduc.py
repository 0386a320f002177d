"""Leduc hold'em (Southey et al. 2005): two rounds of betting over one private and one public card.

Each rank comes in two suits. Both players ante 1 and get a card; in each round they check or raise in turn, the first
round by 2 and the second by 4, with at most two raises a round. Between the rounds one card is laid open. A pair with
the open card wins, then the higher rank; equal ranks share.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.games.contract import OVER, Game, Option, Options
from facedown.native import copy_shared, draw, field, native, record
from facedown.native.records import Record
from facedown.pictures import Picture, Shape, card, chip, label, panel, pile
from facedown.pictures.palette import BLUE, GREY, VERMILION

FOLD, CALL, RAISE = 0, 1, 2
MAX_RANKS, MAX_RAISES = 13, 4
MAX_MOVES = MAX_RAISES + 2  # of one round: check, the raises, call
MAX_CHIPS = 1 + MAX_RAISES * (20 + 40)
NO_CARD = -1

_RULES = (
    field("ranks", np.int8, 2, MAX_RANKS, "number of ranks in the deck, two cards each"),
    field("raises", np.int8, 1, MAX_RAISES, "most raises in a round"),
    field("first_bet", np.int8, 1, 20, "size of a raise in the first round"),
    field("second_bet", np.int8, 1, 40, "size of a raise in the second round"),
    field("suits_shown", np.int8, 0, 1, "whether players can tell the two cards of a rank apart"),
)
_TABLE = (
    field("open_card", np.int8, NO_CARD, 2 * MAX_RANKS - 1, "the open card, rank * 2 + suit; -1 not yet"),
    field("stage", np.int8, 0, 1, "round of betting, 0 or 1"),
    field("played", np.int8, -1, RAISE, "moves of each round: 0 fold, 1 check or call, 2 raise; -1 not yet", (2, MAX_MOVES)),
    field("n_played", np.int8, 0, MAX_MOVES, "number of moves in each round", 2),
    field("n_raises", np.int8, 0, MAX_RAISES, "raises in this round"),
    field("stake", np.int16, 1, MAX_CHIPS, "chips that each player has put in", 2),
    field("mover", np.int8, OVER, 1, "player to move; -1 the game is over"),
    field("folded", np.int8, -1, 1, "player who folded; -1 nobody"),
)
STATE = record(*_RULES, field("card", np.int8, 0, 2 * MAX_RANKS - 1, "card of each player, rank * 2 + suit", 2), *_TABLE)
VIEW = record(
    *_RULES,
    field("player", np.int8, 0, 1, "the player who looks"),
    field("card", np.int8, 0, 2 * MAX_RANKS - 1, "your own card, rank * 2 + suit (suit 0 where suits are hidden)"),
    *_TABLE,
)


@native
def start(state: Record, chance: Record) -> None:
    n_cards = 2 * int(state.ranks)
    first = draw(chance, n_cards)
    second = draw(chance, n_cards - 1)
    state.card[0] = first
    state.card[1] = second + 1 if second >= first else second
    state.open_card = NO_CARD
    for stage in range(2):
        state.stake[stage] = 1
        for move in range(MAX_MOVES):
            state.played[stage, move] = -1
    state.folded = -1


@native
def turn(state: Record) -> int:
    return int(state.mover)


@native
def legal(state: Record, actions: Any) -> int:
    # without a branch for each: which moves are possible is as hard to predict as the moves themselves
    actions[0] = FOLD
    n_actions = int(state.stake[0] != state.stake[1])  # with no raise to answer, the call takes the place of the fold
    actions[n_actions] = CALL
    actions[n_actions + 1] = RAISE
    return n_actions + (2 if state.n_raises < state.raises else 1)


@native
def step(state: Record, action: int, chance: Record) -> None:
    stage, mover = int(state.stage), int(state.mover)
    n_played = int(state.n_played[stage])
    state.played[stage, n_played] = action
    state.n_played[stage] = n_played + 1
    if action == FOLD:
        state.folded = mover
        state.mover = OVER
        return
    is_raise = int(action == RAISE)
    bet = int(state.second_bet) if stage == 1 else int(state.first_bet)
    state.stake[mover] = max(int(state.stake[0]), int(state.stake[1])) + is_raise * bet
    state.n_raises += is_raise
    # a raise never ends a round; a call does, unless it is the first move
    n_before_end = 1 if action == CALL else MAX_MOVES
    if n_played < n_before_end:
        state.mover = 1 - mover
    elif stage == 1:
        state.mover = OVER
    else:
        open_next_round(state, chance)


@native
def open_next_round(state: Record, chance: Record) -> None:
    lower, higher = min(state.card[0], state.card[1]), max(state.card[0], state.card[1])
    card = draw(chance, 2 * int(state.ranks) - 2)
    card += 1 if card >= lower else 0
    card += 1 if card >= higher else 0
    state.open_card = card
    state.stage = 1
    state.n_raises = 0
    state.mover = 0


@native
def strength(state: Record, player: int) -> int:
    """The rank of a player's card, raised above all others by a pair."""
    rank = int(state.card[player]) >> 1
    return rank + MAX_RANKS if rank == int(state.open_card) >> 1 else rank


@native
def score(state: Record, scores: Any) -> None:
    lead = strength(state, 0) - strength(state, 1)
    if state.folded >= 0:
        lead = int(state.folded) * 2 - 1
    lost = min(int(state.stake[0]), int(state.stake[1]))
    won = lost * (int(lead > 0) - int(lead < 0))
    scores[0] = won
    scores[1] = -won


@native
def shown(state: Record, card: int) -> int:
    """A card as a player tells it from others."""
    return card if card == NO_CARD or state.suits_shown else card // 2 * 2


@native
def observe(state: Record, player: int, view: Record) -> None:
    copy_shared(state, view)
    view.player = player
    view.card = shown(state, int(state.card[player]))
    view.open_card = shown(state, int(state.open_card))


@native
def imagine(view: Record, player: int, chance: Record, state: Record) -> None:
    copy_shared(view, state)
    n_cards = 2 * int(view.ranks)
    own, table, other = int(view.card), int(view.open_card), -1
    if not view.suits_shown:
        # only ranks were seen: any suit will do, but no card is there twice
        own += draw(chance, 2)
        if table != NO_CARD:
            table += 1 - own % 2 if table // 2 == own // 2 else draw(chance, 2)
    place = draw(chance, n_cards - 1 if table == NO_CARD else n_cards - 2)
    while place >= 0:  # the place counts cards that are neither the player's own nor on the table
        other += 1
        if other not in (own, table):
            place -= 1
    state.card[player] = own
    state.card[1 - player] = other
    state.open_card = table


def card_name(view: Record, card: int) -> str:
    """Jack, queen and king for three ranks, numbers for more; with the suit where players see it."""
    rank = ("jack", "queen", "king")[card // 2] if view.ranks == 3 else str(card // 2 + 1)
    return f"{rank} of {('hearts', 'spades')[card % 2]}" if view.suits_shown else rank


def round_in_words(view: Record, stage: int) -> list[str]:
    """The moves of a round of betting: the same action is a check or a call."""
    words = [("folds", "calls", "raises")[action] for action in view.played[stage][: view.n_played[stage]]]
    if words and words[0] == "calls":
        words[0] = "checks"
    if words[:2] == ["checks", "calls"]:
        words[1] = "checks"
    return [f"player {move % 2} {word}" for move, word in enumerate(words)]


def narrate(before: Record, after: Record) -> str:
    """The move, and the card that it opens."""
    move = round_in_words(after, int(before.stage))[-1]
    if after.open_card != before.open_card:
        move += f". The {card_name(after, after.open_card)} is opened"
    return f"{move[0].upper()}{move[1:]}."


def describe(view: Record) -> str:
    other = 1 - int(view.player)
    text = f"You are player {view.player} and hold the {card_name(view, view.card)}. "
    if view.open_card != NO_CARD:
        text += f"Open on the table: the {card_name(view, view.open_card)}. "
    text += f"In the pot: {view.stake[view.player]} of yours, {view.stake[other]} of the other player."
    for stage in range(view.stage + 1):
        text += f" Round {stage + 1}: {', '.join(round_in_words(view, stage)) or 'no move yet'}."
    return text


def action_name(view: Record, action: int) -> str:
    facing_raise = view.stake[0] != view.stake[1]
    return ("fold", "call" if facing_raise else "check", "raise")[action]


def drawn_card(view: Record, at: int, x: float, y: float) -> Shape:
    """A card with its rank, and its suit where players see it."""
    rank = card_name(view, at).split()[0]
    kind, colour = (("heart", VERMILION), ("spade", BLUE))[at % 2] if view.suits_shown else ("", BLUE)
    is_number = rank.isdigit()
    return card(x, y, rank if is_number else rank[0].upper(), kind=kind, colour=colour, caption="" if is_number else rank)


def draw_table(view: Record) -> Picture:
    player = int(view.player)
    picture = Picture(480, 372, describe(view))
    picture.add(panel(20, 14, 440, 96, lit=view.mover == 1 - player), label(110, 40, f"player {1 - player}", 15, bold=True))
    picture.add(card(40, 25, back=True, size=0.9), label(110, 64, betting_words(view, 1 - player), 14))
    picture.add(chip(418, 62, str(view.stake[1 - player]), radius=22), label(418, 100, "in the pot", 13, "middle"))
    picture.add(pile(120, 134, 2 * int(view.ranks) - 2 - (view.open_card != NO_CARD), "deck"))
    if view.open_card != NO_CARD:
        picture.add(drawn_card(view, int(view.open_card), 220, 134), label(249, 233, "open", 13, "middle"))
    else:
        picture.add(panel(220, 134, 58, 82, dashed=True), label(249, 233, "opened after round 1", 13, "middle"))
    picture.add(label(345, 170, f"Round {view.stage + 1}", 15, bold=True), label(345, 192, f"pot {view.stake.sum()}", 15))
    picture.add(panel(20, 246, 440, 114, lit=view.mover == player), drawn_card(view, int(view.card), 40, 262))
    picture.add(label(112, 278, f"you, player {player}", 15, bold=True), label(112, 302, betting_words(view, player), 14))
    picture.add(chip(128, 330, str(view.stake[player]), radius=18))
    if view.mover != OVER:
        bet = int(view.second_bet if view.stage else view.first_bet)
        owed = int(max(view.stake) - view.stake[player])
        for x, text, colour, action in (
            (286, "×", GREY, FOLD),
            (350, f"+{owed}", BLUE, CALL),
            (414, f"+{owed + bet}", VERMILION, RAISE),
        ):
            if action != FOLD or owed:
                picture.add(chip(x, 300, text, colour, actions=[action], radius=25))
                picture.add(label(x, 345, action_name(view, action), 14, "middle"))
    return picture


def betting_words(view: Record, player: int) -> str:
    """What a player did in each round of betting."""
    rounds = []
    for stage in range(int(view.stage) + 1):
        words = [words.split()[-1] for words in round_in_words(view, stage) if words.startswith(f"player {player} ")]
        rounds += [", ".join(words)] if words else []
    return "; ".join(rounds)


def hidden(state: Record, player: int) -> dict[str, str]:
    return {f"player {1 - player} holds": card_name(state, int(state.card[1 - player]))}


def most_chips(options: Options) -> float:
    """What a player can lose: the ante and every raise."""
    return 1.0 + options["raises"] * (options["first_bet"] + options["second_bet"])


GAME = Game(
    name="leduc",
    title="Leduc hold'em",
    source="F. Southey et al., Bayes' bluff: opponent modelling in poker, 2005",
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
    narrate=narrate,
    action_name=action_name,
    draw=draw_table,
    hidden=hidden,
    options=(
        Option("ranks", 3, "number of ranks, two cards each", 2, MAX_RANKS),
        Option("raises", 2, "most raises in a round", 1, MAX_RAISES),
        Option("first_bet", 2, "size of a raise in the first round", 1, 20),
        Option("second_bet", 4, "size of a raise in the second round", 1, 40),
        Option("suits_shown", 1, "whether players can tell the two cards of a rank apart", choices=("no", "yes")),
    ),
    players=2,
    actions=3,
    longest=lambda options: 2 * (options["raises"] + 2),
    kind="zero sum",
    scores=lambda options: (-most_chips(options), most_chips(options)),
)
