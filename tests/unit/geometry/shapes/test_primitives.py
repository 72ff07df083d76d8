"""Sphere, box, capsule and cylinder: what they accept, print, equal and refuse."""

from __future__ import annotations

import copy
import pickle
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from keepclear.errors import KeepclearError, ShapeError
from keepclear.geometry.shapes.primitives import Box, Capsule, Cylinder, Sphere
from keepclear.geometry.shapes.shape import Shape

SHAPES: list[Shape] = [Sphere(0.5), Box([1.2, 0.8, 0.05]), Capsule(0.1, 0.4), Cylinder(0.1, 0.4)]


@pytest.mark.parametrize("shape", SHAPES, ids=repr)
def test_prints_as_code_that_makes_an_equal_shape(shape: Shape) -> None:
    again = eval(repr(shape))
    assert again == shape
    assert again is not shape
    assert hash(again) == hash(shape)


def test_printed_forms() -> None:
    assert repr(Sphere(2)) == "Sphere(radius=2.0)"
    assert repr(Box((1.2, 0.8, 0.05))) == "Box(size=(1.2, 0.8, 0.05))"
    assert repr(Capsule(radius=0.1, length=1)) == "Capsule(radius=0.1, length=1.0)"
    assert repr(Cylinder(length=1, radius=0.1)) == "Cylinder(radius=0.1, length=1.0)"


@pytest.mark.parametrize("shape", SHAPES, ids=repr)
def test_pickle_and_copy(shape: Shape) -> None:
    object.__setattr__(shape, "_packed", object())
    assert pickle.loads(pickle.dumps(shape)) == shape
    assert pickle.loads(pickle.dumps(shape))._packed is None
    assert copy.copy(shape) is shape
    assert copy.deepcopy(shape) is shape


def test_equality_is_by_type_and_content() -> None:
    assert Capsule(1, 2) != Cylinder(1, 2)
    assert Capsule(1, 2) != Capsule(2, 1)
    assert Sphere(1) != 1.0
    assert (
        len({Sphere(1), Sphere(1.0), Sphere(np.float32(1)), Sphere(Fraction(2, 2)), Sphere(np.array(1))}) == 1
    )


def test_numbers_of_many_kinds_are_sizes() -> None:
    assert Sphere(Fraction(1, 4)).radius == 0.25
    assert Box(np.array([1, 2, 3], dtype=np.int8)).size == (1.0, 2.0, 3.0)
    assert Box(np.array([0.5, 1, 2], dtype=np.float32)).size == (0.5, 1.0, 2.0)
    assert type(Cylinder(np.float64(1), 1).radius) is float


@pytest.mark.parametrize("name", ["radius", "_radius", "color"])
def test_never_changes(name: str) -> None:
    sphere = Sphere(1)
    with pytest.raises(AttributeError, match="a Sphere never changes"):
        setattr(sphere, name, 2.0)
    with pytest.raises(AttributeError, match="a Sphere never changes"):
        delattr(sphere, name)
    assert sphere.radius == 1.0


@pytest.mark.parametrize(
    ("shape", "upper"),
    [
        (Sphere(0.5), [0.5, 0.5, 0.5]),
        (Box([1, 2, 3]), [0.5, 1.0, 1.5]),
        (Capsule(0.5, 2), [0.5, 0.5, 1.5]),
        (Cylinder(0.5, 2), [0.5, 0.5, 1.0]),
    ],
    ids=repr,
)
def test_bounds(shape: Shape, upper: list[float]) -> None:
    lower, found = shape.bounds
    assert found.tolist() == upper
    assert lower.tolist() == [-x for x in upper]
    with pytest.raises(ValueError, match="read-only"):
        found[0] = 2.0


def test_bounds_of_a_capsule_are_never_too_small() -> None:
    generator = np.random.default_rng(5)
    n_rounded = 0
    for radius, length in 10.0 ** generator.uniform(-3, 3, (500, 2)):
        top = float(Capsule(radius, length).bounds[1][2])
        exact = Fraction(radius) + Fraction(length) / 2
        assert exact <= Fraction(top) <= exact * (1 + Fraction(1, 2**51))
        n_rounded += Fraction(top) != exact
    assert n_rounded > 100


@pytest.mark.parametrize("shape", SHAPES, ids=repr)
def test_scaled(shape: Shape) -> None:
    double = shape.scaled(2)
    assert type(double) is type(shape)
    np.testing.assert_array_equal(double.bounds[1], 2 * shape.bounds[1])
    assert shape.scaled(1.0) == shape
    assert shape.is_solid


def test_scaled_beyond_the_limits() -> None:
    with pytest.raises(ShapeError, match="between 1e-09 m and 1e\\+09 m"):
        Sphere(1).scaled(1e-10)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Sphere(0), r"Sphere: radius must be finite and > 0, but it is 0; give it in metres"),
        (lambda: Sphere("1"), r"Sphere: radius must be a number > 0, but it is '1' \(str\)"),
        (lambda: Sphere(True), r"but it is True"),
        (lambda: Sphere(float("nan")), r"but it is nan"),
        (lambda: Cylinder(1, -2), r"Cylinder: length must be finite and > 0, but it is -2"),
        (lambda: Cylinder(1, 1e10), r"between 1e-09 m and 1e\+09 m, but it is 10000000000.0"),
        (lambda: Capsule(1, 0), r"a capsule without length is a sphere, use kc.Sphere\(radius\)"),
        (lambda: Box([1, 2]), r"Box: size has 2 entries; expected three numbers"),
        (
            lambda: Box(np.array([1.0, -2.5, 3.0])),
            r"Box: size\[1\] must be finite and > 0, but it is -2\.5; give",
        ),
        (
            lambda: Sphere(np.int64(-3)),
            r"Sphere: radius must be finite and > 0, but it is -3; give",
        ),
        (lambda: Box([1, 2, 0]), r"Box: size\[2\] must be finite and > 0, but it is 0"),
        (
            lambda: Box(np.array([1, -0.1, 2])),
            r"Box: size\[1\] must be finite and > 0, but it is -0\.1; give",
        ),
        (lambda: Box(np.ones((3, 1))), r"Box: size has shape \(3, 1\); expected three numbers"),
        (lambda: Box(1.0), r"Box: size is 1.0; expected three numbers, such as size=\[1.2, 0.8, 0.05\]"),
        (lambda: Sphere(1).scaled(-1), r"Sphere: a shape is scaled by one finite number > 0"),
    ],
)
def test_messages(make: Any, message: str) -> None:
    with pytest.raises(ShapeError, match=message) as caught:
        make()
    assert isinstance(caught.value, KeepclearError)
    assert isinstance(caught.value, ValueError)
