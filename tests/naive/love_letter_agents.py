"""Slow twins of the Love Letter agents, written from chapter 3 of the source with lists and fractions."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

GUARD, PRIEST, BARON, HANDMAID, PRINCE, KING, COUNTESS, PRINCESS = range(1, 9)
AIMED = {GUARD, PRIEST, BARON, PRINCE, KING}


@dataclass(frozen=True)
class Play:
    """A card, how many seats further it is aimed (0: nowhere, or oneself), and what a Guard names."""

    card: int
    aim: int = 0
    named: int = 0

    @property
    def number(self) -> int:
        if self.aim == 0:
            return self.card - 1
        place = self.named - 2 if self.card == GUARD else {PRIEST: 7, BARON: 8, PRINCE: 9, KING: 10}[self.card]
        return 8 + 11 * (self.aim - 1) + place


@dataclass
class Seen:
    """What an agent knows when it is to move."""

    held: int
    drawn: int
    unseen: list[int]
    """Every card that lies neither open nor in the own hand."""
    aims: list[int]
    """Who can be aimed at, in seats further."""
    known: dict[int, int]
    """Cards of others that were shown, by seats further."""
    kinds: list[int]

    @classmethod
    def of(cls, view: Any) -> Seen:
        player, n_players = int(view.player), int(view.players)
        seats = {aim: (player + aim) % n_players for aim in range(1, n_players)}
        return cls(
            held=int(view.hand),
            drawn=int(view.drawn),
            unseen=[card for card in range(1, 9) for _ in range(view.unseen[card])],
            aims=[aim for aim, seat in seats.items() if view.in_round >> seat & 1 and not view.immune >> seat & 1],
            known={aim: int(view.known[seat]) for aim, seat in seats.items() if view.known[seat]},
            kinds=[card for card in range(1, 9) if view.kinds >> (card - 1) & 1],
        )

    def plays(self) -> list[Play]:
        """All that can be played."""
        pair = {self.held, self.drawn}
        if COUNTESS in pair and pair & {KING, PRINCE}:
            return [Play(COUNTESS)]
        found = []
        for card in pair:
            if card not in AIMED or not self.aims or card == PRINCE:
                found.append(Play(card))
            for aim in self.aims if card in AIMED else []:
                names = [kind for kind in self.kinds if kind != GUARD] if card == GUARD else [0]
                found += [Play(card, aim, named) for named in names]
        return found

    def kept(self, play: Play) -> int:
        return self.drawn if play.card == self.held else self.held

    def chances(self, aim: int, remembers: bool) -> dict[int, Fraction]:
        """P of the source: how likely each card is in the hand that is aimed at."""
        if remembers and aim in self.known:
            return {card: Fraction(card == self.known[aim]) for card in range(1, 9)}
        possible = list(self.unseen)
        for other, card in self.known.items() if remembers else ():
            if other != aim:
                possible.remove(card)
        return {card: Fraction(possible.count(card), len(possible)) for card in range(1, 9)}


def f_value(play: Play, kept: int, p: dict[int, Fraction], forced: bool = False) -> Fraction:
    """F of the source; a play without an aim that should have one has no chances at all."""
    aimed = play.aim > 0
    zero = Fraction(0)
    if play.card == GUARD:
        return 1 + (p[play.named] if aimed else zero) + Fraction(8, 100)
    if play.card == PRIEST:
        return Fraction(107, 100)
    if play.card == BARON:
        p_lose = sum((p[card] for card in p if kept < card), zero) if aimed else zero
        p_win = sum((p[card] for card in p if kept > card), zero) if aimed else zero
        return 1 - p_lose + p_win + Fraction(6, 100)
    if play.card == HANDMAID:
        return Fraction(105, 100)
    if play.card == PRINCE and aimed:
        return 1 + p[PRINCESS] + Fraction(4, 100)
    if play.card == PRINCE:
        return zero if kept == PRINCESS else Fraction(104, 100)
    if play.card == KING:
        return 1 + (p[PRINCESS] + p[COUNTESS] if aimed else zero) + Fraction(3, 100)
    if play.card == COUNTESS:
        return (10 if forced else 1) + Fraction(2, 100)
    return zero


def r_value(unseen: list[int], kept: int) -> Fraction:
    """R of the source: the average over all pairs that the other player may hold."""
    pairs = list(itertools.combinations(unseen, 2))
    return sum((p_beaten(unseen, pair, kept) for pair in pairs), Fraction(0)) / len(pairs)


def p_beaten(unseen: list[int], pair: tuple[int, int], kept: int) -> Fraction:
    """How likely the greedy answer of somebody with this pair puts out a player with the card `kept`."""
    answer = Seen(*pair, unseen=[*without(unseen, pair), kept], aims=[1], known={}, kinds=list(range(1, 9)))
    p = answer.chances(1, remembers=False)
    values = {play: f_value(play, answer.kept(play), p) for play in answer.plays()}
    best = max(values.values())
    # the lower card of two that are worth the same; a Guard is feared if it can be the one that names our card
    card = min(play.card for play, value in values.items() if value == best)
    if card == GUARD:
        return p[kept] if values.get(Play(GUARD, 1, kept)) == best else Fraction(0)
    if card == BARON:
        return Fraction(kept < answer.kept(Play(BARON)))
    return Fraction(card == PRINCE and kept == PRINCESS)


def without(cards: list[int], taken: tuple[int, ...]) -> list[int]:
    left = list(cards)
    for card in taken:
        left.remove(card)
    return left


def f_min(play: Play, kept: int, p: dict[int, Fraction], r: Fraction) -> Fraction:
    """Fmin of the source: how likely the play decides nothing, times R."""
    if play.card in {HANDMAID, PRINCESS} or (play.card == PRINCE and play.aim == 0 and kept == PRINCESS):
        return Fraction(0)
    if play.aim == 0:
        return r
    if play.card == GUARD:
        return (1 - p[play.named]) * r
    if play.card == BARON:
        return p[kept] * r
    return (1 - p[PRINCESS]) * r if play.card == PRINCE else r


def values(seen: Seen, agent: str) -> dict[Play, Fraction]:
    """What all plays are worth to one of the agents."""
    found = {}
    risks: dict[int, Fraction] = {}
    for play in seen.plays():
        kept, p = seen.kept(play), seen.chances(play.aim, remembers=agent == "careful")
        found[play] = f_value(play, kept, p)
        if agent == "minmax":
            if kept not in risks:
                risks[kept] = r_value(seen.unseen, kept)
            found[play] -= f_min(play, kept, p, risks[kept])
    return found


def choice(found: dict[Play, Fraction]) -> Play:
    """The best play; of equal ones that of the lower card, then the higher named one, then the nearest player."""
    return min(found, key=lambda play: (-found[play], play.card, -play.named, play.aim))
