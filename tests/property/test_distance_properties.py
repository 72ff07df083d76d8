"""What must hold between answers: swap, common motion, scale, growth, batches, threads and tracking."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.comparison import Answer, answers_of, faults, library_shape
from tests.oracles.exact_convex import signed_distance
from tests.oracles.exact_points import box, capsule, convex, cylinder, scene_size, sphere
from tests.oracles.poses import place_at_gap, pose, random_pose, random_rotation, rotation_of_quaternion

import keepclear as kc

KINDS = ("sphere", "box", "capsule", "cylinder", "convex")


def make_body(rng, kind):
    r, length = rng.uniform(0.1, 1.0), rng.uniform(0.1, 2.0)
    return {
        "sphere": lambda: sphere(r),
        "box": lambda: box(rng.uniform(0.1, 2.0, size=3)),
        "capsule": lambda: capsule(r, length),
        "cylinder": lambda: cylinder(r, length),
        "convex": lambda: convex(rng.normal(size=(rng.integers(1, 20), 3))),
    }[kind]()


def make_pair(seed, gap):
    """A seeded pair of any two kinds at about a gap, with its poses and scene size."""
    rng = np.random.default_rng(seed)
    a, b = (make_body(rng, KINDS[rng.integers(5)]) for _ in range(2))
    X_WA = random_pose(rng, 1.0)
    X_WB = place_at_gap(rng, a, X_WA, b, random_rotation(rng), gap)
    return a, X_WA, b, X_WB, scene_size(a, X_WA, b, X_WB)


pairs = st.builds(
    make_pair,
    seed=st.integers(0, 2**32 - 1),
    gap=st.sampled_from([2.0, 0.3, 1e-3, 1e-6, -1e-6, -1e-3, -0.2]),
)
settings.register_profile("seeded", derandomize=True, deadline=None, max_examples=150, database=None)
settings.load_profile("seeded")


def is_curved_overlap(a, b, result):
    return result.colliding and "cylinder" in (a.kind, b.kind)


@given(pairs)
def test_swapping_the_bodies(pair):
    a, X_WA, b, X_WB, size = pair
    shape_a, shape_b = library_shape(a), library_shape(b)
    r, s = kc.distance(shape_a, X_WA, shape_b, X_WB), kc.distance(shape_b, X_WB, shape_a, X_WA)
    assert abs(r.distance - s.distance) <= (1e-9 if is_curved_overlap(a, b, r) else 1e-13) * size
    assert r.colliding == s.colliding or abs(r.distance) < 1e-13 * size
    assert max(r.lower, s.lower) <= min(r.upper, s.upper)  # both enclose the one truth


@given(st.integers(0, 2**32 - 1))
def test_swapping_exchanges_points_and_turns_the_normal(seed):
    """A sphere and a hull apart have one pair of closest points, so it must be the same."""
    rng = np.random.default_rng(seed)
    a, b = sphere(rng.uniform(0.1, 1.0)), convex(rng.normal(size=(12, 3)))
    X_WA = random_pose(rng, 1.0)
    X_WB = place_at_gap(rng, a, X_WA, b, random_rotation(rng), 0.5)
    size = scene_size(a, X_WA, b, X_WB)
    shape_a, shape_b = library_shape(a), library_shape(b)
    r, s = kc.distance(shape_a, X_WA, shape_b, X_WB), kc.distance(shape_b, X_WB, shape_a, X_WA)
    assert np.max(np.abs(r.p_WA - s.p_WB)) <= 1e-11 * size
    assert np.max(np.abs(r.p_WB - s.p_WA)) <= 1e-11 * size
    assert np.max(np.abs(r.normal_W + s.normal_W)) <= 1e-11 * size


@given(pairs, st.integers(0, 2**32 - 1))
def test_moving_both_bodies(pair, seed):
    a, X_WA, b, X_WB, size = pair
    X_VW = random_pose(np.random.default_rng(seed), 10.0)
    X_VA, X_VB = kc.nearest_rigid(X_VW @ X_WA), kc.nearest_rigid(X_VW @ X_WB)
    shape_a, shape_b = library_shape(a), library_shape(b)
    r, s = kc.distance(shape_a, X_WA, shape_b, X_WB), kc.distance(shape_a, X_VA, shape_b, X_VB)
    rounding = 1e-14 * (size + 10.0)  # the products of poses are rounded
    assert abs(r.distance - s.distance) <= (1e-9 if r.colliding or s.colliding else 1e-12) * size + rounding


@given(pairs, st.integers(-12, 12))
def test_scaling_by_a_power_of_two_scales_the_answer(pair, exponent):
    a, X_WA, b, X_WB, size = pair
    s = 2.0**exponent
    Y_WA, Y_WB = X_WA.copy(), X_WB.copy()
    Y_WA[:3, 3] *= s
    Y_WB[:3, 3] *= s
    shape_a, shape_b = library_shape(a), library_shape(b)
    r = kc.distance(shape_a, X_WA, shape_b, X_WB)
    q = kc.distance(shape_a.scaled(s), Y_WA, shape_b.scaled(s), Y_WB)
    assert abs(r.distance - q.distance / s) <= (1e-9 if is_curved_overlap(a, b, r) else 1e-13) * size


@given(st.integers(0, 2**32 - 1), st.floats(1e-3, 2.0))
def test_a_sphere_is_a_point_grown_by_its_radius(seed, radius):
    rng = np.random.default_rng(seed)
    b = make_body(rng, KINDS[rng.integers(5)])
    X_WA = random_pose(rng, 1.0)
    X_WB = place_at_gap(rng, convex([[0.0, 0.0, 0.0]]), X_WA, b, random_rotation(rng), rng.uniform(0.1, 3.0))
    shape_b = library_shape(b)
    r = kc.distance(kc.Convex([[0.0, 0.0, 0.0]]), X_WA, shape_b, X_WB)
    s = kc.distance(kc.Sphere(radius), X_WA, shape_b, X_WB)
    assert abs(r.distance - radius - s.distance) <= 1e-12 * (scene_size(sphere(radius), X_WA, b, X_WB))


@given(pairs, st.floats(0.0, 1.0))
def test_a_smaller_body_is_never_nearer(pair, share):
    """A hull of some of the points lies inside: its distance is at least the other's lower bound."""
    _, X_WA, b, X_WB, _ = pair
    points = np.random.default_rng(7).normal(size=(16, 3))
    some = points[: max(1, int(16 * share))]
    shape_b = library_shape(b)
    r = kc.distance(kc.Convex(points), X_WA, shape_b, X_WB)
    s = kc.distance(kc.Convex(some), X_WA, shape_b, X_WB)
    assert s.upper >= r.lower


