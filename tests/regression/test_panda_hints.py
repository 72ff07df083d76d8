"""Hints on all colliding labelled Panda paths: the rows around each contact, and a shift that restores the margin."""

import csv
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from tests.oracles.robot_panda import ABSENT, PANDA, FclScene, LabelledPath, labelled_paths, read_described

import keepclear as kc
from keepclear.files.yaml import read_document
from keepclear.jobs.cell.building import KnownRobots
from keepclear.jobs.cell.cell import build_cell

pytestmark = pytest.mark.skipif(not PANDA.is_dir(), reason=ABSENT)
TOLERANCE, FCL = 1e-4, 1e-6
ROBOTS = KnownRobots()


@cache
def panda() -> Any:
    return kc.read_robot(PANDA / "panda.urdf", PANDA / "panda.srdf")


def cases() -> list[LabelledPath]:
    return [path for path in labelled_paths() if path.is_hit] if PANDA.is_dir() else []


def shape_of(item: Any) -> dict[str, Any]:
    (part,) = item.parts
    if part.thing.kind == "box":
        return {"box": [float(x) for x in part.thing.body.size]}
    return {"cylinder": {"radius": float(part.thing.radius), "length": float(part.thing.body.length)}}


def write_cell(folder: Path, case: LabelledPath) -> Path:
    with (folder / "path.csv").open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["time", *panda().joint_names])
        for t, q in zip(case.path.times, case.path.q, strict=True):
            table.writerow([float(t), *map(float, q)])
    objects: dict[str, Any] = {
        "panda": {"robot": str(PANDA / "panda.urdf"), "srdf": str(PANDA / "panda.srdf"), "motion": "path.csv"}
    }
    for item in case.problem.objects:
        pose = np.asarray(item.at(0.0)[0], dtype=np.float64)
        objects[item.name] = shape_of(item) | {"pose": pose.tolist()}
    cell = folder / "cell.yaml"
    cell.write_text(yaml.safe_dump({"tolerance": TOLERANCE, "objects": objects}))
    return cell


def bodies_of(name: str, case: LabelledPath, cell: Any, t: float) -> list[tuple[Any, np.ndarray]]:
    """Return the shapes of a link or an object, placed in the world by other code than the hint's."""
    if not name.startswith("panda/"):
        body = cell.objects[name]
        return [(shape, np.asarray(body.X_W) @ X) for shape, X in body.shapes]
    k = panda().link_names.index(name.removeprefix("panda/"))
    X_WL = np.asarray(panda().link_poses(case.path.at([t])))[0, k]
    return [(element.shape, X_WL @ element.X_LG) for element in panda().links[k].elements]


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_rows_and_shifts_of_hints_hold(case: LabelledPath, tmp_path: Path) -> None:
    path = write_cell(tmp_path, case)
    cell = build_cell(path, read_document(path, str(path)), robots=ROBOTS)
    report = kc.verify(cell, clearances=False, hints=True)
    times = [float(line.split(",")[0]) for line in (tmp_path / "path.csv").read_text().splitlines()[1:]]
    scene = FclScene(read_described(PANDA, "panda"), case.problem.objects)
    hits = [pair for pair in report.pairs if pair.verdict is kc.Verdict.COLLIDING]
    assert hits
    for pair in hits:
        hint = pair.hint
        for t, rows in ((pair.time, hint.around), (hint.time, hint.near)):
            at_end = t == times[-1]
            assert (rows.file, rows.row_last) == ("path.csv", rows.row_first + (not at_end))
            assert times[rows.row_first - 2] <= t <= times[rows.row_last - 2]
        assert hint.shift_W is not None
        moved, other = (hint.moves, pair.b if hint.moves == pair.a else pair.a)
        a, b = bodies_of(moved, case, cell, hint.time), bodies_of(other, case, cell, hint.time)
        assert min(kc.distance(s, X, o, Y).lower for s, X in a for o, Y in b) <= TOLERANCE, "it is in contact"
        shift = np.eye(4)
        shift[:3, 3] = hint.shift_W
        after = min(kc.distance(s, shift @ X, o, Y).lower for s, X in a for o, Y in b)
        assert after > pair.margin
        assert after == pytest.approx(hint.distance_lower, abs=1e-9)
        scene.configure(case.path.at([hint.time])[0])
        link = moved.removeprefix("panda/")
        X_WL = np.asarray(panda().link_poses(case.path.at([hint.time])))[0, panda().link_names.index(link)]
        scene.place(link, shift @ X_WL, scene.arm.links[link])
        assert scene.distance(link, other.removeprefix("panda/")) > TOLERANCE - FCL, "python-fcl agrees"
