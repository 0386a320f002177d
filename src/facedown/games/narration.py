"""What one player saw of a move, in words: made from that player's own views and from what it heard, and nothing else."""

from __future__ import annotations

from facedown.games.contract import HIDDEN, UNNOTICED, Game
from facedown.games.position import Position
from facedown.native.records import Record


def narration(game: Game, before: Record, after: Record, player: int, mover: int, heard: int) -> str:
    """The words of the game if it has some, else the move as it was heard; empty if there was nothing to notice.

    `before` and `after` are views of `player`; `heard` is what `hears` told of the move of `mover`.
    """
    if game.narrate is not None:
        return game.narrate(before, after)
    if heard == UNNOTICED:
        return ""
    who = "you" if mover == player else game.seat_name(mover)
    return f"{who}: {'a hidden move' if heard == HIDDEN else game.action_name(before, heard)}"


class Witness:
    """A player who looks on at a position while others move it: what it sees happen, one sentence a move."""

    def __init__(self, position: Position, player: int):
        self.position, self.player = position, player
        self.view = position.view(player)
        """What it saw when it last looked."""

    def tell(self, mover: int, action: int) -> tuple[int, str]:
        """What it heard of the move that was just made, and what it saw happen, in words."""
        heard, before = self.position.heard(self.player, mover, action), self.view
        self.view = self.position.view(self.player)
        return heard, narration(self.position.game, before, self.view, self.player, mover, heard)
