"""The suite, with laps of a few milliseconds: fields and signs, never speeds."""

from __future__ import annotations

import importlib.util
import math
import runpy
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from subprocess import CompletedProcess
from types import SimpleNamespace
from typing import Any

import pytest

import facedown as fd
from facedown.cli import bench as bench_command
from facedown.errors import UsageError
from facedown.native.jit import COMPILED
from facedown.progress import Callback, Progress
from facedown_bench import BenchReport, entries, markdown, run, startup, suite
from facedown_bench.entries import Entry
from facedown_bench.laps import Contestant, Lap
from facedown_bench.peers import PEERS
from facedown_bench.report import StartUp

EXAMPLE = Path(__file__).parents[2] / "examples" / "liars_dice.py"
SCRIPT = Path(__file__).parents[2] / "benchmarks" / "run.py"


@pytest.fixture(scope="module")
def steps() -> list[Progress]:
    return []


@pytest.fixture(scope="module")
def quick(steps: list[Progress]) -> BenchReport:
    peers = importlib.util.find_spec("pyspiel") is not None
    return run(["kuhn"], peers, 0.004, rounds=2, startup=False, progress=steps.append)


def figures(tree: Any) -> list[float]:
    """All numbers in a tree of JSON."""
    if isinstance(tree, dict):
        return [number for value in tree.values() for number in figures(value)]
    if isinstance(tree, list):
        return [number for value in tree for number in figures(value)]
    return [tree] if isinstance(tree, int | float) else []


def test_every_field_is_there_and_positive(quick: BenchReport) -> None:
    whole = quick.to_dict()
    (kuhn,) = whole["games"]
    rate = {"games_per_second", "games_per_second_median", "spread", "moves_per_second", "moves_per_game", "laps"}
    ratio = {"ratio", "ratio_low", "ratio_high"}
    assert set(kuhn) == {"game", "what", "all_threads", "reference"} | rate
    assert set(kuhn["all_threads"]) == set(kuhn["reference"]) == {"name", "threads"} | rate | ratio
    assert 2 <= kuhn["moves_per_game"] <= 3
    assert kuhn["games_per_second"] >= kuhn["games_per_second_median"]
    assert whole["startup"] is None
    assert all(math.isfinite(number) and number >= 0 for number in figures(whole))
    (solver,), (solution,) = whole["solvers"], whole["solutions"]
    assert set(solver) == {"game", "what", "method", "iterations_per_second", "iterations_per_second_median", "spread", "laps"}
    assert (solver["what"], solver["method"]) == ("CFR+ iterations", "cfr+")
    assert set(solution) == {"game", "what", "method", "seconds", "seconds_median", "spread", "iterations", "laps"}
    assert solution["what"] == "seconds to exploitability 1e-3"
    assert solution["seconds"] <= solution["seconds_median"]
    for compared in (kuhn["all_threads"], kuhn["reference"], *whole["peers"]):
        assert 0 < compared["ratio_low"] <= compared["ratio_high"]
        assert compared["ratio"] > 0


def test_the_peer_is_measured_in_the_same_rounds(quick: BenchReport) -> None:
    pytest.importorskip("pyspiel", reason="needs the extra 'peers'")
    whole = quick.to_dict()
    (peer,) = [peer for peer in whole["peers"] if peer["unit"] == "games"]
    assert (peer["peer"], peer["game"]) == ("open_spiel", "kuhn")
    assert peer["ours_per_second"] == whole["games"][0]["games_per_second"]
    assert peer["ratio"] == pytest.approx(peer["ours_per_second"] / peer["theirs_per_second"])
    assert "open_spiel" in repr(quick)


def test_solvers_are_measured_beside_the_peers(quick: BenchReport) -> None:
    pytest.importorskip("pyspiel", reason="needs the extra 'peers'")
    whole = quick.to_dict()
    for peer in PEERS:
        found = {entry["what"]: entry for entry in whole["peers"] if entry["peer"] == peer.name and "ours_method" in entry}
        if not peer.installed:
            assert found == {}
            assert {"peer": peer.title, "install": peer.command} in whole["missing_peers"]
            continue
        iterations, seconds = found["CFR+ iterations"], found["seconds to exploitability 1e-3"]
        assert (iterations["unit"], seconds["unit"]) == ("iterations", "seconds")
        assert iterations["ratio"] == pytest.approx(iterations["ours_per_second"] / iterations["theirs_per_second"])
        assert seconds["ratio"] == pytest.approx(seconds["theirs_seconds"] / seconds["ours_seconds"])
        assert 10 < seconds["ours_iterations"] < 1_000
        assert 10 < seconds["theirs_iterations"] < 1_000
        assert f"{peer.name} {peer.version}" in repr(quick)


