"""Transcripts of .efg games replay in another process, where their tables lie elsewhere in memory; paths may have spaces."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

from texts import BLUFF

import facedown as fd


def test_transcripts_replay_in_another_process(tmp_path: Path, run_python: Callable[..., CompletedProcess[str]]) -> None:
    path = tmp_path / "a bluff.efg"
    path.write_text(BLUFF, encoding="utf-8")
    transcript = fd.transcribe(str(path), ["uniform", "uniform"], seed=1)
    (tmp_path / "game.transcript").write_text(str(transcript), encoding="utf-8")
    program = """
import facedown as fd
others = [fd.game("./a bluff.efg") for _ in range(3)]
noise = [bytearray(100_000) for _ in range(5)]
print(list(fd.read_transcript("game.transcript").positions())[-1].over)
"""
    done = run_python(program)
    assert done.stdout.strip() == "True", done.stderr
