"""The methods of the solvers: their names, their parameters, and what each does with regrets."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from facedown import specs
from facedown.errors import UsageError, unknown
from facedown.specs import Parameter

DEFAULT_METHOD = "pdcfr+"


def number_text(value: float) -> str:
    """A number as short as it can be written without losing a digit.

    >>> number_text(2.0), number_text(0.1), number_text(1 / 3)
    ('2', '0.1', '0.3333333333333333')
    """
    short = f"{value:g}"
    return short if float(short) == value else repr(value)


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
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    sampled: bool = False
    """Plays sampled games on the rules themselves; no tree is needed."""


def _named(*parameters: Parameter) -> dict[str, Parameter]:
    return {parameter.name: parameter for parameter in parameters}


def _power(name: str, default: float, meaning: str) -> Parameter:
    return Parameter(name, default, -math.inf, math.inf, meaning, infinite=True)


_GAMMA = "the strategy of iteration t has the weight t^gamma in the average"
_EXPLORATION = Parameter("epsilon", 0.6, 0.001, 1.0, "how often the player who learns plays an action at random")
_PLUS = Parameter("plus", 0, 0, 1, "1: regrets that fall below 0 are set to 0")

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
            parameters=_named(
                _power("alpha", 1.5, "the power for regrets above 0"),
                _power("beta", 0.0, "the power for the others"),
                Parameter("gamma", 2.0, 0.0, 50.0, _GAMMA),
            ),
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
            parameters=_named(
                _power("alpha", 2.3, "the power for old regrets"),
                Parameter("gamma", 5.0, 0.0, 50.0, _GAMMA),
            ),
        ),
        MethodKind(
            "chance-sampling",
            "chance is drawn for each iteration, players go full width",
            "Zinkevich et al. 2007",
            0.0,
            parameters=_named(_PLUS),
            sampled=True,
        ),
        MethodKind(
            "external-sampling",
            "chance and the others are drawn",
            "Lanctot et al. 2009",
            0.0,
            parameters=_named(_PLUS),
            sampled=True,
        ),
        MethodKind(
            "outcome-sampling",
            "single games are drawn",
            "Lanctot et al. 2009",
            0.0,
            parameters=_named(_EXPLORATION, _PLUS),
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
        name: parameter.read(settings[name], kind.name) if name in settings else parameter.default
        for name, parameter in kind.parameters.items()
    }
    method = Method(kind, parameters, parameters.get("gamma", kind.average))
    if average is None:
        return method
    return Method(kind, parameters, Parameter("average", 0.0, 0.0, 50.0, "").read(average, kind.name))
