"""Families of test cases: seeded generators of shape pairs, each with many pose pairs."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from zlib import crc32

import numpy as np
from tests.oracles.exact_points import Body, convex
from tests.oracles.poses import place_at_gap, random_pose, random_rotation

Generator = np.random.Generator


@dataclass(frozen=True, eq=False)
class Case:
    """Two bodies and n pose pairs, made for one batch call."""

    a: Body
    b: Body
    X_WA: np.ndarray
    X_WB: np.ndarray

    def __len__(self) -> int:
        return len(self.X_WA)


Family = Callable[[Generator], Iterator[Case]]


def cases_of(family: Family) -> list[Case]:
    """All cases of a family; the seed depends on its name only."""
    return list(family(np.random.default_rng(crc32(family.__name__.encode()))))


def case(a: Body, b: Body, pairs: list[tuple[np.ndarray, np.ndarray]]) -> Case:
    return Case(a, b, np.array([X for X, _ in pairs]), np.array([X for _, X in pairs]))


def random_hull(rng: Generator, size: float = 1.0) -> Body:
    """4 to 30 points: a cloud, points on a sphere, or points in a box."""
    n = int(rng.integers(4, 31))
    points = rng.normal(size=(n, 3)) if rng.random() < 0.6 else rng.uniform(-1, 1, size=(n, 3))
    if rng.random() < 0.3:
        points /= np.linalg.norm(points, axis=1, keepdims=True)
    return convex(size * points)


def at_gaps(rng: Generator, a: Body, b: Body, gaps: np.ndarray) -> Case:
    """One random pose pair per gap; negative gaps overlap by about that."""
    pairs = []
    for gap in gaps:
        X_WA = random_pose(rng, 1.0)
        pairs.append((X_WA, place_at_gap(rng, a, X_WA, b, random_rotation(rng), gap)))
    return case(a, b, pairs)
