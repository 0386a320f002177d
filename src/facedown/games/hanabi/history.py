"""What happened to each card of Hanabi, worked out from what one player sees: who holds it, which hints pointed at it.

A card is known by its place in the order of dealing and drawing, from 0 on: hands are dealt seat by seat. All moves are
public, so everybody can follow every card; what its owner does not know is its face. Which cards an earlier hint pointed at
follows too: a card that somebody sees now, or saw when it was laid down, has the feature or not; of a card of one's own
hand every hint at a feature that it has is among what it was told.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from facedown.games.hanabi.cards import (
    AIM_OF,
    DISCARD,
    FEATURE_OF,
    FEATURES_OF,
    HINT,
    MAX_HAND,
    NO_CARD,
    RANK_OF,
    SUIT_OF,
    SUITS,
    deck_size,
    hand_size,
)
from facedown.native.records import Record


@dataclass(frozen=True)
class Deed:
    """One move, with the cards that it was about."""

    number: int
    """Of the move, from 1 on."""
    mover: int
    action: int
    target: int
    """Whom a hint was for; who moved otherwise."""
    cards: tuple[int, ...]
    """Those that a hint pointed at, or the one that was laid down."""
    new: tuple[int, ...] = ()
    """Those that had not been told this before."""

    @property
    def is_hint(self) -> bool:
        """Whether it was a hint."""
        return self.action >= HINT

    @property
    def is_play(self) -> bool:
        """Whether a card was played, and not discarded."""
        return self.action < DISCARD


@dataclass(frozen=True)
class Landmarks:
    """The numbers of the last moves that laid a card on a pile or among what is lost, by suit, and that cost a life."""

    piles: Mapping[int, int]
    lost: Mapping[int, int]
    strike: int
    """0: no life was lost."""


@dataclass(frozen=True)
class History:
    """All moves, which card lies in which slot now, and the face of each card that is or was seen."""

    deeds: tuple[Deed, ...]
    hands: tuple[tuple[int, ...], ...]
    faces: Mapping[int, int]
    drawn: Mapping[int, int]
    """After how many moves each card came into a hand; 0: with the deal."""

    def first_hint(self, card: int) -> Deed | None:
        """The first hint that pointed at a card."""
        return next((deed for deed in self.deeds if deed.is_hint and card in deed.cards), None)

    def landmarks(self) -> Landmarks:
        """The moves that made the table what it is."""
        heights, piles, lost, strike = [0] * len(SUITS), dict[int, int](), dict[int, int](), 0
        for deed in self.deeds:
            if deed.is_hint:
                continue
            face = self.faces[deed.cards[0]]
            suit, rank = int(SUIT_OF[face]), int(RANK_OF[face])
            if deed.is_play and rank == heights[suit] + 1:
                heights[suit], piles[suit] = rank, deed.number
                continue
            lost[suit] = deed.number
            strike = deed.number if deed.is_play else strike
        return Landmarks(piles, lost, strike)

    def since(self, player: int) -> tuple[Deed, ...]:
        """What has happened since a player's last move."""
        own = max((deed.number for deed in self.deeds if deed.mover == player), default=0)
        return self.deeds[own:]


def history_of(seen: Record) -> History:
    """From a view or a state."""
    n_players, n_each = int(seen.players), hand_size(int(seen.players), int(seen.hand))
    hands = [list(range(player * n_each, (player + 1) * n_each)) for player in range(n_players)]
    n_drawn, n_cards = n_players * n_each, deck_size(int(seen.suits), int(seen.ranks))
    faces: dict[int, int] = {}
    drawn = dict.fromkeys(range(n_drawn), 0)
    told: list[tuple[int, int, int, tuple[int, ...]]] = []  # mover, action, target, the cards in question
    for number in range(int(seen.n_moves)):
        mover, action = number % n_players, int(seen.moves[number])
        if action >= HINT:
            target = int(mover + AIM_OF[action]) % n_players
            told.append((mover, action, target, tuple(hands[target])))
            continue
        hand, slot = hands[mover], action % MAX_HAND
        faces[hand[slot]] = int(seen.shown[number])
        told.append((mover, action, mover, (hand[slot],)))
        if n_drawn < n_cards and seen.slot_freed:
            hand[slot] = n_drawn
        else:
            del hand[slot]
            hand += [n_drawn] if n_drawn < n_cards else []
        drawn[n_drawn] = number + 1
        n_drawn += 1
    features = _look_at(seen, hands, faces)
    return History(_deeds(told, features), tuple(map(tuple, hands)), faces, drawn)


def _look_at(seen: Record, hands: list[list[int]], faces: dict[int, int]) -> dict[int, int]:
    """Note the faces that lie open, and what hints can have said of each card: of one that nobody sees, what it was told."""
    hidden = {}
    for player, hand in enumerate(hands):
        for slot, card in enumerate(hand):
            face = int(seen.hands[player, slot])
            if face != NO_CARD:
                faces[card] = face
            else:
                hidden[card] = int(seen.told[player, slot])
    return hidden | {card: int(FEATURES_OF[face]) for card, face in faces.items()}


def _deeds(told: list[tuple[int, int, int, tuple[int, ...]]], features: Mapping[int, int]) -> tuple[Deed, ...]:
    known: set[tuple[int, int]] = set()
    found = []
    for number, (mover, action, target, held) in enumerate(told, start=1):
        cards, new = held, tuple[int, ...]()
        if action >= HINT:
            feature = int(FEATURE_OF[action])
            cards = tuple(card for card in held if features[card] >> feature & 1)
            new = tuple(card for card in cards if (card, feature) not in known)
            known |= {(card, feature) for card in cards}
        found.append(Deed(number, mover, action, target, cards, new))
    return tuple(found)
