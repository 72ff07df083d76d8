"""Entries that a numpy masked array hides have no value: every public call that takes an array refuses them."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit import public_arguments as table

import keepclear as kc


def hidden(good: np.ndarray) -> np.ma.MaskedArray:
    """The array with one entry hidden, whose data is still there."""
    mask = np.zeros(good.shape, bool)
    mask.flat[mask.size // 2] = True
    return np.ma.array(good, mask=mask)


@pytest.mark.parametrize("name", table.ARRAYS)
def test_hidden_entries_are_refused(name: str) -> None:
    good, call = table.ARRAYS[name]
    with pytest.raises(kc.KeepclearError, match="mask"):
        call(hidden(good))
    if good.ndim > 1:
        with pytest.raises(kc.KeepclearError, match="mask"):
            call(list(hidden(good)))


@pytest.mark.parametrize("name", table.ARRAYS)
def test_a_mask_that_hides_nothing_is_accepted(name: str) -> None:
    good, call = table.ARRAYS[name]
    call(np.ma.array(good))
    call(np.ma.array(good, mask=np.zeros(good.shape, bool)))


def test_four_poses_take_the_same_path_as_five() -> None:
    """A batch as long as a pose is tall is no pose."""
    box, far = kc.Box([1, 1, 1]), table.at(3, 0)
    for n in (1, 3, 4, 5):
        assert kc.distance(box, np.eye(4), box, np.array([far] * n)).distance.tolist() == [2.0] * n
        assert kc.Tracker(box, box).distance(np.eye(4), np.array([far] * n)).distance.tolist() == [2.0] * n


def test_named_joint_values_and_parts() -> None:
    robot = table.slider()
    q = {"drive": hidden(np.zeros(2)), "lift": [0.0, 0.0]}
    with pytest.raises(kc.TrajectoryError, match="q: it has a masked entry, whose value is unknown"):
        kc.JointTrajectory(robot, [0.0, 1.0], q)
    with pytest.raises(kc.ArgumentError, match="masked"):
        robot.link_poses(q)
    with pytest.raises(kc.PoseError, match="masked"):
        kc.distance([(kc.Sphere(1), hidden(np.eye(4)))], np.eye(4), kc.Sphere(1), np.eye(4))
