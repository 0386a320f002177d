"""A document with its claims and the plots that go with them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from facedown.errors import UsageError
from facedown.papers.claims import Claim

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

    from facedown.papers.laboratory import Laboratory


@dataclass(frozen=True)
class Drawing:
    """A plot with its numbers in it, ready to be drawn."""

    caption: str
    """What is to be seen, with the numbers of games and the seed."""
    alt: str
    """The same for those who do not see it."""
    draw: Callable[[Canvas], None]


@dataclass(frozen=True)
class Plot:
    """A plot that can be made when its numbers are measured."""

    id: str
    title: str
    height: float
    """In inches; all plots have the same width."""
    gather: Callable[[Laboratory], Drawing]


@dataclass(frozen=True)
class Passage:
    """A piece of text with figures in it, such as a strategy in words, line by line."""

    id: str
    title: str
    gather: Callable[[Laboratory], str]


@dataclass(frozen=True)
class Paper:
    """A source document."""

    name: str
    title: str
    citation: str
    about: str
    """What the claims are about, in some sentences."""
    claims: tuple[Claim, ...]
    plots: tuple[Plot, ...] = ()
    passages: tuple[Passage, ...] = ()
    beside: Mapping[str, str] = field(default_factory=dict)
    """By the id of a plot: the claim or the passage that it belongs to. Other plots stand at the end."""
    seconds: tuple[float, float] = (0.0, 0.0)
    """About how long it takes on two idle cores, compiled before, quickly and in full; 0 if nobody knows."""

    def __post_init__(self) -> None:
        ids = [claim.id for claim in self.claims]
        for claim in self.claims:
            if claim.paper != self.name:
                raise UsageError(f"claim '{claim.id}' says that it is of paper '{claim.paper}', but is listed in '{self.name}'")
            if ids.count(claim.id) > 1:
                raise UsageError(f"paper '{self.name}' has two claims with the id '{claim.id}'; ids are unique")
        places = {*ids, *(passage.id for passage in self.passages)}
        for plot, place in self.beside.items():
            if plot not in {known.id for known in self.plots} or place not in places:
                raise UsageError(f"paper '{self.name}' wants the plot '{plot}' beside '{place}', and does not have both")

    def to_dict(self) -> dict[str, Any]:
        """What it is and how long it takes, as JSON has it."""
        quick, full = self.seconds
        facts = {"name": self.name, "title": self.title, "citation": self.citation, "claims": len(self.claims)}
        return {**facts, "seconds": {"quick": quick or None, "full": full or None}}

    @property
    def steps(self) -> int:
        """How many figures, plots and passages have to be measured."""
        return sum(claim.steps for claim in self.claims) + len(self.plots) + len(self.passages)
