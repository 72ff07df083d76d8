"""Events of a crowd as records, and the counts of what happened."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.kernels.crowd import layout as at

KINDS = np.array(["contact", "begin", "end", "wall", "possible"], dtype="U8")
"""Kinds of events, by the number that kernels give them."""

COUNTED = {
    "entering": at.ENTERING,
    "leaving": at.LEAVING,
    "resetting": at.RESETTING,
    "colliding": at.COLLIDING,
    "wall": at.WALLS,
    "contacts": at.CONTACT_COUNT,
    "wall contacts": at.WALL_COUNT,
    "resting": at.RESTING,
    "jumps": at.JUMPS,
    "probes": at.PROBES,
    "box tests": at.TESTS,
    "roots": at.ROOTS,
    "steps": at.STEPS,
}


def event_records(rows: FloatArray, dimensions: int) -> np.recarray[Any, Any]:
    """Return events as records with the fields time, i, j, kind and position, in order of time, kind, i and j."""
    fields: list[Any] = [
        ("time", "f8"),
        ("i", "i8"),
        ("j", "i8"),
        ("kind", "U8"),
        ("position", "f8", (dimensions,)),
    ]
    order = np.lexsort((rows[:, at.E_J], rows[:, at.E_I], rows[:, at.E_KIND], rows[:, at.E_TIME]))
    rows = rows[order]
    records = np.zeros(len(rows), dtype=fields)
    records["time"], records["i"], records["j"] = rows[:, at.E_TIME], rows[:, at.E_I], rows[:, at.E_J]
    records["kind"] = KINDS[rows[:, at.E_KIND].astype(np.int64)]
    records["position"] = rows[:, at.E_POSITION : at.E_POSITION + dimensions]
    return records.view(np.recarray)


def counts(C: npt.NDArray[np.int64]) -> dict[str, int]:
    """Return how often things happened, by name."""
    return {name: int(C[column]) for name, column in COUNTED.items()}
