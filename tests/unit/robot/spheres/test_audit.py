"""Audits of sphere models: states, bounds that samples agree with, and the hand-made model of the Panda."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numba.core import config
from tests.oracles.sphere_cover import outside_unequal, surface_points

import keepclear as kc
from keepclear.robot.spheres.files import parse_model_file

Write = Callable[..., Path]
pytestmark = pytest.mark.skipif(
    bool(config.DISABLE_JIT), reason="shares of uncovered surfaces take minutes in Python"
)
CUBE = '<link name="{}"><collision><geometry><box size="2 2 2"/></geometry></collision></link>'
JOINT = '<joint name="{0}{1}" type="fixed"><parent link="{0}"/><child link="{1}"/></joint>'


@pytest.fixture
def robot(write: Write) -> kc.Robot:
    links = "".join(CUBE.format(name) for name in "abc") + '<link name="d"/>'
    return kc.read_robot(write(links + "".join(JOINT.format("a", name) for name in "bcd")))


def test_each_link_has_its_state(robot: kc.Robot) -> None:
    covers = {
        "a": kc.SphereCover([[0, 0, 0]], [1.75]),
        "b": kc.SphereCover([[0, 0, 0]], [1.5], cover=0.0, excess=0.0),
        "d": kc.SphereCover([[0, 0, 0]], [1.0]),
    }
    audit = kc.audit_sphere_model(kc.SphereModel("bot", covers), robot, tolerance=1e-5)
    assert [(row.link, row.state, row.n_spheres) for row in audit.links] == [
        ("a", "covered", 1),
        ("b", "uncovered", 1),
        ("c", "uncovered", 0),
    ]
    assert (audit.state, audit.unneeded) == ("uncovered", ("d",))
    corner = math.sqrt(3.0) - 1.5
    b, c = audit["b"], audit["c"]
    assert b.sticks_out_lower <= corner <= b.sticks_out_upper <= b.sticks_out_lower + 1e-5
    assert b.inflation >= b.sticks_out_upper
    assert np.allclose(np.abs(b.worst_point), 1.0, atol=1e-4)
    assert (c.sticks_out_upper, c.uncovered_lower, c.inflation) == (math.inf, 1.0, math.inf)
    assert (audit.sticks_out_upper, audit.inflation) == (math.inf, math.inf)
    assert audit.model["a"].cover == 0.0
    assert audit.model["b"].cover == b.sticks_out_upper
    assert (audit.model["d"].cover, audit.model["d"].excess) == (0.0, math.inf)
    assert 0.75 - 1e-9 <= audit["a"].excess_upper <= 0.75 + 2e-5
    with pytest.raises(kc.UnknownNameError, match="no link 'd' with shapes"):
        audit["d"]


def test_inflation_covers(robot: kc.Robot) -> None:
    centers = [[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]
    covers = {name: kc.SphereCover(centers, np.full(8, 0.7)) for name in "abc"}
    audit = kc.audit_sphere_model(kc.SphereModel("bot", covers), robot)
    assert audit.state == "uncovered"
    grown = {name: kc.SphereCover(centers, np.full(8, 0.7) + audit.inflation) for name in "abc"}
    again = kc.audit_sphere_model(kc.SphereModel("bot", grown), robot)
    assert (again.state, again.sticks_out_upper) == ("covered", 0.0)


def test_a_hollow_cover_is_none_of_the_solid(robot: kc.Robot) -> None:
    steps = np.linspace(-1.0, 1.0, 9)
    shell = [[x, y, z] for x in steps for y in steps for z in steps if max(abs(x), abs(y), abs(z)) == 1.0]
    cover = kc.SphereCover(shell, np.full(len(shell), 0.25))
    model = kc.SphereModel("bot", dict.fromkeys("abc", cover))
    assert kc.audit_sphere_model(model, robot, tolerance=0.01).state == "covered"
    solid = kc.audit_sphere_model(model, robot, tolerance=0.01, solid=True)
    assert (solid.state, solid.model["a"].solid) == ("uncovered", True)
    assert solid["a"].sticks_out_lower > 0.7


def test_arguments(robot: kc.Robot) -> None:
    model = kc.SphereModel("bot", {"x": kc.SphereCover([[0, 0, 0]], [1.0])})
    with pytest.raises(kc.UnknownNameError, match="no link 'x'"):
        kc.audit_sphere_model(model, robot)
    with pytest.raises(kc.ArgumentError, match=r"takes a kc\.SphereModel"):
        kc.audit_sphere_model(robot, robot)  # type: ignore[arg-type]
    with pytest.raises(kc.ArgumentError, match=r"robot must be a kc\.Robot"):
        kc.audit_sphere_model(model, model)  # type: ignore[arg-type]
    with pytest.raises(kc.ArgumentError, match="tolerance must be"):
        kc.audit_sphere_model(kc.SphereModel("bot", {}), robot, tolerance=0.0)


def test_json_has_all_rows(robot: kc.Robot, tmp_path: Path) -> None:
    model = kc.SphereModel("bot", {"a": kc.SphereCover([[0, 0, 0]], [1.5])})
    audit = kc.audit_sphere_model(model, robot, tolerance=0.01)
    text = audit.to_json(tmp_path / "audit.json")
    assert (tmp_path / "audit.json").read_text() == text
    content = json.loads(text)
    assert (content["state"], content["inflation"], content["spheres"]) == ("uncovered", None, 1)
    assert [row["link"] for row in content["links"]] == ["a", "b", "c"]
    assert content["links"][0]["sticks_out_upper"] == audit["a"].sticks_out_upper


def test_panda(shared_data: Path) -> None:
    """The widely used model of 59 spheres: sampling agrees with every bound, link by link."""
    folder = shared_data / "panda"
    robot = kc.read_robot(folder / "panda.urdf", srdf=folder / "panda.srdf")
    model = parse_model_file(folder / "panda_spherized.urdf", robot, None).model()
    assert model.n_spheres == 59
    kc.audit_sphere_model(model, robot, tolerance=1e-2)  # compiles
    start = time.process_time()
    audit = kc.audit_sphere_model(model, robot)
    assert time.process_time() - start < 5.0
    assert (audit.state, len(audit.links)) == ("uncovered", 11)
    for row in audit.links:
        (element,) = robot.link(row.link).elements
        assert isinstance(element.shape, kc.Mesh)
        vertices = element.shape.vertices @ element.X_LG[:3, :3].T + element.X_LG[:3, 3]
        points = surface_points(vertices, element.shape.triangles, 20_000, 5)
        outside = outside_unequal(points, model[row.link].centers, model[row.link].radii)
        assert outside.max() <= row.sticks_out_upper
        assert outside.max() >= row.sticks_out_lower - 2e-3
        share = float((outside[-20_000:] > 0.0).mean())
        assert row.uncovered_lower - 0.015 <= share <= row.uncovered_upper + 0.015
        assert 0.27 <= row.uncovered_lower <= row.uncovered_upper <= 0.75
        at_worst = outside_unequal(row.worst_point[None], model[row.link].centers, model[row.link].radii)
        assert row.sticks_out_lower - 1e-9 <= at_worst[0] <= row.sticks_out_upper
    moving = [row for row in audit.links if row.link not in ("panda_link0",)]
    assert min(row.sticks_out_lower for row in moving) > 0.007
    assert 0.062 < max(row.sticks_out_upper for row in moving) < 0.063
