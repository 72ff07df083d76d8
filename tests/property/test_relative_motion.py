"""How bodies move seen from each other: the kernel's place, rate and bounds hold against 240 bits, for all kinds."""

from __future__ import annotations

import importlib.util
import itertools
import math
from types import ModuleType
from typing import Any

import numba
import numpy as np
import pytest
from flint import arb
from tests.oracles.high_precision_motion import (
    PreciseMotion,
    precise,
    random_samples,
    relative,
    relative_rate,
    rounded,
)
from tests.oracles.poses import random_pose, unit_vector

import keepclear as kc
from keepclear.kernels.motion import fourth_derivative, rows, state
from keepclear.kernels.motion.path_length import path_lengths
from keepclear.motion.motion import shifted_motion

KINDS = (
    "fixed",
    "screw",
    "linear",
    "cubic",
    "part",
)  # part: of a body that turns while its origin moves linearly
PAIRS = list(itertools.product(KINDS, KINDS))
RIGID = [pair for pair in PAIRS if "cubic" not in pair and pair != ("fixed", "fixed")]


def plain_kernels(compiled: ModuleType) -> Any:
    """Kernels as plain Python: inner ones cannot be called when compiled; the arithmetic is the same."""
    spec = importlib.util.spec_from_file_location("plain_motion", str(compiled.__file__))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    before, numba.config.DISABLE_JIT = numba.config.DISABLE_JIT, 1
    try:
        spec.loader.exec_module(module)
    finally:
        numba.config.DISABLE_JIT = before
    return module


kernels, fourth_order = plain_kernels(state), plain_kernels(fourth_derivative)
for module in (kernels, fourth_order):
    for plain in (plain_kernels(rows), kernels):
        vars(module).update(
            {name: value for name, value in vars(plain).items() if name in vars(module) and name[:2] != "__"}
        )


class Moving:
    """A motion of the library, and the same in 240 bits; one piece from 0 to about 1 s."""

    def __init__(self, kind: str, X_W: np.ndarray, times: np.ndarray, X_P: np.ndarray | None = None) -> None:
        self.motion: kc.Motion = kc.Fixed(X_W[0])
        if kind != "fixed":
            self.motion = kc.PoseTrajectory(times, X_W, kind)  # type: ignore[arg-type]
            X_W = np.array(self.motion.X_W)  # type: ignore[attr-defined]
        if X_P is not None:
            self.motion = shifted_motion(self.motion, X_P, 0.0)
        self.told = PreciseMotion(kind, times, X_W, X_P)
        self.piece = -1 if kind == "fixed" else 0
        self.end = 1.0 if kind == "fixed" else float(times[-1])


def some_moving(rng: np.random.Generator, kind: str, *, mild: bool = False) -> Moving:
    if kind == "fixed":
        return Moving(kind, random_pose(rng, float(rng.choice([0.0, 1.0])))[None], np.zeros(1))
    angle = float(rng.choice([0.1, 1.0] if mild else [0.0, 1e-9, 1e-3, 0.3, 1.5, 3.1]))
    step = float(rng.choice([0.1, 1.0] if mild else [0.0, 1e-6, 1.0, 100.0]))
    far = float(rng.choice([0.0, 1.0] if mild else [0.0, 1.0, 1e4]))
    if kind == "part":
        times, X_W = random_samples(rng, "linear", angle, step, far)
        return Moving(
            "linear",
            X_W,
            times,
            random_pose(rng, float(rng.choice([0.1, 1.0] if mild else [1e-3, 10.0, 1e3]))),
        )
    times, X_W = random_samples(rng, kind, angle, step, far)
    return Moving(kind, X_W, times)


def on_a_carriage(rng: np.random.Generator, a: Moving, kind: str) -> Moving:
    """A body that stays where it is relative to another one, up to the rounding of its poses."""
    X_AB = random_pose(rng, 1.0)
    return Moving(kind, a.told.X_W @ X_AB, a.told.times)


