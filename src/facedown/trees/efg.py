"""A game written in Gambit's extensive form (`.efg`), by walking its rules: for Gambit, OpenSpiel and whoever reads it.

1. Every draw of the rules is a chance node with the exact probabilities; where several combinations of draws lead to the
   same state, as in `explore`, the whole deal is one chance node with the summed probabilities instead.
2. An information set is what the player to move sees, as bytes; it is called as the game describes it, and its actions
   as the game names them. Numbers, names and lists stand at every node, since not every reader does without.
3. Payoffs are the rules' scores, exactly; ends with the same scores are one outcome.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction

from facedown.games.contract import OVER, Game
from facedown.games.registry import game as find_game
from facedown.games.stepper import Stepper
from facedown.inputs import whole_number
from facedown.native.outcomes import Outcomes, TapedDraw, TooManyOutcomesError
from facedown.trees.explore import too_large

MAX_NODES = 1_000_000


def to_efg(game: str | Game, *, max_nodes: int = MAX_NODES) -> str:
    """The game tree as the text of an `.efg` file; more than `max_nodes` nodes raise `TreeTooLargeError`."""
    found = find_game(game)
    max_nodes = whole_number("max_nodes", max_nodes, 1)
    players = " ".join(_quoted(found.seat_name(player)) for player in range(found.n_players))
    header = f"EFG 2 R {_quoted(f'{found.title} ({found})')} {{ {players} }}\n{_quoted(found.source)}\n"
    return "\n".join([header, *_Writer(found, max_nodes).lines()]) + "\n"


def _quoted(words: str) -> str:
    """A text in quotation marks; readers disagree on how quotation marks and backslashes in it are written."""
    return '"' + " ".join(words.replace('"', "'").replace("\\", "/").split()) + '"'


class _Writer:
    """Nodes depth first: `waiting` holds what is still to be written, lines of text or states, the next one last."""

    def __init__(self, game: Game, limit: int):
        self._rules, self._limit = Stepper(game), limit
        self._sets: list[dict[bytes, tuple[int, str]]] = [{} for _ in range(game.n_players)]
        self._names: Counter[tuple[int, str]] = Counter()
        self._outcomes: dict[tuple[Fraction, ...], str] = {}
        self._n_nodes = self._n_draws = 0

    def lines(self) -> Iterable[str]:
        waiting = self._after(None, -1)
        while waiting:
            self._n_nodes += 1
            if self._n_nodes > self._limit:
                raise too_large(self._rules.game, self._limit)
            following = waiting.pop()
            if isinstance(following, str):
                yield following
                continue
            player = self._rules.turn(following)
            if player == OVER:
                yield f't "" {self._outcome(self._rules.scores(following))}'
                continue
            legal = self._rules.legal(following)
            yield f'p "" {player + 1} {self._information_set(following, player, legal)} 0'
            for action in reversed(legal):
                waiting += self._after(following, action)

    def _after(self, state: bytes | None, action: int) -> list[str | bytes]:
        """What follows an action (or the start), the last node first."""
        most = max(self._limit - self._n_nodes, 1)
        try:
            outcomes = self._rules.starts(most) if state is None else self._rules.steps(state, action, most)
        except TooManyOutcomesError:
            raise too_large(self._rules.game, self._limit) from None
        one_by_one = all(outcome.n_tapes == 1 for outcome in outcomes.outcomes)
        return (self._draws(outcomes) if one_by_one else self._deal(outcomes))[::-1]

    def _draws(self, outcomes: Outcomes) -> list[str | bytes]:
        """A chance node for each draw; tapes come in order, so those with the same beginning follow each other."""
        answers: dict[tuple[int, ...], dict[int, TapedDraw]] = {}
        tapes = [tuple(draw.answer for draw in outcome.tape) for outcome in outcomes.outcomes]
        for tape, outcome in zip(tapes, outcomes.outcomes, strict=True):
            for at, draw in enumerate(outcome.tape):
                answers.setdefault(tape[:at], {})[draw.answer] = draw
        found: list[str | bytes] = []
        written: set[tuple[int, ...]] = set()
        for tape, outcome in zip(tapes, outcomes.outcomes, strict=True):
            for at in range(len(tape)):
                if tape[:at] not in written:
                    written.add(tape[:at])
                    branches = answers[tape[:at]].values()
                    found.append(self._chance((str(draw.answer), Fraction(draw.weight, draw.total)) for draw in branches))
            found.append(outcome.state)
        return found

    def _deal(self, outcomes: Outcomes) -> list[str | bytes]:
        """One chance node for all that can come of several draws."""
        branches = ((str(number), outcome.probability) for number, outcome in enumerate(outcomes.outcomes))
        states = [outcome.state for outcome in outcomes.outcomes]
        return [self._chance(branches), *states] if len(states) > 1 else list(states)

    def _chance(self, branches: Iterable[tuple[str, Fraction]]) -> str:
        self._n_draws += 1
        listing = " ".join(f"{_quoted(label)} {probability}" for label, probability in branches)
        return f'c "" {self._n_draws} "" {{ {listing} }} 0'

    def _information_set(self, state: bytes, player: int, legal: tuple[int, ...]) -> str:
        view = self._rules.view(state, player)
        sets = self._sets[player]
        if view not in sets:
            game, seen = self._rules.game, self._rules.view_record(view)
            labels = " ".join(_quoted(game.action_name(seen, action)) for action in legal)
            sets[view] = len(sets) + 1, f"{_quoted(self._name(player, game.describe(seen)))} {{ {labels} }}"
        number, words = sets[view]
        return f"{number} {words}"

    def _name(self, player: int, words: str) -> str:
        """What the game says, and a number where it said so before: Gambit wants different names."""
        self._names[player, words] += 1
        return words if self._names[player, words] == 1 else f"{words} #{self._names[player, words]}"

    def _outcome(self, scores: tuple[Fraction, ...]) -> str:
        if scores not in self._outcomes:
            payoffs = ", ".join(map(str, scores))
            self._outcomes[scores] = f'{len(self._outcomes) + 1} "" {{ {payoffs} }}'
        return self._outcomes[scores]
