"""Why an agent moved as it did: the same object in transcripts, on the terminal and on the page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

from facedown.errors import UsageError

Kind = Literal["forced", "rule", "value", "mixed"]
"""There was no choice worth the name; a rule applied; it seemed worth most; it was drawn, with these probabilities."""


@dataclass(frozen=True)
class Choice:
    """One of the moves that were thought about. What is not known of it is None."""

    action: int
    name: str
    """The move in words."""
    value: float | None = None
    stderr: float | None = None
    """Of the value."""
    probability: float | None = None
    """With which it was played."""
    count: int | None = None
    """How often it was tried."""

    def __str__(self) -> str:
        words = self.name
        if self.value is not None:
            words += f" {self.value:.4g}" + (f" ± {self.stderr:.2g}" if self.stderr is not None else "")
        if self.probability is not None:
            words += f" {self.probability:.1%}"
        return words + (f" in {self.count:,}" if self.count is not None else "")


@dataclass(frozen=True)
class Reason:
    """A kind, words, and the moves that were compared, the one that was thought best first.

    >>> print(Reason("mixed", "by its table:", (Choice(1, "bet", probability=0.25), Choice(0, "pass", probability=0.75))))
    by its table: bet 25.0%; pass 75.0%
    """

    kind: Kind
    words: str
    options: tuple[Choice, ...] = ()

    def __post_init__(self) -> None:
        if self.kind not in get_args(Kind):
            raise UsageError(f"a reason is of the kind {', '.join(get_args(Kind))}, not '{self.kind}'")

    def __str__(self) -> str:
        return f"{self.words} {'; '.join(map(str, self.options))}" if self.options else self.words

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON has it."""
        return {"kind": self.kind, "words": self.words, "options": [dict(vars(option)) for option in self.options]}
