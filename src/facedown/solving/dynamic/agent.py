"""The agent `optimal`: plays the exact solution of a game of perfect information, worked out when it is first asked for.

`optimal` solves the game in this process; `optimal(FILE)` plays a solution that `facedown solve GAME --save FILE` has kept.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from typing import Any

import numpy as np

from facedown.agents.contract import Agent
from facedown.agents.generic.table import fill_slots
from facedown.agents.likelihood import KNOWN
from facedown.agents.player import Player
from facedown.agents.reasons import Reason
from facedown.errors import UsageError
from facedown.games.contract import Game
from facedown.games.stepper import Stepper
from facedown.native.hashing import n_slots_for
from facedown.native.records import Record
from facedown.native.rules_loop import bind_rules, template_for
from facedown.policies.policy import read_for_agent
from facedown.solving.dynamic import find_walk, optimal_act
from facedown.solving.dynamic.arrays import MAX_LOOKED_THROUGH, Array
from facedown.solving.dynamic.optimal_act import CHANCE_BYTES, find_row

NAME = "optimal"
MEANING = "the exact solution, worked out when it is first asked for, or kept in a file, optimal(FILE), by `solve --save FILE`"
COMPILE_SECONDS = 6.0


def optimal(words: str, game: Game) -> Agent:
    """The agent for `optimal` or `optimal(FILE)`."""
    file = words[len(NAME) + 1 : -1].strip() if words != NAME else ""
    return _from_file(file, game) if file else _solved(game)


@lru_cache(maxsize=8)
def _solved(game: Game) -> Agent:
    """Solve the game, and say so: it may take a while."""
    from facedown.solving.dynamic.solution import solve_exactly

    _check_can_play(game)
    print(f"solving {game.spec} for the agent {NAME}; to keep it: facedown solve '{game.spec}' --save FILE", file=sys.stderr)
    found = solve_exactly(game)
    return optimal_agent(game, found.states, found.state_values, found.state_actions)


def _from_file(file: str, game: Game) -> Agent:
    """The agent that plays a kept solution; its spec names the very file by its digest."""
    from facedown.solving.dynamic.files import solution_in

    _check_can_play(game)
    content, file, found_by = read_for_agent(file, "solution", f"facedown solve {game.spec} --save FILE")
    kept = solution_in(content, file, game)
    return optimal_agent(game, kept.states, kept.state_values, kept.state_actions, file=file, origin=f"{NAME}({found_by})")


def _check_can_play(game: Game) -> None:
    """The agent must know who it is."""
    from facedown.solving.dynamic.find import check_solvable

    check_solvable(game)
    if "player" not in (game.view.names or ()):
        raise UsageError(
            f"{NAME} cannot play {game.name}: the view does not say who looks; give the view of {game.name} a field 'player' "
            f"with the number of the player"
        )


def optimal_agent(game: Game, states: Array, values: Array, actions: Array, file: str = "", origin: str = "") -> Agent:
    """The agent for positions as rows of bytes, with the value for player 0 and the best action of each."""
    _check_can_play(game)
    table = _packed(game, states, values, actions)
    n_stack = int(table.view(np.int64)[optimal_act.N_STACK])
    rules = Stepper(game)

    def explain(view: Record, action: int, params: Any, memory: Record | None) -> Reason:
        state = rules.settled(rules.imagine(view.tobytes(), int(view.player)))
        row = int(find_row(np.frombuffer(state, np.uint8), table.view(np.int64), table.view(np.uint8)))
        if row < 0:
            return Reason("value", "the best of what its moves lead to")
        value = float(values[row])
        own = value if view.player == 0 else (game.score_total or 0.0) - value
        unit = f"{-own:.6g} {game.cost_unit} to come" if game.cost_unit else f"{own:.6g} on average from here on"
        return Reason("value", f"exactly solved: {unit}")

    agent = Agent(
        name=NAME,
        meaning=MEANING,
        act=_act_for(game),
        game=game.name,
        game_spec=game.spec,
        table=table,
        memory=np.dtype((Record, [("room", np.uint8, (_memory_bytes(game, n_stack),))])),
        deterministic=True,
        file=file,
        origin=origin,
        explain=explain,
        seconds=COMPILE_SECONDS,
    )
    KNOWN[agent.act] = _certain
    return agent


def _certain(agent: Agent, view: Record, actions: list[int]) -> list[float]:
    """How likely each action is: the agent forgets what it works on."""
    played = Player(agent, _playing[agent.game_spec]).choose(view, actions)
    return [float(action == played) for action in actions]


_playing: dict[str, Game] = {}


def _packed(game: Game, states: Array, values: Array, actions: Array) -> Array:
    """The table as one vector."""
    _playing[game.spec] = game
    size = game.state.itemsize
    slots = np.zeros(n_slots_for(len(states)), np.int64)
    fill_slots(slots, np.ascontiguousarray(states))
    header = np.zeros(optimal_act.N_HEADER, np.int64)
    parts: dict[int, Array] = {
        optimal_act.SLOTS: slots,
        optimal_act.VALUES: values.astype(np.float64),
        optimal_act.ACTIONS: actions.astype(np.float64),
        optimal_act.BLANK: _words(game.blank().view(np.uint8)),
        optimal_act.STATES: _words(states.reshape(-1)),
    }
    at = len(header)
    for part, array in parts.items():
        header[part] = at
        at += array.nbytes // 8
    header[optimal_act.STATE_BYTES], header[optimal_act.N_ROWS] = size, len(states)
    header[optimal_act.N_STACK] = MAX_LOOKED_THROUGH * game.n_actions + 4
    header[optimal_act.N_PLAYERS], header[optimal_act.N_ACTIONS] = game.n_players, game.n_actions + 4
    whole = np.concatenate([header.view(np.float64), *(array.view(np.float64) for array in parts.values())])
    whole.flags.writeable = False  # shared by all threads
    return whole


def _words(octets: Array) -> Array:
    """Bytes, filled up to whole words."""
    filled = np.zeros((octets.size + 7) // 8 * 8, np.uint8)
    filled[: octets.size] = octets
    return filled


def _memory_bytes(game: Game, n_stack: int) -> int:
    return CHANCE_BYTES + 8 * (game.n_actions + 4 + game.n_players) + (24 + game.state.itemsize) * n_stack


@lru_cache(maxsize=64)
def _act_for(game: Game) -> Any:
    """`act` with the rules and the records of a game in it."""
    land = bind_rules(find_walk.land_and_settle if game.settles else find_walk.land_as_it_is, game)
    return bind_rules(template_for(optimal_act.act, game.state, game.view), game, land=land)


def _not_solved(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    raise UsageError(f"the agent {NAME} is found by its name and a game")


LISTED = Agent(name=NAME, meaning=MEANING, act=_not_solved, compiled=False)
"""How it is listed: nobody waits for a solution that is not played."""
