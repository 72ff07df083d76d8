"""Runs a library on the data set: `python -m benchmarks.misses LIBRARY`.

LIBRARY is keepclear, rapier, fcl:N (python-fcl at N instants), or MODULE:FUNCTION with a function that takes a case and
its two shapes, as they are in the file, and returns the time of the first contact or None. The exit code is 1 where a
contact was missed. `--write` makes the data set again.
"""

from __future__ import annotations

import argparse
import importlib
import math
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import keepclear as kc
from benchmarks.misses import cases
from benchmarks.moving_peers import FclSamples, Rapier

LATE = 1e-3
"""Times that are off by more than this part of the motion are counted as early or late."""


def answers(library: str, data: dict[str, Any]) -> Sequence[float]:
    """Return the time of contact for each case by a library, nan for none."""
    name, _, rest = library.partition(":")
    if library == "keepclear":
        found = kc.first_contact_batch([case.question for case in cases.as_cases(data)], 1e-4)
        return [math.nan if one.verdict is kc.Verdict.CLEAR else float(one.time) for one in found]
    if library == "rapier":
        return Rapier().job(list(cases.as_cases(data)))()
    if name == "fcl" and rest.isdigit() and int(rest) > 1:
        return FclSamples(int(rest)).job(list(cases.as_cases(data)))()
    if not name or not rest:
        sys.exit(f"no library {library!r}; there are keepclear, rapier, fcl:N and MODULE:FUNCTION")
    ask: Callable[..., float | None] = getattr(importlib.import_module(name), rest)
    shapes = data["shapes"]
    times = (ask(one, shapes[one["fixed"]], shapes[one["moving"]]) for one in data["cases"])
    return [math.nan if time is None else float(time) for time in times]


def kind_of(time: float, answer: dict[str, Any]) -> str:
    """Return how a time of contact compares with the certified answer."""
    if not answer["contact"]:
        return "right" if math.isnan(time) else "invented"
    if math.isnan(time):
        return "missed"
    if time > answer["t_hi"] + LATE:
        return "late"
    return "early" if time < answer["t_lo"] - LATE else "right"


def main() -> None:
    """Ask, compare, print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.misses")
    parser.add_argument("library", nargs="?", help="keepclear, rapier, fcl:N or MODULE:FUNCTION")
    parser.add_argument("--write", action="store_true", help="make the data set again")
    options = parser.parse_args()
    if options.write:
        cases.write()
    if options.library is None:
        return
    data = cases.read()
    counts: dict[str, Counter[str]] = {}
    for one, time in zip(data["cases"], answers(options.library, data), strict=True):
        counts.setdefault(one["family"], Counter())[kind_of(time, one["answer"])] += 1
    kinds = ("right", "missed", "invented", "late", "early")
    print(f"{options.library:<34}" + "".join(f"{kind:>10}" for kind in kinds))
    for family, found in [*counts.items(), ("all", sum(counts.values(), Counter()))]:
        print(f"{family:<34}" + "".join(f"{found[kind]:>10}" for kind in kinds))
    sys.exit(1 if any(found["missed"] for found in counts.values()) else 0)


if __name__ == "__main__":
    main()
