"""Convex bodies in motion whose poses, hulls and searches are wrong by as much as is allowed for.

Rounding is far smaller than its allowance in nearly all cases, so no case can show that an allowance is needed. Here
the allowance is a thousandth of a size, and what it allows for is put in, in the worst direction.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numba.core import config
from tests.unit.kernels.advance.swept_runs import Run, shift, turn, way

import keepclear as kc
from keepclear.geometry.shapes.packed import packed
from keepclear.kernels.advance import convex, distance_polynomials, minimum
from keepclear.kernels.convex import gjk
from keepclear.kernels.convex.support import DEFECT, RADIUS
from keepclear.kernels.motion import state as layout
from keepclear.kernels.tables.motion import motion_row
from keepclear.motion.packing import pack_cubic

pytestmark = pytest.mark.skipif(
    not config.DISABLE_JIT, reason="inner kernels, which only kernels call, are tested as Python"
)
ALLOWED = 1e-3  # part of a size that rounding may amount to
PART = 0.999  # of it that is put in
FLOOR = kc.Box([8.0, 6.0, 1.0])  # from -0.5 to 0.5 along z
BODIES: dict[str, tuple[Any, float]] = {  # and how far they reach down
    "ball": (kc.Sphere(0.25), 0.25),
    "box": (kc.Box([0.5, 0.5, 0.5]), 0.25),
    "capsule": (kc.Capsule(0.125, 1.0), 0.625),
}


def allowance(run: Run, a: Any, b: Any) -> float:
    """What a distance may be wrong by."""
    radii = float(packed(a).reals[RADIUS] + packed(b).reals[RADIUS])
    return ALLOWED * (float(run.rows["scale"][0]) + radii)


def lower_of(run: Run) -> float:
    """The lower bound of a least distance, 0 without a proof."""
    return min(run.lower, run.distance) if run.proved and run.now >= run.rows["end"][0] else 0.0


class Faults:
    """Moves B in A's frame, wherever it is computed, along z by this much: `up`."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.up = 0.0
        patch.setattr(convex, "ROUNDING", ALLOWED)
        patch.setattr(minimum, "ALLOWANCE", ALLOWED)
        for module in (convex, minimum, layout):
            patch.setattr(module, "relative_at", self._wrong(layout.relative_at))

    def _wrong(self, right: Callable[..., None]) -> Callable[..., None]:
        def relative_at(QA: Any, ka: int, QB: Any, kb: int, t: float, work: Any, W: Any, at: int) -> None:
            right(QA, ka, QB, kb, t, work, W, at)
            W[at + 11] += self.up

        return relative_at


@pytest.fixture
def faults(monkeypatch: pytest.MonkeyPatch) -> Faults:
    return Faults(monkeypatch)


def falling(reach: float, high: float, low: float) -> Any:
    """A body that rests at a height above the floor for a second, then falls; a third of a metre aside."""
    at = [shift(0.3, 0.2, 0.5 + reach + z) for z in (high, high, low)]
    return way(*at)


@pytest.mark.parametrize("margin", [0.0, 0.125])
@pytest.mark.parametrize("body", list(BODIES))
def test_no_contact_comes_before_the_first(faults: Faults, body: str, margin: float) -> None:
    b, reach = BODIES[body]
    for low in (-0.5, -0.1, -0.03):
        run = Run(FLOOR, np.eye(4), b, falling(reach, 0.5, low), end=2.0, margin=margin)
        faults.up = PART * allowance(run, FLOOR, b)
        run.finish()
        first = 1.0 + (0.5 - margin) / (0.5 - low)
        assert run.now <= first
        assert run.certain >= run.time


@pytest.mark.parametrize("body", list(BODIES))
def test_no_clear_pass_when_it_grazes(faults: Faults, body: str) -> None:
    # Just within the margin, all along: a direction that is kept from segment to segment must see it too.
    b, reach = BODIES[body]
    for gap in (0.124999, 0.1):
        path = way(*(shift(x, 0.2, 0.5 + reach + gap) for x in (-2.0, 0.0, 1.0)))
        run = Run(FLOOR, np.eye(4), b, path, end=2.0, margin=0.125)
        faults.up = PART * allowance(run, FLOOR, b)
        assert run.finish().now < 2.0


