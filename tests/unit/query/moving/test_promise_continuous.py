"""Queries over time whose poses, planes and paths are wrong by as much as is allowed for: no answer becomes wrong."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from tests.oracles.poses import pose, random_rotation

import keepclear as kc
from keepclear.geometry.bodies import bounds
from keepclear.kernels.motion import state as layout
from keepclear.motion import path_length
from keepclear.motion.path_length import packed_travel
from keepclear.query.interval import clearance, local_time, separation
from keepclear.query.moving import deformed, evaluation, overlap, relative_path_length
from keepclear.query.moving.evaluation import Evaluator
from keepclear.query.moving.moving_pair import MovingPair
from keepclear.query.moving.question import checked_query
from keepclear.query.moving.relative_path_length import RelativePathLength

ALLOWED, PART = 1e-3, 0.999
FLOOR, BALL, BOX = kc.Box([8.0, 6.0, 1.0]), kc.Sphere(0.25), kc.Box([0.5, 0.5, 0.5])
CUBE = [[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]
QUADS = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]


def at(x: float, y: float, z: float) -> np.ndarray:
    return pose(np.eye(3), [x, y, z])


def cube(size: float) -> kc.Mesh:
    return kc.Mesh(size * np.array(CUBE), QUADS)


def falling(high: float, low: float) -> kc.PoseTrajectory:
    """A body of half a metre above the floor, which falls from a height to another."""
    return kc.PoseTrajectory([0.0, 1.0], [at(0.1, 0.2, 0.75 + high), at(0.3, 0.2, 0.75 + low)], "linear")


class Slow(kc.CustomMotion):
    """Rests, and does not know that it does: its paths may have any length that it says."""

    def __init__(self, X: np.ndarray, length: float = 0.0, t0: float = 0.0, t1: float = 1.0) -> None:
        super().__init__(t0, t1)
        self.X, self.length = X, length

    def pose(self, t: float) -> np.ndarray:
        del t
        return self.X

    def path_length(self, radius: float, t0: float, t1: float) -> float:
        del radius
        return self.length if t1 > t0 else 0.0


@pytest.fixture
def wrong(monkeypatch: pytest.MonkeyPatch) -> dict[str, float]:
    """Poses of moving bodies are `up` too high, of which a thousandth of the size is allowed."""
    fault = {"up": 0.0}
    monkeypatch.setattr(layout, "POSE_ROUNDING", ALLOWED)
    right = kc.PoseTrajectory._poses_at

    def poses_at(self: Any, times: np.ndarray) -> np.ndarray:
        X = np.array(right(self, times))
        X[:, 2, 3] += fault["up"]
        return X

    monkeypatch.setattr(kc.PoseTrajectory, "_poses_at", poses_at)
    return fault


@pytest.mark.parametrize("margin", [0.0, 0.125])
@pytest.mark.parametrize("body", [BALL, BOX], ids=["ball", "box"])
def test_wrong_poses(wrong: dict[str, float], body: Any, margin: float) -> None:
    for low in (margin - 0.002, -0.3):
        query = checked_query(FLOOR, np.eye(4), body, falling(0.5, low), margin=margin, tolerance=0.05)
        wrong["up"] = PART * ALLOWED * query.size
        found = kc.first_contact(
            FLOOR, np.eye(4), body, falling(0.5, low), margin=margin, tolerance=0.05, method="bisection"
        )
        assert found.verdict is not kc.Verdict.CLEAR
        assert found.t_lo <= (0.5 - margin) / (0.5 - low)
        path = falling(0.5, margin + 0.001)
        size = checked_query(FLOOR, np.eye(4), body, path).size
        wrong["up"] = -PART * ALLOWED * size
        found = kc.first_contact(
            FLOOR, np.eye(4), body, path, margin=margin, tolerance=0.05, method="bisection"
        )
        if found.verdict is kc.Verdict.COLLIDING:
            assert found.distance >= 0.5 - found.time * (0.499 - margin)
        evaluated = Evaluator(checked_query(FLOOR, np.eye(4), body, path, margin=margin)).at(1.0)
        assert not evaluated.contact
        assert evaluated.upper >= margin + 0.001
        wrong["up"] = PART * ALLOWED * size
        evaluated = Evaluator(checked_query(FLOOR, np.eye(4), body, path, margin=margin)).at(1.0)
        assert evaluated.lower <= margin + 0.001


def test_meshes_that_cross_by_rounding_alone(wrong: dict[str, float]) -> None:
    mesh, path = cube(0.5), falling(0.5, 0.001)
    query = checked_query(cube(1.0), np.eye(4), mesh, path)
    wrong["up"] = -PART * ALLOWED * query.size
    assert not Evaluator(query).at(1.0).contact


@pytest.mark.parametrize("which", ["a", "b", "packed"])
def test_wrong_poses_of_unpacked_motions(which: str, monkeypatch: pytest.MonkeyPatch) -> None:
    up = 0.01
    motions: list[Any] = [Slow(at(0.0, 0.0, 0.0)), Slow(at(0.0, 0.0, 1.0))]
    if which == "packed":
        motions[1] = kc.PoseTrajectory([0.0, 1.0], [at(0.0, 0.0, 1.0)] * 2, "linear")
        monkeypatch.setattr(layout, "POSE_ROUNDING", up / (1.0 + 0.25))
        monkeypatch.setattr(evaluation, "pose_rounding", lambda *_: 0.0)
    else:
        queried = 0.0 if which == "a" else 1.0
        monkeypatch.setattr(
            evaluation, "pose_rounding", lambda _, X, __: up if X[0, 2, 3] == queried else 0.0
        )
    query = checked_query(FLOOR, motions[0], BALL, motions[1])
    found = Evaluator(query).at(0.5)
    assert found.lower <= 0.25 - 0.999 * up
    assert found.upper >= 0.25 + 0.999 * up


def test_deformed_bodies_are_nearer_than_rigid_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    path = kc.PoseTrajectory(np.arange(4.0), np.array([at(0.0, 0.0, 1.0)] * 4), "cubic")
    query = checked_query(FLOOR, np.eye(4), BALL, path, tolerance=1.0)
    monkeypatch.setattr(evaluation, "nearest_rotation", lambda M: (M, 0.1, 0.9, 1.1))
    found = Evaluator(query).at(0.5)
    assert found.lower <= 0.25 - 0.1 * 0.25
    assert found.upper >= 0.25 + 0.1 * 0.25


@pytest.mark.parametrize("method", ["bisection", "sampling"])
def test_an_instant_at_which_the_distance_may_be_the_margin(method: Any) -> None:
    for margin in (0.1, 0.3):
        X = at(0.0, 0.0, 0.75 + margin)
        found = kc.first_contact(FLOOR, np.eye(4), BALL, X, margin=margin, t0=0.0, t1=0.0, method=method)
        assert found.verdict is not kc.Verdict.CLEAR
        if method == "sampling":
            assert found.verdict is kc.Verdict.COLLIDING


def test_bodies_that_cross_the_scene_between_two_instants() -> None:
    far = Slow(at(0.0, 0.0, 10.0), 100.0, 1.0, 2.0)
    found = kc.first_contact(FLOOR, np.eye(4), BALL, far, t0=1.0, t1=1.0 + 2.0**-50, method="bisection")
    assert found.verdict is kc.Verdict.UNDECIDED


def test_one_packed_motion_beside_one_that_is_not() -> None:
    for motion in (
        falling(0.5, -0.5),
        kc.PoseTrajectory([0.0, 0.5, 1.0], [at(0, 0, 2), at(0, 0, 0.6), at(0, 0, 2)], "linear"),
    ):
        found = kc.first_contact(FLOOR, Slow(np.eye(4)), BALL, motion)
        assert found.verdict is kc.Verdict.COLLIDING


def test_a_mesh_inside_of_a_box() -> None:
    path = kc.PoseTrajectory([0.0, 1.0], [at(1.0, 0.5, 0.2), at(1.1, 0.5, 0.2)], "linear")
    found = kc.first_contact(kc.Box([4.0, 4.0, 4.0]), np.eye(4), cube(0.1), path)
    assert found.verdict is kc.Verdict.COLLIDING
    assert found.t_lo == 0.0
    query = checked_query(kc.Box([4.0, 4.0, 4.0]), np.eye(4), cube(0.1), path)
    assert MovingPair.of(query).starts_inside(query)


def test_bisection_with_roots() -> None:
    many = kc.Mesh(
        np.concatenate([np.array(CUBE) + np.array([2.0 * k, 0.0, 0.0]) for k in range(12)]),
        np.concatenate([np.array(QUADS) + 8 * k for k in range(12)]),
    )
    for low, expected in ((-0.1, kc.Verdict.COLLIDING), (0.1, kc.Verdict.CLEAR)):
        path = kc.PoseTrajectory(
            [0.0, 1.0, 2.0], [at(0.1, 0.2, 5), at(0.2, 0.1, 1.0 + low), at(0, 0, 5)], "linear"
        )
        found = kc.first_contact(many, np.eye(4), cube(1.0), path, method="bisect_exact")
        assert found.verdict is expected


def test_casts_keep_their_margin() -> None:
    ends = at(-2.0, 0.0, 0.85), at(2.0, 0.0, 0.85)
    for margin in (0.11, np.array([0.11])):
        found = kc.first_contact(FLOOR, np.eye(4), BALL, ends, margin=margin)
        assert np.all(np.asarray(found.verdict) == kc.Verdict.COLLIDING) or np.all(found.colliding)


def test_planes_allow_for_rounding(monkeypatch: pytest.MonkeyPatch) -> None:
    # A support point may be wrong by a thousandth of the size, and poses twice by as much.
    right = separation.support_point
    path = kc.PoseTrajectory([0.0, 1.0], [at(-3.0, 0.0, 0.8), at(3.0, 0.0, 0.8)], "linear")
    for term in ("ROUNDING", "POSE_ROUNDING"):
        query = checked_query(FLOOR, np.eye(4), BOX, path, margin=0.05 + 1e-6)
        with monkeypatch.context() as patch:
            up = PART * ALLOWED * query.size * (1.0 if term == "ROUNDING" else 2.0)

            def support_point(shape: Any, M: Any, n: Any, up: float = up) -> Any:
                return right(shape, M, n) + (np.array([0.0, 0.0, up]) if shape is BOX else 0.0)

            patch.setattr(separation, "support_point", support_point)
            patch.setattr(separation, "ROUNDING", ALLOWED if term == "ROUNDING" else 0.0)
            patch.setattr(layout, "POSE_ROUNDING", 0.0 if term == "ROUNDING" else ALLOWED)
            planes = separation.Planes(query, Evaluator(query), RelativePathLength(query))
            end = Evaluator(replace(query, margin=0.0)).at(0.0)
            assert not planes.prove_after(end._replace(lower=1.0), 1.0)


def test_lengths_of_steps_allow_for_rounding(monkeypatch: pytest.MonkeyPatch) -> None:
    # Each step is shorter than it should be by as much as is allowed.
    c, s = math.cos(1.0), math.sin(1.0)
    turned = np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])
    path = kc.PoseTrajectory([0.0, 1.0, 2.0], [at(0, 0, 3), pose(turned, [1, 0, 3]), at(2, 0, 3)], "linear")
    still = kc.PoseTrajectory([0.0, 2.0], [np.eye(4), at(0.0, 0.0, -0.1)], "linear")
    kernel = path_length.path_lengths
    for motion in (np.eye(4), still):
        query, n = checked_query(FLOOR, motion, BOX, path, tolerance=0.1), np.array([0.0, 0.0, 1.0])
        true = RelativePathLength(query)
        spans = [(0.0, 2.0), (0.1, 0.2), (0.3, 1.7), (0.9, 1.1), (0.0, 1.0)]
        lengths = [true.needed(*span, 1) for span in spans]
        along = [[true.moved_along(k, n, *span) for k in range(3)] for span in spans]

        def short(
            frame: Any, packs: Any, body: Any, times: Any, n: Any, out: Any, size: float = query.size
        ) -> None:
            kernel(frame, packs, body, times, n, out)
            out[0::3] -= PART * ALLOWED * size
            out[2::3] -= PART * ALLOWED * size

        with monkeypatch.context() as patch:
            patch.setattr(path_length, "path_lengths", short)
            patch.setattr(relative_path_length, "STEP_ROUNDING", ALLOWED)
            found = RelativePathLength(query)
            for k, span in enumerate(spans):
                assert found.needed(*span, 1) >= lengths[k] * (1.0 - 1e-9)
                for i in range(3):
                    assert found.moved_along(i, n, *span) >= along[k][i] - 1e-9


def test_lengths_of_whole_paths_allow_for_rounding(monkeypatch: pytest.MonkeyPatch) -> None:
    path, around = falling(0.5, 0.0), np.array([0.0, 0.0, 0.0, 0.25, 0.25, 0.25, 0.25])
    true, kernel, size = packed_travel(path, around, 0.0, 1.0), path_length.path_lengths, 1.0

    def short(frame: Any, packs: Any, body: Any, times: Any, n: Any, out: Any) -> None:
        kernel(frame, packs, body, times, n, out)
        out[0::3] -= PART * ALLOWED * size

    monkeypatch.setattr(path_length, "path_lengths", short)
    monkeypatch.setattr(layout, "POSE_ROUNDING", ALLOWED)
    assert packed_travel(path, around, 0.0, 1.0) >= true


def test_deformed_distances_allow_for_rounding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deformed, "ROUNDING", ALLOWED)
    right, M = deformed.support_point, at(0.0, 0.0, 1.0)
    size = deformed._size(FLOOR, np.eye(4)) + deformed._size(BOX, M)
    for up in (PART, -PART):

        def support_point(shape: Any, matrix: Any, n: Any, up: float = up) -> Any:
            off = up * ALLOWED * size if shape is BOX else 0.0
            return right(shape, matrix, n) + np.array([0.0, 0.0, off])

        monkeypatch.setattr(deformed, "support_point", support_point)
        for gap in (1e-6, 1.0):
            found = deformed._convex_distance(FLOOR, np.eye(4), BOX, M, gap)
            assert found.lower <= 0.25 <= found.upper
            turned = pose(random_rotation(np.random.default_rng(3)), [0.1, 0.2, 1.5])
            found = deformed._convex_distance(FLOOR, np.eye(4), BOX, turned, gap)
            true = 1.0 - 0.25 * np.abs(turned[2, :3]).sum()
            assert found.lower <= true <= found.upper


def test_nearest_rotations_allow_for_rounding(monkeypatch: pytest.MonkeyPatch) -> None:
    svd = np.linalg.svd
    for factor, off in ((1.25, -0.9e-15), (0.75, 0.9e-15), (1.25, 0.9e-15), (0.75, -0.9e-15)):
        M = np.diag([factor, factor, factor, 1.0])

        def wrong(A: Any, off: float = off) -> Any:
            u, s, vt = svd(A)
            return u, s + off * s[0], vt

        with monkeypatch.context() as patch:
            patch.setattr(np.linalg, "svd", wrong)
            _, stretch, smallest, largest = deformed.nearest_rotation(M)
        assert stretch >= abs(factor - 1.0)
        assert smallest <= factor <= largest


def test_balls_and_boxes_contain_their_bodies() -> None:
    rng = np.random.default_rng(9)
    for _ in range(60):
        points = rng.normal(size=(5, 3)) * 10.0 ** rng.uniform(-3, 3) + rng.normal(size=3)
        around = [Fraction(float(x)) for x in bounds._make_around(kc.Convex(points))]
        for p in kc.Convex(points).vertices.tolist():
            away = [abs(Fraction(x) - c) for x, c in zip(p, around[:3], strict=True)]
            assert all(d <= h for d, h in zip(away, around[4:], strict=True))
            assert sum(d * d for d in away) <= around[3] ** 2


def test_meshes_surely_meet_only_beyond_rounding() -> None:
    for depth, x in ((0.01, 0.3), (0.01, 0.0)):
        a, b = cube(1.0), cube(1.0)
        X = at(x, 0.2 if x else 0.0, 1.0 - depth)
        answer = kc.distance(a, np.eye(4), b, X)
        placed = deformed.Placed(a, np.eye(4)), deformed.Placed(b, X)
        assert not overlap.surely_meet(*placed, answer, 0.02)
        assert overlap.surely_meet(*placed, answer, 1e-4)


def test_results_say_what_was_asked() -> None:
    path = kc.PoseTrajectory(np.arange(4.0), np.array([at(0.0, 0.0, 2.0)] * 4), "cubic")
    for method in ("hybrid", "bisection"):
        found = kc.first_contact(FLOOR, np.eye(4), BALL, path, margin=0.25, tolerance=0.01, method=method)
        assert found.margin == 0.25
        assert found.tolerance == 0.01
    query = checked_query(FLOOR, np.eye(4), BALL, path)
    assert query.deviations[1] > 0.0
    x0 = np.array([[0.0, 0, 1], [0, 0, 0], [1, 0, 0], [0, 1, 0]])
    x1 = x0.copy()
    x1[0] += 0.2, 0.2, 0.5
    for many in (False, True):
        points = (np.array([x0] * 2), np.array([x1] * 2)) if many else (x0, x1)
        answer = kc.vertex_face_contact(*points, tolerance=1e-3, margin=0.25)
        assert answer.margin == 0.25
        assert answer.tolerance == 1e-3


def test_the_least_distance_in_local_time(monkeypatch: pytest.MonkeyPatch) -> None:
    heights = [3.0, 2.0, 3.0, 1.0, 3.0]
    path = kc.PoseTrajectory(np.arange(5.0), [at(0.0, 0.0, z) for z in heights], "linear")
    query = checked_query(FLOOR, np.eye(4), BALL, path)
    searched, calls = clearance._searched, []

    def failing(*arguments: Any, **options: Any) -> Any:
        calls.append(1)
        return None if len(calls) == 1 else searched(*arguments, **options)

    monkeypatch.setattr(clearance, "_searched", failing)
    monkeypatch.setattr(local_time, "AT_ONCE", 1)
    found = clearance._least_from(query, 2.0, 0.0, 0)
    assert len(calls) > 2
    assert found.lower <= 0.25 <= found.upper + 1e-9


@pytest.mark.parametrize("mesh", [False, True])
def test_bounds_of_clearances(mesh: bool) -> None:
    floor = cube(1.0) if mesh else FLOOR
    for low in (0.3, 0.1, 0.5):
        for tolerance in (0.2, 0.05):
            path = kc.PoseTrajectory(
                [0.0, 0.7, 1.0], [at(0, 0, 2.0), at(0, 0, 0.75 + low), at(0, 0, 3)], "linear"
            )
            found = kc.clearance(floor, np.eye(4), BALL, path, tolerance=tolerance)
            assert found.lower <= low + 1e-12
            assert found.upper >= low - 1e-12
            parts = [(floor, np.eye(4)), (kc.Sphere(0.01), at(0.0, 0.0, -5.0))]
            found = kc.clearance(parts, np.eye(4), BALL, path, tolerance=tolerance)
            assert found.lower <= low + 1e-12
            assert found.upper >= low - 1e-12
            found = kc.clearance(parts[::-1], np.eye(4), BALL, path, tolerance=tolerance)
            assert found.lower <= low + 1e-12
            assert found.upper >= low - 1e-12


def test_the_nearest_part_is_not_always_asked_first() -> None:
    # The ball around the floor is nearer than the small one, and the floor itself is not.
    path = kc.PoseTrajectory([0.0, 0.7, 1.0], [at(0, 0, 2.0), at(0, 0, 1.25), at(0, 0, 3)], "linear")
    found = kc.clearance([(FLOOR, np.eye(4)), (kc.Sphere(0.05), at(0.0, 0.0, 0.75))], np.eye(4), BALL, path)
    assert found.lower <= 0.2
