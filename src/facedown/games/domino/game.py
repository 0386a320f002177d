"""Domino (Sychev 2021), made small: at most ten tiles, hands of two or three, and nobody passes.

Source: R. Sychev, Yaroslavl 2021, section 2.3. Everyone gets a hand of tiles, the rest is the hidden stock. Player 0
lays any tile; then in turn everyone lays a tile with a matching half at either end of the one line. Who can lay must;
the first player who cannot ends the game. Losers pay the winner.

Where the source is silent: the tiles are the first of 0-0, 0-1, 1-1, 0-2, 1-2, 2-2, 0-3, 1-3, 2-3, 3-3, so that six are
the double-two set and ten the double-three set. After each of their plays a player draws a tile while the stock lasts
(`drawing=before`: before the move). Who lays the last tile of a hand wins; in a blocked game the fewest pips in hand
win, and equal ones share (`blocked=last`: who laid last). Each loser pays the pips of their own hand (`points=all`: those
of all hands; `points=one`: 1). Where both ends show the same number it does not matter which one is taken, and the left
one is.
"""

from __future__ import annotations

from itertools import accumulate
from typing import Any

from facedown.games.contract import OVER, Game, Option, Options
from facedown.games.domino.beliefs import imagine
from facedown.games.domino.cards import (
    AFTER,
    ALL,
    BEFORE,
    FEWEST,
    LAST,
    LEFT,
    MAX_DRAWS,
    MAX_HAND,
    MAX_PLAYERS,
    MAX_TILES,
    ONE,
    OWN,
    PIPS,
    RIGHT,
    SHOWING,
    STATE,
    TILES,
    VIEW,
    clear_table,
    count_moves,
    count_tiles,
    draw_tiles,
    lay,
    take,
)
from facedown.games.domino.drawing import draw_table
from facedown.games.domino.text import action_name, describe, hidden, narrate, parse_action
from facedown.native import copy_shared, native
from facedown.native.records import Record


@native
def start(state: Record, chance: Record) -> None:
    clear_table(state)
    stock = (1 << int(state.tiles)) - 1
    for player in range(state.players):
        tiles = draw_tiles(stock, int(state.hand), chance)
        state.held[player] = tiles
        stock ^= tiles
    state.stock = stock
    if state.drawing == BEFORE:
        draw_one(state, 0, chance)


@native
def draw_one(state: Record, player: int, chance: Record) -> None:
    if state.stock:
        take(state, player, draw_tiles(int(state.stock), 1, chance), 1)


@native
def turn(state: Record) -> int:
    return int(state.mover)


@native
def legal(state: Record, actions: Any) -> int:
    left, right = int(state.left), int(state.right)
    tiles = int(state.held[state.mover])
    at_left = tiles if left < 0 else tiles & SHOWING[left]
    at_right = 0 if left == right else tiles & SHOWING[right]
    n_actions = 0
    for tile in range(state.tiles):
        actions[n_actions] = 2 * tile + LEFT
        n_actions += int(at_left >> tile & 1)
        actions[n_actions] = 2 * tile + RIGHT
        n_actions += int(at_right >> tile & 1)
    return n_actions


@native
def step(state: Record, action: int, chance: Record) -> None:
    player = int(state.mover)
    following = (player + 1) % int(state.players)
    lay(state, player, action)
    if state.drawing == AFTER:
        draw_one(state, player, chance)
    state.mover = OVER
    if state.held[player]:
        if state.drawing == BEFORE:
            draw_one(state, following, chance)
        if count_moves(int(state.held[following]), int(state.left), int(state.right)):
            state.mover = following


@native
def wins(state: Record, player: int) -> bool:
    last = (int(state.n_plays) - 1) % int(state.players)
    if state.blocked == LAST or state.held[last] == 0:  # a hand of 0-0 has no pips either, but has not been emptied
        return player == last
    fewest = PIPS[state.held[player]]
    for other in range(state.players):
        fewest = min(fewest, PIPS[state.held[other]])
    return bool(PIPS[state.held[player]] == fewest)


