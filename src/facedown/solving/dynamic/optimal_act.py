"""The native part of the agent `optimal`: a position is looked up, and what was looked through is looked through again.

1. From the view `imagine` makes the state, which in a game of perfect information it cannot miss, and `settle` the position.
2. A position that is in the table is played as it says there.
3. Any other state is one of a choice without chance: each action is worth what it gains and the best that it leads to.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.games.contract import OVER
from facedown.native.chance import CHANCE, EXPLORE
from facedown.native.hashing import find, hash_bytes, tag_of
from facedown.native.jit import native
from facedown.native.records import Record
from facedown.solving.dynamic.arrays import MAX_LOOKED_THROUGH
from facedown.solving.dynamic.backup import TIE

# words at the beginning of the table: sizes, and where each part begins
STATE_BYTES, N_ROWS, SLOTS, VALUES, ACTIONS, BLANK, STATES, N_STACK, N_PLAYERS, N_ACTIONS, N_HEADER = range(11)

CHANCE_BYTES = CHANCE.itemsize

# bound to the rules of a game, and to its records
turn: Any = None
legal: Any = None
step: Any = None
imagine: Any = None
settle: Any = None
land: Any = None
STATE: Any = None


@native
def find_row(row: Any, words: Any, octets: Any) -> int:
    """Where the table has a position; -1 where it has not."""
    size, n_rows, at = words[STATE_BYTES], words[N_ROWS], 8 * words[STATES]
    states = octets[at : at + size * n_rows].reshape((n_rows, size))
    return max(find(words[words[SLOTS] : words[VALUES]], states, row, tag_of(hash_bytes(row))), -1)


def act(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    """Play the best action; of several that are as good but for rounding, the first."""
    words, octets = params.view(np.int64), params.view(np.uint8)
    size, n_stack, n_actions = words[STATE_BYTES], words[N_STACK], words[N_ACTIONS]
    at_gains = CHANCE_BYTES + 8 * (n_actions + words[N_PLAYERS])
    at_states = at_gains + 24 * n_stack
    chances = memory[:CHANCE_BYTES].view(CHANCE)
    choices = memory[CHANCE_BYTES : CHANCE_BYTES + 8 * n_actions].view(np.int64)
    scores = memory[CHANCE_BYTES + 8 * n_actions : at_gains].view(np.float64)
    gains = memory[at_gains : at_gains + 8 * n_stack].view(np.float64)
    movers = memory[at_gains + 8 * n_stack : at_gains + 16 * n_stack].view(np.int64)
    depths = memory[at_gains + 16 * n_stack : at_states].view(np.int64)
    states = memory[at_states : at_states + size * n_stack].view(STATE)
    rows = memory[at_states : at_states + size * n_stack].reshape((n_stack, size))
    rows[0][:] = octets[8 * words[BLANK] : 8 * words[BLANK] + size]
    player = np.int64(view.player)
    imagine(view, player, chance, states[0])
    settle(states[0])
    row = find_row(rows[0], words, octets)
    if row >= 0:
        best = np.int64(params[words[ACTIONS] + row])
        for choice in range(n):
            if actions[choice] == best:
                return int(best)
        return int(actions[0])
    dice = chances[0]
    dice.mode = EXPLORE
    sign = 1.0 if player == 0 else -1.0
    chosen, best_value = np.int64(actions[0]), -np.inf
    for choice in range(n):
        # 0 stays the state itself; 1 is what the action leads to
        states[1] = states[0]
        dice.n_draws, dice.n_taped, dice.fault = 0, 0, 0
        step(states[1], actions[choice], dice)
        movers[1] = turn(states[1])
        gains[1] = land(states[1], scores, movers[1])
        depths[1] = 1
        top, value = 2, -np.inf
        while top > 1:
            here = top - 1
            gain, depth = gains[here], depths[here]
            top = here
            if movers[here] == OVER:
                value = max(value, sign * gain)
                continue
            found = find_row(rows[here], words, octets)
            if found >= 0:
                value = max(value, sign * (gain + params[words[VALUES] + found]))
            elif movers[here] == player and depth <= MAX_LOOKED_THROUGH:
                n_legal = legal(states[here], choices)
                for further in range(n_legal - 1, -1, -1):  # the first takes the place of the state itself
                    at = here + further
                    states[at] = states[here]
                    dice.n_draws, dice.n_taped, dice.fault = 0, 0, 0
                    step(states[at], choices[further], dice)
                    movers[at] = turn(states[at])
                    gains[at] = gain + land(states[at], scores, movers[at])
                    depths[at] = depth + 1
                top = here + n_legal
        if value > best_value + TIE * max(1.0, abs(value)):
            chosen, best_value = np.int64(actions[choice]), value
    return int(chosen)
