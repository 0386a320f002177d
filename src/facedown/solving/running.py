"""A run under way: batches of iterations, with a look at the exploitability now and then."""

from __future__ import annotations

import math
import time

from facedown.errors import Interrupted
from facedown.inputs import MAX_ITERATIONS
from facedown.native.interruption import undivided
from facedown.progress import Progress
from facedown.solving.best_response import Evaluation, unknown_evaluation
from facedown.solving.engine import Engine
from facedown.solving.request import Request
from facedown.solving.solution import CurvePoint, Solution
from facedown.trees.tree import TreeCounts

_BATCH_SECONDS = 0.2
"""Progress is shown, and Ctrl-C heard, between batches of about this length."""


def next_point(done: int, per_octave: int) -> int:
    """The next number of iterations at which exploitability is looked at: 2^(k / per_octave), rounded; so never by the clock.

    >>> [next_point(done, 2) for done in (0, 1, 2, 3, 4, 6, 8)]
    [1, 2, 3, 4, 6, 8, 11]
    """
    k = math.floor(per_octave * math.log2(done)) if done > 0 else 0
    while round(2 ** (k / per_octave)) <= done:
        k += 1
    return round(2 ** (k / per_octave))


def is_point(iterations: int, per_octave: int) -> bool:
    """Whether exploitability is looked at after this many iterations."""
    return iterations > 0 and next_point(iterations - 1, per_octave) == iterations


class Run:
    """A run under way."""

    def __init__(self, request: Request, engine: Engine, counts: TreeCounts | None, digest: str, start: Solution | None):
        self.request, self.engine, self.counts, self.digest = request, engine, counts, digest
        self.seconds = start.seconds if start else 0.0
        self.seconds_evaluating = start.seconds_evaluating if start else 0.0
        # the point at which the earlier run ended is no point of one that did not end there
        kept = start.curve if start else ()
        self.curve = [point for point in kept if is_point(point.iterations, engine.points_per_octave)]
        self._seconds_before = self.seconds + self.seconds_evaluating
        self._pace = 0.0
        self._saved = time.perf_counter()
        self._evaluated: tuple[int, Evaluation | None] | None = None

    @property
    def elapsed(self) -> float:
        """Seconds of this run, without what an earlier one took."""
        return self.seconds + self.seconds_evaluating - self._seconds_before

    @property
    def over(self) -> bool:
        """Whether enough is done."""
        request = self.request
        if self.engine.iterations >= request.iterations or self.elapsed >= request.seconds:
            return True
        return bool(self.curve) and self.curve[-1].exploitability <= request.exploitability

    def batch_size(self) -> int:
        """How many iterations to do next: not beyond the next look, and not too long."""
        done = self.engine.iterations
        limit = min(self.request.iterations, next_point(done, self.engine.points_per_octave)) - done
        if not self._pace:
            return 1
        patience = min(_BATCH_SECONDS, self.request.seconds - self.elapsed)
        return int(max(1, min(limit, patience / self._pace)))

    def step(self) -> None:
        """Do a batch, and look at it if it is time."""
        count = self.batch_size()
        began = time.perf_counter()
        with undivided():
            self.engine.run(count)
        took = time.perf_counter() - began
        self.seconds += took
        self._pace = max(took / count, 1e-9)
        if is_point(self.engine.iterations, self.engine.points_per_octave):
            self._look()

    def _look(self) -> None:
        evaluation = self._evaluate()
        if evaluation is not None:
            self.curve.append(CurvePoint(self.engine.iterations, self.seconds, evaluation.exploitability))

    def _evaluate(self) -> Evaluation | None:
        """How good the policy is now; worked out once, and None where it cannot be."""
        if self._evaluated is None or self._evaluated[0] != self.engine.iterations:
            began = time.perf_counter()
            self._evaluated = (self.engine.iterations, self.engine.evaluate())
            self.seconds_evaluating += time.perf_counter() - began
        return self._evaluated[1]

    def report(self) -> Progress:
        """How the run stands."""
        n_iterations, request = self.engine.iterations, self.request
        exploitability = self.curve[-1].exploitability if self.curve else None
        details = {"iterations": n_iterations, "exploitability": exploitability}
        words = f"{n_iterations:,} iterations" + ("" if exploitability is None else f", exploitability {exploitability:.3g}")
        if request.iterations < MAX_ITERATIONS:
            return Progress(n_iterations, request.iterations, "iterations", self.elapsed, words, details)
        if math.isfinite(request.seconds):
            return Progress(self.elapsed, request.seconds, "seconds", self.elapsed, words, details)
        return Progress(n_iterations, None, "iterations", self.elapsed, words, details)

    def result(self, final: bool = True) -> Solution:
        """The solution so far; its curve ends with this very iteration. Only a final one is worth estimates by playing."""
        request, engine = self.request, self.engine
        policy, state = engine.policy(), engine.state()  # first: they end an iteration that was interrupted
        evaluation = self._evaluate() or (engine.estimate() if final else unknown_evaluation(request.game.n_players))
        curve = list(self.curve)
        if evaluation.exact and engine.iterations and (not curve or curve[-1].iterations != engine.iterations):
            curve.append(CurvePoint(engine.iterations, self.seconds, evaluation.exploitability))
        return Solution(
            game=request.game.spec,
            method=str(request.method),
            average=request.method.average,
            alternating=request.alternating,
            seed=request.seed,
            iterations=engine.iterations,
            seconds=self.seconds,
            seconds_evaluating=self.seconds_evaluating,
            values=evaluation.values,
            gains=evaluation.gains,
            exact=evaluation.exact,
            stderr=evaluation.stderr,
            curve=tuple(curve),
            policy=policy,
            tree=self.counts,
            digest=self.digest,
            repeat=request.command(engine.iterations),
            state=state,
            rules=request.game,
        )

    def save(self, now: bool) -> None:
        """Write the run down, if a file is named and it is time."""
        request = self.request
        if request.save is None or not (now or time.perf_counter() - self._saved >= request.every):
            return
        self.result(final=False).save(request.save)
        self._saved = time.perf_counter()

    def go(self) -> Solution:
        """Run until enough is done."""
        try:
            while not self.over:
                self.step()
                self.save(now=False)
                if self.request.progress is not None:
                    self.request.progress(self.report())
        except KeyboardInterrupt:
            self.save(now=True)
            kept = f"; it is kept in {self.request.save}" if self.request.save else ""
            result = self.result(final=False)
            raise Interrupted(f"interrupted after {self.engine.iterations:,} iterations{kept}", result) from None
        result = self.result()
        if self.request.save is not None:
            result.save(self.request.save)
        return result
