"""Cells of random planning scenes: the pairs, contacts and clearances of MoveIt's rules; broken files are refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.oracles.planning_scene_campaign import Scene, findings, matrix_of, random_object, random_scene
from tests.unit.jobs.cell.cells import ARM
from tests.unit.jobs.moveit.scenes import cell_of

import keepclear as kc
from keepclear.errors import CellError
from keepclear.jobs.cell.template import write_template

KINDS = {1: "box", 2: "sphere", 3: "cylinder", 4: "cone"}


@pytest.mark.parametrize("seed", range(16))
def test_verdicts_and_clearances_are_those_of_the_scene(tmp_path: Path, seed: int) -> None:
    assert list(findings(seed, tmp_path)) == []


def text_of(objects: list[Scene], *, is_new: bool) -> str:
    """Return objects as MoveIt writes them into a .scene file, with more digits."""
    lines = ["noname"]
    for one in objects:
        lines += [f"* {one['id']}", *(pose_lines(one["pose"]) if is_new else [])]
        lines += [str(len(one["primitives"]) + len(one.get("meshes", ())))]
        for shape, pose in zip(one["primitives"], one["primitive_poses"], strict=True):
            sizes = shape["dimensions"]
            sizes = sizes[::-1] if shape["type"] in (3, 4) else sizes
            lines += [KINDS[shape["type"]], " ".join(map(repr, sizes)), *pose_lines(pose), "0 0 0 0"]
        for mesh, pose in zip(one.get("meshes", ()), one.get("mesh_poses", ()), strict=True):
            lines += ["mesh", f"{len(mesh['vertices'])} {len(mesh['triangles'])}"]
            lines += [" ".join(repr(corner[key]) for key in "xyz") for corner in mesh["vertices"]]
            lines += [" ".join(map(str, face["vertex_indices"])) for face in mesh["triangles"]]
            lines += [*pose_lines(pose), "0 0 0 0"]
        lines += ["0"] if is_new else []
    return "\n".join([*lines, ".", ""])


def pose_lines(pose: dict[str, Any]) -> list[str]:
    position, rotation = pose["position"], pose["orientation"]
    return [" ".join(repr(position[key]) for key in "xyz"), " ".join(repr(rotation[key]) for key in "xyzw")]


def placed(cell: kc.Cell) -> dict[str, list[tuple[str, np.ndarray]]]:
    """Return the shapes of a cell with their poses in the world."""
    return {
        name: [(repr(shape), body.X_W @ X) for shape, X in body.shapes]
        for name, body in cell.objects.items()
        if body.robot is None
    }


@pytest.mark.parametrize("is_new", [False, True])
def test_a_text_file_is_the_same_as_the_message(tmp_path: Path, is_new: bool) -> None:
    rng = np.random.default_rng(11)
    objects = [random_object(rng, f"thing {k}", ["base"], 2.0) for k in range(12)]
    for one in objects if not is_new else ():
        one["pose"] = {"position": {"x": 0, "y": 0, "z": 0}, "orientation": {"x": 0, "y": 0, "z": 0, "w": 1}}
    message = placed(cell_of(tmp_path, {"world": {"collision_objects": objects}}))
    text = placed(cell_of(tmp_path, text_of(objects, is_new=is_new), "a.scene"))
    assert list(message) == list(text) == [one["id"] for one in objects]
    for one in objects:
        X = matrix_of(one["pose"]) @ matrix_of(one["primitive_poses"][0])
        assert np.allclose(message[one["id"]][0][1], X, rtol=0, atol=1e-14)
        for (a, X_WA), (b, X_WB) in zip(message[one["id"]], text[one["id"]], strict=True):
            assert a == b
            assert np.allclose(X_WA, X_WB, rtol=0, atol=1e-15)


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the paths of all values that are not lists or messages."""
    items = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    )
    if items is None:
        return [path]
    return [leaf for key, inner in items for leaf in leaves(inner, (*path, key))]


BAD = [None, float("nan"), float("inf"), -1.0, 1e300, "x", "...", [], {}, {"x": 1}, 10**30, True]


def test_a_value_of_another_kind_is_refused_or_gives_a_cell_that_can_be_read(tmp_path: Path) -> None:
    """Never a cell with an error in it, nor any exception but one line that names the scene file."""
    rng = np.random.default_rng(5)
    refused = 0
    (tmp_path / "arm.urdf").write_text(ARM)
    scene_file, cell_file = tmp_path / "scene.json", tmp_path / "cell.yaml"
    for k in range(400):
        scene = random_scene(np.random.default_rng(k % 10))
        paths = leaves(scene)
        *steps, key = paths[int(rng.integers(len(paths)))]
        inner: Any = scene
        for step in steps:
            inner = inner[step]
        inner[key] = BAD[int(rng.integers(len(BAD)))]
        scene_file.write_text(json.dumps(scene))
        try:
            write_template(tmp_path / "arm.urdf", None, cell_file, scene=scene_file, overwrite=True)
        except CellError as error:
            (line,) = error.mistakes
            assert line.startswith(f"{scene_file}: ")
            refused += 1
        else:
            kc.read_cell(cell_file)
    assert refused > 250
