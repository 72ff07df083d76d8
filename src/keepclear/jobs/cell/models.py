"""The cell file as pydantic models: its keys, and the constraints on their values.

Imported where a cell is read, so that nothing else waits for pydantic. `cell.schema.json` is made from these models.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag, create_model

from keepclear.geometry.shapes.row import Size
from keepclear.geometry.shapes.table import cell_keys

TEXT, NUMBER, LIST, KEYS, FLAG = "a text", "a number", "a list", "keys and values", "true or false"
FILE, SAMPLES = "keys and values of a file", "keys and values of samples"


def kind_of(value: Any) -> str:
    """Return what a value is, in words; unions are distinguished by it."""
    if isinstance(value, bool):
        return FLAG
    if isinstance(value, str):
        return TEXT
    if isinstance(value, int | float):
        return NUMBER
    return LIST if isinstance(value, list | tuple) else KEYS


def _kind_of_motion(value: Any) -> str:
    kind = kind_of(value)
    if kind != KEYS or not isinstance(value, dict):
        return kind
    is_file = "file" in value or not set(value) & {"times", "positions", "poses", "q", "q_deg"}
    return FILE if is_file else SAMPLES


by_kind = Discriminator(kind_of)

Positive = Annotated[float, Field(gt=0.0)]
NotNegative = Annotated[float, Field(ge=0.0)]
Name = Annotated[str, Field(min_length=1)]
Triple = Annotated[list[float], Field(min_length=3, max_length=3)]
PositionList = Annotated[list[Triple], Field(min_length=1)]
Quaternion = Annotated[list[float], Field(min_length=4, max_length=4)]
Row = Annotated[list[float], Field(min_length=4, max_length=4)]
Matrix = Annotated[list[Row], Field(min_length=3, max_length=4)]
Pair = Annotated[list[Name], Field(min_length=2, max_length=2)]
JointValues = Annotated[
    Annotated[list[float], Tag(LIST)] | Annotated[dict[str, float], Tag(KEYS)],
    by_kind,
]
JointRows = Annotated[
    Annotated[list[list[float]], Tag(LIST)] | Annotated[dict[str, list[float]], Tag(KEYS)],
    by_kind,
]
LengthUnit = Literal["m", "cm", "mm", "um", "in", "ft"]
Interpolation = Literal["linear", "spline", "screw", "cubic"]
Hold = Literal["both", "before", "after", "none"]


class Keys(BaseModel):
    """Keys and values, of which none are unknown."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


def _spec(cls: type, sizes: Mapping[str, Size]) -> Any:
    """Return the form of a shape that is given by lengths: a number or a list of them, or by their names."""
    n = sum(size.n for size in sizes.values())
    numbers: Any = Annotated[list[Positive], Field(min_length=n, max_length=n)] if n > 1 else Positive
    if len(sizes) < n:
        return numbers
    fields: dict[str, Any] = {name: (Positive, Field(description=size.about)) for name, size in sizes.items()}
    keys = create_model(
        f"{cls.__name__}Model", __base__=Keys, __doc__=f"The sizes of a {cls.__name__}.", **fields
    )
    globals()[keys.__name__] = keys  # where pickle looks for it: cells are sent to processes
    return Annotated[Annotated[numbers, Tag(LIST if n > 1 else NUMBER)] | Annotated[keys, Tag(KEYS)], by_kind]


class PoseModel(Keys):
    """The pose of an object; by default at the origin, not rotated."""

    position: Triple | None = Field(None, description="Position x, y, z of its frame [m].")
    rpy: Triple | None = Field(
        None, description="Roll, pitch and yaw [rad]: rotations about the fixed axes x, then y, then z."
    )
    rpy_deg: Triple | None = Field(None, description="Roll, pitch and yaw [deg].")
    quat_xyzw: Quaternion | None = Field(None, description="Quaternion, the scalar part last.")
    quat_wxyz: Quaternion | None = Field(None, description="Quaternion, the scalar part first.")
    pose: Matrix | None = Field(
        None, description="Matrix with 4 rows of 4 numbers (the last may be left out), instead of the others."
    )


_SHAPES: dict[str, Any] = {
    key: ((Name if row.sizes is None else _spec(cls, row.sizes)) | None, Field(None, description=known.about))
    for key, (cls, row, known) in cell_keys().items()
}


class ShapeModel(create_model("ShapeKeys", __base__=PoseModel, **_SHAPES)):  # type: ignore[misc]
    """One shape, under the key of its kind, and where it is."""

    unit: LengthUnit | None = Field(None, description="Unit of the mesh file.")
    scale: Positive | None = Field(None, description="Additional factor, for meshes.")
    solid: bool | None = Field(
        None, description="Of a mesh: true requires that it is closed, false uses its surface only."
    )
    tessellation: Positive | None = Field(
        None,
        description="Of a STEP file: how far triangles may be from its curved surfaces [m]; margins grow by it. "
        "Default: 0.0001.",
    )


