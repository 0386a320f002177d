"""War: the card game without decisions, but for one: in which order won cards go under the winner's pile.

Source: Jakóbczyk 2023, section 4.1. 52 cards of which only the rank matters, 26 each. Both turn up their top card;
the higher takes both. Equal cards are a war: each lays one card face down and one face up, again and again until one
is higher. Who has all cards wins.

Where the source is silent: who cannot lay two cards for a war lays what is left and loses it (option `last_card`: a
single last card is laid face up and counts); if neither can, the game is a draw. After `max_rounds` rounds the game
is a draw, and counted as capped.

Games without end: where both players have an order that leaves nothing to chance, the piles determine all that follows. So
when both are again as they were, the game never ends, and that is exact. It is counted as cycled; with the option
`repetition` it is a draw at once, which saves the rounds up to the cap and changes no score of such players.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.games.contract import HIDDEN, OVER, Column, Game, Option
from facedown.native import copy_shared, field, native, record, shuffle
from facedown.native.records import Record
from facedown.pictures import Picture, label, panel, pile, plate
from facedown.pictures import card as face
from facedown.pictures.palette import BLUE

MAX_RANKS, MAX_SUITS = 13, 4
MAX_CARDS = MAX_RANKS * MAX_SUITS
RING = 64  # a pile is a ring: its top moves on, won cards are put behind its last
MAX_ROUNDS = 1_000_000
DESCENDING, ASCENDING, SHUFFLED, OWN_FIRST, OTHER_FIRST = range(5)
NOBODY = -1

_RULES = (
    field("ranks", np.int8, 1, MAX_RANKS, "number of ranks"),
    field("suits", np.int8, 2, MAX_SUITS, "number of cards of each rank"),
    field("max_rounds", np.int32, 1, MAX_ROUNDS, "rounds after which the game is a draw"),
    field("last_card", np.int8, 0, 1, "whether a single last card counts in a war"),
    field("repetition", np.int8, 0, 1, "whether the game is a draw when the marked piles come back"),
)
_TABLE = (
    field("mover", np.int8, OVER, 1, "winner of the round, who puts the cards under their own pile; -1 the game is over"),
    field("n_rounds", np.int32, 0, MAX_ROUNDS, "rounds so far, this one included"),
    field("n_cards", np.int8, 0, MAX_CARDS, "cards in each pile", 2),
    field("table", np.int8, 0, MAX_RANKS - 1, "ranks on the table, the winner's first, as laid; 0 beyond", MAX_CARDS),
    field("n_table", np.int8, 0, MAX_CARDS, "cards on the table"),
    field("n_own", np.int8, 0, MAX_CARDS, "cards on the table that the winner laid"),
    field("won_by", np.int8, NOBODY, 1, "who has won the game; -1 nobody yet, or a draw"),
)
STATE = record(
    *_RULES,
    *_TABLE,
    field("pile", np.int8, 0, MAX_RANKS - 1, "ranks in the ring of each player; anything outside the pile", (2, RING)),
    field("top", np.int8, 0, RING - 1, "where in the ring each pile begins", 2),
    field("laid", np.int8, 0, MAX_RANKS - 1, "ranks each player laid in this round; anything beyond", (2, MAX_CARDS)),
    field("n_laid", np.int8, 0, MAX_CARDS, "cards that each player laid in this round", 2),
    field("capped", np.int8, 0, 1, "whether the cap on rounds ended the game"),
    field("marked", np.int8, 0, MAX_RANKS - 1, "both piles at an earlier round, one after the other", MAX_CARDS),
    field("n_marked", np.int8, -1, MAX_CARDS, "cards of player 0 then; -1 no round is marked"),
    field("cycled", np.int8, 0, 1, "whether the marked piles came back without a shuffle in between"),
)
VIEW = record(*_RULES, field("player", np.int8, 0, 1, "the player who looks"), *_TABLE)


@native
def start(state: Record, chance: Record) -> None:
    n_cards = int(state.ranks) * int(state.suits)
    for card in range(n_cards):  # the deck lies on the table for a moment
        state.table[card] = card // int(state.suits)
    shuffle(chance, state.table[:n_cards])
    for player in range(2):
        state.n_cards[player] = n_cards // 2
        for place in range(n_cards // 2):
            state.pile[player, place] = state.table[player * (n_cards // 2) + place]
    for card in range(n_cards):
        state.table[card] = 0
    state.n_marked = -1
    state.won_by = NOBODY
    play_round(state)


@native
def lay(state: Record, player: int) -> None:
    """The top card of a pile goes to the table."""
    top, n_laid = int(state.top[player]), int(state.n_laid[player])
    state.laid[player, n_laid] = state.pile[player, top]
    state.n_laid[player] = n_laid + 1
    state.top[player] = (top + 1) % RING
    state.n_cards[player] -= 1


@native
def play_round(state: Record) -> None:
    """Lay cards until one player takes them, and end the game where there is nothing left to play for."""
    state.n_rounds += 1
    for player in range(2):
        state.n_laid[player] = 0
        lay(state, player)
    winner = leader(state)
    while winner == NOBODY:
        needed = 1 if state.last_card else 2
        able_0, able_1 = state.n_cards[0] >= needed, state.n_cards[1] >= needed
        for player in range(2):
            for _ in range(min(2, int(state.n_cards[player]))):
                lay(state, player)
        if able_0 and able_1:
            winner = leader(state)
        elif able_0 or able_1:
            winner = 0 if able_0 else 1
        else:
            break
    gather(state, max(winner, 0))
    over = winner == NOBODY or state.n_cards[1 - winner] == 0
    state.won_by = winner if over else NOBODY
    state.mover = OVER if over else winner


@native
def leader(state: Record) -> int:
    """Who laid the higher last card."""
    card_0, card_1 = state.laid[0, int(state.n_laid[0]) - 1], state.laid[1, int(state.n_laid[1]) - 1]
    return 0 if card_0 > card_1 else 1 if card_1 > card_0 else NOBODY


@native
def gather(state: Record, winner: int) -> None:
    """Line up what was laid: the winner's cards, then the other's."""
    n_table = 0
    for player in (winner, 1 - winner):
        for place in range(int(state.n_laid[player])):
            state.table[n_table] = state.laid[player, place]
            n_table += 1
    for place in range(n_table, int(state.n_table)):
        state.table[place] = 0
    state.n_table = n_table
    state.n_own = state.n_laid[winner]


@native
def turn(state: Record) -> int:
    return int(state.mover)


@native
def legal(state: Record, actions: Any) -> int:
    for action in range(5):
        actions[action] = action
    return 5


@native
def step(state: Record, action: int, chance: Record) -> None:
    n_table = int(state.n_table)
    if action == SHUFFLED:
        shuffle(chance, state.table[:n_table])
        state.n_marked = -1
    elif action == DESCENDING:
        sort(state.table, n_table, 1)
    elif action == ASCENDING:
        sort(state.table, n_table, -1)
    mover, n_own = int(state.mover), int(state.n_own)
    end = int(state.top[mover]) + int(state.n_cards[mover])
    for place in range(n_table):
        source = place
        if action == OTHER_FIRST:
            source = place + n_own if place + n_own < n_table else place + n_own - n_table
        state.pile[mover, (end + place) % RING] = state.table[source]
    state.n_cards[mover] += n_table
    watch_for_cycles(state)
    repeated = state.repetition and state.cycled
    if repeated or state.n_rounds >= state.max_rounds:
        state.capped = 0 if repeated else 1
        state.mover = OVER
        for place in range(n_table):  # they lie under the pile now
            state.table[place] = 0
        state.n_table = 0
        state.n_own = 0
    else:
        play_round(state)


@native
def sort(cards: Any, n_cards: int, sign: int) -> None:
    """Highest first for sign 1, lowest first for sign -1; by insertion, since there are mostly two cards."""
    for place in range(1, n_cards):
        card, before = cards[place], place - 1
        while before >= 0 and sign * int(cards[before]) < sign * int(card):
            cards[before + 1] = cards[before]
            before -= 1
        cards[before + 1] = card


@native
def watch_for_cycles(state: Record) -> None:
    """Brent's method: compare with one marked round, and mark anew at every power of two."""
    n_first = int(state.n_cards[0])
    if state.n_marked == n_first and same_as_marked(state):
        state.cycled = 1
    n_rounds = int(state.n_rounds)
    if n_rounds & (n_rounds - 1) == 0:
        state.n_marked = n_first
        for player in range(2):
            for place in range(int(state.n_cards[player])):
                card = state.pile[player, (int(state.top[player]) + place) % RING]
                state.marked[player * n_first + place] = card


