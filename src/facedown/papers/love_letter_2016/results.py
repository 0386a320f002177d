"""Love Letter: all matches of the chapter that the source left empty, and the figures that follow from them.

Matches of one run are played on the same deals, so the average of an agent over its opponents has an error with
covariances: Var = 1/k^2 sum_ab C_ab min(n_a, n_b) / (n_a n_b), where C_ab is the covariance of the scores against a and
b on one deal, and n_a deals were played against a.
"""

from __future__ import annotations

import itertools
import math
import time
from typing import Any, NamedTuple

import numpy as np

from facedown.arena.agreement import AgreementResult, agreement
from facedown.arena.lineup import Lineup
from facedown.arena.results import MatchResult
from facedown.games.love_letter.cards import WINS_NEEDED
from facedown.papers.claims import N_ERRORS, Figure
from facedown.papers.laboratory import Laboratory, Profile, Sizes, column, mean_score, ratio, singles

Array = np.ndarray[Any, Any]

_ROUND, WHOLE = "love_letter", "love_letter(match=yes)"
SOURCE = ("random", "greedy", "minmax", "mcts")
BEYOND = ("careful", "belief")
AGENTS = (*SOURCE, *BEYOND)
SEARCHERS = ("mcts", "belief")
CHEAP = tuple(name for name in AGENTS if name not in SEARCHERS)

ROUNDS = Sizes(tiny=24, quick=100_000, full=300_000)
SEARCHED = Sizes(tiny=4, quick=2_000, full=20_000)
SIMULATIONS = Sizes(tiny=2, quick=100, full=1_000)
MATCHES = Sizes(tiny=2, quick=20_000, full=100_000)
_COMPARED = Sizes(tiny=2, quick=200, full=4_000)
_TIMED, _TIMED_SEARCHED = Sizes(tiny=10, quick=20_000, full=100_000), Sizes(tiny=2, quick=100, full=400)
_LAPS = Sizes(tiny=2, quick=3, full=5)
FEWEST = Sizes(tiny=1, quick=30, full=30)
"""A share of fewer rounds than this is not worth printing."""

WAYS = {
    "Baron": "ended_by_baron",
    "Guard": "ended_by_guard",
    "Prince": "ended_by_prince",
    "other": "ended_by_princess",
    "empty deck": "ended_by_empty_deck",
}
"""How rounds end, as section 4.1 lists it; other: somebody played the Princess."""


def spec(laboratory: Laboratory, name: str) -> str:
    """An agent as the profile has it."""
    return f"{name}(simulations={SIMULATIONS.of(laboratory.profile)})" if name in SEARCHERS else name


def sizes(*names: str) -> Sizes:
    """How many rounds these agents play."""
    return SEARCHED if any(name in SEARCHERS for name in names) else ROUNDS


class Pairing(NamedTuple):
    """Two agents and the rounds that they have played, on every deal twice."""

    first: str
    second: str
    played: MatchResult

    @property
    def title(self) -> str:
        """Both names."""
        return f"{self.first} – {self.second}"


def pairing(laboratory: Laboratory, first: str, second: str) -> Pairing:
    """Two agents, in the order given."""
    specs = (spec(laboratory, first), spec(laboratory, second))
    return Pairing(first, second, laboratory.match(_ROUND, *specs, games=sizes(first, second)))


def pairings(laboratory: Laboratory, names: tuple[str, ...] = AGENTS) -> list[Pairing]:
    """Every two agents."""
    return [pairing(laboratory, *pair) for pair in itertools.combinations(names, 2)]


def mirrored(laboratory: Laboratory, name: str) -> Pairing:
    """An agent against itself, every deal once."""
    who = spec(laboratory, name)
    return Pairing(name, name, laboratory.match(_ROUND, who, who, games=sizes(name), swap=False))


def whole_matches(laboratory: Laboratory) -> list[Pairing]:
    """Every two agents that do not search, in whole matches."""
    pairs = itertools.combinations(CHEAP, 2)
    return [Pairing(*pair, laboratory.match(WHOLE, *pair, games=MATCHES)) for pair in pairs]


