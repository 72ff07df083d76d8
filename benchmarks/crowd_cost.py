"""What a crowd spends its time on: probes, growths of boxes, and the constants of the model that chooses a growth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from unittest import mock

import numpy as np

import keepclear as kc
from benchmarks.crowd_cases import Setting, best_run, cpu, place, same_density, started
from benchmarks.harness import duration
from keepclear.crowd import cost

ROUNDS = 3


# Probes.


def swinging(setting: Setting) -> tuple[Callable[..., Any], Callable[..., Any], np.ndarray]:
    """A probe in NumPy, the same one compiled, for members that swing about; and their greatest accelerations."""
    from numba import njit

    rng = np.random.default_rng(5)
    middle, way = setting.x.copy(), rng.normal(size=setting.x.shape) * 4.0
    beat, phase = rng.uniform(1.0, 2.0, setting.n), rng.uniform(0.0, 6.0, setting.n)

    def probe(ids: np.ndarray, t: float) -> tuple[np.ndarray, np.ndarray]:
        angle = (beat[ids] * t + phase[ids])[:, None]
        return middle[ids] + way[ids] * np.sin(angle), way[ids] * (beat[ids][:, None] * np.cos(angle))

    @njit
    def compiled(ids, t):  # type: ignore[no-untyped-def]
        x, v = np.empty((len(ids), 3)), np.empty((len(ids), 3))
        for k in range(len(ids)):
            i = ids[k]
            angle = beat[i] * t + phase[i]
            x[k], v[k] = middle[i] + way[i] * np.sin(angle), way[i] * (beat[i] * np.cos(angle))
        return x, v

    return probe, compiled, np.linalg.norm(way, axis=1) * beat**2 * (1.0 + 1e-9)


def print_probes(quick: bool) -> None:
    """The same swinging members, asked in Python and by a compiled probe, beside built-in motions."""
    n, seconds = (200, 0.2) if quick else (1000, 1.0)
    setting = place(n, same_density(n))
    probe, compiled, accelerations = swinging(setting)
    print(f"\nProbes: {n} spheres that swing and pass, {seconds:g} s")
    told = []
    for name, motion in (("Python", probe), ("compiled", compiled), ("built in", kc.RandomForces(seed=1))):
        best, probes = np.inf, 0
        for _ in range(ROUNDS):
            x, v = probe(np.arange(n), 0.0)
            crowd = kc.Crowd(x, v, setting.radii, accelerations, motion=motion, response="report")
            crowd.advance(0.0)
            before = crowd.statistics["probes"]
            best = min(best, cpu(lambda: told.append(crowd.advance(seconds))))
            probes = crowd.statistics["probes"] - before
        each = f"{duration(best / probes)} each with all that follows"
        print(f"{name:<12}{duration(best / seconds):>10} per second, {probes} probes, {each}")
    python, native = told[0], told[ROUNDS]
    same = len(python) == len(native) and bool(np.allclose(python["time"], native["time"], rtol=0, atol=1e-9))
    print(f"{len(python)} events, by both probes {'the same' if same else 'DIFFERENT'}")


# Growths of boxes.


def settings_for_growths(quick: bool) -> dict[str, tuple[Setting, float]]:
    """Crowds that differ in number, density, sizes and accelerations, and how long each runs [s]."""
    if quick:
        return {"n = 300": (place(300, same_density(300)), 0.5)}
    return {
        "n = 1000": (place(1000), 2.0),
        "n = 3500, 46 % full": (place(3500), 0.3),
        "n = 10 000": (place(10_000, same_density(10_000)), 0.5),
        "sparse, n = 1000": (place(1000, 1000.0), 10.0),
        "equal sizes, n = 2000": (place(2000, 200.0, 1, 4.0, 4.001), 1.0),
        "ratio 1000, n = 2000": (place(2000, 200.0, 1, 0.01, 10.0), 1.0),
        "no push, n = 1000": (place(1000, 200.0, 1, 0.1, 10.0, 0.0), 2.0),
        "pushed 10 times harder": (place(1000, 200.0, 1, 0.1, 10.0, 10.0), 1.0),
    }


def print_growths(quick: bool) -> None:
    """The time of crowds with the growth that the model chooses, beside a quarter of it to four times as much."""
    factors = 2.0 ** np.arange(-2.0, 2.1, 0.5)
    print("\nTime with other growths than the chosen one, over the time with the chosen one")
    print(f"{'':<26}{'chosen':>9}" + "".join(f"{f:>7.2f}" for f in factors) + f"{'loss':>8}")
    for name, (setting, seconds) in settings_for_growths(quick).items():
        chosen = started(setting).growth
        times = np.array([best_run(setting, seconds, 2, growth=chosen * f) for f in factors])
        ratios = times / times[len(factors) // 2]
        line = "".join(f"{ratio:>7.2f}" for ratio in ratios)
        print(f"{name:<26}{chosen:>7.3g} m{line}{1.0 / ratios.min() - 1.0:>8.0%}")


# The constants of the model.

CONSTANTS = ("RENEWAL", "CELL", "COMPARISON", "PAIR")
# What is counted of each: new boxes, cells that are entered and left, comparisons of boxes, and pairs that are solved;
# besides, events of two bounds or of a bound and a wall, which do not depend much on the growth.
COUNTS: tuple[Callable[[dict[str, int]], float], ...] = (
    lambda work: work["resetting"],
    lambda work: 0.5 * (work["entering"] + work["leaving"]),
    lambda work: work["box tests"],
    lambda work: work["roots"],
    lambda work: work["colliding"] + work["wall"],
)


@dataclass(frozen=True)
class Run:
    """A crowd with a growth: its time [ns], what was counted, and what the model counts, constant by constant."""

    name: str
    growth: float
    time: float
    counted: list[float]
    modelled: list[float]


def modelled(setting: Setting, growth: float, seconds: float) -> list[float]:
    """What the model multiplies with each of its constants, which it is linear in."""
    speed, density = np.abs(setting.v).max(axis=1), setting.n / setting.edge**3
    impacts = cost.impact_rate(setting.radii, speed, density, 3)
    parts = []
    for name in CONSTANTS:
        units: dict[str, Any] = {other: float(other == name) for other in CONSTANTS}
        with mock.patch.multiple(cost, **units):
            one = cost.bound_cost(
                growth, speed, setting.radii, setting.accelerations, density, 3, False, impacts
            )
        parts.append(one * setting.n * seconds)
    return parts


def measured(quick: bool) -> list[Run]:
    """Runs of all crowds with growths from an eighth of the mean spacing to twice as much."""
    runs = []
    for name, (setting, seconds) in settings_for_growths(quick).items():
        for factor in 2.0 ** np.arange(-3.0, 1.1, 0.5):
            growth = float(factor * setting.edge / setting.n ** (1.0 / 3.0))
            best, counted = np.inf, [0.0]
            for _ in range(2):
                crowd = started(setting, growth=growth)
                before = crowd.statistics
                best = min(best, cpu(lambda: crowd.advance(seconds)))
                work = {key: count - before[key] for key, count in crowd.statistics.items()}
                counted = [count(work) for count in COUNTS]
            runs.append(Run(name, growth, 1e9 * best, counted, modelled(setting, growth, seconds)))
    return runs


def fitted(rows: list[list[float]], times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The constants with the least squares of errors in proportion to the times, none negative; and those errors."""
    from scipy.optimize import nnls

    A = np.array(rows, dtype=np.float64) / times[:, None]
    found, _ = nnls(A, np.ones(len(times)))
    return found, A @ found - 1.0


