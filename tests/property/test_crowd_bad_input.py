"""Crowds refuse what they cannot be, probes that break their promise are named, and the state stays as it was."""

import math
from dataclasses import replace

import numpy as np
import pytest
from tests.oracles.crowd_families import random_scene
from tests.oracles.crowd_library import library_crowd, probe_of

import keepclear as kc

N = 3
BOX = np.zeros(3), np.full(3, 10.0)


def good(**changes):
    """Arguments of a crowd of three, some of them changed."""
    return {
        "positions": np.array([[2.0, 2, 2], [5, 5, 5], [8, 8, 8]]),
        "velocities": np.ones((N, 3)),
        "radii": np.ones(N),
        "max_accelerations": np.ones(N),
        "bounds": BOX,
        "motion": kc.RandomForces(seed=1),
        "response": "elastic",
    } | changes


def changed(values, row, value):
    values = np.array(values, dtype=float)
    values[row] = value
    return values


def make(**changes):
    arguments = good(**changes)
    first = [arguments.pop(name) for name in ("positions", "velocities", "radii", "max_accelerations")]
    return kc.Crowd(*first, **arguments)


def test_good_input_is_taken():
    assert make().time == 0.0


ONES, GRID = np.ones(N), np.array([[2.0, 2, 2], [5, 5, 5], [8, 8, 8]])


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"positions": changed(GRID, 1, math.nan)}, ["positions", "1"]),
        ({"positions": changed(GRID, 2, math.inf)}, ["positions", "2"]),
        ({"velocities": changed(GRID, 0, math.nan)}, ["velocities", "0"]),
        ({"radii": changed(ONES, 1, -0.5)}, ["radi", "-0.5", "1"]),
        ({"radii": changed(ONES, 1, math.nan)}, ["radi", "1"]),
        ({"max_accelerations": changed(ONES, 2, -3.0)}, ["acceleration", "-3", "2"]),
        ({"max_accelerations": changed(ONES, 2, math.nan)}, ["acceleration", "2"]),
        ({"radii": np.ones(N + 1)}, ["radii", "3", "4"]),
        ({"velocities": np.ones((N, 2))}, ["velocities"]),
        ({"velocities": np.ones((N + 2, 3))}, ["velocities", "5", "3"]),
        ({"positions": np.ones((N, 4))}, ["positions", "4"]),
        ({"positions": np.ones(N)}, ["positions"]),
        ({"positions": changed(GRID, 1, 9.5)}, ["1", "box"]),
        ({"bounds": (BOX[1], BOX[0])}, ["bounds"]),
        ({"bounds": (np.zeros(2), np.ones(2))}, ["bounds"]),
        ({"bounds": (np.full(3, math.nan), np.ones(3))}, ["bounds"]),
        ({"response": "bouncy"}, ["bouncy", "elastic", "report"]),
        ({"tolerance": -1.0}, ["tolerance"]),
        ({"tolerance": math.nan}, ["tolerance"]),
        ({"gravity": [0.0, 0.0]}, ["gravity"]),
        ({"gravity": [0.0, 0.0, math.nan]}, ["gravity"]),
        ({"masses": changed(ONES, 0, 0.0)}, ["mass", "0"]),
        ({"masses": np.ones(N - 1)}, ["mass"]),
        ({"motion": "random"}, ["motion"]),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_bad_input_is_named(changes, words):
    with pytest.raises(kc.KeepclearError) as caught:
        make(**changes)
    assert isinstance(caught.value, ValueError | TypeError)
    text = str(caught.value)
    assert "\n" not in text
    for word in words:
        assert word in text


@pytest.mark.parametrize("until", [math.nan, -1.0, "soon"])
def test_bad_times_are_refused(until):
    crowd = make()
    crowd.advance(0.5)
    with pytest.raises(kc.KeepclearError):
        crowd.advance(until)
    assert crowd.time == 0.5
    assert len(crowd.advance(1.0)) >= 0


@pytest.mark.parametrize("seed", [-1.5, "one", math.nan])
def test_bad_seeds_are_refused(seed):
    with pytest.raises(kc.KeepclearError):
        kc.RandomForces(seed=seed)


