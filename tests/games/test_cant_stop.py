"""Can't Stop: the dice against counting, special cases of the rules by hand, the variants, and options that cannot be."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

import facedown as fd
from facedown.errors import UsageError
from facedown.games.cant_stop.board import DICE, FIRST_THROW, HITS, N_SPLITS, SPLITS, WEIGHTS, lengths_of
from facedown.games.cant_stop.rules import FIRST_MOVE, ROLL, STOP
from facedown.games.position import Position

ALL = list(itertools.product(range(1, 7), repeat=4))


def sums_of(dice: tuple[int, ...]) -> set[int]:
    return {dice[one] + dice[other] for one, other in itertools.combinations(range(4), 2)}


# --- dice -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("total", "percent"), [(2, 13), (3, 23), (4, 36), (5, 45), (6, 56), (7, 64), (8, 56), (12, 13)])
def test_how_often_a_sum_can_be_made_is_as_everybody_has_it(total: int, percent: int) -> None:
    """Rounded percentages that are printed in many places, such as Wikipedia's article on the game."""
    hits = sum(total in sums_of(dice) for dice in ALL)
    assert HITS[6, 1 << total - 2] == hits
    assert round(100 * hits / 1296) == percent


def test_hits_of_all_sets_of_three_columns_are_counted_right() -> None:
    sums = [sums_of(dice) for dice in ALL]
    for triple in itertools.combinations(range(2, 13), 3):
        assert HITS[6, sum(1 << column - 2 for column in triple)] == sum(bool(have & set(triple)) for have in sums)


@pytest.mark.parametrize("sides", range(2, 7))
def test_throws_have_the_weights_and_splits_of_all_orders(sides: int) -> None:
    first, end = FIRST_THROW[sides], FIRST_THROW[sides + 1]
    assert WEIGHTS[first:end].sum() == sides**4
    for number in range(first, end):
        dice = DICE[number].tolist()
        orders = set(itertools.permutations(dice))
        assert WEIGHTS[number] == len(orders)
        ways = {tuple(sorted((a + b, c + d))) for a, b, c, d in orders}
        splits = [tuple(pair) for pair in (SPLITS[number, : N_SPLITS[number]] + 2).tolist()]
        assert sorted(splits) == sorted(ways)


def test_columns_of_the_family_of_boards() -> None:
    assert lengths_of(6, 3) == [3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3]
    assert lengths_of(2, 1) == [1, 3, 1]


# --- rules ----------------------------------------------------------------------------------------------------------------


def number_of(*dice: int) -> int:
    shown = DICE[FIRST_THROW[6] :].tolist()
    return int(FIRST_THROW[6]) + shown.index(sorted(dice))


def thrown(game: str, dice: tuple[int, ...], runners: dict[int, int], **fields: Any) -> Position:
    """A position in which these dice lie on the table; runners by their sums."""
    position = Position(fd.game(game))
    position.sample(1, 0)
    position.start()
    state = position.state
    for total, space in runners.items():
        state.runner[total - 2] = space
        state.runners |= 1 << total - 2
        if space == lengths_of(6, 3)[total - 2]:
            state.tops |= 1 << total - 2
    state.n_runners = len(runners)
    for name, value in fields.items():
        state[name] = value
    state.throw = number_of(*dice)
    return position


def names(position: Position) -> list[str]:
    view = position.view(position.turn())
    return [position.game.action_name(view, action) for action in position.legal()]


def runners(position: Position) -> dict[int, int]:
    return {total: int(space) for total, space in enumerate(position.state.runner, start=2) if space}


def test_every_split_can_be_played_at_the_start() -> None:
    position = thrown("cant_stop", (1, 2, 3, 6), {})
    assert names(position) == ["3 and 9", "4 and 8", "5 and 7"]
    position.step(position.legal()[1])
    assert runners(position) == {4: 1, 8: 1}
    assert position.legal() == [STOP, ROLL]


def test_a_runner_begins_a_step_above_the_own_marker() -> None:
    position = thrown("cant_stop", (3, 4, 6, 6), {})
    position.state.marker[0, 5], position.state.marker[1, 5] = 4, 9
    position.step(position.legal()[0])
    assert runners(position) == {7: 5, 12: 1}


def test_with_one_runner_left_and_two_new_sums_the_player_chooses() -> None:
    position = thrown("cant_stop", (1, 2, 3, 6), {7: 2, 12: 1})
    assert names(position) == ["only 3", "only 9", "only 4", "only 8", "5 and 7"]
    position.step(position.legal()[3])
    assert runners(position) == {7: 2, 8: 1, 12: 1}


def test_with_all_runners_out_only_their_columns_count() -> None:
    position = thrown("cant_stop", (1, 2, 3, 6), {7: 2, 9: 1, 12: 1})
    assert names(position) == ["only 9", "only 7"]


