"""Compiles kernels ahead of their first use: one group per kernel module, groups in parallel processes.

A process compiles one group after the other, because inner functions that several kernels contain are compiled once in
a process. `python -m keepclear.compiler.warmup` compiles all groups, `... warmup MODULE ...` these in one process, and
`... warmup -` those whose names are given on stdin; all print one line of JSON per entry point.
"""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import IO

# Folders at the two ends of the list of groups: a process continues with the group nearest to its first one.
ENDS = ("motion", "convex", "advance"), ("box_trees", "trees", "triangles")


@dataclass(frozen=True)
class Ready:
    """An entry point whose machine code is available: its compile time, and the origin of the code.

    `file` holds the code; it is empty if the code could not be stored, and `problem` gives the reason.
    """

    kernel: str
    seconds: float
    origin: str
    file: str
    problem: str


def group_names() -> list[str]:
    """Return the kernel modules by their full names, those that contain the same inner functions adjacent."""
    package = "keepclear.kernels."
    found = pkgutil.walk_packages(importlib.import_module("keepclear.kernels").__path__, package)
    names = [name.removeprefix(package) for _, name, is_package in found if not is_package]
    return [package + name for name in sorted(names, key=_place)]


def _place(name: str) -> tuple[int, str]:
    """Return the sort key of a group."""
    folder, (first, last) = name.partition(".")[0], ENDS
    if folder in first:
        return first.index(folder), name
    return len(first) + (1 + last.index(folder) if folder in last else 0), name


def count_entry_points(groups: Iterable[str]) -> int:
    """Return how many entry points these modules have; imports them."""
    return sum(len(_entry_points(group)) for group in groups)


def is_stored(group: str) -> bool:
    """Return whether the code of an entry point of a module is stored; imports it."""
    return any(entry._cache.is_stored() for entry in _entry_points(group))


def compile_group(group: str) -> Iterator[Ready]:
    """Find or compile every entry point of one module, in this process."""
    from keepclear.compiler.code_files import complaints

    for entry in _entry_points(group):
        entry.compile()
        problem = "" if entry.file else "; ".join(complaints.values())
        yield Ready(entry.name, entry.seconds, entry.origin, str(entry.file or ""), problem)


def compile_all(groups: Sequence[str] | None = None, processes: int | None = None) -> Iterator[Ready]:
    """Find or compile every entry point of the modules, by default of all, in parallel processes.

    Args:
        groups: Full names of modules; `module:a,b` for these of their entry points only.
        processes: How many at a time; by default one per core.

    Raises:
        RuntimeError: A group did not compile; the message ends with the output of its process.
    """
    waiting = Waiting(group_names() if groups is None else groups)
    results: queue.SimpleQueue[Ready | RuntimeError | None] = queue.SimpleQueue()
    workers = max(1, min(processes or os.cpu_count() or 1, len(waiting)))
    for k in range(workers):
        threading.Thread(target=_work, args=(waiting, k / max(workers - 1, 1), results), daemon=True).start()
    while workers:
        result = results.get()
        if isinstance(result, RuntimeError):
            raise result
        if result is None:
            workers -= 1
        else:
            yield result


class Waiting:
    """Groups that no process has taken yet."""

    def __init__(self, groups: Iterable[str]) -> None:
        self._groups = dict(enumerate(groups))
        self._last = len(self._groups) - 1
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._groups)

    def take(self, place: float) -> str | None:
        """Return the group nearest to a position between 0 and 1 in the list, or None if there are none left."""
        with self._lock:
            if not self._groups:
                return None
            return self._groups.pop(min(self._groups, key=lambda k: abs(k - place * self._last)))


def _work(waiting: Waiting, place: float, results: queue.SimpleQueue[Ready | RuntimeError | None]) -> None:
    """Make a process compile one waiting group after another."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "KEEPCLEAR_QUIET": "1"}
    command = [sys.executable, "-m", "keepclear.compiler.warmup", "-"]
    pipe = subprocess.PIPE
    try:
        with (
            tempfile.TemporaryFile("w+") as complaints,
            subprocess.Popen(
                command, env=environment, stdin=pipe, stdout=pipe, stderr=complaints, text=True
            ) as process,
        ):
            assert process.stdin is not None
            assert process.stdout is not None
            while (group := waiting.take(place)) is not None:
                if not _compile_there(group, process.stdin, process.stdout, results):
                    process.wait()
                    complaints.seek(0)
                    raise RuntimeError(f"kernel module {group} does not compile: {complaints.read()}")
        results.put(None)
    except (OSError, RuntimeError) as error:
        results.put(RuntimeError(str(error)))


def _compile_there(
    group: str,
    orders: IO[str],
    answers: IO[str],
    results: queue.SimpleQueue[Ready | RuntimeError | None],
) -> bool:
    """Make the process at the other end of the pipes compile a group; return whether it did."""
    try:
        print(group, file=orders, flush=True)
    except BrokenPipeError:
        return False
    for line in answers:
        if not line.strip():  # the end of the group
            return True
        results.put(Ready(**json.loads(line)))
    return False


def _entry_points(group: str) -> list:
    """Return the entry points that this module defines, not those it imports; of `module:a,b` those two only."""
    from keepclear.compiler.kernel import entry_points

    module, _, wanted = group.partition(":")
    importlib.import_module(module)
    found = {
        entry.py_func.__name__: entry for entry in entry_points.values() if entry.py_func.__module__ == module
    }
    return [found[name] for name in wanted.split(",")] if wanted else list(found.values())


def main(groups: Sequence[str]) -> None:
    """Compile the groups named on the command line or on stdin, or all in parallel, and print the available code."""
    if list(groups) == ["-"]:
        for line in sys.stdin:
            _print(compile_group(line.strip()))
            print(flush=True)
    else:
        _print((ready for group in groups for ready in compile_group(group)) if groups else compile_all())


def _print(found: Iterable[Ready]) -> None:
    for ready in found:
        print(json.dumps(asdict(ready)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
