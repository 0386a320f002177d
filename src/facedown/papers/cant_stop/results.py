"""Questions 5 to 8: the document's tables of played games, and a league of all agents."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from facedown.agents.cant_stop.turn_exact import shipped_numbers
from facedown.arena.results import MatchResult
from facedown.learning.cant_stop import play
from facedown.papers.cant_stop.questions import NAME
from facedown.papers.claims import Claim, Figure, Place, Published, Reading
from facedown.papers.documents import Drawing, Passage, Plot
from facedown.papers.laboratory import Laboratory, Profile, Sizes, ratio, share, singles
from facedown.papers.pictures import INK, OURS
from facedown.solving.cant_stop_bound import lower_bound
from facedown.solving.cant_stop_sure import sure_bound

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

GAMES = Sizes(tiny=40, quick=40_000, full=1_000_000)
_SLOW_GAMES = Sizes(tiny=2, quick=200, full=10_000)
"""For games with `turn_exact`, which take milliseconds each."""
_SLOW = "turn_exact"
_LUCKLESS_GAMES, _BOUND_GAMES = 2_000, 200
_UNSORTED = "first(sorted=0)"
AGENTS = ("first", "uniform", "q5", "q5(all_throws=1,eager=1)", "q6a", "q6b", "rule28", "glenn_aloi", _SLOW)
_RACERS = ("first", "q5", "q6a", "q6b", "rule28", "glenn_aloi", _SLOW)
_DOCUMENT_GAMES = 1000


def games_of(*agents: str) -> Sizes:
    """How many games to play: fewer with an agent that thinks."""
    return _SLOW_GAMES if _SLOW in agents else GAMES


def solitaire(laboratory: Laboratory, agent: str) -> MatchResult:
    """One agent alone."""
    return laboratory.match("cant_stop(players=1)", agent, games=games_of(agent))


def against(laboratory: Laboratory, agent: str, players: int, other: str = "first") -> MatchResult:
    """An agent that always begins, against some of another."""
    game = "cant_stop" if players == 2 else f"cant_stop(players={players})"
    return laboratory.match(game, agent, *[other] * (players - 1), games=games_of(agent, other), swap=False)


def turns(result: MatchResult) -> Figure:
    """Turns of all players in a game."""
    return ratio(result, singles(result).values[:, 0], np.ones(result.games))


def _solitaire_turns(laboratory: Laboratory, agent: str) -> Figure:
    return turns(solitaire(laboratory, agent))


def failed(laboratory: Laboratory, agent: str) -> Figure:
    """The share of turns that were lost."""
    result = solitaire(laboratory, agent)
    return ratio(result, singles(result).values[:, 1], singles(result).values[:, 0])


def wins(laboratory: Laboratory, agent: str, players: int, other: str = "first") -> Figure:
    """The share of games that the agent who begins wins."""
    result = against(laboratory, agent, players, other)
    return share(result, singles(result).scores[:, 0] == 1.0)


def _game_turns(laboratory: Laboratory, agent: str, players: int, other: str = "first") -> Figure:
    return turns(against(laboratory, agent, players, other))


def closed(laboratory: Laboratory, agent: str, players: int, other: str = "first") -> Figure:
    """Columns that the agent who begins closes in a game."""
    result = against(laboratory, agent, players, other)
    return ratio(result, singles(result).values[:, 3], np.ones(result.games))


# --- the document's tables ----------------------------------------------------------------------------------------------

_READINGS = (
    (
        "from-start",
        "throws counted from the start of the turn, which may end with the third runner",
        "q5(all_throws=1,eager=1)",
    ),
    ("eager", "throws counted from the third runner on, and the turn may end when it is placed", "q5(eager=1)"),
)
_COUNTER = (
    "The document does not say where its count of throws begins; counted with all three runners out, as here, the turns of "
    "tables 1, 3 and 5 come out as printed, and counted from the start of the turn the lost turns of table 1 do not."
)
_FIRST_TABLE = Place(NAME, "Table 1, heuristic of question 5, 1000 games")
_TABLE_1 = (
    _FIRST_TABLE.claim(
        "t1-turns",
        "The heuristic of question 5 closes three columns alone in 8.87 turns.",
        Published.printed("8.87", stderr=0.11),
        partial(_solitaire_turns, agent="q5"),
        readings=tuple(Reading(key, text, partial(_solitaire_turns, agent=agent)) for key, text, agent in _READINGS),
        note=_COUNTER,
    ),
    _FIRST_TABLE.claim(
        "t1-failed",
        "It loses 48.1 % of its turns.",
        Published.printed("48.1 %", stderr=0.0055),
        partial(failed, agent="q5"),
        readings=tuple(Reading(key, text, partial(failed, agent=agent)) for key, text, agent in _READINGS),
        note=(
            "The lost turns by themselves fit best if the turn may end when the third runner is placed, but then the turns of "
            "the same table do not come out; no reading fits both closely."
        ),
    ),
)

_SORTED = (
    "The document does not say in which order its player First looks at the splits; with sorted dice, the two lowest ones "
    "together first, it wins as often as printed, and with dice in the order in which they fall far less."
)


def _won(name: str, agent: str, players: int, printed: str, length: str, stderr: float) -> tuple[Claim, Claim]:
    table, question = {2: ("3", "6"), 3: ("5", "8"), 4: ("5", "8")}[players] if agent == "q6b" else ("2", "6")
    where = Place(NAME, f"Table {table}, question {question}, {players} players, 1000 games")
    p = float(printed) / _DOCUMENT_GAMES
    others = "First" if players == 2 else f"{players - 1} players First"
    return (
        where.claim(
            f"{name}-wins",
            f"The heuristic, which begins, wins {printed} of 1000 games against {others}.",
            Published.printed(f"{p:.1%}".replace("%", " %"), stderr=(p * (1 - p) / _DOCUMENT_GAMES) ** 0.5),
            partial(wins, agent=agent, players=players),
            readings=(
                Reading(
                    "any",
                    "against players who take any split, as if the dice lay as they fell",
                    partial(wins, agent=agent, players=players, other=_UNSORTED),
                ),
            ),
            note=_SORTED if name == "t3" else "",
        ),
        where.claim(
            f"{name}-turns",
            f"These games have {length} turns, of all players together.",
            Published.printed(length, stderr=stderr),
            partial(_game_turns, agent=agent, players=players),
        ),
    )


TABLES = (
    *_TABLE_1,
    *_won("t2", "q6a", 2, "864", "17.67", 0.18),
    *_won("t3", "q6b", 2, "911", "17.37", 0.15),
    *(
        Place(NAME, f"Table 4, question 7, {players} players, 1000 games").claim(
            f"t4-closed-{players}",
            f"With {players} players the heuristic closes {printed} columns a game.",
            Published.printed(printed, stderr=0.016),
            partial(closed, agent="q6b", players=players),
        )
        for players, printed in ((3, "2.88"), (4, "2.89"))
    ),
    *_won("t5-3", "q6b", 3, "883", "25.73", 0.23),
    *_won("t5-4", "q6b", 4, "892", "33.88", 0.32),
)


# --- the league -----------------------------------------------------------------------------------------------------------


def _players_of(laboratory: Laboratory, agents: tuple[str, ...]) -> tuple[str, ...]:
    """The agents of a profile: `turn_exact` takes a minute to compile, so it is met in the full one only."""
    return agents if laboratory.profile is Profile.FULL else tuple(agent for agent in agents if agent != _SLOW)


def _gather_solitaire(laboratory: Laboratory) -> str:
    """Everybody alone, and how good one could be."""
    lines = ["agent                     turns             lost turns      games", "-" * 63]
    for agent in _players_of(laboratory, AGENTS):
        long, lost = _solitaire_turns(laboratory, agent), failed(laboratory, agent)
        lines.append(f"{agent:<24}  {long.with_error():<16}  {lost.shown(percent=True):>9}  {long.games:>9,}")
    if laboratory.profile is not Profile.FULL:
        return "\n".join([*lines, "", f"{_SLOW} plays in the full profile: facedown paper cant_stop --full"])
    games = play(shipped_numbers()[0], _LUCKLESS_GAMES, laboratory.seed)
    mean, error = games.without_luck
    words = f"{_SLOW} with luck taken out, {_LUCKLESS_GAMES:,} games: {mean:.4f} ± {error:.4f} turns."
    likely, sure = lower_bound(_BOUND_GAMES, laboratory.seed), sure_bound()
    below = [
        f"Below, if the condition of the search holds on boards that were not met: {likely!r}.",
        f"Below for sure: {sure!r}.",
    ]
    return "\n".join([*lines, "", words, *below])


def _table(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows)


def cross(laboratory: Laboratory) -> dict[tuple[str, str], float]:
    """By who begins and who follows: how often the first of them wins."""
    found = {}
    for one, other in combinations(_players_of(laboratory, _RACERS), 2):
        result = laboratory.match("cant_stop", one, other, games=games_of(one, other))
        scores = singles(result).scores[:, 0]
        found[one, other] = float(scores[0::2].mean())  # seats are exchanged with every second game
        found[other, one] = 1.0 - float(scores[1::2].mean())
    return found


def _gather_cross(laboratory: Laboratory) -> str:
    """Two players: a row for who begins, a column for who follows, in percent of games won by who begins."""
    won, racers = cross(laboratory), _players_of(laboratory, _RACERS)
    rows = [["begins \\ follows", *racers, "mean"]]
    for one in racers:
        shares = [won[one, other] for other in racers if other != one]
        both = [(won[one, other] + 1 - won[other, one]) / 2 for other in racers if other != one]
        cells = ["" if other == one else f"{100 * won[one, other]:.1f}" for other in racers]
        rows.append([one, *cells, f"{100 * sum(both) / len(shares):.1f}"])
    return f"{_table(rows)}\n\nThe last column is the mean over all others and both seats."


def _gather_tables(laboratory: Laboratory) -> str:
    """Three and four players: one agent at a time against the document's second heuristic, seats drawn."""
    rows = [["agent", "3 players", "4 players"]]
    for agent in _players_of(laboratory, _RACERS):
        cells = [agent]
        for players in (3, 4):
            others = ["q6b"] * (players - 1)
            result = laboratory.match(f"cant_stop(players={players})", agent, *others, games=games_of(agent))
            cells.append(f"{100 * result.mean[0]:.1f} ± {100 * result.stderr[0]:.1f}")
        rows.append(cells)
    return f"{_table(rows)}\n\nIn percent of games won against players q6b; 33.3 and 25.0 would be even."


