"""A loop at frame rate beside coal's dynamic tree with distances, and beside a loop by hand: cKDTree and Trackers."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

import keepclear as kc
from benchmarks.harness import duration

FAR = 0.05  # [m]
SPACING, SPEED, RATE = 0.35, 0.3, 60.0  # one body per cube of this edge [m]; [m/s]; frames per second
FRAMES, WARM = 120, 20
ROUNDS = 5


def rotations(rng: np.random.Generator, n: int) -> np.ndarray:
    """Return random rotations (n, 3, 3)."""
    Q, R = np.linalg.qr(rng.normal(size=(n, 3, 3)))
    Q *= np.sign(np.diagonal(R, axis1=1, axis2=2))[:, None]
    Q[np.linalg.det(Q) < 0.0, :, 0] *= -1.0
    return np.asarray(Q)


def convex_shapes(rng: np.random.Generator, n: int) -> list[Any]:
    """Return mixed convex bodies of 10 to 20 cm: spheres, boxes, capsules, cylinders and hulls of 40 vertices."""
    made: list[Any] = []
    for k in range(n):
        d = rng.uniform(0.10, 0.20)
        if k % 5 == 0:
            made.append(kc.Sphere(0.5 * d))
        elif k % 5 == 1:
            made.append(kc.Box(d * rng.uniform(0.4, 0.7, 3)))
        elif k % 5 == 2:
            made.append(kc.Capsule(0.2 * d, 0.6 * d))
        elif k % 5 == 3:
            made.append(kc.Cylinder(0.3 * d, 0.8 * d))
        else:
            points = rng.normal(size=(40, 3))
            made.append(kc.Convex(0.5 * d * points / np.linalg.norm(points, axis=1)[:, None]))
    return made


def mesh_shapes(rng: np.random.Generator, n: int) -> list[Any]:
    """Return bumpy balls of 10 to 20 cm with 1 000 triangles, of which none is convex."""
    made: list[Any] = []
    for _ in range(n):
        points = rng.normal(size=(502, 3))
        points /= np.linalg.norm(points, axis=1)[:, None]
        hull = kc.Convex(points)
        size = 0.5 * rng.uniform(0.10, 0.20) * (1.0 + 0.2 * np.sin(9.0 * hull.vertices[:, :1])) / 1.2
        made.append(kc.Mesh(hull.vertices * size, hull.triangles))
    return made


def paths(rng: np.random.Generator, n: int, frames: int) -> np.ndarray:
    """Return poses (frames, n, 4, 4): each body flies and turns, and is thrown back at the walls of the room."""
    edge = SPACING * n ** (1.0 / 3.0)
    position = rng.uniform(0.0, edge, (n, 3))
    velocity = rng.normal(size=(n, 3))
    velocity *= SPEED / np.linalg.norm(velocity, axis=1)[:, None]
    axis = rng.normal(size=(n, 3))
    axis /= np.linalg.norm(axis, axis=1)[:, None]
    K = np.zeros((n, 3, 3))
    K[:, 0, 1], K[:, 0, 2], K[:, 1, 2] = -axis[:, 2], axis[:, 1], -axis[:, 0]
    K -= np.swapaxes(K, 1, 2)
    angle = 1.0 / RATE
    step = np.eye(3) + np.sin(angle) * K + (1.0 - np.cos(angle)) * (K @ K)
    X = np.tile(np.eye(4), (frames, n, 1, 1))
    R = rotations(rng, n)
    for f in range(frames):
        position += velocity / RATE
        velocity = np.where(
            (position < 0.0) & (velocity < 0.0) | (position > edge) & (velocity > 0.0), -velocity, velocity
        )
        R = step @ R
        X[f, :, :3, 3], X[f, :, :3, :3] = position, R
    return kc.nearest_rigid(X.reshape(-1, 4, 4)).reshape(X.shape)


class Ours:
    """world.update and world.contacts."""

    name = "keepclear"

    def __init__(self, shapes: list[Any], X: np.ndarray) -> None:
        self.names = [f"body_{k:05}" for k in range(len(shapes))]
        self.world = kc.World()
        for name, shape, pose in zip(self.names, shapes, X[0], strict=True):
            self.world.add(name, shape, pose)

    def frame(self, X: np.ndarray) -> int:
        """Return how many pairs are near."""
        self.world.update(self.names, X)
        return len(self.world.contacts(far=FAR))


class ByHand:
    """A k-d tree over centres, and a Tracker for each pair of balls that come near."""

    name = "by hand"

    def __init__(self, shapes: list[Any], _: np.ndarray) -> None:
        from scipy.spatial import cKDTree

        self.tree, self.shapes = cKDTree, shapes
        corners = np.array(
            [np.abs(np.concatenate(shape.bounds)).reshape(2, 3).max(axis=0) for shape in shapes]
        )
        self.radius = np.linalg.norm(corners, axis=1)
        self.trackers: dict[tuple[int, int], kc.Tracker] = {}

    def near(self, X: np.ndarray) -> list[list[int]]:
        """Return the pairs whose balls are near."""
        centers = X[:, :3, 3]
        pairs = self.tree(centers).query_pairs(2.0 * self.radius.max() + FAR, output_type="ndarray")
        gap = np.linalg.norm(centers[pairs[:, 0]] - centers[pairs[:, 1]], axis=1)
        found: list[list[int]] = pairs[
            gap <= self.radius[pairs[:, 0]] + self.radius[pairs[:, 1]] + FAR
        ].tolist()
        return found

    def frame(self, X: np.ndarray) -> int:
        """Return how many pairs are near."""
        near = 0
        for i, j in self.near(X):
            tracker = self.trackers.get((i, j))
            if tracker is None:
                tracker = self.trackers[i, j] = kc.Tracker(self.shapes[i], self.shapes[j])
            near += tracker.distance(X[i], X[j]).distance <= FAR
        return near


class Coal:
    """coal's dynamic AABB tree over grown boxes, and a contact with its signed distance for each pair that is near.

    All in C++: its Python bindings hand out no pairs, so that each pair is a contact within a security margin.
    """

    name = "coal"

    def __init__(self, shapes: list[Any], X: np.ndarray) -> None:
        import coal

        self.coal = coal
        self.objects = [
            coal.CollisionObject(self.geometry(shape), pose[:3, :3], pose[:3, 3])
            for shape, pose in zip(shapes, X[0], strict=True)
        ]
        self.manager = coal.DynamicAABBTreeCollisionManager()
        for obj in self.objects:
            self.manager.registerObject(obj)
        self.manager.setup()
        self.callback = coal.CollisionCallBackDefault()
        self.callback.data.request = coal.CollisionRequest(
            coal.CollisionRequestFlag.CONTACT, 100 * len(shapes)
        )
        self.callback.data.request.security_margin = FAR

    def geometry(self, shape: Any) -> Any:
        """Return the shape in coal's terms, its box grown by half of what is near."""
        coal = self.coal
        if isinstance(shape, kc.Sphere):
            made = coal.Sphere(shape.radius)
        elif isinstance(shape, kc.Box):
            made = coal.Box(*shape.size)
        elif isinstance(shape, kc.Capsule):
            made = coal.Capsule(shape.radius, shape.length)
        elif isinstance(shape, kc.Cylinder):
            made = coal.Cylinder(shape.radius, shape.length)
        elif isinstance(shape, kc.Convex):
            points = coal.StdVec_Vec3s()
            for p in shape.vertices:
                points.append(p)
            made = coal.ConvexBase.convexHull(points, False, "Qt")
        else:
            made = coal.BVHModelOBBRSS()
            made.beginModel(len(shape.triangles), len(shape.vertices))
            made.addVertices(shape.vertices)
            made.addTriangles(shape.triangles.astype(np.int64))
            made.endModel()
        made.computeLocalAABB()
        return made

    def frame(self, X: np.ndarray) -> int:
        """Return how many pairs are near."""
        for obj, pose in zip(self.objects, X, strict=True):
            obj.setTransform(self.coal.Transform3s(pose[:3, :3], pose[:3, 3]))
            obj.computeAABB()
            obj.getAABB().expand(0.5 * FAR)
        self.manager.update()
        self.callback.init()
        self.manager.collide(self.callback)
        return int(self.callback.data.result.numContacts())


