"""The 140 problems of the Panda planned with OMPL's RRTConnect: solved, time, motions per second; every path certified.

Options: --seed N (1), --seconds S for each problem (10), --every N: each Nth problem only (1).
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

import keepclear as kc
from benchmarks.harness import duration
from benchmarks.panda import _obstacle
from benchmarks.panda_peers import (
    FOLDER,
    SRDF,
    URDF,
    Kinematics,
    Obstacle,
    PinocchioSampled,
    samples,
)

RANGE = 0.8  # of RRTConnect, the longest edge [rad]
SIMPLIFY = 0.5  # at most, after planning [s]
STEP = 0.005  # largest path length of a joint between samples of the peer [rad]
SHARP = 1e-6  # tolerance of the cross-check [m]


@dataclass(frozen=True)
class Problem:
    """Two configurations (7,) and what stands around."""

    name: str
    start: np.ndarray
    goal: np.ndarray
    obstacles: list[Obstacle]


@dataclass
class Run:
    """What a planner found: the path (n, 7) or None, wall and CPU time [s], motions that it asked for."""

    problem: Problem
    path: np.ndarray | None
    wall: float
    cpu: float
    motions: int
    simplified: np.ndarray | None = None


def read_problems(robot: kc.Robot) -> list[Problem]:
    """All problems of the shared data."""
    told = json.loads((FOLDER / "problems.json").read_text(encoding="utf-8"))["problems"]
    return [
        Problem(
            f"{one['problem']} {one['index']}",
            *(np.array([one[end][joint] for joint in robot.joint_names]) for end in ("start", "goal")),
            [_obstacle(o) for o in one["objects"]],
        )
        for one in told
    ]


def world_of(robot: kc.Robot, problem: Problem, path: np.ndarray | None = None) -> kc.World:
    """The obstacles and the robot, at rest or on a path, in a world of one thread."""
    world = kc.World(threads=1)
    program = (
        None if path is None else kc.JointTrajectory(robot, np.arange(len(path), dtype=np.float64), path)
    )
    world.add_robot("panda", robot, program)
    for one in problem.obstacles:
        world.add(one.name, kc.Box(one.size) if one.kind == "box" else kc.Cylinder(*one.size), one.X_W)
    return world


def plan(robot: kc.Robot, problem: Problem, seconds: float, *, proved: bool) -> Run:
    """Plan with RRTConnect: motions proved by keepclear, or sampled by OMPL with exact states."""
    from ompl import base as ob
    from ompl import geometric as og

    world = world_of(robot, problem)
    si = ob.SpaceInformation(kc.plan.joint_space(robot))
    validator = kc.plan.motion_validator(world, "panda", si)
    if proved:
        si.setMotionValidator(validator)
    si.setStateValidityChecker(kc.plan.validity_checker(world, "panda", si))
    si.setup()
    ends = si.allocState(), si.allocState()
    for state, q in zip(ends, (problem.start, problem.goal), strict=True):
        validator.write_state(state, q)
    definition = ob.ProblemDefinition(si)
    definition.setStartAndGoalStates(*ends)
    planner = og.RRTConnect(si)
    planner.setRange(RANGE)
    planner.setProblemDefinition(definition)
    planner.setup()
    wall, cpu = time.perf_counter(), time.process_time()
    planner.solve(seconds)
    run = Run(problem, None, time.perf_counter() - wall, time.process_time() - cpu, 0)
    run.motions = validator.getCheckedMotionCount()
    if not definition.hasExactSolution():
        return run
    path = definition.getSolutionPath()
    run.path = validator.configurations(path)
    if proved:
        og.PathSimplifier(si).simplify(path, SIMPLIFY)
        run.simplified = validator.configurations(path)
    return run


def is_certified(robot: kc.Robot, problem: Problem, path: np.ndarray) -> bool:
    """Tell whether every segment of a path is proved clear."""
    return bool(world_of(robot, problem).check_edges("panda", path[:-1].copy(), path[1:].copy()).clear.all())


def cross_check(robot: kc.Robot, problem: Problem, path: np.ndarray) -> None:
    """Stop unless `verify` calls the path clear too, as one motion, and unless it leads from the start to the goal."""
    assert (path[0] == problem.start).all(), problem.name
    assert np.abs(path[-1] - problem.goal).max() < 1e-9, problem.name
    world = world_of(robot, problem, path)
    verdict = world.verify(tolerance=SHARP, contacts="earliest", clearances=False, threads=1).verdict
    assert verdict is kc.Verdict.CLEAR, f"{problem.name}: verify says {verdict}"


def length(path: np.ndarray) -> float:
    """How long a path is in joint space [rad]."""
    return sum(float(np.linalg.norm(b - a)) for a, b in pairwise(path))


def print_peer(paths: Sequence[tuple[Problem, np.ndarray]]) -> None:
    """Print how many samples of the certified paths touch something according to pinocchio and coal."""
    try:
        peer = PinocchioSampled(Kinematics())
    except ImportError:
        print("pinocchio and coal are not installed: no samples of theirs")
        return
    touching = sum(peer.job(problem.obstacles, samples(path, STEP))() for problem, path in paths)
    print(
        f"samples every {STEP} rad by pinocchio + coal: {touching} of {len(paths)} certified paths touch something"
    )


def print_proved(robot: kc.Robot, runs: Sequence[Run]) -> None:
    """Print what was solved, certify every path before and after it was simplified, and list the rest."""
    solved = [run for run in runs if run.path is not None]
    unsolved = [run.problem.name for run in runs if run.path is None]
    kept = 0
    lengths, certified = [], []
    for run in solved:
        assert run.path is not None
        assert run.simplified is not None
        assert is_certified(robot, run.problem, run.path), run.problem.name
        cross_check(robot, run.problem, run.path)
        best = run.path
        if is_certified(robot, run.problem, run.simplified):
            kept, best = kept + 1, run.simplified
            cross_check(robot, run.problem, best)
        certified += [(run.problem, run.path), (run.problem, best)]
        lengths.append((length(run.path), length(best)))
    walls, motions = np.array([run.wall for run in runs]), sum(run.motions for run in runs)
    print(
        f"solved {len(solved)} of {len(runs)} ({len(solved) / len(runs):.1%}); all paths certified: each segment by"
    )
    print(f"check_edges, and each path as one motion by verify (tolerance {SHARP:g} m)")
    print(f"planning time: median {duration(float(np.median(walls)))}, ", end="")
    print(
        f"95 % within {duration(float(np.quantile(walls, 0.95)))}, worst {duration(float(walls.max()))} (wall)"
    )
    cpu = sum(run.cpu for run in runs)
    print(f"motions asked for: {motions}, {motions / cpu:.0f} per second of CPU, planner and states included")
    before, after = np.median(lengths, axis=0)
    print(
        f"simplified: {kept} of {len(solved)} certified again (otherwise the first path is returned), ",
        end="",
    )
    print(f"median length {before:.2f} rad, then {after:.2f} rad")
    print_peer(certified)
    print(f"not solved: {', '.join(unsolved) or 'none'}")


def print_sampled(robot: kc.Robot, runs: Sequence[Run]) -> None:
    """Print how many paths of the sampling planner collide."""
    solved = [run for run in runs if run.path is not None]
    wrong = 0
    for run in solved:
        assert run.path is not None
        world, q0, q1 = world_of(robot, run.problem), run.path[:-1].copy(), run.path[1:].copy()
        wrong += bool(world.check_edges("panda", q0, q1, tolerance=SHARP).colliding.any())
    median = duration(float(np.median([run.wall for run in runs])))
    print(
        f"\nthe same with OMPL's sampling validator at its default resolution, states exact: solved {len(solved)},"
    )
    print(f"median {median}; {wrong} of its paths collide (within {SHARP:g} m), and it does not say which")


def main(options: Sequence[str] = ()) -> None:
    """Print both tables."""
    asked = argparse.ArgumentParser(prog="python -m benchmarks plan")
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--seconds", type=float, default=10.0)
    asked.add_argument("--every", type=int, default=1)
    given = asked.parse_args(list(options))
    if not FOLDER.is_dir():
        print("\nplanning: skipped, the shared data folder is not beside this checkout")
        return
    try:
        from ompl import util as ou
    except ImportError:
        print('\nplanning: skipped, ompl is not installed (pip install "keepclear[plan]")')
        return
    ou.setLogLevel(ou.LOG_ERROR)
    ou.RNG.setSeed(given.seed)
    robot = kc.read_robot(URDF, SRDF)
    problems = read_problems(robot)[:: given.every]
    ends = [world_of(robot, p).check_configurations("panda", np.array([p.start, p.goal])) for p in problems]
    assert all(one.free.all() for one in ends)
    print(
        f"\n{len(problems)} problems of the Panda, RRTConnect (range {RANGE} rad), seed {given.seed}, ",
        end="",
    )
    print(f"{given.seconds:g} s each at most, one thread, exact meshes")
    runs: list[Any] = [plan(robot, problem, given.seconds, proved=True) for problem in problems]
    print_proved(robot, runs)
    print_sampled(robot, [plan(robot, problem, given.seconds, proved=False) for problem in problems])


if __name__ == "__main__":
    main()
