"""The search for cuts of a solid so that the hulls of its pieces stay out of the void around it.

Space is divided by planes into convex cells. A piece is the part of the solid in one cell: polygons of the surface,
clipped to the cell, and corners of the cell inside of the solid. Its hull contains all of the solid in the cell.
Points of the void, farther from the solid than is allowed, lead the search: a piece whose hull contains some of them is
cut, and pieces are merged while the hull of both contains none.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.errors import ArgumentError, KeepclearError
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.geometry.trees.trees import tree_of
from keepclear.kernels.decomposition import cuts, void_depth

Indices = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

GROWTH = 1e-6
"""Distance by which pieces reach beyond the planes of their cells, as a part of the size [1].

It must be far above rounding, 1e-15, since the proof covers cells that are grown by half of it. Excess grows by it.
"""

MOST_CORNERS = 512
MOST_RATED = 128  # points of the void that rate a cut
MOST_SAMPLES = 256  # points of the surface of a piece that rate it
MOST_HULLS = 8  # number of cuts rated by hulls; samples select the best
MOST_FACES = 14  # planes of faces that are tried for a cut
N_SAMPLES = 20_000  # points of the surface
MOST_PLANES = 64  # faces of the hull that bound the void
MOST_VOID = 30_000  # points of the void at the beginning
ROUGH = 0.02  # tolerance of the hulls that rate cuts, as a part of the allowed excess
CAUTION = 0.95  # largest excess of hulls in the search, as a part of the allowed excess
SEARCH_BUDGET = 20_000  # tetrahedra for a decision in the search
BUDGET = 400_000  # tetrahedra for a bound of the excess


class Solid:
    """A closed mesh with its tree, and numbers that the search uses repeatedly."""

    def __init__(self, mesh: Mesh) -> None:
        self.mesh = mesh
        self.arrays = tree_of(mesh, "obb_tree").arrays
        lower, upper = mesh.bounds
        self.lower, self.upper = lower, upper
        self.size = float(np.linalg.norm(upper - lower))
        self.largest = float(np.abs(mesh.vertices).max())
        self.seam = float(mesh.check.seam_gap)
        self.growth = GROWTH * self.size + 16.0 * self.seam
        self.eps = 1e-7 * self.size
        a, b, c = (mesh.vertices[mesh.triangles[:, k]] for k in range(3))
        normals = np.cross(b - a, c - a)
        twice = np.linalg.norm(normals, axis=1)
        self.areas = 0.5 * twice
        self.normals = normals / np.maximum(twice, 1e-300)[:, None]
        self.offsets = np.einsum("ij,ij->i", self.normals, (a + b + c) / 3.0)
        key = np.round(np.column_stack([self.normals, self.offsets / self.size]) * 1e4).astype(np.int64)
        self.plane_of = np.unique(key, axis=0, return_inverse=True)[1].reshape(-1)

    def depths(self, points: FloatArray) -> FloatArray:
        """Return the distances of points from the surface, negative inside."""
        out = np.empty(len(points))
        void_depth.depths(*self.arrays, np.ascontiguousarray(points), out)
        return out

    def excess(
        self,
        points: FloatArray,
        triangles: Indices,
        enough: float,
        limit: float,
        tolerance: float,
        budget: int,
    ) -> tuple[float, FloatArray]:
        """Return an upper bound of the distance of points of a hull from the solid, and a lower one with its point."""
        found = np.zeros(void_depth.FOUND)
        upper = void_depth.bound_excess(
            *self.arrays, np.ascontiguousarray(points), np.ascontiguousarray(triangles, dtype=np.int64), enough,
            limit, tolerance, budget, found,
        )  # fmt: skip
        return upper, found


@dataclass(eq=False)
class Piece:
    """The part of a solid in one cell.

    Attributes:
        points, start, source: Polygons of the surface in the cell, and the triangle that each was cut from.
        planes: (k, 4) The cell: n . x <= d for all of them.
        corners, inside: Corners of the cell, and which of them are in the solid.
        void: Which points of the void are in the hull.
        hull: Vertices of the approximate hull.
        volume: The volume of the hull.
    """

    points: FloatArray
    start: Indices
    source: Indices
    planes: FloatArray
    corners: FloatArray
    inside: Flags
    void: Indices = field(default_factory=lambda: np.empty(0, np.int64))
    hull: FloatArray = field(default_factory=lambda: np.empty((0, 3)))
    volume: float = 0.0

    @property
    def is_empty(self) -> bool:
        """Whether the cell contains no part of the solid."""
        return not len(self.points) and not self.inside.any()

    @property
    def cover(self) -> FloatArray:
        """The points whose hull is the part."""
        return np.concatenate([self.points, self.corners[self.inside]])


@dataclass(eq=False)
class Group:
    """Pieces that become one part."""

    pieces: list[Piece]
    hull: FloatArray
    volume: float


class Search:
    """The search for pieces whose hulls are nowhere farther from the solid than is allowed."""

    def __init__(self, solid: Solid, allowed: float, most_pieces: int) -> None:
        self.solid, self.allowed, self.most_pieces = solid, allowed, most_pieces
        self.void = _void_points(solid, CAUTION * allowed)
        self.samples = _surface_samples(solid)
        self.empty: list[Piece] = []

    def pieces(self) -> list[Piece]:
        """Return pieces whose hulls are proved to be within the allowed distance.

        Raises:
            ArgumentError: There would be too many.
        """
        done: list[Piece] = []
        waiting: list[tuple[float, int, Piece]] = []
        number = 0
        for piece in [self._root()]:
            heapq.heappush(waiting, (-self._weight(piece), number, piece))
        while waiting:
            piece = heapq.heappop(waiting)[2]
            if not len(piece.void) and self._is_within(piece):
                done.append(piece)
                continue
            if len(done) + len(waiting) >= self.most_pieces:
                raise ArgumentError(
                    f"decompose: an excess of {self.allowed:.3g} m needs more than {self.most_pieces} parts; allow a "
                    "larger excess."
                )
            for half in self._halves(piece):
                number += 1
                heapq.heappush(waiting, (-self._weight(half), number, half))
        return done

    def merged(self, pieces: list[Piece]) -> list[Group]:
        """Return the pieces in groups, each of which becomes a part that is within the allowed distance."""
        return _Merging(self, [Group([piece], piece.hull, piece.volume) for piece in pieces]).run()

    def _weight(self, piece: Piece) -> float:
        return float(self.void[piece.void, 3].sum())

    def _root(self) -> Piece:
        solid = self.solid
        mesh = solid.mesh
        points = np.ascontiguousarray(mesh.vertices[mesh.triangles].reshape(-1, 3))
        pad = 4.0 * solid.growth
        planes = np.concatenate(
            [
                np.column_stack([np.eye(3), solid.upper + pad]),
                np.column_stack([-np.eye(3), -(solid.lower - pad)]),
            ]
        )
        n = len(mesh.triangles)
        piece = Piece(points, np.arange(0, 3 * n + 1, 3), np.arange(n), planes, *self._corners(planes))
        self._describe(piece, np.arange(len(self.void)))
        return piece

    def _corners(self, planes: FloatArray) -> tuple[FloatArray, Flags]:
        out, inside = np.empty((MOST_CORNERS, 3)), np.empty(MOST_CORNERS, bool)
        n = cuts.corners(*self.solid.arrays, planes, self.solid.growth, out, inside)
        return out[:n].copy(), inside[:n].copy()

    def _describe(self, piece: Piece, void: Indices) -> None:
        """Find the hull of a piece, and which of some points of the void are in it."""
        points = piece.cover
        piece.volume, is_vertex, is_held = _hull(points, self.void[void], self.solid.eps)
        piece.hull, piece.void = points[is_vertex], void[is_held]

    def _is_within(self, piece: Piece) -> bool:
        """Return whether no point of the hull of a piece is too far from the solid; a point that is joins the void."""
        witness = self._too_far(piece.hull)
        if witness is None:
            return True
        self._note(witness)
        self._describe(piece, np.arange(len(self.void)))
        if not len(piece.void):  # within the tolerance of the hull
            piece.void = np.array([len(self.void) - 1])
        return False

    def _note(self, witness: FloatArray) -> None:
        self.void = np.concatenate([self.void, witness[None, :]])

    def _too_far(self, hull: FloatArray) -> FloatArray | None:
        """Return a point of a hull that is farther from the solid than allowed, with its distance; None if none is."""
        if len(hull) < 4:
            return None
        from scipy.spatial import ConvexHull, QhullError

        try:
            triangles = ConvexHull(hull).simplices.astype(np.int64)
        except QhullError:
            return None  # flat
        # Between the limits either result is allowed: without a gap the search for the greatest distance takes long.
        upper, found = self.solid.excess(
            hull, triangles, 0.99 * self.allowed, CAUTION * self.allowed, 0.0, SEARCH_BUDGET
        )
        if upper <= 0.99 * self.allowed:
            return None
        lower = found[void_depth.LOWER]
        return np.array(
            [*found[void_depth.WITNESS : void_depth.WITNESS + 3], max(lower, 1e-9 * self.solid.size)]
        )

    def _halves(self, piece: Piece) -> list[Piece]:
        """Return a piece cut in two by the best plane."""
        for plane in self._best_planes(piece):
            halves = [self._clipped(piece, plane), self._clipped(piece, -plane)]
            if all(len(half.corners) >= 4 for half in halves):
                break
        else:
            raise KeepclearError("decompose: no plane cuts a piece of the solid; please report the mesh.")
        self.empty += [half for half in halves if half.is_empty]
        halves = [half for half in halves if not half.is_empty]
        for half in halves:
            self._describe(half, piece.void)
        return halves

    def _clipped(self, piece: Piece, plane: FloatArray) -> Piece:
        grown = plane.copy()
        grown[3] += self.solid.growth
        n = len(piece.start) - 1
        out = np.empty((len(piece.points) + n, 3))
        start, source = np.empty(n + 1, np.int64), np.empty(n, np.int64)
        n = cuts.clip(piece.points, piece.start, grown, out, start, source)
        planes = np.concatenate([piece.planes, plane[None, :]])
        return Piece(
            out[: start[n]].copy(),
            start[: n + 1].copy(),
            piece.source[source[:n]],
            planes,
            *self._corners(planes),
        )

    def _best_planes(self, piece: Piece) -> FloatArray:
        """Return planes for a cut, the best first."""
        planes = self._candidates(piece)
        void = np.ascontiguousarray(_some(self.void[piece.void], MOST_RATED))
        samples = np.ascontiguousarray(_some(self._samples_in(piece), MOST_SAMPLES))
        surround = np.empty((len(planes), 2, len(void)))
        cuts.rate_by_samples(samples, void, DIRECTIONS, planes, surround)
        planes_left = np.argsort(surround.sum(axis=(1, 2)), kind="stable")[:MOST_HULLS]
        planes, surround = planes[planes_left], surround[planes_left] + 0.02 * len(samples)
        points, edges = _edges(piece, self.solid)
        rates = np.empty((len(planes), 4))
        cuts.rate_cuts(
            *self.solid.arrays, points, edges, piece.planes, piece.corners, piece.inside, planes,
            void, np.ascontiguousarray(surround), self.solid.growth, max(self.solid.eps, ROUGH * self.allowed), rates,
        )  # fmt: skip
        total = rates[:, 0] + rates[:, 2]
        # A plane that leaves one side unchanged does not cut.
        useless = np.maximum(rates[:, 1], rates[:, 3]) >= piece.volume * (1.0 - 1e-4)
        volume = (rates[:, 1] + rates[:, 3]) / max(piece.volume, 1e-300)
        score = total / (len(void) * len(samples)) + 0.02 * volume + np.where(useless, 1e6, 0.0)
        ranked: FloatArray = planes[np.argsort(score, kind="stable")]
        return ranked

    def _samples_in(self, piece: Piece) -> FloatArray:
        samples = self.samples
        for plane in piece.planes[6:]:
            samples = samples[samples @ plane[:3] <= plane[3]]
        if len(samples) < MOST_SAMPLES:
            samples = np.concatenate([samples, _some(piece.points, MOST_SAMPLES - len(samples))])
        return samples

    def _candidates(self, piece: Piece) -> FloatArray:
        """Return planes that may cut the void off: of faces nearby, and through points of the void."""
        solid = self.solid
        void = self.void[piece.void]
        found = []
        group = solid.plane_of[piece.source]
        area = np.bincount(group, solid.areas[piece.source])
        order = np.argsort(-area, kind="stable")[: 6 * MOST_FACES]
        order = order[area[order] > 0.0]
        first = np.full(len(area), -1, np.int64)
        first[group[::-1]] = piece.source[::-1]
        chosen = first[order]
        heights = piece.hull @ solid.normals[chosen].T - solid.offsets[chosen]
        above = void[:, :3] @ solid.normals[chosen].T - solid.offsets[chosen]
        cuts_off = (heights.max(axis=0) > 8.0 * solid.growth) & (heights.min(axis=0) < -8.0 * solid.growth)
        cuts_off &= area[order] >= 4.0 * self.allowed**2  # not the facets of something round
        worth = np.where(cuts_off, area[order] * ((above > 0.0) * void[:, 3:]).sum(axis=0), 0.0)
        best = np.argsort(-worth, kind="stable")[:MOST_FACES]
        for k in best[worth[best] > 0.0]:
            t = chosen[k]
            found.append([*solid.normals[t], solid.offsets[t] + 3.0 * solid.growth])
        # Directions: of the largest faces, and of the axes.
        directions = [*np.eye(3)]
        for t in chosen[area[order] >= 4.0 * self.allowed**2]:
            if all(abs(float(solid.normals[t] @ d)) < 0.98 for d in directions):
                directions.append(solid.normals[t])
            if len(directions) == 6:
                break
        for at in _spread(void, 4):
            for d in directions:
                found.append([*d, float(d @ at)])
        middle = 0.5 * (piece.hull.min(axis=0) + piece.hull.max(axis=0))
        found += [[*d, float(d @ middle)] for d in np.eye(3)]
        planes = np.array(found)
        # Skip planes of the cell.
        along = np.abs(planes[:, :3] @ piece.planes[:, :3].T)
        heights = planes[:, :3] @ middle - planes[:, 3]
        of_cell = piece.planes[:, :3] @ middle - piece.planes[:, 3]
        apart = np.abs(np.abs(heights)[:, None] - np.abs(of_cell)[None, :])
        left: FloatArray = planes[~((along > 1.0 - 1e-8) & (apart < 16.0 * solid.growth)).any(axis=1)]
        return left


class _Merging:
    """Pieces that are merged in pairs, cheapest first: the cost is the volume that the hull of both adds."""

    def __init__(self, search: Search, groups: list[Group]) -> None:
        self._search = search
        self._groups: dict[int, Group] = dict(enumerate(groups))
        self._boxes = {k: _box(group.hull) for k, group in self._groups.items()}
        self._heap: list[tuple[float, int, int, Group]] = []

    def run(self) -> list[Group]:
        """Return groups of pieces that cannot be merged further."""
        numbers = list(self._groups)
        for k in numbers:
            self._offer(k, numbers[:k])
        following = len(numbers)
        while self._heap:
            _, a, b, union = heapq.heappop(self._heap)
            if a not in self._groups or b not in self._groups:
                continue
            witness = self._search._too_far(union.hull)
            if witness is not None:
                self._search._note(witness)
                continue
            del self._groups[a], self._groups[b]
            self._groups[following], self._boxes[following] = union, _box(union.hull)
            self._offer(following, [k for k in self._groups if k != following])
            following += 1
        return list(self._groups.values())

    def _offer(self, new: int, others: list[int]) -> None:
        """Put the unions of a group with others that it touches on the heap, if they stay out of the void."""
        touch = 4.0 * self._search.solid.growth
        lower, upper = self._boxes[new]
        for k in others:
            low, high = self._boxes[k]
            if (low > upper + touch).any() or (lower > high + touch).any():
                continue
            a, b = self._groups[new], self._groups[k]
            union = self._union(a, b)
            if union is not None:
                cost = union.volume - a.volume - b.volume
                heapq.heappush(self._heap, (cost, new, k, union))

    def _union(self, a: Group, b: Group) -> Group | None:
        points = np.concatenate([a.hull, b.hull])
        lower, upper = _box(points)
        void = self._search.void
        void = void[((void[:, :3] >= lower) & (void[:, :3] <= upper)).all(axis=1)]
        volume, is_vertex, is_held = _hull(points, void, self._search.solid.eps)
        return None if is_held.any() else Group(a.pieces + b.pieces, points[is_vertex], volume)


def _hull(points: FloatArray, void: FloatArray, eps: float) -> tuple[float, Flags, Flags]:
    """Return the volume of the hull of points, which of them are its vertices, and the void that it contains."""
    is_vertex, is_held = np.empty(len(points), bool), np.zeros(len(void), bool)
    volume, _ = cuts.probe_hull(points, np.ascontiguousarray(void), eps, is_vertex, is_held)
    if volume >= 0.0:
        return volume, is_vertex, is_held
    from scipy.spatial import ConvexHull, QhullError

    is_vertex[:] = True
    is_held[:] = False
    try:
        hull = ConvexHull(points)
    except QhullError:
        return 0.0, is_vertex, is_held
    is_vertex[:] = False
    is_vertex[hull.vertices] = True
    heights = void[:, :3] @ hull.equations[:, :3].T + hull.equations[:, 3]
    return float(hull.volume), is_vertex, (heights < -eps).all(axis=1)


def _box(points: FloatArray) -> tuple[FloatArray, FloatArray]:
    return points.min(axis=0), points.max(axis=0)


def _directions() -> FloatArray:
    """Return directions over half a sphere: a grid of whole numbers."""
    grid = np.stack(np.meshgrid(*[np.arange(-2, 3)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    half = grid[np.lexsort(grid.T[::-1])][len(grid) // 2 + 1 :].astype(float)
    half /= np.linalg.norm(half, axis=1)[:, None]
    return np.ascontiguousarray(half[np.unique(np.round(half, 9), axis=0, return_index=True)[1]])


DIRECTIONS = _directions()


def _some(rows: FloatArray, most: int) -> FloatArray:
    """Return some rows of an array, in equal steps, if there are more."""
    return rows if len(rows) <= most else rows[np.linspace(0, len(rows) - 1, most).astype(np.int64)]


def _surface_samples(solid: Solid) -> FloatArray:
    """Return points of the surface in proportion to area, the same in every call."""
    rng = np.random.default_rng(17)
    area = np.cumsum(solid.areas)
    t = np.searchsorted(area, (np.arange(N_SAMPLES) + 0.5) / N_SAMPLES * area[-1])
    t = np.minimum(t, len(area) - 1)
    u, v = rng.random((2, N_SAMPLES))
    u, v = np.where(u + v > 1.0, 1.0 - u, u), np.where(u + v > 1.0, 1.0 - v, v)
    a, b, c = (solid.mesh.vertices[solid.mesh.triangles[t, k]] for k in range(3))
    points: FloatArray = a + u[:, None] * (b - a) + v[:, None] * (c - a)
    return points[rng.permutation(N_SAMPLES)]


def _spread(void: FloatArray, n: int) -> FloatArray:
    """Return the deepest point of the void, and others that are far from each other."""
    chosen = [int(np.argmax(void[:, 3]))]
    distance = np.full(len(void), np.inf)
    while len(chosen) < min(n, len(void)):
        distance = np.minimum(distance, np.linalg.norm(void[:, :3] - void[chosen[-1], :3], axis=1))
        chosen.append(int(np.argmax(distance * void[:, 3])))
    return void[chosen, :3]


def _edges(piece: Piece, solid: Solid) -> tuple[FloatArray, Indices]:
    """Return the corners of the polygons of a piece, each once, and their edges, each once."""
    key = piece.points @ np.array([0.5772156649, 0.3819660113, 0.7182818285])
    _, first, index = np.unique(np.round(key / (1e-3 * solid.eps)), return_index=True, return_inverse=True)
    index = index.reshape(-1)
    after = np.arange(1, len(index) + 1)
    after[piece.start[1:] - 1] = piece.start[:-1]
    low, high = np.minimum(index, index[after]), np.maximum(index, index[after])
    pairs = np.unique(low[low < high] * len(first) + high[low < high])
    return np.ascontiguousarray(piece.points[first]), np.ascontiguousarray(
        np.column_stack(np.divmod(pairs, max(len(first), 1)))
    )


def _void_points(solid: Solid, allowed: float) -> FloatArray:
    """Return points of the void farther from the solid than allowed, with their distances: a refined grid."""
    size = solid.upper - solid.lower
    step = float(size.max()) / 8.0
    counts = np.maximum(1, np.ceil(size / step)).astype(np.int64)
    grids = [lo + (np.arange(n) + 0.5) * (s / n) for lo, s, n in zip(solid.lower, size, counts, strict=True)]
    centers = np.stack(np.meshgrid(*grids, indexing="ij"), axis=-1).reshape(-1, 3)
    half = 0.5 * size / counts
    hull = _hull_planes(solid.mesh.vertices)
    while True:
        reach = float(np.linalg.norm(half))
        centers = centers[(centers @ hull[:, :3].T + hull[:, 3] <= reach).all(axis=1)]
        depth = solid.depths(centers)
        near = depth + reach > allowed
        if 2.0 * half.max() <= 0.75 * allowed or 8 * np.count_nonzero(near) > 4 * MOST_VOID:
            break
        half = 0.5 * half
        corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * half
        centers = (centers[near][:, None, :] + corners[None]).reshape(-1, 3)
    far = depth > allowed
    return np.column_stack([centers[far], depth[far]])


def _hull_planes(points: FloatArray) -> FloatArray:
    """Return planes around points: some faces of their hull."""
    from scipy.spatial import ConvexHull, QhullError

    try:
        equations = np.asarray(ConvexHull(points).equations)
    except QhullError:
        return np.zeros((1, 4))
    return equations[:: max(1, len(equations) // MOST_PLANES)]
