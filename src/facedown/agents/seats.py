"""From the signature that authors write to the one that loops call.

Authors write `act(view, actions, n, params, memory, chance)`. Three of these are arrays, and passing arrays through
an address costs more than most agents take to think. So each `act` is compiled into `ask`, which gets everything from
one record.
"""

from __future__ import annotations

import dis
from types import CodeType
from typing import Any

import numpy as np

from facedown.agents.contract import Agent
from facedown.agents.generic.basic import uniform
from facedown.games.contract import Game
from facedown.native.chance import CHANCE
from facedown.native.jit import address, bind, bytes_at, explained, floats_at, integers_at, read_only
from facedown.native.lens import laid_over, lens_type
from facedown.native.records import Record, blank, copy_shared

BLIND, LOOKS, CHEATS, DRAWS, IS_SHOWN = 0, 1, 2, 3, 4
DEAF, HEARS, HEARS_AND_LOOKS = 0, 1, 2

SEAT = np.dtype(
    (
        Record,
        [
            ("ask_at", np.int64),
            ("tell_at", np.int64),
            # BLIND: it never looks at its view; DRAWS: it is `uniform`, and the loop draws for it; IS_SHOWN: it has a lens
            ("sight", np.int64),
            ("lists", np.int64),  # 0: it looks neither at the list of legal actions nor at their number
            ("watches", np.int64),  # DEAF, or whether it looks when it hears of a move
            ("agent", np.int64),  # who sits there
            ("place", np.int64),  # which place at the table it is
            ("following", np.int64),  # the record of the next place
            ("actions_at", np.int64),
            ("params_at", np.int64),
            ("n_params", np.int64),
            ("memory_at", np.int64),
            ("n_memory", np.int64),
            ("n_room", np.int64),  # the bytes that the memory lies in: nothing may stay behind its end either
            ("begin_at", np.int64),  # 0: nothing is to be done after the deal
            ("public_at", np.int64),
            ("n_public", np.int64),
            ("n_public_room", np.int64),
            ("tell_all_at", np.int64),  # 0: everybody hears of moves on their own
            ("chance", CHANCE),
        ],
    )
)

MIN_LENS = 256
"""Smaller views, in bytes, are always filled in."""

observe: Any = None  # bound to the game's
act: Any = None  # bound to the agent's own functions
begin: Any = None
watch: Any = None
watch_all: Any = None


def ask(view: Record, n: int, seat: Record) -> int:
    """One decision of the agent in this seat; `| 0` makes an int64 of any integer, and does not compile for anything else."""
    return 0 | act(  # type: ignore[no-any-return]
        view,
        read_only(integers_at(seat.actions_at, n)),
        n,
        read_only(floats_at(seat.params_at, seat.n_params)),
        bytes_at(seat.memory_at, seat.n_memory),
        seat.chance,
    )


def ask_forgetful(view: Record, n: int, seat: Record) -> int:
    """As `ask`, for an agent that declares no memory: it can write to none either, where something might be found again."""
    return 0 | act(  # type: ignore[no-any-return]
        view,
        read_only(integers_at(seat.actions_at, n)),
        n,
        read_only(floats_at(seat.params_at, seat.n_params)),
        read_only(bytes_at(seat.memory_at, 0)),
        seat.chance,
    )


def ask_showing(state: Record, lens: Record, n: int, seat: Record) -> int:
    """As `ask_forgetful`, with a lens for a view; the state goes no further than to the game's own `observe`."""
    view = laid_over(state, lens)
    observe(state, seat.place, view)
    return 0 | act(  # type: ignore[no-any-return]
        view,
        read_only(integers_at(seat.actions_at, n)),
        n,
        read_only(floats_at(seat.params_at, seat.n_params)),
        read_only(bytes_at(seat.memory_at, 0)),
        seat.chance,
    )


def ask_public(view: Record, n: int, seat: Record) -> int:
    """As `ask`, for an agent with a public record: it may read it, and so tell nobody anything by it."""
    return 0 | act(  # type: ignore[no-any-return]
        view,
        read_only(integers_at(seat.actions_at, n)),
        n,
        read_only(floats_at(seat.params_at, seat.n_params)),
        bytes_at(seat.memory_at, seat.n_memory),
        read_only(bytes_at(seat.public_at, seat.n_public)),
        seat.chance,
    )


