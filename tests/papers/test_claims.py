"""Claims: the rule, the verdicts, numbers as they are printed, and what a claim must have."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from facedown.errors import UsageError
from facedown.papers.claims import Claim, Correction, Figure, Published, Reading, Verdict, fits, tolerance, verdict_of
from facedown.papers.laboratory import Laboratory, Profile

whole = st.integers(-(10**6), 10**6)
errors = st.integers(0, 10**4).map(lambda n: n / 10**6)
values = whole.map(lambda n: n / 10**6)


def measured(value: float, stderr: float = 0.0) -> Figure:
    return Figure(value, stderr, 100, 1, "facedown match kuhn uniform uniform --games 100 --seed 1")


@given(whole, st.integers(0, 6), errors, values, errors)
def test_the_rule_is_four_joint_errors_and_half_a_digit(
    printed: int, digits: int, their_error: float, value: float, our_error: float
) -> None:
    published = Published("", printed / 10**digits, 1 / 10**digits, their_error)
    apart = abs(Fraction(printed, 10**digits) - Fraction(value))
    allowed = 4 * math.sqrt(their_error**2 + our_error**2) + 0.5 / 10**digits
    assume(abs(float(apart) - allowed) > 1e-6)  # floats cannot tell what lies on the border
    assert fits(published, measured(value, our_error)) == (apart < allowed)
    assert tolerance(published, measured(value, our_error)) == pytest.approx(allowed)


@given(values, errors, values, errors)
def test_a_larger_error_never_makes_figures_disagree(theirs: float, smaller: float, ours: float, more: float) -> None:
    published = Published("", theirs, 0.01)
    if fits(published, measured(ours, smaller)):
        assert fits(published, measured(ours, smaller + more))


@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_counts_agree_when_they_are_equal(published: int, ours: int) -> None:
    assert fits(Published.exact(f"{published:,}"), Figure.counted(ours, "facedown paper x")) == (published == ours)


@given(values, errors, values, st.none() | values)
def test_a_correction_never_hides_another_disagreement(ours: float, error: float, theirs: float, right: float | None) -> None:
    """What is right must fit our figure too; where no number is derived, our figure is the right one."""
    published, figure = Published("", theirs), measured(ours, error)
    derived = None if right is None else Published("", right)
    verdict = verdict_of(published, figure, Correction("It is a slip.", derived))
    if fits(published, figure):
        assert verdict is Verdict.AGREES
    else:
        assert verdict is (Verdict.CORRECTED if derived is None or fits(derived, figure) else Verdict.DIFFERS)
        assert verdict_of(published, figure) is Verdict.DIFFERS


def test_half_a_digit_on_the_border_agrees() -> None:
    assert verdict_of(Published.printed("70 %"), measured(0.695)) is Verdict.AGREES
    assert verdict_of(Published.printed("70 %"), measured(0.6949)) is Verdict.DIFFERS


@given(st.integers(0, 10**5), st.integers(1, 6), st.sampled_from([".", ","]), st.booleans(), st.booleans())
def test_printed_numbers_tell_their_digits(number: int, digits: int, point: str, percent: bool, negative: bool) -> None:
    text = f"{'-' if negative else ''}{number // 10**digits}{point}{number % 10**digits:0{digits}d}{' %' if percent else ''}"
    published = Published.printed(text)
    scale = 10 ** (digits + 2 * percent)
    assert published.value == pytest.approx((-1 if negative else 1) * number / scale, abs=1e-15)
    assert published.unit == pytest.approx(1 / scale)
    assert published.percent == percent and published.text == text


@pytest.mark.parametrize("text", ["", "about 70", "70 %%", "1/8", "0.5.1", "1e3", "nan"])
def test_what_is_not_a_printed_number_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="cannot read"):
        Published.printed(text)


@pytest.mark.parametrize("text", ["", "one", "1/0", "70 %"])
def test_what_is_not_an_exact_number_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="cannot read"):
        Published.exact(text)


@pytest.mark.parametrize("why", ["", "  ", "a slip", "Two words.", "It has no full stop"])
def test_a_correction_without_a_sentence_is_an_error(why: str) -> None:
    with pytest.raises(UsageError, match="needs a sentence"):
        Correction(why)


@pytest.mark.parametrize(("value", "stderr"), [(math.nan, 0.1), (math.inf, 0.1), (0.5, math.nan), (0.5, -0.1), (0.5, math.inf)])
def test_a_figure_is_finite(value: float, stderr: float) -> None:
    with pytest.raises(UsageError, match="a figure cannot be"):
        measured(value, stderr)


def test_a_figure_is_exact_or_computed_or_played() -> None:
    with pytest.raises(UsageError, match="counted exactly"):
        Figure(0.5, 0.1, 0, 1, "")
    with pytest.raises(UsageError, match="counted exactly"):
        Figure(12, 0.0, 10, 1, "", exact="12")
    with pytest.raises(UsageError, match="counted exactly"):
        Figure(12, 0.0, 0, 1, "", exact="12", work="an afternoon")


def test_what_is_computed_may_be_off_by_its_bound_and_no_more() -> None:
    figure = Figure.computed(0.5, 0.01, "9 iterations", "facedown solve kuhn --iterations 9", seed=3)
    assert fits(Published("", 0.51), figure)
    assert not fits(Published("", 0.5101), figure)
    assert figure.with_error() == "0.5 ± 0.01"
    assert figure.effort == "9 iterations, seed 3"


@pytest.mark.parametrize(
    ("figure", "percent", "alone", "both"),
    [
        (measured(0.695123, 0.00131), True, "69.51 %", "69.51 ± 0.13 %"),
        (measured(0.695123, 0.00131), False, "0.6951", "0.6951 ± 0.0013"),
        (measured(0.126413, 0.00149), False, "0.1264", "0.1264 ± 0.0015"),
        (measured(123.4, 12.0), False, "123", "123 ± 12"),
        (Figure.counted(9457, ""), False, "9,457", "9,457"),
        (Figure.counted(Fraction(-1, 18), ""), False, "-1/18", "-1/18"),
    ],
)
def test_figures_are_written_to_two_digits_of_their_error(figure: Figure, percent: bool, alone: str, both: str) -> None:
    assert figure.shown(percent) == alone
    assert figure.with_error(percent) == both


def claim(**changes: object) -> Claim:
    facts: dict[str, object] = {"id": "a-claim", "paper": "some", "where": "Page 1", "says": "It is twelve."}
    facts |= {"published": Published.exact("12"), "measure": lambda laboratory: Figure.counted(12, "facedown paper some")}
    return Claim(**{**facts, **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"id": "A claim"}, "lower-case words"),
        ({"id": ""}, "lower-case words"),
        ({"says": ""}, "'says' must be a sentence"),
        ({"says": "twelve"}, "'says' must be a sentence"),
        ({"where": " "}, "where it stands"),
        ({"paper": ""}, "where it stands"),
        ({"note": "hm"}, "'note' must be a sentence"),
        ({"readings": (Reading("a", "x", lambda _: measured(1)),) * 2}, "same key"),
    ],
)
def test_a_claim_has_an_id_a_place_and_a_sentence(changes: dict[str, object], message: str) -> None:
    claim()
    with pytest.raises(UsageError, match=message):
        claim(**changes)


def test_a_sentence_is_given_the_figures_it_names() -> None:
    slip = Correction("It should be half; {other} is another thing.", right=Published.exact("1/2"))
    made = claim(
        published=Published.printed("70 %"),
        measure=lambda laboratory: measured(0.5, 0.01),
        correction=slip,
        readings=(Reading("other", "another thing", lambda laboratory: measured(0.7012, 0.0021)),),
    )
    judged = made.judge(Laboratory(Profile.TINY, 1))
    assert judged.verdict is Verdict.CORRECTED
    assert judged.sentence == "It should be half; 70.12 % is another thing."
    assert judged.readings[0].fits
