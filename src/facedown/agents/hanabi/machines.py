"""The agent `information`: its rules, what it believes of its own hand, and its reasons in words."""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.agents.contract import Agent, Parameter
from facedown.agents.hanabi.code import hear_number, live_now
from facedown.agents.hanabi.information import (
    CERTAIN,
    GUESS,
    HELPFUL,
    LEAST,
    LIKELY,
    N_CHANCES,
    N_NUMBERS,
    NEEDED,
    NUMBER,
    OWN,
    P_FITS,
    PLENTY,
    RULE,
    STUCK,
    USELESS,
    act,
    decide,
    keeps,
    look_at_own,
    watch,
)
from facedown.agents.hanabi.questions import KEPT, ROOM
from facedown.agents.hanabi.tables import PUBLIC, pack_heights, playable_cards, weigh
from facedown.agents.reasons import Reason
from facedown.games.contract import Game
from facedown.games.hanabi.beliefs import N_HANDS, count_unseen, count_ways, gather, imagine
from facedown.games.hanabi.cards import MAX_HAND, N_CARDS
from facedown.games.hanabi.rules import note_features
from facedown.native import copy_shared, draw, draw_from, native
from facedown.native.bits import count_bits, first_bit
from facedown.native.chance import SAMPLE
from facedown.native.jit import integer_room
from facedown.native.records import Record

MAX_TRIES = 200
N_UNSEEN = N_CARDS + 1


@native
def draw_hand(known: Record, work: Any, own: int, once: int, twice: int, chance: Record) -> bool:
    """Cards for the own slots, into the place of their tables: any copies that fit, all ways equally likely.

    Each slot draws a copy of its own accord; if two have drawn the same one, all draw again.
    """
    held, drawn = int(known.held[own]), KEPT
    for _ in range(MAX_TRIES):
        taken_once, taken_twice, taken_thrice, fits = 0, 0, 0, True
        for slot in range(held):
            cards = int(work[OWN + slot])
            place = draw(chance, weigh(cards, once, twice))
            # copies of a card: one for each, then the two of those that have two or three
            n_single = count_bits(cards & once)
            copy = 0
            left = cards & once if place < n_single else cards & twice
            if place >= n_single:
                place -= n_single
                copy = 1 + place % 2
                place //= 2
            for _ in range(place):
                left &= left - 1
            bit = left & -left
            fits &= (taken_once if copy == 0 else taken_twice if copy == 1 else taken_thrice) & bit == 0
            taken_once |= bit if copy == 0 else 0
            taken_twice |= bit if copy == 1 else 0
            taken_thrice |= bit if copy == 2 else 0
            work[drawn + slot] = first_bit(bit) + 1
        if fits:
            return True
    return False


@native
def count_fitting(work: Any, held: int, unseen: Any, slots: Any, common: Any) -> None:
    """As `count_common` of `beliefs.py`, by the tables of the own slots in the workspace."""
    common[:] = 0
    for card in range(1, N_CARDS + 1):
        fitting = 0
        for slot in range(held):
            fitting |= (int(work[OWN + slot]) >> card - 1 & 1) << slot
        slots[card] = fitting
        for chosen in range(1, 1 << held):
            common[chosen] += int(unseen[card]) if chosen & ~fitting == 0 else 0


@native
def choose_hand(view: Record, known: Record, work: Any, own: int, unseen: Any, chance: Record) -> bool:
    """As `draw_hand`, slot by slot, a card as likely as the ways to fill the others: so that all hands can be enumerated."""
    held, drawn = int(known.held[own]), KEPT
    slots, weights = np.zeros(N_CARDS + 1, np.int64), np.zeros(N_CARDS + 1, np.int64)
    common, ways = np.zeros(N_HANDS, np.int64), np.zeros(N_HANDS, np.int64)
    count_unseen(view, unseen)
    for slot in range(held):
        count_fitting(work, held, unseen, slots, common)
        left, total = (1 << held) - (2 << slot), 0
        for card in range(1, N_CARDS + 1):
            fits = unseen[card] > 0 and slots[card] >> slot & 1
            weights[card] = unseen[card] * count_ways(common, left, slots[card], ways) if fits else 0
            total += weights[card]
        if total == 0:
            return False
        card = draw_from(chance, weights)
        work[drawn + slot] = card
        unseen[card] -= 1
    return True


