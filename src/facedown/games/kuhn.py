"""Kuhn poker (Kuhn 1950): one card each, one bet; for two to five players.

With n players there are n + 1 cards and everyone antes 1. In turn, players pass or bet 1; once somebody has bet, each
of the others has one more move, to call (bet) or to fold (pass). The highest card among those who bet takes the pot;
if nobody bet, the highest of all.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.games.contract import OVER, Game, Option
from facedown.native import copy_shared, draw, field, native, record
from facedown.native.records import Record
from facedown.pictures import Picture, card, chip, chips, label, panel
from facedown.pictures.palette import BLUE, GREY

MAX_PLAYERS = 5
MAX_MOVES = 2 * MAX_PLAYERS - 1
PASS, BET = 0, 1
NOBODY = -1

_RULES = (
    field("players", np.int8, 2, MAX_PLAYERS, "how many play"),
    field("pass_pays", np.int8, 0, 1, "whether the antes are paid when nobody bets"),
)
_TABLE = (  # what lies open: state and view both have it
    field("played", np.int8, -1, BET, "all moves so far, 0 pass, 1 bet; -1 not yet", MAX_MOVES),
    field("n_played", np.int8, 0, MAX_MOVES, "number of moves so far"),
    field("first_bet", np.int8, NOBODY, MAX_PLAYERS - 1, "player who bet first; -1 nobody yet"),
    field("mover", np.int8, OVER, MAX_PLAYERS - 1, "player to move; -1 the game is over"),
    field("stake", np.int8, 0, 2, "chips of each player in the pot; 0 no such player", MAX_PLAYERS),
)
STATE = record(
    *_RULES,
    field("card", np.int8, 0, MAX_PLAYERS, "card of each player, then the one left; 0 beyond", MAX_PLAYERS + 1),
    *_TABLE,
)
VIEW = record(
    *_RULES,
    field("player", np.int8, 0, MAX_PLAYERS - 1, "the player who looks"),
    field("card", np.int8, 0, MAX_PLAYERS, "your own card"),
    *_TABLE,
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
    for move in range(MAX_MOVES):
        state.played[move] = -1
    state.first_bet = NOBODY


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
    if action == BET:
        state.stake[mover] = 2
        if state.first_bet == NOBODY:
            state.first_bet = mover
    # everyone moves once, and once more until the turn would come back to the first who bet
    n_moves = n_players + max(int(state.first_bet), 0)
    following = mover + 1 if mover + 1 < n_players else 0  # a remainder here costs 3 of 37 ns a game
    state.mover = following if n_played < n_moves else OVER


@native
def score(state: Record, scores: Any) -> None:
    n_players = int(state.players)
    stake = 1 if state.first_bet == NOBODY else 2
    pot, winner, best = 0, 0, -1
    for player in range(n_players):
        pot += int(state.stake[player])
        scores[player] = -int(state.stake[player])
        if state.stake[player] == stake and state.card[player] > best:
            winner, best = player, int(state.card[player])
    scores[winner] += pot
    if state.first_bet == NOBODY and not state.pass_pays:
        scores[:n_players] = 0.0


@native
def observe(state: Record, player: int, view: Record) -> None:
    copy_shared(state, view)
    view.player = player
    view.card = state.card[player]


@native
def other_place(index: int, player: int) -> int:
    """The places of all cards but the player's own, numbered from 0."""
    return index if index < player else index + 1


@native
def imagine(view: Record, player: int, chance: Record, state: Record) -> None:
    copy_shared(view, state)
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


def draw_table(view: Record) -> Picture:
    n_players, player, over = int(view.players), int(view.player), view.mover == OVER
    picture = Picture(480, 330, describe(view))
    width = 448 / (n_players - 1)
    for place in range(n_players - 1):
        other = (player + 1 + place) % n_players
        left = 16 + place * width
        picture.add(panel(left + 4, 14, width - 8, 126, lit=view.mover == other))
        picture.add(label(left + width / 2, 34, f"player {other}", 14, "middle"))
        picture.add(card(left + width / 2 - 29 * 0.7, 42, back=True, size=0.7))
        picture.add(label(left + width / 2, 116, last_word(view, other), 14, "middle", bold=True))
        picture.add(chips(left + width / 2 - 15, 128, int(view.stake[other])))
    pot = int(view.stake[:n_players].sum())
    picture.add(chip(200, 170, str(pot), radius=20), label(228, 176, "in the pot", 15))
    picture.add(panel(20, 202, 440, 116, lit=view.mover == player))
    name = card_name(view, int(view.card))
    letter = name[0].upper() if n_players == 2 else name
    picture.add(
        card(
            40,
            219,
            letter,
            kind=("square", "diamond", "crown")[view.card] if n_players == 2 else "",
            colour=BLUE,
            caption=name if n_players == 2 else "",
        )
    )
    picture.add(label(114, 236, f"you, player {player}", 15, bold=True), label(114, 260, last_word(view, player) or " ", 14))
    picture.add(chips(114, 286, int(view.stake[player])))
    if not over:
        picture.add(
            chip(330, 260, "0", GREY, actions=[PASS], radius=26), label(330, 306, action_name(view, PASS), 14, "middle")
        )
        picture.add(chip(410, 260, "+1", actions=[BET], radius=26), label(410, 306, action_name(view, BET), 14, "middle"))
    return picture


def last_word(view: Record, player: int) -> str:
    """What a player did last."""
    moves = [move for move in range(int(view.n_played)) if move % int(view.players) == player]
    return action_word(view, moves[-1]) if moves else ""


def hidden(state: Record, player: int) -> dict[str, str]:
    n_players = int(state.players)
    others = {
        f"player {other} holds": card_name(state, int(state.card[other])) for other in range(n_players) if other != player
    }
    return others | {"nobody holds": card_name(state, int(state.card[n_players]))}


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
    draw=draw_table,
    hidden=hidden,
    options=(
        Option("players", 2, "how many play", 2, MAX_PLAYERS),
        Option("pass_pays", 1, "whether the highest card wins the antes when nobody bets", choices=("no", "yes")),
    ),
    players=lambda options: options["players"],
    actions=2,
    longest=lambda options: 2 * options["players"] - 1,
    kind="zero sum",
    scores=lambda options: (-2.0, 2.0 * (options["players"] - 1)),
)
