"""A reader of STEP files, whose surfaces cascadio makes into triangles, in a separate process."""

from __future__ import annotations

import importlib.util
import math
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from keepclear.errors import MissingPackageError
from keepclear.geometry.mesh_files.gltf import glb_header, read_glb
from keepclear.geometry.mesh_files.text import Damage, FileMesh

# A quote within a string is doubled, so that such a string is matched as two. Both may last until the end of the file.
_STRING_OR_COMMENT = re.compile(rb"'[^']*(?:'|\Z)|/\*.*?(?:\*/|\Z)", re.S)
# What begins like one of these is matched in any case, so that no text is searched twice, whatever follows.
_INSTANCE = re.compile(rb"#0*(\d+)\s*=([^;]*)")
_REFERENCE = re.compile(rb"#0*(\d+)")
_NAMES = re.compile(rb"(?<![A-Za-z0-9_])([A-Za-z_][A-Za-z0-9_]*)\s*\(")
_FACES = {b"ADVANCED_FACE", b"FACE_SURFACE", b"FACE"}
_OPEN = {b"OPEN_SHELL", b"CONNECTED_FACE_SET", b"FACE_BASED_SURFACE_MODEL", b"GEOMETRIC_SET"}
# Solids without faces that could be counted; Open CASCADE does not translate most of them.
_NOT_READ = {
    b"CSG_SOLID", b"BOOLEAN_RESULT", b"BLOCK", b"RIGHT_ANGULAR_WEDGE", b"RIGHT_CIRCULAR_CONE",
    b"RIGHT_CIRCULAR_CYLINDER", b"SPHERE", b"TORUS", b"EXTRUDED_AREA_SOLID", b"REVOLVED_AREA_SOLID",
    b"SWEPT_DISK_SOLID", b"EXTRUDED_FACE_SOLID", b"REVOLVED_FACE_SOLID", b"SURFACE_CURVE_SWEPT_AREA_SOLID",
    b"HALF_SPACE_SOLID", b"BOXED_HALF_SPACE", b"SOLID_REPLICA", b"TESSELLATED_SOLID", b"TESSELLATED_SHELL",
}  # fmt: skip


class StepText(NamedTuple):
    """What a STEP file describes.

    Attributes:
        n_faces: How many different faces its shapes have; each counts once, however often an assembly uses its part.
        is_closed: Whether all these faces are in closed shells.
    """

    n_faces: int
    is_closed: bool


class _Instance(NamedTuple):
    names: frozenset[bytes]
    references: tuple[bytes, ...]


def parse_step(data: bytes) -> StepText:
    """Return what a STEP file describes, or raise `Damage` if it is not complete."""
    text = _STRING_OR_COMMENT.sub(b" ", data)
    if not text.rstrip().endswith(b"ISO-10303-21;"):
        raise Damage("has a string or a comment without an end; it is damaged: export it again")
    instances: dict[bytes, _Instance] = {}
    known: dict[frozenset[bytes], frozenset[bytes]] = {}
    for found in _INSTANCE.finditer(text):
        number, body = found[1], found[2]
        if number in instances:
            raise Damage(f"defines #{_shown(number)} twice; it is damaged: export it again")
        names = frozenset(name.upper() for name in _NAMES.findall(body))
        instances[number] = _Instance(known.setdefault(names, names), tuple(_REFERENCE.findall(body)))
    for instance in instances.values():
        for number in instance.references:
            if number not in instances:
                raise Damage(
                    f"refers to #{_shown(number)} in line {_line_of(data, number)}, which it does not define: a "
                    "part of it is lost; export it again"
                )
    return _described(instances)


def _described(instances: dict[bytes, _Instance]) -> StepText:
    """Return what the shape representations refer to; other geometry is for construction and presentation."""
    waiting = [number for number, one in instances.items() if any(map(_is_root, one.names))]
    reached, n_faces, is_closed, is_open = set(waiting), 0, False, False
    while waiting:
        instance = instances[waiting.pop()]
        for name in instance.names & _NOT_READ:
            raise Damage(
                f"has a {name.decode()}, a solid without faces, which is not read; export it as a boundary "
                "representation (AP203, AP214 or AP242), or as STL"
            )
        n_faces += not instance.names.isdisjoint(_FACES)
        is_closed |= b"CLOSED_SHELL" in instance.names
        is_open |= not instance.names.isdisjoint(_OPEN)
        new = {number for number in instance.references if number not in reached}
        reached |= new
        waiting += new
    if n_faces == 0:
        raise Damage(
            "has no faces in a shape representation, so that nothing tells whether all of it is read; export it as a "
            "boundary representation (AP203, AP214 or AP242), or as STL"
        )
    return StepText(n_faces, is_closed and not is_open)


def _is_root(name: bytes) -> bool:
    return b"SHAPE_REPRESENTATION" in name and b"RELATIONSHIP" not in name


def _line_of(data: bytes, number: bytes) -> int:
    """Return the line of the first reference to a number."""
    either = re.compile(_STRING_OR_COMMENT.pattern + b"|" + _REFERENCE.pattern, re.S)
    uses = (found for found in either.finditer(data) if found[1] == number)
    return data.count(b"\n", 0, next(uses).start()) + 1


def _shown(number: bytes) -> str:
    return number[:20].decode()


_OTHER_FILE = re.compile(rb"DOCUMENT_FILE\s*\(\s*'([^']{0,200}\.(?:stp|step|stpz|prt|asm|sldprt))'", re.I)

SECONDS, SECONDS_PER_BYTE = 10.0, 6e-5
"""Processor time that Open CASCADE may take for a file, at most a minute for each megabyte and ten seconds more [s]."""
PATIENCE = 20.0  # times as long on the wall, where processor time cannot be limited or the machine is busy

# Open CASCADE, which does the work, ends the whole process at some damaged files; it prints to stdout what it thinks of
# others. Measured: whatever the unit of the file, cascadio wants millimetres and delivers metres, and without
# merge_primitives each face is a primitive, with its own arrays, which all instances of a part in an assembly share.
# A damaged file can keep Open CASCADE busy without end, so its processor time is limited.
_CONVERT = """
import sys
try:
    import resource
except ImportError:  # Windows
    pass
else:
    resource.setrlimit(resource.RLIMIT_CPU, (int(sys.argv[5]), int(sys.argv[5]) + 5))
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
        seconds = math.ceil(SECONDS + SECONDS_PER_BYTE * len(data))
        given = str(packages), str(step), str(glb), repr(tolerance), str(seconds)
        command = [sys.executable, "-P", "-c", _CONVERT, *given]
        try:
            ended = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=False,
                timeout=PATIENCE * seconds,
            )
            is_endless = ended.returncode == -getattr(signal, "SIGXCPU", 0) < 0
        except subprocess.TimeoutExpired:
            is_endless = True
        if is_endless:
            raise Damage(
                f"keeps Open CASCADE busy for more than {seconds} s of processor time: it is damaged, or the "
                "tessellation is too fine for it; export it again, or as STL"
            )
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
