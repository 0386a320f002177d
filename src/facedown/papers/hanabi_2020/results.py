"""Hanabi: the published table of scores and the mixed games, and the matches that measure them again."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from facedown.arena.results import MatchResult
from facedown.papers.claims import Claim, Figure, Place, Published
from facedown.papers.laboratory import Laboratory, Sizes, mean_score, singles

PAPER_NAME = "hanabi"
PLAYERS = (2, 3, 4, 5)
PUBLISHED_GAMES = 1000
GAMES = Sizes(tiny=20, quick=3_000, full=20_000)

# table 5.1 and figures 4.1 to 4.12, for 2, 3, 4 and 5 players: mean, standard deviation, games won of 1000 (-1: not given)
TABLE: dict[str, tuple[tuple[str, str, int], ...]] = {
    "cheater": (("20.50", "2.59", 30), ("22.27", "2.04", 126), ("21.73", "2.07", 55), ("21.94", "2.00", 65)),
    "smart_cheater": (("24.72", "0.79", 847), ("24.91", "0.41", 941), ("24.89", "0.41", 917), ("24.85", "0.44", 879)),
    "erratic": (("1.45", "1.50", 0), ("1.32", "1.39", 0), ("1.30", "1.36", 0), ("1.34", "1.34", 0)),
    "stopped_clock": (("5.74", "2.62", 0), ("6.25", "2.20", 0), ("5.31", "1.91", 0), ("4.51", "1.69", 0)),
    "simple_distrustful": (("13.37", "3.00", 0), ("15.48", "1.30", 0), ("15.06", "1.09", 0), ("14.02", "1.00", 0)),
    "distrustful": (("17.52", "1.71", 0), ("16.49", "1.13", 0), ("15.72", "1.03", 0), ("14.46", "0.95", 0)),
    "trustful": (("17.94", "3.41", 0), ("20.39", "1.69", 5), ("20.43", "1.67", 4), ("19.03", "1.61", 0)),
    "bayesian_trustful2": (("19.07", "3.16", 8), ("20.49", "1.70", 6), ("20.32", "1.66", 2), ("18.66", "1.70", 1)),
    "bayesian_trustful4": (("17.25", "3.86", 4), ("20.55", "2.00", 7), ("20.83", "1.73", 13), ("19.26", "1.62", 0)),
    "reinforced2": (("18.94", "2.12", 0), ("17.84", "1.62", 0), ("16.04", "2.53", 0), ("13.92", "1.89", 0)),
    "reinforced4": (("17.94", "3.09", -1), ("19.03", "1.37", -1), ("18.69", "1.41", -1), ("17.42", "1.29", -1)),
}
LEARNT = ("reinforced2", "reinforced4")
SECTIONS = dict(zip(TABLE, (1, 2, 3, 4, 5, 6, 7, 8, 8, 9, 9), strict=True))  # of chapter 4, with the games won

# chapter 6, in the order of the seats: mean, standard deviation
_MIXED: dict[tuple[str, ...], tuple[str, str]] = {
    ("distrustful", "stopped_clock"): ("10.71", "2.30"),
    ("distrustful", "trustful"): ("14.17", "3.69"),
    ("distrustful", "reinforced4"): ("15.71", "2.35"),
    ("trustful", "reinforced4"): ("14.73", "4.40"),
    ("trustful", "trustful", "stopped_clock"): ("10.20", "3.76"),
    ("distrustful", "trustful", "reinforced4"): ("15.01", "3.55"),
    ("trustful", "trustful", "reinforced4"): ("16.17", "3.83"),
    ("trustful", "reinforced4", "reinforced4"): ("16.84", "3.83"),
    ("distrustful", "distrustful", "trustful", "trustful"): ("14.96", "2.15"),
    ("distrustful", "trustful", "distrustful", "trustful"): ("14.54", "2.65"),
    ("trustful", "trustful", "trustful", "reinforced4"): ("17.75", "2.49"),
    ("trustful", "trustful", "reinforced4", "reinforced4"): ("17.16", "3.20"),
}

_LEARNT_ANEW = (
    "The tables of the source were not kept; ours were learnt anew from as many games, and what agents learn to mean by "
    "their hints differs from one time to the next."
)


# cells that lie further than .15 from the published mean, and what was measured about them
_MEASURED = {
    ("trustful", 2): (
        "The published mean is one sample of 1000 games: the limit of three standard errors is .33 away. Of 200 samples of as "
        "many of our games (seed 21, mean 18.165 ± .007), 5 have a mean of 17.94 or less, so among 44 cells one is to be "
        "expected this far off."
    ),
    ("reinforced4", 2): (
        "Learnt with four other seeds, 500,000 games each, such tables score 17.96 (seed 11), 17.86 (12), 18.28 (13) and "
        "18.31 (14), each ± .02 in 20,000 games with seed 1; that of the package (seed 2) scores 17.67: they differ by more "
        "than the published one differs from ours. None of them learnt from a game of two. "
        "To get one: facedown learn 'hanabi(players=4,rules=thesis)' reinforced4 --games 500000 --seed 11 --save FILE, then "
        "facedown match 'hanabi(rules=thesis)' 'reinforced4(FILE)' --games 20000 --seed 1."
    ),
}


def played(laboratory: Laboratory, agents: tuple[str, ...]) -> MatchResult:
    """A match with the rules of the thesis, in the order of the seats."""
    game = f"hanabi(players={len(agents)},rules=thesis)"
    return laboratory.match(game, *agents, games=GAMES, swap=False)


def scores(result: MatchResult) -> Any:
    """The score of each game, which is everybody's."""
    return np.asarray(singles(result).scores)[:, 0]


