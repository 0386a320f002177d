"""Playing a game and its slow twin side by side: the same draws, the same actions, every step compared."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from facedown.games.contract import Game
from facedown.games.position import Position
from facedown.native.records import out_of_range
from naive.cant_stop import CantStop
from naive.domino import Domino
from naive.draws import Recorded, WrongDrawError
from naive.goofspiel import Goofspiel
from naive.hanabi import Hanabi
from naive.kuhn import Kuhn
from naive.leduc import Leduc
from naive.love_letter import LoveLetter
from naive.rrrats import Rrrats
from naive.twin import Twin
from naive.war import War

TWINS: dict[str, Callable[..., Twin]] = {
    "cant_stop": CantStop,
    "domino": Domino,
    "goofspiel": Goofspiel,
    "hanabi": Hanabi,
    "kuhn": Kuhn,
    "leduc": Leduc,
    "love_letter": LoveLetter,
    "rrrats": Rrrats,
    "war": War,
}


class DifferenceError(AssertionError):
    """The game and its twin do not agree; the message names the game, the seed, the move and the first difference."""


class SideBySide:
    """A game and its twin at the same point of the same play."""

    def __init__(self, game: Game, seed: int, index: int = 0):
        self.game, self.seed, self.index = game, seed, index
        self.actions: list[int] = []
        self.position = Position(game)
        self.position.sample(seed, index)
        self.position.start()
        self.recorded = Recorded()
        self.twin = self._follow(lambda: TWINS[game.name](self.recorded, **game.values))
        self.compare()

    def play(self, choose: Callable[[list[int]], int]) -> None:
        """Play to the end with these actions, comparing after each."""
        while not self.position.over:
            if len(self.actions) >= self.game.max_moves:
                raise self.difference("length", f"more than {self.game.max_moves} moves", "the declared longest game")
            self.step(choose(self.position.legal()))
        self.compare_ends()

    def step(self, action: int) -> None:
        """Play one action on both."""
        self.actions.append(action)
        self.position.step(action)
        self._follow(lambda: self.twin.step(action))
        self.compare()

    def _follow(self, move: Callable[[], Any]) -> Any:
        self.recorded.load(self.position.draws)
        try:
            result = move()
            self.recorded.finish()
        except WrongDrawError as problem:
            raise self.difference("draws", self.position.draws, str(problem)) from None
        return result

    def compare(self) -> None:
        """Mover, legal actions and every field of every player's view."""
        self._same("mover", self.position.turn(), self.twin.mover())
        if not self.position.over:
            self._same("legal actions", self.position.legal(), self.twin.legal())
        for player in range(self.game.n_players):
            view, expected = self.position.view(player), self.twin.view(player)
            for field in self.game.view.names or ():
                if field not in expected:
                    raise self.difference(f"'{field}' of the view", view[field], "knows no such field")
                self._same(f"'{field}' of player {player}'s view", np.asarray(view[field]).tolist(), expected[field])

    def compare_ends(self) -> None:
        """Scores and the game's own columns; and nothing is out of its declared range."""
        self._same("field out of range", out_of_range(self.game.state, self.position.state), None)
        self._same("scores", self.position.scores().tolist(), self.twin.scores())
        values = np.zeros(len(self.game.columns))
        self.game.report(self.position.state, values)
        possible = self.twin.report()
        self._same("columns", [column.name for column in self.game.columns], list(possible))
        for column, value in zip(self.game.columns, values.tolist(), strict=True):
            if value not in possible[column.name]:
                raise self.difference(f"column '{column.name}'", value, possible[column.name])

    def _same(self, what: str, found: Any, expected: Any) -> None:
        if found != expected:
            raise self.difference(what, found, expected)

    def difference(self, what: str, found: Any, expected: Any) -> DifferenceError:
        """The error for a disagreement here."""
        last = self.actions[-20:]
        played = ("... " if len(last) < len(self.actions) else "") + (", ".join(map(str, last)) or "nothing yet")
        return DifferenceError(
            f"{self.game}, seed {self.seed}, game {self.index}, after move {len(self.actions)}: {what}: "
            f"the game has {found}, the twin {expected}. Played: {played}"
        )
