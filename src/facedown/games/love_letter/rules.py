"""How a round of Love Letter is dealt, played and ended, and how rounds make a match.

A card is drawn from all that are neither open nor in a hand at the moment it is needed, so the order of the deck and
the card set aside are never part of a state: with an empty deck there is only one card left to be the one aside.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.games.contract import OVER
from facedown.games.love_letter.cards import (
    AIM_OF,
    AIMED,
    BARON,
    BY_BARON,
    BY_EMPTY_DECK,
    BY_GUARD,
    BY_PRINCE,
    BY_PRINCESS,
    CARD_OF,
    COUNTESS,
    GUARD,
    HANDMAID,
    KING,
    MAX_CARDS,
    MAX_PLAYERS,
    MAX_ROUNDS,
    MAX_TURNS,
    N_KINDS,
    NAMED_OF,
    NO_CARD,
    NOBODY,
    OFFICIAL,
    PLAIN,
    PRIEST,
    PRINCE,
    PRINCESS,
    WINS_NEEDED,
)
from facedown.native import draw, native
from facedown.native.jit import call_apart, unlikely
from facedown.native.records import Record

_U = np.uint64
_1, _4, _15 = _U(1), _U(4), _U(15)
_ALL_KINDS = 255

# the deck of the game with 4 and with 5 Guards, ready to be dealt
OFFICIAL_COUNTS = np.array([(0, 4, *OFFICIAL[2:]), (0, 5, *OFFICIAL[2:])], np.int8)
OFFICIAL_REST = np.array(
    [sum(card << 4 * at for at, card in enumerate(np.repeat(range(9), row).tolist())) for row in OFFICIAL_COUNTS], np.uint64
)
HOW_ENDED = np.zeros(N_KINDS + 1, np.int64)
HOW_ENDED[[GUARD, BARON, PRINCE, PRINCESS]] = BY_GUARD, BY_BARON, BY_PRINCE, BY_PRINCESS
# the Guard apart, which has a play for each card that it can name
IS_AIMED = np.zeros(N_KINDS + 1, np.int64)
IS_AIMED[[PRIEST, BARON, PRINCE, KING]] = 1
AIMED_PLACE = np.zeros(N_KINDS + 1, np.int64)
AIMED_PLACE[[PRIEST, BARON, PRINCE, KING]] = 7, 8, 9, 10
NEEDS_NO_AIM = np.zeros(N_KINDS + 1, np.int64)
NEEDS_NO_AIM[[HANDMAID, PRINCE, COUNTESS, PRINCESS]] = 1


# --- the deal -----------------------------------------------------------------------------------------------------------


@native
def start(state: Record, chance: Record) -> None:
    state.last_player = NOBODY
    deal(state, 0, chance)


@native
def deal(state: Record, starter: int, chance: Record) -> None:
    """Shuffle, lay cards open, give one to each, and let the starter draw; it comes with a clear table."""
    n_players = int(state.players)
    fetch_deck(state)
    low, middle, high = 0, 0, 0
    for _ in range(int(state.face_up) if n_players == 2 else 0):
        card = take(state, chance)
        state.hidden[card] -= 1
        low, card = min(card, middle), max(card, middle)
        middle, high = min(card, high), max(card, high)
    state.open_cards[0], state.open_cards[1], state.open_cards[2] = low, middle, high
    for player in range(n_players):
        card = take(state, chance)
        state.hand[player] = card
        state.first[player] = card
    state.in_round = (1 << n_players) - 1
    state.starter = starter
    begin_turn(state, starter, take(state, chance))


@native
def fetch_deck(state: Record) -> None:
    """All cards are in the deck, but for the one that is set aside."""
    if unlikely(state.deck > 0):
        call_apart(fetch_other_deck, (state,))
        return
    which = int(state.guards) - 4
    for card in range(N_KINDS + 1):
        state.hidden[card] = OFFICIAL_COUNTS[which, card]
    state.rest = OFFICIAL_REST[which]
    state.kinds = _ALL_KINDS
    state.n_deck = which + MAX_CARDS - 2


@native
def fetch_other_deck(state: Record) -> None:
    digits, kinds, total = int(state.deck), 0, 0
    for card in range(PRINCESS, NO_CARD, -1):
        count = digits % 10
        digits //= 10
        state.hidden[card] = count
        kinds |= (1 if count > 0 else 0) << (card - 1)
        total += count
    state.kinds = kinds
    state.n_deck = total - 1
    gather(state)


@native
def gather(state: Record) -> None:
    """Deck and card set aside are all that is hidden, but for the hands."""
    rest, place = _U(0), _U(0)
    for card in range(GUARD, PRINCESS + 1):
        n_left = int(state.hidden[card]) - (1 if state.drawn == card else 0)
        for player in range(MAX_PLAYERS):
            n_left -= 1 if state.hand[player] == card else 0
        for _ in range(n_left):
            rest |= _U(card) << place
            place += _4
    state.rest = rest


@native
def take(state: Record, chance: Record) -> int:
    """A card from the deck; all that are neither open nor in a hand are equally likely."""
    n_deck = int(state.n_deck)
    state.n_deck = n_deck - 1
    return take_place(state, draw(chance, n_deck + 1))


@native
def take_place(state: Record, place: int) -> int:
    """Take out the card at a place of the sorted rest."""
    rest, shift = state.rest, _U(place) * _4
    below = (_1 << shift) - _1
    state.rest = (rest & below) | ((rest >> _4) & ~below)
    return np.int64((rest >> shift) & _15)  # type: ignore[return-value]  # int() of a uint64 stays one


@native
def begin_turn(state: Record, player: int, card: int) -> None:
    """It is this player's turn, with this card drawn; their own Handmaid protects no longer."""
    n_turns = int(state.n_turns)
    state.mover = player
    state.drawn = card
    state.immune = int(state.immune) & ~(1 << player)
    state.turn_of[n_turns] = player
    state.drew[n_turns] = card


