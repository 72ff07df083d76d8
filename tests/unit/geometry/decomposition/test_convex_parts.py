"""Convex parts that contain a solid: containment in exact arithmetic, holes, excess, files, bad input."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
from numba.core import config
from tests.oracles import convex_parts as oracle
from tests.unit.geometry.element_meshes import blocks, gear, l_block, plate, u_block
from tests.unit.geometry.part_meshes import dish, hollow_box, ring, truss

import keepclear as kc

pytestmark = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="minutes without compiled kernels")

# Each with the most parts that it may have; a hollow box could have six.
SOLIDS = {
    "cube": (lambda: blocks([[[1]]]), 1),
    "L": (l_block, 2),
    "U": (u_block, 3),
    "gear": (gear, 8),
    "plate": (lambda: plate(2), 8),
    "ring": (ring, 10),
    "truss": (truss, 20),
    "hollow": (hollow_box, 10),
    "dish": (dish, 30),
}


def inner_points(mesh: kc.Mesh, n: int, rng: np.random.Generator) -> np.ndarray:
    """Return n random points inside of a solid, and some close below its surface."""
    lower, upper = mesh.bounds
    points = rng.uniform(lower, upper, (40 * n, 3))
    corners = mesh.vertices[mesh.triangles[rng.integers(len(mesh.triangles), size=4 * n)]]
    weights = rng.dirichlet([1.0, 1.0, 1.0], 4 * n)
    close = np.einsum("nk,nkj->nj", weights, corners) + rng.normal(size=(4 * n, 3)) * 1e-6
    inside = [found[oracle.winding(mesh, found) != 0.0][:n] for found in (points, close)]
    assert all(len(found) > n // 4 for found in inside)
    return np.concatenate(inside)


@pytest.mark.parametrize("name", SOLIDS)
def test_the_union_contains_the_solid_in_exact_arithmetic(name: str) -> None:
    make, most = SOLIDS[name]
    mesh = make()
    parts = kc.decompose(mesh, solid=True)
    assert parts.contains
    assert len(parts) <= most
    exact = oracle.ExactParts(parts)
    points = [oracle.exact(p) for p in inner_points(mesh, 100, np.random.default_rng(5))]
    missing = [p for p in oracle.surface_points(mesh) + points if exact.holding(p) is None]
    assert not missing


def test_the_oracle_notices_a_part_that_is_missing() -> None:
    mesh = u_block()
    parts = kc.decompose(mesh, solid=True)
    exact = oracle.ExactParts(kc.ConvexParts(mesh, parts.parts[1:], parts.excess_of[1:]))
    assert any(exact.holding(p) is None for p in oracle.surface_points(mesh))


@pytest.mark.parametrize("name", ["L", "gear", "ring", "dish"])
def test_the_excess_of_each_part_is_not_too_small(name: str) -> None:
    mesh = SOLIDS[name][0]()
    parts = kc.decompose(mesh, solid=True)
    rng = np.random.default_rng(6)
    size = float(np.linalg.norm(np.subtract(*mesh.bounds)))
    assert parts.excess == parts.excess_of.max() <= 0.03 * size
    worst = 0.0
    for part, bound in zip(parts.parts, parts.excess_of, strict=True):
        weights = rng.dirichlet(np.full(len(part.vertices), 0.2), 100)
        points = np.concatenate([weights @ part.vertices, part.vertices])
        outside = points[oracle.winding(mesh, points) == 0.0]
        farthest = oracle.distances(mesh, outside).max(initial=0.0)
        assert farthest <= bound
        worst = max(worst, farthest)
    assert worst > 0.0


@pytest.mark.parametrize(("excess", "is_open"), [(0.3, True), (0.9, True), (3.0, False)])
def test_a_hole_stays_open_if_the_excess_is_less_than_its_radius(excess: float, is_open: bool) -> None:
    parts = kc.decompose(ring(), solid=True, excess=excess)
    exact = oracle.ExactParts(parts)
    axis = [oracle.exact([0.0, 0.0, z]) for z in np.linspace(0.0, 1.0, 9)]
    assert all(exact.holding(p) is None for p in axis) == is_open


def test_cavities_stay_open() -> None:
    parts = kc.decompose(hollow_box(), solid=True, excess=0.5)
    assert oracle.ExactParts(parts).holding(oracle.exact([2.5, 2.5, 2.5])) is None


def test_a_smaller_excess_takes_more_parts() -> None:
    found = [kc.decompose(ring(), solid=True, excess=excess) for excess in (0.6, 0.2, 0.05)]
    assert [parts.excess for parts in found] == sorted([parts.excess for parts in found], reverse=True)
    counts = [len(parts) for parts in found]
    assert counts == sorted(counts)
    assert counts[0] < counts[-1]
    assert found[-1].volume < found[0].volume


def test_max_parts_lets_the_excess_grow() -> None:
    few = kc.decompose(ring(), solid=True, max_parts=4)
    assert len(few) <= 4
    assert few.excess > kc.decompose(ring(), solid=True).excess
    with pytest.raises(
        kc.ArgumentError, match=r"an excess of 0.1 m takes \d+ parts, more than max_parts = 4"
    ):
        kc.decompose(ring(), solid=True, excess=0.1, max_parts=4)


@pytest.mark.parametrize("most", [8, 12, 20])
def test_max_vertices_only_adds_to_parts(most: int) -> None:
    mesh = ring()
    parts = kc.decompose(mesh, solid=True, max_vertices=most)
    assert max(len(part.vertices) for part in parts.parts) <= most
    exact = oracle.ExactParts(parts)
    assert all(exact.holding(p) is not None for p in oracle.surface_points(mesh))


def test_parts_are_a_body_of_several_parts() -> None:
    parts = kc.decompose(u_block(), solid=True)
    ball, X = kc.Sphere(0.2), np.eye(4)
    X[:3, 3] = [1.5, 1.5, 0.5]  # between the arms
    found = kc.distance(parts, np.eye(4), ball, X)
    assert found.distance == pytest.approx(0.3, abs=1e-3)
    world = kc.World()
    world.add("part", parts, kc.Fixed(np.eye(4)))
    world.add("ball", ball, kc.Fixed(X))
    assert not world.collisions(0.0)


def test_parts_survive_pickling() -> None:
    parts = kc.decompose(l_block(), solid=True)
    again = pickle.loads(pickle.dumps(parts))
    assert again.parts == parts.parts
    assert again.mesh == parts.mesh
    assert np.array_equal(again.excess_of, parts.excess_of)
    assert repr(again) == repr(parts)


def test_repr_says_what_is_proved() -> None:
    parts = kc.decompose(l_block(), solid=True)
    assert repr(parts).startswith("ConvexParts(2 parts, ")
    assert "solid contained, excess 0.0" in repr(parts)
    assert parts.volume == pytest.approx(3.0, rel=1e-3)


def test_an_obj_file_has_a_group_for_each_part(tmp_path: Path) -> None:
    parts = kc.decompose(u_block(), solid=True)
    path = tmp_path / "parts.obj"
    parts.write_obj(path)
    lines = path.read_text().splitlines()
    assert [line for line in lines if line.startswith("g ")] == ["g part_0", "g part_1", "g part_2"]
    vertices = np.array([line.split()[1:] for line in lines if line.startswith("v ")], dtype=float)
    assert np.array_equal(vertices, np.concatenate([part.vertices for part in parts.parts]))
    mesh = kc.read_mesh(path, unit="m")
    assert mesh.is_solid
    assert mesh.volume == pytest.approx(parts.volume)


def test_a_urdf_file_has_the_parts_as_collisions(tmp_path: Path) -> None:
    parts = kc.decompose(u_block(), solid=True)
    files = parts.write_urdf(tmp_path / "bracket.urdf", "bracket")
    assert [file.name for file in files] == ["bracket.urdf", *(f"bracket_part_{k}.obj" for k in range(3))]
    read = [kc.read_mesh(file, unit="m") for file in files[1:]]
    assert all(
        np.array_equal(mesh.vertices, part.vertices) for mesh, part in zip(read, parts.parts, strict=True)
    )
    world = kc.World()
    world.add_robot("cell", kc.read_robot(files[0]))
    world.add("ball", kc.Sphere(0.2), kc.Fixed(np.eye(4)))  # at a corner of the first arm
    assert len(world.collisions(0.0)) == 1


def test_an_mjcf_file_has_the_vertices(tmp_path: Path) -> None:
    from xml.etree import ElementTree

    parts = kc.decompose(u_block(), solid=True)
    parts.write_mjcf(tmp_path / "bracket.xml", "a <b>")
    root = ElementTree.parse(tmp_path / "bracket.xml").getroot()
    meshes = root.findall("asset/mesh")
    for mesh, part in zip(meshes, parts.parts, strict=True):
        values = np.array(str(mesh.get("vertex")).split(), dtype=float).reshape(-1, 3)
        assert np.array_equal(values, part.vertices)
    body = root.find("worldbody/body")
    assert body is not None
    assert body.get("name") == "a <b>"
    assert [geom.get("mesh") for geom in body] == [mesh.get("name") for mesh in meshes]


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    parts = kc.decompose(blocks([[[1]]]), solid=True)
    with pytest.raises(kc.ArgumentError, match=r"no_folder.*cannot be written"):
        parts.write_obj(tmp_path / "no_folder" / "parts.obj")


def test_an_open_mesh_is_refused() -> None:
    mesh = l_block()
    open_mesh = kc.Mesh(mesh.vertices, mesh.triangles[1:], name="lid.stl")
    with pytest.raises(
        kc.MeshError, match=r"mesh 'lid.stl' has 3 open edges .* no inside .* leave out solid=True"
    ):
        kc.decompose(open_mesh, solid=True)
    with pytest.raises(kc.MeshError, match="was made with solid=False"):
        kc.decompose(kc.Mesh(mesh.vertices, mesh.triangles, solid=False), solid=True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"excess": 0.0}, "excess must be a finite number > 0"),
        ({"excess": float("nan")}, "excess must be a finite number > 0"),
        ({"excess": "1 mm"}, "excess must be a finite number > 0"),
        ({"excess": 1e-9}, "allow at least"),
        ({"max_parts": 0}, "max_parts must be a whole number >= 1"),
        ({"max_parts": 2.5}, "max_parts must be a whole number >= 1"),
        ({"max_vertices": 7}, "max_vertices must be a whole number >= 8"),
        ({"eps": 1e-6}, "leave them out with solid=True"),
        ({"negative": True}, "leave them out with solid=True"),
    ],
)
def test_arguments_that_make_no_sense_are_refused(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(kc.ArgumentError, match=message):
        kc.decompose(l_block(), solid=True, **arguments)  # type: ignore[call-overload]


def test_arguments_of_parts_need_solid() -> None:
    with pytest.raises(kc.ArgumentError, match="give solid=True too"):
        kc.decompose(l_block(), excess=0.1)  # type: ignore[call-overload]
    with pytest.raises(kc.ArgumentError, match="Box is convex already"):
        kc.decompose(kc.Box([1.0, 1.0, 1.0]), solid=True)  # type: ignore[call-overload]


def test_far_from_the_origin_and_tiny_parts_are_contained() -> None:
    for scale, shift in ((1e-3, 0.0), (1.0, 1e5), (1e4, 0.0)):
        mesh = ring()
        moved = kc.Mesh(mesh.vertices * scale + shift, mesh.triangles)
        parts = kc.decompose(moved, solid=True)
        exact = oracle.ExactParts(parts)
        assert all(exact.holding(p) is not None for p in oracle.surface_points(moved, 60))
