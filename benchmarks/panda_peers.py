"""python-fcl, coal and pinocchio with coal, for the Panda's paths at samples of a given distance in radians."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

import keepclear as kc

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "data" / "panda"
URDF, SRDF = FOLDER / "panda.urdf", FOLDER / "panda.srdf"

Job = Callable[[], bool]


@dataclass(frozen=True)
class Obstacle:
    """A box (edge lengths) or a cylinder (radius, length) that stands somewhere."""

    name: str
    kind: str
    size: tuple[float, ...]
    X_W: np.ndarray


def samples(waypoints: np.ndarray, step: float) -> np.ndarray:
    """Configurations (n, 7) along a path, of which no joint goes more than `step` from one to the next [rad]."""
    found = [waypoints[:1]]
    for start, end in pairwise(waypoints):
        n = max(1, int(np.ceil(np.max(np.abs(end - start)) / step)))
        found.append(start + np.arange(1, n + 1)[:, None] / n * (end - start))
    return np.concatenate(found)


def disabled_pairs() -> set[frozenset[str]]:
    """The pairs of links that the SRDF leaves out."""
    pairs = ElementTree.parse(SRDF).getroot().findall("disable_collisions")
    return {frozenset((str(p.get("link1")), str(p.get("link2")))) for p in pairs}


class Kinematics:
    """pinocchio's model of the arm: which links have a mesh, where they are, and which of them are to be tested."""

    def __init__(self) -> None:
        import pinocchio as pin  # type: ignore[import-untyped]

        self.pin = pin
        self.model = pin.buildModelFromUrdf(str(URDF))
        self.data = self.model.createData()
        self.geometry = pin.buildGeomFromUrdf(
            self.model, str(URDF), pin.GeometryType.COLLISION, package_dirs=[str(FOLDER)]
        )
        objects = list(self.geometry.geometryObjects)
        self.links = [self.model.frames[o.parentFrame].name for o in objects]
        # Its reader drops triangles of OBJ files with several materials (link6.obj: 345 of 942 vertices).
        robot = kc.read_robot(URDF, SRDF)
        shapes = dict(zip(robot.link_names, robot.links, strict=True))
        for one, name in zip(objects, self.links, strict=True):
            (element,) = shapes[name].elements
            one.geometry, one.meshScale = _coal_mesh(element.shape), np.ones(3)
        disabled = disabled_pairs()
        self.pairs = [
            (i, j)
            for i in range(len(objects))
            for j in range(i + 1, len(objects))
            if frozenset((self.links[i], self.links[j])) not in disabled
        ]

    def place(self, data: Any, q: np.ndarray) -> Iterator[Any]:
        """Go through the poses of the links' meshes in a configuration."""
        self.pin.updateGeometryPlacements(self.model, self.data, self.geometry, data, q)
        yield from data.oMg


def _coal_mesh(mesh: Any) -> Any:
    """The triangles of a mesh as coal's tree of oriented boxes."""
    import coal

    faces = coal.StdVec_Triangle() if hasattr(coal, "StdVec_Triangle") else coal.StdVec_Triangle32()
    kind = coal.Triangle if hasattr(coal, "Triangle") else coal.Triangle32
    for face in mesh.faces.tolist():
        faces.append(kind(*face))
    points = coal.StdVec_Vec3s()
    for point in mesh.vertices:
        points.append(np.array(point))
    model = coal.BVHModelOBBRSS()
    model.beginModel(len(mesh.faces), len(mesh.vertices))
    model.addSubModel(points, faces)
    model.endModel()
    return model


