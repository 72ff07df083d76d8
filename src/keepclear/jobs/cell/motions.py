"""Motions of objects: read from a cell and its files, checked, and built."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from keepclear.errors import KeepclearError
from keepclear.files.yaml import Document, Place
from keepclear.jobs.cell.building import Builder, CellObject, joints_of, plain
from keepclear.jobs.motion_files.reading import missing_file, read_joint_file, read_pose_file
from keepclear.jobs.motion_files.sample_maps import joints_of as joint_samples_of
from keepclear.jobs.motion_files.sample_maps import poses_of
from keepclear.jobs.motion_files.samples import (
    DEFAULTS,
    ROTATIONS,
    Failed,
    JointSamples,
    Options,
    PoseSamples,
    Source,
)
from keepclear.motion.joints.program import JointTrajectory
from keepclear.motion.trajectory import PoseTrajectory
from keepclear.report.parts import Assumption

if TYPE_CHECKING:
    from keepclear.jobs.cell import models

_CHOICES = {True: ("linear", "spline"), False: ("linear", "screw", "cubic")}


@dataclass(frozen=True, slots=True, eq=False)
class CellMotion:
    """A motion of an object, and the findings while reading it."""

    motion: PoseTrajectory | JointTrajectory
    assumptions: tuple[Assumption, ...] = ()
    warnings: tuple[str, ...] = ()


def build_motion(
    document: Document,
    builder: Builder,
    place: Place,
    spec: Any,
    owner: models.ObjectModel,
    body: CellObject | None,
) -> CellMotion | None:
    """Return a motion of an object; None if it has an error.

    Args:
        document: The cell file; collects errors.
        builder: Knows where files are.
        place: The position of the motion in the cell.
        spec: The value there: the name of a file, or a model.
        owner: The entry of the object in the cell.
        body: The object, None where it could not be built: then its motion is only checked for errors.
    """
    is_text = isinstance(spec, str)
    source = source_of(spec)
    _check_options(document, place, spec)
    at = place if is_text or not source.label else (*place, "file")
    if body is None:
        if owner.robot is not None:  # its joints are unknown
            absent = (
                missing_file(builder.path(source.label), source.label, "motion file")
                if source.label
                else None
            )
            document.add(at, absent) if absent is not None else None
            return None
        body = CellObject(str(place[1] if place[0] == "objects" else place[2]), (), None, np.eye(4))
    interpolation = _interpolation(document, place, None if is_text else spec.interpolation, owner, body)
    try:
        samples: JointSamples | PoseSamples
        if source.label:
            path = builder.path(source.label)
            if body.robot is not None:
                samples = read_joint_file(source, path, joints_of(body.robot, body.rest))
            else:
                samples = read_pose_file(source, path)
        else:
            samples = _inline(source, spec, body)
    except Failed:
        for text in source.problems:
            document.add(at, text)
        return None
    if isinstance(samples, PoseSamples) and not _check_pose(document, place, samples, owner):
        return None
    if interpolation is None:
        return None
    hold = (None if is_text else spec.hold) or owner.hold or "both"
    try:
        return _made(source, samples, interpolation, hold, body)
    except KeepclearError as error:
        label = source.label or body.name
        text = plain(error).removeprefix(f"trajectory '{label}': ")
        document.add(at, f"{label}: {text}" if source.label else text)
        return None


def source_of(spec: Any) -> Source:
    """Return the source of the samples, with the options of the cell."""
    if isinstance(spec, str):
        return Source(spec, Options())
    file = getattr(spec, "file", None)
    if file is None:
        return Source("", Options(DEFAULTS, joints=spec.joints, start=spec.start))
    units = {} if spec.units is None else {k: v for k, v in spec.units.model_dump().items() if v is not None}
    if spec.unit is not None:
        units.setdefault("length", spec.unit)
    return Source(
        file,
        Options(
            units, spec.order, spec.columns, tuple(spec.ignore or ()), spec.joints, spec.dt, spec.speed, spec.start
        ),
    )  # fmt: skip


def _check_options(document: Document, place: Place, spec: Any) -> None:
    """Record errors for options of a file that contradict each other."""
    if getattr(spec, "file", None) is None:
        return
    if spec.unit is not None and spec.units is not None and spec.units.length not in (None, spec.unit):
        text = f"'units' gives lengths in {spec.units.length}; keep one of them"
        document.add((*place, "unit"), text, key=True)
    if spec.dt is not None and spec.speed is not None:
        document.add((*place, "speed"), "'dt' already gives the times of rows; keep one of them", key=True)


def _interpolation(
    document: Document, place: Place, own: str | None, owner: models.ObjectModel, body: CellObject
) -> str | None:
    """Return the interpolation that the cell gives, "" for none, None if it is invalid."""
    chosen = own or owner.interpolation or ""
    choices = _CHOICES[body.robot is not None]
    if chosen and chosen not in choices:
        what = "a robot" if body.robot is not None else "an object that is not a robot"
        where = (*place, "interpolation") if own else ("objects", body.name, "interpolation")
        options = f"{', '.join(choices[:-1])} or {choices[-1]}"
        document.add(where, f"'{chosen}' is not for {what}; use {options}")
        return None
    return chosen


def _inline(source: Source, spec: models.SamplesModel, body: CellObject) -> JointSamples | PoseSamples:
    """Return the samples in the cell file itself."""
    given = {
        key: value
        for key, value in spec.model_dump(exclude={"interpolation", "hold", "start", "joints"}).items()
        if value is not None
    }
    if body.robot is not None:
        return joint_samples_of(source, given, joints_of(body.robot, body.rest))
    if "q" in given or "q_deg" in given:
        source.fail("joint values are for robots, and this object is not a robot; give positions or poses")
    return poses_of(source, given)


def _check_pose(document: Document, place: Place, samples: PoseSamples, owner: models.ObjectModel) -> bool:
    """Return whether the pose of an object does not repeat its motion; else record an error."""
    if place[0] == "programs":
        return True  # there it is the pose at rest in other programs
    turned = next((key for key in ROTATIONS if getattr(owner, key) is not None), None)
    for key in ("position", "pose", turned if samples.turns else None):
        if key is not None and getattr(owner, key) is not None:
            text = f"the motion already gives its pose; remove '{key}' or 'motion'"
            document.add((*place[:-1], key), text, key=True)
            return False
    return True


def _made(
    source: Source, samples: JointSamples | PoseSamples, interpolation: str, hold: Any, body: CellObject
) -> CellMotion:
    """Return the motion through samples, with guessed values; the world warns about exceeded limits."""
    label = source.label or body.name
    name = body.name
    texts = list(source.warnings)
    notes = []
    if (guess := source.guess()) is not None:
        notes.append(Assumption(kind="unit", subject=name, text=guess))
    motion: PoseTrajectory | JointTrajectory
    if isinstance(samples, JointSamples):
        assert body.robot is not None
        kind = interpolation or ("linear" if samples.qd is None else "spline")
        qd = samples.qd if kind == "spline" else None
        motion = JointTrajectory(body.robot, samples.times, samples.q, qd, kind, hold=hold, name=label)  # type: ignore[arg-type]
        if samples.qd is not None and kind == "linear":
            texts.append(
                f"{label} has speeds that are not used: with interpolation: linear, joints move at constant speed"
            )
    else:
        X = samples.X_W
        if not samples.turns:
            X = X.copy()
            X[:, :3, :3] = body.X_W[:3, :3]
        kind = interpolation or "linear"
        motion = PoseTrajectory(samples.times, X, kind, hold=hold, name=label)  # type: ignore[arg-type]
    return CellMotion(motion, tuple(notes), tuple(f"{name}: {text}" for text in texts))
