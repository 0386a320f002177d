"""What a run of benchmarks found: figures, ratios, and the machine they were taken on."""

from __future__ import annotations

import importlib.metadata
import os
import platform
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from facedown_bench.laps import Ratio, Role, Speed

METHOD = (
    "Figures a second are those of the best of several laps, which all contestants run in turn; one thread is timed by "
    "its processor time, several by the clock on the wall. A ratio is best lap to best lap, with the extremes within a "
    "round beside it. Seconds to an exploitability are those of the iterations alone: setting up and evaluating, which "
    "everybody does by themselves after the same numbers of iterations, are not counted. Exploitability is NashConv / number "
    "of players, NashConv the sum over players of (best response value - value). Start-up figures are wall times, the "
    "shortest of several runs of a whole process, in turn; a first "
    "start is run once."
)


@dataclass(frozen=True)
class Rival:
    """Someone who did the same work in the same rounds."""

    name: str
    role: Role
    version: str
    threads: int
    speed: Speed
    ratio: Ratio
    """How many times as quick as one thread of ours it is (all threads), or one thread of ours is than it (others)."""
    method: str = ""


@dataclass(frozen=True)
class Measurement:
    """One piece of work: how quickly we do it on one thread, and how others do."""

    section: str
    game: str
    what: str
    unit: str
    part: str
    speed: Speed
    rivals: tuple[Rival, ...]
    in_seconds: bool = False
    """A unit is a whole task, and what counts is how long it takes."""
    method: str = ""

    def rivals_in(self, role: Role) -> list[Rival]:
        """Those who play this role: "all_threads", "reference" or "peer"."""
        return [rival for rival in self.rivals if rival.role == role]

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it; peers are listed by the report, all together."""
        method = {"method": self.method} if self.method else {}
        found = {"game": self.game, "what": self.what, **method, **self._figures(self.speed)}
        for rival in self.rivals:
            if rival.role != "peer":
                about = {"name": rival.name, "threads": rival.threads}
                found[rival.role] = about | self._figures(rival.speed) | _ratio(rival.ratio)
        return found

    def peers_to_dicts(self) -> list[dict[str, Any]]:
        """The peers' figures beside ours."""
        return [
            {
                "peer": rival.name,
                "version": rival.version,
                "game": self.game,
                "what": self.what,
                "unit": "seconds" if self.in_seconds else f"{self.unit}s",
                **self._beside("theirs", rival.method, rival.speed),
                **self._beside("ours", self.method, self.speed),
                **_ratio(rival.ratio),
            }
            for rival in self.rivals_in("peer")
        ]

    def _beside(self, whose: str, method: str, speed: Speed) -> dict[str, Any]:
        """What is listed of each of two who are compared."""
        found: dict[str, Any] = {f"{whose}_method": method} if method else {}
        if not self.in_seconds:
            return found | {f"{whose}_per_second": speed.best, f"{whose}_per_second_median": speed.median}
        parts = {f"{whose}_{self.part}s": speed.parts_per_unit} if speed.counts_parts else {}
        return found | {f"{whose}_seconds": 1 / speed.best, f"{whose}_seconds_median": 1 / speed.median} | parts

    def _figures(self, speed: Speed) -> dict[str, Any]:
        if self.in_seconds:
            parts = {f"{self.part}s": speed.parts_per_unit} if speed.counts_parts else {}
            times = {"seconds": 1 / speed.best, "seconds_median": 1 / speed.median, "spread": speed.spread}
            return times | parts | {"laps": len(speed.laps)}
        unit, part = f"{self.unit}s_per_second", f"{self.part}s_per_second"
        found: dict[str, Any] = {unit: speed.best, f"{unit}_median": speed.median, "spread": speed.spread}
        if speed.counts_parts:
            found |= {part: max(speed.parts_per_second), f"{self.part}s_per_{self.unit}": speed.parts_per_unit}
        return found | {"laps": len(speed.laps)}


def _ratio(ratio: Ratio) -> dict[str, float]:
    return {"ratio": ratio.best, "ratio_low": ratio.low, "ratio_high": ratio.high}


@dataclass(frozen=True)
class GameStart:
    """How long a short match of a game takes from the shell, in seconds."""

    game: str
    first: float
    """With an empty cache, so that everything is compiled; run once."""
    again: tuple[float, ...]
    """From the cache, in each round."""

    @property
    def warm(self) -> float:
        """The quickest start from the cache."""
        return min(self.again)

    @property
    def compiling(self) -> float:
        """What the first start takes longer."""
        return max(self.first - self.warm, 0.0)