@native
def score(state: Record, scores: Any) -> None:
    n_winners, pips, pot = 0, 0, 0
    for player in range(state.players):
        pips += PIPS[state.held[player]]
        n_winners += int(wins(state, player))
    for player in range(state.players):
        paid = 0
        if not wins(state, player):
            paid = PIPS[state.held[player]] if state.points == OWN else (pips if state.points == ALL else 1)
        scores[player] = -paid
        pot += paid
    for player in range(state.players):
        if wins(state, player):
            scores[player] = pot / n_winners


@native
def observe(state: Record, player: int, view: Record) -> None:
    copy_shared(state, view)
    view.player = player
    view.own = state.held[player]
    for place in range(MAX_DRAWS):
        view.drawn[place] = state.drawn[player, place]
    for other in range(MAX_PLAYERS):
        view.n_held[other] = count_tiles(int(state.held[other]))
    view.n_stock = count_tiles(int(state.stock))


def stock_of(options: Options) -> int:
    """Tiles that are not dealt."""
    return options["tiles"] - options["players"] * options["hand"]


def forbids(options: Options) -> str | None:
    if stock_of(options) >= 0:
        return None
    dealt = options["players"] * options["hand"]
    return f"{options['players']} hands of {options['hand']} need {dealt} tiles, but there are {options['tiles']}; deal fewer"


def most_plays(options: Options) -> int:
    """Until somebody has laid all tiles they got; the stock is drawn in turn."""
    players, hand, stock = options["players"], options["hand"], stock_of(options)
    got = [hand + len(range(player, stock, players)) for player in range(players)]
    return min((tiles - 1) * players + player + 1 for player, tiles in enumerate(got))


def range_of_scores(options: Options) -> tuple[float, float]:
    """The heaviest hands that can be left; the player whose turn it is may have drawn one tile more."""
    players, hand = options["players"], options["hand"]
    more = int(options["drawing"] == BEFORE and stock_of(options) > 0)
    heaviest = [0, *accumulate(sorted((low + high for low, high in TILES[: options["tiles"]]), reverse=True))]
    if options["points"] == OWN:
        return -float(heaviest[hand + more]), float(heaviest[(players - 1) * hand + more])
    paid = 1.0 if options["points"] == ONE else float(heaviest[min(players * hand + more, options["tiles"] - 1)])
    return -paid, (players - 1) * paid


GAME = Game(
    name="domino",
    title="Domino with few tiles",
    source="R. Sychev, Search for approximate equilibria in games of incomplete information (in Russian), Yaroslavl 2021",
    state=STATE,
    view=VIEW,
    start=start,
    turn=turn,
    legal=legal,
    step=step,
    score=score,
    observe=observe,
    imagine=imagine,
    describe=describe,
    narrate=narrate,
    action_name=action_name,
    draw=draw_table,
    hidden=hidden,
    parse_action=parse_action,
    options=(
        Option("tiles", 10, "how many tiles: 10 is the double-three set, 6 the double-two set", 4, MAX_TILES),
        Option("players", 2, "how many play", 2, MAX_PLAYERS),
        Option("hand", 3, "how many tiles everyone is dealt", 2, MAX_HAND),
        Option(
            "drawing", AFTER, "draw a tile after each of your plays, or before each of your moves", choices=("after", "before")
        ),
        Option("blocked", FEWEST, "who wins a blocked game: fewest pips in hand, or who laid last", choices=("fewest", "last")),
        Option("points", OWN, "a loser pays the pips of their own hand, of all hands, or one", choices=("own", "all", "one")),
    ),
    forbids=forbids,
    players=lambda options: options["players"],
    actions=lambda options: 2 * options["tiles"],
    longest=most_plays,
    kind="zero sum",
    scores=range_of_scores,
)
