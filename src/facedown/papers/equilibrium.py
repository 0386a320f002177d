"""Sychev 2021: regret minimisation on Kuhn poker and dominoes. Claims on the games themselves.

Section 2.2 gives the rules of Kuhn poker and cites Kuhn 1950 for them. It prints no counts; those of Kuhn and Leduc
poker are the ones that OpenSpiel (Lanctot et al. 2019) tests itself against, so that whoever solves these games solves
the same ones.
"""

from __future__ import annotations

from functools import partial

from facedown.papers.claims import Claim, Correction, Published, Reading
from facedown.papers.documents import Paper
from facedown.papers.poker_figures import PLOTS, count, count_lines, play_uniformly, uniform_value, winner_takes

NAME = "equilibrium"
_RULES = "Section 2.2 'Покер Куна' (Kuhn poker), page 6, rules: '{}'"
_OPENSPIEL = "Not in the document. Reference: OpenSpiel, integration_tests/api_test.py, {}"
_STATES = _OPENSPIEL.format("TOTAL_NUM_STATES")
_SETS = _OPENSPIEL.format("PERFECT_RECALL_NUM_STATES")
_PASS, _BET = 0, 1

RULES = (
    Claim(
        id="kuhn-betting-lines",
        paper=NAME,
        where=_RULES.format("«пп», «сс», «сп», «псп» и «псс»"),
        says="Five sequences of passes and bets end a game of Kuhn poker.",
        published=Published.exact("5"),
        measure=partial(count_lines, game="kuhn"),
    ),
    Claim(
        id="kuhn-called-bet",
        paper=NAME,
        where=_RULES.format("игрок с большей картой получает 2 очка"),
        says="After a bet that is called, the player with the higher card wins 2.",
        published=Published.exact("2"),
        measure=partial(winner_takes, game="kuhn", last=(_BET, _BET)),
    ),
    Claim(
        id="kuhn-folded-bet",
        paper=NAME,
        where=_RULES.format("сделавший ставку игрок получает 1 очко"),
        says="After a bet that is not called, the player who bet wins 1.",
        published=Published.exact("1"),
        measure=partial(winner_takes, game="kuhn", last=(_BET, _PASS)),
    ),
    Claim(
        id="kuhn-two-passes",
        paper=NAME,
        where=_RULES.format("«пп», то игроки получают по 0 очков"),
        says="After two passes both players get 0.",
        published=Published.exact("0"),
        measure=partial(winner_takes, game="kuhn", last=(_PASS, _PASS)),
        correction=Correction(
            "Kuhn 1950, which the document cites for these rules, gives the antes to the higher card after two passes.",
            right=Published.exact("1"),
        ),
        readings=(
            Reading(
                "document",
                "the document's rule, which is the option pass_pays=no",
                partial(winner_takes, game="kuhn(pass_pays=no)", last=(_PASS, _PASS)),
            ),
        ),
    ),
)


def _counts(game: str, name: str, words: str, numbers: dict[str, str]) -> tuple[Claim, ...]:
    """A claim for each kind of node, and for the information sets."""
    meanings = {
        "chance": "chance nodes, one for each draw of a card",
        "decisions": "decision nodes",
        "ends": "ends",
        "nodes": "nodes in all",
        "information_sets": "information sets",
    }
    return tuple(
        Claim(
            id=f"{name}-{kind.replace('_', '-')}",
            paper=NAME,
            where=_SETS if kind == "information_sets" else f"{_STATES}{', added up' if kind == 'nodes' else ''}",
            says=f"The tree of {words} has {published} {meanings[kind]}.",
            published=Published.exact(published),
            measure=partial(count, game=game, kind=kind),
        )
        for kind, published in numbers.items()
    )


COUNTS = (
    *_counts(
        "kuhn",
        "kuhn",
        "Kuhn poker for two players",
        {"chance": "4", "decisions": "24", "ends": "30", "information_sets": "12"},
    ),
    *_counts(
        "kuhn(players=3)",
        "kuhn3",
        "Kuhn poker for three players",
        {"chance": "17", "decisions": "288", "ends": "312", "information_sets": "48"},
    ),
    *_counts(
        "leduc",
        "leduc",
        "Leduc poker",
        {"chance": "157", "decisions": "3,780", "ends": "5,520", "nodes": "9,457", "information_sets": "936"},
    ),
)

UNIFORM = (
    Claim(
        id="kuhn-uniform-value",
        paper=NAME,
        where=_OPENSPIEL.replace("integration_tests/api_test.py, {}", "python/algorithms/expected_game_score_test.py"),
        says="If both players of Kuhn poker choose every action equally often, player 0 wins 1/8 a game.",
        published=Published.exact("1/8"),
        measure=partial(uniform_value, game="kuhn"),
        readings=(Reading("played", "played with random cards, not enumerated", play_uniformly),),
    ),
)

PAPER = Paper(
    name=NAME,
    title="Equilibria of small poker games",
    citation=(
        "R. S. Sychev: Поиск приближенного равновесия в играх с неполной информацией (Search for approximate equilibria in "
        "games of incomplete information). Term paper, Demidov Yaroslavl State University, 2021. References: H. W. Kuhn, "
        "Simplified two-person poker, 1950; M. Lanctot et al., OpenSpiel: a framework for reinforcement learning in games, "
        "2019."
    ),
    about=(
        "The document minimises regret on Kuhn poker and on small dominoes. Before anything is solved, the games have to be "
        "the same as everybody's: these claims compare the rules that it states, and the size of the game trees that the "
        "literature works with. All counts come from walking every history of the rules that are played."
    ),
    claims=(*RULES, *COUNTS, *UNIFORM),
    plots=PLOTS,
)
