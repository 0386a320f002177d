"""The benches of solvers: the same work on both sides, and a target that is really reached."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from facedown.errors import FacedownError
from facedown.games.registry import game as find_game
from facedown.native.jit import COMPILED
from facedown.trees.grow import build_tree
from facedown_bench import matches, peer_solvers, solvers
from facedown_bench.entries import Entry, Request, alone
from facedown_bench.laps import Lap, Ratio, Speed
from facedown_bench.matches import MatchBench
from facedown_bench.peers import LITE_EFG, OPEN_SPIEL, Peer
from facedown_bench.reference import Reference
from facedown_bench.show import markdown, text
from facedown_bench.suite import _measure, _Steps, run

KUHN = "kuhn"


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@dataclass
class Halving:
    """A solver that halves its exploitability in every iteration, and notes how it was used."""

    log: list[str] = field(default_factory=list)
    factor: float = 0.5
    left: float = 1.0

    def iterate(self, count: int) -> None:
        self.log.append(f"iterate {count}")
        self.left *= self.factor**count
        for _ in range(20_000 * count):  # so that there is something to time
            pass

    def exploitability(self) -> float:
        self.log.append("look")
        return self.left


def test_the_target_is_looked_for_at_growing_distances() -> None:
    solver = Halving()
    found = solvers.to_target(solvers.Way("halving", lambda: solver), patience=60.0)
    assert found is not None
    # 2^-10 is the first power below 1e-3; looks come after 1, 2, 3, 4, 5, 6, 7, 8, 10 iterations
    assert found.iterations == 10
    assert solver.log.count("look") == 9
    assert solver.log[0] == "iterate 1"


def test_ways_that_take_longer_are_given_up() -> None:
    slow = Halving(factor=0.999)
    ways = [solvers.Way("halving", Halving), solvers.Way("slow", lambda: slow)]
    best = solvers.quickest("somebody", ways)
    assert (best.way.method, best.iterations) == ("halving", 10)
    assert slow.left > solvers.TARGET
    with pytest.raises(FacedownError, match=r"somebody did not reach an exploitability of 0.001 in 0 s"):
        solvers.quickest("somebody", [solvers.Way("slow", lambda: Halving(factor=0.999))], patience=0.0)


def test_laps_solve_again_and_evaluate_nothing() -> None:
    made: list[Halving] = []

    def begin() -> Halving:
        made.append(Halving())
        return made[-1]

    contestant = solvers.solving("somebody", "peer", [solvers.Way("halving", begin)], "1.0")
    n_before = len(made)
    lap = contestant.run(3)
    assert (lap.units, lap.parts, contestant.method) == (3, 30, "halving")
    assert [solver.log for solver in made[n_before:]] == [["iterate 10"]] * 3
    assert contestant.units is not None and 1 <= contestant.units <= solvers.MAX_SOLVES


def test_iterations_begin_anew_in_every_lap() -> None:
    made: list[Halving] = []

    def begin() -> Halving:
        made.append(Halving())
        return made[-1]

    contestant = solvers.iterating("somebody", "peer", solvers.Way("halving", begin))
    assert [contestant.run(count).units for count in (2, 3)] == [2, 3]
    assert [solver.log for solver in made] == [["iterate 2"], ["iterate 3"]]


@pytest.mark.parametrize("method", solvers.METHODS)
def test_every_method_of_ours_reaches_the_target(method: str) -> None:
    tree = build_tree(find_game(KUHN))
    found = solvers.to_target(solvers.Way(method, lambda: solvers.OurSolver(tree, method)), solvers.PATIENCE)
    assert found is not None
    assert 10 < found.iterations < 300


def ways_of(peer: Peer, game: str, stack: ExitStack) -> dict[str, Any]:
    pytest.importorskip(peer.module, reason=f"needs: {peer.command}")
    (found,) = [one for one in peer_solvers.PEER_SOLVERS if one.peer is peer]
    return dict(found.ways(game, stack))


GAMES = [
    KUHN,
    pytest.param("leduc", marks=pytest.mark.compiled),
]


@pytest.mark.parametrize("game", GAMES)
def test_open_spiel_does_the_same_iterations(game: str, stack: ExitStack) -> None:
    theirs = ways_of(OPEN_SPIEL, game, stack)["CFRPlusSolver"]()
    ours = solvers.OurSolver(build_tree(find_game(game)), "cfr+")
    for _ in range(6):
        theirs.iterate(1)
        ours.iterate(1)
        assert theirs.exploitability() == pytest.approx(ours.exploitability(), rel=1e-9)


def test_lite_efg_comes_to_the_same_value(stack: ExitStack, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It adds the strategy after an update to its average, and we the one before: close, and equal in the end."""
    monkeypatch.setenv("HOME", str(tmp_path))
    ways = ways_of(LITE_EFG, KUHN, stack)
    assert list(ways) == ["CFR+", "PCFR+", "DCFR"]
    for begin in ways.values():
        solver = begin()
        solver.iterate(1_000)
        assert 0 <= solver.exploitability() < 1e-3
    first = ways["CFR+"]()
    first.iterate(1)
    assert 0.1 < first.exploitability() < 11 / 24  # the uniform strategy has 11/24
    assert list(tmp_path.iterdir()) == []  # nothing is left in the home directory


