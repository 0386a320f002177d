"""Sizes of game trees that others have published, to compare ours with.

Nodes are counted by explicit draws: every single card that is dealt is a chance node.

- Kuhn poker (H. W. Kuhn, A simplified two-person poker, 1950): each of two players holds one of three cards in one of two
  situations, 12 information sets. OpenSpiel (Lanctot et al., OpenSpiel: a framework for reinforcement learning in games,
  arXiv:1908.09453, 2019) states 58 nodes in its test python/jax/rcfr_jax_test.py.
- Leduc hold'em (Southey et al., Bayes' bluff: opponent modelling in poker, 2005): OpenSpiel states 936 information sets in
  its test python/tests/policy_test.py.
- All other counts were found by walking the trees of OpenSpiel 2.0.2: kuhn_poker, kuhn_poker(players=3),
  kuhn_poker(players=4), leduc_poker, and leduc_poker(suit_isomorphism=true) for the information sets without suits.
  tests/solving/test_peers.py walks them again wherever OpenSpiel is installed, and compares the values of uniform play.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Known:
    """Published figures of one game; None where nobody has published one."""

    source: str
    information_sets: int
    chance: int | None = None
    decisions: int | None = None
    ends: int | None = None
    uniform_value: Fraction | None = None
    """Expected score of seat 0 in uniform play."""


KNOWN = {
    "kuhn": Known("Kuhn 1950; OpenSpiel 2019", 12, 4, 24, 30, Fraction(1, 8)),
    "kuhn(players=3)": Known("OpenSpiel 2019", 48, 17, 288, 312),
    "kuhn(players=4)": Known("OpenSpiel 2019", 160, 86, 3840, 3960),
    "leduc": Known("OpenSpiel 2019", 936, 157, 3780, 5520),
    "leduc(suits_shown=no)": Known("OpenSpiel 2019, suit_isomorphism", 288),
}
