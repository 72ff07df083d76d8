"""Small meshes to test with: closed polyhedra of several kinds, shells, soups, slivers and faces without area."""

from collections.abc import Callable, Sequence
from itertools import product

import numpy as np
from scipy.spatial import ConvexHull
from tests.oracles.mesh_scene import MeshBody, mesh_body

Generator = np.random.Generator

CORNERS = np.array(list(product((-0.5, 0.5), repeat=3)))
QUADS = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]


def triangulated(faces: Sequence[Sequence[int]]) -> list[list[int]]:
    """Fans around the first corners."""
    return [[f[0], f[i], f[i + 1]] for f in faces for i in range(1, len(f) - 1)]


def box_mesh(size: Sequence[float], *, quads: bool = False) -> MeshBody:
    """A centred box of 12 triangles, or 6 quadrilaterals."""
    return mesh_body(CORNERS * np.array(size, dtype=float), QUADS if quads else triangulated(QUADS))


def tetrahedron(size: float = 1.0) -> MeshBody:
    """Four alternate corners of a cube."""
    return mesh_body(size * CORNERS[[0, 3, 5, 6]], [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]])


def octahedron() -> MeshBody:
    """The six unit points of the axes."""
    points = np.concatenate([np.eye(3), -np.eye(3)])
    faces = [(x, y, z) for x, y, z in product((0, 3), (1, 4), (2, 5))]
    return mesh_body(points, [f if sum(i > 2 for i in f) % 2 == 0 else f[::-1] for f in faces])


def star(spike: float) -> MeshBody:
    """An octahedron with a spike on each of its faces, 24 triangles, not convex for spikes above 1/3."""
    body = octahedron()
    tips = [spike * np.sum(body.vertices[list(f)], axis=0) for f in body.faces]
    faces = [[a, b, 6 + k] for k, f in enumerate(body.faces) for a, b in zip(f, f[1:] + f[:1], strict=True)]
    return mesh_body(np.concatenate([body.vertices, tips]), faces)


def torus(n: int, m: int, major: float, minor: float) -> MeshBody:
    """A ring about z of n by m patches."""
    u, v = np.meshgrid(np.arange(n) * 2 * np.pi / n, np.arange(m) * 2 * np.pi / m, indexing="ij")
    radius = major + minor * np.cos(v)
    points = np.stack([radius * np.cos(u), radius * np.sin(u), minor * np.sin(v)], axis=-1).reshape(-1, 3)
    faces = []
    for i, j in product(range(n), range(m)):
        a, b = (i + 1) % n, (j + 1) % m
        faces.append([i * m + j, a * m + j, a * m + b, i * m + b])
    return mesh_body(points, triangulated(faces))


def prism(n: int, height: float = 1.0) -> MeshBody:
    """A prism with two polygons of n corners and n quadrilaterals."""
    turns = np.arange(n) * 2 * np.pi / n
    rim = np.column_stack([np.cos(turns), np.sin(turns)])
    points = np.concatenate([np.column_stack([rim, np.full(n, z)]) for z in (-height / 2, height / 2)])
    sides = [[i, (i + 1) % n, n + (i + 1) % n, n + i] for i in range(n)]
    return mesh_body(points, [[*range(n - 1, -1, -1)], [*range(n, 2 * n)], *sides])


def notched_block() -> MeshBody:
    """A block with a slot, 24 by 8 by 8 with a slot of 8 by 4 from above, whole numbers, 28 triangles."""
    outline = [(-12, 0), (12, 0), (12, 8), (4, 8), (4, 4), (-4, 4), (-4, 8), (-12, 8)]
    points = [(x, y, z) for y in (-4, 4) for x, z in outline]
    caps = [[0, 1, 4], [1, 2, 3], [1, 3, 4], [0, 4, 5], [0, 5, 6], [0, 6, 7]]
    front = [[a, b, c] for a, b, c in caps]
    back = [[8 + c, 8 + b, 8 + a] for a, b, c in caps]
    sides = [[i, 8 + i, 8 + (i + 1) % 8, (i + 1) % 8] for i in range(8)]
    return mesh_body(points, front + back + triangulated(sides))


def hull_mesh(points: np.ndarray) -> MeshBody:
    """The hull of points as triangles that look outward."""
    hull = ConvexHull(points)
    corners = hull.points[hull.simplices]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    outward = np.einsum("fi,fi->f", normals, hull.equations[:, :3]) > 0
    used, faces = np.unique(hull.simplices, return_inverse=True)
    faces = faces.reshape(-1, 3)
    return mesh_body(hull.points[used], np.where(outward[:, None], faces, faces[:, ::-1]))


def random_hull_mesh(rng: Generator, n: int = 10) -> MeshBody:
    """The hull of a few random points, at most 2 n - 4 triangles."""
    return hull_mesh(rng.normal(size=(int(rng.integers(4, n + 1)), 3)))


def flipped(body: MeshBody) -> MeshBody:
    """The same surface with all its faces turned over."""
    return mesh_body(body.vertices, [f[::-1] for f in body.faces])


