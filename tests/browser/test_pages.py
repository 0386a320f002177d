"""Review, races and accessibility in a real browser."""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable
from typing import Any

import pytest
from test_playing import play_by_clicks

from conftest import Server, check_access, ready

MAX_STEP = 16.0
"""Milliseconds: one frame."""
NewPage = Callable[..., Any]


def finished(server: Server, page: Any, spec: str = "love_letter") -> str:
    link = server.lay(spec, ["human", "uniform"], seed=12)["0"]
    page.goto(link)
    ready(page)
    play_by_clicks(page, random.Random(3))
    return link


STEP = """async (at) => {
  const slider = document.getElementById('at'), frame = document.querySelector('.frame');
  const before = performance.now();
  slider.value = at;
  slider.dispatchEvent(new Event('input'));
  await 0; await 0; await 0;
  return [performance.now() - before, frame.innerHTML];
}"""


def test_a_review_is_scrubbed_within_a_frame(server: Server, new_page: NewPage) -> None:
    page = new_page()
    link = finished(server, page, "goofspiel(cards=8)")
    page.goto(f"{link}/review")
    page.wait_for_selector(".frame svg")
    last = int(page.get_attribute("#at", "max"))
    page.keyboard.press("ArrowLeft")
    assert page.input_value("#at") == str(last - 1)
    page.click(".moves-list button >> nth=0")
    assert page.input_value("#at") == "0" and page.locator(".moves-list li[aria-current]").count() == 1
    steps = [page.evaluate(STEP, at) for at in range(last + 1)]
    assert len({picture for _, picture in steps}) > last / 2, "each step shows its position at once"
    assert statistics.median(milliseconds for milliseconds, _ in steps) < MAX_STEP
    mine = page.inner_html(".frame")
    page.click("button[data-lens-name=truth]")
    page.wait_for_selector(".frame.truthful svg")
    assert page.inner_html(".frame") != mine
    page.click("text=Work it out")
    page.wait_for_selector("text=luck gave", timeout=300_000)
    page.click(".moves-list button >> nth=1")
    page.click("text=Try it again from here")
    page.wait_for_selector(".moves")


def test_a_race_is_watched_to_its_verdict(server: Server, new_page: NewPage) -> None:
    page = new_page("narrow")
    page.goto(f"{server.base}/runs?game=kuhn")
    page.select_option("[name=first]", "first")
    page.select_option("[name=second]", "uniform")
    page.click("summary")
    page.fill("[name=epsilon]", "0.2")
    page.click("text=Start")
    page.wait_for_selector("text=Race, done", timeout=300_000)  # without a click, and without loading the page again
    assert "is better than" in page.inner_text(".verdict") and page.locator(".interval polygon").count() == 1


@pytest.mark.parametrize("width", ["narrow", "wide"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_have_no_serious_findings_of_axe(server: Server, new_page: NewPage, width: str, scheme: str) -> None:
    page = new_page(width, color_scheme=scheme, reduced_motion="reduce")
    link = finished(server, page)
    playing = server.lay("leduc", ["human", "human"])["0"]
    letters = server.lay("love_letter", ["human", "human"])["0"]
    addresses = {"over": link, "review": f"{link}/review", "table": playing, "letters": letters, "home": server.base}
    addresses |= {"game": f"{server.base}/games/love_letter", "races": f"{server.base}/runs", "lost": f"{server.base}/nothing"}
    for name, address in addresses.items():
        page.goto(address)
        if name in {"over", "table", "letters"}:  # their stream of events never ends
            ready(page)
        else:
            page.wait_for_load_state("networkidle")
        if name == "table":
            page.click("button[value=all]")
            page.wait_for_selector("table.believed")
        check_access(page, f"{name}, {width}, {scheme}")
