"""Malarczyk 2016: the two positions of Love Letter that the thesis works out by hand, as claims.

They are those of sections 3.2.2 and 3.3.2, and are measured with its deck of four Guards.
"""

from __future__ import annotations

from functools import partial

from facedown.games.love_letter.cards import BARON, COUNTESS, GUARD, HANDMAID, NAMES, PRIEST, PRINCE, PRINCESS, play_number
from facedown.papers.claims import Claim, Correction, Place, Published, Reading
from facedown.papers.love_letter_2016 import examples
from facedown.papers.love_letter_2016.examples import OFFICIAL, PAPER_NAME

_FIRST = Place(PAPER_NAME, "Section 3.2.2, pages 22-23: '{}'")
_SECOND = Place(PAPER_NAME, "Section 3.3.2, pages 26-27: '{}'")
_TABLE = Place(PAPER_NAME, "Section 3.3.2, Table 3.2, page 26: '{}'")
_GUARD, _BARON = play_number(GUARD, 1, PRIEST), play_number(BARON, 1)
_PRINCE, _HANDMAID = play_number(PRINCE, 1), play_number(HANDMAID)

FIRST = (
    _FIRST.quoting("w talii pozostało 9 kart").exact(
        "letter-left-in-deck",
        "In the first turn, with Guard and Baron in hand and three cards open, the deck has 9 cards.",
        "9",
        examples.left_in_deck,
        correction=Correction(
            "Of the fifteen cards of Table 3.1 eight are left; nine are left of sixteen, but then the Guard has not 30 but "
            "36 %.",
            right=Published.exact("8"),
        ),
        readings=(Reading("official", "with five Guards", partial(examples.left_in_deck, game=OFFICIAL)),),
    ),
    *(
        Place(PAPER_NAME, f"Section 3.2.2, Table 3.1, page 22: '{polish}'").printed(
            f"letter-p-{NAMES[card].lower()}",
            f"The other player holds a {NAMES[card]} with probability {percent} %.",
            f"{percent} %",
            partial(examples.p_card, card=card),
            readings=(Reading("official", "with five Guards", partial(examples.p_card, card=card, game=OFFICIAL)),),
        )
        for card, polish, percent in (
            (GUARD, "Strażniczka", 30),
            (PRIEST, "Kapłan", 20),
            (BARON, "Baron", 10),
            (HANDMAID, "Pokojówka", 10),
            (PRINCE, "Książę", 10),
            (COUNTESS, "Hrabina", 10),
            (PRINCESS, "Księżniczka", 10),
        )
    ),
    _FIRST.quoting("w 70% przypadków skończyłoby to się porażką").printed(
        "letter-baron-loses",
        "A Baron, with the Guard kept, loses with probability 70 %.",
        "70 %",
        partial(examples.p_baron, tie=False),
    ),
    _FIRST.quoting("a w 30% nie było by żadnego efektu").printed(
        "letter-baron-ties",
        "A Baron, with the Guard kept, has no effect with probability 30 %.",
        "30 %",
        partial(examples.p_baron, tie=True),
    ),
    _FIRST.quoting("F(Strazniczka) = 1.2").printed(
        "letter-f-guard-plain",
        "Without small numbers, the Guard that names the Priest is worth 1.2.",
        "1.2",
        partial(examples.greedy_worth, play=_GUARD, small=False),
    ),
    _FIRST.quoting("F(Baron) = 0.3").printed(
        "letter-f-baron-plain",
        "Without small numbers, the Baron is worth 0.3.",
        "0.3",
        partial(examples.greedy_worth, play=_BARON, small=False),
    ),
    Place(PAPER_NAME, "Section 3.2.3, page 24: 'return 1 + P[Kaplan] + 0.08', with Table 3.1").printed(
        "letter-f-guard", "F of the Guard that names the Priest is 1.28.", "1.28", partial(examples.greedy_worth, play=_GUARD)
    ),
    Place(PAPER_NAME, "Section 3.2.3, page 24: 'return 1 - szansePrzegranej + szanseWygranej + 0.06', with Table 3.1").printed(
        "letter-f-baron", "F of the Baron is 0.36.", "0.36", partial(examples.greedy_worth, play=_BARON)
    ),
)

