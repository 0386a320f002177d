"""Malarczyk 2016: what the thesis says of the cards and deals of Love Letter, as claims, followed by those on positions."""

from __future__ import annotations

from functools import partial

from facedown.games.love_letter.cards import GUARD, PRIEST, PRINCE, PRINCESS
from facedown.papers.claims import Correction, Place, Published, Reading
from facedown.papers.love_letter_2016 import examples
from facedown.papers.love_letter_2016 import position_claims as positions
from facedown.papers.love_letter_2016.examples import LISTED, PAPER_NAME

_RULES = Place(PAPER_NAME, "Section 2.1 'Opis zasad gry' (rules), page 10: '{}'")
_COUNTS = Place(PAPER_NAME, "Section 2.2 'Oszacowanie ilości rozwiązań' (estimate of the number of solutions), page 15: '{}'")
_FOUR_GUARDS = "Sixteen cards have five Guards; with the four that the thesis lists there are fifteen cards in all."

RULES = (
    _RULES.quoting("W grze znajduje się 16 kart").exact("letter-cards", "The game has 16 cards.", "16", examples.cards),
    _RULES.quoting("w 8 typach").exact("letter-kinds", "The cards are of 8 kinds.", "8", examples.kinds),
    _RULES.quoting("4 karty Strażniczki").exact(
        "letter-guards",
        "Four of the cards are Guards.",
        "4",
        partial(examples.copies, first=GUARD, last=GUARD),
        correction=Correction(
            "The game has five; with four, the cards that the same sentence lists would be {listed}, and not the 16 that it "
            "announces.",
            right=Published.exact("5"),
        ),
        readings=(Reading("listed", "all cards as they are listed", partial(examples.cards, game=LISTED), rival=False),),
        note="The thesis computes with four, which is the option guards=4 here; the worked examples are measured with it.",
    ),
    _RULES.quoting("po 2 karty Kapłana, Barona, Pokojówki i Księcia").exact(
        "letter-twos",
        "There are two each of Priest, Baron, Handmaid and Prince.",
        "2",
        partial(examples.copies, first=PRIEST, last=PRINCE),
    ),
    _RULES.quoting("po jednej karcie Króla, Hrabiny i Księżniczki").exact(
        "letter-ones",
        "There is one each of King, Countess and Princess.",
        "1",
        partial(examples.copies, first=PRINCE + 1, last=PRINCESS),
    ),
    *(
        _RULES.quoting(f"{wins} w grze na {n_players} graczy").exact(
            f"letter-wins-{n_players}",
            f"A match of {n_players} players is won with {wins} rounds.",
            str(wins),
            partial(examples.wins_needed, n_players=n_players),
        )
        for n_players, wins in ((2, 7), (3, 5), (4, 4))
    ),
)

COUNTS = (
    _COUNTS.quoting("Dla n=16, n!=20922789888000").exact(
        "letter-permutations",
        "If all cards were different, they could lie in 20922789888000 orders.",
        "20922789888000",
        partial(examples.orders, repeated=None),
    ),
    _COUNTS.quoting("4!*2!*2!*2!*2!=384").exact(
        "letter-equal-cards",
        "Equal cards can be exchanged in 384 ways.",
        "384",
        examples.equal_orders,
        correction=Correction(_FOUR_GUARDS, right=Published.exact("1920")),
        readings=(Reading("listed", "with four Guards", partial(examples.equal_orders, game=LISTED)),),
    ),
    _COUNTS.quoting("20922789888000/32 = 54486432000").exact(
        "letter-orders",
        "The cards can lie in 54486432000 different orders.",
        "54486432000",
        examples.orders,
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
    _COUNTS.quoting("Pozostaje 10 kart w talii").exact(
        "letter-dealt", "After the deal 10 cards are left in the deck.", "10", examples.dealt
    ),
    _COUNTS.quoting("gracze łącznie 10 razy pociągną kartę, więc podejmą 10 decyzji").exact(
        "letter-decisions", "A round that nobody ends has 10 decisions.", "10", examples.longest
    ),
    _COUNTS.quoting("W każdej turze gracz ma do wyboru co najmniej dwa zagrania").exact(
        "letter-fewest-plays",
        "In every turn there are at least two plays to choose from.",
        "2",
        examples.fewest_plays,
        correction=Correction(
            "A Countess beside a King or a Prince must be played, and two Handmaids are one play, so there can be just one.",
            right=Published.exact("1"),
        ),
    ),
    _COUNTS.quoting("można wytypować 7 typów kart").exact(
        "letter-named", "A Guard can name 7 kinds of cards.", "7", examples.named
    ),
    _COUNTS.quoting("2^10 = 1024").exact(
        "letter-lines", "With two plays in every turn, a deal has 1024 courses.", "1024", examples.lines_of_play
    ),
    _COUNTS.quoting("54486432000 * 1024 = 55794106368000").exact(
        "letter-solutions",
        "All deals together have 55794106368000 courses.",
        "55794106368000",
        partial(examples.orders, lines=1024),
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
