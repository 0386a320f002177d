"""Agents that exist for tests only: one that remembers all it hears, one that looks at the cards of others."""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.agents.contract import Agent, Parameter
from facedown.agents.reasons import Reason
from facedown.native import draw, field, native, record
from facedown.native.records import Record

MEMORY = record(
    field("digest", np.int64, 0, 999_999, "a number that depends on all that was heard and decided, in order"),
    field("n_heard", np.int64, 0, 10**9, "moves heard of"),
    field("n_asked", np.int64, 0, 10**9, "decisions made"),
)


@native
def stir(memory: Any, number: int) -> None:
    """Make the digest depend on one more number; small enough never to overflow."""
    notes = memory.view(MEMORY)[0]
    notes.digest = (int(notes.digest) * 31 + number + 7) % 999_983


@native
def listen(view: Record, mover: int, action: int, params: Any, memory: Any) -> None:
    stir(memory, 11 * action + 5 * mover + 3 * int(view.player) + int(view.mover) + int(params[0]))
    memory.view(MEMORY)[0].n_heard += 1


@native
def decide(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    """Anything it heard, in this game and not in another, changes what it does."""
    stir(memory, draw(chance, 3) + int(view.player))
    notes = memory.view(MEMORY)[0]
    notes.n_asked += 1
    return int(actions[(int(notes.digest) + int(notes.n_heard)) % n])


@native
def peek_at_card(state: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    """The last action with a card at least as high as that of the next player, else the first."""
    mover = int(state.mover)
    other = 1 if mover == 0 else 0
    return int(actions[n - 1] if state.card[mover] >= state.card[other] else actions[0])


@native
def peek_at_pile(state: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    """An order that depends on the next card of the other player."""
    other = 1 - int(state.mover)
    return int(actions[int(state.pile[other, int(state.top[other])]) % n])


def explain_listener(view: Record, action: int, params: Any, memory: Record | None) -> Reason:
    assert memory is not None
    return Reason("rule", f"heard {memory.n_heard}, asked {memory.n_asked}")


LISTENER = Agent(
    name="listener",
    meaning="does something else whenever it hears something else",
    act=decide,
    watch=listen,
    memory=MEMORY,
    explain=explain_listener,
    parameters=(Parameter("salt", 1.0, 0.0, 100.0, "changes all that it does", whole=True),),
)
SLOW_LISTENER = Agent(
    name="slow_listener",
    meaning="the same in ordinary Python",
    act=getattr(decide, "py_func", decide),
    watch=getattr(listen, "py_func", listen),
    memory=MEMORY,
    parameters=LISTENER.parameters,
    compiled=False,
)
CARD_CHEAT = Agent(name="card_cheat", meaning="knows who has the higher card", act=peek_at_card, cheats=True)
PILE_CHEAT = Agent(name="pile_cheat", game="war", meaning="knows the other's next card", act=peek_at_pile, cheats=True)
