"""How often a closed mesh winds around a point, by exact rays, and what follows for two solids."""

from collections.abc import Iterable
from itertools import count, product
from typing import NamedTuple

from tests.oracles.exact_points import Point, cross, dot, sub
from tests.oracles.mesh_pairs import meeting_faces
from tests.oracles.mesh_scene import Scene, Triangle

APART, MEETING, CONTAINED = "apart", "meeting", "contained"


class MeshTruth(NamedTuple):
    """The pairs of faces that meet, with whether they do so in one plane, and how the solids lie."""

    pairs: dict[tuple[int, int], bool]
    relation: str


def winding_number(p: Point, triangles: Iterable[Triangle]) -> int:
    """How often closed triangles wind around a point off their surface: 1 inside of a plain solid.

    A ray from p gains 1 where it leaves through the front of a triangle, and loses 1 at a back. A ray that
    meets an edge or a corner, or runs along a triangle, says nothing, and the next direction is tried. What has no
    area has no front: rays pass it by.
    """
    corners = [tuple(sub(q, p) for q in t.points) for t in triangles if any(t.normal)]
    for d in directions():
        crossings = [crossing(d, *abc) for abc in corners]
        if None not in crossings:
            return sum(crossings)
    raise AssertionError("there are always more directions")


def directions() -> Iterable[Point]:
    """Integer directions of all kinds, without end; few of them are parallel."""
    for n in count(1):
        for x, y in product(range(-n, n + 1), repeat=2):
            yield (7 * x + 1, 11 * y + 3, 13 * n + 5)


def crossing(d: Point, a: Point, b: Point, c: Point) -> int | None:
    """1 or -1 where the ray from 0 along d leaves or enters through a triangle, 0 where it misses.

    None where it meets the border of the triangle, or runs in its plane. The three turns are the areas, seen
    along d, of the triangles that 0 makes with the edges; volume / front is where the ray meets the plane.
    """
    turns = (dot(d, cross(a, b)), dot(d, cross(b, c)), dot(d, cross(c, a)))
    if min(turns) < 0 < max(turns):
        return 0
    volume, front = dot(a, cross(b, c)), sum(turns)
    if front == 0:
        return None
    if volume == 0:
        raise ValueError("the point is on the surface")
    if (volume > 0) != (front > 0):
        return 0
    if 0 in turns:
        return None
    return 1 if front > 0 else -1


def truth_of(world: Scene) -> MeshTruth:
    """What is true about two meshes: closed ones are solids with their surface, open ones surfaces only."""
    pairs = meeting_faces(world)
    if pairs:
        return MeshTruth(pairs, MEETING)
    inside = is_any_inside(world.a.piece_vertices, world.points_a, world.b.is_closed, world.triangles_b)
    inside = inside or is_any_inside(
        world.b.piece_vertices, world.points_b, world.a.is_closed, world.triangles_a
    )
    return MeshTruth(pairs, CONTAINED if inside else APART)


def is_any_inside(seeds: list[int], points: list[Point], closed: bool, triangles: list[Triangle]) -> bool:
    """Whether some piece of one surface lies inside the other solid; surfaces that do not meet are asked."""
    return closed and any(winding_number(points[i], triangles) != 0 for i in seeds)
