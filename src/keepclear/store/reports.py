"""Reports as bytes of a store: columns as they are, everything else as JSON."""

from __future__ import annotations

import json
import math
import zlib
from dataclasses import asdict, fields
from typing import Any

import numpy as np

from keepclear.errors import StoreError, UnitMistake
from keepclear.report.records import PairRecords
from keepclear.report.report import Assumption, Contact, FarPairs, Report, Unchecked
from keepclear.results import Verdict

__all__ = ["decode_report", "encode_report"]

MOST = 1 << 30  # bytes of a report
_COLUMNS = {
    "a": "<i4", "b": "<i4", "verdict": "|i1", "proof": "<i4", "program": "<i4", "evaluations": "<i8", "time": "<f8",
    "t_lo": "<f8", "t_hi": "<f8", "margin": "<f8", "clearance_lower": "<f8", "clearance_upper": "<f8",
    "clearance_time": "<f8",
}  # fmt: skip
_TEXTS = ("title", "program")
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
        "points": [(row, found) for row, found in records.points.items()],
    }  # fmt: skip
    head = json.dumps(about, separators=(",", ":")).encode()
    columns = b"".join(
        np.ascontiguousarray(getattr(records, n), dtype=k).tobytes() for n, k in _COLUMNS.items()
    )
    return zlib.compress(len(head).to_bytes(8, "little") + head + columns, 1)


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
    if at != len(text) or tool.unconsumed_tail:
        raise ValueError("its columns have another length")
    records = PairRecords(
        names=_texts(about["names"]), proofs=_texts(about["proofs"]), programs=_texts(about["programs"]),
        contacts={_row(row, n): tuple(_contact(one) for one in found) for row, found in about["contacts"]},
        points={_row(row, n): (_point(p), _point(q)) for row, (p, q) in about["points"]},
        **columns,
    )  # fmt: skip
    verdict = Verdict[about["verdict"]]
    worst = records.worst
    if worst is not None and worst is not verdict:
        raise ValueError("its verdict is not that of its pairs")
    return Report(
        verdict=verdict, pairs=records, title=_text(about["title"]), program=_text(about["program"]),
        t0=_number(about["t0"]), t1=_number(about["t1"]), tolerance=_number(about["tolerance"]),
        far=None if about["far"] is None else FarPairs(**about["far"]), objects=_texts(about["objects"]),
        at_rest=tuple(_texts(group) for group in about["at_rest"]), interrupted=about["interrupted"] is True,
        unchecked=tuple(Unchecked(**dict(zip(_UNCHECKED, one, strict=True))) for one in about["unchecked"]),
        assumptions=tuple(Assumption(kind=k, subject=s, text=t) for k, s, t in about["assumptions"]),
        warnings=tuple(UnitMistake(text) if is_unit else _text(text) for text, is_unit in about["warnings"]),
        statistics=dict(about["statistics"]),
    )  # fmt: skip


_UNCHECKED = [field.name for field in fields(Unchecked)]


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
    return Contact(**known | points | times)
