"""Learning what boards of Can't Stop are worth: networks for the agent `turn_exact`, from its own games.

1. The networks begin with a rough guess: a number of turns for what is missing in the nearest columns.
2. A round plays games in which every turn is solved on the present networks. A decision in seven is made at random, so that
   boards off the beaten track are seen too. Each turn that was solved gives a board and its value.
3. The networks learn these values, each board with its mirror image, and those of the round before where they are as good; then
   comes the next round. What a board is worth gets right from the end of the game backwards, one turn a round.

At last it plays races against itself, and three numbers learn from them who wins (`cant_stop_race.py`).

Rounds grow, since the first ones only have to be roughly right. All is decided by the seed. After each round the file holds all
that the next one needs.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from facedown.agents.cant_stop.network import FIRST_INPUT, N_HIDDEN, N_INPUTS
from facedown.agents.cant_stop.solver import SOLVER
from facedown.agents.cant_stop.turn import LENGTHS, N_COLUMNS, WANTED
from facedown.agents.cant_stop.turn_exact import ODDS, problem_with
from facedown.arena.estimators import stderr_of_mean
from facedown.errors import UsageError
from facedown.games.contract import Game
from facedown.inputs import cores
from facedown.learning.cant_stop_play import BOARD, play_games
from facedown.learning.cant_stop_race import fit_odds, race_examples
from facedown.learning.network import Network, fit
from facedown.native.chance import CHANCE
from facedown.native.jit import prepare_thread
from facedown.seeds import derived_seed

Array = np.ndarray[Any, Any]
Report = Callable[[float, str], None]

SHARES = (0.04, 0.04, 0.04, 0.05, 0.08, 0.13, 0.24, 0.38)
"""How the games are shared out between the rounds."""
EPOCHS = (60, 60, 60, 60, 80, 80, 100, 160)
_KEEPING_FROM = 6
"""From this round on, the boards of the round before are learnt too."""
_RACE_SHARE, N_RACE_ROUNDS = 1 / 30, 2
P_RANDOM = 1 / 7
_GAMES_IN_A_TASK = 25
_BOARDS_A_GAME = 40
_N_GUESSED = 8000


@dataclass(frozen=True)
class Games:
    """What some games brought."""

    turns: Array
    n_lost: Array
    luck: Array
    boards: Array
    values: Array

    @property
    def without_luck(self) -> tuple[float, float]:
        """The mean number of turns, luck taken out, and its standard error."""
        lengths = self.turns - self.luck
        return float(lengths.mean()), stderr_of_mean(lengths)


def play(networks: Array, games: int, seed: int, first: int = 0, p_random: float = 0.0, report: Report | None = None) -> Games:
    """Play solitaire games by solved turns, on all cores; figures depend on the seed and the numbers of the games alone."""
    tasks = [(start, min(_GAMES_IN_A_TASK, games - start)) for start in range(0, games, _GAMES_IN_A_TASK)]
    found = []
    with ThreadPoolExecutor(cores(), "facedown", initializer=prepare_thread) as pool:
        for task in pool.map(lambda task: _play_task(networks, seed, first + task[0], task[1], p_random), tasks):
            found.append(task)
            if report is not None:
                report(len(found) / len(tasks), "playing")
    return Games(*(np.concatenate(part) for part in zip(*(dataclasses.astuple(task) for task in found), strict=True)))


def _play_task(networks: Array, seed: int, first: int, games: int, p_random: float) -> Games:
    solvers, chances = np.zeros(2, SOLVER), np.zeros(1, CHANCE)
    turns, n_lost, luck = np.zeros(games, np.int64), np.zeros(games, np.int64), np.zeros(games)
    boards, values = np.zeros((games * _BOARDS_A_GAME, BOARD), np.int8), np.zeros(games * _BOARDS_A_GAME)
    n = play_games(solvers, networks, seed, first, p_random, chances[0], turns, n_lost, luck, boards, values)
    return Games(turns, n_lost, luck, boards[:n], values[:n])


# --- boards as examples -------------------------------------------------------------------------------------------------


def inputs_of(boards: Array) -> Array:
    """A row of inputs for each board."""
    inputs = np.zeros((len(boards), N_INPUTS), np.float32)
    for column in range(N_COLUMNS):
        inputs[np.arange(len(boards)), FIRST_INPUT[column] + boards[:, column].astype(np.int64)] = 1
    return inputs


def mirrored(boards: Array) -> Array:
    """The same boards seen in a mirror, which are worth the same: the sums of dice s and 14 - s are alike."""
    return np.concatenate([boards[:, N_COLUMNS - 1 :: -1], boards[:, N_COLUMNS:]], axis=1)


def guess(boards: Array, needed: int) -> Array:
    """About two turns for a whole column, in the columns in which least is missing."""
    missing = np.where(boards[:, :N_COLUMNS] == LENGTHS, np.inf, (LENGTHS - boards[:, :N_COLUMNS]) / LENGTHS)
    return np.asarray(0.6 + 2.0 * np.sort(missing, axis=1)[:, :needed].sum(axis=1), np.float32)


def some_boards(count: int, needed: int, generator: np.random.Generator) -> Array:
    """Boards with this many columns closed, and markers anywhere in about half of the others."""
    boards = np.zeros((count, BOARD), np.int8)
    begun = generator.random((count, N_COLUMNS)) < 0.45
    boards[:, :N_COLUMNS] = np.where(begun, generator.integers(0, LENGTHS, (count, N_COLUMNS)), 0)
    closed = generator.random((count, N_COLUMNS)).argsort(axis=1)[:, : WANTED - needed]
    np.put_along_axis(boards[:, :N_COLUMNS], closed, LENGTHS[closed].astype(np.int8), axis=1)
    boards[:, N_COLUMNS] = needed
    return boards


# --- rounds ---------------------------------------------------------------------------------------------------------------


@dataclass
class Course:
    """How far learning is: all that the next round needs."""

    games: int
    seed: int
    round: int
    networks: list[Network]
    boards: Array
    values: Array
    history: list[dict[str, float]]
    odds: Array = dataclasses.field(default_factory=lambda: ODDS)

    @classmethod
    def begin(cls, game: Game, games: int, seed: int) -> Course:
        """Networks that know the rough guess."""
        if problem := problem_with(game):
            raise UsageError(problem)
        generator = np.random.default_rng([seed, 0])
        networks = []
        for needed in range(1, WANTED + 1):
            network = Network.fresh(N_INPUTS, N_HIDDEN, N_COLUMNS, generator)
            boards = some_boards(_N_GUESSED, needed, generator)
            fit(network, inputs_of(boards), guess(boards, needed), generator, epochs=20)
            networks.append(network)
        return cls(games, seed, 0, networks, np.zeros((0, BOARD), np.int8), np.zeros(0), [])

    rounds = len(SHARES) + N_RACE_ROUNDS

    @property
    def finished(self) -> bool:
        return self.round == self.rounds

    @property
    def flat(self) -> Array:
        """All networks as the agent has them."""
        return np.concatenate([network.flat() for network in self.networks])

    def next_round(self, report: Report | None = None) -> None:
        """Play the games of a round, and learn from them."""
        if self.round >= len(SHARES):
            self._race(report or (lambda part, words: None))
            return
        shares = [round(self.games * share) for share in np.cumsum((0.0, *SHARES))]
        start, end = shares[self.round], shares[self.round + 1]
        played = play(self.flat, max(end - start, 1), self.seed, start, P_RANDOM, report)
        boards, values = played.boards, played.values
        if self.round >= _KEEPING_FROM:
            boards, values = np.concatenate([boards, self.boards]), np.concatenate([values, self.values])
        generator = np.random.default_rng([self.seed, 1 + self.round])
        facts: dict[str, float] = {"games": end - start, "turns_at_random": float(played.turns.mean())}
        for needed, network in enumerate(self.networks, start=1):
            chosen = boards[:, N_COLUMNS] == needed
            if chosen.any():
                some, worth = boards[chosen], values[chosen].astype(np.float32)
                inputs = inputs_of(np.concatenate([some, mirrored(some)]))
                error = fit(network, inputs, np.concatenate([worth, worth]), generator, epochs=EPOCHS[self.round], rate=2e-3)
                facts |= {f"boards_{needed}": int(chosen.sum()), f"error_{needed}": error}
            if report is not None:
                report(1.0, f"learning, {needed} to win")
        self.boards, self.values = played.boards, played.values
        self.history.append(facts)
        self.round += 1

    def _race(self, report: Report) -> None:
        """A round of races: how the turns of two players make a probability."""
        games = max(round(self.games * _RACE_SHARE), 20)
        seed = derived_seed(self.seed, "race", self.round)
        examples, won = race_examples(self.flat, self.odds, games, seed, report)
        self.odds = fit_odds(examples, won)
        self.history.append({"games": games, "turns": len(won), **{f"odds_{n}": float(odd) for n, odd in enumerate(self.odds)}})
        self.round += 1

    # --- files ------------------------------------------------------------------------------------------------------------

    def arrays(self) -> dict[str, Array]:
        """What a file keeps; boards only as long as they are needed."""
        kept = {"boards": self.boards, "values": self.values} if self.round < len(SHARES) else {}
        state = {"games": self.games, "seed": self.seed, "round": self.round, "history": self.history}
        return {"networks": self.flat, "odds": self.odds, "state": np.array(json.dumps(state)), **kept}

    @classmethod
    def from_arrays(cls, arrays: dict[str, Array]) -> Course:
        """As it was kept."""
        state = json.loads(str(arrays["state"]))
        flat = np.split(arrays["networks"], WANTED)
        networks = [Network.from_flat(numbers, N_INPUTS, N_HIDDEN) for numbers in flat]
        boards, values = arrays.get("boards", np.zeros((0, BOARD), np.int8)), arrays.get("values", np.zeros(0))
        return cls(state["games"], state["seed"], state["round"], networks, boards, values, state["history"], arrays["odds"])
