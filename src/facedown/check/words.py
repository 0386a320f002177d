"""The check of words: positions and actions can be described to a person, and actions can be told apart."""

from __future__ import annotations

import contextlib
from typing import Any

from facedown.check.case import Case
from facedown.check.report import Failure
from facedown.check.sample import Moment, Spot
from facedown.games.text import read_action

MAX_SPOTS = 400


def words(case: Case) -> str:
    """`describe` and `action_name` have something to say everywhere; legal actions have different names, the same for all."""
    spots = case.sample.spots(MAX_SPOTS)
    names: set[str] = set()
    for spot in spots:
        for player in range(case.game.n_players):
            _check_text(case, spot, "describe", case.rules.view(spot.state, player))
        if not spot.over:
            names |= _check_actions(case, spot)
    for moment in case.sample.some(MAX_SPOTS):
        _check_named_alike(case, moment)
    return f"{len(spots):,} positions described for every player; {len(names):,} different names of actions"


def _check_actions(case: Case, spot: Spot) -> set[str]:
    legal = case.rules.legal(spot.state)
    view = case.rules.view(spot.state, case.rules.turn(spot.state))
    names: dict[str, int] = {}
    for action in legal:
        name = _check_text(case, spot, "action_name", view, action)
        if name.strip().casefold() in names:
            raise Failure(
                f"actions {names[name.strip().casefold()]} and {action} are both called '{name}'",
                where=case.sample.place(spot),
                expected="different names for the legal actions of a position, also without regard to capitals and spaces",
                remedy="say in 'action_name' what sets them apart",
            )
        names[name.strip().casefold()] = action
    for name, action in names.items():
        _check_read(case, spot, view, legal, name, action)
    return set(names)


def _check_named_alike(case: Case, moment: Moment) -> None:
    """Whoever hears of an action calls it what the mover calls it."""
    names = dict[int, str]()
    for player in range(case.game.n_players):
        if case.rules.heard(moment.after, player, moment.player, moment.action) == moment.action:
            with contextlib.suppress(Exception):  # where there must be words, "narration" finds out
                names[player] = case.game.action_name(case.look(moment.state, player), moment.action)
    own = names.get(moment.player)
    other = next((player for player, name in names.items() if own is not None and name != own), None)
    if other is not None:
        raise Failure(
            f"action {moment.action} of player {moment.player} is called '{own}' there, and '{names[other]}' in the view of "
            f"player {other}, who hears of it",
            where=case.sample.place(moment),
            expected="one name of an action for all who hear of it",
            remedy="let 'action_name' say nothing that depends on who looks, or hide the action with 'hears'",
        )


def _check_text(case: Case, spot: Spot, function: str, view: bytes, *arguments: Any) -> str:
    called = f"{function}(view{''.join(f', {argument}' for argument in arguments)})"
    try:
        text = getattr(case.game, function)(case.rules.view_record(view), *arguments)
    except Exception as problem:
        found = f"{called} failed: {type(problem).__name__}: {problem}"
    else:
        if isinstance(text, str) and text.strip() and (function == "describe" or "\n" not in text):
            return text
        found = f"{called} gave {text!r}"
    raise Failure(
        found,
        where=case.sample.place(spot),
        expected="words for every position that can come up, at the end too, and one line for an action",
        remedy=f"let '{function}' cover this position",
    )


def _check_read(case: Case, spot: Spot, view: bytes, legal: tuple[int, ...], name: str, action: int) -> None:
    """What the game calls an action is understood as that action when a person types it."""
    try:
        read = read_action(case.game, case.rules.view_record(view), legal, name)
        found = f"'{name}', which is action {action}, is read as action {read}"
    except Exception as problem:
        read, found = -1, f"'{name}', which is action {action}, cannot be read: {type(problem).__name__}: {problem}"
    if read != action:
        raise Failure(
            found,
            where=case.sample.place(spot),
            expected="that every name is read as the action that it stands for",
            remedy="give actions names in single spaces that are not numbers of other actions, and let 'parse_action', where "
            "there is one, understand them",
        )
