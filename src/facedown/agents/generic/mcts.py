"""The agent `mcts`: information-set Monte Carlo tree search for any game, from its rules alone.

The search itself is `mcts_tree.py`. Two questions that its source leaves open:

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
from collections.abc import Callable, Container
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from facedown.agents.contract import Agent, Parameter, number_text
from facedown.agents.generic import mcts_tree as tree
from facedown.agents.generic.basic import uniform
from facedown.agents.reasons import Choice, Reason
from facedown.errors import UsageError
from facedown.games.contract import Game
from facedown.native.hashing import n_slots_for
from facedown.native.jit import COMPILED, bind
from facedown.native.records import CACHE_LINE, Record
from facedown.native.rules_loop import bind_rules, template_for

MAX_SIMULATIONS = 1_000_000
MAX_MILLISECONDS = 3_600_000
KEPT_SEARCHES = 4  # the memory has room for this many moves, as long as it stays small
SMALL_SEARCH = 50_000
NODES_A_MILLISECOND = 1_000
MAX_DEPTH = 256
COMPILE_SECONDS = 5.0
ROLES = ("opponent", "rollout")
BELIEF = "belief"

PARAMETERS = (
    Parameter("simulations", 1000.0, 1.0, MAX_SIMULATIONS, "simulations for a move", whole=True),
    Parameter(
        "milliseconds",
        0.0,
        0.0,
        MAX_MILLISECONDS,
        "time for a move instead of simulations, not repeatable; 0 counts simulations",
    ),
    Parameter("exploration", 2.0**0.5, 0.0, 1000.0, "weight C of moves that were tried seldom"),
    Parameter("observers", 2.0, 1.0, 2.0, "nodes are what the searcher sees (1) or what each mover sees (2)", whole=True),
)
MEANING = (
    "searches: plays simulated games from deals that fit its view, and the move most of them chose; opponent=AGENT plays "
    "the others in simulations (or they search too), rollout=AGENT everyone beyond the tree (or uniform), belief=AGENT says "
    "what to imagine (or all that fits)"
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
    belief: Agent | None = None
    """Whose beliefs simulations begin with; None: all that fits the view."""

    def __post_init__(self) -> None:
        super().__post_init__()
        for role in ROLES:
            self._check_helper(role)
        if self.belief is not None:
            self._check_belief(self.belief)
            for name, function in _listening(self.belief).items():
                object.__setattr__(self, name, function)
            object.__setattr__(self, "public", self.belief.public)
            object.__setattr__(self, "agrees", self.belief.agrees)
        suppose, helpers = _supposing(self.imagine, self.belief), map(_act_of, (self.opponent, self.rollout))
        object.__setattr__(self, "act", _act_for(self.played, suppose, self.belief, *helpers))
        layout = _Layout(self)
        object.__setattr__(self, "memory", layout.memory)
        object.__setattr__(self, "table", layout.facts)
        object.__setattr__(self, "explain", self._explain)

    def __call__(self, *numbers: Any, **settings: Any) -> Agent:
        """The same search with other parameters, or with other agents in its simulations."""
        from facedown.agents.registry import agent as find_agent

        roles = [role for role in (*ROLES, BELIEF) if role in settings]
        chosen: dict[str, Any] = {role: find_agent(settings.pop(role), self.played) for role in roles}
        changed = super().__call__(*numbers, **settings)
        return dataclasses.replace(changed, **chosen)

    def _check_helper(self, role: str) -> None:
        """Refuse agents that cannot play in simulations, which begin in the middle of a game."""
        helper: Agent | None = getattr(self, role)
        if helper is None:
            return
        problem = (
            "is not compiled"
            if not helper.compiled
            else "cheats: it wants the whole state"
            if helper.cheats
            else "must hear every move of a game, and simulations begin in the middle of one"
            if helper.watch is not None
            else "searches itself, which would take for ever"
            if isinstance(helper, SearchAgent)
            else "has a memory, which would be empty: simulations begin in the middle of a game"
            if helper.memory is not None
            else ""
        )
        if problem:
            raise UsageError(f"{self.name}: {role}={helper} cannot play in simulations: agent {helper.name} {problem}")

    def _check_belief(self, helper: Agent) -> None:
        """Refuse agents that have no beliefs, or that could not be listened to."""
        problem = (
            "says nothing of what it believes"
            if helper.believe is None
            else "is not compiled"
            if not helper.compiled
            else "cheats: it wants the whole state"
            if helper.cheats
            else ""
        )
        if problem:
            raise UsageError(f"{self.name}: {BELIEF}={helper} cannot say what to imagine: agent {helper.name} {problem}")

    def __str__(self) -> str:
        settings = [f"{p.name}={number_text(self.values[p.name])}" for p in PARAMETERS if self.values[p.name] != p.default]
        settings += [f"{role}={helper.spec}" for role in (*ROLES, BELIEF) if (helper := getattr(self, role)) is not None]
        return f"{self.name}({','.join(settings)})" if settings else self.name

    def _explain(self, view: Record, action: int, params: Any, memory: Record | None, public: Record | None = None) -> Reason:
        """The values and visits of all moves, the most visited first."""
        assert memory is not None
        low, high = self.played.score_range
        moves = []
        for edge in sorted(root_edges(memory), key=lambda edge: (-edge.n_visits, edge.action)):
            move, n_visits = int(edge.action), int(edge.n_visits)
            mean = low + (high - low) * float(edge.total) / max(n_visits, 1)
            moves.append(Choice(move, self.played.action_name(view, move), mean, count=n_visits))
        n_simulations, n_kept = int(memory.head.n_simulations), int(memory.head.n_kept)
        kept = f" and {n_kept:,} kept from earlier moves" if n_kept else ""
        words = f"{n_simulations:,} simulations{kept}; average score and number of them with"
        return Reason("value", words, tuple(moves))


def root_edges(memory: Record) -> list[Record]:
    """The moves of the searching player's last decision, as the search has counted them."""
    found, edge = [], int(memory.head.root) - 1
    while edge >= 0:
        found.append(memory.edges[edge])
        edge = int(found[-1].following) - 1
    return found