@pytest.mark.parametrize("margin", [0.0, 0.125])
@pytest.mark.parametrize("body", list(BODIES))
def test_distances_are_not_too_small(faults: Faults, body: str, margin: float) -> None:
    b, reach = BODIES[body]
    for low in (-0.5, 0.11, 0.02):
        path = falling(reach, 0.5, low)
        for least in (False, True):
            run = Run(FLOOR, np.eye(4), b, path, end=2.0, margin=margin, tolerance=0.02, least=least)
            faults.up = -PART * allowance(run, FLOOR, b)
            run.finish()
            if run.time < math.inf:
                true = 0.5 - max(0.0, run.time - 1.0) * (0.5 - low)
                assert run.distance >= max(0.0, true)
            if run.certain < math.inf:
                assert 0.5 - max(0.0, run.certain - 1.0) * (0.5 - low) <= margin


@pytest.mark.parametrize("body", list(BODIES))
def test_least_distances_are_not_too_large(faults: Faults, body: str) -> None:
    b, reach = BODIES[body]
    for low in (0.3, 0.1):
        run = Run(FLOOR, np.eye(4), b, falling(reach, 0.5, low), end=2.0, least=True)
        faults.up = PART * allowance(run, FLOOR, b)
        run.finish()
        assert lower_of(run) <= low
        again = Run(FLOOR, np.eye(4), b, falling(reach, 0.5, low), end=2.0, least=True)
        again.rows["distance"] = low + 0.5 * allowance(run, FLOOR, b)  # larger ones do not matter
        assert lower_of(again.finish()) <= low


@pytest.mark.parametrize("body", list(BODIES))
def test_no_body_reaches_farther_than_its_defect(body: str) -> None:
    # The support points of both are a little inside of them.
    b, reach = BODIES[body]
    for which in (0, 1):
        for least in (False, True):
            margin = 0.0 if least else 0.12
            run = Run(FLOOR, np.eye(4), b, falling(reach, 0.5, 0.1), end=2.0, margin=margin, least=least)
            run.cores[which][0][DEFECT] = 0.03
            run.finish()
            if least:
                assert lower_of(run) <= 0.1 - 0.03
            else:
                assert run.now <= 1.0 + (0.5 - 0.12 - 0.03) / 0.4


def rest(height: float) -> Any:
    return kc.Fixed(shift(0.3, 0.2, 0.5 + 0.25 + height))


@pytest.mark.parametrize(
    ("margin", "apart"),  # as multiples of the allowance
    [(0.0, 0.01), (0.5, 0.9), (1.5, 1.51), (2.5, 2.6), (100.0, 100.5)],
)
def test_no_contact_is_certain_where_there_is_none(faults: Faults, margin: float, apart: float) -> None:
    b = BODIES["box"][0]
    run = Run(FLOOR, np.eye(4), b, rest(0.0))
    unit = allowance(run, FLOOR, b)
    faults.up = -PART * unit
    for least in (False, True):
        motion = rest(apart * unit)
        run = Run(FLOOR, np.eye(4), b, motion, margin=margin * unit, least=least)
        pair = run.rows[0]
        R, M = np.zeros(minimum.WORK), np.zeros(gjk.MEMORY)
        shapes = (*packed(FLOOR), *packed(b))
        packs = [kc.Fixed(np.eye(4))._packed, motion._packed]
        if least:
            s = minimum.SAMPLES
            minimum._sample(packs[0], 0, packs[1], 0, 0.0, s, R, s)
            pair.distance = math.inf
            convex.forget(M)
            minimum._measure_sample(*shapes, *packs, pair, R, s, M)
            assert pair.distance >= apart * unit
        else:
            convex.relative_at(packs[0], 0, packs[1], 0, 0.0, R, R, convex.RELATIVE)
            arguments = (*shapes, packs[0], 0, packs[1], 0, 0.0, 0.0, 0.0, unit, 0.0, 0.0, 1.0, pair, R, M)
            convex._find_certain(*arguments)
            assert pair.certain == math.inf


