"""Prints every table: `python -m benchmarks`, or those named: `python -m benchmarks convex_distance`."""

from __future__ import annotations

import importlib
import pkgutil
import platform
import sys

import benchmarks


def main() -> None:
    """Run the benchmarks named on the command line, or all."""
    found = [
        m.name for m in pkgutil.iter_modules(benchmarks.__path__) if m.name not in ("harness", "__main__")
    ]
    unknown = [name for name in sys.argv[1:] if name not in found]
    if unknown:
        sys.exit(f"no benchmark {unknown[0]!r}; there are: {', '.join(found)}")
    print(
        f"Python {platform.python_version()}, {platform.machine()}; process CPU time, best of alternating rounds"
    )
    for name in sys.argv[1:] or found:
        importlib.import_module(f"benchmarks.{name}").main()


if __name__ == "__main__":
    main()
