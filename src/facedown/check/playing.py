"""Checks of play: games run, end in time, offer proper actions, keep their fields in range and score as declared."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from facedown.check.case import Case
from facedown.check.report import Failure, Skip
from facedown.native.records import fields_of, out_of_range

TOLERANCE = 1e-9


def plays(case: Case) -> str:
    """Games with random moves, and with those of the game's own agents, run from their start to their end."""
    sample = case.sample
    if "plays" in sample.faults:
        raise sample.faults["plays"]
    n_games, n_moves = len(sample.played), sum(played.n_moves for played in sample.played)
    names = ", ".join(agent.name for agent in sample.agents)
    moves = f"half of them by {names}, half with random moves" if names and n_games > 1 else "with random moves"
    return f"{n_games:,} games {moves}, {n_moves:,} moves, ran without an error"


def turn(case: Case) -> str:
    """`turn` names a player or says that the game is over."""
    if "turn" in case.sample.faults:
        raise case.sample.faults["turn"]
    movers = sorted({moment.player for moment in case.sample})
    return f"players {', '.join(map(str, movers))} came to move" if movers else "nobody came to move"


def actions(case: Case) -> str:
    """Legal actions are ascending, different, below the declared number, and there is at least one; `allows` agrees."""
    if "actions" in case.sample.faults:
        raise case.sample.faults["actions"]
    asked = case.game.tells_legal and _check_allowed(case)
    agreed = ", and 'allows' allowed these and no others" if asked else ""
    found = f"at every one of {case.sample.n_moments:,} decisions the legal actions were ascending"
    return f"{found} and below {case.game.n_actions}{agreed}"


def _check_allowed(case: Case) -> bool:
    """Ask about every action, and about numbers that are none."""
    beyond = (-(2**63), -1, case.game.n_actions, case.game.n_actions + 1, 2**63 - 1)
    for played in case.sample.played:
        for moment in played.moments:
            for action in (*range(case.game.n_actions), *beyond):
                allowed, wanted = case.rules.allows(moment.state, action), int(action in moment.legal)
                if allowed != wanted:
                    raise Failure(
                        f"'allows' answered {allowed} about action {action}, but the legal ones are {list(moment.legal)}",
                        where=case.sample.where(played, moment.number),
                        expected="1 for the actions that 'legal' lists, and 0 for all other numbers",
                        remedy="correct whichever of the two is wrong, or leave 'allows' out",
                    )
    return True


def length(case: Case) -> str:
    """Games end within the declared number of moves."""
    if "length" in case.sample.faults:
        raise case.sample.faults["length"]
    longest = max((played.n_moves for played in case.sample.played), default=0)
    if case.tree_is_small and case.tree.longest is not None:
        longest = case.tree.figures.longest
        if longest > case.game.max_moves:
            raise Failure(
                f"there is a game of {longest} moves",
                where=case.where(case.tree.longest),
                expected=f"at most the declared {case.game.max_moves} moves",
                remedy="end the game earlier, or correct 'longest'",
            )
        return f"the longest of all possible games has {longest:,} moves (declared: at most {case.game.max_moves:,})"
    return f"the longest game seen had {longest:,} moves (declared: at most {case.game.max_moves:,})"


def ranges(case: Case) -> str:
    """All fields of states and views stay within their declared ranges."""
    n_views = 0
    for played in case.sample.played:
        states = [played.start, *(moment.after for moment in played.moments)]
        _check_ranges(case, "state", states, played.number)
        for player in range(case.game.n_players):
            views = [case.rules.view(state, player) for state in states]
            _check_ranges(case, "view", views, played.number, f" of player {player}")
            n_views += len(views)
    n_fields = len(list(fields_of(case.game.state)))
    return f"all {n_fields} fields of the state, and those of {n_views:,} views, stayed within their declared ranges"