class FclSampled:
    """python-fcl: a manager of the links asks one of the obstacles, then the pairs of links one by one."""

    name = "fcl"

    def __init__(self, arm: Kinematics) -> None:
        import fcl

        self.fcl, self.arm = fcl, arm
        self.placed = self.arm.pin.GeometryData(arm.geometry)
        self.links = [fcl.CollisionObject(self._mesh(o.geometry), fcl.Transform()) for o in self._objects()]

    def _objects(self) -> list[Any]:
        return list(self.arm.geometry.geometryObjects)

    def _mesh(self, model: Any) -> Any:
        triangles = np.array(
            [[t[0], t[1], t[2]] for t in (model.tri_indices(i) for i in range(model.num_tris))]
        )
        points = np.array(model.vertices())
        mesh = self.fcl.BVHModel()
        mesh.beginModel(len(triangles), len(points))
        mesh.addSubModel(points, triangles)
        mesh.endModel()
        return mesh

    def job(self, obstacles: list[Obstacle], q: np.ndarray) -> Job:
        """Return a job that says whether a sample touches, stopping at the first that does."""
        fcl = self.fcl
        around = fcl.DynamicAABBTreeCollisionManager()
        around.registerObjects([self._obstacle(o) for o in obstacles])
        around.setup()
        robot = fcl.DynamicAABBTreeCollisionManager()
        robot.registerObjects(self.links)
        robot.setup()
        own = [(self.links[i], self.links[j]) for i, j in self.arm.pairs]
        request, result = fcl.CollisionRequest(1, False), fcl.CollisionResult()

        def touches(configuration: np.ndarray) -> bool:
            for link, X in zip(self.links, self.arm.place(self.placed, configuration), strict=True):
                link.setTransform(fcl.Transform(X.rotation, X.translation))
            robot.update()
            found = fcl.CollisionData(request=request)
            robot.collide(around, found, fcl.defaultCollisionCallback)
            return found.result.is_collision or any(fcl.collide(a, b, request, result) for a, b in own)

        return lambda: any(touches(configuration) for configuration in q)

    def _obstacle(self, told: Obstacle) -> Any:
        shape = self.fcl.Box(*told.size) if told.kind == "box" else self.fcl.Cylinder(*told.size)
        return self.fcl.CollisionObject(shape, self.fcl.Transform(told.X_W[:3, :3], told.X_W[:3, 3]))


class CoalSampled:
    """coal from Python in the same way: managers for the obstacles, pairs of links one by one."""

    name = "coal"

    def __init__(self, arm: Kinematics) -> None:
        import coal

        self.coal, self.arm = coal, arm
        self.placed = arm.pin.GeometryData(arm.geometry)
        self.links = [coal.CollisionObject(o.geometry) for o in arm.geometry.geometryObjects]
        self._kept: list[object] = []

    def job(self, obstacles: list[Obstacle], q: np.ndarray) -> Job:
        """Return a job that says whether a sample touches, stopping at the first that does."""
        coal, arm = self.coal, self.arm
        kept = [coal_obstacle(coal, o) for o in obstacles]
        around, robot = coal.DynamicAABBTreeCollisionManager(), coal.DynamicAABBTreeCollisionManager()
        bodies = [coal.CollisionObject(shape, X[:3, :3], X[:3, 3]) for shape, X in kept]
        for body in bodies:
            body.computeAABB()
            around.registerObject(body)
        for link in self.links:
            robot.registerObject(link)
        around.setup()
        robot.setup()
        own = [(self.links[i], self.links[j]) for i, j in arm.pairs]
        request, result = coal.CollisionRequest(), coal.CollisionResult()
        callback = coal.CollisionCallBackDefault()

        def touches(configuration: np.ndarray) -> bool:
            for link, X in zip(self.links, arm.place(self.placed, configuration), strict=True):
                link.setTransform(coal.Transform3s(X.rotation, X.translation))
                link.computeAABB()
            robot.update()
            callback.data.clear()
            robot.collide(around, callback)
            if callback.data.result.isCollision():
                return True
            for a, b in own:
                result.clear()
                if coal.collide(a, b, request, result):
                    return True
            return False

        self._kept.append((kept, bodies))  # managers do not keep what they were given alive
        return lambda: any(touches(configuration) for configuration in q)


class PinocchioSampled:
    """pinocchio's computeCollisions with coal and a tree of boxes: all of a configuration in one compiled call."""

    name = "pinocchio"

    def __init__(self, arm: Kinematics) -> None:
        import coal

        self.coal, self.arm = coal, arm
        self._kept: list[object] = []

    def job(self, obstacles: list[Obstacle], q: np.ndarray) -> Job:
        """Return a job that says whether a sample touches, stopping at the first that does."""
        ask = self.question(obstacles)
        return lambda: any(map(ask, q))

    def question(self, obstacles: list[Obstacle]) -> Callable[[np.ndarray], bool]:
        """Return a function that says whether a configuration touches."""
        pin, arm = self.arm.pin, self.arm
        geometry = arm.geometry.copy()
        n = len(geometry.geometryObjects)
        for told in obstacles:
            shape, X = coal_obstacle(self.coal, told)
            geometry.addGeometryObject(pin.GeometryObject(told.name, 0, 0, pin.SE3(X), shape))
        for i, j in arm.pairs:
            geometry.addCollisionPair(pin.CollisionPair(i, j))
        for i in range(n):
            for j in range(n, n + len(obstacles)):
                geometry.addCollisionPair(pin.CollisionPair(i, j))
        data = pin.GeometryData(geometry)
        manager = pin.BroadPhaseManager_DynamicAABBTreeCollisionManager(arm.model, geometry, data)
        ask, model, scratch = pin.computeCollisions, arm.model, arm.data
        self._kept.append((geometry, data))  # the manager does not keep what it was given alive
        return lambda configuration: bool(ask(model, scratch, manager, configuration, True))


