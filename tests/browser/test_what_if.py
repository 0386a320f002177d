"""What if? A finished game played on for every seat, in a real browser: by clicks, by keyboard, with axe-core."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from test_playing import play_by_clicks

from conftest import Server, check_access, ready

NewPage = Callable[..., Any]


def made(page: Any, n_lines: int) -> None:
    """So many choices were made, and the page that says so is there with its scripts."""
    page.wait_for_function("n => document.querySelectorAll('.log li').length === n", arg=n_lines)
    page.wait_for_load_state("load")


@pytest.mark.parametrize(("width", "scheme"), [("narrow", "dark"), ("wide", "light"), ("narrow", "light"), ("wide", "dark")])
def test_a_finished_game_is_played_on_for_everybody(server: Server, new_page: NewPage, width: str, scheme: str) -> None:
    page = new_page(width, color_scheme=scheme, reduced_motion="reduce")
    link = server.lay("leduc", ["human", "uniform"], seed=12)["0"]
    page.goto(link)
    ready(page)
    play_by_clicks(page, random.Random(3))
    page.goto(f"{link}/review")
    page.wait_for_selector(".frame svg")
    page.click(".moves-list button >> nth=0")
    page.wait_for_selector(".moves-list li[aria-current] >> text=The deal")
    page.click("text=What if?")
    page.wait_for_url("**/what-if?at=0*")
    page.wait_for_selector(".opinion b")  # by itself
    assert "uniform would" in page.inner_text(".opinion") and "In the game" in page.inner_text("main")
    check_access(page, f"what if, {width}, {scheme}")
    # by a key, at the picture, and as the agent would: each is a line that leads back
    start = page.url
    page.keyboard.press("2")
    made(page, 1)
    page.click(".opinion a")
    made(page, 2)
    page.locator("#undo").press("Enter")
    made(page, 1)
    page.click("text=Truth")
    page.wait_for_selector(".board.truthful svg")
    assert page.locator(".board [data-actions]").count() == 0 and page.locator(".moves button").count() > 1
    page.click("text=Who is to move")
    page.wait_for_selector(".board:not(.truthful) [data-actions]")
    page.go_back()
    page.wait_for_selector(".board.truthful svg")
    page.click("text=Begin again")
    page.wait_for_selector("text=None yet.")
    # another agent is asked besides
    page.select_option("select[name=agent]", "first")
    page.click("button:text-is('Ask')")
    page.wait_for_selector(".opinion:has-text('first would')")
    assert page.locator(".opinion").count() == 2 and page.url != start
    page.click("text=Return to the game")
    page.wait_for_url("**/review#move-0")
    page.wait_for_selector(".moves-list li[aria-current] >> text=The deal")


def test_a_game_is_played_on_to_another_end(server: Server, new_page: NewPage) -> None:
    page = new_page()
    link = server.lay("kuhn", ["human", "uniform"], seed=3)["0"]
    page.goto(link)
    ready(page)
    play_by_clicks(page, random.Random(3))
    page.goto(f"{link}/what-if?at=0")
    chance = random.Random(4)
    for number in range(10):
        if not page.locator(".moves").count():
            break
        shapes = page.locator(".board [data-actions]")
        shapes.nth(chance.randrange(shapes.count())).click()
        made(page, number + 1)
    assert "The game would be over" in page.inner_text(".status") and page.locator(".opinion").count() == 0
