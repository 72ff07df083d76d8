"""Every number and every array of numbers that public calls take: a call for each, with all other arguments fixed."""

from __future__ import annotations

import inspect
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from tests.unit.geometry.element_meshes import l_block
from tests.unit.world.worlds import at, drive, slider, way

import keepclear as kc

E = np.eye(4)
BOX, BALL = kc.Box([1, 1, 1]), kc.Sphere(0.5)
TRIANGLE = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]]), np.array([[0, 1, 2]])
POINTS = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
FACES = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
TIMES = np.array([0.0, 1.0])
POSES = np.array([at(3, 0), at(2, 0)])
PLACES = np.array([[0.0, 0, 0], [5.0, 0, 0]])
SPEEDS = np.zeros((2, 3))
FAR = PLACES + 20.0
MOVED = np.array([[[0.0, 0, 1], [0, 0, 0], [1, 0, 0], [0, 1, 0]]])
Q, PATH = np.zeros((1, 2)), np.zeros((2, 2))
QUAT_XYZW, QUAT_WXYZ = np.array([[0.0, 0, 0, 1]] * 2), np.array([[1.0, 0, 0, 0]] * 2)
CELL = """objects:
  a: {{sphere: {radius}, position: [{place}, 0, 0]}}
  b: {{sphere: 0.1, position: [9, 0, 0]}}
{more}"""
BASES = {"Motion"}  # called through the classes that users make
RESULTS = {  # made by keepclear: their numbers are answers
    "Cell", "Clearance", "Decomposition", "FirstContact", "PairReport", "ProvedPairs", "Report", "Simulation",
    "SphereAudit", "fleet.ProgramResult",
}  # fmt: skip
HOOKS = {  # called by keepclear, or made of arguments that were checked
    "CustomMotion.path_length", "CustomMotion.pose", "JointTrajectory.between", "executors.Dask.map",
    "executors.InProcess.map", "executors.Processes.map",
}  # fmt: skip


class Array(NamedTuple):
    """An array that a call takes: a valid one, and the call."""

    good: np.ndarray
    call: Callable[[Any], object]


def world() -> kc.World:
    """A world with a robot, a post and a ball that moves."""
    made = kc.World(threads=1)
    made.add_robot("arm", slider(), drive([0, 1], [0, 1]))
    made.add("post", kc.Box([0.2, 0.2, 0.2]), at(3, 0))
    made.add("ball", kc.Sphere(0.1), way([0, 1], (0, 5, 0), (1, 5, 0)))
    return made


def crowd(**options: Any) -> kc.Crowd:
    """Two spheres at rest; with motion None they are observed."""
    given: dict[str, Any] = {
        "motion": kc.Ballistic(),
        "velocities": SPEEDS,
        "max_accelerations": 0.0,
    } | options
    return kc.Crowd(given.pop("positions", PLACES), given.pop("velocities"), given.pop("radii", 0.5), **given)


def observed() -> kc.Crowd:
    """Two spheres whose positions are measured."""
    made = kc.Crowd(PLACES, None, 0.5, max_speeds=1.0)
    made.advance(0.5)
    return made


def trajectory() -> kc.PoseTrajectory:
    """A motion of one second."""
    return kc.PoseTrajectory(TIMES, POSES, "linear")


def tracks() -> kc.RecordedTracks:
    """Tracks of two members at rest."""
    return kc.RecordedTracks(TIMES, np.array([PLACES, PLACES]))


class Resting(kc.CustomMotion):
    """A motion at rest, in Python."""

    def pose(self, t: float) -> np.ndarray:
        return at(3.0 + 0.0 * t, 0)

    def path_length(self, radius: float, t0: float, t1: float) -> float:
        return 0.0 * radius * (t1 - t0)


@cache
def mesh() -> kc.Mesh:
    """A closed mesh."""
    return l_block()


def mesh_vertices() -> np.ndarray:
    """The vertices of that mesh, an array of the caller's own."""
    return np.array(mesh().vertices)


@cache
def sphere_tree() -> kc.SphereTree:
    """A sphere tree of a box."""
    return kc.build_sphere_tree(BOX, 0.2)


def field(**options: Any) -> kc.Crowd:
    """Two spheres in a velocity field."""
    box = options.pop("bounds", ([-9.0] * 3, [9.0] * 3))
    return crowd(motion=kc.VelocityField(bounds=box, **options), max_accelerations=None)


@cache
def spheres() -> kc.SphereModel:
    """The spheres of the slider."""
    return slider().sphere_model(accuracy=0.05)


