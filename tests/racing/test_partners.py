"""Races beside partners: what one observation is, by single matches; verdicts, journals, other places, wrong requests."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import facedown as fd
from facedown.arena.match import match
from facedown.errors import UsageError
from facedown.native.jit import COMPILED
from facedown.racing.duel import BESIDE, Duel
from facedown.racing.feed import feed
from facedown.racing.methods import VERDICTS, Setting
from facedown.racing.race import race

Run = Callable[..., Any]

SMALL = "hanabi(suits=2,ranks=3,hand=2,players={})"
TWO, THREE = SMALL.format(2), SMALL.format(3)
PARTNERS = ["erratic", "first"]  # the second agent of most races here is one of them
N_SHARED = 150 if COMPILED else 20  # as many deals as two threads share; plain Python has none
WIDE: dict[str, Any] = {"points": 1.5, "delta": 0.2}


def by_matches(game: str, first: str, second: str, partners: list[str], seed: int, n_deals: int) -> Any:
    """The difference of points on each deal, from matches in which everybody keeps their seat."""
    n_players = fd.game(game).n_players
    means = []
    for agent in (first, second):
        rows = []
        for partner in partners:
            for seat in range(n_players):
                team = [agent if place == seat else partner for place in range(n_players)]
                found = match(game, team, games=n_deals, seed=seed, swap=False, threads=1, keep=True)
                assert found.batch is not None
                rows.append(found.batch.scores[:, 0])
        means.append(np.mean(rows, axis=0))
    return means[0] - means[1]


@pytest.mark.parametrize(("game", "n_deals"), [(TWO, 12), (THREE, 6)])
def test_an_observation_is_the_difference_of_mean_scores(game: str, n_deals: int) -> None:
    duel = Duel(game, "stopped_clock", "erratic", BESIDE, PARTNERS)
    slow = by_matches(game, "stopped_clock", "erratic", PARTNERS, 5, n_deals)
    fast = duel.play(5, 0, n_deals)
    assert len(set(slow)) > 2  # of every deal something else
    assert duel.points(fast - 0.5) == pytest.approx(slow, abs=1e-12)  # type: ignore[arg-type]
    # any range of deals, also from its text
    rest = duel.play(5, n_deals // 2, n_deals - n_deals // 2)
    assert rest.tolist() == fast[n_deals // 2 :].tolist()
    n_players = fd.game(game).n_players
    assert duel.games_per_deal == 4 * n_players - (n_players - 1)  # erratic beside itself plays a deal once


def test_a_race_takes_in_these_differences() -> None:
    found = race(TWO, "stopped_clock", "erratic", partners=PARTNERS, seed=2, threads=1, max_games=7 * 64, **WIDE)
    setting = Setting("duel", found.epsilon, found.delta)
    races = setting.start()
    width = 6.0
    assert found.epsilon == pytest.approx(WIDE["points"] / (2 * width))
    feed(races[0], 0.5 + by_matches(TWO, "stopped_clock", "erratic", PARTNERS, 2, 64) / (2 * width))
    assert found.verdict == VERDICTS[int(races[0].verdict)] == "first"  # who plays blindly loses lives
    assert found.games == 7 * int(races[0].n_scores)
    assert found.difference == pytest.approx(2 * width * (races[0].total / races[0].n_scores - 0.5))
    assert found.team and found.partners == tuple(PARTNERS)
    assert found.winner == "stopped_clock"
    words = "stopped_clock is better than erratic, or less than 1.5 points a game worse, on average beside erratic and first"
    assert found.meaning == words and words in repr(found)
    content = found.to_dict()
    assert content["partners"] == PARTNERS and content["meaning"] == words


def test_the_same_agent_twice_comes_out_even() -> None:
    assert Duel(TWO, "erratic", "erratic", BESIDE, ["erratic", "first"]).play(3, 0, 8).tolist() == [0.5] * 8
    assert race(TWO, "first", "first", partners=["erratic"], seed=1, **WIDE).verdict == "practically equal"


def test_threads_and_other_places_change_nothing() -> None:
    settings = {"partners": PARTNERS, "seed": 4, "max_games": 7 * N_SHARED, "points": 0.001}
    one = race(TWO, "stopped_clock", "first", threads=1, **settings)  # type: ignore[call-overload]
    two = race(TWO, "stopped_clock", "first", threads=2, **settings)  # type: ignore[call-overload]
    with ThreadPoolExecutor(2) as pool:
        elsewhere = race(TWO, "stopped_clock", "first", executor=pool, **settings)  # type: ignore[call-overload]
    assert one.verdict == "undecided" and one.games == 7 * N_SHARED
    for other in (two, elsewhere):
        assert (other.mean, other.stderr, other.interval, other.games) == (one.mean, one.stderr, one.interval, one.games)


@pytest.mark.compiled
def test_a_journal_belongs_to_its_partners(tmp_path: Path) -> None:
    kept = tmp_path / "race"
    whole = race(TWO, "stopped_clock", "erratic", partners=PARTNERS, seed=2, points=0.5)
    half = {"seed": 2, "points": 0.5, "journal": kept}
    cut = race(TWO, "stopped_clock", "erratic", partners=PARTNERS, max_games=7 * 2, **half)  # type: ignore[call-overload]
    assert cut.verdict == "undecided"
    for others in (None, ["erratic"], PARTNERS[::-1]):
        with pytest.raises(UsageError, match=r"belongs to another race: its partners is \['erratic', 'first'\]"):
            race(TWO, "stopped_clock", "erratic", partners=others, **half)  # type: ignore[call-overload]
    again = race(TWO, "stopped_clock", "erratic", partners=PARTNERS, **half)  # type: ignore[call-overload]
    assert (again.verdict, again.games, again.mean) == (whole.verdict, whole.games, whole.mean)


def test_the_best_of_many_beside_partners() -> None:
    found = race(TWO, "smart_cheater", "erratic", "first", partners=["erratic"], seed=1, **{**WIDE, "points": 0.5})
    assert found.best == ("smart_cheater",) and found.verdict == "decided"
    assert found.meaning.endswith("beside erratic") and found.to_dict()["partners"] == ["erratic"]
    assert "--partners erratic " in found.repeat
    assert all(one.partners == ("erratic",) for one in found.races)
    limited = race(TWO, "smart_cheater", "erratic", "first", partners=["erratic"], seed=1, max_games=30, points=0.01)
    assert limited.verdict == "undecided" and limited.games <= 30


@pytest.mark.parametrize(
    ("game", "partners", "words"),
    [
        (TWO, ["erattic"], "unknown agent of hanabi 'erattic'. Did you mean 'erratic'?"),
        (TWO, [], "partners=[]: name at least one agent to play beside, or leave partners out"),
        (TWO, "erratic", "partners=erratic: give a list of agents"),
        (TWO, ["erratic", "first", "erratic"], "the partner erratic is named twice; each counts once"),
        (
            "kuhn",
            ["uniform"],
            "partners are for games whose players score together, and in kuhn everybody plays for themselves",
        ),
        ("cant_stop(players=1)", ["uniform"], "and in cant_stop(players=1) one plays alone; leave them out"),
    ],
)
def test_wrong_partners_are_sentences(game: str, partners: Any, words: str) -> None:
    with pytest.raises(UsageError) as caught:
        race(game, "uniform", "first", partners=partners, seed=1)
    assert words in str(caught.value)


# --- the command ---------------------------------------------------------------------------------------------------------


@pytest.mark.compiled
def test_the_command(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    words = ["race", TWO, "stopped_clock", "erratic", "--partners", "erratic, first", "--points", "1.5", "--seed", "2"]
    code, out, _ = run(words)
    assert code == 0 and "on average beside erratic and first (wrong with probability at most 0.05)." in out
    assert "stopped_clock less erratic: " in out and "points a game" in out
    repeat = out.partition("Again: facedown ")[2].strip()
    assert "--partners erratic,first --method duel --points 1.5" in repeat
    code, out, _ = run([*words, "--json"])
    first = json.loads(out)
    code, out, _ = run([*shlex.split(repeat), "--json"])
    again = json.loads(out)
    assert code == 0 and first["partners"] == ["erratic", "first"]
    assert {**first, "seconds": 0} == {**again, "seconds": 0}
    code, _, err = run([*words[:5], "erratic,,first"])
    assert code == 2 and "there is nothing between two commas" in err
    code, _, err = run([*words, "--live"])
    assert code == 2 and "leave out --journal, --json, --points, --partners," in err