@native
def turn(state: Record) -> int:
    return int(state.mover)


# --- plays --------------------------------------------------------------------------------------------------------------


@native
def legal(state: Record, actions: Any) -> int:
    mover, n_players = int(state.mover), int(state.players)
    held, drawn = int(state.hand[mover]), int(state.drawn)
    low, high = min(held, drawn), max(held, drawn)
    if high == COUNTESS and low in (KING, PRINCE):
        actions[0] = COUNTESS - 1
        return 1
    exposed = int(state.in_round) & ~int(state.immune) & ~(1 << mover)
    # without a branch for each: which plays are possible is as hard to predict as the plays themselves
    without = 1 if exposed == 0 else 0
    differ = 1 if low != high else 0
    actions[0] = low - 1
    n = int(NEEDS_NO_AIM[low]) | without
    actions[n] = high - 1
    n += (int(NEEDS_NO_AIM[high]) | without) & differ
    target, first = mover, PLAIN
    for _ in range(n_players - 1):
        target = target + 1 if target + 1 < n_players else 0
        if exposed >> target & 1:
            if low == GUARD:
                for place in range(N_KINDS - 1):
                    actions[n] = first + place
                    n += int(state.kinds) >> (place + 1) & 1
            else:
                actions[n] = first + int(AIMED_PLACE[low])
                n += int(IS_AIMED[low])
            actions[n] = first + int(AIMED_PLACE[high])
            n += int(IS_AIMED[high]) & differ
        first += AIMED
    return n


@native
def step(state: Record, action: int, chance: Record) -> None:
    redrawn = NO_CARD
    if CARD_OF[action] == PRINCE:
        redrawn = redraw(state, action, chance)
    play(state, action, redrawn)
    in_round = int(state.in_round)
    if in_round & (in_round - 1) == 0 or state.n_deck == 0:
        end_round(state, action, chance)
        return
    player, n_players = int(state.mover), int(state.players)
    while True:
        player = player + 1 if player + 1 < n_players else 0
        if in_round >> player & 1:
            break
    begin_turn(state, player, take(state, chance))


@native
def aimed_at(state: Record, action: int) -> int:
    """The player at whom a play is aimed; the mover themself for plays without an aim."""
    target, n_players = int(state.mover) + int(AIM_OF[action]), int(state.players)
    return target - n_players if target >= n_players else target


@native
def redraw(state: Record, action: int, chance: Record) -> int:
    """The card that the target of a Prince gets, unless it is out; from an empty deck the one that was set aside."""
    target, mover = aimed_at(state, action), int(state.mover)
    discarded = int(state.hand[target])
    if target == mover:
        discarded += int(state.drawn) - PRINCE
    if discarded == PRINCESS:
        return NO_CARD
    if state.n_deck == 0:
        return int(take_place(state, 0))
    return int(take(state, chance))


@native
def play(state: Record, action: int, redrawn: int) -> None:
    """Lay down a card and do what it says; `redrawn` is what the target of a Prince draws."""
    card, mover, at = int(CARD_OF[action]), int(state.mover), int(state.n_turns)
    other = int(state.hand[mover]) + int(state.drawn) - card
    target = aimed_at(state, action)
    has_target = target != mover or card == PRINCE
    state.hand[mover] = other
    state.drawn = NO_CARD
    state.hidden[card] -= 1
    state.spent[mover] += card
    for knower in range(MAX_PLAYERS):  # who knew of this card does not know the other one
        if state.known[mover, knower] == card:
            state.known[mover, knower] = NO_CARD
    state.plays[at] = action
    state.target[at] = target if has_target else NOBODY
    state.n_turns = at + 1
    if card == HANDMAID:
        state.immune = int(state.immune) | 1 << mover
    elif card == PRINCESS:
        discard(state, mover, NO_CARD, at)
    elif not has_target or card == COUNTESS:
        return
    elif card == GUARD:
        if state.hand[target] == NAMED_OF[action]:
            discard(state, target, NO_CARD, at)
    elif card == PRINCE:
        discard(state, target, redrawn, at)
    else:
        show_hands(state, card, mover, target, at)


