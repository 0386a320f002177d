"""Love Letter through a summary of what players see, of which there are few enough to learn what to do in each.

A summary holds what matters most of a view: your own pair, who can be aimed at, hands that are known, and how many cards
are unseen; of each kind if a Guard has to guess, and only which kinds otherwise. Many views have the same summary, so its
players forget (`perfect_recall=False`): regret minimisation promises them no equilibrium, but finds good players.

`summarise` is the only way to a summary: from a state, while a policy is learnt, and from a view, when it is played. It
reads fields that both records have, and is given the few that they keep differently.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from facedown.errors import RulesError
from facedown.games.contract import Game, Options
from facedown.games.love_letter.cards import (
    AIM_OF,
    CARD_OF,
    GUARD,
    MAX_CARDS,
    MAX_PLAYERS,
    N_KINDS,
    NAMED_OF,
    NAMES,
    NO_CARD,
    PRIEST,
    PRINCE,
    PRINCESS,
)
from facedown.games.love_letter.game import GAME as WHOLE
from facedown.games.love_letter.text import AIMED_CARDS, listing
from facedown.native import field, native, record
from facedown.native.records import Record

NAME = "love_letter_abstract"
MAX_AIMS = MAX_PLAYERS - 1

SUMMARY = record(
    field("place", np.int8, 0, MAX_PLAYERS - 1, "seats after the player who began the round; 0 who began"),
    field("low", np.int8, 0, N_KINDS, "the lower card of your own pair; 0 none"),
    field("high", np.int8, 0, N_KINDS, "the higher card of your own pair; 0 none"),
    field("others_in", np.int8, 0, 7, "who else is still in the round, a bit for each aim"),
    field("exposed", np.int8, 0, 7, "who can be aimed at, a bit for each aim"),
    field("n_deck", np.int8, 0, MAX_CARDS, "cards in the deck, without the one set aside"),
    field("guards", np.int8, 0, MAX_CARDS, "pairs of Guards that are unseen, an odd one counted as a pair"),
    field(
        "unseen", np.int8, 0, MAX_CARDS, "unseen cards of each other kind; 1 for any where no Guard has to guess", N_KINDS - 1
    ),
    field("known", np.int8, 0, N_KINDS, "the hand at each aim, where it is known; 0 unknown", MAX_AIMS),
)


@native
def summarise(table: Record, counts: Any, n_own: int, known: Any, player: int, held: int, drawn: int, summary: Record) -> None:
    """Fill in every field of a summary.

    table    a state or a view; nothing that they keep differently is read from it
    counts   how many cards of each kind do not lie open; each own card is counted n_own times in it
    known    by seat, the hands that the player knows
    """
    n_players = int(table.players)
    place = player - int(table.starter)
    summary.place = place + n_players if place < 0 else place
    summary.low, summary.high = min(held, drawn), max(held, drawn)
    summary.n_deck = table.n_deck
    exposed, others_in, n_known = 0, 0, 0
    for aim in range(MAX_AIMS):
        summary.known[aim] = NO_CARD
        seat = player + aim + 1
        seat = seat - n_players if seat >= n_players else seat
        if aim + 1 < n_players and table.in_round >> seat & 1:
            others_in |= 1 << aim
            summary.known[aim] = known[seat]
            if not table.immune >> seat & 1:
                exposed |= 1 << aim
                n_known += 1 if known[seat] != NO_CARD else 0
    summary.others_in, summary.exposed = others_in, exposed
    # how many there are of a kind matters most to a Guard that has to guess
    guesses = min(held, drawn) == GUARD and exposed != 0 and n_known == 0
    for card in range(GUARD, PRINCESS + 1):
        n_unseen = int(counts[card]) - n_own * ((1 if held == card else 0) + (1 if drawn == card else 0))
        if card == GUARD:
            summary.guards = (n_unseen + 1) // 2
        else:
            summary.unseen[card - PRIEST] = n_unseen if guesses else min(n_unseen, 1)


@native
def observe(state: Record, player: int, summary: Record) -> None:
    drawn = int(state.drawn) if state.mover == player else NO_CARD
    summarise(state, state.hidden, 1, state.known[:, player], player, int(state.hand[player]), drawn, summary)


@native
def summarise_view(view: Record, summary: Record) -> None:
    """The summary of what a player sees."""
    summarise(view, view.unseen, 0, view.known, int(view.player), int(view.hand), int(view.drawn), summary)


@native
def imagine(summary: Record, player: int, chance: Record, state: Record) -> None:
    raise RulesError("a summary does not tell enough of the round to imagine it")


# --- words ----------------------------------------------------------------------------------------------------------------


def describe(summary: Record) -> str:
    """The player's own pair, what is unseen, and what is known of the others."""
    unseen = [f"{count} {NAMES[card]}" for card, count in enumerate(summary.unseen, PRIEST) if count]
    if summary.guards:
        unseen.insert(0, f"{2 * summary.guards - 1} or {2 * summary.guards} Guards")
    parts = [f"You hold the {NAMES[int(summary.low)]} and the {NAMES[int(summary.high)]}. Deck: {summary.n_deck}."]
    parts.append(f"Unseen, at least: {listing(unseen)}." if unseen else "Nothing is unseen.")
    for aim in range(MAX_AIMS):
        if not summary.others_in >> aim & 1:
            continue
        if not summary.exposed >> aim & 1:
            parts.append(f"The player {_at(aim + 1)} is behind a Handmaid.")
        if summary.known[aim]:
            parts.append(f"The player {_at(aim + 1)} holds the {NAMES[int(summary.known[aim])]}.")
    return " ".join(parts)


def action_name(summary: Record, action: int) -> str:
    """A play; those who are aimed at are told by how many seats further they sit."""
    card, aim, named = int(CARD_OF[action]), int(AIM_OF[action]), int(NAMED_OF[action])
    if aim:
        return f"{NAMES[card]} {_at(aim)}" + (f", naming the {NAMES[named]}" if named else "")
    if card == PRINCE:
        return "Prince on oneself"
    return f"{NAMES[card]} without effect" if card in AIMED_CARDS else NAMES[card]


def _at(aim: int) -> str:
    return f"{aim} {'seat' if aim == 1 else 'seats'} further"


def forbids(options: Options) -> str | None:
    """A sentence on options that cannot be."""
    if options["match"]:
        return "a summary is of one round; learn for that, and the policy can be played in matches too"
    return WHOLE.forbids(options)


GAME = dataclasses.replace(
    WHOLE,
    name=NAME,
    title="Love Letter, of which players see a summary",
    view=SUMMARY,
    observe=observe,
    imagine=imagine,
    describe=describe,
    action_name=action_name,
    parse_action=None,
    forbids=forbids,
    forgets=None,
    perfect_recall=False,
    rules=f"{WHOLE.rules}\n\nHere players see only a summary, of which there are few enough to learn a move for each.",
)


def abstract(game: Game) -> Game:
    """The same round of Love Letter, seen through summaries."""
    return GAME(**{**game.values, "match": "no"})
