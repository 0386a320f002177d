"""Hanabi's table in a real browser: a hand as its owner sees it, the log that jumps, notes by keyboard, a game from a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conftest import Server, moment, ready, wait_for_change
from facedown.arena.hanab_live import export_game
from facedown.arena.session import Session

AXE = (Path(__file__).parent / "vendor" / "axe-core-4.14.0.min.js").read_text()
NewPage = Callable[..., Any]
SPEC = "hanabi(players=3)"


@pytest.fixture
def page(server: Server, new_page: NewPage) -> Any:
    """A table after two hints, and the moves of two agents after each."""
    found = new_page()
    found.goto(server.lay(SPEC, ["human", "uniform", "uniform"], seed=5)["0"])
    ready(found)
    for name in ("tell player 1", "tell player 2"):
        before = moment(found)
        found.locator(".moves button", has_text=name).first.click()
        wait_for_change(found, before)
    return found


def test_a_hand_is_seen_as_its_owner_sees_it(page: Any) -> None:
    board = page.locator(".board")
    open_, n_shapes = board.inner_html(), page.locator(".board .act").count()
    page.locator("h1").hover()
    page.keyboard.down("0")
    page.wait_for_function("before => document.querySelector('.board').innerHTML !== before", arg=open_)
    assert page.locator("[data-hand] path").count() > 0 and page.locator(".board .act").count() == 0
    page.keyboard.up("0")
    assert board.inner_html() == open_ and page.locator(".board .act").count() == n_shapes
    page.click("[data-owner='2']")
    page.wait_for_function("before => document.querySelector('.board').innerHTML !== before", arg=open_)
    assert page.get_attribute("[data-owner='2']", "aria-pressed") == "true"
    page.click("[data-owner='2']")
    assert board.inner_html() == open_
    # a move is made as ever afterwards
    before = moment(page)
    page.keyboard.press("1")
    wait_for_change(page, before)


def test_the_log_jumps_and_points_at_cards(page: Any) -> None:
    now = page.locator(".board").inner_html()
    page.hover(".log button >> nth=0")
    assert page.locator(".pointed").count() > 0
    page.hover("h1")
    assert page.locator(".pointed").count() == 0
    page.focus(".log button >> nth=0")
    page.keyboard.press("Enter")
    page.wait_for_selector(".earlier")
    assert page.locator(".board").inner_html() != now
    page.keyboard.press("Enter")  # the way back has the focus
    page.wait_for_selector(".earlier", state="detached")
    assert page.locator(".board").inner_html() == now


def test_a_note_is_written_by_keyboard(page: Any) -> None:
    page.focus("select[name=card]")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    page.keyboard.type("r1 e0")  # letters and digits are no moves here
    page.keyboard.press("Enter")
    page.wait_for_selector(".board title", state="attached")
    assert "r1 e0" in page.inner_text("section:has(#card-notes)")
    page.evaluate(AXE)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    assert [one["id"] for one in found["violations"] if one["impact"] in {"serious", "critical"}] == []


def test_a_game_is_brought_in_from_a_file(server: Server, new_page: NewPage, tmp_path: Path) -> None:
    session = Session(SPEC, ["human"] * 3, 5)
    while session.waiting_for is not None:
        session.play(session.waiting_for, min(session.legal(session.waiting_for)))
    file = tmp_path / "game.json"
    file.write_text(export_game(session.transcript(), ["Ada", "Ben", "Cleo"]))
    page = new_page("narrow")
    page.goto(f"{server.base}/hanab.live")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.set_input_files("input[type=file]", str(file))
    page.wait_for_function("document.getElementById('live-game').value.length > 100")
    page.click("text=Look at it")
    page.wait_for_selector(".frame svg")
    assert "player 1 (Ben)" in page.inner_text("main")
    before = page.inner_html(".frame")
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("before => document.querySelector('.frame').innerHTML !== before", arg=before)
    shown = page.inner_html(".frame")
    page.keyboard.down("0")
    page.wait_for_function("before => document.querySelector('.frame').innerHTML !== before", arg=shown)
    page.keyboard.up("0")
    page.wait_for_function("before => document.querySelector('.frame').innerHTML === before", arg=shown)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
