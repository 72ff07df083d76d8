"""The exact method: on entrywise cubics as exact arithmetic says, on screws as planted, and like the default method."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.spatial.transform import Rotation
from tests.oracles.moving_points import first_contact

import keepclear as kc

TETRAHEDRON = np.array([[0.0, 0.0, 0.0], [0.5, 0.0, 0.1], [0.1, 0.6, 0.0], [0.2, 0.1, 0.4]])


def through(
    X_0: np.ndarray, spin: np.ndarray, speed: np.ndarray, push: np.ndarray, t: np.ndarray
) -> np.ndarray:
    """Poses that turn evenly and are pushed."""
    X = np.tile(X_0, (len(t), 1, 1))
    X[:, :3, :3] = Rotation.from_rotvec(t[:, None] * spin).as_matrix() @ X_0[:3, :3]
    X[:, :3, 3] += t[:, None] * speed + t[:, None] ** 2 * push
    return X


def random_pose(rng: np.random.Generator, reach: float) -> np.ndarray:
    X = np.eye(4)
    X[:3, :3] = Rotation.random(random_state=int(rng.integers(1 << 31))).as_matrix()
    X[:3, 3] = rng.uniform(-reach, reach, 3)
    return X


def control_points(X: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Bernstein control points (n, 4, 3), as fractions, of points under the cubic through four matrices."""
    M = np.array([[[Fraction(x) for x in row] for row in matrix[:3]] for matrix in X.tolist()])
    P = np.array([[Fraction(x) for x in (*p, 1.0)] for p in points.tolist()])
    at = np.einsum("jik,nk->nji", M, P)
    first = (-5 * at[:, 0] + 18 * at[:, 1] - 9 * at[:, 2] + 2 * at[:, 3]) / 6
    second = (2 * at[:, 0] - 9 * at[:, 1] + 18 * at[:, 2] - 5 * at[:, 3]) / 6
    return np.stack([at[:, 0], first, second, at[:, 3]], axis=1)


def may_meet(p: np.ndarray, q: np.ndarray) -> bool:
    """Whether no axis keeps the points of p and q apart, by their control points."""
    gaps = (p[:, None] - q[None]).reshape(-1, 4, 3)
    return not any((gaps[..., k] > 0).all() or (gaps[..., k] < 0).all() for k in range(3))


def true_time(A: np.ndarray, B: np.ndarray) -> float | None:
    """The first instant at which features of two tetrahedra meet, which start apart."""
    found = []
    faces, edges = list(combinations(range(4), 3)), list(combinations(range(4), 2))
    for one, other in ((A, B), (B, A)):
        for v, face in product(range(4), faces):
            if may_meet(one[[v]], other[list(face)]):
                found.append(first_contact(np.concatenate([one[[v]], other[list(face)]]), False))
    for e, f in product(edges, edges):
        if may_meet(A[list(e)], B[list(f)]):
            found.append(first_contact(np.concatenate([A[list(e)], B[list(f)]]), True))
    times = [float(ball.mid()) for ball in found if ball is not None]
    return min(times) if times else None


@pytest.mark.parametrize("seed", range(6))
def test_cubic_motions_meet_when_exact_arithmetic_says(seed: int) -> None:
    rng = np.random.default_rng([4, seed])
    t = np.linspace(0.0, 1.0, 4)
    X_A = through(
        random_pose(rng, 0.1), 0.3 * rng.normal(size=3), 0.1 * rng.normal(size=3), 0.1 * rng.normal(size=3), t
    )
    X_B = through(
        random_pose(rng, 0.1), 0.5 * rng.normal(size=3), np.array([-2.4, 0, 0]), 0.3 * rng.normal(size=3), t
    )
    X_B[:, :3, 3] += 1.3, 0.0, 0.8 if seed > 3 else 0.0  # the last two pass by, above
    body = kc.Convex(TETRAHEDRON)
    motions = [kc.PoseTrajectory(t, X, "cubic", max_deviation=0.1) for X in (X_A, X_B)]
    truth = true_time(control_points(X_A, TETRAHEDRON), control_points(X_B, TETRAHEDRON))
    k = kc.first_contact(body, motions[0], body, motions[1], tolerance=1e-6, method="exact")
    assert k.method == "exact"
    if truth is None:
        assert k.verdict is kc.Verdict.CLEAR
        return
    assert k.verdict is kc.Verdict.COLLIDING
    assert k.t_lo <= truth + 1e-12
    assert truth <= k.t_hi + 1e-12 or k.t_hi == k.time
    assert truth - k.time <= 1e-5


