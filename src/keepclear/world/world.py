"""A world of named objects whose pairs are checked in the background."""

from __future__ import annotations

import math
import os
import weakref
from collections.abc import Callable
from functools import partial
from types import FunctionType, TracebackType
from typing import Literal, NoReturn, Self

import numpy.typing as npt

from keepclear.checks import (
    FloatArray,
    checked_flag,
    checked_instant,
    checked_interval,
    checked_length,
    checked_positive,
    shown,
)
from keepclear.errors import ArgumentError, CopyError
from keepclear.geometry.trees.trees import Using, checked_using
from keepclear.query.batches import checked_threads
from keepclear.query.moving.results import FirstContact
from keepclear.report.report import Report
from keepclear.results import Verdict
from keepclear.scene.coverage import check_covered
from keepclear.scene.display import make_scene
from keepclear.scene.frame_table import FrameTable
from keepclear.scene.items import WorldObject
from keepclear.world.contents.contents import summary
from keepclear.world.contents.frame_contacts import FrameContacts
from keepclear.world.selection.distant import unit_mistakes
from keepclear.world.selection.instant import PairDistance, colliding_pairs, distances_at
from keepclear.world.simulate.simulator import Simulator
from keepclear.world.submit.check import Check, Search
from keepclear.world.submit.search import Find, checked_request, new_search
from keepclear.world.submit.workers import Workers
from keepclear.world.verify.assumptions import assumptions_of, in_order, warnings_of
from keepclear.world.verify.contacts import contact_of_pair
from keepclear.world.verify.options import Proof, checked_proof, checked_task
from keepclear.world.verify.threads import Progress
from keepclear.world.verify.units import KnownResults
from keepclear.world.verify.verify import Verification

__all__ = ["World"]