def test_bounds_of_searches_that_end_early(monkeypatch: pytest.MonkeyPatch) -> None:
    # The distance is between both bounds, and may be the lower one.
    for budget in (1, 2, 3, 4):
        monkeypatch.setattr(gjk, "BUDGET", budget)
        for angle in (0.3, 0.5, 0.7):
            X = shift(0.3, 0.2, 0.0) @ turn(0, angle) @ turn(1, 0.4)
            b = kc.Box([0.5, 0.9, 0.4])
            reach = float((np.abs(X[2, :3]) * [0.25, 0.45, 0.2]).sum())
            path = way(*(shift(0.0, 0.0, 0.5 + reach + z) @ X for z in (0.5, 0.5, -0.5)))
            run = Run(FLOOR, np.eye(4), b, path, end=2.0)
            run.finish(3)
            assert run.now <= 1.5


def test_support_points_that_fall_short(monkeypatch: pytest.MonkeyPatch) -> None:
    short, right = 0.01, convex.support

    def support(F: Any, L: Any, x: float, y: float, z: float, hint: int, rough: bool) -> Any:
        px, py, pz, k, visited = right(F, L, x, y, z, hint, rough)
        f = short / math.sqrt(x * x + y * y + z * z)
        return px - f * x, py - f * y, pz - f * z, k, visited

    monkeypatch.setattr(convex, "support", support)
    monkeypatch.setattr(convex, "walk_slack", lambda *_: 1.001 * short)
    for wide in (1.0, 1e-6):  # the slack is small enough, or not
        monkeypatch.setattr(gjk, "WALK_SLACK", wide)
        if wide < 1.0:
            monkeypatch.setattr(
                convex, "certain_support", lambda F, L, x, y, z, *_: right(F, L, x, y, z, -1, False)
            )
        F, L = packed(kc.Box([1.0, 2.0, 3.0]))
        for n in np.random.default_rng(1).normal(size=(5, 3)):
            least = convex.least_along(F, L, *n, -1, 1.0)[0]
            assert least <= -np.abs(n) @ [0.5, 1.0, 1.5]


class Arm:
    """A rod from the axis of its turn to its tip, which turns about y; a wall stands at x = w.

    Its ball is around the axis, so that nothing of its acceleration is that of the ball's centre.
    """

    def __init__(self, w: float, *angles: float, arc: float = 0.0, kind: str = "screw") -> None:
        self.wall, self.length = kc.Box([1.0, 6.0, 6.0]), 2.0
        self.rod = kc.Convex(
            [[x, y, z] for x in (0.0, self.length) for y in (-0.01, 0.01) for z in (-0.01, 0.01)]
        )
        X = [turn(1, -angle) for angle in angles]
        self.path = way(*X, kind=kind)
        self.arguments: Any = (self.wall, shift(w + 0.5), self.rod, self.path)
        if arc:  # all of it turns: the frame of the wall as well
            turned = [turn(2, arc * k) for k in range(len(X))]
            self.path = kc.PoseTrajectory(
                range(len(X)), [T @ x for T, x in zip(turned, X, strict=True)], "screw"
            )
            at = [T @ shift(w + 0.5) for T in turned]
            self.arguments = (self.wall, way(*at, kind="screw"), self.rod, self.path)

    def run(self, **question: Any) -> Run:
        run = Run(*self.arguments, end=float(self.path.t_end), **question)
        run.rows["ball"] = [0.0, 0.0, 0.0, 1.001 * math.hypot(self.length, 0.02), 0.0]
        return run

    def gap(self, t: float) -> float:
        """How far it is from the wall."""
        wall = self.arguments[1] if isinstance(self.arguments[1], np.ndarray) else self.arguments[1].pose(t)
        X = np.linalg.inv(wall) @ self.path.pose(t)
        return float(-0.5 - (self.rod.vertices @ X[0, :3] + X[0, 3]).max())


def test_a_rod_that_swings_round() -> None:
    # It points away from the wall, and no point of it approaches at first.
    for angles in ((-math.pi, -0.02), (-math.pi, -math.pi, -0.02), (-math.pi, -1.5, -0.02)):
        arm = Arm(0.5, *angles)
        run = arm.run().finish()
        times = np.linspace(0.0, len(angles) - 1.0, 5001)
        first = times[np.argmax([arm.gap(t) <= 0.0 for t in times])]
        assert run.now <= first < run.now + 0.1


