"""Bounds of motions that Python computes, against exact values: cases in which each term is needed."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from tests.oracles.poses import pose, random_rotation

import keepclear as kc
from keepclear.geometry.shapes.extent import body_radius
from keepclear.kernels.tables.motion import PRISMATIC, REVOLUTE, motion_numbers
from keepclear.motion import cubic, fixed, spans, travel
from keepclear.motion import motion as motions
from keepclear.motion.custom import CheckedMotion, ShiftedMotion, pose_rounding
from keepclear.motion.motion import MOTION_TABLE, shifted_motion
from keepclear.motion.packed_chain import Chain, pack_chain
from keepclear.motion.packing import pack_rigid, stretch_bounds


class Straight(kc.CustomMotion):
    """Moves along x with 1 m/s from a place; remembers the radii that it was asked for."""

    def __init__(self, place: np.ndarray, R: np.ndarray | None = None) -> None:
        super().__init__(0.0, 1.0)
        self.X, self.radii = pose(np.eye(3) if R is None else R, place), list[float]()

    def pose(self, t: float) -> np.ndarray:
        X = self.X.copy()
        X[0, 3] += t
        return X

    def path_length(self, radius: float, t0: float, t1: float) -> float:
        self.radii.append(radius)
        return (t1 - t0) * (1.0 + 1e-12)


def square(points: np.ndarray) -> Fraction:
    return max(sum((Fraction(x) ** 2 for x in p), Fraction(0)) for p in points.tolist())


def test_radii_of_bodies_are_rounded_up() -> None:
    rng = np.random.default_rng(1)
    for _ in range(40):
        points = rng.normal(size=(4, 3)) * 10.0 ** rng.uniform(-3.0, 3.0)
        assert Fraction(body_radius(kc.Convex(points))) ** 2 >= square(points)


def test_radii_for_motions_of_users_are_rounded_up() -> None:
    rng = np.random.default_rng(2)
    for _ in range(40):
        motion = Straight(np.zeros(3))
        around = np.array([*rng.normal(size=3), 0.0, 0.0, 0.0, 0.0])
        CheckedMotion(motion)._travel(around, 0.0, 1.0)
        assert Fraction(motion.radii[-1]) ** 2 >= square(around[None, :3])


def test_swept_boxes_of_motions_of_users_contain_both_ends() -> None:
    rng = np.random.default_rng(3)
    for far in (0.0, 1.0, 1e3, 1e6):
        motion = Straight(rng.normal(size=3) * far, random_rotation(rng))
        around = np.array([*rng.normal(size=3), 1e-9, 1e-9, 1e-9, 1e-9])
        boxes = CheckedMotion(motion).swept_boxes(around, np.array([0.0, 0.25, 1.0]))
        for k, t in enumerate((0.0, 0.25, 1.0)):
            X = motion.pose(t)
            for i in range(3):
                row = [Fraction(x) for x in X[i].tolist()]
                x = sum((a * Fraction(b) for a, b in zip(row[:3], around[:3].tolist(), strict=True)), row[3])
                for box in boxes[max(k - 1, 0) : k + 1]:
                    assert Fraction(box[i]) <= x - Fraction(1e-9)
                    assert Fraction(box[3 + i]) >= x + Fraction(1e-9)


def test_swept_boxes_contain_small_bodies_that_hardly_move() -> None:
    rng = np.random.default_rng(4)
    for _ in range(20):
        motion = Straight(rng.normal(size=3) * 1e6, random_rotation(rng))
        around, times = (
            np.array([*rng.normal(size=3), 1e-12, 1e-12, 1e-12, 1e-12]),
            np.array([0.5, 0.5 + 1e-12]),
        )
        (box,) = CheckedMotion(motion).swept_boxes(around, times)
        row = [[Fraction(x) for x in line] for line in motion.pose(0.5)[:3].tolist()]
        for i in range(3):
            x = sum(
                (a * Fraction(b) for a, b in zip(row[i][:3], around[:3].tolist(), strict=True)), row[i][3]
            )
            assert Fraction(box[i]) <= x <= Fraction(box[3 + i])


def test_rounding_of_chains_is_relative_to_all_their_lengths() -> None:
    maps = np.tile(np.eye(4), (2, 1, 1))
    maps[0, 0, 3], maps[1, 0, 3] = 3.0, -2.0
    coefficients = np.zeros((1, 1, 4))
    coefficients[0, 0, 1] = 0.5
    for kind in (REVOLUTE, PRISMATIC):
        for terms in (0.0, 9.0):
            Q = pack_chain(np.array([0.0, 1.0]), Chain(maps, np.array([kind]), coefficients, terms))
            assert motion_numbers(Q).place >= max(5.0, terms) + (0.5 if kind == PRISMATIC else 0.0)
            assert motion_numbers(Q).terms >= 1.0 + 1.0 / 8.0


def test_bounds_of_stretches_hold_to_the_last_digit() -> None:
    rng = np.random.default_rng(5)
    for _ in range(60):
        s = 1.0 + float(rng.choice([-1.0, 1.0])) * 10.0 ** rng.uniform(-15.0, -1.0)
        X = np.tile(np.eye(4), (4, 1, 1))
        X[:, :3, :3] *= s
        stretch, smallest, largest = stretch_bounds(kc.motion.packing.pack_cubic(np.array([0.0, 1, 2, 3]), X))
        assert Fraction(stretch) >= abs(Fraction(s) - 1)
        assert Fraction(smallest) <= Fraction(s) <= Fraction(largest)


def test_paths_of_shifted_motions_include_the_rounding_of_rotations() -> None:
    # Rotations are orthonormal to 1e-15, which is 1 nm at the end of a lever of 1000 km.
    rng = np.random.default_rng(6)
    for _ in range(30):
        R = random_rotation(rng)
        X = np.array(
            [pose(R, np.zeros(3)), pose(random_rotation(rng) if rng.random() < 0.1 else R, np.zeros(3))]
        )
        X[1, :3, :3] += rng.normal(size=(3, 3)) * 1e-16
        motion, X_P = kc.PoseTrajectory([0.0, 1.0], X, "linear"), pose(np.eye(3), rng.normal(size=3) * 1e6)
        shift = [Fraction(x) for x in X_P[:3, 3].tolist()]
        ends = [
            [
                sum((Fraction(a) * b for a, b in zip(row, shift, strict=True)), Fraction(0))
                for row in x[:3, :3].tolist()
            ]
            for x in np.asarray(motion.X_W)
        ]
        moved = sum((a - b) ** 2 for a, b in zip(*ends, strict=True))
        assert Fraction(shifted_motion(motion, X_P, 0.0).path_length(0.0, 0.0, 1.0)) ** 2 >= moved


def exact_product(A: np.ndarray, B: np.ndarray) -> list[list[Fraction]]:
    a, b = ([[Fraction(x) for x in row] for row in M.tolist()] for M in (A, B))
    return [[sum((a[i][k] * b[k][j] for k in range(4)), Fraction(0)) for j in range(4)] for i in range(3)]


@pytest.mark.parametrize("custom", [False, True])
def test_poses_of_shifted_motions_are_within_their_rounding(custom: bool) -> None:
    rng, worst = np.random.default_rng(7), 0.0
    for _ in range(20):
        R, place = random_rotation(rng), rng.normal(size=3)
        original = (
            CheckedMotion(Straight(place, R))
            if custom
            else kc.PoseTrajectory([0.0, 1.0], [pose(R, place), pose(R, place + 1.0)], "linear")
        )
        motion = ShiftedMotion(original, pose(random_rotation(rng), rng.normal(size=3)))
        X = motion._poses_at(np.array([0.5]))
        true = exact_product(original._poses_at(np.array([0.5]))[0], motion.X)
        off = max(abs(float(Fraction(float(X[0, i, j])) - true[i][j])) for i in range(3) for j in range(4))
        assert off <= pose_rounding(motion, X, 0.0)
        worst = max(worst, off)
    assert worst > 0.0


class Turning(kc.CustomMotion):
    """Turns by 3 rad about z."""

    def pose(self, t: float) -> np.ndarray:
        c, s = np.cos(3.0 * t), np.sin(3.0 * t)
        return pose(np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]), np.zeros(3))

    def path_length(self, radius: float, t0: float, t1: float) -> float:
        return 3.0 * radius * (t1 - t0)


def test_centres_of_shifted_motions_are_rounded() -> None:
    # A part that is far from its frame, which is as far from that of the body: only what cancels is left.
    for seed in range(30):
        rng = np.random.default_rng(seed)
        X = pose(random_rotation(rng), rng.normal(size=3) * 1e6)
        motion = ShiftedMotion(CheckedMotion(Turning(0.0, 1.0)), X)
        center = -X[:3, :3].T @ X[:3, 3]
        around = np.array([*center, 0.0, 0.0, 0.0, 0.0])
        place = np.eye(4)
        place[:3, 3] = center
        x, y, _ = (float(row[3]) for row in exact_product(X, place))
        assert motion._travel(around, 0.0, 1.0) >= 3.0 * np.hypot(x, y) * (1.0 - 1e-6)


def test_slacks_of_packed_motions_include_what_poses_may_be_wrong_by(monkeypatch: pytest.MonkeyPatch) -> None:
    path = kc.PoseTrajectory(
        [0.0, 1.0], [pose(np.eye(3), [3.0, 0, 0]), pose(np.eye(3), [4.0, 0, 0])], "linear"
    )
    monkeypatch.setattr(motions, "LINK_ROUNDING", 1e-3)
    X = path._poses_at(np.array([0.5]))
    assert motions.packed_slack(path, X, 2.0) >= 1e-3 * (3.5 + 2.0)
    monkeypatch.setattr(fixed, "POSE_ROUNDING", 1e-3)
    part = shifted_motion(kc.Fixed(pose(np.eye(3), [3.0, 0, 0])), pose(np.eye(3), [-3.0, 0, 0]), 2.0)
    assert fixed._slack(part, X, 2.0) >= 1e-3 * (3.0 + 3.0 + 2.0)  # type: ignore[arg-type]
    assert fixed._slack(kc.Fixed(X[0]), X, 2.0) == 0.0  # as it is given


def test_errors_of_cubics_include_rounding(monkeypatch: pytest.MonkeyPatch) -> None:
    maps = np.tile(np.eye(4), (2, 1, 1))
    maps[0, 0, 3], maps[1, 0, 3] = 3.0, -2.0
    coefficients = np.zeros((1, 1, 4))
    coefficients[0, 0, 1] = 0.5
    Q = pack_chain(np.array([0.0, 1.0]), Chain(maps, np.array([REVOLUTE]), coefficients, 0.0))
    monkeypatch.setattr(cubic, "UNITS", 1e-3)
    found = cubic.approximate(Q, 0.0, 1.0, 2.0, 0.1)
    assert found.error >= 1e-3 * (5.0 + 2.0)


def test_spans_that_are_rounded_outwards_contain_the_interval() -> None:
    rng = np.random.default_rng(8)
    for _ in range(60):
        t = np.array([0.0, 4.0]) + 10.0 ** rng.uniform(-4.0, 0.0)
        Q, _ = pack_rigid(t, np.tile(np.eye(4), (2, 1, 1)), screw=True)
        t0, t1 = sorted(rng.uniform(t[0], t[1], 2))
        found, start = spans.spans_between(Q, t0, t1, outward=True), Fraction(float(t[0]))
        assert Fraction(float(found.begin[0])) <= Fraction(float(t0)) - start
        assert Fraction(float(found.end[0])) >= Fraction(float(t1)) - start


ALLOWED = 1e-3


@pytest.mark.parametrize("kind", ["screw", "linear"])
def test_paths_of_wrong_velocities(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Velocities, and places that follow from them, are less than the true ones by as much as is allowed for."""
    c, s = np.cos(0.5), np.sin(0.5)
    turned = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    X = [pose(np.eye(3), [1.0, 0, 0]), pose(turned, [1.5, 0.7, 0]), pose(turned @ turned, [2.0, 1.0, 0.5])]
    path, ball = kc.PoseTrajectory([0.0, 1.0, 3.0], X, kind), kc.Box([0.5, 0.25, 0.5])
    length, away = path.path_length(ball, 0.0, 3.0), path.displacement(ball, 0.0, 3.0)
    rates, places, less = spans.Spans.mean_rates, spans.Spans.places, 1.0 - 0.999 * ALLOWED
    monkeypatch.setattr(spans, "UNITS", ALLOWED)
    monkeypatch.setattr(spans.Spans, "mean_rates", lambda self: less * rates(self))

    def moved(self: Any, tau: np.ndarray, reference: np.ndarray) -> Any:
        start = np.asarray(X[0])[:3].copy()
        start[:, 3] -= reference
        return start + less * (places(self, tau, reference) - start)

    monkeypatch.setattr(spans.Spans, "places", moved)
    Q = path._packed
    assert travel.bound_path_length(Q, ball, 0.0, 3.0) >= length * (1.0 - 1e-9)
    found = spans.spans_between(Q, 0.0, 3.0, outward=True)
    points = travel._enclosing_points(ball, found)
    assert min(travel._greatest_displacement(found, *some) for some in points) >= away * (1.0 - 1e-9)
    assert min(travel._greatest_displacement(found[:1], *some) for some in points) > 0.0


