"""The whole suite: what `facedown bench` runs."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from contextlib import ExitStack

from facedown.errors import UsageError
from facedown.games.registry import BUILT_IN, check_name
from facedown.inputs import cores, whole_number
from facedown.progress import Callback, Reporter
from facedown_bench import peers as peer_list
from facedown_bench import startup as start_ups
from facedown_bench.entries import Entry, Request, entries
from facedown_bench.laps import Ratio, interleave
from facedown_bench.reference import Reference
from facedown_bench.report import BenchReport, Machine, Measurement, Rival

SECONDS = 0.6
ROUNDS = 6
MAX_ROUNDS = 1_000_000


class _Steps:
    """Counts the steps of a run for whoever watches."""

    def __init__(self, n_steps: int, progress: Callback | None):
        self._done, self._report = 0, Reporter(progress, n_steps, "steps")

    def __call__(self, what: str) -> None:
        self._report(self._done, what)
        self._done += 1


def run(
    games: Sequence[str] | None = None,
    peers: bool = False,
    seconds: float = SECONDS,
    *,
    rounds: int = ROUNDS,
    startup: bool = True,
    progress: Callback | None = None,
) -> BenchReport:
    """Measure how quickly games are played, and how quickly they start.

    games     names with options, such as "kuhn(players=3)"; all built-in games if None or empty
    peers     measure other libraries that have the same games in the same rounds; they must be installed
    seconds   how long each contestant plays each game, in all rounds together
    rounds    how many laps each contestant runs
    startup   also time whole processes: `--help`, a first match that compiles, a match from the cache
    progress  called before each step, with what comes next in words
    """
    if not (isinstance(seconds, int | float) and math.isfinite(seconds) and seconds > 0):
        raise UsageError(f"seconds={seconds}: a positive number of seconds is needed")
    rounds = whole_number("rounds", rounds, 1, MAX_ROUNDS)
    specs = _wanted(games)
    if peers:
        peer_list.require()
    started = time.perf_counter()

    from facedown.games.registry import game as find_game
    from facedown.native.jit import COMPILED

    found = [find_game(spec) for spec in specs]
    with Reference() as reference:
        listed = list(entries(Request(tuple(game.spec for game in found), peers, reference, everything=not games)))
        n_start_steps = start_ups.steps(len(found), start_ups.ROUNDS) if startup else 0
        steps = _Steps(sum((entry.rounds or rounds) + 1 for entry in listed) + n_start_steps, progress)
        measurements = tuple(_measure(entry, seconds, entry.rounds or rounds, steps) for entry in listed)
    starts = None
    if startup:
        starts = start_ups.measure([(str(g), g.spec, g.n_players) for g in found], start_ups.ROUNDS, steps)
    return BenchReport(
        machine=Machine.here(cores(), COMPILED),
        lap_seconds=seconds / rounds,
        rounds=rounds,
        measurements=measurements,
        startup=starts,
        peers=tuple(f"{peer.title} {peer.version}" for peer in peer_list.present()) if peers else (),
        seconds=time.perf_counter() - started,
        missing=tuple((peer.title, peer.command) for peer in peer_list.PEERS if peers and not peer.installed),
    )


def _wanted(games: Sequence[str] | None) -> list[str]:
    """The games to measure, each once; a wrong name is an error before anything takes time."""
    if isinstance(games, str):
        raise UsageError(f"games='{games}': a list of names is needed, such as ['{games}']")
    wanted = list(dict.fromkeys(games or BUILT_IN))
    for name in wanted:
        check_name(name)
    return wanted


def _measure(entry: Entry, seconds: float, rounds: int, steps: _Steps) -> Measurement:
    with ExitStack() as stack:
        steps(f"{entry.game}: getting ready")
        contestants = entry.contestants(stack)
        what = f"{entry.game}: {entry.what}"
        ours, *others = interleave(
            contestants, seconds, rounds, lambda number: steps(f"{what}, round {number + 1} of {rounds}")
        )
    rivals = []
    for contestant, speed in zip(contestants[1:], others, strict=True):
        both = (speed.on_the_wall, ours.on_the_wall) if contestant.role == "all_threads" else (ours, speed)
        about = (contestant.name, contestant.role, contestant.version, contestant.threads)
        rivals.append(Rival(*about, speed, Ratio.of(*both, whole_units=entry.in_seconds), contestant.method))
    work = (entry.section, entry.game, entry.what, entry.unit, entry.part)
    return Measurement(*work, ours, tuple(rivals), entry.in_seconds, contestants[0].method)
