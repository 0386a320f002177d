"""Matches: the same figures however the work is split, and figures that follow from the single games."""

from __future__ import annotations

import itertools
import json
import math
import multiprocessing
import pickle
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from scipy import stats

import facedown as fd
from facedown.arena.lineup import Batch, Lineup
from facedown.arena.match import Task, _tasks
from facedown.arena.results import distinct_names
from facedown.games.position import Position
from facedown.native.jit import COMPILED
from facedown.progress import Progress
from naive.generators import stream_words, xoroshiro

MANY = 4_000 if COMPILED else 120
UNIFORM = ["uniform", "uniform"]


def figures(result: fd.MatchResult) -> dict[str, Any]:
    """All that must not depend on who played the games."""
    return {name: value for name, value in result.to_dict().items() if name != "seconds"}


def batch_of(result: fd.MatchResult) -> Batch:
    assert result.batch is not None
    return result.batch


def joined(batches: list[Batch]) -> list[np.ndarray[Any, Any]]:
    return [np.concatenate([getattr(batch, part) for batch in batches]) for part in ("scores", "lengths", "values")]


# --- the same figures, however split -------------------------------------------------------------------------------------


@pytest.mark.parametrize("swap", [True, False])
@pytest.mark.parametrize("games", [MANY, MANY + 1, 1])
def test_figures_do_not_depend_on_threads(swap: bool, games: int) -> None:
    one, two, three = (
        fd.match("kuhn", UNIFORM, games=games, seed=7, swap=swap, threads=threads, keep=True) for threads in (1, 2, 3)
    )
    assert figures(one) == figures(two) == figures(three)
    assert one.games == games
    assert one.swap == swap
    for other in (two, three):
        assert batch_of(one).scores.tobytes() == batch_of(other).scores.tobytes()
        assert batch_of(one).lengths.tobytes() == batch_of(other).lengths.tobytes()


def test_another_seed_gives_other_games() -> None:
    one, other = (fd.match("kuhn", UNIFORM, games=60, seed=seed, keep=True) for seed in (1, 2))
    assert batch_of(one).scores.tolist() != batch_of(other).scores.tolist()


def test_without_a_seed_one_is_drawn_and_told() -> None:
    one = fd.match("kuhn", UNIFORM, games=40)
    assert figures(fd.match("kuhn", UNIFORM, games=40, seed=one.seed)) == figures(one)
    assert fd.match("kuhn", UNIFORM, games=1).seed != one.seed  # alike in one of four billion


@pytest.mark.parametrize("swap", [True, False])
def test_single_games_do_not_depend_on_the_split(swap: bool) -> None:
    lineup = Lineup("kuhn", UNIFORM, swap)
    whole = lineup.play(3, 0, 60)
    for cuts in ([0, 60], [0, 1, 2, 60], [0, 7, 30, 31, 60], list(range(61))):  # through pairs of games on one deal too
        parts = [lineup.play(3, first, last - first) for first, last in itertools.pairwise(cuts)]
        for one, other in zip(joined([whole]), joined(parts), strict=True):
            assert one.tobytes() == other.tobytes()
    later = lineup.play(3, 10**12, 5)
    assert later.first == 10**12
    assert len(later.scores) == 5


class Posting(Executor):
    """Tasks and outcomes go through bytes, as they do to another machine."""

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        posted = pickle.dumps((function, arguments, named))
        self.sizes.append(len(posted))
        future: Future[Any] = Future()
        back, given, by_name = pickle.loads(posted)
        future.set_result(pickle.loads(pickle.dumps(back(*given, **by_name))))
        return future


@pytest.mark.parametrize("keep", [True, False])
def test_tasks_are_plain_data(keep: bool) -> None:
    executor = Posting()
    posted = fd.match("kuhn", UNIFORM, games=MANY + 1, seed=7, executor=executor, keep=keep)
    here = fd.match("kuhn", UNIFORM, games=MANY + 1, seed=7, keep=keep)
    assert figures(posted) == figures(here)
    assert (posted.batch is not None) == keep
    assert max(executor.sizes) < 1000


def test_parameters_and_options_reach_other_processes_exactly() -> None:
    agents = ["stationary(A1=0.1,B2=-0.30000000000000004)", "hold(2)"]
    posted = fd.match("rrrats(tokens=9)", agents, games=30, seed=7, executor=Posting(), keep=True)
    here = fd.match("rrrats(tokens=9)", agents, games=30, seed=7, keep=True)
    assert figures(posted) == figures(here)
    assert batch_of(posted).scores.tobytes() == batch_of(here).scores.tobytes()


