"""Screenshots of the lab for the documentation, drawn by a real browser: python docs/screenshots.py [FOLDER]."""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests" / "browser"))

from browser import FLAGS, installed  # noqa: E402
from conftest import Server, moment, ready, wait_for_change  # noqa: E402

TARGET = Path(__file__).parent / "pictures" / "web"
SIZES = {"wide": (1280, 860, "light"), "narrow": (360, 740, "dark")}


def main() -> None:
    """Play a game of Love Letter and a race, and take pictures on the way."""
    from playwright.sync_api import sync_playwright

    target = Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        server.start()
        browser = playwright.chromium.launch(executable_path=installed(), args=list(FLAGS))
        try:
            for name, (width, height, scheme) in SIZES.items():
                context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
                _visit(
                    context.new_page(),
                    server,
                    lambda page, what, name=name: page.screenshot(path=target / f"{what}-{name}.png"),
                )
                context.close()
        finally:
            browser.close()
            server.kill()


def _visit(page: Any, server: Server, shoot: Any) -> None:
    page.goto(server.base)
    page.wait_for_load_state("networkidle")  # covers are loaded when they come into view
    shoot(page, "home")
    link = server.lay("love_letter", ["human", "careful"], seed=21)["0"]
    page.goto(link)
    ready(page)
    chance, n_moves = random.Random(2), 0
    while page.locator(".moves").count():
        if n_moves == 1:
            page.click("button[value=all]")
            page.wait_for_selector("table.believed")
            page.evaluate("scrollTo(0, 0)")
            shoot(page, "table")
        before, buttons = moment(page), page.locator(".moves button")
        buttons.nth(chance.randrange(buttons.count())).click()
        wait_for_change(page, before)
        n_moves += 1
    shoot(page, "end")
    page.goto(f"{link}/review")
    page.wait_for_selector(".frame svg")
    page.click("text=Work it out")
    page.wait_for_selector("text=luck gave", timeout=120_000)
    page.click(".moves-list button >> nth=2")
    shoot(page, "review")
    _what_if(page, server, shoot)
    page.goto(f"{server.base}/games/love_letter")
    shoot(page, "agents")
    page.goto(f"{server.base}/runs?game=rrrats")
    page.select_option("[name=first]", "hold")
    page.select_option("[name=second]", "uniform")
    page.click("text=Start")
    page.wait_for_selector("text=Race, done", timeout=300_000)
    shoot(page, "race")
    _experiments(page, server, shoot)


def _what_if(page: Any, server: Server, shoot: Any) -> None:
    """A game of Hanabi to its end, and another way on from its middle."""
    link = server.lay("hanabi(players=3)", ["human", "trustful", "trustful"], seed=5)["0"]
    page.goto(link)
    ready(page)
    while page.locator(".moves").count():
        before, hints = moment(page), page.locator(".moves button", has_text="tell")
        (hints if hints.count() else page.locator(".moves button", has_text="discard")).first.click()
        wait_for_change(page, before)
    page.goto(f"{link}/what-if?at=30&agent=distrustful")
    for n_moves in range(1, 4):
        page.wait_for_selector(".opinion a >> nth=1")
        page.click(".opinion a >> nth=0")
        page.wait_for_function("n => document.querySelectorAll('.log li').length === n", arg=n_moves)
    page.wait_for_selector(".opinion a >> nth=1")
    page.evaluate("scrollTo(0, 0)")
    shoot(page, "what-if")


def _experiments(page: Any, server: Server, shoot: Any) -> None:
    """A league, a solution, the equilibria of Kuhn's poker, and a paper."""
    page.goto(f"{server.base}/league?game=rrrats")
    shoot(page, "league-form")
    for box in page.locator("input[type=checkbox]").all():
        box.uncheck()
    page.fill("[name=others]", "uniform hold(at=1) hold(at=2) hold(at=4)")
    page.click("summary")
    page.fill("[name=games]", "600")
    page.fill("[name=seed]", "3")
    page.click("text=Start")
    page.wait_for_selector("text=League, done", timeout=300_000)
    shoot(page, "league")
    page.goto(f"{server.base}/solve")
    shoot(page, "solve-form")
    page.fill("[name=game]", "kuhn")
    page.click("summary")
    page.fill("[name=iterations]", "300")
    page.click("button.primary")
    page.wait_for_selector("text=Solve, done", timeout=300_000)
    shoot(page, "solve")
    page.goto(f"{server.base}/solve/kuhn?king=0.6")
    shoot(page, "kuhn")
    page.goto(f"{server.base}/games/rrrats")
    page.click("details summary >> text=Parameters >> nth=0")
    shoot(page, "sliders")
    page.goto(f"{server.base}/papers")
    shoot(page, "papers")


if __name__ == "__main__":
    main()
