"""Exact solutions where nothing is hidden: beside a slow twin, OpenSpiel's pig, formulas, and games that are played."""

from __future__ import annotations

import importlib
import struct
import sys
import zipfile
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import facedown as fd
from facedown.agents.contract import Agent
from facedown.agents.registry import agent as find_agent
from facedown.agents.registry import agents_for
from facedown.errors import RulesError, UsageError
from facedown.games.contract import Game
from facedown.games.rrrats import ROLL, STOP
from facedown.games.stepper import Stepper
from facedown.native import native
from facedown.native.jit import COMPILED
from facedown.native.records import Record
from facedown.solving.dynamic.evaluate import Evaluator, evaluator_for
from facedown.solving.dynamic.find import NotSolvableError, TooManyPositionsError, find_positions
from facedown.solving.dynamic.solution import OptimalSolution
from facedown.solving.dynamic.values import Solver
from facedown.solving.exploit import exploit
from naive.positions import Moves, Position, SlowGame, least_turns, slow_rrrats

sys.path.append(str(Path(__file__).parent))
games = importlib.import_module("open_games")
PIG, COLUMN, SPLIT = games.PIG, games.COLUMN, games.SPLIT

SMALL = 5 if COMPILED else 3


@lru_cache
def solved(spec: str) -> OptimalSolution:
    return fd.solve(spec, "exact")


@lru_cache
def slow(tokens: int) -> tuple[SlowGame, dict[Position, float]]:
    game = slow_rrrats(tokens)
    return game, game.values()


def rrrats_position(state: Any) -> Position:
    return (int(state["mover"]), int(state["pile"]), *map(int, state["points"]), int(state["hand"]))


# --- Rrrats ---


def compare_with_twin(tokens: int) -> None:
    found = solved(f"rrrats(tokens={tokens})" if tokens != 31 else "rrrats")
    game, values = slow(tokens)
    assert found.counts.positions == game.n_positions
    states = np.ascontiguousarray(found.states).reshape(-1).view(found.rules.state)
    for state, value in zip(states, found.state_values, strict=True):
        assert value == pytest.approx(values[rrrats_position(state)], abs=1e-11)
    assert found.value == pytest.approx(values[game.start], abs=1e-12)
    assert found.unit == "win probability"
    assert sum(found.values) == pytest.approx(1.0, abs=1e-15)


@pytest.mark.parametrize("tokens", range(1, SMALL + 1))
def test_rrrats_is_worth_what_its_slow_twin_says(tokens: int) -> None:
    compare_with_twin(tokens)


