"""First contacts by a slow, simple method: distances at many instants, and speed bounds between them."""

from __future__ import annotations

import math

import numpy as np

import keepclear as kc
from benchmarks.moving_cases import Case

# Bodies nearer than this count as touching [m]: rounding of poses and distances is far below, tolerances far above.
NEAR = 1e-11
PARTS = 8
FIRST_PARTS = 64


def true_time(case: Case) -> float:
    """Return when the bodies of a case first touch, nan for never."""
    times = np.linspace(0.0, 1.0, FIRST_PARTS + 1)
    return _search(case, times, gaps(case, times), _speed(case))


def gaps(case: Case, times: np.ndarray) -> np.ndarray:
    """Return the distances at times, 0 where the bodies overlap (n,) [m]."""
    found = kc.distance(case.fixed, np.eye(4), case.moving, case.flight.poses(times)).distance
    distances: np.ndarray = np.maximum(found, 0.0)
    return distances


def _speed(case: Case) -> float:
    """Return how fast any point of the moving body is at most [m per motion]."""
    lower, upper = case.moving.bounds
    reach = float(np.linalg.norm(np.maximum(np.abs(lower), np.abs(upper))))
    return float(np.linalg.norm(case.flight.way) + np.linalg.norm(case.flight.turn) * reach)


def _search(case: Case, times: np.ndarray, d: np.ndarray, speed: float) -> float:
    """Return the first contact between times at which distances are known.

    A pair of points that touches at an instant between two others walks both distances in the time between them.
    """
    for k in range(len(times) - 1):
        if d[k] <= NEAR:
            return float(times[k])
        span = times[k + 1] - times[k]
        if d[k] + d[k + 1] > speed * span:
            continue
        if speed * span <= NEAR:
            return float(times[k])
        inner = np.linspace(times[k], times[k + 1], PARTS + 1)
        found = _search(case, inner, np.array([d[k], *gaps(case, inner[1:-1]), d[k + 1]]), speed)
        if not math.isnan(found):
            return found
    return float(times[-1]) if d[-1] <= NEAR else math.nan


def main() -> None:
    """Print the first contacts of some cases beside what keepclear says at once."""
    from benchmarks.moving_cases import hull_families

    for family in hull_families(5):
        for case, answer in zip(
            family.cases, kc.first_contact_batch([case.question for case in family.cases]), strict=True
        ):
            print(f"{family.name:<32}{true_time(case):12.9f}  {answer}")


if __name__ == "__main__":
    main()
