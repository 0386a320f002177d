"""Claims: what a document states, what we measure, and how the two are judged.

The rule, for all claims alike: a figure of ours fits a published one if

    |published - ours| <= 4 * sqrt(published error^2 + our error^2) + our bound + half a unit of the last published digit

with standard errors, which are 0 for what is counted or derived exactly, and the proved bound of what is computed to a
precision, 0 for all else. Where the question is whether ours is at least as good, a figure above the published one fits
too. Then the verdicts are

- agrees: our figure fits;
- corrected: it does not, since the document is wrong or inconsistent; one sentence says why, and our figure is the
  right one (it must itself fit what that sentence derives, where it derives a number);
- differs: neither; open.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from facedown.errors import UsageError
from facedown.pages import facts

if TYPE_CHECKING:
    from facedown.papers.laboratory import Laboratory

N_ERRORS = 4
RULE = (
    f"A figure fits a published one if they lie no further apart than {N_ERRORS} joint standard errors plus half a unit of "
    "the last published digit, and the proved bound of a figure that is computed to a precision; where ours is to be at least "
    "as good, also if it lies above."
)
_PRINTED = re.compile(r"(-?)(\d+)(?:[.,](\d+))?\s*(%?)")
_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


class Verdict(StrEnum):
    """How a claim came out."""

    AGREES = "agrees"
    CORRECTED = "corrected"
    DIFFERS = "differs"


@dataclass(frozen=True)
class Published:
    """A number as a document prints it."""

    text: str
    value: float
    unit: float = 0.0
    """One unit of the last printed digit; 0 for a number that is meant exactly."""
    stderr: float = 0.0
    """The standard error that the document gives; 0 where it gives none."""

    @classmethod
    def printed(cls, text: str, stderr: float = 0.0) -> Published:
        """A rounded number: its last digit tells how far to trust it.

        >>> Published.printed("70 %")
        Published(text='70 %', value=0.7, unit=0.01, stderr=0.0)
        """
        match = _PRINTED.fullmatch(text.strip())
        if not match:
            raise UsageError(f"cannot read '{text}' as a printed number, such as 0.5416 or 70 %")
        sign, whole, decimals, percent = match[1], match[2], match[3] or "", match[4]
        digits = len(decimals) + (2 if percent else 0)
        return cls(text, float(Fraction(int(f"{sign}{whole}{decimals}"), 10**digits)), float(Fraction(1, 10**digits)), stderr)

    @classmethod
    def exact(cls, text: str) -> Published:
        """A count, or a number that is derived and not measured.

        >>> Published.exact("1/8").value
        0.125
        """
        try:
            return cls(text, float(Fraction(text.replace(",", ""))))
        except (ValueError, ZeroDivisionError):
            raise UsageError(f"cannot read '{text}' as an exact number, such as 936 or -1/18") from None

    @property
    def percent(self) -> bool:
        """Whether it is printed in per cent."""
        return self.text.endswith("%")

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {"text": self.text, "value": self.value, "unit": self.unit, "stderr": self.stderr}


@dataclass(frozen=True)
class Figure:
    """A number that we measured or counted, and how to get it again."""

    value: float
    stderr: float
    """Standard error; 0 for what is exact."""
    games: int
    """How many games it took; 0 for what is exact."""
    seed: int | None
    repeat: str
    """The command line that gives this figure again."""
    exact: str = ""
    """How to write an exact number: 9,457 or 1/8."""
    bound: float = 0.0
    """How far a number that was computed to a precision can be from the true one, by a proof."""
    work: str = ""
    """What a number took that was neither counted nor played: "1,000 iterations"."""

    def __post_init__(self) -> None:
        if not math.isfinite(self.value) or not (math.isfinite(self.stderr) and self.stderr >= 0):
            raise UsageError(f"a figure cannot be {self.value} ± {self.stderr}; both must be finite, the error not negative")
        if [self.games > 0, bool(self.exact), bool(self.work)].count(True) != 1:
            raise UsageError("a figure is counted exactly, and written so, or computed with some work, or measured in games")

    @classmethod
    def counted(cls, value: int | Fraction, repeat: str) -> Figure:
        """An exact number."""
        return cls(float(value), 0.0, 0, None, repeat, f"{value:,}" if isinstance(value, int) else str(value))

    @classmethod
    def computed(cls, value: float, bound: float, work: str, repeat: str, seed: int | None = None) -> Figure:
        """A number computed to a precision."""
        return cls(value, 0.0, 0, seed, repeat, bound=bound, work=work)

    def shown(self, percent: bool = False) -> str:
        """The number alone, to the digits that its error allows: 69.51 %."""
        return self._write(percent, with_error=False)

    def with_error(self, percent: bool = False) -> str:
        """The number with its standard error, to two digits of the error: 69.51 ± 0.13 %."""
        return self._write(percent, with_error=True)

    def _write(self, percent: bool, with_error: bool) -> str:
        if self.exact:
            return self.exact
        scale, sign = (100, " %") if percent else (1, "")
        value, error = self.value * scale, self.stderr * scale
        if self.work:
            return f"{value:.9g}" + (f" ± {self.bound * scale:.1g}" if with_error and self.bound else "") + sign
        n_digits = min(max(1 - math.floor(math.log10(error)), 0), 9) if error > 0 else 4
        return f"{value:.{n_digits}f}" + (f" ± {error:.{n_digits}f}" if with_error else "") + sign

    @property
    def effort(self) -> str:
        """What it took: the number of games and the seed, the work, or that it is exact."""
        if self.work:
            return self.work if self.seed is None else f"{self.work}, seed {self.seed}"
        return f"{self.games:,} games, seed {self.seed}" if self.games else "exact"

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        figure = {"value": self.value, "stderr": self.stderr, "games": self.games, "seed": self.seed, "repeat": self.repeat}
        return figure | {"exact": self.exact or None, "bound": self.bound, "work": self.work or None}


Measure = Callable[["Laboratory"], Figure]


def tolerance(published: Published, figure: Figure) -> float:
    """How far apart the two may lie."""
    return N_ERRORS * math.hypot(published.stderr, figure.stderr) + figure.bound + published.unit / 2


def fits(published: Published, figure: Figure, at_least: bool = False) -> bool:
    """The rule of this page. The last term forgives the rounding of floats, nothing else."""
    if at_least and figure.value > published.value:
        return True
    return abs(published.value - figure.value) <= tolerance(published, figure) + 1e-12 * max(1.0, abs(published.value))


@dataclass(frozen=True)
class Correction:
    """Why a document is wrong, in one sentence; the figures of readings are put in where it names them in braces."""

    why: str
    right: Published | None = None
    """The number that the sentence derives, if it does; our figure must fit it."""

    def __post_init__(self) -> None:
        if not is_sentence(self.why):
            raise UsageError(f"a correction needs a sentence that says why, with a full stop; got '{self.why}'")


@dataclass(frozen=True)
class Reading:
    """Another way to understand a claim, or a figure beside it, measured as well."""

    key: str
    text: str
    measure: Measure
    rival: bool = True
    """Whether the published number could be meant to be this one."""


@dataclass(frozen=True)
class Claim:
    """One statement of a document."""

    id: str
    paper: str
    where: str
    """Its place in the document, or the reference where the number stands instead."""
    says: str
    """The statement, in one English sentence."""
    published: Published
    measure: Measure
    correction: Correction | None = None
    readings: tuple[Reading, ...] = ()
    note: str = ""
    """A sentence that is shown with the verdict, whatever it is."""
    at_least: bool = False
    """Whether ours is to be as good or better, and not the same."""

    def __post_init__(self) -> None:
        if not _ID.fullmatch(self.id):
            raise UsageError(f"claim '{self.id}': an id is lower-case words with hyphens, such as war-descending-shuffled")
        for name in ("says", "note"):
            text = getattr(self, name)
            if not is_sentence(text) and (text or name == "says"):
                raise UsageError(f"claim '{self.id}': '{name}' must be a sentence with a full stop; got '{text}'")
        if not self.where.strip() or not self.paper.strip():
            raise UsageError(f"claim '{self.id}' does not say where it stands; give 'paper' and 'where'")
        keys = [reading.key for reading in self.readings]
        if len(set(keys)) != len(keys):
            raise UsageError(f"claim '{self.id}': two readings have the same key ({', '.join(keys)})")

    @property
    def steps(self) -> int:
        """How many figures have to be measured."""
        return 1 + len(self.readings)

    def judge(self, laboratory: Laboratory) -> Judged:
        """Measure it, and its readings, and compare."""
        figure = laboratory.measure(self.id, self.measure)
        readings = tuple(
            JudgedReading(reading, found, reading.rival and fits(self.published, found))
            for reading in self.readings
            for found in [laboratory.measure(f"{self.id}: {reading.text}", reading.measure)]
        )
        return Judged(self, figure, readings, verdict_of(self.published, figure, self.correction, self.at_least))


@dataclass(frozen=True)
class Place:
    """A place in a document, or a reference, where claims stand."""

    paper: str
    where: str
    """In words; with braces if it quotes the document."""

    def quoting(self, *words: str) -> Place:
        """The same place, with the document's own words."""
        return Place(self.paper, self.where.format(*words))

    def claim(self, id: str, says: str, published: Published, measure: Measure, **more: Any) -> Claim:
        """What the document says there; `more` is whatever else a claim has."""
        return Claim(id, self.paper, self.where, says, published, measure, **more)

    def exact(self, id: str, says: str, number: str, measure: Measure, **more: Any) -> Claim:
        """A claim on a count, or on a number that is derived."""
        return self.claim(id, says, Published.exact(number), measure, **more)

    def printed(self, id: str, says: str, number: str, measure: Measure, **more: Any) -> Claim:
        """A claim on a number that is rounded to its last digit."""
        return self.claim(id, says, Published.printed(number), measure, **more)