_ANSWERS = (
    (GUARD, BARON, "1.41", "0.6", "33.(3) %", 1 / 3),
    (GUARD, PRINCE, "1.41", "1.37", "33.(3) %", 1 / 3),
    (GUARD, PRINCESS, "1.41", "0", "33.(3) %", 1 / 3),
    (BARON, PRINCE, "1.39", "1.37", "100 %", 1.0),
    (BARON, PRINCESS, "2.06", "0", "100 %", 1.0),
    (PRINCE, PRINCESS, "1.04", "0", "0 %", 0.0),
)
_POLISH = {GUARD: "Str", BARON: "Bar", PRINCE: "K-e", PRINCESS: "K-a"}
_SLIPS = {
    (GUARD, BARON): Correction(
        "A Baron with a Guard in hand loses to all three cards that this player has not seen, so F is 1 - 1 + 0.06.",
        right=Published.exact("0.06"),
    )
}
_NOTES = {(GUARD, PRINCESS): "The row's 'P(Str)' is a slip for 'P(Pok)': this player holds the Guard."}


def _answers(first: int, second: int, worth_1: str, worth_2: str, loss: str, p_loss: float) -> tuple[Claim, Claim, Claim]:
    """A row of Table 3.2."""
    name = f"letter-{NAMES[first]}-{NAMES[second]}".lower()
    holding = f"with {NAMES[first]} and {NAMES[second]}"
    where = _TABLE.quoting(f"{_POLISH[first]}; {_POLISH[second]}")
    pair = (first, second)
    return (
        where.printed(
            f"{name}-first",
            f"For the other player {holding}, F of the {NAMES[first]} is {worth_1}.",
            worth_1,
            partial(examples.answer_worth, card=first, other=second),
        ),
        where.claim(
            f"{name}-second",
            f"For the other player {holding}, F of the {NAMES[second]} is {worth_2}.",
            Published.printed(worth_2) if worth_2 != "0" else Published.exact(worth_2),
            partial(examples.answer_worth, card=second, other=first),
            correction=_SLIPS.get(pair),
        ),
        where.claim(
            f"{name}-loss",
            f"The other player {holding} beats us with probability {loss}.",
            Published(loss, p_loss),
            partial(examples.answer_beats, pair=pair),
            note=_NOTES.get(pair, ""),
        ),
    )


_EQUAL_VALUES = (
    "Section 3.2.2 has a Guard name the highest of equally likely cards, which is never our Handmaid in Table 3.2; the table "
    "fears the Guard all the same, and by that rule it would be {greedy}."
)

SECOND = (
    _SECOND.quoting("jest 6 par kart które może posiadać przeciwnik").exact(
        "letter-pairs", "There are 6 pairs of cards that the other player can hold.", "6", examples.n_pairs
    ),
    _SECOND.quoting("Prawdopodobieństwo wystąpienia każdej z nich u przeciwnika wynosi 25%").printed(
        "letter-p-each",
        "With Prince and Handmaid in hand and four cards unseen, the other holds the Princess with probability 25 %.",
        "25 %",
        partial(examples.p_second, wins=True),
    ),
    _SECOND.quoting("w 75% przypadków nie wygrywamy").printed(
        "letter-p-undecided", "The Prince does not win with probability 75 %.", "75 %", partial(examples.p_second, wins=False)
    ),
    _SECOND.quoting("F_max(Ksiaze, P[]) = 1.29").printed(
        "letter-f-prince", "F of the Prince is 1.29.", "1.29", partial(examples.greedy_worth, play=_PRINCE, second=True)
    ),
    _SECOND.quoting("F_max(Pokojowka, P[]) = 1.05").printed(
        "letter-f-handmaid", "F of the Handmaid is 1.05.", "1.05", partial(examples.greedy_worth, play=_HANDMAID, second=True)
    ),
    *(claim for row in _ANSWERS for claim in _answers(*row)),
    _SECOND.quoting("1/6 * 3 = 0.50").printed(
        "letter-risk",
        "R, the chance to be beaten by the answer, is 0.50.",
        "0.50",
        examples.risk_figure,
        readings=(Reading("greedy", "if the answer is what greedy really plays", examples.risk_by_greedy_figure),),
        note=_EQUAL_VALUES,
    ),
    _SECOND.quoting("F_min(Ksiaze, P[]) = 0.75 * 0.50 = 0.375").printed(
        "letter-f-min", "Fmin of the Prince is 0.375.", "0.375", examples.prince_loss
    ),
    _SECOND.quoting("1.29 - 0.375 = 0.915").printed(
        "letter-k-prince",
        "K of the Prince is 0.915.",
        "0.915",
        partial(examples.minmax_worth, play=_PRINCE),
        readings=(Reading("greedy", "if the answer is what greedy really plays", examples.prince_by_greedy),),
        note="With the answer that greedy really plays it would be {greedy}, still less than the Handmaid's 1.05.",
    ),
    _SECOND.quoting("K(Pokojowka) = 1.05 - 0 = 1.05").printed(
        "letter-k-handmaid",
        "K of the Handmaid is 1.05, so minmax plays her.",
        "1.05",
        partial(examples.minmax_worth, play=_HANDMAID),
    ),
)
