"""Hanabi, slowly: a box of cards, hands of objects that remember every hint, and a diary."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from naive.draws import Draws
from naive.twin import OVER, padded

SUITS = ["blue", "green", "red", "white", "yellow"]
SEATS, SLOTS, LENGTH = 5, 5, 106


@dataclass(eq=False)
class Card:
    suit: str
    rank: int
    drawn: int = 0
    yes: set[str | int] = field(default_factory=set)
    """Suits and ranks that it was pointed out for."""
    no: set[str | int] = field(default_factory=set)
    """Suits and ranks that somebody was told without pointing at it."""

    @property
    def number(self) -> int:
        return 5 * SUITS.index(self.suit) + self.rank

    def has(self, said: str | int) -> bool:
        return said in {self.suit, self.rank}


class Hanabi:
    def __init__(self, draws: Draws, **options: int):
        self.draws, self.options = draws, options
        thesis = options["rules"] == 1
        self.empty_hints = {0: thesis, 1: False, 2: True}[options["empty_hints"]]
        self.discard_at_max = {0: thesis, 1: False, 2: True}[options["discard_at_max"]]
        self.bomb_zero = options["bomb"] == 2
        self.freed = {0: thesis, 1: False, 2: True}[options["slot"]]
        self.rounds = {0: thesis, 1: False, 2: True}[options["age"]]
        self.suits = SUITS[: options["suits"]]
        self.ranks = list(range(1, options["ranks"] + 1))
        self.box = [Card(suit, rank) for suit in self.suits for rank in self.ranks for _ in range(self.copies(rank))]
        self.n_drawn = 0
        self.diary: list[tuple[int, int]] = []  # action, number of the card that it showed
        self.tokens, self.lives = options["tokens"], options["lives"]
        self.piles = dict.fromkeys(SUITS, 0)
        self.trash: list[Card] = []
        self.pointed_at: list[Card] = []
        self.learnt: list[Card] = []
        self.last_turns: list[int] | None = None
        size = options["hand"] or {2: 5, 3: 5, 4: 4, 5: 4}[options["players"]]
        self.hands = [[self.pull() for _ in range(size)] for _ in range(options["players"])]

    def copies(self, rank: int) -> int:
        if rank == 1:
            return 3
        return 1 if rank == len(self.ranks) else 2

    def pull(self) -> Card:
        """Any card of the box; which of equal ones does not matter, so the first of them goes."""
        chosen = self.box[self.draws.draw(len(self.box))]
        card = next(card for card in self.box if (card.suit, card.rank) == (chosen.suit, chosen.rank))
        self.box.remove(card)
        card.drawn = len(self.diary) // self.options["players"] if self.rounds else self.n_drawn
        self.n_drawn += 1
        return card

    # --- moves ----------------------------------------------------------------------------------------------------------

    def points(self) -> int:
        return sum(self.piles.values())

    def mover(self) -> int:
        finished = self.points() == len(self.suits) * len(self.ranks)
        if self.lives == 0 or finished or self.last_turns == []:
            return OVER
        return len(self.diary) % len(self.hands)

    def meaning(self, action: int) -> tuple[str, Any, Any]:
        if action < 10:
            return ("play", "discard")[action // 5], action % 5, None
        aim, what = divmod(action - 10, 10)
        target = (len(self.diary) + aim + 1) % len(self.hands)
        return "hint", target, what + 1 if what < 5 else SUITS[what - 5]

    def legal(self) -> list[int]:
        return [action for action in range(10 + 10 * (len(self.hands) - 1)) if self.is_possible(action)]

    def is_possible(self, action: int) -> bool:
        kind, what, said = self.meaning(action)
        if kind == "hint":
            exists = said in self.suits or said in self.ranks
            return self.tokens > 0 and exists and (self.empty_hints or any(card.has(said) for card in self.hands[what]))
        if kind == "discard" and self.tokens == self.options["tokens"] and not self.discard_at_max:
            return False
        return what < len(self.hands[self.mover()])

    def step(self, action: int) -> None:
        seat, (kind, what, said) = self.mover(), self.meaning(action)
        self.pointed_at, self.learnt = [], []
        if self.last_turns is not None:
            self.last_turns.remove(seat)
        shown = 0
        if kind == "hint":
            self.tokens -= 1
            self.tell(self.hands[what], said)
        else:
            card = self.hands[seat][what]
            shown = card.number
            if kind == "discard":
                self.trash.append(card)
                self.tokens = min(self.tokens + 1, self.options["tokens"])
            else:
                self.play(card)
            self.refill(self.hands[seat], what)
            if not self.box and self.last_turns is None:
                self.last_turns = list(range(len(self.hands)))
        self.diary.append((action, shown))

    def tell(self, hand: list[Card], said: str | int) -> None:
        for card in hand:
            if card.has(said):
                self.pointed_at.append(card)
                if said not in card.yes:
                    self.learnt.append(card)
                card.yes.add(said)
            else:
                card.no.add(said)

    def play(self, card: Card) -> None:
        if self.piles[card.suit] == card.rank - 1:
            self.piles[card.suit] += 1
            if card.rank == len(self.ranks):
                self.tokens = min(self.tokens + 1, self.options["tokens"])
        else:
            self.trash.append(card)
            self.lives -= 1

    def refill(self, hand: list[Card], slot: int) -> None:
        hand.pop(slot)
        if self.box:
            hand.insert(slot if self.freed else len(hand), self.pull())

    # --- the end ----------------------------------------------------------------------------------------------------------

    def scores(self) -> list[float]:
        points = 0 if self.bomb_zero and self.lives == 0 else self.points()
        return [float(points)] * len(self.hands)

    def report(self) -> dict[str, set[int]]:
        bombed = self.lives == 0
        return {
            "bombed": {int(bombed)},
            "lives_lost": {self.options["lives"] - self.lives},
            "kept": {self.points()},
            "zeroed": {0 if bombed else self.points()},
        }

    # --- what a player sees -------------------------------------------------------------------------------------------------

    def view(self, player: int) -> dict[str, Any]:
        seen = [[card.number if seat != player else 0 for card in hand] for seat, hand in enumerate(self.hands)]
        return self.options | self.switches() | self.table() | self.diaries() | {"player": player, "hands": self.grid(seen)}

    def switches(self) -> dict[str, int]:
        return {
            "hints_empty": int(self.empty_hints),
            "discards_at_max": int(self.discard_at_max),
            "bomb_is_zero": int(self.bomb_zero),
            "slot_freed": int(self.freed),
            "born_in_rounds": int(self.rounds),
        }

    def grid(self, rows: list[list[int]]) -> list[list[int]]:
        rows = [padded(row, SLOTS, 0) for row in rows]
        return rows + [[0] * SLOTS for _ in range(SEATS - len(rows))]

    def table(self) -> dict[str, Any]:
        trash = [card.number for card in self.trash]
        return {
            "mover": self.mover(),
            "n_tokens": self.tokens,
            "n_lives": self.lives,
            "n_deck": len(self.box),
            "turns_left": len(self.last_turns) if self.last_turns is not None else 0,
            "n_points": self.points(),
            "piles": [self.piles[suit] for suit in SUITS],
            "discarded": [trash.count(number) for number in range(26)],
            "n_held": padded([len(hand) for hand in self.hands], SEATS, 0),
            "told": self.grid([[self.bits(card.yes) for card in hand] for hand in self.hands]),
            "open": self.grid([[self.bits(self.possible(card)) for card in hand] for hand in self.hands]),
            "born": self.grid([[card.drawn for card in hand] for hand in self.hands]),
            "touched": self.slots(self.pointed_at),
            "news": self.slots(self.learnt),
        }

    def bits(self, said: set[str | int]) -> int:
        return sum(1 << (one - 1 if isinstance(one, int) else 5 + SUITS.index(one)) for one in said)

    def possible(self, card: Card) -> set[str | int]:
        suits, ranks = card.yes & set(self.suits), card.yes & set(self.ranks)
        return (suits or set(self.suits) - card.no) | (ranks or set(self.ranks) - card.no)

    def slots(self, cards: list[Card]) -> int:
        return sum(1 << slot for hand in self.hands for slot, card in enumerate(hand) if card in cards)

    def diaries(self) -> dict[str, Any]:
        return {
            "n_moves": len(self.diary),
            "moves": padded([action for action, _ in self.diary], LENGTH, 0),
            "shown": padded([shown for _, shown in self.diary], LENGTH, 0),
        }
