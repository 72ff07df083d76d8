"""The oracle of crowds, checked on answers known by hand, by dense samples and by what impacts keep."""

import numpy as np
import pytest
from flint import fmpq, fmpq_poly
from tests.oracles.crowd_comparison import overlap_faults
from tests.oracles.crowd_elastic import Elastic
from tests.oracles.crowd_families import KINDS, apart, random_scene
from tests.oracles.crowd_forces import acceleration, interval_number
from tests.oracles.crowd_paths import borders, exact, forced, random_forces, recorded, steady
from tests.oracles.crowd_roots import not_positive
from tests.oracles.crowd_truth import overlaps

X = fmpq_poly([0, 1])
HALF = fmpq(1, 2)


@pytest.mark.parametrize(
    ("f", "expected"),
    [
        (X - 1, [(0, 1)]),
        (1 - X, [(1, 2)]),
        ((X - 1) * (X - 1), [(1, 1)]),
        (-(X - 1) * (X - 1), [(0, 2)]),
        (X * (X - 2), [(0, 2)]),
        (-X * (X - 2), [(0, 0), (2, 2)]),
        ((X - HALF) * (X - 1) * (X - 1) * (X - 1), [(HALF, 1)]),
        ((X - HALF) * (X - HALF) * (X - 1) * (X - 3), [(HALF, HALF), (1, 2)]),
        (X * X + 1, []),
        (fmpq_poly([0]), [(0, 2)]),
        (fmpq_poly([1]), []),
    ],
    ids=str,
)
def test_stretches_where_a_polynomial_is_not_positive(f, expected):
    assert [tuple(s) for s in not_positive(f, fmpq(2))] == [tuple(map(fmpq, pair)) for pair in expected]


def test_forces_are_as_described():
    assert acceleration(1, 7, 3, 10.0, 3) == pytest.approx(
        (-0.05129973467342472, 0.10084582884495887, 0.011158914644507776), rel=1e-14
    )
    pushes = np.array([acceleration(5, i, k, 2.0, 3) for i in range(40) for k in range(50)])
    sizes = np.linalg.norm(pushes, axis=1)
    assert sizes.max() <= 2.0
    assert np.mean(sizes) == pytest.approx(1.0, abs=0.05)
    assert np.abs(np.mean(pushes / sizes[:, None], axis=0)).max() < 0.05
    assert len(np.unique(pushes)) == pushes.size


def test_intervals_begin_at_products():
    assert interval_number(3 * 0.1, 0.1) == 3
    assert interval_number(0.3, 0.1) == 2  # 3 * 0.1 is a little more than 0.3
    assert interval_number(-0.1, 0.25) == -1


def test_head_on_overlap_by_hand():
    paths = forced(
        np.array([[0.0, 0], [10, 0]]),
        np.array([[1.0, 0], [-3, 0]]),
        steady(np.zeros(2)),
        [exact(0), exact(5)],
    )
    (found,) = overlaps(paths, np.array([1.0, 1.0]))
    assert (found.i, found.j, found.begin, found.end) == (0, 1, 2.0, 3.0)


def test_overlap_that_gravity_cannot_touch():
    g = np.array([0.0, 0.0, -9.81])
    paths = forced(
        np.array([[0.0, 0, 0], [4, 0, 0]]),
        np.array([[1.0, 0, 0], [0, 0, 0]]),
        steady(g),
        [exact(0), exact(5)],
    )
    (found,) = overlaps(paths, np.array([1.0, 1.0]))
    assert (found.begin, found.is_left) == (2.0, True)


def test_track_with_a_gap():
    nowhere = [np.nan, np.nan]
    tracks = np.array(
        [[[0.0, 0], [3, 0]], [[0, 0], [1, 0]], [nowhere, [1, 0]], [[0, 0], [1, 0]], [[0, 0], [1, 0]]]
    )
    found = overlaps(recorded(np.arange(5.0), tracks), np.array([1.0, 1.0]))
    assert [(o.begin, o.end) for o in found] == [(0.5, 1.0), (3.0, 4.0)]


