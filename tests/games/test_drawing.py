"""Every built-in game has a picture: drawn in every position, from views alone, with its moves at the object."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from facedown.games.hanabi.cards import RANK_OF, SUIT_OF, SUITS
from facedown.games.hanabi.drawing import Look, draw_table, open_view
from facedown.games.position import Position
from facedown.games.registry import BUILT_IN, game
from facedown.native.jit import COMPILED
from facedown.pictures import Picture
from facedown.pictures.palette import GOLD, INK, PAPER, TABLE

COVERS = Path(__file__).parents[2] / "docs" / "covers.py"
SPECS = [
    *sorted(BUILT_IN),
    "kuhn(players=3)",
    "kuhn(players=5)",
    "leduc(ranks=5,suits_shown=no)",
    "war(last_card=yes)",
    "domino(players=4,hand=2)",
    "goofspiel(players=4,cards=5,ties=split)",
    "goofspiel(ties=carry,bids=winner)",
    "love_letter(players=4)",
    "love_letter(players=3,match=yes)",
    "hanabi(players=5,slot=freed)",
    "hanabi(players=3,suits=2,ranks=3,hand=2)",
]
N_GAMES = 6 if COMPILED else 2
MAX_MOVES = 60


def width_of(text: str) -> float:
    return float(re.findall(r'viewBox="0 0 (\S+) ', text)[0])


@pytest.mark.parametrize("spec", SPECS)
def test_every_position_is_drawn(spec: str) -> None:
    found = game(spec)
    assert found.draw is not None, "every built-in game has a picture"
    random = np.random.default_rng(7)
    for seed in range(N_GAMES):
        position = Position(found)
        position.sample(seed, 0)
        position.start()
        for _ in range(MAX_MOVES):
            for player in range(found.n_players):
                view = position.view(player)
                before, text = view.tobytes(), found.draw(view).svg()
                ElementTree.fromstring(text)
                assert view.tobytes() == before, "drawing changes nothing"
                assert " style=" not in text and "nan" not in text
            if position.over:
                break
            mover, legal = position.turn(), position.legal()
            picture = found.draw(position.view(mover))
            shown = re.findall(r'data-actions="([^"]*)"', picture.svg(legal))
            offered = {int(action) for actions in shown for action in actions.split()}
            assert offered == set(legal), "each move can be made at the object"
            for shape in picture.shapes:
                left, top, width, height = shape.box
                if shape.actions and set(shape.actions) & set(legal):
                    assert left >= 0 and top >= 0 and left + width <= picture.width and top + height <= picture.height
            position.step(int(random.choice(legal)))


@pytest.mark.parametrize("spec", SPECS)
def test_what_is_hidden_has_names_and_words(spec: str) -> None:
    found = game(spec)
    position = Position(found)
    position.sample(3, 0)
    position.start()
    if found.hidden is None:
        assert found.name in {"rrrats", "cant_stop"}, "nothing is hidden only where everything lies open"
        return
    told = found.hidden(position.state.copy(), 0)
    assert told and all(isinstance(name, str) and isinstance(value, str) and value for name, value in told.items())


def test_covers_are_up_to_date() -> None:
    done = subprocess.run([sys.executable, str(COVERS), "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


JUMP = r'class="jump"[^>]* data-spot="([a-z0-9-]+)" data-at="(\d+)"(?: data-also="(\d+)")?'

# --- Hanabi's table -------------------------------------------------------------------------------------------------------


def hanabi_position(moves: str, spec: str = "hanabi(players=3)") -> Position:
    """After these moves, by their names."""
    position = Position(game(spec))
    position.sample(2, 0)
    position.start()
    for name in filter(None, moves.split("; ")):
        position.step(next(action for action in position.legal() if position.action_name(action) == name))
    return position


def pips(picture: Picture, slot: int, seat_row: int) -> tuple[str, str]:
    """What is written below a card: suits and ranks, struck out letters in brackets."""
    x, y = 104 + 73 * slot + 25, 186 + 120 * seat_row + 8 + 84
    found = {}
    for shape in picture.shapes:
        for left, top, text in re.findall(r'<text x="([\d.]+)" y="([\d.]+)"[^>]*>(.*?)</text>', shape.body):
            if float(left) == x and float(top) in {y + 1, y + 15}:
                found[float(top)] = re.sub(r"<tspan[^>]*>(.)</tspan>", r"[\1]", text)
    return found[y + 1], found[y + 15]


def test_pips_are_what_the_owner_can_still_think() -> None:
    """Against a slow twin: a feature stands if hints leave it, and is struck out if all its cards are seen."""
    random = np.random.default_rng(3)
    n_struck = 0
    for seed in range(N_GAMES):
        position = Position(game("hanabi(players=3,suits=3,ranks=3,hand=3)"))
        position.sample(seed, 0)
        position.start()
        for _ in range(40):
            if position.over:
                break
            position.step(int(random.choice(position.legal())))
            view = position.view(0)
            picture = draw_table(view)
            for row, seat in enumerate((1, 2, 0)):
                third = [other for other in range(3) if other not in {seat, 0}]
                seen = [int(card) for other in third for card in view.hands[other] if card]
                seen += [card for card in range(1, 26) for _ in range(view.discarded[card])]
                seen += [5 * suit + rank for suit in range(3) for rank in range(1, view.piles[suit] + 1)]
                for slot in range(view.n_held[seat]):
                    left = [(suit, rank) for suit in range(3) for rank in (1, 2, 3)]
                    left = [
                        one
                        for one in left
                        if view.open[seat, slot] >> one[1] - 1 & 1 and view.open[seat, slot] >> 5 + one[0] & 1
                    ]
                    copies = {1: 3, 2: 2, 3: 1}
                    left = [(suit, rank) for suit, rank in left if seen.count(5 * suit + rank) < copies[rank]]
                    for at, shown in enumerate(pips(picture, slot, row)):
                        letters = re.findall(r"\[?.\]?", shown)
                        for place, letter in enumerate(letters):
                            hinted = view.open[seat, slot] >> (5 + place if at == 0 else place) & 1
                            possible = any((one[0] if at == 0 else one[1] - 1) == place for one in left)
                            expected = ("BGR"[place] if at == 0 else str(place + 1)) if hinted else "·"
                            assert letter == (expected if possible or not hinted else f"[{expected}]")
                            n_struck += letter.startswith("[")
    assert n_struck > 0


def test_hints_are_pointed_out_until_one_has_moved() -> None:
    gold, hollow = f'fill="{GOLD}" stroke="{INK}"', f'fill="{TABLE}" stroke="{PAPER}"'
    position = hanabi_position("")
    rank = int(RANK_OF[int(position.state.hands[2, 0])])
    n_touched = sum(int(RANK_OF[int(card)]) == rank for card in position.state.hands[2])
    position = hanabi_position(f"tell player 2 rank {rank}")
    assert draw_table(position.view(1)).svg().count(gold) == n_touched
    # a repeat is thin and open, and the hint before it is still shown to player 2, who has not moved since
    position = hanabi_position(f"tell player 2 rank {rank}; tell player 2 rank {rank}")
    own = draw_table(position.view(2)).svg()
    assert own.count(gold) == n_touched and own.count(hollow) == n_touched
    assert draw_table(position.view(1)).svg().count(hollow) == n_touched, "the last move is shown to everybody"


def test_counters_critical_cards_and_owners() -> None:
    position = hanabi_position("tell player 1 rank 1")
    view = position.view(0)
    for hand in range(1, 3):
        view.hands[hand] = 5, 6, 11, 16, 21  # blue 5, and a 1 of each other suit, of which green's is the last
    view.discarded[6] = 2
    picture = draw_table(view).svg()
    assert picture.count(">!</text>") == 4
    assert f"pace {35 + 3 - 25}" in picture and "0.00 points a hint" in picture
    turned = draw_table(view, Look(owners=frozenset({1}))).svg()
    assert turned.count(">!</text>") == 2 and turned.count(">B5</text>") == 1
    noted = draw_table(view, Look(notes={3: "<i>trash, no use</i>"})).svg()
    assert "&lt;i&gt;trash…" in noted and "<title>&lt;i&gt;trash, no use&lt;/i&gt;</title>" in noted


def test_cards_piles_and_lives_lead_back_in_a_review() -> None:
    position = hanabi_position("tell player 1 rank 1; discard card 1; play card 2")
    picture = draw_table(position.view(0))
    found = {spot: (int(at), also) for spot, at, also in re.findall(JUMP, picture.svg(jumps=True))}
    assert "jump" not in picture.svg() and 'role="group"' in picture.svg(jumps=True)
    played, discarded = (int(position.state.shown[number]) for number in (2, 1))
    suit = SUIT_OF[played]
    fits = int(position.state.n_lives) == 3
    assert found[f"{'pile' if fits else 'lost'}-{suit}"] == (2, "") and (fits or found["lives"] == (2, ""))
    assert found[f"lost-{SUIT_OF[discarded]}"] == ((1, "") if fits or SUIT_OF[discarded] != suit else (2, ""))
    told = [card for card in range(5, 10) if int(RANK_OF[position_card(card)]) == 1]
    for card in (*range(0, 5), *range(6, 11), *range(12, 17)):
        if card not in {5, 11}:
            drawn = 0 if card < 15 else card - 13
            assert found[f"card-{card}"][0] == drawn
            assert found[f"card-{card}"][1] == ("1" if card in told else "")
    # what can be played is a move, and leads nowhere
    assert 'data-spot="card-0"' not in picture.svg(legal=[0], jumps=True)


def position_card(card: int) -> int:
    """The face of a card of player 1, as it was dealt."""
    return int(hanabi_position("").state.hands[1, card - 5])


def test_the_truth_is_one_table_with_all_hands_open() -> None:
    position = hanabi_position("tell player 1 rank 1; discard card 1; play card 2")
    views = [position.view(player) for player in range(3)]
    for player in range(3):
        view = open_view(views, player)
        assert view.hands.tolist() == position.state.hands.tolist()
        shown = re.findall(r">([BGRWY][1-5])</text>", "".join(s.body for s in draw_table(view, Look(truth=True)).shapes[20:]))
        held = [int(card) for hand in position.state.hands for card in hand if card]
        assert shown == [f"{SUITS[SUIT_OF[card]][0].upper()}{RANK_OF[card]}" for card in held]
        assert views[player].hands[player].tolist() == [0] * 5, "the view itself stays closed"
    turned = draw_table(open_view(views, 0), Look(truth=True, owners=frozenset({0}))).svg()
    assert "player 0's" not in turned.partition("player 0<")[2] and ">you<" not in turned
    # the things on it stand for the moves of who looks
    legal = draw_table(open_view(views, 0), Look(truth=True)).svg(legal=position.legal())
    assert legal.count('class="act"') == 15
