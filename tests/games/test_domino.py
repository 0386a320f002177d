"""Domino: plays and pay of games laid out by hand; trees counted and valued by the slow twin; words and options."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import facedown as fd
from facedown.errors import UsageError
from facedown.games.domino.beliefs import next_path, replay
from facedown.games.position import Position
from facedown.games.stepper import Draw, Stepper
from facedown.games.text import read_action
from facedown.native.jit import COMPILED
from facedown.trees.explore import Exploration, Node, explore
from naive.domino import BOX, Domino
from naive.domino_counts import count_nodes
from naive.draws import Branching, Draws, outcomes
from naive.twin import OVER

N_GAMES = 200_000 if COMPILED else 1_000
STANDARD_ERRORS = 4  # false alarms: 6 in 100,000 for each figure


def tile(name: str) -> int:
    """The number of a tile, by its halves."""
    return next(one.number for one in BOX if name == f"{one.low}-{one.high}")


class Table:
    """A game in which the tiles that chance gives are named."""

    def __init__(self, spec: str, *hands: str, first: str = ""):
        self.position = Position(fd.game(spec))
        self.stock = list(range(self.position.game.values["tiles"]))
        dealt = [self.take(hand) for hand in hands]
        self.position.start([one for draws in (*dealt, self.take(first)) for one in draws])

    def take(self, names: str) -> list[Draw]:
        """The draw that gives these tiles."""
        wanted = tuple(sorted(tile(name) for name in names.split()))
        ways = list(combinations(self.stock, len(wanted)))
        self.stock = [one for one in self.stock if one not in wanted]
        return [(ways.index(wanted), len(ways))] if len(ways) > 1 else []

    def play(self, words: str, draws: str = "") -> None:
        """Lay a tile; then this one is drawn."""
        position = self.position
        action = read_action(position.game, position.view(position.turn()), position.legal(), words)
        position.step(action, self.take(draws))

    def names(self) -> list[str]:
        return [self.position.action_name(action) for action in self.position.legal()]

    def scores(self) -> list[float]:
        assert self.position.over
        return list(self.position.scores().tolist())


# --- laying tiles ---------------------------------------------------------------------------------------------------------


def test_the_first_player_starts_with_any_tile() -> None:
    table = Table("domino", "0-0 1-2 3-3", "0-1 1-1 2-2")
    assert table.position.turn() == 0
    assert table.position.legal() == [2 * tile("0-0"), 2 * tile("1-2"), 2 * tile("3-3")]
    assert table.names() == ["play 0-0", "play 1-2", "play 3-3"]


def test_a_tile_goes_where_it_fits() -> None:
    table = Table("domino", "0-1 2-2 3-3", "1-2 0-3 2-3")
    table.play("0-1", draws="0-2")
    assert table.names() == ["play 1-2 right", "play 0-3 left"]
    table.play("1-2", draws="1-3")
    assert table.names() == ["play 0-2 left", "play 0-2 right", "play 2-2 right"]  # 3-3 fits nowhere
    table.play("0-2 left", draws="0-0")
    view = table.position.view(1)
    assert (int(view.left), int(view.right)) == (2, 2)
    assert table.names() == ["play 2-3"]  # both ends show 2: one of them is enough
    assert "The line: 2-0 0-1 1-2." in table.position.describe(1)


def test_tiles_are_drawn_after_the_own_play_while_the_stock_lasts() -> None:
    table = Table("domino(tiles=6,hand=2)", "0-1 1-1", "1-2 0-0")
    table.play("0-1", draws="2-2")
    assert table.position.view(0).drawn.tolist() == [tile("2-2"), -1, -1]
    assert table.position.view(1).n_held.tolist() == [2, 2, 0, 0]
    table.play("1-2")  # the last tile of the stock: nothing to choose
    assert table.position.view(1).drawn.tolist() == [tile("0-2"), -1, -1]
    assert int(table.position.view(0).n_stock) == 0
    table.play("2-2")
    assert table.position.view(1).n_held.tolist() == [1, 2, 0, 0]


def test_a_tile_drawn_before_the_move_can_be_played_at_once() -> None:
    hands = ("0-0 1-2 2-2", "1-3 2-3 3-3")
    table = Table("domino(drawing=before)", *hands, first="0-3")
    assert table.names() == ["play 0-0", "play 1-2", "play 2-2", "play 0-3"]
    table.play("0-0", draws="0-1")
    assert table.names() == ["play 0-1"]
    table = Table("domino(drawing=before)", *hands, first="0-3")
    table.play("0-0", draws="1-1")
    assert table.scores() == [17, -17]  # 15 pips, and 2 that were drawn in vain


# --- the end --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "paid"),
    [("", -15), ("blocked=last", 9), ("points=all", -24), ("points=all,blocked=last", 24), ("points=one", -1)],
)
def test_who_is_blocked_can_win_by_pips(options: str, paid: float) -> None:
    table = Table(f"domino({options})" if options else "domino", "0-0 3-3 2-3", "1-1 1-2 2-2")
    table.play("0-0", draws="1-3")
    assert table.scores() == [paid, -paid]


@pytest.mark.parametrize(("points", "paid"), [("own", 11), ("all", 21), ("one", 1)])
def test_equal_pips_share(points: str, paid: float) -> None:
    table = Table(f"domino(players=3,hand=2,points={points})", "0-0 1-1", "2-3 3-3", "0-2 0-3")
    table.play("0-0", draws="1-2")
    assert table.scores() == [paid / 2, -paid, paid / 2]


def test_nobody_pays_when_all_are_equal() -> None:
    table = Table("domino", "0-0 1-3 2-3", "1-1 2-2 3-3")
    table.play("0-0", draws="1-2")
    assert table.scores() == [0, 0]


@pytest.mark.parametrize(("points", "paid"), [("own", 0), ("all", 0), ("one", 1)])
def test_who_has_laid_all_tiles_wins_alone(points: str, paid: float) -> None:
    """Also against 0-0, which has no pips either."""
    table = Table(f"domino(tiles=4,hand=2,points={points})", "0-1 0-2", "0-0 1-1")
    table.play("0-1")
    table.play("1-1")
    table.play("0-2")
    assert table.position.view(1).n_held.tolist() == [0, 1, 0, 0]
    assert table.scores() == [paid, -paid]


def test_every_loser_pays() -> None:
    hands = ("0-0 2-2", "1-3 3-3", "1-1 1-2", "2-3 0-3")
    for points, scores in (("own", [-6, -10, 24, -8]), ("all", [-29, -29, 87, -29]), ("one", [-1, -1, 3, -1])):
        table = Table(f"domino(players=4,hand=2,points={points})", *hands)
        table.play("0-0", draws="0-2")
        assert table.scores() == scores


# --- the whole tree, by the twin -------------------------------------------------------------------------------------------


class Counted:
    """The tree of a game, from all plays of the twin; nodes are told apart by all draws and actions before them."""

    def __init__(self, spec: str):
        options = fd.game(spec).values
        self.chance: set[tuple[int, ...]] = set()
        self.decisions: set[tuple[int, ...]] = set()
        self.information_sets: list[set[str]] = [set() for _ in range(options["players"])]
        self.n_ends = 0
        self.values = [Fraction(0)] * options["players"]
        self.scores: set[float] = set()
        for probability, scores in outcomes(lambda draws: self.play(draws, options)):
            self.n_ends += 1
            self.scores |= set(scores)
            self.values = [value + probability * Fraction(score) for value, score in zip(self.values, scores, strict=True)]

    def play(self, draws: Draws, options: Any) -> list[float]:
        assert isinstance(draws, Branching)
        twin = Domino(Noting(draws, self.chance), **options)
        while twin.mover() != OVER:
            self.decisions.add(tuple(draws.answers[: draws.n_asked]))
            self.information_sets[twin.mover()].add(str(twin.view(twin.mover())))
            legal = twin.legal()
            twin.step(legal[draws.draw(len(legal))])
        return twin.scores()


class Noting:
    """Hands on the questions of the rules, and notes where they were asked."""

    def __init__(self, draws: Branching, asked: set[tuple[int, ...]]):
        self.draws, self.asked = draws, asked

    def draw(self, n: int) -> int:
        self.asked.add(tuple(self.draws.answers[: self.draws.n_asked]))
        return self.draws.draw(n)

    def draw_from(self, counts: list[int]) -> int:
        raise AssertionError("all draws of domino are even")


WALKED = ["domino(tiles=4,hand=2)", "domino(tiles=6,players=3,hand=2)", "domino(tiles=6,hand=2)"]
if COMPILED:
    WALKED += ["domino(tiles=6,hand=2,drawing=before,points=all)", "domino(tiles=7,players=3,hand=2,blocked=last)"]


@lru_cache
def counted(spec: str) -> Counted:
    return Counted(spec)


@lru_cache
def walked(spec: str) -> Exploration:
    return explore(spec)


@pytest.mark.parametrize("spec", WALKED)
def test_the_tree_is_that_of_the_twin(spec: str) -> None:
    ours, theirs = walked(spec), counted(spec)
    assert (ours.chance, ours.decisions, ours.ends) == (len(theirs.chance), len(theirs.decisions), theirs.n_ends)
    assert ours.information_sets == tuple(map(len, theirs.information_sets))
    assert ours.values == tuple(theirs.values)
    assert sum(ours.values) == 0


@pytest.mark.parametrize("spec", WALKED)
def test_the_longest_game_and_the_largest_scores_are_as_declared(spec: str) -> None:
    game = fd.game(spec)
    assert walked(spec).longest == game.max_moves
    low, high = game.score_range
    assert low <= min(counted(spec).scores)
    assert max(counted(spec).scores) <= high
    if game.n_players == 2 and game.values["tiles"] > 4:  # reached, not only kept
        assert (min(counted(spec).scores), max(counted(spec).scores)) == (low, high)


def sizes_on_the_page() -> dict[str, list[str]]:
    page = (Path(__file__).parents[2] / "docs" / "games" / "domino.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(domino\(.*?\))` \| (.*) \|$", page, re.MULTILINE)
    return {spec: cells.split(" | ") for spec, cells in rows}


@pytest.mark.parametrize("spec", sizes_on_the_page())
def test_sizes_on_the_page_are_right(spec: str) -> None:
    """Also of the game with ten tiles, which is too large to be walked here."""
    options = fd.game(spec).values
    nodes = count_nodes(**{name: options[name] for name in ("tiles", "players", "hand", "drawing")})
    assert [f"{count:,}" for count in nodes] == sizes_on_the_page()[spec]


def test_four_tiles_hide_nothing() -> None:
    """The source's first test: with nothing in the stock everyone knows what the other holds."""
    found = walked("domino(tiles=4,hand=2)")
    assert sum(found.information_sets) == found.decisions == 29
    values = best_values("domino(tiles=4,hand=2)")
    assert sorted(values) == [0, 2, 2, 2, 2, 2]  # a deal each, by backward induction


