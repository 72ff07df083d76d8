"""Frames against single distances and first contacts, in random worlds with rules, robots, parts and meshes."""

from __future__ import annotations

import itertools
import math
import os
from typing import Any

import numpy as np
import pytest
from tests.unit.world.worlds import slider, swing

import keepclear as kc
from keepclear.world.contents.frame_contacts import FrameContacts

Array = np.ndarray
FAR = 0.05
PLAIN = os.environ.get("NUMBA_DISABLE_JIT") == "1"  # plain Python is a hundred times slower
SEEDS = range(2 if PLAIN else 12)


def rotation(rng: np.random.Generator, angle: float | None = None) -> Array:
    axis = rng.normal(size=3)
    axis /= np.linalg.norm(axis)
    w = rng.uniform(0.0, 2.0 * math.pi) if angle is None else angle
    K = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.asarray(np.eye(3) + math.sin(w) * K + (1.0 - math.cos(w)) * (K @ K))


def pose(rng: np.random.Generator, size: float) -> Array:
    X = np.eye(4)
    X[:3, :3], X[:3, 3] = rotation(rng), rng.uniform(-size, size, 3)
    return kc.nearest_rigid(X)


def moved(rng: np.random.Generator, X: Array, step: float, angle: float) -> Array:
    """A pose a little farther on, or the same one."""
    if rng.random() < 0.2:
        return X
    Y = X.copy()
    Y[:3, :3] = rotation(rng, rng.uniform(-angle, angle)) @ X[:3, :3]
    Y[:3, 3] += rng.normal(scale=step, size=3)
    return kc.nearest_rigid(Y)


def hull(rng: np.random.Generator, n: int) -> kc.Convex:
    points = rng.normal(size=(n, 3))
    return kc.Convex(rng.uniform(0.05, 0.1) * points / np.linalg.norm(points, axis=1)[:, None])


def some_shape(rng: np.random.Generator, kinds: int = 8) -> Any:
    d = rng.uniform(0.1, 0.2)
    k = int(rng.integers(kinds))
    if k == 0:
        return kc.Sphere(0.5 * d)
    if k == 1:
        return kc.Box(d * rng.uniform(0.3, 0.8, 3))
    if k == 2:
        return kc.Capsule(0.2 * d, 0.6 * d)
    if k == 3:
        return kc.Cylinder(0.3 * d, 0.8 * d)
    if k == 4:
        return kc.Ellipsoid(d * rng.uniform(0.2, 0.6, 3))
    if k in (5, 6):
        return hull(rng, 12 if k == 5 else 40)
    around = hull(rng, 20)
    return kc.Mesh(around.vertices * (1.0 + 0.3 * np.sin(40.0 * around.vertices[:, :1])), around.triangles)


def all_distances(bodies: dict[str, Any], X: dict[str, Array]) -> dict[tuple[str, str], Any]:
    return {
        (a, b): kc.distance(bodies[a], X[a], bodies[b], X[b])
        for a, b in itertools.combinations(sorted(bodies), 2)
    }


