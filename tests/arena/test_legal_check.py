"""Whether an action is among the legal ones: what the loop asks for every move, in each of its ways, beside Python's `in`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from facedown.arena.loop import is_one_of
from facedown.native import native


@native
def look_for_all(actions: Any, n: int, found: Any) -> None:
    for action in range(len(found)):
        found[action] = is_one_of(action - 1, actions, n)


@pytest.mark.parametrize("room", [8, 24, 64, 96])
def test_an_action_counts_if_it_is_among_the_first_n(room: int) -> None:
    random = np.random.default_rng(room)
    found = np.zeros(room + 2, np.bool_)
    for n in (1, 2, 3, 4, 5, 6, room // 2, room - 1, room):
        actions = random.integers(0, room, room)  # what the list held before lies behind it
        actions[:n] = np.sort(random.choice(room, n, replace=False))
        look_for_all(actions, n, found)
        assert [action for action in range(-1, room + 1) if found[action + 1]] == actions[:n].tolist()


def test_a_list_that_is_not_ascending_is_looked_through() -> None:
    found = np.zeros(98, np.bool_)
    actions = np.arange(96)[::-1].copy()
    look_for_all(actions, 50, found)
    assert [action for action in range(-1, 97) if found[action + 1]] == list(range(46, 96))
