"""What solving a game has found: a policy for every player, and how far it is from an equilibrium."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from facedown.games.contract import Game
from facedown.pages import facts
from facedown.policies.policy import Policy
from facedown.solving.gains import DEFINITION, Exploitable
from facedown.trees.tree import Array, TreeCounts

if TYPE_CHECKING:
    from facedown.agents.contract import Agent

SCHEMA = "facedown.solve/1"


class CurvePoint(NamedTuple):
    """How far the solver was at one time."""

    iterations: int
    seconds: float
    """Spent on iterations alone; building the tree and evaluating are not counted."""
    exploitability: float


@dataclass(frozen=True, eq=False)
class Solution(Exploitable):
    """A policy found by a solver, with its figures. Exploitability is NashConv / number of players, see `nash_conv`."""

    game: str
    """The game's spec."""
    method: str
    average: float
    """The strategy of iteration t has the weight t^average in the average policy."""
    alternating: bool
    """Whether players learn in turn, or all at once."""
    seed: int | None
    """Of sampling methods; the others do not draw."""
    iterations: int
    seconds: float
    """Spent on iterations alone."""
    seconds_evaluating: float
    """Spent on exploitability."""
    values: tuple[float, ...]
    """Expected score of each player when everybody plays the average policy."""
    gains: tuple[float, ...]
    """How much more each player would score with a best response."""
    exact: bool
    """Whether values and gains are computed exactly. If not, they are estimates, and the gains lower bounds; nan where
    nobody has looked, as in a sampling run that was interrupted."""
    stderr: tuple[float, ...]
    """Standard errors of the gains, where they are estimates; else empty."""
    curve: tuple[CurvePoint, ...]
    policy: Policy = field(repr=False)
    tree: TreeCounts | None
    """How large the game is; None where no tree was built."""
    digest: str
    """Stands for the tree: a file is gone on from only if its game still has the same one."""
    repeat: str
    """The command that repeats this run."""
    state: Mapping[str, Array] = field(repr=False)
    """All that a solver needs to go on from here."""
    rules: Game | None = field(repr=False, default=None)
    """The game itself, where it is at hand."""

    @property
    def value(self) -> float:
        """Expected score of player 0 when everybody plays the average policy."""
        return self.values[0]

    def agent(self) -> Agent:
        """An agent that plays the policy, in any seat."""
        from facedown.agents.generic.table import table_agent

        return table_agent(self.policy)

    def table(self, player: int | None = None, most: int | None = None) -> str:
        """The policy in words: a line for each information set, with the probability of each action."""
        from facedown.policies.text import policy_table

        return policy_table(self.policy, player, most, self.rules)

    def plot(self) -> Any:
        """Exploitability against iterations and seconds; for a small game, the policy as bars too. A matplotlib figure."""
        from facedown.solving.pictures import draw_solution

        return draw_solution(self)

    def to_efg(self, path: str | Path | None = None) -> str:
        """The game, without the policy, as Gambit's extensive form; also written to a file if one is named."""
        from facedown.files import write_whole
        from facedown.trees.efg import to_efg

        text = to_efg(self.rules or self.game)
        if path is not None:
            write_whole(path, text)
        return text

    def save(self, path: str | Path) -> Path:
        """Write everything to a file, wholly or not at all: for `load_solution`, `solve(start=...)` and table(FILE)."""
        from facedown.solving.checkpoint import save_solution

        return save_solution(self, path)

    def to_dict(self) -> dict[str, Any]:
        """The figures, as JSON has them."""
        return {
            "schema": SCHEMA,
            **facts(self, "game method average alternating seed iterations"),
            **facts(self, "value values gains nash_conv exploitability"),
            "definition": DEFINITION,
            **facts(self, "exact stderr"),
            "information_sets": self.policy.n_sets,
            "curve": [point._asdict() for point in self.curve],
            **facts(self, "tree seconds seconds_evaluating repeat"),
        }

    def __repr__(self) -> str:
        more = "" if self.exact else " at least"
        return (
            f"{self.game}, {self.method}: value {self.value:.9g} for player 0, exploitability{more} {self.exploitability:.3g} "
            f"(NashConv {self.nash_conv:.3g} / {len(self.gains)} players) after {self.iterations:,} iterations, "
            f"{self.seconds:.2f} s"
        )
