"""Reports as bytes for the store: columns in binary form, everything else as JSON."""

from __future__ import annotations

import functools
import json
import math
import zlib
from collections.abc import Iterable
from dataclasses import asdict, fields
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.errors import StoreError, UnitMistake
from keepclear.report.records import VERDICT, PairRecords, Points
from keepclear.report.report import Assumption, Contact, FarPairs, Report, Unchecked
from keepclear.results import Verdict

__all__ = ["decode_report", "encode_report"]

MOST, MOST_JSON = 1 << 30, 1 << 27  # greatest size of a report in bytes, and of a section of JSON in it
_UNKNOWN = (math.nan,) * 3
_CONTACT = [field.name for field in fields(Contact)]
_UNCHECKED = [field.name for field in fields(Unchecked)]
_contact_values, _unchecked_values = attrgetter(*_CONTACT), attrgetter(*_UNCHECKED)
_JSON = json.JSONEncoder(separators=(",", ":"), check_circular=False)
PLAIN, PACKED = b"r", b"z"  # how the bytes of a report begin


def encode_report(report: Report, *, compress: bool = True) -> bytes:
    """Return a report of one program, without a scene, steps or curves, as bytes.

    Args:
        report: The report.
        compress: False for bytes that are sent and not kept, which saves a third of the time.
    """
    records = report.records
    if report.programs or report.sampling is not None or report.cross_check is not None or records.curves:
        raise ValueError("only reports of one program, without steps, curves and cross-checks, are stored")
    about = {
        "verdict": report.verdict.value, "t0": report.t0, "t1": report.t1, "tolerance": report.tolerance,
        "title": report.title, "program": report.program, "interrupted": report.interrupted,
        "statistics": dict(report.statistics), "far": None if report.far is None else asdict(report.far),
        "assumptions": [(one.kind, one.subject, one.text) for one in report.assumptions],
        "warnings": [(str(text), isinstance(text, UnitMistake)) for text in report.warnings],
        "programs": records.programs, "n": len(records),
        "contacts": [(row, list(map(_contact_values, found))) for row, found in records.contacts.items()],
        "points": len(records.points),
    }  # fmt: skip
    shared = {
        "objects": report.objects, "at_rest": report.at_rest, "names": records.names, "proofs": records.proofs,
        "unchecked": list(map(_unchecked_values, report.unchecked)),
    }  # fmt: skip
    parts: list[bytes] = []
    for text in (_JSON.encode(about).encode(), _JSON.encode(shared).encode()):
        parts += [len(text).to_bytes(8, "little"), text]
    parts += [records.rows[name].tobytes() for name in VERDICT.names or ()]
    parts += [np.fromiter(records.points, "<i4").tobytes(), _packed_points(records.points.values())]
    if not compress:
        return b"".join([PLAIN, *parts])
    return PACKED + zlib.compress(b"".join(parts), 1)


def _packed_points(points: Iterable[Points]) -> bytes:
    """Return pairs of closest points as six numbers each; unknown points are NaN."""
    rows = [(*(_UNKNOWN if p is None else p), *(_UNKNOWN if q is None else q)) for p, q in points]
    return np.array(rows, "<f8").tobytes()


def decode_report(content: bytes) -> Report:
    """Return the report that `encode_report` encoded as bytes.

    Raises:
        StoreError: The bytes are not a valid report.
    """
    try:
        return _decoded(content)
    except (
        ValueError,
        TypeError,
        KeyError,
        IndexError,
        OverflowError,
        zlib.error,
        RecursionError,
        MemoryError,
    ) as cause:
        raise StoreError(f"the store has an invalid report ({cause}); remove it and run again.") from cause


def _decoded(content: bytes) -> Report:
    text = _unpacked(content)
    head, at = _section(text, 0)
    about = json.loads(head)
    head, at = _section(text, at)
    shared = _shared_of(head)
    n = _count(about["n"])
    pairs = np.zeros(min(n, len(text)), VERDICT)
    for name in VERDICT.names or ():
        end = at + n * VERDICT[name].itemsize
        pairs[name] = np.frombuffer(text[at:end], VERDICT[name])
        at = end
    m = _count(about["points"])
    rows, at = np.frombuffer(text[at : at + 4 * m], "<i4"), at + 4 * m
    points, at = np.frombuffer(text[at : at + 48 * m], "<f8").reshape(-1, 2, 3), at + 48 * m
    if at != len(text):
        raise ValueError("its columns differ in length")
    records = PairRecords(
        names=shared.names, proofs=shared.proofs, programs=_texts(about["programs"]),
        contacts={_row(row, n): tuple(_contact(one) for one in found) for row, found in about["contacts"]},
        points=_unpacked_points(rows, points, n),
        rows=pairs,
    )  # fmt: skip
    verdict = Verdict[about["verdict"]]
    worst = records.worst
    if worst is not None and worst is not verdict:
        raise ValueError("its verdict contradicts its pairs")
    return Report(
        verdict=verdict, pairs=records, title=_text(about["title"]), program=_text(about["program"]),
        t0=_number(about["t0"]), t1=_number(about["t1"]), tolerance=_number(about["tolerance"]),
        far=None if about["far"] is None else _far(**about["far"]), objects=shared.objects,
        at_rest=shared.at_rest, interrupted=about["interrupted"] is True, unchecked=shared.unchecked,
        assumptions=tuple(
            Assumption(kind=_text(k), subject=_text(s), text=_text(t)) for k, s, t in about["assumptions"]
        ),
        warnings=tuple(UnitMistake(_text(text)) if is_unit else _text(text) for text, is_unit in about["warnings"]),
        statistics={name: _finite(value) for name, value in dict(about["statistics"]).items()},
    )  # fmt: skip


