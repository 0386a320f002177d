"""What if? From any move of a finished game on, every seat is played by who looks; agents say what they would do, and why.

A page is made from its address alone: the move up to which the game is kept, and the choices since then. Nothing is stored, so
going back is undoing, and every position has a link.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, Response

from facedown.agents.generic.human import HUMAN
from facedown.arena.transcript import Transcript
from facedown.arena.what_if import WhatIf
from facedown.errors import AgentError, UsageError
from facedown.games.text import action_names
from facedown.native.jit import prepare_thread
from facedown.web.games import playing
from facedown.web.hanabi_table import is_hanabi, picture, truth
from facedown.web.lab import Lab
from facedown.web.pages import html
from facedown.web.review import TRUTH
from facedown.web.seat_page import choices
from facedown.web.seats import Link, table_at
from facedown.web.tables import WORKING, Table

router = APIRouter()
MOVER = "mover"
At = Annotated[int, Query(ge=0, le=10**6, description="how many moves of the game are kept")]
Moves = Annotated[
    str, Query(pattern=r"^([0-9]{1,6}(\.[0-9]{1,6})*)?$", max_length=3_000, description="what was chosen since then: 3.0.17")
]
More = Annotated[int | None, Query(ge=0, le=10**6, description="one more choice")]
Eyes = Annotated[str, Query(pattern=r"^(seat-[0-7]|truth|mover)$", description="seat-0, seat-1, ..., truth, or who is to move")]
Asked = Annotated[str, Query(max_length=200, description="an agent")]


class _Line:
    """What an address says: where the game was left, what was chosen since then, through whose eyes, whom to ask besides."""

    def __init__(self, link: str, at: int, chosen: list[int], lens: str, agent: str):
        self.link, self.at, self.chosen, self.lens, self.agent = link, at, chosen, lens, agent

    @property
    def moves(self) -> str:
        """The choices as an address has them."""
        return ".".join(map(str, self.chosen))

    def address(self, count: int | None = None, page: str = "what-if", **other: str) -> str:
        """After this many of the choices, or all; with other eyes or another agent, or another page of the same."""
        moves = ".".join(map(str, self.chosen[:count]))
        fields = {"at": str(self.at), "moves": moves, "lens": self.lens, "agent": self.agent} | other
        return f"/t/{self.link}/{page}?" + urlencode({name: value for name, value in fields.items() if value})


@router.get("/t/{link}/what-if", response_class=HTMLResponse)
def what_if(
    request: Request, link: Link, at: At, moves: Moves = "", more: More = None, lens: Eyes = MOVER, agent: Asked = ""
) -> Response:
    """A position that never was: the board, all moves of whoever is to move, and who can be asked about it."""
    prepare_thread()
    table, seat = table_at(request, link)
    past = table.past()  # only when it is over
    if lens not in {MOVER, TRUTH} and int(lens[-1]) >= table.game.n_players:
        raise UsageError(f"{lens}: {table.game.title} has {table.game.n_players} seats here")
    chosen = [*_numbers(moves), *([] if more is None else [more])]
    line, asked = _Line(link, at, chosen, lens, agent), _asked(request.app.state.lab, table, agent)
    looking = None if table.is_imported else seat
    with WORKING:
        found = WhatIf(past, at, chosen)
        board = _board(table, seat, found, lens)
    return html(
        "what_if.html",
        game=table.game,
        line=line,
        link=link,
        lenses=_lenses(table, line, looking),
        moves_made=_made(table, found, line, looking),
        asked=asked,
        agents=[one.name for one in playing(table.game)],
        **board,
        **_told(table, past, found, line, looking),
    )


@router.get("/t/{link}/what-if/opinion", response_class=HTMLResponse)
def opinion(
    request: Request, link: Link, at: At, agent: Asked, moves: Moves = "", lens: Eyes = MOVER, besides: Asked = ""
) -> Response:
    """What an agent would do there, and why: it has heard all moves, and is asked in this position only.

    besides  whom the page asks besides the agents of the table: the link that plays the move asks there again
    """
    prepare_thread()
    table, _ = table_at(request, link)
    past = table.past()
    chosen = _numbers(moves)
    named = request.app.state.lab.agent(table.game, agent)
    if named == HUMAN:
        raise UsageError("people are not asked here: choose an agent")
    with WORKING:
        found = WhatIf(past, at, chosen, named)
        try:
            action, reason = found.opinion()
        except AgentError as problem:  # theirs, and no reason to tear the page
            return html("opinion.html", agent=named, problem=str(problem))
        name = found.position.action_name(action)
    play = _Line(link, at, [*chosen, action], lens, besides).address()
    return html("opinion.html", agent=named, problem="", name=name, reason=reason, play=play)


def _numbers(moves: str) -> list[int]:
    return [int(word) for word in moves.split(".") if word]


def _asked(lab: Lab, table: Table, other: str) -> list[str]:
    """Who is asked: the agents of the table, or somebody sensible where there were none, and another one."""
    there = [agent for agent in table.seats if agent != HUMAN] or [lab.partner(table.game)]
    wanted = [lab.agent(table.game, other)] if other else []
    if HUMAN in wanted:
        raise UsageError("people are not asked here: choose an agent")
    return list(dict.fromkeys([*wanted, *there]))


def _board(table: Table, seat: int, found: WhatIf, lens: str) -> dict[str, Any]:
    """The position through somebody's eyes, or everybody's, and the moves of who is to move."""
    position, everybody = found.position, range(table.game.n_players)
    mover = None if position.over else position.turn()
    eyes = (seat if mover is None else mover) if lens == MOVER else int(lens[-1]) if lens != TRUTH else None
    legal = {} if mover is None else action_names(table.game, position.view(mover), position.legal())
    drawn = truth(table, seat, position, player=mover) if eyes is None else picture(table, seat, position.view(eyes))
    # what a shape stands for, it does for who is to move
    clickable = legal if eyes == mover or (eyes is None and is_hanabi(table.game)) else {}
    svg = drawn.svg(list(clickable), clickable) if drawn else ""
    words = [position.describe(player) for player in (everybody if eyes is None else [eyes])]
    return {"board": svg, "words": words, "choices": choices(legal), "truthful": eyes is None}


def _lenses(table: Table, line: _Line, looking: int | None) -> list[tuple[str, str, str]]:
    names = [(f"seat-{player}", table.who(player, looking)) for player in range(table.game.n_players)]
    return [(name, words, line.address(lens=name)) for name, words in ((MOVER, "Who is to move"), *names, (TRUTH, "Truth"))]


def _made(table: Table, found: WhatIf, line: _Line, looking: int | None) -> list[tuple[str, str]]:
    """What was done since the game was left, a line for each choice with the moves that followed from it, and its address."""
    told = [f"{table.who(move.player, looking)}: {move.name}" for move in found.moves]
    starts = [0, *found.lengths]
    return [
        ("; ".join(told[start:end]), line.address(count)) for count, (start, end) in enumerate(pairwise(starts)) if end > start
    ]


def _told(table: Table, past: Transcript, found: WhatIf, line: _Line, looking: int | None) -> dict[str, Any]:
    """Who is to move or how it ended; what was done here in the game, and what came of it there."""
    position = found.position
    if position.over:
        status = f"The game would be over: {_points(position.scores().tolist())}."
    else:
        status = f"{table.who(position.turn(), looking)} is to move."
    follows = past.moves[line.at] if not found.moves and line.at < len(past.moves) else None
    return {
        "status": status,
        "in_the_game": f"{table.who(follows.player, looking)}: {follows.name}" if follows else "",
        "came_of_it": _points(list(past.scores)) if past.scores else "",
    }


def _points(scores: list[float]) -> str:
    """Scores in words; one for all where all are alike."""
    return f"{scores[0]:g}" if len(set(scores)) == 1 else " : ".join(f"{score:g}" for score in scores)
