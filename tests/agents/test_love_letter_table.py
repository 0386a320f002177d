"""Tables for summaries of Love Letter: one summary however it is made, played as it was learnt, in rounds and matches."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import facedown as fd
from facedown.agents.contract import Agent
from facedown.agents.generic.table import table_agent
from facedown.agents.love_letter.table import in_full, read_table
from facedown.agents.registry import agent as find_agent
from facedown.errors import UsageError
from facedown.games.contract import Game
from facedown.games.love_letter.abstraction import GAME, MAX_AIMS, SUMMARY, abstract, summarise_view
from facedown.games.position import Position
from facedown.games.registry import names
from facedown.native.jit import COMPILED
from facedown.native.records import Record, blank
from facedown.policies.policy import Policy, PolicyFileError, save_policy
from facedown.solving.exploit import exploit
from facedown.solving.mccfr.solver import SampledSolver
from facedown.solving.train import decided, train

ITERATIONS = 2_000 if COMPILED else 2
GAMES = 20_000 if COMPILED else 30
FOURS = "love_letter(guards=4)"


@lru_cache
def trained() -> Policy:
    return train(GAME, iterations=ITERATIONS, seed=1).policy


def summary_agent(policy: Policy, game: Game) -> Agent:
    """The agent that plays a policy for summaries in Love Letter itself."""
    return in_full(table_agent(policy), game)


def positions(spec: str, n_games: int) -> Any:
    """All decisions of games that are played at random."""
    game = fd.game(spec)
    position, random = Position(game), np.random.default_rng(5)
    for number in range(n_games):
        position.sample(3, number)
        position.start()
        while not position.over:
            yield game, position
            position.step(int(random.choice(position.legal())))


def summary_of(view: Record) -> Record:
    summaries = blank(SUMMARY)
    summaries["known"] = 77  # every field must be filled in
    summarise_view(view, summaries[0])
    return summaries[0]


# --- summaries ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["love_letter", "love_letter(players=3)", "love_letter(players=4,guards=4,match=yes)"])
def test_a_view_and_its_state_have_the_same_summary(spec: str) -> None:
    summaries = blank(SUMMARY)
    n_known = 0
    for game, position in positions(spec, (60 if "match" not in spec else 6) if COMPILED else 3):
        for player in range(game.n_players):
            GAME.observe(position.state, player, summaries[0])
            assert summary_of(position.view(player)).tobytes() == summaries.tobytes()
            n_known += int(summaries["known"].any())
    assert n_known > 0 or not COMPILED


def expected(view: Record) -> dict[str, Any]:
    """A summary, written down from what its fields say."""
    players, me = int(view.players), int(view.player)
    others = [(me + aim) % players for aim in range(1, players)]
    is_in = [bool(view.in_round & 1 << seat) for seat in others]
    can_aim = [here and not view.immune & 1 << seat for here, seat in zip(is_in, others, strict=True)]
    known = [int(view.known[seat]) if here else 0 for here, seat in zip(is_in, others, strict=True)]
    pair = sorted([int(view.hand), int(view.drawn)])
    guesses = pair[0] == 1 and any(can_aim) and not any(card for card, can in zip(known, can_aim, strict=True) if can)
    return {
        "place": (me - int(view.starter)) % players,
        "low": pair[0],
        "high": pair[1],
        "others_in": sum(1 << at for at, here in enumerate(is_in) if here),
        "exposed": sum(1 << at for at, can in enumerate(can_aim) if can),
        "n_deck": int(view.n_deck),
        "guards": [0, 1, 1, 2, 2, 3][int(view.unseen[1])],
        "unseen": [int(n) if guesses else int(n > 0) for n in view.unseen[2:]],
        "known": known + [0] * (MAX_AIMS - len(known)),
    }


@pytest.mark.parametrize("spec", ["love_letter", "love_letter(players=4)"])
def test_fields_hold_what_they_say(spec: str) -> None:
    for _, position in positions(spec, 60 if COMPILED else 3):
        view = position.view(position.turn())
        summary = summary_of(view)
        assert {name: summary[name].tolist() for name in SUMMARY.names or ()} == expected(view)


def test_summaries_decide_what_is_legal() -> None:
    """A policy has one list of actions for each summary, so views with the same summary must have the same plays."""
    legal: dict[bytes, list[int]] = {}
    for _, position in positions("love_letter(players=3)", 200 if COMPILED else 3):
        plays = list(position.legal())
        assert legal.setdefault(summary_of(position.view(position.turn())).tobytes(), plays) == plays


def test_words_of_a_summary() -> None:
    summary = blank(SUMMARY)[0]
    summary.low, summary.high, summary.others_in, summary.exposed, summary.n_deck, summary.guards = 1, 6, 1, 0, 4, 2
    summary.unseen[6], summary.known[0] = 1, 8
    assert GAME.describe(summary) == (
        "You hold the Guard and the King. Deck: 4. Unseen, at least: 3 or 4 Guards and 1 Princess. "
        "The player 1 seat further is behind a Handmaid. The player 1 seat further holds the Princess."
    )
    plays = [GAME.action_name(summary, action) for action in (0, 3, 4, 14, 18)]
    further = "1 seat further"
    assert plays == [
        "Guard without effect",
        "Handmaid",
        "Prince on oneself",
        f"Guard {further}, naming the Princess",
        f"King {further}",
    ]


def test_the_abstraction_is_a_game_that_is_found_but_not_listed() -> None:
    assert str(fd.game("love_letter_abstract(guards=4)")) == str(abstract(fd.game(FOURS))) == "love_letter_abstract(guards=4)"
    assert not GAME.perfect_recall and "love_letter_abstract" not in names()
    with pytest.raises(UsageError, match="a summary is of one round"):
        fd.game("love_letter_abstract(match=yes)")
    assert abstract(fd.game("love_letter(match=yes)")).spec == "love_letter_abstract"


# --- learning -------------------------------------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_table_however_it_is_cut() -> None:
    solver = SampledSolver(GAME, "external-sampling", 1, plus=True)
    for part in (1, ITERATIONS - 1):
        solver.run(part)
    cut, whole = decided(solver), trained()
    for name in ("players", "views", "first", "actions"):
        np.testing.assert_array_equal(getattr(cut, name), getattr(whole, name))


def test_the_action_of_largest_regret_is_kept() -> None:
    solver = SampledSolver("kuhn", "external-sampling", 2, plus=True)
    solver.run(50)
    state, policy = solver.state(), decided(solver)
    slow = {}
    for number, player in enumerate(state["players"]):
        rows = slice(int(state["first"][number]), int(state["first"][number + 1]))
        regrets, actions = state["regrets"][rows].tolist(), state["actions"][rows].tolist()
        if any(regrets):
            slow[int(player), state["views"][number].tobytes()] = actions[regrets.index(max(regrets))]
    found = {(int(policy.players[at]), policy.views[at].tobytes()): int(policy.row(at)[0][0]) for at in range(policy.n_sets)}
    assert found == slow and len(found) > 5


def test_bad_requests() -> None:
    with pytest.raises(UsageError, match="iterations=0: a whole number from 1"):
        train(GAME, iterations=0)
    with pytest.raises(UsageError, match="there is no directory"):
        train(GAME, iterations=1, save="/nowhere/at/all.npz")


# --- playing --------------------------------------------------------------------------------------------------------------


def test_it_is_played_in_the_whole_game_as_in_the_abstraction() -> None:
    """The same deals and the same draws: every game must end the same."""
    whole, small = fd.game("love_letter"), GAME
    for other in ("uniform", "first"):
        in_whole = fd.match(whole, [summary_agent(trained(), whole), other], games=GAMES, seed=4)
        in_small = fd.match(small, [table_agent(trained()), other], games=GAMES, seed=4)
        assert in_whole.mean == in_small.mean and in_whole.length_mean == in_small.length_mean


def test_it_plays_what_the_table_says() -> None:
    game = fd.game("love_letter")
    policy, agent = trained(), summary_agent(trained(), game)
    rows = {view.tobytes(): int(policy.row(at)[0][0]) for at, view in enumerate(policy.views)}
    assert agent.explain is not None
    n_found = 0
    for _, position in positions("love_letter", 40 if COMPILED else 2):
        view = position.view(position.turn())
        planned = rows.get(summary_of(view).tobytes())
        if planned is None:
            assert (
                str(agent.explain(view, 0, agent.params, None)) == "this is not in its table, so every move is equally likely"
            )
            continue
        assert planned in position.legal()
        assert (
            str(agent.explain(view, 0, agent.params, None))
            == f"its table: {GAME.action_name(summary_of(view), planned)} 100.0%"
        )
        n_found += 1
    assert n_found > 20 or not COMPILED


def test_files_are_played_in_rounds_and_matches(tmp_path: Path) -> None:
    file = save_policy(trained(), tmp_path / "letter.npz")
    games = 2_000 if COMPILED else 2
    for spec in ("love_letter", "love_letter(match=yes)"):
        game = fd.game(spec)
        agent = find_agent(f"table({file})", game)
        assert find_agent(agent.spec, game).table is not None  # as another process would find it
        result = fd.match(game, [agent, "uniform"], games=games, seed=2)
        assert result.agents[0] == f"table({file})"
        if COMPILED:  # 2,000 iterations beat uniform play by more than 10 standard errors
            assert result.mean[0] - 0.5 > 10 * result.stderr[0]


def test_tables_for_other_games_are_refused(tmp_path: Path) -> None:
    file = save_policy(trained(), tmp_path / "letter.npz")
    for spec in (FOURS, "love_letter(players=3)"):
        with pytest.raises(PolicyFileError, match=r"is a policy for love_letter_abstract, not for love_letter_abstract\("):
            read_table(str(file), fd.game(spec))
    with pytest.raises(UsageError, match="cannot read the policy file"):
        find_agent("table(nowhere.npz)", fd.game("love_letter"))
    (tmp_path / "text.npz").write_text("no archive")
    with pytest.raises(PolicyFileError, match="is no policy file"):
        read_table(str(tmp_path / "text.npz"), fd.game("love_letter"))


def test_a_best_reply_knows_its_table() -> None:
    """Against itself, a table of pure actions scores what its games score; 5 standard errors: false alarms 6e-7."""
    game = fd.game("love_letter(deck=21101001,face_up=0)" if COMPILED else "love_letter(deck=11001001,face_up=0)")
    agent = summary_agent(train(abstract(game), iterations=ITERATIONS, seed=1).policy, game)
    found = exploit(game, agent)
    played = fd.match(game, [agent, agent], games=GAMES, seed=9, swap=False)
    assert abs(found.own[0] - played.mean[0]) < 5 * max(played.stderr[0], 1e-9)
    assert found.value > 0.5
