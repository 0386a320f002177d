"""Love Letter: the tables of the chapter that the source left empty, and conclusions worded from the figures."""

from __future__ import annotations

from collections.abc import Iterable

from facedown.papers.claims import N_ERRORS, Figure
from facedown.papers.documents import Passage
from facedown.papers.laboratory import Laboratory
from facedown.papers.love_letter_2016.results import (
    AGENTS,
    BEYOND,
    CHEAP,
    FEWEST,
    SEARCHERS,
    SIMULATIONS,
    SOURCE,
    WAYS,
    Pairing,
    Standing,
    Timing,
    compared,
    decided,
    ended,
    expected_match,
    league,
    mirrored,
    pairing,
    pairings,
    repeat,
    score,
    starter_wins,
    timings,
    turns,
    whole_matches,
    wins,
    wins_when_first,
)

_LONGEST = 10
_DOT = "·"


def columns(rows: Iterable[Iterable[str]]) -> str:
    """Rows as a table: the first column to the left, the others to the right; the first row is the heading."""
    cells = [list(row) for row in rows]
    widths = [max(len(row[at]) for row in cells) for at in range(len(cells[0]))]
    lines = []
    for row in cells:
        rest = (cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))
        lines.append("  ".join([row[0].ljust(widths[0]), *rest]).rstrip())
    return "\n".join(lines)


def percent(figure: Figure, digits: int = 2) -> str:
    """A share with its standard error, short enough for a table, in per cent."""
    return f"{100 * figure.value:.{digits}f} ±{max(100 * figure.stderr, 10**-digits):.{digits}f}"


def short(figure: Figure) -> str:
    """The same without blanks, for tables with many columns."""
    return percent(figure, 1).replace(" ", "")


def _ground(laboratory: Laboratory) -> str:
    """What all tables have in common."""
    searched = f"{' and '.join(SEARCHERS)} with {SIMULATIONS.of(laboratory.profile):,} simulations for a move"
    return f"Figures in per cent with standard errors; {searched}; seed {laboratory.seed}."


# --- 5.1 ----------------------------------------------------------------------------------------------------------------


def times(laboratory: Laboratory) -> str:
    """Section 5.1: the time of 1000 games."""
    found = timings(laboratory)
    fastest = min(timing.seconds for timing in found)
    rows = [["agent", "ms for 1000 games", "× the fastest", "turns a game", "µs a turn", "games timed"]]
    for timing in found:
        length = mirrored(laboratory, timing.agent).played.length_mean
        rows.append(
            [
                timing.agent,
                f"{1000 * timing.seconds:.4g} ±{1000 * timing.stderr:.2g}",
                f"{timing.seconds / fastest:,.1f}",
                f"{length:.2f}",
                f"{1000 * timing.seconds / length:.3g}",
                f"{timing.laps} × {timing.games:,}",
            ]
        )
    note = (
        "Processor time on one core of the machine that made this page, each agent against itself; searching agents with "
        f"{SIMULATIONS.of(laboratory.profile):,} simulations for a move."
    )
    return (
        f"{columns(rows)}\n\n{note}\nAgain: facedown match love_letter AGENT AGENT --games 2 --seed {laboratory.seed} --times"
    )


# --- 5.2 ----------------------------------------------------------------------------------------------------------------


def matrix(laboratory: Laboratory) -> str:
    """Section 5.2: the share of rounds that every agent wins against every other."""
    rows = [["wins against", *AGENTS]]
    for name in AGENTS:
        shares = (_DOT if name == other else percent(wins(*_either(laboratory, name, other))) for other in AGENTS)
        rows.append([name, *shares])
    all_pairs = pairings(laboratory)
    draws = [100 * pair.played.draws / pair.played.games for pair in all_pairs]
    games = " or ".join(f"{n:,}" for n in sorted({pair.played.games for pair in all_pairs}))
    note = (
        f"{_ground(laboratory)} {games} rounds for each pair, every deal played twice with the first turn exchanged. Draws "
        f"are {min(draws):.2f} to {max(draws):.2f} % of the rounds."
    )
    return f"{columns(rows)}\n\n{note}"