def verdict_of(published: Published, figure: Figure, correction: Correction | None = None, at_least: bool = False) -> Verdict:
    """Judge a figure of ours beside a published one."""
    if fits(published, figure, at_least):
        return Verdict.AGREES
    if correction and (correction.right is None or fits(correction.right, figure)):
        return Verdict.CORRECTED
    return Verdict.DIFFERS


@dataclass(frozen=True)
class JudgedReading:
    """A reading with its figure, and whether the published number fits that figure."""

    reading: Reading
    figure: Figure
    fits: bool


@dataclass(frozen=True)
class Judged:
    """A claim with what we found."""

    claim: Claim
    figure: Figure
    readings: tuple[JudgedReading, ...]
    verdict: Verdict

    @property
    def sentence(self) -> str:
        """Why the verdict is what it is; empty where the numbers say it all."""
        claim, parts = self.claim, []
        if self.verdict is Verdict.CORRECTED and claim.correction:
            parts.append(claim.correction.why.format_map(self._named_figures()))
        elif self.verdict is Verdict.DIFFERS:
            apart, allowed = abs(claim.published.value - self.figure.value), tolerance(claim.published, self.figure)
            parts.append(f"The figures lie {apart:.4g} apart, and {allowed:.4g} would be allowed; open.")
        if claim.note:
            parts.append(claim.note.format_map(self._named_figures()))
        return " ".join(parts)

    def _named_figures(self) -> dict[str, str]:
        percent = self.claim.published.percent
        return {judged.reading.key: judged.figure.shown(percent) for judged in self.readings}

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        claim = self.claim
        return {
            **facts(claim, "id where says published"),
            "ours": self.figure.to_dict(),
            "tolerance": tolerance(claim.published, self.figure),
            "at_least": claim.at_least,
            "verdict": str(self.verdict),
            "sentence": self.sentence,
            "readings": [
                {
                    "text": judged.reading.text,
                    "ours": judged.figure.to_dict(),
                    "fits": judged.fits if judged.reading.rival else None,
                }
                for judged in self.readings
            ],
        }


def is_sentence(text: str) -> bool:
    """Whether a text has words and ends like a sentence."""
    return len(text.split()) > 2 and text.strip().endswith((".", "?", "!"))
