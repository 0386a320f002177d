"""Every game to its end in a real browser, by clicks and by keyboard alone; people together; a server that is killed."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conftest import PATIENCE, Server, moment, ready, wait_for_change
from facedown.games.registry import BUILT_IN, game

SMALL = {"war": "war(ranks=4,suits=2)", "rrrats": "rrrats(tokens=12)", "goofspiel": "goofspiel(cards=6)"}
GAMES = [*sorted(BUILT_IN), "liars_dice"]
MOST_MOVES = 200
NewPage = Callable[..., Any]


def seats_of(spec: str, people: int = 1) -> list[str]:
    n_players = 2 if spec == "liars_dice" else game(spec).n_players
    return ["human"] * people + ["uniform"] * (n_players - people)


def play_by_clicks(page: Any, chance: random.Random) -> int:
    """At the objects where there are some, else with the buttons."""
    for n_moves in range(MOST_MOVES):
        if not page.locator(".moves").count():
            return n_moves
        before, shapes = moment(page), page.locator(".board [data-actions]")
        if shapes.count():
            shapes.nth(chance.randrange(shapes.count())).click()
            chosen = page.locator(".moves.filtered button.chosen")
            if chosen.count():
                chosen.nth(chance.randrange(chosen.count())).click()
        else:
            buttons = page.locator(".moves button")
            buttons.nth(chance.randrange(buttons.count())).click()
        wait_for_change(page, before)
    raise AssertionError("the game does not end")


def play_by_keys(page: Any, chance: random.Random) -> int:
    """With the keys that the buttons show, and every third time with Tab and Enter alone."""
    for n_moves in range(MOST_MOVES):
        buttons = page.locator(".moves button")
        if not buttons.count():
            return n_moves
        before = moment(page)
        if n_moves % 3 == 2:
            page.locator("h1").evaluate("e => { e.tabIndex = -1; e.focus(); }")
            while not page.evaluate("document.activeElement.matches('.moves button')"):
                page.keyboard.press("Tab")
            page.keyboard.press("Enter")
        else:
            keys = [key for key in (one.get_attribute("data-key") for one in buttons.all()) if key]
            page.keyboard.press(chance.choice(keys))
        wait_for_change(page, before)
    raise AssertionError("the game does not end")


@pytest.mark.parametrize("width", ["narrow", "wide"])
@pytest.mark.parametrize("play", [play_by_clicks, play_by_keys], ids=["clicks", "keys"])
@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_played_to_its_end(
    server: Server, new_page: NewPage, name: str, play: Callable[[Any, random.Random], int], width: str
) -> None:
    spec = SMALL.get(name, name)
    page = new_page(width)
    page.goto(server.lay(spec, seats_of(spec))["0"])
    ready(page)
    play(page, random.Random(name + width))
    assert "The game is over." in page.inner_text(".status") and page.locator(".ending").count() == 1
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), "nothing is wider than the screen"


def test_one_click_and_a_game_is_on_the_screen(server: Server, new_page: NewPage) -> None:
    page = new_page()
    page.goto(server.base)
    page.locator(".game", has_text="Love Letter").locator("button").click()
    page.wait_for_selector(".board svg")
    page.wait_for_selector(".moves, .ending")
    page.click("button[value=all]")
    page.wait_for_selector("button[value=all][aria-pressed=true], .ending")


def settled(pages: list[Any]) -> Any:
    """The page of the person who is to move, when all pages agree on who that is; None: all say that the game is over."""
    until = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < until:
        movers = [page for page in pages if page.locator(".moves").count()]
        if len(movers) == 1:
            return movers[0]
        if not movers and all(page.locator(".ending").count() for page in pages):
            return None
        pages[0].wait_for_timeout(20)
    raise AssertionError("the pages do not agree on who is to move")


def test_two_people_and_an_agent_at_one_table(server: Server, new_page: NewPage) -> None:
    spec = "hanabi(players=3)" if "hanabi" in BUILT_IN else "goofspiel(players=3,cards=4)"
    links = server.lay(spec, seats_of(spec, people=2))
    pages = [new_page("wide"), new_page("narrow")]
    for page, link in zip(pages, links.values(), strict=True):
        page.goto(link)
        ready(page)
    chance = random.Random(1)
    for _ in range(MOST_MOVES):
        mover = settled(pages)
        if mover is None:
            break
        other = pages[1 - pages.index(mover)]
        before, seen = moment(mover), moment(other)
        buttons = mover.locator(".moves button")
        buttons.nth(chance.randrange(buttons.count())).click()
        wait_for_change(mover, before)
        wait_for_change(other, seen)  # by itself
    assert all("The game is over." in page.inner_text(".status") for page in pages)


def test_nothing_is_lost_when_the_server_is_killed(tmp_path: Path, new_page: NewPage) -> None:
    own = Server(tmp_path)
    own.start()
    link = own.lay("goofspiel(cards=13)", ["human", "uniform"])["0"]
    page = new_page()
    page.goto(link)
    ready(page)
    log: list[str] = []
    for number in range(10):
        before = moment(page)
        page.locator(".moves button").first.click()
        wait_for_change(page, before)
        now = page.locator(".log li").all_inner_texts()
        assert now[: len(log)] == log and len(now) > len(log)
        own.kill()
        own.start()
        page.goto(link)
        page.wait_for_selector(".moves")
        log = page.locator(".log li").all_inner_texts()
        assert log == now, f"after kill {number + 1}"
    own.kill()
