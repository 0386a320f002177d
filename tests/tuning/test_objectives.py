"""What the referee answers is what exact reckoning says: Rrrats by value iteration, offers on paper."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import offers
import pytest

from facedown.agents.registry import agent as find_agent
from facedown.arena.match import match
from facedown.arena.workers import Workers
from facedown.errors import UsageError
from facedown.games.registry import game as find_game
from facedown.native.jit import COMPILED
from facedown.racing.methods import Setting
from facedown.tuning.objectives import Referee
from facedown.tuning.questions import Answer, Question
from facedown.tuning.space import Vector, space_of
from naive.rrrats_values import chances, exploitability, score, values

N_DEALS = 20_000 if COMPILED else 150
BOLD: Vector = (3.0, 0.0, 2.0, 0.0, 1.0, 0.0)
SHY: Vector = (1.0, 0.0, 0.0, 1.0, 0.0, 2.0)
EVEN: Vector = (0.0,) * 6


ALONE = Workers(0)


@pytest.fixture(scope="module")
def two() -> Iterator[Workers]:
    with Workers(2) as workers:
        yield workers


def rrrats(*field: str, seed: int = 1, workers: Workers = ALONE) -> Referee:
    game = find_game("rrrats")
    return Referee(space_of(find_agent("stationary", game), None, {}), game, field, seed, workers)


def exact(x: Vector, rival: Vector) -> float:
    return score(chances(list(x)), chances(list(rival)))


def close(answer: Answer, value: float) -> bool:
    # 4 standard errors: a false alarm once in 16,000 answers, and seeds are fixed
    return abs(answer.mean - value) < 4 * answer.stderr


def test_values_of_strategies_are_those_of_matches() -> None:
    games = 2 * N_DEALS
    for first, second in ((BOLD, EVEN), (SHY, BOLD), (SHY, EVEN)):
        specs = ["stationary(" + ",".join(map(str, x)) + ")" for x in (first, second)]
        found = match("rrrats", specs, games, seed=3)
        assert abs(found.mean[0] - exact(first, second)) < 4 * found.stderr[0]
    assert exact(BOLD, BOLD) == pytest.approx(0.5, abs=1e-8)
    assert exact(BOLD, SHY) + exact(SHY, BOLD) == pytest.approx(1, abs=1e-8)


def test_best_play_cannot_be_beaten() -> None:
    first, second = values(None, None)
    assert first + second == pytest.approx(1, abs=1e-8) and 0.5 < first < 0.53
    assert all(exploitability(chances(list(x))) > 0.01 for x in (BOLD, SHY, EVEN))
    # who always rolls is the best of those that look at nothing but their hand
    always = exploitability((1.0, 1.0, 1.0))
    assert always == pytest.approx(0.0141405, abs=1e-6)
    for place in range(3):
        less = [1.0, 1.0, 1.0]
        less[place] = 0.95
        assert exploitability((less[0], less[1], less[2])) > always


def test_a_candidate_and_a_rival_play_each_other() -> None:
    answer = rrrats().answer(Question(BOLD, (SHY,), n_deals=N_DEALS))
    assert answer.games == 2 * N_DEALS and answer.n == N_DEALS and answer.verdict == ""
    assert close(answer, exact(BOLD, SHY))


def test_rivals_are_drawn_for_every_deal() -> None:
    answer = rrrats().answer(Question(BOLD, (SHY, EVEN, BOLD), n_deals=N_DEALS))
    assert close(answer, (exact(BOLD, SHY) + exact(BOLD, EVEN) + 0.5) / 3)


def test_a_field_is_drawn_too() -> None:
    referee = rrrats("stationary(1,0,0,1,0,2)", "stationary")
    alone = referee.answer(Question(BOLD, n_deals=N_DEALS))
    against_field = (exact(BOLD, SHY) + exact(BOLD, EVEN)) / 2
    assert alone.games == 2 * N_DEALS and close(alone, against_field)
    both = referee.answer(Question(BOLD, (SHY,), n_deals=N_DEALS // 2))
    assert both.games == 2 * N_DEALS
    assert close(both, 0.5 + (against_field - (0.5 + exact(SHY, EVEN)) / 2) / 2)
    same = referee.answer(Question(BOLD, (BOLD,), n_deals=20))
    assert same.mean == 0.5 and same.stderr == 0  # common deals


def test_the_same_luck_is_the_same_deals() -> None:
    referee = rrrats()
    questions = [Question(BOLD, (SHY, EVEN), n_deals=100, luck=luck) for luck in ("1", "1", "2")]
    first, again, other = map(referee.answer, questions)
    assert first == again != other
    assert rrrats(seed=2).answer(questions[0]) != first


def test_threads_change_nothing(two: Workers) -> None:
    for question in (
        Question(BOLD, (SHY,), n_deals=300),
        Question(BOLD, (SHY, EVEN), Setting("duel", 0.05, 0.1)),
    ):
        assert rrrats().answer(question, 2000) == rrrats(workers=two).answer(question, 2000)


def test_a_race_ends_with_a_verdict_or_with_its_games() -> None:
    referee, race = rrrats(), Setting("duel", 0.05, 0.05)
    won = referee.answer(Question(BOLD, (SHY,), race))
    assert won.verdict == "first" and won.n <= won.games // 2
    assert referee.answer(Question(SHY, (BOLD,), race)).verdict == "second"
    cut = referee.answer(Question(BOLD, (BOLD,), Setting("duel", 0.001, 0.05)), max_games=151)
    assert cut.verdict == "undecided" and cut.games == 150
    whole = referee.answer(Question(BOLD, (SHY,), race, n_deals=600), whole=True)
    assert whole.verdict == "first" and whole.n == 600


@pytest.mark.parametrize("players", [1, 2])
def test_who_plays_alone_is_measured_by_its_score(two: Workers, players: int) -> None:
    game = offers.GAME(players=players)
    referee = Referee(space_of(offers.AGENTS[0], None, {}), game, [], 1, two)
    for at in (0, 3, 6, 9):
        answer = referee.answer(Question((float(at),), n_deals=N_DEALS))
        assert answer.games == N_DEALS and close(answer, offers.expected(at) / 9)
    answer = referee.answer(Question((6.0,), ((2.0,),), n_deals=N_DEALS))
    assert answer.games == 2 * N_DEALS
    assert close(answer, 0.5 + (offers.expected(6) - offers.expected(2)) / 18)
    assert max(range(10), key=offers.expected) == 6


def test_nobody_can_be_named_against_whom_one_plays_alone() -> None:
    with pytest.raises(UsageError, match="nobody plays against anybody in offers"):
        Referee(space_of(offers.AGENTS[0], None, {}), offers.GAME, [offers.AGENTS[0]], 1, ALONE)


def test_answers_know_their_errors() -> None:
    scores = np.array([0.0, 0.25, 1.0, 0.5, 0.75, 1.0])
    answer = Answer(6, float(scores.sum()), float((scores**2).sum()), 12)
    assert answer.mean == pytest.approx(scores.mean())
    assert answer.stderr == pytest.approx(scores.std(ddof=1) / 6**0.5)
    low, high = answer.interval
    assert 0 <= low < answer.mean < high <= 1
    assert Answer(1, 1.0, 1.0, 2).stderr == 0.5 and Answer(0, 0.0, 0.0, 0).mean == 0.5
