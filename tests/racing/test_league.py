"""Leagues: circles and ladders told as such, undecided cells, the same bits whoever plays, results as pages and rows.

Agents of `throws` differ by 60:40 where they differ at all. `plan` gives `settle` an error of 1e-8 for each such race with
delta .001 shared among three pairs; so 200 seeds of all these tests together fail less than once in ten thousand times.
"""

from __future__ import annotations

import csv
import itertools
import json
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import throws

import facedown as fd
from facedown.errors import Interrupted, UsageError
from facedown.native.jit import COMPILED
from facedown.progress import Progress
from facedown.racing import league_keeping
from facedown.racing.duel import LEAGUE, TOGETHER, Duel
from facedown.racing.league_result import Cell, LeagueResult

Run = Callable[..., Any]

SEEDS = 200 if COMPILED else 1
MANY = 4000 if COMPILED else 60
ROCK, SCISSORS, PAPER, WELL = throws.AGENTS
FILE = Path(throws.__file__)
SETTINGS: Any = {"epsilon": 0.01 if COMPILED else 0.05, "delta": 0.001, "threads": 1}


def plain(result: LeagueResult) -> dict[str, Any]:
    return {name: value for name, value in result.to_dict().items() if name != "seconds"}


# --- who beats whom ------------------------------------------------------------------------------------------------------


def test_a_planted_circle_is_told_as_one() -> None:
    for seed in range(SEEDS):
        found = fd.league(throws.GAME(plan="circle"), (ROCK, SCISSORS, PAPER), until="decided", seed=seed, **SETTINGS)
        assert found.cycles == (("rock", "scissors", "paper"),), seed
        assert found.best == ()
        assert not found.undecided
        assert "there is a cycle: rock beats scissors beats paper beats rock" in found.meaning


def test_the_best_of_a_ladder_is_named() -> None:
    for seed in range(SEEDS):
        found = fd.league(throws.GAME(plan="ladder"), (PAPER, ROCK, SCISSORS), until="decided", seed=seed, **SETTINGS)
        assert (found.best, found.cycles) == (("rock",), ()), seed
        assert [found.agents[agent] for agent in found.ranking] == ["rock", "scissors", "paper"]


@pytest.mark.compiled
def test_rock_paper_scissors_without_chance_is_a_circle() -> None:
    """Each sign always beats the next: nobody could miss it, and ratings are equal."""
    from games.hidden_moves import hidden_moves  # another folder has a file of that name too

    agents = [
        fd.Agent(name=name, game="hidden_moves", meaning="", act=act, deterministic=True)
        for name, act in (("rock", throws.rock), ("paper", throws.scissors), ("scissors", throws.paper))
    ]
    found = fd.league(hidden_moves(), agents, games=2000, seed=1)
    assert found.cycles == (("rock", "scissors", "paper"),)
    assert found.ratings is not None
    assert found.ratings.values == pytest.approx((0, 0, 0), abs=1e-6)


def test_a_circle_below_the_best_is_named_too() -> None:
    found = fd.league(throws.GAME(plan="crowned"), throws.AGENTS, until="decided", seed=1, **SETTINGS)
    assert found.best == ("well",)
    assert found.cycles == (("rock", "scissors", "paper"),)
    assert found.meaning.startswith("well beats every other agent or is practically equal to it; there is a cycle: rock beats")


def test_practically_equal_agents() -> None:
    found = fd.league(throws.GAME(plan="shared"), throws.AGENTS, until="decided", seed=1, **SETTINGS)
    assert found.best == ("rock", "well")
    assert next(cell.verdict for cell in found.cells if (cell.first, cell.second) == ("rock", "well")) == "practically equal"
    assert "rock and well are practically equal, and beaten by nobody" in found.meaning


def test_few_games_decide_nothing_and_say_so() -> None:
    found = fd.league(throws.GAME, throws.AGENTS, games=4, seed=1)
    assert len(found.undecided) == 6
    assert found.meaning == "6 of 6 pairings are undecided"
    assert all(cell.interval[0] < 0.5 < cell.interval[1] for cell in found.cells)
    limited = fd.league(throws.GAME, throws.AGENTS, until="decided", seed=1, max_games=700)
    assert limited.undecided and 690 < limited.games <= 700


