"""States of two tracked meshes: released by the rules, recovered after a time, and never a part of an answer."""

from __future__ import annotations

import itertools
import time

import numpy as np
import pytest
from numba import config
from tests.unit.geometry.element_meshes import blocks, gear, plate, u_block
from tests.unit.query.instant.test_hull_frames import path

import keepclear as kc
from keepclear.query.track.mesh_tracker import MeshTracker

E = np.eye(4)
CUBE = kc.Mesh(0.5 * blocks([[[1]]]).vertices, blocks([[[1]]]).faces)
S = kc.TrackerState


def at(x: float, y: float, z: float = 0.25) -> np.ndarray:
    X = np.eye(4)
    X[:3, 3] = x, y, z
    return X


def run(tracker: kc.Tracker, ys: np.ndarray, x: float = 1.25, dt: float = 0.0625) -> list[kc.TrackerState]:
    """Move B along y; return the states, and compare each answer with a cold search."""
    states = []
    t = 0.0 if not tracker.events else tracker.events[-1].t
    for y in ys:
        t += dt
        found = tracker.distance(E, at(x, y), t)
        cold = kc.distance(tracker._a, E, tracker._b, at(x, y))
        assert found.distance == pytest.approx(cold.distance, abs=1e-12)
        assert found.state == cold.state
        states.append(tracker.state)
    return states


def kinds(tracker: kc.Tracker) -> list[tuple[str, str]]:
    return [(event.node, event.kind) for event in tracker.events]


def test_a_cube_enters_a_u_through_its_virtual_mouth_and_leaves_it() -> None:
    tracker = kc.Tracker(u_block(), CUBE, eps_hull=0.1, far=1.0, recovery=0.25)
    there = np.r_[np.linspace(6.0, 1.1, 50), np.linspace(1.1, 0.9, 5)]
    states = run(tracker, np.r_[there, there[::-1], [6.0] * 4])
    assert [state for state, _ in itertools.groupby(states)] == [
        S.OPEN_AB, S.FAR, S.HULLS, S.OPEN_A, S.CONTACT, S.OPEN_A, S.HULLS, S.FAR,
    ]  # fmt: skip
    assert kinds(tracker) == [
        ("A", "merged"), ("B", "merged"), ("A-B", "far"), ("A-B", "near"), ("A", "released"), ("A-B", "contact"),
        ("A-B", "apart"), ("A", "recovered"), ("A-B", "far"),
    ]  # fmt: skip
    times = {event.kind: event.t for event in tracker.events}
    left = next(0.0625 * (k + 56) for k, y in enumerate(there[::-1]) if y - 2.0 >= 0.15)
    assert times["recovered"] == pytest.approx(left + 0.25, abs=1e-9)


def test_of_two_virtual_faces_the_hull_with_fewer_elements_is_released() -> None:
    X = np.diag([-1.0, -1.0, 1.0, 1.0])
    small, large = u_block(), blocks([[[1], [1]], [[1], [0]], [[1], [0]], [[1], [1]]])
    for a, b, first in ((small, large, "A"), (large, small, "B"), (small, small, "A")):
        tracker = kc.Tracker(a, b, eps_hull=0.3)
        for gap in np.linspace(1.0, 0.2, 20):
            X[:3, 3] = 3.0, 4.0 + gap, 0.0
            tracker.distance(E, X)
        assert ("AB".index(first), "released") == ("AB".index(kinds(tracker)[-1][0]), "released")


def test_two_real_faces_that_touch_release_nothing() -> None:
    tracker = kc.Tracker(u_block(), CUBE, eps_hull=0.1)
    states = run(tracker, np.r_[np.linspace(2.5, 2.0, 11), [2.0]], x=0.25)  # onto the end of an arm
    assert states[-1] is S.CONTACT
    assert "released" not in {event.kind for event in tracker.events}


def test_hulls_that_overlap_are_both_opened() -> None:
    tracker = kc.Tracker(u_block(), u_block(), eps_hull=0.01)
    tracker.distance(E, at(9.0, 0.0))
    tracker.distance(E, at(9.0, 0.0))
    tracker.distance(E, at(1.0, 1.5, 0.0))  # a jump
    assert kinds(tracker)[-2:] == [("A", "released"), ("B", "released")]


