"""The minimum distance of two moving bodies, and the distance over time, with certified bounds."""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from keepclear.checks import FloatArray
from keepclear.errors import ArgumentError
from keepclear.geometry.bodies.body import Geometry, Parts, has_parts
from keepclear.query.interval.first_contact import Moving
from keepclear.query.interval.local_time import local_queries
from keepclear.query.moving.evaluation import BudgetEnded, Evaluation, Evaluator
from keepclear.query.moving.moving_pair import MovingPair
from keepclear.query.moving.question import Query, checked_query
from keepclear.query.moving.relative_path_length import RelativePathLength
from keepclear.query.moving.results import Clearance, Profile, ReadLater

__all__ = ["clearance"]

# Number of equally spaced instants at which the distance is computed before the search, to prune larger distances.
FIRST_SAMPLES = 5
# Part of the tolerance that the search uses, so that `upper - lower`, rounded, does not exceed it.
TOLERANCE_PART = 0.99


def clearance(
    a: Geometry | Parts,
    motion_a: Moving,
    b: Geometry | Parts,
    motion_b: Moving,
    tolerance: float = 1e-4,
    *,
    budget: int | None = None,
    t0: float | None = None,
    t1: float | None = None,
) -> Clearance:
    """Return how close two moving bodies get, between certified bounds.

    Args:
        a: A shape of any kind; the tree of a mesh; or a compound of them, `[(shape, X), ...]`, each part with its
            pose (4, 4) in the frame of the whole.
        motion_a: How it moves: `kc.Fixed`, `kc.PoseTrajectory`, a `kc.CustomMotion`, or a pose (4, 4) for a body at
            rest.
        b: The other body.
        motion_b: How it moves.
        tolerance: How far apart `lower` and `upper` may be [m].
        budget: Maximum number of distances to compute, up to a few more; None sets no limit. If it is reached first,
            `lower` is 0.
        t0: Start of the interval [s]. By default where the first of the two motions begins.
        t1: Its end [s]. By default where the last of the two motions ends.

    Returns:
        A `Clearance`: `lower` and `upper` of the minimum distance, which is 0 in contact, `time` at which `upper` is
        reached, the closest points then, and `profile(times)`.

    Raises:
        ArgumentError: A number or an option is invalid.
        TrajectoryError: A motion does not cover the interval, or deforms its body too much.

    Examples:
        A ball passes a wall at a distance of 20 cm.

        >>> import numpy as np
        >>> import keepclear as kc
        >>> X_WB = np.tile(np.eye(4), (2, 1, 1))
        >>> X_WB[:, :2, 3] = [[-1.0, 0.4], [1.0, 0.4]]
        >>> passing = kc.PoseTrajectory([0.0, 2.0], X_WB, "linear")
        >>> m = kc.clearance(kc.Box([0.2, 0.2, 2]), np.eye(4), kc.Sphere(0.1), passing)
        >>> m.lower <= 0.2 <= m.upper, m.upper - m.lower <= 1e-4
        (True, True)
    """
    if has_parts(a, b):
        from keepclear.query.interval.compound import compound_clearance, part_queries

        options = {"tolerance": tolerance, "budget": budget, "t0": t0, "t1": t1}
        return compound_clearance(part_queries(a, motion_a, b, motion_b, **options))
    query = checked_query(a, motion_a, b, motion_b, tolerance=tolerance, budget=budget, t0=t0, t1=t1)
    query.tolerance *= TOLERANCE_PART
    if query.is_packed and query.t0 < query.t1:
        pair = MovingPair.of(query, least=True)
        found = _searched(pair, query, math.inf, query.t0) if pair.is_convex else None
        if found is not None:
            return SearchedClearance(query, found)
    evaluator = Evaluator(query)
    best = evaluator.nearest(_first_samples(query.t0, query.t1))
    if query.is_packed and query.t0 < query.t1:
        best = _descended(query, evaluator, best)
    lower, upper, time, count, sample = _least(query, best, evaluator.count)
    if time != best.t or sample is not None:
        best = sample or evaluator.at(time)
    upper = max(0.0, min(upper, best.upper))
    return Clearance(
        lower=min(lower, upper),
        upper=upper,
        time=time,
        p_WA=np.array(best.answer.p_WA),
        p_WB=np.array(best.answer.p_WB),
        evaluations=evaluator.count + count,
        holds=query.holds,
        deviation=sum(query.deviations),
        names=query.names,
        _profile=partial(profile_of, query),
    )