@pytest.mark.compiled
@pytest.mark.slow
def test_the_whole_game_of_rrrats_is_worth_what_its_slow_twin_says() -> None:
    compare_with_twin(31)
    assert solved("rrrats").value == pytest.approx(0.515153339238, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(
    "game",
    [
        fd.game("rrrats") if COMPILED else fd.game("rrrats(tokens=3)"),
        fd.game("rrrats(tokens=4,roll_at_four=yes)"),
        fd.game("rrrats(tokens=3,zeros_bank=yes,max_throws=9)"),
        PIG(goal=30 if COMPILED else 5),
        COLUMN(goal=30 if COMPILED else 6),
        SPLIT(goal=20 if COMPILED else 4),
    ],
    ids=str,
)
def test_value_iteration_and_policy_iteration_agree(game: Game) -> None:
    solver = Solver(find_positions(game))
    exact, repeated = solver.solve(), solver.value_iteration()
    scale = max(1.0, float(np.abs(exact.values).max()))
    assert np.abs(exact.values - repeated.values).max() <= 1e-12 * scale
    assert exact.residual <= 1e-13 * scale


def test_a_short_cap_on_throws_is_counted_and_a_long_one_is_not() -> None:
    short = fd.solve("rrrats(tokens=2,max_throws=3)", "exact")
    assert short.counts.many_unknowns == short.counts.one_unknown == 0  # nothing comes back where throws are counted
    states = np.ascontiguousarray(short.states).reshape(-1).view(short.rules.state)
    assert set(states["n_throws"].tolist()) == {0, 1, 2}
    assert fd.solve("rrrats(tokens=2,max_throws=2000)", "exact").value == solved("rrrats(tokens=2)").value


@pytest.mark.compiled
def test_a_cap_of_999_throws_changes_nothing_that_can_be_seen() -> None:
    assert fd.solve("rrrats(tokens=5,max_throws=999)", "exact").value == pytest.approx(
        solved("rrrats(tokens=5)").value, abs=1e-12
    )


@pytest.mark.compiled
@pytest.mark.slow
def test_a_million_games_of_optimal_against_itself_agree() -> None:
    # four standard errors: a false alarm has probability 6e-5
    result = fd.match("rrrats", ["optimal", "optimal"], games=1_000_000, seed=20)
    value = solved("rrrats").value
    assert abs(result.seat_mean[0] - value) < 4 * (value * (1 - value) / 1_000_000) ** 0.5


@pytest.mark.compiled
def test_optimal_wins_as_often_as_exact_evaluation_says() -> None:
    # four standard errors: a false alarm has probability 6e-5
    evaluator = Evaluator("rrrats")
    exact = (evaluator.match("optimal", "hold")[0] + evaluator.match("hold", "optimal")[1]) / 2
    result = fd.match("rrrats", ["optimal", "hold"], games=200_000, seed=21)
    assert abs(result.mean[0] - exact) < 4 * result.stderr[0]


# --- pig, columns, throws that are split ---


def pig_of_openspiel(goal: int, sides: int) -> SlowGame:
    """The states of OpenSpiel, with its own rules, as positions of the slow twin."""
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game(f"pig(players=2,winscore={goal},diceoutcomes={sides},horizon=100000)")
    states = {}

    def enter(state: Any) -> Position:
        states.setdefault(str(state), state)
        return (str(state),)

    def moves(position: Position) -> Moves:
        state, found = states[position[0]], []
        stopped = state.child(1)
        for action in [1] if stopped.is_terminal() else [1, 0]:  # who wins by stopping stops
            after = state.child(action)
            chances = after.chance_outcomes() if after.is_chance_node() else []
            found.append([(p, enter(after.child(outcome)), 0.0) for outcome, p in chances] or [(1.0, enter(after), 0.0)])
        return found

    def mover(position: Position) -> int | None:
        state = states[position[0]]
        return None if state.is_terminal() else state.current_player()

    start = enter(game.new_initial_state())
    return SlowGame(start, mover, moves, lambda position: states[position[0]].returns()[0])


@pytest.mark.parametrize(("goal", "sides"), [(4, 3), (9, 4), (15, 6)] if COMPILED else [(3, 3)])
def test_pig_is_worth_what_the_rules_of_openspiel_make_it(goal: int, sides: int) -> None:
    peer = pig_of_openspiel(goal, sides)
    found = fd.solve(PIG(goal=goal, sides=sides), "exact")
    assert found.value == pytest.approx(peer.values()[peer.start], abs=1e-11)
    assert found.unit == "score"
    assert found.counts.one_unknown > 0  # a turn that is lost comes back by one position


@pytest.mark.parametrize(("goal", "tenths"), [(1, 5), (7, 7), (50, 7), (20, 3)] if COMPILED else [(1, 5), (6, 7)])
def test_a_column_takes_as_many_turns_as_the_formula_says(goal: int, tenths: int) -> None:
    found = fd.solve(COLUMN(goal=goal, tenths=tenths), "exact")
    assert found.value == pytest.approx(least_turns(goal, tenths / 10)[0], rel=1e-12)
    assert (found.unit, found.values) == ("turns", (-found.value,))
    assert found.counts.many_unknowns == 0


def test_a_column_is_climbed_as_its_source_says() -> None:
    """Published for 50 spaces and p = .7: three throws up to 45, two at 46, then all the rest.

    In which order turns of three and of two throws come does not matter, so what is compared is how many there are.
    """
    goal = 50 if COMPILED else 8
    found = fd.solve(COLUMN(goal=goal, tenths=7), "exact")
    states = np.ascontiguousarray(found.states).reshape(-1).view(found.rules.state)
    stops: dict[int, int] = {}
    for state, action in zip(states, found.state_actions, strict=True):
        if action == STOP and state["mover"] == 0:
            have = int(state["banked"])
            stops[have] = min(stops.get(have, goal), int(state["climbed"]))
    have, turns = 0, []
    while have < goal:
        turns.append(stops.get(have, goal - have))  # at the top there is no choice, and no position
        have += turns[-1]
    assert sorted(turns) == ([2] + 16 * [3] if COMPILED else [2, 3, 3])


def test_looking_through_choices_changes_no_value() -> None:
    game = SPLIT(goal=16 if COMPILED else 5)
    looked, kept = find_positions(game), find_positions(game, looks=False)
    assert looked.n_positions < kept.n_positions / 3
    values, others = Solver(looked).solve(), Solver(kept).solve()
    assert values.start == pytest.approx(others.start, rel=1e-13)
    for position in range(1, looked.n_positions + 1):
        other = kept.find(looked.state(position))
        assert values.values[position] == pytest.approx(others.values[other], rel=1e-12)


@pytest.mark.compiled
def test_optimal_splits_its_throws_as_well_as_its_value_says() -> None:
    # four standard errors: a false alarm has probability 6e-5
    game = SPLIT(goal=20)
    found = fd.solve(game, "exact")
    result = fd.match(game, [found.agent()], games=100_000, seed=22)
    assert abs(result.mean[0] - found.values[0]) < 4 * result.stderr[0]
    evaluator = Evaluator(game)
    assert evaluator.alone(found.agent())[0] == pytest.approx(found.values[0], rel=1e-12)
    assert evaluator.alone("uniform")[0] < found.values[0] - 1


# --- agents ---


def slow_play(tokens: int, players: dict[int, Any]) -> SlowGame:
    """Rrrats in which some players roll with a probability that depends on their hand."""
    game = slow_rrrats(tokens)
    moves = dict(game.graph)

    def mixed(position: Position) -> Moves:
        player, hand = position[0], position[4]
        if player in players and len(moves[position]) == 2:
            p_roll = players[player](hand)
            weighed = ((1.0 - p_roll, moves[position][0]), (p_roll, moves[position][1]))
            return [[(w * p, after, gain) for w, action in weighed for p, after, gain in action]]
        return moves[position]

    return SlowGame(game.start, game.mover, mixed, game.score)


def test_agents_against_each_other_and_their_best_replies_are_what_the_slow_twin_says() -> None:
    spec, soft = f"rrrats(tokens={SMALL})", "stationary(A1=1,A2=0,B1=0.5,B2=0,C1=-1,C2=1)"

    def p_soft(hand: int) -> float:
        return float(1 / (1 + np.exp({1: -1.0, 2: -0.5, 3: 2.0}[hand])))

    def p_hold(hand: int) -> float:
        return float(hand < 2)

    both = slow_play(SMALL, {0: p_soft, 1: p_hold})
    evaluator = evaluator_for(fd.game(spec))
    assert evaluator.match(soft, "hold(at=2)")[0] == pytest.approx(both.values()[both.start], abs=1e-12)
    replies = evaluator.best_replies(soft)
    first, second = slow_play(SMALL, {1: p_soft}), slow_play(SMALL, {0: p_soft})
    assert replies[0] == pytest.approx(first.values()[first.start], abs=1e-12)
    assert replies[1] == pytest.approx(1 - second.values()[second.start], abs=1e-12)
    found = exploit(spec, soft)
    assert found.values == pytest.approx(replies, abs=1e-14)
    own = slow_play(SMALL, {0: p_soft, 1: p_soft})
    assert found.own[0] == pytest.approx(own.values()[own.start], abs=1e-12)
    assert found.exploitability == pytest.approx((sum(replies) - 1) / 2, abs=1e-14)
    assert found.asks == 0


def test_nobody_gains_against_optimal() -> None:
    found = exploit(f"rrrats(tokens={SMALL})", "optimal")
    assert found.exploitability == pytest.approx(0.0, abs=1e-12)
    assert found.values[0] == pytest.approx(solved(f"rrrats(tokens={SMALL})").value, abs=1e-12)


@native
def superstitious(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    return STOP if view.dice[0] == 1 else ROLL


def test_an_agent_that_looks_at_the_last_throw_is_refused() -> None:
    agent = Agent(name="superstitious", meaning="fears ones", act=superstitious, game="rrrats", deterministic=True)
    with pytest.raises(UsageError, match=r"superstitious does not play by the position alone: in 'Pile .* threw 1 and"):
        exploit(f"rrrats(tokens={SMALL})", agent)


def test_optimal_is_listed_without_being_solved_and_found_by_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    game = fd.game("rrrats(tokens=99)")
    assert not agents_for(game)["optimal"].compiled
    assert "solving" not in capsys.readouterr().err
    with pytest.raises(UsageError, match="unknown agent of kuhn 'optimal'"):
        find_agent("optimal", fd.game("kuhn"))
    agent = find_agent("optimal", fd.game("rrrats(tokens=2)"))
    assert "solving rrrats(tokens=2) for the agent optimal" in capsys.readouterr().err
    assert (agent.spec, agent.deterministic) == ("optimal", True)


def test_a_solution_is_kept_read_and_played(tmp_path: Path) -> None:
    file, spec = tmp_path / "small.npz", f"rrrats(tokens={SMALL})"
    kept = fd.solve(spec, "exact", save=file)
    again = find_agent(f"optimal({file})", fd.game(spec))
    fresh = kept.agent()
    assert np.array_equal(again.params, fresh.params)
    assert again.spec.startswith(f"optimal({file}#")
    assert find_agent(again.spec, fd.game(spec)).spec == again.spec
    rules = Stepper(kept.rules)
    assert again.explain is not None
    reason = again.explain(rules.view_record(rules.view(rules.start(), 0)), 0, (), None)
    assert "exactly solved: " in reason.words
    assert fd.solve(spec, "exact", save=file).value == kept.value  # its own file may be written again


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({}, "is a solution of rrrats.tokens=2., not of rrrats"),
        ({"bytes": 0xFF}, "is damaged|is no policy file|damaged or was changed"),
        ({"schema": "facedown.policy/1"}, "holds no exact solution"),
        ({"actions": np.array([7] * 3, np.int32)}, "do not fit together|not one of"),
    ],
)
def test_a_file_that_does_not_fit_is_refused(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    from facedown.policies.policy import read_arrays, write_arrays

    file = tmp_path / "solution.npz"
    solved("rrrats(tokens=2)").save(file)
    game = fd.game("rrrats(tokens=2)") if change else fd.game("rrrats")
    if "bytes" in change:
        content = bytearray(file.read_bytes())
        with zipfile.ZipFile(file) as archive:  # in the numbers: a date between them may be changed, and nothing is wrong
            largest = max(archive.infolist(), key=lambda member: member.compress_size)
        n_header = 30 + sum(struct.unpack_from("<HH", content, largest.header_offset + 26))
        content[largest.header_offset + n_header + largest.compress_size // 2] ^= change["bytes"]
        file.write_bytes(bytes(content))
    elif change:
        write_arrays(file, read_arrays(file) | {name: np.asarray(value) for name, value in change.items()})
    with pytest.raises(UsageError, match=words):
        find_agent(f"optimal({file})", game)


# --- who is refused ---


def test_games_of_another_kind_are_refused() -> None:
    with pytest.raises(NotSolvableError, match="kuhn does not declare perfect information"):
        fd.solve("kuhn", "exact")
    three = dataclass_replaced(PIG, players=3, name="three")
    with pytest.raises(NotSolvableError, match="three has 3 players"):
        fd.solve(three, "exact")
    apart = dataclass_replaced(PIG, kind="general", name="apart")
    with pytest.raises(NotSolvableError, match="apart is general"):
        fd.solve(apart, "value-iteration")


def dataclass_replaced(game: Game, **changes: Any) -> Game:
    import dataclasses

    return dataclasses.replace(game, **changes)


@pytest.mark.parametrize(
    "setting", [{"iterations": 3}, {"seed": 1}, {"exploitability": 0.1}, {"alternating": False}, {"plus": 1}]
)
def test_settings_of_other_methods_are_refused(setting: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=f"solved exactly .exact., which has no setting '{next(iter(setting))}'"):
        fd.solve("rrrats(tokens=2)", **setting)


def test_a_file_of_something_else_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_text("mine")
    with pytest.raises(UsageError, match="exists and is not an exact solution"):
        fd.solve("rrrats(tokens=2)", save=file)
    assert file.read_text() == "mine"
    with pytest.raises(UsageError, match="there is no directory"):
        fd.solve("rrrats(tokens=2)", save=tmp_path / "nowhere" / "file.npz")


def test_too_many_positions_and_too_little_memory_are_sentences() -> None:
    with pytest.raises(TooManyPositionsError, match=r"has more than 10 positions; .* --max-nodes"):
        fd.solve("rrrats(tokens=3)", max_nodes=10)
    with pytest.raises(TooManyPositionsError, match=r"do not fit into .* of memory: [0-9,]+ were found so far"):
        find_positions(PIG(goal=200 if COMPILED else 40), memory=20_000)


@native
def step_for_ever(state: Record, action: int, chance: Record) -> None:
    if action == ROLL:
        games.pig_step(state, action, chance)


def test_a_game_without_end_is_a_sentence() -> None:
    @native
    def pass_or_roll(state: Record, actions: Any) -> int:
        actions[0] = 0
        return 1

    @native
    def pass_on(state: Record, action: int, chance: Record) -> None:
        state.mover = 1 - int(state.mover)

    endless = dataclass_replaced(PIG, name="endless", legal=pass_or_roll, step=pass_on)
    with pytest.raises(RulesError, match="endless can go on for ever: from '0 and 0 points"):
        fd.solve(endless, "exact")


def test_an_interruption_is_heard_while_positions_are_found() -> None:
    def stop(now: Any) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        find_positions(PIG(goal=100 if COMPILED else 20), progress=stop)
