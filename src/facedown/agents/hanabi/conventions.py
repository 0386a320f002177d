"""What each known agent for Hanabi would have done: how likely a move is, by the convention that its maker follows.

Whoever watches a partner sees its hand and does not see the own one, which the partner sees. So a move is judged in worlds:
an own hand is imagined, and with it the partner's view is complete. What the agents remember follows from public events, so the
records that the watcher keeps are the partner's too (with three and more players nearly so: `trustful` looks at third hands).
Agents that draw are not asked, but reckoned with; their chances are those of the rules in `simple.py`.

The others are called through their addresses, each as it plays on its own: their machine code is there already, and compiling
it once more into another agent takes minutes. Addresses and parameters of all stand in one array, `models`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from facedown.agents.contract import NOBODY
from facedown.agents.hanabi import distrustful, promises, reinforced, simple
from facedown.agents.hanabi.simple import careful_move, find_revealed_play, least_known
from facedown.agents.hanabi.tables import PUBLIC
from facedown.agents.hanabi.vocabulary import (
    KNOWN_CARD,
    KNOWN_RANK,
    KNOWN_SUIT,
    NONE,
    find_discards,
    is_playable,
    look_at_table,
    may_discard,
    may_hint,
    tell_leftmost_rank,
)
from facedown.agents.seats import SEAT, seat_for
from facedown.games.contract import HIDDEN, Game
from facedown.games.hanabi.cards import AIM_OF, DISCARD, FEATURE_OF, FIRST_SUIT, HINT, NO_CARD, PLAY, RANK_OF, SUIT_OF
from facedown.native import native
from facedown.native.bits import count_bits
from facedown.native.jit import call_int, call_none
from facedown.native.records import Record

CONVENTIONS = (
    "cheater",
    "smart_cheater",
    "erratic",
    "stopped_clock",
    "simple_distrustful",
    "distrustful",
    "trustful",
    "bayesian_trustful2",
    "bayesian_trustful4",
    "reinforced2",
    "reinforced4",
    "information",
)
N_CONVENTIONS = len(CONVENTIONS)
(
    CHEATER,
    SMART_CHEATER,
    ERRATIC,
    STOPPED_CLOCK,
    SIMPLE_DISTRUSTFUL,
    DISTRUSTFUL,
    TRUSTFUL,
    FITTED_FOR_TWO,
    FITTED_FOR_FOUR,
    REINFORCED_FOR_TWO,
    REINFORCED_FOR_FOUR,
    INFORMATION,
) = range(N_CONVENTIONS)
ASKED = (SMART_CHEATER, *range(DISTRUSTFUL, N_CONVENTIONS))
"""Those that draw nothing."""

# rooms: one after the other what the agents remember; those that hear the same remember the same, in one room
CHEATED, COUNTED, PROMISED, LEARNT, KNOWN = range(5)
KINDS = (simple.CHEATER_MEMORY, distrustful.MEMORY, promises.MEMORY, reinforced.MEMORY, PUBLIC)
SIZES = np.array([kind.itemsize for kind in KINDS], np.int64)
ENDS = np.cumsum((SIZES + 7) // 8 * 8)
BEGINS = ENDS - (SIZES + 7) // 8 * 8
N_ROOMS = int(ENDS[-1])
ROOM_OF = np.array([0, CHEATED, 0, 0, 0, COUNTED, *[PROMISED] * 3, *[LEARNT] * 2, KNOWN], np.int64)
LISTENING = (TRUSTFUL, REINFORCED_FOR_TWO, INFORMATION)
"""One for each room that is kept up from move to move."""
WORK_BEGIN, WORK_END = int(BEGINS[CHEATED]), int(BEGINS[CHEATED] + SIZES[CHEATED])

ASK, TELL, PARAMS, N_PARAMS, N_FACTS = range(5)  # facts of a convention in `models`


@lru_cache(maxsize=16)
def models_for(game: Game) -> np.ndarray[Any, Any]:
    """Addresses and parameters of the agents that are asked; it compiles them if needed. Addresses are exact as floats."""
    from facedown.agents.registry import agent as find_agent

    facts, values = np.zeros((N_CONVENTIONS, N_FACTS)), []
    end = facts.size
    for convention in ASKED:
        agent = find_agent(CONVENTIONS[convention], game)
        seat = seat_for(agent, game)[0]
        facts[convention] = seat["ask_at"], seat["tell_at"], end, len(agent.params)
        values.append(agent.params)
        end += len(agent.params)
    return np.concatenate([facts.ravel(), *values])


@native
def take_seat(convention: int, models: Any, rooms: Any, seats: Any) -> None:
    """A seat for an agent, with its parameters and its room; the legal actions are still to come."""
    seat, room, facts = seats[0], int(ROOM_OF[convention]), N_FACTS * convention
    seat.params_at = models.ctypes.data + 8 * int(models[facts + PARAMS])
    seat.n_params = int(models[facts + N_PARAMS])
    at, size = rooms.ctypes.data + int(BEGINS[room]), int(SIZES[room])
    seat.memory_at, seat.n_memory = at, 0 if room == KNOWN else size
    seat.public_at, seat.n_public = at, size if room == KNOWN else 0


@native
def ask_model(convention: int, view: Record, actions: Any, models: Any, rooms: Any) -> int:
    """The move of an agent that draws nothing, given its view (or the state, if it cheats)."""
    seats, n = np.zeros(1, SEAT), np.int64(len(actions))
    take_seat(convention, models, rooms, seats)
    seats[0].actions_at = actions.ctypes.data
    return int(call_int(np.int64(models[N_FACTS * convention + ASK]), (view, n, seats[0])))


@native
def tell_models(view: Record, mover: int, action: int, models: Any, rooms: Any) -> None:
    """Keep up all rooms after a move; those of agents with a public record after the deal too."""
    seats, who, heard = np.zeros(1, SEAT), np.int64(mover), np.int64(action)
    for convention in LISTENING:
        if mover != NOBODY or convention == INFORMATION:
            take_seat(convention, models, rooms, seats)
            call_none(np.int64(models[N_FACTS * convention + TELL]), (view, who, heard, seats[0]))


@native
def begin_models(view: Record, models: Any, rooms: Any) -> None:
    """After the deal."""
    tell_models(view, NOBODY, HIDDEN, models, rooms)


@native
def likelihood(convention: int, state: Record, view: Record, action: int, actions: Any, models: Any, rooms: Any) -> float:
    """How likely a player makes this move in an imagined state, of which it has this view, by a convention."""
    if convention == CHEATER:
        return cheater_likelihood(state, action)
    if convention == SMART_CHEATER:
        return 1.0 if ask_model(convention, state, actions, models, rooms) == action else 0.0
    if convention == ERRATIC:
        return erratic_likelihood(view, action)
    if convention == STOPPED_CLOCK:
        return stopped_clock_likelihood(view, action)
    if convention == SIMPLE_DISTRUSTFUL:
        return simple_likelihood(view, rooms[WORK_BEGIN:WORK_END].view(simple.CHEATER_MEMORY)[0], action)
    return 1.0 if ask_model(convention, view, actions, models, rooms) == action else 0.0


@native
def cheater_likelihood(state: Record, action: int) -> float:
    """Any card that fits, else any discard."""
    mover, n_playable = int(state.mover), 0
    for slot in range(int(state.n_held[mover])):
        n_playable += 1 if is_playable(state, int(state.hands[mover, slot])) else 0
    if n_playable > 0:
        fits = action < DISCARD and is_playable(state, int(state.hands[mover, min(action, DISCARD - 1)]))
        return 1.0 / n_playable if fits else 0.0
    if not may_discard(state):
        return 1.0 if action == tell_leftmost_rank(state, mover) else 0.0
    return 1.0 / int(state.n_held[mover]) if DISCARD <= action < HINT else 0.0


@native
def erratic_likelihood(view: Record, action: int) -> float:
    """Playing, hinting and discarding are equally likely, as far as they are possible; and so is each card."""
    own = int(view.player)
    n_kinds = 1 + (1 if may_hint(view, own) else 0) + (1 if may_discard(view) else 0)
    if action >= HINT:
        return hint_likelihood(view, action) / n_kinds
    if action >= DISCARD:
        return 1.0 / n_kinds / int(view.n_held[own])
    slot = find_revealed_play(view)
    if slot != NONE:
        return 1.0 / n_kinds if action == PLAY + slot else 0.0
    return 1.0 / n_kinds / int(view.n_held[own])


@native
def stopped_clock_likelihood(view: Record, action: int) -> float:
    """As `erratic`, but playing and discarding have fewer cards to choose from."""
    slot = find_revealed_play(view)
    n_kinds = (1 if slot != NONE else 0) + (1 if may_hint(view, int(view.player)) else 0)
    n_kinds += 1 if view.n_tokens < view.tokens else 0
    if n_kinds == 0:
        return 0.0
    if action >= HINT:
        return hint_likelihood(view, action) / n_kinds
    if action < DISCARD:
        return 1.0 / n_kinds if action == PLAY + slot and slot != NONE else 0.0
    slots = least_known(view)
    chosen = view.n_tokens < view.tokens and slots >> (action - DISCARD) & 1
    return 1.0 / n_kinds / int(count_bits(slots)) if chosen else 0.0


@native
def hint_likelihood(view: Record, action: int) -> float:
    """How likely `hint_anything` gives this hint."""
    n_players, own = int(view.players), int(view.player)
    receiver, feature = (own + int(AIM_OF[action])) % n_players, int(FEATURE_OF[action])
    n_receivers, n_holders, n_unknown, share = 0, 0, 0, 0.0
    for player in range(n_players):
        n_open = 0
        for slot in range(int(view.n_held[player])):
            n_open += 1 if KNOWN_CARD[int(view.told[player, slot])] == NO_CARD else 0
        if player != own:
            n_holders += 1 if view.n_held[player] > 0 else 0
            n_receivers += 1 if n_open > 0 else 0
            n_unknown = n_open if player == receiver else n_unknown
    if n_receivers == 0:
        return 1.0 / n_holders if feature == FIRST_SUIT + int(SUIT_OF[int(view.hands[receiver, 0])]) else 0.0
    for slot in range(int(view.n_held[receiver])):
        told, card = int(view.told[receiver, slot]), int(view.hands[receiver, slot])
        has = SUIT_OF[card] == feature - FIRST_SUIT if feature >= FIRST_SUIT else RANK_OF[card] - 1 == feature
        if has and KNOWN_CARD[told] == NO_CARD:
            is_known = KNOWN_SUIT[told] != NONE if feature >= FIRST_SUIT else KNOWN_RANK[told] != 0
            share += 0.0 if is_known else 0.5 if told == 0 else 1.0
    return share / max(n_unknown, 1) / n_receivers


@native
def simple_likelihood(view: Record, work: Record, action: int) -> float:
    """`simple_distrustful` draws only where it discards."""
    expected, own = careful_move(view), int(view.player)
    if expected != NONE:
        return 1.0 if action == expected else 0.0
    if not may_discard(view):
        return 1.0 if action == tell_leftmost_rank(view, own) else 0.0
    look_at_table(view, work)
    slots = find_discards(view, work, view.told, own, 1 << own, own)
    chosen = DISCARD <= action < HINT and slots >> (action - DISCARD) & 1
    return 1.0 / int(count_bits(slots)) if chosen else 0.0
