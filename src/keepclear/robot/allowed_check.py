"""Pairs of links that an SRDF file allows although they can collide: found once for each robot, for warnings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from keepclear.checks import FloatArray
from keepclear.errors import ArgumentError
from keepclear.robot.link_pair import LinkPair
from keepclear.robot.links import AllowedPair
from keepclear.robot.model import Robot
from keepclear.robot.pair_reach import is_adjacent
from keepclear.robot.prove_pairs import joint_box, sampled

__all__ = ["WronglyAllowed", "warnings_about_allowed", "wrongly_allowed"]

TOLERANCE = 1e-4  # [m]
BUDGET = 2000  # boxes for each pair of shapes
MOST_PAIRS, MOST_FOUND = 256, 8  # pairs that are examined, and that are listed


class WronglyAllowed(NamedTuple):
    """A pair that is allowed to touch, its links, and a configuration (dof,) in which they do."""

    allowed: AllowedPair
    pair: LinkPair
    q: FloatArray


def wrongly_allowed(robot: Robot) -> tuple[WronglyAllowed, ...]:
    """Return pairs that the robot's SRDF file allows although they collide in a configuration within the limits.

    This does not prove that other pairs never collide: the search takes some tens of milliseconds, and the result is
    cached with the robot. Neighbours are ignored, and robots with a prismatic joint without limits have none.
    `Robot.prove_pairs` decides all pairs.
    """
    if robot._wrongly_allowed is None:
        object.__setattr__(robot, "_wrongly_allowed", tuple(_search(robot)))
    found: tuple[WronglyAllowed, ...] = robot._wrongly_allowed  # type: ignore[assignment]
    return found


def warnings_about_allowed(robot: Robot, times: FloatArray, q: FloatArray) -> Iterator[str]:
    """Yield a text for each pair that is wrongly allowed: where it collides, at samples of the program or elsewhere.

    Args:
        robot: The robot.
        times: (n,) times of the program's samples [s].
        q: (n, dof) its configurations.
    """
    for allowed, pair, q_touching in wrongly_allowed(robot):
        touched = pair.touches(q)
        if touched.any():
            where = f"in this program they touch at {times[int(np.argmax(touched))]:.6g} s"
        else:
            values = [f"{robot.joint_names[k]} = {q_touching[k]:.4g}" for k in pair.columns]
            where = f"they touch at {', '.join(values)}"
        reason = f' as "{allowed.detail}"' if allowed.detail else ""
        yield (
            f"its SRDF file disables {allowed.a} - {allowed.b}{reason}, so that this pair is not checked, but {where}; "
            "remove it from the file, or let `keepclear pairs` write one with what is proved"
        )


def _search(robot: Robot) -> Iterator[WronglyAllowed]:
    allowed = [
        pair
        for pair in robot.allowed_pairs
        if pair.reason == "srdf" and robot.link(pair.a).elements and robot.link(pair.b).elements
    ][:MOST_PAIRS]
    try:
        box = joint_box(robot, None)
    except ArgumentError:
        return
    samples, n_found = sampled(robot, box), 0
    for one in allowed:
        if n_found == MOST_FOUND or is_adjacent(one, robot):
            continue
        i, j = sorted((robot.link_index(one.a), robot.link_index(one.b)))
        pair = LinkPair(robot, i, j, box, samples, TOLERANCE)
        q = None if pair.is_rigid else pair.find_contact(BUDGET)
        if q is not None:
            n_found += 1
            yield WronglyAllowed(one, pair, q)