@pytest.mark.parametrize("released", list(itertools.product((False, True), repeat=2)))
@pytest.mark.parametrize("seed", range(3))
def test_answers_do_not_depend_on_the_state(released: tuple[bool, bool], seed: int) -> None:
    """Each frame is answered in a forced state, near and far, and compared with all pairs of triangles."""
    pairs = ((u_block(), gear(6)), (plate(2), u_block()), (plate(1, through=False), CUBE))
    a, b = pairs[seed]
    tracker = kc.Tracker(a, b, eps_hull=0.2, far=2.0, recovery=0.0)
    assert isinstance(tracker, MeshTracker)
    for k, X in enumerate(path(seed, 40, 3.5, 0.05)):
        if tracker._states is not None:
            tracker._states.a.is_released, tracker._states.b.is_released = released
        found = tracker.distance(E, X, 0.1 * k)
        cold = kc.distance(a, E, b, X)
        assert found.state == cold.state
        assert found.distance == pytest.approx(cold.distance, abs=1e-11)
        assert found.lower <= cold.upper
        assert found.upper >= cold.lower


@pytest.mark.parametrize("seed", range(2))
def test_bounds_hold_without_exactness_and_tighten_with_it(seed: int) -> None:
    a, b = (u_block(), u_block()) if seed == 0 else (gear(6), plate(2))
    loose, enough = kc.Tracker(a, b, far=1.0), kc.Tracker(a, b, far=1.0)
    for X in path(seed, 80, 8.0, 0.03):
        cold = kc.distance(a, E, b, X)
        bound = loose.distance(E, X, exact=False)
        assert bound.lower <= cold.upper
        assert bound.distance >= cold.lower
        assert bound.colliding == cold.colliding
        stopped = enough.distance(E, X, enough=1.5)
        assert stopped.lower <= cold.upper
        assert stopped.lower > 1.5 or stopped.distance == pytest.approx(cold.distance, abs=1e-11)
    assert loose.statistics.by_hulls > 20


def test_batches_have_the_events_of_single_frames() -> None:
    ys = np.r_[np.linspace(5.0, 1.2, 60), np.linspace(1.2, 5.0, 60), [5.0] * 5]
    X = np.array([at(1.25, y) for y in ys])
    t = 0.05 * np.arange(len(ys))
    single, batch = (kc.Tracker(u_block(), CUBE, eps_hull=0.1, recovery=0.2) for _ in range(2))
    for k in range(len(ys)):
        single.distance(E, X[k], t[k])
    batch.distance(E, X, t)
    assert kinds(single) == kinds(batch)
    assert [event.t for event in single.events[2:]] == [event.t for event in batch.events[2:]]


@pytest.mark.skipif(bool(config.DISABLE_JIT), reason="many seconds without compiled kernels")
def test_later_frames_do_not_change_earlier_answers() -> None:
    """Answers by hulls are rows of the tracker's own array; it was written to again where hulls failed."""
    tracker = kc.Tracker(u_block(), CUBE, eps_hull=0.1)
    ys = np.r_[np.linspace(4.0, 1.2, 40), np.linspace(1.2, 4.0, 40)]
    frames = [at(x, y) for x in (0.25, 1.25) for y in ys]
    found = [tracker.distance(E, X) for X in frames]
    cold = [kc.distance(u_block(), E, CUBE, X).distance for X in frames]
    assert [r.distance for r in found] == pytest.approx(cold, abs=1e-11)
    assert tracker.statistics.by_hulls > 20


def test_hulls_are_built_in_the_background() -> None:
    tracker = kc.Tracker(u_block(), CUBE, background=True, eps_hull=0.1)
    assert tracker.state is S.OPEN_AB
    patience = time.monotonic() + 120.0
    while not tracker.events and time.monotonic() < patience:  # as long as the thread takes on a busy machine
        tracker.distance(E, at(1.25, 4.0), 0.01 * tracker.statistics.frames)
        time.sleep(1e-3)
    assert kinds(tracker)[:2] == [("A", "merged"), ("B", "merged")]


def test_times_and_thresholds_are_checked() -> None:
    tracker = kc.Tracker(u_block(), CUBE)
    tracker.distance(E, at(1.25, 4.0), 1.0)
    with pytest.raises(kc.ArgumentError, match=r"t must not decrease .* t = 0.5 s follows t = 1 s"):
        tracker.distance(E, at(1.25, 4.0), 0.5)
    with pytest.raises(kc.ArgumentError, match="t must be a finite number of seconds"):
        tracker.distance(E, at(1.25, 4.0), np.nan)
    with pytest.raises(kc.ArgumentError, match=r"one time for each of the 3 frames"):
        tracker.distance(E, np.tile(at(1.25, 4.0), (3, 1, 1)), [2.0])
    tracker.reset()
    tracker.distance(E, at(1.25, 4.0), 0.5)
    for option in ("far", "eps_hull", "eps_element", "recovery", "rest"):
        with pytest.raises(kc.ArgumentError, match=option):
            kc.Tracker(u_block(), CUBE, **{option: -1.0})  # type: ignore[arg-type]
    with pytest.raises(kc.ArgumentError, match="background"):
        kc.Tracker(u_block(), CUBE, background="yes")  # type: ignore[arg-type]
