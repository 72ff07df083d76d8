"""Ellipsoids against proofs that share no code with kernels: points that are in both bodies, and planes between them.

In extended precision, a pair of points of the bodies bounds their distance above, and the support functions along any
direction bound it below. Where both agree, nothing else is left for the truth.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

import keepclear as kc

RATIOS = (1.0, 3.0, 100.0, 1e4)
SCALES = (1e-6, 1.0, 1e6)
real = np.longdouble


def random_pose(rng: np.random.Generator, size: float) -> Any:
    X = np.eye(4)
    X[:3, :3] = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    X[:3, :3] *= np.sign(np.linalg.det(X[:3, :3]))
    X[:3, 3] = rng.normal(size=3) * size
    return X


def fitting(ratio: float, scale: float) -> float:
    """Return a ratio with which the smallest radius stays above the smallest size of a shape, 1e-9 m."""
    return min(ratio, 0.1 * scale / 1e-9)


def radii(rng: np.random.Generator, ratio: float) -> Any:
    """Return radii from flat to long: the largest is 1, the smallest 1 / ratio, in any order."""
    return rng.permutation([1.0, ratio ** -rng.uniform(0.0, 1.0), 1.0 / ratio])


def height(shape: Any, X: Any, n: Any) -> Any:
    """Return the greatest n . x of a shape at a pose, from its formula."""
    d = X[:3, :3].astype(real).T @ n.astype(real)
    if isinstance(shape, kc.Ellipsoid):
        own = np.sqrt(((np.array(shape.radii, real) * d) ** 2).sum())
    elif isinstance(shape, kc.Box):
        own = (np.array(shape.size, real) * np.abs(d)).sum() / 2
    elif isinstance(shape, kc.Sphere):
        own = real(shape.radius) * np.sqrt((d * d).sum())
    else:
        own = (np.asarray(shape.vertices, real) @ d).max()
    return own + n.astype(real) @ X[:3, 3].astype(real)


def outside(shape: Any, X: Any, p: Any) -> float:
    """Return how far a point is outside of a shape at most, as a part of its size; 0 inside."""
    q = X[:3, :3].astype(real).T @ (p.astype(real) - X[:3, 3].astype(real))
    if isinstance(shape, kc.Ellipsoid):
        return max(0.0, float(np.sqrt(((q / np.array(shape.radii, real)) ** 2).sum()) - 1))
    if isinstance(shape, kc.Box):
        return max(0.0, float((np.abs(q) / (np.array(shape.size, real) / 2)).max() - 1))
    return max(0.0, float(np.sqrt((q * q).sum()) / real(shape.radius) - 1))


def apart(a: Any, X_WA: Any, b: Any, X_WB: Any, n: Any) -> Any:
    """Return by how much the plane across a direction separates two bodies, from A to B; negative where it does not."""
    n = n / np.sqrt((n * n).sum())
    return -height(b, X_WB, -n) - height(a, X_WA, n)


@pytest.mark.parametrize("ratio", RATIOS)
@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("other", ["sphere", "box", "ellipsoid"])
def test_distances_are_proved_by_points_and_planes(ratio: float, scale: float, other: str) -> None:
    rng = np.random.default_rng([int(ratio), round(np.log10(scale)) + 9, len(other)])
    ratio = fitting(ratio, scale)
    n_apart = 0
    for k in range(60):
        a = kc.Ellipsoid(scale * radii(rng, ratio))
        size = scale * float(rng.uniform(0.1, 1.0))
        b: Any = {
            "sphere": kc.Sphere(size), "box": kc.Box(size * np.array([1.0, 0.5, 0.2])),
            "ellipsoid": kc.Ellipsoid(size * radii(rng, ratio)),
        }[other]  # fmt: skip
        X_WA, X_WB = random_pose(rng, scale), random_pose(rng, scale)
        n = rng.normal(size=3)
        if k % 2:  # near: push them together until the gap along a direction is small
            n /= np.linalg.norm(n)
            gap = scale * 10.0 ** rng.uniform(-9, -1)
            X_WB[:3, 3] -= n * float(apart(a, X_WA, b, X_WB, n) - gap)
        found = kc.distance(a, X_WA, b, X_WB)
        extent = float(scale * 2 + np.linalg.norm(X_WA[:3, 3]) + np.linalg.norm(X_WB[:3, 3]))
        normal = np.asarray(found.normal_W).astype(real)
        below = apart(a, X_WA, b, X_WB, normal)
        if found.state is kc.State.SEPARATE:
            n_apart += 1
            above = np.sqrt(((found.p_WB.astype(real) - found.p_WA.astype(real)) ** 2).sum())
            # Points that are off by rounding of coordinates are 1e-15 of these outside: of a thin body a larger part.
            thin = 1e-14 * extent / min(min(getattr(s, "radii", (size,))) for s in (a, b)) + 1e-13
            assert outside(a, X_WA, found.p_WA) <= thin
            assert outside(b, X_WB, found.p_WB) <= max(thin, 1e-13 * extent / (0.1 * size))
            assert float(above - below) <= 1e-12 * extent
            assert found.lower <= float(above) + 1e-14 * extent
            assert found.upper >= float(below) - 1e-18 * extent
            assert found.upper - found.lower <= 1e-12 * extent
        assert found.lower <= float(below) + 1e-12 * extent
        if found.state is kc.State.INTERFERING:
            assert (
                -found.lower >= float(-below) - 1e-18 * extent
            )  # moved by that along the normal, they are apart
            assert found.upper - found.lower <= 2e-6 * extent
    assert n_apart > 20


def test_points_beside_an_ellipsoid_have_the_root_of_the_secular_equation() -> None:
    """The closest point is a^2 y / (t + a^2), with t the root of sum (a y / (t + a^2))^2 = 1 (Eberly)."""
    rng = np.random.default_rng(8)
    for k in range(200):
        r, y = radii(rng, RATIOS[k % 4]).astype(real), (rng.normal(size=3) * 3).astype(real)
        if (y * y / (r * r)).sum() <= 1:
            continue
        low, high = real(0), np.sqrt((y * y).sum()) * r.max()
        for _ in range(200):
            t = (low + high) / 2
            low, high = (t, high) if ((r * y / (t + r * r)) ** 2).sum() > 1 else (low, t)
        x = r * r * y / (low + r * r)
        truth = np.sqrt(((x - y) ** 2).sum())
        X = np.eye(4)
        X[:3, 3] = y.astype(float)
        found = kc.distance(kc.Ellipsoid(r.astype(float)), np.eye(4), kc.Convex([[0.0, 0, 0]]), X)
        assert found.lower <= truth <= found.upper
        assert found.upper - found.lower < 2e-13 * (1.0 + float(np.abs(y).sum()))


@pytest.mark.parametrize("ratio", [1.0, 3.0, 30.0])
def test_no_direction_parts_them_in_less_than_the_depth(ratio: float) -> None:
    rng = np.random.default_rng(int(ratio))
    for _ in range(25):
        a, b = kc.Ellipsoid(radii(rng, ratio)), kc.Ellipsoid(radii(rng, 3.0))
        X_WA, X_WB = random_pose(rng, 0.1), random_pose(rng, 0.1)
        found = kc.distance(a, X_WA, b, X_WB)
        if found.state is not kc.State.INTERFERING:
            continue

        def cost(n: Any, case: Any = (a, X_WA, b, X_WB)) -> float:
            return float(-apart(*case, np.asarray(n)))

        starts = [np.asarray(found.normal_W), *rng.normal(size=(12, 3))]
        least = min(minimize(cost, start, method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-13}).fun
                    for start in starts)  # fmt: skip
        assert -found.upper <= least + 1e-9  # the certified depth is not more than the truth
        assert -found.lower >= least - 1e-9


def test_a_mesh_beside_it_is_as_far_as_the_box_it_was_made_of() -> None:
    rng = np.random.default_rng(4)
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    faces = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    box, mesh = kc.Box([0.8, 0.6, 0.4]), kc.Mesh(signs * [0.4, 0.3, 0.2], faces)
    states = set()
    for k in range(120):
        shape = kc.Ellipsoid(radii(rng, RATIOS[k % 4]) * (0.05 if k % 5 == 0 else 1.0))
        X_WA, X_WB = random_pose(rng, 0.1), random_pose(rng, 1.5 if k % 3 else 0.1)
        by_box, by_mesh = kc.distance(shape, X_WA, box, X_WB), kc.distance(shape, X_WA, mesh, X_WB)
        states.add(by_mesh.state)
        assert by_mesh.colliding == by_box.colliding
        if not by_box.colliding:
            assert by_mesh.lower <= by_box.upper
            assert by_box.lower <= by_mesh.upper
            assert by_mesh.distance == pytest.approx(by_box.distance, abs=1e-11)
        assert kc.collide(mesh, X_WB, shape, X_WA).colliding == by_box.colliding
    assert states == {kc.State.SEPARATE, kc.State.INTERFERING, kc.State.CONTAINED}


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("ratio", RATIOS)
def test_it_meets_a_wall_when_its_support_point_does(ratio: float, scale: float) -> None:
    """A spinning ellipsoid comes down on a floor: the gap is its height less the support function along z."""
    rng = np.random.default_rng(int(ratio))
    ratio = fitting(ratio, scale)
    for k in range(6):
        shape = kc.Ellipsoid(scale * radii(rng, ratio))
        X_W = np.array([random_pose(rng, 0.0), random_pose(rng, 0.0)])
        X_W[0, 2, 3], X_W[1, 2, 3] = 1.5 * scale, (0.2 if k % 2 else 1.2) * scale
        motion = kc.PoseTrajectory([0.0, 1.0], X_W, "screw" if k % 3 else "linear")
        floor = np.eye(4)
        floor[2, 3] = -5.0 * scale
        case = (shape, motion, kc.Box([100 * scale, 100 * scale, 10 * scale]), floor)
        tolerance = 1e-6 * scale
        poses = motion.pose(np.linspace(0.0, 1.0, 4001))
        gaps = poses[:, 2, 3] - np.sqrt(((poses[:, 2, :3] * shape.radii) ** 2).sum(axis=1))
        found = kc.first_contact(*case, tolerance=tolerance)
        slow = kc.first_contact(*case, tolerance=tolerance, method="bisection")
        assert slow.verdict is found.verdict
        least = kc.clearance(*case, tolerance=1e-4 * scale)
        if gaps.min() > 1e-3 * scale:
            assert found.verdict is kc.Verdict.CLEAR
            assert least.lower <= gaps.min() + 1e-9 * scale
            assert least.upper >= gaps.min() - 1e-3 * scale
        elif gaps.min() < -1e-3 * scale:
            first = float(np.linspace(0.0, 1.0, 4001)[np.argmax(gaps <= 0.0)])
            assert found.verdict is kc.Verdict.COLLIDING
            assert found.t_lo <= first
            assert found.time >= first - 2.0 / 4000 - 1e-5
            assert found.t_lo <= slow.t_hi
            assert slow.t_lo <= found.t_hi


def test_trackers_and_batches_answer_like_single_calls() -> None:
    rng = np.random.default_rng(6)
    shape, other = kc.Ellipsoid([1.0, 0.3, 0.01]), kc.Ellipsoid([0.5, 0.4, 0.3])
    start, end = random_pose(rng, 1.0), random_pose(rng, 1.0)
    X_WB = kc.PoseTrajectory([0.0, 1.0], [start, end], "screw").pose(np.linspace(0.0, 1.0, 300))
    many = kc.distance(shape, np.eye(4), other, X_WB, threads=2)
    tracked = kc.Tracker(shape, other).distance(np.eye(4), X_WB)
    single = [kc.distance(shape, np.eye(4), other, X) for X in X_WB]
    assert many.distance == pytest.approx([s.distance for s in single], abs=1e-12)
    assert (tracked.lower <= many.upper).all()
    assert (many.lower <= tracked.upper).all()
