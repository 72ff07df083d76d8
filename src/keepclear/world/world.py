"""A world of named objects whose pairs are checked in the background."""

from __future__ import annotations

import math
import os
import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from types import TracebackType
from typing import Any, Literal, Self

import numpy.typing as npt

from keepclear.continuous.results import FirstContact
from keepclear.errors import ArgumentError, UnknownNameError
from keepclear.motions.motion import Motion
from keepclear.proximity.batch import checked_threads
from keepclear.report.report import Assumption, Report
from keepclear.robot.joint_trajectory import JointTrajectory
from keepclear.robot.model import Robot
from keepclear.shapes.arguments import FloatArray, close_name, shown
from keepclear.shapes.mesh import Mesh
from keepclear.shapes.mesh_check import counted
from keepclear.world.arguments import (
    check_covered,
    checked_instant,
    checked_interval,
    checked_length,
    checked_motion,
    checked_program,
    checked_task,
    checked_window,
    span_of,
)
from keepclear.world.assumptions import assumptions_of, warnings_of
from keepclear.world.device import Check, Search
from keepclear.world.instant import PairDistance, colliding_pairs, distances_at
from keepclear.world.items import (
    HERE,
    Item,
    WorldObject,
    WorldRobot,
    items_of,
    make_object,
    make_part,
    make_robot,
)
from keepclear.world.rules import Allowed, Attachment, PathTolerance, Rules
from keepclear.world.search import Find, Using, checked_pose, checked_request, new_search
from keepclear.world.single import contact_of_pair
from keepclear.world.stream import StreamedMesh
from keepclear.world.threads import Progress
from keepclear.world.timeline import Timeline
from keepclear.world.verify import Verification
from keepclear.world.workers import Workers

__all__ = ["World"]

REMEMBERED = 100  # names of removed objects that messages still recognize
LISTED = 8  # names in a message