@pytest.mark.parametrize("kind", KINDS)
def test_overlaps_hold_at_samples(kind):
    scene = random_scene(kind, 1)
    paths = scene.paths()
    found = overlaps(paths, scene.radii)
    reach = scene.radii[:, None] + scene.radii
    for t in np.linspace(0.0, scene.t_end, 40):
        x = paths.positions(t)
        gap = np.linalg.norm(x[:, None] - x, axis=2) - reach
        seen = {(i, j) for i, j in zip(*np.nonzero(gap < -1e-9), strict=True) if i < j}
        sure = {(i, j) for i, j in zip(*np.nonzero(gap < 1e-9), strict=True) if i < j}
        true = {(o.i, o.j) for o in found if o.begin <= t <= o.end}
        assert seen <= true <= sure


def test_paths_agree_with_many_small_steps():
    bounds, x, v = np.full(3, 10.0), np.zeros((3, 3)), np.ones((3, 3))
    paths = forced(x, v, random_forces(3, 0.25, bounds, np.zeros(3)), borders(0.25, 0.0, 1.1))
    h = 1.1 / 8800  # borders are multiples
    for k in range(8800):
        a = np.array([acceleration(3, i, int(k * h / 0.25 + 1e-9), 10.0, 3) for i in range(3)])
        x, v = x + v * h + a * h * h / 2, v + a * h
    np.testing.assert_allclose(paths.positions(1.1), x, atol=1e-9)
    np.testing.assert_allclose(paths.velocities(1.1), v, atol=1e-9)


@pytest.mark.parametrize("kind", ["ballistic", "ballistic 2D", "sizes 2D"])
def test_elastic_impacts_keep_momentum_and_energy(kind):
    scene = apart(random_scene(kind, 3), np.random.default_rng(3))
    crowd = Elastic.start(scene.x, scene.v, scene.radii, steady(np.zeros(scene.dimension)))
    impacts = crowd.run(1.0)
    _, v = crowd.doubles()
    m = scene.radii**3
    assert impacts
    np.testing.assert_allclose(m @ v, m @ scene.v, atol=1e-12 * float(m.max()) * float(np.abs(scene.v).max()))
    assert m @ np.sum(v**2, axis=1) == pytest.approx(m @ np.sum(scene.v**2, axis=1), rel=1e-13)


def test_cradle_by_hand():
    """Equal masses hand their speed on; the last comes back from the wall."""
    x = np.array([[1.0, 0], [4, 0], [7, 0]])
    v = np.array([[1.0, 0], [0, 0], [0, 0]])
    box = np.array([0.0, -2.0]), np.array([10.0, 2.0])
    crowd = Elastic.start(x, v, np.ones(3), steady(np.zeros(2)), box=box)
    assert [(hit.time, hit.i, hit.j) for hit in crowd.run(5.5)] == [(1, 0, 1), (2, 1, 2), (4, 2, -1)]


def test_comparison_sees_what_is_wrong():
    scene = random_scene("dense 2D", 0)
    paths = scene.paths()
    truth = overlaps(paths, scene.radii)
    right = [(o.begin, o.i, o.j, "begin") for o in truth] + [
        (o.end, o.i, o.j, "end") for o in truth if not o.is_left
    ]
    right.sort()

    def faults(events):
        return overlap_faults(events, truth, paths, scene.radii, 1e-9)

    inner = next(k for k, event in enumerate(right) if event[0] > 0.0)
    time, i, j, kind = right[inner]
    assert faults(right) == []
    assert faults(right[:inner] + right[inner + 1 :])
    assert faults(sorted([*right[:inner], (time + 1e-6, i, j, kind), *right[inner + 1 :]]))
    assert faults(right[::-1])
    assert faults([*right, (scene.t_end, 0, 1, "begin")])
