"""The agent `table` in Love Letter, where its table may be one for summaries of what players see.

There are too many different views of Love Letter to learn a move for each. A policy that was learnt for the game
`love_letter_abstract` has one for each summary: the agent makes the summary of its view, in its memory, and looks that up.
It needs nothing of earlier moves, and plays rounds and whole matches alike.
"""

from __future__ import annotations

import dataclasses
import re
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from facedown.agents.contract import Agent
from facedown.agents.likelihood import KNOWN, by_table
from facedown.agents.policy import Policy, check_policy
from facedown.agents.table import play_table, table_agent, table_from_file
from facedown.games.contract import Game
from facedown.games.love_letter_abstract import NAME, SUMMARY, abstract, summarise_view
from facedown.native import native
from facedown.native.records import Record, blank

MEANING = "a policy from a file, learnt for summaries of what a player sees; what is not in it is played uniformly"
_DIGEST = re.compile(r"#[0-9a-f]{16}$")


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


def summary_agent(policy: Policy, game: Game) -> Agent:
    """The agent that plays a policy for summaries in Love Letter itself; with the options that it was learnt for."""
    check_policy(policy, "this policy", abstract(game))
    return _in_full(table_agent(policy), game)


def read_table(file: str, game: Game) -> Agent:
    """The agent for the text in the brackets of `table(FILE)`, whichever of the two kinds the file is of."""
    if not _is_for_summaries(file.strip()):
        return table_from_file(file, game)
    return _in_full(table_from_file(file, abstract(game)), game)


def _in_full(agent: Agent, game: Game) -> Agent:
    """An agent for summaries, given whole views."""
    summaries, tell = blank(SUMMARY), agent.explain

    def explain(view: Record, memory: Record | None) -> str:
        summarise_view(view, summaries[0])
        return tell(summaries[0], None) if tell is not None else ""

    return dataclasses.replace(
        agent, meaning=MEANING, act=play_summary, memory=SUMMARY, game=game.name, game_spec=game.spec, explain=explain
    )


def _is_for_summaries(file: str) -> bool:
    """Whether a file holds a policy for summaries. What is wrong with one that cannot be read, its reader says."""
    path = Path(file).expanduser()
    if not path.exists():
        path = Path(_DIGEST.sub("", file)).expanduser()
    try:
        with np.load(path, allow_pickle=False) as arrays:
            return str(arrays["game"]).partition("(")[0] == NAME
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return False
