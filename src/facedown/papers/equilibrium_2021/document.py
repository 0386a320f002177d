"""Sychev 2021: regret minimisation on Kuhn poker and dominoes.

Section 2.2 gives the rules of Kuhn poker and cites Kuhn 1950 for them. It prints no counts; those of Kuhn and Leduc
poker are the ones that OpenSpiel (Lanctot et al. 2019) tests itself against, so that whoever solves these games solves
the same ones. The pictures with its results are missing from the document, so the solutions are held against what Kuhn
derived and what others have published; strategies and curves are shown beside the claims.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from facedown.papers.claims import Claim, Correction, Place, Published, Reading
from facedown.papers.documents import Paper
from facedown.papers.equilibrium_2021 import poker as poker_figures
from facedown.papers.equilibrium_2021 import solvers as solver_figures
from facedown.papers.equilibrium_2021.poker import count, count_lines, play_uniformly, uniform_value, winner_takes
from facedown.papers.equilibrium_2021.solvers import by_the_source, exploitability, kuhn_chance, kuhn_figure, value
from facedown.solving.solution import Solution

NAME = "equilibrium"
_RULES = Place(NAME, "Section 2.2 'Покер Куна' (Kuhn poker), page 6, rules: '{}'")
_OPENSPIEL = Place(NAME, "Not in the document. Reference: OpenSpiel, {}")
_SIZES = _OPENSPIEL.quoting("integration_tests/api_test.py, {}")
_PASS, _BET = 0, 1

RULES = (
    _RULES.quoting("«пп», «сс», «сп», «псп» и «псс»").exact(
        "kuhn-betting-lines",
        "Five sequences of passes and bets end a game of Kuhn poker.",
        "5",
        partial(count_lines, game="kuhn"),
    ),
    _RULES.quoting("игрок с большей картой получает 2 очка").exact(
        "kuhn-called-bet",
        "After a bet that is called, the player with the higher card wins 2.",
        "2",
        partial(winner_takes, game="kuhn", last=(_BET, _BET)),
    ),
    _RULES.quoting("сделавший ставку игрок получает 1 очко").exact(
        "kuhn-folded-bet",
        "After a bet that is not called, the player who bet wins 1.",
        "1",
        partial(winner_takes, game="kuhn", last=(_BET, _PASS)),
    ),
    _RULES.quoting("«пп», то игроки получают по 0 очков").exact(
        "kuhn-two-passes",
        "After two passes both players get 0.",
        "0",
        partial(winner_takes, game="kuhn", last=(_PASS, _PASS)),
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


_KINDS = {
    "chance": "chance nodes, one for each draw of a card",
    "decisions": "decision nodes",
    "ends": "ends",
    "nodes": "nodes in all",
    "information_sets": "information sets",
}
_TESTS = {"nodes": "TOTAL_NUM_STATES, added up", "information_sets": "PERFECT_RECALL_NUM_STATES"}


def _counts(game: str, name: str, words: str, *numbers: str) -> tuple[Claim, ...]:
    """A claim for each kind of node, and for the information sets; none where there is no number."""
    return tuple(
        _SIZES.quoting(_TESTS.get(kind, "TOTAL_NUM_STATES")).exact(
            f"{name}-{kind.replace('_', '-')}",
            f"The tree of {words} has {published} {meaning}.",
            published,
            partial(count, game=game, kind=kind),
        )
        for (kind, meaning), published in zip(_KINDS.items(), numbers, strict=True)
        if published
    )


COUNTS = (
    *_counts("kuhn", "kuhn", "Kuhn poker for two players", "4", "24", "30", "", "12"),
    *_counts("kuhn(players=3)", "kuhn3", "Kuhn poker for three players", "17", "288", "312", "", "48"),
    *_counts("leduc", "leduc", "Leduc poker", "157", "3,780", "5,520", "9,457", "936"),
)

UNIFORM = (
    _OPENSPIEL.quoting("python/algorithms/expected_game_score_test.py").exact(
        "kuhn-uniform-value",
        "If both players of Kuhn poker choose every action equally often, player 0 wins 1/8 a game.",
        "1/8",
        partial(uniform_value, game="kuhn"),
        readings=(Reading("played", "played with random cards, not enumerated", play_uniformly),),
    ),
)

_KUHN = Place(NAME, "H. W. Kuhn, Simplified two-person poker, 1950, which the document cites")
_CHECKED = Place(NAME, "Not in the document. Reference: OpenSpiel's CFR solvers and best responses, version 1.6 and later")
_JACK, _QUEEN, _KING = 0, 1, 2
_by_the_source = partial(Reading, "source", "by the document's method, chance sampling")

VALUES = (
    _KUHN.exact(
        "kuhn-value",
        "Kuhn poker is worth -1/18 to the first player.",
        "-1/18",
        partial(value, game="kuhn"),
        readings=(
            _by_the_source(partial(value, game="kuhn", solved=by_the_source)),
            Reading(
                "document",
                "with the document's rule for two passes, which is the option pass_pays=no",
                partial(value, game="kuhn(pass_pays=no)"),
                rival=False,
            ),
        ),
        note="With the document's rule for two passes the game is worth {document} instead, which is -1/9.",
    ),
    _CHECKED.printed(
        "leduc-value",
        "Leduc poker is worth -0.085606424078 to the first player.",
        "-0.085606424078",
        partial(value, game="leduc"),
    ),
)


def _kuhn(name: str, says: str, published: str, number: Callable[[Solution], float]) -> Claim:
    """A claim on the equilibria of Kuhn poker, solved by our best method and by the document's."""
    return _KUHN.exact(
        f"kuhn-{name}",
        says,
        published,
        partial(kuhn_figure, number=number),
        readings=(_by_the_source(partial(kuhn_figure, number=number, solved=by_the_source)),),
    )


