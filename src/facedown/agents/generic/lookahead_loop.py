"""The native part of `lookahead`: moves compared by playing on from worlds that fit, everybody by a blueprint.

After A. Lerer, H. Hu, J. Foerster and N. Brown, Improving policies via search in cooperative partially observable games (AAAI
2020), with two changes: all seats search, with moves that keep to the convention of the blueprint, and moves are compared by
paired differences. At every decision:

1. Candidates: the blueprint's own move, and all others that keep to its convention. So what everybody concludes from a move
   stays true, whoever chose it, and one public record goes on to serve all.
2. A round: draw a world from what the blueprint believes, and a seed for all chance to come. For each candidate that is still
   in the race copy the world and the public record, make the move, and play on to the end of the game; each player moves as
   the blueprint would in that world, from what that player sees there.
3. After some rounds drop the candidates that are not better than the blueprint's move, or not as good as the best: by
   `sureness` standard errors of the differences between games of the same round, which have the same world and luck. Those
   that may be better, but by no more than `indifference`, are dropped too: most moves are nearly as good as the best, and
   telling them apart would take most of the games.
4. Play the candidate that is better than the blueprint's move by most, less `margin` standard errors: the best of many looks
   better than it is. If that is not more than the bias, play the blueprint's move.

Where all worlds that fit and all that chance may do with them are few, they are not drawn but enumerated, each with its
probability. Then there is no error, and the candidate with the best average is played.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from facedown.agents.generic.mcts_tree import prepare, words
from facedown.agents.hearing import heard_by_both
from facedown.games.contract import UNNOTICED
from facedown.native.chance import CHANCE, EXPLORE, NO_FAULT, SAMPLE, TAPE_FULL, draw, mix
from facedown.native.jit import native
from facedown.native.outcomes import probability_of, raise_last
from facedown.native.records import Record

MIN_ROUNDS = 24  # before anything is dropped
# of the sum of squared differences, before there are any: where most games are perfect, few rounds show no difference at all
UNSEEN = 1.0
TINY = 1e-9
# worlds are counted if they could be few: unless the first one is this many times less likely than the limit
MUCH = 100.0

# what `params` ends with, behind the parameters of the blueprint, what users set, and the bytes of a blank state that are not
# 0, in pairs with their places: the game, and where things are in the memory and in `params`
FACTS = words(
    "",
    "max_moves n_players n_actions state_bytes view_bytes n_public at_settings at_blanks n_blanks "
    "at_found at_luck at_worlds at_states at_eye at_clone at_choices at_scores at_end",
)
N_FACTS = FACTS.itemsize // 8
ROLLOUTS, BIAS, SURENESS, MARGIN, EXACT, INDIFFERENCE, N_SETTINGS = 0, 1, 2, 3, 4, 5, 6
HEAD = words("", "prepared n_found n_rounds n_rollouts chosen exact")
N_STATES = 3  # a blank one, the world, and the game that is played on from it
# sums of scores, and of what they are above those of the blueprint's move; and of the weights of the rounds, 1 if drawn
CANDIDATE = words("total squares gain gain_squares weight", "action n_rounds dropped")
HEAD_BYTES, CHANCE_BYTES, CANDIDATE_BYTES = HEAD.itemsize, CHANCE.itemsize, CANDIDATE.itemsize
_U = np.uint64


class Room(NamedTuple):
    """The parts of the memory of a search, as views of its bytes; single records too are arrays."""

    head: Any
    found: Any
    luck: Any
    worlds: Any
    states: Any
    eye: Any
    clone: Any
    choices: Any
    scores: Any


# bound to the rules of a game and to the functions of a blueprint
turn: Any = None
legal: Any = None
step: Any = None
score: Any = None
observe: Any = None
hears: Any = None
imagine: Any = None
play: Any = None
listen: Any = None
believe: Any = None
keep: Any = None
decide: Any = None
tell: Any = None
suppose: Any = None
keeps: Any = None
roll_out: Any = None
count: Any = None
find_room: Any = None
compare_in: Any = None
compare: Any = None
STATE: Any = None
VIEW: Any = None


# --- a blueprint with a public record, or without ---------------------------------------------------------------------------


def decide_in_public(eye: Record, choices: Any, n: int, params: Any, nothing: Any, public: Any, chance: Record) -> int:
    return 0 | play(eye, choices[:n], n, params, nothing, public, chance)  # type: ignore[no-any-return]


def decide_alone(eye: Record, choices: Any, n: int, params: Any, nothing: Any, public: Any, chance: Record) -> int:
    return 0 | play(eye, choices[:n], n, params, nothing, chance)  # type: ignore[no-any-return]


def tell_public(state: Record, eye: Record, n_players: int, mover: int, action: int, params: Any, public: Any) -> None:
    """Keep up the public record, as the loop does where one agent has all seats."""
    heard: Any = np.int64(hears(state, 0, mover, action))
    for player in range(1, n_players):
        heard = heard_by_both(heard, np.int64(hears(state, player, mover, action)))
    if heard != UNNOTICED:
        observe(state, mover, eye)
        listen(eye, mover, heard, params, public)


@native
def tell_nobody(state: Record, eye: Record, n_players: int, mover: int, action: int, params: Any, public: Any) -> None:
    """The blueprint does not listen."""


def suppose_in_public(view: Record, player: int, params: Any, nothing: Any, public: Any, chance: Record, state: Record) -> None:
    believe(view, params, nothing, public, chance, state)


def suppose_alone(view: Record, player: int, params: Any, nothing: Any, public: Any, chance: Record, state: Record) -> None:
    believe(view, params, nothing, chance, state)


def suppose_by_rules(view: Record, player: int, params: Any, nothing: Any, public: Any, chance: Record, state: Record) -> None:
    imagine(view, player, chance, state)


def keeps_in_public(view: Record, action: int, params: Any, nothing: Any, public: Any) -> int:
    return 0 | keep(view, action, params, nothing, public)  # type: ignore[no-any-return]


@native
def keeps_anything(view: Record, action: int, params: Any, nothing: Any, public: Any) -> int:
    """There is no convention."""
    return 1


# --- rolling out --------------------------------------------------------------------------------------------------------------


def play_on(
    state: Record, first: int, n_most: int, room: Room, facts: Record, params: Any, nothing: Any, chance: Record
) -> int:
    """Play on by the blueprint, after a first move, or from the first one on if that is -1; which it was.

    Scores are filled in where the game comes to its end.
    """
    n_players, action, mover = facts.n_players, first, turn(state)
    eye, public, choices = room.eye[0], room.clone, room.choices
    for move in range(n_most):
        if mover < 0:
            break
        if action < 0:
            n = legal(state, choices)
            action = int(choices[0])
            if n > 1:
                observe(state, mover, eye)
                wanted = decide(eye, choices, n, params, nothing, public, chance)
                for choice in range(n):
                    action = int(choices[choice]) if choices[choice] == wanted else action
        first = action if move == 0 else first
        step(state, action, chance)
        following = turn(state)
        if following >= 0:
            tell(state, eye, n_players, mover, action, params, public)
        mover, action = following, -1
    if mover < 0:
        score(state, room.scores)
    return first


# --- comparing ----------------------------------------------------------------------------------------------------------------


@native
def take_score(candidate: Record, score: float, blueprint: float, weight: float) -> None:
    """A round more, beside the blueprint's game of the same round."""
    gain = score - blueprint
    candidate.n_rounds += 1
    candidate.weight += weight
    candidate.total += weight * score
    candidate.squares += weight * score * score
    candidate.gain += weight * gain
    candidate.gain_squares += weight * gain * gain