def best_values(spec: str) -> list[float]:
    """What player 0 wins of each deal when both see everything and play as well as they can."""
    rules, nodes = Stepper(fd.game(spec)), list[Node]()
    explore(spec, visit=nodes.append)
    values: dict[int, float] = {}
    for node in reversed(nodes):  # what follows a node is visited after it
        below = [values[id(other)] for other in nodes if other.before is node]
        best = float(rules.scores(node.state)[0]) if node.player == OVER else (max, min)[node.player](below)
        values[id(node)] = best
    return [values[id(node)] for node in nodes if node.before is None]


def test_match_of_uniform_players_agrees_with_exact_enumeration() -> None:
    spec = "domino(tiles=6,hand=2)"
    exact = float(counted(spec).values[0])
    result = fd.match(spec, ["uniform", "uniform"], games=N_GAMES, seed=5, swap=False)
    assert result.stderr[0] > 0
    assert abs(result.mean[0] - exact) < STANDARD_ERRORS * result.stderr[0]


# --- imagining ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["domino(drawing=before)", "domino(hand=2)", "domino(players=4,hand=2)"])
def test_weights_of_all_pasts_can_be_drawn_from(spec: str) -> None:
    """Together they stay far below 2**31, the most that a draw can be made from; and there are not too many pasts."""
    position, game = Position(fd.game(spec)), fd.game(spec)
    state = game.blank()[0]
    for index in range(6 if COMPILED else 1):
        position.sample(2, index)
        position.start()
        while not position.over:
            for player in range(game.n_players if COMPILED else 1):
                view, path, total, n_replays = position.view(player), 0, 0, 0
                while path >= 0:
                    weight, n_choices = replay(view, player, path, state)
                    path = next_path(path, n_choices)
                    total, n_replays = total + int(weight), n_replays + 1
                assert 0 < total < 2**27
                assert n_replays < 10_000
            position.step(position.legal()[-1])


