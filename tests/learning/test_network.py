"""The small network that learns: slopes against differences, and fitting against what can be known."""

from __future__ import annotations

import numpy as np

from facedown.learning.network import Network, _slopes, fit


def test_slopes_are_those_of_half_the_mean_squared_error() -> None:
    generator = np.random.default_rng(1)
    network = Network.fresh(7, 5, 7, generator)
    network = Network(*(part.astype(np.float64) for part in network.parts))
    examples, values = generator.standard_normal((11, 7)), generator.standard_normal(11)

    def error() -> float:
        return float(np.mean((network(examples) - values) ** 2)) / 2

    for part, slopes in zip(network.parts, _slopes(network, examples, values), strict=True):
        for at in np.ndindex(part.shape):
            kept, step = part[at], 1e-6
            part[at] = kept + step
            above = error()
            part[at] = kept - step
            below = error()
            part[at] = kept
            assert abs((above - below) / (2 * step) - slopes[at]) < 1e-6


def test_it_learns_what_a_network_can_say() -> None:
    generator = np.random.default_rng(2)
    teacher, pupil = Network.fresh(12, 4, 12, generator), Network.fresh(12, 32, 12, generator)
    examples = generator.standard_normal((2000, 12)).astype(np.float32)
    values = teacher(examples).astype(np.float32)
    before = float(np.std(values))
    after = fit(pupil, examples, values, generator, epochs=60, batch=128)
    assert after < 0.15 * before


def test_flat_and_back() -> None:
    network = Network.fresh(6, 3, 6, np.random.default_rng(3))
    again = Network.from_flat(network.flat(), 6, 3)
    assert all(np.array_equal(one, other) for one, other in zip(network.parts, again.parts, strict=True))
