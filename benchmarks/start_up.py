"""The cost of a new process: help, import, first results, the command on a cell; with full and empty caches.

`python -m benchmarks start_up --old FOLDER` measures another checkout in the same rounds, with a separate cache.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ROUNDS = 7
HERE = Path(__file__).parents[1]
FIRST = (
    "import numpy as np, keepclear as kc; X = np.eye(4); X[0, 3] = {};"
    "kc.distance({}, np.eye(4), kc.Box([1, 1, 1]), X)"
)
CELL = "src/keepclear/jobs/cell/demo/cell.yaml"  # of each checkout
EMPTY = {
    "distance of boxes": ["-c", FIRST.format(3.0, "kc.Box([1, 1, 1])")],
    "distance of overlapping boxes": ["-c", FIRST.format(0.5, "kc.Box([1, 1, 1])")],
    "keepclear verify, demo cell": ["-m", "keepclear", "verify", CELL],
}
"""Commands that are measured once with an empty cache: they compile."""
FULL = {
    "import keepclear": ["-c", "import keepclear"],
    "keepclear --help": ["-m", "keepclear", "--help"],
    "distance of a hull of 100 points": [
        "-c",
        FIRST.format(3.0, "kc.Convex(np.random.default_rng(0).normal(size=(100, 3)) / 4)"),
    ],
    **EMPTY,
}
"""Commands that are measured with what the first ones have left in the cache, and byte code in place."""


class Cost(NamedTuple):
    """What a process and those that it started took: processor time and wall time [s]."""

    cpu: float
    wall: float


def cost(checkout: Path, command: list[str], cache: str) -> Cost:
    """Return what one new process of a checkout took; it may end with a verdict."""
    environment = os.environ | {"KEEPCLEAR_CACHE_DIR": cache, "KEEPCLEAR_QUIET": "1"}
    environment["PYTHONPATH"] = str(checkout / "src")
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(
        [sys.executable, *command], cwd=checkout, env=environment, capture_output=True, text=True
    )
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{command} of {checkout} ended with {done.returncode}: {done.stderr}")
    return Cost(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall)


def measure(checkouts: Sequence[Path], caches: Sequence[str]) -> dict[str, list[Cost]]:
    """Return the cost of each command for each checkout: the least of several rounds, once where it compiles."""
    found = {}
    for name, command in EMPTY.items():
        found[f"{name}, compiles"] = [
            cost(checkout, command, cache) for checkout, cache in zip(checkouts, caches, strict=True)
        ]
    for name, command in FULL.items():
        rounds = [
            [cost(checkout, command, cache) for checkout, cache in zip(checkouts, caches, strict=True)]
            for _ in range(ROUNDS)
        ]
        found[name] = [Cost(*map(min, zip(*costs, strict=True))) for costs in zip(*rounds, strict=True)]
    return found


def main(options: Sequence[str] = ()) -> None:
    """Print processor and wall times of new processes."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks start_up")
    parser.add_argument(
        "--old", type=Path, metavar="FOLDER", help="another checkout, measured in the same rounds"
    )
    old = parser.parse_args(list(options)).old
    checkouts = [HERE] if old is None else [HERE, old.resolve()]
    print("\nStart (a new process and what it starts: CPU and wall time; the machine should be idle)")
    with tempfile.TemporaryDirectory() as folder:
        caches = [str(Path(folder, str(k))) for k in range(len(checkouts))]
        for cache in caches:
            Path(cache).mkdir(mode=0o700)
        rows = measure(checkouts, caches)
    titles = "".join(f"{name:>20}" for name in ("here", "old")[: len(checkouts)])
    print(f"{'':<44}{titles}{'ratio':>8}" if old else f"{'':<44}{titles}")
    for name, costs in rows.items():
        cells = "".join(f"{each.cpu:>9.2f} s{each.wall:>7.2f} s" for each in costs)
        ratio = f"{costs[0].cpu / costs[1].cpu:8.2f}" if old else ""
        print(f"{name:<44}{cells}{ratio}")


if __name__ == "__main__":
    main(sys.argv[1:])
