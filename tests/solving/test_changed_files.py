"""A file that was changed is not believed: it is refused with a sentence, or holds the very same numbers."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from facedown.errors import Interrupted
from facedown.policies.policy import PolicyFileError, read_arrays, read_policy, write_arrays
from facedown.solving.checkpoint import TOLD, load_solution
from facedown.solving.mccfr.solver import SampledSolver
from facedown.solving.solver import solve
from facedown.solving.train import train

Arrays = dict[str, np.ndarray[Any, Any]]
KINDS = ("tree", "sampled", "table")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A solution from the whole tree, one from sampled games, and a table that was trained."""
    folder = tmp_path_factory.mktemp("files")
    files = {kind: folder / f"{kind}.npz" for kind in KINDS}
    solve("kuhn", "dcfr", iterations=30, save=files["tree"])
    solve("kuhn", "external-sampling", iterations=30, seed=7, save=files["sampled"])
    train("kuhn", iterations=30, save=files["table"])
    return files


def load(kind: str, path: Path) -> Any:
    return read_policy(path) if kind == "table" else load_solution(path)


def test_files_come_back(files: dict[str, Path]) -> None:
    for kind, path in files.items():
        assert load(kind, path).game == "kuhn"


# --- bytes of the file ---------------------------------------------------------------------------------------------------


def flipped(chance: random.Random, content: bytes) -> bytes:
    at = chance.randrange(len(content))
    return content[:at] + bytes([content[at] ^ (1 << chance.randrange(8))]) + content[at + 1 :]


def cut(chance: random.Random, content: bytes) -> bytes:
    return content[: chance.randrange(len(content))]


def zeroed(chance: random.Random, content: bytes) -> bytes:
    at, count = chance.randrange(len(content)), chance.choice([1, 8, 64])
    return content[:at] + bytes(len(content[at : at + count])) + content[at + count :]


def put_in(chance: random.Random, content: bytes) -> bytes:
    at = chance.randrange(len(content))
    return content[:at] + chance.randbytes(chance.choice([1, 8])) + content[at:]


def taken_out(chance: random.Random, content: bytes) -> bytes:
    at = chance.randrange(len(content))
    return content[:at] + content[at + chance.choice([1, 8]) :]


def exchanged(chance: random.Random, content: bytes) -> bytes:
    one, two = sorted(chance.sample(range(len(content) - 16), 2))
    two = max(two, one + 8)
    return content[:one] + content[two : two + 8] + content[one + 8 : two] + content[one : one + 8] + content[two + 8 :]


@pytest.mark.parametrize("kind", KINDS)
def test_changed_bytes(kind: str, files: dict[str, Path], tmp_path: Path) -> None:
    whole, wanted = files[kind].read_bytes(), read_arrays(files[kind])
    chance, path, n_refused = random.Random(KINDS.index(kind)), tmp_path / "changed.npz", 0
    changes = (flipped, flipped, cut, zeroed, put_in, taken_out, exchanged)
    for number in range(280):
        path.write_bytes(changes[number % len(changes)](chance, whole))
        try:
            load(kind, path)
        except PolicyFileError as problem:
            n_refused += 1
            assert "changed.npz" in str(problem) and "\n" not in str(problem)
        else:  # some bytes of an archive mean nothing, such as dates
            found = read_arrays(path)
            assert found.keys() == wanted.keys()
            assert all(found[name].tobytes() == array.tobytes() for name, array in wanted.items())
    assert n_refused > 200


# --- numbers in the file, as somebody changes them who writes a proper archive -------------------------------------------


def change_a_number(chance: random.Random, arrays: Arrays) -> str:
    """Change one number, character or name; which."""
    name = chance.choice(sorted(arrays))
    array = arrays[name].copy()
    if chance.random() < 0.1:
        arrays[f"{name}2"] = arrays.pop(name)
    elif array.dtype.kind == "U":
        text = str(array)
        at = chance.randrange(len(text))
        arrays[name] = np.array(text[:at] + chr(ord(text[at]) ^ 1) + text[at + 1 :])
    else:
        octets = np.frombuffer(bytearray(array.tobytes()), np.uint8)
        octets[chance.randrange(len(octets))] ^= 1 << chance.randrange(8)
        arrays[name] = octets.view(array.dtype).reshape(array.shape)
    return name


