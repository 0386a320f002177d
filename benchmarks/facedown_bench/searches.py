"""Searches: how many simulations `mcts` does in a second, from opening views; and rollouts of `lookahead`, in whole games."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from functools import partial

from facedown.agents.generic.mcts import SearchAgent, search
from facedown.agents.player import Player
from facedown.arena.follow import Follower
from facedown.arena.lineup import Lineup
from facedown.games.contract import Game
from facedown.games.position import Position
from facedown.games.registry import game as find_game
from facedown_bench.entries import Entry, Request, alone
from facedown_bench.laps import Lap

SEARCHED = ("leduc", "love_letter")
"""Games whose searches are measured whenever they are."""
ROLLED_OUT = {"hanabi": ("hanabi", "hanabi(players=5)")}
"""The same for `lookahead`: for two players and for more it stands on different blueprints."""
SEED = 1


def entries(request: Request) -> Iterator[Entry]:
    """One entry for each game that is searched."""
    for game in map(find_game, request.games):
        if game.name in SEARCHED:
            yield alone("simulations", str(game), "mcts", "simulation", partial(_runner, game))
        for spec in ROLLED_OUT.get(str(game), ()):
            yield alone("rollouts", spec, "lookahead", "rollout", partial(_rollout_runner, spec))


def _runner(game: Game) -> Callable[[int], Lap]:
    agent = search(game)
    time_simulations(agent, 1)  # compiled before any clock runs
    return lambda simulations: Lap(*time_simulations(agent, simulations))


def time_simulations(agent: SearchAgent, n_simulations: int, seed: int = 1) -> tuple[int, float]:
    """Search from opening views, a new game for every move, until this many simulations are done.

    Returns how many they were, and the seconds of processor time that they took; compiling does not count.
    """
    game, per_move = agent.played, int(agent.values["simulations"])
    assert agent.memory is not None
    player, position = Player(agent, game), Position(game)
    n_done, seconds, number = -1, 0.0, 0
    while n_done < n_simulations:
        position.sample(seed, number)
        position.start()
        number += 1
        while not position.over and len(position.legal()) == 1:
            position.step(position.legal()[0])
        if position.over:
            continue
        legal, view = position.legal(), position.view(position.turn())
        player.sit_down(seed, number, 1)
        before = time.thread_time()
        player.choose(view, legal)
        if n_done < 0:  # the first search compiles
            n_done = 0
            continue
        seconds += time.thread_time() - before
        n_done += per_move if not agent.values["milliseconds"] else int(player.memory.view(agent.memory)[0].head.n_simulations)
    return n_done, seconds


def _rollout_runner(spec: str) -> Callable[[int], Lap]:
    games = _searched_games(spec)
    next(games)  # compiled before any clock runs

    def run(n_rollouts: int) -> Lap:
        n_done, seconds = 0, 0.0
        while n_done < n_rollouts:
            n_here, seconds_here = next(games)
            n_done, seconds = n_done + n_here, seconds + seconds_here
        return Lap(n_done, seconds)

    return run


def _searched_games(spec: str) -> Iterator[tuple[int, float]]:
    """Games of a team of `lookahead`: how many rollouts the decisions of each took, and their processor time.

    Whole games, since rollouts from an opening take several times as long as those from an ending.
    """
    lineup = Lineup(spec, ["lookahead"])
    memory = lineup.agents[0].memory
    assert memory is not None
    for index in itertools.count():
        follower, seconds = Follower(lineup, SEED, index), 0.0
        follower.start()
        while not follower.position.over:
            turn, started = follower.turn(), time.thread_time()
            action = turn.legal[0] if turn.forced else follower.players[turn.seat].choose(turn.view, turn.legal)
            seconds += time.thread_time() - started
            follower.make(turn, action)
        yield sum(int(player.memory.view(memory)[0].head.n_rollouts) for player in follower.players), seconds
