"""The cache's bookkeeping: which sources make a key, where files lie and when they go.

What a function reaches beyond its sources is in `test_reach.py`; what the cache is for, results that are never stale,
in `test_stale_code.py`.
"""

from __future__ import annotations

import importlib.util
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numba
import pytest

from facedown.native import cache

pytestmark = pytest.mark.usefixtures("clean_imports")
DAY = 86400.0


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of the test's own."""
    monkeypatch.setenv("FACEDOWN_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], Path]:
    """Write a source file where it can be imported."""
    monkeypatch.syspath_prepend(tmp_path)

    def write(name: str, text: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return path

    return write


def load(path: Path, name: str = "") -> ModuleType:
    """Run a source file as a module, without leaving it among the imported ones."""
    spec = importlib.util.spec_from_file_location(name or path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# --- where ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("setting", ["off", "OFF", "0", "no"])
def test_switches(monkeypatch: pytest.MonkeyPatch, setting: str) -> None:
    monkeypatch.setenv("FACEDOWN_CACHE", setting)
    assert cache.root() is None
    assert cache.directory_for(test_switches) is None


def test_it_lies_where_the_setting_says(own_cache: Path) -> None:
    assert cache.root() == own_cache
    assert own_cache.is_dir()


def test_without_a_setting_it_lies_with_the_users_caches(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("FACEDOWN_CACHE")
    monkeypatch.setattr(cache.platformdirs, "user_cache_dir", lambda name: str(tmp_path / "user" / name))
    assert cache.root() == tmp_path / "user" / "facedown"


def test_a_place_that_cannot_be_written_is_told_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("FACEDOWN_CACHE", str(tmp_path / "file" / "cache"))
    assert cache.root() is None
    assert cache.root() is None
    assert capsys.readouterr().err == (
        f"facedown: machine code is not kept: {tmp_path}/file/cache cannot be written (Not a directory)\n"
    )


# --- which functions -----------------------------------------------------------------------------------------------------


def test_a_function_typed_at_a_prompt_is_not_kept() -> None:
    space: dict[str, Any] = {}
    exec("def f(x): return x", space)
    assert cache.directory_for(space["f"]) is None


def test_a_function_that_caught_a_value_is_not_kept(write: Callable[[str, str], Path]) -> None:
    module = load(write("caught.py", "def make(k):\n    def f(x): return x + k\n    return f\nf, plain = make(3), make\n"))
    assert cache.directory_for(module.f) is None
    assert cache.directory_for(module.plain, module.f) is None
    assert cache.directory_for(module.plain) is not None


def test_the_directory_is_named_after_the_module_and_its_sources(write: Callable[[str, str], Path], own_cache: Path) -> None:
    module = load(write("rules.py", "def f(x): return x\ndef g(x): return f(x)\n"))
    directory = cache.directory_for(module.f)
    assert directory is not None and directory.is_dir()
    assert directory.parent == own_cache
    assert directory.name.startswith("rules-")
    assert cache.directory_for(module.g) == directory  # Numba tells functions of one module apart
    inlined = cache.directory_for(module.f, flags=".inline")
    assert inlined is not None and inlined.name.startswith("rules.inline-")
    together, turned = cache.directory_for(module.f, module.g), cache.directory_for(module.g, module.f)
    assert len({directory, inlined, together, turned}) == 4


def test_a_template_with_other_functions_lies_elsewhere(write: Callable[[str, str], Path]) -> None:
    module = load(write("pair.py", "def template(x): return x\ndef up(x): return x + 1\ndef down(x): return x - 1\n"))
    assert cache.directory_for(module.template, module.up) != cache.directory_for(module.template, module.down)


def test_two_copies_of_a_file_are_two_modules(write: Callable[[str, str], Path]) -> None:
    write("one/rules.py", "def f(x): return x\n")
    write("two/rules.py", "def f(x): return x\n")
    here = Path(str(cache.root())).parent
    first, second = load(here / "one" / "rules.py"), load(here / "two" / "rules.py")
    assert cache.directory_for(first.f) != cache.directory_for(second.f)


# --- sources -------------------------------------------------------------------------------------------------------------


def closure(path: Path, name: str = "") -> set[str]:
    found = cache.source_closure([(name or path.stem, path)])
    top = Path(str(cache.root())).parent
    return {str(file.relative_to(top)) for file in found if top in file.parents}


def test_sources_follow_imports_of_every_form(write: Callable[[str, str], Path]) -> None:
    for name in ("plain", "named", "member", "late", "guarded", "deeper"):
        write(f"{name}.py", "import deeper\n" if name == "plain" else "")
    path = write(
        "reader.py",
        "import plain\nimport named as other\nfrom member import something\n"
        "def f():\n    import late\ntry:\n    import guarded\nexcept ImportError:\n    pass\n"
        "import no_such_module_anywhere\nimport numpy, os\n",
    )
    assert closure(path) == {f"{name}.py" for name in ("reader", "plain", "named", "member", "late", "guarded", "deeper")}


def test_sources_follow_relative_imports(write: Callable[[str, str], Path]) -> None:
    write("pack/__init__.py", "from .first import f\n")
    path = write("pack/first.py", "from . import second\nfrom .third import g\nf = g\n")
    write("pack/second.py", "")
    # beyond the top there is nothing to follow, and no reason to fail
    write("pack/third.py", "try:\n    from ..outside import g\nexcept ImportError:\n    g = None\n")
    write("outside.py", "")
    assert closure(path, "pack.first") == {f"pack/{name}.py" for name in ("__init__", "first", "second", "third")}


def test_sources_that_import_each_other_end(write: Callable[[str, str], Path]) -> None:
    write("egg.py", "import hen\n")
    assert closure(write("hen.py", "import egg\n")) == {"hen.py", "egg.py"}


def test_a_source_that_does_not_parse_is_followed_no_further(write: Callable[[str, str], Path]) -> None:
    write("broken.py", "def f(:\n")
    assert closure(write("careful.py", "try:\n    import broken\nexcept SyntaxError:\n    pass\n")) == {
        "careful.py",
        "broken.py",
    }


def test_libraries_count_by_their_version() -> None:
    found = cache.source_closure([("facedown.native.chance", Path(str(sys.modules["facedown.native.chance"].__file__)))])
    assert {path.name for path in found} >= {"chance.py", "jit.py", "records.py", "cache.py", "errors.py"}
    assert not any("site-packages" in str(path) for path in found)


@pytest.mark.parametrize("setting", ["BOUNDSCHECK", "OPT", "DEBUG", "LOOP_VECTORIZE", "SLP_VECTORIZE"])
def test_settings_of_the_compiler_are_part_of_the_key(
    write: Callable[[str, str], Path], monkeypatch: pytest.MonkeyPatch, setting: str
) -> None:
    path = write("rules.py", "def f(x): return x\n")
    key = cache._key.__wrapped__((("rules", path),))
    monkeypatch.setattr(numba.config, setting, 7)
    assert cache._key.__wrapped__((("rules", path),)) != key


# --- pruning -------------------------------------------------------------------------------------------------------------


def aged(top: Path, name: str, days: float) -> Path:
    directory = top / name
    directory.mkdir(parents=True)
    (directory / "code.nbc").write_text("code")
    os.utime(directory, (time.time() - days * DAY,) * 2)
    return directory


def test_prune_keeps_the_newest_versions(tmp_path: Path) -> None:
    versions = [aged(tmp_path, f"kuhn-{age:02}", age) for age in range(1, cache.KEPT_VERSIONS + 4)]
    other = aged(tmp_path, "war-01", 20)
    gone = cache.prune(tmp_path)
    assert sorted(gone) == versions[cache.KEPT_VERSIONS :]
    assert all(path.is_dir() for path in versions[: cache.KEPT_VERSIONS])
    assert not any(path.exists() for path in gone)
    assert other.is_dir()  # versions of one thing do not count against another


def test_prune_removes_what_was_not_used_for_long(tmp_path: Path) -> None:
    old, new = aged(tmp_path, "kuhn-a", cache.KEPT_DAYS + 1), aged(tmp_path, "kuhn-b", cache.KEPT_DAYS - 1)
    assert cache.prune(tmp_path) == [old]
    assert new.is_dir() and not old.exists()


def test_prune_never_removes_what_is_to_be_kept(tmp_path: Path) -> None:
    for age in range(1, cache.KEPT_VERSIONS + 1):
        aged(tmp_path, f"kuhn-{age:02}", age)
    old = aged(tmp_path, "kuhn-99", cache.KEPT_DAYS + 1)
    assert cache.prune(tmp_path, keep=old) == []
    assert old.is_dir()


def test_prune_leaves_other_things_alone(tmp_path: Path) -> None:
    stranger, file = aged(tmp_path, "notes", 1000), tmp_path / "read-me"
    file.touch()
    os.utime(file, (0, 0))
    assert cache.prune(tmp_path) == []
    assert stranger.is_dir() and file.exists()


def test_a_new_directory_is_the_moment_to_prune(write: Callable[[str, str], Path], own_cache: Path) -> None:
    old = aged(own_cache, "prunes-old", cache.KEPT_DAYS + 1)
    module = load(write("prunes.py", "def f(x): return x\n"))
    assert cache.directory_for(module.f) is not None
    assert not old.exists()


def test_use_makes_a_directory_new_again(write: Callable[[str, str], Path]) -> None:
    module = load(write("used.py", "def f(x): return x\n"))
    directory = cache.directory_for(module.f)
    assert directory is not None
    os.utime(directory, (time.time() - 3 * DAY,) * 2)
    cache._claim.cache_clear()
    assert cache.directory_for(module.f) == directory
    assert time.time() - directory.stat().st_mtime < DAY


def test_a_directory_that_another_process_removes_meanwhile_is_no_problem(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    aged(tmp_path, "kuhn-a", cache.KEPT_DAYS + 1)
    vanished = tmp_path / "kuhn-b"
    listing = [*tmp_path.iterdir(), vanished]
    monkeypatch.setattr(Path, "iterdir", lambda self: iter(listing))
    real = Path.is_dir
    monkeypatch.setattr(Path, "is_dir", lambda self: self == vanished or real(self))
    assert cache.prune(tmp_path) == [tmp_path / "kuhn-a"]


def test_sources_are_found_without_loading_what_they_are_in(write: Callable[[str, str], Path]) -> None:
    write("heavy/__init__.py", "raise RuntimeError('loaded')\n")
    write("heavy/inner/__init__.py", "raise RuntimeError('loaded')\n")
    write("heavy/inner/rules.py", "")
    path = write("light.py", "def f():\n    from heavy.inner.rules import step\n")
    assert closure(path) == {"light.py", "heavy/inner/rules.py"}
    assert not [name for name in sys.modules if name.startswith("heavy")]
