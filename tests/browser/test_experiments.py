"""Leagues, solutions, papers and sliders in a real browser: at both widths, by keyboard, with axe-core."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from conftest import Server, check_access

NewPage = Callable[..., Any]
BOTH = pytest.mark.parametrize(("width", "scheme"), [("narrow", "dark"), ("wide", "light")])


def tab_to(page: Any, selector: str) -> None:
    """Press the tab key until something has the focus: it can be reached without a mouse."""
    for _ in range(200):  # more than there are: a page that changes may begin anew
        if page.evaluate("selector => document.activeElement?.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"the tab key never comes to {selector}")


@BOTH
def test_a_league_fills_its_table_by_itself(server: Server, new_page: NewPage, width: str, scheme: str) -> None:
    page = new_page(width, color_scheme=scheme, reduced_motion="reduce")
    page.goto(server.base)
    tab_to(page, "nav a[href='/league']")
    page.keyboard.press("Enter")
    page.wait_for_url("**/league")
    page.select_option("[name=game]", "kuhn")
    page.click("text=Choose")
    page.wait_for_url("**/league?game=kuhn")
    check_access(page, f"leagues, {width}")
    tab_to(page, "input[value=mcts]")
    page.keyboard.press("Space")  # plain Python has no time for it
    page.click("summary")
    page.fill("[name=games]", "400")
    tab_to(page, "form[method=post] button.primary")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=League, done", timeout=300_000)  # without loading the page again
    assert page.locator(".cross td[class*=heat-]").count() == 2
    check_access(page, f"league, {width}")


@BOTH
def test_solving_and_the_family_of_equilibria(server: Server, new_page: NewPage, width: str, scheme: str) -> None:
    page = new_page(width, color_scheme=scheme, reduced_motion="reduce")
    page.goto(f"{server.base}/solve")
    check_access(page, f"solutions, {width}")
    page.click("summary")
    page.fill("[name=iterations]", "60")
    tab_to(page, "form[method=post] button.primary")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Solve, done", timeout=300_000)
    page.wait_for_selector("svg.bar")
    assert page.locator(".interval polyline").count() == 1 and page.locator("svg.bar").count() == 12
    check_access(page, f"solution, {width}")
    page.click("text=the whole family of equilibria")
    page.wait_for_url("**/solve/kuhn")  # and for its scripts
    before = page.inner_text("#family .verdict")
    tab_to(page, "#king")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("before => document.querySelector('#family .verdict').innerText !== before", arg=before)
    assert "0.55" in page.inner_text("#family .verdict") and page.locator("svg.bar").count() == 12
    check_access(page, f"Kuhn, {width}")


@BOTH
def test_papers_are_within_reach(server: Server, new_page: NewPage, width: str, scheme: str) -> None:
    page = new_page(width, color_scheme=scheme, reduced_motion="reduce")
    page.goto(f"{server.base}/papers")
    check_access(page, f"papers, {width}")
    tab_to(page, "button[value=quick]")
    page.keyboard.press("Enter")
    page.wait_for_selector("button[value=stop]")
    check_access(page, f"paper, {width}")
    tab_to(page, "button[value=stop]")
    # when the page changes by itself, the button keeps the focus
    page.evaluate("const run = document.getElementById('run'); run.classList.add('seen'); htmx.trigger(run, 'look')")
    page.wait_for_selector("#run:not(.seen)")
    page.wait_for_function("() => document.activeElement?.value === 'stop'")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Paper, stopped")


@BOTH
def test_a_slider_sets_a_parameter(server: Server, new_page: NewPage, width: str, scheme: str) -> None:
    page = new_page(width, color_scheme=scheme, reduced_motion="reduce")
    page.goto(f"{server.base}/games/rrrats")
    row = page.locator("tr", has=page.locator("#hold-at"))
    row.locator("summary").click()
    check_access(page, f"sliders, {width}")
    slider = row.locator(".slider input[type=range]").first
    slider.focus()
    for _ in range(40):
        page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    assert row.locator("#hold-at").input_value() == slider.input_value() == "2"
    row.locator("#hold-at").fill("1")
    assert slider.input_value() == "1"
    # plain Python would take its time: what is asked for is seen here, what comes back in tests/web
    page.route("**/measure?*", lambda route: route.fulfill(body=f"<b>asked: {'parameter_at=1' in route.request.url}</b>"))
    row.locator("text=How it fares").click()
    page.wait_for_selector("text=asked: True")
    row.locator("text=Play it now").click()
    page.wait_for_selector(".moves")
    assert "hold(at=1)" in page.content()