def test_games_go_where_something_is_open() -> None:
    found = fd.league(throws.GAME(plan="shared"), throws.AGENTS, until="decided", seed=2, **SETTINGS)
    by_pair = {frozenset((cell.first, cell.second)): cell.games for cell in found.cells}
    equal = by_pair.pop(frozenset(("rock", "well")))
    assert len(set(by_pair.values()) | {equal}) > 1  # each stopped when it was decided
    if COMPILED:
        whole = fd.league(throws.GAME(plan="shared"), throws.AGENTS, until="decided", seed=2, **{**SETTINGS, "epsilon": 0.002})
        again = {frozenset((cell.first, cell.second)): cell.games for cell in whole.cells}
        assert again.pop(frozenset(("rock", "well"))) > equal


@pytest.mark.slow
@pytest.mark.compiled
def test_nothing_in_the_table_is_wrong_more_often_than_promised() -> None:
    """With delta .2, at most a fifth of the leagues may have a wrong verdict, or an interval without the true mean of 60:40.

    300 leagues; four standard errors of a share of .2 above it: 6 false alarms in 100,000.
    """
    truth, wrong = {"rock": "scissors", "scissors": "paper", "paper": "rock"}, 0
    for seed in range(300):
        found = fd.league(throws.GAME(plan="circle"), (ROCK, SCISSORS, PAPER), games=300, seed=seed, delta=0.2, threads=1)
        for cell in found.cells:
            mean, better = (0.6, "first") if truth[cell.first] == cell.second else (0.4, "second")
            if not cell.interval[0] <= mean <= cell.interval[1] or cell.verdict not in (better, "undecided"):
                wrong += 1
                break
    assert wrong / 300 < 0.2 + 4 * (0.2 * 0.8 / 300) ** 0.5


# --- figures -------------------------------------------------------------------------------------------------------------


def test_cells_are_the_means_of_matches_on_the_same_deals() -> None:
    """A pairing of two players is a match with seats exchanged; figures of both must agree, from other code."""
    found = fd.league("rrrats(tokens=9)", ["stationary", "hold(2)", "hold(3)"], games=MANY, seed=4)
    from facedown.seeds import derived_seed

    for (one, other), cell in zip(itertools.combinations(range(3), 2), found.cells, strict=True):
        names = [found.agents[one], found.agents[other]]
        match = fd.match("rrrats(tokens=9)", names, MANY, derived_seed(4, "pair", one, other))
        assert (cell.games, cell.mean) == (match.games, pytest.approx(match.mean[0]))
        assert cell.stderr == pytest.approx(match.stderr[0])
        assert cell.interval[0] <= match.interval[0][0] and match.interval[0][1] <= cell.interval[1]  # a third of delta
        assert found.mean(one, other) == cell.mean and found.mean(names[1], names[0]) == 1 - cell.mean
    with pytest.raises(KeyError):
        found.mean("hold(at=2)", "nobody")


