"""The fleet file as pydantic models: its keys, and the constraints on their values."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from keepclear.cell.models import Keys, Name, PositionList, Positive, ShapeModel

__all__ = ["CELL_ENTRY", "CellEntry", "FleetModel", "RobotFiles", "Steps", "VariantModel"]


def _as_steps(value: Any) -> Any:
    return {"values": value} if isinstance(value, list) else value


def _as_entry(value: Any) -> Any:
    return {"cell": value} if isinstance(value, str) else value


class Steps(Keys):
    """Numbers: a list of values, or a range."""

    values: Annotated[list[float], Field(min_length=1)] | None = Field(None, description="The values.")
    from_: float | None = Field(None, alias="from", description="The first value of a range.")
    to: float | None = Field(None, description="The last value of the range.")
    count: Annotated[int, Field(ge=2, le=10_000)] | None = Field(
        None, description="The number of values in the range."
    )


Numbers = Annotated[Steps, BeforeValidator(_as_steps)]


class RobotFiles(Keys):
    """The files of a robot model."""

    robot: Name = Field(description="URDF file, relative to the cell file.")
    srdf: Name | None = Field(None, description="SRDF file; default: none.")


class VariantModel(Keys):
    """One varying property: the position of an object, the model of a robot, the shape of a payload, or the speed."""

    object: Name | None = Field(None, description="Object whose position varies.")
    x: Numbers | None = Field(
        None, description="Values of x of its position [m]: a list, or {from:, to:, count:}."
    )
    y: Numbers | None = Field(None, description="Values of y.")
    z: Numbers | None = Field(None, description="Values of z.")
    positions: PositionList | None = Field(None, description="Complete positions, instead of x, y and z [m].")
    robot: Name | None = Field(None, description="Robot whose model varies.")
    models: Annotated[list[RobotFiles], Field(min_length=1)] | None = Field(None, description="Its models.")
    payload: Name | None = Field(None, description="Object whose shape varies, such as what a robot carries.")
    shapes: Annotated[list[ShapeModel], Field(min_length=1)] | None = Field(None, description="Its shapes.")
    speed: Annotated[list[Positive], Field(min_length=1)] | None = Field(
        None, description="Factors of the speed of all motions."
    )


class CellEntry(Keys):
    """Cells of a fleet, their programs and their variants."""

    cell: Name = Field(
        description="Cell file, folder or pattern such as 'cells/*.yaml', relative to the fleet file."
    )
    programs: Annotated[list[Name], Field(min_length=1)] | None = Field(
        None, description="Names of programs or patterns such as 'pick*'; default: all."
    )
    variants: list[VariantModel] | None = Field(
        None, description="Varying properties; every combination of their values is verified, and only these."
    )


class ReportModel(Keys):
    """The files to write."""

    json_: Name | None = Field(None, alias="json", description="JSON file of all reports.")
    html: Name | None = Field(None, description="Overview page.")
    csv: Name | None = Field(None, description="Table with a row for each program.")
    junit: Name | None = Field(None, description="JUnit XML file, for continuous integration.")
    sarif: Name | None = Field(None, description="SARIF 2.1.0 file, for code review.")
    baseline: Name | None = Field(None, description="Store or JSON of an earlier run to compare with.")
    pages: Name | None = Field(None, description="Folder of a page for each program.")


CELL_ENTRY = Annotated[CellEntry, BeforeValidator(_as_entry)]


class FleetModel(Keys):
    """A fleet: cells, programs, variants, options and outputs."""

    title: str | None = Field(None, description="Title of the overview.")
    cells: Annotated[list[CELL_ENTRY], Field(min_length=1)] = Field(
        description="Cells: paths, or {cell:, programs:, variants:}."
    )
    tolerance: Positive | None = Field(None, description="Tolerance that replaces those of the cells [m].")
    contacts: Literal["first", "all", "earliest"] | None = Field(
        None, description="Which contacts are found."
    )
    clearances: bool | None = Field(
        None, description="Whether to compute minimum distances of pairs; default: true."
    )
    timeout: Positive | None = Field(None, description="How long a job may take [s].")
    store: Name | None = Field(None, description="Store of results, relative to the fleet file.")
    report: ReportModel | None = Field(None, description="Files to write, relative to the fleet file.")
