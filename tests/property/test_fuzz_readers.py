"""A few hundred changed files for every reader; `python -m tests.fuzz` runs the campaign."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
FILES = 700

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="limits of memory are those of Linux"
)


def run_fuzz(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the campaign's command in a process of its own: it forks, and this one may have threads."""
    command = [sys.executable, "-m", "tests.fuzz", *arguments]
    settings = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_DISABLE")}
    return subprocess.run(command, cwd=PROJECT, env=settings, capture_output=True, text=True, check=False)


def test_changed_files_are_read_or_refused(tmp_path: Path) -> None:
    folders = ["--state", str(tmp_path / "state"), "--found", str(tmp_path / "found")]
    ended = run_fuzz("--files", str(FILES), "--seed", "1", "--no-bombs", *folders)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "no findings" in ended.stdout
    total = next(line.split() for line in ended.stdout.splitlines() if line.startswith("all "))
    assert int(total[1]) >= FILES - 50
    assert int(total[2]) > 0, "no changed file is valid: the changes are too coarse"
    assert int(total[3]) > int(total[2]), "most changed files are refused"


def test_a_reader_that_hangs_crashes_or_raises_is_found() -> None:
    """The harness itself: readers that break each promise, in place of that of tracks."""
    code = """
import os, sys, time, numpy as np
from pathlib import Path
from tests.fuzz import limits, worker
from tests.fuzz.readers import READERS, Reader

def read(path):
    match path.read_bytes():
        case b"raise": raise KeyError("x")
        case b"crash": os.kill(os.getpid(), 11)
        case b"spin":
            while True: pass
        case b"wait": time.sleep(1000)
        case b"memory": np.ones(2**28)
        case b"hidden":
            try: np.ones(2**28)
            except MemoryError as cause: raise READERS_ERROR("refused") from cause
        case b"wrong": assert False, "not valid"
        case b"refuse": raise READERS_ERROR("refused")

from keepclear import MeshFileError as READERS_ERROR
reader = Reader("tracks", ".csv", read, corpus="tracks")
limits.SECONDS = 1.0
for text in (b"raise", b"crash", b"spin", b"wait", b"memory", b"hidden", b"wrong", b"refuse", b"fine"):
    print(text.decode(), worker.run_alone(reader, worker.content_place(text)).kind)
"""
    ended = subprocess.run(
        [sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=False
    )
    kinds = dict(line.split() for line in ended.stdout.splitlines())
    assert kinds == {
        "raise": "exception", "crash": "crash", "spin": "slow", "wait": "slow", "memory": "memory",
        "hidden": "memory", "wrong": "invalid", "refuse": "refused", "fine": "valid",
    }, ended.stderr  # fmt: skip