# --- shares of rounds ---------------------------------------------------------------------------------------------------


def share_of(played: MatchResult, which: Array, among: Array) -> Figure:
    """Of the rounds `among` some, the share that are `which`. If it is all or none, the error is that of one more otherwise."""
    found = ratio(played, which & among, among)
    if found.stderr > 0:
        return found
    n = int(among.sum())
    p = (found.value * n + 1) / (n + 2)
    return Figure(found.value, math.sqrt(p * (1 - p) / n), found.games, found.seed, found.repeat)


def won(pairing: Pairing, agent: int) -> Array:
    """The rounds that an agent has won alone."""
    scores = singles(pairing.played).scores
    found: Array = scores[:, agent] > scores[:, 1 - agent]
    return found


def everything(played: MatchResult) -> Array:
    """All rounds."""
    return np.ones(played.games, np.bool_)


def began(pairing: Pairing, agent: int) -> Array:
    """The rounds in which an agent had the first turn: in the rounds of a deal agents take it in turns."""
    played = pairing.played
    if not played.swap:
        return np.full(played.games, agent == 0)
    found: Array = np.arange(played.games) % 2 == agent
    return found


def wins(pairing: Pairing, agent: int) -> Figure:
    """The share of rounds that an agent has won."""
    return share_of(pairing.played, won(pairing, agent), everything(pairing.played))


def wins_when_first(pairing: Pairing, agent: int, first: int) -> Figure:
    """The share of rounds that an agent has won, of those that `first` began."""
    return share_of(pairing.played, won(pairing, agent), began(pairing, first))


def starter_wins(pairing: Pairing) -> Figure:
    """The share of rounds that were won by who began them."""
    by_starter = (won(pairing, 0) & began(pairing, 0)) | (won(pairing, 1) & began(pairing, 1))
    return share_of(pairing.played, by_starter, everything(pairing.played))


def ended(pairing: Pairing, way: str) -> Figure:
    """The share of rounds that ended in this way."""
    played = pairing.played
    return share_of(played, column(played, WAYS[way]) > 0, everything(played))


class Turn(NamedTuple):
    """The rounds that ended in a turn, as a share of all, and the shares of them that each agent has won."""

    turn: int
    rounds: Figure
    n_rounds: int
    wins: tuple[Figure, Figure]


def turns(pairing: Pairing) -> list[Turn]:
    """The rounds sorted by the turn in which they ended; turns of both players are counted."""
    played = pairing.played
    lengths = singles(played).lengths
    found = []
    for turn in np.unique(lengths):
        here: Array = lengths == turn
        shares = (share_of(played, won(pairing, 0), here), share_of(played, won(pairing, 1), here))
        found.append(Turn(int(turn), share_of(played, here, everything(played)), int(here.sum()), shares))
    return found


# --- league -------------------------------------------------------------------------------------------------------------