def test_progress_counts_every_step(quick: BenchReport, steps: list[Progress]) -> None:
    assert [step.done for step in steps] == list(range(len(steps)))
    assert {step.total for step in steps} == {len(steps)}
    assert "kuhn: uniform against uniform, round 2 of 2" in [step.words for step in steps]
    assert steps[-1].words == "kuhn: seconds to exploitability 1e-3, round 2 of 2"


def test_other_numbers_of_players_have_other_words(monkeypatch: pytest.MonkeyPatch) -> None:
    listed: list[Entry] = []
    monkeypatch.setattr(suite, "_measure", lambda entry, *rest: listed.append(entry))
    run(["kuhn(players=3)"], startup=False)
    assert [(entry.game, entry.what) for entry in listed] == [("kuhn(players=3)", "3 uniform agents")]


def test_all_built_in_games_are_measured_and_started(monkeypatch: pytest.MonkeyPatch, report: BenchReport) -> None:
    started: list[Any] = []

    def measure(games: list[tuple[str, str, int]], rounds: int, progress: Callable[[str], None]) -> StartUp:
        started.extend(games)
        assert report.startup is not None
        return report.startup

    monkeypatch.setattr(suite, "_measure", lambda entry, *rest: report.measurements[0])
    monkeypatch.setattr(startup, "measure", measure)
    found = run()
    assert started == [(name, name, 2) for name in fd.games().names] and len(started) == 9
    assert found.startup is report.startup
    games = [str(fd.game(f"{EXAMPLE}:GAME(faces=5)")), "leduc", "kuhn"] if COMPILED else ["kuhn"]
    # nine games, two of them with agents of their own too, two searched, rollouts of one for two and five players, and those
    # that are solved in two ways
    assert len(found.measurements) == 9 + 1 + 8 + 2 + 2 + 2 * len(games)


def test_hanabi_is_measured_with_its_own_agents_for_two_and_for_five(monkeypatch: pytest.MonkeyPatch) -> None:
    listed: list[Entry] = []
    monkeypatch.setattr(suite, "_measure", lambda entry, *rest: listed.append(entry))
    run(["hanabi"], startup=False)
    found = [(entry.game, entry.what) for entry in listed]
    assert ("hanabi", "uniform against uniform") in found and ("hanabi(players=5)", "5 uniform agents") in found
    for agent in ("erratic", "distrustful", "trustful"):
        assert ("hanabi", f"{agent} against {agent}") in found
        assert ("hanabi(players=5)", f"5 {agent} agents") in found
    assert ("hanabi(players=5)", "5 information agents") in found


def test_erratic_is_measured_beside_the_peer_and_slow_agents_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyspiel", reason="needs the extra 'peers'")
    listed: list[Entry] = []
    monkeypatch.setattr(suite, "_measure", lambda entry, *rest: listed.append(entry))
    run(["hanabi"], peers=True, startup=False)
    chosen = [entry for entry in listed if "erratic" in entry.what or entry.what == "distrustful against distrustful"]
    with ExitStack() as stack:
        roles = {(entry.game, entry.what): [one.role for one in entry.contestants(stack)] for entry in chosen}
    assert roles == {
        ("hanabi", "erratic against erratic"): ["ours", "all_threads", "reference", "peer"],
        ("hanabi(players=5)", "5 erratic agents"): ["ours", "all_threads", "reference", "peer"],
        ("hanabi", "distrustful against distrustful"): ["ours"],
    }


def test_a_further_bench_is_a_small_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    def contestants(stack: ExitStack) -> list[Contestant]:
        return [
            Contestant("ours", "ours", lambda n: Lap(n, n / 1000)),
            Contestant("theirs", "peer", lambda n: Lap(n, n / 10), "1.2"),
        ]

    module = SimpleNamespace(entries=lambda request: [Entry("solvers", "kuhn", "cfr+", "iteration", "visit", contestants)])
    monkeypatch.setitem(sys.modules, "benches_of_a_test", module)
    monkeypatch.setattr(entries, "SECTIONS", ("benches_of_a_test",))
    whole = run(["kuhn"], seconds=1.0, startup=False).to_dict()
    assert whole["solvers"][0]["iterations_per_second"] == pytest.approx(1000.0)
    assert (whole["peers"][0]["peer"], whole["peers"][0]["unit"]) == ("theirs", "iterations")
    assert whole["peers"][0]["ratio"] == pytest.approx(100.0)


