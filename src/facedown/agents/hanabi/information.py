"""`information`: every hint tells everybody something, by a code (the hat strategy); the strongest known without search.

Source: Cox, De Silva, DeOrsey, Kenter, Retter & Tobin, How to make the perfect fireworks display: two strategies for Hanabi
(Mathematics Magazine 88, 2015), as developed in the program hanabi.rs (2019); predicted boards after the program deltahanabi.

1. Play what is certain to fit; of several cards low ones first, and those that nobody else holds.
2. With lives to lose and discards to spare, play what is useless or likely to fit.
3. Somebody holds a card to play and has none that everybody knows of: hint.
4. In the last round, guess.
5. Discard what is useless; hint if somebody could play, or if there are many tokens; discard.

A discard says that nobody needed the hint of 3, so what could be played is struck from the tables of those who know no play.
"""

from __future__ import annotations

from typing import Any

from facedown.agents.hanabi.code import (
    add_numbers,
    any_hint,
    choose_hint,
    count_numbers,
    count_useless,
    find_useless,
    hear_number,
    live_now,
    read_number,
    touched_by,
)
from facedown.agents.hanabi.questions import KEPT, ROOM
from facedown.agents.hanabi.tables import (
    HAVING,
    PUBLIC,
    begin_tables,
    bit_of,
    cards_open,
    is_one,
    is_useless,
    knows_a_play,
    live_cards,
    mend_tables,
    pack_heights,
    playable_cards,
    settle_tables,
    show_card,
    weigh,
    without_copy,
)
from facedown.games.hanabi.cards import (
    AIM_OF,
    COPIES_OF,
    DISCARD,
    FEATURE_OF,
    HINT,
    MAX_HAND,
    MAX_PLAYERS,
    MAX_RANKS,
    N_CARDS,
    NO_CARD,
    PLAY,
    SUIT_OF,
)
from facedown.native import native
from facedown.native.bits import first_bit
from facedown.native.jit import float_room, integer_room
from facedown.native.records import Record

OWN = KEPT + 2 * MAX_PLAYERS  # in the workspace: what the own slots may hold, as the player sees it
N_CHANCES = 16

CERTAIN, LIKELY, NEEDED, GUESS, USELESS, HELPFUL, PLENTY, LEAST, STUCK = range(1, 10)
RULE, NUMBER, N_NUMBERS = OWN + MAX_HAND, OWN + MAX_HAND + 1, OWN + MAX_HAND + 2  # why, and the number that was sent, if any
P_FITS = N_CHANCES - 1


# --- hearing ----------------------------------------------------------------------------------------------------------------


@native
def watch(view: Record, mover: int, action: int, params: Any, public: Any) -> None:
    """Keep up what everybody knows."""
    known = public.view(PUBLIC)[0]
    if mover < 0:
        begin_tables(view, known)
        return
    work, chances = integer_room(ROOM), float_room(N_CHANCES)
    if action >= HINT:
        hear_hint(view, known, work, chances, mover, action)
    else:
        slot = action - DISCARD if action >= DISCARD else action - PLAY
        if action >= DISCARD:
            hear_discard(view, known, work, chances, mover, slot)
        show_card(view, known, mover, slot, int(view.shown[int(view.n_moves) - 1]))
    mend_tables(view, known)
    settle_tables(view, known)


@native
def hear_hint(view: Record, known: Record, work: Any, chances: Any, mover: int, action: int) -> None:
    """First the number, then the words."""
    number, n_numbers = read_number(view, known, mover, action, int(view.touched)), count_numbers(view, known, mover)
    hear_number(view, known, work, chances, mover, number, n_numbers, pack_heights(view))
    target, having = (mover + int(AIM_OF[action])) % int(view.players), int(HAVING[FEATURE_OF[action]])
    for slot in range(int(known.held[target])):
        cards = int(known.tables[target, slot])
        known.tables[target, slot] = cards & having if int(view.touched) >> slot & 1 else cards & ~having


