"""Meshes with corners on a grid of integers, whose elements are known by hand."""

from __future__ import annotations

import numpy as np

import keepclear as kc


def blocks(filled: object) -> kc.Mesh:
    """Return the surface of unit cubes of a grid, (nx, ny, nz) flags: a quad for each side without a neighbour."""
    grid = np.pad(np.asarray(filled, dtype=bool), 1)
    quads = []
    for axis in range(3):
        for step in (1, -1):
            is_open = grid & ~np.roll(grid, -step, axis=axis)
            for cell in np.argwhere(is_open) - 1:
                corner = cell.astype(float)
                corner[axis] += step > 0
                u, v = np.eye(3)[(axis + 1) % 3], np.eye(3)[(axis + 2) % 3]
                loop = [corner, corner + u, corner + u + v, corner + v]
                quads.append(loop if step > 0 else loop[::-1])
    points = np.array(quads).reshape(-1, 3)
    return kc.Mesh(points, np.arange(len(points)).reshape(-1, 4))


def l_block() -> kc.Mesh:
    """Return an L: two cubes and one beside."""
    return blocks([[[1], [1]], [[1], [0]]])


def u_block() -> kc.Mesh:
    """Return a U of three by two cubes, open at the top."""
    return blocks([[[1], [1]], [[1], [0]], [[1], [1]]])


def plate(holes: int, *, through: bool = True) -> kc.Mesh:
    """Return a plate with square holes in a row."""
    filled = np.ones((2 * holes + 1, 3, 2), bool)
    filled[1::2, 1, 0 if through else 1 :] = False
    return blocks(filled)


def gear(teeth: int = 6, *, inner: float = 2.0, outer: float = 3.0) -> kc.Mesh:
    """Return a star-shaped prism: its outline zigzags between two circles."""
    angle = np.arange(2 * teeth) * np.pi / teeth
    radius = np.where(np.arange(2 * teeth) % 2, inner, outer)
    ring = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    n = len(ring)
    points = np.concatenate([
        np.c_[ring, np.zeros(n)], np.c_[ring, np.ones(n)], [[0, 0, 0], [0, 0, 1]],
    ])  # fmt: skip
    faces = []
    for i in range(n):
        j = (i + 1) % n
        faces += [[i, j, n + j], [i, n + j, n + i], [2 * n, j, i], [2 * n + 1, n + i, n + j]]
    return kc.Mesh(points, faces)


def frame() -> kc.Mesh:
    """Return a truss: the twelve bars of a cube of three by three by three unit cubes, open on all sides."""
    inner = np.arange(3) == 1
    filled = inner[:, None, None].astype(int) + inner[None, :, None] + inner[None, None, :] < 2
    return blocks(filled)


def dish(rings: int = 8, around: int = 24, *, thick: float = 0.02) -> kc.Mesh:
    """Return a paraboloid with a focal length of 1 and a radius of 1, open upwards."""
    r = np.arange(1, rings + 1) / rings
    angle = 2.0 * np.pi * np.arange(around) / around
    circle = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    bowl = np.concatenate([np.c_[x * circle, np.full(around, 0.25 * x * x)] for x in r])
    points = np.concatenate([bowl, bowl - [0, 0, thick], [[0, 0, 0], [0, 0, -thick]]])
    n = len(bowl)
    faces = []
    for j in range(around):
        k = (j + 1) % around
        faces += [[2 * n, j, k], [2 * n + 1, n + k, n + j]]
        for i in range(rings - 1):
            a, b, c, d = i * around + j, (i + 1) * around + j, (i + 1) * around + k, i * around + k
            faces += [[a, b, c], [a, c, d], [n + a, n + c, n + b], [n + a, n + d, n + c]]
        a, b = n - around + j, n - around + k
        faces += [[a, n + a, n + b], [a, n + b, b]]
    return kc.Mesh(points, faces)
