"""Seeded pairs of a body at rest and one that flies and spins: hulls, rods, meshes of 1 000 to 60 000 triangles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from scipy.spatial.transform import Rotation

import keepclear as kc
from benchmarks.mesh_models import grid_triangles, scan_like, torus_knot

Shape = kc.Box | kc.Convex | kc.Mesh

PLATE = (1.0, 1.0, 0.001)
BOX = (0.05, 0.05, 0.05)
ROD = (2.0, 0.005, 0.005)
OBSTACLE = (0.01, 0.01, 0.01)
CORNERS = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])


@dataclass(frozen=True, eq=False)
class Flight:
    """A motion from time 0 to 1 at constant velocity of the origin and constant angular velocity in the world.

    Attributes:
        start: Pose at time 0, (4, 4).
        way: How far the origin goes (3,) [m].
        turn: How far the body turns, a vector along the axis (3,) [rad], shorter than pi.
    """

    start: np.ndarray
    way: np.ndarray
    turn: np.ndarray

    def poses(self, times: np.ndarray) -> np.ndarray:
        """Return the poses at times, (n, 4, 4)."""
        X = np.tile(np.eye(4), (len(times), 1, 1))
        X[:, :3, :3] = Rotation.from_rotvec(np.outer(times, self.turn)).as_matrix() @ self.start[:3, :3]
        X[:, :3, 3] = self.start[:3, 3] + np.outer(times, self.way)
        return X

    @cached_property
    def trajectory(self) -> kc.PoseTrajectory:
        """The same motion for keepclear."""
        return kc.PoseTrajectory([0.0, 1.0], self.poses(np.array([0.0, 1.0])), "linear")


@dataclass(frozen=True, eq=False)
class Case:
    """A body at rest in the world's frame, and one that moves."""

    fixed: Shape
    moving: Shape
    flight: Flight

    @property
    def question(self) -> tuple[Shape, kc.Fixed, Shape, kc.PoseTrajectory]:
        """The case as `kc.first_contact_batch` takes it."""
        return self.fixed, AT_REST, self.moving, self.flight.trajectory


@dataclass(frozen=True, eq=False)
class Family:
    """Cases of one kind; `rapier` tells how many of them rapier is asked, from the first on."""

    name: str
    cases: tuple[Case, ...]
    rapier: int


AT_REST = kc.Fixed(np.eye(4))


def corners_of(size: tuple[float, float, float]) -> np.ndarray:
    """Return the eight corners of a box around the origin."""
    return CORNERS * size


def random_hull(rng: np.random.Generator, size: float, n: int = 32) -> kc.Convex:
    """Return the hull of n points on a sphere of this diameter [m]."""
    points = rng.normal(size=(n, 3))
    return kc.Convex(0.5 * size * points / np.linalg.norm(points, axis=1)[:, None])


def plate_mesh(n: int = 16) -> kc.Mesh:
    """Return the plate as a closed mesh of 4 n^2 + 8 n triangles (1152)."""
    line = np.linspace(-0.5, 0.5, n + 1)
    x, y = (grid.ravel() for grid in np.meshgrid(line, line, indexing="ij"))
    half = 0.5 * PLATE[2]
    vertices = np.concatenate([np.column_stack([x, y, np.full(len(x), z)]) for z in (half, -half)])
    upper, under = _sheet(n), _sheet(n)[:, ::-1] + len(x)
    k = np.arange(n)
    m = n + 1
    rim = [(k * m, k * m + m), (n * m + k, n * m + k + 1), (k[::-1] * m + m + n, k[::-1] * m + n)]
    rim += [(k[::-1] + 1, k[::-1])]
    a, b = (np.concatenate(part) for part in zip(*rim, strict=True))
    c, d = a + len(x), b + len(x)
    sides = np.concatenate([np.column_stack([a, c, d]), np.column_stack([a, d, b])])
    return kc.Mesh(vertices, np.concatenate([upper, under, sides]), name="plate mesh")


