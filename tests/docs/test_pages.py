"""The pages tell the truth: examples run, links lead somewhere, commands exist, generated parts are fresh."""

from __future__ import annotations

import doctest
import importlib
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import typer

import facedown as fd
from facedown.agents import registry as agents
from facedown.games import registry as games

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [*sorted(ROOT.glob("*.md")), *sorted(DOCS.rglob("*.md"))]
GENERATED = re.compile(r"<!-- begin: .*?<!-- end -->", re.DOTALL)
FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


# --- examples -----------------------------------------------------------------------------------------------------------


def test_the_example_of_the_readme_has_six_lines_that_do_what_they_say() -> None:
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    example = doctest.DocTestParser().get_doctest(text_of(ROOT / "README.md").replace("```", ""), {}, "README", None, None)
    failures: list[str] = []
    runner.run(example, out=failures.append)
    assert failures == []
    assert runner.tries == 6


def python_blocks(page: Path) -> list[str]:
    """Code on a page that somebody wrote there; generated code is tested where it comes from."""
    return [code for language, code in FENCED.findall(GENERATED.sub("", text_of(page))) if language == "python"]


@lru_cache
def names_on(page: Path) -> dict[str, Any]:
    """Run the code of a page; the names that it leaves behind."""
    names: dict[str, Any] = {"__name__": "page"}
    exec(compile("\n\n".join(python_blocks(page)), f"<{name_of(page)}>", "exec"), names)
    return names


@pytest.mark.slow
def test_the_code_of_the_tutorial_put_together_is_a_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clean_imports: None
) -> None:
    code = "\n\n\n".join(
        code for language, code in FENCED.findall(text_of(DOCS / "bring-your-own-game.md")) if language == "python"
    )
    (tmp_path / "copied_dice.py").write_text(code)
    monkeypatch.chdir(tmp_path)
    copied, original = "./copied_dice.py:GAME", f"{ROOT}/examples/liars_dice.py:GAME"
    agents = ["sceptic", "uniform"]
    assert fd.match(copied, agents, games=20, seed=1).mean == fd.match(original, agents, games=20, seed=1).mean
    games = [fd.transcribe(game, agents, seed=1) for game in (copied, original)]
    one, other = ([(move.player, move.name, move.reason) for move in game.moves] for game in games)
    assert one == other


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_no_python_on_a_page_escapes_the_tests(page: Path) -> None:
    text = text_of(page)
    for language, code in FENCED.findall(GENERATED.sub("", text)):
        assert language != "pycon", "sessions are written by the program: see docs/sessions.py"
        assert ">>> " not in code, "sessions are written by the program: see docs/sessions.py"
        if not language:
            assert not re.search(r"^(import|from) \w", code, re.MULTILINE), "call it python, so that it is run"


@pytest.mark.parametrize("page", [page for page in PAGES if python_blocks(page)], ids=name_of)
def test_python_on_a_page_runs(page: Path) -> None:
    assert "assert " in "".join(python_blocks(page)), "code on a page shows what comes of it"
    assert names_on(page)["fd"] is fd


def test_an_agent_on_a_page_that_explains_itself_does_so() -> None:
    shy = names_on(DOCS / "agents.md")["SHY"]
    moves = [move for index in range(8) for move in fd.transcribe("kuhn", [shy, "uniform"], seed=1, index=index).moves]
    assert {"somebody has bet", "nobody has bet yet"} <= {str(move.reason) for move in moves}


def test_the_snippet_of_entry_points_names_the_real_groups() -> None:
    for page in (ROOT / "README.md", DOCS / "bring-your-own-game.md"):
        (snippet,) = [code for language, code in FENCED.findall(text_of(page)) if language == "toml"]
        assert set(tomllib.loads(snippet)["project"]["entry-points"]) == {games.GROUP, agents.GROUP}


# --- links --------------------------------------------------------------------------------------------------------------


def links(text: str) -> list[str]:
    """Where the links and pictures of a page lead, code left out."""
    prose = re.sub(r"`[^`\n]*`", "code", FENCED.sub("", text))
    return re.findall(r"\[[^\]]*\]\(([^)\s]+)\)", prose)