class CoalMeshes(Coal):
    """coal's distance of two meshes for each pair of balls that come near: within a margin it counts triangles."""

    def __init__(self, shapes: list[Any], X: np.ndarray) -> None:
        super().__init__(shapes, X)
        self.pairs = ByHand(shapes, X)
        self.request, self.result = self.coal.DistanceRequest(), self.coal.DistanceResult()

    def frame(self, X: np.ndarray) -> int:
        """Return how many pairs are near."""
        near, ask, request, result = 0, self.coal.distance, self.request, self.result
        for obj, pose in zip(self.objects, X, strict=True):
            obj.setTransform(self.coal.Transform3s(pose[:3, :3], pose[:3, 3]))
        for i, j in self.pairs.near(X):
            result.clear()
            near += ask(self.objects[i], self.objects[j], request, result) <= FAR
        return near


def race(title: str, shapes: list[Any], X: np.ndarray, peers: list[Callable[..., Any]]) -> None:
    """Print the best mean time of a frame over rounds of all frames, and how many pairs were near."""
    made = [kind(shapes, X) for kind in peers]
    near = []
    for one in made:
        near.append(np.mean([one.frame(X[f]) for f in range(len(X))]))
    best = [np.inf] * len(made)
    for _ in range(ROUNDS):
        for k, one in enumerate(made):
            for f in range(WARM):
                one.frame(X[f])
            start = time.process_time()
            for f in range(WARM, len(X)):
                one.frame(X[f])
            best[k] = min(best[k], (time.process_time() - start) / (len(X) - WARM))
    cells = "".join(f"{duration(t):>12} ({n:.0f} near)" for t, n in zip(best, near, strict=True))
    ratios = ", ".join(f"{t / best[0]:.1f}x" for t in best[1:])
    print(f"{title:<34}{cells}   {ratios}")


