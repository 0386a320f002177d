"""The text of an .efg file: read exactly, and whatever is wrong is a sentence with a line and a column."""

from __future__ import annotations

import re
import time
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_trees import RandomTree
from texts import BLUFF, chain

from facedown.games.gambit.reader import parse
from facedown.games.gambit.tokens import EfgError

PLACE = re.compile(r"x\.efg, line \d+, column \d+: ")


def test_a_whole_file() -> None:
    file = parse(BLUFF, "x.efg")
    assert (file.title, file.comment, file.players) == ("A bluff with an ante", "one card, one bet", ("Alice", "Bob"))
    assert "".join(node.kind for node in file.nodes) == "cpptttppttt"
    assert [one.name for one in file.player_sets[0]] == ["high card", "low card"]
    assert file.chance_sets[0].probabilities == (Fraction(1, 2), Fraction(1, 2))
    assert [outcome.payoffs[0] for outcome in file.outcomes] == [1, 2, Fraction(1, 2), -1, -2]
    both = [node for node in file.nodes if node.player == 1]
    assert {node.information_set for node in both} == {0}
    assert [node.place.line for node in file.nodes] == list(range(4, 15))


@pytest.mark.parametrize(
    ("written", "number"),
    [("3", 3), ("-3", -3), ("+3", 3), ("1/3", Fraction(1, 3)), ("-1/3", Fraction(-1, 3)), ("0.25", Fraction(1, 4)),
     (".5", Fraction(1, 2)), ("5.", 5), ("1e3", 1000), ("-2.5E-1", Fraction(-1, 4)), ("0.1", Fraction(1, 10))],
)  # fmt: skip
def test_numbers_are_exact(written: str, number: Fraction) -> None:
    file = parse(f'EFG 2 R "" {{ "one" }} p "" 1 1 "" {{ "a" }} 0 t "" 1 "" {{ {written} }}', "x.efg")
    assert file.outcomes[0].payoffs == (number,)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("EFG 2 R", "NFG 1 R", r"line 1, column 1: 'EFG 2 R', which every such file begins with, is expected, but NFG stands"),
        ("EFG 2", "EFG 1", r"line 1, column 5: 'EFG 2 R'"),
        ('{ "Alice" "Bob" }', '{ "Alice" Bob }', r"line 1, column 42: the name of a player in quotation marks is exp"),
        ('c "" 1', 'c "" x', r"line 4, column 6: the number of an information set, a whole number, is expected, but x"),
        ("1/2", "1/3", r"line 4, column 15: the probabilities sum up to 5/6, not to 1"),
        ("1/2", "1/0", r"line 4, column 24: 1/0 is no fraction"),
        ("1/2", "1.5/2", r"line 4, column 24: 1.5/2 is no fraction"),
        ("1/2 ", "3/2 ", r"line 4, column 24: the probability 3/2 is not from 0 to 1"),
        ("0.5 }", "-0.5 }", r"line 4, column 34: the probability -0.5 is not from 0 to 1"),
        ("0.5 }", "0.50000000001 }", r"line 4, column 34: the probability 0.50000000001 has the denominator 100000000000,"),
        ("{ -2 2 }", "{ -2 1e101 }", r"line 12, column 20: the payoff 1e101 is too large: at most 1e\+100"),
        ("{ -2 2 }", "{ -9" + "9" * 250 + "e299 2 }", r"line 12, column 17: the payoff -9+\.\.\. is too large"),
        ('"lose"', '"lo\x00se"', r"line 12, column 11: the name holds the control character '\\x00'; leave it out"),
        ('"Alice"', '"\x1b[2J"', r"line 1, column 35: the name of a player holds the control character '\\x1b'"),
        ("0.5 }", "1e99999999999 }", r"the number 1e99999999999 is too long"),
        ("0.5 }", "1" + "0" * 400 + " }", r"the number 10+\.\.\. is too long"),
        ("0.5 }", "1/" + "3" * 400 + " }", r"is too long"),
        ('p "" 2 1 0', 'p "" 2 2 0', r"line 11, column 10: '{' before the actions of information set 2, which is new,"),
        ('p "" 2 1 0', 'p "" 3 1 0', r"line 11, column 6: there is no player 3: 2 are named"),
        ('p "" 2 1 0', 'p "" 0 1 0', r"line 11, column 6: the number of a player is at least 1, not 0"),
        ('p "" 2 1 0', 'p "" 2 1 "" { "call" } 0', r"line 11, column 8: information set 1 has other actions here than in"),
        ('{ "call" "pass" }', "{ }", r"line 6, column 18: an information set needs at least one action"),
        ('{ "call" "pass" }', '{ "call" 1/2 }', r"line 6, column 27: an action in quotation marks is expected, but 1/2"),
        ("{ -2 2 }", "{ -2 }", r"line 12, column 15: outcome 5 has 1 payoffs for 2 players"),
        ("{ -2 2 }", "{ -2 , , 2 }", r"line 12, column 22: a payoff is expected, but ,"),
        ('t "" 5 "lose"', 't "" 2 "lose"', r"line 12, column 6: outcome 2 has other payoffs here than in line 7"),
        ('t "" 5 "lose"', 't "" 0 ""', r"line 12, column 6: outcome 0 stands for none"),
        ('t "" 5 "lose" { -2 2 }', 't "" 5', r"line 13, column 1: '{' before the payoffs of outcome 5, which is new,"),
        ('t "" 5 "lose"', 'q "" 5 "lose"', r"line 12, column 1: a node, which begins with c, p or t, is expected, but q"),
        ('"low card"', '"low card', r"does not end|is expected"),
        ("{ -2 2 }", "{ -2 ; 2 }", r"line 12, column 20: ';' has no meaning here"),
    ],
)  # fmt: skip
def test_mistakes_are_sentences(old: str, new: str, words: str) -> None:
    assert old in BLUFF
    with pytest.raises(EfgError, match=words) as caught:
        parse(BLUFF.replace(old, new, 1), "x.efg")
    assert PLACE.match(str(caught.value))
    assert "\n" not in str(caught.value)


