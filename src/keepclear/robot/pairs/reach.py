"""Results about the pairs of a robot's links that can touch over all values of its joints."""

from __future__ import annotations

import enum
import os
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from keepclear.checks import FloatArray
from keepclear.errors import UnknownNameError
from keepclear.names import known_names
from keepclear.robot.links import AllowedPair

if TYPE_CHECKING:
    from keepclear.robot.model import Robot

__all__ = ["PairReach", "ProvedPairs", "Reach"]


class Reach(enum.Enum):
    """Whether two links touch over a whole box of joint values; UNDECIDED is never rounded to another kind."""

    NEVER = "NEVER"
    ALWAYS = "ALWAYS"
    SOMETIMES = "SOMETIMES"
    UNDECIDED = "UNDECIDED"


@dataclass(frozen=True, slots=True, eq=False)
class PairReach:
    """Whether two links of a robot can touch within the limits of its joints.

    Attributes:
        a: Name of the first link, in the order of the robot.
        b: Name of the second.
        kind: NEVER (proved apart), ALWAYS (proved to touch), SOMETIMES, or UNDECIDED.
        q_apart: (dof,) a configuration in which they are apart, None where none was found [rad or m].
        q_touching: (dof,) a configuration in which they touch, None where none was found.
        volume_left: The share of the joint box for which nothing is proved; 0 unless it is UNDECIDED.
        is_rigid: Whether no joint moves them relative to each other, so that one pose decides.
        is_within: Whether contact is only shown within the tolerance: they touch exactly, or come this close.
        gap: Their distance in `q_touching`, or at any pose if they are rigid; 0 where they touch, nan if not known [m].
        hull_depth: How deep their convex hulls overlap in `q_touching`; nan where it is not known [m].
        boxes: How many boxes of joint values were examined.
    """

    a: str
    b: str
    kind: Reach
    q_apart: FloatArray | None = None
    q_touching: FloatArray | None = None
    volume_left: float = 0.0
    is_rigid: bool = False
    is_within: bool = False
    gap: float = np.nan
    hull_depth: float = np.nan
    boxes: int = 0

    def __str__(self) -> str:
        return f"{self.a} - {self.b}: {self.kind.value}{self.remark}"

    @property
    def remark(self) -> str:
        """A remark on the kind, in words that begin with a comma; "" for none."""
        found = ", no joint between them" if self.is_rigid else ""
        if self.kind is Reach.UNDECIDED:
            found += f", {self.volume_left:.2g} of the joint box is left"
        if self.is_within:
            what = f"comes as close as {self.gap:.2g} m" if self.gap > 0.0 else "touches"
            found += f", {what}, known only within the tolerance"
        elif self.kind is Reach.SOMETIMES and self.hull_depth > 0.0:
            found += f", hulls overlap by {1e3 * self.hull_depth:.3g} mm"
        return found


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ProvedPairs:
    """The results for all pairs of links with shapes; `pairs[a, b]` in either order, or iterate over all.

    Attributes:
        robot: The robot.
        limits: (dof, 2) the box of joint values for which they hold [rad or m].
        tolerance: A pair whose minimum distance is between 0 and this may get either kind [m].
        pairs: A `PairReach` each, in the order of the links.
    """

    robot: Robot
    limits: FloatArray
    tolerance: float
    pairs: tuple[PairReach, ...]
    _by_names: dict[frozenset[str], PairReach] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_names", {frozenset((pair.a, pair.b)): pair for pair in self.pairs})

    def __getitem__(self, names: tuple[str, str]) -> PairReach:
        found = None
        if isinstance(names, tuple) and len(names) == 2 and all(isinstance(name, str) for name in names):
            found = self._by_names.get(frozenset(names))
        if found is None:
            raise self._unknown(names)
        return found

    def __iter__(self) -> Iterator[PairReach]:
        return iter(self.pairs)

    def __len__(self) -> int:
        return len(self.pairs)

    def __repr__(self) -> str:
        return f"ProvedPairs('{self.robot.name}', {self._summary()})"

    def __str__(self) -> str:
        width = max((len(f"{pair.a} - {pair.b}") for pair in self.pairs), default=0)
        lines = [f"{f'{pair.a} - {pair.b}':{width}}  {pair.kind.value}{pair.remark}" for pair in self.pairs]
        return "\n".join([*lines, self._summary()])

    def of_kind(self, kind: Reach) -> tuple[PairReach, ...]:
        """Return the pairs of one kind."""
        return tuple(pair for pair in self.pairs if pair.kind is kind)

    def wrongly_allowed(self) -> tuple[tuple[AllowedPair, PairReach], ...]:
        """Return the pairs that the robot's `allowed_pairs` exclude from all checks although they touch only sometimes.

        Neighbours, which touch at their joint, are not listed.
        """
        found = {}
        for allowed in self.robot.allowed_pairs:
            names = frozenset((allowed.a, allowed.b))
            pair = self._by_names.get(names)
            if pair is not None and pair.kind is Reach.SOMETIMES and not is_adjacent(allowed, self.robot):
                found[names] = (allowed, pair)
        return tuple(found.values())

    def write_srdf(self, path: str | os.PathLike[str], keep: str | os.PathLike[str] | None = None) -> None:
        """Write an SRDF file that disables exactly the pairs that are proved never or always to touch.

        Pairs that touch only sometimes, or are undecided, stay enabled; and so do those that are only proved to stay
        within the tolerance of contact (`is_within`), unless they are neighbours.

        Args:
            path: The file; it is replaced.
            keep: An SRDF file whose groups, states and other elements are kept; None: the robot's own groups and
                states are written.

        Raises:
            FileMissingError: There is no file `keep`.
            RobotError: It cannot be read.
        """
        from keepclear.robot.readers.srdf import write_srdf

        write_srdf(self, path, keep)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as lists, numbers and strings for JSON; unknown numbers are None."""
        names = self.robot.joint_names
        return {
            "format": 1,
            "robot": self.robot.name,
            "tolerance": self.tolerance,
            "limits": {name: self.limits[k].tolist() for k, name in enumerate(names)},
            "pairs": [_as_dict(pair) for pair in self.pairs],
            "wrongly_allowed": [
                {"a": pair.a, "b": pair.b, "reason": allowed.reason, "detail": allowed.detail}
                for allowed, pair in self.wrongly_allowed()
            ],
        }

    def _summary(self) -> str:
        counts = [f"{len(self.of_kind(kind))} {kind.value}" for kind in Reach if self.of_kind(kind)]
        n = len(self.pairs)
        rigid = sum(pair.is_rigid for pair in self.pairs)
        more = f"; {rigid} without a joint between the links" if rigid else ""
        return f"{n} pair{'s' * (n != 1)}: {', '.join(counts) or 'none'}{more}"

    def _unknown(self, names: object) -> UnknownNameError:
        links = tuple(link.name for link in self.robot.links if link.elements)
        for name in names if isinstance(names, tuple) else ():
            if name not in links:
                what = (
                    "has no shapes, so nothing is known" if name in self.robot.link_names else "is not there"
                )
                return UnknownNameError(
                    f"robot '{self.robot.name}': link {name!r} {what}{known_names(name, links, 'link')}"
                )
        return UnknownNameError(
            f"robot '{self.robot.name}': give the names of two different links, such as pairs['a', 'b'], "
            f"but got {names!r}."
        )


def is_adjacent(allowed: AllowedPair, robot: Robot) -> bool:
    """Return whether an allowed pair are neighbours, which touch at their joint, or are said to be adjacent."""
    from keepclear.robot.pairs.allowed import neighbours

    if allowed.reason == "neighbours" or allowed.detail.strip().lower() == "adjacent":
        return True
    return any({pair.a, pair.b} == {allowed.a, allowed.b} for pair in neighbours(robot))


def _as_dict(pair: PairReach) -> dict[str, Any]:
    found = {}
    for one in fields(pair):
        value = getattr(pair, one.name)
        if isinstance(value, Reach):
            value = value.value
        elif isinstance(value, np.ndarray):
            value = value.tolist()
        found[one.name] = None if isinstance(value, float) and np.isnan(value) else value
    return found
