"""How often agents choose the same action in the same position.

Games are played between the agents, each seat taken by one of them at random. Before every choice all agents are asked
what they would do, with the view of the player to move; then the one who sits there has its way. Every agent follows
every game from every seat, with a memory and a stream of chance of its own for each, so those that remember, listen or
search are asked as if they had been playing all along. An agent that draws its moves is asked twice, independently: how
often it agrees with itself is the most that can be expected of anybody else.

Positions of one game are alike, so games are what is independent: errors come from the spread between games, and an
interval is Wilson's with as many positions as would give that error if they were independent.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from facedown.agents.contract import Agent
from facedown.agents.player import Company, Player
from facedown.arena.estimators import ratio_stderr
from facedown.arena.follow import compile_moves
from facedown.arena.lineup import Lineup
from facedown.errors import AgentError, Interrupted, RulesError, UsageError
from facedown.forecast import Forecast
from facedown.games.contract import Game
from facedown.games.position import Position
from facedown.games.registry import game as find_game
from facedown.inputs import MAX_GAMES, check_seed, whole_number
from facedown.native.chance import CHANCE, draw, seed_stream
from facedown.native.jit import prepare_thread
from facedown.native.records import Record
from facedown.native.streams import AGREEMENT
from facedown.pages import facts
from facedown.progress import Callback, Reporter

Array = np.ndarray[Any, Any]
_Z_95 = 1.959963984540054
_SEATS_STREAM = 0  # of the chance that says who sits where; those of the agents follow


@dataclass(frozen=True)
class AgreementResult:
    """How often each two agents chose the same; rows and columns are agents, in the order given."""

    game: str
    agents: tuple[str, ...]
    games: int
    seed: int
    positions: int
    """Choices that all agents were asked for: positions with more than one legal action."""
    same: tuple[tuple[int, ...], ...]
    """In how many of them both chose the same; on the diagonal, the same when asked twice."""
    share: tuple[tuple[float, ...], ...]
    stderr: tuple[tuple[float, ...], ...]
    """Standard errors of the shares; positions of the same game are not taken for independent."""
    interval: tuple[tuple[tuple[float, float], ...], ...]
    """Where the true shares lie, each with probability 0.95."""
    seconds: float
    interrupted: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON has it."""
        names = "game agents games seed positions same share stderr interval interrupted seconds"
        return {"schema": "facedown.agreement/1", **facts(self, names)}

    def __repr__(self) -> str:
        width = max(len(name) for name in self.agents)
        lines = [
            f"{self.game}: {self.positions:,} positions of {self.games:,} games, seed {self.seed}; chosen the same, in percent"
        ]
        for row, name in enumerate(self.agents):
            shares = [
                f"{100 * share:5.1f} ± {100 * error:.1f}"
                for share, error in zip(self.share[row], self.stderr[row], strict=True)
            ]
            lines.append(f"  {name:{width}}  {'  '.join(shares)}")
        return "\n".join(lines)


def agreement(
    game: str | Game,
    agents: Sequence[str | Agent],
    games: int = 1000,
    seed: int | None = None,
    *,
    progress: Callback | None = None,
) -> AgreementResult:
    """Ask agents what they would do in the positions of games between them, and count how often they choose the same.

    There can be any number of agents, whatever the number of seats. `progress` is called after every game.
    Ctrl-C raises `Interrupted`, whose `result` holds the games that were finished.
    """
    games = whole_number("games", games, 1, MAX_GAMES)
    if isinstance(agents, str) or not agents:
        raise UsageError(f"agents={agents!r}: give a list of names, one at least")
    seed, found = check_seed(seed), find_game(game)
    prepare_thread()
    # every agent in all seats: that is where players of it can be had from
    lineups = [Lineup(found, [agent] * found.n_players) for agent in agents]
    chosen = [lineup.agents[0] for lineup in lineups]
    compile_moves(found, chosen)
    counts, started, stopped = _Counts(len(chosen)), time.perf_counter(), False
    try:
        counts.add(*_Comparison(found, lineups, seed, 0).play())
        forecast, report = Forecast(games, "games for agreement", "ask for fewer games"), Reporter(progress, games, "games")
        for index in range(1, games):
            counts.add(*_Comparison(found, lineups, seed, index).play())
            forecast.update(index)
            report(index + 1, f"{index + 1:,} games")
    except KeyboardInterrupt:
        stopped = True
    if stopped and counts.n_games == 0:
        raise Interrupted("interrupted before any game was finished")
    result = counts.result(found, chosen, seed, time.perf_counter() - started, stopped)
    if stopped:
        raise Interrupted(f"interrupted after {counts.n_games:,} games", result)
    return result


