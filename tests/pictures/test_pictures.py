"""The vocabulary writes plain SVG: well-formed, escaped, without inline styles, clickable only where it is legal."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from facedown.pictures import Picture, arrow, card, chip, chips, die, emblem, label, panel, pile, plate, stacked, tile, track
from facedown.pictures.emblems import PATHS
from facedown.pictures.palette import EMBLEMS, KINDS
from facedown.pictures.shapes import Shape

EVERYTHING = {
    "arrow": arrow(10, 10, 60, 40),
    "back": card(10, 10, back=True, raised=True),
    "card": card(10, 10, "K", kind="crown", caption="king", mark="!", faded=True),
    "chip": chip(30, 30, "12"),
    "chips": chips(10, 20, 11),
    "die": die(10, 10, 6),
    "digit": die(10, 10, 2, digit=True, faded=True),
    "label": label(60, 30, "<b> & 'words'", anchor="middle", bold=True),
    "many": chips(10, 20, 40),
    "nothing": pile(10, 20, 0, "deck"),
    "panel": panel(5, 5, 90, 60, lit=True, dashed=True),
    "pile": pile(10, 20, 7, "deck"),
    "plate": plate(60, 30, "roll", label="throw the dice", actions=[1]),
    "tile": tile(10, 10, 3, 0, upright=True),
    "track": track(10, 20, 80, 5, 2, name="points"),
}


@pytest.mark.parametrize("name", sorted(EVERYTHING))
def test_shapes_are_well_formed_and_stay_inside_their_box(name: str) -> None:
    shape = EVERYTHING[name]
    text = Picture(120, 120, "a <test>").add(shape).svg()
    ElementTree.fromstring(text)
    assert " style=" not in text and "<style" not in text and "nan" not in text
    left, top, width, height = shape.box
    assert left >= 0 and top >= 0 and width > 0 and height >= 0 and left + width <= 120


def test_words_are_escaped() -> None:
    text = Picture(9, 9, '"><script>').add(label(1, 1, "<script>alert(1)</script>")).svg()
    assert "<script" not in text and "&lt;script&gt;" in text


def test_only_legal_actions_can_be_clicked() -> None:
    picture = Picture(200, 100, "x").add(chip(20, 20, "1", actions=[1]), chip(60, 20, "2", actions=[2, 3]), chip(90, 20, "4"))
    assert "data-actions" not in picture.svg() and 'role="img"' in picture.svg()
    text = picture.svg([2, 3, 9], {2: "call & raise"})
    (group,) = re.findall(r"<g [^>]*>", text)
    assert 'data-actions="2 3"' in group and 'role="button"' in group and 'tabindex="0"' in group
    assert 'aria-label="call &amp; raise: 2 moves"' in group and 'role="group"' in text
    assert 'aria-label="action 1"' in picture.svg([1])
    plain = Picture(99, 99, "x").add(card(9, 9, "K", caption="king", label="play it", actions=[1])).svg([1])
    assert 'aria-label="play it, K king"' in plain  # what stands there is part of what it is called


def test_kinds_differ_in_shape_as_well_as_in_colour() -> None:
    assert len(set(KINDS)) == len(set(EMBLEMS)) == len(KINDS) == len(EMBLEMS)
    assert len({PATHS[name] for name in EMBLEMS}) == len(EMBLEMS)
    for name in PATHS:
        ElementTree.fromstring(f"<svg>{emblem(name, 9, 9, 8, '#000').body}</svg>")


def test_pictures_are_stacked_without_overlap() -> None:
    one, other = Picture(100, 50, "one"), Picture(80, 30, "other").add(Shape((0, 0, 1, 1), "<g/>"))
    both = stacked([one, other], gap=10)
    assert (both.width, both.height) == (100, 90) and both.title == "one; other"
    root = ElementTree.fromstring(both.svg())
    placed = [child for child in root if child.tag.endswith("svg")]
    assert [child.get("y") for child in placed] == ["0", "60"]
