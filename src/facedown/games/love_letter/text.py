"""Love Letter in words: what a player sees and knows, what was played, and what somebody means who types a play."""

from __future__ import annotations

from facedown.games.contract import OVER
from facedown.games.love_letter.cards import (
    AIM_OF,
    BARON,
    BY_EMPTY_DECK,
    CARD_OF,
    COUNTESS,
    GUARD,
    HANDMAID,
    KING,
    NAMED_OF,
    NAMES,
    NO_CARD,
    PRIEST,
    PRINCE,
    PRINCESS,
    WINS_NEEDED,
    play_number,
)
from facedown.native.records import Record

AIMED_CARDS = frozenset({GUARD, PRIEST, BARON, PRINCE, KING})
RULES = """\
Play one of two cards, and be the last in the round or hold the highest card.

Sixteen cards, two to four players. One card is set aside face down, with two players three more face up, and one is
dealt to each. A turn: draw a card, play one of the two, do what it says.

  1 Guard      5 copies   name another player and a card other than Guard; who holds it is out
  2 Priest     2          look at the hand of another player
  3 Baron      2          compare hands with another player; the lower is out
  4 Handmaid   2          until your next turn nobody can aim at you
  5 Prince     2          a player, perhaps yourself, discards the hand and draws another card
  6 King       1          swap hands with another player
  7 Countess   1          must be played if your other card is the King or the Prince
  8 Princess   1          whoever plays or discards her is out

If all others are behind a Handmaid, Guard, Priest, Baron and King have no effect, and the Prince is played on yourself.
The round ends when one player is left, or after a turn with an empty deck: the highest hand wins, between equal hands the
larger sum of own discards; a further tie is a draw. A match goes on until a player has won 7, 5 or 4 rounds (with 2, 3, 4
players); the winner of a round begins the next, and after a draw who began before."""


def the(card: int) -> str:
    """A card with its article."""
    return f"the {NAMES[card]}"


def listing(parts: list[str]) -> str:
    """Words one after the other, with an "and" before the last."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def aimed_seat(view: Record, mover: int, action: int) -> int:
    """The seat that a play of this mover is aimed at."""
    return int((mover + AIM_OF[action]) % view.players)


# --- plays --------------------------------------------------------------------------------------------------------------


def action_name(view: Record, action: int) -> str:
    """A play of the player to move."""
    card, named = int(CARD_OF[action]), int(NAMED_OF[action])
    if AIM_OF[action]:
        at = f"{NAMES[card]} at player {aimed_seat(view, max(int(view.mover), 0), action)}"
        return f"{at}, naming {the(named)}" if card == GUARD else at
    if card == PRINCE:
        return "Prince on oneself"
    return f"{NAMES[card]} without effect" if card in AIMED_CARDS else NAMES[card]


def parse_action(view: Record, text: str) -> int | None:
    """What a player means by "guard 1 priest", "prince me" or "countess"; None if it is not clear.

    The aim can be left out where there is only one, and names can be cut short where they stay clear. A number alone is
    the number of a play.
    """
    words = [word for word in text.lower().replace(",", " ").replace(":", " ").split() if word not in _FILLERS]
    if not words or words[0].isdigit():
        return None
    cards = [_read_card(word) for word in words if not word.isdigit() and word not in _ONESELF]
    seats = [int(word) for word in words if word.isdigit()]
    if None in cards or not 1 <= len(cards) <= 2 or len(seats) > 1:
        return None
    card, named = int(cards[0] or 0), int(cards[1] or 0) if len(cards) == 2 else NO_CARD
    if (named != NO_CARD and card != GUARD) or named == GUARD:
        return None
    aims = _possible_aims(view)
    if seats:
        aims = [aim for aim in aims if (int(view.mover) + aim) % int(view.players) == seats[0]]
        if not aims:
            return play_number(PRINCE) if card == PRINCE and seats[0] == view.mover else None
    if card not in AIMED_CARDS or not aims or (card == PRINCE and _ONESELF & set(words)):
        return play_number(card)
    if len(aims) > 1 or (card == GUARD) != (named != NO_CARD) or (card == PRINCE and not seats):
        return None
    return play_number(card, aims[0], named)


_FILLERS = frozenset(
    {"at", "on", "the", "naming", "name", "player", "against", "play", "without", "effect", "and", "a", "with"}
)
_ONESELF = frozenset({"me", "myself", "self", "oneself", "yourself", "own"})


def _read_card(word: str) -> int | None:
    """The card with this name, or with a name that begins so if there is only one."""
    names = [name.lower() for name in NAMES]
    if word in names[1:]:
        return names.index(word)
    begun = [card for card in range(GUARD, PRINCESS + 1) if names[card].startswith(word)]
    return begun[0] if len(begun) == 1 else None


def _possible_aims(view: Record) -> list[int]:
    """How many seats further there is somebody who can be aimed at."""
    exposed = int(view.in_round) & ~int(view.immune)
    return [aim for aim in range(1, int(view.players)) if exposed >> (int(view.mover) + aim) % int(view.players) & 1]


# --- what a player sees ---------------------------------------------------------------------------------------------------


def describe(view: Record) -> str:
    """The match, the player's own hand, the table, what is known, and the round so far."""
    parts = [_of_match(view), _of_hand(view), _of_table(view), _of_knowledge(view), _of_round(view)]
    return " ".join(part for part in parts if part)


