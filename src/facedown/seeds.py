"""Seeds from a seed: for parts of a run that must share no deal and no draw with each other."""

from __future__ import annotations

import hashlib


def derived_seed(seed: int, *labels: str | int) -> int:
    """A seed for a part of a run, named by its labels: 63 bits that tell nothing of the seed they were made from.

    >>> derived_seed(1, "pair", 0) == derived_seed(1, "pair", 0)
    True
    >>> len({derived_seed(seed, "pair", number) for seed in range(10) for number in range(10)})
    100
    """
    text = "\0".join(str(part) for part in (seed, *labels))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big") >> 1
