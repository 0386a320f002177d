"""From the signature that authors write to the one that loops call.

Authors write `act(view, actions, n, params, memory, chance)`. Three of these are arrays, and passing arrays through
an address costs more than most agents take to think. So each `act` is compiled into `ask`, which gets everything from
one record.
"""

from __future__ import annotations

import dis
from typing import Any

import numpy as np

from facedown.agents.contract import Agent
from facedown.agents.generic import uniform
from facedown.games.contract import Game
from facedown.native.chance import CHANCE
from facedown.native.jit import COMPILE_PROBLEMS, address, bind, bytes_at, explain, floats_at, integers_at, read_only
from facedown.native.records import Record, blank

BLIND, LOOKS, CHEATS, DRAWS = 0, 1, 2, 3

SEAT = np.dtype(
    (
        np.record,
        [
            ("ask_at", np.int64),
            ("tell_at", np.int64),
            ("sight", np.int64),  # BLIND: it never looks at its view; DRAWS: it is `uniform`, and the loop draws for it
            ("watches", np.int64),
            ("agent", np.int64),  # who sits there
            ("place", np.int64),  # which place at the table it is
            ("following", np.int64),  # the record of the next place
            ("actions_at", np.int64),
            ("n_actions", np.int64),
            ("params_at", np.int64),
            ("n_params", np.int64),
            ("memory_at", np.int64),
            ("n_memory", np.int64),
            ("chance", CHANCE),
        ],
    )
)

act: Any = None  # bound to the agent's own functions
watch: Any = None


def ask(view: Record, n: int, seat: Record) -> int:
    """One decision of the agent in this seat; `| 0` makes an int64 of any integer, and does not compile for anything else."""
    return 0 | act(  # type: ignore[no-any-return]
        view,
        read_only(integers_at(seat.actions_at, seat.n_actions)),
        n,
        read_only(floats_at(seat.params_at, seat.n_params)),
        bytes_at(seat.memory_at, seat.n_memory),
        seat.chance,
    )


def tell(view: Record, mover: int, action: int, seat: Record) -> None:
    """The agent in this seat hears of a move."""
    params = read_only(floats_at(seat.params_at, seat.n_params))
    watch(view, mover, action, params, bytes_at(seat.memory_at, seat.n_memory))


def seat_for(agent: Agent, game: Game) -> np.ndarray[Any, Any]:
    """A seat with the addresses of what the agent does in this game; it compiles them if needed."""
    seats = np.zeros(1, SEAT)
    seen = game.state if agent.cheats else game.view
    try:
        if not draws(agent):
            seats["ask_at"] = address(bind(ask, act=agent.act), seen, 0, SEAT)
        if agent.watch is not None:
            seats["tell_at"] = address(bind(tell, watch=agent.watch), game.view, 0, 0, SEAT, returns=False)
    except COMPILE_PROBLEMS as problem:
        raise explain(problem, f"agent {agent.name}", sees="players cannot see") from None
    seats["sight"] = DRAWS if draws(agent) else CHEATS if agent.cheats else LOOKS if looks(agent) else BLIND
    seats["watches"] = agent.watch is not None
    return seats


def draws(agent: Agent) -> bool:
    """Whether the loop draws for an agent, which has nothing compiled of its own then."""
    return agent.act is uniform


def looks(agent: Agent) -> bool:
    """Whether an agent's code touches its view at all."""
    code = getattr(agent.act, "py_func", agent.act).__code__
    view = code.co_varnames[0]
    for instruction in dis.get_instructions(code):
        touched = instruction.argval if isinstance(instruction.argval, tuple) else (instruction.argval,)
        if instruction.opname.startswith("LOAD") and view in touched:
            return True
    return False


class Seats:
    """A line-up ready to play: a seat for each agent, with parameters and memory, and one list of legal actions.

    Threads that play the same line-up each need seats of their own, but not to find the addresses again: they are in
    `found`, one seat for each agent.
    """

    def __init__(self, agents: list[Agent], game: Game, found: list[np.ndarray[Any, Any]]):
        self.actions = blank(np.int64, game.n_actions + 4)  # the loop looks at the first four in any case
        self.params = [agent.params for agent in agents]
        sizes = [agent.memory.itemsize if agent.memory else 0 for agent in agents]
        # whole cache lines, so that two agents never share one
        self.memories = [np.zeros((size + 63) // 64 * 64 + 64, np.uint8) for size in sizes]
        n = len(agents)
        # one table after the other: the seats in each order in which the agents can sit down
        self.records = blank(SEAT, n * n)
        self.records[:] = np.concatenate([found[(place + order) % n] for order in range(n) for place in range(n)])
        for at in range(n * n):
            seat, index = self.records[at], (at % n + at // n) % n
            seat.agent, seat.place, seat.following = index, at % n, at // n * n + (at + 1) % n
            seat.actions_at, seat.n_actions = self.actions.ctypes.data, len(self.actions)
            seat.params_at, seat.n_params = self.params[index].ctypes.data, len(self.params[index])
            seat.memory_at, seat.n_memory = self.memories[index].ctypes.data, sizes[index]
