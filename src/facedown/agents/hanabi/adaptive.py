"""Adaptive: finds out by their moves which convention its partners follow, and plays the best known reply to it.

The source names such a partner as open work (Jarząbek & Leja, Wrocław 2020, chapter 7). How it goes:

1. It listens in every language: promises, situations and public tables are kept up all along (`rooms`), so that it can change
   over to any of its agents in the middle of a game, as if that had sat there from the start.
2. After a move of a partner it imagines own hands that fit the view before the move, and asks in each of these worlds what
   each known agent would have done there (`conventions.py`). Bayes' rule turns the share of worlds in which a convention makes
   the move into how likely the partner follows it. Nobody is quite sure of a model: a small share of any move is chance.
3. At its own turn it takes the agent that scores most on average beside such partners, by `SCORES`, and moves as that does.

With more than two players the beliefs of all partners are added up, and the scores are those of games of two.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from facedown.agents.contract import Agent, Parameter
from facedown.agents.hanabi import distrustful, machines, reinforced, trustful
from facedown.agents.hanabi.conventions import (
    BEGINS,
    CONVENTIONS,
    DISTRUSTFUL,
    INFORMATION,
    KINDS,
    N_CONVENTIONS,
    N_FACTS,
    N_ROOMS,
    PARAMS,
    REINFORCED_FOR_TWO,
    ROOM_OF,
    SIZES,
    TRUSTFUL,
    ask_model,
    begin_models,
    likelihood,
    models_for,
    tell_models,
)
from facedown.agents.hanabi.vocabulary import telling
from facedown.agents.reasons import Reason
from facedown.games.contract import Game
from facedown.games.hanabi.beliefs import imagine, observe
from facedown.games.hanabi.cards import AIM_OF, HINT, MAX_ACTIONS, MAX_HAND, MAX_PLAYERS, N_FEATURES, STATE, VIEW
from facedown.games.hanabi.rules import legal
from facedown.native import field, native, record
from facedown.native.records import Record, copy_shared

# Mean scores of games of two with official rules, by reply and by the partner's convention in the order of `CONVENTIONS`:
#     facedown match 'hanabi(players=2)' REPLY PARTNER --games 3000 --seed 101
# An error is about .06; these games are none of those that the agent is judged by.
FIRST_REPLY = DISTRUSTFUL
SCORES = np.array(
    [
        [5.12, 14.96, 5.04, 10.95, 14.56, 17.46, 13.42, 14.18, 13.41, 15.51, 14.79, 9.27],  # distrustful
        [9.18, 15.82, 2.56, 7.51, 10.39, 13.42, 18.10, 18.21, 18.09, 12.80, 13.97, 7.66],  # trustful
        [11.05, 15.73, 3.14, 8.15, 10.67, 14.18, 18.21, 18.86, 18.23, 13.23, 14.43, 7.45],  # bayesian_trustful2
        [8.76, 15.73, 2.71, 7.55, 10.29, 13.41, 18.09, 18.23, 18.04, 12.83, 13.99, 7.51],  # bayesian_trustful4
        [14.70, 18.37, 4.10, 9.86, 14.98, 15.51, 12.80, 13.23, 12.83, 20.31, 18.61, 5.64],  # reinforced2
        [14.57, 18.50, 3.78, 8.82, 13.15, 14.79, 13.97, 14.43, 13.99, 18.61, 17.73, 5.08],  # reinforced4
        [15.26, 14.22, 2.35, 6.70, 7.62, 9.27, 7.66, 7.45, 7.51, 5.64, 5.08, 22.69],  # information
    ]
)
N_REPLIES = len(SCORES)
UNLIKELY = 1e-6
"""A convention that is less likely than this is not followed any further."""

_MIND = (
    field("reply", np.int64, 0, N_CONVENTIONS - 1, "the agent that made the last move, by its convention"),
    field("action", np.int64, -1, MAX_ACTIONS - 1, "the last move; -1 none yet"),
    field("beliefs", np.float64, 0, 1, "how likely each player follows each convention", (MAX_PLAYERS, N_CONVENTIONS)),
    field("expected", np.float64, 0, 25, "what each reply scored beside such partners", N_REPLIES),
)
_SIZE = record(*_MIND).itemsize
N_VIEW = VIEW.itemsize
BEFORE, ROOMS = _SIZE, _SIZE + (N_VIEW + 7) // 8 * 8
MEMORY = record(
    *_MIND,
    field("before", np.uint8, 0, 255, "bytes of the view before the last move", ROOMS - BEFORE),
    field("rooms", np.uint8, 0, 255, "bytes of what each agent remembers", N_ROOMS),
)
N_SAMPLES, DOUBT, MODELS = 0, 1, 2  # parameters; the models come behind


@native
def begin(view: Record, params: Any, memory: Any, chance: Record) -> None:
    """Nothing is known of anybody, and everybody's records begin."""
    mind = memory.view(MEMORY)[0]
    mind.action = -1
    for player in range(int(view.players)):
        for convention in range(N_CONVENTIONS):
            mind.beliefs[player, convention] = 1.0 / N_CONVENTIONS if player != view.player else 0.0
    begin_models(view, params[MODELS:], memory[ROOMS : ROOMS + N_ROOMS])
    keep_view(view, memory)


@native
def keep_view(view: Record, memory: Any) -> None:
    """The view as it is now, for judging the next move."""
    copy_shared(view, memory[BEFORE : BEFORE + N_VIEW].view(VIEW)[0])


