"""Seeded families of polyhedra that are difficult for distance queries."""

from collections.abc import Iterator

import numpy as np
from tests.oracles.cases import Case, Generator, at_gaps, case, random_hull
from tests.oracles.exact_points import Body, box, convex
from tests.oracles.poses import (
    place_along,
    pose,
    random_pose,
    random_rotation,
    signed_permutations,
    small_rotation,
    unit_vector,
)


def hulls_apart(rng: Generator) -> Iterator[Case]:
    for _ in range(36):
        yield at_gaps(rng, random_hull(rng), random_hull(rng), 10.0 ** rng.uniform(-4, 1, size=12))


def hulls_shallow(rng: Generator) -> Iterator[Case]:
    for _ in range(24):
        yield at_gaps(rng, random_hull(rng), random_hull(rng), -(10.0 ** rng.uniform(-6, -0.7, size=10)))


def hulls_deep(rng: Generator) -> Iterator[Case]:
    for _ in range(24):
        pairs = [(random_pose(rng, 0.2), random_pose(rng, 0.2)) for _ in range(8)]
        yield case(random_hull(rng), random_hull(rng), pairs)


def concentric(rng: Generator) -> Iterator[Case]:
    """Centres coincide; among them a body with itself, and symmetric bodies where many directions tie."""
    for _ in range(12):
        a, b = random_hull(rng), random_hull(rng, 0.3)
        X = random_pose(rng, 1.0)
        yield case(a, b, [(X, pose(random_rotation(rng), X[:3, 3])), (X, X)])
        yield case(a, a, [(X, X)])
    octahedron = convex(np.concatenate([np.eye(3), -np.eye(3)]))
    for size in (0.1, 0.5, 1.0, 2.0, 3.0):
        cube = box([size] * 3)
        turned = [(np.eye(4), pose(R, (0, 0, 0))) for R in signed_permutations()[:3]]
        for other in (octahedron, cube, box([1, 1, 1])):
            yield case(cube, other, [*turned, (np.eye(4), pose(random_rotation(rng), (0, 0, 0)))])


def planted_touch(rng: Generator) -> Iterator[Case]:
    """Integer points on both sides of x = 0 that share exactly a corner, an edge, a face, or cross edges."""
    for kind in ("corner", "edge", "face", "corner_face", "crossing_edges", "overlapping_faces"):
        for _ in range(12):
            left, right = touching_points(rng, kind)
            scale = 2.0 ** rng.integers(-8, 9)
            pairs = []
            for R in rng.permutation(signed_permutations())[:3]:
                t = scale * rng.integers(-64, 65, size=3)
                pairs.append((pose(R, t), pose(R, t)))
            yield case(convex(scale * left), convex(scale * right), pairs)


def touching_points(rng: Generator, kind: str) -> tuple[np.ndarray, np.ndarray]:
    """Points with x < 0 and with x > 0, joined by points with x = 0 that touch as `kind` says."""

    def side(sign: int) -> np.ndarray:
        n = int(rng.integers(1, 9))
        return np.column_stack([sign * rng.integers(1, 30, n), rng.integers(-30, 31, (n, 2))])

    face = np.array([[0, -4, -4], [0, 4, -4], [0, 4, 4], [0, -4, 4]])
    left, right = {
        "corner": (face[:1], face[:1]),
        "edge": (face[:2], face[:2]),
        "face": (face, face),
        "corner_face": (face, np.array([[0, *rng.integers(-4, 5, 2)]])),
        "crossing_edges": (face[[0, 2]], face[[1, 3]] + [0, int(rng.integers(-3, 4)), 0]),
        "overlapping_faces": (face, face + np.array([0, *rng.integers(-8, 9, 2)])),
    }[kind]
    return np.concatenate([left, side(-1)]).astype(float), np.concatenate([side(1), right]).astype(float)


def boxes_aligned(rng: Generator) -> Iterator[Case]:
    """Sizes and places in eighths: faces, edges and corners meet exactly again and again."""
    for _ in range(40):
        a, b = (box(rng.integers(1, 17, size=3) / 8) for _ in range(2))
        turns = signed_permutations()
        pairs = [
            (
                pose(turns[rng.integers(24)], rng.integers(-6, 7, size=3) / 8),
                pose(turns[rng.integers(24)], rng.integers(-6, 7, size=3) / 8),
            )
            for _ in range(10)
        ]
        yield case(a, b, pairs)


def boxes_rotated(rng: Generator) -> Iterator[Case]:
    for _ in range(24):
        a, b = (box(10.0 ** rng.uniform(-2, 1, size=3)) for _ in range(2))
        yield at_gaps(
            rng, a, b, np.concatenate([10.0 ** rng.uniform(-4, 1, 5), -(10.0 ** rng.uniform(-4, 0, 5))])
        )


