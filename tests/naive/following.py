"""A whole game between agents as the native loop plays it, and the slow twin that is led through the same game."""

from __future__ import annotations

from dataclasses import dataclass

from facedown.arena.follow import Follower
from facedown.arena.lineup import Lineup
from naive.compare import TWINS
from naive.draws import Recorded
from naive.twin import Twin


@dataclass(frozen=True)
class Followed:
    """A finished game, and its twin at the same end."""

    follower: Follower
    twin: Twin
    actions: list[tuple[int, int]]
    """(player, action) of every move."""


def follow(lineup: Lineup, seed: int, index: int) -> Followed:
    """Play one game of a run move by move, and let the twin make the same moves with the same draws."""
    follower, recorded = Follower(lineup, seed, index), Recorded()
    recorded.load(follower.start())
    twin = TWINS[lineup.game.name](recorded, **lineup.game.values)
    recorded.finish()
    actions = []
    for move in follower.moves():
        recorded.load(move.draws)
        twin.step(move.action)
        recorded.finish()
        actions.append((move.player, move.action))
    return Followed(follower, twin, actions)
