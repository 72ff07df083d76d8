"""Paths of a Panda arm proved as a whole, beside samples every 0.01 rad: time per path, and missed contacts."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np

import keepclear as kc
from benchmarks.harness import best_times, duration
from benchmarks.panda_peers import (
    FOLDER,
    SRDF,
    URDF,
    CoalSampled,
    FclSampled,
    Kinematics,
    Obstacle,
    PinocchioSampled,
    samples,
)

ROUNDS = 3
STEP = 0.01  # largest way of a joint from one sample to the next [rad]
COARSE = 0.05  # what the planner had used [rad]
TOLERANCE = 1e-4  # [m]
OURS = ("earliest contact", "every pair", "with clearances")


@dataclass(frozen=True)
class Path:
    """Waypoints (n, 7), a second apart, among obstacles; `is_hit` is the truth."""

    name: str
    waypoints: np.ndarray
    obstacles: list[Obstacle]
    is_hit: bool


@dataclass(frozen=True)
class Line:
    """One path: best times by contestant [s], and how many samples there are."""

    path: Path
    times: dict[str, float]
    samples: int


def read_paths() -> list[Path]:
    """All 74 labelled paths of the shared data."""
    told = json.loads((FOLDER / "problems.json").read_text(encoding="utf-8"))["problems"]
    scenes = {(one["problem"], one["index"]): [_obstacle(o) for o in one["objects"]] for one in told}
    found = json.loads((FOLDER / "trajectories.json").read_text(encoding="utf-8"))["trajectories"]
    return [
        Path(
            f"{one['problem']} {one['index']} {one['kind']}",
            np.array(one["waypoints"], dtype=np.float64),
            scenes[one["problem"], one["index"]],
            one["label"] == "hit",
        )
        for one in found
    ]


def _obstacle(told: Any) -> Obstacle:
    size = tuple(float(x) for x in told["dimensions"])
    if told["type"] == "cylinder":
        size = size[::-1]  # the file has the length first
    return Obstacle(told["id"], told["type"], size, np.array(told["pose"], dtype=np.float64))


def world_of(robot: kc.Robot, path: Path) -> kc.World:
    """The path and its obstacles in a world of one thread."""
    world = kc.World(threads=1)
    times = np.arange(len(path.waypoints), dtype=np.float64)
    world.add_robot("panda", robot, kc.JointTrajectory(robot, times, path.waypoints))
    for told in path.obstacles:
        world.add(told.name, (kc.Box(told.size) if told.kind == "box" else kc.Cylinder(*told.size)), told.X_W)
    return world


def proved(world: kc.World, asked: str) -> kc.Report:
    """The certified answer: the earliest contact of all, as samplers stop there too, or more."""
    contacts: Literal["earliest", "first"] = "earliest" if asked == OURS[0] else "first"
    return world.verify(tolerance=TOLERANCE, contacts=contacts, clearances=asked == OURS[2], threads=1)


def check(world: kc.World, path: Path) -> None:
    """Stop where keepclear is wrong or undecided."""
    right = kc.Verdict.COLLIDING if path.is_hit else kc.Verdict.CLEAR
    for asked in OURS:
        verdict = proved(world, asked).verdict
        assert verdict is right, f"{path.name}, {asked}: {verdict}"


def measure(robot: kc.Robot, paths: Sequence[Path], peers: Sequence[Any]) -> list[Line]:
    """Time everybody on each path, taking turns; building worlds, meshes and managers is not counted."""
    lines = []
    for path in paths:
        world = world_of(robot, path)
        check(world, path)
        q = samples(path.waypoints, STEP)
        jobs: dict[str, Callable[[], object]] = {asked: partial(proved, world, asked) for asked in OURS}
        jobs |= {peer.name: peer.job(path.obstacles, q) for peer in peers}
        best = best_times(list(jobs.values()), 1, ROUNDS)
        lines.append(Line(path, dict(zip(jobs, best, strict=True)), len(q)))
    return lines


def print_table(title: str, lines: Sequence[Line], names: Sequence[str]) -> None:
    """Print medians and worst times, and the ratios of samplers to keepclear path by path."""
    times = {name: np.array([line.times[name] for line in lines]) for name in (*OURS, *names)}
    counts = np.median([line.samples for line in lines])
    print(f"\n{title}: {len(lines)} paths, {counts:.0f} samples (median)")
    print(f"{'':<18}{'median':>11}{'worst':>11}   times as long as the earliest contact: median, least")
    for name, t in times.items():
        ratio = t / times[OURS[0]]
        note = f"   {np.median(ratio):7.2f}x {np.min(ratio):7.2f}x" if name in names else ""
        print(f"{name:<18}{duration(float(np.median(t))):>11}{duration(float(np.max(t))):>11}{note}")


def print_misses(paths: Sequence[Path], peers: Sequence[Any]) -> None:
    """Print how many of the paths that collide each sampler calls free."""
    hits = [path for path in paths if path.is_hit]
    for step in (COARSE, STEP):
        missed = {
            peer.name: sum(not peer.job(path.obstacles, samples(path.waypoints, step))() for path in hits)
            for peer in peers
        }
        told = ", ".join(f"{name} {count}" for name, count in missed.items())
        print(f"of {len(hits)} paths that collide, samples every {step} rad miss: {told}; keepclear 0")


def main() -> None:
    """Print all tables."""
    if not FOLDER.is_dir():
        print("\nPanda: skipped, the shared data folder is not beside this checkout")
        return
    arm = Kinematics()
    peers: list[Any] = [FclSampled(arm), CoalSampled(arm), PinocchioSampled(arm)]
    names = [peer.name for peer in peers]
    paths = read_paths()
    lines = measure(kc.read_robot(URDF, SRDF), paths, peers)
    print(f"\nPanda paths proved to {TOLERANCE} m (one thread), beside samples every {STEP} rad")
    print_table("All paths", lines, names)
    print_table("Free paths", [line for line in lines if not line.path.is_hit], names)
    print_table("Colliding paths", [line for line in lines if line.path.is_hit], names)
    print_misses(paths, peers)


if __name__ == "__main__":
    main()
