"""Small games of simultaneous moves for tests: matching pennies, rock-paper-scissors for two or three, over some rounds.

Players choose one after the other, and nobody may know of a choice before everybody has chosen. `leaky=True` gives the
same rules without `hears`, so that everybody is told every choice at once; `SPY` is the agent that makes use of it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.agents.contract import Agent
from facedown.games.contract import HIDDEN, OVER, Game, Option
from facedown.native import draw, field, native, record
from facedown.native.records import Record

PENNIES, SIGNS, HEAVY_ROCK = 0, 1, 2
ROCK, PAPER, SCISSORS = 0, 1, 2
MAX_PLAYERS, MAX_ROUNDS, NOTHING = 3, 3, -1
NAMES = (("heads", "tails"), ("rock", "paper", "scissors"), ("rock", "paper", "scissors"))

_TABLE = (
    field("kind", np.int8, 0, 2, "0 pennies: player 0 wins if both are equal, 1 signs, 2 signs where rock wins double"),
    field("players", np.int8, 2, MAX_PLAYERS, "how many play"),
    field("rounds", np.int8, 1, MAX_ROUNDS, "how many rounds are played"),
    field("mover", np.int8, OVER, MAX_PLAYERS - 1, "player to choose, those before have chosen; -1 the game is over"),
    field("n_rounds", np.int8, 0, MAX_ROUNDS, "number of rounds that are over"),
)
_PLACES = (MAX_PLAYERS, MAX_ROUNDS)
STATE = record(*_TABLE, field("chosen", np.int8, NOTHING, 2, "choices of each player in each round; -1 not yet", _PLACES))
VIEW = record(
    *_TABLE,
    field("player", np.int8, 0, MAX_PLAYERS - 1, "the player who looks"),
    field("chosen", np.int8, NOTHING, 2, "choices of each player in each round; -1 not yet, or not seen", _PLACES),
)
MEMORY = record(field("heard", np.int8, NOTHING, 3, "one more than what somebody else chose in this round; 0 nothing"))


@native
def start(state: Record, chance: Record) -> None:
    for player in range(MAX_PLAYERS):
        for turn in range(MAX_ROUNDS):
            state.chosen[player, turn] = NOTHING


@native
def turn(state: Record) -> int:
    return int(state.mover)


@native
def n_choices(table: Record) -> int:
    return 2 if table.kind == PENNIES else 3


@native
def legal(state: Record, actions: Any) -> int:
    for choice in range(n_choices(state)):
        actions[choice] = choice
    return n_choices(state)


@native
def step(state: Record, action: int, chance: Record) -> None:
    state.chosen[int(state.mover), int(state.n_rounds)] = action
    state.mover += 1
    if state.mover == state.players:
        state.n_rounds += 1
        state.mover = 0 if state.n_rounds < state.rounds else OVER


@native
def gain(kind: int, own: int, other: int) -> int:
    """What the first of two players wins."""
    if kind == PENNIES:
        return 1 if own == other else -1
    if own == other:
        return 0
    wins = (own - other) % 3 == 1  # paper beats rock, scissors beat paper, rock beats scissors
    weight = 2 if kind == HEAVY_ROCK and (own if wins else other) == ROCK else 1
    return weight if wins else -weight


@native
def score(state: Record, scores: Any) -> None:
    scores[: int(state.players)] = 0.0
    for one in range(int(state.players)):
        for two in range(one + 1, int(state.players)):
            for turn in range(int(state.rounds)):
                won = gain(int(state.kind), int(state.chosen[one, turn]), int(state.chosen[two, turn]))
                scores[one] += won
                scores[two] -= won


@native
def observe(state: Record, player: int, view: Record) -> None:
    view.kind = state.kind
    view.players = state.players
    view.rounds = state.rounds
    view.mover = state.mover
    view.n_rounds = state.n_rounds
    view.player = player
    for other in range(MAX_PLAYERS):
        for turn in range(MAX_ROUNDS):
            sealed = turn >= state.n_rounds and other != player
            view.chosen[other, turn] = NOTHING if sealed else state.chosen[other, turn]


@native
def imagine(view: Record, player: int, chance: Record, state: Record) -> None:
    state.mover = view.mover
    state.n_rounds = view.n_rounds
    for other in range(MAX_PLAYERS):
        for turn in range(MAX_ROUNDS):
            state.chosen[other, turn] = view.chosen[other, turn]
        if other < view.mover and other != player:
            state.chosen[other, int(view.n_rounds)] = draw(chance, n_choices(view))


@native
def hears(state: Record, player: int, mover: int, action: int) -> int:
    return action if player == mover or mover == state.players - 1 else HIDDEN


def describe(view: Record) -> str:
    rounds = [
        ", ".join(f"player {player}: {NAMES[view.kind][view.chosen[player, turn]]}" for player in range(view.players))
        for turn in range(view.n_rounds)
    ]
    text = f"You are player {view.player} of {view.players}. Rounds so far: {'; '.join(rounds) or 'none'}."
    own = int(view.chosen[view.player, view.n_rounds]) if view.mover != OVER else NOTHING
    return text if own == NOTHING else f"{text} You have chosen {NAMES[view.kind][own]}."


def action_name(view: Record, action: int) -> str:
    return NAMES[view.kind][action]


def narrate(before: Record, after: Record) -> str:
    if after.n_rounds == before.n_rounds:
        return " ".join(f"Player {player} has chosen." for player in range(before.mover, after.mover))
    turn = int(before.n_rounds)
    return " ".join(f"Player {player}: {NAMES[after.kind][after.chosen[player, turn]]}." for player in range(after.players))


def hidden_moves(leaky: bool = False) -> Game:
    """The family of games: `hidden_moves()(kind="signs", players=3, rounds=2)`. A leaky one does not say what is secret."""
    secrets: dict[str, Any] = {} if leaky else {"hears": hears, "narrate": narrate}
    return Game(
        name="leaky_moves" if leaky else "hidden_moves",
        title="Simultaneous moves",
        source="common knowledge",
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
            Option("kind", SIGNS, "which game", choices=("pennies", "signs", "heavy_rock")),
            Option("players", 2, "how many play", 2, MAX_PLAYERS),
            Option("rounds", 1, "how many rounds are played", 1, MAX_ROUNDS),
        ),
        forbids=lambda options: "two play with pennies" if options["kind"] == PENNIES and options["players"] > 2 else None,
        players=lambda options: options["players"],
        actions=3,
        longest=lambda options: options["players"] * options["rounds"],
        kind="zero sum",
        scores=lambda options: (
            -2.0 * options["rounds"] * (options["players"] - 1),
            2.0 * options["rounds"] * (options["players"] - 1),
        ),
        **secrets,
    )


# --- somebody who listens ----------------------------------------------------------------------------------------------------


@native
def eavesdrop(view: Record, mover: int, action: int, params: Any, memory: Any) -> None:
    notes = memory.view(MEMORY)[0]
    notes.heard = 0 if view.mover == 0 else (action + 1 if mover != view.player and action >= 0 else notes.heard)


@native
def answer(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    """What beats the choice that was heard; without one, anything."""
    heard = int(memory.view(MEMORY)[0].heard) - 1
    if heard < 0:
        return int(actions[draw(chance, n)])
    return 1 - heard if view.kind == PENNIES else (heard + 1) % 3


SPY = Agent(name="spy", meaning="beats whatever it hears of before its own choice", act=answer, watch=eavesdrop, memory=MEMORY)
