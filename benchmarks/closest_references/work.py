"""The work EF of equation (13): operations of the kernels, counted by running them as plain Python on counting numbers.

    NUMBA_DISABLE_JIT=1 python -m benchmarks.closest_references.work CASES.npz     prints one EF a line

A case is what `save_case` writes. Multiplications, additions (and subtractions), divisions and comparisons of the
iteration are counted, those of poses are not, since the source gives its vertices in one frame; a square root, which
the source does not name, counts as a division.
"""

from __future__ import annotations

import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

# Times of one operation on the source's computer, a Harris 800 [us].
TIMES = {"multiply": 3.8, "add": 2.1, "divide": 6.7, "compare": 1.7}
counts = dict.fromkeys(TIMES, 0)


def _operation(kind: str, operate: Callable[[float, float], Any]) -> Callable[[Any, Any], Any]:
    def counted(self: Counted, other: Any) -> Any:
        counts[kind] += 1
        found = operate(self.value, other.value if type(other) is Counted else float(other))
        return found if kind == "compare" else Counted(found)

    return counted


class Counted:
    """A number whose operations are counted."""

    __slots__ = ("value",)
    __array_ufunc__ = None  # numpy's numbers leave operations to this class
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, value: float) -> None:
        self.value = float(value)

    def __float__(self) -> float:
        return self.value

    def __int__(self) -> int:
        return int(self.value)

    def __neg__(self) -> Counted:
        return Counted(-self.value)

    def __abs__(self) -> Counted:
        return Counted(abs(self.value))

    __mul__ = __rmul__ = _operation("multiply", lambda a, b: a * b)
    __add__ = __radd__ = _operation("add", lambda a, b: a + b)
    __sub__ = _operation("add", lambda a, b: a - b)
    __rsub__ = _operation("add", lambda a, b: b - a)
    __truediv__ = _operation("divide", lambda a, b: a / b)
    __rtruediv__ = _operation("divide", lambda a, b: b / a)
    __lt__ = _operation("compare", lambda a, b: a < b)
    __le__ = _operation("compare", lambda a, b: a <= b)
    __gt__ = _operation("compare", lambda a, b: a > b)
    __ge__ = _operation("compare", lambda a, b: a >= b)
    __eq__ = _operation("compare", lambda a, b: a == b)
    __ne__ = _operation("compare", lambda a, b: a != b)


def _root(x: Any) -> Any:
    counts["divide"] += 1
    return Counted(math.sqrt(x))


def _counting(values: np.ndarray) -> np.ndarray:
    found = np.empty(values.shape, object)
    found.reshape(-1)[:] = [Counted(v) for v in values.reshape(-1).tolist()]
    return found


def save_case(folder: Path, name: str, arrays: Mapping[str, np.ndarray]) -> Path:
    """Write a case: arrays of A and of B (a0, a1, ... and b0, b1, ...), poses X and the flags tracked and scans."""
    path = folder / f"{name}.npz"
    np.savez(path, **arrays)
    return path


def work_of(cases: Mapping[str, Mapping[str, np.ndarray]]) -> dict[str, float]:
    """Return the mean EF of a query of each case, from another process, whose kernels are plain Python."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [save_case(Path(folder), str(k), case) for k, case in enumerate(cases.values())]
        command = [sys.executable, "-m", "benchmarks.closest_references.work", *map(str, paths)]
        environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
        found = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    return dict(zip(cases, map(float, found.split()), strict=True))


def _run(path: str) -> float:
    from benchmarks.closest_references import graph
    from keepclear.kernels.convex import gjk, simplex, support

    root = SimpleNamespace(sqrt=_root, inf=math.inf)
    for module in (gjk, simplex, graph, support):
        module.math = root  # type: ignore[attr-defined]
    case = np.load(path)
    X, tracked = case["X"], bool(case["tracked"])
    memory, per_query = _counting(np.zeros(gjk.MEMORY)), len(X)
    memory[:4] = [Counted(v) for v in (0.0, -1.0, -1.0, 0.0)]
    counts.update(dict.fromkeys(TIMES, 0))
    if "a2" in case:
        state = np.zeros(graph.STATE, np.int64)
        state[graph.ALWAYS_SCANS] = case["scans"]
        a, b = ((_counting(case[f"{x}0"]), case[f"{x}1"], case[f"{x}2"].copy()) for x in "ab")
        graph.distance_on_graphs(*a, *b, X, np.zeros((len(X), graph.ROW)), state, memory, tracked)
    else:
        a, b = ((_counting(case[f"{x}0"]), case[f"{x}1"]) for x in "ab")
        rows = np.zeros(len(X) * gjk.ROW)
        gjk.distance_many(*a, *b, np.eye(4)[None], X, rows, memory, tracked)
    spent = sum(TIMES[kind] * n for kind, n in counts.items())
    return spent / (TIMES["multiply"] + TIMES["add"]) / per_query


if __name__ == "__main__":
    for each in sys.argv[1:]:
        print(_run(each))
