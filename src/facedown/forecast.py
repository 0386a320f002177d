"""How long work will take, told beforehand: guessed from its first piece, and refused where it cannot end."""

from __future__ import annotations

import sys
import time

from facedown.errors import UsageError

HOUR, DAY, YEAR = 3600.0, 86400.0, 365.25 * 86400.0
LONG = HOUR
"""From here on a line on stderr tells how long it will take."""
HOPELESS = 10 * YEAR
"""Nobody waits longer."""
ENOUGH_SECONDS = 0.2
"""This much of the work must be done before its speed is believed."""
_UNITS = ((YEAR, "years"), (DAY, "days"), (HOUR, "hours"), (60.0, "minutes"))


class Forecast:
    """Work that counts up to a total, such as games; asked now and then, it warns once or refuses."""

    def __init__(self, total: int, unit: str, remedy: str = "ask for fewer"):
        self.total, self.unit, self.remedy = total, unit, remedy
        self._started, self._settled = time.perf_counter(), False

    @property
    def settled(self) -> bool:
        """Whether the speed is known and has been judged; asking again changes nothing."""
        return self._settled

    def update(self, done: float, seconds: float | None = None) -> None:
        """Note how much is done, in how many seconds, or since the beginning."""
        if self._settled:
            return
        spent = time.perf_counter() - self._started if seconds is None else seconds
        if done > 0 and spent >= ENOUGH_SECONDS:
            self.judge(done / spent)

    def judge(self, speed: float) -> None:
        """Refuse what cannot end at this many a second, and say so if it takes long."""
        self._settled = True
        needed = self.total / speed
        if needed <= LONG:
            return
        pace = f"{speed:,.0f}" if speed >= 10 else f"{speed:.2g}"
        words = f"{self.total:,} {self.unit} take about {duration(needed)} at {pace} a second"
        if needed > HOPELESS:
            raise UsageError(f"{words}; more than ten years are refused: {self.remedy}")
        print(f"facedown: {words}; Ctrl-C stops it", file=sys.stderr)


def duration(seconds: float) -> str:
    """A time in words, to two digits.

    >>> duration(7200), duration(3e11)
    ('2 hours', '9,500 years')
    """
    length, unit = next(((length, unit) for length, unit in _UNITS if seconds >= 2 * length), (1.0, "seconds"))
    return f"{float(f'{seconds / length:.2g}'):,.0f} {unit}"
