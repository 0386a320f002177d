"""`lookahead` at Hanabi: rollouts against games played from Python, records of all seats, no peeking, settings."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import facedown as fd
from facedown.agents.contract import Agent
from facedown.agents.generic import lookahead_loop as loop
from facedown.agents.generic.lookahead import LookaheadAgent, compared_moves, lookahead
from facedown.agents.hanabi.machines import information
from facedown.agents.hanabi.tables import PUBLIC
from facedown.agents.player import Company, Player
from facedown.agents.registry import agent as find_agent
from facedown.arena.follow import Follower
from facedown.arena.lineup import Lineup
from facedown.check import public
from facedown.check.case import Case
from facedown.errors import UsageError
from facedown.games.contract import Game
from facedown.games.hanabi.cards import DISCARD, HINT
from facedown.games.hanabi.game import GAME
from facedown.games.position import Position
from facedown.native.chance import draw, mix
from facedown.native.jit import COMPILED
from facedown.native.records import Record

SMALL: Game = GAME(players=3, suits=3, ranks=3, hand=3, tokens=3)
ROUNDS = 4 if COMPILED else 2
EXACT = 200 if COMPILED else 0  # in the last moves; `test_lookahead_exact.py` is about these
SEED = 11


def looking(**settings: Any) -> LookaheadAgent:
    found = lookahead(SMALL, information(SMALL))(**{"rollouts": ROUNDS, "exact": EXACT} | settings)
    assert isinstance(found, LookaheadAgent)
    return found


def at_move(agent: Agent, number: int, index: int = 0) -> Follower:
    """A game of the agent's blueprint, after so many moves, with the agent at the table."""
    follower = Follower(Lineup(SMALL, [agent]), SEED, index)
    guide = Player(agent.blueprint, SMALL) if isinstance(agent, LookaheadAgent) else None
    follower.start()
    while follower.n_moves < number:
        turn = follower.turn()
        assert guide is not None
        guide.public[:] = follower.players[turn.seat].public
        follower.make(turn, guide.choose(turn.view, turn.legal))
    return follower


# --- the slow twin: the same rounds, each game played from Python, with a record of its own in every seat ------------------


def play_on(blueprint: Agent, world: Record, record: Any, action: int, luck: tuple[Any, Any]) -> float:
    position = Position(SMALL)
    position.sample(0, 0)
    position.state = world
    position.chance.s0, position.chance.s1 = luck
    company = Company([Player(blueprint, SMALL) for _ in range(SMALL.n_players)])
    for player in company.players:
        player.public[:] = record
    while True:
        mover = position.turn()
        position.step(action)
        if position.over:
            return float(position.scores()[mover])
        company.hear(position.view, lambda seat, who=mover, what=action: position.heard(seat, who, what), mover)  # type: ignore[misc]
        following = position.turn()
        action = company.players[following].choose(position.view(following), position.legal())


def draw_world(thinker: Player, view: Record, chance: Record) -> tuple[Record, tuple[Any, Any]]:
    states = SMALL.blank()
    agent: Any = thinker.agent
    agent.believe(view, thinker.params, thinker.memory, thinker.public, chance, states[0])
    number = np.uint64(draw(chance, 1 << 31)) << np.uint64(32) | np.uint64(draw(chance, 1 << 31))
    return states[0], (mix(number), mix(~number))


@pytest.mark.parametrize("number", [0, 7])
def test_rollouts_are_games_played_on_by_the_blueprint(number: int) -> None:
    agent = looking(sureness=100)
    follower = at_move(agent, number)
    turn = follower.turn()
    player = follower.players[turn.seat]
    chance = player._chances.copy()[0]
    record = player.public.copy()
    chosen = player.choose(turn.view, turn.legal)
    assert player.public.tobytes() == record.tobytes(), "searching leaves the public record alone"
    assert agent.memory is not None
    found = {move.action: move for move in compared_moves(player.memory.view(agent.memory)[0])}
    thinker = Player(agent.blueprint, SMALL)
    thinker.public[:] = record
    first = thinker.choose(turn.view, turn.legal)
    assert next(iter(found)) == first
    assert set(found) == {first} | {action for action in turn.legal if thinker.keeps(turn.view, action)}
    assert all(move.n_rounds == ROUNDS for move in found.values()), "nothing is dropped"
    draw_world(thinker, turn.view, chance)  # in which the blueprint's move was asked for
    totals = dict.fromkeys(found, 0.0)
    for _ in range(ROUNDS):
        world, luck = draw_world(thinker, turn.view, chance)
        for action in found:
            totals[action] += play_on(agent.blueprint, world.copy(), record, action, luck)
    for action, move in found.items():
        assert move.mean == pytest.approx(totals[action] / ROUNDS)
        assert move.gain == pytest.approx((totals[action] - totals[first]) / ROUNDS)
    best = max(found.values(), key=lambda move: (move.gain, move.action == first))
    assert found[chosen].gain == best.gain if best.gain > agent.values["bias"] else chosen == first


