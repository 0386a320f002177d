"""Love Letter (Kanai 2012): play one of two cards, and be the last in the round or hold the highest card.

Source: Malarczyk, Kraków 2016, with the official rulings where it is silent. Sixteen cards, two to four players. One
card is set aside face down, with two players three more face up, one is dealt to each. A turn: draw a card, play one of
the two, do what it says. The round ends when one player is left, or after a turn with an empty deck: the highest hand
wins, then the larger sum of own discards; a further tie is a draw. A match goes on until a player has won 7, 5 or 4
rounds (with 2, 3, 4 players); the winner of a round begins the next, and after a draw who began before.

The rules stand in `rules.py`, what players see and can imagine in `beliefs.py`, and what the
numbers of plays mean in `cards.py`.
"""

from __future__ import annotations

from typing import Any

from facedown.games.contract import Column, Game, Option, Options
from facedown.games.love_letter.beliefs import imagine, observe
from facedown.games.love_letter.cards import (
    BY_BARON,
    BY_EMPTY_DECK,
    BY_GUARD,
    BY_PRINCE,
    BY_PRINCESS,
    MAX_CARDS,
    MAX_OPEN,
    MAX_PLAYERS,
    MAX_ROUNDS,
    OFFICIAL,
    STATE,
    VIEW,
    n_plays,
)
from facedown.games.love_letter.drawing import draw_table
from facedown.games.love_letter.rules import legal, start, step, turn
from facedown.games.love_letter.text import RULES, action_name, describe, hidden, narrate, parse_action
from facedown.native import native
from facedown.native.records import Record


@native
def score(state: Record, scores: Any) -> None:
    n_players = int(state.players)
    best = int(state.winners)
    if state.match:
        best, most = 0, 0
        for player in range(n_players):
            most = max(most, int(state.wins[player]))
        for player in range(n_players):
            best |= (1 if state.wins[player] == most else 0) << player
    n_best = 0
    for player in range(n_players):
        n_best += best >> player & 1
    for player in range(n_players):
        scores[player] = (best >> player & 1) / n_best


@native
def report(state: Record, values: Any) -> None:
    values[0] = state.ends[BY_GUARD]
    values[1] = state.ends[BY_BARON]
    values[2] = state.ends[BY_PRINCE]
    values[3] = state.ends[BY_PRINCESS]
    values[4] = state.ends[BY_EMPTY_DECK]
    values[5] = state.n_starter_won
    values[6] = state.n_all_turns
    values[7] = state.n_rounds


def card_counts(options: Options) -> list[int]:
    """How many of each card there are, Guards first."""
    if options["deck"] == 0:
        return [options["guards"], *OFFICIAL[2:]]
    return [int(digit) for digit in f"{options['deck']:08d}"]


def n_turns(options: Options) -> int:
    """The most turns of a round: one for each card in the deck after the deal."""
    face_up = options["face_up"] if options["players"] == 2 else 0
    return sum(card_counts(options)) - 1 - face_up - options["players"]


def forbids(options: Options) -> str | None:
    """A sentence on decks that cannot be played with."""
    counts, listed = card_counts(options), options["deck"]
    if listed and options["guards"] != 5:
        return f"the first digit of deck={listed:08d} is the number of Guards; leave out guards={options['guards']}"
    if sum(counts) > MAX_CARDS:
        return f"deck={listed:08d} has {sum(counts)} cards; at most {MAX_CARDS} are possible"
    if sum(counts[1:]) == 0:
        return f"deck={listed:08d} has nothing but Guards, which have no card to name"
    if n_turns(options) < 1:
        needed = sum(counts) - n_turns(options) + 1
        return (
            f"deck={listed:08d} has {sum(counts)} cards, and a deal with a first turn takes {needed}; "
            f"add cards, or lay fewer open with face_up"
        )
    return None


GAME = Game(
    name="love_letter",
    title="Love Letter",
    source="S. Kanai, Love Letter, 2012; D. Malarczyk, Kraków 2016",
    state=STATE,
    view=VIEW,
    start=start,
    turn=turn,
    legal=legal,
    step=step,
    score=score,
    observe=observe,
    imagine=imagine,
    report=report,
    describe=describe,
    narrate=narrate,
    action_name=action_name,
    draw=draw_table,
    hidden=hidden,
    parse_action=parse_action,
    columns=(
        Column("ended_by_guard", "rounds that a Guard ended"),
        Column("ended_by_baron", "rounds that a Baron ended"),
        Column("ended_by_prince", "rounds that a Prince ended, on a Princess"),
        Column("ended_by_princess", "rounds that ended because somebody played the Princess"),
        Column("ended_by_empty_deck", "rounds that went on until the deck was empty"),
        Column("starter_won", "rounds that were won by who began them"),
        Column("turns", "turns of all rounds"),
        Column("rounds", "rounds, one in each game unless matches are played"),
    ),
    options=(
        Option("players", 2, "number of players", 2, MAX_PLAYERS),
        Option("guards", 5, "Guards in the deck; the source computes with 4", 4, 5),
        Option("face_up", 3, "cards laid face up in a game of two", 0, MAX_OPEN),
        Option(
            "deck",
            0,
            "another deck: a digit for each card, from the Guards to the Princess, as in 52222111; 0: the deck of the game",
            0,
            99_999_999,
        ),
        Option("match", 0, "whether a whole match is played, instead of a round", choices=("no", "yes")),
    ),
    forbids=forbids,
    players=lambda options: options["players"],
    actions=lambda options: n_plays(options["players"]),
    longest=lambda options: n_turns(options) * (MAX_ROUNDS if options["match"] else 1),
    kind="constant sum",
    total=1.0,
    scores=(0.0, 1.0),
    forgets=lambda options: bool(options["match"]),  # of earlier rounds only the results are kept
    even_deals=True,
    rounds="n_rounds",
    rules=RULES,
)
