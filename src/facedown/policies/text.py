"""A policy in words: what the player sees, as short as it can be told, and how likely each action is."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from facedown.errors import UsageError
from facedown.games.contract import Game
from facedown.games.registry import game as find_game
from facedown.inputs import whole_number
from facedown.native.records import Record
from facedown.policies.policy import Policy

_BRACKETS = re.compile(r" ?\([^()]*\)")
_SENTENCE = re.compile(r"(?<=[.!?;]) +")


def compact(texts: Sequence[str]) -> list[str]:
    """The same descriptions without what is the same in all of them: remarks in brackets, sentences, the first words.

    >>> compact(["You hold the jack (of 3). It rains.", "You hold the king (of 3). It rains."])
    ['jack.', 'king.']
    """
    if len(texts) < 2:
        return list(texts)
    told = [" ".join(text.split()) for text in texts]
    for remark in set(_BRACKETS.findall(told[0])):
        if all(remark in text for text in told):
            told = [text.replace(remark, "") for text in told]
    sentences = [_SENTENCE.split(text) for text in told]
    everywhere = set(sentences[0]).intersection(*sentences[1:])
    told = [" ".join(part for part in parts if part not in everywhere) for parts in sentences]
    words = [text.split(" ") for text in told]
    n_most = min(map(len, words)) - 1  # something stays of each
    n_same = next((at for at in range(n_most) if len({part[at] for part in words}) > 1), n_most)
    return [" ".join(part[n_same:]) for part in words]


def view_record(game: Game, policy: Policy, number: int) -> Record:
    """What the player sees in an information set."""
    return np.frombuffer(bytearray(policy.views[number].tobytes()), game.view)[0]  # type: ignore[no-any-return]


def rows_of(game: Game, policy: Policy, player: int, most: int | None = None) -> list[tuple[str, list[tuple[str, float]]]]:
    """The information sets of a player in words, each with its actions and their probabilities."""
    numbers = np.flatnonzero(policy.players == player)[:most].tolist()
    views = [view_record(game, policy, number) for number in numbers]
    texts = compact([game.describe(view) for view in views])
    rows = []
    for number, view, text in zip(numbers, views, texts, strict=True):
        actions, probabilities = policy.row(number)
        words = [game.action_name(view, int(action)) for action in actions]
        rows.append((text, list(zip(words, map(float, probabilities), strict=True))))
    return rows


def policy_table(policy: Policy, player: int | None = None, most: int | None = None, rules: Game | None = None) -> str:
    """A policy as lines of text; of one player, or of all of them, `most` information sets each."""
    game = rules or find_game(policy.game)
    if player is not None and not 0 <= player < game.n_players:
        raise UsageError(f"player={player}: {game} has the players 0 to {game.n_players - 1}")
    if most is not None:
        whole_number("most", most, 1)
    lines: list[str] = []
    for who in range(game.n_players) if player is None else [player]:
        rows = rows_of(game, policy, who, most)
        n_sets = int(np.count_nonzero(policy.players == who))
        lines += [""] if lines else []
        lines.append(f"{game.seat_name(who)}, {n_sets:,} information set{'s' * (n_sets != 1)}")
        width = max((len(text) for text, _ in rows), default=0)
        for text, chances in rows:
            told = "  ".join(f"{name} {chance:7.2%}" for name, chance in chances)
            lines.append(f"  {text:<{width}}  {told}")
        if n_sets > len(rows):
            lines.append(f"  ... and {n_sets - len(rows):,} more")
    return "\n".join(lines)
