"""Questions in which nothing is left to compare get an answer, or an error that names the reason."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import keepclear as kc

URDF = """<robot name="r">
  <link name="a"><collision><geometry><sphere radius="0.1"/></geometry></collision></link><link name="b"/>
  <joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint>
</robot>"""


@pytest.mark.filterwarnings("ignore:robot 'arm'. no pair is checked")
def test_a_margin_of_a_robot_without_moving_shapes(tmp_path: Path) -> None:
    """`check_edges` and `check_configurations` raised a ValueError about an array of size 0."""
    (tmp_path / "arm.urdf").write_text(URDF)
    world, X, q = kc.World(), np.eye(4), np.zeros((2, 1))
    X[0, 3] = 5.0
    world.add_robot("arm", kc.read_robot(tmp_path / "arm.urdf"), [0.0])
    world.add("box", kc.Box([1, 1, 1]), X)
    assert not world.check_configurations("arm", q, margin=0.01).colliding.any()
    assert world.check_edges("arm", q, q + 1.0, margin=0.01).clear.all()


@pytest.mark.parametrize("accuracy", [1e-300, 5e-324])
def test_tiny_spheres_of_a_point(accuracy: float) -> None:
    """The square of the edge of their cells was 0, and a number was divided by it."""
    assert kc.build_sphere_tree(kc.Convex([[0, 0, 0]]), accuracy).n_spheres == 1
