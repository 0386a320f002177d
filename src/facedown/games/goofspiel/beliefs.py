"""What a player of Goofspiel can imagine: the bids that they were not shown.

In uniform play everyone bids their own cards in a random order. So hidden bids are the beginning of a random order of the
cards, given what the player was told: who took each prize.

- Bids of the present round are any cards that are still held, all equally likely.
- Two players with `bids=winner`: in each round the other's bid is below, above or equal to one's own. All orders that
  fit are equally likely. They are counted by going through the cards from the lowest, as a card is either still held, or
  was bid in a round that was won with it, or in one that was lost with it:
  1. a round that was won is open to every card above one's own bid: a card may go to any such round that has none yet;
  2. a card for a lost round waits, until the sweep comes to one's own bid of a lost round, which takes one that waits;
  3. so only two numbers matter for what is left to count: how many cards wait, and how many rounds were won.
- More players with `bids=winner`: their bids depend on each other, and no short count is known. A walk goes from past to
  past by exchanging two cards of one player or of several: first until it fits what was told, then among those that fit.
  A step is as likely as its reverse, so that the walk finds all pasts that it reaches equally often in the end; after some
  hundred steps it nearly does.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.games.goofspiel.cards import (
    MAX_CARDS,
    MAX_POINTS,
    NO_CARD,
    SHOWN,
    bit,
    card_at,
    copy_bids,
    count_cards,
)
from facedown.native import copy_shared, draw, draw_from, native
from facedown.native.records import Record

LOST, WON, TIED = 0, 1, 2  # how a round ended for the other player
KEPT, WAITS, WINS = 0, 1, 2  # what became of a card
ROOM = MAX_CARDS + 1
MODULUS = 2**31 - 1
N_STEPS = 300


@native
def imagine(view: Record, player: int, chance: Record, state: Record) -> None:
    copy_shared(view, state)
    n_players, n_rounds = int(view.players), int(view.n_rounds)
    for other in range(n_players):
        seen = other == player or view.bids == SHOWN
        copy_bids(view, state, other, MAX_CARDS if seen else 0)
    if view.bids != SHOWN and n_rounds > 0:
        if n_players == 2:
            imagine_other(view, player, chance, state)
        else:
            imagine_others(view, player, chance, state)
    for other in range(n_players):
        held = (1 << int(view.cards)) - 1
        for turn in range(n_rounds):
            held ^= bit(int(state.played[other, turn]))
        state.held[other] = held
        if other < view.mover:  # has bid in this round
            card = int(view.played[player, n_rounds])
            if other != player:
                n_held = count_cards(held)
                card = card_at(held, draw(chance, n_held) if n_held > 1 else 0)
            state.played[other, n_rounds] = card
            state.held[other] = held ^ bit(card)


# --- two players: all pasts that fit, equally likely ---------------------------------------------------------------------


@native
def imagine_other(view: Record, player: int, chance: Record, state: Record) -> None:
    """Draw the bids of the other player in all rounds that are over."""
    other, n_cards = 1 - player, int(view.cards)
    turns = np.full((3, ROOM), -1, np.int64)  # by how they ended for the other player: the round of each own bid
    for turn in range(int(view.n_rounds)):
        takers, card = int(view.takers[turn]), int(view.played[player, turn])
        tied = takers in (0, 3)
        turns[TIED if tied else takers >> other & 1, card] = turn
        if tied:
            state.played[other, turn] = card
    ways = count_pasts(turns, n_cards)
    waiting, weights = 0, np.zeros(3, np.int64)
    for card in range(1, n_cards + 1):
        if turns[LOST, card] >= 0:
            n_waiting = count_cards(waiting)
            chosen = card_at(waiting, draw(chance, n_waiting) if n_waiting > 1 else 0)
            waiting ^= bit(chosen)
            state.played[other, turns[LOST, card]] = chosen
        if turns[TIED, card] >= 0:
            continue
        n_open = weigh_card(turns, ways, card, count_cards(waiting), count_won(turns, state, other), weights)
        fate = draw_from(chance, weights) if (weights > 0).sum() > 1 else int(weights.argmax())
        if fate == WAITS:
            waiting |= bit(card)
        elif fate == WINS:
            place, own = (draw(chance, n_open) if n_open > 1 else 0), 0
            while place >= 0:  # the place counts rounds that the card would win and that have no bid yet
                own += 1
                turn = turns[WON, own]
                place -= int(turn >= 0 and state.played[other, turn] == NO_CARD)
            state.played[other, turns[WON, own]] = card


@native
def count_won(turns: Any, state: Record, other: int) -> int:
    """In how many of the rounds that the other player won the bid is known by now."""
    count = 0
    for own in range(1, ROOM):
        turn = turns[WON, own]
        count += int(turn >= 0 and state.played[other, turn] != NO_CARD)
    return count


@native
def count_open(turns: Any, card: int, n_won: int) -> int:
    """How many rounds a card would win that have no bid yet, when this many have one."""
    count = -n_won
    for own in range(1, card):
        count += int(turns[WON, own] >= 0)
    return count


@native
def weigh_card(turns: Any, ways: Any, card: int, n_waiting: int, n_won: int, weights: Any) -> int:
    """In how many pasts a card was kept, waits for a lost round, or won a round; how many rounds it may have won."""
    n_open = count_open(turns, card, n_won)
    weights[KEPT] = ways[card, n_waiting, n_won]
    weights[WAITS] = ways[card, n_waiting + 1, n_won] if n_waiting + 1 < ROOM else 0
    weights[WINS] = n_open * ways[card, n_waiting, n_won + 1] if n_won + 1 < ROOM else 0
    return n_open


@native
def count_pasts(turns: Any, n_cards: int) -> Any:
    """In how many ways the cards above a card can be used: by card, by how many wait, by rounds won."""
    ways, weights = np.zeros((ROOM, ROOM, ROOM), np.int64), np.zeros(3, np.int64)
    ways[n_cards, 0, (turns[WON] >= 0).sum()] = 1
    for card in range(n_cards, 0, -1):
        lost, tied = turns[LOST, card] >= 0, turns[TIED, card] >= 0
        for n_waiting in range(card):
            left = n_waiting - int(lost)
            for n_won in range(card - n_waiting):
                if left < 0:
                    continue
                if tied:
                    count = ways[card, left, n_won]
                else:
                    weigh_card(turns, ways, card, left, n_won, weights)
                    count = weights.sum()
                ways[card - 1, n_waiting, n_won] = count * n_waiting if lost else count
    return ways


# --- more players: a random walk over pasts ------------------------------------------------------------------------------


@native
def imagine_others(view: Record, player: int, chance: Record, state: Record) -> None:
    """Draw the bids of all others in all rounds that are over. Cards that are kept stand behind the bids meanwhile."""
    n_players, n_cards = int(view.players), int(view.cards)
    luck = 1 + draw(chance, MODULUS - 1)
    for other in range(n_players):
        if other != player:
            luck = lay_at_random(view, player, other, luck, state)
    while total_misfit(view, state) > 0:
        luck = next_luck(luck)
        repair(view, player, luck, state)
    for _ in range(N_STEPS):
        luck = next_luck(luck)
        one, two, some = 1 + luck % n_cards, 1 + luck // 16 % n_cards, luck // 256 % (1 << n_players)
        exchange_cards(state, player, some, one, two)
        if total_misfit(view, state) > 0:
            exchange_cards(state, player, some, one, two)
    for other in range(n_players):
        if other != player:
            copy_bids(state, state, other, int(view.n_rounds))


@native
def lay_at_random(view: Record, player: int, other: int, luck: int, state: Record) -> int:
    """Put a player's cards into a random order; in tied rounds the player bids as the one who looks: ties are hard to find."""
    for place in range(int(view.cards)):
        luck = next_luck(luck)
        before = luck % (place + 1)
        state.played[other, place] = state.played[other, before]
        state.played[other, before] = place + 1
    for turn in range(int(view.n_rounds)):
        if view.takers[turn] == 0:
            exchange(state, other, turn, place_of(state, other, int(view.played[player, turn])))
    return luck