def near_parallel_faces(rng: Generator) -> Iterator[Case]:
    """Boxes turned against each other by 1e-3 down to 1e-15: the closest features are all but undecided."""
    for exponent in np.repeat(np.arange(3.0, 16.0), 8):
        a, b = (box(rng.uniform(0.2, 2.0, size=3)) for _ in range(2))
        pairs = []
        for gap in (1.0, 0.01, 1e-6, 0.0, -1e-6, -0.1):
            R = random_rotation(rng) if rng.random() < 0.5 else np.eye(3)
            X_WA = pose(R, rng.normal(size=3))
            tilted = R @ small_rotation(rng, 10.0**-exponent)
            R_WB = tilted if np.max(np.abs(tilted.T @ tilted - np.eye(3))) < 5e-16 else R
            pairs.append((X_WA, place_along(a, X_WA, b, R_WB, R[:, rng.integers(3)], gap)))
        yield case(a, b, pairs)


def needles(rng: Generator) -> Iterator[Case]:
    """A million times longer than thick, against each other and against round and flat bodies."""
    for _ in range(24):
        length = 10.0 ** rng.uniform(-1, 1)
        a = convex(random_hull(rng).points * np.array([1.0, 1e-6, 1e-6]) * length)
        b = convex(random_hull(rng).points * rng.choice([1.0, 1e-6], size=3)) if rng.random() < 0.6 else a
        yield at_gaps(rng, a, b, np.array([0.5, 1e-2, 1e-5, 1e-8, 0.0, -1e-8, -1e-4]))
        yield case(a, b, [(random_pose(rng, 0.01), random_pose(rng, 0.01)) for _ in range(3)])


def degenerate_body(rng: Generator) -> Body:
    """A flat hull, a segment or a point; each exactly flat, in a plane or line of any slope."""
    n, kind = int(rng.integers(3, 12)), int(rng.integers(5))
    if kind == 0:
        return convex(rng.normal(size=(1, 3)))
    if kind == 1:
        return convex(np.outer(rng.integers(-8, 9, size=n), rng.integers(-8, 9, size=3)) / 8)
    if kind == 2:
        return convex(rng.normal(size=(2, 3)))
    if kind == 3:
        return convex(np.column_stack([rng.normal(size=(n, 2)), np.full(n, rng.normal())]))
    return convex(rng.integers(-8, 9, size=(n, 2)) @ rng.integers(-4, 5, size=(2, 3)) / 8)


def degenerate(rng: Generator) -> Iterator[Case]:
    for i in range(60):
        a = degenerate_body(rng)
        b = degenerate_body(rng) if i % 2 else random_hull(rng)
        X = random_pose(rng, 1.0)
        pairs = [(random_pose(rng, 0.3), random_pose(rng, 0.3)) for _ in range(3)]
        yield case(a, b, [*pairs, (X, X), (np.eye(4), np.eye(4))])
        yield at_gaps(rng, b, a, np.array([1.0, 1e-3, 1e-9, 0.0]))
    square = convex([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0], [0, 0, 0]])
    X = random_pose(rng, 1.0)
    offsets = [(0, 0, 0), (1, 0, 0), (2, 0, 0), (2.5, 0, 0), (2, 2, 0), (0, 0, 1)]
    yield case(square, square, [(np.eye(4), pose(np.eye(3), t)) for t in offsets] + [(X, X)])


def duplicate_points(rng: Generator) -> Iterator[Case]:
    """Repeated points, points one ulp apart, points inside faces and edges, points deep inside."""
    grid = np.array([[i, j, k] for i in (-1, 0, 1) for j in (-1, 0, 1) for k in (-1, 0, 1)], dtype=float)
    for i in range(24):
        hull = random_hull(rng).points
        extra = {
            0: hull[rng.integers(len(hull), size=8)],
            1: np.nextafter(hull, rng.normal(size=hull.shape)),
            2: 0.5 * (hull + np.roll(hull, 1, axis=0)),
        }[i % 3]
        a = convex(rng.permutation(np.concatenate([hull, extra])))
        b = convex(np.repeat(grid, 2, axis=0)) if i % 2 else convex(grid * rng.uniform(0.1, 1.0, size=3))
        yield at_gaps(rng, a, b, np.array([1.0, 1e-2, 1e-7, 0.0, -1e-3, -0.5]))
        yield case(b, b, [(np.eye(4), pose(np.eye(3), rng.integers(-2, 3, size=3))) for _ in range(4)])


