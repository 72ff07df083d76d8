"""Edges and configurations of random robots among random things, beside `verify` and single distances."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.oracles.poses import random_pose
from tests.oracles.robot_random import random_arm, some_thing

import keepclear as kc

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")  # of robots that have nothing to touch
TOLERANCE = 1e-3
LENGTHS = (0.05, 0.3, 1.0, 3.0)  # of edges [rad or m]
NEAR = 1e-9  # what rounding may decide [m]


class Case:
    """A robot that may hold a part, perhaps another one at rest, and things around them."""

    def __init__(self, seed: int, folder: Path) -> None:
        rng = self.rng = np.random.default_rng(seed)
        self.robot = kc.read_robot(random_arm(rng, folder, "r0", int(rng.integers(3, 7)))[0])
        self.X_WB = random_pose(rng, 0.3) if rng.random() < 0.5 else np.eye(4)
        self.other = kc.read_robot(random_arm(rng, folder, "r1", 3)[0]) if rng.random() < 0.3 else None
        self.X_other, self.q_other = random_pose(rng, 0.8), rng.normal(size=10)
        self.things = [
            (
                [(some_thing(rng).library(), np.eye(4)) for _ in range(int(rng.integers(1, 3)))],
                random_pose(rng, 0.6),
            )
            for _ in range(int(rng.integers(1, 5)))
        ]
        self.held = str(rng.choice(self.robot.link_names)) if rng.random() < 0.4 else ""
        self.X_LP = random_pose(rng, 0.4)
        self.margin = float(rng.choice([0.0, 0.0, 0.01, 0.05]))
        self.home = rng.normal(size=self.robot.dof)

    def world(self, q: np.ndarray, motion: Any = None) -> kc.World:
        """A world in which the robot is at q at the time 0, with this motion or at rest."""
        world = kc.World(threads=1)
        world.add_robot("arm", self.robot, q if motion is None else motion, self.X_WB)
        if self.other is not None:
            world.add_robot("other", self.other, self.q_other[: self.other.dof], self.X_other)
        for k, (parts, X) in enumerate(self.things):
            world.add(f"thing{k}", parts, X)
        if self.margin:
            world.set_margin("thing0", None, self.margin)
        if self.held:
            X_WL = self.robot.link_poses(q, self.X_WB)[self.robot.link_index(self.held)]
            world.add("part", kc.Box([0.05, 0.1, 0.2]), kc.nearest_rigid(X_WL @ self.X_LP))
            world.attach("part", f"arm/{self.held}", 0.0)
        return world

    def edges(self, n: int) -> tuple[np.ndarray, np.ndarray]:
        q0, d = self.rng.normal(size=(2, n, self.robot.dof))
        d *= (self.rng.choice(LENGTHS, size=n) / np.linalg.norm(d, axis=1))[:, None]
        return q0, q0 + d

    def beyond_margin(self, pair: Any, distance: float) -> float:
        """What a distance leaves of the margin [m]."""
        return distance - (self.margin if "thing0" in pair else 0.0)

    def distances(self, q: np.ndarray) -> dict[frozenset[str], float]:
        return {frozenset((p.a, p.b)): p.distance for p in self.world(q).distances(0.0)}


def edge_faults(case: Case, q0: np.ndarray, q1: np.ndarray) -> list[str]:
    """Everything that is wrong with the answers about an edge."""
    home, moving = case.world(case.home), case.world(q0, kc.JointTrajectory(case.robot, [0, 1], [q0, q1]))
    any_one = home.check_edges("arm", q0[None], q1[None], tolerance=TOLERANCE)
    first = home.check_edges("arm", q0, q1, tolerance=TOLERANCE, earliest=True)
    report = moving.verify(tolerance=TOLERANCE, clearances=False, contacts="earliest", threads=1)
    told = f"{any_one.verdict[0]}, {first.verdict[0]}, verify {report.verdict}"
    if not (any_one.verdict[0] is first.verdict[0] is report.verdict):
        full = moving.verify(tolerance=1e-6, far=1.0, threads=1)
        left = min(p.clearance_lower - p.margin for p in full.pairs)
        return [] if 0.0 <= left <= TOLERANCE + 1e-6 else [f"{told}, but {left} is left of a margin"]
    if report.verdict is not kc.Verdict.COLLIDING:
        return [] if any_one.t_lo[0] == 1.0 and any_one.pair(0) is None else [f"{told}, t_lo {any_one.t_lo}"]
    faults = []
    time = min(p.time for p in report.pairs if p.verdict is kc.Verdict.COLLIDING)
    for one in (any_one, first):
        pair, s = one.pair(0), float(one.time[0])
        if one.t_lo[0] > time + NEAR or one.t_lo[0] > s:
            faults.append(f"MISSED: {told}, clear until {one.t_lo[0]}, contact at {time}")
        here = case.distances(q0 + s * (q1 - q0))[frozenset(pair)]
        if case.beyond_margin(pair, here) > TOLERANCE + NEAR:
            faults.append(f"FALSE: {told}, {pair} at {s} are {here} apart")
    if first.time[0] > time + 1e-6 or first.time[0] - first.t_lo[0] > 1e-6:
        faults.append(f"{told}: earliest between {first.t_lo[0]} and {first.time[0]}, but {time}")
    return faults


def configuration_faults(case: Case, n: int) -> list[str]:
    """Everything that is wrong with the answers about some configurations."""
    faults = []
    home, (q, _) = case.world(case.home), case.edges(n)
    way = kc.JointTrajectory(case.robot, [0, 1], [case.home, case.home + 1.0])
    report = case.world(case.home, way).verify(clearances=False, budget=1, threads=1)
    there = case.distances(case.home), case.distances(case.home + 1.0)
    if there[0] == there[1]:  # no link that moves has a body: `verify` then checks the world as it stands
        return [] if found_free(case, home, q) else ["contact of a robot without bodies that move"]
    # A part and the link that holds it moved relative to each other before, but no joint moves them.
    checked = {frozenset((pair.a, pair.b)) for pair in report.pairs}
    checked = {pair for pair in checked if "part" not in pair or there[0][pair] != there[1][pair]}
    found, covers = home.check_configurations("arm", q), home.check_configurations("arm", q, settle=False)
    for k in range(n):
        distances = {pair: d for pair, d in case.distances(q[k]).items() if pair in checked}
        left = min((case.beyond_margin(pair, d) for pair, d in distances.items()), default=np.inf)
        told = f"configuration {k} leaves {left}: colliding {found.colliding[k]} {found.pair(k)}"
        if abs(left) > NEAR and (left <= 0.0) != found.colliding[k]:
            faults.append(told)
        if (covers.free[k] and left <= 0.0) or covers.gap[k] > max(
            0.0, min(distances.values(), default=np.inf)
        ) + NEAR:
            faults.append(f"{told}; by covers free {covers.free[k]}, gap {covers.gap[k]}")
    return faults


def found_free(case: Case, home: kc.World, q: np.ndarray) -> bool:
    """Whether all configurations are free; or some distances are zero whatever the robot does."""
    return bool(home.check_configurations("arm", q).free.all()) or 0.0 in case.distances(case.home).values()


@pytest.mark.parametrize("seed", range(16))
def test_edges_agree_with_verify_and_with_distances(seed: int, tmp_path: Path) -> None:
    case = Case(seed, tmp_path)
    assert [fault for ends in zip(*case.edges(3), strict=True) for fault in edge_faults(case, *ends)] == []


@pytest.mark.parametrize("seed", range(100, 112))
def test_configurations_agree_with_distances(seed: int, tmp_path: Path) -> None:
    assert configuration_faults(Case(seed, tmp_path), 5) == []
