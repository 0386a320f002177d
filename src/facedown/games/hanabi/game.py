"""Hanabi (Bauza 2010): cards that everybody sees but who holds them, played in order, together.

Source: the rules of the game, and W. Jarząbek & J. Leja, Wrocław 2020, for `rules=thesis`: their program lets players
discard with all tokens there, fills the freed slot, and counts the age of cards in rounds. The published figures of
their agents are for these. `suits`, `ranks`, `hand`, `tokens` and `lives` make a Hanabi that is small enough to be walked.

The rules stand in `rules.py`, what players see and can imagine in `beliefs.py`, and what the numbers of moves mean in
`cards.py`.
"""

from __future__ import annotations

from typing import Any

from facedown.games.contract import Column, Game, Option, Options, Preset
from facedown.games.hanabi.beliefs import imagine, observe
from facedown.games.hanabi.cards import (
    HINT,
    MAX_HAND,
    MAX_LIVES,
    MAX_PLAYERS,
    MAX_RANKS,
    MAX_SUITS,
    MAX_TOKENS,
    N_FEATURES,
    STATE,
    VIEW,
    deck_size,
    hand_size,
)
from facedown.games.hanabi.drawing import draw_table
from facedown.games.hanabi.rules import allows, legal, start, step, turn
from facedown.games.hanabi.text import RULES, action_name, describe, hidden, narrate, parse_action
from facedown.native import native
from facedown.native.records import Record


@native
def score(state: Record, scores: Any) -> None:
    points = 0 if state.bomb_is_zero and state.n_lives == 0 else int(state.n_points)
    for player in range(int(state.players)):
        scores[player] = points


@native
def report(state: Record, values: Any) -> None:
    bombed = 1 if state.n_lives == 0 else 0
    values[0] = bombed
    values[1] = int(state.lives) - int(state.n_lives)
    values[2] = state.n_points
    values[3] = 0 if bombed else int(state.n_points)


def n_left_over(options: Options) -> int:
    """How many cards there are in the deck after the deal."""
    dealt = options["players"] * hand_size(options["players"], options["hand"])
    return deck_size(options["suits"], options["ranks"]) - dealt


def longest(options: Options) -> int:
    """A move for each card in the deck, as many hints for the tokens that these may give, those of the start, a last round."""
    return 2 * n_left_over(options) + options["tokens"] + options["players"]


def forbids(options: Options) -> str | None:
    """A sentence on decks that are too small."""
    n_cards = deck_size(options["suits"], options["ranks"])
    if n_left_over(options) < 1:
        n_each = hand_size(options["players"], options["hand"])
        return (
            f"a deck of {options['suits']} suits and {options['ranks']} ranks has {n_cards} cards, and {options['players']} "
            f"players with {n_each} each leave none to draw; take fewer players, more suits or ranks, or a smaller hand"
        )
    return None


_SWITCH = ("rules", "no", "yes")

GAME = Game(
    name="hanabi",
    title="Hanabi",
    source="A. Bauza, Hanabi, 2010; W. Jarząbek & J. Leja, Wrocław 2020",
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
    allows=allows,
    describe=describe,
    narrate=narrate,
    action_name=action_name,
    draw=draw_table,
    hidden=hidden,
    parse_action=parse_action,
    columns=(
        Column("bombed", "games that ended with the last life"),
        Column("lives_lost", "cards that were played and did not fit"),
        Column("kept", "points when they are kept after the last life"),
        Column("zeroed", "points when all are lost with the last life"),
    ),
    options=(
        Option("players", 2, "number of players", 2, MAX_PLAYERS),
        Option("rules", 0, "what the five switches below stand at unless they are set", choices=("official", "thesis")),
        Option("empty_hints", 0, "whether hints may point out no card; official no, thesis yes", choices=_SWITCH),
        Option("discard_at_max", 0, "whether one may discard with all tokens there; official no, thesis yes", choices=_SWITCH),
        Option("bomb", 0, "points after the last life is lost; keep in both", choices=("rules", "keep", "zero")),
        Option("slot", 0, "where a drawn card goes; official end, thesis freed", choices=("rules", "end", "freed")),
        Option("age", 0, "by what a card is older; official draw, thesis round", choices=("rules", "draw", "round")),
        Option("suits", MAX_SUITS, "how many suits there are", 1, MAX_SUITS),
        Option("ranks", MAX_RANKS, "how many ranks there are; of the highest a suit has one card", 1, MAX_RANKS),
        Option("hand", 0, "cards that are dealt to each; 0: five to two or three players, four to more", 0, MAX_HAND),
        Option("tokens", MAX_TOKENS, "hint tokens at the start, and never more", 1, MAX_TOKENS),
        Option("lives", MAX_LIVES, "wrong cards that may be played; the last one ends the game", 1, MAX_LIVES),
    ),
    presets=(
        Preset("official", {"rules": "official"}, "as it is played"),
        Preset("thesis", {"rules": "thesis"}, "as the program of the source has it; for its published figures"),
    ),
    forbids=forbids,
    players=lambda options: options["players"],
    actions=lambda options: HINT + N_FEATURES * (options["players"] - 1),
    longest=longest,
    kind="cooperative",
    scores=lambda options: (0.0, float(options["suits"] * options["ranks"])),
    even_deals=True,
    rules=RULES,
)
