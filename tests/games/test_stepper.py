"""Running rules from Python: one way for bytes, records and a game in progress; a replay that leaves the generator alone."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

import facedown as fd
from facedown.errors import RulesError
from facedown.games.contract import OVER
from facedown.games.position import Position
from facedown.games.stepper import DrawError, Stepper
from facedown.native.chance import TAPE, draw
from facedown.native.jit import native

SPECS = ("kuhn", "rrrats", "love_letter")


@pytest.mark.parametrize("spec", SPECS)
def test_bytes_records_and_a_position_are_one_game(spec: str) -> None:
    game = fd.game(spec)
    rules, asked, position = Stepper(game), Stepper(game), Position(game)
    for number in range(3):
        rules.sample(5, number)
        position.sample(5, number)
        state, choices = rules.start(), np.random.default_rng(number)
        position.start()
        while (player := asked.turn(state)) != OVER:
            kept = bytes(bytearray(state))
            assert position.state.tobytes() == state and position.draws == rules.draws
            assert position.turn() == player and position.legal() == list(asked.legal(state)) == list(
                asked.legal(position.state)
            )
            for seat in range(game.n_players):
                assert asked.view(state, seat) == asked.view(position.state, seat) == position.view(seat).tobytes()
            action = int(choices.choice(position.legal()))
            after = rules.step(state, action)
            possible = {outcome.state: outcome.draws for outcome in asked.steps(state, action).outcomes}
            assert after in possible and asked.step(state, action, possible[after]) == after
            position.step(action)
            for seat in range(game.n_players):
                assert position.heard(seat, player, action) == asked.heard(after, seat, player, action)
            assert state == kept
            state = after
        assert position.over and tuple(position.scores()) == tuple(map(float, asked.scores(state)))


@pytest.mark.parametrize("record", [True, False])
def test_a_replay_does_not_disturb_the_generator(record: bool) -> None:
    game = fd.game("love_letter")
    plain, disturbed, recorder = Stepper(game), Stepper(game), Stepper(game)
    dealt = recorder.start()
    for rules in (plain, disturbed):
        rules.sample(3, 0, record=record)
    for _ in range(4):
        assert disturbed.start(recorder.draws) == dealt
        assert disturbed.start() == plain.start()
        assert bool(disturbed.draws) == record


def test_rules_that_were_never_given_a_generator_draw_from_that_of_the_first_game() -> None:
    game = fd.game("rrrats")
    seeded, untouched, position = Stepper(game), Stepper(game), Position(game)
    seeded.sample(0, 0)
    position.start()
    assert seeded.start() == untouched.start() == position.state.tobytes()


@native
def _start_that_reads_the_generator(state: Any, chance: Any) -> None:
    state.mover = int(chance.s0 & np.uint64(1))


@native
def _start_that_draws_often(state: Any, chance: Any) -> None:
    for _ in range(TAPE + 1):
        draw(chance, 2)


@native
def _start_that_draws_twice(state: Any, chance: Any) -> None:
    draw(chance, 2)
    draw(chance, 3)


@native
def _turn_of_nobody(state: Any) -> int:
    return 7


def test_only_the_tape_matters_in_a_replay() -> None:
    """Other rules can be given in place of the game's; here a start that finds its luck behind the tape."""
    rules = Stepper(fd.game("rrrats"), {"start": _start_that_reads_the_generator})
    for number in range(8):
        rules.sample(1, number)
        assert rules.start() != rules.start([])


def test_wrong_draws_are_told() -> None:
    rules = Stepper(fd.game("rrrats"), {"start": _start_that_draws_twice})
    with pytest.raises(DrawError, match=r"^'start': 3 draws are recorded, but the rules made 2$"):
        rules.start([(0, 2), (0, 3), (0, 2)])
    with pytest.raises(DrawError, match=r"^'start': "):
        rules.start([(0, 2), (0, 4)])
    rules.start([(1, 2), (2, 3)])
    assert rules.draws == [(1, 2), (2, 3)]


def test_a_tape_has_an_end() -> None:
    rules = Stepper(fd.game("rrrats"), {"start": _start_that_draws_often})
    with pytest.raises(DrawError, match=r"^'start': "):
        rules.start()
    with pytest.raises(DrawError, match=r"^'start': "):
        rules.start([(0, 2)] * (TAPE + 1))


def test_a_position_says_who_cannot_be_to_move() -> None:
    position = Position(dataclasses.replace(fd.game("rrrats"), turn=_turn_of_nobody))
    position.start()
    with pytest.raises(
        RulesError, match=r"^'turn' of rrrats answered 7; players are 0 to 1, and -1 means that the game is over$"
    ):
        position.turn()