@native
def hear_discard(view: Record, known: Record, work: Any, chances: Any, mover: int, slot: int) -> None:
    """Which of several useless cards it was is a number; and with a token to give, nobody needed to be told of a play."""
    heights, live = pack_heights(view), live_now(view, known)
    n_useless = count_useless(known, mover, live)
    playable = playable_cards(heights, int(view.suits), int(view.ranks))
    struck = 0
    if view.n_tokens > 1:  # one of them came back by the discard
        for player in range(int(view.players)):
            struck |= (0 if player == mover or knows_a_play(known, player, playable) else 1) << player
    if n_useless > 1 and is_useless(known, mover, slot, live):
        number = count_earlier(known, mover, live, slot)
        hear_number(view, known, work, chances, mover, number, n_useless, heights)
    n_players, n_turns = int(view.players), int(view.turns_left) if view.n_deck == 0 else int(view.players)
    for player in range(n_players):
        if struck >> player & 1 and (player - mover) % n_players <= n_turns:
            for place in range(int(known.held[player])):
                known.tables[player, place] = int(known.tables[player, place]) & ~playable


@native
def count_earlier(known: Record, player: int, live: int, slot: int) -> int:
    """How many useless slots come before this one."""
    n_earlier = 0
    for earlier in range(slot):
        n_earlier += 1 if is_useless(known, player, earlier, live) else 0
    return n_earlier


# --- deciding ---------------------------------------------------------------------------------------------------------------


@native
def look_at_own(view: Record, known: Record, work: Any) -> Any:
    """What the own slots may hold, into the workspace; and the copies that this player does not see, as two planes."""
    once, twice, own = int(known.once), int(known.twice), int(view.player)
    for player in range(int(view.players)):
        for slot in range(MAX_HAND):
            card = int(view.hands[player, slot])
            if card != NO_CARD and (once | twice) & bit_of(card) != 0:
                once, twice = without_copy(once, twice, bit_of(card))
    unseen, single, double = once | twice, 0, 0
    held = int(known.held[own])
    for slot in range(held):
        cards = int(known.tables[own, slot]) & unseen
        if cards == 0:
            cards = cards_open(int(view.open[own, slot])) & unseen
        work[OWN + slot] = cards
        if is_one(cards):
            double |= single & cards
            single |= cards
    placed = (single & once & ~twice) | (double & twice & ~once)
    for slot in range(held):
        cards = int(work[OWN + slot])
        if not is_one(cards) and cards & ~placed != 0:
            work[OWN + slot] = cards & ~placed
    return once, twice


@native
def certain_play(view: Record, known: Record, work: Any, playable: int, once: int, twice: int) -> int:
    """The slot that is certain to fit and is worth most: low cards, and those that nobody else holds; -1 none."""
    best, most = -1, -1.0
    for slot in range(int(known.held[int(view.player)])):
        cards = int(work[OWN + slot])
        if cards & ~playable != 0:
            continue
        total, left = 0.0, cards
        while left != 0:
            bit = left & -left
            left ^= bit
            card = first_bit(bit) + 1
            n_holders = 1.0
            if view.n_deck > 0:
                n_holders += count_holders(view, card)
            total += weigh(bit, once, twice) * (9 - (card - 1) % MAX_RANKS) / n_holders
        value = total / weigh(cards, once, twice)
        if value > most:
            best, most = slot, value
    return best


@native
def count_holders(view: Record, card: int) -> int:
    """How many other players hold a card."""
    n_holders = 0
    for player in range(int(view.players)):
        holds = 0
        for slot in range(MAX_HAND):
            holds |= 1 if view.hands[player, slot] == card else 0
        n_holders += holds
    return n_holders


