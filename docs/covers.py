"""Pictures of the games, one each: for the first page of the lab, the pages in docs/games, and the tests.

python docs/covers.py            rewrites what is stale
python docs/covers.py --check    says what is stale; the tests run it
"""

from __future__ import annotations

import sys
from pathlib import Path

from facedown.arena.transcript import transcribe
from facedown.games.registry import BUILT_IN, game
from facedown.pictures import Picture

TARGET = Path(__file__).parents[1] / "src/facedown/web/static/covers"
SEED = 20
# who plays and after which move one looks: in the middle of things
MOMENTS = {
    "domino": ("uniform", 3),
    "goofspiel": ("uniform", 8),
    "kuhn": ("uniform", 1),
    "leduc": ("uniform", 4),
    "love_letter": ("uniform", 4),
    "rrrats": ("uniform", 9),
    "war": ("uniform", 9),
}


def cover(name: str) -> Picture:
    """A game as whoever is to move sees it."""
    agent, wanted = MOMENTS.get(name, ("uniform", 6))
    found = game(name)
    assert found.draw is not None, f"{name} has no picture"
    for seed in range(SEED, SEED + 100):  # the first game that gets so far
        transcript = transcribe(found, [agent] * found.n_players, seed)
        if len(transcript.moves) > wanted:
            position = transcript.position_at(wanted)
            return found.draw(position.view(position.turn()))
    raise AssertionError(f"no game of {name} has more than {wanted} moves")


def main() -> int:
    """Write the pictures, or say which are stale."""
    stale = []
    TARGET.mkdir(exist_ok=True)
    for name in sorted(BUILT_IN):
        if game(name).draw is None:
            continue
        path, text = TARGET / f"{name}.svg", cover(name).svg() + "\n"
        if not path.exists() or path.read_text() != text:
            stale.append(path)
            if "--check" not in sys.argv:
                path.write_text(text)
    print("\n".join(f"{'stale' if '--check' in sys.argv else 'written'}: {path.name}" for path in stale) or "all is up to date")
    return int(bool(stale) and "--check" in sys.argv)


if __name__ == "__main__":
    sys.exit(main())
