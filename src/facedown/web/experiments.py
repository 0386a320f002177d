"""Experiments with games that are played: races, matches and leagues.

Races and leagues are kept in files, so that they go on where they were; a match begins anew with its seed when the server comes
back, and comes to the same figures.
"""

from __future__ import annotations

import time
from typing import Any

from facedown.agents.generic.human import HUMAN
from facedown.arena.match import match
from facedown.arena.workers import Workers
from facedown.errors import Interrupted, UsageError
from facedown.games.contract import Game
from facedown.inputs import MAX_GAMES, check_seed, cores, whole_number
from facedown.progress import Progress
from facedown.racing.duel import Duel
from facedown.racing.league import DECIDED, league
from facedown.racing.methods import DEFAULT_DELTA, DEFAULT_EPSILON, LARGEST_MAX_GAMES, Setting
from facedown.racing.race import Runner
from facedown.web.interval import interval_picture
from facedown.web.lab import Lab
from facedown.web.league_table import cross_table
from facedown.web.run import BEGINS, DONE, FAILED, Run

MATCH_GAMES = 10_000
KEPT = "league.kept"
MAX_LEAGUE = 16
"""Agents; a table of more is no table."""


def _field(lab: Lab, asked: dict[str, Any], who: str) -> tuple[Game, list[str], dict[str, Any]]:
    """The game, the agents, and what all of these kinds keep."""
    game = lab.game(asked["game"])
    chosen = [lab.agent(game, agent) for agent in asked["agents"]]
    if HUMAN in chosen:
        raise UsageError(f"people do not {who}: choose agents")
    most = asked.get("max_games")
    facts = {
        "game": game.spec,
        "title": game.title,
        "agents": chosen,
        "epsilon": asked.get("epsilon", DEFAULT_EPSILON),
        "delta": asked.get("delta", DEFAULT_DELTA),
        "max_games": None if most is None else whole_number("max_games", most, 1, LARGEST_MAX_GAMES),
        "seed": check_seed(asked.get("seed")),
    }
    return game, chosen, facts


class Race(Run):
    """Which of two agents is better?"""

    kind, n_figures = "race", 4

    @classmethod
    def ask(cls, lab: Lab, asked: dict[str, Any]) -> dict[str, Any]:
        """Two agents, a method, and how sure one wants to be."""
        _, chosen, facts = _field(lab, asked, "race")
        if len(chosen) != 2:
            raise UsageError(f"a race here has two agents, not {len(chosen)}")
        method = asked.get("method", "duel")
        Setting(method, facts["epsilon"], facts["delta"])
        return facts | {"method": method}

    def work(self) -> None:
        """Until the verdict."""
        facts = self.facts
        duel = Duel(self.lab.game(facts["game"]), *facts["agents"])
        setting = Setting(facts["method"], facts["epsilon"], facts["delta"])
        runner = Runner(duel, setting, facts["seed"], facts["max_games"], self.folder / "race.journal")
        with Workers(cores()) as workers:
            while not runner.over and self.may_go_on():
                runner.step(workers)
                if self.due():
                    self._show(runner)
        self._show(runner)
        if runner.over:
            facts["status"] = DONE

    def _show(self, runner: Runner) -> None:
        result = self.facts["result"] = runner.result().to_dict()
        self.words = f"{result['meaning']}; {result['games']:,} games"
        self.add_point((int(result["games"]), float(result["mean"]), *map(float, result["interval"])))
        self.changed()

    @property
    def title(self) -> str:
        """Who runs."""
        return f"{self.facts['title']}: {' against '.join(self.facts['agents'])}"

    @property
    def sentence(self) -> str:
        """The verdict, or who is ahead."""
        result = self.result
        if self.status == FAILED or result is None:
            return self.words if self.status == FAILED else BEGINS
        told = str(result["meaning"])
        if result["verdict"] != "undecided":
            return told[0].upper() + told[1:] + "."
        ahead = result["agents"][0 if result["mean"] > 0.5 else 1]
        return f"Undecided so far; {ahead} is ahead." if result["games"] and result["mean"] != 0.5 else "Undecided so far."

    @property
    def shown(self) -> dict[str, Any]:
        """The interval closing in."""
        points = [(int(games), mean, low, high) for games, mean, low, high in self.points]
        return {"picture": interval_picture(points, self.facts["epsilon"])}


