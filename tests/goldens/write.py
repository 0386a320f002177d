"""Write the goldens anew: `python tests/goldens/write.py`.

Do so after a change that is meant to change games (rules, agents, streams of chance), and read the difference before
you keep it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from facedown.arena.follow import Follower
from facedown.arena.lineup import Lineup
from facedown.games.stepper import Draw

COMMAND = "python tests/goldens/write.py"
HERE = Path(__file__).parent
SEED = 1
N_GAMES = 3

LINEUPS = {
    "cant_stop": ("cant_stop(players=3,sides=4,shortest=1)", ("q6b", "first", "rule28")),
    "domino": ("domino", ("uniform", "uniform")),
    "goofspiel": ("goofspiel(players=3,cards=5,ties=carry)", ("one_up", "near_prize", "match_prize")),
    "hanabi": ("hanabi(players=3,rules=thesis)", ("trustful", "distrustful", "simple_distrustful")),
    "kuhn": ("kuhn(players=3)", ("uniform", "uniform", "uniform")),
    "leduc": ("leduc", ("uniform", "uniform")),
    "love_letter": ("love_letter", ("uniform", "uniform")),
    "rrrats": ("rrrats(tokens=8)", ("stationary(A1=2,B1=1,C2=1)", "hold(at=2)")),
    "war-orders": ("war(ranks=4,suits=2,repetition=draw)", ("winner_first", "loser_first")),
    "war": ("war(ranks=4,suits=2,max_rounds=30)", ("mix(A=1,B=-1,C=0.5)", "descending")),
}


def draws_text(draws: Sequence[Draw]) -> str:
    """What the rules drew: the answer, and from how many."""
    return "".join(f" {answer}/{size}" for answer, size in draws)


def transcript(name: str) -> Iterator[str]:
    """The lines of one golden."""
    game, agents = LINEUPS[name]
    lineup = Lineup(game, agents)
    yield f"{game}: {', '.join(agents)}; seed {SEED}; draws are answer/possibilities"
    for index in range(N_GAMES):
        follower = Follower(lineup, SEED, index)
        seats = [lineup.agents[agent].name for agent in follower.seating]
        yield ""
        yield f"game {index}: seats {', '.join(seats)}"
        yield f"  start:{draws_text(follower.start())}"
        for move in follower.moves():
            forced = ", forced" if move.forced else ""
            drawn = f", draws{draws_text(move.draws)}" if move.draws else ""
            yield f"  {move.number}. player {move.player}: {move.name} ({move.action}){forced}{drawn}"
        values = np.zeros(len(lineup.game.columns))
        lineup.game.report(follower.position.state, values)
        columns = "".join(f", {c.name} {value:g}" for c, value in zip(lineup.game.columns, values, strict=True))
        yield f"  scores by agent: {' '.join(f'{score:g}' for score in follower.agent_scores())}{columns}"


def golden(name: str) -> Path:
    """The file of one golden."""
    return HERE / f"{name}.txt"


def first_difference(kept: Sequence[str], found: Sequence[str]) -> str | None:
    """A sentence on the first line that differs, or None.

    >>> first_difference(["a", "b"], ["a", "c"])
    "line 2 is 'c', the golden has 'b'"
    >>> first_difference(["a"], ["a", "c"])
    "line 2 is 'c', the golden has no such line"
    """
    for number in range(max(len(kept), len(found))):
        ours = repr(found[number]) if number < len(found) else "missing"
        theirs = repr(kept[number]) if number < len(kept) else "no such line"
        if ours != theirs:
            return f"line {number + 1} is {ours}, the golden has {theirs}"
    return None


def main() -> None:
    for name in LINEUPS:
        lines = list(transcript(name))
        path = golden(name)
        before = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        print(f"{path.name}: {first_difference(before, lines) or 'as it was'}")


if __name__ == "__main__":
    main()
