"""Kuhn poker (Kuhn 1950): one card each, one bet; for two to five players.

With n players there are n + 1 cards and everyone antes 1. In turn, players pass or bet 1; once somebody has bet, each
of the others has one more move, to call (bet) or to fold (pass). The highest card among those who bet takes the pot;
if nobody bet, the highest of all.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.games.contract import OVER, Game, Option
from facedown.native import draw, field, native, record
from facedown.native.records import Record

MOST_PLAYERS = 5
MOST_MOVES = 2 * MOST_PLAYERS - 1
PASS, BET = 0, 1

STATE = record(
    field("players", np.int8, 2, MOST_PLAYERS, "how many play"),
    field("pass_pays", np.int8, 0, 1, "whether the antes are paid when nobody bets"),
    field("card", np.int8, 0, MOST_PLAYERS, "card of each player, then the one left; 0 beyond", MOST_PLAYERS + 1),
    field("played", np.int8, -1, BET, "all moves so far, 0 pass, 1 bet; -1 not yet", MOST_MOVES),
    field("n_played", np.int8, 0, MOST_MOVES, "number of moves so far"),
    field("mover", np.int8, OVER, MOST_PLAYERS - 1, "player to move; -1 the game is over"),
    field("first_bet", np.int8, -1, MOST_PLAYERS - 1, "player who bet first; -1 nobody yet"),
    field("stake", np.int8, 0, 2, "chips of each player in the pot; 0 no such player", MOST_PLAYERS),
)

VIEW = record(
    field("players", np.int8, 2, MOST_PLAYERS, "how many play"),
    field("pass_pays", np.int8, 0, 1, "whether the antes are paid when nobody bets"),
    field("player", np.int8, 0, MOST_PLAYERS - 1, "the player who looks"),
    field("card", np.int8, 0, MOST_PLAYERS, "the own card"),
    field("played", np.int8, -1, BET, "all moves so far, 0 pass, 1 bet; -1 not yet", MOST_MOVES),
    field("n_played", np.int8, 0, MOST_MOVES, "number of moves so far"),
    field("first_bet", np.int8, -1, MOST_PLAYERS - 1, "player who bet first; -1 nobody yet"),
    field("mover", np.int8, OVER, MOST_PLAYERS - 1, "player to move; -1 the game is over"),
    field("stake", np.int8, 0, 2, "chips of each player in the pot; 0 no such player", MOST_PLAYERS),
)


@native
def start(state: Record, chance: Record) -> None:
    n_cards = int(state.players) + 1
    for place in range(n_cards):
        state.card[place] = place
    for player in range(n_cards - 1):
        other = player + draw(chance, n_cards - player)
        state.card[player], state.card[other] = state.card[other], state.card[player]
        state.stake[player] = 1
    for move in range(MOST_MOVES):
        state.played[move] = -1
    state.first_bet = -1


@native
def turn(state: Record) -> int:
    return int(state.mover)


@native
def legal(state: Record, actions: Any) -> int:
    actions[0] = PASS
    actions[1] = BET
    return 2


@native
def step(state: Record, action: int, chance: Record) -> None:
    n_players, n_played, mover = int(state.players), int(state.n_played) + 1, int(state.mover)
    state.played[n_played - 1] = action
    state.n_played = n_played
    # without branches: whether somebody bets is what native code cannot predict
    opens = (action == BET) & (state.first_bet < 0)
    state.first_bet = mover if opens else int(state.first_bet)
    state.stake[mover] = 2 if action == BET else 1
    # everyone moves once, and once more until the turn would come back to the first who bet
    n_moves = n_players + max(int(state.first_bet), 0)
    following = mover + 1 if mover + 1 < n_players else 0
    state.mover = following if n_played < n_moves else OVER


@native
def score(state: Record, scores: Any) -> None:
    n_players = int(state.players)
    contested = 1 if state.first_bet < 0 else 2
    pot, winner, best = 0, 0, -1
    for player in range(n_players):
        stake = int(state.stake[player])
        pot += stake
        scores[player] = -stake
        card = int(state.card[player])
        leads = (stake >= contested) & (card > best)
        winner, best = (player, card) if leads else (winner, best)
    scores[winner] += pot
    if state.pass_pays == 0 and state.first_bet < 0:
        scores[:n_players] = 0.0


@native
def observe(state: Record, player: int, view: Record) -> None:
    view.players = state.players
    view.pass_pays = state.pass_pays
    view.player = player
    view.card = state.card[player]
    for move in range(MOST_MOVES):
        view.played[move] = state.played[move]
    view.n_played = state.n_played
    view.first_bet = state.first_bet
    view.mover = state.mover
    for other in range(MOST_PLAYERS):
        view.stake[other] = state.stake[other]


@native
def other_place(index: int, player: int) -> int:
    """The places of all cards but the player's own, numbered from 0."""
    return index if index < player else index + 1


@native
def imagine(view: Record, player: int, chance: Record, state: Record) -> None:
    n_cards = int(view.players) + 1
    card = 0
    for place in range(n_cards):
        if place == player:
            state.card[place] = view.card
        else:
            card += 1 if card == view.card else 0
            state.card[place] = card
            card += 1
    for last in range(n_cards - 2, 0, -1):  # shuffle the cards of the others
        here, there = other_place(last, player), other_place(draw(chance, last + 1), player)
        state.card[here], state.card[there] = state.card[there], state.card[here]
    for move in range(MOST_MOVES):
        state.played[move] = view.played[move]
    state.n_played = view.n_played
    state.first_bet = view.first_bet
    state.mover = view.mover
    for other in range(view.players):
        state.stake[other] = view.stake[other]


def card_name(view: Record, card: int) -> str:
    """The three cards of two players have names; more cards are numbered."""
    return ("jack", "queen", "king")[card] if view.players == 2 else str(card + 1)


def describe(view: Record) -> str:
    n_cards = int(view.players) + 1
    ladder = " < ".join(card_name(view, card) for card in range(n_cards))
    moves = [f"player {move % view.players} {action_word(view, move)}" for move in range(view.n_played)]
    return f"You are player {view.player} of {view.players} and hold the {card_name(view, view.card)} ({ladder}). " + (
        f"So far: {', '.join(moves)}." if moves else "Nobody has moved yet."
    )


def action_word(view: Record, move: int) -> str:
    """What the move with this number was: the same action is a bet or a call, a pass or a fold."""
    after_bet = int(0 <= view.first_bet < move)
    return (("passes", "bets"), ("folds", "calls"))[after_bet][view.played[move]]


def action_name(view: Record, action: int) -> str:
    after_bet = int(view.first_bet >= 0)
    return (("pass", "bet"), ("fold", "call"))[after_bet][action]


GAME = Game(
    name="kuhn",
    title="Kuhn poker",
    source="H. W. Kuhn, A simplified two-person poker, 1950; for more players: Abou Risk & Szafron 2010",
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
    options=(
        Option("players", 2, "how many play", 2, MOST_PLAYERS),
        Option("pass_pays", 1, "whether the highest card wins the antes when nobody bets", choices=("no", "yes")),
    ),
    players=lambda options: options["players"],
    actions=2,
    longest=lambda options: 2 * options["players"] - 1,
    kind="zero sum",
    scores=lambda options: (-2.0, 2.0 * (options["players"] - 1)),
)
