"""Families of moving points: arrays (n, 4, d + 1, 3) of Bernstein control points, most of them in special positions."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Family = Callable[[np.random.Generator, int, int], np.ndarray]


def scattered(rng: np.random.Generator, n: int, d: int) -> np.ndarray:
    """Anywhere in a cube."""
    return rng.uniform(-1.0, 1.0, (n, 4, d + 1, 3))


def on_a_grid(rng: np.random.Generator, n: int, d: int) -> np.ndarray:
    """Small whole numbers: touching at the ends of time, on rims, in one line, with double roots, or at one place."""
    return rng.integers(-2, 3, (n, 4, d + 1, 3)).astype(float)


def in_a_plane(rng: np.random.Generator, n: int, d: int) -> np.ndarray:
    """On a grid in one plane all the time: the volume vanishes identically."""
    points = rng.integers(-3, 4, (n, 4, d + 1, 3)).astype(float)
    points[..., 2] = points[..., 0] + 0.5
    return points[..., rng.permutation(3)]


def at_rest(rng: np.random.Generator, n: int, d: int) -> np.ndarray:
    """On a grid, and nothing moves."""
    return rng.integers(-1, 2, (n, 4, 1, 3)).astype(float).repeat(d + 1, axis=2)


def far_away(rng: np.random.Generator, n: int, d: int) -> np.ndarray:
    """A grid whose origin is rounded: what touched then misses by a unit of the last place, or overlaps."""
    return on_a_grid(rng, n, d) + 0.1 * rng.integers(-5, 6, (n, 1, 1, 3))


def of_all_sizes(rng: np.random.Generator, n: int, d: int) -> np.ndarray:
    """Points whose coordinates differ by many orders of magnitude."""
    return scattered(rng, n, d) * 10.0 ** rng.integers(-30, 3, (n, 4, 1, 3))


def nearly_on_a_grid(rng: np.random.Generator, n: int, d: int) -> np.ndarray:
    """A grid, moved by next to nothing."""
    points = on_a_grid(rng, n, d)
    return points + rng.choice([1e-16, 1e-13, 1e-9, 1e-7], (n, 1, 1, 1)) * rng.normal(size=points.shape)


def at_the_edge_of_range(rng: np.random.Generator, n: int, d: int) -> np.ndarray:
    """A grid of the smallest, of very small, or of nearly the largest numbers that float64 has."""
    return on_a_grid(rng, n, d) * rng.choice([5e-324, 1e-300, 4e307], (n, 1, 1, 1))


def flattened(rng: np.random.Generator, n: int, d: int) -> np.ndarray:
    """The last three points nearly in one line."""
    points = scattered(rng, n, d)
    thin = 10.0 ** rng.integers(-17, -2, (n, 1, 1))
    points[:, 3] = 0.5 * (points[:, 1] + points[:, 2]) + thin * rng.normal(size=points[:, 3].shape)
    points[:, 0] = 0.75 * points[:, 1] + 0.25 * points[:, 2] + 0.1 * rng.normal(size=(n, d + 1, 3))
    return points


def met(rng: np.random.Generator, n: int, d: int, edges: bool) -> np.ndarray:
    """Contact at a known instant k / 8 and place, inside or on the rim; half of them moved by next to nothing."""
    points = rng.integers(-64, 65, (n, 4, d + 1, 3)) / 16.0
    t = rng.integers(0, 9, n) / 8.0
    basis = [1.0 - t, t] if d == 1 else [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3]
    places = np.einsum("jn,npjk->npk", np.array(basis), points)
    s, u = rng.integers(0, 5, (2, n, 1)) / 4.0
    if edges:
        gap = (1 - s) * places[:, 0] + s * places[:, 1] - (1 - u) * places[:, 2] - u * places[:, 3]
        points[:, 2:] += gap[:, None, None]
    else:
        u = u * (1 - s)
        gap = places[:, 0] - (1 - s - u) * places[:, 1] - s * places[:, 2] - u * places[:, 3]
        points[:, 1:] += gap[:, None, None]
    noise = rng.choice([0.0, 0.0, 0.0, 1e-16, 1e-13, 1e-10], (n, 1, 1, 1))
    return points + noise * rng.normal(size=points.shape)


FAMILIES: dict[str, Family] = {
    family.__name__: family
    for family in (
        scattered, on_a_grid, in_a_plane, at_rest, far_away, of_all_sizes, nearly_on_a_grid, at_the_edge_of_range,
        flattened,
    )
}  # fmt: skip
