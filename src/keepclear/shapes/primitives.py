"""Sphere, box, capsule and cylinder: shapes given by a few lengths, centred on the origin of their frame."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Self

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, checked_scale, checked_size, checked_triple, real_number
from keepclear.errors import ShapeError
from keepclear.kinds import SHAPES
from keepclear.shapes.shape import Shape

__all__ = ["Box", "Capsule", "Cylinder", "Sphere"]


@SHAPES.register
class Sphere(Shape):
    """A ball around the origin.

    Args:
        radius: Its radius [m].

    Examples:
        >>> Sphere(0.25).scaled(2)
        Sphere(radius=0.5)
    """

    __slots__ = ("_radius",)

    _radius: float

    def __init__(self, radius: float) -> None:
        self._fill(_radius=checked_size("Sphere", "radius", radius))

    @property
    def radius(self) -> float:
        """The radius [m]."""
        return self._radius

    @property
    def bounds(self) -> tuple[FloatArray, FloatArray]:
        """The lower and upper corner of the axis-aligned box around the sphere, (3,) each [m]."""
        return _symmetric(self._radius, self._radius, self._radius)

    def scaled(self, factor: float) -> Self:
        """Return this sphere with its radius times a finite factor > 0."""
        return type(self)(self._radius * checked_scale("Sphere", factor))

    def _content(self) -> tuple[object, ...]:
        return (self._radius,)

    _arguments = _content

    def __repr__(self) -> str:
        return f"Sphere(radius={self._radius!r})"


@SHAPES.register
class Box(Shape):
    """A box with its edges along the axes, centred at the origin.

    Args:
        size: The three full edge lengths along x, y and z [m].

    Examples:
        >>> Box([1.2, 0.8, 0.05])
        Box(size=(1.2, 0.8, 0.05))
    """

    __slots__ = ("_size",)

    _size: tuple[float, float, float]

    def __init__(self, size: Sequence[float] | npt.NDArray[np.floating | np.integer]) -> None:
        x, y, z = checked_triple("Box", "size", size)
        self._fill(
            _size=(
                checked_size("Box", "size[0]", x),
                checked_size("Box", "size[1]", y),
                checked_size("Box", "size[2]", z),
            )
        )

    @property
    def size(self) -> tuple[float, float, float]:
        """The full edge lengths along x, y and z [m]."""
        return self._size

    @property
    def bounds(self) -> tuple[FloatArray, FloatArray]:
        """The lower and upper corner of the box, (3,) each [m]."""
        x, y, z = self._size
        return _symmetric(0.5 * x, 0.5 * y, 0.5 * z)

    def scaled(self, factor: float) -> Self:
        """Return this box with its edge lengths times a finite factor > 0."""
        s = checked_scale("Box", factor)
        return type(self)([edge * s for edge in self._size])

    def _content(self) -> tuple[object, ...]:
        return self._size

    def _arguments(self) -> tuple[object, ...]:
        return (self._size,)

    def __repr__(self) -> str:
        return f"Box(size={self._size!r})"


class _Round(Shape):
    """What a capsule and a cylinder share: a radius and a length along z."""

    __slots__ = ("_length", "_radius")

    _radius: float
    _length: float

    def __init__(self, radius: float, length: float) -> None:
        name = type(self).__name__
        self._fill(
            _radius=checked_size(name, "radius", radius),
            _length=checked_size(name, "length", length),
        )

    @property
    def radius(self) -> float:
        """The radius [m]."""
        return self._radius

    @property
    def length(self) -> float:
        """The length of the straight part along z [m]; the caps of a capsule are added."""
        return self._length

    def scaled(self, factor: float) -> Self:
        """Return this shape with its radius and length times a finite factor > 0."""
        s = checked_scale(type(self).__name__, factor)
        return type(self)(self._radius * s, self._length * s)

    def _content(self) -> tuple[object, ...]:
        return self._radius, self._length

    _arguments = _content

    def __repr__(self) -> str:
        return f"{type(self).__name__}(radius={self._radius!r}, length={self._length!r})"


@SHAPES.register
class Capsule(_Round):
    """All points within a radius of a centred segment on the z axis: a cylinder with a hemisphere on each end.

    Args:
        radius: Its radius [m].
        length: The length of the segment, without the caps [m]; end to end it measures length + 2 radius.

    Examples:
        >>> lower, upper = Capsule(radius=0.1, length=0.5).bounds
        >>> upper.round(6).tolist()
        [0.1, 0.1, 0.35]
    """

    __slots__ = ()

    def __init__(self, radius: float, length: float) -> None:
        if real_number(length) == 0.0:
            raise ShapeError(
                "Capsule: length must be > 0, but it is 0; "
                "a capsule without length is a sphere, use kc.Sphere(radius)."
            )
        super().__init__(radius, length)

    @property
    def bounds(self) -> tuple[FloatArray, FloatArray]:
        """The lower and upper corner of the axis-aligned box around the capsule, (3,) each [m]."""
        top = _add_up(0.5 * self._length, self._radius)
        return _symmetric(self._radius, self._radius, top)


@SHAPES.register
class Cylinder(_Round):
    """A cylinder with flat ends, its axis along z, centred.

    Args:
        radius: Its radius [m].
        length: Its length along z from end to end [m].

    Examples:
        >>> Cylinder(0.05, length=1)
        Cylinder(radius=0.05, length=1.0)
    """

    __slots__ = ()

    def __init__(self, radius: float, length: float) -> None:
        super().__init__(radius, length)  # so that Python's messages about arguments name Cylinder

    @property
    def bounds(self) -> tuple[FloatArray, FloatArray]:
        """The lower and upper corner of the axis-aligned box around the cylinder, (3,) each [m]."""
        return _symmetric(self._radius, self._radius, 0.5 * self._length)


def _add_up(a: float, b: float) -> float:
    """Return the sum of two positive numbers, rounded up unless it is exact (Knuth's two-sum)."""
    total = a + b
    part = total - a
    lost = (a - (total - part)) + (b - part)
    return math.nextafter(total, math.inf) if lost > 0.0 else total


def _symmetric(x: float, y: float, z: float) -> tuple[FloatArray, FloatArray]:
    """Return the corners of the box [-x, x] x [-y, y] x [-z, z] as arrays that cannot be written to."""
    upper = np.array([x, y, z])
    lower = -upper
    lower.flags.writeable = False
    upper.flags.writeable = False
    return lower, upper