def check_row(found: FrameContacts, k: int, single: Any) -> None:
    """A row is the answer of a single call: bounds of both hold for one true distance, points are where they say."""
    assert found.lower[k] <= single.upper
    assert single.lower <= found.upper[k]
    assert found.distance[k] == pytest.approx(single.distance, abs=1e-7)
    assert (found.lower[k] > 0.0) == (found.state[k] == kc.State.SEPARATE)
    assert (found.state[k] > 0) == bool(single.colliding) or abs(single.distance) < 1e-12
    if found.distance[k] > 1e-6:
        assert np.linalg.norm(found.p_WB[k] - found.p_WA[k]) == pytest.approx(found.distance[k], abs=1e-9)
        assert found.p_WB[k] - found.p_WA[k] == pytest.approx(found.distance[k] * found.normal_W[k], abs=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_frames_are_single_distances(seed: int) -> None:
    rng = np.random.default_rng([seed, 1])
    n = 6 if PLAIN else 14
    names = [f"body_{k:02}" for k in rng.permutation(n)]
    bodies = {name: some_shape(rng) for name in names}
    X = {name: pose(rng, 0.3) for name in names}
    world = kc.World()
    for name in names:
        world.add(name, bodies[name], X[name])
    last: set[tuple[str, str]] = set()
    step = rng.choice([0.003, 0.02, 0.2])
    for frame in range(4 if PLAIN else 25):
        some = [name for name in names if rng.random() < 0.8] or names
        if frame == 0:
            some = names
        X |= {name: moved(rng, X[name], step, 10.0 * step) for name in some}
        world.update(some, np.array([X[name] for name in some]))
        found = world.contacts(far=FAR)
        expected = all_distances(bodies, X)
        near = {pair for pair, single in expected.items() if single.distance <= FAR}
        pairs = list(zip(found.a.tolist(), found.b.tolist(), strict=True))
        assert pairs == sorted(near)
        for k, pair in enumerate(pairs):
            check_row(found, k, expected[pair])
        assert set(found.began) == near - last
        assert set(found.ended) == last - near
        last = near


class RandomWorld:
    """A world with statics, rules, robots, an attached part and objects of several parts; and where everything is."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng, self.world, self.slow = rng, kc.World(), kc.World()
        self.X: dict[str, Array] = {}
        self.q: dict[str, Array] = {}
        for k in range(4):
            self._add(f"still_{k}", some_shape(rng))
        for k in range(5):
            self._add(f"body_{k}", some_shape(rng))
        parts = [(some_shape(rng, 7), pose(rng, 0.15)) for _ in range(3)]
        self._add("compound", parts)
        self._add("part", some_shape(rng, 7))
        for name, robot in (("arm", slider()), ("swing", swing())):
            X_WB, self.q[name] = pose(rng, 0.3), rng.uniform(-0.2, 0.2, len(robot.joint_names))
            for world in (self.world, self.slow):
                world.add_robot(name, robot, self.q[name], X_WB)
        self.world.attach("part", "arm/head", 1.0)
        self.X_LP = np.linalg.inv(self._head()) @ self.X["part"]
        self._rules()

    def _add(self, name: str, shape: Any) -> None:
        self.X[name] = pose(self.rng, 0.35)
        for world in (self.world, self.slow):
            world.add(name, shape, self.X[name])

    def _head(self) -> Array:
        robot = self.slow._objects["arm"]
        poses = slider().link_poses(self.q["arm"], robot.X_WB)  # type: ignore[union-attr]
        return np.asarray(poses[slider().link_names.index("head")])

    def _rules(self) -> None:
        rng = self.rng
        for world in (self.world, self.slow):
            world.allow("part", "arm/head")
            world.allow("body_0", "still_1")
            world.allow("body_1", "arm", t_from=1.5, t_to=3.0)
            world.allow("body_2", "body_3", t_from=2.5)
            world.set_margin("body_4", None, 0.08)
            world.set_margin("compound", "swing", 0.3)
            world.set_margin("still_2", "body_1", 0.01)
        if rng.random() < 0.3:
            for world in (self.world, self.slow):
                world.only(["body_1", "arm", ("compound", "still_0"), ("body_2", "body_3")])

    def advance(self, step: float) -> None:
        rng = self.rng
        names = ["body_0", "body_1", "body_2", "body_3", "body_4", "compound"]
        self.X |= {name: moved(rng, self.X[name], step, 10.0 * step) for name in names}
        self.q = {name: q + rng.normal(scale=step, size=len(q)) for name, q in self.q.items()}
        self.X["part"] = kc.nearest_rigid(self._head() @ self.X_LP)
        self.world.update([*names, *self.q], [*(self.X[name] for name in names), *self.q.values()])
        for name, q in self.q.items():
            self.slow.move(name, q)
        for name in (*names, "part"):
            self.slow.move(name, self.X[name])

    def margin(self, a: str, b: str) -> float:
        owners = {a.partition("/")[0], b.partition("/")[0]}
        if owners == {"compound", "swing"}:
            return 0.3
        if owners == {"still_2", "body_1"}:
            return 0.01
        return 0.08 if "body_4" in owners else 0.0

    def never_moves(self, a: str, b: str) -> bool:
        return (a.startswith("still") and b.startswith("still")) or {a, b} == {"arm/head", "arm/lamp"}


@pytest.mark.parametrize("seed", SEEDS)
def test_frames_of_worlds_are_distances_at_an_instant(seed: int) -> None:
    rng = np.random.default_rng([seed, 2])
    case, step, t = RandomWorld(rng), float(rng.choice([0.004, 0.03])), 1.0
    case.world.contacts(t=t)
    for _ in range(2 if PLAIN else 12):
        case.advance(step)
        found = case.world.contacts(far=FAR, t=t)
        expected = {
            (d.a, d.b): d
            for d in case.slow.distances(t, far=1.0)
            if d.distance <= max(FAR, case.margin(d.a, d.b)) and not case.never_moves(d.a, d.b)
        }
        pairs = list(zip(found.a.tolist(), found.b.tolist(), strict=True))
        assert pairs == sorted(expected)
        for k, pair in enumerate(pairs):
            assert found.distance[k] == pytest.approx(expected[pair].distance, abs=1e-7)
            assert found.lower[k] <= expected[pair].distance + 1e-9
            assert expected[pair].lower <= found.upper[k]
            assert found.margin[k] == case.margin(*pair)
        if rng.random() < 0.2:
            t = float(rng.choice([1.0, 1.75, 2.75, 3.5]))
        if rng.random() < 0.2:  # another question in between changes nothing
            case.world.distances(t)


@pytest.mark.parametrize("seed", SEEDS)
def test_contacts_between_frames_are_first_contacts(seed: int) -> None:
    rng = np.random.default_rng([seed, 3])
    n = 4 if PLAIN else 9
    names = [f"body_{k}" for k in range(n)]
    bodies = {name: some_shape(rng) for name in names}
    X = {name: pose(rng, 0.2) for name in names}
    margin = float(rng.choice([0.0, 0.01]))
    world = kc.World()
    for name in names:
        world.add(name, bodies[name], X[name])
        world.set_margin(name, None, margin)
    world.update(names, np.array([X[name] for name in names]))
    world.contacts(far=FAR)
    step = float(rng.choice([0.005, 0.05, 0.4]))
    colliding = 0
    for _ in range(1 if PLAIN else 6):
        before = X
        X = {name: moved(rng, X[name], step, min(3.0, 8.0 * step)) for name in names}
        world.update(names, np.array([X[name] for name in names]))
        found = world.contacts(far=FAR, between=True)
        rows = {pair: k for k, pair in enumerate(zip(found.a.tolist(), found.b.tolist(), strict=True))}
        for a, b in itertools.combinations(names, 2):
            motions = [kc.PoseTrajectory([0, 1], [before[name], X[name]], "screw") for name in (a, b)]
            contact = kc.first_contact(bodies[a], motions[0], bodies[b], motions[1], margin=margin)
            near = kc.distance(bodies[a], X[a], bodies[b], X[b]).distance <= max(FAR, margin)
            assert ((a, b) in rows) == (near or contact.verdict is kc.Verdict.COLLIDING)
            if (a, b) in rows:
                k = rows[a, b]
                assert found.verdict[k] is contact.verdict
                assert (found.time[k] == pytest.approx(contact.time, abs=1e-9)) or math.isnan(contact.time)
                assert math.isnan(found.time[k]) == (contact.verdict is kc.Verdict.CLEAR)
                colliding += contact.verdict is kc.Verdict.COLLIDING
    assert colliding > 0 or PLAIN


@pytest.mark.parametrize("seed", SEEDS)
def test_contacts_of_robots_between_frames_are_those_of_verify(seed: int) -> None:
    rng = np.random.default_rng([seed, 4])
    case = RandomWorld(rng)
    case.world.update(["arm", "swing"], list(case.q.values()))
    case.world.contacts(t=1.0)
    for _ in range(1 if PLAIN else 4):
        q, X = case.q, dict(case.X)
        case.advance(0.1)
        found = case.world.contacts(far=FAR, t=1.0, between=True)
        world = kc.World()  # the same frame as a world over time
        for name, robot in (("arm", slider()), ("swing", swing())):
            program = kc.JointTrajectory(robot, [0, 1], [q[name], case.q[name]])
            world.add_robot(name, robot, program, case.slow._objects[name].X_WB)  # type: ignore[union-attr]
        for name in ("body_0", "body_1", "body_2", "body_3", "still_0", "still_3"):
            both = [X[name], case.X[name]]
            shape = case.slow._objects[name].body  # type: ignore[union-attr]
            world.add(name, shape, kc.PoseTrajectory([0, 1], both, "screw"))
        rows = {pair: k for k, pair in enumerate(zip(found.a.tolist(), found.b.tolist(), strict=True))}
        excluded = case.world._present_scene().pair_rules
        numbers = {name: k for k, name in enumerate(case.world._present_scene().names)}
        for a, b in itertools.combinations(sorted(numbers), 2):
            known = {a, b} <= set(world._present_scene().names)
            key = np.array([numbers[a] * len(numbers) + numbers[b]])
            if not known or not excluded.is_checked(key)[0] or case.never_moves(a, b):
                continue
            contact = world.first_contact(a, b, margin=case.margin(a, b), t0=0.0, t1=1.0)
            verdict = found.verdict[rows[a, b]] if (a, b) in rows else kc.Verdict.CLEAR
            assert verdict is contact.verdict, (a, b)
            if verdict is kc.Verdict.COLLIDING:
                assert found.time[rows[a, b]] == pytest.approx(contact.time, abs=1e-3)
