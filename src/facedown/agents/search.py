"""The agent `mcts`: information-set Monte Carlo tree search for any game, from its rules alone.

The search itself is `search_tree.py`. Two questions that its source leaves open:

Whose information sets? With `observers=2` nodes are what each player sees who is to move (multiple-observer search): in
simulations the others play by what they would hold. With `observers=1` nodes are what the searching player sees
(single-observer search): moves of the others are pooled over all that they may hold, and availability counts keep
those fair that only some deals allow. Either way the searcher's own later moves depend on what it will know then, and
on nothing else. Two observers are the default because they win: against one, with 1,000 simulations a move, 0.045 +-
0.003 chips a game in Kuhn poker and 0.16 +- 0.05 in Leduc hold'em (0.33 +- 0.05 with 5,000); in Love Letter neither does
(49.9 +- 0.6 %).

When is a tree kept? Within a game of perfect recall, where a view tells the whole history, so the node of a later view
is the very information set; and while there is room for another search. Otherwise each move begins anew.

It cannot peek: all it is given is the view, and what it imagines is drawn from its own stream. So the same seed and
game give the same moves, except with `milliseconds`, where the speed of the machine decides.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from types import FunctionType
from typing import Any

import numpy as np

from facedown.agents import search_tree as tree
from facedown.agents.contract import Agent, Parameter, number_text
from facedown.agents.generic import uniform
from facedown.errors import UsageError
from facedown.games.contract import Game
from facedown.games.position import Position
from facedown.native.chance import CHANCE, game_key, seed_stream
from facedown.native.jit import COMPILED, bind
from facedown.native.records import CACHE_LINE, Record

MOST_SIMULATIONS = 1_000_000
MOST_MILLISECONDS = 3_600_000
KEPT_SEARCHES = 4  # the memory has room for so many moves, as long as it stays small
SMALL_SEARCH = 50_000
NODES_A_MILLISECOND = 1_000
MOST_DEPTH = 256
COMPILE_SECONDS = 8.0
ROLES = ("opponent", "rollout")

PARAMETERS = (
    Parameter("simulations", 1000.0, 1.0, MOST_SIMULATIONS, "simulations for a move", whole=True),
    Parameter(
        "milliseconds",
        0.0,
        0.0,
        MOST_MILLISECONDS,
        "time for a move instead of simulations, not repeatable; 0 counts simulations",
    ),
    Parameter("exploration", 2.0**0.5, 0.0, 1000.0, "weight C of moves that were tried seldom"),
    Parameter("observers", 2.0, 1.0, 2.0, "nodes are what the searcher sees (1) or what each mover sees (2)", whole=True),
)
MEANING = (
    "searches: plays simulated games from deals that fit its view, and the move most of them chose; opponent=AGENT plays "
    "the others in simulations (or they search too), rollout=AGENT everyone beyond the tree (or uniform)"
)


@dataclass(frozen=True, eq=False, kw_only=True)
class SearchAgent(Agent):
    """`mcts` for one game. Other agents may play in its simulations: `mcts(opponent=greedy)`."""

    played: Game
    imagine: Callable[..., None]
    opponent: Agent | None = None
    """Who plays the other players' moves in simulations; None: they are searched as well."""
    rollout: Agent | None = None
    """Who plays beyond the tree; None: `uniform`."""

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "act", _act_for(self.played, self.imagine, _act_of(self.opponent), _act_of(self.rollout)))
        layout = _Layout(self)
        object.__setattr__(self, "memory", layout.memory)
        object.__setattr__(self, "table", layout.facts)
        object.__setattr__(self, "explain", self._explain)

    def __call__(self, *numbers: Any, **settings: Any) -> Agent:
        """The same search with other parameters, or with other agents in its simulations."""
        chosen: dict[str, Any] = {role: self._helper(role, settings.pop(role)) for role in ROLES if role in settings}
        changed = super().__call__(*numbers, **settings)
        return dataclasses.replace(changed, **chosen)

    def _helper(self, role: str, name: Any) -> Agent:
        """The agent that shall play in simulations, or an error that says why it cannot."""
        from facedown.agents.registry import agent as find_agent

        found = find_agent(name, self.played)
        problem = (
            "is not compiled"
            if not found.compiled
            else "cheats: it wants the whole state"
            if found.cheats
            else "must hear every move of a game, and simulations begin in the middle of one"
            if found.watch is not None
            else "searches itself, which would take for ever"
            if isinstance(found, SearchAgent)
            else ""
        )
        if problem:
            raise UsageError(f"{self.name}: {role}={name} cannot play in simulations: agent {found.name} {problem}")
        return found

    def __str__(self) -> str:
        settings = [f"{p.name}={number_text(self.values[p.name])}" for p in PARAMETERS if self.values[p.name] != p.default]
        settings += [f"{role}={helper.spec}" for role in ROLES if (helper := getattr(self, role)) is not None]
        return f"{self.name}({','.join(settings)})" if settings else self.name

    def _explain(self, view: Record, memory: Record | None) -> str:
        """The values and visits of all moves, the most visited first."""
        assert memory is not None
        found = sorted(searched_moves(self, memory), key=lambda move: (-move.n_visits, move.action))
        moves = [f"{self.played.action_name(view, m.action)} {m.mean:+.3g} in {m.n_visits:,}" for m in found]
        n_simulations, n_kept = int(memory.head[tree.N_SIMULATIONS]), int(memory.head[tree.N_KEPT])
        kept = f" and {n_kept:,} kept from earlier moves" if n_kept else ""
        return f"{n_simulations:,} simulations{kept}; average score and number of them with {'; '.join(moves)}"


