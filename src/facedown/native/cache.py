"""Where machine code is kept between runs, and under which key.

Numba looks only at the file of a function itself when it decides whether cached machine code is still good; a change
in a function that it calls, in another file, goes unnoticed and the old result comes out. Here every function's code
lies in a directory whose name is a digest of all the sources that can reach into it: its own module, the modules
which that one imports, and so on, with the versions of Python, NumPy, Numba and LLVM. Another source is another directory,
so stale code cannot be found.

Sources do not say everything: a table may have been read from a file, a limit from the environment, and two functions
of one name in one file differ only in what they hold. So within its directory code is filed under a digest of all that
the function reaches when it is compiled: its constants, the values of the globals that it names, the functions that it
calls, and what these reach (`reached`). `kept.py` has the files themselves.

`FACEDOWN_CACHE=off` turns the cache off; `FACEDOWN_CACHE=/some/path` moves it.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import platform
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import llvmlite
import numba
import numpy as np
import platformdirs

KEPT_VERSIONS = 6
KEPT_DAYS = 45

# Libraries that are released as a whole: their version, not their source, is what counts, or they cannot reach native code.
_RELEASED = {
    "distributed",
    "fastapi",
    "hypothesis",
    "jinja2",
    "llvmlite",
    "matplotlib",
    "numba",
    "numpy",
    "pandas",
    "platformdirs",
    "pydantic",
    "pytest",
    "rich",
    "scipy",
    "sklearn",
    "starlette",
    "typer",
    "uvicorn",
}


def root() -> Path | None:
    """The cache directory, or None where the cache is off or cannot be used."""
    setting = os.environ.get("FACEDOWN_CACHE", "")
    if setting.lower() in {"off", "0", "no"}:
        return None
    return _usable(Path(setting) if setting else Path(platformdirs.user_cache_dir("facedown")))


@lru_cache
def _usable(directory: Path) -> Path | None:
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=directory):
            return directory
    except OSError as problem:
        if directory.is_dir() and os.access(directory, os.R_OK | os.X_OK):
            return directory  # what others have put there can be read; what is missing is compiled, and not kept
        problem_text = f"{directory} cannot be written ({problem.strerror})"
        print(f"facedown: machine code is not kept: {problem_text}", file=sys.stderr)
        return None


def directory_for(*functions: Callable[..., Any], flags: str = "") -> Path | None:
    """The directory of machine code that is made from these functions and all they can call; None: do not cache.

    Numba tells the functions of one module apart, but not the copies of one template that call different functions:
    where several functions are given, which ones they are is part of the directory's name.
    """
    top = root()
    if top is None:
        return None
    pythons = [getattr(function, "py_func", function) for function in functions]
    sources = []
    for python in pythons:
        source = Path(python.__code__.co_filename)
        if not source.is_file() or python.__closure__:
            return None  # typed at a prompt; or caught values, which no source shows
        sources.append((python.__module__, source))
    group = pythons[0].__module__.rpartition(".")[2] + flags
    if len(pythons) > 1:
        labels = "\0".join(f"{python.__module__}:{python.__qualname__}:{python.__code__.co_firstlineno}" for python in pythons)
        group += "." + hashlib.sha256(labels.encode()).hexdigest()[:10]
    directory = top / f"{group}-{_key(tuple(dict.fromkeys(sources)))}"
    return directory if _claim(directory) else None


@lru_cache
def _claim(directory: Path) -> bool:
    """Create the directory or note that it is in use; a new one is the moment to throw old ones away.

    False where the directory is not there and cannot be made.
    """
    try:
        unused = time.time() - directory.stat().st_mtime
    except OSError:
        try:
            directory.mkdir(parents=True, exist_ok=True)
        except OSError:
            return False
        prune(directory.parent, keep=directory)
        return True
    if unused > 86400:
        with contextlib.suppress(OSError):  # not ours to write
            os.utime(directory)
    return True


def prune(top: Path, keep: Path | None = None) -> list[Path]:
    """Delete directories that are old or have many newer versions beside them; returns what went."""
    versions: dict[str, list[tuple[float, Path]]] = {}
    for entry in top.iterdir():
        if entry.is_dir() and "-" in entry.name:
            with contextlib.suppress(FileNotFoundError):  # another process prunes too
                versions.setdefault(entry.name.rpartition("-")[0], []).append((entry.stat().st_mtime, entry))
    gone = []
    for dated in versions.values():
        for rank, (used, entry) in enumerate(sorted(dated, reverse=True)):
            too_old = time.time() - used > KEPT_DAYS * 86400
            if entry != keep and (rank >= KEPT_VERSIONS or too_old):
                shutil.rmtree(entry, ignore_errors=True)
                gone.append(entry)
    return gone


@lru_cache
def _key(sources: tuple[tuple[str, Path], ...]) -> str:
    digest = hashlib.sha256()
    versions = (platform.python_version(), np.__version__, numba.__version__, llvmlite.__version__)
    options = numba.config
    settings = (options.BOUNDSCHECK, options.OPT, options.DEBUG, options.LOOP_VECTORIZE, options.SLP_VECTORIZE)
    digest.update(repr((versions, settings)).encode())
    for path, content in sorted(source_closure(sources).items()):
        # the path counts too: Numba files code by it, and two copies of a file are two modules
        digest.update(f"{path}\0{content}\0".encode())
    return digest.hexdigest()[:20]


def source_closure(sources: Iterable[tuple[str, Path]]) -> dict[Path, str]:
    """Every source file that the given modules import, directly or not, with a digest of its content."""
    found: dict[Path, str] = {}
    waiting = list(sources)
    while waiting:
        name, path = waiting.pop()
        if path not in found:
            found[path], imported = _source(name, path)
            waiting += imported
    return found


@cache
def _source(name: str, path: Path) -> tuple[str, list[tuple[str, Path]]]:
    """The digest of a source file, and what it imports; a file that is loaded does not change under a running program."""
    content = path.read_bytes()
    return hashlib.sha256(content).hexdigest(), _imports(name, path, content)


_OWN = __name__.partition(".")[0]

# Imports are found by their shape, in a tenth of the time that parsing takes; at worst a docstring adds a file to the key.
_IMPORT = re.compile(
    rb"^[ \t]*(?:import[ \t]+(?P<modules>[\w., \t]+)|from[ \t]+(?P<base>[\w.]+)[ \t]+import[ \t]*(?P<names>\([^)]*\)|[^\n#]+))",
    re.MULTILINE,
)


def _imports(name: str, path: Path, content: bytes) -> list[tuple[str, Path]]:
    """The modules that one source file imports, each with its file."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    wanted: set[str] = set()
    for match in _IMPORT.finditer(content):
        if match["modules"]:
            wanted.update(part.split()[0] for part in match["modules"].decode().split(",") if part.split())
            continue
        base = match["base"].decode()
        if base.startswith("."):
            try:
                base = importlib.util.resolve_name(base, package)
            except ImportError:  # not in a package, or beyond its top
                continue
        wanted.add(base)
        wanted.update(f"{base}.{word}" for word in re.findall(r"\w+", match["names"].decode()))
    # what this package offers to users is a list of names: native code reaches nothing through it
    return [(module, file) for module in wanted if module != _OWN and (file := _file_of(module))]


