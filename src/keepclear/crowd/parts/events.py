"""Events of a crowd as records, and counts by kind."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.kernels.crowd import layout as at

KINDS = np.array(["contact", "begin", "end", "wall", "possible"], dtype="U8")
"""Kinds of events, by the number that kernels give them."""

COUNTED = {
    "cells entered": at.ENTERING,
    "cells left": at.LEAVING,
    "bounds updated": at.RESETTING,
    "bounds touched": at.COLLIDING,
    "walls touched": at.WALLS,
    "contacts": at.CONTACT_COUNT,
    "wall contacts": at.WALL_COUNT,
    "resting": at.RESTING,
    "jumps": at.JUMPS,
    "probes": at.PROBES,
    "box tests": at.TESTS,
    "roots": at.ROOTS,
    "steps": at.STEPS,
}

RENAMED = {
    "entering": "cells entered",
    "leaving": "cells left",
    "resetting": "bounds updated",
    "colliding": "bounds touched",
    "wall": "walls touched",
}
"""Earlier names of counts, by their present names."""


class Statistics(dict[str, int]):
    """Counts by name; a name of before is answered with a `DeprecationWarning`, for one version."""

    def __missing__(self, name: str) -> int:
        if name not in RENAMED:
            raise KeyError(name)
        warnings.warn(
            f"the statistic {name!r} of a crowd is called {RENAMED[name]!r} now",
            DeprecationWarning,
            stacklevel=2,
        )
        return self[RENAMED[name]]

    def get(self, name: str, default: Any = None) -> Any:
        """Return a count, or the default for what is not counted."""
        return self[name] if name in self or name in RENAMED else default


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


def counts(C: npt.NDArray[np.int64]) -> Statistics:
    """Return the counts by name."""
    return Statistics({name: int(C[column]) for name, column in COUNTED.items()})