# --- words and options ----------------------------------------------------------------------------------------------------


def test_a_position_in_words() -> None:
    table = Table("domino", "0-1 2-2 3-3", "1-2 0-3 2-3")
    assert table.position.describe(1) == (
        "You are player 1 of 2 and hold 1-2, 0-3, 2-3. No tile is laid yet. Tiles left: player 0: 3, player 1: 3, stock: 4."
    )
    table.play("0-1", draws="0-2")
    table.play("1-2", draws="1-3")
    assert table.position.describe(0) == (
        "You are player 0 of 2 and hold 0-2, 2-2, 3-3 (drew 0-2). The line: 0-1 1-2. "
        "Played: player 0 0-1, player 1 1-2 right. Tiles left: player 0: 3, player 1: 3, stock: 2."
    )


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("play 0-2 left", "play 0-2 left"),
        ("2-0 r", "play 0-2 right"),
        ("0 2 l", "play 0-2 left"),
        ("2 2", "play 2-2 right"),
        ("PLAY 2-2", "play 2-2 right"),
        ("play 2", "play 2-2 right"),  # the beginning of one name only
        (str(2 * 3 + 1), "play 0-2 right"),  # by number
    ],
)
def test_plays_are_understood(typed: str, name: str) -> None:
    table = Table("domino", "0-1 2-2 3-3", "1-2 0-3 2-3")
    table.play("0-1", draws="0-2")
    table.play("1-2", draws="1-3")
    table.play(typed, draws="0-0")
    assert table.position.view(0).plays[2] == {"play 0-2 left": 6, "play 0-2 right": 7, "play 2-2 right": 11}[name]


