"""The words of a text in Gambit's extensive form, one after the other; whatever is wrong has a line and a column."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from facedown.errors import UsageError

MAX_DIGITS = 300
"""A longer number is no number of a game, and Python would take for ever to work out 1e999999999."""

_TOKEN = re.compile(
    r"""(?P<space>\s+)
      | (?P<text>"(?:[^"\\]|\\.)*")
      | (?P<number>[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?:/\d+)?)
      | (?P<word>[A-Za-z_]+)
      | (?P<mark>[{},])""",
    re.VERBOSE | re.DOTALL | re.ASCII,
)
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
_NUMBER = re.compile(r"[+-]?(?P<digits>[\d.]+)(?:[eE](?P<exponent>[+-]?\d+))?(?:/(?P<below>\d+))?")


class EfgError(UsageError):
    """A text is not a game in Gambit's extensive form."""


class Place(NamedTuple):
    """Where something stands, counted from 1."""

    line: int
    column: int

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}"


class Token(NamedTuple):
    kind: str
    text: str
    at: int

    @property
    def shown(self) -> str:
        return self.text if len(self.text) <= 40 else f"{self.text[:37]}..."


_END_OF_FILE = "the end of the file"


class Reader:
    """Tokens one after the other, and what is wrong with them in words."""

    def __init__(self, text: str, name: str):
        self._text, self._name = text, name
        self._breaks = [match.start() for match in re.finditer("\n", text)]
        self._tokens = self._split()
        self.next = next(self._tokens)

    def _split(self) -> Iterator[Token]:
        at = 0
        while at < len(self._text):
            match = _TOKEN.match(self._text, at)
            if match is None:
                if self._text[at] == '"':
                    raise self.wrong('a text that begins with " does not end', at)
                raise self.wrong(f"{self._text[at]!r} has no meaning here", at)
            if match.lastgroup != "space":
                yield Token(match.lastgroup or "", match[0], at)
            at = match.end()
        while True:
            yield Token("end", _END_OF_FILE, len(self._text))

    def place(self, at: int) -> Place:
        line = bisect_left(self._breaks, at)
        return Place(line + 1, at - (self._breaks[line - 1] if line else -1))

    def wrong(self, problem: str, at: int | None = None) -> EfgError:
        return EfgError(f"{self._name}, {self.place(self.next.at if at is None else at)}: {problem}")

    def missing(self, wanted: str) -> EfgError:
        return self.wrong(f"{wanted} is expected, but {self.next.shown} stands here")

    def take(self) -> Token:
        token = self.next
        self.next = next(self._tokens)
        return token

    def is_mark(self, mark: str) -> bool:
        return self.next.kind == "mark" and self.next.text == mark

    def mark(self, mark: str, why: str) -> None:
        if not self.is_mark(mark):
            raise self.missing(f"'{mark}' {why}")
        self.take()

    def words(self, what: str) -> str:
        """A text in quotation marks; line breaks in it are spaces, and a quotation mark after a backslash is part of it."""
        if self.next.kind != "text":
            raise self.missing(f"{what} in quotation marks")
        if found := _CONTROL.search(self.next.text):
            raise self.wrong(f"{what} holds the control character {found[0]!r}; leave it out", self.next.at + found.start())
        return " ".join(self.take().text[1:-1].replace('\\"', '"').split())

    def number(self, what: str) -> Fraction:
        """An exact number."""
        if self.next.kind != "number":
            raise self.missing(what)
        parts = _NUMBER.fullmatch(self.next.text)
        assert parts is not None
        long = max(len(part or "") for part in (parts["digits"], parts["below"])) > MAX_DIGITS
        if long or len(parts["exponent"] or "") > 4 or abs(int(parts["exponent"] or 0)) > MAX_DIGITS:
            raise self.wrong(f"the number {self.next.shown} is too long: at most {MAX_DIGITS} digits")
        if parts["below"] is not None and (int(parts["below"]) == 0 or not parts["digits"].isdigit() or parts["exponent"]):
            raise self.wrong(f"{self.next.shown} is no fraction of two whole numbers; write it as 1/3")
        return Fraction(self.take().text)

    def index(self, what: str, least: int) -> int:
        """A whole number in plain digits."""
        if self.next.kind != "number" or not self.next.text.isdecimal() or len(self.next.text) > 9:
            raise self.missing(f"{what}, a whole number,")
        if int(self.next.text) < least:
            raise self.wrong(f"{what} is at least {least}, not {self.next.text}")
        return int(self.take().text)
