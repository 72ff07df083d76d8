"""Crowds advanced from event to event, beside crowds stepped 60 times a second: time, events, and what steps miss."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import keepclear as kc
from benchmarks.crowd_peers import (
    INTERVAL,
    STEPS,
    Finder,
    Setting,
    coal_finder,
    kd_tree_finder,
    place,
    step_through,
)
from benchmarks.harness import duration

EDGE = 200.0  # of the source's box [m]
SOURCE_SIZES = range(500, 3501, 500)
SOURCE_SECONDS = 15.0
RACE_SECONDS = {1000: 5.0, 3500: 2.0, 10_000: 1.0, 50_000: 0.5}
GROWTH_SECONDS = {1000: 5.0, 3000: 2.0, 10_000: 1.0, 30_000: 0.5, 100_000: 0.2}
ROUNDS = 3
FINDERS: dict[str, Callable[[np.ndarray], Finder]] = {"cKDTree": kd_tree_finder, "coal": coal_finder}


def crowd_of(setting: Setting, response: str) -> Any:
    """The library's crowd of a setting."""
    return kc.Crowd(
        setting.x,
        setting.v,
        setting.radii,
        setting.bounds,
        bounds=(np.zeros(3), np.full(3, setting.edge)),
        motion=kc.RandomForces(seed=setting.seed, interval=INTERVAL),
        response=response,
    )


def cpu(job: Callable[[], Any]) -> tuple[float, Any]:
    """The CPU time of a job [s], and what it returns."""
    start = time.process_time()
    found = job()
    return time.process_time() - start, found


def same_density(n: int) -> float:
    """The edge of a cube in which n spheres are as dense as 1000 in the source's [m]."""
    return float(EDGE * (n / 1000.0) ** (1.0 / 3.0))


def warm_up() -> None:
    """Compile what is timed."""
    for response in ("elastic", "report"):
        crowd_of(place(50, 80.0, 0), response).advance(0.5)


def print_source() -> None:
    """The source's experiment: time per simulated second, and events by kind in 15 s."""
    print(
        f"\nThe source's experiment: box {EDGE:.0f}^3, {SOURCE_SECONDS:.0f} s, elastic (it took 1.372 s at n = 1000)"
    )
    for n in SOURCE_SIZES:
        crowd = crowd_of(place(n, EDGE, 1), "elastic")
        spent, events = cpu(lambda: crowd.advance(SOURCE_SECONDS))
        counts = ", ".join(f"{name} {count}" for name, count in dict(crowd.statistics).items())
        print(
            f"n = {n:<6}{duration(spent / SOURCE_SECONDS):>10} per second, {len(events)} contacts; {counts}"
        )


def print_race() -> None:
    """Elastic crowds: best of some rounds in turns, per simulated second."""
    print(
        f"\nElastic crowds as dense as 1000 spheres in {EDGE:.0f}^3, CPU per simulated second ({STEPS} steps for peers)"
    )
    print(f"{'':<12}{'keepclear':>12}{'cKDTree':>12}{'coal':>12}{'ratio':>8}")
    for n, seconds in RACE_SECONDS.items():
        setting = place(n, same_density(n), 1)
        finders = {name: build(setting.radii) for name, build in FINDERS.items()}
        best = dict.fromkeys(("keepclear", *finders), np.inf)
        for _ in range(ROUNDS if n <= 10_000 else 1):
            crowd = crowd_of(setting, "elastic")
            best["keepclear"] = min(best["keepclear"], cpu(lambda: crowd.advance(seconds))[0])
            for name, find in finders.items():
                best[name] = min(best[name], cpu(lambda: step_through(setting, find, seconds))[0])
        told = "".join(f"{duration(t / seconds):>12}" for t in best.values())
        ratio = min(best[name] for name in finders) / best["keepclear"]
        print(f"n = {n:<8}{told}{ratio:7.2f}x")


def print_misses() -> None:
    """Count the overlaps that lie between steps, where spheres pass through each other on the same paths.

    Steps look at the positions that the crowd says; what they see must be an overlap that the crowd told.
    """
    print(f"\nOverlaps that begin and end (spheres pass), and those that {STEPS} steps a second do not see")
    for n, seconds in RACE_SECONDS.items():
        setting = place(n, same_density(n), 2)
        told, seen = watch(setting, min(seconds, 2.0))
        for name, pairs in seen.items():
            missed, strange = compare(told, pairs)
            print(
                f"n = {n:<8}{len(told)} overlaps, {name} misses {missed}; keepclear misses {strange} of its sights"
            )


Stretches = list[tuple[int, int, float, float]]


def watch(setting: Setting, seconds: float) -> tuple[Stretches, dict[str, list[tuple[float, np.ndarray]]]]:
    """The overlaps (i, j, begin, end) that a crowd tells, and the pairs that each finder sees at the steps."""
    crowd = crowd_of(setting, "report")
    finders = {name: build(setting.radii) for name, build in FINDERS.items()}
    seen: dict[str, list[tuple[float, np.ndarray]]] = {name: [] for name in finders}
    open_since: dict[tuple[int, int], float] = {}
    told: Stretches = []
    for k in range(round(seconds * STEPS) + 1):
        t = k / STEPS
        for event in crowd.advance(t):
            key = int(event["i"]), int(event["j"])
            if event["kind"] == "begin":
                open_since[key] = float(event["time"])
            elif event["kind"] == "end":
                told.append((*key, open_since.pop(key), float(event["time"])))
        x = np.ascontiguousarray(crowd.positions(t))
        for name, find in finders.items():
            seen[name].append((t, np.sort(find(x), axis=1)))
    told += [(*key, begin, np.inf) for key, begin in open_since.items()]
    return [one for one in told if one[1] >= 0], seen


def compare(told: Stretches, seen: list[tuple[float, np.ndarray]]) -> tuple[int, int]:
    """How many overlaps no step saw, and how many sights of steps belong to no overlap (by more than rounding)."""
    runs: dict[tuple[int, int], list[list[float]]] = {}
    for i, j, begin, end in told:
        runs.setdefault((i, j), []).append([begin, end, 0])
    strange = 0
    for t, pairs in seen:
        for i, j in pairs.tolist():
            match = [run for run in runs.get((i, j), []) if run[0] - 1e-9 <= t <= run[1] + 1e-9]
            strange += not match
            for run in match:
                run[2] += 1
    return sum(run[2] == 0 for several in runs.values() for run in several), strange


def print_growth() -> None:
    """Time per simulated second at one density, and the exponent of its growth."""
    print("\nGrowth at the density of 1000 spheres, elastic")
    times = []
    for n, seconds in GROWTH_SECONDS.items():
        crowd = crowd_of(place(n, same_density(n), 1), "elastic")
        times.append(cpu(lambda: crowd.advance(seconds))[0] / seconds)
        print(f"n = {n:<8}{duration(times[-1]):>10} per second, {times[-1] / n * 1e6:.1f} us per sphere")
    exponent = np.polyfit(np.log(list(GROWTH_SECONDS)), np.log(times), 1)[0]
    print(f"exponent {exponent:.3f}; most memory so far {most_memory() / 2**30:.2f} GB")


def most_memory() -> float:
    """The greatest resident size of this process until now [bytes]."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def main() -> None:
    """Print all tables."""
    warm_up()
    print_source()
    print_race()
    print_misses()
    print_growth()


if __name__ == "__main__":
    main()
