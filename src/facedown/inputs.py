"""Checks of arguments that many functions share: whole numbers within limits, seeds, threads."""

from __future__ import annotations

import os
from numbers import Integral
from typing import Any

from facedown.errors import UsageError

LARGEST_SEED = 2**63 - 1
MAX_GAMES = 2**63 - 1
"""Games of a run are numbered in 64 bits."""
MAX_ITERATIONS = 2**53
"""Solvers weigh by the number of iterations, in floating point."""
MAX_THREADS = 4096


def whole_number(name: str, value: Any, low: int, high: int | None = None, why: str = "") -> int:
    """The number, if it is whole and within its limits; `why` says what they are for, as in "since ...".

    >>> whole_number("threads", 2, 1, 64)
    2
    """
    if not is_whole(value) or value < low or (high is not None and value > high):
        limits, reason = f"from {low} on" if high is None else f"from {low} to {high}", f", {why}" if why else ""
        raise UsageError(f"{name}={shown(value)}: a whole number {limits} is needed{reason}")
    return int(value)


def is_whole(value: Any) -> bool:
    """Whether it is a whole number, NumPy's included; truth values are none."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def shown(value: Any) -> str:
    """A value in an error; numbers of thousands of digits, which Python does not write down, by their length."""
    try:
        return str(value)
    except ValueError:
        return f"a number of about {int(value.bit_length() * 0.30103):,} digits"


def check_seed(seed: int | None) -> int:
    """The seed to use: the one given, if it can be one, or one drawn by the machine."""
    if seed is None:
        return int.from_bytes(os.urandom(7), "little") >> 3  # 53 bits: too many to try, and a number in any JSON
    if not is_whole(seed) or not 0 <= seed <= LARGEST_SEED:
        raise UsageError(f"seed={shown(seed)}: a seed is a whole number from 0 to {LARGEST_SEED}")
    return int(seed)


def check_threads(threads: int | None) -> int:
    """How many threads to use: as many as given, or one for each core."""
    if threads is None:
        return cores()
    return whole_number("threads", threads, 1, MAX_THREADS)


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
