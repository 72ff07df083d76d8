"""The searches of checks: in chunks for two bodies with faces, and one distance query for others."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from keepclear.checks import FloatArray, shown
from keepclear.errors import ArgumentError
from keepclear.geometry.bodies.body import Geometry, has_triangles
from keepclear.geometry.pose import checked_pose
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.geometry.trees.trees import Using, checked_using, trees_of
from keepclear.query.instant.collide import collide, faces_of
from keepclear.query.instant.pair_search import PairSearch
from keepclear.results import Collision
from keepclear.world.submit.check import Batch, Search

Find = Literal["any", "all"]

_HERE = np.eye(4)


def checked_request(a: Geometry, b: Geometry, X_AB: object, find: Find, using: Using | None) -> FloatArray:
    """Return the checked pose of a valid request, or raise its error; builds nothing."""
    if not (isinstance(find, str) and find in ("any", "all")):
        raise ArgumentError(f"find must be 'any' or 'all', but it is {shown(find)}.")
    checked_using(using)
    faces = _pair_with_faces(a, b, find)
    pose = checked_pose(X_AB, "X_AB", scaled=faces is not None)
    if faces is None:
        if using or find == "all":
            collide(a, _HERE, b, pose, find, using=using)  # raises: there are no faces
        return pose
    kinds = {body.kind for body in faces if not isinstance(body, Mesh)} | ({using} if using else set())
    if len(kinds) > 1:
        trees_of(*faces, using)  # raises: the trees do not fit
    return pose


def new_search(a: Geometry, b: Geometry, X_AB: FloatArray, find: Find, using: Using | None) -> Search:
    """Return a search that has not begun; a requested tree that does not exist is built first."""
    faces = _pair_with_faces(a, b, find)
    return _InOneGo(a, b, X_AB) if faces is None else _InPieces(*trees_of(*faces, using), X_AB, find)


def _pair_with_faces(a: Geometry, b: Geometry, find: Find) -> tuple[Any, Any] | None:
    """Return both bodies as meshes or trees; None if `kc.collide` uses their distance."""
    if find == "any" and not (has_triangles(a) or has_triangles(b)):
        return None
    faces = faces_of(a), faces_of(b)
    return None if None in faces else faces


class _InPieces:
    """A `PairSearch` that finds each pair of faces once, and whose result is complete and references no tree."""

    def __init__(self, a: Any, b: Any, X_AB: FloatArray, find: Find) -> None:
        self._search = PairSearch(a, _HERE, b, X_AB, find)
        n = [tree.mesh._n_faces for tree in (a, b)]
        has_polygons = n != [len(tree.mesh._triangles) for tree in (a, b)]
        self._row = n[1]
        self._seen: set[int] | None = set() if has_polygons else None
        self.run = self._search.run

    def take(self) -> Batch:
        """Return the findings since the last call; two polygons can intersect in several of their triangles."""
        pairs, segments = self._search.take()
        is_new = np.ones(len(pairs), bool)
        if self._seen is None:
            return Batch(pairs, segments, is_new)
        for k, number in enumerate((pairs[:, 0] * self._row + pairs[:, 1]).tolist()):
            is_new[k] = number not in self._seen
            self._seen.add(number)
        return Batch(pairs, segments, is_new)

    def result(self) -> Collision:
        answer = self._search.result()
        _ = answer.segments_W  # computed here and not by the caller, so that the trees are released
        return answer


class _InOneGo:
    """The contact of two bodies of which one has no faces: a result in microseconds, without pairs."""

    def __init__(self, a: Geometry, b: Geometry, X_AB: FloatArray) -> None:
        self._question = a, b, X_AB

    def run(self, _budget: int) -> bool:
        a, b, X_AB = self._question
        self._answer = collide(a, _HERE, b, X_AB)
        return True

    def take(self) -> Batch:
        return Batch(np.empty((0, 2), np.int64), np.empty((0, 2, 3)), np.empty(0, bool))

    def result(self) -> Collision:
        return self._answer
