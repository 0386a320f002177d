"""`facedown replay`: show a transcript, checked against the rules on the way; with a seat, only what could be seen from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from facedown.cli.options import Json
from facedown.cli.output import print_json
from facedown.errors import UsageError

if TYPE_CHECKING:
    from facedown.arena.transcript import Transcript
    from facedown.games.position import Position

SCHEMA = {"schema": "facedown.replay/1"}


def replay(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A transcript, or a game of Hanabi in the JSON of hanab.live.")],
    at: Annotated[
        int | None, typer.Option(metavar="MOVE", min=0, help="Show the position after this move; 0 is the deal.")
    ] = None,
    seat: Annotated[int | None, typer.Option(min=0, help="Show only what this player sees.")] = None,
    hanab_live: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write a game of Hanabi to a file, in the JSON of hanab.live.")
    ] = None,
    json: Json = False,
) -> None:
    """Replay a transcript and check it, move by move."""
    transcript = _read(file)
    if seat is not None and seat >= len(transcript.players):
        raise UsageError(f"--seat {seat}: the game has seats 0 to {len(transcript.players) - 1}")
    if at is not None:
        position = transcript.position_at(at)
        if json:
            facts = _facts(transcript) if seat is None else _facts_from(transcript, seat, at)
            print_json({**SCHEMA, "at": at, **facts, "views": _views(position, seat)})
        else:
            _show_position(transcript, position, at, seat)
        return
    for _ in transcript.positions():
        pass
    if hanab_live is not None:
        _write(transcript, hanab_live)
        return
    if json:
        print_json({**SCHEMA, **(_facts(transcript) if seat is None else _facts_from(transcript, seat, None))})
        return
    if seat is None:
        print(str(transcript), end="")
    else:
        _show_from(transcript, seat)
    ending = "It was left unfinished." if transcript.scores is None else "It replays exactly."
    print(f"# {len(transcript.moves)} moves. {ending} Show a position with --at MOVE.")


def _read(file: str) -> Transcript:
    from facedown.arena.hanab_live import import_game, looks_like_json
    from facedown.arena.transcript import parse_transcript, read_text
    from facedown.errors import TranscriptError
    from facedown.files import user_path

    source = user_path(file)
    text = read_text(source)
    if not looks_like_json(text):
        return parse_transcript(text, str(source))
    try:
        return import_game(text)[0]
    except TranscriptError as problem:
        raise TranscriptError(f"{source}: {problem}") from None


def _write(transcript: Transcript, target: str) -> None:
    from facedown.arena.hanab_live import export_game
    from facedown.files import write_whole

    path = write_whole(target, export_game(transcript))
    print(f"{path}: {len(transcript.moves)} moves in the JSON of hanab.live.")


def _facts(transcript: Transcript) -> dict[str, object]:
    moves = [{"player": m.player, "action": m.action, "name": m.name, "draws": m.draws} for m in transcript.moves]
    return {
        "game": transcript.game,
        "players": list(transcript.players),
        "moves": moves,
        "scores": None if transcript.scores is None else list(transcript.scores),
        "finished": transcript.scores is not None,
    }


def _facts_from(transcript: Transcript, seat: int, at: int | None) -> dict[str, object]:
    """What was known in a seat after move `at`, or at the end: how the game goes on is nobody's knowledge either."""
    seen = _seen(transcript, seat)
    moves = seen if at is None else [move for move in seen if move["number"] <= at]
    whole = transcript.scores is not None and at in {None, len(transcript.moves)}
    facts = {"moves": moves, "scores": list(transcript.scores or ()) if whole else None, "finished": whole}
    return {"game": transcript.game, "players": list(transcript.players), "seat": seat, **facts}


def _seen(transcript: Transcript, seat: int) -> list[dict[str, Any]]:
    """The moves that were noticed in a seat: who moved, the action as it was heard (null: hidden), and what was seen."""
    from facedown.games.contract import UNNOTICED
    from facedown.games.narration import Witness

    found: list[dict[str, Any]] = []
    witness: Witness | None = None
    for number, position in enumerate(transcript.positions()):
        if witness is None:  # the deal
            witness = Witness(position, seat)
            continue
        move = transcript.moves[number - 1]
        heard, words = witness.tell(move.player, move.action)
        if heard != UNNOTICED:
            found.append({"number": number, "player": move.player, "action": heard if heard >= 0 else None, "seen": words})
        elif words:
            found.append({"number": number, "player": None, "action": None, "seen": words})
    return found


def _show_from(transcript: Transcript, seat: int) -> None:
    print(f"game: {transcript.game}, as player {seat} ({transcript.players[seat]}) saw it")
    print(f"start: {transcript.position_at(0).describe(seat)}")
    for move in _seen(transcript, seat):
        print(f"{move['number']}. {move['seen']}")
    if transcript.scores is not None:
        print(f"scores: {' '.join(f'{score:g}' for score in transcript.scores)}")


def _views(position: Position, seat: int | None) -> dict[str, str]:
    seats = range(position.game.n_players) if seat is None else [seat]
    return {str(player): position.describe(player) for player in seats}


def _show_position(transcript: Transcript, position: Position, at: int, seat: int | None) -> None:
    print(f"{position.game.title}, after move {at} of {len(transcript.moves)}")
    if at and seat is None:
        move = transcript.moves[at - 1]
        print(f"Last move: player {move.player}: {move.name}")
    elif at and seat is not None and (last := [move for move in _seen(transcript, seat) if move["number"] == at]):
        print(f"Last move: {last[0]['seen']}")
    for player, text in _views(position, seat).items():
        print(f"Player {player} ({transcript.players[int(player)]}) sees: {text}")
    if position.over:
        print(f"Over. Scores: {' '.join(f'{score:g}' for score in position.scores())}")
    elif seat in {None, position.turn()}:
        names = ", ".join(position.action_name(action) for action in position.legal())
        print(f"Player {position.turn()} is to move: {names}")
    else:
        print(f"Player {seat} is not to move.")
