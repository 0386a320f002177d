"""Checks of hidden information: nobody sees what they must not, and `imagine` knows what they cannot.

What is hidden is what `imagine` varies. Replacing a state by one that `imagine` finds behind a player's view changes
hidden information only, so that player must see the same as before, byte for byte, and may do the same.
"""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from operator import attrgetter

import numpy as np

from facedown.check.case import BehindView, Case, InformationSet
from facedown.check.honest import differing_fields
from facedown.check.report import Failure, Skip
from facedown.check.statistics import FALSE_ALARM, misfit
from facedown.errors import RulesError
from facedown.native.outcomes import Outcomes, TooManyOutcomesError
from facedown.native.records import out_of_range
from facedown.trees.explore import Node

MAX_TAPES = 5_000
_MAX_SAMPLED_SETS = 12
SAMPLES_A_GAME = 10


def imagine(case: Case) -> str:
    """Imagined states look to the player as the real one does, keep their ranges and options, and can be played on."""
    every = case.behind_views
    for behind in every:
        for view in behind.views:
            if view != behind.view:
                raise Failure(
                    f"a state that 'imagine' found for player {behind.player} does not fit the view that it was found for: "
                    f"{differing_fields(case.game.view, behind.view, view)}",
                    where=case.sample.place(behind.spot),
                    expected="observe(imagine(view)) == view, byte for byte",
                    remedy="copy all that the view shows into the imagined state, and draw only what it does not show (if the "
                    "view shows too much, 'no peeking' fails as well)",
                )
        _check_content(case, behind)
        if behind.player == behind.mover:
            _check_playable(case, behind)
    if not every:
        raise Skip("nobody came to move")
    hidden = sum(len(set(behind.states)) > 1 for behind in every)
    drawn = f"hidden information differed behind {hidden:,} of them" if hidden else "nothing is hidden behind them"
    return f"imagined states fit all {len(every):,} views; {drawn}"


_REAL = "a state that the rules could have led to"


def _check_content(case: Case, behind: BehindView) -> None:
    """Imagined states keep to the declared ranges and to the options."""
    records = np.frombuffer(b"".join(behind.states), case.game.state)
    if problem := out_of_range(case.game.state, records):
        where, remedy = case.sample.place(behind.spot), "fill in every field of the state in 'imagine'"
        raise Failure(f"an imagined state: {problem}", where=where, expected=_REAL, remedy=remedy)
    for name, value in case.game.values.items():
        if (records[name] != value).any():
            found = f"'imagine' changed the option '{name}' from {value} to {records[name][records[name] != value][0]}"
            remedy = "the state comes with its options filled in: leave them as they are"
            raise Failure(found, where=case.sample.place(behind.spot), expected=_REAL, remedy=remedy)


def _check_playable(case: Case, behind: BehindView) -> None:
    """The player to move can play on from an imagined state, as search agents do."""
    state = behind.states[0]
    case.rules.sample(case.seed, behind.spot.number)
    try:
        if case.rules.turn(state) == behind.player:  # otherwise 'no peeking' has something to say
            for action in case.rules.legal(state):
                case.rules.step(state, action)
    except RulesError as problem:
        found, remedy = f"an imagined state cannot be played on: {problem}", "fill in every field that 'step' relies on"
        raise Failure(found, where=case.sample.place(behind.spot), expected=_REAL, remedy=remedy) from None


def no_peeking(case: Case) -> str:
    """One view, several hidden deals: the player sees the same and may do the same."""
    every = case.behind_views
    for behind in every:
        _check_view_is_blind(case, behind)
        if behind.player == behind.mover:
            _check_actions_are_blind(case, behind)
    n_sets = 0
    if case.tree_is_small:
        for information_set in case.tree.information_sets:
            n_sets += 1
            if information_set.other_legal is not None:
                raise _actions_leak(
                    f"{list(information_set.legal)} or {list(information_set.other_legal.legal)}",
                    information_set.player,
                    case.where(information_set.other_legal),
                )
    whole = f"; all {n_sets:,} information sets have one set of legal actions" if n_sets else ""
    return f"{len(every):,} views stayed the same when only hidden information changed{whole}"


def _check_view_is_blind(case: Case, behind: BehindView) -> None:
    """A field of the view that changes from one imagined deal to the next shows what is hidden."""
    kind = case.game.view
    seen = np.frombuffer(b"".join(behind.views), kind)
    for name in kind.names or ():
        distinct = {entry.tobytes() for entry in seen[name]}
        if len(distinct) > 1:
            one = behind.views[0]
            other = next(view for view in behind.views if np.frombuffer(view, kind)[name].tobytes() != seen[name][0].tobytes())
            raise Failure(
                f"the view of player {behind.player} shows what is hidden from them: when only hidden information changes, "
                f"{differing_fields(kind, one, other)}",
                where=case.sample.place(behind.spot),
                expected="a view that is the same for all states that 'imagine' finds behind it",
                remedy=f"take '{name}' out of the view, or make it depend on what player {behind.player} may know; if they "
                f"may know it, let 'imagine' keep it",
            )


def _check_actions_are_blind(case: Case, behind: BehindView) -> None:
    """Legal actions are shown to the player, so they must not tell what is hidden either."""
    real = case.rules.legal(behind.spot.state)
    for state, view in zip(behind.states, behind.views, strict=True):
        if view != behind.view:
            continue  # does not fit in the first place, and another check says so
        if (mover := case.rules.turn(state)) != behind.player:
            raise Failure(
                f"player {behind.player} is to move, but in a state that looks the same to them it is the turn of {mover}",
                where=case.sample.place(behind.spot),
                expected="that players know from their view when it is their turn",
                remedy="show in the view who is to move, and let 'imagine' keep it",
            )
        if (other := case.rules.legal(state)) != real:
            raise _actions_leak(f"{list(real)} or {list(other)}", behind.player, case.sample.place(behind.spot))


