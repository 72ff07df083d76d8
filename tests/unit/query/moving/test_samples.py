"""Distances of many pairs at instants in one call: the same as those of each pair alone."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import keepclear as kc
from keepclear.query.moving import samples as module
from keepclear.query.moving.samples import PairSamples, Sampled


def at(x: float, y: float = 0.0, z: float = 0.0) -> np.ndarray[Any, Any]:
    X = np.eye(4)
    X[:3, 3] = x, y, z
    return X


def as_mesh(size: float) -> kc.Mesh:
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * size / 2
    faces = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6],
             [0, 6, 4], [1, 5, 7], [1, 7, 3]]  # fmt: skip
    return kc.Mesh(corners, faces)


def turned(x: float, angle: float) -> np.ndarray[Any, Any]:
    X = at(x)
    c, s = np.cos(angle), np.sin(angle)
    X[:2, :2] = [[c, -s], [s, c]]
    return X


BODIES: list[Any] = [kc.Box([0.2, 0.3, 0.4]), kc.Sphere(0.1), as_mesh(0.3), as_mesh(0.05)]
REST = kc.Fixed(at(0.0, 0.05, 0.01))
PASSING = kc.PoseTrajectory([0, 2, 5], [turned(-1, 0), turned(0.2, 1), turned(1, 2)], "screw")


def expected(pair: Sampled, t: np.ndarray[Any, Any]) -> Any:
    assert pair.motion_a is not None
    assert pair.motion_b is not None
    return kc.distance(pair.body_a, pair.motion_a.pose(t), pair.body_b, pair.motion_b.pose(t))


def check(pairs: list[Sampled], times: list[np.ndarray[Any, Any]], found: list[Any]) -> None:
    for pair, t, rows in zip(pairs, times, found, strict=True):
        assert rows.shape[0] == len(t)
        if len(t):
            one = expected(pair, t)
            np.testing.assert_array_equal(rows[:, 1], one.lower)
            np.testing.assert_array_equal(rows[:, 2], one.upper)
            np.testing.assert_array_equal(rows[:, 0], one.distance)
            apart = one.distance > 0.0
            np.testing.assert_array_equal(rows[apart, 3:6], one.p_WA[apart])
            np.testing.assert_array_equal(rows[apart, 6:9], one.p_WB[apart])
            np.testing.assert_array_equal(rows[:, 9:12], one.normal_W)


def all_pairs() -> tuple[list[Sampled], list[np.ndarray[Any, Any]]]:
    """Every two bodies: apart, touching, and the small mesh inside the larger one; one pair at no instant."""
    pairs = [Sampled(a, REST, b, PASSING) for a, b in product(BODIES, BODIES)]
    times = [np.linspace(0.0, 5.0, 3 + k) if k != 5 else np.empty(0) for k in range(len(pairs))]
    return pairs, times


def test_all_kinds_of_pairs_have_the_distances_of_each_alone() -> None:
    pairs, times = all_pairs()
    found = PairSamples(pairs).rows(times)
    check(pairs, times, found)
    assert any((rows[:, 0] < 0.0).any() for rows in found), "some overlap"
    assert any((rows[:, 0] > 0.5).any() for rows in found), "some are far apart"


def test_given_poses_are_those_of_motions() -> None:
    pairs, times = all_pairs()
    given = PairSamples([Sampled(a, None, b, PASSING) for a, _, b, _ in pairs])
    X_WA = [np.asarray(REST.pose(t)) for t in times]
    check(pairs, times, given.rows(times, X_WA))
    moved = PairSamples([Sampled(a, REST, b, None) for a, _, b, _ in pairs])
    check(pairs, times, moved.rows(times, (), [np.asarray(PASSING.pose(t)) for t in times]))


def test_a_search_that_pauses_continues_where_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs, times = all_pairs()
    monkeypatch.setattr(module, "PIECE", 1)
    check(pairs, times, PairSamples(pairs).rows(times))


def test_trees_of_boxes_are_asked_one_by_one() -> None:
    _, times = all_pairs()
    box_tree: Any = kc.build_box_tree(BODIES[2])
    on_boxes = [Sampled(box_tree, REST, BODIES[2], PASSING), Sampled(BODIES[0], REST, BODIES[1], PASSING)]
    check(on_boxes, times[:2], PairSamples(on_boxes).rows(times[:2]))


def test_a_pose_that_is_not_rigid_is_refused() -> None:
    for body in (BODIES[0], BODIES[2]):
        bad = np.array([at(0.0), 2.0 * np.eye(4)])
        samples = PairSamples([Sampled(body, None, BODIES[1], REST)])
        with pytest.raises(kc.PoseError, match=r"X_WA\[1\] has the last row"):
            samples.rows([np.zeros(2)], [bad])


def test_path_lengths_hold_and_are_tight() -> None:
    """A ball on a line has its speed; points of a box that turns are faster, and a knot lies between two instants."""
    line = kc.PoseTrajectory([0, 1, 3], [at(0), at(1), at(2)], "linear")
    pairs = [
        Sampled(BODIES[0], REST, BODIES[1], line),
        Sampled(BODIES[0], REST, BODIES[1], PASSING),
        Sampled(BODIES[0], line, BODIES[1], line),
    ]
    times = [np.array([0.0, 0.5, 2.0, 3.0]), np.empty(0), np.array([0.0, 3.0])]
    found = PairSamples(pairs).path_lengths(times, [3.0, 3.0, 3.0])
    assert found[0] == pytest.approx([0.5, 1.0, 0.5], rel=1e-9)
    assert (found[0] >= [0.5, 1.0, 0.5]).all()
    assert len(found[1]) == 0
    assert 0.0 <= found[2].item() < 1e-12
    instants = np.linspace(0.0, 5.0, 41)
    (lengths,) = PairSamples([Sampled(BODIES[2], REST, BODIES[0], PASSING)]).path_lengths([instants], [3.0])
    corners = np.array([[x, y, z, 1] for x in (-0.1, 0.1) for y in (-0.15, 0.15) for z in (-0.2, 0.2)]).T
    fine = np.linspace(0.0, 5.0, 40 * 25 + 1)
    moved = np.asarray(PASSING.pose(fine)) @ corners
    steps = np.linalg.norm(np.diff(moved[:, :3], axis=0), axis=1).reshape(40, 25, -1).sum(axis=1).max(axis=1)
    assert (lengths >= steps).all()
    assert (lengths <= 1.3 * steps).all()
