"""Points of the surfaces of the Panda's links against its sphere models; run by command, not by the tests.

python -m tests.oracles.sphere_cover_campaign ../shared/data/panda/panda.urdf 0.02 1000000
"""

from __future__ import annotations

import sys
import time

import numpy as np
from tests.oracles import sphere_cover as oracle

import keepclear as kc
from keepclear.preprocess.cover_measure import measure_cover


def _write(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def run(urdf: str, excess: float, n: int) -> int:
    """Print a row for each link; return how many points are outside of all spheres."""
    robot, wrong = kc.read_robot(urdf), 0
    for solid in (False, True):
        start = time.process_time()
        model = robot.sphere_model(excess, solid=solid)
        _write(
            f"{model}, {'solid' if solid else 'surface'}, built in {time.process_time() - start:.1f} s of CPU time"
        )
        spent = 0.0
        for name, cover in model.covers.items():
            (element,) = robot.link(name).elements
            mesh, X = element.shape, element.X_LG
            points = (
                oracle.surface_points(np.asarray(mesh.vertices), mesh.triangles, n, 1) @ X[:3, :3].T
                + X[:3, 3]
            )
            g = oracle.outside_unequal(points, cover.centers, cover.radii)
            wrong += int((g > 1e-15).sum())
            start = time.process_time()
            m = measure_cover([(mesh, X)], cover.centers, cover.radii, solid=solid)
            spent += time.process_time() - start
            _write(
                f"{name}: {len(cover)} spheres, nearest {g.max():.2e} m, {m.sticks_out_upper:g}, {m.excess_upper:.5f} m"
            )
        _write(f"measured in {spent:.2f} s")
    return wrong


if __name__ == "__main__":
    found = run(sys.argv[1], float(sys.argv[2]), int(sys.argv[3]))
    _write(f"{found} points outside")
    sys.exit(found > 0)
