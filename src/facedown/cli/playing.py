"""`facedown play`: a person against agents, at the terminal, on the same session and in the same sentences as the pages."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections.abc import Callable
from itertools import groupby
from pathlib import Path

from facedown import plugins
from facedown.agents.generic.human import HELP, LeftGameError, ask_move, human, is_human
from facedown.arena.follow import Move
from facedown.arena.hindsight import advise, judge_for
from facedown.arena.session import Session
from facedown.arena.worlds import believe
from facedown.cli.output import NARROWEST, piped_width
from facedown.errors import UsageError
from facedown.files import place_for
from facedown.games.contract import Game
from facedown.games.registry import game as find_game
from facedown.games.text import rules_text
from facedown.inputs import check_seed

_MORE = "rules how it is played   know what you can know   hint what an agent would do   log all that happened"
N_SHOWN = 6
BOLD, _DIM, PLAIN = "\033[1m", "\033[2m", "\033[0m"


def run(spec: str, against: list[str], seat: int, seed: int | None, save: str | None, resume: str | None = None) -> None:
    """Play games until the person has had enough, and show how each ended and where its transcript is."""
    game = find_game(spec)
    if resume is not None:
        if against or seat or seed is not None or save:
            raise UsageError("--resume goes on with a game as it is; leave out --against, --seat, --seed and --save")
        session, target, seat = _resumed(game, resume)
        names = [agent.spec for place, agent in enumerate(session.agents) if place != seat]
    else:
        names = _others(game, against, seat)
        session, target = _begun(game, names, seat, check_seed(seed), save)
    totals = [0.0] * game.n_players
    while True:
        _play(session, target, seat)
        for place, score in enumerate(session.scores()):
            totals[place] += score
        if not sys.stdin.isatty() or not _asked_again():
            return
        _say(f"So far: {_scores_text(totals, seat)}.")
        session, target = _begun(game, names, seat, check_seed(None), None)


def _others(game: Game, against: list[str], seat: int) -> list[str]:
    n_players = game.n_players
    if not 0 <= seat < n_players:
        raise UsageError(f"--seat {seat}: {game} has seats 0 to {n_players - 1}")
    others = against or ["uniform"] * (n_players - 1)
    if len(others) == 1:
        others = others * (n_players - 1)
    if len(others) != n_players - 1:
        raise UsageError(f"{game} has {n_players - 1} other players, but --against names {len(others)}")
    return others


def _begun(game: Game, others: list[str], seat: int, seed: int, save: str | None) -> tuple[Session, Path]:
    target = _target(save, game.name, seed)
    session = Session(game, [*others[:seat], human(game), *others[seat:]], seed, advance=False)
    session.save(target)
    return session, target


def _resumed(game: Game, file: str) -> tuple[Session, Path, int]:
    session = Session.load(file)
    people = [place for place, agent in enumerate(session.agents) if is_human(agent)]
    if str(session.game) != str(game):
        raise UsageError(f"{file} is a game of {session.game}, not of {game}")
    if len(people) != 1 or session.over:
        raise UsageError(f"{file} cannot be gone on with: {'it is over' if session.over else f'{len(people)} people play it'}")
    return session, Path(file), people[0]


def _play(session: Session, target: Path, seat: int) -> None:
    game = session.game
    names = ", ".join(f"player {place}: {agent}" for place, agent in enumerate(session.agents) if place != seat)
    _say(_in(BOLD, f"{game.title}: you are player {seat}; {names or 'nobody else plays'}. Seed {session.seed}."))
    _say(f"{HELP}\n{_MORE}")
    for line in session.log(seat):
        _say(f"  {line}")
    session.on_move = _Teller(session, seat)
    try:
        session.advance()
        while (asked := session.waiting_for) is not None:
            legal = list(session.legal(asked))
            commands = _commands(session, asked)
            session.play(asked, ask_move(game, session.view(asked), legal, None, _say, commands, _width()))
    except (LeftGameError, KeyboardInterrupt) as left:
        session.transcript().write(target)
        again = plugins.command("facedown", "play", game.spec, "--resume", str(target))
        _say(f"The game so far is in {target}; go on with: {again}\nLook at it with: facedown replay {target}")
        if isinstance(left, LeftGameError) and "you left" in str(left):
            raise SystemExit(0) from None
        raise
    _show_end(session, seat)
    _say(f"Transcript: {target}; look at it with: facedown replay {target}")


def _commands(session: Session, seat: int) -> dict[str, Callable[[], str]]:
    """What can be typed besides moves."""
    return {
        "?": lambda: f"{_MORE}\n\n{rules_text(session.game)}",
        "rules": lambda: rules_text(session.game),
        "know": lambda: _known(session, seat),
        "hint": lambda: _hint(session, seat),
        "log": lambda: "\n".join(session.log(seat)) or "Nothing has happened yet.",
    }


def _known(session: Session, seat: int) -> str:
    belief = believe(session.game, session.view(seat), seat)
    lines = [f"Deduced: {fact.name} {fact.counts[0][0]}" for fact in belief.deduced]
    for fact in belief.believed:
        counts = ", ".join(f"{value} {count} of {belief.n_worlds}" for value, count in fact.counts[:N_SHOWN])
        lines.append(f"Believed: {fact.name}: {counts}")
    return "\n".join([*lines, f"({belief.model}; {belief.n_worlds} worlds)"]) if lines else "Nothing is hidden here."


def _hint(session: Session, seat: int) -> str:
    advice = session.advice(seat)
    if advice is not None:
        told = f"In your place {advice.agent} would {session.legal(seat)[advice.action]}"
        return f"{told}: {advice.reason}." if advice.reason is not None else f"{told}."
    judge = judge_for(session.game)
    options = sorted(advise(session.game, session.view(seat), list(session.legal(seat)), seat, judge), key=lambda o: -o.value)
    told = "; ".join(f"{option.name} {option.value:.2f}" for option in options[:N_SHOWN])
    return f"Worth, where {judge} plays on in all seats from worlds that fit what you see: {told}."


def _show_end(session: Session, seat: int) -> None:
    """What everybody saw in the end, and the score."""
    _say(f"\n{session.game.describe(session.view(seat))}")
    scores = session.scores()
    for place in range(len(scores)):  # it is over: nothing needs to be hidden any more
        if place != seat:
            _say(f"Player {place} saw: {session.game.describe(session.view(place))}")
    _say(_in(BOLD, f"\n{'' if session.game.team else f'Score: {_scores_text(scores, seat)}. '}{session.ending(seat)}"))


def _scores_text(scores: list[float], seat: int) -> str:
    return ", ".join(f"{'you' if place == seat else f'player {place}'} {score:g}" for place, score in enumerate(scores))


def _asked_again() -> bool:
    try:
        return input("Again? (y/n) ").strip().lower() in {"y", "yes"}
    except EOFError:
        return False


class _Teller:
    """Tells the person what can be seen from the person's own seat, move by move."""

    def __init__(self, session: Session, seat: int):
        self._session, self._seat = session, seat
        self._n_lines, self._n_reasons = len(session.log(seat)), 0

    def __call__(self, move: Move) -> None:
        session, own = self._session, move.player == self._seat
        for line in session.log(self._seat)[self._n_lines :]:
            self._n_lines += 1
            if not own or move.forced or session.game.narrate is not None:  # what they typed just now, they know
                _say(f"  {line}{' (your only move)' if own and move.forced else ''}")
        if own and not session.over and session.turn != self._seat:
            _say(textwrap.indent(session.game.describe(session.view(self._seat)), "  "))
        self._tell_thoughts()

    def _tell_thoughts(self) -> None:
        """Why the others moved as they did, where they tell."""
        fresh = self._session.reasons(self._seat)[self._n_reasons :]
        self._n_reasons += len(fresh)
        for finished, reasons in groupby(fresh, key=lambda reason: reason.round):
            _say(f"\nWhat the others thought{f' in round {finished}' if finished else ''}:")
            for reason in reasons:
                _say(_in(_DIM, f"  player {reason.player}, {reason.name}: {reason.words}"))


# --- the screen -------------------------------------------------------------------------------------------------------------


def _width() -> int:
    if not sys.stdout.isatty():
        return piped_width()
    return max(shutil.get_terminal_size().columns, NARROWEST)


def _say(text: str) -> None:
    """Print lines, each folded between words where the terminal is narrower."""
    for line in text.split("\n"):
        indent = " " * (len(line) - len(line.lstrip()))
        folded = textwrap.wrap(
            line,
            _width(),
            subsequent_indent=indent,
            drop_whitespace=True,
            break_on_hyphens=False,
            break_long_words=False,
            replace_whitespace=False,
        )
        print("\n".join(folded) if folded else "")


def _in(look: str, text: str) -> str:
    """Text that looks like this, where colours are wanted."""
    return f"{look}{text}{PLAIN}" if sys.stdout.isatty() and not os.environ.get("NO_COLOR") else text


def _target(save: str | None, game: str, seed: int) -> Path:
    """Where the transcript goes: never over a file that is there, unless the user named it."""
    if save:
        return place_for(save, f"--save {save}")
    numbers = ["", *(f"-{number}" for number in range(2, 1000))]
    return next(path for number in numbers if not (path := Path(f"{game}-{seed}{number}.transcript")).exists())
