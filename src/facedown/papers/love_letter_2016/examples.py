"""Love Letter: the numbers that the source counts or works out by hand, from the rules and the agents' own functions."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np

from facedown.agents.love_letter import agents as players
from facedown.agents.love_letter import values
from facedown.games.love_letter.cards import (
    BARON,
    CARD_OF,
    GUARD,
    HANDMAID,
    KING,
    NAMED_OF,
    PRIEST,
    PRINCE,
    PRINCESS,
    play_number,
)
from facedown.games.love_letter.game import card_counts
from facedown.games.position import Position
from facedown.games.registry import game as find_game
from facedown.native.records import Record, blank
from facedown.papers.claims import Figure
from facedown.papers.laboratory import Laboratory

PAPER_NAME = "love_letter"
_REPEAT = f"facedown paper {PAPER_NAME}"
OFFICIAL, LISTED = "love_letter", "love_letter(guards=4)"
"""The game as it is sold, and with the cards that the source lists and computes with."""
HANDS = (GUARD, BARON, PRINCE, PRINCESS)
"""The cards that are not seen in the second example, one of each."""
_ALL_IN_ROUND, _ALL_KINDS = 3, 255


def exactly(number: Fraction | int, percent: bool = False) -> Figure:
    """A figure that is counted, written with decimals where it has some."""
    if not percent and Fraction(number).denominator == 1:
        return Figure.counted(int(number), _REPEAT)
    scaled = Fraction(number) * (100 if percent else 1)
    digits = f"{float(scaled):.6f}".rstrip("0").rstrip(".")
    endless = "" if Fraction(digits) == scaled else "…"
    return Figure(float(number), 0.0, 0, None, _REPEAT, f"{digits}{endless}{' %' if percent else ''}")


def _recovered(value: float) -> Fraction:
    """The fraction that a value of an agent is: a quotient of small whole numbers."""
    return Fraction(float(value)).limit_denominator(1_000_000)


# --- counts -------------------------------------------------------------------------------------------------------------


def counts(game: str = OFFICIAL) -> list[int]:
    """How many cards of each kind a game has."""
    return card_counts(find_game(game).values)


def cards(laboratory: Laboratory, game: str = OFFICIAL) -> Figure:
    """How many cards there are."""
    return exactly(sum(counts(game)))


def kinds(laboratory: Laboratory) -> Figure:
    """How many kinds of cards there are."""
    return exactly(sum(count > 0 for count in counts()))


def copies(laboratory: Laboratory, first: int, last: int) -> Figure:
    """How often each of these cards is in the deck; -1 if not all equally often."""
    found = set(counts()[first - 1 : last])
    return exactly(found.pop() if len(found) == 1 else -1)


def wins_needed(laboratory: Laboratory, n_players: int) -> Figure:
    """How many rounds the winner of a match has won, when it is played to its end by chance."""
    position = Position(find_game("love_letter", players=n_players, match="yes"))
    dice = np.random.default_rng(n_players)
    position.start()
    while not position.over:
        position.step(int(dice.choice(position.legal())))
    return exactly(int(position.state.wins.max()))


def dealt(laboratory: Laboratory) -> Figure:
    """How many cards are left when the cards aside and one for each player are gone, and nobody has drawn yet."""
    position = Position(find_game(OFFICIAL))
    position.start()
    return exactly(int(position.state.n_deck) + 1)


def longest(laboratory: Laboratory) -> Figure:
    """The most turns of a round."""
    return exactly(find_game(OFFICIAL).max_moves)


def named(laboratory: Laboratory) -> Figure:
    """How many cards a Guard can name."""
    return exactly(len({int(NAMED_OF[play]) for play in players.plays_in(_first_example()) if CARD_OF[play] == GUARD}))


def fewest_plays(laboratory: Laboratory) -> Figure:
    """The fewest plays that a pair of cards leaves."""
    pairs = itertools.combinations([card for card, n in enumerate(counts(), 1) for _ in range(n)], 2)
    return exactly(min(len(players.plays_in(seen(pair, {}))) for pair in set(pairs)))


def orders(
    laboratory: Laboratory, n_cards: str = OFFICIAL, repeated: str | None = OFFICIAL, divisor: int = 1, lines: int = 1
) -> Figure:
    """The factorial of the cards of one deck, divided by the orders of equal cards of perhaps another, times `lines`."""
    equal = math.prod(math.factorial(count) for count in counts(repeated)) if repeated else 1
    return exactly(Fraction(math.factorial(sum(counts(n_cards))), equal * divisor) * lines)


def equal_orders(laboratory: Laboratory, game: str = OFFICIAL) -> Figure:
    """In how many orders equal cards can lie, for a given order of kinds."""
    return exactly(math.prod(math.factorial(count) for count in counts(game)))


def lines_of_play(laboratory: Laboratory) -> Figure:
    """How many rounds there are from one deal if each turn of the longest round has two plays."""
    return exactly(2 ** find_game(OFFICIAL).max_moves)


# --- worked examples ----------------------------------------------------------------------------------------------------


def seen(pair: tuple[int, int], unseen: dict[int, int]) -> Record:
    """What a player sees who is to move with two cards, of two players, when these cards are not seen."""
    view: Record = blank(find_game(OFFICIAL).view)[0]
    view.players, view.in_round, view.kinds = 2, _ALL_IN_ROUND, _ALL_KINDS
    view.hand, view.drawn = pair
    for card, count in unseen.items():
        view.unseen[card] = count
    return view


def _first_example(game: str = LISTED) -> Record:
    """Section 3.2.2: Guard and Baron in the first turn; King, Prince and Handmaid lie open. Dealt by the rules."""
    deck = [card for card, count in enumerate(counts(game), 1) for _ in range(count)]
    draws = []
    for card in (KING, PRINCE, HANDMAID, GUARD, PRIEST, BARON):  # open, a card for each, the first draw
        draws.append((deck.index(card), len(deck)))
        deck.remove(card)
    position = Position(find_game(game))
    position.start(draws)
    return position.view(0)


def _second_example() -> Record:
    """Section 3.3.2: Prince and Handmaid; Guard, Baron, Prince and Princess are in the other hand, in the deck and aside."""
    return seen((PRINCE, HANDMAID), dict.fromkeys(HANDS, 1))


def left_in_deck(laboratory: Laboratory, game: str = LISTED) -> Figure:
    """How many cards the deck has in the first example."""
    return exactly(int(_first_example(game).n_deck))


def p_card(laboratory: Laboratory, card: int, game: str = LISTED) -> Figure:
    """P of a card in the first example."""
    return exactly(_p(_first_example(game), card), percent=True)


def _p(view: Record, *wanted: int) -> Fraction:
    return Fraction(sum(int(view.unseen[card]) for card in wanted), int(values.n_unseen(view)))


def p_baron(laboratory: Laboratory, tie: bool) -> Figure:
    """How likely a Baron with a Guard in hand ends in a tie in the first example, or is lost."""
    return exactly(_p(_first_example(), *([GUARD] if tie else range(PRIEST, PRINCESS + 1))), percent=True)


def p_second(laboratory: Laboratory, wins: bool) -> Figure:
    """How likely the Prince meets the Princess in the second example, or any other card."""
    found = _p(_second_example(), PRINCESS)
    return exactly(found if wins else 1 - found, percent=True)


def greedy_worth(laboratory: Laboratory, play: int, second: bool = False, small: bool = True) -> Figure:
    """F of a play in an example; without its small number, it is the function that section 3.2.2 begins with."""
    found = _recovered(players.greedy_value(_second_example() if second else _first_example(), play))
    return exactly(found if small else found - Fraction(int(values.SMALL[CARD_OF[play]]), 100))


def minmax_worth(laboratory: Laboratory, play: int) -> Figure:
    """K of a play in the second example."""
    return exactly(_recovered(players.minmax_value(_second_example(), play)))


def n_pairs(laboratory: Laboratory) -> Figure:
    """How many pairs of cards the other player can hold in the second example."""
    return exactly(math.comb(int(values.n_unseen(_second_example())), 2))


def risk_figure(laboratory: Laboratory) -> Figure:
    """R of the second example, as `minmax` computes it: sums over all pairs, and over what each has not seen."""
    total = len(HANDS)
    return exactly(Fraction(int(values.risk(_second_example(), HANDMAID, total)), math.comb(total, 2) * (total - 1)))


def prince_loss(laboratory: Laboratory) -> Figure:
    """Fmin of the Prince in the second example: F less K."""
    view, play = _second_example(), play_number(PRINCE, 1)
    return exactly(_recovered(players.greedy_value(view, play)) - _recovered(players.minmax_value(view, play)))


def _risk_by_greedy() -> Fraction:
    """R, if the other player's play is the one that `greedy` really chooses, of equally likely cards the highest."""
    pairs = list(itertools.combinations(HANDS, 2))
    return sum((_beaten_by_greedy(pair) for pair in pairs), Fraction(0)) / len(pairs)


