"""Bounds of motions that Python computes, against exact values: cases in which each term is needed."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from tests.oracles.poses import pose, random_rotation

import keepclear as kc
from keepclear.kernels.motion import chain as kinds
from keepclear.kernels.motion import state as layout
from keepclear.motions.chain import Chain, pack_chain
from keepclear.motions.custom import CheckedMotion
from keepclear.motions.deviation import stretch_bounds
from keepclear.motions.extent import body_radius
from keepclear.motions.shifted import shifted_motion


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
    for kind in (kinds.REVOLUTE, kinds.PRISMATIC):
        for terms in (0.0, 9.0):
            Q = pack_chain(np.array([0.0, 1.0]), Chain(maps, np.array([kind]), coefficients, terms))
            assert Q[layout.PLACE] >= max(5.0, terms) + (0.5 if kind == kinds.PRISMATIC else 0.0)
            assert Q[layout.TERMS] >= 1.0 + 1.0 / 8.0


def test_bounds_of_stretches_hold_to_the_last_digit() -> None:
    rng = np.random.default_rng(5)
    for _ in range(60):
        s = 1.0 + float(rng.choice([-1.0, 1.0])) * 10.0 ** rng.uniform(-15.0, -1.0)
        X = np.tile(np.eye(4), (4, 1, 1))
        X[:, :3, :3] *= s
        stretch, smallest, largest = stretch_bounds(
            kc.motions.packing.pack_cubic(np.array([0.0, 1, 2, 3]), X)
        )
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