@native
def watch(view: Record, mover: int, action: int, params: Any, memory: Any, chance: Record) -> None:
    """Judge a partner's move, and keep up all records."""
    rooms = memory[ROOMS : ROOMS + N_ROOMS]
    if mover != view.player:
        before = memory[BEFORE : BEFORE + N_VIEW].view(VIEW)[0]
        judge(view, before, mover, action, params, memory.view(MEMORY)[0].beliefs[mover], rooms, chance)
    tell_models(view, mover, action, params[MODELS:], rooms)
    keep_view(view, memory)


@native
def judge(view: Record, before: Record, mover: int, action: int, params: Any, beliefs: Any, rooms: Any, chance: Record) -> None:
    """Bayes' rule: what a move says about who makes it."""
    own, n_samples = int(view.player), int(params[N_SAMPLES])
    if action >= HINT and (mover + int(AIM_OF[action])) % int(view.players) == own:
        for slot in range(MAX_HAND):  # the own cards that were pointed out are those that the hint was about
            before.open[own, slot] = view.open[own, slot]
    states, views, scratch = np.zeros(1, STATE), np.zeros(1, VIEW), rooms.copy()  # what is remembered must not change by asking
    actions, likely = np.zeros(MAX_ACTIONS + N_FEATURES, np.int64), np.zeros(N_CONVENTIONS)
    n_legal = 1
    for _ in range(n_samples):
        imagine(before, own, chance, states[0])
        observe(states[0], mover, views[0])
        n_legal = legal(states[0], actions)
        for convention in range(N_CONVENTIONS):
            if beliefs[convention] > UNLIKELY:
                choices = actions[:n_legal]
                likely[convention] += likelihood(convention, states[0], views[0], action, choices, params[MODELS:], scratch)
    total = 0.0
    for convention in range(N_CONVENTIONS):
        beliefs[convention] *= (1.0 - params[DOUBT]) * likely[convention] / n_samples + params[DOUBT] / n_legal
        total += beliefs[convention]
    for convention in range(N_CONVENTIONS):
        beliefs[convention] /= total


@native
def act(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    mind, reply = memory.view(MEMORY)[0], 0
    for candidate in range(N_REPLIES):
        mind.expected[candidate] = 0.0
        for player in range(int(view.players)):
            for convention in range(N_CONVENTIONS):
                share = mind.beliefs[player, convention] / (int(view.players) - 1)
                mind.expected[candidate] += share * SCORES[candidate, convention]
        reply = candidate if mind.expected[candidate] > mind.expected[reply] else reply
    action = ask_model(FIRST_REPLY + reply, view, actions, params[MODELS:], memory[ROOMS : ROOMS + N_ROOMS])
    mind.reply = FIRST_REPLY + reply
    mind.action = action
    return action


# --- the agent ----------------------------------------------------------------------------------------------------------------


def explain(view: Record, action: int, params: Any, memory: Record) -> Reason:
    """Whom it takes its partners for, as whom it moves, and why that agent moves so."""
    if int(memory.action) != action:
        return Reason("forced", "there was nothing else to do")
    believed = []
    for player in range(int(view.players)):
        if player != int(view.player):
            likeliest = int(np.argmax(memory.beliefs[player]))
            believed.append(f"player {player} is {CONVENTIONS[likeliest]} ({memory.beliefs[player, likeliest]:.0%})")
    reply = int(memory.reply)
    first = MODELS + int(params[MODELS + N_FACTS * reply + PARAMS])
    why = _reason_of(reply, view, action, params[first:], np.array(memory.rooms))
    return Reason("value", f"{', '.join(believed)}; as {CONVENTIONS[reply]}: {why}")


def _reason_of(reply: int, view: Record, action: int, params: Any, rooms: Any) -> Reason:
    """The reason of the agent that made the move."""
    room = int(ROOM_OF[reply])
    mind = rooms[BEGINS[room] : BEGINS[room] + SIZES[room]].view(KINDS[room])[0]
    if reply == INFORMATION:
        return machines.explain(view, action, params, None, mind)
    modules = (
        distrustful.MODULES if reply < TRUSTFUL else trustful.MODULES if reply < REINFORCED_FOR_TWO else reinforced.MODULES
    )
    return telling(modules)(view, action, None, mind)


@dataclass(frozen=True, eq=False, kw_only=True)
class AdaptiveAgent(Agent):
    """`adaptive` for one game: the agents that it knows are made when it is going to play, and not when it is listed."""

    played: Game

    @property
    def params(self) -> np.ndarray[Any, Any]:
        """Its own parameters, then addresses and parameters of all agents that it knows."""
        return np.concatenate([super().params, models_for(self.played)])


def adaptive(game: Game) -> Agent:
    """The agent, for a game with these options."""
    return AdaptiveAgent(
        name="adaptive",
        game="hanabi",
        game_spec=game.spec,
        meaning="infers from the moves which of the known agents its partners are, and plays as the best partner for these",
        act=act,
        begin=begin,
        watch=watch,
        memory=MEMORY,
        parameters=(
            Parameter("samples", 8, 1, 1000, "own hands that it imagines to judge a move", whole=True),
            Parameter("doubt", 0.05, 0.001, 1.0, "share of moves that it takes for chance, whatever the convention"),
        ),
        explain=explain,
        quick={"samples": 1},
        seconds=20.0,
        played=game,
    )
