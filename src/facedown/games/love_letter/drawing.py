"""Love Letter as a picture: hands, discards, what lies open, and how many of each card nobody has seen."""

from __future__ import annotations

from facedown.games.contract import OVER
from facedown.games.love_letter.cards import CARD_OF, MAX_PLAYS, N_KINDS, NAMES, NO_CARD, WINS_NEEDED
from facedown.games.love_letter.text import describe
from facedown.native.records import Record
from facedown.pictures import Picture, Shape, card, emblem, label, panel, pile, track
from facedown.pictures.palette import BLUE, GREEN, GREY, KINDS, MUTED, ORANGE, PAPER, PURPLE, SKY, VERMILION, YELLOW

KIND_OF = ("", "square", "cross", "triangle", "ring", "diamond", "crown", "star", "heart")
COLOUR_OF = ("", GREY, SKY, VERMILION, GREEN, BLUE, ORANGE, PURPLE, YELLOW)
assert set(COLOUR_OF[1:]) == set(KINDS)
HEIGHT_OF_PLAYER = 84


def face(kind: int, x: float, y: float, size: float = 1.0, **how: object) -> Shape:
    """A card of this kind."""
    caption = NAMES[kind] if size >= 0.8 else ""
    return card(x, y, str(kind), kind=KIND_OF[kind], colour=COLOUR_OF[kind], caption=caption, size=size, **how)  # type: ignore[arg-type]


def draw_table(view: Record) -> Picture:
    """The table of one round, from the seat of the player who looks."""
    n_players, player = int(view.players), int(view.player)
    others = [(player + turn) % n_players for turn in range(1, n_players)]
    middle = 12 + HEIGHT_OF_PLAYER * len(others)
    picture = Picture(480, middle + 336, describe(view))
    for place, other in enumerate(others):
        _draw_other(picture, view, other, 12 + HEIGHT_OF_PLAYER * place)
    _draw_middle(picture, view, middle)
    _draw_own(picture, view, middle + 116)
    _draw_unseen(picture, view, middle + 262)
    return picture


def discards(view: Record, player: int) -> list[int]:
    """What a player has played and laid open in this round, in order."""
    found = []
    for turn in range(int(view.n_turns)):
        if view.turn_of[turn] == player:
            found.append(int(CARD_OF[view.plays[turn]]))
        if view.laid[turn] != NO_CARD and _who_laid(view, turn) == player:
            found.append(int(view.laid[turn]))
    return found


def _who_laid(view: Record, turn: int) -> int:
    """Whose hand a turn laid open: of who was put out, or of the Prince's target."""
    if view.put_out[turn]:
        return int(view.put_out[turn]) - 1
    target = int(view.target[turn])
    return target if target >= 0 else int(view.turn_of[turn])


def _status(view: Record, player: int) -> str:
    if view.mover == OVER:
        return "winner" if view.winners >> player & 1 else ""
    if not view.in_round >> player & 1:
        return "out of the round"
    return "behind a Handmaid" if view.immune >> player & 1 else ""


def _draw_other(picture: Picture, view: Record, other: int, top: float) -> None:
    picture.add(panel(14, top, 452, HEIGHT_OF_PLAYER - 8, lit=view.mover == other))
    shown = int(view.shown[other]) if view.mover == OVER else int(view.known[other])
    is_in = bool(view.in_round >> other & 1)
    if shown:
        picture.add(face(shown, 26, top + 11, 0.66))
    elif is_in:
        picture.add(card(26, top + 11, back=True, size=0.66))
    picture.add(
        label(78, top + 24, f"player {other}", 15, bold=True), label(78, top + 44, _status(view, other), 13, colour=MUTED)
    )
    if view.match:
        picture.add(track(78, top + 56, 90, int(WINS_NEEDED[view.players]), int(view.wins[other])))
    _draw_discards(picture, discards(view, other), 196, top + 18)


def _draw_discards(picture: Picture, cards: list[int], left: float, top: float) -> None:
    step = min(32.0, (262 - 29) / max(len(cards) - 1, 1))
    for place, kind in enumerate(cards):
        picture.add(face(kind, left + step * place, top, 0.5))


def _draw_middle(picture: Picture, view: Record, top: float) -> None:
    picture.add(pile(36, top + 12, int(view.n_deck), f"deck, {view.n_deck}", size=0.85))
    opened = [int(kind) for kind in view.open_cards if kind]
    for place, kind in enumerate(opened):
        picture.add(face(kind, 130 + 56 * place, top + 9, 0.85))
    if opened:
        picture.add(label(130 + 28 * len(opened), top + 96, "face up from the start", 13, "middle", MUTED))
    if view.n_turns:
        last = int(view.n_turns) - 1
        kind, mover = int(CARD_OF[view.plays[last]]), int(view.turn_of[last])
        picture.add(face(kind, 388, top + 9, 0.85, raised=True))
        picture.add(
            label(413, top + 96, "you played" if mover == view.player else f"player {mover} played", 13, "middle", MUTED)
        )


def _draw_own(picture: Picture, view: Record, top: float) -> None:
    player = int(view.player)
    picture.add(panel(14, top, 452, 126, lit=view.mover == player))
    hand = [int(kind) for kind in (view.hand, view.drawn) if kind]
    for place, kind in enumerate(hand):
        plays = [action for action in range(MAX_PLAYS) if CARD_OF[action] == kind]
        picture.add(face(kind, 32 + 78 * place, top + 14, 1.18, label=f"play the {NAMES[kind]}", actions=plays))
    picture.add(
        label(200, top + 28, f"you, player {player}", 15, bold=True),
        label(200, top + 50, _status(view, player), 13, colour=MUTED),
    )
    if view.match:
        picture.add(track(320, top + 18, 130, int(WINS_NEEDED[view.players]), int(view.wins[player])))
    _draw_discards(picture, discards(view, player), 196, top + 66)


def _draw_unseen(picture: Picture, view: Record, top: float) -> None:
    picture.add(label(20, top + 14, "Not seen yet, in other hands, the deck and aside:", 13, colour=MUTED))
    for kind in range(1, N_KINDS + 1):
        x, y = 26 + 116 * ((kind - 1) % 4), top + 34 + 26 * ((kind - 1) // 4)
        shown = PAPER if view.unseen[kind] else MUTED
        picture.add(emblem(KIND_OF[kind], x, y, 9, COLOUR_OF[kind]))
        picture.add(label(x + 14, y + 5, f"{NAMES[kind]} ×{view.unseen[kind]}", 13, colour=shown))