@pytest.mark.parametrize("kind", KINDS)
def test_changed_numbers_do_not_fit_the_digest(kind: str, files: dict[str, Path], tmp_path: Path) -> None:
    path, chance = tmp_path / "changed.npz", random.Random(10 + KINDS.index(kind))
    with np.load(files[kind]) as loaded:
        whole = {name: loaded[name] for name in loaded.files}
    for _ in range(200):
        arrays = dict(whole)
        name = change_a_number(chance, arrays)
        np.savez(path, **arrays)
        with pytest.raises(PolicyFileError, match=r"changed\.npz' (is damaged or was changed|has no digest)"):
            load(kind, path)
        assert name in whole


@pytest.mark.parametrize("kind", KINDS)
def test_with_a_digest_of_their_own_changed_numbers_are_in_range_or_refused(
    kind: str, files: dict[str, Path], tmp_path: Path
) -> None:
    """A digest can be recomputed: then a number may be another one, but none that cannot be."""
    path, chance = tmp_path / "changed.npz", random.Random(20 + KINDS.index(kind))
    whole, n_refused = read_arrays(files[kind]), 0
    for _ in range(200):
        arrays = dict(whole)
        change_a_number(chance, arrays)
        write_arrays(path, arrays)
        try:
            found = load(kind, path)
        except PolicyFileError as problem:
            n_refused += 1
            assert "changed.npz" in str(problem)
        else:
            probabilities = found.probabilities if kind == "table" else found.policy.probabilities
            assert (probabilities >= 0).all() and (probabilities <= 1 + 1e-6).all()
            if kind != "table":  # scores of kuhn are from -2 to 2
                assert abs(found.value) <= 2.001 and -0.001 <= found.exploitability <= 4.001
                again = solve("kuhn", start=path, iterations=found.iterations + 5)
                assert np.isfinite(again.policy.probabilities).all() and again.exploitability <= 4.001
    assert n_refused > 100


