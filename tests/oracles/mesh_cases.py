"""Families of mesh pairs: seeded generators of two meshes, each with many pose pairs."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from zlib import crc32

import numpy as np
from tests.oracles import mesh_bodies as make
from tests.oracles.mesh_scene import MeshBody
from tests.oracles.poses import pose, random_pose, signed_permutations

Generator = np.random.Generator
Poses = list[tuple[np.ndarray, np.ndarray]]

TURNS = signed_permutations()
GRID_SOLIDS = (
    make.box_mesh((2, 2, 2)),
    make.box_mesh((2, 4, 6), quads=True),
    make.tetrahedron(4.0),
    make.octahedron(),
    make.moved(make.octahedron(), (0, 0, 0), scale=3.0),
    make.moved(make.notched_block(), (0, 0, -4), scale=1.0),
    make.shell(make.box_mesh((8, 8, 8)), make.box_mesh((4, 4, 4))),
    make.star(1.0),
)


@dataclass(frozen=True, eq=False)
class MeshCase:
    """Two meshes and n pose pairs, made for one batch call."""

    a: MeshBody
    b: MeshBody
    X_WA: np.ndarray
    X_WB: np.ndarray

    def __len__(self) -> int:
        return len(self.X_WA)


MeshFamily = Callable[[Generator], Iterator[MeshCase]]


def mesh_cases_of(family: MeshFamily) -> list[MeshCase]:
    """All cases of a family; the seed depends on its name only."""
    return list(family(np.random.default_rng(crc32(family.__name__.encode()))))


def case(a: MeshBody, b: MeshBody, pairs: Poses) -> MeshCase:
    return MeshCase(a, b, np.array([X for X, _ in pairs]), np.array([X for _, X in pairs]))


def near(rng: Generator, n: int, spread: float) -> Poses:
    """n pairs of random poses with places within about `spread` of each other."""
    return [(random_pose(rng, spread), random_pose(rng, spread)) for _ in range(n)]


def on_grid(rng: Generator, n: int, reach: int, unit: float = 1.0) -> Poses:
    """n pairs of right-angled turns at whole places: every contact is exact."""
    return [(grid_pose(rng, reach, unit), grid_pose(rng, reach, unit)) for _ in range(n)]


def grid_pose(rng: Generator, reach: int, unit: float = 1.0) -> np.ndarray:
    return pose(TURNS[rng.integers(24)], unit * rng.integers(-reach, reach + 1, size=3))


def common(rng: Generator, n: int) -> Poses:
    """n random poses, each the same for both: what is in one plane in local numbers stays exactly so."""
    return [(X, X) for X in (random_pose(rng, 10.0 ** rng.uniform(-2, 2)) for _ in range(n))]


def scaled(X: np.ndarray, s: float) -> np.ndarray:
    """The pose with its directions multiplied by s; its place stays."""
    Y = X.copy()
    Y[:3, :3] *= s
    return Y
