"""The agent `lookahead`: a blueprint that looks ahead, by playing on from worlds that fit what it knows.

The search itself is `lookahead_loop.py`. Any agent can be the blueprint that can be brought to a position in the middle of a
game: one that keeps nothing, or a public record only. If it says what it believes, worlds are drawn from that, else from all
that fits the view; if it says which moves keep to its convention, only those are looked at.

It cannot peek: all it is given is the view and the public record, and what it supposes is drawn from its own stream. So the
same seed and game give the same moves.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from facedown.agents.contract import Agent, Parameter, number_text
from facedown.agents.generic import lookahead_loop as loop
from facedown.agents.generic.basic import uniform
from facedown.agents.generic.mcts import blank_bytes, can_search, lay_out
from facedown.agents.reasons import Choice, Reason
from facedown.errors import UsageError
from facedown.games.contract import Game
from facedown.native.chance import CHANCE
from facedown.native.jit import COMPILED, bind_calls
from facedown.native.records import Record
from facedown.native.rules_loop import bind_rules, template_for

MAX_ROLLOUTS = 1_000_000
COMPILE_SECONDS = 30.0
BLUEPRINT = "blueprint"

PARAMETERS = (
    Parameter(
        "rollouts", 60.0, 0.0, MAX_ROLLOUTS, "rounds of games that each move is tried in at most; 0: the blueprint", whole=True
    ),
    Parameter("bias", 0.05, 0.0, 1000.0, "points by which a move must do better than the blueprint's, where worlds are drawn"),
    Parameter("sureness", 2.0, 0.0, 100.0, "standard errors by which a move must be behind to be dropped"),
    Parameter("margin", 1.0, 0.0, 100.0, "standard errors by which a move must do better, beyond the bias"),
    Parameter(
        "exact", 200.0, 0.0, MAX_ROLLOUTS, "all worlds are looked at if a move takes at most so many games then", whole=True
    ),
    Parameter("indifference", 0.0, 0.0, 1000.0, "a move that can only be better by fewer points than this is dropped"),
)
MEANING = (
    "looks ahead: plays on by a blueprint from worlds that fit what it knows, after each move that keeps to its convention, "
    "and makes the move that does best; blueprint=AGENT says which"
)


@dataclass(frozen=True, eq=False, kw_only=True)
class LookaheadAgent(Agent):
    """`lookahead` for one game, on one blueprint."""

    played: Game
    blueprint: Agent

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_blueprint()
        for name, function in _functions(self.played, self.blueprint).items():
            object.__setattr__(self, name, function)
        object.__setattr__(self, "public", self.blueprint.public)
        object.__setattr__(self, "agrees", self.blueprint.agrees)
        object.__setattr__(self, "tells", self.blueprint.tells)  # its moves mean what they mean in the convention
        layout = _Layout(self)
        object.__setattr__(self, "memory", layout.memory)
        object.__setattr__(self, "table", layout.facts)
        object.__setattr__(self, "explain", self._explain)

    def __call__(self, *numbers: Any, **settings: Any) -> Agent:
        """The same with other parameters, or on another blueprint."""
        from facedown.agents.registry import agent as find_agent

        chosen: dict[str, Any] = {}
        if BLUEPRINT in settings:
            chosen[BLUEPRINT] = find_agent(settings.pop(BLUEPRINT), self.played)
        changed = super().__call__(*numbers, **settings)
        return dataclasses.replace(changed, **chosen)

    def _check_blueprint(self) -> None:
        """Refuse agents that cannot play on from the middle of a game."""
        helper = self.blueprint
        problem = (
            "is not compiled"
            if not helper.compiled
            else "cheats: it wants the whole state"
            if helper.cheats
            else "plays from a table"
            if helper.table is not None
            else "has a memory, which would be empty: games are played on from the middle of one"
            if helper.memory is not None
            else "must hear every move of a game, and keeps no public record that could be copied"
            if helper.public is None and helper.watch is not None
            else "keeps a public record that the view of one seat is not enough for: it has no 'watch_all', and no agrees=True"
            if helper.public is not None and not helper.agrees and helper.watch_all is None
            else ""
        )
        if problem:
            raise UsageError(f"{self.name}: {BLUEPRINT}={helper} cannot be looked ahead with: agent {helper.name} {problem}")

    @property
    def params(self) -> np.ndarray[Any, Any]:
        """The blueprint's parameters come first: its functions find them where they always are."""
        return np.concatenate([self.blueprint.params, super().params])

    def __str__(self) -> str:
        settings = [f"{p.name}={number_text(self.values[p.name])}" for p in self.parameters if self.values[p.name] != p.default]
        settings += [f"{BLUEPRINT}={self.blueprint.spec}"] if str(self.blueprint) != self.usual else []
        return f"{self.name}({','.join(settings)})" if settings else self.name

    usual: str = ""
    """The blueprint that need not be named."""

    def _explain(self, view: Record, action: int, params: Any, memory: Record | None, public: Record | None = None) -> Reason:
        """What each move came to, the best first; errors are those of the difference to the blueprint's move."""
        assert memory is not None
        found = sorted(compared_moves(memory), key=lambda move: (move.action != action, -move.gain, move.action))
        names = {move.action: self.played.action_name(view, move.action) for move in found}
        first = names[int(memory.found[0]["action"])]
        if memory.head.n_rounds == 0:
            return Reason("rule", f"{self.blueprint.name} would {first}, and no other move keeps to its convention")
        moves = (Choice(m.action, names[m.action], m.mean, m.stderr, count=m.n_rounds) for m in found)
        worlds = f"{'all ' if memory.head.exact else ''}{int(memory.head.n_rounds):,} worlds"
        words = f"{worlds}, {self.blueprint.name} would {first}; average score, error and games with"
        return Reason("value", words, tuple(moves))


