"""Bounds of motions against exact values: cases in which each term of a bound is needed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from flint import arb, arb_mat, ctx
from numba.core import config
from tests.oracles.high_precision_motion import PreciseMotion, precise, relative, rounded
from tests.oracles.poses import pose, random_pose, rotation_of_quaternion

import keepclear as kc
from keepclear.kernels.motion import forward
from keepclear.kernels.motion import state as layout
from keepclear.kernels.motion.joints import FAR
from keepclear.kernels.motion.path_length import path_bound, path_lengths
from keepclear.kernels.tables.motion import segment_rows
from keepclear.kernels.tables.robot import LINK
from keepclear.motion.packing import pack_rest

UNIT = 2.0**-53
WORLD = pack_rest(np.eye(4), 0.0)


@pytest.fixture(autouse=True)
def _precision() -> None:
    ctx.prec = 240


def exact(x: float) -> arb:
    return arb(float(x))


def norm(vector: Any) -> arb:
    return sum((x * x for x in vector), arb(0)).sqrt()


def sines(angles: np.ndarray) -> np.ndarray:
    """Rows of sine and cosine of the angles as `place_links` computes them."""
    links = np.zeros(2, LINK)
    links["motion"][1], links["multiplier"][1] = forward.ABOUT_Z, 1.0
    X = np.empty((len(angles), 2, 4, 4))
    forward.place_links(links, np.ascontiguousarray(angles[:, None]), np.eye(4)[None], X)
    return X[:, 1, [1, 0], [0, 0]]


def errors(angles: np.ndarray) -> np.ndarray:
    """How far the sines and cosines are from the true ones, in units."""
    true = [(exact(x).sin(), exact(x).cos()) for x in angles]
    found = sines(angles)
    off = [
        [float((exact(v) - t).mid()) for v, t in zip(*row, strict=True)]
        for row in zip(found, true, strict=True)
    ]
    return np.abs(off) / UNIT


def test_sines_of_all_angles() -> None:
    rng = np.random.default_rng(1)
    angles = np.concatenate([rng.uniform(-FAR, FAR, 300), rng.uniform(-4.0, 4.0, 300)])
    assert errors(angles).max() <= 4.0


def test_sines_near_their_zeros() -> None:
    # What is left of the angle is tiny there, and the sine or cosine has hardly any error.
    rng = np.random.default_rng(2)
    angles = np.array([float((arb.pi() / 2 * int(k)).mid()) for k in rng.integers(30_000, 60_000, 40)])
    tiny = np.abs(sines(angles)) < 1e-6
    assert (tiny.sum(axis=1) == 1).all()
    assert errors(angles)[tiny].max() <= 1e-3


def corners(body: np.ndarray) -> list[list[arb]]:
    """The corners of a box, exactly."""
    signs = np.indices((2, 2, 2)).reshape(3, 8).T * 2 - 1
    return [
        [exact(c) + int(s) * exact(h) for c, s, h in zip(body[:3], row, body[4:], strict=True)]
        for row in signs
    ]


@pytest.mark.skipif(not config.DISABLE_JIT, reason="an inner kernel, which only kernels call")
def test_path_of_a_box_is_rounded_up() -> None:
    rng = np.random.default_rng(3)
    for _ in range(30):
        W, body = np.zeros(layout.SPAN), rng.uniform(0.1, 1.0, 7)
        body[3] = np.inf  # so that the box bounds it
        W[layout.LENGTH], W[layout.SPEED_CHANGE_BOUND] = rng.uniform(0.1, 1.0, 2)
        W[layout.DZ : layout.DZ + 12] = rng.normal(size=12)
        D = precise(W[layout.DZ : layout.DZ + 12].reshape(3, 4))
        speeds = [norm((D * arb_mat([[x] for x in [*corner, arb(1)]])).entries()) for corner in corners(body)]
        fastest = max(speeds, key=lambda speed: float(speed.mid()))
        h, K = exact(W[layout.LENGTH]), exact(W[layout.SPEED_CHANGE_BOUND])
        assert exact(path_bound(W, body)) >= (2 * fastest + h * K) * h


def test_path_of_a_straight_motion_is_rounded_up() -> None:
    rng = np.random.default_rng(4)
    for _ in range(30):
        t = np.array([0.0, rng.uniform(0.5, 2.0)])
        Q = kc.PoseTrajectory(t, [np.eye(4), pose(np.eye(3), rng.normal(size=3))], "screw")._packed
        v = segment_rows(Q)["v"][0]
        body, n, out = np.array([*rng.normal(size=3), 0.1, 0.0, 0.0, 0.0]), rng.normal(size=3), np.empty(3)
        n *= np.sign(n @ v) / np.linalg.norm(n)
        path_lengths(WORLD, Q, body, t, n, out)
        T = exact(t[1])
        assert exact(out[0]) >= norm([exact(x) for x in v]) * T
        assert exact(out[2]) >= sum((exact(x) * exact(y) for x, y in zip(v, n, strict=True)), arb(0)) * T


class Pair:
    """Two motions from -1 to 1 s, of which A's frame sees B."""

    def __init__(self, a: tuple[str, list[np.ndarray]], b: tuple[str, list[np.ndarray]]) -> None:
        t = np.array([-1.0, 1.0])
        self.motions = [kc.PoseTrajectory(t, X, kind) for kind, X in (a, b)]  # type: ignore[arg-type]
        self.true = [PreciseMotion(m.interpolation, np.array(m.times), np.array(m.X_W)) for m in self.motions]

    def span(self, point: np.ndarray, begin: float = -1.0, end: float = 1.0) -> np.ndarray:
        W = np.zeros(layout.SPAN)
        QA, QB = (m._packed for m in self.motions)
        size = float(np.linalg.norm(point))
        layout.fill_span(QA, 0, QB, 0, begin, end, *point, 0.0, size, np.zeros(2 * layout.STATE + 12), W, 0)
        return W

    def place(self, point: np.ndarray, t: Any) -> arb_mat:
        """Where a point of B is in A's frame."""
        return relative(*self.true, t, (0, 0)) * precise([[x] for x in [*point, 1.0]])

    def acceleration(self, point: np.ndarray, t: float) -> arb:
        e = arb(2) ** -40
        second = self.place(point, arb(t) - e) - 2 * self.place(point, t) + self.place(point, arb(t) + e)
        return norm((second * e**-2).entries())

    def speed(self, point: np.ndarray, t: float) -> arb:
        e = arb(2) ** -40
        return norm(
            ((self.place(point, arb(t) + e) - self.place(point, arb(t) - e)) * (1 / (2 * e))).entries()
        )


