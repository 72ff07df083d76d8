"""Points of the surfaces of a robot's links against its sphere models, and points of the spheres against the links.

Run by command, not by the tests. The last argument may be a folder of packages.

python -m tests.oracles.sphere_cover_campaign ../shared/data/panda/panda.urdf 0.02 1000000
"""

from __future__ import annotations

import sys
import time

import numpy as np
from tests.oracles import sphere_cover as oracle

import keepclear as kc
from keepclear.geometry.spheres.cover_measure import measure_cover


def _write(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def farthest(cover: kc.SphereCover, corners: np.ndarray, seed: int) -> float:
    """Return the greatest distance of random points of spheres from triangles, 0 inside by the sum of solid angles."""
    way = np.random.default_rng(seed).normal(size=(len(cover), 200, 3))
    way /= np.linalg.norm(way, axis=2, keepdims=True)
    points = (cover.centers[:, None] + cover.radii[:, None, None] * way).reshape(-1, 3)
    away = np.where(oracle.is_inside(points, corners), 0.0, oracle.distance_to_triangles(points, corners))
    return float(away.max())


def run(urdf: str, excess: float, n: int, *folders: str) -> int:
    """Print a row for each link; return how many points are outside of all spheres, and links with a wrong excess."""
    robot, wrong = kc.read_robot(urdf, package_dirs=folders), 0
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
            if not isinstance(mesh, kc.Mesh):
                continue
            points = (
                oracle.surface_points(np.asarray(mesh.vertices), mesh.triangles, n, 1) @ X[:3, :3].T
                + X[:3, 3]
            )
            g = oracle.outside_unequal(points, cover.centers, cover.radii)
            wrong += int((g > 1e-15).sum())
            start = time.process_time()
            m = measure_cover([(mesh, X)], cover.centers, cover.radii, solid=solid)
            spent += time.process_time() - start
            vertices = np.asarray(mesh.vertices) @ X[:3, :3].T + X[:3, 3]
            reached = farthest(cover, vertices[np.asarray(mesh.triangles)], 2)
            wrong += reached > cover.excess
            _write(
                f"{name}: {len(cover)} spheres, nearest {g.max():.2e} m, {m.sticks_out_upper:g}, "
                f"excess {reached:.5f} to {m.excess_upper:.5f} m, openings {m.openings}"
            )
        _write(f"measured in {spent:.2f} s")
    return wrong


if __name__ == "__main__":
    found = run(sys.argv[1], float(sys.argv[2]), int(sys.argv[3]), *sys.argv[4:])
    _write(f"{found} points outside, or links with a wrong excess")
    sys.exit(found > 0)
