"""Answers far from the origin beside exact ones: `python -m tests.oracles.far_campaign --cases 100000 --seed 0`.

Parts, chains, links, held parts, groups and passing bodies are planted within some units of rounding of their margins,
with lengths of 1 m to 10 000 km that cancel. A violation is a lower bound above the true distance, an upper bound below
it, or a pair that is called clear or free although it is within its margin.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
from tests.oracles.far_cases import Finding, custom, groups, parts, passing
from tests.oracles.far_robots import chains, held, links

Family = Callable[[np.random.Generator, Path], Iterator[Finding]]
FAMILIES: dict[str, Family] = {
    family.__name__: family for family in (parts, passing, groups, custom, chains, links, held)
}


def findings(names: Sequence[str], seed: int, folder: Path) -> Iterator[Finding]:
    """All findings of one seed."""
    for name in names:
        number = list(FAMILIES).index(name)
        yield from FAMILIES[name](np.random.default_rng([seed, number]), folder)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run seeds until there are enough cases; return 1 if an answer is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--families", nargs="+", choices=list(FAMILIES), default=list(FAMILIES))
    asked = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    counts, faults, seed = Counter[str](), Counter[str](), asked.seed
    with tempfile.TemporaryDirectory() as folder:
        while counts.total() < asked.cases:
            for found in findings(asked.families, seed, Path(folder)):
                counts[found.call] += 1
                if found.fault:
                    faults[found.call] += 1
                    sys.stdout.write(f"seed {seed}, {found.scale:.3g} m, {found.call}: {found.fault}\n")
            seed += 1
    for call, n in sorted(counts.items()):
        sys.stdout.write(f"{n:8d} {call}: {faults[call]} violations\n")
    total = f"{counts.total()} cases of seeds {asked.seed} to {seed - 1}: {faults.total()} violations"
    sys.stdout.write(total + "\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
