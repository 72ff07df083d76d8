"""Reports as JSON: written with nothing lost but the scene, and read back with every mistake named by its place."""

from __future__ import annotations

import functools
import json
import math
import os
import re
import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np

from keepclear.errors import FileMissingError, ReportError
from keepclear.files import MAX_TEXT_SIZE, parse_json, read_regular_file, write_whole_file
from keepclear.report.contradictions import check_report
from keepclear.report.report import FORMAT, Report
from keepclear.results import Verdict
from keepclear.shapes.arguments import shown

__all__ = ["json_text", "parse_report", "read_report", "report_dict", "write_text"]

Record = TypeVar("Record")

_FIRST = ("format", "verdict", "title", "program", "t0", "t1", "tolerance", "interrupted")
_UNKNOWN = {"lower": -math.inf, "lower_between": -math.inf, "clearance_lower": -math.inf, "upper": math.inf}
_HALF_PAIR = re.compile("[\ud800-\udfff]")


def read_report(path: str | os.PathLike[str]) -> Report:
    """Return the report in a JSON file that `Report.to_json` wrote.

    Raises:
        FileMissingError: There is no such file.
        ReportError: It is no report, is damaged, or was written by a newer version than this one can read.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> report = Report(verdict=Verdict.CLEAR, t0=0.0, t1=8.0, tolerance=1e-3)
        >>> with TemporaryDirectory() as folder:
        ...     _ = report.to_json(Path(folder) / "report.json")
        ...     read_report(Path(folder) / "report.json") == report
        True
    """
    file = Path(path)
    label = f"report {file.name!r}"
    try:
        content = read_regular_file(file, MAX_TEXT_SIZE)
    except FileNotFoundError as cause:
        raise FileMissingError(f"there is no report at {str(file)!r}; check the path.") from cause
    except OSError as cause:
        raise ReportError(f"{label} cannot be read: {cause.strerror or cause}.") from cause
    try:
        return parse_report(content.decode("utf-8-sig"), label)
    except UnicodeDecodeError as cause:
        raise ReportError(f"{label} is no text; give the JSON that `report.to_json` wrote.") from cause


def parse_report(text: str, label: str = "this text") -> Report:
    """Return the report in a JSON text; `label` names it in messages."""
    try:
        content = parse_json(text, _refuse_constant)
    except ValueError as cause:
        hint = "it is a web page" if text.lstrip().startswith("<") else f"it is not JSON ({cause})"
        raise ReportError(
            f"{label} is no report: {hint}; give the JSON that `report.to_json` wrote."
        ) from cause
    if not isinstance(content, dict) or not isinstance(content.get("format"), str):
        raise ReportError(
            f"{label} is no report: it has no 'format'; give the JSON that `report.to_json` wrote."
        )
    _check_format(content["format"], label)
    report = _record(Report, content, label, "")
    check_report(report, label)
    return report


def report_dict(report: Report) -> dict[str, Any]:
    """Return a report as texts, numbers, lists and dictionaries that JSON can hold; None for what is not finite."""
    content = cast(dict[str, Any], _plain(report))
    return {name: content[name] for name in _FIRST} | content


def json_text(content: dict[str, Any]) -> str:
    """Return JSON as people read it: lists of numbers on one line, and names in their own letters.

    A name with half a pair of characters, which UTF-8 cannot hold, is written in escapes.
    """
    text = "".join(_written(content, "\n", escape=False))
    return "".join(_written(content, "\n", escape=True)) if _HALF_PAIR.search(text) else text


def _written(value: Any, line: str, *, escape: bool) -> Iterator[str]:
    """Give the parts of a JSON text in which each line begins with `line`."""
    dumps = functools.partial(json.dumps, ensure_ascii=escape, allow_nan=False)
    inside = line + " "
    if isinstance(value, dict) and value:
        for i, (name, entry) in enumerate(value.items()):
            yield f"{',' if i else '{'}{inside}{dumps(name)}: "
            yield from _written(entry, inside, escape=escape)
        yield f"{line}}}"
    elif isinstance(value, list) and any(isinstance(entry, dict | list | str) for entry in value):
        for i, entry in enumerate(value):
            yield f"{',' if i else '['}{inside}"
            yield from _written(entry, inside, escape=escape)
        yield f"{line}]"
    else:
        yield dumps(value)


