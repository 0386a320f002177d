"""Agents for Love Letter: the four of the source, one that also uses what it was shown, and one that reads others' plays.

Source: D. Malarczyk, Kraków 2016, chapter 3. What plays are worth stands in `values.py`. Agents that do not
search decide from their view alone, so their reasons are worked out when somebody asks, and cost a match nothing.

Both searches let `careful` play beyond the tree. `belief` takes the others for reasonable players: it lets `careful`
play for them in the tree too, and imagines the more often deals that explain their plays (see `belief.py`).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np

from facedown.agents.contract import Agent
from facedown.agents.love_letter.belief import believe, imagine_round
from facedown.agents.love_letter.values import n_unseen, risk, tie_break, undecided, worth
from facedown.agents.reasons import Choice, Reason
from facedown.games.contract import Game
from facedown.games.love_letter.cards import AIM_OF, CARD_OF, HANDMAID, MAX_PLAYS, NO_CARD, PRINCESS
from facedown.games.love_letter.game import GAME
from facedown.native import draw, native
from facedown.native.records import Record

_NO_VALUE = -1e9
_PRINCESS_PLAYED = PRINCESS - 1
_U = np.uint64


@native
def random(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    # plays without an aim come first, and nobody has more than two of them: she is one of the first two plays
    if actions[0] != _PRINCESS_PLAYED and actions[1] != _PRINCESS_PLAYED:
        return int(actions[_U(draw(chance, n))])
    place = draw(chance, n - 1)
    at = 0 if actions[0] == _PRINCESS_PLAYED else 1
    return int(actions[_U(place + 1 if place >= at else place)])


# --- greedy ---------------------------------------------------------------------------------------------------------------


@native
def greedy_value(view: Record, action: int) -> float:
    """F of a play."""
    total = n_unseen(view)
    other = int(view.hand) + int(view.drawn) - int(CARD_OF[action])
    return worth(view, action, other, NO_CARD, 0, total) / (100 * total)


@native
def greedy(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    total, pair = n_unseen(view), int(view.hand) + int(view.drawn)
    best, best_value, best_tie = int(actions[0]), -1, -1
    for choice in range(n):
        action = int(actions[_U(choice)])
        value = worth(view, action, pair - int(CARD_OF[action]), NO_CARD, 0, total)
        if value >= best_value:
            tie = tie_break(action)
            if value > best_value or tie > best_tie:
                best, best_value, best_tie = action, value, tie
    return best


# --- minmax ---------------------------------------------------------------------------------------------------------------


@native
def minmax_value(view: Record, action: int) -> float:
    """K of a play: F less Fmin."""
    total = n_unseen(view)
    other = int(view.hand) + int(view.drawn) - int(CARD_OF[action])
    return judged(view, action, other, risk(view, other, total), total)


@native
def judged(view: Record, action: int, other: int, losses: int, total: int) -> float:
    """K of a play, from the `risk` of keeping the other card. One division, so that equal plays come out equal."""
    n_answers = total * (total - 1) // 2 * (total - 1)  # pairs, times what each holder of one has not seen
    gain = worth(view, action, other, NO_CARD, 0, total) * n_answers
    return (gain - 100 * undecided(view, action, other, total) * losses) / (100 * total * n_answers)


@native
def minmax(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    total, held, drawn = n_unseen(view), int(view.hand), int(view.drawn)
    losses_held = risk(view, held, total) if needs_risk(drawn) else 0
    losses_drawn = losses_held if drawn == held else risk(view, drawn, total) if needs_risk(held) else 0
    best, best_value, best_tie = int(actions[0]), _NO_VALUE, -1
    for choice in range(n):
        action = int(actions[_U(choice)])
        plays_drawn = CARD_OF[action] == drawn
        value = judged(view, action, held if plays_drawn else drawn, losses_held if plays_drawn else losses_drawn, total)
        if value >= best_value:
            tie = tie_break(action)
            if value > best_value or tie > best_tie:
                best, best_value, best_tie = action, value, tie
    return best


@native
def needs_risk(card: int) -> bool:
    """Whether the risk of keeping the other card matters when this one is played."""
    return card not in (HANDMAID, PRINCESS)


# --- greedy with a memory -------------------------------------------------------------------------------------------------


@native
def careful_value(view: Record, action: int) -> float:
    """F of a play, where hands that were seen are certain, and their cards are nowhere else."""
    n_players, viewer = int(view.players), int(view.player)
    target = viewer + int(AIM_OF[action])
    target = target - n_players if target >= n_players else target
    elsewhere, total = 0, n_unseen(view)
    for holder in range(n_players):
        card = int(view.known[holder])
        if card != NO_CARD and holder != target:
            elsewhere += 1 << 4 * card
            total -= 1
    other = int(view.hand) + int(view.drawn) - int(CARD_OF[action])
    return worth(view, action, other, int(view.known[target]), elsewhere, total) / (100 * total)


@native
def careful(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    best, best_value, best_tie = int(actions[0]), _NO_VALUE, -1
    for choice in range(n):
        action = int(actions[_U(choice)])
        value = careful_value(view, action)
        if value >= best_value:
            tie = tie_break(action)
            if value > best_value or tie > best_tie:
                best, best_value, best_tie = action, value, tie
    return best


# --- reasons --------------------------------------------------------------------------------------------------------------


def plays_in(view: Record) -> list[int]:
    """The plays that the player to move can make, from what they see."""
    states, actions = np.zeros(1, GAME.state), np.zeros(MAX_PLAYS + 4, np.int64)
    state: Record = states[0]
    for name in ("players", "mover", "kinds", "in_round", "immune", "drawn"):
        state[name] = view[name]
    state.hand[int(view.player)] = view.hand
    return [int(action) for action in actions[: GAME.legal(state, actions)]]


def play_values(view: Record, value: Callable[..., float]) -> dict[int, float]:
    """What each possible play is worth, the best one first."""
    values = {action: float(value(view, action)) for action in plays_in(view)}
    return dict(sorted(values.items(), key=lambda item: (-item[1], -tie_break(item[0]))))


def _reason(value: Callable[..., float]) -> Callable[..., Reason]:
    def explain(view: Record, action: int, params: Any, memory: Record | None) -> Reason:
        plays = play_values(view, value).items()
        return Reason("value", "worth:", tuple(Choice(play, GAME.action_name(view, play), worth) for play, worth in plays))

    return explain


def _random_reason(view: Record, action: int, params: Any, memory: Record | None) -> Reason:
    possible = [play for play in plays_in(view) if play != _PRINCESS_PLAYED]
    if len(possible) < 2:
        return Reason("forced", "anything but the Princess")
    return Reason("mixed", f"one of {len(possible)} plays, all equally likely")


AGENTS = (
    Agent(
        name="random",
        game="love_letter",
        meaning="every play is equally likely, but for the Princess, whom it never plays by choice",
        act=random,
        explain=_random_reason,
    ),
    Agent(
        name="greedy",
        game="love_letter",
        meaning="the play with the best chance to put somebody out at once, F of the source; forgets what it was shown",
        act=greedy,
        deterministic=True,
        explain=_reason(greedy_value),
    ),
    Agent(
        name="minmax",
        game="love_letter",
        meaning="as greedy, less the chance that a greedy answer puts it out, K of the source",
        act=minmax,
        deterministic=True,
        explain=_reason(minmax_value),
    ),
    Agent(
        name="careful",
        game="love_letter",
        meaning="as greedy, but it remembers hands that Priest, Baron and King have shown",
        act=careful,
        deterministic=True,
        explain=_reason(careful_value),
    ),
)


def _searching(game: Game) -> Agent:
    from facedown.agents.generic.mcts import search

    return dataclasses.replace(search(game, imagine=imagine_round), rollout=_CAREFUL)


def _reading(game: Game) -> Agent:
    from facedown.agents.generic.mcts import search

    meaning = "searches as mcts, but deals are the more likely the better they explain what the others have played"
    reader = search(game, name="belief", meaning=meaning, imagine=believe)
    return dataclasses.replace(reader, opponent=_CAREFUL, rollout=_CAREFUL)


_CAREFUL = AGENTS[-1]
MAKERS = {"mcts": _searching, "belief": _reading}
"""Those that depend on the options of the game."""
