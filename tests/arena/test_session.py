"""Sessions: games that wait for people, that survive being killed, and that tell each seat what it may know."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import facedown as fd
from facedown.arena.session import Session
from facedown.arena.transcript import parse_transcript, read_transcript, transcribe
from facedown.errors import TranscriptError, UsageError

LOVE_LETTER = "love_letter(face_up=0)"


def first(session: Session, seat: int) -> int:
    return min(session.legal(seat))


def play_out(session: Session, choose: Callable[[Session, int], int] = first) -> Session:
    """Let all people play to the end."""
    while (seat := session.waiting_for) is not None:
        session.play(seat, choose(session, seat))
    return session


def told(session: Session, seat: int) -> str:
    """All that a seat is told, as it would be sent."""
    return json.dumps(
        [session.view_json(seat), session.legal(seat), session.log(seat), [str(r) for r in session.reasons(seat)]]
    )


def because(view: Any, action: int, params: Any, memory: Any) -> fd.Reason:
    return fd.Reason("rule", "because")


def chatty(name: str = "chatty") -> fd.Agent:
    """An agent in plain Python that tells what it thinks."""

    def act(view: Any, actions: Any, n: int, params: Any, memory: Any, chance: Any) -> int:
        return int(actions[n - 1])

    return fd.Agent(name=name, meaning="", act=act, compiled=False, explain=because)


# --- playing ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["kuhn", "love_letter", "goofspiel(cards=4)"])
def test_a_session_is_the_game_of_the_match(game: str) -> None:
    """Draw for draw, whether agents play it alone or a person plays as the agent `first` does."""
    for seed in range(3):
        alone = fd.session(game, ["uniform", "first"], seed=seed)
        expected = transcribe(game, ["uniform", "first"], seed, swap=False)
        assert alone.over and alone.transcript() == expected
        assert tuple(alone.scores()) == expected.scores
        helped = play_out(fd.session(game, ["uniform", "human"], seed=seed)).transcript()
        assert str(helped).replace("player 1: human", "player 1: first") == str(expected)


def test_it_waits_for_a_person_who_has_a_choice() -> None:
    session = fd.session("goofspiel(cards=3)", ["first", "human"], seed=1)
    for n_left in (3, 2):
        assert session.waiting_for == session.turn == 1
        assert len(session.legal(1)) == n_left and session.legal(0) == {}
        session.play(1, list(session.legal(1).values())[-1])  # in words
    assert session.over and session.waiting_for is None and session.legal(1) == {}  # the last card plays itself
    assert session.n_moves == 6


def test_what_cannot_be_played_is_a_sentence() -> None:
    session = fd.session("kuhn", ["human", "human"], seed=2)
    for seat, action, words in (
        (1, 0, "player 1 cannot move: player 0 is to move"),
        (0, 7, r"cannot play 7 \(legal: 0 pass, 1 bet\)"),
        (0, True, r"cannot play True \(legal"),
        (0, "fold", r"cannot play 'fold'; legal: pass \(0\), bet \(1\)"),
        (2, 0, "seat=2: a whole number from 0 to 1"),
    ):
        with pytest.raises(UsageError, match=words):
            session.play(seat, action)
    with pytest.raises(UsageError, match="no scores yet: the game goes on after move 0"):
        session.scores()
    assert session.n_moves == 0
    play_out(session)
    with pytest.raises(UsageError, match="the game is over"):
        session.play(0, 0)
    with pytest.raises(UsageError, match="2 players, but 1 agent given"):
        fd.session("kuhn", ["human"])


# --- nobody learns what they must not know ---------------------------------------------------------------------------------


def test_sealed_bids_stay_sealed() -> None:
    game = "goofspiel(cards=4,order=descending)"
    low, high = (fd.session(game, [bidder, "human"], seed=5) for bidder in ("first", "match_prize"))
    assert low.transcript().moves[0].action != high.transcript().moves[0].action
    assert told(low, 1) == told(high, 1)
    assert told(low, 0) != told(high, 0)  # the comparison can fail
    for session in (low, high):
        session.play(1, 1)
    assert low.log(1) != high.log(1)  # the bids are open now


@pytest.mark.slow
def test_deals_that_look_alike_are_told_alike() -> None:
    """Many deals of Love Letter, after a move of each: the same view always comes with the same bytes."""
    same: defaultdict[bytes, list[Session]] = defaultdict(list)
    for seed in range(240):
        session = fd.session(LOVE_LETTER, ["human", chatty()], seed=seed)
        if session.waiting_for == 0:
            session.play(0, first(session, 0))
        if not session.over:
            same[session.view(0).tobytes()].append(session)
    pairs = [group for group in same.values() if len(group) > 1]
    hidden = [len({session.view(1).tobytes() for session in group}) > 1 for group in pairs]
    assert sum(hidden) >= 5  # they do differ elsewhere
    assert all(len({told(session, 0) for session in group}) == 1 for group in pairs)
    assert all(session.log(0) for group in pairs for session in group)


def test_views_are_json() -> None:
    session = fd.session("love_letter", ["human", "uniform"], seed=3)
    found = json.loads(json.dumps(session.view_json(0)))
    view = session.view(0)
    assert found.keys() == set(view.dtype.names)
    assert all(value == view[name].tolist() for name, value in found.items())


def test_reasons_are_told_when_a_round_is_over() -> None:
    session = fd.session("love_letter(match=yes)", ["human", chatty()], seed=1)
    n_rounds = n_allowed = 0
    rounds: set[int] = set()

    def look(move: Any) -> None:
        nonlocal n_rounds, n_allowed
        if int(session.view(0).n_rounds) > n_rounds or session.over:
            n_rounds, n_allowed = int(session.view(0).n_rounds), session.n_moves
        numbers = [reason.number for reason in session.reasons(0)]
        every = [m.number for m in session.transcript().moves if m.player == 1 and m.reason]
        assert numbers == [number for number in every if number <= n_allowed]
        rounds.update(reason.round for reason in session.reasons(0))

    n_rounds = int(session.view(0).n_rounds)
    session.on_move = look
    play_out(session)
    assert len(rounds) > 2 and session.reasons(1) == []
    one_round = fd.session("kuhn", [chatty(), "human"], seed=1)
    assert one_round.reasons(1) == []
    (reason,) = play_out(one_round).reasons(1)
    assert (reason.number, reason.player, reason.name, reason.words, reason.round) == (1, 0, "bet", "because", 0)


# --- files -----------------------------------------------------------------------------------------------------------------

AGENT = """
import numpy as np
import facedown as fd
from facedown.native import draw, field, native, record

