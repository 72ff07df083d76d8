"""A reader of STEP files, whose surfaces cascadio makes into triangles, in a separate process."""

from __future__ import annotations

import importlib.util
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from keepclear.errors import MissingPackageError
from keepclear.shapes.mesh_gltf import glb_header, read_glb
from keepclear.shapes.mesh_text import Damage, FileMesh
from keepclear.shapes.step_text import parse_step

__all__ = ["read_step"]

_OTHER_FILE = re.compile(rb"DOCUMENT_FILE\s*\(\s*'([^']{0,200}\.(?:stp|step|stpz|prt|asm|sldprt))'", re.I)


# Open CASCADE, which does the work, ends the whole process at some damaged files; it prints to stdout what it thinks of
# others. Measured: whatever the unit of the file, cascadio wants millimetres and delivers metres, and without
# merge_primitives each face is a primitive, with its own arrays, which all instances of a part in an assembly share.
_CONVERT = """
import sys
sys.path.insert(0, sys.argv[1])
import cascadio
data = open(sys.argv[2], "rb").read()
found = cascadio.load(
    data, file_type="step", tol_linear=float(sys.argv[4]) * 1e3, use_parallel=False, merge_primitives=False
)
open(sys.argv[3], "wb").write(found or b"")
"""


def read_step(data: bytes, tolerance: float) -> FileMesh:
    """Return the surfaces of a STEP file as triangles that stay within a tolerance [m] of them."""
    package = importlib.util.find_spec("cascadio")
    if package is None or package.origin is None:
        raise MissingPackageError(
            'STEP files need the package cascadio; install it with pip install "keepclear[step]", '
            "or export the part as STL, GLB or 3MF."
        )
    if not data.lstrip().startswith(b"ISO-10303-21"):
        raise Damage("does not begin like a STEP file; it is damaged or of another format")
    if not data.rstrip().endswith(b"END-ISO-10303-21;"):
        raise Damage("does not end with 'END-ISO-10303-21;': it is truncated; export it again")
    if (other := _OTHER_FILE.search(data)) is not None:
        name = other[1].decode("utf-8", errors="replace")
        raise Damage(
            f"refers to parts in another file, {name[:60]!r}, which is not read; export it as one file"
        )
    described = parse_step(data)
    converted = _converted(data, tolerance, Path(package.origin).parent.parent)
    if not converted:
        raise Damage("cannot be read as STEP; export it again, or as STL, GLB or 3MF")
    mesh, header = read_glb(converted), glb_header(converted)
    primitives = (one for found in header.get("meshes", []) for one in found["primitives"])
    n_faces = len({(one["attributes"]["POSITION"], one.get("indices")) for one in primitives})
    if n_faces < described.n_faces:
        raise Damage(
            f"has {described.n_faces} faces, of which Open CASCADE can read {n_faces}: export it again, or as STL"
        )
    return mesh._replace(error=tolerance + _rounding(header), is_closed=described.is_closed)


def _rounding(header: dict[str, Any]) -> float:
    """Return how far single precision moves the points of a GLB file: their coordinates, and poses one below another.

    A coordinate x of a point or a pose is rounded by at most 2^-24 |x|, and so is an entry of a rotation, which is
    multiplied by the three coordinates of a point. Three axes, and all levels, are below 2^-21 of the sum of sizes.
    """
    nodes = header.get("nodes", [])
    positions = {
        one["attributes"]["POSITION"] for mesh in header.get("meshes", []) for one in mesh["primitives"]
    }
    ends = [header["accessors"][k][end] for k in positions for end in ("min", "max")]
    shifts = [node.get("translation") or node.get("matrix", [0.0] * 15)[12:15] for node in nodes]
    n_levels, level = 0, list(range(len(nodes)))
    while level:
        n_levels, level = n_levels + 1, [child for k in level for child in nodes[k].get("children", [])]
    size = float(np.abs(ends).max(initial=0.0)) + n_levels * float(np.abs(shifts).max(initial=0.0))
    return 2.0**-21 * n_levels * size


def _converted(data: bytes, tolerance: float, packages: Path) -> bytes:
    """Return a STEP file as GLB, made by another process, which may crash; nothing if it cannot be read."""
    with tempfile.TemporaryDirectory(prefix="keepclear-step-") as folder:
        step, glb = Path(folder) / "part.step", Path(folder) / "part.glb"
        step.write_bytes(data)
        command = [sys.executable, "-P", "-c", _CONVERT, str(packages), str(step), str(glb), repr(tolerance)]
        ended = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        if ended.returncode < 0:
            name = signal.Signals(-ended.returncode).name
            raise Damage(f"makes Open CASCADE crash ({name}): it is damaged; export it again, or as STL")
        reported = [line for line in (ended.stdout + ended.stderr).splitlines() if b" ERR " in line]
        if reported:
            text = reported[0].decode(errors="replace").partition(" ERR ")[2].strip(" *\x1b[0m")
            raise Damage(
                f"has errors, so that parts of it may be lost ({text[:120]}); export it again, or as STL"
            )
        if ended.returncode > 0 or not glb.is_file():
            last = ended.stderr.decode(errors="replace").strip().splitlines()[-1:]
            raise Damage(f"cannot be read as STEP ({' '.join(last)[:120]}); export it again, or as STL")
        return glb.read_bytes()
