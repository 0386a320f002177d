"""Hanabi beyond the source: the league of its agents, ours and published ones of others; everybody beside everybody.

The published figures are as their programs or papers print them. Most count points that are kept when the last life is
lost; fireflower prints both. hanabi.rs lets its agents discard with all tokens there, which our official rules do not.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

from facedown.arena.estimators import stderr_of_mean
from facedown.arena.results import MatchResult
from facedown.inputs import cores
from facedown.papers.claims import Claim, Figure, Published
from facedown.papers.documents import Passage
from facedown.papers.hanabi_2020.beyond import CROSS_GAMES, together
from facedown.papers.hanabi_2020.results import PAPER_NAME, PLAYERS, TABLE
from facedown.papers.laboratory import Laboratory, Profile, Sizes, column, mean_score

GAMES = Sizes(tiny=4, quick=1_000, full=20_000)
_INFERRING_GAMES = Sizes(tiny=2, quick=100, full=1_000)
_SEARCHING_GAMES = Sizes(tiny=2, quick=20, full=100)

KEEP, ZERO = "keep", "zero"
_TUNED = ("tuned_trustful2", "tuned_trustful4")
QUICK = (*TABLE, *_TUNED, "information")
"""What is there in the profile of some seconds; the others take long to compile or to play."""
OURS = (*_TUNED, "smart", "information", "adaptive", "lookahead")
AGENTS = (*TABLE, *OURS)
HEEDLESS = (*TABLE, *_TUNED)
"""They play alike whatever is lost with the last life, so that one match tells both."""


class Anchor(NamedTuple):
    """An agent of others: mean and share of perfect games by number of players, as printed; empty where nothing is."""

    name: str
    source: str
    kept: tuple[str, str, str, str]
    perfect: tuple[str, str, str, str] = ("", "", "", "")
    zeroed: tuple[str, str, str, str] = ("", "", "", "")


_ANCHORS = (
    Anchor(
        "hanabi.rs",
        "J. Wu, 2019, github.com/WuTheFWasThat/hanabi.rs, 20,000 games; after C. Cox et al. 2015",
        ("22.52", "24.79", "24.94", "24.92"),
        ("12.6", "84.5", "95.0", "94.0"),
    ),
    Anchor("deltahanabi", "of the same family", ("", "", "24.57", "24.95"), ("", "", "72.9", "95.9")),
    Anchor(
        "InfoBot",
        "of the same family, A. O'Dwyer, github.com/Quuxplusone/Hanabi",
        ("20.00", "24.26", "24.86", "24.89"),
        ("0.4", "51.5", "89.6", "91.4"),
    ),
    Anchor("SmartBot", "A. O'Dwyer, github.com/Quuxplusone/Hanabi", ("23.09", "23.30", "22.44", "20.69"), ("29.5", "", "", "")),
    Anchor(
        "fireflower",
        "D. Wu, github.com/lightvector/fireflower",
        ("23.37", "22.95", "22.83", ""),
        ("52.6", "", "", ""),
        ("22.56", "21.05", "21.78", ""),
    ),
    Anchor(
        "belief search",
        "on a learned blueprint, after A. Lerer et al. 2020; figures at second hand",
        ("24.53-24.61", "", "", ""),
        ("71-76", "", "", ""),
    ),
    Anchor(
        "cheating bots",
        "those that come with the programs above; heuristics, not bounds",
        ("24.90", "24.98", "24.97", "24.95"),
        ("93.9", "98.4", "97.9", "96.5"),
    ),
)


class Cell(NamedTuple):
    """What a team of one agent scores."""

    mean: float
    stderr: float
    perfect: float
    """Share of games with all 25 points."""
    seconds: float
    """Of one core for a game, on the machine that played it; nan where others played it."""
    games: int
    seed: int
    repeat: str


Cells = Mapping[tuple[str, int, str], Cell]
"""By agent, number of players and what happens to the points with the last life."""


def game_of(n_players: int, bomb: str) -> str:
    """Official rules; points are kept unless it is said otherwise."""
    return f"hanabi(players={n_players})" if bomb == KEEP else f"hanabi(players={n_players},bomb=zero)"


def sizes_of(agent: str) -> Sizes:
    """How many games are played."""
    return {"adaptive": _INFERRING_GAMES, "lookahead": _SEARCHING_GAMES}.get(agent, GAMES)


def played(laboratory: Laboratory, agent: str, n_players: int, bomb: str = KEEP) -> MatchResult:
    """A match of a team of one agent, official rules."""
    return laboratory.match(game_of(n_players, bomb), agent, games=sizes_of(agent))


def cell_of(result: MatchResult, bomb: str, here: bool = True) -> Cell:
    """The figures of a match; one in which points were kept also tells what is left if they are not."""
    # the names of the game's own columns, in their order
    found = column(result, {KEEP: "kept", ZERO: "zeroed"}[bomb])
    seconds = result.seconds * cores() / result.games if here else math.nan
    repeat = result.repeat if bomb == KEEP or ZERO in result.game else f"{result.repeat} (column zeroed)"
    perfect = float((found == 25).mean())
    return Cell(float(found.mean()), stderr_of_mean(found), perfect, seconds, result.games, result.seed, repeat)


def _measure_cell(laboratory: Laboratory, agent: str, n_players: int, bomb: str) -> Cell:
    """One cell of the league."""
    result = played(laboratory, agent, n_players, KEEP if agent in HEEDLESS else bomb)
    return cell_of(result, bomb, here=laboratory.executor is None)


# --- the table ------------------------------------------------------------------------------------------------------------


def league_table(cells: Cells) -> str:
    """All teams and the published ones, a part for each number of players; agents without any cell are left out."""
    lines: list[str] = []
    agents = [agent for agent in AGENTS if any(known == agent for known, _, _ in cells)]
    for at, n_players in enumerate(PLAYERS):
        titles = (f"{n_players} players", "points kept", "perfect", "points lost", "perfect", "seconds", "games")
        lines += [_row(*titles)]
        for agent in agents:
            kept, zeroed = (cells.get((agent, n_players, bomb)) for bomb in (KEEP, ZERO))
            lines.append(_row(agent, *_shown(kept), *_shown(zeroed), _seconds(kept), f"{kept.games:,}" if kept else "-"))
        for anchor in _ANCHORS:
            if anchor.kept[at]:
                share = f"{anchor.perfect[at]} %" if anchor.perfect[at] else "-"
                lines.append(_row(f"{anchor.name} (publ.)", anchor.kept[at], share, anchor.zeroed[at] or "-", "-", "-", "-"))
        lines.append("")
    lines.append(
        "Teams of one agent, official rules. Points kept: with the last life the game ends and the points stay; points lost: "
        "none are left then (bomb=zero). Mean and standard error, games with all 25 points, seconds of one core a game."
    )
    sources = "; ".join(f"{anchor.name}: {anchor.source}" for anchor in _ANCHORS)
    lines.append(f"(publ.): as published. {sources}.")
    return "\n".join(lines)


def _row(agent: str, *texts: str) -> str:
    widths = (18, 9, 18, 9, 10, 9)
    return f"{agent:24}" + "".join(f"{text:>{width}}" for text, width in zip(texts, widths, strict=True))


def _shown(cell: Cell | None) -> tuple[str, str]:
    return (f"{cell.mean:.3f} ± {cell.stderr:.3f}", f"{100 * cell.perfect:.1f} %") if cell else ("-", "-")


def _seconds(cell: Cell | None) -> str:
    return "-" if cell is None or math.isnan(cell.seconds) else f"{cell.seconds:.2g}"


def _agents_of(profile: Profile) -> tuple[str, ...]:
    """Whom a profile measures."""
    return AGENTS if profile is Profile.FULL else QUICK


def _gather_league(laboratory: Laboratory) -> str:
    """Everybody with two to five players, both ways to count points, beside published figures."""
    agents = _agents_of(laboratory.profile)
    keys = [(agent, n_players, bomb) for agent in agents for n_players in PLAYERS for bomb in (KEEP, ZERO)]
    text = league_table({key: _measure_cell(laboratory, *key) for key in keys})
    left_out = [f"{agent} ({sizes_of(agent).full:,} games)" for agent in AGENTS if agent not in agents]
    text += f"\nSeed {laboratory.seed}."
    if left_out:
        text += f" With --full {GAMES.full:,} games, and also {', '.join(left_out)}, which take long to compile or to play."
    return text


# --- everybody beside everybody -----------------------------------------------------------------------------------------------


def gather_cross_play(laboratory: Laboratory) -> str:
    """What teams of two agents score, each with each, both seats of each deal."""
    agents = [agent for agent in _agents_of(laboratory.profile) if agent != "lookahead"]
    width = max(map(len, agents)) + 1
    lines = [" " * (width + 4) + "".join(f"{number:>6}" for number in range(1, len(agents) + 1))]
    worst = 0.0
    for number, agent in enumerate(agents, 1):
        found = [together(laboratory, agent, other) for other in agents]
        worst = max(worst, *(stderr_of_mean(deals) for deals in found))
        lines.append(f"{number:>2}  {agent:{width}}" + "".join(f"{deals.mean():6.2f}" for deals in found))
    n_games = CROSS_GAMES.of(laboratory.profile)
    lines.append("")
    lines.append(
        f"Mean scores of games of two with official rules, {n_games:,} of each pair, both seats of each deal, all on the same "
        f"deals; no standard error is above {worst:.2f}. lookahead keeps to the code of its blueprint, and is left out. Again:"
    )
    words = " ".join(agents)
    lines.append(f"facedown league hanabi {words} --games {n_games} --seed {laboratory.seed}")
    return "\n".join(lines)


# --- claims ---------------------------------------------------------------------------------------------------------------

# standard errors that hanabi.rs prints with its means
_ERRORS = (0.0125, 0.0039, 0.0022, 0.0024)


def _information_mean(laboratory: Laboratory, n_players: int) -> Figure:
    """What a team of `information` scores."""
    return mean_score(played(laboratory, "information", n_players))


def _claim(at: int) -> Claim:
    n_players, anchor = PLAYERS[at], _ANCHORS[0]
    return Claim(
        id=f"hanabi-information-{n_players}",
        paper=PAPER_NAME,
        where=f"{anchor.name}, results of its strategy info with {n_players} players ({anchor.source})",
        says=f"A code for machines can score {anchor.kept[at]} points on average with {n_players} players.",
        published=Published.printed(anchor.kept[at], stderr=_ERRORS[at]),
        measure=partial(_information_mean, n_players=n_players),
        at_least=True,
        note="Ours is the same code with improvements, official rules, so the question is whether it scores no less.",
    )


CLAIMS = tuple(_claim(at) for at in range(len(PLAYERS)))
PASSAGES = (
    Passage("hanabi-league", "Beyond the source: the league", _gather_league),
    Passage("hanabi-cross-play", "Beyond the source: everybody beside everybody", gather_cross_play),
)
