"""Hanabi in words: the table, what everybody knows of their own cards, what happened, and what a typed move means."""

from __future__ import annotations

import re

from facedown.games.contract import OVER
from facedown.games.hanabi.cards import (
    AIM_OF,
    COPIES_OF,
    DISCARD,
    FEATURE_OF,
    FIRST_SUIT,
    HINT,
    MAX_HAND,
    N_CARDS,
    N_FEATURES,
    PLAY,
    RANK_FEATURES,
    RANK_OF,
    SUIT_FEATURES,
    SUIT_OF,
    SUITS,
)
from facedown.native.records import Record

RULES = """\
Play the cards of each suit in the order of their ranks, together, and without seeing your own.

There are five suits, each with three 1s, two 2s, 3s and 4s, and one 5. Two and three players hold five cards, four and
five players hold four: everybody sees all hands but their own. A turn is one of these:

  play a card      if it is the next one of its suit it goes on its pile and counts a point; a completed suit gives a
                   hint token back. If not, it is discarded and a life is lost.
  discard a card   a hint token comes back. Not with all eight tokens there.
  give a hint      for a token: tell one player all their cards of a suit, or all of a rank; at least one.

After playing or discarding one draws a card. There are eight hint tokens and three lives. The game ends with all 25
points, when the third life is lost, or when everybody has had one more turn after the last card was drawn. The score is
the number of cards on the piles, the same for everyone."""


def card_name(card: int) -> str:
    """A card by its suit and rank."""
    return f"{SUITS[SUIT_OF[card]]} {RANK_OF[card]}"


def hidden(state: Record, player: int) -> dict[str, str]:
    """A player's own cards, which everybody else sees."""
    return {f"your card {slot + 1}": card_name(int(state.hands[player, slot])) for slot in range(int(state.n_held[player]))}


def feature_name(feature: int) -> str:
    """What a hint tells: a suit or a rank."""
    return SUITS[feature - FIRST_SUIT] if feature >= FIRST_SUIT else f"rank {feature + 1}"


def listing(words: list[str], last: str = "and") -> str:
    """One, two and three."""
    return f" {last} ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def player_name(view: Record, player: int, you: str = "you") -> str:
    """A player in the eyes of the one who looks."""
    return you if player == view.player else f"player {player}"


def target_of(view: Record, mover: int, action: int) -> int:
    """Whom a hint is for."""
    return int((mover + AIM_OF[action]) % view.players)


# --- the table ----------------------------------------------------------------------------------------------------------------


def knowledge(view: Record, player: int, slot: int) -> str:
    """What hints have told of a card, as far as its owner knows it: "red", "red, not 1 or 2", "nothing"."""
    told, may_be = int(view.told[player, slot]), int(view.open[player, slot])
    ranks = [feature_name(feature) for feature in range(FIRST_SUIT) if told >> feature & 1]
    suits = [feature_name(feature) for feature in range(FIRST_SUIT, N_FEATURES) if told >> feature & 1]
    words = [" ".join([*suits, *(rank.removeprefix("rank ") if suits else rank for rank in ranks)])] if told else []
    excluded = []
    for features in (SUIT_FEATURES, RANK_FEATURES):
        if not told & features:
            every = features & _every_feature(view)
            excluded += [feature for feature in range(N_FEATURES) if every >> feature & 1 and not may_be >> feature & 1]
    if excluded:
        words.append(f"not {listing([feature_name(feature).removeprefix('rank ') for feature in excluded], 'or')}")
    return ", ".join(words) or "nothing"


def _every_feature(view: Record) -> int:
    return (1 << int(view.ranks)) - 1 | ((1 << int(view.suits)) - 1) << FIRST_SUIT


def hand_text(view: Record, player: int) -> str:
    """A hand, card by card: what it is, if one sees it, and what its owner knows of it."""
    if player == view.player:
        cards = [f"{slot + 1}: {knowledge(view, player, slot)}" for slot in range(view.n_held[player])]
        return f"You know of your cards  {'; '.join(cards) or 'nothing, you hold none'}"
    cards = [
        f"{slot + 1}: {card_name(int(view.hands[player, slot]))}{_known_by_owner(view, player, slot)}"
        for slot in range(view.n_held[player])
    ]
    return f"Player {player} holds  {'; '.join(cards) or 'no card'}"


def _known_by_owner(view: Record, player: int, slot: int) -> str:
    known = knowledge(view, player, slot)
    return f" ({known})" if known != "nothing" else ""


def discards_text(view: Record) -> str:
    """What lies beside the piles, by suit; cards of which no copy is left to play are marked."""
    suits = []
    for suit in range(view.suits):
        cards = [card for card in range(1, N_CARDS + 1) if SUIT_OF[card] == suit for _ in range(view.discarded[card])]
        if cards:
            suits.append(f"{SUITS[suit]} {' '.join(f'{RANK_OF[card]}{_lost_mark(view, card)}' for card in cards)}")
    return "; ".join(suits) or "nothing"


def _lost_mark(view: Record, card: int) -> str:
    """An exclamation mark where all copies are gone before one was played."""
    gone = view.discarded[card] == COPIES_OF[view.ranks, card]
    return "!" if gone and RANK_OF[card] > view.piles[SUIT_OF[card]] else ""


