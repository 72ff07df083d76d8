"""The oracle of moving bodies, checked on answers known by hand and against exact arithmetic."""

import math

import numpy as np
import pytest
from scipy.linalg import expm, logm
from tests.oracles.contact_time import (
    Encounter,
    first_contact_truth,
    is_flat,
    least_distance,
    point_distance,
)
from tests.oracles.contact_time_distance import skeleton_intervals
from tests.oracles.contact_time_support import support_intervals
from tests.oracles.curved import WorldBody, core_distance_interval
from tests.oracles.exact_points import box, capsule, convex, cylinder, sphere
from tests.oracles.mesh_bodies import box_mesh, moved, needles, shell, slivers, star, tetrahedron
from tests.oracles.mesh_distance import surface_distance
from tests.oracles.mesh_inside import APART, truth_of
from tests.oracles.mesh_scene import mesh_body, scene
from tests.oracles.motion_bodies import Thing
from tests.oracles.motion_poses import (
    angle_axis,
    carried,
    control_matrices,
    fixed,
    move,
    quaternion_of,
    reversed_move,
    turn,
    turned,
)
from tests.oracles.poses import pose, random_pose, random_rotation

HERE = np.eye(4)
KINDS = ("screw", "linear", "cubic")
CUBE = Thing(box((1, 1, 1)))
BALL = Thing(sphere(0.5))


def shift(*p):
    return pose(np.eye(3), p)


def skeleton(a, X_WA, b, X_WB):
    lower, upper = skeleton_intervals(a, X_WA[None], b, X_WB[None])
    return float(lower[0]), float(upper[0])


def holds(bounds, expected, width=1e-12):
    """Whether bounds enclose a value, and closely."""
    return bounds[0] <= expected <= bounds[1] <= bounds[0] + width


def path(kind, rng, n=1, spread=1.0):
    """A motion of n pieces with small turns, so that cubics stay nearly rigid."""
    count = 3 * n + 1 if kind == "cubic" else n + 1
    poses = [random_pose(rng, spread)]
    while len(poses) < count:
        step = pose(turn(rng.normal(size=3), 0.4), rng.normal(size=3) * 0.2)
        poses.append(poses[-1] @ step)
    return move(kind, np.arange(count) * 0.5, poses)


def test_screws_are_powers_of_the_step():
    rng = np.random.default_rng(1)
    for _ in range(2):
        told = path("screw", rng)
        step = np.linalg.inv(told.X_W[0]) @ told.X_W[1]
        for s in (0.25, 0.7):
            expected = told.X_W[0] @ np.real(expm(s * logm(step)))
            assert np.max(np.abs(told.at(0.5 * s)[0] - expected)) < 1e-13


def test_a_screw_about_a_known_axis():
    """Half a turn less 0.1 about the line x = 1, with a rise of 2: the origin walks the circle around it."""
    angle = math.pi - 0.1
    end = pose(turn((0, 0, 1), angle), (1 - math.cos(angle), -math.sin(angle), 2.0))
    told = move("screw", [3, 5], [HERE, end])
    for s in (0.1, 0.5, 0.9):
        p = told.at(3 + 2 * s)[0, :3, 3].astype(float)
        assert np.allclose(p, [1 - math.cos(s * angle), -math.sin(s * angle), 2 * s], atol=1e-14)


def test_straight_motions_turn_at_a_constant_rate():
    told = move("linear", [0, 2], [shift(1, 0, 0), pose(turn((0, 1, 1), 3.0), (3, 4, 0))])
    X = told.at([0.5, 1.0])
    assert np.allclose(X[:, :3, 3].astype(float), [[1.5, 1, 0], [2, 2, 0]], atol=1e-15)
    assert np.max(np.abs(X[0, :3, :3].astype(float) - turn((0, 1, 1), 0.75))) < 1e-15
    assert np.max(np.abs(X[1, :3, :3].astype(float) - turn((0, 1, 1), 1.5))) < 1e-15


def test_cubics_pass_their_matrices_and_are_cubics():
    rng = np.random.default_rng(2)
    told = path("cubic", rng, n=2)
    assert np.max(np.abs(told.at(told.times) - told.X_W)) < 1e-15
    values = told.at(np.linspace(0.0, 1.5, 6))
    assert np.max(np.abs(np.diff(values, n=4, axis=0))) < 1e-15
    c = control_matrices(told.X_W[:4])
    s = 0.3
    weights = [(1 - s) ** 3, 3 * s * (1 - s) ** 2, 3 * s * s * (1 - s), s**3]
    assert np.max(np.abs(sum(w * C for w, C in zip(weights, c, strict=True)) - told.at(1.5 * s)[0])) < 1e-15


