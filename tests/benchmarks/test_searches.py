"""The benches of searches."""

from __future__ import annotations

from contextlib import ExitStack
from typing import cast

import pytest

from facedown.agents.generic.mcts import SearchAgent, search
from facedown.games.registry import game as find_game
from facedown_bench import searches
from facedown_bench.entries import Request


def test_simulations_are_timed() -> None:
    n_done, seconds = searches.time_simulations(cast(SearchAgent, search(find_game("leduc"))(simulations=10)), 40)
    assert n_done == 40 and seconds > 0


@pytest.mark.compiled
def test_the_bench_counts_simulations() -> None:
    request = Request(("kuhn", "leduc"), peers=False, reference=None)  # type: ignore[arg-type]  # nobody is compared
    (entry,) = searches.entries(request)
    assert (entry.game, entry.what, entry.unit) == ("leduc", "mcts", "simulation")
    with ExitStack() as stack:
        (ours,) = entry.contestants(stack)
        lap = ours.run(10)
    assert lap.units == 1_000 and lap.seconds > 0  # a whole search at least


@pytest.mark.compiled
def test_the_bench_counts_rollouts() -> None:
    request = Request(("hanabi",), peers=False, reference=None)  # type: ignore[arg-type]  # nobody is compared
    two, five = searches.entries(request)
    assert (two.game, two.what, two.unit) == ("hanabi", "lookahead", "rollout")
    assert five.game == "hanabi(players=5)"
    with ExitStack() as stack:
        (ours,) = five.contestants(stack)
        lap, another = ours.run(10), ours.run(10)
    assert lap.units >= 10 and lap.seconds > 0 and another.units >= 10  # a whole game at least
