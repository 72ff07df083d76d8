"""Flexible bodies: a model whose vertices have moved answers as one that is prepared anew, and keeps what stayed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.unit.geometry.element_meshes import gear, plate
from tests.unit.geometry.models.test_prepared import check_elements, check_sphere_tree
from tests.unit.geometry.storage.test_cache import bumpy

import keepclear as kc
from keepclear.geometry.hulls.build import known_hull
from keepclear.geometry.hulls.faces import hull_faces_of
from keepclear.kernels.decomposition import merging

Points = np.ndarray
BOTH: Any = ["obb_tree", "box_tree"]


def triangles_of(mesh: kc.Mesh) -> kc.Mesh:
    return kc.Mesh(mesh.vertices, mesh.triangles)


MESHES = {"torus": bumpy, "plate": lambda: triangles_of(plate(2)), "gear": gear}


def still(V: Points, _: np.random.Generator) -> Points:
    return V


def dent(V: Points, rng: np.random.Generator) -> Points:
    """Press vertices near one of them towards the middle."""
    middle, center = V.mean(axis=0), V[rng.integers(len(V))]
    near = np.linalg.norm(V - center, axis=1) < 0.25 * np.ptp(V, axis=0).max()
    return np.where(near[:, None], V + 0.2 * (middle - V), V)


def bulge(V: Points, rng: np.random.Generator) -> Points:
    """Pull vertices near one of them away from the middle."""
    middle, center = V.mean(axis=0), V[rng.integers(len(V))]
    near = np.linalg.norm(V - center, axis=1) < 0.25 * np.ptp(V, axis=0).max()
    return np.where(near[:, None], V + 0.4 * (V - middle), V)


def bend(V: Points, rng: np.random.Generator) -> Points:
    """Bend the whole body about an axis."""
    angle = rng.uniform(0.1, 0.5) * (V[:, 0] - V[:, 0].min()) / np.ptp(V[:, 0])
    return np.stack([V[:, 0], V[:, 1] * np.cos(angle) - V[:, 2] * np.sin(angle),
                     V[:, 1] * np.sin(angle) + V[:, 2] * np.cos(angle)], axis=1)  # fmt: skip


def stretch(V: Points, rng: np.random.Generator) -> Points:
    return V * rng.uniform(0.6, 1.8, size=3)


def one_vertex(V: Points, rng: np.random.Generator) -> Points:
    moved = V.copy()
    k = rng.integers(len(V))
    same = (V[k] == V).all(axis=1)  # all vertices at this position
    moved[same] += rng.normal(scale=0.02, size=3)
    return moved


DEFORMATIONS = [still, dent, bulge, bend, stretch, one_vertex]


def poses(rng: np.random.Generator, size: float) -> Points:
    X = np.tile(np.eye(4), (6, 1, 1))
    for pose in X:
        pose[:3, :3] = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        pose[:3, 0] *= np.sign(np.linalg.det(pose[:3, :3]))
    X[:, :3, 3] = rng.normal(size=(6, 3)) * size * np.array([0.3, 0.5, 0.7, 1.0, 1.5, 2.0])[:, None]
    return X


@pytest.mark.parametrize("deform", DEFORMATIONS)
@pytest.mark.parametrize("name", MESHES)
def test_a_refitted_model_answers_as_one_that_is_prepared_anew(
    name: str, deform: Callable[[Points, np.random.Generator], Points]
) -> None:
    mesh = MESHES[name]()
    size = float(np.ptp(mesh.vertices, axis=0).max())
    rng = np.random.default_rng([len(name), DEFORMATIONS.index(deform)])
    model = kc.prepare(mesh, trees=BOTH, elements=True, sphere_tree=size / 8)
    V = np.array(mesh.vertices)
    for _ in range(3):  # a form from the form before
        V = deform(V, rng)
        model = model.refit(V)
        fresh = kc.prepare(kc.Mesh(V, mesh.triangles), trees=BOTH)
        assert model.shape == fresh.shape
        assert set(model.sections) - {"elements", "sphere_tree"} == set(fresh.sections)
        X, ball = poses(rng, size), kc.Sphere(0.1 * size)
        for other in (ball, None):
            one, two = (kc.distance(m, np.eye(4), other or m, X) for m in (model, fresh))
            assert np.allclose(one.distance, two.distance, rtol=0.0, atol=1e-12 * size)
            assert (one.lower <= two.upper).all()
            assert (two.lower <= one.upper).all()
        for using in BOTH:
            hits = [kc.collide(m, np.eye(4), m, X, find="all", using=using) for m in (model, fresh)]
            for a, b in zip(hits[0].pairs, hits[1].pairs, strict=True):
                assert sorted(map(tuple, a.tolist())) == sorted(map(tuple, b.tolist()))
        assert hull_facts(model.shape) == hull_facts(fresh.shape)
        check_certified(model.elements)
        check_sphere_tree(model.sphere_tree)


def hull_facts(mesh: Any) -> tuple[Any, ...]:
    """The corners of a hull, and how many faces are real, virtual and mixed."""
    hull, faces = known_hull(mesh), hull_faces_of(mesh)
    assert hull is not None
    assert faces is not None
    return {tuple(p) for p in hull.graph.vertices.tolist()}, np.bincount(
        faces.virtuality, minlength=3
    ).tolist()


def check_certified(elements: Any) -> None:
    """Compare elements with their definition where faces are not flat, else with their tolerance."""
    if len(np.unique(elements._face_of)) == len(elements._face_of):
        check_elements(elements)
    assert sorted(np.concatenate([element.faces for element in elements])) == list(
        range(len(elements.mesh.triangles))
    )
    assert elements.defects.max() <= elements.eps * (1 + 1e-9) + 1e-12
    for element in elements:
        points = elements.mesh.vertices[element.vertices]
        assert (np.linalg.norm(points - element.center, axis=1) <= element.radius).all()
        assert set(map(tuple, np.asarray(element.hull.vertices).tolist())) <= set(map(tuple, points.tolist()))


@pytest.mark.parametrize("cells", ["source", "even"])
@pytest.mark.parametrize("seed", range(3))
def test_a_refitted_sphere_tree_is_the_one_that_would_be_built(cells: Any, seed: int) -> None:
    """While the box around the surface stays, bit for bit."""
    mesh = bumpy(24)
    rng = np.random.default_rng(seed)
    tree = kc.build_sphere_tree(mesh, 0.05, cells=cells)
    V = np.array(mesh.vertices)
    for _ in range(3):
        near = np.linalg.norm(V - V[rng.integers(len(V))], axis=1) < 0.3
        V = np.where(near[:, None], np.clip(V + rng.normal(scale=0.1, size=3), *mesh.bounds), V)
        lower, upper = mesh.bounds
        V[np.argmin(mesh.vertices, axis=0)] = np.array(mesh.vertices)[np.argmin(mesh.vertices, axis=0)]
        V[np.argmax(mesh.vertices, axis=0)] = np.array(mesh.vertices)[np.argmax(mesh.vertices, axis=0)]
        tree = tree.refit(V)
        assert np.array_equal(tree.shape.bounds, (lower, upper))
        fresh = kc.build_sphere_tree(kc.Mesh(V, mesh.triangles), 0.05, cells=cells)
        for array in ("_spheres", "_first", "_parent", "_cells"):
            assert getattr(tree, array).tobytes() == getattr(fresh, array).tobytes()


def test_what_did_not_move_is_not_searched_again(monkeypatch: pytest.MonkeyPatch) -> None:
    mesh = triangles_of(plate(2))
    elements = kc.decompose(mesh)
    for element in elements:
        _ = element.hull, element.center, element.radius, element.boundary
    V = np.array(mesh.vertices)
    V[V[:, 0] == V[:, 0].max()] += [0.5, 0.0, 0.0]  # the far end, which stays flat

    def refuse(*_: object) -> None:
        raise AssertionError("it was merged again")

    monkeypatch.setattr(merging, "merge", refuse)
    moved = elements.refit(V)
    assert moved.element_of.tolist() == elements.element_of.tolist()
    kept = [new.hull is old.hull for new, old in zip(moved, elements, strict=True)]
    touched = [bool((V[old.vertices] != mesh.vertices[old.vertices]).any()) for old in elements]
    assert kept == [not is_touched for is_touched in touched]
    assert True in touched
    assert False in touched


def test_elements_that_are_no_longer_convex_are_divided() -> None:
    n = 9
    x, y = (w.ravel() for w in np.meshgrid(np.arange(n), np.arange(n), indexing="ij"))
    k = (x * n + y).reshape(n, n)
    quads = np.stack([k[:-1, :-1], k[1:, :-1], k[1:, 1:], k[:-1, 1:]], axis=-1).reshape(-1, 4)
    sheet = kc.Mesh(
        np.stack([x, y, 0 * x], axis=1).astype(float), quads[:, [0, 1, 2, 0, 2, 3]].reshape(-1, 3)
    )
    flat = kc.decompose(sheet, 1e-3)
    assert len(flat) == 1
    wavy = np.array(sheet.vertices)
    wavy[:, 2] = np.sin(wavy[:, 0])
    bent = flat.refit(wavy)
    assert len(bent) > 1
    check_certified(bent)
    assert len(bent) <= 2 * len(kc.decompose(kc.Mesh(wavy, sheet.triangles), 1e-3))
    assert len(flat.refit(sheet.vertices)) == 1


def test_vertices_that_counted_as_one_may_separate() -> None:
    mesh = triangles_of(plate(1))  # each quad has corners of its own
    model = kc.prepare(mesh, elements=True)
    rng = np.random.default_rng(4)
    V = np.array(mesh.vertices) + rng.normal(scale=1e-3, size=mesh.vertices.shape)
    loose = model.refit(V)
    assert not loose.shape.is_solid
    check_certified(loose.elements)


def test_what_refit_refuses() -> None:
    with pytest.raises(kc.ArgumentError, match="has no vertices to move"):
        kc.prepare(kc.Sphere(1.0)).refit([[0, 0, 0]])
    with pytest.raises(kc.ArgumentError, match="has no vertices to move"):
        kc.build_sphere_tree(kc.Sphere(1.0), 0.2).refit([[0, 0, 0]])
    for model in (kc.prepare(bumpy()), kc.decompose(bumpy()), kc.build_sphere_tree(bumpy(), 0.5)):
        with pytest.raises(kc.MeshError, match="144 vertices, but 3 moved ones"):
            model.refit(np.zeros((3, 3)))
        with pytest.raises(kc.MeshError, match="not finite"):
            model.refit(np.full((144, 3), np.nan))