@native
def stderr_of(total: float, squares: float, n: int) -> float:
    """The standard error of a mean."""
    mean = total / n
    return math.sqrt(max(squares / n - mean * mean, 0.0) / (n - 1)) if n > 1 else 0.0


@native
def gain_of(candidate: Record) -> Any:
    """By how much a candidate is better than the blueprint's move; and the error of that, never quite 0."""
    n = candidate.n_rounds
    return candidate.gain / n, stderr_of(candidate.gain, candidate.gain_squares + UNSEEN, n)


@native
def begin_candidate(candidate: Record, action: int) -> None:
    candidate.action, candidate.n_rounds, candidate.dropped, candidate.weight = action, 0, 0, 0.0
    candidate.total, candidate.squares, candidate.gain, candidate.gain_squares = 0.0, 0.0, 0.0, 0.0


@native
def drop(found: Any, n: int, sureness: float, bias: float, indifference: float) -> int:
    """Drop candidates that are surely not the best by more than the indifference; how many are left whose place is not certain.

    The blueprint's move is the first. Differences to it are compared as if they were independent. They are not, since games
    after the blueprint's move are in both, so the error is less than that.
    """
    lead, most, lead_error = 0, bias, 0.0
    for at in range(1, n):
        if found[at].dropped == 0:
            gain, error = gain_of(found[at])
            if gain > most:
                lead, most, lead_error = at, gain, error
    n_left = 0
    for at in range(1, n):
        if found[at].dropped == 0:
            gain, error = gain_of(found[at])
            if at == lead:
                n_left += 0 if gain - sureness * error > bias else 1
                continue
            found[at].dropped = 1 if gain + sureness * math.hypot(error, lead_error) < most + indifference else 0
            n_left += 1 - found[at].dropped
    return n_left


