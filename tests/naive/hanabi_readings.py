"""What everybody reads into the moves of `smart` at Hanabi, with sets of cards and fractions; written from its description.

For official rules: hands are ordered from the oldest card to the newest. Cards are pairs of a suit and a rank.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations
from typing import Any

from naive.hanabi_table import COPIES, RANKS, SUITS, Identity

Cards = set[Identity]
N_TOKENS = 8


class Readings:
    """All that is common knowledge: what each slot of each player may hold."""

    def __init__(self, n_players: int, n_each: int, reserve: int):
        self.n, self.reserve = n_players, reserve
        self.left = Counter({(suit, rank): COPIES[rank] for suit in SUITS for rank in RANKS})
        self.piles = [0] * len(SUITS)
        self.tokens = N_TOKENS
        self.hands: list[list[Cards]] = [[set(self.left) for _ in range(n_each)] for _ in range(n_players)]

    # --- the board ------------------------------------------------------------------------------------------------------------

    @property
    def fitting(self) -> Cards:
        return {(suit, height + 1) for suit, height in enumerate(self.piles) if height < 5}

    @property
    def live(self) -> Cards:
        found = set()
        for suit, height in enumerate(self.piles):
            for rank in range(height + 1, 6):
                if self.left[suit, rank] == 0:
                    break
                found.add((suit, rank))
        return found

    @property
    def critical(self) -> Cards:
        return {card for card in self.live if self.left[card] == 1}

    @property
    def soon(self) -> Cards:
        """What hints promise: of each suit the first card that nobody is known to hold."""
        if self.n > 2:
            return self.fitting
        located = {next(iter(cards)) for hand in self.hands for cards in hand if len(cards) == 1}
        found = set()
        for suit, first in self.fitting:
            rank = first
            while (suit, rank) in located:
                rank += 1
            reached = {(suit, between) for between in range(first + 1, rank + 1)}
            if rank <= 5 and reached <= self.live:
                found.add((suit, rank))
        return found

    def is_play(self, cards: Cards) -> bool:
        return cards <= self.fitting or cards <= self.soon

    def next_discard(self, player: int) -> int | None:
        hand, live, critical = self.hands[player], self.live, self.critical
        if any(cards <= self.fitting or not cards & live for cards in hand):
            return None
        best, most = None, Fraction(0)
        for slot, cards in enumerate(hand):
            if cards <= critical or self.is_play(cards):
                continue
            useless, last, total = (sum(self.left[card] for card in some) for some in (cards - live, cards & critical, cards))
            excess = Fraction(useless - last, total)
            if best is None or excess > most:  # of equal ones the oldest
                best, most = slot, excess
        return best

    # --- moves ----------------------------------------------------------------------------------------------------------------

    def hint(self, mover: int, target: int, rank: int | None, suit: int | None, touched: set[int], n_deck: int) -> None:
        following = (mover + 1) % self.n
        self._read(mover, target, rank, suit, touched)
        if target != following and n_deck > 0:
            self._no_warning(following, self._unwarned(following))
        self.tokens -= 1

    def _read(self, mover: int, target: int, rank: int | None, suit: int | None, touched: set[int]) -> None:
        hand, soon, critical = self.hands[target], self.soon, self.critical
        before = [set(cards) for cards in hand]
        doomed = self.next_discard(target) if rank is not None and target == (mover + 1) % self.n else None
        # what is known of cards is compared with the board as it was: locating a card by this hint changes nothing yet
        fitting = self.fitting

        def is_play(cards: Cards) -> bool:
            return cards <= fitting or cards <= soon

        for slot, cards in enumerate(hand):
            named = {card for card in cards if card[1] == rank or card[0] == suit}
            hand[slot] = named if slot in touched else cards - named
        news = [slot for slot, cards in enumerate(hand) if not is_play(before[slot])]
        if doomed in touched and doomed is not None and hand[doomed] & critical:
            hand[doomed] &= critical
        elif any(is_play(hand[slot]) for slot in news):
            pass  # the words say it
        elif self.tokens == N_TOKENS and (target + 1) % self.n == mover and rank is not None and 0 in touched:
            pass  # something had to be said
        else:
            promised = [slot for slot in news if slot in touched and hand[slot] & soon]
            if promised:
                hand[promised[-1]] &= soon

    def lay(self, mover: int, slot: int, card: Identity, plays: bool, n_deck: int, opened: list[list[Cards]]) -> None:
        """Play or discard; `n_deck` cards were there to draw; `opened` is what hints alone leave possible, after the move."""
        following = (mover + 1) % self.n
        if n_deck > 0:
            unwarned, critical = self._unwarned(following), self.critical
            if not plays:
                self._discard(mover, slot)
            if unwarned is not None:
                self.hands[following][unwarned] -= critical
        del self.hands[mover][slot]
        if n_deck > 0:
            self.hands[mover].append({other for other, copies in self.left.items() if copies})
        self.left[card] -= 1
        if plays and self.piles[card[0]] == card[1] - 1:
            self.piles[card[0]] += 1
            self.tokens = min(self.tokens + (card[1] == 5), N_TOKENS)
        elif not plays:
            self.tokens = min(self.tokens + 1, N_TOKENS)
        self.tidy(opened)

    def _unwarned(self, player: int) -> int | None:
        return self.next_discard(player) if self.tokens > 0 else None

    def _no_warning(self, player: int, slot: int | None) -> None:
        if slot is not None:
            self.hands[player][slot] -= self.critical

    def _discard(self, mover: int, slot: int) -> None:
        following, thrown = (mover + 1) % self.n, self.hands[mover][slot]
        if len(thrown) == 1 and thrown <= self.fitting:
            if self.hands[following][-1] & thrown:
                self.hands[following][-1] = set(thrown)
            return
        theirs = self.hands[following]
        busy = any(cards <= self.fitting or not cards & self.live for cards in theirs)
        if self.tokens <= (0 if busy else self.reserve):
            return
        # nothing changes in the middle: what silence says of one slot, it does not know of the others
        struck = {player: self._struck(player) for player in range(self.n) if player != mover}
        for player, sets in struck.items():
            for place, cards in enumerate(sets):
                self.hands[player][place] -= cards

    def _struck(self, player: int) -> list[Cards]:
        """By slot, the cards that a hint would have promised."""
        hand, doomed = self.hands[player], self.next_discard(player)
        found = []
        for slot, cards in enumerate(hand):
            newer = range(slot + 1, len(hand))
            struck: Cards = set()
            for card in cards & self.soon if not self.is_play(cards) else ():
                by_suit = any(card in hand[other] for other in newer)
                by_rank = any(
                    card in hand[one] and any(other[1] == card[1] for other in hand[two] & self.soon)
                    for one, two in permutations(newer, 2)
                )
                warns = doomed is not None and any(other[1] == card[1] for other in hand[doomed] & self.critical)
                rank_helps = self.n == 2 and self.tokens < N_TOKENS and not (by_rank or warns)
                struck |= {card} if not by_suit or rank_helps else set()
            found.append(struck)
        return found

    # --- counting -------------------------------------------------------------------------------------------------------------

    def tidy(self, opened: list[list[Cards]]) -> None:
        """Cards that are all shown, or known to lie elsewhere, are none of these."""
        left = {card for card, copies in self.left.items() if copies}
        for player, hand in enumerate(self.hands):
            for slot in range(len(hand)):
                hand[slot] = hand[slot] & left or opened[player][slot] & left
        done: Cards = set()
        while True:
            placed = Counter(next(iter(cards)) for hand in self.hands for cards in hand if len(cards) == 1)
            found = {card for card, n_slots in placed.items() if n_slots >= self.left[card]} - done
            if not found:
                return
            done |= found
            for hand in self.hands:
                for slot, cards in enumerate(hand):
                    if len(cards) > 1 and cards - found:
                        hand[slot] = cards - found


def opened_by(view: Any) -> list[list[Cards]]:
    """What hints alone leave possible of each card, by player and slot."""
    return [
        [
            {
                (suit, rank)
                for suit in SUITS
                for rank in RANKS
                if int(view.open[player, slot]) >> rank - 1 & 1 and int(view.open[player, slot]) >> 5 + suit & 1
            }
            for slot in range(int(view.n_held[player]))
        ]
        for player in range(int(view.players))
    ]
