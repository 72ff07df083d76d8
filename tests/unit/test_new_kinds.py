"""Kinds that only tests have pass every public call, or are refused by name; no column of a row is spare."""

from __future__ import annotations

import ast
import dataclasses
import itertools
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.unit.jobs.moveit.test_scene_cells import cell_of, changed

import keepclear as kc
from keepclear.geometry.shapes.packed import packed
from keepclear.geometry.shapes.row import SHAPE_TABLE, ShapeRow
from keepclear.jobs.fleet.jobs import digest
from keepclear.kernels.convex import support as core
from keepclear.kernels.tables.motion import motion_row
from keepclear.motion.motion import MOTION_TABLE, MotionRow
from keepclear.report.pages.display import build_display_mesh

ROOT = Path(kc.__file__).parents[2]
HERE = np.eye(4)
DOORS = re.findall(
    r"^def (\w+)\(folder: Path\)", (Path(__file__).parent / "new_kinds/doors.py").read_text(), re.M
)
REFUSED = {"obb_tree", "box_tree", "decompose"}  # they take meshes only


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What each call did, in a process with kernels as plain Python (see `new_kinds/cone.py`)."""
    command = [sys.executable, "-m", "tests.unit.new_kinds.doors", str(tmp_path_factory.mktemp("doors"))]
    path = os.pathsep.join([str(Path(kc.__file__).parents[1]), str(ROOT)])
    env = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": path}
    found = subprocess.run(
        command, env=env, cwd=ROOT, capture_output=True, text=True, check=False, timeout=900
    )
    assert found.returncode == 0, found.stderr
    return dict(json.loads(found.stdout))


@pytest.mark.parametrize("door", DOORS)
def test_new_kinds_pass_or_are_refused_by_name(outcomes: dict[str, str], door: str) -> None:
    if door not in outcomes:
        pytest.skip(
            f"takes a minute: python -m tests.unit.new_kinds.doors FOLDER {door}, with NUMBA_DISABLE_JIT=1"
        )
    if door in REFUSED:
        assert re.match("refused: .*Cone", outcomes[door]), outcomes[door]
    else:
        assert outcomes[door] == "passed", outcomes[door]


class MissingColumnError(Exception):
    """A column that was removed has been asked for."""


class Removed:
    """Stands for a column that was removed: whatever asks for its value fails."""

    def _fail(self, *_: object) -> Any:
        raise MissingColumnError

    __call__ = __bool__ = __iter__ = __getattr__ = __str__ = __hash__ = __float__ = _fail  # type: ignore[assignment]
    __eq__ = __mul__ = __rmul__ = __gt__ = __lt__ = _fail  # type: ignore[assignment]


def at(x: float) -> Any:
    X = np.eye(4)
    X[0, 3] = x
    return X


def passing(interpolation: Any = "linear") -> kc.PoseTrajectory:
    n = 4 if interpolation == "cubic" else 2
    X = np.array([at(x) for x in np.linspace(-2, 2, n)])
    angles = np.linspace(0, 0.5, n) if interpolation == "cubic" else np.zeros(n)
    X[:, 0, 0] = X[:, 1, 1] = np.cos(angles)
    X[:, 1, 0], X[:, 0, 1] = np.sin(angles), -np.sin(angles)
    return kc.PoseTrajectory(np.linspace(0, 1, n), X, interpolation, max_deviation=1.0)


def deformed(shape: Any) -> Any:
    return kc.first_contact(shape, passing("cubic"), kc.Box([1, 1, 1]), at(2.9), method="bisection")


def touching(shape: Any) -> Any:
    return kc.first_contact(kc.Box([1, 1, 1]), passing(), shape, HERE).features


def robot_with(folder: Path) -> kc.Robot:
    file = folder / "ball.urdf"
    geometry = '<geometry><cylinder radius="1" length="1"/></geometry>'
    file.write_text(f'<robot name="r"><link name="l"><collision>{geometry}</collision></link></robot>')
    return kc.read_robot(file)


def cell_with(folder: Path) -> kc.Cell:
    file = folder / "cell.yaml"
    file.write_text("objects: {a: {cylinder: [1, 1]}}")
    return kc.read_cell(file)


_NUMBERS = itertools.count(1)
TETRAHEDRON = [[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]
SHAPES: dict[str, Callable[[], Any]] = {
    "Cylinder": lambda: kc.Cylinder(1, 1),
    "Box": lambda: kc.Box([1, 1, 1 + 1e-3 * next(_NUMBERS)]),  # a new one: faces are kept by content
    "Mesh": lambda: kc.Mesh(*TETRAHEDRON),
}
# For each column: the kind whose row loses it, and a public call that must notice.
SHAPE_COLUMNS: dict[str, tuple[str, Callable[[Any, Path], object]]] = {
    "pack": ("Cylinder", lambda s, _: kc.distance(s, HERE, kc.Sphere(1), HERE)),
    "points": ("Cylinder", lambda s, _: passing().path_length(s, 0, 1)),
    "ball": ("Cylinder", lambda s, _: kc.first_contact(kc.Sphere(1), passing(), s, HERE)),
    "corners": ("Box", lambda s, _: deformed(s)),
    "support": ("Cylinder", lambda s, _: deformed(s)),
    "facets": ("Box", lambda s, _: touching(s)),
    "triangles": ("Box", lambda s, _: kc.collide(s, HERE, kc.Mesh(*TETRAHEDRON), HERE, find="all")),
    "surface": ("Cylinder", lambda s, _: build_display_mesh(s)),
    "cells": ("Cylinder", lambda s, _: kc.build_sphere_tree(s, 0.5)),
    "triangulate": ("Cylinder", lambda s, _: kc.build_sphere_cover(s, 0.5)),
    "sizes": ("Cylinder", lambda s, folder: kc.write_prepared(kc.prepare(s), folder / "a.kcm")),
    "stored": ("Mesh", lambda s, folder: kc.write_prepared(kc.prepare(s), folder / "a.kcm")),
    "urdf": ("Cylinder", lambda _, folder: robot_with(folder)),
    "cell": ("Cylinder", lambda _, folder: cell_with(folder)),
    "padding": ("Box", lambda _, folder: cell_of(folder, changed("link_padding", 1, "padding", 0.01))),
}


def ball_and(motion: Any, shape: Any = None) -> kc.World:
    world = kc.World()
    world.add("ball", kc.Sphere(0.1) if shape is None else shape, motion)
    world.add("post", kc.Sphere(0.1), HERE)
    return world


MOTION_COLUMNS: dict[str, Callable[[kc.PoseTrajectory], object]] = {
    "shift": lambda m: kc.first_contact([(kc.Sphere(0.1), at(0.1))], m, kc.Sphere(0.1), HERE),
    "moves": lambda m: ball_and(m).verify(),
    "slack": lambda m: ball_and(m).distances(0.5),
    "between": lambda m: ball_and(m).verify(),
    "samples": lambda m: ball_and(m).verify(hints=True),
    "content": lambda m: digest(m),
}


def test_every_column_has_a_call_that_needs_it() -> None:
    assert list(SHAPE_COLUMNS) == [column.name for column in dataclasses.fields(ShapeRow)]
    assert list(MOTION_COLUMNS) == [column.name for column in dataclasses.fields(MotionRow)]


@pytest.mark.parametrize("column", SHAPE_COLUMNS)
def test_a_removed_column_of_shapes_is_noticed(
    column: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    name, call = SHAPE_COLUMNS[column]
    shape = SHAPES[name]()
    call(shape, tmp_path)
    cls = getattr(kc, name)
    row = dataclasses.replace(SHAPE_TABLE._rows[cls], **{column: Removed()})
    monkeypatch.setitem(SHAPE_TABLE._rows, cls, row)
    with pytest.raises(MissingColumnError):
        call(SHAPES[name](), tmp_path)


@pytest.mark.parametrize("column", MOTION_COLUMNS)
def test_a_removed_column_of_motions_is_noticed(column: str, monkeypatch: pytest.MonkeyPatch) -> None:
    MOTION_COLUMNS[column](passing())
    row = dataclasses.replace(MOTION_TABLE._rows[kc.PoseTrajectory], **{column: Removed()})
    monkeypatch.setitem(MOTION_TABLE._rows, kc.PoseTrajectory, row)
    with pytest.raises(MissingColumnError):
        MOTION_COLUMNS[column](passing())


@pytest.mark.parametrize("row", [ShapeRow, MotionRow])
def test_no_column_has_a_default(row: type) -> None:
    with pytest.raises(TypeError, match=f"missing {len(dataclasses.fields(row))} required keyword-only"):
        row()


def numbered(kind: int) -> kc.PoseTrajectory:
    """A motion whose kind has another number."""
    motion = passing()
    motion_row(motion._packed)["kind"] = kind
    return motion


MOTION_CALLS: dict[str, Callable[[Any], object]] = {
    "pose": lambda m: m.pose(0.5),
    "path_length": lambda m: m.path_length(0.1, 0, 1),
    "displacement": lambda m: m.displacement(0.1, 0, 1),
    "cubic": lambda m: m.cubic(0, 1, 0.1),
    "first_contact": lambda m: kc.first_contact(kc.Sphere(0.1), m, kc.Sphere(0.1), HERE),
    "first_contact of meshes": lambda m: kc.first_contact(kc.Mesh(*TETRAHEDRON), m, kc.Sphere(0.1), HERE),
    "first_contact bisection": lambda m: kc.first_contact(
        kc.Sphere(0.1), m, kc.Sphere(0.1), HERE, method="bisection"
    ),
    "batch": lambda m: list(kc.first_contact_batch([(kc.Sphere(0.1), m, kc.Sphere(0.1), kc.Fixed(HERE))])),
    "clearance": lambda m: kc.clearance(kc.Sphere(0.1), m, kc.Sphere(0.1), HERE),
    "verify": lambda m: ball_and(m).verify(),
}


@pytest.mark.parametrize("call", MOTION_CALLS)
@pytest.mark.parametrize("kind", [-1, 4, 9])
def test_segments_of_unknown_numbers_are_no_motion(call: str, kind: int) -> None:
    """They were read as screws, and as rest where numbers are 0: contacts were lost."""
    with pytest.raises(ValueError, match="no motion"):
        MOTION_CALLS[call](numbered(kind))


@pytest.mark.parametrize("kind", [-1.0, 7.0, 9.0])
def test_cores_of_unknown_numbers_have_no_support(kind: float) -> None:
    """They were read as boxes, or as hulls without vertices."""
    box = kc.Box([1, 1, 1])
    packed(box).reals[core.KIND] = kind
    with pytest.raises(ValueError, match="no support function"):
        kc.distance(box, HERE, kc.Sphere(0.1), at(3))
    with pytest.raises(ValueError, match="no support function"):
        kc.first_contact(kc.Sphere(0.1), passing(), box, HERE)


def test_few_files_know_a_kind() -> None:
    """A ratchet: those that name the cylinder are its own module, kernels, public names and scenes of MoveIt."""
    package = Path(kc.__file__).parent
    files = [file for file in package.rglob("*.py") if re.search(r"\bcylinder\b", file.read_text(), re.I)]
    assert len(files) <= 13, sorted(file.relative_to(package).as_posix() for file in files)


def test_no_code_has_a_ladder_of_kinds() -> None:
    """A ratchet: only meshes, which trees search, and hulls with their points are told apart by their class."""
    kinds = {"Sphere", "Box", "Capsule", "Cylinder", "Ellipsoid", "LinkMotion", "CheckedMotion"}
    package = Path(kc.__file__).parent
    found = [
        f"{file.relative_to(package)}:{node.lineno}"
        for file in package.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance"
        if kinds & {name.id for name in ast.walk(node.args[1]) if isinstance(name, ast.Name)}
    ]
    assert [place for place in found if not place.startswith("scene/programs.py")] == []
