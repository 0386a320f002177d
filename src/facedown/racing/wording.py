"""What a verdict claims, in words: the same on the command line, in `repr` and in JSON.

"Better, or less than 0.01 worse" is not "better". Races name an agent when they have shown that it is not worse by epsilon or
more; only `settle` shows that it is better.
"""

from __future__ import annotations

from facedown.racing.methods import STRICT


def meaning(
    verdict: str,
    agents: tuple[str, str],
    method: str,
    epsilon: float,
    points: float | None = None,
    partners: tuple[str, ...] = (),
) -> str:
    """What has been shown, as a sentence without its full stop; with `points`, told in points of a game.

    >>> meaning("first", ("hold", "stationary"), "duel", 0.01)
    'hold is better than stationary, or less than 0.01 worse'
    >>> meaning("second", ("hold", "stationary"), "settle", 0.01)
    'stationary is better than hold'
    >>> meaning("first", ("smart", "trustful"), "duel", 0.0002, points=0.01)
    'smart is better than trustful, or less than 0.01 points a game worse'
    >>> meaning("first", ("adaptive", "trustful"), "settle", 0.0002, partners=("smart", "cheater"))
    'adaptive is better than trustful, on average beside smart and cheater'
    """
    return _shown(verdict, agents, method, epsilon, points) + beside(partners)


def beside(partners: tuple[str, ...]) -> str:
    """With whom it was played, to follow on what was shown."""
    *others, last = partners or ("",)
    if not others:
        return f", beside {last}" if last else ""
    return f", on average beside {', '.join(others)} and {last}"


def _shown(verdict: str, agents: tuple[str, str], method: str, epsilon: float, points: float | None) -> str:
    first, second = agents
    if verdict == "practically equal" and points is not None:
        return f"{first} and {second} are practically equal: their mean scores differ by less than {points:g} points a game"
    if verdict == "practically equal":
        between = f"between {0.5 - epsilon:g} and {0.5 + epsilon:g}"
        return f"{first} and {second} are practically equal: the mean score of {first} lies {between}"
    if verdict == "undecided":
        return f"undecided: neither {first} nor {second} has been shown to be better"
    winner, loser = (first, second) if verdict == "first" else (second, first)
    return f"{winner} is {better(method, epsilon, f' than {loser}', points)}"


def better(method: str, epsilon: float, than: str = "", points: float | None = None) -> str:
    """What it means for a race of this method that an agent has won it."""
    margin = f"{epsilon:g}" if points is None else f"{points:g} points a game"
    return f"better{than}" if method in STRICT else f"better{than}, or less than {margin} worse"