def turned(angle: float, p: Any, about: Any = (0.0, 0.0, 0.0)) -> np.ndarray:
    """A pose at p, then turned about an axis along z."""
    R = rotation_of_quaternion(np.array([np.cos(angle / 2), 0.0, 0.0, np.sin(angle / 2)]))
    return pose(R, R @ (np.asarray(p, float) - about) + about)


def test_acceleration_where_the_speed_grows_from_nothing() -> None:
    # A turns at 0.5 rad/s, B passes straight through the point of A that has its velocity: in the middle, it rests.
    a, v = 0.5, 1.0
    pair = Pair(
        ("screw", [turned(-a, (0, 0, 0)), turned(a, (0, 0, 0))]),
        ("linear", [turned(0.0, (-v, 0, 0)), turned(0.0, (v, 0, 0))]),
    )
    point = np.array([0.0, -v / a, 0.0])
    W = pair.span(point)
    assert pair.speed(point, 0.0) < 1e-9
    for t in (-0.999, 0.999):
        assert exact(W[layout.ACCELERATION_BOUND]) >= pair.acceleration(point, t)


def test_acceleration_where_the_frame_drifts_away() -> None:
    # A turns while its origin moves straight; B turns twice as fast about an axis close to the point.
    a, v, slow = 0.5, 1.0, 0.1
    point = np.array([0.0, v / a, 0.0])
    axis = point - [0.0, slow * v / (2.0 * a), 0.0]
    pair = Pair(
        ("linear", [turned(-a, (0, 0, 0)) + shift(-v), turned(a, (0, 0, 0)) + shift(v)]),
        ("screw", [turned(-2.0 * a, (0, 0, 0), axis), turned(2.0 * a, (0, 0, 0), axis)]),
    )
    W = pair.span(point)
    for t in (-0.999, 0.999):
        assert exact(W[layout.ACCELERATION_BOUND]) >= pair.acceleration(point, t)


