"""Learning who wins a race of Can't Stop: a logistic function of the turns that two players need, fitted to races.

The agent plays itself; each turn gives an example: the turns that the networks say the mover and the other player need, and who
won in the end. Three numbers are fitted by Newton's method on the likelihood, and the agent plays on with them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from facedown.agents.cant_stop.network import N_HIDDEN, value_of
from facedown.agents.cant_stop.turn_exact import agent_of
from facedown.agents.player import Player
from facedown.games.position import Position
from facedown.games.registry import game as find_game
from facedown.native.streams import LEARNING

Array = np.ndarray[Any, Any]
N_STEPS = 30


def race_examples(
    networks: Array, odds: Array, games: int, seed: int, report: Callable[[float, str], None]
) -> tuple[Array, Array]:
    """Turns of games of the agent against itself: 1, turns of the other player, minus own turns; and whether the mover won."""
    game = find_game("cant_stop")
    player = Player(agent_of(networks, odds, game), game)
    player.sit_down(seed, 0, 1, LEARNING)
    position, hidden = Position(game), np.zeros(N_HIDDEN, np.float32)
    rows: list[tuple[float, float, float]] = []
    movers: list[int] = []
    winners: list[int] = []
    for index in range(games):
        position.sample(seed, index)
        position.start()
        n_before, n_turns = len(rows), -1
        while not position.over:
            state, legal = position.state, position.legal()
            if state.n_turns != n_turns:
                n_turns, mover = int(state.n_turns), int(state.mover)
                own, other = (
                    value_of(state.marker[who].astype(np.int64), int(state.columns - state.won[who]), networks, hidden)
                    for who in (mover, 1 - mover)
                )
                rows.append((1.0, other, -own))
                movers.append(mover)
            view = position.view(position.turn())
            position.step(player.choose(view, legal) if len(legal) > 1 else legal[0])
        winners += [int(np.argmax(position.scores()))] * (len(rows) - n_before)
        report((index + 1) / games, "racing")
    return np.array(rows), np.array(movers) == np.array(winners)


def fit_odds(examples: Array, won: Array) -> Array:
    """The three numbers of the logistic function that make these results most likely."""
    odds = np.zeros(examples.shape[1])
    for _ in range(N_STEPS):
        p = 1.0 / (1.0 + np.exp(-examples @ odds))
        slope = examples.T @ (won - p)
        curvature = (examples * (p * (1.0 - p))[:, None]).T @ examples
        odds = odds + np.linalg.solve(curvature + 1e-6 * np.eye(len(odds)), slope)
    return odds.astype(np.float32)