@native
def same_as_marked(state: Record) -> bool:
    n_first = int(state.n_marked)
    for player in range(2):
        for place in range(int(state.n_cards[player])):
            if state.marked[player * n_first + place] != state.pile[player, (int(state.top[player]) + place) % RING]:
                return False
    return True


@native
def score(state: Record, scores: Any) -> None:
    for player in range(2):
        scores[player] = 0.5 if state.won_by == NOBODY else 1.0 if state.won_by == player else 0.0


@native
def report(state: Record, values: Any) -> None:
    values[0] = state.capped
    values[1] = state.cycled


@native
def observe(state: Record, player: int, view: Record) -> None:
    copy_shared(state, view)
    view.player = player


@native
def imagine(view: Record, player: int, chance: Record, state: Record) -> None:
    copy_shared(view, state)
    n_unseen = 0
    for rank in range(int(view.ranks)):  # the cards that are not on the table, collected in the ring of player 0
        n_left = int(view.suits)
        for place in range(int(view.n_table)):
            n_left -= 1 if view.table[place] == rank else 0
        for _ in range(n_left):
            state.pile[0, n_unseen] = rank
            n_unseen += 1
    shuffle(chance, state.pile[0, :n_unseen])
    for place in range(n_unseen - int(view.n_cards[0])):
        state.pile[1, place] = state.pile[0, int(view.n_cards[0]) + place]
    state.n_marked = -1
    # in the last round of a game that ends otherwise the cards stay on the table
    stopped = view.mover == OVER and view.n_table == 0
    state.cycled = 1 if stopped and view.repetition and view.n_rounds < view.max_rounds else 0
    state.capped = 1 if stopped and state.cycled == 0 else 0


