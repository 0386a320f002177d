"""Broken games: each differs from the healthy one in one fault."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
from healthy_game import (
    BET,
    HEALTHY,
    HOLD,
    VIEW,
    begin,
    copy_table,
    imagine,
    legal,
    move,
    observe,
    score,
    stake,
    start,
    step,
    turn,
)

from facedown.games.contract import Column, Game, Option
from facedown.native import draw, native
from facedown.native.chance import SAMPLE
from facedown.native.records import Record

FAULTS: dict[str, tuple[str, Game]] = {}
"""For each fault: the check that must find it, and the game."""


def broken(name: str, found_by: str, **changes: Any) -> None:
    """The healthy game with one fault."""
    FAULTS[name] = found_by, dataclasses.replace(HEALTHY, name=name, **changes)


# --- hidden information -----------------------------------------------------------------------------------------------


@native
def observe_the_other_card(state: Record, player: int, view: Record) -> None:
    observe(state, player, view)
    view.note = state.card[1 - player]


broken("a_view_that_leaks", "no peeking", observe=observe_the_other_card)


@native
def observe_a_hint(state: Record, player: int, view: Record) -> None:
    observe(state, player, view)
    if player == 1 and state.n_played == 1:
        view.note = 1 if state.card[0] == 0 else 0


broken("a_view_that_hints", "no peeking", observe=observe_a_hint)


@native
def legal_if_winning(state: Record, actions: Any) -> int:
    actions[0] = HOLD
    actions[1] = BET
    mover = int(state.n_played) % 2
    return 2 if state.card[mover] > state.card[1 - mover] else 1


broken("actions_that_leak", "no peeking", legal=legal_if_winning)


@native
def imagine_without_coin(view: Record, player: int, chance: Record, state: Record) -> None:
    imagine(view, player, chance, state)
    state.coin = -1


broken("imagine_that_does_not_fit", "imagine", imagine=imagine_without_coin)


@native
def imagine_out_of_range(view: Record, player: int, chance: Record, state: Record) -> None:
    imagine(view, player, chance, state)
    state.looked = -1


broken("imagine_out_of_range", "imagine", imagine=imagine_out_of_range)


@native
def imagine_lowest(view: Record, player: int, chance: Record, state: Record) -> None:
    imagine(view, player, chance, state)
    if draw(chance, 2) == 0:
        state.card[1 - player] = 0 if view.card > 0 else 1


broken("imagine_that_is_not_uniform", "posterior", imagine=imagine_lowest)


@native
def imagine_with_favourites(view: Record, player: int, chance: Record, state: Record) -> None:
    imagine(view, player, chance, state)
    if chance.mode == SAMPLE:  # enumerated, it is right
        imagine_lowest(view, player, chance, state)


broken("imagine_that_is_not_uniform_in_play", "posterior", imagine=imagine_with_favourites)


@native
def observe_without_first_move(state: Record, player: int, view: Record) -> None:
    observe(state, player, view)
    view.played[0] = -1


broken("a_view_that_forgets", "recall", observe=observe_without_first_move)

# --- chance ---------------------------------------------------------------------------------------------------------------


@native
def step_with_own_coin(state: Record, action: int, chance: Record) -> None:
    move(state, action)
    if state.n_played == 1:
        state.coin = np.random.randint(2)


broken("hidden_randomness", "chance", step=step_with_own_coin)


@native
def step_reading_the_generator(state: Record, action: int, chance: Record) -> None:
    move(state, action)
    if state.n_played == 1:
        state.coin = draw(chance, 2)
        if int(chance.s0) % 4 == 0:
            state.coin = 1


broken("peeking_at_the_generator", "chance", step=step_reading_the_generator)


@native
def step_with_loaded_coin(state: Record, action: int, chance: Record) -> None:
    step(state, action, chance)
    if state.n_played == 1 and chance.mode == SAMPLE and draw(chance, 2) == 0:
        state.coin = 1


broken("chance_that_is_not_uniform", "chance", step=step_with_loaded_coin)


@native
def start_with_uneven_deal(state: Record, chance: Record) -> None:
    first, second = draw(chance, int(state.cards)), draw(chance, int(state.cards))
    state.card[0] = first
    state.card[1] = (first + 1) % int(state.cards) if second == first else second
    begin(state)


broken("a_deal_that_is_not_uniform", "posterior", start=start_with_uneven_deal)


@native
def step_with_many_draws(state: Record, action: int, chance: Record) -> None:
    step(state, action, chance)
    for _ in range(300):
        draw(chance, 2)


broken("too_many_draws", "chance", step=step_with_many_draws)


@native
def step_until_a_six(state: Record, action: int, chance: Record) -> None:
    step(state, action, chance)
    while draw(chance, 6) != 5:
        pass


broken("draws_until_a_six", "chance", step=step_until_a_six)


@native
def step_with_two_coins(state: Record, action: int, chance: Record) -> None:
    move(state, action)
    if state.n_played == 1:
        if chance.mode == SAMPLE:  # just as likely, but another game than the one that is recorded
            draw(chance, 2)
        state.coin = draw(chance, 2)


broken("another_game_in_the_loop", "native loop", step=step_with_two_coins)

# --- scores -----------------------------------------------------------------------------------------------------------------


@native
def score_without_loser(state: Record, scores: Any) -> None:
    score(state, scores)
    scores[1] = 0.0


broken("a_score_that_does_not_sum", "scores", score=score_without_loser)


@native
def score_added(state: Record, scores: Any) -> None:
    scores[0] += stake(state)
    scores[1] -= stake(state)


broken("a_score_that_is_added", "scores", score=score_added)
broken("a_score_out_of_range", "scores", scores=(-4.0, 4.0))


@native
def report_nothing(state: Record, values: Any) -> None:
    values[0] = np.nan


broken("a_column_without_number", "columns", report=report_nothing, columns=(Column("odd", "nothing"),))

# --- moves ------------------------------------------------------------------------------------------------------------------


@native
def legal_descending(state: Record, actions: Any) -> int:
    actions[0] = BET
    actions[1] = HOLD
    return 2


@native
def legal_twice(state: Record, actions: Any) -> int:
    actions[0] = HOLD
    actions[1] = HOLD
    return 2


@native
def legal_beyond(state: Record, actions: Any) -> int:
    actions[0] = HOLD
    actions[1] = 2
    return 2


@native
def legal_nothing(state: Record, actions: Any) -> int:
    return 0


@native
def legal_unfilled(state: Record, actions: Any) -> int:
    actions[0] = HOLD
    return 2


@native
def legal_behind_the_end(state: Record, actions: Any) -> int:
    actions[2] = BET
    return legal(state, actions)


@native
def allows_anything(state: Record, action: int) -> int:
    return 1


broken("an_action_allowed_that_is_not_listed", "actions", allows=allows_anything)
broken("actions_descending", "actions", legal=legal_descending)
broken("an_action_twice", "actions", legal=legal_twice)
broken("an_illegal_action_offered", "actions", legal=legal_beyond)
broken("no_action_at_all", "actions", legal=legal_nothing)
broken("an_action_not_filled_in", "actions", legal=legal_unfilled)
broken("actions_behind_the_end", "actions", legal=legal_behind_the_end)


@native
def step_in_place(state: Record, action: int, chance: Record) -> None:
    state.played[0] = action


broken("a_game_that_never_ends", "length", step=step_in_place)
broken("a_game_that_never_ends_as_declared", "length", step=step_in_place, longest=10**9)
broken("longest_game_too_short", "length", longest=2)


@native
def turn_of_nobody(state: Record) -> int:
    return 2 if state.n_played == 2 else turn(state)


broken("a_turn_of_nobody", "turn", turn=turn_of_nobody)

# --- fields -----------------------------------------------------------------------------------------------------------------


@native
def step_out_of_range(state: Record, action: int, chance: Record) -> None:
    step(state, action, chance)
    state.looked = -7


broken("a_state_out_of_range", "ranges", step=step_out_of_range)


@native
def observe_out_of_range(state: Record, player: int, view: Record) -> None:
    observe(state, player, view)
    view.note = 99


broken("a_view_out_of_range", "ranges", observe=observe_out_of_range)


@native
def observe_without_note(state: Record, player: int, view: Record) -> None:
    view.cards = state.cards
    view.player = player
    view.card = state.card[player]
    copy_table(state, view)


broken("observe_that_leaves_a_field", "views", observe=observe_without_note)


@native
def observe_and_count(state: Record, player: int, view: Record) -> None:
    observe(state, player, view)
    state.looked += 1


broken("observe_that_changes_the_state", "questions", observe=observe_and_count)


@native
def legal_and_count(state: Record, actions: Any) -> int:
    state.looked += 1
    return legal(state, actions)


broken("legal_that_changes_the_state", "questions", legal=legal_and_count)


@native
def score_with_own_coin(state: Record, scores: Any) -> None:
    scores[0] = np.random.randint(1000) / 1000
    scores[1] = -scores[0]


broken("a_score_that_changes_its_mind", "questions", score=score_with_own_coin)


@native
def start_with_three_cards(state: Record, chance: Record) -> None:
    state.cards = 3
    start(state, chance)


broken("options_ignored", "options", start=start_with_three_cards)
broken("a_default_that_cannot_be", "options", options=(Option("cards", 3, "cards in the deck", 4, 4),))
broken("an_option_too_wide", "options", options=(Option("cards", 3, "cards in the deck", 3, 9),))
broken("scores_upside_down", "facts", scores=(5.0, -5.0))
broken("a_field_without_range", "fields", view=np.dtype((np.record, [(name, VIEW[name]) for name in VIEW.names or ()])))

# --- compiling --------------------------------------------------------------------------------------------------------------


@native
def score_by_a_missing_field(state: Record, scores: Any) -> None:
    scores[0] = state.points


broken("a_missing_field", "compiles or scores", score=score_by_a_missing_field)


@native
def step_behind_the_end(state: Record, action: int, chance: Record) -> None:
    step(state, action, chance)
    if state.n_played == 3:
        state.played[2 + int(state.card[0])] = action


broken("an_index_out_of_bounds", "plain python or plays", step=step_behind_the_end)


@native
def step_that_overflows(state: Record, action: int, chance: Record) -> None:
    step(state, action, chance)
    state.looked = 1 if state.card[0] * 100 > 150 else 0


broken("small_integers_that_overflow", "plain python", step=step_that_overflows)

# --- words ------------------------------------------------------------------------------------------------------------------


def describe_next_move(view: Record) -> str:
    return f"You hold {view.card}, and move {('first', 'second', 'third')[view.n_played]}."


broken("no_words_for_the_end", "words", describe=describe_next_move)
broken("no_words_at_all", "words", describe=lambda view: " ")
broken("two_actions_of_one_name", "words", action_name=lambda view, action: "play")
broken("names_that_are_other_numbers", "words", parse_action=lambda view, text: 0)