@pytest.mark.parametrize("interpolation", ["screw", "linear"])
def test_a_corner_that_turns_onto_a_plate_touches_at_the_planted_time(interpolation: str) -> None:
    rng = np.random.default_rng(5)
    size, planted = np.array([0.3, 0.2, 0.1]), 0
    corners = np.array([[x, y, z, 1.0] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]) * [
        *size,
        1.0,
    ]
    plate = kc.Box([3.0, 3.0, 0.02])
    times = np.linspace(0.0, 1.0, 400)
    while planted < 12:
        X, tau = random_pose(rng, 0.3), rng.uniform(0.3, 0.9)
        spin, speed = rng.normal(size=3), np.array([0.0, 0.0, -0.4])
        lowest = int((corners @ X[2]).argmin())
        X[2, 3] -= (corners @ X[2])[lowest] - 0.01
        ends = through(X, spin, speed, np.zeros(3), np.array([-tau, 1.0 - tau]))
        motion = kc.PoseTrajectory([0.0, 1.0], ends, "linear")
        if interpolation == "screw":
            twist = np.zeros((4, 4))
            twist[:3, :3] = np.cross(np.eye(3), -spin)
            twist[:3, 3] = speed - np.cross(spin, X[:3, 3])
            ends = np.array([expm((t - tau) * twist) @ X for t in (0.0, 1.0)])
            motion = kc.PoseTrajectory([0.0, 1.0], ends, "screw")
        heights = np.einsum("nk,mk->nm", motion.pose(times)[:, 2], corners).min(axis=1)
        if (heights[times < tau - 0.005] <= 0.0101).any() or (heights[times > tau] >= 0.01).any():
            continue  # it was lower before
        planted += 1
        k = kc.first_contact(plate, np.eye(4), kc.Box(size), motion, method="exact", tolerance=1e-7)
        assert k.verdict is kc.Verdict.COLLIDING
        assert k.time == pytest.approx(tau, abs=1e-7)
        assert k.t_lo <= tau + 1e-12
        assert k.features[1].kind == "vertex"
        assert k.features[1].index == (lowest,)
        assert k.normal_W == pytest.approx([0.0, 0.0, 1.0])


def random_body(rng: np.random.Generator) -> kc.Box | kc.Convex | kc.Mesh:
    kind = rng.integers(3)
    if kind == 0:
        return kc.Box(rng.uniform(0.02, 0.6, 3))
    hull = kc.Convex(0.25 * rng.normal(size=(int(rng.integers(4, 20)), 3)))
    if kind == 1:
        return hull
    return kc.Mesh(hull.vertices, hull.triangles[: None if rng.integers(2) else -2])


def random_motion(rng: np.random.Generator) -> kc.Motion:
    kind = ("fixed", "screw", "linear", "cubic")[rng.integers(4)]
    if kind == "fixed":
        return kc.Fixed(random_pose(rng, 0.7))
    if kind == "cubic":
        t = np.linspace(0.0, 1.0, 7)
        X = through(
            random_pose(rng, 1.2), 0.4 * rng.normal(size=3), rng.normal(size=3), rng.normal(size=3), t
        )
        return kc.PoseTrajectory(t, X, "cubic", max_deviation=0.1)
    n = int(rng.integers(2, 4))
    return kc.PoseTrajectory(
        np.linspace(0.0, 1.0, n), np.array([random_pose(rng, 1.0) for _ in range(n)]), kind
    )


def test_it_agrees_with_the_default_method() -> None:
    rng, hits = np.random.default_rng(6), 0
    for _ in range(80):
        case = random_body(rng), random_motion(rng), random_body(rng), random_motion(rng)
        exact = kc.first_contact(*case, tolerance=1e-5, method="exact")
        other = kc.first_contact(*case, tolerance=1e-5)
        assert exact.verdict is other.verdict
        if exact.verdict is kc.Verdict.COLLIDING:
            hits += 1
            assert exact.t_lo <= other.t_hi + 1e-12 or other.t_hi == other.time
            assert other.t_lo <= exact.t_hi + 1e-12 or exact.t_hi == exact.time
            assert exact.distance <= 1e-5
    assert hits > 10
