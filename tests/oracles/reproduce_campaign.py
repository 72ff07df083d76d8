"""Reports that are made again: in another folder, in another order of files, after a change of one input.

    python -m tests.oracles.reproduce_campaign [CELLS]

Cells are generated from seeds: balls, boxes and meshes, motions in files, several programs; every fifth is the cell of
the demo, a robot with two programs, with its arch at another position. For each cell, the report must reproduce as
equal from a copy of its folder; the reordered cell must be named as the only change, with equal findings; one changed
path or mesh must be named, with every difference of verdicts, times and clearances.
"""

import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import yaml

import keepclear as kc
from keepclear.jobs.cell.reproduction import Reproduction, reproduce

DEMO = Path(kc.__file__).parent / "jobs" / "cell" / "demo"
ROBOTS = 5  # every fifth cell has a robot


def write_mesh(path: Path, rng: np.random.Generator) -> None:
    """Write a tetrahedron as OBJ."""
    points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]) * rng.uniform(0.05, 0.4, 3)
    lines = [f"v {x:.6f} {y:.6f} {z:.6f}" for x, y, z in points]
    path.write_text("\n".join([*lines, "f 1 3 2", "f 1 2 4", "f 2 3 4", "f 1 4 3", ""]))


def write_path(path: Path, rng: np.random.Generator) -> None:
    """Write a motion as CSV."""
    rows = [f"{t},{x:.4f},{y:.4f},{z:.4f}" for t, (x, y, z) in enumerate(rng.uniform(-0.6, 0.6, (5, 3)))]
    path.write_text("\n".join(["time,x,y,z", *rows, ""]))


def write_cell(folder: Path, seed: int) -> Path:
    """Write a cell with its files, and return it."""
    rng = np.random.default_rng(seed)
    folder.mkdir(parents=True)
    objects: dict[str, Any] = {}
    for k in range(int(rng.integers(3, 7))):
        shape = ("sphere", "box", "mesh")[int(rng.integers(3))]
        value: Any = (
            float(rng.uniform(0.05, 0.2)) if shape == "sphere" else [0.2, 0.3, float(rng.uniform(0.1, 0.4))]
        )
        if shape == "mesh":
            value = f"part {k}.obj"
            write_mesh(folder / value, rng)
        entry: dict[str, Any] = {shape: value} | ({"unit": "m"} if shape == "mesh" else {})
        if k < 2:
            write_path(folder / f"path{k}.csv", rng)
            entry["motion"] = f"path{k}.csv"
        else:
            entry["position"] = [round(float(x), 4) for x in rng.uniform(-0.8, 0.8, 3)]
        objects[f"thing {k}"] = entry
    cell: dict[str, Any] = {"tolerance": 1e-4, "objects": objects}
    if rng.random() < 0.3:
        cell["margins"] = [{"pair": ["thing 0", "thing 2"], "margin": 0.02}]
    if rng.random() < 0.3:
        write_path(folder / "other.csv", rng)
        cell["programs"] = {"one": {"thing 0": "path0.csv"}, "other": {"thing 0": "other.csv"}}
    path = folder / "cell.yaml"
    path.write_text(yaml.safe_dump(cell, sort_keys=False))
    return path


def write_robot_cell(folder: Path, seed: int) -> Path:
    """Write the cell of the demo, with its arch at another position, and return it."""
    shutil.copytree(DEMO, folder)
    content = yaml.safe_load((folder / "cell.yaml").read_text())
    content["objects"]["arch"]["position"] = [
        0.52, *(round(float(x), 5) for x in np.random.default_rng(seed).uniform(-0.01, 0.01, 2)),
    ]  # fmt: skip
    (folder / "cell.yaml").write_text(yaml.safe_dump(content, sort_keys=False))
    return folder / "cell.yaml"


def reorder(cell: Path) -> None:
    """Write the objects of a cell in the reverse order."""
    content = yaml.safe_load(cell.read_text())
    content["objects"] = dict(reversed(content["objects"].items()))
    cell.write_text(yaml.safe_dump(content, sort_keys=False))


