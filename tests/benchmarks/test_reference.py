"""The reference loop: the same games as the native loop, in a process that ends when it should."""

from __future__ import annotations

import pytest

from facedown.arena.lineup import Lineup
from facedown.errors import FacedownError
from facedown_bench.reference import Reference

TWO = ("uniform", "uniform")


def test_it_plays_the_games_that_the_native_loop_plays() -> None:
    lengths = Lineup("kuhn", ["uniform", "uniform"], swap=False).play(1, 0, 50).lengths
    with Reference() as reference:
        first, second = reference.play("kuhn", TWO, 20), reference.play("kuhn", TWO, 30)
    assert (first.units, first.parts) == (20, int(lengths[:20].sum()))
    assert (second.units, second.parts) == (30, int(lengths[20:].sum()))  # others than before
    assert first.seconds > 0


def test_a_problem_of_the_game_comes_back_as_a_sentence_and_ends_nothing() -> None:
    with Reference() as reference:
        with pytest.raises(FacedownError, match="cannot play kuhm: unknown game 'kuhm'"):
            reference.play("kuhm", TWO, 1)
        assert reference.play("kuhn", TWO, 1).units == 1


def test_a_process_that_is_gone_is_noticed() -> None:
    with Reference() as reference:
        reference.play("kuhn", TWO, 1)
        assert reference._process is not None
        reference._process.kill()
        reference._process.wait()
        with pytest.raises(FacedownError, match="ended by itself"):
            reference.play("kuhn", TWO, 1)


def test_the_process_ends_with_the_block() -> None:
    with Reference() as reference:
        reference.play("kuhn", TWO, 1)
        process = reference._process
    assert process is not None
    assert process.poll() is not None
