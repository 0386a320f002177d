"""The native part of `mcts`: information-set Monte Carlo tree search over the rules of any game.

After P. Cowling, E. Powley and D. Whitehouse, Information Set Monte Carlo Tree Search, IEEE Transactions on
Computational Intelligence and AI in Games 4(2), 2012. For every simulation:

1. Imagine: draw a full state from those that fit the view. Every simulation deals all that is hidden anew.
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
from facedown.native.jit import native, native_inline
from facedown.native.records import Record

NODE = np.dtype(
    (
        np.record,
        [
            ("key", np.uint64),  # a hash of what the observer sees
            ("first", np.int32),  # its first edge, counted from 1; 0: nothing is kept here
            ("n_edges", np.int32),
        ],
    )
)
EDGE = np.dtype(
    (
        np.record,
        [
            ("total", np.float64),  # of the mover's scores, each as a share of the range of scores
            ("n_visits", np.int32),
            ("n_available", np.int32),
            ("action", np.int32),
            ("following", np.int32),  # the next edge of the same node, counted from 1; 0: this is the last
        ],
    )
)

# what `params` holds: four parameters that users set, then facts of the game, then where things are in the memory
SIMULATIONS, MILLISECONDS, EXPLORATION, OBSERVERS = 0, 1, 2, 3
LOWEST_SCORE, SCORE_SCALE, MAX_MOVES, N_PLAYERS, KEEPS_TREE, MODELS_OPPONENT = 4, 5, 6, 7, 8, 9
AT_STATES, AT_SEEN, AT_EYE, AT_ACTIONS, AT_MARKS, AT_SCORES, AT_PATH, AT_HELPERS, AT_NODES, AT_EDGES, AT_END = range(10, 21)
STATE_BYTES, VIEW_BYTES, OPPONENT_PARAMS, ROLLOUT_PARAMS, END_PARAMS, OPPONENT_ROOM, ROLLOUT_ROOM = range(21, 28)
N_BLANKS, BLANKS = 28, 29

# what the head of the memory holds
PREPARED, STAMP, N_NODES, N_EDGES, ROOT, N_SIMULATIONS, N_KEPT, N_DEPTH, N_HEAD = 0, 1, 2, 3, 4, 5, 6, 7, 16
HEAD_BYTES = 8 * N_HEAD

LOGARITHMS = np.array([0.0] + [math.log(number) for number in range(1, 1024)])
SIMULATIONS_BETWEEN_LOOKS = 8  # at the clock, which takes as long as a move

# bound to the rules of a game and to whoever plays in simulations
imagine: Any = None
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
def slot_of(nodes: Any, key: Any) -> Any:
    """Where the node with this key is kept, or the free place where it belongs; the table is never full."""
    last = _U(len(nodes) - 1)  # a power of two, less one
    slot = key & last
    while nodes[slot].first != 0 and nodes[slot].key != key:
        slot = (slot + _U(1)) & last
    return slot


@native_inline
def logarithm(number: Any) -> float:
    return float(LOGARITHMS[_U(number)]) if number < len(LOGARITHMS) else math.log(number)


@native
def pick_untried(marks: Any, stamp: int, actions: Any, n: int, n_untried: int, chance: Record) -> int:
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
def add_edge(head: Any, nodes: Any, edges: Any, slot: Any, key: Any, action: int) -> int:
    """A new edge, not visited yet, and its node if it is the first one there."""
    edge = int(head[N_EDGES])
    head[N_EDGES] = edge + 1
    if nodes[slot].first == 0:
        nodes[slot].key = key
        nodes[slot].n_edges = 0
        head[N_NODES] += 1
    edges[edge].total = 0.0
    edges[edge].n_visits = 0
    edges[edge].n_available = 1
    edges[edge].action = action
    edges[edge].following = nodes[slot].first
    nodes[slot].first = edge + 1
    nodes[slot].n_edges += 1
    return edge


@native
def choose_edge(
    head: Any, nodes: Any, edges: Any, marks: Any, actions: Any, n: int, key: Any, exploration: float, chance: Record
) -> int:
    """Select or expand: the edge to take, counted from 0; -1 where there is no room for a new one.

    A new edge is one that was never visited. All edges whose actions are legal count that they were available.
    """
    stamp = int(head[STAMP]) + 2  # marks: stamp, this action is legal; stamp + 1, and it has an edge
    head[STAMP] = stamp
    for choice in range(n):
        marks[actions[choice]] = stamp
    slot = slot_of(nodes, key)
    compares = nodes[slot].n_edges >= n  # with fewer edges than actions, one is untried for certain
    n_tried, best_value = 0, -1.0
    best, best_action = np.int64(-1), np.int64(-1)
    edge = np.int64(nodes[slot].first) - 1
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
    if head[N_EDGES] >= len(edges):
        return -1
    return int(add_edge(head, nodes, edges, slot, key, pick_untried(marks, stamp, actions, n, n - n_tried, chance)))


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


def simulate_once(
    seen: Record,
    player: int,
    root: Any,
    states: Any,
    eye: Record,
    words: Any,
    actions: Any,
    marks: Any,
    scores: Any,
    path: Any,
    nodes: Any,
    edges: Any,
    head: Any,
    params: Any,
    helpers: Any,
    chance: Record,
) -> None:
    """One simulation, from an imagined state to the end of the game and back."""
    max_moves, exploration = int(params[MAX_MOVES]), params[EXPLORATION]
    single, models = params[OBSERVERS] < 2.0, params[MODELS_OPPONENT] > 0.0
    opponent_room, rollout_room = int(params[OPPONENT_ROOM]), int(params[ROLLOUT_ROOM])
    first_param, between_params, last_param = int(params[OPPONENT_PARAMS]), int(params[ROLLOUT_PARAMS]), int(params[END_PARAMS])
    n_players = int(params[N_PLAYERS])
    states[1] = states[0]
    state = states[1]
    imagine(seen, player, chance, state)
    in_tree, depth, n_moves, key = True, 0, 0, root
    while n_moves < max_moves:
        mover = turn(state)
        if mover < 0:
            break
        n = legal(state, actions)
        action = int(actions[0])
        if n > 1:
            if models and mover != player:
                room = mover * opponent_room
                memory = helpers[room : room + opponent_room]
                action = opponent_move(state, mover, eye, actions, n, params[first_param:between_params], memory, chance)
            elif in_tree:
                if n_moves > 0:  # at the root it is the view that was given
                    observe(state, player if single else mover, eye)
                    key = key_of(words, mover)
                edge = choose_edge(head, nodes, edges, marks, actions, n, key, exploration, chance)
                if edge < 0:
                    action = int(actions[draw(chance, n)])
                    in_tree = False
                else:
                    action = int(edges[edge].action)
                    in_tree = edges[edge].n_visits > 0 and 2 * depth + 3 < len(path)
                    path[2 * depth], path[2 * depth + 1] = edge, mover
                    depth += 1
            else:
                room = n_players * opponent_room + mover * rollout_room
                memory = helpers[room : room + rollout_room]
                action = rollout_move(state, mover, eye, actions, n, params[between_params:last_param], memory, chance)
        step(state, action, chance)
        n_moves += 1
    for place in range(n_players):
        scores[place] = 0.0
    if n_moves < max_moves or turn(state) < 0:
        score(state, scores)
    head[N_DEPTH] += depth
    for at in range(depth):
        here = edges[_U(path[2 * at])]
        here.n_visits += 1
        here.total += (scores[_U(path[2 * at + 1])] - params[LOWEST_SCORE]) * params[SCORE_SCALE]


@native
def most_visited(nodes: Any, edges: Any, slot: Any, actions: Any, n: int) -> int:
    """The action that was taken most often at a node; the lower one of two."""
    best, most = int(actions[0]), -1
    for choice in range(n):
        action, n_visits = int(actions[choice]), 0
        edge = np.int64(nodes[slot].first) - 1
        while edge >= 0:
            if edges[edge].action == action:
                n_visits = int(edges[edge].n_visits)
            edge = np.int64(edges[edge].following) - 1
        if n_visits > most:
            best, most = action, n_visits
    return best


@native
def prepare(head: Any, blank: Any, params: Any) -> None:
    """At the first move of a game the memory is zero: note the bytes of a blank state that are not."""
    for at in range(int(params[N_BLANKS])):
        blank[int(params[BLANKS + 2 * at])] = int(params[BLANKS + 2 * at + 1])
    head[PREPARED] = 1


@native
def forget(head: Any, nodes: Any) -> None:
    """An empty tree."""
    for slot in range(len(nodes)):
        nodes[slot].first = 0
        nodes[slot].n_edges = 0
    head[N_NODES] = 0
    head[N_EDGES] = 0


def act(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    """Search from a view, and play the action that was taken most often."""
    head = memory[:HEAD_BYTES].view(np.int64)
    at_states, at_seen, at_eye = int(params[AT_STATES]), int(params[AT_SEEN]), int(params[AT_EYE])
    states = memory[at_states : at_states + 2 * int(params[STATE_BYTES])].view(STATE)
    seen = memory[at_seen : at_seen + int(params[VIEW_BYTES])].view(VIEW)
    seen_words = memory[at_seen:at_eye].view(np.uint64)
    eyes = memory[at_eye : at_eye + int(params[VIEW_BYTES])].view(VIEW)
    words = memory[at_eye : int(params[AT_ACTIONS])].view(np.uint64)
    choices = memory[int(params[AT_ACTIONS]) : int(params[AT_MARKS])].view(np.int64)
    marks = memory[int(params[AT_MARKS]) : int(params[AT_SCORES])].view(np.int64)
    scores = memory[int(params[AT_SCORES]) : int(params[AT_PATH])].view(np.float64)
    path = memory[int(params[AT_PATH]) : int(params[AT_HELPERS])].view(np.int64)
    n_helpers = int(params[N_PLAYERS]) * (int(params[OPPONENT_ROOM]) + int(params[ROLLOUT_ROOM]))
    helpers = memory[int(params[AT_HELPERS]) : int(params[AT_HELPERS]) + n_helpers]
    nodes = memory[int(params[AT_NODES]) : int(params[AT_EDGES])].view(NODE)
    edges = memory[int(params[AT_EDGES]) : int(params[AT_END])].view(EDGE)
    if head[PREPARED] == 0:
        prepare(head, memory[at_states:at_seen], params)
    seen[0] = view
    player = np.int64(view.player)  # int() of an int8 stays one in native code, and rules expect more
    root = key_of(seen_words, player)
    wanted = int(params[SIMULATIONS])
    if params[KEEPS_TREE] == 0.0 or head[N_EDGES] + wanted > len(edges):
        forget(head, nodes)
    head[N_KEPT] = 0
    kept = np.int64(nodes[slot_of(nodes, root)].first) - 1
    while kept >= 0:
        head[N_KEPT] += edges[kept].n_visits
        kept = np.int64(edges[kept].following) - 1
    head[N_DEPTH] = 0
    n_done = 0
    until = milliseconds_now() + params[MILLISECONDS] if params[MILLISECONDS] > 0.0 else 0.0
    while True:
        if n_helpers > 0:
            helpers[:] = 0  # whoever plays in a simulation remembers nothing of the last one
        simulate(
            seen[0],
            player,
            root,
            states,
            eyes[0],
            words,
            choices,
            marks,
            scores,
            path,
            nodes,
            edges,
            head,
            params,
            helpers,
            chance,
        )
        n_done += 1
        if until == 0.0:
            if n_done >= wanted:
                break
        elif n_done % SIMULATIONS_BETWEEN_LOOKS == 0 and milliseconds_now() >= until:
            break
    head[N_SIMULATIONS] = n_done
    slot = slot_of(nodes, root)
    head[ROOT] = np.int64(slot)
    return int(most_visited(nodes, edges, slot, actions, n))
