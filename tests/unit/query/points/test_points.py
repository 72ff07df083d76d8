"""Moving points: answers known by hand, special positions, and arguments that make no sense."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest

import keepclear as kc
from keepclear.query.points.results import PointContact

FACE = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]]
EDGE = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0]]


def vertex(
    start: list[float], end: list[float], face: list[list[float]] = FACE, **options: object
) -> PointContact:
    """A vertex that moves, and a face at rest."""
    return kc.vertex_face_contact([start, *face], [end, *face], **options)


def edge(start: list[list[float]], end: list[list[float]], **options: object) -> PointContact:
    """An edge that moves, and one at rest."""
    return kc.edge_edge_contact([*start, *EDGE], [*end, *EDGE], **options)


def test_a_single_query_answers_numbers() -> None:
    q = vertex([1, 1, 1], [1, 1, -3])
    assert q.colliding is True
    assert isinstance(q.time, float)
    assert q.t_lo == q.time <= 0.25 <= q.t_hi
    assert q.undecided is False
    assert repr(q).startswith("PointContact(contact between 0.2")
    with pytest.raises(TypeError, match="one query"):
        len(q)
    with pytest.raises(TypeError, match="has no truth value"):
        bool(q)


def test_a_batch_answers_arrays() -> None:
    x0 = np.array([[[1, 1, 1], *FACE], [[5, 5, 1], *FACE]], dtype=np.float32)
    x1 = x0.copy()
    x1[:, 0, 2] = -1
    q = kc.vertex_face_contact(x0, x1)
    assert q.colliding.tolist() == [True, False]
    assert math.isnan(q.time[1])
    assert (q.t_lo[1], q.t_hi[1]) == (1.0, 1.0)
    assert len(q) == 2
    assert repr(q) == "PointContact(2 queries, 1 colliding)"
    assert "exact" in q.safe
    with pytest.raises(ValueError, match="read-only"):
        q.time[0] = 0.0
    assert pickle.loads(pickle.dumps(q)) == q
    assert hash(q) == hash(pickle.loads(pickle.dumps(q)))
    assert q != kc.vertex_face_contact(x0, x1, tolerance=1e-3)


def test_no_queries_have_no_answers() -> None:
    q = kc.edge_edge_contact(np.empty((0, 4, 3)), np.empty((0, 4, 3)))
    assert len(q) == 0
    assert len(kc.vertex_face_contact(control=np.empty((0, 4, 4, 3)))) == 0


@pytest.mark.parametrize(
    ("start", "end", "time"),
    [
        ([1, 1, 0], [1, 1, 5], 0.0),  # touches as it starts
        ([1, 1, 2], [1, 1, 0], 1.0),  # as it ends
        ([0, 0, 1], [0, 0, -1], 0.5),  # at a corner
        ([2, 2, 1], [2, 2, -1], 0.5),  # at the rim
        ([-1, 1, 0], [1, 1, 0], 0.5),  # in the plane
        ([-1, 1, 0], [0, 1, 0], 1.0),  # in the plane, and only just
        ([-2, -2, 0], [6, 6, 0], 0.25),  # in the plane, at a corner
        ([1, 1, 0], [1, 1, 0], 0.0),  # at rest
    ],
)
def test_touching_is_contact(start: list[float], end: list[float], time: float) -> None:
    q = vertex(start, end)
    assert q.colliding
    assert q.t_lo <= time <= q.t_hi
    assert q.t_hi - q.t_lo <= 1e-6


@pytest.mark.parametrize(
    ("start", "end"),
    [
        ([1, 1, 2], [1, 1, 1e-300]),
        ([1, 1, 1e-300], [1, 1, 1e-300]),
        ([-5e-324, 0, 1], [-5e-324, 0, -1]),
        ([-1, 1, 0], [-1e-16, 1, 0]),
        ([-1, -1e-30, 0], [9, -1e-30, 0]),
    ],
)
def test_next_to_touching_is_not_contact(start: list[float], end: list[float]) -> None:
    assert not vertex(start, end).colliding
    assert vertex(start, end, exact=False).colliding


def test_a_volume_that_only_touches_zero_is_contact() -> None:
    # The face comes down onto the vertex and rises again: a double root at 1/2, on cubic paths.
    z = np.array([1.0, -1.0 / 3.0, -1.0 / 3.0, 1.0])  # (2 t - 1)^2
    control = np.zeros((4, 4, 3))
    control[0] = [1.0, 1.0, 0.0]
    control[1:] = np.array(FACE)[:, None]
    control[1:, :, 2] = 3.0 * np.round(z * 3.0)  # whole numbers
    q = kc.vertex_face_contact(control=control)
    assert q.colliding
    assert q.t_lo <= 0.5 <= q.t_hi
    control[0, :, 2] = -1e-9
    assert not kc.vertex_face_contact(control=control).colliding


def test_faces_without_area_are_segments_and_points() -> None:
    segment = [[0, 0, 0], [1, 0, 0], [3, 0, 0]]
    assert vertex([2, 0, 1], [2, 0, -1], segment).colliding
    assert not vertex([2, 1e-12, 1], [2, 1e-12, -1], segment).colliding
    assert not vertex([3.5, 0, 1], [3.5, 0, -1], segment).colliding
    point = [[1, 1, 1]] * 3
    assert vertex([0, 0, 0], [2, 2, 2], point).colliding
    assert not vertex([0, 0, 0], [2, 2, 2.0000001], point).colliding


def test_edges_cross_touch_overlap_and_miss() -> None:
    assert edge([[1, -1, 1], [1, 1, 1]], [[1, -1, -1], [1, 1, -1]]).colliding
    assert edge(
        [[4, 0, 1], [9, 0, 1]], [[4, 0, 0], [9, 0, 0]]
    ).colliding  # in one line, end on end, as time ends
    assert edge([[1, 0, 1], [9, 0, 1]], [[1, 0, -1], [9, 0, -1]]).colliding  # parallel, falling on each other
    assert edge([[9, 0, 0], [5, 0, 0]], [[4, 0, 0], [4, 0, 0]]).colliding  # shrinks to a point on the end
    assert edge([[2, 0, 0], [2, 0, 0]], [[2, 0, 0], [2, 0, 0]]).colliding  # a point, at rest
    assert not edge([[4.000001, 0, 1], [9, 0, 1]], [[4.000001, 0, 0], [9, 0, 0]]).colliding
    assert not edge([[1, 1e-13, 1], [2, 1e-13, 1]], [[1, 1e-13, -1], [2, 1e-13, -1]]).colliding
    assert not edge([[2, 0, 1e-13], [2, 0, 1e-13]], [[2, 0, 1], [2, 0, 2]]).colliding


def test_edges_that_move_in_their_common_plane_meet_where_they_do() -> None:
    q = edge([[-3, 1, 0], [-3, -1, 0]], [[1, 1, 0], [1, -1, 0]])
    assert q.t_lo <= 0.75 <= q.t_hi
    assert not edge([[-3, 1, 0], [-3, -1, 0]], [[-1e-9, 1, 0], [-1e-9, -1, 0]]).colliding


def test_a_margin_counts_as_contact_and_the_tolerance_may() -> None:
    assert not vertex([1, 1, 2], [1, 1, 0.5], margin=0.4).colliding
    q = vertex([1, 1, 2], [1, 1, 0], margin=0.5, tolerance=1e-3)
    assert q.colliding
    assert 0.7495 <= q.time <= 0.75
    assert "0.001 m more than 0.5 m" in q.safe
    assert not q.exact


def test_a_margin_without_a_tolerance_may_stay_undecided() -> None:
    q = vertex([1, 1, 2], [1, 1, 0.5], margin=0.5, tolerance=0.0)
    assert q.colliding
    assert q.undecided
    assert repr(q).startswith("PointContact(undecided, contact between")
    assert not vertex([1, 1, 2], [1, 1, 0.5], margin=0.4999, tolerance=0.0).colliding


def test_more_budget_decides() -> None:
    start, end = [[1, -2, 1], [1, 2, 2]], [[1, -2, -1], [1, 2, 0.5]]
    poor = edge(start, end, margin=1e-3, budget=1)
    assert poor.undecided
    assert poor.colliding
    rich = edge(start, end, margin=1e-3)
    assert rich.colliding
    assert not rich.undecided
    assert poor.t_lo <= rich.t_lo


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"x0": np.zeros((4, 3))}, "x1 is missing"),
        ({"x0": np.zeros((4, 3)), "x1": np.zeros((1, 4, 3))}, "x0 is one query and x1 is 1 queries"),
        ({"x0": np.zeros((2, 4, 3)), "x1": np.zeros((3, 4, 3))}, "x0 is 2 queries and x1 is 3"),
        (
            {"x0": np.zeros((3, 3)), "x1": np.zeros((3, 3))},
            r"x0 must be an array of numbers of shape \(4, 3\)",
        ),
        ({"x0": [[1.0, 2.0], [3.0]], "x1": np.zeros((4, 3))}, "x0 must be an array"),
        ({"x0": np.full((4, 3), "a"), "x1": np.zeros((4, 3))}, "x0 must be an array"),
        (
            {"x0": np.zeros((4, 3)), "x1": np.full((4, 3), np.nan)},
            r"x1\[0, 0\] = nan is not finite, one of 12",
        ),
        ({"x0": np.zeros((4, 3)), "control": np.zeros((4, 4, 3))}, "but not both"),
        ({"control": np.zeros((4, 3))}, r"control must be .* \(4, 4, 3\)"),
        ({"control": np.full((2, 4, 4, 3), np.inf)}, r"control\[0, 0, 0, 0\] = inf"),
        ({"control": np.zeros((4, 4, 3)), "margin": -1.0}, "margin must be a finite number >= 0"),
        ({"control": np.zeros((4, 4, 3)), "tolerance": np.nan}, "tolerance must be a finite number >= 0"),
        ({"control": np.zeros((4, 4, 3)), "budget": 0}, "budget must be a whole number of intervals"),
        ({"control": np.zeros((4, 4, 3)), "threads": 0}, "threads must be"),
    ],
)
def test_bad_arguments_are_refused(arguments: dict[str, object], message: str) -> None:
    for contact in (kc.vertex_face_contact, kc.edge_edge_contact):
        with pytest.raises(kc.ArgumentError, match=message):
            contact(**arguments)
