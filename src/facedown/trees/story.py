"""How a game came to a position, in words: for errors that have to say where."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from facedown.games.stepper import Draw, Stepper

_MAX_MOVES_TOLD = 12
_MAX_DRAWS_TOLD = 12


class Told(NamedTuple):
    """A move: the state before it, who moved, what, and what the rules drew after it."""

    state: bytes
    player: int
    action: int
    draws: list[Draw]


def story(rules: Stepper, deal: list[Draw], moves: Sequence[Told]) -> str:
    """The way to a position, as a transcript would tell it; the beginning of a long game is left out."""
    words = [f"the start{draws_text(deal)}"]
    skipped = max(len(moves) - _MAX_MOVES_TOLD, 0)
    if skipped:
        words.append(f"... {skipped} moves ...")
    words += [f"player {move.player}: {action_text(rules, move)}{draws_text(move.draws)}" for move in moves[skipped:]]
    return ", ".join(words)


def action_text(rules: Stepper, move: Told) -> str:
    """The game's name for an action; its number where the game has none, since this is for telling what is wrong."""
    try:
        view = rules.view_record(rules.view(move.state, move.player))
        return rules.game.action_name(view, move.action) or str(move.action)
    except Exception:
        return f"action {move.action}"


def draws_text(draws: list[Draw]) -> str:
    """What the rules drew, in brackets: answers, and from how many; nothing where they did not draw."""
    texts = [f"{answer}/{size}" for answer, size in draws[:_MAX_DRAWS_TOLD]]
    texts += [f"and {len(draws) - _MAX_DRAWS_TOLD} more"] if len(draws) > _MAX_DRAWS_TOLD else []
    return f" (draws {' '.join(texts)})" if texts else ""
