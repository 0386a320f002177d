"""Experiments with whole games and whole documents: solving, and measuring published figures again.

What a solver has done is kept in a file every second or so, and gone on from exactly; exact solutions and papers begin anew.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from facedown import papers
from facedown.errors import Interrupted, UsageError
from facedown.files import write_whole
from facedown.games.contract import Game
from facedown.inputs import MAX_ITERATIONS, check_seed, whole_number
from facedown.papers.claims import Judged
from facedown.papers.report import PAGE
from facedown.papers.runs import PaperRun
from facedown.policies.policy import Policy, read_policy
from facedown.policies.text import rows_of
from facedown.progress import Progress
from facedown.solving.dynamic.find import can_be_exact, check_solvable
from facedown.solving.dynamic.solution import EXACT
from facedown.solving.dynamic.solution import METHODS as EXACT_METHODS
from facedown.solving.methods import DEFAULT_METHOD, find_method
from facedown.solving.solver import solve
from facedown.web.curve import curve_picture
from facedown.web.lab import Lab
from facedown.web.run import BEGINS, DONE, FAILED, Run

_SOLUTION, POLICY = "solution.npz", "policy.json"
SAVED_EVERY = 1.0
DEFAULT_ITERATIONS = 10_000
MAX_NODES = 2_000_000
MAX_POSITIONS = 1_000_000
"""Larger games are for the command line, where one sees what they do to the machine."""
MAX_ROWS = 60
"""Information sets of each player that a page shows."""
_MAX_WORDED = 20_000
"""Positions of an exact solution, beyond which nobody waits until they are put into words."""
PROFILES = ("quick", "full")


class Solve(Run):
    """A game solved: close to an equilibrium, or exactly where nothing is hidden."""

    kind, n_figures = "solve", 2

    @classmethod
    def ask(cls, lab: Lab, asked: dict[str, Any]) -> dict[str, Any]:
        """A game, a method, and when to stop."""
        game = lab.game(asked["game"])
        method = asked.get("method") or (EXACT if can_be_exact(game) else DEFAULT_METHOD)
        facts: dict[str, Any] = {"game": game.spec, "title": game.title, "method": method}
        if method in EXACT_METHODS:
            check_solvable(game)
            return facts
        chosen = find_method(method)
        iterations = asked.get("iterations")
        iterations = DEFAULT_ITERATIONS if iterations is None else iterations
        target = asked.get("exploitability")
        if target is not None and not 0 <= target < float("inf"):
            raise UsageError(f"exploitability={target}: a number from 0 on is needed")
        return facts | {
            "method": str(chosen),
            "iterations": whole_number("iterations", iterations, 1, MAX_ITERATIONS),
            "exploitability": target,
            "seed": check_seed(asked.get("seed")) if chosen.kind.sampled else None,
        }

    @property
    def exact(self) -> bool:
        """Whether it is the exact solution that is looked for."""
        return self.facts["method"] in EXACT_METHODS

    def work(self) -> None:
        """Until the limit that was asked for; from the file, if there is one."""
        game, facts = self.lab.game(self.facts["game"]), self.facts
        try:
            found, done = self._solve(game), True
        except Interrupted as stopped:
            found, done = stopped.result, False
        if found is None:
            return
        facts["result"] = found.to_dict()
        if not self.exact:
            for point in found.curve:
                self.add_point((point.iterations, point.exploitability))
            self.words = f"{found.iterations:,} iterations, exploitability {found.exploitability:.3g}"
            self._tell(game, found.policy)
        else:
            self.words = f"{found.unit} {found.value:.6f}"
            if found.counts.positions <= _MAX_WORDED:
                self._tell(game, found.policy)
        if done:  # last: who sees that finds everything
            facts["status"] = DONE

    def _solve(self, game: Game) -> Any:
        facts, file = self.facts, self.folder / _SOLUTION
        if self.exact:
            return solve(game, facts["method"], max_nodes=MAX_POSITIONS, progress=self.hear)
        return solve(
            game,
            facts["method"],
            iterations=facts["iterations"],
            exploitability=facts["exploitability"],
            seed=facts["seed"],
            start=file if file.exists() else None,
            save=file,
            every=SAVED_EVERY,
            max_nodes=MAX_NODES,
            progress=self.hear,
        )

    def look(self, progress: Progress) -> None:
        """The curve, and the policy whenever it was saved."""
        exploitability, iterations = progress.details.get("exploitability"), progress.details.get("iterations")
        if exploitability is None or not iterations:
            return
        if not self.points or exploitability != self.points[-1][1]:
            self.add_point((int(iterations), float(exploitability)))
        file, told = self.folder / _SOLUTION, self.folder / POLICY
        if file.exists() and (not told.exists() or told.stat().st_mtime < file.stat().st_mtime):
            game = self.lab.game(self.facts["game"])
            self._tell(game, read_policy(file, game))

    def _tell(self, game: Game, policy: Policy) -> None:
        write_whole(self.folder / POLICY, json.dumps(told_policy(game, policy)))

    @property
    def title(self) -> str:
        """What is solved how."""
        spec = self.facts["game"]
        return f"{self.facts['title']}{f', {spec}' if '(' in spec else ''}: solved by {self.facts['method']}"

    @property
    def sentence(self) -> str:
        """How far from an equilibrium, or the value."""
        result = self.result
        if self.status == FAILED:
            return self.words
        if self.exact:
            if result is None:
                return self.words or BEGINS
            who = " for who moves first" if len(result["values"]) > 1 else ""
            return f"Played perfectly, {result['unit']}{who}: {result['value']:.9f}."
        if not self.points:
            return self.words or BEGINS
        iterations, exploitability = self.points[-1]
        return f"Nobody can gain more than {exploitability:.3g} a game on average, after {iterations:,} iterations."

    @property
    def shown(self) -> dict[str, Any]:
        """The curve and the policy."""
        points = [(point[0], point[1]) for point in self.points]
        return {
            "exact": self.exact,
            "curve": "" if self.exact else curve_picture(points),
            "policy": _read_told(self.folder / POLICY),
        }


def told_policy(game: Game, policy: Policy, most: int = MAX_ROWS) -> list[dict[str, Any]]:
    """A policy in words, by player; as JSON has it."""
    found = []
    for player in range(game.n_players):
        n_sets = int((policy.players == player).sum())
        rows = rows_of(game, policy, player, most)
        found.append({"name": game.seat_name(player), "n_sets": n_sets, "rows": rows})
    return found


def _read_told(path: Path) -> list[dict[str, Any]]:
    """A policy in words that was kept; nothing where there is none yet."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    return found if isinstance(found, list) else []