def test_every_seat_comes_to_the_same_record_and_it_stays_true() -> None:
    agent = looking(rollouts=3 if COMPILED else 1, bias=0)
    records = public._Records(Case(SMALL, 4, seed=5, nodes=10, agents=[agent]), agent)
    for number in range(3 if COMPILED else 1):
        assert records._play(number, public.ERRORS[number % 3]) > 2  # it raises where any byte differs
    n_other = 0
    for index in range(4 if COMPILED else 1):
        follower = at_move(agent, 0, index)
        while not follower.position.over:
            turn = follower.turn()
            action, reason = follower.decide(turn)
            player = follower.players[turn.seat]
            if reason is not None and reason.kind == "value":
                assert agent.memory is not None
                n_other += action != compared_moves(player.memory.view(agent.memory)[0])[0].action
                assert reason.options[0].action == action and all(option.stderr is not None for option in reason.options)
            assert player.keeps(turn.view, action), "also where it is not the blueprint's move"
            follower.make(turn, action, reason)
            known, hands = player.public.view(PUBLIC)[0], follower.position.state.hands
            for seat in range(SMALL.n_players):
                for slot in range(int(known.held[seat])):
                    assert int(known.tables[seat, slot]) >> int(hands[seat, slot]) - 1 & 1, "what is so stays possible"
    assert n_other > 0, "else nothing was tested"


# --- no peeking ------------------------------------------------------------------------------------------------------------