def shift(x: float) -> np.ndarray:
    """What a translation along x adds to a pose."""
    out = np.zeros((4, 4))
    out[0, 3] = x
    return out


def test_accelerations_of_turns_are_rounded_up() -> None:
    # A point on a circle has this acceleration all the time, and a point that passes a turning frame this one at once.
    rng = np.random.default_rng(5)
    for _ in range(20):
        angle, r, v = rng.uniform(0.1, 1.0, 3)
        still = ("screw", [turned(0.0, (0, 0, 0))] * 2)
        circle = Pair(still, ("screw", [turned(-angle, (0, 0, 0)), turned(angle, (0, 0, 0))]))
        point = np.array([r, 0.0, 0.0])
        Q = circle.motions[1]._packed
        w = norm([exact(x) for x in segment_rows(Q)["w"][0]])
        W = circle.span(point)
        assert exact(W[layout.ACCELERATION_BOUND]) >= w * w * exact(r)
        assert exact(W[layout.MISSED]) >= w * w * exact(r) / 2
        passing = Pair(
            ("screw", [turned(-angle, (0, 0, 0)), turned(angle, (0, 0, 0))]),
            ("linear", [turned(0.0, (-v, 0, 0)), turned(0.0, (v, 0, 0))]),
        )
        w = norm([exact(x) for x in segment_rows(passing.motions[0]._packed)["w"][0]])
        u = norm([exact(x) for x in segment_rows(passing.motions[1]._packed)["v"][0]])
        W = passing.span(np.array([r, -v / angle, 0.0]))
        assert exact(W[layout.SPEED_CHANGE_BOUND]) >= w * u


def test_motion_along_a_direction_includes_the_acceleration() -> None:
    angle = 0.5
    Q = kc.PoseTrajectory([-1.0, 1.0], [turned(-angle, (0, 0, 0)), turned(angle, (0, 0, 0))], "screw")._packed
    body, out = np.array([1.0, 0, 0, 0, 0, 0, 0]), np.empty(3)
    path_lengths(WORLD, Q, body, np.array([-1.0, 1.0]), np.array([-1.0, 0.0, 0.0]), out)
    assert out[2] >= 1.0 - np.cos(angle)


def test_positions_are_within_their_rounding() -> None:
    rng, worst = np.random.default_rng(6), 0.0
    for scale in 10.0 ** np.linspace(0.0, 7.0, 15):
        X = [random_pose(rng, scale) for _ in range(4)]
        X[1], X[3] = (x @ turned(0.3, rng.normal(size=3)) for x in (X[0], X[2]))
        pair, point = Pair(("screw", X[:2]), ("linear", X[2:])), rng.normal(size=3) * scale
        W = pair.span(point)
        Z = precise(np.vstack([W[layout.Z : layout.Z + 12].reshape(3, 4), [0, 0, 0, 1]]))
        off = Z * precise([[x] for x in [*point, 1.0]]) - pair.place(point, 0.0)
        length = float(np.linalg.norm(rounded(off)))
        assert length <= 0.5 * W[layout.ROUNDED]
        worst = max(worst, length / W[layout.ROUNDED])
    assert worst > 1e-3