@pytest.mark.parametrize("players", [3, 4])
def test_more_players_meet_in_all_mixtures(players: int) -> None:
    """One against the rest, the rest against one, and what lies between: each agent's mean score, game by game."""
    game = f"kuhn(players={players})"
    duel = Duel(game, "uniform", "first", LEAGUE)
    n_deals = 12
    assert duel.games_per_deal == players * (players - 1)
    observed = duel.play(7, 0, n_deals)
    from facedown.arena.lineup import Lineup

    low, high = fd.game(game).score_range
    expected = np.zeros(n_deals)
    for n_first in range(1, players):
        lineup = Lineup(game, ["uniform"] * n_first + ["first"] * (players - n_first))
        for index in range(n_deals * players):
            scores = lineup.play(7, index, 1).scores[0]
            gap = scores[:n_first].mean() - scores[n_first:].mean()
            expected[index // players] += (0.5 + gap / (2 * (high - low))) / (players * (players - 1))
    assert observed == pytest.approx(expected)
    # the other way round the same agents are worse by as much: seats and names do not matter
    turned = fd.league(game, ["first", "uniform"], games=MANY, seed=1).cells[0]
    cell = fd.league(game, ["uniform", "first"], games=MANY, seed=2).cells[0]
    assert abs(cell.mean + turned.mean - 1) < 4 * (cell.stderr**2 + turned.stderr**2) ** 0.5  # 6 false alarms in 100,000


@pytest.mark.compiled
@pytest.mark.parametrize("until", [None, "decided"])
def test_the_same_bits_whoever_plays(until: str | None) -> None:
    how: Any = {"until": until} if until else {"games": 30_000}
    agents = ["descending", "ascending", "shuffled", "winner_first"]
    one = plain(fd.league("war(ranks=5,suits=2)", agents, seed=3, threads=1, epsilon=0.03, **how))
    assert plain(fd.league("war(ranks=5,suits=2)", agents, seed=3, threads=3, epsilon=0.03, **how)) == one
    with ThreadPoolExecutor(2) as pool:
        assert plain(fd.league("war(ranks=5,suits=2)", agents, seed=3, executor=pool, epsilon=0.03, **how)) == one
    assert plain(fd.league("war(ranks=5,suits=2)", agents, seed=4, threads=1, epsilon=0.03, **how)) != one


@pytest.mark.slow
@pytest.mark.compiled
def test_six_agents_of_love_letter() -> None:
    agents = ["uniform", "first", "random", "greedy", "minmax", "careful"]
    found = fd.league("love_letter", agents, until="decided", seed=1)
    assert not found.undecided
    assert len(found.cells) == 15
    ranking = [found.agents[agent] for agent in found.ranking]
    assert set(ranking[:3]) == {"greedy", "minmax", "careful"}
    assert found.repeat.startswith("facedown league love_letter uniform first random greedy minmax careful --until decided")


# --- cross-play ----------------------------------------------------------------------------------------------------------


def teams_game() -> Any:
    """The example game of `throws`, made cooperative: both score 1 if they throw the same sign."""
    import dataclasses

    from facedown.native import native

    @native
    def score(state: Any, scores: Any) -> None:
        scores[0] = 1.0 if state.signs[0] == state.signs[1] else 0.25
        scores[1] = scores[0]

    return dataclasses.replace(throws.GAME, name="teams", score=score, kind="cooperative", total=None)


def team_agents() -> list[fd.Agent]:
    import dataclasses

    return [dataclasses.replace(agent, game="teams") for agent in (ROCK, SCISSORS, PAPER)]


def test_cross_play_is_what_teams_score_together() -> None:
    found = fd.league(teams_game(), team_agents(), games=20, seed=1)
    assert found.kind == "cross-play"
    assert len(found.cells) == 6  # each with itself too
    for cell in found.cells:
        assert cell.mean == (1.0 if cell.first == cell.second else 0.25)
        assert cell.verdict == ""
    assert found.mean("rock", "scissors") == found.mean("scissors", "rock") == 0.25
    assert (found.with_itself(0), found.with_others(0)) == (1.0, 0.25)
    assert found.ratings is None and found.best == () and found.cycles == ()
    assert "with others" in repr(found) and "with itself" in found._repr_html_()
    content = found.to_dict()
    assert content["ranking"][0] == {"agent": "rock", "mean_with_others": 0.25, "mean_with_itself": 1.0}
    assert "verdict" not in content["pairings"][0]
    duel = Duel(teams_game(), *team_agents()[:2], TOGETHER)
    assert duel.games_per_deal == 2
    with pytest.raises(UsageError, match="nothing to decide"):
        fd.league(teams_game(), team_agents(), until="decided")


def test_turns_cover_every_deal_once() -> None:
    from facedown.racing.league import _first_deal

    cuts = [_first_deal(turn) for turn in range(20)]
    assert cuts[:4] == [0, 64, 192, 448]
    sizes = [second - first for first, second in itertools.pairwise(cuts)]
    assert sizes == sorted(sizes) and sizes[-1] == sizes[-2] == 4096


# --- results -------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def small() -> LeagueResult:
    return fd.league("rrrats(tokens=9)", ["stationary", "hold(2)", "hold(3)"], games=MANY // 2, seed=4)


def test_the_result_as_data(small: LeagueResult) -> None:
    content = json.loads(json.dumps(small.to_dict()))
    assert content["schema"] == "facedown.league/1"
    assert content["games"] == sum(pairing["games"] for pairing in content["pairings"])
    assert [place["agent"] for place in content["ranking"]] == [small.agents[agent] for agent in small.ranking]
    assert content["repeat"] == small.repeat
    assert len(small.rows()) == 3
    assert repr(small).count("\n") == 3
    pandas = pytest.importorskip("pandas")
    assert isinstance(small.to_pandas(), pandas.DataFrame)


def test_without_pandas_there_are_rows(small: LeagueResult, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(UsageError, match="pandas is not installed"):
        small.to_pandas()


def test_pages_and_rows_are_written(small: LeagueResult, tmp_path: Path) -> None:
    page = small.write(tmp_path / "league.html").read_text()
    assert page.startswith("<!DOCTYPE html>") and page.count("<svg") == 1 and page.count("<table>") == 2
    assert escape(small.repeat) in page and "<script" not in page and "http://" not in page.replace("http://www.w3.org/", "")
    assert small.write(tmp_path / "again.html").read_text() == page
    rows = list(csv.DictReader(small.write(tmp_path / "league.csv").read_text().splitlines()))
    assert [float(row["mean"]) for row in rows] == [cell.mean for cell in small.cells]
    for wrong, words in (("league.txt", "a page ends in .html"), ("no/such/league.html", "there is no directory")):
        with pytest.raises(UsageError, match=words):
            small.write(tmp_path / wrong)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["again.html", "league.csv", "league.html"]


def test_names_are_no_markup(tmp_path: Path) -> None:
    cells = (Cell("<b>", "&amp", "undecided", 2, 1, 0.5, 0.5, (0.0, 1.0), 0.5),)
    ratings = fd.league("kuhn", ["uniform", "first"], games=2, seed=1).ratings
    made = LeagueResult("<i>", "versus", ("<b>", "&amp"), cells, ratings, "games", 0.01, 0.05, 1, 0.0, "")
    page = made.write(tmp_path / "page.html").read_text()
    assert "<b>" not in page and "<i>" not in page and "&lt;b&gt;" in page and "&amp;amp" in page


def test_two_circles_are_two() -> None:
    names = tuple("abcdef")
    beats = ["ab", "bc", "ca", "de", "ef", "fd"] + [first + second for first in "abc" for second in "def"]
    cells = tuple(Cell(pair[0], pair[1], "first", 2, 1, 0.6, 0.1, (0.51, 0.7)) for pair in beats)
    made = LeagueResult("game", "versus", names, cells, None, "games", 0.01, 0.05, 1, 0.0, "")
    assert made.cycles == (("a", "b", "c"), ("d", "e", "f"))


# --- stopping, and wrong requests ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("until", [None, "decided"])
def test_ctrl_c_gives_what_there_is(until: str | None) -> None:
    def stop(now: Progress) -> None:
        if now.done >= 600:
            raise KeyboardInterrupt

    how: Any = {"until": until, "epsilon": 0.001} if until else {"games": 10**6}
    with pytest.raises(Interrupted, match="interrupted after") as caught:
        fd.league(throws.GAME(plan="shared"), throws.AGENTS, seed=1, threads=1, progress=stop, **how)
    found = caught.value.result
    assert found.interrupted and found.games >= 600
    assert found.to_dict()["interrupted"] is True


@pytest.mark.parametrize("until", [None, pytest.param("decided", marks=pytest.mark.compiled)])
def test_a_league_goes_on_where_it_was(until: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(league_keeping, "EVERY", 0.0)
    n = 4_000 if COMPILED else 400
    how: Any = {"until": until, "max_games": 3 * n} if until else {"games": n}
    how |= {"seed": 1, "threads": 1, "epsilon": 0.001}
    field, file = (throws.GAME(plan="shared"), throws.AGENTS), tmp_path / "league"
    whole = plain(fd.league(*field, **how))
    stops, heard = [n // 6, n // 2, n // 2, n], list[int]()

    def stop(now: Progress) -> None:
        heard.append(now.done)
        if now.done >= stops[0]:
            raise KeyboardInterrupt

    while stops:
        with pytest.raises(Interrupted):
            fd.league(*field, keep=file, progress=stop, **how)
        stops.pop(0)
    assert sorted(set(heard)) == heard, "no game was played again"
    assert plain(fd.league(*field, keep=file, **how)) == whole
    # what is there is all that is asked for; another league is not taken for it, nor is a file that was changed
    assert plain(fd.league(*field, keep=file, **how)) == whole
    content = file.read_bytes()
    for damaged in (content[:-1], b"", content[:80] + b"x" + content[81:], b"x" * 200):
        file.write_bytes(damaged)
        assert plain(fd.league(*field, keep=file, **how)) == whole
    assert plain(fd.league(*field, keep=file, **(how | {"seed": 2}))) != whole
    with pytest.raises(UsageError, match="there is no directory"):
        fd.league(*field, keep=tmp_path / "nowhere" / "league", **how)


@pytest.mark.parametrize(
    ("agents", "how", "words"),
    [
        (["uniform"], {}, "a league needs at least two agents, but 1 is given; name the others too"),
        (["uniform", "first", "uniform"], {}, "the agent uniform is named twice; in a league everybody meets everybody else"),
        (["uniform", "fisrt"], {}, "unknown agent of kuhn 'fisrt'. Did you mean 'first'?"),
        ("uniform", {}, "agents='uniform': give a list of names"),
        (["uniform", "first"], {"games": 0}, "games=0: a whole number from 1"),
        (["uniform", "first"], {"games": 10, "until": "decided"}, "not both; leave one of them out"),
        (["uniform", "first"], {"until": "tomorrow"}, "until='tomorrow': a league is played until 'decided'"),
        (["uniform", "first"], {"max_games": 10}, "max_games limits a league that is played until it is decided"),
        (["uniform", "first"], {"delta": 0}, "delta=0: the probability of an error"),
        (["uniform", "first"], {"epsilon": 0.7}, "epsilon=0.7"),
        (["uniform", "first"], {"seed": -1}, "seed=-1"),
        (["uniform", "first"], {"threads": 0}, "threads=0"),
    ],
)
def test_wrong_requests_are_sentences(agents: Any, how: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError) as caught:
        fd.league("kuhn", agents, **how)
    assert words in str(caught.value)


# --- the command ---------------------------------------------------------------------------------------------------------


def test_the_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, run: Run) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    page = tmp_path / "league.html"
    words = ("league", "kuhn", "uniform", "first", "--games", "400", "--seed", "1")
    code, out, _ = run([*words, "--out", str(page)])
    assert code == 0
    assert "uniform beats first" in out and "Again: facedown league kuhn uniform first --games 400 --seed 1" in out
    assert page.is_file()
    code, out, _ = run([*words, "--json"])
    content = json.loads(out)
    assert content["schema"] == "facedown.league/1" and content["best"] == ["uniform"]
    code, _, err = run(["league", "kuhn", "uniform", "--out", "x.html"])
    assert code == 2 and err.startswith("facedown: a league needs at least two agents")
    code, _, err = run([*words, "--out", "x.pdf"])
    assert code == 2 and "a page ends in .html" in err


@pytest.mark.slow
@pytest.mark.compiled
def test_ctrl_c_on_the_command_line(interrupt: Callable[[str], Any]) -> None:
    code, out, err = interrupt("league war descending ascending --json --games 100000000")
    assert code == 130, err
    assert json.loads(out)["interrupted"] is True
    assert "interrupted after" in err