@pytest.mark.parametrize("interval", [0.0, -1.0, math.nan, math.inf])
def test_bad_intervals_are_refused(interval):
    with pytest.raises(kc.KeepclearError, match="interval"):
        kc.RandomForces(seed=1, interval=interval)


@pytest.mark.parametrize("ids", [(0, 3), (-1, 0), (1, 1)])
def test_unknown_members_are_refused(ids):
    with pytest.raises(kc.KeepclearError):
        make().clear_until(*ids)


def spoiled(scene, how):
    """A probe that is right until 0.3 s."""
    right = probe_of(scene)

    def probe(ids, t):
        x, v = right(ids, t)
        return (x, v) if t < 0.3 else how(ids, x, v)

    return probe


def fail(_ids, _x, _v):
    raise RuntimeError("the tracker is off")


SPOILT = {
    "nan": lambda _ids, x, v: (x * np.nan, v),
    "nan velocities": lambda _ids, x, v: (x, v * np.nan),
    "shape": lambda _ids, x, v: (x[:, :2], v),
    "rows": lambda _ids, x, v: (np.concatenate([x, x]), np.concatenate([v, v])),
    "none": lambda _ids, _x, _v: None,
    "jump": lambda ids, x, v: (x + 10.0 * (ids == 2)[:, None], v),
    "speed": lambda ids, x, v: (x, v + 100.0 * (ids == 2)[:, None]),
}


@pytest.mark.parametrize("how", SPOILT)
def test_probes_that_break_their_promise(how):
    """The error names the sphere and the time; the crowd stays there, and goes on with a probe that is right again."""
    scene = replace(random_scene("plain", 21), t_end=0.7)
    broken = True

    def probe(ids, t):
        return (spoiled(scene, SPOILT[how]) if broken else probe_of(scene))(ids, t)

    def fresh():
        return kc.Crowd(scene.x, scene.v, scene.radii, scene.bounds, motion=probe, response="report")

    crowd = fresh()
    first = crowd.advance(0.2)
    with pytest.raises(kc.KeepclearError) as caught:
        crowd.advance(scene.t_end)
    if how in ("jump", "speed"):
        assert "2" in str(caught.value)
        assert "0.3" in str(caught.value) or " s" in str(caught.value)
    assert 0.2 <= crowd.time < scene.t_end
    broken = False
    events = np.concatenate([first, crowd.advance(scene.t_end)])
    whole = fresh().advance(scene.t_end)
    assert [(e["i"], e["j"], e["kind"]) for e in events] == [(e["i"], e["j"], e["kind"]) for e in whole]
    np.testing.assert_allclose(events["time"], whole["time"], rtol=0.0, atol=1e-8)


def test_errors_of_a_probe_come_through():
    """What a probe raises is seen, as itself or as the cause."""
    scene = random_scene("plain", 22)
    crowd = kc.Crowd(
        scene.x, scene.v, scene.radii, scene.bounds, motion=spoiled(scene, fail), response="report"
    )
    crowd.advance(0.2)
    with pytest.raises((RuntimeError, kc.KeepclearError)) as caught:
        crowd.advance(scene.t_end)
    assert "the tracker is off" in f"{caught.value} {caught.value.__cause__}"
    assert 0.2 <= crowd.time < scene.t_end


def test_observations_that_are_refused_change_nothing():
    scene = random_scene("ballistic", 23)
    crowd = library_crowd(scene, "report", bounds=None)
    crowd.advance(0.1)
    for ids, t, x in (([99], 0.1, [[0.0, 0, 0]]), ([0], 0.1, [[math.nan, 0, 0]]), ([0], 0.05, [[0.0, 0, 0]])):
        with pytest.raises(kc.KeepclearError):
            crowd.observe(ids, t, x, [[0.0, 0, 0]])
    other = library_crowd(scene, "report", bounds=None)
    other.advance(0.1)
    assert crowd.advance(scene.t_end).tobytes() == other.advance(scene.t_end).tobytes()