class SearchedClearance(ReadLater, Clearance):
    """A `Clearance` whose closest points and assumptions are computed when they are read."""

    __slots__ = ("_query",)

    _query: Query

    parts = (-1, -1)

    def __init__(self, query: Query, found: Least) -> None:
        values = {"lower": min(found.lower, found.upper), "upper": found.upper, "time": found.time}
        for name, value in (values | {"evaluations": found.effort, "_query": query}).items():
            object.__setattr__(self, name, value)

    def _later(self, name: str) -> Mapping[str, Any] | None:
        query = self._query
        if name in ("p_WA", "p_WB"):
            answer = Evaluator(replace(query, budget=None)).at(self.time).answer
            return {"p_WA": np.array(answer.p_WA), "p_WB": np.array(answer.p_WB)}
        if name in ("holds", "deviation", "names", "_profile"):
            return {
                "holds": query.holds, "deviation": sum(query.deviations), "names": query.names,
                "_profile": partial(profile_of, query),
            }  # fmt: skip
        return None


def _first_samples(t0: float, t1: float) -> FloatArray:
    """Return equally spaced instants from t0 to t1 [s]."""
    step = (t1 - t0) / (FIRST_SAMPLES - 1)
    return np.array([t0, *[k * step + t0 for k in range(1, FIRST_SAMPLES - 1)], t1] if t0 < t1 else [t0])


class Least(NamedTuple):
    """Bounds of a minimum distance.

    Attributes:
        lower: It is at least this [m].
        upper: It is at most this [m].
        time: When `upper` is reached [s].
        effort: The number of distance queries.
        sample: The distance at that instant, if no float64 time represents it.
    """

    lower: float
    upper: float
    time: float
    effort: int
    sample: Evaluation | None = None


def least_below(query: Query, below: float, hint: float) -> Least:
    """Return bounds of the minimum distance, as far as it is less than `below`.

    If the distance never gets below that, the upper bound is `below` itself, and the lower one a tolerance less.
    `hint` is an instant at which the bodies are likely to be near each other, or nan if `below` is already close to
    their minimum distance.
    """
    query = replace(query, tolerance=TOLERANCE_PART * query.tolerance)
    if query.is_packed and query.t0 < query.t1:
        pair = MovingPair.of(query, least=True)
        found = _searched(pair, query, below, query.t0, hint) if pair.is_convex else None
        if found is not None:
            return found
        if hint != hint and not pair.is_convex:
            return _least_from(query, below, query.t0, 0)
    evaluator = Evaluator(query)
    try:
        sample = evaluator.at(hint if query.t0 <= hint <= query.t1 else query.t0)
    except BudgetEnded:
        return Least(0.0, below, query.t0, evaluator.count)
    if query.is_packed and query.t0 < query.t1:
        sample = _descended(query, evaluator, sample)
    if query.t0 == query.t1 or sample.upper <= 0.0:
        return Least(sample.lower, max(0.0, min(sample.upper, below)), sample.t, 1)
    # harmless (min): a larger upper bound
    return _least_from(query, min(sample.upper, below), sample.t, evaluator.count)


def _least(query: Query, best: Evaluation, spent: int) -> Least:
    """Return bounds of the minimum distance, starting from a known instant; `spent` counts towards the budget."""
    if best.upper <= 0.0 or query.t0 == query.t1:
        return Least(0.0 if best.upper <= 0.0 else best.lower, max(best.upper, 0.0), best.t, 0)
    return _least_from(query, best.upper, best.t, spent)


def _least_from(query: Query, upper: float, time: float, spent: int) -> Least:
    """Return the same from a known upper bound, in local time if absolute times have too few digits."""
    if not query.is_advanced:
        return _by_halves(query, upper, time, spent)
    found = _searched(MovingPair.of(query, least=True), query, upper, time, spent=spent)
    return _least_locally(query, upper, time, spent) if found is None else found


def _searched(
    pair: MovingPair, query: Query, below: float, time: float, hint: float = math.nan, spent: int = 0
) -> Least | None:
    """Return bounds of the minimum distance by a search over time, and over the trees of meshes.

    None where rounding leaves no proof.

    Args:
        pair: The pair, created for a minimum distance.
        query: The query.
        below: Larger distances are not computed [m].
        time: When that distance is reached, if it is [s].
        hint: An instant at which the bodies may be close [s], or nan.
        spent: Distances that were computed before and count towards the budget.
    """
    if not pair.is_convex and pair.starts_inside(query):
        return Least(0.0, 0.0, query.t0, 0)
    left = None if query.budget is None else query.budget - spent
    if left is not None and left < 1:
        return Least(0.0, below, time, 0)
    row = pair.row
    row["distance"], row["time"], row["hint"] = below, time, hint
    pair.run(left)
    if row["unproved"][0]:
        return None
    upper, is_over = row["distance"].item(), row["now"][0] >= query.t1  # else the budget ended
    # harmless (max): a smaller lower bound
    lower = row["lower"].item() if pair.is_convex else max(0.0, upper - query.tolerance)
    return Least(min(lower, upper) if is_over else 0.0, upper, row["time"].item(), row["evaluations"].item())


