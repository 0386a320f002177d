"""Transcripts: a game as text that a person can read and that replays exactly, without the generator.

    facedown transcript 1
    game: kuhn
    player 0: uniform
    player 1: first
    from: seed 1, game 0
    start: 2/3 0/2
    1. player 0: bet [1]
    2. player 1: fold [0]
    scores: 1 -1
    end: 2 moves, state 0f3c9a7be1d2

`a/n` is a draw: answer a of n possibilities. A move has the player, its name, its number in brackets, and after a bar
what the rules drew. The name and the digest of the last state are checked when it is replayed. Lines that begin with #
are remarks. A game that was left has `end: unfinished`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from facedown.agents.contract import Agent
from facedown.arena.follow import Follower, Move, Redeal, redeal
from facedown.arena.lineup import Lineup
from facedown.errors import FacedownError, TranscriptError, UsageError
from facedown.files import user_path, write_whole
from facedown.games.contract import Game
from facedown.games.position import Position
from facedown.games.registry import game as find_game
from facedown.games.stepper import Draw
from facedown.pictures.picture import stacked

_FIRST = "facedown transcript 1"
_MOVE = re.compile(r"(\d+)\. player (\d+): (.+) \[(\d+)\](?: \| (.*))?")
_END = re.compile(r"(\d+) moves, state ([0-9a-f]{12})")
_DRAW = re.compile(r"(\d{1,18})/(\d{1,18})")
_REDEALT = re.compile(r", redealt for player (\d) after move (\d{1,18}) with seed (\d{1,19})")
UNFINISHED = "unfinished"


@dataclass(frozen=True)
class Transcript:
    """A game on paper."""

    game: str
    players: tuple[str, ...]
    """Who sat where."""
    origin: str
    """Where the game comes from, in words."""
    start: list[Draw]
    moves: list[Move]
    scores: tuple[float, ...] | None
    """The final scores by seat; None for a game that was left."""
    digest: str
    """Of the last state's bytes."""

    def __str__(self) -> str:
        lines = [_FIRST, f"game: {self.game}"]
        lines += [f"player {seat}: {name}" for seat, name in enumerate(self.players)]
        lines += [f"from: {self.origin}", f"start: {_draws_text(self.start)}".rstrip()]
        return "\n".join(lines) + "\n" + "".join(map(move_text, self.moves)) + self.ending

    @property
    def ending(self) -> str:
        """The last lines."""
        if self.scores is None:
            return f"end: {UNFINISHED}\n"
        scores = " ".join(f"{score:.17g}" for score in self.scores)
        return f"scores: {scores}\nend: {len(self.moves)} moves, state {self.digest}\n"

    @property
    def redeals(self) -> list[Redeal]:
        """Where hidden things were dealt anew, which only the generator can do again."""
        return [Redeal(int(found[2]), int(found[1]), int(found[3])) for found in _REDEALT.finditer(self.origin)]

    def write(self, path: str | Path) -> Path:
        """Write to a file, wholly or not at all."""
        return write_whole(path, str(self))

    def positions(self) -> Iterator[Position]:
        """The position after the deal and after each move: always the same object, moved on; all is checked on the way."""
        position = Position(find_game(self.game))
        self._guard("start", position.start, self.start)
        self._redeal(position, 0)
        yield position
        for move in self.moves:
            where = f"move {move.number}"
            if position.over:
                raise TranscriptError(f"{where}: the game is over already")
            if position.turn() != move.player:
                raise TranscriptError(f"{where}: player {position.turn()} is to move, not player {move.player}")
            if move.action in position.legal() and position.action_name(move.action) != move.name:
                name = position.action_name(move.action)
                raise TranscriptError(f"{where}: [{move.action}] is '{name}' here, but the transcript says '{move.name}'")
            self._guard(where, position.step, move.action, move.draws)
            self._redeal(position, move.number)
            yield position
        self._check_end(position)

    def _redeal(self, position: Position, n_moves: int) -> None:
        for after, seat, seed in self.redeals:
            if after == n_moves:
                self._guard(f"the deal after move {n_moves}", redeal, position, seat, seed)

    def _guard(self, where: str, run: Callable[..., None], *arguments: object) -> None:
        try:
            run(*arguments)
        except FacedownError as problem:
            raise TranscriptError(f"{where} does not replay: {problem}") from problem

    def _check_end(self, position: Position) -> None:
        if self.scores is None:
            return
        if not position.over:
            raise TranscriptError(f"the transcript ends after move {len(self.moves)}, but the game goes on")
        if tuple(position.scores()) != self.scores:
            raise TranscriptError(f"the scores are {tuple(position.scores())}, but the transcript says {self.scores}")
        if state_digest(position) != self.digest:
            raise TranscriptError(f"the last state is {state_digest(position)}, but the transcript says {self.digest}")

    def position_at(self, move: int) -> Position:
        """The position after this many moves; the whole transcript is checked."""
        if not 0 <= move <= len(self.moves):
            raise UsageError(f"there is no move {move}: the transcript has {len(self.moves)} (0 is the deal)")
        found = Position(find_game(self.game))
        for number, position in enumerate(self.positions()):
            if number == move:
                found.state = position.state
        return found

    def _repr_svg_(self) -> str | None:
        """The last position as each player saw it, one below the other; nothing where the game has no picture."""
        position = self.position_at(len(self.moves))
        draw = position.game.draw
        return None if draw is None else stacked([draw(position.view(seat)) for seat in range(len(self.players))]).svg()