@native
def next_luck(luck: int) -> int:
    """The generator of Park & Miller, 1988. One recorded draw stands for the whole walk, which would not fit on a tape."""
    return luck * 48271 % MODULUS


@native
def other_player(player: int, index: int) -> int:
    """The players but one, numbered from 0."""
    return index if index < player else index + 1


@native
def exchange(state: Record, player: int, one: int, two: int) -> None:
    """Let a player have bid two cards the other way round, or have kept one and bid the other."""
    card = int(state.played[player, one])
    state.played[player, one] = state.played[player, two]
    state.played[player, two] = card


@native
def place_of(state: Record, player: int, card: int) -> int:
    """Where a player has a card."""
    place = 0
    while state.played[player, place] != card:
        place += 1
    return place


@native
def exchange_cards(state: Record, player: int, some: int, one: int, two: int) -> None:
    """Let some of the others have played two cards the other way round: together, since those who tie stay tied so."""
    for other in range(int(state.players)):
        if other != player and some >> other & 1:
            exchange(state, other, place_of(state, other, one), place_of(state, other, two))


@native
def misfit(view: Record, state: Record, turn: int) -> int:
    """By how many points bids are too high or too low for who took the prize; 0 if they fit. Cards that are kept always do."""
    if turn >= view.n_rounds:
        return 0
    highest, second, lowest_taker, takers = 0, 0, MAX_CARDS, int(view.takers[turn])
    for player in range(view.players):
        card = int(state.played[player, turn])
        highest, second = max(highest, card), max(second, min(highest, card))
        if takers >> player & 1:
            lowest_taker = min(lowest_taker, card)
    if takers == 0:
        return highest - second
    total = 0
    for player in range(view.players):
        card = int(state.played[player, turn])
        if takers >> player & 1:
            total += highest - card
        else:
            total += max(0, card - lowest_taker + 1)
    return total


@native
def total_misfit(view: Record, state: Record) -> int:
    """By how many points all bids are wrong."""
    total = 0
    for turn in range(int(view.n_rounds)):
        total += misfit(view, state, turn)
    return total


@native
def repair(view: Record, player: int, luck: int, state: Record) -> None:
    """Exchange a bid in a round that does not fit: for the card that does most good, or now and then for any."""
    n_cards, n_rounds = int(view.cards), int(view.n_rounds)
    turn = luck % n_rounds
    while misfit(view, state, turn) == 0:
        turn = (turn + 1) % n_rounds
    other, first = other_player(player, luck // 16 % (int(view.players) - 1)), luck // 64 % n_cards
    if luck // 1024 % 16 == 0:  # out of dead ends
        exchange(state, other, turn, first)
        return
    best, least = turn, MAX_POINTS
    for index in range(n_cards):
        place = (first + index) % n_cards
        if place != turn:
            before = misfit(view, state, place)
            exchange(state, other, turn, place)
            change = misfit(view, state, turn) + misfit(view, state, place) - before
            exchange(state, other, turn, place)
            if change < least:
                best, least = place, change
    exchange(state, other, turn, best)
