"""Fleet files: which cells, programs and variants to verify, and which reports to write."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BeforeValidator, Field, create_model

from keepclear.errors import CellError, FleetError
from keepclear.files.yaml import Document, read_document
from keepclear.jobs.cell.cell import Cell
from keepclear.jobs.cell.models import Keys, Name, PositionList, Positive, ShapeModel
from keepclear.jobs.cell.verify import VerifyOptions
from keepclear.jobs.cell.wording import add_mistakes
from keepclear.jobs.fleet.run import Source, cell_files
from keepclear.jobs.fleet.variants import changes_of, problem_with, read_variant, variants_of
from keepclear.names import did_you_mean
from keepclear.report.formats import FORMATS

MOST_VARIANTS = 100_000
_EXAMPLES = {"programs": "[pick, 'place*']", "cells": "[cell.yaml]", "object": "table"}


@dataclass(frozen=True, slots=True)
class Fleet:
    """The content of a fleet file.

    Attributes:
        title: The title of the overview.
        sources: The cells, one for each variant.
        options: The options, with those of tolerance, contacts and clearances that the file sets.
        timeout: How long a job may take [s]; None: no limit.
        store: The path of the store; None for no store.
        outputs: Paths by kind of output, such as "json" or "baseline".
    """

    title: str
    sources: tuple[Source, ...]
    options: VerifyOptions = field(default_factory=partial(VerifyOptions, threads=1))
    timeout: float | None = None
    store: str | None = None
    outputs: dict[str, str] = field(default_factory=dict)


def read_fleet(path: str | os.PathLike[str]) -> Fleet:
    """Return the content of a fleet file, or a fleet of the cells in a folder.

    Raises:
        CellError: The file has mistakes: all of them at once, each as `file:line:column: where: what, and what to do`.
        FileMissingError: There is no such file.
        FleetError: The folder has no cells.
    """
    place = Path(path)
    if os.path.isdir(place):  # noqa: PTH112, a name that is too long is none
        return Fleet(
            place.name, tuple(Source(one, partial(read_variant, one, ())) for one in cell_files(path))
        )
    document = read_document(place, os.fspath(path))
    model = _validated(document)
    sources: list[Source] = []
    for k, entry in enumerate(model.cells) if model is not None else _valid_entries(document.value):
        sources += _sources(document, place.parent, k, entry)
    if document.mistakes or model is None:
        raise CellError(document.mistakes)
    names = ("tolerance", "contacts", "clearances")
    given = {name: value for name in names if (value := getattr(model, name)) is not None}
    options = VerifyOptions(threads=1, **given)
    store = None if model.store is None else str(place.parent / model.store)
    named = {} if model.report is None else model.report.model_dump(by_alias=True, exclude_none=True)
    outputs = {kind: str(place.parent / file) for kind, file in named.items()}
    return Fleet(model.title or place.name, tuple(sources), options, model.timeout, store, outputs)


def _validated(document: Document) -> Any:
    from pydantic import ValidationError

    if document.mistakes:
        return None
    if not isinstance(document.value, dict):
        document.add((), "a fleet has keys and values, such as cells: [cell.yaml]")
        return None
    if "objects" in document.value and "cells" not in document.value:
        text = f"this is a cell file, not a fleet; run: keepclear verify {document.file}"
        document.add(("objects",), text, key=True)
        return None
    try:
        return FleetModel.model_validate(document.value)
    except ValidationError as error:
        add_mistakes(document, (), error, FleetModel, _EXAMPLES)
        return None


def _valid_entries(value: Any) -> Iterator[tuple[int, Any]]:
    """Yield the entries that are right in a file with errors, so that what they name is checked as well."""
    from pydantic import TypeAdapter, ValidationError

    entries = value.get("cells") if isinstance(value, dict) else None
    for k, entry in enumerate(entries) if isinstance(entries, list) else ():
        with suppress(ValidationError):
            yield k, TypeAdapter(CELL_ENTRY).validate_python(entry)


def _sources(document: Document, folder: Path, k: int, entry: Any) -> list[Source]:
    """Return the cells of one entry; errors are recorded at its line."""
    where = ("cells", k)
    try:
        files = _files(folder, entry.cell)
    except FleetError as error:
        document.add(where, str(error).rstrip("."))
        return []
    try:
        variants = variants_of(entry.variants or (), MOST_VARIANTS // max(1, len(files)))
    except ValueError as error:
        document.add((*where, "variants"), str(error))
        return []
    _check_cells(document, k, entry, files)
    asked = None if entry.programs is None else partial(_chosen, tuple(entry.programs))
    return [
        Source(file, partial(read_variant, file, changes), ", ".join(one.text for one in changes), asked)
        for file in files
        for changes in variants
    ]


def _check_cells(document: Document, k: int, entry: CellEntry, files: Sequence[str]) -> None:
    """Record an error for each variant that does not fit its cell, and for each cell without a program of the entry.

    Cells that cannot be read are run: other errors are reported when the cell is read.
    """
    variants, patterns = entry.variants or (), entry.programs
    for file in files if variants or patterns else ():
        value, name = read_document(Path(file), file).value, Path(file).name
        found = value if isinstance(value, dict) else {}
        objects, programs = found.get("objects"), found.get("programs")
        for number, variant in enumerate(variants if isinstance(objects, dict) else ()):
            for axis in changes_of(variant):
                if axis[0].object and (problem := problem_with(found, axis[0])):
                    key = next(
                        one for one in ("object", "robot", "payload") if getattr(variant, one) is not None
                    )
                    document.add(("cells", k, "variants", number, key), f"{name}: {problem}")
        if patterns and isinstance(programs, dict) and not _matching(patterns, programs):
            close = did_you_mean(patterns[0], [one for one in programs if isinstance(one, str)])
            text = f"{name}: no program is called {' or '.join(map(repr, patterns))}{close}"
            document.add(("cells", k, "programs"), text)


def _matching(patterns: Sequence[str], names: Iterable[Any]) -> tuple[str, ...]:
    """Return the names that match a pattern."""
    return tuple(name for name in names if any(fnmatchcase(str(name), pattern) for pattern in patterns))


def _files(folder: Path, text: str) -> list[str]:
    """Return the cells that match a path or a pattern."""
    if any(mark in text for mark in "*?["):
        try:
            found = sorted(str(path) for path in folder.glob(text) if path.is_file())
        except (NotImplementedError, ValueError) as error:
            raise FleetError(f"the pattern {text!r} cannot be used; make it relative to this file") from error
        if not found:
            raise FleetError(f"no file matches {text!r}; check the pattern")
        return found
    if not os.path.exists(folder / text):  # noqa: PTH110, a name that is too long is none
        raise FleetError(f"there is no cell {text!r}; check the path")
    return cell_files(folder / text)


def _chosen(patterns: tuple[str, ...], cell: Cell) -> tuple[str | None, ...]:
    """Return the programs of a cell that match the patterns."""
    found = _matching(patterns, cell.programs)
    if not found:
        raise FleetError(
            f"{cell.path}: no program is called {' or '.join(map(repr, patterns))}; check the names."
        )
    return found


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


def _output(key: str, description: str) -> tuple[Any, Any]:
    return Name | None, Field(None, alias=key, description=description)


if TYPE_CHECKING:
    ReportModel = Keys
else:
    _OTHERS = {
        "baseline": "Store or JSON of an earlier run to compare with.",
        "pages": "Folder of a page for each program.",
    }
    ReportModel = create_model(  # `json` is a method of models
        "ReportModel", __base__=Keys, __doc__="The files to write.",
        **{f"{one.kind}_": _output(one.kind, one.key) for one in FORMATS if one.key},
        **{f"{key}_": _output(key, text) for key, text in _OTHERS.items()},
    )  # fmt: skip


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