class World:
    """Objects with names, and checks of their pairs that run while you do something else.

    Args:
        threads: How many threads may work on checks; None means one for each processor. They start when they are
            first needed, and end with `close`, with the world, or with the interpreter. Answers do not depend on it.

    Example:
        >>> import numpy as np
        >>> import keepclear as kc
        >>> vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
        >>> faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]
        >>> X_AB = np.eye(4)
        >>> X_AB[0, 3] = 0.25
        >>> with kc.World() as world:
        ...     world.add("left", kc.Mesh(vertices, faces))
        ...     world.add("right", (vertices, faces))
        ...     check = world.submit("left", "right", X_AB, find="all")
        ...     # here is time for something else
        ...     check.result().colliding
        True
    """

    def __init__(self, *, threads: int | None = None) -> None:
        self._n_threads = _n_processors() if threads is None else checked_threads(threads)
        self._objects: dict[str, WorldObject | WorldRobot] = {}
        self._rules = Rules()
        self._assumptions: list[Assumption] = []
        self._warnings: list[str] = []
        self._timeline: Timeline | None = None
        self._removed: deque[str] = deque(maxlen=REMEMBERED)
        self._lock = threading.RLock()
        self._workers: Workers | None = None
        self._is_closed = False

    def add(self, name: str, shape: Any, motion: Motion | npt.ArrayLike | None = None) -> None:
        """Add an object and build what its checks need; when this returns, it is ready.

        Args:
            name: What it will be called; each object has a name of its own, without a slash.
            shape: A shape, a `trimesh.Trimesh`, a tree from `kc.build_obb_tree` or `kc.build_box_tree` (used as it
                is), vertices (n, 3) [m] and faces as a pair, or a list of (shape, pose in the object's frame) for an
                object of several parts, which are not checked against each other.
            motion: How it moves, `kc.Fixed` or `kc.PoseTrajectory`, or its pose in the world (4, 4). `submit` does not
                ask for it; everything else does.

        Raises:
            ArgumentError: The name is taken or is no name, the shape is none, or the world is closed.
            MeshError: The vertices and faces make no mesh.
            PoseError: The pose is not rigid.
        """
        self._check_is_new(name)
        moving = None if motion is None else checked_motion(name, motion)
        self._add(name, make_object(name, shape, moving))

    def add_robot(
        self,
        name: str,
        robot: Robot,
        motion: JointTrajectory | npt.ArrayLike | None = None,
        X_WB: npt.ArrayLike | None = None,
    ) -> None:
        """Add a robot; its links are called "name/link".

        Args:
            name: What it will be called.
            robot: From `kc.read_robot`. Pairs that it allows (`robot.allowed_pairs`) are not judged.
            motion: Its program, a `kc.JointTrajectory`, or the values (joints,) of a robot at rest; None: all zero, or
                the middle of the limits where they leave out 0.
            X_WB: Where its base stands, (4, 4); None: at the origin.
        """
        self._check_is_new(name)
        base = HERE if X_WB is None else checked_pose(X_WB, "X_WB", scaled=False)
        self._add(name, make_robot(name, robot, checked_program(name, robot, motion), base))

    def move(self, name: str, motion: Motion | JointTrajectory | npt.ArrayLike) -> None:
        """Give an object another motion or pose, or a robot another program.

        Raises:
            UnknownNameError: There is no such object.
            ArgumentError: The motion is none for it.
        """
        with self._lock:
            found = self._find_any(name)
            if isinstance(found, WorldRobot):
                program = checked_program(name, found.robot, motion)
                self._objects[name] = replace(found, program=program)
            else:
                found.motion = checked_motion(name, motion)
            self._rules_changed()

    def begin(
        self, name: str, motion: npt.ArrayLike | None = None, *, solid: bool | None = None
    ) -> StreamedMesh:
        """Begin an object whose vertices and faces come in portions; at the end of the `with` block it is added.

        Args:
            name: What it will be called.
            motion: Its pose in the world, (4, 4).
            solid: As for `kc.Mesh`.

        Example:
            >>> world = World()
            >>> with world.begin("patch") as patch:
            ...     first = patch.vertices([[0, 0, 0], [1, 0, 0], [1, 1, 0]])
            ...     patch.faces([[first, first + 1, first + 2]])
            >>> world
            World(1 object: patch)
        """
        self._check_is_new(name)
        moving = None if motion is None else checked_motion(name, motion)

        def add(mesh: Mesh) -> None:
            self._check_is_new(name)
            self._add(name, WorldObject(name, (make_part(mesh, HERE),), moving, is_ours=True))

        return StreamedMesh(name, solid, add)

    def remove(self, name: str) -> None:
        """Remove an object and let go of everything that was built for it.

        Checks that were submitted before end as if it were still there, and keep what they need until then.

        Raises:
            UnknownNameError: There is no such object.
        """
        with self._lock:
            self._find_any(name)
            del self._objects[name]
            self._removed.append(name)
            self._rules.forget(name)
            self._rules_changed()

    def submit(
        self,
        a: str,
        b: str,
        X_AB: npt.ArrayLike,
        find: Find = "any",
        *,
        using: Using | None = None,
    ) -> Check:
        """Begin to check two objects, and return at once.

        Args:
            a: Name of the first object.
            b: Name of the second; it may be the same.
            X_AB: Pose of B in the frame of A, (4, 4), rigid or with a uniform scale. Points of the answer
                (`segments_W`) are in the frame of A.
            find: "any" stops at the first pair of faces that meet, "all" finds all of them.
            using: Which trees to search, as in `kc.collide`; None chooses.

        Returns:
            A `Check`: a `concurrent.futures.Future` for a `Collision` that also iterates over pairs of faces while
            they are found. Any number of them may be in flight, and they end in any order: one that takes long lets
            others pass.

        Raises:
            UnknownNameError: There is no such object, or no longer.
            PoseError: X_AB is no pose.
            ArgumentError: An option is unknown, or the world is closed.
        """
        self._check_is_open()
        one, other = self._find(a), self._find(b)
        pose = checked_request(one.body, other.body, X_AB, find, using)
        check = Check(a, b, find, partial(_begin, one, other, pose, find, using))
        with self._lock:
            self._check_is_open()
            self._present_workers().submit(check)
        return check

    def allow(
        self, a: str, b: str, *, t_from: float | None = None, t_to: float | None = None, reason: str = ""
    ) -> None:
        """Let two objects touch, always or during a window of time.

        Args:
            a: Name of an object, of a robot (all its links) or of a link, "robot/link".
            b: Name of the other.
            t_from: From when on they may touch [s]; None: from the start.
            t_to: Until when [s]; None: until the end.
            reason: For the report.
        """
        window = checked_window(t_from, t_to, f"allow({a!r}, {b!r})")
        self._rules.allowed.append(Allowed(*self._checked_pair(a, b), window, reason))

    def only(self, pairs: Iterable[str | tuple[str, str]]) -> None:
        """Judge designated pairs only; a second call adds to the first.

        Args:
            pairs: Pairs of names, or single names: then all pairs that the object takes part in.
        """
        found: list[tuple[str, str | None]] = []
        for pair in [pairs] if isinstance(pairs, str) else pairs:
            if isinstance(pair, str):
                found.append((self._check_name(pair), None))
            elif isinstance(pair, tuple | list) and len(pair) == 2:
                found.append(self._checked_pair(*pair))
            else:
                raise ArgumentError(f"only: expected pairs of names, or names, but got {shown(pair)}.")
        self._rules.only = (self._rules.only or []) + found

    def set_margin(self, a: str, b: str | None, margin: float) -> None:
        """Set how far two objects must keep, or how far an object must keep from all others (b=None) [m].

        A margin of a pair counts before those of objects, of which the larger one counts.
        """
        value = checked_length("margin", margin)
        if b is None:
            self._rules.margins[self._check_name(a)] = value
        else:
            self._rules.pair_margins.append((*self._checked_pair(a, b), value))

    def set_path_tolerance(self, name: str, *, distance: float = 0.0, time: float = 0.0) -> None:
        """Say how well a controller keeps an object or a robot on its path; margins grow by that.

        Args:
            name: The object, robot or link.
            distance: How far it may be from the path [m].
            time: How early or late it may be on it [s]: the margin grows by this times the speed at that time.
        """
        found = PathTolerance(checked_length("distance", distance), checked_length("time", time, "seconds"))
        self._rules.tolerances[self._check_name(name)] = found

    def attach(self, name: str, link: str, t_from: float, t_to: float | None = None) -> None:
        """Let an object ride with a link of a robot from an instant on, and stay where it is let go.

        Args:
            name: The object; where it is at `t_from` is where the link holds it.
            link: The link, "robot/link".
            t_from: When it is taken [s].
            t_to: When it is let go [s]; None: never.
        """
        what = f"attach({name!r}, {link!r})"
        start, end = checked_window(checked_instant(f"{what}: t_from", t_from), t_to, what)
        if isinstance(self._find_any(name), WorldRobot):
            raise ArgumentError(f"attach: {name!r} is a robot; objects are attached to links, not robots.")
        if "/" not in self._check_name(link):
            raise ArgumentError(
                f"attach: {link!r} is no link; say which link of a robot takes {name!r}: 'robot/link'."
            )
        with self._lock:
            attachments = [*self._rules.attachments, Attachment(name, link, start, end)]
            # This raises where two attachments contradict each other.
            self._timeline = Timeline(self._items(), attachments)
            self._rules.attachments = attachments

    def assume(self, kind: str, subject: str, text: str) -> None:
        """Add something that every verdict over this world depends on, for its reports."""
        self._assumptions.append(Assumption(kind=kind, subject=subject, text=text))

    def warn(self, text: str) -> None:
        """Add something that a user should look at, for its reports."""
        self._warnings.append(text)

    @property
    def span(self) -> tuple[float, float]:
        """When the first motion begins and the last one ends [s]; 0 and 0 if nothing moves."""
        return span_of(self._objects.values())

    def collisions(self, t: float = 0.0, *, at_rest: bool = True) -> tuple[tuple[str, str], ...]:
        """Return the pairs that are in contact at an instant, or within their margin, as (name, name).

        Pairs that are allowed to touch then, or not designated, are left out.

        Args:
            t: The instant [s].
            at_rest: Whether to look at pairs that never move relative to each other too, which `verify` does not judge.
        """
        rules = self._rules
        return colliding_pairs(self._present_timeline(), rules, checked_instant("t", t), self._still(at_rest))

    def distances(
        self, t: float = 0.0, *, far: float = math.inf, at_rest: bool = True
    ) -> tuple[PairDistance, ...]:
        """Return the distances of all pairs that are judged at an instant, closest first.

        Args:
            t: The instant [s].
            far: Pairs that are farther apart are left out [m].
            at_rest: Whether to look at pairs that never move relative to each other too, which `verify` does not judge.

        Returns:
            A `PairDistance` each: a, b, distance, lower (certified), p_WA, p_WB, normal_W; 0 in contact.
        """
        limit = math.inf if far == math.inf else checked_length("far", far)
        instant, still = checked_instant("t", t), self._still(at_rest)
        return distances_at(self._present_timeline(), self._rules, instant, limit, still)

    def first_contact(
        self,
        a: str,
        b: str,
        tolerance: float = 1e-4,
        margin: float | None = None,
        *,
        t0: float | None = None,
        t1: float | None = None,
        budget: int | None = None,
    ) -> FirstContact:
        """Return whether and when two objects or links first come within a margin of each other.

        Allowed pairs and windows are not looked at: the question is about this pair, at all times.

        Args:
            a: Name of an object, or of a link, "robot/link".
            b: The other one.
            tolerance: What a decision may be off by [m].
            margin: Distance that counts as contact [m]; None: the margin that was set for the pair.
            t0: Start of the interval [s]; None: where the first motion of the world begins.
            t1: Its end [s]; None: where the last one ends.
            budget: Largest number of distances, or None.
        """
        names = self._checked_pair(a, b)
        distance = self._rules.margin(*names) if margin is None else checked_length("margin", margin)
        start, end = checked_interval(self.span, t0, t1)
        return contact_of_pair(self._present_timeline(), names, (start, end), tolerance, distance, budget)

    def verify(
        self,
        t0: float | None = None,
        t1: float | None = None,
        tolerance: float = 1e-3,
        *,
        contacts: Literal["first", "all"] = "first",
        clearances: bool = True,
        far: float = 0.1,
        curves: int = 0,
        budget: int | None = None,
        threads: int | None = None,
        progress: Callable[[int, int, str], object] | None = None,
        title: str = "",
        scene: bool = False,
    ) -> Report:
        """Prove that nothing touches during an interval of time, or say what does, when and where.

        All pairs of objects and links are judged, except those that robots or `allow` let touch, those that were not
        designated (`only`), and those that do not move relative to each other. The report says which ones.

        Args:
            t0: Start of the interval [s]; None: where the first motion begins.
            t1: Its end [s]; None: where the last one ends.
            tolerance: A least distance between a margin and this much more may be called either way [m]. It never
                makes a contact go unseen.
            contacts: "first" contact of each pair, or "all" of them.
            clearances: Whether to find the least distance of each pair.
            far: Pairs that are always farther apart are only said to be so [m].
            curves: At how many instants to bound the distances of near pairs over time, for plots; 0: not at all.
            budget: Largest number of distances for each window of a pair; None sets no limit.
            threads: How many threads work; None: as many as this world may use. Answers do not depend on it.
            progress: Called with done, total and what is being done.
            title: For the report.
            scene: Whether the report shall hold what a page shows.

        Returns:
            A `Report`. Ctrl-C ends the work: the report then has what is known, and the other pairs as UNDECIDED.

        Raises:
            ArgumentError: Nothing is in this world, a number makes no sense, or an object has no place.
            TrajectoryError: A motion does not cover the interval.
        """
        if not self._objects:
            raise ArgumentError("this World is empty; add objects or robots first.")
        start, end = checked_interval(self.span, t0, t1)
        task = checked_task(
            start, end, tolerance=tolerance, contacts=contacts, clearances=clearances, far=far, curves=curves,
            budget=budget, threads=self._n_threads if threads is None else checked_threads(threads), scene=scene,
        )  # fmt: skip
        timeline = self._present_timeline()
        check_covered(timeline, start, end)
        work = Verification(timeline, self._rules, task, Progress(progress))
        work.run()
        told = assumptions_of(self._objects.values(), self._rules, task)
        warnings = (*self._warnings, *warnings_of(self._objects.values()))
        return work.report(
            title=title, assumptions=(*self._assumptions, *told), warnings=tuple(dict.fromkeys(warnings))
        )

    def close(self, *, cancel: bool = False) -> None:
        """Remove all objects, wait for the checks in flight, and end the threads; a second call does nothing.

        Args:
            cancel: Cancel the checks in flight instead. Leaving a `with` block by an exception does this.
        """
        with self._lock:
            self._is_closed = True
            self._objects.clear()
            workers = self._workers
        if workers is not None and workers.process == os.getpid():
            workers.end()
            if cancel:
                workers.cancel()
            workers.join()

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

    def __enter__(self) -> Self:
        self._check_is_open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close(cancel=kind is not None)

    def __repr__(self) -> str:
        return "World(closed)" if self._is_closed else f"World({_listed(self.names)})"

    def _add(self, name: str, made: WorldObject | WorldRobot) -> None:
        with self._lock:
            self._check_is_new(name)
            self._objects[name] = made
            self._rules_changed()

    def _present_workers(self) -> Workers:
        """Return the workers, made when they are first needed, and again after a fork, which no thread survives."""
        if self._workers is None or self._workers.process != os.getpid():
            self._workers = Workers(self._n_threads)
            weakref.finalize(self, self._workers.end).atexit = False  # at exit they end themselves
        return self._workers

    def _check_is_open(self) -> None:
        if self._is_closed:
            raise ArgumentError("this World is closed; make a new one with kc.World().")

    def _check_is_new(self, name: str) -> None:
        self._check_is_open()
        if not isinstance(name, str) or not name:
            raise ArgumentError(
                f"the name of an object must be a text that is not empty, but it is {shown(name)}."
            )
        if "/" in name:
            raise ArgumentError(
                f"the name of an object has no slash, which is for links, but it is {name!r}."
            )
        if name in self._objects:
            raise ArgumentError(
                f"this World already has an object {name!r}; remove it first, or choose another name."
            )

    def _find(self, name: str) -> WorldObject:
        """Return the object of that name, or raise the error that helps to find it; no robot."""
        found = self._find_any(name)
        if isinstance(found, WorldRobot):
            raise ArgumentError(
                f"{name!r} is a robot; `submit` checks objects. Ask world.collisions(t) for its links."
            )
        return found

    def _find_any(self, name: str) -> WorldObject | WorldRobot:
        """Return the object or robot of that name, or raise the error that helps to find it."""
        self._check_is_open()
        if not isinstance(name, str):
            raise ArgumentError(
                f"objects are called by their names, texts such as 'table', but got {shown(name)}."
            )
        found = self._objects.get(name)
        if found is not None:
            return found
        gone = " any more (it was removed)" if name in self._removed else ""
        hint = close_name(name, self.names)
        raise UnknownNameError(f"this World has no object {name!r}{gone}{hint} It has {_listed(self.names)}.")

    def _checked_pair(self, a: object, b: object) -> tuple[str, str]:
        pair = self._check_name(a), self._check_name(b)
        if pair[0] == pair[1] and not isinstance(self._objects.get(pair[0]), WorldRobot):
            raise ArgumentError(f"a pair needs two names, but got {pair[0]!r} twice.")
        return pair

    def _check_name(self, name: object) -> str:
        """Return a name that a rule may use: of an object, a robot, or a link of a robot that has a shape."""
        if isinstance(name, str) and "/" in name:
            owner = self._find_any(name.partition("/")[0])
            known = [item.name for item in items_of(owner)]
            if name not in known:
                raise UnknownNameError(
                    f"this World has no link {name!r} with a shape{close_name(name, known)} "
                    f"{owner.name!r} has {', '.join(known[:LISTED])}{', ...' if len(known) > LISTED else ''}."
                )
            return name
        self._find_any(name)  # type: ignore[arg-type]
        assert isinstance(name, str)
        return name

    def _present_timeline(self) -> Timeline:
        """Return all items with what carries them, made again after a change."""
        with self._lock:
            self._check_is_open()
            if self._timeline is None:
                self._timeline = Timeline(self._items(), self._rules.attachments)
            return self._timeline

    def _still(self, at_rest: bool) -> tuple[float, float] | None:
        """Return the interval in which pairs that rest are left out, or None where they count too."""
        return None if at_rest else self.span

    def _items(self) -> list[Item]:
        """Return all objects and links by name, so that no answer depends on the order in which they were added."""
        items = [item for owner in self._objects.values() for item in items_of(owner)]
        return sorted(items, key=lambda item: item.name)

    def _rules_changed(self) -> None:
        self._timeline = None


def _begin(one: WorldObject, other: WorldObject, X_AB: FloatArray, find: Find, using: Using | None) -> Search:
    """Begin the search of a check; a closure would stay in the traceback of an error, and hold the objects."""
    return new_search(one.body, other.body, X_AB, find, using)


def _listed(names: tuple[str, ...]) -> str:
    if not names:
        return "no objects"
    more = ", ..." if len(names) > LISTED else ""
    return f"{counted(len(names), 'object')}: {', '.join(names[:LISTED])}{more}"


def _n_processors() -> int:
    """Return how many processors this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)  # not on every system
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1