def gather_lengths(laboratory: Laboratory) -> Drawing:
    """How many turns games of some agents take alone."""
    shown = ("first", "q5", "rule28", "glenn_aloi")
    found = {agent: solitaire(laboratory, agent) for agent in shown}
    means = ", ".join(f"{agent} {-found[agent].mean[0]:.2f}" for agent in shown)
    caption = f"Solitaire: the distribution of the number of turns. Means: {means}. Seed {laboratory.seed}."

    def draw(canvas: Canvas) -> None:
        axes = canvas.subplots()
        for agent, dashes in zip(shown, ("dotted", "solid", "dashed", "dashdot"), strict=True):
            turns_taken = singles(found[agent]).values[:, 0]
            counts = np.bincount(turns_taken.astype(np.int64), minlength=41)[:41]
            axes.plot(counts / len(turns_taken), color=OURS if agent == "q5" else INK, linestyle=dashes, label=agent)
        axes.set(xlabel="turns", title="share of games", xlim=(0, 40))
        axes.legend()

    return Drawing(caption, f"Four curves with one hump each. Means: {means}.", draw)


CLAIMS = TABLES
PLOTS = (Plot("solitaire-turns", "Solitaire: how many turns", 3.4, gather_lengths),)
PASSAGES = (
    Passage("solitaire", "League: solitaire", _gather_solitaire),
    Passage("two-players", "League: two players, by seats", _gather_cross),
    Passage("more-players", "League: three and four players", _gather_tables),
)
