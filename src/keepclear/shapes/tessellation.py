"""Surfaces of shapes as triangles for display."""

from __future__ import annotations

import itertools
import math

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.shapes.hull import HullGraph
from keepclear.shapes.row import Surface

IntArray = npt.NDArray[np.int64]

AROUND = 40
"""Corners of a circle: the chord is 0.3 % of the radius inside it."""


def arc(radius: float, start: float, end: float, z: float, around: int = AROUND) -> list[tuple[float, float]]:
    """Return (r, z) along a circle around (0, z), from angle start to end in units of pi."""
    n = round(around / 2 * (end - start))
    angles = [math.pi * (start + (end - start) * i / n) for i in range(n + 1)]
    return [(0.0 if abs(a) > 1.57 else radius * math.cos(a), z + radius * math.sin(a)) for a in angles]


def revolved(profile: list[tuple[float, float]], around: int = AROUND) -> Surface:
    """Return the surface that a line (r, z) from the lower end of the z axis to its upper end sweeps around it."""
    turn = 2.0 * math.pi * np.arange(around) / around
    points: list[FloatArray] = []
    rings: list[IntArray] = []
    count = 0
    for r, z in profile:
        n = around if r > 0.0 else 1
        points.append(np.stack([r * np.cos(turn[:n]), r * np.sin(turn[:n]), np.full(n, z)], axis=1))
        rings.append(np.resize(count + np.arange(n), around))
        count += n
    triangles: list[IntArray] = []
    for low, high in itertools.pairwise(rings):
        next_low, next_high = np.roll(low, -1), np.roll(high, -1)
        triangles.append(np.stack([low, next_low, high], axis=1))
        triangles.append(np.stack([next_low, next_high, high], axis=1))
    stacked = np.concatenate(triangles)
    flat = (stacked == np.roll(stacked, 1, axis=1)).any(axis=1)  # two corners of a triangle at a pole are one
    return np.concatenate(points), stacked[~flat]


def hull_surface(graph: HullGraph) -> Surface:
    """Return the triangles of a hull; of a flat one those of one side."""
    if len(graph.triangles) > 0 or len(graph.vertices) < 3:
        corners = graph.triangles if len(graph.triangles) > 0 else np.array([[0, len(graph.vertices) - 1, 0]])
        return graph.vertices, corners
    middle = graph.vertices - graph.vertices.mean(axis=0)
    axes = np.linalg.svd(middle, full_matrices=False)[2]
    order = np.argsort(np.arctan2(middle @ axes[1], middle @ axes[0]))
    fan = [[0, i, i + 1] for i in range(1, len(order) - 1)]
    return graph.vertices[order], np.array(fan, dtype=np.int64)