def test_processes_play_the_same_games() -> None:
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        elsewhere = fd.match("kuhn", UNIFORM, games=MANY + 1, seed=7, executor=pool, keep=True)
    here = fd.match("kuhn", UNIFORM, games=MANY + 1, seed=7, threads=1, keep=True)
    assert figures(elsewhere) == figures(here)
    assert batch_of(elsewhere).scores.tobytes() == batch_of(here).scores.tobytes()


def test_threads_of_ones_own_play_the_same_games() -> None:
    with ThreadPoolExecutor(2) as pool:
        elsewhere = fd.match("kuhn", UNIFORM, games=MANY, seed=7, executor=pool)
    assert figures(elsewhere) == figures(fd.match("kuhn", UNIFORM, games=MANY, seed=7))


def test_a_long_match_begins_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    cut = []

    def counted(*arguments: Any) -> Iterator[Task]:
        for task in _tasks(*arguments):
            cut.append(task)
            yield task

    def enough(step: Progress) -> None:
        raise StopIteration

    monkeypatch.setattr("facedown.arena.match._tasks", counted)
    with pytest.raises(StopIteration):
        fd.match("kuhn", UNIFORM, games=10**8 if COMPILED else 6_400, seed=1, threads=1, progress=enough)
    assert len(cut) <= 4  # of 1526, or 64


def test_tasks_cover_every_game_once() -> None:
    for game, agents, swap in [("kuhn", UNIFORM, True), ("kuhn", UNIFORM, False), ("kuhn(players=3)", ["uniform"] * 3, True)]:
        lineup = Lineup(game, agents, swap)
        for games in (1, 2, 3, 7, 64, 127, 128, 129, 1000, 300_000):
            tasks = list(_tasks(lineup, 1, games, False))
            assert [task.first for task in tasks] == np.cumsum([0, *(task.count for task in tasks)])[:-1].tolist()
            assert sum(task.count for task in tasks) == games
            assert all(task.first % lineup.n_orders == 0 for task in tasks)  # deals are never cut


# --- who sits where ------------------------------------------------------------------------------------------------------


def highest_first(view: Any, actions: Any, n: int, params: Any, memory: Any, chance: Any) -> int:
    return 1 if view.card >= params[0] else 0


BETS_FROM = fd.Agent(
    name="bets_from",
    meaning="bets with this card or a higher one",
    act=highest_first,
    game="kuhn",
    parameters=(fd.Parameter("card", 0, 0, 6, "the lowest card that it bets on"),),
)


def naive_seating(players: int, seed: int, deal: int, order: int, swap: bool) -> list[int]:
    """Who sits where, from the rule in words: two agents change seats; more sit down in an order that is drawn for the deal,
    from the stream behind those of the seats, and move one seat on from game to game.
    """
    agents = list(range(players))
    if swap and players > 2:
        words = xoroshiro(*stream_words(seed, 0, deal, 1 + players))
        for last in range(players - 1, 0, -1):  # Fisher & Yates; no word of these seeds is rejected by Lemire's method
            other = (next(words) >> 32) * (last + 1) >> 32
            agents[last], agents[other] = agents[other], agents[last]
    return agents[order:] + agents[:order]


def naive_match(players: int, cards: list[int], games: int, seed: int, swap: bool) -> tuple[list[list[float]], list[int]]:
    """Scores by agent and lengths, from the position in Python; deal number d is played in all orders."""
    orders = players if swap else 1
    position = Position(fd.game("kuhn", players=players))
    scores, lengths = [], []
    for game in range(games):
        deal, order = divmod(game, orders)
        position.sample(seed, deal)
        position.start()
        n_moves, seating = 0, naive_seating(players, seed, deal, order, swap)
        while not position.over:
            seat = position.turn()
            position.step(1 if position.state.card[seat] >= cards[seating[seat]] else 0)
            n_moves += 1
        by_seat = position.scores()
        scores.append([float(by_seat[seating.index(agent)]) for agent in range(players)])
        lengths.append(n_moves)
    return scores, lengths


@pytest.mark.parametrize(("players", "swap"), [(2, True), (2, False), (3, True), (4, True), (5, True), (5, False)])
def test_agents_rotate_and_figures_are_by_agent(players: int, swap: bool) -> None:
    cards = [0, 3, 1, 6, 2][:players]
    games = 8 * players + 1
    result = fd.match(
        f"kuhn(players={players})", [BETS_FROM(card) for card in cards], games=games, seed=5, swap=swap, keep=True
    )
    scores, lengths = naive_match(players, cards, games, 5, swap)
    assert batch_of(result).scores.tolist() == scores
    assert batch_of(result).lengths.tolist() == lengths
    assert result.mean == pytest.approx(np.mean(scores, axis=0))


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_agent_sits_in_every_seat_on_every_deal(players: int) -> None:
    lineup = Lineup(f"kuhn(players={players})", ["uniform"] * players)
    assert lineup.n_orders == players
    for deal in (0, 1, 17):
        games = range(deal * players, (deal + 1) * players)
        assert {lineup.deal_of(game) for game in games} == {deal}
        for seat in range(players):
            assert sorted(lineup.seating(1, game)[seat] for game in games) == list(range(players))
    assert Lineup("kuhn", UNIFORM).seating(1, 0) == [0, 1]  # two sit down as they were named