def _check_ranges(case: Case, what: str, content: list[bytes], number: int, whose: str = "") -> None:
    kind = case.game.state if what == "state" else case.game.view
    records = np.frombuffer(b"".join(content), kind)
    if out_of_range(kind, records) is None:
        return
    index, problem = next((i, text) for i, record in enumerate(records) if (text := out_of_range(kind, record)))
    raise Failure(
        f"the {what}{whose}: {problem}",
        where=case.sample.where(case.sample.played[number], index),
        expected="values from the smallest to the largest declared, in every field at all times",
        remedy="correct the rules, or the range in field(...) if the value is right",
    )


def scores(case: Case) -> str:
    """Scores are filled in for every player, are finite, within the declared range, and sum up as declared."""
    n_ends = 0
    for state, where in _ends(case):
        n_ends += 1
        numbers = _score(case, state)
        problem = _score_problem(case, numbers)
        if problem is not None:
            found, expected, remedy = problem
            raise Failure(found, where=where(), expected=expected, remedy=remedy)
    if not n_ends:
        raise Skip("no game came to its end")
    total = case.game.score_total
    sums = f", summing up to {total:g}" if total is not None else ""
    low, high = case.game.score_range
    kind = "all possible ends" if case.tree_is_small else f"{n_ends:,} ends"
    return f"scores at {kind} lie between {low:g} and {high:g}{sums}"


def _ends(case: Case) -> Iterator[tuple[bytes, Callable[[], str]]]:
    """The final states of the sample games, and all others where the whole tree is known; each with words for where."""
    for played in case.sample.ends():
        assert played.end is not None
        yield played.end, partial(case.sample.where, played, played.n_moves)
    if case.tree_is_small:
        for state, node in case.tree.ends.items():
            yield state, partial(case.where, node)


def _score(case: Case, state: bytes) -> list[float]:
    """The scores that the rules fill in; not a number where they leave a player out."""
    numbers = np.full(case.game.n_players, np.nan)
    case.rules.run("score", case.rules.state(state), numbers)
    return numbers.tolist()


def _score_problem(case: Case, numbers: list[float]) -> tuple[str, str, str] | None:
    """What was found, what was expected, and the remedy; None if all is well."""
    game = case.game
    low, high = game.score_range
    told = ", ".join(f"{number:g}" for number in numbers)
    scale = TOLERANCE * max(abs(low), abs(high), 1.0)
    if not all(map(math.isfinite, numbers)):
        return (
            f"'score' left ({told}) when it was given a list that holds no numbers yet",
            "a finite score for every player, whatever the list held before",
            "assign scores[player] for every player; do not add to what is there",
        )
    if min(numbers) < low - scale or max(numbers) > high + scale:
        return f"the scores are ({told})", f"scores from {low:g} to {high:g}, as declared", "correct 'score' or 'scores'"
    total = game.score_total
    if total is not None and abs(sum(numbers) - total) > scale * len(numbers):
        return (
            f"the scores ({told}) sum up to {sum(numbers):g}",
            f"a sum of {total:g} ({game.kind})",
            "correct 'score', or declare another kind or total",
        )
    if game.kind == "cooperative" and max(numbers) - min(numbers) > scale:
        return f"the scores are ({told})", "the same score for all (cooperative)", "correct 'score', or declare kind 'general'"
    return None


def columns(case: Case) -> str:
    """The game's own columns of a match are finite numbers."""
    names = [column.name for column in case.game.columns]
    if not names:
        raise Skip("the game adds no columns to the results of matches")
    totals = np.zeros(len(names))
    for state, where in _ends(case):
        values = np.zeros(len(names))
        case.rules.run("report", case.rules.state(state), values)
        if not np.isfinite(values).all():
            bad = names[int(np.flatnonzero(~np.isfinite(values))[0])]
            raise Failure(
                f"'report' gave {values.tolist()}: column '{bad}' is no finite number",
                where=where(),
                expected="a finite number in every column",
                remedy="correct 'report'",
            )
        totals += values
    return f"{', '.join(names)}: finite at every end"
