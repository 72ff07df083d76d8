"""Every finding about the 74 labelled paths of a Panda arm repeated by an independent method.

`python -m tests.oracles.cross_check_campaign [hybrid|bisection|exact|bisect_exact]` prints a line for each path.
"""

from __future__ import annotations

import sys
import time

from tests.oracles.robot_panda import ABSENT, PANDA, labelled_paths
from tests.oracles.robot_random import add_object

import keepclear as kc

TOLERANCE = 1e-4


def _write(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main(method: str = "hybrid") -> int:
    """Verify all paths with a cross-check, and return how many are wrong: a label missed, or a disagreement."""
    if not PANDA.is_dir():
        sys.exit(ABSENT)
    robot = kc.read_robot(PANDA / "panda.urdf", PANDA / "panda.srdf")
    wrong = n_confirmed = n_open = 0
    for case in labelled_paths():
        world = kc.World()
        world.add_robot("panda", robot, kc.JointTrajectory(robot, case.path.times, case.path.q))
        for item in case.problem.objects:
            add_object(world, item)
        start = time.process_time()
        report = world.verify(tolerance=TOLERANCE, clearances=False, method=method, cross_check=True)
        repeated = report.cross_check
        right = kc.Verdict.COLLIDING if case.is_hit else kc.Verdict.CLEAR
        is_wrong = bool(repeated.disagreements) or report.verdict is not right
        wrong, n_confirmed = wrong + is_wrong, n_confirmed + repeated.n_confirmed
        n_open += len(repeated.unconfirmed)
        seconds = time.process_time() - start
        _write(
            f"{case.name:<38}{report.verdict.value:<10}{repeated.n_confirmed:>5} confirmed {seconds:8.2f} s"
        )
        for one in repeated.disagreements:
            _write(f"    {one}")
    _write(f"{n_confirmed} pairs confirmed, {n_open} left open, {wrong} paths wrong")
    return wrong


if __name__ == "__main__":
    sys.exit(4 if main(*sys.argv[1:]) else 0)