@pytest.mark.parametrize("players", [3, 4])
def test_nobody_always_sits_behind_the_same_neighbour(players: int) -> None:
    lineup = Lineup(f"kuhn(players={players})", ["uniform"] * players)
    n_deals = 6_000 if COMPILED else 600
    seen = Counter(tuple(lineup.seating(3, deal * players)) for deal in range(n_deals))
    orders = list(itertools.permutations(range(players)))
    assert set(seen) == set(orders)
    # chi-square against equal shares; a fair draw fails once in a million seeds
    assert stats.chisquare([seen[order] for order in orders]).pvalue > 1e-6


@pytest.mark.compiled
@pytest.mark.slow
def test_figures_do_not_depend_on_who_is_named_first() -> None:
    """Three agents in all six orders of naming: each agent's means agree within four standard errors of their differences.

    45 comparisons; the false-alarm rate is below 45 * 6.4e-5 = .3 %, and the seed is fixed.
    """
    agents = ["greedy", "random", "uniform"]
    found: dict[str, list[tuple[float, float]]] = {agent: [] for agent in agents}
    for number, order in enumerate(itertools.permutations(agents)):
        result = fd.match("love_letter(players=3)", list(order), games=300_000, seed=100 + number)
        for agent, mean, stderr in zip(order, result.mean, result.stderr, strict=True):
            found[agent].append((mean, stderr))
    for figures in found.values():
        for (mean, stderr), (other, other_stderr) in itertools.combinations(figures, 2):
            assert abs(mean - other) < 4 * math.hypot(stderr, other_stderr), found


# --- figures from single games -------------------------------------------------------------------------------------------


def check_figures(result: fd.MatchResult) -> None:
    """Everything that a result says, once more from its single games, with NumPy."""
    batch = batch_of(result)
    n_games, n_agents = batch.scores.shape
    assert result.games == n_games == len(batch.lengths)
    orders = n_agents if result.swap else 1
    assert result.mean == pytest.approx(batch.scores.mean(axis=0))
    assert result.length_mean == pytest.approx(batch.lengths.mean())
    best = batch.scores.max(axis=1, keepdims=True)
    alone = (batch.scores == best).sum(axis=1) == 1
    assert result.wins == tuple(((batch.scores == best) & alone[:, None]).sum(axis=0).tolist())
    assert result.draws == (~alone).sum()
    assert sum(result.wins) + result.draws == n_games
    # games on the same deal are not independent, deals are; the last deal may not have been played in all orders
    n_deals = n_games // orders
    deals = batch.scores[: n_deals * orders].reshape(n_deals, orders, n_agents).mean(axis=1)
    assert result.stderr == pytest.approx(deals.std(axis=0, ddof=1) / math.sqrt(n_deals))
    lineup = Lineup(result.game, result.agents, swap=result.swap)
    seating = [lineup.seating(result.seed, game) for game in range(n_games)]
    assert batch.seats.tolist() == seating
    seats = [[batch.scores[game, agent] for agent in seating[game]] for game in range(n_games)]
    assert result.seat_mean == pytest.approx(np.mean(seats, axis=0))
    for mean, (low, high) in zip(result.mean, result.interval, strict=True):
        assert low <= high
        if n_games % orders == 0:
            assert low < mean < high
    assert list(result.columns.values()) == pytest.approx(batch.values.sum(axis=0))


@pytest.mark.parametrize(
    ("game", "agents", "games", "swap"),
    [
        ("kuhn", UNIFORM, 400, True),
        ("kuhn", UNIFORM, 401, True),
        ("kuhn", UNIFORM, 333, False),
        ("kuhn(pass_pays=no)", UNIFORM, 100, True),  # with draws
        ("kuhn(players=3)", ["uniform"] * 3, 200, True),
        ("kuhn(players=5)", ["uniform"] * 5, 52, False),
        ("war(max_rounds=30)", ["descending", "ascending"], 61, True),  # with capped games
        ("rrrats(tokens=7)", ["hold(2)", "hold(3)"], 81, True),
    ],
)
def test_figures_follow_from_the_single_games(game: str, agents: list[str], games: int, swap: bool) -> None:
    if not COMPILED:
        games = games // 4 + 1
    result = fd.match(game, agents, games=games, seed=11, swap=swap, keep=True)
    check_figures(result)