def test_the_least_distance_of_a_rod_that_swings_round() -> None:
    # Only distances below a limit matter; the cubic through both ends stays above it.
    for angles, arc in (((-1.2, 1.3), 0.0), ((-1.2, 1.3), 0.3), ((-2.0, 1.0), 0.0), ((-2.0, 1.0), 0.1)):
        arm = Arm(2.05, *angles, arc=arc)
        true = min(arm.gap(t) for t in np.linspace(0.0, 1.0, 2001))
        for limit in (1e-3, 0.01, 0.03, 0.1, 0.3, 1.0):
            run = arm.run(least=True)
            run.rows["distance"] = true + limit
            run.finish()
            assert lower_of(run) <= true
            assert run.distance >= true - 1e-5


class Swelling:
    """A ball above the floor whose map stretches it along z, to 1 + first s + second s^2 of its size.

    Args:
        swapped: Whether it is A, in whose frame the other one moves.
        spins: Whether the floor turns about the axis of the ball.
    """

    def __init__(
        self, first: float, second: float, height: float, swapped: bool = False, spins: bool = False
    ) -> None:
        self.first, self.second, self.height, self.spins = first, second, height, spins
        X = []
        for s in (0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0, 4.0 / 3.0, 5.0 / 3.0, 2.0):
            M = shift(0.0, 0.0, 0.5 + height)
            M[2, 2] = self.factor(s)
            X.append(M)
        Q = pack_cubic(np.arange(7) / 3.0, np.array(X))
        factors = [self.factor(s) for s in np.linspace(0.0, 2.0, 1001)]
        row = motion_row(Q)
        row["smallest"], row["largest"] = min(1.0, *factors), max(1.0, *factors) + 1e-6
        row["stretch"] = max(row["largest"] - 1.0, 1.0 - row["smallest"])
        self.ball = kc.Sphere(0.5)
        self.Q = Q
        self.swapped = swapped

    def factor(self, s: float) -> float:
        return 1.0 + self.first * s + self.second * s * s

    def gap(self, s: float) -> float:
        return self.height - 0.5 * self.factor(s)

    def run(self, **question: Any) -> Run:
        still: Any = kc.Fixed(np.eye(4))
        if self.spins:
            still = way(*(turn(2, 0.05 * k) for k in range(3)), kind="screw")
        bodies = (self.ball, FLOOR) if self.swapped else (FLOOR, self.ball)
        run = Run(bodies[0], still, bodies[1], still, end=2.0, **question)
        packs = [self.Q, still._packed] if self.swapped else [still._packed, self.Q]
        run._arguments[2][1] = len(packs[0])
        run._arguments = (run._arguments[0], np.concatenate(packs), *run._arguments[2:])
        run.rows["scale"] = 16.0
        return run


GROWTHS = [(0.5, 0.0), (0.0, 0.25), (0.2, 0.2), (-0.1, 0.2)]
TURNS = [(-0.25, 0.0), (-0.3, 0.05), (0.4, -0.3), (0.1, -0.1)]


@pytest.mark.parametrize(("first", "second"), GROWTHS)
def test_a_ball_that_swells(first: float, second: float) -> None:
    for end in (-0.1, -0.01):
        case = Swelling(first, second, 0.0)
        case.height = 0.5 * case.factor(2.0) + end
        case = Swelling(first, second, case.height)
        run = case.run(tolerance=1e-3).finish()
        times = np.linspace(0.0, 2.0, 20_001)
        true = times[np.argmax([case.gap(s) <= 0.0 for s in times])]
        assert run.now <= true
        assert run.time < math.inf
        assert run.distance >= case.gap(run.time)


