"""Pictures of a run of tuning: where the parameters went, and how candidates fared, against games."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from facedown.errors import UsageError
from facedown.files import place_for, user_path

if TYPE_CHECKING:
    from facedown.tuning.result import TuneResult

COLOURS = ("#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#bbbbbb")  # Tol's, told apart by everybody
_FORMATS = (".png", ".svg", ".pdf")


def draw_history(result: TuneResult) -> Any:
    """Two panels that share their games: parameters of what was best, and scores of all candidates."""
    from matplotlib.figure import Figure

    figure: Any = Figure(figsize=(10, 7), layout="constrained")
    above, below = figure.subplots(2, 1, sharex=True)
    _draw_parameters(result, above)
    _draw_scores(result, below)
    for axes in (above, below):
        axes.grid(visible=True, alpha=0.3)
        axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
    figure.suptitle(f"{result.game}, {result.method}: {result.verdict}, {result.games:,} games, seed {result.seed}")
    return figure


def _draw_parameters(result: TuneResult, axes: Any) -> None:
    games = [0, *(trial.games_so_far for trial in result.history)]
    for number, name in enumerate(result.names):
        values = [result.start_parameters[name], *(trial.best[number] for trial in result.history)]
        dashes = ("-", "--", ":")[number // len(COLOURS) % 3]
        axes.plot(games, values, dashes, drawstyle="steps-post", color=COLOURS[number % len(COLOURS)], label=name)
    axes.set(ylabel="parameters of the best so far")


def _draw_scores(result: TuneResult, axes: Any) -> None:
    kinds = (("not accepted", "#bbbbbb", False), ("accepted", "#4477aa", True))  # each with its standard error
    for label, colour, accepted in kinds:
        chosen = [trial for trial in result.history if trial.accepted is accepted]
        if chosen:
            games, means = [trial.games_so_far for trial in chosen], [trial.answer.mean for trial in chosen]
            errors = [trial.answer.stderr for trial in chosen]
            axes.errorbar(games, means, errors, fmt=".", color=colour, label=label, elinewidth=0.5, alpha=0.7)
    if result.final is not None:
        low, high = result.final.interval
        label = f"against the start,\non fresh deals:\n{result.final.mean:.4f}"
        axes.axhspan(low, high, color="#228833", alpha=0.25, label=label)
        axes.axhline(result.final.mean, color="#228833")
    axes.axhline(0.5, color="black", linewidth=0.8)
    axes.set(xlabel="games", ylabel="score in each trial", xlim=(0, None))


def check_picture(path: str | Path) -> Path:
    """Refuse a picture that could not be written, before there is anything to draw."""
    asked = f"cannot draw to '{path}'"
    if user_path(path).suffix.lower() not in _FORMATS:
        raise UsageError(f"{asked}: the name of a picture ends in {', '.join(_FORMATS)}")
    return place_for(path, asked)


def write_picture(figure: Any, path: str | Path) -> Path:
    """Write a picture wholly."""
    from io import BytesIO

    from facedown.files import write_whole

    target, stream = check_picture(path), BytesIO()
    figure.savefig(stream, format=target.suffix[1:].lower(), dpi=120)
    return write_whole(target, stream.getvalue())
