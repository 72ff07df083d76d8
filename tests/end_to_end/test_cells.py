"""Whole cells from files: a Panda arm with programs in several formats is judged as its paths are labelled."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import keepclear as kc

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "panda"
SCENE, INDEX = "table_pick_panda", 2


def write_program(folder: Path, name: str, ending: str, joints: list[str], q: list[list[float]]) -> str:
    """Write a path with a second for each segment, and return the name of the file."""
    file = folder / f"{name}.{ending}"
    if ending == "csv":
        rows = [",".join(map(repr, [k, *row[::-1]])) for k, row in enumerate(q)]
        file.write_text("\n".join([",".join(["time [s]", *joints[::-1]]), *rows]), encoding="utf-8")
    elif ending == "npz":
        np.savez(file, times=np.arange(len(q)), q=q, joint_names=joints)
    else:
        points = [{"positions": row, "time_from_start": {"sec": k, "nanosec": 0}} for k, row in enumerate(q)]
        file.write_text(json.dumps({"joint_names": joints, "points": points}), encoding="utf-8")
    return file.name


def object_text(item: dict[str, Any]) -> str:
    sizes = item["dimensions"]
    shape = {
        "box": f"box: {sizes}",
        "cylinder": f"cylinder: {{radius: {sizes[-1]}, length: {sizes[0]}}}",
        "sphere": f"sphere: {sizes[0]}",
    }[item["type"]]
    pose = np.reshape(item["pose"], (4, 4)).tolist()
    return f"{{{shape}, pose: {pose}}}"


@pytest.mark.skipif(not DATA.is_dir(), reason="the folder shared/data beside the project is absent")
def test_a_panda_cell_is_judged_as_its_paths_are_labelled(tmp_path: Path) -> None:
    stored = json.loads((DATA / "trajectories.json").read_text(encoding="utf-8"))
    paths = [one for one in stored["trajectories"] if (one["problem"], one["index"]) == (SCENE, INDEX)]
    problems = json.loads((DATA / "problems.json").read_text(encoding="utf-8"))["problems"]
    (scene,) = (one for one in problems if (one["problem"], one["index"]) == (SCENE, INDEX))
    lines = ["tolerance: 1e-4", "objects:"]
    lines.append(f"  panda: {{robot: '{DATA / 'panda.urdf'}', srdf: '{DATA / 'panda.srdf'}'}}")
    lines += [f"  {item['id']}: {object_text(item)}" for item in scene["objects"]]
    lines.append("programs:")
    labels = {}
    for k, path in enumerate(paths):
        for ending in ("csv", "npz", "json"):
            name = f"{path['kind']}_{k}_{ending}"
            labels[name] = path["label"]
            file = write_program(tmp_path, name, ending, stored["joints"], path["waypoints"])
            lines.append(f"  {name}: {{panda: {file}}}")
    (tmp_path / "cell.yaml").write_text("\n".join(lines), encoding="utf-8")
    report = kc.verify(tmp_path / "cell.yaml", clearances=False)
    assert {one.program: one.verdict.name for one in report.programs} == {
        name: "CLEAR" if label == "free" else "COLLIDING" for name, label in labels.items()
    }
    assert set(labels.values()) == {"free", "hit"}
    for k in range(0, len(report.programs), 3):  # the same path in three formats
        found = [[(p.a, p.b, p.verdict, p.time) for p in one.pairs] for one in report.programs[k : k + 3]]
        assert found[0] == found[1] == found[2]
