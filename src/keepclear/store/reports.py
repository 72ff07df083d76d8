"""Reports as bytes of a store: columns as they are, everything else as JSON."""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Iterable
from dataclasses import asdict, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.errors import StoreError, UnitMistake
from keepclear.report.records import PairRecords, Points
from keepclear.report.report import Assumption, Contact, FarPairs, Report, Unchecked
from keepclear.results import Verdict

__all__ = ["decode_report", "encode_report"]

MOST = 1 << 30  # bytes of a report
_COLUMNS = {
    "a": "<i4", "b": "<i4", "verdict": "|i1", "proof": "<i4", "program": "<i4", "evaluations": "<i8", "time": "<f8",
    "t_lo": "<f8", "t_hi": "<f8", "margin": "<f8", "clearance_lower": "<f8", "clearance_upper": "<f8",
    "clearance_time": "<f8",
}  # fmt: skip
_UNKNOWN = (math.nan,) * 3
_CONTACT = [field.name for field in fields(Contact)]


def encode_report(report: Report) -> bytes:
    """Return a report of one program, without a scene, steps or curves, as bytes."""
    records = report.records
    if report.programs or report.sampling is not None or report.cross_check is not None or records.curves:
        raise ValueError("only reports of one program, without steps, curves and cross-checks, are stored")
    about = {
        "verdict": report.verdict.value, "t0": report.t0, "t1": report.t1, "tolerance": report.tolerance,
        "title": report.title, "program": report.program, "interrupted": report.interrupted,
        "objects": report.objects, "at_rest": report.at_rest, "statistics": dict(report.statistics),
        "far": None if report.far is None else asdict(report.far),
        "unchecked": [[getattr(one, name) for name in _UNCHECKED] for one in report.unchecked],
        "assumptions": [(one.kind, one.subject, one.text) for one in report.assumptions],
        "warnings": [(str(text), isinstance(text, UnitMistake)) for text in report.warnings],
        "names": records.names, "proofs": records.proofs, "programs": records.programs, "n": len(records),
        "contacts": [
            (row, [[getattr(one, name) for name in _CONTACT] for one in found])
            for row, found in records.contacts.items()
        ],
        "points": len(records.points),
    }  # fmt: skip
    head = json.dumps(about, separators=(",", ":")).encode()
    columns = [np.asarray(getattr(records, n), dtype=k).tobytes() for n, k in _COLUMNS.items()]
    columns += [np.fromiter(records.points, "<i4").tobytes(), _packed_points(records.points.values())]
    return zlib.compress(b"".join([len(head).to_bytes(8, "little"), head, *columns]), 1)


def _packed_points(points: Iterable[Points]) -> bytes:
    """Return pairs of closest points as six numbers each; what is not known is NaN."""
    rows = [(*(_UNKNOWN if p is None else p), *(_UNKNOWN if q is None else q)) for p, q in points]
    return np.array(rows, "<f8").tobytes()


def decode_report(content: bytes) -> Report:
    """Return the report of bytes that `encode_report` made.

    Raises:
        StoreError: They are no report.
    """
    try:
        return _decoded(content)
    except (ValueError, TypeError, KeyError, IndexError, OverflowError, zlib.error, RecursionError) as cause:
        raise StoreError(
            f"the store has a report that cannot be ({cause}); remove it, and run again."
        ) from cause


def _decoded(content: bytes) -> Report:
    tool = zlib.decompressobj()
    text = tool.decompress(content, MOST)
    size = int.from_bytes(text[:8], "little")
    about = json.loads(text[8 : 8 + size])
    n, at = _count(about["n"]), 8 + size
    columns: dict[str, Any] = {}
    for name, kind in _COLUMNS.items():
        end = at + n * np.dtype(kind).itemsize
        columns[name] = np.frombuffer(text[at:end], dtype=kind)
        at = end
    m = _count(about["points"])
    rows, at = np.frombuffer(text[at : at + 4 * m], "<i4"), at + 4 * m
    points, at = np.frombuffer(text[at : at + 48 * m], "<f8").reshape(-1, 2, 3), at + 48 * m
    if at != len(text) or tool.unconsumed_tail:
        raise ValueError("its columns have another length")
    records = PairRecords(
        names=_texts(about["names"]), proofs=_texts(about["proofs"]), programs=_texts(about["programs"]),
        contacts={_row(row, n): tuple(_contact(one) for one in found) for row, found in about["contacts"]},
        points=_unpacked_points(rows, points, n),
        **columns,
    )  # fmt: skip
    verdict = Verdict[about["verdict"]]
    worst = records.worst
    if worst is not None and worst is not verdict:
        raise ValueError("its verdict is not that of its pairs")
    return Report(
        verdict=verdict, pairs=records, title=_text(about["title"]), program=_text(about["program"]),
        t0=_number(about["t0"]), t1=_number(about["t1"]), tolerance=_number(about["tolerance"]),
        far=None if about["far"] is None else _far(**about["far"]), objects=_texts(about["objects"]),
        at_rest=tuple(_texts(group) for group in about["at_rest"]), interrupted=about["interrupted"] is True,
        unchecked=tuple(_unchecked(*one) for one in about["unchecked"]),
        assumptions=tuple(
            Assumption(kind=_text(k), subject=_text(s), text=_text(t)) for k, s, t in about["assumptions"]
        ),
        warnings=tuple(UnitMistake(_text(text)) if is_unit else _text(text) for text, is_unit in about["warnings"]),
        statistics={name: _finite(value) for name, value in dict(about["statistics"]).items()},
    )  # fmt: skip


_UNCHECKED = [field.name for field in fields(Unchecked)]


def _unpacked_points(rows: npt.NDArray[np.int32], points: FloatArray, n: int) -> dict[int, Points]:
    """Return pairs of closest points by their rows, of which there are n."""
    unknown = np.isnan(points)
    if ((rows < 0) | (rows >= n)).any() or (unknown.any(axis=2) != unknown.all(axis=2)).any():
        raise ValueError("a row or a point is none")
    known = (~unknown[:, :, 0]).tolist()
    found: dict[int, Points] = {}
    for row, (p, q), (has_p, has_q) in zip(rows.tolist(), points.tolist(), known, strict=True):
        found[row] = tuple(p) if has_p else None, tuple(q) if has_q else None
    return found


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("a text is none")
    return value


def _texts(values: Any) -> tuple[str, ...]:
    return tuple(_text(value) for value in values)


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
        raise ValueError("a number is none")
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
        raise ValueError("a count is none")
    return value


def _row(value: Any, n: int) -> int:
    if type(value) is not int or not 0 <= value < n:
        raise ValueError("a row is none")
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
