"""Poses of all links of an arm, beside pinocchio: time per configuration, from Python, in batches of several sizes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

import keepclear as kc
from benchmarks.harness import Row, compare, table

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "data"
ROBOTS = {"Panda, 7 joints, 13 links": "panda/panda.urdf", "Fanuc, 6 joints, 9 links": "fanuc/fanuc.urdf"}
BATCHES = (1, 100, 1000, 10000)


def peer_job(file: Path, q: np.ndarray) -> Callable[[], object]:
    """Return a job that lets pinocchio place all frames, one configuration after the other.

    It leaves the poses in its own memory: nothing is copied out, where keepclear writes them all into one array.
    """
    import pinocchio

    model = pinocchio.buildModelFromUrdf(str(file))
    data = model.createData()
    rows = list(q)
    place = pinocchio.framesForwardKinematics

    def run() -> None:
        for row in rows:
            place(model, data, row)

    return run


def main() -> None:
    """Print a table."""
    if not FOLDER.is_dir():
        print("\nforward kinematics: the folder shared/data beside the project is absent")
        return
    rows: list[Row] = []
    for name, path in ROBOTS.items():
        file = FOLDER / path
        robot = kc.read_robot(file, srdf=file.with_suffix(".srdf"))
        for n in BATCHES:
            q = np.random.default_rng(n).uniform(robot.lower, robot.upper, (n, robot.dof))
            rows.append(compare(f"{name}, {n} at once", lambda: robot.link_poses(q), peer_job(file, q), n))
    table("All link poses, per configuration", "pinocchio", rows)


if __name__ == "__main__":
    main()