def _either(laboratory: Laboratory, name: str, other: str) -> tuple[Pairing, int]:
    """The rounds of two agents, and which of them the first one is there."""
    if AGENTS.index(name) < AGENTS.index(other):
        return pairing(laboratory, name, other), 0
    return pairing(laboratory, other, name), 1


def _by_turn(laboratory: Laboratory) -> str:
    """Section 5.2: rounds and wins by the turn in which the round ended."""
    numbers, fewest = range(1, _LONGEST + 1), FEWEST.of(laboratory.profile)
    heads = ("rounds that end in", "the first wins, in", "the second wins, in")
    tables = [[[head, *(f"turn {number}" for number in numbers)]] for head in heads]
    for pair in pairings(laboratory):
        found = {turn.turn: turn for turn in turns(pair)}
        enough = {number: turn for number, turn in found.items() if turn.n_rounds >= fewest}
        ended = {number: turn.rounds for number, turn in found.items()}
        won = [{number: turn.wins[agent] for number, turn in enough.items()} for agent in (0, 1)]
        for table, figures in zip(tables, [ended, *won], strict=True):
            table.append([pair.title, *(short(figures[number]) if number in figures else _DOT for number in numbers)])
    note = (
        f"{_ground(laboratory)} Turns of both players are counted. A dot: fewer than {fewest} rounds ended there. What is "
        "missing to 100 are draws."
    )
    return "\n\n".join([*(columns(table) for table in tables), note])


def _by_end(laboratory: Laboratory) -> str:
    """Section 5.2: how rounds ended."""
    rows = [["", "rounds", *WAYS]]
    for pair in (*pairings(laboratory), *(mirrored(laboratory, name) for name in AGENTS)):
        rows.append([pair.title, f"{pair.played.games:,}", *(percent(ended(pair, way)) for way in WAYS)])
    return f"{columns(rows)}\n\n{_ground(laboratory)} Other: somebody had to play the Princess, or chose to."


def by_first(laboratory: Laboratory) -> str:
    """Section 5.2: wins by who moved first."""
    rows = [["A – B", "A wins, A first", "A wins, B first", "B wins, B first", "B wins, A first", "who is first wins"]]
    for pair in pairings(laboratory):
        cells = [percent(wins_when_first(pair, agent, first)) for agent, first in ((0, 0), (0, 1), (1, 1), (1, 0))]
        rows.append([pair.title, *cells, percent(starter_wins(pair))])
    for name in AGENTS:
        pair = mirrored(laboratory, name)
        rows.append([pair.title, *[_DOT] * 4, percent(starter_wins(pair))])
    return f"{columns(rows)}\n\n{_ground(laboratory)} Against itself an agent plays every deal once."


# --- 5.3 ----------------------------------------------------------------------------------------------------------------


def _agreeing(laboratory: Laboratory) -> str:
    """Section 5.3: how often two agents choose the same play in the same position."""
    found = compared(laboratory)
    rows = [["same play", *AGENTS]]
    for at, name in enumerate(AGENTS):
        pairs = zip(found.share[at], found.stderr[at], strict=True)
        rows.append([name, *(f"{100 * share:.1f} ±{100 * error:.1f}" for share, error in pairs)])
    note = (
        f"{_ground(laboratory)} {found.positions:,} positions with more than one play, from {found.games:,} rounds between "
        "these agents. On the diagonal: the same play when it is asked twice, which is the most to be expected of others."
    )
    return f"{columns(rows)}\n\n{note}\nAgain: {repeat(laboratory)}"


# --- league -------------------------------------------------------------------------------------------------------------


def _tables_of_the_league(laboratory: Laboratory) -> str:
    """The league of all agents in single rounds, and of those that do not search in whole matches."""
    rounds = league(laboratory, AGENTS, pairings(laboratory))
    matches = whole_matches(laboratory)
    whole = league(laboratory, CHEAP, matches)
    pairs = [["whole matches: A – B", "matches", "A wins", "expected from rounds", "A wins a round"]]
    for pair in matches:
        single = pairing(laboratory, pair.first, pair.second)
        expected, error = expected_match(single)
        row = [pair.title, f"{pair.played.games:,}", percent(score(pair)), f"{100 * expected:.1f} ±{100 * error:.1f}"]
        pairs.append([*row, percent(score(single))])
    note = (
        f"{_ground(laboratory)} Scores count a draw as half a win, and all opponents the same. Expected: if rounds of a match "
        "are independent, and their winner begins the next."
    )
    return "\n\n".join([_standings("one round", rounds), _standings("whole matches", whole), columns(pairs), note])


