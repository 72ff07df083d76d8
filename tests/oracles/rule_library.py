"""A small world of rules for the library: a `World`, or a cell file with its robots."""

import itertools
import json
from fractions import Fraction
from pathlib import Path as File
from typing import Any

import numpy as np
from tests.oracles.rule_paths import Solid, Vector
from tests.oracles.rule_spec import Link, Machine, Spec, Thing

import keepclear as kc

Array = np.ndarray


def numbers(p: Vector) -> list[float]:
    return [float(x) for x in p]


def number(t: Fraction | None) -> float | None:
    return None if t is None else float(t)


def shape(solid: Solid) -> Any:
    return kc.Sphere(float(solid.radius)) if solid.radius else kc.Box([2 * x for x in numbers(solid.half)])


def at(p: Vector) -> Array:
    X_W = np.eye(4)
    X_W[:3, 3] = numbers(p)
    return X_W


def urdf(name: str, machine: Machine) -> str:
    """The robot's file; the first link is its root."""
    lines = [f'<robot name="{name}">']
    for link in machine.links:
        lines.append(f'<link name="{link.name}">{collision(link.solid)}</link>')
    for link in machine.links:
        if link.parent:
            lines.append(joint(link))
    return "\n".join([*lines, "</robot>"])


def collision(solid: Solid | None) -> str:
    if solid is None:
        return ""
    size = " ".join(repr(2 * x) for x in numbers(solid.half))
    body = f'<sphere radius="{float(solid.radius)!r}"/>' if solid.radius else f'<box size="{size}"/>'
    return f"<collision><geometry>{body}</geometry></collision>"


def joint(link: Link) -> str:
    place = " ".join(map(repr, numbers(link.offset)))
    kind = "fixed" if link.axis is None else "prismatic"
    axis = (
        ""
        if link.axis is None
        else f'<axis xyz="{" ".join("1" if k == link.axis else "0" for k in range(3))}"/>'
    )
    limit = "" if link.axis is None else '<limit lower="-9" upper="9" velocity="99" effort="1"/>'
    return (
        f'<joint name="{joint_name(link)}" type="{kind}"><parent link="{link.parent}"/><child link="{link.name}"/>'
        f'<origin xyz="{place}"/>{axis}{limit}</joint>'
    )


def joint_name(link: Link) -> str:
    return f"to_{link.name}"


def place_robot(machine: Machine) -> Array:
    """The pose of the root in the world."""
    root = machine.links[0]
    return at(tuple(x + y for x, y in zip(machine.base, root.offset, strict=True)))  # type: ignore[arg-type]


def program(machine: Machine) -> dict[str, list[float]]:
    return {joint_name(link): [float(row[k]) for row in machine.q] for k, link in enumerate(machine.joints)}


def library_world(spec: Spec, folder: File) -> Any:
    """The world with all its rules; robots are read from files in the folder."""
    world = kc.World(threads=1)
    for name, thing in spec.things.items():
        world.add(name, shape(thing.solid), motion(thing))
    for name, machine in spec.machines.items():
        file = folder / f"{name}.urdf"
        file.write_text(urdf(name, machine), encoding="utf-8")
        robot = kc.read_robot(file)
        told = kc.JointTrajectory(robot, [float(t) for t in machine.times], program(machine))
        world.add_robot(name, robot, told, place_robot(machine))
    for one in spec.attachments:
        world.attach(one.thing, f"{one.robot}/{one.link}", float(one.t_from), number(one.t_to))
    for window in spec.windows:
        world.allow(window.a, window.b, t_from=number(window.t_from), t_to=number(window.t_to))
    for a, b, m in spec.margins:
        world.set_margin(a, b, float(m))
    for name, loose in spec.loose.items():
        world.set_path_tolerance(name, distance=float(loose.distance), time=float(loose.time))
    if spec.only:
        world.only(spec.only)
    return world


def motion(thing: Thing) -> Any:
    if len(thing.path.times) == 1:
        return at(thing.path.positions[0])
    times = [float(t) for t in thing.path.times]
    return kc.PoseTrajectory.from_positions(times, [numbers(p) for p in thing.path.positions])


def cell_file(spec: Spec, folder: File) -> File:
    """The same world as a cell file, with robots and one motion in files beside it."""
    objects: dict[str, Any] = {}
    for name, thing in spec.things.items():
        solid = thing.solid
        entry: dict[str, Any] = (
            {"sphere": float(solid.radius)} if solid.radius else {"box": [2 * x for x in numbers(solid.half)]}
        )
        if len(thing.path.times) == 1:
            entry["position"] = numbers(thing.path.positions[0])
        else:
            entry["motion"] = {
                "times": [float(t) for t in thing.path.times],
                "positions": [numbers(p) for p in thing.path.positions],
            }
        objects[name] = entry
    for name, machine in spec.machines.items():
        (folder / f"{name}.urdf").write_text(urdf(name, machine), encoding="utf-8")
        told = program(machine)
        rows = itertools.chain([("time", *told)], zip(map(float, machine.times), *told.values(), strict=True))
        (folder / f"{name}.csv").write_text(
            "".join(",".join(map(str, row)) + "\n" for row in rows), encoding="utf-8"
        )
        position = place_robot(machine)[:3, 3].tolist()
        objects[name] = {"robot": f"{name}.urdf", "motion": f"{name}.csv", "position": position}
    for name, loose in spec.loose.items():
        objects[name]["path_tolerance"] = {"distance": float(loose.distance), "time": float(loose.time)}
    for a, b, m in spec.margins:
        if b is None:
            objects[a]["margin"] = float(m)
    file = folder / "cell.yaml"
    file.write_text(
        json.dumps({"objects": objects, **cell_rules(spec)}, indent=1), encoding="utf-8"
    )  # JSON is YAML
    return file


def cell_rules(spec: Spec) -> dict[str, Any]:
    """What a cell says beside its objects."""
    rules: dict[str, Any] = {
        "tolerance": float(spec.tolerance),
        "interval": [float(t) for t in spec.interval],
    }
    ends = ("from", "to")
    rules["allowed"] = [
        {
            "pair": [w.a, w.b],
            **{key: float(t) for key, t in zip(ends, (w.t_from, w.t_to), strict=True) if t is not None},
        }
        for w in spec.windows
    ]
    rules["margins"] = [{"pair": [a, b], "margin": float(m)} for a, b, m in spec.margins if b is not None]
    rules["attached"] = [
        {"object": one.thing, "to": f"{one.robot}/{one.link}", "from": float(one.t_from)}
        | ({} if one.t_to is None else {"until": float(one.t_to)})
        for one in spec.attachments
    ]
    rules["only"] = [one if isinstance(one, str) else list(one) for one in spec.only]
    return {key: value for key, value in rules.items() if value not in ([], None)}
