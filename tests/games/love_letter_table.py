"""A table of Love Letter at which the tests choose the cards."""

from __future__ import annotations

import facedown as fd
from facedown.games.love_letter.cards import (
    AIM_OF,
    BARON,
    CARD_OF,
    COUNTESS,
    GUARD,
    HANDMAID,
    KING,
    NAMED_OF,
    PRIEST,
    PRINCE,
    PRINCESS,
    play_number,
)
from facedown.games.position import Position
from facedown.native.records import Record

OFFICIAL = {GUARD: 5, PRIEST: 2, BARON: 2, HANDMAID: 2, PRINCE: 2, KING: 1, COUNTESS: 1, PRINCESS: 1}


class Table:
    """A round with cards of our choice: what is drawn next is said, not drawn."""

    def __init__(self, spec: str, hands: list[int], drawn: int, opened: list[int] | None = None):
        self.position = Position(fd.game(spec))
        values = self.position.game.values
        copies = OFFICIAL | {GUARD: values["guards"]}
        if values["deck"]:
            copies = dict(enumerate(map(int, f"{values['deck']:08d}"), 1))
        self.rest = [card for card in copies for _ in range(copies[card])]
        self.position.start(self.draws_of([*(opened or []), *hands, drawn]))

    def draws_of(self, cards: list[int]) -> list[tuple[int, int]]:
        """The draws with which these cards come out of all that lie face down, one after the other."""
        draws = []
        for card in cards:
            draws.append((self.rest.index(card), len(self.rest)))
            self.rest.remove(card)
        return draws

    def play(self, card: int, target: int | None = None, named: int = 0, then: list[int] | None = None) -> None:
        """Play a card at a player; `then` are the cards that are drawn because of it, that for the next player last."""
        n_players, mover = self.position.game.n_players, self.position.turn()
        aim = 0 if target is None else (target - mover) % n_players
        self.position.step(play_number(card, aim, named), self.draws_of(then or []))

    def legal(self) -> list[tuple[int, int, int]]:
        """The possible plays: card, aim, named card."""
        return [(int(CARD_OF[a]), int(AIM_OF[a]), int(NAMED_OF[a])) for a in self.position.legal()]

    @property
    def state(self) -> Record:
        return self.position.state

    def view(self, player: int) -> Record:
        return self.position.view(player)

    def end(self) -> tuple[int, list[float]]:
        """How the round ended, and the scores."""
        assert self.position.over
        return int(self.state.ended_by), self.position.scores().tolist()


def two(hands: list[int], drawn: int, opened: list[int] | None = None, spec: str = "love_letter") -> Table:
    """A round of two, with three open cards that matter to nobody."""
    return Table(spec, hands, drawn, opened or [GUARD, GUARD, HANDMAID])
