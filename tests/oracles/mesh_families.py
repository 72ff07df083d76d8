"""Seeded families of small mesh pairs that are difficult for triangle tests and inside tests."""

from collections.abc import Iterator

import numpy as np
from tests.oracles import mesh_bodies as make
from tests.oracles.exact_points import convex
from tests.oracles.mesh_cases import GRID_SOLIDS, TURNS, Generator, MeshCase, case, common, near, on_grid
from tests.oracles.mesh_scene import mesh_body
from tests.oracles.poses import place_at_gap, pose, random_pose, random_rotation, small_rotation


def random_soups(rng: Generator) -> Iterator[MeshCase]:
    for _ in range(45):
        a, b = (make.soup(rng, int(rng.integers(1, 15)), rng.uniform(0.1, 0.6)) for _ in range(2))
        yield case(a, b, near(rng, 6, 0.4))


def solid_pairs(rng: Generator) -> Iterator[MeshCase]:
    for _ in range(60):
        yield case(make.solids(rng), make.solids(rng), near(rng, 6, 0.8))


def touching_on_the_grid(rng: Generator) -> Iterator[MeshCase]:
    """Solids of whole numbers at whole places share corners, edges and faces, or nothing, exactly."""
    for _ in range(60):
        a, b = (GRID_SOLIDS[rng.integers(len(GRID_SOLIDS))] for _ in range(2))
        yield case(a, b, on_grid(rng, 5, 4))


def touching_under_one_pose(rng: Generator) -> Iterator[MeshCase]:
    """The same solids, shifted by whole numbers before one common rotation takes them anywhere."""
    for _ in range(60):
        a, b = (GRID_SOLIDS[rng.integers(len(GRID_SOLIDS))] for _ in range(2))
        yield case(a, make.moved(b, rng.integers(-5, 6, size=3)), common(rng, 4))


def coplanar_sheets(rng: Generator) -> Iterator[MeshCase]:
    """Triangles of whole numbers in one plane, either way up, under a common pose; some sheets a step above."""
    for k in range(60):
        sheets = []
        for _ in range(2):
            points = rng.integers(-4, 5, size=(3 * int(rng.integers(1, 7)), 3))
            points[:, 2] = rng.choice([0, 0, 0, 1]) if k % 3 else 0
            sheets.append(mesh_body(points, np.arange(len(points)).reshape(-1, 3)))
        tilt = TURNS[rng.integers(24)]
        a, b = (mesh_body(body.vertices @ tilt.T, body.faces) for body in sheets)
        yield case(a, b, common(rng, 4))


def grid_soups(rng: Generator) -> Iterator[MeshCase]:
    """Corners on 27 to 125 points: all is degenerate, parallel, coplanar or touching."""
    for _ in range(60):
        cells = int(rng.integers(2, 5))
        a, b = (make.grid_soup(rng, int(rng.integers(1, 13)), cells) for _ in range(2))
        poses = on_grid(rng, 3, 2) if rng.random() < 0.5 else common(rng, 3)
        yield case(a, b, poses)


def slivers_and_needles(rng: Generator) -> Iterator[MeshCase]:
    for _ in range(40):
        kinds = (make.slivers, make.needles, make.soup)
        a = kinds[rng.integers(2)](rng, int(rng.integers(2, 12)))
        b = kinds[rng.integers(3)](rng, int(rng.integers(2, 12)))
        yield case(a, b, near(rng, 5, 0.1))


def slivers_on_a_line(rng: Generator) -> Iterator[MeshCase]:
    """Slivers in the planes and along the edges of a box, an ulp or so off them, under one common pose."""
    for _ in range(40):
        cube = make.box_mesh((2, 2, 2))
        points = rng.integers(-2, 3, size=(15, 3)) * 0.75
        points[:, rng.integers(3)] = rng.choice([-1.0, 1.0])
        off = rng.choice([0.0, 0.0, 2.0**-52, -(2.0**-53), 1e-12], size=points.shape)
        sheet = mesh_body(points + off, np.arange(15).reshape(5, 3))
        yield case(cube, sheet, [*common(rng, 3), (np.eye(4), np.eye(4))])


