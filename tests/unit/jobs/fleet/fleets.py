"""Small fleets for tests: a ball that moves beside a wall and a post, and results that are written by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import keepclear as kc

CELL = """\
objects:
  ball: {{sphere: 0.1}}
  wall: {{box: [0.2, 1, 1], position: [{wall}, 0, 0]}}
  post: {{box: [0.1, 0.1, 1], position: [0.45, {post}, 0]}}
programs:
  inline:
    ball:
      times: [0, 1, 2]
      positions:
        - [0, 0, 0]
        - [0.4, 0, 0]
        - [0, 0, 0]
      interpolation: linear
  table: {{ball: rows.csv}}
{more}"""
ROWS = "# exported\ntime,x,y,z\n0,0,0,0\n1,0.2,0,0\n2,0.4,0,0\n"


def write_cell(
    folder: Path, name: str = "cell.yaml", *, wall: float = 0.75, post: float = 0.2, more: str = ""
) -> Path:
    """Write a cell with two programs that take a ball to x = 0.4; the wall begins 0.1 before `wall`."""
    folder.chmod(0o700)
    (folder / "rows.csv").write_text(ROWS)
    path = folder / name
    path.write_text(CELL.format(wall=wall, post=post, more=more))
    return path


def verified(*paths: Path) -> list[kc.fleet.ProgramResult]:
    return list(kc.fleet.verify_programs(paths))


def changed(results: list[kc.fleet.ProgramResult], **values: Any) -> list[kc.fleet.ProgramResult]:
    """Return results with other values in their reports."""
    return [replace(one, report=replace(one.report, **values)) for one in results if one.report is not None]


def failed(cell: str, failure: str, code: int = 2) -> kc.fleet.ProgramResult:
    return kc.fleet.ProgramResult(cell=cell, program="", report=None, failure=failure, failure_code=code)
