"""Meshes moving through given frames, and public reports about moving bodies: contact in the right places."""

import json
import math
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from tests.oracles.contact_time import Encounter, Truth
from tests.oracles.contact_time_check import contact_faults
from tests.oracles.exact_points import box, convex
from tests.oracles.motion_bodies import Thing
from tests.oracles.motion_poses import Move, fixed, move

import keepclear as kc

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
MOTIONS = DATA / "fcl-fixtures" / "motions"
FILES = ("Model_1_Scenario_1.txt", "Model_2_Scenario_1.txt", "Model_1_Scenario_3.xml")
KINDS = ("linear", "screw")
TOLERANCE = 1e-3  # [m], or whatever the unit of these meshes is: they span 20 to 600

pytestmark = pytest.mark.skipif(
    not DATA.exists(), reason="the folder shared/data beside the project is absent"
)


@cache
def scene(name: str):
    """Two meshes, and the frames of both."""
    text = (MOTIONS / name).read_text(encoding="utf-8")
    meshes = [object_mesh(part) for part in text.split("<OBJECT")[1:]]
    poses = []
    for k in (1, 2):
        places = np.array([numbers(t) for t in re.findall(rf'obj{k}_pos\s*=\s*"([^"]*)"', text)])
        cosines = np.array([numbers(t) for t in re.findall(rf'obj{k}_dc\s*=\s*"([^"]*)"', text)])
        X = np.tile(np.eye(4), (len(places), 1, 1))
        X[:, :3, :3] = cosines.reshape(-1, 3, 3)
        X[:, :3, 3] = places
        poses.append(kc.nearest_rigid(X))
    return *meshes, *poses


def object_mesh(text: str):
    grid = re.findall(r'<GRID id="(\d+)"\s+x="([^"]+)"\s+y="([^"]+)"\s+z="([^"]+)"', text)
    triangles = re.findall(r'<TRIA id="\d+"\s+g1="(\d+)"\s+g2="(\d+)"\s+g3="(\d+)"', text)
    index = {int(i): k for k, (i, *_) in enumerate(grid)}
    return kc.Mesh(
        [[float(c) for c in row[1:]] for row in grid], [[index[int(i)] for i in t] for t in triangles]
    )


def numbers(text: str) -> list[float]:
    return [float(c) for c in text.split()]


@cache
def hit_frames(name: str) -> frozenset[int]:
    """The numbers of the frames, from 0 on, in which the meshes touch."""
    told = json.loads((MOTIONS / "expected.json").read_text(encoding="utf-8"))["files"][name]
    return frozenset(k - 1 for k in told["hit_frames"])


def distance_at(name: str, kind: str, t: float) -> float:
    """The distance at one time, with poses by formulas of our own."""
    a, b, X_WA, X_WB = scene(name)
    times = np.arange(len(X_WA), dtype=float)
    poses = [Move(kind, times, X).at(t)[0].astype(np.float64) for X in (X_WA, X_WB)]
    return float(kc.distance(a, poses[0], b, poses[1]).distance)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", FILES)
def test_contact_is_in_the_first_pair_of_frames_that_ends_in_one(name, kind):
    a, b, X_WA, X_WB = scene(name)
    times = np.arange(len(X_WA), dtype=float)
    first = min(hit_frames(name))
    contact = kc.first_contact(
        a,
        kc.PoseTrajectory(times, X_WA, kind),
        b,
        kc.PoseTrajectory(times, X_WB, kind),
        tolerance=TOLERANCE,
    )
    assert contact.verdict is kc.Verdict.COLLIDING
    assert first - 1 < contact.time <= first
    assert contact.t_lo <= contact.time <= contact.t_hi
    assert distance_at(name, kind, contact.time) <= TOLERANCE
    assert distance_at(name, kind, contact.t_lo - 1e-4) > 0.0


