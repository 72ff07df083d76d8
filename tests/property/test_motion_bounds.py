"""Motions and their bounds hold against 240 bits and dense samples: tiny and large turns, far places, late times."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from flint import arb
from tests.oracles.high_precision_motion import PreciseMotion, precise, random_samples, rounded
from tests.oracles.poses import random_pose, unit_vector

import keepclear as kc
from keepclear.geometry.shapes.extent import body_points
from keepclear.kernels.tables.motion import motion_numbers
from keepclear.motion import travel
from keepclear.motion.motion import shifted_motion

KINDS = ("screw", "linear", "cubic", "part")  # part: of a body that turns while its origin moves linearly
ANGLES = (0.0, 1e-12, 1e-7, 1e-3, 0.3, 2.0, 3.1)
STEPS = (0.0, 1e-9, 1e-2, 1.0, 100.0)
FAMILIES = list(itertools.product(KINDS, ANGLES))


def some_motion(
    rng: np.random.Generator, kind: str, angle: float, *, near: bool = False
) -> tuple[kc.PoseTrajectory, PreciseMotion]:
    step = float(rng.choice(STEPS))
    far = float(rng.choice([0.0, 1.0] if near else [0.0, 1.0, 1e5]))
    pieces = int(rng.integers(1, 4))
    given = "linear" if kind == "part" else kind
    times, X_W = random_samples(
        rng, given, angle, step, far, pieces, t0=0.0 if near else float(rng.choice([0.0, -3.0, 1e6]))
    )
    motion = kc.PoseTrajectory(times, X_W, given, max_deviation=1.0)  # type: ignore[arg-type]
    told = PreciseMotion(given, np.array(motion.times), np.array(motion.X_W))
    if kind != "part":
        return motion, told
    X = random_pose(rng, float(rng.choice([1e-3, 1.0] if near else [1e-3, 1.0, 1e4])))
    part = shifted_motion(motion, X, 0.0)
    assert isinstance(part, kc.PoseTrajectory)
    return part, replace(told, X_P=X)


def some_body(rng: np.random.Generator) -> tuple[Any, np.ndarray]:
    """A body and points of it, (n, 3)."""
    body = (
        kc.Box(rng.uniform(0.01, 2.0, size=3)),
        kc.Sphere(0.3),
        kc.Capsule(0.1, 1.0),
        kc.Cylinder(0.4, 0.5),
        kc.Convex(rng.normal(size=(12, 3)) + 3.0 * rng.normal(size=3)),
        0.7,
    )[rng.integers(6)]
    if isinstance(body, kc.Cylinder):
        turn = rng.uniform(0, 2 * np.pi, size=24)
        rim = np.stack([0.4 * np.cos(turn), 0.4 * np.sin(turn), rng.choice([-0.25, 0.25], size=24)], axis=1)
        return body, rim * (1 - 1e-15)
    points, radius = body_points(body)
    if radius == 0.0:
        return body, points
    return body, np.concatenate([points + radius * unit_vector(rng) for _ in range(24)])


def spread(rng: np.random.Generator, motion: kc.PoseTrajectory, n: int) -> np.ndarray:
    """Times of a part of a motion, its knots among them."""
    begin, end = (
        np.sort(rng.uniform(motion.t_start, motion.t_end, size=2))
        if rng.random() < 0.5
        else motion.knots[[0, -1]]
    )
    inner = motion.knots[(motion.knots > begin) & (motion.knots < end)]
    return np.unique(np.concatenate([np.linspace(begin, end, n), inner]))


@pytest.mark.parametrize(("kind", "angle"), FAMILIES)
def test_poses_are_right_to_the_last_digits(kind: str, angle: float) -> None:
    rng = np.random.default_rng(1)
    for _ in range(4):
        motion, told = some_motion(rng, kind, angle)
        size = motion_numbers(motion._packed).terms + motion_numbers(motion._packed).place
        for t in spread(rng, motion, 5):
            off = rounded(precise(motion.pose(t)) - told.at(t))
            # Rotations that are taken as they are may be 9 units from orthonormal.
            assert np.abs(off).max() <= 12.0 * 2.0**-53 * size


@pytest.mark.parametrize(("kind", "angle"), FAMILIES)
def test_no_point_goes_farther_than_the_bounds(kind: str, angle: float) -> None:
    rng = np.random.default_rng(2)
    for _ in range(3):
        motion, told = some_motion(rng, kind, angle)
        body, points = some_body(rng)
        t = spread(rng, motion, 9)
        X = [told.at(arb(float(u))) for u in t]
        homogeneous = np.column_stack([points, np.ones(len(points))]).T
        # Differences first: far from the world's origin, rounded places would hide them.
        legs = np.array([rounded(b - a)[:3] @ homogeneous for a, b in itertools.pairwise(X)])
        away = np.array([rounded(x - X[0])[:3] @ homogeneous for x in X])
        way, gap = motion.path_length(body, t[0], t[-1]), motion.displacement(body, t[0], t[-1])
        noise = 1e-60  # of 240 bits
        assert np.linalg.norm(legs, axis=1).sum(axis=0).max() - noise <= way
        assert np.linalg.norm(away, axis=1).max() - noise <= gap <= way


def sampled(
    rng: np.random.Generator, motion: kc.PoseTrajectory, body: Any
) -> tuple[np.ndarray, float, float] | None:
    """Times, and the longest way and the largest distance from the start of a corner of a body between them.

    A ball has no corners to sample; its bounds are known by hand.
    """
    corners, radius = body_points(body)
    if radius > 0.0:
        return None
    t = spread(rng, motion, 1500)
    X = motion.pose(t)[:, :3] - motion.pose(t[0])[:3]
    places = X @ np.column_stack([corners, np.ones(len(corners))]).T
    way = np.linalg.norm(np.diff(places, axis=0), axis=1).sum(axis=0).max()
    return t, float(way), float(np.linalg.norm(places, axis=1).max())


@pytest.mark.parametrize("halvings", [0, 1, 8])
@pytest.mark.parametrize("kind", KINDS)
def test_bounds_hold_after_any_number_of_halvings_and_come_close(
    kind: str, halvings: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(travel, "HALVINGS", halvings)
    rng = np.random.default_rng(3)
    for angle in (1e-3, 0.3, 2.0, 3.1):
        for _ in range(4):
            motion, _ = some_motion(rng, kind, angle, near=True)
            body, _ = some_body(rng)
            seen = sampled(rng, motion, body)
            if seen is None:
                continue
            t, way, away = seen
            long, far = motion.path_length(body, t[0], t[-1]), motion.displacement(body, t[0], t[-1])
            # Samples cut corners, by about (3.1 / 1500)^2 / 24 of a turn, and are rounded.
            assert way * (1 - 1e-12) <= long
            assert away * (1 - 1e-12) <= far <= long
            if halvings == 8:
                assert long <= 1.0055 * way
                assert far <= 1.006 * away


def test_the_farthest_point_of_a_bend_is_not_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    # x = s (1 - s) is back where it was at the end: all of the distance is between the ends of the only span.
    X = np.tile(np.eye(4), (4, 1, 1))
    X[:, 0, 3] = [0, 2 / 9, 2 / 9, 0]
    motion = kc.PoseTrajectory([0, 1, 2, 3], X)
    monkeypatch.setattr(travel, "HALVINGS", 0)
    assert 0.25 <= motion.displacement(0.0, 0, 3) <= 0.25 * (1 + 1e-12)
    assert (
        0.5 <= motion.path_length(0.0, 0, 3) <= 0.58
    )  # the root of the mean square of 1 - 2 s is 1 / sqrt(3)


@pytest.mark.parametrize(("kind", "angle"), FAMILIES)
def test_cubics_keep_their_error(kind: str, angle: float) -> None:
    rng = np.random.default_rng(4)
    for error in (1e-3, 1e-8):
        motion, told = some_motion(rng, kind, angle, near=error < 1e-6)
        t0, t1 = spread(rng, motion, 2)[[0, -1]]
        found = motion.cubic(t0, t1, 0.5, error)
        assert found.times[[0, -1]].tolist() == [t0, t1]
        assert found.error <= error
        for i in rng.integers(len(found.control), size=3):
            for s in (0.0, 0.3, 0.5, 1.0):
                t = arb(float(found.times[i])) + (
                    arb(float(found.times[i + 1])) - arb(float(found.times[i]))
                ) * arb(s)
                weights = [(1 - s) ** 3, 3 * s * (1 - s) ** 2, 3 * s * s * (1 - s), s**3]
                here = sum(precise(C) * arb(w) for C, w in zip(found.control[i], weights, strict=True))
                off = rounded(here - told.at(t, min(told.piece(float(found.times[i])), len(told.knots) - 2)))[
                    :3
                ]
                miss = 0.5 * np.linalg.norm(off[:, :3], ord=2) + np.linalg.norm(off[:, 3])
                # The two largest need not meet in one point, but at the same time: at most twice the error.
                points = np.array([0.5 * unit_vector(rng) for _ in range(8)])
                assert (
                    np.linalg.norm(off @ np.column_stack([points, np.ones(8)]).T, axis=0).max() <= found.error
                )
                assert miss <= 2.0 * found.error


@pytest.mark.parametrize("angle", [1e-12, 1e-3, 0.1, 1.0, 3.0, 6.0])
def test_deviations_hold_and_are_close(angle: float) -> None:
    rng = np.random.default_rng(5)
    for _ in range(6):
        motion, _ = some_motion(rng, "cubic", angle, near=True)
        t = np.linspace(motion.t_start, motion.t_end, 4000)
        values = np.linalg.svd(motion.pose(t)[:, :3, :3], compute_uv=False)
        row = motion_numbers(motion._packed)
        stretch, smallest, largest = row.stretch, row.smallest, row.largest
        reached = np.abs(values - 1).max()
        assert reached <= stretch <= 1.05 * reached + 5e-14
        assert smallest <= values.min()
        assert values.max() <= largest
        assert motion.deviation(2.0) == pytest.approx(2.0 * stretch, rel=1e-14)