@native
def believe(view: Record, params: Any, memory: Any, public: Any, chance: Record, state: Record) -> None:
    believe_tables(view, public.view(PUBLIC)[0], chance, state)


@native
def believe_tables(view: Record, known: Record, chance: Record, state: Record) -> None:
    """A hand that fits what everybody knows of it and what this player sees; and the rest in the deck."""
    own = int(view.player)
    work, unseen = integer_room(ROOM), integer_room(N_UNSEEN)
    once, twice = look_at_own(view, known, work)
    if chance.mode == SAMPLE:
        fits = draw_hand(known, work, own, once, twice, chance)
    else:
        fits = choose_hand(view, known, work, own, unseen, chance)
    if not fits:
        imagine(view, own, chance, state)  # the tables are wrong, since somebody erred: then all that fits the view
        return
    copy_shared(view, state)
    for player in range(int(view.players)):
        for slot in range(MAX_HAND):
            state.hands[player, slot] = view.hands[player, slot]
    for slot in range(int(known.held[own])):
        state.hands[own, slot] = work[KEPT + slot]
    count_unseen(view, unseen)
    for slot in range(int(known.held[own])):
        unseen[int(state.hands[own, slot])] -= 1
    gather(view, unseen, state)
    for player in range(int(view.players)):
        note_features(state, player)


WORDS = {
    CERTAIN: "this card is certain to fit",
    LIKELY: "it fits with probability {chance:.2f}, and is of no use if it does not",
    NEEDED: "somebody has a card to play, and none that everybody knows of",
    GUESS: "the last round: it fits with probability {chance:.2f}",
    USELESS: "it is of no use",
    HELPFUL: "somebody has a card to play",
    PLENTY: "there are many tokens",
    LEAST: "the card that would be missed least",
    STUCK: "nothing can be discarded with all tokens there",
}


def explain(view: Record, action: int, params: Any, memory: Record | None, public: Record) -> Reason:
    """The rule, the number that was sent, and what everybody learnt by it."""
    work, chances = np.zeros(ROOM, np.int64), np.zeros(N_CHANCES)
    decide(view, params, public, work, chances)
    words = WORDS[int(work[RULE])].format(chance=float(chances[P_FITS]))
    number, n_numbers = int(work[NUMBER]), int(work[N_NUMBERS])
    if n_numbers > 1:
        words += f"; the number {number} of {n_numbers} tells {_learnt(view, public.copy(), number, n_numbers) or 'nothing'}"
    return Reason("rule", words)


def _learnt(view: Record, known: Record, number: int, n_numbers: int) -> str:
    """What a number tells everybody, in words."""
    before = known.tables.copy()
    work, chances, heights = np.zeros(ROOM, np.int64), np.zeros(N_CHANCES), int(pack_heights(view))
    live = int(live_now(view, known))
    playable = int(playable_cards(heights, int(view.suits), int(view.ranks)))
    hear_number(view, known, work, chances, int(view.player), number, n_numbers, heights)
    told = []
    for player, slot in zip(*np.nonzero(before != known.tables), strict=True):
        cards, n_before = int(known.tables[player, slot]), int(before[player, slot]).bit_count()
        what = (
            "can be played"
            if cards & ~playable == 0
            else "is of no use"
            if cards & live == 0
            else f"is one of {cards.bit_count()} cards, not {n_before}"
        )
        told.append(f"player {player}: slot {slot + 1} {what}")
    return "; ".join(told)


MEANING = "a code for machines: each hint tells all others what to play or discard, by what they see of each other"
RISKS, TOKENS = {5: 0.75}, {3: 2.0, 5: 5.0}
"""Chosen on games of their own, by the number of players; else .6 and 3."""


def information(game: Game) -> Agent:
    """The agent, with the settings for this number of players."""
    players = game.n_players
    return Agent(
        name="information",
        game="hanabi",
        meaning=MEANING,
        act=act,
        watch=watch,
        public=PUBLIC,
        agrees=True,
        keeps=keeps,
        believe=believe,
        explain=explain,
        parameters=(
            Parameter(
                "risk", RISKS.get(players, 0.6), 0.0, 1.0, "it plays a card that is useless or fits if it fits more likely"
            ),
            Parameter("tokens", TOKENS.get(players, 3.0), 0.0, 8.0, "with more tokens than this it hints rather than discards"),
        ),
        seconds=6.0,
    )


MAKERS = {"information": information}
"""It depends on the options of the game."""
