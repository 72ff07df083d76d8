"""Reports as JSON: the writer omits only the scene, and the reader's errors name the field."""

from __future__ import annotations

import functools
import json
import math
import os
import re
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, is_dataclass, replace
from json.encoder import encode_basestring, encode_basestring_ascii
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeAlias, cast

import numpy as np

from keepclear.checks import shown
from keepclear.errors import FileMissingError, ReportError
from keepclear.files.access import MAX_TEXT_SIZE, parse_json, read_regular_file, write_named_file
from keepclear.report.contradictions import check_report
from keepclear.report.records import PairRecords
from keepclear.report.report import FORMAT, Report
from keepclear.results import Verdict

__all__ = ["read_report"]

Where: TypeAlias = "str | tuple[Where, str | int]"
"""A place in a file: its label, then names and numbers, the outermost first: (("report 'a.json'", "pairs"), 3)."""
Reader = Callable[[Any, Any], Any]
"""Returns a checked value from a JSON value and its place."""

_READ = ("1", "2")  # versions of the format
_FINDINGS = (
    "format", "verdict", "title", "program", "t0", "t1", "tolerance", "interrupted", "sampling", "cross_check",
    "objects", "at_rest", "pins", "pairs", "far", "unchecked", "assumptions", "warnings", "programs",
)  # fmt: skip
_NOT_READ = ("scene", "cell_path", "format")  # a report gets the format of its reader
_MOST_EVALUATIONS = 2**63 - 1
_UNKNOWN = {"lower": -math.inf, "lower_between": -math.inf, "clearance_lower": -math.inf, "upper": math.inf}
_HALF_PAIR = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """The computing effort of a report, apart from its findings.

    Attributes:
        proofs: The proof of each pair, in the order of the pairs.
        evaluations: The number of distance queries of each pair.
        statistics: As in `Report`.
        programs: The same for each of the programs.
    """

    proofs: tuple[str, ...] = ()
    evaluations: tuple[int, ...] = ()
    statistics: Mapping[str, Any] = field(default_factory=dict)
    programs: tuple[Effort, ...] = ()


def read_report(path: str | os.PathLike[str]) -> Report:
    """Return the report in a JSON file that `Report.to_json` wrote.

    Raises:
        FileMissingError: There is no such file.
        ReportError: The file is not a report, is damaged, or was written by a newer version than this one can read.

    Examples:
        >>> from tempfile import TemporaryDirectory
        >>> report = Report(verdict=Verdict.CLEAR, t0=0.0, t1=8.0, tolerance=1e-3)
        >>> with TemporaryDirectory() as folder:
        ...     _ = report.to_json(Path(folder) / "report.json")
        ...     read_report(Path(folder) / "report.json") == report
        True
    """
    if isinstance(path, str) and path.lstrip()[:1] == "{":
        raise ReportError(
            "read_report takes the path of a file, but this is the text of a report; use kc.Report.from_json."
        )
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
        raise ReportError(f"{label} is not text; give the JSON that `report.to_json` wrote.") from cause


def parse_report(text: str, label: str = "this text") -> Report:
    """Return the report in a JSON text; `label` names it in messages."""
    try:
        content = parse_json(text, refuse_constant)
    except ValueError as cause:
        hint = "it is a web page" if text.lstrip().startswith("<") else f"it is not JSON ({cause})"
        raise ReportError(
            f"{label} is not a report: {hint}; give the JSON that `report.to_json` wrote."
        ) from cause
    return report_of(content, label)


def report_of(content: object, label: str) -> Report:
    """Return the report from the decoded values of a JSON file."""
    if not isinstance(content, dict) or not isinstance(content.get("format"), str):
        raise ReportError(
            f"{label} is not a report: it has no 'format'; give the JSON that `report.to_json` wrote."
        )
    _check_format(content["format"], label)
    report = Report(**read_values(Report, content, label))
    if "effort" in content:
        effort = Effort(**read_values(Effort, content["effort"], (label, "effort")))
        report = _with_effort(report, effort, label, "effort")
    check_report(report, label)
    return report


def report_dict(report: Report, *, effort: bool = True) -> dict[str, Any]:
    """Return a report as values that JSON can represent; numbers that are not finite become None.

    Args:
        report: The report.
        effort: Whether to add the computing effort, under "effort", and the evidence.
    """
    known = {
        "pairs": _pairs(report.records),
        "programs": [report_dict(program, effort=False) for program in report.programs],
        "format": FORMAT,
    }
    content = {name: known[name] if name in known else plain(getattr(report, name)) for name in _FINDINGS}
    if not effort:
        return content
    evidence = {} if report.evidence is None else {"evidence": plain(report.evidence)}
    return content | evidence | {"effort": _effort(report)}