def ask_public_forgetful(view: Record, n: int, seat: Record) -> int:
    """As `ask_public`, without a memory."""
    return 0 | act(  # type: ignore[no-any-return]
        view,
        read_only(integers_at(seat.actions_at, n)),
        n,
        read_only(floats_at(seat.params_at, seat.n_params)),
        read_only(bytes_at(seat.memory_at, 0)),
        read_only(bytes_at(seat.public_at, seat.n_public)),
        seat.chance,
    )


def tell_begin(view: Record, seat: Record) -> None:
    """The cards are dealt."""
    params = read_only(floats_at(seat.params_at, seat.n_params))
    begin(view, params, bytes_at(seat.memory_at, seat.n_memory), seat.chance)


def tell(view: Record, mover: int, heard: int, seat: Record) -> None:
    """The agent in this seat hears of a move."""
    params = read_only(floats_at(seat.params_at, seat.n_params))
    watch(view, mover, heard, params, bytes_at(seat.memory_at, seat.n_memory))


def tell_drawing(view: Record, mover: int, heard: int, seat: Record) -> None:
    """As `tell`, for an agent that draws when it hears of a move."""
    params = read_only(floats_at(seat.params_at, seat.n_params))
    watch(view, mover, heard, params, bytes_at(seat.memory_at, seat.n_memory), seat.chance)


def tell_public(view: Record, mover: int, heard: int, seat: Record) -> None:
    """As `tell`, for an agent that keeps a public record."""
    params = read_only(floats_at(seat.params_at, seat.n_params))
    watch(view, mover, heard, params, bytes_at(seat.public_at, seat.n_public))


def tell_all(view: Record, common: Record, mover: int, heard: int, seat: Record) -> None:
    """All seats hear of a move at once; of the view of any of them there is left what all of them see alike."""
    params = read_only(floats_at(seat.params_at, seat.n_params))
    copy_shared(view, common)
    watch_all(common, mover, heard, params, bytes_at(seat.public_at, seat.n_public))


def tell_for_all(view: Record, common: Record, mover: int, heard: int, seat: Record) -> None:
    """As `tell_all`, where every seat would come to the same: whoever has moved does it for all."""
    params = read_only(floats_at(seat.params_at, seat.n_params))
    watch(view, mover, heard, params, bytes_at(seat.public_at, seat.n_public))


def seat_for(agent: Agent, game: Game, shown: bool = False) -> np.ndarray[Any, Any]:
    """A seat with the addresses of what the agent does in this game; it compiles them if needed.

    With `shown` the caller has the state at hand, with room for a lens behind it.
    """
    seats = np.zeros(1, SEAT)
    seen = game.state if agent.cheats else game.view
    heard: tuple[Any, ...] = (game.view, 0, 0, SEAT)
    lens = lens_for(agent, game) if shown else None
    with explained(f"agent {agent.name}", sees="players cannot see"):
        if lens is not None:
            seats["ask_at"] = address(bind(ask_showing, act=agent.act, observe=game.observe), game.state, lens, 0, SEAT)
        elif not draws(agent):
            seats["ask_at"] = address(bind(asking(agent), act=agent.act), seen, 0, SEAT)
        if agent.begin is not None:
            seats["begin_at"] = address(bind(tell_begin, begin=agent.begin), game.view, SEAT, returns=False)
        if agent.watch is not None:
            seats["tell_at"] = address(bind(telling(agent), watch=agent.watch), *heard, returns=False)
        if agent.one_for_all:
            told = (game.view, game.common_view, 0, 0, SEAT)
            own: Any = agent.watch
            everybody = bind(tell_all, watch_all=agent.watch_all) if agent.watch_all else bind(tell_for_all, watch=own)
            seats["tell_all_at"] = address(everybody, *told, returns=False)
    sight = DRAWS if draws(agent) else CHEATS if agent.cheats else LOOKS if looks(agent.act) else BLIND
    seats["sight"] = sight if lens is None else IS_SHOWN
    seats["lists"] = _reads(agent.act, ACTIONS) or _reads(agent.act, NUMBER)
    if agent.watch is not None:
        seats["watches"] = HEARS_AND_LOOKS if looks(agent.watch) else HEARS
    return seats


def draws(agent: Agent) -> bool:
    """Whether the loop draws for an agent, which has nothing compiled of its own then."""
    return agent.act is uniform


