"""Cells of random planning scenes beside MoveIt's rules: `python -m tests.oracles.planning_scene_campaign --count 300`.

The truth is computed from the message alone: frames and joints by their formulas, rules pair by pair, shapes padded as
MoveIt pads them, and distances of single poses at many times. A finding is a pair that should be checked and is not, or
the reverse, a contact that is missed, a contact that is none, or bounds of a clearance that exclude the true one.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from tests.oracles.poses import rotation_of_quaternion
from tests.unit.jobs.cell.cells import ARM

import keepclear as kc
from keepclear.jobs.cell.template import write_template

Scene = dict[str, Any]
Solid = tuple[Any, np.ndarray]
LINKS = {
    "base": ((0.2, 0.2, 0.1), 0.0),
    "forearm": ((0.5, 0.05, 0.05), 0.25),
    "hand": ((0.2, 0.04, 0.04), 0.1),
}
TIMES = np.linspace(0.0, 2.0, 61)
ROUNDING = 1e-9  # of distances of poses that come from other sums [m]
TOLERANCE = 0.0005  # of the cell [m]


# a random scene


def random_pose(rng: np.random.Generator, reach: float) -> dict[str, Any]:
    xyz = rng.uniform(-reach, reach, 3)
    w, x, y, z = (
        (quat := rng.normal(size=4)) / np.linalg.norm(quat) if rng.random() < 0.7 else (1.0, 0.0, 0.0, 0.0)
    )
    return {
        "position": dict(zip("xyz", xyz.tolist(), strict=True)),
        "orientation": {"x": float(x), "y": float(y), "z": float(z), "w": float(w)},
    }


def random_object(rng: np.random.Generator, name: str, frames: Sequence[str], reach: float) -> Scene:
    """An object of one to three shapes, some with the pose of the object and some without."""
    n = int(rng.choice([1, 1, 2]))
    primitives = []
    for _ in range(n):
        kind = int(rng.integers(1, 5))
        size = {1: 3, 2: 1, 3: 2, 4: 2}[kind]
        primitives.append({"type": kind, "dimensions": rng.uniform(0.03, 0.25, size).tolist()})
    found: Scene = {
        "header": {"frame_id": str(rng.choice(frames))}, "id": name, "operation": 0, "primitives": primitives,
        "primitive_poses": [random_pose(rng, 0.1) for _ in range(n)],
    }  # fmt: skip
    if rng.random() < 0.3:
        corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]) * rng.uniform(0.05, 0.2)
        faces = ([0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3])
        found["meshes"] = [{
            "vertices": [dict(zip("xyz", corner.tolist(), strict=True)) for corner in corners],
            "triangles": [{"vertex_indices": face} for face in faces],
        }]  # fmt: skip
        found["mesh_poses"] = [random_pose(rng, 0.1)]
    found["pose"] = random_pose(rng, reach)
    return found


def random_scene(rng: np.random.Generator) -> Scene:
    """A scene around the small arm; its frame is the base, or another one in which the base is somewhere."""
    frame = str(rng.choice(["base", "map"]))
    q = {"shoulder": float(rng.uniform(-1.5, 1.5)), "reach": float(rng.uniform(0.0, 0.3))}
    state: Scene = {
        "joint_state": {"header": {"frame_id": frame}, "name": [*q], "position": [*q.values()]},
        "attached_collision_objects": [],
    }
    transforms = [(frame, as_transform(identity())), ("cam", as_transform(random_pose(rng, 0.5)))]
    if frame == "map":
        base = as_transform(random_pose(rng, 1.0))
        state["multi_dof_joint_state"] = {
            "header": {"frame_id": frame}, "joint_names": ["virtual"], "transforms": [base],
        }  # fmt: skip
    frames = [frame, "base", "cam", "forearm", "hand"]
    for k in range(int(rng.integers(0, 4))):
        link = str(rng.choice(["forearm", "hand"]))
        near = random_object(rng, f"held {k}", [link, link, frame], 0.3)
        touch = [name for name in LINKS if rng.random() < 0.4]
        state["attached_collision_objects"].append({"link_name": link, "object": near, "touch_links": touch})
    objects = [random_object(rng, f"box{k}", frames, 0.9) for k in range(int(rng.integers(1, 7)))]
    names = [*LINKS, *(one["object"]["id"] for one in state["attached_collision_objects"])]
    names = [name for name in [*names, *(one["id"] for one in objects), "gone"] if rng.random() < 0.6]
    flags = np.triu(rng.random((len(names), len(names))) < 0.3)
    defaults = [name for name in [*names, *(one["id"] for one in objects)] if rng.random() < 0.1]
    return {
        "robot_model_name": "arm",
        "robot_state": state,
        "fixed_frame_transforms": [
            {"header": {"frame_id": name}, "child_frame_id": frame, "transform": X} for name, X in transforms
        ],
        "allowed_collision_matrix": {
            "entry_names": names,
            "entry_values": [{"enabled": row} for row in (flags | flags.T).tolist()],
            "default_entry_names": [*dict.fromkeys(defaults)],
            "default_entry_values": [bool(rng.random() < 0.5) for _ in dict.fromkeys(defaults)],
        },
        "link_padding": [
            {"link_name": link, "padding": float(rng.choice([0.0, 0.01, 0.03]))} for link in LINKS
        ],
        "world": {"collision_objects": objects},
    }


def identity() -> dict[str, Any]:
    return {
        "position": {"x": 0.0, "y": 0.0, "z": 0.0},
        "orientation": {"x": 0.0, "y": 0.0, "z": 0.0, "w": 1.0},
    }


def as_transform(pose: Mapping[str, Any]) -> dict[str, Any]:
    return {"translation": pose["position"], "rotation": pose["orientation"]}


# the truth


def matrix_of(pose: Mapping[str, Any]) -> np.ndarray:
    position = pose.get("position", pose.get("translation"))
    rotation = pose.get("orientation", pose.get("rotation"))
    X = np.eye(4)
    X[:3, :3] = rotation_of_quaternion(np.array([rotation[key] for key in "wxyz"]))
    X[:3, 3] = [position[key] for key in "xyz"]
    return X


def link_poses(X_WB: np.ndarray, shoulder: float, reach: float) -> dict[str, np.ndarray]:
    """Poses of the links of the small arm."""
    c, s = math.cos(shoulder), math.sin(shoulder)
    forearm = X_WB @ np.array([[c, -s, 0, 0], [s, c, 0, 0], [0, 0, 1, 0.1], [0, 0, 0, 1.0]])
    hand = forearm @ np.array([[1, 0, 0, 0.5 + reach], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1.0]])
    return {"base": X_WB, "forearm": forearm, "hand": hand}


def solids_of(thing: Scene, padding: float) -> list[Solid]:
    """Shapes with their poses in the frame of the object, padded as MoveIt does; a cone as a hull inside of it."""
    found: list[Solid] = []
    X = matrix_of(thing["pose"])
    for one, pose in zip(thing["primitives"], thing["primitive_poses"], strict=True):
        sizes = one["dimensions"]
        if one["type"] == 1:
            shape: Any = kc.Box([size + 2 * padding for size in sizes])
        elif one["type"] == 2:
            shape = kc.Sphere(sizes[0] + padding)
        elif one["type"] == 3:
            shape = kc.Cylinder(sizes[1] + padding, sizes[0] + 2 * padding)
        else:
            angles = np.linspace(0, 2 * math.pi, 60, endpoint=False)
            radius, height = sizes[1] + padding, sizes[0] + 2 * padding
            rim = np.column_stack(
                [radius * np.cos(angles), radius * np.sin(angles), np.full(60, -height / 2)]
            )
            shape = kc.Convex(np.vstack([rim, [[0, 0, height / 2]]]))
        found.append((shape, X @ matrix_of(pose)))
    for one, pose in zip(thing.get("meshes", ()), thing.get("mesh_poses", ()), strict=True):
        corners = np.array([[corner[key] for key in "xyz"] for corner in one["vertices"]])
        away = corners - corners.mean(axis=0)
        corners = corners + padding * away / np.linalg.norm(away, axis=1)[:, None]
        faces = [triangle["vertex_indices"] for triangle in one["triangles"]]
        found.append((kc.Mesh(corners, faces), X @ matrix_of(pose)))
    return found


class Truth:
    """What MoveIt checks in a scene, and where everything is."""

    def __init__(self, scene: Scene, program: np.ndarray) -> None:
        self.scene, self.program = scene, program
        state = scene["robot_state"]
        base = state.get("multi_dof_joint_state")
        self.X_WB = np.eye(4) if base is None else matrix_of(base["transforms"][0])
        start = link_poses(self.X_WB, *state["joint_state"]["position"])
        frames = {
            one["header"]["frame_id"]: matrix_of(one["transform"]) for one in scene["fixed_frame_transforms"]
        }
        frames |= start
        padding = {one["link_name"]: one["padding"] for one in scene["link_padding"]}
        self.link_of = {link: link for link in LINKS}
        self.touch: dict[str, list[str]] = {}
        self.solids: dict[str, list[Solid]] = {}
        self.padded: dict[str, list[Solid]] = {}
        for link, (size, shift) in LINKS.items():
            X = np.eye(4)
            X[0, 3] = shift
            self.solids[link] = [(kc.Box(size), X)]
            self.padded[link] = [(kc.Box(np.array(size) + 2 * padding[link]), X)]
        for one in state["attached_collision_objects"]:
            thing, link = one["object"], one["link_name"]
            X_LF = np.linalg.inv(start[link]) @ frames[thing["header"]["frame_id"]]
            self.link_of[thing["id"]], self.touch[thing["id"]] = link, one["touch_links"]
            self.solids[thing["id"]] = [(shape, X_LF @ X) for shape, X in solids_of(thing, 0.0)]
            self.padded[thing["id"]] = [(shape, X_LF @ X) for shape, X in solids_of(thing, padding[link])]
        for thing in scene["world"]["collision_objects"]:
            X_WF = frames[thing["header"]["frame_id"]]
            self.solids[thing["id"]] = [(shape, X_WF @ X) for shape, X in solids_of(thing, 0.0)]

    def is_allowed(self, a: str, b: str) -> bool:
        """Whether a pair may touch: by touch_links, on one link, on its own link, or by the matrix."""
        if a in self.touch.get(b, ()) or b in self.touch.get(a, ()):
            return True
        if a in self.link_of and b in self.link_of and self.link_of[a] == self.link_of[b]:
            return True
        matrix = self.scene["allowed_collision_matrix"]
        names, answers = matrix["entry_names"], []
        if a in names and b in names:
            answers.append(matrix["entry_values"][names.index(a)]["enabled"][names.index(b)])
        for name, value in zip(matrix["default_entry_names"], matrix["default_entry_values"], strict=True):
            if name in (a, b):
                answers.append(value)
        return bool(answers) and all(answers)

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Pairs that move relative to each other while the program runs."""
        for a, b in combinations(self.solids, 2):
            held = {
                self.link_of.get(a, "base"),
                self.link_of.get(b, "base"),
            }  # the world rests as the base does
            if len(held) == 2:
                yield a, b

    def distance(self, a: str, b: str, t: float, *, padded: bool = False) -> float:
        """Return the distance of two objects at a time; only what is not within the robot is padded."""
        poses = link_poses(self.X_WB, *(np.interp(t, [0.0, 1.0, 2.0], self.program[:, k]) for k in (0, 1)))
        is_padded = padded and (a not in self.link_of or b not in self.link_of)
        placed = []
        for name in (a, b):
            solids = self.padded.get(name, self.solids[name]) if is_padded else self.solids[name]
            X_WF = poses[self.link_of[name]] if name in self.link_of else np.eye(4)
            placed.append([(shape, X_WF @ X) for shape, X in solids])
        return min(kc.distance(*one, *other).distance for one in placed[0] for other in placed[1])


