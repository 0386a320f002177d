"""Goofspiel keeps its bids sealed: from agents that listen, on the terminal, in transcripts shown for a seat, and in checks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import facedown as fd
from facedown import check
from facedown.agents.registry import agent as find_agent
from facedown.cli.main import app
from facedown.native import field, native, record
from facedown.native.jit import COMPILED
from facedown.native.records import Record
from games.hidden_moves import SPY, hidden_moves

EARS = record(
    field("early", np.int64, 0, 13, "a bid of somebody else that was heard before its round was over, plus 1; 0 none"),
    field("n_hidden", np.int64, 0, 1000, "how often only that somebody moved was heard"),
)
AGENTS = ("uniform", "first", "match_prize", "one_up", "near_prize")


@native
def prick_up(view: Record, mover: int, action: int, params: Any, memory: Any) -> None:
    notes = memory.view(EARS)[0]
    if mover != view.player and view.mover > 0:
        notes.early = max(int(notes.early), action + 1)
        notes.n_hidden += 1 if action < 0 else 0


def with_ears(name: str, game: fd.Game) -> fd.Agent:
    """An agent that plays as usual as long as it has not heard a bid too early; from then on it plays its highest card."""
    usual = find_agent(name, game)
    act_as_usual = usual.act

    @native
    def act(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
        if memory.view(EARS)[0].early > 0:
            return int(actions[n - 1])
        return int(act_as_usual(view, actions, n, params, memory, chance))

    return fd.Agent(
        name=f"listening_{name}",
        meaning="",
        act=act,
        watch=prick_up,
        memory=EARS,
        parameters=usual.parameters,
        values=usual.values,
    )


@pytest.mark.slow
@pytest.mark.parametrize("bids", ["shown", "winner"])
def test_every_agent_plays_as_if_it_had_no_ears(bids: str) -> None:
    """Every agent against every other: with ears and without, the same games come out, bit for bit."""
    game = fd.game("goofspiel", cards=4, bids=bids)
    n_games, names = (100_000, AGENTS) if COMPILED else (40, AGENTS[:3])
    listening = {name: with_ears(name, game) for name in names}
    for one in names:
        for other in names:
            deaf = fd.match(game, [one, other], games=n_games, seed=9)
            both = fd.match(game, [listening[one], listening[other]], games=n_games, seed=9)
            assert (both.mean, both.wins, both.stderr) == (deaf.mean, deaf.wins, deaf.stderr), (one, other)


def test_ears_are_no_use_and_are_not_blocked() -> None:
    """The test above could fail: where bids are called out, ears change the games."""
    leaky = fd.Game(**{**vars(fd.game("goofspiel", cards=4)), "hears": hidden_moves(leaky=True).hears, "name": "leaky"})
    ears = with_ears("first", fd.game("goofspiel", cards=4))
    calm, startled = (fd.match(leaky, [agent, "uniform"], games=200, seed=9) for agent in ("first", ears))
    assert calm.mean != startled.mean


# --- checks ----------------------------------------------------------------------------------------------------------------


def test_a_game_that_calls_out_hidden_moves_is_caught_by_name() -> None:
    report = check.game(hidden_moves(leaky=True), games=8, agents=[SPY])
    assert report["hearing"].status == "failed"
    assert "hears what it cannot see" in report["hearing"].found
    assert "declare 'hears'" in report["hearing"].remedy
    assert check.game(hidden_moves(), games=8, agents=[SPY]).ok


# --- people ----------------------------------------------------------------------------------------------------------------


def test_nobody_sees_a_bid_on_the_terminal_before_all_are_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    game = "goofspiel(cards=4,order=descending)"
    line = ["play", game, "--seat", "1", "--against", "match_prize", "--seed", "3"]
    runner = CliRunner()
    outcome = runner.invoke(app, line, input="1\n2\n3\n")
    assert outcome.exit_code == 0, outcome.output
    # cut where the person is asked: what stands before the first answer was shown before the bids were in
    shown = outcome.output.split("Your move")
    assert "player 0 has bid" in shown[0].lower()
    assert "player 0: 4" not in shown[0].lower()
    assert "player 0: 4" in shown[1].lower()  # the first round is over
    (path,) = tmp_path.glob("*.transcript")
    _check_replays(runner, path)


def _check_replays(runner: CliRunner, path: Path) -> None:
    """From seat 1, after the first bid of seat 0: nothing tells which card it was."""
    for seat, known in ((1, False), (0, True)):
        at = runner.invoke(app, ["replay", str(path), "--at", "1", "--seat", str(seat)]).output
        assert ("Last move: Player 0 has bid.\n" in at) != known, at
        told = json.loads(runner.invoke(app, ["replay", str(path), "--at", "1", "--seat", str(seat), "--json"]).output)
        assert [move["action"] for move in told["moves"]] == ([4] if known else [None])
        assert told["scores"] is None and not told["finished"]
    whole = runner.invoke(app, ["replay", str(path), "--seat", "1"]).output
    assert "[4]" not in whole and "player 0: bid" not in whole
    first, second, *_ = [line for line in whole.splitlines() if line[:1].isdigit()]
    assert first == "1. Player 0 has bid."
    assert "player 0: 4" in second.lower()


def test_a_seat_reads_the_same_whatever_the_others_bid(tmp_path: Path) -> None:
    """Two games that look the same to seat 1 so far give the same bytes."""
    from facedown.arena.follow import Follower
    from facedown.arena.lineup import Lineup
    from facedown.arena.transcript import finish

    game, runner, outputs = fd.game("goofspiel", cards=4, order="descending"), CliRunner(), []
    for number, bidder in enumerate(("first", "match_prize")):
        follower = Follower(Lineup(game, [bidder, "uniform"], swap=False), 5, 0)
        start, moves = follower.start(), []
        moves.append(next(iter(follower.moves())))
        path = finish(follower, start, moves).write(tmp_path / f"game{number}.transcript")
        path.write_text(path.read_text().replace(f"player 0: {bidder}", "player 0: somebody"))
        outputs.append(
            [
                runner.invoke(app, ["replay", str(path), *more]).output
                for more in (["--seat", "1"], ["--seat", "1", "--json"], ["--seat", "1", "--at", "1"])
            ]
        )
    assert outputs[0] == outputs[1]
    assert all(outputs[0])