@native
def likeliest_play(view: Record, known: Record, work: Any, playable: int, allowed: int, once: int, twice: int) -> Any:
    """The slot that is most likely to fit, of those that can hold only `allowed` cards; -1 none; and how likely it is."""
    best, most = -1, 0.0
    for slot in range(int(known.held[int(view.player)])):
        cards = int(work[OWN + slot])
        if cards & ~allowed == 0:
            p_play = weigh(cards & playable, once, twice) / weigh(cards, once, twice)
            if p_play > most:
                best, most = slot, p_play
    return best, most


@native
def who_could_play(view: Record, known: Record, playable: int) -> Any:
    """Whether another player who still has a turn holds a card to play; and whether one does who is not known to know any."""
    own, n_players = int(view.player), int(view.players)
    n_turns = int(view.turns_left) - 1 if view.n_deck == 0 else n_players - 1
    could, needed = False, False
    for aim in range(1, min(n_turns, n_players - 1) + 1):
        player = (own + aim) % n_players
        holds = False
        for slot in range(int(view.n_held[player])):
            holds |= playable & bit_of(int(view.hands[player, slot])) != 0
        could |= holds
        needed |= holds and not knows_a_play(known, player, playable)
    return could, needed


@native
def own_useless(view: Record, known: Record, work: Any, live: int) -> int:
    """The first own slot that this player knows to be of no use; -1 none."""
    for slot in range(int(known.held[int(view.player)])):
        cards = int(work[OWN + slot])
        if cards & live == 0:
            return slot
        if is_one(cards):
            for earlier in range(slot):
                if work[OWN + earlier] == cards:
                    return slot
    return -1


@native
def least_loss(view: Record, known: Record, work: Any, live: int, once: int, twice: int) -> int:
    """The slot that would be missed least: a copy is seen elsewhere, or left, or it is a high card."""
    best, most = 0, -1.0
    seen = 0
    for player in range(int(view.players)):
        for slot in range(MAX_HAND):
            seen |= bit_of(int(view.hands[player, slot]))
    dispensable = ~live | int(known.twice)
    for slot in range(int(known.held[int(view.player)])):
        cards = int(work[OWN + slot])
        total = float(weigh(cards, once, twice))
        ranks, left = 0.0, cards
        while left != 0:
            bit = left & -left
            left ^= bit
            ranks += weigh(bit, once, twice) * (first_bit(bit) % MAX_RANKS + 1)
        value = (20.0 * weigh(cards & seen, once, twice) + 10.0 * weigh(cards & dispensable, once, twice) + ranks) / total
        if value > most:
            best, most = slot, value
    return best


@native
def count_spare(view: Record) -> int:
    """How many cards may still be lost before there are too few turns for the rest."""
    n_cards, n_points, n_discarded = 0, int(view.suits) * int(view.ranks), 0
    for card in range(1, N_CARDS + 1):
        n_cards += int(COPIES_OF[int(view.ranks), card]) if SUIT_OF[card] < view.suits else 0
        n_discarded += int(view.discarded[card])
    size = int(view.hand) if view.hand > 0 else 5 if view.players <= 3 else 4
    return n_cards - n_points - int(view.players) * size - n_discarded


@native
def act(view: Record, actions: Any, n: int, params: Any, memory: Any, public: Any, chance: Record) -> int:
    work, chances = integer_room(ROOM), float_room(N_CHANCES)
    return decide(view, params, public.view(PUBLIC)[0], work, chances)


