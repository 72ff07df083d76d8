"""Seeded families of small mesh pairs of extreme sizes, positions and scales."""

from collections.abc import Iterator

import numpy as np
from tests.oracles import mesh_bodies as make
from tests.oracles.mesh_cases import GRID_SOLIDS, Generator, MeshCase, case, common, on_grid, scaled
from tests.oracles.mesh_scene import mesh_body
from tests.oracles.poses import pose, random_pose, random_rotation, unit_vector


def far_from_the_origin(rng: Generator) -> Iterator[MeshCase]:
    """Frames 1e5 to 1e11 from the world's origin, or vertices as far from their frames, or both."""
    for k in range(40):
        a, b = GRID_SOLIDS[rng.integers(6)], GRID_SOLIDS[rng.integers(6)]
        far = np.floor(10.0 ** rng.uniform(5, 11 if k % 2 else 8)) * unit_vector(rng)
        if k % 2:
            pairs = [
                (pose(random_rotation(rng), far), pose(random_rotation(rng), far + rng.normal(size=3)))
                for _ in range(4)
            ]
        else:
            a, b = make.moved(a, np.round(far)), make.moved(b, np.round(far) + rng.integers(-3, 4, size=3))
            pairs = [*common(rng, 3), (np.eye(4), np.eye(4))]
        yield case(a, b, pairs)


def tiny_and_huge(rng: Generator) -> Iterator[MeshCase]:
    """Whole numbers times powers of two, from near the smallest size that is taken to 3e7, on the grid and turned."""
    for k, exponent in enumerate((-64, -62, -60, -50, -40, -30, -20, 10, 20, 25) * 5):
        unit = 2.0**exponent
        kinds = [lambda: GRID_SOLIDS[rng.integers(5)], lambda: make.grid_soup(rng, 8, 3)]
        a, b = (make.moved(kinds[(k + j) % 2](), (0, 0, 0), scale=unit) for j in range(2))
        pairs = on_grid(rng, 2, 3, unit)
        pairs += [(pose(R, (0, 0, 0)),) * 2 for R in (random_rotation(rng), random_rotation(rng))]
        yield case(a, b, pairs)


def mixed_scales(rng: Generator) -> Iterator[MeshCase]:
    """Triangles a billion times larger than what they meet, and meshes with corners of all sizes."""
    for k in range(40):
        large = make.moved(make.random_hull_mesh(rng, 6), (0, 0, 0), scale=10.0 ** rng.uniform(3, 8))
        small = make.moved(make.solids(rng), (0, 0, 0), scale=10.0 ** rng.uniform(-9, 0))
        if k % 2:
            small = mesh_body(
                10.0 ** rng.uniform(-12, 4, size=(18, 1)) * rng.normal(size=(18, 3)),
                np.arange(18).reshape(6, 3),
            )
        pairs = []
        for _ in range(4):
            X_WA, R = random_pose(rng, 1.0), random_rotation(rng)
            corners = large.vertices[list(large.triangles[rng.integers(len(large.triangles))])]
            p_W = X_WA[:3, :3] @ (rng.dirichlet([1, 1, 1]) @ corners) + X_WA[:3, 3]
            outward = X_WA[:3, :3] @ np.cross(corners[1] - corners[0], corners[2] - corners[0])
            lift = rng.choice([0, 3]) * small.extent * outward / np.linalg.norm(outward)
            pairs.append((X_WA, pose(R, p_W + lift - R @ small.vertices[rng.integers(len(small.vertices))])))
        yield case(large, small, pairs)


def scaled_poses(rng: Generator) -> Iterator[MeshCase]:
    """Poses with a uniform scale: powers of two on the grid, where contacts stay exact, and any factor."""
    for k in range(60):
        if k % 2:
            a, b = (GRID_SOLIDS[rng.integers(len(GRID_SOLIDS))] for _ in range(2))
            pairs = [(scaled(X, 2.0 ** rng.integers(-2, 3)), Y) for X, Y in on_grid(rng, 3, 6)]
            b_moved = make.moved(b, rng.integers(-4, 5, size=3))
            pairs += [(scaled(X, 1.7), scaled(X, 1.7)) for X, _ in common(rng, 1)]
            yield case(a, b_moved, pairs)
        else:
            factors = 10.0 ** rng.uniform(-3, 3, size=(4, 1))
            pairs = [
                (
                    scaled(random_pose(rng, 0.6 * s), s),
                    scaled(random_pose(rng, 0.6 * s), s * rng.uniform(0.3, 3)),
                )
                for (s,) in factors.tolist()
            ]
            yield case(make.solids(rng), make.solids(rng), pairs)


FAMILIES = (
    far_from_the_origin,
    tiny_and_huge,
    mixed_scales,
    scaled_poses,
)
