"""The layers, the public names and the `__init__.py` files are what the architecture says they are."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import facedown

PACKAGE = Path(facedown.__file__).parent

# Lower ones first; a module imports from its own layer and from lower ones. Those of the first line are single modules.
LAYERS = (
    ("errors", "files", "forecast", "inputs", "pages", "plugins", "progress", "seeds", "specs"),
    ("native", "pictures"),
    ("games",),
    ("policies",),
    ("agents",),
    ("arena",),
    ("racing",),
    ("trees",),
    ("solving",),
    ("tuning",),
    ("learning",),
    ("check",),
    ("papers",),
    ("web",),
    ("cli",),
)
HEIGHT = {name: height for height, names in enumerate(LAYERS) for name in names}
COMPILERS = {"numba", "llvmlite"}

PUBLIC = [
    "OVER",
    "Agent",
    "Choice",
    "Column",
    "ExploitResult",
    "FacedownError",
    "Game",
    "LeagueResult",
    "LearnResult",
    "MatchResult",
    "Option",
    "Parameter",
    "Preset",
    "RaceResult",
    "Reason",
    "Session",
    "Solution",
    "TrainResult",
    "Transcript",
    "TuneResult",
    "UsageError",
    "agents",
    "exploit",
    "game",
    "games",
    "league",
    "learn",
    "load_solution",
    "match",
    "plan",
    "race",
    "read_transcript",
    "session",
    "solve",
    "train",
    "transcribe",
    "tune",
]


def modules() -> dict[str, Path]:
    """Every module of the package, by its dotted name."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports(name: str, source: str, is_package: bool) -> Iterator[tuple[str, int]]:
    """The dotted names that a module imports anywhere, inside functions too, each with its line."""
    package = name if is_package else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                base = importlib.util.resolve_name("." * node.level + base, package)
            # `from facedown import plugins` names a module, `from facedown.errors import unknown` a thing in one
            yield from ((f"{base}.{alias.name}", node.lineno) for alias in node.names)


def layer(dotted: str) -> str | None:
    """The layer that a name of the package belongs to; None for other packages and for the package's own public names."""
    parts = dotted.split(".")
    return parts[1] if parts[0] == "facedown" and len(parts) > 1 and parts[1] in HEIGHT else None


def violations(name: str, source: str, is_package: bool) -> list[str]:
    """Sentences on imports that go upwards or reach for the compiler."""
    own, found = layer(name), []
    for target, line in imports(name, source, is_package):
        above = layer(target)
        if own is not None and above is not None and HEIGHT[above] > HEIGHT[own]:
            found.append(f"{name}, line {line}: {own} must not import {target}; {above} lies above it")
        if target.partition(".")[0] in COMPILERS and own != "native":
            found.append(f"{name}, line {line}: only facedown.native may import {target.partition('.')[0]}")
        if target.partition(".")[0] == "facedown_bench":
            found.append(f"{name}, line {line}: benchmarks are not part of the package")
        is_public = target.startswith("facedown.") and above is None and not target.endswith("__")
        if own is not None and is_public:
            found.append(f"{name}, line {line}: import {target.rpartition('.')[2]} from the module that defines it")
    return found


@pytest.mark.parametrize("name", sorted(modules()))
def test_imports_go_downwards_only(name: str) -> None:
    path = modules()[name]
    assert violations(name, path.read_text(), path.name == "__init__.py") == []


def test_every_module_belongs_to_a_layer() -> None:
    outside = {name for name in modules() if layer(name) is None} - {"facedown", "facedown.__main__"}
    assert outside == set(), "give new packages a place in LAYERS, and in docs/architecture.md"


@pytest.mark.parametrize(
    ("name", "source", "words"),
    [
        ("facedown.games.go", "from facedown.arena.match import match", "arena lies above it"),
        ("facedown.games.go", "def f():\n    import facedown.cli.main", "cli lies above it"),
        ("facedown.errors", "from facedown import native", "native lies above it"),
        ("facedown.agents.go", "from ..solving import tree", "solving lies above it"),
        ("facedown.arena.go", "from numba import njit", "only facedown.native may import numba"),
        ("facedown.games.go", "from facedown import match", "from the module that defines it"),
        ("facedown.cli.go", "import facedown_bench", "not part of the package"),
    ],
)
def test_a_wrong_import_is_seen(name: str, source: str, words: str) -> None:
    (sentence,) = violations(name, source, is_package=False)
    assert words in sentence


