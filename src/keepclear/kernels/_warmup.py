"""Compiles kernels ahead of their first use: one group per kernel module, groups in parallel processes.

`python -m keepclear.kernels._warmup` compiles all of them, `... _warmup MODULE` one group in this process;
both print one line of JSON per entry point.
"""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
import queue
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass

# Modules with entry points that other kernels call: compiled first, they are found where they are needed.
FIRST = (
    "broad_phase.tree",
    "convex.epa",
    "convex.gjk",
    "motion.state",
    "advance.feature_contact",
    "advance.swept_convex",
    "advance.least_convex",
    "triangles.exact",
    "triangles.triangle_cut",
    "triangles.winding",
)


@dataclass(frozen=True)
class Ready:
    """An entry point whose machine code is in place: how long compiling it took, and where it is from."""

    kernel: str
    seconds: float
    origin: str


def group_names() -> list[str]:
    """Return the kernel modules by their full names, those that others need first."""
    package = "keepclear.kernels."
    found = pkgutil.walk_packages(importlib.import_module("keepclear.kernels").__path__, package)
    names = [name.removeprefix(package) for _, name, is_package in found if not is_package]
    names = sorted((name for name in names if name[0] != "_"), key=lambda name: (name not in FIRST, name))
    return [package + name for name in names]


def count_entry_points(groups: Iterable[str]) -> int:
    """Return how many entry points these modules have; imports them."""
    return sum(len(_entry_points(group)) for group in groups)


def compile_group(group: str) -> Iterator[Ready]:
    """Find or compile every entry point of one module, here and now."""
    for entry in _entry_points(group):
        entry.compile()
        yield Ready(entry.name, entry.seconds, entry.origin)


def compile_all(groups: Sequence[str] | None = None, processes: int | None = None) -> Iterator[Ready]:
    """Find or compile every entry point of the modules, by default of all, in parallel processes.

    Args:
        groups: Full names of modules.
        processes: How many at a time; by default one per core.

    Raises:
        RuntimeError: A group did not compile; the message ends with what its process said.
    """
    waiting: queue.SimpleQueue[str] = queue.SimpleQueue()
    for group in group_names() if groups is None else groups:
        waiting.put(group)
    results: queue.SimpleQueue[Ready | RuntimeError | None] = queue.SimpleQueue()
    workers = max(1, min(processes or os.cpu_count() or 1, waiting.qsize()))
    for _ in range(workers):
        threading.Thread(target=_work, args=(waiting, results), daemon=True).start()
    while workers:
        result = results.get()
        if isinstance(result, RuntimeError):
            raise result
        if result is None:
            workers -= 1
        else:
            yield result


def _work(waiting: queue.SimpleQueue[str], results: queue.SimpleQueue[Ready | RuntimeError | None]) -> None:
    """Compile one waiting group after another, each in a process of its own."""
    try:
        while True:
            _compile_elsewhere(waiting.get_nowait(), results)
    except queue.Empty:
        results.put(None)
    except (OSError, RuntimeError) as error:
        results.put(RuntimeError(str(error)))


def _compile_elsewhere(group: str, results: queue.SimpleQueue[Ready | RuntimeError | None]) -> None:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "KEEPCLEAR_QUIET": "1"}
    command = [sys.executable, "-m", "keepclear.kernels._warmup", group]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        for line in process.stdout:
            results.put(Ready(**json.loads(line)))
        complaint = process.stderr.read()
    if process.returncode != 0:
        raise RuntimeError(f"kernel module {group} does not compile: {complaint}")


def _entry_points(group: str) -> list:
    """Return the entry points that this module defines, not those it imports."""
    from keepclear.kernels._compile import entry_points

    importlib.import_module(group)
    return [entry for entry in entry_points.values() if entry.py_func.__module__ == group]


def main(groups: Sequence[str]) -> None:
    """Compile the groups named on the command line, or all in parallel, and print what is in place."""
    found = (ready for group in groups for ready in compile_group(group)) if groups else compile_all()
    for ready in found:
        print(json.dumps(asdict(ready)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
