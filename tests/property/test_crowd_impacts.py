"""Elastic crowds: impacts in order and in time from each state on, walls included, and what impacts keep."""

import numpy as np
import pytest
from tests.oracles.crowd_families import Scene, apart, random_scene
from tests.oracles.crowd_library import library_crowd
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


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("kind", ELASTIC_KINDS)
def test_each_impact_follows_from_the_state_before(kind, seed):
    scene = boxed(kind, seed)
    wrong, compared = restart_faults(
        scene, library_crowd(scene, "elastic", tolerance=TOLERANCE), TOLERANCE, most=8
    )
    assert wrong == []
    assert compared > 0


def crowded(dimension: int, seed: int, n: int = 120) -> tuple[np.ndarray, ...]:
    """Places, velocities, radii that differ by 100 and masses that differ by a million, in a box of side 20 or 50."""
    rng = np.random.default_rng(seed)
    side = 20.0 if dimension == 3 else 50.0
    radii = np.sort(0.02 * 100.0 ** rng.uniform(0.0, 1.0, n))[::-1].copy()
    x = np.zeros((n, dimension))
    for i in range(n):
        while True:
            x[i] = rng.uniform(radii[i], side - radii[i], dimension)
            if np.all(np.linalg.norm(x[:i] - x[i], axis=1) > radii[:i] + radii[i]):
                break
    v = (0.5 * side - x) * rng.uniform(0.1, 1.5, (n, 1)) + rng.normal(size=x.shape)
    return x, v, radii, 10.0 ** rng.uniform(-3.0, 3.0, n)


@pytest.mark.parametrize("pull", [0.0, -9.81])
@pytest.mark.parametrize("dimension", [2, 3])
def test_energy_of_fifteen_seconds(dimension, pull):
    x, v, radii, _ = crowded(dimension, 5)
    gravity = np.eye(dimension)[-1] * pull
    box = np.zeros(dimension), np.full(dimension, 20.0 if dimension == 3 else 50.0)
    crowd = kc.Crowd(x, v, radii, 0.0, bounds=box, motion=kc.Ballistic(), response="elastic", gravity=gravity)
    m = radii**3

    def energy() -> float:
        return float(m @ (0.5 * np.sum(crowd.velocities() ** 2, axis=1) - crowd.positions() @ gravity))

    before = energy()
    events = crowd.advance(15.0)
    assert np.count_nonzero(events.kind == "contact") > 300
    assert energy() == pytest.approx(before, rel=1e-12)


@pytest.mark.parametrize("pull", [0.0, -9.81])
@pytest.mark.parametrize("dimension", [2, 3])
def test_momentum_without_walls(dimension, pull):
    x, v, radii, masses = crowded(dimension, 6)
    gravity = np.eye(dimension)[-1] * pull
    crowd = kc.Crowd(
        x, v, radii, 0.0, motion=kc.Ballistic(), response="elastic", masses=masses, gravity=gravity
    )
    events = crowd.advance(15.0)
    now = crowd.velocities() - 15.0 * gravity
    size = float(masses @ np.linalg.norm(v, axis=1))
    assert len(events) > 50
    np.testing.assert_allclose(masses @ now, masses @ v, rtol=0.0, atol=1e-12 * size)
    assert masses @ np.sum(now**2, axis=1) == pytest.approx(masses @ np.sum(v**2, axis=1), rel=1e-11)


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
