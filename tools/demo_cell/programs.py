"""The programs of the demo cell: a cart brings a part, and the arm reaches through the arch to take it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from tools.demo_cell.arm import JOINTS, TOOL, link_poses
from tools.demo_cell.solids import FloatArray
from tools.demo_cell.surroundings import GRASP, TRAY

DURATION, STEP = 8.0, 0.05  # of the programs, and between their rows [s]
OPEN, CLOSED = 0.022, 0.0115  # of the fingers [m]
TAKEN, LEFT = 3.9, 4.1  # the part rides with the gripper from here on, and is off the cart from here on [s]
SLIP = 0.0055  # how far to the left the first program passes the fin, where the second goes straight [m]
LANE = -0.8, 0.8  # where the cart comes from and where it goes, along y [m]

X_START, X_NEAR, Z = (
    0.44,
    0.76,
    GRASP[2],
)  # of the finger tips before the arch, before the part, and at both [m]
LIFT = 0.05  # [m]
ASIDE = 0.9  # how far the arm is turned away at the start and at the end [rad]

Way = Callable[[float], FloatArray]  # of joint_1 to joint_6, from 0 to 1


def bent(turn: float, reach: float, height: float, pitch: float) -> FloatArray:
    """Return joint_1 to joint_6 that put the centre of the wrist there [m], with a tool that is tipped down."""
    upper, forearm = JOINTS[2][4][2], JOINTS[3][4][0] + JOINTS[4][4][0]
    rise = height - JOINTS[0][4][2] - JOINTS[1][4][2]
    span = np.hypot(reach, rise)
    shoulder = np.arccos((upper**2 + span**2 - forearm**2) / (2.0 * upper * span))
    elbow = np.arccos((upper**2 + forearm**2 - span**2) / (2.0 * upper * forearm))
    q2, q3 = 0.5 * np.pi - np.arctan2(rise, reach) - shoulder, 0.5 * np.pi - elbow
    return np.array([turn, q2, q3, 0.0, pitch - q2 - q3, 0.0])


def level(x: float, y: float, z: float) -> FloatArray:
    """Return joint_1 to joint_6 that put the finger tips there, the tool level and along x [m]."""
    q = bent(float(np.arctan2(y, x - TOOL)), float(np.hypot(x - TOOL, y)), z, 0.0)
    R = link_poses(np.append(q, 0.0))["forearm"][
        :3, :3
    ].T  # of the tool in the forearm: turns about x, y and x
    sign = 1.0 if q[4] >= 0.0 else -1.0
    q4 = np.arctan2(sign * R[1, 0], -sign * R[2, 0])
    q6 = np.arctan2(sign * R[0, 1], sign * R[0, 2])
    return np.array([*q[:3], q4, sign * np.arccos(np.clip(R[0, 0], -1.0, 1.0)), q6])


def program(slip: float) -> tuple[FloatArray, FloatArray]:
    """Return the times (n,) [s] and the rows (n, 7) of joint_1 to joint_6 and grip."""
    times = np.round(np.arange(round(DURATION / STEP) + 1) * STEP, 6)
    return times, np.array([np.append(_arm(t, slip), _grip(t)) for t in times])


def _arm(t: float, slip: float) -> FloatArray:
    """Return joint_1 to joint_6 at a time, from stretches that each begin and end at rest."""
    near, far = X_NEAR, GRASP[0]
    stretches: list[tuple[float, Way]] = [
        (1.675, lambda s: _swung(ASIDE, 1.0 - s, Z)),
        (2.375, lambda s: level(X_START + s * (near - X_START), slip * float(np.sin(np.pi * s)) ** 2, Z)),
        (3.3, lambda s: level(near + s * (far - near), 0.0, Z)),
        (TAKEN, lambda _: level(far, 0.0, Z)),
        (4.6, lambda s: level(far, 0.0, Z + s * LIFT)),
        (6.0, lambda s: level(far + s * (X_START - far), 0.0, Z + LIFT)),
        (7.7, lambda s: _swung(-ASIDE, s, Z + LIFT)),
        (DURATION, lambda _: _swung(-ASIDE, 1.0, Z + LIFT)),
    ]
    before = 0.0
    for end, way in stretches:
        if t <= end:
            return way(_eased((t - before) / (end - before)))
        before = end
    raise AssertionError("the stretches end before the program does")


def _swung(aside: float, s: float, z: float) -> FloatArray:
    """Return the arm between s = 0, level before the arch, and s = 1, turned aside with the tool down."""
    return bent(aside * s * s, X_START - TOOL + 0.09 * s, z + (0.5 - z) * s, 0.5 * np.pi * s)


def _grip(t: float) -> float:
    return OPEN + _eased((t - 3.4) / 0.4) * (CLOSED - OPEN)


def _eased(s: float) -> float:
    s = min(max(s, 0.0), 1.0)
    return float(0.5 - 0.5 * np.cos(np.pi * s))


def cart_y(t: float) -> float:
    """Return where the cart is along its lane [m]: it comes, waits and goes on."""
    return LANE[0] * (1.0 - _eased(t / 1.8)) + LANE[1] * _eased((t - 4.8) / 3.0)


def write(folder: Path) -> None:
    """Write both programs, and the poses of the cart and of the part on it."""
    header = ",".join(["time", *(f"joint_{k}" for k in range(1, 7)), "grip"])
    for name, slip in (("pick.csv", SLIP), ("pick-corrected.csv", 0.0)):
        times, q = program(slip)
        rows = [
            ",".join([f"{t:.2f}", *(f"{value + 0.0:.6f}" for value in row)])
            for t, row in zip(times, q, strict=True)
        ]
        (folder / name).write_text("\n".join([header, *rows, ""]))
    for name, height in (("cart.csv", TRAY), ("part.csv", TRAY + 0.02)):
        times = np.round(np.arange(0.0, DURATION + 0.05, 0.1), 6)
        rows = [f"{t:.1f},{GRASP[0]:g},{cart_y(t) + 0.0:.5f},{height:.3f},0,0,0,1" for t in times]
        (folder / name).write_text("\n".join(["time,x,y,z,qx,qy,qz,qw", *rows, ""]))
