"""Hanabi's table in a real browser: a hand as its owner sees it, the log that jumps, notes by keyboard, a game from a file,
and its review.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conftest import Server, check_access, moment, ready, wait_for_change
from facedown.arena.hanab_live import export_game
from facedown.arena.session import Session
from facedown.games.hanabi.cards import DISCARD, HINT, RANK_OF, SUIT_OF

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
    page.wait_for_function("before => document.querySelector('.board').innerHTML === before", arg=open_)
    assert page.locator(".board .act").count() == n_shapes
    page.click("[data-owner='2']")
    page.wait_for_function("before => document.querySelector('.board').innerHTML !== before", arg=open_)
    assert page.get_attribute("[data-owner='2']", "aria-pressed") == "true"
    page.click("[data-owner='2']")
    page.wait_for_function("before => document.querySelector('.board').innerHTML === before", arg=open_)
    # a move is made as ever afterwards
    before = moment(page)
    page.keyboard.press("1")
    wait_for_change(page, before)


def test_the_log_jumps_and_points_at_cards(page: Any) -> None:
    now = page.locator(".board").inner_html()
    page.hover(".log button >> nth=0")
    page.wait_for_selector(".pointed", state="attached")
    page.hover("h1")
    page.wait_for_selector(".pointed", state="detached")
    page.focus(".log button >> nth=0")
    page.keyboard.press("Enter")
    page.wait_for_selector(".earlier")
    assert page.locator(".board").inner_html() != now
    page.wait_for_function("() => document.activeElement?.matches('.earlier button')")  # the way back has the focus
    page.keyboard.press("Enter")
    page.wait_for_function("before => document.querySelector('.board').innerHTML === before", arg=now)


def test_a_card_leads_back_on_the_table(page: Any) -> None:
    before = moment(page)
    page.locator(".moves button", has_text="discard card 1").click()
    wait_for_change(page, before)
    now = page.locator(".board").inner_html()
    page.locator(".board .jump[data-spot^=lost]").first.click()
    page.wait_for_function("() => document.activeElement?.matches('.earlier button')")
    assert page.locator(".board").inner_html() != now
    page.locator(".board .jump[data-spot^=card]").first.focus()  # of what was then: nothing there is a move
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Earlier: the deal.")
    page.click("text=Back to now")
    page.wait_for_function("before => document.querySelector('.board').innerHTML === before", arg=now)


def test_a_note_is_written_by_keyboard(page: Any) -> None:
    page.focus("select[name=card]")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    page.keyboard.type("r1 e0")  # letters and digits are no moves here
    page.keyboard.press("Enter")
    page.wait_for_selector(".board title", state="attached")
    assert "r1 e0" in page.inner_text("section:has(#card-notes)")
    check_access(page, "notes on cards")


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
    page.wait_for_function("() => document.getElementById('live-game').value.length > 100")
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


# --- review -----------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def long_game() -> str:
    """Five players who see all cards, and make two mistakes."""
    session = Session("hanabi(players=5)", ["human"] * 5, 5)
    while (mover := session.waiting_for) is not None:
        state, legal = session._follower.position.state, list(session.legal(mover))
        held = state.hands[mover].tolist()
        fits = [slot for slot, card in enumerate(held) if card and state.piles[SUIT_OF[card]] + 1 == RANK_OF[card]]
        others = [slot for slot, card in enumerate(held) if card and slot not in fits]
        slip = session.n_moves in {21, 42} and others
        tame = [DISCARD + slot for slot in range(len(held)) if DISCARD + slot in legal and session.n_moves % 2]
        tame += [action for action in legal if action >= HINT]
        session.play(mover, others[0] if slip else fits[0] if fits else tame[0] if tame else legal[0])
    return export_game(session.transcript())


def bring(server: Server, page: Any, game: str) -> None:
    page.goto(f"{server.base}/hanab.live")
    page.fill("#live-game", game)
    page.click("text=Look at it")
    page.wait_for_url("**/review")
    page.wait_for_selector(".frame svg")


PASS = """async () => {
  const slider = document.getElementById('at'), frame = document.querySelector('.frame');
  const steps = [], shown = new Set();
  for (let at = 0; at <= Number(slider.max); at++) {
    const before = performance.now();
    slider.value = at;
    slider.dispatchEvent(new Event('input'));
    for (let turn = 0; turn < 5; turn++) await null;
    frame.getBoundingClientRect();  // with its layout
    steps.push(performance.now() - before);
    shown.add(frame.innerHTML);
  }
  return [steps, shown.size];
}"""
MAX_STEP = 16.0
"""Milliseconds: one frame."""


@pytest.mark.parametrize("lens", ["seat-0", "truth"])
def test_a_long_game_is_scrubbed_within_a_frame(server: Server, new_page: NewPage, long_game: str, lens: str) -> None:
    page = new_page()
    bring(server, page, long_game)
    before = page.inner_html(".frame")
    if lens == "truth":
        page.click("button[data-lens-name=truth]")
        page.wait_for_function("before => document.querySelector('.frame').innerHTML !== before", arg=before)
    medians = []
    for _ in range(5):  # other work may hold up a pass or two
        steps, n_shown = page.evaluate(PASS)
        assert len(steps) > 40 and n_shown == len(steps), "each step shows its position at once"
        medians.append(statistics.median(steps))
    assert min(medians) < MAX_STEP, medians


def test_cards_piles_and_lives_lead_back_by_click_and_by_key(server: Server, new_page: NewPage, long_game: str) -> None:
    page = new_page("narrow")
    bring(server, page, long_game)
    check_access(page, "review of Hanabi")
    last = int(page.get_attribute("#at", "max"))
    # a life: before the last strike; the chip keeps the focus, and leads to the strike before
    lives = page.locator(".jump[data-spot=lives]")
    wanted = lives.get_attribute("data-at")
    lives.click()
    page.wait_for_function("at => document.getElementById('at').value === at", arg=wanted)
    assert int(wanted) < last
    page.wait_for_function("() => document.activeElement?.dataset.spot === 'lives'")
    before = page.locator(".jump[data-spot=lives]").get_attribute("data-at")
    page.keyboard.press("Enter")
    page.wait_for_function("at => document.getElementById('at').value === at", arg=before)
    assert int(before) < int(wanted)
    # a pile by the space bar, a card by a click and with Shift to its first hint
    page.click(f".moves-list button[data-at='{last}']")
    pile = page.locator(".jump[data-spot^=pile]").first
    wanted = pile.get_attribute("data-at")
    pile.focus()
    page.keyboard.press("Space")
    page.wait_for_function("at => document.getElementById('at').value === at", arg=wanted)
    page.click(f".moves-list button[data-at='{last}']")
    card = page.locator(".jump[data-also]").first
    places = card.get_attribute("data-also"), card.get_attribute("data-at")
    spot = card.get_attribute("data-spot")
    card.click(modifiers=["Shift"])
    page.wait_for_function("at => document.getElementById('at').value === at", arg=places[0])
    page.wait_for_function("spot => document.activeElement?.dataset.spot === spot", arg=spot)
    page.keyboard.press("Enter")
    page.wait_for_function("at => document.getElementById('at').value === at", arg=places[1])
    assert places[0] != places[1]
