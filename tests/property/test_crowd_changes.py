"""Members that come, go, grow and are measured while a crowd runs, and crowds that circulate or run for long."""

import math
from dataclasses import replace

import numpy as np
import pytest
from tests.oracles.crowd_comparison import overlap_faults
from tests.oracles.crowd_families import Scene, apart, random_scene
from tests.oracles.crowd_library import library_crowd, plain
from tests.oracles.crowd_paths import Paths, exact, forced, steady
from tests.oracles.crowd_truth import overlaps

import keepclear as kc

TOLERANCE = 1e-11  # [m]
FIRST, SECOND = 0.3125, 0.6875  # when something changes [s]


def free(kind: str, seed: int) -> Scene:
    """A crowd without forces, watched for a second."""
    scene = random_scene(kind, seed)
    return replace(scene, bounds=0.0 * scene.bounds, t_end=1.0)


def phases(scene: Scene) -> Paths:
    """The paths on a grid of the times of change."""
    grid = [exact(t) for t in (0.0, FIRST, SECOND, scene.t_end)]
    return forced(scene.x, scene.v, steady(scene.gravity), grid)


def open_crowd(scene: Scene, rows: slice = slice(None), **options):
    part = replace(
        scene, x=scene.x[rows], v=scene.v[rows], radii=scene.radii[rows], bounds=scene.bounds[rows]
    )
    return library_crowd(part, "report", bounds=None, **({"tolerance": TOLERANCE} | options))


def faults(events, scene: Scene, paths: Paths, radii: np.ndarray) -> list[str]:
    truth = overlaps(paths, radii)
    return overlap_faults(plain(events), truth, paths, scene.radii, TOLERANCE + 1e-13)


@pytest.mark.parametrize("kind", ["plain", "plain 2D", "sizes", "dense"])
@pytest.mark.parametrize("seed", range(2))
def test_members_that_come_later(kind, seed):
    scene = free(kind, 30 + seed)
    paths = phases(scene)
    late = len(scene.radii) // 2
    paths.present[0, late:] = False
    crowd = open_crowd(scene, slice(late))
    events = [crowd.advance(FIRST)]
    x, v = paths.positions(FIRST), paths.velocities(FIRST)
    ids = crowd.add(x[late:], v[late:], scene.radii[late:], 0.0)
    events.append(crowd.advance(scene.t_end))
    assert list(ids) == list(range(late, len(scene.radii)))
    assert faults(np.concatenate(events), scene, paths, scene.radii) == []


@pytest.mark.parametrize("kind", ["plain", "plain 2D", "sizes", "dense"])
@pytest.mark.parametrize("seed", range(2))
def test_members_that_go(kind, seed):
    scene = free(kind, 40 + seed)
    paths = phases(scene)
    gone = [0, len(scene.radii) - 1]
    paths.present[2:, gone] = False
    crowd = open_crowd(scene)
    events = [crowd.advance(SECOND)]
    crowd.remove(gone)
    events.append(crowd.advance(scene.t_end))
    assert faults(np.concatenate(events), scene, paths, scene.radii) == []
    assert not set(gone) & set(crowd.ids)


@pytest.mark.parametrize("kind", ["plain", "plain 2D", "sizes", "dense"])
@pytest.mark.parametrize("factor", [0.25, 4.0, 100.0])
def test_members_that_grow_or_shrink(kind, factor):
    scene = free(kind, 50)
    paths = phases(scene)
    radii = np.tile(scene.radii, (3, 1))
    radii[1:, :2] *= factor
    crowd = open_crowd(scene)
    events = [crowd.advance(FIRST)]
    crowd.change([0, 1], radii=radii[1, :2])
    events.append(crowd.advance(scene.t_end))
    told = plain(np.concatenate(events))
    truth = [(o.begin, o.i, o.j, "begin") for o in overlaps(paths, radii)]
    assert [e[1:] for e in sorted(told) if e[3] == "begin"] == [e[1:] for e in sorted(truth)]
    times = [[e[0] for e in sorted(some) if e[3] == "begin"] for some in (told, truth)]
    np.testing.assert_allclose(*times, rtol=0.0, atol=1e-9)