class PartModel(ShapeModel):
    """One of several shapes of an object, in the frame of the object."""


class UnitsModel(Keys):
    """Units of the numbers in a file."""

    time: Literal["s", "ms", "us", "min"] | None = Field(None, description="Unit of times; default: s.")
    angle: Literal["rad", "deg"] | None = Field(
        None, description="Unit of angles; default: rad, but deg in lists without header and times."
    )
    length: LengthUnit | None = Field(None, description="Unit of lengths; default: m.")


class MotionOptions(Keys):
    """What files and samples have in common."""

    interpolation: Interpolation | None = Field(
        None,
        description="Interpolation between samples. Robots: linear, or spline (through velocities where given). "
        "Others: linear, screw, or cubic.",
    )
    hold: Hold | None = Field(None, description="Where it is at rest outside its times; default: both ends.")
    start: float | None = Field(None, description="Time of the first sample [s], instead of the given one.")
    joints: list[Name] | None = Field(
        None, description="Names of the joints in the order of the columns, if the samples do not give them."
    )


class FileMotionModel(MotionOptions):
    """A motion from a file: CSV, NPZ, JSON or YAML."""

    file: Name = Field(description="CSV, NPZ, JSON or YAML file, relative to the cell file.")
    units: UnitsModel | None = Field(None, description="Units of the numbers in the file.")
    unit: LengthUnit | None = Field(None, description="Unit of lengths; the same as units: {length: ...}.")
    order: Literal["xyzw", "wxyz"] | None = Field(
        None, description="Order of quaternions, if the names in the file do not give it."
    )
    columns: list[Name] | None = Field(
        None,
        description="Names of the columns, for a table without a header or instead of it: time, joints, x, speed ...",
    )
    ignore: list[Name] | None = Field(None, description="Columns of the file to ignore.")
    dt: Positive | None = Field(
        None, description="Time from one row to the next [s], if the file has no times."
    )
    speed: Positive | None = Field(
        None,
        description="Speed of the joint that travels farthest, in the unit of angles per second (so in deg/s for a "
        "file in degrees), if the file has no times.",
    )


class SamplesModel(MotionOptions):
    """A motion given in the cell file itself."""

    times: list[float] = Field(description="Increasing times [s].")
    positions: list[Triple] | None = Field(None, description="Position at each time [m].")
    rpy: list[Triple] | None = Field(None, description="Roll, pitch and yaw at each time [rad].")
    rpy_deg: list[Triple] | None = Field(None, description="Roll, pitch and yaw at each time [deg].")
    quat_xyzw: list[Quaternion] | None = Field(None, description="Quaternions, the scalar part last.")
    quat_wxyz: list[Quaternion] | None = Field(None, description="Quaternions, the scalar part first.")
    poses: list[Matrix] | None = Field(None, description="Matrix at each time, 4 rows of 4 numbers.")
    q: JointRows | None = Field(
        None, description="Joint values at each time [rad or m]: rows, or lists by joint name."
    )
    q_deg: JointRows | None = Field(None, description="The same with angles in degrees; lengths stay metres.")
    qd: JointRows | None = Field(None, description="Joint speeds at each time [rad/s or m/s], for splines.")


MotionSpec = Annotated[
    Annotated[Name, Tag(TEXT)]
    | Annotated[FileMotionModel, Tag(FILE)]
    | Annotated[SamplesModel, Tag(SAMPLES)],
    Discriminator(_kind_of_motion),
]


ProgramSpec = Annotated[
    Annotated[Name, Tag(TEXT)] | Annotated[Annotated[list[Name], Field(min_length=1)], Tag(LIST)],
    by_kind,
]


class PathToleranceModel(Keys):
    """How far from its programmed path a controller may let something be."""

    distance: NotNegative = Field(0.0, description="Maximum distance from the path [m].")
    time: NotNegative = Field(
        0.0, description="Maximum time by which it is early or late [s]; adds a margin that grows with speed."
    )


class ToolModel(PoseModel):
    """The link that has a tool, and the pose of the tool relative to it."""

    of: Name = Field(description="Name of the robot.")
    link: Name = Field(description="Link of the robot, such as flange; it may have no shape.")


