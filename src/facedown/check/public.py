"""The check of what is public: common fields show everybody the same, and public records are the same in every seat.

An agent's public record may be kept once for all seats (`watch_all`) because it could be kept in each of them (`watch`) from
what that seat sees and hears. So both ways are played, and the bytes are compared after the deal and after every move: in games
of the agent itself, in games where every now and then somebody errs, and in games of errors only. An error is a random move; of
an agent that says which moves keep to its convention (`keeps`), one of those: others may part the records, whatever one does.
"""

from __future__ import annotations

import numpy as np

from facedown.agents.contract import NOBODY, Agent
from facedown.agents.player import Company, Player
from facedown.agents.registry import agents_for
from facedown.check.case import Case
from facedown.check.honest import differing_fields
from facedown.check.report import Failure, Skip
from facedown.games.contract import HIDDEN, OVER, UNNOTICED
from facedown.native.streams import CHECKS
from facedown.trees.story import Told, story

MAX_SPOTS = 200
MAX_MOVES = 1_200
MAX_GAMES = 30
ERRORS = (0.0, 0.25, 1.0)
"""How many of the moves are random, in one game after the other."""


def public(case: Case) -> str:
    """Common fields are the same in all views, and every seat comes to the same public record."""
    game = case.game
    if game.n_players == 1:
        raise Skip("there is one player, so nothing is shared")
    known = [*(agent(**agent.quick) for agent in agents_for(game).values()), *case.agents]
    keeping = [agent for agent in known if agent.public is not None and agent.compiled]
    shown = _common_fields(case, required=game.common is not None or any(agent.watch_all for agent in keeping))
    if not keeping:
        return f"{shown}; no agent keeps a public record"
    n_moves = sum(_Records(case, agent).play() for agent in keeping)
    names = ", ".join(agent.name for agent in keeping)
    return f"{shown}; {names}: {n_moves:,} moves led every seat to the same public record"


def _common_fields(case: Case, required: bool) -> str:
    n_views, fields = 0, case.game.common_fields
    for spot in case.sample.spots(MAX_SPOTS):
        views = [case.look(spot.state, player) for player in range(case.game.n_players)]
        n_views += len(views)
        for name in fields:
            other = next((at for at, view in enumerate(views) if not np.array_equal(view[name], views[0][name])), None)
            if other is not None and required:
                raise Failure(
                    f"'{name}' is a common field, but players 0 and {other} see different things in it",
                    where=case.sample.place(spot),
                    expected="fields that show every player the same",
                    remedy="name the fields that do in common=(...), or show everybody the same in 'observe'",
                )
            if other is not None:
                fields = tuple(field for field in fields if field != name)
    return f"{len(fields)} fields looked the same to everybody in {n_views:,} views"


class _Records:
    """Games in which one agent listens in all seats, each with a record of its own, beside one record for all."""

    def __init__(self, case: Case, agent: Agent):
        self.case, self.agent = case, agent
        self._choices = np.random.default_rng(case.seed)
        self._deal: list[tuple[int, int]] = []
        self._told: list[Told] = []

    def play(self) -> int:
        """Compare the records of some games; how many moves they had."""
        n_moves, most = 0, min(MAX_MOVES, 20 * self.case.games)
        for number in range(min(MAX_GAMES, 2 * self.case.games)):
            if n_moves >= most:
                break
            n_moves += self._play(number, ERRORS[number % len(ERRORS)])
        return n_moves

    def _play(self, number: int, p_error: float) -> int:
        rules, game = self.case.rules, self.case.game
        rules.sample(self.case.seed, number)
        state = rules.start()
        self._deal, self._told = rules.draws, []
        company = Company([Player(self.agent, game) for _ in range(game.n_players)])
        for player, seated in enumerate(company.players):
            seated.sit_down(self.case.seed, number, player, CHECKS)
        everybody = Player(self.agent, game)
        company.begin(lambda player: self.case.look(state, player))
        if self.agent.one_for_all:
            everybody.hear_for_all(self.case.look(state, 0), NOBODY, HIDDEN)
        self._compare(company, everybody)
        while (mover := rules.turn(state)) != OVER:
            legal, view = rules.legal(state), self.case.look(state, mover)
            chosen = company.players[mover].choose(view, legal) if len(legal) > 1 else legal[0]
            if chosen not in legal or self._choices.random() < p_error:  # that it is legal, another check is about
                possible = [action for action in legal if company.players[mover].keeps(view, action)]
                chosen = possible[self._choices.integers(len(possible))] if possible else chosen
            action = chosen
            after = rules.step(state, action)
            self._told.append(Told(state, mover, action, rules.draws))
            state = after
            heard = [rules.heard(state, player, mover, action) for player in range(game.n_players)]
            company.hear(lambda player, now=state: self.case.look(now, player), heard.__getitem__, mover)  # type: ignore[misc]
            if self.agent.one_for_all and UNNOTICED not in heard:
                everybody.hear_for_all(self.case.look(state, mover), mover, heard[0] if len(set(heard)) == 1 else HIDDEN)
            self._compare(company, everybody)
        return len(self._told)

    def _compare(self, company: Company, everybody: Player) -> None:
        first, *others = company.players
        for player, other in enumerate(others, start=1):
            if not np.array_equal(first.public, other.public):
                raise self._failure(f"came to different public records in seats 0 and {player}", first, other)
        if self.agent.one_for_all and not np.array_equal(first.public, everybody.public):
            found = "came to different public records by 'watch' and by 'watch_all'"
            raise self._failure(found if self.agent.watch_all else "does not agree with itself", first, everybody)

    def _failure(self, found: str, one: Player, other: Player) -> Failure:
        assert self.agent.public is not None
        difference = differing_fields(self.agent.public, one.public.tobytes(), other.public.tobytes())
        return Failure(
            f"agent {self.agent.name} {found}: {difference}",
            where=f"the game that goes: {story(self.case.rules, self._deal, self._told)}",
            expected="a public record that depends on what everybody sees and hears, and on nothing else",
            remedy="write to it only what follows from common fields and from moves that everybody hears of",
        )
