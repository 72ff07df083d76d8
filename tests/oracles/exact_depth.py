"""The depth of the origin in a convex polytope, in exact integers: the nearest of its supporting planes."""

from fractions import Fraction
from typing import NamedTuple

from tests.oracles.exact_distance import Support
from tests.oracles.exact_points import Point, cross, dot, sub


class Face(NamedTuple):
    """A triangle with outward normal n; its plane is n . x = offset."""

    corners: tuple[Point, Point, Point]
    n: Point
    offset: int
    square: int  # n . n


def depth_squared(support: Support, span: list[Point]) -> Fraction:
    """Return the signed square of the distance from the origin to the nearest supporting plane.

    Positive inside, zero on the boundary. `span` holds points of the polytope that span its affine hull; when
    that is flat the answer is 0.

    A polytope inside the given one grows by one extreme point at a time, in the direction of its face whose
    signed offset is least. When no point lies beyond that face, its plane supports the whole polytope, so the
    depth is at most its offset; and the ball of that radius is inside the inner polytope, so it is no less.
    """
    tetrahedron = independent_points(span)
    if len(tetrahedron) < 4:
        return Fraction(0)
    faces = tetrahedron_faces(tetrahedron)
    while True:
        nearest = faces[0]
        for face in faces[1:]:
            if is_lower(face, nearest):
                nearest = face
        w = support(nearest.n)
        if dot(nearest.n, w) == nearest.offset:
            return Fraction(nearest.offset * abs(nearest.offset), nearest.square)
        faces = grow(faces, w)


def independent_points(points: list[Point]) -> list[Point]:
    """Return up to four affinely independent points, as many as there are."""
    chosen = [points[0]]
    for p in points[1:]:
        e = [sub(q, chosen[0]) for q in (*chosen[1:], p)]
        if len(e) == 1:
            independent = any(e[0])
        elif len(e) == 2:
            independent = any(cross(e[0], e[1]))
        else:
            independent = dot(cross(e[0], e[1]), e[2]) != 0
        if independent:
            chosen.append(p)
            if len(chosen) == 4:
                break
    return chosen


def make_face(a: Point, b: Point, c: Point) -> Face:
    n = cross(sub(b, a), sub(c, a))
    return Face((a, b, c), n, dot(n, a), dot(n, n))


def tetrahedron_faces(points: list[Point]) -> list[Face]:
    """Four faces that turn outward."""
    a, b, c, d = points
    if dot(cross(sub(b, a), sub(c, a)), sub(d, a)) > 0:
        b, c = c, b
    return [make_face(a, b, c), make_face(a, c, d), make_face(a, d, b), make_face(b, d, c)]


def is_lower(f: Face, g: Face) -> bool:
    """Compare signed offsets offset / |n| without a root."""
    if (f.offset < 0) != (g.offset < 0):
        return f.offset < 0
    less = f.offset**2 * g.square - g.offset**2 * f.square
    return less > 0 if f.offset < 0 else less < 0


def grow(faces: list[Face], w: Point) -> list[Face]:
    """Return the faces of the hull of a polytope and one point outside of it.

    Faces whose plane contains w go as well: what replaces them is never degenerate, because w is strictly
    inside the planes of the faces that stay.
    """
    kept, loose = [], set()
    for face in faces:
        if dot(face.n, w) < face.offset:
            kept.append(face)
            continue
        a, b, c = face.corners
        for edge in ((a, b), (b, c), (c, a)):
            if edge[::-1] in loose:
                loose.remove(edge[::-1])
            else:
                loose.add(edge)
    return kept + [make_face(a, b, w) for a, b in loose]
