"""The exact solution of a game of perfect information with chance: what every position is worth, and how it is best played."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from facedown import plugins
from facedown.errors import UsageError
from facedown.games.contract import Game
from facedown.games.stepper import Stepper
from facedown.pages import facts
from facedown.policies.policy import Policy
from facedown.progress import Callback
from facedown.solving.dynamic.arrays import ROOT, Array
from facedown.solving.dynamic.find import find_positions
from facedown.solving.dynamic.values import Solver, best_actions, compile_kernels

if TYPE_CHECKING:
    from facedown.agents.contract import Agent

SCHEMA = "facedown.solve-exact/1"
EXACT, _VALUE_ITERATION = "exact", "value-iteration"
METHODS = {
    EXACT: "one backup, Newton's method or policy iteration for each component of positions",
    _VALUE_ITERATION: "repeated backups until nothing changes but by rounding: slower, and to compare",
}
_MAX_TABLE = 1_000_000
"""Positions, beyond which nobody wants them as a policy of views."""


@dataclass(frozen=True)
class Counts:
    """How large a game is, and what its solution took."""

    positions: int
    components: int
    single: int
    """Components of one position that cannot come back to itself."""
    one_unknown: int
    """Components in which all returns go to one position."""
    many_unknowns: int
    outcomes: int
    """Of all actions, those that offer the same choice taken together."""
    leaves: int
    tapes: int
    """Combinations of draws that were tried."""
    newton_steps: int
    linear_solutions: int
    bytes: int
    residual: float
    """The largest difference between the value of a position and its backup."""
    seconds_finding: float
    seconds_solving: float


@dataclass(frozen=True, eq=False)
class OptimalSolution:
    """What every position is worth and how it is best played; nobody can gain by playing differently."""

    game: str
    """The game's spec."""
    method: str
    values: tuple[float, ...]
    """Expected score of each player, from the start, when everybody plays their best."""
    counts: Counts
    states: Array = field(repr=False)
    """uint8: the settled state of every position, a row each."""
    state_values: Array = field(repr=False)
    """float64: what player 0 still scores on average, by position."""
    state_actions: Array = field(repr=False)
    """int32: the best action of every position."""
    rules: Game = field(repr=False)

    @property
    def value(self) -> float:
        """What player 0 expects, in `unit`: the score, or the cost where the game declares one."""
        return -self.values[0] if self.unit == self.rules.cost_unit else self.values[0]

    @property
    def unit(self) -> str:
        """What `value` is: the game's cost ("turns"), "win probability", or "score"."""
        if self.rules.cost_unit:
            return self.rules.cost_unit
        wins = self.rules.n_players == 2 and self.rules.score_range == (0.0, 1.0) and self.rules.score_total == 1.0
        return "win probability" if wins else "score"

    @property
    def repeat(self) -> str:
        """The command that does the same again."""
        method = [] if self.method == EXACT else ["--method", self.method]
        return plugins.command("facedown", "solve", self.game, *method)

    # --- positions ------------------------------------------------------------------------------------------------------

    @cached_property
    def _rules(self) -> Stepper:
        return Stepper(self.rules)

    @cached_property
    def _places(self) -> dict[bytes, int]:
        return {state.tobytes(): number for number, state in enumerate(self.states)}

    def find(self, state: bytes) -> int:
        """The number of the position of a state; -1 where it is none, such as a choice without chance."""
        return self._places.get(self._rules.settled(state), -1)

    @cached_property
    def policy(self) -> Policy:
        """The best play as a policy, by what players see in settled positions; where there is a choice."""
        if len(self.states) > _MAX_TABLE:
            raise UsageError(
                f"{self.game} has {len(self.states):,} positions, and at most {_MAX_TABLE:,} are turned into a policy; "
                f"play them with agent()"
            )
        rules, rows = self._rules, []
        for state, action in zip(self.states, self.state_actions, strict=True):
            mover = rules.turn(state.tobytes())
            legal = rules.legal(state.tobytes())
            if len(legal) > 1:
                rows.append((mover, rules.view(state.tobytes(), mover), legal, int(action)))
        views = b"".join(view for _, view, _, _ in rows)
        return Policy(
            game=self.game,
            players=np.array([mover for mover, _, _, _ in rows], np.uint8),
            views=np.frombuffer(views, np.uint8).reshape(len(rows), self.rules.view.itemsize),
            first=np.concatenate([[0], np.cumsum([len(legal) for _, _, legal, _ in rows])]).astype(np.int64),
            actions=np.array([action for _, _, legal, _ in rows for action in legal], np.int32),
            probabilities=np.array([float(action == best) for _, _, legal, best in rows for action in legal]),
        )

    def agent(self) -> Agent:
        """An agent that plays the solution, in any seat; as `optimal`, and in this process only."""
        from facedown.solving.dynamic.agent import optimal_agent

        return optimal_agent(self.rules, self.states, self.state_values, self.state_actions)

    def table(self, player: int | None = None, most: int | None = None) -> str:
        """The policy in words: a line for each position with a choice."""
        from facedown.policies.text import policy_table

        return policy_table(self.policy, player, most, self.rules)

    # --- out ------------------------------------------------------------------------------------------------------------

    def plot(self) -> Any:
        """A matplotlib figure: for Rrrats roll or stop by both players' points, for other games the values of positions."""
        from facedown.solving.dynamic.pictures import draw_optimal

        return draw_optimal(self)

    def save(self, path: str | Path) -> Path:
        """Write everything to a file, wholly or not at all: for the agent optimal(FILE)."""
        from facedown.solving.dynamic.files import save_optimal

        return save_optimal(self, path)

    def to_dict(self) -> dict[str, Any]:
        """The figures, as JSON has them."""
        return {
            "schema": SCHEMA,
            **facts(self, "game method value unit values"),
            "exact": True,
            **vars(self.counts),
            "seconds": self.counts.seconds_finding + self.counts.seconds_solving,
            "repeat": self.repeat,
        }

    def __repr__(self) -> str:
        who = " for player 0" if len(self.values) > 1 else ""
        return (
            f"{self.game}, {self.method}: {self.unit} {self.value:.9f}{who}; {self.counts.positions:,} positions in "
            f"{self.counts.components:,} components, {self.counts.seconds_finding + self.counts.seconds_solving:.2f} s"
        )

    def _repr_html_(self) -> str:
        return f"<p>{escape(repr(self))}</p>"