def between(shapes: list[Any], X: np.ndarray) -> None:
    """Print the time of a frame that also certifies what happened since the last one."""
    ours, best = Ours(shapes, X), np.inf
    for f in range(WARM):
        ours.frame(X[f])
    for _ in range(2):
        start = time.process_time()
        for f in range(WARM, len(X)):
            ours.world.update(ours.names, X[f])
            found = ours.world.contacts(far=FAR, between=True)
        best = min(best, (time.process_time() - start) / (len(X) - WARM))
    touched = int(np.count_nonzero(found.verdict == kc.Verdict.COLLIDING))
    print(
        f"{'200 convex bodies, between=True':<34}{duration(best):>12} ({touched} in contact in the last frame)"
    )


def main() -> None:
    """Print one row for each scene."""
    print(
        f"\nFrames of bodies of 10 to 20 cm, one per cube of {SPACING} m, {SPEED} m/s, {RATE:.0f} Hz, far = {FAR} m"
    )
    print(f"{'':<34}{'keepclear':>20}{'coal':>22}{'by hand':>22}")
    rng = np.random.default_rng(7)
    for n, frames in ((200, FRAMES), (2000, FRAMES)):
        shapes, X = convex_shapes(rng, n), paths(rng, n, frames)
        race(f"{n} mixed convex bodies", shapes, X, [Ours, Coal, ByHand])
        if n == 200:
            between(shapes, X)
    shapes, X = mesh_shapes(rng, 200), paths(rng, 200, 60)
    race("200 meshes of 1000 triangles", shapes, X, [Ours, CoalMeshes, ByHand])


if __name__ == "__main__":
    main()
