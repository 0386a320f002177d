"""The native part of `mcts`: information-set Monte Carlo tree search over the rules of any game.

After P. Cowling, E. Powley and D. Whitehouse, Information Set Monte Carlo Tree Search, IEEE Transactions on
Computational Intelligence and AI in Games 4(2), 2012. For every simulation:

1. Imagine: draw a full state from those that fit the view, or from what some agent believes. Every simulation deals all that
   is hidden anew.
2. Select: where the player to move has a choice, look up the node of what the observer sees. Of the edges whose actions
   are legal in this deal take the one with the largest total / n + C sqrt(ln(a) / n), where n counts how often the
   edge was taken, and a how often it could have been: its action was legal when the search came by.
3. Expand: at a node where some legal action has no edge yet, one of these is drawn and gets an edge.
4. Roll out: from there to the end of the game everybody plays the roll-out agent, mostly `uniform`.
5. Back up: every edge on the way gets the score of the player who moved there, as a share of the game's range of
   scores. An end that is met inside the tree is backed up like any other.

Which edges there are lies in the agent's memory, so it outlives a move: the node of a later view may be there already.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from facedown.native.chance import draw, mix
from facedown.native.clock import milliseconds_now
from facedown.native.hashing import fill, seek, tag_of
from facedown.native.jit import native, native_inline
from facedown.native.records import Record

NODE = np.dtype(
    (
        Record,
        [
            ("key", np.uint64),  # a hash of what the observer sees
            ("first", np.int32),  # its first edge, counted from 1
            ("n_edges", np.int32),
        ],
    )
)
EDGE = np.dtype(
    (
        Record,
        [
            ("total", np.float64),  # of the mover's scores, each as a share of the range of scores
            ("n_visits", np.int32),
            ("n_available", np.int32),
            ("action", np.int32),
            ("following", np.int32),  # the next edge of the same node, counted from 1; 0: this is the last
        ],
    )
)


def words(reals: str, wholes: str) -> np.dtype[Any]:
    """A record of words of eight bytes."""
    kinds = ((reals, np.float64), (wholes, np.int64))
    return np.dtype((Record, [(name, kind) for names, kind in kinds for name in names.split()]))


# what `params` begins with: what users set; the game; where things are in the memory; where `params` goes on with bytes of a
# blank state that are not 0, in pairs with their places, and with the parameters of the agents that play in simulations
FACTS = words(
    "simulations milliseconds exploration observers lowest_score score_scale",
    "max_moves n_players keeps_tree models_opponent state_bytes view_bytes "
    "at_thoughts at_states at_seen at_eye at_actions at_path at_scores at_marks at_slots at_nodes at_edges at_end "
    "n_thoughts n_blanks opponent_params rollout_params belief_params end_params",
)
N_FACTS = FACTS.itemsize // 8
# what the memory begins with: the tree, and of the last search the first edge of its root (counted from 1; 0: none) and how
# many visits of the root were kept from before
HEAD = words("", "prepared stamp n_nodes n_edges root n_simulations n_kept")
_HEAD_BYTES = HEAD.itemsize

_LOGARITHMS = np.array([0.0] + [math.log(number) for number in range(1, 1024)])
_SIMULATIONS_BETWEEN_LOOKS = 8  # at the clock, which takes as long as a move

# bound to the rules of a game, to whoever plays in simulations, and to whoever says what to believe
imagine: Any = None
suppose: Any = None
believe: Any = None
listen: Any = None
search: Any = None
turn: Any = None
legal: Any = None
step: Any = None
score: Any = None
observe: Any = None
play: Any = None
opponent_move: Any = None
rollout_move: Any = None
simulate: Any = None
STATE: Any = None
VIEW: Any = None

_U = np.uint64
_FACTOR, _START = _U(0x9FB21C651E98DF25), _U(0x9E3779B97F4A7C15)
_32 = _U(32)


@native_inline
def key_of(words: Any, mover: Any) -> Any:
    """64 bits for what is seen and who is to move; among a million nodes two share one with probability 3e-8."""
    found = _START + _U(mover)
    for at in range(len(words)):
        found = (found ^ words[_U(at)]) * _FACTOR
        found ^= found >> _32
    return mix(found)


@native_inline
def _facts_in(params: Any) -> Any:
    """The facts that a search is given."""
    return params[:N_FACTS].view(FACTS)[0]


@native_inline
def _find_node(slots: Any, nodes: Any, key: Any) -> Any:
    """The number of the node with this key, or -1 - (the free slot where it belongs); the table is never full."""
    tag = tag_of(key)
    at, node = seek(slots, tag, tag)
    while node >= 0 and nodes[_U(node)].key != key:
        at, node = seek(slots, tag, at + 1)
    return node if node >= 0 else -1 - at


@native_inline
def logarithm(number: Any) -> float:
    return float(_LOGARITHMS[_U(number)]) if number < len(_LOGARITHMS) else math.log(number)


@native
def _pick_untried(marks: Any, stamp: int, actions: Any, n: int, n_untried: int, chance: Record) -> int:
    """One of the legal actions without an edge, all equally likely."""
    place = draw(chance, n_untried)
    for choice in range(n):
        action = int(actions[choice])
        if marks[action] == stamp:
            if place == 0:
                return action
            place -= 1
    return int(actions[0])  # never: the marks say how many there are


@native
def _add_edge(head: Record, slots: Any, nodes: Any, edges: Any, node: int, key: Any, action: int) -> int:
    """A new edge, not visited yet, and its node if `_find_node` found none."""
    edge = int(head.n_edges)
    head.n_edges = edge + 1
    if node < 0:
        free, node = node, int(head.n_nodes)
        head.n_nodes = node + 1
        fill(slots, free, tag_of(key), node)
        nodes[node].key = key
        nodes[node].first = 0
        nodes[node].n_edges = 0
    edges[edge].total = 0.0
    edges[edge].n_visits = 0
    edges[edge].n_available = 1
    edges[edge].action = action
    edges[edge].following = nodes[node].first
    nodes[node].first = edge + 1
    nodes[node].n_edges += 1
    return edge


@native
def _choose_edge(
    head: Record, slots: Any, nodes: Any, edges: Any, marks: Any, actions: Any, n: int, key: Any, exploration: float,
    chance: Record,
) -> int:  # fmt: skip
    """Select or expand: the edge to take, counted from 0; -1 where there is no room for a new one.

    A new edge is one that was never visited. All edges whose actions are legal count that they were available.
    """
    stamp = int(head.stamp) + 2  # marks: stamp, this action is legal; stamp + 1, and it has an edge
    head.stamp = stamp
    for choice in range(n):
        marks[actions[choice]] = stamp
    node = _find_node(slots, nodes, key)
    compares, edge = False, np.int64(-1)
    if node >= 0:
        compares = nodes[_U(node)].n_edges >= n  # with fewer edges than actions, one is untried for certain
        edge = np.int64(nodes[_U(node)].first) - 1
    n_tried, best_value = 0, -1.0
    best, best_action = np.int64(-1), np.int64(-1)
    while edge >= 0:
        here = edges[_U(edge)]
        action = np.int64(here.action)
        if marks[_U(action)] == stamp:
            marks[_U(action)] = stamp + 1
            n_tried += 1
            if compares:
                n_visits = float(here.n_visits)
                value = here.total / n_visits + exploration * math.sqrt(logarithm(here.n_available) / n_visits)
                if value > best_value or (value == best_value and action < best_action):
                    best, best_action, best_value = edge, action, value
            here.n_available += 1
        edge = np.int64(here.following) - 1
    if n_tried == n:
        return int(best)
    if head.n_edges >= len(edges):
        return -1
    untried = _pick_untried(marks, stamp, actions, n, n - n_tried, chance)
    return int(_add_edge(head, slots, nodes, edges, node, key, untried))


@native_inline
def play_uniformly(
    state: Record, player: int, eye: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record
) -> int:
    """A move of the roll-out agent `uniform`, which needs no view."""
    return int(actions[_U(draw(chance, n))])


def play_agent(state: Record, player: int, eye: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    """A move of some agent, from its own view of the imagined state; an illegal one is replaced by the first legal one."""
    observe(state, player, eye)
    action = 0 | play(eye, actions, n, params, memory, chance)
    for choice in range(n):
        if actions[choice] == action:
            return int(action)
    return int(actions[0])


def suppose_by_rules(seen: Record, player: int, params: Any, thoughts: Any, public: Any, chance: Record, state: Record) -> None:
    """A state that fits the view, as the game imagines it."""
    imagine(seen, player, chance, state)


def suppose_by_agent(seen: Record, player: int, params: Any, thoughts: Any, public: Any, chance: Record, state: Record) -> None:
    """A state as some agent believes it to be, from its memory."""
    believe(seen, params, thoughts, chance, state)


def suppose_in_public(
    seen: Record, player: int, params: Any, thoughts: Any, public: Any, chance: Record, state: Record
) -> None:
    """A state as some agent believes it to be, from its memory and its public record."""
    believe(seen, params, thoughts, public, chance, state)


def simulate_once(
    seen: Record, player: int, root: Any, states: Any, eye: Record, words: Any, actions: Any, marks: Any, scores: Any,
    path: Any, slots: Any, nodes: Any, edges: Any, head: Record, facts: Record, params: Any, nothing: Any, thoughts: Any,
    public: Any, chance: Record,
) -> None:  # fmt: skip
    """One simulation, from a supposed state to the end of the game and back. Whoever plays in it remembers `nothing`."""
    max_moves, exploration, single, models = facts.max_moves, facts.exploration, facts.observers < 2.0, facts.models_opponent
    first_param, between_params, last_param = facts.opponent_params, facts.rollout_params, facts.belief_params
    states[1] = states[0]
    state = states[1]
    suppose(seen, player, params[last_param : facts.end_params], thoughts, public, chance, state)
    in_tree, depth, n_moves, key = True, 0, 0, root
    while n_moves < max_moves:
        mover = turn(state)
        if mover < 0:
            break
        n = legal(state, actions)
        action = int(actions[0])
        if n > 1:
            if models and mover != player:
                action = opponent_move(state, mover, eye, actions, n, params[first_param:between_params], nothing, chance)
            elif in_tree:
                if n_moves > 0:  # at the root it is the view that was given
                    observe(state, player if single else mover, eye)
                    key = key_of(words, mover)
                edge = _choose_edge(head, slots, nodes, edges, marks, actions, n, key, exploration, chance)
                if edge < 0:
                    action = int(actions[draw(chance, n)])
                    in_tree = False
                else:
                    action = int(edges[edge].action)
                    in_tree = edges[edge].n_visits > 0 and 2 * depth + 3 < len(path)
                    path[2 * depth], path[2 * depth + 1] = edge, mover
                    depth += 1
            else:
                action = rollout_move(state, mover, eye, actions, n, params[between_params:last_param], nothing, chance)
        step(state, action, chance)
        n_moves += 1
    for place in range(facts.n_players):
        scores[place] = 0.0
    if n_moves < max_moves or turn(state) < 0:
        score(state, scores)
    for at in range(depth):
        here = edges[_U(path[2 * at])]
        here.n_visits += 1
        here.total += (scores[_U(path[2 * at + 1])] - facts.lowest_score) * facts.score_scale


@native
def _first_edge(slots: Any, nodes: Any, key: Any) -> int:
    """The first edge of the node with this key, counted from 1; 0 if there is no such node."""
    node = _find_node(slots, nodes, key)
    return int(nodes[node].first) if node >= 0 else 0


@native
def _most_visited(edges: Any, first: int, actions: Any, n: int) -> int:
    """The action that was taken most often at the node with this first edge; the lower one of two."""
    best, most = int(actions[0]), -1
    for choice in range(n):
        action, n_visits = int(actions[choice]), 0
        edge = np.int64(first) - 1
        while edge >= 0:
            if edges[edge].action == action:
                n_visits = int(edges[edge].n_visits)
            edge = np.int64(edges[edge].following) - 1
        if n_visits > most:
            best, most = action, n_visits
    return best


@native
def _count_visits(edges: Any, first: int) -> int:
    """How often the node with this first edge was left."""
    n_visits, edge = 0, np.int64(first) - 1
    while edge >= 0:
        n_visits += int(edges[edge].n_visits)
        edge = np.int64(edges[edge].following) - 1
    return n_visits


@native
def prepare(head: Record, blank: Any, blanks: Any) -> None:
    """At the first move of a game the memory is zero: note the bytes of a blank state that are not."""
    for at in range(0, len(blanks), 2):
        blank[int(blanks[at])] = int(blanks[at + 1])
    head.prepared = 1


def act(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    """Search from a view, and play the action that was taken most often."""
    return search(view, actions, n, params, memory, memory[:0], chance)  # type: ignore[no-any-return]


def act_in_public(view: Record, actions: Any, n: int, params: Any, memory: Any, public: Any, chance: Record) -> int:
    """As `act`, with the public record of whoever says what to believe."""
    return search(view, actions, n, params, memory, public, chance)  # type: ignore[no-any-return]


def begin_thinking(view: Record, params: Any, memory: Any, chance: Record) -> None:
    """The cards are dealt: let the agent know that says what to believe."""
    facts = _facts_in(params)
    own = params[facts.belief_params : facts.end_params]
    listen(view, own, memory[facts.at_thoughts : facts.at_thoughts + facts.n_thoughts], chance)


def watch_thinking(view: Record, mover: int, action: int, params: Any, memory: Any) -> None:
    """A move: let the agent know that says what to believe."""
    facts = _facts_in(params)
    own = params[facts.belief_params : facts.end_params]
    listen(view, mover, action, own, memory[facts.at_thoughts : facts.at_thoughts + facts.n_thoughts])


def watch_thinking_drawing(view: Record, mover: int, action: int, params: Any, memory: Any, chance: Record) -> None:
    """As `watch_thinking`, for one that draws then."""
    facts = _facts_in(params)
    own = params[facts.belief_params : facts.end_params]
    listen(view, mover, action, own, memory[facts.at_thoughts : facts.at_thoughts + facts.n_thoughts], chance)


def watch_thinking_in_public(view: Record, mover: int, action: int, params: Any, public: Any) -> None:
    """As `watch_thinking`, for one that keeps a public record; also where it is kept for all seats."""
    facts = _facts_in(params)
    listen(view, mover, action, params[facts.belief_params : facts.end_params], public)


def search_from(view: Record, actions: Any, n: int, params: Any, memory: Any, public: Any, chance: Record) -> int:
    """Search from a view, and find the action that was taken most often."""
    facts = _facts_in(params)
    thoughts = memory[facts.at_thoughts : facts.at_thoughts + facts.n_thoughts]
    head = memory[:_HEAD_BYTES].view(HEAD)[0]
    states = memory[facts.at_states : facts.at_states + 2 * facts.state_bytes].view(STATE)
    seen = memory[facts.at_seen : facts.at_seen + facts.view_bytes].view(VIEW)
    seen_words = memory[facts.at_seen : facts.at_eye].view(np.uint64)
    eyes = memory[facts.at_eye : facts.at_eye + facts.view_bytes].view(VIEW)
    words = memory[facts.at_eye : facts.at_actions].view(np.uint64)
    choices = memory[facts.at_actions : facts.at_path].view(np.int64)
    path = memory[facts.at_path : facts.at_scores].view(np.int64)
    scores = memory[facts.at_scores : facts.at_marks].view(np.float64)
    marks = memory[facts.at_marks : facts.at_slots].view(np.int64)
    slots = memory[facts.at_slots : facts.at_nodes].view(np.int64)
    nodes = memory[facts.at_nodes : facts.at_edges].view(NODE)
    edges = memory[facts.at_edges : facts.at_end].view(EDGE)
    if head.prepared == 0:
        prepare(head, memory[facts.at_states : facts.at_seen], params[N_FACTS : N_FACTS + 2 * facts.n_blanks])
    seen[0] = view
    player = np.int64(view.player)  # int() of an int8 stays one in native code, and rules expect more
    root = key_of(seen_words, player)
    wanted = int(facts.simulations)
    if facts.keeps_tree == 0 or head.n_edges + wanted > len(edges):
        slots[:] = 0
        head.n_nodes, head.n_edges = 0, 0
    head.n_kept = _count_visits(edges, _first_edge(slots, nodes, root))
    n_done = 0
    until = milliseconds_now() + facts.milliseconds if facts.milliseconds > 0.0 else 0.0
    while True:
        simulate(
            seen[0], player, root, states, eyes[0], words, choices, marks, scores, path,
            slots, nodes, edges, head, facts, params, memory[:0], thoughts, public, chance,
        )  # fmt: skip
        n_done += 1
        if until == 0.0:
            if n_done >= wanted:
                break
        elif n_done % _SIMULATIONS_BETWEEN_LOOKS == 0 and milliseconds_now() >= until:
            break
    head.n_simulations, head.root = n_done, _first_edge(slots, nodes, root)
    return int(_most_visited(edges, head.root, actions, n))