def _pairs(records: PairRecords) -> list[dict[str, Any]]:
    """Return the findings about pairs, without creating an object for each."""
    columns = {name: plain(values) for name, values in records.columns().items()}
    del columns["proof"], columns["evaluations"]  # effort
    rows, nowhere = range(len(records)), (None, None)
    for k, name in enumerate(("p_WA", "p_WB")):
        columns[name] = [_known_point(plain(records.points.get(row, nowhere)[k])) for row in rows]
    columns["contacts"] = [plain(records.contacts.get(row, ())) for row in rows]
    columns["curve"] = [plain(records.curves.get(row)) for row in rows]
    columns["hint"] = [plain(records.hints.get(row)) for row in rows]
    columns["program"] = columns.pop("program")  # the order of `PairReport`
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]


def _effort(report: Report) -> dict[str, Any]:
    columns = report.records.columns()
    return {
        "statistics": plain(report.statistics),
        "proofs": columns["proof"],
        "evaluations": columns["evaluations"],
        "programs": [_effort(program) for program in report.programs],
    }


def _with_effort(report: Report, effort: Effort, label: str, place: str) -> Report:
    """Return a report with its computing effort; an empty part of the effort was omitted."""
    parts = {"proofs": report.pairs, "evaluations": report.pairs, "programs": report.programs}
    for name, things in parts.items():
        n, found = len(things), len(getattr(effort, name))
        if found not in (0, n):
            what = "programs" if name == "programs" else "pairs"
            raise ReportError(f"{label}: {place}.{name} has {found} entries for {n} {what}; write it again.")
    n = len(report.pairs)
    pairs = report.records.with_effort(effort.proofs or ("",) * n, effort.evaluations or (0,) * n)
    programs = tuple(
        _with_effort(program, own, label, f"{place}.programs[{k}]")
        for k, (program, own) in enumerate(zip(report.programs, effort.programs, strict=False))
    )
    return replace(
        report, pairs=pairs, programs=programs or report.programs, statistics=effort.statistics
    )  # fmt: skip


def json_text(content: dict[str, Any]) -> str:
    """Return readable JSON: lists of numbers are on one line, and names are not escaped.

    A name with a lone surrogate, which UTF-8 cannot encode, is escaped.
    """
    text = _written(content, escape=False)
    return _written(content, escape=True) if _HALF_PAIR.search(text) else text


def _written(content: dict[str, Any], *, escape: bool) -> str:
    """Return a JSON text; with `escape`, it contains only ASCII characters."""
    parts: list[str] = []
    quoted = encode_basestring_ascii if escape else encode_basestring
    _write(content, "\n", parts.append, quoted)
    return "".join(parts)


def _write(value: Any, line: str, put: Callable[[str], object], quoted: Callable[[str], str]) -> None:
    """Append the parts of a JSON text; `line` begins each line."""
    kind = type(value)
    if kind is str:
        put(quoted(value))
    elif kind is dict and value:
        inside, mark = f"{line} ", "{"
        for name, entry in value.items():
            put(f"{mark}{inside}{quoted(name)}: ")
            _write(entry, inside, put, quoted)
            mark = ","
        put(f"{line}}}")
    elif kind is list and any(isinstance(entry, dict | list | str) for entry in value):
        inside, mark = f"{line} ", "["
        for entry in value:
            put(f"{mark}{inside}")
            _write(entry, inside, put, quoted)
            mark = ","
        put(f"{line}]")
    elif kind is float and math.isfinite(value):
        put(float.__repr__(value))
    elif value is None:
        put("null")
    else:
        put(json.dumps(value, allow_nan=False))


def written(text: str, path: str | os.PathLike[str] | None) -> str:
    """Return a text; if a path is given, write it to that file, atomically.

    Raises:
        ReportError: The folder is missing, or cannot be written to.
    """
    if path is not None:
        write_named_file(path, text.encode(), repr(os.fspath(path)), ReportError)
    return text


def plain(value: Any) -> Any:
    """Return a value as values that JSON can represent; numbers that are not finite become None."""
    kind = type(value)
    if kind in (str, int, bool, type(None)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if is_dataclass(kind):
        found = {name: plain(entry) for name, entry in named(value).items()}
        points = {name: _known_point(found[name]) for name in ("p_W", "normal_W") if name in found}
        return found | points
    if isinstance(value, list | tuple):
        return [plain(entry) for entry in value]
    if isinstance(value, Verdict):
        return value.value
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, Mapping):
        return {str(name): plain(entry) for name, entry in value.items()}
    return value


def named(value: Any) -> Any:
    """Return the fields of a dataclass by name, as they are; numbers that are not finite become None."""
    if isinstance(value, Verdict):
        return value.value
    names, values = _names(cast(Any, type(value)))
    found = zip(names, values(value), strict=True)
    return {name: None if type(one) is float and not math.isfinite(one) else one for name, one in found}


@functools.cache
def _names(kind: Any) -> tuple[tuple[str, ...], Callable[[Any], tuple[Any, ...]]]:
    """Return the names of the fields of a dataclass, and what reads them all."""
    names = tuple(entry.name for entry in fields(kind))
    return names, attrgetter(*names) if len(names) > 1 else lambda value: (getattr(value, names[0]),)


