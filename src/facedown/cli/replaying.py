"""`facedown replay`: show a transcript, checked against the rules on the way."""

from __future__ import annotations

from facedown.arena.transcript import Transcript, read_transcript
from facedown.cli.output import print_json
from facedown.errors import UsageError
from facedown.games.position import Position


def run(file: str, at: int | None, seat: int | None, json: bool) -> None:
    """Replay the whole file; show all moves, or one position."""
    transcript = read_transcript(file)
    if seat is not None and seat >= len(transcript.players):
        raise UsageError(f"--seat {seat}: the game has seats 0 to {len(transcript.players) - 1}")
    if at is not None:
        position = transcript.position_at(at)
        if json:
            print_json({"schema": "facedown.replay/1", "at": at, **_facts(transcript), "views": _views(position, seat)})
        else:
            _show_position(transcript, position, at, seat)
        return
    for _ in transcript.positions():
        pass
    if json:
        print_json({"schema": "facedown.replay/1", **_facts(transcript)})
    else:
        print(str(transcript), end="")
        ending = "It was left unfinished." if transcript.scores is None else "It replays exactly."
        print(f"# {len(transcript.moves)} moves. {ending} Show a position with --at MOVE.")


def _facts(transcript: Transcript) -> dict[str, object]:
    moves = [{"player": m.player, "action": m.action, "name": m.name, "draws": m.draws} for m in transcript.moves]
    return {
        "game": transcript.game,
        "players": list(transcript.players),
        "moves": moves,
        "scores": None if transcript.scores is None else list(transcript.scores),
        "finished": transcript.scores is not None,
    }


def _views(position: Position, seat: int | None) -> dict[str, str]:
    seats = range(position.game.n_players) if seat is None else [seat]
    return {str(player): position.describe(player) for player in seats}


def _show_position(transcript: Transcript, position: Position, at: int, seat: int | None) -> None:
    print(f"{position.game.title}, after move {at} of {len(transcript.moves)}")
    if at:
        move = transcript.moves[at - 1]
        print(f"Last move: player {move.player}: {move.name}")
    for player, text in _views(position, seat).items():
        print(f"Player {player} ({transcript.players[int(player)]}) sees: {text}")
    if position.over:
        print(f"Over. Scores: {' '.join(f'{score:g}' for score in position.scores())}")
    else:
        names = ", ".join(position.action_name(action) for action in position.legal())
        print(f"Player {position.turn()} is to move: {names}")
