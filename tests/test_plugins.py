"""Games and agents that live elsewhere: in a file that the user names, in an installed package; broken ones break nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import facedown as fd
from facedown import plugins
from facedown.agents.registry import agent, agents_for
from facedown.errors import FacedownError, UsageError
from facedown.games import registry
from facedown.games.registry import all_games, check_name, names

pytestmark = pytest.mark.usefixtures("clean_imports")
KUHN, WAR = fd.game("kuhn"), fd.game("war")


def refusal(ask: Callable[..., Any], *arguments: Any, **named: Any) -> str:
    with pytest.raises(UsageError) as caught:
        ask(*arguments, **named)
    assert caught.value.exit_code == 2
    return str(caught.value)


# --- by path -------------------------------------------------------------------------------------------------------------

FILE = """
import dataclasses
import facedown as fd
from facedown.games.kuhn import GAME as KUHN

GAME = dataclasses.replace(KUHN, name="mine")
OTHER = dataclasses.replace(KUHN, name="other")
NUMBER = 7

def act(view, actions, n, params, memory, chance):
    return int(actions[0])

AGENT = fd.Agent(name="lazy", meaning="", act=act, parameters=(fd.Parameter("x", 0, 0, 9, ""),))
BOLD = fd.Agent(name="bold", meaning="", act=act, game="kuhn")
AGENTS = (AGENT, fd.Agent(name="second", meaning="", act=act))
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    plugins._module_at.cache_clear()
    (tmp_path / "thing.py").write_text(FILE)
    return tmp_path


@pytest.mark.parametrize("name", ["./thing.py:GAME", "thing.py:GAME", "./thing.py", "thing.py", "{here}/thing.py:GAME"])
def test_a_game_by_path(here: Path, name: str) -> None:
    found = fd.game(name.format(here=here))
    assert found.name == "mine"
    assert found.spec == f"{here}/thing.py:GAME"
    assert fd.game(found.spec).name == "mine"
    assert check_name(name.format(here=here)).name == name.format(here=here)


def test_options_of_a_game_by_path(here: Path) -> None:
    found = fd.game("./thing.py:OTHER(players=3)")
    assert (found.name, found.n_players, found.spec) == ("other", 3, f"{here}/thing.py:OTHER(players=3)")
    assert fd.game(found.spec).n_players == 3


def test_a_path_at_home(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(here))
    monkeypatch.chdir("/")
    assert fd.game("~/thing.py:GAME").spec == f"{here}/thing.py:GAME"


def test_a_path_with_spaces(here: Path) -> None:
    (here / "my games").mkdir()
    (here / "my games" / "spaced.py").write_text(FILE)
    found = fd.game("./my games/spaced.py:GAME(players=3)")
    assert found.n_players == 3
    assert fd.game(found.spec).spec == found.spec


def test_agents_by_path(here: Path) -> None:
    assert agent("./thing.py:AGENT", KUHN).spec == f"{here}/thing.py:AGENT"
    assert agent("./thing.py", KUHN).name == "lazy"
    assert agent("./thing.py:AGENT(x=3)", KUHN).spec == f"{here}/thing.py:AGENT(x=3)"
    assert agent("./thing.py:AGENTS.second", KUHN).spec == f"{here}/thing.py:AGENTS.second"
    assert agent(f"{here}/thing.py:AGENTS.lazy(2)", KUHN).params.tolist() == [2.0]


def test_agents_beside_a_game_in_its_file(here: Path) -> None:
    mine = fd.game("./thing.py:GAME")
    assert set(agents_for(mine)) >= {"uniform", "lazy", "second"}
    assert agent("second", mine).spec == f"{here}/thing.py:AGENTS.second"
    assert agent(agent("lazy(3)", mine).spec, mine).params.tolist() == [3.0]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("./no.py:GAME", "there is no file 'no.py'; write a path and a name in it, such as ./mygame.py:GAME"),
        ("./thing.py:NOTHING", "'thing.py' has no 'NOTHING'; it must define GAME = ..."),
        ("./thing.py:NUMBER", "'./thing.py:NUMBER' is not a game: it is a int, not a facedown.Game"),
        ("./thing.py:AGENT", "'./thing.py:AGENT' is not a game: it is a Agent, not a facedown.Game"),
    ],
)
@pytest.mark.usefixtures("here")
def test_wrong_paths_of_games(name: str, said: str) -> None:
    assert refusal(fd.game, name) == said


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("./no.py:AGENT", "there is no file 'no.py'; write a path and a name in it, such as ./mygame.py:AGENT"),
        ("./thing.py:NUMBER", "'./thing.py:NUMBER' is not an agent: it is a int, not a facedown.Agent"),
        ("./thing.py:GAME", "'./thing.py:GAME' is not an agent: it is a Game, not a facedown.Agent"),
        (
            "./thing.py:AGENTS.scond",
            "unknown agent in ./thing.py:AGENTS.scond 'scond'. Did you mean 'second'? Known: lazy, second.",
        ),
        ("./thing.py:NUMBER.x", "'./thing.py:NUMBER.x': there are no agents in it: it is a int"),
        ("./thing.py:BOLD", "agent bold plays kuhn, not war"),
    ],
)
@pytest.mark.usefixtures("here")
def test_wrong_paths_of_agents(name: str, said: str) -> None:
    assert refusal(agent, name, WAR) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def f(:\n", "cannot be loaded: SyntaxError: invalid syntax"),
        ("import no_such_module\n", "cannot be loaded: ModuleNotFoundError: No module named 'no_such_module'"),
        ("1 / 0\n", "cannot be loaded: ZeroDivisionError: division by zero"),
        ("raise SystemExit(3)\n", "cannot be loaded: SystemExit: 3"),
        (
            "from facedown.games.kuhn import GAME as k\nGAME = k(players=9)\n",
            "kuhn: players=9 is out of bounds; it goes from 2 to 5",
        ),
        ("\x00", "cannot be loaded: "),
    ],
)
def test_files_that_cannot_be_loaded(here: Path, text: str, said: str) -> None:
    (here / "bad.py").write_text(text)
    assert said in refusal(fd.game, "./bad.py:GAME")
    assert f"'{here}/bad.py'" in refusal(fd.game, "./bad.py:GAME")
    (here / "bad.py").write_text(FILE)  # mended, it loads: nothing half-made is left behind
    assert fd.game("./bad.py:GAME").name == "mine"


