"""Contacts between frames: path lengths are not too short, and margins and slacks of both bodies count."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from tests.oracles.poses import pose, random_rotation
from tests.unit.world.worlds import at, drive, scene, slider

import keepclear as kc
from keepclear.scene import frame_table
from keepclear.scene.frame_table import FrameTable
from keepclear.world.contents.frame_loop import HALF_TURN, _Steps

WRONG = 2.0**-7


def table_of(*bodies: tuple[Any, np.ndarray, np.ndarray]) -> FrameTable:
    """A table of bodies a, b, ... with their poses in the last frame and in this one."""
    world = kc.World()
    for name, (body, X, _) in zip("ab", bodies, strict=False):
        world.add(name, body, X)
    table = FrameTable(scene(world), 0.0, ("a", "b"))
    for g, (_, _, Y) in enumerate(bodies):
        table.X[g] = Y
    return table


def path_length(body: Any, X: np.ndarray, Y: np.ndarray) -> float:
    table = table_of((body, X, Y))
    table.X_last[0], table.X[0] = X, Y
    return float(_Steps(table).path_lengths()[0])


def exact(X: np.ndarray, p: np.ndarray) -> list[Fraction]:
    """A point under a float64 map, exactly."""
    rows = [[Fraction(float(v)) for v in row] for row in X[:3]]
    return [sum((r * Fraction(float(v)) for r, v in zip(row, p, strict=False)), row[3]) for row in rows]


def turned(angle: float) -> np.ndarray:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def test_an_arc_about_an_axis_far_away_is_longer_than_its_chord() -> None:
    half = 0.9999e-4
    found = path_length(kc.Sphere(1e-3), np.eye(4), pose(turned(2.0 * half), [1.0, 0.0, 0.0]))
    assert found >= 1.0 + half * half / 6.01 + 2.0 * half * 1e-3  # of the ball, which is 5 km from the axis
    assert found <= 1.0 + 2e-8 + 2.0 * half * 2e-3


@pytest.mark.parametrize("seed", range(40))
def test_a_turn_by_nearly_half_a_turn_is_not_too_short(seed: int) -> None:
    rng = np.random.default_rng(seed)
    angle, R = math.pi - rng.uniform(1.05, 9.0) * HALF_TURN, random_rotation(rng)
    Y = R @ turned(angle) @ R.T
    found = path_length(kc.Sphere(1.0), np.eye(4), pose(Y, [0.0, 0.0, 0.0]))
    assert found >= angle * (1.0 - 1e-14)


@pytest.mark.parametrize("seed", range(20))
def test_a_point_far_from_its_origin_that_turns_in_place_travels(seed: int) -> None:
    rng = np.random.default_rng(seed)
    hull = kc.Convex(1e3 * rng.normal(size=(1, 3)))
    X, R = pose(random_rotation(rng), rng.normal(size=3)), random_rotation(rng)
    table = table_of((hull, X, X))
    center = table.rows["center"][0]
    Y = pose(R, X[:3, :3] @ center + X[:3, 3] - R @ center + 1e-13 * rng.normal(size=3))
    there = [exact(X, center), exact(Y, center)]
    moved = sum(((a - b) ** 2 for a, b in zip(*there, strict=True)), Fraction(0))
    assert Fraction(path_length(hull, X, Y)) ** 2 >= moved


@pytest.mark.parametrize(("which", "when"), list(itertools.product((0, 1), ("slack_last", "now"))))
def test_slacks_of_both_frames_and_bodies_are_added_to_margins(which: int, when: str) -> None:
    ball = kc.Sphere(0.1)
    for slack, is_clear in ((0.06, False), (0.04, True), (1e-12, True), (0.0, True)):
        table = table_of((ball, at(0, 0), at(0, 0)), (ball, at(0.25, 0), at(0.25, 1e-3)))
        table.X_last[:] = [at(0, 0), at(0.25, 0)]
        table.slack_last[:] = table.rows["slack"] = 0.0
        (table.slack_last if when == "slack_last" else table.rows["slack"])[which] = slack
        one = np.array([0]), np.array([1]), np.array([0.0]), np.array([True])
        verdicts, _ = _Steps(table).first_contacts(*one, 1e-4)
        assert (verdicts[0] is kc.Verdict.CLEAR) == is_clear


def balls(*positions: tuple[float, float, float], parts: bool = False) -> kc.World:
    world = kc.World(threads=1)
    for name, position in zip("ab", positions, strict=True):
        shape = [(kc.Sphere(0.1), at(0, 0.1)), (kc.Sphere(0.05), at(0, 0, 9))] if parts else kc.Sphere(0.1)
        world.add(name, shape, at(*position))
    return world


def poses(*positions: tuple[float, float, float]) -> np.ndarray:
    return np.array([at(*position) for position in positions])


@pytest.mark.parametrize("moving", [0, 1])
def test_whoever_moves_through_the_other_is_found(moving: int) -> None:
    places = [(0.0, 0.0, 0.0), (0.0, 0.0, 0.0)]
    places[moving] = (-2.0, 0.05, 0.0)
    world = balls((0, 0, 5), (0, 0, 7))
    world.update(["a", "b"], poses(*places))
    world.contacts()
    places[moving] = (1.0, 0.05, 0.0)
    world.update(["a", "b"], poses(*places))
    found = world.contacts(between=True, tolerance=1e-3)
    assert found.verdict.tolist() == [kc.Verdict.COLLIDING]


@pytest.mark.parametrize("parts", [False, True])
def test_who_stays_within_the_margin_is_not_clear(parts: bool) -> None:
    world = balls((0, 0, 0), (0.3, 0, 0), parts=parts)
    world.set_margin("a", "b", 0.2)
    world.update(["a", "b"], poses((0, 0, 0), (0.31, 0, 0)))
    world.contacts(far=0.5)
    world.update(["a", "b"], poses((0, 0, 0), (0.30, 0, 0)))
    found = world.contacts(far=0.5, between=True, tolerance=1e-3)
    assert found.verdict.tolist() == [kc.Verdict.COLLIDING]
    assert found.margin.tolist() == [0.2]
    assert found.state.tolist() == [kc.State.SEPARATE]


def test_parts_that_touch_up_to_their_slack_are_in_contact() -> None:
    world = balls((0, 0, 0), (0.3, 0, 0), parts=True)
    world.update(
        ["a", "b"], poses((1e9, 0, 0), (1e9 + 0.2, 0, 0))
    )  # products of poses are rounded by more than 1e-7
    found = world.contacts(far=0.5)
    assert found.lower[0] <= 0.0
    assert found.state.tolist() == [kc.State.TOUCHING]


def test_a_body_stays_on_its_link_although_its_pose_there_is_rounded() -> None:
    world = kc.World()
    world.add_robot("bot", slider())
    world.add("ball", kc.Sphere(0.1), at(5, 0))
    table = FrameTable(scene(world), 0.0, ("bot",))
    table.place_robot("bot", drive([0.0, 1.0], [0.0, 1.0]))
    table.rides_last = {g: ride._replace(X_LP=ride.X_LP + 1e-12) for g, ride in table.rides_last.items()}
    assert _Steps(table)._linked == set(table.riders) != set()


def test_links_that_are_updated_have_the_slack_of_their_joints(monkeypatch: pytest.MonkeyPatch) -> None:
    world = kc.World(threads=1)
    world.add_robot("bot", slider())
    world.add("ball", kc.Sphere(0.1), at(5, 0))
    table = FrameTable(scene(world), 0.0, ("bot",))
    monkeypatch.setattr(frame_table, "LINK_ROUNDING", WRONG)
    table.place_robot("bot", drive([0.0, 1.0], [2.0, 2.0]))
    links = sorted(table.riders)
    assert len(links) == 3
    assert (table.rows["slack"][links] >= 2.0 * WRONG).all()
