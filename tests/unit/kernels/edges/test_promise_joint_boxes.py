"""Bounds over boxes of joint values against exact values: cases in which each term of a bound is needed."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from flint import arb, ctx
from numba.core import config
from tests.unit.kernels.edges.test_joint_boxes import Chain

import keepclear as kc
from keepclear.geometry.shapes.extent import body_points
from keepclear.geometry.shapes.packed import packed
from keepclear.kernels.convex import gjk
from keepclear.kernels.edges import joint_boxes
from keepclear.kernels.tables.joint_boxes import BOX_SEARCH, OPEN_BOX, ROUTE_JOINT
from keepclear.kernels.tables.robot import JOINT, PLANE

pytestmark = pytest.mark.skipif(
    not config.DISABLE_JIT, reason="inner kernels, which only kernels call, are tested as Python"
)
SLIP = 1e-3
STILL = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)


@pytest.fixture(autouse=True)
def _precision() -> None:
    ctx.prec = 240


def exact(x: float) -> arb:
    return arb(float(x))


def route_of(revolute: bool, factor: float = 1.0) -> np.ndarray:
    """One joint about, or along, the z axis of A's frame, and B's frame right after it."""
    route = np.zeros(2, JOINT)
    route["map"] = np.eye(4)[:3]
    route["revolute"][0], route["multiplier"][0] = revolute, factor
    return route


def placed(route: np.ndarray, lower: float, upper: float) -> np.ndarray:
    """The scratch of the joint for a box from lower to upper."""
    joints = np.zeros(1, ROUTE_JOINT)
    joint_boxes._place(route, np.array([[lower], [upper]]), joints)
    return joints


def new_search(**fields: Any) -> np.ndarray:
    """A query about a box, with some fields; those of A and B are pairs of both."""
    asked = np.zeros(1, BOX_SEARCH)
    for name, value in fields.items():
        if isinstance(value, tuple):
            asked["a"][name], asked["b"][name] = value
        else:
            asked[name] = value
    return asked


def test_half_widths_reach_both_ends() -> None:
    rng = np.random.default_rng(1)
    for case in range(60):
        factor = float(rng.uniform(0.5, 2.0))
        lower = float(rng.normal())
        upper = np.nextafter(lower, 9.0) if case % 3 == 0 else lower + float(rng.uniform(0.0, 1.0))
        width = placed(route_of(True, factor), lower, upper)["width"][0]
        middle = exact(0.5 * (lower + upper))
        assert exact(width) >= exact(factor) * (exact(upper) - middle)
        assert exact(width) >= exact(factor) * (middle - exact(lower))


def test_chords_are_rounded_up() -> None:
    # Near half a turn the chord hardly grows with the angle, so that its own rounding counts.
    for width in math.pi - 10.0 ** np.linspace(-9.0, -6.0, 40):
        joints = placed(route_of(True), -width, width)
        assert exact(joints["chord"][0]) >= 2 * (exact(width) / 2).sin()


def test_steps_are_rounded_up() -> None:
    rng = np.random.default_rng(2)
    for _ in range(60):
        joint: Any = np.zeros(1, ROUTE_JOINT)[0]
        w, inner, x, y, radius = rng.uniform(0.1, 1.0, 5)
        chord = float(rng.uniform(0.5, 1.0)) * w
        joint.axis[2], joint.width, joint.chord, joint.inner = 1.0, w, chord, inner
        W, C, inside, r = exact(w), exact(chord), exact(inner), exact(radius)
        n = (0.0, 1.0, 0.0)
        along, most = joint_boxes._step(route_of(True)[0], joint, (x, y, 0.5), radius, n)
        rho = (exact(x) ** 2 + exact(y) ** 2).sqrt() + r
        assert exact(most) >= C * rho
        first = W * (exact(x) + r) + W * rho * (W / 2 + inside)
        assert exact(along) >= min(C * rho, first, key=lambda v: float(v.mid()))
        joint.chord, joint.inner = w, 1e-3 * inner
        inside = exact(joint.inner)
        n = (0.0, math.sin(0.3), math.cos(0.3))
        along, _ = joint_boxes._step(route_of(False)[0], joint, (x, y, 0.5), radius, n)
        assert exact(along) >= min(W, W * exact(n[2]) + W * inside, key=lambda v: float(v.mid()))


class Swing:
    """A capsule and a ball with two joints between them, and a box of joint values."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.chain = Chain(rng, 2, 2)
        center, half = rng.normal(size=2), rng.uniform(0.1, 1.0, 2)
        self.lower, self.upper = center - half, center + half
        self.q = rng.uniform(self.lower, self.upper, (150, 2))
        self.length, self.is_capsule_first = float(rng.uniform(0.2, 2.0)), seed % 2 == 1
        self.ball = np.array([self.seen(self.chain.frames(q)[-1]) for q in self.q])
        beyond = self.ball - np.clip(self.ball, [0, 0, -0.5 * self.length], [0, 0, 0.5 * self.length])
        distance = np.linalg.norm(beyond, axis=1)
        self.radius = float(np.quantile(distance, rng.uniform(0.02, 0.3)))  # some of the configurations touch
        self.touching = distance <= self.radius

    def seen(self, X_AB: np.ndarray) -> np.ndarray:
        """Where the ball is in the frame of the capsule, whose axis is z."""
        return np.asarray(X_AB[:3, 3] if self.is_capsule_first else -X_AB[:3, :3].T @ X_AB[:3, 3])

    def searched(self, hulls: bool = True, ends: np.ndarray | None = None) -> tuple[np.ndarray, ...]:
        """What is left undecided, its boxes, and those that are left on the stack when the budget ends."""
        r = 0.5 * self.radius
        shapes = [(kc.Capsule(r, self.length), r + 0.5 * self.length), (kc.Sphere(r), r)]
        (a, far_a), (b, far_b) = shapes if self.is_capsule_first else shapes[::-1]
        asked = new_search(
            thick=(r, r), radius=(far_a, far_b), hulls=hulls, slip=SLIP, near=self.radius, stack=1, budget=120
        )
        boxes = np.zeros((60, 2, 2))
        boxes[0] = [self.lower, self.upper] if ends is None else ends
        opened, left = np.zeros(400, OPEN_BOX), np.zeros((400, 2, 2))
        points = [np.ascontiguousarray(body_points(shape)[0]) for shape in (a, b)]
        joint_boxes.search(
            self.chain.route, *points, *packed(a), *packed(b), asked, np.zeros((60, 3)), boxes, opened, left,
            self.chain.joints, np.zeros(gjk.MEMORY), np.zeros(1, PLANE), np.zeros(2),
        )  # fmt: skip
        n = asked["opened"][0]
        return opened[:n], left[:n], boxes[: asked["stack"][0]]

    def inside(self, ends: np.ndarray) -> np.ndarray:
        """Which configurations are in a box."""
        return np.asarray(np.logical_and(self.q >= ends[0], self.q <= ends[1]).all(axis=1))


