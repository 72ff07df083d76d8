"""Intersecting triangles of two meshes, in exact integers: separating axes decide, clipping gives the common points."""

from collections.abc import Iterator
from fractions import Fraction

from tests.oracles.exact_points import Point, cross, dot, sub
from tests.oracles.mesh_scene import Scene, Triangle

Place = tuple[Fraction, Fraction, Fraction]


def meeting_triangles(world: Scene) -> Iterator[tuple[int, int]]:
    """Yield all pairs of triangles that share at least a point: every pair whose boxes meet is asked."""
    for i, a in enumerate(world.triangles_a):
        x0, y0, z0, x1, y1, z1 = a.box
        for j, b in enumerate(world.triangles_b):
            u0, v0, w0, u1, v1, w1 = b.box
            apart = x1 < u0 or u1 < x0 or y1 < v0 or v1 < y0 or z1 < w0 or w1 < z0
            if not apart and meet(a, b):
                yield i, j


def meet(a: Triangle, b: Triangle) -> bool:
    """Whether two triangles, segments or points share a point.

    They do if and only if 0 is in the difference a - b, a polytope with as many dimensions as their edges
    span. In three, its facets are normal to a, to b, or to an edge of each; in two, they are normal to one
    edge within the plane of both; in one, they are its ends. 0 is outside if and only if it is off the plane or
    line of a - b, or strictly beyond one of these facets. A segment is parallel to all its edges, so nothing
    here depends on how many dimensions a and b have by themselves.
    """
    edges = a.edges + b.edges
    candidates = (a.normal, b.normal, cross(a.direction, b.direction))
    n = next((c for c in candidates if any(c)), None)
    if n is None:
        u = a.direction if any(a.direction) else b.direction
        between = sub(b.points[0], a.points[0])
        return not any(cross(u, between)) and (
            not is_separating(u, a, b) if any(u) else a.points[0] == b.points[0]
        )
    if any(dot(n, e) for e in edges):
        if is_separating(a.normal, a, b) or is_separating(b.normal, a, b):
            return False
        return not any(is_separating(cross(e, f), a, b) for e in a.edges for f in b.edges)
    return not (is_separating(n, a, b) or any(is_separating(cross(n, e), a, b) for e in edges))


def is_separating(n: Point, a: Triangle, b: Triangle) -> bool:
    """Whether all points of a are strictly before or strictly behind all points of b along n."""
    x, y, z = n
    along_a = [x * p + y * q + z * r for p, q, r in a.points]
    along_b = [x * p + y * q + z * r for p, q, r in b.points]
    return max(along_a) < min(along_b) or max(along_b) < min(along_a)


def is_coplanar(a: Triangle, b: Triangle) -> bool:
    """Whether two triangles with area lie in one plane."""
    return any(a.normal) and any(b.normal) and all(dot(a.normal, q) == a.offset for q in b.points)


def meeting_faces(world: Scene) -> dict[tuple[int, int], bool]:
    """All pairs of faces that meet, in order, and whether they overlap in one plane."""
    found: dict[tuple[int, int], bool] = {}
    for i, j in meeting_triangles(world):
        faces = world.a.triangle_face[i], world.b.triangle_face[j]
        coplanar = is_coplanar(world.triangles_a[i], world.triangles_b[j])
        found[faces] = found.get(faces, False) or coplanar
    return dict(sorted(found.items()))


def common_points(a: Triangle, b: Triangle) -> list[Place]:
    """The corners of what two triangles share, in order around it; empty if they are apart.

    a is clipped in turn by every half-space of b. Clipping a loop of points cuts each of its edges, so a loop
    that runs to and fro on a line is cut right as well.
    """
    loop = [(Fraction(x), Fraction(y), Fraction(z)) for x, y, z in a.points]
    for n, offset in half_spaces(b):
        values = [n[0] * x + n[1] * y + n[2] * z - offset for x, y, z in loop]
        clipped: list[Place] = []
        for k, (p, f) in enumerate(zip(loop, values, strict=True)):
            q, g = loop[k - 1], values[k - 1]
            if f * g < 0:
                s = f / (f - g)
                clipped.append(tuple(x + s * (y - x) for x, y in zip(p, q, strict=True)))
            if f >= 0:
                clipped.append(p)
        loop = [p for k, p in enumerate(clipped) if len(clipped) == 1 or p != clipped[k - 1]] or clipped[:1]
    return loop


def half_spaces(b: Triangle) -> Iterator[tuple[Point, int]]:
    """Yield n and d of half-spaces n . x >= d whose common part is the triangle, the segment or the point."""
    p = b.points[0]
    axes = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    if any(b.normal):
        flat = [b.normal]
        sides = [(cross(b.normal, e), q) for e, q in zip(b.edges, b.points, strict=True)]
    elif any(b.direction):
        u = b.direction
        flat = [cross(u, axis) for axis in axes]
        ends = sorted(b.points, key=lambda q: dot(u, q))
        sides = [(u, ends[0]), (sub((0, 0, 0), u), ends[-1])]
    else:
        flat, sides = list(axes), []
    for n in flat:
        yield n, dot(n, p)
        yield sub((0, 0, 0), n), -dot(n, p)
    for n, q in sides:
        yield n, dot(n, q)
