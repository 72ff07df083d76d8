"""Sphere models: a cover for each link by its name."""

from __future__ import annotations

import math
import pickle
from pathlib import Path

import numpy as np
import pytest
from numba.core import config
from tests.oracles.sphere_cover import farthest_outside_unequal

import keepclear as kc


def test_a_model_is_as_good_as_its_worst_link() -> None:
    good = kc.SphereCover([[0, 0, 0]], [1.0], 0.0, 0.01)
    model = kc.SphereModel("arm", {"upper": good, "hand": kc.SphereCover([[0, 0, 0], [1, 0, 0]], [1.0, 1.0])})
    assert (model.n_spheres, model.cover, model.excess) == (3, math.inf, math.inf)
    assert model["upper"] is good
    assert pickle.loads(pickle.dumps(model)).n_spheres == 3


def test_a_model_names_what_is_wrong() -> None:
    with pytest.raises(kc.ArgumentError, match=r"'hand' must have a kc\.SphereCover"):
        kc.SphereModel("arm", {"hand": 3})  # type: ignore[dict-item]
    with pytest.raises(kc.UnknownNameError, match="no link 'foot'"):
        kc.SphereModel("arm", {})["foot"]


URDF = """<robot name="lever">
  <link name="base"><collision><geometry><box size="0.2 0.2 0.1"/></geometry></collision></link>
  <link name="frame"/>
  <link name="arm"><collision><origin xyz="0.2 0 0"/><geometry><box size="0.4 0.1 0.1"/></geometry></collision></link>
  <joint name="fix" type="fixed"><parent link="base"/><child link="frame"/></joint>
  <joint name="turn" type="continuous"><parent link="frame"/><child link="arm"/><axis xyz="0 0 1"/></joint>
</robot>"""


@pytest.fixture
def lever(tmp_path: Path) -> kc.Robot:
    file = tmp_path / "lever.urdf"
    file.write_text(URDF)
    return kc.read_robot(file)


@pytest.mark.skipif(bool(config.DISABLE_JIT), reason="a search takes minutes as plain Python")
@pytest.mark.parametrize("solid", [False, True])
def test_links_with_shapes_are_covered_in_their_frames(lever: kc.Robot, solid: bool) -> None:
    model = lever.sphere_model(0.04, solid=solid)
    assert list(model.covers) == ["base", "arm"]
    assert model.cover == 0.0
    assert model.excess <= 0.04
    steps = np.linspace(-0.5, 0.5, 21)
    grid = np.array([[x, y, z] for x in steps for y in steps for z in steps])
    if not solid:
        grid = grid[np.abs(grid).max(axis=1) == 0.5]
    for name, size, middle in (("base", [0.2, 0.2, 0.1], 0.0), ("arm", [0.4, 0.1, 0.1], [0.2, 0, 0])):
        cover = model[name]
        assert cover.solid is solid
        assert farthest_outside_unequal(grid * size + middle, cover.centers, cover.radii) <= 0.0


@pytest.mark.skipif(bool(config.DISABLE_JIT), reason="a search takes minutes as plain Python")
def test_a_model_is_kept_and_tools_are_covered(lever: kc.Robot) -> None:
    model = lever.sphere_model(0.05)
    assert lever.sphere_model(0.05) is model
    assert lever.sphere_model(0.06) is not model
    equipped = lever.attach("tool", kc.Sphere(0.03), "arm")
    assert list(equipped.sphere_model(0.05).covers) == ["base", "arm", "tool"]


@pytest.mark.skipif(bool(config.DISABLE_JIT), reason="a search takes minutes as plain Python")
def test_spheres_are_divided_over_links(lever: kc.Robot) -> None:
    model = lever.sphere_model(max_spheres=8)
    assert model.n_spheres <= 8
    assert model.cover == 0.0
    with pytest.raises(kc.ArgumentError, match="too few for 2 bodies"):
        lever.sphere_model(max_spheres=1)
    with pytest.raises(kc.ArgumentError, match="either accuracy"):
        lever.sphere_model()
