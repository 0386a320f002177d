"""Games of Hanabi in the JSON of hanab.live: read with a sentence for all that is wrong, played by the rules, and written.

    {"players": ["Ada", "Ben"], "deck": [{"suitIndex": 0, "rank": 1}, ...], "options": {"variant": "No Variant"},
     "actions": [{"type": 3, "target": 1, "value": 2}, ...], "notes": [["mine", ""], []]}

The deck lies in the order of drawing; hands are dealt seat by seat. An action plays (0) or discards (1) the card with this
number in the deck, tells the player `target` a suit (2) or a rank (3), or gives up (4). Their suits are red, yellow, green,
blue and purple: ours of the same name stand for them, and those that are left over in their order, so white for purple.

What their options have no words for, such as points after the last life, is kept under the key `facedown`, which they skip.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from facedown.errors import FacedownError, TranscriptError, UsageError
from facedown.games.contract import Game
from facedown.games.hanabi.cards import (
    COPIES,
    DISCARD,
    FEATURE_OF,
    FIRST_SUIT,
    HINT,
    MAX_LIVES,
    MAX_MOVES,
    MAX_PLAYERS,
    MAX_RANKS,
    MAX_TOKENS,
    N_FEATURES,
    PLAY,
    RANK_OF,
    SUIT_OF,
    SUITS,
    card_number,
    deck_size,
    hand_size,
)
from facedown.games.hanabi.history import history_of
from facedown.games.hanabi.text import card_name
from facedown.games.position import Position
from facedown.games.registry import game as find_game
from facedown.games.stepper import Draw
from facedown.native.records import Record

VARIANTS = {"No Variant": 5, "4 Suits": 4, "3 Suits": 3}
THEIR_SUITS = ("red", "yellow", "green", "blue", "purple")
PLAYS, DISCARDS, TELLS_SUIT, TELLS_RANK, GIVES_UP = range(5)
REFUSED = {"allOrNothing": "the rule of all or nothing", "detrimentalCharacters": "characters"}
MAX_NAME, MAX_NOTE = 40, 200
_OWN = re.compile(r"hanabi(\([a-z0-9_=,]{0,150}\))?")


@dataclass(frozen=True)
class LiveGame:
    """A file that makes sense by itself; whether its moves follow the rules is seen when they are played."""

    game: Game
    players: tuple[str, ...]
    deck: tuple[int, ...]
    """Cards as they are drawn."""
    actions: tuple[tuple[int, int, int], ...]
    """Type, target, value."""
    notes: tuple[dict[int, str], ...]
    """What each player noted, by the card's place in the deck."""


def suit_order(n_suits: int) -> list[int]:
    """Which of our suits stands for each of theirs.

    >>> [SUITS[suit] for suit in suit_order(5)], [SUITS[suit] for suit in suit_order(3)]
    (['red', 'yellow', 'green', 'blue', 'white'], ['red', 'blue', 'green'])
    """
    ours = list(SUITS[:n_suits])
    others = iter([name for name in ours if name not in THEIR_SUITS[:n_suits]])
    return [ours.index(name if name in ours else next(others)) for name in THEIR_SUITS[:n_suits]]


# --- reading ----------------------------------------------------------------------------------------------------------------


