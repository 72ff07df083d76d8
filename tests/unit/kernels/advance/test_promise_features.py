"""Times of impact of features whose corners are wrong by as much as is allowed for; see `test_promise_convex`."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numba.core import config
from tests.unit.kernels.advance.swept_runs import Run, shift, triangle, turn, way
from tests.unit.kernels.advance.test_features import polygon

from keepclear.kernels.advance import bernstein, exact, features, triangles
from keepclear.kernels.advance.features import (
    AIM,
    ALONG,
    BRACKET,
    CONTACT,
    FREE,
    HERE,
    NEAR,
    OPEN,
    SCRATCH,
    SIZE,
    UNIT,
    VOLUME,
    approach,
    meet,
)
from keepclear.kernels.motion import state as layout
from keepclear.kernels.tables.motion import motion_numbers

pytestmark = pytest.mark.skipif(
    not config.DISABLE_JIT, reason="inner kernels, which only kernels call, are tested as Python"
)
SIGNS = np.array(list(itertools.product([-1, 1], repeat=3)))


def here(corners: Any) -> np.ndarray:
    """Scratch with corners (m, 3) at rest as the present interval, of degree 1."""
    corners = np.asarray(corners, float)
    W = np.zeros(SCRATCH)
    W[HERE : HERE + 6 * len(corners)] = np.repeat(corners.reshape(-1), 2)
    W[SIZE] = np.abs(corners).max()
    return W


def volume(p: Any) -> Fraction:
    (a, b, c), (d, e, f), (g, h, i) = ([Fraction(float(x)) for x in row] for row in p)
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)


TRIPLES = [
    [[4.0, 4.0, 4.0], [0, 0, 0], [0, 0, 0]],
    [[0, 0, 0], [4.0, 4.0, 4.0], [0, 0, 0]],
    [[0, 0, 0], [0, 0, 0], [4.0, 4.0, 4.0]],
    [[0, 0, 0], [0, 0, 0], [0, 0, 0]],
    [[1.0, 0.5, 0.2], [0.1, 2.0, 0.3], [0.7, 0.3, 1.5]],
]


@pytest.mark.parametrize("corners", TRIPLES)
def test_volumes_of_wrong_corners(corners: Any) -> None:
    slack, corners = 0.5, np.array(corners, float)
    W = here(corners)
    features._spread(W, 3, 1)
    bound = Fraction(features._polynomials(W, 3, 1, slack))
    at = Fraction(W[VOLUME])
    for signs in itertools.product(SIGNS, repeat=3):
        assert abs(volume(corners + slack * np.array(signs)) - at) <= bound


def test_volumes_are_rounded() -> None:
    rng, worst = np.random.default_rng(1), Fraction(0)
    for _ in range(20):
        corners = rng.uniform(0.5, 1.0, (3, 3))
        W = here(corners)
        features._spread(W, 3, 1)
        bound = Fraction(features._polynomials(W, 3, 1, 0.0))
        off = abs(volume(corners) - Fraction(W[VOLUME]))
        assert off <= bound
        worst = max(worst, off)
    assert worst > 0


def test_sides_of_wrong_corners(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[int, float]] = []

    def certain_sign(_: Any, at: int, __: int, wrong: float) -> int:
        seen.append((at, wrong))
        return 0

    monkeypatch.setattr(features, "certain_sign", certain_sign)
    rng = np.random.default_rng(2)
    cases = [(np.array(c, float), 0.5) for c in TRIPLES] + [
        (rng.uniform(0.5, 1.0, (3, 3)), 0.0) for _ in range(9)
    ]
    worst = Fraction(0)
    for corners, slack in cases:
        W = here(corners)
        features._spread(W, 3, 1)
        features._polynomials(W, 3, 1, slack)
        seen.clear()
        features._sides(W, 3, 1, slack)
        assert len(seen) == 9
        for n, (at, wrong) in enumerate(seen):
            k, e = divmod(n, 3)
            i, j = (k + 1) % 3, (k + 2) % 3
            p, q = corners[e], corners[(e + 1) % 3]
            for s in itertools.product([-slack, slack], repeat=4) if slack else [(0.0,) * 4]:
                a, b, c, d = (
                    Fraction(float(x) + y) for x, y in zip((p[i], p[j], q[i], q[j]), s, strict=True)
                )
                off = abs(a * d - b * c - Fraction(W[at]))
                assert off <= Fraction(wrong)
                worst = max(worst, off if not slack else Fraction(0))
    assert worst > 0


def rounded(patch: pytest.MonkeyPatch, part: float = 1e-3) -> float:
    """Let corners be wrong by a thousandth; return by how much."""
    patch.setattr(features, "ROUNDING", (part / UNIT,) * 4)
    return part


def test_lengths_of_wrong_corners(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = 0.999 * rounded(monkeypatch)
    for corners in ([[1, 1, 1], [1, 1, 1], [1, 1, 1]], [[1, 1, 0.5], [1, 0.5, 1], [0.5, 1, 1]]):
        W = here(corners)
        W[SIZE] = 1.0
        true = np.array(corners) + wrong
        upper = features.aim(W, 3, 1)
        # the nearest point of the second is its middle
        assert upper >= np.linalg.norm(true.mean(axis=0))


def test_directions_of_wrong_corners(monkeypatch: pytest.MonkeyPatch) -> None:
    part, gap = rounded(monkeypatch), 0.25
    for n in ([1.0, 0.0, 0.0], [1.0, 1.0, 1.0], [1.0, -2.0, 0.5]):
        unit = np.array(n) / np.linalg.norm(n)
        # The true corners are nearer than the gap, the computed ones are farther than it.
        true = unit * (gap - 1e-6)
        W = here([true + 0.999 * part * np.sign(n)] * 3)
        W[SIZE], W[AIM : AIM + 3] = 1.0, n
        assert features.ahead(W, 3, 1, gap) == 0.0
        assert W[ALONG] > 0.0


@pytest.mark.parametrize("flipped", [False, True])
@pytest.mark.parametrize("backwards", [False, True])
def test_no_contact_that_wrong_corners_make_up(flipped: bool, backwards: bool) -> None:
    # A vertex that falls through a face by a hundredth; it may be wrong by two of them.
    face = np.array([[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]])[:: -1 if flipped else 1]
    z = np.array([3.0, -0.01])[:: -1 if backwards else 1]
    vertex = np.stack([np.ones(2), np.ones(2), z], axis=1)
    W, factor = polygon(face[:, None] - vertex[None])
    for tolerance in (0.0, 0.08):
        how = meet(W, 3, 1, tolerance * factor, 0.02 * factor, 1.0, 200)
        assert how in (NEAR, OPEN)
    W, factor = polygon(face[:, None] - (vertex + np.array([0, 0, 0.015]))[None])
    assert meet(W, 3, 1, 0.0, 0.02 * factor, 1.0, 200) != FREE
    assert meet(W, 3, 1, 0.0, 0.01 * factor, 1.0, 200) in (FREE, OPEN)


def test_nearness_includes_the_error() -> None:
    # One that rests at a distance of 0.3 from the face, and may be farther away by 0.35.
    face = np.array([[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]])
    for height, error in ((0.3, 0.35), (0.1, 0.12)):
        vertex = np.stack([np.ones(2), np.ones(2), np.full(2, height)], axis=1)
        W, factor = polygon(face[:, None] - vertex[None])
        for tolerance in (height + 0.5 * error, height + 0.9 * error):
            assert meet(W, 3, 1, tolerance * factor, error * factor, 1.0, 200) == OPEN
        assert meet(W, 3, 1, (height + 1.1 * error) * factor, error * factor, 1.0, 200) == NEAR


@pytest.mark.parametrize("tilted", [False, True])
def test_a_gap_of_wrong_corners(tilted: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    face = np.array([[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]]) - [1.0, 1.0, 0.0]
    turned = (turn(0, 0.7) @ turn(1, 0.5))[:3, :3] if tilted else np.eye(3)

    def question(high: float, low: float) -> tuple[np.ndarray, float]:
        vertex = np.stack([np.zeros(2), np.zeros(2), [high, low]], axis=1)
        return polygon((face[:, None] - vertex[None]) @ turned.T)

    gap, error = 0.1, 0.02
    for low in (gap + 0.5 * error, gap + 0.99 * error):
        W, factor = question(2.0, low)
        assert approach(W, 3, 1, 0.0, gap * factor, error * factor, 200) != FREE
        W, factor = question(2.0, low + 0.1 * error + 1e-3)
        assert approach(W, 3, 1, 0.0, gap * factor, 0.0, 200) == FREE
    for start in (gap - 0.5 * error, gap - 0.01 * error):  # it may be farther away than the gap
        W, factor = question(start, 0.0)
        how = approach(W, 3, 1, 0.05 * factor, gap * factor, error * factor, 200)
        assert how == NEAR
    W, factor = question(gap + 0.5 * error, 0.0)
    assert approach(W, 3, 1, error * factor, gap * factor, 0.0, 200) == NEAR
    W, factor = question(gap - 0.5 * error, 0.0)
    assert approach(W, 3, 1, error * factor, gap * factor, 0.0, 200) == CONTACT
    part = rounded(monkeypatch)
    W, factor = question(2.0, 0.0)
    W, factor = question(2.0, gap + 0.9 * part * W[SIZE] / factor)
    assert approach(W, 3, 1, 0.0, gap * factor, 0.0, 200) != FREE


def test_instants_are_rounded_to_the_safe_side() -> None:
    rng = np.random.default_rng(3)
    for scale in (1.0, 1e-3, 1e-9, 1e-16):
        for _ in range(60):
            t0 = rng.choice([0.0, rng.uniform(0.1, 0.9)])
            t1 = t0 + (1.0 - t0) * rng.uniform(0.1, 1.0)
            part = rng.uniform(0.1, 1.0) * scale
            true = Fraction(t0) + (Fraction(t1) - Fraction(t0)) * Fraction(part)
            assert Fraction(features._later(t0, t1, part)) <= max(true, Fraction(t0))
            assert Fraction(features._earlier(t0, t1, part)) >= min(true, Fraction(t1))
            c = np.array([part, -rng.uniform(0.1, 1.0)])
            zero = Fraction(c[0]) / (Fraction(c[0]) - Fraction(c[1]))
            assert Fraction(bernstein.first_zero(c, 0, 1, 1, 1.0, 0.0)) <= zero


def test_instants_of_spans_are_rounded_to_the_safe_side() -> None:
    rng = np.random.default_rng(4)
    for start in (0.0, 1.0, 1e6):
        for _ in range(60):
            begin = start * rng.uniform(0.5, 1.0)
            end, share = begin + rng.uniform(0.1, 1.0), rng.uniform(0.0, 1.0)
            true = Fraction(begin) + (Fraction(end) - Fraction(begin)) * Fraction(share)
            assert Fraction(exact._instant(begin, end, share)) <= max(true, Fraction(begin))
            W, pair = np.zeros(SCRATCH), Run(FLAT, np.eye(4), TIP, np.eye(4)).rows[0]
            W[BRACKET], W[BRACKET + 1] = 0.0, share
            exact._note(CONTACT, 0, begin, end, 0, 0, 0.0, W, pair)
            assert Fraction(pair.certain) >= min(true, Fraction(end))


FLAT = triangle([-2.0, -2.0, 0.0], [2.0, -2.0, 0.0], [0.0, 2.0, 0.0])
TIP = triangle([0.0, 0.0, 0.0], [0.0, 0.4, 1.0], [0.4, 0.0, 1.0])
BAR = triangle([-3.0, 0.1, 0.0], [3.0, 0.2, 0.0], [0.0, 0.1, 1.0])
PART = 0.999


def exactly(a: Any, motion_a: Any, b: Any, motion_b: Any, **question: Any) -> Run:
    """A search with exact times of impact."""
    run = Run(a, motion_a, b, motion_b, **question)
    run.rows["time_tolerance"] = math.inf
    run._search = exact.search
    return run


@pytest.fixture(params=["a", "b"])
def lifted(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> dict[str, float]:
    """Positions of one body may be wrong by as much as this says; they are moved along z by `up`."""
    wrong = {"up": 0.0, "allowed": 0.0}
    right, of_a = layout.state_at, request.param == "a"
    error = exact._error

    def is_moved(Q: Any) -> bool:
        return bool((motion_numbers(Q).t0 == motion_numbers(Q).t1) == of_a)

    def state_at(Q: Any, k: int, t: float, out: Any, at: int) -> None:
        right(Q, k, t, out, at)
        if is_moved(Q):
            out[at + 11] += wrong["up"]

    def moved_error(Q: Any, k: int, length: float, extent: float) -> float:
        row = motion_numbers(Q)
        part = wrong["allowed"] / (row.terms * extent + row.place) if is_moved(Q) else 0.0
        monkeypatch.setattr(exact, "ROUNDED", part)
        return float(error(Q, k, length, extent))

    monkeypatch.setattr(exact, "state_at", state_at)
    monkeypatch.setattr(exact, "_error", moved_error)
    for name in ("ROUNDING_MESH", "POSE_ROUNDING"):  # boxes are compared by other poses
        monkeypatch.setattr(triangles, name, 1e-2)
    wrong["sign"] = -1.0 if of_a else 1.0
    return wrong


@pytest.mark.parametrize("body", ["tip", "bar"])
def test_exact_times_with_wrong_paths(lifted: dict[str, float], body: str) -> None:
    b, allowed = {"tip": TIP, "bar": BAR}[body], 0.01
    lifted["allowed"] = allowed
    lifted["up"] = PART * allowed * lifted["sign"]  # farther apart than they are
    for low in (-0.002, -0.5):
        path = way(shift(0.1, 0.0, 0.5), shift(0.1, 0.0, low))
        run = exactly(FLAT, np.eye(4), b, path, tolerance=0.05).finish()
        assert run.now <= 0.5 / (0.5 - low)
    for low in (0.005, 0.0001):
        path = way(shift(0.1, 0.0, 0.5), shift(0.1, 0.0, low))
        lifted["up"] = -PART * allowed * lifted["sign"]  # nearer
        run = exactly(FLAT, np.eye(4), b, path, tolerance=0.05).finish()
        assert run.certain == math.inf or run.certain >= 1.0
        if run.time < math.inf:
            assert run.distance >= 0.5 - (0.5 - low) * run.time


def test_boxes_of_exact_searches_are_apart_with_rounding(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ROUNDING_MESH", "POSE_ROUNDING"):
        monkeypatch.setattr(triangles, name, 1e-3)
    right = layout.relative_at
    up = 0.0

    def relative_at(QA: Any, ka: int, QB: Any, kb: int, t: float, work: Any, W: Any, at: int) -> None:
        right(QA, ka, QB, kb, t, work, W, at)
        W[at + 11] += up

    monkeypatch.setattr(layout, "relative_at", relative_at)
    path = way(shift(0.1, 0.0, 0.5), shift(0.1, 0.0, -1e-3))
    run = exactly(FLAT, np.eye(4), TIP, path)
    up = PART * 4e-3 * float(run.rows["scale"][0])
    assert run.finish().now <= 0.5 / 0.501


def test_boxes_of_exact_searches_are_apart_on_curved_paths() -> None:
    # On the upper half of a wheel, where straight paths are above the true one; at the end it comes down to the face.
    angles, tiny = (math.pi, 1.7), triangle([0.0, 0.0, 0.0], [0.01, 0.0, 0.01], [0.0, 0.01, 0.01])
    axis = shift(1.0, 0.0, math.cos(1.7) - 1e-3)
    X = [axis @ turn(1, angle) @ shift(0.0, 0.0, -1.0) for angle in angles]
    run = exactly(FLAT, np.eye(4), tiny, way(*X, kind="screw"), tolerance=1e-3).finish()
    assert run.time <= 1.0
