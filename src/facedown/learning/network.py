"""Fitting a network with one hidden layer of rectified units to values: Adam (Kingma & Ba 2015) on batches, in NumPy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

_DECAY_1, _DECAY_2, TINY = 0.9, 0.999, 1e-8


@dataclass
class Network:
    """inputs -> rectified hidden units -> one number."""

    inputs: Array
    """By input and hidden unit."""
    thresholds: Array
    outputs: Array
    constant: Array

    @classmethod
    def fresh(cls, n_inputs: int, n_hidden: int, n_active: int, generator: np.random.Generator) -> Network:
        """Small random numbers; `n_active` inputs are 1 at a time."""
        scale = np.float32(1.0 / np.sqrt(n_active))
        return cls(
            generator.standard_normal((n_inputs, n_hidden), np.float32) * scale,
            np.zeros(n_hidden, np.float32),
            generator.standard_normal(n_hidden, np.float32) * np.float32(1.0 / np.sqrt(n_hidden)),
            np.zeros(1, np.float32),
        )

    @property
    def parts(self) -> tuple[Array, Array, Array, Array]:
        return self.inputs, self.thresholds, self.outputs, self.constant

    def flat(self) -> Array:
        """All numbers, one after the other."""
        return np.concatenate([part.reshape(-1) for part in self.parts])

    @classmethod
    def from_flat(cls, numbers: Array, n_inputs: int, n_hidden: int) -> Network:
        ends = np.cumsum([n_inputs * n_hidden, n_hidden, n_hidden])
        inputs, thresholds, outputs, constant = np.split(numbers.astype(np.float32), ends)
        return cls(inputs.reshape(n_inputs, n_hidden).copy(), thresholds.copy(), outputs.copy(), constant.copy())

    def __call__(self, examples: Array) -> Array:
        """The outputs for rows of inputs."""
        hidden = np.maximum(examples @ self.inputs + self.thresholds, 0.0)
        return np.asarray(hidden @ self.outputs + self.constant)


def fit(
    network: Network,
    examples: Array,
    values: Array,
    generator: np.random.Generator,
    *,
    epochs: int,
    batch: int = 512,
    rate: float = 3e-3,
) -> float:
    """Let the network learn the values of examples, by least squares; the root of the mean squared error at the end.

    The rate falls to nothing as a cosine.
    """
    first = [np.zeros_like(part) for part in network.parts]
    second = [np.zeros_like(part) for part in network.parts]
    n, step, n_steps = len(values), 0, epochs * -(-len(values) // batch)
    for _ in range(epochs):
        order = generator.permutation(n)
        for start in range(0, n, batch):
            chosen = order[start : start + batch]
            step += 1
            now = rate * 0.5 * (1 + np.cos(np.pi * step / n_steps))
            correction = now * np.sqrt(1 - _DECAY_2**step) / (1 - _DECAY_1**step)
            for at, slope in enumerate(_slopes(network, examples[chosen], values[chosen])):
                first[at] += (1 - _DECAY_1) * (slope - first[at])
                second[at] += (1 - _DECAY_2) * (slope * slope - second[at])
                network.parts[at][...] -= np.float32(correction) * first[at] / (np.sqrt(second[at]) + np.float32(TINY))
    return float(np.sqrt(np.mean((network(examples) - values) ** 2)))


def _slopes(network: Network, examples: Array, values: Array) -> tuple[Array, Array, Array, Array]:
    """How half the mean squared error changes with each number of the network."""
    before = examples @ network.inputs + network.thresholds
    hidden = np.maximum(before, 0.0)
    errors = (hidden @ network.outputs + network.constant - values) / np.float32(len(values))
    back = errors[:, None] * network.outputs * (before > 0)
    return examples.T @ back, back.sum(0), hidden.T @ errors, errors.sum(keepdims=True)
