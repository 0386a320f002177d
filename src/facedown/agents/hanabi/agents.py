"""The agents for Hanabi, as they are listed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from facedown.agents.contract import Agent
from facedown.agents.hanabi import adaptive, distrustful, machines, partners, promises, reinforced, simple, trustful, tuned
from facedown.agents.hanabi.vocabulary import telling
from facedown.games.contract import Game

_GAME = "hanabi"


def _trustful(name: str, meaning: str, *values: tuple[tuple[float, ...], ...]) -> Agent:
    return Agent(
        name=name,
        game=_GAME,
        meaning=meaning,
        act=trustful.trustful,
        watch=promises.watch,
        memory=promises.MEMORY,
        parameters=trustful.weights(*values),
        explain=telling(trustful.MODULES),
        seconds=4.0,
    )


AGENTS = (
    Agent(
        name="cheater",
        game=_GAME,
        meaning="looks at its own cards, plays any that fits, discards any other; never hints",
        act=simple.cheater,
        cheats=True,
    ),
    Agent(
        name="smart_cheater",
        game=_GAME,
        meaning="looks at its own cards; plays what can be followed up first, discards what is of no use, else passes by hints",
        act=simple.smart_cheater,
        memory=simple.CHEATER_MEMORY,
        cheats=True,
    ),
    Agent(
        name="erratic",
        game=_GAME,
        meaning="plays, hints or discards by chance; of playing, a card that it knows to fit comes first",
        act=simple.erratic,
    ),
    Agent(
        name="stopped_clock",
        game=_GAME,
        meaning="as erratic, but plays only what it knows to fit, and discards what it knows least of",
        act=simple.stopped_clock,
    ),
    Agent(
        name="simple_distrustful",
        game=_GAME,
        meaning="plays what it knows to fit, tells of the lowest card that is still wanted, else discards by chance",
        act=simple.simple_distrustful,
        memory=simple.MEMORY,
    ),
    Agent(
        name="distrustful",
        game=_GAME,
        meaning="takes hints at their word and plays what it knows to fit; gives hints that tell most of cards wanted soon",
        act=distrustful.distrustful,
        memory=distrustful.MEMORY,
        explain=telling(distrustful.MODULES),
        deterministic=True,
    ),
    _trustful("trustful", "plays what it was promised, and promises what will fit; weights as its authors chose them"),
    _trustful("bayesian_trustful2", "trustful, with weights that its authors fitted for two players", trustful.FITTED_FOR_TWO),
    _trustful("bayesian_trustful4", "trustful, with weights that its authors fitted for four", trustful.FITTED_FOR_FOUR),
    _trustful("tuned_trustful2", "trustful, with weights that were tuned here for two players", tuned.TUNED_FOR_TWO),
    _trustful("tuned_trustful4", "trustful, with weights that were tuned here for four", tuned.TUNED_FOR_FOUR),
)

_LEARNT = ("reinforced2", "reinforced4")


def _shipped(name: str) -> Callable[[Game], Agent]:
    return lambda _: reinforced.shipped(name)


SEARCHES = {
    2: {"rollouts": 1000.0, "bias": 0.0, "margin": 0.7, "exact": 500.0, "indifference": 0.02},
    3: {"rollouts": 150.0, "bias": 0.02, "margin": 1.0},
    4: {"rollouts": 200.0, "bias": 0.02, "margin": 1.0},
    5: {"rollouts": 200.0, "bias": 0.02, "margin": 1.0},
}
"""By the number of players: at most five seconds a game with two, one second with more.

With two players they were reckoned out on differences between 8,200 moves and the blueprint's, 1,500 rounds each, at the 660
decisions of ten games; with more, few others were tried, on few games.
"""


def _lookahead(game: Game) -> Agent:
    """On the blueprint that is searched best: conventions of people with two players, a code with more."""
    from facedown.agents.generic.lookahead import lookahead

    blueprint = partners.smart(game) if game.n_players == 2 else machines.information(game)
    return lookahead(game, blueprint, settings=SEARCHES[game.n_players])


MAKERS = (
    {name: _shipped(name) for name in _LEARNT}
    | machines.MAKERS
    | partners.MAKERS
    | {"lookahead": _lookahead, "adaptive": adaptive.adaptive}
)
"""Those that come with a table, which is read when somebody asks for them, and those that depend on the options."""
READERS = {name: partial(reinforced.read, name) for name in _LEARNT}
"""The same with a table from a file: `reinforced2(FILE)`."""