@pytest.mark.parametrize("kind", KINDS)
def test_motions_reach_their_poses_and_hold_them(kind):
    told = path(kind, np.random.default_rng(3), n=3)
    assert np.max(np.abs(told.at(told.times) - told.X_W)) < 3e-15
    assert np.array_equal(told.at([-1.0, 99.0]), told.at([told.times[0], told.times[-1]]))


@pytest.mark.parametrize("kind", KINDS)
def test_motions_reversed_and_carried(kind):
    told = path(kind, np.random.default_rng(4), n=2)
    back = reversed_move(told)
    t = np.linspace(told.times[0], told.times[-1], 9)
    assert np.max(np.abs(back.at(-t) - told.at(t))) < 3e-15
    X_VW = pose(turn((1, 2, 3), 1.0), (5, 6, 7))
    assert np.max(np.abs(carried(X_VW, told).at(t) - X_VW @ told.at(t))) < 1e-14


@pytest.mark.parametrize("kind", KINDS)
def test_no_point_is_faster_than_its_bound(kind):
    rng = np.random.default_rng(5)
    told = path(kind, rng, n=2)
    p = rng.normal(size=(40, 3))
    p *= 1.5 / np.linalg.norm(p, axis=1, keepdims=True)
    knots, speeds = told.speeds(1.5)
    fastest = 0.0
    for i, bound in enumerate(speeds):
        t = np.linspace(knots[i], knots[i + 1], 400)
        X = told.at(t).astype(float)
        way = np.einsum("tij,nj->tni", X[:, :3, :3], p) + X[:, None, :3, 3]
        speed = np.linalg.norm(np.diff(way, axis=0), axis=2).max() / (t[1] - t[0])
        assert speed <= bound
        fastest = max(fastest, speed / bound)
    assert fastest > 0.4


def test_quaternions_keep_their_digits_near_half_a_turn():
    for angle in (0.0, 1e-9, 1.0, math.pi - 1e-3, math.pi - 1e-8):
        for axis in ((1, 0, 0), (0.6, -0.8, 0), (1, 2, -3)):
            unit = np.array(axis) / np.linalg.norm(axis)
            R = turned(unit.astype(np.longdouble), np.array([np.longdouble(angle)]))[0]
            found, direction = angle_axis(HERE[:3, :3].astype(np.longdouble), R)
            assert abs(found - angle) < 1e-15
            assert angle == 0 or np.max(np.abs(direction - unit)) < 1e-15 / max(angle, 1e-16) + 1e-15
            assert abs(np.sum(quaternion_of(R) ** 2) - 1) < 1e-15


PLACES = {
    "corner over a face": (shift(0, 0, 2.0), 1.0),
    "edge over an edge": (shift(0, 1.5, 1.5), math.hypot(0.5, 0.5)),
    "corner over a corner": (shift(1.5, 1.5, 1.5), math.sqrt(0.75)),
    "touching": (shift(1.0, 0, 0), 0.0),
    "overlapping": (shift(0.3, 0.2, 0.1), 0.0),
    "the same": (HERE, 0.0),
}


@pytest.mark.parametrize("name", PLACES)
def test_two_cubes(name):
    X, expected = PLACES[name]
    assert holds(skeleton(CUBE, HERE, CUBE, X), expected)
    lower, upper = support_intervals(CUBE, HERE[None], CUBE, X[None])
    assert holds((lower[0], upper[0]), expected)
    assert upper[0] > 0.0 or name == "overlapping"
    assert (skeleton(CUBE, HERE, CUBE, X)[1] == 0.0) == (name in ("overlapping", "the same"))


