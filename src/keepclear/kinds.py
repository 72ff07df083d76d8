"""Which kinds of shapes, trees, prepared models, motions, programs and robots there are; every other kind is refused.

A class registers itself in one of the groups below: under its name there, or with its row in a table. Public doors ask
the group whether the exact class of a value is known: a subclass may override what kernels never call, so it is as
unknown as a foreign class. Code that treats kinds differently asks the table, which raises for everything else.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Generic, TypeVar

from keepclear.errors import ArgumentError

C = TypeVar("C", bound=type)
T = TypeVar("T")


class Kinds:
    """The known classes of one sort of thing.

    Args:
        noun: What such a thing is called, with its article.
        names: The names of all classes; None for those with a row in a `Table`.
        advice: What to do with something of another class; `{names}` stands for the names of all.
        module: The module that imports all rows; it is imported when a class is not known yet.
    """

    def __init__(
        self, noun: str, names: tuple[str, ...] | None, advice: str, module: str | None = None
    ) -> None:
        self.noun, self._names, self._advice, self._module = noun, names, advice, module
        self._classes: dict[str, type] = {}
        self._known: set[type] = set()
        self._bases: tuple[type, ...] = ()

    def register(self, cls: C) -> C:
        """Let instances of a class pass; its name must be in the list, and not taken."""
        if self._names is None or cls.__name__ not in self._names:
            raise TypeError(f"{cls.__qualname__} is not {self.noun} of the table in keepclear.kinds.")
        self._admit(cls)
        return cls

    def _admit(self, cls: type) -> None:
        if self._classes.setdefault(cls.__name__, cls) is not cls:
            raise TypeError(
                f"{self.noun} of class {cls.__qualname__} is in the table of keepclear.kinds already."
            )
        self._known.add(cls)

    def _load(self) -> None:
        """Import the rows of all kinds."""
        if self._module is not None:
            module, self._module = self._module, None
            importlib.import_module(module)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all classes, sorted."""
        self._load()
        return tuple(sorted(self._classes if self._names is None else self._names))

    @property
    def advice(self) -> str:
        """What to do with something of another class."""
        *most, last = self.names
        return self._advice.format(names=f"{', '.join(most)} or {last}" if most else last)

    def register_base(self, cls: C) -> C:
        """Let instances of all classes that are derived from a class pass: it is made to be derived from."""
        self._bases += (cls,)
        return cls

    @property
    def classes(self) -> set[type]:
        """The classes that have registered, as they do: for code in which `value in kinds` would take too long."""
        self._load()
        return self._known

    def __contains__(self, value: object) -> bool:
        return self.has(value) or any(base in type(value).__mro__ for base in self._bases)

    def has(self, value: object) -> bool:
        """Return whether a value is of a class of the table, and not only of one derived from a base."""
        if type(value) not in self._known:
            self._load()
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


class Table(Generic[T]):
    """One row for each class of a group; a value of any other class raises.

    The row stands beside the class, or in a module that the class need not import.
    """

    def __init__(self, kinds: Kinds) -> None:
        self._kinds = kinds
        self._rows: dict[type, T] = {}

    def add(self, cls: type, row: T, *, is_public: bool = True) -> None:
        """Add the row of a class; one that is not public comes from our own code only."""
        if is_public:
            self._kinds._admit(cls)
        self._rows[cls] = row

    def __getitem__(self, value: object) -> T:
        if type(value) not in self._rows:
            self._kinds._load()
        try:
            return self._rows[type(value)]
        except KeyError:
            raise self._kinds.error(value, self._kinds.noun) from None

    def __iter__(self) -> Iterator[tuple[type, T]]:
        """Yield classes with their rows, sorted by name."""
        return iter(sorted(self._rows.items(), key=lambda entry: entry[0].__name__))


SHAPES = Kinds(
    "a shape",
    None,
    "give a kc.{names} itself; kc.Convex(points) and kc.Mesh(vertices, faces) make shapes from arrays",
    "keepclear.geometry.shapes.table",
)
TREES = Kinds("a tree", ("BoxTree", "OBBTree"), "build it with kc.build_obb_tree or kc.build_box_tree")
SPHERE_TREES = Kinds("a sphere tree", ("SphereTree",), "build it with kc.build_sphere_tree(shape, accuracy)")
PREPARED = Kinds(
    "a prepared model", ("Prepared",), "make it with kc.prepare(shape) or kc.read_prepared(path)"
)
MOTIONS = Kinds(
    "a motion",
    None,
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
