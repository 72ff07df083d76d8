"""Closed meshes are solids and open ones are surfaces: bodies in bodies, cavities, shells and sheets."""

import numpy as np
import pytest
from tests.oracles import mesh_bodies as make
from tests.oracles.mesh_comparison import library_mesh
from tests.oracles.mesh_scene import mesh_body
from tests.oracles.poses import pose, random_pose, random_rotation

import keepclear as kc

HERE = np.eye(4)
STRUCTURES = ("obb_tree", "box_tree")


def at(x, y, z):
    return pose(np.eye(3), (x, y, z))


def ball(radius, *, steps=2):
    """An octahedron whose faces were cut in four `steps` times, on a sphere."""
    body = make.octahedron()
    for _ in range(steps):
        points, faces = [], []
        for f in body.faces:
            a, b, c = body.vertices[list(f)]
            k = len(points)
            points += [a, b, c, (a + b) / 2, (b + c) / 2, (c + a) / 2]
            faces += [[k, k + 3, k + 5], [k + 3, k + 1, k + 4], [k + 5, k + 4, k + 2], [k + 3, k + 4, k + 5]]
        body = mesh_body(points, faces)
    points = body.vertices / np.linalg.norm(body.vertices, axis=1, keepdims=True)
    unique, index = np.unique(np.round(points, 12), axis=0, return_inverse=True)
    return mesh_body(radius * unique, index.reshape(-1)[np.array(body.faces)])


def cube(size):
    return make.box_mesh((size, size, size))


def assert_state(a, X_WA, b, X_WB, state, distance=None):
    """Both orders, both structures, any and all, `collide` and `distance` say the same."""
    for (p, X), (q, Y) in (((a, X_WA), (b, X_WB)), ((b, X_WB), (a, X_WA))):
        for using in STRUCTURES:
            for find in ("any", "all"):
                found = kc.collide(p, X, q, Y, find=find, using=using)
                assert found.state == state
                assert found.colliding == (state != kc.State.SEPARATE)
                assert (len(found.pairs) > 0) == (state == kc.State.INTERFERING)
        measured = kc.distance(p, X, q, Y)
        assert measured.state == state
        assert measured.colliding == (state != kc.State.SEPARATE)
        if state != kc.State.SEPARATE:
            assert measured.distance == 0.0
        elif distance is not None:
            assert abs(measured.distance - distance) <= 1e-12


@pytest.mark.parametrize("turned", [False, True], ids=["outward", "inward"])
def test_a_solid_in_a_solid_is_contact(turned):
    """Also when the faces of the outer one look inwards: winding -1 is not 0."""
    outer = make.flipped(cube(4)) if turned else cube(4)
    big, small = library_mesh(outer), library_mesh(cube(1))
    assert_state(big, HERE, small, at(1, 0.5, -0.5), kc.State.CONTAINED)
    assert_state(big, HERE, small, at(1.5, 0, 0), kc.State.INTERFERING)  # touches the wall from inside
    assert_state(big, HERE, small, at(2.5, 0, 0), kc.State.INTERFERING)  # touches it from outside
    assert_state(big, HERE, small, at(4, 0, 0), kc.State.SEPARATE, 1.5)


def test_a_ball_rattles_in_a_hollow_sphere():
    """Clear in the cavity, at the true distance to its wall; contained within the wall; clear outside."""
    hollow = library_mesh(make.shell(ball(2.0), ball(1.5)))
    rattle = library_mesh(ball(0.25))
    assert hollow.is_solid
    rng = np.random.default_rng(1)
    for _ in range(20):
        way = rng.normal(size=3)
        way /= np.linalg.norm(way)
        X_W = random_pose(rng, 1.0)
        X_WB = X_W @ pose(random_rotation(rng), rng.uniform(0, 0.9) * way)
        apart = kc.distance(hollow, X_W, rattle, kc.nearest_rigid(X_WB))
        assert apart.state == kc.State.SEPARATE
        assert 0.2 < apart.distance < 1.26
    assert_state(hollow, HERE, rattle, at(0, 0, 0), kc.State.SEPARATE)
    assert_state(hollow, HERE, rattle, at(1.4, 0, 0), kc.State.INTERFERING)
    assert_state(hollow, HERE, library_mesh(ball(0.05)), at(1.7, 0, 0), kc.State.CONTAINED)
    assert_state(hollow, HERE, library_mesh(ball(0.05)), at(2.2, 0, 0), kc.State.SEPARATE, 0.15)