def _known_point(value: list[float | None] | None) -> list[float | None] | None:
    """Return a point, or None if any of its coordinates is not finite."""
    return None if value is None or None in value else value


def refuse_constant(name: str) -> None:
    """Raise for NaN and Infinity, which JSON has not; an argument of `parse_json`."""
    raise ValueError(f"{name} is not a number in JSON")


def _check_format(found: str, label: str) -> None:
    family = FORMAT.partition("/")[0]
    found_family, _, found_version = found.partition("/")
    if found_family != family:
        raise ReportError(
            f"{label} has the format {found!r}, not {FORMAT!r}; it is not a report of one cell."
        )
    if found_version.split(".")[0] not in _READ:
        raise ReportError(
            f"{label} has the format {found!r}, but this version reads {FORMAT!r}; update keepclear to read it."
        )


def read_values(kind: Any, content: object, where: Where) -> dict[str, Any]:
    """Return the arguments of a dataclass from a JSON object, each checked by its declared type.

    Fields with defaults may be missing; unknown names come from later versions and are ignored.
    """
    if not isinstance(content, dict):
        raise _mistake(where, content, "an object")
    values = {}
    for name, read, is_needed in _fields(kind):
        if name in content:
            values[name] = read(content[name], (where, name))
        elif is_needed:
            label, place = _named_place((where, name))
            raise ReportError(f"{label} has no {place!r}; it is damaged, or not a report.")
    return values


@functools.cache
def _fields(kind: type) -> list[tuple[str, Reader, bool]]:
    """Return the fields that are read: name, reader, and whether there is no default."""
    hints = typing.get_type_hints(kind)
    read = [entry for entry in fields(cast(Any, kind)) if entry.init and entry.name not in _NOT_READ]
    needed = {one.name for one in read if one.default is MISSING and one.default_factory is MISSING}
    return [(one.name, _reader(hints[one.name], one.name), one.name in needed) for one in read]


@functools.cache
def _reader(hint: Any, name: str) -> Reader:
    """Return the function that reads a JSON value of a field as a declared type."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (types.UnionType, typing.Union):
        (inner,) = (_reader(kind, name) for kind in arguments if kind is not types.NoneType)
        return lambda content, where: None if content is None else inner(content, where)
    if origin in (tuple, Sequence):
        n = None if arguments[-1] is Ellipsis or origin is Sequence else len(arguments)
        return functools.partial(_read_list, _reader(arguments[0], name), n)
    if is_dataclass(hint):
        return lambda content, where: cast(Any, hint)(**read_values(hint, content, where))
    if hint is float:
        return functools.partial(_read_number, _UNKNOWN.get(name, math.nan))
    return _READERS.get(hint, functools.partial(_read_plain, dict, "an object"))


def _read_list(read: Reader, n: int | None, content: Any, where: Where) -> tuple[Any, ...]:
    if not isinstance(content, list) or n not in (None, len(content)):
        raise _mistake(where, content, "a list" if n is None else f"a list of {n}")
    return tuple(read(x, (where, i)) for i, x in enumerate(content))


def _read_plain(kind: type, wanted: str, content: Any, where: Where) -> Any:
    """Return a text, a flag or an object."""
    if not isinstance(content, kind):
        raise _mistake(where, content, wanted)
    return content


def _read_count(content: Any, where: Where) -> int:
    if isinstance(content, bool) or not isinstance(content, int):
        raise _mistake(where, content, "an integer")
    if not 0 <= content <= _MOST_EVALUATIONS:
        raise _mistake(where, content, "a count from 0 to 2**63 - 1")
    return content


def _read_verdict(content: Any, where: Where) -> Verdict:
    if not isinstance(content, str) or content not in Verdict.__members__:
        raise _mistake(where, content, "CLEAR, COLLIDING or UNDECIDED")
    return Verdict[content]


def _read_number(unknown: float, content: Any, where: Where) -> float:
    if type(content) is float:
        return content
    if content is None:
        return unknown
    if isinstance(content, bool) or not isinstance(content, int | float):
        raise _mistake(where, content, "a number")
    try:
        return float(content)
    except OverflowError as cause:
        raise _mistake(where, "a number beyond 1e308", "a number") from cause


_READERS: dict[Any, Reader] = {
    bool: functools.partial(_read_plain, bool, "true or false"),
    str: functools.partial(_read_plain, str, "a text"),
    int: _read_count,
    Verdict: _read_verdict,
}


def _named_place(where: Where) -> tuple[str, str]:
    """Return the label of a file and the place in it, such as pairs[3].time."""
    place = ""
    while isinstance(where, tuple):
        where, name = where
        place = (f"[{name}]" if isinstance(name, int) else f".{name}") + place
    return where, place.removeprefix(".")


def _mistake(where: Where, content: object, wanted: str) -> ReportError:
    label, place = _named_place(where)
    return ReportError(
        f"{label}: {place or 'it'} must be {wanted}, but it is {shown(content)}; write it again."
    )