def peek(state: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    """A cheat: it plays by the first card of its own hand."""
    return int(actions[int(state.hands[int(state.mover), 0]) % n])


CHEAT = Agent(name="peeking", meaning="looks at its own hand", act=peek, game="hanabi", cheats=True, compiled=COMPILED)


def decisions(agent: Agent, follower: Follower, worlds: list[Record]) -> list[tuple[int, bytes]]:
    """What an agent does in worlds that look the same to it, and what it remembers then."""
    seat, legal = follower.position.turn(), follower.position.legal()
    found = []
    for world in worlds:
        player = Player(agent, SMALL)
        player.public[: len(follower.players[seat].public)] = follower.players[seat].public[: len(player.public)]
        player.sit_down(3, 0, 1)
        position = Position(SMALL)
        position.state = world
        seen = position.state.copy() if agent.cheats else position.view(seat)
        found.append((player.choose(seen, legal), player.memory.tobytes()))
    return found


def test_worlds_that_look_the_same_get_the_same_move() -> None:
    agent = looking()
    n_caught = 0
    for number in (2, 5):
        follower = at_move(agent, number)
        seat = follower.position.turn()
        view, thinker = follower.position.view(seat), Player(agent.blueprint, SMALL)
        thinker.public[:] = follower.players[seat].public
        thinker.sit_down(8, number, 0)
        worlds = [follower.position.state.copy(), *(thinker.believe(view) for _ in range(4 if COMPILED else 2))]
        assert len({world.hands.tobytes() for world in worlds}) > 1
        assert len(set(decisions(agent, follower, worlds))) == 1
        n_caught += len(set(decisions(CHEAT, follower, worlds))) > 1
    assert n_caught > 0, "somebody who looks at the own hand is found out"


# --- comparing -------------------------------------------------------------------------------------------------------------


def test_what_is_surely_not_the_best_is_dropped() -> None:
    found = np.zeros(5, loop.CANDIDATE)
    gains = [[0, 0, 0, 0], [0, 0, 0, 0], [1, 1, 2, 2], [0, 0, 0, 4], [-1, 0, -1, -1]]
    for at, row in enumerate(gains):
        loop.begin_candidate(found[at], 10 + at)
        for gain in row:
            loop.take_score(found[at], float(3 + gain), 3.0, 1.0)
    assert [int(here["n_rounds"]) for here in found] == [4] * 5
    for here, row in zip(found[1:], gains[1:], strict=True):
        assert loop.stderr_of(here["gain"], here["gain_squares"], 4) == pytest.approx(np.std(row, ddof=1) / 2)
    # with a game that differed by a point for good measure: 0 +- 0.29, 1.5 +- 0.41, 1 +- 1.04, -0.75 +- 0.38
    for here, row in zip(found[1:], gains[1:], strict=True):
        gain, error = loop.gain_of(here)
        assert (gain, error) == pytest.approx((np.mean(row), (np.var(row) + 0.25) ** 0.5 / 3**0.5))
    assert loop.best_of(found, 5, 0.05, 0.0) == 2 and loop.best_of(found, 5, 2.0, 0.0) == 0
    assert loop.best_of(found, 5, 0.05, 3.0) == 2 and loop.best_of(found, 5, 0.05, 4.0) == 0
    assert loop.drop(found, 5, 1.0, 0.05, 0.0) == 1  # the third is certain to be better, and the fourth may be better still
    assert found["dropped"].tolist() == [0, 1, 0, 0, 1]
    assert loop.drop(found, 5, 0.1, 0.05, 0.0) == 0 and found["dropped"].tolist() == [0, 1, 0, 1, 1]
    assert loop.drop(found, 5, 5.0, 0.05, 0.0) == 1 and found["dropped"].tolist() == [0, 1, 0, 1, 1]  # is it better at all?
    found["dropped"] = 0  # the fourth may be better than the third by half a point, and not by more than that
    assert loop.drop(found, 5, 1.0, 0.05, 0.5) == 1 and found["dropped"].tolist() == [0, 1, 0, 0, 1]
    assert loop.drop(found, 5, 1.0, 0.05, 0.7) == 0 and found["dropped"].tolist() == [0, 1, 0, 1, 1]


def test_a_bias_keeps_to_the_blueprint() -> None:
    agent = looking(bias=100)
    follower = at_move(agent, 4)
    turn = follower.turn()
    player, guide = follower.players[turn.seat], Player(agent.blueprint, SMALL)
    guide.public[:] = player.public
    assert player.choose(turn.view, turn.legal) == guide.choose(turn.view, turn.legal)


def test_without_rollouts_it_is_the_blueprint() -> None:
    agent = looking(rollouts=0)
    games = [Follower(Lineup(SMALL, [one]), SEED, 0) for one in (agent, agent.blueprint)]
    one, other = ([move.action for move in game] for game in games)
    assert one == other and {DISCARD <= action < HINT for action in one} == {True, False}


def test_its_moves_mean_what_those_of_the_blueprint_mean() -> None:
    searching, plain = (fd.agents("hanabi")[name] for name in ("lookahead", "smart"))
    assert searching.tells is plain.tells is not None
    assert searching(blueprint="information").tells is None
    assert searching.params[: len(plain.params)].tolist() == plain.params.tolist()  # what is told depends on them


@pytest.mark.parametrize("name", ["information", "smart"])
def test_blueprints_whose_record_anybody_could_keep(name: str) -> None:
    """One declares `agrees`, the other `watch_all`; the search keeps the record in the same way as its blueprint."""
    found = looking(blueprint=name)
    blueprint = find_agent(name, SMALL)
    assert (found.public, found.agrees, found.watch_all) == (blueprint.public, blueprint.agrees, blueprint.watch_all)
    if not COMPILED:  # a minute of compiling for each; the reference plays the same functions
        assert 0 <= fd.match(SMALL, [found], games=1, seed=SEED).mean[0] <= 9


@pytest.mark.parametrize(
    "text", ["lookahead", "lookahead(rollouts=7,bias=0.1)", "lookahead(blueprint=information(risk=0.7,tokens=2))"]
)
def test_the_text_of_an_agent_finds_it_again(text: str) -> None:
    agent = find_agent(text, SMALL)
    assert agent.spec == text
    again = find_agent(agent.spec, SMALL)
    assert again.params.tobytes() == agent.params.tobytes()


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"rollouts": -1}, "rollouts"),
        ({"rollouts": 1.5}, "rollouts"),
        ({"bias": -0.1}, "bias"),
        ({"sureness": "many"}, "sureness"),
        ({"depth": 3}, "unknown parameter of lookahead 'depth'"),
        ({"blueprint": "cheater"}, "cheats: it wants the whole state"),
        ({"blueprint": "trustful"}, "has a memory, which would be empty"),
        ({"blueprint": "human"}, "is not compiled"),
        ({"blueprint": "nobody"}, "unknown agent of hanabi 'nobody'"),
    ],
)
def test_settings_that_cannot_be(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        looking(**settings)
