"""Reports as bytes for the store: rows of VERDICT column by column, everything else as the JSON of reports."""

from __future__ import annotations

import functools
import json
import math
import zlib
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.errors import StoreError, UnitMistake
from keepclear.report.json_file import named, read_values, refuse_constant
from keepclear.report.parts import Contact, Unchecked
from keepclear.report.records import VERDICT, PairRecords, Points
from keepclear.report.report import Report

MOST, MOST_JSON = 1 << 30, 1 << 27  # greatest size of a report in bytes, and of a section of JSON in it
PLAIN, PACKED = b"r", b"z"  # how the bytes of a report begin
_FINDINGS = (
    "verdict", "t0", "t1", "tolerance", "title", "program", "interrupted", "statistics", "far", "assumptions",
    "warnings",
)  # fmt: skip
_UNKNOWN = (math.nan,) * 3
_JSON = json.JSONEncoder(separators=(",", ":"), check_circular=False, allow_nan=False, default=named)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Own:
    """What bytes have beside the findings of a report and its rows.

    Attributes:
        n: The number of rows.
        n_points: The number of rows with closest points.
        program_names: `programs` of `PairRecords`.
        hit: The rows that have contacts.
        contacts: The contacts of these rows.
        unit_mistakes: Which warnings are about units.
    """

    n: int
    n_points: int
    program_names: tuple[str, ...]
    hit: tuple[int, ...]
    contacts: tuple[tuple[Contact, ...], ...]
    unit_mistakes: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shared:
    """The part of a report that programs of one cell have in common, as a rule."""

    objects: tuple[str, ...]
    at_rest: tuple[tuple[str, ...], ...]
    unchecked: tuple[Unchecked, ...]
    names: tuple[str, ...]
    proofs: tuple[str, ...]


def encode_report(report: Report, *, compress: bool = True) -> bytes:
    """Return a report of one program, without a scene, steps or curves, as bytes.

    Args:
        report: The report.
        compress: False for bytes that are sent and not kept, which saves a third of the time.
    """
    records = report.records
    if report.programs or report.sampling is not None or report.cross_check is not None or records.curves:
        raise ValueError("only reports of one program, without steps, curves and cross-checks, are stored")
    own = _Own(
        n=len(records), n_points=len(records.points), program_names=records.programs, hit=tuple(records.contacts),
        contacts=tuple(records.contacts.values()),
        unit_mistakes=tuple(k for k, text in enumerate(report.warnings) if isinstance(text, UnitMistake)),
    )  # fmt: skip
    shared = _Shared(
        objects=report.objects, at_rest=report.at_rest, unchecked=report.unchecked, names=records.names,
        proofs=records.proofs,
    )  # fmt: skip
    about = {name: getattr(report, name) for name in _FINDINGS} | named(own)
    parts: list[bytes] = []
    for text in (_JSON.encode(about).encode(), _shared_text(shared)):
        parts += [len(text).to_bytes(8, "little"), text]
    parts += [records.rows[name].tobytes() for name in VERDICT.names or ()]
    points = [[_UNKNOWN if p is None else p for p in both] for both in records.points.values()]
    parts += [np.fromiter(records.points, "<i4").tobytes(), np.array(points, "<f8").tobytes()]
    if not compress:
        return b"".join([PLAIN, *parts])
    return PACKED + zlib.compress(b"".join(parts), 1)


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
        LookupError,
        OverflowError,
        zlib.error,
        RecursionError,
        MemoryError,
    ) as cause:
        raise StoreError(f"the store has an invalid report ({cause}); remove it and run again.") from cause


def _decoded(content: bytes) -> Report:
    text = _unpacked(content)
    head, at = _section(text, 0)
    about = json.loads(head, parse_constant=refuse_constant)
    own, findings = _Own(**read_values(_Own, about, "it")), read_values(Report, about, "it")
    head, at = _section(text, at)
    shared = _shared_of(head)
    n, m = own.n, own.n_points
    if at + n * VERDICT.itemsize + 52 * m != len(text):
        raise ValueError("its columns differ in length")
    pairs = np.zeros(n, VERDICT)
    for name in VERDICT.names or ():
        end = at + n * VERDICT[name].itemsize
        pairs[name], at = np.frombuffer(text[at:end], VERDICT[name]), end
    rows, at = np.frombuffer(text[at : at + 4 * m], "<i4"), at + 4 * m
    points = np.frombuffer(text[at:], "<f8").reshape(-1, 2, 3)
    if not all(row < n for row in own.hit) or not all(
        one.t_lo <= one.time <= one.t_hi for found in own.contacts for one in found
    ):
        raise ValueError("a row or a contact is invalid")
    records = PairRecords(
        names=shared.names, rows=pairs, proofs=shared.proofs, programs=own.program_names,
        contacts=dict(zip(own.hit, own.contacts, strict=True)), points=_unpacked_points(rows, points, n),
    )  # fmt: skip
    bound = 0.0 if findings["far"] is None else findings["far"].bound
    is_known = all(
        math.isfinite(value) for value in (findings["t0"], findings["t1"], findings["tolerance"], bound)
    )
    worst = records.worst
    if not is_known or worst not in (None, findings["verdict"]):
        raise ValueError("its verdict contradicts its pairs, or a number is unknown")
    if not all(type(value) in (int, float) for value in findings["statistics"].values()):
        raise ValueError("a count is invalid")
    warnings = list(findings["warnings"])
    for k in own.unit_mistakes:
        warnings[k] = UnitMistake(warnings[k])
    findings |= {"warnings": tuple(warnings), "pairs": records}
    return Report(**findings, objects=shared.objects, at_rest=shared.at_rest, unchecked=shared.unchecked)


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


@functools.lru_cache(maxsize=64)
def _shared_text(shared: _Shared) -> bytes:
    """Return what programs have in common as JSON, the same content once."""
    return _JSON.encode(shared).encode()


@functools.lru_cache(maxsize=64)
def _shared_of(text: bytes) -> _Shared:
    """Return what programs have in common, of the same bytes once."""
    return _Shared(**read_values(_Shared, json.loads(text, parse_constant=refuse_constant), "it"))


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