@native
def best_of(found: Any, n: int, bias: float, margin: float) -> int:
    """The candidate that is better than the blueprint's move by most, less a margin of its errors; if by more than the bias."""
    best, most = 0, bias
    for at in range(1, n):
        if found[at].dropped == 0 and found[at].n_rounds > 0:
            gain, error = gain_of(found[at])
            if gain - margin * error > most:
                best, most = at, gain - margin * error
    return best


@native
def best_exactly(found: Any, n: int) -> int:
    """The candidate with the best average, where there is no error; of equal ones the first."""
    best = 0
    for at in range(1, n):
        if found[at].gain > found[best].gain + TINY:
            best = at
    return best


@native
def seed_round(chance: Record, luck: Record) -> None:
    """A stream of its own for the chance of a round."""
    number = _U(draw(chance, 1 << 31)) << _U(32) | _U(draw(chance, 1 << 31))
    luck.s0, luck.s1 = mix(number), mix(~number)


# --- worlds -------------------------------------------------------------------------------------------------------------------


def count_worlds(view: Record, player: int, room: Room, n_most: int, params: Any, nothing: Any, public: Any) -> int:
    """How many worlds fit what is believed; more than `n_most` if there are too many to look at, or they cannot be told."""
    n_worlds, n_given, worlds = 0, 0, room.worlds[0]
    worlds.mode, worlds.fault = EXPLORE, NO_FAULT
    while n_given >= 0:
        room.states[1] = room.states[0]
        worlds.n_draws, worlds.n_taped = 0, n_given
        suppose(view, player, params, nothing, public, worlds, room.states[1])
        n_worlds += 1
        is_hopeless = n_worlds == 1 and probability_of(worlds, worlds.n_draws) * MUCH * n_most < 1.0
        if is_hopeless or n_worlds > n_most or worlds.fault != NO_FAULT:
            return n_most + 1
        n_given = raise_last(worlds, worlds.n_draws)
    return n_worlds


# --- searching ----------------------------------------------------------------------------------------------------------------


def try_worlds(
    view: Record, player: int, room: Room, facts: Record, n_exact: int, params: Any, nothing: Any, public: Any, chance: Record
) -> None:
    """Try candidates in worlds that are drawn, until it is clear which is the best; or in all, with all luck, if `n_exact`.

    Then the luck has a fault if a candidate takes more than `n_exact` games in a world.
    """
    head, found, luck, states, settings = room.head[0], room.found, room.luck[0], room.states, facts.at_settings
    source = room.worlds[0] if n_exact > 0 else chance
    luck.mode, luck.fault = EXPLORE if n_exact > 0 else SAMPLE, NO_FAULT
    n_left, n_world, weight = head.n_found - 1, 0, 1.0
    while n_left > 0 and luck.fault == NO_FAULT:
        states[1] = states[0]
        room.clone[:] = public
        if n_exact > 0:
            source.n_draws, source.n_taped = 0, n_world
        suppose(view, player, params, nothing, room.clone, source, states[1])
        if n_exact > 0:
            weight, n_world = probability_of(source, source.n_draws), raise_last(source, source.n_draws)
        else:
            seed_round(chance, luck)
        s0, s1, blueprint = luck.s0, luck.s1, 0.0
        for at in range(head.n_found):
            if found[at].dropped != 0:
                continue
            luck.s0, luck.s1 = s0, s1
            score, n_given, n_games = 0.0, 0, 0
            while n_given >= 0:  # once if luck is drawn: then nothing is on the tape
                states[2] = states[1]
                room.clone[:] = public
                luck.n_draws, luck.n_taped = 0, n_given
                roll_out(states[2], found[at].action, facts.max_moves, room, facts, params, nothing, luck)
                score += probability_of(luck, luck.n_draws) * room.scores[player]
                n_given = raise_last(luck, luck.n_draws)
                n_games += 1
                if n_games >= n_exact and n_given >= 0:
                    luck.fault, n_given = TAPE_FULL, -1
            head.n_rollouts += n_games
            blueprint = score if at == 0 else blueprint
            take_score(found[at], score, blueprint, weight)
        head.n_rounds += 1
        if n_exact > 0:
            n_left = 0 if n_world < 0 else n_left
        elif head.n_rounds >= params[settings + ROLLOUTS]:
            n_left = 0
        elif head.n_rounds >= MIN_ROUNDS:
            sureness, bias, indifference = params[settings + SURENESS], params[settings + BIAS], params[settings + INDIFFERENCE]
            n_left = drop(found, head.n_found, sureness, bias, indifference)
    luck.mode = SAMPLE


