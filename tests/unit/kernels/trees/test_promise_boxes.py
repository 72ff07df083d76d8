"""Oriented boxes, their proofs and their gaps: each rounding term and inequality in a case that needs it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numba.core import config
from tests.oracles.poses import random_rotation
from tests.unit.kernels.box_trees.test_tree import sheet, soup

import keepclear as kc
from keepclear.geometry.models.sections import _prove_box_tree, _prove_obb_tree
from keepclear.kernels.box_trees import proof
from keepclear.kernels.tables import surface
from keepclear.kernels.trees import obb_gap, obb_pair, obb_tree
from keepclear.kernels.triangles.exact import SCRATCH

pytestmark = pytest.mark.skipif(
    not config.DISABLE_JIT, reason="inner kernels, which only kernels call, are tested as Python"
)

CORNERS = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
QUADS = np.array([[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]])
MESHES = {
    "sheet": sheet(3),
    "soup": soup(25, 1),
    "one": soup(1, 2),
    "two": soup(2, 3),
    "cube": kc.Mesh(CORNERS, QUADS),
}
SPLITS = {"obb": (kc.build_obb_tree, _prove_obb_tree), "box": (kc.build_box_tree, _prove_box_tree)}


@pytest.mark.parametrize("kind", SPLITS)
@pytest.mark.parametrize("name", MESHES)
def test_trees_as_built_are_proved(name: str, kind: str) -> None:
    build, prove = SPLITS[kind]
    assert prove(MESHES[name], build(MESHES[name])._nodes) == proof.PROVED


@pytest.mark.parametrize("seed", range(60))
def test_axes_of_needles_are_orthonormal(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = rng.normal(size=(2, 3))
    across = np.cross(b - a, rng.normal(size=3))
    c = a + rng.uniform(0.2, 0.8) * (b - a) + 10.0 ** rng.uniform(-13.0, -6.0) * across
    mesh = kc.Mesh([a, b, c], [[0, 1, 2]], solid=False)
    nodes = kc.build_obb_tree(mesh)._nodes
    axes = nodes[obb_tree.AXES : obb_tree.HALF].astype(float).reshape(3, 3)
    assert np.abs(axes @ axes.T - np.eye(3)).max() <= proof.SKEW
    assert _prove_obb_tree(mesh, nodes) == proof.PROVED


def test_boxes_of_small_triangles_far_out_hold_their_corners() -> None:
    rng, header = np.random.default_rng(1), surface.SURFACE_HEADER
    for _ in range(60):
        S, T = np.zeros(header + 9), np.arange(3, dtype=np.int32)
        S[surface.ROOT_HALF : surface.ROOT_HALF + 3] = 4.0
        # The centre is a number of single precision, so that its rounding does not hide that of products.
        corners = rng.normal(size=3).astype(np.float32) + rng.normal(size=(3, 3)) * 3e-15
        S[header:] = corners.ravel()
        leaf = np.zeros(obb_tree.NODE, np.float32)
        obb_tree.fit_box(S, T, np.zeros(1, np.int32), 0, 1, leaf, 0, np.zeros(9))
        for corner in corners:
            x = [Fraction(v) - Fraction(float(c)) for v, c in zip(corner, leaf, strict=False)]
            for k in range(3):
                axis = leaf[obb_tree.AXES + 3 * k : obb_tree.AXES + 3 * k + 3]
                along = sum(Fraction(float(a)) * v for a, v in zip(axis, x, strict=True))
                assert abs(along) <= Fraction(float(leaf[obb_tree.HALF + k]))


def test_a_proof_asks_for_the_spare_of_boxes() -> None:
    mesh = soup(25, 1)
    rows = kc.build_obb_tree(mesh)._nodes.reshape(-1, obb_tree.NODE)
    for node in (0, 1, len(rows) - 1):
        bad = rows.copy()
        bad[node, obb_tree.HALF + 2] *= np.float32(1.0 - 2e-6)
        assert _prove_obb_tree(mesh, bad.ravel()) == proof.TOO_SMALL


@pytest.mark.parametrize("n", [2, 9])
def test_boxes_are_fitted_to_whatever_triangle_moves(n: int) -> None:
    mesh = soup(n, 5)
    tree = kc.build_obb_tree(mesh)
    for t in range(n):
        moved = mesh.vertices.copy()
        moved[mesh.triangles[t]] += np.array([0.3, -0.2, 0.4])
        again = tree.refit(moved)
        assert _prove_obb_tree(again.mesh, again._nodes) == proof.PROVED


def exact_place(X_WA: np.ndarray, X_WB: np.ndarray, p: np.ndarray) -> list[Fraction]:
    """A point of B in the frame of A, in fractions, for matrices that are what they are."""
    A, B = ([[Fraction(v) for v in row] for row in X[:3].tolist()] for X in (X_WA, X_WB))
    x = [sum(B[i][j] * Fraction(p[j]) for j in range(3)) + B[i][3] - A[i][3] for i in range(3)]
    (a, b, c), (d, e, f), (g, h, i) = (row[:3] for row in A)
    det = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    inverse = [
        [e * i - f * h, c * h - b * i, b * f - c * e],
        [f * g - d * i, a * i - c * g, c * d - a * f],
        [d * h - e * g, b * g - a * h, a * e - b * d],
    ]
    return [sum(inverse[r][k] * x[k] for k in range(3)) / det for r in range(3)]


@pytest.mark.parametrize("seed", range(20))
def test_places_are_within_their_allowance(seed: int) -> None:
    rng = np.random.default_rng(seed)
    surfaces = [kc.build_obb_tree(soup(3, seed + k)).arrays[0] for k in (0, 1)]
    poses = np.tile(np.eye(4), (2, 1, 1))
    poses[:, :3, :3] = [random_rotation(rng), random_rotation(rng) * rng.choice([1.0, 0.3])]
    poses[:, :3, 3] = rng.normal(size=(2, 3)) * 10.0 ** rng.uniform(0.0, 6.0)
    Q, M = np.empty(20), np.empty(24)
    obb_pair.place(*surfaces, poses[:1], 0, poses[1:], 0, Q, M)
    for v in surfaces[1][surface.SURFACE_HEADER :].reshape(-1, 3)[:9]:
        true = exact_place(poses[0], poses[1], v)
        found = [
            sum(Fraction(Q[3 * i + j]) * Fraction(v[j]) for j in range(3)) + Fraction(Q[9 + i])
            for i in range(3)
        ]
        assert sum((a - b) ** 2 for a, b in zip(true, found, strict=True)) <= Fraction(Q[13]) ** 2


def nodes_of(axes: np.ndarray, half: Any, center: Any = (0.0, 0.0, 0.0)) -> np.ndarray:
    node = np.zeros(obb_tree.NODE, np.float32)
    node[:3], node[obb_tree.AXES : obb_tree.HALF] = center, axes.ravel()
    node[obb_tree.HALF : obb_tree.HALF + 3] = half
    return node


def descend(NA: np.ndarray, NB: np.ndarray, r: np.ndarray, t: np.ndarray, scale: float, slack: float) -> int:
    stack = np.zeros(obb_pair.STACK, np.int32)
    return int(obb_pair._descend(NA, 0, 1, NB, 0, 1, r, t, scale, slack, stack, 0))


DIRECTIONS = [("a", k) for k in range(3)] + [("b", k) for k in range(3)] + [("edges", k) for k in range(9)]


@pytest.mark.parametrize("scale", [1.0, 0.25, 3.0])
@pytest.mark.parametrize(("kind", "k"), DIRECTIONS)
def test_boxes_within_the_slack_are_not_separate(kind: str, k: int, scale: float) -> None:
    rng, slack = np.random.default_rng(k), 0.05
    for _ in range(5):
        U, V, R = random_rotation(rng), random_rotation(rng), random_rotation(rng)
        h, half = rng.uniform(0.3, 1.0, size=3), rng.uniform(0.3, 1.0, size=3)
        W = V @ R.T  # the axes of B in the frame of A, as rows
        n = U[k] if kind == "a" else W[k] if kind == "b" else np.cross(U[k // 3], W[k % 3])
        n = n / np.linalg.norm(n)
        p, q = (
            (np.sign(U @ n) * h) @ U,
            scale * (np.sign(W @ n) * half) @ W,
        )  # the corners that are nearest to each other
        for gap, kept in ((0.9 * slack, 1), (3.0 * slack * (1.0 + scale) / min(scale, 1.0), 0)):
            found = descend(nodes_of(U, h), nodes_of(V, half), scale * R, p + q + n * gap, scale, slack)
            assert found == kept or (kind == "edges" and found == 1)


def test_nearly_parallel_boxes_that_share_a_corner_are_not_separate() -> None:
    rng = np.random.default_rng(3)
    for case in range(400):
        turn = rng.normal(size=3) * 10.0 ** rng.uniform(-9.0, -5.0)
        small = np.eye(3) + np.array([[0, -turn[2], turn[1]], [turn[2], 0, -turn[0]], [-turn[1], turn[0], 0]])
        U = random_rotation(rng) if case % 2 else np.eye(3)
        NA = nodes_of(U, rng.uniform(0.1, 1.0, size=3))
        NB = nodes_of(np.linalg.qr(U @ small)[0], rng.uniform(0.1, 1.0, size=3))
        signs = rng.choice([-1.0, 1.0], size=3)
        points = []
        for N, s in (
            (NA, signs),
            (NB, -signs * np.sign(np.diag(NB[3:12].reshape(3, 3) @ NA[3:12].reshape(3, 3).T))),
        ):
            points.append((s * N[obb_tree.HALF : obb_tree.HALF + 3]) @ N[3:12].reshape(3, 3).astype(float))
            N[obb_tree.HALF : obb_tree.HALF + 3] += (
                obb_tree.INFLATION * N[obb_tree.HALF : obb_tree.HALF + 3].sum()
            )
        assert descend(NA, NB, np.eye(3), points[0] - points[1], 1.0, 1e-14) == 1


def pair_of_trees(seed: int) -> tuple[Any, Any, np.ndarray, np.random.Generator]:
    """Two trees, and a pose of B in A as `place` writes it, with a scale."""
    rng = np.random.default_rng(seed)
    a, b = (kc.build_obb_tree(soup(int(rng.integers(2, 9)), 10 * seed + k)).arrays for k in (0, 1))
    X = np.eye(4)
    X[:3, :3], X[:3, 3] = random_rotation(rng) * rng.choice([1.0, 0.5, 2.0]), rng.normal(size=3) * 3.0
    Q, M = np.empty(20), np.empty(24)
    obb_pair.place(a[0], b[0], np.eye(4)[None], 0, X[None], 0, Q, M)
    return a, b, Q, rng


def corners_below(arrays: Any, node: int) -> np.ndarray:
    """Corners of the triangles below a node, relative to the origin of the tree."""
    S, T, _, L = arrays
    vertices = S[surface.SURFACE_HEADER :][: 3 * (len(S) // 3)]
    waiting, found = [node], []
    while waiting:
        link = int(L[obb_tree.NODE * waiting.pop() + obb_tree.LINK])
        if link >= 0:
            waiting += [link, link + 1]
            continue
        for i in range(3):
            at = 3 * int(T[3 * (-1 - link) + i])
            found.append(vertices[at : at + 3] - S[surface.ORIGIN : surface.ORIGIN + 3])
    return np.array(found)


def gap_along(A: Any, a: int, B: Any, b: int, Q: np.ndarray, n: np.ndarray) -> float:
    """How far the triangles below b are beyond those below a along a unit vector."""
    mapped = corners_below(B, b) @ Q[:9].reshape(3, 3).T + Q[14:17]
    return float((mapped @ n).min() - (corners_below(A, a) @ n).max())


@pytest.mark.parametrize("seed", range(6))
def test_gaps_of_boxes_are_below_those_of_triangles(seed: int) -> None:
    A, B, Q, _ = pair_of_trees(seed)
    scale, slack = float(np.sqrt(Q[12])), 0.01
    n_a, n_b = (len(arrays[3]) // obb_tree.NODE for arrays in (A, B))
    for a in range(1, n_a, 2):
        for b in range(1, n_b, 2):
            pairs = {}
            for i, j in ((i, j) for i in (a, a + 1) for j in (b, b + 1)):
                p, q = corners_below(A, i), corners_below(B, j) @ Q[:9].reshape(3, 3).T + Q[14:17]
                between = q[None] - p[:, None]
                lengths = np.linalg.norm(between, axis=2)  # of corners: not less than that of triangles
                pairs[i, j] = lengths.min(), between[np.unravel_index(lengths.argmin(), lengths.shape)]
            for true, n in pairs.values():
                along = n @ Q[:9].reshape(3, 3) / (scale * np.linalg.norm(n))
                for keep_all, limit in ((True, 0.0), (True, 9.0), (False, 0.5 * true), (False, 1.01 * true)):
                    keys, found = np.empty(8), np.empty(16, np.int32)
                    for sign in (1.0, -1.0, 0.0):
                        depth = obb_gap.open_pairs(
                            A[2], a, 2, B[2], b, 2, Q[:9].reshape(3, 3), Q[14:17], scale, sign * along, limit**2, slack,
                            keep_all, keys, found, 0,
                        )  # fmt: skip
                        known = {(int(found[2 * k]), int(found[2 * k + 1])): keys[k] for k in range(depth)}
                        for pair, (distance, _) in pairs.items():
                            if pair in known:
                                assert known[pair] <= max(0.0, distance - slack * (1.0 - 1e-9))
                            else:
                                assert not keep_all
                                assert distance > limit * (1.0 - 1e-12)


def test_the_limit_of_boxes_includes_the_slack() -> None:
    for upper, slack in ((1.0, 0.1), (0.0, 1e-9), (3.0, 0.0)):
        assert np.sqrt(obb_gap.squared_limit(upper, slack)) >= (upper + slack) * (1.0 - 1e-12)


@pytest.mark.parametrize("seed", range(40))
def test_proofs_along_a_direction_hold(seed: int) -> None:
    A, B, Q, rng = pair_of_trees(seed)
    tags = [np.zeros(1 + 2 * obb_gap.CACHE, np.int64) for _ in range(2)]
    reaches, highs, lows = (np.empty(1 + 2 * obb_gap.CACHE) for _ in range(3))
    stack, bounds = np.empty(obb_pair.STACK, np.int32), np.empty(obb_pair.STACK)
    n_a, n_b = (len(arrays[3]) // obb_tree.NODE for arrays in (A, B))
    proved = 0
    for _ in range(10):
        n = rng.normal(size=3)
        n /= np.linalg.norm(n)
        for tag in tags:
            tag[0] += 1
        for _ in range(12):
            a, b, enough = int(rng.integers(n_a)), int(rng.integers(n_b)), rng.uniform(-4.0, 1.0)
            true = gap_along(A, a, B, b, Q, n)
            far_a, far_b = obb_gap.prove(*A, a, *B, b, Q, *n, enough, tags[0], reaches, stack, bounds)
            if far_b < np.inf:
                assert n @ Q[14:17] - far_a - far_b == pytest.approx(true, abs=1e-12)
                assert true > enough - 1e-12
                proved += 1
            if obb_gap.are_apart_along(*A, a, *B, b, Q, *n, enough, tags[1], highs, lows, stack, bounds):
                assert true > enough - 1e-12
                proved += 1
    assert proved > 10


def met(a: kc.Mesh, b: kc.Mesh, x: float, slip: float) -> tuple[bool, bool]:
    A, B = kc.build_obb_tree(a).arrays, kc.build_obb_tree(b).arrays
    X = np.eye(4)
    X[0, 3] = x
    state, stack = np.zeros(obb_pair.STATE, np.int64), np.empty(obb_pair.STACK, np.int32)
    hits, digits = np.empty(40, np.int32), np.empty(SCRATCH, np.int64)
    found = obb_pair.meet_within(*A, *B, np.eye(4)[None], X[None], slip, state, stack, hits, digits)
    return bool(found[0]), bool(found[1])


def test_surfaces_within_a_slip_are_uncertain() -> None:
    cube, small = kc.Mesh(CORNERS, QUADS), kc.Mesh(0.1 * CORNERS, QUADS)
    for sign in (-1.0, 1.0):
        assert met(cube, cube, sign * 2.05, 0.1) == (False, False)
        assert met(cube, cube, sign * 2.05, 0.01) == (False, True)
        assert met(cube, cube, sign * 1.95, 0.01) == (True, True)
        assert met(cube, small, sign * 0.5, 0.01) == (True, True)
        assert met(small, cube, sign * 0.5, 0.01) == (True, True)
        assert met(cube, small, sign * 1.5, 0.01) == (False, True)
    plate = kc.Mesh([[0, 0, 0], [0, 1, 0], [0, 1, 1], [0, 0, 1]], [[0, 1, 2], [0, 2, 3]])
    assert met(plate, plate, 0.05, 0.1) == (False, False)  # boxes are as flat as the plates
