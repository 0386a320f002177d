"""The league of Hanabi: its cells by single matches, its table, teams of two, and what is written down for the page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import facedown as fd
from facedown.arena.match import match
from facedown.papers.claims import Figure, Published, Verdict, fits, verdict_of
from facedown.papers.hanabi_2020 import beyond, league
from facedown.papers.hanabi_2020.results import PLAYERS
from facedown.papers.laboratory import Laboratory, Profile

STORED = Path(__file__).parents[2] / "docs" / "games" / "hanabi-league.json"


def figure(value: float, stderr: float = 0.01) -> Figure:
    return Figure(value, stderr, 1_000, 1, "facedown match")


def test_at_least_as_good_is_one_sided() -> None:
    published = Published.printed("22.52", stderr=0.0125)
    assert fits(published, figure(22.50), at_least=True) and fits(published, figure(22.50))
    assert fits(published, figure(22.69), at_least=True) and not fits(published, figure(22.69))
    assert not fits(published, figure(22.40), at_least=True)
    assert verdict_of(published, figure(23.0), at_least=True) is Verdict.AGREES
    assert verdict_of(published, figure(22.0), at_least=True) is Verdict.DIFFERS
    assert [claim.published.text for claim in league.CLAIMS] == ["22.52", "24.79", "24.94", "24.92"]
    assert all(claim.at_least for claim in league.CLAIMS)


@pytest.mark.parametrize("agent", ["erratic", "cheater", "distrustful"])
def test_those_who_do_not_heed_what_is_lost_need_one_match(agent: str) -> None:
    """`erratic` loses nearly all games by its lives, so a column that is not what it says would show."""
    assert agent in league.HEEDLESS
    found = match(league.game_of(2, league.KEEP), [agent], games=200, seed=6, keep=True)
    zero = match(league.game_of(2, league.ZERO), [agent], games=200, seed=6, keep=True)
    kept, lost = league.cell_of(found, league.KEEP), league.cell_of(found, league.ZERO)
    assert (kept.mean, kept.games, kept.seed, kept.repeat) == (pytest.approx(found.mean[0]), 200, 6, found.repeat)
    assert lost.mean == pytest.approx(zero.mean[0]) and lost.stderr == pytest.approx(zero.stderr[0])
    assert lost[:3] == league.cell_of(zero, league.ZERO)[:3]
    assert lost.repeat.endswith("(column zeroed)") and league.cell_of(zero, league.ZERO).repeat == zero.repeat
    assert (agent != "erratic") or lost.mean < 0.2 < kept.mean


def test_the_table_has_a_place_for_everybody() -> None:
    cell = league.Cell(24.1234, 0.0051, 0.5, 0.0123, 2_000, 1, "")
    lines = league.league_table({("information", 3, league.KEEP): cell, ("smart", 2, league.ZERO): cell}).splitlines()
    parts = [at for at, line in enumerate(lines) if line[1:].startswith(" players")]
    assert [int(lines[at][0]) for at in parts] == list(PLAYERS)
    two, three = lines[parts[0] : parts[1]], lines[parts[1] : parts[2]]
    assert [line.split()[0] for line in two[1:-1]][:5] == ["smart", "information", "hanabi.rs", "InfoBot", "SmartBot"]
    (row,) = [line for line in two if line.startswith("smart ")]
    assert " ".join(row.split()) == "smart - - 24.123 ± 0.005 50.0 % - -"
    (row,) = [line for line in three if line.startswith("information ")]
    assert " ".join(row.split()) == "information 24.123 ± 0.005 50.0 % - - 0.012 2,000"
    assert any("fireflower (publ.)" in line and "22.95" in line and "21.05" in line for line in three)
    assert not any("deltahanabi (publ.)" in line for line in two + three)  # nothing is published of these
    assert max(map(len, lines[: parts[-1]])) <= 100


@pytest.mark.compiled
def test_everybody_beside_everybody_is_what_a_league_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    agents = ("erratic", "stopped_clock", "distrustful")
    monkeypatch.setattr(league, "QUICK", agents)
    text = league.gather_cross_play(Laboratory(Profile.QUICK, 3))
    rows = [line.split() for line in text.splitlines()[1:4]]
    found = fd.league("hanabi", agents, games=beyond.CROSS_GAMES.quick, seed=3)
    assert [row[1] for row in rows] == list(agents)
    assert [row[2:] for row in rows] == [[f"{found.mean(one, other):.2f}" for other in agents] for one in agents]
    assert text.splitlines()[-1] == "facedown league hanabi erratic stopped_clock distrustful --games 100 --seed 3"


@pytest.mark.compiled
@pytest.mark.parametrize(("agent", "n_players"), [("erratic", 2), ("distrustful", 5)])
def test_what_is_written_down_comes_out_again(agent: str, n_players: int) -> None:
    rows = json.loads(STORED.read_text(encoding="utf-8"))["cells"]
    stored = {row["bomb"]: row for row in rows if (row["agent"], row["players"]) == (agent, n_players)}
    one = stored[league.KEEP]
    found = match(league.game_of(n_players, league.KEEP), [agent], one["games"], one["seed"], keep=True)
    for bomb, row in stored.items():
        cell = league.cell_of(found, bomb)
        assert (row["mean"], row["stderr"], row["perfect"]) == pytest.approx(cell[:3], rel=1e-12)
        assert row["repeat"] == cell.repeat
