"""Links without a shape are frames: they carry objects, and rules about their contacts change nothing."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import keepclear as kc

ARM = """<robot name="arm">
<link name="base"/>
<link name="forearm"><collision>
<origin xyz="0.3 0 0"/><geometry><box size="0.4 0.05 0.05"/></geometry></collision></link>
<link name="flange"/><link name="tool0"/>
<joint name="turn" type="continuous"><parent link="base"/><child link="forearm"/><axis xyz="0 0 1"/></joint>
<joint name="f" type="fixed"><parent link="forearm"/><child link="flange"/><origin xyz="0.5 0 0"/></joint>
<joint name="t" type="fixed"><parent link="flange"/><child link="tool0"/></joint></robot>"""
BARE = """<robot name="bare"><link name="base"/><link name="tcp"/>
<joint name="slide" type="prismatic"><parent link="base"/><child link="tcp"/><axis xyz="1 0 0"/></joint></robot>"""


def at(x: float, y: float = 0.0) -> kc.Fixed:
    X_W = np.eye(4)
    X_W[:2, 3] = x, y
    return kc.Fixed(X_W)


@pytest.fixture
def world(tmp_path: Path) -> kc.World:
    (tmp_path / "arm.urdf").write_text(ARM)
    robot = kc.read_robot(tmp_path / "arm.urdf")
    world = kc.World()
    world.add_robot("arm", robot, kc.JointTrajectory(robot, [0.0, 2.0], [[0.0], [math.pi / 2]]))
    world.add("part", kc.Sphere(0.04), at(0.56))
    return world


def test_a_frame_carries_an_object_as_the_link_it_is_fixed_to(world: kc.World) -> None:
    """It was refused: only links with a shape could carry something."""
    world.add("wall", kc.Box([0.02, 0.02, 0.02]), at(0.0, 0.56))
    world.attach("part", "arm/tool0", 0.0)
    report = world.verify(tolerance=1e-4)
    pair = next(pair for pair in report.pairs if {pair.a, pair.b} == {"part", "wall"})
    # The part swings on a circle of 0.56 m about the origin, at pi / 4 rad/s, towards a cube on its end.
    assert pair.verdict is kc.Verdict.COLLIDING
    assert pair.time == pytest.approx(2.0 - 0.05 / 0.56 / (math.pi / 4.0), abs=2e-3)
    assert not any({pair.a, pair.b} == {"part", "arm/forearm"} for pair in report.pairs)


def test_a_robot_without_any_shape_carries_an_object(tmp_path: Path) -> None:
    (tmp_path / "bare.urdf").write_text(BARE)
    robot = kc.read_robot(tmp_path / "bare.urdf")
    world = kc.World()
    world.add_robot("bare", robot, kc.JointTrajectory(robot, [0.0, 1.0], [[0.0], [1.0]]))
    world.add("part", kc.Sphere(0.1), at(0.0))
    world.add("wall", kc.Box([0.2, 1, 1]), at(0.8))
    world.attach("part", "bare/tcp", 0.0)
    contact = world.first_contact("part", "wall")
    assert contact.verdict is kc.Verdict.COLLIDING
    assert contact.time == pytest.approx(0.6, abs=1e-3)
    world.remove("bare")
    assert world.first_contact("part", "wall").verdict is kc.Verdict.CLEAR


def test_allowing_a_link_without_a_shape_to_touch_is_a_note(world: kc.World) -> None:
    world.allow("arm/tool0", "part", reason="it takes the part")
    world.allow("arm/base", "part")
    report = world.verify()
    notes = {note.subject: note.text for note in report.assumptions if note.kind == "shape"}
    assert notes == {
        "arm/tool0": "it has no shape, so allowing it to touch part has no effect; the nearest link above it "
        "with a shape is arm/forearm",
        "arm/base": "it has no shape, so allowing it to touch part has no effect",
    }
    assert not any("shape" in text for text in report.warnings)
    assert report.pairs, "the rule does not cover the forearm"


def test_what_needs_a_shape_says_so(world: kc.World) -> None:
    message = (
        r"^the link 'arm/tool0' has no shape, so there is nothing to check; name one that has: arm/forearm\.$"
    )
    for ask in (
        lambda: world.set_margin("arm/tool0", "part", 0.01),
        lambda: world.set_margin("arm/tool0", None, 0.01),
        lambda: world.only(["arm/tool0"]),
        lambda: world.first_contact("arm/tool0", "part"),
    ):
        with pytest.raises(kc.UnknownNameError, match=message):
            ask()


def test_a_misspelt_link_is_answered_with_all_links_the_nearest_first(world: kc.World) -> None:
    for ask in (lambda: world.allow("arm/tool", "part"), lambda: world.attach("part", "arm/tool", 0.0)):
        with pytest.raises(kc.UnknownNameError) as caught:
            ask()
        assert str(caught.value) == (
            "this World has no link 'arm/tool'; did you mean 'arm/tool0'? "
            "'arm' has arm/tool0, arm/base, arm/forearm and arm/flange."
        )


def test_an_object_has_no_links(world: kc.World) -> None:
    with pytest.raises(kc.UnknownNameError, match=r"no link 'part/hand'\. 'part' has no links\."):
        world.allow("part/hand", "arm")
