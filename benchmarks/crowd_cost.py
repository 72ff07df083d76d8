"""What a crowd spends its time on: probes, growths of boxes, and the constants of the model that chooses a growth."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import keepclear as kc
from benchmarks.crowd_cases import Setting, best_run, cpu, place, same_density, started
from benchmarks.harness import duration

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

# What is counted, and what is fitted to it: nanoseconds for a new box, for a cell that is entered and left, for a
# comparison of boxes, for a pair that is solved, and for an event of two bounds or of a bound and a wall.
TERMS: dict[str, Callable[[dict[str, int]], float]] = {
    "renewal": lambda c: c["resetting"],
    "cell": lambda c: 0.5 * (c["entering"] + c["leaving"]),
    "comparison": lambda c: c["box tests"],
    "pair": lambda c: c["roots"],
    "event": lambda c: c["colliding"] + c["wall"],
}


def print_cost(quick: bool) -> None:
    """Least squares of measured times over counted work, and the error that is left."""
    from scipy.optimize import nnls

    rows, times, names = [], [], []
    for name, (setting, seconds) in settings_for_growths(quick).items():
        chosen = started(setting).growth
        for factor in (0.35, 1.0, 2.8):
            best, work = np.inf, {}
            for _ in range(2):
                crowd = started(setting, growth=factor * chosen)
                before = crowd.statistics
                best = min(best, cpu(lambda: crowd.advance(seconds)))
                work = {key: count - before[key] for key, count in crowd.statistics.items()}
            rows.append([term(work) for term in TERMS.values()])
            times.append(1e9 * best)
            names.append(f"{name}, growth {factor * chosen:.3g} m")
    A, b = np.array(rows, dtype=np.float64), np.array(times)
    found, _ = nnls(A / b[:, None], np.ones(len(b)))  # errors in proportion, not in nanoseconds
    print("\nThe model's constants, by least squares over proportional errors [ns]")
    print(", ".join(f"{name} {value:.0f}" for name, value in zip(TERMS, found, strict=True)))
    off = A @ found / b - 1.0
    worst = int(np.abs(off).argmax())
    print(
        f"model and time differ by {np.sqrt(np.mean(off**2)):.0%} (rms of {len(b)} runs), "
        f"at most by {off[worst]:+.0%}: {names[worst]}"
    )


def main() -> None:
    """Print the growth that is chosen for the source's crowds."""
    print()
    for n in (500, 1000, 3500):
        print(f"n = {n}: boxes grow by {started(place(n)).growth:.2f} m")


if __name__ == "__main__":
    main()
