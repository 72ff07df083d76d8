"""The assumptions of a verdict over a world, in words."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from keepclear.checks import FloatArray
from keepclear.errors import UnitMistake
from keepclear.geometry.bodies.body import Part
from keepclear.geometry.bodies.bounds import shape_of
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.motion.motion import MOTION_TABLE
from keepclear.query.moving.question import DEFAULT_METHOD
from keepclear.report.parts import Assumption
from keepclear.report.words import length
from keepclear.robot.pairs.prove import warnings_about_allowed
from keepclear.scene.items import WorldObject, WorldRobot, items_of, parts_of, shape_above
from keepclear.scene.rules import Rules
from keepclear.world.verify.options import Task

_JOINTS = {
    "linear": "each joint moves linearly from one waypoint to the next",
    "spline": "each joint follows a cubic spline through the waypoints",
}


def assumptions_of(
    objects: Iterable[WorldObject | WorldRobot], rules: Rules, task: Task, given: Iterable[Assumption] = ()
) -> tuple[Assumption, ...]:
    """Return how motions are interpolated, where bodies are held, and which tolerances apply, sorted.

    Args:
        objects: The objects and robots of the world.
        rules: The rules of the world.
        task: The options of the check.
        given: Assumptions that were added.
    """
    found, objects = list(given), list(objects)
    for thing in objects:
        motion = thing.program if isinstance(thing, WorldRobot) else thing.motion
        if isinstance(thing, WorldRobot) and len(thing.program.times) > 1:
            text = _JOINTS[thing.program.interpolation]
            found.append(Assumption(kind="interpolation", subject=thing.name, text=text))
        elif (
            isinstance(thing, WorldRobot) and thing.robot.dof and (thing.program.q == thing.robot.zero).all()
        ):
            at = "at 0" if not thing.robot.zero.any() else "at 0, or in the middle of limits that exclude 0"
            text = f"it has no program: it is at rest with all joints {at}"
            found.append(Assumption(kind="hold", subject=thing.name, text=text))
        is_still = motion is None or isinstance(thing, WorldRobot)
        text = "" if is_still else MOTION_TABLE[motion].between(motion)
        if text:
            found.append(Assumption(kind="interpolation", subject=thing.name, text=text))
        if text or (isinstance(thing, WorldRobot) and len(thing.program.times) > 1):
            assert motion is not None
            sides = [f"before {motion.t_start:.6g} s"] if task.t0 < motion.t_start else []
            sides += [f"after {motion.t_end:.6g} s"] if task.t1 > motion.t_end else []
            if sides:
                text = f"it is at rest {' and '.join(sides)}"
                found.append(Assumption(kind="hold", subject=thing.name, text=text))
    for name, tolerance in rules.tolerances.items():
        text = f"it is never farther than {tolerance.distance:g} m from its path"
        text += f", nor more than {tolerance.time:g} s early or late on it" if tolerance.time else ""
        found.append(Assumption(kind="lag", subject=name, text=text))
    for event in rules.attachments:
        until = "" if event.t_to == float("inf") else f" until {event.t_to:g} s, and then stays where it is"
        since = "at all times" if event.t_from == -math.inf else f"from {event.t_from:g} s on"
        since = "from the start" if event.t_from == -math.inf and until else since
        held = "" if event.X_LA is None else f", at {_pose_text(event.X_LA)} relative to it"
        text = f"it moves with {event.link} {since}{until}{held}"
        found.append(Assumption(kind="hold", subject=event.name, text=text))
    found += _rules_without_effect(objects, rules)
    found += _open_meshes(objects)
    found += _approximations(objects)
    text = f"a pair whose minimum distance exceeds its margin by less than {task.tolerance:g} m may get either verdict"
    found.append(Assumption(kind="tolerance", subject="all pairs", text=text))
    return tuple(sorted(dict.fromkeys(found), key=_order))


def _pose_text(X: FloatArray) -> str:
    """Return a pose in words: its position, and its rotation about the fixed axes x, then y, then z if it has one."""
    text = f"({', '.join(f'{x:.6g}' for x in (X[:3, 3] + 0.0).tolist())}) m"
    R = X[:3, :3]
    # harmless (<): words of a report, no bound
    # harmless (1e-12): likewise
    if np.abs(R - np.eye(3)).max() < 1e-12:
        return text
    pitch = math.atan2(-R[2, 0], math.hypot(R[0, 0], R[1, 0]))
    # harmless (>): words of a report, no bound
    # harmless (1e-9): likewise
    if math.hypot(R[0, 0], R[1, 0]) > 1e-9:
        roll, yaw = math.atan2(R[2, 1], R[2, 2]), math.atan2(R[1, 0], R[0, 0])
    else:  # of roll and yaw only a combination is defined
        roll, yaw = math.atan2(-R[1, 2], R[1, 1]), 0.0
    degrees = ", ".join(f"{math.degrees(angle) + 0.0:.6g}" for angle in (roll, pitch, yaw))
    return f"{text}, rotated by ({degrees}) degrees,"


def methods_used(method: str, refused: Mapping[tuple[str, str], str]) -> Iterator[Assumption]:
    """Yield which method was used if it is not the default, and for which pairs another one was needed, and why."""
    if method != DEFAULT_METHOD:
        text = f"pairs that swept boxes and hulls leave open are answered by method {method!r}"
        yield Assumption(kind="method", subject="all pairs", text=text)
    for (a, b), reason in sorted(refused.items()):
        text = f"answered by method {DEFAULT_METHOD!r}, because {method!r} {reason}"
        yield Assumption(kind="method", subject=f"{a} - {b}", text=text)


def _rules_without_effect(objects: Iterable[WorldObject | WorldRobot], rules: Rules) -> Iterator[Assumption]:
    """Yield a note for each allowed pair with a link that has no shape."""
    nearest = {name: other for thing in objects for name, other in shape_above(thing).items()}
    for rule in rules.allowed:
        for name, other in ((rule.a, rule.b), (rule.b, rule.a)):
            if name in nearest:
                text = f"it has no shape, so allowing it to touch {other} has no effect"
                text += f"; the nearest link above it with a shape is {nearest[name]}" * (nearest[name] != "")
                yield Assumption(kind="shape", subject=name, text=text)


def _open_meshes(objects: Iterable[WorldObject | WorldRobot]) -> Iterator[Assumption]:
    """Yield a note for each object or link with a mesh that is not closed: it has no inside."""
    for thing in objects:
        if not any(_is_open(part) for part in parts_of(thing)):
            continue
        for item in items_of(thing):
            if any(_is_open(part) for part in item.parts):
                text = (
                    "its mesh is not closed: only its surface is checked; a body inside it is not in contact"
                )
                yield Assumption(kind="shape", subject=item.name, text=text)


def _approximations(objects: Iterable[WorldObject | WorldRobot]) -> Iterator[Assumption]:
    """Yield a note for each object or link with a mesh that approximates curved surfaces."""
    for item in (item for thing in objects for item in items_of(thing)):
        if item.error > 0.0:
            text = (
                f"its mesh is within {length(item.error)} of the true surface; margins include that, and true "
                "distances may be smaller than the reported ones by as much"
            )
            yield Assumption(kind="shape", subject=item.name, text=text)


def _is_open(part: Part) -> bool:
    shape = shape_of(part.body)
    return isinstance(shape, Mesh) and not shape.is_solid


def warnings_of(objects: Iterable[WorldObject | WorldRobot]) -> list[str]:
    """Return warnings for the user: data that robots' files lack, and programs outside of joint limits."""
    found: list[str] = []
    for thing in sorted(objects, key=lambda thing: thing.name):
        if isinstance(thing, WorldRobot):
            found += [type(text)(f"{thing.name}: {text}") for text in thing.robot.warnings]
            limits = thing.program.outside_limits()
            found += [f"{thing.name}: {'; '.join(limits)}"] if limits else []
            about = warnings_about_allowed(thing.robot, thing.program.times, thing.program.q)
            found += [f"{thing.name}: {text}" for text in about]
    return found


def in_order(warnings: Iterable[str]) -> tuple[str, ...]:
    """Return each warning once, likely errors in units first."""
    return tuple(sorted(dict.fromkeys(warnings), key=lambda text: not isinstance(text, UnitMistake)))


def _order(one: Assumption) -> tuple[int, str, str, str]:
    """Return the sort key of assumptions; those of all pairs come last."""
    return int(one.kind == "tolerance"), one.subject, one.kind, one.text
