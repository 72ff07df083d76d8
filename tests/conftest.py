"""What several tests share: the project's folders, and Python processes with a kernel cache of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[1]
collect_ignore = ["unit/new_kinds"]  # kinds of a process of its own (`unit/test_new_kinds.py`)
os.environ.setdefault(
    "KEEPCLEAR_QUIET", "1"
)  # a slow machine adds no lines of progress to what tests compare


@pytest.fixture
def project() -> Path:
    """The root of the checkout."""
    return PROJECT


@pytest.fixture
def shared_data() -> Path:
    """The folder of meshes, robots and query sets beside the checkout; without it the test is skipped."""
    folder = PROJECT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the shared data folder is not beside this checkout")
    return folder


@pytest.fixture
def run_python(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run code in a new process at the project's root, with its own kernel cache; keywords set variables."""

    def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
        settings = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
        settings |= {"KEEPCLEAR_CACHE_DIR": str(tmp_path / "cache"), "KEEPCLEAR_QUIET": ""}
        settings |= {"TMPDIR": str(tmp_path)} | environment  # holds the folder that replaces a cache
        command = [sys.executable, "-c", code]
        return subprocess.run(command, cwd=PROJECT, env=settings, capture_output=True, text=True, check=True)

    return run