def mean(laboratory: Laboratory, agents: tuple[str, ...]) -> Figure:
    """The average score."""
    return mean_score(played(laboratory, agents))


def deviation(laboratory: Laboratory, agents: tuple[str, ...]) -> Figure:
    """The standard deviation of scores; its error is that of the variance, by the fourth moment."""
    result = played(laboratory, agents)
    away = scores(result) - scores(result).mean()
    value, n_games = float(away.std()), len(away)
    error = float((away**2).std()) / math.sqrt(n_games) / (2 * value) if value > 0 else 0.0
    return Figure(value, error, result.games, result.seed, result.repeat)


def wins(laboratory: Laboratory, agents: tuple[str, ...]) -> Figure:
    """Games with all 25 points, of 1000."""
    result = played(laboratory, agents)
    share = float((scores(result) == 25).mean())
    error = math.sqrt(share * (1 - share) / result.games)
    return Figure(PUBLISHED_GAMES * share, PUBLISHED_GAMES * error, result.games, result.seed, result.repeat)


# --- claims ---------------------------------------------------------------------------------------------------------------


def _mean_of(text: str, spread: str) -> Published:
    return Published.printed(text, stderr=float(spread) / math.sqrt(PUBLISHED_GAMES))


def _deviation_of(text: str) -> Published:
    """As far off as the deviation of 1000 normal scores is."""
    return Published.printed(text, stderr=float(text) / math.sqrt(2 * PUBLISHED_GAMES))


def _wins_of(count: int) -> Published:
    """As far off as a count of 1000 games is; with two more won and two more lost, so that none is not taken for never."""
    share = (count + 2) / (PUBLISHED_GAMES + 4)
    return Published.printed(str(count), stderr=math.sqrt(PUBLISHED_GAMES * share * (1 - share)))


def _cell(agent: str, at: int) -> list[Claim]:
    """The claims of a cell of the table."""
    n_players, (average, spread, won) = PLAYERS[at], TABLE[agent][at]
    agents, name = (agent,) * n_players, f"hanabi-{agent.replace('_', '-')}-{n_players}"
    where, note = Place(PAPER_NAME, f"Table 5.1, {agent}, {n_players} players"), _LEARNT_ANEW if agent in LEARNT else ""
    made = [
        where.claim(
            name,
            f"{n_players} copies of {agent} score {average} points on average.",
            _mean_of(average, spread),
            partial(mean, agents=agents),
            note=" ".join(filter(None, (note, _MEASURED.get((agent, n_players), "")))),
        ),
        where.claim(
            f"{name}-deviation",
            f"The scores of {n_players} copies of {agent} have a standard deviation of {spread}.",
            _deviation_of(spread),
            partial(deviation, agents=agents),
            note=note,
        ),
    ]
    if won >= 0:
        made.append(
            Place(PAPER_NAME, f"Section 4.{SECTIONS[agent]}, results of {agent}").claim(
                f"{name}-wins",
                f"{n_players} copies of {agent} win {won} of 1000 games with all 25 points.",
                _wins_of(won),
                partial(wins, agents=agents),
                note=note,
            )
        )
    return made


def _mixed(agents: tuple[str, ...]) -> list[Claim]:
    """The claims of a mixed team."""
    average, spread = _MIXED[agents]
    name = f"hanabi-mixed-{'-'.join(agent.replace('_', '-') for agent in agents)}"
    team, note = ", ".join(agents), _LEARNT_ANEW if set(agents) & set(LEARNT) else ""
    where = Place(PAPER_NAME, f"Section 6.2.{len(agents) - 1}, mixed games of {len(agents)}")
    return [
        where.claim(
            name,
            f"The team {team} scores {average} points on average.",
            _mean_of(average, spread),
            partial(mean, agents=agents),
            note=note,
        ),
        where.claim(
            f"{name}-deviation",
            f"The scores of the team {team} have a standard deviation of {spread}.",
            _deviation_of(spread),
            partial(deviation, agents=agents),
            note=note,
        ),
    ]


CLAIMS = (
    *(claim for agent in TABLE for at in range(len(PLAYERS)) for claim in _cell(agent, at)),
    *(claim for agents in _MIXED for claim in _mixed(agents)),
)