def mixed_sizes(rng: Generator) -> Iterator[Case]:
    """1e-6 m against 1e6 m, and everything in between."""
    for _ in range(90):
        small, large = 10.0 ** rng.uniform(-6, 0), 10.0 ** rng.uniform(0, 6)
        a = random_hull(rng, small) if rng.random() < 0.6 else box(small * rng.uniform(0.5, 1, size=3))
        b = random_hull(rng, large) if rng.random() < 0.6 else box(large * rng.uniform(0.5, 1, size=3))
        gaps = np.array([large, small, 1e-3 * small, 0.0, -0.5 * small, -0.1 * large])
        yield at_gaps(rng, *((a, b) if rng.random() < 0.5 else (b, a)), gaps)


def far_from_the_origin(rng: Generator) -> Iterator[Case]:
    """Both bodies 1e4 m away, a metre from each other."""
    for _ in range(24):
        near = at_gaps(rng, random_hull(rng), random_hull(rng), np.array([1.0, 0.1, 1e-4, 0.0, -1e-3, -0.5]))
        X_WA, X_WB = near.X_WA.copy(), near.X_WB.copy()
        away = 1e4 * unit_vector(rng)
        X_WA[:, :3, 3] += away
        X_WB[:, :3, 3] += away
        yield Case(near.a, near.b, X_WA, X_WB)


def far_in_their_own_frame(rng: Generator) -> Iterator[Case]:
    """Points 1e4 and 1e6 m from the origin of their shape: coordinates are large, the bodies are not."""
    for i in range(16):
        away = 10.0 ** (4 if i % 2 else 6) * unit_vector(rng)
        a, b = convex(random_hull(rng).points + away), random_hull(rng)
        gaps = np.array([1.0, 1e-2, 1e-6, 0.0, -1e-6, -0.1])
        yield at_gaps(rng, *((a, b) if i % 4 < 2 else (b, a)), gaps)


def large_hulls(rng: Generator) -> Iterator[Case]:
    """Hundreds of vertices: round ones, a cone whose apex sees them all, boxes with finely gridded faces."""
    ball = rng.normal(size=(600, 3))
    turns = np.linspace(0.0, 2 * np.pi, 400, endpoint=False)
    cone = np.column_stack([np.cos(turns), np.sin(turns), np.zeros(400)])
    u, v = (c.ravel() for c in np.meshgrid(np.arange(-8, 9) / 8, np.arange(-8, 9) / 8))
    sides = [np.insert(np.column_stack([u, v]), k, s, axis=1) for k in range(3) for s in (-1.0, 1.0)]
    bodies = [
        convex(ball / np.linalg.norm(ball, axis=1, keepdims=True)),
        convex(np.concatenate([cone, [[0.0, 0.0, 2.0]]])),
        convex(np.concatenate(sides)),
        convex(np.concatenate([cone, cone + np.array([0.0, 0.0, 1.0])])),
    ]
    for i, a in enumerate(bodies):
        for b in bodies[i:]:
            yield at_gaps(rng, a, b, np.array([1.0, 1e-2, 1e-6, -1e-6, -1e-2, -0.5]))
        yield case(a, a, [(np.eye(4), pose(np.eye(3), (2.0, 0.0, 0.0))), (np.eye(4), np.eye(4))])


def tiny_gaps(rng: Generator) -> Iterator[Case]:
    """Down to 1e-15 of the size: aligned boxes, hulls along a face normal, hulls at any features."""
    gaps = 10.0 ** np.arange(-15.0, -5.0)
    for _ in range(8):
        a, b = box(rng.uniform(0.5, 2, size=3)), box(rng.uniform(0.5, 2, size=3))
        X_WA = [pose(np.eye(3), rng.normal(size=3)) for _ in gaps]
        axes = [np.eye(3)[rng.integers(3)] for _ in gaps]
        moves = zip(X_WA, axes, gaps, strict=True)
        yield case(a, b, [(X, place_along(a, X, b, np.eye(3), n, g)) for X, n, g in moves])
    for _ in range(12):
        a, b = random_hull(rng), random_hull(rng)
        i, j, k = a.points[:3]
        pairs = []
        for gap in gaps:
            X_WA = random_pose(rng, 1.0)
            n = X_WA[:3, :3] @ np.cross(j - i, k - i)
            pairs.append((X_WA, place_along(a, X_WA, b, random_rotation(rng), n / np.linalg.norm(n), gap)))
        yield case(a, b, pairs)
        yield at_gaps(rng, a, b, np.concatenate([gaps, -gaps]))


FAMILIES = (
    hulls_apart,
    hulls_shallow,
    hulls_deep,
    concentric,
    planted_touch,
    boxes_aligned,
    boxes_rotated,
    near_parallel_faces,
    needles,
    degenerate,
    duplicate_points,
    mixed_sizes,
    far_from_the_origin,
    far_in_their_own_frame,
    large_hulls,
    tiny_gaps,
)
