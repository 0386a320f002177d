"""Trustful: plays what it was promised, and promises what will fit.

Source: W. Jarząbek & J. Leja, Wrocław 2020, sections 4.7 and 4.8; where its text and its program differ, the program. What
hints mean stands in `promises.py`, what they are worth in `tips.py`. A decision goes through a list of modules, whose
order depends on the tokens that are left, and the first that has a move makes it. `bayesian_trustful2` and
`bayesian_trustful4` are the same agent with 27 numbers that the source fitted for games of two and of four.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.agents.hanabi.promises import MEMORY, find_promised_play, highest_pile
from facedown.agents.hanabi.tips import (
    ANYTHING,
    DISCARD_TIP,
    GOOD_TIP,
    INFORMATION_TIP,
    PASS,
    RISKY_TIP,
    discard_tip,
    has_play,
    play_tip,
    prepare,
)
from facedown.agents.hanabi.vocabulary import (
    KNOWN_RANK,
    KNOWN_SUIT,
    NONE,
    find_known_useless,
    find_obvious_play,
    guess_discard,
    hint_action,
    is_playable,
    is_wanted,
    look_at_table,
    may_discard,
    player_at,
    tell_unknown,
)
from facedown.games.hanabi.cards import DISCARD, PLAY, RANK_OF, SUIT_OF
from facedown.native import native
from facedown.native.records import Record
from facedown.specs import Parameter

(
    NECESSARY,
    OBVIOUS_PLAY,
    PROMISED_PLAY,
    GOOD,
    DISCARDS,
    RISKY,
    SAVE,
    INFORMATION,
    KNOWN_USELESS,
    GUESS_DISCARD,
) = range(1, 11)
MODULES = {
    NECESSARY: "the next player would make a mistake",
    OBVIOUS_PLAY: "a card that it knows to fit",
    PROMISED_PLAY: "a card that it was promised",
    GOOD: "a good hint",
    DISCARDS: "a hint that tells what can be discarded",
    RISKY: "a risky hint",
    SAVE: "a high card that must not be discarded",
    INFORMATION: "a hint for information",
    KNOWN_USELESS: "a card that it knows to be useless",
    GUESS_DISCARD: "the card that it would miss least",
}
FEW, SOME, MANY, ALL = range(4)  # tokens
N_MODULES = 10
ORDERS = np.array(
    [
        [NECESSARY, OBVIOUS_PLAY, PROMISED_PLAY, KNOWN_USELESS, GOOD, DISCARDS, GUESS_DISCARD, NONE, NONE, NONE],
        [NECESSARY, OBVIOUS_PLAY, PROMISED_PLAY, GOOD, DISCARDS, KNOWN_USELESS, GUESS_DISCARD, NONE, NONE, NONE],
        [NECESSARY, OBVIOUS_PLAY, PROMISED_PLAY, GOOD, DISCARDS, KNOWN_USELESS, RISKY, SAVE, GUESS_DISCARD, NONE],
        [NECESSARY, OBVIOUS_PLAY, PROMISED_PLAY, GOOD, DISCARDS, RISKY, SAVE, INFORMATION, KNOWN_USELESS, GUESS_DISCARD],
    ],
    np.int64,
)


@native
def trustful(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    mind = memory.view(MEMORY)[0]
    look_at_table(view, mind)
    mind.is_prepared = 0
    n_tokens = int(view.n_tokens)
    order = ALL if n_tokens == view.tokens else FEW if n_tokens < 3 else SOME if n_tokens < 6 else MANY
    for place in range(N_MODULES):
        module = int(ORDERS[order, place])
        mind.value = 0.0
        action = run_module(view, mind, params, module)
        if action != NONE:
            mind.module = module
            mind.action = action
            return action
    return int(actions[0])


@native
def run_module(view: Record, mind: Record, params: Any, module: int) -> int:
    """The move that a module proposes, or NONE."""
    if module == NECESSARY:
        return necessary(view, mind, params)
    if module == OBVIOUS_PLAY:
        slot = find_obvious_play(view, view.told, int(view.player))
        return PLAY + slot if slot != NONE else NONE
    if module == PROMISED_PLAY:
        slot = find_promised_play(view, mind, view.told, int(view.player), int(view.player))
        return PLAY + slot if slot != NONE else NONE
    if module == SAVE:
        return save(view, mind)
    if module == KNOWN_USELESS:
        slot = find_known_useless(view, mind, view.told, int(view.player))
        return discard_or_hint(view, mind, params, slot) if slot != NONE else NONE
    if module == GUESS_DISCARD:
        own = int(view.player)
        return discard_or_hint(view, mind, params, guess_discard(view, mind, view.told, own, 1 << own, own))
    return give_tip(view, mind, params, module, int(view.players) - 1)


@native
def give_tip(view: Record, mind: Record, params: Any, module: int, reach: int) -> int:
    """The tip of a module, to one of the next players, `reach` of them."""
    if view.n_tokens < 2:
        return NONE
    if module == DISCARDS:
        return discard_tip(view, mind, params[DISCARD_TIP:], reach)
    first = GOOD_TIP if module == GOOD else RISKY_TIP if module == RISKY else INFORMATION_TIP
    return play_tip(view, mind, params[first:], reach, params[first + PASS])


@native
def discard_or_hint(view: Record, mind: Record, params: Any, slot: int) -> int:
    """Discard a card; where that is forbidden, give the best hint, whatever it is worth."""
    if may_discard(view):
        mind.value = 0.0
        return DISCARD + slot
    return play_tip(view, mind, params[GOOD_TIP:], int(view.players) - 1, ANYTHING)


@native
def necessary(view: Record, mind: Record, params: Any) -> int:
    """Keep the next player from playing a card that does not fit, or from discarding the last of its kind."""
    following = player_at(view, 0)
    if not 0 < view.n_tokens < view.tokens or find_obvious_play(view, view.told, following) != NONE:
        return NONE
    own = int(view.player)
    slot = find_promised_play(view, mind, view.told, following, own)
    if slot != NONE:
        card = int(view.hands[following, slot])
        if is_playable(view, card) or will_make_it_fit(view, mind, card):
            return NONE
    elif find_known_useless(view, mind, view.told, following) != NONE:
        return NONE
    else:
        slot = guess_discard(view, mind, view.told, following, 1 << following | 1 << own, following)
        card = int(view.hands[following, slot])
        if not is_wanted(view, card) or mind.left[card] != 1:
            return NONE
    action = give_tip(view, mind, params, GOOD, 1)
    if action == NONE:
        action = give_tip(view, mind, params, DISCARDS, 1)
    if action == NONE:
        action = give_tip(view, mind, params, RISKY, 1)
    return action if action != NONE else int(tell_unknown(view, 0, following, slot))


@native
def will_make_it_fit(view: Record, mind: Record, card: int) -> bool:
    """Whether the own next play may be the very card that another one waits for."""
    own = int(view.player)
    slot = find_obvious_play(view, view.told, own)
    if slot == NONE:
        slot = find_promised_play(view, mind, view.told, own, own)
    if slot == NONE or view.piles[int(SUIT_OF[card])] != RANK_OF[card] - 2:
        return False
    told = int(view.told[own, slot])
    return bool(KNOWN_RANK[told] == RANK_OF[card] - 1 or KNOWN_SUIT[told] == SUIT_OF[card])


@native
def save(view: Record, mind: Record) -> int:
    """Tell somebody who is not next the rank of a high card that is the last of its kind and would go, or could."""
    prepare(view, mind)
    own, found = int(view.player), NONE
    for distance in range(1, int(view.players) - 1):
        player = player_at(view, distance)
        slot = guess_discard(view, mind, view.told, player, 1 << player | 1 << own, player)
        if needs_saving(view, mind, player, slot):
            found = hint_action(distance, int(RANK_OF[int(view.hands[player, slot])]) - 1)
            if has_play(mind, distance - 1):
                break
    if found != NONE:
        return found
    lowest = 9
    for distance in range(1, int(view.players) - 1):
        player, is_here = player_at(view, distance), False
        for slot in range(int(view.n_held[player])):
            rank = int(RANK_OF[int(view.hands[player, slot])])
            if needs_saving(view, mind, player, slot):
                is_here = True
                if rank < lowest:
                    found, lowest = hint_action(distance, rank - 1), rank
        if is_here and has_play(mind, distance - 1):
            break
    return found


@native
def needs_saving(view: Record, mind: Record, player: int, slot: int) -> bool:
    """Whether nobody said anything of a card that is the last of its kind, and higher than what can be played next."""
    card = int(view.hands[player, slot])
    return bool(view.told[player, slot] == 0 and mind.left[card] == 1 and RANK_OF[card] > highest_pile(view) + 1)


# --- weights ----------------------------------------------------------------------------------------------------------------

_BOUNDS = {
    "pass": (0.0, 5.0, "a hint must be worth this"),
    "double": (0.0, 1.0, "factor for a card that was promised already"),
    "penalty": (-10.0, 0.0, "for a promise that does not hold, or is made twice"),
    "distance": (0.7, 1.5, "factor for each player between"),
    "lower": (0.8, 1.3, "factor for each rank below the highest"),
    "inform": (-0.8, 0.8, "worth of a card that the hint is only information on"),
    "has_play": (-0.5, 1.0, "factor where the player has something to play"),
    "chain": (0.9, 2.0, "factor for a card that can be followed up"),
}
_DISCARD_WEIGHTS = ("pass", "penalty", "distance")
_DEFAULTS = {
    "discard": (1.8, -10.0, 1.01),
    "good": (0.9, 0.3, -2.5, 1.01, 1.07, 0.2, 0.5, 1.3),
    "risky": (0.9, 0.3, -1.6, 1.01, 1.07, 0.2, 0.5, 1.3),
    "information": (0.65, 0.3, -2.5, 1.01, 1.07, 0.7, 1.0, 1.3),
}
FITTED_FOR_TWO = (
    (3.1157470722431895, -5.870410617419754, 1.0362370768397047),
    (
        *(0.7266001731976601, 0.8445165587967782, -6.8459259143424065, 1.2702664568412567),
        *(1.2260569959609633, -0.029150069963995606, 0.030675336013306742, 1.706607934110137),
    ),
    (
        *(0.5780771996803791, 0.3539543081924703, -1.9985924494738576, 0.8527851486282219),
        *(0.9361585298158691, 0.37366070452122724, 0.199403268481135, 1.6905365910487746),
    ),
    (
        *(4.190677973445652, 0.41939489562396703, -9.258053259676274, 0.7326838798720842),
        *(1.1746671578885395, 0.2818988936771667, -0.15801457452508066, 1.3402675677953646),
    ),
)
FITTED_FOR_FOUR = (
    (3.9675791022130866, -1.2236154016668084, 1.1064941122662877),
    (
        *(0.6965048774115057, 0.4938063699231073, -5.096989475985786, 1.179651463460699),
        *(1.1499780740878032, 0.1048895757841592, 0.0601224261044882, 1.7313274701206363),
    ),
    (
        *(3.980842278702617, 0.6920787372911628, -6.639852782714435, 0.9957316072619526),
        *(1.0015038969624326, -0.21132160122235594, -0.03166823189565862, 1.7027964810065506),
    ),
    (
        *(2.383727091348472, 0.29295269431507714, -8.866676889247437, 1.0304108640224716),
        *(1.1222361825640925, 0.48807000478174384, 0.30540840945292064, 1.4982700221551264),
    ),
)


def weights(values: tuple[tuple[float, ...], ...] = tuple(_DEFAULTS.values())) -> tuple[Parameter, ...]:
    """The 27 parameters with these defaults: three for the tip on discards, eight for each tip on plays."""
    found = []
    for tip, numbers in zip(_DEFAULTS, values, strict=True):
        names = _DISCARD_WEIGHTS if tip == "discard" else tuple(_BOUNDS)
        for name, number in zip(names, numbers, strict=True):
            low, high, meaning = _BOUNDS[name]
            found.append(Parameter(f"{tip}_{name}", number, low, high, f"{tip} hints: {meaning}"))
    return tuple(found)