def test_a_sampling_run_that_was_interrupted_in_an_iteration_is_kept_in_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C comes in the middle of an iteration, which is ended before anything is written down."""
    prepare, rung = SampledSolver.prepare, []

    def prepare_to_ring(self: SampledSolver) -> None:
        prepare(self)
        walk, self.patience = self._walk, 1

        def ring(*arguments: Any) -> int:
            answer = int(walk(*arguments))
            if self.iterations == 3 and self._work.depth >= 0 and not rung:
                rung.append(True)
                raise KeyboardInterrupt
            return answer

        self._walk = ring

    monkeypatch.setattr(SampledSolver, "prepare", prepare_to_ring)
    with pytest.raises(Interrupted):  # with so low a limit nothing is evaluated on the way
        solve("kuhn", "external-sampling", iterations=9, seed=7, max_nodes=5, save=tmp_path / "part.npz")
    part = load_solution(tmp_path / "part.npz")
    assert part.iterations == part.state["iterations"] == 4
    monkeypatch.undo()
    whole = solve("kuhn", "external-sampling", iterations=9, seed=7)
    again = solve("kuhn", start=part, iterations=9)
    assert np.array_equal(whole.policy.probabilities, again.policy.probabilities)


def put(name: str, value: Any, at: Any = 3) -> Callable[[Arrays], None]:
    def change(arrays: Arrays) -> None:
        arrays[name] = arrays[name].copy()
        arrays[name][at] = value

    return change


def tell(name: str, value: Any) -> Callable[[Arrays], None]:
    def change(arrays: Arrays) -> None:
        arrays[TOLD] = np.array(json.dumps({**json.loads(str(arrays[TOLD])), name: value}))

    return change


def scale(factor: float) -> Callable[[Arrays], None]:
    def change(arrays: Arrays) -> None:
        arrays["state_regrets"] = arrays["state_regrets"] * factor

    return change


WRONG = [
    ("tree", put("state_averages", np.inf), r"number 3 of the solver's 'averages' is inf, and should be finite and at least 0"),
    ("tree", put("state_averages", -1.0), r"'averages' is -1\.0, and should be finite and at least 0"),
    ("tree", put("state_averages", 1e176), r"of its policy has the probability .*, but the solver's tables make it"),
    ("tree", put("state_regrets", np.nan), r"number 3 of the solver's 'regrets' is nan"),
    ("tree", scale(1e176), r"'regrets' is -?[\d.]+e\+17\d, and should be from -120 to 120"),
    ("tree", put("state_strategy", 1.5), r"'strategy' is 1\.5, and should be from 0 to 1"),
    ("tree", put("state_strategy", 0.123), r"the solver's strategy in information set 1 adds up to .*, not to 1"),
    ("tree", put("state_done", 31, 0), "its solver has not done the 30 iterations"),
    ("tree", lambda arrays: arrays.pop("state_regrets"), "the solver's table 'regrets' is missing"),
    ("tree", lambda arrays: arrays.update(state_regrets=np.zeros(3)), r"'regrets' is float64 \(3,\), and should be"),
    ("tree", tell("iterations", 10**17), "its number of iterations is 100000000000000000, and should be from 0 to"),
    ("tree", tell("iterations", -1), "its number of iterations is -1"),
    ("tree", tell("values", [1e176, -1e176]), r"its value is 1e\+176, and should be from -2 to 2"),
    ("tree", tell("values", [None, None]), "its value is nan"),
    ("tree", tell("values", [0.0]), "it has 1 values for 2 players"),
    ("tree", tell("gains", [1e176, 0]), r"its gain is 1e\+176, and should be from -2e-06 to 4"),
    ("tree", tell("gains", [-1, 0]), r"its gain is -1\.0"),
    ("tree", tell("seconds", -1), "its time in seconds is -1"),
    ("tree", tell("seconds", 1e400), "its time in seconds is inf, and should be from 0 to"),
    ("tree", tell("average", 1e9), "out of bounds"),
    ("tree", tell("method", "cfrr"), "unknown method 'cfrr'"),
    ("tree", tell("method", "external-sampling"), "its method is external-sampling, and its seed None"),
    ("tree", tell("curve", [{"iterations": 31, "seconds": 0, "exploitability": 0}]), "iterations of its curve is 31"),
    ("tree", tell("curve", [{"iterations": 3, "seconds": 0, "exploitability": 1e176}]), r"its exploitability is 1e\+176"),
    ("tree", tell("curve", [{"iterations": "3", "seconds": 0, "exploitability": 0}]), "its figures cannot be read"),
    ("tree", tell("curve", 3), "its figures cannot be read"),
    ("tree", tell("tree", {"nodes": 3}), "its figures cannot be read"),
    ("tree", tell("seed", 3), "its method is dcfr, and its seed 3"),
    ("sampled", put("state_regrets", np.inf), "number 3 of the solver's 'regrets' is inf, and should be finite"),
    ("sampled", put("state_totals", -1.0), "'totals' is -1.0, and should be finite and at least 0"),
    ("sampled", put("state_totals", 1e176), "but the solver's tables make it"),
    ("sampled", put("state_first", 9), "'first' is not the same in its policy and in the solver's tables"),
    ("sampled", put("state_actions", 9), "'actions' is not the same"),
    ("sampled", lambda arrays: arrays.update(state_iterations=np.array(31)), "has another 'iterations' than 30"),
    ("sampled", lambda arrays: arrays.update(state_iterations=np.zeros(2)), "has another 'iterations' than 30"),
    ("sampled", lambda arrays: arrays.update(state_plus=np.array(True)), "has another 'plus' than False"),
    ("sampled", lambda arrays: arrays.update(state_epsilon=np.array("a")), "has another 'epsilon' than 0.6"),
    ("sampled", lambda arrays: arrays.update(state_average=np.array("linear")), "has another 'average' than uniform"),
    ("sampled", lambda arrays: arrays.update(state_game=np.array("leduc")), "has another 'game' than kuhn"),
    ("sampled", tell("seed", 2**64), "its seed is 18446744073709551616, and should be from 0 to"),
    ("sampled", tell("seed", 8), "has another 'seed' than 8"),
]


@pytest.mark.parametrize(("kind", "change", "words"), WRONG, ids=range(len(WRONG)))
def test_numbers_that_cannot_be(
    kind: str, change: Callable[[Arrays], None], words: str, files: dict[str, Path], tmp_path: Path
) -> None:
    arrays = read_arrays(files[kind])
    change(arrays)
    path = write_arrays(tmp_path / "changed.npz", arrays)
    with pytest.raises(PolicyFileError, match=words) as caught:
        load_solution(path)
    assert "changed.npz" in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize("words", [["solve", "kuhn", "--resume", "FILE"], ["match", "kuhn", "table(FILE)", "uniform"]])
def test_the_command_line_refuses_with_a_sentence(
    words: list[str], files: dict[str, Path], tmp_path: Path, run: Callable[..., Any]
) -> None:
    with np.load(files["tree"]) as loaded:
        arrays = {name: loaded[name] for name in loaded.files}
    put("state_averages", 1e176)(arrays)
    np.savez(tmp_path / "changed.npz", **arrays)
    chosen = [word.replace("FILE", str(tmp_path / "changed.npz")) for word in words]
    code, _, said = run(chosen)
    assert code == 2
    assert said.startswith("facedown: '") and "is damaged or was changed" in said and said.count("\n") == 1