ODD = [
    *("nan", "NaN", "inf", "-inf", "Infinity", "1e400", "-1e400", "1e-400", "1e99999", "1e+", "e5", ".", "-", "+-1", "--1"),
    *("1/0", "0/0", "1/-3", "1/1e3", "1.5/2", "1/2/3", "0x10", "1_000", "٣", "1,5", "1/" + "1" + "0" * 400, "9" * 400),
    *("9" * 300 + "e300", "1e101", "-1e101", "1" + "0" * 101, "1e", "1 /2", "½", "\x00", "None", '"1"'),
]


@pytest.mark.parametrize("number", ODD)
def test_odd_numbers_have_a_line_and_a_column(number: str) -> None:
    for old, before, after, line in (
        ('"low" 0.5', '"low" ', "", 4),  # a probability
        ("2 -2", "", " -2", 7),  # a payoff
        ("{ -1 1 }", "{ -1 ", " }", 9),  # the last one of an outcome
    ):
        text = BLUFF.replace(old, before + number + after, 1)
        with pytest.raises(EfgError) as caught:
            parse(text, "x.efg")
        assert str(caught.value).startswith(f"x.efg, line {line}, column ") and "\n" not in str(caught.value)


def test_the_largest_payoff_is_read() -> None:
    assert parse(BLUFF.replace("2 -2", "1e100 -1e100"), "x.efg").outcomes[1].payoffs == (10**100, -(10**100))


_CHARACTERS = st.text("0123456789.eE+-/ nainfINFx_,", min_size=1, max_size=12)


@settings(max_examples=300)
@given(_CHARACTERS, st.booleans())
def test_whatever_stands_for_a_number_is_one_or_a_sentence(number: str, payoff: bool) -> None:
    old, new = ("2 -2", f"{number} -2") if payoff else ('"low" 0.5', f'"low" {number}')
    try:
        file = parse(BLUFF.replace(old, new, 1), "x.efg")
    except EfgError as problem:
        assert PLACE.match(str(problem))
    else:
        assert all(sum(one.probabilities) == 1 for one in file.chance_sets)
        assert all(abs(paid) <= 10**100 for outcome in file.outcomes for paid in outcome.payoffs)


