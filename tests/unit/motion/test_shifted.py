"""Frames that are fixed in moving ones: poses at all times, in local time too, and bounds of what comes back."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from tests.oracles.poses import random_pose
from tests.unit.world.worlds import drive, swing

import keepclear as kc
from keepclear.motion import travel
from keepclear.motion.local_time import LocalMotion
from keepclear.motion.motion import MOTION_TABLE, shifted_motion


def turning() -> kc.PoseTrajectory:
    rng = np.random.default_rng(4)
    return kc.PoseTrajectory([0.0, 1.0, 2.5], [random_pose(rng, 1.0) for _ in range(3)], "linear")


def at(x: float) -> np.ndarray:
    X = np.eye(4)
    X[0, 3] = x
    return X


def test_parts_of_what_turns_while_it_moves_straight_are_where_it_takes_them() -> None:
    rng, motion = np.random.default_rng(5), turning()
    X, Y = random_pose(rng, 2.0), random_pose(rng, 3.0)
    part = shifted_motion(motion, X, 1.0)
    times = np.array([-1.0, 0.0, 0.3, 1.0, 1.7, 2.5, 4.0])
    assert isinstance(part, kc.PoseTrajectory)
    assert np.allclose(part.pose(times), motion.pose(times) @ X, rtol=0.0, atol=4e-15)
    twice = shifted_motion(part, Y, 1.0)
    assert np.allclose(twice.pose(times), motion.pose(times) @ X @ Y, rtol=0.0, atol=1e-14)
    Y[:3, 3] = 0.0
    assert np.allclose(
        shifted_motion(part, Y, 1.0).pose(times), motion.pose(times) @ X @ Y, rtol=0.0, atol=1e-14
    )
    again = pickle.loads(pickle.dumps(twice))
    assert np.array_equal(again.pose(times), twice.pose(times))
    steps = np.array([-0.5, 0.0, 0.25, 1.0, 1.5, 2.5, 3.0])
    local = LocalMotion(twice, steps)
    for k, share in ((0, 0.5), (1, 0.3), (2, 0.75), (3, 0.0), (4, 0.9), (5, 0.5)):
        t = steps[k] + share * (steps[k + 1] - steps[k])
        assert np.allclose(local.pose(k + share), twice.pose(t), rtol=0.0, atol=4e-15)


def test_a_part_does_not_pass_for_a_body_with_the_same_samples() -> None:
    motion = turning()
    part = shifted_motion(motion, at(1.0), 0.0)
    assert isinstance(part, kc.PoseTrajectory)
    assert np.array_equal(part.X_W, motion.X_W)
    moves = MOTION_TABLE[motion].moves
    paths = [moves(one) for one in (motion, turning(), part)]
    assert paths[0] is not None
    assert paths[1] is not None
    assert paths[2] is not None
    assert paths[0].path == paths[1].path != paths[2].path


@pytest.mark.parametrize("halvings", [0, 8])
def test_a_part_that_comes_back_has_been_away(halvings: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(travel, "HALVINGS", halvings)
    angle = 3.1
    X_W = np.tile(np.eye(4), (2, 1, 1))
    X_W[1, :2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    X_W[1, :2, 3] = 1.0 - np.cos(angle), -np.sin(angle)
    part = shifted_motion(kc.PoseTrajectory([0, 1], X_W, "linear"), at(1.0), 0.0)
    assert np.abs(part.pose(1.0)[:3, 3] - part.pose(0.0)[:3, 3]).max() < 1e-15
    poses = part.pose(np.linspace(0.0, 1.0, 1001))
    away = np.linalg.norm(poses[:, :3, 3] - poses[0, :3, 3], axis=1).max()
    assert away <= part.displacement(0.0, 0.0, 1.0)
    assert part.displacement(0.0, 0.0, 1.0) <= (1.02 if halvings else 3.0) * away


def links() -> list[kc.Motion]:
    """Motions of a link that turns, of one that slides, and of one that rests."""
    rng, robot = np.random.default_rng(6), swing()
    turns = kc.JointTrajectory(robot, [0.0, 1.0, 3.0], [[0.0], [2.0], [-1.0]])
    slides = drive([0.0, 1.0, 3.0], [0.0, 2.0, 3.0], [0.0, 0.2, 0.1])
    rests = kc.JointTrajectory(robot, [0.0, 3.0], [[0.5], [0.5]])
    return [
        program.link(program.robot.link_names[-1], random_pose(rng, 1.0))
        for program in (turns, slides, rests)
    ]


@pytest.mark.parametrize("k", range(3))
def test_parts_of_links_are_where_these_take_them(k: int) -> None:
    rng, link = np.random.default_rng(7), links()[k]
    X = random_pose(rng, 5.0)
    part = shifted_motion(link, X, 1.0)
    assert type(part) is type(link)
    times = np.linspace(-0.5, 3.5, 400)
    poses = part.pose(times)
    assert np.allclose(poses, link.pose(times) @ X, rtol=0.0, atol=2e-14)
    assert part.rests(0.0, 3.0) == (k == 2)
    corner = poses[:, :3, :3] @ [0.1, 0.2, 0.3] + poses[:, :3, 3]
    walked = np.linalg.norm(np.diff(corner, axis=0), axis=1).sum()
    length = part.path_length(kc.Box([0.2, 0.4, 0.6]), -0.5, 3.5)
    assert walked * (1.0 - 1e-12) <= length <= 1.2 * walked + 1e-9
    cubics = part.cubic(0.0, 3.0, 1.0, 1e-4)
    for i in range(len(cubics.control)):
        control, t0, t1 = cubics.control[i], *cubics.times[i : i + 2]
        for s in (0.25, 0.5, 0.75):
            weights = [(1 - s) ** 3, 3 * s * (1 - s) ** 2, 3 * s * s * (1 - s), s**3]
            off = (np.tensordot(weights, control, 1) - part.pose(t0 + s * (t1 - t0)))[:3]
            assert np.linalg.norm(off[:, 3]) <= cubics.error


def test_a_part_of_a_link_meets_what_a_body_around_the_axis_meets() -> None:
    link = links()[0]
    X, wall = random_pose(np.random.default_rng(8), 0.5), kc.Box([0.3, 0.3, 0.3])
    X_WW = link.pose(0.8) @ X
    box = kc.Box([0.1, 0.2, 0.3])
    corners = np.array([[x, y, z] for x in (-0.05, 0.05) for y in (-0.1, 0.1) for z in (-0.15, 0.15)])
    moved = kc.Convex(corners @ X[:3, :3].T + X[:3, 3])
    as_part = kc.first_contact([(box, X)], link, wall, X_WW, 1e-6)
    as_whole = kc.first_contact(moved, link, wall, X_WW, 1e-6)
    assert as_part.verdict is as_whole.verdict is kc.Verdict.COLLIDING
    assert as_part.time == pytest.approx(as_whole.time, abs=1e-5)
    assert as_part.method == as_whole.method
    near = kc.clearance([(box, X)], link, wall, X_WW, 1e-6, t1=as_whole.t_lo - 0.1)
    same = kc.clearance(moved, link, wall, X_WW, 1e-6, t1=as_whole.t_lo - 0.1)
    assert max(near.lower, same.lower) <= min(near.upper, same.upper)