class Standing(NamedTuple):
    """An agent in a league: its average score over all others, each of which counts the same."""

    agent: str
    score: Figure

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true average lies with probability 0.95."""
        return self.score.value - 1.96 * self.score.stderr, self.score.value + 1.96 * self.score.stderr


def league(laboratory: Laboratory, names: tuple[str, ...], played: list[Pairing]) -> list[Standing]:
    """The agents, best first."""
    standings = []
    for name in names:
        blocks = [_by_deal(pair, (pair.first, pair.second).index(name)) for pair in played if name in (pair.first, pair.second)]
        games = sum(pair.played.games for pair in played if name in (pair.first, pair.second))
        mean, error = mean_of_means(blocks)
        standings.append(Standing(name, Figure(mean, error, games, laboratory.seed, repeat(laboratory))))
    return sorted(standings, key=lambda standing: -standing.score.value)


def _by_deal(pairing: Pairing, agent: int) -> Array:
    scores: Array = singles(pairing.played).scores[:, agent]
    by_deal: Array = scores.reshape(-1, 2).mean(axis=1)
    return by_deal


def mean_of_means(blocks: list[Array]) -> tuple[float, float]:
    """The mean of the means of some series, whose entries belong together place by place; and its standard error.

    Where no spread is to be seen, since there are too few entries, the error is the most that scores from 0 to 1 allow.
    """
    variance = 0.0
    for one, two in itertools.product(blocks, repeat=2):
        n = min(len(one), len(two))
        if n > 1:
            covariance = float(np.cov(one[:n], two[:n])[0, 1])
            variance += covariance * n / (len(one) * len(two))
    mean = float(np.mean([block.mean() for block in blocks]))
    if variance <= 0:
        return mean, 0.5 / math.sqrt(min(len(block) for block in blocks))
    return mean, math.sqrt(variance) / len(blocks)


def match_chance(when_first: float, when_second: float, needed: int = int(WINS_NEEDED[2])) -> float:
    """How likely a player wins a match, who wins a decided round so often; who begins the match is drawn.

    The winner of a round begins the next. All rounds are taken for independent otherwise.
    """
    chances = {(needed, other, first): 1.0 for other in range(needed) for first in (True, False)}
    chances |= {(own, needed, first): 0.0 for own in range(needed) for first in (True, False)}
    for own, other in itertools.product(range(needed - 1, -1, -1), repeat=2):
        for first, p in ((True, when_first), (False, when_second)):
            chances[own, other, first] = p * chances[own + 1, other, True] + (1 - p) * chances[own, other + 1, False]
    return (chances[0, 0, True] + chances[0, 0, False]) / 2


def expected_match(pairing: Pairing) -> tuple[float, float]:
    """The share of matches that the first agent should win, from its single rounds; and an upper bound of its error."""
    chances, errors = [], []
    for first in (0, 1):
        decided = (won(pairing, 0) | won(pairing, 1)) & began(pairing, first)
        found = share_of(pairing.played, won(pairing, 0), decided)
        chances.append(found.value)
        errors.append(found.stderr)
    value = match_chance(chances[0], chances[1])
    small = 1e-4
    slopes = (match_chance(chances[0] + small, chances[1]) - value, match_chance(chances[0], chances[1] + small) - value)
    return value, sum(abs(slope) / small * error for slope, error in zip(slopes, errors, strict=True))


def decided(figure: Figure) -> bool:
    """Whether a share is told apart from one half by the rule of all claims."""
    return abs(figure.value - 0.5) > N_ERRORS * figure.stderr


def score(pairing: Pairing) -> Figure:
    """The average score of the first agent: rounds won, and half of the draws."""
    return mean_score(pairing.played)


# --- time and agreement -------------------------------------------------------------------------------------------------


class Timing(NamedTuple):
    """Processor time of 1000 games of an agent against itself."""

    agent: str
    seconds: float
    stderr: float
    games: int
    laps: int


def timings(laboratory: Laboratory) -> list[Timing]:
    """The time of each agent; measured once."""
    return laboratory.once("timings", lambda: [_timed(laboratory, name) for name in AGENTS])


def _timed(laboratory: Laboratory, name: str) -> Timing:
    agent, laps = spec(laboratory, name), _LAPS.of(laboratory.profile)
    games = (_TIMED_SEARCHED if name in SEARCHERS else _TIMED).of(laboratory.profile)
    lineup = Lineup(_ROUND, [agent, agent])
    lineup.prepare()
    found = []
    for _ in range(laps):
        before = time.thread_time()
        lineup.play(laboratory.seed, 0, games)
        found.append((time.thread_time() - before) * 1000 / games)
    return Timing(name, float(np.mean(found)), float(np.std(found, ddof=1) / math.sqrt(laps)), games, laps)


def compared(laboratory: Laboratory) -> AgreementResult:
    """How often agents choose the same; counted once."""
    specs, games = [spec(laboratory, name) for name in AGENTS], _COMPARED.of(laboratory.profile)
    return laboratory.once("agreement", lambda: agreement(_ROUND, specs, games, laboratory.seed))


def repeat(laboratory: Laboratory) -> str:
    """The command for what no single match gives."""
    full = " --full" if laboratory.profile is Profile.FULL else ""
    return f"facedown paper love_letter{full} --seed {laboratory.seed}"
