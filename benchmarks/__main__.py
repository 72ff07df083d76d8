"""Prints the tables of the benchmarks that are named: `python -m benchmarks convex_distance`; without a name, a list.

What begins with a dash, and all after it, are options of the one benchmark that is named; `NAME --help` describes them.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import itertools
import pkgutil
import platform
import sys
from collections.abc import Callable
from pathlib import Path

import benchmarks
from keepclear.names import close_name


def main() -> None:
    """Run the benchmarks named on the command line, or list them."""
    found = sorted(
        m.name
        for m in pkgutil.iter_modules(benchmarks.__path__)
        if m.name not in ("harness", "__main__") and not m.ispkg
    )
    names = list(itertools.takewhile(lambda word: not word.startswith("-"), sys.argv[1:]))
    options = sys.argv[1 + len(names) :]
    if not names and (not options or options[0] in ("-h", "--help")):
        print("usage: python -m benchmarks NAME [NAME ...], or one NAME with its options\n")
        width = max(map(len, found))
        print("\n".join(f"{name:{width}}  {first_line(name)}" for name in found))
        return
    unknown = [name for name in names if name not in found]
    if unknown:
        sys.exit(
            f"no benchmark {unknown[0]!r}{close_name(unknown[0], found)} `python -m benchmarks` lists them."
        )
    if len(names) == 1 and options[:1] in (["-h"], ["--help"]):
        describe(names[0])
        return
    if options and (len(names) != 1 or not inspect.signature(main_of(names[0])).parameters):
        sys.exit(f"{options[0]} is no option here; options follow the name of one benchmark that has some")
    print(
        f"Python {platform.python_version()}, {platform.machine()}; process CPU time, best of alternating rounds"
    )
    for name in names:
        main_of(name)(*([options] if options else []))


def main_of(name: str) -> Callable[..., None]:
    """Return what prints the tables of a benchmark."""
    job: Callable[..., None] = importlib.import_module(f"benchmarks.{name}").main
    return job


def describe(name: str) -> None:
    """Print what a benchmark measures, and its options."""
    tree = parsed(name)
    (function,) = (one for one in tree.body if isinstance(one, ast.FunctionDef) and one.name == "main")
    print(f"{ast.get_docstring(tree)}\n\npython -m benchmarks {name}: {ast.get_docstring(function)}")
    if not function.args.args:
        print("It has no options.")
    elif any(isinstance(one, ast.Attribute) and one.attr == "ArgumentParser" for one in ast.walk(function)):
        main_of(name)(["--help"])


def first_line(name: str) -> str:
    """Return what a benchmark measures in one line."""
    return (ast.get_docstring(parsed(name)) or "").partition("\n")[0]


def parsed(name: str) -> ast.Module:
    """Return the source of a benchmark, which is not imported: some need packages that are not installed."""
    return ast.parse(Path(benchmarks.__path__[0], f"{name}.py").read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