@dataclass(frozen=True)
class SearchedMove:
    """What a search found out about one move: how often it was taken, how often it could have been, its average score."""

    action: int
    n_visits: int
    n_available: int
    mean: float


def searched_moves(agent: SearchAgent, memory: Record) -> list[SearchedMove]:
    """The moves at the root of the last search, by their numbers."""
    low, high = agent.played.score_range
    found, edge = [], int(memory.nodes[int(memory.head[tree.ROOT])]["first"]) - 1
    while edge >= 0:
        here = memory.edges[edge]
        n_visits = int(here["n_visits"])
        mean = low + (high - low) * float(here["total"]) / max(n_visits, 1)
        found.append(SearchedMove(int(here["action"]), n_visits, int(here["n_available"]), mean))
        edge = int(here["following"]) - 1
    return sorted(found, key=lambda move: move.action)


class _Layout:
    """Where things are in the memory of a search, and what its native code is told of them."""

    def __init__(self, agent: SearchAgent):
        game, values = agent.played, agent.values
        if values["milliseconds"]:
            n_edges = int(min(values["milliseconds"] * NODES_A_MILLISECOND, MOST_SIMULATIONS))
        else:
            n_edges = int(values["simulations"]) * (KEPT_SEARCHES if values["simulations"] <= SMALL_SEARCH else 1)
        rooms = [helper.memory.itemsize if helper and helper.memory else 0 for helper in (agent.opponent, agent.rollout)]
        rooms = [(room + 7) // 8 * 8 for room in rooms]
        parts: list[tuple[str, Any, int]] = [
            ("head", np.int64, tree.N_HEAD),
            ("states", game.state, 2),
            ("seen", game.view, 1),
            ("eye", game.view, 1),
            ("actions", np.int64, game.n_actions + 4),
            ("marks", np.int64, game.n_actions),
            ("scores", np.float64, game.n_players),
            ("path", np.int64, 2 * min(game.max_moves, MOST_DEPTH)),
            ("helpers", np.uint8, game.n_players * sum(rooms)),
            ("nodes", tree.NODE, 1 << (2 * n_edges - 1).bit_length()),
            ("edges", tree.EDGE, n_edges),
        ]
        starts, end = [], 0
        for name, kind, count in parts:
            line = CACHE_LINE if name in {"states", "nodes", "edges"} else 8
            starts.append(-(-end // line) * line)
            end = starts[-1] + np.dtype(kind).itemsize * count
        self.memory = np.dtype(
            (
                np.record,
                np.dtype(
                    {
                        "names": [name for name, _, _ in parts],
                        "formats": [(kind, (count,)) for _, kind, count in parts],
                        "offsets": starts,
                        "itemsize": end,
                    }
                ),
            )
        )
        blank = game.blank().view(np.uint8)
        filled = [(int(at), int(blank[at])) for at in np.flatnonzero(blank)]
        helpers = [list(helper.params) if helper else [] for helper in (agent.opponent, agent.rollout)]
        low, high = game.score_range
        first_param = tree.BLANKS + 2 * len(filled)
        self.facts = np.array(
            [
                *(low, 1.0 / (high - low) if high > low else 1.0, game.max_moves, game.n_players),
                *(game.perfect_recall, agent.opponent is not None),
                *(*starts[1:], end),
                *(game.state.itemsize, game.view.itemsize),
                *(first_param, first_param + len(helpers[0]), first_param + len(helpers[0]) + len(helpers[1]), *rooms),
                len(filled),
                *(number for pair in filled for number in pair),
                *helpers[0],
                *helpers[1],
            ],
            np.float64,
        )


def _act_of(helper: Agent | None) -> Callable[..., int] | None:
    return None if helper is None or helper.act is uniform else helper.act


@lru_cache(maxsize=64)
def _template_for(template: FunctionType, state: np.dtype[Any], view: np.dtype[Any]) -> Any:
    """A copy of a template that knows the record types of a game, which `bind` cannot give it."""
    names = {**template.__globals__, "STATE": state, "VIEW": view}
    copy = FunctionType(template.__code__, names, template.__name__)
    copy.__qualname__, copy.__module__ = template.__qualname__, template.__module__
    return copy


@lru_cache(maxsize=64)
def _mover_for(observe: Callable[..., None], act: Callable[..., int] | None) -> Callable[..., int]:
    """How an agent moves in simulations."""
    return tree.play_uniformly if act is None else bind(tree.play_agent, observe=observe, play=act)


def _act_for(
    game: Game, imagine: Callable[..., None], opponent: Callable[..., int] | None, rollout: Callable[..., int] | None
) -> Any:
    simulate = bind(
        tree.simulate_once,
        imagine=imagine,
        turn=game.turn,
        legal=game.legal,
        step=game.step,
        score=game.score,
        observe=game.observe,
        opponent_move=_mover_for(game.observe, opponent),
        rollout_move=_mover_for(game.observe, rollout),
    )
    template = _template_for(tree.act, game.state, game.view)
    return bind(template, simulate=simulate)


def can_search(game: Game) -> bool:
    """Whether a game can be searched: simulations begin with `imagine`, which must be told who looks."""
    return "player" in (game.view.names or ())


def search(
    game: Game, *, name: str = "mcts", meaning: str = MEANING, imagine: Callable[..., None] | None = None
) -> SearchAgent:
    """The agent that searches a game.

    imagine   draws the states that simulations begin with, in place of the game's own: imagine(view, player, chance,
              state), native; for beliefs that are more than what fits the view
    """
    if not can_search(game):
        raise UsageError(
            f"{name} cannot play {game.name}: it imagines what its view hides, and the view does not say who looks; "
            f"give the view of {game.name} a field 'player' with the number of the player"
        )
    return SearchAgent(
        name=name,
        meaning=meaning,
        act=uniform,  # until the search itself is bound, when all is known that it depends on
        game=game.name,
        game_spec=game.spec,
        seconds=COMPILE_SECONDS,
        quick={"simulations": 20.0 if COMPILED else 2.0},
        parameters=PARAMETERS,
        played=game,
        imagine=imagine or game.imagine,
    )


def time_simulations(agent: SearchAgent, n_simulations: int, seed: int = 1) -> tuple[int, float]:
    """Search from opening views, a new game for every move, until so many simulations are done.

    Returns how many they were, and the seconds of processor time that they took; compiling does not count.
    """
    game, per_move = agent.played, int(agent.values["simulations"])
    assert agent.memory is not None
    memory = np.zeros(agent.memory.itemsize, np.uint8)
    actions = np.zeros(game.n_actions + 4, np.int64)
    chance: Record = np.zeros(1, CHANCE)[0]
    params, position = agent.params, Position(game)
    n_done, seconds, number = -1, 0.0, 0
    while n_done < n_simulations:
        position.sample(seed, number)
        position.start()
        number += 1
        while not position.over and len(position.legal()) == 1:
            position.step(position.legal()[0])
        if position.over:
            continue
        legal = position.legal()
        actions[: len(legal)] = legal
        view = position.view(position.turn())
        seed_stream(chance, np.uint64(game_key(np.int64(seed), np.int64(number))), 1)
        memory[:] = 0
        before = time.thread_time()
        agent.act(view, actions, len(legal), params, memory, chance)
        if n_done < 0:  # the first search compiles
            n_done = 0
            continue
        seconds += time.thread_time() - before
        n_done += per_move if not agent.values["milliseconds"] else int(memory.view(agent.memory)[0].head[tree.N_SIMULATIONS])
    return n_done, seconds
