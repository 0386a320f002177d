"""What one player of Hanabi sees, as objects: for agents that are written from the description of the thesis' program."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

SUITS, RANKS = range(5), range(1, 6)
COPIES = {1: 3, 2: 2, 3: 2, 4: 2, 5: 1}
Identity = tuple[int, int]  # suit, rank


@dataclass
class Held:
    """A card in a hand; what it is, where one sees it, and what its owner was told."""

    slot: int
    identity: Identity | None
    suit: int | None
    rank: int | None
    age: int

    @property
    def touched(self) -> bool:
        return self.suit is not None or self.rank is not None

    @property
    def revealed(self) -> bool:
        return self.suit is not None and self.rank is not None

    @property
    def partly(self) -> bool:
        return self.touched and not self.revealed

    @property
    def known(self) -> Identity:
        assert self.suit is not None and self.rank is not None
        return self.suit, self.rank


@dataclass
class Table:
    me: int
    n: int
    piles: list[int]
    discards: Counter[Identity]
    hands: list[list[Held]]
    tokens: int
    lives: int
    memory: dict[tuple[int, int], str] = field(default_factory=dict)

    @classmethod
    def of(cls, view: Any, me: int) -> Table:
        hands = []
        for player in range(view.players):
            hand = []
            for slot in range(view.n_held[player]):
                told, card = int(view.told[player, slot]), int(view.hands[player, slot])
                ranks = [rank for rank in RANKS if told & (1 << (rank - 1))]
                suits = [suit for suit in SUITS if told & (1 << (5 + suit))]
                identity = ((card - 1) // 5, (card - 1) % 5 + 1) if card else None
                age = int(view.born[player, slot])
                hand.append(Held(slot, identity, suits[0] if suits else None, ranks[0] if ranks else None, age))
            hands.append(hand)
        discards = Counter({((card - 1) // 5, (card - 1) % 5 + 1): int(view.discarded[card]) for card in range(1, 26)})
        return cls(me, int(view.players), view.piles.tolist(), discards, hands, int(view.n_tokens), int(view.n_lives))

    def at(self, d: int) -> int:
        return (self.me + 1 + d) % self.n

    def left(self, card: Identity) -> int:
        return COPIES[card[1]] - self.discards[card] - (card[1] <= self.piles[card[0]])

    def dead(self, suit: int) -> float:
        gone = [rank for rank in RANKS if rank > self.piles[suit] and self.left((suit, rank)) == 0]
        return min(gone, default=math.inf)

    def playable(self, card: Identity) -> bool:
        return card[1] == self.piles[card[0]] + 1

    def useless(self, card: Identity) -> bool:
        return not self.piles[card[0]] < card[1] < self.dead(card[0])

    def known_useless(self, suit: int | None, rank: int | None) -> bool:
        if suit is None and rank is None:
            return False
        if rank is None:
            assert suit is not None
            return self.piles[suit] == 5 or self.dead(suit) == self.piles[suit] + 1
        if suit is None:
            return not any(self.piles[t] < rank < self.dead(t) for t in SUITS)
        return self.useless((suit, rank))

    def seen(self, hidden: set[int], player: int) -> Counter[Identity]:
        cards = Counter(c.identity for p in range(self.n) if p not in hidden for c in self.hands[p] if c.identity)
        return cards + Counter(c.known for c in self.hands[player] if c.revealed)

    def unseen(self, card: Identity, hidden: set[int], player: int) -> int:
        return COPIES[card[1]] - self.discards[card] - self.seen(hidden, player)[card]

    def obvious_play(self, player: int) -> Held | None:
        level = len(set(self.piles)) == 1
        fitting = [
            card
            for card in self.hands[player]
            if (card.revealed and self.playable(card.known))
            or (card.rank is not None and level and card.rank == self.piles[0] + 1)
        ]
        return min(fitting, key=lambda card: (card.rank, card.slot), default=None)

    def discard_group(self, player: int, hidden: set[int], viewer: int) -> list[Held]:
        hand = self.hands[player]
        if untouched := [card for card in hand if not card.touched]:
            return untouched
        seen = self.seen(hidden, viewer)

        def risky(card: Held) -> bool:
            fitting = [(s, r) for s in SUITS for r in RANKS if card.suit in {None, s} and card.rank in {None, r}]
            return any(r > self.piles[s] and self.left((s, r)) == 1 and seen[s, r] == 0 for s, r in fitting)

        return [card for card in hand if card.partly and not risky(card)] or hand

    def guess_discard(self, player: int, hidden: set[int], viewer: int) -> Held:
        return min(self.discard_group(player, hidden, viewer), key=lambda card: (card.age, card.slot))

    def play(self, card: Held) -> int:
        return card.slot

    def discard(self, card: Held) -> int:
        return 5 + card.slot

    def tell(self, d: int, *, rank: int | None = None, suit: int | None = None) -> int:
        return 10 + 10 * d + (rank - 1 if rank is not None else 5 + suit)  # type: ignore[operator]

    def tell_unknown(self, d: int, card: Held) -> int:
        assert card.identity is not None
        if card.rank is None:
            return self.tell(d, rank=card.identity[1])
        return self.tell(d, suit=card.identity[0])

    def hints(self, reach: int) -> list[tuple[int, str, int, list[Held], int]]:
        """Distance, kind, value, newly informed cards, action; in the order of the search, those that touch a card."""
        found = []
        for d in range(reach):
            hand = self.hands[self.at(d)]
            for kind, values in (("rank", RANKS), ("suit", SUITS)):
                for value in values:
                    touched = [card for card in hand if card.identity and value == card.identity[1 if kind == "rank" else 0]]
                    news = [card for card in touched if getattr(card, kind) is None]
                    if touched:
                        found.append((d, kind, value, news, self.tell(d, **{kind: value})))
        return found

    def touched_in(self, players: list[int]) -> set[Identity]:
        return {
            card.identity
            for player in players
            for card in self.hands[player]
            if card.identity and card.touched and card.identity[1] > self.piles[card.identity[0]]
        }
