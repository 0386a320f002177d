"""Trees from the rules: the same as a slow walk finds them, whatever the room; and sentences for games that have none."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import facedown as fd
from facedown.errors import RulesError, UsageError
from facedown.games.contract import OVER, Game, Option
from facedown.native import draw, draw_from, field, native, record
from facedown.native.jit import COMPILED
from facedown.native.records import Record
from facedown.progress import Progress
from facedown.trees import grow
from facedown.trees import grow_workspace as grow_room
from facedown.trees.explore import TreeTooLargeError, Walk, explore
from facedown.trees.grow import RecallError, build_tree
from facedown.trees.tree import Tree

LIARS_DICE = f"{Path(__file__).parents[2] / 'examples' / 'liars_dice.py'}:GAME(faces=3)"
SMALL = [
    "kuhn",
    "kuhn(players=3)",
    "leduc(ranks=2,raises=1)",
    "leduc(ranks=2,raises=1,suits_shown=no)",  # outcomes and ends that merge
    "domino(tiles=4,hand=2)",
    "domino(tiles=5,hand=2)",
]
LARGER = ["kuhn(players=4)", "leduc", "domino(tiles=6,hand=2)", "domino(tiles=6,players=3,hand=2)", LIARS_DICE]
GAMES = SMALL + (LARGER if COMPILED else [])

Past = tuple[tuple[bytes, int], ...]
"""All that a player saw and did."""


class Twin:
    """The tree as the slow walk has it: nothing is numbered, all is told by what players saw and did; exact fractions."""

    def __init__(self, game: Game):
        self.decisions: list[dict[bytes, tuple[Past, tuple[int, ...]]]] = [{} for _ in range(game.n_players)]
        self.ends: dict[tuple[Past, ...], list[Fraction]] = defaultdict(lambda: [Fraction(0)] * game.n_players)
        self.walk = Walk(game)
        for node in self.walk:
            pasts: list[Past] = [()] * game.n_players
            p_chance = Fraction(1)
            for here, after in pairwise(node.path()):
                pasts[here.player] = (*pasts[here.player], (here.view, after.action))
            for here in node.path():
                p_chance *= here.outcome.probability
            if node.player != OVER:
                found = self.decisions[node.player].setdefault(node.view, (pasts[node.player], node.legal))
                assert found == (pasts[node.player], node.legal)
                continue
            row = self.ends[tuple(pasts)]
            for player, points in enumerate(self.walk.rules.scores(node.state)):
                row[player] += p_chance * points


def pasts_of(tree: Tree, player: int) -> list[Past]:
    """What each sequence of a player means; numbers lead from parents to children only."""
    treeplex = tree.treeplexes[player]
    pasts: list[Past] = [()]
    for index in range(treeplex.n_sets):
        begin, end = treeplex.first[index : index + 2].tolist()
        assert begin == len(pasts) < end
        parent = pasts[treeplex.parent[index]]
        view = treeplex.views[index].tobytes()
        pasts += [(*parent, (view, action)) for action in treeplex.actions[begin:end].tolist()]
    assert len(pasts) == treeplex.n_sequences
    return pasts


@pytest.mark.parametrize("spec", GAMES)
def test_the_tree_is_that_of_the_slow_walk(spec: str) -> None:
    game = fd.game(spec)
    tree, twin = build_tree(game), Twin(game)
    counts = (tree.n_chance, tree.n_decisions, tree.n_ends, tree.longest)
    assert counts == (twin.walk.n_chance, twin.walk.n_decisions, twin.walk.n_ends, twin.walk.longest)
    pasts = [pasts_of(tree, player) for player in range(game.n_players)]
    for player, treeplex in enumerate(tree.treeplexes):
        # in the order of the walk, too
        assert [view.tobytes() for view in treeplex.views] == list(twin.walk.information_sets[player])
        for index, view in enumerate(treeplex.views):
            own = slice(*treeplex.first[index : index + 2].tolist())
            found = pasts[player][treeplex.parent[index]], tuple(treeplex.actions[own].tolist())
            assert found == twin.decisions[player][view.tobytes()]
        assert treeplex.actions[0] == -1
        assert {array.dtype for array in (treeplex.first, treeplex.parent, treeplex.actions)} == {np.dtype(np.int32)}
    assert tree.ends.n_rows == len(twin.ends) <= tree.n_ends
    for row in range(tree.ends.n_rows):
        key = tuple(pasts[player][sequence] for player, sequence in enumerate(tree.ends.sequences[:, row]))
        exact = [float(value) for value in twin.ends[key]]
        assert tree.ends.payoffs[:, row].tolist() == pytest.approx(exact, rel=1e-14, abs=1e-16)


def uniform_values(tree: Tree) -> list[float]:
    """Expected scores when everybody plays every action equally often."""
    weights = np.ones(tree.ends.n_rows)
    for player, treeplex in enumerate(tree.treeplexes):
        reach = np.ones(treeplex.n_sequences)
        for index in range(treeplex.n_sets):
            begin, end = treeplex.first[index : index + 2]
            reach[begin:end] = reach[treeplex.parent[index]] / (end - begin)
        weights *= reach[tree.ends.sequences[player]]
    return [float(weights @ payoffs) for payoffs in tree.ends.payoffs]


@pytest.mark.parametrize("spec", GAMES)
def test_uniform_play_is_worth_what_it_is_exactly(spec: str) -> None:
    exact = explore(spec)
    assert uniform_values(build_tree(spec)) == pytest.approx([float(value) for value in exact.values], abs=1e-13)


def test_ends_are_sorted_and_merged() -> None:
    tree = build_tree("leduc(ranks=2,raises=1,suits_shown=no)")
    rows = list(map(tuple, tree.ends.sequences.T.tolist()))
    assert rows == sorted(set(rows))
    assert tree.ends.n_rows < tree.n_ends / 3  # four cards look like two ranks


def same(one: Tree, other: Tree) -> bool:
    arrays = [(one.ends.sequences, other.ends.sequences), (one.ends.payoffs, other.ends.payoffs)]
    for mine, yours in zip(one.treeplexes, other.treeplexes, strict=True):
        arrays += [(getattr(mine, name), getattr(yours, name)) for name in ("first", "parent", "actions", "views")]
    return all(a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes() for a, b in arrays)


@pytest.mark.parametrize("spec", ["domino(tiles=5,hand=2)", "leduc(ranks=2,raises=1,suits_shown=no)"])
def test_trees_are_the_same_to_the_last_bit_whatever_the_room(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    first = build_tree(spec)
    assert same(first, build_tree(spec))
    monkeypatch.setattr(grow_room, "FIRST_ROOM", 2)
    monkeypatch.setattr(grow_room, "FIRST_SLOTS", 2)
    monkeypatch.setattr(grow, "SLICE_SECONDS", 0.0)  # hundred turns at a time
    assert same(first, build_tree(spec))


# --- how large, how long ----------------------------------------------------------------------------------------------------


def test_the_limit_counts_all_nodes() -> None:
    assert build_tree("kuhn", max_nodes=58).counts.nodes == 58
    with pytest.raises(TreeTooLargeError, match=r"the tree of kuhn has more than 57 nodes \(12 random games suggest about"):
        build_tree("kuhn", max_nodes=57)
    with pytest.raises(TreeTooLargeError, match="more than 5 nodes"):  # in the middle of the deal
        build_tree("kuhn", max_nodes=5)


def test_a_hopeless_tree_is_not_walked_to_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grow, "HOPELESS_AFTER", 0.0)
    monkeypatch.setattr(grow, "FIRST_TURNS", 20)
    monkeypatch.setattr(grow, "SLICE_SECONDS", 0.0)
    with pytest.raises(
        TreeTooLargeError, match=r"the tree of war has more than 500,000,000 nodes \(a random game suggests more"
    ):
        build_tree("war")


def test_too_little_memory_is_an_error_with_an_estimate() -> None:
    words = (
        r"the tree of kuhn\(players=3\) does not fit into 39\.1 KB of memory: its first [\d,]+ nodes take [\d.]+ KB, and to go "
        r"on [\d.]+ KB are needed\. That is about [\d.]+ % of the tree \(12 random games suggest about [4-9]\d\d nodes\), so "
        r"all of it would take about [\d.]+ KB; choose options"
    )
    with pytest.raises(TreeTooLargeError, match=words):
        build_tree("kuhn(players=3)", memory=40_000)


def test_a_tree_that_cannot_be_sorted_is_too_large_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grow, "bytes_to_finish", lambda room: 9 * 2**30)
    with pytest.raises(
        TreeTooLargeError, match=r"kuhn does not fit into 8 GB of memory: to put its 58 nodes in order takes 9 GB;"
    ):
        build_tree("kuhn")


def test_a_machine_without_memory_is_no_surprise(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(room: Any, need: int) -> None:
        raise MemoryError

    monkeypatch.setattr(grow, "enlarge", refuse)
    with pytest.raises(TreeTooLargeError, match="does not fit into"):
        build_tree("kuhn(players=3)")


def test_progress_comes_between_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grow, "SLICE_SECONDS", 0.0)
    monkeypatch.setattr(grow, "FIRST_TURNS", 100)
    seen: list[Progress] = []
    tree = build_tree("kuhn(players=3)", progress=seen.append)
    told = [(now.done, now.fraction) for now in seen]
    assert len(told) > 5
    assert told == sorted(told)
    assert all(0 < n_nodes <= tree.counts.nodes and 0 <= fraction < 1 for n_nodes, fraction in told)
    # the branches of Kuhn poker are alike, so the fraction is nearly that of nodes
    assert all(abs(n_nodes / tree.counts.nodes - fraction) < 0.1 for n_nodes, fraction in told)


def test_whoever_is_told_of_progress_can_stop_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(now: Progress) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(grow, "FIRST_TURNS", 100)
    with pytest.raises(KeyboardInterrupt):
        build_tree("kuhn(players=3)", progress=stop)


def test_counts_are_told() -> None:
    tree = build_tree("kuhn")
    counts = tree.counts
    assert (counts.nodes, counts.chance, counts.decisions, counts.ends) == (58, 4, 24, 30)
    assert (counts.rows, counts.information_sets, counts.sequences, counts.longest) == (30, (6, 6), (13, 13), 3)
    assert counts.bytes == 30 * (2 * 4 + 2 * 8) + 2 * (7 * 4 + 6 * 4 + 13 * 4 + 6 * fd.game("kuhn").view.itemsize)
    assert counts.seconds > 0
    assert repr(tree).startswith(
        "kuhn: 58 nodes (4 chance, 24 decision, 30 end), 12 information sets (6 + 6), 26 sequences, 30 merged ends; "
        "0.0 MiB, built in "
    )


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ({"max_nodes": 0}, "max_nodes=0: a whole number from 1 to 2147483647 is needed"),
        ({"max_nodes": 2**31}, "max_nodes=2147483648"),
        ({"memory": 0}, "memory=0: a whole number from 1 on is needed, bytes"),
        ({"game": "khun"}, "unknown game 'khun'"),
    ],
)
def test_wrong_requests_are_sentences(request_: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        build_tree(**{"game": "kuhn"} | request_)


@pytest.mark.compiled
def test_the_ten_tile_game_begins_with_all_deals() -> None:
    # 10! / (3! 3! 4!) deals; an interruption after the first slice is enough to see them
    walker = grow._Walker(fd.game("domino"), 10**9, 2**33)
    status = walker._slice()
    while status in grow._NEEDS:
        walker._make_room(status)
        status = walker._slice()
    frame = walker.room.frames[0]
    assert int(frame.end - frame.begin) == 4200
    assert float(walker.room.p_states[:4200].sum()) == pytest.approx(1, abs=1e-12)


# --- broken games -----------------------------------------------------------------------------------------------------------

NOTHING, FORGETS, LEAKS, WANDERS, UPSIDE_DOWN, STRANGER, STUCK, GENEROUS, ENDLESS, INFINITE, SWAPS, RAISES = range(12)
FAULTS = (
    "nothing",
    "forgets",
    "leaks",
    "wanders",
    "upside_down",
    "stranger",
    "stuck",
    "generous",
    "endless",
    "infinite",
    "swaps",
    "raises",
)

STATE = record(
    field("fault", np.int8, 0, len(FAULTS) - 1, "what is wrong with the game"),
    field("card", np.int8, 0, 2, "card of each player, from decks of their own", 2),
    field("played", np.int8, -1, 2, "all moves; -1 not yet", 3),
    field("n_played", np.int8, 0, 3, "number of moves so far"),
)
VIEW = record(
    field("player", np.int8, 0, 1, "the player who looks"),
    field("card", np.int8, 0, 2, "the own card"),
    field("played", np.int8, -1, 2, "all moves; -1 not yet", 3),
    field("n_played", np.int8, 0, 3, "number of moves so far"),
)


@native
def start(state: Record, chance: Record) -> None:
    state.card[0] = draw(chance, 3)
    counts = np.ones(3, np.int64)
    counts[1] = 2
    state.card[1] = draw_from(chance, counts)
    for move in range(3):
        state.played[move] = -1


@native
def turn(state: Record) -> int:
    if state.fault == STRANGER and state.n_played == 1:
        return 5
    if state.n_played == 3:
        return OVER
    return int(state.n_played) % 2


@native
def legal(state: Record, actions: Any) -> int:
    actions[0] = 0
    actions[1] = 1
    actions[2] = 2
    if state.n_played == 1 and state.fault == STUCK:
        return 0
    if state.n_played == 1 and state.fault == GENEROUS:
        return 4
    if state.n_played == 1 and state.fault == LEAKS and state.card[0] == 2:
        return 1
    if state.n_played == 1 and state.fault == SWAPS and state.card[0] == 2:
        actions[1] = 2
    if state.n_played == 2 and state.fault == UPSIDE_DOWN:
        actions[0], actions[1] = 1, 0
    return 2


@native
def step(state: Record, action: int, chance: Record) -> None:
    if state.fault == ENDLESS:
        return
    state.played[int(state.n_played)] = action
    state.n_played += 1
    if state.fault == WANDERS:  # by something else than draws
        chance.s0 += np.uint64(1)
        draw(chance, 2 + int(chance.s0 & np.uint64(1)))


@native
def score(state: Record, scores: Any) -> None:
    if state.fault == RAISES and state.played[2] == 1:
        raise ValueError("no such card")
    scores[0] = state.card[0] - state.card[1] + state.played[0] + state.played[2]
    if state.fault == INFINITE and state.played[2] == 1:
        scores[0] = np.inf
    scores[1] = -scores[0]


@native
def observe(state: Record, player: int, view: Record) -> None:
    view.player = player
    view.card = state.card[player]
    for move in range(3):
        view.played[move] = state.played[move]
    view.n_played = state.n_played
    if state.fault == FORGETS and player == 0:
        view.played[0] = -1


@native
def imagine(view: Record, player: int, chance: Record, state: Record) -> None:
    start(state, chance)
    for move in range(3):
        state.played[move] = view.played[move]
    state.n_played = view.n_played
    state.card[player] = view.card


FAULTY = Game(
    name="faulty",
    title="A tiny game with a fault to choose",
    source="made up for the tests",
    state=STATE,
    view=VIEW,
    start=start,
    turn=turn,
    legal=legal,
    step=step,
    score=score,
    observe=observe,
    imagine=imagine,
    describe=lambda view: f"You hold {view.card} after {view.n_played} moves.",
    action_name=lambda view, action: ("hold", "bet", "raise")[action],
    options=(Option("fault", NOTHING, "what is wrong with the game", choices=FAULTS),),
    players=2,
    actions=3,
    longest=3,
    kind="zero sum",
    scores=(-2.0, 4.0),
)


def test_the_game_is_sound_without_its_fault() -> None:
    tree = build_tree(FAULTY)
    assert (tree.n_chance, tree.n_decisions, tree.n_ends) == (4, 9 * 7, 9 * 8)
    assert [treeplex.n_sets for treeplex in tree.treeplexes] == [3 + 12, 3 * 2]


def fault(name: str) -> Game:
    return FAULTY(fault=name)


def test_players_who_forget_are_told_of_with_both_histories() -> None:
    words = (
        r"faulty\(fault=forgets\) has no perfect recall: after 'the start \(draws 0/3 0/3\), player 0: hold, player 1: hold' "
        r"and after 'the start \(draws 0/3 0/3\), player 0: bet, player 1: hold' player 0 sees the same "
        r"\('You hold 0 after 2 moves\.'\), but has seen or done something else before; .* show it in the view"
    )
    with pytest.raises(RecallError, match=words) as caught:
        build_tree(fault("forgets"))
    assert isinstance(caught.value, RulesError)
    assert isinstance(caught.value, UsageError)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(("name", "here"), [("leaks", r"\[0\]"), ("swaps", r"\[0, 2\]")])
def test_legal_actions_that_a_view_does_not_tell(name: str, here: str) -> None:
    words = (
        rf"faulty\(fault={name}\): after 'the start \(draws 0/3 0/3\), player 0: hold' and after 'the start "
        rf"\(draws 2/3 0/3\), player 0: hold' player 1 sees the same \('You hold 0 after 1 moves\.'\), but the legal actions "
        rf"are \[0, 1\] there and {here} here; show in the view what decides on them"
    )
    with pytest.raises(RecallError, match=words):
        build_tree(fault(name))


AFTER_HOLD = r"after 'the start \(draws 0/3 0/3\), player 0: hold'"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("wanders", r"'step' of player 0: hold \(action 0\): the rules are not determined by their draws: .* draw 1 was made"),
        ("stranger", rf"'turn' of faulty answered 5; players are 0 to 1, and -1 means that the game is over; {AFTER_HOLD}"),
        ("stuck", rf"'legal' of faulty answered 0 actions; while the game runs there are 1 to 3 \(declared\); {AFTER_HOLD}"),
        ("generous", rf"'legal' of faulty answered 4 actions; .* {AFTER_HOLD}"),
        ("upside_down", r"'legal' of faulty gave action 0 behind 1; actions are ascending, from 0 to 2 \(declared\); after '"),
        ("infinite", r"'score' of faulty gave \[inf, -inf\]; scores are finite numbers; .*player 0: bet'"),
        ("raises", r"failed after 'the start .*, player 0: hold, player 1: hold, player 0: bet': ValueError: no such card"),
    ],
)
def test_broken_rules_are_sentences_that_tell_where(name: str, words: str) -> None:
    with pytest.raises(RulesError, match=words):
        build_tree(fault(name))


def test_who_moves_without_end_must_forget() -> None:
    words = (
        r"after 'the start \(draws 0/3 0/3\)' and after 'the start \(draws 0/3 0/3\), player 0: hold' player 0 sees the same"
    )
    with pytest.raises(RecallError, match=words):
        build_tree(fault("endless"))


def test_games_whose_views_forget_cannot_be_solved() -> None:
    with pytest.raises(
        RecallError, match=r"rrrats\(tokens=2,max_throws=3\) has no perfect recall: after 'the start, player 0: "
    ):
        build_tree("rrrats(tokens=2,max_throws=3)")
