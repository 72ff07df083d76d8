"""Seeded float64 poses that are rotations to the last digit, so that the library takes them bit for bit."""

from itertools import permutations, product

import numpy as np
from tests.oracles.exact_convex import closest_vector
from tests.oracles.exact_points import Body

LARGEST_DEVIATION = 5e-16  # of R^T R from I; the library takes poses bit for bit up to 1e-15


def rotation_of_quaternion(q: np.ndarray) -> np.ndarray:
    """The rotation of a quaternion (w, x, y, z) of any length, as it comes out in float64."""
    w, x, y, z = q / np.linalg.norm(q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def is_rotation(R: np.ndarray) -> bool:
    return bool(np.max(np.abs(R.T @ R - np.eye(3))) <= LARGEST_DEVIATION)


def random_rotation(rng: np.random.Generator) -> np.ndarray:
    """A uniformly random rotation."""
    while True:
        R = rotation_of_quaternion(rng.normal(size=4))
        if is_rotation(R):
            return R


def small_rotation(rng: np.random.Generator, angle: float) -> np.ndarray:
    """A rotation by about a small angle, one time in three about a coordinate axis."""
    while True:
        axis = np.eye(3)[rng.integers(3)] if rng.random() < 0.33 else rng.normal(size=3)
        half = 0.5 * angle * rng.uniform(0.5, 1.0)
        R = rotation_of_quaternion(
            np.concatenate([[np.cos(half)], np.sin(half) * axis / np.linalg.norm(axis)])
        )
        if is_rotation(R):
            return R


def signed_permutations() -> list[np.ndarray]:
    """The 24 rotations of the cube: exact in float64."""
    found = []
    for order, signs in product(permutations(range(3)), product((-1.0, 1.0), repeat=3)):
        R = np.zeros((3, 3))
        R[range(3), order] = signs
        if np.linalg.det(R) > 0:
            found.append(R + 0.0)
    return found


def pose(R: np.ndarray, t: np.ndarray | tuple[float, float, float]) -> np.ndarray:
    X = np.eye(4)
    X[:3, :3] = R
    X[:3, 3] = t
    return X


def random_pose(rng: np.random.Generator, spread: float) -> np.ndarray:
    return pose(random_rotation(rng), rng.normal(size=3) * spread)


def unit_vector(rng: np.random.Generator) -> np.ndarray:
    n = rng.normal(size=3)
    return n / np.linalg.norm(n)


def outline(body: Body) -> np.ndarray:
    """Points whose hull is the core of a body; a cylinder's core is drawn with 32 corners."""
    if body.points is not None:
        return body.points
    turns = np.arange(32) * (np.pi / 16)
    rim = body.radius * np.column_stack([np.cos(turns), np.sin(turns)])
    return np.concatenate(
        [np.column_stack([rim, np.full(32, z)]) for z in (-body.length / 2, body.length / 2)]
    )


def place_at_gap(
    rng: np.random.Generator, a: Body, X_WA: np.ndarray, b: Body, R_WB: np.ndarray, gap: float
) -> np.ndarray:
    """A pose of B at a distance of about `gap` from A, on a random side; the closest features may be any.

    B starts well apart and moves along the line of its closest points; a negative gap moves on into A.
    """
    X_WB = pose(R_WB, X_WA[:3, 3] + 3.0 * (a.extent + b.extent) * unit_vector(rng))
    v = closest_vector(outline(a), X_WA, outline(b), X_WB)
    radii = sum(body.radius for body in (a, b) if body.kind != "cylinder")
    X_WB[:3, 3] += v * (1.0 - (gap + radii) / np.linalg.norm(v))
    return X_WB


def place_along(
    a: Body, X_WA: np.ndarray, b: Body, R_WB: np.ndarray, n: np.ndarray, gap: float
) -> np.ndarray:
    """A pose of B so that planes normal to n that touch the hulls A and B are `gap` apart, up to rounding."""
    step = np.max(a.points @ (X_WA[:3, :3].T @ n)) - np.min(b.points @ (R_WB.T @ n)) + gap
    return pose(R_WB, X_WA[:3, 3] + step * n)