def test_balls_segments_and_what_is_inside():
    rod = Thing(capsule(0.25, 2.0))
    across = pose(turn((1, 0, 0), math.pi / 2), (1, 0, 0))
    assert holds(skeleton(rod, HERE, rod, across), 0.5)
    assert holds(skeleton(BALL, HERE, CUBE, shift(2, 0, 0)), 1.0)
    hollow = Thing(shell(box_mesh((4, 4, 4)), box_mesh((3, 3, 3))))
    skin = Thing(box_mesh((4, 4, 4)), surface=True)
    for outer, expected in ((hollow, 1.0), (skin, 1.5), (Thing(box_mesh((4, 4, 4))), 0.0)):
        assert holds(skeleton(CUBE, HERE, outer, HERE), expected)
        assert holds(skeleton(outer, HERE, BALL, HERE), expected)


def test_distances_of_meshes_are_those_of_exact_arithmetic():
    rng = np.random.default_rng(6)
    makers = (lambda: star(0.8), lambda: slivers(rng, 6), lambda: needles(rng, 5), lambda: tetrahedron(1.0))
    for k in range(16):
        a, b = makers[k % 4](), makers[k // 4]()
        X_WA, X_WB = random_pose(rng, 0.5), random_pose(rng, 1.5)
        world = scene(a, X_WA, b, X_WB)
        found = skeleton(Thing(a), X_WA, Thing(b), X_WB)
        if truth_of(world).relation == APART:
            truth = surface_distance(world)
            assert found[0] <= truth.upper
            assert truth.lower <= found[1] < found[0] + 1e-11
        else:
            assert found == (0.0, 0.0)


def test_edges_that_are_almost_parallel_keep_their_distance():
    """Two crossed segments with an angle of 1e-9 are as far apart as their planes, to the last digits."""
    for angle in (1e-5, 1e-7, 1e-9, 1e-12, 0.0):
        for gap in (1e-3, 1e-8):
            needle = Thing(mesh_body([[-1, 0, 0], [1, 0, 0], [1, 0, 0]], [[0, 1, 2]]))
            X = pose(turn((0, 0, 1), angle), (0.1, 0, gap))
            assert holds(skeleton(needle, HERE, needle, X), gap, 3e-13)


def test_bounds_by_supports_hold_the_exact_distance():
    rng = np.random.default_rng(7)
    things = [cylinder(0.5, 1.0), box((1, 0.5, 0.2)), capsule(0.2, 1.0), convex(rng.normal(size=(8, 3)))]
    for a in things:
        X_WA, X_WB = random_pose(rng, 0.2), random_pose(rng, 0.2)
        X_WB[:3, 3] += (2.5, 0, 0)
        b = cylinder(0.3, 0.8)
        lower, upper = support_intervals(Thing(a), X_WA[None], Thing(b), X_WB[None])
        core = core_distance_interval(WorldBody(a, X_WA), WorldBody(b, X_WB))
        truth = float(core[0]) - (a.radius if a.kind == "capsule" else 0.0)
        assert holds((lower[0], upper[0]), truth, 1e-9)


def test_stretched_balls_are_ellipsoids():
    M = np.diag([1.01, 1.0, 0.98, 1.0])
    M[:3, 3] = (3.0, 0, 0)
    lower, upper = support_intervals(BALL, M[None], CUBE, HERE[None])
    assert holds((lower[0], upper[0]), 3.0 - 0.505 - 0.5, 1e-9)


@pytest.mark.parametrize("margin", [0.0, 0.25])
def test_a_falling_cube_lands_when_it_should(margin):
    case = Encounter(CUBE, move("linear", [0, 2], [shift(0, 0, 4), shift(0, 0, 0)]), CUBE, fixed(HERE))
    truth = first_contact_truth(case, margin)
    expected = (3 - margin) / 2
    assert truth.clear_until <= expected <= truth.contact_at
    assert truth.contact_at - truth.clear_until < 1e-8


@pytest.mark.parametrize("tip", [BALL, Thing(capsule(0.5, 1.0)), Thing(star(0.5))])
def test_a_turning_arm_meets_a_wall(tip):
    """A body at the end of an arm of 2 m turns by 170 degrees; its first contact is where the wall's distance is 0."""
    angle = math.radians(170)
    start = pose(np.eye(3), (2, 0, 0))
    told = move("screw", [0, 1], [start, turned_about(angle)])
    wall = Thing(box((0.01, 10, 10)))
    case = Encounter(tip, told, wall, fixed(shift(0, 0, 0)))
    truth = first_contact_truth(case)
    reach = {"sphere": 0.5, "capsule": 0.5, "mesh": 1.0}[tip.kind]
    assert truth.contact_at - truth.clear_until < 1e-8
    t = truth.clear_until * angle
    if tip.kind != "mesh":
        assert 0.0 <= 2 * math.cos(t) - reach - 0.005 < 1e-7
    assert case.distance(truth.clear_until)[0] < 1e-7


def test_a_falling_cylinder_lands_on_its_rim():
    start, end = (pose(turn((1, 0, 0), 0.6), (0, 0, z)) for z in (2.0, 0.0))
    case = Encounter(Thing(cylinder(0.5, 1.0)), move("linear", [0, 2], [start, end]), CUBE, fixed(HERE))
    truth = first_contact_truth(case, resolution=1e-4)
    expected = 2.0 - 0.5 - 0.5 * (math.cos(0.6) + math.sin(0.6))
    assert truth.clear_until <= expected <= truth.contact_at < truth.clear_until + 1e-3


def turned_about(angle):
    """The pose at (2, 0, 0) turned about the world's z axis."""
    R = turn((0, 0, 1), angle)
    return pose(R, R @ np.array([2.0, 0, 0]))


def test_the_first_of_several_contacts_counts():
    """A ball goes to and fro: it touches in the second piece, and again at the very end."""
    places = [shift(x, 0, 0) for x in (4, 2, 0.5, 4, 1)]
    case = Encounter(BALL, move("linear", [0, 1, 2, 3, 4], places), BALL, fixed(HERE))
    truth = first_contact_truth(case)
    assert truth.clear_until <= 1 + 1 / 1.5 <= truth.contact_at < 1 + 1 / 1.5 + 1e-8


def test_near_misses_are_proved_clear_and_grazes_are_left_open():
    for gap, expected in ((1e-6, True), (-1e-6, False)):
        way = [shift(-2, 0, 1 + gap), shift(2, 0, 1 + gap)]
        case = Encounter(BALL, move("linear", [0, 1], way), BALL, fixed(HERE))
        truth = first_contact_truth(case)
        assert math.isnan(truth.contact_at) == expected
        assert (truth.clear_until == 1.0) == expected
    grazing = Encounter(BALL, move("linear", [0, 1], [shift(-2, 0, 1), shift(2, 0, 1)]), BALL, fixed(HERE))
    truth = first_contact_truth(grazing, resolution=1e-7)
    assert 0.499 < truth.clear_until <= 0.5
    assert math.isnan(truth.contact_at)


def test_the_least_distance_is_enclosed():
    way = [shift(-2, 0, 1.5), shift(2, 0, 1.5)]
    case = Encounter(BALL, move("linear", [0, 1], way), BALL, fixed(HERE))
    lower, upper, when = least_distance(case, 1e-4)
    assert lower <= 0.5 <= upper
    assert upper - lower <= 1.0001e-4
    assert abs(when - 0.5) < 0.01
    touching = Encounter(BALL, move("linear", [0, 1], [shift(2, 0, 0), HERE]), BALL, fixed(HERE))
    assert least_distance(touching, 1e-4)[:2] == (0.0, 0.0)


def test_rest_is_one_instant():
    for x, contact in ((3.0, math.nan), (0.9, 0.0)):
        truth = first_contact_truth(Encounter(BALL, fixed(HERE), BALL, fixed(shift(x, 0, 0))))
        assert truth.clear_until == 0.0
        assert truth.contact_at == contact or (math.isnan(contact) and math.isnan(truth.contact_at))


def test_points_and_flat_hulls():
    assert abs(point_distance(CUBE, shift(1, 0, 0), np.array([0.0, 0, 0])) - 0.5) < 1e-13
    assert point_distance(Thing(cylinder(1.0, 1.0)), HERE, np.array([0.1, 0, 0])) < 1e-12
    assert is_flat(Thing(convex([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]])))
    assert not is_flat(Thing(convex([*random_rotation(np.random.default_rng(8)), (0, 0, 0)])))


def test_a_moved_mesh_is_the_same_as_a_moved_frame():
    rng = np.random.default_rng(9)
    a, b = Thing(star(0.7)), Thing(moved(star(0.7), (0.5, 0, 0)))
    X = random_pose(rng, 1.0)
    found = skeleton(a, X @ shift(0.5, 0, 0), CUBE, shift(0, 0, 4))
    assert np.max(np.abs(np.array(found) - skeleton(b, X, CUBE, shift(0, 0, 4)))) < 1e-12
