"""Two links over sampled joint values: which ones touch, with kinematics in extended precision, one by one."""

from collections.abc import Iterator

import numpy as np
from tests.oracles.robot_kinematics import link_pose
from tests.oracles.robot_urdf import Arm

import keepclear as kc

Array = np.ndarray


def corners_and_points(rng: np.random.Generator, limits: Array, n: int) -> Array:
    """Configurations (n + 64, dof) in a box of joint values (dof, 2): random ones, and some of its corners."""
    inside = rng.uniform(limits[:, 0], limits[:, 1], (n, len(limits)))
    signs = rng.integers(2, size=(64, len(limits)))
    return np.concatenate([inside, np.where(signs == 0, limits[:, 0], limits[:, 1])])


def gaps(arm: Arm, robot: kc.Robot, a: str, b: str, q: Array) -> Iterator[float]:
    """Give the distance of two links in each configuration, 0 where they touch [m]."""
    X_A = np.asarray(link_pose(arm, a, q), dtype=float)
    X_B = np.asarray(link_pose(arm, b, q), dtype=float)
    for k in range(len(q)):
        yield min(
            0.0
            if kc.collide(one.shape, X_A[k] @ one.X_LG, other.shape, X_B[k] @ other.X_LG).colliding
            else float(kc.distance(one.shape, X_A[k] @ one.X_LG, other.shape, X_B[k] @ other.X_LG).distance)
            for one in robot.link(a).elements
            for other in robot.link(b).elements
        )