@pytest.mark.parametrize("kind", KINDS)
def test_every_pair_of_frames_of_two_gears(kind):
    """Contact where a frame touches; where both frames and 100 instants between are free, it is a near miss or none.

    Three facts are known of each pair of frames: whether its ends touch, and that nothing was seen in between.
    An answer of contact between two free frames must show a distance within the tolerance.
    """
    name = FILES[2]
    a, b, X_WA, X_WB = scene(name)
    hits = hit_frames(name)
    cases = [
        (
            a,
            kc.PoseTrajectory([0, 1], X_WA[k : k + 2], kind),
            b,
            kc.PoseTrajectory([0, 1], X_WB[k : k + 2], kind),
        )
        for k in range(len(X_WA) - 1)
    ]
    n_free = 0
    for k, contact in enumerate(kc.first_contact_batch(cases, tolerance=TOLERANCE)):
        assert contact.verdict is not kc.Verdict.UNDECIDED
        if k in hits:
            assert contact.verdict is kc.Verdict.COLLIDING
            assert contact.t_lo == contact.time == 0.0
        elif k + 1 in hits:
            assert contact.verdict is kc.Verdict.COLLIDING
            assert 0.0 < contact.time <= 1.0
            assert distance_at(name, kind, k + contact.time) <= TOLERANCE
        elif contact.verdict is kc.Verdict.COLLIDING:
            assert distance_at(name, kind, k + contact.time) <= TOLERANCE
        else:
            n_free += 1
            assert math.isnan(contact.time)
    assert n_free >= 10


def regression_case(name: str):
    cases = json.loads((DATA / "regressions" / "cases.json").read_text(encoding="utf-8"))["cases"]
    return next(case for case in cases if case["name"] == name)


@pytest.mark.parametrize("method", ["hybrid", "bisection", "exact", "bisect_exact"])
def test_a_box_past_a_cone(method):
    """python-fcl issue 11: a box translates past a cone; the answer differed from run to run.

    We have no cone: its hull of 64 rim points and the apex is the same in the plane of the motion, where the cone's
    foot touches the box's side. The rim has a point at (-1, 0), so contact is at 0.425 for the hull as well.
    """
    told = regression_case("python-fcl-11")
    first, cone = told["objects"]
    turns = np.arange(64) * (2 * np.pi / 64)
    r, h = cone["radius"], cone["height"]
    points = [*np.column_stack([r * np.cos(turns), r * np.sin(turns), np.full(64, -h / 2)]), (0, 0, h / 2)]
    points[32] = np.array([-r, 0.0, -h / 2])
    way = move("linear", [0, 1], [first["pose_start"], first["pose_end"]])
    case = Encounter(Thing(box(first["size"])), way, Thing(convex(points)), fixed(cone["pose_start"]))
    shapes = case.a.library(), case.b.library()
    answers = [
        kc.first_contact(
            shapes[0],
            kc.PoseTrajectory(way.times, way.X_W, "linear"),
            shapes[1],
            kc.Fixed(cone["pose_start"]),
            method=method,
            tolerance=1e-6,
        )
        for _ in range(3)
    ]
    when = told["expected_time"]
    for answer in answers:
        assert answer.verdict is kc.Verdict.COLLIDING
        assert not contact_faults(case, answer, Truth(when - 1e-12, when + 1e-12), tolerance=1e-6)
        assert abs(answer.time - when) <= told["tol"]
        assert (answer.time, answer.t_lo, answer.t_hi) == (answers[0].time, answers[0].t_lo, answers[0].t_hi)


def test_a_vertex_that_passes_a_face():
    """Tight-Inclusion issue 1: no contact, the least distance is 5.7e-7, but the answer was contact at time 0.

    A vertex and a face that deform are no rigid bodies, so this is asked of the query for moving points.
    """
    told = regression_case("tight-inclusion-1")
    start = np.array(told["points_start"])
    end = start + np.array(told["displacement"])
    found = kc.vertex_face_contact(start[None], end[None])
    assert not told["expected_collides"]
    assert not found.colliding[0]