@pytest.mark.parametrize("kind", ["plain", "plain 2D", "sizes"])
def test_velocities_that_jump(kind):
    """At a measurement every member turns round: overlaps from then on are those of the new paths."""
    scene = free(kind, 60)
    crowd = open_crowd(scene)
    crowd.advance(FIRST)
    before = phases(scene)
    x, v = before.positions(FIRST), -1.5 * before.velocities(FIRST)
    crowd.observe(np.arange(len(x)), FIRST, x, v)
    told = [e for e in plain(crowd.advance(scene.t_end)) if e[0] > FIRST + 1e-9]
    after = forced(x, v, steady(scene.gravity), [exact(FIRST), exact(scene.t_end)])
    truth = overlaps(after, scene.radii)
    expected = [(o.begin, o.i, o.j, "begin") for o in truth if not o.is_begun]
    expected += [(o.end, o.i, o.j, "end") for o in truth if not o.is_left]
    assert [e[1:] for e in told] == [e[1:] for e in sorted(expected)]
    np.testing.assert_allclose([e[0] for e in told], [e[0] for e in sorted(expected)], rtol=0.0, atol=1e-9)


@pytest.mark.parametrize("kind", ["plain", "plain 2D", "slow", "sizes"])
def test_alarm_comes_before_contact(kind):
    """Members are measured at irregular times; whatever they do in between, no contact comes before `clear_until`."""
    scene = random_scene(kind, 70)
    paths = scene.paths()
    truth = overlaps(paths, scene.radii)
    rng = np.random.default_rng(70)
    crowd = kc.Crowd(scene.x, scene.v, scene.radii, scene.bounds, response="report")
    for t in np.sort(rng.uniform(0.0, scene.t_end, 12)):
        crowd.advance(t)
        ids = np.nonzero(rng.random(len(scene.radii)) < 0.5)[0]
        crowd.observe(ids, t, paths.positions(t)[ids], paths.velocities(t)[ids])
        for i in range(len(scene.radii)):
            for j in range(i):
                first = min(
                    (max(o.begin, t) for o in truth if (o.i, o.j) == (j, i) and o.end > t), default=math.inf
                )
                assert crowd.clear_until(i, j) <= first + 1e-12
                assert crowd.clear_until(i) <= first + 1e-12


@pytest.mark.parametrize("dimension", [2, 3])
def test_circulating_members(dimension):
    """Nobody knows where they go, but at samples those in contact are those whose overlaps have begun and not ended."""
    rng = np.random.default_rng(dimension)
    n, bound = 20, 30.0
    box = np.zeros(dimension), np.full(dimension, 12.0)
    x, radii = rng.uniform(2.0, 10.0, (n, dimension)), rng.uniform(0.3, 1.2, n)
    crowd = kc.Crowd(
        x,
        np.zeros((n, dimension)),
        radii,
        bound,
        bounds=box,
        motion=kc.VelocityField(speed=10.0),
        response="report",
    )
    inside: set[tuple[int, int]] = set()
    v, changes = np.zeros((n, dimension)), 0
    for t in np.arange(1, 481) / 240.0:
        for _, i, j, kind in plain(crowd.advance(t)):
            if j >= 0:
                (inside.add if kind == "begin" else inside.remove)((i, j))
                changes += 1
        x, before, v = crowd.positions(t), v, crowd.velocities(t)
        gaps = np.linalg.norm(x[:, None] - x, axis=2) - (radii[:, None] + radii)
        for limit, is_part in ((-1e-9, set.issubset), (1e-9, set.issuperset)):
            seen = {(i, j) for i, j in zip(*np.nonzero(gaps < limit), strict=True) if i < j}
            assert is_part(seen, inside)
        assert np.linalg.norm(v - before, axis=1).max() <= bound / 240.0 * (1.0 + 1e-9)
    assert changes > 10


def test_memory_does_not_grow():
    scene = apart(random_scene("plain", 80), np.random.default_rng(80))
    crowd = library_crowd(scene, "elastic")
    crowd.advance(1.0)
    before, contacts = crowd.nbytes, crowd.statistics["contacts"]
    for t in np.arange(2.0, 61.0):
        crowd.advance(t)
    assert crowd.statistics["contacts"] > 20 * contacts
    assert crowd.nbytes <= before


def test_statistics_count_events():
    scene = apart(random_scene("plain 2D", 81), np.random.default_rng(81))
    crowd = library_crowd(scene, "elastic")
    events = plain(crowd.advance(3.0))
    told = crowd.statistics
    assert told["contacts"] == sum(e[3] == "contact" for e in events) > 0
    assert told["wall contacts"] == sum(e[3] == "wall" for e in events) > 0
