"""The data set: how it is drawn and certified, written and read.

Each case is a body at rest and one that moves from time 0 to 1 with a constant velocity of its origin and a constant
angular velocity, both in the world's frame. Shapes are vertices and triangles; `convex` says that the shape is the
convex hull of its vertices.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

import keepclear as kc
from benchmarks.moving_cases import Case, Family, Flight, Shape, hull_families, hull_mesh_families
from benchmarks.moving_truth import true_time

FILE = Path(__file__).parent / "cases.json"
FORMAT = 1
EACH = 20
TOLERANCE = 1e-7  # [m]
NOT_TAKEN = ("hull of 32 over terrain", "hull of 32 past knot")
"""Families left out: two more large meshes would double the file."""


def build() -> dict[str, Any]:
    """Return the data set as it is written: shapes once, cases with their certified answers."""
    families = [*hull_families(EACH), *hull_mesh_families(EACH)]
    numbers: dict[Shape, int] = {}
    shapes: list[dict[str, Any]] = []
    cases = [
        _case(family, case, numbers, shapes)
        for family in families
        if family.name not in NOT_TAKEN
        for case in family.cases
    ]
    return {"format": FORMAT, "note": __doc__, "tolerance": TOLERANCE, "shapes": shapes, "cases": cases}


def _case(
    family: Family, case: Case, numbers: dict[Shape, int], shapes: list[dict[str, Any]]
) -> dict[str, Any]:
    for shape in (case.fixed, case.moving):
        if shape not in numbers:
            numbers[shape] = len(shapes)
            shapes.append(_shape(shape))
    return {
        "family": family.name,
        "fixed": numbers[case.fixed],
        "moving": numbers[case.moving],
        "X_WB": case.flight.start.tolist(),
        "displacement": case.flight.way.tolist(),
        "rotation_vector": case.flight.turn.tolist(),
        "answer": _answer(case),
    }


def _shape(shape: Shape) -> dict[str, Any]:
    convex = shape if isinstance(shape, kc.Convex) else None
    if isinstance(shape, kc.Box):
        half = 0.5 * np.array(shape.size)
        convex = kc.Convex(half * [[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    if convex is not None:
        return {"convex": True, "vertices": convex.vertices.tolist(), "triangles": convex.triangles.tolist()}
    assert isinstance(shape, kc.Mesh)
    return {"convex": False, "vertices": shape.vertices.tolist(), "triangles": shape.triangles.tolist()}


def _answer(case: Case) -> dict[str, Any]:
    """Return the certified answer, compared with a slow search by distances that shares no code with it."""
    found = kc.first_contact(*case.question, TOLERANCE)
    true = true_time(case)
    if found.verdict is kc.Verdict.CLEAR:
        assert math.isnan(true), case
        least = kc.clearance(*case.question, TOLERANCE)
        return {"contact": False, "clearance_lower": least.lower, "clearance_upper": least.upper}
    assert found.verdict is kc.Verdict.COLLIDING, case
    assert math.isnan(true) or found.t_lo <= true + 1e-6, case
    return {"contact": True, "t_lo": found.t_lo, "t_hi": found.t_hi}


def write(file: Path = FILE) -> None:
    """Write the data set; floats are written so that they are read back bit by bit."""
    file.write_text(json.dumps(build(), separators=(",", ":")) + "\n", encoding="utf-8")


def read(file: Path = FILE) -> dict[str, Any]:
    """Return the data set of a file, of this format only."""
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    if found.get("format") != FORMAT:
        raise ValueError(f"{file.name} has format {found.get('format')!r}, but this script reads {FORMAT}")
    return found


def as_cases(data: dict[str, Any]) -> Iterable[Case]:
    """Yield the cases with shapes and motions of keepclear."""
    made = [
        kc.Convex(shape["vertices"]) if shape["convex"] else kc.Mesh(shape["vertices"], shape["triangles"])
        for shape in data["shapes"]
    ]
    for one in data["cases"]:
        vectors = (np.array(one[name]) for name in ("X_WB", "displacement", "rotation_vector"))
        yield Case(made[one["fixed"]], made[one["moving"]], Flight(*vectors))
