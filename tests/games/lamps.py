"""Two small games for tests: lamps, a cooperative game with signals, for two to four; and a solitaire of one die.

**Lamps.** Everybody has a lamp that is on or off (an even draw), sees those of the others, and not the own. In turn players
flash short or long, which means nothing by itself, for some rounds; in a last round everybody says whether the own lamp is
on. All get as many points as were right. A code makes that certain: `PARITY` flashes whether an odd number of the lamps that
it sees is on.

**Solitaire.** Throw a die, then keep it or throw again, at most so often; the score is the last throw.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.agents.contract import Agent
from facedown.agents.reasons import Choice, Reason
from facedown.games.contract import OVER, Game, Option, Preset
from facedown.native import copy_shared, draw, field, native, record
from facedown.native.records import Record

MAX_PLAYERS, MAX_ROUNDS, NOTHING, UNSEEN = 4, 3, -1, -1

_TABLE = (
    field("players", np.int8, 2, MAX_PLAYERS, "how many play"),
    field("rounds", np.int8, 1, MAX_ROUNDS, "rounds in which everybody flashes"),
    field("n_moves", np.int8, 0, MAX_PLAYERS * (MAX_ROUNDS + 1), "moves made"),
    field("flashed", np.int8, NOTHING, 1, "the last flash of everybody, 0 short or 1 long; -1 none yet", (MAX_PLAYERS,)),
    field("said", np.int8, NOTHING, 1, "what everybody said of the own lamp; -1 nothing yet", (MAX_PLAYERS,)),
)
STATE = record(*_TABLE, field("lamp", np.int8, 0, 1, "whose lamps are on", (MAX_PLAYERS,)))
VIEW = record(
    *_TABLE,
    field("player", np.int8, 0, MAX_PLAYERS - 1, "the player who looks"),
    field("lamp", np.int8, UNSEEN, 1, "whose lamps are on; -1 the own, until the end", (MAX_PLAYERS,)),
)


@native
def start(state: Record, chance: Record) -> None:
    for player in range(MAX_PLAYERS):
        state.flashed[player] = state.said[player] = NOTHING
        state.lamp[player] = draw(chance, 2) if player < state.players else 0


@native
def n_flashes(table: Record) -> int:
    return int(table.players) * int(table.rounds)


@native
def turn(state: Record) -> int:
    return OVER if state.n_moves == n_flashes(state) + state.players else int(state.n_moves) % int(state.players)


@native
def legal(state: Record, actions: Any) -> int:
    actions[0], actions[1] = 0, 1
    return 2


@native
def step(state: Record, action: int, chance: Record) -> None:
    player = int(state.n_moves) % int(state.players)
    if state.n_moves < n_flashes(state):
        state.flashed[player] = action
    else:
        state.said[player] = action
    state.n_moves += 1


@native
def score(state: Record, scores: Any) -> None:
    n_right = 0
    for player in range(int(state.players)):
        n_right += 1 if state.said[player] == state.lamp[player] else 0
    scores[: int(state.players)] = n_right


@native
def observe(state: Record, player: int, view: Record) -> None:
    copy_shared(state, view)
    view.player = player
    for other in range(MAX_PLAYERS):
        view.lamp[other] = state.lamp[other]
    if turn(state) != OVER:
        view.lamp[player] = UNSEEN


@native
def imagine(view: Record, player: int, chance: Record, state: Record) -> None:
    copy_shared(view, state)
    for other in range(MAX_PLAYERS):
        state.lamp[other] = view.lamp[other]
    if view.lamp[player] == UNSEEN:
        state.lamp[player] = draw(chance, 2)


def describe(view: Record) -> str:
    lamps = "".join("?.*"[int(lamp) + 1] for lamp in view.lamp[: int(view.players)])
    return f"Lamps {lamps}, {int(view.n_moves)} moves."


def action_name(view: Record, action: int) -> str:
    if view.n_moves < int(view.players) * int(view.rounds):
        return ("short", "long")[action]
    return ("off", "on")[action]


LAMPS = Game(
    name="lamps",
    title="Lamps",
    source="the tests",
    state=STATE,
    view=VIEW,
    start=start,
    turn=turn,
    legal=legal,
    step=step,
    score=score,
    observe=observe,
    imagine=imagine,
    describe=describe,
    action_name=action_name,
    options=(
        Option("players", 3, "how many play", low=2, high=MAX_PLAYERS),
        Option("rounds", 1, "rounds in which everybody flashes", low=1, high=MAX_ROUNDS),
    ),
    presets=(
        Preset("long", {"rounds": 3}, "time for many signals"),
        Preset("crowd", {"players": 4, "rounds": 2}, "more of all"),
    ),
    players=lambda options: options["players"],
    actions=2,
    longest=lambda options: options["players"] * (options["rounds"] + 1),
    kind="cooperative",
    scores=lambda options: (0.0, float(options["players"])),
    even_deals=True,
)
GAME = LAMPS

# --- agents -------------------------------------------------------------------------------------------------------------

PUBLIC = record(
    field("players", np.int8, 0, MAX_PLAYERS, "how many play; 0 before the deal"),
    field("parity", np.int8, NOTHING, 1, "whether each sees an odd number of lamps on, as it has flashed", (MAX_PLAYERS,)),
    field("n_heard", np.int16, 0, 1000, "moves heard of"),
)
SECRET = record(
    field("odd", np.int8, 0, 1, "whether an odd number of the lamps that it sees is on"),
    field("luck", np.int8, 0, 1, "a draw of the deal"),
    field("n_lucky", np.int16, 0, 1000, "moves at which it drew a 1"),
)


@native
def count_odd(view: Record) -> int:
    """Whether an odd number of the lamps that a player sees is on."""
    n_on = 0
    for other in range(int(view.players)):
        n_on += 1 if view.lamp[other] == 1 else 0
    return n_on % 2


@native
def keep_record(table: Record, mover: int, action: int, public: Any) -> None:
    """What everybody learns from a move."""
    kept = public.view(PUBLIC)[0]
    if mover < 0:
        kept.players = table.players
        for player in range(MAX_PLAYERS):
            kept.parity[player] = NOTHING
        return
    kept.n_heard += 1
    kept.parity[mover] = table.flashed[mover]


@native
def watch(view: Record, mover: int, action: int, params: Any, public: Any) -> None:
    keep_record(view, mover, action, public)


@native
def watch_all(common: Record, mover: int, action: int, params: Any, public: Any) -> None:
    keep_record(common, mover, action, public)


@native
def tell_parity(view: Record, actions: Any, n: int, params: Any, memory: Any, public: Any, chance: Record) -> int:
    """Flash the parity of what it sees; then the own lamp is the difference of two parities."""
    if view.n_moves < int(view.players) * int(view.rounds):
        return count_odd(view)
    return own_lamp(view, public)


@native
def own_lamp(view: Record, public: Any) -> int:
    """The own lamp, from what the next player has flashed."""
    player = int(view.player)
    other = (player + 1) % int(view.players)
    unseen = count_odd(view) - (1 if view.lamp[other] == 1 else 0)
    parity = int(public.view(PUBLIC)[0].parity[other])
    return (parity + unseen) % 2 if parity >= 0 else 0


@native
def believe_parity(view: Record, params: Any, memory: Any, public: Any, chance: Record, state: Record) -> None:
    """Its own lamp as the others' flashes have it, or any while nobody has flashed."""
    imagine(view, int(view.player), chance, state)
    if public.view(PUBLIC)[0].parity[(int(view.player) + 1) % int(view.players)] >= 0 and view.lamp[int(view.player)] == UNSEEN:
        state.lamp[int(view.player)] = own_lamp(view, public)


