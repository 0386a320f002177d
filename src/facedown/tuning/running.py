"""A run under way: questions are asked and answered until the budget is spent; then the last race, on fresh deals."""

from __future__ import annotations

import time
from typing import Any

from facedown.forecast import Forecast
from facedown.progress import Callback, Progress
from facedown.racing.methods import Setting
from facedown.tuning.journal import Journal, Saved, digest_of
from facedown.tuning.objectives import Referee
from facedown.tuning.questions import Answer, Question
from facedown.tuning.request import Request, final_games, whole_budget
from facedown.tuning.result import Trial, TuneResult
from facedown.tuning.space import Vector

_FINAL = Setting("settle", 0.01, 0.05)
"""The last race names what was found only if it is better."""
_VERDICTS = {"first": "better", "second": "worse"}


class Run:
    """An optimiser, a referee, and what they have told each other."""

    def __init__(self, request: Request, referee: Referee, journal: Journal | None):
        self.request, self.referee, self.journal = request, referee, journal
        self.start = request.start()
        deal_games = referee.games_of(Question(self.start, self._rivals()))
        self.optimiser = request.optimiser(deal_games)
        self.history: list[Trial] = []
        self.n_games = 0
        self.final: Answer | None = None
        self._saved: list[Saved] = list(reversed(journal.saved)) if journal else []
        self._over = False
        self._proof: Answer | None = None
        self._started = time.perf_counter() - (journal.saved[-1].seconds if journal and journal.saved else 0.0)
        self._n_played_here = 0
        self._forecast = Forecast(request.games or 0, "games")

    def _rivals(self) -> tuple[Vector, ...]:
        rated = self.request.method in ("cma", "gp") and self.request.against in ("field", "score")
        return () if rated else (self.start,)

    @property
    def seconds(self) -> float:
        """How long it has taken, earlier sittings included."""
        return time.perf_counter() - self._started

    def play(self, progress: Callback | None) -> None:
        """Search until the budget is spent, then race what was found against the start."""
        while not self._search_is_over():
            self._ask()
            if progress is not None and not self._saved:
                progress(self.outlook())
        if self.optimiser.best != self.start:
            self._race_the_start()

    def _search_is_over(self) -> bool:
        request = self.request
        if self._over or (self._saved and self._saved[-1].final):
            return True
        if request.steps is not None and self.optimiser.n_accepted >= request.steps:
            return True
        if request.seconds is not None and not self._saved and self.seconds >= request.seconds:
            return True
        left = self._games_left()
        return left is not None and left < self.referee.games_of(self.optimiser.ask())

    def _games_left(self) -> int | None:
        budget = self.request.search_games()
        return None if budget is None else budget - self.n_games

    def _ask(self) -> None:
        question, left = self.optimiser.ask(), self._games_left()
        answer = self._answered(question, final=False, max_games=left)
        self.n_games += answer.games
        complete = answer.verdict != "undecided" and (not question.n_deals or answer.n == question.n_deals)
        before, n_before = self.optimiser.best, self.optimiser.n_accepted
        if complete:
            self.optimiser.tell(answer)
        else:
            self._over = True  # the budget ended it: nothing was shown
        if self.optimiser.best != before:
            self._proof = answer
        trial = Trial(
            number=len(self.history),
            x=question.x,
            against=question.against,
            rival=question.rivals[0] if len(question.rivals) == 1 else None,
            answer=answer,
            games_so_far=self.n_games,
            n_accepted=self.optimiser.n_accepted,
            accepted=self.optimiser.n_accepted > n_before or self.optimiser.best != before,
            best=self.optimiser.best,
        )
        self.history.append(trial)

    def _answered(self, question: Question, final: bool, max_games: int | None) -> Answer:
        """The answer in the file, or one that is played now."""
        if self._saved:
            saved = self._saved.pop()
            assert self.journal is not None
            if saved.question != digest_of(question) or saved.final != final:
                raise self.journal.damaged(saved.line, "it answers another question than this version asks here")
            if max_games is not None and saved.answer.games > max_games:
                raise self.journal.damaged(saved.line, f"it has {saved.answer.games} games, and {max_games} were left")
            return saved.answer
        answer = self.referee.answer(question, max_games, whole=final)
        self._n_played_here += answer.games
        if self.request.games is not None:
            self._forecast.update(self._n_played_here)
        if self.journal is not None:
            self.journal.save(question, answer, self.seconds, final)
        return answer

    def _race_the_start(self) -> None:
        question = Question(self.optimiser.best, (self.start,), _FINAL, luck="final", against="start")
        games = final_games(self._budget() or whole_budget(self.n_games))
        a_deal = self.referee.games_of(question)
        question = Question(question.x, question.rivals, _FINAL, max(games // a_deal, 1), "final", "start")
        self.final = self._answered(question, final=True, max_games=None)

    def _budget(self) -> int | None:
        """The games with which this run comes out again: those that were allowed, or what the clock has left of them."""
        request, left = self.request, self._games_left()
        if request.seconds is None or self._over:
            return request.games
        spent = left is not None and left < self.referee.games_of(self.optimiser.ask())
        return request.games if spent else whole_budget(self.n_games)

    def outlook(self) -> Progress:
        """How far it is, and what is best so far."""
        request, optimiser = self.request, self.optimiser
        shown = ", ".join(f"{name} {value:.3g}" for name, value in zip(request.space.names, optimiser.best, strict=True))
        words = f"{self.n_games:,} games, {optimiser.n_accepted:,} steps; best {shown}"
        details: dict[str, Any] = {"games": self.n_games, "steps": optimiser.n_accepted, "best": optimiser.best}
        if self._proof is not None:
            low, high = details["interval"] = self._proof.interval
            details["mean"] = self._proof.mean
            words += f"; it scored {self._proof.mean:.3f} ({low:.3f} to {high:.3f}) when it was accepted"
        if request.games is not None:
            return Progress(self.n_games, request.search_games(), "games", self.seconds, words, details)
        if request.seconds is not None:
            return Progress(min(self.seconds, request.seconds), request.seconds, "seconds", self.seconds, words, details)
        return Progress(optimiser.n_accepted, request.steps, "steps", self.seconds, words, details)

    def result(self) -> TuneResult:
        """What was found; before the last race, what there is."""
        request, space, best = self.request, self.request.space, self.optimiser.best
        if best == self.start:
            verdict = "unchanged"
        elif self.final is None:
            verdict = "unfinished"
        else:
            verdict = _VERDICTS.get(self.final.verdict, self.final.verdict)
        chosen = self.start if verdict == "worse" else best
        return TuneResult(
            game=request.game.spec,
            agent=space.agent_at(chosen).spec,
            start=space.agent_at(self.start).spec,
            found=space.agent_at(best).spec,
            names=space.names,
            parameters=dict(zip(space.names, chosen, strict=True)),
            start_parameters=dict(zip(space.names, self.start, strict=True)),
            method=request.method,
            settings=request.description(),
            verdict=verdict,
            final=self.final,
            history=tuple(self.history),
            games=self.n_games + (self.final.games if self.final else 0),
            steps=self.optimiser.n_accepted,
            seed=request.seed,
            seconds=self.seconds,
            repeat=request.repeat(self._budget()),
            only_here=request.only_here(),
            file=str(self.journal.path) if self.journal else "",
        )