NOTES = record(field("n_heard", np.int64, 0, 1000, "moves that were heard"))

@native
def act(view, actions, n, params, memory, chance):
    return actions[(draw(chance, n) + memory.view(NOTES)[0].n_heard) % n]

@native
def watch(view, mover, action, params, memory):
    memory.view(NOTES)[0].n_heard += 1 + action

AGENT = fd.Agent(name="listener", meaning="draws, and counts what it hears", act=act, watch=watch, memory=NOTES)
"""

KILLED = """
import os, signal, sys
import facedown as fd
session = fd.session("goofspiel(cards=6)", [sys.argv[1], "human"], seed=4)
session.save(sys.argv[2])
while session.n_moves < 4:
    session.play(1, min(session.legal(1)))
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def listener(tmp_path: Path) -> str:
    """An agent whose next move depends on its memory and its stream of chance; by its name."""
    (tmp_path / "listener.py").write_text(AGENT)
    return f"{tmp_path / 'listener.py'}:AGENT"


def test_a_killed_game_goes_on_as_if_nothing_had_happened(tmp_path: Path, listener: str) -> None:
    path = tmp_path / "game.session"
    killed = subprocess.run([sys.executable, "-c", KILLED, listener, str(path)], capture_output=True, text=True)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    calm = fd.session("goofspiel(cards=6)", [listener, "human"], seed=4)
    while calm.n_moves < 4:
        calm.play(1, first(calm, 1))
    loaded = fd.Session.load(path)
    assert loaded.n_moves == calm.n_moves >= 4
    assert [told(loaded, seat) for seat in (0, 1)] == [told(calm, seat) for seat in (0, 1)]
    assert play_out(loaded).transcript() == play_out(calm).transcript()
    assert path.read_text() == str(calm.transcript())  # which `replay` reads
    assert fd.Session.load(path).over


