"""rapier and python-fcl: the first contact of a flying, spinning body with a body at rest."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

import keepclear as kc
from benchmarks.moving_cases import Case, Shape

Job = Callable[[], list[float]]


class Rapier:
    """rapier's nonlinear shape cast against one collider that rests: single precision, nothing ahead of the call.

    Meshes are surfaces. A mesh may be cast too, even at a mesh: then each triangle of one is cast at the tree of the
    other, in which balls stand for the boxes.
    """

    name = "rapier"

    def __init__(self) -> None:
        import rapier3d

        self.rapier = rapier3d
        self._shapes: dict[Shape, Any] = {}
        self._worlds: dict[Shape, Any] = {}

    def job(self, cases: Sequence[Case]) -> Job:
        """Return a job that answers the cases: time of contact, nan for none."""
        ready = [(self._pipeline(case.fixed), self._motion(case), self._shape(case.moving)) for case in cases]
        options = self.rapier.ShapeCastOptions()

        def answers() -> list[float]:
            found = []
            for pipeline, motion, shape in ready:
                hit = pipeline.cast_shape_nonlinear(motion, shape, options, 0.0, 1.0)
                found.append(math.nan if hit is None else hit[1].time_of_impact)
            return found

        return answers

    def count_failures(self, cases: Sequence[Case]) -> int:
        """Return how many answers rapier itself marks as failed, to be ignored."""
        options, failed = self.rapier.ShapeCastOptions(), self.rapier.ShapeCastStatus.FAILED
        count = 0
        for case in cases:
            ask = self._pipeline(case.fixed).cast_shape_nonlinear
            hit = ask(self._motion(case), self._shape(case.moving), options, 0.0, 1.0)
            count += hit is not None and hit[1].status == failed
        return count

    def _shape(self, shape: Shape) -> Any:
        if shape not in self._shapes:
            make = self.rapier.SharedShape
            if isinstance(shape, kc.Box):
                made = make.cuboid(*(0.5 * side for side in shape.size))
            elif isinstance(shape, kc.Convex):
                made = make.convex_hull(shape.points.astype(np.float32))
            else:
                made = make.trimesh(shape.vertices.astype(np.float32), shape.triangles.astype(np.uint32))
            self._shapes[shape] = made
        return self._shapes[shape]

    def _pipeline(self, shape: Shape) -> Any:
        if shape not in self._worlds:
            world = self.rapier.PhysicsWorld()
            world.add_collider(self.rapier.Collider.new(self._shape(shape)))
            world.update_query_pipeline()
            self._worlds[shape] = world
        return self._worlds[shape].query_pipeline

    def _motion(self, case: Case) -> Any:
        flight, make = case.flight, self.rapier
        turn = Rotation.from_matrix(flight.start[:3, :3]).as_rotvec()
        rotation = make.Rotation3.from_scaled_axis(make.Vec3(*turn))
        start = make.Isometry3(make.Vec3(*flight.start[:3, 3]), rotation)
        return make.NonlinearRigidMotion(
            start, make.Vec3(0.0, 0.0, 0.0), make.Vec3(*flight.way), make.Vec3(*flight.turn)
        )


class Fcl:
    """python-fcl's models of shapes, with a collision object for each body of a case."""

    def __init__(self) -> None:
        import fcl

        self.fcl = fcl
        self._models: dict[Shape, Any] = {}

    def transforms(self, case: Case, times: np.ndarray) -> list[Any]:
        """Return the poses of the moving body as fcl's own objects."""
        return [self.fcl.Transform(X[:3, :3], X[:3, 3]) for X in case.flight.poses(times)]

    def objects(self, case: Case) -> tuple[Any, Any]:
        """Return the body at rest and the moving one at its start."""
        (start,) = self.transforms(case, np.zeros(1))
        fixed, moving = self._model(case.fixed), self._model(case.moving)
        return self.fcl.CollisionObject(fixed, self.fcl.Transform()), self.fcl.CollisionObject(moving, start)

    def _model(self, shape: Shape) -> Any:
        if shape not in self._models:
            fcl = self.fcl
            if isinstance(shape, kc.Box):
                model = fcl.Box(*shape.size)
            elif isinstance(shape, kc.Convex):
                faces = [np.array([len(face), *face]) for face in shape.faces]
                model = fcl.Convex(np.array(shape.points), len(faces), np.concatenate(faces))
            else:
                model = fcl.BVHModel()
                model.beginModel(len(shape.triangles), len(shape.vertices))
                model.addSubModel(shape.vertices, shape.triangles)
                model.endModel()
            self._models[shape] = model
        return self._models[shape]


class FclSamples(Fcl):
    """fcl.collide at so many instants, equally spaced with both ends, until one is in contact; poses made ahead."""

    def __init__(self, samples: int) -> None:
        super().__init__()
        self.name = f"fcl {samples}"
        self._times = np.linspace(0.0, 1.0, samples)

    def job(self, cases: Sequence[Case]) -> Job:
        """Return a job that answers the cases: time of contact, nan for none."""
        fcl, times = self.fcl, self._times
        ready = [(*self.objects(case), self.transforms(case, times)) for case in cases]
        request, result = fcl.CollisionRequest(1, False), fcl.CollisionResult()

        def answers() -> list[float]:
            found = []
            for fixed, moving, poses in ready:
                time = math.nan
                for k, pose in enumerate(poses):
                    moving.setTransform(pose)
                    if fcl.collide(fixed, moving, request, result):
                        time = float(times[k])
                        break
                found.append(time)
            return found

        return answers


class FclAdvance(Fcl):
    """fcl.continuousCollide by its default, conservative advancement, along the same motion.

    fcl 0.7 never sets the reference point of this kind of motion, so it moves the body by what was in memory there: the
    same program is right in one run and wrong in the next. Beside meshes it may also hang, so it is not asked there.
    Without a kind of motion fcl would leave the rotation out.
    """

    name = "fcl advance"

    def job(self, cases: Sequence[Case]) -> Job:
        """Return a job that answers the cases: time of contact, nan for none."""
        fcl = self.fcl
        kind, solver = fcl.CCDMotionType.CCDM_LINEAR, fcl.CCDSolverType.CCDC_CONSERVATIVE_ADVANCEMENT
        request = fcl.ContinuousCollisionRequest(ccd_motion_type=kind, ccd_solver_type=solver)
        ready = [(*self.objects(case), *self.transforms(case, np.ones(1))) for case in cases]
        rest = fcl.Transform()

        def answers() -> list[float]:
            found = []
            for fixed, moving, end in ready:
                result = fcl.ContinuousCollisionResult()
                fcl.continuousCollide(fixed, rest, moving, end, request, result)
                found.append(result.time_of_contact if result.is_collide else math.nan)
            return found

        return answers


def main() -> None:
    """Print how many of some boxes each peer sees going through the plate."""
    from benchmarks.moving_cases import hull_families

    family = next(iter(hull_families(20)))
    peers: list[Rapier | FclSamples | FclAdvance] = [Rapier(), FclAdvance(), FclSamples(10), FclSamples(1000)]
    for peer in peers:
        seen = int(np.count_nonzero(np.isfinite(peer.job(family.cases)())))
        print(f"{peer.name:<14}sees {seen} of 20 boxes go through the plate")


if __name__ == "__main__":
    main()