def _actions_leak(listed: str, player: int, where: str) -> Failure:
    return Failure(
        f"the legal actions of player {player} tell what is hidden: behind the same view they are {listed}",
        where=where,
        expected="the same legal actions in all states that look the same to the player to move",
        remedy="let 'legal' depend on what the view shows, or show what it depends on",
    )


def recall(case: Case) -> str:
    """Perfect recall: who is in an information set has seen and done the same before, whatever the history."""
    if not case.game.perfect_recall:
        raise Skip("the game declares that views forget (perfect_recall=False)")
    if not case.tree_is_small:
        return _recall_of_sample(case)
    sets = case.tree.information_sets
    for information_set in sets:
        if information_set.other_moves is not None:
            first, second = case.where(information_set.first), case.where(information_set.other_moves)
            raise _forgetful(information_set.player, f"{first}; and in {second}")
    return f"in all {len(sets):,} information sets, all histories agree on what the player saw and did before"


def _recall_of_sample(case: Case) -> str:
    """The same for a game that is too large to walk: views that came up in several sample games."""
    known: dict[tuple[int, bytes], int] = {}
    n_met_again = 0
    for played in case.sample.played:
        own = [0] * case.game.n_players
        for moment in played.moments:
            view = case.rules.view(moment.state, moment.player)
            n_met_again += (moment.player, view) in known
            if known.setdefault((moment.player, view), own[moment.player]) != own[moment.player]:
                raise _forgetful(moment.player, case.sample.place(moment))
            own[moment.player] = hash((own[moment.player], view, moment.action))
    return f"{len(known):,} different views in sample games, {n_met_again:,} times met again with the same past"


def _forgetful(player: int, where: str) -> Failure:
    return Failure(
        f"player {player} forgets: histories that look the same to them differ in what they saw or did before,",
        where=where,
        expected="views that keep what the player has seen and done (perfect recall, as declared)",
        remedy="keep it in the state and show it in the view, or declare perfect_recall=False",
    )


def posterior(case: Case) -> str:
    """`imagine` finds each state as often as it lies behind the view in uniform play, or by chance alone, exactly."""
    if not case.game.exact_imagine:
        raise Skip("the game declares that imagined states are only plausible (exact_imagine=False)")
    sets = case.tree.information_sets
    n_exact = 0
    for information_set in sets:
        try:
            outcomes = case.rules.imaginings(information_set.view, information_set.player, MAX_TAPES)
        except TooManyOutcomesError:
            continue
        n_exact += 1
        _check_exactly(case, information_set, outcomes)
    sampled = sets[:: max(-(-len(sets) // _MAX_SAMPLED_SETS), 1)]
    n_samples = SAMPLES_A_GAME * case.games
    for information_set in sampled:
        _check_sampled(case, information_set, n_samples, len(sampled))
    return (
        f"exact in {n_exact:,} of {len(sets):,} information sets; in {len(sampled)} of them {n_samples:,} samples agree "
        f"(chi-square; a false alarm has probability {FALSE_ALARM:g})"
    )


def _exact(case: Case, information_set: InformationSet) -> dict[bytes, Fraction]:
    """How likely each state is in uniform play, or by chance alone, for somebody who has this view."""
    reach = _by_chance if case.game.even_deals else attrgetter("probability")
    reached = {state: sum(map(reach, nodes), Fraction(0)) for state, nodes in information_set.states.items()}
    total = sum(reached.values(), Fraction(0))
    return {state: p / total for state, p in reached.items()}


def _by_chance(node: Node) -> Fraction:
    """How likely chance makes a history whose plays are given."""
    return math.prod((step.outcome.probability for step in node.path()), start=Fraction(1))


def _check_exactly(case: Case, information_set: InformationSet, outcomes: Outcomes) -> None:
    exact = _exact(case, information_set)
    found = {outcome.state: outcome.probability for outcome in outcomes.outcomes}
    for state in [*exact, *found]:
        p_exact, p_found = exact.get(state, Fraction(0)), found.get(state, Fraction(0))
        if p_exact == p_found:
            continue
        real = next(iter(exact))
        differs = differing_fields(case.game.state, real, state) if state != real else "it is the state of this history"
        raise _not_the_posterior(
            case, information_set, f"'imagine' finds a state with probability {p_found}, which has {p_exact} ({differs})"
        )


def _check_sampled(case: Case, information_set: InformationSet, n_samples: int, n_tests: int) -> None:
    case.rules.sample(case.seed, 1, record=False)
    counts = Counter(case.rules.imagine(information_set.view, information_set.player) for _ in range(n_samples))
    problem = misfit(counts, _exact(case, information_set), FALSE_ALARM / n_tests)
    if problem is not None:
        raise _not_the_posterior(case, information_set, f"in {n_samples:,} imagined states, {problem[0]}")


def _not_the_posterior(case: Case, information_set: InformationSet, found: str) -> Failure:
    return Failure(
        f"for player {information_set.player}, {found}",
        where=case.where(information_set.first),
        expected="each state as often as it lies behind this view "
        + ("by chance, whatever is played" if case.game.even_deals else "when everybody plays uniformly"),
        remedy="correct the draws of 'imagine' (or of the deal: an uneven shuffle shows here too), or declare "
        "exact_imagine=False",
    )
