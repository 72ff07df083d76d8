"""Robot paths, edges, configurations and poses; frame loops; crowds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

import keepclear as kc
from benchmarks import frames
from benchmarks.crowd_cases import place, same_density, started
from benchmarks.crowd_peers import STEPS, Stepped, kd_tree_finder
from benchmarks.edges import read_rooms
from benchmarks.evidence.question import Question
from benchmarks.forward_kinematics import peer_job
from benchmarks.panda import STEP, proved, read_paths, world_of
from benchmarks.panda_peers import FOLDER, SRDF, URDF, Kinematics, MujocoHulls, PinocchioSampled, samples

PATHS, EDGES, CONFIGURATIONS = 5, 20, 400
SECONDS = 1.0  # of crowds


def questions() -> Iterator[Question]:
    """Yield the rows of robots, frame loops and crowds."""
    if FOLDER.is_dir():
        yield from _robot()
    yield from _frames()
    yield from _crowds()


def _robot() -> Iterator[Question]:
    robot, arm = kc.read_robot(URDF, SRDF), Kinematics()
    pinocchio = PinocchioSampled(arm)
    for label, is_hit in (("free", False), ("colliding", True)):
        paths = [path for path in read_paths() if path.is_hit is is_hit][::PATHS]
        worlds = [world_of(robot, path) for path in paths]
        jobs = [pinocchio.job(path.obstacles, samples(path.waypoints, STEP)) for path in paths]
        yield Question(
            f"robot path proved, {label}",
            f"{len(paths)} labelled paths of a seven-joint arm among about 12 obstacles; peer: every {STEP} rad",
            lambda worlds=worlds: [proved(world, "earliest contact") for world in worlds],
            {"pinocchio": lambda jobs=jobs: [job() for job in jobs]},
            len(paths),
            3,
        )
    for length in (0.2, 1.0):
        rooms = read_rooms(robot, length, 2 * EDGES * len(read_paths()))[::8]
        ask = [
            pinocchio.job(room.path.obstacles, samples(np.stack([q0, q1]), STEP))
            for room in rooms
            for q0, q1 in list(zip(room.q0, room.q1, strict=True))[::8]
        ]
        some = [(room.world, room.q0[::8].copy(), room.q1[::8].copy()) for room in rooms]
        yield Question(
            f"planner edges of {length} rad",
            f"{len(ask)} edges, half cut from paths, half uniform within limits; peer: every {STEP} rad",
            lambda some=some: [w.check_edges("panda", q0, q1, threads=1) for w, q0, q1 in some],
            {"pinocchio": lambda ask=ask: [job() for job in ask]},
            len(ask),
            3,
        )
    rng, room = np.random.default_rng(16), read_rooms(robot, 0.2, 200)[8]
    q = rng.uniform(robot.lower, robot.upper, size=(CONFIGURATIONS, robot.dof))
    peers: dict[str, Callable[[np.ndarray], bool]] = {"pinocchio": pinocchio.question(room.path.obstacles)}
    try:
        peers["mujoco, hulls"] = MujocoHulls().question(room.path.obstacles)
    except ImportError:
        print("mujoco is not installed, so configurations are beside pinocchio alone")
    yield Question(
        "robot configurations in a batch",
        f"{CONFIGURATIONS} uniform within limits",
        partial(room.world.check_configurations, "panda", q, threads=1),
        {name: partial(_ask_all, ask, q) for name, ask in peers.items()},
        len(q),
        5,
    )
    yield Question(
        "poses of all links, batch of 1 000",
        "uniform within limits",
        partial(robot.link_poses, np.repeat(q, 3, axis=0)[:1000]),
        {"pinocchio": peer_job(URDF, np.repeat(q, 3, axis=0)[:1000])},
        1000,
    )


def _ask_all(question: Callable[[np.ndarray], bool], q: np.ndarray) -> list[bool]:
    return [question(one) for one in q]


def _frames() -> Iterator[Question]:
    rng = np.random.default_rng(7)
    for n, meshes in ((200, False), (2000, False), (200, True)):
        shapes = frames.mesh_shapes(rng, n) if meshes else frames.convex_shapes(rng, n)
        X = frames.paths(rng, n, 40)
        coal = frames.CoalMeshes if meshes else frames.Coal
        made: dict[str, Any] = {kind.__name__: kind(shapes, X) for kind in (frames.Ours, coal, frames.ByHand)}
        jobs = {
            name: lambda one=one, X=X: [one.frame(X[f]) for f in range(len(X))] for name, one in made.items()
        }
        yield Question(
            f"frame loop, {n} {'meshes of 1 000 triangles' if meshes else 'convex bodies'}",
            "10 to 20 cm, one per cube of 0.35 m, 0.3 m/s, 60 Hz, pairs nearer than 5 cm",
            jobs["Ours"],
            {"coal": jobs[coal.__name__], "cKDTree and trackers by hand": jobs["ByHand"]},
            len(X),
            3,
        )


def _crowds() -> Iterator[Question]:
    for n in (1_000, 10_000):
        setting = place(n, same_density(n))
        stepped = Stepped(setting, kd_tree_finder(setting.radii))
        yield Question(
            f"crowd of {n} spheres, a simulated second",
            f"radii 0.1 to 10 m, random forces, elastic impacts; building included; peer: {STEPS} steps",
            lambda setting=setting: started(setting).advance(SECONDS),
            {"cKDTree and numpy": partial(stepped.step, STEPS)},
            1,
            3,
        )