def describe(view: Record) -> str:
    piles = ", ".join(f"{SUITS[suit]} {view.piles[suit] or '-'}" for suit in range(view.suits))
    lines = [
        f"Piles: {piles}. {_count(view.n_points, 'point')}, {_count(view.n_tokens, 'hint token')}, "
        f"{_count(view.n_lives, 'life', 'lives')}, {_count(view.n_deck, 'card')} in the deck.",
        f"Discarded: {discards_text(view)}.",
    ]
    seats = [(int(view.player) + aim) % int(view.players) for aim in range(1, view.players)]
    lines += [f"{hand_text(view, player)}." for player in [*seats, int(view.player)]]
    if view.mover == OVER:
        lines.append(ending(view))
    elif view.n_deck == 0:
        lines.append(f"The deck is empty: {_count(view.turns_left, 'turn')} left.")
    return "\n".join(lines)


def _count(n: int, one: str, many: str = "") -> str:
    return f"{n} {one if n == 1 else many or one + 's'}"


def ending(view: Record) -> str:
    """How the game ended."""
    points, most = int(view.n_points), int(view.suits) * int(view.ranks)
    if points == most:
        return f"The game is over: all {most} points."
    if view.n_lives == 0:
        lost = "all points are lost" if view.bomb_is_zero else f"{_count(points, 'point')}"
        return f"The game is over, the last life is lost: {lost}."
    return f"The game is over: {_count(points, 'point')} of {most}."


# --- moves ---------------------------------------------------------------------------------------------------------------


def action_name(view: Record, action: int) -> str:
    """A move of the player to move."""
    if action < HINT:
        return f"{'play' if action < DISCARD else 'discard'} card {action % MAX_HAND + 1}"
    return f"tell player {target_of(view, max(int(view.mover), 0), action)} {feature_name(int(FEATURE_OF[action]))}"


def narrate(before: Record, after: Record) -> str:
    """The moves between two views of a player, and what was drawn, which the one who draws does not see."""
    words = [move_text(before, after, at) for at in range(before.n_moves, after.n_moves)]
    if after.n_deck == 0 and before.n_deck > 0:
        words.append("That was the last card: everybody has one more turn.")
    if after.mover == OVER and before.mover != OVER:
        words.append(ending(after))
    return " ".join(words)


def move_text(before: Record, after: Record, at: int) -> str:
    """One move; the slots of a hint and the drawn card are known of the last one."""
    mover, action, is_last = at % int(after.players), int(after.moves[at]), at == after.n_moves - 1
    who = player_name(after, mover).capitalize()
    s = "" if mover == after.player else "s"
    if action >= HINT:
        return hint_text(after, mover, action, who, s, is_last)
    card, slot = int(after.shown[at]), action % MAX_HAND
    text = f"{who} {'play' if action < DISCARD else 'discard'}{s} card {slot + 1}, {card_name(card)}"
    if action < DISCARD:
        fits = after.n_lives == before.n_lives if is_last else True
        text += "." if fits else ": it does not fit, and a life is lost."
    else:
        text += "."
    drew = before.n_deck - after.n_deck > 0 and is_last
    new = int(after.n_held[mover]) - 1 if not after.slot_freed else slot
    if drew and mover == after.player:
        return f"{text} You draw a card."
    return f"{text} {who} draws {card_name(int(after.hands[mover, new]))}." if drew else text


def hint_text(view: Record, mover: int, action: int, who: str, s: str, is_last: bool) -> str:
    """A hint spelt out: which cards it points at, and what they are."""
    target, feature = target_of(view, mover, action), feature_name(int(FEATURE_OF[action]))
    if not is_last:
        return f"{who} tell{s} {player_name(view, target)} {feature}."
    slots = [str(slot + 1) for slot in range(MAX_HAND) if int(view.touched) >> slot & 1]
    rank = feature.removeprefix("rank ") if feature.startswith("rank ") else ""
    if not slots:
        cards = f"no card is {f'a {rank}' if rank else feature}"
    elif len(slots) == 1:
        cards = f"card {slots[0]} is {f'a {rank}' if rank else feature}"
    else:
        cards = f"cards {listing(slots)} are {f'{rank}s' if rank else feature}"
    return f"{who} tell{s} {player_name(view, target)}: {cards}."


_LAY = re.compile(r"(p|play|d|discard) ?(?:card )?([1-5])")
_TELL = re.compile(r"(?:(?:t|tell|h|hint) )?(?:(?:player )?([0-4])[ :]+)?(?:rank )?([1-5]|[a-z]+)s?")


def parse_action(view: Record, text: str) -> int | None:
    """Understand "p 2", "discard 3", "tell 1 red", "hint 1 r", "1 rank 3"; with two players the other one need not be named."""
    typed = text.strip().lower()
    if match := _LAY.fullmatch(typed):
        return (PLAY if match[1][0] == "p" else DISCARD) + int(match[2]) - 1
    match = _TELL.fullmatch(typed)
    if match is None or typed.isdigit():
        return None
    mover, n_players = max(int(view.mover), 0), int(view.players)
    if match[1] is None and n_players > 2:
        return None
    aim = (int(match[1]) - mover) % n_players if match[1] is not None else 1
    if match[2].isdigit():
        feature = int(match[2]) - 1
    else:
        named = [suit for suit, name in enumerate(SUITS) if name.startswith(match[2]) or name == f"{match[2]}s"]
        if len(named) != 1:
            return None
        feature = FIRST_SUIT + named[0]
    return HINT + N_FEATURES * (aim - 1) + feature if aim > 0 else None
