"""Kinds that are not in the table are refused at every public door: an unknown kind has no safe default."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import pytest

import keepclear as kc
from keepclear import kinds
from keepclear.checks import FloatArray
from keepclear.geometry.shapes.shape import Shape
from keepclear.geometry.shapes.table import SHAPE_TABLE
from keepclear.motion.joints.kinematics import Kinematics
from keepclear.motion.motion import MOTION_TABLE
from keepclear.motion.packed_chain import Chain, pack_chain
from keepclear.report.pages.display import build_display_mesh

HERE = np.eye(4)
GROUPS = (
    kinds.SHAPES,
    kinds.TREES,
    kinds.SPHERE_TREES,
    kinds.PREPARED,
    kinds.MOTIONS,
    kinds.PROGRAMS,
    kinds.ROBOTS,
    kinds.CROWD_MOTIONS,
)
LEVER = """<robot name="lever"><link name="base"/>
<link name="arm"><collision><geometry><box size="1 0.1 0.1"/></geometry></collision></link>
<joint name="turn" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/></joint></robot>"""


class UserBall(Shape):
    """A ball of a user's class: it once had a bounding ball of radius 0, and counted as a capsule elsewhere."""

    __slots__ = ("radius",)

    def __init__(self, radius: float) -> None:
        self._fill(radius=radius)

    def _content(self) -> tuple[object, ...]:
        return (self.radius,)

    def _arguments(self) -> tuple[object, ...]:
        return (self.radius,)

    @property
    def bounds(self) -> tuple[FloatArray, FloatArray]:
        return np.full(3, -self.radius), np.full(3, self.radius)

    def scaled(self, factor: float) -> Self:
        return type(self)(self.radius * factor)

    def __repr__(self) -> str:
        return f"UserBall({self.radius})"


class WideSphere(kc.Sphere):
    """A sphere whose own bounds kernels never ask for."""

    @property
    def bounds(self) -> tuple[FloatArray, FloatArray]:
        return np.full(3, -9.0), np.full(3, 9.0)


class RidgedMesh(kc.Mesh):
    """A mesh of a user's class."""


class Lookalike:
    """Passes `isinstance(_, Shape)` and `isinstance(_, Motion)` without being either."""

    radius = 1.0


class UserMotion(kc.Motion):
    """A ball that crosses a wall, packed like a trajectory: it once counted as resting in `World.verify`."""

    def __init__(self) -> None:
        self._fill(_packed=crossing()._packed)

    t_start: ClassVar[float] = 0.0  # type: ignore[misc]
    t_end: ClassVar[float] = 1.0  # type: ignore[misc]
    hold: ClassVar[str] = "both"  # type: ignore[misc]
    _label: ClassVar[str] = "UserMotion"  # type: ignore[misc]


class SlowTrajectory(kc.PoseTrajectory):
    """A trajectory whose own poses kernels never ask for."""

    def pose(self, t: Any) -> FloatArray:
        return super().pose(np.asarray(t) / 2.0)


class UserRobot(kc.Robot):
    """A robot whose own poses nobody asks for."""

    __slots__ = ()


class UserProgram(kc.JointTrajectory):
    """A program whose own values nobody asks for."""

    __slots__ = ()


class Drifting(kc.Ballistic):
    """A motion of a crowd that packs itself as another one."""


class PackedProbe:
    """A probe of a user with a method that is called like one of ours."""

    def __call__(self, ids: Any, t: float) -> tuple[FloatArray, FloatArray]:
        return np.tile([3.0 * t, 0.0, 0.0], (len(ids), 1)), np.tile([3.0, 0.0, 0.0], (len(ids), 1))

    def pack(self) -> str:
        return "a parcel"


def crossing() -> kc.PoseTrajectory:
    X_W = np.tile(HERE, (2, 1, 1))
    X_W[:, 0, 3] = -1.0, 1.0
    return kc.PoseTrajectory([0.0, 1.0], X_W, "linear")


def lookalike(base: Any) -> Any:
    kind = type("Lookalike", (Lookalike,), {})
    base.register(kind)
    return kind()


