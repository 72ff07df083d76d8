"""Casts of convex bodies from one pose to another: arrays of poses, a batch of trajectories, and rapier."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from scipy.spatial.transform import Rotation

import keepclear as kc
from benchmarks.harness import best_times, duration
from benchmarks.moving_cases import Case, Flight
from benchmarks.moving_peers import Rapier

CASTS = (40, 2000)
PLATE, CUBE, ROD = kc.Box([1.0, 1.0, 0.001]), kc.Box([0.1, 0.1, 0.1]), kc.Box([0.02, 0.02, 0.6])
ENDS = np.array([0.0, 1.0])

Job = Callable[[], object]


def families(n: int) -> Iterator[tuple[str, list[Case]]]:
    """Give n cases of each kind: bodies that fly straight while they spin at constant speed."""
    rng = np.random.default_rng(3)

    def flight(start: list[float], way: list[float], turn: float) -> Flight:
        X = np.eye(4)
        X[:3, :3] = Rotation.random(random_state=rng).as_matrix()
        X[:3, 3] = start
        return Flight(X, np.array(way), turn * rng.normal(size=3))

    some = range(n)
    x, y = rng.uniform(-0.3, 0.3, (2, n))
    yield (
        "cubes through a plate of 1 mm",
        [Case(PLATE, CUBE, flight([x[k], y[k], 0.5], [0, 0, -1], 0.8)) for k in some],
    )
    yield (
        "rods that meet",
        [Case(ROD, ROD, flight([-0.5, y[k] / 6, x[k] / 3], [1, 0, 0], 0.8)) for k in some],
    )
    yield (
        "rods that pass clear",
        [Case(ROD, ROD, flight([-0.5, 0.75 + y[k] / 6, x[k] / 3], [1, 0, 0], 0.8)) for k in some],
    )


def jobs(cases: list[Case]) -> dict[str, Job]:
    """Return the ways to ask about cases; all results are read."""
    poses = np.array([case.flight.poses(ENDS) for case in cases])
    ends = np.ascontiguousarray(poses[:, 0]), np.ascontiguousarray(poses[:, 1])
    questions, rest = [case.question for case in cases], np.eye(4)
    fixed, moving = cases[0].fixed, cases[0].moving
    found: dict[str, Job] = {
        "arrays": lambda: kc.first_contact(fixed, rest, moving, ends, interpolation="linear").time,
        "batch": lambda: kc.first_contact_batch(questions).time,
        "batch, list": lambda: list(kc.first_contact_batch(questions)),
        "one by one": lambda: [kc.first_contact(*question) for question in questions],
        "trajectories": lambda: [kc.PoseTrajectory(ENDS, X, "linear") for X in poses],
    }
    try:
        found[Rapier.name] = Rapier().job(cases)
    except ImportError:
        print("(rapier3d is not installed)")
    return found


def main() -> None:
    """Print the time per cast of each family, and how many times as long rapier takes."""
    for n in CASTS:
        print(f"\n{n} casts in one call, time per cast (in brackets: rapier's time divided by it)")
        for name, cases in families(n):
            ways = jobs(cases)
            times = dict(zip(ways, best_times(list(ways.values()), n), strict=True))
            peer = times.get(Rapier.name, np.nan)
            told = [f"{way} {duration(t)} ({peer / t:.2f}x)" for way, t in times.items()]
            print(f"{name:<32}{', '.join(told)}")


if __name__ == "__main__":
    main()
