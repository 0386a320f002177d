"""War's orders: the equilibrium of a league that is known by hand, and the plot of a small deck."""

from __future__ import annotations

import pytest

from facedown.native.jit import COMPILED
from facedown.papers.laboratory import Laboratory, Profile
from facedown.papers.pictures import svg
from facedown.papers.racing_2023 import war_orders
from facedown.racing.league_result import Cell, LeagueResult


def made_league(means: dict[tuple[str, str], float], stderr: float = 0.0) -> LeagueResult:
    names = tuple(sorted({name for pair in means for name in pair}))
    cells = tuple(Cell(*pair, "undecided", 2, 1, mean, stderr, (0.0, 1.0)) for pair, mean in means.items())
    return LeagueResult("war", "versus", names, cells, None, "games", 0.01, 0.05, 1, 0.0, "")


def test_an_equilibrium_that_is_known_by_hand() -> None:
    """Rock, paper, scissors, where rock's win counts double: 1/4 rock, 1/2 paper, 1/4 scissors."""
    played = made_league({("paper", "rock"): 0.6, ("rock", "scissors"): 0.7, ("scissors", "paper"): 0.6})
    found = war_orders.equilibrium_of(played, 1)
    assert found.orders == ("paper", "rock", "scissors")
    assert found.shares == pytest.approx((0.5, 0.25, 0.25))
    assert found.stderr == pytest.approx((0, 0, 0), abs=1e-9)
    assert found.gains == pytest.approx((0, 0, 0), abs=1e-9)
    unsure = war_orders.equilibrium_of(
        made_league({("paper", "rock"): 0.6, ("rock", "scissors"): 0.7, ("scissors", "paper"): 0.6}, stderr=0.01), 1
    )
    assert min(unsure.stderr) > 0.005 and max(unsure.stderr) < 0.1
    assert unsure.shares == pytest.approx(found.shares)


def test_the_table_is_that_of_the_league() -> None:
    found = war_orders.equilibrium_of(made_league({("one", "other"): 0.8}), 1)
    assert found.means == ((0.5, 0.8), (pytest.approx(0.2), 0.5))
    assert found.shares == pytest.approx((1.0, 0.0))
    assert found.gains == pytest.approx((0.0, 0.3))


@pytest.mark.skipif(not COMPILED, reason="some thousand games")
def test_the_plot_is_drawn_and_tells_what_never_ends() -> None:
    laboratory = Laboratory(Profile.TINY, 1)
    drawing = war_orders.gather_orders(laboratory)
    assert "never end count as draws" in drawing.caption
    text = svg(war_orders.PLOTS[0], drawing)
    assert text.startswith("<svg ") and "Equilibrium: " in text
    endless = war_orders.endless_pairings(laboratory)
    assert len(endless) == 10
    assert all(0 <= figure.value <= 1 for figure in endless.values())
    assert endless["descending", "ascending"].value > 0
