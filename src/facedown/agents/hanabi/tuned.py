"""Weights of `trustful` that were tuned here, for two and for four players, from those that the source had fitted.

    facedown tune 'hanabi(rules=thesis)' bayesian_trustful2 --method cma --games 2961934 --trial-games 1000 --seed 2
    facedown tune 'hanabi(players=4,rules=thesis)' bayesian_trustful4 --method cma --games 3556327 --trial-games 1000 --seed 4

both with `--sigma 0.7`. Each took about six minutes of one core. All candidates of a generation play on the same deals; the
weights are the mean of the distribution at the end, in the order of `trustful.weights`. How candidates fared on the way
stands in `tuned.npz`, how the weights fare on fresh deals in docs/games/hanabi.md.
"""

from __future__ import annotations

TUNED_FOR_TWO = (
    (4.97327, -2.06199, 1.43429),
    (0.0119406, 0.528314, -2.6264, 1.38697, 1.14412, -0.192067, 0.733656, 1.35929),
    (0.816941, 0.258762, -1.68486, 0.975031, 0.802285, 0.68469, 0.128044, 1.74495),
    (2.50132, 0.576882, -7.34771, 1.01037, 1.17342, -0.114264, -0.174322, 1.3926),
)
TUNED_FOR_FOUR = (
    (3.51239, -3.73014, 0.815907),
    (0.544446, 0.590694, -1.65803, 1.09549, 0.935199, 0.0864898, 0.256785, 1.68138),
    (2.24845, 0.986496, -5.51281, 0.801728, 0.881702, 0.595356, 0.419881, 0.923788),
    (2.7036, 0.0772951, -6.24695, 1.35552, 0.926297, 0.645573, 0.119606, 1.20088),
)
