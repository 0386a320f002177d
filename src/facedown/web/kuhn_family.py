"""All equilibria of Kuhn's poker for two (Kuhn 1950): a family with one number in it, worked out and checked on the tree.

The first player bluffs with a jack with probability a, from 0 to 1/3, and then bets with a king with probability 3 a and
calls with a queen with probability a + 1/3. The second player has no choice: a bluff and a call with 1/3 each.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from facedown.games.registry import game as find_game
from facedown.native.records import Record
from facedown.policies.policy import Policy
from facedown.policies.text import view_record
from facedown.solving.best_response import Evaluation
from facedown.solving.cfr.sequence_form import lay_out
from facedown.solving.engine import PolicyJudge, policy_of
from facedown.trees.grow import build_tree

KUHN = "kuhn"
JACK, QUEEN, KING = 0, 1, 2
BET = 1
NOBODY = -1


def _p_bet(view: Record, king: float) -> float:
    """How likely a bet or a call is, where the first player bets with this share of the kings; `king` is 3 a."""
    bluff, card = king / 3.0, int(view.card)
    if int(view.first_bet) != NOBODY:  # call?
        calls = bluff + 1.0 / 3.0 if int(view.player) == 0 else 1.0 / 3.0
        return {JACK: 0.0, QUEEN: calls, KING: 1.0}[card]
    if int(view.player) == 0:
        return {JACK: bluff, QUEEN: 0.0, KING: king}[card]
    return {JACK: 1.0 / 3.0, QUEEN: 0.0, KING: 1.0}[card]


@lru_cache(maxsize=1)
def _board() -> tuple[Policy, PolicyJudge]:
    tree = build_tree(KUHN)
    layout = lay_out(tree)
    return policy_of(tree, layout, np.full(layout.n_sequences, 0.5)), PolicyJudge(tree, layout)


def equilibrium(king: float) -> tuple[Policy, Evaluation]:
    """The member of the family, and what it is worth; its gains of a best response are zero but for rounding."""
    blank, judge = _board()
    game = find_game(KUHN)
    probabilities: np.ndarray[Any, Any] = blank.probabilities.copy()
    for number in range(blank.n_sets):
        bets = _p_bet(view_record(game, blank, number), king)
        for at in range(int(blank.first[number]), int(blank.first[number + 1])):
            probabilities[at] = bets if int(blank.actions[at]) == BET else 1.0 - bets
    policy = replace(blank, probabilities=probabilities)
    return policy, judge.evaluate(policy)
