"""Elements of surfaces: counts known by hand, divide and conquer in exact arithmetic, convexity, bad input."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numba.core import config
from tests.oracles import decomposition as oracle
from tests.unit.geometry.element_meshes import blocks, dish, frame, gear, l_block, plate, u_block

import keepclear as kc


def sets_of(found: kc.Decomposition) -> list[set[int]]:
    return [set(element.faces.tolist()) for element in found]


@pytest.mark.parametrize(
    ("mesh", "convex_only", "concave_first", "concave"),
    [
        (blocks([[[1]]]), 1, 1, 0),
        (blocks(np.ones((3, 2, 4))), 1, 1, 0),
        (l_block(), 3, 2, 1),
        (u_block(), 4, 2, 1),
        (plate(1), 5, 2, 1),
        (plate(3), 13, 4, 3),
        (plate(2, through=False), 11, 3, 2),
        (gear(6), 8, 8, 6),
    ],
)
def test_elements_known_by_hand(mesh: kc.Mesh, convex_only: int, concave_first: int, concave: int) -> None:
    assert len(kc.decompose(mesh, negative=False)) == convex_only
    found = kc.decompose(mesh, negative=True)
    assert len(found) == concave_first
    assert int((found.signs < 0).sum()) == concave
    assert len(kc.decompose(mesh)) == min(convex_only, concave_first)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("pretest", [True, False])
def test_elements_are_those_of_the_description(seed: int, pretest: bool) -> None:
    rng = np.random.default_rng(seed)
    mesh = blocks(rng.random(rng.integers(1, 4, 3)) < 0.7)
    if not len(mesh.triangles):
        pytest.skip("no block is filled")
    found = kc.decompose(mesh, negative=False, pretest=pretest)
    expected = oracle.decomposed(mesh.vertices, mesh.triangles)
    assert sorted(map(sorted, sets_of(found))) == sorted(map(sorted, expected))


@pytest.mark.parametrize("mesh", [l_block(), u_block(), plate(3), plate(2, through=False)])
def test_every_element_bounds_itself_and_every_face_is_in_one(mesh: kc.Mesh) -> None:
    for negative in (True, False):
        found = kc.decompose(mesh, negative=negative)
        for element in found:
            assert oracle.bounds_itself(
                mesh.vertices, mesh.triangles, set(element.faces.tolist()), element.sign
            )
            assert element.defect < 1e-14
        assert sorted(np.concatenate([element.faces for element in found])) == list(
            range(len(mesh.triangles))
        )
        assert [set(np.flatnonzero(found.element_of == i)) for i in range(len(found))] == sets_of(found)
    assert not oracle.can_still_merge(
        mesh.vertices, mesh.triangles, sets_of(kc.decompose(mesh, negative=False)), 1
    )


def test_an_element_has_hull_ball_and_boundary() -> None:
    mesh = u_block()
    slot = next(element for element in kc.decompose(mesh, negative=True) if element.sign < 0)
    assert len(slot.hull.vertices) == 8
    assert slot.hull.bounds[0].tolist() == [1.0, 1.0, 0.0]
    assert (np.linalg.norm(mesh.vertices[slot.vertices] - slot.center, axis=1) <= slot.radius).all()
    assert len(slot.boundary) == 8
    tails, heads = slot.boundary.T
    assert sorted(tails) == sorted(heads)


def test_repeating_never_gives_more() -> None:
    mesh = blocks(np.random.default_rng(3).random((4, 4, 4)) < 0.6)
    once = kc.decompose(mesh, negative=False, repeat=False)
    assert len(kc.decompose(mesh, negative=False)) <= len(once)


def test_borders_are_named_and_never_merged_across() -> None:
    fan = kc.Mesh(
        [[0, 0, 0], [0, 0, 1], [1, 0, 0], [0, 1, 0], [-1, -1, 0]], [[0, 1, 2], [0, 1, 3], [0, 1, 4]]
    )
    found = kc.decompose(fan)
    assert (len(found), found.n_borders) == (3, 7)
    assert "7 border edges" in repr(found)


def test_triangles_without_area_stay_with_a_neighbour() -> None:
    mesh = kc.Mesh(
        [[0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 2, 0], [0, 0, 1]],
        [[0, 2, 1], [0, 1, 2], [0, 3, 2], [0, 2, 4], [2, 3, 4], [0, 4, 3]],
    )
    found = kc.decompose(mesh)
    assert sorted(np.concatenate([element.faces for element in found])) == list(range(6))


def test_eps_is_a_height() -> None:
    bump = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0.5, 0.5, -0.01]]
    mesh = kc.Mesh(bump, [[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]])
    assert len(kc.decompose(mesh, 0.021, negative=False)) == 1
    fine = kc.decompose(mesh, 1e-4, negative=False)
    assert len(fine) == 4
    assert fine.defects.max() < 1e-4


def test_a_coarse_eps_makes_no_face_flat() -> None:
    """Two triangles at a right angle had a defect of 9e-16 with eps = 10: neither had a plane."""
    roof = kc.Mesh([[0, 0, 0], [0, 1, 0], [1, 0.5, 1], [-1, 0.5, 1]], [[1, 0, 2], [0, 1, 3]])
    found = kc.decompose(roof, 10.0, negative=False)
    assert len(found) == 1
    assert found[0].defect == pytest.approx(2**0.5, abs=1e-12)
    bent = [
        [0.5032, 0.2084, -1], [0.3851, 0.3851, 1], [0.3851, 0.3851, -1], [0.5032, 0.2084, 1],
        [0.2084, 0.5032, 1], [0.2084, 0.5032, -1], [0.5239, 0.1042, 0],
    ]  # fmt: skip
    mesh = kc.Mesh(bent, [[6, 3, 0], [2, 1, 4], [0, 3, 1], [0, 1, 2], [2, 4, 5]])
    for element in kc.decompose(mesh, 0.2, negative=False):
        for face in mesh.triangles[element.faces]:
            a, b, c = mesh.vertices[face]
            normal = np.cross(b - a, c - a)
            heights = (mesh.vertices[element.vertices] - a) @ normal / np.linalg.norm(normal)
            assert heights.max() <= element.defect + 1e-12 <= 0.2 + 1e-12


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ({"eps": -1.0}, "eps"),
        ({"eps": float("nan")}, "eps"),
        ({"negative": "yes"}, "negative"),
        ({"pretest": 1}, "pretest"),
        ({"repeat": None}, "repeat"),
    ],
)
def test_bad_arguments_are_named(arguments: dict[str, object], part: str) -> None:
    with pytest.raises(kc.ArgumentError, match=part):
        kc.decompose(l_block(), **arguments)  # type: ignore[arg-type]
    with pytest.raises(kc.ArgumentError, match="Box is convex"):
        kc.decompose(kc.Box([1, 1, 1]))  # type: ignore[arg-type]


@pytest.mark.skipif(bool(config.DISABLE_JIT), reason="large meshes take too long as Python")
@pytest.mark.parametrize(("name", "most"), [("featuretype.STL", 40), ("torus.STL", 30), ("spot.obj", 800)])
def test_known_parts_have_few_elements(shared_data: Path, name: str, most: int) -> None:
    mesh = kc.read_mesh(shared_data / "meshes" / name, unit="m")
    found = kc.decompose(mesh, 1e-6)
    assert len(found) <= most
    assert found.defects.max() <= 1e-6


def test_a_truss_has_concave_windows_and_a_dish_one_bowl() -> None:
    truss, bowl = kc.decompose(frame(), negative=True), kc.decompose(dish())
    assert truss.mesh.is_solid
    assert bowl.mesh.is_solid
    assert bowl.mesh.volume > 0.0
    assert (truss.signs < 0).any()
    # The bowl is convex seen from inside; its back with the rim is convex.
    assert sorted(bowl.signs.tolist()) == [-1, 1]
    for found in (truss, bowl):
        assert sorted(np.concatenate([element.faces for element in found])) == list(
            range(len(found.element_of))
        )
        assert found.defects.max() <= found.eps


def test_tiny_meshes_are_refused() -> None:
    """Below 1e-100 m products underflowed, and an L became one convex element."""
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]
    with pytest.raises(kc.MeshError, match="less than 1e-20 m; give it in metres"):
        kc.decompose(kc.Mesh(corners * 1e-100, faces))
    whole = kc.decompose(kc.Mesh(corners, faces))
    with pytest.raises(kc.MeshError, match="less than 1e-20 m"):
        whole.refit(corners * 1e-100)