def losses(runs: list[Run], constants: np.ndarray) -> dict[str, float]:
    """How much longer each crowd takes with the growth that constants choose than with the best of those tried."""
    lost = {}
    for name in dict.fromkeys(run.name for run in runs):
        some = [run for run in runs if run.name == name]
        chosen = min(some, key=lambda run: float(constants @ run.modelled))
        lost[name] = chosen.time / min(run.time for run in some) - 1.0
    return lost


def print_cost(quick: bool) -> None:
    """Constants by least squares: over counted work, which is what steps cost, and over the model's own counts."""
    runs = measured(quick)
    times = np.array([run.time for run in runs])
    print(
        f"\nConstants of the cost model [ns], by least squares of proportional errors over {len(runs)} runs"
    )
    for title, rows in (
        ("counted", [run.counted for run in runs]),
        ("modelled", [run.modelled for run in runs]),
    ):
        found, off = fitted(rows, times)
        told = ", ".join(
            f"{name} {value:.0f}" for name, value in zip((*CONSTANTS, "event"), found, strict=False)
        )
        worst = runs[int(np.abs(off).argmax())]
        print(
            f"{title:<10}{told}; off by {np.sqrt(np.mean(off**2)):.0%}, most at {worst.name}, {worst.growth:.3g} m"
        )
    used = np.array([getattr(cost, name) for name in CONSTANTS])
    for title, constants in (
        ("in use", used),
        ("modelled", fitted([run.modelled for run in runs], times)[0]),
    ):
        lost = losses(runs, constants)
        told = ", ".join(f"{name} {share:.0%}" for name, share in lost.items())
        print(f"time lost with constants {title}: mean {np.mean(list(lost.values())):.1%}; {told}")


def main() -> None:
    """Print the growth that is chosen for the source's crowds."""
    print()
    for n in (500, 1000, 3500):
        print(f"n = {n}: boxes grow by {started(place(n)).growth:.2f} m")


if __name__ == "__main__":
    main()
