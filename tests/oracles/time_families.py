"""Families of moving pairs whose distance is a known function of one coordinate, on a given kind of time grid."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from tests.oracles import time_motions as motions
from tests.oracles import time_truth as truths
from tests.oracles.time_bodies import BODIES, AxisBody, axis_rotation, ball, wall
from tests.oracles.time_grids import GRIDS
from tests.oracles.time_motions import Mover
from tests.oracles.time_truth import Truth

import keepclear as kc

Generator = np.random.Generator
INTERPOLATIONS = ("linear", "linear", "screw", "cubic", "joint linear", "joint spline")


@dataclass(frozen=True)
class Body:
    """A shape and how it moves."""

    kind: str
    shape: Any
    mover: Mover

    @property
    def motion(self) -> Any:
        m = self.mover
        if m.robot is None:
            return m.motion
        return m.trajectory.link(m.link, m.X_WB, m.robot.link(m.link).elements[0].X_LG)


Scene = tuple[Body, Body, Truth, float]  # and the scale of coordinates and bodies [m]


def pattern(rng: Generator, times: list[float]) -> np.ndarray:
    """Values in about [-1, 1] at times: through, to and fro, at rest but for one jump, or anywhere."""
    n = len(times)
    kind = rng.integers(5)
    if kind == 0:
        return np.sort(rng.uniform(-1, 1, size=n)) * rng.choice([-1, 1])
    if kind == 1:
        return np.where(np.arange(n) % 2 == 0, -1.0, 1.0) * rng.uniform(0.7, 1.0, size=n)
    if kind == 2:
        return np.where(np.arange(n) % 2 == 0, -1.0, 1.0)
    if kind == 3:  # at rest before and after the shortest step
        k = int(np.argmin(np.diff(times)))
        return np.where(np.arange(n) <= k, -1.0, 1.0) * rng.choice([-1, 1])
    return rng.uniform(-1, 1, size=n)


def target(rng: Generator, times: tuple[float, ...], path: motions.paths.Path) -> float:
    """A value that the path takes, more often than not within its shortest step."""
    steps = np.diff(times)
    k = int(np.argmin(steps)) if rng.random() < 0.6 else int(rng.integers(len(steps)))
    s = Fraction(float(rng.uniform(0.02, 0.98)))
    return float(path.at((1 - s) * Fraction(times[k]) + s * Fraction(times[k + 1])))


def planted(
    rng: Generator,
    times: tuple[float, ...],
    path: motions.paths.Path,
    width: float,
    margin: float,
    tolerance: float,
) -> float:
    """Where to put a thing of that half width: in the way, or beyond the end of the path by a chosen gap."""
    if rng.random() < 0.55:
        return target(rng, times, path)
    low, high = (float(x) for x in path.range(times[0], times[-1]))
    gap = margin + float(rng.choice([-1.0, 1.5, 2.0, 10.0, 1e3])) * tolerance
    return high + width + gap if rng.random() < 0.5 else low - width - gap


def mover_along(
    rng: Generator, grid: str, size: float, body: AxisBody, axis: int, R: np.ndarray, beside: np.ndarray
) -> Mover:
    """A body that moves along an axis between -size and size, on a grid; `beside` are its other coordinates."""
    kind = str(rng.choice(INTERPOLATIONS))
    if kind.startswith("joint") and body.kind not in ("sphere", "box", "cylinder"):
        kind = "linear"
    n = int(rng.choice([4, 4, 7])) if kind == "cubic" else int(rng.integers(2, 8))
    times = motions.grid(rng, grid, n, GRIDS, kind)
    values = size * pattern(rng, times)
    if kind.startswith("joint"):
        X = motions.pose(R, beside[0])
        X[axis, 3] = 0.0
        return motions.jointed(rng, kind.split()[1], times, values, body.shape, "prismatic", 0.0, X)
    rows = np.tile(beside[0], (n, 1)) if len(beside) == 1 else beside[rng.integers(len(beside), size=n)]
    hold = "both" if rng.random() < 0.7 else str(rng.choice(["none", "before", "after"]))
    mover = motions.sliding(kind, times, values, R, axis, rows, hold)
    return motions.backwards(mover) if hold == "both" and rng.random() < 0.2 else mover


def joint_frame(R: np.ndarray, axis: int) -> np.ndarray:
    """A rotation by quarter turns that takes z to the axis of the world, forwards or backwards."""
    while abs(R[axis, 2]) != 1.0:
        R = R[:, [2, 0, 1]]
    return R


def along_world(mover: Mover, R: np.ndarray, axis: int) -> motions.paths.Path:
    """The path of the body's origin on an axis of the world; a joint may point backwards."""
    if mover.robot is None or R[axis, 2] > 0:
        return mover.path
    rows = tuple(tuple(-c for c in row) for row in mover.path.segments)
    return motions.paths.Path(mover.path.knots, rows)