@pytest.mark.parametrize("seed", range(24))
def test_no_box_with_a_contact_is_proved(seed: int) -> None:
    swing = Swing(seed)
    _, opened, left = swing.searched()
    covered = np.zeros(len(swing.q), dtype=bool)
    for ends in [*opened, *left]:
        covered |= swing.inside(ends)
    assert covered[swing.touching].all()


@pytest.mark.parametrize("seed", range(6))
def test_undecided_boxes_say_how_far_points_move(seed: int) -> None:
    swing = Swing(seed)
    opened, boxes, _ = swing.searched(hulls=False)
    assert len(opened) > 0
    for row, ends in zip(opened, boxes, strict=True):
        X = np.vstack([row.pose, [0, 0, 0, 1]])
        ball = swing.ball[swing.inside(ends)]
        for end in (-0.5 * swing.length, 0.5 * swing.length):
            tip = np.array([0.0, 0.0, end])
            off = np.abs(np.linalg.norm(ball - tip, axis=1) - np.linalg.norm(swing.seen(X) - tip))
            assert off.max(initial=0.0) <= row.moved + 1e-12


def test_undecided_boxes_without_a_width_have_their_rounding() -> None:
    swing = Swing(0)
    q = swing.q[np.flatnonzero(swing.touching)[0]]
    opened, _, _ = swing.searched(ends=np.array([q, q]))
    assert len(opened) == 1
    assert SLIP <= opened["moved"][0] < 2.0 * SLIP


