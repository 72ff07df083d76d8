"""Draws mutants, runs the tests that know the changed module, and lists the survivors.

    python -m tools.mutation src/keepclear/kernels/motion/state.py src/keepclear/world --count 50 --seed 1

Kernels run as plain Python, so that a mutant needs no compiling. A mutant that outlives the tests of its module is
printed: either a test is missing, or the change makes no difference.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.mutation.mutants import Mutant, mutants_of

ROOT = Path(__file__).parents[2]


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutation", description=__doc__)
    parser.add_argument("sources", nargs="+", type=Path, help="files or folders below src/keepclear")
    parser.add_argument(
        "--tests", nargs="*", default=[], help="tests to run besides those that name the module"
    )
    parser.add_argument("--count", type=int, default=20, help="how many mutants are drawn")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=240.0, help="a mutant that takes longer is killed")
    parser.add_argument(
        "--compiled", action="store_true", help="compile kernels instead of interpreting them"
    )
    options = parser.parse_args()
    mutants = []
    for source in options.sources:
        for file in sorted(source.rglob("*.py")) if source.is_dir() else [source]:
            mutants += mutants_of(file, file.read_text())
    drawn = random.Random(options.seed).sample(mutants, min(options.count, len(mutants)))
    print(f"{len(drawn)} of {len(mutants)} mutants", flush=True)
    outcomes: dict[str, list[Mutant]] = {"killed": [], "timed out": [], "survived": [], "untested": []}
    with tempfile.TemporaryDirectory(prefix="keepclear-mutation-") as folder:
        tree = _copied(Path(folder))
        for number, mutant in enumerate(drawn, 1):
            outcome = _outcome(tree, mutant, options)
            outcomes[outcome].append(mutant)
            print(f"{number:4d} {outcome:9s} {mutant}", flush=True)
    print(", ".join(f"{len(found)} {outcome}" for outcome, found in outcomes.items()))
    for outcome in ("survived", "untested"):
        for mutant in outcomes[outcome]:
            print(f"{outcome}: {mutant}")


def _copied(folder: Path) -> Path:
    """Return a copy of the tree in which mutants live."""
    tree = folder / "tree"
    skip = shutil.ignore_patterns(".git", ".venv", "__pycache__", "build", "node_modules", ".*_cache")
    shutil.copytree(ROOT, tree, ignore=skip, symlinks=True)
    return tree


def _outcome(tree: Path, mutant: Mutant, options: argparse.Namespace) -> str:
    """Run the tests of a mutant's module on the changed tree; put it right again."""
    tests = _tests_of(tree, mutant.file) + options.tests
    if not tests:
        return "untested"
    target = tree / mutant.file.resolve().relative_to(ROOT)
    text = target.read_text()
    environment = os.environ | {"PYTHONPATH": str(tree / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    if not options.compiled:
        environment["NUMBA_DISABLE_JIT"] = "1"
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    try:
        target.write_text(mutant.apply(text))
        done = subprocess.run(
            command, cwd=tree, env=environment, capture_output=True, timeout=options.seconds, check=False
        )
    except subprocess.TimeoutExpired:
        return "timed out"
    finally:
        target.write_text(text)
    if done.returncode not in (0, 1, 2):
        sys.exit(f"pytest ended with {done.returncode}: {done.stderr.decode()[-2000:]}")
    return "survived" if done.returncode == 0 else "killed"


def _tests_of(tree: Path, file: Path) -> list[str]:
    """Return the unit tests that carry a module's name, or else those that import it."""
    module = file.resolve().relative_to(ROOT / "src").with_suffix("")
    own = tree / "tests" / "unit" / Path(*module.parts[1:-1]) / f"test_{module.name}.py"
    if own.exists():
        return [str(own.relative_to(tree))]
    dotted = ".".join(module.parts)
    package, name = dotted.rpartition(".")[::2]
    found = []
    for test in sorted((tree / "tests" / "unit").rglob("test_*.py")):
        text = test.read_text()
        if (
            f"{dotted} import" in text
            or f"from {package} import {name}" in text
            or f"import {dotted}" in text
        ):
            found.append(str(test.relative_to(tree)))
    return found


if __name__ == "__main__":
    main()
