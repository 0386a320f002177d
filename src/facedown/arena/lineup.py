"""A line-up: a game and the agents that sit down to it, compiled and ready to play any range of games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from facedown.agents.contract import Agent
from facedown.agents.registry import agent as find_agent
from facedown.agents.seats import Seats, asking, draws, seat_for
from facedown.arena import loop
from facedown.errors import AgentError, FacedownError, RulesError, UsageError
from facedown.games.contract import Game
from facedown.games.registry import game as find_game
from facedown.inputs import whole_number
from facedown.native.chance import CHANCE, seed_stream, shuffle
from facedown.native.jit import Part, compiling, explained, prepare_thread
from facedown.native.lens import ROOM as LENS_ROOM
from facedown.native.records import Record, blank
from facedown.native.rules_loop import bind_rules, loop_part
from facedown.native.streams import LANES, MATCHES, STREAMS_A_BLOCK

_LOOP_SECONDS = 5


@dataclass(frozen=True)
class Batch:
    """Finished games, one row each, in the order of their numbers. Scores are by agent, whatever the seat."""

    first: int
    scores: np.ndarray[Any, Any]
    lengths: np.ndarray[Any, Any]
    values: np.ndarray[Any, Any]
    n_orders: int
    drawn_seats: np.ndarray[Any, Any]
    """Which agent sat in each seat, where that was drawn (three or more agents that change seats); no rows otherwise."""

    @property
    def seats(self) -> np.ndarray[Any, Any]:
        """Which agent sat in each seat, a row for each game."""
        if self.n_orders > 2:
            return self.drawn_seats
        orders, places = (self.first + np.arange(len(self.lengths))) % self.n_orders, np.arange(self.scores.shape[1])
        return np.asarray((orders[:, None] + places) % len(places), np.int8)


class Table:
    """All that one thread needs to play a line-up: seats, and room for a game in progress."""

    def __init__(self, agents: list[Agent], game: Game, found: list[np.ndarray[Any, Any]], shares: bool):
        self.seats = Seats(agents, game, found, shares)  # keeps alive what only addresses lead to
        self.shares = shares
        self.fault = np.zeros(5, np.int64)
        self.room = (
            self.seats.records,
            self.seats.actions,
            game.blank(),
            game.blank(LENS_ROOM + 1),
            blank(game.view, 2),
            blank(game.common_view),
            blank(CHANCE, 2),
            blank(np.float64, len(agents)),
            blank(np.uint64, _n_stream_rows(len(agents)) * LANES).reshape(-1, LANES),
            blank(np.int64, len(agents)),
        )


def _n_stream_rows(n_agents: int) -> int:
    """How many rows all streams of a deal take: the rules', one for each seat, and that of the seating."""
    n_streams = loop.FIRST_SEAT_STREAM + n_agents + (n_agents > 2)
    return 2 * STREAMS_A_BLOCK * -(-n_streams // STREAMS_A_BLOCK)


class Lineup:
    """A game with one agent for each seat. Any number of threads may play from it at the same time.

    Where there is one score for all, one agent may be named for all seats. A team of one kind does not change seats: everybody
    would do in each seat what the others did there.
    """

    def __init__(self, game: str | Game, agents: Sequence[str | Agent], swap: bool = True):
        self.game = find_game(game)
        n_players = self.game.n_players
        if isinstance(agents, str):
            raise UsageError(f"agents='{agents}': give a list of names, one for each seat")
        if len(agents) == 1 and self.game.team:
            agents = [find_agent(agents[0], self.game)] * n_players
        if len(agents) != n_players:
            given = f"{len(agents)} agent{'s' if len(agents) != 1 else ''}"
            names = ", ".join(map(str, agents)) or "none"
            raise UsageError(f"{self.game} has {n_players} players, but {given} given ({names}); name one for each seat")
        self.agents = [find_agent(agent, self.game) for agent in agents]
        self.n_orders = n_players if swap and not (self.game.team and self._all_alike()) else 1
        self.compiled = all(agent.compiled for agent in self.agents)
        self._loop: Any = None
        self._followed = False
        self._found: list[np.ndarray[Any, Any]] = []
        self._free: list[Table] = []  # where nobody plays just now
        self._used: list[Batch] = []  # that nobody wants any more

    def _all_alike(self) -> bool:
        """Whether one agent has all seats."""
        first, *others = self.agents
        return all(agent is first or (agent.spec == first.spec and agent.act is first.act) for agent in others)

    @property
    def shares_public(self) -> bool:
        """Whether one public record serves all seats."""
        return len(self.agents) > 1 and self.n_orders == 1 and self.agents[0].one_for_all and self._all_alike()

    def prepare(self) -> None:
        """Compile the loop of this game and these agents, or get them from the cache; the first batch does it too."""
        if not self.compiled:
            self.prepare_following()
        if self._loop is not None or not self.compiled:
            return
        prepare_thread()  # whoever runs this
        game = self.game
        parts = [loop_part(game.name, _LOOP_SECONDS, loop.play_games, game)]
        for agent in {agent.name: agent for agent in self.agents if not draws(agent)}.values():
            parts.append(Part(f"{agent.name} for {game.name}", agent.seconds, (asking(agent), agent.act)))
        with compiling(*parts), explained(f"the rules of {game.name}"):
            self._found = [seat_for(agent, game, shown=True) for agent in self.agents]
            bound = bind_rules(loop.play_games, game)
            self._run(bound, 0, 0, 0)
        self._loop = bound

    def prepare_following(self) -> None:
        """Compile what it takes to play move by move in Python; the first `Follower` does it too."""
        from facedown.arena.follow import compile_moves

        if not self._followed:
            compile_moves(self.game, {agent.act: agent for agent in self.agents}.values())
            self.seating(0, 0)
            self._followed = True

    def set_params(self, agent: int, params: Sequence[float]) -> None:
        """Give an agent, by its number, other parameters, in their order; games under way are finished with the old ones.

        Nothing is compiled or looked for again, so it costs some microseconds; with a search, a new memory.
        """
        index = whole_number("agent", agent, 0, len(self.agents) - 1)
        before = self.agents[index]
        n_needed = len(before.parameters)
        try:
            numbers = list(params)
        except TypeError:
            words = f"a list of numbers is needed, one for each of the {n_needed} parameters of {before.name}"
            raise UsageError(f"params={params}: {words}") from None
        if len(numbers) != n_needed:
            raise UsageError(f"{before.name} has {n_needed} parameters, but {len(numbers)} values are given")
        # another list, so that a table can tell whether it has the parameters of now
        self.agents = [*self.agents[:index], before(*numbers), *self.agents[index + 1 :]]

    def play(self, seed: int, first: int, count: int) -> Batch:
        """Play games number `first` to `first + count - 1` of the run with this seed."""
        if not self.compiled:
            return self._run_in_python(seed, first, count)
        self.prepare()
        try:
            return self._run(self._loop, seed, first, count)
        except FacedownError:
            raise
        except Exception as problem:
            self._blame(seed, first, count)
            games = f"games {first} to {first + count - 1} of seed {seed}"
            raise RulesError(f"{self.game} failed in {games}: {type(problem).__name__}: {problem}") from problem

    def _blame(self, seed: int, first: int, count: int) -> None:
        """Native code failed in one of these games: find out in which, and play it in Python, which knows who it was."""
        while count > 1:
            half = count // 2
            try:
                self._run(self._loop, seed, first, half)
                first, count = first + half, count - half
            except Exception:
                count = half
        self._run_in_python(seed, first, 1)

    def _run(self, play_games: Any, seed: int, first: int, count: int) -> Batch:
        batch = self._room(first, count)
        table = self._table()
        results = (batch.scores, batch.lengths, batch.values, batch.drawn_seats, table.fault)
        n_done = play_games(*table.room, self.game.max_moves, self.n_orders, seed, first, *results)
        if n_done < count:
            self._complain(seed, *table.fault.tolist())
        self._free.append(table)
        return batch

    def _table(self) -> Table:
        """A table where nobody plays, with the parameters of now: they may have been set while somebody played there."""
        agents = self.agents
        try:
            table = self._free.pop()
        except IndexError:  # others may be taking one at the same time, so no looking before
            return Table(agents, self.game, self._found, self.shares_public)
        shares = self.shares_public
        ready = table.shares == shares and (table.seats.agents is agents or table.seats.set_params(agents))
        return table if ready else Table(agents, self.game, self._found, shares)

    def give_back(self, batch: Batch) -> None:
        """Nobody looks at these games any more: their arrays may be used again.

        Workers of Dask give memory back to the system at once, and fetching as much anew for every task takes a quarter of the
        time of quick games.
        """
        self._used.append(batch)

    def _room(self, first: int, count: int) -> Batch:
        try:
            used = self._used.pop()
        except IndexError:  # others may be taking one at the same time, so no looking before
            used = None
        if used is not None and len(used.lengths) == count:
            used.values[:] = 0.0
            return replace(used, first=first)
        shape = (count, len(self.agents))
        values = np.zeros((count, len(self.game.columns)))
        seats = np.empty(shape if self.n_orders > 2 else (0, len(self.agents)), np.int8)
        return Batch(first, np.empty(shape), np.empty(count, np.int64), values, self.n_orders, seats)

    def _run_in_python(self, seed: int, first: int, count: int) -> Batch:
        from facedown.arena.follow import Follower

        batch = self._room(first, count)
        for index in range(count):
            follower = Follower(self, seed, first + index)
            for _ in follower:
                pass
            batch.scores[index] = follower.agent_scores()
            batch.lengths[index] = follower.n_moves
            if self.n_orders > 2:
                batch.drawn_seats[index] = follower.seating
            self.game.report(follower.position.state, batch.values[index])
        return batch

    def _complain(self, seed: int, code: int, index: int, agent: int, move: int, action: int) -> None:
        """Make a sentence of a fault that the native loop noted."""
        from facedown.arena.follow import describe_moment

        where = f"game {index} of seed {seed}, move {move + 1}"
        if code == loop.TOO_LONG:
            raise RulesError(f"{self.game}: {where}: the game goes on past its declared {self.game.max_moves} moves")
        moment = describe_moment(self, seed, index, move)
        raise AgentError(f"agent {self.agents[agent].name} played {action}, which is not legal, in {where}. {moment}")

    def deal_of(self, index: int) -> int:
        """The deal of a game number."""
        return index // self.n_orders

    def seating(self, seed: int, index: int) -> list[int]:
        """Which agent sits in each seat in a game of a run.

        Two agents change seats. Three or more sit down in an order that is drawn for the deal, and move one seat on from
        game to game: so everybody has every seat once, and it does not matter who was named behind whom.
        """
        n_agents = len(self.agents)
        agents = np.arange(n_agents)
        if self.n_orders > 2:
            chance: Record = np.zeros(1, CHANCE)[0]
            seed_stream(chance, seed, self.deal_of(index), loop.FIRST_SEAT_STREAM + n_agents, MATCHES)
            shuffle(chance, agents)
        return np.roll(agents, -(index % self.n_orders)).tolist()


@lru_cache(maxsize=16)
def lineup_from_specs(game: str, agents: tuple[str, ...], swap: bool) -> Lineup:
    """The line-up that these texts describe; kept, since a worker is asked for the same one again and again."""
    return Lineup(game, agents, swap)
