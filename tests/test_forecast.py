"""How long work will take: in words, once, and refused where nobody could wait for it."""

from __future__ import annotations

import pytest

from facedown.errors import UsageError
from facedown.forecast import DAY, HOUR, YEAR, Forecast, duration


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.4, "0 seconds"),
        (12.3, "12 seconds"),
        (119, "120 seconds"),
        (121, "2 minutes"),
        (1.9 * HOUR, "110 minutes"),
        (2 * HOUR, "2 hours"),
        (DAY, "24 hours"),
        (300 * DAY, "300 days"),
        (340 * YEAR, "340 years"),
        (2.17e9 * YEAR, "2,200,000,000 years"),
    ],
)
def test_times_in_words(seconds: float, words: str) -> None:
    assert duration(seconds) == words


def test_short_work_needs_no_words(capsys: pytest.CaptureFixture[str]) -> None:
    work = Forecast(3_000, "games")
    work.update(1_000, 1_000.0)
    assert work.settled and capsys.readouterr().err == ""


def test_long_work_is_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    work = Forecast(8_000, "games")
    work.update(1, 0.1)
    assert not work.settled and capsys.readouterr().err == ""  # too little to tell
    work.update(1_000, 1_000.0)
    assert capsys.readouterr().err == "facedown: 8,000 games take about 2 hours at 1 a second; Ctrl-C stops it\n"
    work.update(1_001, 10_000.0)
    assert capsys.readouterr().err == ""


def test_hopeless_work_is_refused() -> None:
    work = Forecast(10**18, "games", "ask for fewer games")
    with pytest.raises(UsageError) as caught:
        work.update(20_000_000, 1.0)
    assert str(caught.value) == (
        "1,000,000,000,000,000,000 games take about 1,600 years at 20,000,000 a second; more than ten years are refused: "
        "ask for fewer games"
    )


@pytest.mark.parametrize(("years", "refused"), [(9.9, False), (10.1, True)])
def test_ten_years_are_the_limit(years: float, refused: bool, capsys: pytest.CaptureFixture[str]) -> None:
    work = Forecast(int(years * YEAR), "games")
    if refused:
        with pytest.raises(UsageError, match="more than ten years"):
            work.update(5, 5.0)
    else:
        work.update(5, 5.0)
        assert "about 10 years at 1 a second" in capsys.readouterr().err


def test_nothing_done_tells_nothing() -> None:
    work = Forecast(10**18, "games")
    work.update(0, 100.0)
    assert not work.settled