@dataclass(frozen=True)
class ComparedMove:
    """What the games after one move came to: their average score, and how much better than those after the blueprint's move."""

    action: int
    n_rounds: int
    mean: float
    gain: float
    stderr: float
    """Of the gain; of the blueprint's own move, of its average."""


def compared_moves(memory: Record) -> list[ComparedMove]:
    """The moves of the last decision, the blueprint's first."""
    moves = []
    for at in range(int(memory.head.n_found)):
        here = memory.found[at]
        n = max(int(here["n_rounds"]), 1)
        sums = ("gain", "gain_squares") if at else ("total", "squares")
        error = 0.0 if memory.head.exact else float(loop.stderr_of(float(here[sums[0]]), float(here[sums[1]]), n))
        gain, base = float(here["gain"]) / _weight(here), float(memory.found[0]["total"]) / _weight(memory.found[0])
        moves.append(ComparedMove(int(here["action"]), int(here["n_rounds"]), base + gain, gain, error))
    return moves


def _weight(candidate: Any) -> float:
    """Of all rounds of a candidate."""
    return float(candidate["weight"]) or 1.0


class _Layout:
    """Where things are in the memory of a search, and what its native code is told of them."""

    def __init__(self, agent: LookaheadAgent):
        game, blueprint = agent.played, agent.blueprint
        n_public = blueprint.public.itemsize if blueprint.public is not None else 0
        parts: list[tuple[str, Any, int]] = [
            ("head", loop.HEAD, 1),
            ("found", loop.CANDIDATE, game.n_actions),
            ("luck", CHANCE, 1),
            ("worlds", CHANCE, 1),
            ("states", game.state, loop.N_STATES),
            ("eye", game.view, 1),
            ("clone", np.uint8, n_public),
            ("choices", np.int64, game.n_actions + 4),
            ("scores", np.float64, game.n_players),
        ]
        self.memory, places = lay_out(parts, lined={"found", "states", "eye", "clone"})
        blanks = blank_bytes(game)
        n_own = len(blueprint.params)
        facts = places | {
            "max_moves": game.max_moves,
            "n_players": game.n_players,
            "n_actions": game.n_actions,
            "state_bytes": game.state.itemsize,
            "view_bytes": game.view.itemsize,
            "n_public": n_public,
            "at_settings": n_own,
            "at_blanks": n_own + len(PARAMETERS),
            "n_blanks": len(blanks),
        }
        record = np.zeros(1, loop.FACTS)
        for name, fact in facts.items():
            record[name] = fact
        self.facts = np.concatenate([np.ravel(blanks), record.view(np.float64)])


def _functions(game: Game, blueprint: Agent) -> dict[str, Callable[..., Any] | None]:
    """The functions of the agent; those of the blueprint are large, so they are called and not copied."""
    in_public, keep, believe, watch = blueprint.public is not None, blueprint.keeps, blueprint.believe, blueprint.watch
    decide = bind_calls(loop.decide_in_public if in_public else loop.decide_alone, play=blueprint.act)
    tell: Any = loop.tell_nobody
    if watch is not None:
        tell = bind_calls(loop.tell_public, observe=game.observe, hears=game.hears, listen=watch)
    roll_out = bind_rules(loop.play_on, game, decide=decide, tell=tell)
    if believe is None:
        suppose = bind_calls(loop.suppose_by_rules, imagine=game.imagine)
    else:
        suppose = bind_calls(loop.suppose_in_public if in_public else loop.suppose_alone, believe=believe)
    keeps: Any = bind_calls(loop.keeps_in_public, keep=keep) if in_public and keep is not None else loop.keeps_anything
    compare_in = bind_calls(loop.try_worlds, suppose=suppose, roll_out=roll_out)
    count, find_room = bind_calls(loop.count_worlds, suppose=suppose), template_for(loop.room_in, game.state, game.view)
    compare = bind_calls(
        loop.search, suppose=suppose, keeps=keeps, roll_out=roll_out, find_room=bind_calls(find_room), count=count,
        compare_in=compare_in,
    )  # fmt: skip
    act = compare if in_public else bind_calls(loop.act_alone, compare=compare)
    return {"act": act, "watch": watch, "watch_all": blueprint.watch_all, "keeps": keep, "believe": believe}


def lookahead(
    game: Game,
    blueprint: Agent,
    *,
    name: str = "lookahead",
    settings: Mapping[str, float] | None = None,
) -> LookaheadAgent:
    """The agent that looks ahead on a blueprint; `settings` are those that it has unless others are asked for."""
    usual = settings or {}
    if not can_search(game):
        raise UsageError(
            f"{name} cannot play {game.name}: it supposes what its view hides, and the view does not say who looks"
        )
    return LookaheadAgent(
        name=name,
        meaning=MEANING,
        act=uniform,  # until the search itself is bound
        game=game.name,
        game_spec=game.spec,
        seconds=COMPILE_SECONDS,
        quick={"rollouts": 4.0 if COMPILED else 0.0, "exact": 8.0},
        parameters=tuple(dataclasses.replace(p, default=usual.get(p.name, p.default)) for p in PARAMETERS),
        played=game,
        blueprint=blueprint,
        usual=str(blueprint),
    )
