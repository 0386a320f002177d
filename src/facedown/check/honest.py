"""Checks that functions do what they are asked and nothing else: no side effects, no memory, nothing left out."""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.check.case import Case
from facedown.check.report import Failure
from facedown.check.sample import Moment, Spot
from facedown.games.position import Position
from facedown.games.stepper import write_tape
from facedown.native.chance import CHANCE
from facedown.native.records import blank

MAX_SPOTS = 600
_MAX_TRANSCRIPTS = 20


def differing_fields(kind: np.dtype[Any], first: bytes, second: bytes) -> str:
    """The fields in which two records differ, with both values of the first such, in the order given."""
    one, other = np.frombuffer(first, kind)[0], np.frombuffer(second, kind)[0]
    names = [name for name in kind.names or () if not np.array_equal(one[name], other[name])]
    if not names:
        return "bytes between the fields differ"
    more = f" (and {', '.join(names[1:])} differ too)" if names[1:] else ""
    return f"'{names[0]}' is {_short(one[names[0]])} and {_short(other[names[0]])}{more}"


def _short(value: Any) -> str:
    text = np.array2string(np.asarray(value), threshold=12, edgeitems=5, separator=", ")
    return " ".join(text.split())


def views(case: Case) -> str:
    """`observe` fills every field of the view, from the state alone."""
    buffer, n_views = blank(case.game.view), 0
    for spot in case.sample.spots(MAX_SPOTS):
        for player in range(case.game.n_players):
            clean = case.rules.view(spot.state, player)
            buffer.view(np.uint8)[:] = 0xFF
            case.rules.run("observe", case.rules.state(spot.state), np.int64(player), buffer[0])
            if buffer.tobytes() != clean:
                raise Failure(
                    f"'observe' does not fill in the whole view of player {player}: in a zeroed record and in one that held "
                    f"something else, {differing_fields(case.game.view, clean, buffer.tobytes())}",
                    where=case.sample.place(spot),
                    expected="that every field is written at every call, since the record is used again and again",
                    remedy="assign every field of the view in 'observe', arrays in full",
                )
            n_views += 1
    return f"{n_views:,} views came out the same, whatever the record held before"


def questions(case: Case) -> str:
    """`turn`, `legal`, `observe`, `score` and `report` leave the state as it is, and answer the same when asked again."""
    spots = case.sample.spots(MAX_SPOTS)
    for spot in spots:
        first, second = _answers(case, spot), _answers(case, spot)
        changed = [name for name in first if first[name] != second[name]]
        if changed:
            raise Failure(
                f"'{changed[0]}' was asked twice about the same state and answered {first[changed[0]]!r}, then "
                f"{second[changed[0]]!r}",
                where=case.sample.place(spot),
                expected="answers that depend on the state alone",
                remedy=f"keep no memory and draw no numbers in '{changed[0]}'",
            )
    return f"in {len(spots):,} states, asking changed nothing and asking again gave the same answers"


def _answers(case: Case, spot: Spot) -> dict[str, Any]:
    """What the rules answer about a state, by the names of their functions."""
    game, listing, numbers = case.game, np.zeros(case.game.n_actions + 4, np.int64), np.zeros(case.game.n_players)
    answers: dict[str, Any] = {"turn": _ask(case, spot, "turn")}
    if spot.over:
        _ask(case, spot, "score", numbers)
        values = np.zeros(len(game.columns))
        _ask(case, spot, "report", values)
        answers |= {"score": numbers.tolist(), "report": values.tolist()}
    else:
        n_legal = int(_ask(case, spot, "legal", listing))
        answers["legal"] = listing[:n_legal].tolist()
    seen = blank(game.view, game.n_players)
    for player in range(game.n_players):
        _ask(case, spot, "observe", np.int64(player), seen[player])
    return answers | {"observe": seen.tobytes()}


def _ask(case: Case, spot: Spot, name: str, *arguments: Any) -> Any:
    answer = case.rules.run(name, case.rules.state(spot.state), *arguments)
    check_held(case, spot, name, spot.state)
    return answer


def check_held(case: Case, spot: Spot, name: str, asked: bytes) -> None:
    """A question has left the state as it was."""
    if case.rules.held() != asked:
        raise Failure(
            f"'{name}' changes the state: {differing_fields(case.game.state, asked, case.rules.held())}",
            where=case.sample.place(spot),
            expected="that only 'start' and 'step' write to the state",
            remedy=f"work on local variables in '{name}'",
        )


def copies(case: Case) -> str:
    """A state and its copy go the same way with the same draws, and do not touch each other."""
    states, chances = case.game.blank(2), np.zeros(1, CHANCE)
    moments = case.sample.some(MAX_SPOTS)
    for moment in moments:
        states.view(np.uint8).reshape(2, -1)[:] = np.frombuffer(moment.state, np.uint8)
        _step_with(case, moment, states, chances, 0)
        if states[1:].tobytes() != moment.state:
            raise Failure(
                f"playing action {moment.action} on a state changed a copy of it: "
                f"{differing_fields(case.game.state, moment.state, states[1:].tobytes())}",
                where=case.sample.place(moment),
                expected="states that share nothing",
                remedy="let 'step' write to the state that it is given only, and inside its arrays",
            )
        _step_with(case, moment, states, chances, 1)
        if states[0].tobytes() != states[1].tobytes():
            raise Failure(
                f"action {moment.action} with the same draws led to two different states: "
                f"{differing_fields(case.game.state, states[0].tobytes(), states[1].tobytes())}",
                where=case.sample.place(moment),
                expected="that the state, the action and the draws decide everything",
                remedy="keep everything in the state, and draw with draw, draw_from and shuffle alone",
            )
    return f"copy, then step and step, then copy agreed at {len(moments):,} decisions"


def _step_with(case: Case, moment: Moment, states: Any, chances: Any, index: int) -> None:
    """Play a moment's action on one of the states, with the draws that were recorded."""
    chances[:] = 0
    write_tape(chances, moment.draws)
    case.rules.run("step", states[index], np.int64(moment.action), chances[0])


def replay(case: Case) -> str:
    """A transcript, that is the draws and the actions, replays to byte-identical states."""
    n_games = n_moves = 0
    for played in case.sample.played[:_MAX_TRANSCRIPTS]:
        if n_moves >= MAX_SPOTS:
            break
        n_games += 1
        position = Position(case.game)
        position.start(played.deal)
        _check_same(case, played.start, position.state.tobytes(), case.sample.where(played, 0))
        for moment in played.moments:
            position.step(moment.action, moment.draws)
            _check_same(case, moment.after, position.state.tobytes(), case.sample.where(played, moment.number + 1))
            n_moves += 1
    return f"{n_games:,} transcripts with {n_moves:,} moves replayed to byte-identical states"


def _check_same(case: Case, played: bytes, replayed: bytes, where: str) -> None:
    if played != replayed:
        raise Failure(
            f"the replayed game differs from the one that was played: {differing_fields(case.game.state, played, replayed)}",
            where=where,
            expected="that draws and actions decide everything, so that a transcript needs nothing else",
            remedy="draw with draw, draw_from and shuffle alone, and start from the state as it is given",
        )