class World(Simulator):
    """Named objects and robots, and queries about them: at an instant, over time, or in the background.

    Args:
        using: The trees of all meshes that are added: "box_tree" or "obb_tree", built when they are added, and no other
            tree is built. None: the one that suits a query, built when it is first needed.
        threads: How many threads may work on checks; None means one for each processor. They start when they are
            first needed, and end with `close`, with the world, or with the interpreter. Answers do not depend on it.

    Examples:
        A ball rolls past a post:

        >>> import numpy as np
        >>> import keepclear as kc
        >>> world = kc.World()
        >>> world.add("post", kc.Box([0.1, 0.1, 1.0]), np.eye(4))
        >>> path = kc.PoseTrajectory.from_positions([0, 2], [[-1, 0.2, 0], [1, 0.2, 0]])
        >>> world.add("ball", kc.Sphere(0.1), path)
        >>> report = world.verify(tolerance=1e-4)
        >>> report.verdict.name, round(report.pairs[0].clearance_lower, 3)
        ('CLEAR', 0.05)

        A check that runs in the background:

        >>> vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
        >>> faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]
        >>> X_AB = np.eye(4)
        >>> X_AB[0, 3] = 0.25
        >>> with kc.World() as world:
        ...     world.add("left", kc.Mesh(vertices, faces))
        ...     world.add("right", (vertices, faces))
        ...     check = world.submit("left", "right", X_AB, find="all")
        ...     # do something else here
        ...     check.result().colliding
        True
    """

    def __init__(self, using: Using | None = None, *, threads: int | None = None) -> None:
        super().__init__(checked_using(using))
        self._n_threads = _n_processors() if threads is None else checked_threads(threads)
        self._workers: Workers | None = None

    def submit(
        self,
        a: str,
        b: str,
        X_AB: npt.ArrayLike,
        find: Find = "any",
        *,
        using: Using | None = None,
    ) -> Check:
        """Start a check of two objects in the background and return at once.

        Args:
            a: Name of the first object.
            b: Name of the second; it may be the same.
            X_AB: Pose of B in the frame of A, (4, 4), rigid or with a uniform scale. Points of the answer
                (`segments_W`) are in the frame of A.
            find: "any" stops at the first pair of faces that intersect, "all" finds all of them.
            using: Which trees to search, as in `kc.collide`; None chooses.

        Returns:
            A `Check`: a `concurrent.futures.Future` for a `Collision` that also iterates over pairs of faces while they
            are found. Any number of them may run at a time, and they end in any order: a long check does not block
            others.

        Raises:
            UnknownNameError: There is no such object, or no longer.
            PoseError: X_AB is not a pose.
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

    def collisions(self, t: float = 0.0, *, at_rest: bool = True) -> tuple[tuple[str, str], ...]:
        """Return the pairs that are in contact at an instant, or within their margin, as (name, name).

        Pairs that are allowed to touch then, or not selected, are left out.

        Args:
            t: The instant [s].
            at_rest: Whether to include the pairs that `verify` lists but does not check: those that never move relative
                to each other, and those in contact until they first move.
        """
        instant, scene = checked_instant("t", t), self._present_scene()
        check_covered(scene.timeline, instant, instant)
        return colliding_pairs(scene, instant, at_rest=at_rest)

    def distances(
        self, t: float = 0.0, *, far: float = math.inf, at_rest: bool = True
    ) -> tuple[PairDistance, ...]:
        """Return the distances of all pairs that are checked at an instant, closest first.

        Args:
            t: The instant [s].
            far: Pairs that are farther apart are left out [m].
            at_rest: Whether to include the pairs that `verify` lists but does not check: those that never move relative
                to each other, and those in contact until they first move.

        Returns:
            A `PairDistance` each: a, b, distance, lower (certified), p_WA, p_WB, normal_W. The distance is minus the
            depth where convex bodies overlap, and 0 where meshes are in contact.
        """
        limit = math.inf if far == math.inf else checked_length("far", far)
        instant, scene = checked_instant("t", t), self._present_scene()
        check_covered(scene.timeline, instant, instant)
        return distances_at(scene, instant, limit, at_rest=at_rest)

    def contacts(
        self, far: float = 0.05, between: bool = False, *, t: float = 0.0, tolerance: float = 1e-4
    ) -> FrameContacts:
        """Return the pairs that are near now, for a loop at frame rate: call `update` to move objects, then this.

        Rules apply as in `distances`: allowed pairs and pairs that were not selected are left out, and so are pairs
        that never move relative to each other. Objects that got another pose by `update` or `move` count as moving, all
        others rest if their motion does. If nothing has ever moved, all pairs are checked at rest. The state of
        each pair is kept from call to call, until objects or rules change.

        Args:
            far: Pairs that are farther apart are left out, unless they are within their margin [m].
            between: Whether to find contacts since the last call as well: each body moves along the screw from its pose
                in the last call to its pose now, less than half a turn, and a robot linearly in its joints. Objects
                that were added since the last call rest; in the first call everything does. Pairs that have touched, or
                came within their margin, are returned even if they are far apart now.
            t: The instant for windows of allowed pairs, for attachments, and for objects with a motion that were not
                updated [s]. Attached objects move with their links.
            tolerance: With `between`, a pair whose minimum distance exceeds its margin by less than this may get
                either verdict [m].

        Returns:
            A `FrameContacts`: arrays a, b (names), distance, lower (certified), p_WA, p_WB, normal_W, state, in the
            order of names; `began` and `ended`: pairs that are near now and were not in the last call, and the reverse.
            With `between`: verdict, and time in [0, 1].

        Raises:
            ArgumentError: A number is invalid, an object has no pose, or has made half a turn (`between`).
            TrajectoryError: A motion does not cover `t`.
        """
        limit = math.inf if far == math.inf else checked_length("far", far)
        checked_flag("between", between)
        instant, allowance = checked_instant("t", t), checked_positive("tolerance", tolerance, "metres")
        with self._lock:
            self._check_is_open()
            table = self._loop.table
            if table is None or not table.holds_at(instant):
                scene = self._present_scene()
                check_covered(scene.timeline, instant, instant)
                table = FrameTable(scene, instant, self._loop.moved, self._loop.last_frame)
            self._loop.use(table, instant)
            return self._loop.contacts(limit, between=between, tolerance=allowance)

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
        method: Proof = "hybrid",
    ) -> FirstContact:
        """Return whether and when two objects or links first come within a margin of each other.

        Allowed pairs and windows are ignored: this pair is checked at all times.

        Args:
            a: Name of an object, or of a link, "robot/link".
            b: The other one.
            tolerance: Largest error of a decision [m].
            margin: Distance that counts as contact [m]; None: the margin that was set for the pair.
            t0: Start of the interval [s]; None: where the first motion of the world begins.
            t1: Its end [s]; None: where the last one ends.
            budget: Maximum number of distances, or None.
            method: Which method answers, as in `kc.first_contact`: "hybrid", "bisection", "exact" or "bisect_exact".

        Raises:
            ArgumentError: An argument is invalid, or the method cannot answer this pair: the last two are for polyhedra
                without a margin.
        """
        names = self._checked_pair(a, b)
        proof = checked_proof("first_contact", method)
        with self._lock:
            distance = self._rules.margin(*names) if margin is None else checked_length("margin", margin)
            interval, timeline = checked_interval(self.span, t0, t1), self._present_timeline()
        return contact_of_pair(timeline, names, interval, tolerance, distance, budget, proof)

    def verify(
        self,
        t0: float | None = None,
        t1: float | None = None,
        tolerance: float = 1e-3,
        *,
        contacts: Literal["earliest", "first", "all"] = "first",
        clearances: bool = True,
        far: float = 0.1,
        curves: int = 0,
        budget: int | None = None,
        threads: int | None = None,
        progress: Callable[[int, int, str], object] | None = None,
        title: str = "",
        scene: bool = False,
        method: Proof = "hybrid",
        cross_check: bool = False,
        hints: bool = False,
        store: KnownResults | None = None,
    ) -> Report:
        """Prove that nothing touches during a time interval, or report what does, when and where.

        All pairs of objects and links are checked, except pairs that robots or `allow` let touch, pairs that were not
        selected (`only`), pairs that never move relative to each other at any time, whatever the interval, and contact
        at the start until a pair first moves, such as a part on its table. The report lists these exceptions, and warns
        of overlap. Contact that a motion leads into is checked, even if the pair then rests, and even if the interval
        starts later. If nothing ever moves, all pairs are checked at rest.

        The report lists all checked pairs of worlds with at most 2 000 of them. Larger worlds list the pairs that swept
        boxes do not prove clear, or with clearances those that come within `far`; `report.far` counts the others.

        Args:
            t0: Start of the interval [s]; None: where the first motion begins.
            t1: Its end [s]; None: where the last one ends.
            tolerance: A pair whose minimum distance exceeds its margin by less than this may get either verdict [m].
                No contact is missed.
            contacts: The "first" contact of each pair, or "all" of them; or only the "earliest" of all pairs, which is
                found sooner: pairs that are not proved clear by then are UNDECIDED from that time on.
            clearances: Whether to find the minimum distance of each pair.
            far: Pairs that are always farther apart get this lower bound only [m].
            curves: At how many instants to bound the distances of near pairs over time, for plots; 0: not at all.
            budget: Maximum number of distances for each window of time in which two parts are near each other; None
                sets no limit.
            threads: How many threads work; None: as many as this world may use. Answers do not depend on it.
            progress: Called as progress(done, total, text).
            title: For the report.
            scene: Whether the report keeps the scene for its page.
            method: The method for pairs that swept boxes and hulls leave open, as in `kc.first_contact`: "hybrid",
                "bisection", "exact" or "bisect_exact". Pairs that it cannot answer, such as curved bodies by the last
                two, are answered by "hybrid", and the report's assumptions say which and why.
            cross_check: Whether to repeat the check of each listed pair by an independent method, without swept boxes
                and hulls. `report.cross_check` has the results; where methods contradict each other the pair is not
                CLEAR, and `report.exit_code` is 4.
            hints: Whether the first colliding pairs get a `hint`: the waypoints around the contact, its duration and
                depth, and a shift that restores the margin at the worst instant found.
            store: A `kc.ResultStore`: pair tasks whose content is unchanged are taken from it, all others are computed
                and kept in it. The report is the same with and without it.

        Returns:
            A `Report`. After Ctrl-C it has the results so far, and the other pairs are UNDECIDED.

        Raises:
            ArgumentError: The world is empty, a number is invalid, or an object has no pose.
            TrajectoryError: A motion does not cover the interval.
        """
        if not self._objects:
            raise ArgumentError("this World is empty; add objects or robots first.")
        if not isinstance(title, str):
            raise ArgumentError(f"verify: title must be a string, but it is {shown(title)}.")
        if progress is not None and not callable(progress):
            raise ArgumentError(f"verify: progress must be a function, or None, but it is {shown(progress)}.")
        start, end = checked_interval(self.span, t0, t1)
        task = checked_task(
            start, end, tolerance=tolerance, contacts=contacts, clearances=clearances, far=far, curves=curves,
            budget=budget, threads=self._n_threads if threads is None else checked_threads(threads), scene=scene,
            method=method, cross_check=cross_check, hints=hints,
        )  # fmt: skip
        present = self._present()
        tables = present.scene
        tables.kept(("covered", start, end), partial(check_covered, tables.timeline, start, end))
        work = Verification(tables, task, Progress(progress), store)
        work.run()
        key = "assumptions", start, end, task.tolerance, present.assumptions
        given = present.owners, present.rules, task, present.assumptions
        assumptions = tables.kept(key, partial(assumptions_of, *given))
        of_robots = tables.kept(("warnings",), partial(warnings_of, present.owners))
        warnings = [*work.warnings, *present.warnings, *of_robots]
        if not (len(work.table) or work.n_far or work.interrupted):
            warnings.append(
                "no pair was checked: there is only one body, or none that moves, or all may touch"
            )
        return work.report(title=title, assumptions=assumptions, warnings=in_order(warnings))

    def unverified(
        self, t0: float | None = None, t1: float | None = None, *, tolerance: float = 1e-3, title: str = ""
    ) -> Report:
        """Return a report without any check: UNDECIDED, with the scene for a page that shows this world in motion.

        Args:
            t0: Start of the interval [s]; None: where the first motion begins.
            t1: Its end [s]; None: where the last one ends.
            tolerance: For the report [m].
            title: For the report.
        """
        start, end = checked_interval(self.span, t0, t1)
        task = checked_task(
            start, end, tolerance=tolerance, contacts="first", clearances=False, far=0.0, curves=0, budget=None,
            threads=1, scene=True,
        )  # fmt: skip
        present = self._present()
        timeline = present.scene.timeline
        check_covered(timeline, start, end)
        assumptions = assumptions_of(present.owners, present.rules, task, present.assumptions)
        units = unit_mistakes(present.scene.steps(start, end), present.scene)
        warnings = (*units, *present.warnings, *warnings_of(present.owners))
        return Report(
            verdict=Verdict.UNDECIDED, t0=start, t1=end, tolerance=task.tolerance, title=title, assumptions=assumptions,
            warnings=in_order(warnings), scene=make_scene(timeline, start, end, ()),
        )  # fmt: skip

    def copy(self) -> Self:
        """Return an independent world with the same objects, rules and poses: whatever changes one leaves the other.

        It shares shapes, motions, robots and all that was built for them, none of which change, so a copy takes
        microseconds per object. The copy continues the loop of `update` and `contacts` from the same last frame. Checks
        in the background, and objects that `begin` has not added yet, belong to the original alone. `copy.copy` and
        `copy.deepcopy` do the same; worlds are not pickled.

        Raises:
            ArgumentError: The world is closed.

        Examples:
            >>> import numpy as np
            >>> import keepclear as kc
            >>> world = kc.World()
            >>> world.add("post", kc.Box([0.1, 0.1, 1.0]), np.eye(4))
            >>> trial = world.copy()
            >>> trial.add("ball", kc.Sphere(0.1), np.eye(4))
            >>> trial.collisions(), world.names
            ((('ball', 'post'),), ('post',))
        """
        again = self._fork()
        again._workers = None
        return again

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self.copy()

    def __reduce__(self) -> NoReturn:
        raise CopyError(
            "a World cannot be pickled; build it in each process, from a cell file (kc.read_cell) or by the same code, "
            "or copy it within this process with world.copy()."
        )

    def close(self, *, cancel: bool = False) -> None:
        """Remove all objects, wait for the running checks, and end the threads; a second call does nothing.

        Args:
            cancel: Cancel the running checks instead. Leaving a `with` block by an exception does this.
        """
        with self._lock:
            self._is_closed = True
            self._objects.clear()
            self._models = {}
            self._loop.drop()
            workers = self._workers
        if workers is not None and workers.process == os.getpid():
            workers.end()
            if cancel:
                workers.cancel()
            workers.join()

    def __enter__(self) -> Self:
        self._check_is_open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close(cancel=kind is not None)

    def __repr__(self) -> str:
        return "World(closed)" if self._is_closed else f"World({summary(self.names)})"

    def _present_workers(self) -> Workers:
        """Return the workers; they are created on first use, and again after a fork, which no thread survives."""
        if self._workers is None or self._workers.process != os.getpid():
            self._workers = Workers(self._n_threads)
            weakref.finalize(self, self._workers.end).atexit = False  # at exit the threads end themselves
        return self._workers


for _base in World.__mro__[1:-1]:  # Python's messages about arguments then name the class that users know
    for _name, _method in vars(_base).items():
        if isinstance(_method, FunctionType) and not _name.startswith("_"):
            _method.__qualname__ = f"World.{_name}"


def _begin(one: WorldObject, other: WorldObject, X_AB: FloatArray, find: Find, using: Using | None) -> Search:
    """Begin the search of a check; a closure would stay in the traceback of an error, and hold the objects."""
    return new_search(one.body, other.body, X_AB, find, using)


def _n_processors() -> int:
    """Return how many processors this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)  # not on every system
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1