@pytest.mark.parametrize("typed", ["0-2", "3-3", "2-2 left", "4-4", "pass", ""])
def test_other_plays_are_refused(typed: str) -> None:
    table = Table("domino", "0-1 2-2 3-3", "1-2 0-3 2-3")
    table.play("0-1", draws="0-2")
    table.play("1-2", draws="1-3")
    with pytest.raises(UsageError, match=r"legal: play 0-2 left \(6\), play 0-2 right \(7\), play 2-2 right \(11\)"):
        table.play(typed)


def test_options_have_the_promised_names() -> None:
    game = fd.game("domino(tiles=10,players=2,hand=3)")
    assert str(game) == "domino"
    assert (game.n_players, game.n_actions, game.max_moves, game.score_range) == (2, 20, 9, (-15.0, 15.0))
    assert [option.name for option in game.options] == ["tiles", "players", "hand", "drawing", "blocked", "points"]


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("domino(players=4)", "4 hands of 3 need 12 tiles, but there are 10"),
        ("domino(tiles=4)", "2 hands of 3 need 6 tiles, but there are 4"),
        ("domino(tiles=7,players=4,hand=2)", "4 hands of 2 need 8 tiles, but there are 7"),
        ("domino(tiles=11)", "it goes from 4 to 10"),
        ("domino(hand=4)", "it goes from 2 to 3"),
        ("domino(players=5)", "it goes from 2 to 4"),
        ("domino(points=2)", "choose one of own, all, one"),
    ],
)
def test_impossible_options_are_sentences(spec: str, sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        fd.game(spec)