def upgrade(folder: Path, seed: int) -> str:
    """Write another path, or another mesh where there is one, and return the name of the file."""
    rng = np.random.default_rng(10_000 + seed)
    meshes = sorted(folder.glob("*.obj"))
    if (folder / "arm.urdf").exists():
        times, *rows = (folder / "pick.csv").read_text().splitlines()
        rows[40] = ",".join(f"{float(x) + 0.001 * (k == 1):.6f}" for k, x in enumerate(rows[40].split(",")))
        (folder / "pick.csv").write_text("\n".join([times, *rows, ""]))
        return "pick.csv"
    if meshes and seed % 2:
        write_mesh(meshes[0], rng)
        return meshes[0].name
    write_path(folder / "path0.csv", rng)
    return "path0.csv"


def check(seed: int, folder: Path) -> tuple[str, int]:
    """Check one cell, and return its verdict and the number of differences after the change of an input."""
    write = write_robot_cell if seed % ROBOTS == ROBOTS - 1 else write_cell
    cell = write(folder / "first" / "cells", seed)
    report = kc.verify(cell, contacts="all" if seed % 2 else "first", evidence=True, threads=1)
    report.to_json(folder / "first" / "report.json")
    copy = folder / "second" / "deeper"
    shutil.copytree(folder / "first", copy)
    same = reproduce(copy / "report.json")
    assert same.is_equal, (seed, same.inputs, same.findings)
    assert same.origin == ()
    reorder(copy / "cells" / "cell.yaml")
    other = reproduce(copy / "report.json")
    assert other.inputs == ("input changed: cell.yaml",), (seed, other.inputs)
    assert other.findings == (), (seed, other.findings)
    shutil.copy(folder / "first" / "cells" / "cell.yaml", copy / "cells" / "cell.yaml")
    name = upgrade(copy / "cells", seed)
    changed = reproduce(copy / "report.json")
    assert changed.inputs == (f"input changed: {name}",), (seed, changed.inputs)
    assert names_every_difference(changed), (seed, changed.findings)
    return report.verdict.value, len(changed.findings)


def names_every_difference(found: Reproduction) -> bool:
    """Return whether each pair is named whose JSON differs by more than rounding, and no difference if none does."""
    before, now = (json.loads(report.to_json(effort=False)) for report in (found.before, found.now))
    keys = ("verdict", "time", "t_lo", "t_hi", "clearance_lower", "clearance_upper")

    def rounded(value: Any) -> Any:
        return round(value, 9) if isinstance(value, float) else value

    def pairs_of(content: dict[str, Any]) -> dict[tuple[str, ...], list[Any]]:
        """Return what must be equal, in nine decimals: swept boxes of others move the windows of a pair by rounding."""
        return {
            (p["program"], *sorted((p["a"], p["b"]))): [
                *(rounded(p[key]) for key in keys),
                *(
                    [rounded(contact[key]) for key in ("time", "t_end", "t_last")]
                    for contact in p["contacts"]
                ),
            ]
            for p in content["pairs"]
        }

    then, here = pairs_of(before), pairs_of(now)
    text = "\n".join(found.findings)
    for key in {*then, *here}:
        is_named = f"'{key[1]}' - '{key[2]}'" in text or f"'{key[2]}' - '{key[1]}'" in text
        if then.get(key) != here.get(key) and not is_named:
            return False
    return bool(found.findings) == (then != here)


def main(n: int = 50) -> None:
    counts: dict[str, int] = {}
    differences = []
    for seed in range(n):
        with tempfile.TemporaryDirectory() as folder:
            verdict, n_differences = check(seed, Path(folder))
        counts[verdict] = counts.get(verdict, 0) + 1
        differences.append(n_differences)
    changed = np.count_nonzero(differences)
    print(f"{n} cells {counts}: equal in another folder; equal findings in another order, the cell named;")  # noqa: T201
    print(f"after the change of an input: the file, and {sum(differences)} differences in {changed} cells")  # noqa: T201


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