def anchors(text: str) -> set[str]:
    """The anchors that headings get."""
    headings = re.findall(r"^#+ (.*)$", FENCED.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken(page: Path) -> Iterator[str]:
    for link in links(text_of(page)):
        if link.startswith(("https://", "mailto:")):
            continue
        file, _, anchor = link.partition("#")
        target = (page.parent / file).resolve() if file else page
        if not target.exists():
            yield f"{link}: there is no such file"
        elif anchor and anchor not in anchors(text_of(target)):
            yield f"{link}: there is no such heading"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    assert list(broken(page)) == []


def test_a_broken_link_is_seen(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# One\n[a](page.md#one) [b](page.md#two) [c](gone.md) [`d`](https://example.org) `[e](no)`\n")
    assert [sentence.partition(":")[0] for sentence in broken(page)] == ["page.md#two", "gone.md"]


def test_every_page_can_be_reached_from_the_readme() -> None:
    waiting, found = [ROOT / "README.md"], set()
    while waiting:
        page = waiting.pop()
        if page in found or page.suffix != ".md":
            continue
        found.add(page)
        local = [link.partition("#")[0] for link in links(text_of(page)) if "://" not in link]
        waiting += [(page.parent / file).resolve() for file in local if file]
    assert set(PAGES) - found == set()


# --- commands -----------------------------------------------------------------------------------------------------------


def commands(text: str) -> list[list[str]]:
    """What a reader would type: lines of commands, and commands in the middle of a sentence."""
    lines = re.findall(r"^(?:    |\$ )(facedown .*?)(?:   .*)?$", text, re.MULTILINE)
    inline = re.findall(r"`(facedown [^`\n]*)`", text)
    return [shlex.split(line) for line in lines + inline if not line.startswith("facedown transcript ")]  # a file's first line


def mistakes(words: list[str]) -> list[str]:
    """What is wrong with a command: its name or its options."""
    from facedown.cli.main import app

    known = typer.main.get_group(app).commands
    if len(words) < 2 or words[1] in {"--help", "--version", "--install-completion", "COMMAND"}:
        return []
    if words[1] not in known:
        return [f"there is no command {words[1]}"]
    options = {text for parameter in known[words[1]].params for text in [*parameter.opts, *parameter.secondary_opts]}
    return [f"{words[1]} has no {word}" for word in words[2:] if word.startswith("--") and word not in options]


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_commands_exist(page: Path) -> None:
    found = [problem for words in commands(text_of(page)) for problem in mistakes(words)]
    assert found == []


def test_a_wrong_command_is_seen() -> None:
    text = "    facedown macth kuhn     words\n`facedown match kuhn --gmaes 3` and `facedown games`\n$ facedown play --seat 1\n"
    assert [mistakes(words) for words in commands(text)] == [
        ["there is no command macth"],
        [],
        ["match has no --gmaes"],
        [],
    ]


def test_every_command_is_in_the_readme() -> None:
    from facedown.cli.main import app

    text = text_of(ROOT / "README.md")
    for name, command in typer.main.get_group(app).commands.items():
        if command.hidden:
            continue
        assert f"`facedown {name}`" in text


# --- generated parts ----------------------------------------------------------------------------------------------------


@pytest.fixture
def generate(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(DOCS))
    return importlib.import_module("generate")


@pytest.mark.slow
def test_generated_parts_are_fresh() -> None:
    command = [sys.executable, str(DOCS / "generate.py"), "--check"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=600, cwd=ROOT)
    assert run.returncode == 0, run.stderr


def test_a_stale_page_is_named_left_alone_and_rewritten(
    generate: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- begin: options kuhn -->\nold\n<!-- end -->\nafter\n")
    monkeypatch.setattr(generate, "ROOT", tmp_path)
    monkeypatch.setattr(generate, "PICTURES", {})
    (tmp_path / "docs").mkdir()
    assert generate.main(["--check"]) == 1
    assert "page.md is stale; run: python docs/generate.py" in capsys.readouterr().err
    assert "old" in page.read_text()
    assert generate.main([]) == 0
    text = page.read_text()
    assert "old" not in text and "| `players` | 2 | 2 to 5 | how many play |" in text
    assert text.startswith("before\n") and text.endswith("\nafter\n")
    assert generate.main(["--check"]) == 0


def test_an_unknown_block_is_an_error(generate: ModuleType) -> None:
    with pytest.raises(SystemExit, match=r"page\.md: unknown block 'optoins'"):
        generate.rewritten("<!-- begin: optoins kuhn -->\n<!-- end -->", "page.md")


@pytest.mark.compiled
def test_a_picture_of_other_figures_is_stale(generate: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    kind = generate.PICTURES[DOCS / "pictures" / "war.svg"]
    monkeypatch.setattr(kind, "games", 64)
    picture, path = kind(), tmp_path / "picture.svg"
    assert not picture.is_in(path)
    picture.draw(path)
    assert kind().is_in(path)  # the same figures come out again
    picture.lines[0]["means"] = picture.lines[0]["means"] + 1e-3
    assert not picture.is_in(path)


@pytest.mark.slow
@pytest.mark.compiled
def test_a_picture_of_races_with_another_figure_is_stale(generate: ModuleType, tmp_path: Path) -> None:
    for name in ("race-games.svg", "race-error.svg"):
        picture, path = generate.PICTURES[DOCS / "pictures" / name](), tmp_path / name
        assert not picture.is_in(path)
        picture.draw(path)
        assert picture.is_in(path)
        picture.lines["zone"][-1] *= 1.01
        assert not picture.is_in(path)


@pytest.mark.parametrize("name", sorted(games.BUILT_IN))
def test_every_game_has_a_page_with_all_its_tables(name: str) -> None:
    text = text_of(DOCS / "games" / f"{name}.md")
    assert text.startswith(f"# {fd.game(name).title}\n")
    for block in ("facts", "options", "actions", "agents", "view", "state"):
        assert f"<!-- begin: {block} {name} -->" in text
    assert '<!-- begin: session "facedown play ' in text