def test_a_double_moves_twice_or_once_below_the_top() -> None:
    twice = thrown("cant_stop", (2, 5, 3, 4), {7: 3})
    twice.step(twice.legal()[names(twice).index("7 and 7")])
    assert runners(twice) == {7: 5}
    once = thrown("cant_stop", (1, 1, 1, 1), {2: 2})
    once.step(once.legal()[0])
    assert runners(once) == {2: 3}


def test_a_top_takes_no_more_and_a_closed_column_takes_nothing() -> None:
    top = thrown("cant_stop", (1, 1, 5, 6), {2: 3})
    assert names(top) == ["only 11", "6 and 7"]
    closed = thrown("cant_stop", (1, 1, 5, 6), {}, closed=[1 << 9, 1 << 9, 0, 0])
    assert names(closed) == ["only 2", "6 and 7"]


def test_a_throw_that_cannot_be_played_loses_the_progress_of_the_turn() -> None:
    position = thrown("cant_stop", (1, 1, 1, 1), {2: 3, 12: 2, 11: 1})
    position.state.throw = -1
    before = position.state.marker.copy()
    position.step(ROLL)
    while position.state.n_failed == 0:
        position.step(position.legal()[-1])
    assert position.turn() == 1 and (position.state.marker == before).all() and not runners(position)


def test_stopping_wins_columns_takes_markers_off_and_ends_the_game() -> None:
    position = thrown("cant_stop", (1, 1, 1, 1), {2: 3, 3: 5, 7: 4}, won=[1, 2, 0, 0])
    position.state.marker[1, 0], position.state.marker[1, 5], position.state.throw = 2, 8, -1
    position.step(STOP)
    assert position.over and position.scores().tolist() == [1.0, 0.0]
    assert position.state.marker[:2, [0, 5]].tolist() == [[3, 4], [0, 8]]
    assert position.state.closed[:2].tolist() == [0b11, 0b11]


def test_solitaire_scores_minus_the_turns_and_a_capped_game_is_shared() -> None:
    alone = fd.match("cant_stop(players=1,max_turns=3)", ["first"], games=50, seed=1)
    assert alone.mean == (-3.0,) and alone.columns["capped"] == 50 and alone.columns["turns"] == 150
    two = fd.match("cant_stop(max_turns=3)", ["first", "first"], games=20, seed=1)
    assert two.mean == (0.5, 0.5) and two.draws == 20


def test_blocking_forbids_to_stop_beside_another_marker() -> None:
    position = thrown("cant_stop(blocking=yes)", (1, 1, 1, 1), {7: 4})
    position.state.marker[1, 5], position.state.throw = 4, -1
    assert position.legal() == [ROLL]
    position.state.marker[1, 5] = 5
    assert position.legal() == [STOP, ROLL]
    top = thrown("cant_stop(blocking=yes)", (1, 1, 1, 1), {2: 3})
    top.state.marker[1, 0], top.state.throw = 3, -1
    assert top.legal() == [STOP, ROLL]


def test_extended_leaves_a_won_column_open_to_the_others() -> None:
    position = thrown("cant_stop(extended=yes)", (1, 1, 1, 1), {2: 3})
    position.state.marker[1, 0], position.state.throw = 2, -1
    position.step(STOP)
    assert position.state.closed[:2].tolist() == [1, 0]
    assert position.state.marker[1, 0] == 2 and position.state.won[0] == 1


def test_settled_states_forget_counters_and_the_last_throw_only() -> None:
    position = Position(fd.game("cant_stop(players=1)"))
    position.sample(3, 0)
    position.start()
    for _ in range(12):
        position.step(position.legal()[-1])
    state = position.state.copy()
    position.game.settle(position.state)
    changed = {name for name in state.dtype.names if not (state[name] == position.state[name]).all()}
    assert changed <= {"n_throws", "n_full", "n_turns", "n_failed", "last_throw", "thrower"}
    assert "n_throws" in changed


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("cant_stop(players=0)", "it goes from 1 to 4"),
        ("cant_stop(sides=7)", "it goes from 2 to 6"),
        ("cant_stop(players=1,sides=2,columns=4)", "2-sided dice make only 3; set columns to 3 or less"),
        ("cant_stop(sides=2)", "set columns to 2 or less, or extended=yes"),
        ("cant_stop(blocking=perhaps)", "choose one of no, yes"),
    ],
)
def test_options_that_cannot_be(spec: str, words: str) -> None:
    with pytest.raises(UsageError, match=words.replace("(", r"\(")):
        fd.game(spec)


@pytest.mark.parametrize(("typed", "action"), [("3 9", 0), ("9,3", 0), ("4+8", 1), ("5 and 7", 2)])
def test_sums_can_be_typed_in_any_order(typed: str, action: int) -> None:
    from facedown.games.text import read_action

    position = thrown("cant_stop", (1, 2, 3, 6), {})
    view = position.view(0)
    assert read_action(position.game, view, position.legal(), typed) == FIRST_MOVE + 3 * action
