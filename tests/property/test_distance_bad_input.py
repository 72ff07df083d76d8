"""Thousands of seeded wrong inputs, each refused by one clear error; odd but right ones are answered."""

from fractions import Fraction

import numpy as np
import pytest
from tests.oracles.exact_convex import signed_distance
from tests.oracles.exact_points import box, sphere
from tests.oracles.poses import pose, random_pose, random_rotation

import keepclear as kc

BOX = kc.Box([1.0, 2.0, 3.0])
BALL = kc.Sphere(0.5)
HULL = kc.Convex(np.random.default_rng(0).normal(size=(10, 3)))
SHAPES = (BOX, BALL, HULL, kc.Capsule(0.2, 1.0), kc.Cylinder(0.3, 0.8))
NOT_NUMBERS = (
    "pose",
    b"pose",
    None,
    object(),
    {},
    set(),
    1j,
    [],
    (),
    [[]],
    "1.0",
    np.datetime64("2020-01-01"),
)


class Hostile:
    """An object whose conversion to an array fails in a way of its own."""

    def __array__(self, *_args, **_kwargs):
        raise RuntimeError("no array today")


def not_finite(rng, X):
    X[rng.integers(4), rng.integers(4)] = rng.choice([np.nan, np.inf, -np.inf])
    return X


def scaled(rng, X):
    X[:3, :3] *= rng.choice([0.0, 0.5, 1.0 + 1e-4, 2.0, 1e3, 1e-3, -1.0])
    return X


def reflected(rng, X):
    X[:3, rng.integers(3)] *= -1.0
    return X


def sheared(rng, X):
    i, j = rng.permutation(3)[:2]
    X[:3, i] += rng.uniform(1e-4, 1.0) * X[:3, j]
    return X


def singular(rng, X):
    X[:3, rng.integers(3)] = X[:3, rng.integers(3)] * rng.choice([0.0, 1.0])
    X[:3, 0] = X[:3, 1]
    return X


def wrong_last_row(rng, X):
    X[3, rng.integers(4)] += rng.choice([1.0, -1.0, 1e-3, 1e6])
    return X


def transposed(_rng, X):
    X[:3, 3] += 1.0
    return X.T.copy()


def random_entries(rng, _X):
    return rng.normal(size=(4, 4)) * 10.0 ** rng.uniform(-300, 300)


def huge_entries(rng, X):
    X[:3, :3] *= 10.0 ** rng.uniform(10, 308)
    return X


BAD_POSES = (
    not_finite,
    scaled,
    reflected,
    sheared,
    singular,
    wrong_last_row,
    transposed,
    random_entries,
    huge_entries,
)


def assert_refused(call, *names):
    """One KeepclearError that names the thing to blame, and nothing else."""
    with pytest.raises(kc.KeepclearError) as caught:
        call()
    text = str(caught.value)
    assert any(name in text for name in names), f"{text!r} names none of {names}"
    assert "\n" not in text.strip()


@pytest.mark.parametrize("spoil", BAD_POSES, ids=lambda f: f.__name__)
def test_bad_poses_are_refused(spoil):
    rng = np.random.default_rng(len(spoil.__name__))
    for i in range(120):
        a, b = SHAPES[rng.integers(5)], SHAPES[rng.integers(5)]
        good = random_pose(rng, 2.0)
        bad = spoil(rng, random_pose(rng, 2.0))
        if i % 2:
            assert_refused(lambda a=a, b=b, bad=bad, good=good: kc.distance(a, bad, b, good), "X_WA")
        else:
            assert_refused(lambda a=a, b=b, bad=bad, good=good: kc.distance(a, good, b, bad), "X_WB")


