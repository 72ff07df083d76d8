"""The true signed distance of two convex bodies at float64 poses, as an interval of fractions."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from tests.oracles.curved import WorldBody, core_depth_interval, core_distance_interval
from tests.oracles.exact_depth import depth_squared
from tests.oracles.exact_distance import Nearest, nearest_to_origin
from tests.oracles.exact_points import Body, Point, furthest, refine, sqrt_interval, sub, world_points


@dataclass(frozen=True)
class Truth:
    """`lower <= signed distance <= upper` [m]; polyhedra, spheres and capsules to 60 digits."""

    lower: Fraction
    upper: Fraction

    def error(self, value: float) -> float:
        """How far a number is from the interval [m]."""
        v = Fraction(value)
        return float(max(self.lower - v, v - self.upper, Fraction(0)))

    def __str__(self) -> str:
        return f"[{float(self.lower)!r}, {float(self.upper)!r}]"


def signed_distance(a: Body, X_WA: np.ndarray, b: Body, X_WB: np.ndarray) -> Truth:
    """Return the distance of two bodies, or minus the smallest translation that parts them.

    Growing a core by a ball moves every supporting plane by its radius, so radii are subtracted from the
    signed distance of the cores, apart or overlapping alike.
    """
    if a.kind == "cylinder" or b.kind == "cylinder":
        lower, upper = signed_core_interval(a, X_WA, b, X_WB)
    else:
        square = signed_square(a.points, X_WA, b.points, X_WB)
        lower, upper = sqrt_interval(abs(square))
        if square < 0:
            lower, upper = -upper, -lower
    radii = sum(Fraction(body.radius) for body in (a, b) if body.kind != "cylinder")
    return Truth(lower - radii, upper - radii)


def signed_square(points_A: np.ndarray, X_WA: np.ndarray, points_B: np.ndarray, X_WB: np.ndarray) -> Fraction:
    """Return the square of the signed distance of two hulls, with its sign."""
    pair = Difference(points_A, X_WA, points_B, X_WB)
    unit = Fraction(1, 1 << 2 * pair.grid)
    best = pair.nearest()
    if any(best.V):
        return Fraction(sum(c * c for c in best.V), best.D**2) * unit
    return -depth_squared(pair.support, pair.spanning_points()) * unit


def closest_vector(
    points_A: np.ndarray, X_WA: np.ndarray, points_B: np.ndarray, X_WB: np.ndarray
) -> np.ndarray:
    """Return the vector from the closest point of hull B to that of hull A, rounded to float64."""
    pair = Difference(points_A, X_WA, points_B, X_WB)
    best = pair.nearest()
    return np.array([float(Fraction(c, best.D << pair.grid)) for c in best.V])


class Difference:
    """The polytope A - B of two hulls at their poses: the origin is as deep in it as A is in B."""

    def __init__(
        self, points_A: np.ndarray, X_WA: np.ndarray, points_B: np.ndarray, X_WB: np.ndarray
    ) -> None:
        A, k_A = world_points(points_A, X_WA)
        B, k_B = world_points(points_B, X_WB)
        self.grid = max(k_A, k_B)
        self.A, self.B = refine(A, k_A, self.grid), refine(B, k_B, self.grid)

    def support(self, n: Point) -> Point:
        """The point of A - B furthest along n."""
        return sub(furthest(self.A, n), furthest(self.B, (-n[0], -n[1], -n[2])))

    def nearest(self) -> Nearest:
        """The point of A - B nearest to the origin, searched from the side where it should be."""
        A, B = self.A, self.B
        n = tuple(sum(q[i] for q in B) * len(A) - sum(p[i] for p in A) * len(B) for i in range(3))
        return nearest_to_origin(self.support, [self.support(n)])

    def spanning_points(self) -> list[Point]:
        """Points of A - B that span its affine hull."""
        return [sub(p, self.B[0]) for p in self.A] + [sub(self.A[0], q) for q in self.B]


def signed_core_interval(a: Body, X_WA: np.ndarray, b: Body, X_WB: np.ndarray) -> tuple[Fraction, Fraction]:
    """The same for pairs with a cylinder: certified to 1e-18 of the size apart, 1e-11 overlapping."""
    apart = core_distance_interval(WorldBody(a, X_WA), WorldBody(b, X_WB))
    if apart is not None and apart[0] > 0:
        return apart
    lower, upper = core_depth_interval(a, X_WA, b, X_WB)
    if apart is None:
        return -Fraction(upper), -Fraction(max(lower, 0.0))
    return -Fraction(max(upper, 0.0)), apart[1]
