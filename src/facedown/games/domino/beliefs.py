"""What a player of domino can imagine: every hidden past that fits the view, as likely as uniform play makes it.

A past is who was dealt what and who drew what when. All pasts that fit are equally likely by chance; but a player with
few moves is more likely to have made one of them than a player with many. So each is replayed and weighed:

1. a path says, choice by choice, what the others were dealt and drew; tiles that somebody else laid are no choice;
2. where a player lays a tile that is not in the hand, all paths that begin like this one are passed over;
3. the weight is the product of 1 / number of moves over all hidden hands that were played from;
4. a game that goes on tells that the player to move can, and a blocked game that they cannot.

Ten tiles leave at most a few hundred pasts.
"""

from __future__ import annotations

import math

import numpy as np

from facedown.games.contract import OVER
from facedown.games.domino.cards import (
    AFTER,
    BEFORE,
    CHOICES,
    MAX_DRAWS,
    MAX_HAND,
    MAX_PLAYERS,
    choose_tiles,
    clear_table,
    count_moves,
    count_tiles,
    draw_tiles,
    lay,
    take,
)
from facedown.native import draw, native
from facedown.native.records import Record

# divisible by every number of moves that a hand of this many tiles can have: one for each, and one more at the other end
SHARES = np.array([math.lcm(*range(1, size + 2)) for size in range(MAX_HAND + 2)], np.int64)
DIGIT, MAX_CHOICES = 6, 6  # a path of `replay` has six bits for each choice: at most 35 hands, 3 deals and 3 draws


@native
def imagine(view: Record, player: int, chance: Record, state: Record) -> None:
    """Weigh every hidden past that fits the view by how likely uniform play makes it, and draw one by its weight."""
    total, common, path = 0, 0, 0
    while path >= 0:
        weight, n_choices = replay(view, player, path, state)
        total += weight
        common = math.gcd(common, weight)
        path = next_path(path, n_choices)
    place = draw(chance, total // common) * common if total > common else 0
    path = 0
    while place >= 0 and path >= 0:
        weight, n_choices = replay(view, player, path, state)
        place -= weight
        path = next_path(path, n_choices)
    for other in range(int(view.n_plays) + 1, int(view.players)):  # nothing is known of those who had no turn yet
        if other != player:
            take(state, other, draw_tiles(int(state.stock), int(view.hand), chance), int(view.hand))
    state.mover = view.mover


@native
def next_path(path: int, n_choices: int) -> int:
    """The next path that differs in the first `n_choices` choices; -1 if there is none."""
    unused = DIGIT * (MAX_CHOICES - n_choices)
    return ((path >> unused) + 1) << unused if n_choices > 0 else -1


@native
def replay(view: Record, player: int, path: int, state: Record) -> tuple[int, int]:
    """Play again up to the view, with those hidden deals and draws of the other players that a path chooses.

    Returns the weight of this past (1 / number of moves, for every hidden hand that was played from; made whole by
    SHARES) and how many choices were used. The weight is 0 if the past does not fit the view or if the last choice
    does not exist, and then all paths that begin with these choices are the same. Players who had no turn yet are not
    dealt to. The stock is, meanwhile, all that the player has never held and nobody was given.
    """
    clear_table(state)
    give_own(view, player, state)
    n_players, n_plays, n_choices, weight = int(view.players), int(view.n_plays), 0, 1
    n_stock = int(view.tiles) - n_players * int(view.hand)
    emptied = n_plays > 0 and view.n_held[(n_plays - 1) % n_players] == 0
    for move in range(n_plays if emptied else n_plays + 1):
        mover = move % n_players
        hidden = int(mover != player)
        if hidden and move < n_players:
            if not give(view, mover, int(view.hand), path, n_choices, state):
                return 0, n_choices
            n_choices += 1
        draws = int(n_stock > 0 and (move < n_plays or view.drawing == BEFORE))
        n_stock -= draws
        if draws and hidden and view.drawing == BEFORE:
            if not give(view, mover, 1, path, n_choices, state):
                return 0, n_choices
            n_choices += 1
        if move < n_plays:
            if hidden:
                weight *= share_of(state, mover, int(view.plays[move]))
                if weight == 0:
                    return 0, n_choices
            lay(state, mover, int(view.plays[move]))
        elif hidden and (view.mover == OVER) == (count_moves(int(state.held[mover]), int(state.left), int(state.right)) > 0):
            return 0, n_choices
        if draws and hidden and view.drawing == AFTER:
            if not give(view, mover, 1, path, n_choices, state):
                return 0, n_choices
            n_choices += 1
    return weight, n_choices


@native
def give_own(view: Record, player: int, state: Record) -> None:
    """The player has all tiles they were ever given, and the others none."""
    own = int(view.own)
    for move in range(player, int(view.n_plays), int(view.players)):
        own |= 1 << (int(view.plays[move]) >> 1)
    for other in range(MAX_PLAYERS):
        state.held[other] = own if other == player else 0
    for place in range(MAX_DRAWS):
        state.drawn[player, place] = view.drawn[place]
    state.stock = ((1 << int(view.tiles)) - 1) ^ own


@native
def give(view: Record, player: int, size: int, path: int, n_choices: int, state: Record) -> bool:
    """Give a player tiles that they can have had, as choice number `n_choices` of a path says; False: it does not exist."""
    tiles = int(state.stock)
    for move in range(int(view.n_plays)):
        if move % int(view.players) != player:
            tiles &= ~(1 << (int(view.plays[move]) >> 1))
    choice = path >> DIGIT * (MAX_CHOICES - 1 - n_choices) & ((1 << DIGIT) - 1)
    if choice >= CHOICES[count_tiles(tiles), size]:
        return False
    take(state, player, choose_tiles(tiles, size, choice), size)
    return True


@native
def share_of(state: Record, player: int, action: int) -> int:
    """The weight of an action: the fewer moves the hand has, the more; 0 if the tile is not in the hand."""
    tiles = int(state.held[player])
    if not tiles >> (action >> 1) & 1:
        return 0
    return int(SHARES[count_tiles(tiles)] // count_moves(tiles, int(state.left), int(state.right)))