def _beaten_by_greedy(pair: tuple[int, int]) -> Fraction:
    view = seen(pair, dict.fromkeys([*(card for card in HANDS if card not in pair), HANDMAID], 1))
    play = next(iter(players.play_values(view, players.greedy_value)))
    card, kept = int(CARD_OF[play]), sum(pair) - int(CARD_OF[play])
    if card == GUARD:
        return _p(view, HANDMAID) if NAMED_OF[play] == HANDMAID else Fraction(0)
    return Fraction(card == BARON and kept > HANDMAID)


def risk_by_greedy_figure(laboratory: Laboratory) -> Figure:
    """The same as a figure."""
    return exactly(_risk_by_greedy())


def prince_by_greedy(laboratory: Laboratory) -> Figure:
    """K of the Prince, with the risk of the play that `greedy` really chooses."""
    view = _second_example()
    gain = _recovered(players.greedy_value(view, play_number(PRINCE, 1)))
    return exactly(gain - (1 - _p(view, PRINCESS)) * _risk_by_greedy())


def answer_worth(laboratory: Laboratory, card: int, other: int) -> Figure:
    """F of a card for a player who holds this pair after the Prince of the second example, as `minmax` computes it."""
    total = len(HANDS) - 1
    return exactly(Fraction(int(values.answer_worth(_second_example(), card, other, HANDMAID, total)), 100 * total))


def answer_beats(laboratory: Laboratory, pair: tuple[int, int]) -> Figure:
    """How likely the better card of a pair puts us out, as `minmax` computes it."""
    total, view = len(HANDS) - 1, _second_example()
    card, other = sorted(pair, key=lambda card: -int(values.answer_worth(view, card, sum(pair) - card, HANDMAID, total)))
    return exactly(Fraction(int(values.answer_beats(view, card, other, HANDMAID, total)), total), percent=True)