def test_a_peer_that_is_not_there_is_reported_with_its_command(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyspiel", reason="needs the extra 'peers'")
    monkeypatch.setitem(sys.modules, "LiteEFG", None)
    monkeypatch.setattr("facedown_bench.entries.SECTIONS", ())
    report = run([KUHN], peers=True, startup=False)
    assert report.to_dict()["missing_peers"] == [{"peer": "LiteEFG", "install": "pip install 'facedown[peers-compiled]'"}]
    assert "LiteEFG is not installed: pip install 'facedown[peers-compiled]'" in text(report)


def test_only_small_games_that_the_peers_have_are_solved() -> None:
    with Reference() as reference:
        listed = list(solvers.entries(Request(("war", "kuhn(players=3)"), True, reference)))
        everything = list(solvers.entries(Request(("kuhn",), True, reference, everything=True)))
    assert listed == []
    names = {entry.game for entry in everything}
    assert names == ({"kuhn", "liars_dice(faces=5)"} if COMPILED else {"kuhn"})


# --- entries --------------------------------------------------------------------------------------------------------------


def test_whole_tasks_are_compared_by_their_time_whatever_they_are_made_of() -> None:
    ours, theirs = Speed((Lap(1, 0.5, 10),)), Speed((Lap(1, 2.0, 1000),))
    assert Ratio.of(ours, theirs, whole_units=True).best == pytest.approx(4.0)
    assert Ratio.of(ours, theirs).best == pytest.approx(20 / 500)


def test_a_match_of_other_agents_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matches, "FURTHER", (MatchBench("kuhn", ("first", "uniform"), "round"), MatchBench("war", ("x", "x"))))
    monkeypatch.setattr("facedown_bench.entries.SECTIONS", ("facedown_bench.matches",))
    report = run([KUHN], seconds=0.004, rounds=1, startup=False)
    (measured,) = report.to_dict()["rounds"]
    assert (measured["game"], measured["what"]) == ("kuhn", "first against uniform")
    assert measured["rounds_per_second"] > 0
    assert "Rounds a second, one thread" in markdown(report)


def test_a_figure_of_our_own_is_one_small_object() -> None:
    entry: Entry = alone("search", "kuhn", "search simulations", "simulation", lambda: lambda n: Lap(n, n / 500))
    measured = _measure(entry, 1.0, 2, _Steps(3, None))
    assert measured.to_dict()["simulations_per_second"] == pytest.approx(500)
    assert measured.to_dict()["what"] == "search simulations"
