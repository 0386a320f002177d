"""Pictures that know when they are stale: a digest of the figures they show is written into the file."""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any


class Picture(ABC):
    """Figures, and how they are drawn."""

    @abstractmethod
    def figures(self) -> Any:
        """What is drawn, rounded, in a form that JSON can hold."""

    @abstractmethod
    def paint(self, axes: Any) -> None:
        """Draw the figures on empty axes."""

    def digest(self) -> str:
        """Stands for the figures, whatever version of the plotting library draws them."""
        return f"figures {hashlib.sha256(json.dumps(self.figures()).encode()).hexdigest()[:16]}"

    def is_in(self, path: Path) -> bool:
        """Whether the picture on disk shows these figures."""
        return path.is_file() and self.digest() in path.read_text(encoding="utf-8")

    def draw(self, path: Path) -> None:
        """Draw it."""
        import matplotlib

        matplotlib.use("svg")
        from matplotlib import pyplot

        settings: dict[Any, Any] = {
            "svg.hashsalt": "facedown",
            "svg.fonttype": "none",
            "font.size": 11,
            "font.family": "sans-serif",
        }
        with pyplot.rc_context(settings):
            figure, axes = pyplot.subplots(figsize=(8.4, 4.2), layout="constrained")
            self.paint(axes)
            axes.spines[["top", "right"]].set_visible(False)
            path.parent.mkdir(parents=True, exist_ok=True)
            figure.savefig(path, format="svg", metadata={"Date": None, "Description": self.digest()})
            pyplot.close(figure)
