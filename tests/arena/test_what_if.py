"""What if? The same cards and draws as in the game, other moves, and agents that have heard all of it."""

from __future__ import annotations

import random

import pytest

from facedown.arena.hanab_live import export_game, import_game
from facedown.arena.session import Session
from facedown.arena.transcript import Transcript, state_digest
from facedown.arena.what_if import WhatIf
from facedown.errors import UsageError
from facedown.games.registry import game
from facedown.native.jit import COMPILED

SPECS = ["kuhn", "leduc", "goofspiel(cards=4)", "war(ranks=3,suits=2)", "hanabi(suits=2,ranks=3,hand=2)"]
SPECS += ["love_letter", "cant_stop(sides=4,columns=1)", "domino"] if COMPILED else []


def played(spec: str, seed: int = 3, agent: str = "human") -> Session:
    """A game to its end: a person in seat 0 who moves at random, and others."""
    chance, others = random.Random(seed), [agent] * (game(spec).n_players - 1)
    session = Session(spec, ["human", *others], seed)
    while (mover := session.waiting_for) is not None:
        session.play(mover, chance.choice(list(session.legal(mover))))
    return session


def chosen(transcript: Transcript, at: int) -> list[int]:
    """The moves of a game from some move on, without those that were forced."""
    positions = transcript.positions()
    free = [len(position.legal()) > 1 for position, _ in zip(positions, transcript.moves, strict=False)]
    return [move.action for move, choice in zip(transcript.moves, free, strict=True) if choice and move.number > at]


@pytest.mark.parametrize("spec", SPECS)
def test_the_moves_of_the_game_lead_to_its_end(spec: str) -> None:
    transcript = played(spec).transcript()
    for at in {0, len(transcript.moves) // 2, len(transcript.moves)}:
        found = WhatIf(transcript, at, chosen(transcript, at))
        assert found.position.over and state_digest(found.position) == transcript.digest
        assert [move.draws for move in found.moves] == [move.draws for move in transcript.moves[at:]]
        assert [move.action for move in found.moves] == [move.action for move in transcript.moves[at:]]
        assert found.lengths[-1] == len(found.moves) and len(found.lengths) == len(chosen(transcript, at)) + 1


def test_a_hand_that_was_dealt_anew_stays_as_it_was() -> None:
    session = played("leduc")
    again = session.branch(1, redeal=True, seat=0, seed=9)
    while (mover := again.waiting_for) is not None:
        again.play(mover, min(again.legal(mover)))
    transcript = again.transcript()
    for at in range(1, len(transcript.moves) + 1):  # before, the first cards lie there
        assert state_digest(WhatIf(transcript, at, chosen(transcript, at)).position) == transcript.digest


def test_of_a_game_without_a_seed_the_draws_are_kept_whoever_draws() -> None:
    session = played("hanabi(suits=3,hand=4)")
    ours = session.transcript()
    brought, _ = import_game(export_game(ours))
    assert "seed" not in brought.origin
    end = WhatIf(brought, 0, chosen(brought, 0))
    assert end.position.scores().tolist() == list(ours.scores or ())
    # a hint first: then everybody draws what the next player has drawn in the game
    for at in (0, 2):
        with_seed, without = (WhatIf(one, at) for one in (ours, brought))
        for _ in range(6):
            if with_seed.position.over:
                break
            action = max(with_seed.position.legal()) if not with_seed.moves else min(with_seed.position.legal())
            line = [*(move.action for move in with_seed.moves), action]
            with_seed, without = (WhatIf(one, at, line) for one in (ours, brought))
            if at + len(line) <= len(ours.moves):
                words = [[one.position.describe(player) for player in range(2)] for one in (with_seed, without)]
                assert words[0] == words[1]


def test_beyond_what_was_written_down_is_drawn_anew() -> None:
    session = Session("hanabi(suits=3,hand=4)", ["human", "human"], 5)
    while (mover := session.waiting_for) is not None:
        session.play(mover, 0)
    brought, _ = import_game(export_game(session.transcript()))
    n_draws = sum(len(move.draws) for move in brought.moves)
    found = WhatIf(brought, 0)
    for turn in range(2 * (n_draws + 2)):  # hints, and as many discards and two more
        wanted = "tell" if turn < n_draws + 2 else "discard"
        action = next(one for one in found.position.legal() if found.position.action_name(one).startswith(wanted))
        found = WhatIf(brought, 0, [*(move.action for move in found.moves), action])
    taken = [draw for move in found.moves for draw in move.draws]
    assert taken[:n_draws] == [draw for move in brought.moves for draw in move.draws] and len(taken) == n_draws + 2


@pytest.mark.compiled
def test_an_agent_says_what_it_did_in_the_game() -> None:
    transcript = played("hanabi(players=3)", 5, "trustful").transcript()
    said = [(WhatIf(transcript, move.number - 1, agent="trustful").opinion(), move) for move in transcript.moves if move.player]
    assert len(said) > 5
    for (action, reason), move in said:
        assert action == move.action and str(reason) == str(move.reason)


@pytest.mark.parametrize(
    ("at", "choices", "words"),
    [
        (99, [], "at=99"),
        (-1, [], "at=-1"),
        (0, [7], r"choice 1: cannot play 7 \(legal: 0 pass, 1 bet\)"),
        (0, [1, 1, 1], "choice 3 cannot be made: the game is over"),
    ],
)
def test_what_cannot_be_is_said(at: int, choices: list[int], words: str) -> None:
    transcript = played("kuhn").transcript()
    with pytest.raises(UsageError, match=words):
        WhatIf(transcript, at, choices)
    with pytest.raises(UsageError, match="nothing to do"):
        WhatIf(transcript, 0, [1, 1], "uniform").opinion()
