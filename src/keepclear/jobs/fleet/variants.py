"""Variants of a cell: the same file with other positions, robot models, payloads or speeds."""

from __future__ import annotations

import copy
import itertools
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from keepclear.errors import CellError
from keepclear.files.yaml import Document, read_document
from keepclear.geometry.shapes.table import cell_keys
from keepclear.jobs.cell.building import KnownRobots
from keepclear.jobs.cell.cell import Cell, build_cell
from keepclear.jobs.cell.motions import CellMotion
from keepclear.motion.joints.program import JointTrajectory
from keepclear.motion.trajectory import PoseTrajectory
from keepclear.names import did_you_mean, listed

if TYPE_CHECKING:
    from keepclear.jobs.fleet.fleet_file import Steps, VariantModel


@dataclass(frozen=True, slots=True)
class Change:
    """One change of a cell: its name, and the keys of an object that it sets, or a speed factor.

    Attributes:
        text: Its name, such as "table.z=0.02".
        object: The changed object; "" for the speed.
        keys: New values of the object's keys; None removes a key.
        axis: The index of the coordinate of its position that is set; -1: none.
        value: That coordinate [m], or the speed factor.
    """

    text: str
    object: str = ""
    keys: tuple[tuple[str, Any], ...] = ()
    axis: int = -1
    value: float = 1.0


def changes_of(variant: VariantModel) -> list[list[Change]]:
    """Return the alternatives along each axis of one varying property.

    Raises:
        ValueError: The keys do not belong together; the message says which.
    """
    subjects = [n for n in ("object", "robot", "payload", "speed") if getattr(variant, n) is not None]
    if len(subjects) != 1:
        raise ValueError("name one thing that varies: object, robot, payload or speed")
    allowed = {
        "object": {"x", "y", "z", "positions"},
        "robot": {"models"},
        "payload": {"shapes"},
        "speed": set(),
    }
    given = {n for n in ("x", "y", "z", "positions", "models", "shapes") if getattr(variant, n) is not None}
    wrong = given - allowed[subjects[0]]
    if wrong or (subjects[0] != "speed" and not given) or ("positions" in given and len(given) > 1):
        needs = " or ".join(sorted(allowed[subjects[0]])) or "no other key"
        raise ValueError(f"{subjects[0]} takes {needs}")
    if variant.speed is not None:
        return [[Change(f"speed={factor:g}", value=factor) for factor in variant.speed]]
    if variant.robot is not None:
        return [[_robot(variant.robot, one.robot, one.srdf) for one in variant.models or ()]]
    if variant.payload is not None:
        none = tuple(
            (name, None) for name in (*cell_keys(), "parts", "unit", "scale", "solid", "tessellation")
        )
        shapes = [one.model_dump(exclude_none=True) for one in variant.shapes or ()]
        name = variant.payload
        return [
            [Change(f"{name}=shape {k + 1}", name, (*none, *one.items())) for k, one in enumerate(shapes)]
        ]
    assert variant.object is not None
    if variant.positions is not None:
        name = variant.object
        return [[Change(f"{name}.position={p}", name, (("position", list(p)),)) for p in variant.positions]]
    return [
        [Change(f"{variant.object}.{name}={x:.9g}", variant.object, axis=k, value=x) for x in _values(steps)]
        for k, name in enumerate("xyz")
        if (steps := getattr(variant, name)) is not None
    ]


def _robot(name: str, robot: str, srdf: str | None) -> Change:
    return Change(f"{name}={robot}", name, (("robot", robot), ("srdf", srdf)))


def _values(steps: Steps) -> list[float]:
    is_range = steps.from_ is not None and steps.to is not None and steps.count is not None
    if (steps.values is None) != is_range:
        raise ValueError("numbers are a list, or a range {from:, to:, count:}")
    if steps.values is not None:
        return list(steps.values)
    assert steps.from_ is not None
    assert steps.to is not None
    return [float(x) for x in np.linspace(steps.from_, steps.to, steps.count or 2)]


def variants_of(variants: Sequence[VariantModel], most: int) -> list[tuple[Change, ...]]:
    """Return every combination of the alternatives; a single one without changes if nothing varies.

    Raises:
        ValueError: There are more than `most`, or a property varies twice, so that one of its values would be lost.
    """
    axes = [axis for variant in variants for axis in changes_of(variant)]
    if math.prod(map(len, axes)) > most:
        raise ValueError(f"there are more than {most} variants; use fewer values")
    known: set[tuple[str, str]] = set()
    for axis in axes:
        for subject in _subjects(axis[0]):
            if subject in known:
                raise ValueError(
                    f"{' of '.join(filter(None, subject[::-1]))} varies twice; give all values in one list"
                )
            known.add(subject)
    return list(itertools.product(*axes))


