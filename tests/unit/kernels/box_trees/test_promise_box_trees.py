"""Box trees that are too small by as much as a proof accepts: a long path to a leaf that lacks its triangle.

Each node on the way may round a coordinate (docs/theory/box-tree). A thousand nodes that cut nothing allow a leaf to be
too small by a thousand units, more than the allowance of the pose.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numba.core import config

import keepclear as kc
from keepclear.geometry.shapes.packed import packed
from keepclear.kernels.box_trees import containment, convex_distance, mesh_distance, pair  # fmt: skip
from keepclear.kernels.box_trees import tree as box_tree
from keepclear.kernels.convex import gjk, support
from keepclear.kernels.tables import surface as surface_layout  # fmt: skip
from keepclear.kernels.trees import mesh_convex, obb_pair  # fmt: skip
from keepclear.kernels.trees import winding as rays
from keepclear.kernels.triangles.exact import SCRATCH

pytestmark = pytest.mark.skipif(
    not config.DISABLE_JIT, reason="inner kernels, which only kernels call, are tested as Python"
)

UNIT = 2.0**-53
LEVELS = 1000
OFF = LEVELS * UNIT  # the extent is 1
FLAT = 0.25  # where the triangles are
Node = tuple[int, int, int, float, float]  # kind, axis, link, and the two numbers


def tree(nodes: list[Node]) -> tuple[np.ndarray, np.ndarray]:
    L = np.zeros(box_tree.NODE * (len(nodes) + 1), np.int32)
    N = L.view(np.float32)
    for k, (kind, axis, link, first, second) in enumerate(nodes):
        L[3 * k] = ((4 * kind + axis) << box_tree.LINK_BITS) + link - box_tree.HIGH
        if kind == box_tree.SLAB:
            L[3 * k + 1], L[3 * k + 2] = int(first) - box_tree.HIGH, int(second) - box_tree.HIGH
        else:
            N[3 * k + 1], N[3 * k + 2] = first, second
    L[-3] = len(nodes)
    return N, L


def surface(triangles: Any, half: Any) -> tuple[np.ndarray, np.ndarray]:
    corners = np.array(triangles, float).reshape(-1, 3)
    S = np.zeros(surface_layout.SURFACE_HEADER + corners.size)
    S[surface_layout.EXTENT], S[surface_layout.N_TRIANGLES] = 1.0, len(corners) // 3
    S[surface_layout.ROOT_HALF : surface_layout.ROOT_HALF + 3] = half
    S[surface_layout.SURFACE_HEADER :] = corners.ravel()
    return S, np.arange(len(corners), dtype=np.int32)


def way(begin: int, rest: list[Node], levels: int = LEVELS) -> list[Node]:
    """Nodes that cut nothing, then others; the first is node `begin`."""
    return [(box_tree.TRIM, 0, begin + k + 1, 0.0, 0.0) for k in range(levels)] + rest


def flat(axis: int, sign: float, kind: str) -> tuple[np.ndarray, ...]:
    """A triangle across an axis, at sign * FLAT, and a tree whose box or slab ends before it."""
    cut, half, at = 0.5, np.ones(3), sign * FLAT
    if kind == "box":
        half[axis] = cut + FLAT - OFF
        N, L = tree(way(0, [(box_tree.LEAF, axis, 0, *((0.0, cut) if sign > 0 else (cut, 0.0)))]))
    else:
        unit = 3.0 * (1.0 + 2.0**-20) / 2**21
        steps = int(FLAT / unit)
        at = sign * (steps * unit + OFF)
        lower, upper = sorted((sign * steps, sign * (steps - 4)))
        words = [(int(2**21 + x) << 10) + 512 for x in (lower, upper)]
        rest: list[Node] = [(box_tree.SLAB, axis, LEVELS + 1, *words), (box_tree.LEAF, axis, 0, 0.0, 0.0)]
        N, L = tree(way(0, rest))
    corners = np.roll([[at, -0.5, -0.4], [at, 0.5, -0.3], [at, 0.0, 0.6]], axis, axis=1)
    return *surface(corners, half), N, L


@pytest.mark.parametrize("kind", ["box", "slab"])
@pytest.mark.parametrize("sign", [-1.0, 1.0])
@pytest.mark.parametrize("axis", range(3))
def test_contacts_of_boxes_and_slabs_that_are_too_small(axis: int, sign: float, kind: str) -> None:
    A, B = flat(axis, sign, kind), flat(axis, -sign, kind)
    at = A[0][surface_layout.SURFACE_HEADER + axis]
    X = np.eye(4)
    X[axis, 3] = 2.0 * at
    state, digits = np.zeros(obb_pair.STATE, np.int64), np.zeros(SCRATCH, np.int64)
    state[obb_pair.DEPTH] = -1
    stack, hits = np.empty(pair.PAIR * (2 * LEVELS + 20)), np.empty(40, np.int32)
    ended = pair.collide(*A, *B, np.eye(4)[None], X[None], state, stack, hits, digits, True, 10**9)
    assert ended == obb_pair.DONE
    assert state[obb_pair.HITS] == 1


def with_decoy(
    sign: float, nearer: float, first: bool, levels: int = LEVELS, off: float = OFF
) -> tuple[np.ndarray, ...]:
    """Two triangles across x at sign * FLAT, one of them less by `nearer`; the box of the other is too small."""
    half = np.ones(3)
    half[0] = 0.5 + FLAT - off
    near, far = sign * FLAT, sign * (FLAT - nearer)
    corners = [
        [[near, 0.1, -0.4], [near, 0.5, -0.3], [near, 0.3, 0.6]],
        [[far, -0.1, -0.4], [far, -0.5, -0.3], [far, -0.3, 0.6]],
    ]
    cuts = (0.0, 0.5) if sign > 0 else (0.5, 0.0)
    loose = (0.0, 0.25) if sign > 0 else (0.25, 0.0)
    decoy: Node = (box_tree.LEAF, 0, 1, *loose)
    leaf: Node = (box_tree.LEAF, 0, 0, *cuts)
    if first:  # the first child is at the lower side of y, so both are mirrored
        corners = [[[x, -y, z] for x, y, z in t] for t in corners]
        nodes = [(box_tree.SPLIT, 1, 1, 1.0, 1.0), (box_tree.TRIM, 0, 3, 0.0, 0.0), decoy]
    else:
        nodes = [(box_tree.SPLIT, 1, 1, 1.0, 1.0), decoy, (box_tree.TRIM, 0, 3, 0.0, 0.0)]
    N, L = tree(nodes + way(3, [leaf], levels))
    return *surface(corners, half), N, L


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("sign", [-1.0, 1.0])
def test_distances_of_boxes_that_are_too_small(sign: float, first: bool) -> None:
    A, B = with_decoy(sign, 1500.0 * UNIT, first), flat(0, -sign, "box")
    X = np.eye(4)
    X[0, 3] = sign * (2.0 * FLAT + 2.0**-10)
    rows, state = np.zeros(gjk.ROW), np.zeros(obb_pair.STATE, np.int64)
    state[7], warm = 1 << 60, np.full(2, -1, np.int64)
    stack = np.empty(mesh_distance.WAITING_PAIR * (2 * LEVELS + 20))
    mesh_distance.distance(
        *A, *B, np.eye(4)[None], X[None], np.ones(1), rows, warm, stack, state, False, 0, 1
    )
    assert rows[gjk.LOWER] <= 2.0**-10


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("sign", [-1.0, 1.0])
def test_distances_of_convex_bodies_from_boxes_that_are_too_small(sign: float, first: bool) -> None:
    levels = 2000
    F, G = packed(kc.Box([0.2, 2.0, 2.0]))
    X = np.eye(4)
    X[0, 3] = sign * (FLAT + 0.1 + 2.0**-10)
    scale = 1.0 + F[support.EXTENT] + F[support.RADIUS] + abs(X[0, 3])
    rounding = gjk.ROUNDING * scale
    off = levels * UNIT
    assert 2.0 * rounding < off
    A = with_decoy(sign, 0.5 * off, first, levels, off)
    rows = np.zeros(gjk.ROW)
    convex_distance.distance(*A, F, G, np.eye(4)[None], X[None], rows, 0, 1)
    assert rows[gjk.LOWER] <= 2.0**-10
    assert rows[gjk.LOWER] > 2.0**-10 - 1e-12
    assert rows[gjk.STATE] == gjk.SEPARATE


@pytest.mark.parametrize("sign", [-1.0, 1.0])
@pytest.mark.parametrize("axis", range(3))
def test_bounds_of_convex_bodies_include_the_pad_of_boxes(axis: int, sign: float) -> None:
    S, _, N, L = flat(axis, sign, "box")
    F, G = packed(kc.Sphere(1.0))
    F = F.copy()
    F[support.RADIUS] = 0.0
    rel = np.array([1.0, 0, 0, 0, 1.0, 0, 0, 0, 1.0, 0, 0, 0])
    rel[9 + axis] = sign * (FLAT + 0.5)
    P, K, M = np.zeros(mesh_convex.ROOM), np.zeros(1, np.int32), np.zeros(gjk.MEMORY)
    E = np.zeros(convex_distance.ENTRY)
    for k in range(3):
        half = S[surface_layout.ROOT_HALF + k]
        E[convex_distance.LOWER + k], E[convex_distance.UPPER + k] = -half, half
    convex_distance._enter(S, N, L, 0, F, G, tuple(rel), 0.01, P, K, M, E, 0)
    assert 0.48 < E[convex_distance.BOUND] <= 0.49 + OFF


@pytest.mark.parametrize("size", [0.5, 0.0])
@pytest.mark.parametrize("gap", [0.25, 0.0, -0.25])
def test_states_of_a_mesh_and_a_convex_body(gap: float, size: float) -> None:
    F, G = packed(kc.Sphere(0.5) if size else kc.Box([1.0, 1.0, 1.0]))
    mesh = kc.Mesh(CORNERS, QUADS)
    rows, X = np.zeros(gjk.ROW), np.eye(4)
    X[0, 3] = 1.5 + gap
    for kernel, build in ((convex_distance, kc.build_box_tree), (mesh_convex, kc.build_obb_tree)):
        kernel.distance(*build(mesh).arrays, F, G, np.eye(4)[None], X[None], rows, 0, 1)
        expected = gjk.SEPARATE if gap > 0.0 else gjk.TOUCHING if gap == 0.0 else gjk.INTERFERING
        assert rows[gjk.STATE] == expected
        assert rows[gjk.LOWER] <= max(gap, 0.0) <= rows[gjk.UPPER]


CORNERS = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
QUADS = np.array([[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]])


def test_small_cuts_are_rounded_down() -> None:
    N = np.zeros(3, np.float32)
    for cut in 10.0 ** np.linspace(-46.0, 3.0, 400):
        for stored in (box_tree._write(N, N.view(np.int32), 0, box_tree.TRIM, 0, 0, cut, 1.3 * cut),):
            assert 0.0 <= stored[0] <= cut
            assert 0.0 <= stored[1] <= 1.3 * cut


@pytest.mark.parametrize("axis", range(3))
def test_segments_that_pass_a_box_within_rounding(axis: int) -> None:
    E = np.zeros(containment.WAITING)
    E[containment.LOWER : containment.LOWER + 3] = -1.0
    E[containment.UPPER : containment.UPPER + 3] = 1.0
    for other in (1, 2):
        middle, along = np.zeros(3), np.zeros(3)
        middle[axis], along[(axis + other) % 3] = 1.0 + 1e-9, 3.0
        assert containment._may_meet(E, 0, *middle, *along, 1e-8)
        assert not containment._may_meet(E, 0, *middle, *along, 0.0)


@pytest.mark.parametrize("sign", [-1.0, 1.0])
@pytest.mark.parametrize("axis", range(3))
def test_rays_see_triangles_that_stick_out_of_their_box(axis: int, sign: float) -> None:
    S, T, N, L = flat(axis, sign, "box")
    p, q = np.zeros(3), np.zeros(3)
    p[axis] = q[axis] = sign * FLAT
    p[(axis + 1) % 3], q[(axis + 1) % 3] = -2.0, 2.0
    E, digits = np.zeros(containment.WAITING * (LEVELS + 9)), np.zeros(SCRATCH, np.int64)
    M = np.zeros(24)
    M[[0, 5, 10, 12, 17, 22]] = 1.0
    seed = (np.concatenate([np.zeros(surface_layout.SURFACE_HEADER), p]), 0, False)
    found = containment._crossings(S, T, N, L, *p, 0.0, tuple(q), False, seed, M, digits, E)
    assert found == (rays.UNCLEAR, 0)


@pytest.mark.parametrize("kind", ["box", "obb"])
def test_a_ray_through_a_seam_counts_nothing(kind: str) -> None:
    # A cube with a slit where the first ray leaves it, which is known to be a seam.
    build = kc.build_box_tree if kind == "box" else kc.build_obb_tree
    p, point = np.array([0.9, 0.0, 0.0]), np.zeros(surface_layout.SURFACE_HEADER + 3)
    point[surface_layout.SURFACE_HEADER :] = p
    S = build(kc.Mesh(CORNERS, QUADS)).arrays[0].copy()
    S[surface_layout.SEAM] = 0.05
    q = rays._far_point(S, *p, S[surface_layout.SEAM], 0)
    slit = (q[1] - p[1]) * (1.0 - p[0]) / (q[0] - p[0])
    edges = [[1.0, y, z] for y in (slit - 0.01, slit + 0.01) for z in (-1.0, 1.0)]
    faces = [*QUADS[[0, 2, 3, 4, 5]].tolist(), [4, 8, 9, 5], [10, 6, 7, 11]]
    mesh = kc.Mesh(np.concatenate([CORNERS, edges]), faces, solid=False)
    S, T, N, L = (array.copy() for array in build(mesh).arrays)
    S[surface_layout.SEAM] = 0.05
    M, digits = np.zeros(24), np.zeros(SCRATCH, np.int64)
    M[[0, 5, 10, 12, 17, 22]] = 1.0
    stack = np.zeros(2000) if kind == "box" else np.zeros(2000, np.int32)
    winding = containment.winding if kind == "box" else rays.winding
    assert abs(winding(S, T, N, L, *p, 0.0, point, 0, False, M, digits, stack)) == 1
