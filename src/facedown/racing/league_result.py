"""What a league has found out: a cell for each pairing, ratings, who beats whom, and circles of agents that beat each other."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from facedown import pages
from facedown.racing.many import shortest_cycle
from facedown.racing.ratings import Ratings

VERSUS, CROSS_PLAY = "versus", "cross-play"


@dataclass(frozen=True)
class Cell:
    """Two agents that met; or one that formed a team with another, or with itself."""

    first: str
    second: str
    verdict: str
    """first, second, practically equal or undecided; empty in cross-play, where nobody is against anybody."""
    games: int
    deals: int
    mean: float
    """Average score of the first against the second, from 0 to 1; in cross-play, what they score together, in points."""
    stderr: float
    interval: tuple[float, float]
    """Where the true mean lies, at all times; those of all cells of a league together hold with probability 1 - delta."""
    expected: float | None = None
    """What the ratings would have the first agent score."""

    @property
    def words(self) -> str:
        """The verdict with the agents' names."""
        if self.verdict in ("first", "second"):
            winner, loser = (self.first, self.second) if self.verdict == "first" else (self.second, self.first)
            return f"{winner} beats {loser}"
        return self.verdict


@dataclass(frozen=True)
class LeagueResult:
    """The outcome of a league. Agents are in the order given; `ranking` has the best first."""

    game: str
    kind: str
    """versus, or cross-play where all players score alike."""
    agents: tuple[str, ...]
    cells: tuple[Cell, ...]
    ratings: Ratings | None
    """None in cross-play."""
    until: str
    """"decided", or "games": what the league was played until."""
    epsilon: float
    delta: float
    seed: int
    seconds: float
    repeat: str
    """The command that repeats this league; empty where none can, see `only_here`."""
    difference_range: float = 1.0
    """By how many points an average of 1 or of 0 means that one agent's score differs from the other's."""
    interrupted: bool = False
    only_here: str = ""

    @property
    def games(self) -> int:
        """All games together."""
        return sum(cell.games for cell in self.cells)

    @property
    def undecided(self) -> tuple[Cell, ...]:
        """The cells of which nothing has been shown."""
        return tuple(cell for cell in self.cells if cell.verdict == "undecided")

    @property
    def beaten(self) -> dict[int, list[int]]:
        """By agent, by whom it is beaten; agents by their numbers."""
        number = {name: index for index, name in enumerate(self.agents)}
        found: dict[int, list[int]] = {index: [] for index in range(len(self.agents))}
        for cell in self.cells:
            if cell.verdict in ("first", "second"):
                winner, loser = (cell.first, cell.second) if cell.verdict == "first" else (cell.second, cell.first)
                found[number[loser]].append(number[winner])
        return found

    @property
    def cycles(self) -> tuple[tuple[str, ...], ...]:
        """Agents that each beat the next and the last the first: a shortest circle of each group that beats its way round."""
        beaten, found = self.beaten, []
        for group in _round_groups(beaten):
            inside = {agent: [winner for winner in beaten[agent] if winner in group] for agent in sorted(group)}
            found.append(tuple(self.agents[agent] for agent in shortest_cycle(inside)))
        return tuple(found)

    @property
    def best(self) -> tuple[str, ...]:
        """Those that beat every other agent or are practically equal to it; nobody, if none has been shown to."""
        if self.kind == CROSS_PLAY:
            return ()
        losing = {self.agents[agent] for agent, winners in self.beaten.items() if winners}
        open_ones = {name for cell in self.undecided for name in (cell.first, cell.second)}
        return tuple(name for name in self.agents if name not in losing | open_ones)

    @property
    def ranking(self) -> tuple[int, ...]:
        """The agents by their ratings, in cross-play by what they score on average with all others; the best first."""
        order = self.ratings.values if self.ratings else [self.with_others(agent) for agent in range(len(self.agents))]
        return tuple(sorted(range(len(self.agents)), key=lambda agent: -order[agent]))

    def with_others(self, agent: int) -> float:
        """Cross-play: what an agent scores on average in teams with each of the others."""
        name = self.agents[agent]
        met = [cell.mean for cell in self.cells if name in (cell.first, cell.second) and cell.first != cell.second]
        return sum(met) / len(met)

    def with_itself(self, agent: int) -> float:
        """Cross-play: what an agent scores in a team of its own."""
        name = self.agents[agent]
        return next(cell.mean for cell in self.cells if cell.first == cell.second == name)

    @property
    def meaning(self) -> str:
        """What has been shown, as a sentence without its full stop."""
        if self.kind == CROSS_PLAY:
            best = max(self.cells, key=lambda cell: cell.mean)
            team = best.first if best.first == best.second else f"{best.first} with {best.second}"
            return f"the most was scored by {team}: {best.mean:.4g}"
        parts = [f"there is a cycle: {' beats '.join((*cycle, cycle[0]))}" for cycle in self.cycles]
        if len(self.best) == 1:
            parts.insert(0, f"{self.best[0]} beats every other agent or is practically equal to it")
        elif self.best:
            parts.insert(0, f"{' and '.join(self.best)} are practically equal, and beaten by nobody")
        if self.undecided:
            parts.append(f"{len(self.undecided)} of {len(self.cells)} pairings are undecided")
        return "; ".join(parts) or "nobody beats all others"

    def mean(self, one: int | str, other: int | str) -> float:
        """What one agent scores against another, or together with it, by numbers or names."""
        first, second = (self.agents[agent] if isinstance(agent, int) else agent for agent in (one, other))
        for cell in self.cells:
            if (cell.first, cell.second) == (first, second):
                return cell.mean
            if (cell.second, cell.first) == (first, second):
                return cell.mean if self.kind == CROSS_PLAY else 1.0 - cell.mean
        raise KeyError(f"{first} and {second} did not meet")

    def rows(self) -> list[dict[str, Any]]:
        """A row for each pairing, with plain values."""
        number = {name: index for index, name in enumerate(self.agents)}
        rows = []
        for cell in self.cells:
            row: dict[str, Any] = {"first": cell.first, "second": cell.second, "games": cell.games, "mean": cell.mean}
            row |= {"stderr": cell.stderr, "low": cell.interval[0], "high": cell.interval[1]}
            if self.ratings:
                values = self.ratings.values
                row |= {"verdict": cell.verdict, "expected": cell.expected}
                row |= {"rating_first": values[number[cell.first]], "rating_second": values[number[cell.second]]}
            rows.append(row)
        return rows

    def to_pandas(self) -> Any:
        """The rows as a DataFrame; pandas has to be installed."""
        return pages.to_pandas(self.rows())

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON has it."""
        content: dict[str, Any] = {
            "schema": "facedown.league/1",
            **pages.facts(self, "game kind agents meaning best cycles"),
            "undecided": len(self.undecided),
            "ranking": [self._place(agent) for agent in self.ranking],
            "pairings": [self._pairing(cell) for cell in self.cells],
            **pages.facts(self, "until epsilon delta games seed interrupted seconds"),
            "repeat": self.repeat or None,
        }
        if self.ratings:
            content["ratings_with_draws"] = self.ratings.with_draws
        return content | ({"only_here": self.only_here} if self.only_here else {})

    def _place(self, agent: int) -> dict[str, Any]:
        if self.ratings is None:
            means = {"mean_with_others": self.with_others(agent), "mean_with_itself": self.with_itself(agent)}
            return {"agent": self.agents[agent], **means}
        rating, stderr, interval = self.ratings.values[agent], self.ratings.stderr[agent], self.ratings.interval(agent)
        return {"agent": self.agents[agent], "rating": rating, "stderr": stderr, "interval": list(interval)}

    def _pairing(self, cell: Cell) -> dict[str, Any]:
        found = {**vars(cell), "interval": list(cell.interval)}
        if self.kind == CROSS_PLAY:
            del found["verdict"], found["expected"]
        else:
            found["difference"] = (2.0 * cell.mean - 1.0) * self.difference_range
        return found

    def __repr__(self) -> str:
        lines = [f"{self.game}: {self.meaning} ({self.games:,} games, seed {self.seed})"]
        for agent in self.ranking:
            if self.ratings:
                low, high = self.ratings.interval(agent)
                lines.append(f"  {self.agents[agent]}: {self.ratings.values[agent]:+.1f} ({low:+.1f} to {high:+.1f})")
            else:
                means = f"{self.with_others(agent):.4g} with others, {self.with_itself(agent):.4g} with itself"
                lines.append(f"  {self.agents[agent]}: {means}")
        if self.only_here:
            lines.append(f"  no command repeats it: {self.only_here}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        from facedown.racing.league_page import tables

        return "".join(table.html() for table in tables(self).values())

    def plot(self) -> Any:
        """A heat map of all pairings, and the ratings with their intervals; a Matplotlib figure."""
        from facedown.racing.league_page import draw_league

        return draw_league(self)

    def to_html(self) -> str:
        """A page with tables and plots."""
        import facedown
        from facedown.racing.league_page import sections

        return pages.page(f"{self.game}: league of {len(self.agents)}", sections(self), self.repeat, facedown.__version__)

    def write(self, file: str | Path) -> Path:
        """Write it to a file: a page with plots (.html), or the pairings as rows (.csv)."""
        return pages.write_result(file, self)


def _round_groups(beaten: dict[int, list[int]]) -> list[set[int]]:
    """The largest groups in which everybody beats everybody else, if only by way of others of the group; of two or more."""

    def reachable(start: int) -> set[int]:
        found, left = set(), [start]
        while left:
            for winner in beaten[left.pop()]:
                if winner not in found:
                    found.add(winner)
                    left.append(winner)
        return found

    above = {agent: reachable(agent) for agent in beaten}
    groups: list[set[int]] = []
    for agent in sorted(beaten):
        if agent in above[agent] and not any(agent in group for group in groups):
            groups.append({other for other in above[agent] if agent in above[other]})
    return groups
