"""Crowds advanced from event to event, beside crowds stepped 60 times a second: time, events, and what steps miss.

`python -m benchmarks crowd --part race` prints one part; `--quick` makes all of them small.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np

import keepclear as kc
from benchmarks.crowd_cases import (
    EDGE,
    Setting,
    best_run,
    circulating,
    cpu,
    crowd_of,
    place,
    same_density,
    started,
)
from benchmarks.crowd_cost import print_cost, print_growths, print_probes
from benchmarks.crowd_memory import print_memory
from benchmarks.crowd_peers import FINDERS, STEPS, Stepped
from benchmarks.harness import duration

SOURCE_SECONDS = 15.0
# Simulated seconds of keepclear, and steps of the peers, which are scaled to a second.
RACE = {1000: (5.0, 120), 3500: (3.0, 60), 10_000: (2.0, 30), 50_000: (1.0, 10)}
MISSES = {1000: 5.0, 3500: 2.0, 10_000: 1.0, 50_000: 0.5}
GROWTH, GROWTH_SECONDS = (1000, 3000, 10_000, 30_000, 100_000), 1.0
ROUNDS = 3


def warm_up() -> None:
    """Compile what is timed."""
    for response in ("elastic", "report"):
        crowd_of(place(50, 80.0), response).advance(0.5)


def print_source(quick: bool) -> None:
    """The source's experiment: time per simulated second, and events by kind."""
    sizes, seconds = ((500, 1000), 2.0) if quick else (range(500, 3501, 500), SOURCE_SECONDS)
    kinds = (
        "cells entered",
        "cells left",
        "bounds updated",
        "bounds touched",
        "walls touched",
        "contacts",
        "wall contacts",
    )
    print(
        f"\nThe source's experiment: cube of {EDGE:.0f} m, {seconds:.0f} s, elastic (it took 1.372 s at n = 1000)"
    )
    print(
        f"{'':<10}{'filled':>8}{'per second':>12}{'building':>10}" + "".join(f"{kind:>15}" for kind in kinds)
    )
    for n in sizes:
        setting = place(n)
        building = cpu(lambda: started(setting))
        crowd = started(setting)
        spent = cpu(lambda: crowd.advance(seconds)) / seconds
        counts = "".join(f"{crowd.statistics[kind]:>15}" for kind in kinds)
        print(f"n = {n:<6}{setting.filled:>8.0%}{duration(spent):>12}{duration(building):>10}{counts}")


def print_circulation(quick: bool) -> None:
    """The source's particles that circulate in a box, driven by a velocity field."""
    seconds, setting = 2.0 if quick else 7.0, circulating()
    spent = best_run(setting, seconds, ROUNDS, motion=kc.VelocityField())
    crowd = started(setting, motion=kc.VelocityField())
    crowd.advance(seconds)
    upwards = crowd.velocities()[:, 2]
    middle = np.hypot(*(crowd.positions()[:, :2] - 0.5 * EDGE).T) < 0.25 * EDGE
    print(
        f"\n{setting.n} circulating particles, {seconds:.0f} s (the source took 2.846 s): {duration(spent)} "
        f"per second, {crowd.statistics['contacts']} contacts; {upwards[middle].mean():+.1f} m/s upwards in the "
        f"middle, {upwards[~middle].mean():+.1f} m/s outside"
    )


def print_race(quick: bool) -> None:
    """Elastic crowds at one density: best of some rounds in turns, per simulated second."""
    print(
        f"\nElastic crowds as dense as 1000 spheres in {EDGE:.0f}^3, CPU per simulated second ({STEPS} steps for peers)"
    )
    print(f"{'':<12}{'keepclear':>12}{'building':>10}{'cKDTree':>12}{'coal':>12}{'ratio':>8}")
    for n, (seconds, steps) in list(RACE.items())[: 1 if quick else None]:
        setting = place(n, same_density(n))
        peers = {name: Stepped(setting, build(setting.radii)) for name, build in FINDERS.items()}
        for peer in peers.values():
            peer.step(1)
        best = dict.fromkeys(("keepclear", "building", *peers), np.inf)
        for _ in range(ROUNDS if n <= 10_000 else 2):
            best["building"] = min(best["building"], cpu(lambda: started(setting)))
            best["keepclear"] = min(best["keepclear"], best_run(setting, seconds, 1))
            for name, peer in peers.items():
                best[name] = min(best[name], peer.step(steps) / steps * STEPS)
        told = "".join(f"{duration(t):>{10 if name == 'building' else 12}}" for name, t in best.items())
        ratio = min(best[name] for name in peers) / best["keepclear"]
        print(f"n = {n:<8}{told}{ratio:7.2f}x")
    told = ", ".join(f"{steps} at {n}" for n, (_, steps) in RACE.items())
    print(f"Steps that peers were timed over, in each round, and scaled to a second: {told}")


