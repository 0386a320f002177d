"""What a report says: as JSON, as text, on a terminal and as a page."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from facedown_bench import BenchReport, markdown, tables
from facedown_bench.report import Machine, cpu_model
from facedown_bench.show import figure, times


def test_json_has_the_figures_of_a_game_with_its_start(report: BenchReport) -> None:
    whole = json.loads(json.dumps(report.to_dict()))
    assert whole["schema"] == "facedown.bench/1"
    kuhn, war = whole["games"]
    assert (kuhn["game"], kuhn["games_per_second"], kuhn["games_per_second_median"]) == ("kuhn", 1e6, 750_000)
    assert (kuhn["moves_per_second"], kuhn["moves_per_game"], kuhn["laps"]) == (2_250_000, 2.25, 2)
    assert kuhn["spread"] == pytest.approx(500 / 750)
    assert (kuhn["all_threads"]["threads"], kuhn["all_threads"]["ratio"]) == (2, pytest.approx(2.0))
    assert kuhn["reference"]["ratio"] == pytest.approx(2_250_000 / 1250)
    assert (kuhn["first_start_seconds"], kuhn["compile_seconds"], kuhn["warm_start_seconds"]) == (7.0, 6.0, 1.0)
    assert kuhn["warm_start_ratio"] == pytest.approx(2.5)
    assert war["compile_ratio"] == pytest.approx(7.9 / 0.4)
    assert whole["startup"] == {"import_numba_seconds": 0.4, "help_seconds": 0.1, "help_ratio": pytest.approx(0.25), "runs": 2}


def test_json_lists_all_peers(report: BenchReport) -> None:
    (peer,) = report.to_dict()["peers"]
    assert (peer["peer"], peer["version"], peer["game"], peer["unit"]) == ("open_spiel", "9.9", "kuhn", "games")
    assert (peer["theirs_per_second"], peer["ours_per_second"]) == (25_000, 1e6)
    assert peer["ratio"] == pytest.approx(peer["ours_per_second"] / peer["theirs_per_second"])
    assert (peer["ratio_low"], peer["ratio_high"]) == (pytest.approx(20.0), pytest.approx(50.0))


def test_another_section_is_a_list_of_its_own(report: BenchReport) -> None:
    solver = replace(report.measurements[1], section="solvers", what="cfr", unit="iteration", part="visit")
    whole = replace(report, measurements=(*report.measurements, solver))
    (listed,) = whole.to_dict()["solvers"]
    assert listed["iterations_per_second"] == 10_000
    assert listed["visits_per_iteration"] == 400
    assert "compile_seconds" not in listed
    assert "Solvers: cfr" in repr(whole)


def test_text_names_machine_games_peers_and_method(report: BenchReport) -> None:
    lines = repr(report).splitlines()
    assert lines[0] == "A Processor, 2 cores, Python 3.11.7, Numba 0.68.1, NumPy 2.4.6"
    kuhn = next(line for line in lines if line.strip().startswith("kuhn"))
    assert re.search(r"1\.00 million .* 67 % .* ×2\.00 .* ×1,800$", kuhn)
    assert any(re.search(r"open_spiel 9\.9 .* ×40\.0 .* 20\.0 to 50\.0$", line) for line in lines)
    assert any(re.search(r"facedown --help +0\.10 +×0\.250$", line) for line in lines)
    assert "best of" in lines[-1]


def test_the_columns_of_text_stand_below_each_other(report: BenchReport) -> None:
    lines = repr(report).splitlines()
    start = next(at for at, line in enumerate(lines) if line.strip().startswith("what "))
    block = lines[start : start + 7]
    assert len({len(line) for line in block}) == 1  # the last column is set flush right


def test_the_terminal_shows_the_same_rows(report: BenchReport) -> None:
    screen = Console(file=io.StringIO(), width=140)
    for part in tables(report):
        screen.print(part)
    shown = screen.file.getvalue()  # type: ignore[attr-defined]
    for words in ("kuhn", "war", "1.00 million", "×1,800", "×40.0", "import numba", "compiling war, once"):
        assert words in shown


def test_a_peer_without_the_games_is_said_so(report: BenchReport) -> None:
    lonely = replace(report, measurements=report.measurements[1:])
    assert "none of these games is among theirs" in repr(lonely)


def test_the_page_holds_ratios_and_no_absolute_figures(report: BenchReport) -> None:
    page = markdown(report)
    assert "| kuhn | 2.25 | ×1,800 (900 to 2,250) | ×40.0 (20.0 to 50.0) | ×2.00 |" in page
    assert "| war | 400 |  |  |  |" in page
    assert "| facedown --help | ×0.250 |" in page
    assert "million" not in page
    assert "A Processor, 2 cores" in page
    assert "OpenSpiel 9.9" in page


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0, "0"),
        (0.04567, "0.0457"),
        (1.2345, "1.23"),
        (9.996, "10.0"),
        (999.4, "999"),
        (999.6, "1,000"),
        (9_994, "9,990"),
        (9_996, "10.0 thousand"),
        (218_400, "218 thousand"),
        (999_600, "1.00 million"),
        (12_345_678, "12.3 million"),
        (3.2e9, "3.20 billion"),
    ],
)
def test_figures_have_three_digits_that_count(value: float, words: str) -> None:
    assert figure(value) == words


@pytest.mark.parametrize(("value", "words"), [(0.2714, "×0.271"), (1, "×1.00"), (74.26, "×74.3"), (20_444, "×20,400")])
def test_ratios_are_factors(value: float, words: str) -> None:
    assert times(value) == words


def test_the_processor_is_read_from_the_listing(tmp_path: Path) -> None:
    listing = tmp_path / "cpuinfo"
    listing.write_text("processor : 0\nmodel name\t: Some   CPU @ 2 GHz\nmodel name\t: Other\n")
    assert cpu_model(listing) == "Some CPU @ 2 GHz"
    assert cpu_model(tmp_path / "missing")


@pytest.mark.parametrize(
    ("compiled", "checked", "mode"), [(True, "0", "compiled"), (True, "1", "bounds checked"), (False, "1", "plain Python")]
)
def test_the_mode_is_part_of_the_machine(compiled: bool, checked: str, mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", checked)
    machine = Machine.here(1, compiled)
    assert machine.mode == mode
    assert ("1 core," in str(machine)) and str(machine).endswith("" if mode == "compiled" else mode)


def test_narrow_tables_lose_nothing(report: BenchReport) -> None:
    letters = []
    for width in (40, 400):
        screen = Console(width=width)
        with screen.capture() as captured:
            for part in tables(report):
                screen.print(part)
        assert max(map(len, captured.get().splitlines())) <= width
        letters.append(sorted(captured.get().replace(" ", "").replace("\n", "")))
    assert letters[0] == letters[1]
