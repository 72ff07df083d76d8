"""Overlaps of members that pass through each other: none missed, none invented, begins and ends to 1e-9 s."""

import math

import numpy as np
import pytest
from tests.oracles.crowd_comparison import overlap_faults
from tests.oracles.crowd_families import KINDS, Scene, random_scene
from tests.oracles.crowd_library import library_crowd, plain, probe_of
from tests.oracles.crowd_paths import Paths
from tests.oracles.crowd_truth import Overlap, overlaps

import keepclear as kc

TOLERANCE = 1e-11  # [m]


def open_crowd(scene: Scene, **options):
    return library_crowd(scene, "report", bounds=None, **({"tolerance": TOLERANCE} | options))


def faults(events, scene: Scene, paths: Paths, tolerance: float = TOLERANCE) -> list[str]:
    rounding = 1e-14 * float(np.abs(paths.floats[0]).max())
    found = overlap_faults(
        plain(events), overlaps(paths, scene.radii), paths, scene.radii, tolerance + rounding
    )
    return [f"{scene.name}: {text}" for text in found]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", KINDS)
def test_overlaps_of_random_crowds(kind, seed):
    scene = random_scene(kind, seed)
    events = open_crowd(scene).advance(scene.t_end)
    assert faults(events, scene, scene.paths()) == []


@pytest.mark.parametrize("kind", ["plain", "ballistic 2D", "sizes", "dense"])
def test_pieces_are_as_the_whole(kind):
    scene = random_scene(kind, 11)
    crowd = open_crowd(scene)
    rng = np.random.default_rng(11)
    times = [*np.sort(rng.uniform(0.0, scene.t_end, 20)), scene.t_end]
    events = np.concatenate([crowd.advance(t) for t in times])
    assert faults(events, scene, scene.paths()) == []
    assert crowd.time == scene.t_end


@pytest.mark.parametrize("kind", ["plain", "plain 2D", "ballistic", "slow", "far"])
def test_positions_and_velocities_are_true(kind):
    scene = random_scene(kind, 12)
    paths = scene.paths()
    crowd = open_crowd(scene)
    for t in np.linspace(0.0, scene.t_end, 9):
        crowd.advance(t)
        np.testing.assert_allclose(crowd.positions(t), paths.positions(t), rtol=1e-13, atol=1e-11)
        np.testing.assert_allclose(crowd.velocities(t), paths.velocities(t), rtol=1e-13, atol=1e-11)


@pytest.mark.parametrize("kind", ["plain", "sizes 2D", "slow", "fast"])
def test_same_seed_same_events(kind):
    scene = random_scene(kind, 13)
    first, second = (open_crowd(scene).advance(scene.t_end) for _ in range(2))
    assert first.tobytes() == second.tobytes()


@pytest.mark.parametrize("kind", ["plain", "ballistic", "sizes", "dense 2D"])
def test_order_of_members_does_not_matter(kind):
    """Forces belong to ids, so that only crowds without them can be renumbered."""
    scene = random_scene(kind, 14)
    still = Scene(
        scene.name,
        scene.x,
        scene.v,
        scene.radii,
        0.0 * scene.bounds,
        gravity=scene.gravity,
        t_end=scene.t_end,
    )
    back = Scene(
        scene.name,
        *(y[::-1].copy() for y in (scene.x, scene.v, scene.radii, still.bounds)),
        gravity=scene.gravity,
        t_end=scene.t_end,
    )
    n = len(scene.radii)
    one, other = (plain(open_crowd(s).advance(s.t_end)) for s in (still, back))
    renamed = [(t, n - 1 - j, n - 1 - i, kind) for t, i, j, kind in other]
    assert sorted(e[1:] for e in one) == sorted(e[1:] for e in renamed)
    assert np.allclose([e[0] for e in one], [e[0] for e in renamed], rtol=0.0, atol=1e-9)


@pytest.mark.parametrize("kind", ["plain", "sizes", "slow 2D", "idle"])
def test_looser_bounds_change_nothing(kind):
    """Greater bounds than needed cost time and no contact: here members are ballistic, which nobody tells the crowd."""
    scene = random_scene(kind, 15)
    quiet = Scene(
        scene.name,
        scene.x,
        scene.v,
        scene.radii,
        0.0 * scene.bounds,
        gravity=scene.gravity,
        t_end=scene.t_end,
    )
    crowd = kc.Crowd(
        scene.x,
        scene.v,
        scene.radii,
        scene.bounds,
        motion=probe_of(quiet),
        response="report",
        tolerance=TOLERANCE,
    )
    assert faults(crowd.advance(scene.t_end), scene, quiet.paths()) == []


@pytest.mark.parametrize("kind", ["plain", "plain 2D", "sizes", "slow"])
def test_callers_probe(kind):
    scene = random_scene(kind, 16)
    crowd = kc.Crowd(
        scene.x,
        scene.v,
        scene.radii,
        scene.bounds,
        motion=probe_of(scene),
        response="report",
        tolerance=TOLERANCE,
    )
    assert faults(crowd.advance(scene.t_end), scene, scene.paths()) == []


@pytest.mark.parametrize("kind", ["plain", "plain 2D", "ballistic", "sizes", "slow", "idle", "specks"])
def test_clear_until_is_never_late(kind):
    scene = random_scene(kind, 17)
    truth = overlaps(scene.paths(), scene.radii)
    crowd = open_crowd(scene)
    for t in np.linspace(0.0, scene.t_end, 5)[:-1]:
        crowd.advance(t)
        for i in range(len(scene.radii)):
            check_clear_until(crowd.clear_until(i), t, [o for o in truth if i in (o.i, o.j)])
            for j in range(i):
                check_clear_until(crowd.clear_until(i, j), t, [o for o in truth if (o.i, o.j) == (j, i)])


def check_clear_until(said: float, now: float, truth: list[Overlap]) -> None:
    first = min((max(o.begin, now) for o in truth if o.end > now), default=math.inf)
    assert now <= said <= first + 1e-12


@pytest.mark.parametrize("kind", ["plain", "dense 2D", "ballistic"])
@pytest.mark.parametrize("response", ["report", "elastic"])
def test_saved_crowd_goes_on_as_before(kind, response, tmp_path):
    scene = random_scene(kind, 24)
    crowd = library_crowd(scene, response, bounds=None)
    crowd.advance(0.05 * scene.t_end)
    crowd.save(tmp_path / "crowd")
    first = crowd.advance(scene.t_end)
    again = kc.Crowd.restore(tmp_path / "crowd")
    assert again.time == 0.05 * scene.t_end
    assert again.advance(scene.t_end).tobytes() == first.tobytes()
    assert again.positions().tobytes() == crowd.positions().tobytes()
    assert len(first) > 0
