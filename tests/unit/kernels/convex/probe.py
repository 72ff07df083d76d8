"""Kernels of support points made callable for tests, and the exact scan of all vertices to compare them with."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from tests.oracles.hull_bodies import exact_points

import keepclear as kc
from keepclear.compiler.kernel import kernel
from keepclear.geometry.shapes.packed import Packed
from keepclear.kernels.convex import support as core
from keepclear.kernels.convex.support import certain_support, support, walk_slack

VERTEX, VISITED, SLACK, CERTAIN, CERTAIN_VISITED, POINT = 0, 1, 2, 3, 4, 5


@kernel("void(float64[::1], int32[::1], float64[:,::1], int64[::1], float64[:,::1])")
def probe(reals, links, directions, hints, out):  # type: ignore[no-untyped-def]
    """Fill a row for each direction: the walk's vertex, its cost and slack, the certain vertex and its cost."""
    for i in range(directions.shape[0]):
        x, y, z = directions[i, 0], directions[i, 1], directions[i, 2]
        px, py, pz, k, looked = support(reals, links, x, y, z, hints[i], False)
        out[i, 0], out[i, 1], out[i, 2] = k, looked, walk_slack(reals, links, x, y, z, k)
        qx, qy, qz, m, more = certain_support(reals, links, x, y, z, px, py, pz, k)
        out[i, 3], out[i, 4] = m, more
        out[i, 5], out[i, 6], out[i, 7] = qx, qy, qz


def probed(shape: Packed, directions: Any, hints: Any = None) -> np.ndarray:
    directions = np.array(directions, dtype=np.float64).reshape(-1, 3)
    hints = np.full(len(directions), -1) if hints is None else np.asarray(hints)
    out = np.empty((len(directions), 8))
    probe(shape.reals, shape.links, directions, hints.astype(np.int64), out)
    return out


def vertices_of(shape: Packed) -> np.ndarray:
    """The vertices in the order of the kernels."""
    n = int(shape.reals[core.COUNT])
    return shape.reals[core.HEADER : core.HEADER + 3 * n].reshape(n, 3)


def exact_shortfalls(vertices: np.ndarray, directions: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """How much farther than the chosen vertex the farthest one is, for each direction; exact until the end [m]."""
    points, ways = exact_points(vertices), exact_points(directions)
    unit = np.max(np.abs(vertices)) / max(abs(c) for p in points for c in p)  # a power of two
    short = []
    for (a, b, c), k in zip(ways, chosen.astype(int), strict=True):
        values = [a * x + b * y + c * z for x, y, z in points]
        short.append(float(max(values) - values[k]) / math.sqrt(a * a + b * b + c * c))
    return np.array(short) * unit


def hard_directions(rng: np.random.Generator, shape: kc.Convex, n: int) -> np.ndarray:
    """Any way, normals of faces, normals tilted by 1e-17 to 1e-9, and ways along edges."""
    corners = shape.vertices[shape.triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals = normals[rng.integers(len(normals), size=2 * n)]
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    tilt = 10.0 ** rng.uniform(-17, -9, size=(n, 1)) * rng.normal(size=(n, 3))
    edges = shape.vertices[shape.edges[rng.integers(len(shape.edges), size=n)]]
    along = (edges[:, 1] - edges[:, 0]) * rng.choice([-1.0, 1.0], size=(n, 1))
    return np.concatenate([rng.normal(size=(n, 3)), normals[:n], normals[n:] + tilt, along])
