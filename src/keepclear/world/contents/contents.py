"""The contents of a world and its rules: named objects and robots, allowed pairs, margins."""

from __future__ import annotations

import math
import threading
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy.typing as npt

from keepclear.checks import FloatArray, checked_instant, checked_length, checked_window, shown
from keepclear.errors import ArgumentError, UnknownNameError
from keepclear.geometry.bodies.body import HERE
from keepclear.geometry.pose import checked_pose
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.geometry.trees.trees import Using, checked_using
from keepclear.motion.fixed import Fixed
from keepclear.motion.joints.program import JointTrajectory
from keepclear.motion.motion import Motion
from keepclear.names import close_name, counted, known_names, listed, nearest_first
from keepclear.query.track.group import Group
from keepclear.report.parts import Assumption
from keepclear.robot.model import Robot
from keepclear.scene.coverage import span_of
from keepclear.scene.items import (
    Item,
    OwnMesh,
    WorldObject,
    WorldRobot,
    items_of,
    links_of,
    make_object,
    make_part,
    make_robot,
    parts_of,
    shape_above,
)
from keepclear.scene.programs import checked_motion, checked_program
from keepclear.scene.rules import Allowed, Attachment, PathTolerance, Rules
from keepclear.scene.scene import Scene
from keepclear.scene.timeline import Timeline
from keepclear.world.contents.frame_loop import FrameLoop, checked_names, checked_update, ride_along
from keepclear.world.contents.memory import memory_of
from keepclear.world.contents.stream import StreamedMesh

if TYPE_CHECKING:
    from keepclear.geometry.shapes.shape import Shape
    from keepclear.geometry.spheres.tree import SphereTree

    Models = dict[tuple[Shape, float, float, int | None], SphereTree]

REMEMBERED = 100  # greatest number of names of removed objects that messages still recognize
SHOWN = 8  # names in the text of a world


class Present(NamedTuple):
    """A world at the moment of a query: later changes do not reach it."""

    scene: Scene
    owners: tuple[WorldObject | WorldRobot, ...]
    rules: Rules
    assumptions: tuple[Assumption, ...]
    warnings: tuple[str, ...]


