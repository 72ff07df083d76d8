"""Which kinds of shapes, trees, prepared models, motions, programs and robots there are; every other kind is refused.

A class registers itself under its name in one of the groups below. Public doors ask the group whether the exact class
of a value is known: a subclass may override what kernels never call, so it is as unknown as a foreign class. Code that
treats kinds differently holds a `ByKind`, which is complete from the start and raises for everything else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic, TypeVar

from keepclear.errors import ArgumentError

__all__ = [
    "CROWD_MOTIONS",
    "MOTIONS",
    "PREPARED",
    "PROGRAMS",
    "ROBOTS",
    "SHAPES",
    "SPHERE_TREES",
    "TREES",
    "ByKind",
    "Kinds",
]

C = TypeVar("C", bound=type)
T = TypeVar("T")


class Kinds:
    """The known classes of one sort of thing.

    Args:
        noun: What such a thing is called, with its article.
        names: The names of all classes.
        advice: What to do with something of another class.
    """

    def __init__(self, noun: str, names: tuple[str, ...], advice: str) -> None:
        self.noun, self.names, self.advice = noun, names, advice
        self._classes: dict[str, type] = {}
        self._known: set[type] = set()
        self._bases: tuple[type, ...] = ()

    def register(self, cls: C) -> C:
        """Let instances of a class pass; its name must be in the table, and not taken."""
        if cls.__name__ not in self.names or self._classes.get(cls.__name__, cls) is not cls:
            raise TypeError(f"{cls.__qualname__} is not {self.noun} of the table in keepclear.kinds.")
        self._classes[cls.__name__] = cls
        self._known.add(cls)
        return cls

    def register_base(self, cls: C) -> C:
        """Let instances of all classes that are derived from a class pass: it is made to be derived from."""
        self._bases += (cls,)
        return cls

    @property
    def classes(self) -> set[type]:
        """The classes that have registered, as they do: for code in which `value in kinds` would take too long."""
        return self._known

    def __contains__(self, value: object) -> bool:
        cls = type(value)
        return cls in self._known or any(base in cls.__mro__ for base in self._bases)

    def has(self, value: object) -> bool:
        """Return whether a value is of a class of the table, and not only of one derived from a base."""
        return type(value) in self._known

    def error(self, value: object, label: str) -> ArgumentError:
        """Return the error for something that claims to be of this sort, but is of no known class."""
        cls = type(value)
        parents = [parent.__name__ for parent in cls.__mro__[1:] if parent in self._known]
        what = (
            f"is of class {cls.__name__!r}, derived from {parents[0]}; what a derived class changes would be ignored"
            if parents
            else f"is of class {cls.__name__!r}, which is not a known kind of {self.noun.partition(' ')[2]}"
        )
        return ArgumentError(f"{label} {what}; {self.advice}.")

    def check(self, value: object, label: str) -> None:
        """Raise an `ArgumentError` unless a value is of a known class."""
        if value not in self:
            raise self.error(value, label)

    def by_kind(self, entries: Mapping[type, T]) -> ByKind[T]:
        """Return a table with an entry for each class of the group."""
        return ByKind(self, entries)


class ByKind(Generic[T]):
    """One entry for each class of a group; a value of any other class raises.

    Raises:
        TypeError: An entry is missing, or is for a class that the group lacks.
    """

    def __init__(self, kinds: Kinds, entries: Mapping[type, T]) -> None:
        names = sorted(cls.__name__ for cls in entries)
        if names != sorted(kinds.names):
            raise TypeError(
                f"a table by kind has entries for {names}, but the kinds are {sorted(kinds.names)}."
            )
        self._kinds, self._entries = kinds, dict(entries)

    def __getitem__(self, value: object) -> T:
        try:
            return self._entries[type(value)]
        except KeyError:
            raise self._kinds.error(value, self._kinds.noun) from None


SHAPES = Kinds(
    "a shape",
    ("Box", "Capsule", "Convex", "Cylinder", "Ellipsoid", "Mesh", "Sphere"),
    "give a kc.Sphere, Box, Capsule, Cylinder, Ellipsoid, Convex or Mesh itself; kc.Convex(points) and "
    "kc.Mesh(vertices, faces) make shapes from arrays",
)
TREES = Kinds("a tree", ("BoxTree", "OBBTree"), "build it with kc.build_obb_tree or kc.build_box_tree")
SPHERE_TREES = Kinds("a sphere tree", ("SphereTree",), "build it with kc.build_sphere_tree(shape, accuracy)")
PREPARED = Kinds(
    "a prepared model", ("Prepared",), "make it with kc.prepare(shape) or kc.read_prepared(path)"
)
MOTIONS = Kinds(
    "a motion",
    ("Fixed", "LinkMotion", "PoseTrajectory"),
    "derive a class from kc.CustomMotion, or sample the motion into a kc.PoseTrajectory(times, X_W)",
)
PROGRAMS = Kinds(
    "a program",
    ("JointTrajectory",),
    "give a kc.JointTrajectory(robot, times, q) itself, made of its samples",
)
ROBOTS = Kinds("a robot", ("Robot",), "give a kc.Robot itself, from kc.read_robot")
CROWD_MOTIONS = Kinds(
    "a motion of a crowd",
    ("Ballistic", "RandomForces", "RecordedTracks", "VelocityField"),
    "give a kc.Ballistic, RandomForces, VelocityField or RecordedTracks itself, or a function probe(ids, t)",
)
