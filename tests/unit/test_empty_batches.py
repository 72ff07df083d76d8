"""Every public call that takes a batch answers an empty one with n = 0, also beside a single row on the other side."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.unit.geometry.element_meshes import l_block, u_block
from tests.unit.world.worlds import at, slider, way

import keepclear as kc

E, NONE = np.eye(4), np.empty((0, 4, 4))
BODIES: dict[str, Callable[[], Any]] = {
    "convex": lambda: kc.Box([1, 1, 1]),
    "mesh": u_block,
    "box tree": lambda: kc.build_box_tree(l_block()),
    "obb tree": lambda: kc.build_obb_tree(l_block()),
    "compound": lambda: [(u_block(), E), (kc.Box([0.1, 0.1, 0.1]), at(1, 0))],
    "sphere tree": lambda: kc.build_sphere_tree(kc.Box([1, 1, 1]), 0.2),
}
POSES = {"both": (NONE, NONE), "A": (NONE, at(3, 0)), "B": (E, NONE)}


@pytest.mark.parametrize("sides", POSES)
@pytest.mark.parametrize("kind", BODIES)
def test_poses(kind: str, sides: str) -> None:
    body, (X, Y) = BODIES[kind](), POSES[sides]
    found = kc.distance(body, X, body, Y)
    assert np.shape(found.lower) == (0,)
    assert len(found) == 0
    for find in ("any",) if kind == "sphere tree" else ("any", "all"):
        assert len(kc.collide(body, X, body, Y, find)) == 0
    if kind != "sphere tree":
        tracker = kc.Tracker(body, body)
        tracker.distance(E, at(9, 0))
        assert np.shape(tracker.distance(X, Y).distance) == (0,)
        assert tracker.statistics.frames == 1
        assert tracker.distance(E, at(9, 0)).distance > 0.0


def world() -> kc.World:
    made = kc.World()
    made.add_robot("arm", slider(), [0, 0])
    made.add("post", kc.Box([0.2, 0.2, 0.2]), at(3, 0))
    return made


Q, NO_Q = np.zeros((1, 2)), np.empty((0, 2))
CROWD = {"motion": kc.Ballistic()}


def crowd(n: int = 2, **options: Any) -> kc.Crowd:
    return kc.Crowd(np.arange(3 * n).reshape(n, 3) * 5.0, np.zeros((n, 3)), 0.5, 0.0, **(CROWD | options))


def observed() -> kc.Crowd:
    return kc.Crowd([[0.0, 0, 0]], None, 0.5, max_speeds=1.0)


def moving() -> Any:
    return kc.clearance(kc.Sphere(0.1), kc.Fixed(E), kc.Sphere(0.1), way([0, 1], (2, 0, 0), (1, 0, 0)))


CALLS: dict[str, Callable[[], Any]] = {
    "check_edges, both": lambda: world().check_edges("arm", NO_Q, NO_Q).clear,
    "check_edges, start": lambda: world().check_edges("arm", NO_Q, Q).verdict,
    "check_edges, end": lambda: world().check_edges("arm", Q, NO_Q).time,
    "check_edges, earliest": lambda: world().check_edges("arm", Q, NO_Q, earliest=True, threads=2).t_lo,
    "check_configurations": lambda: world().check_configurations("arm", NO_Q).colliding,
    "check_configurations, covers": lambda: world().check_configurations("arm", NO_Q, settle=False).gap,
    "proved_free": lambda: world().proved_free("arm", NO_Q),
    "link_poses": lambda: slider().link_poses(NO_Q),
    "first_contact_batch": lambda: kc.first_contact_batch([]),
    "first_contact_batch, times": lambda: kc.first_contact_batch([]).time,
    "first_contact, casts": lambda: kc.first_contact(
        kc.Sphere(1.0), (NONE, NONE), kc.Sphere(1.0), (E, NONE), margin=[]
    ),
    "first_contact, casts' normals": lambda: (
        kc.first_contact(kc.Sphere(1.0), (E, NONE), kc.Sphere(1.0), E).normal_W
    ),
    "vertex_face_contact": lambda: kc.vertex_face_contact(np.empty((0, 4, 3)), np.empty((0, 4, 3))).time,
    "edge_edge_contact": lambda: kc.edge_edge_contact(np.empty((0, 4, 3)), np.empty((0, 4, 3))).colliding,
    "profile": lambda: moving().profile([]).lower,
    "Motion.pose": lambda: way([0, 1], (2, 0, 0), (1, 0, 0)).pose(np.empty(0)),
    "Crowd without members": lambda: crowd(0).advance(5.0),
    "Crowd.positions": lambda: crowd(0).positions(),
    "Crowd.add": lambda: crowd().add(np.empty((0, 3)), np.empty((0, 3)), 1.0, 0.0),
    "Crowd.observe": lambda: observed().observe([], 0.0, np.empty((0, 3))),
    "Crowd.remove": lambda: crowd().remove([]) or [],
    "Crowd.change": lambda: crowd().change([], radii=1.0) or [],
    "update": lambda: world().update([], NONE) or [],
    "contacts": lambda: _near(),
}


def _near() -> Any:
    empty = kc.World()
    empty.add("post", kc.Sphere(0.1), E)
    empty.update([], [])
    return empty.contacts().distance


@pytest.mark.parametrize("name", CALLS)
def test_calls(name: str) -> None:
    assert len(CALLS[name]()) == 0


def test_an_empty_fleet_has_no_results_and_is_not_clear() -> None:
    assert list(kc.verify_many([])) == []
    report = kc.fleet.FleetReport(kc.fleet.verify_programs([]))
    assert report.verdict is kc.Verdict.UNDECIDED
    assert report.exit_code() == 3