def test_wherever_the_file_is_cut_whole_moves_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "game.session"
    session = fd.session("leduc", ["human", "human"], seed=3)
    session.save(path)
    play_out(session, lambda session, seat: max(session.legal(seat)) if session.n_moves < 2 else first(session, seat))
    whole = path.read_text()
    assert whole == str(session.transcript())
    head = whole.index("1. player")
    near = {at + step for at, letter in enumerate(whole) if letter == "\n" and at >= head for step in (-1, 0, 1)}
    for cut in sorted(near | {head, len(whole) - 5}):
        path.write_text(whole[:cut])
        n_whole = sum(line[0].isdigit() for line in whole[:cut].splitlines(keepends=True) if line.endswith("\n"))
        loaded = fd.Session.load(path)
        assert loaded.n_moves == n_whole
        assert loaded.transcript().moves == session.transcript().moves[:n_whole]
        loaded.close()
    for cut in range(0, head, 7):
        path.write_text(whole[:cut])
        with pytest.raises(TranscriptError):
            fd.Session.load(path)


def test_changed_files_are_noticed(tmp_path: Path) -> None:
    path = tmp_path / "game.session"
    session = fd.session("kuhn", ["uniform", "human"], seed=4)
    session.save(path)
    session.close()
    kept = path.read_text()
    for old, new, words in (
        ("seed 4", "seed 5", "seed 5 deals other cards"),
        ("player 0: uniform", "player 0: first", "move 1: first plays 'pass' now, not 'bet'"),
        ("game 0", "game 3", "is no session"),
        ("1. player 0", "1. player 1", "player 0 is to move, not player 1"),
    ):
        assert old in kept
        path.write_text(kept.replace(old, new, 1))
        with pytest.raises(TranscriptError, match=words):
            fd.Session.load(path)


# --- branches --------------------------------------------------------------------------------------------------------------


def test_a_branch_goes_on_from_there(listener: str) -> None:
    session = play_out(fd.session("goofspiel(cards=4)", [listener, "human"], seed=4))
    whole = session.transcript()
    for at in range(session.n_moves + 1):
        branch = session.branch(at)
        assert branch.n_moves >= at and branch.transcript().moves[:at] == whole.moves[:at]
        assert play_out(branch).transcript() == whole
    other = play_out(session.branch(1), lambda session, seat: max(session.legal(seat)))
    assert other.transcript() != whole
    with pytest.raises(UsageError, match=f"at=99: a whole number from 0 to {session.n_moves} is needed"):
        session.branch(99)


def test_a_redeal_keeps_what_the_seat_knew_and_nothing_else(tmp_path: Path) -> None:
    session = fd.session(LOVE_LETTER, ["human", "uniform"], seed=6)
    session.play(0, first(session, 0))
    at = session.n_moves
    assert session.waiting_for == 0
    others = set()
    for seed in range(20):
        branch = session.branch(at, redeal=True, seed=seed)
        assert told(branch, 0) == told(session, 0)
        assert branch.log(1) == []
        others.add(branch.view(1).tobytes())
        kept = parse_transcript(str(branch.transcript()))
        assert kept.position_at(at).state.tobytes() == branch.branch(at)._follower.position.state.tobytes()
    assert len(others) > 1
    branch.transcript().write(tmp_path / "redealt")  # as a game that was left
    again = fd.Session.load(tmp_path / "redealt")
    assert play_out(again).transcript() == play_out(branch).transcript()
    assert str(branch.transcript()) == (tmp_path / "redealt").read_text()
    assert len(list(read_transcript(tmp_path / "redealt").positions())) == branch.n_moves + 1