def print_misses(quick: bool) -> None:
    """Count the overlaps that lie between steps, where spheres pass through each other on the same paths.

    Steps look at the positions that the crowd says; what they see must be an overlap that the crowd told.
    """
    print(f"\nOverlaps that begin (spheres pass), and those that no look at {STEPS} instants a second sees")
    for n, seconds in list(MISSES.items())[: 1 if quick else None]:
        setting = place(n, same_density(n), 2)
        for name in FINDERS if n == 1000 else ("cKDTree",):
            overlaps, missed, strange = watch(setting, seconds, name)
            print(
                f"n = {n:<8}{seconds:g} s: {overlaps} overlaps, {name} misses {missed}; "
                f"of what it sees, keepclear misses {strange}"
            )


def watch(setting: Setting, seconds: float, name: str) -> tuple[int, int, int]:
    """How many overlaps a crowd tells, how many of them no step sees, and how many sights are of none of them."""
    crowd, find, n = crowd_of(setting, "report"), FINDERS[name](setting.radii), setting.n
    sights: list[tuple[float, np.ndarray]] = []
    events = [crowd.advance(0.0)]
    for k in range(round(seconds * STEPS) + 1):
        events.append(crowd.advance(k / STEPS))
        pairs = np.sort(find(np.ascontiguousarray(crowd.positions())), axis=1)
        sights.append((k / STEPS, pairs @ np.array([n, 1])))
    keys, begins, ends = stretches(np.concatenate(events), n)
    seen, strange = np.zeros(len(keys), dtype=bool), 0
    for t, found in sights:
        now = (begins <= t + 1e-9) & (t - 1e-9 <= ends)
        seen |= now & np.isin(keys, found)
        strange += int((~np.isin(found, keys[now])).sum())
    return len(keys), int((~seen).sum()), strange


def stretches(events: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Pairs as n i + j with begin and end of their overlaps; an end that has not come is infinity."""
    events = events[events["j"] >= 0]
    keys, is_begin = events["i"] * n + events["j"], events["kind"] == "begin"
    order = np.lexsort((events["time"], keys))
    keys, is_begin, times = keys[order], is_begin[order], events["time"][order]
    first = np.flatnonzero(is_begin)
    after = np.minimum(first + 1, len(keys) - 1)
    ended = (keys[after] == keys[first]) & ~is_begin[after]
    return keys[first], times[first], np.where(ended, times[after], np.inf)


def print_growth(quick: bool) -> None:
    """Time per simulated second at one density, and the exponent of its growth."""
    seconds, sizes = (0.2, GROWTH[:3]) if quick else (GROWTH_SECONDS, GROWTH)
    print(f"\nGrowth at the density of 1000 spheres, elastic, {seconds:g} s")
    times = []
    for n in sizes:
        setting = place(n, same_density(n))
        building = cpu(lambda: started(setting))
        times.append(best_run(setting, seconds, ROUNDS))
        each = f"{times[-1] / n * 1e6:.1f} us per sphere"
        print(f"n = {n:<8}{duration(times[-1]):>10} per second, {each}; building {duration(building)}")
    print(f"exponent {np.polyfit(np.log(sizes), np.log(times), 1)[0]:.3f}")


PARTS = {
    "source": print_source,
    "circulation": print_circulation,
    "race": print_race,
    "misses": print_misses,
    "growth": print_growth,
    "memory": print_memory,
    "probes": print_probes,
    "growths": print_growths,
    "cost": print_cost,
}


def main(options: Sequence[str] = ()) -> None:
    """Print all tables, or those of the parts that are named."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks crowd")
    parser.add_argument("--part", choices=PARTS, action="append", help="only this part; may be repeated")
    parser.add_argument("--quick", action="store_true", help="small sizes, to see that it works")
    given = parser.parse_args(options)
    warm_up()
    for name in given.part or PARTS:
        PARTS[name](given.quick)


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])