def slab(rng: Generator, grid: str, size: float, margin: float, tolerance: float) -> Scene:
    """Bodies on one line, or one body and a wide wall, along an axis of the world."""
    axis = int(rng.integers(3))
    body_a = BODIES[str(rng.choice(list(BODIES)))](rng, size)
    R_A = joint_frame(axis_rotation(rng), axis)
    home = size * rng.normal(size=3) * float(10.0 ** rng.choice([-1, 0, 1]))
    walled = rng.random() < 0.4
    beside = home + size * rng.uniform(-1, 1, size=(5, 3)) if walled else home[None]
    a = mover_along(rng, grid, size, body_a, axis, R_A, beside)
    path = along_world(a, R_A, axis)
    if walled:
        body_b, R_B = wall(rng, size), np.roll(np.eye(3), axis, axis=0)
    else:
        body_b, R_B = BODIES[str(rng.choice(list(BODIES)))](rng, size), axis_rotation(rng)
    (low_a, high_a), (low_b, high_b) = body_a.along(R_A, axis), body_b.along(R_B, axis)
    centre, width = (low_b - high_a + high_b - low_a) / 2, (high_b - low_b + high_a - low_a) / 2
    place = planted(rng, a.times, path, float(width), margin, tolerance) - float(centre)
    b = opposite(rng, grid, size, place, home, R_B, axis)
    truth = Truth(path.minus(b.path), centre, truths.slab(width))
    scale = size * 20 + float(np.abs(home).max()) + abs(place)
    return Body(body_a.kind, body_a.shape, a), Body(body_b.kind, body_b.shape, b), truth, scale


def opposite(
    rng: Generator, grid: str, size: float, place: float, home: np.ndarray, R: np.ndarray, axis: int
) -> Mover:
    """The other body: at rest, or moving a little on a grid of the same kind around the planted place."""
    p = home.copy()
    p[axis] = place
    if rng.random() < 0.6:
        return motions.resting(motions.pose(R, p), axis)
    kind = str(rng.choice(["linear", "screw", "cubic"]))
    n = 4 if kind == "cubic" else int(rng.integers(2, 5))
    grid = grid if rng.random() < 0.7 else str(rng.choice(list(GRIDS)))
    times = motions.grid(rng, grid, n, GRIDS, kind)
    values = place + size * float(rng.choice([1e-3, 0.1, 1.0])) * pattern(rng, times)
    return motions.sliding(kind, times, values, R, axis, np.tile(p, (n, 1)), "both")


def passing(rng: Generator, grid: str, size: float, margin: float, tolerance: float) -> Scene:
    """A body that passes another at a known gap beside its line."""
    axis = int(rng.integers(3))
    side = (axis + int(rng.integers(1, 3))) % 3
    balls = rng.random() < 0.4
    names = ["sphere"] * 2 if balls else [str(rng.choice(list(BODIES))) for _ in range(2)]
    body_a, body_b = (BODIES[name](rng, size) for name in names)
    R_A, R_B = joint_frame(axis_rotation(rng), axis), axis_rotation(rng)
    home = size * rng.normal(size=3)
    a = mover_along(rng, grid, size, body_a, axis, R_A, home[None])
    path = along_world(a, R_A, axis)
    p = home.copy()
    p[axis] = target(rng, a.times, path)
    wanted = margin + float(rng.choice([-30.0, -0.5, 1.5, 3.0, 100.0])) * tolerance
    reach = body_a.along(R_A, side)[1] - body_b.along(R_B, side)[0]
    p[side] = home[side] + float(reach) + max(wanted, 0.5 * tolerance)
    gap = Fraction(float(p[side])) - Fraction(float(home[side])) - reach
    b = motions.resting(motions.pose(R_B, p), axis)
    (low_a, high_a), (low_b, high_b) = body_a.along(R_A, axis), body_b.along(R_B, axis)
    width = max(high_b, -low_b) + max(high_a, -low_a)
    law = truths.passing_balls(reach, gap) if balls else truths.passing(width, gap)
    truth = Truth(path.minus(b.path), Fraction(0), law)
    scale = size * 3 + float(np.abs(home).max())
    return Body(body_a.kind, body_a.shape, a), Body(body_b.kind, body_b.shape, b), truth, scale


def turned(angle: float) -> np.ndarray:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])


def turning_angles(rng: Generator, grid: str, limit: float, kind: str) -> tuple[list[float], np.ndarray]:
    times = GRIDS[grid](rng, int(rng.integers(2, 7)))
    return times, limit * pattern(rng, times) * (0.45 if kind.endswith("spline") else 1.0)


