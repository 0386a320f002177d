"""Transcripts: written, read, replayed; every damage is a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facedown.arena.lineup import Lineup
from facedown.arena.transcript import Transcript, parse_transcript, read_transcript, transcribe
from facedown.errors import FacedownError, TranscriptError, UsageError
from facedown.games.registry import game as find_game

LINE_UPS = [
    ("domino(players=3,drawing=before)", ["uniform", "first", "uniform"]),
    ("kuhn(players=3)", ["uniform", "first", "uniform"]),
    ("leduc", ["uniform", "uniform"]),
    ("love_letter(players=3)", ["uniform", "first", "uniform"]),
    ("rrrats(tokens=5)", ["stationary(A1=1)", "hold"]),
    ("war(ranks=3,suits=2)", ["shuffled", "mix(C=2)"]),
]


@pytest.mark.parametrize(("game", "agents"), LINE_UPS)
def test_a_transcript_says_it_all(game: str, agents: list[str], tmp_path: Path) -> None:
    for index in range(3):
        written = transcribe(game, agents, seed=7, index=index)
        path = written.write(tmp_path / "game.txt")
        read = read_transcript(path)
        assert str(read) == str(written)
        states = [position.state.tobytes() for position in read.positions()]
        assert len(states) == len(written.moves) + 1
        assert read.position_at(1).state.tobytes() == states[1]
        seated = [agents[agent].split("(")[0] for agent in Lineup(game, agents).seating(7, index)]
        assert [player.split("(")[0] for player in written.players] == seated


def sample() -> Transcript:
    return transcribe("leduc", ["uniform", "uniform"], seed=1, index=2)


def lines() -> list[str]:
    return str(sample()).splitlines()


def test_every_cut_is_noticed() -> None:
    """However many lines are missing at the end, it is said; the last one may lose only its line break."""
    whole = lines()
    for n_lines in range(len(whole)):
        with pytest.raises(TranscriptError):
            parse_transcript("\n".join(whole[:n_lines]))
    text = str(sample())
    for n_letters in range(len(text) - 1):
        with pytest.raises(TranscriptError):
            list(parse_transcript(text[:n_letters]).positions())


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("facedown transcript 1", "facedown transcript 2", "first line"),
        ("start: ", "start: 9", "draws such as"),
        ("1. player 0", "1. player 1", "player 0 is to move, not player 1"),
        ("scores: ", "scores: 1 ", "2 scores"),
        ("scores: ", "scores: x", "scores as numbers"),
        (", state ", ", state 0", "12 hexadecimal digits"),
        ("end: ", "more: \nend: ", "expected"),
        ("player 0: uniform\n", "", "player 0"),
        ("1. player 0: ", "1. player 0: not ", "but the transcript says"),
    ],
)
def test_damage_is_described(old: str, new: str, words: str) -> None:
    damaged = str(sample()).replace(old, new, 1)
    assert damaged != str(sample())
    with pytest.raises(TranscriptError, match=words):
        list(parse_transcript(damaged).positions())


def test_other_draws_do_not_replay() -> None:
    text = "\n".join(line if not line.startswith("start") else "start: 0/6" for line in lines())
    with pytest.raises(TranscriptError, match="used up"):
        list(parse_transcript(text).positions())
    text = "\n".join(line if not line.startswith("start") else "start: 0/7 0/5" for line in lines())
    with pytest.raises(TranscriptError, match="another number of possibilities"):
        list(parse_transcript(text).positions())


def test_another_state_does_not_pass() -> None:
    whole = str(sample())
    digest = sample().digest
    with pytest.raises(TranscriptError, match="last state"):
        list(parse_transcript(whole.replace(digest, "0" * 12)).positions())


def test_an_illegal_move_is_described_with_the_legal_ones() -> None:
    text = "\n".join(line if not line.startswith("1.") else "1. player 0: fold [0]" for line in lines())
    with pytest.raises(TranscriptError, match=r"cannot play 0 \(legal: 1 check, 2 raise"):
        list(parse_transcript(text).positions())


def test_unknown_game_and_unreadable_files(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="unknown game"):
        list(parse_transcript(str(sample()).replace("game: leduc", "game: leducc")).positions())
    with pytest.raises(UsageError, match="cannot read"):
        read_transcript(tmp_path / "nothing")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00facedown")
    with pytest.raises(TranscriptError, match="not text"):
        read_transcript(tmp_path / "binary")
    with pytest.raises(UsageError, match="no move 99"):
        sample().position_at(99)


def test_remarks_and_line_ends_do_not_matter() -> None:
    text = "# found in an attic\n" + str(sample()).replace("\n", "\r\n# why not\r\n")
    assert str(parse_transcript(text)) == str(sample())


TEXT = str(sample())


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_whatever_happens_to_the_text_it_is_read_or_refused(data: st.DataObject) -> None:
    """Cut, insert and replace at random: a transcript comes out, or an error meant for users."""
    letters = list(TEXT)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(letters)))
        length = data.draw(st.integers(0, 12))
        letters[at : at + length] = data.draw(st.text("0123456789/[]|:. \nabcdefs#-", max_size=8))
    try:
        read = parse_transcript("".join(letters))
        for position in read.positions():
            assert position.game.n_players == len(find_game(read.game).seat_names or "xx")
    except FacedownError as problem:
        assert str(problem)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=200))
def test_any_text_is_refused_or_read(text: str) -> None:
    with pytest.raises(TranscriptError):
        parse_transcript(text)