def test_what_follows_the_tree_is_a_mistake() -> None:
    with pytest.raises(EfgError, match=r"line 15, column 1: the tree is complete, but t follows"):
        parse(BLUFF + 't "" 4', "x.efg")


def test_a_branch_with_another_probability_in_the_same_set() -> None:
    text = (
        'EFG 2 R "" { "one" } c "" 1 "" { "a" 1/2 "b" 1/2 } 0 p "" 1 1 "" { "x" } 0 t "" 0 '
        'c "" 1 "" { "a" 1/3 "b" 2/3 } 0 t "" 0 t "" 0'
    )
    with pytest.raises(EfgError, match="information set 1 has other branches or probabilities here than in line 1"):
        parse(text, "x.efg")


@pytest.mark.parametrize("end", range(len(BLUFF) - 2))
def test_a_file_that_was_cut_off_is_a_sentence(end: int) -> None:
    with pytest.raises(EfgError, match=PLACE):
        parse(BLUFF[:end], "x.efg")


def test_a_cut_between_nodes_says_how_many_are_missing() -> None:
    with pytest.raises(EfgError, match=r"line 7, column 1: the file ends too early: 4 nodes at least are missing"):
        parse("".join(BLUFF.splitlines(keepends=True)[:6]), "x.efg")


_PIECES = st.sampled_from(
    [
        '"',
        "{",
        "}",
        ",",
        "c",
        "p",
        "t",
        "0",
        "1",
        "2",
        "-1",
        "1/3",
        "0.5",
        '""',
        '"a"',
        "\\",
        "EFG",
        "1e5",
        "\n",
        "é",
        "/",
        "\x00",
    ]
)


@settings(max_examples=300)
@given(st.integers(0, len(BLUFF)), st.integers(0, 30), st.lists(_PIECES, max_size=4))
def test_a_damaged_file_is_read_or_refused_in_words(at: int, length: int, pieces: list[str]) -> None:
    damaged = BLUFF[:at] + " ".join(pieces) + BLUFF[at + length :]
    try:
        parse(damaged, "x.efg")
    except EfgError as problem:
        assert PLACE.match(str(problem))


@settings(max_examples=200)
@given(st.lists(_PIECES, max_size=40))
def test_any_heap_of_pieces_is_read_or_refused_in_words(pieces: list[str]) -> None:
    try:
        parse('EFG 2 R "" { "one" } ' + " ".join(pieces), "x.efg")
    except EfgError as problem:
        assert PLACE.match(str(problem))


@settings(max_examples=60)
@given(st.integers(0, 2**32))
def test_random_trees_are_read_as_they_were_made(seed: int) -> None:
    tree = RandomTree(seed)
    file = parse(tree.text(), "x.efg")
    waiting, numbered = [tree.root], iter(file.nodes)
    while waiting:
        node, read = waiting.pop(), next(numbered)
        assert (read.kind, read.player) == (node.kind, node.player)
        if node.kind != "t":
            found = file.set_of(read)
            assert found.number == node.number
            assert [label.replace('\\"', '"') for label in node.labels] == list(found.actions)
            assert list(found.probabilities) == node.probabilities
        assert (file.outcomes[read.outcome].payoffs if read.outcome >= 0 else None) == node.payoffs
        waiting += node.children[::-1]
    assert next(numbered, None) is None


def test_line_breaks_and_spaces_in_names_are_single_spaces() -> None:
    assert parse(BLUFF.replace("one card, one bet", " one\n card,\r\n\tone  bet "), "x.efg").comment == "one card, one bet"


def test_a_long_file_is_read_in_time_that_grows_as_it_does() -> None:
    def seconds(n_moves: int) -> float:
        text = chain(n_moves)
        started = time.thread_time()
        assert len(parse(text, "x.efg").nodes) == 2 * n_moves + 1
        return time.thread_time() - started

    short, long = min(seconds(500) for _ in range(3)), seconds(8_000)
    assert long < 100 * short + 0.5  # 16 times is expected, and 256 times if every node went through the whole file