class Match(Run):
    """A number of games."""

    kind = "match"

    @classmethod
    def ask(cls, lab: Lab, asked: dict[str, Any]) -> dict[str, Any]:
        """An agent for each seat, and how many games."""
        game, chosen, facts = _field(lab, asked, "play matches here")
        if len(chosen) != game.n_players:
            raise UsageError(f"a match of {game} needs {game.n_players} agents, not {len(chosen)}")
        games = whole_number("max_games", facts["max_games"] or MATCH_GAMES, 1, MAX_GAMES)
        return facts | {"max_games": games}

    def work(self) -> None:
        """All games, or as many as there were until it was stopped."""
        facts = self.facts
        game, games = self.lab.game(facts["game"]), facts["max_games"] or MATCH_GAMES
        try:
            found, done = match(game, facts["agents"], games, facts["seed"], progress=self.hear), True
        except Interrupted as stopped:
            found, done = stopped.result, False
        if found is not None:
            facts["result"] = found.to_dict()
            self.words = f"{found.games:,} games"
        if done:
            facts["status"] = DONE

    @property
    def title(self) -> str:
        """Who plays."""
        return f"{self.facts['title']}: {', '.join(self.facts['agents'])}"

    @property
    def sentence(self) -> str:
        """Who scores most."""
        result = self.result
        if self.status == FAILED or result is None:
            return self.words if self.status == FAILED else BEGINS
        best = max(range(len(result["mean"])), key=lambda at: result["mean"][at])
        return (
            f"{result['names'][best]} scores most, {result['mean'][best]:.4g} a game; whether that is luck, the intervals say."
        )


class League(Run):
    """Everybody meets everybody else."""

    kind = "league"

    def __init__(self, lab: Lab, identity: str, facts: dict[str, Any]):
        super().__init__(lab, identity, facts)
        self._next_look = 0.0

    @classmethod
    def ask(cls, lab: Lab, asked: dict[str, Any]) -> dict[str, Any]:
        """Some agents; a number of games in each pairing, or until everything is decided."""
        game, chosen, facts = _field(lab, asked, "play in leagues")
        if not 2 <= len(chosen) <= MAX_LEAGUE:
            raise UsageError(f"a league here has 2 to {MAX_LEAGUE} agents, not {len(chosen)}")
        for name in chosen:
            if chosen.count(name) > 1:
                raise UsageError(f"{name} is named twice; in a league everybody meets everybody else, so name it once")
        games, together = asked.get("games"), game.kind == "cooperative" and game.n_players > 1
        if together and games is None:
            games = MATCH_GAMES
        Setting("settle", facts["epsilon"], facts["delta"])
        return facts | {"games": None if games is None else whole_number("games", games, 1, MAX_GAMES)}

    def work(self) -> None:
        """All pairings, in step."""
        facts = self.facts
        goal = {"games": facts["games"]} if facts["games"] else {"until": DECIDED, "max_games": facts["max_games"]}
        try:
            found = league(
                self.lab.game(facts["game"]),
                facts["agents"],
                seed=facts["seed"],
                epsilon=facts["epsilon"],
                delta=facts["delta"],
                keep=self.folder / KEPT,
                progress=self.hear,
                **goal,
            )
            done = True
        except Interrupted as stopped:
            found, done = stopped.result, False
        if found is not None:
            self._take(found.to_dict())
        if done:
            facts["status"] = DONE

    def look(self, progress: Progress) -> None:
        """The table of now; making it takes some time, of which games should have most."""
        began = time.monotonic()
        if began >= self._next_look:
            self._take(progress.details["result"]().to_dict())
            now = time.monotonic()
            self._next_look = now + 4 * (now - began)

    def _take(self, result: dict[str, Any]) -> None:
        before = self.result
        if (
            before is None or result["games"] >= before["games"]
        ):  # one whose file was lost begins anew, and comes to the same figures
            self.facts["result"] = result
        self.words = f"{result['meaning']}; {result['games']:,} games"

    @property
    def title(self) -> str:
        """Who is in it."""
        return f"{self.facts['title']}: league of {', '.join(self.facts['agents'])}"

    @property
    def sentence(self) -> str:
        """What has been shown."""
        if self.status == FAILED or self.result is None:
            return self.words if self.status == FAILED else BEGINS
        told = str(self.result["meaning"])
        # names of agents stay as they are
        return f"{told}." if told.startswith(tuple(self.result["agents"])) else f"{told[0].upper()}{told[1:]}."

    @property
    def shown(self) -> dict[str, Any]:
        """Everybody against everybody."""
        return {"table": cross_table(self.result) if self.result else None}