@pytest.mark.parametrize("spins", [False, True])
@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize(("first", "second"), [*GROWTHS, *TURNS])
def test_the_least_distance_of_a_ball_that_swells(
    first: float, second: float, swapped: bool, spins: bool
) -> None:
    case = Swelling(first, second, 2.0, swapped, spins)
    true = min(case.gap(s) for s in np.linspace(0.0, 2.0, 2001))
    for limit in (math.inf, 0.002, 0.01, 0.1):
        for margin in (0.0, true + 0.02):
            run = case.run(least=margin == 0.0, margin=margin, tolerance=1e-3)
            if margin == 0.0:
                run.rows["distance"] = true + limit
            run.finish()
            if margin == 0.0:
                assert lower_of(run) <= true + 1e-9
                assert run.distance >= true - 1e-6
            else:
                assert run.now < 2.0
                assert run.distance >= case.gap(run.time) - 1e-9
                if run.certain < math.inf:
                    assert case.gap(run.certain) <= margin + 1e-9


@pytest.mark.parametrize("swapped", [False, True])
def test_a_ball_that_shrinks_is_not_met_for_certain(swapped: bool) -> None:
    # At the end it is half as large; the floor is within its own radius.
    case = Swelling(-0.25, 0.0, 0.4, swapped)
    run = case.run(margin=0.05)
    pair, R, M = run.rows[0], np.zeros(minimum.WORK), np.zeros(gjk.MEMORY)
    pair.margin = 0.05
    still = kc.Fixed(np.eye(4))._packed
    shapes = (*packed(case.ball), *packed(FLOOR)) if swapped else (*packed(FLOOR), *packed(case.ball))
    packs = (case.Q, 1, still, 0) if swapped else (still, 0, case.Q, 1)
    up = -1.0 if swapped else 1.0
    convex.relative_at(*packs, 2.0, R, R, convex.RELATIVE)
    convex._find_certain(*shapes, *packs, 2.0, 2.0, 0.0, 0.1, 0.0, 0.0, up, pair, R, M)
    assert case.gap(2.0) > 0.05
    assert pair.certain == math.inf


def test_a_small_ball_is_not_met_for_certain() -> None:
    # All of its map is half as large, and so is the ball.
    Q = pack_cubic(np.arange(4) / 3.0, np.array([np.diag([0.5, 0.5, 0.5, 1.0])] * 4))
    row = motion_row(Q)
    row["smallest"] = row["largest"] = row["stretch"] = 0.5
    ball, low = kc.Sphere(0.5), kc.Fixed(shift(0.0, 0.0, -0.95))
    pair, R, M = Run(ball, np.eye(4), FLOOR, low, margin=0.05).rows[0], np.zeros(100), np.zeros(gjk.MEMORY)
    packs = Q, 0, low._packed, 0
    convex.relative_at(*packs, 0.5, R, R, convex.RELATIVE)
    shapes = (*packed(ball), *packed(FLOOR))
    convex._find_certain(*shapes, *packs, 0.5, 0.5, 0.0, 0.1, 0.0, 0.0, -1.0, pair, R, M)
    assert pair.certain == math.inf


