"""A fleet of Panda programs from the shared data: cell files with programs in CSV files, of a given number."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from benchmarks.panda_peers import FOLDER, SRDF, URDF

SPREAD = 0.01  # how far waypoints are moved at random from those of the data [rad]


def write_fleet(folder: Path, n_programs: int, *, seed: int = 0, repeats: int = 1) -> list[Path]:
    """Write cells with so many programs in all, and return their paths.

    Args:
        folder: Where to write; it is made.
        n_programs: How many programs; those of one scene are in one cell.
        seed: Of the random changes.
        repeats: How often each program goes there and back, for longer jobs.
    """
    problems = json.loads((FOLDER / "problems.json").read_text(encoding="utf-8"))["problems"]
    objects = {(one["problem"], one["index"]): one["objects"] for one in problems}
    found = json.loads((FOLDER / "trajectories.json").read_text(encoding="utf-8"))
    by_scene: dict[tuple[str, int], list[np.ndarray]] = {}
    for one in found["trajectories"]:
        by_scene.setdefault((one["problem"], one["index"]), []).append(np.array(one["waypoints"]))
    scenes = list(by_scene)
    programs: dict[tuple[str, int], list[np.ndarray]] = {scene: [] for scene in scenes}
    rng = np.random.default_rng(seed)
    for k in range(n_programs):
        scene = scenes[k % len(scenes)]
        paths = by_scene[scene]
        q = paths[k // len(scenes) % len(paths)]
        q = np.concatenate([q, *[q[::-1][1:] if n % 2 == 0 else q[1:] for n in range(repeats - 1)]])
        programs[scene].append(q + rng.normal(0.0, SPREAD, q.shape))
    return [
        _write_cell(folder / f"{scene[0]}_{scene[1]}", objects[scene], found["joints"], some)
        for scene, some in programs.items()
        if some
    ]


def _write_cell(folder: Path, objects: list, joints: list[str], programs: list[np.ndarray]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    lines = [
        "objects:",
        f"  panda: {{robot: {URDF.resolve()}, srdf: {SRDF.resolve()}, package_dirs: [{FOLDER.resolve()}]}}",
    ]
    for one in objects:
        size = [float(x) for x in one["dimensions"]]
        shape = f"cylinder: {size[::-1]}" if one["type"] == "cylinder" else f"box: {size}"
        lines.append(f"  {one['id']}: {{{shape}, pose: {json.dumps(one['pose'])}}}")
    base = "panda/panda_link0"
    lines += ["allowed:", *(f"  - [{base}, {one['id']}]" for one in objects), "programs:"]
    for k, q in enumerate(programs):
        name = f"program_{k:04d}"
        rows = [",".join(["time", *joints])]
        rows += [",".join(map(repr, [float(t), *row])) for t, row in enumerate(q.tolist())]
        (folder / f"{name}.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
        lines.append(f"  {name}: {{panda: {name}.csv}}")
    path = folder / "cell.yaml"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def main(options: list[str] | None = None) -> None:
    """Write a fleet to a folder: `python -m benchmarks fleet_cells --to FOLDER 1000`."""
    if options is None or len(options) != 3 or options[0] != "--to" or not options[2].isdigit():
        print("fleet_cells writes cells: python -m benchmarks fleet_cells --to FOLDER 1000")
        return
    written = write_fleet(Path(options[1]), int(options[2]))
    print(f"{len(written)} cells with {options[2]} programs in {options[1]}")