def lay_out(parts: list[tuple[str, Any, int]], lined: Container[str]) -> tuple[np.dtype[Any], dict[str, int]]:
    """A memory of these parts, the first a record and the others arrays of a given length; and the bytes where they begin.

    Those that are `lined` begin with a cache line. Where the first begins need not be said; where the last ends is `at_end`.
    """
    starts, end = [], 0
    for name, kind, count in parts:
        line = CACHE_LINE if name in lined else 8
        starts.append(-(-end // line) * line)
        end = starts[-1] + np.dtype(kind).itemsize * count
    names = [name for name, _, _ in parts]
    formats = [kind if at == 0 else (kind, (count,)) for at, (_, kind, count) in enumerate(parts)]
    fields = np.dtype({"names": names, "formats": formats, "offsets": starts, "itemsize": end})
    places = {f"at_{name}": start for name, start in zip(names[1:], starts[1:], strict=True)}
    return np.dtype((Record, fields)), places | {"at_end": end}


def blank_bytes(game: Game) -> list[tuple[float, float]]:
    """The bytes of a blank state that are not 0, with their places."""
    blank = game.blank().view(np.uint8)
    return [(float(at), float(blank[at])) for at in np.flatnonzero(blank)]


class _Layout:
    """Where things are in the memory of a search, and what its native code is told of them."""

    def __init__(self, agent: SearchAgent):
        game, values = agent.played, agent.values
        if values["milliseconds"]:
            n_edges = int(min(values["milliseconds"] * NODES_A_MILLISECOND, MAX_SIMULATIONS))
        else:
            n_edges = int(values["simulations"]) * (KEPT_SEARCHES if values["simulations"] <= SMALL_SEARCH else 1)
        thinker = agent.belief
        n_thoughts = thinker.memory.itemsize if thinker is not None and thinker.memory else 0
        parts: list[tuple[str, Any, int]] = [
            ("head", tree.HEAD, 1),
            ("thoughts", np.uint8, n_thoughts),
            ("states", game.state, 2),
            ("seen", game.view, 1),
            ("eye", game.view, 1),
            ("actions", np.int64, game.n_actions + 4),
            ("path", np.int64, 2 * min(game.max_moves, MAX_DEPTH)),
            ("scores", np.float64, game.n_players),
            ("marks", np.int64, game.n_actions),
            ("slots", np.int64, n_slots_for(n_edges)),
            ("nodes", tree.NODE, n_edges),
            ("edges", tree.EDGE, n_edges),
        ]
        self.memory, places = lay_out(parts, lined={"thoughts", "states", "slots", "nodes", "edges"})
        blanks = blank_bytes(game)
        helpers = [list(helper.params) if helper else [] for helper in (agent.opponent, agent.rollout, thinker)]
        low, high = game.score_range
        facts = places | {
            "lowest_score": low,
            "score_scale": 1.0 / (high - low) if high > low else 1.0,
            "max_moves": game.max_moves,
            "n_players": game.n_players,
            "keeps_tree": game.perfect_recall,
            "models_opponent": agent.opponent is not None,
            "state_bytes": game.state.itemsize,
            "view_bytes": game.view.itemsize,
            "n_thoughts": n_thoughts,
            "n_blanks": len(blanks),
            "opponent_params": (first_param := tree.N_FACTS + 2 * len(blanks)),
            "rollout_params": first_param + len(helpers[0]),
            "belief_params": first_param + len(helpers[0]) + len(helpers[1]),
            "end_params": first_param + sum(map(len, helpers)),
        }
        record = np.zeros(1, tree.FACTS)
        for name, fact in facts.items():
            record[name] = fact
        self.facts = np.concatenate([record.view(np.float64)[len(PARAMETERS) :], np.ravel(blanks), *helpers])
        """What follows the parameters that users set."""


def _act_of(helper: Agent | None) -> Callable[..., int] | None:
    return None if helper is None or helper.act is uniform else helper.act


@lru_cache(maxsize=64)
def _mover_for(observe: Callable[..., None], act: Callable[..., int] | None) -> Callable[..., int]:
    """How an agent moves in simulations."""
    return tree.play_uniformly if act is None else bind(tree.play_agent, observe=observe, play=act)


def _supposing(imagine: Callable[..., None], belief: Agent | None) -> Callable[..., None]:
    """How simulations come by a state to begin with."""
    if belief is None:
        return bind(tree.suppose_by_rules, imagine=imagine)
    assert belief.believe is not None
    return bind(tree.suppose_by_agent if belief.public is None else tree.suppose_in_public, believe=belief.believe)


def _listening(belief: Agent) -> dict[str, Any]:
    """What a search needs to be told so that the agent knows whose beliefs it takes over."""
    watch = (
        tree.watch_thinking_in_public
        if belief.public is not None
        else tree.watch_thinking_drawing
        if belief.watch_draws
        else tree.watch_thinking
    )
    templates = {"begin": tree.begin_thinking, "watch": watch, "watch_all": tree.watch_thinking_in_public}
    told = {name: getattr(belief, name) for name in templates}
    return {name: None if function is None else bind(templates[name], listen=function) for name, function in told.items()}


def _act_for(
    game: Game,
    suppose: Callable[..., None],
    belief: Agent | None,
    opponent: Callable[..., int] | None,
    rollout: Callable[..., int] | None,
) -> Any:
    simulate = bind_rules(
        tree.simulate_once,
        game,
        suppose=suppose,
        opponent_move=_mover_for(game.observe, opponent),
        rollout_move=_mover_for(game.observe, rollout),
    )
    search = bind(template_for(tree.search_from, game.state, game.view), simulate=simulate)
    return bind(tree.act if belief is None or belief.public is None else tree.act_in_public, search=search)


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
