"""What a best response to a policy is worth at least, for games that are too large to look at whole.

1. Learn: the responder walks by external sampling with regret matching+, while all others move by the policy, which
   stays as it is (uniformly where it has no row). This is regret minimisation against fixed opponents, so the responder
   approaches a best response; it ends with the action of largest regret in every information set that it met.
2. Measure: the response plays fresh games, drawn from another seed, against the policy.

The mean of these games is an unbiased estimate of what this response is worth, and no response is worth more than a
best response: so it is a lower bound of the best response value, up to the standard error that comes with it.
"""

from __future__ import annotations

from typing import NamedTuple

from facedown.agents.generic.table import table_agent
from facedown.arena.match import match
from facedown.games.contract import Game
from facedown.games.registry import game as find_game
from facedown.inputs import MAX_ITERATIONS, check_seed, whole_number
from facedown.policies.policy import Policy, check_policy
from facedown.seeds import derived_seed
from facedown.solving.mccfr.solver import SampledSolver


class ResponseValue(NamedTuple):
    """What a response to a policy scored on average."""

    value: float
    stderr: float

    def __str__(self) -> str:
        return (
            f"a best response is worth at least {self.value:.6g} ± {self.stderr:.2g} (mean and standard error of fresh games "
            f"of a response that was learnt by sampling)"
        )


def approximate_best_response(
    game: str | Game,
    policy: Policy,
    player: int,
    *,
    iterations: int = 100_000,
    games: int = 100_000,
    seed: int | None = None,
    threads: int | None = None,
) -> ResponseValue:
    """A lower bound of what `player` can get against everybody else's `policy`, with its standard error.

    iterations   walks to learn from; more bring the bound closer to the best response value
    games        fresh games to measure; more make the standard error smaller
    """
    found = find_game(game)
    check_policy(policy, "this policy", found)
    player = whole_number("player", player, 0, found.n_players - 1, f"since {found} has {found.n_players} players")
    iterations, seed = whole_number("iterations", iterations, 1, MAX_ITERATIONS), check_seed(seed)
    response = learn_response(found, policy, player, iterations, seed)
    seats = [table_agent(policy.of_player(seat) if seat != player else response) for seat in range(found.n_players)]
    # the streams of learning and measuring must have nothing in common
    fresh = derived_seed(seed, "measuring")
    result = match(found, seats, games=games, seed=fresh, swap=False, threads=threads)
    return ResponseValue(result.mean[player], result.stderr[player])


def learn_response(game: Game, policy: Policy, player: int, iterations: int, seed: int) -> Policy:
    """What `player` does in answer to everybody else's policy, as far as sampling found it out; one action in each set."""
    solver = SampledSolver(game, "external-sampling", seed, plus=True)
    solver.answer(policy, player)
    solver.run(iterations)
    return solver.greedy(player)
