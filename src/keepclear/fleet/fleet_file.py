"""Fleet files: which cells, programs and variants to verify, and which reports to write."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from keepclear.cell.cell import Cell
from keepclear.cell.wording import add_mistakes
from keepclear.errors import CellError, FleetError
from keepclear.fleet.run import Source, cell_files
from keepclear.fleet.variants import changes_of, problem_with, read_variant, variants_of
from keepclear.names import did_you_mean
from keepclear.yaml_files import Document, read_document

if TYPE_CHECKING:
    from keepclear.fleet.models import VariantModel

__all__ = ["Fleet", "read_fleet"]

MOST_VARIANTS = 100_000
_EXAMPLES = {"programs": "[pick, 'place*']", "cells": "[cell.yaml]", "object": "table"}


@dataclass(frozen=True, slots=True)
class Fleet:
    """The content of a fleet file.

    Attributes:
        title: The title of the overview.
        sources: The cells, one for each variant.
        options: Those of tolerance, contacts, clearances and timeout that the file sets.
        store: The path of the store; None for no store.
        outputs: Paths by kind of output, such as "json" or "baseline".
    """

    title: str
    sources: tuple[Source, ...]
    options: dict[str, Any] = field(default_factory=dict)
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
    names = ("tolerance", "contacts", "clearances", "timeout")
    options = {name: value for name in names if (value := getattr(model, name)) is not None}
    store = None if model.store is None else str(place.parent / model.store)
    named = {} if model.report is None else model.report.model_dump(by_alias=True, exclude_none=True)
    outputs = {kind: str(place.parent / file) for kind, file in named.items()}
    return Fleet(model.title or place.name, tuple(sources), options, store, outputs)


def _validated(document: Document) -> Any:
    from pydantic import ValidationError

    from keepclear.fleet.models import FleetModel

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

    from keepclear.fleet.models import CELL_ENTRY

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
    _check_objects(document, k, entry.variants or (), files)
    _check_programs(document, k, entry.programs, files)
    asked = None if entry.programs is None else partial(_chosen, tuple(entry.programs))
    return [
        Source(file, partial(read_variant, file, changes), ", ".join(one.text for one in changes), asked)
        for file in files
        for changes in variants
    ]


def _check_objects(
    document: Document, k: int, variants: Sequence[VariantModel], files: Sequence[str]
) -> None:
    """Record an error for each variant that does not fit its cell; other errors are reported when the cell is read."""
    for file in files if variants else ():
        value = read_document(Path(file), file).value
        objects = value.get("objects") if isinstance(value, dict) else None
        if not isinstance(objects, dict):
            continue
        for number, variant in enumerate(variants):
            for axis in changes_of(variant):
                if axis[0].object and (problem := problem_with(value, axis[0])):
                    key = next(
                        name for name in ("object", "robot", "payload") if getattr(variant, name) is not None
                    )
                    document.add(("cells", k, "variants", number, key), f"{Path(file).name}: {problem}")


def _check_programs(document: Document, k: int, patterns: Sequence[str] | None, files: Sequence[str]) -> None:
    """Record an error for each cell without a program that is asked for; cells that cannot be read are run."""
    for file in files if patterns is not None else ():
        value = read_document(Path(file), file).value
        known = value.get("programs") if isinstance(value, dict) else None
        if patterns and isinstance(known, dict) and not _matching(patterns, known):
            close = did_you_mean(patterns[0], [name for name in known if isinstance(name, str)])
            text = f"{Path(file).name}: no program is called {' or '.join(map(repr, patterns))}{close}"
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
