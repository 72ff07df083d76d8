"""Every file that fuzzing has found is refused, or read, within the limits of time and memory.

A matrix with an infinite entry made a motion file hang: the defect of its rotation is nan, which is not greater than
any tolerance, so that it went on to a decomposition that never ended. A number of 5000 digits made Open CASCADE end the
process. A path of 5000 characters ended in a traceback. An object's name of 1000 characters in a planning scene made a
cell that YAML does not read: its keys have at most 1024.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

PROJECT = Path(__file__).parents[2]
FILES = sorted(path for path in (PROJECT / "tests" / "fuzz" / "found").iterdir() if "--" in path.name)


@pytest.fixture(scope="module")
def outcomes() -> dict[str, Any]:
    """What became of each file; read in processes of their own, since one may crash."""
    if not sys.platform.startswith("linux"):
        pytest.skip("limits of memory are those of Linux")
    command = [sys.executable, "-m", "tests.fuzz", "--replay", *map(str, FILES)]
    settings = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_DISABLE")}
    ended = subprocess.run(command, cwd=PROJECT, env=settings, capture_output=True, text=True, check=False)
    lines = [json.loads(line) for line in ended.stdout.splitlines()]
    assert len(lines) == len(FILES), ended.stderr
    return {line["file"]: line for line in lines}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_file_that_was_found_is_read_or_refused(path: Path, outcomes: dict[str, Any]) -> None:
    outcome = outcomes[path.name]
    assert not outcome["is_finding"], outcome["text"]
