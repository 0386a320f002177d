"""The agent that plays a policy: the right rows, the right frequencies, the right value; and sentences for the rest."""

from __future__ import annotations

import math
import re
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from table_policies import kuhn_equilibrium, policy_by

import facedown as fd
from facedown.agents.generic.table import table_agent
from facedown.agents.registry import agent, agents_for
from facedown.arena.follow import Follower
from facedown.arena.lineup import Lineup
from facedown.native.chance import CHANCE, seed_stream
from facedown.native.jit import COMPILED
from facedown.policies.policy import Policy, PolicyFileError, save_policy

GAMES = 200_000 if COMPILED else 300
KUHN = fd.game("kuhn")


@pytest.fixture
def file(tmp_path: Path) -> str:
    return str(save_policy(kuhn_equilibrium(), tmp_path / "kuhn.npz"))


def answers(player: fd.Agent, view: bytes, legal: list[int], count: int) -> list[int]:
    """What an agent does, asked again and again."""
    seen = np.frombuffer(bytearray(view), fd.game(player.game_spec).view)[0]
    actions, chance = np.zeros(8, np.int64), np.zeros(1, CHANCE)[0]
    actions[: len(legal)] = legal
    seed_stream(chance, 7, 0, 0)
    memory = np.zeros(0, np.uint8)
    return [int(player.act(seen, actions, len(legal), player.params, memory, chance)) for _ in range(count)]


@pytest.mark.parametrize("alpha", [0.0, 1 / 3])
def test_a_matched_pair_is_worth_the_value_of_the_game(alpha: float) -> None:
    """-1/18 (Kuhn 1950), within 4 standard errors: a false alarm in 16,000."""
    pair = [table_agent(kuhn_equilibrium(alpha))] * 2
    result = fd.match("kuhn", pair, games=GAMES, seed=1, swap=False)
    assert abs(result.mean[0] + 1 / 18) < 4 * result.stderr[0]
    assert result.stderr[0] < 2 / math.sqrt(GAMES)


def test_the_file_plays_as_the_policy_does(file: str) -> None:
    few = GAMES // 20
    saved = fd.match("kuhn", [f"table({file})", "uniform"], games=few, seed=3)
    kept = fd.match("kuhn", [table_agent(kuhn_equilibrium()), "uniform"], games=few, seed=3)
    assert saved.mean == kept.mean
    assert saved.agents == (f"table({file})", "uniform")
    assert kept.agents == ("table", "uniform")


def test_every_row_is_played_as_often_as_it_says() -> None:
    """Each frequency within 4.5 standard errors: a false alarm in 2,000 for all rows together, and none with a fixed seed."""
    game = fd.game("leduc(ranks=2)")
    generator = np.random.default_rng(5)

    def chances(player: int, view: object, legal: tuple[int, ...]) -> list[float]:
        numbers = generator.random(len(legal))
        numbers[generator.integers(len(legal))] = 0.0  # an action of probability 0 is never played
        return list(numbers / numbers.sum())

    policy = policy_by(game, chances)
    player = table_agent(policy)
    count = 2_000 if COMPILED else 60
    for at in range(0, policy.n_sets, 7):
        actions, probabilities = policy.row(at)
        found = answers(player, policy.views[at].tobytes(), actions.tolist(), count)
        for action, probability in zip(actions, probabilities, strict=True):
            often = found.count(int(action)) / count
            assert abs(often - probability) <= 4.5 * math.sqrt(probability * (1 - probability) / count)
            assert often == probability or 0 < probability < 1


def test_probabilities_that_round_badly_never_give_an_impossible_action() -> None:
    """Rows may add up to a little less than 1; what is missing goes to the last possible action."""
    policy = kuhn_equilibrium()
    policy.probabilities[:] = np.tile([1 - 1e-7, 0.0], policy.n_sets)
    player = table_agent(policy)
    assert set(answers(player, policy.views[0].tobytes(), [0, 1], 1000)) == {0}


def test_what_is_not_in_the_table_is_played_uniformly() -> None:
    whole = kuhn_equilibrium()
    player = table_agent(whole.of_player(1))
    at = whole.players.tolist().index(0)
    count = 1_000
    found = answers(player, whole.views[at].tobytes(), [0, 1], count)
    assert abs(found.count(1) - count / 2) < 4 * math.sqrt(count) / 2  # a false alarm in 16,000
    view = np.frombuffer(bytearray(whole.views[at].tobytes()), KUHN.view)[0]
    assert player.explain is not None and "equally likely" in str(player.explain(view, 0, player.params, None))


def test_an_empty_policy_is_uniform() -> None:
    whole = kuhn_equilibrium()
    empty = Policy("kuhn", whole.players[:0], whole.views[:0], whole.first[:1], whole.actions[:0], whole.probabilities[:0])
    assert set(answers(table_agent(empty), whole.views[0].tobytes(), [0, 1], 40)) == {0, 1}


