"""The costs of a crowd: probes, growths of boxes, and the constants of the model that chooses a growth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from unittest import mock

import numpy as np

import keepclear as kc
from benchmarks.crowd_cases import Setting, best_run, cpu, place, same_density, started
from benchmarks.harness import duration
from keepclear.crowd.parts import tuning as cost

ROUNDS = 3


# Probes.


def swinging(setting: Setting) -> tuple[Callable[..., Any], Callable[..., Any], np.ndarray]:
    """A probe in NumPy, the same one compiled, for members that swing about; and their maximum accelerations."""
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


@dataclass(frozen=True)
class Case:
    """A crowd, how long it runs [s], and what happens to spheres that touch."""

    name: str
    setting: Setting
    seconds: float
    response: str = "elastic"

    @property
    def spacing(self) -> float:
        """The edge of a cube that holds one sphere on average [m]."""
        return float(self.setting.edge / self.setting.n ** (1.0 / self.setting.dimensions))


def cases(quick: bool) -> list[Case]:
    """Crowds that differ in number, density, sizes, accelerations, response and dimensions."""
    if quick:
        return [Case("n = 300", place(300, same_density(300)), 0.5)]
    return [
        Case("n = 1000", place(1000), 2.0),
        Case("n = 3500, 46 % full", place(3500), 0.3),
        Case("n = 10 000", place(10_000, same_density(10_000)), 0.5),
        Case("sparse, n = 1000", place(1000, 1000.0), 10.0),
        Case("equal sizes, n = 2000", place(2000, radii=(4.0, 4.001)), 1.0),
        Case("ratio 1000, n = 2000", place(2000, radii=(0.01, 10.0)), 0.5),
        Case("no push, n = 1000", place(1000, push=0.0), 2.0),
        Case("pushed 10 times harder", place(1000, push=10.0), 1.0),
        Case("they pass, n = 1000", place(1000), 2.0, "report"),
        Case("discs, n = 2000", place(2000, 1200.0, dimensions=2), 2.0),
    ]


def print_growths(quick: bool) -> None:
    """The time of crowds with the growth that the model chooses, beside a quarter of it to four times as much."""
    factors = 2.0 ** np.arange(-2.0, 2.1, 0.5)
    print("\nTime with other growths than the chosen one, over the time with the chosen one")
    print(f"{'':<26}{'chosen':>9}" + "".join(f"{f:>7.2f}" for f in factors) + f"{'loss':>8}")
    for case in cases(quick):
        chosen = started(case.setting, case.response).growth
        times = np.array(
            [best_run(case.setting, case.seconds, 2, case.response, growth=chosen * f) for f in factors]
        )
        ratios = times / times[len(factors) // 2]
        line = "".join(f"{ratio:>7.2f}" for ratio in ratios)
        print(f"{case.name:<26}{chosen:>7.3g} m{line}{1.0 / ratios.min() - 1.0:>8.0%}")


# The constants of the model.

CONSTANTS = ("RENEWAL", "CELL", "COMPARISON", "PAIR")
# Steps of the mean spacing that are timed, and those that the model chooses from.
TIMED, CHOICES = 2.0 ** np.arange(-3.0, 1.6, 0.5), 2.0 ** np.arange(-4.0, 2.1, 0.25)
RATIOS = np.concatenate([[0.0], 2.0 ** np.arange(-10.0, 1.1, 1.0)])


@dataclass(frozen=True)
class Curve:
    """Logarithms of the time of a crowd at all choices of the growth, and what the model counts there (choices, 4)."""

    case: Case
    times: np.ndarray
    parts: np.ndarray

    def loss(self, constants: np.ndarray) -> float:
        """How much longer the crowd takes with the growth that constants choose than with the best."""
        chosen = int(np.argmin(self.parts @ constants))
        return float(np.exp(self.times[chosen] - self.times.min()) - 1.0)


def modelled(case: Case, growth: float) -> list[float]:
    """What the model multiplies with each of its constants, which it is linear in."""
    setting, d = case.setting, case.setting.dimensions
    speed, density = np.abs(setting.v).max(axis=1), setting.n / setting.edge**d
    impacts = cost.impact_rate(setting.radii, speed, density, d)
    if case.response == "report":
        impacts = np.zeros_like(speed)
    parts = []
    for name in CONSTANTS:
        units: dict[str, Any] = {other: float(other == name) for other in CONSTANTS}
        with mock.patch.multiple(cost, **units):
            one = cost.bound_cost(
                growth, speed, setting.radii, setting.accelerations, density, d, False, impacts
            )
        parts.append(one)
    return parts


def measured(case: Case) -> Curve:
    """The curve of a crowd: timed at some growths, straight in between on logarithmic scales, and beyond."""
    times = np.log(
        [best_run(case.setting, case.seconds, 2, case.response, growth=f * case.spacing) for f in TIMED]
    )
    timed, wanted = np.log(TIMED), np.log(CHOICES)
    between = np.interp(wanted, timed, times)
    for outside, a, b in ((wanted < timed[0], 0, 1), (wanted > timed[-1], -1, -2)):
        slope = (times[b] - times[a]) / (timed[b] - timed[a])
        between[outside] = times[a] + slope * (wanted[outside] - timed[a])
    return Curve(case, between, np.array([modelled(case, f * case.spacing) for f in CHOICES]))


def print_cost(quick: bool) -> None:
    """The ratios of constants, on a logarithmic grid, with which the model chooses growths that lose least."""
    curves = [measured(case) for case in cases(quick)]
    ratios = np.stack(np.meshgrid(RATIOS, RATIOS, RATIOS, indexing="ij"), axis=-1).reshape(-1, 3)
    grid = np.hstack([np.ones((len(ratios), 1)), ratios])
    lost = np.array([[curve.loss(constants) for curve in curves] for constants in grid])
    # The mean counts, and a tenth of the worst; of those that lose next to nothing more, the middle.
    score = lost.mean(axis=1) + 0.1 * lost.max(axis=1)
    good = score <= score.min() + 0.002
    middle = np.exp(np.log(np.maximum(grid[good], RATIOS[1])).mean(axis=0))
    near = int(np.argmin(np.abs(np.log(np.maximum(grid[good], RATIOS[1]) / middle)).sum(axis=1)))
    found = grid[good][near]
    used = np.array([getattr(cost, name) for name in CONSTANTS])
    print(
        f"\nTime lost by growths that the cost model chooses, over {len(curves)} crowds, {len(TIMED)} growths of each"
    )
    for title, constants in (("in use", used), ("found", found * used[0])):
        some = [curve.loss(constants) for curve in curves]
        names = ", ".join(f"{name} {value:.0f}" for name, value in zip(CONSTANTS, constants, strict=True))
        worst = curves[int(np.argmax(some))].case.name
        print(f"{title:<8}{names} ns: mean {np.mean(some):.1%}, worst {max(some):.0%} ({worst})")
    print(
        f"{int(good.sum())} of {len(grid)} sets of ratios are as good; best growth of each, in spacings, and chosen:"
    )
    print(
        "; ".join(
            f"{curve.case.name} {CHOICES[int(np.argmin(curve.times))]:.2f}, "
            f"{CHOICES[int(np.argmin(curve.parts @ used))]:.2f}"
            for curve in curves
        )
    )


def main() -> None:
    """Print the growth that is chosen for the source's crowds."""
    print()
    for n in (500, 1000, 3500):
        print(f"n = {n}: boxes grow by {started(place(n)).growth:.2f} m")


if __name__ == "__main__":
    main()
