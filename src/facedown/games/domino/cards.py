"""The tiles of domino and what is done with them: sets of tiles, the records of the game, giving and laying."""

from __future__ import annotations

import math

import numpy as np

from facedown.games.contract import OVER
from facedown.native import draw, field, native, record
from facedown.native.records import Record

TILES = tuple((low, high) for high in range(4) for low in range(high + 1))
MAX_TILES, MAX_PLAYERS, MAX_HAND = len(TILES), 4, 3
MAX_PLAYS = 9  # two players who get five tiles each: the ninth play is the fifth of player 0
MAX_DRAWS = 3  # of one player: two hands of two leave a stock of six
EVERY_TILE = (1 << MAX_TILES) - 1
LEFT, RIGHT = 0, 1
AFTER, BEFORE = 0, 1
FEWEST, LAST = 0, 1
OWN, ALL, ONE = 0, 1, 2
NONE = -1

LOW = np.array([low for low, _ in TILES], np.int64)
HIGH = np.array([high for _, high in TILES], np.int64)
SIZES = np.array([tiles.bit_count() for tiles in range(EVERY_TILE + 1)], np.int64)
PIPS = np.array([sum(sum(halves) for tile, halves in enumerate(TILES) if tiles >> tile & 1) for tiles in range(EVERY_TILE + 1)])
SHOWING = np.array([sum(1 << tile for tile, halves in enumerate(TILES) if number in halves) for number in range(4)], np.int64)
CHOICES = np.array([[math.comb(n, size) for size in range(MAX_HAND + 1)] for n in range(MAX_TILES + 1)], np.int64)

_RULES = (
    field("tiles", np.int8, 4, MAX_TILES, "how many tiles there are"),
    field("players", np.int8, 2, MAX_PLAYERS, "how many play"),
    field("hand", np.int8, 2, MAX_HAND, "how many tiles everyone is dealt"),
    field("drawing", np.int8, 0, 1, "when a player draws: 0 after each of their plays, 1 before each of their moves"),
    field("blocked", np.int8, 0, 1, "who wins a blocked game: 0 the fewest pips in hand, 1 who laid last"),
    field("points", np.int8, 0, 2, "what a loser pays: 0 the pips of their own hand, 1 those of all hands, 2 one point"),
)
_TABLE = (
    field("plays", np.int8, NONE, 2 * MAX_TILES - 1, "all plays so far, tile * 2 + end; -1 not yet", MAX_PLAYS),
    field("n_plays", np.int8, 0, MAX_PLAYS, "number of plays so far"),
    field("left", np.int8, NONE, 3, "the number at the left end of the line; -1 no tile yet"),
    field("right", np.int8, NONE, 3, "the number at the right end of the line; -1 no tile yet"),
    field("mover", np.int8, OVER, MAX_PLAYERS - 1, "player to move; -1 the game is over"),
)
STATE = record(
    *_RULES,
    field("stock", np.int16, 0, EVERY_TILE, "tiles that nobody has drawn yet, a bit each"),
    field("held", np.int16, 0, EVERY_TILE, "tiles in each player's hand, a bit each", MAX_PLAYERS),
    *_TABLE,
    field("drawn", np.int8, NONE, MAX_TILES - 1, "tiles each player drew, in order; -1 none", (MAX_PLAYERS, MAX_DRAWS)),
)
VIEW = record(
    *_RULES,
    field("own", np.int16, 0, EVERY_TILE, "tiles in your own hand, a bit each"),
    field("player", np.int8, 0, MAX_PLAYERS - 1, "the player who looks"),
    *_TABLE,
    field("drawn", np.int8, NONE, MAX_TILES - 1, "tiles the player drew, in order; -1 none", MAX_DRAWS),
    field("n_held", np.int8, 0, MAX_HAND + 1, "number of tiles in each hand", MAX_PLAYERS),
    field("n_stock", np.int8, 0, MAX_TILES, "number of tiles in the stock"),
)


@native
def count_tiles(tiles: int) -> int:
    return int(SIZES[tiles])


@native
def choose_tiles(tiles: int, size: int, choice: int) -> int:
    """Choice number `choice` of this many tiles from a set, in the order of their lowest tiles."""
    chosen, tile, n_left = 0, 0, count_tiles(tiles)
    while size > 0:
        if tiles >> tile & 1:
            n_left -= 1
            n_with = CHOICES[n_left, size - 1]
            if choice < n_with:
                chosen |= 1 << tile
                size -= 1
            else:
                choice -= n_with
        tile += 1
    return chosen


@native
def draw_tiles(tiles: int, size: int, chance: Record) -> int:
    """Draw this many tiles from a set, all choices equally likely; where there is only one, chance is not asked."""
    n_choices = CHOICES[count_tiles(tiles), size]
    return choose_tiles(tiles, size, draw(chance, n_choices) if n_choices > 1 else 0)


@native
def count_moves(tiles: int, left: int, right: int) -> int:
    """In how many ways a hand can be played on."""
    if left < 0:
        return count_tiles(tiles)
    if left == right:
        return count_tiles(tiles & SHOWING[left])
    return count_tiles(tiles & SHOWING[left]) + count_tiles(tiles & SHOWING[right])


@native
def clear_table(state: Record) -> None:
    state.n_plays = 0
    state.left = state.right = NONE
    for play in range(MAX_PLAYS):
        state.plays[play] = NONE
    for player in range(MAX_PLAYERS):
        for place in range(MAX_DRAWS):
            state.drawn[player, place] = NONE


@native
def take(state: Record, player: int, tiles: int, n_drawn: int) -> None:
    """Put tiles of the stock into a hand; a single one is noted as drawn."""
    state.stock ^= tiles
    state.held[player] |= tiles
    if n_drawn == 1:
        place = 0
        while state.drawn[player, place] != NONE:
            place += 1
        state.drawn[player, place] = count_tiles(tiles - 1)  # a bit has as many below it as its tile's number


@native
def lay(state: Record, player: int, action: int) -> None:
    tile, end = action >> 1, action & 1
    halves = LOW[tile] + HIGH[tile]  # less the half that lies inside, the other one is the new end
    if state.n_plays == 0:
        state.left, state.right = LOW[tile], HIGH[tile]
    elif end == LEFT:
        state.left = halves - state.left
    else:
        state.right = halves - state.right
    state.held[player] ^= 1 << tile
    state.plays[state.n_plays] = action
    state.n_plays += 1
