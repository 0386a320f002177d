"""Chapter 5 of the source: its four tables as printed, and what their spread says of how they were made.

All entries of tables 5.1 and 5.3 but means and deviations are multiples of 0.0001 or of a quarter of it, and the means are
multiples of 0.000001: 100 repetitions of 10,000 games each. Their standard deviation is that of 10,000 games between two
strategies that stay the same (0.0041 and 0.0050), so a repetition is a match, and not a run of an algorithm from a start of
its own. In table 5.2 deviations lie between 0.003 and 0.008 around the same 0.0050: some ten repetitions; in table 5.4 they lie
as close together as those of a hundred do. The number of games of a run, and the start, are not printed.
"""

from __future__ import annotations

import math
from statistics import NormalDist

METHODS = ("iterative", "coevolution", "approximate", "approximate2")
STATISTICS = ("mean", "std", "min", "25%", "50%", "75%", "max")
REPETITIONS, GAMES_EACH = 100, 10_000

AGAINST_START: dict[str, dict[str, tuple[str, ...]]] = {
    "war": {
        "mean": ("0.541617", "0.545225", "0.530655", "0.528750"),
        "std": ("0.005623", "0.005158", "0.004900", "0.005244"),
        "min": ("0.525300", "0.532900", "0.517400", "0.514000"),
        "25%": ("0.538300", "0.541100", "0.527600", "0.525800"),
        "50%": ("0.540600", "0.544600", "0.530600", "0.529200"),
        "75%": ("0.545575", "0.548800", "0.534700", "0.532500"),
        "max": ("0.556100", "0.556700", "0.542200", "0.540100"),
    },
    "rrrats": {
        "mean": ("0.786629", "0.780805", "0.787310", "0.759073"),
        "std": ("0.003581", "0.004265", "0.003586", "0.004170"),
        "min": ("0.778600", "0.768400", "0.778500", "0.748300"),
        "25%": ("0.784550", "0.777925", "0.785575", "0.756525"),
        "50%": ("0.786600", "0.780700", "0.787350", "0.758700"),
        "75%": ("0.788800", "0.783300", "0.789125", "0.761500"),
        "max": ("0.798400", "0.789700", "0.796700", "0.772200"),
    },
}
"""Tables 5.1 and 5.3, by game and statistic, in the order of METHODS."""

AGAINST_EACH_OTHER: dict[str, tuple[tuple[tuple[str, str], ...], ...]] = {
    "war": (
        (("0.501", "0.005"), ("0.502", "0.006"), ("0.498", "0.003"), ("0.502", "0.005")),
        (("0.501", "0.005"), ("0.498", "0.007"), ("0.500", "0.004"), ("0.498", "0.005")),
        (("0.502", "0.003"), ("0.498", "0.005"), ("0.498", "0.006"), ("0.498", "0.005")),
        (("0.498", "0.008"), ("0.500", "0.004"), ("0.495", "0.004"), ("0.498", "0.004")),
    ),
    "rrrats": (
        (("0.519", "0.005"), ("0.525", "0.005"), ("0.518", "0.006"), ("0.564", "0.004")),
        (("0.508", "0.005"), ("0.515", "0.005"), ("0.509", "0.005"), ("0.555", "0.005")),
        (("0.519", "0.005"), ("0.525", "0.005"), ("0.519", "0.005"), ("0.565", "0.006")),
        (("0.456", "0.005"), ("0.464", "0.005"), ("0.457", "0.005"), ("0.507", "0.005")),
    ),
}
"""Tables 5.2 and 5.4: mean and standard deviation of the row's strategy against the column's."""
CROSS_REPETITIONS = {"war": 10, "rrrats": 100}

START_TABLE = {"war": "5.1", "rrrats": "5.3"}
CROSS_TABLE = {"war": "5.2", "rrrats": "5.4"}


def printed_mean(game: str, method: str) -> float:
    """The mean of a column of table 5.1 or 5.3."""
    return float(AGAINST_START[game]["mean"][METHODS.index(method)])


def sampling_deviation(mean: float) -> float:
    """The standard deviation of the share won in GAMES_EACH games, each won with this probability."""
    return math.sqrt(mean * (1 - mean) / GAMES_EACH)


def expected(statistic: str, mean: float) -> tuple[float, float]:
    """A statistic of REPETITIONS matches between two fixed strategies, and how much it varies from table to table.

    Places in the order of n normal numbers are expected at the quantiles (place - 3/8)/(n + 1/4) (Blom 1958); a quartile lies
    between two of them, as statistics programs put it.
    """
    n, deviation, normal = REPETITIONS, sampling_deviation(mean), NormalDist()
    if statistic == "std":
        return deviation, deviation / math.sqrt(2 * (n - 1))
    if statistic == "mean":
        return mean, deviation / math.sqrt(n)
    share = {"min": 0.0, "25%": 0.25, "50%": 0.5, "75%": 0.75, "max": 1.0}[statistic]
    place = 1 + share * (n - 1)
    below = min(math.floor(place), n - 1)
    low, high = (normal.inv_cdf((one - 0.375) / (n + 0.25)) for one in (below, below + 1))
    at = low + (place - below) * (high - low)
    if statistic in ("min", "max"):
        spread = _EXTREME_SPREAD
    else:
        spread = math.sqrt(share * (1 - share) / n) / normal.pdf(normal.inv_cdf(share))
    return mean + deviation * at, deviation * spread


_EXTREME_SPREAD = 0.43
"""The standard deviation of the largest of 100 normal numbers."""