def solve_exactly(
    game: Game,
    method: str = EXACT,
    *,
    max_positions: int | None = None,
    progress: Callback | None = None,
) -> OptimalSolution:
    """Find all positions of a game and solve them."""
    positions = find_positions(game, max_positions=max_positions, progress=progress)
    compile_kernels()
    before = time.perf_counter()
    solver = Solver(positions)
    solved = solver.solve(progress=progress) if method == EXACT else solver.value_iteration(progress=progress)
    actions = best_actions(positions.graph, solved.values)
    first = solved.start
    values = (first,) if game.n_players == 1 else (first, (game.score_total or 0.0) - first)
    counts = Counts(
        positions=positions.n_positions,
        components=solved.components,
        single=solved.single,
        one_unknown=solved.one_unknown,
        many_unknowns=solved.many_unknowns,
        outcomes=len(positions.graph.p),
        leaves=len(positions.graph.leaf_position),
        tapes=positions.n_tapes,
        newton_steps=solved.newton_steps,
        linear_solutions=solved.linear_solutions,
        bytes=positions.n_bytes,
        residual=solved.residual,
        seconds_finding=positions.seconds,
        seconds_solving=time.perf_counter() - before,
    )
    behind = slice(ROOT + 1, None)
    return OptimalSolution(
        game=game.spec,
        method=method,
        values=values,
        counts=counts,
        states=positions.table.octets[behind],
        state_values=solved.values[behind],
        state_actions=actions[behind],
        rules=game,
    )
