"""The base class of all shapes: immutable, equal by content, printable."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Self

import numpy as np

from keepclear.checks import FloatArray, checked_scale, checked_size
from keepclear.unchanging import Unchanging


class Shape(Unchanging, ABC):
    """An object's geometry in its own frame [m]: immutable, and two shapes of equal content are equal.

    The kinds of shapes are those of `keepclear.kinds`; queries accept no other classes, derived ones included. A
    subclass declares its `__slots__`, fills them in `__init__` through `_fill`, and gives `_content`, `_arguments`,
    `bounds`, `scaled` and `__repr__`.
    """

    # `_packed` and `_bounding_volumes` are what the code for an instant and for an interval of time keeps beside a
    # shape: None at first, and no part of the content.
    __slots__ = ("__weakref__", "_bounding_volumes", "_hash", "_packed")

    _instead = "make a new {kind} instead (shape.scaled(s) gives a scaled one)"
    _hash: int | None
    _bounding_volumes: Any
    _packed: Any

    def _fill(self, **values: object) -> None:
        """Set slots, past the guard that makes shapes immutable."""
        super()._fill(**({"_hash": None, "_bounding_volumes": None, "_packed": None} | values))

    @abstractmethod
    def _content(self) -> tuple[object, ...]:
        """Return the hashable values that make two shapes of one type equal."""

    @abstractmethod
    def _arguments(self) -> tuple[object, ...]:
        """Return the positional arguments from which an equal shape can be made."""

    @property
    @abstractmethod
    def bounds(self) -> tuple[FloatArray, FloatArray]:
        """The lower and upper corner of the axis-aligned box around the shape, (3,) each, in its frame."""

    @abstractmethod
    def scaled(self, factor: float) -> Self:
        """Return this shape, scaled uniformly about the origin of its frame by a finite factor > 0."""

    @property
    def is_solid(self) -> bool:
        """Whether the shape has an inside; False for a surface only."""
        return True

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(self) is not type(other):
            return NotImplemented
        assert isinstance(other, Shape)
        return self._content() == other._content()

    def __hash__(self) -> int:
        if self._hash is None:
            object.__setattr__(self, "_hash", hash((type(self).__name__, self._content())))
        assert self._hash is not None
        return self._hash

    def __setattr__(self, name: str, value: object) -> None:
        if name not in ("_bounding_volumes", "_packed"):
            self._refuse(name)
        object.__setattr__(self, name, value)

    def __reduce__(self) -> tuple[type[Self], tuple[object, ...]]:
        return type(self), self._arguments()


class SizedShape(Shape):
    """A shape that is given by lengths, each its own argument, or all of them as one [m]."""

    __slots__ = ("_sizes",)

    _sizes: tuple[float, ...]
    _names: ClassVar[tuple[str, ...]]  # of the arguments

    def _fill_sizes(self, *values: object) -> None:
        """Set the lengths, or raise a `ShapeError` that names the one that cannot be."""
        kind, names = type(self).__name__, self._names
        if len(names) < len(values):
            names = tuple(f"{names[0]}[{k}]" for k in range(len(values)))
        self._fill(_sizes=tuple(checked_size(kind, *pair) for pair in zip(names, values, strict=True)))

    def _content(self) -> tuple[object, ...]:
        return self._sizes

    def _arguments(self) -> tuple[object, ...]:
        return self._sizes if len(self._names) == len(self._sizes) else (self._sizes,)

    def scaled(self, factor: float) -> Self:
        """Return this shape with its lengths times a finite factor > 0."""
        s = checked_scale(type(self).__name__, factor)
        scaled = object.__new__(type(self))
        scaled._fill_sizes(*(length * s for length in self._sizes))
        return scaled

    def __repr__(self) -> str:
        pairs = zip(self._names, self._arguments(), strict=True)
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in pairs)})"


def symmetric(x: float, y: float, z: float) -> tuple[FloatArray, FloatArray]:
    """Return the corners of the box [-x, x] x [-y, y] x [-z, z] as arrays that cannot be written to."""
    upper = np.array([x, y, z])
    lower = -upper
    lower.flags.writeable = False
    upper.flags.writeable = False
    return lower, upper
