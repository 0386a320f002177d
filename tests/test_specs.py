"""Names with settings: what users write is read exactly, or refused with a sentence; anything else would be a bug."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from facedown.errors import UsageError
from facedown.specs import Spec, parse


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("kuhn", Spec("kuhn")),
        ("  kuhn\n", Spec("kuhn")),
        ("kuhn()", Spec("kuhn")),
        ("kuhn( )", Spec("kuhn")),
        ("kuhn(players=3)", Spec("kuhn", (), (("players", "3"),))),
        ("kuhn( players = 3 , pass_pays=no )", Spec("kuhn", (), (("players", "3"), ("pass_pays", "no")))),
        ("mix(A=1,B=-0.5,C=1e-3)", Spec("mix", (), (("A", "1"), ("B", "-0.5"), ("C", "1e-3")))),
        ("mix(1, -2)", Spec("mix", ("1", "-2"))),
        ("mix(1,C=3)", Spec("mix", ("1",), (("C", "3"),))),
        ("./mygame.py:GAME(size=4)", Spec("./mygame.py:GAME", (), (("size", "4"),))),
        ("./my games/it.py:GAME(size=4)", Spec("./my games/it.py:GAME", (), (("size", "4"),))),
        ("/a/b-c.py:AGENTS.bold(x=1)", Spec("/a/b-c.py:AGENTS.bold", (), (("x", "1"),))),
        ("search(player=mix(A=1,B=2),depth=3)", Spec("search", (), (("player", "mix(A=1,B=2)"), ("depth", "3")))),
        ("table([1,2],[3,4])", Spec("table", ("[1,2]", "[3,4]"))),
        ("x(a=b=c)", Spec("x", (), (("a", "b=c"),))),
        ("x(2*y=3)", Spec("x", ("2*y=3",))),
    ],
)
def test_reading(text: str, expected: Spec) -> None:
    assert parse(text) == expected


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "a name comes first"),
        ("   ", "a name comes first"),
        ("(players=3)", "a name comes first"),
        ("kuhn leduc", "a name comes first"),
        ("kuhn, leduc", "a name comes first"),
        ("kuhn=3", "a name comes first"),
        ("kuhn)", "a name comes first"),
        ("kuhn(players=3", "the bracket that opens after 'kuhn' must close at the end"),
        ("kuhn(players=3) x", "the bracket that opens after 'kuhn' must close at the end"),
        ("kuhn(", "the bracket that opens after 'kuhn' must close at the end"),
        ("kuhn(a)(b)", "a ')' closes nothing"),
        ("kuhn(a))", "a ')' closes nothing"),
        ("kuhn([a)])", "a ')' closes nothing"),
        ("kuhn([a)", "a ']' is missing"),
        ("kuhn((a)", "a ')' is missing"),
        ("kuhn(a,,b)", "there is nothing between two commas"),
        ("kuhn(,)", "there is nothing between two commas"),
        ("kuhn(a,)", "there is nothing between two commas"),
        ("kuhn(players=)", "'players=' has no value"),
        ("kuhn(players= )", "'players=' has no value"),
        ("kuhn(players=2,players=3)", "'players' is given twice"),
        ("kuhn(players=2,3)", "'3' has no name, but comes after a named value"),
    ],
)
def test_refusing(text: str, reason: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(text)
    assert str(caught.value).startswith(f"cannot read '{text}': ")
    assert reason in str(caught.value)


def test_writing() -> None:
    assert str(Spec("kuhn")) == "kuhn"
    assert str(Spec("mix", ("1",), (("C", "3"),))) == "mix(1,C=3)"


ANYTHING = st.text(max_size=40)
NEARLY = st.text(alphabet="ab1_=,()[] .-:\t\n'\"\\é", max_size=30)


@given(ANYTHING | NEARLY)
@example("a(" * 5000)
@example("a(" + "(" * 5000 + ")" * 5001)
@example("a(\x00)")
def test_anything_is_read_or_refused(text: str) -> None:
    try:
        read = parse(text)
    except UsageError as problem:
        assert text in str(problem) or repr(text) in str(problem)
    else:
        assert isinstance(read, Spec)
        assert read.name == read.name.strip() != ""
        assert parse(str(read)) == read
        assert parse(f"  {read} ") == read


NAME = st.from_regex(r"[A-Za-z./:_0-9-]{1,12}", fullmatch=True)
KEY = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,6}", fullmatch=True)
SIMPLE = st.from_regex(r"[A-Za-z0-9.+-]{1,8}", fullmatch=True)
VALUE = st.recursive(SIMPLE, lambda inner: st.builds("{}({},[{}])".format, SIMPLE, inner, inner), max_leaves=4)


@given(NAME, st.lists(VALUE, max_size=3), st.dictionaries(KEY, VALUE, max_size=3))
def test_round_trip(name: str, values: list[str], settings: dict[str, str]) -> None:
    spec = Spec(name, tuple(values), tuple(settings.items()))
    assert parse(str(spec)) == spec