class Contents:
    """Objects and robots by name, and the rules for their pairs; `World` asks questions about them."""

    def __init__(self, using: Using | None = None) -> None:
        self._using = using
        self._objects: dict[str, WorldObject | WorldRobot] = {}
        self._rules = Rules()
        self._assumptions: list[Assumption] = []
        self._warnings: list[str] = []
        self._timeline: Timeline | None = None
        self._scene: Scene | None = None
        self._loop = FrameLoop()
        self._models: Models = {}  # sphere models of shapes, built when a simulation first needs them
        self._removed: deque[str] = deque(maxlen=REMEMBERED)
        self._lock = threading.RLock()
        self._is_closed = False

    def add(self, name: str, shape: Any, motion: Motion | npt.ArrayLike | None = None) -> None:
        """Add an object.

        The tree of a mesh is built when its faces are first searched, in the thread that searches; a mesh whose pairs
        are decided by hulls never needs one. An object without a motion is ready for `submit` when this returns: its
        tree is built here. So is one that comes as a tree, and each one of a world with `using`.

        Args:
            name: Its name, unique in the world and without a slash.
            shape: A shape, a `trimesh.Trimesh`, a tree from `kc.build_obb_tree` or `kc.build_box_tree` (used as it
                is), vertices (n, 3) [m] and faces as a pair, or a list of (shape, pose in the object's frame) for an
                object of several parts, which are not checked against each other.
            motion: How it moves, `kc.Fixed`, `kc.PoseTrajectory` or a `kc.CustomMotion`, or its pose in the world
                (4, 4). Only `submit` works without it.

        Raises:
            ArgumentError: The name is taken or invalid, the shape is not a shape, or the world is closed.
            MeshError: The vertices and faces do not form a mesh.
            PoseError: The pose is not rigid.
        """
        self._check_is_new(name)
        if isinstance(shape, Group):
            raise ArgumentError(
                f"object {name!r}: worlds take no groups, which are for kc.Tracker; add each member as an object "
                "with its motion, or a list of (shape, pose in the object's frame) where members move as one."
            )
        moving = None if motion is None else checked_motion(name, motion)
        self._add(name, make_object(name, shape, moving, self._using))

    def add_robot(
        self,
        name: str,
        robot: Robot,
        motion: JointTrajectory | npt.ArrayLike | None = None,
        X_WB: npt.ArrayLike | None = None,
    ) -> None:
        """Add a robot; its links are called "name/link".

        Args:
            name: Its name.
            robot: From `kc.read_robot`. Pairs that it allows (`robot.allowed_pairs`) are not checked.
            motion: Its program, a `kc.JointTrajectory`, or the values (joints,) of a robot at rest; None: all zero, or
                the middle of the limits where these exclude 0.
            X_WB: Pose of its base in the world, (4, 4); None: at the origin.
        """
        self._check_is_new(name)
        base = HERE if X_WB is None else checked_pose(X_WB, "X_WB", scaled=False)
        self._add(name, make_robot(name, robot, checked_program(name, robot, motion), base, self._using))

    def move(self, name: str, motion: Motion | JointTrajectory | npt.ArrayLike) -> None:
        """Give an object another motion or pose, or a robot another program.

        Raises:
            UnknownNameError: There is no such object.
            ArgumentError: The motion does not suit the object.
        """
        with self._lock:
            found = self._find_any(name)
            if isinstance(found, WorldRobot):
                program = checked_program(name, found.robot, motion)
                self._settle()
                self._set_program(name, program)
            else:
                moving = checked_motion(name, motion)
                self._settle()
                self._set_motion(name, moving)
            self._loop.moved.add(name)
            self._changed()

    def update(self, names: str | Sequence[str], X: npt.ArrayLike | Sequence[npt.ArrayLike]) -> None:
        """Move many objects at once to their poses in this frame; `contacts` then reports the near pairs.

        Afterwards they rest there, as after `move(name, kc.Fixed(pose))`, and robots as after `move(name, q)`. Objects
        that a robot holds (`attach`) at the instant of the last `contacts`, 0 before the first, move with it. If an
        error is raised, nothing is moved.

        Args:
            names: Names of objects and robots, each once; or one name.
            X: Poses (n, 4, 4) in their order; a pose (4, 4) for one name. For a robot the values of its joints,
                (joints,) or by name. Objects and robots together: a list of poses and joint values.

        Raises:
            UnknownNameError: There is no such object.
            PoseError: A pose is not rigid, or not finite.
            ArgumentError: Names and poses do not match, or a name occurs twice.

        Examples:
            >>> import numpy as np
            >>> import keepclear as kc
            >>> world = kc.World()
            >>> world.add("left", kc.Sphere(0.1), np.eye(4))
            >>> world.add("right", kc.Sphere(0.1), np.eye(4))
            >>> X_W = np.tile(np.eye(4), (2, 1, 1))
            >>> X_W[1, 0, 3] = 0.22
            >>> world.update(["left", "right"], X_W)
            >>> near = world.contacts(far=0.05)
            >>> near.a.tolist(), near.b.tolist(), near.distance.round(6).tolist()
            (['left'], ['right'], [0.02])
        """
        with self._lock:
            self._check_is_open()
            if not self._loop.place_fast(names, X):
                listed_names = checked_names(names)
                owners = [self._find_any(name) for name in listed_names]
                objects, poses, programs = checked_update(owners, X, single=isinstance(names, str))
                if not self._loop.place(objects, poses, programs):
                    self._move_all(dict(zip(objects, poses, strict=True)), programs)
            self._timeline = self._scene = None

    def begin(
        self,
        name: str,
        motion: npt.ArrayLike | None = None,
        *,
        solid: bool | None = None,
        using: Using | None = None,
    ) -> StreamedMesh:
        """Begin an object whose vertices and faces come in chunks; it is added at the end of the `with` block.

        Args:
            name: Its name.
            motion: Its pose in the world, (4, 4).
            solid: As for `kc.Mesh`.
            using: "obb_tree" or "box_tree": the tree that is built at the end of the block and searched by every query;
                None: as set for the world.

        Examples:
            >>> import keepclear as kc
            >>> world = kc.World()
            >>> with world.begin("patch") as patch:
            ...     first = patch.vertices([[0, 0, 0], [1, 0, 0], [1, 1, 0]])
            ...     patch.faces([[first, first + 1, first + 2]])
            >>> world
            World(1 object: patch)
        """
        self._check_is_new(name)
        moving = None if motion is None else checked_motion(name, motion)
        kind = checked_using(using) or self._using

        def add(mesh: Mesh) -> None:
            self._check_is_new(name)
            part = make_part(mesh, HERE, searched=moving is None, using=kind)
            self._add(name, WorldObject(name, (part,), moving, OwnMesh(mesh)))

        return StreamedMesh(name, solid, add)

    def remove(self, name: str) -> None:
        """Remove an object and free everything that was built for it.

        Checks that were submitted before still finish with the object, and keep what they need until then. Rules that
        name the object go with it. If `only` selected nothing else, queries raise until it is called again.

        Raises:
            UnknownNameError: There is no such object.
        """
        with self._lock:
            self._find_any(name)
            self._settle()
            del self._objects[name]
            self._loop.moved.discard(name)
            self._removed.append(name)
            self._rules = self._rules.without(name)
            self._changed()

    def allow(
        self, a: str, b: str, *, t_from: float | None = None, t_to: float | None = None, reason: str = ""
    ) -> None:
        """Let two objects touch, always or during a window of time.

        Args:
            a: Name of an object, of a robot (all its links) or of a link, "robot/link". A link without a shape touches
                nothing; reports then say that the rule has no effect.
            b: Name of the other.
            t_from: Start of the window [s]; None: from the start. Begin before the contact: bodies closer than the
                tolerance may count as touching.
            t_to: End of the window [s]; None: until the end. Contact that continues after it is reported.
            reason: For the report.
        """
        window = checked_window(t_from, t_to, f"allow({a!r}, {b!r})")
        rule = Allowed(*self._checked_pair(a, b, any_link=True), window, reason)
        with self._lock:
            self._set_rules(allowed=[*self._rules.allowed, rule])

    def only(self, pairs: Iterable[str | tuple[str, str]]) -> None:
        """Check selected pairs only; a second call adds to the first.

        Args:
            pairs: Pairs of names; a single name selects all pairs of this object. A robot includes its tools, objects
                that are attached to it at all times.
        """
        found: list[tuple[str, str | None]] = []
        if not isinstance(pairs, Iterable):
            raise ArgumentError(f"only: expected pairs of names, or names, but got {shown(pairs)}.")
        for pair in [pairs] if isinstance(pairs, str) else pairs:
            if isinstance(pair, str):
                found.append((self._check_name(pair), None))
            elif isinstance(pair, tuple | list) and len(pair) == 2:
                found.append(self._checked_pair(*pair))
            else:
                raise ArgumentError(f"only: expected pairs of names, or names, but got {shown(pair)}.")
        if not found:
            raise ArgumentError(
                "only: no pair is selected, so that nothing would be checked; name at least one."
            )
        with self._lock:
            self._set_rules(only=[*(self._rules.only or []), *found])

    def set_margin(self, a: str, b: str | None, margin: float) -> None:
        """Set the margin that two objects must keep, or that an object must keep from all others (b=None) [m].

        For a robot, "all others" includes pairs of its own links. The margin of a pair overrides those of its objects,
        of which the larger one applies: `set_margin("arm", "arm", 0.0)` resets that of the links. Margins of a robot
        are those of its tools too, objects that are attached to it at all times, unless they are named themselves.
        """
        value = checked_length("margin", margin)
        with self._lock:
            if b is None:
                self._set_rules(margins=self._rules.margins | {self._check_name(a): value})
            else:
                pair = self._checked_pair(a, b)
                self._set_rules(pair_margins=[*self._rules.pair_margins, (*pair, value)])

    def set_path_tolerance(self, name: str, *, distance: float = 0.0, time: float = 0.0) -> None:
        """Set how closely a controller keeps an object or a robot on its path; margins grow by that.

        Args:
            name: The object, robot or link. The tolerance of a link applies to all that moves with it: links fixed to
                it, links after it, and objects that they hold.
            distance: How far it may be from the path [m].
            time: How early or late it may be on it [s]: the margin grows by this times the speed at that time. An
                object that a robot grasps or releases early or late is displaced by as much from then on.
        """
        found = PathTolerance(checked_length("distance", distance), checked_length("time", time, "seconds"))
        with self._lock:
            self._set_rules(
                tolerances=self._rules.tolerances | {self._check_name(name, any_link=True): found}
            )

    def attach(
        self,
        name: str,
        link: str,
        t_from: float | None = None,
        t_to: float | None = None,
        *,
        X_LA: npt.ArrayLike | None = None,
    ) -> None:
        """Attach an object to a link of a robot: a tool from the start on, or a part that the robot grasps.

        After its release the object stays at rest. A tool, which is attached from the start on, needs no other pose,
        and may touch its link, or the nearest link above it with shapes, while it is attached.

        Args:
            name: The object.
            link: The link, "robot/link"; it may be a frame without a shape, such as a tool centre point.
            t_from: When it is grasped [s]; None: it is attached from the start on, and X_LA is needed.
            t_to: When it is released [s]; None: never.
            X_LA: Its pose relative to the link, (4, 4); if it is elsewhere at `t_from`, it jumps there, and reports
                warn about it. None: the pose that it has at `t_from`.

        Raises:
            ArgumentError: Two attachments contradict each other, or a tool has no pose.
            PoseError: X_LA is not rigid.
            UnknownNameError: There is no such object or link.
        """
        what = f"attach({name!r}, {link!r})"
        if t_from is None and X_LA is None:
            raise ArgumentError(
                f"{what}: give X_LA, the pose of a tool relative to its link, or t_from, when it is grasped."
            )
        instant = None if t_from is None else checked_instant(f"{what}: t_from", t_from)
        start, end = checked_window(instant, t_to, what)
        X = None if X_LA is None else checked_pose(X_LA, f"{what}: X_LA", scaled=False)
        if isinstance(self._find_any(name), WorldRobot):
            raise ArgumentError(f"attach: {name!r} is a robot; objects are attached to links, not robots.")
        if "/" not in self._check_name(link, any_link=True):
            raise ArgumentError(
                f"attach: {link!r} is not a link; name the link of a robot that holds {name!r}: 'robot/link'."
            )
        with self._lock:
            attachments = [*self._rules.attachments, Attachment(name, link, start, end, X)]
            # This raises if two attachments contradict each other.
            items = [item for item in self._items() if item.name == name]
            Timeline(items, attachments, self._robots())
            self._set_rules(attachments=attachments)
            self._timeline = None
            if t_from is None:
                self._allow_mount(name, link, end)

    def _allow_mount(self, name: str, link: str, end: float) -> None:
        """Let a tool touch its link, or the nearest link above it with shapes."""
        beside = shape_above(self._objects[link.partition("/")[0]]).get(link, link)
        if beside:
            rule = Allowed(beside, name, (-math.inf, end), f"{name} is a tool on {link}")
            self._set_rules(allowed=[*self._rules.allowed, rule])

    def assume(self, kind: str, subject: str, text: str) -> None:
        """Add an assumption on which every verdict over this world depends, for its reports."""
        self._assumptions.append(Assumption(kind=kind, subject=subject, text=text))

    def warn(self, text: str) -> None:
        """Add a warning for the reports of this world."""
        self._warnings.append(text)

    @property
    def span(self) -> tuple[float, float]:
        """When the first motion begins and the last one ends [s]; 0 and 0 if nothing moves."""
        with self._lock:
            self._settle()
            return span_of(self._objects.values())

    @property
    def nbytes(self) -> int:
        """Memory of the shapes and of the trees that were built for them so far [bytes], each array counted once."""
        with self._lock:
            owners = list(self._objects.values())
            models = list(self._models.values())
        bodies = memory_of(part.body for owner in owners for part in parts_of(owner))
        return bodies + sum(tree.nbytes for tree in models)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all objects, in the order in which they were added."""
        return tuple(self._objects)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self._objects

    def __len__(self) -> int:
        return len(self._objects)

    def __bool__(self) -> bool:
        return True  # an empty world is a world

    def _add(self, name: str, made: WorldObject | WorldRobot) -> None:
        with self._lock:
            self._check_is_new(name)
            self._settle()
            self._objects[name] = made
            self._changed()

    def _check_is_open(self) -> None:
        if self._is_closed:
            raise ArgumentError("this World is closed; make a new one with kc.World().")

    def _check_is_new(self, name: str) -> None:
        self._check_is_open()
        if not isinstance(name, str) or not name:
            raise ArgumentError(f"the name of an object must be a non-empty string, but it is {shown(name)}.")
        if "/" in name:
            raise ArgumentError(
                f"the name of an object has no slash, which is for links, but it is {name!r}."
            )
        if name in self._objects:
            raise ArgumentError(
                f"this World already has an object {name!r}; remove it first, or choose another name."
            )

    def _find(self, name: str) -> WorldObject:
        """Return the object of that name, or raise an error with suggestions; a robot raises, too."""
        found = self._find_any(name)
        if isinstance(found, WorldRobot):
            raise ArgumentError(
                f"{name!r} is a robot; `submit` checks objects. Use world.collisions(t) for its links."
            )
        return found

    def _find_any(self, name: str) -> WorldObject | WorldRobot:
        """Return the object or robot of that name, or raise an error with suggestions."""
        self._check_is_open()
        if not isinstance(name, str):
            raise ArgumentError(
                f"an object is given by its name, a string such as 'table', but got {shown(name)}."
            )
        found = self._objects.get(name)
        if found is not None:
            return found
        gone = " (it was removed)" if name in self._removed else ""
        raise UnknownNameError(
            f"this World has no object {name!r}{gone}{known_names(name, self.names, 'object')}"
        )

    def _checked_pair(self, a: object, b: object, *, any_link: bool = False) -> tuple[str, str]:
        pair = self._check_name(a, any_link=any_link), self._check_name(b, any_link=any_link)
        if pair[0] == pair[1] and not isinstance(self._objects.get(pair[0]), WorldRobot):
            raise ArgumentError(f"a pair needs two names, but got {pair[0]!r} twice.")
        return pair

    def _check_name(self, name: object, *, any_link: bool = False) -> str:
        """Return a name that a rule may use: of an object, a robot, or a link of a robot.

        Args:
            name: The name as given by the user.
            any_link: Whether the link may be without a shape.
        """
        if isinstance(name, str) and "/" in name:
            owner = self._find_any(name.partition("/")[0])
            shaped, links = [item.name for item in items_of(owner)], links_of(owner)
            if name not in (links if any_link else shaped):
                raise _no_link(name, shaped, links)
            return name
        self._find_any(name)  # type: ignore[arg-type]
        assert isinstance(name, str)
        return name

    def _present_timeline(self) -> Timeline:
        """Return all items with their parent frames; they are rebuilt after a change."""
        with self._lock:
            self._check_is_open()
            if self._timeline is None:
                self._timeline = Timeline(self._items(), self._rules.attachments, self._robots())
            return self._timeline

    def _present_scene(self) -> Scene:
        """Return the tables of this world; they are rebuilt after a change."""
        with self._lock:
            self._check_is_open()
            if self._scene is None:
                self._refuse_no_selection()
                self._scene = Scene(self._present_timeline(), self._rules)
            return self._scene

    def _refuse_no_selection(self) -> None:
        """Raise if everything that `only` selected is gone: nothing would be checked, and all would be clear."""
        if self._rules.only is not None and not self._rules.only:
            raise ArgumentError(
                "the objects whose pairs `only` selected were removed, so that nothing would be checked; select pairs "
                "again with world.only([...])."
            )

    def _present(self) -> Present:
        """Return the tables of this world with what reports say about it, all of one moment."""
        with self._lock:
            return Present(
                self._present_scene(),
                tuple(self._objects.values()),
                self._rules,
                tuple(self._assumptions),
                tuple(self._warnings),
            )

    def _fork(self) -> Self:
        """Return an independent world with the same objects, rules and last frame, which never change."""
        with self._lock:
            self._check_is_open()
            self._settle()
            again = object.__new__(type(self))
            vars(again).update(vars(self))
            again._objects, again._models = dict(self._objects), dict(self._models)
            again._assumptions, again._warnings = list(self._assumptions), list(self._warnings)
            again._removed, again._loop = self._removed.copy(), self._loop.copy()
            again._lock = threading.RLock()
            return again

    def _items(self) -> list[Item]:
        """Return all objects and links sorted by name, so that results do not depend on the order of `add` calls."""
        self._settle()
        items = [item for owner in self._objects.values() for item in items_of(owner)]
        return sorted(items, key=lambda item: item.name)

    def _robots(self) -> dict[str, WorldRobot]:
        self._settle()
        return {name: found for name, found in self._objects.items() if isinstance(found, WorldRobot)}

    def _set_rules(self, **changes: Any) -> None:
        """Replace the rules; scenes compiled before keep the earlier rules."""
        with self._lock:
            self._settle()
            self._rules, self._scene = replace(self._rules, **changes), None
            self._loop.drop()

    def _move_all(self, poses: dict[str, FloatArray], programs: dict[str, JointTrajectory]) -> None:
        """Move objects and robots, and the objects that these hold, without a usable frame table."""
        self._settle()
        held = {}
        if programs and self._rules.attachments:
            held = ride_along(self._present_timeline(), self._loop.t, programs)
        for name, program in programs.items():
            self._set_program(name, program)
        for name, pose in (held | poses).items():
            self._set_motion(name, Fixed(pose))
        self._loop.moved.update(poses, held, programs)
        self._loop.drop()

    def _set_motion(self, name: str, motion: Motion) -> None:
        found = self._objects[name]
        assert isinstance(found, WorldObject)
        self._objects[name] = replace(found, motion=motion)

    def _set_program(self, name: str, program: JointTrajectory) -> None:
        found = self._objects[name]
        assert isinstance(found, WorldRobot)
        self._objects[name] = replace(found, program=program)

    def _settle(self) -> None:
        """Store updated poses as motions, which all methods except `update` and `contacts` need."""
        with self._lock:
            self._loop.settle(self._set_motion, self._set_program)

    def _changed(self) -> None:
        """Discard the compiled scene."""
        self._timeline = self._scene = None
        self._loop.drop()


def _no_link(name: str, shaped: list[str], links: list[str]) -> UnknownNameError:
    """Return the error for a link that does not exist, or that has no shape where one is needed."""
    if name in links:
        return UnknownNameError(
            f"the link {name!r} has no shape, so there is nothing to check; name one that has: "
            f"{listed(nearest_first(name, shaped), 'or')}."
        )
    return UnknownNameError(
        f"this World has no link {name!r}{close_name(name, links)} "
        f"{name.partition('/')[0]!r} has {listed(nearest_first(name, links)) or 'no links'}."
    )


def summary(names: tuple[str, ...]) -> str:
    """Return the number of objects and the names of the first ones."""
    if not names:
        return "no objects"
    more = ", ..." if len(names) > SHOWN else ""
    return f"{counted(len(names), 'object')}: {', '.join(names[:SHOWN])}{more}"