def test_columns_of_a_game_are_totalled() -> None:
    result = fd.match("war(max_rounds=30)", ["descending", "ascending"], games=31, seed=11, keep=True)
    lengths = batch_of(result).lengths
    assert result.columns["capped"] == (lengths == 30).sum() > 0
    assert result.to_dict()["capped"] == result.columns["capped"]
    assert isinstance(result.to_dict()["capped"], int)


@pytest.mark.parametrize(("games", "deals"), [(1, [1]), (2, [2]), (3, [2, 1])])
def test_one_deal_alone_has_the_largest_possible_error(games: int, deals: list[int]) -> None:
    """Kuhn's scores go from -2 to 2. At worst a deal gives an agent one of them in all its games, each half of the time."""
    result = fd.match("kuhn", UNIFORM, games=games, seed=1)
    ends = itertools.product([-2, 2], repeat=len(deals))
    means = [sum(n * end for n, end in zip(deals, worst, strict=True)) / games for worst in ends]
    assert result.stderr == pytest.approx([float(np.std(means))] * 2)


def test_games_on_one_deal_lower_the_error() -> None:
    # the same deal with seats exchanged: what luck gave to one it gives to the other
    always = [BETS_FROM(0), BETS_FROM(0)]
    swapped = fd.match("kuhn", always, games=200, seed=1)
    assert swapped.mean == (0.0, 0.0)
    assert swapped.stderr == (0.0, 0.0)
    assert fd.match("kuhn", always, games=200, seed=1, swap=False).stderr[0] > 0.1


def test_single_games_are_kept_only_on_demand() -> None:
    assert fd.match("kuhn", UNIFORM, games=10, seed=1).batch is None


# --- what is said --------------------------------------------------------------------------------------------------------


def test_a_result_as_json() -> None:
    result = fd.match("kuhn", UNIFORM, games=20, seed=1)
    said = json.loads(json.dumps(result.to_dict()))
    assert said["schema"] == "facedown.match/1"
    assert (said["game"], said["agents"], said["games"], said["seed"]) == ("kuhn", UNIFORM, 20, 1)
    assert said["names"] == ["uniform (1st)", "uniform (2nd)"]
    assert said["mean"] == list(result.mean)
    for name in ("stderr", "wins", "draws", "length_mean", "seconds", "interval", "swap", "interrupted", "seat_mean"):
        assert name in said


def test_names_tell_agents_apart() -> None:
    assert distinct_names(["uniform", "first"]) == ("uniform", "first")
    assert distinct_names(["a", "b", "a", "a"]) == ("a (1st)", "b", "a (2nd)", "a (3rd)")
    many = distinct_names(["a"] * 113)
    assert [many[n - 1] for n in (4, 11, 12, 13, 21, 101, 112)] == [
        f"a ({n})" for n in ("4th", "11th", "12th", "13th", "21st", "101st", "112th")
    ]


@pytest.mark.parametrize(
    ("arguments", "command"),
    [
        (("kuhn", UNIFORM), "facedown match kuhn uniform uniform --games 6 --seed 1"),
        (("kuhn(players=3)", ["uniform"] * 3), "facedown match 'kuhn(players=3)' uniform uniform uniform --games 6 --seed 1"),
        (("rrrats(tokens=5)", ["hold(2)", "first"]), "facedown match 'rrrats(tokens=5)' 'hold(at=2)' first --games 6 --seed 1"),
    ],
)
def test_a_result_says_how_to_repeat_it(arguments: tuple[str, list[str]], command: str) -> None:
    assert fd.match(*arguments, games=6, seed=1).repeat == command


def test_the_command_to_repeat_knows_of_seats() -> None:
    assert fd.match("kuhn", UNIFORM, games=6, seed=1, swap=False).repeat.endswith("--seed 1 --no-swap")


def test_a_result_in_words() -> None:
    said = repr(fd.match("kuhn", UNIFORM, games=1000 if COMPILED else 100, seed=1))
    assert said.startswith("kuhn: 1")
    assert said.count("uniform (1st): mean ") == said.count("uniform (2nd): mean ") == 1
    assert "draws" in said and "moves a game" in said


def test_progress_goes_up_to_the_end() -> None:
    steps: list[Progress] = []
    result = fd.match("kuhn", UNIFORM, games=301, seed=1, progress=steps.append)
    played = [step.done for step in steps]
    assert len(played) > 10
    assert played == sorted(set(played))
    assert played[-1] == 301
    assert {(step.total, step.unit) for step in steps} == {(301, "games")}
    assert steps[-1].details["mean"] == result.mean
    assert str(steps[-1]) == f"301 games, mean {result.mean[0]:.4f}"
    assert [step.seconds for step in steps] == sorted(step.seconds for step in steps)


def test_an_error_in_the_callback_ends_the_match() -> None:
    def refuse(step: Progress) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        fd.match("kuhn", UNIFORM, games=301, seed=1, progress=refuse)
