"""Changes sources one place at a time, runs the tests that call the changed function, and lists the survivors.

    python -m tools.mutation --promise src/keepclear/kernels/advance
    python -m tools.mutation src/keepclear/world --count 50 --seed 1

With `--promise` each rounding term, slack and inequality is removed or weakened once (`tools/mutation/promise.py`);
without it, mutants of all kinds are drawn at random. Kernels run as plain Python. A mutant that outlives the tests is
printed: either a test is missing, or the change makes no difference. The exit code is 1 if any outlives them.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROMISED = [
    "kernels/motion", "kernels/advance", "kernels/edges", "kernels/broad_phase",
    "kernels/convex", "kernels/trees", "kernels/box_trees", "kernels/triangles", "kernels/spheres", "kernels/crowd",
    "motion", "query", "scene", "world",
]  # fmt: skip
TESTS = [
    "tests/unit/kernels", "tests/unit/motion", "tests/unit/query", "tests/unit/geometry", "tests/unit/scene",
    "tests/unit/world", "tests/unit/crowd", "tests/unit/robot", "tests/property",
]  # fmt: skip


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutation", description=__doc__)
    parser.add_argument(
        "sources", nargs="*", type=Path, help="files or folders; with --promise, all by default"
    )
    parser.add_argument("--promise", action="store_true", help="weaken each bound once")
    parser.add_argument("--tests", nargs="*", default=TESTS, help="files or folders of tests")
    parser.add_argument("--count", type=int, default=20, help="how many mutants are drawn without --promise")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=3.0, help="slower tests are left out (CPU time)")
    parser.add_argument("--jobs", type=int, default=2, help="how many mutants run at a time")
    parser.add_argument(
        "--effort", type=float, default=20.0, help="CPU time of the tests that a mutant outlives"
    )
    parser.add_argument("--measured", type=Path, help="keep duration and coverage of tests in this file")
    parser.add_argument(
        "--record", type=Path, help="append each outcome to this file; tests that it names run first"
    )
    parser.add_argument(
        "--resume", action="store_true", help="leave out mutants that are killed according to the record"
    )
    options = parser.parse_args()
    os.environ["NUMBA_DISABLE_JIT"] = "1"  # before anything imports Numba
    sys.exit(_run(options))


def _run(options: argparse.Namespace) -> int:
    """Run mutants; return the exit code."""
    import pytest
    from tools.mutation.forks import Forks, Outcome
    from tools.mutation.mutants import Mutant, mutants_of
    from tools.mutation.promise import harmless_reason, promise_mutants
    from tools.mutation.record import Record

    sources = options.sources or [ROOT / "src" / "keepclear" / folder for folder in PROMISED]
    mutants: list[Mutant] = []
    harmless: list[tuple[Mutant, str]] = []
    for source in sources:
        for file in sorted(source.rglob("*.py")) if source.is_dir() else [source]:
            text = file.read_text()
            for mutant in (promise_mutants if options.promise else mutants_of)(file, text):
                reason = harmless_reason(mutant, text)
                if reason is None:
                    mutants.append(mutant)
                else:
                    harmless.append((mutant, reason))
    if not options.promise:
        mutants = random.Random(options.seed).sample(mutants, min(options.count, len(mutants)))
    made = len(mutants) + len(harmless)
    record = Record(options.record, mutants)
    known = [mutant for mutant in mutants if options.resume and mutant in record.killers]
    mutants = [mutant for mutant in mutants if mutant not in known]
    print(f"{len(mutants)} mutants", flush=True)

    def report(outcome: Outcome) -> None:
        number = len(forks.outcomes)
        print(f"{number:5d} {outcome.result:8s} {outcome.mutant}  {outcome.test}", flush=True)
        record.add(outcome)

    forks = Forks(
        mutants, options.jobs, options.seconds, options.effort, options.measured, record.killers, report
    )
    quiet = ["-q", "-s", "--no-header", "-p", "no:cacheprovider", "-p", "no:xdist"]
    ended = pytest.main([*quiet, *options.tests], plugins=[forks])
    if len(forks.outcomes) < len(mutants):
        sys.exit(f"pytest ended with {ended}")
    for mutant, reason in harmless:
        print(f"harmless: {mutant}  ({reason})")
    alive = [outcome for outcome in forks.outcomes if outcome.result != "killed"]
    for outcome in alive:
        print(f"{outcome.result}: {outcome.mutant}  after {outcome.tests} tests")
    counts = Counter(outcome.result for outcome in forks.outcomes)
    counts["killed"] += len(known)
    parts = [f"{made} made", *(f"{count} {result}" for result, count in sorted(counts.items()))]
    print(", ".join([*parts, f"{len(harmless)} harmless"]))
    return 1 if alive else 0


if __name__ == "__main__":
    main()