@pytest.mark.parametrize("is_known", [False, True])
@pytest.mark.parametrize("is_first", [False, True])
def test_a_corner_that_swings_into_a_ball_is_not_proved(is_first: bool, is_known: bool) -> None:
    # The corner that is nearest at the centre of the box hardly moves; the other one swings by 3 sin(0.2) m.
    hull = kc.Convex([[0.0, 1.0, 0.0], [3.0, 0.9, 0.0], [1.0, 0.0, 0.5], [1.0, 0.0, -0.5]])
    ball, route = kc.Sphere(18.9), route_of(True)
    route["map"][int(is_first), 1, 3] = (
        20.0 if is_first else -20.0
    )  # how far the ball's centre is from the axis
    a, b = (hull, ball) if is_first else (ball, hull)
    radii, thick = ((3.2, 18.9), (0.0, 18.9)) if is_first else ((18.9, 3.2), (18.9, 0.0))
    asked = new_search(thick=thick, radius=radii, hulls=True, near=18.9, stack=1, budget=1)
    directions, boxes = np.zeros((9, 3)), np.zeros((9, 2, 1))
    boxes[0] = [[-0.2], [0.2]]
    if is_known:
        directions[0, 1] = 1.0 if is_first else -1.0
    points = [np.ascontiguousarray(body_points(shape)[0]) for shape in (a, b)]
    joint_boxes.search(
        route, *points, *packed(a), *packed(b), asked, directions, boxes, np.zeros(9, OPEN_BOX), boxes.copy(),
        np.zeros(1, ROUTE_JOINT), np.zeros(gjk.MEMORY), np.zeros(1, PLANE), np.zeros(1),
    )  # fmt: skip
    assert asked["stack"][0] + asked["opened"][0] > 0


def gap(route: np.ndarray, middle: int, points_a: np.ndarray, points_b: np.ndarray, slip: float) -> float:
    """The bound along y over joint values from -0.5 to 0.5, A or B being moved."""
    asked: Any = new_search(slip=slip)[0]
    joints = placed(route, -0.5, 0.5)
    most = 10.0
    found, _, _ = joint_boxes._gap(
        route, joints, middle, points_a, points_b, *(None,) * 4, asked, STILL, (0.0, 1.0, 0.0), most, most
    )
    return float(found)


def test_points_that_move_far_count_although_they_begin_behind() -> None:
    near, swung = np.array([[0.0, 1.0, 0.0]]), np.array([[0.0, 1.0, 0.0], [3.0, 0.5, 0.0]])
    reached = 3.0 * math.sin(0.5) + 0.5 * math.cos(0.5)
    other = np.array([[0.0, 5.0, 0.0]])
    assert gap(route_of(True), 1, near, other, 0.0) <= 4.0
    assert gap(route_of(True), 1, swung, other, 0.0) <= 5.0 - reached
    assert gap(route_of(True), 0, -other, -swung, 0.0) <= 5.0 - reached


def test_gaps_include_rounding() -> None:
    on_axis, other = np.array([[0.0, 0.0, 1.0]]), np.array([[0.0, 5.0, 0.0]])
    assert 5.0 - 2e-3 < gap(route_of(True), 1, on_axis, other, 1e-3) <= 5.0 - 1e-3


def test_curved_bodies_are_moved_by_prismatic_joints() -> None:
    shape = kc.Ellipsoid([0.1, 0.2, 0.3])
    route = route_of(False)
    joints = placed(route, -0.5, 0.5)
    reach, *_ = joint_boxes._curved_reach(
        route, joints, 0, 1, body_points(shape)[0], *packed(shape), STILL, (0.0, 0.0, 1.0)
    )
    assert reach >= 0.8 - 1e-12


def test_curved_bodies_of_both_sides_have_a_gap() -> None:
    shape = kc.Cylinder(0.1, 0.2)
    route, asked = route_of(True), new_search(curved=(1, 1))[0]
    F, L = packed(shape)
    pose = (*STILL[:9], 0.0, 1.0, 0.0)
    points = body_points(shape)[0]
    for middle in (0, 1):
        found, _, _ = joint_boxes._gap(
            route, placed(route, -0.1, 0.1), middle, points, points, F, L, F, L, asked, pose, (0.0, 1.0, 0.0),
            10.0, 10.0,
        )  # fmt: skip
        assert 0.5 < found <= 0.8
