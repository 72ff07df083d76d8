"""Prints every table: `python -m benchmarks`, or those named: `python -m benchmarks convex_distance`.

What begins with a dash, and all after it, are options of the one benchmark that is named.
"""

from __future__ import annotations

import importlib
import inspect
import itertools
import pkgutil
import platform
import sys
from collections.abc import Callable

import benchmarks


def main() -> None:
    """Run the benchmarks named on the command line, or all."""
    found = [
        m.name
        for m in pkgutil.iter_modules(benchmarks.__path__)
        if m.name not in ("harness", "__main__") and not m.ispkg
    ]
    names = list(itertools.takewhile(lambda word: not word.startswith("-"), sys.argv[1:]))
    options = sys.argv[1 + len(names) :]
    unknown = [name for name in names if name not in found]
    if unknown:
        sys.exit(f"no benchmark {unknown[0]!r}; there are: {', '.join(found)}")
    if options and (len(names) != 1 or not inspect.signature(main_of(names[0])).parameters):
        sys.exit(f"{options[0]} is no option here; options follow the name of one benchmark that has some")
    print(
        f"Python {platform.python_version()}, {platform.machine()}; process CPU time, best of alternating rounds"
    )
    for name in names or found:
        main_of(name)(*([options] if options else []))


def main_of(name: str) -> Callable[..., None]:
    """Return what prints the tables of a benchmark."""
    job: Callable[..., None] = importlib.import_module(f"benchmarks.{name}").main
    return job


if __name__ == "__main__":
    main()