def lens_for(agent: Agent, game: Game) -> np.dtype[Any] | None:
    """The type of lens that an agent is given instead of a view, where that is worth it; None if it gets a view.

    Views of others' agents are copies: with an index that is out of bounds, a lens would show what lies beside it. An agent
    with a memory decides so slowly that the copy is nothing, and small views are copied in no time.
    """
    if game.view.itemsize < MIN_LENS or agent.memory is not None or agent.public is not None or agent.cheats:
        return None
    if draws(agent) or not looks(agent.act) or not agent.act.__module__.startswith("facedown."):
        return None
    return lens_type(game.observe, game.state, game.view)


VIEW, ACTIONS, NUMBER = 0, 1, 2  # of the arguments of `act`


def looks(function: Any) -> bool:
    """Whether an agent's code may touch its view; one that were mistaken for blind would see an empty one, nobody else's."""
    return _reads(function, VIEW)


def _reads(function: Any, argument: int) -> bool:
    """Whether code may touch one of its arguments: only such as never names it, and has no inner functions, cannot."""
    code = getattr(function, "py_func", function).__code__
    wanted = code.co_varnames[argument]
    if wanted in code.co_cellvars or any(isinstance(constant, CodeType) for constant in code.co_consts):
        return True
    for instruction in dis.get_instructions(code):  # one instruction may name several variables; `memory.view` is none
        names = instruction.argval if isinstance(instruction.argval, tuple) else (instruction.argval,)
        if "FAST" in instruction.opname and wanted in names:
            return True
    return False


def asking(agent: Agent) -> Any:
    """The function that asks an agent, before it is bound to it."""
    if agent.public is not None:
        return ask_public if agent.memory is not None else ask_public_forgetful
    return ask if agent.memory is not None else ask_forgetful


def telling(agent: Agent) -> Any:
    """The function that tells an agent of moves, before it is bound to it."""
    return tell_public if agent.public is not None else tell_drawing if agent.watch_draws else tell


class Seats:
    """A line-up ready to play: a seat for each agent, with parameters and memory, and one list of legal actions.

    Threads that play the same line-up each need seats of their own, but not to find the addresses again: they are in
    `found`, one seat for each agent. Where `shares`, one agent has all seats and keeps one public record for them.
    """

    def __init__(self, agents: list[Agent], game: Game, found: list[np.ndarray[Any, Any]], shares: bool = False):
        self.actions = blank(np.int64, game.n_actions + 4)  # the loop looks at the first four in any case
        self.agents, self.params = agents, [agent.params for agent in agents]
        sizes = [agent.memory.itemsize if agent.memory else 0 for agent in agents]
        self.memories = [_room(size) for size in sizes]
        public_sizes = [agent.public.itemsize if agent.public else 0 for agent in agents]
        self.publics = [_room(size) for size in public_sizes[: 1 if shares else None]]
        n = len(agents)
        # one table after the other: the seats in each order in which the agents can sit down; behind them a seat for each
        # agent, from which the tables are set again where the order is drawn
        self.records = blank(SEAT, n * n + n)
        for at in range(n * n + n):
            index = (at % n + at // n) % n  # of the agent; behind the tables, of its own seat
            self.records[at] = found[index][0]
            seat = self.records[at]
            seat.agent, seat.place, seat.following = index, at % n, at // n * n + (at + 1) % n
            seat.actions_at = self.actions.ctypes.data
            seat.params_at, seat.n_params = self.params[index].ctypes.data, len(self.params[index])
            seat.memory_at, seat.n_memory = self.memories[index].ctypes.data, sizes[index]
            seat.n_room = len(self.memories[index]) if sizes[index] else 0
            public = self.publics[0 if shares else index]
            seat.public_at, seat.n_public = public.ctypes.data, public_sizes[index]
            seat.n_public_room = len(public) if public_sizes[index] else 0
            if not shares:
                seat.tell_all_at = 0

    def set_params(self, agents: list[Agent]) -> bool:
        """Let the same agents go on with other parameters; False if one needs a table or a memory of its own for them."""
        for params, before, agent in zip(self.params, self.agents, agents, strict=True):
            if agent is not before:
                if agent.table is not None or agent.memory != before.memory or agent.public != before.public:
                    return False
                params[:] = agent.params
        self.agents = agents
        return True


def _room(size: int) -> np.ndarray[Any, Any]:
    """Zeroed bytes for a memory, in whole cache lines, so that two agents never share one."""
    return blank(np.uint8, (size + 63) // 64 * 64 + 64)