def _file_of(name: str) -> Path | None:
    """The source file of a module that may reach into native code."""
    if not name or _is_released(name):
        return None
    module = sys.modules.get(name)
    file = getattr(module, "__file__", None) if isinstance(module, ModuleType) else _looked_up(name)
    return Path(file) if file and file.endswith(".py") and Path(file).is_file() else None


def _looked_up(name: str) -> str | None:
    """Where a module that is not loaded would come from, found without loading the package that it is in."""
    parent, _, last = name.rpartition(".")
    home = _file_of(parent)
    if home is None:
        try:
            spec = importlib.util.find_spec(name)
        except (ImportError, AttributeError, ValueError):
            return None
        return spec.origin if spec else None
    if home.name != "__init__.py":
        return None  # something in a module, not a module
    places = (home.parent / f"{last}.py", home.parent / last / "__init__.py")
    return next((str(place) for place in places if place.is_file()), None)


def _is_released(module: str) -> bool:
    top = module.partition(".")[0]
    return top in _RELEASED or top in sys.stdlib_module_names


# --- what the machine code of a function is made from --------------------------------------------------------------------


def reached(function: Callable[..., Any]) -> str:
    """A digest of the code of a function, of the values that it names, and of the functions that it calls."""
    walk = _Walk()
    walk.function(function)
    return walk.digest.hexdigest()


class _Walk:
    def __init__(self) -> None:
        self.digest = hashlib.sha256()
        self._met: dict[Any, int] = {}

    def _note(self, *facts: object) -> None:
        self.digest.update(repr(facts).encode())

    def function(self, function: Any) -> None:
        python = getattr(function, "py_func", function)
        if python in self._met:
            self._note("met", self._met[python])
            return
        self._met[python] = len(self._met)
        names = self._code(python.__code__)
        for cell in python.__closure__ or ():
            self._value(cell.cell_contents, names)
        self._value(python.__defaults__, names)
        for name in sorted(names & python.__globals__.keys()):
            self._note("global", name)
            self._value(python.__globals__[name], names)

    def _code(self, code: CodeType) -> set[str]:
        """Note what a code object does; the names that it looks up."""
        names = set(code.co_names)
        self._note("code", code.co_code.hex(), code.co_names, code.co_varnames)
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                names |= self._code(constant)
            else:
                self._value(constant, names)
        return names

    def _value(self, value: Any, names: set[str]) -> None:
        if isinstance(value, ModuleType):
            if not _is_released(value.__name__):  # of a module count the attributes that the code may look up
                inside = vars(value)
                for name in sorted((names & inside.keys()) - {"__name__"}):
                    if inside[name] is not value:
                        self._note("attribute", name)
                        self._value(inside[name], names)
        elif isinstance(value, FunctionType) or hasattr(value, "py_func"):
            if not _is_released(str(value.__module__)):
                self.function(value)
        elif isinstance(value, np.ndarray):
            self._note("array", value.dtype, value.shape, hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest())
        elif isinstance(value, tuple | list):
            self._note(type(value).__name__, len(value))
            for item in value:
                self._value(item, names)
        elif isinstance(value, frozenset):
            self._note("set", sorted(map(repr, value)))
        elif isinstance(value, int | float | complex | str | bytes | np.generic | np.dtype | type(None)):
            self._note(type(value).__name__, value)