def faces_without_area(rng: Generator) -> Iterator[MeshCase]:
    """Segments and points against each other and against soups and solids, on the grid and under one pose."""
    for _ in range(50):
        a = make.without_area(rng, int(rng.integers(2, 13)))
        b = (
            make.without_area(rng, int(rng.integers(2, 13)))
            if rng.random() < 0.5
            else GRID_SOLIDS[rng.integers(6)]
        )
        yield case(a, b, [*on_grid(rng, 2, 2, 0.25), *common(rng, 2), *near(rng, 1, 0.2)])


def duplicates_and_faults(rng: Generator) -> Iterator[MeshCase]:
    for _ in range(40):
        a, b = (make.with_faults(rng, make.solids(rng)) for _ in range(2))
        yield case(a, b, near(rng, 3, 0.7))
        a, b = (make.with_faults(rng, GRID_SOLIDS[rng.integers(6)]) for _ in range(2))
        yield case(a, b, on_grid(rng, 2, 4))


def near_misses_of_hulls(rng: Generator) -> Iterator[MeshCase]:
    """Gaps and overlaps of 1e-9 to 1e-16 between closest features of any kind."""
    for _ in range(60):
        a, b = make.random_hull_mesh(rng), make.random_hull_mesh(rng)
        pairs = []
        for _ in range(5):
            X_WA = random_pose(rng, 1.0)
            gap = rng.choice([-1, 1]) * 10.0 ** rng.uniform(-16.5, -9)
            P, Q = convex(a.vertices), convex(b.vertices)
            pairs.append((X_WA, place_at_gap(rng, P, X_WA, Q, random_rotation(rng), gap)))
        yield case(a, b, pairs)


def near_misses_of_soups(rng: Generator) -> Iterator[MeshCase]:
    """A corner of one put on a face of the other, or an edge across an edge, 1e-9 to 1e-16 short or beyond."""
    for k in range(60):
        a, b = (make.soup(rng, int(rng.integers(1, 6)), 0.3) for _ in range(2))
        pairs = []
        for _ in range(4):
            X_WA, R = random_pose(rng, 1.0), random_rotation(rng)
            P, Q = a.vertices[:3] @ X_WA[:3, :3].T, b.vertices[:3] @ R.T
            share = rng.dirichlet([1, 1, 1])
            p, q = (share @ P, Q[0]) if k % 2 else (0.3 * P[0] + 0.7 * P[1], 0.6 * Q[1] + 0.4 * Q[2])
            n = np.cross(P[1] - P[0], P[2] - P[0] if k % 2 else Q[2] - Q[1])
            gap = rng.choice([-1, 0, 1]) * 10.0 ** rng.uniform(-16.5, -9)
            pairs.append((X_WA, pose(R, X_WA[:3, 3] + p - q + gap * n / np.linalg.norm(n))))
        yield case(a, b, pairs)


def nearly_coplanar(rng: Generator) -> Iterator[MeshCase]:
    """Sheets in one plane up to rounding: turned by 1e-16 to 1e-6 about it, lifted by as little, or not."""
    for _ in range(40):
        points = [rng.normal(size=(3 * int(rng.integers(1, 5)), 3)) * [1, 1, 0] for _ in range(2)]
        a, b = (mesh_body(p, np.arange(len(p)).reshape(-1, 3)) for p in points)
        pairs = []
        for _ in range(4):
            X_WA = random_pose(rng, 1.0)
            angle, lift = 10.0 ** rng.uniform(-17, -6, size=2) * rng.choice([0, 1], size=2)
            tilted = pose(small_rotation(rng, angle), (0, 0, lift))
            X_WB = X_WA @ tilted
            if np.max(np.abs(X_WB[:3, :3].T @ X_WB[:3, :3] - np.eye(3))) < 5e-16:
                pairs.append((X_WA, X_WB))
        if pairs:
            yield case(a, b, pairs)


def polygon_faces(rng: Generator) -> Iterator[MeshCase]:
    """Prisms and boxes of polygons: one pair of faces may meet in several pairs of triangles."""
    for _ in range(40):
        a, b = (
            make.prism(int(rng.integers(3, 9)), rng.uniform(0.2, 2)),
            make.box_mesh((1, 2, 1.5), quads=True),
        )
        mixed = make.joined(b, make.moved(make.soup(rng, 4, 0.4), (0, 0, 0)))
        yield case(a, mixed if rng.random() < 0.5 else b, near(rng, 4, 0.6))


