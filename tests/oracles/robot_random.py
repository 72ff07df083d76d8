"""Seeded arms of any structure as URDF files, and small worlds around them with near contacts."""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from tests.oracles.exact_points import box, capsule, cylinder, sphere
from tests.oracles.mesh_bodies import box_mesh, hull_mesh, moved, star, tetrahedron
from tests.oracles.mesh_scene import MeshBody
from tests.oracles.motion_bodies import Thing
from tests.oracles.motion_poses import Move, fixed, library_motion, move, turn
from tests.oracles.poses import pose, random_pose, random_rotation, unit_vector
from tests.oracles.robot_kinematics import link_pose
from tests.oracles.robot_paths import JointPath
from tests.oracles.robot_urdf import Arm, Part, read_arm
from tests.oracles.robot_world import Item, Machine, item_at_rest, item_in_motion, item_on_link

import keepclear as kc

Generator = np.random.Generator


def words(values: Any) -> str:
    return " ".join(repr(float(v)) for v in np.ravel(values))


def write_obj(path: Path, mesh: MeshBody) -> None:
    lines = [f"v {words(p)}" for p in mesh.vertices]
    lines += ["f " + " ".join(str(i + 1) for i in f) for f in mesh.faces]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def small_mesh(rng: Generator) -> MeshBody:
    """A closed mesh of at most 24 triangles and about 0.2 m."""
    kind = rng.integers(4)
    if kind == 0:
        return moved(star(float(rng.uniform(0.3, 0.7))), [0, 0, 0], scale=0.08)
    if kind == 1:
        return tetrahedron(0.2)
    if kind == 2:
        return box_mesh(rng.uniform(0.03, 0.25, size=3))
    return hull_mesh(rng.normal(size=(8, 3)) * 0.08)


def geometry(rng: Generator, folder: Path, name: str) -> str:
    """A <collision> element of any kind."""
    kind = rng.integers(5)
    if kind == 0:
        told = f'<sphere radius="{words(rng.uniform(0.03, 0.1))}"/>'
    elif kind == 1 and rng.random() < 0.6:
        told = (
            f'<cylinder radius="{words(rng.uniform(0.02, 0.06))}" length="{words(rng.uniform(0.1, 0.3))}"/>'
        )
    elif kind == 2:
        write_obj(folder / f"{name}.obj", small_mesh(rng))
        scale = f' scale="{words(rng.uniform(0.5, 1.5, size=3))}"' if rng.random() < 0.3 else ""
        told = f'<mesh filename="{name}.obj"{scale}/>'
    else:
        told = f'<box size="{words(rng.uniform(0.03, 0.25, size=3))}"/>'
    xyz, rpy = words(rng.normal(size=3) * 0.05), words(rng.uniform(-3, 3, size=3))
    place = f'<origin xyz="{xyz}" rpy="{rpy}"/>' if rng.random() < 0.7 else ""
    return f"<collision>{place}<geometry>{told}</geometry></collision>"