def batch_of(kind_a, kind_b, n, seed=5):
    rng = np.random.default_rng(seed)
    a, b = make_body(rng, kind_a), make_body(rng, kind_b)
    X_WA = np.array([random_pose(rng, 0.5) for _ in range(n)])
    X_WB = np.array([random_pose(rng, 1.0) for _ in range(n)])
    return library_shape(a), X_WA, library_shape(b), X_WB


def assert_same_bits(result, other):
    for name in (*Answer._fields, "iterations"):
        left, right = np.asarray(getattr(result, name)), np.asarray(getattr(other, name))
        assert left.shape == right.shape, name
        assert left.tobytes() == right.tobytes(), name


@pytest.mark.parametrize("kind_b", KINDS)
@pytest.mark.parametrize("kind_a", KINDS)
def test_a_batch_equals_single_calls(kind_a, kind_b):
    a, X_WA, b, X_WB = batch_of(kind_a, kind_b, 24)
    batch = kc.distance(a, X_WA, b, X_WB)
    shapes = {name: np.asarray(getattr(batch, name)).shape for name in Answer._fields}
    assert shapes["distance"] == shapes["lower"] == shapes["colliding"] == shapes["state"] == (24,)
    assert shapes["p_WA"] == shapes["p_WB"] == shapes["normal_W"] == (24, 3)
    for i, answer in enumerate(answers_of(batch)):
        single = kc.distance(a, X_WA[i], b, X_WB[i])
        assert (single.colliding, single.state) == (answer.colliding, answer.state), i
        for name in ("distance", "lower", "upper", "p_WA", "p_WB", "normal_W"):
            bits = np.float64(getattr(single, name)).tobytes()
            assert bits == np.float64(getattr(answer, name)).tobytes(), (i, name)


@pytest.mark.parametrize(("kind_a", "kind_b"), [("convex", "convex"), ("box", "cylinder"), ("sphere", "box")])
def test_threads_change_no_bit(kind_a, kind_b):
    a, X_WA, b, X_WB = batch_of(kind_a, kind_b, 1001)
    one = kc.distance(a, X_WA, b, X_WB, threads=1)
    for threads in (2, 3, 8):
        assert_same_bits(one, kc.distance(a, X_WA, b, X_WB, threads=threads))


def test_a_single_pose_is_repeated_in_a_batch():
    a, X_WA, b, X_WB = batch_of("convex", "box", 20)
    repeated = np.repeat(X_WA[:1], 20, axis=0)
    assert_same_bits(kc.distance(a, X_WA[0], b, X_WB), kc.distance(a, repeated, b, X_WB))
    assert_same_bits(kc.distance(b, X_WB, a, X_WA[0]), kc.distance(b, X_WB, a, repeated))
    assert_same_bits(kc.distance(a, X_WA[:1], b, X_WB[:1]), kc.distance(a, X_WA[0], b, X_WB[:1]))