@native
def decide(view: Record, params: Any, known: Record, work: Any, chances: Any) -> int:
    """The move; the workspace has the rule behind it, and the number that it sends."""
    heights, left = pack_heights(view), int(known.once) | int(known.twice)
    playable, live = playable_cards(heights, int(view.suits), int(view.ranks)), live_cards(heights, left)
    once, twice = look_at_own(view, known, work)
    work[NUMBER], work[N_NUMBERS], chances[P_FITS] = -1, 0, 1.0
    slot = certain_play(view, known, work, playable, once, twice)
    if slot >= 0:
        work[RULE] = CERTAIN
        return PLAY + int(slot)
    n_spare = count_spare(view)
    if view.n_lives > 1 and n_spare >= 0:
        slot, chances[P_FITS] = likeliest_play(view, known, work, playable, playable | ~live, once, twice)
        if slot >= 0 and chances[P_FITS] > params[0]:
            work[RULE] = LIKELY
            return PLAY + int(slot)
    could, needed = who_could_play(view, known, playable)
    if needed and view.n_tokens > 0:
        return give_hint(view, known, work, chances, heights, NEEDED)
    if view.n_deck == 0 and (view.n_lives > 1 or (view.turns_left == 1 and not view.bomb_is_zero)):
        slot, chances[P_FITS] = likeliest_play(view, known, work, playable, -1, once, twice)
        if slot >= 0:
            work[RULE] = GUESS
            return PLAY + int(slot)
    useless = own_useless(view, known, work, live)
    if view.n_tokens == view.tokens and not view.discards_at_max:
        return give_hint(view, known, work, chances, heights, STUCK)
    if view.n_tokens > 0 and (n_spare < 0 or useless < 0):
        if could:
            return give_hint(view, known, work, chances, heights, HELPFUL)
        if view.n_tokens > params[1]:
            return give_hint(view, known, work, chances, heights, PLENTY)
    return DISCARD + choose_discard(view, known, work, chances, heights, live, useless, once, twice)


@native
def choose_discard(
    view: Record, known: Record, work: Any, chances: Any, heights: int, live: int, useless: int, once: int, twice: int
) -> int:
    """The slot to discard: of several that everybody knows to be useless the one whose number is to be sent."""
    own = int(view.player)
    n_useless = count_useless(known, own, live)
    if n_useless > 1:
        number = add_numbers(view, known, work, chances, own, n_useless, heights)
        work[RULE], work[NUMBER], work[N_NUMBERS] = USELESS, number, n_useless
        return int(find_useless(known, own, live, number))
    if useless >= 0:
        work[RULE] = USELESS
        return useless
    work[RULE] = LEAST
    return int(least_loss(view, known, work, live, once, twice))


@native
def give_hint(view: Record, known: Record, work: Any, chances: Any, heights: int, rule: int) -> int:
    """The hint that tells everybody their number."""
    own = int(view.player)
    n_numbers = count_numbers(view, known, own)
    number = add_numbers(view, known, work, chances, own, n_numbers, heights)
    work[RULE], work[NUMBER], work[N_NUMBERS] = rule, number, n_numbers
    action = choose_hint(view, known, work, chances, number, n_numbers, HAVING)
    return int(action) if action >= 0 else int(any_hint(view))


@native
def keeps(view: Record, action: int, params: Any, memory: Any, public: Any) -> int:
    """Plays mean nothing; a hint must be the right number, a discard too, and nobody may need a hint instead."""
    known, own = public.view(PUBLIC)[0], int(view.player)
    if action < DISCARD:
        return 1
    work, chances, heights = integer_room(ROOM), float_room(N_CHANCES), pack_heights(view)
    if action >= HINT:
        target = (own + int(AIM_OF[action])) % int(view.players)
        n_numbers = count_numbers(view, known, own)
        number = read_number(view, known, own, action, touched_by(view, target, int(FEATURE_OF[action])))
        return 1 if number == add_numbers(view, known, work, chances, own, n_numbers, heights) else 0
    live, slot = live_now(view, known), action - DISCARD
    playable = playable_cards(heights, int(view.suits), int(view.ranks))
    _, needed = who_could_play(view, known, playable)
    if needed and view.n_tokens > 0:
        return 0
    n_useless = count_useless(known, own, live)
    if n_useless > 1 and is_useless(known, own, slot, live):
        number = add_numbers(view, known, work, chances, own, n_useless, heights)
        return 1 if number == count_earlier(known, own, live, slot) else 0
    return 1