@dataclass(frozen=True)
class StartUp:
    """Wall times of whole processes, in seconds, one a round."""

    import_numba: tuple[float, ...]
    help: tuple[float, ...]
    games: tuple[GameStart, ...]

    @property
    def floor(self) -> float:
        """The quickest `python -c "import numba"`: what the other figures are compared with."""
        return min(self.import_numba)

    def of(self, game: str) -> GameStart | None:
        """The figures of one game."""
        return next((start for start in self.games if start.game == game), None)

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it; the games' own figures are listed with the games."""
        return {
            "import_numba_seconds": self.floor,
            "help_seconds": min(self.help),
            "help_ratio": min(self.help) / self.floor,
            "runs": len(self.help),
        }

    def game_to_dict(self, game: str) -> dict[str, Any]:
        """What belongs to the figures of one game."""
        start = self.of(game)
        if start is None:
            return {}
        return {
            "first_start_seconds": start.first,
            "compile_seconds": start.compiling,
            "compile_ratio": start.compiling / self.floor,
            "warm_start_seconds": start.warm,
            "warm_start_ratio": start.warm / self.floor,
        }


@dataclass(frozen=True)
class Machine:
    """What the figures were taken on."""

    cpu: str
    cores: int
    python: str
    numpy: str
    numba: str
    facedown: str
    mode: str
    """"compiled", "plain Python" (NUMBA_DISABLE_JIT=1) or "bounds checked" (NUMBA_BOUNDSCHECK=1)."""

    @classmethod
    def here(cls, cores: int, compiled: bool) -> Machine:
        """The machine that this runs on, in its present mode."""
        checked = os.environ.get("NUMBA_BOUNDSCHECK", "0") not in {"", "0"}
        return cls(
            cpu=cpu_model(),
            cores=cores,
            python=platform.python_version(),
            numpy=importlib.metadata.version("numpy"),
            numba=importlib.metadata.version("numba"),
            facedown=importlib.metadata.version("facedown"),
            mode="plain Python" if not compiled else "bounds checked" if checked else "compiled",
        )

    def __str__(self) -> str:
        cores = f"{self.cores} core{'s' if self.cores != 1 else ''}"
        mode = "" if self.mode == "compiled" else f", {self.mode}"
        return f"{self.cpu}, {cores}, Python {self.python}, Numba {self.numba}, NumPy {self.numpy}{mode}"


def cpu_model(listing: Path = Path("/proc/cpuinfo")) -> str:
    """What the processor calls itself."""
    if listing.is_file():
        for line in listing.read_text(errors="replace").splitlines():
            key, _, value = line.partition(":")
            if key.strip() == "model name" and value.strip():
                return " ".join(value.split())
    return platform.processor() or platform.machine() or "unknown processor"


@dataclass(frozen=True)
class BenchReport:
    """The outcome of `facedown bench`; `tables` shows it on a terminal."""

    machine: Machine
    lap_seconds: float
    rounds: int
    measurements: tuple[Measurement, ...]
    startup: StartUp | None
    peers: tuple[str, ...]
    """The peers that were measured, with their versions."""
    seconds: float
    missing: tuple[tuple[str, str], ...] = ()
    """Peers that are not installed, each with the command that installs it."""

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON has it."""
        sections: dict[str, list[dict[str, Any]]] = {}
        for measurement in self.measurements:
            start = self.startup.game_to_dict(measurement.game) if self.startup and measurement.section == "games" else {}
            sections.setdefault(measurement.section, []).append(measurement.to_dict() | start)
        return {
            "schema": "facedown.bench/1",
            "machine": {name: getattr(self.machine, name) for name in Machine.__dataclass_fields__},
            "method": METHOD,
            "rounds": self.rounds,
            "lap_seconds": self.lap_seconds,
            **sections,
            "startup": self.startup.to_dict() if self.startup else None,
            "peers": [peer for measurement in self.measurements for peer in measurement.peers_to_dicts()],
            "missing_peers": [{"peer": peer, "install": command} for peer, command in self.missing],
            "seconds": self.seconds,
        }

    def __repr__(self) -> str:
        from facedown_bench.show import text

        return text(self)