class Paper(Run):
    """A document whose figures are measured again."""

    kind = "paper"

    @classmethod
    def ask(cls, lab: Lab, asked: dict[str, Any]) -> dict[str, Any]:
        """Which one, and how thoroughly."""
        profile = asked.get("profile", "quick")
        if profile not in PROFILES:
            raise UsageError(f"profile={str(profile)[:40]}: choose one of {', '.join(PROFILES)}")
        paper = papers.paper(asked["paper"])
        seed = asked.get("seed")
        return {"paper": paper.name, "title": paper.title, "profile": profile, "seed": 1 if seed is None else check_seed(seed)}

    def work(self) -> None:
        """Every claim, every plot."""
        facts = self.facts
        began = time.monotonic()
        found = papers.run(facts["paper"], seed=facts["seed"], profile=facts["profile"], progress=self.hear)
        found.write(self.folder)
        facts["result"] = _told_claims(found)
        facts["status"], self.fraction = DONE, 1.0
        self.words = f"{', '.join(f'{n} {word}' for word, n in found.summary.items())}; {time.monotonic() - began:.0f} s"

    @property
    def title(self) -> str:
        """Which document."""
        return f"{self.facts['title']}, {self.facts['profile']}"

    @property
    def sentence(self) -> str:
        """How the claims came out, or what is measured now."""
        if self.status == FAILED or self.result is None:
            return self.words or BEGINS
        counts = self.result["summary"]
        told = ", ".join(f"{count} {verdict}" for verdict, count in counts.items() if count)
        return f"{sum(counts.values())} claims: {told}."

    @property
    def report(self) -> Path:
        """The page with tables and plots."""
        return self.folder / PAGE


def _told_claims(found: PaperRun) -> dict[str, Any]:
    return {
        "summary": found.summary,
        "repeat": found.repeat,
        "seconds": found.seconds,
        "claims": [_told_claim(judged) for judged in found.claims],
    }


def _told_claim(judged: Judged) -> dict[str, str]:
    claim = judged.claim
    return {
        "id": claim.id,
        "says": claim.says,
        "published": claim.published.text,
        "ours": judged.figure.with_error(claim.published.percent),
        "effort": judged.figure.effort,
        "verdict": str(judged.verdict),
        "why": judged.sentence,
    }
