"""Can't Stop (Sid Sackson 1980): four dice, eleven columns, three runners, and when to stop; solitaire or 2 to 4 players.

Sources: the rules of the published game; Beating Can't Stop (answers to a course project, in French), which plays it alone too;
J. Glenn, H. Fang & C. Kruskal 2007 for the family of boards: n-sided dice make the sums 2 to 2n, the outermost columns have k
spaces and each neighbour towards the middle has two more. The real game is (6, 3): 3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3.

A turn: throw four dice and split them into two pairs. A sum moves the runner of its column up by one, or puts a runner a step
above the player's own marker, while one of three is free. Both sums of the split are played if possible; if only one is, that
one; if one runner is free and both sums need it, the player chooses. A double sum moves twice, or once if only one space is
left. A runner on the top stays there, and its column takes no more in this turn. If no sum of any split can be played, the
turn is lost with its progress. Otherwise throw again, or stop: runners become markers. A marker on the top wins the column,
which is closed to everybody, and the others' markers there are taken off. Who has three columns after stopping wins.

Solitaire counts turns: the score is minus their number. Where the rules are silent: to throw on is always allowed, though three
runners on tops can only lose the turn; the order in which the dice fell is not kept. The two variants are known by their names
only, so this is what they mean here: `blocking`, nobody may stop while a runner shares a space with another player's marker,
the top excepted; `extended`, a column that was won stays open to the others, who may win it too.
"""

from __future__ import annotations

from facedown.games.cant_stop.board import MAX_COLUMNS, MAX_SHORTEST, MAX_SIDES, MIN_SIDES, N_RUNNERS, lengths_of, n_columns_of
from facedown.games.cant_stop.drawing import draw_table
from facedown.games.cant_stop.rules import (
    MAX_PLAYERS,
    MAX_TURNS,
    N_ACTIONS,
    STATE,
    VIEW,
    imagine,
    legal,
    observe,
    report,
    score,
    settle,
    start,
    step,
    turn,
)
from facedown.games.cant_stop.text import RULES, action_name, describe, narrate, parse_action
from facedown.games.contract import Column, Game, Kind, Option, Options


def interests(options: Options) -> Kind:
    """Alone one wants few turns; in company somebody wins."""
    return "cooperative" if options["players"] == 1 else "constant sum"


def forbids(options: Options) -> str | None:
    """Boards on which nobody could win."""
    n_columns, wanted, players = n_columns_of(options["sides"]), options["columns"], options["players"]
    if wanted > n_columns:
        dice = f"{options['sides']}-sided dice make only {n_columns}"
        return f"{wanted} columns to win, but {dice}; set columns to {n_columns} or less"
    if not options["extended"] and players * (wanted - 1) >= n_columns:
        most = (n_columns - 1) // players + 1
        return (
            f"{players} players could win {wanted - 1} of the {n_columns} columns each, and nobody {wanted}; "
            f"set columns to {most} or less, or extended=yes"
        )
    return None


def longest(options: Options) -> int:
    """Each throw moves a runner but the last one; it is rolled, split, and at the end there is a stop."""
    spaces = sum(sorted(lengths_of(options["sides"], options["shortest"]))[-N_RUNNERS:])
    return (2 * spaces + 1) * options["max_turns"]


GAME = Game(
    name="cant_stop",
    title="Can't Stop",
    source="Sid Sackson, Parker Brothers 1980; Beating Can't Stop, questions 1 to 8",
    state=STATE,
    view=VIEW,
    start=start,
    turn=turn,
    legal=legal,
    step=step,
    score=score,
    observe=observe,
    imagine=imagine,
    report=report,
    settle=settle,
    describe=describe,
    narrate=narrate,
    action_name=action_name,
    draw=draw_table,
    parse_action=parse_action,
    columns=(
        Column("turns", "turns of all players"),
        Column("failed", "turns that were lost to a throw that could not be played"),
        Column("closed", "columns won by all players"),
        Column("closed_first", "columns won by the player who began"),
        Column("capped", "games that the cap on turns ended"),
    ),
    options=(
        Option("players", 2, "players; one plays solitaire", 1, MAX_PLAYERS),
        Option("sides", 6, "sides of a die", MIN_SIDES, MAX_SIDES),
        Option("shortest", 3, "spaces of the shortest columns; each neighbour has two more", 1, MAX_SHORTEST),
        Option("columns", 3, "columns that a player needs", 1, MAX_COLUMNS),
        Option("blocking", 0, "whether a turn cannot end on a space with another player's marker", choices=("no", "yes")),
        Option("extended", 0, "whether a column that is won stays open to the others", choices=("no", "yes")),
        Option("max_turns", 1000, "turns of all players after which the game ends undecided", 1, MAX_TURNS),
    ),
    forbids=forbids,
    players=lambda options: options["players"],
    actions=N_ACTIONS,
    longest=longest,
    kind="constant sum",
    interests=interests,
    total=1.0,
    scores=lambda options: (-float(options["max_turns"]), -1.0) if options["players"] == 1 else (0.0, 1.0),
    cost=lambda options: "turns" if options["players"] == 1 else "",
    perfect_information=True,
    perfect_recall=False,
    rules=RULES,
)
