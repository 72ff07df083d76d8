"""Windows of long programs: cut where the content of segments says so, with the same findings as one window."""

from __future__ import annotations

import numpy as np
import pytest

import keepclear as kc
from keepclear.world.selection import windows
from keepclear.world.selection.windows import Windows


def world_of(positions: np.ndarray, obstacle_x: float = 1.0) -> kc.World:
    """A ball that travels through positions (n, 3), one second each, beside a box and a ball."""
    world = kc.World(threads=1)
    X_W = np.tile(np.eye(4), (len(positions), 1, 1))
    X_W[:, :3, 3] = positions
    world.add("ball", kc.Sphere(0.1), kc.PoseTrajectory(np.arange(len(X_W)), X_W, "linear"))
    for name, shape, p in (
        ("box", kc.Box([0.2, 0.2, 0.2]), [obstacle_x, 0, 0]),
        ("post", kc.Sphere(0.1), [0.45, 0, 0]),
    ):
        X = np.eye(4)
        X[:3, 3] = p
        world.add(name, shape, X)
    return world


def path(n: int, seed: int = 0, beyond: float = 0.0) -> np.ndarray:
    """Positions at random between the box and the ball; both touch where they are `beyond` is more than 0.02 m."""
    rng = np.random.default_rng(seed)
    return np.array([0.73, 0.0, 0.0]) + rng.uniform(-1.0, 1.0, (n, 3)) * [0.05 + beyond, 0.05, 0.05]


def bounds_of(positions: np.ndarray) -> np.ndarray:
    world = world_of(positions)
    return Windows(world._present_scene(), *world.span).bounds


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows of about four segments."""
    monkeypatch.setattr(windows, "SEGMENTS", 4)
    monkeypatch.setattr(windows, "FEW", 4)


def test_a_short_program_is_one_window() -> None:
    assert bounds_of(path(windows.FEW + 1)).tolist() == [0.0, windows.FEW]


@pytest.mark.usefixtures("small")
def test_a_changed_waypoint_moves_only_cuts_beside_it() -> None:
    given = path(200)
    before = set(bounds_of(given).tolist())
    given[100] += 0.01
    moved = before ^ set(bounds_of(given).tolist())
    assert len(before) > 30
    assert all(99.0 <= t <= 100.0 + windows.LONGEST * windows.SEGMENTS for t in moved)


@pytest.mark.usefixtures("small")
def test_windows_do_not_depend_on_when_a_program_starts() -> None:
    given = path(100)
    later = np.concatenate([path(64, seed=5), given])
    tail = bounds_of(later)
    # From the first common cut on, the windows are the same, 64 s later.
    own = {t + 64.0 for t in bounds_of(given).tolist() if t >= windows.LONGEST * windows.SEGMENTS}
    assert own <= set(tail.tolist())


@pytest.mark.usefixtures("small")
def test_windows_are_never_longer_than_their_limit() -> None:
    given = np.repeat(path(2), 200, axis=0)[1::2][:150]  # all segments but one are the same: nowhere to cut
    assert np.diff(bounds_of(given)).max() <= windows.LONGEST * windows.SEGMENTS


@pytest.mark.parametrize("contacts", ["first", "all", "earliest"])
@pytest.mark.parametrize("beyond", [0.0, 0.025])
def test_verdicts_and_bounds_agree_with_one_window(
    monkeypatch: pytest.MonkeyPatch, contacts: str, beyond: float
) -> None:
    given = path(60, seed=3, beyond=beyond)
    whole = world_of(given).verify(contacts=contacts, tolerance=1e-4)
    monkeypatch.setattr(windows, "SEGMENTS", 4)
    monkeypatch.setattr(windows, "FEW", 4)
    cut = world_of(given).verify(contacts=contacts, tolerance=1e-4)
    assert cut.verdict is whole.verdict
    for pair in whole.pairs:
        other = cut.pair(pair.a, pair.b)
        assert other.verdict is pair.verdict
        if pair.time is not None:
            assert other.time == pytest.approx(pair.time, abs=1e-3)
            assert len(other.contacts) == len(pair.contacts)
        elif pair.clearance_upper is not None:
            assert other.clearance_upper is not None
            assert other.clearance_lower <= pair.clearance_upper
            assert pair.clearance_lower <= other.clearance_upper
            assert other.clearance_upper - other.clearance_lower <= 1e-4 + 1e-12