class MujocoHulls:
    """mujoco's kinematics and collisions of the same arm: it collides convex hulls of meshes, so it may see contacts
    where there are none."""

    name = "mujoco"

    def __init__(self) -> None:
        import mujoco  # type: ignore[import-not-found]

        self.mujoco, self.robot = mujoco, kc.read_robot(URDF, SRDF)

    def question(self, obstacles: list[Obstacle]) -> Callable[[np.ndarray], bool]:
        """Return a function that says whether hulls touch in a configuration."""
        mujoco, robot = self.mujoco, self.robot
        spec, k = mujoco.MjSpec(), robot.kinematics
        spec.compiler.balanceinertia, spec.compiler.boundmass, spec.compiler.boundinertia = True, 1e-3, 1e-6
        bodies: list[Any] = []
        for link, parent in enumerate(k.parent.tolist()):
            above = spec.worldbody if parent < 0 else bodies[parent]
            X = k.X_PJ[link]
            body = above.add_body(name=robot.link_names[link], pos=X[:3, 3], quat=_quaternion(X))
            if k.column[link] >= 0:
                body.add_joint(name=f"j{link}", axis=k.axis[link], type=mujoco.mjtJoint.mjJNT_HINGE)
            for number, element in enumerate(robot.links[link].elements):
                mesh = spec.add_mesh(name=f"m{link}_{number}")
                mesh.uservert, mesh.userface = element.shape.vertices.ravel(), element.shape.faces.ravel()
                place = element.X_LG
                body.add_geom(
                    name=f"{robot.link_names[link]}", type=mujoco.mjtGeom.mjGEOM_MESH, meshname=mesh.name,
                    pos=place[:3, 3], quat=_quaternion(place), contype=0, conaffinity=0,
                )  # fmt: skip
            bodies.append(body)
        for told in obstacles:
            kind = mujoco.mjtGeom.mjGEOM_BOX if told.kind == "box" else mujoco.mjtGeom.mjGEOM_CYLINDER
            size = np.array(told.size) / 2 if told.kind == "box" else [told.size[0], told.size[1] / 2, 0.0]
            spec.worldbody.add_geom(
                name=told.name, type=kind, size=size, pos=told.X_W[:3, 3], quat=_quaternion(told.X_W),
                contype=0, conaffinity=0,
            )  # fmt: skip
        disabled, shaped = disabled_pairs(), [link.name for link in robot.links if link.elements]
        pairs = [
            (a, b) for i, a in enumerate(shaped) for b in shaped[:i] if frozenset((a, b)) not in disabled
        ]
        pairs += [(a, told.name) for a in shaped if a != shaped[0] for told in obstacles]
        for a, b in pairs:
            spec.add_pair(geomname1=a, geomname2=b)
        model = spec.compile()
        data = mujoco.MjData(model)

        def ask(q: np.ndarray) -> bool:
            data.qpos[:] = q
            mujoco.mj_kinematics(model, data)
            mujoco.mj_collision(model, data)
            return bool(data.ncon > 0)

        return ask


def _quaternion(X: np.ndarray) -> np.ndarray:
    """The rotation of a pose as w, x, y, z."""
    from scipy.spatial.transform import Rotation

    return np.roll(Rotation.from_matrix(X[:3, :3]).as_quat(), 1)


def coal_obstacle(coal: Any, told: Obstacle) -> tuple[Any, np.ndarray]:
    """The shape of an obstacle, and its pose."""
    return (coal.Box if told.kind == "box" else coal.Cylinder)(*told.size), told.X_W


def main() -> None:
    """Print how many samples a turn of one joint by 1 rad has."""
    q = np.zeros((2, 7))
    q[1, 3] = 1.0
    print(f"1 rad at steps of 0.01 rad: {len(samples(q, 0.01))} samples")


if __name__ == "__main__":
    main()
