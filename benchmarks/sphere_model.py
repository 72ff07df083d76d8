"""Compact sphere models of the Panda: spheres needed for an excess, time to build and to prove, link 6 separately.

Then the excess that 96 spheres allow, and how they are divided over the links; for another robot with
`python -m benchmarks.sphere_model FILE.urdf [PACKAGE_FOLDER ...]`.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np

import keepclear as kc
from benchmarks.panda_peers import URDF
from keepclear.geometry.spheres.cover_body import build_cover_body
from keepclear.geometry.spheres.cover_build import build_covers
from keepclear.geometry.spheres.cover_measure import inside_gaps, surface_row
from keepclear.kernels.spheres import cover_gaps

OPEN = (
    "panda_link6"  # 29 components, 28 of them open: spheres are measured against the largest, closed by caps
)
MOST = 96


def main(options: list[str] | None = None) -> None:
    """Print a row for each excess, for surface and solid, and one for a number of spheres."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks sphere_model")
    parser.add_argument(
        "--robot", default=URDF, type=Path, help="URDF file of the Panda, or of another robot"
    )
    parser.add_argument("--packages", nargs="*", default=[], help="folders of its packages")
    given = parser.parse_args(options or [])
    urdf = given.robot
    if not urdf.is_file():
        print("\nsphere models: skipped, the shared data folder is not beside this checkout; give --robot")
        return
    robot = kc.read_robot(urdf, package_dirs=given.packages)
    kc.build_sphere_cover(kc.Box([0.2, 0.1, 0.1]), 0.03, solid=True)  # compiles
    print("excess  what     spheres  open link  uncovered  largest excess  build CPU  build  proof")
    for excess in (0.02, 0.01):
        for solid in (False, True):
            start, cpu = time.perf_counter(), time.process_time()
            model = robot.sphere_model(excess, solid=solid)
            built, used = time.perf_counter() - start, time.process_time() - cpu
            start, worst = time.process_time(), 0.0
            for name, cover in model.covers.items():
                worst = max(worst, _uncovered(robot.link(name), cover, solid))
            proof = time.process_time() - start
            apart = len(model.covers.get(OPEN, ()))
            print(
                f"{excess:.3f}   {'solid' if solid else 'surface':8} {model.n_spheres - apart:7} {apart:10} "
                f"{worst:10.1g} {model.excess:15.5f} {used:8.1f} s {built:4.0f} s {proof:5.2f} s"
            )

    links = [link for link in robot.links if link.elements]
    start = time.process_time()
    bodies = [[(element.shape, element.X_LG) for element in link.elements] for link in links]
    covers = build_covers(bodies, None, MOST, False)
    used, excess = time.process_time() - start, max(cover.excess for cover in covers)
    print(
        f"\nat most {MOST} spheres: {sum(map(len, covers))}, excess {1e3 * excess:.1f} mm, {used:.1f} s of CPU time"
    )
    print(", ".join(f"{link.name} {len(cover)}" for link, cover in zip(links, covers, strict=True)))


def _uncovered(link: object, cover: kc.SphereCover, solid: bool) -> float:
    elements = [(element.shape, element.X_LG) for element in link.elements]  # type: ignore[attr-defined]
    body = build_cover_body(elements, 1e-5)
    spheres = np.column_stack([cover.centers, cover.radii])
    upper = float(surface_row(body, spheres, 1e-5, 0.0, np.inf)[cover_gaps.UPPER])
    if solid:
        _, upper = inside_gaps(body, spheres, 1e-5, upper)
    return max(upper, 0.0)


if __name__ == "__main__":
    main(sys.argv[1:])
