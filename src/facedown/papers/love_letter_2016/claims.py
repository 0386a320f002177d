"""Malarczyk 2016: what the thesis says of the cards and deals of Love Letter, as claims, followed by those on positions."""

from __future__ import annotations

from functools import partial

from facedown.games.love_letter.cards import GUARD, PRIEST, PRINCE, PRINCESS
from facedown.papers.claims import Claim, Correction, Published, Reading
from facedown.papers.love_letter_2016 import examples
from facedown.papers.love_letter_2016 import position_claims as positions
from facedown.papers.love_letter_2016.examples import LISTED, PAPER_NAME

_RULES = "Section 2.1 'Opis zasad gry' (rules), page 10: '{}'"
_COUNTS = "Section 2.2 'Oszacowanie ilości rozwiązań' (estimate of the number of solutions), page 15: '{}'"
_FOUR_GUARDS = "Sixteen cards have five Guards; with the four that the thesis lists there are fifteen cards in all."

RULES = (
    Claim(
        id="letter-cards",
        paper=PAPER_NAME,
        where=_RULES.format("W grze znajduje się 16 kart"),
        says="The game has 16 cards.",
        published=Published.exact("16"),
        measure=examples.cards,
    ),
    Claim(
        id="letter-kinds",
        paper=PAPER_NAME,
        where=_RULES.format("w 8 typach"),
        says="The cards are of 8 kinds.",
        published=Published.exact("8"),
        measure=examples.kinds,
    ),
    Claim(
        id="letter-guards",
        paper=PAPER_NAME,
        where=_RULES.format("4 karty Strażniczki"),
        says="Four of the cards are Guards.",
        published=Published.exact("4"),
        measure=partial(examples.copies, first=GUARD, last=GUARD),
        correction=Correction(
            "The game has five; with four, the cards that the same sentence lists would be {listed}, and not the 16 that it "
            "announces.",
            right=Published.exact("5"),
        ),
        readings=(Reading("listed", "all cards as they are listed", partial(examples.cards, game=LISTED), rival=False),),
        note="The thesis computes with four, which is the option guards=4 here; the worked examples are measured with it.",
    ),
    Claim(
        id="letter-twos",
        paper=PAPER_NAME,
        where=_RULES.format("po 2 karty Kapłana, Barona, Pokojówki i Księcia"),
        says="There are two each of Priest, Baron, Handmaid and Prince.",
        published=Published.exact("2"),
        measure=partial(examples.copies, first=PRIEST, last=PRINCE),
    ),
    Claim(
        id="letter-ones",
        paper=PAPER_NAME,
        where=_RULES.format("po jednej karcie Króla, Hrabiny i Księżniczki"),
        says="There is one each of King, Countess and Princess.",
        published=Published.exact("1"),
        measure=partial(examples.copies, first=PRINCE + 1, last=PRINCESS),
    ),
    *(
        Claim(
            id=f"letter-wins-{n_players}",
            paper=PAPER_NAME,
            where=_RULES.format(f"{wins} w grze na {n_players} graczy"),
            says=f"A match of {n_players} players is won with {wins} rounds.",
            published=Published.exact(str(wins)),
            measure=partial(examples.wins_needed, n_players=n_players),
        )
        for n_players, wins in ((2, 7), (3, 5), (4, 4))
    ),
)

COUNTS = (
    Claim(
        id="letter-permutations",
        paper=PAPER_NAME,
        where=_COUNTS.format("Dla n=16, n!=20922789888000"),
        says="If all cards were different, they could lie in 20922789888000 orders.",
        published=Published.exact("20922789888000"),
        measure=partial(examples.orders, repeated=None),
    ),
    Claim(
        id="letter-equal-cards",
        paper=PAPER_NAME,
        where=_COUNTS.format("4!*2!*2!*2!*2!=384"),
        says="Equal cards can be exchanged in 384 ways.",
        published=Published.exact("384"),
        measure=examples.equal_orders,
        correction=Correction(_FOUR_GUARDS, right=Published.exact("1920")),
        readings=(Reading("listed", "with four Guards", partial(examples.equal_orders, game=LISTED)),),
    ),
    Claim(
        id="letter-orders",
        paper=PAPER_NAME,
        where=_COUNTS.format("20922789888000/32 = 54486432000"),
        says="The cards can lie in 54486432000 different orders.",
        published=Published.exact("54486432000"),
        measure=examples.orders,
        correction=Correction(
            "The number takes 16 cards but exchanges only four Guards; it is {listed} with the fifteen cards listed.",
            right=Published.exact("10897286400"),
        ),
        readings=(
            Reading("mixed", "16 cards, 4 Guards among them exchanged", partial(examples.orders, repeated=LISTED)),
            Reading("listed", "15 cards, 4 Guards", partial(examples.orders, n_cards=LISTED, repeated=LISTED)),
            Reading("printed", "the quotient as it is printed", partial(examples.orders, repeated=None, divisor=32)),
        ),
        note=(
            "The printed divisor, 32, is a slip for 384, with which it would be {printed}; and where the digits have 486 "
            "million, the words beside them have 864."
        ),
    ),
    Claim(
        id="letter-dealt",
        paper=PAPER_NAME,
        where=_COUNTS.format("Pozostaje 10 kart w talii"),
        says="After the deal 10 cards are left in the deck.",
        published=Published.exact("10"),
        measure=examples.dealt,
    ),
    Claim(
        id="letter-decisions",
        paper=PAPER_NAME,
        where=_COUNTS.format("gracze łącznie 10 razy pociągną kartę, więc podejmą 10 decyzji"),
        says="A round that nobody ends has 10 decisions.",
        published=Published.exact("10"),
        measure=examples.longest,
    ),
    Claim(
        id="letter-fewest-plays",
        paper=PAPER_NAME,
        where=_COUNTS.format("W każdej turze gracz ma do wyboru co najmniej dwa zagrania"),
        says="In every turn there are at least two plays to choose from.",
        published=Published.exact("2"),
        measure=examples.fewest_plays,
        correction=Correction(
            "A Countess beside a King or a Prince must be played, and two Handmaids are one play, so there can be just one.",
            right=Published.exact("1"),
        ),
    ),
    Claim(
        id="letter-named",
        paper=PAPER_NAME,
        where=_COUNTS.format("można wytypować 7 typów kart"),
        says="A Guard can name 7 kinds of cards.",
        published=Published.exact("7"),
        measure=examples.named,
    ),
    Claim(
        id="letter-lines",
        paper=PAPER_NAME,
        where=_COUNTS.format("2^10 = 1024"),
        says="With two plays in every turn, a deal has 1024 courses.",
        published=Published.exact("1024"),
        measure=examples.lines_of_play,
    ),
    Claim(
        id="letter-solutions",
        paper=PAPER_NAME,
        where=_COUNTS.format("54486432000 * 1024 = 55794106368000"),
        says="All deals together have 55794106368000 courses.",
        published=Published.exact("55794106368000"),
        measure=partial(examples.orders, lines=1024),
        correction=Correction(
            "The number of orders is that of 16 cards with five Guards among them, a fifth of what the thesis takes.",
            right=Published.exact("11158821273600"),
        ),
        readings=(
            Reading("mixed", "with the thesis' number of orders", partial(examples.orders, repeated=LISTED, lines=1024)),
        ),
    ),
)

CLAIMS = (*RULES, *COUNTS, *positions.FIRST, *positions.SECOND)