def test_a_right_import_is_not_seen() -> None:
    source = "import numpy\nfrom facedown import plugins\nfrom facedown.native.jit import native\nfrom .contract import Game"
    assert violations("facedown.games.go", source, is_package=False) == []


# --- public names -------------------------------------------------------------------------------------------------------


def test_public_names_are_frozen() -> None:
    assert facedown.__all__ == PUBLIC, "public names are a promise: add with care, note it in CHANGELOG.md, then change PUBLIC"


def test_public_names_are_found_where_they_are_defined() -> None:
    assert set(facedown.__all__) == {*facedown._PUBLIC, "agents", "games"}
    for name in facedown._PUBLIC:
        home = importlib.import_module(facedown._PUBLIC[name])
        assert getattr(facedown, name) is getattr(home, name)
        assert getattr(getattr(home, name), "__module__", home.__name__) == home.__name__


def test_type_checkers_see_the_same_names() -> None:
    tree = ast.parse((PACKAGE / "__init__.py").read_text())
    seen = {
        alias.name: node.module
        for condition in tree.body
        if isinstance(condition, ast.If)
        for node in condition.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    packages = {"GamesPackage": "facedown.games.listing", "AgentsPackage": "facedown.agents.listing"}
    assert seen == facedown._PUBLIC | packages


def test_completion_shows_the_public_names() -> None:
    assert set(PUBLIC) <= set(dir(facedown))
    assert "check" in dir(facedown)
    assert not [name for name in dir(facedown) if name.startswith("_") and not name.startswith("__")]


CALLABLE = """
import sys
{first}
import facedown as fd
{second}
assert "kuhn" in fd.games().names and "uniform" in fd.agents("kuhn").names
assert fd.games is sys.modules["facedown.games"] and fd.agents is sys.modules["facedown.agents"]
from facedown import agents, games
from facedown.games import registry
assert games() and agents("kuhn") and registry.game("kuhn").name == "kuhn"
assert fd.game("kuhn").name == "kuhn" and fd.train.__name__ == "train" and fd.exploit.__name__ == "exploit"
"""


@pytest.mark.parametrize("inside", ["facedown.games.registry", "facedown.agents.registry", "facedown.solving.train"])
def test_packages_can_be_called_whatever_is_imported_first(inside: str) -> None:
    for first, second in ((f"import {inside}", ""), ("", f"fd.games; fd.agents\nimport {inside}")):
        program = CALLABLE.format(first=first, second=second)
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'macth'"):
        _ = facedown.macth  # type: ignore[attr-defined]


def test_importing_the_package_does_not_import_the_compiler() -> None:
    script = "import sys, facedown, facedown.games.registry as r; r.names(); sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script]).returncode == 0


def not_a_listing(source: str) -> list[str]:
    """Statements of an `__init__.py` that are more than a docstring, imports and the list of names."""
    found = []
    for node in ast.parse(source).body:
        is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        targets = [ast.unparse(target) for target in node.targets] if isinstance(node, ast.Assign) else []
        # the second makes a package that can be called, see `facedown.games.listing`
        is_names = targets in (["__all__"], ["sys.modules[__name__].__class__"])
        if not (is_docstring or is_names or isinstance(node, ast.Import | ast.ImportFrom)):
            found.append(ast.unparse(node).splitlines()[0])
    return found


@pytest.mark.parametrize("path", sorted(PACKAGE.glob("*/**/__init__.py")), ids=lambda path: path.parent.name)
def test_init_files_list_names_and_nothing_else(path: Path) -> None:
    assert not_a_listing(path.read_text()) == []
    module = importlib.import_module(".".join(path.parent.relative_to(PACKAGE.parent).parts))
    for name in getattr(module, "__all__", []):
        assert hasattr(module, name), f"{module.__name__} lists '{name}' and does not have it"


def test_the_package_itself_lists_names_and_how_to_find_them() -> None:
    # lazily, so that `facedown --help` is quick: a table of names, and the function that looks there
    allowed = ("if TYPE_CHECKING:", "__version__ =", "_PUBLIC =", "_PACKAGES =", "def __getattr__", "def __dir__")
    assert [line for line in not_a_listing((PACKAGE / "__init__.py").read_text()) if not line.startswith(allowed)] == []


def test_a_statement_in_an_init_file_is_seen() -> None:
    assert not_a_listing('"""Words."""\nfrom a import b\n__all__ = ["b"]\nb.register()') == ["b.register()"]