def rod_mesh(n: int = 125) -> kc.Mesh:
    """Return the rod as a closed mesh of n pieces, 8 n + 4 triangles (1004)."""
    x = np.linspace(-0.5, 0.5, n + 1) * ROD[0]
    corners = 0.5 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * ROD[1:]
    vertices = np.concatenate([np.column_stack([np.full(4, at), corners]) for at in x])
    a = (4 * np.arange(n)[:, None] + np.arange(4)).ravel()
    b = (4 * np.arange(n)[:, None] + (np.arange(4) + 1) % 4).ravel()
    sides = np.concatenate([np.column_stack([a, b, b + 4]), np.column_stack([a, b + 4, a + 4])])
    first, last = np.array([[0, 2, 1], [0, 3, 2]]), np.array([[0, 1, 2], [0, 2, 3]]) + 4 * n
    return kc.Mesh(vertices, np.concatenate([sides, first, last]), name="rod")


def terrain(n: int = 32, seed: int = 7) -> kc.Mesh:
    """Return hills on a square of 1 m, up to 6 cm high, an open mesh of 2 n^2 triangles (2048)."""
    rng = np.random.default_rng(seed)
    line = np.linspace(-0.5, 0.5, n + 1)
    x, y = (grid.ravel() for grid in np.meshgrid(line, line, indexing="ij"))
    z = np.zeros(len(x))
    for k in range(4):
        waves, phases = rng.normal(size=(3, 2)) * 5.0 * 2.0**k, rng.uniform(0.0, 6.0, size=3)
        z += 0.012 * 0.5**k * np.sin(np.column_stack([x, y]) @ waves.T + phases).sum(axis=1)
    return kc.Mesh(np.column_stack([x, y, z]), _sheet(n), name="terrain")


def torus(n_rings: int = 32, n_around: int = 16, tube: float = 0.25) -> kc.Mesh:
    """Return a torus around z whose tube has its middle at 1 m, of 2 n_rings n_around triangles (1024)."""
    t, v = (2.0 * np.pi * np.arange(n) / n for n in (n_rings, n_around))
    t, v = (grid.ravel() for grid in np.meshgrid(t, v, indexing="ij"))
    out = 1.0 + tube * np.cos(v)
    points = np.column_stack([out * np.cos(t), out * np.sin(t), tube * np.sin(v)])
    return kc.Mesh(points, grid_triangles(n_rings, n_around), name="torus")


def scaled(mesh: kc.Mesh, size: float) -> kc.Mesh:
    """Return a mesh moved to the origin and made this large along its longest side [m]."""
    lower, upper = mesh.bounds
    vertices = (mesh.vertices - 0.5 * (lower + upper)) * (size / (upper - lower).max())
    return kc.Mesh(vertices, mesh.triangles, name=mesh.name)


def _sheet(n: int) -> np.ndarray:
    """Return the triangles of a square grid of (n + 1)^2 vertices, looking up."""
    i, j = (grid.ravel() for grid in np.meshgrid(np.arange(n), np.arange(n), indexing="ij"))
    a, m = i * (n + 1) + j, n + 1
    return np.concatenate([np.column_stack([a, a + m, a + m + 1]), np.column_stack([a, a + m + 1, a + 1])])


def _spin(rng: np.random.Generator, least: float = 0.5, most: float = 3.0) -> np.ndarray:
    axis = rng.normal(size=3)
    turn: np.ndarray = axis * rng.uniform(least, most) / np.linalg.norm(axis)
    return turn


def _flight(rng: np.random.Generator, start: np.ndarray, end: np.ndarray) -> Flight:
    """Return a straight flight between two places with a random spin."""
    X = np.eye(4)
    X[:3, :3], X[:3, 3] = Rotation.random(random_state=rng).as_matrix(), start
    return Flight(X, end - start, _spin(rng))