def narrate(before: Record, after: Record) -> str:
    """The turn and what came of it, how the round ended, and the card that was drawn next."""
    if after.n_rounds > before.n_rounds and after.mover != OVER:  # the table is laid anew already
        return f"{last_round(after)} A new round: you hold {the(int(after.hand))}."
    turn = turn_in_words(after, int(before.n_turns))
    text = f"{turn[0].upper()}{turn[1:]}."
    if after.mover == OVER:
        return f"{text} {_of_end(after)}"
    return f"{text} You draw {the(int(after.drawn))}." if after.drawn != NO_CARD else text


def called(view: Record, player: int) -> str:
    """A player, as the one who looks would say it."""
    return "you" if player == view.player else f"player {player}"


def _does(view: Record, player: int, own: str, others: str) -> str:
    """You do, player 1 does."""
    who = called(view, player)
    return f"{who[0].upper()}{who[1:]} {own if player == view.player else others}"


def _of_match(view: Record) -> str:
    if not view.match:
        return ""
    needed = WINS_NEEDED[int(view.players)]
    wins = listing([f"{called(view, player)} {view.wins[player]}" for player in range(int(view.players))])
    if view.mover == OVER:
        return f"The match is over after {view.n_rounds} rounds. Rounds won: {wins}."
    before = f" {last_round(view)}" if view.n_rounds else ""
    return f"Round {view.n_rounds + 1} of a match to {needed}. Rounds won: {wins}.{before}"


def last_round(view: Record) -> str:
    """How the last round ended."""
    text = f"The last round: {played(view, int(view.last_player), int(view.last_play))}"
    if view.last_laid != NO_CARD:
        text += f", which laid open {the(int(view.last_laid))}"
    return f"{text}. {_of_end(view)}"


def _of_end(view: Record) -> str:
    seats = range(int(view.players))
    winners = [player for player in seats if view.winners >> player & 1]
    text = ""
    if view.ended_by == BY_EMPTY_DECK:
        hands = [f"{called(view, player)} {the(int(view.shown[player]))}" for player in seats if view.shown[player]]
        text = f"The deck was empty; in the hands: {listing(hands)}. "
    if len(winners) > 1:
        return f"{text}The round is a draw between {listing([called(view, player) for player in winners])}."
    return f"{text}{_does(view, winners[0], 'win', 'wins')} the round."


def _of_hand(view: Record) -> str:
    if view.hand == NO_CARD:
        return f"You are player {view.player} and out of the round."
    drawn = f"; you have drawn {the(int(view.drawn))}" if view.drawn != NO_CARD else ""
    return f"You are player {view.player} and hold {the(int(view.hand))}{drawn}."


def _of_table(view: Record) -> str:
    opened = [NAMES[int(card)] for card in view.open_cards if card]
    text = f"Face up: {listing(opened)}. " if opened else ""
    cards = "1 card" if view.n_deck == 1 else f"{view.n_deck} cards"
    text += f"Deck: {cards}."
    for player in range(int(view.players)):
        if view.immune >> player & 1 and view.mover != OVER:
            text += f" {_does(view, player, 'are', 'is')} behind a Handmaid."
    return text


def _of_knowledge(view: Record) -> str:
    known = [
        f"player {player} holds {the(int(view.known[player]))}"
        for player in range(int(view.players))
        if view.known[player] and view.mover != OVER
    ]
    return f"You know: {listing(known)}." if known else ""


def _of_round(view: Record) -> str:
    turns = [turn_in_words(view, at) for at in range(int(view.n_turns))]
    text = f"Played: {'; '.join(turns)}." if turns else "Nothing is played yet."
    return f"{text} {_of_end(view)}" if view.mover == OVER else text


def played(view: Record, mover: int, action: int) -> str:
    """Who played what at whom."""
    card, named = int(CARD_OF[action]), int(NAMED_OF[action])
    text = f"{called(view, mover)} played {the(card)}"
    if AIM_OF[action]:
        text += f" at {called(view, aimed_seat(view, mover, action))}"
        return f"{text}, naming {the(named)}" if card == GUARD else text
    if card == PRINCE:
        return f"{text} on {'yourself' if mover == view.player else 'themself'}"
    return f"{text} without effect" if card in AIMED_CARDS else text


def turn_in_words(view: Record, at: int) -> str:
    """One turn of this round: what was played and what came of it."""
    mover, action, laid = int(view.turn_of[at]), int(view.plays[at]), int(view.laid[at])
    card, target = int(CARD_OF[action]), int(view.target[at])
    text = played(view, mover, action)
    if laid != NO_CARD:
        loser = int(view.put_out[at]) - 1
        who = called(view, loser if loser >= 0 else target)
        text += f": {who} laid down {the(laid)}" + (" and " + ("are" if who == "you" else "is") + " out" if loser >= 0 else "")
        new = int(view.redrew[at])
        return f"{text} and drew {the(new)}" if new else text
    if target < 0 or card in {HANDMAID, COUNTESS}:
        return text
    own, others = int(view.mover_card[at]), int(view.target_card[at])
    if card == GUARD:
        return f"{text}: no"
    if card == PRIEST and others:
        return f"{text} and saw {the(others)}"
    if card == BARON:
        return f"{text}: equal ({the(own)})" if own else f"{text}: equal"
    if card == KING and own:
        given, taken = (own, others) if mover == view.player else (others, own)
        return f"{text}: you gave {the(given)} for {the(taken)}"
    return text


def hidden(state: Record, player: int) -> dict[str, str]:
    """The hands of the others who are still in the round."""
    in_round = [other for other in range(int(state.players)) if other != player and state.hand[other] != NO_CARD]
    return {f"player {other} holds": NAMES[int(state.hand[other])] for other in in_round}