def room_in(memory: Any, facts: Record) -> Room:
    """The parts of the memory of a search."""
    return Room(
        memory[:HEAD_BYTES].view(HEAD),
        memory[facts.at_found : facts.at_found + facts.n_actions * CANDIDATE_BYTES].view(CANDIDATE),
        memory[facts.at_luck : facts.at_luck + CHANCE_BYTES].view(CHANCE),
        memory[facts.at_worlds : facts.at_worlds + CHANCE_BYTES].view(CHANCE),
        memory[facts.at_states : facts.at_states + N_STATES * facts.state_bytes].view(STATE),
        memory[facts.at_eye : facts.at_eye + facts.view_bytes].view(VIEW),
        memory[facts.at_clone : facts.at_clone + facts.n_public],
        memory[facts.at_choices : facts.at_scores].view(np.int64),
        memory[facts.at_scores : facts.at_end].view(np.float64),
    )


def search(view: Record, actions: Any, n: int, params: Any, memory: Any, public: Any, chance: Record) -> int:
    """Compare the moves that keep to the convention, and play the best."""
    facts = params[len(params) - N_FACTS :].view(FACTS)[0]
    room, nothing, player, settings = find_room(memory, facts), memory[:0], np.int64(view.player), facts.at_settings
    head, found = room.head[0], room.found
    if head.prepared == 0:
        blank = memory[facts.at_states : facts.at_states + facts.state_bytes]
        prepare(head, blank, params[facts.at_blanks : facts.at_blanks + 2 * facts.n_blanks])
    # the blueprint's move: from any world, since it only sees the view
    room.luck[0].mode = SAMPLE
    room.states[1] = room.states[0]
    room.clone[:] = public
    suppose(view, player, params, nothing, room.clone, chance, room.states[1])
    seed_round(chance, room.luck[0])
    first = roll_out(room.states[1], -1, 1, room, facts, params, nothing, room.luck[0])
    room.clone[:] = public
    begin_candidate(found[0], first)
    head.n_found, head.n_rounds, head.chosen, head.exact = 1, 0, 0, 0
    for choice in range(n):
        action = int(actions[choice])
        if action != first and params[settings + ROLLOUTS] > 0 and keeps(view, action, params, nothing, room.clone) != 0:
            begin_candidate(found[head.n_found], action)
            head.n_found += 1
    n_most, n_exact = int(params[settings + EXACT]), 0
    if head.n_found > 1 and n_most > 0:
        n_exact = n_most // count(view, player, room, n_most, params, nothing, room.clone)
    if n_exact > 0:
        compare_in(view, player, room, facts, n_exact, params, nothing, public, chance)
        if room.luck[0].fault == NO_FAULT:
            head.exact, head.chosen = 1, best_exactly(found, head.n_found)
            return int(found[head.chosen].action)
        for at in range(head.n_found):
            begin_candidate(found[at], found[at].action)
        head.n_rounds = 0
    compare_in(view, player, room, facts, 0, params, nothing, public, chance)
    head.chosen = best_of(found, head.n_found, params[settings + BIAS], params[settings + MARGIN])
    return int(found[head.chosen].action)


def act_alone(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    """Search for a blueprint without a public record."""
    return compare(view, actions, n, params, memory, memory[:0], chance)  # type: ignore[no-any-return]
