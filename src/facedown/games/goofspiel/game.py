"""Goofspiel, the game of pure strategy (Merrill Flood, 1930s): sealed bids for prizes, for two to four players.

Everyone holds the cards 1 to n. Round by round a prize comes up, worth 1 to n points, each once. Everyone bids a card face
down; when all bids are in, the highest takes the prize, and the cards are gone. Most points win.

Rules as in OpenSpiel's `goofspiel`: a prize is discarded when several players share the highest bid; a game is won or lost,
or scored by points. Players bid one after the other here, and nobody learns of a bid before the last one of the round is
in; with `bids=winner` they never learn more than who took the prize, or that it was a tie (OpenSpiel: `imp_info`). The
last card of everyone is a move like any other, though a forced one (OpenSpiel plays it by itself). Where the source is
silent: a prize that is still carried over after the last round (`ties=carry`) is nobody's.
"""

from __future__ import annotations

from typing import Any

from facedown.games.contract import HIDDEN, OVER, Game, Option, Options
from facedown.games.goofspiel.beliefs import imagine
from facedown.games.goofspiel.cards import (
    CARRY,
    DESCENDING,
    MAX_CARDS,
    MAX_PLAYERS,
    SHOWN,
    SHUFFLED,
    SPLIT,
    STATE,
    VIEW,
    WHOLE,
    WIN,
    WINNER,
    bit,
    card_at,
    copy_bids,
    count_cards,
    lay,
    takers_of,
)
from facedown.games.goofspiel.drawing import draw_table
from facedown.games.goofspiel.text import action_name, describe, hidden, narrate, parse_action
from facedown.native import copy_shared, draw, native
from facedown.native.records import Record


@native
def start(state: Record, chance: Record) -> None:
    for player in range(state.players):
        state.held[player] = (1 << int(state.cards)) - 1
    turn_up(state, chance)


@native
def turn_up(state: Record, chance: Record) -> None:
    """Turn up the prize of the next round."""
    n_cards, n_rounds = int(state.cards), int(state.n_rounds)
    prize = n_rounds + 1
    if state.order == DESCENDING:
        prize = n_cards - n_rounds
    elif state.order == SHUFFLED:
        left = (1 << n_cards) - 1
        for turn in range(n_rounds):
            left ^= bit(int(state.prizes[turn]))
        n_left = count_cards(left)
        prize = card_at(left, draw(chance, n_left) if n_left > 1 else 0)
    state.prizes[n_rounds] = prize
    state.stake += prize


@native
def turn(state: Record) -> int:
    return int(state.mover)


@native
def legal(state: Record, actions: Any) -> int:
    held, n_actions = int(state.held[state.mover]), 0
    for card in range(1, int(state.cards) + 1):
        actions[n_actions] = card
        n_actions += int(held >> (card - 1) & 1)
    return n_actions


@native
def step(state: Record, action: int, chance: Record) -> None:
    lay(state, int(state.mover), action)
    state.mover += 1
    if state.mover == state.players:
        award(state)
        state.n_rounds += 1
        state.mover = 0 if state.n_rounds < state.cards else OVER
        if state.mover == 0:
            turn_up(state, chance)


@native
def award(state: Record) -> None:
    """All bids are in: somebody takes the prize, or several, or nobody."""
    takers = takers_of(state, int(state.n_rounds))
    state.takers[int(state.n_rounds)] = takers
    n_takers = count_cards(takers)
    for player in range(state.players):
        if takers >> player & 1:
            state.points[player] += int(state.stake) * WHOLE // n_takers
    if n_takers > 0 or state.ties != CARRY:
        state.stake = 0


@native
def score(state: Record, scores: Any) -> None:
    n_players, total, most, n_best = int(state.players), 0, -1, 0
    for player in range(n_players):
        points = int(state.points[player])
        total += points
        n_best = n_best + 1 if points == most else (1 if points > most else n_best)
        most = max(most, points)
    for player in range(n_players):
        points = int(state.points[player])
        if state.returns != WIN:
            scores[player] = (n_players * points - total) / (n_players * WHOLE)
        elif n_best == n_players:
            scores[player] = 0.0
        else:
            scores[player] = 1.0 / n_best if points == most else -1.0 / (n_players - n_best)


@native
def observe(state: Record, player: int, view: Record) -> None:
    copy_shared(state, view)
    view.player = player
    view.hand = state.held[player]
    for other in range(MAX_PLAYERS):
        n_seen = int(state.n_rounds) if state.bids == SHOWN else 0
        copy_bids(state, view, other, MAX_CARDS if other == player else n_seen)


@native
def hears(state: Record, player: int, mover: int, action: int) -> int:
    """A bid is sealed until the last one of its round is in; then all may lie open."""
    is_open = state.bids == SHOWN and mover == state.players - 1
    return action if player == mover or is_open else HIDDEN


def range_of_scores(options: Options) -> tuple[float, float]:
    """All prizes but the smallest: who bids higher in one round has to bid lower in another.

    With three players and more the others may share that highest bid, and then nobody gets the smallest prize, or it is
    carried over into the next round.
    """
    if options["returns"] == WIN:
        return -1.0, 1.0
    n_players, total = options["players"], options["cards"] * (options["cards"] + 1) / 2
    if n_players == 2:
        return 1 - total / 2, total / 2 - 1
    if options["ties"] == SPLIT:
        return -total / n_players, total - 1 - total / n_players
    most = total if options["ties"] == CARRY else total - 1
    return -total / n_players, most * (n_players - 1) / n_players


GAME = Game(
    name="goofspiel",
    title="Goofspiel",
    source="M. Flood, 1930s; S. M. Ross, Goofspiel: the game of pure strategy, 1971; options as in OpenSpiel",
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
    action_name=action_name,
    draw=draw_table,
    hidden=hidden,
    parse_action=parse_action,
    hears=hears,
    narrate=narrate,
    options=(
        Option("players", 2, "how many play", 2, MAX_PLAYERS),
        Option("cards", MAX_CARDS, "how many cards everyone has, and how many prizes there are", 2, MAX_CARDS),
        Option("order", SHUFFLED, "how the prizes come up", choices=("shuffled", "descending", "ascending")),
        Option(
            "ties",
            0,
            "when the highest bid is tied, the prize is discarded, carried over to the next round, or split",
            choices=("discard", "carry", "split"),
        ),
        Option("bids", SHOWN, "after a round all bids are shown, or only who took the prize", choices=("shown", "winner")),
        Option(
            "returns",
            WIN,
            "a game is won or lost (1 shared by the winners, -1 by the losers), or scored by points less the average of all",
            choices=("win", "difference"),
        ),
    ),
    players=lambda options: options["players"],
    actions=lambda options: options["cards"] + 1,
    longest=lambda options: options["players"] * options["cards"],
    kind="zero sum",
    scores=range_of_scores,
    approximates=lambda options: options["players"] > 2 and options["bids"] == WINNER,
)
