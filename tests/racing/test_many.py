"""The best of many agents: named only if shown against everybody, circles told as such, and as many games as allowed.

Agents differ by 60:40 where they differ at all. With delta 0.001 shared among three pairs, `plan` gives an error of 4e-8 for
each such race; among six pairs less. So 200 seeds of all these tests together fail once in ten thousand times.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import throws

from facedown.native.jit import COMPILED
from facedown.racing.many import Standing, shortest_cycle
from facedown.racing.race import race

Run = Callable[..., Any]

SEEDS = 200 if COMPILED else 2
SETTINGS = {"epsilon": 0.01 if COMPILED else 0.05, "delta": 0.001, "threads": 1}
ROCK, SCISSORS, PAPER, WELL = throws.AGENTS
FILE = Path(throws.__file__)


def standings(plan: str, *agents: object, seeds: int = SEEDS) -> list[Standing]:
    return [race(throws.GAME(plan=plan), *agents, seed=seed, **SETTINGS) for seed in range(seeds)]  # type: ignore[arg-type]


def verdict_between(standing: Standing, winner: str, loser: str) -> str:
    """How it came out between two agents, as if the first of them had been named first."""
    (found,) = (result for result in standing.races if set(result.agents) == {winner, loser})
    turned = {"first": "second", "second": "first"}
    return found.verdict if found.agents[0] == winner else turned.get(found.verdict, found.verdict)


# --- who is the best -----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_circle_is_told_as_one() -> None:
    for standing in standings("circle", ROCK, SCISSORS, PAPER):
        assert standing.verdict == "cycle"
        assert standing.best == ()
        assert standing.cycle == ("rock", "scissors", "paper")
        said = "no single best: rock beats scissors beats paper beats rock"
        assert standing.meaning.startswith(said)
        assert said in repr(standing)
        found = standing.to_dict()
        assert (found["verdict"], found["best"], found["cycle"]) == ("cycle", [], ["rock", "scissors", "paper"])
        assert found["meaning"] == standing.meaning
        assert all(place.status.startswith("lost to ") for place in standing.places)


@pytest.mark.slow
def test_the_best_of_a_ladder_has_met_everybody() -> None:
    for standing in standings("ladder", PAPER, ROCK, SCISSORS):
        assert (standing.verdict, standing.best, standing.cycle) == ("decided", ("rock",), ())
        assert verdict_between(standing, "rock", "scissors") == verdict_between(standing, "rock", "paper") == "first"
        assert standing.places[0].status == "best"


def test_a_circle_below_the_best_does_not_matter() -> None:
    for standing in standings("crowned", ROCK, SCISSORS, PAPER, WELL, seeds=20 if COMPILED else 1):
        assert (standing.verdict, standing.best) == ("decided", ("well",))
        assert all(verdict_between(standing, "well", other) == "first" for other in ("rock", "scissors", "paper"))


def test_a_circle_above_others() -> None:
    for standing in standings("circle", WELL, PAPER, SCISSORS, ROCK, seeds=20 if COMPILED else 1):
        assert standing.cycle == ("paper", "rock", "scissors")  # begun with the one that was named first
        assert "paper beats rock beats scissors beats paper" in standing.meaning


def test_agents_that_are_practically_equal_share_the_first_place() -> None:
    for standing in standings("shared", ROCK, SCISSORS, PAPER, WELL, seeds=20 if COMPILED else 1):
        assert (standing.verdict, standing.best) == ("practically equal", ("rock", "well"))
        assert verdict_between(standing, "rock", "well") == "practically equal"
        for best, other in itertools.product(("rock", "well"), ("scissors", "paper")):
            assert verdict_between(standing, best, other) == "first"


# --- games and seeds -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("max_games", [1, 2, 129, 300])
def test_no_more_games_than_allowed(max_games: int) -> None:
    settings = {**SETTINGS, "epsilon": 0.001}
    standing = race(throws.GAME, ROCK, SCISSORS, PAPER, seed=1, max_games=max_games, **settings)
    assert max_games - 2 < standing.games <= max_games
    assert standing.verdict == "undecided"
    assert all(place.status == "undecided" or place.status.startswith("lost") for place in standing.places)


def test_a_single_survivor_that_has_not_met_everybody_is_not_the_best_yet() -> None:
    whole = race(throws.GAME(plan="ladder"), ROCK, SCISSORS, PAPER, seed=1, **SETTINGS)
    cut = race(throws.GAME(plan="ladder"), ROCK, SCISSORS, PAPER, seed=1, max_games=whole.games - 2, **SETTINGS)
    assert (whole.verdict, cut.verdict) == ("decided", "undecided")
    assert "rock" in cut.best
    assert cut.meaning.startswith("undecided: ")


def test_the_largest_seed_is_a_seed() -> None:
    standing = race(throws.GAME, ROCK, SCISSORS, PAPER, seed=2**63 - 1, **SETTINGS)
    assert standing.verdict == "cycle"
    assert standing.seed == 2**63 - 1


def test_pairs_and_neighbouring_seeds_share_no_deals() -> None:
    short = [race(throws.GAME, ROCK, SCISSORS, PAPER, seed=seed, max_games=2, **SETTINGS) for seed in range(5)]
    seeds = [result.seed for standing in short for result in standing.races]
    assert len(set(seeds)) == len(seeds)
    assert min(abs(one - other) for one, other in itertools.combinations(seeds, 2)) > 2**32  # by chance once in 10^7


# --- cycles --------------------------------------------------------------------------------------------------------------


def cycles_by_hand(beaten: dict[int, list[int]]) -> list[tuple[int, ...]]:
    """All cycles, each beginning with its least member, by trying every order of every set of agents."""
    found = []
    for size in range(3, len(beaten) + 1):
        for order in itertools.permutations(beaten, size):
            beats = zip(order, order[1:] + order[:1], strict=True)
            if order[0] == min(order) and all(winner in beaten[loser] for winner, loser in beats):
                found.append(order)
    return found


def test_the_shortest_cycle_of_random_verdicts() -> None:
    chance, lengths = random.Random(1), set()
    for _ in range(400):
        n, p_met = chance.randint(3, 6), chance.choice([0.4, 0.6, 1.0])
        beaten: dict[int, list[int]] = {agent: [] for agent in range(n)}
        for pair in itertools.combinations(range(n), 2):
            if chance.random() < p_met:
                winner, loser = pair if chance.random() < 0.5 else pair[::-1]
                beaten[loser].append(winner)
        found, all_cycles = shortest_cycle(beaten), cycles_by_hand(beaten)
        lengths.add(len(found))
        assert (not found and not all_cycles) or tuple(found) in all_cycles
        assert len(found) == min(map(len, all_cycles), default=0)
        if all(beaten.values()):
            assert found  # whoever has lost to somebody each: it must come round
    assert {0, 3, 4} <= lengths
    assert shortest_cycle({0: [4], 1: [0], 2: [1], 3: [2], 4: [3], 5: [0, 1]}) == [0, 1, 2, 3, 4]


# --- the command ---------------------------------------------------------------------------------------------------------


def test_the_command_tells_of_the_circle(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    line = ["race", f"{FILE}:GAME", "rock", "scissors", "paper", "--seed", "1", "--delta", "0.001"]
    line += ["--epsilon", str(SETTINGS["epsilon"])]
    code, out, _ = run(line)
    assert code == 0
    assert "no single best: rock beats scissors beats paper beats rock" in out
    races = out[out.index("Races") :]
    assert races.count("scissors") >= 2 and races.count("first") + races.count("second") >= 5  # who met whom, two in the header
    found = run([*line, "--json"]).json()
    assert (found["verdict"], found["best"], found["cycle"]) == ("cycle", [], ["rock", "scissors", "paper"])
    assert found["meaning"].startswith("no single best: rock beats scissors beats paper beats rock")