class Span:
    """A span of time of a pair of motions: what the kernel says about it, and truth."""

    def __init__(self, rng: np.random.Generator, a: Moving, b: Moving, length: float) -> None:
        self.a, self.b, self.pieces = a.told, b.told, (a.piece, b.piece)
        self.packed = a.motion._packed, b.motion._packed
        end = min(a.end, b.end)
        begin = rng.uniform(0.0, end * (1.0 - length))
        self.center = float(rng.choice([0.0, 0.1, 3.0])) * unit_vector(rng)
        self.radius = float(rng.choice([1e-3, 0.1, 1.0]))
        extents = 1.0 + float(np.linalg.norm(self.center)) + self.radius
        self.W = np.zeros(kernels.SPAN)
        kernels.fill_span(
            a.motion._packed, a.piece, b.motion._packed, b.piece, begin, begin + length * end,
            *self.center, self.radius, extents, np.zeros(2 * kernels.STATE + 12), self.W, 0,
        )  # fmt: skip
        balls = [self.center, *(self.center + self.radius * unit_vector(rng) for _ in range(6))]
        self.points = np.column_stack([balls, np.ones(len(balls))]).T
        self.middle, self.half = self.W[kernels.MIDDLE], self.W[kernels.LENGTH]
        self.acceleration, self.speed_change, self.rounded = self.W[
            [kernels.ACCELERATION_BOUND, kernels.SPEED_CHANGE_BOUND, kernels.ROUNDED]
        ]
        self.Z = relative(self.a, self.b, self.middle, self.pieces)
        self.DZ = relative_rate(self.a, self.b, self.middle, self.pieces)

    def matrix(self, at: int) -> np.ndarray:
        """The kernel's map of points."""
        return np.vstack([self.W[at : at + 12].reshape(3, 4), [0, 0, 0, 0]])

    def lengths(self, X: np.ndarray) -> np.ndarray:
        """How far the map sends each of the points from the origin."""
        return np.linalg.norm((X @ self.points)[:3], axis=0)

    def missed(self, t: float) -> np.ndarray:
        """How far the points are, at time t, from the straight line through the middle."""
        line = self.Z + self.DZ * (arb(t) - arb(self.middle))
        return self.lengths(rounded(relative(self.a, self.b, t, self.pieces) - line))

    def speeds(self, t: float) -> np.ndarray:
        return self.lengths(rounded(relative_rate(self.a, self.b, t, self.pieces)))


def check(span: Span) -> float:
    """Check a span, and return the largest part of its bounds that is reached."""
    Z = span.matrix(kernels.Z)
    Z[3, 3] = 1.0
    assert span.lengths(rounded(precise(Z) - span.Z)).max() <= 0.5 * span.rounded
    assert (
        span.half * span.lengths(rounded(precise(span.matrix(kernels.DZ)) - span.DZ)).max()
        <= 0.5 * span.rounded
    )
    if span.acceleration == math.inf:
        return 0.0
    at_middle, reached = span.speeds(span.middle), 0.0
    for t in np.linspace(span.W[kernels.BEGIN], span.W[kernels.END], 5):
        since = abs(t - span.middle)
        missed, limit = span.missed(t), 0.5 * span.acceleration * since * since
        # What rounding of angular velocities does to a bound, it does to places, and more.
        assert missed.max() <= limit + 0.1 * span.rounded
        assert limit <= span.W[kernels.MISSED] * (1 + 1e-9)
        change = np.abs(span.speeds(t) - at_middle)
        assert change.max() * span.half <= span.speed_change * since * span.half + 0.1 * span.rounded
        if limit > 100 * span.rounded:
            reached = max(reached, float(missed.max()) / limit)
    return reached


@pytest.mark.parametrize(("kind_a", "kind_b"), PAIRS)
def test_bounds_hold_for_all_points_and_times(kind_a: str, kind_b: str) -> None:
    rng = np.random.default_rng(1)
    for _ in range(5):
        a, b = some_moving(rng, kind_a), some_moving(rng, kind_b)
        check(Span(rng, a, b, 10.0 ** rng.uniform(-4.0, -0.1)))


@pytest.mark.parametrize("kind", ["screw", "cubic"])
def test_what_rides_along_does_not_move(kind: str) -> None:
    # A straight way of one point is none of another, so "linear" motions do not ride along.
    rng = np.random.default_rng(2)
    for _ in range(5):
        a = some_moving(rng, kind)
        span = Span(rng, a, on_a_carriage(rng, a, kind), 0.3)
        check(span)
        assert span.half * span.speeds(span.middle).max() <= span.rounded


