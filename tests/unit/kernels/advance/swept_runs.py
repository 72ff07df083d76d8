"""Two moving bodies as the flat arrays of the searches through time, and runs of these in pieces of any length."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.spatial import ConvexHull

import keepclear as kc
from keepclear.geometry.shapes.packed import packed
from keepclear.kernels.advance import convex, minimum
from keepclear.kernels.advance import mesh_convex as swept_mesh_convex
from keepclear.kernels.advance import mesh_pair as swept_pair
from keepclear.kernels.advance.boxes import WINDOW
from keepclear.kernels.convex import support as core
from keepclear.kernels.tables.body import BODY
from keepclear.kernels.tables.motion import motion_numbers
from keepclear.kernels.tables.pair import new_pairs
from keepclear.kernels.trees import obb_tree

Array = np.ndarray
NO_LIMIT = 1 << 40
ANSWERS = ("now", "time", "certain", "distance", "lower", "normal", "triangle_a", "triangle_b", "unproved")


def shift(x: float, y: float = 0.0, z: float = 0.0) -> Array:
    """A pose that is not turned."""
    X = np.eye(4)
    X[:3, 3] = x, y, z
    return X


def turn(axis: int, angle: float) -> Array:
    """A pose that is turned about an axis of the world, and at its origin."""
    X, i, j = np.eye(4), (axis + 1) % 3, (axis + 2) % 3
    X[i, i], X[i, j], X[j, i], X[j, j] = math.cos(angle), -math.sin(angle), math.sin(angle), math.cos(angle)
    return X


def way(*poses: Any, kind: Any = "linear", times: Any = None) -> kc.PoseTrajectory:
    """A motion through poses, one second each."""
    return kc.PoseTrajectory(np.arange(len(poses)) if times is None else times, np.array(poses), kind)


def triangle(*corners: Any) -> kc.Mesh:
    """A mesh of one triangle; if corners are missing, the last one stands for them."""
    return kc.Mesh([*corners, *[corners[-1]] * (3 - len(corners))], [[0, 1, 2]])


def sheet(n: int, size: float = 1.0) -> kc.Mesh:
    """A square of 2 n n triangles across the z axis."""
    ticks = size * (np.linspace(0.0, 1.0, n + 1) - 0.5)
    corners = [[x, y, 0.0] for x in ticks for y in ticks]
    cells = [(n + 1) * i + j for i in range(n) for j in range(n)]
    halves = [[[p, p + n + 1, p + n + 2], [p, p + n + 2, p + 1]] for p in cells]
    return kc.Mesh(corners, [face for pair in halves for face in pair])


class Run:
    """A search for the first contact of two bodies, or for their least distance.

    Args:
        begin, end, margin, tolerance, least: The question.
        wider: What the boxes of trees grow by [m], so that they keep nothing apart.

    Attributes:
        rows: The row of PAIR.
        windows, halves: The spans that a search through trees makes.
    """

    def __init__(
        self,
        a: Any,
        motion_a: Any,
        b: Any,
        motion_b: Any,
        *,
        begin: float = 0.0,
        end: float = 1.0,
        margin: float = 0.0,
        tolerance: float = 1e-4,
        least: bool = False,
        wider: float = 0.0,
    ) -> None:
        packs = [m._packed if isinstance(m, kc.Motion) else kc.Fixed(m)._packed for m in (motion_a, motion_b)]
        self.rows = rows = new_pairs(1)
        rows["ball"] = _ball(b)
        rows["t0"] = rows["now"] = begin
        numbers = [motion_numbers(Q) for Q in packs]
        terms = max(row.terms for row in numbers) * (_extent(a) + _extent(b))
        rows["scale"] = (sum(row.place for row in numbers) + terms) / numbers[0].smallest
        rows["margin"], rows["tolerance"], rows["least"] = margin, tolerance, least
        rows["t1"] = rows["end"] = end
        self.windows = np.full(WINDOW * swept_pair.MOST_WINDOWS, np.nan)
        self.halves = np.zeros(2 * swept_pair.MOST_WINDOWS, np.int32)
        shapes = [
            _tree_arrays(x, wider) if isinstance(x, kc.Mesh) else tuple(one.copy() for one in packed(x))
            for x in (a, b)
        ]
        if isinstance(a, kc.Mesh):
            kernel = swept_pair if isinstance(b, kc.Mesh) else swept_mesh_convex
            self._search, scratch = (
                kernel.search,
                (self.windows, self.halves, np.zeros(swept_pair.STACK, np.int32)),
            )
            self._arguments = (*shapes[0], *shapes[1], *packs, rows, *scratch)
        else:
            self._search = minimum.least_pairs if least else convex.advance_pairs
            table, motions = np.zeros(2, BODY), np.array([0, len(packs[0])])
            for row, shape in zip(table, shapes, strict=True):
                row.reals, row.n_reals = shape[0].ctypes.data, len(shape[0])
                row.links, row.n_links = shape[1].ctypes.data, len(shape[1])
            self.cores = shapes
            rows["shape_a"], rows["shape_b"], rows["motion_b"] = 0, 1, 1
            more = () if least else (np.array([math.inf, math.inf]),)
            self._arguments = (table, np.concatenate(packs), motions, rows, 0, 1, *more)

    def go(self, limit: int = NO_LIMIT) -> bool:
        """Search on for so many pairs of boxes and distances, and tell whether all is known."""
        self.rows["limit"] = self.rows["evaluations"] + self.rows["box_pairs"] + limit
        return bool(self._search(*self._arguments) == 0)

    def finish(self, limit: int = NO_LIMIT) -> Run:
        """Search to the end, in pieces."""
        while not self.go(limit):
            pass
        return self

    @property
    def answer(self) -> list[object]:
        """What was found."""
        return [self.rows[name].tolist() for name in ANSWERS]

    @property
    def state(self) -> bytes:
        """All of the row but its limit."""
        row = self.rows.copy()
        row["limit"] = 0
        return row.tobytes()

    @property
    def now(self) -> float:
        """Until when all is proved."""
        return float(self.rows["now"][0])

    @property
    def time(self) -> float:
        """When they meet, or are closest."""
        return float(self.rows["time"][0])

    @property
    def certain(self) -> float:
        """When they meet for certain."""
        return float(self.rows["certain"][0])

    @property
    def distance(self) -> float:
        """How far they are apart then, at most."""
        return float(self.rows["distance"][0])

    @property
    def lower(self) -> float:
        """How far two convex bodies are apart all the time, at least."""
        return float(self.rows["lower"][0])

    @property
    def evaluations(self) -> int:
        """How many distances were computed."""
        return int(self.rows["evaluations"][0])

    @property
    def triangles(self) -> tuple[int, int]:
        """Which triangles meet."""
        return int(self.rows["triangle_a"][0]), int(self.rows["triangle_b"][0])

    @property
    def proved(self) -> bool:
        return bool(self.rows["unproved"][0] == 0)


def _tree_arrays(mesh: kc.Mesh, wider: float) -> tuple[Array, ...]:
    tree = kc.build_obb_tree(mesh)
    nodes = tree.arrays[2].copy()
    nodes.reshape(-1, obb_tree.NODE)[:, obb_tree.HALF : obb_tree.HALF + 3] += np.float32(wider)
    return (*tree.arrays[:2], nodes, nodes.view(np.int32))


def _extent(body: Any) -> float:
    if isinstance(body, kc.Mesh):
        return float(np.linalg.norm(body.vertices, axis=1).max())
    return float(packed(body).reals[core.EXTENT] + packed(body).reals[core.RADIUS])


def _ball(body: Any) -> Array:
    """A ball around the core of B, and the radius of one inside it; see `swept_convex.BALL`."""
    if isinstance(body, kc.Box):
        half = 0.5 * np.asarray(body.size)
        return np.array([0.0, 0.0, 0.0, np.linalg.norm(half) * (1.0 + 1e-12), half.min()])
    if isinstance(body, kc.Cylinder):
        half = body.radius, 0.5 * body.length
        return np.array([0.0, 0.0, 0.0, math.hypot(*half) * (1.0 + 1e-12), min(half)])
    if isinstance(body, kc.Capsule):
        return np.array([0.0, 0.0, 0.0, 0.5 * body.length, 0.0])
    if isinstance(body, kc.Sphere):
        return np.zeros(5)
    middle, inside = body.vertices.mean(axis=0), 0.0
    if isinstance(body, kc.Convex) and len(body.vertices) > 3:
        inside = float(-(ConvexHull(body.vertices).equations @ [*middle, 1.0]).max())
    return np.array([*middle, np.linalg.norm(body.vertices - middle, axis=1).max() * (1.0 + 1e-12), inside])