def shapes() -> list[Any]:
    corners = [[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]
    return [UserBall(0.5), WideSphere(0.5), RidgedMesh(corners, faces), lookalike(Shape)]


def motions() -> list[Any]:
    X_W = np.tile(HERE, (2, 1, 1))
    return [UserMotion(), SlowTrajectory([0.0, 1.0], X_W, "linear"), lookalike(kc.Motion)]


@pytest.fixture(scope="module")
def lever(tmp_path_factory: pytest.TempPathFactory) -> kc.Robot:
    file = tmp_path_factory.mktemp("kinds") / "lever.urdf"
    file.write_text(LEVER)
    return kc.read_robot(file)


BALL = kc.Sphere(0.1)
SHAPE_DOORS: dict[str, Callable[[Any], object]] = {
    "distance a": lambda s: kc.distance(s, HERE, BALL, HERE),
    "distance b": lambda s: kc.distance(BALL, HERE, s, HERE),
    "distance of poses": lambda s: kc.distance(BALL, HERE[None], s, HERE),
    "collide": lambda s: kc.collide(s, HERE, BALL, HERE),
    "collide all": lambda s: kc.collide(s, HERE, kc.Box([1, 1, 1]), HERE, find="all"),
    "Tracker": lambda s: kc.Tracker(BALL, s),
    "first_contact": lambda s: kc.first_contact(s, crossing(), BALL, HERE),
    "first_contact bisection": lambda s: kc.first_contact(s, crossing(), BALL, HERE, method="bisection"),
    "first_contact exact": lambda s: kc.first_contact(BALL, crossing(), s, HERE, method="exact"),
    "first_contact sampling": lambda s: kc.first_contact(s, crossing(), BALL, HERE, method="sampling"),
    "batch": lambda s: kc.first_contact_batch([(s, crossing(), BALL, kc.Fixed(HERE))]),
    "clearance": lambda s: kc.clearance(BALL, HERE, s, crossing()),
    "World.add": lambda s: kc.World().add("ball", s, HERE),
    "World.add of parts": lambda s: kc.World().add("ball", [(BALL, HERE), (s, HERE)], HERE),
    "build_obb_tree": kc.build_obb_tree,
    "build_box_tree": kc.build_box_tree,
    "build_sphere_tree": lambda s: kc.build_sphere_tree(s, 0.1),
    "path_length": lambda s: crossing().path_length(s, 0.0, 1.0),
    "displacement": lambda s: crossing().displacement(s, 0.0, 1.0),
    "cubic": lambda s: crossing().cubic(0.0, 1.0, s),
    "deviation": lambda s: crossing().deviation(s),
    "Crowd.attach": lambda s: _crowd().attach(0, s),
    "display": build_display_mesh,
}
MOTION_DOORS: dict[str, Callable[[Any], object]] = {
    "first_contact a": lambda m: kc.first_contact(BALL, m, BALL, HERE),
    "first_contact b": lambda m: kc.first_contact(BALL, HERE, BALL, m),
    "first_contact bisection": lambda m: kc.first_contact(BALL, m, BALL, HERE, method="bisection"),
    "batch": lambda m: kc.first_contact_batch([(BALL, m, BALL, kc.Fixed(HERE))]),
    "clearance": lambda m: kc.clearance(BALL, HERE, BALL, m),
    "World.add": lambda m: kc.World().add("ball", BALL, m),
    "World.begin": lambda m: kc.World().begin("ball", m),
    "World.move": lambda m: _world().move("ball", m),
}


def _crowd() -> kc.Crowd:
    return kc.Crowd([[0.0, 0, 0]], None, 9.0, 1.0, motion=kc.Ballistic(), response="report")


def _world() -> kc.World:
    world = kc.World()
    world.add("ball", BALL, HERE)
    return world


@pytest.mark.parametrize("door", SHAPE_DOORS)
@pytest.mark.parametrize("number", range(4), ids=["own", "derived", "derived mesh", "virtual"])
def test_shapes_of_unknown_classes_are_refused(door: str, number: int) -> None:
    shape = shapes()[number]
    with pytest.raises(kc.ArgumentError, match=rf"{type(shape).__name__}.*(kc\.Mesh|itself)"):
        SHAPE_DOORS[door](shape)


@pytest.mark.parametrize("door", MOTION_DOORS)
@pytest.mark.parametrize("number", range(3), ids=["own", "derived", "virtual"])
def test_motions_of_unknown_classes_are_refused(door: str, number: int) -> None:
    motion = motions()[number]
    message = rf"{type(motion).__name__}.*derive a class from kc\.CustomMotion, or sample"
    with pytest.raises(kc.ArgumentError, match=message):
        MOTION_DOORS[door](motion)


def test_a_motion_of_a_users_class_is_not_taken_for_rest() -> None:
    """It was CLEAR in a world while `first_contact` said COLLIDING."""
    world = kc.World()
    world.add("wall", kc.Box([0.1, 2, 2]), HERE)
    world.add("ball", BALL, crossing())
    assert world.verify().verdict is kc.Verdict.COLLIDING
    with pytest.raises(kc.ArgumentError, match="object 'ball': motion is of class 'UserMotion'"):
        world.move("ball", UserMotion())
    assert world.verify().verdict is kc.Verdict.COLLIDING


def test_the_message_says_what_would_be_ignored() -> None:
    with pytest.raises(kc.ArgumentError) as caught:
        kc.distance(WideSphere(0.5), HERE, BALL, HERE)
    assert "'WideSphere', derived from Sphere; what a derived class changes would be ignored" in str(
        caught.value
    )


def test_links_take_shapes_of_known_classes_only(lever: kc.Robot) -> None:
    motion = kc.JointTrajectory(lever, [0, 1], [[0.0], [1.0]]).link("arm")
    for shape in shapes():
        for given in (shape, [shape], [(shape, HERE)]):
            with pytest.raises(kc.ArgumentError, match=type(shape).__name__):
                lever.attach("tool", given, "arm")
        with pytest.raises(kc.ArgumentError, match=type(shape).__name__):
            motion.path_length(shape, 0.0, 1.0)
        with pytest.raises(kc.ArgumentError, match=type(shape).__name__):
            motion.displacement(shape, 0.0, 1.0)


def test_robots_and_programs_of_unknown_classes_are_refused(lever: kc.Robot) -> None:
    values = {f.name: getattr(lever, f.name) for f in dataclasses.fields(lever) if f.init}
    robot, program = UserRobot(**values), UserProgram(lever, [0, 1], [[0.0], [1.0]])
    with pytest.raises(kc.ArgumentError, match="'UserRobot', derived from Robot"):
        kc.World().add_robot("arm", robot)
    with pytest.raises(kc.ArgumentError, match="'UserRobot', derived from Robot"):
        kc.JointTrajectory(robot, [0, 1], [[0.0], [1.0]])
    with pytest.raises(kc.ArgumentError, match="'UserProgram', derived from JointTrajectory"):
        kc.World().add_robot("arm", lever, program)
    with pytest.raises(kc.ArgumentError, match=r"from kc\.read_robot, but it is"):
        kc.JointTrajectory(lever.kinematics, [0, 1], [[0.0], [1.0]])  # type: ignore[arg-type]


def test_joints_of_unknown_kinds_are_refused(lever: kc.Robot) -> None:
    """Kernels would take any other number for a prismatic joint."""
    kinematics = dataclasses.replace(lever.kinematics, kind=np.array([0, 7]))
    with pytest.raises(kc.RobotError, match="joint above link 'arm' is of kind 7"):
        dataclasses.replace(lever, kinematics=kinematics)
    chain = Chain(np.tile(HERE, (2, 1, 1)), np.array([5]), np.ones((1, 1, 4)))
    with pytest.raises(kc.ArgumentError, match="kind 5"):
        pack_chain(np.array([0.0, 1.0]), chain)
    assert isinstance(lever.kinematics, Kinematics)


def test_crowds_take_motions_of_known_classes_only() -> None:
    with pytest.raises(kc.ArgumentError, match="'Drifting', derived from Ballistic"):
        kc.Crowd([[0.0, 0, 0]], None, 0.1, 0.0, motion=Drifting())


def test_a_probe_with_a_method_pack_is_a_probe() -> None:
    crowd = kc.Crowd(
        [[0.0, 0, 0], [3.0, 0, 0]], [[3.0, 0, 0]] * 2, 0.1, 0.0, motion=PackedProbe(), response="report"
    )
    assert len(crowd) == 2


def test_a_crowd_takes_no_number_for_a_shape() -> None:
    crowd = _crowd()
    with pytest.raises(kc.ArgumentError, match="expected a shape"):
        crowd.attach(0, 0.5)


def test_a_crowd_takes_a_tree_for_a_shape() -> None:
    """The documentation of `Attachment` said so, and the door refused it."""
    corners, faces = (
        [[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
        [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]],
    )
    crowd = _crowd()
    crowd.attach(0, kc.build_obb_tree(kc.Mesh(corners, faces)))
    assert list(crowd.attached) == [0]


def test_tables_have_an_entry_for_each_kind() -> None:
    assert [cls.__name__ for cls, _ in SHAPE_TABLE] == list(kinds.SHAPES.names)
    assert {cls.__name__ for cls, _ in MOTION_TABLE} == {
        *kinds.MOTIONS.names,
        "CheckedMotion",
        "ShiftedMotion",
    }
    for group in (*GROUPS[:3], kinds.PROGRAMS, kinds.ROBOTS, kinds.CROWD_MOTIONS):
        assert all(name in kc.__all__ for name in group.names)


def test_only_names_of_the_table_register() -> None:
    with pytest.raises(TypeError, match="not a shape of the table"):
        kinds.SHAPES.register(UserBall)
    with pytest.raises(TypeError, match="already"):
        SHAPE_TABLE.add(type("Sphere", (), {}), SHAPE_TABLE[BALL])


def test_every_class_of_the_table_registers_itself() -> None:
    """A class that is listed, but forgets to register, would be refused at every door."""
    package = Path(kc.__file__).parent
    registered = {
        node.name
        for file in package.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.ClassDef)
        and any(isinstance(d, ast.Attribute) and d.attr == "register" for d in node.decorator_list)
    }
    assert registered == {
        name for group in GROUPS if group not in (kinds.SHAPES, kinds.MOTIONS) for name in group.names
    }
