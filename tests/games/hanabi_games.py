"""Games of Hanabi for tests: played by chance, and by somebody who sees all cards, so that they last until the last round."""

from __future__ import annotations

import random
from collections.abc import Callable

from facedown.games.hanabi.cards import DISCARD, HINT, PLAY, RANK_OF, SUIT_OF
from facedown.games.position import Position

Player = Callable[[Position, random.Random], int]


def uniform(position: Position, generator: random.Random) -> int:
    return generator.choice(position.legal())


def seeing(position: Position, generator: random.Random) -> int:
    """Mostly plays a card that fits and discards one that is of no use; otherwise hints, or anything."""
    state, legal = position.state, position.legal()
    hand = [int(card) for card in state.hands[state.mover, : state.n_held[state.mover]]]
    heights = {suit: int(height) for suit, height in enumerate(state.piles)}
    fitting = [slot for slot, card in enumerate(hand) if RANK_OF[card] == heights[int(SUIT_OF[card])] + 1]
    useless = [slot for slot, card in enumerate(hand) if RANK_OF[card] <= heights[int(SUIT_OF[card])]]
    choices = [PLAY + slot for slot in fitting] or [DISCARD + slot for slot in useless]
    choices = [action for action in choices if action in legal] or [action for action in legal if action >= HINT]
    choices = choices or [action for action in legal if action >= DISCARD] or legal
    return generator.choice(choices if generator.random() < 0.97 else legal)


PLAYERS = {"uniform": uniform, "seeing": seeing}
