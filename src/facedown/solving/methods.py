"""The methods of the solvers: their names, their parameters, and what each does with regrets."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from facedown import specs
from facedown.errors import UsageError, unknown

DEFAULT_METHOD = "pdcfr+"


def number_text(value: float) -> str:
    """A number as short as it can be written without losing a digit.

    >>> number_text(2.0), number_text(0.1), number_text(1 / 3)
    ('2', '0.1', '0.3333333333333333')
    """
    short = f"{value:g}"
    return short if float(short) == value else repr(value)


@dataclass(frozen=True)
class MethodParameter:
    """A number that a method can be given."""

    default: float
    low: float
    high: float
    meaning: str

    def read(self, value: Any, owner: str, name: str) -> float:
        """The number for what a user wrote, or an error that says what is possible."""
        try:
            number = float(value)
        except (TypeError, ValueError):
            raise UsageError(f"{owner}: {name}={value} is not a number ({self.low:g} to {self.high:g})") from None
        if not self.low <= number <= self.high:  # put this way, nan is outside too
            raise UsageError(
                f"{owner}: {name}={number_text(number)} is out of bounds; it goes from {self.low:g} to {self.high:g}"
            )
        return number


@dataclass(frozen=True)
class MethodKind:
    """One of the methods, before its parameters are set."""

    name: str
    meaning: str
    source: str
    average: float
    """The strategy of iteration t has the weight t^average in the average, unless the method has a gamma."""
    discount: str = ""
    floor: bool = False
    prediction: bool = False
    parameters: Mapping[str, MethodParameter] = field(default_factory=dict)
    sampled: bool = False
    """Plays sampled games on the rules themselves; no tree is needed."""


_INFINITE = math.inf
_GAMMA = "the strategy of iteration t has the weight t^gamma in the average"
_EXPLORATION = MethodParameter(0.6, 0.001, 1.0, "how often the player who learns plays an action at random")
_PLUS = MethodParameter(0, 0, 1, "1: regrets that fall below 0 are set to 0")

KINDS = {
    kind.name: kind
    for kind in (
        MethodKind("cfr", "counterfactual regret, uniform average", "Zinkevich et al. 2007", 0.0),
        MethodKind("cfr+", "no negative regrets, linear average", "Tammelin 2014", 1.0, floor=True),
        MethodKind("lcfr", "old regrets and strategies count less, linearly", "Brown & Sandholm 2019", 1.0, discount="linear"),
        MethodKind(
            "dcfr",
            "old regrets are discounted by powers of t",
            "Brown & Sandholm 2019",
            2.0,
            discount="power",
            parameters={
                "alpha": MethodParameter(1.5, -_INFINITE, _INFINITE, "the power for regrets above 0"),
                "beta": MethodParameter(0.0, -_INFINITE, _INFINITE, "the power for the others"),
                "gamma": MethodParameter(2.0, 0.0, 50.0, _GAMMA),
            },
        ),
        MethodKind(
            "pcfr+",
            "the last regret predicts the next, quadratic average",
            "Farina, Kroer & Sandholm 2021",
            2.0,
            floor=True,
            prediction=True,
        ),
        MethodKind(
            "pdcfr+",
            "prediction and discounts",
            "Xu et al. 2024",
            5.0,
            discount="power",
            floor=True,
            prediction=True,
            parameters={
                "alpha": MethodParameter(2.3, -_INFINITE, _INFINITE, "the power for old regrets"),
                "gamma": MethodParameter(5.0, 0.0, 50.0, _GAMMA),
            },
        ),
        MethodKind(
            "chance-sampling",
            "chance is drawn for each iteration, players go full width",
            "Zinkevich et al. 2007",
            0.0,
            parameters={"plus": _PLUS},
            sampled=True,
        ),
        MethodKind(
            "external-sampling",
            "chance and the others are drawn",
            "Lanctot et al. 2009",
            0.0,
            parameters={"plus": _PLUS},
            sampled=True,
        ),
        MethodKind(
            "outcome-sampling",
            "single games are drawn",
            "Lanctot et al. 2009",
            0.0,
            parameters={"epsilon": _EXPLORATION, "plus": _PLUS},
            sampled=True,
        ),
    )
}


@dataclass(frozen=True)
class Method:
    """A method with its parameters set."""

    kind: MethodKind
    parameters: Mapping[str, float]
    average: float
    """The strategy of iteration t has the weight t^average in the average."""

    def __str__(self) -> str:
        """As a user writes it: parameters where they are not the default."""
        known = self.kind.parameters
        changed = [f"{name}={number_text(value)}" for name, value in self.parameters.items() if value != known[name].default]
        return f"{self.kind.name}({','.join(changed)})" if changed else self.kind.name

    @property
    def usual_average(self) -> float:
        """The weight in the average that the method has by itself."""
        return self.parameters.get("gamma", self.kind.average)


def find_method(text: str, average: float | None = None, **given: Any) -> Method:
    """The method of this name, such as cfr+ or dcfr(alpha=2), with parameters in the text or beside it."""
    if not isinstance(text, str):
        raise UsageError(f"a method is a name, not {type(text).__name__}; known: {', '.join(KINDS)}")
    read = specs.parse(text)
    if read.name not in KINDS:
        raise unknown("method", read.name, KINDS)
    kind = KINDS[read.name]
    if read.values:
        raise UsageError(f"cannot read '{text}': parameters have names, such as dcfr(alpha=1.5)")
    for name in given:
        if name in dict(read.settings):
            raise UsageError(f"'{name}' is given twice, in '{text}' and beside it")
    settings: dict[str, Any] = {**dict(read.settings), **given}
    for name in settings:
        if name not in kind.parameters:
            raise unknown(f"parameter of {kind.name}", name, kind.parameters)
    parameters = {
        name: parameter.read(settings[name], kind.name, name) if name in settings else parameter.default
        for name, parameter in kind.parameters.items()
    }
    method = Method(kind, parameters, parameters.get("gamma", kind.average))
    if average is None:
        return method
    weight = MethodParameter(0.0, 0.0, 50.0, "").read(average, kind.name, "average")
    return Method(kind, parameters, weight)
