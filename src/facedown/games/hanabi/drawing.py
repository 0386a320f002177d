"""Hanabi as a picture: piles, hands with what hints have told of each card, clue arrows, what is lost, tokens, lives, pace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from facedown.games.contract import OVER
from facedown.games.hanabi.cards import (
    COPIES_OF,
    DISCARD,
    FEATURE_OF,
    FEATURES_OF,
    FIRST_SUIT,
    HINT,
    MAX_PLAYERS,
    N_CARDS,
    N_FEATURES,
    NO_CARD,
    PLAY,
    RANK_OF,
    SUIT_OF,
    SUITS,
    n_copies,
)
from facedown.games.hanabi.history import Deed, History, Landmarks, history_of
from facedown.games.hanabi.text import describe, feature_name
from facedown.native.records import Record
from facedown.pictures import Jump, Picture, Shape, arrow, card, chip, label, letters, panel, pile, strip
from facedown.pictures.palette import BLUE, GOLD, GREEN, GREY, MUTED, PAPER, VERMILION, YELLOW

KIND_OF = dict(zip(SUITS, ("square", "triangle", "circle", "ring", "star"), strict=True))
COLOUR_OF = dict(zip(SUITS, (BLUE, GREEN, VERMILION, GREY, YELLOW), strict=True))
ROW, TOP = 120.0, 186.0
LEFT, STEP, SIZE = 104.0, 73.0, 0.85


@dataclass(frozen=True)
class Look:
    """How somebody wants to see the table."""

    pips: bool = True
    """Whether what each card can still be stands below it."""
    owners: frozenset[int] = frozenset()
    """Players whose hands are shown as they see them themselves: face down."""
    notes: Mapping[int, str] = field(default_factory=dict)
    """What was noted of cards, by their place in the order of dealing and drawing."""
    truth: bool = False
    """Whether all hands lie open, also that of the player who looks: the view is that of `open_view`."""


def open_view(views: Sequence[Record], player: int) -> Record:
    """The view of a player who sees the own hand too, as the next player does; when the game is over."""
    found: Record = views[player].copy()
    found.hands[player] = views[(player + 1) % len(views)].hands[player]
    return found


def draw_table(view: Record, look: Look | None = None) -> Picture:
    """The table from the seat of the player who looks; one's own cards lie face down."""
    n_players, player, look = int(view.players), int(view.player), look or Look()
    seats = [(player + turn) % n_players for turn in range(1, n_players)] + [player]
    title = describe(view)
    if look.truth:
        seats, title = list(range(n_players)), f"All hands lie open. {title}"
    picture = Picture(480, TOP + ROW * n_players + 6, title)
    past = history_of(view)
    shown = past.deeds[-1:] if look.truth else past.since(player) or past.deeds[-1:]
    marks = past.landmarks()
    _draw_piles(picture, view, marks)
    _draw_counters(picture, view, sum(deed.is_hint for deed in past.deeds), look.pips, marks.strike)
    for place, seat in enumerate(seats):
        hints = [deed for deed in shown if deed.is_hint and deed.target == seat]
        _draw_hand(picture, view, seat, TOP + ROW * place, past, hints, look)
    return picture


def is_critical(view: Record, number: int) -> bool:
    """Whether a card is the last of its kind, and still to be played."""
    left = n_copies(int(RANK_OF[number]), int(view.ranks)) - int(view.discarded[number])
    return left == 1 and view.piles[SUIT_OF[number]] < RANK_OF[number]


def _before(spot: str, what: str, number: int | None) -> Jump | None:
    """Back to the position before a move, if there was one."""
    return Jump(spot, f"{what}: back to before move {number}", number - 1) if number else None