def hinge(rng: Generator, grid: str, size: float, margin: float, tolerance: float) -> Scene:
    """A ball on a circle about z, driven by a joint or along a screw, and a ball on the same circle."""
    kind = str(rng.choice(["joint linear", "joint spline", "screw"]))
    turns = float(rng.choice([1.0, 1.0, 7.0, 60.0])) if kind == "joint linear" else 1.0
    times, q = turning_angles(rng, grid, 1.5 * turns, kind)
    arm = float(size * rng.uniform(0.5, 2))
    body_a, body_b = ball(rng, size), ball(rng, size)
    radii = float(body_a.extents[0][1] + body_b.extents[0][1])
    if kind == "screw":
        X = np.array([motions.pose(turned(x), turned(x) @ [arm, 0, 0]) for x in q])
        a = Mover(kc.PoseTrajectory(times, X, "screw"), motions.paths.linear(times, q), kind, tuple(times))
    else:
        a = motions.jointed(rng, kind.split()[1], times, q, body_a.shape, "continuous", arm, np.eye(4))
    width = 2 * math.asin(min((radii + margin) / (2 * arm), 1.0))
    angle = planted(rng, a.times, a.path, width, 0.0, tolerance / arm)
    b = motions.resting(motions.pose(np.eye(3), turned(angle) @ [arm, 0, 0]), 0)
    truth = Truth(a.path, Fraction(angle), truths.hinge(arm, radii), Fraction(2 * math.pi))
    return Body("sphere", body_a.shape, a), Body("sphere", body_b.shape, b), truth, 2 * arm + radii


def rod(rng: Generator, grid: str, size: float, margin: float, tolerance: float) -> Scene:
    """A rod that turns about its middle in the plane of x and y, and a ball in that plane."""
    kind = str(rng.choice(["linear", "screw"]))
    times, q = turning_angles(rng, grid, 0.7, kind)
    home = size * rng.normal(size=3)
    thick, long, arm = float(size * rng.uniform(0.01, 0.05)), 4.0 * size, float(size * rng.uniform(0.5, 1.5))
    lying = np.array([[0, 0, 1.0], [0, 1.0, 0], [-1.0, 0, 0]])  # the axis of a capsule, z, along x
    X = np.array([motions.pose(turned(x) @ lying, home) for x in q])
    a = Mover(kc.PoseTrajectory(times, X, kind), motions.paths.linear(times, q), kind, tuple(times))
    body_b = ball(rng, 0.3 * size)
    radii = thick + float(body_b.extents[0][1])
    width = math.asin(min((radii + margin) / arm, 1.0))
    angle = planted(rng, a.times, a.path, width, 0.0, tolerance / arm)
    low, high = (float(x) for x in a.path.range(times[0], times[-1]))
    angle = min(max(angle, high - 1.5), low + 1.5)  # beyond a quarter of a turn is the other end of the rod
    b = motions.resting(motions.pose(np.eye(3), home + turned(angle) @ [arm, 0, 0]), 0)
    truth = Truth(a.path, Fraction(angle), truths.rod(arm, radii))
    scale = 4 * size + float(np.abs(home).max())
    return Body("capsule", kc.Capsule(thick, long), a), Body("sphere", body_b.shape, b), truth, scale


def links(rng: Generator, grid: str, size: float, margin: float, tolerance: float) -> Scene:
    """Two links of one robot on a common rail of at most 2e4 m: splines overshoot, and joints end at 1e6 m."""
    shrink = min(1.0, 2e4 / size)
    size, margin, tolerance = shrink * size, shrink * margin, shrink * tolerance
    names = [str(rng.choice(["sphere", "box", "cylinder"])) for _ in range(2)]
    body_a, body_b = (BODIES[name](rng, size) for name in names)
    (low_a, high_a), (low_b, high_b) = body_a.extents[2], body_b.extents[2]
    centre, width = (low_b - high_a + high_b - low_a) / 2, (high_b - low_b + high_a - low_a) / 2
    kind = str(rng.choice(["linear", "spline"]))
    times = GRIDS[grid](rng, int(rng.integers(2, 7)))
    q = size * pattern(rng, times)
    path, qd, slack = motions.joint_path(rng, kind, times, q)
    place = planted(rng, tuple(times), path, float(width), margin, tolerance) - float(centre)
    z = 8.0 * size  # apart where both joints are zero; links that touch there may touch
    p = np.full(len(q), place - z)
    robot = motions.rails(body_a.shape, body_b.shape, z)
    speeds = None if qd is None else np.column_stack([qd, np.zeros_like(qd)])
    trajectory = kc.JointTrajectory(robot, times, np.column_stack([q, p]), speeds, kind)
    X = motions.pose(axis_rotation(rng), size * rng.normal(size=3))
    rest = motions.paths.constant(Fraction(z) + Fraction(float(p[0])))
    a = Mover(None, path, f"link {kind}", tuple(times), slack, robot, trajectory, X, "tip")
    b = Mover(None, rest, "link at rest", tuple(times), 0.0, robot, trajectory, X, "other")
    truth = Truth(path.minus(rest), centre, truths.slab(width))
    scale = size * 20 + float(np.abs(X[:3, 3]).max())
    return Body(body_a.kind, body_a.shape, a), Body(body_b.kind, body_b.shape, b), truth, scale


FAMILIES: dict[str, Callable[[Generator, str, float, float, float], Scene]] = {
    "slab": slab,
    "passing": passing,
    "hinge": hinge,
    "rod": rod,
    "links": links,
}