def random_arm(rng: Generator, folder: Path, name: str, n_links: int) -> tuple[Path, Arm]:
    """A robot file in a folder and what it says: mostly one chain, with branches, mimics and links without a body."""
    links, joints, sources = [], [], []
    for k in range(n_links):
        bodies = int(rng.choice([0, 1, 2], p=[0.1, 0.75, 0.15]))
        told = "".join(geometry(rng, folder, f"{name}_{k}_{i}") for i in range(bodies))
        links.append(f'<link name="l{k}">{told}</link>')
        if k == 0:
            continue
        parent = k - 1 if rng.random() < 0.75 else int(rng.integers(k))
        kind = str(rng.choice(["revolute", "continuous", "prismatic", "fixed"], p=[0.45, 0.25, 0.2, 0.1]))
        xyz, rpy = words(rng.uniform(-0.3, 0.3, size=3)), words(rng.uniform(-3, 3, size=3))
        inside = f'<origin xyz="{xyz}" rpy="{rpy}"/><parent link="l{parent}"/><child link="l{k}"/>'
        if kind != "fixed":
            axis = np.eye(3)[rng.integers(3)] if rng.random() < 0.6 else rng.normal(size=3)
            inside += f'<axis xyz="{words(axis)}"/>'
        if kind in ("revolute", "prismatic"):
            inside += '<limit lower="-50" upper="50" velocity="1000" effort="1"/>'
        if kind != "fixed" and sources and rng.random() < 0.2:
            multiplier, offset = words(rng.uniform(-2, 2)), words(rng.uniform(-0.3, 0.3))
            inside += f'<mimic joint="{rng.choice(sources)}" multiplier="{multiplier}" offset="{offset}"/>'
        elif kind != "fixed":
            sources.append(f"j{k}")
        joints.append(f'<joint name="j{k}" type="{kind}">{inside}</joint>')
    text = f'<robot name="{name}">{"".join(links)}{"".join(joints)}</robot>'
    if not sources:
        return random_arm(rng, folder, name, n_links)
    path = folder / f"{name}.urdf"
    path.write_text(text, encoding="utf-8")
    return path, read_arm(text, lambda told: folder / told)


def random_path(rng: Generator, dof: int, *, kind: str = "", waypoints: int = 0) -> JointPath:
    """Some waypoints within two seconds or so."""
    n = waypoints or int(rng.integers(2, 5))
    times = np.cumsum(rng.uniform(0.2, 1.0, size=n)) + float(rng.choice([0.0, -3.0, 100.0]))
    q = np.cumsum(rng.normal(size=(n, dof)) * 0.5, axis=0)
    for k in range(dof):
        if rng.random() < 0.2:
            q[:, k] = q[0, k]
    kind = kind or str(rng.choice(["linear", "spline", "hermite"]))
    if kind == "hermite":
        return JointPath(times, q, "spline", rng.normal(size=(n, dof)))
    return JointPath(times, q, kind)


def some_thing(rng: Generator) -> Thing:
    """A body for an object of the world."""
    kind = rng.integers(6)
    if kind == 0:
        return Thing(sphere(float(rng.uniform(0.02, 0.2))))
    if kind == 1:
        return Thing(capsule(float(rng.uniform(0.01, 0.1)), float(rng.uniform(0.05, 0.5))))
    if kind == 2:
        return Thing(small_mesh(rng))
    if kind == 3 and rng.random() < 0.5:
        return Thing(cylinder(float(rng.uniform(0.02, 0.15)), float(rng.uniform(0.02, 0.4))))
    if kind == 4:
        return Thing(box([*rng.uniform(0.1, 0.6, size=2), 0.002]))
    return Thing(box(rng.uniform(0.02, 0.4, size=3)))


@dataclass(frozen=True, eq=False)
class Robot:
    """A robot of a scene: its file, and the machine that it is."""

    file: Path
    machine: Machine

    def library(self) -> Any:
        return kc.read_robot(self.file)


@dataclass(frozen=True, eq=False)
class Scene:
    """Robots and objects by name, from `t0` to `t1`."""

    robots: dict[str, Robot]
    objects: dict[str, Item]
    t0: float
    t1: float
    links: dict[str, Item] = field(default_factory=dict)

    @property
    def items(self) -> dict[str, Item]:
        return {**self.links, **self.objects}


def scene_of(robots: dict[str, Robot], objects: dict[str, Item]) -> Scene:
    """A scene over the span of all motions, with an item for each link that has a body."""
    links = {
        f"{name}/{link}": item_on_link(f"{name}/{link}", robot.machine, link)
        for name, robot in robots.items()
        for link in robot.machine.arm.solid_links
    }
    known = [robot.machine.path.times for robot in robots.values()]
    known += [item.knots for item in objects.values() if len(item.knots)]
    t = np.concatenate(known)
    return Scene(robots, objects, float(t.min()), float(t.max()), links)