def _draw_piles(picture: Picture, view: Record, marks: Landmarks) -> None:
    for suit in range(int(view.suits)):
        x, name, rank = 20 + 62 * suit, SUITS[suit], int(view.piles[suit])
        face = f"{name[0].upper()}{rank}" if rank else name[0].upper()
        top = card(x, 14, face, kind=KIND_OF[name], colour=COLOUR_OF[name], size=0.9, faded=rank == 0)
        picture.add(replace(top, jump=_before(f"pile-{suit}", f"{name} pile, {face}", marks.piles.get(suit))))
        lost = [
            RANK_OF[number]
            for number in range(1, N_CARDS + 1)
            if SUIT_OF[number] == suit
            for _ in range(view.discarded[number])
        ]
        words = " ".join(map(str, lost))
        below = replace(label(x + 26, 104, words, 11, "middle", MUTED), box=(x - 1.0, 93.0, 54.0, 15.0))
        picture.add(replace(below, jump=_before(f"lost-{suit}", f"lost of {name}, {words}", marks.lost.get(suit))))
    picture.add(label(20, 122, "Below the piles: what was discarded.", 11, colour=MUTED))
    picture.add(pile(352, 18, int(view.n_deck), size=0.8))
    if view.turns_left and view.mover != OVER:
        turns = f"{view.turns_left} turn{'s' if view.turns_left > 1 else ''} left"
        picture.add(label(362, 104, turns, 12, "middle", GOLD, bold=True))


def _draw_counters(picture: Picture, view: Record, n_hints: int, pips: bool, strike: int) -> None:
    picture.add(chip(434, 36, str(view.n_tokens), BLUE, radius=20), label(434, 72, "tokens", 12, "middle", MUTED))
    lives = chip(434, 98, str(view.n_lives), VERMILION, radius=20)
    picture.add(replace(lives, jump=_before("lives", f"lives, {view.n_lives}, the last strike", strike)))
    picture.add(label(434, 134, "lives", 12, "middle", MUTED))
    most = int(view.suits) * int(view.ranks)
    words = [f"{view.n_points} of {most} points", f"pace {pace(view)}"]
    words += [f"{int(view.n_points) / n_hints:.2f} points a hint"] if n_hints else []
    picture.add(label(20, 152, " · ".join(words) if view.mover != OVER else f"Over: {' · '.join(words)}", 15, bold=True))
    if pips:
        legend = "Below a card: what it can still be for its owner; struck out: all copies are seen."
        picture.add(label(20, 172, legend, 11, colour=MUTED))


def pace(view: Record) -> int:
    """How many cards may still be discarded if all points are to be made: score + deck + players - maximum."""
    return int(view.n_points) + int(view.n_deck) + int(view.players) - int(view.suits) * int(view.ranks)


# --- hands ----------------------------------------------------------------------------------------------------------------


def _draw_hand(picture: Picture, view: Record, seat: int, top: float, past: History, hints: list[Deed], look: Look) -> None:
    picture.add(_in_hand(panel(10, top, 460, ROW - 8, lit=view.mover == seat), seat))
    picture.add(label(20, top + 24, "you" if seat == view.player and not look.truth else f"player {seat}", 14, bold=True))
    for line, hint in enumerate(hints[-4:]):
        words = f"{'hint: ' if line == 0 else ''}{feature_name(int(FEATURE_OF[hint.action]))}"
        picture.add(label(20, top + 46 + 16 * line, words, 12, colour=GOLD))
    unseen = _unseen(view, seat, look.truth)
    for slot, number in enumerate(past.hands[seat]):
        x, y = LEFT + STEP * slot, top + 8
        note = look.notes.get(number, "")
        shape = _card_shape(view, seat, slot, x, y, look, note)
        picture.add(replace(_in_hand(shape, seat, number), jump=_to_the_draw(past, number, shape.label or f"card {slot + 1}")))
        if note:
            picture.add(strip(x, y, note, SIZE))
        pointing = [hint for hint in hints if number in hint.cards]
        for at, hint in enumerate(pointing):
            down, new = y + 48 + 18 * (at - (len(pointing) - 1) / 2), number in hint.new
            picture.add(arrow(x - 17, down, x + 8, down, GOLD if new else PAPER, hollow=not new))
        if look.pips:
            _draw_pips(picture, int(view.open[seat, slot]), view, unseen, x + 25, y + 84)


