"""A robot in a room, and meshes moving through given frames: poses labelled by python-fcl and Coal together."""

import json
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from tests.oracles.exact_points import refine
from tests.oracles.mesh_pairs import meet
from tests.oracles.mesh_scene import MeshBody, Triangle, exact_vertices, mesh_body

import keepclear as kc

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "fcl-fixtures"
STRUCTURES = ("obb_tree", "box_tree")
MOTIONS = {"Model_1_Scenario_1.txt": 2, "Model_2_Scenario_1.txt": 2, "Model_1_Scenario_3.xml": 51}

pytestmark = pytest.mark.skipif(
    not DATA.exists(), reason="the folder shared/data beside the project is absent"
)


@cache
def obj_mesh(name: str) -> MeshBody:
    vertices, faces = [], []
    for line in (DATA / name).read_text(encoding="utf-8").splitlines():
        kind, *rest = line.split() or [""]
        if kind == "v":
            vertices.append([float(c) for c in rest])
        elif kind == "f":
            faces.append([int(c.split("/")[0]) - 1 for c in rest])
    return mesh_body(vertices, faces)


@cache
def room_poses():
    cases = json.loads((DATA / "env_rob_expected.json").read_text(encoding="utf-8"))["cases"]
    poses = kc.nearest_rigid(np.array([case["pose"] for case in cases]))
    return (
        poses,
        np.array([case["collides"] for case in cases]),
        np.array([case["distance"] for case in cases]),
    )


@cache
def motion(name: str):
    """Two meshes and the frames of both."""
    text = (DATA / "motions" / name).read_text(encoding="utf-8")
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


def object_mesh(text: str) -> MeshBody:
    grid = re.findall(r'<GRID id="(\d+)"\s+x="([^"]+)"\s+y="([^"]+)"\s+z="([^"]+)"', text)
    triangles = re.findall(r'<TRIA id="\d+"\s+g1="(\d+)"\s+g2="(\d+)"\s+g3="(\d+)"', text)
    index = {int(i): k for k, (i, *_) in enumerate(grid)}
    return mesh_body(
        [[float(c) for c in row[1:]] for row in grid], [[index[int(i)] for i in t] for t in triangles]
    )


def numbers(text: str) -> list[float]:
    return [float(c) for c in text.split()]


@cache
def library_mesh(body: MeshBody):
    return kc.Mesh(body.vertices, body.faces)


def test_fixtures_are_complete():
    room, robot = obj_mesh("env.obj"), obj_mesh("rob.obj")
    assert (len(room.triangles), len(robot.triangles)) == (2180, 216)
    poses, collides, _ = room_poses()
    assert (len(poses), int(collides.sum())) == (200, 117)
    for name, n_frames in MOTIONS.items():
        a, b, X_WA, X_WB = motion(name)
        assert len(X_WA) == len(X_WB) == n_frames
        assert len(a.triangles) > 1000
        assert len(b.triangles) >= 12


@pytest.mark.parametrize("find", ["any", "all"])
@pytest.mark.parametrize("using", STRUCTURES)
def test_room_and_robot_collide_as_labelled(using, find):
    poses, collides, _ = room_poses()
    room, robot = library_mesh(obj_mesh("env.obj")), library_mesh(obj_mesh("rob.obj"))
    found = kc.collide(room, np.eye(4), robot, poses, find=find, using=using)
    assert np.flatnonzero(found.colliding != collides).tolist() == []
    assert [len(pairs) > 0 for pairs in found.pairs] == collides.tolist()


def test_room_and_robot_are_as_far_apart_as_labelled():
    poses, collides, distances = room_poses()
    room, robot = library_mesh(obj_mesh("env.obj")), library_mesh(obj_mesh("rob.obj"))
    cold = kc.distance(room, np.eye(4), robot, poses)
    tracked = kc.Tracker(room, robot).distance(np.eye(4), poses)
    for found in (cold, tracked):
        assert np.flatnonzero(found.colliding != collides).tolist() == []
        assert np.all(found.distance[collides] == 0.0)
        assert np.max(np.abs(found.distance - distances) / np.maximum(distances, 1.0)) <= 2e-6
        assert np.all(found.lower <= found.distance)
        assert np.all(found.distance <= found.upper)
    assert np.max(np.abs(cold.distance - tracked.distance)) <= 1e-12 * 10_000


@pytest.mark.parametrize("using", STRUCTURES)
@pytest.mark.parametrize("name", MOTIONS)
def test_motion_frames_collide_as_labelled(name, using):
    a, b, X_WA, X_WB = motion(name)
    labels = json.loads((DATA / "motions" / "expected.json").read_text(encoding="utf-8"))["files"][name]
    for find in ("any", "all"):
        found = kc.collide(library_mesh(a), X_WA, library_mesh(b), X_WB, find=find, using=using)
        assert (np.flatnonzero(found.colliding) + 1).tolist() == labels["hit_frames"]
    measured = kc.distance(library_mesh(a), X_WA, library_mesh(b), X_WB)
    assert (np.flatnonzero(measured.colliding) + 1).tolist() == labels["hit_frames"]
    assert ((measured.distance == 0.0) == measured.colliding).all()


def meeting_pairs(a: MeshBody, X_WA: np.ndarray, b: MeshBody, X_WB: np.ndarray) -> list[tuple[int, int]]:
    """All pairs of triangles that meet: boxes in float64, grown by far more than rounding, then exactly."""
    corners = [
        (body.vertices @ X[:3, :3].T + X[:3, 3])[np.array(body.triangles)]
        for body, X in ((a, X_WA), (b, X_WB))
    ]
    (lo_a, hi_a), (lo_b, hi_b) = ((c.min(axis=1) - 1e-6, c.max(axis=1) + 1e-6) for c in corners)
    near = np.all((lo_a[:, None] <= hi_b) & (lo_b <= hi_a[:, None]), axis=2)
    (P, k_a), (Q, k_b) = exact_vertices(a, X_WA), exact_vertices(b, X_WB)
    P, Q = refine(P, k_a, max(k_a, k_b)), refine(Q, k_b, max(k_a, k_b))
    found = []
    for i, j in np.argwhere(near).tolist():
        s, t = Triangle(*(P[v] for v in a.triangles[i])), Triangle(*(Q[v] for v in b.triangles[j]))
        if meet(s, t):
            found.append((i, j))
    return found


def test_pairs_of_some_poses_are_those_of_brute_force():
    poses, collides, _ = room_poses()
    a, b = obj_mesh("env.obj"), obj_mesh("rob.obj")
    for k in np.flatnonzero(collides)[::12]:
        expected = meeting_pairs(a, np.eye(4), b, poses[k])
        for using in STRUCTURES:
            found = kc.collide(library_mesh(a), np.eye(4), library_mesh(b), poses[k], find="all", using=using)
            assert [tuple(p) for p in found.pairs.tolist()] == expected


def test_pairs_of_two_gears_are_those_of_brute_force():
    a, b, X_WA, X_WB = motion("Model_1_Scenario_3.xml")
    for k in (1, 12, 25):
        expected = meeting_pairs(a, X_WA[k], b, X_WB[k])
        assert expected
        for using in STRUCTURES:
            found = kc.collide(library_mesh(a), X_WA[k], library_mesh(b), X_WB[k], find="all", using=using)
            assert [tuple(p) for p in found.pairs.tolist()] == expected