def test_files_of_one_name_in_three_places(here: Path) -> None:
    for place in "abc":
        (here / place).mkdir()
        (here / place / "twin.py").write_text(FILE.replace('"mine"', f'"mine_{place}"'))
    assert [fd.game(f"./{place}/twin.py:GAME").name for place in "abca"] == ["mine_a", "mine_b", "mine_c", "mine_a"]


def test_a_file_may_be_called_like_a_module_of_python(here: Path) -> None:
    (here / "random.py").write_text(FILE)
    assert fd.game("./random.py:GAME").name == "mine"
    import random

    assert random.random() < 1


def test_files_may_import_their_neighbours(here: Path) -> None:
    (here / "neighbour_of_user.py").write_text("NAME = 'fetched'\n")
    (here / "user.py").write_text(
        FILE.replace('"mine"', "neighbour_of_user.NAME").replace("import facedown", "import neighbour_of_user\nimport facedown")
    )
    assert fd.game("./user.py:GAME").name == "fetched"


# --- installed packages --------------------------------------------------------------------------------------------------

PACKAGE = FILE + "\nBROKEN = None\nHALF = [AGENT, 5]\n"
ENTRY_POINTS = """
[facedown.games]
mine = a_plug_in:GAME
absent = no_such_plug_in:GAME
crooked = a_plug_in:NUMBER
lost = a_plug_in:NO_SUCH_NAME

[facedown.agents]
lazy = a_plug_in:AGENT
several = a_plug_in:AGENTS
for_kuhn = a_plug_in:BOLD
absent = no_such_plug_in:AGENT
number = a_plug_in:NUMBER
half = a_plug_in:HALF
"""


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package as an installer leaves it."""
    (tmp_path / "a_plug_in.py").write_text(PACKAGE)
    facts = tmp_path / "a_plug_in-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: a-plug-in\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text(ENTRY_POINTS)
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("installed")
def test_games_of_packages_are_found_by_name() -> None:
    assert {"mine", "kuhn", "absent"} <= set(names())
    assert fd.game("mine(players=3)").n_players == 3
    assert check_name("mine").name == "mine"
    assert "Did you mean 'mine'?" in refusal(fd.game, "mime")


@pytest.mark.usefixtures("installed")
def test_a_broken_game_breaks_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    found = {game.name for game in all_games()}
    assert found >= {"mine", *registry.BUILT_IN}
    said = capsys.readouterr().err.splitlines()
    assert sorted(said) == [
        "facedown: 'crooked' is not a game: it is a int, not a facedown.Game",
        "facedown: the plug-in 'absent' (no_such_plug_in:GAME) of a-plug-in is broken: "
        "ModuleNotFoundError: No module named 'no_such_plug_in'",
        "facedown: the plug-in 'lost' (a_plug_in:NO_SUCH_NAME) of a-plug-in is broken: "
        "AttributeError: module 'a_plug_in' has no attribute 'NO_SUCH_NAME'",
    ]


@pytest.mark.usefixtures("installed")
def test_a_broken_game_that_is_asked_for_is_an_error() -> None:
    with pytest.raises(FacedownError, match=r"the plug-in 'absent' \(no_such_plug_in:GAME\) of a-plug-in is broken"):
        fd.game("absent")


@pytest.mark.usefixtures("installed")
def test_agents_of_packages_and_broken_ones(capsys: pytest.CaptureFixture[str]) -> None:
    found = agents_for(KUHN)
    assert {"uniform", "lazy", "second", "bold"} <= set(found)
    said = capsys.readouterr().err
    assert "the plug-in 'absent' (no_such_plug_in:AGENT) of a-plug-in is broken" in said
    assert said.count("facedown: ") == 3
    assert "'number'" in said and "'half'" in said
    assert "bold" not in agents_for(WAR)
    assert agent("lazy(x=2)", KUHN).params.tolist() == [2.0]


@pytest.mark.usefixtures("installed")
def test_finding_an_agent_of_a_package_makes_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("facedown.agents.generic.mcts.search", None)
    assert agent("bold", KUHN).name == "bold"
    assert "Known: bold, first, human, isolated, lazy, mcts, second, table, uniform" in refusal(agent, "unknown", KUHN)


def test_agents_of_packages_do_not_take_the_place_of_ours(installed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (installed / "a_plug_in.py").write_text(PACKAGE.replace('name="lazy"', 'name="uniform"'))
    assert agents_for(KUHN)["uniform"].act is agents_for(WAR)["uniform"].act
    assert "uniform" in capsys.readouterr().err
