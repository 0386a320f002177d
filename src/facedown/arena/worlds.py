"""What a player can know of what is hidden: worlds that fit a view, and how many of them agree.

All of it is made from a view. Worlds are drawn by the game's `imagine`, with a seed that follows from the view alone, so that
neither the deal nor what agents think can show in it.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from facedown.games.contract import Game
from facedown.games.stepper import Stepper
from facedown.inputs import whole_number
from facedown.native.outcomes import TooManyOutcomesError
from facedown.native.records import Record, fields_of

N_WORLDS = 100
_MAX_WORLDS = 100_000
MAX_ALL = 200
"""With at most this many combinations of draws all worlds are looked at, and what holds in each of them is certain."""
_MAX_FACTS = 24


@dataclass(frozen=True)
class Fact:
    """Something hidden, and in how many worlds it is what."""

    name: str
    counts: tuple[tuple[str, int], ...]
    """Most frequent first."""
    certain: bool
    """Whether it is the same in all worlds that fit."""


@dataclass(frozen=True)
class Belief:
    """What worlds that fit a view have in common, and in what they differ."""

    model: str
    n_worlds: int
    facts: tuple[Fact, ...]

    @property
    def deduced(self) -> tuple[Fact, ...]:
        """What must be so."""
        return tuple(fact for fact in self.facts if fact.certain)

    @property
    def believed(self) -> tuple[Fact, ...]:
        """What may be so."""
        return tuple(fact for fact in self.facts if not fact.certain)


def believe(game: Game, view: Record, player: int, n_worlds: int | None = None) -> Belief:
    """Draw worlds that fit a view, and count what is hidden in them."""
    n_worlds = whole_number("n_worlds", N_WORLDS if n_worlds is None else n_worlds, 1, _MAX_WORLDS)
    seen = view.tobytes()
    rules = Stepper(game)
    rules.sample(view_seed(game, seen), 0, record=False)
    drawn = [rules.imagine(seen, player) for _ in range(n_worlds)]
    every = _all_worlds(rules, seen, player)
    told = [_hidden(game, rules.state(state).copy(), player) for state in drawn]
    whole = None if every is None else [_hidden(game, rules.state(state).copy(), player) for state in every]
    facts = [fact for fact in _facts(told, whole) if game.hidden is not None or len(fact.counts) > 1]
    return Belief(_model(game), n_worlds, tuple(facts[:_MAX_FACTS]))


def view_seed(game: Game, seen: bytes) -> int:
    """A seed that tells no more than the view does."""
    tables = game.values.keys() - {option.name for option in game.options}  # where they lie in memory
    known = np.frombuffer(bytearray(seen), game.view)
    for name in tables & set(known.dtype.names or ()):
        known[name] = 0
    return int.from_bytes(hashlib.sha256(known.tobytes()).digest()[:6], "little")


def _all_worlds(rules: Stepper, seen: bytes, player: int) -> list[bytes] | None:
    try:
        return [outcome.state for outcome in rules.imaginings(seen, player, MAX_ALL).outcomes]
    except TooManyOutcomesError:
        return None


def _hidden(game: Game, state: Record, player: int) -> dict[str, str]:
    if game.hidden is not None:
        return game.hidden(state, player)
    found = {}
    for field in fields_of(game.state):
        if field.name not in game.values:
            for place, value in np.ndenumerate(np.asarray(state[field.name])):
                where = f" [{', '.join(map(str, place))}]" if place else ""
                found[f"{field.meaning}{where}"] = str(value)
    return found


def _facts(drawn: list[dict[str, str]], every: list[dict[str, str]] | None) -> Iterable[Fact]:
    """In the order of their names' first appearance; what is the same in every world of a sample may still be chance."""
    names = list(dict.fromkeys(name for world in (drawn if every is None else every) for name in world))
    for name in names:
        counts = Counter(world[name] for world in drawn if name in world)
        possible = {world.get(name) for world in every} if every is not None else set()
        yield Fact(name, tuple(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))), len(possible) == 1)


def _model(game: Game) -> str:
    likely = "as likely as chance deals it, whatever was played" if game.even_deals else "as likely as it is in uniform play"
    return f"imagine of {game.name}: each world {likely}{'' if game.exact_imagine else ', approximately'}"
