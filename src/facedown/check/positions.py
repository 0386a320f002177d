"""Checks of positions: `settle` forgets only what has no influence, and where nothing is hidden views tell the position."""

from __future__ import annotations

from facedown.check.case import Case
from facedown.check.honest import differing_fields
from facedown.check.report import Failure, Skip
from facedown.check.sample import Moment
from facedown.errors import RulesError

_MAX_MOMENTS = 1_500
MAX_SPOTS = 600
ROUNDING = 1e-9


def settle(case: Case) -> str:
    """From a settled state the game goes on exactly as from the state itself, and what the score loses is earned already."""
    if not case.game.settles:
        raise Skip("the game has no 'settle': its states are positions as they are")
    moments = case.sample.some(_MAX_MOMENTS)
    for moment in moments:
        settled = case.rules.settled(moment.state)
        if (again := case.rules.settled(settled)) != settled:
            raise _fault(
                case,
                moment,
                f"settling a settled state changes it: {differing_fields(case.game.state, settled, again)}",
                "that nothing is left to settle",
            )
        _check_same_choice(case, moment, settled)
        _check_same_future(case, moment, settled)
    positions = {case.rules.settled(moment.state) for moment in moments}
    states = {moment.state for moment in moments}
    return f"{len(states):,} states in sample games are {len(positions):,} positions, and go on as these do"


def _check_same_choice(case: Case, moment: Moment, settled: bytes) -> None:
    mover = case.rules.turn(settled)
    legal = case.rules.legal(settled) if mover == moment.player else ()
    if mover != moment.player or legal != moment.legal:
        raise _fault(
            case,
            moment,
            f"player {moment.player} may play {list(moment.legal)}, but settled it is player {mover} with {list(legal)}",
            "the same mover with the same actions",
        )


def _check_same_future(case: Case, moment: Moment, settled: bytes) -> None:
    """The same action with the same draws leads to the same position, and scores differ by what was earned before."""
    try:
        after = case.rules.step(settled, moment.action, moment.draws)
    except RulesError as problem:
        raise _fault(case, moment, f"the settled state does not go on as the state itself: {problem}", _SAME) from None
    is_over = case.rules.turn(moment.after) < 0
    one, other = (state if is_over else case.rules.settled(state) for state in (moment.after, after))
    if case.rules.turn(moment.after) != case.rules.turn(after) or (not is_over and one != other):
        raise _fault(
            case,
            moment,
            f"after action {moment.action} with the same draws, the settled state leads to another position: "
            f"{differing_fields(case.game.state, one, other)}",
            _SAME,
        )
    before, rest = case.rules.points(moment.state), case.rules.points(settled)
    found, without = case.rules.points(moment.after), case.rules.points(after)
    for player, (score, other_score) in enumerate(zip(found, without, strict=True)):
        earned = before[player] - rest[player]
        if not abs(score - earned - other_score) <= ROUNDING * max(1.0, abs(score)):
            raise _fault(
                case,
                moment,
                f"settling earns player {player} {earned:g}, but after action {moment.action} the scores differ by "
                f"{score - other_score:g}",
                "that the score is what was earned before, and what is scored from the settled state on",
            )


_SAME = "the same positions after the same moves and draws"


def _fault(case: Case, moment: Moment, found: str, expected: str) -> Failure:
    remedy = "let 'settle' change only what neither 'turn', 'legal', 'step' nor what is still scored depends on"
    return Failure(found, where=case.sample.place(moment), expected=expected, remedy=remedy)


def perfect_information(case: Case) -> str:
    """What a player sees tells the position: no two that differ look the same to somebody."""
    if not case.game.perfect_information:
        raise Skip("the game does not declare perfect information")
    for behind in case.behind_views:
        real = case.rules.settled(behind.spot.state)
        for state in behind.states:
            if (other := case.rules.settled(state)) != real:
                raise _hidden(case, behind.player, real, other, case.sample.place(behind.spot))
    known: dict[tuple[int, bytes], bytes] = {}
    for spot in case.sample.spots(MAX_SPOTS):
        if spot.over:
            continue
        settled = case.rules.settled(spot.state)
        for player in range(case.game.n_players):
            seen = known.setdefault((player, case.rules.view(spot.state, player)), settled)
            if seen != settled:
                raise _hidden(case, player, settled, seen, case.sample.place(spot))
    return f"{len(known):,} views tell {len(set(known.values())):,} positions"


def _hidden(case: Case, player: int, one: bytes, other: bytes, where: str) -> Failure:
    return Failure(
        f"player {player} cannot tell two positions apart: {differing_fields(case.game.state, one, other)}",
        where=where,
        expected="views from which everybody knows the whole position, as perfect_information=True says",
        remedy="show it in the view and let 'imagine' keep it; settle it, if it does not matter; or do not declare perfect "
        "information",
    )
