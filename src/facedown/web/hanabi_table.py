"""What Hanabi's table has more than others: pips that can be switched off, notes on cards, the cards that a move was about.

All of it is made from the view of a seat and from what the person in it has written.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from facedown.arena.session import Session
from facedown.games.contract import Game
from facedown.games.hanabi.drawing import Look, draw_table, open_view
from facedown.games.hanabi.hanab_live import MAX_NOTE
from facedown.games.hanabi.history import History, history_of
from facedown.games.hanabi.text import card_name
from facedown.games.position import Position
from facedown.native.records import Record
from facedown.pictures import Picture, stacked
from facedown.web.tables import Table, plain_text


def is_hanabi(game: Game) -> bool:
    """Whether a game has this table."""
    return game.draw is draw_table


def pips_of(table: Table, seat: int) -> bool:
    """Whether a person wants to see what each card can still be."""
    return bool(table.facts.get("pips", {}).get(str(seat), True))


def picture(table: Table, seat: int, view: Record, owners: Iterable[int] = ()) -> Picture | None:
    """A view as a picture, as the person in a seat wants to see it; nothing where the game has none."""
    if not is_hanabi(table.game):
        return None if table.game.draw is None else table.game.draw(view)
    return draw_table(view, Look(pips_of(table, seat), frozenset(owners), card_notes(table, seat)))


def truth(table: Table, seat: int, position: Position, owners: Iterable[int] = (), player: int | None = None) -> Picture | None:
    """What everybody sees, of a game that is over: in Hanabi all hands on one table, else one table below the other.

    player  who is to move, and whose moves the things on Hanabi's table stand for
    """
    views = [position.view(one) for one in range(table.game.n_players)]
    if is_hanabi(table.game):
        look = Look(pips_of(table, seat), frozenset(owners), card_notes(table, seat), truth=True)
        return draw_table(open_view(views, player or 0), look)
    drawn = [one for view in views if (one := picture(table, seat, view)) is not None]
    return stacked(drawn) if drawn else None


def card_notes(table: Table, seat: int) -> dict[int, str]:
    """What the person in a seat noted of cards, by their place in the order of drawing."""
    return {int(card): str(text) for card, text in table.facts.get("card_notes", {}).get(str(seat), {}).items()}


def note_card(table: Table, seat: int, card: int, text: str) -> None:
    """Keep what a person wants to remember of a card; nobody else sees it. An empty text takes a note away."""
    notes = table.facts.setdefault("card_notes", {}).setdefault(str(seat), {})
    notes[str(card)] = plain_text(text, MAX_NOTE)
    if not notes[str(card)]:
        del notes[str(card)]
    table.keep()


def hanabi_extras(table: Table, session: Session, seat: int) -> dict[str, Any] | None:
    """What the page of a seat shows besides; nothing for other games."""
    if not is_hanabi(table.game):
        return None
    view = session.view(seat)
    past = history_of(view)
    names = _card_names(past, seat)
    moves = session.log_moves(seat)
    return {
        "pips": pips_of(table, seat),
        "others": [player for player in range(table.game.n_players) if player != seat],
        "cards": [(card, names[card]) for hand in _from(past, seat) for card in hand],
        "notes": [(names.get(card, f"card {card}"), text) for card, text in sorted(card_notes(table, seat).items())],
        "cards_of": {line: cards_text(past, move) for line, move in enumerate(moves, start=1)},
    }


def _from(past: History, seat: int) -> list[tuple[int, ...]]:
    """The hands from a seat on."""
    return [*past.hands[seat:], *past.hands[:seat]]


def cards_text(past: History, move: int) -> str:
    """The cards that a move was about, for the page to point at."""
    return " ".join(map(str, past.deeds[move - 1].cards)) if 0 < move <= len(past.deeds) else ""


def _card_names(past: History, seat: int) -> dict[int, str]:
    """What each card is called that lies in a hand or was laid down, as far as a seat may know it."""
    found = {card: f"{card_name(face)}, laid down" for card, face in past.faces.items()}
    for player, hand in enumerate(past.hands):
        for slot, card in enumerate(hand):
            whose = "your" if player == seat else f"player {player}'s"
            face = f", {card_name(past.faces[card])}" if card in past.faces and player != seat else ""
            found[card] = f"{whose} card {slot + 1}{face}"
    return found