class ObjectModel(ShapeModel):
    """An object: a shape, several parts, or a robot; at rest, with a motion, or a tool of a robot."""

    parts: Annotated[list[PartModel], Field(min_length=1)] | None = Field(
        None, description="Several shapes that move together, each with its pose in the frame of the object."
    )
    robot: Name | None = Field(None, description="URDF file of a robot.")
    srdf: Name | None = Field(
        None, description="SRDF file of the robot: pairs that need no check, named states."
    )
    package_dirs: list[Name] | None = Field(
        None, description="Folders that are searched for package:// names of the URDF."
    )
    state: Name | None = Field(None, description="Named state of the SRDF in which the robot rests.")
    q: JointValues | None = Field(
        None,
        description="Joint values at rest [rad or m], as a list or by joint name; also for joints that the motion "
        "does not name.",
    )
    q_deg: JointValues | None = Field(
        None, description="The same with angles in degrees; lengths stay metres."
    )
    motion: MotionSpec | None = Field(
        None,
        description="Motion file, {file:, units:, interpolation:, ...}, or samples {times:, positions:, ...}.",
    )
    interpolation: Interpolation | None = Field(
        None, description="Interpolation of its motions, unless they give one."
    )
    hold: Hold | None = Field(None, description="Where it is at rest outside the times of its motions.")
    tool: ToolModel | None = Field(
        None,
        description="Of a tool: {of: arm, link: flange, position:, rpy:}, its pose relative to the link at all times.",
    )
    margin: NotNegative | None = Field(None, description="Distance that everything has to keep from it [m].")
    path_tolerance: PathToleranceModel | None = Field(
        None,
        description="Tracking error of its controller; adds a margin that grows with speed.",
    )


class RuleModel(Keys):
    """What rules have in common."""

    program: ProgramSpec | None = Field(
        None,
        description="Program that this applies to, or a list of names; default: all programs.",
    )


class AllowedModel(RuleModel):
    """A pair that may touch, always or for a while."""

    pair: Pair = Field(description="Two names, such as arm/hand and part.")
    from_: float | None = Field(None, alias="from", description="From this time on [s].")
    to: float | None = Field(None, description="Until this time [s].")
    reason: str | None = Field(None, description="Reason; written into the report.")


class MarginModel(RuleModel):
    """A distance that a pair has to keep."""

    pair: Pair = Field(description="Two names, such as arm and part.")
    margin: NotNegative = Field(description="The distance [m].")


class AttachedModel(RuleModel, PoseModel):
    """An object that a link holds for a while, in the pose that it has when it is grasped, or in a given one."""

    object: Name = Field(description="Name of the object.")
    to: Name = Field(description="Link that holds it, such as arm/hand.")
    from_: float | None = Field(
        None,
        alias="from",
        description="When it is grasped [s]; default, only with a pose: from the start on.",
    )
    until: float | None = Field(None, description="When it is released [s]; default: never.")


PairSpec = Annotated[Annotated[Pair, Tag(LIST)] | Annotated[AllowedModel, Tag(KEYS)], by_kind]
OnlySpec = Annotated[Annotated[Name, Tag(TEXT)] | Annotated[Pair, Tag(LIST)], by_kind]


class SpheresModel(Keys):
    """Sphere models for stepwise checks."""

    accuracy: Positive | None = Field(
        None,
        description="Radius of the smallest spheres [m]; default: 5 mm, limited by the size of each shape.",
    )
    ratio: Annotated[float, Field(gt=1.0)] | None = Field(
        None, description="About how many times smaller the spheres of the next rank are; default: 2."
    )
    ranks: Annotated[int, Field(ge=2)] | None = Field(None, description="Number of ranks, instead of ratio.")


class SettingsModel(Keys):
    """What is asked about a cell."""

    title: str | None = Field(None, description="Title of the report; default: the name of the file.")
    notes: Annotated[list[Name], Field(min_length=1)] | None = Field(
        None, description="Sentences for the assumptions of the report, such as where the cell comes from."
    )
    tolerance: Positive | None = Field(
        None,
        description="A pair whose minimum distance exceeds its margin by less than this may get either "
        "verdict [m]; default: 0.001.",
    )
    interval: Annotated[list[float], Field(min_length=2, max_length=2)] | None = Field(
        None, description="Time interval that is checked [s]; default: the span of the motions."
    )
    far: Positive | None = Field(
        None, description="Pairs farther apart than this are reported as 'more than' it [m]; default: 0.1."
    )
    method: Literal["hybrid", "bisection", "exact", "bisect_exact"] | None = Field(
        None,
        description="Method for pairs that swept boxes and hulls leave open; default: hybrid.",
    )
    spheres: SpheresModel | None = Field(
        None, description="Sphere models that `keepclear verify --stepwise --models spheres` compares."
    )


class CellModel(SettingsModel):
    """A keepclear cell: objects, how they move, and what is asked about them."""

    objects: dict[str, ObjectModel] = Field(description="Everything in the cell, by name.")
    allowed: list[PairSpec] | None = Field(
        None, description="Pairs that may touch: [a, b], or {pair: [a, b], from:, to:, reason:}."
    )
    margins: list[MarginModel] | None = Field(
        None, description="Distances that pairs have to keep: {pair: [a, b], margin: 0.005}."
    )
    only: list[OnlySpec] | None = Field(
        None, description="Check these objects and pairs only: names, or [a, b]. A robot includes its tools."
    )
    attached: list[AttachedModel] | None = Field(
        None,
        description="Objects that links hold: {object:, to:, from:, until:}, with position:, rpy:, ... for a pose "
        "relative to the link.",
    )
    programs: dict[str, dict[str, MotionSpec]] | None = Field(
        None,
        description="Programs, each with the motions of the objects that move in it; one verdict for each.",
    )
