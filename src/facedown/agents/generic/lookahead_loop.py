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
   `sureness` standard errors of the differences between games of the same round, which have the same world and luck.
4. Play the candidate with the best average, if it is better than the blueprint's move by more than the bias.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from facedown.agents.generic.mcts_tree import prepare, words
from facedown.agents.hearing import heard_by_both
from facedown.games.contract import UNNOTICED
from facedown.native.chance import CHANCE, draw, mix
from facedown.native.jit import native
from facedown.native.records import Record

MIN_ROUNDS = 35  # before anything is dropped: where most games are perfect, few rounds show no difference at all

# what `params` ends with, behind the parameters of the blueprint, what users set, and the bytes of a blank state that are not
# 0, in pairs with their places: the game, and where things are in the memory and in `params`
FACTS = words(
    "",
    "max_moves n_players n_actions state_bytes view_bytes n_public at_settings at_blanks n_blanks "
    "at_found at_chance at_states at_eye at_clone at_choices at_scores at_end",
)
N_FACTS = FACTS.itemsize // 8
ROLLOUTS, BIAS, SURENESS, N_SETTINGS = 0, 1, 2, 3
HEAD = words("", "prepared n_found n_rounds n_rollouts chosen")
# sums of scores, and of what they are above those of the blueprint's move
CANDIDATE = words("total squares gain gain_squares", "action n_rounds dropped")
HEAD_BYTES, CHANCE_BYTES, CANDIDATE_BYTES = HEAD.itemsize, CHANCE.itemsize, CANDIDATE.itemsize
_U = np.uint64

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
    state: Record, eye: Record, public: Any, first: int, n_most: int, choices: Any, scores: Any, facts: Record, params: Any,
    nothing: Any, chance: Record,
) -> int:  # fmt: skip
    """Play on by the blueprint, after a first move, or from the first one on if that is -1; which it was.

    Scores are filled in where the game comes to its end.
    """
    n_players, action, mover = facts.n_players, first, turn(state)
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
        score(state, scores)
    return first


# --- comparing ----------------------------------------------------------------------------------------------------------------


@native
def take_score(candidate: Record, score: float, blueprint: float) -> None:
    """A game more, beside the blueprint's game of the same round."""
    gain = score - blueprint
    candidate.n_rounds += 1
    candidate.total += score
    candidate.squares += score * score
    candidate.gain += gain
    candidate.gain_squares += gain * gain


@native
def stderr_of(total: float, squares: float, n: int) -> float:
    """The standard error of a mean."""
    mean = total / n
    return math.sqrt(max(squares / n - mean * mean, 0.0) / (n - 1)) if n > 1 else 0.0


@native
def begin_candidate(candidate: Record, action: int) -> None:
    candidate.action, candidate.n_rounds, candidate.dropped = action, 0, 0
    candidate.total, candidate.squares, candidate.gain, candidate.gain_squares = 0.0, 0.0, 0.0, 0.0


@native
def drop(found: Any, n: int, sureness: float, bias: float) -> int:
    """Drop candidates that are surely not the best; how many challengers of the blueprint's move, the first one, are left."""
    floor, n_left = bias, 0
    for at in range(1, n):
        here = found[at]
        if here.dropped == 0:
            error = stderr_of(here.gain, here.gain_squares, here.n_rounds)
            floor = max(floor, here.gain / here.n_rounds - sureness * error)
    for at in range(1, n):
        here = found[at]
        if here.dropped == 0:
            error = stderr_of(here.gain, here.gain_squares, here.n_rounds)
            here.dropped = 0 if here.gain / here.n_rounds + sureness * error >= floor else 1
            n_left += 1 - here.dropped
    return n_left


@native
def best_of(found: Any, n: int, bias: float) -> int:
    """The candidate with the best average; the blueprint's move unless one is better by more than the bias."""
    best, most = 0, bias
    for at in range(1, n):
        here = found[at]
        if here.dropped == 0 and here.n_rounds > 0 and here.gain / here.n_rounds > most:
            best, most = at, here.gain / here.n_rounds
    return best


@native
def seed_round(chance: Record, luck: Record) -> None:
    """A stream of its own for the chance of a round."""
    number = _U(draw(chance, 1 << 31)) << _U(32) | _U(draw(chance, 1 << 31))
    luck.s0, luck.s1 = mix(number), mix(~number)


def search(view: Record, actions: Any, n: int, params: Any, memory: Any, public: Any, chance: Record) -> int:
    """Compare the moves that keep to the convention, and play the best."""
    facts = params[len(params) - N_FACTS :].view(FACTS)[0]
    settings, nothing = params[facts.at_settings : facts.at_settings + N_SETTINGS], memory[:0]
    head = memory[:HEAD_BYTES].view(HEAD)[0]
    found = memory[facts.at_found : facts.at_found + facts.n_actions * CANDIDATE_BYTES].view(CANDIDATE)
    luck = memory[facts.at_chance : facts.at_chance + CHANCE_BYTES].view(CHANCE)[0]
    states = memory[facts.at_states : facts.at_states + 3 * facts.state_bytes].view(STATE)
    eye = memory[facts.at_eye : facts.at_eye + facts.view_bytes].view(VIEW)[0]
    clone = memory[facts.at_clone : facts.at_clone + facts.n_public]
    choices = memory[facts.at_choices : facts.at_scores].view(np.int64)
    scores = memory[facts.at_scores : facts.at_end].view(np.float64)
    if head.prepared == 0:
        blank = memory[facts.at_states : facts.at_states + facts.state_bytes]
        prepare(head, blank, params[facts.at_blanks : facts.at_blanks + 2 * facts.n_blanks])
    player, n_wanted, max_moves = np.int64(view.player), int(settings[ROLLOUTS]), facts.max_moves
    # the blueprint's move: from any world, since it only sees the view
    states[1] = states[0]
    clone[:] = public
    suppose(view, player, params, nothing, clone, chance, states[1])
    seed_round(chance, luck)
    first = roll_out(states[1], eye, clone, -1, 1, choices, scores, facts, params, nothing, luck)
    clone[:] = public
    n_found, n_rounds, n_rollouts = 1, 0, 0
    begin_candidate(found[0], first)
    for choice in range(n):
        action = int(actions[choice])
        if action != first and n_wanted > 0 and keeps(view, action, params, nothing, clone) != 0:
            begin_candidate(found[n_found], action)
            n_found += 1
    n_left = n_found - 1
    while n_rounds < n_wanted and n_left > 0:
        states[1] = states[0]
        suppose(view, player, params, nothing, clone, chance, states[1])
        seed_round(chance, luck)
        s0, s1, blueprint = luck.s0, luck.s1, 0.0
        for at in range(n_found):
            if found[at].dropped == 0:
                states[2] = states[1]
                luck.s0, luck.s1 = s0, s1
                roll_out(states[2], eye, clone, found[at].action, max_moves, choices, scores, facts, params, nothing, luck)
                clone[:] = public
                blueprint = scores[player] if at == 0 else blueprint
                take_score(found[at], scores[player], blueprint)
                n_rollouts += 1
        n_rounds += 1
        if n_rounds >= MIN_ROUNDS:
            n_left = drop(found, n_found, settings[SURENESS], settings[BIAS])
    chosen = best_of(found, n_found, settings[BIAS])
    head.n_found, head.n_rounds, head.n_rollouts, head.chosen = n_found, n_rounds, head.n_rollouts + n_rollouts, chosen
    return int(found[chosen].action)


def act_alone(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    """Search for a blueprint without a public record."""
    return compare(view, actions, n, params, memory, memory[:0], chance)  # type: ignore[no-any-return]
