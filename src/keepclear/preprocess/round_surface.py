"""Curved surfaces of primitives as patches that are halved where balls leave little to spare."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from keepclear.checks import FloatArray
from keepclear.kernels.spheres import cover_gaps as kernel
from keepclear.shapes.curved import Region, RoundSurface

__all__ = ["RoundGaps", "round_gaps"]

AROUND = 16
"""Number of the first patches around the axis [1]."""

MOST_PATCHES = 2_000_000
"""Greatest number of patches that a proof visits [1]: a few seconds."""


class RoundGaps(NamedTuple):
    """An upper bound of g over a surface, the greatest g that was found, and its point (docs/theory/sphere-covers)."""

    upper: float
    lower: float
    point: FloatArray


def round_gaps(surface: RoundSurface, spheres: FloatArray) -> RoundGaps:
    """Return bounds of how far a surface reaches out of spheres (m, 4); upper <= 0 proves that they contain it.

    A patch over a triangle of parameters is halved along its longest side until one ball contains it, or until a point
    of it is outside of all balls. It differs from the triangle of its corners by at most R (du^2 + dv^2) / 4, or
    R du^2 / 8 on a side, which shrinks with each step.
    """
    balls, near = np.ascontiguousarray(spheres).reshape(-1), np.empty(2 * len(spheres), np.int32)
    upper, lower, point, spent = -math.inf, -math.inf, np.zeros(3), 0
    for region in surface.regions:
        patches = _first_patches(region)
        while len(patches):
            corners = np.ascontiguousarray(_points(region, patches) @ surface.X[:3, :3].T + surface.X[:3, 3])
            high, low = np.empty(len(patches)), np.empty(len(patches))
            links = np.arange(3 * len(patches), dtype=np.int32)
            pads = _sag(region, patches) + surface.rounding
            kernel.patch_gaps(corners.reshape(-1), links, balls, pads, near, high, low)
            spent += len(patches)
            k = int(low.argmax())
            if low[k] > lower:
                outside = np.sqrt(((corners[k][:, None] - spheres[:, :3]) ** 2).sum(axis=2)) - spheres[:, 3]
                lower, point = float(low[k]), corners[k, int(outside.min(axis=1).argmax())]
            open_ = high > 0.0
            if lower > 0.0 or spent + 2 * int(open_.sum()) > MOST_PATCHES:
                return RoundGaps(math.inf, lower, point)
            upper = max(upper, float(high[~open_].max(initial=-math.inf)))
            patches = _halves(region, patches[open_])
    return RoundGaps(upper, lower, point)


def _first_patches(region: Region) -> FloatArray:
    """Return triangles (n, 3, 2) of the rectangle of parameters."""
    n = max(2, round(AROUND * (region.v1 - region.v0) / (2.0 * math.pi)))
    u, v = np.linspace(0.0, 2.0 * math.pi, AROUND + 1), np.linspace(region.v0, region.v1, n + 1)
    grid = np.stack(np.meshgrid(u, v, indexing="ij"), axis=-1)
    a, b, c, d = grid[:-1, :-1], grid[1:, :-1], grid[1:, 1:], grid[:-1, 1:]
    return np.concatenate([np.stack([a, b, c], axis=2), np.stack([a, c, d], axis=2)]).reshape(-1, 3, 2)


def _points(region: Region, patches: FloatArray) -> FloatArray:
    """Return the corners of patches on the surface, (n, 3, 3) [m]."""
    u, v = patches[..., 0], patches[..., 1]
    across, height = (np.ones_like(v), v) if region.is_side else (np.cos(v), np.sin(v))
    a, b, c = region.radii
    return np.stack([a * across * np.cos(u), b * across * np.sin(u), region.z + c * height], axis=-1)


def _sag(region: Region, patches: FloatArray) -> FloatArray:
    """Return how far patches may be from the triangles of their corners [m]."""
    du, dv = np.ptp(patches, axis=1).T
    square = du * du / 8.0 if region.is_side else (du * du + dv * dv) / 4.0
    radius = max(region.radii[:2]) if region.is_side else max(region.radii)
    return np.asarray(radius * square * (1.0 + 1e-9))


def _halves(region: Region, patches: FloatArray) -> FloatArray:
    """Return the halves of patches, cut at the middle of their longest side, each pair side by side."""
    scale = np.array([max(region.radii[:2]), region.radii[2]]) if region.is_side else np.ones(2)
    edges = (((patches - np.roll(patches, -1, axis=1)) * scale) ** 2).sum(axis=2)
    longest, which = edges.argmax(axis=1), np.arange(len(patches))
    p, q, r = (patches[which, (longest + k) % 3] for k in range(3))
    middle = 0.5 * (p + q)
    first, second = np.stack([p, middle, r], axis=1), np.stack([middle, q, r], axis=1)
    return np.stack([first, second], axis=1).reshape(-1, 3, 2)
