"""Goofspiel, slowly: hands of cards, a prize that lies open, bids in sealed envelopes."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from naive.draws import Draws
from naive.twin import OVER, padded

MAX_PLAYERS, MAX_CARDS = 4, 13
SHUFFLED, DESCENDING, ASCENDING = 0, 1, 2
DISCARD, CARRY, SPLIT = 0, 1, 2
SHOWN, WINNER = 0, 1
WIN, DIFFERENCE = 0, 1


@dataclass
class Bidder:
    hand: list[int]
    bids: list[int] = field(default_factory=list)
    points: Fraction = Fraction(0)


class Goofspiel:
    def __init__(self, draws: Draws, *, players: int, cards: int, order: int, ties: int, bids: int, returns: int):
        self.draws = draws
        self.options = {"players": players, "cards": cards, "order": order, "ties": ties, "bids": bids, "returns": returns}
        self.bidders = [Bidder(list(range(1, cards + 1))) for _ in range(players)]
        self.deck = list(range(1, cards + 1))  # the next prize is taken from it
        self.prizes: list[int] = []
        self.pot: list[int] = []
        self.takers: list[list[int]] = []
        self.next_prize()

    def next_prize(self) -> None:
        """The highest that is left, the lowest, or any; the last one needs no draw."""
        place = {DESCENDING: len(self.deck) - 1, ASCENDING: 0}.get(self.options["order"], 0)
        if self.options["order"] == SHUFFLED and len(self.deck) > 1:
            place = self.draws.draw(len(self.deck))
        self.prizes.append(self.deck.pop(place))
        self.pot.append(self.prizes[-1])

    def mover(self) -> int:
        if not any(bidder.hand for bidder in self.bidders):
            return OVER
        return next(seat for seat, bidder in enumerate(self.bidders) if len(bidder.bids) == len(self.takers))

    def legal(self) -> list[int]:
        return sorted(self.bidders[self.mover()].hand)

    def step(self, action: int) -> None:
        bidder = self.bidders[self.mover()]
        bidder.hand.remove(action)
        bidder.bids.append(action)
        if all(len(other.bids) == len(self.prizes) for other in self.bidders):
            self.open_bids()

    def open_bids(self) -> None:
        bids = [bidder.bids[-1] for bidder in self.bidders]
        best = [seat for seat, bid in enumerate(bids) if bid == max(bids)]
        takers = best if len(best) == 1 or self.options["ties"] == SPLIT else []
        for seat in takers:
            self.bidders[seat].points += Fraction(sum(self.pot), len(takers))
        if takers or self.options["ties"] != CARRY:
            self.pot = []
        self.takers.append(takers)
        if self.deck:
            self.next_prize()

    def scores(self) -> list[float]:
        points = [bidder.points for bidder in self.bidders]
        if self.options["returns"] == DIFFERENCE:
            average = sum(points) / len(points)
            return [float(own - average) for own in points]
        n_best = points.count(max(points))
        if n_best == len(points):
            return [0.0] * n_best
        return [1 / n_best if own == max(points) else -1 / (len(points) - n_best) for own in points]

    def view(self, player: int) -> dict[str, Any]:
        played = []
        for seat in range(MAX_PLAYERS):
            bids = self.bidders[seat].bids if seat < len(self.bidders) else []
            if seat != player:
                bids = bids[: len(self.takers)] if self.options["bids"] == SHOWN else []
            played.append(padded(bids, MAX_CARDS, 0))
        return {
            **self.options,
            "player": player,
            "hand": sum(2 ** (card - 1) for card in self.bidders[player].hand),
            "played": played,
            "mover": self.mover(),
            "n_rounds": len(self.takers),
            "prizes": padded(self.prizes, MAX_CARDS, 0),
            "stake": sum(self.pot),
            "takers": padded([sum(2**seat for seat in takers) for takers in self.takers], MAX_CARDS, 0),
            "points": padded([int(12 * bidder.points) for bidder in self.bidders], MAX_PLAYERS, 0),
        }

    def report(self) -> dict[str, set[int]]:
        return {}
