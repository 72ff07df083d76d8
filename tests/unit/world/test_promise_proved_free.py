"""Configurations that spheres prove free, with kernels as plain Python: one case for each comparison of the kernel."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba.core import config
from tests.unit.world.planner.test_proved_free import at, box_mesh, lever, read, row_model

import keepclear as kc
from keepclear.geometry.shapes.packed import packed
from keepclear.kernels.convex import gjk, support
from keepclear.kernels.spheres import configurations as kernel
from keepclear.kernels.tables.robot import NODE_BODY, SPHERE_BODY
from keepclear.query.instant.mesh_distance import obb_tree_of

pytestmark = pytest.mark.skipif(not config.DISABLE_JIT, reason="compiled kernels have test_proved_free")

TWO = """<robot name="two"><link name="base"/>
<link name="a"><collision><origin xyz="0.5 0 0"/><geometry><box size="1 0.1 0.1"/></geometry></collision></link>
<link name="b"><collision><origin xyz="0.5 0 0"/><geometry><box size="1 0.1 0.1"/></geometry></collision></link>
<joint name="one" type="revolute"><parent link="base"/><child link="a"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="2" effort="1" velocity="1"/></joint>
<joint name="other" type="revolute"><parent link="base"/><child link="b"/><origin xyz="0.3 0 0.15"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="2" effort="1" velocity="1"/></joint></robot>"""


MODEL = row_model()


@pytest.fixture(scope="module")
def robot(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return lever(tmp_path_factory.mktemp("robot"))


@pytest.fixture
def world(robot: Any) -> kc.World:
    world = kc.World(threads=1)
    world.add_robot("lever", robot)
    return world


@pytest.mark.parametrize(
    "shape",
    [
        kc.Sphere(0.05), kc.Cylinder(0.05, 1.0), kc.Ellipsoid([0.05, 0.05, 0.05]), kc.Box([0.1, 0.1, 0.1]),
        kc.Convex(box_mesh(0.1).vertices), box_mesh(0.1),
    ],
    ids=lambda shape: type(shape).__name__,
)  # fmt: skip
def test_an_arm_beside_each_kind_of_obstacle(world: kc.World, shape: Any) -> None:
    for q, y in ((0.0, 0.3), (math.pi, -0.3)):
        world.add("thing", shape, at(0.5 * math.cos(q), y))
        for margin, is_free in ((0.16 - 1e-5, True), (0.16 + 1e-5, False)):
            assert world.proved_free("lever", [[q]], model=MODEL, margin=margin).tolist() == [is_free]
        world.remove("thing")
    world.add("thing", shape, at(0.0, 0.5))
    assert world.proved_free("lever", [[0.5 * math.pi], [0.0]], model=MODEL).tolist() == [False, True]


def test_an_arm_in_a_hall(world: kc.World) -> None:
    world.add("hall", box_mesh(6.0), np.eye(4))
    assert not world.proved_free("lever", [[0.0]], model=MODEL).any()


def test_links_beside_each_other(tmp_path: Path) -> None:
    cover = MODEL["arm"]
    model = kc.SphereModel("two", {"a": cover, "b": cover})
    world = kc.World(threads=1)
    robot = read(tmp_path, TWO)
    world.add_robot("two", robot)
    # The axes are 0.15 m apart where arms cross, and 0.33 m and more where they point apart.
    q = [[0.0, 0.0], [1.5, -0.9], [-0.9, 1.5], [0.5, 1.9]]
    assert world.proved_free("two", q, model=model).tolist() == [False, True, True, False]
    for beyond in (2.1, -1.1):
        other = kc.World(threads=1)
        other.add_robot("two", robot)
        with pytest.warns(UserWarning, match="limits"):
            other.proved_free("two", [[beyond, beyond]], model=model)


@pytest.mark.parametrize("sign", [-1.0, 1.0])
@pytest.mark.parametrize("axis", range(3))
def test_spheres_are_compared_along_every_axis(axis: int, sign: float) -> None:
    boxes, moved, spheres = (np.zeros((n, 2), np.float32) for n in (kernel.BOX_ROWS, 4, 4))
    boxes[[0, 4, 8]], boxes[12:15], spheres[3] = 1.0, 0.5, 1.0
    bits = np.array([1, 2], np.int32)
    for gap, meets in ((-0.01, True), (0.01, False)):
        moved[:] = 0.0
        moved[axis, 1] = sign * (1.5 + gap)
        for is_cylinder in (False, True):
            assert kernel._meets_core(boxes, 0, is_cylinder, spheres, moved, 1, 2, 0.0) == meets
        moved[axis] = sign * 5.0, sign * (7.0 + gap)
        center = np.zeros(3)
        center[axis] = sign * 7.0
        arguments = (spheres, moved, bits, 0, 1, 1, 2)
        assert kernel._meets_spheres(*arguments, *center, 1.0, 0.0) == meets
        center[axis] = sign * (7.0 + gap)
        assert kernel._meets_spheres(*arguments, *center, 1.0, 0.0) == meets


@pytest.mark.parametrize("is_mesh", [True, False])
def test_a_seed_in_an_undecided_cell_is_inside_of_the_exact_shape(is_mesh: bool) -> None:
    # A point in the middle of a cube, and one beside it.
    cube = box_mesh(0.8)
    X, states = np.zeros((2, 1, 4, 4)), np.zeros((1, 12, 1))
    X[:, 0] = np.eye(4)
    states[0, [0, 4, 8], 0] = 1.0
    part, body = np.zeros(1, NODE_BODY), np.zeros(1, SPHERE_BODY)
    part["pose"] = np.eye(4)[:3]
    F, G = packed(kc.Convex(cube.vertices))
    S, T, N, L = obb_tree_of(cube).arrays
    probe = packed(kc.Sphere(1.0))[0].copy()
    probe[support.RADIUS] = 0.0
    part["mesh"] = is_mesh
    for name, array in {"reals": F, "links": G, "surface": S, "triangles": T, "boxes": N}.items():
        part[name][0, 1] = len(array)
    body["parts"][0, 1] = 1
    rows = np.zeros(gjk.ROW + gjk.MEMORY)
    exact = part, F, G, S, T, N, L, X, rows, probe, np.zeros(1, np.int32)
    for x, low, high in ((0.0, 0.0, 0.0), (0.5, 0.1 - 1e-9, 0.1 + 1e-15), (0.399, 0.0, 0.0)):
        assert low <= kernel._lower_distance(exact, 0, states, 0, x, 0.0, 0.0) <= high
        seeds = np.array([[x, 0.0, 0.0]])
        found = kernel._is_inside(body[0], np.zeros(1, np.int64), seeds, exact, 0, 0, states, 0)
        assert found == (x < 0.4)
