"""How far cubic trajectories are from rigid ones."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.oracles.poses import pose, random_rotation

from keepclear.geometry.shapes.primitives import Box
from keepclear.kernels.tables.motion import motion_numbers
from keepclear.motion import packing
from keepclear.motion.packing import pack_cubic, stretch_bounds
from keepclear.motion.trajectory import PoseTrajectory


def about_z(angle: float) -> np.ndarray:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def spin(angle: float, n: int = 1) -> PoseTrajectory:
    """A turn in n segments."""
    return PoseTrajectory(
        np.arange(3 * n + 1), [pose(about_z(k * angle / (3 * n)), (k, 0, 0)) for k in range(3 * n + 1)]
    )


@pytest.mark.parametrize("angle", [0.1, math.pi / 2, 2.0, 3.0, 5.0])
def test_a_turn_in_one_segment(angle: float) -> None:
    motion = spin(angle)
    # In the plane the matrix is a rotation times r(t) = |(x, y)|, the cubics of cosine and sine.
    s = np.linspace(0, 1, 20001)
    nodes = np.array([0, 1, 2, 3]) / 3
    x, y = (np.polyval(np.polyfit(nodes, f(nodes * angle), 3), s) for f in (np.cos, np.sin))
    r = np.hypot(x, y)
    row = motion_numbers(motion._packed)
    stretch, smallest, largest = row.stretch, row.smallest, row.largest
    assert np.abs(r - 1).max() <= stretch <= 1.03 * np.abs(r - 1).max() + 1e-13
    assert 1 - 1.03 * (1 - r.min()) - 1e-13 <= smallest <= r.min()
    assert r.max() - 1e-15 <= largest <= 1 + 1.03 * (r.max() - 1) + 1e-13


def test_a_quarter_turn_is_three_millimetres_off_at_a_metre_and_denser_samples_much_less() -> None:
    one = spin(math.pi / 2).deviation(1.0)
    assert 2.7e-3 <= one <= 2.8e-3
    assert 14 <= one / spin(math.pi / 2, 2).deviation(1.0) <= 17  # the fourth power of the step
    assert spin(math.pi / 2).deviation(Box([6, 8, 0.1])) == pytest.approx(
        one * math.hypot(3, 4, 0.05), rel=1e-12
    )


def test_rigid_motions_do_not_deviate() -> None:
    motion = PoseTrajectory([0, 1], [np.eye(4), pose(about_z(1.0), (1, 2, 3))], "screw")
    assert motion.deviation(1e9) == 0.0
    row = motion_numbers(motion._packed)
    assert (row.stretch, row.smallest, row.largest) == (0.0, 1.0, 1.0)


def test_translations_deviate_by_rounding_only() -> None:
    R = random_rotation(np.random.default_rng(1))
    motion = PoseTrajectory(np.arange(4), [pose(R, p) for p in np.random.default_rng(2).normal(size=(4, 3))])
    assert motion.deviation(1.0) <= 5e-14


def test_a_matrix_that_may_collapse_is_said_to() -> None:
    # Identity, half a turn about x, about y, about z: in between, the cubic passes through singular matrices.
    turns = [np.diag([1.0, 1, 1]), np.diag([1.0, -1, -1]), np.diag([-1.0, 1, -1]), np.diag([-1.0, -1, 1])]
    stretch, smallest, largest = stretch_bounds(
        pack_cubic(np.arange(4.0), np.array([pose(R, (0, 0, 0)) for R in turns]))
    )
    assert smallest == 0.0
    assert stretch == 1.0 + largest


def test_few_segments_are_halved_when_all_deviate_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    halved = []

    def count(S: np.ndarray) -> np.ndarray:
        halved.append(len(S))
        return halve(S)

    halve = packing._halved
    monkeypatch.setattr(packing, "_halved", count)
    stretch = motion_numbers(spin(2000 * 0.05, 2000)._packed).stretch
    assert sum(halved) <= 20 * 2000
    assert stretch == pytest.approx(motion_numbers(spin(0.05)._packed).stretch, rel=1e-3)