def obj_file(**options: Any) -> kc.Mesh:
    """A mesh from a file in metres."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "part.obj"
        file.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        return kc.read_mesh(file, unit="m", **options)


def cell_file(radius: object = 0.1, place: object = 0, more: str = "", **options: Any) -> object:
    """The report of a cell with two balls."""
    with tempfile.TemporaryDirectory() as folder:
        return kc.verify(_written(folder, radius, place, more), **options)


def fleet(verified: Callable[..., Iterator[object]], **options: Any) -> object:
    """What a fleet of one cell gives."""
    with tempfile.TemporaryDirectory() as folder:
        return list(verified([_written(folder)], **options))


def _written(folder: str, radius: object = 0.1, place: object = 0, more: str = "") -> Path:
    file = Path(folder) / "cell.yaml"
    file.write_text(CELL.format(radius=radius, place=place, more=more))
    return file


def _cast(motion: Any, **options: Any) -> Any:
    return kc.first_contact(BALL, motion, BOX, (E, E), **options)


def _contact(call: Callable[..., Any], **options: Any) -> Any:
    return call(BALL, E, BOX, trajectory(), **options)


def _batch(**options: Any) -> object:
    return kc.first_contact_batch([(BALL, E, BOX, trajectory())], **options)


def _advanced(made: kc.Crowd, until: float = 1.0) -> object:
    made.advance(until)
    return made.positions()


def _attachment(**options: Any) -> object:
    made = crowd(radii=1.0, response="report")
    attached = kc.Attachment(BALL, **options)
    made.attach(
        0,
        attached.shape,
        rotation=attached.rotation,
        max_angular_speed=attached.max_angular_speed,
        tolerance=attached.tolerance,
    )
    return made.advance(1.0)


def _added(**options: Any) -> object:
    return observed().add(FAR, SPEEDS, 0.5, max_speeds=1.0, **options)


def _frames(tolerance: float) -> object:
    made = world()
    made.contacts(0.1)
    made.update(["post"], np.array([at(2, 0)]))
    return made.contacts(0.1, between=True, tolerance=tolerance)


def _planned(which: str, **options: Any) -> object:
    pytest.importorskip("ompl.base", reason="ompl is not installed (extra plan)")
    return getattr(kc.plan, which)(world(), "arm", kc.plan.joint_space(slider()), **options)


def _submitted(X: Any) -> object:
    made = world()
    made.add("a", mesh(), E)
    made.add("b", mesh(), E)
    return made.submit("a", "b", X).result(60)


def _yaml(value: float) -> str:
    return repr(value).replace("inf", ".inf").replace("nan", ".nan")


def _changed(change: Callable[[kc.World], object]) -> object:
    made = world()
    change(made)
    return made.verify(tolerance=1e-2)


NUMBERS: dict[str, Callable[[Any], object]] = {
    "Attachment.max_angular_speed": lambda v: _attachment(max_angular_speed=v),
    "Attachment.tolerance": lambda v: _attachment(tolerance=v),
    "Box.scaled.factor": lambda v: kc.Box([1, 1, 1]).scaled(v),
    "Box.size": lambda v: kc.Box([1, v, 1]),
    "Capsule.length": lambda v: kc.Capsule(1, v),
    "Capsule.radius": lambda v: kc.Capsule(v, 1),
    "Capsule.scaled.factor": lambda v: kc.Capsule(1, 1).scaled(v),
    "Convex.scaled.factor": lambda v: kc.Convex(POINTS).scaled(v),
    "Crowd.advance.until": lambda v: _advanced(crowd(), v),
    "Crowd.attach.max_angular_speed": lambda v: crowd(radii=1.0, response="report").attach(
        0, BALL, max_angular_speed=v
    ),
    "Crowd.attach.tolerance": lambda v: crowd(radii=1.0, response="report").attach(0, BALL, tolerance=v),
    "Crowd.bounds_at.t": lambda v: crowd().bounds_at(v),
    "Crowd.forecast.until": lambda v: crowd().forecast(v),
    "Crowd.growth": lambda v: _advanced(crowd(growth=v)),
    "Crowd.positions.t": lambda v: crowd().positions(v),
    "Crowd.time": lambda v: crowd(time=v).positions(),
    "Crowd.tolerance": lambda v: _advanced(crowd(tolerance=v)),
    "Crowd.velocities.t": lambda v: crowd().velocities(v),
    "CrowdAnimation.advance.until": lambda v: kc.CrowdAnimation(crowd(), rate=5).advance(v),
    "CrowdAnimation.rate": lambda v: kc.CrowdAnimation(crowd(), 1.0, rate=v),
    "CrowdAnimation.until": lambda v: kc.CrowdAnimation(crowd(), v),
    "CustomMotion.t_end": lambda v: Resting(-1.0, v),
    "CustomMotion.t_start": lambda v: Resting(v, 1.0),
    "Cylinder.length": lambda v: kc.Cylinder(1, v),
    "Cylinder.radius": lambda v: kc.Cylinder(v, 1),
    "Cylinder.scaled.factor": lambda v: kc.Cylinder(1, 1).scaled(v),
    "Ellipsoid.radii": lambda v: kc.Ellipsoid([1, v, 1]),
    "Ellipsoid.scaled.factor": lambda v: kc.Ellipsoid([1, 1, 1]).scaled(v),
    "Mesh.scaled.factor": lambda v: mesh().scaled(v),
    "Mesh.tessellation_error": lambda v: kc.Mesh(*TRIANGLE, tessellation_error=v),
    "PoseTrajectory.from_positions.max_deviation": lambda v: kc.PoseTrajectory.from_positions(
        TIMES, PLACES, max_deviation=v
    ),
    "PoseTrajectory.max_deviation": lambda v: kc.PoseTrajectory(TIMES, POSES, "linear", max_deviation=v),
    "RandomForces.interval": lambda v: _advanced(crowd(motion=kc.RandomForces(interval=v))),
    "RecordedTracks.at.t": lambda v: tracks().at(v),
    "RecordedTracks.velocities.t": lambda v: tracks().velocities(v),
    "Robot.prove_pairs.tolerance": lambda v: slider().prove_pairs(tolerance=v, budget=1000),
    "Robot.sphere_model.accuracy": lambda v: slider().sphere_model(accuracy=v),
    "Sphere.radius": lambda v: kc.Sphere(v),
    "Sphere.scaled.factor": lambda v: kc.Sphere(1).scaled(v),
    "SphereCover.cover": lambda v: kc.SphereCover(PLACES, np.ones(2), cover=v),
    "SphereCover.excess": lambda v: kc.SphereCover(PLACES, np.ones(2), excess=v),
    "Tracker.distance.enough": lambda v: kc.Tracker(mesh(), mesh()).distance(E, at(3, 0), enough=v),
    "VelocityField.interval": lambda v: _advanced(field(interval=v)),
    "VelocityField.response": lambda v: _advanced(field(response=v)),
    "VelocityField.speed": lambda v: _advanced(field(speed=v)),
    "World.allow.t_from": lambda v: _changed(lambda w: w.allow("arm", "post", t_from=v, t_to=0.5)),
    "World.allow.t_to": lambda v: _changed(lambda w: w.allow("arm", "post", t_from=0.5, t_to=v)),
    "World.attach.t_from": lambda v: _changed(lambda w: w.attach("ball", "arm/head", v)),
    "World.attach.t_to": lambda v: _changed(lambda w: w.attach("ball", "arm/head", 0.5, v)),
    "World.check_configurations.margin": lambda v: world().check_configurations("arm", Q, margin=v),
    "World.check_configurations.t": lambda v: world().check_configurations("arm", Q, t=v),
    "World.check_edges.margin": lambda v: world().check_edges("arm", Q, Q + 0.1, margin=v),
    "World.check_edges.t": lambda v: world().check_edges("arm", Q, Q + 0.1, t=v),
    "World.check_edges.tolerance": lambda v: world().check_edges("arm", Q, Q + 0.1, tolerance=v),
    "World.collisions.t": lambda v: world().collisions(v),
    "World.contacts.far": lambda v: world().contacts(v),
    "World.contacts.t": lambda v: world().contacts(t=v),
    "World.contacts.tolerance": lambda v: _frames(v),
    "World.distances.far": lambda v: world().distances(0.5, far=v),
    "World.distances.t": lambda v: world().distances(v),
    "World.first_contact.margin": lambda v: world().first_contact("ball", "post", margin=v),
    "World.first_contact.t0": lambda v: world().first_contact("ball", "post", t0=v),
    "World.first_contact.t1": lambda v: world().first_contact("ball", "post", t1=v),
    "World.first_contact.tolerance": lambda v: world().first_contact("ball", "post", tolerance=v),
    "World.proved_free.margin": lambda v: world().proved_free("arm", Q, margin=v),
    "World.proved_free.t": lambda v: world().proved_free("arm", Q, t=v),
    "World.sampled.accuracy": lambda v: world().sampled(0.5, "spheres", accuracy=v),
    "World.sampled.dt": lambda v: world().sampled(v, "exact"),
    "World.sampled.ratio": lambda v: world().sampled(0.5, "spheres", accuracy=0.1, ratio=v),
    "World.sampled.t0": lambda v: world().sampled(0.25, "exact", t0=v),
    "World.sampled.t1": lambda v: world().sampled(0.25, "exact", t1=v),
    "World.sampled.tolerance": lambda v: world().sampled(0.25, "exact", tolerance=v),
    "World.set_margin.margin": lambda v: _changed(lambda w: w.set_margin("ball", "post", v)),
    "World.set_path_tolerance.distance": lambda v: _changed(
        lambda w: w.set_path_tolerance("ball", distance=v)
    ),
    "World.set_path_tolerance.time": lambda v: _changed(lambda w: w.set_path_tolerance("ball", time=v)),
    "World.simulate.accuracy": lambda v: world().simulate(dt=0.5, accuracy=v),
    "World.simulate.dt": lambda v: world().simulate(dt=v, models="exact"),
    "World.simulate.ratio": lambda v: world().simulate(dt=0.5, accuracy=0.1, ratio=v),
    "World.simulate.t0": lambda v: world().simulate(dt=0.25, t0=v, models="exact"),
    "World.simulate.t1": lambda v: world().simulate(dt=0.25, t1=v, models="exact"),
    "World.unverified.t0": lambda v: world().unverified(v, 1.0),
    "World.unverified.t1": lambda v: world().unverified(0.0, v),
    "World.unverified.tolerance": lambda v: world().unverified(tolerance=v),
    "World.verify.far": lambda v: world().verify(far=v),
    "World.verify.t0": lambda v: world().verify(t0=v),
    "World.verify.t1": lambda v: world().verify(t1=v),
    "World.verify.tolerance": lambda v: world().verify(tolerance=v),
    "audit_sphere_model.tolerance": lambda v: kc.audit_sphere_model(spheres(), slider(), tolerance=v),
    "build_sphere_cover.accuracy": lambda v: kc.build_sphere_cover(BOX, v),
    "build_sphere_tree.accuracy": lambda v: kc.build_sphere_tree(BOX, v),
    "build_sphere_tree.ratio": lambda v: kc.build_sphere_tree(BOX, 0.1, v),
    "clearance.t0": lambda v: _contact(kc.clearance, t0=v),
    "clearance.t1": lambda v: _contact(kc.clearance, t1=v),
    "clearance.tolerance": lambda v: _contact(kc.clearance, tolerance=v),
    "collide.margin": lambda v: kc.collide(sphere_tree(), E, sphere_tree(), at(3, 0), margin=v),
    "decompose.eps": lambda v: kc.decompose(mesh(), v),
    "decompose.excess": lambda v: kc.decompose(mesh(), solid=True, excess=v),
    "edge_edge_contact.margin": lambda v: kc.edge_edge_contact(MOVED, MOVED, margin=v),
    "edge_edge_contact.tolerance": lambda v: kc.edge_edge_contact(MOVED, MOVED, tolerance=v),
    "first_contact.margin": lambda v: _contact(kc.first_contact, margin=v),
    "first_contact.t0": lambda v: _contact(kc.first_contact, t0=v),
    "first_contact.t1": lambda v: _contact(kc.first_contact, t1=v),
    "first_contact.time_tolerance": lambda v: _contact(kc.first_contact, time_tolerance=v),
    "first_contact.tolerance": lambda v: _contact(kc.first_contact, tolerance=v),
    "first_contact_batch.margin": lambda v: _batch(margin=v),
    "first_contact_batch.t0": lambda v: _batch(t0=v),
    "first_contact_batch.t1": lambda v: _batch(t1=v),
    "first_contact_batch.time_tolerance": lambda v: _batch(time_tolerance=v),
    "first_contact_batch.tolerance": lambda v: _batch(tolerance=v),
    "nearest_rigid.tolerance": lambda v: kc.nearest_rigid(E, tolerance=v),
    "plan.motion_validator.margin": lambda v: _planned("motion_validator", margin=v),
    "plan.motion_validator.t": lambda v: _planned("motion_validator", t=v),
    "plan.motion_validator.tolerance": lambda v: _planned("motion_validator", tolerance=v),
    "plan.validity_checker.margin": lambda v: _planned("validity_checker", margin=v),
    "plan.validity_checker.t": lambda v: _planned("validity_checker", t=v),
    "prepare.sphere_tree": lambda v: kc.prepare(BOX, sphere_tree=v),
    "read_mesh.scale": lambda v: obj_file(scale=v),
    "read_mesh.tolerance": lambda v: obj_file(tolerance=v),
    "VerifyOptions.accuracy": lambda v: cell_file(stepwise=0.5, models="spheres", accuracy=v, t0=0.0, t1=1.0),
    "VerifyOptions.ratio": lambda v: cell_file(
        stepwise=0.5, models="spheres", accuracy=0.1, ratio=v, t0=0.0, t1=1.0
    ),
    "VerifyOptions.stepwise": lambda v: cell_file(stepwise=v, t0=0.0, t1=1.0),
    "VerifyOptions.t0": lambda v: cell_file(t0=v, t1=1.0),
    "VerifyOptions.t1": lambda v: cell_file(t0=0.0, t1=v),
    "VerifyOptions.tolerance": lambda v: cell_file(tolerance=v),
    "verify_many.timeout": lambda v: fleet(kc.verify_many, timeout=v),
    "fleet.verify_many.timeout": lambda v: fleet(kc.verify_many, timeout=v),
    "fleet.verify_programs.timeout": lambda v: fleet(kc.fleet.verify_programs, timeout=v),
    "vertex_face_contact.margin": lambda v: kc.vertex_face_contact(MOVED, MOVED, margin=v),
    "vertex_face_contact.tolerance": lambda v: kc.vertex_face_contact(MOVED, MOVED, tolerance=v),
}
for _kind, _motion in {"Fixed": lambda: kc.Fixed(E), "PoseTrajectory": trajectory}.items():
    NUMBERS |= {
        f"{_kind}.cubic.error": lambda v, m=_motion: m().cubic(0.0, 1.0, BALL, v),
        f"{_kind}.cubic.t0": lambda v, m=_motion: m().cubic(v, 1.0, BALL),
        f"{_kind}.cubic.t1": lambda v, m=_motion: m().cubic(0.0, v, BALL),
        f"{_kind}.displacement.t0": lambda v, m=_motion: m().displacement(BALL, v, 1.0),
        f"{_kind}.displacement.t1": lambda v, m=_motion: m().displacement(BALL, 0.0, v),
        f"{_kind}.path_length.t0": lambda v, m=_motion: m().path_length(BALL, v, 1.0),
        f"{_kind}.path_length.t1": lambda v, m=_motion: m().path_length(BALL, 0.0, v),
        f"{_kind}.rests.t0": lambda v, m=_motion: m().rests(v, 1.0),
        f"{_kind}.rests.t1": lambda v, m=_motion: m().rests(0.0, v),
    }

# Numbers without an annotation of their own: options of trackers, fields of cell files.
MORE_NUMBERS: dict[str, Callable[[Any], object]] = {
    **{
        f"Tracker.{name}": lambda v, name=name: kc.Tracker(mesh(), mesh(), **{name: v}).distance(E, at(3, 0))
        for name in ("far", "eps_hull", "eps_element", "recovery", "rest")
    },
    "Tracker.distance.t": lambda v: kc.Tracker(mesh(), mesh()).distance(E, at(3, 0), v),
    "Fixed.path_length.body": lambda v: kc.Fixed(E).path_length(v, 0.0, 1.0),
    "cell file: sphere": lambda v: cell_file(radius=_yaml(v)),
    "cell file: position": lambda v: cell_file(place=_yaml(v)),
    "cell file: tolerance": lambda v: cell_file(more=f"tolerance: {_yaml(v)}\n"),
    "cell file: interval": lambda v: cell_file(more=f"interval: [0, {_yaml(v)}]\n"),
    "cell file: margin": lambda v: cell_file(more=f"margins: [{{pair: [a, b], margin: {_yaml(v)}}}]\n"),
    "cell file: from": lambda v: cell_file(more=f"allowed: [{{pair: [a, b], from: {_yaml(v)}}}]\n"),
}

ARRAYS: dict[str, Array] = {
    "first_contact.margin": Array(np.ones(2), lambda a: _cast((E, np.array([E, E])), margin=a)),
    "first_contact.motion_a": Array(np.array([E, E]), lambda a: _cast((E, a))),
    "Attachment.rotation": Array(np.eye(3), lambda a: _attachment(rotation=a)),
    "Box.size": Array(np.ones(3), kc.Box),
    "BoxTree.refit.vertices": Array(mesh_vertices(), lambda a: kc.build_box_tree(mesh()).refit(a)),
    "Clearance.profile.times": Array(TIMES, lambda a: _contact(kc.clearance).profile(a)),  # type: ignore[attr-defined]
    "Convex.faces": Array(FACES, lambda a: kc.Convex(POINTS, a)),
    "Convex.points": Array(POINTS, kc.Convex),
    "Crowd.add.groups": Array(np.array([1, 2]), lambda a: crowd().add(FAR, SPEEDS, 0.5, 0.0, groups=a)),
    "Crowd.add.masses": Array(np.ones(2), lambda a: crowd().add(FAR, SPEEDS, 0.5, 0.0, masses=a)),
    "Crowd.add.max_accelerations": Array(np.zeros(2), lambda a: crowd().add(FAR, SPEEDS, 0.5, a)),
    "Crowd.add.max_speeds": Array(np.ones(2), lambda a: observed().add(FAR, None, 0.5, max_speeds=a)),
    "Crowd.add.position_errors": Array(np.zeros(2), lambda a: _added(position_errors=a)),
    "Crowd.add.positions": Array(PLACES + 20.0, lambda a: crowd().add(a, SPEEDS, 0.5, 0.0)),
    "Crowd.add.radii": Array(np.ones(2), lambda a: crowd().add(FAR, SPEEDS, a, 0.0)),
    "Crowd.add.time": Array(np.zeros(2), lambda a: _added(time=a)),
    "Crowd.add.velocities": Array(SPEEDS, lambda a: crowd().add(FAR, a, 0.5, 0.0)),
    "Crowd.add.velocity_errors": Array(np.zeros(2), lambda a: _added(velocity_errors=a)),
    "Crowd.attach.rotation": Array(
        np.eye(3), lambda a: crowd(radii=1.0, response="report").attach(0, BALL, rotation=a)
    ),
    "Crowd.bounds": Array(np.array([[-9.0] * 3, [9.0] * 3]), lambda a: crowd(bounds=a)),
    "Crowd.change.ids": Array(np.array([0, 1]), lambda a: crowd().change(a, radii=0.6)),
    "Crowd.change.masses": Array(np.ones(2), lambda a: crowd().change([0, 1], masses=a)),
    "Crowd.change.max_accelerations": Array(
        np.zeros(2), lambda a: crowd().change([0, 1], max_accelerations=a)
    ),
    "Crowd.change.max_speeds": Array(np.ones(2), lambda a: observed().change([0, 1], max_speeds=a)),
    "Crowd.change.radii": Array(np.ones(2), lambda a: crowd().change([0, 1], radii=a)),
    "Crowd.gravity": Array(np.zeros(3), lambda a: crowd(gravity=a)),
    "Crowd.groups": Array(np.array([1, 2]), lambda a: crowd(groups=a)),
    "Crowd.masses": Array(np.ones(2), lambda a: crowd(masses=a)),
    "Crowd.max_accelerations": Array(np.zeros(2), lambda a: crowd(max_accelerations=a)),
    "Crowd.max_speeds": Array(np.ones(2), lambda a: kc.Crowd(PLACES, None, 0.5, max_speeds=a)),
    "Crowd.observe.ids": Array(np.array([0, 1]), lambda a: observed().observe(a, 0.5, PLACES)),
    "Crowd.observe.position_errors": Array(
        np.zeros(2), lambda a: observed().observe([0, 1], 0.5, PLACES, position_errors=a)
    ),
    "Crowd.observe.positions": Array(PLACES, lambda a: observed().observe([0, 1], 0.5, a)),
    "Crowd.observe.t": Array(np.array([0.5, 0.5]), lambda a: observed().observe([0, 1], a, PLACES)),
    "Crowd.observe.velocities": Array(SPEEDS, lambda a: observed().observe([0, 1], 0.5, PLACES, a)),
    "Crowd.observe.velocity_errors": Array(
        np.zeros(2), lambda a: observed().observe([0, 1], 0.5, PLACES, SPEEDS, velocity_errors=a)
    ),
    "Crowd.positions": Array(PLACES, lambda a: crowd(positions=a)),
    "Crowd.radii": Array(np.ones(2), lambda a: crowd(radii=a)),
    "Crowd.remove.ids": Array(np.array([0]), lambda a: crowd().remove(a)),
    "Crowd.velocities": Array(SPEEDS, lambda a: crowd(velocities=a)),
    "Decomposition.refit.vertices": Array(mesh_vertices(), lambda a: kc.decompose(mesh()).refit(a)),  # type: ignore[union-attr]
    "Ellipsoid.radii": Array(np.ones(3), kc.Ellipsoid),
    "Fixed.X_W": Array(E, kc.Fixed),
    "Fixed.pose.t": Array(TIMES, lambda a: kc.Fixed(E).pose(a)),
    "JointTrajectory.at.t": Array(TIMES, lambda a: drive([0, 1], [0, 1]).at(a)),
    "JointTrajectory.link.X_LG": Array(E, lambda a: drive([0, 1], [0, 1]).link("head", X_LG=a)),
    "JointTrajectory.link.X_WB": Array(E, lambda a: drive([0, 1], [0, 1]).link("head", a)),
    "JointTrajectory.q": Array(PATH, lambda a: kc.JointTrajectory(slider(), TIMES, a)),
    "JointTrajectory.qd": Array(PATH, lambda a: kc.JointTrajectory(slider(), TIMES, PATH, a, "spline")),
    "JointTrajectory.relative.X_AG": Array(E, lambda a: drive([0, 1], [0, 1]).relative("head", "finger", a)),
    "JointTrajectory.relative.X_BG": Array(
        E, lambda a: drive([0, 1], [0, 1]).relative("head", "finger", None, a)
    ),
    "JointTrajectory.speed.t": Array(TIMES, lambda a: drive([0, 1], [0, 1]).speed(a)),
    "JointTrajectory.times": Array(TIMES, lambda a: kc.JointTrajectory(slider(), a, PATH)),
    "Mesh.faces": Array(FACES, lambda a: kc.Mesh(POINTS, a)),
    "Mesh.vertices": Array(POINTS, lambda a: kc.Mesh(a, FACES)),
    "OBBTree.refit.vertices": Array(mesh_vertices(), lambda a: kc.build_obb_tree(mesh()).refit(a)),
    "PoseTrajectory.X_W": Array(POSES, lambda a: kc.PoseTrajectory(TIMES, a, "linear")),
    "PoseTrajectory.from_positions.positions": Array(
        PLACES, lambda a: kc.PoseTrajectory.from_positions(TIMES, a)
    ),
    "PoseTrajectory.from_positions.quat_wxyz": Array(
        QUAT_WXYZ, lambda a: kc.PoseTrajectory.from_positions(TIMES, PLACES, quat_wxyz=a)
    ),
    "PoseTrajectory.from_positions.quat_xyzw": Array(
        QUAT_XYZW, lambda a: kc.PoseTrajectory.from_positions(TIMES, PLACES, quat_xyzw=a)
    ),
    "PoseTrajectory.from_positions.times": Array(
        TIMES, lambda a: kc.PoseTrajectory.from_positions(a, PLACES)
    ),
    "PoseTrajectory.pose.t": Array(TIMES, lambda a: trajectory().pose(a)),
    "PoseTrajectory.times": Array(TIMES, lambda a: kc.PoseTrajectory(a, POSES, "linear")),
    "Prepared.refit.vertices": Array(mesh_vertices(), lambda a: kc.prepare(mesh()).refit(a)),
    "RecordedTracks.positions": Array(np.array([PLACES, PLACES]), lambda a: kc.RecordedTracks(TIMES, a)),
    "RecordedTracks.times": Array(TIMES, lambda a: kc.RecordedTracks(a, np.array([PLACES, PLACES]))),
    "Robot.attach.X_LA": Array(E, lambda a: slider().attach("tool", BALL, "head", a)),
    "Robot.link_poses.X_WB": Array(E, lambda a: slider().link_poses(Q, a)),
    "Robot.link_poses.q": Array(Q, lambda a: slider().link_poses(a)),
    "Robot.prove_pairs.limits": Array(
        np.array([[-0.1, 0.1]] * 2), lambda a: slider().prove_pairs(limits=a, budget=1000)
    ),
    "SphereCover.centers": Array(PLACES, lambda a: kc.SphereCover(a, np.ones(2))),
    "SphereCover.radii": Array(np.ones(2), lambda a: kc.SphereCover(PLACES, a)),
    "SphereTree.refit.vertices": Array(mesh_vertices(), lambda a: kc.build_sphere_tree(mesh(), 0.5).refit(a)),
    "Tracker.distance.X_WA": Array(E, lambda a: kc.Tracker(mesh(), mesh()).distance(a, at(9, 0))),
    "Tracker.distance.X_WB": Array(at(9, 0), lambda a: kc.Tracker(BALL, BALL).distance(E, a)),
    "Tracker.distance.t": Array(
        TIMES, lambda a: kc.Tracker(mesh(), mesh()).distance(np.array([E, E]), at(9, 0), a)
    ),
    "VelocityField.bounds": Array(np.array([[-9.0] * 3, [9.0] * 3]), lambda a: field(bounds=a)),
    "World.add.motion": Array(at(9, 9), lambda a: world().add("new", BALL, a)),
    "World.add_robot.X_WB": Array(at(9, 9), lambda a: world().add_robot("new", slider(), None, a)),
    "World.add_robot.motion": Array(np.zeros(2), lambda a: world().add_robot("new", slider(), a, at(9, 9))),
    "World.attach.X_LA": Array(E, lambda a: world().attach("post", "arm/head", 0.5, X_LA=a)),
    "World.begin.motion": Array(at(9, 9), lambda a: world().begin("new", a)),
    "World.check_configurations.q": Array(Q, lambda a: world().check_configurations("arm", a)),
    "World.check_edges.q0": Array(Q, lambda a: world().check_edges("arm", a, Q)),
    "World.check_edges.q1": Array(Q, lambda a: world().check_edges("arm", Q, a)),
    "World.move.motion": Array(at(9, 9), lambda a: world().move("post", a)),
    "World.proved_free.q": Array(Q, lambda a: world().proved_free("arm", a)),
    "World.simulate.times": Array(TIMES, lambda a: world().simulate(times=a, models="exact")),
    "World.submit.X_AB": Array(at(9, 0), lambda a: _submitted(a)),
    "World.update.X": Array(np.array([at(9, 9)]), lambda a: world().update(["post"], a)),
    "collide.X_WA": Array(E, lambda a: kc.collide(mesh(), a, mesh(), at(9, 0))),
    "collide.X_WB": Array(at(9, 0), lambda a: kc.collide(BALL, E, BALL, a)),
    "distance.X_WA": Array(E, lambda a: kc.distance(BALL, a, BALL, at(9, 0))),
    "distance.X_WB": Array(at(9, 0), lambda a: kc.distance(mesh(), E, mesh(), a)),
    "edge_edge_contact.control": Array(
        np.stack([MOVED] * 4, axis=2), lambda a: kc.edge_edge_contact(control=a)
    ),
    "edge_edge_contact.x0": Array(MOVED, lambda a: kc.edge_edge_contact(a, MOVED)),
    "edge_edge_contact.x1": Array(MOVED, lambda a: kc.edge_edge_contact(MOVED, a)),
    "nearest_rigid.X": Array(E, kc.nearest_rigid),
    "place_spheres.bounds": Array(
        np.array([[-9.0] * 3, [9.0] * 3]), lambda a: kc.place_spheres(np.ones(2), a)
    ),
    "place_spheres.radii": Array(np.ones(2), lambda a: kc.place_spheres(a, ([-9.0] * 3, [9.0] * 3))),
    "vertex_face_contact.control": Array(
        np.stack([MOVED] * 4, axis=2), lambda a: kc.vertex_face_contact(control=a)
    ),
    "vertex_face_contact.x0": Array(MOVED, lambda a: kc.vertex_face_contact(a, MOVED)),
    "vertex_face_contact.x1": Array(MOVED, lambda a: kc.vertex_face_contact(MOVED, a)),
}


def parameters() -> Iterator[tuple[str, str]]:
    """Every public callable's parameter with its annotation, as ("World.verify.tolerance", "float")."""
    for name in kc.__all__:
        value = getattr(kc, name)
        inner = (
            [(f"{name}.{k}", getattr(value, k)) for k in value.__all__]
            if inspect.ismodule(value)
            else [(name, value)]
        )
        for label, thing in inner:
            for path, call in _callables(label, thing):
                for parameter in inspect.signature(call).parameters.values():
                    yield f"{path}.{parameter.name}", str(parameter.annotation)


def _callables(label: str, thing: Any) -> Iterator[tuple[str, Any]]:
    if not inspect.isclass(thing):
        if callable(thing):
            yield label, thing
        return
    if issubclass(thing, Exception) or label in BASES:
        return
    if label not in RESULTS:
        yield label, thing
    for name in dir(thing):
        method = inspect.getattr_static(thing, name)
        method, path = getattr(method, "__func__", method), f"{label}.{name}"
        if not name.startswith("_") and inspect.isfunction(method) and path not in HOOKS:
            yield path, method
