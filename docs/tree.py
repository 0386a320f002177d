"""The annotated tree of the repository: every directory, and every module of the package with its subject."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

# Directories and files that cannot say themselves what they are.
WORDS = {
    ".ci": "what the build server runs",
    ".gitignore": "what is not kept",
    "LICENSE": "MIT",
    "Makefile": "`make demo`, `make test`, `make lint`, `make bench`, `make docs`",
    "benchmarks": "speed, measured; figures as ratios to peers in the same run",
    "docs": "these pages, and the program that writes their tables",
    "docs/games": "one page a game",
    "docs/games/hanabi-league.json": "what docs/league.py has measured",
    "docs/pictures": "drawn by docs/generate.py",
    "examples": "a game and a script outside the package",
    "pyproject.toml": "the package, its dependencies, and the settings of its tools",
    "src": "the package",
    "src/facedown/agents": "players: for any game, and of one game",
    "src/facedown/agents/cant_stop/turn_exact.npz": "what `turn_exact` has learnt: facedown learn, 9000 games, seed 1",
    "src/facedown/agents/hanabi/reinforced2.npz": "what `reinforced2` has learnt: facedown learn, 500,000 games, seed 1",
    "src/facedown/agents/hanabi/tuned.npz": "how the searches for tuned weights went; `tuned.py` has their commands",
    "src/facedown/agents/hanabi/reinforced4.npz": "what `reinforced4` has learnt: facedown learn, 500,000 games, seed 2",
    "src/facedown/arena": "matches, statistics, transcripts",
    "src/facedown/check": "the conformance suite",
    "src/facedown/cli": "the command line",
    "src/facedown/games": "the game contract, and a file or a folder of rules for each game",
    "src/facedown/papers": "published figures beside ours",
    "src/facedown/papers/page.css": "how the report looks",
    "src/facedown/py.typed": "tells type checkers that the package is typed",
    "src/facedown/solving": "equilibria and best responses",
    "src/facedown/web/static": "what pages load: style, one module, htmx, covers of the games",
    "src/facedown/web/static/covers": "drawn by docs/covers.py",
    "src/facedown/web/templates": "the pages",
    "tests": "the test-suite: as the package, folder by folder",
    "tests/docs": "the pages, the layers, the public names",
    "tests/examples": "the example game against OpenSpiel's, the example script",
    "tests/goldens": "small transcripts that must come out again, byte for byte",
}
_SENTENCE_END = re.compile(r"(?<!al)\.\s+(?=[A-Z])")  # "et al." ends no sentence
# Only the directories of these are listed, not their files.
FOLDED = ("tests", ".ci", "docs/pictures", "src/facedown/web/static", "src/facedown/web/templates")


def files() -> list[Path]:
    """The files of the repository, those that are not added yet included and ignored ones not."""
    command = ["git", "-C", str(ROOT), "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return sorted(path for line in listed if (path := ROOT / line).is_file())


def subject(path: Path) -> str:
    """What a file or directory is about: what it says itself, or what is said here."""
    name = path.relative_to(ROOT).as_posix()
    if path.is_dir():
        path = path / "__init__.py"
    text = path.read_text(encoding="utf-8") if path.is_file() and path.suffix in {".py", ".md"} else ""
    said = ""
    if path.suffix == ".py":
        said = _first_sentence(ast.get_docstring(ast.parse(text)) or "")
    elif path.suffix == ".md":
        said = next((line.removeprefix("# ") for line in text.splitlines() if line.startswith("# ")), "")
    return said or WORDS.get(name, "")


def _first_sentence(docstring: str) -> str:
    paragraph = " ".join(docstring.partition("\n\n")[0].split())
    return _SENTENCE_END.split(paragraph)[0].removesuffix(".")


def tree() -> str:
    """The tree as a fenced block."""
    listed: set[Path] = set()
    for path in files():
        relative = path.relative_to(ROOT)
        folded = next((top for top in FOLDED if relative.is_relative_to(top)), None)
        if folded is None and path.name != "__init__.py":
            listed.add(path)
        listed.update(ROOT / parent for parent in relative.parents if parent != Path())
    lines = []
    for path in sorted(listed, key=lambda path: path.relative_to(ROOT).parts):
        depth = len(path.relative_to(ROOT).parts) - 1
        name = f"{'    ' * depth}{path.name}{'/' if path.is_dir() else ''}"
        lines.append(f"{name:<34} {subject(path)}".rstrip())
    return "\n".join(["```text", *lines, "```"])
