"""Policies made by hand, for tests of policies, of the agent that plays them and of solvers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import facedown as fd
from facedown.games.contract import OVER, Game
from facedown.native.records import Record
from facedown.policies.policy import Policy
from facedown.trees.explore import Walk

Chances = Callable[[int, Record, tuple[int, ...]], list[float]]
"""The probabilities of a player's legal actions, from what the player sees."""


def policy_by(game: Game, chances: Chances) -> Policy:
    """The policy that plays by a rule, in every information set of a small game."""
    rows: dict[tuple[int, bytes], tuple[tuple[int, ...], list[float]]] = {}
    for node in Walk(game):
        if node.player != OVER and (node.player, node.view) not in rows:
            view = np.frombuffer(bytearray(node.view), game.view)[0]
            rows[node.player, node.view] = node.legal, chances(node.player, view, node.legal)
    widths = [len(legal) for legal, _ in rows.values()]
    return Policy(
        game=game.spec,
        players=np.array([player for player, _ in rows], np.uint8),
        views=np.array([np.frombuffer(view, np.uint8) for _, view in rows]),
        first=np.cumsum([0, *widths]).astype(np.int64),
        actions=np.concatenate([legal for legal, _ in rows.values()]).astype(np.int32),
        probabilities=np.concatenate([numbers for _, numbers in rows.values()]).astype(np.float64),
    )


def kuhn_equilibrium(alpha: float = 1 / 3) -> Policy:
    """One of Kuhn's equilibria (Kuhn 1950); player 0 bets a jack with probability alpha, at most 1/3."""

    def chances(player: int, view: Record, legal: tuple[int, ...]) -> list[float]:
        before = tuple(int(move) for move in view.played[: view.n_played])
        bets = {
            (): [alpha, 0, 3 * alpha],
            (0, 1): [0, alpha + 1 / 3, 1],
            (0,): [1 / 3, 0, 1],
            (1,): [0, 1 / 3, 1],
        }
        bet = bets[before][int(view.card)]
        return [1 - bet, bet]

    return policy_by(fd.game("kuhn"), chances)
