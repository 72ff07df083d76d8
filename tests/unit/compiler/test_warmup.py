"""Compiling ahead: in which order, in how many processes, and what comes back."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numba
import pytest

from keepclear.compiler import warmup

needs_jit = pytest.mark.skipif(
    numba.config.DISABLE_JIT, reason="the JIT is off, so there is nothing to compile"
)


def test_groups_that_contain_the_same_functions_are_side_by_side() -> None:
    folders = [name.split(".")[2] for name in warmup.group_names()]
    runs = [folder for k, folder in enumerate(folders) if k == 0 or folders[k - 1] != folder]
    assert len(set(runs)) == len(runs)
    assert runs[:3] == ["motion", "convex", "advance"]
    assert runs[-2:] == ["trees", "triangles"]


def test_each_process_takes_what_is_nearest_to_its_place() -> None:
    waiting = warmup.Waiting("abcde")
    assert [waiting.take(0.0), waiting.take(1.0), waiting.take(0.5)] == ["a", "e", "c"]
    assert [waiting.take(0.0), waiting.take(0.0), waiting.take(0.0)] == ["b", "d", None]
    assert len(waiting) == 0


@needs_jit
@pytest.mark.parametrize("processes", [1, 2, 5])
def test_every_entry_point_is_reported_once(
    processes: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEEPCLEAR_CACHE_DIR", str(tmp_path / "cache"))
    groups = ["tests.unit.kernels.toy", "keepclear.kernels.convex.pose"]
    ready = list(warmup.compile_all(groups, processes))
    names = [
        "convex.pose.project_poses",
        "convex.pose.project_scaled_poses",
        "toy.length",
        "toy.longer",
        "toy.roots",
    ]
    assert sorted(entry.kernel for entry in ready) == names
    assert {entry.origin for entry in warmup.compile_all(groups, processes)} == {"cache"}


@needs_jit
def test_a_group_may_be_some_entry_points_of_a_module() -> None:
    assert warmup.count_entry_points(["tests.unit.kernels.toy"]) == 3
    assert warmup.count_entry_points(["tests.unit.kernels.toy:roots,length"]) == 2
    with pytest.raises(KeyError, match="cube"):
        warmup.count_entry_points(["tests.unit.kernels.toy:cube"])


@needs_jit
def test_a_process_compiles_the_groups_that_it_is_told(project: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "keepclear.compiler.warmup", "-"]
    settings = os.environ | {"KEEPCLEAR_CACHE_DIR": str(tmp_path / "cache"), "KEEPCLEAR_QUIET": "1"}
    order = "tests.unit.kernels.toy\nno.such.module\n"
    done = subprocess.run(command, input=order, cwd=project, env=settings, capture_output=True, text=True)
    assert done.returncode == 1
    assert "No module named 'no'" in done.stderr
    *lines, end = done.stdout.split("\n")[:-1]
    assert [json.loads(line)["kernel"] for line in lines] == ["toy.length", "toy.longer", "toy.roots"]
    assert end == ""
