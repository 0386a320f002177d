"""NashConv and exploitability: how far players are from an equilibrium, by what each could gain with a best response.

Both are 0 in an equilibrium and nowhere else.
"""

from __future__ import annotations

from typing import Protocol

DEFINITION = (
    "NashConv is the sum over the players of (value of a best response - value); "
    "exploitability is NashConv divided by the number of players"
)


class _HasGains(Protocol):
    @property
    def gains(self) -> tuple[float, ...]: ...


class Exploitable:
    """Whatever has `gains`: for each player, how much more a best response would score."""

    @property
    def nash_conv(self: _HasGains) -> float:
        """The sum over the players of (value of a best response - value)."""
        return sum(self.gains)

    @property
    def exploitability(self: _HasGains) -> float:
        """NashConv divided by the number of players."""
        return sum(self.gains) / len(self.gains)