@pytest.mark.parametrize("spoil", BAD_POSES, ids=lambda f: f.__name__)
def test_one_bad_pose_in_a_batch_is_found(spoil):
    rng = np.random.default_rng(1 + len(spoil.__name__))
    for _ in range(60):
        n = int(rng.integers(1, 40))
        X_WA = np.array([random_pose(rng, 2.0) for _ in range(n)])
        X_WB = X_WA[::-1].copy()
        k = int(rng.integers(n))
        name, poses = ("X_WA", X_WA) if rng.random() < 0.5 else ("X_WB", X_WB)
        poses[k] = spoil(rng, poses[k])
        a, b, threads = SHAPES[rng.integers(5)], SHAPES[rng.integers(5)], int(rng.integers(1, 4))
        assert_refused(lambda: kc.distance(a, X_WA, b, X_WB, threads=threads), f"{name}[{k}]")  # noqa: B023
        assert_refused(lambda: kc.Tracker(a, b).distance(X_WA, X_WB), f"{name}[{k}]")  # noqa: B023


def test_arrays_of_wrong_form_are_refused():
    rng = np.random.default_rng(2)
    forms = [
        (4,),
        (3, 3),
        (3, 4),
        (4, 3),
        (16,),
        (1, 1, 4, 4),
        (2, 4, 3),
        (5, 5),
        (0,),
        (4, 4, 4, 4),
        (4, 0),
        (),
    ]
    dtypes = [np.float64, np.float32, np.int64, np.complex128, "U4", "S4", object, bool, "datetime64[s]"]
    for form in forms:
        for dtype in dtypes:
            wrong = np.zeros(form, dtype=np.float64).astype(dtype)
            a, b = SHAPES[rng.integers(5)], SHAPES[rng.integers(5)]
            assert_refused(lambda a=a, b=b, X=wrong: kc.distance(a, X, b, np.eye(4)), "X_WA")
            assert_refused(lambda a=a, b=b, X=wrong: kc.distance(a, np.eye(4), b, X), "X_WB")


def test_wrong_dtypes_are_refused():
    text, mixed = np.eye(4).astype("U4"), np.eye(4).astype(object)
    mixed[1, 1] = None
    wrong = [np.eye(4).astype(complex), text, text.astype("S4"), mixed, np.eye(4).astype("datetime64[s]")]
    for X in [*wrong, *NOT_NUMBERS, Hostile(), np.eye(4).tolist()[:3], [[1, 2], [3]], [np.eye(4), np.eye(3)]]:
        for a, b in ((BOX, BALL), (HULL, HULL)):
            assert_refused(lambda a=a, b=b, X=X: kc.distance(a, X, b, np.eye(4)), "X_WA")
            assert_refused(lambda a=a, b=b, X=X: kc.distance(a, np.eye(4), b, X), "X_WB")
            assert_refused(lambda a=a, b=b, X=X: kc.Tracker(a, b).distance(X, np.eye(4)), "X_WA")
    with pytest.raises(kc.KeepclearError):
        kc.nearest_rigid(text)


def test_batches_of_different_length_are_refused():
    for n, m in ((2, 3), (3, 2), (0, 2), (5, 0), (7, 8)):
        X_WA, X_WB = np.tile(np.eye(4), (n, 1, 1)), np.tile(np.eye(4), (m, 1, 1))
        for a, b in ((BOX, BALL), (HULL, HULL)):
            assert_refused(lambda a=a, b=b, P=X_WA, Q=X_WB: kc.distance(a, P, b, Q), "X_WA", "X_WB")
            assert_refused(lambda a=a, b=b, P=X_WA, Q=X_WB: kc.Tracker(a, b).distance(P, Q), "X_WA", "X_WB")


def test_things_that_are_no_shapes_are_refused():
    for thing in (*NOT_NUMBERS, 1.0, np.eye(3), kc.Sphere, lambda: BOX, Hostile()):
        for b in (BOX, HULL):
            with pytest.raises(kc.KeepclearError):
                kc.distance(thing, np.eye(4), b, np.eye(4))
            with pytest.raises(kc.KeepclearError):
                kc.distance(b, np.eye(4), thing, np.eye(4))
            with pytest.raises(kc.KeepclearError):
                kc.Tracker(thing, b)