@native
def hears(state: Record, player: int, mover: int, action: int) -> int:
    """Won cards go under the pile face down: in which order, nobody else sees."""
    return action if player == mover else HIDDEN


def card_name(card: int) -> str:
    """Ranks from two to ace."""
    return ("2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king", "ace")[card]


def describe(view: Record) -> str:
    own, other = int(view.n_cards[view.player]), int(view.n_cards[1 - view.player])
    cards = [card_name(int(card)) for card in view.table[: view.n_table]]
    text = f"Round {view.n_rounds}. "
    if cards:
        text += f"On the table: {', '.join(cards[: view.n_own])} against {', '.join(cards[view.n_own :])}. "
    if view.mover == OVER:
        result = "you have won" if view.won_by == view.player else "the other player has won"
        text += f"The game is over: {'a draw' if view.won_by == NOBODY else result}. "
    else:
        text += "You take them. " if view.mover == view.player else "The other player takes them. "
    return text + f"In the piles: {own} of yours, {other} of the other player."


def narrate(before: Record, after: Record) -> str:
    """Who took how many cards, and the next round; in which order they went under the pile is the winner's secret."""
    you = before.mover == before.player
    text = f"{'You take' if you else 'The other player takes'} {before.n_table} cards."
    return f"{text} {describe(after)}"


ORDERS = {
    DESCENDING: "descending",
    ASCENDING: "ascending",
    SHUFFLED: "shuffled",
    OWN_FIRST: "own-first",
    OTHER_FIRST: "other-first",
}


