"""What tuning has found: an agent, the race on fresh deals that judged it, and the history of every candidate."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from facedown.pages import facts
from facedown.tuning.questions import Answer
from facedown.tuning.space import Vector

SCHEMA = "facedown.tune/1"


@dataclass(frozen=True)
class Trial:
    """A candidate and how it fared."""

    number: int
    x: Vector
    """Its parameters."""
    against: str
    """Whom it met: incumbent, archive 3, archive of 12, champion, the other side, field, score."""
    rival: Vector | None
    """The parameters of that rival, where it was one."""
    answer: Answer
    games_so_far: int
    """Games of the whole search, this trial's included."""
    n_accepted: int
    """Steps so far."""
    accepted: bool
    """Whether a step was taken because of this trial, or another candidate is recommended since."""
    best: Vector
    """What it recommended then."""

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "number": self.number,
            "parameters": list(self.x),
            **facts(self, "against rival"),
            **facts(self.answer, "mean stderr games"),
            "verdict": self.answer.verdict or None,
            **facts(self, "accepted games_so_far best"),
        }


@dataclass(frozen=True)
class TuneResult:
    """The agent that is recommended, and why."""

    game: str
    agent: str
    """What is recommended, as any command takes it."""
    start: str
    """Where the search began."""
    found: str
    """What the search ended with; not recommended if the last race shows that the start is better."""
    names: tuple[str, ...]
    """The parameters that were moved."""
    parameters: dict[str, float]
    """Those that were moved, of the agent that is recommended."""
    start_parameters: dict[str, float]
    method: str
    settings: dict[str, Any]
    """All that the search depends on, as the first line of its file has it."""
    verdict: str
    """better, worse, practically equal, undecided, unchanged (nothing was accepted) or unfinished."""
    final: Answer | None
    """The last race: what was found against the start, on fresh deals. None if there was none."""
    history: tuple[Trial, ...] = field(repr=False)
    games: int
    """All games, the last race included."""
    steps: int
    seed: int
    seconds: float
    repeat: str
    """The command that repeats this run; empty where none can, see `only_here`."""
    only_here: str = ""
    exploitability: float | None = None
    """What a best reply wins beyond what the agent itself would, exactly; None for games that are not solved exactly."""
    file: str = ""
    """Where the run is kept."""

    @property
    def meaning(self) -> str:
        """What was shown of the agent, in words."""
        if self.verdict == "unchanged":
            return f"nothing better than {self.start} was found"
        if self.verdict == "unfinished":
            return f"unfinished: {self.found} so far, not yet compared with the start"
        return {
            "better": f"{self.found} is better than the start",
            "worse": f"the search ended with {self.found}, which is worse than the start; the start is kept",
            "practically equal": f"{self.found} and the start are practically equal",
            "undecided": f"{self.found} was found, but has not been shown to be better than the start",
        }[self.verdict]

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON has it."""
        final = self.final
        return {
            "schema": SCHEMA,
            **facts(self, "game agent parameters start start_parameters found verdict meaning"),
            **(dict.fromkeys(("mean", "stderr", "interval")) if final is None else facts(final, "mean stderr interval")),
            "final_games": 0 if final is None else final.games,
            **facts(self, "exploitability method settings games steps"),
            "trials": len(self.history),
            **facts(self, "seed seconds"),
            "repeat": self.repeat or None,
            **({"only_here": self.only_here} if self.only_here else {}),
            **({"file": self.file} if self.file else {}),
            **facts(self, "names history"),
        }

    def to_pandas(self) -> Any:
        """The history as a table, a row for each candidate; needs pandas."""
        from facedown.tuning.extras import needed

        rows = []
        for trial in self.history:
            told = trial.to_dict()
            best = dict(zip((f"best_{name}" for name in self.names), told.pop("best"), strict=True))
            told.pop("rival")
            rows.append({**dict(zip(self.names, told.pop("parameters"), strict=True)), **told, **best})
        return needed("pandas", "to_pandas").DataFrame(rows)

    def plot(self, path: str | Path | None = None) -> Any:
        """Draw parameters and scores against games; with a path (png, svg, pdf) the picture is written there."""
        from facedown.tuning.pictures import draw_history, write_picture

        figure = draw_history(self)
        return figure if path is None else write_picture(figure, path)

    def __repr__(self) -> str:
        text = f"{self.game}: {self.meaning} ({self.method}, {self.games:,} games, {self.steps:,} steps, seed {self.seed})"
        if self.final is not None:
            low, high = self.final.interval
            text += (
                f"\n  on fresh deals it scores {self.final.mean:.4f} ± {self.final.stderr:.4f} against the start, "
                f"{low:.4f} to {high:.4f} at any time, in {self.final.games:,} games"
            )
        return f"{text}\n  no command repeats it: {self.only_here}" if self.only_here else text

    def _repr_html_(self) -> str:
        cells = "".join(f"<tr><td>{escape(name)}</td><td>{value:g}</td></tr>" for name, value in self.parameters.items())
        heads = "<thead><tr><th>parameter</th><th>value</th></tr></thead>"
        return f"<p>{escape(repr(self))}</p><table>{heads}<tbody>{cells}</tbody></table>"
