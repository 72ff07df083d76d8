"""Minimum distances of all pairs beside the verdict alone, for Panda paths with links as given and as finer meshes.

`python -m benchmarks clearances --old FOLDER` also times an older version, whose sources are in FOLDER, in another
process that takes turns with this one.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import keepclear as kc
from benchmarks.harness import duration
from benchmarks.panda import Path as JointPath
from benchmarks.panda import read_paths, world_of
from benchmarks.panda_peers import FOLDER, SRDF, URDF

ROUNDS = 3
TOLERANCE = 1e-3  # [m], the default of `verify`
TRIANGLES = 3000  # of a finer link, at least
DENT = 0.008  # depth of its dents [m]
WAVE = 0.07  # from dent to dent [m]


def finer_robot(robot: kc.Robot) -> kc.Robot:
    """The same robot with links of some thousand triangles, dented all over, that stay within the old ones' hulls."""
    links = []
    for link in robot.links:
        elements = tuple(replace(e, shape=dented(e.shape)) for e in link.elements)
        links.append(replace(link, elements=elements))
    return replace(robot, links=tuple(links))


def dented(shape: Any) -> kc.Mesh:
    """The hull of a mesh in `TRIANGLES` triangles or more, with dents in a pattern of waves."""
    hull = kc.Convex(shape.vertices)
    points = np.array(hull.points)
    triangles = np.array([
        (face[0], face[k], face[k + 1]) for face in hull.faces for k in range(1, len(face) - 1)
    ])  # fmt: skip
    while len(triangles) < TRIANGLES:
        points, triangles = _subdivided(points, triangles)
    middle = 0.5 * (points.min(axis=0) + points.max(axis=0))
    depth = 0.5 * DENT * (1.0 + np.prod(np.cos(2.0 * np.pi * (points - middle) / WAVE), axis=1))
    inwards = middle - points
    length = np.linalg.norm(inwards, axis=1)
    return kc.Mesh(points + inwards * (np.minimum(depth, 0.3 * length) / length)[:, None], triangles)


def _subdivided(points: np.ndarray, triangles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Each triangle as four, with the middles of its edges."""
    edges = np.sort(triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    unique, which = np.unique(edges, axis=0, return_inverse=True)
    ab, bc, ca = (len(points) + which.reshape(-1, 3)).T
    a, b, c = triangles.T
    parts = [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
    made = np.concatenate([np.stack(part, axis=1) for part in parts])
    return np.concatenate([points, points[unique].mean(axis=1)]), made


def times_of(world: kc.World, *, clearances: bool) -> float:
    """Process CPU time of one answer [s]."""
    start = time.process_time()
    world.verify(tolerance=TOLERANCE, clearances=clearances, threads=1)
    return time.process_time() - start


class Older:
    """An older version in another process, asked about one path at a time."""

    def __init__(self, sources: Path) -> None:
        cache = tempfile.gettempdir() + "/keepclear-clearances-old"
        here = Path(__file__).resolve().parents[1]
        told = {"PYTHONPATH": f"{sources / 'src'}{os.pathsep}{here}", "KEEPCLEAR_CACHE_DIR": cache}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.clearances", "--answer"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=os.environ | told,
        )  # fmt: skip

    def time(self, robot: str, k: int) -> float:
        """Process CPU time of the k-th path with all clearances [s]."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(robot, k, file=self._process.stdin, flush=True)
        return float(self._process.stdout.readline())


def answer() -> None:
    """Answer questions on the standard input: a robot and the number of a path in each line."""
    paths, kept = read_paths(), dict[tuple[str, str], kc.World]()
    robots = _robots()
    for line in sys.stdin:
        robot, k = line.split()
        if (robot, k) not in kept:
            kept[robot, k] = world_of(robots[robot], paths[int(k)])
            times_of(kept[robot, k], clearances=True)
        print(times_of(kept[robot, k], clearances=True), flush=True)


def _robots() -> dict[str, kc.Robot]:
    panda = kc.read_robot(URDF, SRDF)
    return {"Panda": panda, "finer": finer_robot(panda)}


def measure(name: str, robot: kc.Robot, paths: Sequence[JointPath], older: Older | None) -> np.ndarray:
    """Best times of each path: verdict alone, with clearances, and the older version with them."""
    found = np.full((len(paths), 3), np.inf)
    for k, path in enumerate(paths):
        world = world_of(robot, path)
        for clearances in (False, True):
            times_of(world, clearances=clearances)
        for _ in range(ROUNDS):
            found[k, 0] = min(found[k, 0], times_of(world, clearances=False))
            found[k, 1] = min(found[k, 1], times_of(world, clearances=True))
            if older is not None:
                found[k, 2] = min(found[k, 2], older.time(name, k))
    return found


def print_table(name: str, times: np.ndarray) -> None:
    """Print means, medians and worst times, and how many times the verdict they are."""
    names = ("verdict alone", "with clearances", "older version")
    print(f"\n{name}: {len(times)} paths, minimum distances to {TOLERANCE} m")
    print(f"{'':<18}{'mean':>11}{'median':>11}{'worst':>11}   times the verdict: of means, median")
    for title, t in zip(names, times.T, strict=True):
        if np.isfinite(t).all():
            ratios = f"   {t.mean() / times[:, 0].mean():7.2f}x {np.median(t / times[:, 0]):7.2f}x"
            columns = (duration(float(f(t))) for f in (np.mean, np.median, np.max))
            print(f"{title:<18}" + "".join(f"{text:>11}" for text in columns) + ratios)


def main(options: Sequence[str] = ()) -> None:
    """Print a table for each robot."""
    parser = argparse.ArgumentParser(prog="benchmarks clearances")
    parser.add_argument("--old", type=Path, help="folder of the sources of an older version")
    given = parser.parse_args(list(options))
    if not FOLDER.is_dir():
        print("\nClearances: skipped, the shared data folder is not beside this checkout")
        return
    older, paths = (None if given.old is None else Older(given.old)), read_paths()
    for name, robot in _robots().items():
        sizes = sorted(len(e.shape.faces) for link in robot.links for e in link.elements)
        times = measure(name, robot, paths, older)
        print_table(f"{name} ({sizes[0]} to {sizes[-1]} triangles per link)", times)


if __name__ == "__main__":
    answer() if "--answer" in sys.argv else main(sys.argv[1:])