_STRATEGIES = (
    _kuhn(
        "second-bluffs",
        "After a pass, the second player bets the jack, a bluff, one time in three.",
        "1/3",
        lambda solution: kuhn_chance(solution, 1, _JACK, (_PASS,)),
    ),
    _kuhn(
        "second-calls",
        "After a bet, the second player calls with the queen one time in three.",
        "1/3",
        lambda solution: kuhn_chance(solution, 1, _QUEEN, (_BET,)),
    ),
    _kuhn(
        "first-calls",
        "The first player calls with the queen one third more often than they bet the jack.",
        "1/3",
        lambda solution: kuhn_chance(solution, 0, _QUEEN, (_PASS, _BET)) - kuhn_chance(solution, 0, _JACK, ()),
    ),
    _kuhn(
        "first-bets",
        "The first player bets the king three times as often as the jack: the difference from that is 0.",
        "0",
        lambda solution: kuhn_chance(solution, 0, _KING, ()) - 3 * kuhn_chance(solution, 0, _JACK, ()),
    ),
)


def _after(game: str, title: str, iterations: int, published: str) -> Claim:
    plural = "s" if iterations > 1 else ""
    return _CHECKED.printed(
        f"{game}-cfr-{iterations}",
        f"After {iterations:,} iteration{plural} of cfr on {title}, players in turn, exploitability is {published}.",
        published,
        partial(exploitability, game=game, method="cfr", iterations=iterations),
    )


_CONVERGENCE = (
    _CHECKED.exact(
        "kuhn-uniform-nashconv",
        "Against uniform play of Kuhn poker, best responses gain 11/12 together.",
        "11/12",
        partial(solver_figures.uniform_nash_conv, game="kuhn"),
    ),
    _CHECKED.printed(
        "leduc-uniform-nashconv",
        "Against uniform play of Leduc poker, best responses gain 4.747222 together.",
        "4.747222",
        partial(solver_figures.uniform_nash_conv, game="leduc"),
    ),
    *(
        _after("kuhn", "Kuhn poker", iterations, published)
        for iterations, published in ((1, "0.458333"), (2, "0.270833"), (4, "0.140625"), (1024, "0.000609695"))
    ),
    *(_after("leduc", "Leduc poker", iterations, published) for iterations, published in ((1, "2.373611"), (16, "0.598120"))),
)

PAPER = Paper(
    name=NAME,
    title="Equilibria of small poker and domino games",
    citation=(
        "R. S. Sychev: Поиск приближенного равновесия в играх с неполной информацией (Search for approximate equilibria in "
        "games of incomplete information). Term paper, Demidov Yaroslavl State University, 2021. References: H. W. Kuhn, "
        "Simplified two-person poker, 1950; M. Lanctot et al., OpenSpiel: a framework for reinforcement learning in games, "
        "2019."
    ),
    about=(
        "The document minimises regret on Kuhn poker and on small dominoes. Before anything is solved, the games have to be "
        "the same as everybody's: these claims compare the rules that it states, and the size of the game trees that the "
        "literature works with. All counts come from walking every history of the rules that are played. Then they are solved: "
        "values, strategies and the speed of convergence beside what is known. Exploitability is NashConv divided by the "
        "number of players; NashConv is the sum over the players of what a best response gains."
    ),
    claims=(*RULES, *COUNTS, *UNIFORM, *VALUES, *_STRATEGIES, *_CONVERGENCE),
    plots=(*poker_figures.PLOTS, *solver_figures.PLOTS),
    passages=solver_figures.PASSAGES,
    beside={
        "kuhn-uniform": "kuhn-uniform-value",
        "tree-sizes": "leduc-information-sets",
        "kuhn-curves": "kuhn-cfr-1024",
    },
    seconds=(20, 75),
)