def _through(rng: np.random.Generator, reach: float = 0.2) -> Flight:
    """Return a flight from 0.5 m above the plate to 0.5 m below it."""
    xy = rng.uniform(-reach, reach, size=(2, 2))
    return _flight(rng, np.array([*xy[0], 0.5]), np.array([*xy[1], -0.5]))


def _past_the_edge(rng: np.random.Generator) -> Flight:
    """Return a flight past the plate's edge at x = 0.5 m that a ball of 5 cm would miss or hit by up to 5 mm."""
    y, x = rng.uniform(-0.2, 0.2, size=2), 0.5 + 0.0235 + rng.uniform(-0.005, 0.005)
    return _flight(rng, np.array([x, y[0], 0.5]), np.array([x, y[1], -0.5]))


def _past(rng: np.random.Generator, miss: float, far: float) -> Flight:
    """Return a flight whose line passes the origin at up to a distance `miss`, from far to far beyond."""
    along, aside = rng.normal(size=(2, 3))
    along /= np.linalg.norm(along)
    aside = np.cross(along, aside)
    aside *= rng.uniform(0.0, miss) / np.linalg.norm(aside)
    return _flight(rng, aside - far * along, aside + far * along)


def _over_terrain(rng: np.random.Generator) -> Flight:
    """Return a shallow flight along the hills, 2 to 6 cm high."""
    y, z = rng.uniform(-0.4, 0.4, size=2), rng.uniform(0.02, 0.06, size=2)
    return _flight(rng, np.array([-0.6, y[0], z[0] + 0.02]), np.array([0.6, y[1], z[1]]))


def _swing(rng: np.random.Generator, reach: tuple[float, float], aside: float) -> Flight:
    """Return a turn of 170 degrees about the origin of a body along x, past the world's origin.

    Points of the body within this range of reaches from its origin get to the world's origin, or pass it aside.
    """
    angle, length = rng.uniform(0.3, np.pi - 0.6), rng.uniform(*reach)
    axes = Rotation.random(random_state=rng).as_matrix()
    X = np.eye(4)
    X[:3, :3] = axes @ Rotation.from_euler("z", -angle).as_matrix()
    X[:3, 3] = axes @ np.array([-length, 0.0, rng.uniform(-aside, aside)])
    return Flight(X, np.zeros(3), axes[:, 2] * np.radians(170.0))


def _cases(
    n: int, seed: int, fixed: Shape, moving: Callable[[np.random.Generator], Shape],
    flight: Callable[[np.random.Generator], Flight],
) -> tuple[Case, ...]:  # fmt: skip
    rng = np.random.default_rng(seed)
    return tuple(Case(fixed, moving(rng), flight(rng)) for _ in range(n))


def hull_families(n: int = 100) -> Iterator[Family]:
    """Yield convex bodies: boxes and hulls through and past the plate, rods past the obstacle."""
    plate, box, corners = kc.Box(PLATE), kc.Box(BOX), kc.Convex(corners_of(BOX))
    rod, obstacle = kc.Box(ROD), kc.Box(OBSTACLE)
    crank = kc.Convex(corners_of(ROD) + np.array([0.5 * ROD[0], 0.0, 0.0]))
    yield Family("box through plate", _cases(n, 1, plate, lambda _: box, _through), n)
    yield Family("hull of 8 through plate", _cases(n, 2, plate, lambda _: corners, _through), n)
    yield Family("hull of 32 through plate", _cases(n, 3, plate, _small_hull, _through), n)
    yield Family("hull of 32 past its edge", _cases(n, 4, plate, _small_hull, _past_the_edge), n)
    swing, graze = (partial(_swing, reach=reach, aside=0.009) for reach in ((0.5, 1.0), (1.8, 2.009)))
    yield Family("rod turns about its middle", _cases(n, 5, obstacle, lambda _: rod, swing), n)
    yield Family("rod turns about its end", _cases(n, 6, obstacle, lambda _: crank, graze), n)


