"""Bodies that are sets of spheres, for bisection: the rough shapes of the method's source."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial import cKDTree

import keepclear as kc
from keepclear.query.moving.deformed import Placed
from keepclear.query.moving.evaluation import BudgetEnded, Evaluation, Evaluator
from keepclear.query.moving.question import Query
from keepclear.results import Distance


@dataclass(frozen=True)
class Spheres:
    """Spheres of one radius in the frame of a body: centres (m, 3) and radius [m]."""

    centers: np.ndarray
    radius: float

    @classmethod
    def over(cls, size: np.ndarray) -> Spheres:
        """Cover a box by cubes as wide as its thinner sides, and each cube by the sphere around it."""
        count = np.maximum(1, np.round(size / size.min())).astype(int)
        cell = size / count
        steps = [(np.arange(n) + 0.5) * w - 0.5 * s for n, w, s in zip(count, cell, size, strict=True)]
        centers = np.stack(np.meshgrid(*steps, indexing="ij"), axis=-1).reshape(-1, 3)
        return cls(centers, 0.5 * float(np.linalg.norm(cell)))

    @classmethod
    def of(cls, shape: kc.Box | kc.Mesh, accuracy: float) -> Spheres:
        """Cover the surface of a shape by the spheres of the finest rank of its sphere tree."""
        rank = kc.build_sphere_tree(shape, accuracy).ranks[-1]
        return cls(np.array(rank.centers), float(rank.radius))

    @property
    def around(self) -> kc.Convex:
        """The box around all spheres, which path lengths and rounding are taken from."""
        low, high = self.centers.min(axis=0) - self.radius, self.centers.max(axis=0) + self.radius
        corners = np.stack(np.meshgrid(*np.stack([low, high], axis=1), indexing="ij"), axis=-1)
        return kc.Convex(corners.reshape(-1, 3))


class SpheresEvaluator(Evaluator):
    """Computes distances of two bodies of spheres."""

    def __init__(self, query: Query, a: Spheres, b: Spheres) -> None:
        super().__init__(query)
        self._query, self._spheres, self._nearest = query, (a, b), cKDTree(b.centers)

    def at(self, t: float) -> Evaluation:
        """Return the distance at an instant."""
        if self._query.budget is not None and self.count >= self._query.budget:
            raise BudgetEnded
        self.count += 1
        X, (a, b) = self.poses(t), self._spheres
        X_BA = np.linalg.solve(X[1], X[0])
        centers = a.centers @ X_BA[:3, :3].T + X_BA[:3, 3]
        most = 1.000001 * float(self._nearest.query(centers[::64])[0].min())  # spares most of the search
        between, nearest = self._nearest.query(centers, distance_upper_bound=most)
        i = int(between.argmin())
        p, q = (
            x[:3, :3] @ c + x[:3, 3] for x, c in zip(X, (a.centers[i], b.centers[nearest[i]]), strict=True)
        )
        d, normal = float(between[i]) - a.radius - b.radius, (q - p) / between[i]
        slack = 1e-12 + sum(self._query.deviations)
        row = np.zeros(16)
        row[:3], row[9:12] = (d, d - slack, d + slack), normal
        row[3:6], row[6:9] = p + a.radius * normal, q - b.radius * normal
        placed = Placed(self._query.body_a, X[0]), Placed(self._query.body_b, X[1])
        return Evaluation(
            t, max(d - slack, 0.0), d + slack, d + slack <= self._query.margin, Distance(row), *placed
        )


def main() -> None:
    """Print how many spheres cover a box."""
    print(f"a box of 0.6 x 0.12 x 0.12 m: {len(Spheres.over(np.array([0.6, 0.12, 0.12])).centers)} spheres")


if __name__ == "__main__":
    main()
