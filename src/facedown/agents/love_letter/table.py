"""The agent `table` in Love Letter, where its table may be one for summaries of what players see.

There are too many different views of Love Letter to learn a move for each. A policy that was learnt for the game
`love_letter_abstract` has one for each summary: the agent makes the summary of its view, in its memory, and looks that up.
It needs nothing of earlier moves, and plays rounds and whole matches alike.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from facedown.agents.contract import Agent
from facedown.agents.generic.table import play_table, read_table_file
from facedown.agents.likelihood import KNOWN, by_table
from facedown.agents.reasons import Reason
from facedown.games.contract import Game
from facedown.games.love_letter.abstraction import NAME, SUMMARY, abstract, summarise_view
from facedown.native import native
from facedown.native.records import Record, blank
from facedown.policies.policy import text_in

MEANING = "a policy from a file, learnt for summaries of what a player sees; what is not in it is played uniformly"


@native
def play_summary(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    summary = memory.view(SUMMARY)[0]
    summarise_view(view, summary)
    return int(play_table(summary, actions, n, params, memory, chance))


def by_summary(agent: Agent, view: Record, actions: list[int]) -> Any:
    """How likely the agent plays each action: the row of its table for the summary."""
    summaries = blank(SUMMARY)
    summarise_view(view, summaries[0])
    return by_table(agent, summaries[0], actions)


KNOWN[play_summary] = by_summary


def read_table(file: str, game: Game) -> Agent:
    """The agent for the text in the brackets of `table(FILE)`, whichever of the two kinds the file is of."""
    kept = read_table_file(file)
    if text_in(kept.arrays.get("game")).partition("(")[0] != NAME:
        return kept.agent(game)
    return in_full(kept.agent(abstract(game)), game)


def in_full(agent: Agent, game: Game) -> Agent:
    """An agent for summaries, given whole views."""
    summaries, tell = blank(SUMMARY), agent.explain

    def explain(view: Record, action: int, params: Any, memory: Record | None) -> Reason:
        assert tell is not None
        summarise_view(view, summaries[0])
        return tell(summaries[0], action, params, None)

    return dataclasses.replace(
        agent, meaning=MEANING, act=play_summary, memory=SUMMARY, game=game.name, game_spec=game.spec, explain=explain
    )
