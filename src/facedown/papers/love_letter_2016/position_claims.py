"""Malarczyk 2016: the two positions of Love Letter that the thesis works out by hand, as claims.

They are those of sections 3.2.2 and 3.3.2, and are measured with its deck of four Guards.
"""

from __future__ import annotations

from functools import partial

from facedown.games.love_letter.cards import BARON, COUNTESS, GUARD, HANDMAID, NAMES, PRIEST, PRINCE, PRINCESS, play_number
from facedown.papers.claims import Claim, Correction, Published, Reading
from facedown.papers.love_letter_2016 import examples
from facedown.papers.love_letter_2016.examples import OFFICIAL, PAPER_NAME

_FIRST = "Section 3.2.2, pages 22-23: '{}'"
_SECOND = "Section 3.3.2, pages 26-27: '{}'"
_TABLE = "Section 3.3.2, Table 3.2, page 26: '{}'"
_GUARD, _BARON = play_number(GUARD, 1, PRIEST), play_number(BARON, 1)
_PRINCE, _HANDMAID = play_number(PRINCE, 1), play_number(HANDMAID)

FIRST = (
    Claim(
        id="letter-left-in-deck",
        paper=PAPER_NAME,
        where=_FIRST.format("w talii pozostało 9 kart"),
        says="In the first turn, with Guard and Baron in hand and three cards open, the deck has 9 cards.",
        published=Published.exact("9"),
        measure=examples.left_in_deck,
        correction=Correction(
            "Of the fifteen cards of Table 3.1 eight are left; nine are left of sixteen, but then the Guard has not 30 but "
            "36 %.",
            right=Published.exact("8"),
        ),
        readings=(Reading("official", "with five Guards", partial(examples.left_in_deck, game=OFFICIAL)),),
    ),
    *(
        Claim(
            id=f"letter-p-{NAMES[card].lower()}",
            paper=PAPER_NAME,
            where=f"Section 3.2.2, Table 3.1, page 22: '{polish}'",
            says=f"The other player holds a {NAMES[card]} with probability {percent} %.",
            published=Published.printed(f"{percent} %"),
            measure=partial(examples.p_card, card=card),
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
    Claim(
        id="letter-baron-loses",
        paper=PAPER_NAME,
        where=_FIRST.format("w 70% przypadków skończyłoby to się porażką"),
        says="A Baron, with the Guard kept, loses with probability 70 %.",
        published=Published.printed("70 %"),
        measure=partial(examples.p_baron, tie=False),
    ),
    Claim(
        id="letter-baron-ties",
        paper=PAPER_NAME,
        where=_FIRST.format("a w 30% nie było by żadnego efektu"),
        says="A Baron, with the Guard kept, has no effect with probability 30 %.",
        published=Published.printed("30 %"),
        measure=partial(examples.p_baron, tie=True),
    ),
    Claim(
        id="letter-f-guard-plain",
        paper=PAPER_NAME,
        where=_FIRST.format("F(Strazniczka) = 1.2"),
        says="Without small numbers, the Guard that names the Priest is worth 1.2.",
        published=Published.printed("1.2"),
        measure=partial(examples.greedy_worth, play=_GUARD, small=False),
    ),
    Claim(
        id="letter-f-baron-plain",
        paper=PAPER_NAME,
        where=_FIRST.format("F(Baron) = 0.3"),
        says="Without small numbers, the Baron is worth 0.3.",
        published=Published.printed("0.3"),
        measure=partial(examples.greedy_worth, play=_BARON, small=False),
    ),
    Claim(
        id="letter-f-guard",
        paper=PAPER_NAME,
        where="Section 3.2.3, page 24: 'return 1 + P[Kaplan] + 0.08', with Table 3.1",
        says="F of the Guard that names the Priest is 1.28.",
        published=Published.printed("1.28"),
        measure=partial(examples.greedy_worth, play=_GUARD),
    ),
    Claim(
        id="letter-f-baron",
        paper=PAPER_NAME,
        where="Section 3.2.3, page 24: 'return 1 - szansePrzegranej + szanseWygranej + 0.06', with Table 3.1",
        says="F of the Baron is 0.36.",
        published=Published.printed("0.36"),
        measure=partial(examples.greedy_worth, play=_BARON),
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
    where = _TABLE.format(f"{_POLISH[first]}; {_POLISH[second]}")
    pair = (first, second)
    return (
        Claim(
            id=f"{name}-first",
            paper=PAPER_NAME,
            where=where,
            says=f"For the other player {holding}, F of the {NAMES[first]} is {worth_1}.",
            published=Published.printed(worth_1),
            measure=partial(examples.answer_worth, card=first, other=second),
        ),
        Claim(
            id=f"{name}-second",
            paper=PAPER_NAME,
            where=where,
            says=f"For the other player {holding}, F of the {NAMES[second]} is {worth_2}.",
            published=Published.printed(worth_2) if worth_2 != "0" else Published.exact(worth_2),
            measure=partial(examples.answer_worth, card=second, other=first),
            correction=_SLIPS.get(pair),
        ),
        Claim(
            id=f"{name}-loss",
            paper=PAPER_NAME,
            where=where,
            says=f"The other player {holding} beats us with probability {loss}.",
            published=Published(loss, p_loss),
            measure=partial(examples.answer_beats, pair=pair),
            note=_NOTES.get(pair, ""),
        ),
    )


_EQUAL_VALUES = (
    "Section 3.2.2 has a Guard name the highest of equally likely cards, which is never our Handmaid in Table 3.2; the table "
    "fears the Guard all the same, and by that rule it would be {greedy}."
)

SECOND = (
    Claim(
        id="letter-pairs",
        paper=PAPER_NAME,
        where=_SECOND.format("jest 6 par kart które może posiadać przeciwnik"),
        says="There are 6 pairs of cards that the other player can hold.",
        published=Published.exact("6"),
        measure=examples.n_pairs,
    ),
    Claim(
        id="letter-p-each",
        paper=PAPER_NAME,
        where=_SECOND.format("Prawdopodobieństwo wystąpienia każdej z nich u przeciwnika wynosi 25%"),
        says="With Prince and Handmaid in hand and four cards unseen, the other holds the Princess with probability 25 %.",
        published=Published.printed("25 %"),
        measure=partial(examples.p_second, wins=True),
    ),
    Claim(
        id="letter-p-undecided",
        paper=PAPER_NAME,
        where=_SECOND.format("w 75% przypadków nie wygrywamy"),
        says="The Prince does not win with probability 75 %.",
        published=Published.printed("75 %"),
        measure=partial(examples.p_second, wins=False),
    ),
    Claim(
        id="letter-f-prince",
        paper=PAPER_NAME,
        where=_SECOND.format("F_max(Ksiaze, P[]) = 1.29"),
        says="F of the Prince is 1.29.",
        published=Published.printed("1.29"),
        measure=partial(examples.greedy_worth, play=_PRINCE, second=True),
    ),
    Claim(
        id="letter-f-handmaid",
        paper=PAPER_NAME,
        where=_SECOND.format("F_max(Pokojowka, P[]) = 1.05"),
        says="F of the Handmaid is 1.05.",
        published=Published.printed("1.05"),
        measure=partial(examples.greedy_worth, play=_HANDMAID, second=True),
    ),
    *(claim for row in _ANSWERS for claim in _answers(*row)),
    Claim(
        id="letter-risk",
        paper=PAPER_NAME,
        where=_SECOND.format("1/6 * 3 = 0.50"),
        says="R, the chance to be beaten by the answer, is 0.50.",
        published=Published.printed("0.50"),
        measure=examples.risk_figure,
        readings=(Reading("greedy", "if the answer is what greedy really plays", examples.risk_by_greedy_figure),),
        note=_EQUAL_VALUES,
    ),
    Claim(
        id="letter-f-min",
        paper=PAPER_NAME,
        where=_SECOND.format("F_min(Ksiaze, P[]) = 0.75 * 0.50 = 0.375"),
        says="Fmin of the Prince is 0.375.",
        published=Published.printed("0.375"),
        measure=examples.prince_loss,
    ),
    Claim(
        id="letter-k-prince",
        paper=PAPER_NAME,
        where=_SECOND.format("1.29 - 0.375 = 0.915"),
        says="K of the Prince is 0.915.",
        published=Published.printed("0.915"),
        measure=partial(examples.minmax_worth, play=_PRINCE),
        readings=(Reading("greedy", "if the answer is what greedy really plays", examples.prince_by_greedy),),
        note="With the answer that greedy really plays it would be {greedy}, still less than the Handmaid's 1.05.",
    ),
    Claim(
        id="letter-k-handmaid",
        paper=PAPER_NAME,
        where=_SECOND.format("K(Pokojowka) = 1.05 - 0 = 1.05"),
        says="K of the Handmaid is 1.05, so minmax plays her.",
        published=Published.printed("1.05"),
        measure=partial(examples.minmax_worth, play=_HANDMAID),
    ),
)
