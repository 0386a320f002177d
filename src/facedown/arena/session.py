"""A game that waits: agents move until a person must; for the terminal, for notebooks and for pages.

What a session tells of a seat is made from that seat's views and from what it heard, and from nothing else. The transcript and
the seed tell everything: they are for whoever runs the game, and for everybody when it is over.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from facedown.agents.contract import Agent
from facedown.agents.generic.human import is_human
from facedown.agents.reasons import Reason
from facedown.arena.follow import Advice, Follower, Move, Redeal, Turn
from facedown.arena.lineup import Lineup
from facedown.arena.transcript import UNFINISHED, Transcript, finish, move_text, parse_transcript, read_text
from facedown.errors import TranscriptError, UsageError
from facedown.files import Claim, append_synced, user_path, write_whole
from facedown.games.contract import Game
from facedown.games.narration import Witness
from facedown.games.text import action_names, read_action
from facedown.inputs import check_seed, is_whole, whole_number
from facedown.native.records import Record

_ORIGIN = re.compile(r"seed (\d{1,19}), game 0\b")


@dataclass(frozen=True)
class Thought:
    """Why somebody moved as they did, told when it cannot help anybody any more."""

    number: int
    """Of the move."""
    player: int
    name: str
    """The move in words."""
    reason: Reason
    round: int
    """The round that was over then; 0: the whole game."""

    @property
    def words(self) -> str:
        """The reason in words."""
        return str(self.reason)


class Session:
    """A game with a person or an agent in each seat, which goes on whenever a person has moved."""

    def __init__(
        self,
        game: str | Game,
        seats: Sequence[str | Agent],
        seed: int | None = None,
        *,
        past: Sequence[Move] = (),
        redeals: Sequence[Redeal] = (),
        advance: bool = True,
    ):
        """In each seat an agent, or "human" for a person. Without `advance`, agents wait until `advance` is called.

        The moves of the `past` are made again: agents are asked again, so that they remember and draw what they did then.
        """
        self._follower = Follower(Lineup(game, seats, swap=False), check_seed(seed), 0)
        self.game, self.agents, self.seed = self._follower.lineup.game, self._follower.lineup.agents, self._follower.seed
        self.on_move: Callable[[Move], None] | None = None
        """Called after each move, with all that there is to know about it."""
        self._file: Path | None = None
        self._unsynced = False
        self._claim: Claim | None = None
        self._moves: list[Move] = []
        self._start = self._follower.start()
        self._chronicles = [_Chronicle(self._follower, seat) for seat in range(self.game.n_players)]
        for number in range(len(past) + 1):
            for one in redeals:
                if one.after == number:
                    self._redeal(one.seat, one.seed)
            if number < len(past):
                self._retrace(past[number])
        if advance:
            self.advance()

    # --- playing --------------------------------------------------------------------------------------------------------

    def advance(self, sync: bool = True) -> None:
        """Let agents move until a person must, or the game is over. A person who has no choice is not waited for.

        Without `sync`, the moves are in the file, and on disk when `sync` was called.
        """
        try:
            while not self.over:
                turn = self._follower.turn()
                if self._is_persons(turn):
                    return
                self._make(turn, *self._follower.decide(turn))
        finally:
            if sync:
                self.sync()

    def play(self, seat: int, action: int | str, sync: bool = True) -> None:
        """Make the move of the person in a seat, by its number or in words, then let agents move; `sync` as for `advance`."""
        turn, seat = self._turn(), self._seat(seat)
        if turn is None or turn.seat != seat:
            now = "the game is over" if self.over else f"player {self.turn} is to move"
            raise UsageError(f"player {seat} cannot move: {now}")
        if not is_whole(action) or action not in turn.legal:
            if not isinstance(action, str):
                names = ", ".join(f"{number} {name}" for number, name in self.legal(seat).items())
                raise UsageError(f"cannot play {action} (legal: {names})")
            action = read_action(self.game, turn.view, turn.legal, action)
        self._make(turn, int(action))
        self.advance(sync)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._follower.position.over

    @property
    def turn(self) -> int:
        """The seat that is to move, a person's or an agent's; OVER at the end."""
        return self._follower.position.turn()

    @property
    def waiting_for(self) -> int | None:
        """The seat of the person who must move; None: the game is over."""
        turn = self._turn()
        return None if turn is None else turn.seat

    @property
    def n_moves(self) -> int:
        """How many moves were made."""
        return len(self._moves)

    def scores(self) -> list[float]:
        """The final scores, by seat."""
        if not self.over:
            raise UsageError(f"there are no scores yet: the game goes on after move {self.n_moves}")
        return [float(score) for score in self._follower.position.scores()]

    def ending(self, seat: int) -> str:
        """How the game ended for a seat, in words; empty while it goes on."""
        if not self.over:
            return ""
        scores = self.scores()
        own, best = scores[self._seat(seat)], max(scores)
        if self.game.team:
            low, high = self.game.score_range
            how = "the highest that there is" if own >= high else f"from {low:g} to {high:g}"
            return f"{'You score' if len(scores) == 1 else 'Together you score'} {own:g} ({how})."
        return "You lose." if own < best else "You win." if scores.count(best) == 1 else "A draw."

    # --- what a seat may know -------------------------------------------------------------------------------------------

    def view(self, seat: int) -> Record:
        """What the player in a seat sees."""
        return self._follower.position.view(self._seat(seat))

    def view_json(self, seat: int) -> dict[str, Any]:
        """What the player in a seat sees, field by field, as whole numbers and lists of them."""
        view = self.view(seat)
        tables = self.game.values.keys() - {option.name for option in self.game.options}  # where they lie in memory
        return {name: view[name].tolist() for name in view.dtype.names or () if name not in tables}

    def legal(self, seat: int) -> dict[int, str]:
        """What the person in a seat can play, and what it is called; nothing while others are to move."""
        turn, seat = self._turn(), self._seat(seat)
        return action_names(self.game, turn.view, turn.legal) if turn is not None and turn.seat == seat else {}

    def log(self, seat: int) -> list[str]:
        """What the player in a seat has seen happen since the deal, its own moves included."""
        return list(self._chronicles[self._seat(seat)].lines)

    def log_moves(self, seat: int) -> list[int]:
        """The number of the move that each line of the log tells of."""
        return list(self._chronicles[self._seat(seat)].moves)

    def n_before(self, seat: int) -> int:
        """How many lines of its log a seat had seen when it last moved: what follows is what happened since."""
        return self._chronicles[self._seat(seat)].n_before

    def reasons(self, seat: int) -> list[Thought]:
        """Why the others moved as they did, where they tell, in rounds that are over."""
        return list(self._chronicles[self._seat(seat)].reasons)

    def advice(self, seat: int) -> Advice | None:
        """What a partner of the person to move would do in this seat, by the convention that both keep, and why."""
        turn, seat = self._turn(), self._seat(seat)
        return self._follower.advice(turn) if turn is not None and turn.seat == seat else None

    # --- other ways on --------------------------------------------------------------------------------------------------

    def branch(self, at: int, redeal: bool = False, seat: int | None = None, seed: int | None = None) -> Session:
        """The same game after `at` of its moves, as a session of its own.

        With `redeal`, all that the player in `seat` could not know there is dealt anew (by `imagine`, with this seed), and so
        is all chance to come. The others sit down anew: what agents remember would belong to other cards.
        """
        at = whole_number("at", at, 0, self.n_moves, "the number of moves that were made")
        redeals = [one for one in self._follower.redeals if one.after <= at]
        if redeal:
            people = [place for place, agent in enumerate(self.agents) if is_human(agent)]
            if seat is None and len(people) != 1:
                raise UsageError(f"{len(people)} people play: say with seat=... who is to keep what they know")
            redeals.append(Redeal(at, people[0] if seat is None else self._seat(seat), check_seed(seed)))
        return Session(self.game, self.agents, self.seed, past=self._moves[:at], redeals=redeals)

    def transcript(self) -> Transcript:
        """The game so far, with all its secrets."""
        return finish(self._follower, self._start, list(self._moves))

    def save(self, path: str | Path) -> Path:
        """Keep the game in a file: what was played, and from now on each move, written down before the next is made.

        Moves are on disk, beyond what the machine could lose, before somebody is told of them: when `play` returns.

        While the game goes on, the transcript in the file has no end.
        """
        transcript, target = self.transcript(), user_path(path)
        if target.exists() and target != self._file:
            self.close()
            Claim(target).release()  # nobody else is to lose their game
        self._file = write_whole(path, str(transcript) if self.over else str(transcript).removesuffix(transcript.ending))
        append_synced(self._file, "")
        self.close()
        if not self.over:
            self._claim = Claim(self._file)  # another file than before: it was replaced
        return self._file

    def close(self) -> None:
        """Let other sessions have the file. Moves are still written there: play on only if nobody else does."""
        if self._claim is not None:
            self._claim.release()
        self._claim = None

    @classmethod
    def load(cls, path: str | Path) -> Session:
        """Go on with a game that was kept in a file, and keep it there. Of a file that was cut off, whole moves count."""
        source = user_path(path)
        text = read_text(source)
        with Claim(source):
            found = cls._of_text(text, source)
        found.save(source)
        found.advance()
        return found

    @classmethod
    def _of_text(cls, text: str, source: Path) -> Session:
        text = text[: text.rfind("\n") + 1]
        if "\nend: " not in text:
            text = text.partition("\nscores: ")[0].rstrip() + f"\nend: {UNFINISHED}\n"
        kept = parse_transcript(text, str(source))
        for _ in kept.positions():  # against the rules first: what is wrong is said with its move
            pass
        seed = _ORIGIN.match(kept.origin)
        if not seed:
            raise TranscriptError(f"{source} is no session: 'from: {kept.origin}' is not 'from: seed S, game 0'")
        if cls(kept.game, kept.players, int(seed[1]), advance=False)._start != kept.start:
            raise TranscriptError(f"{source}: seed {seed[1]} deals other cards than these; it was changed, or the rules were")
        return cls(kept.game, kept.players, int(seed[1]), past=kept.moves, redeals=kept.redeals, advance=False)

    def _repr_svg_(self) -> str | None:
        """What the person sees who is to move, or the only one; nothing where the game has no picture."""
        people = [seat for seat, agent in enumerate(self.agents) if is_human(agent)]
        seat = people[0] if len(people) == 1 else max(self.turn, 0)
        return None if self.game.draw is None else self.game.draw(self.view(seat)).svg()

    # --- inside ---------------------------------------------------------------------------------------------------------

    def sync(self) -> None:
        """Wait until all moves are on disk, beyond what the machine could lose; only then may somebody be told of them."""
        if self._file is not None and self._unsynced:
            append_synced(self._file, "")
            self._unsynced = False

    def _seat(self, seat: int) -> int:
        return whole_number("seat", seat, 0, self.game.n_players - 1)

    def _is_persons(self, turn: Turn) -> bool:
        return not turn.forced and is_human(self.agents[turn.seat])

    def _turn(self) -> Turn | None:
        """The turn that a person must take, if it is one."""
        turn = None if self.over else self._follower.turn()
        return turn if turn is not None and self._is_persons(turn) else None

    def _make(self, turn: Turn, action: int, reason: Reason | None = None) -> Move:
        move = self._follower.make(turn, action, reason)
        self._moves.append(move)
        for chronicle in self._chronicles:
            chronicle.add(move)
        if self._file is not None:
            # on disk with all that follow at once: waiting for the disk takes longer than most agents think
            append_synced(self._file, move_text(move) + (self.transcript().ending if self.over else ""), sync=False)
            self._unsynced = True
            if self.over:
                self.close()
        if self.on_move is not None:
            self.on_move(move)
        return move

    def _retrace(self, move: Move) -> None:
        """Make a move that was made before; whoever made it must want to make it again."""
        turn, where = self._follower.turn(), f"move {move.number}"
        action, reason = (move.action, None) if self._is_persons(turn) else self._follower.decide(turn)
        if action != move.action:
            now = self.game.action_name(turn.view, action)
            raise TranscriptError(
                f"{where}: {self.agents[turn.seat]} plays '{now}' now, not '{move.name}'; it is another agent"
            )
        if self._make(turn, action, reason).draws != move.draws:
            raise TranscriptError(f"{where}: seed {self.seed} gives other draws than these; it was changed, or the rules were")

    def _redeal(self, seat: int, seed: int) -> None:
        self._follower.redeal(seat, seed)
        self._chronicles = [
            chronicle if place == seat else _Chronicle(self._follower, place)
            for place, chronicle in enumerate(self._chronicles)
        ]
        self._chronicles[seat].forget_reasons()


class _Chronicle:
    """What one seat has seen happen, and which reasons of others may be told there."""

    def __init__(self, follower: Follower, seat: int):
        self._witness, self._seat, self._game = Witness(follower.position, seat), seat, follower.lineup.game
        self.lines: list[str] = []
        self.moves: list[int] = []
        self.reasons: list[Thought] = []
        self.n_before = 0
        self._closed: list[Move] = []
        self._n_rounds = self._count_rounds()

    def _count_rounds(self) -> int:
        return int(self._witness.view[self._game.rounds]) if self._game.rounds else 0

    def add(self, move: Move) -> None:
        """Look on at the move that was just made."""
        _, words = self._witness.tell(move.player, move.action)
        if words:
            meaning = move.meanings[self._seat] if move.meanings else ""
            self.lines.append(f"{words} {meaning}" if meaning else words)
            self.moves.append(move.number)
        if move.player == self._seat:
            self.n_before = len(self.lines)
        if move.reason is not None and move.player != self._seat:
            self._closed.append(move)
        if self._count_rounds() > self._n_rounds:
            self._n_rounds = self._count_rounds()
            self._open(self._n_rounds)
        if self._witness.position.over:
            self._open(0)

    def _open(self, finished: int) -> None:
        # the draws of a move stay closed: they may be the deal of the next round
        for move in self._closed:
            if move.reason is not None:
                self.reasons.append(Thought(move.number, move.player, move.name, move.reason, finished))
        self._closed.clear()

    def forget_reasons(self) -> None:
        """Drop those that were never told: they belong to cards that nobody holds any more."""
        self._closed.clear()


def session(game: str | Game, seats: Sequence[str | Agent], seed: int | None = None) -> Session:
    """A game that waits for people: in each seat an agent, or "human" for a person."""
    return Session(game, seats, seed)