def test_a_redeal_is_as_fair_as_the_deal() -> None:
    """Kuhn poker before the first move: the other card is each of two in half of 100 redeals.

    Outside 25 to 75 by chance: 2e-7.
    """
    session = fd.session("kuhn", ["human", "human"], seed=1)
    own = int(session.view(0).card)
    others = [int(session.branch(0, redeal=True, seat=0, seed=seed).view(1).card) for seed in range(100)]
    assert set(others) == {0, 1, 2} - {own}
    assert 25 <= others.count(others[0]) <= 75


def test_redeals_that_cannot_be() -> None:
    session = fd.session("kuhn", ["human", "human"], seed=1)
    with pytest.raises(UsageError, match="2 people play: say with seat="):
        session.branch(0, redeal=True)
    play_out(session)
    with pytest.raises(UsageError, match="nothing can be dealt anew: the game is over"):
        session.branch(session.n_moves, redeal=True, seat=0)
    text = str(session.transcript()).replace("game 0", "game 0, redealt for player 5 after move 0 with seed 1")
    with pytest.raises(TranscriptError, match="the deal after move 0 does not replay: seat=5"):
        list(parse_transcript(text).positions())


# --- one file, one session ----------------------------------------------------------------------------------------------


def test_two_sessions_never_share_a_file(tmp_path: Path) -> None:
    path = tmp_path / "game.session"
    session = fd.session("leduc", ["human", "human"], seed=3)
    session.save(path)
    for attempt in (lambda: fd.Session.load(path), lambda: fd.session("kuhn", ["human", "human"], seed=1).save(path)):
        with pytest.raises(fd.UsageError, match="open in another session"):
            attempt()
    before = path.read_text()
    session.play(0, "raise")
    assert path.read_text().startswith(before)  # what was refused has changed nothing
    session.close()
    other = fd.Session.load(path)
    assert other.n_moves == 1
    play_out(other)
    fd.Session.load(path)  # a game that is over is nobody's


def test_another_process_is_kept_out_until_this_one_ends(tmp_path: Path) -> None:
    path = tmp_path / "game.session"
    session = fd.session("leduc", ["human", "human"], seed=3)
    session.save(path)
    program = "import sys, facedown as fd; fd.Session.load(sys.argv[1])"
    done = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True)
    assert done.returncode == 1 and "open in another session" in done.stderr


def test_how_it_ended_and_what_happened_since(tmp_path: Path) -> None:
    session = fd.session("leduc", ["human", "human"], seed=3)
    assert session.ending(0) == ""
    session.play(0, "raise")
    assert session.n_before(0) == 1 and session.n_before(1) == 0
    session.play(1, "fold")
    assert (session.ending(0), session.ending(1)) == ("You win.", "You lose.")
    assert session.log(0)[session.n_before(0) :] == ["Player 1 folds."]


def test_pictures_of_sessions_positions_and_transcripts() -> None:
    session = fd.session("kuhn", ["human", "uniform"], seed=1)
    picture = session._repr_svg_()
    assert picture is not None and picture.startswith("<svg") and "you, player 0" in picture
    while not session.over:
        session.play(0, "bet")
    both = session.transcript()._repr_svg_()
    assert both is not None and "you, player 0" in both and "you, player 1" in both
    own = session._follower.position._repr_svg_()
    assert own is not None and own.startswith("<svg")
    assert fd.session("domino", ["human", "human"], seed=1)._repr_svg_() is not None