@native
def discard(state: Record, player: int, redrawn: int, at: int) -> None:
    """A player lays the hand open and has another one; without another one the player is out."""
    card = int(state.hand[player])
    state.laid[at] = card
    state.hidden[card] -= 1
    state.spent[player] += card
    state.hand[player] = redrawn
    state.redrew[at] = redrawn
    if redrawn == NO_CARD:
        state.put_out[at] = player + 1
        state.in_round = int(state.in_round) & ~(1 << player)
    for knower in range(MAX_PLAYERS):
        state.known[player, knower] = NO_CARD


@native
def show_hands(state: Record, card: int, mover: int, target: int, at: int) -> None:
    """Priest, Baron, King: one or both see the hand of the other."""
    own, others = int(state.hand[mover]), int(state.hand[target])
    state.target_card[at] = others
    if card == PRIEST:
        state.known[target, mover] = others
        return
    state.mover_card[at] = own
    if card == BARON and own != others:
        discard(state, target if own > others else mover, NO_CARD, at)
    if card == KING:
        state.hand[mover], state.hand[target] = others, own
        for knower in range(MAX_PLAYERS):  # whoever knew a card knows where it is now
            known = state.known[mover, knower]
            state.known[mover, knower] = state.known[target, knower]
            state.known[target, knower] = known
        state.known[mover, mover] = state.known[target, target] = NO_CARD
    # of one who is out by now there is no hand to know
    state.known[target, mover] = state.hand[target]
    state.known[mover, target] = state.hand[mover]


# --- the end of a round -------------------------------------------------------------------------------------------------


@native
def end_round(state: Record, action: int, chance: Record) -> None:
    """Find who has won; in a match, deal again until it is decided."""
    in_round = int(state.in_round)
    winners, how = in_round, int(HOW_ENDED[CARD_OF[action]])
    for player in range(MAX_PLAYERS):
        state.shown[player] = NO_CARD
    if in_round & (in_round - 1) != 0:
        winners, how = show_down(state), BY_EMPTY_DECK
    state.winners = winners
    state.ended_by = how
    state.ends[how] += 1
    state.n_rounds += 1
    state.n_all_turns += int(state.n_turns)
    last = int(state.n_turns) - 1
    state.last_player, state.last_play, state.last_laid = state.turn_of[last], action, state.laid[last]
    if winners & (winners - 1) == 0:
        for player in range(MAX_PLAYERS):
            state.wins[player] += winners >> player & 1
        state.n_starter_won += winners >> int(state.starter) & 1
    state.mover = OVER
    if unlikely(state.match > 0):
        call_apart(next_round, (state, chance))


@native
def show_down(state: Record) -> int:
    """Who is best when the deck is empty: the highest hand, then the larger sum of discards; a bit for each of them."""
    best, winners = 0, 0
    for player in range(MAX_PLAYERS):
        hand = int(state.hand[player])
        state.shown[player] = hand
        worth = (hand << 8) + int(state.spent[player]) if hand != NO_CARD else 0
        if worth > best:
            best, winners = worth, 0
        winners |= (1 if worth == best and worth > 0 else 0) << player
    return winners


@native
def next_round(state: Record, chance: Record) -> None:
    """Clear the table and deal, unless the match is over."""
    most = 0
    for player in range(MAX_PLAYERS):
        most = max(most, int(state.wins[player]))
    if most >= WINS_NEEDED[int(state.players)] or state.n_rounds >= MAX_ROUNDS:
        return
    starter, winners = int(state.starter), int(state.winners)
    for player in range(MAX_PLAYERS):
        if winners == 1 << player:
            starter = player
    clear_table(state)
    deal(state, starter, chance)


@native
def clear_table(state: Record) -> None:
    """Forget the round."""
    state.n_turns = 0
    state.immune = 0
    for player in range(MAX_PLAYERS):
        state.spent[player] = 0
        state.hand[player] = NO_CARD
        for knower in range(MAX_PLAYERS):
            state.known[player, knower] = NO_CARD
    for at in range(MAX_TURNS):
        state.turn_of[at] = 0
        state.plays[at] = 0
        state.target[at] = 0
        state.laid[at] = NO_CARD
        state.put_out[at] = 0
        state.drew[at] = NO_CARD
        state.redrew[at] = NO_CARD
        state.target_card[at] = NO_CARD
        state.mover_card[at] = NO_CARD
