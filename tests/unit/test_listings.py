"""`make` and `python -m benchmarks` without a name list what there is, and run nothing."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
BENCHMARKS = [
    path.stem
    for path in (PROJECT / "benchmarks").glob("*.py")
    if path.stem not in ("__init__", "__main__", "harness")
]


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)


def test_benchmarks_are_listed_with_a_line_each() -> None:
    done = run(sys.executable, "-m", "benchmarks")
    assert (done.returncode, done.stderr) == (0, "")
    usage, empty, *lines = done.stdout.splitlines()
    assert usage.startswith("usage: python -m benchmarks NAME")
    assert empty == ""
    assert [line.split()[0] for line in lines] == sorted(BENCHMARKS)
    assert all(len(line.split()) > 3 and line.endswith(".") for line in lines)


@pytest.mark.parametrize("name", BENCHMARKS)
def test_every_listed_benchmark_can_be_run(name: str) -> None:
    tree = ast.parse((PROJECT / "benchmarks" / f"{name}.py").read_text(encoding="utf-8"))
    assert any(isinstance(node, ast.FunctionDef) and node.name == "main" for node in tree.body)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("contact_methods", "It has no options."),
        ("bisection_risk", "`--figure` replaces the figure of the documentation."),
        ("fleet_cells", "--to FOLDER 1000"),
        ("start_up", "usage: "),
    ],
)
def test_help_describes_a_benchmark_and_its_options(name: str, text: str) -> None:
    """It was no option, and the options of a benchmark were listed nowhere."""
    done = run(sys.executable, "-m", "benchmarks", name, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert f"python -m benchmarks {name}: " in done.stdout
    assert text in done.stdout


def test_an_unknown_benchmark_gets_a_suggestion() -> None:
    done = run(sys.executable, "-m", "benchmarks", "convexdistance")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "no benchmark 'convexdistance'; did you mean 'convex_distance'? `python -m benchmarks` lists them.\n"
    )


@pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")
def test_make_lists_its_targets() -> None:
    targets = re.search(r"^\.PHONY: (.+)$", (PROJECT / "Makefile").read_text(), re.MULTILINE)
    assert targets is not None
    shown = {words: run("make", "--no-print-directory", *words) for words in ((), ("help",))}
    assert shown[()].stdout == shown[("help",)].stdout
    listed = [line.split()[1] for line in shown[()].stdout.splitlines()]
    assert sorted(listed) == sorted(targets[1].split())
