"""Learning what pays in Hanabi: tables of situations for the agents `reinforced2` and `reinforced4`, from their own games.

Source: W. Jarząbek & J. Leja, Wrocław 2020, section 4.9. All seats play with one table and learn from every move
(`hanabi_play.py`). What they agree upon gets better and worse again all the time: records forget, and whoever changes a habit
misleads the others. So what everything was worth is kept from the 2,000 games in a row that went best; these games are the
ones that are learnt from, exploring moves included, and no others are played to choose.

A round is a part of the games, after which all that the next one needs is in the file. Everything is decided by the seed.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from facedown.agents.hanabi.situations import AT_HINT, AT_WHOLE, N_RECORDS
from facedown.games.contract import Game
from facedown.games.registry import game as find_game
from facedown.learning.hanabi_play import DIARY, KEPT, RECORD, WINDOW, learn_games
from facedown.native.chance import CHANCE
from facedown.native.records import blank

Array = np.ndarray[Any, Any]
Report = Callable[[float, str], None]

ROUNDS = 20
BATCH = 500
"""Games of a native call: Ctrl-C waits no longer."""
_STRETCH = 2000
"""Games in a row by whose mean tables are compared, a whole number of batches; fewer where a round has fewer."""
_FIRST_ENTRIES = (-1.0, 1.0, -1.0)  # a hint begins without the last of them
_FIRST_SCORES = (3, 3)
_N_SCORES = 26


@dataclass
class Course:
    """How far learning is: all that the next round needs."""

    game: Game
    games: int
    seed: int
    round: int
    records: Array
    entries: Array
    recent: Array
    counts: Array
    best: Array
    """What everything was worth when games went best."""
    best_mean: float
    history: list[dict[str, float]]

    rounds = ROUNDS

    @classmethod
    def begin(cls, game: Game, games: int, seed: int) -> Course:
        """Tables in which nothing is known, but that everything may pay."""
        records = blank(RECORD, N_RECORDS)
        entries = np.zeros((N_RECORDS, KEPT + 1), np.float32)
        entries[:, : len(_FIRST_ENTRIES)] = _FIRST_ENTRIES
        records["n_entries"] = records["newest"] = 3
        records["weight"] = records["all_weight"] = 3.0
        records["weight_by_age"], records["gain"], records["gain_by_age"] = 6.0, 1.0, 2.0
        hints = records[AT_HINT:AT_WHOLE]
        hints["n_entries"] = hints["newest"] = 2
        hints["weight"] = hints["all_weight"] = 2.0
        hints["weight_by_age"] = 3.0
        recent, counts = np.zeros(WINDOW, np.int64), np.zeros(_N_SCORES, np.int64)
        recent[: len(_FIRST_SCORES)] = _FIRST_SCORES
        counts[_FIRST_SCORES[0]] = len(_FIRST_SCORES)
        return cls(game, games, seed, 0, records, entries, recent, counts, np.zeros(0, np.float32), -1.0, [])

    @property
    def finished(self) -> bool:
        return self.round == ROUNDS

    @property
    def worths(self) -> Array:
        """What everything is worth, as the agent has it."""
        return np.asarray(self.records["gain_by_age"] / self.records["weight_by_age"], np.float32).clip(0.0, 1.0)

    def next_round(self, report: Report | None = None) -> None:
        """Play the games of a round, and learn from them."""
        first, end = self.games * self.round // ROUNDS, self.games * (self.round + 1) // ROUNDS
        states, views, diaries, chances = self.game.blank(), blank(self.game.view), blank(DIARY, 2), blank(CHANCE, 2)
        scores = np.zeros(end - first, np.int64)
        stretch = min(_STRETCH, len(scores))  # batches never reach from one into the next
        for at in range(0, len(scores), BATCH):
            part = scores[at : at + BATCH]
            learn_games(
                self.game.blank(),
                states,
                views,
                diaries,
                chances,
                self.records,
                self.entries,
                self.recent,
                self.counts,
                self.seed,
                first + at,
                part,
            )
            done = at + len(part)
            if done % stretch == 0:
                self._compare(float(scores[done - stretch : done].mean()))
            if report is not None:
                report(done / len(scores), f"mean of the last {len(part)} games {part.mean():.2f}, best {self.best_mean:.2f}")
        facts = {"games": len(scores), "mean": float(scores.mean()), "sd": float(scores.std())}
        self.history.append(facts | {"best_stretch": self.best_mean})
        self.round += 1

    def _compare(self, mean: float) -> None:
        """Keep the present table if the games of a whole stretch went better than ever."""
        if mean > self.best_mean:
            self.best, self.best_mean = self.worths, mean

    # --- files ----------------------------------------------------------------------------------------------------------------

    def arrays(self) -> dict[str, Array]:
        """What a file keeps; records only as long as they are needed."""
        state = {
            "game": self.game.spec,
            "games": self.games,
            "seed": self.seed,
            "round": self.round,
            "rounds": ROUNDS,
            "best_mean": self.best_mean,
            "history": self.history,
        }
        kept: dict[str, Array] = {"state": np.array(json.dumps(state)), "worths": self.best}
        if not self.finished:
            fresh = type(self).begin(self.game, self.games, self.seed).records
            used = np.flatnonzero(self.records["all_weight"] > fresh["all_weight"])
            kept |= {"used": used, "records": self.records[used].copy(), "entries": self.entries[used]}
            kept |= {"recent": self.recent, "counts": self.counts}
        return kept

    @classmethod
    def from_arrays(cls, arrays: dict[str, Array]) -> Course:
        """As it was kept."""
        state = json.loads(str(arrays["state"]))
        course = cls.begin(find_game(state["game"]), state["games"], state["seed"])
        course.round, course.history = state["round"], state["history"]
        course.best, course.best_mean = arrays["worths"], state["best_mean"]
        if not course.finished:
            course.records[arrays["used"]] = arrays["records"]
            course.entries[arrays["used"]] = arrays["entries"]
            course.recent[:], course.counts[:] = arrays["recent"], arrays["counts"]
        return course
