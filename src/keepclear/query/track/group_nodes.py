"""The members of a tracked group as a tree of nodes: poses, how far they have moved, and whether they are at rest."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from keepclear.checks import FloatArray, shown
from keepclear.errors import ArgumentError
from keepclear.geometry.bodies.body import Geometry, mesh_of, shape_of
from keepclear.geometry.pose import checked_poses, refuse_pose
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.kernels.convex.pose import project_poses
from keepclear.names import listed
from keepclear.query.track.group import Group
from keepclear.query.track.tracked_hulls import TrackedHull, hull_of_leaf, sphere_around

AT_REST = 1e-9
"""Largest relative drift of members that count as at rest, as a part of the group's size [1].

Poses of a group that moves as one are rounded each frame. Their drift is measured and subtracted from lower bounds.
"""

COMPOSED = 2.0**-48
"""Bound of the rounding of a point under a relative pose, as a part of the terms of its sums [1]."""


class Node:
    """A body or a group within a tracked group, with its hull, intact or released; compared by identity."""

    __slots__ = (
        "body", "children", "clear_t", "drift", "first", "group", "hull", "is_near", "is_released", "last", "moved_t",
        "path", "relative", "travel",
    )  # fmt: skip

    def __init__(self, path: str, body: Geometry | None, group: Group | None) -> None:
        self.path, self.body, self.group = path, body, group
        self.children: list[Node] = []
        self.first = self.last = 0
        self.hull: TrackedHull | None = None if body is None else hull_of_leaf(body)
        self.is_released = self.is_near = False
        self.clear_t = self.moved_t = -math.inf
        self.travel = self.drift = 0.0
        self.relative: FloatArray | None = None

    @property
    def mesh(self) -> Mesh | None:
        """The mesh of a leaf; None for groups and convex shapes."""
        return None if self.body is None else mesh_of(self.body)

    @property
    def n_elements(self) -> int:
        """The number of elements that replace the node when it is released: members, or triangles."""
        return len(self.children) if self.mesh is None else len(self.mesh._triangles)

    @property
    def may_open(self) -> bool:
        """Whether it is a group or a mesh."""
        return self.group is not None or self.mesh is not None

    @property
    def is_openable(self) -> bool:
        """Whether the hull differs from its content: a group, or a mesh that is not convex."""
        return self.group is not None or (
            self.hull is not None and self.mesh is not None and not self.hull.is_convex
        )

    @property
    def is_intact(self) -> bool:
        """Whether its hull represents it."""
        return self.hull is not None and not self.is_released

    def cut(self) -> Iterator[Node]:
        """Yield the nodes that represent this one: itself, or those of its members if its hull is not in use."""
        if self.group is None or self.is_intact:
            yield self
        else:
            for child in self.children:
                yield from child.cut()

    def within(self) -> Iterator[Node]:
        """Yield all nodes below this one, and then this one."""
        for child in self.children:
            yield from child.within()
        yield self


class Side:
    """One of two tracked bodies: a tree of nodes, and arrays with a row for each leaf.

    Attributes:
        root: The root of the tree.
        names: The names of the leaves, by which poses are given.
        X: (n, 4, 4) their poses in the world.
        centers, radii: Spheres around them, in their frames [m].
    """

    def __init__(self, label: str, body: Geometry | Group) -> None:
        self.label, self.source = label, body
        self._leaves: dict[str, Node] = {}
        self._groups: dict[int, Node] = {}
        self._fixed: dict[str, FloatArray] = {}
        self.X: FloatArray = np.empty((0, 4, 4))
        self._revision: tuple[tuple[int, int], ...] = ()
        self.is_single = not isinstance(body, Group)
        self.changes: list[tuple[str, str]] = []
        self._has_begun = False  # members given with poses rest since long before the first frame
        self.root = self._rebuild()

    def _revisions(self) -> tuple[tuple[int, int], ...]:
        if not isinstance(self.source, Group):
            return ()
        return tuple((id(group), group._content.revision) for group in self.source._groups())

    def synchronise(self) -> bool:
        """Update the tree for attached and detached members; return whether there were any.

        Raises:
            ArgumentError: The group is empty, or two members have one name.
        """
        if self._revisions() == self._revision:
            return False
        self.root = self._rebuild()
        return True

    def _rebuild(self) -> Node:
        """Return the current tree of the group; nodes of remaining members are kept, with their data."""
        revisions = (
            self._revisions()
        )  # before members are read: a change in between is seen by the next frame
        old_leaves, old_groups = self._leaves, self._groups
        old_rows = {name: node.first for name, node in old_leaves.items()}
        self._leaves, self._groups, self._fixed = {}, {}, {}
        try:
            root = self._node(self.label, self.source, old_leaves, old_groups)
            if not self._leaves:
                raise ArgumentError(f"{self.label} is a group without bodies; attach at least one.")
        except ArgumentError:
            self._leaves, self._groups, self._revision = old_leaves, old_groups, ()
            raise
        self._revision = revisions
        self.names, nodes = list(self._leaves), list(self._leaves.values())
        spheres = [sphere_around(shape_of(node.body).bounds) for node in nodes]  # type: ignore[arg-type]
        self.centers = np.array([center for center, _ in spheres])
        self.radii = np.array([radius for _, radius in spheres])
        self._extent = float((np.abs(self.centers).max(axis=1) + self.radii).max())
        poses, known = np.tile(np.eye(4), (len(nodes), 1, 1)), np.zeros(len(nodes), bool)
        for k, (name, node) in enumerate(self._leaves.items()):
            if old_leaves.get(name) is node:
                poses[k], known[k] = self.X[old_rows[name]], True
        self.X, self._is_known, self._centers = poses, known, self._centers_W(poses)
        self._moving = {name: k for k, name in enumerate(self.names) if name not in self._fixed}
        self._number(root, 0)
        self.changes = [
            (node.path, "detached") for name, node in old_leaves.items() if name not in self._leaves
        ]
        if old_leaves:
            self.changes += [
                (self._leaves[name].path, "attached") for name in self.names if name not in old_leaves
            ]
        return root

    def _node(
        self, path: str, source: Geometry | Group, old_leaves: dict[str, Node], old_groups: dict[int, Node]
    ) -> Node:
        if not isinstance(source, Group):
            name = path.rsplit("/", 1)[-1]
            if name in self._leaves:
                raise ArgumentError(
                    f"{self.label} has two members {name!r}; names of bodies are unique in all its groups."
                )
            old = old_leaves.get(name)
            node = old if old is not None and old.body is source else Node(path, source, None)
            node.path = path
            self._leaves[name] = node
            return node
        if id(source) in self._groups:
            raise ArgumentError(f"{path} is a group that is a member twice; give each member its own.")
        node = old_groups.get(id(source)) or Node(path, None, source)
        self._groups[id(source)], node.path = node, path
        content = source._content
        children = [
            self._node(f"{path}/{name}", member, old_leaves, old_groups)
            for name, member in content.members.items()
        ]
        self._fixed.update(content.fixed)
        if children != node.children:
            node.children, node.relative = children, None
        elif any(child.group is not None and child.relative is None for child in children):
            node.relative = None
        return node

    def _number(self, node: Node, first: int) -> int:
        """Number the leaves below a node from `first`; return the number after them."""
        node.first = first
        for child in node.children:
            first = self._number(child, first)
        node.last = first + 1 if node.group is None else first
        return node.last

    def posed(self, poses: Any, name: str) -> FloatArray:
        """Return the checked poses of a frame, (n, 4, 4); nothing has changed yet.

        Raises:
            ArgumentError: A member has no pose, or a pose has no member.
            PoseError: A pose is not rigid.
        """
        X = self.X.copy()
        if self.is_single:
            checked, _, single = checked_poses(poses, name, scaled=False)
            if not single:
                raise ArgumentError(f"{name}: frames of groups are given one by one, each pose (4, 4).")
            X[0] = checked[0]
        elif self._moving or poses:
            self._fill(X, poses, name)
        for member, X_W in self._fixed.items():
            X[self._leaves[member].first] = X_W
        return X

    def move(self, X: FloatArray) -> FloatArray:
        """Take over the poses of a frame; return an upper bound of how far each leaf has moved, (n,) [m]."""
        last, first = self.X, ~self._is_known
        self.X, self._is_known = X, np.ones(len(X), bool)
        if np.array_equal(X, last) and not first.any():
            return np.zeros(len(X))
        before, self._centers = self._centers_W(last), self._centers_W(X)
        turned = np.sqrt(((X[:, :3, :3] - last[:, :3, :3]) ** 2).sum(axis=(1, 2)))
        moved = np.sqrt(((self._centers - before) ** 2).sum(axis=1)) + turned * self.radii
        # Rounding: 15 units of both positions, 40 of a centre's coordinates and 24 of a radius, at most.
        size = np.abs(X[:, :3, 3]).max() + np.abs(last[:, :3, 3]).max() + 2.0 * self._extent
        moved = np.where(moved > 0.0, moved + COMPOSED * size, 0.0)
        moved[first] = 0.0  # they have no data that could become invalid
        return moved

    def _fill(self, X: FloatArray, poses: Any, name: str) -> None:
        if not isinstance(poses, Mapping):
            raise ArgumentError(
                f"{name} must be a mapping from the names of {self.label}'s members to poses, but it is {shown(poses)}."
            )
        missing = [member for member in self._moving if member not in poses]
        if missing or len(poses) != len(self._moving):
            unknown = [str(member) for member in poses if member not in self._moving]
            what = (
                f"no pose for {listed(missing)}"
                if missing
                else f"poses for {listed(unknown)}, which need none"
            )
            raise ArgumentError(
                f"{name} has {what}; give the pose of each member that was added without one, in each frame."
            )
        for member, k in self._moving.items():
            try:
                X[k] = poses[member]
            except (TypeError, ValueError):
                checked_poses(poses[member], f"{name}[{member!r}]", scaled=False)
                raise ArgumentError(f"{name}[{member!r}] must be one pose (4, 4).") from None
        given = X.copy()
        bad = project_poses(X)
        if bad:
            k, why = divmod(-bad - 1, 8)
            refuse_pose(f"{name}[{self.names[k]!r}]", given, k, why, single=True)

    def _centers_W(self, X: FloatArray) -> FloatArray:
        return np.asarray(np.einsum("nij,nj->ni", X[:, :3, :3], self.centers) + X[:, :3, 3])

    def sphere_W(self) -> tuple[FloatArray, float]:
        """Return a sphere in the world around all leaves."""
        lower = (self._centers - self.radii[:, None]).min(axis=0)
        upper = (self._centers + self.radii[:, None]).max(axis=0)
        center = 0.5 * (lower + upper)
        rounding = COMPOSED * (float(np.abs(center).max()) + math.dist(upper, lower) + self._extent)
        return center, 0.5 * math.dist(upper, lower) + rounding

    def center_W(self, leaf: Node) -> FloatArray:
        """Return the centre of the sphere around a leaf in the world, (3,)."""
        center: FloatArray = self._centers[leaf.first]
        return center

    def settle(self, moved: FloatArray, t: float) -> list[Node]:
        """Add up travel, and record which members moved relative to each other; return groups whose hull is invalid."""
        is_still, void = not moved.any(), []
        for node in self.root.within():
            if node.first == node.last:  # all members are gone
                if node.hull is not None:
                    node.hull, node.is_released = None, False
                    void.append(node)
                continue
            if not is_still:
                node.travel += float(moved[node.first : node.last].max())
            if node.group is None or (is_still and node.relative is not None):
                continue
            if node.relative is not None and not moved[node.first : node.last].any():
                continue
            if self._has_drifted(node, t) and node.hull is not None:
                node.hull, node.is_released = None, False
                void.append(node)
        self._has_begun = True
        return void

    def _has_drifted(self, node: Node, t: float) -> bool:
        """Measure how far the members of a group have moved relative to the first one since they came to rest."""
        X = self.X[node.first : node.last]
        R = X[0, :3, :3]
        relative = np.empty((len(X), 3, 4))
        relative[:, :, :3] = R.T @ X[:, :3, :3]
        relative[:, :, 3] = (X[:, :3, 3] - X[0, :3, 3]) @ R
        centers, radii = self.centers[node.first : node.last], self.radii[node.first : node.last]
        if node.relative is not None:
            change = relative - node.relative
            at_center = np.einsum("nij,nj->ni", change[:, :, :3], centers) + change[:, :, 3]
            drift = (
                np.linalg.norm(at_center, axis=1) + np.sqrt((change[:, :, :3] ** 2).sum(axis=(1, 2))) * radii
            )
            size = float((np.linalg.norm(relative[:, :, 3], axis=1) + radii).max())
            if float(drift.max()) <= AT_REST * size:
                node.drift = float(drift.max()) + self.rounding(node)
                return False
        names = self.names[node.first : node.last]
        is_fixed = not self._has_begun and all(name in self._fixed for name in names)
        node.relative, node.drift = relative, self.rounding(node)
        node.moved_t = -math.inf if is_fixed else t
        return True

    def rounding(self, node: Node) -> float:
        """Return a bound of the rounding of points of a group's hull [m]."""
        return (
            COMPOSED * 2.0 * (float(np.abs(self.X[node.first : node.last, :3, 3]).max()) + 2.0 * self._extent)
        )

    def pose(self, node: Node) -> FloatArray:
        """Return the pose in the world of the frame of a node's hull."""
        X: FloatArray = self.X[node.first]
        return X