def state_digest(position: Position) -> str:
    """Twelve hexadecimal digits that stand for a state, in any process."""
    game, state = position.game, position.state.copy()
    for name in game.values.keys() - {option.name for option in game.options}:
        state[name] = 0  # where a game's tables lie in memory
    return hashlib.sha256(state.tobytes()).hexdigest()[:12]


def move_text(move: Move) -> str:
    """The lines of a move: what was played, what the rules drew, and why as remarks."""
    drawn = f" | {_draws_text(move.draws)}" if move.draws else ""
    lines = [f"{move.number}. player {move.player}: {move.name} [{move.action}]{drawn}"]
    return "\n".join([*lines, *(f"# {line}" for line in str(move.reason or "").splitlines())]) + "\n"


def _draws_text(draws: Sequence[Draw]) -> str:
    return " ".join(f"{answer}/{size}" for answer, size in draws)


def transcribe(game: str | Game, agents: Sequence[str | Agent], seed: int, index: int = 0, swap: bool = True) -> Transcript:
    """Play game number `index` of the match with this seed, and write it down."""
    follower = Follower(Lineup(game, agents, swap), seed, index)
    start = follower.start()
    return finish(follower, start, list(follower.moves()))


def finish(follower: Follower, start: list[Draw], moves: list[Move]) -> Transcript:
    """The transcript of the moves so far; unfinished if the game is not over."""
    lineup, position = follower.lineup, follower.position
    over = position.over
    dealt = (f", redealt for player {seat} after move {after} with seed {seed}" for after, seat, seed in follower.redeals)
    return Transcript(
        game=lineup.game.spec,
        players=tuple(lineup.agents[agent].spec for agent in follower.seating),
        origin=f"seed {follower.seed}, game {follower.index}" + "".join(dealt),
        start=start,
        moves=moves,
        scores=tuple(float(score) for score in position.scores()) if over else None,
        digest=state_digest(position) if over else "",
    )


# --- reading --------------------------------------------------------------------------------------------------------------


def read_transcript(path: str | Path) -> Transcript:
    """Read a file; what does not make sense is said with its line. Whether it follows the rules is seen when it is replayed."""
    source = user_path(path)
    return parse_transcript(read_text(source), str(source))


def read_text(source: Path) -> str:
    """The text of a file that should be a transcript."""
    try:
        return source.read_bytes().decode("utf-8")
    except OSError as problem:
        raise UsageError(f"cannot read '{source}': {problem.strerror}") from None
    except UnicodeDecodeError:
        raise TranscriptError(f"{source} is not a transcript: it is not text") from None