def random_scene(rng: Generator, folder: Path, *, n_robots: int = 1, n_objects: int = 3) -> Scene:
    """Robots, and objects of which most are placed close to where some link is at some time."""
    robots = {}
    for k in range(n_robots):
        file, arm = random_arm(rng, folder, f"r{k}", int(rng.integers(3, 6)))
        path = random_path(rng, len(arm.columns))
        if k:
            first = robots["r0"].machine.path.times
            path = replace(path, times=path.times - path.times[0] + first[0])
        X_WB = random_pose(rng, 0.4) if k or rng.random() < 0.5 else np.eye(4)
        robots[f"r{k}"] = Robot(file, Machine(arm, path, X_WB))
    objects = {}
    for k in range(n_objects):
        thing = some_thing(rng)
        part = Part(thing, np.eye(4))
        if rng.random() < 0.2:
            part = Part(thing, pose(random_rotation(rng), rng.normal(size=3) * 0.1))
        parts = [part] if rng.random() < 0.8 else [part, Part(some_thing(rng), random_pose(rng, 0.1))]
        objects[f"o{k}"] = random_object(rng, f"o{k}", parts, robots["r0"].machine)
    return scene_of(robots, objects)


def random_object(rng: Generator, name: str, parts: list[Part], machine: Machine) -> Item:
    """Something at rest or in motion that some link passes."""
    times = machine.path.times
    t = float(rng.uniform(times[0], times[-1]))
    link = str(rng.choice(list(machine.arm.links)))
    near = (machine.X_WB @ link_pose(machine.arm, link, machine.path.at([t]))[0]).astype(np.float64)[:3, 3]
    away = float(rng.choice([0.0, 0.1, 0.25, 0.5, 2.0])) * unit_vector(rng)
    X_W = pose(random_rotation(rng), near + away)
    if rng.random() < 0.5:
        return item_at_rest(name, parts, X_W)
    is_apart = any(np.any(np.eye(4) != part.X_LG) for part in parts)
    return item_in_motion(name, parts, random_move(rng, X_W, times[0], times[-1], is_apart=is_apart))


def random_move(rng: Generator, X_W: np.ndarray, t0: float, t1: float, *, is_apart: bool) -> Move:
    """A way past a pose; for parts away from their object's origin no straight one, which the library refuses."""
    if rng.random() < 0.1:
        return fixed(X_W)
    kind = "screw" if is_apart else str(rng.choice(["screw", "linear"]))
    axis, way = unit_vector(rng), rng.normal(size=3) * 0.3
    X = []
    for s in (-0.5, 0.1, 0.5):
        Y = X_W.copy()
        Y[:3, :3] = turn(axis, 2 * s * float(rng.uniform(0.1, 1.5))) @ X_W[:3, :3]
        Y[:3, 3] += s * way
        X.append(Y)
    return move(kind, np.array([t0, 0.4 * t0 + 0.6 * t1, t1]), np.array(X))


def library_joint_trajectory(robot: Any, path: JointPath, **options: Any) -> Any:
    return kc.JointTrajectory(robot, path.times, path.q, path.qd, path.kind, **options)


def library_world(scene: Scene, *, order: list[str] | None = None, **options: Any) -> Any:
    """The library's world, its objects and robots added in any order."""
    world = kc.World(**options)
    for name in order or [*scene.robots, *scene.objects]:
        if name in scene.robots:
            robot = scene.robots[name].library()
            machine = scene.robots[name].machine
            world.add_robot(name, robot, library_joint_trajectory(robot, machine.path), machine.X_WB)
        else:
            add_object(world, scene.objects[name])
    return world


def add_object(world: Any, item: Item) -> None:
    """Add an object with the motion that it has before anything carries it."""
    told = item.rides[0][1].move
    assert told is not None
    parts = [(part.thing.library(), part.X_LG.astype(np.float64)) for part in item.parts]
    simple = len(parts) == 1 and np.array_equal(parts[0][1], np.eye(4))
    world.add(item.name, parts[0][0] if simple else parts, library_motion(told))
