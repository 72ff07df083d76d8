"""Groups of named moving bodies, tracked as one body; members can be attached and detached between frames."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from threading import Lock
from typing import NamedTuple

from keepclear.checks import FloatArray, shown
from keepclear.errors import ArgumentError, UnknownNameError
from keepclear.geometry.bodies.body import Geometry, as_geometry
from keepclear.geometry.pose import checked_pose
from keepclear.names import known_names

__all__ = ["Group"]


class Content(NamedTuple):
    """The members of a group, replaced as a whole, so that a tracker in another thread reads them of one moment."""

    members: dict[str, Geometry | Group]
    fixed: dict[str, FloatArray]  # poses of members that were given with one
    revision: int


class Group:
    """Named bodies and groups, which a `kc.Tracker` tracks as one body.

    Members at rest relative to each other are merged into one convex hull, which is released when another body enters
    it. Nest groups by assembly: fixture in cell in hall.

    Args:
        members: Each a shape or tree, which gets a pose in every frame; a pair (shape, X_W), which stays at that pose
            in the world; or a group. Names are unique in a group and in the groups within it.

    Examples:
        >>> import numpy as np
        >>> import keepclear as kc
        >>> post, beam, X = kc.Box([0.1, 0.1, 1.0]), kc.Box([1.0, 0.1, 0.1]), np.eye(4)
        >>> gate = kc.Group({"left": post, "right": post, "top": beam})
        >>> scene = kc.Group({"gate": gate, "floor": (kc.Box([5.0, 5.0, 0.1]), X)})
        >>> scene
        Group(gate: Group(left, right, top), floor)
        >>> scene.attach("part", kc.Sphere(0.1))
        >>> sorted(scene), len(scene)
        (['floor', 'gate', 'part'], 3)
    """

    __slots__ = ("_content", "_lock")

    def __init__(self, members: Mapping[str, object]) -> None:
        if not isinstance(members, Mapping):
            raise ArgumentError(
                f"Group takes a mapping from names to members, but it was given {shown(members)}."
            )
        self._content = Content({}, {}, 0)
        self._lock = Lock()
        for name, member in members.items():
            self.attach(name, member)

    def attach(self, name: str, member: object) -> None:
        """Add a member; trackers of the group use it from their next frame on.

        Raises:
            ArgumentError: The name is taken, empty or has a slash, or the member is this group or contains it.
        """
        if not isinstance(name, str) or not name or "/" in name:
            raise ArgumentError(
                f"the name of a member must be a string without '/', but it is {shown(name)}."
            )
        body: Geometry | Group
        fixed: dict[str, FloatArray] = {}
        if isinstance(member, Group):
            if member is self or self in set(member._groups()):
                raise ArgumentError(f"member {name!r} contains the group itself.")
            body = member
        elif isinstance(member, tuple):
            body, fixed[name] = _checked_fixed(name, member)
        elif isinstance(member, list):
            raise ArgumentError(f"member {name!r} is a list of parts; give a kc.Group of them.")
        else:
            body = as_geometry(member)
        with self._lock:
            old = self._content
            if name in old.members:
                raise ArgumentError(
                    f"the group has a member {name!r} already; detach it first, or take another name."
                )
            self._content = Content(old.members | {name: body}, old.fixed | fixed, old.revision + 1)

    def detach(self, name: str) -> None:
        """Remove a member; trackers of the group drop it with their next frame.

        Raises:
            UnknownNameError: There is no such member.
        """
        with self._lock:
            self._check_name(name)
            old = self._content
            members, fixed = ({key: kept for key, kept in each.items() if key != name} for each in old[:2])
            self._content = Content(members, fixed, old.revision + 1)  # type: ignore[arg-type]

    @property
    def _members(self) -> dict[str, Geometry | Group]:
        return self._content.members

    def _check_name(self, name: str) -> None:
        if name not in self._members:
            raise UnknownNameError(
                f"the group has no member {shown(name)}{known_names(name, self._members, 'member')}"
            )

    def _groups(self) -> Iterator[Group]:
        """Yield this group and all groups within it."""
        yield self
        for member in self._members.values():
            if isinstance(member, Group):
                yield from member._groups()

    def __copy__(self) -> Group:
        again = Group({})
        again._content = self._content  # replaced, never changed
        return again

    def __reduce__(self) -> tuple[type[Group], tuple[dict[str, object]]]:
        content = self._content
        return Group, (
            {name: (body, content.fixed[name]) if name in content.fixed else body
             for name, body in content.members.items()},
        )  # fmt: skip

    def __getitem__(self, name: str) -> Geometry | Group:
        self._check_name(name)
        return self._members[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)

    def __contains__(self, name: object) -> bool:
        return name in self._members

    def __repr__(self) -> str:
        shown_ = (
            f"{name}: {member!r}" if isinstance(member, Group) else name
            for name, member in self._members.items()
        )
        return f"Group({', '.join(shown_)})"


def _checked_fixed(name: str, member: tuple[object, ...]) -> tuple[Geometry, FloatArray]:
    if len(member) != 2:
        raise ArgumentError(
            f"member {name!r} must be a shape, a pair (shape, X_W) or a kc.Group, but it is {shown(member)}."
        )
    X_W = checked_pose(member[1], f"the pose of member {name!r}", scaled=False)
    return as_geometry(member[0]), X_W
