"""Transcripts of Hanabi from the JSON of hanab.live, and back: the same moves, cards and scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from facedown.arena.follow import Move
from facedown.arena.transcript import Transcript, state_digest
from facedown.errors import UsageError
from facedown.games.hanabi.hanab_live import play_game, read_game, write_game
from facedown.games.registry import game as find_game

_ORIGIN = "hanab.live"
Notes = Sequence[Mapping[int, str]]
"""By player, what was noted of each card, by its place in the deck."""


def looks_like_json(text: str) -> bool:
    """Whether a text can be such a game; a transcript never begins so."""
    return text.lstrip("\ufeff \t\r\n").startswith("{")


def import_game(text: str) -> tuple[Transcript, Notes]:
    """The transcript of a game in JSON, played by the rules on the way, and the notes. Of equal copies the first is drawn."""
    live = read_game(text.lstrip("\ufeff"))
    position, start, moves = play_game(live)
    over = position.over
    found = Transcript(
        game=live.game.spec,
        players=live.players,
        origin=_ORIGIN,
        start=start,
        moves=[Move(number, player, action, name, False, draws) for number, player, action, name, draws in moves],
        scores=tuple(float(score) for score in position.scores()) if over else None,
        digest=state_digest(position) if over else "",
    )
    return found, live.notes


def export_game(transcript: Transcript, players: Sequence[str] = (), notes: Notes = ()) -> str:
    """A transcript as JSON for hanab.live; players are called as in the transcript unless they are given."""
    name = find_game(transcript.game).name
    if name != "hanabi":
        raise UsageError(f"hanab.live has Hanabi only, and this is a game of {name}")
    state = transcript.position_at(len(transcript.moves)).state
    return write_game(state, transcript.game, players or transcript.players, notes)