def _unpacked(content: bytes) -> bytes:
    """Return the bytes of a report as they were before they were compressed."""
    if content.startswith(PLAIN):
        return content[len(PLAIN) :]
    if not content.startswith(PACKED):
        raise ValueError("its first bytes are not those of a report")
    tool = zlib.decompressobj()
    text = tool.decompress(content[len(PACKED) :], MOST)
    if tool.unconsumed_tail or not tool.eof:
        raise ValueError("its compressed bytes are incomplete or too many")
    return text


def _section(text: bytes, at: int) -> tuple[bytes, int]:
    """Return a section of JSON and the position of its end; objects take many times the memory of their JSON."""
    size = int.from_bytes(text[at : at + 8], "little")
    if size > MOST_JSON:
        raise ValueError("a section is too large")
    return text[at + 8 : at + 8 + size], at + 8 + size


class _Shared(NamedTuple):
    """The part of a report that programs of one cell have in common, as a rule."""

    objects: tuple[str, ...]
    at_rest: tuple[tuple[str, ...], ...]
    names: tuple[str, ...]
    proofs: tuple[str, ...]
    unchecked: tuple[Unchecked, ...]


@functools.lru_cache(maxsize=64)
def _shared_of(text: bytes) -> _Shared:
    """Return what programs have in common, of the same bytes once."""
    about = json.loads(text)
    at_rest = tuple(_texts(group) for group in about["at_rest"])
    unchecked = tuple(_unchecked(*one) for one in about["unchecked"])
    names, proofs = _texts(about["names"]), _texts(about["proofs"])
    return _Shared(_texts(about["objects"]), at_rest, names, proofs, unchecked)


def _unpacked_points(rows: npt.NDArray[np.int32], points: FloatArray, n: int) -> dict[int, Points]:
    """Return pairs of closest points by their rows; valid rows are below n."""
    unknown = np.isnan(points)
    if ((rows < 0) | (rows >= n)).any() or (unknown.any(axis=2) != unknown.all(axis=2)).any():
        raise ValueError("a row or a point is invalid")
    known = (~unknown[:, :, 0]).tolist()
    found: dict[int, Points] = {}
    for row, (p, q), (has_p, has_q) in zip(rows.tolist(), points.tolist(), known, strict=True):
        found[row] = tuple(p) if has_p else None, tuple(q) if has_q else None
    return found


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("a text is invalid")
    return value


def _texts(values: Any) -> tuple[str, ...]:
    return tuple(_text(value) for value in values)


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
        raise ValueError("a number is invalid")
    return float(value)


def _finite(value: Any) -> Any:
    """Return a finite number as it is, whole or not."""
    if math.isinf(_number(value)):
        raise ValueError("a number is infinite")
    return value


def _optional(value: Any) -> Any:
    """Return a number as it is, or None."""
    if value is not None:
        _number(value)
    return value


def _unchecked(a: Any, b: Any, reason: Any, detail: Any, touching: Any, t_from: Any, t_to: Any) -> Unchecked:
    if touching not in (None, True, False):
        raise ValueError("whether a pair touches is neither true nor false")
    return Unchecked(
        a=_text(a), b=_text(b), reason=_text(reason), detail=_text(detail),
        touching=None if touching is None else touching is True, t_from=_optional(t_from), t_to=_optional(t_to),
    )  # fmt: skip


def _far(count: Any, bound: Any, rule: Any) -> FarPairs:
    return FarPairs(_count(count), _finite(bound), _text(rule))


def _count(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ValueError("a count is invalid")
    return value


def _row(value: Any, n: int) -> int:
    if type(value) is not int or not 0 <= value < n:
        raise ValueError("a row is invalid")
    return value


def _point(values: Any) -> tuple[float, float, float] | None:
    if values is None:
        return None
    x, y, z = (_number(value) for value in values)
    return x, y, z


def _contact(values: Any) -> Contact:
    known: dict[str, Any] = dict(zip(_CONTACT, values, strict=True))
    points = {name: _point(known[name]) for name in ("p_W", "normal_W")}
    times = {name: _number(known[name]) for name in ("time", "t_lo", "t_hi")}
    times |= {
        name: _optional(known[name]) for name in ("t_end", "permission_end", "t_last", "distance_upper")
    }
    return Contact(**known | points | times)
