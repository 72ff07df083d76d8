"""A mesh and a convex body, and frames by hulls, with large allowances: every term of their bounds is needed."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numba.core import config

import keepclear as kc
from keepclear.geometry.shapes.packed import packed
from keepclear.kernels.convex import gjk, support
from keepclear.kernels.trees import hull_frames, mesh_convex, obb_pair
from keepclear.kernels.triangles import triangle_distance as triangle

pytestmark = pytest.mark.skipif(
    not config.DISABLE_JIT, reason="inner kernels, which only kernels call, are tested as Python"
)

CORNERS = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
QUADS = np.array([[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]])
CUBE = kc.Mesh(CORNERS, QUADS)
HERE = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


def scratch() -> tuple[np.ndarray, ...]:
    return np.zeros(mesh_convex.ROOM), np.zeros(1, np.int32), np.zeros(gjk.MEMORY)


def point() -> np.ndarray:
    F = np.zeros(mesh_convex.ROOM)
    F[support.KIND] = support.POINT
    return F


@pytest.mark.parametrize("depth", [1e-5, 0.0, -1e-5])
@pytest.mark.parametrize("axis", range(3))
def test_a_body_is_shrunk_about_its_own_centre(axis: int, depth: float) -> None:
    center = np.roll([400.0, 0.0, 0.0], axis)
    F, G = packed(kc.Convex(CORNERS + center))
    place = -center  # of the body in the frame of the point, which is on its face or beside it
    place[axis] -= 1.0 - depth
    _, K, M = scratch()
    found = mesh_convex._meets_inside(point(), K, F, G, (*HERE, *place), 1e-12, M)
    assert found == (depth > 0.0)


def test_a_search_that_ends_early_keeps_its_lower_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    F, G = packed(kc.Box([2.0, 2.0, 2.0]))
    given = gjk.search

    def early(*arguments: Any) -> tuple[Any, ...]:
        found = list(given(*arguments))
        found[2] = 0.5 * found[1]
        return tuple(found)

    monkeypatch.setattr(gjk, "search", early)
    _, K, M = scratch()
    inside, upper, lower, *_ = mesh_convex._core_distance(point(), K, F, G, (*HERE, 3.0, 0.0, 0.0), M)
    assert not inside
    assert upper == pytest.approx(2.0)
    assert lower == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("gap", "meets"), [(0.5, False), (0.5e-9, False), (-0.5e-9, False), (-2e-9, True), (-1e-3, True)]
)
def test_a_triangle_and_a_ball_within_rounding(gap: float, meets: bool) -> None:
    S, T, *_ = kc.build_obb_tree(
        kc.Mesh([[0, -1, -1], [0, 1, -1], [0, 0, 1]], [[0, 1, 2]], solid=False)
    ).arrays
    F, G = packed(kc.Sphere(1.0))
    P, K, M = scratch()
    rounding, best = 1e-9, np.zeros(6)
    rel = (*HERE, 1.0 + gap, 0.0, 0.0)
    lower, upper, closest, found = mesh_convex.compare_leaf(
        S, T, 0, F, G, rel, rounding, P, K, M, best, np.inf, np.inf, -1
    )
    assert found == meets
    assert lower <= gap - rounding + 1e-14
    assert upper == pytest.approx(gap, abs=1e-13)
    assert closest == 0


def test_bounds_of_a_mesh_and_a_ball_include_the_rounding() -> None:
    S, T, N, L = kc.build_obb_tree(CUBE).arrays
    F, G = packed(kc.Sphere(0.5))
    P, K, M = scratch()
    stack, bounds, best = np.empty(obb_pair.STACK, np.int32), np.empty(obb_pair.STACK), np.zeros(6)
    state, lower, upper, *_ = mesh_convex._nearest(
        S, T, N, L, F, G, (*HERE, 3.0, 0.0, 0.0), 0.01, (stack, bounds), P, K, M, best
    )
    assert state == gjk.SEPARATE
    assert lower <= 1.49 + 1e-12
    assert upper >= 1.51 - 1e-12


def frame(mesh: kc.Mesh, other: kc.Mesh) -> tuple[tuple[Any, ...], np.ndarray]:
    """The packed hulls of two meshes, and cells with their spheres; the closest triangles are not known."""
    out = np.zeros(hull_frames.CELLS)
    out[gjk.ROW : gjk.ROW + gjk.MEMORY] = 0.0
    out[gjk.ROW + 1] = out[gjk.ROW + 2] = -1.0
    for k, body in enumerate((mesh, other)):
        out[hull_frames.SPHERES + 4 * k + 3] = out[hull_frames.EXTENTS + k] = np.linalg.norm(
            body.vertices, axis=1
        ).max()
        out[hull_frames.TRIANGLES + k] = -1.0
    out[hull_frames.FAR] = np.inf
    return (*packed(kc.Convex(mesh.vertices)), *packed(kc.Convex(other.vertices))), out


SMALL = kc.Mesh(0.5 * CORNERS, QUADS)
SLACK = 0.05


@pytest.fixture
def known_roughly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Frames whose poses are known up to SLACK only."""
    monkeypatch.setattr(hull_frames, "_slack", lambda *_: SLACK)