@pytest.mark.parametrize("threads", [0, -1, 1.5, "2", None, np.nan, [1], 2.0, 10**30])
def test_wrong_numbers_of_threads_are_refused(threads):
    X = np.tile(np.eye(4), (3, 1, 1))
    if threads == 10**30:  # absurd, but whole: the machine's limit is as good an answer
        assert kc.distance(BOX, X, BALL, X, threads=threads).colliding.all()
        return
    for X_WB in (X, np.eye(4)):
        assert_refused(lambda X_WB=X_WB: kc.distance(BOX, X_WB, BALL, X_WB, threads=threads), "threads")


def test_bad_points_are_refused():
    rng = np.random.default_rng(3)
    for _ in range(300):
        points = rng.normal(size=(int(rng.integers(1, 12)), 3))
        points[rng.integers(len(points)), rng.integers(3)] = rng.choice([np.nan, np.inf, -np.inf, 1e300])
        assert_refused(lambda P=points: kc.Convex(P), "points")
    for form in ((0, 3), (4, 2), (4, 4), (3,), (12,), (2, 2, 3), (0,), ()):
        for dtype in (np.float64, np.int64, np.complex128, "U3", object):
            wrong = np.zeros(form).astype(dtype)
            assert_refused(lambda P=wrong: kc.Convex(P), "points")
    for wrong in (*NOT_NUMBERS, Hostile(), [[0, 0, 0], [1, 1]], [["a", "b", "c"]], [[0, 0, None]]):
        assert_refused(lambda P=wrong: kc.Convex(P), "points")


def test_bad_faces_are_refused():
    rng = np.random.default_rng(4)
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
    faces = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    assert len(kc.Convex(corners, faces).faces) == 6
    for _ in range(200):
        wrong = [list(face) for face in faces]
        face = wrong[rng.integers(6)]
        face[rng.integers(4)] = int(rng.choice([8, 9, 100, -1, -9, 2**31, 2**40, -(2**40)]))
        assert_refused(lambda F=wrong: kc.Convex(corners, F), "faces")
    others = [faces[:5], [f[::-1] for f in faces], [*faces, faces[0]], [[0, 1]], [[]], "faces", 3.5]
    for wrong in [*others, [[0.5, 1, 2]], [[np.nan, 1, 2]], [[None, 1, 2]], [["a", "b", "c"]], Hostile()]:
        assert_refused(lambda F=wrong: kc.Convex(corners, F), "faces")


@pytest.mark.parametrize("bad", [0, -1.0, np.nan, np.inf, -np.inf, "1", None, 1j, [1.0], object(), 1e300])
def test_bad_sizes_are_refused(bad):
    for call in (
        lambda: kc.Sphere(bad),
        lambda: kc.Box([1.0, bad, 1.0]),
        lambda: kc.Capsule(bad, 1.0),
        lambda: kc.Capsule(1.0, bad),
        lambda: kc.Cylinder(bad, 1.0),
        lambda: kc.Cylinder(1.0, bad),
        lambda: kc.Box(bad),
        lambda: BOX.scaled(bad),
        lambda: HULL.scaled(bad),
    ):
        with pytest.raises(kc.KeepclearError):
            call()


def disguises(X):
    """The same pose as lists, ints, other dtypes, layouts and flags."""
    frozen = X.copy()
    frozen.flags.writeable = False
    wide = np.zeros((8, 12))
    wide[::2, ::3] = X
    yield from (X.tolist(), tuple(map(tuple, X)), frozen, wide[::2, ::3], np.asfortranarray(X), X[::-1][::-1])
    yield from (X.astype(">f8"), X.astype(np.longdouble), np.ma.asarray(X))
    if np.array_equal(X, X.astype(np.float32)):
        yield from (X.astype(np.float32), X.astype(np.float16))
    if np.array_equal(X, X.astype(int)):
        yield from (X.astype(int), X.astype(np.int8), X.astype(int).tolist())


