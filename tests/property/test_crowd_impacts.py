"""Elastic crowds: impacts in order and in time from each state on, walls included, and what impacts keep."""

import numpy as np
import pytest
from tests.oracles.crowd_families import Scene, apart, random_scene
from tests.oracles.crowd_library import library_crowd, plain
from tests.oracles.crowd_restart import restart_faults

import keepclear as kc

TOLERANCE = 1e-12  # [m]
ELASTIC_KINDS = (
    "plain",
    "plain 2D",
    "ballistic",
    "ballistic 2D",
    "sizes",
    "sizes 2D",
    "fast",
    "slow",
    "idle",
    "far",
)


def boxed(kind: str, seed: int) -> Scene:
    return apart(random_scene(kind, seed), np.random.default_rng(seed))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", ELASTIC_KINDS)
def test_each_impact_follows_from_the_state_before(kind, seed):
    scene = boxed(kind, seed)
    wrong, compared = restart_faults(
        scene, library_crowd(scene, "elastic", tolerance=TOLERANCE), TOLERANCE, most=20
    )
    assert wrong == []
    assert compared > 0


@pytest.mark.parametrize("dimension", [2, 3])
def test_energy_and_momentum_of_fifteen_seconds(dimension):
    scene = boxed("ballistic 2D" if dimension == 2 else "ballistic", 5)
    crowd = kc.Crowd(
        scene.x,
        scene.v,
        scene.radii,
        np.zeros(len(scene.radii)),
        bounds=scene.box,
        motion=kc.Ballistic(),
        response="elastic",
    )
    events = plain(crowd.advance(15.0))
    m = scene.radii**3
    v = crowd.velocities(15.0)
    before, after = (0.5 * float(m @ np.sum(w**2, axis=1)) for w in (scene.v, v))
    assert sum(kind == "contact" for *_, kind in events) > 50
    assert after == pytest.approx(before, rel=1e-9)


@pytest.mark.parametrize("kind", ["ballistic", "ballistic 2D", "sizes 2D"])
def test_momentum_without_walls(kind):
    scene = boxed(kind, 6)
    masses = np.random.default_rng(6).uniform(0.1, 5.0, len(scene.radii))
    crowd = kc.Crowd(
        scene.x,
        scene.v,
        scene.radii,
        np.zeros(len(scene.radii)),
        motion=kc.Ballistic(),
        response="elastic",
        masses=masses,
    )
    events = crowd.advance(15.0)
    v = crowd.velocities(15.0)
    assert len(events) > 0
    np.testing.assert_allclose(masses @ v, masses @ scene.v, rtol=1e-9, atol=1e-9)
    assert masses @ np.sum(v**2, axis=1) == pytest.approx(masses @ np.sum(scene.v**2, axis=1), rel=1e-9)


@pytest.mark.parametrize("kind", ["plain", "plain 2D", "sizes"])
def test_nobody_is_in_anybody(kind):
    """At samples no members overlap and none is out of the box, by more than the tolerance."""
    scene = boxed(kind, 7)
    crowd = library_crowd(scene, "elastic", tolerance=1e-9)
    lower, upper = scene.box
    reach = scene.radii[:, None] + scene.radii
    for t in np.linspace(0.0, 5.0, 101):
        crowd.advance(t)
        x = crowd.positions(t)
        gaps = np.linalg.norm(x[:, None] - x, axis=2) - reach
        np.fill_diagonal(gaps, 0.0)
        assert gaps.min() >= -2e-9
        assert np.min(x - scene.radii[:, None] - lower) >= -2e-9
        assert np.min(upper - x - scene.radii[:, None]) >= -2e-9


@pytest.mark.parametrize("kind", ["plain", "ballistic 2D", "sizes"])
def test_places_of_contacts(kind):
    """A contact is told where the members touch: on the line of centres, and on the wall."""
    scene = boxed(kind, 8)
    crowd = library_crowd(scene, "elastic", tolerance=TOLERANCE)
    events = crowd.advance(scene.t_end)
    again = library_crowd(scene, "elastic", tolerance=TOLERANCE)
    assert len(events) > 3
    for event in events[:10]:
        again.advance(event["time"])
        x, place = again.positions(event["time"]), event["position"]
        for member in (event["i"], event["j"]):
            if member >= 0:
                assert np.linalg.norm(place - x[member]) == pytest.approx(scene.radii[member], abs=1e-8)
        if event["j"] < 0:
            assert np.abs(place - np.array(scene.box)).min() <= 1e-9
