"""The items of a world: objects and robots, made of parts that move together."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from keepclear.checks import FloatArray
from keepclear.errors import ArgumentError, KeepclearError
from keepclear.geometry.bodies.body import (
    HERE,
    Geometry,
    Part,
    as_body,
    as_geometry,
    has_parts,
    lists_shapes,
    mesh_of,
    shape_of,
)
from keepclear.geometry.bodies.bounds import bounding_volumes_of
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.geometry.shapes.packed import packed
from keepclear.geometry.trees.surface import bare_surface
from keepclear.geometry.trees.trees import Tree, Using, tree_of, trees_of
from keepclear.motion.joints.program import JointTrajectory
from keepclear.motion.motion import Motion
from keepclear.robot.model import Robot


class OwnMesh:
    """A mesh that no one but worlds has: its trees are freed with the last object that has this.

    A mesh references its trees, which reference the mesh.
    """

    __slots__ = ("__weakref__",)

    def __init__(self, body: Geometry) -> None:
        weakref.finalize(self, _let_go_of_trees, body).atexit = False


@dataclass(frozen=True, slots=True, eq=False)
class WorldObject:
    """An object with a name: its parts, and its motion; None: it has no pose.

    It never changes: scenes and copies of a world share it, and another motion makes another object.
    """

    name: str
    parts: tuple[Part, ...]
    motion: Motion | None
    own_mesh: OwnMesh | None = None

    @property
    def body(self) -> Geometry:
        """The shape of an object that has only one."""
        if len(self.parts) != 1:
            raise ArgumentError(
                f"object {self.name!r} has {len(self.parts)} parts; `submit` checks objects of one part."
            )
        return self.parts[0].body


@dataclass(frozen=True, slots=True, eq=False)
class WorldRobot:
    """A robot with a name: its links, its program, and the pose of its base; it never changes."""

    name: str
    robot: Robot
    program: JointTrajectory
    X_WB: FloatArray
    links: tuple[tuple[Part, ...], ...]


@dataclass(slots=True, eq=False)
class Item:
    """A member of pairs: an object, or a link of a robot; `name` is the object's, or robot/link."""

    name: str
    parts: tuple[Part, ...]
    owner: WorldObject | WorldRobot
    link: int = -1

    @property
    def error(self) -> float:
        """How far the true surface may be from its shapes [m]."""
        return max((part.error for part in self.parts), default=0.0)


def make_object(name: str, shape: Any, motion: Motion | None, using: Using | None = None) -> WorldObject:
    """Return an object of one shape, or of several that are given with their poses.

    One without a motion can only be asked about by `submit`, which searches its faces: its tree is built here, and so
    are the trees of all meshes where it is said which kind.
    """
    if lists_shapes(shape):
        try:
            parts = tuple(make_part(part.body, part.X_OP, using=using) for part in as_body(shape).parts)
        except KeepclearError as error:
            raise type(error)(f"object {name!r}: {error}") from None
        return WorldObject(name, parts, motion)
    is_ours = has_parts(shape)
    body = _mesh_of(name, shape) if is_ours else shape
    part = make_part(body, HERE, searched=motion is None, using=using)
    return WorldObject(name, (part,), motion, OwnMesh(part.body) if is_ours else None)


def make_robot(
    name: str, robot: Robot, program: JointTrajectory, X_WB: FloatArray, using: Using | None = None
) -> WorldRobot:
    """Return a robot with the parts of all its links; their trees are built when first searched, or if using is set."""
    links = tuple(
        tuple(make_part(e.shape, e.X_LG, using=using) for e in link.elements) for link in robot.links
    )
    return WorldRobot(name, robot, program, X_WB, links)


def make_part(shape: Any, X_OP: FloatArray, *, searched: bool = False, using: Using | None = None) -> Part:
    """Return a part; its tree is built if it is certain to be searched."""
    return Part(prepared(shape, searched=searched, using=using), X_OP)


def prepared(shape: object, *, searched: bool = False, using: Using | None = None) -> Geometry:
    """Return a shape or tree as checks take it, or raise what is wrong with it; its bounding volumes are known.

    Args:
        shape: The shape as given by the user.
        searched: Whether it is certain that its faces will be searched: then the tree of a mesh is built here, and
            otherwise by the first search; a mesh whose pairs are decided by hulls never needs one.
        using: The kind of tree that stands for a mesh, built here; None: the mesh itself.
    """
    body = as_geometry(shape)
    bounding_volumes_of(body)
    mesh = mesh_of(body)
    if mesh is None:
        packed(shape_of(body))
        return body
    bare_surface(mesh)  # refuses what is too small for boxes
    mesh._keep()  # worlds are made again, so that the next process spares what is built for this one
    if using is not None and body is mesh:
        body = tree_of(mesh, using)
        _ = body.surface
    elif using is not None and cast(Tree, body).kind != using:
        raise ArgumentError(
            f"the tree {body!r} cannot be added where using={using!r} is asked for; give its `mesh`."
        )
    elif searched:
        for tree in trees_of(cast(Tree, body), cast(Tree, body), None):
            _ = tree.surface  # whether it is a solid takes longer to find out than the tree to build
    return body


def items_of(owner: WorldObject | WorldRobot) -> list[Item]:
    """Return what takes part in pairs: the object, or the links that have a shape."""
    if isinstance(owner, WorldObject):
        return [Item(owner.name, owner.parts, owner)]
    names = owner.robot.link_names
    return [Item(f"{owner.name}/{names[k]}", parts, owner, k) for k, parts in enumerate(owner.links) if parts]


def parts_of(owner: WorldObject | WorldRobot) -> list[Part]:
    """Return all parts of an object or robot."""
    if isinstance(owner, WorldObject):
        return list(owner.parts)
    return [part for parts in owner.links for part in parts]


def links_of(owner: WorldObject | WorldRobot) -> list[str]:
    """Return the full names of all links of a robot, including those without a shape; none for an object."""
    if isinstance(owner, WorldObject):
        return []
    return [f"{owner.name}/{link}" for link in owner.robot.link_names]


def shape_above(owner: WorldObject | WorldRobot) -> dict[str, str]:
    """Return the links of a robot that have no shape, each with the nearest link above it that has one, or ""."""
    if isinstance(owner, WorldObject):
        return {}
    names, parent = links_of(owner), owner.robot.kinematics.parent
    found = {}
    for k, name in enumerate(names):
        above = k
        while above >= 0 and not owner.links[above]:
            above = int(parent[above])
        if above != k:
            found[name] = names[above] if above >= 0 else ""
    return found


def _let_go_of_trees(body: Geometry) -> None:
    shape_of(body)._packed = None


def _mesh_of(name: str, pair: Sequence[Any]) -> Mesh:
    if len(pair) != 2:
        raise ArgumentError(
            f"object {name!r}: expected a shape, vertices and faces as a pair, or a list of shapes with their poses, "
            f"but got {len(pair)} things."
        )
    return Mesh(pair[0], pair[1], name=name)
