"""Depths of convex bodies, supports and poses: each allowance of their rows, in a case that needs it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numba.core import config
from tests.oracles.poses import random_rotation
from tests.unit.kernels.convex.test_promise_walk import BOX, PRISM, slack_of

import keepclear as kc
from keepclear.geometry.shapes.packed import packed
from keepclear.kernels.convex import epa, gjk, pose, simplex, support

pytestmark = pytest.mark.skipif(
    not config.DISABLE_JIT, reason="inner kernels, which only kernels call, are tested as Python"
)

HERE = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
LOADED = (0, *HERE, 0.0, 0.0, 0.0)


def tilted(angle: float, *place: float) -> tuple[float, ...]:
    c, s = np.cos(angle), np.sin(angle)
    return c, 0.0, s, 0.0, 1.0, 0.0, -s, 0.0, c, *place


@pytest.mark.parametrize("place", [(0.3, 0.0, 0.0), (0.0, 0.0, 1.9)])
def test_cylinders_that_are_nearly_parallel_have_an_error(place: tuple[float, ...]) -> None:
    F = packed(kc.Cylinder(0.5, 2.0))[0]
    for angle, found in ((0.0, True), (5e-10, True), (1e-3, False), (0.5, False)):
        answer = epa.parallel_cylinders(F, F, tilted(angle, *place))
        assert answer[0] == found
        assert not found or answer[5] >= angle * 2.0 * F[support.EXTENT]


@pytest.mark.parametrize("first", [True, False])
def test_supports_have_the_slack_of_either_walk(first: bool) -> None:
    A, B = (PRISM, BOX) if first else (BOX, PRISM)
    points = np.zeros((1, 9))
    place = (*HERE, 0.0, 0.0, 1.0)
    slack = epa._support_point(*packed(A), *packed(B), place, 0.0, 0.0, 1.0, points, 0, 10.0, True)
    assert slack >= slack_of(1.0 if first else -1.0) > 0.0


@pytest.mark.parametrize("how", ["ends", "is stuck", "is full"])
def test_depths_have_the_slack_of_their_support(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    given = epa._support_point
    monkeypatch.setattr(epa, "_support_point", lambda *arguments: max(given(*arguments), 1e-3))
    octahedron = kc.Convex(np.concatenate([np.eye(3), -np.eye(3)]) + 0.01)
    A, B = packed(octahedron), packed(kc.Convex(np.concatenate([np.eye(3), -np.eye(3)])))
    scratch, place = epa._make_scratch(6 if how == "is full" else 512), (*HERE, 0.1, 0.2, 0.3)
    assert epa._first_tetrahedron(*A, *B, place, scratch[0], 3.0)[0] == 4
    if how == "is stuck":
        monkeypatch.setattr(epa, "_grow", lambda *_: (0, 0, -1, 0))
    ended, _, _, _, _, _, slack, _ = epa._expand(*A, *B, place, scratch, 3.0)
    assert bool(ended) == (how != "is full")
    assert slack == 1e-3


@pytest.mark.parametrize("size", [6, 512])
@pytest.mark.parametrize("swapped", [True, False])
def test_depths_are_certain_where_walks_fall_short(
    size: int, swapped: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    points = np.random.default_rng(3).normal(size=(80, 3))
    hull, box = packed(kc.Convex(points / np.linalg.norm(points, axis=1)[:, None])), packed(kc.Box([1, 2, 3]))
    A, B = (box, hull) if swapped else (hull, box)
    assert hull[0][support.KIND] == support.WALK
    place, answers, given = (*HERE, 0.1, 0.2, 0.3), [], epa.support

    def support_near(F: np.ndarray, L: np.ndarray, x: float, y: float, z: float, k: int, rough: bool) -> Any:
        found = given(F, L, x, y, z, k, rough)
        if F is not hull[0]:
            return found
        k = int(L[int(F[support.NEIGHBOURS_AT]) + L[found[3]]])  # a neighbour
        return *F[support.HEADER + 3 * k : support.HEADER + 3 * k + 3], k, 1

    for short in (False, True):
        if short:
            monkeypatch.setattr(epa, "support", support_near)
            monkeypatch.setattr(epa, "walk_slack", lambda F, *_: np.inf if F is hull[0] else 0.0)
        scratch = epa._make_scratch(size)
        assert epa._first_tetrahedron(*A, *B, place, scratch[0], 3.0)[0] == 4
        answers.append(epa._expand(*A, *B, place, scratch, 3.0))
    if size > 6:
        assert [answer[0] for answer in answers] == [True, True]
        assert answers[1][1] == pytest.approx(answers[0][1], abs=1e-12)
        assert answers[1][2] == pytest.approx(answers[0][2], abs=1e-12)
    assert answers[1][2] + answers[1][6] >= answers[0][1] - 1e-12


def row_of(a: Any, b: Any, x: float) -> np.ndarray:
    """The row of two bodies whose cores meet, after the search for their depth."""
    X, rows = np.eye(4), np.zeros(gjk.ROW)
    X[0, 3] = x
    rows[gjk.STATE], rows[gjk.UPPER] = gjk.CORES_MEET, 1.0
    epa.penetration_many(*packed(a), *packed(b), np.eye(4)[None], X[None], rows)
    return rows


def test_depths_in_closed_form_are_known_to_their_error(monkeypatch: pytest.MonkeyPatch) -> None:
    scale = packed(kc.Box([2.0, 2.0, 2.0]))[0][support.EXTENT] * 2.0
    given = epa.box_axes
    row = row_of(kc.Box([2.0, 2.0, 2.0]), kc.Box([2.0, 2.0, 2.0]), 1.5)
    assert given is epa.box_axes
    assert row[gjk.UPPER] >= -0.5 + 2.0**-53 * (32.0 + 64.0) * (scale + 1.5) * 0.99
    assert row[gjk.LOWER] <= -0.5 - 2.0**-53 * 64.0 * (scale + 1.5) * 0.99
    monkeypatch.setattr(epa, "parallel_cylinders", lambda *_: (True, 0.5, 1.0, 0.0, 0.0, 0.1))
    row = row_of(kc.Box([2.0, 2.0, 2.0]), kc.Box([2.0, 2.0, 2.0]), 1.5)
    assert row[gjk.LOWER] <= -0.6
    assert row[gjk.UPPER] >= -0.4


def bodies() -> tuple[np.ndarray, np.ndarray]:
    F, G = (packed(kc.Sphere(1.0))[0].copy() for _ in range(2))
    F[support.RADIUS], G[support.RADIUS] = 0.25, 0.5
    F[support.DEFECT], G[support.DEFECT] = 0.01, 0.02
    return F, G


def test_rows_of_overlaps_include_defects_and_rounding() -> None:
    F, G = bodies()
    row, scale = np.zeros(gjk.ROW), 0.001 / gjk.ROUNDING  # so large that rounding is a thousandth
    epa._finish(F, G, LOADED, 0.0, 0.0, 0.0, 0.9, 1.0, 1.0, 0.0, 0.0, 0.1, scale, row, 0)
    assert row[gjk.LOWER] <= -1.0 - 0.75 - 0.1 - 0.03 - 0.001 + 1e-12
    assert row[gjk.UPPER] >= -0.9 - 0.75 + 0.001 - 1e-12


def test_rows_of_bodies_that_are_apart_after_all_include_defects_and_rounding() -> None:
    F, G = bodies()
    row, scale = np.zeros(gjk.ROW), 0.001 / gjk.ROUNDING
    row[gjk.LOWER], row[gjk.UPPER] = -9.0, 9.0
    epa._finish_apart(F, G, LOADED, 0.0, 0.0, 0.0, 2.0, 1.5, 1.0, 0.0, 0.0, scale, row, 0)
    assert row[gjk.LOWER] <= 1.5 - 0.75 - 0.03 - 0.001 + 1e-12
    assert row[gjk.LOWER] > 0.7
    assert row[gjk.UPPER] >= 2.0 - 0.75 + 0.001 - 1e-12


@pytest.mark.parametrize("first", [True, False])
def test_distances_have_the_slack_of_either_walk(first: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    A, B = packed(BOX), packed(kc.Box([2.0, 2.0, 2.0]))
    slow = A[0] if first else B[0]
    monkeypatch.setattr(gjk, "walk_slack", lambda F, *_: 1e-13 if F is slow else 0.0)
    memory = np.zeros(gjk.MEMORY)
    memory[1] = memory[2] = -1.0
    found = gjk.search(*A, *B, (*HERE, 0.1, 0.2, 5.0), memory, 0)
    assert not found[0]
    assert found[2] <= 3.0 - 1e-13
    assert found[2] > 2.99


def test_scaled_rotations_stay_as_they_are() -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        X = np.tile(np.eye(4), (1, 1, 1))
        X[0, :3, :3] = 0.7 * random_rotation(rng)
        given, scales = X.copy(), np.zeros(1)
        assert pose.project_scaled_poses(X, scales) == 0
        assert (given == X).all()


def test_a_walk_that_may_have_ended_on_the_far_side_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(support, "UNIT", 1e-4)  # a slack that can be seen
    F, L = packed(PRISM)
    k = next(k for k in range(int(F[support.COUNT])) if F[support.HEADER + 3 * k + 2] > 0.0)
    slack = support.walk_slack(F, L, 0.0, 0.0, 1.0, k)
    assert 0.0 < slack < 1.0
    for part, known in ((2.0, True), (0.5, False)):
        near = F.copy()
        near[support.CENTER + 2] = F[support.HEADER + 3 * k + 2] - part * slack
        assert (support.walk_slack(near, L, 0.0, 0.0, 1.0, k) == slack) == known
        assert known or support.walk_slack(near, L, 0.0, 0.0, 1.0, k) == np.inf


def test_closest_points_of_small_triangles_are_points_of_them() -> None:
    rng = np.random.default_rng(2)
    for _ in range(600):
        size = 10.0 ** rng.uniform(-9.0, -1.0)
        n = rng.normal(size=3)
        n /= np.linalg.norm(n)
        across = np.cross(n, rng.normal(size=3))
        other = np.cross(n, across)
        angles = rng.uniform(0.0, 2.0 * np.pi) + np.array([0.0, 2.0, 4.2])
        corners = n + size * (np.cos(angles)[:, None] * across + np.sin(angles)[:, None] * other)
        *weights, x, y, z = simplex.closest_on_triangle(*corners.ravel())
        combined = [
            sum(Fraction(float(w)) * Fraction(float(c)) for w, c in zip(weights, column, strict=True))
            for column in corners.T
        ]
        off = sum((a - Fraction(float(b))) ** 2 for a, b in zip(combined, (x, y, z), strict=True))
        assert off <= Fraction(1, 10**28)
