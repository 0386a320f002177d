"""`fd.games()` and `fd.agents(game)`, and what `fd.train` and `fd.exploit` return: objects that print themselves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import facedown as fd
from facedown.games.registry import BUILT_IN


def test_games_are_listed() -> None:
    found = fd.games()
    assert sorted(BUILT_IN) == found.names == [game.name for game in found]
    assert len(found) == len(BUILT_IN) and "kuhn" in found and "chess" not in found
    assert isinstance(found["kuhn"], fd.Game) and found[0].name == found.names[0] and len(found[1:3]) == 2
    assert found["kuhn"] in found
    with pytest.raises(fd.UsageError, match="unknown game 'kuhm'"):
        found["kuhm"]
    told = json.loads(json.dumps(found.to_dict()))
    assert told["schema"] == "facedown.games/1" and [game["name"] for game in told["games"]] == found.names
    lines = repr(found).splitlines()
    assert lines[0].split() == ["name", "title", "players", "kind", "options"] and len(lines) == 1 + len(found)
    assert any(line.startswith("kuhn ") and "2 to 5" in line for line in lines)


def test_agents_are_listed() -> None:
    found = fd.agents("war")
    assert {"uniform", "human", "mix"} <= set(found.names)
    assert found["mix"](A=1).values["A"] == 1
    assert found.to_dict()["game"] == "war" and found.game.name == "war"
    assert "A (0, -20 to 20)" in repr(found)
    assert fd.agents(fd.game("kuhn", players=3)).to_dict()["game"] == "kuhn(players=3)"
    with pytest.raises(fd.UsageError, match="unknown agent of war 'mixx'"):
        found["mixx"]
    with pytest.raises(fd.UsageError, match="unknown game 'chess'"):
        fd.agents("chess")


def test_listings_in_a_notebook_are_tables() -> None:
    for listing in (fd.games(), fd.agents("war")):
        text = listing._repr_html_()
        assert text.startswith("<table>") and text.count("<tr>") == 1 + len(listing)
        assert text.count("<td>") == len(listing) * len(listing.columns)


def test_training_returns_a_result(tmp_path: Path) -> None:
    found = fd.train("kuhn", iterations=20, seed=3)
    assert "file" not in found.to_dict() and found.repeat.endswith("--seed 3 --save FILE")
    file = tmp_path / "kuhn.npz"
    kept = fd.train("kuhn", iterations=20, seed=3, save=file)
    told = json.loads(json.dumps(kept.to_dict()))
    assert told["schema"] == "facedown.train/1" and told["bytes"] == file.stat().st_size
    assert told["information_sets"] == kept.policy.n_sets > 0
    assert (kept.policy.actions == found.policy.actions).all()  # the same seed gives the same table
    assert f"play it as table({file})" in repr(kept) and repr(kept).startswith("kuhn: a move for each of ")
    assert "<p>" in kept._repr_html_()
    assert fd.exploit("kuhn", f"table({file})").nash_conv > 0


def test_exploiting_returns_a_result() -> None:
    found = fd.exploit("kuhn", "first")
    assert isinstance(found, fd.ExploitResult) and found.values == (1.0, 1.0)
    assert json.loads(json.dumps(found.to_dict()))["exploitability"] == 1.0
    text = found._repr_html_()
    assert text.count("<tr>") == 3 and "1.000000000" in text
    with pytest.raises(fd.FacedownError, match="more than 20 nodes"):
        fd.exploit("kuhn", "first", max_nodes=20)