@pytest.mark.parametrize("kind", ["screw", "linear"])
def test_paths_of_wrong_turns_in_place(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    c, s = np.cos(0.5), np.sin(0.5)
    turned = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    path = kc.PoseTrajectory([0.0, 1.0], [np.eye(4), pose(turned, np.zeros(3))], kind)
    body = kc.Box([0.5, 0.25, 0.5])
    length, rates = path.path_length(body, 0.0, 1.0), spans.Spans.mean_rates
    monkeypatch.setattr(spans, "UNITS", ALLOWED)
    monkeypatch.setattr(spans.Spans, "mean_rates", lambda self: (1.0 - 0.999 * ALLOWED) * rates(self))
    assert travel.bound_path_length(path._packed, body, 0.0, 1.0) >= length * (1.0 - 1e-9)


def test_paths_of_rotations_that_differ_by_rounding_alone() -> None:
    # The logarithm of such a difference may be 0; a point far away moves nevertheless.
    X = np.tile(np.eye(4), (2, 1, 1))
    X[1, 0, 0] -= 2.0**-50
    path, body = kc.PoseTrajectory([0.0, 1.0], X, "screw"), kc.Sphere(1000.0)
    Q = path._packed.copy()
    moved = 1000.0 * 2.0**-50
    assert travel.bound_path_length(Q, body, 0.0, 1.0) >= moved
    assert travel.bound_displacement(Q, body, 0.0, 1.0) >= moved


def test_displacements_that_places_do_not_show() -> None:
    # In 1e-17 s, positions of points do not change by a unit in their last place.
    c, s = np.cos(1.0), np.sin(1.0)
    turned = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    path = kc.PoseTrajectory(
        [0.0, 1.0], [pose(turned, np.zeros(3)), pose(turned @ turned, np.zeros(3))], "screw"
    )
    found = spans.spans_between(path._packed, 0.0, 1e-17, outward=True)
    assert travel._greatest_displacement(found, np.array([[1.0, 0.0, 0.0]]), 0.0) >= 0.99e-17


def test_contents_of_trajectories_include_what_they_deviate_by() -> None:
    X = np.tile(np.eye(4), (4, 1, 1))
    found = [
        MOTION_TABLE[m].content(m)
        for m in (kc.PoseTrajectory([0.0, 1.0, 2.0, 3.0], X, "linear", max_deviation=d) for d in (1e-3, 2e-3))
    ]
    assert [str(part) for part in found[0]] != [str(part) for part in found[1]]
