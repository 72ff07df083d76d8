"""Points whose hulls are difficult for hill climbing, and simple checks of a hull's surface in exact arithmetic."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from tests.oracles.exact_distance import nearest_of_points
from tests.oracles.exact_points import Point, cross, dot, integers, sub, triples

CUBE = np.array([[x, y, z] for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)])


def ball(rng: np.random.Generator, n: int) -> np.ndarray:
    """n points on the unit sphere."""
    points = rng.normal(size=(n, 3))
    return points / np.linalg.norm(points, axis=1, keepdims=True)


def rim(n: int, height: float = 0.0) -> np.ndarray:
    """n points on a circle of radius 1 at a height."""
    turns = np.arange(n) * (2 * np.pi / n)
    return np.column_stack([np.cos(turns), np.sin(turns), np.full(n, height)])


def cone(n: int, height: float = 1.0) -> np.ndarray:
    """A rim of n points and an apex that is the neighbour of all of them."""
    return np.concatenate([rim(n), [[0.0, 0.0, height]]])


def prism(n: int) -> np.ndarray:
    """Two rims of n points: flat caps, and sides of four corners each."""
    return np.concatenate([rim(n), rim(n, 1.0)])


def gridded_box(n: int, bulge: float = 0.0) -> np.ndarray:
    """A box of edge 2 with n x n points on each face, each face swelling by `bulge` to its middle."""
    u, v = (c.ravel() for c in np.meshgrid(np.linspace(-1.0, 1.0, n), np.linspace(-1.0, 1.0, n)))
    w = 1.0 + bulge * (1.0 - u**2) * (1.0 - v**2)
    return np.concatenate(
        [np.insert(np.column_stack([u, v]), k, s * w, axis=1) for k in range(3) for s in (-1.0, 1.0)]
    )


def exact_points(points: Any) -> list[Point]:
    """The points as integers on one grid, in their order."""
    return triples(integers(points)[0])


def extreme_points(points: np.ndarray) -> set[Point]:
    """The distinct points, on the grid of `exact_points`, that are outside of the hull of all others."""
    distinct = list(dict.fromkeys(exact_points(points)))
    found = set()
    for i, p in enumerate(distinct):
        others = [sub(q, p) for j, q in enumerate(distinct) if j != i]
        if not others or any(nearest_of_points(others, [others[0]]).V):
            found.add(p)
    return found


def is_convex_surface(points: np.ndarray, triangles: np.ndarray) -> bool:
    """Whether no point is above the plane of any triangle, exactly (all points, all triangles)."""
    p = exact_points(points)
    for i, j, k in triangles.tolist():
        n = cross(sub(p[j], p[i]), sub(p[k], p[i]))
        offset = dot(n, p[i])
        if any(dot(n, q) > offset for q in p):
            return False
    return True


def closing_faults(faces: Sequence[Sequence[int]]) -> Iterator[str]:
    """What keeps faces from closing up: each edge belongs to two faces, once in each direction."""
    edges = Counter((int(a), int(b)) for f in faces for a, b in zip(f, [*f[1:], f[0]], strict=True))
    for (a, b), count in edges.items():
        if count != 1 or edges[b, a] != 1:
            yield f"edge {a}-{b} is there {count} times, its twin {edges[b, a]} times"
    corners = {a for a, _ in edges}
    if len(corners) - len(edges) // 2 + len(faces) != 2:
        yield f"{len(corners)} corners, {len(edges) // 2} edges and {len(faces)} faces are not a ball"


def graph_faults(graph: Any) -> Iterator[str]:
    """What is wrong with the triangles and neighbours of a hull graph, apart from its geometry."""
    triangles = [tuple(t) for t in graph.triangles.tolist()]
    yield from closing_faults([list(t) for t in triangles])
    turned = {turn for a, b, c in triangles for turn in ((a, b, c), (b, c, a), (c, a, b))}
    start, neighbours = graph.neighbour_start.tolist(), graph.neighbours.tolist()
    if start[0] != 0 or start[-1] != len(neighbours) or len(start) != len(graph.vertices) + 1:
        yield "neighbour_start does not fit"
    for v, (i, j) in enumerate(pairwise(start)):
        around = neighbours[i:j]
        if len(set(around)) != len(around):
            yield f"vertex {v} has a neighbour twice"
        for a, b in zip(around, [*around[1:], *around[:1]], strict=True):
            if (v, a, b) not in turned:
                yield f"neighbours {a}, {b} of vertex {v} follow each other, but are no triangle with it"
    if len(turned) != len(neighbours):
        yield f"{len(turned)} corners of triangles, but {len(neighbours)} neighbours"
