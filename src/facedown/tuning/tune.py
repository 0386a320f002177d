"""Tuning an agent: `tune` moves its parameters until it plays better, and shows that it does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from pathlib import Path

from facedown.agents.contract import Agent
from facedown.agents.registry import agent as find_agent
from facedown.arena.portable import check_portable
from facedown.arena.workers import Workers
from facedown.errors import Interrupted, UsageError, unknown
from facedown.games.contract import Game
from facedown.games.registry import game as find_game
from facedown.inputs import check_seed, check_threads
from facedown.progress import Callback
from facedown.racing.methods import Setting
from facedown.tuning import request as requests
from facedown.tuning.exact import exact_exploitability
from facedown.tuning.journal import Journal
from facedown.tuning.objectives import Referee
from facedown.tuning.request import DEFAULT_METHOD, DEFAULT_RACE, DEFAULT_RULE, RECOMMENDED, STARTS, Request
from facedown.tuning.result import TuneResult
from facedown.tuning.running import Run
from facedown.tuning.space import space_of


def tune(
    game: str | Game,
    agent: str | Agent,
    *,
    method: str = DEFAULT_METHOD,
    games: int | None = None,
    steps: int | None = None,
    seconds: float | None = None,
    against: str | Agent | Sequence[str | Agent] | None = None,
    race: str = DEFAULT_RACE.method,
    epsilon: float = DEFAULT_RACE.epsilon,
    delta: float = DEFAULT_RACE.delta,
    rule: str | Sequence[float] = DEFAULT_RULE,
    sigma: float = 1.0,
    recommend: str = "champion",
    start: str = "given",
    only: Sequence[str] | None = None,
    bounds: Mapping[str, tuple[float, float]] | Sequence[str] | None = None,
    trial_games: int | None = None,
    seed: int | None = None,
    threads: int | None = None,
    executor: Executor | None = None,
    save: str | Path | None = None,
    resume: str | Path | None = None,
    progress: Callback | None = None,
) -> TuneResult:
    """Move the parameters of an agent until it plays better; the last step is a race against the start, on fresh deals.

    method       iterative, coevolution, approximate, approximate2, spsa, cma or gp
    games        how many to play, the last race included; a million if nothing else ends the search
    steps        stop after this many accepted steps
    seconds      stop after so long; the last race comes on top
    against      agents that candidates are measured by: a field that stays what it is. For cma and gp also "incumbent", for
                 cma "archive"
    race, epsilon, delta   the race that decides on a candidate of the first four methods
    rule         what the step size is multiplied by after success and after failure
    sigma        the step size of the start, in scales (see `tuning.space`)
    recommend    what approximate and approximate2 give back: the "champion" of all accepted candidates, or the "last" of
                 them, as the source does
    start        "given": where the agent stands; "random": a normal step away from there
    only         the parameters to move; all if None
    bounds       ranges to search in, by parameter, narrower than the agent's own
    trial_games  games of one comparison of spsa, cma and gp
    threads      how many to use; all cores if None
    executor     anything with `submit`, such as Dask's, instead of threads
    save         a file that keeps the run
    resume       go on from such a file, as if it had not stopped; all else must be as it was
    progress     called after every trial; the details hold `games`, `steps`, `best`, and `mean` and `interval` of the trial
                 in which that was accepted

    The same seed gives the same history, whatever the number of threads. Ctrl-C raises `Interrupted`, whose `result` holds
    what was found so far.
    """
    found = find_game(game)
    requests.check_method(method)
    budget = requests.check_budget(games, steps, seconds, method)
    if start not in STARTS:
        raise unknown("start", start, STARTS)
    if recommend not in RECOMMENDED:
        raise unknown("recommendation", recommend, RECOMMENDED)
    who, named = requests.check_against(against, method)
    if found.team and method in ("cma", "gp") and not named:
        who = "score"
    asked = Request(
        game=found,
        space=space_of(find_agent(agent, found), only, requests.check_bounds(bounds)),
        method=method,
        field=(),
        against=who,
        race=Setting(race, epsilon, delta),
        rule=requests.check_rule(rule),
        sigma=requests.check_sigma(sigma),
        recommend=recommend,
        begin=start,
        trial_games=requests.check_trial(trial_games, method, budget[0]),
        games=budget[0],
        steps=budget[1],
        seconds=budget[2],
        seed=check_seed(seed),
    )
    return _run(asked, named, check_threads(threads), executor, save, resume, progress)


def _run(
    asked: Request,
    named: list[str | Agent],
    n_threads: int,
    executor: Executor | None,
    save: str | Path | None,
    resume: str | Path | None,
    progress: Callback | None,
) -> TuneResult:
    if save is not None and resume is not None:
        raise UsageError(
            f"save={save} and resume={resume}: a run that goes on is kept in the file that it came from; leave save out"
        )
    rivals = [find_agent(other, asked.game) for other in named]
    sources = check_portable(asked.game, [asked.space.agent, *rivals]) if executor is not None else ()
    with Workers(n_threads, executor, sources) as workers:
        referee = Referee(asked.space, asked.game, rivals, asked.seed, workers)
        asked = replace(asked, field=referee.field)
        file = save if resume is None else resume
        journal = None if file is None else Journal(file, asked.description(), resume is not None)
        run = Run(asked, referee, journal)
        try:
            run.play(progress)
        except KeyboardInterrupt:
            how = f"; go on with --resume {file}" if file else ""
            raise Interrupted(f"interrupted after {run.n_games:,} games{how}", run.result()) from None
    result = run.result()
    return replace(result, exploitability=exact_exploitability(asked.game, asked.space.agent, result.parameters))
