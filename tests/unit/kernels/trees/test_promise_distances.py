"""Distances of meshes at poses that are off by as much as the rounding allowance says, which is large here.

A search knows poses up to the allowance. Here the allowance is a tenth of the scene, and the relative pose that
searches get is off by as much, in the worst direction: every term that covers it is then needed.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numba.core import config
from tests.oracles.poses import random_rotation

import keepclear as kc
from keepclear.kernels.box_trees import mesh_distance  # fmt: skip
from keepclear.kernels.box_trees import pair as box_pair
from keepclear.kernels.convex import gjk
from keepclear.kernels.trees import (  # fmt: skip
    cold_distance,
    nearest_triangle,
    obb_distance,
    obb_gap,
    obb_pair,
    pair_heap,
)
from keepclear.kernels.triangles import triangle_distance as triangle
from keepclear.kernels.triangles.exact import APART, SCRATCH

pytestmark = pytest.mark.skipif(
    not config.DISABLE_JIT, reason="inner kernels, which only kernels call, are tested as Python"
)

CORNERS = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
QUADS = np.array([[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]])
real_place = obb_pair.place


def lumps(n: int, rng: np.random.Generator, size: float = 0.4) -> kc.Mesh:
    """Triangles around the unit sphere, without an inside."""
    middles = rng.normal(size=(n, 1, 3))
    middles /= np.linalg.norm(middles, axis=2, keepdims=True)
    corners = middles + size * rng.normal(size=(n, 3, 3))
    return kc.Mesh(corners.reshape(-1, 3), np.arange(3 * n).reshape(n, 3), solid=False)


def shift(X: np.ndarray, by: np.ndarray) -> np.ndarray:
    moved = X.copy()
    moved[:3, 3] += by
    return moved


class Pair:
    """Two meshes with trees of both kinds, and the truth about them at a pose of B."""

    def __init__(self, a: kc.Mesh, b: kc.Mesh) -> None:
        self.obb = (*kc.build_obb_tree(a).arrays, *kc.build_obb_tree(b).arrays)
        self.box = (*kc.build_box_tree(a).arrays, *kc.build_box_tree(b).arrays)
        self.n = len(a.triangles), len(b.triangles)
        self.known: dict[bytes, tuple[bool, float, np.ndarray]] = {}
        self.depth = kc.build_box_tree(a).depth + kc.build_box_tree(b).depth

    def truth(self, X: np.ndarray) -> tuple[bool, float, np.ndarray]:
        """Return whether triangles meet, the least distance, and the vector from A to B there."""
        A, B = self.obb[:4], self.obb[4:]
        Q, M, W = np.empty(20), np.empty(24), np.empty(triangle.RESULT)
        if X.tobytes() in self.known:
            return self.known[X.tobytes()]
        real_place(A[0], B[0], np.eye(4)[None], 0, X[None], 0, Q, M)
        state, digits = np.zeros(obb_pair.STATE, np.int64), np.zeros(SCRATCH, np.int64)
        best, gap = np.inf, np.zeros(3)
        for i in range(self.n[0]):
            for j in range(self.n[1]):
                if obb_pair.leaves_meet(A[0], A[1], i, B[0], B[1], j, Q, M, state, digits) != APART:
                    self.known[X.tobytes()] = True, 0.0, gap
                    return True, 0.0, gap
                obb_gap.measure_fully(A[0], A[1], i, B[0], B[1], j, Q, W)
                if W[triangle.SQUARE] < best:
                    best, gap = float(W[triangle.SQUARE]), W[triangle.GAP : triangle.GAP + 3].copy()
        self.known[X.tobytes()] = False, float(np.sqrt(best)), gap
        return self.known[X.tobytes()]


def cold(pair: Pair, poses: np.ndarray) -> np.ndarray:
    rows, state = np.zeros(gjk.ROW * len(poses)), np.zeros(8, np.int64)
    state[obb_distance.LIMIT], first = 1 << 60, 0
    ones = np.ones(len(poses))
    while first < len(poses):
        first = cold_distance.fill_rows(
            *pair.obb, np.eye(4)[None], poses, ones, rows, state, first, len(poses)
        )
    return rows.reshape(-1, gjk.ROW)


def tracked(pair: Pair, poses: np.ndarray) -> np.ndarray:
    rows, state = np.zeros(gjk.ROW * len(poses)), np.zeros(8, np.int64)
    memory, motion = np.zeros(pair_heap.MEMORY, np.int64), np.zeros(pair_heap.MOTION)
    memory[pair_heap.FRAME], state[obb_distance.LIMIT], first = -1, 1 << 60, 0
    keys, nodes = np.zeros(20_000), np.zeros(60_000, np.int32)
    ones = np.ones(len(poses))
    while 0 <= first < len(poses):
        first = obb_distance.distance(
            *pair.obb,
            np.eye(4)[None],
            poses,
            ones,
            rows,
            memory,
            motion,
            keys,
            nodes,
            state,
            first,
            len(poses),
        )
    assert first == len(poses)
    return rows.reshape(-1, gjk.ROW)


def boxed(pair: Pair, poses: np.ndarray) -> np.ndarray:
    rows, state = np.zeros(gjk.ROW * len(poses)), np.zeros(obb_pair.STATE, np.int64)
    warm, first = np.full(2, -1, np.int64), 0
    state[obb_distance.LIMIT] = 1 << 60
    stack, ones = np.empty(mesh_distance.WAITING_PAIR * (pair.depth + 4)), np.ones(len(poses))
    while first < len(poses):
        first = mesh_distance.distance(
            *pair.box,
            np.eye(4)[None],
            poses,
            ones,
            rows,
            warm,
            stack,
            state,
            len(poses) > 1,
            first,
            len(poses),
        )
    return rows.reshape(-1, gjk.ROW)


SEARCHES: dict[str, Callable[[Pair, np.ndarray], np.ndarray]] = {
    "cold": cold,
    "tracked": tracked,
    "boxed": boxed,
}


@pytest.fixture
def placed(monkeypatch: pytest.MonkeyPatch) -> Callable[[float, np.ndarray], None]:
    """A function that makes all searches know poses only up to an allowance, and be off by given vectors."""

    def begin(slack: float, offsets: np.ndarray) -> None:
        def place(SA: Any, SB: Any, X_WA: Any, i: int, X_WB: Any, j: int, Q: Any, M: Any) -> None:
            real_place(SA, SB, X_WA, i, X_WB, j, Q, M)
            Q[9:12] += offsets[j]
            Q[14:17] += offsets[j]
            Q[13] = slack

        for module in (cold_distance, obb_distance, box_pair):
            monkeypatch.setattr(module, "place", place)

    return begin


def check(pair: Pair, poses: np.ndarray, rows: np.ndarray) -> None:
    for X, row in zip(poses, rows, strict=True):
        meets, distance, _ = pair.truth(X)
        if meets:
            assert row[gjk.STATE] == gjk.INTERFERING
        else:
            assert row[gjk.STATE] in (gjk.SEPARATE, gjk.INTERFERING)
            assert row[gjk.STATE] == gjk.SEPARATE
            assert row[gjk.LOWER] <= distance * (1.0 + 1e-12)
            assert row[gjk.UPPER] >= distance * (1.0 - 1e-12)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("name", SEARCHES)
def test_bounds_at_a_pose_that_is_off(name: str, seed: int, placed: Any) -> None:
    rng = np.random.default_rng(seed)
    pair = Pair(lumps(12, rng), lumps(10, rng))
    slack = 0.1
    for _ in range(3):
        X = np.eye(4)
        X[:3, :3], X[:3, 3] = random_rotation(rng), rng.normal(size=3)
        X[:3, 3] *= rng.uniform(2.0, 3.5) / np.linalg.norm(X[:3, 3])
        meets, distance, gap = pair.truth(X)
        away = X[:3, 3] / np.linalg.norm(X[:3, 3]) if meets else gap / distance
        for sign in (-0.999, 0.999):
            placed(slack, sign * slack * away[None])
            check(pair, X[None], SEARCHES[name](pair, X[None]))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", SEARCHES)
def test_bounds_of_frames_that_are_off(name: str, seed: int, placed: Any) -> None:
    rng = np.random.default_rng(100 + seed)
    pair = Pair(lumps(14, rng, 0.2), lumps(14, rng, 0.2))
    slack, n = 0.03, 8
    R, p, v = random_rotation(rng), rng.normal(size=3), rng.normal(size=3) * 0.15
    p *= 2.6 / np.linalg.norm(p)
    poses = np.tile(np.eye(4), (n, 1, 1))
    spin = random_rotation(rng)
    for k in range(n):
        turn = 0.1 * k
        K = (
            spin
            @ np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
            @ spin.T
        )
        poses[k, :3, :3], poses[k, :3, 3] = K @ R, p + k * v
    offsets = np.zeros((n, 3))
    for k, X in enumerate(poses):
        meets, distance, gap = pair.truth(X)
        offsets[k] = (X[:3, 3] / np.linalg.norm(X[:3, 3]) if meets else gap / distance) * slack * 0.999
    for sign in (1.0, -1.0):
        placed(slack, sign * offsets)
        check(pair, poses, SEARCHES[name](pair, poses))


def plate(rng: np.random.Generator, bump: float, n: int = 2) -> kc.Mesh:
    """A bumpy plate of 2 n^2 triangles."""
    i, j = (x.ravel() for x in np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij"))
    points = np.stack([i / n - 0.5, j / n - 0.5, bump * rng.uniform(-1.0, 1.0, size=len(i))], axis=1)
    corner = (np.arange(n)[:, None] * (n + 1) + np.arange(n)).ravel()
    right, up = corner + n + 1, corner + 1
    triangles = np.concatenate([np.stack([corner, right, up], 1), np.stack([right, right + 1, up], 1)])
    return kc.Mesh(points, triangles, solid=False)


@pytest.mark.parametrize("seed", [0, 1, 7])
@pytest.mark.parametrize("name", ["cold", "tracked"])
def test_bounds_of_plates_that_are_off(
    name: str, seed: int, placed: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    # All pairs of triangles are about equally far apart: which one is closest is below the allowance.
    # Without the approach to a local minimum the first pairs that are found stay, which are not the closest.
    monkeypatch.setattr(cold_distance, "_approach", lambda *arguments: (arguments[4], arguments[9]))
    rng, slack = np.random.default_rng(seed), 0.05
    pair = Pair(plate(rng, 0.4 * slack), plate(rng, 0.4 * slack))
    X = np.eye(4)
    X[2, 3] = 1.0
    high = pair.truth(X)[1]
    up = np.array([0.0, 0.0, 0.999 * slack])
    for above in (0.5, 0.3 * slack, -0.05 * slack, -0.3 * slack):
        poses = np.tile(X, (3, 1, 1))
        poses[:, :2, 3] = rng.uniform(-0.02, 0.02, size=(3, 2))
        poses[:, 2, 3] += above - high
        for sign in (1.0, -1.0):
            placed(slack, np.tile(sign * up, (3, 1)))
            check(pair, poses, SEARCHES[name](pair, poses))


def test_travel_includes_every_point_of_a_body() -> None:
    rng = np.random.default_rng(13)
    for _ in range(40):
        S = kc.build_obb_tree(lumps(4, rng)).arrays[0]
        vertices = S[16:].reshape(-1, 3)[:12]
        motion, turn, Q, M = np.zeros(pair_heap.MOTION), np.empty(9), np.empty(20), np.empty(24)
        poses = np.tile(np.eye(4), (2, 1, 1))
        poses[:, :3, :3] = [random_rotation(rng), random_rotation(rng)]
        poses[:, :3, 3] = rng.normal(size=(2, 3)) * rng.choice([0.0, 0.1, 3.0])
        for X in poses:
            real_place(S, S, np.eye(4)[None], 0, X[None], 0, Q, M)
            travel = obb_distance.travel_since(S, Q, motion, turn)
        moved = vertices @ (poses[1, :3, :3] - poses[0, :3, :3]).T + poses[1, :3, 3] - poses[0, :3, 3]
        assert travel >= np.linalg.norm(moved, axis=1).max()
        assert motion[pair_heap.TRAVELLED] >= travel


def test_gaps_along_a_direction_include_what_boxes_may_lack() -> None:
    pair = Pair(kc.Mesh(CORNERS, QUADS), kc.Mesh(CORNERS, QUADS))
    A, B = pair.box[:4], pair.box[4:]
    Q, M, E, X = np.zeros(mesh_distance.PLACE), np.empty(24), np.zeros(100), np.eye(4)
    for axis in range(3):
        X[:3, 3] = np.eye(3)[axis] * 3.0
        real_place(A[0], B[0], np.eye(4)[None], 0, X[None], 0, Q, M)
        Q[box_pair.SLACK], Q[box_pair.INVERSE : box_pair.INVERSE + 2] = 0.05, 1.0
        box_pair.begin(A[0], B[0], Q, E)
        found = mesh_distance._gap_along(A[0], A[1], A[3], B[0], B[1], B[3], Q, E, 0, *np.eye(3)[axis])
        assert found <= 1.0 - 2.0 * 0.05


@pytest.mark.parametrize("name", SEARCHES)
def test_bodies_that_jump_into_each_other(name: str) -> None:
    pair = Pair(kc.Mesh(CORNERS, QUADS), kc.Mesh(0.3 * CORNERS, QUADS))
    poses = np.tile(np.eye(4), (6, 1, 1))
    poses[:, 0, 3] = 0.1, 2.0, 0.1, 1.1, 3.0, 0.2
    states = SEARCHES[name](pair, poses)[:, gjk.STATE].tolist()
    inside = obb_distance.CONTAINED
    assert states == [inside, gjk.SEPARATE, inside, gjk.INTERFERING, gjk.SEPARATE, inside]
    for pose, state in zip(poses, states, strict=True):
        assert SEARCHES[name](pair, pose[None])[0, gjk.STATE] == state


@pytest.mark.parametrize("name", SEARCHES)
def test_frames_of_a_fast_motion(name: str) -> None:
    rng = np.random.default_rng(5)
    pair = Pair(lumps(16, rng, 0.2), lumps(16, rng, 0.2))
    poses = np.tile(np.eye(4), (12, 1, 1))
    for k in range(12):
        poses[k, :3, :3] = random_rotation(rng)
        poses[k, :3, 3] = rng.normal(size=3) * 1.5
    for X, row in zip(poses, SEARCHES[name](pair, poses), strict=True):
        meets, distance, _ = pair.truth(X)
        assert (row[gjk.STATE] == gjk.INTERFERING) == meets
        if not meets:
            assert row[gjk.LOWER] <= distance <= row[gjk.UPPER]
            assert row[gjk.UPPER] - row[gjk.LOWER] < 1e-10


def test_rows_round_outwards() -> None:
    rng = np.random.default_rng(6)
    Q, best, X, row = np.zeros(20), np.zeros(triangle.RESULT), np.eye(4)[None], np.zeros(gjk.ROW)
    for case in range(200):
        d, lower, scale = rng.uniform(0.1, 3.0), rng.uniform(0.1, 3.0), rng.choice([1.0, 0.7, 3.3])
        Q[13] = 0.0 if case % 2 else 0.05
        best[triangle.SQUARE] = d * d
        square = Fraction(best[triangle.SQUARE])
        obb_distance.write_row(X, 0, Q, best, gjk.SEPARATE, lower, scale, row, 0)
        slack, times = Fraction(Q[13]), Fraction(scale)
        least = Fraction(row[gjk.LOWER]) / times + slack
        assert least <= Fraction(lower)
        assert least <= 0 or least**2 <= square
        most = Fraction(row[gjk.UPPER]) / times - slack
        assert most >= 0
        assert most**2 >= square


def test_searches_give_their_allowance_to_boxes(monkeypatch: pytest.MonkeyPatch, placed: Any) -> None:
    # Bounds of boxes are rounded too: the allowance widens them, and the limit above which pairs are dropped.
    rng = np.random.default_rng(7)
    pair, seen = Pair(lumps(8, rng), lumps(8, rng)), []
    for module in (cold_distance, obb_distance):
        given = module.open_pairs

        def spy(*arguments: Any, given: Any = given) -> int:
            seen.append((arguments[10], arguments[11]))
            return int(given(*arguments))

        monkeypatch.setattr(module, "open_pairs", spy)
    X = np.eye(4)
    X[0, 3], slack = 4.0, 0.05
    placed(slack, np.zeros((1, 3)))
    for search in (cold, tracked):
        seen.clear()
        upper = search(pair, X[None])[0, gjk.UPPER] - slack
        assert seen
        assert all(one == slack for _, one in seen)
        assert all(limit >= ((upper + slack) * (1.0 - 1e-12)) ** 2 for limit, _ in seen)


def point_row(corners: np.ndarray, p: np.ndarray) -> np.ndarray:
    mesh = kc.Mesh(corners.reshape(-1, 3), np.arange(len(corners.reshape(-1, 3))).reshape(-1, 3), solid=False)
    out = np.zeros(nearest_triangle.ROW)
    nearest_triangle.point_distances(*kc.build_obb_tree(mesh).arrays, p, out)
    return out


def square_to(corners: np.ndarray, p: np.ndarray) -> Fraction:
    """The squared distance of a point from triangles, in fractions."""
    best = None
    for t in corners:
        a, b, c = ([Fraction(float(x)) - Fraction(float(y)) for x, y in zip(v, p, strict=True)] for v in t)
        for value in (*(_segment(*e) for e in ((a, b), (b, c), (c, a))), _plane(a, b, c)):
            if value is not None and (best is None or value < best):
                best = value
    assert best is not None
    return best


def _dot(u: Any, v: Any) -> Any:
    return sum(x * y for x, y in zip(u, v, strict=True))


def _segment(a: Any, b: Any) -> Fraction:
    e = [y - x for x, y in zip(a, b, strict=True)]
    t = min(max(-_dot(a, e) / _dot(e, e), Fraction(0)), Fraction(1)) if any(e) else Fraction(0)
    q = [x + t * y for x, y in zip(a, e, strict=True)]
    return Fraction(_dot(q, q))


def _plane(a: Any, b: Any, c: Any) -> Fraction | None:
    u, v = ([y - x for x, y in zip(a, w, strict=True)] for w in (b, c))
    uu, uv, vv, ua, va = _dot(u, u), _dot(u, v), _dot(v, v), _dot(u, a), _dot(v, a)
    det = uu * vv - uv * uv
    if det == 0:
        return None
    s, t = (uv * va - vv * ua) / det, (uv * ua - uu * va) / det
    if s < 0 or t < 0 or s + t > 1:
        return None
    q = [x + s * y + t * z for x, y, z in zip(a, u, v, strict=True)]
    return Fraction(_dot(q, q))


@pytest.mark.parametrize("far", [0.0, 1.0, 1e3, 1e8])
def test_distances_of_points_include_rounding(far: float) -> None:
    rng = np.random.default_rng(8)
    for _ in range(25):
        corners = rng.normal(size=(6, 3, 3)) + far
        p = rng.normal(size=3) * 2.0 + far
        row, true = point_row(corners, p), square_to(corners, p)
        assert (
            Fraction(row[nearest_triangle.LOWER]) ** 2 <= true <= Fraction(row[nearest_triangle.UPPER]) ** 2
        )
        assert row[nearest_triangle.UPPER] - row[nearest_triangle.LOWER] < 1e-12 * (1.0 + far)
        assert row[nearest_triangle.LOWER] >= 0.0


def test_distances_of_points_from_large_triangles() -> None:
    rng = np.random.default_rng(14)
    for _ in range(100):
        corners = rng.normal(size=(1, 3, 3)) * 1e8
        normal = np.cross(corners[0, 1] - corners[0, 0], corners[0, 2] - corners[0, 0])
        p = corners[0].mean(axis=0) + normal / np.linalg.norm(normal) * rng.uniform(0.1, 1.0)
        row, true = point_row(corners, p), square_to(corners, p)
        assert (
            Fraction(row[nearest_triangle.LOWER]) ** 2 <= true <= Fraction(row[nearest_triangle.UPPER]) ** 2
        )


def test_distances_of_points_by_nearest_points_that_are_off(monkeypatch: pytest.MonkeyPatch) -> None:
    given, rng = nearest_triangle.closest_on_triangle, np.random.default_rng(15)

    def rough(*corners: float) -> tuple[float, ...]:
        la, lb, lc, *_ = given(*corners)
        weights = np.array([la, lb, lc]) + 0.05
        weights /= weights.sum()
        return *weights, *(weights @ np.array(corners).reshape(3, 3))

    monkeypatch.setattr(nearest_triangle, "closest_on_triangle", rough)
    for _ in range(30):
        corners, p = rng.normal(size=(3, 3, 3)), rng.normal(size=3) * 2.0
        row, true = point_row(corners, p), square_to(corners, p)
        assert (
            Fraction(row[nearest_triangle.LOWER]) ** 2 <= true <= Fraction(row[nearest_triangle.UPPER]) ** 2
        )


def test_distances_of_points_on_a_surface() -> None:
    corners = np.random.default_rng(9).normal(size=(4, 3, 3))
    row = point_row(corners, corners[1, 1])
    assert row[nearest_triangle.LOWER] == 0.0


def test_distances_of_points_from_small_triangles_far_away() -> None:
    # Axes of boxes are unit vectors to single precision only: the bound of a far box may be too large by as much.
    rng = np.random.default_rng(10)
    for _ in range(200):
        n = rng.normal(size=(2, 3))
        n /= np.linalg.norm(n, axis=1)[:, None]
        shape = rng.normal(size=(3, 3)) * 1e-4
        one, p = n[0] + shape, np.zeros(3)
        length = np.sqrt(float(square_to(one[None], p))) * (1.0 + rng.normal() * 5e-8)
        corners = np.array([one, n[1] * length + rng.normal(size=(3, 3)) * 1e-9])
        row = point_row(corners, p)
        assert Fraction(row[nearest_triangle.LOWER]) ** 2 <= square_to(corners, p)


def test_distances_of_points_from_needles() -> None:
    rng = np.random.default_rng(11)
    for _ in range(200):
        a, b = rng.normal(size=(2, 3))
        c = a + rng.uniform(0.1, 0.9) * (b - a) + 10.0 ** rng.uniform(-13.0, -3.0) * rng.normal(size=3)
        corners, p = np.array([[a, b, c]]), rng.normal(size=3)
        row, true = point_row(corners, p), square_to(corners, p)
        assert (
            Fraction(row[nearest_triangle.LOWER]) ** 2 <= true <= Fraction(row[nearest_triangle.UPPER]) ** 2
        )


def test_kept_leaves_have_the_reach_of_their_triangles() -> None:
    rng = np.random.default_rng(12)
    pair = Pair(lumps(3, rng), lumps(3, rng))
    A, B = pair.obb[:4], pair.obb[4:]
    Q, M, W = np.empty(20), np.empty(24), np.empty(triangle.RESULT)
    X = np.eye(4)
    X[:3, :3], X[0, 3] = random_rotation(rng), 5.0
    real_place(A[0], B[0], np.eye(4)[None], 0, X[None], 0, Q, M)
    memory, motion = np.zeros(pair_heap.MEMORY, np.int64), np.zeros(pair_heap.MOTION)
    keys, nodes = np.zeros(100), np.zeros(300, np.int32)
    obb_gap.measure_fully(A[0], A[1], 0, B[0], B[1], 0, Q, W)
    obb_gap.keep_leaves(A[0], A[1], 0, B[0], B[1], 0, B[2], 1, 1, Q, W, memory, motion)
    _, least = obb_distance.check_proofs(Q, memory, motion, 0.0, keys, nodes, 0)
    assert least == pytest.approx(np.sqrt(W[triangle.SQUARE]), rel=1e-12)
