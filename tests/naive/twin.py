"""What every slow twin offers, so that one test compares them all."""

from __future__ import annotations

from typing import Any, Protocol

from naive.draws import Draws

OVER = -1


class Twin(Protocol):
    """One game, played with lists and objects. It is dealt when it is made."""

    draws: Draws

    def mover(self) -> int:
        """The player to move, or OVER."""

    def legal(self) -> list[int]:
        """The mover's possible actions, ascending."""

    def step(self, action: int) -> None: ...

    def scores(self) -> list[float]: ...

    def view(self, player: int) -> dict[str, Any]:
        """What this player may know: an entry for each field of the game's view."""

    def report(self) -> dict[str, set[int]]:
        """What the game's own columns of a match may hold at the end; mostly one value."""


def padded(items: list[int], length: int, filler: int) -> list[int]:
    """A list of a fixed length, as records have it."""
    return items + [filler] * (length - len(items))