def hull_mesh_families(n: int = 100) -> Iterator[Family]:
    """Yield hulls and rods that pass meshes of 1 000 to 2 000 triangles."""
    sheet, hills, ring = plate_mesh(), terrain(), scaled(torus(), 0.5)
    knot = scaled(torus_knot(1000), 0.5)
    rod = kc.Box(ROD)
    yield Family("box through plate mesh", _cases(n, 11, sheet, lambda _: kc.Box(BOX), _through), n)
    yield Family("hull of 32 through plate mesh", _cases(n, 12, sheet, _small_hull, _through), n)
    yield Family("hull of 32 over terrain", _cases(n, 13, hills, _small_hull, _over_terrain), n)
    passing = partial(_past, miss=0.3, far=0.6)
    yield Family("hull of 32 past torus", _cases(n, 14, ring, _small_hull, passing), n)
    yield Family("hull of 32 past knot", _cases(n, 15, knot, _small_hull, passing), n)
    swing = partial(_swing, reach=(0.9, 1.02), aside=0.01)
    yield Family("rod turns past knot of 5 cm", _cases(n, 16, scaled(knot, 0.05), lambda _: rod, swing), n)


def mesh_mesh_families(n: int = 40) -> Iterator[Family]:
    """Yield meshes of about 1 000 triangles that pass each other; rapier takes too long for all of them."""
    knot, ring = scaled(torus_knot(1000), 0.5), scaled(torus(), 0.5)
    small, rod = scaled(torus(), 0.15), rod_mesh()
    yield Family("knot past knot", _cases(n, 21, knot, lambda _: knot, partial(_past, miss=0.6, far=1.0)), 5)
    yield Family(
        "torus past torus", _cases(n, 22, ring, lambda _: ring, partial(_past, miss=0.6, far=1.0)), 5
    )
    yield Family("small torus through torus", _cases(n, 23, ring, lambda _: small, _threaded), 5)
    swing = partial(_swing, reach=(0.9, 1.02), aside=0.01)
    yield Family("rod turns past knot of 5 cm", _cases(n, 24, scaled(knot, 0.05), lambda _: rod, swing), 3)


def _threaded(rng: np.random.Generator) -> Flight:
    """Return a flight through the hole of a torus around z."""
    xy = rng.uniform(-0.09, 0.09, size=(2, 2))
    return _flight(rng, np.array([*xy[0], 0.6]), np.array([*xy[1], -0.6]))


def large_families(n: int = 20) -> Iterator[Family]:
    """Yield meshes of 10 000 to 60 000 triangles: a hull past one, and two that pass each other."""
    large, middle = scaled(torus_knot(60_000), 0.5), scaled(torus_knot(10_000), 0.5)
    scan = scaled(scan_like(30_000), 0.3)
    passing, close = partial(_past, miss=0.3, far=0.6), partial(_past, miss=0.6, far=1.0)
    yield Family("hull of 32 past knot, 10 000", _cases(n, 31, middle, _small_hull, passing), n)
    yield Family("hull of 32 past knot, 60 000", _cases(n, 32, large, _small_hull, passing), n)
    yield Family("two knots, 10 000 each", _cases(n, 33, middle, lambda _: middle, close), 0)
    yield Family(
        "two scans, 30 000 each", _cases(n, 34, scan, lambda _: scan, partial(_past, miss=0.35, far=0.8)), 0
    )
    yield Family("two knots, 60 000 each", _cases(n, 35, large, lambda _: large, close), 0)


def _small_hull(rng: np.random.Generator) -> Shape:
    return random_hull(rng, BOX[0])


def main() -> None:
    """Print how many cases of each family meet, as keepclear says."""
    for families in (hull_families, hull_mesh_families, mesh_mesh_families, large_families):
        for family in families():
            answers = kc.first_contact_batch([case.question for case in family.cases])
            hits = sum(answer.verdict is kc.Verdict.COLLIDING for answer in answers)
            print(f"{family.name:<42}{hits:4d} of {len(answers)} meet")


if __name__ == "__main__":
    main()
