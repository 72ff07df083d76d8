"""The mesh oracles, checked on answers known by hand and against each other where everything is degenerate."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from tests.oracles.exact_points import box, cross, cylinder, dot, sphere, sub
from tests.oracles.mesh_bodies import box_mesh, flipped, joined, moved, shell, tetrahedron, torus
from tests.oracles.mesh_distance import body_distance, closest_triangles, distance_squared, surface_distance
from tests.oracles.mesh_inside import APART, CONTAINED, MEETING, truth_of, winding_number
from tests.oracles.mesh_pairs import common_points, is_coplanar, meet, meeting_faces
from tests.oracles.mesh_scene import Triangle, mesh_body, scale_defect, scene

HERE = np.eye(4)
FLOOR = ((0, 0, 0), (8, 0, 0), (0, 8, 0))


def shift(x, y, z):
    X = np.eye(4)
    X[:3, 3] = x, y, z
    return X


def triangles_of(*points):
    return [Triangle(*points[k : k + 3]) for k in range(0, len(points), 3)]


MEETING_PAIRS = {
    "pierced": ((2, 2, -1), (2, 2, 3), (3, 2, 3)),
    "corner on the inside": ((2, 2, 0), (2, 2, 3), (3, 2, 3)),
    "corner on an edge": ((4, 4, 0), (4, 4, 3), (5, 5, 3)),
    "corner on a corner": ((8, 0, 0), (9, 0, 3), (9, 1, 3)),
    "edges cross": ((-1, 4, -1), (1, 4, 1), (-9, 4, 9)),
    "edge on an edge": ((2, 0, 0), (5, 0, 0), (3, -1, 3)),
    "one plane, overlapping": ((1, 1, 0), (9, 9, 0), (2, 9, 0)),
    "one plane, inside": ((1, 1, 0), (2, 1, 0), (1, 2, 0)),
    "one plane, around": ((-9, -9, 0), (90, -9, 0), (-9, 90, 0)),
    "one plane, a common edge": ((0, 0, 0), (8, 0, 0), (4, -5, 0)),
    "one plane, a common corner": ((0, 0, 0), (-8, 0, 0), (0, -8, 0)),
    "the same": FLOOR,
    "the same, turned over": FLOOR[::-1],
    "segment through": ((2, 2, -1), (2, 2, 1), (2, 2, 5)),
    "segment that ends on it": ((2, 2, 0), (2, 2, 1), (2, 2, 5)),
    "segment within": ((2, 2, 0), (3, 3, 0), (4, 4, 0)),
    "segment across": ((-1, 1, 0), (9, 1, 0), (4, 1, 0)),
    "segment along an edge": ((-1, 0, 0), (9, 0, 0), (-1, 0, 0)),
    "point inside": ((1, 1, 0),) * 3,
    "point on an edge": ((4, 4, 0),) * 3,
    "point on a corner": ((0, 8, 0),) * 3,
}
APART_PAIRS = {
    "above": ((1, 1, 1), (2, 1, 1), (1, 2, 1)),
    "beside in one plane": ((5, 5, 0), (9, 5, 0), (5, 9, 0)),
    "pierces the plane outside": ((5, 5, -1), (5, 5, 3), (6, 5, 3)),
    "edges pass each other": ((-1, 4, 0), (1, 4, -2), (-3, 4, -3)),
    "segment over it": ((0, 0, 1), (8, 8, 1), (3, 3, 1)),
    "segment beside it": ((9, 0, 0), (0, 9, 0), (9, 0, 0)),
    "segment on the line of an edge": ((9, 0, 0), (11, 0, 0), (10, 0, 0)),
    "point beside it": ((5, 4, 0),) * 3,
    "point over it": ((1, 1, 1),) * 3,
}


@pytest.mark.parametrize("name", MEETING_PAIRS)
def test_meeting(name):
    for a, b in both_orders(FLOOR, MEETING_PAIRS[name]):
        assert meet(a, b)
        assert common_points(a, b)
        assert distance_squared(a, b) == 0
        assert is_coplanar(a, b) == name.startswith(("one plane", "the same"))


@pytest.mark.parametrize("name", APART_PAIRS)
def test_apart(name):
    for a, b in both_orders(FLOOR, APART_PAIRS[name]):
        assert not meet(a, b)
        assert not common_points(a, b)
        assert distance_squared(a, b) > 0


def both_orders(a, b):
    """Both orders, with the corners of the second turned in each way."""
    for k in range(3):
        s, t = triangles_of(*a, *b[k:], *b[:k])
        yield s, t
        yield t, s


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (((0, 0, 0), (4, 0, 0), (2, 0, 0)), ((2, -1, 0), (2, 1, 0), (2, 0, 0)), True),
        (((0, 0, 0), (4, 0, 0), (2, 0, 0)), ((4, 0, 0), (9, 0, 0), (5, 0, 0)), True),
        (((0, 0, 0), (4, 0, 0), (2, 0, 0)), ((3, 0, 0), (9, 0, 0), (5, 0, 0)), True),
        (((0, 0, 0), (4, 0, 0), (2, 0, 0)), ((5, 0, 0), (9, 0, 0), (7, 0, 0)), False),
        (((0, 0, 0), (4, 0, 0), (2, 0, 0)), ((0, 1, 0), (4, 1, 0), (2, 1, 0)), False),
        (((0, 0, 0), (4, 0, 0), (2, 0, 0)), ((2, -1, 1), (2, 1, 1), (2, 0, 1)), False),
        (((0, 0, 0), (4, 0, 0), (2, 0, 0)), ((3, 0, 0),) * 3, True),
        (((0, 0, 0), (4, 0, 0), (2, 0, 0)), ((5, 0, 0),) * 3, False),
        (((0, 0, 0), (4, 0, 0), (2, 0, 0)), ((3, 1, 0),) * 3, False),
        (((3, 1, 0),) * 3, ((3, 1, 0),) * 3, True),
        (((3, 1, 0),) * 3, ((3, 1, 1),) * 3, False),
    ],
)
def test_segments_and_points(a, b, expected):
    for s, t in both_orders(a, b):
        assert meet(s, t) is expected
        assert bool(common_points(s, t)) is expected
        assert (distance_squared(s, t) == 0) is expected


def test_common_points_are_what_they_should_be():
    a, b, c = triangles_of(*FLOOR, (2, 2, -4), (2, 2, 4), (6, 2, 4), (0, 0, 0), (4, 0, 0), (0, 4, 0))
    assert set(common_points(a, b)) == {(2, 2, 0), (4, 2, 0)}
    assert set(common_points(a, c)) == set(c.points)
    over, *_ = triangles_of((-2, 4, 0), (4, -2, 0), (4, 4, 0))
    assert set(common_points(c, over)) == {(0, 2, 0), (2, 0, 0), (4, 0, 0), (0, 4, 0)}


def test_three_formulations_agree_on_a_coarse_grid():
    """Corners among 27 or 64 points: most pairs are degenerate, coplanar, touching or parallel."""
    rng = np.random.default_rng(1)
    met = 0
    for k in range(300):
        points = [tuple(int(c) for c in p) for p in rng.integers(0, 3 + k % 2, size=(6, 3))]
        a, b = triangles_of(*points)
        square = distance_squared(a, b)
        assert square == plain_distance_squared(a, b), points
        assert meet(a, b) == (square == 0) == bool(common_points(a, b)), points
        met += square == 0
    assert 80 < met < 220


def test_two_formulations_agree_on_doubles():
    """Random doubles on a fine grid, in reach of each other: all cases of a general position."""
    rng = np.random.default_rng(2)
    for _ in range(60):
        points = [tuple(int(c * 2**60) for c in p) for p in rng.normal(size=(6, 3))]
        a, b = triangles_of(*points)
        assert meet(a, b) == bool(common_points(a, b)) == (distance_squared(a, b) == 0)
        if not meet(a, b):
            assert distance_squared(a, b) == plain_distance_squared(a, b)


def plain_distance_squared(a, b):
    """The least of 9 pairs of edges, 6 of a corner and a face, or 0 where an edge pierces a face."""
    squares = [segments_squared(p, q, r, s) for p, q in edges_of(a) for r, s in edges_of(b)]
    for t, other in ((a, b), (b, a)):
        n = t.normal
        for p in other.points:
            height = dot(n, p) - t.offset
            if any(n) and all(
                dot(cross(n, e), sub(p, q)) >= 0 for e, q in zip(t.edges, t.points, strict=True)
            ):
                squares.append(Fraction(height**2, dot(n, n)))
        squares += [Fraction(0) for p, q in edges_of(other) if pierces(p, q, t)]
    return min(squares)


def pierces(p, q, t):
    """Whether a segment goes from one side of a triangle with area to the other, through it."""
    heights = [dot(t.normal, x) - t.offset for x in (p, q)]
    if heights[0] * heights[1] >= 0:
        return False
    turns = [dot(sub(q, p), cross(sub(x, p), sub(y, p))) for x, y in edges_of(t)]
    return min(turns) >= 0 or max(turns) <= 0


def edges_of(t):
    p, q, r = t.points
    return (p, q), (q, r), (r, p)


def segments_squared(p, q, r, s):
    """The square of the distance of two segments: inner points of both, or an end of one."""
    d, e, w = sub(q, p), sub(s, r), sub(p, r)
    squares = [point_segment_squared(x, y, z) for x, y, z in ((p, r, s), (q, r, s), (r, p, q), (s, p, q))]
    det = dot(d, d) * dot(e, e) - dot(d, e) ** 2
    if det > 0:
        t = Fraction(dot(d, e) * dot(e, w) - dot(e, e) * dot(d, w), det)
        u = Fraction(dot(d, d) * dot(e, w) - dot(d, e) * dot(d, w), det)
        if 0 <= t <= 1 and 0 <= u <= 1:
            squares.append(sum((w[i] + t * d[i] - u * e[i]) ** 2 for i in range(3)))
    return min(squares)


def point_segment_squared(x, p, q):
    d = sub(q, p)
    t = min(max(Fraction(dot(d, sub(x, p)), dot(d, d)), 0), 1) if any(d) else 0
    return Fraction(sum((x[i] - p[i] - t * d[i]) ** 2 for i in range(3)))


def test_boxes_apart_touching_and_crossing():
    cube = box_mesh((1, 1, 1))
    for offset, square in (((0, 4, 0), 9), ((4, 5, 0), 25), ((2, 3, 3), 9)):
        world = scene(cube, HERE, cube, shift(*offset))
        assert truth_of(world) == ({}, APART)
        assert closest_triangles(world).square == square << 2 * world.grid
        assert surface_distance(world).lower ** 2 == square
    face = truth_of(scene(cube, HERE, cube, shift(1, 0, 0)))
    assert face.relation == MEETING
    assert all(face.pairs[i, j] for i in (2, 3) for j in (0, 1))  # the two sides that lie on each other
    assert not face.pairs[2, 4]  # a side and a bottom that only share an edge
    world = scene(cube, HERE, cube, shift(1, 1, 1))
    corner = truth_of(world)
    assert corner.relation == MEETING
    for i, j in corner.pairs:
        assert len(common_points(world.triangles_a[i], world.triangles_b[j])) == 1


def test_one_ulp_apart_is_apart():
    cube = box_mesh((1, 1, 1))
    assert truth_of(scene(cube, HERE, cube, shift(np.nextafter(1.0, 2.0), 0, 0))).relation == APART
    assert truth_of(scene(cube, HERE, cube, shift(1.0, 0, 0))).relation == MEETING


def test_polygon_faces_are_fans_with_one_number():
    quads = mesh_body(
        [[0, 0, 0], [2, 0, 0], [2, 2, 0], [0, 2, 0], [1, 1, -1], [1, 1, 1], [1, 2, 1]], [[0, 1, 2, 3]]
    )
    needle = mesh_body(quads.vertices, [[4, 5, 6]])
    assert quads.triangles == [(0, 1, 2), (0, 2, 3)]
    assert quads.triangle_face == [0, 0]
    assert meeting_faces(scene(quads, HERE, needle, HERE)) == {(0, 0): False}


def test_duplicates_are_pairs_of_their_own():
    a = mesh_body([*FLOOR], [[0, 1, 2], [0, 1, 2], [2, 1, 0]])
    b = mesh_body([[1, 1, -1], [1, 1, 1], [2, 1, 1]], [[0, 1, 2], [1, 2, 0]])
    assert list(meeting_faces(scene(a, HERE, b, HERE))) == list(product(range(3), range(2)))


def test_winding_numbers():
    cube = box_mesh((2, 2, 2))
    world = scene(cube, HERE, flipped(cube), HERE)
    one = 1 << world.grid
    for p, expected in (((0, 0, 0), 1), ((one // 2, 0, 0), 1), ((2 * one, 0, 0), 0), ((0, 0, -5 * one), 0)):
        assert winding_number(p, world.triangles_a) == expected
        assert winding_number(p, world.triangles_b) == -expected
    for p in ((one, 0, 0), (one, one, 0), (one, one, one)):
        with pytest.raises(ValueError, match="on the surface"):
            winding_number(p, world.triangles_a)


def test_winding_in_a_torus_and_between_shells():
    ring = torus(8, 6, 2.0, 0.5)
    hollow = shell(box_mesh((8, 8, 8)), box_mesh((4, 4, 4)))
    nested = joined(box_mesh((8, 8, 8)), box_mesh((4, 4, 4)))
    for body, expected in (
        (ring, {(0, 0, 0): 0, (2, 0, 0): 1, (0, 0, 1): 0}),
        (hollow, {(0, 0, 0): 0, (3, 1, 0): 1, (5, 0, 0): 0}),
        (nested, {(0, 0, 0): 2, (3, 1, 0): 1, (5, 0, 0): 0}),
    ):
        assert body.is_closed
        world = scene(body, HERE, body, HERE)
        for p, winding in expected.items():
            assert winding_number(tuple(c << world.grid for c in p), world.triangles_a) == winding


def test_faces_without_area_do_not_change_the_inside():
    """A corner splits an edge for one of its two sides, and a face without area closes the slit."""
    body = mesh_body(
        [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0.5], [1, 0, 0], [1, 0, 0]],
        [[0, 2, 1], [0, 1, 4], [4, 1, 3], [1, 2, 3], [0, 3, 2], [0, 4, 3], [1, 5, 6]],
    )
    assert body.is_closed
    for place, expected in (((0.2, 0.2, 0.3), CONTAINED), ((0.0, 0.0, 0.5), MEETING), ((-0.2, 0, 0), APART)):
        assert truth_of(scene(tetrahedron(0.01), shift(*place), body, HERE)).relation == expected


def test_solids_in_each_other():
    big, small = box_mesh((4, 4, 4)), box_mesh((1, 1, 1))
    open_box = mesh_body(big.vertices, big.faces[1:])
    hollow = shell(big, box_mesh((2, 2, 2)))
    sheet = mesh_body([[0, 0, 0], [0.5, 0, 0], [0, 0.5, 0]], [[0, 1, 2]])
    for a, b, expected in (
        (big, small, CONTAINED),
        (flipped(big), small, CONTAINED),
        (big, sheet, CONTAINED),
        (open_box, small, APART),
        (hollow, small, APART),
        (hollow, sheet, APART),
        (hollow, joined(small, moved(small, (9, 9, 9))), APART),
        (big, joined(moved(small, (9, 9, 9)), small), CONTAINED),
        (joined(big, box_mesh((2, 2, 2))), small, CONTAINED),
        (hollow, box_mesh((3, 3, 3)), CONTAINED),
        (hollow, box_mesh((2, 1, 1)), MEETING),
        (box_mesh((9, 9, 9)), hollow, CONTAINED),
    ):
        assert truth_of(scene(a, HERE, b, shift(0, 0, 0))).relation == expected
        assert truth_of(scene(b, HERE, a, shift(0, 0, 0))).relation == expected


def test_pieces_and_closedness():
    cube = box_mesh((1, 1, 1))
    assert cube.is_closed
    assert not mesh_body(cube.vertices, cube.faces[:-1]).is_closed
    soup = mesh_body(cube.vertices[[i for f in cube.faces for i in f]], np.arange(36).reshape(12, 3))
    assert soup.is_closed
    assert len(soup.piece_vertices) == 1
    assert len(joined(cube, moved(cube, (3, 0, 0)), cube).piece_vertices) == 2
    assert len(joined(cube, moved(cube, (1, 0, 0))).piece_vertices) == 1


def test_distance_to_convex_bodies():
    cube = box_mesh((2, 2, 2))
    for body, place, expected in (
        (sphere(1), (0, 0, 4), 2),
        (sphere(0.25), (0, 0, 0), 0.75),
        (box((1, 1, 1)), (0, 4.5, 0), 3),
        (cylinder(1, 2), (0, 5, 0), 3),
        (cylinder(1, 2), (4, 0, 0), 2),
    ):
        truth = body_distance(cube, HERE, body, shift(*place))
        assert truth.lower <= Fraction(expected) <= truth.upper
        assert truth.upper - truth.lower < Fraction(1, 10**17)


def test_scale_defect_is_exact():
    assert scale_defect(np.diag([2.0, 2.0, 2.0, 1.0])) == 0
    assert scale_defect(np.diag([1.0, 1.0, 2.0, 1.0])) == 1
