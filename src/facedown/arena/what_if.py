"""What if? A game that was played, from one of its moves on with other moves: whoever looks moves for every seat.

The cards are those of the game. What comes after its moves comes in the same order: from the seed where the game has one, else
from the draws that were written down; what neither can tell is drawn anew. One agent sits in all seats and hears every move, so
that it can be asked in any position what it would do there, and why.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from facedown.agents.contract import Agent
from facedown.agents.generic.human import HUMAN
from facedown.agents.reasons import Reason
from facedown.arena.follow import Follower, Move
from facedown.arena.lineup import Lineup
from facedown.arena.transcript import Transcript
from facedown.errors import TranscriptError, UsageError
from facedown.games.position import Position
from facedown.games.registry import game as find_game
from facedown.games.stepper import Draw, DrawError
from facedown.inputs import whole_number

_SEEDED = re.compile(r"seed (\d{1,19}), game 0(?:, redealt|$)")


class WhatIf:
    """A position that never was, with the way to it."""

    def __init__(self, transcript: Transcript, at: int, choices: Sequence[int] = (), agent: str | Agent = HUMAN):
        """The game after `at` of its moves, then these choices, each by whoever is to move; forced moves are made between them.

        agent  who is asked; it has heard all moves, and is asked in the last position only
        """
        self.at = whole_number("at", at, 0, len(transcript.moves), "the number of moves that were made")
        game = find_game(transcript.game)
        seeded = _SEEDED.match(transcript.origin)
        self._follower = Follower(Lineup(game, [agent] * game.n_players, swap=False), int(seeded[1]) if seeded else 0, 0)
        self._tape: list[Draw] | None = None if seeded else []
        self._scratch = Position(game)
        self.game = self._follower.lineup.game
        self.moves: list[Move] = []
        """Those that were not made in the game: choices, and forced moves between them."""
        self.lengths: list[int] = []
        """How many of these there were before the first choice, and after each."""
        self._retrace(transcript)
        self._go_on()
        for number, action in enumerate(choices, start=1):
            self._choose(number, action)

    @property
    def position(self) -> Position:
        """The game as it stands here."""
        return self._follower.position

    def opinion(self) -> tuple[int, Reason | None]:
        """What the agent would do here, and why if it tells; where there is a choice."""
        if self.position.over:
            raise UsageError("there is nothing to do: the game is over here")
        return self._follower.decide(self._follower.turn())

    # --- inside ---------------------------------------------------------------------------------------------------------

    def _retrace(self, transcript: Transcript) -> None:
        """The moves that were made, with what was drawn then."""
        follower, redeals = self._follower, transcript.redeals
        made = follower.start(None if self._tape is None else transcript.start)
        if made != transcript.start:
            raise TranscriptError(
                f"seed {follower.seed} deals other cards than the game had; it was changed, or the rules were"
            )
        for number in range(self.at + 1):
            for after, seat, seed in redeals:
                if after == number:
                    follower.redeal(seat, seed)
            if number < self.at:
                move = transcript.moves[number]
                again = follower.make(follower.turn(), move.action, None, None if self._tape is None else move.draws)
                if again.draws != move.draws:
                    raise TranscriptError(f"move {move.number}: seed {follower.seed} gives other draws than the game had")
        if self._tape is not None:
            self._tape = [draw for move in transcript.moves[self.at :] for draw in move.draws]

    def _choose(self, number: int, action: int) -> None:
        if self.position.over:
            raise UsageError(f"choice {number} cannot be made: the game is over before it")
        if action not in (legal := self.position.legal()):
            names = ", ".join(f"{one} {self.position.action_name(one)}" for one in legal)
            raise UsageError(f"choice {number}: cannot play {action} (legal: {names})")
        self._make(action)
        self._go_on()

    def _go_on(self) -> None:
        """Make moves without a choice."""
        while not self.position.over and len(legal := self.position.legal()) == 1:
            self._make(legal[0])
        self.lengths.append(len(self.moves))

    def _make(self, action: int) -> None:
        self.moves.append(self._follower.make(self._follower.turn(), action, None, self._drawn(action)))

    def _drawn(self, action: int) -> list[Draw] | None:
        """The next draws of the game that was written down, as many as the move takes; None: they are drawn anew."""
        if self._tape is None:
            return None
        for count in range(len(self._tape) + 1):
            self._scratch.state = self.position.state
            try:
                self._scratch.step(action, self._tape[:count])
            except DrawError:
                continue
            taken, self._tape = self._tape[:count], self._tape[count:]
            return taken
        return None