def _descended(query: Query, evaluator: Evaluator, sample: Evaluation) -> Evaluation:
    """Return an instant at which two bodies, of which one is a mesh, are close, starting from a given one.

    The minimum distance over time of the closest features at an instant is searched, then that of the closest features
    at its time, and so on while this gains more than the tolerance. The result is an upper bound to start a search
    with: a search with a poor bound proves more than needed, or visits most triangles twice.
    """
    # harmless (>): it selects the instant that a search begins with
    while query.is_packed and sample.upper > query.tolerance and sample.answer._is_of_surfaces:
        faces = MovingPair.of_faces(query, sample.answer.faces.tolist())
        if faces is None:
            break
        found = _searched(faces, query, sample.upper, query.t0, sample.t, evaluator.count)
        # harmless (<): it selects the instant that a search begins with
        if found is None or not found.upper < sample.upper - query.tolerance:
            break
        try:
            evaluator.count += found.effort
            closer = evaluator.at(found.time)
        except BudgetEnded:
            break
        # harmless (<): it selects the instant that a search begins with
        if not closer.upper < sample.upper:
            break
        sample = closer
    return sample


def _least_locally(query: Query, upper: float, time: float, spent: int) -> Least:
    """Return the same, part by part in local time; by bisection if rounding leaves no other proof."""
    lower, count, sample = upper, 0, None
    for part in local_queries(query):
        local, nowhere = part.query, -1.0
        pair = MovingPair.of(local, least=True)
        found = _searched(pair, local, upper, nowhere, spent=spent + count)
        if found is None:
            found = _by_halves(local, upper, nowhere, spent + count)
        lower, count = min(lower, found.lower), count + found.effort
        # harmless (<): a larger upper bound
        if found.time != nowhere and found.upper < upper:
            upper, time = found.upper, part.bracket(found.time)[1]
            sample = Evaluator(replace(local, budget=None)).at(found.time)
        # harmless (<): if it ends here, the lower bound is 0
        if upper <= 0.0 or lower <= 0.0 < upper - query.tolerance:  # contact, or the budget ended
            break
    return Least(min(lower, upper), upper, time, count, sample)


def _by_halves(query: Query, upper: float, time: float, spent: int) -> Least:
    """Return the same by halving the part of the interval with the smallest bound, which comes from path lengths."""
    path_length, evaluator = RelativePathLength(query), Evaluator(query)
    evaluator.count = spent
    numbers = itertools.count()  # decide between equal bounds
    settled = math.inf  # the bound of an interval that cannot be halved
    heap: list[
        tuple[float, float, int, Evaluation, Evaluation]
    ] = []  # of equal bounds the shortest interval first

    def sample(t: float) -> Evaluation:
        nonlocal upper, time
        found = evaluator.at(t)
        if found.upper < upper:
            upper, time = max(0.0, found.upper), t
        return found

    try:
        first, last = sample(query.t0), sample(query.t1)
        heap.append((_between(path_length, first, last), last.t - first.t, next(numbers), first, last))
        while heap and heap[0][0] < upper - query.tolerance:
            bound, _, _, start, end = heapq.heappop(heap)
            t = 0.5 * (start.t + end.t)
            if not start.t < t < end.t:
                settled = bound  # the smallest bound: no other interval raises it
                break
            middle = sample(t)
            for p, q in ((start, middle), (middle, end)):
                heapq.heappush(heap, (_between(path_length, p, q), q.t - p.t, next(numbers), p, q))
    except BudgetEnded:
        return Least(0.0, upper, time, evaluator.count - spent)
    lower = min(settled, heap[0][0] if heap else math.inf, upper)
    return Least(lower, upper, time, evaluator.count - spent)


def _between(path_length: RelativePathLength, start: Evaluation, end: Evaluation) -> float:
    """Return a lower bound of the distance between two instants: bodies that touch travel both distances."""
    return max(0.0, 0.5 * (start.lower + end.lower - path_length.needed(start.t, end.t, 2)))


def profile_of(query: Query, times: FloatArray) -> Profile:
    """Return bounds at given times and between them."""
    if times.ndim != 1 or not np.isfinite(times).all() or (np.diff(times) <= 0.0).any():
        raise ArgumentError("times must be an array (n,) of finite, increasing instants in seconds.")
    if len(times) and not (query.t0 <= times[0] and times[-1] <= query.t1):
        raise ArgumentError(
            f"times must be within the interval of the query, {query.t0:.9g} to {query.t1:.9g} s, "
            f"but they go from {times[0]:.9g} to {times[-1]:.9g} s."
        )
    free = replace(query, budget=None)
    evaluator, path_length = Evaluator(free), RelativePathLength(free)
    samples = [evaluator.at(t) for t in times.tolist()]
    between = np.empty(max(0, len(samples) - 1))
    for k, (start, end) in enumerate(itertools.pairwise(samples)):
        best = min(start, end, key=lambda sample: sample.upper)
        between[k] = _between(path_length, start, end)
        if between[k] < best.lower - query.tolerance:
            between[k] = _least(replace(free, t0=start.t, t1=end.t), best, 0).lower
    lower = np.array([sample.lower for sample in samples])
    upper = np.array([max(0.0, sample.upper) for sample in samples])
    return Profile(times, lower, upper, between)
