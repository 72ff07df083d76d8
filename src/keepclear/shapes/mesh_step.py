"""A reader of STEP files, whose surfaces cascadio makes into triangles."""

from __future__ import annotations

import re

from keepclear.errors import MissingPackageError
from keepclear.shapes.mesh_gltf import read_glb
from keepclear.shapes.mesh_text import Damage, FileMesh

__all__ = ["read_step"]

_OTHER_FILE = re.compile(rb"DOCUMENT_FILE\s*\(\s*'([^']{0,200}\.(?:stp|step|stpz|prt|asm|sldprt))'", re.I)


def read_step(data: bytes, tolerance: float) -> FileMesh:
    """Return the surfaces of a STEP file as triangles that stay within a tolerance [m] of them."""
    try:
        import cascadio
    except ImportError as cause:
        raise MissingPackageError(
            'STEP files need the package cascadio; install it with pip install "keepclear[step]", '
            "or export the part as STL, GLB or 3MF."
        ) from cause
    if not data.lstrip().startswith(b"ISO-10303-21"):
        raise Damage("does not begin like a STEP file; it is damaged or of another format")
    if not data.rstrip().endswith(b"END-ISO-10303-21;"):
        raise Damage("does not end with 'END-ISO-10303-21;': it is cut off; export it again")
    if (other := _OTHER_FILE.search(data)) is not None:
        name = other[1].decode("utf-8", errors="replace")
        raise Damage(
            f"refers to parts in another file, {name[:60]!r}, which is not read; export it as one file"
        )
    # Measured: whatever the unit of the file, cascadio wants millimetres and delivers metres.
    converted = cascadio.load(data, file_type="step", tol_linear=tolerance * 1e3, use_parallel=False)
    if not converted:
        raise Damage("cannot be read as STEP; export it again, or as STL, GLB or 3MF")
    return read_glb(converted)
