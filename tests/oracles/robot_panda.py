"""The Panda arm and its planning problems, read plainly and measured by python-fcl, configuration by configuration."""

import json
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import fcl
import numpy as np
from tests.oracles.exact_points import box, cylinder
from tests.oracles.motion_bodies import Thing
from tests.oracles.robot_kinematics import link_pose
from tests.oracles.robot_paths import JointPath
from tests.oracles.robot_urdf import Arm, Part, read_arm
from tests.oracles.robot_world import Item, item_at_rest

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
PANDA, FANUC = DATA / "panda", DATA / "fanuc"
ABSENT = "the shared data folder is not beside this checkout"


def read_described(folder: Path, name: str) -> Arm:
    """A robot of the shared data, its meshes found below its folder."""

    def find(told: str) -> Path:
        return folder / told[told.index("meshes/") :]

    texts = [(folder / f"{name}.{kind}").read_text(encoding="utf-8") for kind in ("urdf", "srdf")]
    return read_arm(texts[0], find, texts[1])


@dataclass(frozen=True, eq=False)
class Problem:
    """A scene with a start and a goal."""

    name: str
    start: np.ndarray
    goal: np.ndarray
    objects: list[Item]


@dataclass(frozen=True, eq=False)
class LabelledPath:
    """Straight ways between waypoints, a second each, and what is known about them."""

    name: str
    kind: str
    problem: Problem
    waypoints: np.ndarray
    is_hit: bool
    hit_time: float
    hit_pair: tuple[str, str] | None
    clearance: float

    @cached_property
    def path(self) -> JointPath:
        return JointPath(np.arange(len(self.waypoints), dtype=np.float64), self.waypoints)


@cache
def problems() -> dict[tuple[str, int], Problem]:
    """All 140."""
    told = json.loads((PANDA / "problems.json").read_text(encoding="utf-8"))["problems"]
    joints = json.loads((PANDA / "trajectories.json").read_text(encoding="utf-8"))["joints"]
    found = {}
    for one in told:
        start, goal = (np.array([float(one[end][j]) for j in joints]) for end in ("start", "goal"))
        objects = [obstacle(o) for o in one["objects"]]
        name = f"{one['problem']}-{one['index']}"
        found[one["problem"], int(one["index"])] = Problem(name, start, goal, objects)
    return found


def obstacle(told: Any) -> Item:
    size = [float(x) for x in told["dimensions"]]
    thing = Thing(box(size) if told["type"] == "box" else cylinder(size[1], size[0]))
    return item_at_rest(told["id"], [Part(thing, np.eye(4))], np.array(told["pose"], dtype=np.float64))


@cache
def labelled_paths() -> list[LabelledPath]:
    """All 74."""
    told = json.loads((PANDA / "trajectories.json").read_text(encoding="utf-8"))["trajectories"]
    found = []
    for k, one in enumerate(told):
        is_hit = one["label"] == "hit"
        found.append(
            LabelledPath(
                name=f"{k}-{one['problem']}-{one['index']}-{one['kind']}",
                kind=one["kind"],
                problem=problems()[one["problem"], int(one["index"])],
                waypoints=np.array(one["waypoints"], dtype=np.float64),
                is_hit=is_hit,
                hit_time=one["hit_segment"] + one["hit_t"] if is_hit else np.nan,
                hit_pair=tuple(one["pair"]) if is_hit else None,
                clearance=np.nan if is_hit else float(one["min_clearance_seen"]),
            )
        )
    return found


class FclScene:
    """A robot among obstacles in python-fcl."""

    def __init__(self, arm: Arm, objects: list[Item]) -> None:
        self.arm = arm
        self.bodies = {
            name: [fcl.CollisionObject(fcl_model(part.thing), fcl.Transform()) for part in parts]
            for name, parts in arm.links.items()
            if parts
        }
        for item in objects:
            self.bodies[item.name] = [
                fcl.CollisionObject(fcl_model(p.thing), fcl.Transform()) for p in item.parts
            ]
            self.place(item.name, item.at(0.0)[0], item.parts)

    def place(self, name: str, X_W: np.ndarray, parts: list[Part]) -> None:
        for body, part in zip(self.bodies[name], parts, strict=True):
            X = (X_W @ part.X_LG).astype(np.float64)
            body.setTransform(fcl.Transform(X[:3, :3], X[:3, 3]))

    def configure(self, q: Any) -> None:
        """Move all links to where they are in a configuration."""
        for link in self.arm.solid_links:
            self.place(link, link_pose(self.arm, link, np.asarray(q))[0], self.arm.links[link])

    def distance(self, a: str, b: str) -> float:
        """The distance of two bodies, 0 if they touch; fcl is good to about 1e-6 m here."""
        best = np.inf
        for p in self.bodies[a]:
            for q in self.bodies[b]:
                if fcl.collide(p, q, fcl.CollisionRequest(), fcl.CollisionResult()):
                    return 0.0
                best = min(best, fcl.distance(p, q, fcl.DistanceRequest(), fcl.DistanceResult()))
        return max(float(best), 0.0)


MODELS: dict[int, tuple[Thing, Any]] = {}


def fcl_model(thing: Thing) -> Any:
    """The model of a body, made once."""
    if id(thing) not in MODELS:
        if thing.is_mesh:
            model = fcl.BVHModel()
            model.beginModel(len(thing.triangles), len(thing.points))
            model.addSubModel(thing.points, thing.triangles)
            model.endModel()
        elif thing.kind == "box":
            model = fcl.Box(*thing.body.size)
        elif thing.kind == "cylinder":
            model = fcl.Cylinder(thing.radius, thing.body.length)
        elif thing.kind == "sphere":
            model = fcl.Sphere(thing.radius)
        else:
            raise ValueError(f"python-fcl is not asked about a {thing.kind}")
        MODELS[id(thing)] = thing, model
    return MODELS[id(thing)][1]
