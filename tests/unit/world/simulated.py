"""Worlds that are simulated, and what exact shapes say about each of their steps."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from tests.unit.world.worlds import at, cube, drive, gate, number, scene, slider, way

import keepclear as kc

FREE, MAY_TOUCH, CONTACT = kc.Step.FREE, kc.Step.MAY_TOUCH, kc.Step.CONTACT


def passing(y: float = 0.15) -> kc.World:
    """A ball that passes a post of 0.1 m at x = 0.5 within 1 s."""
    world = kc.World()
    world.add("ball", kc.Sphere(0.1), way([0, 1], (0, 0, 0), (1, 0, 0)))
    world.add("post", kc.Box([0.1, 0.1, 0.5]), at(0.5, y))
    return world


def near_miss() -> kc.World:
    """A ball of 0.1 m that comes within 2 mm of an edge along its path at 0.45 s; boxes and balls overlap then."""
    world = kc.World()
    edge = 0.102 * math.sqrt(0.5)
    world.add("ball", kc.Sphere(0.1), way([0, 1], (0, 0, 0), (1, 0, 0)))
    world.add("post", kc.Box([0.1, 0.1, 0.5]), at(0.5, edge + 0.05, edge + 0.25))
    return world


def moving_now(world: kc.World, t: float) -> set[tuple[str, str]]:
    """Return pairs in contact that first move at t: `verify` checks them from then on, `collisions` after it."""
    tables = scene(world)
    return {
        (a, b)
        for a, b in world.collisions(t)
        if tables.frames.unchecked_until(number(tables, a), number(tables, b)) == t
    }


def check_against_oracle(world: kc.World, times: list[float], accuracy: float | None) -> tuple[int, int]:
    """Compare each step with `collisions` and `distances`; return how many are contacts, and possible contacts."""
    exact = world.simulate(times=times, models="exact", stop=False)
    covers = world.simulate(times=times, models="spheres", accuracy=accuracy, stop=False)
    assert exact.times.tolist() == covers.times.tolist() == list(times)
    for k, t in enumerate(times):
        colliding = set(world.collisions(t, at_rest=False)) | moving_now(world, t)
        assert {pair[:2] for pair in exact.pairs(k)} == colliding, t
        assert exact.steps[k] is (CONTACT if colliding else FREE), t
        found = {pair[:2]: pair for pair in covers.pairs(k)}
        assert colliding <= found.keys(), t  # no contact is missed
        distance = {(d.a, d.b): d.distance for d in world.distances(t)}
        for names, pair in found.items():
            if pair.step is CONTACT:  # a body inside a solid
                assert names in colliding, t
            else:
                assert distance[names] <= pair.gap, t
        worst = [pair.step for pair in covers.pairs(k)]
        assert covers.steps[k] is (CONTACT if CONTACT in worst else MAY_TOUCH if worst else FREE)
        gaps = [pair.gap for pair in covers.pairs(k)]
        if covers.steps[k] is MAY_TOUCH:
            assert covers.gap[k] == min(gaps)
        else:
            assert math.isnan(covers.gap[k])
    return int((exact.steps == CONTACT).sum()), int((covers.steps == MAY_TOUCH).sum())


def random_world(seed: int) -> kc.World:
    """Bodies of all kinds that move through each other, with rules, windows, margins and an attachment."""
    rng = np.random.default_rng(seed)
    world = kc.World()
    shapes: list[Any] = [
        kc.Sphere(0.15), kc.Box([0.4, 0.2, 0.3]), kc.Capsule(0.08, 0.3), kc.Cylinder(0.1, 0.3),
        kc.Ellipsoid([0.2, 0.1, 0.1]), kc.Convex(rng.normal(size=(12, 3)) * 0.12), cube(0.3), gate(0.2),
        kc.Mesh([[0, 0, 0], [0.4, 0, 0], [0, 0.4, 0], [0.4, 0.4, 0.1]], [[0, 1, 2], [1, 3, 2]]),
        [(kc.Sphere(0.1), at(0.15, 0)), (kc.Box([0.1, 0.3, 0.1]), at(-0.1, 0))],
    ]  # fmt: skip
    for k, shape in enumerate(shapes):
        places = rng.uniform(-0.6, 0.6, (4, 3))
        X_W = np.tile(np.eye(4), (4, 1, 1))
        for j in range(4):
            q, r = np.linalg.qr(rng.normal(size=(3, 3)))
            X_W[j, :3, :3] = q * np.sign(np.diag(r)) * np.sign(np.linalg.det(q * np.sign(np.diag(r))))
        kind = rng.choice(["rest", "screw", "straight", "cubic"])
        if kind == "screw":
            X_W[:, :3, 3] = places
            world.add(f"o{k}", shape, kc.PoseTrajectory([0, 1, 2, 3], X_W, "screw"))
        elif kind == "straight":
            world.add(f"o{k}", shape, kc.PoseTrajectory.from_positions([0, 1, 2, 3], places))
        elif kind == "cubic":
            small = np.tile(X_W[0], (4, 1, 1))
            for j, angle in enumerate(0.05 * np.arange(4)):
                turn = np.eye(3)
                turn[:2, :2] = [[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]]
                small[j, :3, :3] = turn @ X_W[0, :3, :3]
            small[:, :3, 3] = places
            world.add(f"o{k}", shape, kc.PoseTrajectory([0, 1, 2, 3], small, "cubic"))
        else:
            X_W[0, :3, 3] = places[0]
            world.add(f"o{k}", shape, X_W[0])
    rail = rng.uniform(-0.6, 0.6, 4).tolist()
    base = at(0, float(rng.uniform(-0.4, 0.4)))
    world.add_robot("arm", slider(), drive([0, 1, 2, 3], rail, rng.uniform(-0.2, 0.2, 4).tolist()), base)
    world.add("part", cube(0.1), at(rail[1], float(base[1, 3]), -0.16))
    world.attach("part", "arm/head", 1.0, 2.25)
    world.allow("part", "arm")
    names = [f"o{k}" for k in range(len(shapes))]
    for _ in range(4):
        a, b = rng.choice(names, 2, replace=False)
        start = float(rng.uniform(0, 2))
        world.allow(a, b, t_from=start, t_to=start + 0.5)
    a, b = rng.choice(names, 2, replace=False)
    world.allow(a, b)
    for _ in range(3):
        a, b = rng.choice(names, 2, replace=False)
        world.set_margin(a, b, float(rng.uniform(0, 0.1)))
    world.set_margin("arm", None, 0.02)
    if seed % 3 == 0:
        world.only([str(name) for name in rng.choice(names, 4, replace=False)])
    return world