def read_game(text: str) -> LiveGame:
    """Read the JSON of a game."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise TranscriptError("this is no game of hanab.live: it is not JSON") from None
    if not isinstance(found, dict):
        raise _wrong("the file", "an object with players, deck and actions", found)
    players = _players(found.get("players"))
    game = _game(len(players), found.get("options"), found.get("facedown"))
    n_suits = int(game.values["suits"])
    deck = _deck(found.get("deck"), n_suits)
    actions = tuple(_action(number, one) for number, one in enumerate(_list(found, "actions", MAX_MOVES + 1), start=1))
    return LiveGame(game, players, deck, actions, _notes(found.get("notes"), len(players), len(deck)))


def _wrong(where: str, expected: str, found: object) -> TranscriptError:
    shown = json.dumps(found, default=str)
    return TranscriptError(f"{where}: expected {expected}, found {shown if len(shown) <= 60 else shown[:57] + '...'}")


def _list(found: Mapping[str, object], name: str, most: int) -> list[Any]:
    given = found.get(name)
    if not isinstance(given, list) or len(given) > most:
        raise _wrong(name, f"a list of at most {most}", given if not isinstance(given, list) else f"{len(given)} of them")
    return given


def _whole(given: object, low: int, high: int, where: str) -> int:
    if not isinstance(given, int) or isinstance(given, bool) or not low <= given <= high:
        raise _wrong(where, f"a whole number from {low} to {high}", given)
    return given


def _flag(options: Mapping[str, object], name: str) -> bool:
    given = options.get(name) or False
    if not isinstance(given, bool):
        raise _wrong(f"options, {name}", "true or false", given)
    return given


def _words(text: str, longest: int) -> str:
    """One line without control characters."""
    return "".join(letter if letter.isprintable() else " " for letter in text).strip()[:longest]


def _players(given: object) -> tuple[str, ...]:
    if not isinstance(given, list) or not 2 <= len(given) <= MAX_PLAYERS or not all(isinstance(name, str) for name in given):
        raise _wrong("players", f"the names of 2 to {MAX_PLAYERS} players", given)
    return tuple(_words(name, MAX_NAME) or f"player {seat}" for seat, name in enumerate(given))


def _game(n_players: int, given: object, own: object) -> Game:
    options = {} if given is None else given
    if not isinstance(options, dict):
        raise _wrong("options", "an object", given)
    variant = options.get("variant", "No Variant")
    if not isinstance(variant, str) or variant not in VARIANTS:
        raise TranscriptError(f"variant {json.dumps(variant)[:60]} is not known here; known are {', '.join(VARIANTS)}")
    for name, words in REFUSED.items():
        if _flag(options, name):
            raise TranscriptError(f"options, {name}: games with {words} are not known here")
    if options.get("startingPlayer"):
        raise TranscriptError("options, startingPlayer: here the first player in the list begins; turn the list round")
    n_more = _flag(options, "oneExtraCard") - _flag(options, "oneLessCard")
    hand = hand_size(n_players, 0) + n_more if n_more else 0
    if hand > 5:
        raise TranscriptError(f"options, oneExtraCard: hands of {hand} cards are not known here; at most 5 are")
    empty = {"empty_hints": "yes"} if _flag(options, "emptyClues") else {}
    found = find_game("hanabi", players=n_players, suits=VARIANTS[variant], hand=hand, **empty)
    return found if own is None else _own_game(own, found)


def _own_game(own: object, derived: Game) -> Game:
    """The game as it was called when it was written here; it may differ only in what hanab.live has no words for."""
    spec = own.get("game") if isinstance(own, dict) else None
    if not isinstance(spec, str) or not _OWN.fullmatch(spec):
        raise _wrong("facedown", 'the game, such as {"game": "hanabi(players=3,bomb=zero)"}', own)
    try:
        found = find_game(spec)
    except FacedownError as problem:
        raise TranscriptError(f"facedown, game: {problem}") from None
    free = {"bomb", "age"}
    other = [name for name, value in found.values.items() if name not in free and value != derived.values[name]]
    if other:
        raise TranscriptError(f"facedown, game: {spec} has another {other[0]} than players and options of the file say")
    return found


def _deck(given: object, n_suits: int) -> tuple[int, ...]:
    n_cards = deck_size(n_suits, MAX_RANKS)
    if not isinstance(given, list) or len(given) != n_cards:
        raise _wrong("deck", f"a list of {n_cards} cards", f"{len(given)} cards" if isinstance(given, list) else given)
    ours, found = suit_order(n_suits), []
    for place, one in enumerate(given):
        if not isinstance(one, dict):
            raise _wrong(f"deck, card {place}", 'such as {"suitIndex": 0, "rank": 1}', one)
        suit = _whole(one.get("suitIndex"), 0, n_suits - 1, f"deck, card {place}, suitIndex")
        found.append(card_number(ours[suit], _whole(one.get("rank"), 1, MAX_RANKS, f"deck, card {place}, rank")))
    for card in set(found):
        n_there, n_right = found.count(card), COPIES[int(RANK_OF[card]) - 1]
        if n_there > n_right:
            raise TranscriptError(f"deck: {card_name(card)} is there {n_there} times, but there are {n_right} in the game")
    return tuple(found)


def _action(number: int, given: object) -> tuple[int, int, int]:
    where = f"action {number}"
    if not isinstance(given, dict):
        raise _wrong(where, 'such as {"type": 0, "target": 4}', given)
    kind = _whole(given.get("type"), PLAYS, GIVES_UP, f"{where}, type")
    if kind == GIVES_UP:
        return kind, 0, 0
    target = _whole(given.get("target"), 0, 49 if kind in {PLAYS, DISCARDS} else MAX_PLAYERS - 1, f"{where}, target")
    if kind in {PLAYS, DISCARDS}:
        return kind, target, 0
    low, high = (0, 4) if kind == TELLS_SUIT else (1, MAX_RANKS)
    return kind, target, _whole(given.get("value"), low, high, f"{where}, value")


def _notes(given: object, n_players: int, n_cards: int) -> tuple[dict[int, str], ...]:
    if given is None:
        return tuple({} for _ in range(n_players))
    if not isinstance(given, list) or len(given) > n_players:
        raise _wrong("notes", f"a list for each of {n_players} players", given)
    found: list[dict[int, str]] = []
    for seat, one in enumerate(given):
        if not isinstance(one, list) or len(one) > n_cards or not all(isinstance(note, str | None) for note in one):
            raise _wrong(f"notes of player {seat}", f"at most {n_cards} texts", one)
        found.append({place: words for place, note in enumerate(one) if (words := _words(note or "", MAX_NOTE))})
    return (*found, *({} for _ in range(n_players - len(given))))


# --- playing ----------------------------------------------------------------------------------------------------------------


def play_game(live: LiveGame) -> tuple[Position, list[Draw], list[tuple[int, int, int, str, list[Draw]]]]:
    """Play it by the rules: the last position, the draws of the deal, each move (number, player, action, name, draws)."""
    position, rest, order = Position(live.game), sorted(live.deck), iter(live.deck)

    def drawn(n_cards: int) -> list[Draw]:
        # the rules draw a place among all copies that are left, in the order of the cards
        found = []
        for _ in range(n_cards):
            place = rest.index(next(order))
            found.append((place, len(rest)))
            del rest[place]
        return found

    n_players = len(live.players)
    start = drawn(n_players * hand_size(n_players, int(live.game.values["hand"])))
    position.start(start)
    moves = []
    for number, action in enumerate(live.actions, start=1):
        if action[0] == GIVES_UP:
            if number < len(live.actions):
                raise TranscriptError(f"action {number} ends the game, and more follow")
            break
        chosen = _chosen(position, action, number)
        mover, name = position.turn(), position.action_name(chosen)
        draws = drawn(1) if chosen < HINT and position.state.n_deck > 0 else []
        position.step(chosen, draws)
        moves.append((number, mover, chosen, name, draws))
    return position, start, moves


def _chosen(position: Position, action: tuple[int, int, int], number: int) -> int:
    """The number that the rules have for an action, which must be legal."""
    kind, target, value = action
    if position.over:
        raise TranscriptError(f"action {number}: the game is over already")
    state, mover = position.state, position.turn()
    n_players, n_suits = int(state.players), int(state.suits)
    if kind in {PLAYS, DISCARDS}:
        hand = history_of(state).hands[mover]
        if target not in hand:
            raise TranscriptError(f"action {number}: player {mover} does not hold card {target}, but {listed(hand)}")
        found = (PLAY if kind == PLAYS else DISCARD) + hand.index(target)
    else:
        if target >= n_players or target == mover or (kind == TELLS_SUIT and value >= n_suits):
            raise TranscriptError(f"action {number}: player {mover} cannot tell that to player {target}")
        feature = FIRST_SUIT + suit_order(n_suits)[value] if kind == TELLS_SUIT else value - 1
        found = HINT + N_FEATURES * ((target - mover) % n_players - 1) + feature
    if found not in position.legal():
        raise TranscriptError(f"action {number}: '{position.action_name(found)}' breaks the rules here")
    return found


def listed(cards: Sequence[int]) -> str:
    """Cards by their places in the deck."""
    return ", ".join(map(str, cards)) or "none"


# --- writing ----------------------------------------------------------------------------------------------------------------


def write_game(state: Record, spec: str, players: Sequence[str], notes: Sequence[Mapping[int, str]] = ()) -> str:
    """The game that led to a state, which knows all its moves; cards that nobody drew lie at the end in the order of suits."""
    n_players, n_suits = int(state.players), int(state.suits)
    hand, usual = hand_size(n_players, int(state.hand)), hand_size(n_players, 0)
    _check_rules(state, abs(hand - usual) <= 1)
    past, ours = history_of(state), suit_order(n_suits)
    deck = [past.faces[place] for place in range(len(past.faces))]
    for card in (card_number(suit, rank) for suit in ours for rank in range(1, MAX_RANKS + 1)):
        deck += [card] * (COPIES[int(RANK_OF[card]) - 1] - deck.count(card))
    options: dict[str, object] = {"variant": next(name for name, suits in VARIANTS.items() if suits == n_suits)}
    options |= {"oneExtraCard": True} if hand > usual else {"oneLessCard": True} if hand < usual else {}
    options |= {"emptyClues": True} if state.hints_empty else {}
    found: dict[str, object] = {
        "players": list(players),
        "deck": [{"suitIndex": ours.index(int(SUIT_OF[card])), "rank": int(RANK_OF[card])} for card in deck],
        "actions": [_written(deed.action, deed.target, deed.cards, ours) for deed in past.deeds],
        "options": options,
        "notes": [[own.get(place, "") for place in range(max(own, default=-1) + 1)] for own in notes],
    }
    if _game(n_players, options, None).spec != spec:
        found["facedown"] = {"game": spec}
    return json.dumps(found, ensure_ascii=False) + "\n"


def _check_rules(state: Record, usual_hand: bool) -> None:
    wrong = {
        f"{state.suits} suits": int(state.suits) not in VARIANTS.values(),
        f"{state.ranks} ranks": state.ranks != MAX_RANKS,
        f"{state.tokens} hint tokens": state.tokens != MAX_TOKENS,
        f"{state.lives} lives": state.lives != MAX_LIVES,
        "hands of that size": not usual_hand,
        "discards with all tokens there": bool(state.discards_at_max),
        "cards that are drawn into the freed slot": bool(state.slot_freed),
    }
    if reasons := [words for words, is_so in wrong.items() if is_so]:
        raise UsageError(f"hanab.live has no game with {reasons[0]}; it cannot be written in its form")


def _written(action: int, target: int, cards: tuple[int, ...], ours: list[int]) -> dict[str, int]:
    if action < HINT:
        return {"type": PLAYS if action < DISCARD else DISCARDS, "target": cards[0]}
    feature = int(FEATURE_OF[action])
    if feature >= FIRST_SUIT:
        return {"type": TELLS_SUIT, "target": target, "value": ours.index(feature - FIRST_SUIT)}
    return {"type": TELLS_RANK, "target": target, "value": feature + 1}
