"""What other libraries call a pose or a body is refused with what to write instead."""

from __future__ import annotations

import numpy as np
import pytest

import keepclear as kc

R, T = np.eye(3), np.zeros(3)


@pytest.mark.parametrize("pair", [(R, T), [R.tolist(), T.tolist()], (R, T.reshape(3, 1))])
def test_a_rotation_and_a_translation_are_no_pose(pair: object) -> None:
    ball = kc.Sphere(0.1)
    with pytest.raises(
        kc.PoseError, match=r"X_WB is a pair of a rotation and a translation, but .* \(4, 4\)"
    ):
        kc.distance(ball, np.eye(4), ball, pair)  # type: ignore[call-overload]
    with pytest.raises(kc.PoseError, match=r"X\[:3, :3\] = R; X\[:3, 3\] = t"):
        kc.World().add("ball", ball, pair)  # type: ignore[arg-type]


def test_a_world_takes_no_groups() -> None:
    with pytest.raises(kc.ArgumentError, match=r"object 'gate': worlds take no groups.* add each member"):
        kc.World().add("gate", kc.Group({"post": kc.Sphere(0.1)}), np.eye(4))


def test_the_parts_of_a_body_are_prepared_one_by_one() -> None:
    parts = [(kc.Box([1, 1, 1]), np.eye(4))] * 2
    with pytest.raises(kc.ArgumentError, match=r"list of 2 parts; prepare each, .*parts.write_obj"):
        kc.prepare(parts)  # type: ignore[arg-type]
    prepared = [(kc.prepare(part), X) for part, X in parts]
    far = np.eye(4)
    far[0, 3] = 3.0
    assert kc.distance(prepared, np.eye(4), kc.Sphere(0.5), far).distance == pytest.approx(2.0)
