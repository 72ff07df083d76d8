"""Values of a message with their path in the file: each access is checked, and each error names the field."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NoReturn

import numpy as np

from keepclear.cell.moveit.content import pose_of
from keepclear.cell.names import did_you_mean
from keepclear.checks import FloatArray, real_number
from keepclear.errors import CellError
from keepclear.tolerances import LARGEST_SIZE

__all__ = ["Field"]

_ABSENT: Final = object()
_HEADER = ("seq", "stamp", "frame_id")


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """A value of a message.

    Attributes:
        value: As YAML or JSON have it.
        path: Its path in the message, such as "world.collision_objects[0].id"; "" for the message itself.
        file: The file as the user names it.
    """

    value: Any
    path: str
    file: str

    @property
    def is_given(self) -> bool:
        """Whether the message has this field."""
        return self.value is not _ABSENT

    def __getitem__(self, key: str) -> Field:
        """Return a field of this message, which may be absent."""
        found = self.value.get(key, _ABSENT) if isinstance(self.value, Mapping) else _ABSENT
        return Field(found, f"{self.path}.{key}".lstrip("."), self.file)

    def fail(self, text: str) -> NoReturn:
        """Raise an error about this field."""
        raise CellError([": ".join(filter(None, (self.file, self.path, text)))])

    def message(self, *names: str) -> Field:
        """Return this message, an empty one if it is absent; a field of another name is an error."""
        if not self.is_given:
            return Field({}, self.path, self.file)
        if not isinstance(self.value, Mapping):
            self.fail(f"expected fields and values, but it is {self.shown}")
        for key in self.value:
            if key not in names:
                hint = did_you_mean(str(key)[:40], names, f"this message has {', '.join(names)}")
                self[str(key)].fail(f"this field is unknown{hint}")
        return self

    def items(self) -> list[Field]:
        """Return the items of a list, none if it is absent."""
        if not self.is_given:
            return []
        if not isinstance(self.value, list):
            self.fail(f"expected a list, but it is {self.shown}")
        return [Field(one, f"{self.path}[{k}]", self.file) for k, one in enumerate(self.value)]

    def text(self) -> str:
        """Return a text, "" if it is absent; `ros2 topic echo` writes some names as numbers, without quotes."""
        if not self.is_given:
            return ""
        if isinstance(self.value, bool) or not isinstance(self.value, str | int | float):
            self.fail(f"expected a text, but it is {self.shown}")
        return str(self.value)

    def name(self) -> str:
        """Return a text that is not empty."""
        found = self.text().strip()
        if not found:
            self.fail("it is missing or empty; give a name")
        return found

    def flag(self) -> bool:
        """Return true or false; false if it is absent."""
        if self.is_given and (not isinstance(self.value, bool | int) or self.value not in (0, 1)):
            self.fail(f"expected true or false, but it is {self.shown}")
        return self.is_given and bool(self.value)

    def number(self) -> float:
        """Return a finite number of a possible size."""
        found = real_number(self.value)
        if found is None or not math.isfinite(found):
            is_cut = isinstance(self.value, str) and "..." in self.value
            hint = "; echo the message with --full-length" if is_cut else ""
            self.fail(f"expected a number, but it is {self.shown}{hint}")
        if abs(found) > LARGEST_SIZE:
            self.fail(f"{found:g} is beyond {LARGEST_SIZE:g}; lengths are in metres, angles in radians")
        return found

    def point(self) -> FloatArray:
        """Return x, y and z."""
        fields = self.message("x", "y", "z")
        return np.array([fields[key].number() for key in "xyz"])

    def pose(self) -> FloatArray:
        """Return a geometry_msgs/Pose, (4, 4); the identity if it is absent."""
        return self._placed("position", "orientation")

    def transform(self) -> FloatArray:
        """Return a geometry_msgs/Transform, (4, 4); the identity if it is absent."""
        return self._placed("translation", "rotation")

    def frame(self) -> str:
        """Return the frame_id of a header, without a leading slash; "" if it is absent."""
        return self.message(*_HEADER)["frame_id"].text().removeprefix("/")

    @property
    def shown(self) -> str:
        """The beginning of the value, for messages."""
        return (
            "missing"
            if not self.is_given
            else repr(self.value if not isinstance(self.value, str) else self.value[:40])[:60]
        )

    def _placed(self, position: str, rotation: str) -> FloatArray:
        fields = self.message(position, rotation)
        p = fields[position].point() if fields[position].is_given else np.zeros(3)
        xyzw = np.array([0.0, 0.0, 0.0, 1.0])
        if fields[rotation].is_given:
            given = fields[rotation].message("x", "y", "z", "w")
            xyzw = np.array([given[key].number() for key in "xyzw"])
        X = pose_of(p, xyzw)
        return fields[rotation].fail(X) if isinstance(X, str) else X
