"""Balls inside of solids are inside, and surfaces have none."""

import numpy as np
from tests.oracles.mesh_bodies import box_mesh, star

import keepclear as kc
from keepclear.query.instant.inner_balls import MOST, inner_balls_of, inner_depths


def test_the_balls_of_a_box_keep_within_its_faces() -> None:
    body = box_mesh(np.array([0.2, 0.4, 1.0]))
    balls = inner_balls_of(kc.Mesh(body.vertices, body.faces))
    assert 0 < len(balls) <= MOST
    reach = np.abs(balls[:, :3]) + balls[:, 3:]
    assert (reach <= np.array([0.1, 0.2, 0.5])).all()
    assert balls[:, 3].max() > 0.08


def test_the_balls_of_a_star_are_inside_of_it() -> None:
    body = star(0.4)
    mesh, skin = kc.Mesh(body.vertices, body.faces), kc.Mesh(body.vertices, body.faces, solid=False)
    balls = inner_balls_of(mesh)
    assert len(balls) > 0
    for x, y, z, radius in balls:
        X = np.eye(4)
        X[:3, 3] = x, y, z
        assert kc.distance(mesh, np.eye(4), kc.Sphere(1e-6), X).state is kc.State.CONTAINED
        assert kc.distance(skin, np.eye(4), kc.Sphere(1e-6), X).distance + 1e-6 >= radius


def test_a_surface_has_no_balls_and_an_answer_is_kept() -> None:
    body = box_mesh(np.array([1.0, 1.0, 1.0]))
    assert inner_balls_of(kc.Mesh(body.vertices, body.faces, solid=False)).shape == (0, 4)
    mesh = kc.Mesh(body.vertices, body.faces)
    assert inner_balls_of(mesh) is inner_balls_of(mesh)


def test_depths_of_points_in_a_box_are_those_from_its_faces() -> None:
    size = np.array([0.2, 0.4, 1.0])
    body = box_mesh(size)
    points = np.random.default_rng(1).uniform(-0.6, 0.6, (200, 3))
    room = 0.5 * size - np.abs(points)
    expected = np.where(
        (room > 0.0).all(axis=1), room.min(axis=1), -np.linalg.norm(np.minimum(room, 0.0), axis=1)
    )
    for shape in (kc.Mesh(body.vertices, body.faces), kc.Box(size), kc.Convex(body.vertices)):
        depths = inner_depths(shape, points)
        assert (depths <= expected + 1e-12).all()
        assert (depths >= expected - 5e-6).all()
    skin = inner_depths(kc.Mesh(body.vertices, body.faces, solid=False), points)
    assert (skin < 0.0).all()
    assert np.allclose(skin, -np.abs(expected), atol=5e-6)
