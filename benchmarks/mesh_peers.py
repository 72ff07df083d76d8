"""python-fcl and coal, each at its best, with the same queries about two meshes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import keepclear as kc

ALL_CONTACTS = 10_000_000


class Coal:
    """coal with one functor for each question; `boxes` is OBBRSS or OBB (which knows no distance)."""

    name = "coal"

    def __init__(self, a: kc.Mesh, b: kc.Mesh, boxes: str = "OBBRSS") -> None:
        import coal

        self.coal = coal
        self.boxes = boxes
        self.models = [self.build(mesh) for mesh in (a, b)]
        self.identity = coal.Transform3s()
        self._collide = coal.ComputeCollision(*self.models)
        self._distance = coal.ComputeDistance(*self.models) if boxes == "OBBRSS" else None
        self._collision, self._separation = coal.CollisionResult(), coal.DistanceResult()

    def build(self, mesh: kc.Mesh) -> Any:
        """Return the model of a mesh, its tree built."""
        vertices, triangles = mesh.vertices, mesh.triangles.astype(np.int64)
        model = getattr(self.coal, f"BVHModel{self.boxes}")()
        model.beginModel(len(triangles), len(vertices))
        model.addVertices(vertices)
        model.addTriangles(triangles)
        model.endModel()
        model.computeLocalAABB()
        return model

    @property
    def nbytes(self) -> int:
        """Memory of the first model as it tells itself: boxes, triangles and vertices [bytes]."""
        return int(self.models[0].memUsage(False))

    def poses(self, X: np.ndarray) -> list[Any]:
        """Return poses of B in the frame of A as its own objects."""
        return [self.coal.Transform3s(pose[:3, :3], pose[:3, 3]) for pose in X]

    def collide(self, poses: Sequence[Any]) -> list[bool]:
        """Return whether the surfaces meet, for each pose."""
        ask, here, result = self._collide, self.identity, self._collision
        request = self._request(1, points=False)
        answers = []
        for pose in poses:
            result.clear()
            answers.append(ask(here, pose, request, result) > 0)
        return answers

    def count_contacts(self, poses: Sequence[Any], *, points: bool = False) -> list[int]:
        """Find all pairs of triangles that meet, with a point and a normal each if wanted; return their numbers."""
        ask, here, result = self._collide, self.identity, self._collision
        request = self._request(ALL_CONTACTS, points=points)
        answers = []
        for pose in poses:
            result.clear()
            ask(here, pose, request, result)
            answers.append(result.numContacts())
        return answers

    def pairs(self, pose: Any) -> set[tuple[int, int]]:
        """Return the pairs of triangles that meet."""
        self.count_contacts([pose])
        found = (self._collision.getContact(k) for k in range(self._collision.numContacts()))
        return {(contact.b1, contact.b2) for contact in found}

    def distance(self, poses: Sequence[Any], *, points: bool = False) -> list[float]:
        """Return the distances of the surfaces, 0 where they meet."""
        ask, here, result = self._distance, self.identity, self._separation
        if ask is None:
            raise ValueError(f"coal has no distance of models with {self.boxes}; use OBBRSS")
        request = self.coal.DistanceRequest(points, 0.0, 0.0)
        answers = []
        for pose in poses:
            result.clear()
            answers.append(ask(here, pose, request, result))
        return answers

    def _request(self, most: int, *, points: bool) -> Any:
        request = self.coal.CollisionRequest()
        request.num_max_contacts, request.enable_contact = most, points
        return request


class Fcl:
    """python-fcl, whose meshes have boxes of one kind (OBBRSS), with two collision objects that stay."""

    name = "python-fcl"

    def __init__(self, a: kc.Mesh, b: kc.Mesh) -> None:
        import fcl

        self.fcl = fcl
        self.models = [self.build(mesh) for mesh in (a, b)]
        self._objects = [fcl.CollisionObject(model, fcl.Transform()) for model in self.models]
        self._collision, self._separation = fcl.CollisionResult(), fcl.DistanceResult()

    def build(self, mesh: kc.Mesh) -> Any:
        """Return the model of a mesh, its tree built."""
        vertices, triangles = mesh.vertices, mesh.triangles
        model = self.fcl.BVHModel()
        model.beginModel(len(triangles), len(vertices))
        model.addSubModel(vertices, triangles)
        model.endModel()
        return model

    def poses(self, X: np.ndarray) -> list[Any]:
        """Return poses of B in the frame of A as its own objects."""
        return [self.fcl.Transform(pose[:3, :3], pose[:3, 3]) for pose in X]

    def collide(self, poses: Sequence[Any]) -> list[bool]:
        """Return whether the surfaces meet, for each pose."""
        return [count > 0 for count in self._collide(poses, self.fcl.CollisionRequest(1, False))]

    def count_contacts(self, poses: Sequence[Any], *, points: bool = False) -> list[int]:
        """Find all pairs of triangles that meet, with a point and a normal each if wanted; return their numbers."""
        return self._collide(poses, self.fcl.CollisionRequest(ALL_CONTACTS, points))

    def pairs(self, pose: Any) -> set[tuple[int, int]]:
        """Return the pairs of triangles that meet."""
        self.count_contacts([pose])
        return {(contact.b1, contact.b2) for contact in self._collision.contacts}

    def distance(self, poses: Sequence[Any], *, points: bool = False) -> list[float]:
        """Return the distances of the surfaces, 0 or less where they meet."""
        ask, result, (a, b) = self.fcl.distance, self._separation, self._objects
        request = self.fcl.DistanceRequest(points, False)
        answers = []
        for pose in poses:
            b.setTransform(pose)
            answers.append(ask(a, b, request, result))
        return answers

    def _collide(self, poses: Sequence[Any], request: Any) -> list[int]:
        ask, result, (a, b) = self.fcl.collide, self._collision, self._objects
        answers = []
        for pose in poses:
            result.contacts = []
            b.setTransform(pose)
            answers.append(ask(a, b, request, result))
        return answers


def main() -> None:
    """Print whether the two agree with each other on two knots at poses near contact."""
    from benchmarks.mesh_models import near_contact_poses, torus_knot

    knot = torus_knot(10_000)
    X = near_contact_poses(knot, knot, 20)
    peers: list[Coal | Fcl] = [Coal(knot, knot), Fcl(knot, knot)]
    for peer in peers:
        poses = peer.poses(X)
        gaps = [max(0.0, gap) for gap in peer.distance(poses)]
        counts = f"{sum(peer.collide(poses))} of {len(X)} poses meet, {sum(peer.count_contacts(poses))} pairs"
        print(f"{peer.name:<12}{counts}, gaps {sum(gaps):.15f} m in all")


if __name__ == "__main__":
    main()