def _standings(title: str, found: list[Standing]) -> str:
    rows = [[title, "score", "95 % interval", "games"]]
    for place, standing in enumerate(found, 1):
        low, high = standing.interval
        interval = f"{100 * low:.2f} to {100 * high:.2f}"
        rows.append([f"{place} {standing.agent}", percent(standing.score), interval, f"{standing.score.games:,}"])
    return columns(rows)


def commands(laboratory: Laboratory) -> str:
    """The commands behind all tables."""
    played = [*pairings(laboratory), *(mirrored(laboratory, name) for name in AGENTS), *whole_matches(laboratory)]
    return "\n".join([*(pair.played.repeat for pair in played), repeat(laboratory)])


# --- 5.4 ----------------------------------------------------------------------------------------------------------------


def conclusions(laboratory: Laboratory) -> str:
    """Section 5.4: what the figures say, in words. Nothing here is said that the figures do not."""
    sentences = [
        *_on_strength(laboratory),
        _on_minmax(laboratory),
        _on_time(timings(laboratory)),
        _on_first_turn(laboratory),
        _on_ends(laboratory),
        _on_agreement(laboratory),
        _on_matches(laboratory),
    ]
    rule = f"Differences of less than {N_ERRORS} standard errors are called undecided."
    return "\n".join(f"{place}. {sentence}" for place, sentence in enumerate([*sentences, rule], 1))


def _on_strength(laboratory: Laboratory) -> list[str]:
    table = league(laboratory, AGENTS, pairings(laboratory))
    order = ", ".join(f"{one.agent} {one.score.with_error(percent=True)}" for one in table)
    source = next(one.agent for one in table if one.agent in SOURCE)
    ours = next(one.agent for one in table if one.agent in BEYOND)
    return [
        f"In single rounds against all others the order is {order}.",
        f"Of the source's algorithms {source} comes first here, of ours {ours}; {_verdict(laboratory, ours, source)}.",
    ]


def _verdict(laboratory: Laboratory, one: str, two: str) -> str:
    """Which of two agents wins more of their rounds, in words."""
    played, place = _either(laboratory, one, two)
    figure = score(played)
    text = f"{_scored(laboratory, one, two)} of {figure.games:,} rounds"
    if not decided(figure):
        return f"between the two it is undecided, {one} scores {text}"
    ahead = (figure.value > 0.5) == (place == 0)
    return f"{one} {'beats' if ahead else 'loses to'} {two} with {text}"


def _scored(laboratory: Laboratory, one: str, two: str) -> str:
    """The score of an agent against another, in words."""
    played, place = _either(laboratory, one, two)
    return _shown(score(played), flipped=place == 1)


def _shown(figure: Figure, flipped: bool) -> str:
    value = 1 - figure.value if flipped else figure.value
    return f"{100 * value:.1f} ± {100 * figure.stderr:.1f} %"


def _on_minmax(laboratory: Laboratory) -> str:
    words = _verdict(laboratory, "minmax", "greedy")
    found = compared(laboratory)
    one, two = AGENTS.index("minmax"), AGENTS.index("greedy")
    share = f"{100 * found.share[one][two]:.1f} ± {100 * found.stderr[one][two]:.1f} %"
    return f"Looking one answer ahead: {words}; they choose the same play in {share} of the positions."


def _on_time(found: list[Timing]) -> str:
    quick, slow = min(found, key=lambda one: one.seconds), max(found, key=lambda one: one.seconds)
    times = slow.seconds / quick.seconds
    return (
        f"1000 games take {1000 * quick.seconds:.2g} ms with {quick.agent}, the fastest, and {slow.seconds:.2g} s with "
        f"{slow.agent}, the slowest: {times:,.0f} times as long."
    )