# the comparison


def findings(seed: int, folder: Path) -> Iterator[str]:
    """Give everything that is wrong in the cell of a random scene."""
    rng = np.random.default_rng(seed)
    scene = random_scene(rng)
    program = np.column_stack([rng.uniform(-2, 2, 3), rng.uniform(0, 0.3, 3)])
    rows = "".join(f"{t},{a!r},{b!r}\n" for t, (a, b) in zip((0, 1, 2), program.tolist(), strict=True))
    (folder / "pick.csv").write_text("time,shoulder,reach\n" + rows)
    (folder / "arm.urdf").write_text(ARM)
    (folder / "scene.json").write_text(json.dumps(scene))
    write_template(
        folder / "arm.urdf",
        folder / "pick.csv",
        folder / "cell.yaml",
        scene=folder / "scene.json",
        overwrite=True,
    )
    report = kc.verify(folder / "cell.yaml")
    found = {frozenset((pair.a, pair.b)): pair for pair in report.pairs}
    truth = Truth(scene, program)
    for a, b in truth.pairs():
        names = frozenset(f"arm/{name}" if name in LINKS else name for name in (a, b))
        pair = found.get(names)
        if (pair is None) != truth.is_allowed(a, b):
            yield f"{seed}: {a} and {b} are {'not ' if pair is None else ''}checked"
        elif pair is not None:
            yield from (f"{seed}: {a} and {b}: {text}" for text in compared(truth, pair, a, b))


def compared(truth: Truth, pair: kc.PairReport, a: str, b: str) -> Iterator[str]:
    """Give what is wrong with the result of a pair."""
    if pair.verdict is kc.Verdict.COLLIDING:
        at = truth.distance(a, b, pair.time)
        if (
            at > pair.margin + TOLERANCE + ROUNDING + 0.0013 * 0.3
        ):  # a pyramid is larger than its cone by 0.13 %
            yield f"it is called colliding at {pair.time} s, where the distance is {at} m"
        return
    for t in TIMES:
        if truth.distance(a, b, t, padded=True) <= 0.0:
            yield f"a contact of padded shapes at {t} s is missed"
        if truth.distance(a, b, t) < (pair.clearance_lower or 0.0) - ROUNDING:
            yield f"the distance at {t} s is below the clearance {pair.clearance_lower}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare scenes; return 1 if one differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.seed, options.seed + options.count):
            for text in findings(seed, Path(folder)):
                wrong += 1
                sys.stdout.write(f"{text}\n")
    sys.stdout.write(f"{options.count} scenes, {wrong} findings\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
