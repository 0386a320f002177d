"""What is asked of tuning: checked at the door, and told again as a command that repeats it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from facedown import plugins
from facedown.agents.contract import Agent, number_text
from facedown.arena.portable import only_here
from facedown.errors import UsageError, unknown
from facedown.games.contract import Game
from facedown.inputs import MAX_GAMES, whole_number
from facedown.pages import facts
from facedown.racing.methods import Setting
from facedown.seeds import derived_seed
from facedown.tuning.evolution import ACCEPTANCE, Evolution
from facedown.tuning.questions import Optimiser
from facedown.tuning.space import Space, Vector

METHODS = (*ACCEPTANCE, "spsa", "cma", "gp")
DEFAULT_METHOD = "approximate"
DEFAULT_GAMES = 1_000_000
DEFAULT_RACE = Setting("duel", 0.02, 0.1)
DEFAULT_RULE = (2.0, 0.84)
_MIN_GAMES = 500
STARTS = ("given", "random")
RECOMMENDED = ("champion", "last")
_OPPONENTS = ("incumbent", "archive")
_SHARE_OF_FINAL, _MIN_FINAL, _MAX_FINAL = 20, 400, 100_000
"""One game in this many is kept for the last race, within these limits."""
_N_STEPS_OF_SPSA, _N_CANDIDATES_OF_CMA, _N_CANDIDATES_OF_GP = 2_000, 2_000, 120
"""How many comparisons a run is divided into, unless the number of games of each is given."""
_MIN_TRIAL = 64


@dataclass(frozen=True)
class Request:
    """A run of an optimiser: everything that its history depends on."""

    game: Game
    space: Space
    method: str
    field: tuple[Agent, ...]
    """Opponents that stay what they are; none: candidates meet each other."""
    against: str
    """incumbent, archive or field; what candidates of spsa, cma and gp meet."""
    race: Setting
    rule: tuple[float, float]
    sigma: float
    recommend: str
    """champion, or last: what approximate and approximate2 give back."""
    begin: str
    trial_games: int
    games: int | None
    steps: int | None
    seconds: float | None
    seed: int

    def start(self) -> Vector:
        """Where the search begins."""
        if self.begin == "given":
            return self.space.start
        rng = np.random.default_rng(derived_seed(self.seed, "start"))
        return self.space.moved(self.space.start, rng.standard_normal(len(self.space.names)))

    def search_games(self) -> int | None:
        """Games of the budget that are left for the search."""
        return None if self.games is None else self.games - final_games(self.games)

    def optimiser(self, deal_games: int) -> Optimiser:
        """The optimiser at its beginning; `deal_games` is the number of games of one observation."""
        rng, start = np.random.default_rng(derived_seed(self.seed, "search")), self.start()
        n_deals = max(self.trial_games // deal_games, 1)
        if self.method in ACCEPTANCE:
            grow, shrink = self.rule
            settings: dict[str, Any] = {"race": self.race, "grow": grow, "shrink": shrink, "sigma": self.sigma}
            champion = self.recommend == "champion"
            return Evolution(self.space, start, rng, method=self.method, champion=champion, **settings)
        if self.method == "spsa":
            from facedown.tuning.spsa import Spsa

            return Spsa(self.space, start, rng, n_deals=(self.search_games() or 0) // deal_games, deals_a_step=n_deals)
        if self.method == "cma":
            from facedown.tuning.covariance import Covariance

            return Covariance(self.space, start, rng, sigma=self.sigma, n_deals=n_deals, against=self.against)
        from facedown.tuning.gaussian import Gaussian

        return Gaussian(self.space, start, rng, n_deals=n_deals, against=self.against)

    def library(self) -> str:
        """Versions of the libraries that have a say in the history."""
        if self.method == "cma":
            from facedown.tuning.covariance import version
        elif self.method == "gp":
            from facedown.tuning.gaussian import version
        else:
            return ""
        return version()

    def description(self) -> dict[str, Any]:
        """All of it, as the first line of a file."""
        return {
            "game": self.game.spec,
            "agent": self.space.agent.spec,
            "parameters": [[p.name, p.low, p.high] for p in self.space.parameters],
            "method": self.method,
            "field": [agent.spec for agent in self.field],
            "against": self.against,
            "race": [self.race.method, self.race.epsilon, self.race.delta],
            "rule": list(self.rule),
            "sigma": self.sigma,
            "recommend": self.recommend,
            "start": self.begin,
            **facts(self, "trial_games games steps seconds seed"),
            "library": self.library(),
        }

    def only_here(self) -> str:
        """What is known to this process only, in a sentence."""
        return only_here(self.game, [self.space.agent, *self.field])

    def repeat(self, games: int | None) -> str:
        """The command that repeats the run; one whose clock stopped it is repeated by its number of games."""
        if self.only_here():
            return ""
        words = ["facedown", "tune", self.game.spec, self.space.agent.spec, "--method", self.method]
        budget: tuple[tuple[str, Any], ...] = (("--games", games), ("--steps", self.steps))
        words += [text for option, value in budget if value is not None for text in (option, str(value))]
        if self.method in ACCEPTANCE:
            words += ["--race", self.race.method, "--epsilon", f"{self.race.epsilon:g}", "--delta", f"{self.race.delta:g}"]
            words += ["--rule", "/".join(f"{factor:g}" for factor in self.rule), "--sigma", f"{self.sigma:g}"]
            words += ["--recommend", self.recommend] if self.recommend != "champion" else []
        else:
            words += ["--trial-games", str(self.trial_games)]
            words += ["--sigma", f"{self.sigma:g}"] if self.method == "cma" else []
            words += ["--against", self.against] if self.method != "spsa" and not self.field else []
        for agent in self.field:
            words += ["--against", agent.spec]
        words += self._space_words()
        words += ["--start", self.begin] if self.begin != "given" else []
        return plugins.command(*words, "--seed", str(self.seed))

    def _space_words(self) -> list[str]:
        known, words = {p.name: p for p in self.space.agent.parameters}, []
        if len(known) > len(self.space.names):
            words += [text for name in self.space.names for text in ("--only", name)]
        for parameter in self.space.parameters:
            if (parameter.low, parameter.high) != (known[parameter.name].low, known[parameter.name].high):
                words += ["--bounds", f"{parameter.name}={number_text(parameter.low)}:{number_text(parameter.high)}"]
        return words


def final_games(games: int) -> int:
    """Games of a budget that are kept for the last race."""
    return min(max(games // _SHARE_OF_FINAL, _MIN_FINAL), _MAX_FINAL)


def whole_budget(search_games: int) -> int:
    """The budget that leaves exactly this many games for the search."""
    games = search_games + _MIN_FINAL
    while games - final_games(games) < search_games:
        games += search_games - (games - final_games(games))
    return games


def check_method(method: str) -> str:
    """The name of a method, if there is one."""
    if method not in METHODS:
        raise unknown("method", method, METHODS)
    return method


def check_rule(rule: str | Sequence[float]) -> tuple[float, float]:
    """What the step size is multiplied by after success, and after failure."""
    parts = rule.split("/") if isinstance(rule, str) else list(rule)
    try:
        grow, shrink = (float(part) for part in parts)
    except (TypeError, ValueError):
        grow = shrink = math.nan
    if not (1 <= grow <= 10 and 0.01 <= shrink <= 1 and grow > shrink):
        raise UsageError(
            f"rule={rule}: two factors of the step size are needed, after success (1 to 10) and after failure (0.01 to 1), "
            f"as in 1.25/.84 or 2/.84"
        )
    return grow, shrink


def check_sigma(sigma: float) -> float:
    """The step size of the start."""
    return _number("sigma", sigma, "the step size of the start, in scales", lambda value: 1e-3 <= value <= 40, "0.001 to 40")


def check_budget(games: Any, steps: Any, seconds: Any, method: str) -> tuple[int | None, int | None, float | None]:
    """How long to search; something must end it."""
    if games is None and steps is None and seconds is None:
        games = DEFAULT_GAMES
    if games is not None:
        games = whole_number("games", games, _MIN_GAMES, MAX_GAMES, "since the last race needs some of them too")
    if steps is not None:
        steps = whole_number("steps", steps, 1, 2**53)
    if seconds is not None:
        seconds = _number("seconds", seconds, "how long to search", lambda value: 0 < value < 1e9, "more than 0")
    if method == "spsa" and games is None:
        raise UsageError("spsa has to know its number of games beforehand, since its steps shrink in proportion; give games")
    return games, steps, seconds


def check_trial(trial_games: Any, method: str, games: int | None) -> int:
    """How many games one comparison has, where no race says so."""
    if method in ACCEPTANCE:
        if trial_games is not None:
            raise UsageError(f"trial_games={trial_games}: the race of {method} decides how many games it needs; leave it out")
        return 0
    if trial_games is not None:
        return whole_number("trial_games", trial_games, 1, games or MAX_GAMES)
    n_trials = {"spsa": _N_STEPS_OF_SPSA, "cma": _N_CANDIDATES_OF_CMA, "gp": _N_CANDIDATES_OF_GP}[method]
    return max((DEFAULT_GAMES if games is None else games) // n_trials, _MIN_TRIAL)


def check_against(against: Sequence[str | Agent] | str | Agent | None, method: str) -> tuple[str, list[str | Agent]]:
    """Whom candidates meet: a word for it, and the field if there is one."""
    named = [] if against is None else [against] if isinstance(against, (str, Agent)) else list(against)
    words = [name for name in named if isinstance(name, str) and name in _OPPONENTS]
    if not words:
        return ("field" if named else "incumbent"), named
    if len(named) > 1:
        raise UsageError(f"against {words[0]} and others: name 'incumbent', or 'archive', or agents")
    if method in ACCEPTANCE or method == "spsa":
        raise UsageError(
            f"against {words[0]}: {method} says itself whom candidates meet (iterative: the incumbent; coevolution, "
            f"approximate and approximate2: the archive; spsa: each other); name agents for a fixed field, or leave it out"
        )
    if method == "gp" and words[0] == "archive":
        raise UsageError("against archive: the model of gp needs one scale, and an archive that grows has none; leave it out")
    return words[0], []


def check_bounds(bounds: Mapping[str, Any] | Sequence[str] | None) -> dict[str, tuple[float, float]]:
    """Ranges by parameter; the command line writes A=-5:5."""
    if bounds is None:
        return {}
    if isinstance(bounds, Mapping):
        return {str(name): tuple(_pair(name, pair)) for name, pair in bounds.items()}  # type: ignore[misc]
    found = {}
    for text in bounds:
        name, equals, pair = text.partition("=")
        if not equals or name in found:
            why = "it is given twice" if name in found else "write NAME=LOW:HIGH, as in A=-5:5"
            raise UsageError(f"bounds '{text}': {why}")
        found[name] = _pair(name, pair.split(":"))
    return found


def _pair(name: str, pair: Any) -> tuple[float, float]:
    try:
        low, high = (float(bound) for bound in pair)
    except (TypeError, ValueError):
        raise UsageError(f"bounds of {name}: {pair} is not two numbers; write the lower and the upper one") from None
    return low, high


def _number(name: str, value: Any, what: str, fits: Callable[[float], bool], limits: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if isinstance(value, bool) or not fits(number):
        raise UsageError(f"{name}={value}: {what}; a number is needed, {limits}")
    return number
