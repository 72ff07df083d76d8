"""Crowds that remember their past, probes that are compiled, and memory that is given again."""

from dataclasses import replace

import numba
import numpy as np
import pytest
from tests.oracles.crowd_families import Scene, apart, random_scene
from tests.oracles.crowd_library import library_crowd, plain
from tests.oracles.crowd_paths import as_float, float_array

import keepclear as kc


def table_probe(scene: Scene):
    """A probe that reads the oracle's paths from tables, such as Numba can compile."""
    paths = scene.paths()
    grid = np.array([as_float(t) for t in paths.grid])
    x, v, a = (float_array(y).astype(float) for y in (paths.x, paths.v, paths.a))

    def probe(ids, t):
        k = 0
        while k < len(grid) - 2 and grid[k + 1] <= t:
            k += 1
        s = t - grid[k]
        places, speeds = np.empty((len(ids), x.shape[2])), np.empty((len(ids), x.shape[2]))
        for row in range(len(ids)):
            i = ids[row]
            for c in range(x.shape[2]):
                places[row, c] = x[k, i, c] + v[k, i, c] * s + a[k, i, c] * s * s / 2
                speeds[row, c] = v[k, i, c] + a[k, i, c] * s
        return places, speeds

    return probe


def test_probes_of_three_kinds_tell_the_same():
    """The library's forces, a Python probe and a compiled one: the same events, times to 1e-11 s."""
    scene = random_scene("plain", 2)
    probe = table_probe(scene)
    first = library_crowd(scene, "report", bounds=None).advance(scene.t_end)
    assert len(first) > 20
    for motion in (probe, numba.njit(probe)):
        crowd = kc.Crowd(
            scene.x,
            scene.v,
            scene.radii,
            scene.bounds,
            gravity=scene.gravity,
            motion=motion,
            response="report",
        )
        events = crowd.advance(scene.t_end)
        assert [e[1:] for e in plain(events)] == [e[1:] for e in plain(first)]
        np.testing.assert_allclose(events.time, first.time, rtol=0.0, atol=1e-11)
        np.testing.assert_allclose(events.position, first.position, rtol=0.0, atol=1e-9)


@pytest.mark.parametrize("kind", ["plain", "ballistic 2D", "slow"])
def test_past_of_members_that_pass(kind):
    scene = random_scene(kind, 90)
    paths = scene.paths()
    crowd = library_crowd(scene, "report", bounds=None, history=True)
    crowd.advance(0.5 * scene.t_end)
    crowd.advance(scene.t_end)
    for t in np.random.default_rng(90).uniform(0.0, scene.t_end, 20):
        np.testing.assert_allclose(crowd.positions(t), paths.positions(t), rtol=1e-13, atol=1e-12)
        np.testing.assert_allclose(crowd.velocities(t), paths.velocities(t), rtol=1e-13, atol=1e-12)


@pytest.mark.parametrize("kind", ["plain", "ballistic", "plain 2D"])
def test_past_of_members_that_bounce(kind):
    """What is remembered is what was told at the time; at an impact the velocity is that after it."""
    scene = apart(random_scene(kind, 91), np.random.default_rng(91))
    one, other = (library_crowd(scene, "elastic", history=history) for history in (True, False))
    events = one.advance(scene.t_end)
    assert len(events) > 3
    times = np.sort(
        np.concatenate([np.random.default_rng(1).uniform(0.0, scene.t_end, 40), events.time[:10]])
    )
    for t in times:
        other.advance(t)
        np.testing.assert_allclose(one.positions(t), other.positions(t), rtol=0.0, atol=1e-9)
        np.testing.assert_allclose(one.velocities(t), other.velocities(t), rtol=0.0, atol=1e-8)


def test_past_without_history_is_refused():
    scene = random_scene("plain", 92)
    crowd = library_crowd(scene, "elastic", bounds=None)
    crowd.advance(0.5)
    with pytest.raises(kc.KeepclearError, match="history"):
        crowd.positions(0.25)


def test_memory_of_members_who_left_is_given_again():
    """Thousands come and go; ids go on, rows follow them, and the tables stay as large as they were."""
    rng = np.random.default_rng(0)
    box = np.zeros(2), np.full(2, 20.0)
    crowd = kc.Crowd(
        rng.uniform(2, 18, (20, 2)), rng.normal(size=(20, 2)), 0.3, 1.0, bounds=box, motion=kc.RandomForces(1)
    )
    there, sizes = list(range(20)), []
    for k in range(300):
        crowd.advance(0.01 * (k + 1))
        gone = rng.permutation(there)[:10].tolist()
        crowd.remove(gone)
        radii = rng.uniform(0.1, 0.5, 10)
        new = crowd.add(rng.uniform(2, 18, (10, 2)), rng.normal(size=(10, 2)), radii, 1.0)
        there = [i for i in there if i not in gone] + new.tolist()
        assert crowd.ids.tolist() == there
        np.testing.assert_array_equal(crowd.radii[-10:], radii)
        sizes.append(crowd.nbytes)
    assert there[-1] == 20 + 3000 - 1
    assert len(crowd.positions()) == len(crowd.bounds_at()[1]) == 20
    assert sizes[-1] <= 1.1 * sizes[20]


def test_forces_follow_ids_not_rows():
    """After others left, a member moves as it would have with them."""
    scene = replace(random_scene("plain", 93), t_end=1.0)
    paths = scene.paths()
    crowd = library_crowd(scene, "report", bounds=None)
    crowd.advance(0.3)
    crowd.remove([0, 2])
    crowd.advance(1.0)
    kept = [i for i in range(len(scene.radii)) if i not in (0, 2)]
    np.testing.assert_allclose(crowd.positions(1.0), paths.positions(1.0)[kept], rtol=1e-13, atol=1e-12)
