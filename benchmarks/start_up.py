"""What a user waits for: the command's help, import and first answer with a full cache, and the first one without."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time

FIRST = (
    "import numpy as np, keepclear as kc; X = np.eye(4); X[0, 3] = 3;"
    "kc.distance({}, np.eye(4), kc.Box([1, 1, 1]), X)"
)
BOXES = FIRST.format("kc.Box([1, 1, 1])")
HULL = FIRST.format("kc.Convex(np.random.default_rng(0).normal(size=(100, 3)) / 4)")
HELP = "import sys; sys.argv[1:] = ['--help']; from keepclear.cli.main import main; main()"
OVERLAP = BOXES.replace("= 3", "= 0.5")


def seconds(code: list[str], cache: str, rounds: int) -> float:
    """Return the shortest wall time of a new process [s]."""
    environment = os.environ | {"KEEPCLEAR_CACHE_DIR": cache, "KEEPCLEAR_QUIET": "1"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    best = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        subprocess.run([sys.executable, *code], check=True, env=environment, stdout=subprocess.DEVNULL)
        best = min(best, time.perf_counter() - start)
    return best


def main() -> None:
    """Print wall times of new processes; the machine should be idle."""
    print("\nStart (wall time of a new process)")
    with tempfile.TemporaryDirectory() as cache:
        cold = seconds(["-c", BOXES], cache, rounds=1)
        overlap = seconds(["-c", OVERLAP], cache, rounds=1)
        rows = {
            "keepclear --help": seconds(["-c", HELP], cache, rounds=5),
            "import and first distance, boxes": seconds(["-c", BOXES], cache, rounds=5),
            "import and first distance, a hull": seconds(["-c", HULL], cache, rounds=5),
            "the same for boxes, empty cache (compiles)": cold,
            "first overlap, empty cache (compiles)": overlap,
        }
    for name, value in rows.items():
        print(f"{name:<46}{value:8.2f} s")


if __name__ == "__main__":
    main()
