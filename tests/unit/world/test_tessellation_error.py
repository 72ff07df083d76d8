"""Meshes that approximate curved surfaces: a world counts how far the true surface may be from the triangles.

A cylinder of radius 1 m is a prism with 12 sides, whose faces are 0.034 m inside of it. A ball of 0.5 m whose centre
is 1.49 m from the axis, opposite to the middle of a face, overlaps the cylinder by 0.01 m and is 0.024 m away from the
prism.
"""

from __future__ import annotations

import copy
import math
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.unit.world.planner.test_edges import lever
from tests.unit.world.worlds import at, way

import keepclear as kc

SIDES, ERROR = 12, 0.04
SAG = 1.0 - math.cos(math.pi / SIDES)
NEAR, FAR = 1.49, 1.6


def prism(error: float = ERROR, scale: float = 1.0) -> kc.Mesh:
    angles = (np.arange(SIDES) + 0.5) * 2.0 * math.pi / SIDES
    ring = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    points = np.concatenate([np.c_[ring, np.full(SIDES, z)] for z in (-1.0, 1.0)])
    sides = [[k, (k + 1) % SIDES, SIDES + (k + 1) % SIDES, SIDES + k] for k in range(SIDES)]
    ends = [list(range(SIDES))[::-1], list(range(SIDES, 2 * SIDES))]
    triangles = [[f[0], f[k], f[k + 1]] for f in (*sides, *ends) for k in range(1, len(f) - 1)]
    return kc.Mesh(points * scale, triangles, solid=True, tessellation_error=error)


def world_with(shape: Any, x: float = NEAR) -> kc.World:
    """Return a world in which a ball passes a cylinder at a distance of its axis."""
    world = kc.World(threads=1)
    world.add("pin", shape, at(0, 0))
    world.add("ball", kc.Sphere(0.5), way([0, 1], (x, -3, 0), (x, 3, 0)))
    return world


def shapes() -> dict[str, Any]:
    """Return the prism in every form in which a world takes a mesh, or in which it is kept."""
    mesh = prism()
    return {
        "mesh": mesh,
        "tree": kc.build_obb_tree(mesh),
        "prepared": kc.prepare(mesh),
        "pickle": pickle.loads(pickle.dumps(mesh)),
        "copy": copy.deepcopy(mesh),
        "scaled": prism(0.5 * ERROR, 0.5).scaled(2.0),
        "parts": [(mesh, np.eye(4)), (kc.Sphere(0.1), np.eye(4))],
    }


@pytest.mark.parametrize("name", shapes())
def test_verify_counts_it_in_every_form(name: str) -> None:
    shape = shapes()[name]
    assert world_with(prism(0.0)).verify(tolerance=1e-4).verdict is kc.Verdict.CLEAR
    found = world_with(shape).verify(tolerance=1e-4)
    assert found.verdict is kc.Verdict.COLLIDING
    assert found.pairs[0].margin == ERROR
    clear = world_with(shape, FAR).verify(tolerance=1e-4, far=1.0)
    assert clear.verdict is kc.Verdict.CLEAR
    assert clear.pairs[0].clearance_lower == pytest.approx(FAR - 1.5 + SAG, abs=1e-3)
    notes = [one.text for one in clear.assumptions if (one.kind, one.subject) == ("shape", "pin")]
    text = "its mesh is within 40 mm of the true surface; margins include that, and true distances may be smaller than"
    assert [note.startswith(text) for note in notes] == [True]


def test_a_prepared_file_keeps_it(tmp_path: Path) -> None:
    kc.write_prepared(kc.prepare(prism()), tmp_path / "pin.kcm")
    assert world_with(kc.read_prepared(tmp_path / "pin.kcm")).verify().verdict is kc.Verdict.COLLIDING


def test_margins_and_errors_of_both_add_up() -> None:
    world = kc.World(threads=1)
    world.add("a", prism(), at(0, 0))
    world.add("b", prism(0.01), way([0, 1], (5, 0, 0), (4, 0, 0)))
    world.set_margin("a", "b", 0.5)
    world.set_path_tolerance("b", distance=0.25)
    assert world.verify().pairs[0].margin == pytest.approx(0.5 + ERROR + 0.01 + 0.25)
    assert world.first_contact("a", "b").margin == pytest.approx(0.5 + ERROR + 0.01)
    assert world.first_contact("a", "b", margin=0.25).margin == pytest.approx(0.25 + ERROR + 0.01)
    (found,) = world.distances(0.0)
    assert found.lower == pytest.approx(found.distance - ERROR - 0.01)


