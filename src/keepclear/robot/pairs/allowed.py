"""The allowed pairs of a robot without an SRDF file: neighbours, and links that touch in the zero pose."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import numpy as np

from keepclear.checks import FloatArray
from keepclear.kernels.tables.motion import FIXED
from keepclear.names import listed
from keepclear.query.instant.collide import collide
from keepclear.robot.links import AllowedPair, Link
from keepclear.robot.model import Robot

APART = ", but not with all joints in the middle of their limits, so this may be a real contact"


def allowed_without_srdf(robot: Robot) -> Robot:
    """Return the robot with its neighbours and the links that touch in the zero pose as allowed pairs.

    Contact in the zero pose is assumed to be intended: bearings, covers, meshes that are slightly too large. They are
    not checked in other poses either, so `warnings` lists them.
    """
    beside = tuple(neighbours(robot))
    touching = tuple(_touching(robot, {frozenset((pair.a, pair.b)) for pair in beside}))
    return replace(
        robot,
        allowed_pairs=(*robot.allowed_pairs, *beside, *touching),
        warnings=(*robot.warnings, *_about_touching(robot, touching)),
    )


def _about_touching(robot: Robot, pairs: tuple[AllowedPair, ...]) -> Iterator[str]:
    """Yield texts about links that touch in the zero pose: those that always do, and those that may collide."""
    for real in (False, True):
        some = [f"{pair.a} - {pair.b}" for pair in pairs if pair.detail.endswith(APART) == real]
        if some:
            yield (
                f"robot '{robot.name}' has no SRDF file, and {len(some)} pair{'s' * (len(some) != 1)} of its links "
                f"touch{'es' * (len(some) == 1)} in the zero pose{_about_zero(robot)}{APART * real}; "
                f"not checked: {listed(some, None)}."
            )


def neighbours(robot: Robot) -> Iterator[AllowedPair]:
    """Yield each link that has shapes with its nearest ancestor that has shapes; links without shapes are skipped."""
    parent = robot.kinematics.parent
    for link, found in enumerate(robot.links):
        if not found.elements:
            continue
        joints, above = [robot.link_joints[link]], int(parent[link])
        while above >= 0 and not robot.links[above].elements:
            joints.append(robot.link_joints[above])
            above = int(parent[above])
        if above >= 0:
            between = f"joint{'s' * (len(joints) > 1)} {', '.join(reversed(joints))}"
            yield AllowedPair(robot.links[above].name, found.name, "neighbours", between)


def _touching(robot: Robot, known: set[frozenset[str]]) -> Iterator[AllowedPair]:
    """Yield the pairs of links that touch in the zero pose, except known ones and those that never move."""
    X, X_middle = robot.link_poses(np.stack((robot.zero, _middle(robot))))
    body = _rigid_bodies(robot)
    shaped = [index for index, link in enumerate(robot.links) if link.elements]
    balls = {index: _ball(robot.links[index], X[index]) for index in shaped}
    for i, j in combinations(shaped, 2):
        a, b = robot.links[i], robot.links[j]
        if body[i] == body[j] or frozenset((a.name, b.name)) in known:
            continue
        gap = float(np.linalg.norm(balls[i][0] - balls[j][0])) - balls[i][1] - balls[j][1]
        if gap <= 0.0 and _touch(a, X[i], b, X[j]):
            detail = f"they touch in the zero pose{_about_zero(robot)}"
            if not _touch(a, X_middle[i], b, X_middle[j]):
                detail += APART
            yield AllowedPair(a.name, b.name, "zero pose", detail)


def _middle(robot: Robot) -> FloatArray:
    """Return a configuration with all joints in the middle of their limits, 0 where there are none."""
    has_limits = np.isfinite(robot.lower) & np.isfinite(robot.upper)
    middle = 0.5 * (np.where(has_limits, robot.lower, 0.0) + np.where(has_limits, robot.upper, 0.0))
    return np.where(has_limits, middle, robot.zero)


def _rigid_bodies(robot: Robot) -> list[int]:
    """Return for each link the first link that it is rigidly connected with."""
    k = robot.kinematics
    body: list[int] = []
    for link, parent in enumerate(k.parent.tolist()):
        moves = k.kind[link] != FIXED and k.column[link] >= 0
        body.append(link if parent < 0 or moves else body[parent])
    return body


def _ball(link: Link, X_WL: FloatArray) -> tuple[FloatArray, float]:
    """Return centre and radius of a ball around a link, a little too large."""
    corners = []
    for element in link.elements:
        box = np.array(element.shape.bounds)
        points = np.array([[x, y, z] for x in box[:, 0] for y in box[:, 1] for z in box[:, 2]])
        corners.append(points @ element.X_LG[:3, :3].T + element.X_LG[:3, 3])
    points = np.concatenate(corners) @ X_WL[:3, :3].T + X_WL[:3, 3]
    center = 0.5 * (points.min(axis=0) + points.max(axis=0))
    return center, 1.0001 * float(np.linalg.norm(points - center, axis=1).max())


def _touch(a: Link, X_WA: FloatArray, b: Link, X_WB: FloatArray) -> bool:
    return any(
        bool(collide(one.shape, X_WA @ one.X_LG, other.shape, X_WB @ other.X_LG).colliding)
        for one in a.elements
        for other in b.elements
    )


def _about_zero(robot: Robot) -> str:
    """Return which joints are not at 0 in the zero pose, because their limits exclude it."""
    moved = [
        f"joint {name} at {value:.4g}"
        for name, value in zip(robot.joint_names, robot.zero.tolist(), strict=True)
        if value != 0.0
    ]
    return f" ({', '.join(moved)}, since the limits leave out 0)" if moved else ""
