"""Every number that a public call takes is answered, or refused by one error that names it; nothing overflows."""

from __future__ import annotations

import math
import re
import warnings
from typing import Any

import numpy as np
import pytest
from tests.unit import public_arguments as table

import keepclear as kc

VALUES = [1e308, -1e308, 1e200, -1e200, 5e-324, -5e-324, math.inf, -math.inf, math.nan, -0.0]
NAMED_AS = {  # a message may name the thing that the argument becomes
    "Crowd.bounds_at.t": "what was at",
    "Crowd.positions.t": "what was at",
    "Crowd.velocities.t": "what was at",
    "World.add_robot.motion": "q",
    "World.allow.t_to": "its end",
    "World.attach.t_to": "its end",
    "World.update.X": "the pose of",
    "PoseTrajectory.from_positions.positions": "X_W",
    "PoseTrajectory.from_positions.quat_wxyz": "X_W",
    "PoseTrajectory.from_positions.quat_xyzw": "X_W",
    "cell file: from": "t_from",
    "cell file: interval": "t1",
    "cell file: position": "translation",
    "prepare.sphere_tree": "accuracy",
    "VerifyOptions.stepwise": "dt",
    "verify_many.timeout": "time",
    "fleet.verify_many.timeout": "time",
    "fleet.verify_programs.timeout": "time",
}
NUMBERS = table.NUMBERS | table.MORE_NUMBERS


def is_answered(name: str, call: Any, value: Any) -> bool:
    """Return whether a call returns; if it raises, the error must be one of keepclear that names the argument."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            call(value)
        except kc.KeepclearError as error:
            text = str(error)
        else:
            return True
    known = name.split(".")[-1].split(": ")[-1]
    assert re.search(rf"\b({re.escape(known)}|{re.escape(NAMED_AS.get(name, known))})\b", text)
    return False


@pytest.mark.parametrize("name", NUMBERS)
def test_a_number(name: str) -> None:
    for value in VALUES:
        is_answered(name, NUMBERS[name], value)
    assert is_answered(name, NUMBERS[name], -0.0) == is_answered(name, NUMBERS[name], 0.0)


@pytest.mark.parametrize(
    "name", [name for name, array in table.ARRAYS.items() if array.good.dtype.kind == "f"]
)
def test_a_number_of_an_array(name: str) -> None:
    good, call = table.ARRAYS[name]
    assert is_answered(name, call, good)
    for value in VALUES:
        changed = np.array(good)
        changed.flat[changed.size // 2] = value
        is_answered(name, call, changed)


@pytest.mark.parametrize(
    "name",
    [
        "World.check_configurations.margin",
        "World.check_edges.margin",
        "first_contact.margin",
        "collide.margin",
    ],
)
def test_the_largest_margin_is_contact(name: str) -> None:
    found = NUMBERS[name](1e13)
    contact = found.verdict is kc.Verdict.COLLIDING if name.startswith("first") else None  # type: ignore[attr-defined]
    if contact is None:
        contact = np.all(found.may_touch if name.startswith("collide") else found.colliding)  # type: ignore[attr-defined]
    assert contact
    with pytest.raises(kc.ArgumentError, match=r"margin = 1.1e\+13 metres is beyond the largest, 1e\+13"):
        NUMBERS[name](1.1e13)


def test_the_table_has_every_argument_of_this_kind() -> None:
    """A new public number or array needs a row in `public_arguments`."""
    numbers, arrays = set(), set()
    for name, annotation in table.parameters():
        if "ArrayLike" in annotation or "Configurations" in annotation:
            arrays.add(name)
        elif "float" in annotation and "Callable" not in annotation:
            numbers.add(name)
    assert numbers - set(table.NUMBERS) - set(table.ARRAYS) == set()
    assert set(table.NUMBERS) - numbers == set()
    assert arrays - set(table.ARRAYS) == set()
