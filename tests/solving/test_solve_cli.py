"""`facedown solve`: what it prints, what it writes, and how it says no."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from facedown.native.jit import COMPILED
from facedown.solving.checkpoint import load_solution

Run = Callable[[str], tuple[int, str, str]]


def read(outcome: tuple[int, str, str]) -> Any:
    code, out, err = outcome
    assert code == 0, err
    assert len(out.splitlines()) == 1
    return json.loads(out)


def test_kuhn_has_its_published_exploitability(run: Run) -> None:
    found = read(run("solve kuhn --method cfr --iterations 1024 --json"))
    assert found["schema"] == "facedown.solve/1"
    assert found["exploitability"] == pytest.approx(6.09695e-4, rel=2e-6)
    assert found["iterations"] == 1024
    assert found["tree"]["information_sets"] == [6, 6]


@pytest.mark.compiled
def test_leduc_has_its_published_exploitability(run: Run) -> None:
    assert read(run("solve leduc --method cfr --iterations 16 --json"))["exploitability"] == pytest.approx(0.598120, abs=1e-6)


def test_figures_and_policy_are_printed(run: Run) -> None:
    code, out, err = run("solve kuhn --iterations 50 --policy")
    assert code == 0, err
    for words in (
        "kuhn: 58 nodes (4 chance, 24 decision, 30 end), 12 information sets (6 + 6)",
        "kuhn: pdcfr+, 50 iterations",
        "NashConv is the sum over the players of (value of a best response - value); exploitability is NashConv divided by",
        "queen. So far: player 0 passes, player 1 bets.",
        "Again: facedown solve kuhn --method pdcfr+ --iterations 50",
    ):
        assert words in out
    assert "coarse correlated" not in out


def test_more_than_two_players_are_told_what_to_expect(run: Run) -> None:
    assert "coarse correlated equilibrium" in run("solve 'kuhn(players=3)' --iterations 2")[1]


def test_the_repeat_line_repeats(run: Run) -> None:
    line = "solve 'kuhn(pass_pays=no)' --method 'dcfr(alpha=2)' --exploitability 0.01 --simultaneous --average 1.5 --json"
    first = read(run(line))
    again = read(run(first["repeat"].removeprefix("facedown ") + " --json"))
    for name in ("iterations", "values", "gains", "repeat", "method", "average", "alternating"):
        assert again[name] == first[name]


def test_it_saves_draws_and_goes_on(run: Run, tmp_path: Path) -> None:
    read(run("solve kuhn --method cfr+ --iterations 10 --save kuhn.npz --plot kuhn.png --json"))
    assert (tmp_path / "kuhn.png").read_bytes().startswith(b"\x89PNG")
    whole = read(run("solve kuhn --method cfr+ --iterations 25 --json"))
    going_on = read(run("solve kuhn --iterations 25 --resume kuhn.npz --save kuhn.npz --json"))
    assert (going_on["method"], going_on["gains"]) == ("cfr+", whole["gains"])
    assert load_solution(tmp_path / "kuhn.npz").iterations == 25
    games = 400 if COMPILED else 20
    played = read(run(f"match kuhn 'table(kuhn.npz)' uniform --games {games} --seed 1 --json"))
    assert played["agents"] == ["table(kuhn.npz)", "uniform"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("solve kuhm", "unknown game 'kuhm'. Did you mean 'kuhn'?"),
        ("solve kuhn --method crf+", "unknown method 'crf+'. Did you mean 'cfr+'? Known: cfr, cfr+"),
        ("solve kuhn --method 'dcfr(delta=1)'", "unknown parameter of dcfr 'delta'. Did you mean"),
        ("solve kuhn --iterations -1", "'--iterations': Input should be greater than or equal to 0"),
        ("solve kuhn --max-nodes 20", "the tree of kuhn has more than 20 nodes"),
        ("solve kuhn --every 5", "name a file with save"),
        ("solve kuhn --resume none.npz", "cannot read 'none.npz': No such file or directory"),
        ("solve kuhn --resume torn.npz", "'torn.npz' is no policy file, or only part of one"),
        ("solve kuhn --save nowhere/kuhn.npz", "there is no directory 'nowhere'"),
        ("solve kuhn --iterations 1 --plot nowhere/kuhn.png", "there is no directory 'nowhere'"),
        ("solve kuhn --iterations 1 --plot kuhn.xyz", "--plot kuhn.xyz"),
        ("solve kuhn --seed 3", "does not draw anything"),
    ],
)
def test_mistakes_are_sentences(run: Run, tmp_path: Path, line: str, words: str) -> None:
    (tmp_path / "torn.npz").write_bytes(b"PK\x03\x04 and nothing more")
    code, out, err = run(line)
    assert (code, out) == (2, "")
    assert words in " ".join(err.split())
    assert "Traceback" not in err


@pytest.mark.parametrize("line", ["solve --help", "solve kuhm", "solve kuhn --method crf", "solve kuhn --method 'cfr(a=1)'"])
def test_help_and_mistakes_do_not_load_the_compiler(line: str, tmp_path: Path) -> None:
    program = (
        "import sys\n"
        "from facedown.cli.main import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "assert 'numba' not in sys.modules, 'numba was imported'\n"
    )
    done = subprocess.run([sys.executable, "-c", program, *shlex.split(line)], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_ctrl_c_prints_and_keeps_what_is_done(tmp_path: Path) -> None:
    words = ["solve", "kuhn", "--seconds", "300", "--save", "kuhn.npz", "--every", "0.05", "--json"]
    program = (
        "import signal\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)  # what is started in the background ignores it\n"
        "from facedown.cli.main import main\n"
        "main()\n"
    )
    command = [sys.executable, "-c", program, *words]
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path)
    try:
        until = time.monotonic() + 120
        while not (tmp_path / "kuhn.npz").exists() and run.poll() is None and time.monotonic() < until:
            time.sleep(0.02)
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=60)
    finally:
        run.kill()
    assert run.returncode == 130, err
    assert "it is kept in kuhn.npz" in err
    assert json.loads(out)["iterations"] == load_solution(tmp_path / "kuhn.npz").iterations > 0
