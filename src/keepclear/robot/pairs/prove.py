"""Pairs of links that can touch, over the whole box of joint limits, and those that an SRDF file allows wrongly."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from keepclear.checks import (
    FloatArray,
    as_array,
    checked_budget,
    checked_positive,
    read_only,
    real_number,
    shown,
)
from keepclear.errors import ArgumentError, KeepclearError, UnknownNameError
from keepclear.motion.joints.kinematics import LARGEST_VALUE
from keepclear.names import known_names, listed
from keepclear.robot.links import AllowedPair
from keepclear.robot.model import Robot
from keepclear.robot.pairs.link_pair import LinkPair
from keepclear.robot.pairs.reach import PairReach, ProvedPairs, is_adjacent

SAMPLES, SEED = 512, 1
FULL_TURN = float(np.nextafter(np.pi, 4.0))  # so that both ends overlap

Limits = npt.ArrayLike | Mapping[str, tuple[float, float]]
Progress = Callable[[int, int, PairReach], None]


def prove_pairs(
    robot: Robot,
    limits: Limits | None = None,
    tolerance: float = 1e-4,
    budget: int | None = None,
    progress: Progress | None = None,
) -> ProvedPairs:
    """Return the results of all pairs of links; see `Robot.prove_pairs`.

    Args:
        robot: The robot.
        limits: As for `Robot.prove_pairs`.
        tolerance: As there.
        budget: As there.
        progress: Called after each pair with the numbers of finished and of all pairs, and the result.
    """
    tolerance = checked_positive("tolerance", tolerance, "metres")
    budget = checked_budget(budget)
    box = joint_box(robot, limits)
    samples = sampled(robot, box)
    shaped = [index for index, link in enumerate(robot.links) if link.elements]
    pairs = list(combinations(shaped, 2))
    found: list[PairReach] = []
    for i, j in pairs:
        found.append(LinkPair(robot, i, j, box, samples, tolerance).decide(budget))
        if progress is not None:
            progress(len(found), len(pairs), found[-1])
    return ProvedPairs(robot, read_only(np.ascontiguousarray(box.T)), tolerance, tuple(found))


def sampled(robot: Robot, box: FloatArray) -> FloatArray:
    """Return seeded configurations (n, dof) in a box of joint values; the first is the zero pose, or near it."""
    samples = np.random.default_rng(SEED).uniform(box[0], box[1], (SAMPLES, robot.dof))
    samples[0] = np.clip(robot.zero, *box)
    return samples


def joint_box(robot: Robot, limits: Limits | None) -> FloatArray:
    """Return lower and upper ends of all joints, (2, dof), checked [rad or m].

    Raises:
        ArgumentError: A joint has no limits and more than a turn of values, or limits are invalid.
        UnknownNameError: There is no such joint.
    """
    box = np.stack([robot.lower, robot.upper])
    if isinstance(limits, Mapping):
        for name, ends in limits.items():
            if name not in robot.joint_names:
                raise UnknownNameError(
                    f"robot '{robot.name}': limits: it has no independent joint {name!r}"
                    f"{known_names(name, robot.joint_names, 'joint')}"
                )
            box[:, robot.joint_names.index(name)] = _ends(robot, name, ends)
    elif limits is not None:
        box = _as_array(robot, limits)
    box = _full_turns(robot, box)
    for k, name in enumerate(robot.joint_names):
        lower, upper = box[:, k].tolist()
        if not lower <= upper or max(-lower, upper) > LARGEST_VALUE:
            raise ArgumentError(
                f"robot '{robot.name}': the limits of joint '{name}' are ({lower:g}, {upper:g}); give a lower and an "
                f"upper one in this order, no larger than {LARGEST_VALUE:g}."
            )
    return box


def _ends(robot: Robot, name: str, ends: object) -> tuple[float, float]:
    try:
        lower, upper = ends  # type: ignore[misc]
    except (TypeError, ValueError):
        lower, upper = None, None
    numbers = real_number(lower), real_number(upper)
    if numbers[0] is None or numbers[1] is None or math.isnan(numbers[0]) or math.isnan(numbers[1]):
        raise ArgumentError(
            f"robot '{robot.name}': limits of joint '{name}' must be (lower, upper), but they are {shown(ends)}."
        )
    return numbers[0], numbers[1]


def _as_array(robot: Robot, limits: object) -> FloatArray:
    try:
        array = as_array(limits, f"robot '{robot.name}': limits")
    except KeepclearError:
        raise
    except ValueError:
        array = np.empty(0, dtype=object)
    if array.dtype.kind not in "iuf" or array.shape != (robot.dof, 2) or np.isnan(array).any():
        raise ArgumentError(
            f"robot '{robot.name}': limits must be an array ({robot.dof}, 2) of lower and upper limits without nan, or "
            f"a mapping from names of joints to such pairs, but they are {shown(limits)}."
        )
    return np.ascontiguousarray(array.T, dtype=np.float64)


def _full_turns(robot: Robot, box: FloatArray) -> FloatArray:
    """Return the box with one turn for joints without limits; others without limits are refused."""
    without = ~(np.isfinite(box[0]) & np.isfinite(box[1]))
    refused = [
        name for k, name in enumerate(robot.joint_names) if without[k] and not robot.kinematics.repeats(k)
    ]
    if refused:
        joints = f"joints {listed(refused)} have" if len(refused) > 1 else f"joint {refused[0]} has"
        raise ArgumentError(
            f"robot '{robot.name}': {joints} no limits, and poses do not repeat after a full turn; "
            f"give limits={{'{refused[0]}': (lower, upper)}}."
        )
    return np.where(without, np.array([[-FULL_TURN], [FULL_TURN]]), box)


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
