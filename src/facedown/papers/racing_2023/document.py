"""Jakóbczyk 2023: racing algorithms and coevolution. Claims on races, chapter 2, and on strategies, chapter 5.

Those on races are in `claims.py`, the tables and sentences on what was tuned in `coevolution.py`. On War the thesis states
two shares of games in one sentence: "Ta strategia ma 70%
szans na wygraną przeciwko strategii układania kart losowo oraz 54% szans na wygraną przeciwko strategii układania kart
malejąco." (This strategy has a 70 % chance to win against the strategy of laying cards in random order, and a 54 %
chance to win against the strategy of laying cards in descending order.) "This strategy" is the descending order itself.
"""

from __future__ import annotations

from functools import partial

from facedown.papers.claims import Correction, Place, Published, Reading
from facedown.papers.documents import Paper
from facedown.papers.racing_2023 import boxes, coevolution, war, war_orders
from facedown.papers.racing_2023 import claims as race_claims
from facedown.papers.racing_2023 import plots as race_plots

NAME = race_claims.PAPER_NAME
_WHERE = Place(NAME, "Chapter 5, 'Wyniki dla gry Wojna' (results for War), page 29: '{}'")

WAR = (
    _WHERE.quoting("70% szans na wygraną").claim(
        "war-descending-shuffled",
        "Won cards laid highest first win 70 % of the games against won cards laid in random order.",
        war.AGAINST_SHUFFLED,
        partial(war.score, agents=("descending", "shuffled")),
        readings=(
            Reading(
                "last_card",
                "the last card of a player who cannot complete a war counts",
                partial(war.score, agents=("descending", "shuffled"), last_card=True),
            ),
        ),
        note="The thesis does not say who wins when a player runs out of cards in a war: by default that player loses.",
    ),
    _WHERE.quoting("54% szans na wygraną").claim(
        "war-descending-descending",
        "Won cards laid highest first win 54 % of the games against won cards laid in descending order.",
        war.AGAINST_DESCENDING,
        partial(war.score, agents=("descending", "descending"), swap=False),
        correction=Correction(
            "Highest first is the descending order, and by symmetry an order wins exactly half of the games against itself; "
            "meant may be ascending against random order ({ascending_shuffled}) or descending against ascending "
            "({descending_ascending} if games that never end count as half, {decided} of those that end).",
            right=Published.exact("1/2"),
        ),
        readings=(
            Reading(
                "ascending_shuffled",
                "ascending against random order",
                partial(war.score, agents=("ascending", "shuffled")),
            ),
            Reading(
                "descending_ascending",
                "descending against ascending, capped games as half a win",
                partial(war.score, agents=("descending", "ascending"), games=war.ENDLESS),
            ),
            Reading(
                "descending_ascending_last_card",
                "the same, and the last card of a player who cannot complete a war counts",
                partial(war.score, agents=("descending", "ascending"), games=war.ENDLESS, last_card=True),
            ),
            Reading("decided", "descending against ascending, share won of the games that end", war.share_decided),
            Reading(
                "capped", "descending against ascending, games that the usual cap on rounds ends", war.share_capped, rival=False
            ),
            Reading(
                "cycled",
                "descending against ascending, games that never end, since both piles come back as they were",
                war.share_cycled,
                rival=False,
            ),
        ),
        note="Table 5.1 prints 0.5416 and 0.5452 for coevolved strategies against a random one: another possible origin.",
    ),
)

PAPER = Paper(
    name=NAME,
    title="Racing algorithms and coevolution",
    citation=(
        "A. Jakóbczyk: Zastosowanie stochastycznej optymalizacji do gier częściowo obserwowalnych (Application of "
        "stochastic optimization to partially observable games). Engineering thesis, Wrocław University of Science and "
        "Technology, 2023."
    ),
    about=(
        f"{race_claims.ABOUT} Chapter 5 tunes strategies for War, where the only choice is the order in which won cards go "
        "under one's pile, and for Rrrats, where it is whether to roll on. In War it finds that highest first is best, and "
        "states "
        "in one sentence how often that wins. A game that nobody wins counts as half here, and each deal is played twice, with "
        f"the seats swapped, except where an order plays itself. {coevolution.ABOUT}"
    ),
    claims=(*race_claims.CLAIMS, *WAR, *coevolution.CLAIMS),
    plots=(*race_plots.PLOTS, *war.PLOTS, *war_orders.PLOTS, *boxes.PLOTS),
    beside={
        "race-lengths": "race-squares-bernstein-games",
        "race-alpha": "race-error-function",
        "race-chosen": "race-chosen-delta",
        "race-errors": "race-same-errors",
        "race-games": "race-same-games",
        "race-equal": "race-equal-error",
        "war-shares": "war-descending-descending",
        "war-orders": "war-best-order",
        "war-boxes": "war-approximate2-max",
        "rrrats-reached": "rrrats-stop",
        "rrrats-boxes": "rrrats-approximate2-max",
    },
    seconds=(50, 1500),
)
