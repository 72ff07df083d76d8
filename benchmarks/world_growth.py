"""Worlds of many boxes, half of them moving: how time and memory of a verdict grow with their number."""

from __future__ import annotations

import math
import resource
import subprocess
import sys
import time

import numpy as np

import keepclear as kc

SIZES = (500, 1000, 2000, 5000, 10000, 20000)
ROUNDS = 3
CUBE, SMALLEST, LARGEST, TRAVEL = 0.5, 0.02, 0.1, 0.1  # [m]


def world_of(n: int, seed: int = 1) -> kc.World:
    """Boxes with edges of 2 to 10 cm, one in each cube of 0.5 m, every other one moving 0.1 m in 1 s."""
    rng = np.random.default_rng(seed)
    side = math.ceil(n ** (1.0 / 3.0))
    cells = np.stack(np.unravel_index(np.arange(n), (side, side, side)), axis=1)
    places = (cells + rng.uniform(0.2, 0.8, (n, 3))) * CUBE
    sizes = rng.uniform(SMALLEST, LARGEST, (n, 3))
    steps = rng.normal(size=(n, 3))
    steps *= TRAVEL / np.linalg.norm(steps, axis=1, keepdims=True)
    world = kc.World(threads=1)
    for k in range(n):
        if k % 2:
            X = np.eye(4)
            X[:3, 3] = places[k]
            world.add(f"box {k:05}", kc.Box(sizes[k]), X)
        else:
            path = kc.PoseTrajectory.from_positions([0.0, 1.0], [places[k], places[k] + steps[k]])
            world.add(f"box {k:05}", kc.Box(sizes[k]), path)
    return world


def measure(n: int) -> tuple[float, float, str]:
    """Return the CPU time of the first question of a new world, building its scene included, and the memory [s, MB]."""
    world_of(20).verify(0.0, 1.0, clearances=False)
    best = math.inf
    for seed in range(ROUNDS):
        world = world_of(n, seed + 1)
        start = time.process_time()
        report = world.verify(0.0, 1.0, clearances=False)
        best = min(best, time.process_time() - start)
    return best, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, report.verdict.value


def main() -> None:
    """Print a line for each size, each measured in its own process, and the exponent of growth."""
    print(
        "\nBoxes of 2 to 10 cm, one in each cube of 0.5 m, half of them moving 0.1 m in 1 s; clearances=False"
    )
    print(f"{'boxes':>7}{'CPU':>11}{'memory':>11}   verdict")
    times = []
    for n in SIZES:
        command = [sys.executable, "-c", f"from benchmarks.world_growth import measure; print(*measure({n}))"]
        seconds, memory, verdict = subprocess.run(
            command, capture_output=True, text=True, check=True
        ).stdout.split()
        times.append(float(seconds))
        print(f"{n:>7}{float(seconds):>10.3f}s{float(memory):>8.0f} MB   {verdict}")
    slope = np.polyfit(np.log(SIZES), np.log(times), 1)[0]
    print(f"time grows like n^{slope:.2f}")


if __name__ == "__main__":
    main()