def _on_first_turn(laboratory: Laboratory) -> str:
    all_pairs = [*pairings(laboratory), *(mirrored(laboratory, name) for name in AGENTS)]
    shares = [(pair, starter_wins(pair)) for pair in all_pairs]
    better = sum(figure.value > 0.5 and decided(figure) for _, figure in shares)
    worse = sum(figure.value < 0.5 and decided(figure) for _, figure in shares)
    low, high = min(shares, key=lambda one: one[1].value), max(shares, key=lambda one: one[1].value)
    return (
        f"The first turn is an advantage in {better} of {len(shares)} pairings, a disadvantage in {worse}, and undecided in "
        f"the rest: who has it wins from {low[1].with_error(percent=True)} ({low[0].title}) to "
        f"{high[1].with_error(percent=True)} ({high[0].title})."
    )


def _on_ends(laboratory: Laboratory) -> str:
    all_pairs = pairings(laboratory)
    commonest = [max(WAYS, key=lambda way, pair=pair: ended(pair, way).value) for pair in all_pairs]  # type: ignore[misc]
    counts = {way: commonest.count(way) for way in WAYS if way in commonest}
    most = ", ".join(f"{way} in {count}" for way, count in counts.items())
    deck = [ended(pair, "empty deck") for pair in all_pairs]
    low, high = min(deck, key=lambda one: one.value), max(deck, key=lambda one: one.value)
    return (
        f"The commonest end of a round, of {len(all_pairs)} pairings: {most}. The deck runs out in "
        f"{low.with_error(percent=True)} to {high.with_error(percent=True)} of the rounds."
    )


def _on_agreement(laboratory: Laboratory) -> str:
    found = compared(laboratory)
    pairs = [(found.share[a][b], found.stderr[a][b], AGENTS[a], AGENTS[b]) for a in range(len(AGENTS)) for b in range(a)]
    (low, low_error, *least), (high, high_error, *most) = min(pairs), max(pairs)
    return (
        f"{' and '.join(most)} agree most, in {100 * high:.1f} ± {100 * high_error:.1f} % of {found.positions:,} positions, "
        f"{' and '.join(least)} least, in {100 * low:.1f} ± {100 * low_error:.1f} %."
    )


def _on_matches(laboratory: Laboratory) -> str:
    apart, largest = 0, 0.0
    found = whole_matches(laboratory)
    for pair in found:
        expected, error = expected_match(pairing(laboratory, pair.first, pair.second))
        figure = score(pair)
        apart += abs(expected - figure.value) > N_ERRORS * (error + figure.stderr)
        largest = max(largest, abs(expected - figure.value))
    clear = max(found, key=lambda pair: abs(score(pair).value - 0.5))
    winner, loser = (clear.first, clear.second) if score(clear).value > 0.5 else (clear.second, clear.first)
    rounds, matches = _scored(laboratory, winner, loser), _shown(score(clear), flipped=winner == clear.second)
    fit = f"all {len(found)} pairs fit" if apart == 0 else f"{apart} of {len(found)} pairs do not fit"
    return (
        f"Of whole matches the clearest are those of {winner} against {loser}: {winner} scores {matches} of them, and {rounds} "
        f"of single rounds. Beside what independent rounds would make of a match {fit}, and the largest difference is "
        f"{100 * largest:.1f} points."
    )


PASSAGES = (
    Passage("letter-times", "5.1 Time for 1000 games", times),
    Passage("letter-wins", "5.2 Statistics of wins: every pair", matrix),
    Passage("letter-turns", "5.2 Statistics of wins: by the turn in which the round ended", _by_turn),
    Passage("letter-ends", "5.2 Statistics of wins: how rounds ended", _by_end),
    Passage("letter-first", "5.2 Statistics of wins: who moved first", by_first),
    Passage("letter-agreement", "5.3 How far the algorithms agree", _agreeing),
    Passage("letter-league", "League of all agents", _tables_of_the_league),
    Passage("letter-conclusions", "5.4 Conclusions", conclusions),
    Passage("letter-commands", "The matches again", commands),
)
