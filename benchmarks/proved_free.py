"""Configurations of a Panda among twenty boxes: proved free by spheres, exact, and beside mujoco and pinocchio.

All are asked about the same configurations in one run, uniform within limits; the peers one by one, keepclear in one
batch. `--truth N` proves N configurations, in the rooms of the labelled paths and among boxes, and stops if one of them
collides by `check_configurations`, or if one that is not proved is farther from contact than the model's bound.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

import keepclear as kc
from benchmarks.edges import read_rooms
from benchmarks.harness import best_times
from benchmarks.panda_peers import SRDF, URDF, Kinematics, MujocoHulls, Obstacle, PinocchioSampled

CONFIGURATIONS, PEER_CONFIGURATIONS, ROUNDS, N_BOXES = 100_000, 2_000, 5, 20
MODELS = (("80 spheres", 80), ("160 spheres", 160), ("256 spheres", 256))
ROUNDING = 1e-5  # 4e-6 of distances from the base, which are below 2.5 m [m]


def make_boxes(seed: int, n: int = N_BOXES) -> list[Obstacle]:
    """Return boxes with edges of 50 to 300 mm, turned anyhow, within reach of the arm and away from its base."""
    rng, found = np.random.default_rng(seed), list[Obstacle]()
    while len(found) < n:
        p, size = rng.uniform([-0.9, -0.9, 0.0], [0.9, 0.9, 1.1]), rng.uniform(0.05, 0.3, 3)
        R = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        if np.hypot(p[0], p[1]) < 0.25 + 0.5 * np.linalg.norm(size):
            continue
        X = np.eye(4)
        X[:3, :3], X[:3, 3] = R * np.linalg.det(R), p
        found.append(Obstacle(f"box{len(found)}", "box", tuple(size.tolist()), X))
    return found


def make_world(robot: kc.Robot, boxes: Sequence[Obstacle]) -> kc.World:
    """Return the arm among boxes."""
    world = kc.World(threads=1)
    world.add_robot("panda", robot)
    for box in boxes:
        world.add(box.name, kc.Box(box.size), box.X_W)
    return world


def print_times(robot: kc.Robot, n: int) -> None:
    """Print times per configuration and shares that are proved, for models and peers."""
    boxes = make_boxes(20)
    world = make_world(robot, boxes)
    q = np.random.default_rng(1).uniform(robot.lower, robot.upper, size=(n, robot.dof))
    some = q[:PEER_CONFIGURATIONS]
    names, jobs, sizes, shares = ["exact"], [partial(world.check_configurations, "panda", q)], [n], []
    exact = world.check_configurations("panda", q).free
    shares.append(exact.mean())
    for name, most in MODELS:
        model = robot.sphere_model(max_spheres=most)
        free = world.proved_free("panda", q, model=model)
        assert not (free & ~exact).any()
        names += [f"{name}, {1e3 * model.excess:.1f} mm", "  and the rest exact"]
        jobs += [partial(world.proved_free, "panda", q, model=model), partial(_both, world, q, model)]
        sizes += [n, n]
        shares += [free.mean(), exact.mean()]
    names.append("hulls, with gap")
    jobs.append(partial(world.check_configurations, "panda", some, settle=False))
    sizes.append(len(some))
    shares.append(world.check_configurations("panda", q, settle=False).free.mean())
    peers: list[MujocoHulls | PinocchioSampled] = []  # pinocchio needs them alive
    for name, make in (("mujoco", MujocoHulls), ("pinocchio", lambda: PinocchioSampled(Kinematics()))):
        try:
            peers.append(make())
        except ImportError:
            print(f"{name} is not installed")
            continue
        question = peers[-1].question(boxes)
        names.append(name)
        jobs.append(partial(_ask_all, question, some))
        sizes.append(len(some))
        shares.append(1.0 - np.mean(_ask_all(question, some)))
    times = best_times(jobs, 1, ROUNDS)
    print(f"\n{n} configurations of the Panda, {N_BOXES} boxes: {100 * shares[0]:.1f} % free")
    print(f"{'':<26}{'us each':>10}{'called free':>14}")
    for name, t, size, share in zip(names, times, sizes, shares, strict=True):
        print(f"{name:<26}{1e6 * t / size:10.2f}{100 * share:12.1f} %")


def _both(world: kc.World, q: np.ndarray, model: kc.SphereModel) -> np.ndarray:
    """Return which are free: proved by spheres, the others asked exactly."""
    free = world.proved_free("panda", q, model=model)
    left = np.flatnonzero(~free)
    free[left] = world.check_configurations("panda", q[left]).free
    return free


def _ask_all(question: Callable[[np.ndarray], bool], q: np.ndarray) -> list[bool]:
    return [question(one) for one in q]


def compare_with_truth(robot: kc.Robot, n: int) -> None:
    """Stop where a configuration that collides is called free, or a far one is not."""
    rng, worlds = np.random.default_rng(18), [room.world for room in read_rooms(robot, 0.2, 200)]
    worlds += [make_world(robot, make_boxes(seed)) for seed in range(26)]
    model = robot.sphere_model(max_spheres=256)
    wrong = far = proved = free = done = 0
    for k, world in enumerate(worlds):
        size = n * (k + 1) // len(worlds) - n * k // len(worlds)
        q = rng.uniform(robot.lower, robot.upper, size=(size, robot.dof))
        margin = None if k % 3 else 0.01
        is_proved = world.proved_free("panda", q, model=model, margin=margin)
        exact = world.check_configurations("panda", q, margin=margin).free
        within = (margin or 0.0) + 2.0 * model.excess + ROUNDING
        wrong += np.count_nonzero(is_proved & ~exact)
        far += np.count_nonzero(world.check_configurations("panda", q[~is_proved], margin=within).free)
        proved, free, done = proved + is_proved.sum(), free + exact.sum(), done + size
    print(f"{done} configurations in {len(worlds)} rooms, {free} free, {proved} proved so by {model}")
    print(f"colliding ones proved free: {wrong}; beyond the bound of the gap and not proved: {far}")
    assert wrong == 0
    assert far == 0


def main(options: Sequence[str] = ()) -> None:
    """Print all tables."""
    robot = kc.read_robot(URDF, SRDF)
    if "--truth" in options:
        compare_with_truth(robot, int(options[list(options).index("--truth") + 1]))
        return
    print_times(robot, CONFIGURATIONS // (10 if "--quick" in options else 1))


if __name__ == "__main__":
    main()
