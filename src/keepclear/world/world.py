"""A world of named objects whose pairs are checked in the background."""

from __future__ import annotations

import difflib
import os
import threading
import weakref
from collections import deque
from collections.abc import Sequence
from functools import partial
from types import TracebackType
from typing import Any, Self

import numpy.typing as npt

from keepclear.errors import ArgumentError, UnknownNameError
from keepclear.proximity.batch import checked_threads
from keepclear.shapes.arguments import FloatArray, shown
from keepclear.shapes.mesh import Mesh
from keepclear.shapes.mesh_check import counted
from keepclear.world.device import Check, Search
from keepclear.world.search import Find, Using, checked_pose, checked_request, new_search, prepared
from keepclear.world.stream import StreamedMesh
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
        self._objects: dict[str, _Object] = {}
        self._removed: deque[str] = deque(maxlen=REMEMBERED)
        self._lock = threading.RLock()
        self._workers: Workers | None = None
        self._is_closed = False

    def add(self, name: str, shape: Any, motion: npt.ArrayLike | None = None) -> None:
        """Add an object and build what its checks need; when this returns, it is ready.

        Args:
            name: What it will be called; each object has a name of its own.
            shape: A shape, a `trimesh.Trimesh`, a tree from `kc.build_obb_tree` or `kc.build_box_tree` (used as it
                is), or vertices (n, 3) [m] and faces as a pair.
            motion: Its pose in the world, (4, 4). `submit` does not ask for it.

        Raises:
            ArgumentError: The name is taken or is no name, the shape is none, or the world is closed.
            MeshError: The vertices and faces make no mesh.
            PoseError: The pose is not rigid.
        """
        self._check_is_new(name)
        pose = None if motion is None else checked_pose(motion, "motion", scaled=False)
        is_ours = isinstance(shape, tuple | list)
        self._add(name, _mesh_of(name, shape) if is_ours else shape, pose, is_ours)

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
        pose = None if motion is None else checked_pose(motion, "motion", scaled=False)
        return StreamedMesh(name, solid, lambda mesh: self._add(name, mesh, pose, True))

    def remove(self, name: str) -> None:
        """Remove an object and let go of everything that was built for it.

        Checks that were submitted before end as if it were still there, and keep what they need until then.

        Raises:
            UnknownNameError: There is no such object.
        """
        with self._lock:
            self._find(name)
            del self._objects[name]
            self._removed.append(name)

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

    def _add(self, name: str, shape: Any, X_WO: FloatArray | None, is_ours: bool) -> None:
        self._check_is_new(name)
        made = _Object(prepared(shape), X_WO, is_ours)
        with self._lock:
            self._check_is_new(name)
            self._objects[name] = made

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
        if name in self._objects:
            raise ArgumentError(
                f"this World already has an object {name!r}; remove it first, or choose another name."
            )

    def _find(self, name: str) -> _Object:
        """Return the object of that name, or raise the error that helps to find it."""
        self._check_is_open()
        if not isinstance(name, str):
            raise ArgumentError(
                f"objects are called by their names, texts such as 'table', but got {shown(name)}."
            )
        found = self._objects.get(name)
        if found is not None:
            return found
        gone = " any more (it was removed)" if name in self._removed else ""
        near = difflib.get_close_matches(name, self.names, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else "."
        raise UnknownNameError(f"this World has no object {name!r}{gone}{hint} It has {_listed(self.names)}.")


class _Object:
    """An object with its trees; checks in flight hold it, so that it lives as long as the last of them."""

    def __init__(self, body: Any, X_WO: FloatArray | None, is_ours: bool) -> None:
        self.body, self.X_WO = body, X_WO
        if is_ours:  # nobody else has this mesh, which holds its trees, which hold the mesh
            weakref.finalize(self, _let_go_of_trees, body).atexit = False


def _begin(one: _Object, other: _Object, X_AB: FloatArray, find: Find, using: Using | None) -> Search:
    """Begin the search of a check; a closure would stay in the traceback of an error, and hold the objects."""
    return new_search(one.body, other.body, X_AB, find, using)


def _let_go_of_trees(mesh: Mesh) -> None:
    mesh._packed = None


def _mesh_of(name: str, pair: Sequence[Any]) -> Mesh:
    if len(pair) != 2:
        raise ArgumentError(
            f"object {name!r}: expected a shape, or vertices and faces as a pair, but got {len(pair)} things."
        )
    return Mesh(pair[0], pair[1], name=name)


def _listed(names: tuple[str, ...]) -> str:
    if not names:
        return "no objects"
    more = ", ..." if len(names) > LISTED else ""
    return f"{counted(len(names), 'object')}: {', '.join(names[:LISTED])}{more}"


def _n_processors() -> int:
    """Return how many processors this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)  # not on every system
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1
