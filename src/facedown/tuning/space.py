"""The parameters that are moved: where they begin, how far they may go, and how large a step is.

Steps are counted in units of a parameter's scale: 1 for ranges from 6 to 40 wide, as in the source, a sixth of what is
narrower, a fortieth of what is wider. Candidates lie within the bounds, so that an optimum in a corner is a place that can be
reached, and have six significant digits, so that what is printed is what has played.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from facedown.agents.contract import Agent
from facedown.errors import UsageError, unknown
from facedown.specs import Parameter

Vector = tuple[float, ...]

_DIGITS = 6
_NARROW, WIDE = 6.0, 40.0


@dataclass(frozen=True)
class Space:
    """An agent and those of its parameters that are moved, with the bounds of the search."""

    agent: Agent
    """As it was given: the parameters that are not moved keep its values."""
    parameters: tuple[Parameter, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters that are moved, in their order."""
        return tuple(parameter.name for parameter in self.parameters)

    @property
    def start(self) -> Vector:
        """Where the agent stands."""
        return self.within([self.agent.values[name] for name in self.names])

    @property
    def low(self) -> np.ndarray[Any, Any]:
        """The lower bounds."""
        return np.array([parameter.low for parameter in self.parameters])

    @property
    def high(self) -> np.ndarray[Any, Any]:
        """The upper bounds."""
        return np.array([parameter.high for parameter in self.parameters])

    @property
    def scales(self) -> np.ndarray[Any, Any]:
        """How large a step of length 1 is, for each parameter."""
        return np.array([_scale(parameter) for parameter in self.parameters])

    def within(self, numbers: Sequence[float] | np.ndarray[Any, Any]) -> Vector:
        """The nearest candidate: within bounds, whole where it must be, and as many digits as are printed."""
        return tuple(_nearest(parameter, float(number)) for parameter, number in zip(self.parameters, numbers, strict=True))

    def moved(self, x: Vector, step: np.ndarray[Any, Any]) -> Vector:
        """A candidate this many scales away."""
        return self.within(np.array(x) + self.scales * step)

    def agent_at(self, x: Vector) -> Agent:
        """The agent with these parameters."""
        return self.agent(**dict(zip(self.names, x, strict=True)))

    def params(self, x: Vector) -> list[float]:
        """All parameters of the agent, those included that are not moved."""
        values = {**self.agent.values, **dict(zip(self.names, x, strict=True))}
        return [values[parameter.name] for parameter in self.agent.parameters]


def space_of(agent: Agent, only: Sequence[str] | None, bounds: Mapping[str, tuple[float, float]]) -> Space:
    """The space of an agent's parameters; `only` names those that are moved, `bounds` narrows their ranges."""
    known = {parameter.name: parameter for parameter in agent.parameters}
    if not known:
        raise UsageError(f"agent {agent.name} has no parameters, so there is nothing to tune; choose one that has")
    chosen = list(known) if only is None else list(only)
    if not chosen:
        raise UsageError(f"no parameter of {agent.name} is left to tune; name some of {', '.join(known)}")
    for name in (*chosen, *bounds):
        if name not in known:
            raise unknown(f"parameter of {agent.name}", name, known)
    if len(set(chosen)) < len(chosen):
        raise UsageError(f"a parameter is named twice among {', '.join(chosen)}")
    if stray := next((name for name in bounds if name not in chosen), ""):
        raise UsageError(f"bounds are given for {stray}, which is not tuned; tune it, or leave its bounds out")
    moved = [_bounded(known[name], bounds.get(name), agent) for name in known if name in chosen]
    return Space(agent, tuple(moved))


def _bounded(parameter: Parameter, wanted: tuple[float, float] | None, agent: Agent) -> Parameter:
    """A parameter with the range in which it is searched."""
    name = f"bounds of {parameter.name}"
    if wanted is not None:
        try:
            low, high = (parameter.read(bound, name) for bound in wanted)
        except (TypeError, ValueError) as problem:
            if isinstance(problem, UsageError):
                raise
            raise UsageError(f"{name}: {wanted} is not a pair of numbers, the lower and the upper bound") from None
        if not low < high:
            raise UsageError(f"{name}: {low:g} to {high:g} leaves nothing to search; the lower bound comes first")
        parameter = replace(parameter, low=low, high=high)
    if not (math.isfinite(parameter.low) and math.isfinite(parameter.high)):
        raise UsageError(f"{parameter.name} of {agent.name} may be infinite; say where to look with bounds of your own")
    value = agent.values[parameter.name]
    if not parameter.low <= value <= parameter.high:
        raise UsageError(
            f"{name}: the search begins at {parameter.name}={value:g}, which is outside {parameter.low:g} to "
            f"{parameter.high:g}; begin within, as in {agent.name}({parameter.name}={parameter.low:g})"
        )
    return parameter


def _scale(parameter: Parameter) -> float:
    width = parameter.high - parameter.low
    return max(min(1.0, width / _NARROW), width / WIDE)


def _nearest(parameter: Parameter, number: float) -> float:
    if math.isnan(number):
        number = parameter.default
    number = min(max(number, parameter.low), parameter.high)
    if parameter.whole:
        return float(min(max(round(number), math.ceil(parameter.low)), math.floor(parameter.high)))
    # rounding may step over a bound that has more digits than this
    return min(max(float(f"{number:.{_DIGITS}g}"), parameter.low), parameter.high)