class _Comparison:
    """One game, with every agent at every seat; one of them has its way there, the others are only asked."""

    def __init__(self, game: Game, lineups: list[Lineup], seed: int, index: int):
        self._game, self._index, self._seed = game, index, seed
        self._position = Position(game)
        self._position.sample(seed, index)
        chance: Record = np.zeros(1, CHANCE)[0]
        seed_stream(chance, seed, index, _SEATS_STREAM, AGREEMENT)
        self._sitting = [int(draw(chance, len(lineups))) for _ in range(game.n_players)]
        self._agents = [lineup.agents[0] for lineup in lineups]
        # first the agents, then once more those that may answer otherwise when they are asked again
        self._of = [*range(len(lineups)), *(at for at, agent in enumerate(self._agents) if not agent.deterministic)]
        self._companies: list[Company] = []
        stream = _SEATS_STREAM
        for agent in self._of:
            self._companies.append(Company([Player(self._agents[agent], game) for _ in range(game.n_players)]))
            for player in self._companies[-1].players:
                stream += 1
                player.sit_down(seed, index, stream, AGREEMENT)

    def play(self) -> tuple[Array, int]:
        """How often each two agents chose the same, and how often all were asked."""
        n_agents, position = len(self._agents), self._position
        same, n_asked, n_moves = np.zeros((n_agents, n_agents), np.int64), 0, 0
        position.start()
        for company in self._companies:
            company.begin(position.view)
        while not position.over:
            if n_moves >= self._game.max_moves:
                raise RulesError(f"{self._game}: the game goes on past its declared {self._game.max_moves} moves")
            seat, legal = position.turn(), position.legal()
            action = legal[0]
            if len(legal) > 1:
                choices = [self._ask(company.players[seat], seat, legal) for company in self._companies]
                n_asked += 1
                self._count(choices, same)
                action = choices[self._sitting[seat]]
            position.step(action)
            n_moves += 1
            self._tell(seat, action)
        return same, n_asked

    def _count(self, choices: list[int], same: Array) -> None:
        first = np.array(choices[: len(self._agents)])
        equal = first[:, None] == first[None, :]
        for again in range(len(self._agents), len(choices)):
            agent = self._of[again]
            equal[agent, agent] = choices[again] == choices[agent]
        same += equal

    def _ask(self, player: Player, seat: int, legal: list[int]) -> int:
        seen = self._position.state.copy() if player.agent.cheats else self._position.view(seat)
        action = player.choose(seen, legal)
        if action not in legal:
            where = f"in game {self._index} of seed {self._seed}. Player {seat} saw: {self._position.describe(seat)}"
            names = ", ".join(f"{action} {self._position.action_name(action)}" for action in legal)
            raise AgentError(f"agent {player.agent.name} chose {action}, which is not legal, {where} Legal: {names}.")
        return action

    def _tell(self, mover: int, action: int) -> None:
        for company in self._companies:
            company.hear(self._position.view, lambda seat: self._position.heard(seat, mover, action), mover)


class _Counts:
    """Sums over games, from which shares and their errors follow."""

    def __init__(self, n_agents: int):
        self.n_games, self.n_asked, self.n_asked_squares = 0, 0, 0
        self.same, self.same_squares, self.same_asked = (np.zeros((n_agents, n_agents), np.int64) for _ in range(3))

    def add(self, same: Array, n_asked: int) -> None:
        """Take in a game."""
        self.n_games += 1
        self.n_asked += n_asked
        self.n_asked_squares += n_asked**2
        self.same += same
        self.same_squares += same**2
        self.same_asked += same * n_asked

    def result(self, game: Game, agents: list[Agent], seed: int, seconds: float, stopped: bool) -> AgreementResult:
        """Turn sums into figures."""
        n_agents, n_asked = len(agents), max(self.n_asked, 1)
        share = self.same / n_asked
        # sums of squares of same - share * asked
        residuals = self.same_squares - 2 * share * self.same_asked + share**2 * self.n_asked_squares
        # of one game nothing is known but that shares lie between 0 and 1
        stderr = ratio_stderr(residuals, self.n_games, n_asked, alone=0.5)
        ends = [
            tuple(clustered_interval(share[a, b], stderr[a, b], self.n_asked, self.n_games) for b in range(n_agents))
            for a in range(n_agents)
        ]
        return AgreementResult(
            game=str(game),
            agents=tuple(map(str, agents)),
            games=self.n_games,
            seed=seed,
            positions=self.n_asked,
            same=tuple(tuple(row) for row in self.same.tolist()),
            share=tuple(tuple(row) for row in share.tolist()),
            stderr=tuple(tuple(row) for row in stderr.tolist()),
            interval=tuple(ends),
            seconds=seconds,
            interrupted=stopped,
        )


def clustered_interval(share: float, stderr: float, n_asked: int, n_games: int) -> tuple[float, float]:
    """Wilson's 95 % interval for a share of `n_asked` positions in `n_games` games, with this standard error.

    Where all games are alike there is no spread to be seen, and every game counts for one position.
    """
    n_asked, n_games = max(n_asked, 1), max(min(n_games, n_asked), 1)
    n = share * (1 - share) / stderr**2 if stderr > 0 else n_games
    n = min(max(n, 1.0), n_asked)
    middle = (share + _Z_95**2 / (2 * n)) / (1 + _Z_95**2 / n)
    width = _Z_95 / (1 + _Z_95**2 / n) * math.sqrt(share * (1 - share) / n + _Z_95**2 / (4 * n * n))
    low, high = float(middle - width), float(middle + width)
    return 0.0 if share == 0 else max(low, 0.0), 1.0 if share == 1 else min(high, 1.0)  # at the ends the sums are not exact