def test_primitives_in_a_hollow_box():
    """The same with shapes that are no meshes: the distance to the cavity's wall, or contained in the wall."""
    hollow = library_mesh(make.shell(cube(8), cube(4)))
    solid = library_mesh(cube(8))
    points = np.array([[0.5, 0, 0], [-0.5, 0, 0], [0, 0.5, 0], [0, -0.5, 0], [0, 0, 0.5], [0, 0, -0.5]])
    shapes = (
        kc.Sphere(0.5),
        kc.Box([1, 1, 1]),
        kc.Capsule(0.25, 0.5),
        kc.Cylinder(0.5, 1.0),
        kc.Convex(points),
    )
    for shape in shapes:
        assert_distance(hollow, HERE, shape, HERE, kc.State.SEPARATE, 1.5)
        assert_distance(hollow, HERE, shape, at(0, 0, 3), kc.State.CONTAINED)
        assert_distance(hollow, HERE, shape, at(0, 0, 2), kc.State.INTERFERING)
        assert_distance(hollow, HERE, shape, at(0, 0, 5), kc.State.SEPARATE, 0.5)
        assert_distance(solid, HERE, shape, HERE, kc.State.CONTAINED)


def test_meshes_in_primitives():
    """A mesh wholly inside a primitive is contact, open or closed."""
    sheet = mesh_body([[-0.1, 0, 0], [0.2, 0, 0.1], [0, 0.3, 0]], [[0, 1, 2]])
    for mesh in (library_mesh(cube(0.5)), library_mesh(sheet)):
        for shape in (
            kc.Sphere(2),
            kc.Box([4, 4, 4]),
            kc.Capsule(1, 2),
            kc.Cylinder(2, 4),
            kc.Convex(cube(3).vertices),
        ):
            assert_distance(mesh, HERE, shape, HERE, kc.State.CONTAINED)
            assert_distance(mesh, HERE, shape, at(9, 0, 0), kc.State.SEPARATE)
    assert_distance(library_mesh(cube(1)), HERE, kc.Sphere(1), at(0.9, 0, 0), kc.State.INTERFERING)


def assert_distance(mesh, X_WM, shape, X_WS, state, distance=None):
    for measured in (kc.distance(mesh, X_WM, shape, X_WS), kc.distance(shape, X_WS, mesh, X_WM)):
        assert measured.state == state, (shape, measured)
        assert measured.colliding == (state != kc.State.SEPARATE)
        if state != kc.State.SEPARATE:
            assert measured.distance == 0.0
        elif distance is not None:
            assert abs(measured.distance - distance) <= 1e-12, (shape, measured)
    for found in (kc.collide(mesh, X_WM, shape, X_WS), kc.collide(shape, X_WS, mesh, X_WM)):
        assert found.colliding == (state != kc.State.SEPARATE)


def test_nested_shells():
    """Solid, cavity, solid, cavity: an onion of four boxes."""
    onion = library_mesh(make.joined(make.shell(cube(16), cube(12)), make.shell(cube(8), cube(4))))
    small = library_mesh(cube(1))
    for x, state in (
        (0, kc.State.SEPARATE),
        (3, kc.State.CONTAINED),
        (5, kc.State.SEPARATE),
        (7, kc.State.CONTAINED),
    ):
        assert_state(onion, HERE, small, at(x, 0, 0), state)
    assert_state(onion, HERE, library_mesh(make.shell(cube(11), cube(9))), HERE, kc.State.SEPARATE, 0.5)
    assert_state(onion, HERE, library_mesh(make.shell(cube(15), cube(9))), HERE, kc.State.CONTAINED)
    assert_state(onion, HERE, library_mesh(make.shell(cube(11), cube(7))), HERE, kc.State.CONTAINED)
    assert_state(
        onion, HERE, library_mesh(make.shell(cube(15), cube(7))), at(0.5, 0, 0), kc.State.INTERFERING
    )