def write_text(text: str, path: str | os.PathLike[str]) -> None:
    """Write a whole file, or leave what was there: no reader ever sees half of it.

    Raises:
        ReportError: The folder is missing, or cannot be written to.
    """
    try:
        write_whole_file(path, text.encode())
    except OSError as cause:
        raise ReportError(f"{os.fspath(path)!r} cannot be written: {cause.strerror or cause}.") from cause


def _plain(value: Any) -> Any:
    if isinstance(value, Verdict):
        return value.value
    if is_dataclass(value) and not isinstance(value, type):
        named = {f.name: _plain(getattr(value, f.name)) for f in fields(value) if f.name != "scene"}
        return {name: None if _is_unknown_point(name, entry) else entry for name, entry in named.items()}
    if isinstance(value, np.ndarray | np.generic):
        return _plain(value.tolist())
    if isinstance(value, list | tuple):
        if all(type(entry) is float for entry in value):
            return [entry if math.isfinite(entry) else None for entry in value]
        return [_plain(entry) for entry in value]
    if isinstance(value, Mapping):
        return {str(name): _plain(entry) for name, entry in value.items()}
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _is_unknown_point(name: str, value: Any) -> bool:
    return name.startswith(("p_W", "normal_W")) and value is not None and None in value


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no number in JSON")


def _check_format(found: str, label: str) -> None:
    family, _, version = FORMAT.partition("/")
    found_family, _, found_version = found.partition("/")
    if found_family != family:
        raise ReportError(f"{label} has the format {found!r}, not {FORMAT!r}; it is no report of keepclear.")
    if found_version.split(".")[0] != version:
        raise ReportError(
            f"{label} has the format {found!r}, but this version reads {FORMAT!r}; update keepclear to read it."
        )


def _record(kind: type[Record], content: object, label: str, place: str) -> Record:
    """Return a dataclass from a JSON object; names that it does not have were added by a later version."""
    if not isinstance(content, dict):
        raise _mistake(label, place, content, "an object")
    hints, values = typing.get_type_hints(kind), {}
    for field in fields(cast(Any, kind)):
        if field.name == "scene":
            continue
        inside = f"{place}.{field.name}".lstrip(".")
        if field.name in content:
            values[field.name] = _value(hints[field.name], content[field.name], label, inside, field.name)
        elif field.default is MISSING and field.default_factory is MISSING:
            raise ReportError(f"{label} has no {inside!r}; it is damaged, or no report.")
    return kind(**values)


def _value(hint: Any, content: Any, label: str, place: str, name: str) -> Any:
    """Return a JSON value as the type that a field is declared with."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (types.UnionType, typing.Union):
        (kind,) = (kind for kind in arguments if kind is not types.NoneType)
        return None if content is None else _value(kind, content, label, place, name)
    if origin is tuple:
        n = None if arguments[-1] is Ellipsis else len(arguments)
        if not isinstance(content, list) or n not in (None, len(content)):
            raise _mistake(label, place, content, "a list" if n is None else f"a list of {n}")
        if arguments[0] is float and all(type(x) is float for x in content):
            return tuple(content)
        return tuple(_value(arguments[0], x, label, f"{place}[{i}]", name) for i, x in enumerate(content))
    if is_dataclass(hint):
        return _record(cast(type, hint), content, label, place)
    if hint is float:
        return _number(content, label, place, name)
    return _plain_value(hint, content, label, place)


def _plain_value(hint: Any, content: Any, label: str, place: str) -> Any:
    """Return a verdict, a text, a flag, a count or an object."""
    wanted = {
        bool: "true or false",
        int: "an integer",
        str: "a text",
        Verdict: "CLEAR, COLLIDING or UNDECIDED",
    }
    kind = str if hint is Verdict else hint if hint in wanted else dict
    known = isinstance(content, kind) and not (kind is int and isinstance(content, bool))
    if not known or (hint is Verdict and content not in Verdict.__members__):
        raise _mistake(label, place, content, wanted.get(hint, "an object"))
    return Verdict[content] if hint is Verdict else content


def _number(content: Any, label: str, place: str, name: str) -> float:
    if content is None:
        return _UNKNOWN.get(name, math.nan)
    if isinstance(content, bool) or not isinstance(content, int | float):
        raise _mistake(label, place, content, "a number")
    try:
        return float(content)
    except OverflowError as cause:
        raise _mistake(label, place, "a number beyond 1e308", "a number") from cause


def _mistake(label: str, place: str, content: object, wanted: str) -> ReportError:
    return ReportError(
        f"{label}: {place or 'it'} must be {wanted}, but it is {shown(content)}; write it anew."
    )
