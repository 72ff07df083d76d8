"""Moving points: when a vertex touches a triangle, or an edge another, for many queries in one call."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from keepclear.checks import MOST_EVALUATIONS, FloatArray, as_array, checked_length, is_whole, shown
from keepclear.errors import ArgumentError
from keepclear.kernels.advance import features
from keepclear.kernels.advance import points as point_contact
from keepclear.kernels.advance.features import CONTACT, FREE, NEAR, OPEN
from keepclear.query.batches import checked_threads, in_pieces
from keepclear.query.points.results import PointContact
from keepclear.query.points.truth import first_contact_of_points

__all__ = ["edge_edge_contact", "vertex_face_contact"]


_contact_many, _empty, _SCRATCH = point_contact.contact_many, np.empty, features.SCRATCH
_BUDGET = 10_000  # intervals; the hardest query of public data sets needs 60


def vertex_face_contact(
    x0: npt.ArrayLike | None = None,
    x1: npt.ArrayLike | None = None,
    *,
    control: npt.ArrayLike | None = None,
    tolerance: float = 1e-6,
    margin: float = 0.0,
    exact: bool = True,
    budget: int = _BUDGET,
    threads: int = 1,
) -> PointContact:
    """Return whether and when a moving vertex touches a moving triangle, or comes within a margin of it, in [0, 1].

    Touching is contact: at both ends of the interval, on the boundary of the triangle, and for coincident, collinear or
    coplanar points. Without a margin the answer is that of exact arithmetic on the given numbers.

    Args:
        x0: Positions at time 0 of vertex and corners, v, f0, f1, f2: (4, 3), or (n, 4, 3) for n queries [m].
        x1: Positions at time 1; points move on straight lines.
        control: Cubic paths instead: four Bernstein control points x, y, z for each point, (4, 4, 3) or (n, 4, 4, 3).
        tolerance: With a margin, a minimum distance of up to this more may count as contact; without, the points move
            no farther than this within a bracket [m].
        margin: Distance that counts as contact [m].
        exact: Without a margin, decide in exact arithmetic what float64 leaves open, about a millisecond each; False
            lets a minimum distance within `tolerance` count as contact there.
        budget: How many time intervals a query may examine; beyond that it is undecided, and counts as contact.
        threads: How many threads share a batch; the answers do not depend on it.

    Examples:
        A vertex falls through a triangle:
        >>> import keepclear as kc
        >>> triangle = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
        >>> q = kc.vertex_face_contact([[0.2, 0.2, 1.0], *triangle], [[0.2, 0.2, -1.0], *triangle])
        >>> q.colliding, round(q.time, 5)
        (True, 0.5)
    """
    return _contact(point_contact.VERTEX_FACE, x0, x1, control, tolerance, margin, exact, budget, threads)


def edge_edge_contact(
    x0: npt.ArrayLike | None = None,
    x1: npt.ArrayLike | None = None,
    *,
    control: npt.ArrayLike | None = None,
    tolerance: float = 1e-6,
    margin: float = 0.0,
    exact: bool = True,
    budget: int = _BUDGET,
    threads: int = 1,
) -> PointContact:
    """Return whether and when two moving edges touch, or come within a margin of each other, in [0, 1].

    Like `vertex_face_contact`, with the ends of both edges, a0, a1, b0, b1, as points.

    Args:
        x0: Positions at time 0: (4, 3), or (n, 4, 3) for n queries [m].
        x1: Positions at time 1; points move on straight lines.
        control: Cubic paths instead: four Bernstein control points for each point, (4, 4, 3) or (n, 4, 4, 3).
        tolerance: See `vertex_face_contact`.
        margin: Distance that counts as contact [m].
        exact: See `vertex_face_contact`.
        budget: How many time intervals a query may examine.
        threads: How many threads share a batch.

    Examples:
        One edge falls onto the edge below and crosses it; another falls beside it:
        >>> import keepclear as kc
        >>> below = [[0.0, -1.0, 0.0], [0.0, 1.0, 0.0]]
        >>> x0 = [[[-1.0, 0.0, 1.0], [1.0, 0.0, 1.0], *below], [[1e-9, 0.0, 1.0], [1.0, 0.0, 1.0], *below]]
        >>> x1 = [[[-1.0, 0.0, -0.25], [1.0, 0.0, -0.25], *below], [[1e-9, 0.0, -0.25], [1.0, 0.0, -0.25], *below]]
        >>> q = kc.edge_edge_contact(x0, x1)
        >>> q.colliding.tolist(), q.time.round(5).tolist()
        ([True, False], [0.8, nan])
    """
    return _contact(point_contact.EDGE_EDGE, x0, x1, control, tolerance, margin, exact, budget, threads)


def _contact(
    kind: int,
    x0: object,
    x1: object,
    control: object,
    tolerance: object,
    margin: object,
    exact: bool,
    budget: Any,
    threads: object,
) -> PointContact:
    eps, gap = checked_length("tolerance", tolerance), checked_length("margin", margin)
    if (type(budget) is not int and not is_whole(budget)) or budget < 1:
        raise ArgumentError(f"budget must be a whole number of intervals >= 1, but it is {shown(budget)}.")
    most, n_threads = min(int(budget), MOST_EVALUATIONS), checked_threads(threads)
    X, Y, single = _paths(x0, x1, control)
    d = 1 if control is None else 3
    rows = np.empty((len(X), point_contact.ROW))

    def piece(i: int, j: int) -> None:
        _contact_many(
            X[i:j].reshape(-1), Y[i:j].reshape(-1), kind, d, eps, gap, most, _empty(_SCRATCH), rows[i:j].reshape(-1)
        )  # fmt: skip

    if single:
        _contact_many(X.reshape(-1), Y.reshape(-1), kind, d, eps, gap, most, _empty(_SCRATCH), rows[0])
    else:
        in_pieces(len(rows), n_threads, piece)
    exact = bool(exact) and gap == 0.0
    if exact and (not single or rows[0, 0] >= NEAR):
        _decide(rows, X, Y, kind)
    if single:
        ended, t_lo, t_hi = rows[0].tolist()[:3]
        time = math.nan if ended == FREE else t_lo
        return PointContact(
            ended != FREE, time, t_lo, t_lo if ended == NEAR else t_hi, ended == OPEN, gap, eps, exact
        )
    return _answers(rows, gap, eps, exact)


def _decide(rows: FloatArray, X: FloatArray, Y: FloatArray, kind: int) -> None:
    """Decide the queries that the kernel left open in integers."""
    for i in np.flatnonzero(rows[:, 0] >= NEAR):
        paths = X[i] if X.ndim == 4 else np.stack([X[i], Y[i]], axis=1)
        found = first_contact_of_points(paths.tolist(), kind == point_contact.EDGE_EDGE)
        rows[i, :3] = (FREE, 1.0, 1.0) if found is None else (CONTACT, *found)


def _answers(rows: FloatArray, margin: float, tolerance: float, exact: bool) -> PointContact:
    ended, t_lo, t_hi = rows[:, 0], rows[:, 1], rows[:, 2]
    colliding = ended != FREE
    time = np.where(colliding, t_lo, math.nan)
    t_hi = np.where(ended == NEAR, t_lo, t_hi)
    answers = [colliding, time, t_lo.copy(), t_hi, ended == OPEN]
    for answer in answers:
        answer.flags.writeable = False
    c, t, low, high, undecided = answers
    return PointContact(c, t, low, high, undecided, margin, tolerance, exact)


def _paths(x0: object, x1: object, control: object) -> tuple[FloatArray, FloatArray, bool]:
    """Return the points of n queries: at 0 and at 1, or control points and nothing; and whether it was one query."""
    if control is not None:
        if x0 is not None or x1 is not None:
            raise ArgumentError("give x0 and x1 for straight paths, or control for cubic ones, but not both.")
        X, single = _points("control", control, (4, 4, 3))
        return X, X[:0], single
    if x0 is None or x1 is None:
        missing = "x0" if x0 is None else "x1"
        raise ArgumentError(
            f"{missing} is missing; give x0 and x1 for straight paths, or control for cubic ones."
        )
    (X, single), (Y, other) = _points("x0", x0, (4, 3)), _points("x1", x1, (4, 3))
    if len(X) != len(Y) or single != other:
        counts = ["one query" if one else f"{len(Z)} queries" for one, Z in ((single, X), (other, Y))]
        raise ArgumentError(f"x0 and x1 must have one shape, but x0 is {counts[0]} and x1 is {counts[1]}.")
    return X, Y, single


def _points(name: str, value: object, shape: tuple[int, ...]) -> tuple[FloatArray, bool]:
    """Return an array of queries, copied, and whether it was a single one."""
    try:
        array = as_array(value)
    except ValueError as error:
        raise ArgumentError(
            f"{_expected(name, shape)}, but {shown(value)} cannot be made into one: {error}"
        ) from error
    single = array.shape == shape
    if array.dtype.kind not in "iuf" or not (single or array.shape[1:] == shape):
        raise ArgumentError(f"{_expected(name, shape)}, but it is {shown(array)}.")
    points = np.array(array[None] if single else array, dtype=np.float64, order="C")
    if math.isfinite(np.vdot(points, points)):  # then all are; large numbers need the check of each
        return points, single
    bad = ~np.isfinite(points)
    if bad.any():
        index = np.argwhere(bad)[0]
        where = ", ".join(map(str, index[1:] if single else index))
        raise ArgumentError(
            f"{name}[{where}] = {points[tuple(index)]} is not finite, one of {int(bad.sum())} such numbers; "
            "repair or leave out these queries."
        )
    return points, single


def _expected(name: str, shape: tuple[int, ...]) -> str:
    return f"{name} must be an array of numbers of shape {shape} or (n, {', '.join(map(str, shape))})"
