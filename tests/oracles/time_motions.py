"""Motions along one coordinate with their exact paths: trajectories of poses, and of robots with one joint."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path as File
from typing import Any

import numpy as np
from tests.oracles import time_paths as paths
from tests.oracles.time_grids import even

import keepclear as kc

Generator = np.random.Generator
SPEED_LIMIT = 6e5  # the library refuses joint speeds above 1e6
JOINT = """<robot name="{kind}"><link name="base"/>
<link name="tip"><collision><origin xyz="{x} 0 0"/><geometry>{shape}</geometry></collision></link>
<joint name="q" type="{kind}"><parent link="base"/><child link="tip"/><axis xyz="0 0 1"/>
<limit lower="-1e9" upper="1e9" velocity="1e30" effort="1"/></joint></robot>"""


@dataclass(frozen=True)
class Mover:
    """A motion, the exact path of its coordinate, and how to put the body into a world."""

    motion: Any
    path: paths.Path
    interpolation: str
    times: tuple[float, ...] = ()
    slack: float = 0.0  # by how much the library may leave the path: where data are solved for [m or rad]
    robot: Any = None
    trajectory: Any = None
    X_WB: Any = field(default=None, compare=False)
    link: str = "tip"


def pose(R: np.ndarray, p: Any) -> np.ndarray:
    X = np.eye(4)
    X[:3, :3], X[:3, 3] = R, p
    return X


def resting(X: np.ndarray, axis: int) -> Mover:
    return Mover(kc.Fixed(X), paths.constant(X[axis, 3]), "fixed")


def sliding(
    kind: str, times: list[float], values: np.ndarray, R: np.ndarray, axis: int, beside: np.ndarray, hold: str
) -> Mover:
    """A body that slides along an axis of the world through values at times; `beside` (n, 3) is added to them."""
    p = np.array(beside, dtype=float)
    p[:, axis] = values
    motion = kc.PoseTrajectory(times, np.array([pose(R, row) for row in p]), kind, hold=hold)
    path = paths.cubic(times, values) if kind == "cubic" else paths.linear(times, values)
    return Mover(motion, path, kind, tuple(times))


def backwards(mover: Mover) -> Mover:
    """The same path back, by the library's own reversal."""
    times = tuple(-t for t in reversed(mover.times))
    return Mover(mover.motion.reversed(), mover.path.negated_time(), mover.interpolation, times)


def geometry(shape: Any) -> str:
    """A shape in a robot file, with all digits."""
    if isinstance(shape, kc.Sphere):
        return f'<sphere radius="{shape.radius!r}"/>'
    if isinstance(shape, kc.Box):
        return '<box size="{!r} {!r} {!r}"/>'.format(*(float(e) for e in shape.size))
    return f'<cylinder radius="{shape.radius!r}" length="{shape.length!r}"/>'


def read(text: str) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        file = File(folder) / "robot.urdf"
        file.write_text(text, encoding="utf-8")
        return kc.read_robot(file)


def one_joint(kind: str, shape: Any, arm: float = 0.0) -> Any:
    """A robot with one joint about or along z, and a shape at (arm, 0, 0) of its only link."""
    return read(JOINT.format(kind=kind, shape=geometry(shape), x=repr(arm)))


RAILS = """<robot name="rails"><link name="base"/>
<link name="tip"><collision><geometry>{a}</geometry></collision></link>
<link name="other"><collision><geometry>{b}</geometry></collision></link>
<joint name="q" type="prismatic"><parent link="base"/><child link="tip"/><axis xyz="0 0 1"/>
<limit lower="-1e9" upper="1e9" velocity="1e30" effort="1"/></joint>
<joint name="p" type="prismatic"><parent link="base"/><child link="other"/><axis xyz="0 0 1"/>
<origin xyz="0 0 {z}"/><limit lower="-1e9" upper="1e9" velocity="1e30" effort="1"/></joint></robot>"""


def rails(a: Any, b: Any, z: float) -> Any:
    """A robot with two carts on one rail along z, the second z away where both joints are 0."""
    return read(RAILS.format(a=geometry(a), b=geometry(b), z=repr(z)))


def joint_path(
    rng: Generator, kind: str, times: list[float], q: np.ndarray
) -> tuple[paths.Path, np.ndarray | None, float]:
    """The exact path of a joint, speeds for the library, and how far its own solution may be off."""
    if kind == "linear":
        return paths.linear(times, q), None, 0.0
    even_steps = np.ptp(np.diff(times)) <= 4 * np.min(np.diff(times))
    if even_steps and rng.random() < 0.3:
        return paths.natural(times, q), None, 1e-10 * float(np.ptp(q))
    h = np.diff(times)
    steepest = min(float(np.min(np.abs(np.diff(q)) / h)), SPEED_LIMIT)
    qd = rng.uniform(-1.5, 1.5, size=len(q)) * steepest
    return paths.hermite(times, q, [Fraction(float(v)) for v in qd]), qd, 0.0


def jointed(
    rng: Generator,
    kind: str,
    times: list[float],
    q: np.ndarray,
    shape: Any,
    robot_kind: str,
    arm: float,
    X: Any,
) -> Mover:
    """The tip of a robot with one joint, whose base stands at X."""
    robot = one_joint(robot_kind, shape, arm)
    path, qd, slack = joint_path(rng, kind, times, q)
    rows = None if qd is None else qd[:, None]
    trajectory = kc.JointTrajectory(robot, times, q[:, None], rows, kind)
    return Mover(None, path, f"joint {kind}", tuple(times), slack, robot, trajectory, X)


def grid(rng: Generator, name: str, n: int, grids: Any, kind: str) -> list[float]:
    """Times of a grid that the interpolation accepts."""
    return even(rng, name, n) if kind == "cubic" else grids[name](rng, n)