def test_it_tells_its_probabilities(file: str) -> None:
    follower = Follower(Lineup("kuhn", [f"table({file})"] * 2, swap=False), seed=1, index=0)
    reasons = [str(move.reason) for move in follower]
    words = [("pass", "bet"), ("fold", "call")]
    for reason in reasons:
        assert any(re.fullmatch(rf"its table: {one} [\d.]+%; {other} [\d.]+%", reason) for one, other in words), reason


def test_its_spec_finds_the_same_file_from_anywhere(file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    here = agent("table(kuhn.npz)", KUHN)
    assert str(here) == "table(kuhn.npz)"
    monkeypatch.chdir("/")
    again = agent(here.spec, KUHN)
    assert again.spec == here.spec and again.act is here.act
    assert again.params.tobytes() == here.params.tobytes()


def test_a_file_that_was_written_anew_is_not_taken_for_the_old_one(file: str) -> None:
    before = agent(f"table({file})", KUHN)
    save_policy(kuhn_equilibrium(alpha=0.2), file)
    with pytest.raises(PolicyFileError, match="is not the file that was meant"):
        agent(before.spec, KUHN)
    assert agent(f"table({file})", KUHN).spec != before.spec


@pytest.mark.parametrize("name", ["a, b.npz", "x=1.npz", "odd (2.npz", "[.npz", "with space.npz", "kuhn.npz#0123456789abcdef"])
def test_any_name_of_a_file_will_do(name: str, tmp_path: Path) -> None:
    path = save_policy(kuhn_equilibrium(), tmp_path / name)
    found = agent(f"table({path})", KUHN)
    assert agent(found.spec, KUHN).params.tobytes() == found.params.tobytes()


@pytest.mark.compiled
def test_other_processes_play_it_too(file: str) -> None:
    players = [f"table({file})", "uniform"]
    with ProcessPoolExecutor(1) as pool:
        there = fd.match("kuhn", players, games=2_000, seed=2, executor=pool)
        with pytest.raises(fd.UsageError):  # it was never saved, so nobody else can have it
            fd.match("kuhn", [table_agent(kuhn_equilibrium()), "uniform"], games=2_000, seed=2, executor=pool)
    assert there.mean == fd.match("kuhn", players, games=2_000, seed=2, threads=1).mean


@pytest.mark.parametrize("spec", ["table", "table()", " table( ) "])
def test_without_a_file(spec: str) -> None:
    with pytest.raises(fd.UsageError, match=r"name it, as in table\(kuhn.npz\)"):
        agent(spec, KUHN)


def test_it_is_listed_but_not_a_player_without_a_file() -> None:
    assert not agents_for(KUHN)["table"].compiled
    with pytest.raises(fd.FacedownError, match=r"table\(kuhn.npz\)"):
        fd.match("kuhn", [agents_for(KUHN)["table"], "uniform"], games=1)


def test_files_that_cannot_be_played(file: str, tmp_path: Path) -> None:
    with pytest.raises(PolicyFileError, match=r"cannot read the policy file 'nothing.npz'.*facedown solve"):
        agent("table(nothing.npz)", KUHN)
    (tmp_path / "text.npz").write_text("hello")
    with pytest.raises(PolicyFileError, match="is no policy file"):
        agent(f"table({tmp_path}/text.npz)", KUHN)
    with pytest.raises(PolicyFileError, match=r"is a policy for kuhn, not for kuhn\(players=3\)"):
        agent(f"table({file})", fd.game("kuhn(players=3)"))


def test_tables_of_other_games_and_options_are_refused() -> None:
    player = table_agent(kuhn_equilibrium())
    with pytest.raises(fd.UsageError, match="plays kuhn, not leduc"):
        fd.match("leduc", [player, "uniform"], games=1)
    with pytest.raises(fd.UsageError, match=r"plays kuhn, not kuhn\(pass_pays=no\)"):
        fd.match("kuhn(pass_pays=no)", [player, "uniform"], games=1)


def test_seats_that_cannot_be_told_apart() -> None:
    """Two players who see the same and do the same are one row; who do different things cannot be one agent."""
    whole = kuhn_equilibrium()
    views = np.repeat(whole.views[:1], 2, axis=0)
    parts = {"players": np.array([0, 1], np.uint8), "views": views, "first": np.array([0, 2, 4])}
    actions = np.array([0, 1, 0, 1], np.int32)
    same = Policy(game="kuhn", **parts, actions=actions, probabilities=np.array([0.0, 1.0, 0.0, 1.0]))
    assert set(answers(table_agent(same), views[0].tobytes(), [0, 1], 50)) == {1}
    other = Policy(game="kuhn", **parts, actions=actions, probabilities=np.array([0.0, 1.0, 1.0, 0.0]))
    with pytest.raises(PolicyFileError, match="players 0 and 1 play differently in information sets 0 and 1"):
        table_agent(other)
    assert set(answers(table_agent(other.of_player(1)), views[0].tobytes(), [0, 1], 50)) == {0}
