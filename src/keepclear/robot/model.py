"""A robot: links with shapes, joints that move them, and the pairs of links that may touch."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, checked_flag, read_only, shown
from keepclear.errors import ArgumentError, UnknownNameError
from keepclear.geometry.pose import checked_poses, one_pose
from keepclear.geometry.spheres.cover_build import Progress, checked_wish
from keepclear.kernels.tables.motion import FIXED
from keepclear.kernels.tables.record import Rows
from keepclear.kinds import ROBOTS
from keepclear.motion.joints.kinematics import Kinematics, build_tables, checked_configurations, link_poses
from keepclear.names import known_names
from keepclear.robot.links import AllowedPair, Link, elements_of

if TYPE_CHECKING:
    from keepclear.robot.pairs.reach import ProvedPairs
    from keepclear.robot.spheres.model import SphereModel

__all__ = ["Robot"]

IDENTITY = np.eye(4)[None]


@ROBOTS.register
@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False, repr=False)
class Robot:
    """Links, the joints between them, and which links may touch each other; immutable.

    `kc.read_robot` makes one from a URDF file.

    Attributes:
        name: For messages and reports.
        kinematics: The tree of links and joints as arrays.
        links: In the order of `link_names`.
        link_joints: The joint above each link, "" for the root.
        allowed_pairs: Pairs of links that are not checked, and why.
        groups: Names of joints by the name of their group, from the SRDF.
        states: Configurations (dof,) by "group/name", from the SRDF; joints outside of the group are at their zero.
        warnings: Warnings for the user: links without collision shapes, implausible sizes, unknown names.
        source: The path of the file, "" where there is none.

    Examples:
        >>> import numpy as np
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> import keepclear as kc
        >>> text = '''<robot name="lever">
        ...   <link name="base"/>
        ...   <link name="arm"><collision><geometry><box size="1 0.1 0.1"/></geometry></collision></link>
        ...   <joint name="turn" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/></joint>
        ... </robot>'''
        >>> with TemporaryDirectory() as folder:
        ...     file = Path(folder) / "lever.urdf"
        ...     _ = file.write_text(text)
        ...     robot = kc.read_robot(file)
        >>> robot
        Robot('lever', 1 joint, 2 links, 1 shape)
        >>> robot.link_poses([np.pi / 2])[1, :2, :2].round(6).tolist()
        [[0.0, -1.0], [1.0, 0.0]]
    """

    name: str
    kinematics: Kinematics
    links: tuple[Link, ...]
    link_joints: tuple[str, ...]
    allowed_pairs: tuple[AllowedPair, ...] = ()
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    states: Mapping[str, FloatArray] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    source: str = ""
    _tables: Rows = field(init=False)
    _wrongly_allowed: tuple[object, ...] | None = field(init=False, default=None)
    _models: dict[tuple[float | None, int | None, bool], SphereModel] = field(init=False)
    _token: bytes = field(init=False, default=b"")

    def __post_init__(self) -> None:
        object.__setattr__(self, "groups", MappingProxyType(dict(self.groups)))
        object.__setattr__(self, "states", MappingProxyType(dict(self.states)))
        object.__setattr__(self, "kinematics", self.kinematics.unchanging())
        object.__setattr__(self, "_tables", build_tables(self.kinematics))
        object.__setattr__(self, "_models", {})

    def __reduce__(self) -> tuple[Callable[..., Robot], tuple[object, ...]]:
        values = {f.name: getattr(self, f.name) for f in fields(self) if f.init}
        values |= {"groups": dict(self.groups), "states": dict(self.states)}
        if not self._token:
            object.__setattr__(self, "_token", os.urandom(16))
        _pickled[self._token] = self
        return _restored, (type(self), self._token, *values.values())

    @property
    def joint_names(self) -> tuple[str, ...]:
        """The independent joints, in the order of the file: the columns of q."""
        return self.kinematics.joint_names

    @property
    def link_names(self) -> tuple[str, ...]:
        """All links, parents before their children; the first is the root."""
        return self.kinematics.link_names

    @property
    def dof(self) -> int:
        """The number of independent joints."""
        return len(self.kinematics.joint_names)

    @property
    def lower(self) -> FloatArray:
        """(dof,) lower limits of q, -inf where there is none [rad or m]; read-only."""
        return read_only(self.kinematics.lower)

    @property
    def upper(self) -> FloatArray:
        """(dof,) upper limits of q, inf where there is none [rad or m]; read-only."""
        return read_only(self.kinematics.upper)

    @property
    def speed(self) -> FloatArray:
        """(dof,) limits of the joints' speeds, inf where there is none [rad/s or m/s]; read-only."""
        return read_only(self.kinematics.speed)

    @property
    def zero(self) -> FloatArray:
        """(dof,) the zero pose: 0 for each joint, or the middle of its limits where these exclude 0."""
        return self.kinematics.zero()

    def link(self, name: str) -> Link:
        """Return the link of that name."""
        return self.links[self.link_index(name)]

    def link_index(self, name: str) -> int:
        """Return the number of the link of that name."""
        try:
            return self.link_names.index(name)
        except ValueError:
            raise self._unknown("link", name, self.link_names) from None

    def link_poses(
        self, q: npt.ArrayLike | Mapping[str, npt.ArrayLike], X_WB: npt.ArrayLike | None = None
    ) -> FloatArray:
        """Return the poses of all links.

        Args:
            q: One configuration (dof,) or many (n, dof), columns as in `joint_names` [rad or m]; or a value or n
                values for each joint by its name.
            X_WB: Pose of the root link in the world, (4, 4), or (n, 4, 4); the identity if None.

        Returns:
            (links, 4, 4) for one configuration, else (n, links, 4, 4), in the order of `link_names`.

        Raises:
            ArgumentError: q has a wrong shape, or a number in it is not finite.
            UnknownNameError: There is no such joint.
        """
        values, single = checked_configurations(self.name, self.kinematics, q)
        base = IDENTITY
        if X_WB is not None:
            base, _, one_base = checked_poses(X_WB, "X_WB", scaled=False)
            if not one_base and single:
                values, single = np.repeat(values, len(base), axis=0), False
            if not one_base and len(base) != len(values):
                raise ArgumentError(
                    f"robot '{self.name}': X_WB has {len(base)} poses, but q has {len(values)} configurations; "
                    "give one pose, or as many as configurations."
                )
        poses = link_poses(self._tables, values, base)
        return poses[0] if single else poses

    def state(self, name: str) -> FloatArray:
        """Return a named configuration (dof,): "group/name", or the name alone if only one group has it."""
        found = [key for key in self.states if name in (key, key.partition("/")[2])]
        if len(found) == 1:
            return self.states[found[0]].copy()
        if found:
            raise ArgumentError(
                f"robot '{self.name}' has {len(found)} states '{name}'; say which: {', '.join(found)}."
            )
        raise self._unknown("state", name, tuple(self.states))

    def attach(self, name: str, shape: object, link: str, X_LA: npt.ArrayLike | None = None) -> Self:
        """Return a robot with one more link, such as a tool, fixed to a link.

        The two may touch; if that link has no shapes, the nearest link above it with shapes may touch the new one
        instead.

        Args:
            name: Name of the new link.
            shape: Its shape, or several as (shape, pose in the frame of the new link).
            link: The link to which it is fixed.
            X_LA: Its pose in the frame of that link, (4, 4); the identity if None.

        Raises:
            ArgumentError: The name is taken, or the shape is not a shape.
            UnknownNameError: There is no such link.
            PoseError: X_LA is not a pose.
        """
        if not isinstance(name, str) or not name or name in self.link_names:
            what = "is taken" if isinstance(name, str) and name else "is not a name"
            raise ArgumentError(
                f"robot '{self.name}': a link cannot be called {shown(name)}, which {what}; choose another name."
            )
        parent = self.link_index(link)
        X_PJ = np.eye(4) if X_LA is None else one_pose(X_LA, "X_LA")
        k = self.kinematics
        kinematics = replace(
            k,
            link_names=(*k.link_names, name),
            parent=np.append(k.parent, parent),
            X_PJ=np.concatenate((k.X_PJ, X_PJ[None])),
            kind=np.append(k.kind, FIXED),
            axis=np.concatenate((k.axis, [[0.0, 0.0, 1.0]])),
            column=np.append(k.column, -1),
            multiplier=np.append(k.multiplier, 1.0),
            offset=np.append(k.offset, 0.0),
        )
        beside = parent
        while not self.links[beside].elements and k.parent[beside] >= 0:
            beside = int(k.parent[beside])
        pair = AllowedPair(self.link_names[beside], name, "neighbours", f"{name} is attached to {link}")
        return replace(
            self,
            kinematics=kinematics,
            links=(*self.links, Link(name, elements_of(shape))),
            link_joints=(*self.link_joints, f"{name}_attached"),
            allowed_pairs=(*self.allowed_pairs, pair),
        )

    def with_allowed(self, a: str, b: str, reason: str = "allowed", detail: str = "") -> Self:
        """Return a robot in which two more links may touch."""
        self.link_index(a)
        self.link_index(b)
        if a == b:
            raise ArgumentError(
                f"robot '{self.name}': a link is never checked against itself, but got '{a}' twice."
            )
        return replace(self, allowed_pairs=(*self.allowed_pairs, AllowedPair(a, b, reason, detail)))

    def prove_pairs(
        self,
        limits: npt.ArrayLike | Mapping[str, tuple[float, float]] | None = None,
        tolerance: float = 1e-4,
        budget: int | None = None,
    ) -> ProvedPairs:
        """Return which pairs of links can touch anywhere within the limits of the joints, proved for each pair.

        A pair is NEVER in contact, ALWAYS, or SOMETIMES, with a configuration for each side. Allowed pairs are not left
        out: compare them with `ProvedPairs.wrongly_allowed`. Only links with shapes, and only the joints between two
        links count. A pair whose minimum distance is between 0 and the tolerance may get either kind, and so may one
        that everywhere touches or is closer than that: `PairReach.is_within` marks these pairs.

        Args:
            limits: Lower and upper ends of the joints, (dof, 2), or (lower, upper) for some by their names; by default
                the robot's own. Continuous joints make one full turn [rad or m].
            tolerance: A pair whose minimum distance is between 0 and this may get either kind [m].
            budget: Maximum number of boxes of joint values for each pair of shapes, None: 2 million; one that needs
                exact shapes counts as 200. Proofs that links always touch end after 400 boxes. The remaining pairs are
                UNDECIDED.

        Raises:
            ArgumentError: A prismatic joint has no limits, limits are invalid, or the tolerance is not positive.
            UnknownNameError: There is no such joint.

        Examples:
            >>> from pathlib import Path
            >>> from tempfile import TemporaryDirectory
            >>> import keepclear as kc
            >>> ball = "<collision><geometry><sphere radius='0.1'/></geometry></collision>"
            >>> joint = "<joint name='{}' type='revolute'><parent link='{}'/><child link='{}'/>"
            >>> end = "<origin xyz='0.3 0 0'/><axis xyz='0 0 1'/><limit lower='-3' upper='{}'/></joint>"
            >>> text = "<robot name='arm'>" + "".join(f"<link name='{name}'>{ball}</link>" for name in "abc")
            >>> text += joint.format("j1", "a", "b") + end.format(3) + joint.format("j2", "b", "c") + end.format(3)
            >>> with TemporaryDirectory() as folder:
            ...     file = Path(folder) / "arm.urdf"
            ...     _ = file.write_text(text + "</robot>")
            ...     robot = kc.read_robot(file)
            >>> print(robot.prove_pairs())
            a - b  NEVER
            a - c  SOMETIMES, hulls overlap by 158 mm
            b - c  NEVER
            3 pairs: 2 NEVER, 1 SOMETIMES
            >>> robot.prove_pairs({"j1": (-1, 1)})["c", "a"].kind
            <Reach.NEVER: 'NEVER'>
        """
        from keepclear.robot.pairs.prove import prove_pairs

        return prove_pairs(self, limits, tolerance, budget)

    def sphere_model(
        self,
        accuracy: float | None = None,
        *,
        max_spheres: int | None = None,
        solid: bool = False,
        progress: Progress | None = None,
    ) -> SphereModel:
        """Return few spheres for each link that provably cover its shapes; attached tools are links too.

        The model is built once for the same arguments and kept with the robot.

        Args:
            accuracy: How far spheres may reach beyond their link at most [m].
            max_spheres: Instead of `accuracy`, the maximum number of spheres of the robot: the largest excess of a link
                is nearly the smallest that this number allows.
            solid: Whether the inside of closed shapes is covered too, so that containment needs no test.
            progress: Called as progress(done, total, text) before each search for the spheres of a link; done and
                total are 0, because the number of searches is not known.

        Raises:
            ArgumentError: A number is out of its range, or both or neither of the two are given.
        """
        from keepclear.robot.spheres.model import build_sphere_model

        key = (*checked_wish(accuracy, max_spheres), checked_flag("solid", solid))
        found = self._models.get(key)
        if found is None:
            found = self._models[key] = build_sphere_model(self.name, self.links, *key, progress)
        return found

    def __repr__(self) -> str:
        shapes = sum(len(link.elements) for link in self.links)
        return (
            f"Robot('{self.name}', {self.dof} joint{'s' * (self.dof != 1)}, "
            f"{len(self.links)} link{'s' * (len(self.links) != 1)}, {shapes} shape{'s' * (shapes != 1)})"
        )

    def _unknown(self, what: str, name: object, names: tuple[str, ...]) -> UnknownNameError:
        """Return the error for an unknown name."""
        asked = repr(name) if isinstance(name, str) else shown(name)
        return UnknownNameError(f"robot '{self.name}' has no {what} {asked}{known_names(name, names, what)}")


_pickled: WeakValueDictionary[bytes, Robot] = WeakValueDictionary()


def _restored(kind: type[Robot], token: bytes, *values: Any) -> Robot:
    """Return a pickled robot: the existing one, if this process created or restored it before.

    Robots are immutable, so cells that share one also share it in a worker, which then builds its hulls once.
    """
    robot = _pickled.get(token)
    if robot is None:
        robot = kind(*values)
        object.__setattr__(robot, "_token", token)
        _pickled[token] = robot
    return robot