def test_several_threads_are_compared_by_the_clock_on_the_wall() -> None:
    def contestants(stack: ExitStack) -> list[Contestant]:
        return [
            Contestant("ours", "ours", lambda n: Lap(n, n / 1000, wall=n / 500)),  # half the processor was taken by others
            Contestant("all threads", "all_threads", lambda n: Lap(n, n / 750), threads=2),
        ]

    entry = Entry("games", "kuhn", "uniform against uniform", "game", "move", contestants)
    measured = suite._measure(entry, 1.0, 2, suite._Steps(3, None))
    assert measured.speed.best == pytest.approx(1000.0)
    assert measured.rivals[0].ratio.best == pytest.approx(1.5)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"games": ["kuhm"]}, "unknown game 'kuhm'. Did you mean 'kuhn'"),
        ({"games": "kuhn"}, r"a list of names is needed, such as \['kuhn'\]"),
        ({"games": ["kuhn(players=9)"]}, "players=9 is out of bounds"),
        ({"seconds": 0}, "seconds=0: a positive number"),
        ({"seconds": math.nan}, "seconds=nan: a positive number"),
        ({"seconds": "1"}, "seconds=1: a positive number"),
        ({"rounds": 0}, "rounds=0: a whole number from 1"),
        ({"rounds": 1.5}, "rounds=1.5: a whole number from 1"),
    ],
)
def test_wrong_requests_are_sentences(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        run(**arguments)


def test_mistakes_do_not_load_the_compiler(run_python: Callable[..., CompletedProcess[str]]) -> None:
    program = """
import sys
import facedown_bench as bench
from facedown.errors import UsageError
sys.modules["pyspiel"] = None
for arguments in ({"games": ["kuhm"]}, {"seconds": -1}, {"peers": True}):
    try:
        bench.run(**arguments)
    except UsageError:
        print("refused")
print("numba" in sys.modules)
"""
    assert run_python(program, PYTHONPATH=str(SCRIPT.parent)).stdout.split() == ["refused"] * 3 + ["False"]


# --- the script that writes results.md ------------------------------------------------------------------------------------


def test_the_script_writes_a_page_that_can_be_written_again(
    report: BenchReport, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[tuple[Any, ...]] = []

    def stand_in(games: Any, peers: bool, seconds: float, progress: Callback) -> BenchReport:
        asked.append((games, peers, seconds))
        progress(Progress(0, 2, "steps", 0.0, "something"))
        return report

    monkeypatch.setattr("facedown_bench.run", stand_in)
    script = runpy.run_path(str(SCRIPT))
    out = tmp_path / "results.md"
    assert script["main"](["war", "--seconds", "0.1", "--out", str(out)]) == 0
    assert asked == [(["war"], True, 0.1)]
    page = out.read_text(encoding="utf-8")
    assert page.startswith("# Results\n")
    assert page.endswith(markdown(report))
    assert script["main"](["--no-peers", "--out", str(out)]) == 0
    assert asked[1][:2] == ([], False)
    assert out.read_text(encoding="utf-8") == page
    printed = capsys.readouterr()
    assert repr(report) in printed.out
    assert "[1/2] something" in printed.err


def test_the_script_passes_mistakes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = runpy.run_path(str(SCRIPT))
    assert script["main"](["kuhm", "--no-peers", "--out", str(tmp_path / "results.md")]) == 2
    assert "unknown game 'kuhm'" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


# --- the command ----------------------------------------------------------------------------------------------------------


def test_the_command_finds_the_suite_in_a_checkout(run_python: Callable[..., CompletedProcess[str]]) -> None:
    program = "from facedown.cli.bench import _suite; print(_suite().__file__)"
    assert Path(run_python(program).stdout.strip()) == SCRIPT.parent / "facedown_bench" / "__init__.py"


def test_an_installed_package_says_where_the_benchmarks_are(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("facedown.cli.bench.BENCHMARKS", tmp_path)
    with pytest.raises(UsageError, match=r"works in a checkout of the sources only.* 'make bench'"):
        bench_command.bench(["kuhn"])