def why(view: Record, action: int, params: Any, memory: Record | None, public: Record) -> Reason:
    return Reason("rule", f"heard {int(public.n_heard)} moves", (Choice(action, action_name(view, action), 1.0),))


PARITY = Agent(
    name="parity",
    game="lamps",
    meaning="flashes whether an odd number of the lamps that it sees is on",
    act=tell_parity,
    public=PUBLIC,
    watch=watch,
    watch_all=watch_all,
    believe=believe_parity,
    explain=why,
)


@native
def begin_secretly(view: Record, params: Any, memory: Any, chance: Record) -> None:
    kept = memory.view(SECRET)[0]
    kept.odd, kept.luck = count_odd(view), draw(chance, 2)


@native
def count_luck(view: Record, mover: int, action: int, params: Any, memory: Any, chance: Record) -> None:
    memory.view(SECRET)[0].n_lucky += draw(chance, 2)


@native
def act_by_luck(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    kept = memory.view(SECRET)[0]
    return (int(kept.odd) + int(kept.luck) + int(kept.n_lucky)) % 2


LUCKY = Agent(
    name="lucky",
    game="lamps",
    meaning="begins with a draw, and draws at every move that it hears of",
    act=act_by_luck,
    begin=begin_secretly,
    watch=count_luck,
    memory=SECRET,
)
AGENTS = (PARITY, LUCKY)

# --- one die ------------------------------------------------------------------------------------------------------------

_DIE = (
    field("throws", np.int8, 1, 9, "how often it can be thrown"),
    field("n_thrown", np.int8, 0, 9, "how often it was thrown"),
    field("die", np.int8, 1, 6, "what it shows"),
    field("kept", np.int8, 0, 1, "whether it was kept"),
)
DIE_STATE = record(*_DIE)
DIE_VIEW = record(*_DIE, field("player", np.int8, 0, 0, "the one player"))


@native
def throw_first(state: Record, chance: Record) -> None:
    state.die, state.n_thrown = 1 + draw(chance, 6), 1


@native
def turn_alone(state: Record) -> int:
    return OVER if state.kept == 1 or state.n_thrown == state.throws else 0


@native
def keep_or_throw(state: Record, action: int, chance: Record) -> None:
    if action == 0:
        state.kept = 1
    else:
        state.die = 1 + draw(chance, 6)
        state.n_thrown += 1


@native
def score_die(state: Record, scores: Any) -> None:
    scores[0] = state.die


@native
def look_at_die(state: Record, player: int, view: Record) -> None:
    copy_shared(state, view)
    view.player = player


@native
def imagine_die(view: Record, player: int, chance: Record, state: Record) -> None:
    copy_shared(view, state)


SOLITAIRE = Game(
    name="one_die",
    title="One die",
    source="the tests",
    state=DIE_STATE,
    view=DIE_VIEW,
    start=throw_first,
    turn=turn_alone,
    legal=legal,
    step=keep_or_throw,
    score=score_die,
    observe=look_at_die,
    imagine=imagine_die,
    describe=lambda view: f"The die shows {int(view.die)}, throw {int(view.n_thrown)}.",
    action_name=lambda view, action: ("keep", "throw")[action],
    options=(Option("throws", 2, "how often the die can be thrown", low=1, high=9),),
    players=1,
    actions=2,
    longest=9,
    kind="general",
    scores=(1.0, 6.0),
    perfect_recall=False,
)


@native
def keep_high(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    return 0 if view.die > 3 else 1


KEEPER = Agent(name="keeper", game="one_die", meaning="keeps 4, 5 and 6", act=keep_high, deterministic=True)
