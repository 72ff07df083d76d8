"""A step of a simulation: covers by spheres, exact shapes, one `world.collisions` for each instant; and the proof."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np

import keepclear as kc
from benchmarks.harness import best_times
from benchmarks.panda import FOLDER, SRDF, URDF, read_paths, world_of

ROUNDS = 3
STEPS = 400


def worlds() -> dict[str, kc.World]:
    """The demo cell, and two paths of a Panda among obstacles, one with a contact, if the shared data is there."""
    demo = Path(kc.__file__).parent / "jobs" / "cell" / "demo" / "cell.yaml"
    found = {"demo cell": kc.read_cell(demo).world("pick")}
    if FOLDER.exists():
        robot = kc.read_robot(URDF, srdf=SRDF)
        paths = [path for path in read_paths() if "bookshelf" in path.name]
        for is_hit in (False, True):
            path = next(path for path in paths if path.is_hit == is_hit)
            found[f"Panda, {path.name}"] = world_of(robot, path)
    return found


def main() -> None:
    """Print the time of a step, and what is found."""
    print(
        f"\n{'time for each step':<42}{'spheres':>10}{'exact':>10}{'on_step':>10}{'collisions':>12}   models"
    )
    for name, world in worlds().items():
        times = np.linspace(*world.span, STEPS)
        simulate = partial(world.simulate, times=times, stop=False)
        jobs = [
            partial(simulate, models="spheres"),
            partial(simulate, models="exact"),
            partial(simulate, models="exact", on_step=lambda step: None),  # noqa: ARG005
            lambda world=world, times=times: [world.collisions(t, at_rest=False) for t in times],
        ]
        (proof,) = best_times([partial(world.verify, clearances=False, threads=1)], 1, ROUNDS)
        best = best_times(jobs, STEPS, ROUNDS)
        cells = "".join(f"{1e6 * t:>{width}.0f} us" for t, width in zip(best, (7, 7, 7, 9), strict=True))
        covers, exact = simulate(models="spheres"), simulate(models="exact")
        missed = (covers.steps == kc.Step.FREE) & (exact.steps == kc.Step.CONTACT)
        assert not missed.any(), "a contact was called free"
        print(f"{name:<42}{cells}   {covers.statistics['models']}, {covers.statistics['spheres']} spheres")
        print(f"{'':<42}{covers!r}; {exact!r}; proof of all instants {1e3 * proof:.1f} ms")


if __name__ == "__main__":
    main()
