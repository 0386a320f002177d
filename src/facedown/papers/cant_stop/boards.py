"""Small boards: how far the agents are from the best play alone, exactly."""

from __future__ import annotations

from facedown.errors import UsageError
from facedown.papers.documents import Passage
from facedown.papers.laboratory import Laboratory, Profile
from facedown.solving.cant_stop_alone import Distance, distances, turns_alone

AGENTS = ("first", "q5", "q6a", "q6b", "rule28", "glenn_aloi")
SMALL, LARGER, _LARGEST = ((2, 1),), ((2, 2), (3, 1)), ((2, 2), (3, 1), (3, 2))
"""Sides of a die and spaces of the shortest columns, for the profiles."""
_REAL_ONLY = "turn_exact"


def _boards_of(profile: Profile) -> tuple[tuple[int, int], ...]:
    """The boards of a profile: the best play on (3, 2) takes half a minute to find."""
    return {Profile.TINY: SMALL, Profile.QUICK: LARGER, Profile.FULL: _LARGEST}[profile]


def _game_on(board: tuple[int, int]) -> str:
    """Solitaire on a board."""
    sides, shortest = board
    return f"cant_stop(players=1,sides={sides},shortest={shortest})"


def _gather_boards(laboratory: Laboratory) -> str:
    """A row for each agent: turns on each board, and how much more than the best play they are."""
    boards = _boards_of(laboratory.profile)
    found = {board: distances(_game_on(board), AGENTS) for board in boards}
    lines = [f"{'agent':<12}" + "".join(f"{f'({sides}, {shortest})':>22}" for sides, shortest in boards)]
    lines += ["-" * len(lines[0]), f"{'optimal':<12}" + "".join(f"{found[board][0].fewest:>13.9f}{'':>9}" for board in boards)]
    for index, agent in enumerate(AGENTS):
        lines.append(f"{agent:<12}" + "".join(_cell(found[board][index]) for board in boards))
    try:
        turns_alone(_game_on(boards[0]), _REAL_ONLY)
    except UsageError as problem:
        lines += ["", f"Not in the table: {problem}."]
    return "\n".join(
        ["Turns on average, exactly; how much more than the best play. Boards: sides of a die, shortest column.", "", *lines]
    )


def _cell(distance: Distance) -> str:
    return f"{distance.alone.turns:>13.9f}{f'+{distance.excess:.1%}':>9}"


PASSAGES = (Passage("small-boards", "Small boards: agents beside the best play", _gather_boards),)