def test_unusual_arrays_give_the_same_answer():
    rng = np.random.default_rng(5)
    for i in range(12):
        X_WB = random_pose(rng, 2.0) if i % 2 else pose(np.eye(3), rng.integers(-4, 5, size=3))
        for a, b in ((BOX, BALL), (HULL, BOX)):
            expected = kc.distance(a, np.eye(4), b, X_WB)
            for same in disguises(X_WB):
                for result in (
                    kc.distance(a, np.eye(4), b, same),
                    kc.Tracker(a, b).distance(np.eye(4), same),
                ):
                    assert (result.distance, result.lower) == (expected.distance, expected.lower)
                assert kc.distance(b, same, a, np.eye(4)).colliding == expected.colliding


def test_unusual_batches_give_the_same_answer():
    rng = np.random.default_rng(6)
    X = np.array([random_pose(rng, 2.0) for _ in range(9)])
    expected = kc.distance(HULL, np.eye(4), BOX, X)
    wide = np.zeros((18, 4, 8))
    wide[::2, :, ::2] = X
    frozen = X.copy()
    frozen.flags.writeable = False
    reverse = X[::-1].copy()[::-1]
    for same in (
        X.tolist(),
        list(X),
        frozen,
        wide[::2, :, ::2],
        reverse,
        np.asfortranarray(X),
        X.astype(">f8"),
    ):
        for threads in (1, 2):
            result = kc.distance(HULL, np.eye(4), BOX, same, threads=threads)
            assert np.array_equal(result.distance, expected.distance)
            assert np.array_equal(result.lower, expected.lower)


def test_inputs_are_never_changed():
    rng = np.random.default_rng(7)
    for scale in (1.0, 1.0 + 3e-8):
        single = pose(random_rotation(rng) * scale, rng.normal(size=3))
        many = np.array([single] * 5)
        copies = single.copy(), many.copy()
        kc.distance(BOX, single, HULL, single)
        kc.distance(BOX, many, HULL, many)
        kc.distance(BOX, single, HULL, many, threads=2)
        kc.Tracker(BOX, HULL).distance(many, many)
        kc.nearest_rigid(many)
        assert np.array_equal(single, copies[0])
        assert np.array_equal(many, copies[1])


def test_an_empty_batch_has_empty_answers():
    none = np.zeros((0, 4, 4))
    for X_WA, X_WB in ((none, none), (none, np.eye(4)), (np.eye(4), none)):
        for threads in (1, 2):
            result = kc.distance(BOX, X_WA, HULL, X_WB, threads=threads)
            for name in ("distance", "lower", "upper", "colliding", "state"):
                assert getattr(result, name).shape == (0,)
            assert result.p_WA.shape == result.p_WB.shape == result.normal_W.shape == (0, 3)
        assert kc.Tracker(BOX, HULL).distance(X_WA, X_WB).distance.shape == (0,)


def test_extreme_numbers_give_an_error_or_the_truth():
    """Places and sizes over the whole range of doubles: an error, or finite bounds that enclose the truth."""
    rng = np.random.default_rng(8)
    answered = 0
    for _ in range(600):
        p = rng.normal(size=3) * 10.0 ** rng.uniform(-320, 308)
        size = 10.0 ** rng.uniform(-12, 12)
        X_WB = pose(random_rotation(rng), p)
        try:
            result = kc.distance(kc.Box([size, 2 * size, 1.0]), np.eye(4), kc.Sphere(size), X_WB)
        except kc.KeepclearError:
            continue
        answered += 1
        truth = signed_distance(box([size, 2 * size, 1.0]), np.eye(4), sphere(size), X_WB)
        told = f"size {size!r}, p {p.tolist()}: {result!r}, truth {truth}"
        assert np.isfinite([result.distance, result.lower, result.upper]).all(), told
        assert np.isfinite([result.p_WA, result.p_WB, result.normal_W]).all(), told
        assert Fraction(result.lower) <= truth.upper, told
        assert Fraction(result.upper) >= truth.lower, told
        reach = 4 * size + 1.0 + float(np.linalg.norm(p))
        assert truth.error(result.distance) <= (1e-12 if truth.lower > 0 else 1e-9) * reach, told
    assert answered > 200