def test_a_direction_that_does_not_separate_at_the_start() -> None:
    # The ball shrinks away from the floor, into which it reaches at first.
    case = Swelling(-0.25, 0.0, 0.45)
    pair, R, M = case.run().rows[0], np.zeros(convex.WORK), np.zeros(gjk.MEMORY)
    pair.limit = 100
    hints = np.array([-1.0, -1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
    shapes, still = (*packed(FLOOR), *packed(case.ball)), kc.Fixed(np.eye(4))._packed
    assert convex.advance_segment(*shapes, still, 0, case.Q, 0, 1.0, pair, hints, R, M)
    assert pair.time == 0.0


def test_steps_of_late_times_are_not_rounded_up() -> None:
    for seed in range(12):
        rng = np.random.default_rng(seed)
        t0 = 2.0**30 + rng.integers(0, 1000)
        low, high = rng.uniform(0.1, 0.9), rng.uniform(0.5, 5.0)
        X = [shift(0.3, 0.2, 0.75 + z) for z in (high, -low)]
        path = kc.PoseTrajectory([t0, t0 + 1.0], X, "linear")
        run = Run(FLOOR, np.eye(4), kc.Box([0.5, 0.5, 0.5]), path, begin=t0, end=t0 + 1.0, tolerance=1e-7)
        run.finish()
        top, bottom = (Fraction(float(x[2, 3])) - Fraction(3, 4) for x in X)
        assert Fraction(run.now) <= Fraction(t0) + top / (top - bottom)


@pytest.mark.parametrize("cells", [minimum.LATER, 254, minimum.EARLIER, 127])
def test_what_is_left_of_an_interval_contains_what_is_not_proved(
    cells: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(minimum, "prove_cells", lambda *_: (cells, 0.125))
    rng = np.random.default_rng(2)
    run = Run(FLOOR, np.eye(4), kc.Box([0.5, 0.5, 0.5]), rest(1.0), least=True)
    motion, still = rest(1.0)._packed, kc.Fixed(np.eye(4))._packed
    FB, IB = packed(kc.Box([0.5, 0.5, 0.5]))
    for t0 in (0.0, 1.0, 1e3, 1e9):
        for part in (1.0, 1e-3, 1e-8, 1e-12, 1e-14):
            W, pair = np.zeros(minimum.WORK), run.rows[0]
            s = rng.uniform(0.5, 1.0) * (t0 + 1.0)
            e = s + part * rng.uniform(0.5, 1.0) * s
            left, right = minimum.SAMPLES, minimum.SAMPLES + distance_polynomials.SAMPLE
            for at, t in ((left, s), (right, e)):
                minimum._sample(still, 0, motion, 0, t, at, W, at)
                W[at + distance_polynomials.N + 2] = W[at + distance_polynomials.MEASURED] = 1.0
            pair.distance, pair.lower, hints = 1.0, math.inf, np.full(8, -1.0)
            proved, where = minimum._prove(
                packed(FLOOR).reals, FB, IB, still, 0, motion, 0, left, right, pair, hints, W
            )
            if proved == minimum.NONE:
                assert part < 1e-6 or t0 + part == 0.0
                continue
            assert pair.lower <= 1.0 - pair.tolerance + 0.125
            t, eighths = Fraction(s + where * (e - s)), [k for k in range(8) if cells >> k & 1]
            one = (Fraction(e) - Fraction(s)) / 8
            if proved == minimum.END:
                assert t >= Fraction(s) + min(eighths) * one
            else:
                assert t <= Fraction(s) + (max(eighths) + 1) * one


def test_control_matrices_of_rates_that_are_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distance_polynomials, "POSE_ROUNDING", ALLOWED)
    rng = np.random.default_rng(3)
    for _ in range(10):
        V = rng.normal(size=48)
        wrong = V.copy()
        for at in (12, 36):
            wrong[at : at + 12] *= 1.0 + PART * ALLOWED * rng.choice([-1.0, 1.0], 12)
        W, size = np.zeros((2, 48)), 3.0
        bound = distance_polynomials.fill_controls(V, 0, 24, 0.7, False, size, W[0], 0)
        distance_polynomials.fill_controls(wrong, 0, 24, 0.7, False, size, W[1], 0)
        off = (W[1] - W[0]).reshape(4, 3, 4)
        for p in rng.normal(size=(20, 3)):
            p *= size / np.linalg.norm(p)
            assert max(float(np.linalg.norm(m @ [*p, 1.0])) for m in off) <= bound


def test_what_stays_positive_less_its_error() -> None:
    rng = np.random.default_rng(4)
    W, us = np.zeros(minimum.WORK), np.linspace(0.0, 1.0, 401)
    vs = 1.0 - us
    for quartic, quadratic in [(16.0, 0.0), (0.0, 4.0), (8.0, 2.0)] * 40:
        g = rng.uniform(0.0, 8.0, 4)
        cubic = g[0] * vs**3 + 3 * g[1] * vs**2 * us + 3 * g[2] * vs * us**2 + g[3] * us**3
        low = float((cubic - quadratic * us * vs - quartic * (us * vs) ** 2).min())
        if low < g.min() - 1e-9:
            g = g - low - 1e-3
            assert not distance_polynomials.stays_positive(*g, quartic, quadratic, W)
        assert distance_polynomials.stays_positive(*(g + 20.0), quartic, quadratic, W)
    assert not distance_polynomials.stays_positive(1.0, 1.0, 1.0, 1.0, math.inf, 0.0, W)
    assert not distance_polynomials.stays_positive(1.0, 1.0, 1.0, 1.0, 0.0, math.inf, W)