def parse_transcript(text: str, name: str = "transcript") -> Transcript:
    """Read the text of a transcript."""
    return _Reader(text, name).transcript()


class _Reader:
    """The lines of a transcript, one after the other, with their numbers for errors."""

    def __init__(self, text: str, name: str):
        numbered = enumerate(text.split("\n"), start=1)
        self._lines = [(number, line.rstrip("\r")) for number, line in numbered if line.strip() and not line.startswith("#")]
        self._name, self._at = name, 0

    def _fail(self, expected: str) -> TranscriptError:
        if self._at >= len(self._lines):
            return TranscriptError(f"{self._name} is cut off: {expected} is missing at its end")
        number, line = self._lines[self._at]
        shown = line if len(line) <= 60 else line[:57] + "..."
        return TranscriptError(f"{self._name}, line {number}: expected {expected}, found '{shown}'")

    def _next(self, key: str) -> str:
        """The rest of the next line, which must begin with this key."""
        if self._at >= len(self._lines) or not self._lines[self._at][1].startswith(f"{key}:"):
            raise self._fail(f"'{key}: ...'")
        return self._lines[self._at][1].removeprefix(f"{key}:").strip()

    def _draws(self, text: str) -> list[Draw]:
        draws = []
        for word in text.split():
            match = _DRAW.fullmatch(word)
            if not match or int(match[1]) >= int(match[2]):
                raise self._fail("draws such as 2/6 (answer 2 of 6 possibilities, counted from 0)")
            draws.append((int(match[1]), int(match[2])))
        return draws

    def transcript(self) -> Transcript:
        if not self._lines or self._lines[0][1].strip() != _FIRST:
            raise self._fail(f"'{_FIRST}' as the first line")
        self._at = 1
        game = self._take("game")
        players: list[str] = []
        while self._at < len(self._lines) and self._lines[self._at][1].startswith(f"player {len(players)}:"):
            players.append(self._take(f"player {len(players)}"))
        if not players:
            raise self._fail("'player 0: ...'")
        origin = self._take("from")
        start = self._draws(self._next("start"))
        self._at += 1
        moves = list(self._moves())
        scores, digest = self._ending(len(players), len(moves))
        if self._at < len(self._lines):
            raise self._fail("nothing after the end")
        return Transcript(game, tuple(players), origin, start, moves, scores, digest)

    def _take(self, key: str) -> str:
        value = self._next(key)
        if not value:
            raise self._fail(f"something after '{key}:'")
        self._at += 1
        return value

    def _moves(self) -> Iterator[Move]:
        number = 0
        while self._at < len(self._lines) and self._lines[self._at][1][:1].isdigit():
            match = _MOVE.fullmatch(self._lines[self._at][1])
            number += 1
            if not match or int(match[1]) != number or len(match[2]) > 3 or len(match[4]) > 18:
                raise self._fail(f"'{number}. player P: NAME [ACTION]', with '| draws' where the rules drew")
            draws = self._draws(match[5] or "")
            yield Move(number, int(match[2]), int(match[4]), match[3], False, draws)
            self._at += 1

    def _ending(self, n_players: int, n_moves: int) -> tuple[tuple[float, ...] | None, str]:
        if self._at < len(self._lines) and self._lines[self._at][1] == f"end: {UNFINISHED}":
            self._at += 1
            return None, ""
        try:
            scores = tuple(float(word) for word in self._next("scores").split())
        except ValueError:
            raise self._fail("scores as numbers") from None
        if len(scores) != n_players:
            raise self._fail(f"{n_players} scores")
        self._at += 1
        match = _END.fullmatch(self._next("end"))
        if not match or int(match[1]) != n_moves:
            raise self._fail(f"'end: {n_moves} moves, state ...' (12 hexadecimal digits)")
        self._at += 1
        return scores, match[2]
