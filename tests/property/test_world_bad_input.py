"""Bad questions to a world: one clear error of the library's own that names the thing."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import keepclear as kc

SLIDER = """<robot name="slider"><link name="rail"/>
<link name="cart"><collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>
<joint name="slide" type="prismatic"><parent link="rail"/><child link="cart"/><axis xyz="1 0 0"/>
<limit lower="0" upper="2" velocity="1" effort="1"/></joint></robot>"""


@pytest.fixture
def robot(tmp_path: Path) -> Any:
    file = tmp_path / "slider.urdf"
    file.write_text(SLIDER, encoding="utf-8")
    return kc.read_robot(file)


@pytest.fixture
def world(robot: Any) -> Any:
    """A cart that slides by 1 m in 1 s towards a wall that it does not reach, and a ball on the side."""
    world = kc.World()
    world.add_robot("arm", robot, kc.JointTrajectory(robot, [0, 1], [[0.0], [1.0]]))
    X = np.eye(4)
    X[0, 3] = 3.0
    world.add("wall", kc.Box([1, 1, 1]), X)
    X[1, 3] = 3.0
    world.add("ball", kc.Sphere(0.1), X)
    return world


QUESTIONS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "allow unknown": (lambda w: w.allow("wal", "arm"), r"wal.*did you mean.*wall"),
    "allow unknown link": (lambda w: w.allow("arm/cat", "wall"), r"cat.*did you mean.*cart"),
    "allow link of no robot": (lambda w: w.allow("ball/cart", "wall"), r"ball"),
    "allow contradictory": (lambda w: w.allow("arm", "wall", t_from=0.7, t_to=0.2), r"0\.7.*0\.2|0\.2.*0\.7"),
    "allow nan": (lambda w: w.allow("arm", "wall", t_from=math.nan), r"t_from"),
    "allow itself": (lambda w: w.allow("wall", "wall"), r"wall"),
    "only unknown": (lambda w: w.only([("arm", "bal")]), r"bal.*did you mean.*ball"),
    "only unknown name": (lambda w: w.only(["bal"]), r"bal.*did you mean.*ball"),
    "only triples": (lambda w: w.only([("arm", "ball", "wall")]), r"pair|two"),
    "margin unknown": (lambda w: w.set_margin("bal", None, 0.1), r"bal.*did you mean.*ball"),
    "negative margin": (lambda w: w.set_margin("ball", "wall", -0.1), r"margin.*-0\.1"),
    "nan margin": (lambda w: w.set_margin("ball", "wall", math.nan), r"margin"),
    "infinite margin": (lambda w: w.set_margin("ball", None, math.inf), r"margin"),
    "margin in words": (lambda w: w.set_margin("ball", None, "much"), r"margin"),
    "negative path tolerance": (lambda w: w.set_path_tolerance("arm", distance=-1.0), r"distance"),
    "nan lag": (lambda w: w.set_path_tolerance("arm", time=math.nan), r"time"),
    "path tolerance unknown": (lambda w: w.set_path_tolerance("arn", time=0.1), r"arn.*did you mean.*arm"),
    "attach unknown": (lambda w: w.attach("bal", "arm/cart", 0.5), r"bal.*did you mean.*ball"),
    "attach to unknown": (lambda w: w.attach("ball", "arm/cat", 0.5), r"cat.*did you mean.*cart"),
    "attach to an object": (lambda w: w.attach("ball", "wall", 0.5), r"wall"),
    "attach backwards": (lambda w: w.attach("ball", "arm/cart", 0.5, 0.2), r"0\.5.*0\.2|0\.2.*0\.5"),
    "attach nan": (lambda w: w.attach("ball", "arm/cart", math.nan), r"t_from"),
    "attach a link": (lambda w: w.attach("arm/cart", "arm/cart", 0.5), r"arm/cart"),
    "verify backwards": (lambda w: w.verify(1.0, 0.5), r"t0.*t1|1.*0\.5"),
    "verify nan": (lambda w: w.verify(math.nan, 0.5), r"t0"),
    "verify infinite": (lambda w: w.verify(0.0, math.inf), r"t1"),
    "negative tolerance": (lambda w: w.verify(tolerance=-1e-3), r"tolerance"),
    "no tolerance": (lambda w: w.verify(tolerance=0.0), r"tolerance"),
    "nan tolerance": (lambda w: w.verify(tolerance=math.nan), r"tolerance"),
    "tolerance in words": (lambda w: w.verify(tolerance="fine"), r"tolerance"),
    "unknown contacts": (lambda w: w.verify(contacts="last"), r"last"),
    "negative far": (lambda w: w.verify(far=-0.1), r"far"),
    "negative curves": (lambda w: w.verify(curves=-3), r"curves"),
    "no threads": (lambda w: w.verify(threads=0), r"threads"),
    "negative budget": (lambda w: w.verify(budget=-1), r"budget"),
    "collisions at nan": (lambda w: w.collisions(math.nan), r"t"),
    "distances at nan": (lambda w: w.distances(math.nan), r"t"),
    "first contact of unknown": (lambda w: w.first_contact("arm", "bal"), r"bal.*did you mean.*ball"),
    "remove unknown": (lambda w: w.remove("bal"), r"bal.*did you mean.*ball"),
    "move unknown": (lambda w: w.move("bal", np.eye(4)), r"bal.*did you mean.*ball"),
    "move by a word": (lambda w: w.move("ball", "away"), r"motion|away"),
    "move a robot by a pose": (lambda w: w.move("arm", np.eye(4)), r"arm"),
    "move a robot by a nan": (lambda w: w.move("arm", [math.nan]), r"slide|nan"),
    "move by a bad pose": (lambda w: w.move("ball", 2 * np.eye(4)), r"pose|rotation|row"),
    "add twice": (lambda w: w.add("wall", kc.Sphere(1.0)), r"wall"),
    "add a name with a slash": (lambda w: w.add("arm/extra", kc.Sphere(1.0)), r"/"),
    "add nothing": (lambda w: w.add("new", []), r"new|shape"),
    "add a bad part": (lambda w: w.add("new", [(kc.Sphere(1.0), 2 * np.eye(4))]), r"pose|rotation|row"),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_bad_questions_are_refused_in_one_clear_sentence(name: str, world: Any) -> None:
    ask, pattern = QUESTIONS[name]
    with pytest.raises(kc.KeepclearError, match=pattern) as caught:
        ask(world)
    assert isinstance(caught.value, ValueError | LookupError)
    assert "\n" not in str(caught.value)
    # And the world is as it was.
    assert world.verify(clearances=False).verdict is kc.Verdict.CLEAR


def test_an_empty_world_and_one_without_motion_say_so(robot: Any) -> None:
    with pytest.raises(kc.KeepclearError, match=r"empty|nothing|no objects"):
        kc.World().verify()
    still = kc.World()
    still.add("wall", kc.Box([1, 1, 1]), np.eye(4))
    still.add_robot("arm", robot, [0.5])
    (pair,) = still.verify(0.0, 1.0).pairs  # where nothing moves, things are judged as they stand
    assert (pair.verdict, pair.time) == (kc.Verdict.COLLIDING, 0.0)


def test_robots_are_added_with_what_fits_them(robot: Any, tmp_path: Path) -> None:
    world = kc.World()
    for motion, pattern in (([0.1, 0.2], "1|joint"), ([math.nan], "slide|nan|q"), ("home", "arm")):
        with pytest.raises(kc.KeepclearError, match=pattern):
            world.add_robot("arm", robot, motion)
    with pytest.raises(kc.KeepclearError, match="obot"):
        world.add_robot("arm", "slider.urdf", [0.0])
    with pytest.raises(kc.KeepclearError):
        world.add_robot("arm", robot, [0.0], 2 * np.eye(4))
    file = tmp_path / "other.urdf"
    file.write_text(SLIDER.replace("slide", "glide"), encoding="utf-8")
    other = kc.read_robot(file)
    with pytest.raises(kc.KeepclearError, match=r"robot|joint"):
        world.add_robot("arm", robot, kc.JointTrajectory(other, [0, 1], [[0.0], [1.0]]))
    world.add_robot("arm", robot, [0.0])
    with pytest.raises(kc.KeepclearError, match="arm"):
        world.add_robot("arm", robot, [0.0])


def test_a_motion_that_ends_too_early_is_named(robot: Any) -> None:
    world = kc.World()
    world.add("wall", kc.Box([1, 1, 1]), np.eye(4))
    world.add_robot("arm", robot, kc.JointTrajectory(robot, [0, 1], [[1.0], [2.0]], hold="none"))
    assert world.verify(0.0, 1.0).verdict is kc.Verdict.CLEAR
    with pytest.raises(kc.TrajectoryError, match=r"hold.*none"):
        world.verify(0.0, 2.0)
    with pytest.raises(kc.TrajectoryError, match=r"hold.*none"):
        world.verify(-1.0, 1.0)


def test_interruptions_leave_a_report_with_open_pairs(world: Any) -> None:
    def stop(*_: Any) -> None:
        raise KeyboardInterrupt

    report = world.verify(tolerance=1e-4, progress=stop)
    assert report.interrupted
    assert report.verdict is kc.Verdict.UNDECIDED
    assert any(pair.verdict is kc.Verdict.UNDECIDED for pair in report.pairs)