def smooth_motion(frames, seed, reach=1.5):
    """A body that turns and passes another one, through contact and out again."""
    rng = np.random.default_rng(seed)
    start, axis = rng.normal(size=4), rng.normal(size=4) * 0.5
    t = np.linspace(-1.0, 1.0, frames)
    away = rng.normal(size=3) * 0.5
    path = np.column_stack([reach * 2 * t, 0.4 * np.sin(3 * t), 0.3 * np.cos(2 * t)]) + away
    return np.array([pose(rotation_of_quaternion(start + s * axis), p) for s, p in zip(t, path, strict=True)])


@pytest.mark.parametrize("kind_b", KINDS)
@pytest.mark.parametrize("kind_a", KINDS)
def test_a_tracker_answers_like_a_cold_start(kind_a, kind_b):
    rng = np.random.default_rng(KINDS.index(kind_a) * 5 + KINDS.index(kind_b))
    a, b = make_body(rng, kind_a), make_body(rng, kind_b)
    shape_a, shape_b = library_shape(a), library_shape(b)
    X_WB = np.array([kc.nearest_rigid(X) for X in smooth_motion(200, seed=int(rng.integers(1000)))])
    X_WA = random_pose(rng, 0.1)
    tracked = kc.Tracker(shape_a, shape_b).distance(X_WA, X_WB)
    cold = kc.distance(shape_a, X_WA, shape_b, X_WB)
    for i, (warm, fresh) in enumerate(zip(answers_of(tracked), answers_of(cold), strict=True)):
        size = scene_size(a, X_WA, b, X_WB[i])
        curved = "cylinder" in (kind_a, kind_b)
        tolerance = 1e-9 if curved and fresh.colliding else 1e-12
        assert abs(warm.distance - fresh.distance) <= tolerance * size, i
        assert max(warm.lower, fresh.lower) <= min(warm.upper, fresh.upper), i
        if i % 20 == 0:
            truth = signed_distance(a, X_WA, b, X_WB[i])
            assert not faults(a, X_WA, b, X_WB[i], warm, truth), i


def test_a_tracker_may_be_thrown_anywhere():
    """Large jumps and exact repeats: memory may cost time, never the answer."""
    rng = np.random.default_rng(21)
    a, b = convex(rng.normal(size=(30, 3))), convex(rng.normal(size=(30, 3)))
    tracker = kc.Tracker(library_shape(a), library_shape(b))
    for i in range(120):
        X_WA, X_WB = random_pose(rng, 1.5), random_pose(rng, 1.5)
        for _ in range(1 + i % 2):
            result = tracker.distance(X_WA, X_WB)
            answer = Answer(*(getattr(result, name) for name in Answer._fields))
            assert not faults(a, X_WA, b, X_WB, answer, signed_distance(a, X_WA, b, X_WB)), i


def test_frames_one_by_one_equal_frames_in_one_call():
    rng = np.random.default_rng(22)
    a, b = kc.Convex(rng.normal(size=(40, 3))), kc.Convex(rng.normal(size=(25, 3)))
    X_WB = smooth_motion(150, seed=3)
    at_once = kc.Tracker(a, b).distance(np.eye(4), X_WB)
    tracker = kc.Tracker(a, b)
    for X, answer in zip(X_WB, answers_of(at_once), strict=True):
        single = tracker.distance(np.eye(4), X)
        assert (single.distance, single.lower, single.upper) == (answer.distance, answer.lower, answer.upper)
        assert single.p_WA.tobytes() == answer.p_WA.tobytes()


def test_results_can_be_printed_copied_and_stored():
    a, X_WA, b, X_WB = batch_of("convex", "box", 7)
    for result in (kc.distance(a, X_WA[0], b, X_WB[0]), kc.distance(a, X_WA, b, X_WB)):
        for text in (str(result), repr(result)):
            assert " object at 0x" not in text
            assert "distance" in text.lower() or "apart" in text.lower() or "deep" in text.lower()
        assert_same_bits(result, pickle.loads(pickle.dumps(result)))
        assert_same_bits(result, copy.deepcopy(result))
        with pytest.raises((AttributeError, TypeError)):
            result.distance = 0.0


def test_answers_do_not_alias_the_input():
    """Changing an array after the call changes neither shapes nor results."""
    points = np.random.default_rng(23).normal(size=(10, 3))
    X_WB = pose(np.eye(3), (4.0, 0.0, 0.0))
    shape = kc.Convex(points)
    before = kc.distance(shape, np.eye(4), kc.Sphere(0.5), X_WB)
    distance, p_WB = before.distance, before.p_WB.copy()
    points[:] = 0.0
    X_WB[:] = np.nan
    after = kc.distance(shape, np.eye(4), kc.Sphere(0.5), pose(np.eye(3), (4.0, 0.0, 0.0)))
    assert after.distance == distance == before.distance
    assert np.array_equal(before.p_WB, p_WB)