def test_every_query_of_a_world_counts_it() -> None:
    still = {"ball": kc.Sphere(0.5)}
    for error, is_hit in ((0.0, False), (ERROR, True)):
        world = world_with(prism(error))
        assert (world.first_contact("pin", "ball").verdict is kc.Verdict.COLLIDING) == is_hit
        assert (world.collisions(0.5) != ()) == is_hit
        assert (world.verify(contacts="earliest").verdict is kc.Verdict.COLLIDING) == is_hit
        assert (world.verify(clearances=False, method="bisection").verdict is kc.Verdict.COLLIDING) == is_hit
        assert (world.distances(0.5)[0].lower <= 0.0) == is_hit
        for name, shape in still.items():
            loop = kc.World(threads=1)
            loop.add("pin", prism(error), at(0, 0))
            loop.add(name, shape, at(NEAR, -3))
            loop.contacts()
            loop.update(name, at(NEAR, 3))
            between = loop.contacts(between=True)
            assert (between.verdict[0] is not kc.Verdict.CLEAR if len(between) else False) == is_hit
            loop.update(name, at(NEAR, 0))
            now = loop.contacts()
            assert (now.lower[0] <= 0.0) == is_hit
            assert now.distance[0] == pytest.approx(NEAR - 1.5 + SAG)


def test_large_worlds_keep_pairs_that_boxes_prove_clear_of_the_mesh_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("keepclear.world.selection.plan.MOST_LISTED", 0)
    box = kc.World(threads=1)
    box.add("pin", prism(1.0), at(0, 0))
    box.add("ball", kc.Sphere(0.5), way([0, 1], (2.4, -1, 0), (2.4, 1, 0)))  # boxes are 0.9 m apart
    assert box.verify(clearances=False).verdict is kc.Verdict.COLLIDING


def test_pairs_at_rest_that_may_touch_are_listed_and_not_colliding() -> None:
    world = kc.World(threads=1)
    world.add("pin", prism(), at(0, 0))
    world.add("rest", kc.Sphere(0.5), at(NEAR, 0))
    world.add("far", kc.Sphere(0.1), way([0, 1], (50, 0, 0), (51, 0, 0)))
    report = world.verify()
    assert report.verdict is kc.Verdict.CLEAR
    assert [(one.a, one.b, one.reason) for one in report.unchecked] == [("pin", "rest", "at rest")]


def test_parts_of_a_turning_object_keep_it() -> None:
    """Their corners are moved to the frame of the object, in another mesh."""
    world = kc.World(threads=1)
    X = np.tile(np.eye(4), (2, 1, 1))
    X[1, :3, :3] = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
    X[1, 0, 3] = 0.1
    world.add("pin", [(prism(), at(5, 0))], kc.PoseTrajectory([0, 1], X, "linear"))
    world.add("ball", kc.Sphere(0.5), at(50, 0))
    assert world.verify().pairs[0].margin == ERROR


def test_edges_and_configurations_count_it(tmp_path: Path) -> None:
    """The lever reaches 1 m from the origin: its tip is 0.01 m within the true cylinder, and 0.024 m off the prism."""
    for error, is_hit in ((0.0, False), (ERROR, True)):
        world = kc.World(threads=1)
        world.add_robot("lever", lever(tmp_path))
        world.add("pin", prism(error), at(1.0 + 0.99, 0))
        edges = world.check_edges("lever", [[0.5]], [[0.0]], tolerance=1e-5)
        assert (edges.verdict[0] is kc.Verdict.COLLIDING) == is_hit
        assert world.check_configurations("lever", [[0.0]]).free[0] == (not is_hit)


def test_a_margin_of_edges_has_the_errors_added(tmp_path: Path) -> None:
    world = kc.World(threads=1)
    world.add_robot("lever", lever(tmp_path))
    world.add("pin", prism(), at(0.5, 1.5))  # the face of the prism is 0.45 m + sag above the lever
    gap = 0.45 + SAG
    for margin, is_free in ((gap - ERROR - 1e-6, True), (gap - ERROR + 1e-6, False)):
        assert world.check_configurations("lever", [[0.0]], margin=margin).free[0] == is_free
    world.set_path_tolerance("pin", distance=0.1)
    for margin, is_free in ((gap - ERROR - 0.1 - 1e-6, True), (gap - ERROR - 0.1 + 1e-6, False)):
        assert world.check_configurations("lever", [[0.0]], margin=margin).free[0] == is_free


def test_covers_count_it_and_convex_parts_refuse_it() -> None:
    true = kc.Cylinder(1.0, 2.0)
    cover = kc.build_sphere_cover(prism(), accuracy=0.3)
    from keepclear.geometry.spheres.cover_measure import measure_cover

    assert measure_cover(true, cover.centers, cover.radii, tolerance=1e-3).covered
    assert kc.build_sphere_tree(prism(), 0.3).cover == ERROR
    assert kc.build_sphere_tree(prism(0.0), 0.3).cover == 0.0
    more, less = (kc.build_sphere_tree(prism(error), 0.3).excess for error in (ERROR, 0.0))
    assert more >= less + 0.99 * ERROR
    with pytest.raises(kc.MeshError, match=r"within 0\.04 m of the true surface, which convex parts"):
        kc.decompose(prism(), solid=True)
    assert len(kc.decompose(kc.Mesh(prism().vertices, prism().triangles), solid=True)) == 1