def _to_the_draw(past: History, number: int, told: str) -> Jump:
    """Back to where a card came into the hand, and to its first hint."""
    drawn, hint = past.drawn[number], past.first_hint(number)
    words = f"{told}: back to {f'move {drawn}, when it was drawn' if drawn else 'the deal'}"
    words += f"; with shift, to its first hint, move {hint.number}" if hint else ""
    return Jump(f"card-{number}", words, drawn, hint.number if hint else None)


def _in_hand(shape: Shape, seat: int, number: int | None = None) -> Shape:
    """Marked with whose hand it is in, and which card it is: its place in the order of drawing, never its face."""
    which = f' data-card="{number}"' if number is not None else ""
    return replace(shape, body=f'<g data-hand="{seat}"{which}>{shape.body}</g>')


def _card_shape(view: Record, seat: int, slot: int, x: float, y: float, look: Look, note: str) -> Shape:
    number, raised, own = int(view.hands[seat, slot]), bool(view.told[seat, slot]), seat == view.player
    noted = f", noted: {note}" if note else ""
    name, rank, aim = SUITS[SUIT_OF[number]], int(RANK_OF[number]), (seat - int(view.player)) % int(view.players)
    first = HINT + N_FEATURES * (aim - 1)
    actions = [PLAY + slot, DISCARD + slot] if own else [first + rank - 1, first + FIRST_SUIT + int(SUIT_OF[number])]
    if number == NO_CARD or (own and not look.truth):
        return card(x, y, back=True, raised=raised, size=SIZE, label=f"your card {slot + 1}{noted}", actions=actions)
    if seat in look.owners:
        return card(x, y, back=True, raised=raised, size=SIZE)
    return card(
        x,
        y,
        f"{name[0].upper()}{rank}",
        kind=KIND_OF[name],
        colour=COLOUR_OF[name],
        mark="!" if is_critical(view, number) else "",
        raised=raised,
        size=SIZE,
        label=f"player {seat}'s {name} {rank}{noted}",
        actions=actions,
    )


# --- what a card can still be ---------------------------------------------------------------------------------------------


def _unseen(view: Record, seat: int, truth: bool) -> list[int]:
    """Of each card, the copies that the owner of a hand does not see, as far as who looks can tell: their own hand is
    not seen by the owner, and that of who looks not by who looks, unless all lie open.
    """
    found = [0] * (N_CARDS + 1)
    for number in range(1, N_CARDS + 1):
        suit, rank = int(SUIT_OF[number]), int(RANK_OF[number])
        there = int(COPIES_OF[int(view.ranks), number]) if suit < view.suits else 0
        found[number] = there - int(view.discarded[number]) - (1 if rank <= view.piles[suit] else 0)
    for other in range(min(int(view.players), MAX_PLAYERS)):
        if other != seat and (truth or other != view.player):
            for held in view.hands[other].tolist():
                found[held] -= 1
    return found


def _draw_pips(picture: Picture, open_: int, view: Record, unseen: list[int], x: float, y: float) -> None:
    """What hints leave possible, "not this" included; struck out is what no card that is left can be."""
    left = 0
    for number in range(1, N_CARDS + 1):
        features = int(FEATURES_OF[number])
        left |= features if open_ & features == features and unseen[number] > 0 else 0
    for names, first in (
        ([SUITS[suit][0].upper() for suit in range(int(view.suits))], FIRST_SUIT),
        ([str(rank + 1) for rank in range(int(view.ranks))], 0),
    ):
        text = "".join(name if open_ >> first + at & 1 else "·" for at, name in enumerate(names))
        struck = [at for at, name in enumerate(text) if name != "·" and not left >> first + at & 1]
        picture.add(letters(x, y + (1 if first else 15), text, struck))
