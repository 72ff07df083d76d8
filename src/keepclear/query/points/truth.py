"""Whether and when four moving points make contact, decided in integers: for the queries that float64 leaves open."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

from keepclear.query.points.algebraic import Polynomial, minus, plus, roots_inside, sign_of, times

Path = tuple[Polynomial, Polynomial, Polynomial]
Sign = Callable[[Polynomial], int]

_BINOMIALS = {1: (1, 1), 3: (1, 3, 3, 1)}


def first_contact_of_points(points: list[list[list[float]]], edges: bool) -> tuple[float, float] | None:
    """Return a bracket of the first contact in [0, 1], as narrow as float64 allows, or None if there is none.

    Args:
        points: For each of the four points 2 (straight) or 4 (cubic) Bernstein control points x, y, z.
        edges: The points are those of two edges; otherwise a vertex and a triangle.
    """
    polygon = Polygon(_corners(points, edges))
    if polygon.holds_origin(lambda p: sign_of(p[0])):
        return 0.0, 0.0
    # Between neighbouring roots of these polynomials no sign changes, so contact begins at one of them, or at an end.
    decisive = [p for p in polygon.decisive() if any(p)]
    roots = [root for p in decisive for root in roots_inside(p)]
    if len(decisive) > 1:
        roots.sort(key=lambda root: root.bracket()[0])
    for root in roots:
        if polygon.holds_origin(root.sign):
            return root.bracket()
    return (1.0, 1.0) if polygon.holds_origin(lambda p: sign_of(p[-1])) else None


def _corners(points: list[list[list[float]]], edges: bool) -> list[Path]:
    """Return the corners of the polygon that contains the origin at contact, as integers in a suitable unit."""
    ratios = [[[x.as_integer_ratio() for x in place] for place in path] for path in points]
    unit = max(ratio[1] for path in ratios for place in path for ratio in place)
    row = _BINOMIALS[len(points[0]) - 1]
    paths = [
        [
            [w * (place[k][0] * (unit // place[k][1])) for w, place in zip(row, path, strict=True)]
            for k in range(3)
        ]
        for path in ratios
    ]
    pairs = ((0, 2), (1, 2), (1, 3), (0, 3)) if edges else ((1, 0), (2, 0), (3, 0))
    return [
        (minus(a[0], b[0]), minus(a[1], b[1]), minus(a[2], b[2]))
        for a, b in ((paths[i], paths[j]) for i, j in pairs)
    ]


class Polygon:
    """A moving triangle or parallelogram; cross products of neighbouring corners give the side of the origin."""

    def __init__(self, corners: list[Path]) -> None:
        self._corners = corners
        self._sides = [_cross(p, q) for p, q in zip(corners, corners[1:] + corners[:1], strict=True)]
        first, second = self._sides[0], corners[2]
        self._volume = plus(*(times(first[k], second[k]) for k in range(3)))
        self._normal = tuple(plus(*(side[k] for side in self._sides)) for k in range(3))

    def decisive(self) -> Iterator[Polynomial]:
        """Yield the polynomials at whose roots contact can begin."""
        if any(self._volume):
            yield self._volume
            return
        for k in range(3):
            yield self._normal[k]
            yield from (side[k] for side in self._sides)
            yield from (corner[k] for corner in self._corners)

    def holds_origin(self, sign: Sign) -> bool:
        """Return whether the origin is in the polygon at the instant whose signs are given.

        In the plane of a polygon with an area it is seen so along an axis. A polygon without area is a segment or a
        point: all its cross products vanish if its line goes through the origin, and then it is seen along each axis.
        """
        if sign(self._volume):
            return False
        for k in range(3):
            if sign(self._normal[k]):
                return not {1, -1} <= {sign(side[k]) for side in self._sides}
        if any(sign(side[k]) for side, k in product(self._sides, range(3))):
            return False
        return all({sign(corner[k]) for corner in self._corners} not in ({1}, {-1}) for k in range(3))


def _cross(p: Path, q: Path) -> Path:
    """Return the cross product of two paths."""
    x, y, z = (minus(times(p[i], q[j]), times(p[j], q[i])) for i, j in ((1, 2), (2, 0), (0, 1)))
    return x, y, z
