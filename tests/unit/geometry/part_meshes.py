"""Solids with holes and hollows that convex parts must contain without closing them."""

from __future__ import annotations

import numpy as np
from tests.unit.geometry.element_meshes import blocks

import keepclear as kc


def ring(n: int = 24, inner: float = 1.0, outer: float = 2.0) -> kc.Mesh:
    """Return a ring of height 1 around the z axis."""
    angle = np.arange(n) * 2.0 * np.pi / n
    circle = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    layers = [
        np.c_[circle * r, np.full(n, z)] for r, z in ((outer, 0.0), (outer, 1.0), (inner, 0.0), (inner, 1.0))
    ]
    faces = []
    for i in range(n):
        j = (i + 1) % n
        faces += [
            [i, j, n + j, n + i], [2 * n + j, 2 * n + i, 3 * n + i, 3 * n + j],
            [n + i, n + j, 3 * n + j, 3 * n + i], [j, i, 2 * n + i, 2 * n + j],
        ]  # fmt: skip
    return kc.Mesh(np.concatenate(layers), faces)


def truss(bays: int = 2) -> kc.Mesh:
    """Return a truss of four chords and frames between them, of unit cubes."""
    filled = np.zeros((4 * bays + 1, 5, 5), bool)
    for y in (0, 4):
        for z in (0, 4):
            filled[:, y, z] = True
    for x in range(0, 4 * bays + 1, 4):
        filled[x, :, ::4] = filled[x, ::4, :] = True
    return blocks(filled)


def hollow_box() -> kc.Mesh:
    """Return a cube with a cavity: two surfaces, one inside of the other."""
    filled = np.ones((5, 5, 5), bool)
    filled[1:4, 1:4, 1:4] = False
    return blocks(filled)


def dish(n: int = 16, rows: int = 4) -> kc.Mesh:
    """Return a spherical bowl of radius 2 m, 0.1 m thick."""
    points, faces = [], []
    for r in (2.0, 1.9):
        for k in range(1, rows + 1):
            polar = k * (np.pi / 3.0) / rows
            for i in range(n):
                turn = 2.0 * np.pi * i / n
                points.append(
                    [r * np.sin(polar) * np.cos(turn), r * np.sin(polar) * np.sin(turn), -r * np.cos(polar)]
                )
    points += [[0.0, 0.0, -2.0], [0.0, 0.0, -1.9]]
    outer, inner = len(points) - 2, len(points) - 1
    for i in range(n):
        j = (i + 1) % n
        faces += [[outer, j, i], [inner, rows * n + i, rows * n + j]]
        for k in range(rows - 1):
            a, b, c, d = k * n + i, k * n + j, (k + 1) * n + j, (k + 1) * n + i
            faces += [[a, b, c], [a, c, d]]
            faces += [[b + rows * n, a + rows * n, d + rows * n], [b + rows * n, d + rows * n, c + rows * n]]
        a, b = (rows - 1) * n + i, (rows - 1) * n + j
        faces += [[a, b, b + rows * n], [a, b + rows * n, a + rows * n]]
    return kc.Mesh(points, faces)