def _subjects(change: Change) -> list[tuple[str, str]]:
    """Return the targets of a change: pairs of an object and one of its properties."""
    if not change.object:
        return [("", "speed")]
    if change.axis >= 0:
        return [(change.object, "xyz"[change.axis])]
    names = {name for name, _ in change.keys}
    return (
        [(change.object, axis) for axis in "xyz"] if "position" in names else [(change.object, "the model")]
    )


def read_variant(path: str, changes: Sequence[Change], robots: KnownRobots | None = None) -> Cell:
    """Return a cell with changes; `robots` has the robots that were read before in the same run.

    Raises:
        CellError: The file has errors, or a change causes one.
    """
    file = Path(path)
    document = read_document(file, path)
    if not changes:
        return build_cell(file, document, robots=robots)
    value = copy.deepcopy(document.value)
    objects = value.get("objects") if isinstance(value, dict) else None
    if document.mistakes or not isinstance(objects, dict):
        return build_cell(file, document, robots=robots)
    for change in changes:
        if change.object and (problem := problem_with(value, change)):
            document.add(("objects", change.object), problem)
    if not document.mistakes:
        for change in changes:
            if change.object:
                _apply(objects[change.object], change)
        document.value = json.loads(json.dumps(value))  # positions are those in the file
    speed = float(np.prod([change.value for change in changes if not change.object]))
    try:
        if document.mistakes:
            raise CellError(document.mistakes)
        cell = build_cell(file, document, robots=robots)
        return _faster(cell, speed, document) if speed != 1.0 else cell
    except CellError as error:
        text = ", ".join(change.text for change in changes)
        raise CellError([f"{mistake} (variant {text})" for mistake in error.mistakes]) from None


def problem_with(cell: Mapping[str, Any], change: Change) -> str:
    """Return why a change does not apply to the content of a cell file, and what to do; "" if it applies."""
    objects = cell["objects"]
    spec = objects.get(change.object)
    if not isinstance(spec, dict):
        advice = did_you_mean(change.object, objects, f"its objects are {listed(objects)}" if objects else "")
        return f"there is no object {change.object!r} in this cell{advice}"
    if change.axis >= 0 and ("motion" in spec or "pose" in spec):
        return f"{change.object!r} has a motion or a whole pose; give it a position to vary"
    is_position = change.axis >= 0 or "position" in dict(change.keys)
    if is_position and "tool" in spec:
        return f"{change.object!r} is a tool, whose position is relative to its link; write a cell for each mounting"
    programs = cell.get("programs")
    if is_position and "robot" not in spec and isinstance(programs, dict):
        for name, motions in programs.items():
            if isinstance(motions, dict) and change.object in motions:
                return f"program {name!r} moves {change.object!r}, so that its position has no effect; leave it out"
    return ""


def _apply(spec: dict[str, Any], change: Change) -> None:
    """Change an object in the content of a cell file."""
    if change.axis >= 0:
        spec["position"] = list(spec.get("position") or [0.0, 0.0, 0.0])
        spec["position"][change.axis] = change.value
    for key, new in change.keys:
        spec.pop(key, None)
        if new is not None:
            spec[key] = new


def _faster(cell: Cell, factor: float, document: Document) -> Cell:
    """Return a cell whose motions are faster by a factor; rules with times are refused."""
    specs = cell._specs
    timed = [entry for _, entry in specs.allowed if getattr(entry, "from_", None) is not None]
    timed += [entry for _, entry in specs.allowed if getattr(entry, "to", None) is not None]
    timed += [entry for _, entry in specs.attached if (entry.from_, entry.until) != (None, None)]
    if timed or cell.interval is not None:
        document.add((), "the cell has rules with times, which speed does not change; leave out speed")
        raise CellError(document.mistakes)
    programs = {
        name: {key: _scaled(moving, factor) for key, moving in motions.items()}
        for name, motions in cell.program_motions.items()
    }
    motions = {key: _scaled(moving, factor) for key, moving in cell.motions.items()}
    return replace(cell, motions=motions, program_motions=programs)


def _scaled(moving: CellMotion, factor: float) -> CellMotion:
    motion = moving.motion
    times = motion.times[0] + (motion.times - motion.times[0]) / factor
    scaled: PoseTrajectory | JointTrajectory
    if isinstance(motion, JointTrajectory):
        qd = None if motion._qd is None else motion._qd * factor
        scaled = JointTrajectory(
            motion.robot, times, motion.q, qd, motion.interpolation,  # type: ignore[arg-type]
            hold=motion._hold, name=motion._name,  # type: ignore[arg-type]
        )  # fmt: skip
    else:
        scaled = PoseTrajectory(
            times, motion.X_W, motion.interpolation,  # type: ignore[arg-type]
            hold=motion.hold, max_deviation=motion.max_deviation, name=motion.name,  # type: ignore[arg-type]
        )  # fmt: skip
    return replace(moving, motion=scaled)