def in_and_around(rng: Generator) -> Iterator[MeshCase]:
    """Small bodies in large ones, in their cavities, in the hole of a ring, between shells, or across."""
    for k in range(60):
        around = (
            make.box_mesh((6, 6, 6)),
            make.shell(make.box_mesh((8, 8, 8)), make.moved(make.octahedron(), (0, 0, 0), scale=3.5)),
            make.shell(
                make.box_mesh((9, 9, 9)), make.shell(make.box_mesh((7, 7, 7)), make.box_mesh((3, 3, 3)))
            ),
            make.torus(6, 5, 4.0, 1.5),
            make.moved(make.star(1.2), (0, 0, 0), scale=2.5),
            make.joined(make.box_mesh((9, 9, 9)), make.box_mesh((5, 5, 5))),
            make.flipped(make.box_mesh((6, 6, 6))),
        )[k % 7]
        inner = make.moved(make.solids(rng), (0, 0, 0), scale=0.5)
        if rng.random() < 0.3:
            inner = make.joined(inner, make.moved(make.soup(rng, 2, 0.2), (2.5, 0, 0)))
        pairs = [
            (X, pose(random_rotation(rng), X[:3, 3] + 2.5 * rng.normal(size=3))) for X, _ in near(rng, 6, 1.0)
        ]
        yield case(*((around, inner) if rng.random() < 0.5 else (inner, around)), pairs)


def sheets_on_both_sides_of_a_wall(rng: Generator) -> Iterator[MeshCase]:
    """Two sheets that nearly share a corner, one in a box and one outside, with the wall between the corners."""
    for _ in range(30):
        gap = 10.0 ** rng.uniform(-15.5, -6)
        inner, outer = -np.abs(rng.normal(size=(2, 3))), np.abs(rng.normal(size=(2, 3)))
        if rng.random() < 0.5:
            inner, outer = 0.2 * inner, 0.2 * outer
        wall = np.array([1.0, 0.0, 0.0])
        sheets = [[(1 - gap) * wall, *(0.4 * inner + wall)], [(1 + gap) * wall, *(outer + wall)]]
        b = mesh_body(np.concatenate(sheets if rng.random() < 0.5 else sheets[::-1]), [[0, 1, 2], [3, 4, 5]])
        yield case(make.box_mesh((2, 2, 2)), b, [*common(rng, 2), (np.eye(4), np.eye(4))])


def heaps(rng: Generator) -> Iterator[MeshCase]:
    """What no plane can part: copies of one triangle, triangles about one centre, all on a line or in a point."""
    for k in range(40):
        n = int(rng.integers(2, 20))
        corners = rng.integers(-4, 5, size=(3, 3)) / 2
        turned = np.array([TURNS[i] for i in rng.integers(24, size=n)])
        points = (
            np.tile(corners, (n, 1)),
            np.concatenate([(corners - corners.mean(axis=0)) @ R.T for R in turned]),
            rng.integers(-8, 9, size=(3 * n, 1)) * np.array([[0.5, 0.25, -0.5]]),
            np.tile(corners[0], (3 * n, 1)),
        )[k % 4]
        heap = mesh_body(points, np.arange(3 * n).reshape(n, 3))
        other = (
            heap if k % 3 == 0 else make.grid_soup(rng, 6, 2) if k % 3 == 1 else GRID_SOLIDS[rng.integers(6)]
        )
        yield case(heap, other, [*common(rng, 2), *on_grid(rng, 1, 1), *near(rng, 1, 0.5)])


def larger_soups(rng: Generator) -> Iterator[MeshCase]:
    """Trees of some depth: 80 to 200 small triangles a side, at random places or on a grid."""
    for k in range(8):
        n = [int(i) for i in rng.integers(80, 200, size=2)]
        if k % 2:
            a, b = (make.soup(rng, i, 0.1) for i in n)
            yield case(a, b, near(rng, 2, 0.2))
        else:
            a, b = (make.small_grid_soup(rng, i, 12) for i in n)
            yield case(a, b, [*common(rng, 1), *on_grid(rng, 1, 3)])


FAMILIES = (
    random_soups,
    solid_pairs,
    touching_on_the_grid,
    touching_under_one_pose,
    coplanar_sheets,
    grid_soups,
    slivers_and_needles,
    slivers_on_a_line,
    faces_without_area,
    duplicates_and_faults,
    near_misses_of_hulls,
    near_misses_of_soups,
    nearly_coplanar,
    polygon_faces,
    in_and_around,
    sheets_on_both_sides_of_a_wall,
    heaps,
    larger_soups,
)
