"""`facedown play`: a person against agents."""

from __future__ import annotations

from pathlib import Path

from facedown.agents.human import HELP, LeftGameError, human
from facedown.arena.follow import Follower, Move
from facedown.arena.lineup import Lineup
from facedown.arena.match import check_seed
from facedown.arena.transcript import finish
from facedown.errors import UsageError
from facedown.games.registry import game as find_game


def run(spec: str, against: list[str], seat: int, seed: int | None, save: str | None) -> None:
    """Play one game, then show the score and where the transcript is."""
    game = find_game(spec)
    n_players = game.n_players
    if not 0 <= seat < n_players:
        raise UsageError(f"--seat {seat}: {game} has seats 0 to {n_players - 1}")
    others = against or ["uniform"] * (n_players - 1)
    if len(others) == 1:
        others = others * (n_players - 1)
    if len(others) != n_players - 1:
        raise UsageError(f"{game} has {n_players - 1} other players, but --against names {len(others)}")
    seed = check_seed(seed)
    target = _target(save, game.name, seed)
    lineup = Lineup(game, [*others[:seat], human(game), *others[seat:]], swap=False)
    names = ", ".join(f"player {place}: {agent}" for place, agent in enumerate(lineup.agents) if place != seat)
    print(f"{game.title}: you are player {seat}; {names or 'nobody else plays'}. Seed {seed}.\n{HELP}")
    follower = Follower(lineup, seed, 0)
    start = follower.start()
    moves: list[Move] = []
    try:
        _play_on(follower, seat, moves)
    except (LeftGameError, KeyboardInterrupt) as left:
        finish(follower, start, moves).write(target)
        print(f"The game so far is in {target}; look at it with: facedown replay {target}")
        if isinstance(left, LeftGameError) and "you left" in str(left):
            return
        raise
    transcript = finish(follower, start, moves)
    transcript.write(target)
    assert transcript.scores is not None
    print(f"\n{game.describe(follower.position.view(seat))}")
    for place in range(n_players):  # it is over: nothing needs to be hidden any more
        if place != seat:
            print(f"Player {place} saw: {game.describe(follower.position.view(place))}")
    scores = ", ".join(
        f"{'you' if place == seat else f'player {place}'} {score:g}" for place, score in enumerate(transcript.scores)
    )
    best = max(transcript.scores)
    alone = transcript.scores.count(best) == 1
    ending = (
        "You win."
        if alone and transcript.scores[seat] == best
        else "A draw."
        if transcript.scores[seat] == best
        else "You lose."
    )
    print(f"\nScore: {scores}. {ending}\nTranscript: {target}; look at it with: facedown replay {target}")


def _play_on(follower: Follower, seat: int, moves: list[Move]) -> None:
    """Play to the end, telling the person what the others do, in the words of the person's own view."""
    game = follower.lineup.game
    unfolding = follower.moves()
    n_told, n_rounds = 0, 0
    while True:
        before = follower.position.view(seat)
        if game.rounds and int(before[game.rounds]) > n_rounds:
            n_rounds = int(before[game.rounds])
            _tell_thoughts(moves[n_told:], seat, f"What the others thought in round {n_rounds}")
            n_told = len(moves)
        move = next(unfolding, None)
        if move is None:
            _tell_thoughts(moves[n_told:], seat, "What the others thought")
            return
        moves.append(move)
        if move.player != seat:
            print(f"  player {move.player}: {game.action_name(before, move.action)}")
            continue
        if move.forced:
            print(f"  you: {move.name} (your only move)")
        if not follower.position.over and follower.position.turn() != seat:
            print(f"  {game.describe(follower.position.view(seat))}")


def _tell_thoughts(moves: list[Move], seat: int, title: str) -> None:
    """Why the others moved as they did, where they tell; only when it cannot help anybody any more."""
    told = [f"  player {move.player}, {move.name}: {move.reason}" for move in moves if move.player != seat and move.reason]
    if told:
        print("\n".join(["", f"{title}:", *told]))


def _target(save: str | None, game: str, seed: int) -> Path:
    """Where the transcript goes: never over a file that is there, unless the user named it."""
    if save:
        if not Path(save).absolute().parent.is_dir():
            raise UsageError(f"--save {save}: there is no directory '{Path(save).parent}'")
        return Path(save)
    numbers = ["", *(f"-{number}" for number in range(2, 1000))]
    return next(path for number in numbers if not (path := Path(f"{game}-{seed}{number}.transcript")).exists())
