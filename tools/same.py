"""Compares the answers of two commits: verdicts, brackets and bounds of the same questions, bit for bit.

    python -m tools.same write before.json          asks the installed package; PYTHONPATH chooses another checkout
    python -m tools.same compare before.json after.json

Questions: the demo cell, the labelled paths of `../shared/data/panda` where present, random worlds with rules and pairs
on wild grids of time (`--worlds`, `--cases`). Differences are printed by question and field, largest first, with the
direction of bounds: a lower bound that rose, or an upper bound that fell, is tighter. The exit code is 1 if any answer
differs.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import keepclear as kc

ROOT = Path(__file__).parents[1]
LOWER, UPPER = {"clearance_lower", "lower", "t_lo"}, {"clearance_upper", "upper", "t_hi"}

Answer = dict[str, Any]


def pair_answers(prefix: str, report: Any) -> Iterator[tuple[str, Answer]]:
    """Everything that a report says about each pair."""
    for pair in report.pairs:
        fields = {name: getattr(pair, name) for name in ("t_lo", "t_hi", "margin")}
        fields |= {
            name: getattr(pair, name) for name in ("clearance_lower", "clearance_upper", "clearance_time")
        }
        fields["verdict"] = pair.verdict.name
        fields["contacts"] = [[c.t_lo, c.t_hi, c.time] for c in pair.contacts]
        yield f"{prefix} {pair.a}|{pair.b}", fields


def demo() -> Iterator[tuple[str, Answer]]:
    """The demo cell, contacts asked for in each way."""
    cell = kc.read_cell(ROOT / "src" / "keepclear" / "jobs" / "cell" / "demo" / "cell.yaml")
    for program in cell.programs or [None]:
        for contacts in ("first", "all", "earliest"):
            yield from pair_answers(
                f"demo {program} {contacts}", cell.world(program).verify(contacts=contacts)
            )


def paths() -> Iterator[tuple[str, Answer]]:
    """The labelled paths of the Panda arm."""
    from tests.oracles.robot_panda import PANDA, labelled_paths
    from tests.oracles.robot_random import add_object

    if not PANDA.is_dir():
        print("paths: left out, ../shared/data/panda is not there", file=sys.stderr)
        return
    panda = kc.read_robot(PANDA / "panda.urdf", PANDA / "panda.srdf")
    for path in labelled_paths():
        world = kc.World()
        world.add_robot("panda", panda, kc.JointTrajectory(panda, path.path.times, path.path.q))
        for item in path.problem.objects:
            add_object(world, item)
        yield from pair_answers(f"path {path.name}", world.verify())


def worlds(count: int) -> Iterator[tuple[str, Answer]]:
    """Random worlds with rules."""
    from tests.oracles.rule_check import CONTACTS
    from tests.oracles.rule_library import library_world
    from tests.oracles.rule_worlds import random_spec

    for seed in range(count):
        spec = random_spec(seed)
        with tempfile.TemporaryDirectory() as folder:
            world = library_world(spec, Path(folder))
            t0, t1 = (None if t is None else float(t) for t in (spec.t0, spec.t1))
            contacts = CONTACTS[seed % len(CONTACTS)]
            report = world.verify(t0, t1, tolerance=float(spec.tolerance), contacts=contacts, threads=1)
        yield from pair_answers(f"world {seed} {contacts}", report)


def cases(count: int) -> Iterator[tuple[str, Answer]]:
    """Pairs on wild grids of time: `first_contact` and `clearance`, or the error."""
    from tests.oracles.time_chaos import make_case

    for seed in range(count):
        case = make_case(seed)
        moving = [x for body in (case.a, case.b) for x in (body.shape, body.mover.motion)]
        t0, t1 = case.interval
        fields: Answer = {}
        try:
            found = kc.first_contact(*moving, case.tolerance, case.margin, t0=t0, t1=t1)
            fields = {name: getattr(found, name) for name in ("t_lo", "t_hi", "time", "distance")}
            fields["verdict"] = found.verdict.name
        except kc.KeepclearError as error:
            fields["error"] = f"{type(error).__name__}: {error}"
        try:
            near = kc.clearance(*moving, t0=t0, t1=t1)
            fields |= {"lower": near.lower, "upper": near.upper, "clearance_time": near.time}
        except kc.KeepclearError as error:
            fields["clearance_error"] = f"{type(error).__name__}: {error}"
        yield f"case {seed}", fields


def compare(before: dict[str, Answer], after: dict[str, Answer]) -> int:
    """Print differences; return their number."""
    differences: Counter[str] = Counter()
    examples: dict[str, list[tuple[float, str]]] = {}
    for name in before.keys() | after.keys():
        old, new = before.get(name, {}), after.get(name, {})
        for field in old.keys() | new.keys():
            a, b = old.get(field), new.get(field)
            if a == b or (a != a and b != b):  # equal, or nan in both
                continue
            size, kind = float("inf"), f"{name.split()[0]} {field}"
            if isinstance(a, int | float) and isinstance(b, int | float):
                size = abs(b - a)
                tighter = (field in LOWER and b > a) or (field in UPPER and b < a)
                kind += ", tighter" if tighter else ", looser" if field in LOWER | UPPER else ""
            differences[kind] += 1
            examples.setdefault(kind, []).append((size, f"{name}: {a} -> {b}"))
    for kind, count in differences.most_common():
        print(f"{count:7} {kind}")
        for size, text in sorted(examples[kind], reverse=True)[:3]:
            print(f"          {size:.3g}  {text}")
    print(f"{len(before.keys() | after.keys())} questions, {differences.total()} differences")
    return differences.total()


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m tools.same", description=__doc__)
    actions = parser.add_subparsers(dest="action", required=True)
    write = actions.add_parser("write")
    write.add_argument("file", type=Path)
    write.add_argument("--worlds", type=int, default=1000)
    write.add_argument("--cases", type=int, default=2000)
    both = actions.add_parser("compare")
    both.add_argument("before", type=Path)
    both.add_argument("after", type=Path)
    options = parser.parse_args()
    if options.action == "compare":
        files = [json.loads(path.read_text()) for path in (options.before, options.after)]
        sys.exit(1 if compare(*files) else 0)
    answers: dict[str, Answer] = {}
    for group in (demo(), paths(), worlds(options.worlds), cases(options.cases)):
        answers.update(group)
        print(f"{len(answers)} answers", file=sys.stderr)
    options.file.write_text(json.dumps(answers))


if __name__ == "__main__":
    main()