def moved(body: MeshBody, by: Sequence[float], *, scale: float = 1.0) -> MeshBody:
    """The same mesh with its vertices scaled and shifted, as they come out in float64."""
    return mesh_body(body.vertices * scale + np.array(by, dtype=float), body.faces)


def joined(*bodies: MeshBody) -> MeshBody:
    """One mesh of several."""
    faces: list[tuple[int, ...]] = []
    count = 0
    for body in bodies:
        faces += [tuple(i + count for i in f) for f in body.faces]
        count += len(body.vertices)
    return mesh_body(np.concatenate([body.vertices for body in bodies]), faces)


def shell(outer: MeshBody, inner: MeshBody) -> MeshBody:
    """A hollow solid: what is inside of the outer mesh and outside of the inner one."""
    return joined(outer, flipped(inner))


def soup(rng: Generator, n: int, size: float = 1.0) -> MeshBody:
    """n triangles with edges of about `size` around random places within about 1."""
    centres = rng.normal(size=(n, 1, 3)) * 0.6
    return mesh_body(
        (centres + size * rng.normal(size=(n, 3, 3))).reshape(-1, 3), np.arange(3 * n).reshape(n, 3)
    )


def grid_soup(rng: Generator, n: int, cells: int) -> MeshBody:
    """n triangles with corners on a grid of whole numbers 0 to `cells`, many without area."""
    return mesh_body(rng.integers(0, cells + 1, size=(3 * n, 3)), np.arange(3 * n).reshape(n, 3))


def small_grid_soup(rng: Generator, n: int, cells: int) -> MeshBody:
    """n triangles with corners on a grid of whole numbers 0 to `cells`, each within two cells."""
    corners = rng.integers(0, cells - 1, size=(n, 1, 3)) + rng.integers(0, 3, size=(n, 3, 3))
    return mesh_body(corners.reshape(-1, 3), np.arange(3 * n).reshape(n, 3))


def slivers(rng: Generator, n: int) -> MeshBody:
    """Triangles whose third corner is 1e-16 to 1e-3 off the line of the others."""
    points = []
    for _ in range(n):
        p, q = rng.normal(size=(2, 3))
        off = 10.0 ** rng.uniform(-16, -3) * rng.normal(size=3)
        points += [p, q, p + rng.uniform(-0.2, 1.2) * (q - p) + off]
    return mesh_body(points, np.arange(3 * n).reshape(n, 3))


def needles(rng: Generator, n: int) -> MeshBody:
    """Long triangles with one edge of 1e-12 to 1e-2 of their length."""
    points = []
    for _ in range(n):
        p, d = rng.normal(size=(2, 3))
        points += [p - 2 * d, p + 2 * d, p + 2 * d + 10.0 ** rng.uniform(-12, -2) * rng.normal(size=3)]
    return mesh_body(points, np.arange(3 * n).reshape(n, 3))


def without_area(rng: Generator, n: int) -> MeshBody:
    """Segments (exactly: whole numbers times a direction) and points, among a few real triangles."""
    points: list[np.ndarray] = []
    for k in range(n):
        p, d = rng.integers(-8, 9, size=(2, 3)) / 4
        kind = k % 4
        if kind == 0:
            points += [p, p, p]
        elif kind == 1:
            points += [p, p + d, p + d]
        elif kind == 2:
            points += [p - d, p + 2 * d, p]
        else:
            points += list(rng.integers(-8, 9, size=(3, 3)) / 4)
    return mesh_body(points, np.arange(3 * n).reshape(n, 3))


def with_faults(rng: Generator, body: MeshBody) -> MeshBody:
    """The mesh with duplicate faces, turned duplicates, a segment and a point among its faces; still closed."""
    n = len(body.vertices)
    faces = list(body.faces)
    twice = faces[int(rng.integers(len(faces)))]
    a, b, *_ = faces[int(rng.integers(len(faces)))]
    extra = [twice, twice[::-1], (a, b, n), (n + 1, n + 2, n + 3)]
    copies = [body.vertices[a], *[body.vertices[b]] * 3]
    return mesh_body(np.concatenate([body.vertices, copies]), faces + extra)


def solids(rng: Generator) -> MeshBody:
    """A closed mesh of a random kind and size, at most 48 triangles."""
    size = rng.uniform(0.3, 1.5, size=3)
    makers: list[Callable[[], MeshBody]] = [
        lambda: box_mesh(size),
        lambda: box_mesh(size, quads=True),
        lambda: tetrahedron(2 * size[0]),
        lambda: moved(star(float(size[0])), (0, 0, 0), scale=float(size[1])),
        lambda: torus(5, 4, 1.0, float(0.2 + 0.3 * size[0])),
        lambda: prism(int(rng.integers(3, 9)), 2 * size[0]),
        lambda: shell(box_mesh(2 * size), box_mesh(size)),
        lambda: random_hull_mesh(rng),
        lambda: moved(notched_block(), (0, 0, -0.4), scale=0.1),
    ]
    return makers[int(rng.integers(len(makers)))]()
