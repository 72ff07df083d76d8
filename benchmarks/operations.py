"""Counts operations on real numbers: kernels run as plain Python on numbers that count.

`counted` starts a process in which kernels are not compiled, and calls a function there for each case, a dictionary of
arrays. The function turns those arrays whose operations matter into arrays of `Counted` by `counting`: an operation is
counted if one of its operands is such a number. A square root counts as a division.
"""

from __future__ import annotations

import importlib
import json
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

Case = dict[str, np.ndarray]
counts = dict.fromkeys(("multiply", "add", "divide", "compare"), 0)
"""Operations so far, by kind; subtractions are additions."""


def _operation(kind: str, operate: Callable[[float, float], Any]) -> Callable[[Any, Any], Any]:
    def count(self: Counted, other: Any) -> Any:
        counts[kind] += 1
        found = operate(self.value, other.value if type(other) is Counted else float(other))
        return found if kind == "compare" else Counted(found)

    return count


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


def counting(values: np.ndarray) -> np.ndarray:
    """Return an array of the same numbers, which count."""
    found = np.empty(values.shape, object)
    found.reshape(-1)[:] = [Counted(v) for v in values.reshape(-1).tolist()]
    return found


def _root(x: Any) -> Any:
    if type(x) is not Counted:
        return math.sqrt(x)
    counts["divide"] += 1
    return Counted(math.sqrt(x.value))


class _Numpy:
    """numpy, but numbers that count stay what they are where kernels convert them to double precision."""

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)

    @staticmethod
    def float64(x: Any) -> Any:
        return x if type(x) is Counted else np.float64(x)


def count_in(*modules: ModuleType) -> None:
    """Let square roots and conversions in some modules return counting numbers."""
    for module in modules:
        for name, instead in (("math", SimpleNamespace(sqrt=_root, inf=math.inf)), ("np", _Numpy())):
            if hasattr(module, name):
                setattr(module, name, instead)


def counted(function: str, cases: Sequence[Case]) -> list[Any]:
    """Return what a function returns for each case, in a process whose kernels are plain Python.

    Args:
        function: Its name, as `module:function`; it returns a value for JSON.
        cases: The arrays that it gets.
    """
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for k, case in enumerate(cases):
            paths.append(Path(folder, f"{k}.npz"))
            np.savez(paths[-1], **case)
        command = [sys.executable, "-m", "benchmarks.operations", function, *map(str, paths)]
        environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
        found = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout
    return [json.loads(line) for line in found.splitlines()]


def captured(module: ModuleType, kernel: str, call: Callable[[], object]) -> list[Case]:
    """Return the arguments of all calls of a kernel during a call, as they were before, for `replay`."""
    found: list[Case] = []
    original = getattr(module, kernel)

    def record(*arguments: Any) -> Any:
        case = {f"a{k}": np.array(value) for k, value in enumerate(arguments)}
        found.append({**case, "kernel": np.array(f"{module.__name__}:{kernel}")})
        return original(*arguments)

    setattr(module, kernel, record)
    try:
        call()
    finally:
        setattr(module, kernel, original)
    return found


def replay(case: Case) -> dict[str, int]:
    """Return the operations of a captured call on those arguments whose numbers `counted` has."""
    module, _, kernel = str(case["kernel"]).partition(":")
    which = set(case["counted"].tolist())
    values = [case[f"a{k}"] for k in range(sum(name[0] == "a" for name in case))]
    arguments = [
        counting(value) if k in which else (value if value.ndim else value.item())
        for k, value in enumerate(values)
    ]
    called = getattr(importlib.import_module(module), kernel)
    count_in(*(one for name, one in sys.modules.items() if name.startswith("keepclear.kernels.")))
    counts.update(dict.fromkeys(counts, 0))
    called(*arguments)
    return dict(counts)


def main() -> None:
    """Call the function of the first argument for each file of the others."""
    name, *paths = sys.argv[1:]
    module, _, function = name.partition(":")
    call = getattr(importlib.import_module(module), function)
    for path in paths:
        with np.load(path) as case:
            print(json.dumps(call(dict(case))))


if __name__ == "__main__":
    from benchmarks import operations  # the module that functions import, with the same counts

    operations.main()
