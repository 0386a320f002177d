"""Names with settings, as users write them: `kuhn(players=3)`, `mix(A=1,B=-0.5)`, `./mygame.py:GAME(size=4)`."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

from facedown.errors import UsageError
from facedown.inputs import shown

_NAME = re.compile(r"[^\s(),=]+")
_PATH = re.compile(r"[^(),=]*\.(efg|py(:[\w.]+)?)")  # only a path may have spaces in it
_KEY = re.compile(r"[A-Za-z_]\w*")
_PAIRS = {"(": ")", "[": "]"}


@dataclass(frozen=True)
class Spec:
    """A name, its unnamed values and its named values, all still as text."""

    name: str
    values: tuple[str, ...] = ()
    settings: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        inside = [*self.values, *(f"{key}={value}" for key, value in self.settings)]
        return f"{self.name}({','.join(inside)})" if inside else self.name


@dataclass(frozen=True)
class Parameter:
    """A number of an agent or of a solver's method that users set and optimisers move."""

    name: str
    default: float
    low: float
    high: float
    meaning: str
    whole: bool = False
    infinite: bool = False
    """Whether the bounds themselves, where they are infinite, are possible values."""

    def read(self, value: Any, owner: str) -> float:
        """The number for what a user wrote, or an error that says what is possible."""
        try:
            number = float(value)
        except OverflowError:  # a whole number beyond all floats
            number = math.nan
        except (TypeError, ValueError):
            raise UsageError(f"{owner}: {self.name}={value} is not a number ({self.low:g} to {self.high:g})") from None
        if not self.low <= number <= self.high or not (self.infinite or math.isfinite(number)):  # nan is outside too
            raise UsageError(
                f"{owner}: {self.name}={shown(value)} is out of bounds; it goes from {self.low:g} to {self.high:g}"
            )
        if self.whole and number != int(number):
            raise UsageError(f"{owner}: {self.name}={value} must be a whole number ({self.low:g} to {self.high:g})")
        return number


def check_name(kind: str, name: str) -> None:
    """Make sure that the name of a game or an agent can be written in a text like this."""
    if not _NAME.fullmatch(name):
        raise UsageError(f"'{name}' is no name for {kind}: it must not be empty or contain spaces, brackets, commas or '='")


def parse(text: str) -> Spec:
    """Read a name with settings.

    >>> parse("mix(A=1, B=-0.5)")
    Spec(name='mix', values=(), settings=(('A', '1'), ('B', '-0.5')))
    """
    if "\0" in text:
        raise UsageError(f"cannot read {text!r}: there is a NUL character in it")
    whole = text.strip()
    name, bracket, rest = whole.partition("(")
    if not _NAME.fullmatch(name) and not _PATH.fullmatch(name):
        raise UsageError(f"cannot read '{text}': a name comes first, such as kuhn or kuhn(players=3)")
    if not bracket:
        return Spec(name)
    if not rest.endswith(")"):
        raise UsageError(f"cannot read '{text}': the bracket that opens after '{name}' must close at the end")
    values: list[str] = []
    settings: dict[str, str] = {}
    for part in _split(rest[:-1], text):
        key, equals, value = part.partition("=")
        if not equals or not _KEY.fullmatch(key.strip()):
            if settings:
                raise UsageError(f"cannot read '{text}': '{part}' has no name, but comes after a named value")
            values.append(part)
        elif key.strip() in settings:
            raise UsageError(f"cannot read '{text}': '{key.strip()}' is given twice")
        elif not value.strip():
            raise UsageError(f"cannot read '{text}': '{key.strip()}=' has no value")
        else:
            settings[key.strip()] = value.strip()
    return Spec(name, tuple(values), tuple(settings.items()))


def split(text: str) -> list[str]:
    """Names with settings, as users write several of them.

    >>> split("trustful, lookahead(rollouts=60,bias=0.1)")
    ['trustful', 'lookahead(rollouts=60,bias=0.1)']
    """
    return _split(text, text)


def _split(inside: str, text: str) -> list[str]:
    """The parts between commas, leaving brackets inside them alone."""
    if not inside.strip():
        return []
    parts, closing, part = [], [], ""
    for letter in inside:
        if letter in _PAIRS:
            closing.append(_PAIRS[letter])
        elif letter in _PAIRS.values() and (not closing or closing.pop() != letter):
            raise UsageError(f"cannot read '{text}': a '{letter}' closes nothing")
        if letter == "," and not closing:
            parts.append(part.strip())
            part = ""
        else:
            part += letter
    if closing:
        raise UsageError(f"cannot read '{text}': a '{closing[-1]}' is missing")
    parts.append(part.strip())
    if not all(parts):
        raise UsageError(f"cannot read '{text}': there is nothing between two commas")
    return parts