@pytest.mark.parametrize(("kind_a", "kind_b"), PAIRS)
def test_ways_are_never_longer_than_their_bound(kind_a: str, kind_b: str) -> None:
    rng = np.random.default_rng(3)
    for _ in range(3):
        span = Span(rng, some_moving(rng, kind_a), some_moving(rng, kind_b), 0.2)
        size = span.radius * np.array([0.5, 0.6, 0.3])
        body, out = np.array([*span.center, np.linalg.norm(size) * (1.0 + 1e-15), *size]), np.empty(3)
        path_lengths(*span.packed, body, span.W[[kernels.BEGIN, kernels.END]], np.array([0.0, 0.0, 1.0]), out)
        bound = out[0]
        corners = span.center + size * (np.indices((2, 2, 2)).reshape(3, 8).T * 2.0 - 1.0)
        span.points = np.column_stack([corners, np.ones(8)]).T
        times = np.linspace(span.W[kernels.BEGIN], span.W[kernels.END], 7)
        places = [relative(span.a, span.b, t, span.pieces) for t in times]
        path_length = sum(span.lengths(rounded(q - p)) for p, q in itertools.pairwise(places))
        assert path_length.max() <= bound + span.rounded


@pytest.mark.parametrize(("kind_a", "kind_b"), RIGID)
def test_bounds_of_rigid_motions_are_close_on_short_spans(kind_a: str, kind_b: str) -> None:
    rng = np.random.default_rng(4)
    found = [
        check(Span(rng, some_moving(rng, kind_a, mild=True), some_moving(rng, kind_b, mild=True), 0.01))
        for _ in range(60)  # the median of 12 depends on the draw
    ]
    assert np.median(found) >= (0.8 if "fixed" in (kind_a, kind_b) else 0.6)


@pytest.mark.parametrize(("kind_a", "kind_b"), [("fixed", "screw"), ("screw", "fixed")])
def test_a_screw_and_a_body_at_rest_keep_their_speed(kind_a: str, kind_b: str) -> None:
    rng = np.random.default_rng(5)
    for _ in range(5):
        span = Span(rng, some_moving(rng, kind_a), some_moving(rng, kind_b), 0.5)
        assert span.speed_change == 0.0
        check(span)


def fourth(a: PreciseMotion, b: PreciseMotion, t: float, pieces: tuple[int, int]) -> np.ndarray:
    """The fourth derivative of the relative pose, by differences in 240 bits."""
    step = arb(2) ** -24
    terms = zip((-2, -1, 0, 1, 2), (1, -4, 6, -4, 1), strict=True)
    return rounded(
        sum(relative(a, b, arb(t) + k * step, pieces) * arb(weight) for k, weight in terms)
    ) / float(step**4)


@pytest.mark.parametrize(("kind_a", "kind_b"), RIGID)
def test_fourth_derivatives_hold_for_all_points_and_times(kind_a: str, kind_b: str) -> None:
    rng, reached = np.random.default_rng(6), 0.0
    for _ in range(8):
        span = Span(rng, some_moving(rng, kind_a, mild=True), some_moving(rng, kind_b, mild=True), 0.1)
        (QA, QB), (ka, kb), out = span.packed, span.pieces, np.zeros(8)
        h = 2.0 * span.half
        bound = fourth_order.fourth_bound(
            QA, ka, QB, kb, span.W, kernels.Z, h, *span.center, span.radius, out
        )
        found = max(
            span.lengths(fourth(span.a, span.b, t, span.pieces)).max()
            for t in np.linspace(span.W[kernels.BEGIN], span.W[kernels.END], 3)
        )
        assert found <= bound * (1.0 + 1e-9) + 1e-9
        reached = max(reached, found / bound if bound > 0.0 else 1.0)
        if kind_a == "fixed" and kind_b != "fixed":
            extent = float(np.linalg.norm(span.center)) + span.radius
            assert found <= fourth_order.fourth_derivative(QB, kb, extent) * (1.0 + 1e-9) + 1e-9
    assert reached > 0.1