def action_name(view: Record, action: int) -> str:
    return ORDERS[action]


def draw_table(view: Record) -> Picture:
    player, n_own = int(view.player), int(view.n_own)
    cards = [card_name(int(rank)) for rank in view.table[: view.n_table]]
    winner = int(view.mover) if view.mover != OVER else max(int(view.won_by), 0)
    laid = {winner: cards[:n_own], 1 - winner: cards[n_own:]}
    picture = Picture(480, 334, describe(view)).add(label(452, 34, f"round {view.n_rounds}", 14, "end"))
    for seat, top in ((1 - player, 14), (player, 136)):
        name = f"you, player {player}" if seat == player else f"player {seat}"
        picture.add(panel(16, top, 448, 112, lit=view.mover == seat), label(30, top + 22, name, 14, bold=True))
        picture.add(pile(32, top + 36, int(view.n_cards[seat]), size=0.85))
        shown, step = laid[seat], 66.0 if len(laid[seat]) <= 5 else 330 / max(len(laid[seat]), 1)
        for place, name in enumerate(shown):  # every second card of a war lies face down until it is won
            letter = name[0].upper() if not name.isdigit() else name
            picture.add(face(104 + step * place, top + 28, letter, size=0.9, faded=place % 2 == 1))
    if view.mover == player:
        picture.add(label(240, 274, "The cards are yours. In which order do they go under your pile?", 13.5, "middle"))
        for action, (order, text) in enumerate(
            zip(ORDERS.values(), ("high first", "low first", "shuffled", "own first", "other first"), strict=True)
        ):
            picture.add(plate(58 + 91 * action, 304, text, BLUE, 86, order, [action]))
    elif view.mover != OVER:
        picture.add(label(20, 290, f"Player {view.mover} takes the cards.", 14))
    else:
        result = (
            "A draw" if view.won_by == NOBODY else "You have won" if view.won_by == player else f"Player {view.won_by} has won"
        )
        picture.add(label(240, 292, f"{result}.", 18, "middle", bold=True))
    return picture


def hidden(state: Record, player: int) -> dict[str, str]:
    """The next card of each pile: nobody knows more than that it is one of those that do not lie on the table."""
    tops = {seat: card_name(int(state.pile[seat, state.top[seat]])) for seat in range(2) if state.n_cards[seat]}
    return {("your next card" if seat == player else f"next card of player {seat}"): name for seat, name in tops.items()}


GAME = Game(
    name="war",
    title="War",
    source="Jakóbczyk, Wrocław 2023, section 4.1",
    state=STATE,
    view=VIEW,
    start=start,
    turn=turn,
    legal=legal,
    step=step,
    score=score,
    observe=observe,
    imagine=imagine,
    hears=hears,
    report=report,
    describe=describe,
    narrate=narrate,
    action_name=action_name,
    draw=draw_table,
    hidden=hidden,
    columns=(
        Column("capped", "games that the cap on rounds ended"),
        Column(
            "cycled",
            "games in which both piles came back as they were, with no shuffle in between: endless, if both orders are fixed",
        ),
    ),
    options=(
        Option("ranks", 13, "number of ranks", 1, MAX_RANKS),
        Option("suits", 4, "number of cards of each rank; ranks * suits must be even", 2, MAX_SUITS),
        Option("max_rounds", 5000, "rounds after which the game is a draw", 1, MAX_ROUNDS),
        Option("last_card", 0, "whether a single last card counts in a war", choices=("no", "yes")),
        Option("repetition", 0, "whether the game is a draw when both piles are seen to come back", choices=("no", "draw")),
    ),
    forbids=lambda options: "ranks * suits must be even" if options["ranks"] * options["suits"] % 2 else None,
    players=2,
    actions=5,
    longest=lambda options: options["max_rounds"],
    kind="constant sum",
    total=1.0,
    scores=(0.0, 1.0),
    perfect_recall=False,
    exact_imagine=False,
)
