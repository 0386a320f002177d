"""Finding games and agents that live elsewhere: in a file that the user names, or in an installed package."""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import shlex
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any

from facedown.errors import FacedownError, UsageError
from facedown.files import user_path

_READERS = {".efg": "facedown.games.gambit.game"}
"""Files that hold a whole game, by the end of their names, and the module that loads them; imported when one is named."""


def is_path(name: str) -> bool:
    """Whether a name points to a file: `./mygame.py:GAME`, `./mygame.efg`."""
    return ".py:" in name or name.endswith((".py", *_READERS))


def load_path(name: str, default: str) -> tuple[Any, Any, str]:
    """The object that `file.py:NAME` points to, its module, and the text that finds it again from anywhere."""
    if name.endswith(tuple(_READERS)):
        return _load_game_file(user_path(name))
    file, _, attribute = name.partition(".py:")
    path = user_path(file if file.endswith(".py") else file + ".py")
    attribute = attribute or default
    if not path.is_file():
        raise UsageError(f"there is no file '{path}'; write a path and a name in it, such as ./mygame.py:{default}")
    module = _module_at(path.resolve())
    if not hasattr(module, attribute):
        raise UsageError(f"'{path}' has no '{attribute}'; it must define {default} = ...")
    return getattr(module, attribute), module, f"{path.resolve()}:{attribute}"


def _load_game_file(path: Path) -> tuple[Any, Any, str]:
    if not path.is_file():
        raise UsageError(f"there is no file '{path}'")
    reader = importlib.import_module(_READERS[path.suffix])
    return reader.load(path.resolve()), reader, str(path.resolve())


@lru_cache
def _module_at(path: Path) -> Any:
    # the module's name is its file's own, so that such files can import each other and machine code finds its sources
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))
    taken = path.stem in sys.modules or path.stem in sys.stdlib_module_names
    name = f"_user_{path.stem}" if taken else path.stem
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except FacedownError as problem:
        del sys.modules[name]
        raise UsageError(f"'{path}': {problem}") from problem
    except (Exception, SystemExit) as problem:
        del sys.modules[name]
        raise UsageError(f"'{path}' cannot be loaded: {type(problem).__name__}: {problem}") from problem
    return module


def command(*words: str) -> str:
    """A command line that can be typed in here: files below this directory are named from here."""
    here = f"{Path.cwd()}/"
    return shlex.join(f"./{word.removeprefix(here)}" if word.startswith(here) else word for word in words)


def entry_points(group: str) -> dict[str, importlib.metadata.EntryPoint]:
    """What installed packages offer under this group, by name."""
    return {point.name: point for point in importlib.metadata.entry_points(group=group)}


def load_entry(point: importlib.metadata.EntryPoint) -> Any:
    """Load what a package offers; a broken one is the user's to know, and breaks nothing else."""
    try:
        return point.load()
    except Exception as problem:
        package = point.dist.name if point.dist else "an unknown package"
        raise FacedownError(
            f"the plug-in '{point.name}' ({point.value}) of {package} is broken: {type(problem).__name__}: {problem}"
        ) from problem


def warn(message: str) -> None:
    """Report a plug-in that is passed over."""
    print(f"facedown: {message}", file=sys.stderr)