def settled(x: float) -> tuple[tuple[Any, ...], np.ndarray, np.ndarray]:
    """The hulls, poses of B, and cells of a frame that was answered."""
    hulls, out = frame(CUBE, SMALL)
    X = np.eye(4)
    X[0, 3] = x
    assert hull_frames.track(*hulls, np.eye(4), X, out, -1.0) == hull_frames.UNSETTLED
    trees = (*kc.build_obb_tree(CUBE).arrays, *kc.build_obb_tree(SMALL).arrays)
    stack, bounds = np.empty(obb_pair.STACK, np.int32), np.empty(obb_pair.STACK)
    assert hull_frames.settle(*trees, np.eye(4), X, out, -1.0, stack, bounds) == hull_frames.ANSWERED
    return hulls, X, out


def check(out: np.ndarray, distance: float) -> None:
    assert out[gjk.LOWER] <= distance - SLACK + 1e-12
    assert out[gjk.UPPER] >= distance + SLACK - 1e-12


@pytest.mark.usefixtures("known_roughly")
def test_frames_include_the_allowance_of_their_poses() -> None:
    hulls, X, out = settled(3.5)
    check(out, 2.0)
    assert hull_frames.track(*hulls, np.eye(4), X, out, -1.0) in (hull_frames.ANSWERED, hull_frames.ATTENTION)
    check(out, 2.0)
    assert out[hull_frames.BALLS] <= 3.5 - 1.5 * np.sqrt(3.0) - SLACK + 1e-12
    out[hull_frames.FAR] = 0.1  # spheres are sufficient
    assert hull_frames.track(*hulls, np.eye(4), X, out, -1.0) == hull_frames.ATTENTION
    check(out, 2.0)
    assert hull_frames.track(*hulls, np.eye(4), X, out, -1.0) == hull_frames.ANSWERED


@pytest.mark.usefixtures("known_roughly")
def test_hulls_within_the_allowance_are_not_separate() -> None:
    hulls, X, out = settled(3.5)
    X[0, 3] = 1.5 + 0.5 * SLACK
    assert hull_frames.track(*hulls, np.eye(4), X, out, -1.0) == hull_frames.OVERLAP


def test_frames_are_accepted_where_bounds_are_sufficient() -> None:
    hulls, X, out = settled(3.5)
    # The triangles that were closest are not: the closest corners are others after a turn.
    X[:3, :3] = [[-1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]]
    assert hull_frames.track(*hulls, np.eye(4), X, out.copy(), 9.0) == hull_frames.UNSETTLED
    assert hull_frames.track(*hulls, np.eye(4), X, out.copy(), 1.0) == hull_frames.UNSETTLED
    kept = out.copy()
    kept[hull_frames.GAP] = 2.0
    assert hull_frames.track(*hulls, np.eye(4), X, kept.copy(), 1.0) == hull_frames.ANSWERED
    assert hull_frames.track(*hulls, np.eye(4), X, kept.copy(), 9.0) == hull_frames.UNSETTLED
    kept[hull_frames.NEAR] = 2.5  # nearer than this the caller updates a state
    assert hull_frames.track(*hulls, np.eye(4), X, kept, 1.0) == hull_frames.ATTENTION


def test_rows_of_frames_round_outwards() -> None:
    rng = np.random.default_rng(1)
    A = (0, *HERE, 0.0, 0.0, 0.0)
    for _ in range(100):
        out = np.zeros(hull_frames.CELLS)
        out[hull_frames.CORNERS : hull_frames.CORNERS + 9] = rng.normal(size=9)
        out[hull_frames.CORNERS + 9 : hull_frames.CORNERS + 18] = rng.normal(size=9) + 7.0
        hull_frames._measure(A, (*HERE, 0.0, 0.0, 0.0), np.inf, 0.0, out)
        square = Fraction(out[hull_frames.WORK + triangle.SQUARE])
        assert Fraction(out[gjk.LOWER]) ** 2 <= square <= Fraction(out[gjk.UPPER]) ** 2