def test_solids_in_solids_of_the_same_orientation_stay_solid():
    """Two outward boxes, one in the other: winding 2 inside is solid, there is no cavity."""
    twice = library_mesh(make.joined(cube(8), cube(4)))
    assert_state(twice, HERE, library_mesh(cube(1)), HERE, kc.State.CONTAINED)
    assert_state(twice, HERE, library_mesh(cube(1)), at(3, 0, 0), kc.State.CONTAINED)


def test_one_of_many_pieces_is_inside():
    """Pieces are looked at one by one, wherever the piece inside is in the list."""
    rng = np.random.default_rng(2)
    big = library_mesh(cube(4))
    for k in range(6):
        places = [9.0 * np.array([np.cos(i), np.sin(i), 0.1 * i]) for i in range(6)]
        places[k] = rng.uniform(-1, 1, size=3)
        pieces = [make.moved(make.tetrahedron(0.5), p) for p in places]
        assert_state(big, HERE, library_mesh(make.joined(*pieces)), HERE, kc.State.CONTAINED)
        del pieces[k]
        assert_state(big, HERE, library_mesh(make.joined(*pieces)), HERE, kc.State.SEPARATE)


def test_open_meshes_are_surfaces():
    """Without a lid a box has no inside; the result says that it was taken as a surface."""
    lidless = mesh_body(cube(4).vertices, cube(4).faces[2:])
    small = library_mesh(cube(1))
    assert_state(library_mesh(lidless), HERE, small, HERE, kc.State.SEPARATE, 1.5)
    found = kc.collide(library_mesh(lidless), HERE, small, HERE)
    assert tuple(found.solid) == (False, True)
    assert tuple(kc.distance(small, HERE, library_mesh(lidless), HERE).solid) == (True, False)


def test_surfaces_on_request():
    """solid=False makes a surface of a closed mesh."""
    body = cube(4)
    hull = kc.Mesh(body.vertices, body.faces, solid=False)
    assert_state(hull, HERE, library_mesh(cube(1)), HERE, kc.State.SEPARATE, 1.5)
    assert_state(hull, HERE, library_mesh(cube(6)), HERE, kc.State.CONTAINED)  # the surface is in the solid
    assert tuple(kc.collide(hull, HERE, hull, at(9, 0, 0)).solid) == (False, False)


def test_a_sheet_in_a_solid_is_contact():
    sheet = library_mesh(mesh_body([[-0.5, 0, 0], [0.5, 0, 0.1], [0, 0.5, 0]], [[0, 1, 2]]))
    assert_state(library_mesh(cube(4)), HERE, sheet, HERE, kc.State.CONTAINED)
    assert_state(library_mesh(cube(4)), HERE, sheet, at(2, 0, 0), kc.State.INTERFERING)
    assert_state(library_mesh(cube(4)), HERE, sheet, at(3, 0, 0), kc.State.SEPARATE, 0.5)
    assert_state(library_mesh(make.shell(cube(8), cube(4))), HERE, sheet, HERE, kc.State.SEPARATE)
    point = library_mesh(mesh_body([[0.3, 0.1, 0.2]] * 3, [[0, 1, 2]]))
    assert_state(library_mesh(cube(4)), HERE, point, HERE, kc.State.CONTAINED)


def test_through_the_hole_of_a_ring():
    ring = library_mesh(make.torus(16, 10, 2.0, 0.5))
    rod = library_mesh(make.box_mesh((0.5, 0.5, 8)))
    assert_state(ring, HERE, rod, HERE, kc.State.SEPARATE)
    assert_state(ring, HERE, rod, at(2, 0, 0), kc.State.INTERFERING)
    assert_state(ring, HERE, library_mesh(cube(0.1)), at(2, 0.1, 0), kc.State.CONTAINED)


def test_scaled_poses_move_things_in_and_out():
    """A uniform scale in a pose grows a body until it touches, and around the other."""
    small, big = library_mesh(cube(1)), library_mesh(cube(4))
    grown = HERE.copy()
    for scale, state in (
        (1, kc.State.CONTAINED),
        (3.5, kc.State.CONTAINED),
        (4, kc.State.INTERFERING),
        (5, kc.State.CONTAINED),
    ):
        grown[:3, :3] = scale * np.eye(3)
        assert_state(big, HERE, small, grown, state)
