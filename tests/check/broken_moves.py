"""A tiny healthy game with sealed moves, and broken ones in which somebody hears, or reads, what must stay hidden.

The healthy one is that of `healthy_game.py`, but nobody sees what the other plays before the game is over.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import healthy_game
from healthy_game import HEALTHY, copy_table

from facedown.games.contract import HIDDEN, UNNOTICED, Game
from facedown.native import draw, native
from facedown.native.records import Record


@native
def observe_own_moves(state: Record, player: int, view: Record) -> None:
    healthy_observe(state, player, view)
    for move in range(int(state.n_played)):
        if move % 2 != player and state.n_played < 3:
            view.played[move] = -1


@native
def imagine_sealed_moves(view: Record, player: int, chance: Record, state: Record) -> None:
    copy_table(view, state)
    for move in range(int(view.n_played)):
        if view.played[move] < 0:
            state.played[move] = draw(chance, 2)
    own, other = int(view.card), draw(chance, int(view.cards) - 1)
    state.card[player] = own
    state.card[1 - player] = other + 1 if other >= own else other


@native
def hears_own_moves(state: Record, player: int, mover: int, action: int) -> int:
    return action if player == mover or state.n_played == 3 else HIDDEN


def narrate(before: Record, after: Record) -> str:
    mover = int(before.n_played) % 2
    seen = int(after.played[before.n_played])
    return f"Player {mover} {'has moved' if seen < 0 else ('holds', 'bets')[seen]}."


healthy_observe = healthy_game.observe

SEALED = dataclasses.replace(
    HEALTHY,
    name="sealed",
    observe=observe_own_moves,
    imagine=imagine_sealed_moves,
    hears=hears_own_moves,
    narrate=narrate,
)

FAULTS: dict[str, tuple[str, Game]] = {}
"""For each fault: the check that must find it, and the game."""


def broken(name: str, found_by: str, **changes: Any) -> None:
    """The healthy game with one fault."""
    FAULTS[name] = found_by, dataclasses.replace(SEALED, name=name, **changes)


# --- hears -----------------------------------------------------------------------------------------------------------------

broken("sealed_moves_that_are_called_out", "hearing", hears=HEALTHY.hears)


@native
def hears_bets(state: Record, player: int, mover: int, action: int) -> int:
    return hears_own_moves(state, player, mover, action) if action == 0 else action


broken("half_of_the_moves_are_called_out", "hearing", hears=hears_bets)


@native
def notices_bets(state: Record, player: int, mover: int, action: int) -> int:
    heard = hears_own_moves(state, player, mover, action)
    return UNNOTICED if heard == HIDDEN and action == 0 else heard


broken("silence_that_tells_the_move", "hearing", hears=notices_bets)


@native
def hears_the_card(state: Record, player: int, mover: int, action: int) -> int:
    heard = hears_own_moves(state, player, mover, action)
    return heard if heard != HIDDEN or state.card[mover] > 0 else UNNOTICED


broken("silence_that_tells_the_card", "hearing", hears=hears_the_card)


@native
def hears_nothing(state: Record, player: int, mover: int, action: int) -> int:
    return HIDDEN


broken("a_mover_who_does_not_hear", "hearing", hears=hears_nothing)


@native
def hears_a_third_action(state: Record, player: int, mover: int, action: int) -> int:
    return action if player == mover else 2


broken("an_action_heard_that_there_is_not", "hearing", hears=hears_a_third_action)


@native
def hears_and_counts(state: Record, player: int, mover: int, action: int) -> int:
    state.looked += 1
    return hears_own_moves(state, player, mover, action)


broken("hears_that_changes_the_state", "hearing", hears=hears_and_counts)

# --- narrate ----------------------------------------------------------------------------------------------------------------


class Gossip:
    """Remembers the last move that anybody was told of, and passes it on."""

    def __init__(self) -> None:
        self.last = -1

    def __call__(self, before: Record, after: Record) -> str:
        self.last = max(self.last, int(after.played[before.n_played]))
        said, self.last = self.last, -1 if before.n_played % 2 != before.player else self.last
        return f"The last move that I know of: {said}."


broken("a_narrator_who_remembers", "narration", narrate=Gossip())


def narrate_moves_only(before: Record, after: Record) -> str:
    return ("hold", "bet", None)[after.played[before.n_played]]  # type: ignore[return-value]


broken("a_narrator_without_words", "narration", narrate=narrate_moves_only)


def narrate_seen_moves(before: Record, after: Record) -> str:
    return {0: "hold", 1: "bet"}[int(after.played[before.n_played])]


broken("a_narrator_who_fails", "narration", narrate=narrate_seen_moves)


def narrate_and_scribble(before: Record, after: Record) -> str:
    after.note = 1
    return narrate(before, after)


broken("a_narrator_who_scribbles", "narration", narrate=narrate_and_scribble)


def names_for_the_mover(view: Record, action: int) -> str:
    if view.n_played % 2 != view.player and view.n_played < 3:
        raise ValueError("it is not your turn")
    return ("hold", "bet")[action]


FAULTS["names_for_the_mover_only"] = (
    "narration",
    dataclasses.replace(HEALTHY, name="names_for_the_mover_only", action_name=names_for_the_mover),
)
