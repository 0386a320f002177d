"""Checks of moves: nobody hears of a move what their own views do not tell, and words about moves tell no more than that.

All that may reach a player is its view and what follows from its views. So in all worlds that look the same to a player
before a move and after it, the player must hear the same of that move, and read the same about it. The worlds are the real
position and those that `imagine` finds behind the player's view, each with every move that can be made there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from facedown.check.case import BehindView, Case
from facedown.check.honest import check_held
from facedown.check.report import Failure, Skip
from facedown.check.sample import Moment
from facedown.games.contract import HIDDEN, UNNOTICED
from facedown.games.narration import narration
from facedown.native.outcomes import TooManyOutcomesError

MAX_SPOTS = 80
_MAX_ACTIONS = 8
_MAX_OUTCOMES = 64
_SAMPLED_OUTCOMES = 3


@dataclass(frozen=True)
class Event:
    """A move in a world, as a player who looks on learns of it."""

    world: bytes
    mover: int
    action: int
    outcome: bytes
    """The state after the move."""
    after: bytes
    """What the player sees then."""
    heard: int

    @property
    def told(self) -> tuple[int, int] | None:
        """All that reaches an agent besides its view: who moved, and what; None if it is not told of the move."""
        return None if self.heard == UNNOTICED else (self.mover, self.heard)


def _watched(case: Case) -> list[BehindView]:
    """Positions of sample games, each as seen by a player who is not to move."""
    every = [behind for behind in case.behind_views if behind.player != behind.mover]
    return every[:: max(-(-len(every) // min(MAX_SPOTS, case.games)), 1)]


def _events(case: Case, behind: BehindView) -> Iterator[Event]:
    """All that can happen next, in all worlds that look the same to the player."""
    rules, player = case.rules, behind.player
    imagined = [state for state, view in zip(behind.states, behind.views, strict=True) if view == behind.view]
    for world in dict.fromkeys([behind.spot.state, *imagined]):
        mover = rules.turn(world)
        if mover in {player, -1}:
            continue
        legal = rules.legal(world)
        for action in legal[:: max(-(-len(legal) // _MAX_ACTIONS), 1)]:
            for outcome in _outcomes(case, world, action):
                heard = rules.heard(outcome, player, mover, action)
                check_held(case, behind.spot, "hears", outcome)
                yield Event(world, mover, action, outcome, rules.view(outcome, player), heard)


def _outcomes(case: Case, world: bytes, action: int) -> list[bytes]:
    try:
        return [outcome.state for outcome in case.rules.steps(world, action, _MAX_OUTCOMES).outcomes]
    except TooManyOutcomesError:
        case.rules.sample(case.seed, 0)  # the same luck for every action
        return [case.rules.step(world, action) for _ in range(_SAMPLED_OUTCOMES)]


def hearing(case: Case) -> str:
    """What a player hears of a move follows from its own views; the mover hears what it played."""
    n_events = n_unheard = 0
    for moment in case.sample.some(min(MAX_SPOTS, case.games)):
        _check_own_move(case, moment)
    for behind in _watched(case):
        known: dict[bytes, Event] = {}
        for event in _events(case, behind):
            n_events += 1
            n_unheard += event.heard < 0
            if not UNNOTICED <= event.heard < case.game.n_actions:
                raise Failure(
                    f"'hears' answered {event.heard} for player {behind.player}",
                    where=case.sample.place(behind.spot),
                    expected=f"an action, {HIDDEN} (HIDDEN) or {UNNOTICED} (UNNOTICED)",
                    remedy="return one of these from 'hears'",
                )
            before = known.setdefault(event.after, event)
            if before.told != event.told:
                raise _leak(case, behind, before, event)
    if case.game.n_players == 1:
        raise Skip("there is nobody who could listen")
    unheard = f", {n_unheard:,} of them hidden" if n_unheard else ""
    return f"{n_events:,} moves of others{unheard}: what was heard of them followed from the listener's views"


def _check_own_move(case: Case, moment: Moment) -> None:
    heard = case.rules.heard(moment.after, moment.player, moment.player, moment.action)
    if heard != moment.action:
        raise Failure(
            f"the player who played {moment.action} hears {heard} of its own move",
            where=case.sample.place(moment),
            expected="that players know what they play themselves",
            remedy="return the action from 'hears' where player == mover",
        )


def _words(event: Event) -> str:
    if event.told is None:
        return "nothing"
    return f"that player {event.mover} moved" if event.heard == HIDDEN else f"action {event.heard} of player {event.mover}"


def _leak(case: Case, behind: BehindView, one: Event, other: Event) -> Failure:
    return Failure(
        f"player {behind.player} hears what it cannot see: {_words(one)}, or {_words(other)}, with the same view before the "
        f"move and the same view after it",
        where=case.sample.place(behind.spot),
        expected="that what a player hears of a move follows from its own views",
        remedy="declare 'hears' and return HIDDEN or UNNOTICED for this player, or show in the view what it may know",
    )


def narrated(case: Case) -> str:
    """What is told of a move depends on the listener's own views alone, whatever others were told before."""
    n_texts = 0
    for behind in _watched(case):
        known: dict[tuple[bytes, int, int], str] = {}
        for event in _events(case, behind):
            # if words about others' views were kept anywhere, this is when
            _tell(case, behind, event, event.mover, event.action)
            text = _tell(case, behind, event, behind.player, event.heard)
            n_texts += 1
            said = known.setdefault((event.after, event.mover, event.heard), text)
            if said != text:
                raise Failure(
                    f"player {behind.player} is told '{said}' or '{text}', with the same view before the move and the same "
                    f"view after it",
                    where=case.sample.place(behind.spot),
                    expected="words that depend on the two views and nothing else",
                    remedy="keep nothing between two calls of 'narrate', 'describe' and 'action_name'",
                )
    if not n_texts:
        raise Skip("there is nobody who could listen")
    return f"{n_texts:,} moves told to others, in the same words wherever their views were the same"


def _tell(case: Case, behind: BehindView, event: Event, player: int, heard: int) -> str:
    """What a player is told of an event, checked to be words."""
    views = [case.rules.view(state, player) for state in (event.world, event.outcome)]
    before, after = map(case.rules.view_record, views)
    function = "narrate(before, after)" if case.game.narrate is not None else f"action_name(view of player {player}, {heard})"
    try:
        text = narration(case.game, before, after, player, event.mover, heard)
    except Exception as problem:
        found = f"{function} failed: {type(problem).__name__}: {problem}"
    else:
        if [before.tobytes(), after.tobytes()] != views:
            found = f"{function} changes a view"
        elif type(text) is str:  # a game's own function may return anything
            return text
        else:
            found = f"{function} gave {text!r}"
    raise Failure(
        found,
        where=case.sample.place(behind.spot),
        expected="words for every move, from the views of everybody who notices it",
        remedy="let it cover the views of players who are not to move, and leave the views as they are",
    )
